//! Whether the drawing is a figure for print, which leaves controls out.

use egui::{Context, Id, Rect, Response, Sense, Ui, Vec2};

/// Marks the drawing of this context as a figure.
pub(super) fn draw_on_paper(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(key(), true));
}

pub(super) fn on_paper(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(key()).unwrap_or(false))
}

/// An empty response in place of a control that is left out.
pub(super) fn left_out(ui: &mut Ui) -> Response {
    let id = ui.next_auto_id();
    ui.skip_ahead_auto_ids(1);
    ui.interact(
        Rect::from_min_size(ui.cursor().min, Vec2::ZERO),
        id,
        Sense::hover(),
    )
}

fn key() -> Id {
    Id::unique("drawn on paper")
}

//! Whether what is drawn goes to paper: then what can only be pressed is left out.

use egui::{Context, Id, Rect, Response, Sense, Ui, Vec2};

/// What this context draws is a figure.
pub(super) fn draw_on_paper(ctx: &Context) {
    ctx.data_mut(|data| data.insert_temp(key(), true));
}

pub(super) fn on_paper(ui: &Ui) -> bool {
    ui.data(|data| data.get_temp(key()).unwrap_or(false))
}

/// In place of a control that is left out: nothing, which takes no room.
pub(super) fn left_out(ui: &mut Ui) -> Response {
    let id = ui.next_auto_id();
    ui.skip_ahead_auto_ids(1);
    ui.interact(Rect::from_min_size(ui.cursor().min, Vec2::ZERO), id, Sense::hover())
}

fn key() -> Id {
    Id::unique("drawn on paper")
}

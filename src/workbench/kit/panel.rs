//! What panels share: a list with its scroll bar, what stands in an empty one, when files are looked at again.

use egui::{Event, Rect, Response, Role, ScrollArea, Ui, UiBuilder, pos2};

use super::text::inert;
use crate::workbench::theme::{self, Theme};

const SCROLL_BAR: f32 = 10.0;

/// Scrolls a list that is as wide as `rect`; the bar stands in the margin right of it.
pub fn scroll_beside<R>(ui: &mut Ui, id: &str, rect: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    let with_bar = rect.with_max_x(rect.right() + SCROLL_BAR);
    let mut inside = ui.new_child(UiBuilder::new().id_salt(id).max_rect(with_bar));
    let area = ScrollArea::vertical().id_salt(id).auto_shrink(false);
    let shown = area.show(&mut inside, |ui| {
        ui.set_max_width(ui.available_width() - SCROLL_BAR);
        add(ui)
    });
    shown.inner
}

/// What a panel says while it has nothing to show, in the room that is left: what goes here and the one way in.
pub fn empty(ui: &mut Ui, sentence: &str) -> Response {
    let theme = Theme::of(ui);
    let size = ui.available_size();
    let (rect, response) = inert(ui, size, Role::Label, sentence);
    let width = (rect.width() - 2.0 * theme::SPACE_L).clamp(1.0, 420.0);
    let mut job = egui::text::LayoutJob::simple(sentence.to_owned(), theme::body(), theme.text3, width);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    let top = rect.top() + ((rect.height() - galley.size().y) * 0.42).max(0.0);
    ui.painter().galley(pos2(rect.center().x, top), galley, theme.text3);
    response
}

/// Whether the window has just come to the front: files may have changed while another one was there.
pub fn came_to_front(ui: &Ui) -> bool {
    ui.input(|input| input.events.iter().any(|event| matches!(event, Event::WindowFocused(true))))
}

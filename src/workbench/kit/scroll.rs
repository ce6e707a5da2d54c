//! A list whose scroll bar stands beside its rows.

use egui::{Rect, ScrollArea, Ui, UiBuilder};

/// Room for the scroll bar.
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

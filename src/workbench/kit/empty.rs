//! What a panel says while it has nothing to show: what goes here and the one way in.

use egui::{Response, Role, Sense, Ui, WidgetInfo, pos2};

use crate::workbench::theme::{self, Theme};

/// Fills the rest of the panel with one sentence.
pub fn empty(ui: &mut Ui, sentence: &str) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, sentence));
    let width = (rect.width() - 2.0 * theme::SPACE_L).clamp(1.0, 420.0);
    let mut job = egui::text::LayoutJob::simple(sentence.to_owned(), theme::body(), theme.text3, width);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    let top = rect.top() + ((rect.height() - galley.size().y) * 0.42).max(0.0);
    ui.painter().galley(pos2(rect.center().x, top), galley, theme.text3);
    response
}

//! Lines of text.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Label, Painter, Response, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::workbench::theme::Theme;

/// One line that ends in "…" where it would be wider than `width`.
pub fn elided(painter: &Painter, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(8.0));
    painter.layout_job(job)
}

/// One line of text in a box of this height; `name` is what a screen reader says.
pub fn text_line(ui: &mut Ui, name: &str, painted: Arc<Galley>, height: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(painted.size().x, height), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    let at = pos2(rect.left(), rect.center().y - painted.size().y / 2.0);
    ui.painter().galley(at, painted, Color32::PLACEHOLDER);
    response
}

/// Text that wraps.
pub fn paragraph(ui: &mut Ui, text: impl Into<RichText>, color: Color32) -> Response {
    ui.add(Label::new(text.into().color(color)).wrap())
}

/// Text that wraps, in small print.
pub fn small_print(ui: &mut Ui, text: impl Into<RichText>, color: Color32) -> Response {
    paragraph(ui, text.into().small(), color)
}

/// Small print that ends in "…" where there is no room.
pub fn remark(ui: &mut Ui, text: impl Into<String>, color: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).small().color(color)).truncate())
}

/// What is wrong, in small print.
pub fn problem(ui: &mut Ui, problem: &str) -> Response {
    ui.label(RichText::new(format!("✗ {problem}")).small().color(Theme::of(ui).error))
}

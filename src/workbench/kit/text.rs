//! Lines of text.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Painter, Response, RichText, Ui};

use crate::workbench::theme::Theme;

/// One line that ends in "…" where it would be wider than `width`.
pub fn elided(painter: &Painter, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(8.0));
    painter.layout_job(job)
}

/// What is wrong, in small print.
pub fn problem(ui: &mut Ui, problem: &str) -> Response {
    ui.label(RichText::new(format!("✗ {problem}")).small().color(Theme::of(ui).error))
}

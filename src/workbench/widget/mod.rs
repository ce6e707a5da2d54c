//! Small parts that several panels share: each sizes itself, interacts, paints and names itself for screen readers.

mod button;
mod chip;
mod drop_down;
mod empty;
mod field;
mod figure;
mod hatch;
mod keycap;
mod mark;
mod node;
mod progress;
mod segmented;
mod table;
mod tiles;

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Painter, Rect, Stroke, StrokeKind, Ui};

pub use button::Button;
pub use chip::{chip, removable_chip, tag};
pub use drop_down::drop_down;
pub use empty::empty;
pub use field::Field;
pub use figure::figure;
pub use hatch::paint_hatch;
pub use keycap::keycap;
pub use mark::{legend_entry, mark_key, paint_dashed, paint_key, paint_marker};
pub use node::{LEGEND_RADIUS, NODE_RADIUS, kind_letter, paint_node};
pub use progress::progress;
pub use segmented::segmented;
pub use table::{header, rule};
pub use tiles::{
    BoardGeometry, mini_board, paint_board, paint_empty_board, paint_ghost, paint_mini, paint_newest, paint_tile,
};

use super::theme::{self, Theme};

/// One line that ends in "…" where it would be wider than `width`.
pub fn elided(painter: &Painter, text: &str, font: FontId, color: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(8.0));
    painter.layout_job(job)
}

/// The ring around what has the keyboard.
pub fn focus_ring(ui: &Ui, rect: Rect) {
    let stroke = Stroke::new(2.0, Theme::of(ui).accent);
    ui.painter().rect_stroke(rect.expand(1.0), theme::RADIUS_S + 1, stroke, StrokeKind::Outside);
}

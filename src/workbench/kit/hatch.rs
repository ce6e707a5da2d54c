//! Slanted lines over a cell that was not needed.

use egui::{Color32, Painter, Rect, Stroke, pos2};

/// Hatches `rect`; lines start on a grid of the screen, so that neighbouring cells continue each other.
pub fn paint_hatch(painter: &Painter, rect: Rect, color: Color32) {
    const STEP: f32 = 6.0;
    let painter = painter.with_clip_rect(rect);
    let stroke = Stroke::new(1.0, color);
    let first = ((rect.left() + rect.top()) / STEP).floor() as i32;
    let last = ((rect.right() + rect.bottom()) / STEP).ceil() as i32;
    for k in first..=last {
        let sum = k as f32 * STEP;
        painter.line_segment([pos2(sum - rect.top(), rect.top()), pos2(sum - rect.bottom(), rect.bottom())], stroke);
    }
}

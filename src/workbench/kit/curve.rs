//! Parts of plots of lines with bands: the vertical scale with its axis, and the band.

use egui::epaint::Mesh;
use egui::{Align2, Color32, Painter, Rect, Shape, Stroke, pos2};

use crate::words;
use crate::workbench::theme::{self, Theme};

/// Width of the numbers left of the curves.
pub const NUMBERS: f32 = 52.0;
/// Margin above and below the curves, as a share of their height.
const MARGIN: f64 = 0.06;
/// Approximate distance of the numbers on the axis.
const APART: f32 = 40.0;

/// Maps values to heights on screen.
pub struct Heights {
    pub inner: Rect,
    low: f64,
    high: f64,
}

impl Heights {
    /// The scale for these values, including interval ends.
    pub fn of(inner: Rect, values: impl Iterator<Item = f64>) -> Self {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.fold(ends, |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let room = (MARGIN * (high - low)).max(1e-9);
        Self {
            inner,
            low: low - room,
            high: high + room,
        }
    }

    pub fn y(&self, value: f64) -> f32 {
        self.inner.bottom()
            - self.inner.height() * ((value - self.low) / (self.high - self.low)) as f32
    }

    /// Numbers, grid lines and the title above; shares are in percent.
    pub fn paint(&self, painter: &Painter, theme: &Theme, title: &str, is_share: bool) {
        let (inner, scale) = (self.inner, if is_share { 100.0 } else { 1.0 });
        let most = ((inner.height() / APART) as usize).max(2);
        let (values, step) = ticks(scale * self.low, scale * self.high, most);
        for value in values {
            let y = self.y(value / scale).round() + 0.5;
            painter.hline(inner.x_range(), y, Stroke::new(1.0, theme.grid));
            let at = pos2(inner.left() - 6.0, y);
            painter.text(
                at,
                Align2::RIGHT_CENTER,
                tick_text(value, step),
                theme::small(),
                theme.text3,
            );
        }
        let above = pos2(inner.left() - NUMBERS, inner.top() - 15.0);
        painter.text(above, Align2::LEFT_TOP, title, theme::small(), theme.text3);
        painter.hline(
            inner.x_range(),
            inner.bottom().round() + 0.5,
            Stroke::new(1.0, theme.line),
        );
    }
}

/// The area between lower and upper ends, each with its horizontal position; a gap where there are none.
pub fn band(ends: impl Iterator<Item = Option<(f32, f32, f32)>>, fill: Color32) -> Shape {
    let (mut mesh, mut before) = (Mesh::default(), None);
    for now in ends {
        if let (Some((left, low, high)), Some((right, next_low, next_high))) = (before, now) {
            let first = mesh.vertices.len() as u32;
            for corner in [
                pos2(left, low),
                pos2(left, high),
                pos2(right, next_high),
                pos2(right, next_low),
            ] {
                mesh.colored_vertex(corner, fill);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
        before = now;
    }
    Shape::mesh(mesh)
}

/// At most `most` round numbers from `low` to `high`, with the step between them.
pub fn ticks(low: f64, high: f64, most: usize) -> (Vec<f64>, f64) {
    let wanted = ((high - low) / most.max(1) as f64).max(1e-9);
    let base = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|f| f * base)
        .find(|&step| wanted <= step)
        .unwrap_or(wanted);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    ((first..=last).map(|k| k as f64 * step).collect(), step)
}

/// The text of a tick, with enough decimals to distinguish neighbors.
pub fn tick_text(value: f64, step: f64) -> String {
    let places = match step {
        step if step.fract() == 0.0 => 0,
        step if (step * 10.0).fract().abs() < 1e-9 => 1,
        _ => 2,
    };
    words::decimals(value, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        assert_eq!(
            ticks(0.0, 14_250.0, 7).0,
            [0.0, 2500.0, 5000.0, 7500.0, 10_000.0, 12_500.0]
        );
        assert_eq!(ticks(0.0, 1.0, 5).0.len(), 6);
        let (at, step) = ticks(0.0, 0.7, 5);
        assert!(at.len() <= 6);
        assert_eq!(tick_text(at[1], step), "0.2");
        assert_eq!(tick_text(12_500.0, 2500.0), "12,500");
    }
}

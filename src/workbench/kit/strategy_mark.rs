//! Lines and markers of strategies: the same color, dash and shape in legends, tables, histograms and axes.

use std::f32::consts::TAU;

use egui::{
    Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::text::{elided, inert};
use crate::workbench::theme::{self, Marker, StrategyMark, Theme};

/// Width of the line in a legend.
pub const KEY_WIDTH: f32 = 28.0;
/// Longer names are truncated in a legend.
const WIDEST_NAME: f32 = 180.0;

/// A line through `points` in the color and dash of a strategy.
pub fn paint_dashed(painter: &Painter, points: &[Pos2], mark: StrategyMark, width: f32) {
    if points.len() < 2 {
        return;
    }

    let stroke = Stroke::new(width, mark.color);
    if mark.dash.is_empty() {
        painter.add(Shape::line(points.to_vec(), stroke));
        return;
    }
    let ink: Vec<f32> = mark.dash.iter().copied().step_by(2).collect();
    let gaps: Vec<f32> = mark.dash.iter().copied().skip(1).step_by(2).collect();
    // The tessellator rounds the ends of horizontal segments to pixels, so that dots of 1 px would vanish; it does not
    // round paths.
    let dashes = Shape::dashed_line_with_offset(points, stroke, &ink, &gaps, 0.0).into_iter();
    painter.extend(dashes.map(|dash| match dash {
        Shape::LineSegment { points, stroke } => Shape::line(points.to_vec(), stroke),
        other => other,
    }));
}

/// The marker of a strategy; `radius` 4 suits legends and axes.
pub fn paint_marker(painter: &Painter, center: Pos2, mark: StrategyMark, radius: f32) {
    let color = mark.color;
    let line = Stroke::new((radius * 0.42).max(1.2), color);
    let polygon = |points: Vec<Pos2>| {
        painter.add(if mark.hollow {
            Shape::closed_line(points, line)
        } else {
            Shape::convex_polygon(points, color, Stroke::NONE)
        });
    };

    let around = |n: usize, turn: f32, r: f32| -> Vec<Pos2> {
        let angles = (0..n).map(|i| TAU * (i as f32 / n as f32 + turn) - TAU / 4.0);
        angles
            .map(|angle| center + r * vec2(angle.cos(), angle.sin()))
            .collect()
    };
    let strokes = |turn: f32| {
        let ends = around(4, turn, radius * 1.15);
        painter.line_segment([ends[0], ends[2]], line);
        painter.line_segment([ends[1], ends[3]], line);
        if mark.hollow {
            painter.circle_stroke(center, radius * 1.3, Stroke::new(1.0, color));
        }
    };

    match mark.marker {
        Marker::Disc if mark.hollow => {
            painter.circle_stroke(center, radius * 0.85, Stroke::new(1.0, color));
        }
        Marker::Disc => {
            painter.circle_filled(center, radius, color);
        }
        Marker::Ring => {
            painter.circle_stroke(center, radius * 0.85, line);
            if mark.hollow {
                painter.circle_filled(center, 1.0, color);
            }
        }
        Marker::Square => polygon(around(4, 0.125, radius * 1.25)),
        Marker::Triangle => polygon(around(3, 0.0, radius * 1.3)),
        Marker::Diamond => polygon(around(4, 0.0, radius * 1.3)),
        Marker::Cross => strokes(0.125),
        Marker::Plus => strokes(0.0),
        Marker::Star => {
            let (outer, inner) = (around(5, 0.0, radius * 1.4), around(5, 0.1, radius * 0.6));
            let points: Vec<Pos2> = outer
                .into_iter()
                .zip(inner)
                .flat_map(|(a, b)| [a, b])
                .collect();
            if mark.hollow {
                painter.add(Shape::closed_line(points, Stroke::new(1.0, color)));
            } else {
                // A star is not convex, but its rays with the center are.
                for i in 0..5 {
                    let (tip, left, right) =
                        (points[2 * i], points[(2 * i + 9) % 10], points[2 * i + 1]);
                    painter.add(Shape::convex_polygon(
                        vec![center, left, tip, right],
                        color,
                        Stroke::NONE,
                    ));
                }
            }
        }
    }
}

/// A line with a marker in the middle, as in a legend.
pub fn paint_key(painter: &Painter, rect: Rect, mark: StrategyMark) {
    let y = rect.center().y.round() + 0.5;
    let ends = [pos2(rect.left(), y), pos2(rect.right(), y)];
    let middle = pos2(rect.center().x, y);
    paint_dashed(painter, &ends, mark, theme::SERIES_WIDTH);
    paint_marker(painter, middle, mark, 4.0);
}

/// The key of a strategy in a row of a table or next to a title.
pub fn mark_key(ui: &mut Ui, name: &str, mark: StrategyMark) -> Response {
    let (rect, response) = inert(
        ui,
        vec2(KEY_WIDTH, theme::TAG),
        Role::Image,
        &format!("Mark of {name}"),
    );
    paint_key(ui.painter(), rect, mark);
    response
}

/// The name in a legend, truncated if too long.
fn legend_name(ui: &Ui, name: &str) -> std::sync::Arc<egui::Galley> {
    elided(
        ui.painter(),
        name,
        theme::medium(),
        Color32::PLACEHOLDER,
        WIDEST_NAME,
    )
}

/// The width of [`legend_entry`].
pub fn legend_width(ui: &Ui, name: &str) -> f32 {
    KEY_WIDTH + 6.0 + legend_name(ui, name).size().x + 8.0
}

/// Key and name in a legend; a click shows or hides the strategy, `on` is the current state.
pub fn legend_entry(ui: &mut Ui, name: &str, mark: StrategyMark, on: bool) -> Response {
    let theme = Theme::of(ui);
    let galley = legend_name(ui, name);
    let size = vec2(legend_width(ui, name), theme::HIT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), on, name));
    if response.hovered() {
        ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg4);
    }
    if response.has_focus() {
        theme::focus_ring(ui, rect);
    }

    let mut painter = ui.painter().clone();
    if !on {
        painter.multiply_opacity(0.4);
    }
    paint_key(
        &painter,
        Rect::from_min_size(
            rect.left_top() + vec2(4.0, 0.0),
            vec2(KEY_WIDTH, rect.height()),
        ),
        mark,
    );
    let at = pos2(
        rect.left() + 4.0 + KEY_WIDTH + 6.0,
        rect.center().y - galley.size().y / 2.0,
    );
    let width = galley.size().x;
    ui.painter()
        .galley(at, galley, if on { theme.text1 } else { theme.text3 });
    if !on {
        let y = rect.center().y.round() + 0.5;
        ui.painter()
            .hline(at.x..=at.x + width, y, Stroke::new(1.0, theme.text3));
    }

    response
}

//! Values of the moves over a growing quantity: samples, plies, another number of the strategy.

use egui::{Align2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::curve::{Heights, NUMBERS, band};
use super::strategy_mark::paint_dashed;
use crate::game::Move;
use crate::workbench::theme::{self, Theme};

/// Space above for the title of the values, below for numbers and title of the quantity, right for the arrows of the
/// moves.
const ABOVE: f32 = 18.0;
const BELOW: f32 = 34.0;
const ARROWS: f32 = 20.0;
/// Height of an arrow.
const ARROW: f32 = 13.0;

/// The values of one move: position, value, and half the height of the band.
pub struct MoveCurve {
    pub mv: Move,
    pub points: Vec<(f64, f64, f64)>,
}

/// The labels of the axes.
pub struct MoveAxes<'a> {
    pub values: &'a str,
    pub across: &'a str,
    /// The range of the quantity.
    pub range: (f64, f64),
    /// Labels below for a given width, each with its position.
    pub marks: &'a dyn Fn(f32) -> Vec<(f64, String)>,
    /// The description for screen readers.
    pub sentence: &'a str,
}

/// Draws one line per move at this height; `near` describes a move's value at the point nearest to the pointer.
pub fn move_curves(
    ui: &mut Ui,
    height: f32,
    curves: &[MoveCurve],
    axes: &MoveAxes<'_>,
    near: impl Fn(Move, (f64, f64, f64)) -> String,
) {
    let theme = Theme::of(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, ABOVE),
        rect.max - vec2(ARROWS, BELOW),
    );
    let (first, last) = axes.range;
    let width = f64::from(inner.width());
    let across = |at: f64| inner.left() + (width * (at - first) / (last - first).max(1e-9)) as f32;
    let ends = |&(_, value, error): &(f64, f64, f64)| [value - error, value + error];
    let heights = Heights::of(
        inner,
        curves
            .iter()
            .flat_map(|curve| curve.points.iter().flat_map(ends)),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, axes.sentence));
    let painter = ui.painter();
    heights.paint(painter, theme, axes.values, false);
    let label =
        |at, text: &str| painter.text(at, Align2::CENTER_TOP, text, theme::small(), theme.text3);
    for (at, text) in (axes.marks)(inner.width()) {
        label(pos2(across(at), inner.bottom() + 4.0), &text);
    }

    label(pos2(inner.center().x, inner.bottom() + 18.0), axes.across);
    for curve in curves {
        let mark = theme.strategy(curve.mv.index());
        let ends = curve.points.iter().map(|&(at, value, error)| {
            Some((
                across(at),
                heights.y(value - error),
                heights.y(value + error),
            ))
        });
        painter.add(band(ends, mark.color.gamma_multiply(theme.series_fill)));
    }

    for curve in curves {
        let mark = theme.strategy(curve.mv.index());
        let points: Vec<_> = curve
            .points
            .iter()
            .map(|&(at, value, _)| pos2(across(at), heights.y(value)))
            .collect();
        if let [alone] = points.as_slice() {
            painter.circle_filled(*alone, theme::SERIES_WIDTH, mark.color);
        }
        paint_dashed(painter, &points, mark, theme::SERIES_WIDTH);
    }

    // Arrows of lines that end close together are listed below each other, after the longest line.
    let ended = curves
        .iter()
        .filter_map(|curve| Some((curve.points.last()?, curve.mv)));
    let mut arrows: Vec<(f32, f32, Move)> = ended
        .map(|(&(at, value, _), mv)| (heights.y(value), across(at), mv))
        .collect();
    arrows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let right = arrows
        .iter()
        .map(|&(_, x, _)| x)
        .fold(inner.left(), f32::max);
    let mut above = f32::NEG_INFINITY;
    for (y, _, mv) in arrows {
        above = y.max(above + ARROW);
        let (at, mark) = (
            pos2(right + ARROWS / 2.0, above),
            theme.strategy(mv.index()),
        );
        painter.text(
            at,
            Align2::CENTER_CENTER,
            mv.arrow(),
            theme::strong(),
            mark.color,
        );
    }

    let Some(at) = response
        .hover_pos()
        .filter(|at| inner.expand(4.0).contains(*at))
    else {
        return;
    };
    let pointed = first + (last - first) * f64::from((at.x - inner.left()) / inner.width());
    let value_text = |curve: &MoveCurve| {
        let point = curve
            .points
            .iter()
            .min_by(|a, b| (a.0 - pointed).abs().total_cmp(&(b.0 - pointed).abs()))?;
        Some(near(curve.mv, *point))
    };
    response.on_hover_text(
        curves
            .iter()
            .filter_map(value_text)
            .collect::<Vec<_>>()
            .join("\n"),
    );
}

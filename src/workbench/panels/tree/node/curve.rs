//! How the values of the moves settled while samples came in: a line a move, with one standard error to both sides.

use egui::{Align2, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::game::{ByMove, Move};
use crate::prose::decision::estimate;
use crate::search::Playouts;
use crate::stats::RunningMean;
use crate::words;
use crate::workbench::kit::{Heights, NUMBERS, band, paint_dashed, tick_text, ticks};
use crate::workbench::theme::{self, Theme};

const HEIGHT: f32 = 196.0;
/// Room above for the title of the values, below for numbers and title of the samples, right for the arrows of the moves.
const ABOVE: f32 = 18.0;
const BELOW: f32 = 34.0;
const ARROWS: f32 = 20.0;
/// Height of an arrow.
const ARROW: f32 = 13.0;

/// The values of one move from its second sample on: all samples of the decision so far, mean, standard error.
struct Values {
    mv: Move,
    points: Vec<(f64, f64, f64)>,
}

impl Values {
    fn of(playouts: &Playouts) -> Vec<Self> {
        let moves = Move::ALL.into_iter().filter(|&mv| playouts.of_each[mv].count() != 0);
        let of = |mv: Move| {
            let steps = playouts.curve.iter().chain([&playouts.of_each]);
            let point = |step: &ByMove<RunningMean>| {
                let all: u64 = Move::ALL.iter().map(|&mv| step[mv].count()).sum();
                Some((all as f64, step[mv].mean(), step[mv].standard_error()?))
            };
            Self { mv, points: steps.filter_map(point).collect() }
        };
        moves.map(of).filter(|values| 1 < values.points.len()).collect()
    }
}

/// Draws nothing where nothing was recorded on the way.
pub(super) fn ui(ui: &mut Ui, playouts: &Playouts) {
    let moves = Values::of(playouts);
    if playouts.curve.is_empty() || moves.is_empty() {
        return;
    }
    let theme = Theme::of(ui);
    ui.label(RichText::new("Values while samples came in").font(theme::strong()).color(theme.text1));
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let inner = Rect::from_min_max(rect.min + vec2(NUMBERS, ABOVE), rect.max - vec2(ARROWS, BELOW));
    let all = playouts.total() as f64;
    let across = |samples: f64| inner.left() + inner.width() * (samples / all.max(1.0)) as f32;
    let ends = |&(_, mean, error): &(f64, f64, f64)| [mean - error, mean + error];
    let heights = Heights::of(inner, moves.iter().flat_map(|values| values.points.iter().flat_map(ends)));
    let last = |values: &Values| format!("{} {}", values.mv, estimate(&playouts.of_each[values.mv]));
    let sentence = format!(
        "Values of the moves after {}: {}",
        words::plural(playouts.total(), "sample"),
        words::list(&moves.iter().map(last).collect::<Vec<_>>())
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let painter = ui.painter();
    heights.paint(painter, theme, "Mean, ± 1 standard error", false);
    let label = |at, text: &str| painter.text(at, Align2::CENTER_TOP, text, theme::small(), theme.text3);
    let (samples, step) = ticks(0.0, all, ((inner.width() / 72.0) as usize).max(2));
    for count in samples {
        label(pos2(across(count), inner.bottom() + 4.0), &tick_text(count, step));
    }
    label(pos2(inner.center().x, inner.bottom() + 18.0), "Samples of all moves");
    for values in &moves {
        let mark = theme.strategy(values.mv.index());
        let ends = values
            .points
            .iter()
            .map(|&(samples, mean, error)| Some((across(samples), heights.y(mean - error), heights.y(mean + error))));
        painter.add(band(ends, mark.color.gamma_multiply(theme.series_fill)));
    }
    for values in &moves {
        let mark = theme.strategy(values.mv.index());
        let points: Vec<_> =
            values.points.iter().map(|&(samples, mean, _)| pos2(across(samples), heights.y(mean))).collect();
        paint_dashed(painter, &points, mark, theme::SERIES_WIDTH);
    }
    // Arrows of lines that end side by side stand below each other.
    let mut arrows: Vec<(f32, Move)> =
        moves.iter().filter_map(|values| Some((heights.y(values.points.last()?.1), values.mv))).collect();
    arrows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut above = f32::NEG_INFINITY;
    for (y, mv) in arrows {
        above = y.max(above + ARROW);
        let (at, mark) = (pos2(inner.right() + ARROWS / 2.0, above), theme.strategy(mv.index()));
        painter.text(at, Align2::CENTER_CENTER, mv.arrow(), theme::strong(), mark.color);
    }
    let Some(at) = response.hover_pos().filter(|at| inner.expand(4.0).contains(*at)) else { return };
    let samples = all * f64::from((at.x - inner.left()) / inner.width());
    let near = |values: &Values| {
        let point = values.points.iter().min_by(|a, b| (a.0 - samples).abs().total_cmp(&(b.0 - samples).abs()))?;
        let places = words::places([point.1]).max(if point.2 < 0.095 { 3 } else { 0 });
        let [mean, error] = [point.1, point.2].map(|number| words::decimals(number, places));
        Some(format!("{} {mean} ± {error} after {}", values.mv.arrow(), words::plural(point.0 as u64, "sample")))
    };
    response.on_hover_text(moves.iter().filter_map(near).collect::<Vec<_>>().join("\n"));
}

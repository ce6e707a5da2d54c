//! Nodes of a decision by the number of empty cells: a line per strategy that searches.

use egui::{Align2, Rect, Role, Sense, Stroke, Ui, pos2, vec2};

use super::data::{PlotData, Series};
use crate::experiment::Decisions;
use crate::stats::{Interval, IntervalKind};
use crate::words;
use crate::workbench::kit::{
    Heights, NUMBERS, band, empty, paint_dashed, paint_marker, painted_cell, table_within,
};
use crate::workbench::theme::{self, Theme};

/// Room below the plot for the numbers of empty cells and their title.
const BELOW: f32 = 34.0;
/// Radius around a point that still counts as a hit.
const AROUND: f32 = 9.0;
/// Least distance of the numbers on the left axis.
const APART: f32 = 14.0;
/// Least distance of the numbers of empty cells.
const APART_ACROSS: f32 = 20.0;

/// Decisions and nodes of a strategy, or of how many of its games they are known.
type Known<'a> = (&'a Series, Result<Vec<(usize, Decisions)>, u64>);

/// The strategies that search.
fn searching(data: &PlotData) -> Vec<Known<'_>> {
    let pairs = data
        .series
        .iter()
        .map(|series| (series, series.summary.nodes_by_empty()));
    pairs
        .filter(|(_, by_empty)| {
            by_empty
                .as_ref()
                .map_or(true, |by_empty| !by_empty.is_empty())
        })
        .collect()
}

/// Draws the lines down to `height`, with a logarithmic axis of nodes.
pub(super) fn nodes_ui(ui: &mut Ui, data: &PlotData, height: f32) {
    let lines = searching(data);
    let drawn = || {
        lines
            .iter()
            .filter_map(|(series, by_empty)| Some((*series, by_empty.as_ref().ok()?)))
    };
    let means = || {
        drawn()
            .flat_map(|(_, by_empty)| by_empty)
            .filter_map(|(_, one)| log(one.mean()?))
    };
    if means().next().is_none() {
        let unknown = unknown_texts(data).join(". ");
        empty(
            ui,
            if unknown.is_empty() {
                "The shown strategies searched nothing"
            } else {
                &unknown
            },
        );
        return;
    }

    let rect = ui
        .allocate_exact_size(vec2(ui.available_width(), height), Sense::hover())
        .0;
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 16.0),
        rect.max - vec2(theme::SPACE_M, BELOW),
    );
    let most = drawn()
        .flat_map(|(_, by_empty)| by_empty)
        .map(|(empty, _)| *empty)
        .max()
        .unwrap_or(0);
    let shape = (1 + lines.len(), 2 + most);
    let ui = &mut table_within(
        ui,
        rect,
        "nodes",
        "Nodes of a decision by empty cells",
        shape,
    );
    let (theme, heights) = (Theme::of(ui), Heights::of(inner, means()));
    let x = |empty: usize| {
        inner.left() + 14.0 + (inner.width() - 28.0) * empty as f32 / most.max(1) as f32
    };
    let ends = [
        means().fold(f64::INFINITY, f64::min),
        means().fold(f64::NEG_INFINITY, f64::max),
    ];
    paint_axes(ui, &heights, ends, most, x);

    for (number, (series, by_empty)) in drawn().enumerate() {
        let mark = theme.strategy(series.color);
        let points: Vec<_> = (by_empty.iter())
            .filter_map(|(empty, one)| Some((*empty, one, one.mean()?)))
            .filter_map(|(empty, one, mean)| {
                Some((empty, one, mean, pos2(x(empty), heights.y(log(mean)?))))
            })
            .collect();
        let ends = points.iter().map(|(_, one, _, at)| {
            let ends = interval(series, one)?;
            Some((at.x, heights.y(log(ends.low)?), heights.y(log(ends.high)?)))
        });
        let painter = ui
            .painter()
            .with_clip_rect(inner.expand(8.0).intersect(ui.clip_rect()));
        painter.add(band(ends, mark.color.gamma_multiply(theme.series_fill)));
        paint_dashed(
            &painter,
            &points.iter().map(|(.., at)| *at).collect::<Vec<_>>(),
            mark,
            theme::SERIES_WIDTH,
        );
        for (empty, one, mean, at) in points {
            paint_marker(&painter, at, mark, 4.5);
            let around = Rect::from_center_size(at, vec2(2.0 * AROUND, 2.0 * AROUND));
            let id = ui.scope_id().with((series.place, empty));
            let cell = (1 + number, 1 + empty);
            let about = || point_text(series, empty, one, mean);
            painted_cell(ui, around, id, Role::Cell, Sense::hover(), cell, about)
                .on_hover_text(about());
        }
    }
}

/// The height of a number of nodes; forced moves alone have none.
fn log(nodes: f64) -> Option<f64> {
    (0.0 < nodes).then(|| nodes.log10())
}

/// Round numbers of nodes that have room, or else the ends, and as many numbers of empty cells as have room.
fn paint_axes(ui: &Ui, heights: &Heights, ends: [f64; 2], most: usize, x: impl Fn(usize) -> f32) {
    let (theme, painter, inner) = (Theme::of(ui), ui.painter(), heights.inner);
    painter.text(
        inner.left_top() - vec2(NUMBERS, 15.0),
        Align2::LEFT_TOP,
        "Nodes",
        theme::small(),
        theme.text3,
    );
    painter.hline(
        inner.x_range(),
        inner.bottom().round() + 0.5,
        Stroke::new(1.0, theme.line),
    );
    let y = |nodes: u64| heights.y((nodes as f64).log10()).round() + 0.5;
    let is_inside = |nodes: &u64| inner.y_range().contains(y(*nodes));
    let round = |digits: &[u64]| -> Vec<u64> {
        let all =
            itertools::iproduct!(0..10, digits).map(|(power, digit)| digit * 10_u64.pow(power));
        all.filter(is_inside).collect()
    };
    let [few, many] = [&[1, 2, 5][..], &[1, 2, 3, 4, 5, 6, 7, 8, 9]].map(round);
    let shown = [few, many].into_iter().find(|shown| 2 <= shown.len());
    let shown = shown.unwrap_or_else(|| ends.map(|end| 10_f64.powf(end).round() as u64).to_vec());
    let mut free = f32::INFINITY;
    for nodes in shown.into_iter().filter(|nodes| 0 < *nodes) {
        let y = y(nodes);
        if y + APART < free {
            free = y;
            painter.hline(inner.x_range(), y, Stroke::new(1.0, theme.grid));
            let at = pos2(inner.left() - 6.0, y);
            painter.text(
                at,
                Align2::RIGHT_CENTER,
                words::count(nodes),
                theme::small(),
                theme.text3,
            );
        }
    }

    let step = (APART_ACROSS / (x(1) - x(0)).max(1.0)).ceil().max(1.0) as usize;
    for empty in (0..=most).step_by(step) {
        let at = pos2(x(empty), inner.bottom() + 4.0);
        painter.text(
            at,
            Align2::CENTER_TOP,
            empty.to_string(),
            theme::small(),
            theme.text3,
        );
    }
    let at = pos2(inner.center().x, inner.bottom() + BELOW);
    painter.text(
        at,
        Align2::CENTER_BOTTOM,
        "Empty cells",
        theme::small(),
        theme.text3,
    );
}

/// The interval of the mean, once the planned games are played.
fn interval(series: &Series, one: &Decisions) -> Option<Interval> {
    one.interval()
        .filter(|_| series.kind == IntervalKind::Planned)
}

fn point_text(series: &Series, empty: usize, one: &Decisions, mean: f64) -> String {
    let ends = interval(series, one).map_or(String::new(), |ends| {
        format!(
            ", 95 % interval {} to {}",
            words::decimals(ends.low, 0),
            words::decimals(ends.high, 0)
        )
    });
    format!(
        "{}, {}: {} nodes{ends}, n {}, in {}",
        series.label,
        words::plural(empty as u64, "empty cell"),
        words::decimals(mean, 0),
        words::plural(one.decisions, "decision"),
        words::plural(one.games, "game"),
    )
}

/// What is drawn, and the strategies whose nodes by empty cells were not kept.
pub(super) fn footer_text(data: &PlotData) -> String {
    let has_intervals = data
        .series
        .iter()
        .any(|series| series.kind == IntervalKind::Planned);
    let ends = if has_intervals {
        " with its 95 % interval over games"
    } else {
        ""
    };
    let drawn = format!("Nodes of a decision by empty cells of the board, mean{ends}");
    std::iter::once(drawn)
        .chain(unknown_texts(data))
        .collect::<Vec<_>>()
        .join(". ")
}

fn unknown_texts(data: &PlotData) -> Vec<String> {
    let unknown = searching(data)
        .into_iter()
        .filter_map(|(series, by_empty)| {
            let (missing, all) = (
                series.games - by_empty.err()?,
                words::plural(series.games, "game"),
            );
            Some(format!(
                "{}: not kept in {} of {all}",
                series.label,
                words::count(missing)
            ))
        });
    unknown.collect()
}

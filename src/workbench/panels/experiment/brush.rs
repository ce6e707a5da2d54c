//! Pointer and keyboard input of a plot: brush scores, zoom, step through boxes.

use std::ops::RangeInclusive;

use egui::{Key, PointerButton, Pos2, Response, Ui};

use super::data::Lens;
use super::frame::{Frame, PlotShape};
use crate::workbench::kit::own_keys;
use crate::workbench::panels::experiment::run_view::RunView;

/// The state of the pointer input of a plot.
#[derive(Clone, Debug, Default)]
pub(super) struct Brushing {
    /// The score where the current brush began.
    first: Option<f64>,
    /// Brush and clicked strategy before the last click, which a double click restores.
    before_click: (Option<RangeInclusive<u32>>, Option<usize>),
    /// Whether the plot is zoomed.
    pub zoomed: bool,
    /// The places to show in the next frame.
    pub wanted: Option<(f64, f64)>,
    /// What the last frame showed.
    pub lens: Lens,
    /// Enter was pressed: list the games.
    pub lists: bool,
}

impl Brushing {
    /// Shows all scores again.
    pub(super) fn show_all(&mut self) {
        self.wanted = Some((f64::NEG_INFINITY, f64::INFINITY));
        self.lens.seen = None;
    }
}

/// A drag brushes bins, or exact scores of curves and boxes. A click brushes one bin; a second click clears it. On the
/// keyboard, arrows move the brush, Shift extends it and Delete clears it; + and − zoom, 0 shows all. Up and down step
/// through the boxes, and Enter lists the games.
pub(super) fn brush_input(
    ui: &Ui,
    response: &Response,
    frame: Frame<'_>,
    view: &mut RunView,
    brushing: &mut Brushing,
) {
    let data = frame.data;
    let bin_of = |at: Pos2| data.bin_at(frame.score(at.x));
    let between =
        |a: usize, b: usize| *data.scores_of(a.min(b)).start()..=*data.scores_of(a.max(b)).end();
    let score_of = |at: Pos2| frame.score(at.x);
    // Plots without bins have an exact brush, except in the tail, where all games share one place.
    let is_tail = |score: f64| {
        data.axis
            .tail()
            .is_some_and(|tail| f64::from(tail) <= score)
    };
    let exact = |score: f64, bin_end: fn(RangeInclusive<u32>) -> u32| match is_tail(score) {
        true => bin_end(data.scores_of(data.bin_at(score))),
        false => score.max(0.0).round() as u32,
    };
    let span = |a: f64, b: f64| match frame.shape {
        PlotShape::Curve | PlotShape::Boxes => {
            exact(a.min(b), |bin| *bin.start())..=exact(a.max(b), |bin| *bin.end())
        }
        PlotShape::Bars | PlotShape::Own => between(data.bin_at(a), data.bin_at(b)),
    };
    let before = view.brush.clone();
    if response.drag_started_by(PointerButton::Primary) {
        brushing.first = ui
            .input(|input| input.pointer.press_origin())
            .map(score_of)
            .or(brushing.first);
        // The drag brushes scores; the clicked bar no longer counts.
        view.clicked = None;
    }

    if let (Some(first), Some(at), true) = (
        brushing.first,
        response.interact_pointer_pos(),
        response.dragged_by(PointerButton::Primary),
    ) {
        view.brush = Some(span(first, score_of(at)));
    }
    if response.drag_stopped() {
        brushing.first = None;
    }

    if response.double_clicked() {
        // The first of the two clicks has changed the brush.
        (view.brush, view.clicked) = std::mem::take(&mut brushing.before_click);
    } else if let Some(at) = response
        .interact_pointer_pos()
        .filter(|_| response.clicked())
    {
        let (one, series) = (Some(data.scores_of(bin_of(at))), frame.series_at(at));
        brushing.before_click = (view.brush.clone(), view.clicked);
        let lets_go = view.brush == one && (series.is_none() || series == view.clicked);
        view.brush = one.filter(|_| !lets_go);
        view.clicked = series.filter(|_| !lets_go);
    }
    if response.has_focus() {
        keys(ui, response, frame, view, brushing);
    }

    if view.brush != before {
        view.reached = None;
    }
}

fn keys(
    ui: &Ui,
    response: &Response,
    frame: Frame<'_>,
    view: &mut RunView,
    brushing: &mut Brushing,
) {
    let data = frame.data;
    let between =
        |a: usize, b: usize| *data.scores_of(a.min(b)).start()..=*data.scores_of(a.max(b)).end();
    let walks_boxes = frame.shape == PlotShape::Boxes;
    let pressed = own_keys(
        ui,
        response,
        if walks_boxes {
            &KEYS
        } else {
            &KEYS[..KEYS.len() - 2]
        },
    );
    let pressed = |key| pressed.contains(&key);
    let [left, right, home, end] =
        [Key::ArrowLeft, Key::ArrowRight, Key::Home, Key::End].map(pressed);
    let [up, down] = [Key::ArrowUp, Key::ArrowDown].map(pressed);
    brushing.lists |= pressed(Key::Enter);
    if pressed(Key::Delete) || pressed(Key::Backspace) {
        view.brush = None;
    }

    if up || down {
        let places: Vec<usize> = frame.boxes().map(|(series, _)| series.place).collect();
        let here = places
            .iter()
            .position(|&place| view.selected() == Some(place));
        let last = places.len().saturating_sub(1);
        let next = here.map_or(0, |here| {
            if down {
                (here + 1).min(last)
            } else {
                here.saturating_sub(1)
            }
        });
        view.select(places.get(next).copied());
    }
    brushing.wanted = zoomed_by(frame, view.brush.as_ref(), pressed).or(brushing.wanted);
    if !(left || right || home || end) {
        return;
    }

    let last = data.bins.len() - 1;
    let step = |bin: usize| match () {
        () if home => 0,
        () if end => last,
        () if right => (bin + 1).min(last),
        () => bin.saturating_sub(1),
    };
    view.brush = Some(match view.brush.as_ref() {
        None => data.scores_of(data.bin_at(data.series.first().map_or(0.0, |series| series.mean))),
        Some(scores) => {
            let [low, high] =
                [*scores.start(), *scores.end()].map(|score| data.bin_at(score.into()));
            let is_wider = ui.input(|input| input.modifiers.shift);
            if is_wider {
                between(low, step(high).max(low))
            } else {
                between(step(low), step(high))
            }
        }
    });

    // A zoomed plot follows the brush.
    let (low, high) = frame.seen();
    let middle = view.brush.as_ref().map(|scores| middle_of(frame, scores));
    if let Some(middle) = middle.filter(|middle| !(low..=high).contains(middle)) {
        brushing.wanted = Some(data.axis.within(middle - (high - low) / 2.0, high - low));
    }
}

/// The keys of a plot: brush, zoom, and last those that step through boxes.
const KEYS: [Key; 15] = [
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::Home,
    Key::End,
    Key::Delete,
    Key::Backspace,
    Key::Plus,
    Key::Equals,
    Key::Minus,
    Key::Num0,
    Key::PageUp,
    Key::PageDown,
    Key::Enter,
    Key::ArrowUp,
    Key::ArrowDown,
];

/// The places that the keys ask to show: + and − zoom around the brush or the middle, 0 shows all, Page Up and Page
/// Down scroll.
fn zoomed_by(
    frame: Frame<'_>,
    brush: Option<&RangeInclusive<u32>>,
    pressed: impl Fn(Key) -> bool,
) -> Option<(f64, f64)> {
    const STEP: f64 = 1.5;
    /// Scores are multiples of 4, so closer zoom shows nothing new.
    const CLOSEST: f64 = 64.0;
    let (low, high) = frame.seen();
    let (length, axis) = (high - low, frame.data.axis);
    if pressed(Key::Num0) {
        return Some((axis.low, axis.end()));
    }

    let pages = f64::from(i8::from(pressed(Key::PageDown)) - i8::from(pressed(Key::PageUp)));
    if pages != 0.0 {
        return Some(axis.within(low + pages * length / 2.0, length));
    }
    let larger = pressed(Key::Plus) || pressed(Key::Equals);
    let factor = if larger {
        1.0 / STEP
    } else {
        pressed(Key::Minus).then_some(STEP)?
    };
    let about = brush
        .map(|scores| middle_of(frame, scores))
        .filter(|middle| (low..=high).contains(middle));
    let about = about.unwrap_or((low + high) / 2.0);
    let closest = if axis.log2 {
        axis.at(axis.score(low) + CLOSEST) - low
    } else {
        CLOSEST
    };
    let length = (length * factor).max(closest.min(length));
    Some(axis.within(about - length / 2.0, length))
}

fn middle_of(frame: Frame<'_>, scores: &RangeInclusive<u32>) -> f64 {
    let (low, high) = frame.data.axis.span(scores);
    (low + high) / 2.0
}

//! The plots: histogram, cumulative shares, boxes.
//!
//! egui_plot gives the frame: axes, ticks, grid, zoom (Ctrl and the wheel; a double click shows everything again) and the
//! way between scores and pixels. Series are painted into it, because a strategy is told by its dash (`8 3 2 3`) as much as
//! by its colour, and egui_plot knows one length of dash. A drag selects scores, so it does not pan; the wheel does.

use std::ops::RangeInclusive;

use egui::accesskit::Action;
use egui::epaint::Mesh;
use egui::{
    Align2, Key, Painter, Pos2, Rect, Response, RichText, Role, Sense, Shape, Stroke, Ui, UiBuilder, Vec2, WidgetInfo,
    pos2, vec2,
};
use egui_plot::{AxisHints, GridMark, Plot, PlotTransform};

use super::data::{PlotData, Series, Unit, percent, scores_text, tick_text, ticks};
use crate::words;
use crate::workbench::kit::{describe, elided, focus_ring, is_heard, mark_key, own_keys, paint_dashed, paint_marker};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::{self, Theme};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Games per bin.
    #[default]
    Histogram,
    /// Share of games below a score.
    Ecdf,
    Ladder,
    Box,
}

/// What the hand is doing to a plot.
#[derive(Clone, Debug, Default)]
pub(super) struct Brushing {
    /// The bin where a brush began that is being drawn.
    first: Option<usize>,
    /// What was brushed and clicked before the last click: a double click changes neither.
    before_click: (Option<RangeInclusive<u32>>, Option<usize>),
    /// Whether a part of the scores is enlarged.
    zoomed: bool,
    /// The scores that the keys ask to see in the next frame.
    wanted: Option<(f64, f64)>,
}

/// Room for the numbers left of the plot, so that it does not move with them.
const NUMBERS: f32 = 42.0;

/// What is drawn, and where its scores and heights are on screen.
#[derive(Clone, Copy)]
struct Frame<'a> {
    kind: Kind,
    data: &'a PlotData,
    selected: Option<usize>,
    inner: Rect,
    transform: PlotTransform,
}

impl<'a> Frame<'a> {
    /// The selected one last, so that it lies on top.
    fn in_order(self) -> impl Iterator<Item = &'a Series> {
        let is_selected = move |series: &&Series| Some(series.place) == self.selected;
        let rest = self.data.series.iter().filter(move |series| !is_selected(series));
        rest.chain(self.data.series.iter().filter(is_selected))
    }

    /// How wide the line of a series is.
    fn width(&self, series: &Series) -> f32 {
        if self.selected == Some(series.place) { 2.4 } else { theme::SERIES_WIDTH }
    }

    fn x(&self, score: f64) -> f32 {
        self.transform.position_from_point_x(score)
    }

    fn y(&self, height: f64) -> f32 {
        self.transform.position_from_point_y(height)
    }

    /// The scores between the ends of the axis as it is shown.
    fn seen(&self) -> (f64, f64) {
        let bounds = self.transform.bounds();
        (bounds.min()[0], bounds.max()[0])
    }

    fn score(&self, x: f32) -> f64 {
        self.transform.value_from_position(pos2(x, self.inner.top())).x
    }

    /// The place of the strategy whose bar, curve or box is at a point: of bars that overlap the lowest, of curves the nearest.
    fn series_at(&self, at: Pos2) -> Option<usize> {
        /// A curve is hit from so far.
        const REACH: f32 = 12.0;
        let score = self.score(at.x);
        let bin = self.data.bin_at(score);
        let found = match self.kind {
            Kind::Histogram | Kind::Ladder => {
                let top = |series: &&Series| self.y(series.height(bin, self.data.unit));
                let bars = self.data.series.iter().filter(|series| 0 < series.bars[bin]);
                bars.filter(|series| top(series) <= at.y + 3.0).max_by(|a, b| top(a).total_cmp(&top(b)))
            }
            Kind::Ecdf => {
                let away =
                    |series: &&Series| (self.y(100.0 * f64::from(self.data.share_below(series, score))) - at.y).abs();
                let near = self.data.series.iter().filter(|series| away(series) <= REACH);
                near.min_by(|a, b| away(a).total_cmp(&away(b)))
            }
            Kind::Box => self.data.series.get(((at.y - self.inner.top()) / self.box_pitch()).max(0.0) as usize),
        };
        found.map(|series| series.place)
    }

    /// From one box to the next.
    fn box_pitch(&self) -> f32 {
        (self.inner.height() / self.data.series.len().max(1) as f32).min(64.0)
    }
}

/// Draws a plot over scores into the space that is left down to `height`.
pub(super) fn plot_ui(
    ui: &mut Ui,
    kind: Kind,
    data: &PlotData,
    view: &mut RunView,
    brushing: &mut Brushing,
    height: f32,
) -> Response {
    let theme = Theme::of(ui);
    let name = match kind {
        Kind::Ecdf => "Cumulative shares of scores",
        Kind::Box => "Quantiles of scores",
        Kind::Histogram | Kind::Ladder => "Histogram of scores",
    };
    // The unit of the heights stands above their numbers.
    let unit = match (kind, data.unit) {
        (Kind::Box, _) => "",
        (Kind::Ecdf, _) => "% below",
        (_, Unit::Games) => "games",
        (_, Unit::Share) => "% of games",
    };
    let most_y = ((height / 44.0) as usize).clamp(2, 7);
    let top = match kind {
        Kind::Histogram | Kind::Ladder => {
            let (_, step) = ticks(0.0, data.tallest, most_y);
            ((data.tallest / step).ceil() * step).max(step)
        }
        Kind::Ecdf => 100.0,
        Kind::Box => 1.0,
    };
    let (transform, response) = frame(ui, kind, data, top, most_y, height, brushing);
    let frame = Frame { kind, data, selected: view.selected(), inner: *transform.frame(), transform };
    let inner = frame.inner;
    let mut sentence = data.sentence(name);
    if brushing.zoomed {
        let (low, high) = frame.seen();
        sentence += &format!(". Enlarged: scores {} to {}", words::decimals(low, 0), words::decimals(high, 0));
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let above = pos2(ui.min_rect().left(), inner.top() - 8.0);
    ui.painter().text(above, Align2::LEFT_BOTTOM, unit, theme::small(), theme.text3);
    let painter = ui.painter().with_clip_rect(inner.expand2(vec2(0.0, 6.0)).intersect(ui.clip_rect()));
    painter.hline(inner.x_range(), inner.bottom().round() + 0.5, Stroke::new(1.0, theme.line));

    brush_input(ui, &response, frame, view, brushing);
    if kind != Kind::Box {
        hear_bins(ui, &response, frame, view);
    }
    if let Some(scores) = view.brush.as_ref() {
        paint_brush(&painter, theme, frame, scores);
    }
    match kind {
        Kind::Histogram | Kind::Ladder => frame.in_order().for_each(|series| outline(&painter, theme, frame, series)),
        Kind::Ecdf => frame.in_order().for_each(|series| curve(&painter, theme, frame, series)),
        Kind::Box => boxes(&painter, theme, frame),
    }
    for series in frame.in_order().filter(|_| kind != Kind::Box) {
        let at = pos2(frame.x(series.mean), inner.bottom());
        paint_marker(&painter, at, theme.strategy(series.color), 4.5);
    }
    if response.has_focus() {
        focus_ring(ui, response.rect.shrink(3.0));
    }
    if let Some(pointer) = response.hover_pos().filter(|&pointer| inner.expand(4.0).contains(pointer)) {
        hover(ui, &response, frame, pointer);
    }
    response
}

/// The empty plot: axes and grid, at the scores that are shown.
fn frame(
    ui: &mut Ui,
    kind: Kind,
    data: &PlotData,
    top: f64,
    most_y: usize,
    height: f32,
    brushing: &mut Brushing,
) -> (PlotTransform, Response) {
    let theme = Theme::of(ui);
    let (width, zoomed) = (ui.available_width(), brushing.zoomed);
    let most_x = ((width / 84.0) as usize).max(2);
    let marks = |low: f64, high: f64, most: usize| {
        let (values, step) = ticks(low, high, most);
        values.into_iter().map(|value| GridMark { value, step_size: step }).collect::<Vec<_>>()
    };
    let name = match kind {
        Kind::Histogram => format!("Score of a game, bins of {}", words::count(data.bins.width().into())),
        _ => "Score of a game".to_owned(),
    };
    let number = |mark: GridMark, _: &RangeInclusive<f64>| tick_text(mark.value, mark.step_size);
    let look = |hints: AxisHints<'static>| {
        hints.formatter(number).tick_label_color(theme.text3).tick_label_font(theme::small()).label_spacing(0.0..=0.0)
    };
    let x_axis = look(AxisHints::new_x()).label(RichText::new(name).small().color(theme.text3));
    let y_axis = look(AxisHints::new_y()).min_thickness(NUMBERS);
    let with_heights = kind != Kind::Box;
    if with_heights {
        ui.add_space(theme::SPACE_L);
    }
    let height = if with_heights { height - theme::SPACE_L } else { height };
    let response = Plot::new(("scores", kind))
        .width(width - theme::SPACE_M)
        .height(height)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_zoom([true, false])
        .allow_scroll([zoomed, false])
        .set_margin_fraction(Vec2::ZERO)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .show_background(false)
        .show_axes([true, with_heights])
        .show_grid([false, with_heights])
        .grid_color(theme.grid)
        .grid_fade(0.0)
        .custom_x_axes(vec![x_axis])
        .custom_y_axes(vec![y_axis])
        .x_grid_spacer(move |input| marks(input.bounds.0, input.bounds.1, most_x))
        .y_grid_spacer(move |input| marks(input.bounds.0, input.bounds.1, most_y))
        .include_x(data.axis.0)
        .include_x(data.axis.1)
        .include_y(0.0)
        .include_y(top)
        .show(ui, |plot| {
            // Heights always begin at the axis, however the scores are enlarged.
            plot.set_plot_bounds_y(0.0..=top);
            if let Some((low, high)) = brushing.wanted.take() {
                if low <= data.axis.0 && data.axis.1 <= high {
                    plot.set_auto_bounds([true, false]);
                } else {
                    plot.set_plot_bounds_x(low..=high);
                }
            }
            !plot.auto_bounds().x
        });
    brushing.zoomed = response.inner;
    (response.transform, response.response)
}

fn paint_brush(painter: &Painter, theme: &Theme, frame: Frame<'_>, scores: &RangeInclusive<u32>) {
    let ends = [f64::from(*scores.start()), f64::from(*scores.end()) + 1.0].map(|at| frame.x(at));
    let [low, high] = ends.map(|x| x.clamp(frame.inner.left(), frame.inner.right()));
    let band = Rect::from_min_max(pos2(low, frame.inner.top()), pos2(high, frame.inner.bottom()));
    painter.rect_filled(band, 0, theme.accent.gamma_multiply(0.16));
    for x in [low, high] {
        painter.vline(x.round() + 0.5, band.y_range(), Stroke::new(1.5, theme.accent));
    }
}

/// Outline in the strategy's dash over a light fill of whole rectangles, which leaves no seams between bins.
fn outline(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series) {
    let data = frame.data;
    let mark = theme.strategy(series.color);
    let weight = if frame.selected == Some(series.place) { 1.6 } else { 1.0 };
    let fill = mark.color.gamma_multiply(weight * theme.series_fill);
    let mut mesh = Mesh::default();
    let mut points = Vec::with_capacity(2 * data.bins.len() + 2);
    let base = frame.inner.bottom();
    for bin in 0..data.bins.len() {
        let range = data.bins.range(bin);
        let (left, right) = (frame.x(f64::from(range.start)), frame.x(f64::from(range.end)));
        let height = series.height(bin, data.unit);
        let y = frame.y(height);
        if bin == 0 {
            points.push(pos2(left, base));
        }
        points.extend([pos2(left, y), pos2(right, y)]);
        if 0.0 < height {
            mesh.add_colored_rect(Rect::from_min_max(pos2(left, y), pos2(right, base)), fill);
        }
    }
    if let Some(last) = points.last() {
        points.push(pos2(last.x, base));
    }
    painter.add(Shape::mesh(mesh));
    // Empty bins at either end need no line on the axis.
    let used = |point: &Pos2| point.y < base - 0.01;
    let (Some(first), Some(last)) = (points.iter().position(used), points.iter().rposition(used)) else { return };
    let points = &points[first.saturating_sub(1)..(last + 2).min(points.len())];
    paint_dashed(painter, points, mark, frame.width(series));
}

fn curve(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series) {
    let last = (series.curve.len() - 1).max(1) as f64;
    let (low, high) = frame.data.axis;
    let points = series.curve.iter().enumerate().map(|(index, &share)| {
        pos2(frame.x(low + (high - low) * index as f64 / last), frame.y(100.0 * f64::from(share)))
    });
    let points: Vec<Pos2> = points.collect();
    paint_dashed(painter, &points, theme.strategy(series.color), frame.width(series));
}

fn boxes(painter: &Painter, theme: &Theme, frame: Frame<'_>) {
    let pitch = frame.box_pitch();
    for (row, series) in frame.data.series.iter().enumerate() {
        let mark = theme.strategy(series.color);
        let top = frame.inner.top() + row as f32 * pitch;
        let (half, middle) = ((pitch * 0.3).min(12.0), top + pitch * 0.62);
        let [p5, p25, p50, p75, p95] = series.quantiles.map(|score| frame.x(score));
        let stroke = Stroke::new(frame.width(series), mark.color);
        painter.hline(p5..=p25, middle, stroke);
        painter.hline(p75..=p95, middle, stroke);
        for x in [p5, p95] {
            painter.vline(x, middle - half * 0.5..=middle + half * 0.5, stroke);
        }
        for end in [series.ends.0, series.ends.1] {
            painter.circle_filled(pos2(frame.x(f64::from(end)), middle), 1.5, mark.color);
        }
        let body = Rect::from_min_max(pos2(p25, middle - half), pos2(p75, middle + half));
        painter.rect_filled(body, 2, mark.color.gamma_multiply(theme.series_fill));
        painter.rect_stroke(body, 2, stroke, egui::StrokeKind::Middle);
        painter.vline(p50, body.y_range(), Stroke::new(2.4, mark.color));
        paint_marker(painter, pos2(frame.x(series.mean), middle), mark, 4.0);
        if 30.0 <= pitch {
            let left = p25.max(frame.inner.left());
            let room = frame.inner.right() - left;
            let name = elided(painter, &series.label, theme::small(), theme.text2, room);
            painter.galley(pos2(left, middle - half - 2.0 - name.size().y), name, theme.text2);
        }
    }
}

/// The bins in sight for who listens, each with what it holds of every strategy: pressing one brushes it, and while the plot has
/// the keyboard the one at the end of the brush, which the arrows move, is what is read.
fn hear_bins(ui: &mut Ui, plot: &Response, frame: Frame<'_>, view: &mut RunView) {
    if !is_heard(ui) {
        return;
    }
    let data = frame.data;
    let builder = UiBuilder::new().id_salt("bins").max_rect(frame.inner).accessibility_role(Role::ListBox);
    let inside = ui.new_child(builder.accessibility_label("Bins"));
    let (low, high) = frame.seen();
    let brushed = view.brush.as_ref().map(|scores| [*scores.start(), *scores.end()].map(|at| data.bin_at(at.into())));
    for bin in data.bin_at(low)..=data.bin_at(high - 1.0).max(data.bin_at(low)) {
        let (scores, id) = (data.scores_of(bin), inside.scope_id().with(bin));
        let [left, right] = [*scores.start(), *scores.end() + 1].map(|at| frame.x(at.into()));
        let response = inside.interact(frame.inner.with_min_x(left).with_max_x(right), id, Sense::hover());
        let is_brushed = brushed.is_some_and(|[first, last]| (first..=last).contains(&bin));
        response.widget_info(|| {
            let end = f64::from(*scores.end()) + 1.0;
            let one = |series: &Series| format!("{} {}", series.label, value_text(frame, series, bin, end));
            let values: Vec<String> = data.series.iter().map(one).collect();
            let name = format!("{}: {}", head_text(frame.kind, &scores, end), values.join(", "));
            WidgetInfo::selected(Role::ListBoxOption, true, is_brushed, name)
        });
        describe(&inside, id, |node| {
            node.set_selected(is_brushed);
            node.add_action(Action::Click);
        });
        if ui.input(|input| input.has_accesskit_action_request(id, Action::Click)) {
            view.brush = Some(scores);
        }
        if plot.has_focus() && brushed.is_some_and(|[_, last]| last == bin) {
            describe(&inside, plot.id, |node| node.set_active_descendant(id.accesskit_id()));
        }
    }
}

/// What the values of a plot are of: a bin, or the scores below one.
fn head_text(kind: Kind, scores: &RangeInclusive<u32>, score: f64) -> String {
    match kind {
        Kind::Ecdf => format!("Below {}", words::count(score.max(0.0) as u64)),
        Kind::Box => "Quartiles, 5 % and 95 %, mean".to_owned(),
        Kind::Histogram | Kind::Ladder => scores_text(scores),
    }
}

/// Drag to brush bins, click for one, click it again to let go; with the keyboard arrows move a
/// brush, with Shift they widen it, and Delete lets it go; + and − zoom, 0 shows all.
fn brush_input(ui: &Ui, response: &Response, frame: Frame<'_>, view: &mut RunView, brushing: &mut Brushing) {
    let data = frame.data;
    let bin_of = |at: Pos2| data.bin_at(frame.score(at.x));
    let between = |a: usize, b: usize| *data.scores_of(a.min(b)).start()..=*data.scores_of(a.max(b)).end();
    if response.drag_started() {
        brushing.first = ui.input(|input| input.pointer.press_origin()).map(bin_of).or(brushing.first);
        // The scores are asked for, no longer the bar that was clicked before.
        view.clicked = None;
    }
    if let (Some(first), Some(at), true) = (brushing.first, response.interact_pointer_pos(), response.dragged()) {
        view.brush = Some(between(first, bin_of(at)));
    }
    if response.drag_stopped() {
        brushing.first = None;
    }
    if response.double_clicked() {
        // The first of two clicks has brushed.
        (view.brush, view.clicked) = std::mem::take(&mut brushing.before_click);
    } else if let Some(at) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
        // For the menu that opens there.
        (view.brush, view.clicked) = (Some(data.scores_of(bin_of(at))), frame.series_at(at));
    } else if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        let (one, series) = (Some(data.scores_of(bin_of(at))), frame.series_at(at));
        brushing.before_click = (view.brush.clone(), view.clicked);
        let lets_go = view.brush == one && (series.is_none() || series == view.clicked);
        view.brush = one.filter(|_| !lets_go);
        view.clicked = series.filter(|_| !lets_go);
    }
    if !response.has_focus() {
        return;
    }
    let pressed = own_keys(ui, response, &KEYS);
    let pressed = |key| pressed.contains(&key);
    let [left, right, home, end] = [Key::ArrowLeft, Key::ArrowRight, Key::Home, Key::End].map(pressed);
    if pressed(Key::Delete) || pressed(Key::Backspace) {
        view.brush = None;
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
            let [low, high] = [*scores.start(), *scores.end()].map(|score| data.bin_at(score.into()));
            let is_wider = ui.input(|input| input.modifiers.shift);
            if is_wider { between(low, step(high).max(low)) } else { between(step(low), step(high)) }
        }
    });
    // An enlarged plot goes with the brush.
    let (low, high) = frame.seen();
    if let Some(middle) = view.brush.as_ref().map(middle_of).filter(|middle| !(low..=high).contains(middle)) {
        brushing.wanted = Some(within(data.axis, middle - (high - low) / 2.0, high - low));
    }
}

/// The keys of a plot: the brush, and how much of the scores is seen.
const KEYS: [Key; 12] = [
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
];

/// The scores that the keys ask to see: + and − zoom about the brush or the middle, 0 shows all, the page keys go along.
fn zoomed_by(
    frame: Frame<'_>,
    brush: Option<&RangeInclusive<u32>>,
    pressed: impl Fn(Key) -> bool,
) -> Option<(f64, f64)> {
    const STEP: f64 = 1.5;
    let (low, high) = frame.seen();
    let (length, axis) = (high - low, frame.data.axis);
    if pressed(Key::Num0) {
        return Some(axis);
    }
    let pages = f64::from(i8::from(pressed(Key::PageDown)) - i8::from(pressed(Key::PageUp)));
    if pages != 0.0 {
        return Some(within(axis, low + pages * length / 2.0, length));
    }
    let larger = pressed(Key::Plus) || pressed(Key::Equals);
    let factor = if larger { 1.0 / STEP } else { pressed(Key::Minus).then_some(STEP)? };
    let about = brush.map(middle_of).filter(|middle| (low..=high).contains(middle)).unwrap_or((low + high) / 2.0);
    // A bin stays as wide as a quarter of the plot.
    let length = (length * factor).max(4.0 * f64::from(frame.data.bins.width()));
    Some(within(axis, about - length / 2.0, length))
}

fn middle_of(scores: &RangeInclusive<u32>) -> f64 {
    (f64::from(*scores.start()) + f64::from(*scores.end())) / 2.0
}

/// So much of the axis from there, without its ends being passed.
fn within(axis: (f64, f64), low: f64, length: f64) -> (f64, f64) {
    let length = length.min(axis.1 - axis.0);
    let low = low.clamp(axis.0, axis.1 - length);
    (low, low + length)
}

fn hover(ui: &Ui, response: &Response, frame: Frame<'_>, pointer: Pos2) {
    let theme = Theme::of(ui);
    let Frame { kind, data, .. } = frame;
    let score = frame.score(pointer.x);
    let bin = data.bin_at(score);
    // Whose games a click lists.
    let at_pointer = frame.series_at(pointer).or(frame.selected);
    let scores = data.scores_of(bin);
    let x = pointer.x.round() + 0.5;
    if kind == Kind::Ecdf {
        ui.painter().vline(x, frame.inner.y_range(), Stroke::new(1.0, theme.line));
    } else if kind == Kind::Histogram {
        let column = Rect::from_min_max(
            pos2(frame.x(f64::from(*scores.start())), frame.inner.top()),
            pos2(frame.x(f64::from(*scores.end()) + 1.0), frame.inner.bottom()),
        );
        ui.painter().rect_filled(column, 0, theme.text3.gamma_multiply(0.10));
    }
    if ui.input(|input| input.pointer.any_down()) {
        return;
    }
    let mut tooltip = egui::Tooltip::for_widget(response).at_pointer().gap(16.0);
    tooltip.popup = tooltip.popup.open(true);
    tooltip.show(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(RichText::new(head_text(kind, &scores, score)).font(theme::strong()));
        ui.spacing_mut().item_spacing.x = 8.0;
        let values = data.series.iter().map(|series| {
            let text = value_text(frame, series, bin, score);
            let font = if at_pointer == Some(series.place) { theme::strong() } else { theme::medium() };
            let name = ui.painter().layout_no_wrap(series.label.clone(), font, theme.text1);
            let value = ui.painter().layout_no_wrap(text.clone(), theme::body(), theme.text1);
            (series, name, value, text)
        });
        let values: Vec<_> = values.collect();
        let names = values.iter().map(|(_, name, ..)| name.size().x).fold(0.0, f32::max);
        let numbers = values.iter().map(|(_, _, value, _)| value.size().x).fold(0.0, f32::max);
        for (series, name, value, text) in &values {
            ui.horizontal(|ui| {
                ui.set_height(theme::TAG);
                mark_key(ui, &series.label, theme.strategy(series.color));
                let (rect, row) = ui.allocate_exact_size(vec2(names + 16.0 + numbers, theme::TAG), Sense::hover());
                row.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{} {text}", series.label)));
                let top = |height: f32| rect.center().y - height / 2.0;
                ui.painter().galley(pos2(rect.left(), top(name.size().y)), name.clone(), theme.text1);
                let at = pos2(rect.right() - value.size().x, top(value.size().y));
                ui.painter().galley(at, value.clone(), theme.text1);
            });
        }
    });
}

fn value_text(Frame { kind, data, .. }: Frame<'_>, series: &Series, bin: usize, score: f64) -> String {
    match kind {
        Kind::Histogram | Kind::Ladder => {
            let games = words::plural(series.bars[bin], "game");
            match data.unit {
                Unit::Games => games,
                Unit::Share => {
                    let share = percent(series.bars[bin] as f64 / series.games.max(1) as f64);
                    format!("{share} %, {games} of {}", words::count(series.games))
                }
            }
        }
        Kind::Ecdf => {
            format!("{} %", percent(f64::from(data.share_below(series, score))))
        }
        Kind::Box => {
            let [p5, p25, p50, p75, p95] = series.quantiles.map(|score| words::decimals(score, 0));
            format!("{p5}, {p25}, {p50}, {p75}, {p95}, mean {}", words::decimals(series.mean, 0))
        }
    }
}

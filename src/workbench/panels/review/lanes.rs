//! Lanes of the game over one axis: expected score, losses and luck. On demand also empty cells, the largest tile, and the
//! player's depth and time where known.
//!
//! Where several moves share a pixel, the column shows their minimum and maximum, so that no peak is lost. The wheel zooms around
//! the pointer; with Shift, or sideways, it scrolls. A click or an arrow key goes to a move. The dashed line across the losses is
//! the threshold of a mistake; drag it to set it. The scale of losses and luck is their cube root, so that small values are
//! visible beside large ones. The axis labels show the true values.

use std::collections::HashSet;
use std::iter;
use std::sync::Arc;

use egui::{
    Align2, Color32, CursorIcon, Galley, Mesh, Painter, Pos2, Rect, Response, Role, Sense, Shape,
    Stroke, Ui, WidgetInfo, pos2, vec2,
};
use strum::IntoEnumIterator as _;

use crate::review::{Class, Points, Report};
use crate::search::layers;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel, ReviewCommand};
use crate::workbench::kit::{
    describe, describe_moves, focus, focus_ring, paint_class, stepped, tick_text, ticks,
};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Height of the text above a lane.
const CAPTION: f32 = 20.0;
/// Height of the numbers below the lanes.
const AXIS: f32 = 24.0;
/// Width of the labels at the right.
const NUMBERS: f32 = 58.0;
/// Space between lanes.
const GAP: f32 = 8.0;
/// Below this height there is no luck lane.
const TALL: f32 = 230.0;
/// Below this height only the loss lane remains.
const LOW: f32 = 120.0;
/// Distance from the threshold at which the pointer can grab it.
const HANDLE: f32 = 4.0;
/// Minimum number of visible moves.
const CLOSEST: f64 = 12.0;
/// Minimum distance between the signs of mistakes, in points of the screen.
const APART: f32 = 5.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lane {
    Expected,
    Loss,
    Luck,
    Empty,
    Largest,
    Depth,
    Time,
    /// Moves that the open strategy would not make.
    Unlike,
}

impl Lane {
    const fn name(self) -> &'static str {
        match self {
            Self::Expected => "Expected final score",
            Self::Loss => "Loss",
            Self::Luck => "Luck",
            Self::Empty => "Empty cells",
            Self::Largest => "Largest tile",
            Self::Depth => "Player's plies",
            Self::Time => "Player's time",
            Self::Unlike => "Moves that differ from",
        }
    }

    /// Its share of the height, relative to the other lanes.
    const fn share(self) -> f32 {
        match self {
            Self::Expected => 118.0,
            Self::Loss => 138.0,
            Self::Luck => 96.0,
            _ => 60.0,
        }
    }

    /// Whether a value belongs to a single move. Other values last until the next position.
    const fn is_of_move(self) -> bool {
        matches!(self, Self::Loss | Self::Luck)
    }

    /// The value on the scale of the lane.
    fn drawn(self, value: f64) -> f64 {
        if self.is_of_move() {
            value.cbrt()
        } else {
            value
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct LanesView {
    /// The first and the last visible move; `None` shows all.
    range: Option<[f64; 2]>,
    /// The threshold of a mistake during a drag.
    dragged: Option<Points>,
    /// Whether the lanes of the board and of the player are visible, too.
    pub(super) shows_more: bool,
    drawn: Drawn,
}

/// The drawn data of a review, cached: a game of thousands of moves is evaluated once and not in every frame.
#[derive(Debug, Default)]
struct Drawn {
    drawn: Option<Arc<Reviewed>>,
    as_of: AsOf,
    lanes: Vec<(Lane, Vec<Column>)>,
    /// Visible mistakes and blunders with their losses. Where signs would overlap, only the largest loss has one.
    mistakes: Vec<(usize, Class, f64)>,
}

/// What the columns depend on besides the review.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct AsOf {
    range: [f64; 2],
    width: f32,
    height: Height,
    more: bool,
    measured: u64,
    /// The number of moves already compared with those of the open strategy.
    compared: usize,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
enum Height {
    /// Losses only.
    Low,
    /// Expected score and losses.
    Middle,
    #[default]
    Tall,
}

/// Minimum and maximum of the moves in one column of pixels.
type Column = Option<[f64; 2]>;

/// Maps moves to horizontal positions.
#[derive(Clone, Copy)]
struct Across {
    left: f32,
    width: f32,
    range: [f64; 2],
}

impl Across {
    fn x(&self, index: f64) -> f32 {
        let [first, last] = self.range;
        self.left + self.width * ((index - first) / (last - first)) as f32
    }

    fn index(&self, x: f32) -> f64 {
        let [first, last] = self.range;
        first + (last - first) * f64::from((x - self.left) / self.width.max(1.0))
    }
}

impl LanesView {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        height: f32,
        doc: &Document,
        reviewed: &Arc<Reviewed>,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (whole, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        focus::alone(&response);
        focus::home(&response, Panel::Review.area());

        let (moves, place) = (reviewed.review.moves(), doc.place());
        response.widget_info(|| {
            let [looked, all] =
                [reviewed.review.looked(), moves + 1].map(|count| words::count(count as u64));
            let name = format!(
                "Lanes of the game, {looked} of {all} positions judged, {}",
                place_text(place, moves)
            );
            WidgetInfo {
                value: Some(place as f64),
                ..WidgetInfo::labeled(Role::Slider, true, name)
            }
        });
        describe_moves(ui, &response, moves);
        if let Some(&node) = stepped(ui, &response, place, moves).and_then(|to| doc.line().get(to))
        {
            commands.push(GameCommand::GoTo(node));
        }

        let space = Rect::from_min_max(whole.min, whole.max - vec2(NUMBERS, AXIS));
        let range = self.scrolled(ui, &response, space, moves as f64);
        let across = Across {
            left: space.left() + 1.0,
            width: space.width() - 2.0,
            range,
        };
        let height = match space.height() {
            height if height < LOW => Height::Low,
            height if height < TALL => Height::Middle,
            _ => Height::Tall,
        };
        let known_off = if self.shows_more { doc.known_off() } else { 0 };
        let as_of = AsOf {
            range,
            width: across.width,
            height,
            more: self.shows_more,
            measured: doc.measured(),
            compared: known_off,
        };
        let drawn = self.drawn.of(doc, reviewed, as_of);

        let all: f32 = drawn.lanes.iter().map(|(lane, _)| lane.share()).sum();
        let gaps = GAP * drawn.lanes.len().saturating_sub(1) as f32;
        let mut top = space.top();
        for (lane, columns) in &drawn.lanes {
            let tall = (space.height() - gaps) * lane.share() / all;
            let rect = Rect::from_min_size(
                pos2(space.left(), top.round()),
                vec2(space.width(), tall.round()),
            );
            top += tall + GAP;
            let painted = Painted {
                ui,
                theme,
                rect,
                across,
                doc,
                reviewed,
                scale: Scale::of(rect, *lane, columns),
            };
            painted.lane(*lane, columns);
            if *lane == Lane::Loss {
                painted.mistakes(&drawn.mistakes);
                threshold_ui(&painted, &mut self.dragged, commands);
                painted.legend();
            }
        }

        axis(ui, theme, whole, across, (place, moves));
        if response.has_focus() {
            focus_ring(ui, space.expand(2.0));
        }
        let clamp = |x: f32| {
            (across.index(x).round().max(0.0) as usize).min(doc.line().len().saturating_sub(1))
        };
        if let Some(at) = response
            .interact_pointer_pos()
            .filter(|_| response.clicked() || response.dragged())
            && let Some(&node) = doc.line().get(clamp(at.x)).filter(|_| clamp(at.x) != place)
        {
            commands.push(GameCommand::GoTo(node));
        }
        commands.context_menu(&response, &Panel::Review.commands(), doc);
        if let Some(at) = response.hover_pos().filter(|at| space.contains(*at)) {
            response.on_hover_text_at_pointer(told(doc, reviewed, clamp(at.x)));
        }
    }

    /// The visible range of moves, after wheel input.
    fn scrolled(&mut self, ui: &Ui, response: &Response, space: Rect, moves: f64) -> [f64; 2] {
        let [mut first, mut last] = self
            .range
            .filter(|[_, last]| *last <= moves)
            .unwrap_or([0.0, moves.max(1.0)]);
        if let Some(at) = response.hover_pos() {
            let (scroll, zoom) =
                ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            let share = f64::from((at.x - space.left()) / space.width().max(1.0)).clamp(0.0, 1.0);
            let by = f64::from(zoom) * (f64::from(scroll.y) * 0.004).exp();
            let width = ((last - first) / by).clamp(CLOSEST.min(moves.max(1.0)), moves.max(1.0));
            let about = first + (last - first) * share;
            let moved = f64::from(-scroll.x) / f64::from(space.width().max(1.0)) * width;
            first = (about - width * share + moved).clamp(0.0, (moves - width).max(0.0));
            last = first + width;
        }
        self.range = (last - first < moves).then_some([first, last]);
        [first, last.max(first + 1.0)]
    }
}

/// Empty lanes of a game without a review, with the content of `add` in their middle.
pub(super) fn empty_lanes(ui: &mut Ui, height: f32, add: impl FnOnce(&mut Ui)) {
    let theme = Theme::of(ui);
    let (space, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let shares = [Lane::Expected, Lane::Loss, Lane::Luck];
    let all: f32 = shares.iter().map(|lane| lane.share()).sum();
    let mut top = space.top();
    for lane in shares {
        let tall = (space.height() - 2.0 * GAP) * lane.share() / all;
        let rect = Rect::from_min_size(pos2(space.left(), top), vec2(space.width(), tall));
        ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg2);
        let at = rect.min + vec2(10.0, 4.0);
        ui.painter().text(
            at,
            Align2::LEFT_TOP,
            lane.name(),
            theme::small(),
            theme.text3,
        );
        top += tall + GAP;
    }

    let middle = Rect::from_center_size(space.center(), vec2(space.width() - 40.0, 60.0));
    let layout = egui::Layout::top_down(egui::Align::Center);
    let mut inside = ui.new_child(
        egui::UiBuilder::new()
            .id_salt("to judge")
            .max_rect(middle)
            .layout(layout),
    );
    add(&mut inside);
}

/// One lane and what its painting needs.
struct Painted<'a> {
    ui: &'a Ui,
    theme: &'static Theme,
    rect: Rect,
    across: Across,
    doc: &'a Document,
    reviewed: &'a Arc<Reviewed>,
    scale: Scale,
}

impl Painted<'_> {
    fn painter(&self) -> Painter {
        self.ui
            .painter()
            .with_clip_rect(self.rect.intersect(self.ui.clip_rect()))
    }

    /// Paints the background, columns, labels, caption and the current position.
    fn lane(&self, lane: Lane, columns: &[Column]) {
        let Self {
            ui,
            theme,
            rect,
            across,
            scale,
            ..
        } = self;
        ui.painter().rect_filled(*rect, theme::RADIUS_S, theme.bg2);
        let painter = self.painter();
        self.shade(&painter, lane, columns);

        for (y, text) in self.numbers(lane) {
            painter.hline(rect.x_range(), y, Stroke::new(1.0, theme.sep));
            let at = pos2(
                rect.right() + 8.0,
                y.clamp(rect.top() + 6.0, rect.bottom() - 6.0),
            );
            ui.painter()
                .text(at, Align2::LEFT_CENTER, text, theme::small(), theme.text2);
        }
        let [first, last] = across.range;
        let bar = (across.width / (last - first) as f32 * 0.5).clamp(1.0, 4.0);
        self.columns(&painter, lane, columns, bar);

        let x = across.x(self.doc.place() as f64);
        painter.vline(x, rect.y_range(), Stroke::new(2.0, theme.accent));
        self.caption(&painter, lane);
        if lane == Lane::Expected
            && let Some(value) = value(lane, self.doc.place(), self.doc, self.reviewed)
        {
            painter.circle(
                pos2(x, scale.y(value)),
                3.5,
                theme.bg2,
                Stroke::new(1.5, theme.text1),
            );
        }
    }

    /// Shades positions that are not judged yet.
    fn shade(&self, painter: &Painter, lane: Lane, columns: &[Column]) {
        let review = &self.reviewed.review;
        if lane != Lane::Loss && lane != Lane::Expected && lane != Lane::Luck
            || review.moves() < review.looked()
        {
            return;
        }
        let mut from = None;
        for (pixel, column) in columns
            .iter()
            .map(Option::is_none)
            .chain([false])
            .enumerate()
        {
            match (column, from) {
                (true, None) => from = Some(pixel),
                (false, Some(first)) => {
                    // Single empty columns between moves are not a gap.
                    if 4 < pixel - first {
                        let [x, to] = [first, pixel].map(|pixel| self.rect.left() + pixel as f32);
                        let hatched = Rect::from_x_y_ranges(x..=to, self.rect.y_range());
                        painter.rect_filled(hatched, 0, self.theme.bg3.gamma_multiply(0.6));
                    }
                    from = None;
                }
                _ => {}
            }
        }
    }

    /// Heights and labels of the horizontal lines.
    fn numbers(&self, lane: Lane) -> Vec<(f32, String)> {
        let Scale { low, high, .. } = self.scale;
        let y = |value: f64| self.scale.y(value);
        let apart = |lines: Vec<(f32, String)>| {
            let mut spaced: Vec<(f32, String)> = Vec::new();
            for line in lines {
                if spaced.iter().all(|(y, _)| 11.0 < (y - line.0).abs()) {
                    spaced.push(line);
                }
            }
            spaced
        };

        match lane {
            Lane::Expected => {
                let (at, step) = ticks(0.0, high, 3);
                apart(
                    at.into_iter()
                        .rev()
                        .filter(|&at| 0.0 < at)
                        .map(|at| (y(at), tick_text(at, step)))
                        .collect(),
                )
            }
            Lane::Loss => {
                let Some(report) = &self.reviewed.report else {
                    return Vec::new();
                };
                let threshold = |class: Class| report.thresholds.of(class).to_f64();
                let lines = Class::iter()
                    .rev()
                    .map(threshold)
                    .filter(|&points| points <= high);
                apart(
                    lines
                        .map(|points| (y(points), words::decimals(points, 0)))
                        .collect(),
                )
            }
            Lane::Luck => {
                let ends = [
                    (high, words::signed(high, 0)),
                    (low, words::signed(low, 0)),
                    (0.0, "0".to_owned()),
                ];
                apart(
                    ends.into_iter()
                        .map(|(value, text)| (y(value), text))
                        .collect(),
                )
            }
            Lane::Largest => vec![(y(high), words::count(1_u64 << high.clamp(0.0, 62.0) as u32))],
            Lane::Time => vec![(y(high), words::short_time(high))],
            Lane::Empty | Lane::Depth => vec![(y(high), words::decimals(high, 0))],
            Lane::Unlike => Vec::new(),
        }
    }

    fn columns(&self, painter: &Painter, lane: Lane, columns: &[Column], bar: f32) {
        let (theme, scale) = (self.theme, &self.scale);
        let thresholds = self
            .reviewed
            .report
            .as_ref()
            .map(|report| report.thresholds);
        let class = |loss: f64| thresholds?.class(Points::of(loss)?);
        let color = |value: f64| match lane {
            Lane::Loss => match class(value) {
                Some(Class::Blunder) => theme.error,
                Some(Class::Mistake) => theme.warn,
                _ => theme.text3,
            },
            Lane::Luck if value < 0.0 => theme.warn,
            Lane::Luck => theme.diverging[theme.diverging.len() - 1],
            Lane::Expected => theme.text2,
            _ => theme.sequential(if theme.dark { 0.45 } else { 0.5 }),
        };

        // A mesh, because the painter drops lines shorter than a pixel.
        let (mut mesh, width) = (Mesh::default(), if lane.is_of_move() { bar } else { 1.0 });
        let half_pixel = 0.5 * (1.0 / self.ui.pixels_per_point()).max(1.0);
        for (pixel, column) in columns.iter().enumerate() {
            let Some([least, most]) = *column else {
                continue;
            };
            let x = self.across.left + pixel as f32 + 0.5;
            let mut fill = |from: f32, to: f32, color: Color32| {
                let corners = [(-0.5, from), (0.5, to)].map(|(side, y)| pos2(x + side * width, y));
                mesh.add_colored_rect(Rect::from_points(&corners), color);
            };
            let y = |value: f64| scale.y(value);
            match lane {
                Lane::Loss => fill(y(0.0), y(most), color(most)),
                Lane::Luck => {
                    for value in [least, most].into_iter().filter(|value| *value != 0.0) {
                        fill(y(0.0), y(value), color(value));
                    }
                }
                Lane::Expected => fill(y(least) + half_pixel, y(most) - half_pixel, color(most)),
                // Depth and time show the maximum of a column, empty cells and the largest tile its minimum.
                Lane::Depth | Lane::Time | Lane::Unlike => {
                    fill(scale.inside.bottom(), y(most), color(most));
                }
                Lane::Empty | Lane::Largest => fill(scale.inside.bottom(), y(least), color(least)),
            }
        }
        painter.add(Shape::mesh(mesh));
    }

    /// The name of the lane, and for the expected score its value at the current position.
    fn caption(&self, painter: &Painter, lane: Lane) {
        let (theme, at) = (self.theme, self.rect.min + vec2(10.0, 4.0));
        let name = painter.layout_no_wrap(self.name(lane), theme::small(), theme.text2);
        let end = at.x + name.size().x;
        self.text_ui(painter, at, name);
        if lane == Lane::Expected
            && let Some(text) = self.expected()
        {
            let text = painter.layout_no_wrap(text, theme::strong_of(11.0), theme.text1);
            self.text_ui(painter, pos2(end + 20.0, at.y), text);
        }
    }

    /// A text on a background, so that the line of the current move passes behind it.
    fn text_ui(&self, painter: &Painter, at: Pos2, text: Arc<Galley>) {
        painter.rect_filled(
            Rect::from_min_size(at, text.size()).expand2(vec2(3.0, 0.0)),
            0,
            self.theme.bg2,
        );
        painter.galley(at, text, self.theme.text1);
    }

    /// The name of the lane. Losses name their judge, which may differ from the selected one.
    fn name(&self, lane: Lane) -> String {
        match lane {
            Lane::Loss => {
                format!(
                    "Loss by {}{}",
                    self.reviewed.review.judge().strategy().label(),
                    self.reviewed.so_far()
                )
            }
            Lane::Unlike => format!("{} {}", lane.name(), self.doc.strategy().label()),
            lane => lane.name().to_owned(),
        }
    }

    /// `56,679 before move 524, 34,731 after Up`.
    fn expected(&self) -> Option<String> {
        let (review, place) = (&self.reviewed.review, self.doc.place());
        let look = review.look(place)?;
        let score = review.moments().get(place)?.score as f64;
        let before = words::decimals(score + look.worth().to_f64(), 0);
        let number = words::count(place as u64 + 1);
        Some(match review.record().steps.get(place) {
            Some(step) => {
                let after = score + look.values[step.mv]?.to_f64();
                format!(
                    "{before} before move {number}, {} after {}",
                    words::decimals(after, 0),
                    step.mv
                )
            }
            None => format!("{before} at the end"),
        })
    }

    /// The number of moves of each class, beside the name.
    fn legend(&self) {
        let Some(report) = &self.reviewed.report else {
            return;
        };
        let (theme, painter) = (self.theme, self.painter());
        let name = painter.layout_no_wrap(self.name(Lane::Loss), theme::small(), theme.text2);
        let mut at = self.rect.min + vec2(26.0 + name.size().x, 4.0);

        for class in Class::iter() {
            let number = report.classes.of(class);
            let text = match (class, number) {
                (Class::Inaccuracy, 1) => "1 inaccuracy".to_owned(),
                (Class::Inaccuracy, number) => format!("{} inaccuracies", words::count(number)),
                (class, number) => words::plural(number, class.name()),
            };
            let galley = painter.layout_no_wrap(text, theme::small(), theme.text1);
            if self.rect.right() - 140.0 < at.x + galley.size().x {
                return;
            }
            let (width, middle) = (galley.size().x, galley.size().y / 2.0);
            self.text_ui(&painter, at + vec2(14.0, 0.0), galley);
            paint_class(&painter, theme, at + vec2(4.0, middle), class);
            at.x += width + 32.0;
        }
    }

    /// Signs at the ends of the bars of mistakes, and the loss of the current move.
    fn mistakes(&self, mistakes: &[(usize, Class, f64)]) {
        let (theme, painter) = (self.theme, self.painter());
        for (index, class, loss) in mistakes {
            let x = self.across.x(*index as f64);
            let y = self.scale.y(*loss).max(self.rect.top() + CAPTION + 3.0);
            paint_class(&painter, theme, pos2(x, y), *class);
        }

        let place = self.doc.place();
        let Some(loss) = self
            .reviewed
            .review
            .loss(place)
            .map(Points::to_f64)
            .filter(|loss| 0.0 < *loss)
        else {
            return;
        };
        let text = format!(
            "{}: −{}",
            words::count(place as u64 + 1),
            words::decimals(loss, 0)
        );
        let galley = painter.layout_no_wrap(text, theme::strong_of(11.0), theme.error);
        let x = self.across.x(place as f64);
        let left = if self.rect.right() < x + galley.size().x + 12.0 {
            x - galley.size().x - 10.0
        } else {
            x + 10.0
        };
        let y = (self.scale.y(loss) - galley.size().y / 2.0)
            .clamp(self.rect.top() + CAPTION, self.rect.bottom() - 16.0);
        let ground = Rect::from_min_size(pos2(left, y), galley.size()).expand2(vec2(3.0, 0.0));
        painter.rect_filled(ground, 2, theme.bg2.gamma_multiply(0.9));
        painter.galley(pos2(left, y), galley, theme.error);
    }
}

/// The threshold of a mistake as a draggable line across the losses.
fn threshold_ui(painted: &Painted<'_>, dragged: &mut Option<Points>, commands: &mut Commands) {
    let Painted {
        ui,
        theme,
        rect,
        scale,
        reviewed,
        ..
    } = painted;
    let Some(thresholds) = reviewed
        .report
        .as_ref()
        .map(|report: &Report| report.thresholds)
    else {
        return;
    };
    let set = dragged.unwrap_or(thresholds.mistake);
    // A threshold above all visible losses lies at the top of the lane.
    let y = scale.y(set.to_f64().min(scale.high));

    let line = Rect::from_x_y_ranges(rect.x_range(), y - HANDLE..=y + HANDLE);
    let response = ui.interact(line, ui.scope_id().with("threshold"), Sense::drag());
    let name = format!(
        "A mistake loses {} points or more",
        words::value(set.to_f64())
    );
    response.widget_info(|| WidgetInfo {
        value: Some(set.to_f64()),
        ..WidgetInfo::labeled(Role::Slider, true, &name)
    });
    describe(ui, response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(scale.high.max(set.to_f64()));
    });

    if response.dragged()
        && let Some(at) = response.interact_pointer_pos()
    {
        let points = Points::of(scale.value(at.y)).filter(|&points| Points::ZERO < points);
        *dragged = points.or(*dragged);
    }
    if response.drag_stopped()
        && let Some(points) = dragged
            .take()
            .filter(|&points| points != thresholds.mistake)
    {
        commands.push(ReviewCommand::Thresholds(
            thresholds.with(Class::Mistake, points),
        ));
    }

    let is_held = response.hovered() || response.dragged();
    let stroke = Stroke::new(
        if is_held { 2.0 } else { 1.0 },
        if is_held { theme.text1 } else { theme.text3 },
    );
    painted.painter().extend(Shape::dashed_line(
        &[line.left_center(), line.right_center()],
        stroke,
        4.0,
        4.0,
    ));
    response
        .on_hover_cursor(CursorIcon::ResizeVertical)
        .on_hover_text(format!("{name}; drag to set"));
}

/// The move numbers below the lanes; a box holds the current one.
fn axis(ui: &Ui, theme: &Theme, whole: Rect, across: Across, (place, moves): (usize, usize)) {
    let painter = ui.painter();
    let y = whole.bottom() - AXIS / 2.0 + 2.0;
    let number = |index: usize| words::count(index as u64 + 1);
    let x = across
        .x(place as f64)
        .clamp(across.left, across.left + across.width);
    let text = if place < moves {
        number(place)
    } else {
        "end".to_owned()
    };
    let galley = painter.layout_no_wrap(text, theme::strong_of(11.0), theme.on_accent);
    let pill = Rect::from_center_size(pos2(x, y), galley.size() + vec2(10.0, 4.0));

    let [first, last] = across.range;
    let (at, _) = ticks(first + 1.0, last, 8);
    let at = iter::once(first + 1.0)
        .chain(at)
        .chain([last])
        .map(f64::round)
        .filter(|&at| 1.0 <= at);
    let mut taken = vec![pill.expand(6.0)];
    for at in at {
        let place = pos2(across.x(at - 1.0), y);
        let galley = painter.layout_no_wrap(words::count(at as u64), theme::small(), theme.text2);
        let rect = Rect::from_center_size(place, galley.size());
        let rect = rect.translate(vec2((across.left - rect.left()).max(0.0), 0.0));
        if taken.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        taken.push(rect.expand(10.0));
        painter.galley(rect.min, galley, theme.text2);
    }

    painter.rect_filled(pill, theme::RADIUS_S, theme.accent);
    painter.galley(pill.center() - galley.size() / 2.0, galley, theme.on_accent);
    let handle = Rect::from_center_size(pos2(x, whole.top()), vec2(8.0, 8.0));
    painter.rect_filled(handle, 2, theme.accent);
}

impl Drawn {
    fn of(&mut self, doc: &Document, reviewed: &Arc<Reviewed>, as_of: AsOf) -> &Self {
        let is_same = self
            .drawn
            .as_ref()
            .is_some_and(|drawn| Arc::ptr_eq(drawn, reviewed))
            && self.as_of == as_of;
        if !is_same {
            let lanes = shown(as_of, doc, reviewed);
            let lanes = lanes
                .into_iter()
                .map(|lane| (lane, columns(lane, as_of, doc, reviewed)))
                .collect();
            let mistakes = mistakes(reviewed, as_of);
            *self = Self {
                drawn: Some(reviewed.clone()),
                as_of,
                lanes,
                mistakes,
            };
        }
        self
    }
}

/// The columns of a lane, one per pixel.
fn columns(lane: Lane, as_of: AsOf, doc: &Document, reviewed: &Reviewed) -> Vec<Column> {
    let ([first, last], width) = (as_of.range, f64::from(as_of.width.max(1.0)));
    let (moves, pixels) = (reviewed.review.moves(), width.ceil() as usize);
    let begin = |pixel: usize| {
        (first + (last - first) * pixel as f64 / width)
            .ceil()
            .max(0.0) as usize
    };
    let column = |pixel: usize| {
        // The last column includes the end of the game.
        let to = if pixel + 1 == pixels {
            last as usize + 1
        } else {
            begin(pixel + 1)
        };
        let (mut from, to) = (begin(pixel), to.min(moves + 1));
        // If moves are further apart than pixels, a position lasts until the next one. Losses and luck do not.
        if !lane.is_of_move() && to <= from {
            from = to.saturating_sub(1);
        }
        (from..to)
            .filter_map(|index| value(lane, index, doc, reviewed))
            .fold(None, |column: Column, value| {
                let [least, most] = column.unwrap_or([value; 2]);
                Some([least.min(value), most.max(value)])
            })
    };

    let columns: Vec<Column> = (0..pixels).map(column).collect();
    if lane == Lane::Expected {
        joined(&columns)
    } else {
        columns
    }
}

/// Joins columns into one line: each extends to its predecessor, where that has a value.
fn joined(columns: &[Column]) -> Vec<Column> {
    let join = |(column, before): (&Column, &Column)| {
        let [least, most] = (*column)?;
        let [low, high] = before.unwrap_or([least, most]);
        Some([least.min(high), most.max(low)])
    };
    columns
        .iter()
        .zip(iter::once(&None).chain(columns))
        .map(join)
        .collect()
}

fn mistakes(reviewed: &Reviewed, as_of: AsOf) -> Vec<(usize, Class, f64)> {
    let [first, last] = as_of.range;
    let Some(report) = &reviewed.report else {
        return Vec::new();
    };
    let range = first.max(0.0) as usize..(last.max(0.0) as usize + 1);
    let class = |index| {
        let class = reviewed.review.class(index, &report.thresholds)?;
        Some((index, class, reviewed.review.loss(index)?.to_f64()))
    };
    let mut all: Vec<(usize, Class, f64)> = range
        .filter_map(class)
        .filter(|(_, class, _)| *class != Class::Inaccuracy)
        .collect();
    all.sort_by(|(_, _, one), (_, _, other)| other.total_cmp(one));

    // One sign for every few points of the width.
    let mut taken = HashSet::new();
    let across = Across {
        left: 0.0,
        width: as_of.width,
        range: as_of.range,
    };
    all.retain(|(index, _, _)| taken.insert((across.x(*index as f64) / APART) as i32));
    all
}

/// The value of a lane at a position; `None` if unknown.
fn value(lane: Lane, index: usize, doc: &Document, reviewed: &Reviewed) -> Option<f64> {
    let review = &reviewed.review;
    let moment = review.moments().get(index)?;
    match lane {
        Lane::Expected => Some(moment.score as f64 + review.look(index)?.worth().to_f64()),
        Lane::Loss => Some(review.loss(index)?.to_f64()),
        Lane::Luck => Some(review.luck(index)?.to_f64()),
        Lane::Empty => Some(f64::from(moment.board.empty_count())),
        Lane::Largest => Some(f64::from(moment.board.max_rank().get())),
        Lane::Depth => depth(index, doc, reviewed).map(f64::from),
        Lane::Time => Some(doc.spent_at(index)?.elapsed.as_secs_f64()),
        Lane::Unlike => doc.is_off(index).map(f64::from),
    }
}

/// The player's lookahead before a move in plies: the measured one, or else what the strategy states for this board. A strategy
/// states none for a forced move, which needs no search. It states none with several rows either, as later rows search only the
/// moves that earlier ones leave.
fn depth(index: usize, doc: &Document, reviewed: &Reviewed) -> Option<u32> {
    reviewed.review.record().steps.get(index)?;
    let said = || {
        let (strategy, board) = (
            reviewed.player.as_ref().ok()?.strategy(),
            &reviewed.review.moments()[index].board,
        );
        let has_one_row = strategy.criteria.iter().filter(|row| !row.off).count() == 1;
        (has_one_row && 1 < board.legal_moves().len()).then(|| strategy.plies_on(board))?
    };
    doc.spent_at(index).map(|spent| spent.plies).or_else(said)
}

/// The lanes that fit and have data.
fn shown(as_of: AsOf, doc: &Document, reviewed: &Reviewed) -> Vec<Lane> {
    let mut lanes = match as_of.height {
        Height::Low => return vec![Lane::Loss],
        Height::Middle => vec![Lane::Expected, Lane::Loss],
        Height::Tall => vec![Lane::Expected, Lane::Loss, Lane::Luck],
    };
    if !as_of.more {
        return lanes;
    }
    lanes.extend([Lane::Empty, Lane::Largest]);
    let searches = reviewed
        .player
        .as_ref()
        .is_ok_and(|player| player.strategy().looks_ahead());
    let moves = reviewed.review.moves();
    lanes.extend(
        (searches && (0..moves).any(|index| depth(index, doc, reviewed).is_some()))
            .then_some(Lane::Depth),
    );
    lanes.extend(
        (0..moves)
            .any(|index| doc.spent_at(index).is_some())
            .then_some(Lane::Time),
    );
    lanes.push(Lane::Unlike);
    lanes
}

/// Maps values to heights within a lane.
struct Scale {
    lane: Lane,
    inside: Rect,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rect: Rect, lane: Lane, columns: &[Column]) -> Self {
        let caption = CAPTION.min(rect.height() / 2.0);
        let inside = Rect::from_min_max(rect.min + vec2(0.0, caption), rect.max - vec2(0.0, 2.0));
        let present = columns.iter().flatten();
        let (mut low, mut high) = present.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(low, high), [least, most]| (low.min(*least), high.max(*most)),
        );
        if !low.is_finite() {
            (low, high) = (0.0, 1.0);
        }
        // The range always includes 0.
        Self {
            lane,
            inside,
            low: low.min(0.0),
            high: high.max(0.0),
        }
    }

    fn y(&self, value: f64) -> f32 {
        let [low, high, value] = [self.low, self.high, value].map(|value| self.lane.drawn(value));
        self.inside.bottom()
            - self.inside.height() * ((value - low) / (high - low).max(1e-9)) as f32
    }

    /// The value at a height: the inverse of `y`.
    fn value(&self, y: f32) -> f64 {
        let [low, high] = [self.low, self.high].map(|value| self.lane.drawn(value));
        let drawn = low
            + (high - low) * f64::from((self.inside.bottom() - y) / self.inside.height().max(1.0));
        if self.lane.is_of_move() {
            drawn.powi(3)
        } else {
            drawn
        }
    }
}

/// The name of a position: the move made there, or the end.
pub(super) fn place_text(index: usize, moves: usize) -> String {
    if index < moves {
        format!("move {}", words::count(index as u64 + 1))
    } else {
        "after the last move".to_owned()
    }
}

/// The tooltip of a position.
fn told(doc: &Document, reviewed: &Reviewed, index: usize) -> String {
    let review = &reviewed.review;
    let points = |points: Option<Points>| {
        points.map_or("not judged yet".to_owned(), |loss| {
            words::value(loss.to_f64())
        })
    };
    let worth = review.look(index).map(crate::review::Look::worth);
    let plies = review.look(index).map_or(String::new(), |look| {
        format!(" ({})", words::plural(u64::from(look.plies), "ply"))
    });
    let place = words::capitalised(&place_text(index, review.moves()));
    let mut text = format!("{place}: {} to come{plies}", points(worth));

    if let Some(board) = review.moments().get(index).map(|moment| &moment.board) {
        let empty = words::plural(u64::from(board.empty_count()), "empty cell");
        text += &format!(
            "\n{empty}, largest tile {}",
            words::count(board.max_rank().tile())
        );
    }

    if let Some(step) = review.record().steps.get(index) {
        text += &format!("\n{} lost {}", step.mv, points(review.loss(index)));
        text += &format!("\nThen {}: luck {}", step.spawn, points(review.luck(index)));
        if let Some(plies) = depth(index, doc, reviewed) {
            let said = if doc.spent_at(index).is_none() {
                ", by its strategy"
            } else {
                ""
            };
            text += &format!("\nThe player looked {} ahead{said}", layers(plies));
        }
        if let Some(spent) = doc.spent_at(index) {
            text += &format!(", for {}", words::short_time(spent.elapsed.as_secs_f64()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use egui::Pos2;

    use super::*;

    #[test]
    fn columns_of_neighbours_are_one_line_that_keeps_least_and_most() {
        let columns = [
            Some([3.0, 5.0]),
            Some([9.0, 9.0]),
            Some([1.0, 2.0]),
            None,
            Some([4.0, 4.0]),
            Some([4.0, 4.0]),
            Some([2.0, 7.0]),
        ];
        let line = joined(&columns);
        assert_eq!(
            line[..3],
            [Some([3.0, 5.0]), Some([5.0, 9.0]), Some([1.0, 9.0])]
        );
        // Unknown columns stay unknown, and equal neighbors change nothing.
        assert_eq!(line[3..], columns[3..]);
    }

    #[test]
    fn a_height_and_its_value_belong_together() {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(500.0, 138.0));
        for (lane, ends) in [
            (Lane::Loss, [0.0, 21_948.0]),
            (Lane::Luck, [-10_913.0, 9_499.0]),
            (Lane::Expected, [0.0, 1e5]),
        ] {
            let scale = Scale::of(rect, lane, &[Some(ends)]);
            for value in [ends[0], ends[1], 0.3 * ends[1], 100.0, 500.0] {
                let back = scale.value(scale.y(value));
                assert!(
                    (back - value).abs() < 1e-3 * (1.0 + value.abs()),
                    "{lane:?} {value} {back}"
                );
            }
            // Losses of 100 and 500 points are clearly apart.
            assert!(lane != Lane::Loss || 10.0 < scale.y(100.0) - scale.y(500.0));
        }
    }
}

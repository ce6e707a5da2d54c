//! The race: one seed on two boards, in lock-step until A and B part; then each plays on to its end.
//!
//! A worker searches and records the moves; the window plays back the record with a clock. So the user can pause, step,
//! drag to any move and put it on the board, and a slow search blocks nothing.

use std::time::{Duration, Instant};

use egui::{
    Align2, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::pair::{LETTERS, Pair, PairKey, Side, failure_ui, paint_side};
use super::track::{Track, run};
use crate::analysis::Runner;
use crate::game::Seed;
use crate::task::{Latest, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::command::{Command, Commands, CompareCommand, Panel, ViewCommand};
use crate::workbench::icon::{Icon, icon_button_if};
use crate::workbench::kit::{
    BoardGeometry, Button, Line, choose, describe, drop_down, focus_ring, paint_board, paint_dashed,
};
use crate::workbench::panels::analysis::parts::line_from_right;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Moves per second.
const SPEEDS: [f32; 5] = [2.0, 8.0, 32.0, 128.0, 1000.0];
/// Pause of the clock at the parting, so that the user sees it.
const HOLD: Duration = Duration::from_millis(1200);
/// Height of the line above a board.
const NAME: f32 = 22.0;
/// Height of the line that announces the parting.
const BANNER: f32 = 24.0;
/// Height of the chart of scores over moves.
const CHART: f32 = 72.0;
/// Above this ratio of width to height, the boards are to the left of everything else.
const FLAT: f32 = 2.2;
/// Side of a board, smallest to largest.
const BOARD: std::ops::RangeInclusive<f32> = 104.0..=320.0;

#[derive(Debug)]
pub(crate) struct RaceView {
    seed: u64,
    /// Keyed by pair and seed.
    race: Latest<(PairKey, u64), Track>,
    /// Why the race could not start.
    failed: Option<String>,
    clock: Clock,
}

#[derive(Debug)]
struct Clock {
    /// In moves; the fraction is progress to the next move.
    at: f64,
    plays: bool,
    speed: f32,
    last: Option<Instant>,
    /// When the clock paused at the parting.
    held: Option<Instant>,
}

impl Default for RaceView {
    fn default() -> Self {
        let clock = Clock { at: 0.0, plays: false, speed: SPEEDS[1], last: None, held: None };
        Self { seed: 1, race: Latest::default(), failed: None, clock }
    }
}

impl Clock {
    fn moves(&self) -> u32 {
        self.at as u32
    }

    fn go_to(&mut self, moves: u32) {
        (self.at, self.held) = (f64::from(moves), None);
    }

    /// Advances by the time since the last frame, at most to the last recorded move; returns the time until the next
    /// move.
    fn run(&mut self, now: Instant, track: &Track) -> Option<Duration> {
        let since = self.last.replace(now).map_or(0.0, |last| (now - last).as_secs_f64());
        if !self.plays {
            self.last = None;
            return None;
        }

        if let Some(held) = self.held {
            let left = HOLD.saturating_sub(now - held);
            if !left.is_zero() {
                return Some(left);
            }
        }
        let before = self.at;
        let end = f64::from(track.moves());
        self.at = (self.at + since * f64::from(self.speed)).min(end);
        if let Some(parted) = track.parted.map(f64::from)
            && before <= parted
            && self.held.is_none()
            && parted <= self.at
        {
            (self.at, self.held) = (parted, Some(now));
            return Some(HOLD);
        }
        if self.at == end && track.is_known() {
            (self.plays, self.last) = (false, None);
            return None;
        }

        // During a search, its worker wakes the window.
        let due = (1.0 - self.at.fract()) / f64::from(self.speed);
        (self.at < end).then(|| Duration::from_secs_f64(due.max(0.016)))
    }
}

impl RaceView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
        self.follow(pair);
        if let Some(track) = self.race.known()
            && let Some(wait) = self.clock.run(Instant::now(), track)
        {
            ui.request_repaint_after(wait);
        }

        ScrollArea::vertical().id_salt("race").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let width = ui.available_width();
            let height = ui.clip_rect().bottom() - theme::PAD - ui.cursor().top();
            let below = theme::CONTROL + BANNER + CHART + theme::CONTROL + 3.0 * theme::SPACE_S;
            if FLAT * height < width {
                let side = (height - NAME).min(width * 0.22).clamp(*BOARD.start(), *BOARD.end());
                let (rect, _) = ui.allocate_exact_size(vec2(width, (NAME + side).max(below)), Sense::hover());
                let boards = Rect::from_min_size(rect.min, vec2(2.0 * side + theme::SPACE_L, NAME + side));
                self.boards_ui(ui, boards, pair);
                let rest = rect.with_min_x(boards.right() + theme::SPACE_L);
                let mut inside = ui.new_child(UiBuilder::new().id_salt("rest").max_rect(rest));
                inside.spacing_mut().item_spacing.y = 0.0;
                self.rest_ui(&mut inside, doc, pair, commands);
            } else {
                let side = ((width - theme::SPACE_L) / 2.0).min(height - NAME - below - theme::SPACE_M);
                let side = side.clamp(*BOARD.start(), *BOARD.end()).min((width - theme::SPACE_L) / 2.0);
                let (rect, _) = ui.allocate_exact_size(vec2(width, NAME + side), Sense::hover());
                let spare = (width - 2.0 * side - theme::SPACE_L) / 2.0;
                self.boards_ui(ui, rect.shrink2(vec2(spare, 0.0)), pair);
                ui.add_space(theme::SPACE_M);
                self.rest_ui(ui, doc, pair, commands);
            }
        });
    }

    /// A different pair or seed clears the race.
    fn follow(&mut self, pair: &Pair) {
        if self.race.key().is_some_and(|(of, seed)| *of != pair.key() || *seed != self.seed) {
            self.reset();
            self.race.clear();
        }
        self.race.poll();
    }

    fn reset(&mut self) {
        self.failed = None;
        self.clock.go_to(0);
        (self.clock.plays, self.clock.last) = (false, None);
    }

    /// Starts the race unless it runs or is finished; false if it cannot start.
    fn begin(&mut self, doc: &Document, pair: &Pair) -> bool {
        if self.race.is_pending() || self.race.known().is_some_and(Track::is_known) {
            return true;
        }
        // A stopped race starts again and finds the same moves.
        let players = pair.players(doc);
        self.failed = players.as_ref().err().cloned();
        let Ok(players) = players else { return false };
        let seed = self.seed;
        self.race.clear();
        let info = TaskInfo::asked(TaskGroup::Panel, "Searching the moves of a race");
        self.race.ask((pair.key(), seed), &doc.tasks, info, move |job| run(players, seed, job));
        true
    }

    fn boards_ui(&self, ui: &mut Ui, rect: Rect, pair: &Pair) {
        let at = self.clock.moves();
        let track = self.race.known();
        let is_apart = track.and_then(|track| track.parted).is_some_and(|parted| parted <= at);
        let half = (rect.width() - theme::SPACE_L) / 2.0;
        for side in 0..2 {
            let opening = || {
                let board = Seed(self.seed).game(0).opening(&pair.rules);
                Runner { board, score: 0, moves: 0, over: false, last: None }
            };
            let runner = track.map_or_else(opening, |track| track.runner(side, at).clone());
            let left = rect.left() + side as f32 * (half + theme::SPACE_L);
            let place = Rect::from_min_size(pos2(left, rect.top()), vec2(half, rect.height()));
            board_ui(ui, place, (side, &pair.sides[side]), &runner, is_apart);
        }
    }

    fn rest_ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
        self.banner_ui(ui, pair);
        failure_ui(ui, self.failed.as_deref(), self.race.failed(), "The race");
        self.controls_ui(ui, doc, pair);
        ui.add_space(theme::SPACE_S);
        self.chart_ui(ui, pair);
        ui.add_space(theme::SPACE_S);
        self.open_ui(ui, pair, commands);
    }

    /// Where they part, or the state of the race.
    fn banner_ui(&self, ui: &mut Ui, pair: &Pair) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BANNER), Sense::hover());
        let at = self.clock.moves();
        let (text, color, font) = match self.race.known() {
            None if !self.race.is_pending() => {
                (format!("Game 0 of seed {}: press Play", self.seed), theme.text3, theme::body())
            }
            None => (self.on_its_way(0).to_owned(), theme.text2, theme::body()),
            Some(track) => match (track.parted.filter(|&parted| parted <= at), track.choices()) {
                (Some(parted), Some([a, b])) => {
                    let text = format!("≠ Part at move {}: A {a}, B {b}", words::count(u64::from(parted) + 1));
                    (format!("{text}{}", ending(track, at, pair)), theme.warn, theme::medium())
                }
                _ if track.is_over(at) => {
                    ("✓ They never part: both play the same game".to_owned(), theme.ok, theme::body())
                }
                _ => (self.on_its_way(track.moves()).to_owned(), theme.text2, theme::body()),
            },
        };

        response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
        Line::new(ui.painter(), rect, 0.0).start(&text, font, color);
        response.on_hover_text(text);
    }

    /// The text while both are on the same board and `known` moves are recorded.
    fn on_its_way(&self, known: u32) -> &'static str {
        let waits = self.clock.plays && known <= self.clock.moves() && self.race.is_pending();
        if waits { "Searching the next move" } else { "On the same board" }
    }

    fn controls_ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair) {
        let theme = Theme::of(ui);
        let parted = self.race.known().and_then(|track| track.parted);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::SPACE_S, theme::SPACE_S);
            let at = self.clock.moves();
            if icon(ui, Icon::First, "Reset the race", "Back to the first move", 0 < at) {
                self.reset();
            }

            if icon(ui, Icon::Previous, "One move back", "One move back", 0 < at) {
                self.clock.plays = false;
                self.clock.go_to(at - 1);
            }

            let (symbol, text) = if self.clock.plays { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
            let name = format!("{text} the race");
            let button = Button::new(text).icon(symbol).accent().width(84.0).name(&name);
            if ui.add(button).on_hover_text("Let both play on, or pause them (Escape)").clicked() {
                self.toggle(doc, pair);
            }
            let ends = self.race.known().is_some_and(|track| track.moves() <= at && track.is_known());
            if icon(ui, Icon::Next, "One move on", "Both make one move", !ends) && self.begin(doc, pair) {
                self.clock.plays = false;
                let known = self.race.known().map_or(0, Track::moves);
                self.clock.go_to((at + 1).min(known.max(at)));
            }

            let leaves = parted.is_some_and(|parted| parted != at);
            let about = if leaves { Ok("To where they part") } else { Err("They have not parted, or it is there") };
            if Button::new("≠").small().name("To the parting").show(ui, about).clicked() {
                self.clock.plays = false;
                parted.into_iter().for_each(|parted| self.clock.go_to(parted));
            }
            let speed = |speed: f32| format!("{speed:.0} /s");
            let list = drop_down("speed of the race", speed(self.clock.speed), 72.0);
            let (response, picked) = choose(ui, list, self.clock.speed, SPEEDS, speed);
            response.accessible_name("Speed of the race").on_hover_text("Moves a second");
            self.clock.speed = picked.unwrap_or(self.clock.speed);
            ui.label(RichText::new("Seed").small().color(theme.text3));
            let field = egui::DragValue::new(&mut self.seed).speed(0.2);
            ui.add_sized(vec2(64.0, theme::CONTROL), field).accessible_name("Seed of the race");
        });
    }

    fn toggle(&mut self, doc: &Document, pair: &Pair) {
        self.clock.plays = !self.clock.plays && self.begin(doc, pair);
        let at = self.clock.moves();
        if self.clock.plays && self.race.known().is_some_and(|track| track.is_over(at)) {
            self.clock.go_to(0);
        }
    }

    /// The scores over the moves; a press or a drag moves the clock there.
    fn chart_ui(&mut self, ui: &mut Ui, pair: &Pair) {
        let theme = Theme::of(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), CHART), Sense::click_and_drag());
        let at = self.clock.moves();
        response.widget_info(|| WidgetInfo {
            value: Some(f64::from(at)),
            ..WidgetInfo::labeled(Role::Slider, true, "Move of the race")
        });
        describe(ui, response.id, |node| {
            node.set_min_numeric_value(0.0);
            node.set_max_numeric_value(f64::from(self.race.known().map_or(at, Track::moves)));
        });
        ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg2);
        if response.has_focus() {
            focus_ring(ui, rect);
        }

        let plot = rect.shrink2(vec2(8.0, 6.0)).with_max_y(rect.bottom() - 18.0);
        let Some(track) = self.race.known() else {
            let hint = "Scores over moves";
            ui.painter().text(rect.center(), Align2::CENTER_CENTER, hint, theme::small(), theme.text3);
            return;
        };
        let moves = track.moves().max(1);
        let highest = (0..2).map(|side| track.runner(side, moves).score).max().unwrap_or(0).max(1);
        let x = |of: f64| plot.left() + plot.width() * (of / f64::from(moves)) as f32;
        let y = |score: u64| plot.bottom() - plot.height() * (score as f64 / highest as f64) as f32;
        for (side, who) in pair.sides.iter().enumerate() {
            let last = track.runner(side, moves).moves;
            let points = 1 + last.min(plot.width().max(1.0) as u32);
            let at = |point: u32| (u64::from(point) * u64::from(last) / u64::from(points.max(2) - 1)) as u32;
            let line = (0..points).map(|point| pos2(x(at(point).into()), y(track.runner(side, at(point)).score)));
            paint_dashed(ui.painter(), &line.collect::<Vec<_>>(), who.mark, theme::SERIES_WIDTH);
        }

        let lower = rect.bottom() - 3.0;
        let label = |x: f32, align: Align2, text: &str, color| {
            ui.painter().text(pos2(x, lower), align, text, theme::small(), color);
        };
        label(plot.left(), Align2::LEFT_BOTTOM, "0", theme.text3);
        label(plot.right(), Align2::RIGHT_BOTTOM, &words::plural(moves.into(), "move"), theme.text3);
        let highest = words::count(highest);
        ui.painter().text(plot.left_top(), Align2::LEFT_TOP, highest, theme::small(), theme.text3);
        if let Some(parted) = track.parted {
            let x = x(f64::from(parted));
            ui.painter().vline(x, plot.y_range(), Stroke::new(1.0, theme.warn));
            let (align, x) = match x < plot.center().x {
                true => (Align2::LEFT_BOTTOM, (x + 3.0).max(plot.left() + 24.0)),
                false => (Align2::RIGHT_BOTTOM, (x - 3.0).min(plot.right() - 76.0)),
            };
            label(x, align, &format!("≠ {}", words::count(parted.into())), theme.warn);
        }

        ui.painter().vline(x(self.clock.at), plot.y_range().expand(4.0), Stroke::new(2.0, theme.accent));
        if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged()) {
            let share = ((pointer.x - plot.left()) / plot.width().max(1.0)).clamp(0.0, 1.0);
            self.clock.plays = false;
            self.clock.go_to((share * moves as f32).round() as u32);
        }

        response.on_hover_text("Scores over moves; a press goes there");
    }

    /// Buttons that put the games on the board.
    fn open_ui(&self, ui: &mut Ui, pair: &Pair, commands: &mut Commands) {
        let known = self.race.known().filter(|track| 0 < track.moves());
        let parted = known.and_then(|track| track.parted);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::SPACE_S, theme::SPACE_S);
            for (side, text) in ["Open A's game", "Open B's game"].into_iter().enumerate() {
                let about = known.map(|_| "At the move that is seen here").ok_or("Press Play first");
                if Button::new(text).small().show(ui, about).clicked() {
                    self.open(pair, side, self.clock.moves(), false, commands);
                }
            }
            let about = parted.map(|_| "The position where they part, with B's game as a branch of A's");
            let response = Button::new("Open the parting").small().show(ui, about.ok_or("They have not parted yet"));
            if let Some(parted) = parted.filter(|_| response.clicked()) {
                self.open(pair, 0, parted, true, commands);
            }
        });
    }

    fn open(&self, pair: &Pair, side: usize, moves: u32, with_branch: bool, commands: &mut Commands) {
        let Some((track, (_, seed))) = self.race.known().zip(self.race.key()) else { return };
        let record = |side: usize| Box::new(track.record(side, &pair.sides[side].strategy, pair.rules, *seed));
        let [a, b] = &pair.sides;
        let title = format!("{} in a race of {} and {}, seed {seed}", pair.sides[side].label, a.label, b.label);
        let branch = with_branch.then(|| record(1 - side));
        commands.push(Command::Compare(CompareCommand::ShowGame { record: record(side), moves, branch, title }));
        commands.push(ViewCommand::ShowBeside(Panel::Board));
    }

    pub(crate) fn is_playing(&self) -> bool {
        self.clock.plays
    }

    /// Pauses the race; true if it was playing.
    pub(crate) fn pause(&mut self) -> bool {
        std::mem::take(&mut self.clock.plays)
    }
}

/// The end of the race as text: by how many points the winner leads. Empty before both games are over.
fn ending(track: &Track, at: u32, pair: &Pair) -> String {
    let [a, b] = [0, 1].map(|side| track.runner(side, at).score);
    if !track.is_over(at) {
        return String::new();
    }
    if a == b {
        return ". Both end with the same score".to_owned();
    }
    let ahead = &pair.sides[usize::from(a < b)].label;
    format!(". {ahead} ends {} ahead", words::plural(a.abs_diff(b), "point"))
}

/// An icon button; true if it was pressed.
fn icon(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str, enabled: bool) -> bool {
    icon_button_if(ui, icon, name, tooltip, enabled).clicked()
}

/// One board with name, score and moves above it.
fn board_ui(ui: &mut Ui, rect: Rect, (side, who): (usize, &Side), runner: &Runner, is_apart: bool) {
    let theme = Theme::of(ui);
    let head = rect.with_max_y(rect.top() + NAME);
    let mut line = line_from_right(ui, ("name", side), head);
    let figures = format!("{} · move {}", words::count(runner.score), words::count(runner.moves.into()));
    let figures = if runner.over { format!("{figures}, over") } else { figures };
    line.spacing_mut().item_spacing.x = theme::SPACE_S;
    line.label(RichText::new(&figures).small().color(theme.text2));
    let mut name = Line::new(ui.painter(), head, 0.0);
    name.right = line.available_rect_before_wrap().right() - 4.0;
    paint_side(&mut name, theme, side, who, 6.0);

    let space = rect.with_min_y(rect.top() + NAME);
    let geometry = BoardGeometry::fit(space, runner.board.size());
    let sense = Sense::focusable_noninteractive() | Sense::HOVER;
    let response = ui.interact(geometry.rect, ui.scope_id().with(("board", side)), sense);
    let name = format!("{}, {}: {}, {figures}", LETTERS[side], who.label, runner.board);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    paint_board(ui.painter(), theme, &geometry, &runner.board);
    if is_apart {
        ui.painter().rect_stroke(geometry.rect, theme::RADIUS_M, Stroke::new(2.0, theme.warn), StrokeKind::Inside);
    }
    if response.has_focus() {
        focus_ring(ui, geometry.rect);
    }
}

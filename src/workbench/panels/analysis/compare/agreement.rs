//! How often A and B agree, by phase of the game: the share of a sample, its interval, and a walk through what differs.

use std::time::Duration;

use egui::{Align2, Painter, Rect, RichText, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

use super::measuring::{Measured, SEED, measure};
use super::pair::{Pair, PairKey, error_ui};
use crate::analysis::{Position, Share};
use crate::game::Rank;
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, ListRow, empty, progress, rule, segmented};
use crate::workbench::panels::analysis::parts::{interval_text, percent};
use crate::workbench::panels::builder::show_position;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// How long A plays for the sample.
const LIMITS: [(u64, &str); 3] = [(1, "1 s"), (10, "10 s"), (60, "1 min")];
/// From this width on both tables stand side by side.
const SIDE_BY_SIDE_FROM: f32 = 620.0;
/// From this width on the summary stands beside the tools.
const ONE_LINE_FROM: f32 = 900.0;
/// Widths of a table: phase, share, interval, n; the bar takes the rest.
const PHASE: f32 = 84.0;
const SHARE: f32 = 60.0;
const INTERVAL: f32 = 104.0;
const COUNT: f32 = 58.0;
const LEAST_BAR: f32 = 24.0;

/// A part of the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    All,
    Empty(u32),
    Largest(Rank),
}

impl Phase {
    fn contains(self, position: &Position) -> bool {
        match self {
            Self::All => true,
            Self::Empty(count) => position.board.empty_count() == count,
            Self::Largest(rank) => position.board.max_rank() == rank,
        }
    }

    fn text(self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Empty(count) => format!("{count} empty"),
            Self::Largest(rank) => format!("tile {}", words::count(rank.tile())),
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct AgreementView {
    limit: Limit,
    measured: Latest<PairKey, Measured>,
    /// Why it could not begin.
    failed: Option<String>,
    /// The phase that is walked through, and how many of its disagreements were shown.
    walk: Option<(Phase, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit(u64);

impl Default for Limit {
    fn default() -> Self {
        Self(LIMITS[0].0)
    }
}

impl AgreementView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
        self.follow(pair);
        self.tools_ui(ui, doc, pair);
        match (&self.failed, self.measured.failed()) {
            (Some(reason), _) => error_ui(ui, reason),
            (None, None | Some(TaskError::Stopped { .. })) => {}
            (None, Some(reason)) => error_ui(ui, &format!("The measurement failed: {reason}")),
        }
        let Some(measured) = self.measured.known().filter(|measured| 0 < measured.agreement.all.n).cloned() else {
            if self.measured.key().is_none() {
                empty(ui, "Press Measure: A plays for a moment, and both decide on its positions");
            }
            return;
        };
        if ui.available_width() < ONE_LINE_FROM {
            self.summary_ui(ui, &measured);
            ui.add_space(theme::SPACE_S);
        }
        ScrollArea::vertical().id_salt("phases").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let all = std::iter::once((Phase::All, measured.agreement.all));
            let by_empty = measured.agreement.by_empty.iter().map(|(&count, &share)| (Phase::Empty(count), share));
            let by_empty = all.chain(by_empty);
            let by_largest = measured.agreement.by_largest.iter().map(|(&rank, &share)| (Phase::Largest(rank), share));
            let (by_empty, by_largest): (Vec<_>, Vec<_>) = (by_empty.collect(), by_largest.collect());
            let titles = ["Empty cells", "Largest tile"];
            let mut pressed = None;
            if SIDE_BY_SIDE_FROM <= ui.available_width() {
                ui.columns_const(|[left, right]| {
                    for (ui, rows, title) in [(left, &by_empty, titles[0]), (right, &by_largest, titles[1])] {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        pressed = pressed.or(table(ui, title, rows, self.walk));
                    }
                });
            } else {
                pressed = table(ui, titles[0], &by_empty, self.walk);
                ui.add_space(theme::SPACE_M);
                pressed = pressed.or(table(ui, titles[1], &by_largest, self.walk));
            }
            if let Some(phase) = pressed {
                self.go_on(phase, pair, &measured, commands);
            }
        });
    }

    /// Takes what was found; another pair starts anew.
    fn follow(&mut self, pair: &Pair) {
        if self.measured.key().is_some_and(|of| *of != pair.key()) {
            self.reset();
        }
        self.measured.poll();
    }

    fn reset(&mut self) {
        self.measured.clear();
        (self.failed, self.walk) = (None, None);
    }

    fn tools_ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair) {
        let theme = Theme::of(ui);
        let width = ui.available_width();
        ui.horizontal_wrapped(|ui| {
            if self.measured.is_pending() {
                if ui.add(Button::new("Stop")).on_hover_text("Keep what is known so far (Escape)").clicked() {
                    self.measured.stop();
                }
            } else {
                let again = if self.measured.known().is_some() { "Measure again" } else { "Measure" };
                let response = ui.add(Button::new(again).accent()).on_hover_text(
                    "A plays games for this long; both decide on positions with two or more legal moves from them",
                );
                if response.clicked() {
                    self.begin(doc, pair);
                }
            }
            segmented(ui, "Length of the sample", &mut self.limit.0, &LIMITS);
            ui.label(RichText::new("of A's games").small().color(theme.text3));
            if let Some(measured) = self.measured.known().filter(|_| self.measured.is_pending()) {
                progress(ui, "Agreement", measured.progress(), 72.0);
                let words = match measured.positions {
                    0 => "A plays".to_owned(),
                    all => format!("{} of {}", words::count(measured.agreement.all.n), words::count(all as u64)),
                };
                ui.label(RichText::new(words).small().color(theme.text2));
            }
            if let Some(measured) = self.measured.known().filter(|measured| 0 < measured.agreement.all.n)
                && ONE_LINE_FROM <= width
            {
                self.summary_ui(ui, measured);
            }
        });
    }

    fn begin(&mut self, doc: &Document, pair: &Pair) {
        self.reset();
        match pair.players(doc) {
            Ok(players) => {
                let limit = Duration::from_secs(self.limit.0);
                let work = move |job: &Job<_>| measure(&players, limit, job);
                let info = TaskInfo::asked(TaskGroup::Panel, "Measuring how often two strategies agree");
                self.measured.ask(pair.key(), doc.tasks(), info, work);
            }
            Err(reason) => self.failed = Some(reason),
        }
    }

    fn summary_ui(&self, ui: &mut Ui, measured: &Measured) {
        let theme = Theme::of(ui);
        let (all, compatible) = (measured.agreement.all, measured.agreement.compatible);
        let mut text =
            format!("{} the same of {} decisions ({})", percent(all), words::count(all.n), interval_text(all));
        if compatible != all {
            text += &format!(", {} can be the same", percent(compatible));
        }
        ui.label(RichText::new(text).font(theme::strong()).color(theme.text1)).on_hover_text(format!(
            "The same: both leave the same moves to their last resort. Wilson interval of 95 %. {} of seed {SEED}, played by A",
            words::plural(measured.games, "game")
        ));
        let hint = match self.walk {
            Some((phase, shown)) => {
                let all = measured.agreement.disagreements.iter().filter(|&position| phase.contains(position)).count();
                format!(
                    "Disagreement {} of {} with {}",
                    words::count(shown as u64),
                    words::count(all as u64),
                    phase.text()
                )
            }
            None => "A click on a row puts its next disagreement on the board".to_owned(),
        };
        ui.label(RichText::new(hint).small().color(theme.text3));
    }

    /// Puts the next disagreement of a phase on the board.
    fn go_on(&mut self, phase: Phase, pair: &Pair, measured: &Measured, commands: &mut Commands) {
        let differ: Vec<&Position> =
            measured.agreement.disagreements.iter().filter(|&position| phase.contains(position)).collect();
        if differ.is_empty() {
            self.walk = None;
            return;
        }
        let shown = self.walk.filter(|(of, _)| *of == phase).map_or(0, |(_, shown)| shown % differ.len());
        let position = differ[shown];
        self.walk = Some((phase, shown + 1));
        let [a, b] = &pair.sides;
        let title = format!("{} and {} differ, move {} of game {}", a.label, b.label, position.moves, position.game);
        let (board, score) = (position.board, position.score);
        show_position(board, score, title, commands);
    }
}

/// One table; the row that was pressed.
fn table(ui: &mut Ui, title: &str, rows: &[(Phase, Share)], walk: Option<(Phase, usize)>) -> Option<Phase> {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let mut pressed = None;
    let (head, _) = ui.allocate_exact_size(vec2(width, theme::HIT), Sense::hover());
    let columns = Columns::of(head);
    let caption = |x: f32, align: Align2, text: &str| {
        ui.painter().text(pos2(x, head.center().y), align, text, theme::small(), theme.text3);
    };
    caption(columns.phase, Align2::LEFT_CENTER, title);
    caption(columns.share, Align2::RIGHT_CENTER, "Same");
    if let Some(x) = columns.interval {
        caption(x, Align2::RIGHT_CENTER, "95 % interval");
    }
    caption(columns.count, Align2::RIGHT_CENTER, "n");
    rule(ui, head);
    for &(phase, share) in rows {
        let name = format!("{}: {} the same, {}, of {}", phase.text(), percent(share), interval_text(share), share.n);
        let differ = share.same < share.n;
        let row = ListRow::new(&name).enabled(differ);
        let row = if walk.is_some_and(|(of, _)| of == phase) { row.selected(true) } else { row };
        let response = row.show(ui, |line, response| {
            let columns = Columns::of(response.rect);
            let cell = |x: f32, text: &str, color| {
                line.painter.text(pos2(x, line.y), Align2::RIGHT_CENTER, text, theme::body(), color);
            };
            cell(columns.share, &percent(share), theme.text1);
            if let Some(x) = columns.interval {
                cell(x, &interval_text(share), theme.text2);
            }
            cell(columns.count, &words::count(share.n), theme.text2);
            bar(&line.painter, theme, columns.bar, share);
            line.right = line.left + PHASE - theme::SPACE_S;
            line.start(&phase.text(), theme::body(), theme.text1);
        });
        rule(ui, response.rect);
        let response = match differ {
            true => response.on_hover_text("Puts the next disagreement of this phase on the board"),
            false => response.on_hover_text("They never differ here"),
        };
        if response.clicked() && differ {
            pressed = Some(phase);
        }
    }
    pressed
}

/// The share as a bar with the ends of its interval.
fn bar(painter: &Painter, theme: &Theme, space: Option<Rect>, share: Share) {
    let (Some(space), Some(value), Some(interval)) = (space, share.value(), share.interval()) else { return };
    let track = Rect::from_center_size(space.center(), vec2(space.width(), 6.0));
    painter.rect_filled(track, 3, theme.bg3);
    let x = |value: f64| track.left() + track.width() * value as f32;
    painter.rect_filled(track.with_max_x(x(value)), 3, theme.sequential(0.55));
    let stroke = Stroke::new(1.0, theme.text2);
    painter.hline(x(interval.low)..=x(interval.high), track.center().y, stroke);
    for end in [interval.low, interval.high] {
        painter.vline(x(end), track.y_range().expand(1.0), stroke);
    }
}

/// Where the columns of a table are; numbers end at theirs.
struct Columns {
    phase: f32,
    share: f32,
    interval: Option<f32>,
    count: f32,
    bar: Option<Rect>,
}

impl Columns {
    fn of(row: Rect) -> Self {
        let phase = row.left() + theme::SPACE_M;
        let share = phase + PHASE + SHARE;
        let with_interval = PHASE + SHARE + INTERVAL + COUNT + 2.0 * theme::SPACE_M <= row.width();
        let interval = with_interval.then_some(share + INTERVAL);
        let count = interval.unwrap_or(share) + COUNT;
        let (left, right) = (count + theme::SPACE_L, row.right() - theme::SPACE_M);
        let bar = (left + LEAST_BAR <= right)
            .then(|| Rect::from_min_max(pos2(left, row.top()), pos2(right.min(left + 160.0), row.bottom())));
        Self { phase, share, interval, count, bar }
    }
}

//! How often A and B agree, by phase of the game: the share of a sample with its interval, and a walk through the
//! disagreements.
//!
//! A worker measures it: A plays for the chosen time, then both strategies decide on its positions.

use std::sync::Arc;
use std::time::Duration;

use egui::{Align2, Painter, Rect, RichText, ScrollArea, Sense, Stroke, Ui, pos2, vec2};

use super::SEED;
use super::pair::{Pair, PairKey, failure_ui};
use crate::analysis::{Agreement, Position, Sample, Share, agreement_told};
use crate::game::Rank;
use crate::prose::{interval_text, percent};
use crate::strategy::Player;
use crate::task::{Job, Latest, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, ListRow, empty, rule, segmented, work_ui};
use crate::workbench::panels::builder::show_position;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Time for which A plays the sample, in seconds, with its label.
const LIMITS: [(u64, &str); 3] = [(1, "1 s"), (10, "10 s"), (60, "1 min")];
const MOST_POSITIONS: usize = 20_000;
/// Minimum width at which the two tables are side by side.
const SIDE_BY_SIDE_FROM: f32 = 620.0;
/// Minimum width at which the summary shares a line with the tools.
const ONE_LINE_FROM: f32 = 900.0;
/// Column widths; the bar takes the rest.
const PHASE: f32 = 84.0;
const SHARE: f32 = 60.0;
const INTERVAL: f32 = 104.0;
const COUNT: f32 = 58.0;
const LEAST_BAR: f32 = 24.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    All,
    Empty(u32),
    Largest(Rank),
}

impl Phase {
    /// The disagreements in this phase.
    fn differing(self, measured: &Measured) -> impl Iterator<Item = &Position> {
        measured.agreement.disagreements.iter().filter(move |position| match self {
            Self::All => true,
            Self::Empty(count) => position.board.empty_count() == count,
            Self::Largest(rank) => position.board.max_rank() == rank,
        })
    }

    fn text(self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::Empty(count) => format!("{count} empty"),
            Self::Largest(rank) => format!("tile {}", words::count(rank.tile())),
        }
    }
}

#[derive(Debug)]
pub(super) struct AgreementView {
    secs: u64,
    measured: Latest<PairKey, Measured>,
    /// Why the measurement could not start.
    failed: Option<String>,
    /// The phase to walk through, and the number of its disagreements already shown.
    walk: Option<(Phase, usize)>,
}

impl Default for AgreementView {
    fn default() -> Self {
        Self { secs: LIMITS[0].0, measured: Latest::default(), failed: None, walk: None }
    }
}

impl AgreementView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
        self.follow(pair);
        self.tools_ui(ui, doc, pair);
        failure_ui(ui, self.failed.as_deref(), self.measured.failed(), "The measurement");
        let Some(measured) = self.measured.known().filter(|measured| 0 < measured.agreement.all.n).cloned() else {
            if self.measured.key().is_none() {
                empty(
                    ui,
                    "Press Measure to play games with A and compare the decisions of both strategies on their \
                    positions",
                );
            }
            return;
        };

        if ui.available_width() < ONE_LINE_FROM {
            self.summary_ui(ui, &measured);
            ui.add_space(theme::SPACE_S);
        }

        ScrollArea::vertical().id_salt("phases").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            let Agreement { all, by_empty, by_largest, .. } = &measured.agreement;
            let by_empty = by_empty.iter().map(|(&count, &share)| (Phase::Empty(count), share));
            let by_empty: Vec<_> = [(Phase::All, *all)].into_iter().chain(by_empty).collect();
            let by_largest: Vec<_> = by_largest.iter().map(|(&rank, &share)| (Phase::Largest(rank), share)).collect();
            let walk = self.walk;
            let left = |ui: &mut Ui| table(ui, "Empty cells", &by_empty, walk);
            let right = |ui: &mut Ui| table(ui, "Largest tile", &by_largest, walk);
            let pressed = if SIDE_BY_SIDE_FROM <= ui.available_width() {
                ui.columns_const(|[one, other]| left(one).or(right(other)))
            } else {
                let pressed = left(ui);
                ui.add_space(theme::SPACE_M);
                pressed.or(right(ui))
            };
            if let Some(phase) = pressed {
                self.go_on(phase, pair, &measured, commands);
            }
        });
    }

    /// Takes new results; a different pair clears the old ones.
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
                if ui.add(Button::new("Stop")).on_hover_text("Keep the results so far (Escape)").clicked() {
                    self.measured.stop();
                }
            } else {
                let again = if self.measured.known().is_some() { "Measure again" } else { "Measure" };
                let response = ui.add(Button::new(again).accent()).on_hover_text(
                    "Play games with A for this time and compare the decisions of both strategies where two or more \
                     moves are legal",
                );
                if response.clicked() {
                    self.begin(doc, pair);
                }
            }

            segmented(ui, "Duration of the sample", &mut self.secs, &LIMITS);
            ui.label(RichText::new("of A's games").small().color(theme.text3));
            if let Some(control) = self.measured.control() {
                work_ui(ui, "Agreement", &control.work(), 72.0);
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
                let limit = Duration::from_secs(self.secs);
                let work = move |job: &Job<_>| measure(&players, limit, job);
                let info = TaskInfo::asked(TaskGroup::Panel, "Measuring how often two strategies agree");
                self.measured.ask(pair.key(), &doc.tasks, info, work);
            }
            Err(reason) => self.failed = Some(reason),
        }
    }

    fn summary_ui(&self, ui: &mut Ui, measured: &Measured) {
        let theme = Theme::of(ui);
        let (all, compatible) = (measured.agreement.all, measured.agreement.compatible);
        let mut text = format!("Same: {} of {} decisions ({})", percent(all), words::count(all.n), interval_text(all));
        if compatible != all {
            text += &format!(", {} may be the same", percent(compatible));
        }

        ui.label(RichText::new(text).font(theme::strong()).color(theme.text1)).on_hover_text(format!(
            "Same: both leave the same moves to their last resort. 95 % Wilson interval. {} of seed {SEED}, played by \
             A",
            words::plural(measured.games, "game")
        ));
        let hint = match self.walk {
            Some((phase, shown)) => {
                let [shown, all] = [shown, phase.differing(measured).count()].map(|count| words::count(count as u64));
                format!("Disagreement {shown} of {all} with {}", phase.text())
            }
            None => "Click a row to put its next disagreement on the board".to_owned(),
        };
        ui.label(RichText::new(hint).small().color(theme.text3));
    }

    /// Puts the next disagreement of a phase on the board.
    fn go_on(&mut self, phase: Phase, pair: &Pair, measured: &Measured, commands: &mut Commands) {
        let all = phase.differing(measured).count().max(1);
        let shown = self.walk.filter(|(of, _)| *of == phase).map_or(0, |(_, shown)| shown % all);
        let position = phase.differing(measured).nth(shown);
        self.walk = position.map(|_| (phase, shown + 1));
        let Some(position) = position else { return };
        let [a, b] = &pair.sides;
        let number = position.moves + 1;
        let title = format!("{} and {} differ, move {number} of game {}", a.label, b.label, position.game);
        show_position(position.board, position.score, title, commands);
    }
}

/// Draws one table and returns the phase of the pressed row.
fn table(ui: &mut Ui, title: &str, rows: &[(Phase, Share)], walk: Option<(Phase, usize)>) -> Option<Phase> {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let mut pressed = None;
    let (head, _) = ui.allocate_exact_size(vec2(width, theme::HIT), Sense::hover());
    let caption = |x: f32, align: Align2, text: &str| {
        ui.painter().text(pos2(x, head.center().y), align, text, theme::small(), theme.text3);
    };
    caption(head.left() + theme::SPACE_M, Align2::LEFT_CENTER, title);
    for (x, text) in columns(head).0.into_iter().zip(["Same", "95 % interval", "n"]) {
        x.into_iter().for_each(|x| caption(x, Align2::RIGHT_CENTER, text));
    }

    rule(ui, head);
    for &(phase, share) in rows {
        let name = format!("{}: {} the same, {}, of {}", phase.text(), percent(share), interval_text(share), share.n);
        let differ = share.same < share.n;
        let row = ListRow::new(&name).enabled(differ);
        let row = if walk.is_some_and(|(of, _)| of == phase) { row.selected(true) } else { row };
        let response = row.show(ui, |line, response| {
            let (ends, space) = columns(response.rect);
            let interval = (interval_text(share), theme.text2);
            let cells = [(percent(share), theme.text1), interval, (words::count(share.n), theme.text2)];
            for (x, (text, color)) in ends.into_iter().zip(cells) {
                let Some(x) = x else { continue };
                line.painter.text(pos2(x, line.y), Align2::RIGHT_CENTER, text, theme::body(), color);
            }
            bar(&line.painter, theme, space, share);
            line.right = line.left + PHASE - theme::SPACE_S;
            line.start(&phase.text(), theme::body(), theme.text1);
        });
        rule(ui, response.rect);
        let hint = "Put the next disagreement of this phase on the board";
        if response.on_hover_text(if differ { hint } else { "They never differ in this phase" }).clicked() && differ {
            pressed = Some(phase);
        }
    }

    pressed
}

/// Draws the share as a bar with the ends of its interval.
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

/// The right ends of share, interval (if it fits) and n in a row, and the rectangle of the bar.
fn columns(row: Rect) -> ([Option<f32>; 3], Option<Rect>) {
    let share = row.left() + theme::SPACE_M + PHASE + SHARE;
    let with_interval = PHASE + SHARE + INTERVAL + COUNT + 2.0 * theme::SPACE_M <= row.width();
    let interval = with_interval.then_some(share + INTERVAL);
    let count = interval.unwrap_or(share) + COUNT;
    let (left, right) = (count + theme::SPACE_L, row.right() - theme::SPACE_M);
    let bar = Rect::from_x_y_ranges(left..=right.min(left + 160.0), row.y_range());
    ([Some(share), interval, Some(count)], (left + LEAST_BAR <= right).then_some(bar))
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Measured {
    games: u64,
    /// Covers the positions that both have decided; contains every disagreement.
    agreement: Agreement,
}

/// A plays for `limit`, then both strategies decide on the positions.
fn measure(players: &[Arc<Player>; 2], limit: Duration, job: &Job<Measured>) -> Measured {
    job.control().begin("A plays", "position", 0);
    let sample = Sample::play(&players[0], SEED, MOST_POSITIONS, limit, job.token());
    let mut measured = Measured { games: sample.games, agreement: Agreement::default() };
    let [a, b] = players;
    let positions = spread(&sample.positions);
    measured.agreement = agreement_told([a, b], &positions, usize::MAX, job.control(), |agreement| {
        job.tell_now_and_then(|| Measured { agreement: agreement.clone(), ..measured.clone() });
    });
    measured
}

/// The same positions in a fixed other order: golden-section steps through the list.
fn spread(positions: &[Position]) -> Vec<Position> {
    let n = positions.len();
    let coprime = |step: &usize| gcd(*step, n) == 1;
    let golden = ((n as f64 * 0.618_034) as usize).max(1);
    let step = (golden..).find(coprime).unwrap_or(1);
    (0..n).map(|index| positions[(index * step) % n]).collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::agreement;
    use crate::game::Rules;
    use crate::strategy::Strategy;
    use crate::task::{CancelToken, Control};

    #[test]
    fn what_is_told_grows_to_the_agreement_of_the_whole_sample() {
        let player = |letters: &str| {
            let strategy: Strategy = letters.parse().expect("letters");
            Player::new(&strategy, Rules::default())
        };
        let (a, b, stop) = (player("emr"), player("mer"), CancelToken::new());
        let sample = Sample::play(&a, SEED, 150, Duration::from_secs(30), &stop);
        let whole = agreement(&a, &b, &sample, &stop);
        assert!(whole.disagreements.len() < 150 && 0 < whole.all.same && whole.all.same < whole.all.n);
        let mut told = Vec::new();
        let positions = spread(&sample.positions);
        let mut found =
            agreement_told([&a, &b], &positions, usize::MAX, &Control::quiet(&stop), |so_far| told.push(so_far.all));
        assert!(told.iter().zip(1..).all(|(share, n)| share.n == n), "one position after the other");
        assert_eq!(told.last(), Some(&whole.all));
        found.disagreements.sort_by_key(|position| (position.game, position.moves));
        assert_eq!(found, whole);
    }

    #[test]
    fn the_order_is_another_one_of_the_same_positions() {
        let position = |moves: u32| {
            let board = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board");
            Position { board, score: 0, game: 0, moves, left: 0 }
        };
        for n in [0_u32, 1, 2, 7, 100, 101] {
            let positions: Vec<Position> = (0..n).map(position).collect();
            let mut moves: Vec<u32> = spread(&positions).iter().map(|position| position.moves).collect();
            if 50 < n {
                let first: u32 = moves[..20].iter().filter(|&&moves| moves < n / 2).count() as u32;
                assert!((8..=12).contains(&first), "{moves:?}");
            }
            moves.sort_unstable();
            assert_eq!(moves, (0..n).collect::<Vec<u32>>());
        }
    }
}

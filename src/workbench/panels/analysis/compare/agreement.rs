//! How often A and B agree, by phase of the game: the share of a sample with its interval, and a walk through the
//! disagreements.
//!
//! A worker measures it: A plays for the chosen time, then both strategies decide on its positions.

use std::sync::Arc;
use std::time::Duration;

use egui::{Rect, RichText, ScrollArea, Stroke, Ui, vec2};

use super::SEED;
use super::pair::{Pair, PairKey, failure_ui};
use crate::analysis::{Agreement, Position, Sample, Share, agreement_told};
use crate::game::Rank;
use crate::prose::{interval_text, percent, share_columns};
use crate::strategy::Player;
use crate::table::{Cell, Column, Formats, Table as Data};
use crate::task::{Job, Latest, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{
    Button, DataCell, DataRows, DataTable, Sort, copy_button, csv_of, empty, segmented, work_ui,
};
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
/// Column widths; the last column, a bar, takes the rest.
const WIDTHS: [f32; 4] = [84.0, 168.0, 72.0, 24.0];
const BAR: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    All,
    Empty(u32),
    Largest(Rank),
}

impl Phase {
    /// The disagreements in this phase.
    fn differing(self, measured: &Measured) -> impl Iterator<Item = &Position> {
        measured
            .agreement
            .disagreements
            .iter()
            .filter(move |position| match self {
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
    /// Of the two tables.
    sorts: [Sort<usize>; 2],
}

impl Default for AgreementView {
    fn default() -> Self {
        Self {
            secs: LIMITS[0].0,
            measured: Latest::default(),
            failed: None,
            walk: None,
            sorts: Default::default(),
        }
    }
}

impl AgreementView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, pair: &Pair, commands: &mut Commands) {
        self.follow(pair);
        self.tools_ui(ui, doc, pair);
        failure_ui(
            ui,
            self.failed.as_deref(),
            self.measured.failed(),
            "The measurement",
        );
        let Some(measured) = self
            .measured
            .known()
            .filter(|measured| 0 < measured.agreement.all.n)
            .cloned()
        else {
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

        ScrollArea::vertical()
            .id_salt("phases")
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let [by_empty, by_largest] = measured.phases();
                let chosen = self.walk.map(|(phase, _)| phase);
                let [by_count, by_tile] = &mut self.sorts;
                let mut left = |ui: &mut Ui| table(ui, "empty cells", &by_empty, chosen, by_count);
                let mut right =
                    |ui: &mut Ui| table(ui, "largest tile", &by_largest, chosen, by_tile);
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
        if self.measured.key().is_some_and(|key| *key != pair.key()) {
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
                let info =
                    TaskInfo::asked(TaskGroup::Panel, "Measuring how often two strategies agree");
                self.measured.ask(pair.key(), doc.tasks(), info, work);
            }
            Err(reason) => self.failed = Some(reason),
        }
    }

    fn summary_ui(&self, ui: &mut Ui, measured: &Measured) {
        let theme = Theme::of(ui);
        let (all, compatible) = (measured.agreement.all, measured.agreement.compatible);
        let mut text = format!(
            "Same: {} of {} decisions ({})",
            percent(all),
            words::count(all.n),
            interval_text(all)
        );
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
                let [shown, all] = [shown, phase.differing(measured).count()]
                    .map(|count| words::count(count as u64));
                format!("Disagreement {shown} of {all} with {}", phase.text())
            }
            None => "Click a row to put its next disagreement on the board".to_owned(),
        };
        ui.label(RichText::new(hint).small().color(theme.text3));
        copy_button(ui, "Copy CSV", "the agreement", || {
            csv_of(data(&measured.phases().concat(), ""))
        });
    }

    /// Puts the next disagreement of a phase on the board.
    fn go_on(&mut self, phase: Phase, pair: &Pair, measured: &Measured, commands: &mut Commands) {
        let all = phase.differing(measured).count().max(1);
        let shown = self
            .walk
            .filter(|(own_phase, _)| *own_phase == phase)
            .map_or(0, |(_, shown)| shown % all);
        let position = phase.differing(measured).nth(shown);
        self.walk = position.map(|_| (phase, shown + 1));
        let Some(position) = position else { return };
        let [a, b] = &pair.sides;
        let number = position.moves + 1;
        let title = format!(
            "{} and {} differ, move {number} of game {}",
            a.label, b.label, position.game
        );
        show_position(position.board, position.score, title, commands);
    }
}

/// The phases, with this title, and a column for the bars.
fn data(rows: &[(Phase, Share)], title: &str) -> Data {
    type Row<'a> = &'a (Phase, Share);
    let about = "Share of positions with the same decision, 95 % interval";
    let order = |phase: Phase| match phase {
        Phase::All => 0,
        Phase::Empty(count) => count.into(),
        Phase::Largest(rank) => rank.tile(),
    };
    let mut columns = vec![
        Column::text("phase", "", "", |row: &Row<'_>| row.0.text()).only(Formats::CSV),
        Column::text("order", title, "", move |row: &Row<'_>| {
            Cell::shown(row.0.text(), order(row.0))
        })
        .only(Formats::PEOPLE),
    ];
    columns.extend(share_columns(
        "same",
        ["same", about],
        "positions",
        |row: &Row<'_>| Some(row.1),
    ));
    columns.push(Column::text("bar", "", "", |_: &Row<'_>| "").only(Formats::PEOPLE));
    Data::of(&columns, rows)
}

/// Draws one table and returns the phase of the pressed row.
fn table(
    ui: &mut Ui,
    title: &'static str,
    rows: &[(Phase, Share)],
    chosen: Option<Phase>,
    sort: &mut Sort<usize>,
) -> Option<Phase> {
    let inert: Vec<usize> = (0..rows.len())
        .filter(|&row| rows[row].1.same == rows[row].1.n)
        .collect();
    let look = DataRows {
        inert: &inert,
        selected: rows.iter().position(|(phase, _)| chosen == Some(*phase)),
        folding: &[BAR],
        wide: &[(BAR, 184.0)],
        fits: true,
        ..DataRows::default()
    };
    let name = |row: usize, _: &[String]| {
        let (phase, share) = rows[row];
        format!(
            "{}: {} the same, {}, of {}",
            phase.text(),
            percent(share),
            interval_text(share),
            share.n
        )
    };
    let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| match cell.column {
        BAR => bar(ui, rows[cell.row].1),
        _ => drop(cell.ui(ui, Theme::of(ui).text1)),
    };

    let mut pressed = None;
    let table = DataTable {
        id: title,
        name: title,
        data: data(rows, title).into(),
        sort,
        gap: theme::SPACE_M,
    };
    table.show_rows(
        ui,
        look,
        |_, column, _| WIDTHS[column],
        name,
        cell_ui,
        |row, response| {
            let hint = match inert.contains(&row) {
                true => "They never differ in this phase",
                false => "Put the next disagreement of this phase on the board",
            };
            if response.on_hover_text(hint).clicked() {
                pressed = Some(rows[row].0);
            }
        },
    );
    pressed
}

/// Draws the share as a bar with the ends of its interval.
fn bar(ui: &Ui, share: Share) {
    let (Some(value), Some(interval)) = (share.value(), share.interval()) else {
        return;
    };
    let (theme, painter, space) = (Theme::of(ui), ui.painter(), ui.max_rect());
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

#[derive(Clone, Debug, Default, PartialEq)]
struct Measured {
    games: u64,
    /// Covers the positions that both have decided; contains every disagreement.
    agreement: Agreement,
}

impl Measured {
    /// All positions and those by empty cells; those by the largest tile.
    fn phases(&self) -> [Vec<(Phase, Share)>; 2] {
        let Agreement {
            all,
            by_empty,
            by_largest,
            ..
        } = &self.agreement;
        let by_empty = by_empty
            .iter()
            .map(|(&count, &share)| (Phase::Empty(count), share));
        let by_largest = by_largest
            .iter()
            .map(|(&rank, &share)| (Phase::Largest(rank), share));
        [
            [(Phase::All, *all)].into_iter().chain(by_empty).collect(),
            by_largest.collect(),
        ]
    }
}

/// A plays for `limit`, then both strategies decide on the positions.
fn measure(players: &[Arc<Player>; 2], limit: Duration, job: &Job<Measured>) -> Measured {
    job.control().begin("A plays", "position", 0);
    let sample = Sample::play(&players[0], SEED, MOST_POSITIONS, limit, job.token());
    let mut measured = Measured {
        games: sample.games,
        agreement: Agreement::default(),
    };
    let [a, b] = players;
    let positions = spread(&sample.positions);
    measured.agreement =
        agreement_told([a, b], &positions, usize::MAX, job.control(), |agreement| {
            job.tell_now_and_then(|| Measured {
                agreement: agreement.clone(),
                ..measured.clone()
            });
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
        assert!(
            whole.disagreements.len() < 150 && 0 < whole.all.same && whole.all.same < whole.all.n
        );
        let mut shares = Vec::new();
        let positions = spread(&sample.positions);
        let mut found = agreement_told(
            [&a, &b],
            &positions,
            usize::MAX,
            &Control::quiet(&stop),
            |so_far| shares.push(so_far.all),
        );
        assert!(
            shares.iter().zip(1..).all(|(share, n)| share.n == n),
            "one position after the other"
        );
        assert_eq!(shares.last(), Some(&whole.all));
        found
            .disagreements
            .sort_by_key(|position| (position.game, position.moves));
        assert_eq!(found, whole);
    }

    #[test]
    fn the_order_is_another_one_of_the_same_positions() {
        let position = |moves: u32| {
            let board = "2,2,0,0/0,0,0,0/0,0,0,0/0,0,0,0".parse().expect("a board");
            Position {
                board,
                score: 0,
                game: 0,
                moves,
                left: 0,
            }
        };
        for n in [0_u32, 1, 2, 7, 100, 101] {
            let positions: Vec<Position> = (0..n).map(position).collect();
            let mut moves: Vec<u32> = spread(&positions)
                .iter()
                .map(|position| position.moves)
                .collect();
            if 50 < n {
                let first: u32 = moves[..20].iter().filter(|&&moves| moves < n / 2).count() as u32;
                assert!((8..=12).contains(&first), "{moves:?}");
            }
            moves.sort_unstable();
            assert_eq!(moves, (0..n).collect::<Vec<u32>>());
        }
    }
}

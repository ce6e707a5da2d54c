//! What is odd about the rows of a strategy, with a place to see it.

use std::time::Duration;

use super::evidence::spread;
use super::{Evidence, Position, Sample};
use crate::game::{Board, ByMove, Moves, Rules, Size, Symmetry};
use crate::search::{Lookahead, ROUNDING, SearchOptions};
use crate::strategy::{Criterion, Observer, Player, Strategy};
use crate::task::CancelToken;
use crate::words;

/// Something odd about a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The row, from 0.
    pub row: usize,
    pub kind: FindingKind,
    /// One sentence, with what to do about it.
    pub reason: String,
    /// Where it can be seen.
    pub example: Option<Example>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// The rows before it always decide.
    NeverReached,
    /// It gives all moves one value.
    Constant,
    /// An earlier row says the same.
    Repeats,
    /// Turned or mirrored boards have different values.
    NotSymmetric,
    /// Its tolerance keeps every move.
    TolerantBeyondRange,
    /// Allowed and probably not meant, as [`Strategy::lint`] says.
    Odd,
}

/// A place where something can be seen.
#[derive(Clone, PartialEq, Debug)]
pub enum Example {
    Position {
        /// The board with the player to move.
        board: Board,
        /// Points up to it.
        score: u64,
    },
    /// Two boards that should have one value.
    Pair {
        /// A board of the sample.
        board: Board,
        /// The same turned or mirrored.
        image: Board,
        /// Their values, in this order.
        values: (f64, f64),
        /// What makes the image of the board.
        symmetry: Symmetry,
    },
}

/// Fewer decisions say nothing about what never happens.
const LEAST_DECISIONS: u64 = 20;

/// Positions on which a strategy that searches decides, at most.
const MOST_SEARCHED: usize = 200;

/// How long it does so, at most.
const SEARCHING: Duration = Duration::from_secs(2);

/// What is odd, in the order of the rows. `evidence` is of the same strategy, if there is any; `sample` is of any player on
/// boards of the size of the rules.
///
/// Rows of one ply are looked at on the whole sample; a strategy that searches decides on as many of its positions as it
/// can in two seconds, at most 200. Every sentence says on how many. A strategy that cannot be played by these rules has no
/// findings: [`Strategy::check`] says why.
pub fn findings(
    strategy: &Strategy,
    rules: Rules,
    sample: &Sample,
    evidence: Option<&Evidence>,
    stop: &CancelToken,
) -> Vec<Finding> {
    if strategy.check(rules.size).is_err() {
        return Vec::new();
    }
    let player = Player::new(strategy, rules);
    let evidence = evidence.filter(|evidence| evidence.rows.len() == strategy.criteria.len());
    let seen = Seen::gather(&player, strategy, sample, stop);
    let mut found = Vec::new();
    for (row, criterion) in strategy.criteria.iter().enumerate().filter(|(_, criterion)| !criterion.off) {
        let of_row = OfRow { row, criterion, seen: &seen, evidence };
        let repeats = strategy.repetition(row).map(|warning| Finding {
            row,
            kind: FindingKind::Repeats,
            reason: words::capitalised(&warning.reason),
            example: seen.rows[row].tie.map(example),
        });
        // That it strikes nothing out follows from a repetition, and everything from never being asked.
        found.extend(of_row.never_reached().or(repeats).or_else(|| of_row.useless()));
        found.extend(not_symmetric(row, criterion, rules.size, sample));
        found.extend(strategy.lint_row(row, rules.size).into_iter().map(|warning| Finding {
            row,
            kind: FindingKind::Odd,
            reason: words::capitalised(&warning.reason),
            example: None,
        }));
    }
    found
}

/// What the rows said on the positions of a sample.
#[derive(Default)]
struct Seen {
    /// Positions that were decided on.
    decisions: u64,
    rows: Vec<SeenRow>,
    /// A position where a decision was made.
    first: Option<Position>,
}

#[derive(Clone, Default)]
struct SeenRow {
    /// Decisions that reached it, and those where it struck a move out.
    asked: u64,
    struck: u64,
    /// The largest difference between the best and the worst value where it was asked.
    widest: f64,
    /// Where it was asked and kept all.
    tie: Option<Position>,
    /// The same of all legal moves of every position, whether it was asked or not; `None` of a row that searches.
    everywhere: Option<(u64, f64)>,
}

impl Seen {
    fn gather(player: &Player, strategy: &Strategy, sample: &Sample, stop: &CancelToken) -> Self {
        let mut seen = Self { rows: vec![SeenRow::default(); strategy.criteria.len()], ..Self::default() };
        let all = sample.positions.len();
        let (limit, every) =
            if player.searches() { (Some(SEARCHING), all.div_ceil(MOST_SEARCHED).max(1)) } else { (None, 1) };
        stop.within(limit, |stop| {
            let options = SearchOptions::on_one_core(stop);
            for position in sample.positions.iter().step_by(every) {
                if stop.is_cancelled() {
                    break;
                }
                let mut trace = RowsTrace(Vec::new());
                if player.decide(&position.board, position.score, |_| 0, options, &mut trace).is_some() {
                    seen.decided(position, &trace.0);
                }
            }
        });
        for (row, criterion) in strategy.criteria.iter().enumerate() {
            if criterion.lookahead == Lookahead::OnePly && !criterion.off {
                seen.rows[row].everywhere = Some(everywhere(player, row, sample, stop));
            }
        }
        seen
    }

    fn decided(&mut self, position: &Position, rows: &[(usize, bool, f64)]) {
        self.decisions += 1;
        self.first.get_or_insert(*position);
        for &(row, struck, spread) in rows {
            let row = &mut self.rows[row];
            row.asked += 1;
            row.struck += u64::from(struck);
            row.widest = row.widest.max(spread);
            if !struck {
                row.tie.get_or_insert(*position);
            }
        }
    }
}

/// On how many positions a row of one ply was asked about all legal moves, and the largest difference it made.
fn everywhere(player: &Player, row: usize, sample: &Sample, stop: &CancelToken) -> (u64, f64) {
    let (mut n, mut widest) = (0, 0.0_f64);
    let Some(asked) = player.criterion(row) else { return (n, widest) };
    for position in &sample.positions {
        let legal = position.board.legal_moves();
        let Some(values) = asked.values(&position.board, position.score, legal, SearchOptions::on_one_core(stop))
        else {
            continue;
        };
        n += 1;
        widest = widest.max(spread(&values.to_real(), legal));
        if stop.is_cancelled() {
            break;
        }
    }
    (n, widest)
}

/// The rows of one decision: which, whether it struck a move out, the difference between its best and worst value.
struct RowsTrace(Vec<(usize, bool, f64)>);

impl Observer for RowsTrace {
    type Recorder = ();

    fn criterion(&mut self, row: usize, seen: Moves, values: impl FnOnce() -> ByMove<f64>, kept: Moves) {
        self.0.push((row, kept != seen, spread(&values(), seen)));
    }
}

/// One row and all that is known of it.
struct OfRow<'a> {
    row: usize,
    criterion: &'a Criterion,
    seen: &'a Seen,
    evidence: Option<&'a Evidence>,
}

impl OfRow<'_> {
    fn finding(&self, kind: FindingKind, said: &str, example: Option<Position>) -> Finding {
        let label = self.criterion.evaluator.label();
        let reason = format!("Row {}, {label}, {said}", self.row + 1);
        Finding { row: self.row, kind, reason, example: example.map(self::example) }
    }

    /// Decisions of the games and of the sample.
    fn decisions(&self) -> u64 {
        self.seen.decisions + self.evidence.map_or(0, |evidence| evidence.decisions)
    }

    fn asked(&self) -> u64 {
        self.seen.rows[self.row].asked + self.evidence.map_or(0, |evidence| evidence.rows[self.row].asked)
    }

    /// Whether it has struck a move out, in the games or on the sample.
    fn struck(&self) -> bool {
        let in_games = self.evidence.is_some_and(|evidence| {
            let row = &evidence.rows[self.row];
            row.passed != row.asked
        });
        in_games || self.seen.rows[self.row].struck != 0
    }

    fn never_reached(&self) -> Option<Finding> {
        let decisions = self.decisions();
        (self.asked() == 0 && LEAST_DECISIONS <= decisions).then(|| {
            let said = format!(
                "was never reached in {}, the rows before it had always left one move: move it up, give one of them a \
                 tolerance, or leave it out",
                words::plural(decisions, "decision")
            );
            self.finding(FindingKind::NeverReached, &said, self.seen.first)
        })
    }

    /// It never strikes a move out.
    fn useless(&self) -> Option<Finding> {
        let seen = &self.seen.rows[self.row];
        let tolerance = self.criterion.tolerance;
        let example = seen.tie.or(self.seen.first);
        match seen.everywhere {
            Some((n, widest)) if LEAST_DECISIONS <= n && widest == 0.0 && !self.struck() => {
                let said = format!(
                    "gives all moves one value on each of {}: leave it out or change it",
                    words::plural(n, "position")
                );
                return Some(self.finding(FindingKind::Constant, &said, example));
            }
            Some((n, widest)) if LEAST_DECISIONS <= n && widest <= tolerance && !self.struck() => {
                let said = format!(
                    "keeps every move: its tolerance of {} is at least the {} by which its values ever differ on {}; make it \
                     smaller",
                    words::decimals_short(tolerance),
                    words::value(widest),
                    words::plural(n, "position")
                );
                return Some(self.finding(FindingKind::TolerantBeyondRange, &said, example));
            }
            _ => {}
        }
        if self.asked() < LEAST_DECISIONS || self.struck() {
            return None;
        }
        let asked = words::plural(self.asked(), "decision");
        let in_games = self.evidence.map_or(0.0, |evidence| evidence.rows[self.row].widest);
        let widest = seen.widest.max(in_games);
        let (kind, said) = if 0.0 < tolerance && 0.0 < widest {
            let said = format!(
                "kept every move in all {asked} that reached it: its tolerance of {} is at least the {} by which its values \
                 differed there; make it smaller",
                words::decimals_short(tolerance),
                words::value(widest)
            );
            (FindingKind::TolerantBeyondRange, said)
        } else {
            let said = format!(
                "found a tie in all {asked} that reached it, the rows before it leave it nothing to tell apart: move it up or \
                 leave it out"
            );
            (FindingKind::Constant, said)
        };
        Some(self.finding(kind, &said, example))
    }
}

/// The images that are tried, as places in [`Symmetry::ALL`]: mirrors and turns that everybody sees first.
const TRIED: [usize; 7] = [2, 4, 6, 3, 5, 1, 7];

/// A row whose evaluator knows one corner from another: the least board of the sample on which that shows.
///
/// The image of a real board is as real: the game turned or mirrored from its first tile on is as probable.
fn not_symmetric(row: usize, criterion: &Criterion, size: Size, sample: &Sample) -> Option<Finding> {
    let evaluator = &criterion.evaluator;
    if evaluator.is_symmetric(size) {
        return None;
    }
    let tiles = |board: &Board| size.cells() as u32 - board.empty_count();
    let mut positions: Vec<&Position> =
        sample.positions.iter().filter(|position| position.board.size() == size).collect();
    positions.sort_by_key(|position| (tiles(&position.board), position.board.tile_sum()));
    let pair = positions.into_iter().find_map(|position| {
        let value = |board: &Board| evaluator.evaluate(board, position.score);
        let board = position.board;
        TRIED.map(|index| Symmetry::ALL[index]).into_iter().filter(|symmetry| symmetry.keeps(size)).find_map(
            |symmetry| {
                let image = symmetry.image(&board);
                let values = (value(&board), value(&image));
                let differs = values.0.abs().max(values.1.abs()) * ROUNDING < (values.0 - values.1).abs();
                differs.then(|| Example::Pair { board, image, values, symmetry })
            },
        )
    })?;
    let Example::Pair { values: (one, other), symmetry, .. } = &pair else { return None };
    let (one, other) = if words::value(*one) == words::value(*other) {
        (one.to_string(), other.to_string())
    } else {
        (words::value(*one), words::value(*other))
    };
    let reason = format!(
        "Row {}, {}, is not symmetric: a board worth {one} is worth {other} when it is {}; change it \
         unless one corner is meant",
        row + 1,
        evaluator.label(),
        symmetry.name()
    );
    Some(Finding { row, kind: FindingKind::NotSymmetric, reason, example: Some(pair) })
}

fn example(position: Position) -> Example {
    Example::Position { board: position.board, score: position.score }
}

//! Oddities in the rows of a strategy, each with an example.

use std::time::Duration;

use super::evidence::spread;
use super::{Evidence, Position, RowEvidence, Sample};
use crate::game::{Board, Rules, Size, Symmetry};
use crate::search::{Lookahead, ROUNDING, SearchOptions};
use crate::strategy::{Criterion, Player, Strategy, Warning};
use crate::task::CancelToken;

#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The row, from 0.
    pub row: usize,
    pub kind: FindingKind,
    pub observed: Observed,
    pub example: Option<Example>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// The rows before it always decide.
    NeverReached,
    /// It gives all moves the same value.
    Constant,
    /// It repeats an earlier row.
    Repeats,
    /// Rotated or mirrored boards have different values.
    NotSymmetric,
    /// Its tolerance keeps every move.
    TolerantBeyondRange,
    /// Allowed but probably not intended, as [`Strategy::lint`] says.
    Odd,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Observed {
    /// No decision reached it.
    NeverReached { decisions: u64 },
    /// All moves had the same value.
    OneValue { positions: u64 },
    /// All decisions that reached it were ties.
    AlwaysTied { decisions: u64 },
    /// The values of the moves never differed by more than this.
    Tolerated {
        tolerance: f64,
        widest: f64,
        on: ToleratedOn,
    },
    /// The boards are the example.
    NotSymmetric,
    /// A warning from the strategy alone.
    Warning(Warning),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToleratedOn {
    /// On these positions, all legal moves.
    Positions(u64),
    /// In the decisions that reached the row.
    Decisions(u64),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Example {
    /// With the player to move, and the points up to it.
    Position { board: Board, score: u64 },
    /// A board of the sample and its image under `symmetry`, which should have the same value, and their values.
    Pair {
        board: Board,
        image: Board,
        values: (f64, f64),
        symmetry: Symmetry,
    },
}

/// Fewer decisions are too few to say that something never happens.
const LEAST_DECISIONS: u64 = 20;

/// The most positions on which a strategy that searches decides.
const MOST_SEARCHED: usize = 200;

/// How long it does so, at most.
const SEARCHING: Duration = Duration::from_secs(2);

/// The oddities in the order of the rows, from `evidence` of the strategy, if any, and a sample of any player.
///
/// Rows of one ply are evaluated on the whole sample; a strategy that searches decides for at most two seconds on at
/// most 200 positions. A strategy that cannot be played by these rules has no findings.
pub fn findings(
    strategy: &Strategy,
    rules: Rules,
    sample: &Sample,
    evidence: Option<&Evidence>,
    stop: &CancelToken,
) -> Vec<Finding> {
    if strategy.check_for(rules).is_err() {
        return Vec::new();
    }
    let player = Player::new(strategy, rules);
    let evidence = evidence.filter(|evidence| evidence.rows.len() == strategy.criteria.len());
    let seen = Seen::gather(&player, strategy, sample, stop);
    let mut found = Vec::new();
    for (row, criterion) in strategy
        .criteria
        .iter()
        .enumerate()
        .filter(|(_, criterion)| !criterion.off)
    {
        let of_row = OfRow {
            row,
            criterion,
            seen: &seen,
            evidence,
        };
        let warned =
            |kind, warning, example| of_row.finding(kind, Observed::Warning(warning), example);
        let tie = seen.evidence.rows[row].tie;
        let repeats = strategy
            .repetition(row)
            .map(|warning| warned(FindingKind::Repeats, warning, tie));
        // A row that repeats another removes nothing, and a row that is never reached does nothing at all, so only the
        // first is reported.
        found.extend(
            of_row
                .never_reached()
                .or(repeats)
                .or_else(|| of_row.useless()),
        );
        found.extend(not_symmetric(row, criterion, rules.size, sample));
        let odd = strategy.lint_row(row, rules.size).into_iter();
        found.extend(odd.map(|warning| warned(FindingKind::Odd, warning, None)));
    }

    found
}

/// What the rows did on the positions of a sample.
struct Seen {
    evidence: Evidence,
    /// A position where a decision was made.
    first: Option<Position>,
    /// For each row of one ply, the number of positions on which it was evaluated for all legal moves, and its largest
    /// difference.
    everywhere: Vec<Option<(u64, f64)>>,
}

impl Seen {
    fn gather(player: &Player, strategy: &Strategy, sample: &Sample, stop: &CancelToken) -> Self {
        let all = sample.positions.len();
        let (limit, every) = if player.searches() {
            (Some(SEARCHING), all.div_ceil(MOST_SEARCHED).max(1))
        } else {
            (None, 1)
        };
        let positions = sample.positions.iter().step_by(every);
        let evidence = stop.within(limit, |stop| Evidence::on(player, positions, stop));
        let of_row = |(row, criterion): (usize, &Criterion)| {
            let is_plain = criterion.lookahead == Lookahead::OnePly && !criterion.off;
            is_plain.then(|| everywhere(player, row, sample, stop))
        };
        let everywhere = strategy.criteria.iter().enumerate().map(of_row).collect();
        let first = sample
            .positions
            .first()
            .copied()
            .filter(|_| evidence.decisions != 0);
        Self {
            evidence,
            first,
            everywhere,
        }
    }
}

/// The number of positions on which a row of one ply was evaluated for all legal moves, and its largest difference.
fn everywhere(player: &Player, row: usize, sample: &Sample, stop: &CancelToken) -> (u64, f64) {
    let (mut n, mut widest) = (0, 0.0_f64);
    let Some(criterion) = player.criterion(row) else {
        return (n, widest);
    };
    for position in &sample.positions {
        let (legal, options) = (
            position.board.legal_moves(),
            SearchOptions::on_one_core(stop),
        );
        let Some(values) = criterion.values(&position.board, position.score, legal, options) else {
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

/// One row with all observations.
struct OfRow<'a> {
    row: usize,
    criterion: &'a Criterion,
    seen: &'a Seen,
    evidence: Option<&'a Evidence>,
}

impl OfRow<'_> {
    fn finding(&self, kind: FindingKind, observed: Observed, example: Option<Position>) -> Finding {
        let example =
            example.map(|Position { board, score, .. }| Example::Position { board, score });
        Finding {
            row: self.row,
            kind,
            observed,
            example,
        }
    }

    /// The evidence from the sample, and from the games if there are any.
    fn all(&self) -> impl Iterator<Item = &Evidence> {
        std::iter::once(&self.seen.evidence).chain(self.evidence)
    }

    fn rows(&self) -> impl Iterator<Item = &RowEvidence> {
        self.all().map(|evidence| &evidence.rows[self.row])
    }

    fn asked(&self) -> u64 {
        self.rows().map(|row| row.asked).sum()
    }

    fn never_reached(&self) -> Option<Finding> {
        let decisions = self.all().map(|evidence| evidence.decisions).sum();
        let observed = Observed::NeverReached { decisions };
        (self.asked() == 0 && LEAST_DECISIONS <= decisions)
            .then(|| self.finding(FindingKind::NeverReached, observed, self.seen.first))
    }

    /// It never removes a move.
    fn useless(&self) -> Option<Finding> {
        if self.rows().any(|row| row.passed != row.asked) {
            return None;
        }
        let tolerance = self.criterion.tolerance;
        let example = self.seen.evidence.rows[self.row].tie.or(self.seen.first);
        let tolerated = |widest, on| {
            let observed = Observed::Tolerated {
                tolerance,
                widest,
                on,
            };
            Some(self.finding(FindingKind::TolerantBeyondRange, observed, example))
        };

        let constant = |observed| Some(self.finding(FindingKind::Constant, observed, example));
        match self.seen.everywhere[self.row].filter(|(positions, _)| LEAST_DECISIONS <= *positions)
        {
            Some((positions, 0.0)) => return constant(Observed::OneValue { positions }),
            Some((positions, widest)) if widest <= tolerance => {
                return tolerated(widest, ToleratedOn::Positions(positions));
            }
            _ => {}
        }

        let decisions = self.asked();
        let widest = self.rows().map(|row| row.widest).fold(0.0, f64::max);
        match decisions {
            0..LEAST_DECISIONS => None,
            _ if 0.0 < tolerance && 0.0 < widest => {
                tolerated(widest, ToleratedOn::Decisions(decisions))
            }
            _ => constant(Observed::AlwaysTied { decisions }),
        }
    }
}

/// The images that are tried, as places in [`Symmetry::ALL`]: the mirrors and rotations that are seen most easily
/// first.
const TRIED: [usize; 7] = [2, 4, 6, 3, 5, 1, 7];

/// For a row whose evaluator distinguishes the corners: the smallest board of the sample that shows it. Its image is
/// just as realistic, since the game rotated from its first tile on has the same probability.
fn not_symmetric(
    row: usize,
    criterion: &Criterion,
    size: Size,
    sample: &Sample,
) -> Option<Finding> {
    let evaluator = &criterion.evaluator;
    if evaluator.is_symmetric(size) {
        return None;
    }
    let tiles = |board: &Board| size.cells() as u32 - board.empty_count();
    let mut positions: Vec<&Position> = sample
        .positions
        .iter()
        .filter(|position| position.board.size() == size)
        .collect();
    positions.sort_by_key(|position| (tiles(&position.board), position.board.tile_sum()));
    let pair = positions.into_iter().find_map(|position| {
        let value = |board: &Board| evaluator.evaluate(board, position.score);
        let board = position.board;
        TRIED
            .map(|index| Symmetry::ALL[index])
            .into_iter()
            .filter(|symmetry| symmetry.keeps(size))
            .find_map(|symmetry| {
                let image = symmetry.image(&board);
                let values = (value(&board), value(&image));
                let differs =
                    values.0.abs().max(values.1.abs()) * ROUNDING < (values.0 - values.1).abs();
                differs.then_some(Example::Pair {
                    board,
                    image,
                    values,
                    symmetry,
                })
            })
    })?;

    Some(Finding {
        row,
        kind: FindingKind::NotSymmetric,
        observed: Observed::NotSymmetric,
        example: Some(pair),
    })
}

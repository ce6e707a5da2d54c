//! Warnings about settings that are allowed but probably not intended.

use std::fmt;
use std::sync::OnceLock;

use super::{Criterion, GameTrace, Strategy};
use crate::evaluator::Evaluator;
use crate::game::{Board, Move, Rank, Rules, Size};
use crate::search::{Cut, Lookahead, Plies};
use crate::words;

/// A valid but questionable setting, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The path to the value, such as `criteria[0].lookahead`.
    pub path: String,
    /// What is questionable, and what may be intended.
    pub reason: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning: {}: {}", self.path, self.reason)
    }
}

/// Above this probability a reach cut leaves hardly anything to search: a 4 in one of nine empty cells is below it.
const HIGHEST_REACH: f64 = 0.1;

/// A term whose whole range is smaller than another's least step by this factor only breaks ties.
const SWAMPED: f64 = 1e4;

impl Strategy {
    /// Warnings for boards of this size, in the order of the rows. [`check`](Self::check) reports errors.
    pub fn lint(&self, size: Size) -> Vec<Warning> {
        (0..self.criteria.len())
            .flat_map(|row| {
                self.lint_row(row, size)
                    .into_iter()
                    .chain(self.repetition(row))
            })
            .collect()
    }

    /// Warnings about the settings of one row. Empty for a row that is off.
    pub fn lint_row(&self, row: usize, size: Size) -> Vec<Warning> {
        let Some(criterion) = self.criteria.get(row).filter(|criterion| !criterion.off) else {
            return Vec::new();
        };
        let warning = |field: &str, reason| Warning {
            path: format!("criteria[{row}].{field}"),
            reason,
        };
        let evaluator = terms(&criterion.evaluator, size)
            .into_iter()
            .map(|reason| warning("evaluator", reason));
        let lookahead = lookahead(&criterion.lookahead, size)
            .into_iter()
            .map(|reason| warning("lookahead", reason));
        let unasked = not_asked(criterion)
            .into_iter()
            .map(|reason| warning("evaluator", reason));
        evaluator.chain(lookahead).chain(unasked).collect()
    }

    /// A warning if a row repeats an earlier one.
    pub fn repetition(&self, row: usize) -> Option<Warning> {
        // It never drops a move, and represents rows that did not.
        if self.criteria.get(row)?.evaluator == Evaluator::Inert {
            return None;
        }
        let earlier = repeats(&self.criteria, row)?;
        let reason = format!(
            "row {} repeats row {}, so it never removes a move: leave it out or change it",
            row + 1,
            earlier + 1
        );
        Some(Warning {
            path: format!("criteria[{row}]"),
            reason,
        })
    }
}

/// A warning if playouts are not valued by the evaluator of their row.
fn not_asked(criterion: &Criterion) -> Option<String> {
    let sampled = criterion.lookahead.sampled()?;
    let says_nothing = matches!(criterion.evaluator, Evaluator::Score | Evaluator::Inert);
    (!sampled.asks_evaluator() && !says_nothing).then(|| {
        let (evaluator, by) = (criterion.evaluator.label(), sampled.subject(&criterion.evaluator));
        format!("{evaluator} is not used, because the playouts count {by}: let them count the evaluator, or write Score here")
    })
}

/// The earlier row that makes this row useless, if there is one.
///
/// The moves that a row keeps have values within its tolerance of each other. A later row with the same values drops
/// nothing unless its tolerance is smaller. A search with a limit does not count, because it looks deeper with fewer
/// moves.
pub fn repeats(criteria: &[Criterion], row: usize) -> Option<usize> {
    let this = criteria
        .get(row)
        .filter(|this| !this.off && !this.lookahead.minds_the_others())?;
    criteria[..row].iter().position(|earlier| {
        !earlier.off
            && earlier.evaluator == this.evaluator
            && earlier.lookahead == this.lookahead
            && earlier.tolerance <= this.tolerance
    })
}

fn lookahead(lookahead: &Lookahead, size: Size) -> Vec<String> {
    let mut reasons = Vec::new();
    if let Some(Plies::ByEmpty(steps)) = lookahead.plies() {
        if let Some(&(at_least, plies)) = steps.last().filter(|&&(at_least, _)| at_least != 0) {
            reasons.push(format!(
                "ByEmpty has no pair for fewer than {at_least} empty cells, so the last one, {plies} plies, applies: \
                 write (0, {plies}) to make that explicit"
            ));
        }
        let cells = size.cells();
        if let Some((at_least, plies)) = steps
            .iter()
            .find(|&&(at_least, _)| cells <= at_least as usize)
        {
            reasons.push(format!(
                "({at_least}, {plies}) of ByEmpty never applies: a {size} board has {cells} cells"
            ));
        }
    }

    for cut in lookahead.cuts() {
        match cut {
            Cut::AlphaBeta if !lookahead.is_minimax() => {
                reasons.push(
                    "AlphaBeta has no effect in an Expectimax search: leave it out or search with Minimax".to_owned(),
                );
            }
            Cut::Reach(threshold) if HIGHEST_REACH < *threshold => reasons.push(format!(
                "Reach({threshold}) cuts off nearly everything: write a threshold below 0.01, such as 0.0001"
            )),
            Cut::AlphaBeta | Cut::Reach(_) | Cut::ImportantCells { .. } | Cut::WorstSpawns => {}
        }
    }

    if !lookahead.is_reproducible() {
        reasons.push(
            "time_ms makes games depend on the speed of the machine: limit nodes instead to get reproducible games"
                .to_owned(),
        );
    }
    reasons
}

/// One term of a sum on real boards.
struct Term {
    label: String,
    range: f64,
    /// The least difference between two moves that differ.
    step: f64,
    /// The largest absolute value.
    largest: f64,
    /// Whether it is meant to outweigh all others once it counts.
    is_goal: bool,
}

/// Terms of a sum that have no effect, judged by their values on the same boards.
fn terms(evaluator: &Evaluator, size: Size) -> Vec<String> {
    let Evaluator::Sum(terms) = evaluator else {
        return Vec::new();
    };
    // Linting starts no programs.
    if terms.len() < 2 || evaluator.check(size).is_err() || !evaluator.programs().is_empty() {
        return Vec::new();
    }

    let positions = positions(size);
    let terms: Vec<Term> = terms
        .iter()
        .map(|(weight, evaluator)| Term::new(*weight, evaluator, positions))
        .collect();
    terms
        .iter()
        .enumerate()
        .filter_map(|(index, term)| {
            let others = || {
                let weighs =
                    move |&(other, term): &(usize, &Term)| other != index && term.range != 0.0 && !term.is_goal;
                terms.iter().enumerate().filter(weighs).map(|(_, other)| other)
            };
            let label = &term.label;
            if term.range == 0.0 && !term.is_goal {
                return Some(format!(
                    "{label} of the Sum is the same on every board: leave it out or change its weight"
                ));
            }
            let is_lost = |other: &&Term| term.range < other.largest * f64::EPSILON && !term.is_goal;
            if let Some(other) = others().find(is_lost) {
                return Some(format!(
                    "{label} of the Sum is lost in the rounding of {}: move it to a row of its own",
                    other.label
                ));
            }
            let other = others().find(|other| term.range * SWAMPED < other.step && !term.is_goal)?;
            Some(format!(
                "{label} of the Sum only counts where {} is equal: a row of its own below would be clearer",
                other.label
            ))
        })
        .collect()
}

impl Term {
    fn new(weight: f64, evaluator: &Evaluator, positions: &[(Board, u64)]) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut step = f64::INFINITY;
        for (board, score) in positions {
            let values: Vec<f64> = Move::ALL
                .iter()
                .filter_map(|&mv| board.slide(mv))
                .map(|slide| {
                    weight
                        * evaluator.evaluate(&slide.after.board(), score + u64::from(slide.reward))
                })
                .collect();
            for (index, value) in values.iter().enumerate() {
                (low, high) = (low.min(*value), high.max(*value));
                let differences = values[..index].iter().map(|other| (value - other).abs());
                step = differences
                    .filter(|&difference| difference != 0.0)
                    .fold(step, f64::min);
            }
        }

        let label = format!("{} · {}", words::decimals_short(weight), evaluator.label());
        let is_goal = matches!(evaluator, Evaluator::HasTile(_));
        Self {
            label,
            range: high - low,
            step,
            largest: low.abs().max(high.abs()),
            is_goal,
        }
    }
}

type Positions = Vec<(Board, u64)>;

/// Boards of a real game, and the same with every tile sixteen times as large, as in strong play.
fn positions(size: Size) -> &'static [(Board, u64)] {
    const SIDES: usize = (Size::MAX - Size::MIN + 1) as usize;
    static PLAYED: [[OnceLock<Positions>; SIDES]; SIDES] =
        [const { [const { OnceLock::new() }; SIDES] }; SIDES];
    let least = usize::from(Size::MIN);
    PLAYED[size.rows() - least][size.cols() - least].get_or_init(|| play_positions(size))
}

fn play_positions(size: Size) -> Positions {
    const LARGER: u8 = 4;
    let moments = GameTrace::shallow(Rules::default().on(size));
    let every = moments.len().div_ceil(16);
    let positions = moments
        .iter()
        .step_by(every)
        .map(|moment| (moment.board, moment.score));
    let larger = positions.clone().map(|(board, score)| {
        let raised = board.cells().filter(|(_, rank)| !rank.is_empty()).fold(
            board,
            |raised, (cell, rank)| {
                Rank::new(rank.get() + LARGER).map_or(raised, |rank| raised.with(cell, rank))
            },
        );
        (raised, score << LARGER)
    });
    positions.chain(larger).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lint(row: &str, size: &str) -> Vec<String> {
        let strategy: Strategy = format!("(criteria: [{row}])")
            .parse()
            .unwrap_or_else(|error| panic!("{row}: {error}"));
        let size = size.parse().expect("a size");
        assert_eq!(strategy.check(size), Ok(()), "{row}");
        strategy
            .lint(size)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    #[test]
    fn what_is_usual_raises_no_eyebrow() {
        for row in [
            "",
            "(evaluator: Sum([(1, Score), (50, Empty)]))",
            "(evaluator: Sum([(0.25, Score), (100, Empty), (1, Monotonicity)]), lookahead: Expectimax(plies: Fixed(4)))",
            "(evaluator: Empty, lookahead: Minimax(plies: ByEmpty([(7, 4), (0, 6)]), cuts: [AlphaBeta]))",
            "(evaluator: Empty, lookahead: Expectimax(plies: ByDistinct(), cuts: [Reach(0.0001)]))",
            "(evaluator: Empty, tolerance: 1), (evaluator: Empty, prefer: Lower), (evaluator: Inert)",
            "(evaluator: Empty, off: true), (evaluator: Empty)",
            "(evaluator: Empty, lookahead: Expectimax(nodes: 99)), (evaluator: Empty, lookahead: Expectimax(nodes: 99))",
            "(evaluator: Empty, tolerance: 2), (evaluator: Monotonicity), (evaluator: Empty)",
        ] {
            assert_eq!(lint(row, "4x4"), [""; 0], "{row}");
        }
        assert_eq!(
            lint("(evaluator: Sum([(1, Score), (50, Empty)]))", "2x2"),
            [""; 0]
        );
    }

    #[test]
    fn what_is_odd_is_said_with_its_place() {
        let search = "evaluator: Empty, lookahead: ";
        for (row, size, path, words) in [
            (
                "Expectimax(plies: ByEmpty([(7, 4), (2, 6)]))",
                "4x4",
                "lookahead",
                "fewer than 2 empty cells",
            ),
            (
                "Expectimax(plies: ByEmpty([(9, 4), (0, 6)]))",
                "3x3",
                "lookahead",
                "(9, 4) of ByEmpty never applies",
            ),
            (
                "Expectimax(cuts: [AlphaBeta])",
                "4x4",
                "lookahead",
                "AlphaBeta has no effect",
            ),
            (
                "Expectimax(cuts: [Reach(0.2)])",
                "4x4",
                "lookahead",
                "Reach(0.2) cuts off nearly everything",
            ),
            (
                "Minimax(time_ms: 10)",
                "4x4",
                "lookahead",
                "speed of the machine",
            ),
        ] {
            let warnings = lint(&format!("({search}{row})"), size);
            let [warning] = &warnings[..] else {
                panic!("{row}: {warnings:?}")
            };
            assert!(
                warning.starts_with(&format!("warning: criteria[0].{path}: ")),
                "{warning}"
            );
            assert!(warning.contains(words), "{warning}");
        }

        let twice = lint(
            "(evaluator: Empty), (evaluator: Monotonicity), (evaluator: Empty, tolerance: 1)",
            "4x4",
        );
        assert!(
            twice.len() == 1 && twice[0].contains("criteria[2]: row 3 repeats row 1"),
            "{twice:?}"
        );
        assert_eq!(
            lint(
                "(evaluator: Inert), (evaluator: Empty), (evaluator: Inert)",
                "4x4"
            ),
            [] as [String; 0]
        );
        let back = lint(
            "(evaluator: Empty), (evaluator: Empty, prefer: Lower)",
            "4x4",
        );
        assert!(
            back.len() == 1 && back[0].contains("criteria[1]: row 2 repeats row 1"),
            "{back:?}"
        );
    }

    #[test]
    fn terms_that_never_weigh_are_named() {
        for (sum, words) in [
            (
                "Sum([(1e9, Score), (1, Empty)])",
                "1 · Empty of the Sum only counts where 1000000000 · Score is equal",
            ),
            (
                "Sum([(1, Score), (1e-15, Empty)])",
                "Empty of the Sum is lost in the rounding of 1 · Score",
            ),
            (
                "Sum([(0, Score), (1, Empty)])",
                "0 · Score of the Sum is the same on every board",
            ),
            (
                "Sum([(5, Inert), (1, Empty)])",
                "5 · Inert of the Sum is the same on every board",
            ),
        ] {
            for size in ["4x4", "3x5"] {
                let warnings = lint(&format!("(evaluator: {sum})"), size);
                assert!(
                    warnings.len() == 1 && warnings[0].contains(words),
                    "{sum}: {warnings:?}"
                );
            }
        }
    }

    #[test]
    fn an_evaluator_that_no_playout_asks_is_named() {
        for (row, is_odd) in [
            ("evaluator: Snake, lookahead: MonteCarlo(of: Score)", true),
            ("evaluator: Empty, lookahead: Mcts(of: Reach(2048))", true),
            ("evaluator: Snake, lookahead: MonteCarlo()", false),
            ("evaluator: Score, lookahead: MonteCarlo(of: Score)", false),
            ("evaluator: Score, lookahead: Mcts(of: Reach(2048))", false),
            ("evaluator: Snake, lookahead: AveragedSearch()", false),
        ] {
            let warnings = lint(&format!("({row})"), "4x4");
            assert_eq!(warnings.len(), usize::from(is_odd), "{row}: {warnings:?}");
            assert!(
                warnings
                    .iter()
                    .all(|warning| warning.contains("criteria[0].evaluator: ")
                        && warning.contains("is not used"))
            );
        }
    }

    #[test]
    fn a_tile_to_be_made_may_outweigh_everything() {
        let row = "(evaluator: Sum([(1, MaxRank), (1, Empty), (10000, HasTile(65536))]))";
        assert_eq!(lint(row, "4x4"), [] as [String; 0]);
    }

    #[test]
    fn the_boards_of_a_sum_are_real_ones() {
        for size in Size::all() {
            let positions = positions(size);
            assert!(
                positions.iter().any(|(board, _)| !board.is_dead()),
                "{size}"
            );
            assert!(positions.iter().all(|(board, _)| board.size() == size));
        }
    }
}

//! A strategy made ready for one set of rules, and the one way it chooses.

use super::{LastResort, Prefer, Strategy};
use crate::evaluator::{Compiled, Evaluate, Values};
use crate::game::{ByMove, Move, Moves, Position, Rules, Slides as _};
use crate::search::Lookahead;

/// A strategy compiled for one set of rules; share it between threads by reference or `Arc`.
#[derive(Debug)]
pub struct Player {
    pub(super) rules: Rules,
    pub(super) rows: Vec<Row>,
    last_resort: LastResort,
}

/// A criterion ready to play.
#[derive(Debug)]
pub(super) struct Row {
    evaluator: Compiled,
    lookahead: Lookahead,
    prefer: Prefer,
    tolerance: f64,
    /// The tolerance among whole numbers, where a fraction tolerates nothing.
    whole_tolerance: i64,
}

/// Sees every value of a decision. Batches use `()`, which compiles to nothing.
pub trait Witness {
    /// Criterion number `row` gave `values` to the moves in `seen` and kept `kept`.
    fn criterion(&mut self, row: usize, seen: Moves, values: impl FnOnce() -> ByMove<f64>, kept: Moves);
    /// The moves between which the last resort decides.
    fn last_resort(&mut self, among: Moves);
}

impl Witness for () {
    #[inline(always)]
    fn criterion(&mut self, _row: usize, _seen: Moves, _values: impl FnOnce() -> ByMove<f64>, _kept: Moves) {}
    #[inline(always)]
    fn last_resort(&mut self, _among: Moves) {}
}

impl Player {
    /// Prepares a strategy. Parameters should have passed [`Strategy::check`]; numbers that are not finite make a
    /// criterion keep every move.
    pub fn new(strategy: &Strategy, rules: Rules) -> Self {
        let row = |criterion: &super::Criterion| Row {
            evaluator: Compiled::new(&criterion.evaluator),
            lookahead: criterion.lookahead.clone(),
            prefer: criterion.prefer,
            tolerance: criterion.tolerance,
            // Without NaN, which no comparison likes: an endless tolerance keeps every move, too.
            whole_tolerance: if criterion.tolerance.is_nan() { i64::MAX } else { criterion.tolerance.floor() as i64 },
        };
        Self { rules, rows: strategy.criteria.iter().map(row).collect(), last_resort: strategy.last_resort }
    }

    /// The rules it plays by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Chooses one of the legal slides; `None` when there are none. `tie` picks one of `n` moves for `Random`; it is
    /// asked even when there are fewer than two, which no batch should have to find out, and must then give 0.
    #[inline(always)]
    pub(super) fn choose<P: Position, W: Witness>(
        &self,
        slides: &P::Slides,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        witness: &mut W,
    ) -> Option<Move>
    where
        Compiled: Evaluate<P>,
    {
        let mut left = slides.legal();
        for (index, row) in self.rows.iter().enumerate() {
            if left.is_decided() {
                break;
            }
            let values = row.values(slides, left, score);
            let kept = row.keep(&values, left);
            witness.criterion(index, left, || values.to_real(), kept);
            left = kept;
        }
        witness.last_resort(left);
        match self.last_resort {
            LastResort::Random => left.nth(tie(left.len())),
            LastResort::First => left.first(),
        }
    }
}

impl Row {
    /// The value of each move in `left`; the others may have any.
    #[inline(always)]
    fn values<P: Position>(&self, slides: &P::Slides, left: Moves, score: u64) -> Values
    where
        Compiled: Evaluate<P>,
    {
        match &self.lookahead {
            // The searches follow in the next commit.
            Lookahead::OnePly | Lookahead::Expectimax(_) | Lookahead::Minimax(_) => {
                Evaluate::<P>::values(&self.evaluator, slides, left, score)
            }
        }
    }

    /// The moves within the tolerance of the best, never none of them.
    #[inline(always)]
    fn keep(&self, values: &Values, left: Moves) -> Moves {
        // All four moves without branches: which are left is anybody's guess. The least number stands for a move that
        // is not.
        let kept = match values {
            Values::Whole(values) => {
                let signed = ByMove::from_fn(|mv| match (left.contains(mv), self.prefer) {
                    (false, _) => i64::MIN,
                    (true, Prefer::Higher) => values[mv],
                    (true, Prefer::Lower) => -values[mv],
                });
                let [a, b, c, d] = *signed.as_array();
                let enough = a.max(b).max(c.max(d)).saturating_sub(self.whole_tolerance);
                Moves::from_fn(|mv| enough <= signed[mv])
            }
            Values::Real(values) => {
                let signed = ByMove::from_fn(|mv| match (left.contains(mv), self.prefer) {
                    (false, _) => f64::NEG_INFINITY,
                    (true, Prefer::Higher) => values[mv],
                    (true, Prefer::Lower) => -values[mv],
                });
                let [a, b, c, d] = *signed.as_array();
                let enough = a.max(b).max(c.max(d)) - self.tolerance;
                Moves::from_fn(|mv| enough <= signed[mv])
            }
        };
        let kept = kept & left;
        if kept.is_empty() { left } else { kept }
    }
}

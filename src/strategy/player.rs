//! A strategy made ready for one set of rules, and the one way it chooses.

use super::{LastResort, Lookahead, Prefer, Strategy};
use crate::evaluator::{Compiled, Evaluate};
use crate::game::{ByMove, Move, Moves, Rules, Slides};

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
    /// 1, or −1 where lower values are better.
    sign: f64,
    tolerance: f64,
}

/// Sees every value of a decision. Batches use `()`, which compiles to nothing.
pub trait Witness {
    /// Criterion number `row` gave `values` to the moves in `seen` and kept `kept`.
    fn criterion(&mut self, row: usize, seen: Moves, values: &ByMove<f64>, kept: Moves);
    /// The moves between which the last resort decides.
    fn last_resort(&mut self, among: Moves);
}

impl Witness for () {
    #[inline(always)]
    fn criterion(&mut self, _row: usize, _seen: Moves, _values: &ByMove<f64>, _kept: Moves) {}
    #[inline(always)]
    fn last_resort(&mut self, _among: Moves) {}
}

impl Player {
    /// Prepares a strategy. Parameters should have passed [`Strategy::check`]; numbers that are not finite make a
    /// criterion keep every move.
    pub fn new(strategy: &Strategy, rules: Rules) -> Self {
        let row = |criterion: &super::Criterion| Row {
            evaluator: Compiled::new(&criterion.evaluator),
            lookahead: criterion.lookahead,
            sign: match criterion.prefer {
                Prefer::Higher => 1.0,
                Prefer::Lower => -1.0,
            },
            tolerance: criterion.tolerance,
        };
        Self { rules, rows: strategy.criteria.iter().map(row).collect(), last_resort: strategy.last_resort }
    }

    /// The rules it plays by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Chooses one of the legal slides; `None` when there are none. `tie` picks one of `n` moves for `Random`, and is
    /// asked only when there is something to pick.
    #[inline(always)]
    pub(super) fn choose<P: Copy, W: Witness>(
        &self,
        slides: &Slides<P>,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        witness: &mut W,
    ) -> Option<Move>
    where
        Compiled: Evaluate<P>,
    {
        let mut left = slides.legal;
        for (index, row) in self.rows.iter().enumerate() {
            if left.is_decided() {
                break;
            }
            let values = row.values(slides, left, score);
            let kept = row.keep(&values, left);
            witness.criterion(index, left, &values, kept);
            left = kept;
        }
        witness.last_resort(left);
        match self.last_resort {
            LastResort::Random if !left.is_decided() => left.nth(tie(left.len())),
            _ => left.first(),
        }
    }
}

impl Row {
    /// The value of each move in `left`; 0 for the others.
    #[inline(always)]
    fn values<P: Copy>(&self, slides: &Slides<P>, left: Moves, score: u64) -> ByMove<f64>
    where
        Compiled: Evaluate<P>,
    {
        let mut values = ByMove::new([0.0; 4]);
        for mv in left {
            values[mv] = match self.lookahead {
                Lookahead::OnePly => self.evaluator.value(slides.after[mv], score + u64::from(slides.reward[mv])),
            };
        }
        values
    }

    /// The moves within the tolerance of the best, never none of them.
    #[inline(always)]
    fn keep(&self, values: &ByMove<f64>, left: Moves) -> Moves {
        let mut best = f64::NEG_INFINITY;
        for mv in left {
            best = best.max(self.sign * values[mv]);
        }
        let enough = best - self.tolerance;
        let mut kept = Moves::NONE;
        for mv in left {
            if enough <= self.sign * values[mv] {
                kept.insert(mv);
            }
        }
        if kept.is_empty() { left } else { kept }
    }
}

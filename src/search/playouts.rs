//! The results of samples, and the interface for the policy that plays them.

use std::fmt;
use std::sync::Arc;

use super::sampled::Sampled;
use crate::game::{Board, ByMove, GameSeed, Move, Moves};
use crate::stats::RunningMean;
use crate::task::CancelToken;

/// Plays games from a position to their end. The search does not know how the moves are chosen.
pub trait PlayOn: fmt::Debug + Send + Sync {
    fn play_on(&self, from: &PlayFrom<'_>) -> PlayedOn;
}

/// The start of a playout, and its limits.
#[derive(Clone, Copy, Debug)]
pub struct PlayFrom<'a> {
    /// A board to move.
    pub board: Board,
    /// The score up to it.
    pub score: u64,
    pub seed: &'a GameSeed,
    /// Maximum number of moves.
    pub moves: u32,
    pub stop: &'a CancelToken,
}

/// The end of a playout.
#[derive(Clone, Copy, Debug)]
pub struct PlayedOn {
    pub board: Board,
    pub score: u64,
    pub moves: u32,
}

/// What a [`Search`] by sampling has in addition to its evaluator and rules.
#[derive(Debug)]
pub(super) struct Sampling {
    pub(super) spec: Sampled,
    pub(super) policy: Arc<dyn PlayOn>,
}

/// The samples of a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Playouts {
    /// The samples of each move; none for moves that were not requested.
    pub of_each: ByMove<RunningMean>,
    /// Whether the samples grew a tree. Then each sample depends on those before it, so their spread gives no standard
    /// error of a mean.
    pub is_tree: bool,
    pub ended: Ended,
    /// The lead of the best over the second. `None` with one move.
    pub lead: Option<Lead>,
    /// `of_each` after rising numbers of samples. Empty if nothing is recorded.
    pub curve: Vec<ByMove<RunningMean>>,
}

/// Why sampling ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All requested samples were drawn, or a limit in nodes or time was reached.
    Spent,
    /// The best move was far enough ahead of all others.
    Sure,
}

/// The lead of the best mean over the second, by the objective of the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lead {
    pub best: Move,
    pub second: Move,
    /// At least 0 if high values are good.
    pub difference: f64,
    /// The standard error of the difference. `None` below two samples, and where a tree grew.
    pub standard_error: Option<f64>,
    /// Whether both moves had the same draws, so that the error is that of their paired differences. Never where a tree
    /// grew.
    pub is_paired: bool,
}

/// The samples through one node of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    /// All samples through it.
    pub all: RunningMean,
    /// The samples that began or ended at this node.
    pub own: RunningMean,
}

impl Playouts {
    /// The number of samples of the decision.
    pub fn total(&self) -> u64 {
        Move::ALL.iter().map(|&mv| self.of_each[mv].count()).sum()
    }

    /// The standard error of the mean of a move. `None` below two samples, and where a tree grew.
    pub fn standard_error(&self, mv: Move) -> Option<f64> {
        if self.is_tree {
            None
        } else {
            self.of_each[mv].standard_error()
        }
    }
}

/// The moves with the best and the second best mean. Ties go to the first in move order.
pub(super) fn leaders(of_each: &ByMove<RunningMean>, moves: Moves, sign: f64) -> Option<[Move; 2]> {
    let mut sorted: Vec<Move> = moves.iter().collect();
    sorted.sort_by(|&a, &b| (sign * of_each[b].mean()).total_cmp(&(sign * of_each[a].mean())));
    match sorted.as_slice() {
        &[best, second, ..] => Some([best, second]),
        _ => None,
    }
}

/// The number of samples at the next point of the curve: about fifteen points for each power of ten.
pub(super) const fn next_point(count: u64) -> u64 {
    count + if count < 64 { 8 } else { count / 8 }
}

//! What samples have said, and who plays them.

use std::fmt;
use std::sync::Arc;

use super::sampled::Sampled;
use crate::game::{Board, ByMove, GameSeed, Move, Moves};
use crate::stats::RunningMean;
use crate::task::CancelToken;

/// Plays games on from a position; who chooses the moves is not the search's business.
pub trait PlayOn: fmt::Debug + Send + Sync {
    fn play_on(&self, from: &PlayFrom<'_>) -> PlayedOn;
}

/// Where a playout begins, and how far it goes.
#[derive(Clone, Copy, Debug)]
pub struct PlayFrom<'a> {
    /// A board to move.
    pub board: Board,
    /// Points up to it.
    pub score: u64,
    pub seed: &'a GameSeed,
    /// Most moves.
    pub moves: u32,
    pub stop: &'a CancelToken,
}

/// Where a playout has ended.
#[derive(Clone, Copy, Debug)]
pub struct PlayedOn {
    pub board: Board,
    pub score: u64,
    pub moves: u32,
}

/// What a [`Search`] by sampling has beside its evaluator and rules.
#[derive(Debug)]
pub(super) struct Sampling {
    pub(super) spec: Sampled,
    pub(super) policy: Arc<dyn PlayOn>,
}

/// The samples of a decision.
#[derive(Clone, PartialEq, Debug)]
pub struct Playouts {
    /// Those of each move; none for moves that were not asked about.
    pub of_each: ByMove<RunningMean>,
    /// Whether a tree grew by them. Each then begins where those before it say, so that their spread is no error of a mean.
    pub is_tree: bool,
    pub ended: Ended,
    /// How far the best is ahead of the second; `None` of one move.
    pub lead: Option<Lead>,
    /// The same on the way, after rising numbers of samples; empty where nothing is recorded.
    pub curve: Vec<ByMove<RunningMean>>,
}

/// Why no more samples were drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All that were asked for, or a limit in nodes or time.
    Spent,
    /// The best was far enough ahead of all others.
    Sure,
}

/// How far the best mean is ahead of the second, by what the root prefers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lead {
    pub best: Move,
    pub second: Move,
    /// At least 0 where high values are good.
    pub difference: f64,
    /// Of the difference; `None` below two samples, and where a tree grew.
    pub standard_error: Option<f64>,
    /// Whether both had the same draws, so that the error is that of their differences; not where a tree grew.
    pub is_paired: bool,
}

/// What went through one node of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sample {
    /// All samples through it.
    pub all: RunningMean,
    /// Those that began or ended right here.
    pub own: RunningMean,
}

impl Playouts {
    /// All samples of the decision.
    pub fn total(&self) -> u64 {
        Move::ALL.iter().map(|&mv| self.of_each[mv].count()).sum()
    }

    /// The standard error of the mean of a move; `None` below two samples, and where a tree grew.
    pub fn standard_error(&self, mv: Move) -> Option<f64> {
        if self.is_tree { None } else { self.of_each[mv].standard_error() }
    }
}

/// The best move and the second by their means, the first in the order of moves among equals.
pub(super) fn leaders(of_each: &ByMove<RunningMean>, moves: Moves, sign: f64) -> Option<[Move; 2]> {
    let mut sorted: Vec<Move> = moves.iter().collect();
    sorted.sort_by(|&a, &b| (sign * of_each[b].mean()).total_cmp(&(sign * of_each[a].mean())));
    match sorted.as_slice() {
        &[best, second, ..] => Some([best, second]),
        _ => None,
    }
}

/// After how many samples the curve has its next point: some fifteen points for each power of ten.
pub(super) const fn next_point(count: u64) -> u64 {
    count + if count < 64 { 8 } else { count / 8 }
}

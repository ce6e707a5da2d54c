//! What another, stronger strategy thinks of the positions of a game.

use crate::game::{Board, ByMove};
use crate::strategy::StrategyHash;
use crate::task::CancelToken;

/// What a judgement depends on: it is the same wherever the position occurs, so that it can be kept under this key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JudgeKey {
    pub board: Board,
    pub judge: StrategyHash,
}

/// The value of each legal move.
pub type Judgement = ByMove<Option<f64>>;

/// Values positions for a review of games that somebody else has played.
pub trait Judge: Send + Sync {
    fn hash(&self) -> StrategyHash;

    /// Judges the positions of a whole game, in their order, as far as it comes before `stop` is raised.
    fn judge(&self, boards: &[Board], stop: &CancelToken) -> Vec<Judgement>;

    fn key(&self, board: Board) -> JudgeKey {
        JudgeKey { board, judge: self.hash() }
    }
}

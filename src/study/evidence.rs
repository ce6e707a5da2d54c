//! How often each row decided.

use std::time::Duration;

/// What the rows of a strategy did in some games. Shares are of [`decisions`](Self::decisions).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Seed of the games; they are numbers 0 to `games` − 1.
    pub seed: u64,
    /// Games that were played, the last one perhaps in part.
    pub games: u64,
    /// Whether time was up within the last game.
    pub is_cut: bool,
    /// Turns with two or more legal moves.
    pub decisions: u64,
    /// Turns with one legal move, where no row is asked.
    pub forced: u64,
    /// Each row of the strategy.
    pub rows: Vec<RowEvidence>,
    /// Decisions that every row left open, so that the last resort chose.
    pub last_resort: u64,
    /// How long it took.
    pub took: Duration,
}

/// What one row did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowEvidence {
    /// Decisions that reached it.
    pub asked: u64,
    /// Of these, those that it ended with one move left.
    pub decided: u64,
    /// Of these, those where it kept all moves it saw: a tie.
    pub passed: u64,
    /// Moves left after it, added up over the decisions that reached it.
    pub left: u64,
}

impl RowEvidence {
    /// Mean number of moves left after it; `None` when it was never reached.
    pub fn mean_left(&self) -> Option<f64> {
        (self.asked != 0).then(|| self.left as f64 / self.asked as f64)
    }
}

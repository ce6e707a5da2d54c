//! How far a run is.

use std::sync::Arc;
use std::time::Duration;

use super::Summary;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Running,
    /// Waiting for [`Run::resume`](super::Run::resume).
    Paused,
    Done,
    /// Stopped; finished games are kept.
    Cancelled,
    /// A worker panicked: what happened, in a sentence. Finished games are kept.
    Failed(String),
}

impl State {
    /// True once nothing more will be played.
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed(_))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    pub state: State,
    /// Games finished, of all contestants.
    pub finished: u64,
    /// Games asked for, of all contestants.
    pub total: u64,
    /// Games finished by each contestant.
    pub finished_by_contestant: Vec<u64>,
    /// Time since the start, pauses left out; it stands still after the end.
    pub elapsed: Duration,
    /// Games finished per second of `elapsed`, all threads together.
    pub games_per_second: f64,
    /// A range for the time still needed; `None` until every contestant has finished a game, and after the end.
    pub left: Option<(Duration, Duration)>,
}

#[derive(Clone, Debug)]
pub struct Snapshot {
    pub progress: Progress,
    /// The games so far of each contestant. Snapshots between which nothing was played share them (`Arc::ptr_eq`).
    pub summaries: Vec<Arc<Summary>>,
}

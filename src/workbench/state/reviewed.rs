//! A review of the game on the board, as a worker sends it.

use std::sync::Arc;
use std::time::Duration;

use crate::review::{Decider, NoDecider, Report, Review, Stage};

/// How often it is shown how far it is: a long game is summed up anew each time.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(150);

/// A review as far as it is.
#[derive(Clone, Debug)]
pub struct Reviewed {
    pub review: Review,
    /// `None` before every position was looked at once.
    pub report: Option<Report>,
    /// Who played, where the record says so.
    pub player: Result<Arc<Decider>, NoDecider>,
    pub stage: Stage,
    /// Positions of this stage that are done, of how many.
    pub done: [usize; 2],
    /// Nothing is left to judge.
    pub is_whole: bool,
}

/// What a worker tells; a sentence where the judge has no value.
pub(super) type ReviewTold = Result<Arc<Reviewed>, String>;

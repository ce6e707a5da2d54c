//! A review of the game on the board, as a worker sends it.

use std::sync::Arc;
use std::time::Duration;

use super::Core;
use crate::review::{Decider, NoDecider, Report, Review, ReviewFolder};
use crate::task::Work;

/// Interval between progress reports. Each sums up the whole game again.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(150);

/// A review, complete or not.
#[derive(Clone, Debug)]
pub struct Reviewed {
    pub review: Review,
    /// `None` until every position was judged once.
    pub report: Option<Report>,
    /// The strategy that played, if the record names one.
    pub player: Result<Arc<Decider>, NoDecider>,
    /// The progress of its current stage.
    pub work: Work,
    /// Whether nothing is left to judge.
    pub is_whole: bool,
}

impl Reviewed {
    /// A note on losses that may still change.
    pub fn so_far(&self) -> &'static str {
        if self.is_whole { "" } else { ", so far" }
    }
}

/// The message of a worker: a review, or why there is none.
pub(super) type ReviewTold = Result<Arc<Reviewed>, String>;

/// The folder for the review of the game on the board.
pub(super) fn folder_of(core: &Core) -> Option<ReviewFolder> {
    let of_game = ReviewFolder::of_games(
        core.game().run.as_deref(),
        core.surroundings().runs.as_ref(),
    );
    of_game.or_else(|| core.config_dir().map(ReviewFolder::within))
}

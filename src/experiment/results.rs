//! What a run left.

use std::sync::Arc;

use super::{Games, Manifest, Summary};
use crate::preset::Published;
use crate::strategy::Strategy;

/// Sums, games and the way to get them again.
#[derive(Clone, Debug)]
pub struct Results {
    pub manifest: Manifest,
    /// In the order of the plan.
    pub contestants: Vec<ContestantResult>,
}

#[derive(Clone, Debug)]
pub struct ContestantResult {
    pub strategy: Strategy,
    /// What was published about it.
    pub published: Option<Published>,
    /// The sum of its games.
    pub summary: Arc<Summary>,
    pub games: Games,
}

impl Results {
    /// Whether a mean was published for one of the strategies.
    pub fn has_published_means(&self) -> bool {
        let has_mean = |result: &ContestantResult| result.published.as_ref().is_some_and(|said| said.mean.is_some());
        self.contestants.iter().any(has_mean)
    }
}

//! A shared strategy with its hash.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::{Strategy, StrategyHash};
use crate::program::may_wait;

/// A shared, immutable strategy with its hash, computed on first use.
#[derive(Clone, Debug, Default)]
pub struct SharedStrategy {
    strategy: Arc<Strategy>,
    hash: Arc<OnceLock<StrategyHash>>,
}

impl SharedStrategy {
    pub fn hash(&self) -> StrategyHash {
        if let Some(hash) = self.hash.get() {
            return *hash;
        }
        // Checked first, because files may be read in between.
        let is_read = may_wait() || self.strategy.is_read();
        let hash = self.strategy.hash();
        if is_read {
            return *self.hash.get_or_init(|| hash);
        }
        hash
    }

    /// Checks its files for changes. If they have changed, this copy gets a new hash, and other copies keep theirs.
    /// Returns whether they changed.
    pub fn look_again(&mut self) -> bool {
        let Some(before) = self.hash.get().copied() else {
            return false;
        };
        let has_changed = self.strategy.hash() != before;
        if has_changed {
            self.hash = Arc::default();
        }
        has_changed
    }

    /// Whether both share the same strategy in memory.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.strategy, &other.strategy)
    }

    /// Changes this copy. Other copies are unaffected.
    pub fn change(&mut self, change: impl FnOnce(&mut Strategy)) {
        change(Arc::make_mut(&mut self.strategy));
        self.hash = Arc::default();
    }
}

impl From<Strategy> for SharedStrategy {
    fn from(strategy: Strategy) -> Self {
        Arc::new(strategy).into()
    }
}

impl From<Arc<Strategy>> for SharedStrategy {
    fn from(strategy: Arc<Strategy>) -> Self {
        Self {
            strategy,
            hash: Arc::default(),
        }
    }
}

impl Deref for SharedStrategy {
    type Target = Strategy;

    fn deref(&self) -> &Strategy {
        &self.strategy
    }
}

impl PartialEq for SharedStrategy {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_its_own_hash_and_leaves_the_others_alone() {
        let original: SharedStrategy = "emr".parse::<Strategy>().expect("letters").into();
        let mut other = original.clone();
        assert!(original.is(&other) && original.hash() == Strategy::hash(&original));
        other.change(|strategy| strategy.criteria.truncate(1));
        assert!(!original.is(&other) && original != other);
        assert_eq!(other.hash(), Strategy::hash(&other));
        assert_ne!(other.hash(), original.hash());
        let mut renamed = original.clone();
        renamed.change(|strategy| strategy.name = "another".to_owned());
        assert_eq!(renamed.hash(), original.hash());
    }
}

//! A strategy that is open in the builder, and where it comes from.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use crate::strategy::Strategy;

/// An open strategy. It reads like the strategy itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// As it is now.
    pub strategy: Arc<Strategy>,
    /// Where it comes from.
    pub origin: Arc<Origin>,
}

/// Where an open strategy comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// As it was when it was opened or saved last: what "edited" and "previous" refer to.
    pub before: Arc<Strategy>,
    /// The file of the library that it was read from or saved to.
    pub file: Option<OriginFile>,
}

/// A file of the library, and what this window knows to be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginFile {
    /// The file.
    pub path: PathBuf,
    /// Its text when it was read or written last. When the file says something else, another window has changed it.
    pub text: String,
}

impl Opened {
    /// A strategy that is in no file.
    pub fn new(strategy: Strategy) -> Self {
        let strategy = Arc::new(strategy);
        Self { origin: Arc::new(Origin { before: strategy.clone(), file: None }), strategy }
    }

    /// Whether it differs from what was opened or saved last, its name and note included.
    pub fn is_edited(&self) -> bool {
        self.strategy != self.origin.before
    }

    /// Whether both are one and the same: compared by identity, which is cheap.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.strategy, &other.strategy) && Arc::ptr_eq(&self.origin, &other.origin)
    }
}

impl Deref for Opened {
    type Target = Strategy;

    fn deref(&self) -> &Strategy {
        &self.strategy
    }
}

//! The settings of a long computation besides its input.

use super::{CancelToken, ThreadsError, in_pool};

/// The number of threads, the cancellation flag, and the receiver of progress.
pub struct Work<'a, P> {
    pub threads: usize,
    pub stop: &'a CancelToken,
    pub told: &'a (dyn Fn(P) + Sync),
}

impl<'a, P> Work<'a, P> {
    /// One thread, no progress reports.
    pub fn quiet(stop: &'a CancelToken) -> Self {
        Self { threads: 1, stop, told: &|_| {} }
    }

    /// Runs work in a pool of this many threads, and waits for it.
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, ThreadsError> {
        in_pool(self.threads, work)
    }
}

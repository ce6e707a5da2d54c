//! What a long computation is given beside its question.

use super::{CancelToken, ThreadsError, in_pool};

/// Who works, who may stop it and who is told.
pub struct Work<'a, P> {
    pub threads: usize,
    pub stop: &'a CancelToken,
    pub told: &'a (dyn Fn(P) + Sync),
}

impl<'a, P> Work<'a, P> {
    /// On one thread, told nobody.
    pub fn quiet(stop: &'a CancelToken) -> Self {
        Self { threads: 1, stop, told: &|_| {} }
    }

    /// Does work in a pool of its threads, and waits for it.
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, ThreadsError> {
        in_pool(self.threads, work)
    }
}

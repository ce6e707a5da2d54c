//! Asking work to end early.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use super::NoAnswer;

/// How often [`CancelToken::within`] checks whether it is asked to stop.
const LOOK: Duration = Duration::from_millis(10);

/// A flag that one thread raises and others check; clones share it.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Whether it was raised; lowers it, so that it can be raised again.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }

    /// The flag for a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Runs `work` with a flag that is raised when this one is, or when `limit` has passed; without a limit, with this
    /// flag.
    pub fn within<T>(&self, limit: Option<Duration>, work: impl FnOnce(&Self) -> T) -> T {
        let Some(limit) = limit else {
            return work(self);
        };
        let inner = Self::new();
        let started = Instant::now();
        std::thread::scope(|scope| {
            let (done, wait) = mpsc::channel::<()>();
            let raise = inner.clone();
            scope.spawn(move || {
                loop {
                    let left = limit.saturating_sub(started.elapsed());
                    if left.is_zero() || self.is_cancelled() {
                        return raise.cancel();
                    }
                    if wait.recv_timeout(left.min(LOOK))
                        == Err(mpsc::RecvTimeoutError::Disconnected)
                    {
                        return;
                    }
                }
            });
            let result = work(&inner);
            drop(done);
            result
        })
    }
}

thread_local! {
    /// The token that cancels the work of this thread, if one was set.
    static HERE: RefCell<Option<CancelToken>> = const { RefCell::new(None) };
}

/// Runs `work`, in which [`is_cancelled_here`] is true once `stop` is raised; `None` if the work then ends with
/// [`no_answer`](super::no_answer).
pub fn unless_cancelled<T>(stop: &CancelToken, work: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(|| cancelled_by(Some(stop.clone()), work))) {
        Ok(done) => Some(done),
        Err(left) if stop.is_cancelled() && left.is::<NoAnswer>() => None,
        Err(left) => resume_unwind(left),
    }
}

/// Whether the work of this thread is cancelled; for code that waits deep inside of it.
pub fn is_cancelled_here() -> bool {
    HERE.with_borrow(|here| here.as_ref().is_some_and(CancelToken::is_cancelled))
}

/// The token that [`is_cancelled_here`] checks on this thread.
pub(super) fn cancels_here() -> Option<CancelToken> {
    HERE.with_borrow(Clone::clone)
}

/// Runs `work` with this token in place of the current one.
pub(super) fn cancelled_by<T>(stop: Option<CancelToken>, work: impl FnOnce() -> T) -> T {
    struct Before(Option<CancelToken>);
    impl Drop for Before {
        fn drop(&mut self) {
            HERE.set(self.0.take());
        }
    }
    let _before = Before(HERE.replace(stop));
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a flag; returns how long it took, or `None` if it was never raised.
    fn waited(stop: &CancelToken) -> Option<Duration> {
        let started = Instant::now();
        while !stop.is_cancelled() {
            if Duration::from_secs(1000) < started.elapsed() {
                return None;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Some(started.elapsed())
    }

    #[test]
    fn a_limit_raises_a_flag_of_its_own() {
        let stop = CancelToken::new();
        let limit = Duration::from_millis(30);
        let took = stop.within(Some(limit), waited).expect("it is raised");
        assert!(limit <= took + Duration::from_millis(1), "{took:?}");
        assert!(!stop.is_cancelled());
        assert!(!stop.within(Some(Duration::from_secs(60)), CancelToken::is_cancelled));
        assert!(!stop.within(None, CancelToken::is_cancelled));
    }

    #[test]
    fn who_asks_outside_is_heard_inside() {
        let stop = CancelToken::new();
        let finished = stop.within(Some(Duration::from_secs(1000)), |inner| {
            stop.cancel();
            waited(inner)
        });
        assert!(finished.is_some());
        assert!(stop.within(None, CancelToken::is_cancelled));
        // Also if the flag was raised first.
        assert!(stop.within(Some(Duration::from_secs(1000)), |inner| {
            waited(inner).is_some()
        }));
    }
}

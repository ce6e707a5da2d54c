//! One piece of work beside the window: asked for once, answered once, given up when nobody waits any more.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::task::CancelToken;
use crate::task::{self, Threads, lock, panic_message};

pub(super) use crate::task::Wake;

/// Work on a thread of its own, at low priority. Dropping it asks the work to stop.
#[derive(Debug)]
pub(super) struct Errand<T> {
    stop: CancelToken,
    since: Instant,
    answer: mpsc::Receiver<Result<T, String>>,
}

impl<T> Drop for Errand<T> {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl<T: Send + 'static> Errand<T> {
    /// Begins; `wake` is called when the answer is there. The work should look at the flag now and then.
    pub(super) fn send(wake: Wake, work: impl FnOnce(&CancelToken) -> T + Send + 'static) -> Self {
        let stop = CancelToken::new();
        let (tell, answer) = mpsc::channel();
        // A job may be done by several threads; this one is done by one, once.
        let once = Mutex::new(Some((work, tell.clone())));
        let theirs = stop.clone();
        let work = move || {
            let Some((work, tell)) = lock(&once).take() else { return };
            let answer = catch_unwind(AssertUnwindSafe(|| work(&theirs)));
            // Nobody may be waiting any more.
            let _ = tell.send(answer.map_err(|panic| panic_message(&*panic)));
            wake();
        };
        let one = Threads { count: 1, low_priority: true };
        if let Err(error) = task::spawn(one, work, |_| {}) {
            let _ = tell.send(Err(error.to_string()));
        }
        Self { stop, since: Instant::now(), answer }
    }

    /// The answer, once; an error is what a panic said or that there is no thread.
    pub(super) fn poll(&self) -> Option<Result<T, String>> {
        self.wait(Duration::ZERO)
    }

    /// The answer if it comes within `patience`.
    pub(super) fn wait(&self, patience: Duration) -> Option<Result<T, String>> {
        match self.answer.recv_timeout(patience) {
            Ok(answer) => Some(answer),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Some(Err("the work has ended without an answer".to_owned())),
        }
    }

    /// Since when it is under way.
    pub(super) fn since(&self) -> Instant {
        self.since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent() -> Wake {
        std::sync::Arc::new(|| {})
    }

    #[test]
    fn an_errand_is_answered_and_a_panic_is_told() {
        let sum = Errand::send(silent(), |_| (1..=10).sum::<i32>());
        assert_eq!(sum.wait(Duration::from_secs(60)), Some(Ok(55)));
        let wrong = Errand::send(silent(), |_| -> i32 { panic!("a mistake") });
        assert_eq!(wrong.wait(Duration::from_secs(60)), Some(Err("a mistake".to_owned())));
    }

    #[test]
    fn dropping_it_asks_the_work_to_stop() {
        let (tell, told) = mpsc::channel();
        let errand = Errand::send(silent(), move |stop| {
            while !stop.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            tell.send(()).expect("the test waits");
        });
        assert_eq!(errand.wait(Duration::from_millis(20)), None);
        drop(errand);
        told.recv_timeout(Duration::from_secs(60)).expect("it stops");
    }
}

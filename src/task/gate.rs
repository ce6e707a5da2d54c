//! The switch between the owner of a job and its workers.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::lock;

const OPEN: u8 = 0;
const PAUSED: u8 = 1;
const CANCELLED: u8 = 2;

/// Open, paused or cancelled; cancelled is final.
#[derive(Debug, Default)]
pub struct Gate {
    /// Written only under the lock, so that no worker falls asleep between a check and a change; read without it.
    state: AtomicU8,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Gate {
    /// Makes workers wait at their next [`pass`](Self::pass).
    pub fn pause(&self) {
        self.change(PAUSED);
    }

    /// Lets waiting workers continue.
    pub fn resume(&self) {
        self.change(OPEN);
    }

    /// Ends all workers at their next pass, waiting ones included.
    pub fn cancel(&self) {
        self.change(CANCELLED);
    }

    /// True unless paused or cancelled; cheap enough to check before every game.
    pub fn is_open(&self) -> bool {
        self.state.load(Ordering::Relaxed) == OPEN
    }

    pub fn is_paused(&self) -> bool {
        self.state.load(Ordering::Relaxed) == PAUSED
    }

    pub fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == CANCELLED
    }

    /// Waits while paused; false means cancelled.
    pub fn pass(&self) -> bool {
        if self.is_open() {
            return true;
        }
        let mut guard = lock(&self.lock);
        while self.is_paused() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        !self.is_cancelled()
    }

    fn change(&self, to: u8) {
        let _guard = lock(&self.lock);
        if !self.is_cancelled() {
            self.state.store(to, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_gate_stays_cancelled() {
        let gate = Gate::default();
        assert!(gate.pass());
        gate.cancel();
        gate.resume();
        assert!(!gate.pass());
    }

    #[test]
    fn a_waiting_worker_is_let_through_or_sent_home() {
        let gate = Gate::default();
        gate.pause();
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| (gate.pass(), gate.pass()));
            gate.resume();
            assert_eq!(worker.join().expect("no panic"), (true, true));
            gate.pause();
            let worker = scope.spawn(|| gate.pass());
            gate.cancel();
            assert!(!worker.join().expect("no panic"));
        });
    }
}

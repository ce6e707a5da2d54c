//! Long work: a snapshot of its progress, and one handle to pause, resume and stop it.
//!
//! Owner and workers share a [`Control`]. Workers call [`Control::pass`] between natural steps (a game, a layer of
//! boards, a round of positions), give [`Control::token`] to searches, and report what is done. The owner pauses,
//! resumes and stops, and reads a [`Work`] at any time. A paused worker sleeps and keeps its memory. A stop is final,
//! and also ends a paused worker.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{CancelToken, lock};
use crate::words;

/// How often a paused worker checks the stop flag, since a signal raises it without waking a thread.
const POLL: Duration = Duration::from_millis(50);

/// The state of long work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WorkState {
    #[default]
    Running,
    /// By its owner, or because the disk has no room.
    Paused,
    /// A stop was requested, and the last step ends.
    Stopping,
    /// It ended before everything was done. What is finished is saved.
    Stopped,
    Done,
    /// The reason, as a sentence.
    Failed(String),
}

impl WorkState {
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Stopped | Self::Done | Self::Failed(_))
    }
}

/// The progress of long work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// What the work is about: `Solving 3x3`, the name of a game. May be empty.
    pub title: Cow<'static, str>,
    /// What is counted, in the singular: `game`.
    pub unit: &'static str,
    /// Never more than the total, if there is one.
    pub done: u64,
    /// 0 if it is unknown.
    pub total: u64,
    pub state: WorkState,
    /// The current part of the work: `first look`, `generation 3`. Each part has its own count. May be empty.
    pub part: Cow<'static, str>,
    /// Why nothing can be saved, as a sentence. The work waits until the disk has room.
    pub trouble: Option<String>,
}

impl Work {
    /// The finished share, from 0 to 1; 0 if the total is unknown.
    pub fn share(&self) -> f32 {
        if self.total == 0 {
            0.0
        } else {
            (self.done as f64 / self.total as f64) as f32
        }
    }

    /// `12 of 300 positions, first look`.
    pub fn text(&self) -> String {
        if self.unit.is_empty() {
            return "starting".to_owned();
        }
        let count = match self.total {
            0 => words::plural(self.done, self.unit),
            total => format!(
                "{} of {}",
                words::count(self.done),
                words::plural(total, self.unit)
            ),
        };
        if self.part.is_empty() {
            count
        } else {
            format!("{count}, {}", self.part)
        }
    }
}

/// The handle of long work. Clones share it.
#[derive(Clone)]
pub struct Control {
    switch: Arc<Switch>,
    progress: Arc<Progress>,
}

#[derive(Debug)]
struct Switch {
    stop: CancelToken,
    is_paused: AtomicBool,
    /// Locked during a change, so that no worker misses it between its check and its sleep.
    lock: Mutex<()>,
    changed: Condvar,
}

struct Progress {
    work: Mutex<Work>,
    /// Receives every report in order. It must not use the control.
    listener: Box<dyn Fn(&Work) + Send + Sync>,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Control").field(&self.work()).finish()
    }
}

impl Default for Control {
    /// A control without a title or a listener.
    fn default() -> Self {
        Self::quiet(&CancelToken::new())
    }
}

impl Control {
    /// Stops with a flag, such as that of a signal; `listener` receives every report in order, one at a time.
    pub fn new(
        title: impl Into<Cow<'static, str>>,
        stop: CancelToken,
        listener: impl Fn(&Work) + Send + Sync + 'static,
    ) -> Self {
        let work = Work {
            title: title.into(),
            ..Work::default()
        };
        let switch = Switch {
            stop,
            is_paused: AtomicBool::new(false),
            lock: Mutex::new(()),
            changed: Condvar::new(),
        };
        let progress = Progress {
            work: Mutex::new(work),
            listener: Box::new(listener),
        };
        Self {
            switch: Arc::new(switch),
            progress: Arc::new(progress),
        }
    }

    /// A control without a title or a listener, which stops with this flag.
    pub fn quiet(stop: &CancelToken) -> Self {
        Self::new("", stop.clone(), |_| {})
    }

    /// For a step of this work: paused and stopped together with it, and its progress is not reported.
    pub fn of_step(&self) -> Self {
        Self {
            switch: self.switch.clone(),
            ..Self::default()
        }
    }

    /// Makes workers wait at their next [`pass`](Self::pass).
    pub fn pause(&self) {
        self.change(|switch| switch.is_paused.store(true, Ordering::Relaxed));
    }

    pub fn resume(&self) {
        self.change(|switch| switch.is_paused.store(false, Ordering::Relaxed));
    }

    /// Pauses or resumes.
    pub fn toggle(&self) {
        if self.is_paused() {
            self.resume();
        } else {
            self.pause();
        }
    }

    /// Ends all workers at their next step, paused ones included.
    pub fn stop(&self) {
        self.change(|switch| switch.stop.cancel());
    }

    fn change(&self, change: impl FnOnce(&Switch)) {
        let _guard = lock(&self.switch.lock);
        change(&self.switch);
        self.switch.changed.notify_all();
    }

    /// Whether workers wait. A stop ends a pause.
    pub fn is_paused(&self) -> bool {
        self.switch.is_paused.load(Ordering::Relaxed) && !self.is_stopped()
    }

    pub fn is_stopped(&self) -> bool {
        self.switch.stop.is_cancelled()
    }

    /// Whether [`pass`](Self::pass) would not wait, and return true; cheap enough to check before every game.
    pub fn is_open(&self) -> bool {
        !self.is_paused() && !self.is_stopped()
    }

    /// The flag of a stop, for searches.
    pub fn token(&self) -> &CancelToken {
        &self.switch.stop
    }

    /// Waits while paused; false means stopped.
    pub fn pass(&self) -> bool {
        self.pass_unless(|| false)
    }

    /// The same, but ends the wait when `is_over`, which is called again and again.
    pub fn pass_unless(&self, is_over: impl Fn() -> bool) -> bool {
        if self.is_paused() {
            let mut guard = lock(&self.switch.lock);
            while self.is_paused() && !is_over() {
                guard = self.wait(guard, POLL);
            }
        }
        !self.is_stopped()
    }

    fn wait<'a>(&'a self, guard: MutexGuard<'a, ()>, limit: Duration) -> MutexGuard<'a, ()> {
        self.switch
            .changed
            .wait_timeout(guard, limit)
            .unwrap_or_else(PoisonError::into_inner)
            .0
    }

    /// Waits until the work has ended, at most for `limit`. Returns whether it has.
    pub fn wait_for(&self, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        let mut guard = lock(&self.switch.lock);
        while !lock(&self.progress.work).state.has_ended() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            guard = self.wait(guard, left);
        }
        true
    }

    /// A snapshot of the progress.
    pub fn work(&self) -> Work {
        let work = lock(&self.progress.work).clone();
        let state = match &work.state {
            WorkState::Running if self.is_stopped() => WorkState::Stopping,
            WorkState::Running if self.is_paused() || work.trouble.is_some() => WorkState::Paused,
            state => state.clone(),
        };
        Work { state, ..work }
    }

    /// Begins a part of the work, of `total` units; 0 if the number is unknown.
    pub fn begin(&self, part: impl Into<Cow<'static, str>>, unit: &'static str, total: u64) {
        self.update(|work| {
            (work.part, work.unit, work.done, work.total) = (part.into(), unit, 0, total);
        });
    }

    /// Reports how many units of the part are done.
    pub fn report(&self, done: u64) {
        self.update(|work| work.done = done);
    }

    /// Reports more finished units; for workers that share the part.
    pub fn add(&self, more: u64) {
        self.update(|work| work.done += more);
    }

    /// Changes the title.
    pub fn set_title(&self, title: impl Into<Cow<'static, str>>) {
        self.update(|work| work.title = title.into());
    }

    /// Changes the name of the part, without a new count.
    pub fn set_part(&self, part: impl Into<Cow<'static, str>>) {
        self.update(|work| work.part = part.into());
    }

    /// Reports why nothing can be saved, or that it can be again.
    pub fn set_trouble(&self, trouble: Option<String>) {
        if lock(&self.progress.work).trouble != trouble {
            self.update(|work| work.trouble = trouble);
        }
    }

    /// Reports the end.
    pub fn end(&self, state: WorkState) {
        self.update(|work| work.state = state);
        self.change(|_| {});
    }

    fn update(&self, change: impl FnOnce(&mut Work)) {
        let mut work = lock(&self.progress.work);
        change(&mut work);
        if work.total != 0 {
            // An estimate may be too low.
            work.total = work.total.max(work.done);
        }
        (self.progress.listener)(&work);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::sync::mpsc;

    use super::*;
    use crate::task::cpu_time;

    #[test]
    fn a_paused_worker_sleeps_and_goes_on_where_it_was() {
        let (control, passed) = (Control::default(), AtomicU64::new(0));
        assert!(control.pass());
        control.pause();
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let before = cpu_time();
                assert!(control.pass());
                passed.fetch_add(1, Ordering::Relaxed);
                cpu_time().saturating_sub(before)
            });
            std::thread::sleep(Duration::from_millis(400));
            assert_eq!(
                (passed.load(Ordering::Relaxed), control.work().state),
                (0, WorkState::Paused)
            );
            control.resume();
            let busy = worker.join().expect("no panic");
            assert!(busy < Duration::from_millis(100), "{busy:?}");
        });
        assert_eq!(
            (passed.load(Ordering::Relaxed), control.work().state),
            (1, WorkState::Running)
        );
    }

    #[test]
    fn a_stop_ends_paused_workers_and_is_final() {
        // By its owner, and by the flag of a signal, which wakes no thread.
        for by_owner in [true, false] {
            let stop = CancelToken::new();
            let control = Control::quiet(&stop);
            control.pause();
            std::thread::scope(|scope| {
                let step = control.of_step();
                let workers = [
                    scope.spawn(|| control.pass()),
                    scope.spawn(move || step.pass()),
                ];
                if by_owner {
                    control.stop();
                } else {
                    stop.cancel();
                }
                assert!(
                    workers
                        .into_iter()
                        .all(|worker| !worker.join().expect("no panic"))
                );
            });
            assert!(!control.is_paused(), "it ends");
            control.resume();
            assert!(!control.pass() && !control.is_open() && stop.is_cancelled());
            assert_eq!(control.work().state, WorkState::Stopping);
            control.end(WorkState::Stopped);
            assert_eq!(control.work().state, WorkState::Stopped);
        }
    }

    #[test]
    fn reports_arrive_in_order_and_never_exceed_the_total() {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let listener =
            move |work: &Work| lock(&sender).send(work.clone()).expect("the test listens");
        let control = Control::new("a game", CancelToken::new(), listener);
        control.begin("first look", "position", 800);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..200).for_each(|_| control.add(1)));
            }
        });
        control.of_step().report(7);
        let reports: Vec<Work> = receiver.try_iter().collect();
        let done: Vec<u64> = reports.iter().map(|work| work.done).collect();
        assert_eq!(done, (0..=800).collect::<Vec<_>>());
        assert_eq!(control.work().text(), "800 of 800 positions, first look");

        control.begin("deeper look", "position", 10);
        control.report(12);
        let work = control.work();
        assert_eq!((work.done, work.total, work.share()), (12, 12, 1.0));
        control.begin("", "sweep", 0);
        control.report(1);
        assert_eq!(
            (control.work().text().as_str(), control.work().share()),
            ("1 sweep", 0.0)
        );
    }

    #[test]
    fn the_end_is_waited_for_and_a_full_disk_counts_as_a_pause() {
        let control = Control::default();
        assert_eq!(control.work().text(), "starting");
        control.set_trouble(Some("full".to_owned()));
        assert_eq!(control.work().state, WorkState::Paused);
        control.set_trouble(None);
        assert_eq!(control.work().state, WorkState::Running);
        assert!(!control.wait_for(Duration::from_millis(10)));
        std::thread::scope(|scope| {
            scope.spawn(|| control.end(WorkState::Failed("a reason".to_owned())));
            assert!(control.wait_for(Duration::from_secs(60)));
        });
        assert_eq!(
            control.work().state,
            WorkState::Failed("a reason".to_owned())
        );
    }

    #[test]
    fn a_wait_ends_early_for_another_reason() {
        let control = Control::default();
        control.pause();
        assert!(control.pass_unless(|| true) && control.is_paused());
    }
}

//! A training that runs in the background.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::learner::{LearningError, Place};
use super::{Learner, Training};
use crate::files::{DISK_IS_FULL, WriteError, sleep_unless};
use crate::network::{Network, Point, Scores};
use crate::task::{CancelToken, Threads, lock, panic_message};

/// The interval between checkpoints: at most this much is lost if the process is killed.
const CHECKPOINT: Duration = Duration::from_secs(55);

/// How often it checks whether it may continue.
const LOOK: Duration = Duration::from_millis(50);

/// The phase of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    Learning,
    /// Games with the current network.
    Testing,
    /// Its file is written.
    Saving,
    Paused,
    /// Stopped before its last game; its file is written.
    Stopped,
    /// All games are played; its file is written.
    Done,
    Failed(String),
}

impl Phase {
    /// Whether the session has ended.
    pub fn is_over(&self) -> bool {
        matches!(self, Self::Stopped | Self::Done | Self::Failed(_))
    }
}

/// The progress of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    pub phase: Phase,
    pub games: u64,
    pub of_games: u64,
    pub moves: u64,
    /// Seconds of learning and of tests, including those before it was continued.
    pub secs: f64,
    /// Scores of the last games of this session, at most a thousand.
    pub recent: Scores,
    /// Points of the curve.
    pub points: usize,
    /// Why its file cannot be written, as a sentence. The training waits until the disk has room.
    pub trouble: Option<String>,
}

impl Progress {
    pub fn moves_per_sec(&self) -> f64 {
        self.moves as f64 / self.secs.max(1e-9)
    }

    pub fn games_per_sec(&self) -> f64 {
        self.games as f64 / self.secs.max(1e-9)
    }
}

#[derive(Debug)]
struct Control {
    /// Set when threads must end their games, for whatever reason.
    halt: CancelToken,
    stop: AtomicBool,
    pause: AtomicBool,
    save: AtomicBool,
    phase: Mutex<Phase>,
    trouble: Mutex<Option<String>>,
    changed: Condvar,
}

/// A training on its own threads. Dropping it stops it and writes its file.
#[derive(Debug)]
pub struct Session {
    learner: Learner,
    control: Arc<Control>,
    worker: Option<JoinHandle<()>>,
    warning: Option<String>,
}

impl Session {
    /// Starts or resumes a training. Writes the file at `place` first, every minute and at the end.
    pub fn start(learner: Learner, place: Place, threads: Threads) -> Result<Self, LearningError> {
        let control = Arc::new(Control {
            halt: CancelToken::new(),
            stop: AtomicBool::new(false),
            pause: AtomicBool::new(false),
            save: AtomicBool::new(false),
            phase: Mutex::new(Phase::Learning),
            trouble: Mutex::default(),
            changed: Condvar::new(),
        });

        let warning = place.warning().map(str::to_owned);
        let (own, own_control) = (learner.clone(), control.clone());
        let work = move || {
            let done = catch_unwind(AssertUnwindSafe(|| run(&own, &place, threads, &own_control)));
            let phase = match done {
                Ok(Ok(true)) => Phase::Done,
                Ok(Ok(false)) => Phase::Stopped,
                Ok(Err(error)) => Phase::Failed(error.to_string()),
                Err(panic) => Phase::Failed(panic_message(&*panic)),
            };
            drop(place);
            own_control.enter(phase);
        };

        let worker = std::thread::Builder::new().name("training".to_owned()).spawn(work);
        let worker =
            worker.map_err(|error| LearningError::Failed(format!("the system cannot start a thread ({error})")))?;
        Ok(Self { learner, control, worker: Some(worker), warning })
    }

    pub fn pause(&self) {
        self.control.pause.store(true, Ordering::Relaxed);
        self.control.halt.cancel();
    }

    pub fn resume(&self) {
        self.control.pause.store(false, Ordering::Relaxed);
    }

    pub fn is_paused(&self) -> bool {
        self.control.pause.load(Ordering::Relaxed)
    }

    /// Stops it. The result is written, and the training can continue later.
    pub fn stop(&self) {
        self.control.stop.store(true, Ordering::Relaxed);
        self.control.halt.cancel();
    }

    /// Writes its file now.
    pub fn save(&self) {
        self.control.save.store(true, Ordering::Relaxed);
        self.control.halt.cancel();
    }

    pub fn training(&self) -> Training {
        self.learner.training()
    }

    /// What to take care of during the training; `None` where the file system has locks.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    pub fn learner(&self) -> &Learner {
        &self.learner
    }

    /// The points of the curve from index `from`.
    pub fn curve_from(&self, from: usize) -> Vec<Point> {
        self.learner.log(|log| log.curve.get(from..).unwrap_or_default().to_vec())
    }

    /// A copy of the current network.
    pub fn network(&self) -> Network {
        self.learner.network()
    }

    pub fn progress(&self) -> Progress {
        let (phase, trouble) = (lock(&self.control.phase).clone(), lock(&self.control.trouble).clone());
        self.learner.log(|log| Progress {
            phase: if phase == Phase::Learning && log.is_testing { Phase::Testing } else { phase },
            games: log.manifest.games,
            of_games: log.manifest.training.games,
            moves: log.manifest.moves,
            secs: log.secs(),
            recent: log.recent(),
            points: log.curve.len(),
            trouble: trouble.clone(),
        })
    }

    /// Waits until it is over, at most for `limit`. Returns whether it is.
    pub fn wait_for(&self, limit: Duration) -> bool {
        let phase = lock(&self.control.phase);
        let waited = self.control.changed.wait_timeout_while(phase, limit, |phase| !phase.is_over());
        waited.map_or_else(|error| error.into_inner().0.is_over(), |(phase, _)| phase.is_over())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
        if let Some(worker) = self.worker.take() {
            // The phase reports a panic in it.
            let _ = worker.join();
        }
    }
}

impl Control {
    fn enter(&self, phase: Phase) {
        *lock(&self.phase) = phase;
        self.changed.notify_all();
    }
}

/// Returns whether all games are played.
fn run(learner: &Learner, place: &Place, threads: Threads, control: &Control) -> Result<bool, LearningError> {
    if !place.path().exists() {
        // A training that is killed before its first checkpoint can be resumed from its file.
        control.enter(Phase::Saving);
        learner.write(place.path())?;
    }
    loop {
        control.enter(Phase::Learning);
        // A request before this is seen below; one after it sets the flag again.
        control.halt.take();
        let is_asked = [&control.stop, &control.pause, &control.save].iter().any(|flag| flag.load(Ordering::Relaxed));
        if !is_asked {
            learner.learn(threads, &control.halt, CHECKPOINT)?;
        }
        control.enter(Phase::Saving);
        control.save.store(false, Ordering::Relaxed);
        save(learner, place, control)?;
        if learner.is_finished() {
            return Ok(true);
        }

        while control.pause.load(Ordering::Relaxed) && !control.stop.load(Ordering::Relaxed) {
            control.enter(Phase::Paused);
            std::thread::sleep(LOOK);
            if control.save.load(Ordering::Relaxed) {
                break;
            }
        }

        if control.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
}

/// Writes the file of a training, and waits while the disk has no room. A request to stop ends the waiting: then the
/// last attempt counts.
fn save(learner: &Learner, place: &Place, control: &Control) -> Result<(), LearningError> {
    let path = place.path();
    let wait = |_: &WriteError, pause: Duration| {
        *lock(&control.trouble) = Some(place.patience.waits(path, "progress", "the training", DISK_IS_FULL));
        sleep_unless(pause, || control.stop.load(Ordering::Relaxed))
    };
    let saved = place.patience.until_room(|| learner.write(path), WriteError::is_without_room, wait);
    *lock(&control.trouble) = None;

    match saved {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Ok(learner.write(path).map(drop)?),
        Err(error) if error.is_without_room() => {
            Err(LearningError::Failed(place.patience.is_over(path, "progress", DISK_IS_FULL)))
        }
        Err(error) => Err(error.into()),
    }
}

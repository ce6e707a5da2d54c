//! A training that runs in the background.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::learner::{LearningError, Place};
use super::{Learner, Training};
use crate::files::WriteError;
use crate::kept::Saving;
use crate::network::{Network, Point, Scores};
use crate::task::{Control, Threads, Work, WorkState, panic_message};

/// The interval between checkpoints: at most this much is lost if the process is killed.
const CHECKPOINT: Duration = Duration::from_secs(55);

/// The parts of a training.
const LEARNING: &str = "learning";
/// Games with the current network.
const TESTING: &str = "testing";
/// Its file is written.
const SAVING: &str = "saving";

/// The progress of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Its games. The part is empty while a paused training is at rest, with its file written.
    pub work: Work,
    pub moves: u64,
    /// Seconds of learning and of tests, including those before it was continued.
    pub secs: f64,
    /// Scores of the last games of this session, at most a thousand.
    pub recent: Scores,
    /// Points of the curve.
    pub points: usize,
    /// How often this session has written the file.
    pub saved: u64,
}

impl Progress {
    pub fn moves_per_sec(&self) -> f64 {
        self.moves as f64 / self.secs.max(1e-9)
    }

    pub fn games_per_sec(&self) -> f64 {
        self.work.done as f64 / self.secs.max(1e-9)
    }
}

/// What a session shares with its threads.
#[derive(Debug, Default)]
struct Shared {
    control: Control,
    /// A request to write the file now.
    save: AtomicBool,
    saved: AtomicU64,
}

/// A training on its own threads. Dropping it stops it and writes its file.
#[derive(Debug)]
pub struct Session {
    learner: Learner,
    shared: Arc<Shared>,
    worker: Option<JoinHandle<()>>,
    warning: Option<String>,
}

impl Session {
    /// Starts or resumes a training. Writes the file at `place` first, every minute and at the end.
    pub fn start(learner: Learner, place: Place, threads: Threads) -> Result<Self, LearningError> {
        let shared = Arc::new(Shared::default());
        shared.control.set_part(LEARNING);
        let warning = place.warning().map(str::to_owned);
        let (own, own_shared) = (learner.clone(), shared.clone());
        let work = move || {
            let done = catch_unwind(AssertUnwindSafe(|| run(&own, &place, threads, &own_shared)));
            let state = match done {
                Ok(Ok(true)) => WorkState::Done,
                Ok(Ok(false)) => WorkState::Stopped,
                Ok(Err(error)) => WorkState::Failed(error.to_string()),
                Err(panic) => WorkState::Failed(panic_message(&*panic)),
            };
            drop(place);
            own_shared.control.end(state);
        };

        let worker = std::thread::Builder::new()
            .name("training".to_owned())
            .spawn(work);
        let worker = worker.map_err(|error| {
            LearningError::Failed(format!("the system cannot start a thread ({error})"))
        })?;
        Ok(Self {
            learner,
            shared,
            worker: Some(worker),
            warning,
        })
    }

    /// Pauses, resumes and stops it. The file is written before it pauses, and when it stops: the training can continue
    /// later.
    pub fn control(&self) -> &Control {
        &self.shared.control
    }

    /// Writes its file now.
    pub fn save(&self) {
        self.shared.save.store(true, Ordering::Relaxed);
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
        self.learner
            .log(|log| log.curve.get(from..).unwrap_or_default().to_vec())
    }

    /// A copy of the current network.
    pub fn network(&self) -> Network {
        self.learner.network()
    }

    pub fn progress(&self) -> Progress {
        let (work, saved) = (
            self.control().work(),
            self.shared.saved.load(Ordering::Relaxed),
        );
        self.learner.log(|log| {
            let (done, total) = (log.manifest.games, log.manifest.training.games);
            let part = if log.is_testing && work.part == LEARNING {
                TESTING.into()
            } else {
                work.part
            };
            Progress {
                work: Work {
                    unit: "game",
                    done,
                    total: total.max(done),
                    part,
                    ..work
                },
                moves: log.manifest.moves,
                secs: log.secs(),
                recent: log.recent(),
                points: log.curve.len(),
                saved,
            }
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.control().stop();
        if let Some(worker) = self.worker.take() {
            // Its state reports a panic.
            let _ = worker.join();
        }
    }
}

/// Returns whether all games are played.
fn run(
    learner: &Learner,
    place: &Place,
    threads: Threads,
    shared: &Shared,
) -> Result<bool, LearningError> {
    let control = &shared.control;
    let halts = || !control.is_open() || shared.save.load(Ordering::Relaxed);
    if !place.path().exists() {
        // A training that is killed before its first checkpoint can be resumed from its file.
        control.set_part(SAVING);
        learner.write(place.path())?;
        shared.saved.fetch_add(1, Ordering::Relaxed);
    }

    loop {
        control.set_part(LEARNING);
        if !halts() {
            learner.learn(threads, &halts, CHECKPOINT)?;
        }

        control.set_part(SAVING);
        shared.save.store(false, Ordering::Relaxed);
        save(learner, place, control)?;
        shared.saved.fetch_add(1, Ordering::Relaxed);
        if learner.is_finished() {
            return Ok(true);
        }
        control.set_part("");
        if !control.pass_unless(|| shared.save.load(Ordering::Relaxed)) {
            return Ok(false);
        }
    }
}

/// Writes the file of a training, and waits while the disk has no room. A request to stop ends the waiting: then the
/// last attempt counts.
fn save(learner: &Learner, place: &Place, control: &Control) -> Result<(), LearningError> {
    let (path, patience) = (place.path(), place.patience);
    let saving = Saving {
        path,
        what: "progress",
        who: "the training",
        patience,
    };
    match saving.until_room(control, || learner.write(path), WriteError::is_without_room) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Ok(learner.write(path).map(drop)?),
        Err(error) if error.is_without_room() => Err(LearningError::Failed(saving.is_over())),
        Err(error) => Err(error.into()),
    }
}

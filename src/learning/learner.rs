//! A network in training: its weights, its progress and its file.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use super::cells::{Cell, TcCell, TdCell};
use super::games::{Course, Ended, Lesson, Space, Table};
use crate::files::{self, Lock, LockedFile, Patience, WriteError};
use crate::game::{GENERATOR, Seed};
use crate::network::file::{MemoryError, check_memory, write};
use crate::network::{
    Encoding, Manifest, Network, NetworkError, NetworkInfo, Point, Reader, Restarts, Scores,
    Tables, Training, Update, Word, library,
};
use crate::task::{Threads, ThreadsError, lock, on_each, reserve_large};
use crate::words;

/// Number of games in the recent window.
const RECENT: usize = 1000;

/// The number of games from the start that one thread learns from, whatever the number of threads. New weights are
/// changed by their whole error, and the first positions of all games are nearly the same. Two threads that correct one
/// of them at once correct it twice, and if many of its lookups share a weight, that can exceed the error each time.
pub(super) const FIRST: u64 = 1_000;

/// Test games have another seed, so that none of them was learned from.
pub(super) const TESTED: u64 = 0x7465_7374_6564_0000;

/// Maximum number of stored points of a curve. With more games the training spaces them further apart.
const MOST_POINTS: u64 = 10_000;

/// Why a network cannot learn. The text names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum LearningError {
    #[error("{field}: {reason}")]
    Training { field: &'static str, reason: String },
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Network(#[from] NetworkError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{}: another process is training this network: wait until it ends, or stop it", .0.display())]
    Busy(PathBuf),
    #[error("{}: this network does not state how it was trained, so its training cannot resume", .0.display())]
    NoManifest(PathBuf),
    #[error("{}: {reason}: name another file with --out for other settings", path.display())]
    Another { path: PathBuf, reason: String },
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error("{0}")]
    Failed(String),
}

/// The weights in the form of their update rule.
#[derive(Debug)]
enum Cells {
    Td(Box<[TdCell]>),
    Tc(Box<[TcCell]>),
}

/// The facts about a training apart from the weights.
#[derive(Clone, Debug)]
pub(super) struct Log {
    pub(super) manifest: Manifest,
    pub(super) curve: Vec<Point>,
    /// Score and largest tile of the last games.
    pub(super) recent: VecDeque<(u64, u64)>,
    /// When the current period of play began.
    pub(super) begun: Option<Instant>,
    pub(super) is_testing: bool,
}

impl Log {
    pub(super) fn secs(&self) -> f64 {
        self.manifest.secs
            + self
                .begun
                .map_or(0.0, |begun| begun.elapsed().as_secs_f64())
    }

    /// Adds a point for the games since the last one.
    fn add_point(&mut self) {
        let (games, moves, secs) = (self.manifest.games, self.manifest.moves, self.secs());
        let learnt = std::mem::take(&mut self.manifest.since);
        self.curve.push(Point {
            games,
            moves,
            secs,
            learnt,
            tested: None,
        });
    }

    pub(super) fn recent(&self) -> Scores {
        let mut scores = Scores::default();
        self.recent
            .iter()
            .for_each(|&(score, largest)| scores.push(score, largest));
        scores
    }
}

/// A network in training. Clones share it.
#[derive(Clone, Debug)]
pub struct Learner(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    training: Mutex<Training>,
    reader: Reader,
    cells: Cells,
    log: Mutex<Log>,
}

/// The file of a network that this process trains.
#[derive(Debug)]
pub struct Place {
    path: PathBuf,
    lock: Option<LockedFile>,
    warning: Option<String>,
    /// How long a training waits for a disk without room before it fails.
    pub(super) patience: Patience,
}

impl Place {
    /// The file of this name or path, locked for this process.
    pub fn of(name: &str) -> Result<Self, LearningError> {
        let path = library::path_of(name)?;
        if library::is_named(name) {
            files::make_folder(files::folder_of(&path))?;
        }
        files::check_place(&path)?;
        let lock_path = Self::lock_of(&path);
        let lock = File::create(&lock_path).and_then(LockedFile::try_exclusive);
        let lock = lock.map_err(|source| WriteError::File {
            path: lock_path,
            source,
        })?;
        if lock.lock() == Lock::Busy {
            return Err(LearningError::Busy(path));
        }

        Ok(Self {
            warning: lock.lock().warning(&path),
            patience: Patience::default(),
            lock: Some(lock),
            path,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What to take care of during the training; `None` where the file system has locks.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Sets how long a training waits for a disk without room, before it fails.
    #[must_use]
    pub fn waiting(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Whether another process trains the network of this file.
    pub fn is_busy(path: &Path) -> Result<bool, LearningError> {
        let path = Self::lock_of(path);
        match File::open(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            file => {
                let locked = file.and_then(LockedFile::try_shared);
                let locked = locked.map_err(|source| WriteError::File { path, source })?;
                Ok(locked.lock() == Lock::Busy)
            }
        }
    }

    fn lock_of(path: &Path) -> PathBuf {
        files::folder_of(path).join(format!(".{}.lock", files::name_of(path)))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // The next user creates it again.
        if self.lock.take().is_some() {
            let _ = fs::remove_file(Self::lock_of(&self.path));
        }
    }
}

impl Learner {
    /// A new network without knowledge.
    pub fn new(training: Training, command: String) -> Result<Self, LearningError> {
        if let Some((field, reason)) = training.problems().into_iter().next() {
            return Err(LearningError::Training { field, reason });
        }
        let manifest = Manifest {
            rule: training.rule_text(),
            training,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            generator: GENERATOR.to_owned(),
            threads: 0,
            games: 0,
            moves: 0,
            secs: 0.0,
            started: words::rfc_3339(SystemTime::now()),
            command,
            since: Scores::default(),
            restarts: Restarts::default(),
        };
        Self::of(manifest, Vec::new(), None)
    }

    /// The training of a file, to continue it.
    pub fn open(path: &Path) -> Result<Self, LearningError> {
        let (network, coherences) = Network::read_with_coherences(path)?;
        let header = network.info.header.clone();
        let manifest = header
            .manifest
            .ok_or_else(|| LearningError::NoManifest(path.to_owned()))?;
        if manifest.generator != GENERATOR {
            let reason = "it was trained with another generator of tiles".to_owned();
            return Err(LearningError::Another {
                path: path.to_owned(),
                reason,
            });
        }
        let manifest = Manifest {
            rule: manifest.training.rule_text(),
            ..manifest
        };
        if header.encoding != Encoding::Whole
            || (manifest.training.rule == Update::Tc) != header.coherences
        {
            let reason = "it is a small copy, which lacks the state of its training".to_owned();
            return Err(LearningError::Another {
                path: path.to_owned(),
                reason,
            });
        }
        Self::of(manifest, header.curve, Some(&(network, coherences)))
    }

    fn of(
        manifest: Manifest,
        curve: Vec<Point>,
        from: Option<&(Network, Option<Vec<[f32; 2]>>)>,
    ) -> Result<Self, LearningError> {
        let training = manifest.training.clone();
        check_memory(training.memory())?;
        let count = training.network.weights() as usize;
        let initial = training.initial();
        let weight = |place: usize| from.map_or(initial, |(network, _)| network.weights()[place]);
        let coherences = from.and_then(|(_, coherences)| coherences.as_ref());
        let coherence = |place: usize| coherences.map_or([0.0; 2], |coherences| coherences[place]);
        let cells = match training.rule {
            Update::Td => Cells::Td(cells(count, weight, coherence)?),
            Update::Tc => Cells::Tc(cells(count, weight, coherence)?),
        };
        let log = Log {
            manifest,
            curve,
            recent: VecDeque::new(),
            begun: None,
            is_testing: false,
        };
        let reader = Reader::new(&training.network);
        Ok(Self(Arc::new(Inner {
            training: Mutex::new(training),
            reader,
            cells,
            log: Mutex::new(log),
        })))
    }

    pub fn training(&self) -> Training {
        lock(&self.0.training).clone()
    }

    /// Records that a command continues it.
    pub fn add_command(&self, command: &str) {
        self.log(|log| {
            let before = &mut log.manifest.command;
            if before != command {
                *before = if before.is_empty() {
                    command.to_owned()
                } else {
                    format!("{before}; {command}")
                };
            }
        });
    }

    /// Sets the total number of games. More games after its time was over remove that limit.
    pub fn set_games(&self, games: u64) {
        let mut log = lock(&self.0.log);
        let training = &mut log.manifest.training;
        training.games = games;
        if log.manifest.ran_out_of_time() {
            log.manifest.training.minutes = None;
        }
        *lock(&self.0.training) = log.manifest.training.clone();
    }

    /// Sets the total time limit in minutes. `None` removes it.
    pub fn set_minutes(&self, minutes: Option<f64>) {
        let mut log = lock(&self.0.log);
        log.manifest.training.minutes = minutes;
        lock(&self.0.training).minutes = minutes;
    }

    pub(super) fn log<T>(&self, look: impl FnOnce(&mut Log) -> T) -> T {
        look(&mut lock(&self.0.log))
    }

    pub fn manifest(&self) -> Manifest {
        self.log(|log| Manifest {
            secs: log.secs(),
            ..log.manifest.clone()
        })
    }

    pub fn curve(&self) -> Vec<Point> {
        self.log(|log| log.curve.clone())
    }

    pub fn is_finished(&self) -> bool {
        self.log(|log| log.manifest.is_finished())
    }

    /// A copy of the network. During learning, weights are read one after the other.
    pub fn network(&self) -> Network {
        let info = NetworkInfo::of(self.training().network, Some(self.manifest()), self.curve());
        let count = info.header.shape.weights() as usize;
        let mut weights = Vec::new();
        // Works with small pages as well.
        reserve_large(&mut weights, count);
        weights.extend((0..count).map(|place| self.0.cells.weight(place)));
        Network::new(info, weights)
    }

    /// Writes the current state, so that the training can continue. Call it only while nothing learns.
    pub fn write(&self, path: &Path) -> Result<NetworkInfo, WriteError> {
        let info = NetworkInfo::of(self.training().network, Some(self.manifest()), self.curve());
        let count = info.header.shape.weights() as usize;
        let coherence = match &self.0.cells {
            Cells::Td(_) => None,
            Cells::Tc(cells) => Some(|place: usize| cells[place].coherence()),
        };
        write(
            path,
            &info.header,
            Encoding::Whole,
            count,
            |place| self.0.cells.weight(place),
            coherence,
        )
    }

    /// Learns until all games are played, `halts` is true, or `limit` is over; each thread finishes its game. One thread
    /// learns from the first thousand games.
    pub fn learn(
        &self,
        threads: Threads,
        halts: &(impl Fn() -> bool + Sync),
        limit: Duration,
    ) -> Result<(), LearningError> {
        let training = self.training();
        let next = self.log(|log| {
            log.begun = Some(Instant::now());
            log.manifest.threads = log.manifest.threads.max(1);
            AtomicU64::new(log.manifest.games)
        });
        let left = self.log(|log| log.manifest.left_secs());
        let left = left.and_then(|secs| Duration::try_from_secs_f64(secs.max(0.0)).ok());
        let until = Instant::now() + left.map_or(limit, |left| left.min(limit));
        let is_over = || halts() || until <= Instant::now();
        let played = match &self.0.cells {
            Cells::Td(cells) => self.play_all(cells, &training, &next, threads, &is_over),
            Cells::Tc(cells) => self.play_all(cells, &training, &next, threads, &is_over),
        };

        self.log(|log| {
            log.manifest.secs = log.secs();
            log.begun = None;
            // The curve extends to the end.
            if log.manifest.ran_out_of_time() && log.manifest.since.n != 0 {
                log.add_point();
            }
        });

        Ok(played?)
    }

    /// Plays all its games on this thread.
    pub fn learn_here(&self) {
        let training = self.training();
        let next = self.log(|log| {
            log.begun = Some(Instant::now());
            log.manifest.threads = log.manifest.threads.max(1);
            AtomicU64::new(log.manifest.games)
        });
        match &self.0.cells {
            Cells::Td(cells) => self.play(cells, &training, &next, &|| false),
            Cells::Tc(cells) => self.play(cells, &training, &next, &|| false),
        }
        self.log(|log| {
            log.manifest.secs = log.secs();
            log.begun = None;
        });
    }

    fn play_all<W: Cell>(
        &self,
        cells: &[W],
        training: &Training,
        next: &AtomicU64,
        threads: Threads,
        is_over: &(impl Fn() -> bool + Sync),
    ) -> Result<(), ThreadsError> {
        let first = Mutex::new(());
        on_each(threads, || {
            let waited = lock(&first);
            self.play(cells, training, next, &|| {
                is_over() || FIRST <= next.load(Ordering::Relaxed)
            });
            drop(waited);
            if !is_over() && next.load(Ordering::Relaxed) < training.games {
                self.log(|log| {
                    log.manifest.threads = log.manifest.threads.max(threads.count as u64);
                });
                self.play(cells, training, next, is_over);
            }
        })
    }

    fn play<W: Cell>(
        &self,
        cells: &[W],
        training: &Training,
        next: &AtomicU64,
        is_over: &impl Fn() -> bool,
    ) {
        let table = Table(Tables {
            reader: &self.0.reader,
            weights: cells,
        });
        let (rules, seed, mut space) = (training.rules(), Seed(training.seed), Space::default());
        while !is_over() {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if training.games <= game {
                // Others must not count past it.
                next.fetch_sub(1, Ordering::Relaxed);
                return;
            }
            let (lesson, seed) = (Lesson::of(training, game), seed.game(game));
            let restarts = training.restarts != 0;
            // The draw is one that only an opening would use.
            let from = restarts
                .then(|| self.log(|log| log.manifest.restarts.next(|n| seed.place(0, n))))
                .flatten();
            let stages = if restarts {
                training.network.stages()
            } else {
                &[]
            };
            let ended = table.learn(lesson, Course { from, stages }, &seed, &rules, &mut space);
            if let Some(point) = self.finished(ended, from.is_some(), &space.entered, training) {
                self.test(&table, point, training, &mut space);
            }
        }
    }

    /// Counts a game. Returns the index of a point of the curve that needs test games.
    fn finished(
        &self,
        ended: Ended,
        is_restarted: bool,
        entered: &[(usize, Word)],
        training: &Training,
    ) -> Option<usize> {
        let mut log = lock(&self.0.log);
        let largest = ended.largest.tile();
        log.manifest.games += 1;
        log.manifest.moves += ended.moves;
        for &(stage, board) in entered {
            log.manifest
                .restarts
                .entered(stage, board, training.restarts);
        }

        // The score of a game from the middle on is not comparable.
        if !is_restarted {
            log.manifest.since.push(ended.score, largest);
            if log.recent.len() == RECENT {
                log.recent.pop_front();
            }
            log.recent.push_back((ended.score, largest));
        }

        let every = training.every.max(training.games.div_ceil(MOST_POINTS));
        let is_due =
            log.manifest.games.is_multiple_of(every) || log.manifest.games == training.games;
        if !is_due {
            return None;
        }
        log.add_point();
        (training.tests != 0).then(|| log.curve.len() - 1)
    }

    fn test<W: Cell>(
        &self,
        table: &Table<'_, W>,
        point: usize,
        training: &Training,
        space: &mut Space,
    ) {
        self.log(|log| log.is_testing = true);
        let mut scores = Scores::default();
        let seed = Seed(training.seed ^ TESTED);
        for game in 0..training.tests {
            let ended = table.test(&seed.game(game), &training.rules(), space);
            scores.push(ended.score, ended.largest.tile());
        }
        self.log(|log| {
            log.curve[point].tested = Some(scores);
            log.is_testing = false;
        });
    }
}

fn cells<W: Cell>(
    count: usize,
    weight: impl Fn(usize) -> f32,
    coherence: impl Fn(usize) -> [f32; 2],
) -> Result<Box<[W]>, LearningError> {
    let mut cells = Vec::new();
    if !reserve_large(&mut cells, count) {
        return Err(MemoryError::Refused.into());
    }
    cells.extend((0..count).map(|place| W::new(weight(place), coherence(place))));
    Ok(cells.into())
}

impl Cells {
    fn weight(&self, place: usize) -> f32 {
        use crate::network::Weight as _;
        match self {
            Self::Td(cells) => cells[place].value(),
            Self::Tc(cells) => cells[place].value(),
        }
    }
}

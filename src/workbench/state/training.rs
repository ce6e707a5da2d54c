//! Networks in training: their files on disk, the active trainings, and the results of tests.
//!
//! A training is its file. An active [`Session`] writes it every minute, when it is paused or stopped, and when the
//! window closes; the next session can continue from there.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::Core;
use super::effect::{Effect, Effects};
use crate::evaluator::Evaluator;
use crate::experiment::RunNotes;
use crate::files;
use crate::kept::{DeletedFile, NameProblem};
use crate::learning::{self, Learner, Place, Progress, Session, Training};
use crate::network::file::check_memory;
use crate::network::{Manifest, Network, NetworkInfo, Point, Scores, library};
use crate::strategy::{Criterion, Strategy};
use crate::task::{
    Job, Latest, Task, TaskGroup, TaskInfo, Threads, WorkState, lock, threads_for_window,
};
use crate::words;
use crate::workbench::command::{LearningCommand, Panel, requires};

/// Interval between updates of a training on screen.
const LOOK: Duration = Duration::from_millis(250);
/// Time over which the speed is measured.
const SPEED: Duration = Duration::from_secs(3);
/// The number of last points that may still wait for their test.
const UNTESTED: usize = 16;

const SHIPS: &str = "This network ships with the program and cannot be changed: train another one";
const NO_FOLDER: &str = "This system has no folder for networks";

/// A network of the folder, as last read.
#[derive(Clone, Debug)]
pub struct KeptNetwork {
    pub name: String,
    pub path: PathBuf,
    pub info: Result<Arc<NetworkInfo>, String>,
    /// Size of its file; `None` if it cannot be read.
    pub bytes: Option<u64>,
    /// Another process trains it.
    pub is_busy: bool,
    /// A shipped network, without a file.
    pub ships: bool,
    /// The user's notes about it.
    pub notes: RunNotes,
}

impl KeptNetwork {
    /// The shipped reference network.
    fn shipped() -> Self {
        let (info, bytes) = library::shipped();
        Self {
            name: library::REFERENCE.to_owned(),
            path: library::REFERENCE.into(),
            info: info.map(Arc::new).map_err(|error| error.to_string()),
            bytes: Some(bytes),
            is_busy: false,
            ships: true,
            notes: RunNotes::default(),
        }
    }

    pub fn manifest(&self) -> Option<&Manifest> {
        self.info.as_ref().ok()?.header.manifest.as_ref()
    }
}

/// The result of games with a snapshot of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkTest {
    /// The training progress of the snapshot: games, moves and seconds.
    pub at: Point,
    pub scores: Scores,
    /// The number of requested games.
    pub games: u64,
}

/// An active training of this window.
#[derive(Debug)]
pub struct LiveTraining {
    pub name: String,
    path: PathBuf,
    /// The task that allocates its memory or reads its file.
    begins: Option<Task<Result<Session, String>>>,
    session: Option<Session>,
    pub curve: Vec<Point>,
    pub progress: Option<Progress>,
    pub training: Training,
    /// Moves and games per second, over the last seconds.
    pub speed: Option<[f64; 2]>,
    measured: Option<(Instant, u64, u64)>,
    looked: Option<Instant>,
}

impl LiveTraining {
    pub fn is_paused(&self) -> bool {
        self.session
            .as_ref()
            .is_some_and(|session| session.control().is_paused())
    }

    /// Seconds until its last game at the current speed, or until its time limit.
    pub fn left_secs(&self) -> Option<f64> {
        let progress = self.progress.as_ref()?;
        let [_, games] = self.speed.filter(|_| !self.is_paused())?;
        let by_games = (0.0 < games)
            .then(|| progress.work.total.saturating_sub(progress.work.done) as f64 / games)?;
        let by_time = self
            .training
            .minutes
            .map(|minutes| (60.0 * minutes - progress.secs).max(0.0));
        Some(by_time.map_or(by_games, |by_time| by_time.min(by_games)))
    }

    fn look(&mut self) {
        let Some(session) = &self.session else { return };
        if self.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
            return;
        }

        self.looked = Some(Instant::now());
        let stable = self.curve.len().saturating_sub(UNTESTED);
        self.curve.truncate(stable);
        self.curve.extend(session.curve_from(stable));
        let progress = session.progress();
        let now = (Instant::now(), progress.moves, progress.work.done);
        match self.measured {
            Some((since, moves, games)) if SPEED <= since.elapsed() || self.speed.is_none() => {
                let secs = since.elapsed().as_secs_f64().max(1e-3);
                self.speed = Some([(now.1 - moves) as f64 / secs, (now.2 - games) as f64 / secs]);
                if SPEED <= since.elapsed() {
                    self.measured = Some(now);
                }
            }
            Some(_) => {}
            None => self.measured = Some(now),
        }

        if session.control().is_paused() {
            (self.speed, self.measured) = (None, None);
        }
        self.progress = Some(progress);
    }
}

/// The source of a network's weights.
#[derive(Debug)]
pub enum Snapshot {
    Live(Learner),
    File(PathBuf),
    Shipped,
}

impl Snapshot {
    /// The network as it is now.
    pub fn take(self) -> Result<Arc<Network>, String> {
        match self {
            Self::Live(learner) => {
                check_memory(learner.training().network.weights() * 4)
                    .map_err(|error| error.to_string())?;
                Ok(Arc::new(learner.network()))
            }
            Self::File(path) => {
                library::network(&path.to_string_lossy()).map_err(|error| error.to_string())
            }
            Self::Shipped => library::shipped_network().map_err(|error| error.to_string()),
        }
    }
}

#[derive(Debug, Default)]
pub struct Trainings {
    /// Keyed by the number of the read.
    list: Latest<u64, Arc<[Arc<KeptNetwork>]>>,
    looks: u64,
    /// Increases with every new result.
    version: u64,
    /// Names of the trainings that are pinned for comparison.
    pinned: BTreeSet<String>,
    /// Names in the order of their colors.
    pub(super) colors: Vec<String>,
    /// The number of requests to show a network, and the name in the last one.
    show_request: (u64, String),
    live: Vec<LiveTraining>,
    testing: Option<Testing>,
    tests: HashMap<String, Vec<NetworkTest>>,
}

#[derive(Debug)]
struct Testing {
    name: String,
    games: u64,
    task: Task<Result<NetworkTest, String>>,
    so_far: Option<NetworkTest>,
}

impl Trainings {
    /// All networks of the folder; `None` before the first read.
    pub fn kept(&self) -> Option<&[Arc<KeptNetwork>]> {
        self.list.value().map(|list| &**list)
    }

    pub fn find(&self, name: &str) -> Option<&Arc<KeptNetwork>> {
        self.kept()?.iter().find(|network| network.name == name)
    }

    pub fn live(&self) -> &[LiveTraining] {
        &self.live
    }

    pub fn live_of(&self, name: &str) -> Option<&LiveTraining> {
        self.live.iter().find(|live| live.name == name)
    }

    /// The names of all networks, sorted.
    pub fn names(&self) -> Vec<String> {
        let networks = self
            .kept()
            .unwrap_or_default()
            .iter()
            .map(|network| &network.name);
        let mut names: Vec<String> = networks
            .chain(self.live.iter().map(|live| &live.name))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// The color index of a network, stable over restarts.
    pub fn color(&self, name: &str) -> usize {
        self.colors
            .iter()
            .position(|other| other == name)
            .unwrap_or(self.colors.len())
    }

    fn give_colors(&mut self) {
        // Before the list is read, deleted networks are unknown.
        if self.kept().is_none() {
            return;
        }
        let names = self.names();
        give_colors(&mut self.colors, &names);
    }

    fn info(&self, name: &str) -> Option<&NetworkInfo> {
        // A training under the name of the shipped network is a different network.
        self.find(name)
            .filter(|network| !network.ships || self.live_of(name).is_none())?
            .info
            .as_deref()
            .ok()
    }

    pub fn training(&self, name: &str) -> Option<&Training> {
        let saved = || {
            self.info(name)
                .and_then(|info| Some(&info.header.manifest.as_ref()?.training))
        };
        self.live_of(name).map(|live| &live.training).or_else(saved)
    }

    pub fn curve(&self, name: &str) -> &[Point] {
        let saved = || self.info(name).map_or(&[][..], |info| &info.header.curve);
        self.live_of(name)
            .map(|live| &*live.curve)
            .filter(|curve| !curve.is_empty())
            .unwrap_or_else(saved)
    }

    /// Number of games learned from.
    pub fn games(&self, name: &str) -> u64 {
        let saved = || {
            self.info(name)
                .and_then(|info| Some(info.header.manifest.as_ref()?.games))
        };
        let live = self
            .live_of(name)
            .and_then(|live| live.progress.as_ref())
            .map(|progress| progress.work.done);
        live.or_else(saved).unwrap_or(0)
    }

    /// Whether its file says that training is finished.
    pub fn is_over(&self, name: &str) -> bool {
        let manifest = self
            .info(name)
            .and_then(|info| info.header.manifest.as_ref());
        self.live_of(name).is_none() && manifest.is_some_and(Manifest::is_finished)
    }

    /// The tests in this window, oldest first.
    pub fn tests(&self, name: &str) -> &[NetworkTest] {
        self.tests.get(name).map_or(&[], Vec::as_slice)
    }

    /// The active test, with partial results.
    pub fn testing(&self, name: &str) -> Option<(u64, Option<&NetworkTest>)> {
        let testing = self
            .testing
            .as_ref()
            .filter(|testing| testing.name == name)?;
        Some((testing.games, testing.so_far.as_ref()))
    }

    /// The source of a network's current weights.
    pub fn snapshot(&self, name: &str) -> Option<Snapshot> {
        if let Some(live) = self.live_of(name) {
            return live
                .session
                .as_ref()
                .map(|session| Snapshot::Live(session.learner().clone()));
        }
        let network = self.find(name)?;
        Some(if network.ships {
            Snapshot::Shipped
        } else {
            Snapshot::File(network.path.clone())
        })
    }

    /// The state in a few words.
    pub fn state_words(&self, name: &str) -> &'static str {
        match (self.live_of(name), self.find(name)) {
            (Some(live), _) if live.is_paused() => "paused",
            (Some(_), _) => "learning",
            (None, Some(network)) if network.info.is_err() => "unreadable",
            (None, Some(network)) if network.ships => "shipped",
            (None, Some(network)) if network.is_busy => "another process trains it",
            _ if self.is_over(name)
                && self
                    .training(name)
                    .is_some_and(|training| self.games(name) < training.games) =>
            {
                "time limit reached"
            }
            _ if self
                .training(name)
                .is_some_and(|training| self.games(name) < training.games) =>
            {
                "stopped"
            }
            _ => "all played",
        }
    }

    /// The user's trainings, including new ones: name and file.
    pub fn own(&self) -> Vec<(String, PathBuf)> {
        let networks = self
            .kept()
            .unwrap_or_default()
            .iter()
            .filter(|network| !network.ships);
        let mut own: Vec<(String, PathBuf)> = networks
            .map(|network| (network.name.clone(), network.path.clone()))
            .collect();
        let is_new =
            |live: &&LiveTraining| self.find(&live.name).is_none_or(|network| network.ships);
        own.extend(
            self.live
                .iter()
                .filter(is_new)
                .map(|live| (live.name.clone(), live.path.clone())),
        );
        own
    }

    pub(super) fn unpin_all(&mut self) {
        self.pinned.clear();
    }

    pub fn is_pinned(&self, name: &str) -> bool {
        self.pinned.contains(name)
    }

    pub fn pinned(&self) -> impl Iterator<Item = &str> {
        self.pinned.iter().map(String::as_str)
    }

    /// The number of requests to show a network, and the name in the last one.
    pub fn show_request(&self) -> (u64, &str) {
        (self.show_request.0, &self.show_request.1)
    }

    /// Increases with every new result, so that views update.
    pub fn list_version(&self) -> u64 {
        self.version
    }

    /// A version that changes when the file is rewritten.
    pub fn version(&self, name: &str) -> String {
        self.info(name)
            .map_or_else(String::new, |info| info.sha256.clone())
    }

    pub fn is_reading(&self) -> bool {
        self.list.is_pending()
    }
}

/// Gives a color to each network without one: that of a deleted network, or a new one.
fn give_colors(colors: &mut Vec<String>, names: &[String]) {
    for name in names {
        if !colors.contains(name) {
            match colors.iter_mut().find(|other| !names.contains(other)) {
                Some(gone) => gone.clone_from(name),
                None => colors.push(name.clone()),
            }
        }
    }
}

fn read(
    config_dir: &Path,
    job: &Job<Arc<[Arc<KeptNetwork>]>>,
    own: &[PathBuf],
) -> Arc<[Arc<KeptNetwork>]> {
    let files = library::files_in(config_dir)
        .into_iter()
        .take_while(|_| !job.is_cancelled());
    let mut all: Vec<Arc<KeptNetwork>> = files
        .map(|path| {
            let info = library::info(&path.to_string_lossy())
                .map(Arc::new)
                .map_err(|error| error.to_string());
            let bytes = std::fs::metadata(&path).ok().map(|metadata| metadata.len());
            let busy = if own.contains(&path) {
                Ok(false)
            } else {
                Place::is_busy(&path)
            };
            let (is_busy, info) = match busy {
                Ok(is_busy) => (is_busy, info),
                Err(error) => (false, Err(error.to_string())),
            };
            let name = path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let notes = RunNotes::of(&path);
            Arc::new(KeptNetwork {
                name,
                path,
                info,
                bytes,
                is_busy,
                ships: false,
                notes,
            })
        })
        .collect();
    if all.iter().all(|network| network.name != library::REFERENCE) {
        all.push(Arc::new(KeptNetwork::shipped()));
    }

    all.into()
}

impl Trainings {
    /// Whether a command applies now, else why not.
    pub(super) fn can(
        &self,
        core: &Core,
        command: &LearningCommand,
    ) -> Result<(), Cow<'static, str>> {
        use LearningCommand as C;
        let all = self;
        match command {
            C::List | C::Restore(_) | C::Show(_) | C::Pin(_) | C::Unpin(_) => Ok(()),
            C::Start { name, training, .. } => self.can_start_training(core, name, training),
            C::Resume { name, games } => {
                let live = all.live_of(name);
                if live.is_some_and(LiveTraining::is_paused) {
                    return Ok(());
                }
                requires(live.is_none(), "This network is already learning")?;
                let network = all.find(name).ok_or("There is no such network")?;
                requires(!network.ships, SHIPS)?;
                requires(
                    !network.is_busy,
                    "Another process is training this network: wait until it ends, or stop it",
                )?;
                let training = all
                    .training(name)
                    .ok_or("The file does not say how this network was trained")?;
                let of_games = games.unwrap_or(training.games);
                requires(
                    all.games(name) < of_games,
                    "All its games are played: enter more games, then resume",
                )?;
                requires(
                    games.is_some() || !all.is_over(name),
                    "Time limit reached: enter more games, then resume",
                )?;
                check_memory(training.memory()).map_err(|error| error.to_string().into())
            }
            C::Pause(name) => {
                requires(
                    all.live_of(name).is_some_and(|live| live.session.is_some()),
                    "This network is not learning",
                )?;
                requires(
                    !all.live_of(name).is_some_and(LiveTraining::is_paused),
                    "This training is already paused",
                )
            }
            C::Stop(name) => requires(all.live_of(name).is_some(), "This network is not learning"),
            C::Checkpoint(name) => {
                let live = all.live_of(name).is_some_and(|live| live.session.is_some());
                requires(live, "This network is not learning: its file is complete")
            }
            C::Test { name, games } => {
                requires(
                    all.testing.is_none(),
                    "A test is running: wait until it ends, or stop it",
                )?;
                requires(0 < *games, "Play at least one game")?;
                requires(all.snapshot(name).is_some(), "This network is being read")?;
                requires(
                    all.training(name).is_some(),
                    "The file does not say by which rules this network learned",
                )
            }
            C::StopTest => requires(all.testing.is_some(), "No test is running"),
            C::Use(name) => requires(
                all.find(name).is_some_and(|network| network.info.is_ok()),
                "Nothing of it is saved yet: press Checkpoint now first",
            ),
            C::Delete(name) => {
                requires(
                    all.live_of(name).is_none(),
                    "This network is learning: stop it first",
                )?;
                let network = all.find(name).ok_or("There is no such network")?;
                requires(!network.ships, SHIPS)?;
                requires(
                    !network.is_busy,
                    "Another process is training this network: wait until it ends, or stop it",
                )
            }
        }
    }

    fn can_start_training(
        &self,
        core: &Core,
        name: &str,
        training: &Training,
    ) -> Result<(), Cow<'static, str>> {
        if let Some(problem) = NameProblem::of(name) {
            return Err(format!("Choose another name for the network: {problem}").into());
        }
        let path = core.network_path(name).ok_or(NO_FOLDER)?;
        let is_taken = path.exists() || self.live_of(name).is_some();
        requires(
            !is_taken,
            "A network of this name exists: choose another name, or resume that one",
        )?;
        if let Some((field, reason)) = training.problems().into_iter().next() {
            return Err(format!("{}: {reason}", words::capitalised(field)).into());
        }
        check_memory(training.memory()).map_err(|error| error.to_string().into())
    }

    pub(super) fn apply(
        &mut self,
        core: &mut Core,
        command: &LearningCommand,
        effects: &mut Effects,
    ) {
        use LearningCommand as C;
        if let Err(reason) = self.can(core, command) {
            return effects.warn(reason);
        }

        match command {
            C::List => self.list_networks(core),
            C::Start {
                name,
                training,
                threads,
            } => self.start_training(core, name, training, *threads),
            C::Resume { name, games } => self.resume_training(core, name, *games),
            C::Pause(name) => self.with_session(name, |session| session.control().pause()),
            C::Stop(name) => self.stop_training(name),
            C::Checkpoint(name) => {
                self.with_session(name, Session::save);
                effects.info(format!("{} is being saved", words::quoted(name)));
            }
            C::Test { name, games } => self.test_network(core, name, *games),
            C::StopTest => self
                .testing
                .iter()
                .for_each(|testing| testing.task.cancel()),
            C::Use(name) => self.use_network(core, name, effects),
            C::Delete(name) => self.delete_network(core, name, effects),
            C::Restore(deleted) => self.restore_network(core, deleted, effects),
            C::Show(name) => {
                self.show_request = (self.show_request.0 + 1, name.clone());
                effects.push(Effect::ShowPanel(Panel::Learning));
            }
            C::Pin(name) => drop(self.pinned.insert(name.clone())),
            C::Unpin(name) => drop(self.pinned.remove(name)),
        }
    }

    pub(super) fn list_networks(&mut self, core: &Core) {
        let Some(config_dir) = core.config_dir().map(Path::to_owned) else {
            return;
        };
        let own: Vec<PathBuf> = self.live.iter().map(|live| live.path.clone()).collect();
        self.looks += 1;
        let info = TaskInfo::told("Reading the list of networks");
        let looks = self.looks;
        self.list.ask(looks, core.tasks(), info, move |job| {
            read(&config_dir, job, &own)
        });
    }

    fn with_session(&self, name: &str, act: impl Fn(&Session)) {
        self.live_of(name)
            .and_then(|live| live.session.as_ref())
            .into_iter()
            .for_each(act);
    }

    fn start_training(
        &mut self,
        core: &Core,
        name: &str,
        training: &Training,
        threads: Option<usize>,
    ) {
        let Some(path) = core.network_path(name) else {
            return;
        };
        let new = training.clone();
        self.begin_training(core, name, path, training.clone(), threads, move |_| {
            Learner::new(new, String::new()).map_err(|error| error.to_string())
        });
    }

    fn resume_training(&mut self, core: &Core, name: &str, games: Option<u64>) {
        if self.live_of(name).is_some() {
            return self.with_session(name, |session| session.control().resume());
        }
        let (Some(path), Some(training)) = (core.network_path(name), self.training(name).cloned())
        else {
            return;
        };
        let training = Training {
            games: games.unwrap_or(training.games),
            ..training
        };
        self.begin_training(core, name, path, training, None, move |path| {
            let learner = Learner::open(path).map_err(|error| error.to_string())?;
            if let Some(games) = games {
                learner.set_games(games);
            }
            Ok(learner)
        });
    }

    /// Allocating memory and reading a file take a moment, so a task does it.
    fn begin_training(
        &mut self,
        core: &Core,
        name: &str,
        path: PathBuf,
        training: Training,
        threads: Option<usize>,
        learner: impl FnOnce(&Path) -> Result<Learner, String> + Send + 'static,
    ) {
        let threads = Threads {
            count: threads.unwrap_or_else(|| core.training_threads()),
            low_priority: true,
        };
        let is_new = self.find(name).is_none_or(|network| network.ships);
        let curve = if is_new {
            Vec::new()
        } else {
            self.curve(name).to_vec()
        };
        let file = path.clone();
        let work = move |_: &Job<Result<Session, String>>| {
            files::make_folder(files::folder_of(&file)).map_err(|error| error.to_string())?;
            let place = Place::of(&file.to_string_lossy()).map_err(|error| error.to_string())?;
            let learner = learner(&file)?;
            Session::start(learner, place, threads).map_err(|error| error.to_string())
        };

        let info = TaskInfo::told(format!("Preparing {} for training", words::quoted(name)));
        let begins = Some(core.tasks().begin(info, work));
        self.live.push(LiveTraining {
            name: name.to_owned(),
            path,
            begins,
            session: None,
            curve,
            progress: None,
            training,
            speed: None,
            measured: None,
            looked: None,
        });

        self.give_colors();
    }

    fn stop_training(&mut self, name: &str) {
        self.with_session(name, |session| session.control().stop());
        // A training that has not started has nothing to save.
        self.live
            .retain(|live| live.name != name || live.session.is_some());
    }

    fn test_network(&mut self, core: &Core, name: &str, games: u64) {
        let (Some(snapshot), Some(training)) = (self.snapshot(name), self.training(name).cloned())
        else {
            return;
        };

        let threads = Threads {
            count: core.training_threads(),
            low_priority: true,
        };
        let words = format!("Testing {}", words::quoted(name));
        let info = TaskInfo::asked(TaskGroup::Panel, words)
            .pausable()
            .answering_when_stopped();
        let task = core
            .tasks()
            .begin(info, move |job: &Job<Result<NetworkTest, String>>| {
                let network = snapshot.take()?;
                let manifest = network.info.header.manifest.as_ref();
                let [learnt, moves] =
                    manifest.map_or([0, 0], |manifest| [manifest.games, manifest.moves]);
                let at = Point {
                    games: learnt,
                    moves,
                    secs: manifest.map_or(0.0, |manifest| manifest.secs),
                    ..Point::default()
                };
                let part = |scores: &Scores| NetworkTest {
                    at: at.clone(),
                    scores: scores.clone(),
                    games,
                };
                // Workers report one at a time.
                let job = Mutex::new(job);
                let report = |scores: &Scores| lock(&job).tell_now_and_then(|| Ok(part(scores)));
                let control = lock(&job).control().clone();
                let scores = learning::test(&network, &training, games, threads, &control, &report);
                scores
                    .map(|scores| part(&scores))
                    .map_err(|error| error.to_string())
            });
        self.testing = Some(Testing {
            name: name.to_owned(),
            games,
            task,
            so_far: None,
        });
    }

    fn use_network(&mut self, core: &mut Core, name: &str, effects: &mut Effects) {
        let Some(row) = self.row(core, name) else {
            return;
        };
        let strategy = Strategy {
            name: name.to_owned(),
            criteria: vec![row],
            ..Strategy::default()
        };
        core.open_or_select(&strategy);
        effects.push(Effect::ShowPanel(Panel::Strategy));
    }

    fn delete_network(&mut self, core: &mut Core, name: &str, effects: &mut Effects) {
        let Some(path) = self.find(name).map(|network| network.path.clone()) else {
            return;
        };
        if let Some(deleted) = effects.accept(DeletedFile::of(&path)) {
            self.tests.remove(name);
            self.pinned.remove(name);
            core.has_deleted(
                &words::quoted(name),
                LearningCommand::Restore(deleted),
                effects,
            );
        }
        self.list_networks(core);
    }

    fn restore_network(&mut self, core: &mut Core, deleted: &DeletedFile, effects: &mut Effects) {
        core.has_restored("The network", deleted.restore(), effects);
        self.list_networks(core);
    }

    /// Updates the active trainings; returns the time until the next update.
    pub(super) fn poll(&mut self, core: &Core, effects: &mut Effects) -> Option<Duration> {
        if self.list.poll() {
            self.version += 1;
            self.give_colors();
        }

        self.poll_test(effects);
        let (mut over, mut has_written) = (Vec::new(), false);
        for live in &mut self.live {
            if let Some(answer) = live.begins.as_mut().and_then(Task::poll) {
                live.begins = None;
                match answer
                    .map_err(|error| error.to_string())
                    .and_then(|session| session)
                {
                    Ok(session) => {
                        session
                            .warning()
                            .into_iter()
                            .for_each(|warning| effects.warn(warning));
                        live.session = Some(session);
                    }
                    Err(reason) => over.push((live.name.clone(), Err(reason))),
                }
            }

            let before = live.progress.as_ref();
            let (saved, trouble) = before
                .map(|before| (before.saved, before.work.trouble.clone()))
                .unwrap_or_default();
            live.look();
            let Some(progress) = &live.progress else {
                continue;
            };
            effects.tell_trouble(progress.work.trouble.as_ref(), trouble.as_ref());
            has_written |= saved < progress.saved;
            let games = words::plural(progress.work.done, "game");

            match &progress.work.state {
                WorkState::Failed(reason) => over.push((live.name.clone(), Err(reason.clone()))),
                WorkState::Done if progress.work.done < progress.work.total => {
                    over.push((
                        live.name.clone(),
                        Ok(format!(
                            "has learned from {games}: its time limit is reached"
                        )),
                    ));
                }
                WorkState::Done => {
                    over.push((live.name.clone(), Ok(format!("has learned from {games}"))));
                }
                WorkState::Stopped => {
                    over.push((
                        live.name.clone(),
                        Ok(format!(
                            "is stopped: {games} are saved, and Resume continues"
                        )),
                    ));
                }
                _ => {}
            }
        }

        for (name, end) in over {
            // Its curve stays until the file is read.
            self.live.retain(|live| live.name != name);
            has_written = true;
            match end {
                Ok(end) => effects.info(format!("{} {end}", words::quoted(&name))),
                Err(reason) => effects.error(format!("{}: {reason}", words::quoted(&name))),
            }
        }
        if has_written {
            self.list_networks(core);
        }

        (!self.live.is_empty()).then_some(LOOK)
    }

    fn poll_test(&mut self, effects: &mut Effects) {
        let Some(testing) = &mut self.testing else {
            return;
        };
        let answer = testing.task.poll();
        if let Some(Ok(part)) = testing.task.take_part() {
            testing.so_far = Some(part);
        }
        let Some(answer) = answer else { return };
        let Some(Testing { name, .. }) = self.testing.take() else {
            return;
        };
        match answer
            .map_err(|error| error.to_string())
            .and_then(|test| test)
        {
            Ok(test) if test.scores.n == 0 => {}
            Ok(test) => self.tests.entry(name).or_default().push(test),
            Err(reason) => effects.error(format!("{}: {reason}", words::quoted(&name))),
        }
    }

    /// The text of the status bar for active trainings.
    pub(super) fn words(&self) -> Vec<String> {
        let words = |live: &LiveTraining| {
            let verb = if live.is_paused() {
                "Paused: training"
            } else {
                "Training"
            };
            let name = words::shortened_to(40, &live.name);
            let Some(progress) = &live.progress else {
                return format!("{verb} {name}");
            };
            let [games, all] = [progress.work.done, progress.work.total].map(words::count);
            format!("{verb} {name}, {games} of {all} games")
        };
        self.live.iter().map(words).collect()
    }

    /// The row that plays with a network, once its file is readable. It uses the name if every part of the program
    /// finds the network by it, else the path.
    pub fn row(&self, core: &Core, name: &str) -> Option<Criterion> {
        let network = self.find(name).filter(|network| network.info.is_ok())?;
        let path = if network.ships {
            network.path.clone()
        } else {
            core.network_path(name)?
        };
        let is_usual =
            files::config_dir().is_some_and(|folder| path.starts_with(library::folder_in(&folder)));
        let file = if is_usual || network.ships {
            name.to_owned()
        } else {
            path.to_string_lossy().into_owned()
        };
        Some(Criterion::one_ply(Evaluator::Network(file)))
    }
}

impl Core {
    /// The default number of training threads.
    pub fn training_threads(&self) -> usize {
        self.threads().unwrap_or_else(threads_for_window)
    }

    fn network_path(&self, name: &str) -> Option<PathBuf> {
        Some(library::folder_in(self.config_dir()?).join(format!("{name}.{}", library::ENDING)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_keeps_its_colour_until_it_is_gone() {
        let mut colors = Vec::new();
        let mut give = |names: &str| {
            give_colors(
                &mut colors,
                &names.split(' ').map(str::to_owned).collect::<Vec<_>>(),
            );
            colors.join(" ")
        };
        assert_eq!(give("b d"), "b d");
        assert_eq!(
            give("a b c d"),
            "b d a c",
            "new ones before others in the list take none of theirs"
        );
        assert_eq!(give("a c d"), "b d a c");
        assert_eq!(
            give("a c d e f"),
            "e d a c f",
            "the colour of one that is gone is given again"
        );
    }
}

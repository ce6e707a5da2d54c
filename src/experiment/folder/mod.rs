//! A run as a folder on disk, from its first second on.
//!
//! | in the folder | |
//! | --- | --- |
//! | `manifest.json` | what is played: strategies, rules, seed, generator; who played how long |
//! | `games/`, `costs/`, `moves/` | the games of each strategy that are sealed: see `tables` |
//! | `parts/NAME/` | the same of one process, before the whole is put together |
//! | `journal/NAME.journal` | games as they end: see `journal` |
//! | `history/NAME.json` | a process that plays, or one that was killed; one that ended is in the manifest |
//! | `notes.json` | tags and a note that somebody wrote |
//!
//! A game is known by strategy (SHA-256 of its text), rules, seed and index. What a folder holds is the *union* of its
//! files: the same game from two of them must be the same, which is checked whenever they are put together. So many
//! processes fill one folder, on one machine or many: each writes files of its own. To resume, to extend, to split and to
//! merge are one thing: play what is missing.
//!
//! Who plays a part of the games reads only what others have of that part, and makes tables of its own games at its end;
//! when all games are there they are put together. So a thousand processes do not read each other's games a thousand times.
//!
//! Locks (`File::lock` of `.lock`): who plays holds a shared one; whoever holds it alone puts the files together. On a file
//! system without locks nobody does so unasked.

mod journal;
mod keeper;
mod notes;
mod runs;
mod tables;
#[cfg(test)]
mod tests;
mod verify;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use itertools::Itertools as _;
use parquet::errors::ParquetError;

pub use keeper::Keeper;
pub use notes::RunNotes;
pub use runs::{DeletedRun, KeptRun, Runs, TRASH_DAYS};
pub use verify::Verified;

use super::manifest::{ContestantRecord, Stint};
use super::plan::arm_key;
use super::{Contestant, Cost, EndReason, Manifest, Plan};
use crate::files::{self, Lock, ReadProblem, WriteError, said};
use crate::game::{Move, Rules, Size};
use crate::preset::Preset;
use crate::strategy::{Finish, Strategy};

/// The largest journal that is read, in bytes; before that it is sealed.
const LARGEST_JOURNAL: u64 = 512 << 20;

/// The largest manifest, in bytes.
const LARGEST_MANIFEST: u64 = 64 << 20;

/// A game as a folder keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub index: u64,
    pub finish: Finish,
    /// CPU time that was spent on it.
    pub cpu: Duration,
    /// Its moves, if it was searched.
    pub moves: Vec<Move>,
}

impl Game {
    /// What it took.
    pub fn cost(&self) -> Cost {
        Cost { time: self.cpu, nodes: self.finish.nodes }
    }

    /// Whether it ended as another one: what it cost does not count.
    fn is_same(&self, other: &Self) -> bool {
        let what = |game: &Self| (game.index, game.finish.outcome, game.finish.board);
        what(self) == what(other) && (self.moves == other.moves || self.moves.is_empty() || other.moves.is_empty())
    }
}

/// What is wrong with a folder, in one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{}: {}; check the disk or choose another folder", path.display(), said(source))]
    Disk { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Wrong { path: PathBuf, reason: String },
    #[error("{}: this is the folder of another run ({reason}); choose another folder", path.display())]
    Another { path: PathBuf, reason: String },
    #[error(
        "{strategy}, game {index}: two files say different things of it; verify the folders to find out which is wrong"
    )]
    Disagree { strategy: String, index: u64 },
    /// A table that is missing or does not read.
    #[error("{}: {reason}; restore it from a copy of the run", path.display())]
    Table { path: PathBuf, reason: String },
    #[error(transparent)]
    Unwritten(#[from] WriteError),
}

impl FolderError {
    /// What the reader of a table says.
    fn unread(path: &Path, error: ParquetError) -> Self {
        let reason = match error {
            ParquetError::External(error) => match error.downcast_ref::<io::Error>() {
                Some(error) => format!("this table cannot be read ({})", said(error)),
                None => format!("this table is damaged ({error})"),
            },
            ParquetError::General(what) | ParquetError::EOF(what) => format!("this table is damaged ({what})"),
            error => format!("this table is damaged ({error})"),
        };
        Self::Table { path: path.to_owned(), reason }
    }

    /// Whether the disk is full.
    pub fn is_without_room(&self) -> bool {
        let (Self::Disk { source, .. }
        | Self::Unwritten(WriteError::File { source, .. } | WriteError::Folder { source, .. })) = self
        else {
            return matches!(self, Self::Unwritten(WriteError::NoRoom { .. }));
        };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}

type Result<T> = std::result::Result<T, FolderError>;

fn at<T>(path: &Path, done: io::Result<T>) -> Result<T> {
    done.map_err(|source| FolderError::Disk { path: path.to_owned(), source })
}

/// A strategy of a folder.
#[derive(Clone, Debug)]
pub struct Arm {
    pub strategy: Strategy,
    /// The rules of its games.
    pub rules: Rules,
    /// What its games are kept under.
    key: String,
    /// Whether a file that it reads is not as it was when the run was begun, so that it would play something else.
    is_changed: bool,
}

impl Arm {
    /// A contestant of a plan.
    pub fn of(plan: &Plan, contestant: usize) -> Self {
        let one = &plan.contestants[contestant];
        let key = one.arm_key(plan.rules);
        Self { strategy: one.strategy.clone(), rules: one.rules(plan.rules), key, is_changed: false }
    }

    /// One of a folder, by what its files were then.
    fn kept(contestant: &Contestant, rules: Rules, record: &ContestantRecord) -> Self {
        let (now, own_p4) = (contestant.strategy.sha256(), contestant.own_p4(rules));
        let then = record.sha256.as_ref().unwrap_or(&now);
        let (is_changed, key) = (*then != now, arm_key(then.clone(), own_p4));
        Self { strategy: contestant.strategy.clone(), rules: contestant.rules(rules), key, is_changed }
    }

    /// Whether a file that it reads is not as it was when the run was begun, so that it would play something else.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The name of its files.
    fn file(&self) -> &str {
        &self.key[..16]
    }
}

/// A folder of a run that this process may write into.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    pub manifest: Manifest,
    pub preset: Preset,
    arms: Vec<Arm>,
    /// Other runs, which may hold some of its games.
    runs: Option<Runs>,
    lock: Option<File>,
    /// How long a run waits for a disk that takes no games; without end where it is `None`.
    patience: Option<Duration>,
}

/// Games of one strategy from several files, in the order of their indices.
pub type GamesInOrder = Box<dyn Iterator<Item = Result<Game>>>;

impl RunFolder {
    /// The folder of a plan: made now, or the one that a run of these strategies, rules and seed has filled so far.
    pub fn of_plan(path: &Path, plan: &Plan) -> Result<Self> {
        fs::create_dir_all(path).map_err(|source| WriteError::Folder { path: path.to_owned(), source })?;
        let file = path.join(MANIFEST);
        if !file.exists() {
            let mut entries = at(path, fs::read_dir(path))?.flatten();
            let entry = entries.find(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
            // Meanwhile another process may have begun the same run.
            if let Some(entry) = entry.filter(|_| !file.exists()) {
                let reason = format!("it holds {} and no manifest.json", entry.file_name().to_string_lossy());
                return Err(FolderError::Another { path: path.to_owned(), reason });
            }
            if !file.exists() {
                write_manifest(&file, &Manifest::planned(plan))?;
            }
        }
        let mut folder = Self::open(path)?;
        let planned = Manifest::planned(plan);
        if let Some(reason) = folder.manifest.differs_from(&planned) {
            return Err(FolderError::Another { path: path.to_owned(), reason });
        }
        let sweep = planned.sweep.or_else(|| folder.manifest.sweep.clone());
        let manifest = &folder.manifest;
        if manifest.games < plan.games || manifest.until != plan.until || manifest.sweep != sweep {
            folder.manifest.games = folder.manifest.games.max(plan.games);
            folder.manifest.sweep = sweep;
            folder.manifest.until.clone_from(&plan.until);
            write_manifest(&file, &folder.manifest)?;
        }
        Ok(folder)
    }

    /// A folder as it is.
    pub fn open(path: &Path) -> Result<Self> {
        let (manifest, preset) = Self::read_manifest(path)?;
        let plan = Plan::of_preset(&preset);
        let records = plan.contestants.iter().zip(&manifest.strategies);
        let arms: Vec<Arm> = records.map(|(one, record)| Arm::kept(one, plan.rules, record)).collect();
        let lock = shared_lock(path)?;
        Ok(Self { path: path.to_owned(), manifest, preset, arms, runs: None, lock, patience: None })
    }

    fn read_manifest(folder: &Path) -> Result<(Manifest, Preset)> {
        let path = folder.join(MANIFEST);
        let wrong = |reason: String| FolderError::Wrong { path: path.clone(), reason };
        let text = files::read_text(&path, LARGEST_MANIFEST).map_err(|error| match error.problem {
            ReadProblem::Missing => wrong("there is no such file; name the folder of a run".to_owned()),
            problem => wrong(problem.to_string()),
        })?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| wrong(Manifest::unread(&error)))?;
        let preset = manifest.preset().map_err(wrong)?;
        Ok((manifest, preset))
    }

    /// Whether another process uses it: it plays into it, or reads it just now.
    fn is_played(folder: &Path) -> Result<bool> {
        let path = folder.join(LOCK);
        // Some file systems lock only what is open for writing.
        let file = match File::options().read(true).write(true).open(&path) {
            Err(error) if may_not_write(&error) => File::open(&path),
            file => file,
        };
        match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            file => Ok(at(&path, file.and_then(|file| files::try_lock(&file)))? == Lock::Busy),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its strategies, in the order of the manifest.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The games that a contestant has here, whether or not it could be played now.
    pub(super) fn arm_of(&self, plan: &Plan, contestant: usize) -> Arm {
        let one = &plan.contestants[contestant];
        let is_same = |arm: &&Arm| arm.strategy == one.strategy && arm.rules == one.rules(plan.rules);
        self.arms.iter().find(is_same).cloned().unwrap_or_else(|| Arm::of(plan, contestant))
    }

    /// Other kept runs lend it the games that both have.
    #[must_use]
    pub fn among(self, runs: &Runs) -> Self {
        Self { runs: Some(runs.clone()), ..self }
    }

    /// A run into this folder fails when the disk has taken no games for so long. By default it waits until it does.
    #[must_use]
    pub fn failing_after(self, patience: Duration) -> Self {
        Self { patience: Some(patience), ..self }
    }

    /// How it ended, as far as is known: by what its manifest and the processes say that nobody has asked yet.
    pub fn end_reason(&self) -> EndReason {
        // In this order: what leaves the one stands in the other by then.
        let told = self.stints();
        let mut manifest = Self::read_manifest(&self.path).map_or_else(|_| self.manifest.clone(), |(now, _)| now);
        manifest.add_history(told);
        manifest.end_reason
    }

    /// Refuses a folder of other strategies, rules or another seed.
    pub fn check_same(&self, other: &Self) -> Result<()> {
        match other.manifest.differs_from(&self.manifest) {
            Some(reason) => Err(FolderError::Another { path: other.path.clone(), reason }),
            None => Ok(()),
        }
    }

    /// Whether games of a plan may have to be played, as far as the manifest knows.
    pub fn lacks_games_of(&self, plan: &Plan) -> bool {
        self.manifest.strategies.iter().any(|record| record.finished < plan.games)
    }

    /// The games that are there.
    pub fn games(&self) -> Result<Sources> {
        self.games_in(0..u64::MAX)
    }

    /// The games that are there of some indices, and maybe some others.
    fn games_in(&self, indices: Range<u64>) -> Result<Sources> {
        Sources::of(std::slice::from_ref(&self.path), self.preset.rules.size, indices)
    }

    /// The games of other runs that are games of this one, of some indices at least.
    fn lent_games(&self, indices: Range<u64>) -> Result<Sources> {
        let kin = self.runs.as_ref().map(|runs| runs.kin(self)).unwrap_or_default();
        Sources::of(&kin, self.preset.rules.size, indices)
    }

    /// Whether files are few, or all games are there: else each of a thousand parts would write the whole again.
    fn is_worth_putting_together(&self) -> Result<bool> {
        const FEW: usize = 32;
        Ok(files_in(&self.path.join(JOURNALS)).len() + roots(&self.path).len() <= FEW || self.is_in_tables()?)
    }

    /// Whether tables hold as many games as the run is to have.
    fn is_in_tables(&self) -> Result<bool> {
        for arm in &self.arms {
            let mut games = 0;
            for root in roots(&self.path) {
                games += tables::span(&root, arm.file())?.map_or(0, |span| span.games);
            }
            if games < self.manifest.games {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What processes tell of themselves that are not in the manifest yet.
    fn stints(&self) -> Vec<Stint> {
        stints(&self.path).into_iter().map(|(_, stint)| stint).collect()
    }

    /// Puts all files together: then a strategy has one file of each kind, sorted by index. False where other processes are
    /// writing, and where nobody can tell.
    pub fn seal(&mut self) -> Result<bool> {
        Ok(self.alone(false, |folder| folder.put_together(&[]))?.transpose()?.is_some())
    }

    /// Adds the games of other folders of the same rules and seed; what both have must be the same.
    pub fn merge(&mut self, others: &[Self]) -> Result<()> {
        let wrong = |reason: &str| FolderError::Wrong { path: self.path.clone(), reason: reason.to_owned() };
        if others.iter().any(|other| fs::canonicalize(&other.path).ok() == fs::canonicalize(&self.path).ok()) {
            return Err(wrong("this folder cannot be merged into itself: leave it out of the folders behind it"));
        }
        let busy = wrong("another process plays into this folder or reads it: stop it first");
        self.alone(true, |folder| folder.put_together(others))?.unwrap_or(Err(busy))
    }

    /// Does `work` while no other process uses the folder; `None` where one does. Where the file system has no locks nobody can
    /// tell, and it is done if somebody has asked for it.
    fn alone<T>(&mut self, is_asked: bool, work: impl FnOnce(&mut Self) -> T) -> Result<Option<T>> {
        self.lock = None;
        let path = self.path.join(LOCK);
        let lock = lock_file(&self.path).map_err(|source| WriteError::File { path: self.path.clone(), source })?;
        let is_alone = match at(&path, files::try_lock(&lock))? {
            Lock::Held => true,
            Lock::Busy => false,
            Lock::Unsupported => is_asked,
        };
        let done = is_alone.then(|| work(self));
        if is_alone {
            // Where there are no locks there is none to give back.
            let _ = lock.unlock();
        }
        self.lock = (at(&path, files::try_lock_shared(&lock))? == Lock::Held).then_some(lock);
        Ok(done)
    }

    fn put_together(&mut self, others: &[Self]) -> Result<()> {
        tidy(&self.path);
        // Another process may have changed it since.
        self.manifest = Self::read_manifest(&self.path)?.0;
        let paths: Vec<PathBuf> = std::iter::once(&*self).chain(others).map(|folder| folder.path.clone()).collect();
        let sources = Sources::of(&paths, self.preset.rules.size, 0..u64::MAX)?;
        for (place, arm) in self.arms.iter().enumerate() {
            let mut sum = (Duration::ZERO, 0);
            let add = |game: &Result<Game>| {
                if let Ok(game) = game {
                    sum = (sum.0 + game.cpu, sum.1 + game.finish.nodes);
                }
            };
            let finished = tables::write::<FolderError>(&self.path, arm.file(), sources.games_of(arm)?.inspect(add))?;
            let record = &mut self.manifest.strategies[place];
            (record.finished, record.cpu_secs, record.nodes) = (finished, Some(sum.0.as_secs_f64()), Some(sum.1));
        }
        let history = others.iter().flat_map(|other| other.manifest.history.clone());
        let told = paths.iter().flat_map(|path| stints(path)).map(|(_, stint)| stint);
        self.manifest.add_history(history.chain(told));
        write_manifest(&self.path.join(MANIFEST), &self.manifest)?;
        // What stays behind when one of these fails is read once more, and does no harm.
        for path in stints(&self.path).into_iter().map(|(path, _)| path).chain(files_in(&self.path.join(JOURNALS))) {
            let _ = fs::remove_file(path);
        }
        for part in files_in(&self.path.join(PARTS)) {
            let _ = fs::remove_dir_all(part);
        }
        for folder in [HISTORY, JOURNALS, PARTS] {
            // Only when nothing else is in it.
            let _ = fs::remove_dir(self.path.join(folder));
        }
        Ok(())
    }
}

const MANIFEST: &str = "manifest.json";
const LOCK: &str = ".lock";
const JOURNALS: &str = "journal";
const PARTS: &str = "parts";
const HISTORY: &str = "history";

fn lock_file(folder: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(folder.join(LOCK))
}

/// The lock of those who use a folder. A folder that this process may not write is read without one.
fn shared_lock(folder: &Path) -> Result<Option<File>> {
    let path = folder.join(LOCK);
    match lock_file(folder) {
        Err(error) if may_not_write(&error) => Ok(None),
        file => {
            let file = at(&path, file)?;
            Ok((at(&path, files::try_lock_shared(&file))? == Lock::Held).then_some(file))
        }
    }
}

fn may_not_write(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn write_manifest(path: &Path, manifest: &Manifest) -> Result<()> {
    let bytes = at(path, super::manifest_json(manifest))?;
    Ok(files::write(path, &bytes)?)
}

/// Paths in a folder, sorted; none where there is no folder. Hidden ones are being written.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    entries.filter(|entry| !is_hidden(entry)).map(|entry| entry.path()).sorted().collect()
}

/// Removes what processes have left that were killed while they wrote a file, or the tables of a part. Nobody may be writing any.
fn tidy(folder: &Path) {
    tables::tidy(folder);
    [HISTORY, JOURNALS].iter().for_each(|inner| files::clear(&folder.join(inner)));
    let parts = fs::read_dir(folder.join(PARTS)).into_iter().flatten().flatten();
    for part in parts.filter(|part| part.file_name().to_string_lossy().starts_with('.')) {
        let _ = fs::remove_dir_all(part.path());
    }
}

/// What processes have told of themselves, and were not asked yet.
fn stints(folder: &Path) -> Vec<(PathBuf, Stint)> {
    let read = |path: PathBuf| {
        let text = files::read_text(&path, LARGEST_MANIFEST).ok()?;
        Some((path, serde_json::from_str(&text).ok()?))
    };
    files_in(&folder.join(HISTORY)).into_iter().filter_map(read).collect()
}

/// Folders with tables: that of a run, and those of its parts.
fn roots(folder: &Path) -> Vec<PathBuf> {
    std::iter::once(folder.to_owned()).chain(files_in(&folder.join(PARTS))).collect()
}

/// The games of one or several folders, as far as they are there when this is made.
pub struct Sources {
    size: Size,
    /// What is asked for; others may be among them.
    indices: Range<u64>,
    /// Folders with tables.
    roots: Vec<PathBuf>,
    /// Games of journals by strategy, each in the order of their indices.
    journals: BTreeMap<String, Vec<Vec<Game>>>,
}

impl Sources {
    fn of(folders: &[PathBuf], size: Size, indices: Range<u64>) -> Result<Self> {
        let mut sources = Self { size, indices, roots: Vec::new(), journals: BTreeMap::new() };
        for folder in folders {
            let asked = &sources.indices;
            let elsewhere = |stint: &Stint| stint.indices[1] <= asked.start || asked.end <= stint.indices[0];
            let told = stints(folder).into_iter().map(|(_, stint)| stint);
            let others: Vec<String> = told.filter(elsewhere).map(|stint| stint.name).collect();
            // The name of a process and the number of the file.
            let is_asked = |path: &PathBuf| {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                !name.rsplit_once('-').is_some_and(|(process, _)| others.iter().any(|other| other == process))
            };
            // Journals before parts: one that becomes a part meanwhile is read twice rather than not at all.
            for path in files_in(&folder.join(JOURNALS)).into_iter().filter(is_asked) {
                match journal::read(&path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    read => {
                        for (hash, mut games) in at(&path, read)?.into_iter().filter(|(_, games)| !games.is_empty()) {
                            games.sort_by_key(|game| game.index);
                            sources.journals.entry(hash).or_default().push(games);
                        }
                    }
                }
            }
            sources.roots.extend(roots(folder).into_iter().filter(is_asked));
        }
        Ok(sources)
    }

    /// The games of a strategy, each once and in the order of their indices.
    pub fn games_of(&self, arm: &Arm) -> Result<GamesInOrder> {
        let journals = self.journals.get(&arm.key).into_iter().flatten();
        let mut sorted: Vec<GamesInOrder> =
            journals.map(|games| Box::new(games.clone().into_iter().map(Ok)) as GamesInOrder).collect();
        sorted.push(self.tables_of(arm)?);
        let name = arm.strategy.label();
        let may_differ = !arm.strategy.is_reproducible();
        let mut games = in_order(sorted).peekable();
        let once = move || {
            let mut game = games.next()?;
            while let Ok(one) = &game
                && let Some(Ok(other)) = games.next_if(|next| next.as_ref().is_ok_and(|next| next.index == one.index))
            {
                if !may_differ && !one.is_same(&other) {
                    return Some(Err(FolderError::Disagree { strategy: name.clone(), index: other.index }));
                }
                if one.moves.is_empty() {
                    game = Ok(other);
                }
            }
            Some(game)
        };
        Ok(Box::new(std::iter::from_fn(once)))
    }

    /// The games of the tables of a strategy. Tables with games between those of others are read together; of the others,
    /// such as a thousand parts, one after another, no more than one is open.
    fn tables_of(&self, arm: &Arm) -> Result<GamesInOrder> {
        let mut spans = Vec::new();
        for root in &self.roots {
            if let Some(span) = tables::span(root, arm.file())? {
                spans.push((span.indices, root.clone()));
            }
        }
        spans.sort_by_key(|(indices, _)| *indices.start());
        let mut together: Vec<(u64, Vec<PathBuf>)> = Vec::new();
        for (indices, root) in spans {
            match together.last_mut() {
                Some((last, roots)) if indices.start() <= last => {
                    *last = (*last).max(*indices.end());
                    roots.push(root);
                }
                _ => together.push((*indices.end(), vec![root])),
            }
        }
        let (name, size, indices) = (arm.file().to_owned(), self.size, self.indices.clone());
        let read = move |(_, roots): (u64, Vec<PathBuf>)| -> GamesInOrder {
            let table = |root| Ok(Box::new(tables::read(root, &name, size, &indices)?) as _);
            match roots.iter().map(|root| table(root)).collect() {
                Ok(tables) => in_order(tables),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        };
        Ok(Box::new(together.into_iter().flat_map(read)))
    }
}

/// The games of several, each of which is in the order of its indices.
fn in_order(sorted: Vec<GamesInOrder>) -> GamesInOrder {
    let first = |a: &Result<Game>, b: &Result<Game>| match (a, b) {
        (Ok(a), Ok(b)) => a.index <= b.index,
        (a, _) => a.is_err(),
    };
    Box::new(sorted.into_iter().kmerge_by(first))
}

//! A run as a folder on disk, from its first second.
//!
//! | in the folder | |
//! | --- | --- |
//! | `manifest.json` | what is played: strategies, rules, seed, generator; which processes played, and how long |
//! | `games/`, `costs/`, `moves/` | the sealed games of each strategy: see `tables` |
//! | `parts/NAME/` | the same for one process, before all parts are merged |
//! | `journal/NAME.journal` | games as they end: see `journal` |
//! | `history/NAME.json` | a process that is playing or was killed; one that ended is in the manifest |
//! | `checksums/` | SHA-256 of the tables of each strategy: see `checksums` |
//! | `notes.json` | the user's tags and note |
//!
//! A game is identified by strategy (SHA-256 of its text), rules, seed and index. The content of a folder is the
//! *union* of its files. If two files have the same game, both copies must be equal, which is checked whenever files
//! are merged. Several processes can fill one folder, on one machine or more, because each writes its own files. To
//! resume, extend, split and merge are one operation: play what is missing.
//!
//! A process that plays part of the games reads only the games of that part, and makes tables of its own games at its
//! end. When all games are there, the parts are merged. So a thousand processes do not read each other's games a
//! thousand times.
//!
//! Locks (`File::lock` of `.lock`): a playing process holds a shared lock; only a process with an exclusive lock merges
//! files. On a file system without locks, files are merged only on request.

mod arm;
mod checksums;
#[cfg(test)]
mod damaged;
mod journal;
mod keeper;
mod notes;
mod runs;
mod sealed;
mod sources;
mod tables;
#[cfg(test)]
mod tests;
mod verify;

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use itertools::Itertools as _;

pub use arm::Arm;
pub use keeper::Keeper;
#[cfg(test)]
pub(crate) use keeper::{FULL, set_full_for_games};
pub use notes::RunNotes;
pub use runs::{DeletedRun, KeptRun, Runs, TRASH_DAYS};
pub use sources::{GamesInOrder, Sources};
pub use verify::Verified;

use checksums::Verifier;
use sources::roots;

use super::manifest::Stint;
use super::{ByEmpty, Cost, EndReason, Manifest, ManifestError, Plan};
use crate::files::{self, Lock, LockedFile, Patience, ReadProblem, WriteError, said};
use crate::game::Move;
use crate::preset::Preset;
use crate::strategy::Finish;

/// The maximum size of a journal for reading, in bytes. A journal is sealed long before.
const LARGEST_JOURNAL: u64 = 512 << 20;

/// The maximum size of a manifest, in bytes.
const LARGEST_MANIFEST: u64 = 64 << 20;

/// A game as saved in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    pub index: u64,
    pub finish: Finish,
    /// CPU time spent on it; `None` if that was lost.
    pub cpu: Option<Duration>,
    /// Its moves, if it was searched.
    pub moves: Vec<Move>,
    /// Their number and nodes by the number of empty cells; empty if the cost was lost.
    pub by_empty: ByEmpty,
}

impl Game {
    /// Its cost; `None` if that was lost.
    pub fn cost(&self) -> Option<Cost> {
        Some(Cost {
            time: self.cpu?,
            nodes: self.finish.nodes,
        })
    }

    /// Whether both are the same game, whatever it cost.
    fn is_same(&self, other: &Self) -> bool {
        let what = |game: &Self| (game.index, game.finish.outcome, game.finish.board);
        what(self) == what(other)
            && (self.moves == other.moves || self.moves.is_empty() || other.moves.is_empty())
    }
}

/// An error in a folder, as one sentence that names the file.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{}: {}; check the disk or choose another folder", path.display(), said(source))]
    Disk { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Wrong { path: PathBuf, reason: String },
    #[error("{}: this is the folder of another run ({reason}); choose another folder", path.display())]
    Another { path: PathBuf, reason: String },
    #[error(
        "{strategy}, game {index}: two files disagree about it; verify the folders to find out which one is wrong"
    )]
    Disagree { strategy: String, index: u64 },
    #[error("{}: this table is damaged ({reason}); {}", path.display(), remedy(path))]
    Table { path: PathBuf, reason: String },
    #[error(transparent)]
    Unwritten(#[from] WriteError),
}

impl FolderError {
    /// Whether the disk is full.
    pub fn is_without_room(&self) -> bool {
        match self {
            Self::Disk { source, .. } => files::is_full(source),
            Self::Unwritten(error) => error.is_without_room(),
            _ => false,
        }
    }
}

type Result<T> = std::result::Result<T, FolderError>;

/// How to repair a damaged table.
fn remedy(table: &Path) -> &'static str {
    match table
        .parent()
        .and_then(Path::file_name)
        .and_then(|folder| folder.to_str())
    {
        Some("games") => {
            "restore a copy, or delete this file: a run into this folder plays its games again"
        }
        Some("moves") => {
            "restore a copy, or delete the file of the same name in games: a run into this folder plays its games again"
        }
        _ => "restore a copy, or delete this file",
    }
}

fn at<T>(path: &Path, done: io::Result<T>) -> Result<T> {
    done.map_err(|source| FolderError::Disk {
        path: path.to_owned(),
        source,
    })
}

/// A folder of a run that this process may write to.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    pub manifest: Manifest,
    pub preset: Preset,
    arms: Vec<Arm>,
    /// Other runs, which may have some of its games.
    runs: Option<Runs>,
    /// Which of the opened tables were verified.
    verifier: Verifier,
    lock: Option<LockedFile>,
    /// What to take care of where the file system has no locks.
    warning: Option<String>,
    /// How long a run waits for a disk that takes no games.
    patience: Patience,
}

impl RunFolder {
    /// The folder of a plan: a new one, or the folder of a run with the same strategies, rules and seed.
    pub fn of_plan(path: &Path, plan: &Plan) -> Result<Self> {
        fs::create_dir_all(path).map_err(|source| WriteError::Folder {
            path: path.to_owned(),
            source,
        })?;
        let file = path.join(MANIFEST);
        if !file.exists() {
            let mut entries = at(path, fs::read_dir(path))?.flatten();
            let entry = entries.find(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
            // Another process may have started the same run in between.
            if let Some(entry) = entry.filter(|_| !file.exists()) {
                let reason = format!(
                    "it contains {} but no manifest.json",
                    entry.file_name().to_string_lossy()
                );
                return Err(FolderError::Another {
                    path: path.to_owned(),
                    reason,
                });
            }
            if !file.exists() {
                write_manifest(&file, &Manifest::planned(plan))?;
            }
        }

        let mut folder = Self::open(path)?;
        let planned = Manifest::planned(plan);
        if let Some(reason) = folder.manifest.differs_from(&planned) {
            return Err(FolderError::Another {
                path: path.to_owned(),
                reason,
            });
        }
        let sweep = planned.sweep.or_else(|| folder.manifest.sweep.clone());
        let manifest = &folder.manifest;
        if manifest.is_older()
            || manifest.games < plan.games
            || manifest.until != plan.until
            || manifest.sweep != sweep
        {
            folder.manifest.renew();
            folder.manifest.games = folder.manifest.games.max(plan.games);
            folder.manifest.sweep = sweep;
            folder.manifest.until.clone_from(&plan.until);
            write_manifest(&file, &folder.manifest)?;
        }

        Ok(folder)
    }

    /// Opens an existing folder. Tables are verified on the first read.
    pub fn open(path: &Path) -> Result<Self> {
        let (manifest, preset) = Self::read_manifest(path)?;
        let plan = Plan::of_preset(&preset);
        let records = plan.contestants.iter().zip(&manifest.strategies);
        let arms: Vec<Arm> = records
            .map(|(one, record)| Arm::kept(one, &plan, record))
            .collect();
        let (lock, warning) = shared_lock(path)?;
        let (runs, verifier, patience) = (None, Verifier::default(), Patience::default());
        Ok(Self {
            path: path.to_owned(),
            manifest,
            preset,
            arms,
            runs,
            verifier,
            lock,
            warning,
            patience,
        })
    }

    fn read_manifest(folder: &Path) -> Result<(Manifest, Preset)> {
        let path = folder.join(MANIFEST);
        let wrong = |reason: String| FolderError::Wrong {
            path: path.clone(),
            reason,
        };
        let text =
            files::read_text(&path, LARGEST_MANIFEST).map_err(|error| match error.problem {
                ReadProblem::Missing => {
                    wrong("there is no such file; name the folder of a run".to_owned())
                }
                problem => wrong(problem.to_string()),
            })?;
        let unread = |error: ManifestError| wrong(error.to_string());
        let manifest: Manifest =
            serde_json::from_str(&text).map_err(|error| unread(error.into()))?;
        manifest.check_format().map_err(unread)?;
        sealed::check(&text).map_err(|reason| wrong(reason.to_owned()))?;
        let preset = manifest.preset().map_err(unread)?;
        Ok((manifest, preset))
    }

    /// Whether another process is playing into the folder or reading it.
    fn is_played(folder: &Path) -> Result<bool> {
        let path = folder.join(LOCK);
        // Some file systems only lock files that are open for writing.
        let file = match File::options().read(true).write(true).open(&path) {
            Err(error) if may_not_write(&error) => File::open(&path),
            file => file,
        };
        match file {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            file => Ok(at(&path, file.and_then(LockedFile::try_exclusive))?.lock() == Lock::Busy),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What to take care of while games are written here; `None` where the file system has locks.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Its strategies, in the order of the manifest.
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// The strategy of a contestant in this folder, even if it cannot be played now.
    pub(super) fn arm_of(&self, plan: &Plan, contestant: usize) -> Arm {
        let one = &plan.contestants[contestant];
        let is_same =
            |arm: &&Arm| arm.strategy == one.strategy && arm.rules == one.rules(plan.rules);
        self.arms
            .iter()
            .find(is_same)
            .cloned()
            .unwrap_or_else(|| Arm::of(plan, contestant))
    }

    /// Reuses the games that other saved runs have in common with this one.
    #[must_use]
    pub fn among(self, runs: &Runs) -> Self {
        Self {
            runs: Some(runs.clone()),
            ..self
        }
    }

    /// Sets how long a run into this folder waits for a disk that takes no games, before it fails.
    #[must_use]
    pub fn waiting(self, patience: Patience) -> Self {
        Self { patience, ..self }
    }

    /// How the run ended, from the manifest and from stints that are not merged yet.
    pub fn end_reason(&self) -> Result<EndReason> {
        // In this order, because a stint that leaves the history is in the manifest by then.
        let stints = self.stints()?;
        let (mut manifest, _) = Self::read_manifest(&self.path)?;
        manifest.add_history(stints);
        Ok(manifest.end_reason)
    }

    /// Refuses a folder with other strategies, other rules or another seed.
    pub fn check_same(&self, other: &Self) -> Result<()> {
        match other.manifest.differs_from(&self.manifest) {
            Some(reason) => Err(FolderError::Another {
                path: other.path.clone(),
                reason,
            }),
            None => Ok(()),
        }
    }

    /// Whether games of a plan may be missing, according to the manifest.
    pub fn lacks_games_of(&self, plan: &Plan) -> bool {
        self.manifest
            .strategies
            .iter()
            .any(|record| record.finished < plan.games)
    }

    /// The games of the folder.
    pub fn games(&self) -> Result<Sources> {
        self.games_in(0..u64::MAX)
    }

    /// The games of the folder with these indices, and possibly others.
    fn games_in(&self, indices: Range<u64>) -> Result<Sources> {
        Sources::of(std::slice::from_ref(&self.path), indices, &self.verifier)
    }

    /// The games of other runs that this run can reuse, with at least these indices.
    fn lent_games(&self, indices: Range<u64>) -> Result<Sources> {
        let kin = self
            .runs
            .as_ref()
            .map(|runs| runs.kin(self))
            .unwrap_or_default();
        Sources::of(&kin, indices, &self.verifier)
    }

    /// Why the costs of the games are unknown: one sentence per table.
    pub fn lost_costs(&self) -> Vec<String> {
        self.verifier.lost()
    }

    /// Read tables without checksums, which an older program wrote.
    pub fn tables_not_verified(&self) -> Vec<PathBuf> {
        self.verifier.not_verified()
    }

    /// Whether there are few files or all games are finished. Otherwise each of a thousand parts would rewrite the
    /// whole.
    fn is_worth_putting_together(&self) -> Result<bool> {
        const FEW: usize = 32;
        Ok(
            files_in(&self.path.join(JOURNALS)).len() + roots(&self.path).len() <= FEW
                || self.is_in_tables()?,
        )
    }

    /// Whether the tables have all planned games.
    fn is_in_tables(&self) -> Result<bool> {
        for arm in &self.arms {
            let mut games = 0;
            for root in roots(&self.path) {
                games = tables::span(&root, arm, &self.verifier)?
                    .map_or(0, |span| span.games)
                    .saturating_add(games);
            }
            if games < self.manifest.games {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The sequence number of the next process.
    fn next_sequence(&self) -> Result<u64> {
        // In this order, because a stint that leaves the history is in the manifest by then.
        let stints = self.stints()?;
        Ok(Self::read_manifest(&self.path)?.0.next_sequence(&stints))
    }

    /// The stints of processes that are not in the manifest yet.
    fn stints(&self) -> Result<Vec<Stint>> {
        Ok(stints(&self.path)?
            .into_iter()
            .map(|(_, stint)| stint)
            .collect())
    }

    /// Merges all files into one file of each kind per strategy, sorted by index. Returns false if other processes use
    /// the folder, and on file systems without locks.
    pub fn seal(&mut self) -> Result<bool> {
        Ok(self
            .alone(false, |folder| folder.put_together(&[]))?
            .transpose()?
            .is_some())
    }

    /// Adds the games of other folders with the same rules and seed. Games that both have must be equal.
    pub fn merge(&mut self, others: &[Self]) -> Result<()> {
        let wrong = |reason: &str| FolderError::Wrong {
            path: self.path.clone(),
            reason: reason.to_owned(),
        };
        if others
            .iter()
            .any(|other| fs::canonicalize(&other.path).ok() == fs::canonicalize(&self.path).ok())
        {
            return Err(wrong(
                "this folder cannot be merged into itself: leave it out of the folders to merge",
            ));
        }
        let busy = wrong("another process is using this folder: stop it first");
        self.alone(true, |folder| folder.put_together(others))?
            .unwrap_or(Err(busy))
    }

    /// Runs `work` while no other process uses the folder. `None` if one does. On a file system without locks, which
    /// cannot tell, it runs only on request (`is_asked`).
    fn alone<T>(&mut self, is_asked: bool, work: impl FnOnce(&mut Self) -> T) -> Result<Option<T>> {
        self.lock = None;
        let lock = lock_file(&self.path).map_err(|source| WriteError::File {
            path: self.path.clone(),
            source,
        })?;
        let lock = at(&self.path.join(LOCK), LockedFile::try_exclusive(lock))?;
        let is_alone = match lock.lock() {
            Lock::Ours => true,
            Lock::Busy => false,
            Lock::Unsupported => is_asked,
        };
        let done = is_alone.then(|| work(self));
        drop(lock);
        self.lock = shared_lock(&self.path)?.0;
        Ok(done)
    }

    fn put_together(&mut self, others: &[Self]) -> Result<()> {
        tidy(&self.path);
        // Another process may have changed it.
        self.manifest = Self::read_manifest(&self.path)?.0;
        let paths: Vec<PathBuf> = std::iter::once(&*self)
            .chain(others)
            .map(|folder| folder.path.clone())
            .collect();
        let sources = Sources::of(&paths, 0..u64::MAX, &self.verifier)?;
        // Merged files are deleted below.
        sources.check_all_of(&self.arms)?;
        self.manifest.renew();
        let stints: Vec<(PathBuf, Stint)> = paths
            .iter()
            .map(|path| stints(path))
            .flatten_ok()
            .collect::<Result<_>>()?;
        for (place, arm) in self.arms.iter().enumerate() {
            let mut sum = Some((Duration::ZERO, 0));
            let add = |game: &Result<Game>| {
                if let Ok(game) = game {
                    sum = sum
                        .zip(game.cost())
                        .map(|(sum, cost)| (sum.0 + cost.time, sum.1 + cost.nodes));
                }
            };
            let finished = tables::write(&self.path, arm, sources.games_of(arm)?.inspect(add))?;
            let record = &mut self.manifest.strategies[place];
            (record.cpu_secs, record.nodes) =
                sum.map(|(time, nodes)| (time.as_secs_f64(), nodes)).unzip();
            record.finished = finished;
        }
        let ended: Vec<PathBuf> = stints
            .iter()
            .map(|(path, _)| path.clone())
            .filter(|path| path.starts_with(&self.path))
            .collect();
        let history = others
            .iter()
            .flat_map(|other| other.manifest.history.clone());
        self.manifest
            .add_history(history.chain(stints.into_iter().map(|(_, stint)| stint)));
        write_manifest(&self.path.join(MANIFEST), &self.manifest)?;

        // A file that cannot be removed is read again later, which does no harm.
        for path in ended.into_iter().chain(files_in(&self.path.join(JOURNALS))) {
            let _ = fs::remove_file(path);
        }

        for part in files_in(&self.path.join(PARTS)) {
            let _ = fs::remove_dir_all(part);
        }
        for folder in [HISTORY, JOURNALS, PARTS] {
            // Fails if something else is in it.
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
    File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join(LOCK))
}

/// The shared lock of a process that uses a folder, and the warning where there are no locks. A read-only folder has no
/// lock.
fn shared_lock(folder: &Path) -> Result<(Option<LockedFile>, Option<String>)> {
    let path = folder.join(LOCK);
    match lock_file(folder) {
        Err(error) if may_not_write(&error) => Ok((None, None)),
        file => {
            let file = at(&path, file.and_then(LockedFile::try_shared))?;
            let warning = file.lock().warning(folder);
            Ok(((file.lock() == Lock::Ours).then_some(file), warning))
        }
    }
}

fn may_not_write(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

fn write_manifest(path: &Path, manifest: &Manifest) -> Result<()> {
    let bytes = at(path, super::manifest_json(manifest))?;
    Ok(files::write(path, &sealed::with_sum(bytes))?)
}

/// The paths in a folder, sorted; empty if there is no folder. Skips hidden files, which are still being written.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_hidden = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with('.');
    entries
        .filter(|entry| !is_hidden(entry))
        .map(|entry| entry.path())
        .sorted()
        .collect()
}

/// Removes temporary files of killed processes. Must not run while another process is writing.
fn tidy(folder: &Path) {
    tables::tidy(folder);
    [HISTORY, JOURNALS]
        .iter()
        .for_each(|inner| files::clear(&folder.join(inner)));
    let parts = fs::read_dir(folder.join(PARTS))
        .into_iter()
        .flatten()
        .flatten();
    for part in parts.filter(|part| part.file_name().to_string_lossy().starts_with('.')) {
        let _ = fs::remove_dir_all(part.path());
    }
}

/// The stints in a folder that are not in the manifest yet.
fn stints(folder: &Path) -> Result<Vec<(PathBuf, Stint)>> {
    let mut stints = Vec::new();
    for path in files_in(&folder.join(HISTORY)) {
        let text = match files::read_text(&path, LARGEST_MANIFEST) {
            // It is in the manifest by now.
            Err(error) if error.problem == ReadProblem::Missing => continue,
            text => text.map_err(|error| error.problem.to_string()),
        };
        let stint =
            text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        let wrong = |reason| FolderError::Wrong {
            path: path.clone(),
            reason: format!(
                "{reason}; restore a copy, or delete this file: the games of that process are kept"
            ),
        };
        let stint = stint.map_err(wrong)?;
        stints.push((path, stint));
    }
    Ok(stints)
}

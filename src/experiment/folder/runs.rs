//! All runs that are kept on this machine, each a folder in one place.
//!
//! One that is deleted goes into `.trash` there, under a name that begins with when that was.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::notes::NOTES;
use super::{FolderError, HISTORY, MANIFEST, Result, RunFolder, RunNotes, at, files_in, stints};
use crate::experiment::{EndReason, Manifest, Plan, Stint};
use crate::files::{self, Stamp};
use crate::preset::file_stem;
use crate::words;

/// For so many days a run that was deleted can be brought back.
pub const TRASH_DAYS: u64 = 30;

const TRASH: &str = ".trash";

/// The place of runs.
#[derive(Clone, Debug)]
pub struct Runs(PathBuf);

/// A run that is kept.
#[derive(Debug)]
pub struct KeptRun {
    pub path: PathBuf,
    /// What its manifest says, and those who play or were killed since; or what is wrong with it.
    pub manifest: Result<Manifest>,
    /// Finished games of all strategies, give or take those of the last two seconds.
    pub finished: u64,
    /// What somebody wrote about it.
    pub notes: RunNotes,
    bytes: OnceLock<u64>,
    /// Of the files that say all this; `None` where it changes while a process plays.
    stamps: Option<[Stamp; 2]>,
}

/// A run in the trash, for [`Runs::restore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedRun {
    pub path: PathBuf,
    pub trash: PathBuf,
}

impl Runs {
    /// Where the system keeps data of this program; `None` where it has no such place.
    pub fn of_system() -> Option<Self> {
        directories::ProjectDirs::from("", "", crate::PROGRAM).map(|dirs| Self(dirs.data_dir().join("runs")))
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The folders of all of them, by name.
    pub fn folders(&self) -> Vec<PathBuf> {
        files_in(&self.0).into_iter().filter(|path| path.join(MANIFEST).exists()).collect()
    }

    /// All of them, the oldest first.
    pub fn list(&self) -> Vec<KeptRun> {
        let mut runs: Vec<KeptRun> = self.folders().into_iter().map(KeptRun::at).collect();
        runs.sort_by_cached_key(|run| (run.manifest.as_ref().ok().map(|of| of.started.clone()), run.path.clone()));
        runs
    }

    /// The folder of a plan: that of the same strategies, rules and seed, if there is one; else a new one.
    pub fn folder_of(&self, plan: &Plan) -> Result<RunFolder> {
        let path = self.find(plan)?.map_or_else(|| self.free_path(plan), |(path, _)| path);
        RunFolder::of_plan(&path, plan)
    }

    /// The run of this name, as [`list`](Self::list) has it; a path stays what it is.
    pub fn named(&self, name: &Path) -> PathBuf {
        let run = self.0.join(name);
        if !name.exists() && run.join(MANIFEST).exists() { run } else { name.to_owned() }
    }

    /// The number of games of each strategy that the folder of a plan is to have, if there is one.
    pub fn games_of(&self, plan: &Plan) -> Result<Option<u64>> {
        Ok(self.find(plan)?.map(|(_, manifest)| manifest.games))
    }

    /// Looks only into folders that are named as this one would be, without reading all that are there.
    fn find(&self, plan: &Plan) -> Result<Option<(PathBuf, Manifest)>> {
        let planned = Manifest::planned(plan);
        let end = format!("-{}", planned.identity());
        let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end));
        for path in self.folders().into_iter().filter(named) {
            let (manifest, _) = RunFolder::read_manifest(&path)?;
            if manifest.differs_from(&planned).is_none() {
                return Ok(Some((path, manifest)));
            }
        }
        Ok(None)
    }

    /// Named by day, title and what it plays.
    fn free_path(&self, plan: &Plan) -> PathBuf {
        let day = crate::words::rfc_3339(SystemTime::now());
        let title = words::shortened_to(60, &plan.title);
        let (day, title, end) = (&day[..10], file_stem(&title), Manifest::planned(plan).identity());
        let numbered = (2_u64..).map(|number| format!("{day}-{title}-{number}-{end}"));
        let mut paths = std::iter::once(format!("{day}-{title}-{end}")).chain(numbered).map(|name| self.0.join(name));
        paths.find(|path| !path.exists()).expect("an endless list holds a free name")
    }

    /// Other runs that hold games of this one.
    pub(super) fn kin(&self, folder: &RunFolder) -> Vec<PathBuf> {
        let is_kin = |manifest: &Manifest| {
            let mut ours = folder.manifest.strategies.iter();
            manifest.has_same_games_as(&folder.manifest)
                && ours.any(|record| manifest.strategies.iter().any(|other| other.arm() == record.arm()))
        };
        let others = self.list().into_iter().filter(|run| run.path != folder.path());
        others.filter(|run| run.manifest.as_ref().is_ok_and(is_kin)).map(|run| run.path).collect()
    }

    /// Moves a run into the trash, unless a process plays into it.
    pub fn delete(&self, run: &Path) -> Result<DeletedRun> {
        if RunFolder::is_played(run)? {
            let reason = "games are being played into it: stop that run first".to_owned();
            return Err(FolderError::Wrong { path: run.to_owned(), reason });
        }
        let (folder, name) = (self.0.join(TRASH), files::name_of(run));
        at(&folder, fs::create_dir_all(&folder))?;
        let when = trashed_at(SystemTime::now());
        let mut free = (1_u64..).map(|number| match number {
            1 => folder.join(format!("{when}-{name}")),
            _ => folder.join(format!("{when}-{name}-{number}")),
        });
        let trash = free.find(|path| !path.exists()).expect("an endless list holds a free name");
        at(run, fs::rename(run, &trash))?;
        Ok(DeletedRun { path: run.to_owned(), trash })
    }

    /// Brings a run back from the trash.
    pub fn restore(&self, deleted: &DeletedRun) -> Result<()> {
        if deleted.path.exists() {
            let reason = format!("another run is there by now; the deleted one is {}", deleted.trash.display());
            return Err(FolderError::Wrong { path: deleted.path.clone(), reason });
        }
        at(&deleted.trash, fs::rename(&deleted.trash, &deleted.path))
    }

    /// Removes for good what was deleted [`TRASH_DAYS`] before.
    pub fn empty_trash(&self, now: SystemTime) -> Result<()> {
        let age = Duration::from_secs(TRASH_DAYS * 24 * 3600);
        let before = trashed_at(now.checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH));
        let is_date = |name: &str| name.starts_with(|first: char| first.is_ascii_digit());
        let is_old = |path: &PathBuf| {
            let name = files::name_of(path);
            is_date(&name) && name < before
        };
        for path in files_in(&self.0.join(TRASH)).into_iter().filter(is_old) {
            at(&path, fs::remove_dir_all(&path))?;
        }
        Ok(())
    }
}

/// As `20261120T123000Z`, so that names are sorted by time.
fn trashed_at(time: SystemTime) -> String {
    crate::words::rfc_3339(time).replace([':', '-'], "")
}

impl KeptRun {
    /// Reads what the folder says of itself.
    pub fn at(path: PathBuf) -> Self {
        // Before it is read: what changes meanwhile is read once more.
        let stamps = (!path.join(HISTORY).exists()).then(|| Self::stamps(&path));
        let told = stints(&path).map(|told| told.into_iter().map(|(_, stint)| stint).collect::<Vec<Stint>>());
        let manifest = RunFolder::read_manifest(&path).map(|(manifest, _)| manifest);
        let (told, manifest) = match told {
            Ok(told) => (told, manifest),
            Err(error) => (Vec::new(), Err(error)),
        };

        let sealed: u64 = manifest.iter().flat_map(|of| &of.strategies).map(|record| record.finished).sum();
        let finished = sealed + told.iter().map(|stint| stint.games).sum::<u64>();
        let manifest = manifest.and_then(|mut manifest| {
            if !told.is_empty() {
                manifest.add_history(told);
                manifest.end_reason = match RunFolder::is_played(&path)? {
                    true => EndReason::Running { games: finished },
                    false => EndReason::Cancelled { games: finished },
                };
            }
            Ok(manifest)
        });

        let notes = RunNotes::of(&path);
        Self { path, manifest, finished, notes, bytes: OnceLock::new(), stamps }
    }

    /// Whether its files are as they were when they were read.
    pub fn is_current(&self) -> bool {
        self.stamps.is_some_and(|stamps| stamps == Self::stamps(&self.path)) && !self.path.join(HISTORY).exists()
    }

    fn stamps(path: &Path) -> [Stamp; 2] {
        [MANIFEST, NOTES].map(|name| files::stamp(&path.join(name)))
    }

    /// What all its files take, in bytes; asks the disk once.
    pub fn bytes(&self) -> u64 {
        *self.bytes.get_or_init(|| bytes_of(&self.path))
    }

    /// What it is called: the title that it was given, that of its manifest, or the name of its folder where that cannot be read.
    pub fn title(&self) -> String {
        match &self.manifest {
            _ if !self.notes.title.trim().is_empty() => self.notes.title.clone(),
            Ok(manifest) if !manifest.title.trim().is_empty() => manifest.title.clone(),
            _ => files::name_of(&self.path),
        }
    }
}

/// Bytes of all files of a folder.
fn bytes_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_of(&entry.path()),
        data => data.map_or(0, |data| data.len()),
    };
    entries.map(bytes).sum()
}

//! The saved runs of this machine, each a folder in one place.
//!
//! Deleted runs move to `.trash` there, with the time of deletion at the start of the name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use super::notes::NOTES;
use super::{FolderError, HISTORY, MANIFEST, Result, RunFolder, RunNotes, at, files_in, stints};
use crate::experiment::{EndReason, Manifest, Plan, Stint};
use crate::files::{self, Stamp};
use crate::preset::file_stem;
use crate::words;

/// Number of days for which a deleted run can be restored.
pub const TRASH_DAYS: u64 = 30;

const TRASH: &str = ".trash";

/// The folder of the runs.
#[derive(Clone, Debug)]
pub struct Runs(PathBuf);

/// A saved run.
#[derive(Debug)]
pub struct KeptRun {
    pub path: PathBuf,
    /// Its manifest, including the processes that are playing or were killed; or the error.
    pub manifest: Result<Manifest>,
    /// Finished games of all strategies. Games of the last two seconds may be missing.
    pub finished: u64,
    /// The user's notes.
    pub notes: RunNotes,
    bytes: OnceLock<Option<u64>>,
    /// Stamps of the files that were read. `None` if the run changes because a process is playing.
    stamps: Option<[Stamp; 2]>,
}

/// A deleted run, for [`Runs::restore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedRun {
    pub path: PathBuf,
    pub trash: PathBuf,
}

impl Runs {
    /// In the data folder of the system for this program, on Windows the one that stays on this computer. `None` if it
    /// has no such folder.
    pub fn of_system() -> Option<Self> {
        directories::ProjectDirs::from("", "", crate::PROGRAM)
            .map(|dirs| Self(dirs.data_local_dir().join("runs")))
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// The folders of all runs, by name.
    pub fn folders(&self) -> Vec<PathBuf> {
        files_in(&self.0)
            .into_iter()
            .filter(|path| path.join(MANIFEST).exists())
            .collect()
    }

    /// All runs, the oldest first.
    pub fn list(&self) -> Vec<KeptRun> {
        let mut runs: Vec<KeptRun> = self.folders().into_iter().map(KeptRun::at).collect();
        runs.sort_by_cached_key(|run| {
            (
                run.manifest
                    .as_ref()
                    .ok()
                    .map(|manifest| manifest.started.clone()),
                run.path.clone(),
            )
        });
        runs
    }

    /// The folder of a plan: that of a run with the same strategies, rules and seed, or a new one.
    pub fn folder_of(&self, plan: &Plan) -> Result<RunFolder> {
        let path = self
            .find(plan)?
            .map_or_else(|| self.free_path(plan), |(path, _)| path);
        RunFolder::of_plan(&path, plan)
    }

    /// The folder of the run with this name, as in [`list`](Self::list). A path stays unchanged.
    pub fn named(&self, name: &Path) -> PathBuf {
        let run = self.0.join(name);
        if !name.exists() && run.join(MANIFEST).exists() {
            run
        } else {
            name.to_owned()
        }
    }

    /// The planned number of games of each strategy in the folder of a plan, if there is one.
    pub fn games_of(&self, plan: &Plan) -> Result<Option<u64>> {
        Ok(self.find(plan)?.map(|(_, manifest)| manifest.games))
    }

    /// Opens only folders with the name that this plan would get, not all of them.
    fn find(&self, plan: &Plan) -> Result<Option<(PathBuf, Manifest)>> {
        let planned = Manifest::planned(plan);
        let end = format!("-{}", planned.identity());
        let named = |path: &PathBuf| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().ends_with(&end))
        };
        for path in self.folders().into_iter().filter(named) {
            let (manifest, _) = RunFolder::read_manifest(&path)?;
            if manifest.differs_from(&planned).is_none() {
                return Ok(Some((path, manifest)));
            }
        }
        Ok(None)
    }

    /// A free path named by day, title and identity.
    fn free_path(&self, plan: &Plan) -> PathBuf {
        let day = crate::words::rfc_3339(SystemTime::now());
        let title = words::shortened_to(60, &plan.title);
        let (day, title, end) = (
            &day[..10],
            file_stem(&title),
            Manifest::planned(plan).identity(),
        );
        let numbered = (2_u64..).map(|number| format!("{day}-{title}-{number}-{end}"));
        let mut paths = std::iter::once(format!("{day}-{title}-{end}"))
            .chain(numbered)
            .map(|name| self.0.join(name));
        paths
            .find(|path| !path.exists())
            .expect("an endless list holds a free name")
    }

    /// Other runs that have games of this one.
    pub(super) fn kin(&self, folder: &RunFolder) -> Vec<PathBuf> {
        let is_kin = |manifest: &Manifest| {
            let mut ours = folder.manifest.strategies.iter();
            manifest.has_same_games_as(&folder.manifest)
                && ours.any(|record| {
                    manifest
                        .strategies
                        .iter()
                        .any(|other| other.arm() == record.arm())
                })
        };
        let others = self
            .list()
            .into_iter()
            .filter(|run| run.path != folder.path());
        others
            .filter(|run| run.manifest.as_ref().is_ok_and(is_kin))
            .map(|run| run.path)
            .collect()
    }

    /// Moves a run to the trash, unless a process is playing it.
    pub fn delete(&self, run: &Path) -> Result<DeletedRun> {
        if RunFolder::is_played(run)? {
            let reason = "it is running: stop it first".to_owned();
            return Err(FolderError::Wrong {
                path: run.to_owned(),
                reason,
            });
        }
        let (folder, name) = (self.0.join(TRASH), files::name_of(run));
        at(&folder, fs::create_dir_all(&folder))?;
        let when = trashed_at(SystemTime::now());
        let mut free = (1_u64..).map(|number| match number {
            1 => folder.join(format!("{when}-{name}")),
            _ => folder.join(format!("{when}-{name}-{number}")),
        });
        let trash = free
            .find(|path| !path.exists())
            .expect("an endless list holds a free name");
        at(run, fs::rename(run, &trash))?;
        Ok(DeletedRun {
            path: run.to_owned(),
            trash,
        })
    }

    /// Restores a run from the trash.
    pub fn restore(&self, deleted: &DeletedRun) -> Result<()> {
        if deleted.path.exists() {
            let reason = format!(
                "another run exists there; the deleted one is {}",
                deleted.trash.display()
            );
            return Err(FolderError::Wrong {
                path: deleted.path.clone(),
                reason,
            });
        }
        at(&deleted.trash, fs::rename(&deleted.trash, &deleted.path))
    }

    /// Removes runs permanently that were deleted more than [`TRASH_DAYS`] ago.
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

/// As `20261120T123000Z`, so that names sort by time.
fn trashed_at(time: SystemTime) -> String {
    crate::words::rfc_3339(time).replace([':', '-'], "")
}

impl KeptRun {
    /// Reads the state of the folder.
    pub fn at(path: PathBuf) -> Self {
        // Stamps are taken before reading: files that change in between are read again.
        let stamps = (!path.join(HISTORY).exists()).then(|| Self::stamps(&path));
        let stints = stints(&path).map(|stints| {
            stints
                .into_iter()
                .map(|(_, stint)| stint)
                .collect::<Vec<Stint>>()
        });
        let manifest = RunFolder::read_manifest(&path).map(|(manifest, _)| manifest);
        let (stints, manifest) = match stints {
            Ok(stints) => (stints, manifest),
            Err(error) => (Vec::new(), Err(error)),
        };

        let sealed: u64 = manifest
            .iter()
            .flat_map(|manifest| &manifest.strategies)
            .map(|record| record.finished)
            .sum();
        let finished = sealed + stints.iter().map(|stint| stint.games).sum::<u64>();
        let manifest = manifest.and_then(|mut manifest| {
            if stints.is_empty() {
                return Ok(manifest);
            }
            // Files that are not merged yet do not mean that a process plays: another process that reads the folder
            // prevents the merge, too.
            let is_open = stints
                .iter()
                .any(|stint| matches!(stint.end, EndReason::Running { .. }));
            manifest.add_history(stints);
            let last = manifest
                .history
                .last()
                .map_or(EndReason::AllGames, |last| last.end.clone());
            let all = manifest
                .games
                .saturating_mul(manifest.strategies.len() as u64);
            manifest.end_reason = match () {
                () if is_open && RunFolder::is_played(&path)? => {
                    EndReason::Running { games: finished }
                }
                () if is_open => EndReason::Cancelled { games: finished },
                () if finished < all || last.counted().is_some() => last.after(finished),
                () => EndReason::AllGames,
            };
            Ok(manifest)
        });

        let notes = RunNotes::of(&path);
        Self {
            path,
            manifest,
            finished,
            notes,
            bytes: OnceLock::new(),
            stamps,
        }
    }

    /// Whether its files are unchanged since they were read.
    pub fn is_current(&self) -> bool {
        self.stamps
            .is_some_and(|stamps| stamps == Self::stamps(&self.path))
            && !self.path.join(HISTORY).exists()
    }

    fn stamps(path: &Path) -> [Stamp; 2] {
        [MANIFEST, NOTES].map(|name| files::stamp(&path.join(name)))
    }

    /// The size of all its files in bytes; `None` if one cannot be read. Reads the disk once.
    pub fn bytes(&self) -> Option<u64> {
        *self.bytes.get_or_init(|| bytes_of(&self.path))
    }

    /// The title: the one that the user gave it, that of the manifest, or the name of the folder if the manifest cannot
    /// be read.
    pub fn title(&self) -> String {
        match &self.manifest {
            _ if !self.notes.title.trim().is_empty() => self.notes.title.clone(),
            Ok(manifest) if !manifest.title.trim().is_empty() => manifest.title.clone(),
            _ => files::name_of(&self.path),
        }
    }
}

/// Bytes of all files in a folder; `None` if one cannot be read. A file may go while a run is at work.
fn bytes_of(folder: &Path) -> Option<u64> {
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => {
            bytes_of(&entry.path()).or_else(|| (!entry.path().exists()).then_some(0))
        }
        Ok(data) => Some(data.len()),
        Err(error) => (error.kind() == io::ErrorKind::NotFound).then_some(0),
    };
    fs::read_dir(folder)
        .ok()?
        .map(|entry| bytes(entry.ok()?))
        .sum()
}

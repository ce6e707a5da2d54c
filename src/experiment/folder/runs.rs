//! All runs that are kept on this machine, each a folder in one place.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{FolderError, MANIFEST, Result, RunFolder, files_in, stints};
use crate::experiment::{EndReason, Manifest, Plan, Stint, rfc_3339};
use crate::preset::file_stem;
use crate::words;

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
}

impl Runs {
    /// Where the system keeps data of this program; `None` where it has no such place.
    pub fn of_system() -> Option<Self> {
        directories::ProjectDirs::from("", "", env!("CARGO_PKG_NAME")).map(|dirs| Self(dirs.data_dir().join("runs")))
    }

    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self(folder.into())
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// All of them, the oldest first.
    pub fn list(&self) -> Vec<KeptRun> {
        let runs = files_in(&self.0).into_iter().filter(|path| path.join(MANIFEST).exists());
        let mut runs: Vec<KeptRun> = runs.map(KeptRun::at).collect();
        runs.sort_by_cached_key(|run| (run.manifest.as_ref().ok().map(|of| of.started.clone()), run.path.clone()));
        runs
    }

    /// The folder of a plan: that of the same strategies, rules and seed, if there is one; else a new one.
    pub fn folder_of(&self, plan: &Plan) -> Result<RunFolder> {
        let path = self.find(plan).map_or_else(|| self.free_path(plan), |(path, _)| path);
        RunFolder::of_plan(&path, plan)
    }

    /// The run of this name, as [`list`](Self::list) has it; a path stays what it is.
    pub fn named(&self, name: &Path) -> PathBuf {
        let run = self.0.join(name);
        if !name.exists() && run.join(MANIFEST).exists() { run } else { name.to_owned() }
    }

    /// The number of games of each strategy that the folder of a plan is to have, if there is one.
    pub fn games_of(&self, plan: &Plan) -> Option<u64> {
        self.find(plan).map(|(_, manifest)| manifest.games)
    }

    /// Looks only into folders that are named as this one would be, without reading all that are there.
    fn find(&self, plan: &Plan) -> Option<(PathBuf, Manifest)> {
        let planned = Manifest::planned(plan);
        let end = format!("-{}", planned.identity());
        let named = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&end));
        let folders = files_in(&self.0).into_iter().filter(named);
        let mut runs = folders.filter_map(|path| Some((RunFolder::read_manifest(&path).ok()?.0, path)));
        runs.find(|(manifest, _)| manifest.differs_from(&planned).is_none()).map(|(manifest, path)| (path, manifest))
    }

    /// Named by day, title and what it plays.
    fn free_path(&self, plan: &Plan) -> PathBuf {
        let day = rfc_3339(SystemTime::now());
        let title = words::shortened_to(60, &plan.title);
        let (day, title, end) = (&day[..10], file_stem(&title), Manifest::planned(plan).identity());
        let numbered = (2_u64..).map(|number| format!("{day}-{title}-{number}-{end}"));
        let mut paths = std::iter::once(format!("{day}-{title}-{end}")).chain(numbered).map(|name| self.0.join(name));
        paths.find(|path| !path.exists()).expect("an endless list holds a free name")
    }

    /// Other runs that hold games of this one.
    pub(super) fn kin(&self, folder: &RunFolder) -> Vec<PathBuf> {
        let is_kin = |manifest: &Manifest| {
            let ours = folder.manifest.strategies.iter().map(|record| &record.sha256);
            manifest.has_same_games_as(&folder.manifest)
                && ours.into_iter().any(|hash| manifest.strategies.iter().any(|record| record.sha256 == *hash))
        };
        let others = self.list().into_iter().filter(|run| run.path != folder.path());
        others.filter(|run| run.manifest.as_ref().is_ok_and(is_kin)).map(|run| run.path).collect()
    }

    /// Takes a run away, with all its files.
    pub fn remove(&self, run: &Path) -> Result<()> {
        fs::remove_dir_all(run).map_err(|source| FolderError::Disk { path: run.to_owned(), source })
    }
}

impl KeptRun {
    fn at(path: PathBuf) -> Self {
        let told: Vec<Stint> = stints(&path).into_iter().map(|(_, stint)| stint).collect();
        let manifest = RunFolder::read_manifest(&path).map(|(manifest, _)| manifest);
        let sealed: u64 = manifest.iter().flat_map(|of| &of.strategies).map(|record| record.finished).sum();
        let finished = sealed + told.iter().map(|stint| stint.games).sum::<u64>();
        let manifest = manifest.map(|mut manifest| {
            if !told.is_empty() {
                manifest.add_history(told);
                manifest.end_reason = match RunFolder::is_played(&path) {
                    true => EndReason::Running { games: finished },
                    false => EndReason::Cancelled { games: finished },
                };
            }
            manifest
        });
        Self { path, manifest, finished }
    }
}

/// Bytes of all files of a folder.
pub fn bytes_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes = |entry: fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => bytes_of(&entry.path()),
        data => data.map_or(0, |data| data.len()),
    };
    entries.map(bytes).sum()
}

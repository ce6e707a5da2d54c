//! The saved runs: list, open, describe, delete and restore.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::effect::{Effect, Effects};
use super::{Core, Document, ExperimentRun, PlayedRuns};
use crate::experiment::{DeletedRun, KeptRun, RunNotes, Runs, TRASH_DAYS};
use crate::task::{Job, Latest, Task, TaskInfo};
use crate::words;
use crate::workbench::command::{Panel, RunsCommand, requires};

const NO_PLACE: &str = "This system has no folder for runs";

/// The result of reading the folder of runs.
#[derive(Debug, Default, Clone)]
struct Found {
    runs: Arc<[Arc<KeptRun>]>,
    /// Number of runs, including those not read yet.
    folders: usize,
}

/// The runs in the folder of runs, as last read.
#[derive(Debug, Default)]
pub struct KeptRuns {
    /// Keyed by the number of the read.
    list: Latest<u64, Found>,
    looks: u64,
    /// Increases with every new result.
    version: u64,
    /// The shown run and the active run at the last check.
    seen: (u64, Option<u64>),
    /// The run that was deleted while shown.
    deleted_shown: Option<PathBuf>,
    /// The task that empties the trash.
    emptying: Option<Task<Result<(), String>>>,
}

impl KeptRuns {
    /// The runs read so far, by folder name; `None` before the first read.
    pub fn runs(&self) -> Option<&[Arc<KeptRun>]> {
        self.list.value().map(|found| &*found.runs)
    }

    /// The number of runs read, and the total.
    pub fn counts(&self) -> (usize, usize) {
        self.list
            .value()
            .map_or((0, 0), |found| (found.runs.len(), found.folders))
    }

    pub fn find(&self, path: &Path) -> Option<&Arc<KeptRun>> {
        self.runs()?.iter().find(|run| run.path == path)
    }

    pub fn is_reading(&self) -> bool {
        self.list.is_pending()
    }

    /// Increases with every new result, so that views update.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Reads the folder again.
    pub(super) fn list(&mut self, core: &Core) {
        let Some(runs) = core.surroundings().runs.clone() else {
            return;
        };
        // An update of an existing list is silent.
        let listed = self.list.value();
        let info = if listed.is_none() {
            TaskInfo::told("Reading the list of runs")
        } else {
            TaskInfo::silent()
        };
        let before = listed.cloned().unwrap_or_default().runs;
        self.looks += 1;
        self.list.ask(self.looks, core.tasks(), info, move |job| {
            read(&runs, &before, job)
        });
    }

    /// Takes results, and reads the folder again when a run starts or ends, if it was read before.
    pub(super) fn poll(&mut self, core: &Core, runs: &PlayedRuns, effects: &mut Effects) {
        let seen = (runs.last.runs, runs.busy().map(|run| run.runs));
        if std::mem::replace(&mut self.seen, seen) != seen && self.looks != 0 {
            self.list(core);
        }
        self.version += u64::from(self.list.poll());
        self.poll_emptying(effects);
    }

    /// Empties old trash, on a worker because disks may be slow.
    pub(super) fn empty_trash(&mut self, core: &Core) {
        let Some(runs) = core.surroundings().runs.clone() else {
            return;
        };
        let work = move |_: &Job<Result<(), String>>| {
            runs.empty_trash(SystemTime::now())
                .map_err(|e| e.to_string())
        };
        self.emptying = Some(core.tasks().begin(TaskInfo::silent(), work));
    }

    fn poll_emptying(&mut self, effects: &mut Effects) {
        let Some(answer) = self.emptying.as_mut().and_then(Task::poll) else {
            return;
        };
        self.emptying = None;
        if let Ok(Err(reason)) = answer {
            effects.warn(format!("Old deleted runs cannot be removed: {reason}"));
        }
    }
}

/// Reads the changed folders, and reports partial lists.
fn read(runs: &Runs, before: &[Arc<KeptRun>], job: &Job<Found>) -> Found {
    let paths = runs.folders();
    let folders = paths.len();
    let by_path: HashMap<&Path, &Arc<KeptRun>> =
        before.iter().map(|run| (&*run.path, run)).collect();
    let mut list: Vec<Option<Arc<KeptRun>>> = paths
        .iter()
        .map(|path| by_path.get(&**path).map(|&run| run.clone()))
        .collect();
    let found = |list: &[Option<Arc<KeptRun>>], folders| Found {
        runs: list.iter().flatten().cloned().collect(),
        folders,
    };
    for (place, path) in paths.into_iter().enumerate() {
        if job.is_cancelled() {
            break;
        }
        if !list[place].as_ref().is_some_and(|run| run.is_current()) {
            let run = KeptRun::at(path);
            run.bytes();
            list[place] = Some(Arc::new(run));
        }
        job.tell_now_and_then(|| found(&list, folders));
    }

    found(&list, folders)
}

/// The title that the user gave a run after its start.
pub(super) fn title_given(folder: &Path, effects: &mut Effects) -> Option<String> {
    let notes = effects.accept(RunNotes::read(folder))?;
    Some(notes.title).filter(|title| !title.trim().is_empty())
}

impl Document {
    pub fn kept_runs(&self) -> &KeptRuns {
        &self.kept_runs
    }

    /// The folder of the shown run.
    pub fn run_on_screen(&self) -> Option<&Path> {
        self.results()?.folder()
    }

    /// The folder of runs.
    pub fn place_of_runs(&self) -> Option<&Path> {
        self.surroundings().runs.as_ref().map(Runs::folder)
    }

    pub(super) fn can_in_runs(
        &self,
        command: &RunsCommand,
    ) -> Result<(), std::borrow::Cow<'static, str>> {
        let plays = |path: &Path| self.playing().is_some_and(|run| run.folder() == Some(path));
        match command {
            RunsCommand::Delete(path) => {
                requires(self.surroundings().runs.is_some(), NO_PLACE)?;
                requires(!plays(path), "This run is being played: stop it first")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_runs(&mut self, command: &RunsCommand, effects: &mut Effects) {
        match command {
            RunsCommand::List => self.kept_runs.list(&self.core),
            RunsCommand::Open(path) => self.open_kept_run(path, effects),
            RunsCommand::Delete(path) => self.delete_run(path, effects),
            RunsCommand::Restore(deleted) => self.restore_run(deleted, effects),
            RunsCommand::Describe(path, notes) => self.describe_run(path, notes, effects),
            RunsCommand::Pin(path) => {
                let pinned = self.pinned_runs.pin(&self.core, path);
                effects
                    .accept(pinned.map_err(|error| format!("The run cannot be pinned: {error}")));
            }
            RunsCommand::Unpin(path) => self.pinned_runs.unpin(path),
            RunsCommand::UnpinAll => {
                self.trainings.unpin_all();
                self.pinned_runs.unpin_all();
            }
            RunsCommand::CopyPath(path) => {
                effects.copy(Some(path.display().to_string()), "Path of the run copied");
            }
        }
    }

    /// Shows a run's results and set-up; Resume continues it.
    fn open_kept_run(&mut self, path: &Path, effects: &mut Effects) {
        if self.run_on_screen() != Some(path) {
            let opened = self.open_results(path, effects);
            if effects
                .accept(opened.map_err(|error| format!("The run cannot be opened: {error}")))
                .is_none()
            {
                return;
            }
        }
        effects.push(Effect::ShowPanel(Panel::Experiment));
    }

    fn delete_run(&mut self, path: &Path, effects: &mut Effects) {
        let Some(runs) = self.surroundings().runs.clone() else {
            return;
        };
        let is_at_path = |run: &ExperimentRun| run.folder() == Some(path);
        // A shown run locks its folder.
        let is_shown = self.results().is_some_and(is_at_path);
        self.pinned_runs.unpin(path);
        self.runs.forget(path);
        self.follow_pinned();

        let title = self
            .kept_runs
            .find(path)
            .map_or_else(|| crate::files::name_of(path), |run| run.title());
        let Some(deleted) = effects.accept(runs.delete(path)) else {
            if is_shown {
                self.show_run(path, effects);
            }
            return;
        };

        self.kept_runs.deleted_shown = is_shown.then(|| path.to_owned());
        let label = format!(
            "{}, {TRASH_DAYS} days in the trash",
            words::shortened_to(60, &title)
        );
        self.core
            .has_deleted(&label, RunsCommand::Restore(deleted), effects);
        self.kept_runs.list(&self.core);
    }

    fn restore_run(&mut self, deleted: &DeletedRun, effects: &mut Effects) {
        let Some(runs) = &self.surroundings().runs else {
            return;
        };
        let restored = runs.restore(deleted);
        let is_back = restored.is_ok();
        self.core.has_restored("The run", restored, effects);
        // Show it again if it was shown before and nothing else is now.
        let was_shown = self
            .kept_runs
            .deleted_shown
            .take()
            .is_some_and(|path| path == deleted.path);
        if is_back && was_shown && self.results().is_none() {
            self.show_run(&deleted.path, effects);
        }
        self.kept_runs.list(&self.core);
    }

    fn describe_run(&mut self, path: &Path, notes: &RunNotes, effects: &mut Effects) {
        // An unreadable file is not overwritten.
        let read =
            RunNotes::read(path).map_err(|error| format!("{error}. Repair or remove that file"));
        let written = read.and_then(|_| notes.write(path).map_err(|error| error.to_string()));
        effects.accept(written.map_err(|reason| format!("Tags and note were not saved: {reason}")));
        if self.trainings.own().iter().any(|(_, own)| own == path) {
            return self.trainings.list_networks(&self.core);
        }
        self.kept_runs.list(&self.core);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::Preset;
    use crate::task::Tasks;

    #[test]
    fn a_folder_that_is_half_read_is_known_to_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let runs = Runs::at(folder.path());
        for seed in 0..3 {
            let preset = Preset {
                seed,
                games: 1,
                ..Preset::new("One", ["r".parse().expect("letters")])
            };
            let plan = Plan::of_preset(&preset);
            Run::start_in(runs.folder_of(&plan).expect("a folder"), plan, || {})
                .expect("a sound plan")
                .wait();
        }

        let mut kept_runs = KeptRuns::default();
        let (first, tasks) = (
            Arc::new(KeptRun::at(runs.folders().remove(1))),
            Tasks::default(),
        );
        kept_runs
            .list
            .ask(1, &tasks, TaskInfo::silent(), move |job| {
                // Stopped before it reads anything.
                let (earlier, asks) = ([first], runs.clone());
                let found = read(&asks, &earlier, job);
                Found {
                    runs: earlier.into(),
                    ..found
                }
            });
        while kept_runs.is_reading() {
            kept_runs.list.wait(std::time::Duration::from_millis(20));
        }
        assert_eq!(
            (kept_runs.counts(), kept_runs.runs().map(<[_]>::len)),
            ((1, 3), Some(1))
        );
    }
}

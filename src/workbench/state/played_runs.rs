//! The runs of this window: the last one, and those of earlier experiments, which undo can show again.

use std::path::Path;

use super::effect::Effects;
use super::experiment::tell_end;
use super::{Core, ExperimentId, ExperimentRun};
use crate::experiment::{Run, RunNotes};

#[derive(Default)]
pub(super) struct PlayedRuns {
    pub(super) last: ExperimentRun,
    /// Runs of earlier experiments, oldest first.
    earlier: Vec<ExperimentRun>,
    /// The run, and the baseline for its files and copies.
    pub(super) compared_with: (u64, usize),
}

impl PlayedRuns {
    /// The last one first.
    pub(super) fn all(&self) -> impl Iterator<Item = &ExperimentRun> {
        std::iter::once(&self.last).chain(&self.earlier)
    }

    /// The last run, if it is of this experiment; `None` before its first run.
    pub(super) fn of(&self, experiment: ExperimentId) -> Option<&ExperimentRun> {
        Some(&self.last)
            .filter(|last_run| last_run.run.is_some() && last_run.experiment == experiment)
    }

    /// The one that plays, shown or in the background.
    pub(super) fn busy(&self) -> Option<&ExperimentRun> {
        self.all().find(|run| run.is_busy())
    }

    /// Makes a run the last one. The one before stays for undo.
    pub(super) fn begin(&mut self, run: ExperimentRun) {
        /// Millions of games need memory.
        const MOST: usize = 3;
        let before = std::mem::replace(&mut self.last, run);
        if before.run.is_none() || before.experiment == self.last.experiment {
            return;
        }
        self.earlier.push(before);
        if MOST < self.earlier.len()
            && let Some(oldest) = self.earlier.iter().position(|run| !run.is_busy())
        {
            self.earlier.remove(oldest);
        }
    }

    /// Shows the run of an experiment if there is one. An active run continues in the background.
    pub(super) fn show(&mut self, experiment: ExperimentId) {
        if let Some(place) = self
            .earlier
            .iter()
            .position(|run| run.experiment == experiment)
        {
            let run = self.earlier.remove(place);
            self.begin(run);
        }
    }

    /// Lets go of the run in a folder, so that the folder is not locked.
    pub(super) fn forget(&mut self, folder: &Path) {
        let is_at_path = |run: &ExperimentRun| run.folder() == Some(folder);
        self.earlier.retain(|run| !is_at_path(run));
        if is_at_path(&self.last) {
            self.last = ExperimentRun::default();
        }
    }

    /// Saves the title of the experiment with its shown run, also if the user changed it later. Returns whether a title was saved.
    pub(super) fn name(&mut self, core: &Core, effects: &mut Effects) -> bool {
        let setup = core.setup();
        let is_other = |run: &&ExperimentRun| {
            run.title() != setup.title && !run.is_stale(setup) && setup.is_named()
        };
        let Some(run) = self.of(core.experiment()).filter(is_other) else {
            return false;
        };
        let (title, folder) = (setup.title.clone(), run.folder().map(Path::to_owned));
        self.last.titled = Some(title.clone());
        let Some(folder) = folder else { return false };
        let named = RunNotes::read(&folder).and_then(|notes| match notes.title == title {
            true => Ok(()),
            false => RunNotes { title, ..notes }.write(&folder),
        });
        effects
            .accept(named.map_err(|error| format!("The title of the run was not saved: {error}")))
            .is_some()
    }

    /// Takes progress, and says what went wrong and how runs ended.
    pub(super) fn poll(&mut self, shown: ExperimentId, effects: &mut Effects) {
        self.show(shown);
        for run in std::iter::once(&mut self.last).chain(&mut self.earlier) {
            let trouble = run
                .progress()
                .and_then(|progress| progress.work.trouble.clone());
            effects.tell_trouble(trouble.as_ref(), run.told_trouble.as_ref());
            run.told_trouble = trouble;
            let warning = run.run.as_ref().and_then(Run::warning);
            if let Some(warning) = warning.filter(|_| run.told_warning.is_none()) {
                effects.warn(warning);
                run.told_warning = Some(warning.to_owned());
            }
            if let Some(state) = run.poll() {
                tell_end(run, &state, run.experiment == shown, effects);
            }
        }
    }
}

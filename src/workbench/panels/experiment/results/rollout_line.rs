//! The result of a rollout run for its first moves, stratum by stratum. The table itself treats the games as
//! independent draws.

use std::time::{Duration, Instant};

use egui::Ui;

use crate::experiment::{Plan, RolloutValues, Run, State};
use crate::prose;
use crate::task::{Job, Latest, TaskInfo, Tasks};
use crate::words;
use crate::workbench::kit::remark;
use crate::workbench::theme::Theme;

/// Interval between two reads during a run: each read copies all games.
const READ_EVERY: Duration = Duration::from_secs(1);

/// The run, and its number of finished games.
type Key = (u64, u64);

#[derive(Debug, Default)]
pub(super) struct RolloutLine {
    found: Latest<Key, Option<String>>,
    last_read: Option<Instant>,
}

impl RolloutLine {
    /// Reads the games on a worker, one read at a time.
    pub(super) fn follow(&mut self, runs: u64, run: &Run, plan: &Plan, tasks: &Tasks) {
        self.found.poll();
        if plan
            .contestants
            .iter()
            .any(|contestant| contestant.strategy.rollout.is_none())
        {
            self.found.clear();
            return;
        }

        let progress = run.progress();
        let key = (runs, progress.work.done);
        if self
            .found
            .key()
            .is_some_and(|(own_runs, _)| *own_runs != runs)
        {
            self.found.clear();
            self.last_read = None;
        }
        let is_early = progress.state == State::Running
            && self
                .last_read
                .is_some_and(|since| since.elapsed() < READ_EVERY);
        if self.found.is_asked(&key) || self.found.is_pending() || is_early {
            return;
        }

        self.last_read = Some(Instant::now());
        let results = run.results_elsewhere();
        self.found.ask(key, tasks, TaskInfo::silent(), move |_: &Job<Option<String>>| {
            let values = RolloutValues::of(&results())?;
            let moves = prose::rollout::moves(&values)?;
            let (contenders, gain) = (prose::rollout::contenders(&values), prose::rollout::gain(&values));
            let more: Vec<String> = [contenders].into_iter().chain(gain).collect();
            Some(format!(
                "Points still to come, stratified by the first tile: {moves} (95 %, simultaneous for all differences). {}",
                words::capitalised(&more.join("; "))
            ))
        });
    }

    fn text(&self) -> Option<&str> {
        self.found.value()?.as_deref()
    }

    pub(super) fn has_line(&self) -> bool {
        self.text().is_some()
    }

    pub(super) fn ui(&self, ui: &mut Ui) {
        if let Some(text) = self.text() {
            remark(ui, text, Theme::of(ui).text2);
        }
    }
}

//! A run of an experiment and its results.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::experiment::{
    Contestant, Dealt, Plan, PlanError, Progress, Run, RunFolder, Snapshot, State,
};
use crate::preset::{Entry, Preset, Shipped};
use crate::strategy::Strategy;

pub(super) fn empty_setup() -> Arc<Preset> {
    Arc::new(Preset::new(Preset::NEW, []))
}

/// Whether a strategy with the same rows and name is in the list.
pub(super) fn is_among(entries: &[Entry], strategy: &Strategy) -> bool {
    let is_same =
        |entry: &Strategy| entry.hash() == strategy.hash() && entry.label() == strategy.label();
    entries.iter().any(|entry| is_same(&entry.strategy))
}

/// Adds a strategy under a unique name, unless it is there already.
pub(super) fn add_contestant(preset: &mut Preset, strategy: &Strategy) {
    if !is_among(&preset.strategies, strategy) {
        let labels: Vec<String> = preset
            .strategies
            .iter()
            .map(|entry| entry.strategy.label())
            .collect();
        let strategy = Strategy {
            name: free_name(&strategy.label(), &labels),
            ..strategy.clone()
        };
        let published = Shipped::published(&strategy, preset.rules);
        preset.strategies.push(Entry {
            published,
            ..Entry::new(strategy)
        });
    }
}

/// `name`, or `name` with the smallest number from 2 that makes it unique.
pub(super) fn free_name(name: &str, taken: &[String]) -> String {
    std::iter::once(name.to_owned())
        .chain((2_u32..).map(|number| format!("{name} {number}")))
        .find(|name| !taken.contains(name))
        .unwrap_or_default()
}

/// Identifies an experiment; edits of its set-up do not change it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ExperimentId(u64);

impl ExperimentId {
    pub(super) fn fresh() -> Self {
        Self(next_number())
    }
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The active or finished run; undo does not affect it.
#[derive(Default)]
pub struct ExperimentRun {
    /// To pause, resume, cancel or export; `None` before the first run.
    pub run: Option<Run>,
    pub snapshot: Option<Arc<Snapshot>>,
    /// Increases with new numbers, so that views redraw.
    pub version: u64,
    /// Identifies the run; 0 before the first.
    pub runs: u64,
    /// The experiment of the run.
    pub(super) experiment: ExperimentId,
    /// The initial baseline, if the run was made for a comparison.
    pub reference: Option<usize>,
    /// If several runs are shown together, the contestants of all; empty for a single run.
    pub(super) arms: Vec<Arm>,
    told_end: bool,
    /// The title given after the start of the run.
    pub(super) titled: Option<String>,
    /// It was read from disk and has not resumed since.
    is_reopened: bool,
    /// The last reported message about a disk that rejects games.
    pub(super) told_trouble: Option<String>,
    /// The last reported warning about a file system without locks.
    pub(super) told_warning: Option<String>,
}

/// A contestant with the conditions of its games.
#[derive(Clone, Debug)]
pub struct Arm {
    pub strategy: Strategy,
    pub dealt: Dealt,
    /// The title of its run.
    pub run: String,
    /// The folder of its run, if any.
    pub folder: Option<PathBuf>,
    /// Whether its run was stopped at once, which biases means downwards.
    pub is_biased: bool,
}

impl ExperimentRun {
    /// Each contestant with the conditions of its games.
    pub fn arms(&self) -> impl Iterator<Item = Arm> + '_ {
        let is_biased = matches!(self.state(), Some(State::Cancelled | State::Failed(_)));
        let arm = move |plan: &Plan, one: &Contestant| Arm {
            strategy: one.strategy.clone(),
            dealt: Dealt {
                rules: one.rules(plan.rules),
                seed: plan.seed,
                games: plan.games,
                planned: plan.planned(),
            },
            run: self.title().to_owned(),
            folder: self.folder().map(Into::into),
            is_biased,
        };
        let own = self.plan().filter(|_| self.arms.is_empty()).into_iter();
        let own = own.flat_map(move |plan| plan.contestants.iter().map(move |one| arm(plan, one)));
        self.arms.iter().cloned().chain(own)
    }

    pub fn arm(&self, place: usize) -> Option<Arm> {
        self.arms().nth(place)
    }

    /// Starts a run, in its folder if it has one.
    pub(super) fn start(
        experiment: ExperimentId,
        plan: Plan,
        folder: Option<RunFolder>,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, PlanError> {
        let run = match folder {
            Some(folder) => Run::start_in(folder, plan, wake)?,
            None => Run::start(plan, wake)?,
        };
        Ok(Self::of_run(experiment, run))
    }

    /// The folder of its games.
    pub fn folder(&self) -> Option<&Path> {
        self.run.as_ref()?.folder()
    }

    pub(super) fn of_run(experiment: ExperimentId, run: Run) -> Self {
        let snapshot = Some(Arc::new(run.snapshot()));
        let told_end = run.state().has_ended();
        Self {
            run: Some(run),
            snapshot,
            experiment,
            runs: next_number(),
            told_end,
            ..Self::default()
        }
    }

    /// A run that was read from disk.
    pub(super) fn reopened(experiment: ExperimentId, run: Run, titled: Option<String>) -> Self {
        Self {
            is_reopened: true,
            titled,
            ..Self::of_run(experiment, run)
        }
    }

    pub(super) fn is_reopened(&self) -> bool {
        self.is_reopened
    }

    /// Resumes a run that is paused or was stopped.
    pub(super) fn resume(
        &mut self,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<(), PlanError> {
        let Some(run) = &self.run else { return Ok(()) };
        if !run.state().has_ended() {
            run.resume();
            return Ok(());
        }
        let run = run.go_on(wake)?;
        self.snapshot = Some(Arc::new(run.snapshot()));
        (self.run, self.told_end, self.is_reopened) = (Some(run), false, false);
        self.version += 1;
        Ok(())
    }

    /// Reads new numbers; returns the final state once, when the run has ended.
    pub fn poll(&mut self) -> Option<State> {
        let run = self.run.as_ref()?;
        if self.told_end {
            return None;
        }
        let snapshot = run.snapshot();
        let state = snapshot.progress.state.clone();
        self.snapshot = Some(Arc::new(snapshot));
        self.version += 1;
        self.told_end = state.has_ended();
        self.told_end.then_some(state)
    }

    pub fn progress(&self) -> Option<&Progress> {
        self.snapshot.as_ref().map(|snapshot| &snapshot.progress)
    }

    pub fn state(&self) -> Option<&State> {
        self.progress().map(|progress| &progress.state)
    }

    pub fn is_busy(&self) -> bool {
        self.state().is_some_and(|state| !state.has_ended())
    }

    /// When to update although no game finishes: for the time left or a full disk. `None` for a paused run.
    pub fn changes_in(&self) -> Option<Duration> {
        let progress = self
            .progress()
            .filter(|progress| !progress.state.has_ended())?;
        let is_paused = progress.state == State::Paused && progress.work.trouble.is_none();
        (!is_paused).then_some(Duration::from_secs(1))
    }

    /// A note on numbers that will still change.
    pub fn not_final(&self) -> Option<&'static str> {
        match self.state()? {
            State::Running => Some("Running, not final"),
            State::Paused => Some("Paused, not final"),
            State::Stopping => Some("Stopping, not final"),
            State::Done
            | State::RuleMet { .. }
            | State::Stopped
            | State::Cancelled
            | State::Failed(_) => None,
        }
    }

    /// The title of its experiment.
    pub fn title(&self) -> &str {
        self.titled
            .as_deref()
            .or(self.plan().map(|plan| &*plan.title))
            .unwrap_or_default()
    }

    pub fn plan(&self) -> Option<&Plan> {
        self.run.as_ref().map(Run::plan)
    }

    /// Indices of finished games of a contestant with a score in `scores`.
    pub fn games_in(&self, entry: usize, scores: RangeInclusive<u32>) -> Vec<u64> {
        self.run
            .as_ref()
            .map_or_else(Vec::new, |run| run.games().games_in(entry, scores))
    }

    /// Whether the set-up differs from what the last run played.
    pub fn is_stale(&self, setup: &Preset) -> bool {
        let Some(plan) = self.plan() else {
            return false;
        };
        let of_setup = (setup.rules, setup.seed, setup.games, &setup.until);
        (plan.rules, plan.seed, plan.games, &plan.until) != of_setup || !self.plays_those_of(setup)
    }

    /// Whether the strategies of the set-up are those of the last run.
    pub fn plays_those_of(&self, setup: &Preset) -> bool {
        let Some(plan) = self.plan() else {
            return setup.strategies.is_empty();
        };
        let planned = plan
            .contestants
            .iter()
            .map(|one| (&one.strategy, one.rules(plan.rules)));
        planned.eq(setup
            .strategies
            .iter()
            .map(|entry| (&entry.strategy, entry.rules(setup.rules))))
    }
}

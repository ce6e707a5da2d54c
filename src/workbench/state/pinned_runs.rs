//! Pinned runs: plots and tables show their strategies together with those of the current run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;

use super::copying::ResultsElsewhere;
use super::effect::Effects;
use super::experiment_run::Arm;
use super::{Core, Document, ExperimentId, ExperimentRun};
use crate::experiment::{self, EndReason, Plan, Progress, Run, Snapshot, State};
use crate::prose;
use crate::task::{Work, WorkState};
use crate::words;

#[derive(Default)]
pub(super) struct PinnedRuns {
    /// In the order of pinning.
    runs: Vec<(PathBuf, ExperimentRun)>,
    /// The strategies of all shown runs, if there are pinned runs.
    shown: Option<ExperimentRun>,
    /// The runs that `shown` was built from.
    made_of: Vec<u64>,
    /// The sum of the versions of their numbers.
    versions: u64,
}

impl PinnedRuns {
    pub(super) fn all(&self) -> impl Iterator<Item = &ExperimentRun> {
        self.runs.iter().map(|(_, run)| run)
    }

    fn is_pinned(&self, run: &Path) -> bool {
        self.runs.iter().any(|(path, _)| path == run)
    }

    /// Reads a run to be shown with the one on screen, from the next [`Document::follow_pinned`] on.
    pub(super) fn pin(&mut self, core: &Core, path: &Path) -> Result<(), String> {
        if self.is_pinned(path) {
            return Ok(());
        }
        let wake = core.surroundings().wake.clone();
        let (_, run) = experiment::read_folder(path, |preset| core.plan_of(preset), move || wake())
            .map_err(|error| error.to_string())?;
        let run = run.ok_or_else(|| format!("{}: its games are missing", path.display()))?;
        let run = ExperimentRun::of_run(ExperimentId::default(), run);
        self.runs.push((path.to_owned(), run));
        Ok(())
    }

    pub(super) fn unpin(&mut self, run: &Path) {
        self.runs.retain(|(path, _)| path != run);
    }

    pub(super) fn unpin_all(&mut self) {
        self.runs.clear();
    }

    /// Pins the runs of the last session that still exist.
    pub(super) fn restore(&mut self, core: &Core, paths: &[PathBuf], effects: &mut Effects) {
        for path in paths.iter().filter(|path| path.exists()) {
            let pinned = self.pin(core, path);
            effects
                .accept(pinned.map_err(|error| format!("A pinned run cannot be shown: {error}")));
        }
    }

    /// Takes new numbers of the pinned runs.
    pub(super) fn poll(&mut self, effects: &mut Effects) {
        for (_, run) in &mut self.runs {
            if let Some(State::Failed(sentence)) = run.poll() {
                effects.error(sentence);
            }
        }
    }

    /// Combines the run on screen and the pinned ones again if they changed, and takes their numbers.
    fn follow(&mut self, on_screen: Option<&ExperimentRun>) {
        if self.runs.is_empty() {
            if self.shown.take().is_some() {
                self.made_of.clear();
            }
            return;
        }

        let runs = beside(on_screen, &self.runs);
        let made_of: Vec<u64> = runs.iter().map(|run| run.runs).collect();
        let versions = runs.iter().map(|run| run.version).sum();
        if self.made_of != made_of {
            self.shown = side_by_side(&runs);
        } else if self.versions != versions
            && let Some(shown) = &mut self.shown
        {
            shown.snapshot = snapshot(&runs).map(Arc::new);
            shown.version += 1;
        }
        (self.made_of, self.versions) = (made_of, versions);
    }
}

impl Document {
    /// The run that plots and tables show: the last run of the set-up, together with the strategies of the pinned runs.
    pub fn shown(&self) -> Option<&ExperimentRun> {
        self.pinned_runs.shown.as_ref().or_else(|| self.results())
    }

    /// The folders of the pinned runs.
    pub fn pinned_runs(&self) -> impl Iterator<Item = &Path> {
        self.pinned_runs.runs.iter().map(|(path, _)| &**path)
    }

    pub fn is_pinned(&self, run: &Path) -> bool {
        self.pinned_runs.is_pinned(run)
    }

    /// Shows the pinned runs with the run on screen, as they are now.
    pub(super) fn follow_pinned(&mut self) {
        self.pinned_runs
            .follow(self.runs.of(self.core.experiment()));
    }

    /// The results of all shown runs with their names; `None` without pinned runs.
    pub(super) fn results_beside(&self) -> Option<Vec<(String, ResultsElsewhere)>> {
        let runs = beside(self.results(), &self.pinned_runs.runs);
        let runs: Vec<&Run> = runs
            .into_iter()
            .filter_map(|run| run.run.as_ref())
            .collect();
        let names = names(&runs.iter().map(|run| run.plan()).collect::<Vec<_>>());
        let elsewhere = |run: &Run| Box::new(run.results_elsewhere()) as ResultsElsewhere;
        (1 < runs.len()).then(|| {
            names
                .into_iter()
                .zip(runs.into_iter().map(elsewhere))
                .collect()
        })
    }

    /// Notes on runs that are shown together, one sentence each.
    pub fn about_pinned(&self) -> Vec<String> {
        let Some(shown) = &self.pinned_runs.shown else {
            return Vec::new();
        };
        let arms = &shown.arms;
        let mut sentences = Vec::new();
        let runs: Vec<&str> = arms.iter().map(|arm| arm.run.as_str()).dedup().collect();
        sentences.push(format!("Side by side: {}", words::list(&runs)));
        let biased: Vec<&str> = arms
            .iter()
            .filter(|arm| arm.is_biased)
            .map(|arm| arm.run.as_str())
            .dedup()
            .collect();
        if !biased.is_empty() {
            sentences.push(format!(
                "{} stopped at once: {}",
                words::list(&biased),
                EndReason::BIASED
            ));
        }
        sentences
    }
}

/// The current run, and the other pinned ones.
fn beside<'a>(
    on_screen: Option<&'a ExperimentRun>,
    pinned: &'a [(PathBuf, ExperimentRun)],
) -> Vec<&'a ExperimentRun> {
    let shown = on_screen.and_then(ExperimentRun::folder);
    let others = pinned
        .iter()
        .filter(|(path, _)| shown != Some(&**path))
        .map(|(_, run)| run);
    on_screen.into_iter().chain(others).collect()
}

/// Combines the strategies of several runs into one; name clashes are resolved with the name of the run.
fn side_by_side(runs: &[&ExperimentRun]) -> Option<ExperimentRun> {
    let parts: Vec<&Run> = runs.iter().filter_map(|run| run.run.as_ref()).collect();
    let plans: Vec<&Plan> = parts.iter().map(|run| run.plan()).collect();
    let names = names(&plans);
    let mut arms: Vec<Arm> = Vec::new();
    for (run, name) in runs.iter().zip(&names) {
        arms.extend(run.arms().map(|arm| Arm {
            run: name.clone(),
            ..arm
        }));
    }

    let labels = arms.iter().map(|arm| arm.strategy.label()).counts();
    let label = |arm: &Arm| match arm.strategy.label() {
        label if labels[&label] == 1 => label,
        label => format!("{} · {label}", arm.run),
    };
    let labels: Vec<String> = arms.iter().map(label).collect();
    let run = Run::side_by_side(&parts, &labels)?;
    let mut all = ExperimentRun::of_run(ExperimentId::default(), run);
    (all.snapshot, all.arms) = (snapshot(runs).map(Arc::new), arms);
    Some(all)
}

/// Combines the numbers of several runs into one, which has ended when all have.
fn snapshot(runs: &[&ExperimentRun]) -> Option<Snapshot> {
    let parts: Vec<&Snapshot> = runs
        .iter()
        .filter_map(|run| run.snapshot.as_deref())
        .collect();
    let first = &parts.first()?.progress;
    let sum = |number: fn(&Progress) -> u64| parts.iter().map(|part| number(&part.progress)).sum();
    let running = parts.iter().find(|part| !part.progress.state.has_ended());
    let work = Work {
        done: sum(|progress| progress.work.done),
        total: sum(|progress| progress.work.total),
        state: running.map_or(WorkState::Done, |part| part.progress.work.state.clone()),
        ..first.work.clone()
    };
    let progress = Progress {
        work,
        state: running.map_or(State::Done, |part| part.progress.state.clone()),
        finished_by_contestant: parts
            .iter()
            .flat_map(|part| part.progress.finished_by_contestant.clone())
            .collect(),
        ..first.clone()
    };
    let planned = parts.first()?.planned;
    Some(Snapshot {
        progress,
        planned,
        summaries: parts
            .iter()
            .flat_map(|part| part.summaries.clone())
            .collect(),
    })
}

/// Short names that distinguish the runs: their titles, and more facts if needed.
fn names(plans: &[&Plan]) -> Vec<String> {
    let facts = |plan: &Plan| {
        [
            format!("seed {}", plan.seed),
            prose::rules(&plan.rules),
            words::plural(plan.games, "game"),
        ]
    };
    let name = |place: usize| {
        let plan = plans[place];
        let title = words::shortened_to(40, &plan.title);
        let alike: Vec<usize> = (0..plans.len())
            .filter(|&other| plans[other].title == plan.title)
            .collect();
        if alike.len() == 1 {
            return title;
        }
        let telling = words::telling(
            &alike
                .iter()
                .map(|&other| facts(plans[other]))
                .collect::<Vec<_>>(),
        );
        let number = alike
            .iter()
            .position(|&other| other == place)
            .unwrap_or_default();
        let same = telling
            .iter()
            .filter(|other| **other == telling[number])
            .count();
        let mut fact = telling[number].clone();
        if same != 1 {
            fact.push(format!("run {}", number + 1));
        }
        // A title that all runs share is omitted.
        let fact = fact.join(", ");
        if alike.len() == plans.len() {
            fact
        } else {
            format!("{title}, {fact}")
        }
    };

    (0..plans.len()).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::preset::Preset;

    #[test]
    fn runs_of_one_title_are_told_apart_by_what_differs() {
        let plan = |title: &str, seed, p4, games| {
            let rules = Rules {
                p4,
                ..Rules::default()
            };
            Plan::of_preset(&Preset {
                seed,
                rules,
                games,
                ..Preset::new(title, [])
            })
        };
        let names = |plans: &[Plan]| names(&plans.iter().collect::<Vec<_>>());
        let one = plan("One", 1, 0.1, 5);
        assert_eq!(
            names(&[one.clone(), plan("Two", 1, 0.1, 5)]),
            ["One", "Two"]
        );
        assert_eq!(
            names(&[one.clone(), plan("One", 2, 0.1, 5)]),
            ["seed 1", "seed 2"]
        );
        assert_eq!(
            names(&[one.clone(), plan("One", 1, 0.2, 5)]),
            ["4x4", "4x4, 20 % fours"]
        );
        assert_eq!(
            names(&[one.clone(), plan("One", 1, 0.1, 6)]),
            ["5 games", "6 games"]
        );
        assert_eq!(names(&[one.clone(), one.clone()]), ["run 1", "run 2"]);
        let mixed = [one.clone(), plan("One", 2, 0.1, 5), plan("One", 2, 0.2, 5)];
        assert_eq!(
            names(&mixed),
            ["seed 1, 4x4", "seed 2, 4x4", "seed 2, 4x4, 20 % fours"]
        );
        let three = [one, plan("Two", 1, 0.1, 5), plan("One", 2, 0.1, 5)];
        assert_eq!(names(&three), ["One, seed 1", "Two", "One, seed 2"]);
    }
}

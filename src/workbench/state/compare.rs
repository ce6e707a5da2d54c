//! Compares two strategies: the test of an edited strategy against its previous version, and positions and games found
//! by a comparison.

use std::borrow::Cow;
use std::time::Duration;

use super::baseline::{Baseline, Disagreement};
use super::experiment_run::add_contestant;
use super::{Core, Document, Opened};
use crate::evaluator::ProgramSpec;
use crate::experiment::Estimate;
use crate::game::Rules;
use crate::preset::Preset;
use crate::strategy::{SharedStrategy, Strategy};
use crate::task::{Task, TaskError, TaskGroup, TaskInfo};
use crate::words;
use crate::workbench::command::{Command, CompareCommand, Panel, ReviewCommand, requires};
use crate::workbench::state::effect::{Effect, Effects};

/// Target duration of a test with searching strategies.
const TEST: Duration = Duration::from_secs(60);

/// Minimum number of games per strategy of a meaningful test.
const FEWEST_GAMES: u64 = 10;

/// What compares the current strategy with another one.
#[derive(Debug, Default)]
pub(super) struct Comparing {
    pub(super) baseline: Option<Baseline>,
    pub(super) disagreement: Disagreement,
    /// A test with searching strategies, while its duration is measured.
    timing: Option<(Preset, Task<Estimate>)>,
}

impl Comparing {
    /// Measures how long a test would take.
    fn time(&mut self, core: &Core, setup: Preset) {
        let plan = core.plan_of(&setup);
        let info = TaskInfo::asked(TaskGroup::Board, "Timing the two strategies");
        self.timing = Some((
            setup,
            core.tasks().begin(info, move |_| Estimate::of(&plan)),
        ));
    }

    /// Returns a test whose duration is known now, with as many games as take a minute, to be run.
    pub(super) fn poll_timing(&mut self, effects: &mut Effects) -> Option<Preset> {
        let answer = self.timing.as_mut().and_then(|(_, timing)| timing.poll())?;
        let (setup, _) = self.timing.take()?;
        match answer {
            Ok(estimate) => {
                let games = games_within(setup.games, &estimate);
                if games < setup.games {
                    let text = words::plural(games, "game");
                    effects.info(format!("{text} of each, for about a minute"));
                }
                return Some(Preset { games, ..setup });
            }
            Err(TaskError::Stopped { .. }) => {}
            Err(reason) => effects.error(format!("The test cannot be timed: {reason}")),
        }
        None
    }
}

impl Document {
    /// The previous version of the current strategy: as an experiment last played it, else as it was opened or saved,
    /// else the one it was made from. The empty list of a new strategy does not count.
    pub fn previous(&self) -> Result<SharedStrategy, &'static str> {
        let open = self.opened();
        let now = open.hash();
        let before = (!open.is_begun_empty()).then_some(&open.origin.before);
        if let Some(previous) = open
            .played
            .iter()
            .chain(before)
            .find(|previous| previous.hash() != now)
        {
            return Ok(previous.clone());
        }

        match open.parent.filter(|parent| *parent != now) {
            Some(parent) => self
                .strategy_of(parent)
                .ok_or("The strategy it was made from is not in the library: open it first"),
            None if open.is_begun_empty() => {
                Err("This strategy is new: run it or save it, then edit a row")
            }
            None if open.is_edited() || open.name != open.origin.before.name => {
                Err("Only its name or note was changed: it plays as before")
            }
            None => {
                Err("This strategy has not changed since it was opened or saved: edit a row first")
            }
        }
    }

    pub(super) fn can_compare(&self, command: &CompareCommand) -> Result<(), Cow<'static, str>> {
        match command {
            CompareCommand::TestAgainstPrevious => {
                let previous = self.previous()?;
                self.requires_no_run()?;
                if self.comparing.timing.is_some() {
                    return Err("The two strategies are already being timed".into());
                }
                let setup = self.test_of(&previous)?;
                self.plan_of(&setup)
                    .check()
                    .map_err(|error| error.to_string().into())
            }
            CompareCommand::WithPrevious => self.previous().map(drop).map_err(Cow::Borrowed),
            CompareCommand::With(Some(index)) => requires(
                *index < self.strategies().len(),
                "There is no such strategy",
            ),
            CompareCommand::NextDisagreement | CompareCommand::PreviousDisagreement => requires(
                self.baseline().is_some(),
                "Choose a strategy to compare with first",
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_comparison(&mut self, command: &CompareCommand, effects: &mut Effects) {
        match command {
            CompareCommand::TestAgainstPrevious => {
                self.test_against_previous(effects);
                // The table shows the result of the test.
                effects.push(Effect::ShowPanel(Panel::Results));
            }
            CompareCommand::WithPrevious => {
                if let Ok(previous) = self.previous() {
                    let name = before_name(&previous);
                    self.set_beside(
                        Strategy {
                            name,
                            ..(*previous).clone()
                        },
                        effects,
                    );
                }
            }
            CompareCommand::With(index) => self.comparing.compare_with(&self.core, *index),
            CompareCommand::NextDisagreement => self.comparing.seek_disagreement(&self.core, true),
            CompareCommand::PreviousDisagreement => {
                self.comparing.seek_disagreement(&self.core, false);
            }
            CompareCommand::Beside(strategy) => self.set_beside((**strategy).clone(), effects),
        }
    }

    /// The experiment that tests the current strategy against `previous`. It has the rules, seed and games of the
    /// current set-up; if the two cannot play by these rules, the rules of the current game.
    pub(super) fn test_of(&self, previous: &Strategy) -> Result<Preset, Cow<'static, str>> {
        let now = self.strategy();
        let before = before_name(previous);
        let present = self.setup();
        let plays_on = |rules: Rules| {
            now.check_for(rules)
                .and_then(|()| previous.check_for(rules))
        };
        let rules = match plays_on(present.rules) {
            Ok(()) => present.rules,
            Err(_) => self.game().rules,
        };
        plays_on(rules).map_err(|problem| format!("The strategy cannot play here: {problem}"))?;
        let empty = Preset::new(Preset::NEW, []);
        let mut setup = Preset {
            rules,
            seed: present.seed,
            games: present.games,
            ..empty
        };
        add_contestant(&mut setup, &now);
        add_contestant(
            &mut setup,
            &Strategy {
                name: before,
                ..previous.clone()
            },
        );
        setup.title = setup.proposed_title();
        Ok(setup)
    }

    fn test_against_previous(&mut self, effects: &mut Effects) {
        match self
            .previous()
            .map_err(Cow::Borrowed)
            .and_then(|previous| self.test_of(&previous))
        {
            Ok(setup) => self.test(setup, effects),
            Err(reason) => effects.warn(reason.into_owned()),
        }
    }

    /// Runs the test of the current strategy against its previous version; if they search, with as many games as take a
    /// minute.
    fn test(&mut self, setup: Preset, effects: &mut Effects) {
        let request = Command::from(CompareCommand::TestAgainstPrevious);
        if !setup
            .strategies
            .iter()
            .any(|entry| entry.strategy.takes_time())
        {
            return self.start_beside(request, setup, effects);
        }
        if effects.ask_to_run(programs(&setup), request) {
            return;
        }
        self.comparing.time(&self.core, setup);
    }

    /// Runs an experiment of the current strategy and its previous version, reusing games on disk. `request` is
    /// repeated after consent: if a program needs consent first, nothing changes.
    pub(super) fn start_beside(&mut self, request: Command, setup: Preset, effects: &mut Effects) {
        let what = words::uncapitalised(request.text());
        let joins = request == ReviewCommand::Rerun.into() && self.last_step_is_an_edit();
        if effects.ask_to_run(programs(&setup), request) {
            return;
        }
        if joins {
            self.core.join_step(&what);
        } else {
            self.core.record(&what);
        }
        self.set_experiment(setup, None);
        match self.run_experiment(effects) {
            // The second contestant is the previous version.
            Ok(true) => {
                self.runs.last.reference = Some(1);
                let title = self.setup().title.clone();
                let both = if joins {
                    ". Undo reverts it together with the edit"
                } else {
                    ""
                };
                effects.info_with(
                    format!("The experiment is now {title}{both}"),
                    "Undo",
                    Command::Undo,
                );
            }
            Ok(false) => {}
            Err(error) => effects.error(format!("The test cannot run: {error}")),
        }
    }

    /// Whether undo would take back an edit of the strategy on screen and nothing else.
    fn last_step_is_an_edit(&self) -> bool {
        let now = self.content();
        self.before().is_some_and(|before| {
            let is_same = (before.current, before.experiment, &before.setup)
                == (now.current, now.experiment, &now.setup);
            is_same
                && before.strategies.len() == now.strategies.len()
                && before.strategies != now.strategies
        })
    }

    /// Compares with a strategy, which is opened if it is not open.
    fn set_beside(&mut self, strategy: Strategy, effects: &mut Effects) {
        let current = self.current();
        if strategy.hash() == self.strategy().hash() {
            effects.info(format!(
                "{} already plays: choose another strategy to compare with",
                strategy.label()
            ));
            return;
        }
        let hash = strategy.hash();
        let others = self
            .strategies()
            .iter()
            .enumerate()
            .filter(|&(index, _)| index != current);
        let open = others.clone().find(|(_, open)| *open.strategy == strategy);
        let index = open
            .or_else(|| others.clone().find(|(_, open)| open.hash() == hash))
            .map(|(index, _)| index);
        let index = index.unwrap_or_else(|| {
            self.core.record("open a strategy to compare");
            self.core
                .content_mut()
                .strategies
                .push(Opened::new(strategy));
            self.content().strategies.len() - 1
        });
        self.comparing.compare_with(&self.core, Some(index));
    }
}

/// The programs that the strategies of an experiment run.
fn programs(setup: &Preset) -> impl Iterator<Item = ProgramSpec> {
    setup
        .strategies
        .iter()
        .flat_map(|entry| entry.strategy.programs())
}

/// The name of the previous version: "emr, before".
fn before_name(previous: &Strategy) -> String {
    let label = previous.label();
    if label.ends_with(", before") {
        label
    } else {
        format!("{label}, before")
    }
}

/// The number of games per strategy that take about a minute: at most `wanted`, rounded.
fn games_within(wanted: u64, estimate: &Estimate) -> u64 {
    let secs = estimate.likely.as_secs_f64();
    let fit = wanted as f64 * TEST.as_secs_f64() / secs.max(1e-9);
    if wanted as f64 <= fit {
        return wanted;
    }
    // One significant digit: 10, 20, … 90, 100, 200.
    let unit = 10_f64.powf(fit.max(1.0).log10().floor());
    ((fit / unit).floor() * unit)
        .max(FEWEST_GAMES as f64)
        .min(wanted as f64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_has_as_many_games_as_fit_into_a_minute() {
        let estimate = |secs: f64| {
            let likely = Duration::from_secs_f64(secs);
            Estimate {
                low: likely,
                likely,
                high: Some(likely),
                spread: None,
                rules: crate::experiment::ByRules::All,
            }
        };
        for (wanted, secs, games) in [
            (1000, 59.0, 1000),
            (1000, 60.0, 1000),
            (1000, 600.0, 100),
            (1000, 250.0, 200),
            (1000, 1e6, 10),
            (5, 1e6, 5),
        ] {
            assert_eq!(
                games_within(wanted, &estimate(secs)),
                games,
                "{wanted} in {secs} s"
            );
        }
    }
}

//! The experiment: its set-up, its run, and games of it on the board.

use std::borrow::Cow;

use super::effect::Effects;
use super::strategies::move_item;
use super::{Document, Opened, Setup};
use crate::experiment::{Plan, Run, State};
use crate::game::{Move, Record, Rules, Seed, Step};
use crate::preset::Entry;
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Strategy};
use crate::words;
use crate::workbench::command::{ExperimentCommand, requires};

impl Document {
    /// Whether a command of this kind makes sense now, else why not.
    pub(super) fn can_in_experiment(&self, command: &ExperimentCommand) -> Result<(), Cow<'static, str>> {
        let busy = self.lab.is_busy();
        let paused = self.lab.state() == Some(&State::Paused);
        match command {
            ExperimentCommand::Run => {
                requires(!busy, "It runs already")?;
                requires(!self.setup().strategies.is_empty(), "No strategy yet: drag one in, or press Add")?;
                self.plan().check().map_err(|error| error.to_string().into())
            }
            ExperimentCommand::Pause => requires(busy && !paused, "Nothing runs"),
            ExperimentCommand::Resume => requires(paused, "Nothing is paused"),
            ExperimentCommand::Cancel => requires(busy, "Nothing runs"),
            ExperimentCommand::AddCurrent => {
                let strategy = self.strategy();
                let is_same = |entry: &Entry| {
                    entry.strategy.hash() == strategy.hash() && entry.strategy.label() == strategy.label()
                };
                requires(!self.setup().strategies.iter().any(is_same), "It is in the experiment already")
            }
            _ => Ok(()),
        }
    }

    /// Does a command of this kind.
    pub(super) fn apply_to_experiment(&mut self, command: &ExperimentCommand, effects: &mut Effects) {
        match command {
            ExperimentCommand::New => {
                self.record("new experiment");
                self.content.setup = Setup::empty();
                self.content.saved_to = None;
            }
            ExperimentCommand::Run => match self.run_experiment() {
                Ok(()) => {}
                Err(error) => effects.error(format!("The experiment cannot run: {error}")),
            },
            ExperimentCommand::Pause => self.lab.run.iter().for_each(Run::pause),
            ExperimentCommand::Resume => self.lab.run.iter().for_each(Run::resume),
            ExperimentCommand::Cancel => self.lab.run.iter().for_each(Run::cancel),
            ExperimentCommand::AddCurrent => self.add_contestant(&self.strategy(), effects),
            ExperimentCommand::Add(strategy) => self.add_contestant(strategy, effects),
            ExperimentCommand::Remove(index) => self.change_setup("remove a strategy", |entries| {
                (*index < entries.len()).then(|| entries.remove(*index)).is_some()
            }),
            ExperimentCommand::Move { from, to } => {
                self.change_setup("reorder strategies", |entries| move_item(entries, *from, *to));
            }
            ExperimentCommand::SetGames(games) => self.set_up("set games", |preset| preset.games = *games),
            ExperimentCommand::SetSeed(seed) => self.set_up("set seed", |preset| preset.seed = *seed),
            ExperimentCommand::SetRules(rules) => self.set_up("set rules", |preset| preset.rules = *rules),
            ExperimentCommand::SetTitle(title) => {
                self.set_up("rename experiment", |preset| preset.title.clone_from(title));
            }
            ExperimentCommand::SetNote(note) => self.set_up("edit note", |preset| preset.note.clone_from(note)),
            ExperimentCommand::SetThreads(threads) => self.surroundings.threads = *threads,
            ExperimentCommand::OpenGame { entry, index } => self.open_game(*entry, *index, effects),
        }
    }

    /// Plays a game of the run again and puts it on the board, at the last position that left a choice.
    fn open_game(&mut self, entry: usize, index: u64, effects: &mut Effects) {
        let Some(plan) = self.lab.plan() else { return };
        let Some(contestant) = plan.contestants.get(entry) else { return };
        let (strategy, rules, seed) = (contestant.strategy.clone(), plan.rules, plan.seed);
        let title = format!("{}, game {} of {}", strategy.label(), words::count(index), plan.title);
        let record = match self.lab.run.as_ref().and_then(|run| run.games().moves(entry, index)) {
            Some(moves) => record_of(&moves, &strategy, rules, seed, index),
            None if strategy.looks_ahead() => {
                effects.warn(format!("The moves of game {} were not kept", words::count(index)));
                return;
            }
            None => GameTrace::record(
                &self.player(&strategy, rules),
                Seed(seed),
                index,
                &strategy,
                SearchOptions::default(),
            ),
        };
        self.open_record(&record, &title);
        // The strategy that played is the one to look at.
        match self.content.strategies.iter().position(|open| open.hash() == strategy.hash()) {
            Some(open) => self.content.current = open,
            None => {
                self.content.strategies.push(Opened::new(strategy));
                self.content.current = self.content.strategies.len() - 1;
            }
        }
        effects.info(format!("{title}, at its last choice"));
    }

    /// What a run would play.
    pub(super) fn plan(&self) -> Plan {
        Plan { threads: self.surroundings.threads, ..Plan::of_preset(self.setup()) }.in_background()
    }

    pub(super) fn run_experiment(&mut self) -> Result<(), crate::experiment::PlanError> {
        let wake = self.surroundings.wake.clone();
        self.lab.start(self.plan(), move || wake())
    }

    pub(super) fn poll_lab(&mut self, effects: &mut Effects) {
        let Some(state) = self.lab.poll() else { return };
        let finished = self.lab.progress().map_or(0, |progress| progress.finished);
        match state {
            State::Cancelled => effects.info(format!("Stopped, {} kept", words::plural(finished, "finished game"))),
            State::Failed(sentence) => effects.error(sentence),
            State::Running | State::Paused | State::Done => {}
        }
    }

    fn add_contestant(&mut self, strategy: &Strategy, effects: &mut Effects) {
        let mut setup = self.content.setup.clone();
        match setup.add(strategy) {
            Some(_) => {
                self.record("add a strategy to the experiment");
                self.content.setup = setup;
            }
            None => effects.info(format!("{} is in the experiment already", strategy.label())),
        }
    }

    fn change_setup(&mut self, what: &str, change: impl FnOnce(&mut Vec<Entry>) -> bool) {
        let mut setup = self.content.setup.clone();
        let mut changed = false;
        setup.change(|preset| changed = change(&mut preset.strategies));
        if changed {
            self.record(what);
            self.content.setup = setup;
        }
    }

    fn set_up(&mut self, what: &str, change: impl FnOnce(&mut crate::preset::Preset)) {
        let mut setup = self.content.setup.clone();
        setup.change(change);
        if setup != self.content.setup {
            self.history.record_ongoing(what, what, &self.content);
            self.content.setup = setup;
        }
    }
}

/// A game written out from its moves: the seed knows the tiles.
fn record_of(moves: &[Move], strategy: &Strategy, rules: Rules, seed: u64, index: u64) -> Record {
    let chance = Seed(seed).game(index);
    let start = chance.opening(&rules);
    let mut board = start;
    let steps = moves.iter().zip(2..).map_while(|(&mv, spawn)| {
        let after = board.slide(mv)?.after;
        let spawn = chance.spawn(spawn, &after.board(), rules.p4);
        board = after.spawn(spawn);
        Some(Step { mv, spawn })
    });
    let steps = steps.collect();
    Record { rules, seed: Some(seed), game: index, strategy: Some(strategy.to_string()), start, score: 0, steps }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Player;

    #[test]
    fn moves_and_the_seed_are_the_whole_game() {
        let strategy: Strategy = "emr".parse().expect("letters");
        let rules = Rules::default();
        let record = GameTrace::record(&Player::new(&strategy, rules), Seed(5), 3, &strategy, SearchOptions::default());
        let moves: Vec<Move> = record.steps.iter().map(|step| step.mv).collect();
        assert_eq!(record_of(&moves, &strategy, rules, 5, 3), record);
    }
}

//! The experiment: its set-up, its run, and its games on the board.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::effect::{Effect, Effects};
use super::experiment_run::{add_contestant, empty_setup, is_among};
use super::strategies::move_item;
use super::{Arm, Document, ExperimentId, ExperimentRun, Opened, OriginFile};
use crate::experiment::{
    self, Dealt, EndReason, FolderError, PlanError, RolloutTask, Run, Runs, State,
};
use crate::game::{Record, Seed, Step};
use crate::preset::{Axis, Entry, Preset, Sweep};
use crate::search::SearchOptions;
use crate::strategy::{GameTrace, Strategy};
use crate::words;
use crate::workbench::command::{
    Command, ExperimentCommand, FileCommand, Panel, RollOut, requires,
};

impl Document {
    pub(super) fn can_in_experiment(
        &self,
        command: &ExperimentCommand,
    ) -> Result<(), Cow<'static, str>> {
        let state = self.playing().and_then(ExperimentRun::state);
        let (busy, paused) = (state.is_some(), self.playing().is_some_and(is_held));

        match command {
            ExperimentCommand::Run => {
                self.requires_no_run()?;
                self.tunings.requires_none()?;
                requires(
                    !self.has_all_games(),
                    "All games are played and saved: enter more games, or another seed",
                )?;
                requires(
                    !self.setup().strategies.is_empty(),
                    "No strategy yet: drag one in, or press + Strategy",
                )?;
                self.plan_of(self.setup())
                    .check()
                    .map_err(|error| error.to_string().into())
            }
            ExperimentCommand::RollOut => {
                self.requires_no_run()?;
                self.tunings.requires_none()?;
                self.rollout_here(&self.usual_rollout())
                    .preset()
                    .map(drop)
                    .map_err(|problem| problem.reason.into())
            }
            ExperimentCommand::RollOutWith(request) => {
                self.requires_no_run()?;
                self.tunings.requires_none()?;
                self.rollout_here(request)
                    .preset()
                    .map(drop)
                    .map_err(|problem| problem.reason.into())
            }
            ExperimentCommand::Pause => requires(busy && !paused, "Nothing is running"),
            ExperimentCommand::Resume => {
                let stopped = |run: &ExperimentRun| {
                    matches!(
                        run.state(),
                        Some(State::Stopped | State::Cancelled | State::RuleMet { each: None, .. })
                    )
                };
                let stopped = !busy && self.results().is_some_and(stopped);
                requires(paused || stopped, "No run is paused or stopped")
            }
            ExperimentCommand::Stop => {
                requires(busy, "Nothing is running")?;
                requires(
                    state != Some(&State::Stopping),
                    "The games in play are finishing",
                )
            }
            ExperimentCommand::StopNow => requires(busy, "Nothing is running"),
            ExperimentCommand::Tune => {
                self.requires_no_run()?;
                self.tunings.can_start(self)
            }
            ExperimentCommand::PauseTuning => self.tunings.can_pause(),
            ExperimentCommand::StopTuning => self.tunings.can_stop(),
            ExperimentCommand::ShowPlaying => requires(
                self.playing_beside().is_some(),
                "No other experiment is running",
            ),
            ExperimentCommand::AddCurrent => {
                let is_there = is_among(&self.setup().strategies, &self.strategy());
                requires(!is_there, "This strategy is already in the experiment")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_experiment(
        &mut self,
        command: &ExperimentCommand,
        effects: &mut Effects,
    ) {
        match command {
            ExperimentCommand::New => {
                self.core.record("new experiment");
                self.set_experiment(empty_setup(), None);
                effects.push(Effect::ShowPanel(Panel::Experiment));
            }
            ExperimentCommand::Run => {
                let run = self.run_experiment(effects);
                effects.accept(run.map_err(|error| format!("The experiment cannot run: {error}")));
            }
            ExperimentCommand::RollOut => {
                // The rollout must start from the visible position.
                self.on_board.stop();
                effects.push(Effect::AskHowToRollOut);
            }
            ExperimentCommand::RollOutWith(request) => self.roll_out(request, effects),
            ExperimentCommand::Pause => self.played_run().into_iter().for_each(Run::pause),
            ExperimentCommand::Resume if self.playing().is_some() => {
                self.played_run().into_iter().for_each(Run::resume);
            }
            ExperimentCommand::Resume => {
                let plan = self.runs.last.plan();
                let played = plan
                    .iter()
                    .flat_map(|plan| &plan.contestants)
                    .filter(|one| one.stand_in.is_none());
                if effects.ask_to_run(
                    played.flat_map(|one| one.strategy.programs()),
                    command.clone(),
                ) {
                    return;
                }
                let wake = self.surroundings().wake.clone();
                let resumed = self.runs.last.resume(move || wake());
                effects.accept(resumed.map_err(|error| format!("The run cannot resume: {error}")));
            }
            ExperimentCommand::Stop => self.played_run().into_iter().for_each(Run::stop),
            ExperimentCommand::StopNow => self.played_run().into_iter().for_each(Run::cancel),
            ExperimentCommand::ShowPlaying => {
                if let Some(experiment) = self.playing_beside().map(|run| run.experiment) {
                    self.show_experiment(experiment);
                    effects.push(Effect::ShowPanel(Panel::Experiment));
                }
            }
            ExperimentCommand::AddCurrent => self.add_contestant(&self.strategy(), effects),
            ExperimentCommand::TuneOver(setting) => {
                let tuned = self.tune_over(setting, effects);
                if effects
                    .accept(tuned.map_err(|reason| format!("Tuning was not set: {reason}")))
                    .is_some()
                {
                    effects.push(Effect::EnterValues);
                }
            }
            ExperimentCommand::SetTuning(tuning) => {
                self.set_up("set the tuned settings", false, |preset| {
                    preset.tune = Some(tuning.clone());
                });
            }
            ExperimentCommand::Tune => {
                let entries = &self.setup().strategies;
                if effects.ask_to_run(
                    entries.iter().flat_map(|entry| entry.strategy.programs()),
                    command.clone(),
                ) {
                    return;
                }
                let tuned = self.tunings.start(&self.core, effects);
                effects.accept(tuned.map_err(|reason| format!("Tuning was not set: {reason}")));
            }
            ExperimentCommand::PauseTuning => self.tunings.pause(),
            ExperimentCommand::StopTuning => self.tunings.stop(),
            ExperimentCommand::Sweep(setting) => {
                let swept = self.sweep_over(setting);
                let is_swept = effects
                    .accept(swept.map_err(|reason| format!("The sweep was not set: {reason}")))
                    .is_some();
                effects.push(Effect::ShowPanel(Panel::Experiment));
                if is_swept {
                    effects.push(Effect::EnterValues);
                }
            }
            ExperimentCommand::SetSweep(over) => {
                let swept = self.set_sweep(over);
                effects.accept(swept.map_err(|reason| format!("The sweep was not set: {reason}")));
            }
            ExperimentCommand::Add(strategy) => self.add_contestant(strategy, effects),
            ExperimentCommand::Remove(index) if self.setup().strategies.len() <= *index => {}
            ExperimentCommand::Remove(index) => {
                self.set_up("remove a strategy", false, |preset| {
                    drop(preset.strategies.remove(*index));
                });
            }
            ExperimentCommand::Move { from, to } => {
                self.set_up("reorder strategies", false, |preset| {
                    move_item(&mut preset.strategies, *from, *to);
                });
            }
            ExperimentCommand::SetGames(games) => {
                self.set_up("set games", false, |preset| preset.games = *games);
            }
            ExperimentCommand::SetStopRules(until) => {
                self.set_up("set stop rules", true, |preset| {
                    preset.until.clone_from(until);
                });
            }
            ExperimentCommand::CompareWith { run, place } => {
                self.runs.compared_with = (*run, *place);
            }
            ExperimentCommand::SetSeed(seed) => {
                self.set_up("set seed", false, |preset| preset.seed = *seed);
            }
            ExperimentCommand::SetRules(rules) => {
                self.set_up("set rules", true, |preset| preset.set_rules(*rules));
            }
            ExperimentCommand::SetTitle(title) => {
                self.set_up("rename experiment", false, |preset| {
                    preset.title.clone_from(title);
                });
            }
            ExperimentCommand::SetThreads(threads) => {
                self.core.surroundings_mut().threads = *threads;
            }
            ExperimentCommand::OpenGame(entry, index) => {
                if let Some(title) = self.open_game(*entry, *index, effects) {
                    effects.info(format!("{title}, at its last move with a choice"));
                }
            }
            ExperimentCommand::OpenParting { places, index } => {
                self.open_parting(*places, *index, effects);
            }
        }
    }

    /// The rollout of the current position by the current strategy.
    fn rollout_here(&self, request: &RollOut) -> RolloutTask {
        let RollOut {
            games,
            moves,
            judge,
        } = request.clone();
        RolloutTask {
            board: self.board(),
            rules: self.game().rules,
            strategy: Strategy::clone(&self.strategy()),
            seed: 1,
            until: Vec::new(),
            games,
            moves,
            judge,
        }
    }

    /// The default number of games per move of a rollout: fewer for a strategy that searches.
    pub fn rollout_games(&self) -> u64 {
        if self.strategy().takes_time() {
            100
        } else {
            1000
        }
    }

    fn usual_rollout(&self) -> RollOut {
        RollOut {
            games: self.rollout_games(),
            moves: None,
            judge: None,
        }
    }

    /// Sets up the rollout as a new experiment and runs it.
    fn roll_out(&mut self, request: &RollOut, effects: &mut Effects) {
        let preset = self
            .rollout_here(request)
            .preset()
            .map_err(|problem| format!("Not rolled out: {}", problem.reason));
        let Some(preset) = effects.accept(preset) else {
            return;
        };
        self.core.record("roll out a position");
        self.set_experiment(preset, None);
        let run = self.run_experiment(effects);
        effects.accept(run.map_err(|error| format!("The position cannot be rolled out: {error}")));
        effects.push(Effect::ShowPanel(Panel::Results));
    }

    /// Sets up a new experiment that sweeps a setting of the current strategy. If the current set-up sweeps one other
    /// setting of it and has no results yet, the new one sweeps both.
    fn sweep_over(&mut self, setting: &str) -> Result<(), String> {
        let strategy = Strategy::clone(&self.strategy());
        let axis = Axis::of(&strategy, setting).map_err(|error| error.to_string())?;
        let is_same = |sweep: &&Sweep| match (sweep.bases.as_slice(), sweep.over.as_slice()) {
            ([base], [first]) => {
                base.strategy.is_same_play(&strategy) && first.setting != axis.setting
            }
            _ => false,
        };
        let first = self
            .setup()
            .sweep
            .as_ref()
            .filter(is_same)
            .filter(|_| self.results().is_none());
        let over: Vec<Axis> = first
            .iter()
            .flat_map(|sweep| &sweep.over)
            .cloned()
            .chain([axis])
            .collect();
        let names: Vec<&str> = over.iter().map(Axis::name).collect();
        let title = format!("{} by {}", strategy.label(), words::list(&names));
        let sweep = Sweep {
            over,
            bases: vec![Entry::new(strategy)],
            ..Sweep::default()
        };
        let setup = Preset::of_sweep(title, sweep).map_err(|problem| problem.reason)?;
        let Preset {
            rules, seed, games, ..
        } = **self.setup();
        let setup = Preset {
            rules,
            seed,
            games,
            ..setup
        };

        self.core.record("sweep a setting");
        self.set_experiment(setup, None);
        Ok(())
    }

    fn set_sweep(&mut self, over: &[Axis]) -> Result<(), String> {
        let Some(sweep) = &self.setup().sweep else {
            return Ok(());
        };
        // Published numbers belong to points, which may change.
        let mut sweep = Sweep {
            over: over.to_vec(),
            published: Vec::new(),
            ..sweep.clone()
        };
        let points = sweep.points().map_err(|problem| problem.reason)?;
        let published = self.setup().sweep.iter().flat_map(|sweep| &sweep.published);
        sweep.published = published
            .filter(|one| points.contains(&one.at))
            .cloned()
            .collect();
        let strategies = sweep.expand().map_err(|problem| problem.reason)?;
        let checked = Preset {
            strategies,
            sweep: Some(sweep),
            ..Preset::clone(self.setup())
        };
        if let Some(problem) = checked.check().first() {
            return Err(problem.reason.clone());
        }

        let Preset {
            strategies, sweep, ..
        } = checked;
        self.set_up("set the values of a sweep", false, |preset| {
            (preset.strategies, preset.sweep) = (strategies, sweep);
        });
        self.part_colours();
        Ok(())
    }

    fn played_run(&self) -> Option<&Run> {
        self.playing()?.run.as_ref()
    }

    /// Only one run at a time: two would halve each other's measured speed.
    pub(super) fn requires_no_run(&self) -> Result<(), Cow<'static, str>> {
        self.run_in_the_way()
            .map_or(Ok(()), |reason| Err(reason.into()))
    }

    /// Why no run can start now: the active run, and how to continue or end it.
    pub fn run_in_the_way(&self) -> Option<String> {
        let run = self.playing()?;
        let other = self.playing_beside().map(|run| words::quoted(run.title()));
        Some(match is_held(run) {
            true => format!(
                "{} is paused. Press Resume to continue or Stop to end it",
                other.as_deref().unwrap_or("The run")
            ),
            false => format!(
                "{} is running: stop it first, or wait until it ends",
                other.as_deref().unwrap_or("An experiment")
            ),
        })
    }

    /// The command that removes this reason why a command does not apply, with the text of its button.
    pub fn remedy(&self, reason: &str) -> Option<(&'static str, Command)> {
        let is_reason = self.playing().is_some_and(is_held)
            && self.run_in_the_way().is_some_and(|paused| paused == reason);
        is_reason.then(|| ("Resume", ExperimentCommand::Resume.into()))
    }

    /// Whether another run would only read saved games.
    fn has_all_games(&self) -> bool {
        let is_kept = |run: &&ExperimentRun| run.folder().is_some_and(Path::exists);
        let whole = self
            .results()
            .filter(|run| run.state() == Some(&State::Done) && !run.is_stale(self.setup()));
        whole.filter(is_kept).is_some()
    }

    /// Returns to an experiment whose run is in memory, as it was last set up.
    fn show_experiment(&mut self, experiment: ExperimentId) {
        let left = self
            .others()
            .find(|content| content.experiment == experiment);
        let Some((setup, saved_to)) =
            left.map(|content| (content.setup.clone(), content.saved_to.clone()))
        else {
            return;
        };
        self.core.record("show another run");
        let content = self.core.content_mut();
        (content.setup, content.saved_to, content.experiment) = (setup, saved_to, experiment);
        self.part_colours();
        self.runs.show(self.content().experiment);
    }

    /// Replays a game of the shown run and puts it on the board, at the last position with a choice. Returns its title;
    /// `None` if it failed.
    pub(super) fn open_game(
        &mut self,
        entry: usize,
        index: u64,
        effects: &mut Effects,
    ) -> Option<String> {
        match self.replayed(entry, index) {
            Some(Ok(Replayed {
                strategy,
                record,
                title,
                folder,
            })) => {
                self.open_record(&record, &title);
                self.core.set_run(folder.as_deref());
                self.turn_to(strategy);
                return Some(title);
            }
            Some(Err(reason)) => effects.warn(reason),
            None => {}
        }
        None
    }

    /// Replays a game of two strategies and puts it on the board, at the first position where they differ; the second
    /// game continues as a branch.
    fn open_parting(&mut self, places: [usize; 2], index: u64, effects: &mut Effects) {
        let [Some(one), Some(other)] = places.map(|place| self.replayed(place, index)) else {
            return;
        };
        let (one, other) = match (one, other) {
            (Ok(one), Ok(other)) => (one, other),
            (Err(reason), _) | (_, Err(reason)) => return effects.warn(reason),
        };
        self.open_record(&one.record, &one.title);
        self.core.set_run(one.folder.as_deref());
        let text = match parting(&one.record, &other.record) {
            Some(alike) => {
                let names = [&one, &other].map(|game| game.strategy.label());
                let line = self.tree().line_through(self.content().cursor);
                // Index 0 is the position before the first move.
                if let (Some(&node), Some(&end)) = (line.get(alike), line.last()) {
                    self.core
                        .tree_mut()
                        .play_on(node, &other.record.steps[alike..]);
                    self.core.tree_mut().favour(end);
                    self.core.content_mut().cursor = node;
                }
                parting_text(
                    names,
                    [&one.record, &other.record].map(|record| record.steps.get(alike)),
                    alike,
                )
            }
            None => "both play the same moves to the end".to_owned(),
        };

        effects.info(format!("{}: {text}", one.title));
        self.turn_to(one.strategy);
    }

    /// A game of the run with all its moves; `None` if there is no such contestant.
    fn replayed(&self, entry: usize, index: u64) -> Option<Result<Replayed, String>> {
        let shown = self.shown()?;
        let Arm {
            strategy,
            dealt: Dealt { rules, seed, .. },
            run,
            folder,
            ..
        } = shown.arm(entry)?;
        let title = format!(
            "{}, game {} of {run}",
            strategy.label(),
            words::count(index)
        );

        let record = match shown
            .run
            .as_ref()
            .and_then(|run| run.games().moves(entry, index))
        {
            Some(moves) => Record::of_moves(&moves, rules, seed, index, Some(strategy.to_string())),
            None if strategy.takes_time() => {
                return Some(Err(format!(
                    "The moves of game {} were not saved",
                    words::count(index)
                )));
            }
            None => {
                let player = self.player(&strategy, rules);
                if let Some(problem) = player.problem() {
                    return Some(Err(problem.to_string()));
                }
                GameTrace::record(
                    &player,
                    Seed(seed),
                    index,
                    &strategy,
                    SearchOptions::default(),
                )
            }
        };
        Some(Ok(Replayed {
            strategy,
            record,
            title,
            folder,
        }))
    }

    /// Selects the strategy that played, and opens it if needed.
    pub(super) fn turn_to(&mut self, strategy: Strategy) {
        match self
            .content()
            .strategies
            .iter()
            .position(|open| open.hash() == strategy.hash())
        {
            Some(open) => self.core.content_mut().current = open,
            None => self.core.push_strategy(Opened::new(strategy)),
        }
    }

    /// Runs the current set-up; false if a program needs consent first.
    pub(super) fn run_experiment(&mut self, effects: &mut Effects) -> Result<bool, PlanError> {
        self.look_at_files_again();
        let wake = self.surroundings().wake.clone();
        let plan = self.plan_of(self.setup());
        plan.check()?;
        let programs = plan
            .contestants
            .iter()
            .flat_map(|one| one.strategy.programs());
        if effects.ask_to_run(programs, ExperimentCommand::Run) {
            return Ok(false);
        }

        plan.check_to_play()?;
        let place = |runs: &Runs| Ok(runs.folder_of(&plan)?.among(runs));
        let folder = self.surroundings().runs.as_ref().map(place).transpose();
        let folder = folder.unwrap_or_else(|error: FolderError| {
            effects.warn(format!("This run is lost when the window closes: {error}"));
            None
        });
        let last_run = ExperimentRun::start(self.experiment(), plan, folder, move || wake())?;
        self.runs.begin(last_run);
        let played: Vec<_> = self
            .runs
            .last
            .plan()
            .iter()
            .flat_map(|plan| &plan.contestants)
            .map(|one| one.strategy.hash())
            .collect();
        for open in self
            .core
            .content_mut()
            .strategies
            .iter_mut()
            .filter(|open| played.contains(&open.hash()))
        {
            open.played = Some(open.strategy.clone());
        }

        Ok(true)
    }

    /// Opens the experiment of a run folder, with its results.
    pub(super) fn open_results(
        &mut self,
        folder: &Path,
        effects: &mut Effects,
    ) -> Result<(), String> {
        let at_hand = self.runs.all().find(|run| run.folder() == Some(folder));
        if let Some(experiment) = at_hand.map(|run| run.experiment) {
            if experiment != self.content().experiment {
                self.show_experiment(experiment);
            }
            effects.push(Effect::ShowPanel(Panel::Experiment));
            return Ok(());
        }

        let wake = self.surroundings().wake.clone();
        let (mut preset, run) =
            experiment::read_folder(folder, |preset| self.plan_of(preset), move || wake())
                .map_err(|error| error.to_string())?;
        let titled = super::kept_runs::title_given(folder, effects);
        preset.title = titled.clone().unwrap_or(preset.title);
        self.open_preset(preset, effects);
        let title = self.setup().title.clone();
        match run {
            Some(run) => {
                let finished = words::plural(run.progress().work.done, "game");
                effects.info(format!("Results opened: {title}, {finished}"));
                self.runs
                    .begin(ExperimentRun::reopened(self.experiment(), run, titled));
            }
            None => effects.info(format!(
                "Results opened: {title}; games.csv is missing, Run plays its games again"
            )),
        }

        Ok(())
    }

    /// Replaces the experiment; previous results do not belong to the new one.
    pub(super) fn set_experiment(
        &mut self,
        setup: impl Into<Arc<Preset>>,
        saved_to: Option<OriginFile>,
    ) {
        self.core.content_mut().setup = setup.into();
        self.core.content_mut().experiment = ExperimentId::fresh();
        self.core.content_mut().saved_to = saved_to;
        self.part_colours();
    }

    fn add_contestant(&mut self, strategy: &Strategy, effects: &mut Effects) {
        if is_among(&self.setup().strategies, strategy) {
            return effects.info(format!("{} is already in the experiment", strategy.label()));
        }
        // Next to the original, an edited strategy gets an edited name.
        let hash = strategy.hash();
        let is_edited = self
            .strategies()
            .iter()
            .any(|open| open.hash() == hash && open.is_edited());
        let is_taken = self
            .setup()
            .strategies
            .iter()
            .any(|entry| entry.strategy.label() == strategy.label());
        let name = if is_edited && is_taken {
            strategy.edited_name()
        } else {
            strategy.name.clone()
        };
        let strategy = Strategy {
            name,
            ..strategy.clone()
        };
        self.set_up("add a strategy to the experiment", false, |preset| {
            add_contestant(preset, &strategy);
        });
        self.part_colours();
        effects.info(format!(
            "{} is now in the experiment: Run plays it",
            strategy.label()
        ));
    }

    /// Changes the set-up, if that changes anything: a step of undo, or part of the ongoing edit of a field.
    fn set_up(&mut self, what: &str, ongoing: bool, change: impl FnOnce(&mut Preset)) {
        let mut setup = self.content().setup.clone();
        change(Arc::make_mut(&mut setup));
        if setup.strategies != self.content().setup.strategies
            && setup.title == self.content().setup.title
        {
            let title = setup.title_after(&self.content().setup);
            Arc::make_mut(&mut setup).title = title;
        }
        if setup != self.content().setup {
            if ongoing {
                self.core.record_ongoing(what);
            } else {
                self.core.record(what);
            }
            self.core.content_mut().setup = setup;
        }
    }
}

/// Whether the user paused the run. A run that waits for a full disk is paused too, but cannot be resumed.
fn is_held(run: &ExperimentRun) -> bool {
    run.state() == Some(&State::Paused) && run.run.as_ref().is_some_and(Run::is_paused)
}

/// Reports how a run has ended, unless it is visible.
pub(super) fn tell_end(run: &ExperimentRun, state: &State, is_shown: bool, effects: &mut Effects) {
    let (finished, total) = run
        .progress()
        .map_or((0, 0), |progress| (progress.work.done, progress.work.total));
    let saved_games = words::plural(finished, "finished game");
    let title = words::quoted(run.title());
    let saved_part = format!(
        "{} of {} games",
        words::count(finished),
        words::count(total)
    );

    match state {
        State::Cancelled if run.is_reopened() => effects.info(format!(
            "{title} was interrupted: {saved_part} are saved, those in play are lost, and Resume plays them again"
        )),
        State::Stopped if run.is_reopened() => {
            effects.info(format!("{title} was stopped: {saved_part} are saved, and Resume plays the others"));
        }
        State::Stopped => effects.info(format!("Stopped, {saved_games} saved")),
        State::Cancelled => effects.info(format!("Stopped, {saved_games} saved; {}", EndReason::BIASED)),
        State::RuleMet { sentence, .. } if is_shown => effects.info(words::capitalised(sentence)),
        State::RuleMet { sentence, .. } => effects.info(format!("{title}: {sentence}")),
        State::Failed(sentence) => effects.error(sentence.clone()),
        State::Done if !is_shown => {
            let show = run.folder().map(|folder| FileCommand::OpenFiles(vec![folder.to_owned()]));
            let text = format!("{title} is done: {}", words::plural(finished, "game"));
            match show {
                Some(show) => effects.info_with(text, "Show", show),
                None => effects.info(text),
            }
        }
        State::Running | State::Paused | State::Stopping | State::Done => {}
    }
}

/// A replayed game of a run.
struct Replayed {
    strategy: Strategy,
    record: Record,
    title: String,
    folder: Option<PathBuf>,
}

/// The number of moves that two games of the same seed share; `None` if they are equal.
fn parting(one: &Record, other: &Record) -> Option<usize> {
    let alike = one
        .steps
        .iter()
        .zip(&other.steps)
        .take_while(|(one, other)| one.mv == other.mv)
        .count();
    (alike < one.steps.len().max(other.steps.len())).then_some(alike)
}

/// "alike for 57 moves; at move 58 a plays Left and b plays Up".
fn parting_text([one, other]: [String; 2], steps: [Option<&Step>; 2], alike: usize) -> String {
    let alike = alike as u64;
    let [first, second] =
        steps.map(|step| step.map_or("nothing more".to_owned(), |step| step.mv.to_string()));
    let before = match alike {
        0 => String::new(),
        _ => format!("the same for {}; ", words::plural(alike, "move")),
    };
    format!(
        "{before}at move {} {one} plays {first} and {other} plays {second}",
        words::count(alike + 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::Player;

    #[test]
    fn two_games_of_one_seed_part_where_the_moves_first_differ() {
        let rules = Rules::default();
        let record = |text: &str| {
            let strategy: Strategy = text.parse().expect("letters");
            GameTrace::record(
                &Player::new(&strategy, rules),
                Seed(5),
                3,
                &strategy,
                SearchOptions::default(),
            )
        };
        let (one, other) = (record("emr"), record("mer"));
        let alike = parting(&one, &other).expect("other strategies");
        assert_eq!(
            one.steps[..alike],
            other.steps[..alike],
            "the same moves bring the same tiles"
        );
        assert_ne!(one.steps[alike].mv, other.steps[alike].mv);
        assert_eq!(
            (parting(&other, &one), parting(&one, &one)),
            (Some(alike), None)
        );
        let mut cut = one.clone();
        cut.steps.truncate(7);
        assert_eq!(parting(&one, &cut), Some(7));
        let text = parting_text(
            ["a".into(), "b".into()],
            [one.steps.get(7), cut.steps.get(7)],
            7,
        );
        assert_eq!(
            text,
            format!(
                "the same for 7 moves; at move 8 a plays {} and b plays nothing more",
                one.steps[7].mv
            )
        );
    }
}

//! Dispatches every change of the document to its concern, and checks whether a command applies.

use std::borrow::Cow;

use super::effect::Effects;
use super::{Document, ExperimentRun};
use crate::experiment::{Run, State};
use crate::task::{Control, TaskGroup};
use crate::words;
use crate::workbench::command::{Command, ExperimentCommand, Judge, TaskCommand, requires};

impl Judge for &Document {
    fn can(self, command: &Command) -> Result<(), String> {
        Document::can(self, command).map_err(Cow::into_owned)
    }
}

impl Document {
    /// Whether a command applies now, else why not. The window checks commands that only change the view.
    pub fn can(&self, command: &Command) -> Result<(), Cow<'static, str>> {
        match command {
            Command::Undo if self.deleted_last().is_some() => Ok(()),
            Command::Undo => requires(self.undo_texts().0.is_some(), "Nothing to undo"),
            Command::Redo => requires(self.undo_texts().1.is_some(), "Nothing to redo"),
            Command::Stop => requires(
                self.stops_on_board()
                    || self.playing().and_then(ExperimentRun::state) == Some(&State::Running),
                "Nothing is running",
            ),
            Command::Game(command) => self.can_in_game(command),
            Command::Strategy(command) => self.can_in_strategies(command),
            Command::Experiment(command) => self.can_in_experiment(command),
            Command::Runs(command) => self.can_in_runs(command),
            Command::File(command) => self.can_in_files(command),
            Command::Library(command) => self.can_in_library(command),
            Command::Pin(command) => self.can_pin(command),
            Command::Compare(command) => self.can_compare(command),
            Command::Solve(command) => self.solving.can(self, command),
            Command::Review(command) => self.can_review(command),
            Command::Practice(command) => self.practising.can(self, &self.reviewing, command),
            Command::Learning(command) => self.trainings.can(self, command),
            Command::Task(TaskCommand::Hold(number) | TaskCommand::Stop(number)) => {
                requires(self.tasks().control(*number).is_some(), "It has ended")
            }
            Command::Tree(_) | Command::Selection(_) | Command::View(_) => Ok(()),
        }
    }

    /// Applies a command to the document; the effects are for the window.
    pub fn apply(&mut self, command: &Command) -> Effects {
        let mut effects = Effects::default();
        self.reviewing.stop_following();
        match command {
            Command::Undo => match self.core.deleted_last().cloned() {
                Some(restore) => return self.apply(&restore),
                None => self.step_in_history(true, &mut effects),
            },
            Command::Redo => self.step_in_history(false, &mut effects),
            Command::Stop => self.stop(&mut effects),
            Command::Game(command) => self.apply_to_game(command, &mut effects),
            Command::Strategy(command) => self.apply_to_strategies(command, &mut effects),
            Command::Experiment(command) => self.apply_to_experiment(command, &mut effects),
            Command::Runs(command) => self.apply_to_runs(command, &mut effects),
            Command::File(command) => self.apply_to_files(command, &mut effects),
            Command::Library(command) => self.apply_to_library(command, &mut effects),
            Command::Pin(command) => self.apply_to_pins(command, &mut effects),
            Command::Compare(command) => self.apply_to_comparison(command, &mut effects),
            Command::Solve(command) => self.solving.apply(&mut self.core, command, &mut effects),
            Command::Review(command) => self.apply_to_review(command, &mut effects),
            Command::Practice(command) => {
                self.practising
                    .apply(&self.core, &self.reviewing, command, &mut effects);
            }
            Command::Learning(command) => {
                self.trainings.apply(&mut self.core, command, &mut effects);
            }
            Command::Task(TaskCommand::Hold(number)) => self
                .tasks()
                .control(*number)
                .iter()
                .for_each(Control::toggle),
            Command::Task(TaskCommand::Stop(number)) => {
                self.tasks().control(*number).iter().for_each(Control::stop);
            }
            Command::Tree(_) | Command::Selection(_) | Command::View(_) => {}
        }

        if effects.has_error() {
            self.own_files.list_after_error();
        }

        self.refresh();
        effects
    }

    /// Ends an ongoing step of undo: the next change, even of the same field, is a new one.
    pub fn end_edit(&mut self) {
        self.core.end_edit();
    }

    /// Records that a search was added to a tree, which now has this number, as a step of undo.
    pub fn search_on(&mut self, number: u64, what: &str) {
        self.core.record(what);
        self.core.content_mut().searched_on = Some(number);
    }

    /// Removes the search added last, which restores the tree `before`: by undo if it was the last step.
    pub fn take_back_search(&mut self, before: Option<u64>) -> Effects {
        let mut effects = Effects::default();
        let now = self.content().searched_on;
        if self
            .before()
            .is_some_and(|past| past.searched_on == before && before != now)
        {
            self.step_in_history(true, &mut effects);
            self.refresh();
        } else {
            self.core.record("undo a deeper search");
            self.core.content_mut().searched_on = before;
            effects.info("Undone: the last deeper search");
        }
        effects
    }

    fn step_in_history(&mut self, back: bool, effects: &mut Effects) {
        self.on_board.leave();
        let pins = self.content().pinning.clone();
        let colors = self.colors_now();
        if let Some(what) = self.core.step_in_history(back) {
            effects.info(format!(
                "{}: {what}",
                if back { "Undone" } else { "Redone" }
            ));
            let live = self.live(None);
            self.core.colors().complete(&colors, &live);
            self.follow_pins(&pins, effects);
            self.core.favour_cursor();
        }
    }

    /// Whether Escape would leave the editor or stop something on the board.
    pub fn stops_on_board(&self) -> bool {
        self.editing().is_some() || self.is_playing() || self.tasks().can_stop(TaskGroup::Board)
    }

    /// Escape does one thing and reports it: it leaves the editor, else stops autoplay with its pending search, else a
    /// search, else pauses the run, which only its own button stops.
    fn stop(&mut self, effects: &mut Effects) {
        if self.core.content_mut().editing.take().is_some() {
            return effects.info("Left the editor; the board is unchanged");
        }

        let plays = self.on_board.stop();
        match self.tasks().stop(TaskGroup::Board) {
            _ if plays => effects.info("Autoplay stopped"),
            Some(what) => effects.info(stopped(&what)),
            None => {
                self.playing()
                    .and_then(|run| run.run.as_ref())
                    .into_iter()
                    .for_each(Run::pause);
                return effects.info_with(
                    "The run is paused. Resume continues it.",
                    "Resume",
                    ExperimentCommand::Resume,
                );
            }
        }
        self.core.poll_decision();
    }
}

/// "Stopped: searching a move on up to 2 cores".
pub fn stopped(what: &str) -> String {
    format!("Stopped: {}", words::uncapitalised(what))
}

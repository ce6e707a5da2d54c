//! Effects of a change for the window: messages, the clipboard, a file dialog, a panel.

use std::path::PathBuf;

use crate::evaluator::ProgramSpec;
use crate::game::Reading;
use crate::program::permission::Fingerprint;
use crate::workbench::command::{Command, Panel, Purpose, Workspace};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
    /// A failure; stays until the user closes it.
    Error,
}

/// A short message, sometimes with a button that undoes the change.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub level: Level,
    pub text: String,
    pub action: Option<(&'static str, Command)>,
}

/// A program command that needs consent.
#[derive(Clone, Debug, PartialEq)]
pub struct ToAllow {
    pub command: Vec<String>,
    /// The command to repeat after consent.
    pub then: Option<Command>,
}

/// An ambiguous text: several boards, or one that needs a flag on the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct ToChoose {
    pub readings: Vec<Reading>,
    /// The source of the text, as the title of the game.
    pub from: String,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Notice(Notice),
    Copy(String),
    /// Requests the text of the clipboard; it comes as `FileCommand::Pasted`.
    Paste,
    /// Requests a file, with a default name; the answer comes as a command for this purpose.
    AskForFile(Purpose, String),
    /// Requests the title for saving the experiment, with a default; the answer comes as `FileCommand::SaveTitled`.
    AskForTitle(String),
    /// Requests the settings for rolling out the current position.
    AskHowToRollOut,
    /// Requests consent to run a program; the answer comes as `StrategyCommand::AllowToRun`.
    AskToRun(ToAllow),
    /// Asks which board a text is; the answer comes as `FileCommand::OpenReading`.
    AskWhichBoard(ToChoose),
    /// Saves the consent for this program.
    Allowed(Fingerprint),
    /// Switches to the workspace of the next step, and shows a panel of it.
    GoTo(Workspace, Panel),
    ShowPanel(Panel),
    /// Focuses the values of a new sweep or tuning.
    EnterValues,
    /// Opens a recorded tree in its panel.
    OpenTree(PathBuf),
    /// Selects a row of the current strategy, from 0; `unfolds` also unfolds it.
    SelectRow {
        row: usize,
        unfolds: bool,
    },
}

#[derive(Debug, Default)]
pub struct Effects {
    pub list: Vec<Effect>,
}

impl Effects {
    pub fn push(&mut self, effect: Effect) {
        self.list.push(effect);
    }

    /// Whether the window must first ask the user or the clipboard, so that nothing has changed yet.
    pub fn is_question(&self) -> bool {
        let asks = |effect: &Effect| {
            matches!(
                effect,
                Effect::Copy(_)
                    | Effect::Paste
                    | Effect::AskForFile(..)
                    | Effect::AskForTitle(_)
                    | Effect::AskHowToRollOut
                    | Effect::AskToRun(_)
                    | Effect::AskWhichBoard(_)
            )
        };
        self.list.iter().any(asks)
    }

    pub fn info(&mut self, text: impl Into<String>) {
        self.notice(Level::Info, text, None);
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        self.notice(Level::Warn, text, None);
    }

    /// Reports a failure: one sentence with place and remedy.
    pub fn error(&mut self, text: impl Into<String>) {
        self.notice(Level::Error, text, None);
    }

    /// Reports once why work waits for the disk.
    pub fn tell_trouble(&mut self, trouble: Option<&String>, reported: Option<&String>) {
        trouble
            .filter(|_| trouble != reported)
            .into_iter()
            .for_each(|trouble| self.error(trouble.clone()));
    }

    /// Requests consent for the first of these programs without it; true if there is one. `then` is applied after
    /// consent.
    pub fn ask_to_run(
        &mut self,
        programs: impl IntoIterator<Item = ProgramSpec>,
        then: impl Into<Command>,
    ) -> bool {
        let refused = programs
            .into_iter()
            .find(|program| program.check_allowed().is_err());
        let asks = refused.is_some();
        self.list.extend(refused.map(|ProgramSpec { command, .. }| {
            Effect::AskToRun(ToAllow {
                command,
                then: Some(then.into()),
            })
        }));
        asks
    }

    /// Reports success, with a button (usually "Undo") for `command`.
    pub fn info_with(
        &mut self,
        text: impl Into<String>,
        button: &'static str,
        command: impl Into<Command>,
    ) {
        self.notice(Level::Info, text, Some((button, command.into())));
    }

    /// Returns the value, or reports the error.
    pub fn accept<T>(&mut self, result: Result<T, impl ToString>) -> Option<T> {
        result.map_err(|error| self.error(error.to_string())).ok()
    }

    pub fn has_error(&self) -> bool {
        self.list
            .iter()
            .any(|effect| matches!(effect, Effect::Notice(notice) if notice.level == Level::Error))
    }

    /// Copies a text to the clipboard, if there is one, and reports it.
    pub fn copy(&mut self, text: Option<String>, said: &str) {
        if let Some(text) = text {
            self.push(Effect::Copy(text));
            self.info(said);
        }
    }

    /// Requests a file; `name` is the default name of a file to save.
    pub fn ask_for_file(&mut self, purpose: Purpose, name: impl Into<String>) {
        self.push(Effect::AskForFile(purpose, name.into()));
    }

    #[cfg(test)]
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter_map(|effect| match effect {
            Effect::Notice(notice) => Some(notice.text.as_str()),
            _ => None,
        })
    }

    fn notice(
        &mut self,
        level: Level,
        text: impl Into<String>,
        action: Option<(&'static str, Command)>,
    ) {
        self.push(Effect::Notice(Notice {
            level,
            text: text.into(),
            action,
        }));
    }
}

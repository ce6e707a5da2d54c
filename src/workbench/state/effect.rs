//! What a change asks of the window: messages, the clipboard, a file dialog, a panel.

use std::path::PathBuf;

use crate::evaluator::ProgramSpec;
use crate::program::permission::Fingerprint;
use crate::workbench::command::{Command, Panel, Purpose, Workspace};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
    /// It did not work; stays until it is closed.
    Error,
}

/// A short message, and sometimes a button that takes back what it tells.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub level: Level,
    pub text: String,
    pub action: Option<(&'static str, Command)>,
}

/// A command that may not run yet.
#[derive(Clone, Debug, PartialEq)]
pub struct ToAllow {
    pub command: Vec<String>,
    /// What was requested and waits for it.
    pub then: Option<Command>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Notice(Notice),
    Copy(String),
    /// Asks for the text of the clipboard; it comes as `FileCommand::Pasted`.
    Paste,
    /// Asks for a file, at first with this name; the answer comes as a command for this purpose.
    AskForFile(Purpose, String),
    /// Asks for the title under which the experiment is saved, at first this one; the answer comes as
    /// `FileCommand::SaveTitled`.
    AskForTitle(String),
    /// How the position on the board is to be rolled out.
    AskHowToRollOut,
    /// Asks whether strategies may run a program; the answer comes as `StrategyCommand::AllowToRun`.
    AskToRun(ToAllow),
    /// This command may run, now and at later times.
    Allowed(Fingerprint),
    /// Switches to the workspace of the next step, and to a panel of it.
    GoTo(Workspace, Panel),
    ShowPanel(Panel),
    /// Gives the keys to the values of the sweep or the tuning that was set up.
    EnterValues,
    /// Opens a recorded tree in its panel.
    OpenTree(PathBuf),
    /// Selects a row of the strategy on screen, from 0, and unfolds it.
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

    /// Whether the window is asked for a file or the clipboard, so that nothing was changed yet.
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

    /// It did not work: one sentence naming place and remedy.
    pub fn error(&mut self, text: impl Into<String>) {
        self.notice(Level::Error, text, None);
    }

    /// Asks about the first of these programs that may not run, and says whether there is one; `then` is applied once it was
    /// allowed.
    pub fn ask_to_run(&mut self, programs: impl IntoIterator<Item = ProgramSpec>, then: impl Into<Command>) -> bool {
        let refused = programs.into_iter().find(|program| program.check_allowed().is_err());
        let asks = refused.is_some();
        self.list.extend(
            refused.map(|ProgramSpec { command, .. }| Effect::AskToRun(ToAllow { command, then: Some(then.into()) })),
        );
        asks
    }

    /// It worked, and the button (usually "Undo") does `command`.
    pub fn info_with(&mut self, text: impl Into<String>, button: &'static str, command: impl Into<Command>) {
        self.notice(Level::Info, text, Some((button, command.into())));
    }

    /// What came of it; else tells why nothing did.
    pub fn accept<T>(&mut self, result: Result<T, impl ToString>) -> Option<T> {
        result.map_err(|error| self.error(error.to_string())).ok()
    }

    pub fn has_error(&self) -> bool {
        self.list.iter().any(|effect| matches!(effect, Effect::Notice(notice) if notice.level == Level::Error))
    }

    /// Puts a text into the clipboard, if there is one, and says so.
    pub fn copy(&mut self, text: Option<String>, said: &str) {
        if let Some(text) = text {
            self.push(Effect::Copy(text));
            self.info(said);
        }
    }

    /// Asks for a file; `name` is what a file to save is called at first.
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

    fn notice(&mut self, level: Level, text: impl Into<String>, action: Option<(&'static str, Command)>) {
        self.push(Effect::Notice(Notice { level, text: text.into(), action }));
    }
}

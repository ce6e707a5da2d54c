//! A row of the table of commands: all texts and shortcuts of a command.

use std::borrow::Cow;

use egui::KeyboardShortcut;
use strum::EnumIter;

use super::keys::{REMOVING, plain};
use super::panel::Panel;
use super::vocabulary::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Menu {
    File,
    Edit,
    View,
    Board,
    Strategy,
    Tree,
    Experiment,
    Help,
}

impl Menu {
    pub fn text(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Board => "Board",
            Self::Strategy => "Strategy",
            Self::Tree => "Tree",
            Self::Experiment => "Experiment",
            Self::Help => "Help",
        }
    }
}

/// A command in a menu, with its texts and keys.
#[derive(Debug)]
pub(super) struct CommandRow {
    pub(super) command: Command,
    pub(super) menu: Menu,
    pub(super) text: Cow<'static, str>,
    pub(super) about: &'static str,
    /// The first is shown; the others also work.
    pub(super) keys: Vec<KeyboardShortcut>,
    /// The panel that must have the focus for the keys to work.
    pub(super) only_in: Option<Panel>,
    /// Whether a line separates it from the previous entry of its menu.
    pub(super) begins_group: bool,
    /// Whether its menu lists it; if not, the menu of a panel and the command search do.
    pub(super) is_listed: bool,
    /// The submenu that lists it.
    pub(super) submenu: Option<&'static str>,
    /// Whether holding the key repeats it.
    pub(super) repeats: bool,
}

impl Menu {
    pub(super) fn row(
        self,
        command: impl Into<Command>,
        text: impl Into<Cow<'static, str>>,
        about: &'static str,
    ) -> CommandRow {
        CommandRow {
            command: command.into(),
            menu: self,
            text: text.into(),
            about,
            keys: Vec::new(),
            only_in: None,
            begins_group: false,
            is_listed: true,
            submenu: None,
            repeats: false,
        }
    }
}

impl CommandRow {
    pub(super) fn key(mut self, key: KeyboardShortcut) -> Self {
        self.keys.push(key);
        self
    }

    /// The keys that remove what is selected.
    pub(super) fn removes(mut self) -> Self {
        self.keys.extend(REMOVING.iter().map(|&key| plain(key)));
        self
    }

    pub(super) fn only_in(self, panel: Panel) -> Self {
        Self {
            only_in: Some(panel),
            ..self
        }
    }

    pub(super) fn begins_group(self) -> Self {
        Self {
            begins_group: true,
            ..self
        }
    }

    /// Listed only in the menu of a panel.
    pub(super) fn unlisted(self) -> Self {
        Self {
            is_listed: false,
            ..self
        }
    }

    pub(super) fn repeats(self) -> Self {
        Self {
            repeats: true,
            ..self
        }
    }
}

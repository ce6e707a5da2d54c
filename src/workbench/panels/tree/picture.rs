//! Placeholder.

use egui::{Rect, Ui};

use crate::workbench::command::{Commands, TreeCommand};

/// A picture that was asked for.
#[derive(Debug, Default)]
pub struct Picture {}

impl Picture {
    /// Before the view is drawn into `space`.
    pub fn watch(&mut self, _ui: &Ui, _space: Rect) {}

    /// After it.
    pub fn take(&mut self, _ui: &Ui, _space: Rect, _commands: &mut Commands) {}

    /// Does a command that asks for a picture.
    pub fn wish(&mut self, _command: TreeCommand, _commands: &mut Commands) {}
}

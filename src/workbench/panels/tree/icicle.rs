//! Placeholder.

use egui::Ui;

use crate::workbench::command::{Commands, TreeCommand};
use crate::workbench::panels::Inspection;

/// View state.
#[derive(Debug, Default)]
pub struct Icicle {}

impl Icicle {
    /// Draws it into the rest of the panel.
    pub fn ui(&mut self, ui: &mut Ui, _inspection: &mut Inspection, _commands: &mut Commands) {
        ui.label("Icicle");
    }

    /// Does a command that concerns this view alone.
    pub fn wish(&mut self, _command: TreeCommand) {}
}

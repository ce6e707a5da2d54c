//! Placeholder.

use egui::Ui;

use crate::workbench::command::Commands;
use crate::workbench::panels::Inspection;

/// View state.
#[derive(Debug, Default)]
pub struct TapeBar {}

impl TapeBar {
    /// Draws the controls of the tape and what just happened.
    pub fn ui(&mut self, ui: &mut Ui, _inspection: &mut Inspection, _commands: &mut Commands) {
        ui.label("Tape");
    }
}

//! Placeholder.

use egui::Ui;

use crate::workbench::command::{Commands, TreeCommand};
use crate::workbench::document::Document;
use crate::workbench::panels::Inspection;

/// View state.
#[derive(Debug, Default)]
pub struct Compare {}

impl Compare {
    /// Draws both trees side by side.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _inspection: &mut Inspection, _commands: &mut Commands) {
        ui.label("Compare");
    }

    /// Does a command that concerns the comparison.
    pub fn wish(&mut self, _command: TreeCommand, _doc: &Document, _commands: &mut Commands) {}
}

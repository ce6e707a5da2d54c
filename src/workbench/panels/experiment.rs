//! The run and its histograms.

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct ExperimentPanel {}

impl ExperimentPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, _doc: &Document, _commands: &mut Commands) {
        empty(ui, "Drag strategies here and press Ctrl R: their scores appear as they come");
    }
}

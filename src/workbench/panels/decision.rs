//! What the strategy thinks of each move.

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct DecisionPanel {}

impl DecisionPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, _doc: &Document, _commands: &mut Commands) {
        empty(ui, "Play or press Enter: the reasons of that move appear here");
    }
}

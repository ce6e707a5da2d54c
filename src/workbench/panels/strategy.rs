//! The rows of the strategy and the palette they come from.

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct StrategyPanel {}

impl StrategyPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, _doc: &Document, _commands: &mut Commands) {
        empty(ui, "Drag a row from the palette, or press A");
    }
}

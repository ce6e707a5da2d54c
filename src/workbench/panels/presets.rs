//! Files, shipped and own.

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct PresetsPanel {}

impl PresetsPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, _doc: &Document, _commands: &mut Commands) {
        empty(ui, "Nothing saved yet. Ctrl S saves this experiment");
    }
}

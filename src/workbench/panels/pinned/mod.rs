//! Positions that an edit is tried on.

use egui::Ui;

use super::Building;
use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct PinnedPanel {}

impl PinnedPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _building: &mut Building, _commands: &mut Commands) {
        empty(ui, "Positions that edits are tried on");
    }
}

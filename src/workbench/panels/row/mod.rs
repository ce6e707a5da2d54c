//! The selected row at large.

use egui::Ui;

use super::Building;
use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct RowPanel {}

impl RowPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _building: &mut Building, _commands: &mut Commands) {
        empty(ui, "Select a row of the strategy");
    }
}

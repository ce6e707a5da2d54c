//! What rows can be made of.

use egui::Ui;

use super::Building;
use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct PalettePanel {}

impl PalettePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _building: &mut Building, _commands: &mut Commands) {
        empty(ui, "Everything a row can be made of");
    }
}

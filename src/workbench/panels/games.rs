//! The games behind the brushed bar.

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct GamesPanel {}

impl GamesPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut egui::Ui, _doc: &Document, _commands: &mut Commands) {
        empty(ui, "Brush a bar to list its games");
    }
}

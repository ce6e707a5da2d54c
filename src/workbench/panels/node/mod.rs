//! The sheet of the selected node: its board, its value and how that arose, reach, bounds, what was skipped.

use egui::Ui;

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::panels::Inspection;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct NodePanel {}

impl NodePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _inspection: &mut Inspection, _commands: &mut Commands) {
        empty(ui, "Select a node of the search tree: what there is to say about it appears here");
    }
}

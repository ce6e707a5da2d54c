//! Placeholder.

use egui::Ui;

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::panels::Inspection;

/// View state.
#[derive(Debug, Default)]
pub struct Bar {}

impl Bar {
    /// Draws tools, way and record line.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _inspection: &mut Inspection, _commands: &mut Commands) {
        ui.label("Tools");
    }
}

//! Why one root move is better than another: a waterfall of its spawns, the terms at the leaves, two sentences.

use egui::Ui;

use crate::workbench::command::Commands;
use crate::workbench::document::Document;
use crate::workbench::panels::Inspection;
use crate::workbench::widget::empty;

/// View state of the panel.
#[derive(Debug, Default)]
pub struct WhyPanel {}

impl WhyPanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, _doc: &Document, _inspection: &mut Inspection, _commands: &mut Commands) {
        empty(ui, "Play or press Enter: why that move was the best appears here");
    }
}

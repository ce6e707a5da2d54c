//! The selected row in detail: its matrix to edit, or what its evaluator looks at.

mod cells;
mod controls;
mod data;
pub(in crate::workbench::panels) mod grids;
mod plain;

use egui::{Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2};

use crate::game::Size;
use crate::strategy::Criterion;
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::kit::{Button, empty, paragraph, scroll_beside, segmented};
use crate::workbench::panels::Building;
use crate::workbench::panels::builder::weights::fitting_row;
use crate::workbench::state::{Document, RowId};
use crate::workbench::theme::{self, Theme};

use cells::Cells;
use controls::Controls;
use data::{Matrix, matrices, with_weights};

const SIDE: f32 = 288.0;
/// Width of the controls beside the cells.
const CONTROLS: f32 = 236.0;

#[derive(Debug, Default)]
pub(crate) struct RowPanel {
    matrix: usize,
    cells: Cells,
    controls: Controls,
    /// The row shown last.
    row: Option<RowId>,
}

impl RowPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let strategy = doc.strategy();
        // Without a selected row, the row that decides on the board.
        let deciding = || doc.decision().and_then(|decision| decision.deciding());
        let Some(index) = building.rows.selected().or_else(deciding) else {
            empty(
                ui,
                "Select a row of the strategy to see its weights or what it evaluates",
            );
            return;
        };
        let Some(row) = strategy.criteria.get(index) else {
            return;
        };
        if self.row != building.rows.selected {
            self.row = building.rows.selected;
            self.matrix = 0;
        }

        let all = matrices(row);
        self.matrix = self.matrix.min(all.len().saturating_sub(1));
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        let title = format!("Row {}, {}", index + 1, row.label());
        ui.add(egui::Label::new(RichText::new(title).heading()).truncate());
        if 1 < all.len() {
            let choices: Vec<(usize, &str)> = all
                .iter()
                .map(|matrix| matrix.label.as_str())
                .enumerate()
                .collect();
            ScrollArea::horizontal().id_salt("matrices").show(ui, |ui| {
                segmented(ui, "Matrix of the row", &mut self.matrix, &choices);
            });
        }

        let room = ui.available_rect_before_wrap();
        let change = scroll_beside(ui, "row at large", room, |ui| {
            let Some(matrix) = all.get(self.matrix) else {
                plain::ui(ui, row, doc);
                return None;
            };
            self.matrix_ui(ui, index, row, matrix, doc)
        });
        if let Some((criterion, ongoing)) = change {
            commands.push(StrategyCommand::set_row(index, criterion, ongoing));
        }
        ui.allocate_rect(room, Sense::hover());
    }

    fn matrix_ui(
        &mut self,
        ui: &mut Ui,
        index: usize,
        row: &Criterion,
        matrix: &Matrix,
        doc: &Document,
    ) -> RowChange {
        let size = doc.board().size();
        let mut values = matrix.weights.values().to_vec();
        if values.len() != size.cells() {
            return misfit_ui(ui, row, values.len(), size);
        }
        let before = before(doc, index, matrix, size);
        let width = ui.available_width();
        let beside = 180.0 + CONTROLS <= width;

        // The cells shrink until all are visible, but stay large enough to click.
        let seen = (ui.clip_rect().height() - theme::SPACE_S).max(160.0);
        let side = if beside {
            SIDE.min(width - CONTROLS).min(seen)
        } else {
            SIDE.min(width)
        };
        let top = ui.cursor().min;
        let mut change = self.cells.ui(ui, side, size, &mut values);
        let mut right = UiBuilder::new().id_salt("controls");
        if beside {
            let corner = pos2(top.x + side + theme::SPACE_L, top.y);
            right = right.max_rect(Rect::from_min_max(
                corner,
                pos2(top.x + width, f32::INFINITY),
            ));
        }

        ui.scope_builder(right, |ui| {
            change = self
                .controls
                .ui(ui, &mut self.cells, size, &mut values, &before)
                .or(change);
            self.controls.warning_ui(ui, row, doc);
        });
        change.map(|ongoing| (with_weights(row, &matrix.place, values), ongoing))
    }
}

/// The changed row, and whether the edit is still in progress.
type RowChange = Option<(Criterion, bool)>;

/// The numbers of the matrix when the strategy was last opened or saved, or else its current ones.
fn before(doc: &Document, index: usize, matrix: &Matrix, size: Size) -> Vec<f64> {
    let row = doc.opened().origin.before.criteria.get(index);
    let found = row.and_then(|row| {
        matrices(row)
            .into_iter()
            .find(|other| other.place == matrix.place)
    });
    let weights = found
        .map(|matrix| matrix.weights)
        .filter(|weights| weights.values().len() == size.cells());
    weights
        .as_ref()
        .unwrap_or(&matrix.weights)
        .values()
        .to_vec()
}

fn misfit_ui(ui: &mut Ui, row: &Criterion, count: usize, size: Size) -> RowChange {
    let size_words = format!("{} × {}", size.rows(), size.cols());
    let words = format!("✗ These {count} weights do not fit a board of {size_words}");
    paragraph(ui, words, Theme::of(ui).error);
    let fitted = fitting_row(row, size);
    let takes = fitted != *row && fit_button(ui, &format!("Fit weights to {size_words}"));
    takes.then_some((fitted, false))
}

pub(in crate::workbench::panels::builder) fn fit_button(ui: &mut Ui, text: &str) -> bool {
    let about = "Replace the matrix with one that fits this board; Undo restores it";
    ui.add(Button::new(text).small())
        .on_hover_text(about)
        .clicked()
}

//! The grids of a strategy with their numbers, for export: weight matrices, and the gradients of Corner and Snake.

use egui::{RichText, Ui, vec2};

use super::data::{gradient, matrices};
use super::plain::picture;
use crate::evaluator::Evaluator;
use crate::game::{Board, Size};
use crate::strategy::{Criterion, Strategy};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// The numbers of a grid in reading order, with its label, formula and source.
struct Grid {
    label: String,
    weights: Vec<f64>,
    about: [&'static str; 2],
}

/// Every grid of a row that fits boards of this size.
fn grids(row: &Criterion, size: Size) -> Vec<Grid> {
    let about = |evaluator: &Evaluator| {
        let term = terms::of_evaluator(evaluator);
        [term.formula, term.source]
    };
    let mut all: Vec<Grid> = Vec::new();
    for matrix in matrices(row) {
        let weights = matrix.weights.values().to_vec();
        let about = about(&Evaluator::Weights(matrix.weights));
        all.push(Grid {
            label: matrix.label,
            weights,
            about,
        });
    }

    let mut left = vec![&row.evaluator];
    while let Some(evaluator) = left.pop() {
        match evaluator {
            Evaluator::Sum(terms) => left.extend(terms.iter().rev().map(|(_, term)| term)),
            Evaluator::Product(one, other) => left.extend([&**other, &**one]),
            _ => all.extend(gradient(evaluator, size).map(|weights| Grid {
                label: evaluator.label(),
                weights,
                about: about(evaluator),
            })),
        }
    }

    all.retain(|grid| grid.weights.len() == size.cells());
    all
}

/// Whether a strategy has a grid for boards of this size.
pub(in crate::workbench::panels) fn any(strategy: &Strategy, size: Size) -> bool {
    strategy
        .criteria
        .iter()
        .any(|row| !grids(row, size).is_empty())
}

/// Draws the grids of each row under the row's name.
pub(in crate::workbench::panels) fn ui(ui: &mut Ui, strategy: &Strategy, size: Size) {
    let rows: Vec<(String, Vec<Grid>)> = strategy
        .criteria
        .iter()
        .enumerate()
        .map(|(index, row)| {
            (
                format!("Row {}, {}", index + 1, row.label_with_depth()),
                grids(row, size),
            )
        })
        .filter(|(_, grids)| !grids.is_empty())
        .collect();

    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_L, theme::SPACE_S);
    let title = format!("Grids of {}", strategy.label());
    ui.label(RichText::new(title).heading().color(theme.text1));
    for (name, grids) in &rows {
        ui.add_space(theme::SPACE_M);
        ui.label(RichText::new(name).font(theme::strong()).color(theme.text1));
        for grid in grids {
            ui.horizontal_top(|ui| {
                picture(ui, &Board::empty(size), &grid.weights);
                ui.vertical(|ui| {
                    ui.label(
                        RichText::new(&grid.label)
                            .font(theme::medium())
                            .color(theme.text1),
                    );
                    for line in grid.about.into_iter().filter(|line| !line.is_empty()) {
                        ui.label(RichText::new(line).small().color(theme.text2));
                    }
                });
            });
        }
    }
}

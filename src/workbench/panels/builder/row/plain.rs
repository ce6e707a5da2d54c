//! A row without a matrix: the meaning of its evaluator, what it looks at, and its value on the board.

use egui::{Align2, Rect, Role, Ui, pos2, vec2};

use super::data::counting;
use crate::evaluator::Evaluator;
use crate::game::Board;
use crate::search::Lookahead;
use crate::strategy::Criterion;
use crate::words;
use crate::workbench::kit::{elided, inert, small_print};
use crate::workbench::panels::builder::number;
use crate::workbench::panels::builder::weights::{largest, level};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

const PICTURE: f32 = 168.0;

pub(super) fn ui(ui: &mut Ui, row: &Criterion, doc: &Document) {
    ui.spacing_mut().item_spacing.y = theme::SPACE_S;
    terms::show(ui, terms::of_evaluator(&row.evaluator));
    if row.lookahead != Lookahead::OnePly {
        ui.add_space(theme::SPACE_S);
        terms::show(ui, terms::of_lookahead(&row.lookahead));
    }

    let (board, score) = (doc.board(), doc.node().score);
    if row.evaluator.check(board.size()).is_err() {
        return;
    }
    if let Some(weights) = counting(&row.evaluator, &board) {
        ui.add_space(theme::SPACE_M);
        small_print(
            ui,
            "Weights in the orientation that counts for this board",
            Theme::of(ui).text3,
        );
        picture(ui, &board, &weights);
    }
    ui.add_space(theme::SPACE_M);
    table(ui, &row.evaluator, &board, score);
}

/// The weights as fills, with the tiles as small numbers.
pub(super) fn picture(ui: &mut Ui, board: &Board, weights: &[f64]) {
    let size = board.size();
    let theme = Theme::of(ui);
    let cell = (PICTURE / size.rows().max(size.cols()) as f32).floor();
    let side = vec2(size.cols() as f32, size.rows() as f32) * cell;
    let row = |row: &[f64]| {
        row.iter()
            .map(|&weight| short(weight))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let rows: Vec<String> = weights.chunks(size.cols()).map(row).collect();
    let name = format!("Weights that count here: {}", rows.join(" / "));
    let (rect, _) = inert(ui, side, Role::Image, &name);

    let largest = largest(weights);
    for (index, ((_, rank), &weight)) in board.cells().zip(weights).enumerate() {
        let at = vec2((index % size.cols()) as f32, (index / size.cols()) as f32) * cell;
        let part = Rect::from_min_size(rect.min + at, vec2(cell, cell)).shrink(1.0);
        let fill = theme.sequential(level(weight, largest));
        ui.painter().rect_filled(part, 3, fill);
        let ink = theme::text_on(fill);
        ui.painter().text(
            part.center(),
            Align2::CENTER_CENTER,
            short(weight),
            theme::strong_of(12.0),
            ink,
        );
        if !rank.is_empty() {
            let corner = part.right_bottom() - vec2(3.0, 1.0);
            ui.painter().text(
                corner,
                Align2::RIGHT_BOTTOM,
                rank.tile().to_string(),
                theme::strong_of(8.0),
                ink,
            );
        }
    }
}

fn short(weight: f64) -> String {
    if weight.abs() < 0.01 && weight != 0.0 {
        format!("{weight:.0e}")
    } else {
        number::short(weight)
    }
}

/// A table of terms with weight, value and contribution, and the sum below.
fn table(ui: &mut Ui, evaluator: &Evaluator, board: &Board, score: u64) {
    let theme = Theme::of(ui);
    let parts = evaluator.terms(board, score);
    small_print(ui, "Value of the board on screen", theme.text3);
    let width = ui.available_width().min(440.0);
    let columns = [width - 150.0, width - 75.0, width];
    let line = |ui: &mut Ui, cells: [String; 4], strong: bool| {
        let name = cells
            .iter()
            .filter(|cell| !cell.is_empty())
            .cloned()
            .collect::<Vec<_>>()
            .join(" ");
        let (rect, _) = inert(ui, vec2(width, 20.0), Role::Label, &name);
        let font = if strong {
            theme::strong()
        } else {
            theme::body()
        };
        let [label, rest @ ..] = cells;
        let color = if strong { theme.text1 } else { theme.text2 };
        let label = elided(ui.painter(), &label, font.clone(), color, columns[0] - 70.0);
        ui.painter().galley(
            pos2(rect.left(), rect.center().y - label.size().y / 2.0),
            label,
            color,
        );
        for (text, right) in rest.into_iter().zip(columns) {
            let at = pos2(rect.left() + right, rect.center().y);
            ui.painter()
                .text(at, Align2::RIGHT_CENTER, text, font.clone(), color);
        }
    };

    if 1 < parts.len() || parts.iter().any(|part| part.weight != 1.0) {
        line(
            ui,
            ["Term", "weight", "value", "adds"].map(str::to_owned),
            false,
        );
        for part in &parts {
            let [value, amount] =
                [part.value, part.amount()].map(|number| words::decimals(number, 1));
            line(
                ui,
                [
                    part.label.clone(),
                    words::decimals_short(part.weight),
                    value,
                    amount,
                ],
                false,
            );
        }
    }
    let value = words::decimals(evaluator.evaluate(board, score), 1);
    line(
        ui,
        [evaluator.label(), String::new(), String::new(), value],
        true,
    );
}

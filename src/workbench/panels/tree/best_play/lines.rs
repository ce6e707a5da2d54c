//! The list of lines, and the boards of the selected one.

use egui::{Label, RichText, ScrollArea, Ui, vec2};

use super::{BestPlayPanel, Found, MoveLines, places, sentence};
use crate::prose::lines;
use crate::search::{BestLine, LineOrder, Link, Tree};
use crate::words;
use crate::workbench::kit::{Button, Table, TableColumn, mini_board, small_print};
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 12.0;
/// Side of a board of the selected line, and the room below the table for them.
const BOARD: f32 = 64.0;
const BOARDS: f32 = BOARD + 2.0 * theme::SPACE_M + 56.0;
/// From this height on the boards are drawn below the list.
const BOARDS_FROM: f32 = 230.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineColumn {
    Place,
    Probability,
    Value,
    Words,
}

fn columns() -> [TableColumn<LineColumn>; 4] {
    let column = |key, title: &str, about, width, right, falls| TableColumn {
        key,
        title: title.to_owned(),
        about,
        width,
        right,
        indent: 0.0,
        falls: Some(falls),
    };
    [
        column(LineColumn::Place, "Line", "Its place in the order that is chosen above", 60.0, false, false),
        column(
            LineColumn::Probability,
            "Probability",
            "That chance brings these tiles, of those that the search considers",
            84.0,
            true,
            true,
        ),
        column(LineColumn::Value, "End", "The value at the end of the line", 84.0, true, true),
        column(LineColumn::Words, "Moves and tiles", "Slides and new tiles in turn", 200.0, false, false),
    ]
}

/// The median line and then the first ones, each with its name.
fn listed(of_move: &MoveLines, order: LineOrder) -> Vec<(String, &BestLine)> {
    let median = of_move.median.iter().map(|line| ("Median".to_owned(), line));
    let first = of_move.first[order as usize].iter().enumerate();
    median.chain(first.map(|(place, line)| ((place + 1).to_string(), line))).collect()
}

/// The last node of the record that lies on the line.
fn recorded(tree: &Tree, line: &BestLine) -> crate::search::NodeId {
    let links: Vec<Link> = line.steps.iter().map(|step| step.link).collect();
    (0..=links.len()).rev().find_map(|end| tree.follow(&links[..end])).unwrap_or(tree.root())
}

impl BestPlayPanel {
    pub(super) fn lines_ui(&mut self, ui: &mut Ui, shown: &Shown, found: &Found, inspection: &mut Inspection) {
        let Some(mv) = self.mv(shown, found) else { return };
        let Some(of_move) = found.moves.iter().find(|of_move| of_move.mv == mv) else { return };
        let places = places(found);
        let value = found.play.value(mv).map(|value| words::decimals(value, places)).unwrap_or_default();
        let shown_lines = of_move.first[self.order as usize].len();
        let about = lines::listed(shown_lines, of_move.count, self.order);
        sentence(ui, &format!("{} {mv}, value {value}: {about}", mv.arrow()));
        let listed = listed(of_move, self.order);
        let mut order: Vec<usize> = (0..listed.len()).collect();
        order.sort_by(|&a, &b| {
            let number = |at: usize, by: LineColumn| match by {
                LineColumn::Place | LineColumn::Words => Some(at as f64),
                LineColumn::Probability => Some(listed[at].1.probability),
                LineColumn::Value => Some(listed[at].1.value),
            };
            self.by_line.order(|key| key.compare(number(a, key.by), number(b, key.by)))
        });
        let has_boards = BOARDS_FROM <= ui.available_height();
        let (columns, below) = (columns(), if has_boards { BOARDS } else { 0.0 });
        let (id, name) = ("lines", "Lines of best play");
        let table = Table { id, name, columns: &columns, sort: &mut self.by_line, gap: GAP, below, fits: true };
        let mut clicked = None;
        let selected = self.line;
        table.show(ui, order.len(), |row| {
            let at = order[row.index()];
            let (name, line) = &listed[at];
            let text = |column| match column {
                LineColumn::Place => name.clone(),
                LineColumn::Probability => words::small_probability(line.probability),
                LineColumn::Value => words::decimals(line.value, places),
                LineColumn::Words => lines::line_words(line),
            };
            let label = format!("{name}: {}, {}", lines::line_words(line), lines::line_end(line, places));
            let response = row.show(&label, selected == at, |ui, column| {
                let color = Theme::of(ui).text1;
                let cell = ui.add(Label::new(RichText::new(text(column)).color(color)).truncate());
                if column == LineColumn::Value {
                    cell.on_hover_text(line.end.text());
                }
            });
            if response.clicked() {
                clicked = Some(at);
            }
        });
        if let Some(at) = clicked {
            self.line = at;
            inspection.select(recorded(&shown.tree, listed[at].1));
        }
        if has_boards && let Some((name, line)) = listed.get(self.line) {
            line_ui(ui, name, line, places);
        }
    }
}

/// Words and boards of the selected line.
fn line_ui(ui: &mut Ui, name: &str, line: &BestLine, places: usize) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        if ui.add(Button::new("Copy").name("Copy the line with its boards").small()).clicked() {
            ui.copy_text(lines::line_with_boards(line, places));
        }
        let title = if name == "Median" { "Median tiles".to_owned() } else { format!("Line {name}") };
        small_print(ui, format!("{title}: {}", lines::line_end(line, places)), theme.text2);
    });
    ScrollArea::horizontal().id_salt("line boards").auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
            for step in &line.steps {
                let what = match step.link {
                    Link::Slide(mv) => format!("{} {mv}", mv.arrow()),
                    Link::Spawn(spawn) => spawn.to_string(),
                };
                let value = words::decimals(step.value, places);
                ui.vertical(|ui| {
                    ui.set_width(BOARD);
                    ui.add(Label::new(RichText::new(&what).font(theme::medium()).color(theme.text1)).truncate());
                    mini_board(ui, &format!("{what}, value {value}"), BOARD, &step.board);
                    small_print(ui, value, theme.text2);
                });
            }
        });
    });
}

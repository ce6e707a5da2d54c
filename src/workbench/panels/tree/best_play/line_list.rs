//! The list of lines, and the boards of the selected one.

use egui::{Align, Align2, Color32, FontId, Label, Layout, RichText, Sense, Ui, pos2, vec2};

use super::{BestPlayPanel, Found, MoveLines, sentence};
use crate::prose::best_play;
use crate::search::{BestLine, LineOrder, Link, Tree};
use crate::table::Head;
use crate::words;
use crate::workbench::kit::{
    Button, DataCell, DataRows, DataTable, SCROLL_BAR, height_of, mini_board, reading_area,
    row_order, rule, scroll_across, small_print, width_for,
};
use crate::workbench::panels::tree::words::link_text;
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::paper::on_paper;
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 12.0;
/// Side of a board of the selected line, and the height of the boards below the table.
const BOARD: f32 = 64.0;
const BOARDS: f32 = BOARD + 2.0 * theme::SPACE_M + 56.0 + SCROLL_BAR;
/// Minimum height at which the boards stay below the list; in a lower panel they scroll with it.
const BOARDS_FROM: f32 = 230.0;
/// Minimum width of the moves and tiles next to the numbers of a line, in print.
const LEAST_WORDS: f32 = 120.0;

/// The line with the median tiles and then the first lines, each with its name.
fn listed(of_move: &MoveLines, order: LineOrder, is_by_chance: bool) -> Vec<(String, &BestLine)> {
    let middle = words::capitalised(best_play::middle_name(is_by_chance));
    let first = of_move.first[order as usize].iter().enumerate();
    let first = first.map(|(place, line)| ((place + 1).to_string(), line));
    of_move
        .median
        .iter()
        .map(|line| (middle.clone(), line))
        .chain(first)
        .collect()
}

/// The last recorded node of the line.
fn recorded(tree: &Tree, line: &BestLine) -> crate::search::NodeId {
    let links: Vec<Link> = line.steps.iter().map(|step| step.link).collect();
    (0..=links.len())
        .rev()
        .find_map(|end| tree.follow(&links[..end]))
        .unwrap_or(tree.root())
}

impl BestPlayPanel {
    pub(super) fn lines_ui(
        &mut self,
        ui: &mut Ui,
        shown: &Shown,
        found: &Found,
        inspection: &mut Inspection,
    ) {
        let Some(mv) = self.mv(shown, found) else {
            return;
        };
        let Some(of_move) = found.moves.iter().find(|of_move| of_move.mv == mv) else {
            return;
        };
        let listed = listed(of_move, self.order, found.play.is_by_chance());
        let value = found.play.value(mv);
        let places = best_play::places_of(value, listed.iter().map(|&(_, line)| line));
        let value = value
            .map(|value| words::decimals(value, places))
            .unwrap_or_default();
        let shown_lines = of_move.first[self.order as usize].len();
        let about = best_play::listed(shown_lines, of_move.count, self.order);
        sentence(ui, &format!("{} {mv}, value {value}: {about}", mv.arrow()));

        let clicked = if on_paper(ui) || BOARDS_FROM <= ui.available_height() {
            let clicked = self.list_ui(ui, &listed, places, BOARDS);
            self.selected_ui(ui, &listed, places);
            clicked
        } else {
            reading_area(ui, "lines", "Lines of best play and their boards", |ui| {
                let size = vec2(ui.available_width(), height_of(listed.len()));
                let clicked = ui
                    .allocate_ui(size, |ui| self.list_ui(ui, &listed, places, 0.0))
                    .inner;
                self.selected_ui(ui, &listed, places);
                clicked
            })
        };

        if let Some(at) = clicked {
            self.line = at;
            inspection.select(recorded(&shown.tree, listed[at].1));
        }
    }

    /// The list, with this much space left below; returns the clicked line.
    fn list_ui(
        &mut self,
        ui: &mut Ui,
        listed: &[(String, &BestLine)],
        places: usize,
        below: f32,
    ) -> Option<usize> {
        let data = best_play::lines_table(listed, places);
        if on_paper(ui) {
            let rows: Vec<&(String, &BestLine)> = row_order(&data, &self.by_line)
                .into_iter()
                .map(|at| &listed[at])
                .collect();
            rows_on_paper(ui, &rows, places);
            return None;
        }

        let look = DataRows {
            selected: Some(self.line),
            fits: true,
            below,
            ..DataRows::default()
        };
        let width = |ui: &Ui, column: usize, texts: &[Vec<String>]| match column {
            2 => width_for(ui, texts.iter().map(|cells| cells[2].clone()), 84.0),
            3 => 200.0,
            _ => 84.0,
        };
        let row_name = |at: usize, cells: &[String]| {
            format!(
                "{}: {}, {}",
                cells[0],
                cells[3],
                best_play::line_end(listed[at].1, places)
            )
        };
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            let label = cell.ui(ui, Theme::of(ui).text1);
            if cell.column == 2 {
                label.on_hover_text(listed[cell.row].1.end.text());
            }
        };
        let (id, name, sort) = ("lines", "Lines of best play", &mut self.by_line);
        let (table, mut clicked) = (
            DataTable {
                id,
                name,
                data: data.into(),
                sort,
                gap: GAP,
            },
            None,
        );
        table.show_rows(ui, look, width, row_name, cell_ui, |at, response| {
            if response.clicked() {
                clicked = Some(at);
            }
        });
        clicked
    }

    fn selected_ui(&self, ui: &mut Ui, listed: &[(String, &BestLine)], places: usize) {
        if let Some((name, line)) = listed.get(self.line) {
            line_ui(ui, name, line, places.max(best_play::places_along(line)));
        }
    }
}

/// Text and boards of the selected line.
fn line_ui(ui: &mut Ui, name: &str, line: &BestLine, places: usize) {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        if ui
            .add(
                Button::new("Copy")
                    .name("Copy the line with its boards")
                    .small(),
            )
            .clicked()
        {
            ui.copy_text(best_play::line_with_boards(line, places));
        }
        let title = match name {
            "Median" => "Median tiles".to_owned(),
            _ if name.parse::<usize>().is_ok() => format!("Line {name}"),
            _ => name.to_owned(),
        };
        small_print(
            ui,
            format!("{title}: {}", best_play::line_end(line, places)),
            theme.text2,
        );
    });

    let values = line
        .steps
        .iter()
        .map(|step| words::decimals(step.value, places));
    let width = width_for(ui, values, BOARD);
    let boards = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        for step in &line.steps {
            let what = match step.link {
                Link::Slide(mv) => format!("{} {mv}", mv.arrow()),
                Link::Spawn(spawn) => spawn.to_string(),
            };
            let value = words::decimals(step.value, places);
            let size = vec2(width, BOARD + 2.0 * theme::ROW);
            ui.allocate_ui_with_layout(size, Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                ui.add(
                    Label::new(
                        RichText::new(&what)
                            .font(theme::medium())
                            .color(theme.text1),
                    )
                    .truncate(),
                );
                mini_board(ui, &format!("{what}, value {value}"), BOARD, &step.board);
                small_print(ui, value, theme.text2);
            });
        }
    };

    if on_paper(ui) {
        ui.horizontal_wrapped(boards);
        return;
    }

    scroll_across(ui, "line boards", false, |ui| ui.horizontal_top(boards));
}

/// The list in print, where nothing scrolls: moves and tiles wrap, as symbols if text would take more than one line.
fn rows_on_paper(ui: &mut Ui, listed: &[&(String, &BestLine)], places: usize) {
    let theme = Theme::of(ui);
    let lines: Vec<(String, &BestLine)> = listed
        .iter()
        .map(|&(name, line)| (name.clone(), *line))
        .collect();
    let data = best_play::lines_table(&lines, places);
    let (titles, rows) = (
        data.heads.iter().map(Head::capitalised).collect::<Vec<_>>(),
        data.texts(),
    );

    let width_of = |text: &str, font: FontId| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), font, theme.text1)
            .size()
            .x
    };
    let widths = [0, 1, 2].map(|column| {
        let cells = rows.iter().map(|row| width_of(&row[column], theme::body()));
        cells.fold(width_of(&titles[column], theme::small()), f32::max)
    });
    let room = ui.available_width() - widths.iter().sum::<f32>() - 3.0 * GAP;
    let is_short = listed
        .iter()
        .all(|(_, line)| width_of(&best_play::line_words(line), theme::body()) <= room);
    let mut row_ui = |numbers: &[String], steps: String, font: FontId, color: Color32| {
        let width = ui.available_width();
        // Below the numbers if they do not fit next to them.
        let (left, above, room) = match LEAST_WORDS <= room {
            true => (width - room, 0.0, room),
            false => (0.0, theme::ROW, width),
        };
        let steps = ui.painter().layout(steps, font.clone(), color, room);
        let pad = (theme::ROW
            - ui.painter()
                .layout_no_wrap("0".to_owned(), font.clone(), color)
                .size()
                .y)
            / 2.0;
        let (rect, _) = ui.allocate_exact_size(
            vec2(width, above + steps.size().y + 2.0 * pad),
            Sense::hover(),
        );
        let mut right = rect.left();
        for (column, (text, width)) in numbers.iter().zip(widths).enumerate() {
            right += width;
            let (align, x) = if column == 0 {
                (Align2::LEFT_TOP, rect.left())
            } else {
                (Align2::RIGHT_TOP, right)
            };
            ui.painter()
                .text(pos2(x, rect.top() + pad), align, text, font.clone(), color);
            right += GAP;
        }
        ui.painter()
            .galley(rect.min + vec2(left, above + pad), steps, color);
        rule(ui, rect);
    };

    row_ui(&titles[..3], titles[3].clone(), theme::small(), theme.text2);
    for (row, (_, line)) in rows.iter().zip(listed) {
        let steps = if is_short {
            best_play::line_words(line)
        } else {
            signs(line)
        };
        row_ui(&row[..3], steps, theme::body(), theme.text1);
    }

    ui.add_space(theme::SPACE_M);
}

/// `↓ 2 r1c1 →`: a line breaks between steps only.
fn signs(line: &BestLine) -> String {
    let steps: Vec<String> = line
        .steps
        .iter()
        .map(|step| link_text(step.link).replace(' ', "\u{a0}"))
        .collect();
    steps.join(" ")
}

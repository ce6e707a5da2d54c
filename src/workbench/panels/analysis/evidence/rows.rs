//! The table of the rows: how often each was reached, decided, passed on a tie.

use egui::{Align2, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::data::{COLUMNS, Cells, Line, lines};
use crate::analysis::Evidence;
use crate::strategy::Strategy;
use crate::workbench::command::Commands;
use crate::workbench::icon::{self, Icon};
use crate::workbench::kit::{ListRow, elided, rule};
use crate::workbench::panels::builder::show_position;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Width of a column of numbers.
const COLUMN: f32 = 68.0;
/// Height of the bar.
const BAR: f32 = 20.0;

/// Draws bar and table; a click on a row puts a decision that it ended on the board.
pub(super) fn ui(ui: &mut Ui, strategy: &Strategy, evidence: &Evidence, commands: &mut Commands) {
    let lines = lines(strategy, evidence);
    bar(ui, &lines);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, 0.0);
    ScrollArea::vertical().id_salt("rows").auto_shrink(false).show(ui, |ui| {
        ui.set_max_width(ui.available_width().min(720.0));
        header(ui);
        for line in &lines {
            row(ui, line, commands);
        }
    });
}

/// Who decided, as one bar.
fn bar(ui: &mut Ui, lines: &[Line]) {
    let theme = Theme::of(ui);
    let width = ui.available_width().min(720.0);
    let (rect, _) = ui.allocate_exact_size(vec2(width, BAR), Sense::hover());
    let mut left = rect.left();
    for (index, line) in lines.iter().enumerate() {
        let right = left + rect.width() * line.decided as f32;
        let is_last = index + 1 == lines.len();
        let fill = if is_last {
            theme.bg4
        } else {
            theme.sequential(0.3 + 0.5 * index as f32 / (lines.len().max(3) - 2) as f32)
        };
        let part = Rect::from_x_y_ranges(left..=right, rect.y_range());
        left = right;
        if part.width() < 1.0 {
            continue;
        }
        ui.painter().rect_filled(part.with_max_x((part.right() - 1.0).max(part.left() + 1.0)), 2, fill);
        let words = format!("{} {:.0} %", line.name, 100.0 * line.decided);
        let ink = if is_last { theme.text1 } else { theme::text_on(fill) };
        let room = part.width() - 2.0 * theme::SPACE_S;
        if 28.0 <= room {
            let galley = elided(ui.painter(), &words, theme::small(), ink, room);
            let at = pos2(part.left() + theme::SPACE_S, part.center().y - galley.size().y / 2.0);
            ui.painter().galley(at, galley, ink);
        }
    }
    ui.add_space(theme::SPACE_S);
}

/// Right ends of the columns in a row, from the left.
fn columns(rect: Rect) -> [f32; 4] {
    std::array::from_fn(|column| rect.right() - theme::SPACE_S - COLUMN * (3 - column) as f32)
}

fn header(ui: &mut Ui) {
    let theme = Theme::of(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::ROW), Sense::hover());
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, "Row", theme::small(), theme.text3);
    for (right, (title, term)) in columns(rect).into_iter().zip(COLUMNS) {
        let cell = Rect::from_x_y_ranges(right - COLUMN..=right, rect.y_range());
        let response = ui.interact(cell, ui.scope_id().with(title), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, title));
        ui.painter().text(cell.right_center(), Align2::RIGHT_CENTER, title, theme::small(), theme.text3);
        terms::tip(response, term);
    }
    rule(ui, rect);
}

fn row(ui: &mut Ui, line: &Line, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let (spoken, mut is_cut) = (line.spoken(), false);
    let row = ListRow::new(&spoken).pad(theme::SPACE_S);
    let row = if line.example.is_some() { row } else { row.inert() };
    let response = row.show(ui, |cells, response| {
        let right = columns(response.rect);
        let painter = cells.painter.clone();
        let number = |at: usize, text: &str, color| {
            painter.text(pos2(right[at], cells.y), Align2::RIGHT_CENTER, text, theme::body(), color)
        };
        let mut color = theme.text2;
        match &line.cells {
            Cells::Off => drop(number(3, "off", theme.text3)),
            Cells::Never => {
                color = theme.text1;
                let words = number(3, "never reached", theme.warn);
                let at = pos2(words.left() - theme::SPACE_S - icon::SIDE / 2.0, cells.y);
                Icon::Warning.paint(&painter, at, theme.warn);
            }
            Cells::Counted(counted) => {
                color = theme.text1;
                for (at, cell) in counted.iter().enumerate() {
                    number(at, cell, if at == 1 { theme.text1 } else { theme.text2 });
                }
            }
            Cells::LastResort(share) => drop(number(1, share, theme.text1)),
        }
        cells.right = right[0] - COLUMN - theme::SPACE_S;
        is_cut = cells.start(&line.name, theme::body(), color).is_cut;
    });
    rule(ui, response.rect);
    let mut about = line.about.clone();
    if is_cut {
        about.insert(0, line.name.clone());
    }
    if let Some(position) = &line.example {
        about.push("Click to see the first decision that it ended".to_owned());
        if response.clicked() {
            show_position(position.board, position.score, format!("a decision of row {}", line.name), commands);
        }
    }
    response.on_hover_text(about.join("\n"));
}

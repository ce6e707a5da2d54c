//! The table of one board: one row per value.

use egui::Ui;

use super::work::VariedSetting;
use crate::analysis::Response;
use crate::game::Move;
use crate::table::Table;
use crate::words;
use crate::workbench::kit::{DataCell, DataRows, DataTable, Sort, width_for};
use crate::workbench::theme::{self, Theme};

pub(super) const GAP: f32 = 12.0;
/// Minimum width of the values of a move.
const LEAST: f32 = 68.0;

/// Width of the column of values, with a setting's name as its title.
pub(super) fn value_width(name: &str) -> f32 {
    if name.len() < 9 { 64.0 } else { 116.0 }
}

/// Width of a column of the decisions at each value of a setting with this name.
pub(super) fn step_width(ui: &Ui, name: &str, column: usize, texts: &[Vec<String>]) -> f32 {
    match column {
        0 => value_width(name),
        1 => 104.0,
        _ => width_for(ui, texts.iter().map(|cells| cells[column].clone()), LEAST),
    }
}

/// The columns that people see of these decisions.
pub(super) fn steps_ui(
    ui: &mut Ui,
    response: &Response,
    data: &Table,
    varied: &VariedSetting<'_>,
    sort: &mut Sort<usize>,
    chosen: &mut Option<f64>,
    below: f32,
) {
    let setting = &varied.setting.name;
    let look = DataRows {
        selected: response
            .steps
            .iter()
            .position(|step| *chosen == Some(step.value)),
        fits: true,
        below,
        ..DataRows::default()
    };
    let row_name = |at: usize, cells: &[String]| {
        let name = format!("{setting} {}: {}", cells[0], cells[1]);
        if response.steps[at].is_reached {
            name
        } else {
            format!("{name}, not reached")
        }
    };
    let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
        let (theme, step, key) = (
            Theme::of(ui),
            &response.steps[cell.row],
            &data.heads[cell.column].key,
        );
        let mv = Move::ALL.into_iter().find(|mv| mv.name() == key);
        let is_best = mv.is_some_and(|mv| step.choice().contains(mv));
        let is_strong = step.is_reached && (is_best || key == "played");
        let font = if is_strong {
            theme::strong()
        } else {
            theme::body()
        };
        let color = match () {
            () if !step.is_reached && key == "plies_searched" => theme.warn,
            () if mv.is_some() && !is_best || !step.is_reached => theme.text2,
            () => theme.text1,
        };
        let label = cell.ui_in(ui, font, color);
        if let Some(value) = mv.and_then(|mv| step.values()[mv]) {
            label.on_hover_text(words::exact(value));
        }
    };

    let (id, name, data) = ("steps", "Decisions at each value", data.clone());
    let table = DataTable {
        id,
        name,
        data: data.into(),
        sort,
        gap: GAP,
    };
    let width = |ui: &Ui, column, texts: &[Vec<String>]| step_width(ui, setting, column, texts);
    table.show_rows(ui, look, width, row_name, cell_ui, |row, clicked| {
        if clicked.clicked() {
            *chosen = Some(response.steps[row].value);
        }
    });
}

//! The table of one board: one row per value.

use egui::{Label, RichText, Ui};

use super::work::Asked;
use crate::analysis::{Response, Step};
use crate::files::csv_text;
use crate::game::Move;
use crate::search::NodeKind;
use crate::words;
use crate::workbench::kit::{Sort, Table, TableColumn, width_for};
use crate::workbench::theme::{self, Theme};

pub(super) const GAP: f32 = 12.0;
/// Minimum width of the values of a move.
const LEAST: f32 = 68.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepColumn {
    Value,
    Choice,
    Of(Move),
    Plies,
    Nodes,
    Cached,
    Time,
}

/// Width of the column of values, with a setting's name as its title.
pub(super) fn value_width(name: &str) -> f32 {
    if name.len() < 9 { 64.0 } else { 116.0 }
}

/// The columns; each move comes with the width of its values.
fn step_columns(name: &str, moves: &[(Move, f32)], searches: bool) -> Vec<TableColumn<StepColumn>> {
    let number = |key, title: &str, about, width| TableColumn::numbers(key, title, about, width).rising();
    let about = "The value of the varied setting";
    let mut columns = vec![
        number(StepColumn::Value, name, about, value_width(name)),
        TableColumn::words(StepColumn::Choice, "Move", "The move, or the moves the last resort draws from", 104.0),
    ];

    let value = "The value that the row gave the move; ≥ and ≤ mark bounds, – means that it was not evaluated";
    let of_move =
        |&(mv, width): &(Move, f32)| number(StepColumn::Of(mv), &format!("{} {mv}", mv.arrow()), value, width);
    columns.extend(moves.iter().map(of_move));
    let looked = "The number of plies searched, and whether a limit ended the search early";
    let numbers = [
        number(StepColumn::Plies, "Depth", looked, 68.0),
        number(StepColumn::Nodes, "Nodes", "Nodes searched, including shallower depths", 76.0),
        number(StepColumn::Time, "Time", "Time of the decision on one core at the current load", 72.0),
        number(StepColumn::Cached, "Cached", "Nodes answered by the transposition table", 76.0),
    ];
    columns.extend(numbers.into_iter().filter(|_| searches));
    columns
}

fn number(step: &Step, by: StepColumn) -> Option<f64> {
    let searched = step.searched();
    match by {
        StepColumn::Value => Some(step.value),
        StepColumn::Choice => step.choice().first().map(|mv| mv.index() as f64),
        StepColumn::Of(mv) => step.values()[mv],
        StepColumn::Plies => searched.map(|searched| f64::from(searched.plies)),
        StepColumn::Nodes => searched.map(|searched| searched.nodes as f64),
        StepColumn::Cached => searched.map(|searched| searched.counts.of(NodeKind::Cached) as f64),
        StepColumn::Time => searched.map(|searched| searched.elapsed.as_secs_f64()),
    }
}

/// Number of decimals that distinguish the values of the moves.
pub(super) fn places(response: &Response) -> usize {
    words::places(response.steps.iter().flat_map(|step| Move::ALL.map(|mv| step.values()[mv])).flatten())
}

/// The value of a move at a step; a bound has its sign.
fn value_text(step: &Step, mv: Move, places: usize) -> Option<String> {
    let value = words::decimals(step.values()[mv]?, places);
    Some(format!("{}{value}", step.decision.bound(step.row, mv).sign()))
}

/// The columns of the decisions at each value.
pub(super) fn columns_of(ui: &Ui, response: &Response, name: &str) -> Vec<TableColumn<StepColumn>> {
    let (places, steps) = (places(response), &response.steps);
    // A move without any value has no column.
    let of_move = |mv: Move| {
        let texts: Vec<String> = steps.iter().filter_map(|step| value_text(step, mv, places)).collect();
        (!texts.is_empty()).then(|| (mv, width_for(ui, texts, LEAST)))
    };
    let moves: Vec<(Move, f32)> = Move::ALL.into_iter().filter_map(of_move).collect();
    step_columns(name, &moves, steps.iter().any(|step| step.searched().is_some()))
}

pub(super) fn steps_ui(
    ui: &mut Ui,
    (response, columns): (&Response, &[TableColumn<StepColumn>]),
    asked: &Asked<'_>,
    (sort, chosen): (&mut Sort<StepColumn>, &mut Option<f64>),
    below: f32,
) {
    let places = places(response);
    let mut order: Vec<usize> = (0..response.steps.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&response.steps[a], &response.steps[b]);
        sort.order(|key| key.compare(number(a, key.by), number(b, key.by)))
    });

    let text = |at: usize, by: StepColumn| {
        let step = &response.steps[at];
        let whole = |by| number(step, by).map(|number| words::decimals(number, 0));
        let text = match by {
            StepColumn::Value => Some(words::exact(step.value)),
            StepColumn::Choice => {
                let moves: Vec<String> = step.choice().iter().map(|mv| mv.to_string()).collect();
                Some(format!("{}{}", moves.join(" or "), if response.changes_at(at) { ", new" } else { "" }))
            }
            StepColumn::Plies if !step.is_reached => whole(by).map(|plies| format!("{plies}, limit")),
            StepColumn::Of(mv) => value_text(step, mv, places),
            StepColumn::Plies | StepColumn::Nodes | StepColumn::Cached => whole(by),
            StepColumn::Time => number(step, by).map(words::short_time),
        };
        text.unwrap_or_else(|| "–".to_owned())
    };

    let (id, name) = ("steps", "Decisions at each value");
    let table = Table { id, name, columns, sort, gap: GAP, below, fits: true };
    table.show(ui, order.len(), |row| {
        let at = order[row.index()];
        let step = &response.steps[at];
        let name = format!("{} {}: {}", asked.setting.name, words::exact(step.value), text(at, StepColumn::Choice));
        let name = if step.is_reached { name } else { format!("{name}, not reached") };
        let response = row.show(&name, *chosen == Some(step.value), |ui, column| {
            let theme = Theme::of(ui);
            let is_best = matches!(column, StepColumn::Of(mv) if step.choice().contains(mv));
            let is_strong = step.is_reached && (is_best || column == StepColumn::Choice);
            let font = if is_strong { theme::strong() } else { theme::body() };
            let color = match column {
                StepColumn::Plies if !step.is_reached => theme.warn,
                StepColumn::Of(_) if !is_best => theme.text2,
                _ if !step.is_reached => theme.text2,
                _ => theme.text1,
            };
            let label = ui.add(Label::new(RichText::new(text(at, column)).font(font).color(color)).truncate());
            if let StepColumn::Of(mv) = column
                && let Some(value) = step.values()[mv]
            {
                label.on_hover_text(words::exact(value));
            }
        });

        if response.clicked() {
            *chosen = Some(step.value);
        }
    });
}

/// All columns with all digits. Blanks separate moves that may be played.
pub(super) fn steps_csv(response: &Response, name: &str) -> String {
    let head = [name, "move", "reached", "changes"].into_iter().chain(Move::ALL.map(Move::name));
    let bounds = Move::ALL.map(|mv| format!("{}_bound", mv.name()));
    let numbers = ["plies_searched", "nodes", "cached", "seconds"];
    let head: Vec<String> = head.map(str::to_owned).chain(bounds).chain(numbers.map(str::to_owned)).collect();

    let row = |(at, step): (usize, &Step)| {
        let moves: Vec<&str> = step.choice().iter().map(Move::name).collect();
        let is = [step.is_reached, response.changes_at(at)].map(|is| is.to_string());
        let first = [step.value.to_string(), moves.join(" ")].into_iter().chain(is);
        let values = step.values();
        let of = |text: &dyn Fn(Move, f64) -> String| {
            Move::ALL.map(|mv| values[mv].map_or_else(String::new, |value| text(mv, value)))
        };
        let bound = |mv: Move, _: f64| step.decision.bound(step.row, mv).name().to_owned();
        let numbers = step.searched().map_or_else(Default::default, |searched| {
            let cached = searched.counts.of(NodeKind::Cached).to_string();
            let seconds = searched.elapsed.as_secs_f64().to_string();
            [searched.plies.to_string(), searched.nodes.to_string(), cached, seconds]
        });
        let values = of(&|_, value| value.to_string());
        first.chain(values).chain(of(&bound)).chain(numbers).collect()
    };

    csv_text(std::iter::once(head).chain(response.steps.iter().enumerate().map(row)))
}

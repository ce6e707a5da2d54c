//! The decisions on the pinned positions: how often moves change, and on which positions.

use std::sync::Arc;

use egui::{Label, RichText, Ui};

use super::rows::{GAP, value_width};
use super::work::{Pinned, VariedSetting};
use super::{CURVES, CURVES_FROM, curves_ui};
use crate::analysis::{Changes, Response};
use crate::game::Move;
use crate::prose::{LIMITED_SHARES, changes_table, response_sentence};
use crate::table::{Cell, Column, Digits, Formats, Head, Table as Data};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{
    Button, DataCell, DataRows, DataTable, Sort, copy_button, csv_of, segmented, width_for,
};
use crate::workbench::panels::builder::show_position;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Title of the column with the kinds of positions.
const GROUP: &str = "Position";
/// Minimum width of a column with the move at a value.
const LEAST: f32 = 34.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Listed {
    #[default]
    Shares,
    Positions,
}

/// The two tables, and the index of the chosen position, from 0.
#[derive(Debug)]
pub(super) struct PinnedTables {
    by_change: Sort<usize>,
    by_board: Sort<usize>,
    chosen: Option<usize>,
    listed: Listed,
}

impl Default for PinnedTables {
    fn default() -> Self {
        Self {
            by_change: Sort::new(0, false),
            by_board: Sort::new(0, false),
            chosen: None,
            listed: Listed::default(),
        }
    }
}

impl PinnedTables {
    /// Sorts rows by value, as typed.
    pub(super) fn sort(&mut self, falls: bool) {
        self.by_change = Sort::new(0, falls);
        self.by_board = Sort::new(0, false);
    }

    /// Draws the panel; true if the user resumes stopped work.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        pinned: &Pinned,
        is_busy: bool,
        varied: &VariedSetting<'_>,
        doc: &Document,
        commands: &mut Commands,
    ) -> bool {
        let goes_on = self.head(ui, pinned, varied, is_busy);
        if self.listed == Listed::Shares {
            changes_ui(ui, &pinned.changes, varied, &mut self.by_change);
            return goes_on;
        }
        let chosen = self
            .chosen
            .and_then(|at| Some((at, &**pinned.responses.get(at)?)));
        let draws = chosen.is_some() && CURVES_FROM <= ui.available_height();
        let foot = if chosen.is_some() {
            theme::CONTROL + theme::SPACE_M
        } else {
            0.0
        };
        let below = foot + if draws { CURVES + theme::SPACE_M } else { 0.0 };
        self.boards_ui(ui, pinned, varied, doc, below);
        let Some((at, response)) = chosen else {
            return goes_on;
        };
        if draws {
            curves_ui(ui, CURVES, response, varied);
        }

        ui.horizontal(|ui| {
            if Button::new("Put on the board")
                .show(ui, Ok("Show its search"))
                .clicked()
                && let Some(pin) = doc.pins().positions.get(at)
            {
                let title = format!("pinned position {}, {}", at + 1, pin.group.name());
                show_position(pin.board, pin.score, title, commands);
            }
            let sentence = response_sentence(response, &varied.setting.name);
            let text =
                RichText::new(format!("No. {}: {sentence}", at + 1)).color(Theme::of(ui).text1);
            ui.add(Label::new(text).truncate());
        });

        goes_on
    }

    /// The number of decided positions; true if the user resumes stopped work.
    fn head(
        &mut self,
        ui: &mut Ui,
        pinned: &Pinned,
        varied: &VariedSetting<'_>,
        is_busy: bool,
    ) -> bool {
        let Pinned {
            changes,
            responses,
            all,
        } = pinned;
        let is_left = responses.len() < *all;
        let [tried, all] = [responses.len(), *all].map(|count| words::count(count as u64));
        let boards = words::plural(changes.boards, "position");
        let left = if is_left {
            format!("; {tried} of {all} tried")
        } else {
            String::new()
        };

        let limited = if changes.is_limited() {
            format!("; {LIMITED_SHARES}")
        } else {
            String::new()
        };
        let text = format!("{boards} with two or more moves, of {all} pinned{left}{limited}");
        let shown = ui.horizontal_wrapped(|ui| {
            let choices = [(Listed::Shares, "Shares"), (Listed::Positions, "Positions")];
            segmented(ui, "What is listed", &mut self.listed, &choices);
            match self.listed {
                Listed::Shares => copy_button(ui, "Copy CSV", "the shares", || {
                    csv_of(changes_table(changes, &varied.values, &varied.setting.name))
                }),
                Listed::Positions => copy_button(
                    ui,
                    "Copy CSV",
                    "the move of each position at each value",
                    || csv_of(moves_table(responses, varied, |_| None)),
                ),
            }
            ui.label(RichText::new(text).color(Theme::of(ui).text2));
            is_left
                && !is_busy
                && ui
                    .add(Button::new("Resume").name("Resume deciding").small())
                    .clicked()
        });
        shown.inner
    }

    /// One row per position: its move at each value, and the value from which the move stays the same.
    fn boards_ui(
        &mut self,
        ui: &mut Ui,
        pinned: &Pinned,
        varied: &VariedSetting<'_>,
        doc: &Document,
        below: f32,
    ) {
        let (responses, pins) = (&pinned.responses, doc.pins());
        let group = |at: usize| pins.positions.get(at).map(|pin| pin.group.name());
        let data = moves_table(responses, varied, group).only(Formats::REPORT);
        let titles: Vec<String> = data.heads.iter().map(Head::capitalised).collect();
        let width = |ui: &Ui, column: usize, texts: &[Vec<String>]| {
            let least = if titles[column] == GROUP { 88.0 } else { LEAST };
            width_for(
                ui,
                texts
                    .iter()
                    .map(|cells| cells[column].clone())
                    .chain([titles[column].clone()]),
                least,
            )
        };
        let row_name = |_, cells: &[String]| {
            let parts = titles
                .iter()
                .zip(cells)
                .map(|(title, cell)| format!("{title} {cell}"));
            parts.collect::<Vec<_>>().join(", ")
        };
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            let theme = Theme::of(ui);
            // The columns of the values follow the number and the group.
            let value = cell
                .column
                .checked_sub(2)
                .filter(|value| *value < varied.values.len());
            let is_new = value.is_some_and(|value| responses[cell.row].changes_at(value));
            let font = if is_new {
                theme::strong()
            } else {
                theme::body()
            };
            let color = if is_new || cell.column + 1 == titles.len() {
                theme.text1
            } else {
                theme.text2
            };
            cell.ui_in(ui, font, color);
        };

        let (id, name, sort) = (
            "boards",
            "The move of each position at each value",
            &mut self.by_board,
        );
        let look = DataRows {
            selected: self.chosen,
            fits: true,
            below,
            ..DataRows::default()
        };
        let (table, mut chosen) = (
            DataTable {
                id,
                name,
                data: data.into(),
                sort,
                gap: GAP,
            },
            self.chosen,
        );
        table.show_rows(ui, look, width, row_name, cell_ui, |row, response| {
            if response.clicked() {
                chosen = (chosen != Some(row)).then_some(row);
            }
        });

        self.chosen = chosen;
    }
}

fn changes_ui(ui: &mut Ui, changes: &Changes, varied: &VariedSetting<'_>, sort: &mut Sort<usize>) {
    let setting = &varied.setting.name;
    let data = changes_table(changes, &varied.values, setting);
    let width = ((ui.available_width() - 116.0) / 2.0 - GAP).clamp(96.0, 200.0);
    let table = DataTable {
        id: "changes",
        name: "Positions whose move changes",
        data: data.into(),
        sort,
        gap: GAP,
    };
    table.show(
        ui,
        |_, column, _| if column == 0 { value_width(setting) } else { width },
        |_, cells| match cells {
            [value, changed, stable] => format!("{setting} {value}: changes {changed}, stays {stable}"),
            [value, changed, changed_of, stable, stable_of] => {
                format!("{setting} {value}: changes {changed} of {changed_of}, stays {stable} of {stable_of}")
            }
            _ => cells.join(", "),
        },
    );
}

fn stable_from(response: &Response, varied: &VariedSetting<'_>) -> Option<f64> {
    varied.values.get(response.stable_from()?).copied()
}

/// One row per position. In CSV blanks separate moves that may be played. A move is missing where a limit ended the
/// search early.
fn moves_table(
    responses: &[Arc<Response>],
    varied: &VariedSetting<'_>,
    group: impl Fn(usize) -> Option<&'static str>,
) -> Data {
    type Row<'a> = (usize, &'a Arc<Response>);
    let mut columns = vec![
        Column::whole(
            "number",
            "No.",
            "The number of the position in its set",
            |(at, _): &Row<'_>| at + 1,
        )
        .named(),
        Column::text("board", "", "The board", |(_, response): &Row<'_>| {
            response
                .steps
                .first()
                .map(|step| step.decision.board.to_string())
        })
        .only(Formats::CSV),
        Column::text(
            "group",
            GROUP,
            "The kind of position",
            |(at, _): &Row<'_>| group(*at),
        )
        .only(Formats::PEOPLE),
    ];

    let about = "The move at this value, bold where it differs from the previous one; – where a limit ended the search early";
    columns.extend(varied.values.iter().enumerate().map(|(at, value)| {
        let key = format!("{} {value}", varied.setting.name);
        Column::text(
            key,
            words::exact(*value),
            about,
            move |(_, response): &Row<'_>| {
                let choice = response
                    .steps
                    .get(at)
                    .filter(|step| step.is_reached)?
                    .choice();
                let names: Vec<&str> = choice.iter().map(Move::name).collect();
                Some(Cell::shown(
                    choice.iter().map(Move::arrow).collect::<String>(),
                    names.join(" "),
                ))
            },
        )
    }));
    let about = "The first value from which the move stays the same; – where the moves at the last two values differ";
    columns.push(
        Column::number(
            "same_from",
            "same from",
            about,
            |(_, response): &Row<'_>| stable_from(response, varied),
        )
        .digits(Digits::Exact),
    );
    Data::of(&columns, responses.iter().enumerate())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Share, Varied};
    use crate::game::Rules;
    use crate::preset::PositionSet;
    use crate::search::SearchOptions;
    use crate::strategy::{SharedStrategy, Strategy};

    #[test]
    fn the_rows_of_the_positions_say_what_the_shares_count() {
        let text =
            "(criteria: [(evaluator: Corner, lookahead: Expectimax(plies: Fixed(2), nodes: 300))])";
        let strategy = SharedStrategy::from(text.parse::<Strategy>().expect("a strategy"));
        let setting = strategy.setting("plies").expect("a depth");
        let (values, rules) = (vec![1.0, 2.0, 3.0, 4.0], Rules::default());
        let varied = Varied::new(&strategy, &setting.path, &values, rules).expect("depths");
        let varied_setting = VariedSetting {
            strategy: &strategy,
            setting: &setting,
            values,
        };
        let mut pinned = Pinned::default();
        for pin in &PositionSet::shipped().positions {
            let found = varied.respond(
                rules,
                (&pin.board, pin.score),
                |_| 0,
                SearchOptions::default(),
                |_| {},
            );
            pinned.changes.take(&found, varied_setting.values.len());
            pinned.responses.push(found.into());
        }

        assert!(pinned.changes.is_limited());
        let csv = csv_of(moves_table(&pinned.responses, &varied_setting, |_| None));
        // Reversed, because boards contain commas: same_from, then plies 4 to 1.
        let rows: Vec<Vec<&str>> = csv
            .lines()
            .skip(1)
            .map(|line| line.split(',').rev().collect())
            .collect();
        assert_eq!(rows.len() as u64, pinned.changes.boards);
        let moves = |row: &[&str], at: usize| -> Vec<String> {
            row[varied_setting.values.len() - at]
                .split_whitespace()
                .map(str::to_owned)
                .collect()
        };
        for at in 1..varied_setting.values.len() {
            let both = rows
                .iter()
                .map(|row| [moves(row, at - 1), moves(row, at)])
                .filter(|two: &[Vec<String>; 2]| two.iter().all(|moves| !moves.is_empty()));
            let [mut n, mut same] = [0, 0];
            for [before, after] in both {
                n += 1;
                same += u64::from(!after.iter().any(|mv| before.contains(mv)));
            }
            assert_eq!(pinned.changes.share_changed(at), Share { same, n }, "{at}");
        }

        let strong = |at: usize| {
            pinned
                .responses
                .iter()
                .filter(|one| one.changes_at(at))
                .count()
        };
        assert!(0 < strong(1) && 0 < rows.iter().filter(|row| row[0].is_empty()).count());
    }
}

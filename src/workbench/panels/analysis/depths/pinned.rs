//! The decisions on the pinned positions: how often moves change, and on which positions.

use std::sync::Arc;

use egui::{Label, RichText, Ui};

use super::rows::{GAP, value_width};
use super::work::{Asked, Pinned};
use super::{CURVES, CURVES_FROM, curves_ui};
use crate::analysis::{Changes, Response};
use crate::files::csv_text;
use crate::game::Move;
use crate::prose::{LIMITED_SHARES, changes_table, response_sentence};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, DataTable, Sort, Table, TableColumn, copy_button, csv_of, segmented, width_for};
use crate::workbench::panels::builder::show_position;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

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
    by_board: Sort<BoardColumn>,
    chosen: Option<usize>,
    listed: Listed,
}

impl Default for PinnedTables {
    fn default() -> Self {
        Self {
            by_change: Sort::new(0, false),
            by_board: Sort::new(BoardColumn::Number, false),
            chosen: None,
            listed: Listed::default(),
        }
    }
}

impl PinnedTables {
    /// Sorts rows by value, as typed.
    pub(super) fn sort(&mut self, falls: bool) {
        self.by_change = Sort::new(0, falls);
        self.by_board = Sort::new(BoardColumn::Number, false);
    }

    /// Draws the panel; true if the user resumes stopped work.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        (pinned, is_busy): (&Pinned, bool),
        asked: &Asked<'_>,
        doc: &Document,
        commands: &mut Commands,
    ) -> bool {
        let goes_on = self.head(ui, pinned, asked, is_busy);
        if self.listed == Listed::Shares {
            changes_ui(ui, &pinned.changes, asked, &mut self.by_change);
            return goes_on;
        }
        let chosen = self.chosen.and_then(|at| Some((at, &**pinned.responses.get(at)?)));
        let draws = chosen.is_some() && CURVES_FROM <= ui.available_height();
        let foot = if chosen.is_some() { theme::CONTROL + theme::SPACE_M } else { 0.0 };
        let below = foot + if draws { CURVES + theme::SPACE_M } else { 0.0 };
        self.boards_ui(ui, pinned, asked, (doc, below));
        let Some((at, response)) = chosen else { return goes_on };
        if draws {
            curves_ui(ui, CURVES, response, asked);
        }

        ui.horizontal(|ui| {
            if Button::new("Put on the board").show(ui, Ok("Show its search")).clicked()
                && let Some(pin) = doc.pins().positions.get(at)
            {
                let title = format!("pinned position {}, {}", at + 1, pin.group.name());
                show_position(pin.board, pin.score, title, commands);
            }
            let sentence = response_sentence(response, &asked.setting.name);
            let text = RichText::new(format!("No. {}: {sentence}", at + 1)).color(Theme::of(ui).text1);
            ui.add(Label::new(text).truncate());
        });

        goes_on
    }

    /// The number of decided positions; true if the user resumes stopped work.
    fn head(&mut self, ui: &mut Ui, pinned: &Pinned, asked: &Asked<'_>, is_busy: bool) -> bool {
        let Pinned { changes, responses, of } = pinned;
        let is_left = responses.len() < *of;
        let [tried, of] = [responses.len(), *of].map(|count| words::count(count as u64));
        let boards = words::plural(changes.boards, "position");
        let left = if is_left { format!("; {tried} of {of} tried") } else { String::new() };

        let limited = if changes.is_limited() { format!("; {LIMITED_SHARES}") } else { String::new() };
        let text = format!("{boards} with two or more moves, of {of} pinned{left}{limited}");
        let shown = ui.horizontal_wrapped(|ui| {
            let choices = [(Listed::Shares, "Shares"), (Listed::Positions, "Positions")];
            segmented(ui, "What is listed", &mut self.listed, &choices);
            match self.listed {
                Listed::Shares => copy_button(ui, "Copy CSV", "the shares", || {
                    csv_of(changes_table(changes, &asked.values, &asked.setting.name))
                }),
                Listed::Positions => copy_button(ui, "Copy CSV", "the move of each position at each value", || {
                    moves_csv(responses, asked)
                }),
            }
            ui.label(RichText::new(text).color(Theme::of(ui).text2));
            is_left && !is_busy && ui.add(Button::new("Resume").name("Resume deciding").small()).clicked()
        });
        shown.inner
    }

    /// One row per position: its move at each value, and the value from which the move stays the same.
    fn boards_ui(&mut self, ui: &mut Ui, pinned: &Pinned, asked: &Asked<'_>, (doc, below): (&Document, f32)) {
        let (responses, pins) = (&pinned.responses, doc.pins());
        let columns = board_columns(ui, responses, asked);
        let group = |at: usize| pins.positions.get(at).map(|pin| pin.group);
        let number = |at: usize, by: BoardColumn| match by {
            BoardColumn::Number => Some(at as f64),
            BoardColumn::Group => group(at).map(|group| f64::from(group as u8)),
            BoardColumn::At(value) => first_move(&responses[at], value).map(|mv| mv.index() as f64),
            BoardColumn::From => stable_from(&responses[at], asked),
        };

        let mut order: Vec<usize> = (0..responses.len()).collect();
        order.sort_by(|&a, &b| self.by_board.order(|key| key.compare(number(a, key.by), number(b, key.by))));
        let text = |at: usize, by: BoardColumn| match by {
            BoardColumn::Number => words::count(at as u64 + 1),
            BoardColumn::Group => group(at).map(|group| group.name().to_owned()).unwrap_or_default(),
            BoardColumn::At(value) => moves_text(&responses[at], value),
            BoardColumn::From => stable_from(&responses[at], asked).map_or_else(|| "–".to_owned(), words::exact),
        };

        let (id, name, sort) = ("boards", "The move of each position at each value", &mut self.by_board);
        let (mut chosen, table) =
            (self.chosen, Table { id, name, columns: &columns, sort, gap: GAP, below, fits: true });
        table.show(ui, order.len(), |row| {
            let at = order[row.index()];
            let told = |column: &TableColumn<BoardColumn>| format!("{} {}", column.title, text(at, column.key));
            let name = columns.iter().map(told).collect::<Vec<_>>().join(", ");
            let response = row.show(&name, chosen == Some(at), |ui, column| {
                let theme = Theme::of(ui);
                let is_new = matches!(column, BoardColumn::At(value) if responses[at].changes_at(value));
                let (font, color) = match column {
                    _ if is_new => (theme::strong(), theme.text1),
                    BoardColumn::From => (theme::body(), theme.text1),
                    _ => (theme::body(), theme.text2),
                };
                ui.add(Label::new(RichText::new(text(at, column)).font(font).color(color)).truncate());
            });
            if response.clicked() {
                chosen = (chosen != Some(at)).then_some(at);
            }
        });

        self.chosen = chosen;
    }
}

fn changes_ui(ui: &mut Ui, changes: &Changes, asked: &Asked<'_>, sort: &mut Sort<usize>) {
    let setting = &asked.setting.name;
    let data = changes_table(changes, &asked.values, setting);
    let width = ((ui.available_width() - 116.0) / 2.0 - GAP).clamp(96.0, 200.0);
    let table = DataTable { id: "changes", name: "Positions whose move changes", data, sort, gap: GAP };
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardColumn {
    Number,
    Group,
    /// The index of a value.
    At(usize),
    From,
}

fn board_columns(ui: &Ui, responses: &[Arc<Response>], asked: &Asked<'_>) -> Vec<TableColumn<BoardColumn>> {
    let about =
        "The move at this value, bold where it differs from the previous one; – where a limit ended the search early";
    let from = "The first value from which the move stays the same; – where the moves at the last two values differ";
    let numbers = |key, title: String, about, least| {
        let moves = responses.iter().filter_map(|response| match key {
            BoardColumn::At(value) => Some(moves_text(response, value)),
            _ => None,
        });
        let width = width_for(ui, moves.chain([title.clone()]), least);
        TableColumn::numbers(key, title, about, width).rising()
    };
    let mut columns = vec![
        numbers(BoardColumn::Number, "No.".to_owned(), "The number of the position in its set", LEAST),
        TableColumn::words(BoardColumn::Group, "Position", "The kind of position", 88.0),
    ];

    let values = asked.values.iter().enumerate();
    columns.extend(values.map(|(at, value)| numbers(BoardColumn::At(at), words::exact(*value), about, LEAST)));
    columns.push(numbers(BoardColumn::From, "Same from".to_owned(), from, 84.0));
    columns
}

fn first_move(response: &Response, at: usize) -> Option<Move> {
    response.steps.get(at).filter(|step| step.is_reached)?.choice().first()
}

fn moves_text(response: &Response, at: usize) -> String {
    match response.steps.get(at).filter(|step| step.is_reached) {
        Some(step) => step.choice().iter().map(Move::arrow).collect(),
        None => "–".to_owned(),
    }
}

fn stable_from(response: &Response, asked: &Asked<'_>) -> Option<f64> {
    asked.values.get(response.stable_from()?).copied()
}

/// One row per position. Blanks separate moves that may be played; a cell is empty where a limit ended the search
/// early.
fn moves_csv(responses: &[Arc<Response>], asked: &Asked<'_>) -> String {
    let values = asked.values.iter().map(|value| format!("{} {value}", asked.setting.name));
    let head: Vec<String> =
        ["number", "board"].map(str::to_owned).into_iter().chain(values).chain(["same_from".to_owned()]).collect();
    let row = |(at, response): (usize, &Arc<Response>)| {
        let board = response.steps.first().map(|step| step.decision.board.to_string()).unwrap_or_default();
        let moves = response.steps.iter().map(|step| {
            let moves: Vec<&str> = step.choice().iter().map(Move::name).collect();
            if step.is_reached { moves.join(" ") } else { String::new() }
        });
        let from = stable_from(response, asked).map(|from| from.to_string()).unwrap_or_default();
        [(at + 1).to_string(), board].into_iter().chain(moves).chain([from]).collect()
    };
    csv_text(std::iter::once(head).chain(responses.iter().enumerate().map(row)))
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
        let text = "(criteria: [(evaluator: Corner, lookahead: Expectimax(plies: Fixed(2), nodes: 300))])";
        let strategy = SharedStrategy::from(text.parse::<Strategy>().expect("a strategy"));
        let setting = strategy.setting("plies").expect("a depth");
        let (values, rules) = (vec![1.0, 2.0, 3.0, 4.0], Rules::default());
        let varied = Varied::new(&strategy, &setting.path, &values, rules).expect("depths");
        let asked = Asked { strategy: &strategy, setting: &setting, values };
        let mut pinned = Pinned::default();
        for pin in &PositionSet::shipped().positions {
            let found = varied.respond(rules, (&pin.board, pin.score), |_| 0, SearchOptions::default(), |_| {});
            pinned.changes.take(&found, asked.values.len());
            pinned.responses.push(found.into());
        }

        assert!(pinned.changes.is_limited());
        let csv = moves_csv(&pinned.responses, &asked);
        // Reversed, because boards contain commas: same_from, then plies 4 to 1.
        let rows: Vec<Vec<&str>> = csv.lines().skip(1).map(|line| line.split(',').rev().collect()).collect();
        assert_eq!(rows.len() as u64, pinned.changes.boards);
        let moves = |row: &[&str], at: usize| -> Vec<String> {
            row[asked.values.len() - at].split_whitespace().map(str::to_owned).collect()
        };
        for at in 1..asked.values.len() {
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

        let strong = |at: usize| pinned.responses.iter().filter(|one| one.changes_at(at)).count();
        assert!(0 < strong(1) && 0 < rows.iter().filter(|row| row[0].is_empty()).count());
    }
}

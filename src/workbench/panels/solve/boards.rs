//! Small boards: the question, its cost, and the saved tables.

use egui::{Ui, vec2};

use super::saved_row::{KeptRow, kept_ui};
use crate::evaluator::Evaluator;
use crate::game::{Rank, Rules, Size};
use crate::solve::{Bound, Goal, Question, TableInfo};
use crate::strategy::{Criterion, Strategy};
use crate::words;
use crate::workbench::command::{Commands, SolveCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, choice, fours_field, paragraph, small_print, work_ui};
use crate::workbench::panels::hold_button;
use crate::workbench::state::{Document, KeptFile};
use crate::workbench::theme::{self, Theme};

/// The sizes that can be solved, smallest first.
const SIZES: [(u8, u8); 6] = [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)];

#[derive(Debug)]
pub(super) struct BoardsView {
    question: Question,
}

impl Default for BoardsView {
    fn default() -> Self {
        let size = Size::new(3, 3).unwrap_or(Size::FOUR);
        Self {
            question: Question {
                size,
                p4: Rules::USUAL_P4,
                goal: Goal::Score,
            },
        }
    }
}

impl BoardsView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        self.question_ui(ui);
        let question = self.question;
        match question.check() {
            Ok(()) => drop(small_print(ui, takes(doc, question.bound()), theme.text2)),
            Err(error) => drop(small_print(
                ui,
                words::capitalised(&error.to_string()),
                theme.error,
            )),
        }

        ui.horizontal_wrapped(|ui| match doc.solving().board() {
            Some((running, control)) => {
                hold_button(
                    ui,
                    doc.solving().is_paused(),
                    SolveCommand::Hold,
                    doc,
                    commands,
                );
                commands.show(
                    ui,
                    Button::new("Stop solving").icon(Icon::Stop),
                    SolveCommand::Stop,
                    doc,
                );
                work_ui(
                    ui,
                    &format!("Boards of {}", running.size),
                    &control.work(),
                    120.0,
                );
            }
            None => {
                let button = Button::new("Solve").accent().icon(Icon::Play);
                commands.show(ui, button, SolveCommand::Board(question), doc);
            }
        });
        ui.separator();
        let tables = doc.solving().tables();
        if tables.is_empty() {
            let hint = "No board is solved yet. A solved table plays best, shows the exact loss of every move in \
                Decision, and has the value of best play";
            paragraph(ui, hint, theme.text3);
        }

        tables
            .iter()
            .for_each(|table| table_ui(ui, table, doc, commands));
    }

    fn question_ui(&mut self, ui: &mut Ui) {
        let Question { size, p4, goal } = &mut self.question;
        ui.horizontal_wrapped(|ui| {
            let text = spoken(*size);
            let sizes = SIZES
                .iter()
                .filter_map(|&(rows, cols)| Size::new(rows, cols));
            choice(
                ui,
                "Board to solve",
                size,
                text,
                84.0,
                sizes.map(|size| (size, spoken(size))),
            );
            let tiles = (3..=size.cells() as u8 + 1)
                .rev()
                .filter_map(Rank::new)
                .map(Goal::Reach);
            let goals = std::iter::once(Goal::Score)
                .chain(tiles)
                .map(|goal| (goal, goal_text(goal)));
            let text = goal_text(*goal);
            choice(ui, "Goal", goal, text, 132.0, goals.collect::<Vec<_>>());
            small_print(ui, "Fours", Theme::of(ui).text2);
            ui.add_sized(vec2(56.0, theme::CONTROL), fours_field(p4))
                .accessible_name("Probability of a 4 to solve for");
        });
    }
}

fn spoken(size: Size) -> String {
    format!("{} × {}", size.rows(), size.cols())
}

fn goal_text(goal: Goal) -> String {
    match goal {
        Goal::Score => "most points".to_owned(),
        Goal::Reach(rank) => format!("chance of {rank}"),
    }
}

/// "At most 48,713,519 boards, 1.0 GiB of memory, 210 MB on disk, about 2 min".
fn takes(doc: &Document, bound: Bound) -> String {
    let secs = doc
        .solving()
        .secs(bound)
        .map(|secs| format!(", about {}", words::time(secs)))
        .unwrap_or_default();
    format!(
        "At most {}, {} of memory, {} on disk{secs}",
        words::plural(bound.states, "board"),
        words::bytes(bound.memory()),
        words::bytes(bound.on_disk()),
    )
}

fn table_ui(ui: &mut Ui, table: &KeptFile<TableInfo>, doc: &Document, commands: &mut Commands) {
    let name = table.name();
    let lines = table.info.as_ref().map(|info| {
        let places = if info.question.goal == Goal::Score {
            4
        } else {
            6
        };
        let value = words::decimals(info.value, places);
        let about = format!(
            "{}, {}, {}, {}",
            spoken(info.question.size),
            words::plural(info.states, "board"),
            words::fours(info.question.p4),
            table.size_text(),
        );
        [
            format!("{name}: {} {value}", info.question.goal.text()),
            about,
        ]
    });

    let play = || {
        let criteria = vec![Criterion::one_ply(Evaluator::Solved(name.clone()))];
        Strategy {
            name: format!("best play {name}"),
            criteria,
            ..Strategy::default()
        }
    };

    let rules_of = |question: Question| Rules {
        size: question.size,
        p4: question.p4,
        ..Rules::default()
    };
    let rules = table.info.as_ref().ok().map(|info| rules_of(info.question));
    let row = KeptRow {
        what: "table",
        name: &name,
        path: &table.path,
        lines,
        play: &play,
        rules,
    };
    kept_ui(ui, &row, doc, commands, |_, _| {});
}

//! A program as evaluator: its command, time limit, permission, and value of the board on screen.

use egui::{DragValue, Ui, vec2};

use super::{On, about, labelled};
use crate::evaluator::{MOST_SECONDS, ProgramSpec};
use crate::program::command;
use crate::words;
use crate::workbench::kit::{Button, Typing, problem, small_print};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::theme::{self, Theme};

pub(super) fn program_ui(ui: &mut Ui, now: &mut ProgramSpec, on: On<'_>) -> Change {
    let command = command_ui(ui, now);
    let seconds = labelled(ui, "Seconds", |ui| {
        let drag = DragValue::new(&mut now.seconds)
            .range(0.01..=MOST_SECONDS)
            .speed(0.1)
            .max_decimals(2);
        let response = ui
            .add_sized(vec2(64.0, theme::CONTROL), drag)
            .accessible_name("Seconds for an answer");
        about(ui, "per answer; the first one includes the start");
        number::change(&response)
    });
    if let Err(wrong) = now.check() {
        problem(ui, &words::capitalised(&wrong.to_string()));
    } else if let Err(refused) = now.check_allowed() {
        problem(ui, &words::capitalised(&refused.to_string()));
        if ui
            .add(Button::new("Allow…").small().name("Allow this program…"))
            .clicked()
        {
            on.trial.borrow_mut().to_allow = Some(now.command.clone());
        }
    } else {
        try_ui(ui, now, on);
    }
    command.or(seconds)
}

/// A button that tries the program on the board on screen, and the answer.
fn try_ui(ui: &mut Ui, now: &ProgramSpec, on: On<'_>) {
    let at = (on.board, on.score);
    let mut trial = on.trial.borrow_mut();
    labelled(ui, "", |ui| {
        let button = ui.add(Button::new("Try it").small().name("Try the program"));
        if button
            .on_hover_text(
                "Ask for the value of the board on screen; restart the program if it has failed",
            )
            .clicked()
        {
            trial.begin(now, at, on.tasks);
        }
        about(ui, "The program gives the value of a board");
    });
    match trial.told(now, at) {
        Some(Ok(text)) => drop(small_print(ui, text, Theme::of(ui).text2)),
        Some(Err(reason)) => drop(problem(ui, &reason)),
        None => {}
    }
}

fn command_ui(ui: &mut Ui, now: &mut ProgramSpec) -> Change {
    let id = ui.scope_id().with("command of the program");
    let mut field = ui
        .data(|data| data.get_temp::<Typing>(id))
        .unwrap_or_default();
    let shown = command::written(&now.command);
    let read = |text: &str| match command::read(text) {
        Some(words) if !words.is_empty() => Ok(words),
        Some(_) => Err("enter a command, such as python3 evaluate.py".to_owned()),
        None => Err("a quotation mark is not closed: close it".to_owned()),
    };
    let typed = labelled(ui, "Command", |ui| {
        field.show(ui, "Command of the program", &shown, &theme::mono(), read)
    });
    if let Some(wrong) = field.problem() {
        problem(ui, &words::capitalised(wrong));
    }
    ui.data_mut(|data| data.insert_temp(id, field));
    now.command = typed?;
    Some(false)
}

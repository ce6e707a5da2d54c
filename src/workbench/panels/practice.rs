//! Practice: a position, the user's choice, and then the judge's answer.

use egui::{Id, Role, Sense, Ui, WidgetInfo, vec2};

use crate::game::{Board, Move};
use crate::practice::{Answered, Session};
use crate::prose;
use crate::review::Points;
use crate::words;
use crate::workbench::command::{Commands, Panel, PracticeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    BoardGeometry, Button, empty, focus, focus_ring, paint_board, paragraph, reading_area,
    small_print,
};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Maximum side of the board, in points.
const LARGEST: f32 = 300.0;

/// Space around the board for the focus ring.
const RING: f32 = 5.0;

/// Below this height the text is next to the board.
const LOW: f32 = 320.0;

pub(crate) fn ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    ui.spacing_mut().item_spacing.y = theme::SPACE_S;
    let is_asking = doc.practising().session().is_some();
    ui.horizontal_wrapped(|ui| {
        let mut show = |button: Button<'_>, command: PracticeCommand| {
            let begins = matches!(command, PracticeCommand::Game | PracticeCommand::Book);
            let response = match is_asking {
                // A tooltip would cover the position.
                true => commands.bare(ui, button, command, doc),
                false => commands.show(ui, button, command, doc),
            };
            if begins && response.clicked() {
                // From now on arrows and Enter answer, instead of moving to the next button or restarting.
                response
                    .ctx
                    .memory_mut(|memory| memory.request_focus(position_id()));
            }
        };
        show(
            Button::new("Predict this game").accent().icon(Icon::Play),
            PracticeCommand::Game,
        );
        show(Button::new("Practice due positions"), PracticeCommand::Book);
        show(
            Button::new("Add mistakes to the book"),
            PracticeCommand::Collect,
        );
        if is_asking {
            show(Button::new("End practice"), PracticeCommand::End);
        }
    });

    let Some(session) = doc.practising().session() else {
        empty(
            ui,
            "Choose moves of a reviewed game or of due positions, before the judge's answer is shown",
        );
        return;
    };

    far(ui, session, doc);
    let room = ui.available_size();
    let is_low = room.y < LOW && LARGEST < room.x;
    let beside = if is_low { 0.0 } else { 150.0 };
    let side = room.x.min(LARGEST).min((room.y - beside).max(110.0));
    reading_area(ui, "what is asked", "Position", |ui| {
        match (session.question(), session.answer()) {
            (Some(question), _) => position(ui, side, is_low, &question.board, |ui| {
                asked(ui, doc, commands);
            }),
            (None, Some(answer)) => {
                position(ui, side, is_low, &answer.question.board, |ui| {
                    answered(ui, answer, doc, commands);
                });
            }
            (None, None) => drop(paragraph(
                ui,
                "All positions are answered",
                Theme::of(ui).text1,
            )),
        }
    });
}

/// Progress and summary of the session.
fn far(ui: &mut Ui, session: &Session, doc: &Document) {
    let theme = Theme::of(ui);
    let [answers, all] = session.progress();
    let source = if doc.practising().is_of_book() {
        "of the book"
    } else {
        "of this game"
    };
    small_print(
        ui,
        format!(
            "{} of {} {source}",
            words::count(answers as u64),
            words::count(all as u64)
        ),
        theme.text2,
    );
    if answers != 0 {
        small_print(
            ui,
            prose::practice::summary(&session.summary()),
            theme.text2,
        );
    }
}

fn asked(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    choices(ui, doc, commands);
    small_print(
        ui,
        "Which move? The arrow keys and W A S D also choose",
        Theme::of(ui).text2,
    );
}

/// A button for each direction; illegal ones say why they are disabled.
fn choices(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        for mv in [Move::Left, Move::Up, Move::Down, Move::Right] {
            let (text, name) = (
                format!("{} {mv}", mv.arrow()),
                format!("Choose {}", mv.name()),
            );
            commands.bare(
                ui,
                Button::new(&text).name(&name),
                PracticeCommand::Guess(mv),
                doc,
            );
        }
    });
}

fn answered(ui: &mut Ui, answer: &Answered, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let Answered {
        question, guess, ..
    } = answer;
    ui.horizontal_wrapped(|ui| {
        commands.bare(
            ui,
            Button::new("Next question").accent().icon(Icon::Next),
            PracticeCommand::Next,
            doc,
        );
        small_print(ui, "Enter or N also continues", theme.text3);
    });
    paragraph(ui, prose::practice::verdict(answer), theme.text1);
    for mv in question.moves() {
        let Some(loss) = question.loss(mv) else {
            continue;
        };
        let said = if loss == Points::ZERO {
            "best".to_owned()
        } else {
            format!("loses {}", words::value(loss.to_f64()))
        };
        let mut who = Vec::new();
        who.extend((mv == *guess).then_some("your choice"));
        who.extend((Some(mv) == question.played).then_some("played in the game"));
        let who = if who.is_empty() {
            String::new()
        } else {
            format!(", {}", who.join(", "))
        };
        small_print(ui, format!("{} {mv}: {said}{who}", mv.arrow()), theme.text2);
    }

    small_print(
        ui,
        format!("Loss by {}; {}", question.judge, question.source),
        theme.text3,
    );
}

/// The widget id of the position, which has the focus while the user chooses.
fn position_id() -> Id {
    Id::unique("position of the practice")
}

/// The board, with its text below; next to it in a low panel.
fn position(ui: &mut Ui, side: f32, is_low: bool, board: &Board, said: impl FnOnce(&mut Ui)) {
    let paint = |ui: &mut Ui| {
        let (whole, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
        let geometry = BoardGeometry::fit(whole.shrink(RING), board.size());
        let rect = geometry.rect;
        let response = ui.interact(rect, position_id(), Sense::focusable_noninteractive());
        focus::alone(&response);
        focus::home(&response, Panel::Practice.area());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Image, true, format!("Position to answer: {board}"))
        });
        paint_board(ui.painter(), Theme::of(ui), &geometry, board);
        if response.has_focus() {
            focus_ring(ui, rect);
        }
    };
    if is_low {
        ui.horizontal_top(|ui| {
            paint(ui);
            ui.vertical(said);
        });
    } else {
        paint(ui);
        said(ui);
    }
}

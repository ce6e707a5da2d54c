//! The dialog for an ambiguous text: several boards, or one that needs a flag on the command line.
//!
//! It draws each board with its own button. A number key presses the button of that number.

use std::collections::VecDeque;

use egui::{Align, Context, Id, Key, Label, Layout, Modal, RichText, ScrollArea, Ui, vec2};

use crate::game::Reading;
use crate::words;
use crate::workbench::command::{Commands, FileCommand};
use crate::workbench::kit::{Button, answers, mini_board, show_dialog};
use crate::workbench::state::effect::ToChoose;
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "Which board is it?";

/// Side of a drawn board.
const SIDE: f32 = 132.0;

/// Height of heading, text, the last button and margins.
const AROUND: f32 = 168.0;

const NUMBERS: [Key; 9] = [
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

pub(super) struct WhichBoard {
    /// The texts to decide on, in the order in which they were opened.
    texts: VecDeque<ToChoose>,
    /// True until the first button has had the focus.
    is_fresh: bool,
}

impl WhichBoard {
    pub(super) fn new(text: ToChoose) -> Self {
        Self {
            texts: VecDeque::from([text]),
            is_fresh: true,
        }
    }

    /// Asks about this text after the others.
    pub(super) fn add(&mut self, text: ToChoose) {
        self.texts.push_back(text);
    }

    /// Draws the dialog; false when it closes.
    pub(super) fn show(&mut self, ctx: &Context, commands: &mut Commands) -> bool {
        let Some(text) = self.texts.front() else {
            return false;
        };
        let is_fresh = std::mem::take(&mut self.is_fresh);
        let mut answer = None;
        let modal =
            Modal::new(Id::unique("which board")).frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            ui.set_width(620.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            answer = choice_ui(ui, text, is_fresh);
        });

        let answer = if modal.should_close() {
            Some(Answer::Cancel)
        } else {
            answer
        };
        if let Some(answer) = answer
            && let Some(ToChoose { mut readings, from }) = self.texts.pop_front()
        {
            if let Answer::Open(index) = answer {
                commands.push(FileCommand::OpenReading(
                    Box::new(readings.swap_remove(index)),
                    from,
                ));
            }
            self.is_fresh = true;
        }
        !self.texts.is_empty()
    }
}

enum Answer {
    /// The reading with this index.
    Open(usize),
    Cancel,
}

fn choice_ui(ui: &mut Ui, text: &ToChoose, is_fresh: bool) -> Option<Answer> {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_M);
    ui.heading(TITLE);
    let why = match text.readings.len() {
        1 => "This text is a board only if it is read like this.".to_owned(),
        boards => format!("This text can be read as {boards} boards. Choose one."),
    };
    ui.add(Label::new(RichText::new(why).color(theme.text2)).wrap());
    let pressed = NUMBERS
        .iter()
        .position(|&key| ui.input(|input| input.key_pressed(key)));
    let mut answer = pressed
        .filter(|&index| index < text.readings.len())
        .map(Answer::Open);

    let most = (ui.ctx().content_rect().height() - AROUND).max(96.0);
    ScrollArea::vertical()
        .max_height(most)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            // All boards begin at the same height, however long the text below them is.
            ui.with_layout(
                Layout::left_to_right(Align::Min).with_main_wrap(true),
                |ui| {
                    for (index, reading) in text.readings.iter().enumerate() {
                        if reading_ui(ui, index, reading, is_fresh && index == 0) {
                            answer = Some(Answer::Open(index));
                        }
                    }
                },
            );
        });

    answers(ui, |ui| {
        if ui.add(Button::new("Cancel")).clicked() {
            answer = Some(Answer::Cancel);
        }
    });
    answer
}

/// A board, how it is read, and its button; true if it is chosen.
fn reading_ui(ui: &mut Ui, index: usize, reading: &Reading, takes_focus: bool) -> bool {
    let theme = Theme::of(ui);
    let name = words::capitalised(&reading.name());
    let number = index + 1;
    let layout = Layout::top_down(Align::Min);
    let column =
        ui.allocate_ui_with_layout(vec2(SIDE, SIDE + 2.0 * theme::CONTROL), layout, |ui| {
            ui.spacing_mut().item_spacing.y = theme::SPACE_S;
            let board = mini_board(ui, &reading.board.to_string(), SIDE, &reading.board);
            ui.add(Label::new(RichText::new(&name).small().color(theme.text2)).wrap());
            let (text, full) = (
                format!("Open {number}"),
                format!("Open board {number}: {name}"),
            );
            let button = ui.add(Button::new(&text).name(&full).width(SIDE));
            if takes_focus {
                button.request_focus();
            }
            board.clicked() || button.clicked()
        });
    column.inner
}

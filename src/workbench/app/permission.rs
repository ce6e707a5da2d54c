//! Asks whether a strategy may run a program, once for each command, before it is run for the first time.
//!
//! It asks by itself about the strategy on screen, since that is to decide now; about others when they are to play. Whoever says no
//! is asked again by the button of the row.

use std::collections::HashSet;

use egui::{Context, Id, Label, Modal, RichText, Ui};

use crate::evaluator::ProgramSpec;
use crate::program::command;
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::kit::{Button, show_dialog};
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "May this strategy run a program?";

pub(super) struct Permission {
    command: Vec<String>,
}

impl Permission {
    pub(super) fn new(command: Vec<String>) -> Self {
        Self { command }
    }

    /// Whether it stays open.
    pub(super) fn show(&mut self, ctx: &Context, commands: &mut Commands) -> bool {
        let mut stays = true;
        let modal = Modal::new(Id::unique("permission to run")).frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            ui.set_width(520.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            stays = self.ui(ui, commands);
        });
        stays && !modal.should_close()
    }

    fn ui(&mut self, ui: &mut Ui, commands: &mut Commands) -> bool {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.heading(TITLE);
        ui.add(Label::new("It asks this command what boards are worth:").wrap());
        ui.add(Label::new(RichText::new(command::key(&self.command)).font(theme::mono())).wrap());
        let harm = "The program may do whatever you may do. Allow it only if you know it; then it runs whenever a strategy asks it, \
                    now and at later times.";
        ui.add(Label::new(RichText::new(harm).color(theme.text2)).wrap());
        let mut stays = true;
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.add(Button::new("Not now")).clicked() {
                stays = false;
            }
            if ui.add(Button::new("Allow")).clicked() {
                commands.push(StrategyCommand::AllowToRun(self.command.clone()));
                stays = false;
            }
        });
        stays
    }
}

/// The first of these programs that may not run yet and about which nobody was asked, but for one that was just taken from the
/// palette; from now on somebody was.
pub(super) fn to_ask(programs: Vec<ProgramSpec>, asked: &mut HashSet<String>) -> Option<Permission> {
    let refused = |program: &ProgramSpec| *program != ProgramSpec::default() && program.check_allowed().is_err();
    let mut new = programs.into_iter().filter(refused).filter(|program| asked.insert(command::key(&program.command)));
    new.next().map(|program| Permission::new(program.command))
}

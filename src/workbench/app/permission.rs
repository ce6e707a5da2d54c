//! The dialog that requests consent to run a program, before its first run and again when one of its files has changed.
//!
//! It opens by itself for the current strategy, which must decide now, and for others when they are to play. After a
//! refusal, the button of the row requests consent again.
//!
//! A command may come from anyone. It is shown [escaped](command::shown) in a scrolling box, so that it can neither
//! imitate the dialog's text nor push the buttons out of the window. Consent covers the content that was read when the
//! dialog opened.

use std::collections::HashSet;

use egui::{Context, Frame, Id, Label, Modal, RichText, ScrollArea, Stroke, Ui};

use crate::evaluator::ProgramSpec;
use crate::program::command;
use crate::program::permission::{FileHash, Fingerprint, FingerprintError};
use crate::words;
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::kit::{Button, answers, problem, show_dialog};
use crate::workbench::state::effect::ToAllow;
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "Run this program?";

const HARM: &str = "It has all of your permissions. Allow it only if you trust it. It then runs whenever a strategy \
    needs it, now and later. Afterstate asks again if one of the files listed here changes; files that these programs \
    load themselves are not checked.";

/// Height of heading, buttons and margins.
const AROUND: f32 = 128.0;

pub(super) struct Permission {
    to_allow: ToAllow,
    /// The content that consent would cover; `None` while its files are read.
    content: Option<Result<Fingerprint, FingerprintError>>,
}

impl Permission {
    pub(super) fn new(to_allow: ToAllow) -> Self {
        Self {
            to_allow,
            content: None,
        }
    }

    /// Draws the dialog; false when it closes.
    pub(super) fn show(&mut self, ctx: &Context, commands: &mut Commands) -> bool {
        if self.content.is_none() {
            self.content = match Fingerprint::of(&self.to_allow.command) {
                Err(FingerprintError::Unread) => {
                    ctx.request_repaint();
                    None
                }
                read => Some(read),
            };
        }

        let mut stays = true;
        let modal = Modal::new(Id::unique("permission to run"))
            .frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            ui.set_width(520.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            stays = self.ui(ui, commands);
        });
        stays && !modal.should_close()
    }

    fn ui(&self, ui: &mut Ui, commands: &mut Commands) -> bool {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.add(Label::new(RichText::new(TITLE).heading()).truncate());
        let room = (ui.ctx().content_rect().height() - AROUND).max(48.0);
        ScrollArea::vertical()
            .id_salt("what is asked")
            .max_height(room)
            .min_scrolled_height(room.min(48.0))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.add(Label::new("A strategy needs this command to evaluate boards:").wrap());
                self.command_ui(ui, (room / 2.0).min(240.0));
                ui.add(Label::new(RichText::new(HARM).color(theme.text2)).wrap());
                if let Some(Err(error)) = &self.content {
                    problem(ui, &words::capitalised(&error.to_string()));
                }
            });

        let mut stays = true;
        answers(ui, |ui| {
            if ui.add(Button::new("Not now")).clicked() {
                stays = false;
            }
            let allowed = self
                .content
                .as_ref()
                .and_then(|content| content.as_ref().ok());
            if ui
                .add(Button::new("Allow").enabled(allowed.is_some()))
                .clicked()
                && let Some(allowed) = allowed
            {
                commands.push(StrategyCommand::AllowToRun(Box::new(allowed.clone())));
                self.to_allow
                    .then
                    .iter()
                    .for_each(|then| commands.push(then.clone()));
                stays = false;
            }
        });

        stays
    }

    /// The command and its files in a framed box.
    fn command_ui(&self, ui: &mut Ui, most: f32) {
        let theme = Theme::of(ui);
        let frame = Frame::new()
            .fill(theme.bg1)
            .stroke(Stroke::new(1.0, theme.line))
            .inner_margin(8.0);
        frame.corner_radius(theme::RADIUS_S).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let area = ScrollArea::vertical()
                .id_salt("command")
                .max_height(most)
                .min_scrolled_height(most.min(48.0));
            area.auto_shrink([false, true]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                let shown = command::shown(&self.to_allow.command);
                ui.add(Label::new(RichText::new(shown).font(theme::mono())).wrap());
                for line in self.about() {
                    ui.add(Label::new(RichText::new(line).small().color(theme.text2)).wrap());
                }
            });
        });
    }

    /// The files of the command, one per line.
    fn about(&self) -> Vec<String> {
        let Some(content) = &self.content else {
            return vec!["Reading its files…".to_owned()];
        };
        let Ok(content) = content else {
            return Vec::new();
        };
        let escaped = |text: &str| words::escaped(text.chars());
        let file = |file: &FileHash| {
            format!(
                "File \"{}\", SHA-256 {}…",
                escaped(&file.path),
                &file.sha256[..16]
            )
        };
        let folder = content
            .folder()
            .map(|folder| format!("Folder \"{}\"", escaped(folder)));
        folder
            .into_iter()
            .chain(content.files().map(file))
            .collect()
    }
}

/// The dialog for the first of these programs without consent or previous request, except one just taken from the
/// palette; marks it as requested. Changed content of its files is requested again, once it is read.
pub(super) fn to_ask(
    ctx: &Context,
    programs: Vec<ProgramSpec>,
    already_asked: &mut HashSet<String>,
) -> Option<Permission> {
    let refused = |program: &ProgramSpec| {
        *program != ProgramSpec::default() && program.check_allowed().is_err()
    };
    let is_new = |program: &ProgramSpec| match Fingerprint::of(&program.command) {
        Err(FingerprintError::Unread) => {
            ctx.request_repaint();
            false
        }
        content => already_asked.insert(format!("{:?} {content:?}", program.command)),
    };
    let command = programs.into_iter().filter(refused).find(is_new)?.command;
    Some(Permission::new(ToAllow {
        command,
        then: None,
    }))
}

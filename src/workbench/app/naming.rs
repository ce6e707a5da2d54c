//! The dialog for the title of an unnamed experiment on save.

use egui::{Context, Id, Key, Modal, RichText, Ui};

use crate::preset::file_of;
use crate::workbench::command::{Commands, FileCommand};
use crate::workbench::kit::{Button, answers, line_edit, select_all, show_dialog};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const TITLE: &str = "Save the experiment";

pub(super) struct Naming {
    text: String,
    /// True until the field has had the focus.
    fresh: bool,
}

impl Naming {
    pub(super) fn new(title: &str) -> Self {
        Self {
            text: title.to_owned(),
            fresh: true,
        }
    }

    /// Draws the dialog; false when it closes.
    pub(super) fn show(&mut self, ctx: &Context, doc: &Document, commands: &mut Commands) -> bool {
        let mut stays = true;
        let modal = Modal::new(Id::unique("name of the experiment"))
            .frame(theme::dialog_frame(&ctx.global_style()));
        let modal = show_dialog(ctx, modal, TITLE, |ui| {
            ui.set_width(420.0_f32.min(ui.ctx().content_rect().width() - 48.0));
            stays = self.ui(ui, doc, commands);
        });
        stays && !modal.should_close()
    }

    fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) -> bool {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.heading(TITLE);
        let label = ui.label(RichText::new("Title").small().color(theme.text3));
        let field = line_edit(&mut self.text, "").desired_width(f32::INFINITY);
        let response = ui.add(field).labelled_by(label.id).accessible_name("Title");
        if std::mem::take(&mut self.fresh) {
            response.request_focus();
            select_all(ui, response.id, &self.text);
        }

        let title = self.text.trim().to_owned();
        let (note, color) = match doc.presets().folder() {
            _ if title.is_empty() => ("Type a title".to_owned(), theme.warn),
            _ if doc
                .presets()
                .files()
                .iter()
                .any(|file| file.label() == title) =>
            {
                (
                    "Another preset has this title; it is not replaced".to_owned(),
                    theme.warn,
                )
            }
            Some(folder) => (
                folder.join(file_of(&title)).display().to_string(),
                theme.text3,
            ),
            None => (String::new(), theme.text3),
        };
        ui.add(egui::Label::new(RichText::new(note).small().color(color)).truncate());
        let ready = if title.is_empty() {
            Err("Type a title first")
        } else {
            Ok(())
        };
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if entered && ready.is_ok() {
            commands.push(FileCommand::SaveTitled(title));
            return false;
        }

        let mut stays = true;
        answers(ui, |ui| {
            let save = ui.add(Button::new("Save").accent().enabled(ready.is_ok()));
            if ready
                .map_or_else(|why| save.clone().on_hover_text(why), |()| save.clone())
                .clicked()
            {
                commands.push(FileCommand::SaveTitled(title));
                stays = false;
            }
            stays &= !ui.add(Button::new("Cancel")).clicked();
        });

        stays
    }
}

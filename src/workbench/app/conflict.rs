//! The dialog for a save conflict: another process has changed the file.

use egui::{Context, Id, Modal, RichText, ScrollArea, Ui};

use crate::workbench::command::{Commands, LibraryCommand};
use crate::workbench::kit::{Button, answers, show_dialog};
use crate::workbench::state::{Conflict, Document};
use crate::workbench::theme::{self, Theme};

/// Maximum number of changes listed; the rest are counted.
const MOST_NAMED: usize = 8;

pub(super) fn show(ctx: &Context, doc: &Document, commands: &mut Commands) {
    let Some(conflict) = doc.conflict() else {
        return;
    };
    let modal = Modal::new(Id::unique("conflict")).frame(theme::dialog_frame(&ctx.global_style()));
    let modal = show_dialog(ctx, modal, &title(conflict), |ui| {
        ui.set_width(520.0_f32.min(ui.ctx().content_rect().width() - 48.0));
        conflict_ui(ui, conflict, commands);
    });
    if modal.should_close() {
        commands.push(LibraryCommand::LeaveConflict);
    }
}

fn title(conflict: &Conflict) -> String {
    format!("The file of {} was changed elsewhere", conflict.label)
}

fn conflict_ui(ui: &mut Ui, conflict: &Conflict, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
    ui.heading(title(conflict));
    ui.add(
        egui::Label::new(
            RichText::new(conflict.path.display().to_string())
                .small()
                .color(theme.text3),
        )
        .wrap(),
    );
    let theirs = match &conflict.theirs {
        Ok(changes) => changes.clone(),
        Err(reason) => vec![format!("it cannot be read: {reason}")],
    };

    // The question stays visible below many changes.
    let most = (ui.ctx().content_rect().height() - 240.0).max(64.0);
    ScrollArea::vertical()
        .max_height(most)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            changes_ui(ui, "In the file now", &theirs);
            changes_ui(ui, "Here", &conflict.ours);
        });

    ui.label(RichText::new(conflict.remedy()).small().color(theme.text3));
    answers(ui, |ui| {
        let copy = Button::new("Save as copy").accent();
        commands.show(ui, copy, LibraryCommand::SaveCopy, Ok(()));
        commands.show(
            ui,
            Button::new("Overwrite"),
            LibraryCommand::Overwrite,
            Ok(()),
        );
        let readable = conflict
            .theirs
            .as_ref()
            .map(|_| ())
            .map_err(|_| "It cannot be read");
        commands.show(
            ui,
            Button::new("Open theirs"),
            LibraryCommand::OpenTheirs,
            readable,
        );
        commands.show(
            ui,
            Button::new("Cancel"),
            LibraryCommand::LeaveConflict,
            Ok(()),
        );
    });
}

fn changes_ui(ui: &mut Ui, title: &str, phrases: &[String]) {
    let theme = Theme::of(ui);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.label(RichText::new(title).small().color(theme.text3));
        if phrases.is_empty() {
            ui.label(
                RichText::new("the rows are the same; only names, notes or comments differ")
                    .color(theme.text2),
            );
        }
        for phrase in phrases.iter().take(MOST_NAMED) {
            ui.add(egui::Label::new(phrase).wrap());
        }
        if MOST_NAMED < phrases.len() {
            ui.label(
                RichText::new(format!("and {} more", phrases.len() - MOST_NAMED))
                    .color(theme.text2),
            );
        }
    });
}

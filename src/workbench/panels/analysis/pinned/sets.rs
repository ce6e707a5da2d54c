//! The list of pinned sets, and the commands for one set.

use egui::{Popup, Ui, vec2};

use crate::preset::{PositionSet, Stored};
use crate::words;
use crate::workbench::command::{Command, Commands, PinCommand};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    RenameField, Renamed, drop_down, menu_choice, menu_entry, small_print,
};
use crate::workbench::panels::builder::menu_row;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct Sets {
    renaming: Option<RenameField>,
}

impl Sets {
    /// The drop-down, `width` wide, and the menu next to it.
    pub(super) fn ui(&mut self, ui: &mut Ui, width: f32, doc: &Document, commands: &mut Commands) {
        if self.renaming.is_some() {
            self.rename_ui(ui, width, commands);
        } else {
            list_ui(ui, width, doc, commands);
        }

        let button = icon_button(
            ui,
            Icon::Menu,
            "Menu of the set",
            "New, copy, add, rename, delete",
        );
        Popup::menu(&button).show(|ui| {
            ui.set_min_width(196.0);
            for (command, text) in [
                (PinCommand::NewSet, "New set"),
                (PinCommand::CopySet, "Copy set"),
                (PinCommand::AddIdealBoards, "Add ideal boards"),
            ] {
                menu_row(ui, doc, &Command::Pin(command), text, commands);
            }
            ui.separator();
            let title = doc.pins().title.clone();
            let state = doc.can(&Command::Pin(PinCommand::Rename(title.clone())));
            let can = state
                .as_ref()
                .map_or_else(|reason| Err(reason.as_ref()), |()| Ok(()));
            if menu_entry(ui, "Rename set…", None, can) {
                self.renaming = Some(RenameField::new(title));
            }
            menu_row(
                ui,
                doc,
                &Command::Pin(PinCommand::DeleteSet),
                "Delete set",
                commands,
            );
        });
    }

    fn rename_ui(&mut self, ui: &mut Ui, width: f32, commands: &mut Commands) {
        let Some(renaming) = &mut self.renaming else {
            return;
        };
        let renamed = renaming.show(ui, "Title of the set", "", |ui, edit| {
            ui.add_sized(vec2(width, theme::CONTROL), edit.desired_width(width))
        });
        let Some(renamed) = renamed else { return };
        if let Renamed::To(title) = renamed {
            commands.push(Command::Pin(PinCommand::Rename(title)));
        }
        self.renaming = None;
    }
}

fn list_ui(ui: &mut Ui, width: f32, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let chosen = doc.own_set().map(|(path, _)| path.to_owned());
    let name = |set: &PositionSet| {
        format!(
            "{}, {}",
            set.title,
            words::count(set.positions.len() as u64)
        )
    };
    let mut choice = chosen.clone();
    let shown = drop_down("set of positions", name(&doc.pins()), width)
        .truncate()
        .height(360.0)
        .show_ui(ui, |ui| {
            ui.set_min_width(width.max(240.0));
            let shipped = PositionSet::shipped();
            if menu_choice(ui, choice.is_none(), name(&shipped))
                .on_hover_text(&shipped.note)
                .clicked()
            {
                choice = None;
            }
            for own in doc.position_sets().files() {
                let Ok(Stored { item: set, .. }) = own.read() else {
                    continue;
                };
                let row = menu_choice(ui, choice.as_ref() == Some(&own.path), name(set));
                let about = format!("{}\n{}", own.path.display(), set.note);
                if row.on_hover_text(about.trim_end()).clicked() {
                    choice = Some(own.path.clone());
                }
            }
            for broken in doc.position_sets().files() {
                let Err(error) = broken.read() else { continue };
                let stem = broken.path.file_stem().unwrap_or_default().display();
                let row = small_print(ui, format!("✗ {stem}: {}", error.reason()), theme.error);
                row.on_hover_text(broken.path.display().to_string());
            }
        });

    shown
        .response
        .accessible_name("Set of positions")
        .on_hover_text(&doc.pins().note);
    if choice != chosen {
        commands.push(Command::Pin(PinCommand::Choose(choice)));
    }
}

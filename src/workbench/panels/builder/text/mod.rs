//! The strategy as text, editable both ways, and what was changed since it was saved.

mod data;
mod difference;
mod editor;

use egui::{Popup, Ui};

use crate::strategy::SharedStrategy;
use crate::workbench::command::{Command, Commands, FileCommand, LibraryCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, empty, segmented};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme;

use editor::Editor;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextView {
    #[default]
    Text,
    Difference,
}

/// What the difference is to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DifferenceBase {
    #[default]
    Saved,
    Parent,
}

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct TextPanel {
    shown: TextView,
    against: DifferenceBase,
    editor: Editor,
    /// The parent that was found last.
    parent: Option<SharedStrategy>,
}

impl TextPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.horizontal(|ui| {
            let choices = [(TextView::Text, "Text"), (TextView::Difference, "Difference")];
            segmented(ui, "Text or difference", &mut self.shown, &choices);
            match self.shown {
                TextView::Text => buttons_ui(ui, doc, commands),
                TextView::Difference => {
                    let choices = [(DifferenceBase::Saved, "To saved"), (DifferenceBase::Parent, "To parent")];
                    segmented(ui, "Difference to", &mut self.against, &choices);
                }
            }
        });
        match (self.shown, self.against) {
            (TextView::Text, _) => self.editor.ui(ui, doc, building, commands),
            (TextView::Difference, DifferenceBase::Saved) => {
                let open = doc.opened();
                let to = if open.file().is_some() { "the saved version" } else { "what was opened" };
                difference::ui(ui, &open.origin.before, &open.strategy, to);
            }
            (TextView::Difference, DifferenceBase::Parent) => self.parent_ui(ui, doc),
        }
    }

    fn parent_ui(&mut self, ui: &mut Ui, doc: &Document) {
        let strategy = doc.strategy();
        let Some(hash) = strategy.parent else {
            empty(ui, "It has no parent. Saving an edited strategy remembers what it was made from");
            return;
        };
        // Looked for until it is found: it may take a file.
        if self.parent.as_ref().is_none_or(|parent| parent.hash() != hash) {
            self.parent = doc.strategy_of(hash);
        }
        match &self.parent {
            Some(parent) => difference::ui(ui, parent, &strategy, &format!("its parent {hash}")),
            None => drop(empty(ui, &format!("Its parent {hash} is in no file of the library"))),
        }
    }
}

fn buttons_ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        let paste = ui.add(Button::new("Paste").icon(Icon::ChevronDown).small());
        Popup::menu(&paste).show(|ui| {
            ui.set_min_width(180.0);
            let over = FileCommand::PasteOver;
            let new = FileCommand::PasteStrategy;
            for (text, command) in [("In place of this strategy", over), ("As a new strategy", new)] {
                if ui.button(text).on_hover_text(Command::from(command.clone()).tooltip()).clicked() {
                    commands.push(command);
                    ui.close();
                }
            }
        });
        if doc.strategy().letters().is_some() {
            let letters = Button::new("Letters").name("Copy letters").small();
            commands.show(ui, letters, LibraryCommand::CopyLetters, Ok(()));
        }
        commands.show(ui, Button::new("Copy").name("Copy the text").small(), FileCommand::CopyStrategy, Ok(()));
    });
}

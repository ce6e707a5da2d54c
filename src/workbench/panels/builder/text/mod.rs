//! The strategy as editable text, and its changes since it was saved.

mod data;
mod editor;

use egui::{Popup, RichText, Role, ScrollArea, Stroke, Ui, pos2, vec2};

use crate::prose::{self, LineChange, line_changes};
use crate::strategy::{SharedStrategy, Strategy};
use crate::words;
use crate::workbench::command::{Command, Commands, FileCommand, LibraryCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, empty, inert, menu_item, segmented};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

use editor::Editor;

/// Height of a line of the difference, and width of its sign.
const LINE: f32 = 17.0;
const SIGN: f32 = 18.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextView {
    #[default]
    Text,
    Difference,
}

/// The strategy that the difference compares with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DifferenceBase {
    #[default]
    Saved,
    Parent,
}

#[derive(Debug, Default)]
pub(crate) struct TextPanel {
    shown: TextView,
    against: DifferenceBase,
    editor: Editor,
    /// The parent found last.
    parent: Option<SharedStrategy>,
}

impl TextPanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        ui.horizontal(|ui| {
            let choices = [
                (TextView::Text, "Text"),
                (TextView::Difference, "Difference"),
            ];
            segmented(ui, "Text or difference", &mut self.shown, &choices);
            match self.shown {
                TextView::Text => buttons_ui(ui, doc, commands),
                TextView::Difference => {
                    let choices = [
                        (DifferenceBase::Saved, "From saved"),
                        (DifferenceBase::Parent, "From parent"),
                    ];
                    segmented(ui, "Difference from", &mut self.against, &choices);
                }
            }
        });
        match (self.shown, self.against) {
            (TextView::Text, _) => self.editor.ui(ui, doc, building, commands),
            (TextView::Difference, DifferenceBase::Saved) => {
                let open = doc.opened();
                let to = if open.file().is_some() {
                    "the saved version"
                } else {
                    "the opened version"
                };
                difference_ui(ui, &open.origin.before, &open.strategy, to);
            }
            (TextView::Difference, DifferenceBase::Parent) => self.parent_ui(ui, doc),
        }
    }

    fn parent_ui(&mut self, ui: &mut Ui, doc: &Document) {
        let strategy = doc.strategy();
        let Some(hash) = strategy.parent else {
            empty(
                ui,
                "This strategy has no parent. Saving an edited strategy records its parent",
            );
            return;
        };
        // Searched in every frame until found, then cached: the search may read a file.
        if self
            .parent
            .as_ref()
            .is_none_or(|parent| parent.hash() != hash)
        {
            self.parent = doc.strategy_of(hash);
        }
        match &self.parent {
            Some(parent) => difference_ui(ui, parent, &strategy, &format!("its parent {hash}")),
            None => drop(empty(
                ui,
                &format!("Its parent {hash} is not in the library"),
            )),
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
            for (text, command) in [("Replace this strategy", over), ("As a new strategy", new)] {
                commands.when_clicked(
                    &menu_item(ui, text, None, true)
                        .on_hover_text(Command::from(command.clone()).tooltip()),
                    command,
                );
            }
        });
        if doc.strategy().letters().is_some() {
            let letters = Button::new("Letters").name("Copy letters").small();
            commands.show(ui, letters, LibraryCommand::CopyLetters, Ok(()));
        }
        commands.show(
            ui,
            Button::new("Copy").name("Copy the text").small(),
            FileCommand::CopyStrategy,
            Ok(()),
        );
    });
}

/// Draws the difference from `before` to `after`; `to` names `before`, as in "the saved version".
fn difference_ui(ui: &mut Ui, before: &Strategy, after: &Strategy, to: &str) {
    let theme = Theme::of(ui);
    let phrases = prose::difference(before, after);
    let (old, new) = (before.pretty(), after.pretty());
    if phrases.is_empty() && old == new {
        empty(ui, &format!("No difference from {to}"));
        return;
    }
    ScrollArea::both()
        .id_salt("difference")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 3.0;
            let head = format!(
                "{} compared with {to}",
                words::plural(phrases.len() as u64, "change")
            );
            ui.label(RichText::new(head).small().color(theme.text3));
            for phrase in &phrases {
                ui.label(phrase);
            }
            ui.add_space(theme::SPACE_M);
            ui.spacing_mut().item_spacing.y = 0.0;
            line_changes(&old, &new)
                .into_iter()
                .for_each(|line| line_ui(ui, line));
        });
}

fn line_ui(ui: &mut Ui, line: LineChange<'_>) {
    let theme = Theme::of(ui);
    let (text, sign, name, color) = match line {
        LineChange::Same(text) => (text, "", "", theme.text2),
        LineChange::Removed(text) => (text, "−", "Removed: ", theme.error),
        LineChange::Added(text) => (text, "+", "Added: ", theme.ok),
    };
    let ink = if sign.is_empty() {
        theme.text2
    } else {
        theme.text1
    };
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), theme::mono(), ink);
    let width = (SIGN + galley.size().x + theme::SPACE_M).max(ui.available_width());
    let (rect, _) = inert(
        ui,
        vec2(width, LINE),
        Role::Label,
        &format!("{name}{}", text.trim()),
    );
    if !ui.is_rect_visible(rect) {
        return;
    }
    if !sign.is_empty() {
        ui.painter()
            .rect_filled(rect, 0, color.gamma_multiply(0.16));
        let sign = ui
            .painter()
            .layout_no_wrap(sign.to_owned(), theme::mono(), color);
        ui.painter()
            .galley(pos2(rect.left() + 5.0, rect.top() + 1.0), sign, color);
    }

    let at = pos2(rect.left() + SIGN, rect.top() + 1.0);
    if matches!(line, LineChange::Removed(_)) {
        let blank = text.len() - text.trim_start().len();
        let from = at.x + galley.size().x * blank as f32 / text.len().max(1) as f32;
        ui.painter().hline(
            from..=at.x + galley.size().x,
            rect.center().y.round() + 0.5,
            Stroke::new(1.0, color),
        );
    }
    ui.painter().galley(at, galley, ink);
}

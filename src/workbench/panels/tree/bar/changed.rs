//! The line above the tree: its file, the searches added to it, and the effect of its cuts.

use egui::Ui;

use crate::files::name_of;
use crate::prose;
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::kit::{Button, paragraph};
use crate::workbench::panels::tree::Inspection;
use crate::workbench::panels::tree::inspection::ChangedState;
use crate::workbench::theme::{self, Theme};

pub(in crate::workbench::panels::tree) fn ui(
    ui: &mut Ui,
    inspection: &Inspection,
    commands: &mut Commands,
) {
    let all = inspection.changed();
    if all.is_empty() {
        return;
    }

    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        for said in all {
            let theme = Theme::of(ui);
            let color = match said {
                ChangedState::Refused(..)
                | ChangedState::NotSearchedOn(_)
                | ChangedState::NotUncut(_) => theme.error,
                ChangedState::Uncut(uncut) if uncut.changes_choice => theme.warn,
                _ => theme.text2,
            };
            let (text, command) = told(&said, inspection);
            if let Some(command) = command {
                let command = Command::Tree(command);
                commands.show(ui, Button::new(command.text()).small(), command, Ok(()));
            }
            paragraph(ui, text, color);
        }
    });
}

/// The sentence, and the command that it offers.
fn told(said: &ChangedState<'_>, inspection: &Inspection) -> (String, Option<TreeCommand>) {
    let close = Some(TreeCommand::CloseFile);
    match said {
        ChangedState::Opening(path) => (
            format!("Opening {}: press Escape to stop", name_of(path)),
            None,
        ),
        ChangedState::Refused(path, reason) => (format!("✗ {}: {reason}", name_of(path)), close),
        ChangedState::Opened(path) => {
            let shown = inspection.shown().map(|shown| &shown.tree);
            let by = shown
                .and_then(|tree| tree.written_by())
                .map(|by| format!(", written by {}", words::one_line(&by.program)));
            (
                format!("Opened from {}{}", name_of(path), by.unwrap_or_default()),
                close,
            )
        }
        ChangedState::Grown {
            count,
            effect,
            still_cut,
        } => {
            let count = match count {
                1 => "1 added search is".to_owned(),
                count => format!("{count} added searches are"),
            };
            let chosen = inspection.shown().and_then(|shown| shown.tree.chosen);
            let effect = effect
                .map(|effect| format!(". {}", prose::effect_sentence(&effect, chosen, *still_cut)))
                .unwrap_or_default();
            (
                format!("{count} framed in this tree{effect}"),
                Some(TreeCommand::TakeBack),
            )
        }
        ChangedState::SearchingOn => (
            "Searching deeper from a node: press Escape to stop".to_owned(),
            None,
        ),
        ChangedState::NotSearchedOn(reason) => {
            (format!("✗ Could not search deeper: {reason}"), None)
        }
        ChangedState::SearchingUncut => (
            "Searching without cuts: press Escape to stop".to_owned(),
            None,
        ),
        ChangedState::Uncut(uncut) => (prose::uncut::sentence(uncut), None),
        ChangedState::NotUncut(reason) => {
            (format!("✗ Could not search without cuts: {reason}"), None)
        }
    }
}

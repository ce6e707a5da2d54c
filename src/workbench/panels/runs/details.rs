//! What is known of the chosen run, and what somebody writes about it.

use std::path::PathBuf;

use egui::{Layout, RichText, TextEdit, Ui, vec2};

use super::data::{RunsRow, rules};
use crate::experiment::{Manifest, RunNotes, Stint};
use crate::words;
use crate::workbench::command::{Commands, RunsCommand};
use crate::workbench::kit::{Button, line_edit, paragraph, reading_area, small_print};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Longest tags and note that can be typed, in characters.
const LONGEST_TAGS: usize = 200;
const LONGEST_NOTE: usize = 10_000;

/// Tags and note as they are typed; kept when their field is left.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    path: PathBuf,
    tags: String,
    note: String,
    /// What was written last, and what the list says.
    written: RunNotes,
    listed: RunNotes,
    /// The field of the tags is to get the keys.
    asked: bool,
}

impl Draft {
    /// Somebody wants to write about this run.
    pub(super) fn asked(path: PathBuf) -> Self {
        Self { path, asked: true, ..Self::default() }
    }

    /// Turns to the chosen run. What the list says of it counts, unless something else is being typed.
    fn follow(&mut self, row: &RunsRow, commands: &mut Commands) {
        let notes = &row.run.notes;
        let is_other = self.path != *row.path();
        if is_other {
            self.keep(commands);
        }
        let is_typed = self.typed() != self.written;
        if is_other || self.listed != *notes && !is_typed {
            let (tags, note) = (notes.tags.join(", "), notes.note.clone());
            let asked = self.asked && !is_other;
            *self = Self { path: row.path().clone(), tags, note, written: notes.clone(), listed: notes.clone(), asked };
        }
        self.listed.clone_from(notes);
    }

    fn typed(&self) -> RunNotes {
        RunNotes { tags: RunNotes::tags_of(&self.tags), note: self.note.trim_end().to_owned() }
    }

    /// Writes what was typed, if that is something else than there is.
    fn keep(&mut self, commands: &mut Commands) {
        let notes = self.typed();
        if self.written != notes {
            commands.push(RunsCommand::Describe(self.path.clone(), notes.clone()));
            self.written = notes;
        }
    }
}

pub(super) fn ui(ui: &mut Ui, row: &RunsRow, draft: &mut Draft, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
    let path = row.path();
    ui.horizontal(|ui| {
        let open = Button::new("Open").accent().small().name("Open run");
        commands.show(ui, open, RunsCommand::Open(path.clone()), doc);
        let (pin, text) = super::pin_command(row, doc);
        let name = format!("{text} run");
        commands.show(ui, Button::new(text).small().name(&name), pin, doc);
        let copy = Button::new("Copy path").small();
        commands.show(ui, copy, RunsCommand::CopyPath(path.clone()), doc);
        let delete = Button::new("Delete").small().name("Delete run");
        commands.show(ui, delete, RunsCommand::Delete(path.clone()), doc);
    });
    draft.follow(row, commands);
    let tags = line_edit(&mut draft.tags, "Tags, with commas between them").char_limit(LONGEST_TAGS);
    let tags = ui.add(tags.desired_width(f32::INFINITY)).accessible_name("Tags of the run");
    if std::mem::take(&mut draft.asked) {
        tags.request_focus();
    }
    let note = TextEdit::multiline(&mut draft.note).hint_text("Note").char_limit(LONGEST_NOTE).desired_rows(2);
    let note = ui.add(note.desired_width(f32::INFINITY)).accessible_name("Note of the run");
    if tags.lost_focus() || note.lost_focus() {
        draft.keep(commands);
    }
    reading_area(ui, "facts", "About the run", |ui| {
        ui.with_layout(Layout::top_down(egui::Align::Min), |ui| match &row.run.manifest {
            Err(error) => drop(paragraph(ui, format!("✗ {error}"), theme.error)),
            Ok(manifest) => {
                ui.label(RichText::new(&row.title).font(theme::strong()).color(theme.text1));
                for line in facts(manifest) {
                    small_print(ui, line, theme.text2);
                }
                small_print(ui, path.display().to_string(), theme.text3);
            }
        });
    });
}

/// Everything that the list has no room for, a line each.
fn facts(manifest: &Manifest) -> Vec<String> {
    let names: Vec<&str> = manifest.strategies.iter().map(|one| one.name.as_str()).collect();
    let mut lines = vec![
        words::capitalised(&manifest.end_reason.to_string()),
        format!(
            "{} of each strategy, seed {}, {}",
            words::plural(manifest.games, "game"),
            manifest.seed,
            rules(manifest)
        ),
        words::list(&names),
    ];
    let cpu: f64 = manifest.strategies.iter().filter_map(|one| one.cpu_secs).sum();
    let machines: Vec<String> = {
        let mut names: Vec<String> = manifest.history.iter().map(machine).collect();
        names.sort();
        names.dedup();
        names
    };
    if 0.0 < cpu {
        let played = match manifest.history.len() {
            1 => "1 process".to_owned(),
            more => format!("{more} processes"),
        };
        lines.push(format!("{} of CPU time, {played}: {}", words::time(cpu), machines.join("; ")));
    }
    lines
}

fn machine(stint: &Stint) -> String {
    format!("{}, version {}", stint.machine, stint.version)
}

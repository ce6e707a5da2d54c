//! Details of the chosen run, and the user's tags and note.

use std::path::PathBuf;
use std::time::Duration;

use egui::{EventFilter, Key, Layout, RichText, TextEdit, Ui, vec2};
use itertools::Itertools as _;

use super::data::{RunsRow, Source, begun, rules};
use crate::experiment::{Manifest, RunNotes, Stint};
use crate::learning::Training;
use crate::prose::{self, SetupDifference};
use crate::table::{Column, Table as Data};
use crate::words;
use crate::workbench::command::{Commands, RunsCommand};
use crate::workbench::kit::{
    Button, DataTable, Sort, line_edit, paragraph, reading_area, segmented, small_print,
};
use crate::workbench::state::{Document, Trainings};
use crate::workbench::theme::{self, Theme};

/// Minimum width at which all buttons are on one line.
const ONE_LINE: f32 = 480.0;
/// Maximum length of tags and note, in characters.
const LONGEST_TAGS: usize = 200;
const LONGEST_NOTE: usize = 10_000;

/// Seconds after the last keystroke until the text is saved, so that even a killed process loses little.
const WRITE_AFTER: f64 = 1.0;

/// Tags and note as typed; saved after a pause, when the field loses the focus, and when the window closes.
#[derive(Clone, Debug, Default)]
struct Draft {
    path: PathBuf,
    tags: String,
    note: String,
    /// The text saved last, and the text in the list.
    written: RunNotes,
    listed: RunNotes,
    is_ahead: bool,
    /// Whether to focus the field of the tags.
    wants_focus: bool,
    /// Time of the last keystroke.
    typed_at: f64,
}

impl Draft {
    fn asked(path: PathBuf) -> Self {
        Self {
            path,
            wants_focus: true,
            ..Self::default()
        }
    }

    /// Switches to the chosen run. Takes the text of the list, unless the user is typing.
    fn follow(&mut self, row: &RunsRow, commands: &mut Commands) {
        let notes = &row.notes;
        let is_other = self.path != *row.path();
        if is_other {
            self.keep(commands);
        }
        let is_typed = self.typed() != self.written;
        // The list shows the old text until it has been read again.
        self.is_ahead &= !is_other && *notes != self.written;
        if is_other
            || self.listed != *notes && !is_typed && !self.is_ahead && *notes != self.written
        {
            let (tags, note) = (notes.tags.join(", "), notes.note.clone());
            let (wants_focus, written) = (self.wants_focus && !is_other, notes.clone());
            *self = Self {
                path: row.path().clone(),
                tags,
                note,
                written,
                wants_focus,
                ..Self::default()
            };
        }
        self.listed.clone_from(notes);
    }

    /// Saves the text after a pause, or when the field lost the focus.
    fn keep_at_rest(&mut self, ui: &Ui, is_left: bool, commands: &mut Commands) {
        if self.typed() == self.written {
            return;
        }
        let wait = self.typed_at + WRITE_AFTER - ui.input(|input| input.time);
        if is_left || wait <= 0.0 {
            self.keep(commands);
        } else {
            ui.ctx()
                .request_repaint_after(Duration::from_secs_f64(wait));
        }
    }

    fn typed(&self) -> RunNotes {
        let note = self.note.trim_end().to_owned();
        RunNotes {
            tags: RunNotes::tags_of(&self.tags),
            note,
            title: self.written.title.clone(),
            problem: self.written.problem.clone(),
        }
    }

    /// Saves the text if it changed.
    fn keep(&mut self, commands: &mut Commands) {
        let notes = self.typed();
        if self.written != notes {
            commands.push(RunsCommand::Describe(self.path.clone(), notes.clone()));
            (self.written, self.is_ahead) = (notes, true);
        }
    }
}

/// The view of the chosen run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shows {
    #[default]
    About,
    /// The differences between it, the current run and the pinned ones.
    Differences,
}

#[derive(Debug)]
pub(super) struct Details {
    draft: Draft,
    shows: Shows,
    /// By column of the differences; unsorted by default.
    sort: Sort<usize>,
}

impl Default for Details {
    fn default() -> Self {
        Self {
            draft: Draft::default(),
            shows: Shows::default(),
            sort: Sort::new(usize::MAX, false),
        }
    }
}

impl Details {
    /// Starts editing the tags of this run.
    pub(super) fn describe(&mut self, path: PathBuf) {
        (self.draft, self.shows) = (Draft::asked(path), Shows::About);
    }

    /// Saves the text at once; called when the window closes.
    pub(super) fn keep(&mut self, commands: &mut Commands) {
        self.draft.keep(commands);
    }

    /// Draws the details; true if the user left a field by key, so that the list takes the focus.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        row: &RunsRow,
        doc: &Document,
        commands: &mut Commands,
    ) -> bool {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        self.draft.follow(row, commands);
        let compared = Compared::of(row, doc);
        let is_wide = ONE_LINE <= ui.available_width();
        let mut choice_ui = |ui: &mut Ui| {
            let about =
                "Show where the set-ups of this run, the run on screen and the pinned runs differ";
            let shows = [(Shows::About, "About"), (Shows::Differences, "Differences")];
            segmented(ui, "About the run", &mut self.shows, &shows).on_hover_text(about);
        };
        ui.horizontal(|ui| {
            buttons_ui(ui, row, doc, commands);
            if is_wide && 1 < compared.titles.len() {
                choice_ui(ui);
            }
        });
        if !is_wide && 1 < compared.titles.len() {
            ui.horizontal(choice_ui);
        }

        if self.shows == Shows::Differences && 1 < compared.titles.len() {
            self.differences_ui(ui, compared);
            return false;
        }

        let theme = Theme::of(ui);
        let draft = &mut self.draft;
        let tags = line_edit(&mut draft.tags, "Tags, separated by commas").char_limit(LONGEST_TAGS);
        let tags = ui
            .add(tags.desired_width(f32::INFINITY))
            .accessible_name("Tags of the run");
        if draft.wants_focus {
            // A closing menu returns the focus to its previous owner, so request it again.
            draft.wants_focus = !tags.has_focus() || egui::Popup::is_any_open(ui.ctx());
            tags.request_focus();
            ui.ctx().request_repaint();
        }

        let own = EventFilter {
            escape: true,
            horizontal_arrows: true,
            vertical_arrows: true,
            tab: false,
        };
        let note = TextEdit::multiline(&mut draft.note)
            .hint_text("Note")
            .char_limit(LONGEST_NOTE)
            .desired_rows(2);
        let note = note.event_filter(own);
        let note = ui
            .add(note.desired_width(f32::INFINITY))
            .accessible_name("Note of the run");
        if tags.changed() || note.changed() {
            draft.typed_at = ui.input(|input| input.time);
        }
        let field = [&tags, &note].into_iter().find(|field| field.has_focus());
        let escaped = field.filter(|_| ui.input(|input| input.key_pressed(Key::Escape)));
        escaped
            .into_iter()
            .for_each(egui::Response::surrender_focus);
        let entered = tags.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let is_left = entered || escaped.is_some();
        draft.keep_at_rest(ui, is_left || field.is_none(), commands);
        reading_area(ui, "facts", "About the run", |ui| {
            ui.with_layout(Layout::top_down(egui::Align::Min), |ui| {
                let lines = match (&row.source, row.training()) {
                    (Source::Run(run), _) => match &run.manifest {
                        Ok(manifest) => Ok(facts(manifest, run.finished)),
                        Err(error) => Err(error.to_string()),
                    },
                    (_, name) => training_facts(name.unwrap_or_default(), doc.trainings()),
                };
                match lines {
                    Err(error) => drop(paragraph(ui, format!("✗ {error}"), theme.error)),
                    Ok(lines) => {
                        ui.label(
                            RichText::new(&row.title)
                                .font(theme::strong())
                                .color(theme.text1),
                        );
                        for line in lines {
                            small_print(ui, line, theme.text2);
                        }
                        small_print(ui, row.path.display().to_string(), theme.text3);
                        if let Some(reason) = &row.notes.problem {
                            paragraph(ui, format!("✗ {reason}"), theme.error);
                        }
                    }
                }
            });
        });

        is_left
    }

    /// One row per differing setting, one column per run.
    fn differences_ui(&mut self, ui: &mut Ui, Compared { titles, found }: Compared) {
        const GAP: f32 = 12.0;
        const LEAST: f32 = 84.0;
        type Row<'a> = &'a SetupDifference;
        if found.is_empty() {
            paragraph(ui, "These runs have the same set-up", Theme::of(ui).text2);
            return;
        }

        let mut columns = vec![Column::text(
            "setting",
            "setting",
            "Setting that differs between these runs",
            |one: &Row<'_>| one.setting.clone(),
        )];
        columns.extend(titles.into_iter().enumerate().map(|(run, title)| {
            Column::text(
                run.to_string(),
                title,
                "Settings of this run",
                move |one: &Row<'_>| one.values.get(run).cloned().unwrap_or_default(),
            )
            .named()
        }));
        let width = ((ui.available_width() - 8.0) / columns.len() as f32 - GAP).max(LEAST);
        let (id, name) = ("differences", "Differences of set-ups");
        let table = DataTable {
            id,
            name,
            data: Data::of(&columns, &found).into(),
            sort: &mut self.sort,
            gap: GAP,
        };
        table.show(
            ui,
            |_, _, _| width,
            |_, cells| format!("{}: {}", cells[0], cells[1..].join("; ")),
        );
    }
}

/// The compared set-ups and their differences: a run is compared with the current and the pinned runs, a training with
/// the pinned trainings.
struct Compared {
    titles: Vec<String>,
    found: Vec<SetupDifference>,
}

impl Compared {
    fn of(row: &RunsRow, doc: &Document) -> Self {
        let Some(name) = row.training() else {
            return Self::of_runs(row, doc);
        };
        let all = doc.trainings();
        let names = all.pinned().chain([name]).unique();
        let trainings: Vec<(String, &Training)> = names
            .filter_map(|name| Some((name.to_owned(), all.training(name)?)))
            .collect();
        let set_ups: Vec<&Training> = trainings.iter().map(|(_, training)| *training).collect();
        let found = prose::training_differences(&set_ups);
        Self {
            titles: trainings.into_iter().map(|(name, _)| name).collect(),
            found,
        }
    }

    fn of_runs(row: &RunsRow, doc: &Document) -> Self {
        let chosen = std::iter::once(row.path.as_path());
        let paths = doc
            .run_on_screen()
            .into_iter()
            .chain(doc.pinned_runs())
            .chain(chosen)
            .unique();
        let runs = paths.filter_map(|path| doc.kept_runs().find(path));
        let runs: Vec<(String, &Manifest)> = runs
            .filter_map(|run| Some((run.title(), run.manifest.as_ref().ok()?)))
            .collect();
        let manifests: Vec<&Manifest> = runs.iter().map(|(_, manifest)| *manifest).collect();
        let found = prose::setup_differences(&manifests);
        let titles = runs.iter().map(|(title, _)| title.clone()).counts();
        let named = runs
            .into_iter()
            .map(|(title, manifest)| match titles[&title] {
                1 => title,
                _ => format!("{title}, {}", begun(&manifest.started)),
            });
        Self {
            titles: named.collect(),
            found,
        }
    }
}

fn buttons_ui(ui: &mut Ui, row: &RunsRow, doc: &Document, commands: &mut Commands) {
    let path = &row.path;
    let open = Button::new("Open").accent().small().name("Open run");
    commands.show(ui, open, super::open_command(row), doc);
    if let Some(resume) = super::resume_command(row, doc) {
        commands.show(
            ui,
            Button::new("Resume").small().name("Resume training"),
            resume,
            doc,
        );
    }
    let (pin, text) = super::pin_command(row, doc);
    let name = format!("{text} run");
    commands.show(ui, Button::new(text).small().name(&name), pin, doc);
    let copy = Button::new("Copy path").small();
    commands.show(ui, copy, RunsCommand::CopyPath(path.clone()), doc);
    let delete = Button::new("Delete").small().name("Delete run");
    commands.show(ui, delete, super::delete_command(row), doc);
}

/// Facts about a training beyond the list, one per line, or the problem of its file.
fn training_facts(name: &str, all: &Trainings) -> Result<Vec<String>, String> {
    let saved = all.find(name).filter(|saved| !saved.ships);
    if let Some(Err(reason)) = saved.map(|saved| &saved.info) {
        return Err(reason.clone());
    }

    let mut lines = vec![words::capitalised(all.state_words(name))];
    lines.extend(all.training(name).map(|training| {
        let title = if training.title.is_empty() {
            String::new()
        } else {
            format!("{}: ", training.title)
        };
        let weights = words::plural(training.network.weights(), "weight");
        format!(
            "{title}{}, {}, {weights}, seed {}",
            training.network.label(),
            training.rule_name(),
            training.seed
        )
    }));
    lines.extend(all.curve(name).last().and_then(|point| {
        let (n, mean) = (
            words::count(point.learnt.n),
            words::decimals(point.learnt.mean()?, 0),
        );
        Some(format!("The last {n} games have a mean of {mean}"))
    }));
    lines.extend(saved.and_then(|saved| saved.manifest()).map(|manifest| {
        let command = if manifest.command.is_empty() {
            String::new()
        } else {
            format!(": {}", manifest.command)
        };
        let threads = words::plural(manifest.threads, "thread");
        format!(
            "{} on {threads}, version {}{command}",
            words::time(manifest.secs),
            manifest.version
        )
    }));

    Ok(lines)
}

/// All facts beyond the list, one per line.
fn facts(manifest: &Manifest, finished: u64) -> Vec<String> {
    let names: Vec<&str> = manifest
        .strategies
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    let mut lines = vec![words::capitalised(&manifest.end_reason.to_string())];
    lines.extend(prose::answer_texts(manifest, finished));
    lines.extend([
        format!(
            "{}, seed {}, {}",
            manifest.games_text(),
            manifest.seed,
            rules(manifest)
        ),
        words::list(&names),
    ]);

    let cpu: f64 = manifest
        .strategies
        .iter()
        .filter_map(|one| one.cpu_secs)
        .sum();
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
        lines.push(format!(
            "{} of CPU time, {played}: {}",
            words::time(cpu),
            machines.join("; ")
        ));
    }

    lines
}

fn machine(stint: &Stint) -> String {
    format!("{}, version {}", stint.machine, stint.version)
}

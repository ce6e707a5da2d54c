//! The saved runs: search, sort, open, describe and delete.
//!
//! A worker reads the list, which fills as it comes. Details of the chosen run are below or next to it.

mod data;
mod details;

use std::ops::RangeInclusive;
use std::path::PathBuf;

use egui::{
    Align, Label, Layout, Popup, PopupCloseBehavior, RichText, Sense, Stroke, Ui, UiBuilder,
};

use crate::prose;
use crate::words;
use crate::workbench::command::{
    CTRL, Command, Commands, LearningCommand, Panel, RunsCommand, SelectionCommand,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{
    Button, DataCell, DataList, DataRows, DataSource, DataTable, Sort, came_to_front,
    column_choices, copy_entries, empty, focus, is_by_key, menu_entry, removable_chip,
    search_field,
};
use crate::workbench::state::Document;
use crate::workbench::state::settings::ExperimentView;
use crate::workbench::theme::{self, Theme};

use data::{
    END, GAMES, PIN, RunsColumn, RunsList, RunsRow, TITLE, columns, count_text, folding, usual_sort,
};
use details::Details;

/// Gap between columns.
const GAP: f32 = 12.0;
/// Minimum width of a title.
const LEAST_TITLE: f32 = 150.0;
/// Minimum width at which the details are next to the list, else below it, …
const BESIDE: f32 = 1000.0;
/// … with this share of the width, within limits.
const DETAILS_SHARE: f32 = 0.34;
const DETAILS_WIDTH: RangeInclusive<f32> = 330.0..=520.0;
const DETAILS_HEIGHT: f32 = 148.0;
/// Below this height the details replace the list on request.
const LEAST_WITH_DETAILS: f32 = 270.0;
/// Seconds between two reads of the folder while the list is visible.
const LOOKS_EVERY: f64 = 5.0;

#[derive(Debug)]
pub(crate) struct RunsPanel {
    query: String,
    sort: Sort<usize>,
    /// Columns hidden by the user, and those that are seen.
    hidden: Vec<usize>,
    shown: Vec<usize>,
    /// The folder of the chosen run.
    selected: Option<PathBuf>,
    list: RunsList,
    /// Of the columns; 0 for one that is empty in all rows.
    widths: Vec<f32>,
    /// The inputs of the list: versions of the lists of runs and trainings, query, order.
    made_of: Option<([u64; 2], String, Sort<usize>)>,
    details: Details,
    /// Whether the details replace the list, if both do not fit.
    instead: bool,
    /// Number of the last frame that drew the panel.
    drawn: Option<u64>,
    /// When the folder was last read, in seconds of the window.
    looked: f64,
    requests: Vec<SelectionCommand>,
    /// Whether to scroll to the chosen row and focus it.
    reveal: bool,
    /// The chosen row if it had the focus, which follows it.
    had_keys: Option<egui::Id>,
}

impl Default for RunsPanel {
    fn default() -> Self {
        Self {
            query: String::new(),
            sort: usual_sort(),
            hidden: Vec::new(),
            shown: Vec::new(),
            selected: None,
            list: RunsList::default(),
            widths: Vec::new(),
            made_of: None,
            details: Details::default(),
            instead: false,
            drawn: None,
            looked: 0.0,
            requests: Vec::new(),
            reveal: false,
            had_keys: None,
        }
    }
}

impl RunsPanel {
    pub(crate) fn tell_view(&self, view: &mut ExperimentView) {
        let all = columns();
        view.hidden_of_runs = self
            .hidden
            .iter()
            .map(|&column| all[column].data.head.key.clone())
            .collect();
    }

    pub(crate) fn restore_view(&mut self, view: &ExperimentView) {
        let all = columns();
        let is_optional = |key: &str| ![PIN, TITLE].contains(&key);
        let of_key = |key: &String| {
            all.iter()
                .position(|one| one.data.head.key == *key && is_optional(key))
        };
        self.hidden = view.hidden_of_runs.iter().filter_map(of_key).collect();
    }

    /// Queues a command for the chosen run.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.requests.push(command);
    }

    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        self.look_at_disk(ui, doc, commands);
        let Some(place) = doc.place_of_runs() else {
            let sentence = "This system has no folder for data, so runs are not saved\nChoose a folder with --config-dir";
            empty(ui, sentence);
            return;
        };

        let runs = doc.kept_runs().runs().unwrap_or_default();
        let versions = [doc.kept_runs().version(), doc.trainings().list_version()];
        let made_of = (versions, self.query.clone(), self.sort);
        if self.made_of.as_ref() != Some(&made_of) {
            self.list = RunsList::new(runs, doc.trainings(), &self.query, self.sort);
            self.made_of = Some(made_of);
            // By now a field may have the focus.
            self.reveal |= self
                .had_keys
                .is_some_and(|row| ui.memory(|memory| memory.has_focus(row)));
            self.measure(ui);
        }
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        let below = ui.available_height() - theme::CONTROL - theme::SPACE_M;
        let is_tight = ui.available_width() < BESIDE && below < LEAST_WITH_DETAILS;
        self.head_ui(ui, is_tight, doc, commands);
        self.take_requests(doc, commands);
        let room = ui.available_rect_before_wrap();
        let chosen = self.chosen().cloned();
        self.instead &= is_tight && chosen.is_some();
        let (mut list, mut details) = (room, None);
        if self.instead {
            (list.max.y, details) = (list.min.y, Some(room));
        } else if BESIDE <= room.width() && chosen.is_some() {
            let width =
                (DETAILS_SHARE * room.width()).clamp(*DETAILS_WIDTH.start(), *DETAILS_WIDTH.end());
            list.max.x -= width.round() + theme::SPACE_L;
            details = Some(room.with_min_x(list.right() + theme::SPACE_L));
        } else if !is_tight && chosen.is_some() {
            list.max.y -= DETAILS_HEIGHT.max(0.3 * room.height()) + theme::SPACE_M;
            details = Some(room.with_min_y(list.bottom() + theme::SPACE_M));
            ui.painter().hline(
                room.x_range(),
                list.bottom().round() + 2.5,
                Stroke::new(1.0, Theme::of(ui).sep),
            );
        }

        let mut inside = ui.new_child(UiBuilder::new().id_salt("list").max_rect(list));
        if self.instead {
            // The details replace the list.
        } else if self.list.rows.is_empty() && runs.is_empty() && doc.kept_runs().is_reading() {
            empty(&mut inside, "Reading the saved runs…");
        } else if runs.is_empty() && self.list.rows.is_empty() && self.query.is_empty() {
            let run = "or type afterstate run quick-start in a terminal. Runs are saved in";
            empty(
                &mut inside,
                &format!(
                    "No run is saved yet\nPress {CTRL} R, {run} {}",
                    place.display()
                ),
            );
        } else if self.list.rows.is_empty() {
            empty(&mut inside, "Nothing found");
        } else {
            self.list_ui(&mut inside, doc, commands);
        }

        // A menu of the list may have chosen another run.
        if let Some((rect, row)) = details.zip(self.chosen().cloned()) {
            let mut inside = ui.new_child(UiBuilder::new().id_salt("details").max_rect(rect));
            if self.details.ui(&mut inside, &row, doc, commands) {
                (self.instead, self.reveal) = (false, true);
                ui.ctx().request_repaint();
            }
        }

        ui.allocate_rect(room, Sense::hover());
    }

    /// Reads the folder every few seconds, and when the window or the panel comes to the front.
    fn look_at_disk(&mut self, ui: &Ui, doc: &Document, commands: &mut Commands) {
        let frame = ui.ctx().cumulative_frame_nr();
        let comes_up = self
            .drawn
            .replace(frame)
            .is_none_or(|drawn| drawn + 1 < frame);
        // Other windows, the command line and other machines may start and extend runs at any time.
        let now = ui.input(|input| input.time);
        let is_due = self.looked + LOOKS_EVERY < now && !doc.kept_runs().is_reading();
        if comes_up || came_to_front(ui) || is_due {
            self.looked = now;
            commands.push(RunsCommand::List);
            commands.push(LearningCommand::List);
        }
        ui.ctx().request_repaint_after_secs(LOOKS_EVERY as f32);
    }

    fn chosen(&self) -> Option<&RunsRow> {
        self.list
            .rows
            .iter()
            .find(|row| Some(row.path()) == self.selected.as_ref())
    }

    /// Saves text being typed; called when the window closes.
    pub(crate) fn keep(&mut self, commands: &mut Commands) {
        self.details.keep(commands);
    }

    /// The search field and the number of matches; in a tight panel also the switch between list and details.
    fn head_ui(&mut self, ui: &mut Ui, is_tight: bool, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let size = egui::vec2(ui.available_width(), theme::CONTROL);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            self.menu_ui(ui);
            let runs = doc.kept_runs();
            let (trainings, (read, there)) = (doc.trainings().own().len(), runs.counts());
            let count = count_text(
                &self.list.rows,
                (read + trainings, there + trainings),
                runs.is_reading(),
            );
            ui.label(RichText::new(count).color(theme.text2));
            if is_tight && self.chosen().is_some() {
                let (text, about) = match self.instead {
                    true => ("List", "Back to the list of runs"),
                    false => ("Details", "Details, tags and note of the selected run"),
                };
                if ui
                    .push_id("details", |ui| ui.add(Button::new(text).small()))
                    .inner
                    .on_hover_text(about)
                    .clicked()
                {
                    self.reveal = self.instead;
                    self.instead = !self.instead;
                }
            }

            let pinned = doc.pinned_runs().count() + doc.trainings().pinned().count();
            // The changing widgets next to the field affect neither its place nor its focus.
            let chip = |ui: &mut Ui| {
                removable_chip(ui, &format!("{pinned} pinned"), "Unpin all runs").clicked()
            };
            if pinned != 0 && ui.push_id("pinned", chip).inner {
                commands.push(RunsCommand::UnpinAll);
            }

            let response = ui
                .push_id("words", |ui| {
                    search_field(ui, &mut self.query, "Find a run")
                })
                .inner;
            if self.requests.contains(&SelectionCommand::FindRun) {
                response.request_focus();
            }
            focus::home(&response, Panel::Runs.area());
            let pressed = |key| ui.input(|input| input.key_pressed(key));
            let goes_down = response.has_focus() && pressed(egui::Key::ArrowDown);
            if goes_down || response.lost_focus() && pressed(egui::Key::Enter) {
                self.choose_first();
            }
        });
    }

    /// The menu that copies the table and chooses its columns.
    fn menu_ui(&mut self, ui: &mut Ui) {
        let about = "Copy the list and choose its columns; columns that do not fit are hidden";
        let button = icon_button(ui, Icon::Menu, "Menu of the list of runs", about);
        Popup::menu(&button)
            .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
            .show(|ui| {
                copy_entries(ui, || self.list.data.clone());
                ui.separator();
                let heads = self.list.data.heads.iter().enumerate();
                let optional = heads.filter(|(column, head)| {
                    ![PIN, TITLE].contains(&&*head.key) && 0.0 < self.widths[*column]
                });
                let optional: Vec<(usize, String)> = optional
                    .map(|(column, head)| (column, head.capitalised()))
                    .collect();
                column_choices(ui, &mut self.hidden, &optional, &self.shown);
            });
    }

    /// Selects and focuses the first run.
    fn choose_first(&mut self) {
        self.selected = self.list.rows.first().map(|row| row.path().clone());
        self.reveal = true;
    }

    fn take_requests(&mut self, doc: &Document, commands: &mut Commands) {
        for request in std::mem::take(&mut self.requests) {
            let Some(row) = self.chosen().cloned() else {
                match request {
                    SelectionCommand::UnpinRuns => commands.push(RunsCommand::UnpinAll),
                    SelectionCommand::FindRun => {}
                    _ => self.choose_first(),
                }
                continue;
            };
            let path = row.path.clone();
            // The focus stays with the run.
            self.reveal |= matches!(
                request,
                SelectionCommand::PinRun | SelectionCommand::CopyRunPath
            );
            match request {
                SelectionCommand::OpenRun => commands.push(open_command(&row)),
                SelectionCommand::PinRun => commands.push(pin_command(&row, doc).0),
                SelectionCommand::UnpinRuns => commands.push(RunsCommand::UnpinAll),
                SelectionCommand::CopyRunPath => commands.push(RunsCommand::CopyPath(path)),
                SelectionCommand::DeleteRun => self.delete(&row, commands),
                SelectionCommand::DescribeRun => self.describe(path),
                _ => {}
            }
        }
    }

    /// Focuses the fields for tags and note.
    fn describe(&mut self, path: PathBuf) {
        self.instead = true;
        self.details.describe(path);
    }

    /// Deletes a run. If it was chosen, the next one below, or else above, becomes chosen.
    fn delete(&mut self, row: &RunsRow, commands: &mut Commands) {
        if self.selected.as_ref() == Some(row.path()) {
            let place = self
                .list
                .rows
                .iter()
                .position(|other| other.path == row.path);
            let next = place.and_then(|place| {
                self.list
                    .rows
                    .get(place + 1)
                    .or_else(|| self.list.rows.get(place.checked_sub(1)?))
            });
            self.selected = next.map(|row| row.path().clone());
            self.reveal = true;
        }
        commands.push(delete_command(row));
    }

    /// Computes the widths of the columns from their longest texts.
    fn measure(&mut self, ui: &Ui) {
        let width = |text: &str, font| {
            ui.painter()
                .layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER)
                .size()
                .x
        };
        let of_column = |(column, RunsColumn { data, most, .. }): (usize, &RunsColumn<'_>)| {
            let longest = self
                .list
                .texts_of(column)
                .max_by_key(|text| text.chars().count());
            match (&*data.head.key, longest) {
                (PIN, _) => *most,
                (TITLE, _) => LEAST_TITLE,
                (_, None) => 0.0,
                (_, Some(longest)) => {
                    let title = width(&data.head.title, theme::small()) + 16.0;
                    (width(longest, theme::body()) + 4.0)
                        .min(*most)
                        .max(title)
                        .ceil()
                }
            }
        };
        self.widths = columns().iter().enumerate().map(of_column).collect();
    }

    fn list_ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let Self {
            list: RunsList { rows, data, texts },
            sort,
            selected,
            reveal,
            had_keys,
            widths,
            ..
        } = self;
        *had_keys = None;
        let chosen = rows
            .iter()
            .position(|row| selected.as_ref() == Some(row.path()));
        let revealed = chosen.filter(|_| *reveal);
        *reveal &= revealed.is_some();
        let empty = (0..widths.len()).filter(|&column| widths[column] == 0.0);
        let (hidden, folding) = (
            self.hidden.iter().copied().chain(empty).collect::<Vec<_>>(),
            folding(),
        );
        let wide = data
            .column(TITLE)
            .map(|column| (column, LEAST_TITLE + columns()[column].most));
        let (hidden, folding, wide) = (&*hidden, &*folding, wide.as_slice());
        let look = DataRows {
            selected: chosen,
            revealed,
            hidden,
            folding,
            wide,
            ..DataRows::default()
        };
        let (mut deleted, mut described) = (None, None);
        let mut requested: Vec<Command> = Vec::new();
        let source = DataList {
            heads: &data.heads,
            len: rows.len(),
            cells: &|row| texts[row].clone(),
        };
        let table = DataTable {
            id: "runs",
            name: "Runs",
            data: DataSource::Listed(source),
            sort,
            gap: GAP,
        };
        let width = |_: &Ui, column: usize, _: &[Vec<String>]| widths[column];
        let row_name = |row: usize, _: &[String]| rows[row].name();
        let cell_ui = |ui: &mut Ui, cell: DataCell<'_>| {
            cell_ui(
                ui,
                &rows[cell.row],
                &data.heads[cell.column].key,
                cell.text,
                doc,
                commands,
            );
        };
        let shown = table.show_rows(ui, look, width, row_name, cell_ui, |place, response| {
            let (row, is_chosen) = (&rows[place], chosen == Some(place));
            let is_revealed = is_chosen && std::mem::take(reveal);
            if is_revealed {
                response.request_focus();
            }

            if response.clicked() {
                response.request_focus();
            }
            if response.clicked() || response.gained_focus() && !is_revealed {
                *selected = Some(row.path().clone());
            }

            if is_chosen && response.has_focus() {
                *had_keys = Some(response.id);
            }

            if response.double_clicked() || is_by_key(&response) {
                requested.push(open_command(row));
            }

            Popup::context_menu(&response).show(|ui| {
                let path = || row.path().clone();
                if menu_entry(ui, "Open", Some("Enter"), Ok(())) {
                    requested.push(open_command(row));
                }
                if let Some(resume) = resume_command(row, doc)
                    && menu_entry(ui, "Resume training", None, Ok(()))
                {
                    requested.push(resume);
                }
                let (pin, text) = pin_command(row, doc);
                if menu_entry(ui, text, Some("P"), Ok(())) {
                    requested.push(pin);
                }
                if menu_entry(ui, "Tags and note", Some("F2"), Ok(())) {
                    described = Some(path());
                }
                if menu_entry(ui, "Copy path", None, Ok(())) {
                    requested.push(RunsCommand::CopyPath(path()).into());
                }
                if menu_entry(ui, "Delete", Some("Delete"), Ok(())) {
                    deleted = Some(row.clone());
                }
            });
        });

        requested
            .into_iter()
            .for_each(|command| commands.push(command));
        if self.shown != shown {
            self.shown = shown;
            ui.ctx().request_repaint();
        }
        if self.reveal {
            ui.ctx().request_repaint();
        }

        if let Some(path) = described {
            self.selected = Some(path.clone());
            self.describe(path);
        }

        if let Some(row) = deleted {
            self.delete(&row, commands);
        }
    }
}

/// A cell by the key of its column. The games and the state of an active run are newer than its text.
fn cell_ui(
    ui: &mut Ui,
    row: &RunsRow,
    column: &str,
    text: &str,
    doc: &Document,
    commands: &mut Commands,
) {
    let (theme, trainings) = (Theme::of(ui), doc.trainings());
    let learns = row
        .training()
        .filter(|name| trainings.live_of(name).is_some());
    let plays = || {
        doc.playing()
            .filter(|run| run.folder() == Some(&**row.path()))
    };
    match column {
        PIN => pin_ui(ui, row, doc, commands),
        TITLE => title_ui(ui, row, doc.run_on_screen() == Some(&**row.path())),
        GAMES => {
            let played = plays().and_then(|run| Some(run.progress()?.work.done));
            let now = played.or_else(|| learns.map(|name| trainings.games(name)));
            let text = now.map_or_else(|| text.to_owned(), |games| row.games_now(games));
            text_ui(ui, &text, theme.text1);
        }
        END => {
            let text = learns.map_or(text, |name| trainings.state_words(name));
            let label = text_ui(
                ui,
                text,
                if row.is_wrong {
                    theme.error
                } else {
                    theme.text2
                },
            );
            if let Some(run) = row.run()
                && let Ok(manifest) = &run.manifest
            {
                label.on_hover_ui(|ui| {
                    let reason = words::capitalised(&manifest.end_reason.to_string());
                    let answers = prose::answer_texts(manifest, run.finished);
                    ui.label([vec![reason], answers].concat().join("\n"));
                });
            }
        }
        _ => drop(text_ui(ui, text, theme.text2)),
    }
}

fn text_ui(ui: &mut Ui, text: &str, color: egui::Color32) -> egui::Response {
    ui.add(Label::new(RichText::new(text).color(color)).truncate())
}

/// The command that opens a row: shows a run, or opens a training in the Learning panel.
fn open_command(row: &RunsRow) -> Command {
    match row.training() {
        None => RunsCommand::Open(row.path.clone()).into(),
        Some(name) => LearningCommand::Show(name.to_owned()).into(),
    }
}

fn delete_command(row: &RunsRow) -> Command {
    match row.training() {
        None => RunsCommand::Delete(row.path.clone()).into(),
        Some(name) => LearningCommand::Delete(name.to_owned()).into(),
    }
}

/// The command that resumes an unfinished training.
fn resume_command(row: &RunsRow, doc: &Document) -> Option<Command> {
    let resume: Command = LearningCommand::Resume {
        name: row.training()?.to_owned(),
        games: None,
    }
    .into();
    doc.can(&resume).is_ok().then_some(resume)
}

/// The command that pins or unpins a row, and its label.
fn pin_command(row: &RunsRow, doc: &Document) -> (Command, &'static str) {
    let path = || row.path.clone();
    match (row.training(), is_pinned(row, doc)) {
        (None, true) => (RunsCommand::Unpin(path()).into(), "Unpin"),
        (None, false) => (RunsCommand::Pin(path()).into(), "Pin"),
        (Some(name), true) => (LearningCommand::Unpin(name.to_owned()).into(), "Unpin"),
        (Some(name), false) => (LearningCommand::Pin(name.to_owned()).into(), "Pin"),
    }
}

fn is_pinned(row: &RunsRow, doc: &Document) -> bool {
    row.training().map_or_else(
        || doc.is_pinned(&row.path),
        |name| doc.trainings().is_pinned(name),
    )
}

/// The title, followed by the facts that distinguish the run from others of that title.
fn title_ui(ui: &mut Ui, row: &RunsRow, is_on_screen: bool) {
    /// Maximum share of the cell for these facts.
    const MOST: f32 = 0.6;
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.x = theme::SPACE_S;
    let room = ui.available_width();
    let tells = RichText::new(&row.tells).color(theme.text2);
    let galley = ui
        .painter()
        .layout_no_wrap(row.tells.clone(), theme::body(), theme.text2);
    let width = if row.tells.is_empty() {
        0.0
    } else {
        (galley.size().x + theme::SPACE_S).min(MOST * room)
    };
    let title = RichText::new(&row.title).color(theme.text1);
    let title = if is_on_screen {
        title.font(theme::medium())
    } else {
        title
    };
    ui.scope(|ui| {
        ui.set_max_width(room - width);
        ui.add(Label::new(title).truncate());
    });

    if !row.tells.is_empty() {
        ui.add(Label::new(tells).truncate());
    }
}

fn pin_ui(ui: &mut Ui, row: &RunsRow, doc: &Document, commands: &mut Commands) {
    let (command, text) = pin_command(row, doc);
    let about = match row.training() {
        None => "Show its strategies with those on screen in the plots and the table",
        Some(_) => "Compare its set-up with the other pinned trainings",
    };
    let pinned = is_pinned(row, doc);
    let response = icon_button(ui, Icon::Pin, &format!("{text} {}", row.title), about);
    if pinned {
        let theme = Theme::of(ui);
        Icon::Pin.paint(ui.painter(), response.rect.center(), theme.accent);
    }
    commands.when_clicked(&response, command);
}

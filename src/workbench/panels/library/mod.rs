//! The library of strategies: the user's own files, and shipped ones by source.
//!
//! Only visible lines are laid out, so that hundreds of files scroll smoothly. Below the list are details of the
//! selected strategy: its note, and its differences to the current one.

mod data;
pub(super) mod presets;
mod row;

use std::collections::BTreeSet;
use std::path::PathBuf;

use egui::{Rect, Sense, Stroke, Ui, UiBuilder};

use super::Building;
use crate::preset::ItemFile;
use crate::strategy::Strategy;
use crate::workbench::command::{Command, Commands, LibraryCommand, SelectionCommand};
use crate::workbench::kit::{
    Button, RenameField, came_to_front, paragraph, reading_area, scroll_beside, search_field,
    small_print,
};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

use data::{LibraryEntry, LibraryKey, LibraryLine, lines};

const TITLE: f32 = 26.0;
const ENTRY: f32 = 40.0;
/// Below this height the list takes all the space.
const LEAST_WITH_DETAILS: f32 = 300.0;
const DETAILS: f32 = 132.0;

#[derive(Debug, Default)]
pub(crate) struct LibraryPanel {
    query: String,
    /// Indices of groups that the user folded or unfolded; by default only the user's own are unfolded.
    turned: BTreeSet<usize>,
    selected: Option<LibraryKey>,
    /// The file that is being renamed.
    renaming: Option<(PathBuf, RenameField)>,
    /// Whether to scroll to the selected entry and focus it.
    reveal: bool,
    /// Number of the last frame that drew the panel.
    drawn: u64,
    requests: Vec<SelectionCommand>,
}

impl LibraryPanel {
    /// Queues a command for the selected entry.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.requests.push(command);
    }

    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        _building: &mut Building,
        commands: &mut Commands,
    ) {
        self.look_at_disk(ui, commands);
        take_dropped(ui, doc, commands);
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
        search_field(ui, &mut self.query, "Find a strategy");
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            for (text, command) in [
                ("Save", LibraryCommand::Save),
                ("Save copy", LibraryCommand::SaveCopy),
                ("Import…", LibraryCommand::Import),
            ] {
                let command = Command::Library(command);
                commands.show(
                    ui,
                    Button::new(text).name(command.text()).small(),
                    command,
                    doc,
                );
            }
        });
        let items = lines(
            doc.library().files(),
            doc.shipped_strategies(),
            &self.query,
            &self.turned,
        );
        self.take_requests(&items, commands);

        let room = ui.available_rect_before_wrap();
        let selected = self.selected(&items);
        let split = match selected {
            Some(_) if LEAST_WITH_DETAILS <= room.height() => {
                room.bottom() - DETAILS.min(room.height() * 0.4)
            }
            _ => room.bottom(),
        };
        self.list_ui(
            ui,
            room.with_max_y(split - theme::SPACE_S),
            &items,
            doc,
            commands,
        );
        if let Some(entry) = selected.filter(|_| split < room.bottom()) {
            let below = room.with_min_y(split);
            ui.painter().hline(
                below.x_range(),
                split.round() - 0.5,
                Stroke::new(1.0, Theme::of(ui).sep),
            );
            let mut inside = ui.new_child(
                UiBuilder::new()
                    .id_salt("details")
                    .max_rect(below.with_min_y(split + 6.0)),
            );
            details_ui(&mut inside, entry, doc);
        }
        ui.allocate_rect(room, Sense::hover());
    }

    fn is_selected(&self, entry: LibraryEntry<'_>) -> bool {
        self.selected.as_ref() == Some(&entry.key())
    }

    fn selected<'a>(&self, items: &[LibraryLine<'a>]) -> Option<LibraryEntry<'a>> {
        items
            .iter()
            .filter_map(LibraryLine::entry)
            .find(|entry| self.is_selected(*entry))
    }

    /// Reads the folder when the window or the panel comes to the front, because other processes write to it.
    fn look_at_disk(&mut self, ui: &Ui, commands: &mut Commands) {
        let frame = ui.ctx().cumulative_frame_nr();
        let comes_up = self.drawn + 1 < frame;
        self.drawn = frame;
        if comes_up || came_to_front(ui) {
            commands.push(LibraryCommand::List);
        }
    }

    fn take_requests(&mut self, items: &[LibraryLine<'_>], commands: &mut Commands) {
        for request in std::mem::take(&mut self.requests) {
            match (request, self.selected(items)) {
                (SelectionCommand::RenameKept, Some(LibraryEntry::Own(item_file)))
                    if item_file.read().is_ok() =>
                {
                    self.rename(item_file);
                }
                (SelectionCommand::DeleteKept, Some(LibraryEntry::Own(item_file))) => {
                    commands.push(LibraryCommand::Delete(item_file.path.clone()));
                }
                // Without a selected file of the user's own, the shortcut selects the first one.
                (SelectionCommand::RenameKept | SelectionCommand::DeleteKept, _) => {
                    let is_own = |entry: &LibraryEntry<'_>| matches!(entry, LibraryEntry::Own(_));
                    let first = items.iter().filter_map(LibraryLine::entry).find(is_own);
                    self.selected = first.map(LibraryEntry::key).or(self.selected.take());
                    self.reveal = true;
                }
                _ => {}
            }
        }
    }

    fn list_ui(
        &mut self,
        ui: &mut Ui,
        room: Rect,
        items: &[LibraryLine<'_>],
        doc: &Document,
        commands: &mut Commands,
    ) {
        let height = |item: &LibraryLine<'_>| {
            if matches!(item, LibraryLine::Title(..)) {
                TITLE
            } else {
                ENTRY
            }
        };
        let all: f32 = items.iter().map(height).sum();
        let steps = self.walk(ui, items);
        scroll_beside(ui, "strategies", room, |ui| {
            ui.set_height(all);
            let mut rest = ui.max_rect();
            for (index, item) in items.iter().enumerate() {
                let is_selected = item.entry().is_some_and(|entry| self.is_selected(entry));
                let rect = rest.with_max_y(rest.top() + height(item));
                rest.min.y = rect.bottom();
                if is_selected && (self.reveal || steps) {
                    ui.scroll_to_rect(rect, None);
                } else if !ui.is_rect_visible(rect) {
                    continue;
                }
                match item {
                    &LibraryLine::Title(place, title, count, open) => {
                        if row::title_ui(ui, rect, title, count, open)
                            && !self.turned.remove(&place)
                        {
                            self.turned.insert(place);
                        }
                    }
                    LibraryLine::Nothing(words) => {
                        let mut inside =
                            ui.new_child(UiBuilder::new().id_salt(index).max_rect(rect));
                        paragraph(&mut inside, words, Theme::of(ui).text3);
                    }
                    &LibraryLine::Entry(entry) => {
                        self.entry_ui(ui, rect, entry, is_selected, doc, commands);
                    }
                }
            }
        });

        self.reveal = false;
    }

    /// Moves with the arrow keys while an entry has the focus; true if it moved.
    fn walk(&mut self, ui: &Ui, items: &[LibraryLine<'_>]) -> bool {
        let keys: Vec<LibraryKey> = items
            .iter()
            .filter_map(LibraryLine::entry)
            .map(LibraryEntry::key)
            .collect();
        let at = keys
            .iter()
            .position(|key| Some(key) == self.selected.as_ref());
        let Some(at) =
            at.filter(|&at| ui.memory(egui::Memory::focused) == Some(row::id(&keys[at])))
        else {
            return false;
        };

        let steps = ui.input(|input| {
            let pressed = |key| input.num_presses(key) as isize;
            pressed(egui::Key::ArrowDown) - pressed(egui::Key::ArrowUp)
        });
        if steps == 0 {
            return false;
        }
        let to = at.saturating_add_signed(steps).min(keys.len() - 1);
        self.selected = Some(keys[to].clone());
        ui.memory_mut(|memory| memory.request_focus(row::id(&keys[to])));
        true
    }

    fn rename(&mut self, item_file: &ItemFile<Strategy>) {
        self.renaming = Some((item_file.path.clone(), RenameField::new(item_file.label())));
    }
}

/// Files dropped on the panel are copied into the library; elsewhere in the window they are opened.
fn take_dropped(ui: &Ui, doc: &Document, commands: &mut Commands) {
    if doc.library().folder().is_none() {
        return;
    }
    let panel = ui.max_rect().expand(theme::PAD);
    let here = ui
        .input(|input| input.pointer.latest_pos())
        .is_some_and(|at| panel.contains(at));
    let dropped = ui.ctx().input_mut(|input| {
        if here {
            std::mem::take(&mut input.raw.dropped_files)
        } else {
            Vec::new()
        }
    });
    if !dropped.is_empty() {
        let paths = dropped.iter().map(|file| file.path().to_owned()).collect();
        commands.push(LibraryCommand::Take(paths));
    }
}

/// The note of the selected strategy and its differences to the current one; or why it cannot be read.
fn details_ui(ui: &mut Ui, entry: LibraryEntry<'_>, doc: &Document) {
    let theme = Theme::of(ui);
    ui.spacing_mut().item_spacing.y = 3.0;
    reading_area(ui, "details", "About the strategy", |ui| {
        let Some((strategy, _)) = entry.strategy() else {
            paragraph(ui, format!("✗ {}", entry.summary()), theme.error);
            return;
        };
        for line in strategy.note.lines() {
            small_print(ui, line, theme.text2);
        }

        for (index, line) in data::comparison(strategy, &doc.strategy())
            .into_iter()
            .enumerate()
        {
            let (line, color) = if index == 0 {
                (line, theme.text1)
            } else {
                (format!("· {line}"), theme.text2)
            };
            small_print(ui, line, color);
        }
        if let Some(parent) = strategy.parent {
            small_print(ui, format!("Made from {parent}"), theme.text3);
        }
    });
}

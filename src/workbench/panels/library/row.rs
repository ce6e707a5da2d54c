//! One line of the library: the title of a group, a strategy, or the field that renames one.

use std::path::PathBuf;

use egui::{DragAndDrop, EventFilter, Id, Popup, Rect, Ui, UiBuilder, pos2, vec2};

use super::data::{LibraryKey, LibraryLine};
use crate::preset::ItemFile;
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::command::{Command, Commands, ExperimentCommand, LibraryCommand, StrategyCommand};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Line, ListRow, RenameField, Renamed};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// What was done with an entry.
#[derive(Default)]
pub(super) struct EntryAnswer {
    /// It is the selected one now.
    pub selected: bool,
    /// Its name is to be typed.
    pub rename: bool,
}

/// The widget of an entry, wherever it stands.
pub(super) fn id(key: &LibraryKey) -> Id {
    // The same in the list and around it, so that keys find it before it is laid out.
    Id::unique(("library entry", key))
}

/// The title of a group; says whether it was pressed.
pub(super) fn title_ui(ui: &Ui, rect: Rect, title: &str, count: usize, open: bool) -> bool {
    let theme = Theme::of(ui);
    let count = words::count(count as u64);
    let name = format!("{title}, {count}");
    let row = ListRow::new(&name).unfolded(open).pad(1.0);
    let response = row.show_at(ui, rect, Id::unique(("library group", title)), |line, _| {
        line.icon(if open { Icon::ChevronDown } else { Icon::ChevronRight }, theme.text2);
        line.skip(5.0);
        line.start(title, theme::medium(), theme.text2);
        line.skip(6.0);
        line.start(&count, theme::body(), theme.text3);
    });
    response.clicked()
}

pub(super) fn ui(
    ui: &mut Ui,
    rect: Rect,
    item: &LibraryLine<'_>,
    selected: bool,
    doc: &Document,
    commands: &mut Commands,
) -> EntryAnswer {
    let mut answer = EntryAnswer::default();
    let Some(key) = item.key() else { return answer };
    let label = item.label();
    let state = state(item, doc);
    let said = match state {
        "edited" => ", open, edited",
        "open" => ", open",
        _ => "",
    };
    let name = format!("Kept {label}, {}{said}", item.summary());
    let row = ListRow::new(&name).selected(selected).draggable().pad(6.0);
    let response = row.show_at(ui, rect, id(&key), |line, response| {
        paint(Theme::of(ui), line, rect, item, state, selected || response.hovered(), doc);
    });
    if response.has_focus() {
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    }
    if response.drag_started()
        && let Some(strategy) = item.strategy()
    {
        DragAndDrop::set_payload(ui.ctx(), StrategyDrag(strategy.clone().into()));
    }
    // A click of the mouse selects, a second one opens; Enter opens at once.
    let by_key = response.clicked() && !ui.input(|input| input.pointer.any_released());
    if response.clicked() || response.secondary_clicked() || response.gained_focus() {
        answer.selected = true;
        response.request_focus();
    }
    if response.double_clicked() || by_key {
        open(item, commands);
    }
    if selected || response.hovered() {
        let at = Rect::from_center_size(pos2(rect.right() - 14.0, rect.center().y), vec2(theme::HIT, theme::HIT));
        let mut inside = ui.new_child(UiBuilder::new().id_salt(("menu", &key)).max_rect(at));
        let button = icon_button(&mut inside, Icon::Menu, &format!("Menu of {label}"), "");
        Popup::menu(&button).show(|ui| menu_ui(ui, item, doc, &mut answer, commands));
    }
    response.context_menu(|ui| menu_ui(ui, item, doc, &mut answer, commands));
    let note = item.strategy().map(|strategy| strategy.note.as_str()).unwrap_or_default();
    response.on_hover_text(match item.strategy() {
        Some(_) => format!("{label}\n{}\n{note}", item.summary()).trim_end_matches('\n').to_owned(),
        None => item.summary(),
    });
    answer
}

/// "open" or "edited" in the builder, or nothing.
fn state(item: &LibraryLine<'_>, doc: &Document) -> &'static str {
    let open = doc.strategies().iter().find(|open| match item {
        LibraryLine::Own(kept) => open.file().is_some_and(|file| file.path == kept.path),
        LibraryLine::Shipped(shipped) => open.file().is_none() && open.origin.before.hash() == shipped.hash,
        LibraryLine::Title(..) | LibraryLine::Nothing(_) => false,
    });
    match open {
        None => "",
        Some(open) if open.is_edited() => "edited",
        Some(_) => "open",
    }
}

/// Name and hash, below them what it plays and whether it is open.
fn paint(
    theme: &Theme,
    line: &mut Line,
    rect: Rect,
    item: &LibraryLine<'_>,
    state: &str,
    has_menu: bool,
    doc: &Document,
) {
    if has_menu {
        line.skip_end(20.0);
    }
    // A colour is taken by what plays or is open, not by what is only listed.
    let mark = item.hash().and_then(|hash| doc.known_mark(hash)).map(|index| theme.strategy(index));
    line.y = rect.top() + 12.0;
    line.key(theme, mark);
    line.skip(theme::SPACE_M);
    let (first, second) = match item.strategy() {
        Some(_) => (theme.text1, theme.text3),
        None => (theme.error, theme.error),
    };
    let (mut above, mut below) = (line.top(rect.top() + 4.0), line.top(rect.top() + 22.0));
    let hash = item.hash().map_or_else(String::new, |hash| hash.to_string());
    let hash = line.top(rect.top() + 5.0).end(&hash, theme::mono(), theme.text3);
    above.right = hash.rect.left() - theme::SPACE_M;
    above.start(&item.label(), theme::medium(), first);
    let words = below.end(state, theme::small(), theme.text2);
    if !state.is_empty() {
        below.painter.circle_filled(words.rect.left_top() + vec2(-7.0, 7.0), 2.5, theme.accent);
    }
    below.skip_end(14.0);
    below.start(&item.summary(), theme::small(), second);
}

fn open(item: &LibraryLine<'_>, commands: &mut Commands) {
    match item {
        LibraryLine::Own(kept) => commands.push(Command::Library(LibraryCommand::Open(kept.path.clone()))),
        LibraryLine::Shipped(shipped) => commands.push(StrategyCommand::Open(Box::new((*shipped.strategy).clone()))),
        LibraryLine::Title(..) | LibraryLine::Nothing(_) => {}
    }
}

fn menu_ui(ui: &mut Ui, item: &LibraryLine<'_>, doc: &Document, answer: &mut EntryAnswer, commands: &mut Commands) {
    ui.set_min_width(196.0);
    answer.selected = true;
    let strategy = item.strategy();
    if strategy.is_some() && ui.add(egui::Button::new("Open").shortcut_text("Enter")).clicked() {
        open(item, commands);
        ui.close();
    }
    if let LibraryLine::Own(kept) = item {
        if kept.read().is_ok() {
            if ui.add(egui::Button::new("Rename").shortcut_text("F2")).clicked() {
                answer.rename = true;
                ui.close();
            }
            if ui.button("Duplicate").clicked() {
                commands.push(Command::Library(LibraryCommand::Duplicate(kept.path.clone())));
                ui.close();
            }
        }
        if ui.add(egui::Button::new("Delete").shortcut_text("Delete")).clicked() {
            commands.push(Command::Library(LibraryCommand::Delete(kept.path.clone())));
            ui.close();
        }
    }
    let Some(strategy) = strategy else { return };
    ui.separator();
    if ui.button("Export…").clicked() {
        commands.push(Command::Library(LibraryCommand::ExportThis(Box::new(strategy.clone()))));
        ui.close();
    }
    if ui.button("Add to experiment").clicked() {
        commands.push(ExperimentCommand::Add(Box::new(strategy.clone())));
        ui.close();
    }
    let current = doc.strategy();
    ui.menu_button(format!("Difference to {}", current.label()), |ui| {
        ui.set_max_width(380.0);
        for line in super::data::comparison(strategy, &current) {
            ui.label(line);
        }
    });
}

/// The field in which a kept strategy gets another name.
#[derive(Debug)]
pub(super) struct KeptRename {
    pub path: PathBuf,
    field: RenameField,
}

impl KeptRename {
    pub(super) fn new(kept: &ItemFile<Strategy>) -> Self {
        Self { path: kept.path.clone(), field: RenameField::new(kept.label()) }
    }

    /// Draws the field in place of the entry; says whether it is done.
    pub(super) fn ui(&mut self, ui: &mut Ui, rect: Rect, commands: &mut Commands) -> bool {
        let place = rect.shrink2(vec2(4.0, 7.0));
        let renamed = self
            .field
            .show(ui, "Name of the kept strategy", "", |ui, edit| ui.put(place, edit.desired_width(place.width())));
        if let Some(Renamed::To(name)) = &renamed {
            let command = LibraryCommand::Rename { path: self.path.clone(), name: name.trim().to_owned() };
            commands.push(Command::Library(command));
        }
        renamed.is_some()
    }
}

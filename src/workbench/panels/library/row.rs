//! One line of the library: the title of a group, a strategy, or the field that renames one.

use std::path::PathBuf;

use egui::{
    Align2, DragAndDrop, EventFilter, Id, Key as Keyboard, Popup, Rect, Role, Sense, Stroke, TextEdit, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use super::data::{Item, Key};
use crate::preset::ItemFile;
use crate::strategy::Strategy;
use crate::workbench::command::{Command, Commands, LibraryCommand};
use crate::workbench::document::Document;
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{elided, focus_ring, paint_key};

/// Width of the mark of a strategy.
const MARK: f32 = 28.0;

/// What was done with an entry.
pub(super) struct Shown {
    /// It is the selected one now.
    pub selected: bool,
    /// Its name is to be typed.
    pub rename: bool,
}

/// The widget of an entry, wherever it stands.
pub(super) fn id(key: &Key) -> Id {
    // The same in the list and around it, so that keys find it before it is laid out.
    Id::unique(("library entry", key))
}

/// The title of a group; says whether it was pressed.
pub(super) fn title_ui(ui: &Ui, rect: Rect, title: &str, count: usize, open: bool) -> bool {
    let theme = Theme::of(ui);
    let response = ui.interact(rect, Id::unique(("library group", title)), Sense::click());
    let name = format!("{title}, {}", crate::words::count(count as u64));
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, &name));
    if response.hovered() {
        ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg4);
    }
    if response.has_focus() {
        focus_ring(ui, rect.shrink(2.0));
    }
    let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
    icon.paint(ui.painter(), pos2(rect.left() + 8.0, rect.center().y), theme.text2);
    let left = pos2(rect.left() + 20.0, rect.center().y);
    let drawn = ui.painter().text(left, Align2::LEFT_CENTER, title, theme::medium(), theme.text2);
    let count = crate::words::count(count as u64);
    let after = pos2(drawn.right() + 6.0, rect.center().y);
    ui.painter().text(after, Align2::LEFT_CENTER, count, theme::body(), theme.text3);
    response.clicked()
}

pub(super) fn ui(
    ui: &mut Ui,
    rect: Rect,
    item: &Item<'_>,
    selected: bool,
    doc: &Document,
    commands: &mut Commands,
) -> Shown {
    let mut shown = Shown { selected: false, rename: false };
    let Some(key) = item.key() else { return shown };
    let response = ui.interact(rect, id(&key), Sense::click_and_drag());
    let label = item.label();
    let (is_open, edited) = state(item, doc);
    let state = match (is_open, edited) {
        (_, true) => ", open, edited",
        (true, false) => ", open",
        (false, false) => "",
    };
    response.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, selected, format!("Kept {label}, {}{state}", item.summary()))
    });
    if response.has_focus() {
        let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    }
    if response.drag_started()
        && let Some(strategy) = item.strategy()
    {
        DragAndDrop::set_payload(ui.ctx(), StrategyDrag(strategy.clone()));
    }
    // A click of the mouse selects, a second one opens; Enter opens at once.
    let by_key = response.clicked() && !ui.input(|input| input.pointer.any_released());
    if response.clicked() || response.secondary_clicked() || response.gained_focus() {
        shown.selected = true;
        response.request_focus();
    }
    if response.double_clicked() || by_key {
        open(item, commands);
    }
    paint(ui, rect, item, &response, (selected, is_open, edited), doc);
    if selected || response.hovered() {
        let at = Rect::from_center_size(pos2(rect.right() - 14.0, rect.center().y), vec2(theme::HIT, theme::HIT));
        let mut inside = ui.new_child(UiBuilder::new().id_salt(("menu", &key)).max_rect(at));
        let button = icon_button(&mut inside, Icon::Menu, &format!("Menu of {label}"), "");
        Popup::menu(&button).show(|ui| menu_ui(ui, item, doc, &mut shown, commands));
    }
    response.context_menu(|ui| menu_ui(ui, item, doc, &mut shown, commands));
    let tip = match item.strategy() {
        Some(strategy) if strategy.note.is_empty() => format!("{label}\n{}", item.summary()),
        Some(strategy) => format!("{label}\n{}\n{}", item.summary(), strategy.note),
        None => item.summary(),
    };
    response.on_hover_text(tip);
    shown
}

/// Whether it is open in the builder, and whether it was edited there.
fn state(item: &Item<'_>, doc: &Document) -> (bool, bool) {
    let open = doc.strategies().iter().find(|open| match item {
        Item::Own(kept) => open.file().is_some_and(|file| file.path == kept.path),
        Item::Shipped(shipped) => open.file().is_none() && open.origin.before.hash() == shipped.hash,
        Item::Title(..) | Item::Nothing(_) => false,
    });
    (open.is_some(), open.is_some_and(crate::workbench::document::Opened::is_edited))
}

fn paint(
    ui: &Ui,
    rect: Rect,
    item: &Item<'_>,
    response: &egui::Response,
    (selected, is_open, edited): (bool, bool, bool),
    doc: &Document,
) {
    let theme = Theme::of(ui);
    let fill = match (selected, response.hovered()) {
        (true, _) => Some(theme.accent_bg),
        (false, true) => Some(theme.bg4),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, theme::RADIUS_S, fill);
    }
    if response.has_focus() {
        focus_ring(ui, rect.shrink(2.0));
    }
    let mut painter = ui.painter().clone();
    if response.dragged() && DragAndDrop::has_any_payload(ui.ctx()) {
        painter.set_opacity(theme::DRAG_SOURCE_ALPHA);
    }
    let left = rect.left() + 6.0;
    let key = Rect::from_min_size(pos2(left, rect.top() + 2.0), vec2(MARK, 20.0));
    match item.hash().and_then(|hash| doc.known_mark(hash)) {
        Some(slot) => paint_key(&painter, key, theme.strategy(slot)),
        // A slot is taken by what plays or is open, not by what is only listed.
        None => {
            painter.hline(key.x_range(), key.center().y.round() + 0.5, Stroke::new(1.0, theme.line));
        }
    }
    let menu = if selected || response.hovered() { 26.0 } else { 6.0 };
    let right = rect.right() - menu;
    let text = left + MARK + theme::SPACE_M;
    let (first, second) = (rect.top() + 4.0, rect.top() + 22.0);
    let sound = item.strategy().is_some();
    // The hash and what became of it stand at the right, the hash in the line of the name.
    let hash = item.hash().map_or_else(String::new, |hash| hash.to_string());
    let hash = painter.layout_no_wrap(hash, theme::mono(), theme.text3);
    let hash_left = right - hash.size().x;
    painter.galley(pos2(hash_left, first + 1.0), hash, theme.text3);
    let words = if edited {
        "edited"
    } else if is_open {
        "open"
    } else {
        ""
    };
    let words = painter.layout_no_wrap(words.to_owned(), theme::small(), theme.text2);
    let words_left = right - words.size().x;
    if is_open {
        painter.circle_filled(pos2(words_left - 7.0, second + 7.0), 2.5, theme.accent);
    }
    painter.galley(pos2(words_left, second), words, theme.text2);

    let color = if sound { theme.text1 } else { theme.error };
    let name = elided(&painter, &item.label(), theme::medium(), color, hash_left - theme::SPACE_M - text);
    painter.galley(pos2(text, first), name, color);
    let color = if sound { theme.text3 } else { theme.error };
    let summary = elided(&painter, &item.summary(), theme::small(), color, words_left - 14.0 - text);
    painter.galley(pos2(text, second), summary, color);
}

fn open(item: &Item<'_>, commands: &mut Commands) {
    match item {
        Item::Own(kept) => commands.push(Command::Library(LibraryCommand::Open(kept.path.clone()))),
        Item::Shipped(shipped) => commands.push(Command::OpenStrategy(Box::new((*shipped.strategy).clone()))),
        Item::Title(..) | Item::Nothing(_) => {}
    }
}

fn menu_ui(ui: &mut Ui, item: &Item<'_>, doc: &Document, shown: &mut Shown, commands: &mut Commands) {
    ui.set_min_width(196.0);
    shown.selected = true;
    let strategy = item.strategy();
    if strategy.is_some() && ui.add(egui::Button::new("Open").shortcut_text("Enter")).clicked() {
        open(item, commands);
        ui.close();
    }
    if let Item::Own(kept) = item {
        if kept.read().is_ok() {
            if ui.add(egui::Button::new("Rename").shortcut_text("F2")).clicked() {
                shown.rename = true;
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
        commands.push(Command::Library(LibraryCommand::ExportThis(Box::new((**strategy).clone()))));
        ui.close();
    }
    if ui.button("Add to experiment").clicked() {
        commands.push(Command::AddContestant(Box::new((**strategy).clone())));
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
pub(super) struct Renaming {
    pub path: PathBuf,
    name: String,
    fresh: bool,
}

impl Renaming {
    pub(super) fn new(kept: &ItemFile<Strategy>) -> Self {
        Self { path: kept.path.clone(), name: kept.label(), fresh: true }
    }

    /// Draws the field in place of the entry; says whether it is done.
    pub(super) fn ui(&mut self, ui: &mut Ui, rect: Rect, commands: &mut Commands) -> bool {
        let field = rect.shrink2(vec2(4.0, 7.0));
        let edit = TextEdit::singleline(&mut self.name)
            .char_limit(60)
            .align(Align2::LEFT_CENTER)
            .desired_width(field.width())
            // Escape leaves the field instead of stopping what runs.
            .event_filter(EventFilter { escape: true, horizontal_arrows: true, vertical_arrows: true, tab: false });
        let response = ui.put(field, edit).accessible_name("Name of the kept strategy");
        if ui.input(|input| input.key_pressed(Keyboard::Escape)) {
            response.surrender_focus();
            return true;
        }
        if std::mem::take(&mut self.fresh) {
            response.request_focus();
            let mut state = egui::widgets::text_edit::TextEditState::load(ui.ctx(), response.id).unwrap_or_default();
            let all = egui::text::CCursorRange::two(
                egui::text::CCursor::default(),
                egui::text::CCursor::new(egui::text::CharIndex(self.name.chars().count())),
            );
            state.cursor.set_char_range(Some(all));
            state.store(ui.ctx(), response.id);
            return false;
        }
        if response.has_focus() {
            return false;
        }
        let command = LibraryCommand::Rename { path: self.path.clone(), name: self.name.trim().to_owned() };
        commands.push(Command::Library(command));
        true
    }
}

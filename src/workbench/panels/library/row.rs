//! One line of the library: the title of a group, a strategy, or the field that renames one.

use egui::{DragAndDrop, EventFilter, Id, Popup, Rect, TextEdit, Ui, UiBuilder, Vec2, pos2, vec2};

use super::LibraryPanel;
use super::data::{LibraryEntry, LibraryKey, comparison};
use crate::words;
use crate::workbench::command::{
    Command, Commands, ExperimentCommand, LibraryCommand, StrategyCommand,
};
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Line, ListRow, Renamed, focus, is_by_key, menu_entry, submenu};
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// The widget id of an entry.
pub(super) fn id(key: &LibraryKey) -> Id {
    // Independent of the parent, so that keys find the widget before it is laid out.
    Id::unique(("library entry", key))
}

/// The title of a group; true if it was pressed.
pub(super) fn title_ui(ui: &Ui, rect: Rect, title: &str, count: usize, open: bool) -> bool {
    let theme = Theme::of(ui);
    let count = words::count(count as u64);
    let name = format!("{title}, {count}");
    let row = ListRow::new(&name).unfolded(open).pad(1.0);
    let response = row.show_at(ui, rect, Id::unique(("library group", title)), |line, _| {
        line.icon(
            if open {
                Icon::ChevronDown
            } else {
                Icon::ChevronRight
            },
            theme.text2,
        );
        line.skip(5.0);
        line.start(title, theme::medium(), theme.text2);
        line.skip(6.0);
        line.start(&count, theme::body(), theme.text3);
    });
    response.clicked()
}

impl LibraryPanel {
    pub(super) fn entry_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        entry: LibraryEntry<'_>,
        selected: bool,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let key = entry.key();
        if self
            .renaming
            .as_ref()
            .is_some_and(|(path, _)| key == LibraryKey::Own(path.clone()))
        {
            return self.rename_ui(ui, rect, commands);
        }

        let (label, state, strategy) = (entry.label(), state(entry, doc), entry.strategy());
        let said = match state {
            "edited" => ", open, edited",
            "open" => ", open",
            _ => "",
        };
        let name = format!("Saved {label}, {}{said}", entry.summary());
        let row = ListRow::new(&name).selected(selected).draggable().pad(6.0);
        let response = row.show_at(ui, rect, id(&key), |line, response| {
            if selected || response.hovered() {
                line.skip_end(20.0);
            }
            paint(Theme::of(ui), line, rect, entry, state, doc);
        });
        if response.has_focus() {
            let filter = EventFilter {
                vertical_arrows: true,
                ..EventFilter::default()
            };
            focus::own_keys(&response, filter);
        }
        if let Some((strategy, _)) = strategy.filter(|_| response.drag_started()) {
            DragAndDrop::set_payload(ui.ctx(), StrategyDrag(strategy.clone().into()));
        }

        // A click selects, a double click opens; Enter opens at once.
        if response.clicked() || response.gained_focus() {
            self.selected = Some(key.clone());
            response.request_focus();
        }
        if response.double_clicked() || is_by_key(&response) {
            commands.push(open(entry));
        }

        if selected || response.hovered() {
            let at = Rect::from_center_size(
                pos2(rect.right() - 14.0, rect.center().y),
                Vec2::splat(theme::HIT),
            );
            let mut inside = ui.new_child(UiBuilder::new().id_salt(("menu", &key)).max_rect(at));
            let button = icon_button(&mut inside, Icon::Menu, &format!("Menu of {label}"), "");
            if button.clicked() {
                // The selection keeps the button visible while its menu is open.
                self.selected = Some(key.clone());
            }
            Popup::menu(&button).show(|ui| self.menu_ui(ui, entry, doc, commands));
        }

        response.context_menu(|ui| self.menu_ui(ui, entry, doc, commands));
        let about = strategy
            .map(|(strategy, _)| format!("{label}\n{}\n{}", entry.summary(), strategy.note));
        response.on_hover_text(
            about
                .unwrap_or_else(|| entry.summary())
                .trim_end_matches('\n'),
        );
    }

    fn rename_ui(&mut self, ui: &mut Ui, rect: Rect, commands: &mut Commands) {
        let Some((path, field)) = &mut self.renaming else {
            return;
        };
        let place = rect.shrink2(vec2(4.0, 7.0));
        let put =
            |ui: &mut Ui, edit: TextEdit<'_>| ui.put(place, edit.desired_width(place.width()));
        let Some(renamed) = field.show(ui, "Name of the saved strategy", "", put) else {
            return;
        };
        if let Renamed::To(name) = renamed {
            commands.push(LibraryCommand::Rename(path.clone(), name.trim().to_owned()));
        }
        self.renaming = None;
    }

    fn menu_ui(
        &mut self,
        ui: &mut Ui,
        entry: LibraryEntry<'_>,
        doc: &Document,
        commands: &mut Commands,
    ) {
        ui.set_min_width(200.0);
        let strategy = entry.strategy();
        if strategy.is_some() && menu_entry(ui, "Open", Some("Enter"), Ok(())) {
            commands.push(open(entry));
        }

        if let LibraryEntry::Own(item_file) = entry {
            if strategy.is_some() && menu_entry(ui, "Rename", Some("F2"), Ok(())) {
                self.rename(item_file);
            }
            if strategy.is_some() && menu_entry(ui, "Duplicate", None, Ok(())) {
                commands.push(LibraryCommand::Duplicate(item_file.path.clone()));
            }
            if menu_entry(ui, "Delete", Some("Delete"), Ok(())) {
                commands.push(LibraryCommand::Delete(item_file.path.clone()));
            }
        }

        let Some((strategy, _)) = strategy else {
            return;
        };
        ui.separator();
        if menu_entry(ui, "Export…", None, Ok(())) {
            commands.push(LibraryCommand::ExportThis(Box::new(strategy.clone())));
        }
        if menu_entry(ui, "Add to experiment", None, Ok(())) {
            commands.push(ExperimentCommand::Add(Box::new(strategy.clone())));
        }
        let current = doc.strategy();
        submenu(ui, &format!("Difference from {}", current.label()), |ui| {
            ui.set_max_width(380.0);
            for line in comparison(strategy, &current) {
                ui.label(line);
            }
        });
    }
}

/// "open", "edited" or empty. A shipped strategy is never edited: an edit makes it another strategy.
fn state(entry: LibraryEntry<'_>, doc: &Document) -> &'static str {
    let open = doc.strategies().iter().find(|open| match entry {
        LibraryEntry::Own(item_file) => open.file().is_some_and(|file| file.path == item_file.path),
        LibraryEntry::Shipped(shipped) => {
            open.file().is_none()
                && open.hash() == shipped.hash
                && open.name == shipped.strategy.name
        }
    });
    let is_own = matches!(entry, LibraryEntry::Own(_));
    open.map_or("", |open| {
        if is_own && open.is_edited() {
            "edited"
        } else {
            "open"
        }
    })
}

/// Name and hash, with its rows and state below.
fn paint(
    theme: &Theme,
    line: &mut Line,
    rect: Rect,
    entry: LibraryEntry<'_>,
    state: &str,
    doc: &Document,
) {
    let hash = entry.strategy().map(|(_, hash)| hash);
    // Only strategies that play or are open have a color; a list does not assign one.
    let mark = hash
        .and_then(|hash| doc.known_mark(hash))
        .map(|index| theme.strategy(index));
    line.y = rect.top() + 12.0;
    line.key(theme, mark);
    line.skip(theme::SPACE_M);
    let (first, second) = if hash.is_some() {
        (theme.text1, theme.text3)
    } else {
        (theme.error, theme.error)
    };
    let (mut above, mut below) = (line.top(rect.top() + 4.0), line.top(rect.top() + 22.0));
    let hash = hash.map_or_else(String::new, |hash| hash.to_string());
    let hash = line
        .top(rect.top() + 5.0)
        .end(&hash, theme::mono(), theme.text3);
    above.right = hash.rect.left() - theme::SPACE_M;
    above.start(&entry.label(), theme::medium(), first);
    let words = below.end(state, theme::small(), theme.text2);
    if !state.is_empty() {
        below
            .painter
            .circle_filled(words.rect.left_top() + vec2(-7.0, 7.0), 2.5, theme.accent);
    }

    below.skip_end(14.0);
    below.start(&entry.summary(), theme::small(), second);
}

fn open(entry: LibraryEntry<'_>) -> Command {
    match entry {
        LibraryEntry::Own(item_file) => LibraryCommand::Open(item_file.path.clone()).into(),
        LibraryEntry::Shipped(shipped) => {
            StrategyCommand::Open(Box::new((*shipped.strategy).clone())).into()
        }
    }
}

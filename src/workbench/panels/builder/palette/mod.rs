//! The palette: the catalog of rows in groups that fold, with a search field.

mod item;

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Key, ScrollArea, Ui};

pub(crate) use item::{handle, paint_evaluator, spoken};

use super::weights::fitting_row;
use crate::preset::Collection;
use crate::strategy::{Group, Item, Strategy, StrategyEdit, StrategyHash};
use crate::workbench::command::{Commands, Panel};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{ListRow, empty, focus, search_field};
use crate::workbench::panels::Building;
use crate::workbench::panels::builder::strategy::data::settings;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(crate) struct PalettePanel {
    query: String,
    folded: BTreeSet<&'static str>,
    own: OwnRows,
}

/// Rows of saved strategies that the catalog lacks. Collected again when the library changes.
#[derive(Debug, Default)]
struct OwnRows {
    hashes: Vec<StrategyHash>,
    items: Arc<[Item]>,
}

impl PalettePanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let goes_in = self.search(ui);
        ui.add_space(theme::SPACE_S);
        let own = self.own.of(doc.library());
        let found: Vec<&Item> = Item::all()
            .iter()
            .chain(own.iter())
            .filter(|item| item.matches(&self.query))
            .collect();
        if found.is_empty() {
            empty(
                ui,
                "Nothing found. Press Escape in the field to show all rows",
            );
            return;
        }

        if let Some(Goes::Add) = goes_in
            && let Some(item) = Item::find(&self.query).first().or(found.first())
        {
            add(doc, building, item, commands);
        }

        let mut first = None;
        ScrollArea::vertical()
            .id_salt("palette")
            .auto_shrink(false)
            .show(ui, |ui| {
                focus::group(ui);
                // Leaves room for the scroll bar beside the rows.
                ui.set_max_width(ui.available_width() - theme::SPACE_M);
                ui.spacing_mut().item_spacing.y = 0.0;
                for (group, heading) in Group::ALL {
                    let items: Vec<&Item> = found
                        .iter()
                        .copied()
                        .filter(|item| item.group == group)
                        .collect();
                    if items.is_empty() || self.folds(ui, heading, items.len()) {
                        continue;
                    }
                    for item in items {
                        let response = item::ui(ui, item);
                        handle(&response, item, doc, building, commands);
                        first.get_or_insert(response.id);
                    }
                    ui.add_space(theme::SPACE_S);
                }
            });

        if goes_in == Some(Goes::Down)
            && let Some(first) = first
        {
            ui.memory_mut(|memory| memory.request_focus(first));
        }
    }

    /// The search field above the rows. Returns the action of its keys.
    fn search(&mut self, ui: &mut Ui) -> Option<Goes> {
        let response = search_field(ui, &mut self.query, "Find a row");
        focus::home(&response, Panel::Palette.area());
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if response.has_focus() && pressed(Key::ArrowDown) {
            return Some(Goes::Down);
        }
        let added = response.lost_focus() && pressed(Key::Enter) && !self.query.trim().is_empty();
        if added {
            response.request_focus();
        }
        added.then_some(Goes::Add)
    }

    /// The heading of a group, which folds it. Returns whether the group is folded; during a search no group is.
    fn folds(&mut self, ui: &mut Ui, heading: &'static str, count: usize) -> bool {
        let theme = Theme::of(ui);
        let searches = !self.query.trim().is_empty();
        let folded = self.folded.contains(heading) && !searches;
        let (verb, icon) = if folded {
            ("Unfold", Icon::ChevronRight)
        } else {
            ("Fold", Icon::ChevronDown)
        };
        let name = format!("{verb} {heading}, {count}");
        let response = ListRow::new(&name).pad(0.0).show(ui, |line, response| {
            let hot = response.hovered() || response.has_focus();
            let color = if hot { theme.text1 } else { theme.text2 };
            line.icon(icon, color);
            line.skip(4.0);
            line.start(heading, theme::medium(), color);
            line.skip(5.0);
            line.start(&count.to_string(), theme::body(), theme.text3);
        });
        if response.clicked() && !searches && !self.folded.remove(heading) {
            self.folded.insert(heading);
        }
        folded
    }
}

/// The action of a key in the search field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// Adds the first match.
    Add,
    Down,
}

/// Adds an item below the selected row.
pub(crate) fn add(doc: &Document, building: &mut Building, item: &Item, commands: &mut Commands) {
    let at = building
        .rows
        .selected()
        .map_or(doc.strategy().criteria.len(), |row| row + 1);
    let criterion = fitting_row(&item.criterion, doc.board().size());
    building.drag.announcement = Some(format!("{} added as row {}", item.name, at + 1));
    commands.push(StrategyEdit::AddRow { at, criterion });
}

impl OwnRows {
    fn of(&mut self, library: &Collection<Strategy>) -> Arc<[Item]> {
        if library
            .sound()
            .filter_map(|file| file.hash)
            .eq(self.hashes.iter().copied())
        {
            return self.items.clone();
        }
        self.hashes = library.sound().filter_map(|file| file.hash).collect();
        let mut items: Vec<Item> = Vec::new();
        for strategy in library.sound().map(|file| &file.item) {
            for criterion in &strategy.criteria {
                if Item::all()
                    .iter()
                    .chain(&items)
                    .any(|item| item.criterion == *criterion)
                {
                    continue;
                }
                let label = strategy.label();
                items.push(Item {
                    group: Group::Own,
                    name: format!("{} from {label}", criterion.label()),
                    criterion: criterion.clone(),
                    lines: [
                        settings(criterion),
                        format!("A row of {label} from the library"),
                    ],
                    source: String::new(),
                });
            }
        }
        self.items = items.into();
        self.items.clone()
    }
}

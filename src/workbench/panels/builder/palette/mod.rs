//! What rows can be made of: the catalogue in groups that fold, with a search.

mod item;
mod own;
mod picture;

use std::collections::BTreeSet;

use egui::{Align2, EventFilter, Id, Key, ScrollArea, TextEdit, Ui, pos2, vec2};

pub(crate) use item::{ItemRequest, dragged, handle, spoken};
pub(crate) use picture::evaluator as paint_evaluator;

use super::weights::fitting_row;
use crate::strategy::{Group, Item, StrategyEdit};
use crate::workbench::command::{Commands, Panel};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{ListRow, empty};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct PalettePanel {
    query: String,
    folded: BTreeSet<&'static str>,
    /// The items as they were drawn last, for the arrows.
    drawn: Vec<Id>,
    own: own::Own,
}

impl PalettePanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
        let goes_in = self.search(ui, building.takes_keys(Panel::Palette));
        ui.add_space(theme::SPACE_S);
        let own = self.own.of(doc.library());
        let found: Vec<&Item> = Item::all().iter().chain(own.iter()).filter(|item| item.matches(&self.query)).collect();
        let searches = !self.query.trim().is_empty();
        if found.is_empty() {
            empty(ui, "No row has these words. Escape in the field shows all rows again");
            return;
        }
        if let Some(Goes::Add) = goes_in
            && let Some(item) = Item::find(&self.query).first().or(found.first())
        {
            add(doc, building, item, commands);
        }
        let before = std::mem::take(&mut self.drawn);
        ScrollArea::vertical().id_salt("palette").auto_shrink(false).show(ui, |ui| {
            // The scroll bar stands beside the rows.
            ui.set_max_width(ui.available_width() - theme::SPACE_M);
            ui.spacing_mut().item_spacing.y = 0.0;
            for group in Group::ALL {
                let items: Vec<&Item> = found.iter().copied().filter(|item| item.group == group).collect();
                if items.is_empty() {
                    continue;
                }
                let folded = self.folded.contains(group.text()) && !searches;
                if heading(ui, group, items.len(), folded) && !searches && !self.folded.remove(group.text()) {
                    self.folded.insert(group.text());
                }
                if folded {
                    continue;
                }
                for item in items {
                    let (response, request) = item::ui(ui, item);
                    let place = self.drawn.len();
                    self.drawn.push(response.id);
                    let to = match request {
                        None => continue,
                        Some(ItemRequest::Add) => {
                            add(doc, building, item, commands);
                            continue;
                        }
                        Some(ItemRequest::Lift) => {
                            building.drag.begin_new(dragged(item), response.id, &building.rows, doc, commands);
                            continue;
                        }
                        Some(ItemRequest::Up) => place.checked_sub(1),
                        Some(ItemRequest::Down) => Some(place + 1),
                    };
                    if let Some(&id) = to.and_then(|to| before.get(to)) {
                        ui.memory_mut(|memory| memory.request_focus(id));
                        let step = if request == Some(ItemRequest::Up) { -item::HEIGHT } else { item::HEIGHT };
                        ui.scroll_to_rect(response.rect.translate(vec2(0.0, step)), None);
                    }
                }
                ui.add_space(theme::SPACE_S);
            }
        });
        if goes_in == Some(Goes::Down)
            && let Some(&first) = self.drawn.first()
        {
            ui.memory_mut(|memory| memory.request_focus(first));
        }
    }

    /// The field above the rows; says where the keyboard goes from it.
    fn search(&mut self, ui: &mut Ui, takes_keys: bool) -> Option<Goes> {
        let theme = Theme::of(ui);
        let edit = TextEdit::singleline(&mut self.query)
            .hint_text("Find a row")
            .desired_width(f32::INFINITY)
            .align(Align2::LEFT_CENTER)
            .min_size(vec2(0.0, theme::CONTROL))
            .margin(egui::Margin { left: 26, right: 6, top: 2, bottom: 2 })
            .event_filter(EventFilter { escape: true, horizontal_arrows: true, vertical_arrows: true, tab: false });
        let response = ui.add(edit).accessible_name("Find a row");
        if takes_keys {
            response.request_focus();
        }
        Icon::Search.paint(ui.painter(), pos2(response.rect.left() + 15.0, response.rect.center().y), theme.text2);
        let (enter, down, escape) = ui.input(|input| {
            (input.key_pressed(Key::Enter), input.key_pressed(Key::ArrowDown), input.key_pressed(Key::Escape))
        });
        if response.has_focus() && escape {
            self.query.clear();
            response.surrender_focus();
        }
        if response.has_focus() && down {
            return Some(Goes::Down);
        }
        let added = response.lost_focus() && enter && !self.query.trim().is_empty();
        if added {
            response.request_focus();
        }
        added.then_some(Goes::Add)
    }
}

/// Where the keyboard goes from the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goes {
    /// The first row that was found is added.
    Add,
    /// To the first row.
    Down,
}

/// Puts an item behind the selected row.
pub(crate) fn add(doc: &Document, building: &mut Building, item: &Item, commands: &mut Commands) {
    let at = building.rows.selected().map_or(doc.strategy().criteria.len(), |row| row + 1);
    let criterion = fitting_row(&item.criterion, doc.board().size());
    building.drag.announcement = Some(format!("{} added as row {}", item.name, at + 1));
    commands.push(StrategyEdit::AddRow { at, criterion });
}

/// The heading of a group; says whether it was clicked.
fn heading(ui: &mut Ui, group: Group, count: usize, folded: bool) -> bool {
    let theme = Theme::of(ui);
    let verb = if folded { "Unfold" } else { "Fold" };
    let name = format!("{verb} {}, {count}", group.text());
    let response = ListRow::new(&name).pad(0.0).show(ui, |line, response| {
        let hot = response.hovered() || response.has_focus();
        let color = if hot { theme.text1 } else { theme.text2 };
        line.icon(if folded { Icon::ChevronRight } else { Icon::ChevronDown }, color);
        line.skip(4.0);
        line.start(group.text(), theme::medium(), color);
        line.skip(5.0);
        line.start(&count.to_string(), theme::body(), theme.text3);
    });
    response.clicked()
}

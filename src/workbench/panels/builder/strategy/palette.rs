//! The same rows as in the palette panel, as chips below the stack or as a list beside it, while that panel is not on screen.

use std::sync::Arc;

use egui::{Color32, Galley, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::palette::{ItemRequest, add, dragged, handle, spoken};
use crate::strategy::Item;
use crate::workbench::command::Commands;
use crate::workbench::icon::{self, Icon};
use crate::workbench::kit::{drag_painter, focus_ring};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const HEADING: f32 = 18.0;
const GAP: f32 = 6.0;
/// So many lines of chips are seen at once.
const LINES: f32 = 4.0;

/// Height of the chips, heading included.
pub(super) const HEIGHT: f32 = HEADING + GAP + LINES * (theme::HIT + GAP);

pub(super) fn ui(ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let space = ui.max_rect();
    let title = ui.painter().layout_no_wrap("Palette".to_owned(), theme::medium(), theme.text1);
    let hint = ui.painter().layout_no_wrap("drag into the stack, or press A".to_owned(), theme::small(), theme.text3);
    let line = space.top() + HEADING / 2.0;
    let at = pos2(space.right() - hint.size().x, line - hint.size().y / 2.0 + 1.0);
    ui.painter().galley(at, hint, theme.text3);
    ui.painter().galley(pos2(space.left(), line - title.size().y / 2.0), title, theme.text1);

    let list = space.with_min_y(space.top() + HEADING + GAP);
    let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("chips").max_rect(list));
    let mut wanted = None;
    ScrollArea::vertical().id_salt("palette").auto_shrink(false).show(&mut inside, |ui| {
        let galleys = chips(ui);
        let places = places(&galleys, ui.available_width() - theme::SPACE_M);
        let lines = places.last().map_or(0.0, |&(_, line)| line as f32 + 1.0);
        let (area, _) = ui.allocate_exact_size(
            vec2(ui.available_width(), (lines * (theme::HIT + GAP) - GAP).max(0.0)),
            Sense::hover(),
        );
        for ((item, galley), (x, line)) in Item::all().iter().zip(galleys).zip(places) {
            let corner = area.min + vec2(x, line as f32 * (theme::HIT + GAP));
            let rect = Rect::from_min_size(corner, vec2(chip_width(&galley), theme::HIT));
            let response = ui.interact(rect, ui.scope_id().with(&item.name), Sense::click_and_drag());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), spoken(item)));
            chip(ui, rect, &response, galley);
            if let Some(request) = handle(ui, &response, item) {
                wanted = Some((request, item, response.id));
            }
            if response.gained_focus() {
                response.scroll_to_me(None);
            }
        }
    });
    match wanted {
        Some((ItemRequest::Add, item, _)) => add(doc, building, item, commands),
        Some((ItemRequest::Lift, item, id)) => {
            building.drag.begin_new(dragged(item), id, &building.rows, doc, commands);
        }
        // Between chips Tab goes on.
        Some((ItemRequest::Up | ItemRequest::Down, ..)) | None => {}
    }
}

fn chips(ui: &Ui) -> Vec<Arc<Galley>> {
    let layout = |item: &Item| ui.painter().layout_no_wrap(item.name.clone(), theme::body(), Color32::PLACEHOLDER);
    Item::all().iter().map(layout).collect()
}

fn chip_width(galley: &Galley) -> f32 {
    (galley.size().x + icon::SIDE + 18.0).round()
}

/// Left edge and line of each chip.
fn places(chips: &[Arc<Galley>], width: f32) -> Vec<(f32, usize)> {
    let (mut x, mut line) = (0.0, 0);
    chips
        .iter()
        .map(|galley| {
            let own = chip_width(galley);
            if 0.0 < x && width < x + own {
                x = 0.0;
                line += 1;
            }
            let place = (x, line);
            x += own + GAP;
            place
        })
        .collect()
}

fn chip(ui: &Ui, rect: Rect, response: &Response, galley: Arc<Galley>) {
    let theme = Theme::of(ui);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let hot = response.hovered() || response.has_focus();
    let painter = drag_painter(ui, response);
    painter.rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, if hot { theme.bg4 } else { theme.bg3 });
    if response.has_focus() {
        focus_ring(ui, rect.shrink(1.0));
    }
    Icon::Grip.paint(&painter, pos2(rect.left() + 11.0, rect.center().y), theme.text3);
    let at = pos2(rect.left() + 10.0 + icon::SIDE, rect.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, theme.text1);
}

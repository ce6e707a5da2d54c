//! The palette as chips below the stack, while the palette panel is not on screen.

use egui::{Color32, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::palette::{handle, spoken};
use crate::strategy::Item;
use crate::workbench::command::{Commands, SelectionCommand};
use crate::workbench::icon::{self, Icon};
use crate::workbench::kit::{Button, Line, drag_painter, focus_ring};
use crate::workbench::panels::Building;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const HEADING: f32 = 18.0;
const GAP: f32 = 6.0;
/// Number of chips in the short palette.
const FEW: usize = 12;
/// Number of visible lines of chips.
const LINES: f32 = 4.0;

/// Height of the chips, including the heading.
pub(super) const HEIGHT: f32 = HEADING + GAP + LINES * (theme::HIT + GAP);

pub(super) fn ui(ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let space = ui.max_rect();
    let mut heading = Line::new(ui.painter(), space.with_max_y(space.top() + HEADING), 0.0);
    heading.start("Palette", theme::medium(), theme.text1);
    heading.y += 1.0;
    heading.end(
        "drag a row into the stack, or press A",
        theme::small(),
        theme.text3,
    );

    let list = space.with_min_y(space.top() + HEADING + GAP);
    let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("chips").max_rect(list));
    ScrollArea::vertical()
        .id_salt("palette")
        .auto_shrink(false)
        .show(&mut inside, |ui| {
            ui.set_max_width(ui.available_width() - theme::SPACE_M);
            ui.spacing_mut().item_spacing = vec2(GAP, GAP);
            ui.spacing_mut().interact_size.y = theme::HIT;
            ui.horizontal_wrapped(|ui| {
                let all = Item::all();
                let most = if building.is_brief { FEW } else { usize::MAX };
                for item in all.iter().take(most) {
                    chip(ui, item, doc, building, commands);
                }
                if building.is_brief {
                    let more = Button::new("More").quiet().small().name("More rows to add");
                    commands.show(
                        ui,
                        more,
                        SelectionCommand::AddCriterion,
                        doc.strategy().room_for_a_row(),
                    );
                }
            });
        });
}

fn chip(
    ui: &mut Ui,
    item: &Item,
    doc: &Document,
    building: &mut Building,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    let galley =
        ui.painter()
            .layout_no_wrap(item.name.clone(), theme::body(), Color32::PLACEHOLDER);
    let size = vec2((galley.size().x + icon::SIDE + 18.0).round(), theme::HIT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), spoken(item)));
    if ui.is_rect_visible(rect) {
        let hot = response.hovered() || response.has_focus();
        let painter = drag_painter(ui, &response);
        let plate = rect.shrink2(vec2(0.0, 1.0));
        painter.rect_filled(
            plate,
            theme::RADIUS_S,
            if hot { theme.bg4 } else { theme.bg3 },
        );
        theme.outline(&painter, plate, theme::RADIUS_S);
        if response.has_focus() {
            focus_ring(ui, rect.shrink(1.0));
        }
        Icon::Grip.paint(
            &painter,
            pos2(rect.left() + 11.0, rect.center().y),
            theme.text3,
        );
        let at = pos2(
            rect.left() + 10.0 + icon::SIDE,
            rect.center().y - galley.size().y / 2.0,
        );
        painter.galley(at, galley, theme.text1);
    }
    handle(&response, item, doc, building, commands);
}

//! Which orders of the rows are the same strategy.
//!
//! Every order is tried on the same positions; orders that left the same moves everywhere are one group. Equal decisions
//! on some positions do not prove equal games: that is what *Confirm* plays.

mod group;

use egui::{RichText, ScrollArea, Sense, Ui, UiBuilder, vec2};

use crate::analysis::Scope;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, empty, segmented};
use crate::workbench::panels::Building;
use crate::workbench::panels::analysis::parts::state_line;
use crate::workbench::panels::builder::{Compared, Ordering};
use crate::workbench::state::Document;
use crate::workbench::theme;

/// Room for the scroll bar.
const SCROLL_BAR: f32 = 10.0;

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct OrdersPanel {}

impl OrdersPanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        let ordering = &mut building.ordering;
        head(ui, doc, ordering);
        let failed = ordering.failed.as_ref().map(|reason| format!("✗ Orders cannot be compared: {reason}").into());
        let known = ordering.found.as_ref().map(|known| {
            let rows = known.strategy.criteria.iter().filter(|criterion| !criterion.off).count();
            RichText::new(said(rows, &known.found)).font(theme::medium())
        });
        state_line(ui, (theme::ROW, "Progress of the comparison"), ordering.progress(), failed, known);
        let Some(known) = ordering.found.clone() else {
            empty(ui, "Which orders of the rows decide alike everywhere. Press Find");
            return;
        };
        let is_old = known.hash != doc.strategy().hash();
        if is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        let room = ui.available_rect_before_wrap();
        let mut inside =
            ui.new_child(UiBuilder::new().id_salt("groups").max_rect(room.with_max_x(room.right() + SCROLL_BAR)));
        let count = known.found.orders.groups.len();
        ScrollArea::vertical().id_salt("groups").auto_shrink(false).show_rows(
            &mut inside,
            group::HEIGHT,
            count,
            |ui, shown| {
                ui.set_max_width(ui.available_width() - SCROLL_BAR);
                for index in shown {
                    group::ui(ui, &known, index, is_old, doc, ordering, commands);
                }
            },
        );
        ui.allocate_rect(room, Sense::hover());
    }
}

fn head(ui: &mut Ui, doc: &Document, ordering: &mut Ordering) {
    ui.horizontal(|ui| {
        let state = Ordering::can_find(doc);
        let response = ui.add_enabled(state.is_ok(), Button::new("Find").name("Find equal orders").accent());
        match state {
            Ok(()) => {
                let about = "Try every order of the rows on the same positions";
                if response.on_hover_text(about).clicked() {
                    ordering.find(doc);
                }
            }
            Err(reason) => drop(response.on_disabled_hover_text(reason)),
        }
        let choices = [(Scope::Permutations, "All orders"), (Scope::Arrangements, "All subsets, as Algorithm 3")];
        segmented(ui, "Which orders", &mut ordering.scope, &choices).on_hover_text(
            "Every order of all rows, or also of every subset of them, as in Algorithm 3 of Kohler, Migler and Khosmood 2019",
        );
    });
}

/// "3 rows: 6 orders fall into 4 groups, on 2,000 positions".
fn said(rows: usize, found: &Compared) -> String {
    let Compared { orders, is_stopped, .. } = found;
    let number = |number: usize| words::count(number as u64);
    let compared = match orders.is_cut {
        true => format!("{} of {} orders", number(orders.orders), number(orders.all)),
        false => words::plural(orders.orders as u64, "order"),
    };
    let groups = match orders.groups.len() {
        1 => "all decide alike".to_owned(),
        groups => format!("fall into {} groups", number(groups)),
    };
    let stopped = if *is_stopped { ", stopped there" } else { "" };
    let positions = words::plural(orders.positions as u64, "position");
    format!("{}: {compared} {groups}, on {positions}{stopped}", words::plural(rows as u64, "row"))
}

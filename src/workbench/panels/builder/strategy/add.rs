//! The list that the key A opens, which adds a row of the palette by keyboard.

use std::ops::ControlFlow;

use egui::{Area, Context, Id, Key, Modifiers, Order, Pos2, Response, RichText, Ui, vec2};

use crate::strategy::Item;
use crate::workbench::kit::{ListRow, line_edit, small_print};
use crate::workbench::theme::{self, Theme};

const HIGHEST: f32 = 320.0;

#[derive(Debug, Default)]
pub(super) struct AddList {
    query: String,
    chosen: usize,
    shown: bool,
}

/// Whether the list stays open. If it closes, the value is the row to add, if one was chosen.
type AddListFlow = ControlFlow<Option<&'static Item>>;

impl AddList {
    /// Draws the list below `corner`; `at` is the index that the row will get among `rows`.
    pub(super) fn show(
        &mut self,
        ctx: &Context,
        corner: Pos2,
        width: f32,
        at: usize,
        rows: usize,
    ) -> AddListFlow {
        let area = Area::new(Id::unique("add criterion"))
            .order(Order::Foreground)
            .fixed_pos(corner)
            .constrain(true);
        let shown = area.show(ctx, |ui| {
            let frame = egui::Frame::popup(ui.style()).inner_margin(8);
            frame.show(ui, |ui| {
                ui.set_width(width - 18.0);
                self.ui(
                    ui,
                    &if at == rows {
                        "last".to_owned()
                    } else {
                        format!("as row {}", at + 1)
                    },
                )
            })
        });

        let clicked = ctx.input(|input| {
            input
                .pointer
                .interact_pos()
                .filter(|_| input.pointer.any_pressed())
        });
        let is_left = clicked.is_some_and(|pos| !shown.response.rect.contains(pos));
        let flow = shown.inner.inner;
        if std::mem::replace(&mut self.shown, true) && is_left && flow.is_continue() {
            return ControlFlow::Break(None);
        }
        flow
    }

    fn ui(&mut self, ui: &mut Ui, place: &str) -> AddListFlow {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = 2.0;
        let found = Item::find(&self.query);
        let (steps, enter, escape) = ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
            let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize;
            let enter = input.consume_key(Modifiers::NONE, Key::Enter);
            (
                down - up,
                enter,
                input.consume_key(Modifiers::NONE, Key::Escape),
            )
        });
        if escape {
            return ControlFlow::Break(None);
        }

        let edit = line_edit(&mut self.query, "Find a row to add").desired_width(f32::INFINITY);
        let edit = ui
            .add(edit.min_size(vec2(0.0, theme::CONTROL)))
            .accessible_name("Find a row to add");
        if !edit.has_focus() {
            // Only if needed: a focus request resets the event filter.
            edit.request_focus();
        }
        if edit.changed() {
            self.chosen = 0;
        }
        self.chosen = self
            .chosen
            .saturating_add_signed(steps)
            .min(found.len().saturating_sub(1));
        small_print(
            ui,
            format!("Will be added {place}. Enter adds, Escape closes"),
            theme.text3,
        );
        ui.add_space(theme::SPACE_S);
        if found.is_empty() {
            ui.label(RichText::new("Nothing found").color(theme.text3));
        }

        let mut chosen = enter.then_some(self.chosen);
        egui::ScrollArea::vertical()
            .max_height(HIGHEST)
            .show(ui, |ui| {
                for (index, item) in found.iter().enumerate() {
                    let is_chosen = index == self.chosen;
                    let response = line(ui, item, is_chosen);
                    if response.clicked() {
                        chosen = Some(index);
                    }
                    if is_chosen && steps != 0 {
                        response.scroll_to_me(None);
                    }
                }
            });

        match chosen.and_then(|index| found.get(index)) {
            Some(item) => ControlFlow::Break(Some(item)),
            None => ControlFlow::Continue(()),
        }
    }
}

fn line(ui: &mut Ui, item: &Item, chosen: bool) -> Response {
    let theme = Theme::of(ui);
    ListRow::new(&format!("Add {}", item.name))
        .selected(chosen)
        .show(ui, |line, _| {
            let left = line.left;
            line.start(&item.name, theme::body(), theme.text1);
            // The descriptions form a column, except after a long name.
            line.left = (left + 116.0).max(line.left + theme::SPACE_M);
            line.y += 1.0;
            if 24.0 < line.right - line.left {
                line.start(&item.lines[0], theme::small(), theme.text3);
            }
        })
}

//! The list that the key A opens: the rows of the palette, to choose from without a mouse.

use egui::{Area, Context, Id, Key, Modifiers, Order, Pos2, Response, RichText, TextEdit, Ui, vec2};

use crate::strategy::Item;
use crate::workbench::kit::ListRow;
use crate::workbench::theme::{self, Theme};

/// Height of the list; more rows scroll.
const HIGHEST: f32 = 320.0;

#[derive(Debug, Default)]
pub(super) struct AddList {
    query: String,
    chosen: usize,
    shown: bool,
}

/// What became of the list in this frame.
#[derive(Debug, PartialEq)]
pub(super) enum AddListStep {
    Open,
    Closed,
    /// It goes, and this is to be added.
    Chosen(&'static Item),
}

impl AddList {
    /// Draws the list below `corner`; `at` is where the row will go among `rows`.
    pub(super) fn show(&mut self, ctx: &Context, corner: Pos2, width: f32, at: usize, rows: usize) -> AddListStep {
        let mut step = AddListStep::Open;
        let area = Area::new(Id::unique("add criterion")).order(Order::Foreground).fixed_pos(corner).constrain(true);
        let shown = area.show(ctx, |ui| {
            egui::Frame::popup(ui.style()).inner_margin(8).show(ui, |ui| {
                ui.set_width(width - 18.0);
                step = self.ui(ui, at, rows);
            });
        });
        let outside = ctx.input(|input| {
            let pressed = input.pointer.any_pressed();
            pressed && input.pointer.interact_pos().is_some_and(|pos| !shown.response.rect.contains(pos))
        });
        if step == AddListStep::Open && outside && self.shown {
            step = AddListStep::Closed;
        }
        self.shown = true;
        step
    }

    fn ui(&mut self, ui: &mut Ui, at: usize, rows: usize) -> AddListStep {
        let theme = Theme::of(ui);
        ui.spacing_mut().item_spacing.y = 2.0;
        let found = Item::find(&self.query);
        let (steps, enter, escape) = ui.input_mut(|input| {
            let down = input.count_and_consume_key(Modifiers::NONE, Key::ArrowDown) as isize;
            let up = input.count_and_consume_key(Modifiers::NONE, Key::ArrowUp) as isize;
            let enter = input.consume_key(Modifiers::NONE, Key::Enter);
            (down - up, enter, input.consume_key(Modifiers::NONE, Key::Escape))
        });
        if escape {
            return AddListStep::Closed;
        }
        let edit = TextEdit::singleline(&mut self.query)
            .hint_text("Find a row to add")
            .desired_width(f32::INFINITY)
            .align(egui::Align2::LEFT_CENTER)
            .min_size(vec2(0.0, theme::CONTROL))
            // Escape closes the list instead of stopping what runs.
            .event_filter(egui::EventFilter {
                escape: true,
                horizontal_arrows: true,
                vertical_arrows: true,
                tab: false,
            });
        let edit = ui.add(edit).accessible_name("Find a row to add");
        if !edit.has_focus() {
            // Not every frame: that would forget the filter of keys.
            edit.request_focus();
        }
        if edit.changed() {
            self.chosen = 0;
        }
        self.chosen = self.chosen.saturating_add_signed(steps).min(found.len().saturating_sub(1));
        let place = if at == rows { "last".to_owned() } else { format!("as row {}", at + 1) };
        ui.label(RichText::new(format!("Goes in {place}. Enter adds, Escape closes")).small().color(theme.text3));
        ui.add_space(theme::SPACE_S);
        if found.is_empty() {
            ui.label(RichText::new("No row has these words").color(theme.text3));
        }
        let mut chosen = enter.then_some(self.chosen);
        egui::ScrollArea::vertical().max_height(HIGHEST).show(ui, |ui| {
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
            Some(item) => AddListStep::Chosen(item),
            None => AddListStep::Open,
        }
    }
}

fn line(ui: &mut Ui, item: &Item, chosen: bool) -> Response {
    let theme = Theme::of(ui);
    ListRow::new(&format!("Add {}", item.name)).selected(chosen).show(ui, |line, _| {
        let left = line.left;
        line.start(&item.name, theme::body(), theme.text1);
        // One line below the other, unless a name is long.
        line.left = (left + 116.0).max(line.left + theme::SPACE_M);
        line.y += 1.0;
        if 24.0 < line.right - line.left {
            line.start(&item.lines[0], theme::small(), theme.text3);
        }
    })
}

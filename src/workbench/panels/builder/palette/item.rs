//! One row of the palette: its picture, its name, one line, and how it gets into the stack.

use egui::{CursorIcon, DragAndDrop, EventFilter, Key, Rect, Response, Ui, pos2, vec2};

use super::picture;
use crate::search::Lookahead;
use crate::strategy::{Group, Item};
use crate::workbench::icon::Icon;
use crate::workbench::kit::ListRow;
use crate::workbench::panels::builder::RowDrag;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Height of a row.
pub(super) const HEIGHT: f32 = 38.0;
/// Side of its picture.
const PICTURE: f32 = 28.0;

/// What somebody wants with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemRequest {
    /// Put it behind the selected row.
    Add,
    /// RowDrop it with the keys.
    Lift,
    /// Go to the item before it.
    Up,
    /// Go to the item behind it.
    Down,
}

/// What is dragged when this item is lifted.
pub(crate) fn dragged(item: &Item) -> RowDrag {
    RowDrag::New { criterion: item.criterion.clone(), name: item.name.clone() }
}

/// Draws an item as wide as there is room.
pub(super) fn ui(ui: &mut Ui, item: &Item) -> (Response, Option<ItemRequest>) {
    let theme = Theme::of(ui);
    let name = spoken(item);
    let response = ListRow::new(&name).height(HEIGHT).draggable().pad(2.0).show(ui, |line, response| {
        let top = response.rect.top();
        line.icon(Icon::Grip, theme.text3);
        line.skip(6.0);
        let square = Rect::from_min_size(pos2(line.left, line.y - PICTURE / 2.0), vec2(PICTURE, PICTURE));
        picture::paint(&line.painter, theme, square, &item.criterion);
        line.skip(PICTURE + 9.0);
        line.skip_end(theme::SPACE_S - 2.0);
        line.top(top + 2.0).start(&item.name, theme::medium(), theme.text1);
        line.top(top + 20.0).start(&item.lines[0], theme::small(), theme.text3);
    });
    let request = handle(ui, &response, item).or_else(|| arrows(ui, &response));
    (response, request)
}

/// What a screen reader says of an item, wherever it is shown.
pub(crate) fn spoken(item: &Item) -> String {
    format!("Palette {}", item.name)
}

/// Arrows walk from item to item.
fn arrows(ui: &Ui, response: &Response) -> Option<ItemRequest> {
    if !response.has_focus() {
        return None;
    }
    // Otherwise egui takes the arrows for itself.
    let filter = EventFilter { vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    match ui.input(|input| (input.key_pressed(Key::ArrowUp), input.key_pressed(Key::ArrowDown))) {
        (true, false) => Some(ItemRequest::Up),
        (false, true) => Some(ItemRequest::Down),
        _ => None,
    }
}

/// Tooltip, drag and keys, the same wherever an item is shown.
pub(crate) fn handle(ui: &Ui, response: &Response, item: &Item) -> Option<ItemRequest> {
    if response.drag_started() {
        DragAndDrop::set_payload(ui.ctx(), dragged(item));
    }
    if response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    response.clone().on_hover_ui(|ui| tip(ui, item));
    // A single click is too easily a drag that was not meant, a key is not.
    let by_key = response.clicked() && !ui.input(|input| input.pointer.any_released());
    if by_key && response.has_focus() && ui.input(|input| input.key_pressed(Key::Space)) {
        return Some(ItemRequest::Lift);
    }
    (response.double_clicked() || by_key).then_some(ItemRequest::Add)
}

/// The item explained: its two lines, what it is made of, formula and source.
fn tip(ui: &mut Ui, item: &Item) {
    let theme = Theme::of(ui);
    ui.set_max_width(380.0);
    ui.spacing_mut().item_spacing.y = 3.0;
    let how = "Drag it into the stack, or click twice; Enter adds, Space lifts";
    if item.group == Group::OnePly {
        // What it is made of is all there is to it: the words are those of the glossary.
        terms::show(ui, terms::of_evaluator(&item.criterion.evaluator));
        ui.label(egui::RichText::new(how).small().color(theme.text3));
        return;
    }
    let text = |text: &str| egui::RichText::new(text).color(theme.text2);
    ui.label(egui::RichText::new(&item.name).font(theme::strong()).color(theme.text1));
    item.lines.iter().for_each(|line| {
        ui.label(text(line));
    });
    let criterion = &item.criterion;
    let evaluator = terms::of_evaluator(&criterion.evaluator);
    if criterion.lookahead != Lookahead::OnePly {
        let of = format!(
            "{}, {} of {}",
            criterion.lookahead.name(),
            criterion.lookahead.depth_text(),
            criterion.evaluator.label()
        );
        ui.label(text(&of));
        let formula = terms::of_lookahead(&criterion.lookahead).formula;
        ui.label(egui::RichText::new(formula).font(theme::mono()).color(theme.text1));
    }
    if !evaluator.formula.is_empty() {
        ui.label(egui::RichText::new(evaluator.formula).font(theme::mono()).color(theme.text1));
    }
    let source = if item.source.is_empty() { evaluator.source } else { &item.source };
    let source = if source.is_empty() { String::new() } else { format!("{source}\n") };
    let how = format!("{source}{how}");
    ui.label(egui::RichText::new(how).small().color(theme.text3));
}

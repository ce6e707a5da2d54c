//! Shared parts of panels: scroll areas, the text of an empty panel, and when to read files again.

use std::fmt::Debug;
use std::hash::Hash;

use egui::{
    Event, Key, Modifiers, Rect, Response, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, pos2,
};

use super::focus;
use super::own_keys::own_keys;
use super::text::inert;
use crate::workbench::theme::{self, Theme};

/// Width of a scroll bar next to its content.
pub const SCROLL_BAR: f32 = 10.0;

/// A horizontal scroll area whose bar is below the content, not over it. Unless it `fills`, it is as high as its
/// content.
pub fn scroll_across<R>(
    ui: &mut Ui,
    id: impl Hash + Debug,
    fills: bool,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let usual = std::mem::replace(
        &mut ui.spacing_mut().scroll.floating_allocated_width,
        SCROLL_BAR,
    );
    let shown = ScrollArea::horizontal()
        .id_salt(id)
        .auto_shrink([false, !fills])
        .show(ui, |ui| {
            ui.spacing_mut().scroll.floating_allocated_width = usual;
            add(ui)
        });
    ui.spacing_mut().scroll.floating_allocated_width = usual;
    shown.inner
}

/// A scroll area for text. If the text does not fit, the area is a named tab stop, and its keys scroll.
pub fn reading_area<R>(ui: &mut Ui, id: &str, name: &str, add: impl FnOnce(&mut Ui) -> R) -> R {
    let stop = ui.scope_id().with((id, "read"));
    // The bar is next to the text, not over it.
    let usual = std::mem::replace(
        &mut ui.spacing_mut().scroll.floating_allocated_width,
        SCROLL_BAR,
    );
    let shown = ScrollArea::vertical()
        .id_salt(id)
        .auto_shrink(false)
        .show(ui, |ui| {
            if ui.memory(|memory| memory.has_focus(stop)) {
                scroll_by_keys(ui);
            }
            ui.spacing_mut().scroll.floating_allocated_width = usual;
            add(ui)
        });

    ui.spacing_mut().scroll.floating_allocated_width = usual;
    let rect = shown.inner_rect;
    if rect.height() + 1.0 < shown.content_size.y {
        let response = ui.interact(rect, stop, Sense::focusable_noninteractive());
        response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, name));
        focus::alone(&response);
        own_keys(ui, &response, &SCROLL_KEYS);
        if response.has_focus() {
            theme::focus_ring(ui, rect.shrink(3.0));
        }
    }

    shown.inner
}

const SCROLL_KEYS: [Key; 6] = [
    Key::ArrowDown,
    Key::ArrowUp,
    Key::PageDown,
    Key::PageUp,
    Key::End,
    Key::Home,
];

/// Scrolls the surrounding area by arrows, page keys, Home and End. In a text field, Home and End belong to the field.
pub fn scroll_by_keys(ui: &Ui) {
    /// Distance of an arrow key: two lines.
    const STEP: f32 = 40.0;
    /// More than the length of any content.
    const ALL: f32 = 1e6;
    let page = (ui.clip_rect().height() - STEP).max(STEP);
    let is_field = ui.ctx().text_edit_focused();
    let mut by = 0.0;
    for (key, down) in SCROLL_KEYS
        .into_iter()
        .zip([STEP, -STEP, page, -page, ALL, -ALL])
    {
        if is_field && ALL <= f32::abs(down) {
            continue;
        }
        by += down * ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key)) as f32;
    }

    if by != 0.0 {
        ui.memory_mut(|memory| memory.move_focus(egui::FocusDirection::None));
        ui.scroll_with_delta(egui::vec2(0.0, -by));
    }
}

/// Scrolls a list as wide as `rect`; the bar is in the margin to the right.
pub fn scroll_beside<R>(ui: &mut Ui, id: &str, rect: Rect, add: impl FnOnce(&mut Ui) -> R) -> R {
    scroll_form_beside(ui, id, rect, |ui| {
        focus::group(ui);
        add(ui)
    })
}

/// Scrolls content other than a list, as wide as `rect`; its controls are separate tab stops.
pub fn scroll_form_beside<R>(
    ui: &mut Ui,
    id: &str,
    rect: Rect,
    add: impl FnOnce(&mut Ui) -> R,
) -> R {
    let with_bar = rect.with_max_x(rect.right() + SCROLL_BAR);
    let mut inside = ui.new_child(UiBuilder::new().id_salt(id).max_rect(with_bar));
    let area = ScrollArea::vertical().id_salt(id).auto_shrink(false);
    let shown = area.show(&mut inside, |ui| {
        ui.set_max_width(ui.available_width() - SCROLL_BAR);
        add(ui)
    });
    shown.inner
}

/// The text of an empty panel, in the remaining space: what appears here, and how to start.
pub fn empty(ui: &mut Ui, sentence: &str) -> Response {
    let theme = Theme::of(ui);
    let size = ui.available_size();
    let (rect, response) = inert(ui, size, Role::Label, sentence);
    let width = (rect.width() - 2.0 * theme::SPACE_L).clamp(1.0, 420.0);
    let mut job =
        egui::text::LayoutJob::simple(sentence.to_owned(), theme::body(), theme.text3, width);
    job.halign = egui::Align::Center;
    let galley = ui.painter().layout_job(job);
    let top = rect.top() + ((rect.height() - galley.size().y) * 0.42).max(0.0);
    ui.painter()
        .galley(pos2(rect.center().x, top), galley, theme.text3);
    response
}

/// Whether the window has just come to the front, so that files may have changed.
pub fn came_to_front(ui: &Ui) -> bool {
    ui.input(|input| {
        input
            .events
            .iter()
            .any(|event| matches!(event, Event::WindowFocused(true)))
    })
}

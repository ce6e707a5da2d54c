//! Chips that can be toggled or removed; tags, keycaps and progress bars, which are passive.

use egui::{
    Align2, Color32, FontId, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2,
    vec2,
};

use super::text::{inert, small_print};
use crate::task::Work;
use crate::workbench::icon::{self, Icon};
use crate::workbench::theme::{self, Theme};

/// Padding between the ends of a chip and its text.
const PAD: f32 = 8.0;

/// A chip that is on or off; the caller flips the state on `clicked`.
pub fn chip(ui: &mut Ui, text: &str, on: bool) -> Response {
    chip_named(ui, text, text, on)
}

/// A chip whose accessible name differs from its text.
pub fn chip_named(ui: &mut Ui, text: &str, name: &str, on: bool) -> Response {
    let theme = Theme::of(ui);
    let (fill, ink) = if on {
        (theme.accent_bg, theme.text1)
    } else {
        (theme.bg3, theme.text2)
    };
    let response = chip_ui(ui, text, 0.0, fill, ink, !on);
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), on, name));
    response
}

/// Whether a chip fits in the rest of the line.
pub fn chip_fits(ui: &Ui, text: &str) -> bool {
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), theme::body(), Color32::PLACEHOLDER);
    galley.size().x + 2.0 * PAD <= ui.available_width()
}

/// A selected chip with a cross; a click removes it.
pub fn removable_chip(ui: &mut Ui, text: &str, remove: &str) -> Response {
    let theme = Theme::of(ui);
    let response = chip_ui(ui, text, icon::SIDE, theme.accent_bg, theme.text1, true);
    response.widget_info(|| WidgetInfo {
        current_text_value: Some(text.to_owned()),
        ..WidgetInfo::labeled(Role::Button, ui.is_enabled(), remove)
    });
    let rect = response.rect;
    Icon::Close.paint(
        ui.painter(),
        pos2(rect.right() - 4.0 - icon::SIDE / 2.0, rect.center().y),
        theme.text2,
    );
    response.on_hover_text(remove)
}

/// Fill, focus and text of a chip with `room` at its right end.
fn chip_ui(
    ui: &mut Ui,
    text: &str,
    room: f32,
    fill: Color32,
    ink: Color32,
    lights_up: bool,
) -> Response {
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), theme::body(), Color32::PLACEHOLDER);
    let (rect, response) = ui.allocate_exact_size(
        vec2(galley.size().x + 2.0 * PAD + room, theme::CHIP),
        Sense::click(),
    );
    let fill = if lights_up && response.hovered() {
        Theme::of(ui).bg4
    } else {
        fill
    };
    ui.painter().rect_filled(rect, theme::RADIUS_S, fill);
    let edge = if fill == Theme::of(ui).accent_bg {
        Theme::of(ui).accent
    } else {
        Theme::of(ui).line
    };
    ui.painter().rect_stroke(
        rect,
        theme::RADIUS_S,
        Stroke::new(1.0, edge),
        StrokeKind::Inside,
    );
    if response.has_focus() {
        theme::focus_ring(ui, rect);
    }
    let top = rect.center().y - galley.size().y / 2.0;
    ui.painter()
        .galley(pos2(rect.left() + PAD, top), galley, ink);
    response
}

/// A small framed text, such as the hash of a strategy; `font` is [`theme::mono`] or [`theme::small`].
pub fn tag(ui: &mut Ui, text: &str, font: FontId) -> Response {
    framed(ui, text, font, 0.0, theme::RADIUS_S, Theme::of(ui).sep)
}

/// A keycap such as `Ctrl K`.
pub fn keycap(ui: &mut Ui, keys: &str) -> Response {
    framed(ui, keys, theme::small(), theme::TAG, 3, Theme::of(ui).line)
}

fn framed(
    ui: &mut Ui,
    text: &str,
    font: FontId,
    least: f32,
    radius: u8,
    edge: Color32,
) -> Response {
    let theme = Theme::of(ui);
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), font, theme.text2);
    let (rect, response) = inert(
        ui,
        vec2((galley.size().x + 10.0).max(least), theme::TAG),
        Role::Label,
        text,
    );
    ui.painter().rect_filled(rect, radius, theme.bg3);
    ui.painter()
        .rect_stroke(rect, radius, Stroke::new(1.0, edge), StrokeKind::Inside);
    ui.painter()
        .galley(rect.center() - galley.size() / 2.0, galley, theme.text2);
    response
}

/// Reports the progress to screen readers, from 0 to 1.
fn hear_share(response: &Response, name: &str, share: f32) {
    response.widget_info(|| WidgetInfo {
        label: Some(name.to_owned()),
        value: Some(f64::from(share)),
        ..WidgetInfo::new(Role::ProgressIndicator)
    });
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(1.0);
    });
}

/// A thin progress bar of this width; `share` is from 0 to 1. The caller adds the text.
pub fn progress(ui: &mut Ui, name: &str, share: f32, width: f32) -> Response {
    let theme = Theme::of(ui);
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAG), Sense::hover());
    hear_share(&response, name, share);
    let track = Rect::from_center_size(rect.center(), vec2(width, 6.0));
    ui.painter().rect_filled(track, 3, theme.bg4);
    if 0.0 < share {
        let filled = track.with_max_x(track.left() + (track.width() * share).max(2.0));
        ui.painter().rect_filled(filled, 3, theme.accent);
    }
    response
}

/// The progress of long work: a bar of this width, and what is done.
pub fn work_ui(ui: &mut Ui, name: &str, work: &Work, width: f32) {
    progress(ui, name, work.share(), width);
    small_print(ui, work.text(), Theme::of(ui).text2);
}

/// A bar of this width between two ends; `share` is the position from 0 to 1.
pub fn balance(ui: &mut Ui, name: &str, ends: [&str; 2], share: f32, width: f32) -> Response {
    let theme = Theme::of(ui);
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.5
    };
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAG), Sense::hover());
    hear_share(&response, name, share);
    let text = |align: Align2, at, text: &str| {
        ui.painter()
            .text(at, align, text, theme::small(), theme.text3)
            .width()
            + theme::SPACE_S
    };
    let left = text(Align2::LEFT_CENTER, rect.left_center(), ends[0]);
    let right = text(Align2::RIGHT_CENTER, rect.right_center(), ends[1]);
    let track = Rect::from_x_y_ranges(rect.left() + left..=rect.right() - right, rect.y_range());
    let track = Rect::from_center_size(track.center(), vec2(track.width(), 6.0));
    ui.painter().rect_filled(track, 3, theme.bg4);
    let at = track.left() + track.width() * share;
    let filled = Rect::from_x_y_ranges(
        track.center().x.min(at)..=track.center().x.max(at),
        track.y_range(),
    );
    ui.painter().rect_filled(filled, 0, theme.accent);
    ui.painter().vline(
        track.center().x,
        track.y_range().expand(2.0),
        Stroke::new(1.0, theme.text3),
    );
    ui.painter()
        .circle_filled(pos2(at, track.center().y), 4.0, theme.accent);
    response
}

//! The picture of a key, for the shortcut sheet and the command search.

use egui::{Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::workbench::theme::{self, Theme};

/// Keys such as `Ctrl K` in a small frame.
pub fn keycap(ui: &mut Ui, keys: &str) -> Response {
    let theme = Theme::of(ui);
    let galley = ui.painter().layout_no_wrap(keys.to_owned(), theme::small(), theme.text2);
    let width = (galley.size().x + 10.0).max(theme::TAG);
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAG), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, keys));
    ui.painter().rect_filled(rect, 3, theme.bg3);
    ui.painter().rect_stroke(rect, 3, Stroke::new(1.0, theme.line), StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, theme.text2);
    response
}

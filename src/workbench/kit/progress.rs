//! A thin bar for the progress of what the person started.

use egui::{Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::workbench::theme::{self, Theme};

/// A bar of this width, filled by `share` from 0 to 1; the words beside it are the caller's.
pub fn progress(ui: &mut Ui, name: &str, share: f32, width: f32) -> Response {
    let theme = Theme::of(ui);
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAG), Sense::hover());
    response.widget_info(|| WidgetInfo {
        label: Some(name.to_owned()),
        value: Some(f64::from(share)),
        ..WidgetInfo::new(Role::ProgressIndicator)
    });
    let track = Rect::from_center_size(rect.center(), vec2(width, 6.0));
    ui.painter().rect_filled(track, 3, theme.bg4);
    if 0.0 < share {
        let filled = track.with_max_x(track.left() + (track.width() * share).max(2.0));
        ui.painter().rect_filled(filled, 3, theme.accent);
    }
    response
}

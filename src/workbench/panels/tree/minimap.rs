//! The whole layout in a corner, with what is seen as a frame. Dragged, it moves the view.

use egui::{Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::canvas::camera::Lens;
use super::canvas::far;
use super::canvas::layout::{Layout, column_x};
use crate::workbench::theme::{self, Theme};

pub(super) const SIZE: Vec2 = vec2(168.0, 96.0);
const INSET: f32 = 6.0;

/// Draws it; gives the share of the layout's width and height that should come to the middle while it is dragged.
pub(super) fn ui(ui: &mut Ui, rect: Rect, layout: &Layout, lens: &Lens) -> Option<(f64, f64)> {
    let theme = Theme::of(ui);
    let response = ui.interact(rect, ui.scope_id().with("minimap"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), "Minimap: drag to move the view"));
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, theme::RADIUS_S, theme.bg2);
    let inner = rect.shrink(INSET);
    let (width, height) = (layout.width(), (layout.bottom() - layout.top()).max(1.0));
    // A small tree is not blown up: its rows stay as high as they are wide.
    let high = f64::from(inner.height()).min(height * 0.25);
    let top = inner.center().y - high as f32 / 2.0;
    let columns = layout.columns().len().max(1);
    let pitch = inner.width() / columns as f32;
    for (depth, column) in layout.columns().iter().enumerate() {
        let left = inner.left() + (column_x(depth) / width) as f32 * inner.width();
        let space = Rect::from_min_size(pos2(left, top), vec2((pitch * 0.72).max(2.0), high as f32));
        let row = 1.0_f32;
        far::paint_column(&painter, theme, column, space, layout.top(), height / (high / f64::from(row)), row);
    }
    let across = |x: f64| inner.left() + ((x / width).clamp(-0.02, 1.02) as f32) * inner.width();
    let down = |y: f64| top + (((y - layout.top()) / height).clamp(-0.05, 1.05) * high) as f32;
    let (x0, y0) = lens.under(lens.rect.left_top());
    let (x1, y1) = lens.under(lens.rect.right_bottom());
    let mut seen = Rect::from_min_max(pos2(across(x0), down(y0)), pos2(across(x1), down(y1)));
    if seen.height() < 4.0 {
        seen = Rect::from_center_size(seen.center(), vec2(seen.width(), 4.0));
    }
    let seen = seen.intersect(rect.shrink(2.0));
    painter.rect_stroke(seen, 2, Stroke::new(1.5, theme.accent), StrokeKind::Inside);
    painter.rect_stroke(rect, theme::RADIUS_S, Stroke::new(1.0, theme.line), StrokeKind::Inside);
    let at = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked())?;
    let x = f64::from((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * width;
    let y = layout.top() + f64::from((at.y - top) / (high as f32).max(1.0)).clamp(0.0, 1.0) * height;
    Some((x, y))
}

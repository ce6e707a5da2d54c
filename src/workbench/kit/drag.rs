//! Drag and drop: the ghost at the pointer, the look of the source, and drop targets.

use std::any::Any;
use std::sync::Arc;

use egui::{
    Color32, DragAndDrop, Id, LayerId, Order, Painter, Pos2, Rect, Response, Shape, Stroke,
    StrokeKind, Ui, Vec2,
};

use crate::workbench::theme::{self, Theme};

/// A dragged object, as seen from a drop target.
#[derive(Clone, Debug)]
pub enum DropState<T> {
    Elsewhere,
    /// It is over the target, at this point.
    Over(Arc<T>, Pos2),
    /// It was dropped on the target, which consumes it.
    Here(Arc<T>, Pos2),
}

/// The drag state relative to `rect`, if the payload is a `T`.
pub fn drop_target<T: Any + Send + Sync>(ui: &Ui, rect: Rect) -> Option<DropState<T>> {
    let payload = DragAndDrop::payload::<T>(ui.ctx())?;
    let (pointer, released) =
        ui.input(|input| (input.pointer.interact_pos(), input.pointer.any_released()));
    let Some(at) = pointer.filter(|&at| rect.contains(at)) else {
        return Some(DropState::Elsewhere);
    };
    if !released {
        return Some(DropState::Over(payload, at));
    }
    DragAndDrop::clear_payload(ui.ctx());
    Some(DropState::Here(payload, at))
}

/// A whole panel as a drop target for a `T`: framed during a drag over it; returns the dropped payload.
pub fn panel_drop_target<T: Any + Send + Sync>(ui: &Ui, panel: Rect) -> Option<Arc<T>> {
    match drop_target::<T>(ui, panel.expand(theme::PAD))? {
        DropState::Elsewhere => None,
        DropState::Over(..) => {
            let stroke = Stroke::new(2.0, Theme::of(ui).accent);
            ui.painter().rect_stroke(
                panel.expand(6.0),
                theme::RADIUS_M,
                stroke,
                StrokeKind::Inside,
            );
            None
        }
        DropState::Here(payload, _) => Some(payload),
    }
}

/// The painter of a draggable object: faint during its drag.
pub fn drag_painter(ui: &Ui, response: &Response) -> Painter {
    let mut painter = ui.painter().clone();
    if response.dragged() && DragAndDrop::has_any_payload(ui.ctx()) {
        painter.set_opacity(theme::DRAG_SOURCE_ALPHA);
    }
    painter
}

/// The plate of a drag ghost, on top of everything and within the window; `name` distinguishes layers. Returns its
/// painter and rectangle.
pub fn ghost(ui: &Ui, name: &str, corner: Pos2, size: Vec2, outline: Color32) -> (Painter, Rect) {
    let mut painter = ui
        .ctx()
        .layer_painter(LayerId::new(Order::Tooltip, Id::unique(name)));
    painter.set_opacity(theme::DRAG_GHOST_ALPHA);
    let rect = Rect::from_min_size(corner, size);
    // The ghost stays readable at the edge of the window.
    let screen = ui.ctx().content_rect();
    let over = (rect.right() - screen.right()).clamp(0.0, (rect.left() - screen.left()).max(0.0));
    let rect = rect.translate(egui::vec2(-over, 0.0));
    painter.add(Shape::from(
        ui.visuals().popup_shadow.as_shape(rect, theme::RADIUS_M),
    ));
    painter.rect_filled(rect, theme::RADIUS_M, Theme::of(ui).bg4);
    painter.rect_stroke(
        rect,
        theme::RADIUS_M,
        Stroke::new(1.5, outline),
        StrokeKind::Inside,
    );
    (painter, rect)
}

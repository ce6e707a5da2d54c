//! Parts that the views of the tree share: view commands, following the selection, pointer and wheel, accessible nodes,
//! and the fading by filter and replay.

use std::sync::Arc;

use egui::{Id, PointerButton, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::words as names;
use crate::search::{NodeId, Seen, Tree};
use crate::workbench::command::{Panel, TreeCommand};
use crate::workbench::kit::{describe, focus, focus_ring, walked};
use crate::workbench::panels::Inspection;

#[derive(Debug, Default)]
pub(super) struct ViewFrame {
    requests: Vec<TreeCommand>,
    /// Tree and selection of the last frame.
    followed: Option<((u64, usize), NodeId)>,
    /// The pointer is on a node of this view.
    pub lit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Tree,
    Selection,
    Nothing,
}

impl ViewFrame {
    /// Queues a command about the visible part until the view is drawn.
    pub(super) fn request(&mut self, command: TreeCommand) {
        use TreeCommand::{Fit, FitSelection, Reveal, ZoomIn, ZoomOut};
        if matches!(command, Fit | FitSelection | Reveal | ZoomIn | ZoomOut) {
            self.requests.push(command);
        }
    }

    pub(super) fn take_requests(&mut self) -> Vec<TreeCommand> {
        std::mem::take(&mut self.requests)
    }

    /// Follows the selection; `tree` is its decision and row.
    pub(super) fn follow(&mut self, tree: (u64, usize), selected: NodeId) -> Moved {
        match self.followed.replace((tree, selected)) {
            Some((before, id)) if before == tree && id == selected => Moved::Nothing,
            Some((before, _)) if before == tree => Moved::Selection,
            _ => Moved::Tree,
        }
    }

    /// A view that already follows this selection.
    pub(super) fn following(tree: (u64, usize), selected: NodeId) -> Self {
        Self {
            followed: Some((tree, selected)),
            ..Self::default()
        }
    }

    /// Selects a node pressed in this view, without scrolling to it.
    pub(super) fn click(&mut self, inspection: &mut Inspection, id: NodeId) {
        if let Some((_, followed)) = &mut self.followed {
            *followed = id;
        }
        inspection.click(id);
    }

    /// Shares the node under the pointer with all panels.
    pub(super) fn light(&mut self, inspection: &mut Inspection, id: Option<NodeId>) {
        if id.is_some() || self.lit {
            (inspection.hovered, self.lit) = (id, id.is_some());
        }
    }
}

/// A node of a view for pointer, keyboard and screen readers; `ring` is framed while it has the focus. Only the
/// selected node can have it: a tree is one tab stop, and the arrows move within it.
pub(super) fn node_widget(
    ui: &Ui,
    rect: Rect,
    ring: Rect,
    id: Id,
    panel: Panel,
    is_selected: bool,
    name: impl Fn() -> String,
) -> Response {
    // The selected node represents all of them: the tree's commands move between nodes.
    let sense = if is_selected {
        Sense::click()
    } else {
        Sense::CLICK
    };
    let response = ui.interact(rect, id, sense);
    response
        .widget_info(|| WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), is_selected, name()));
    if is_selected {
        walked(ui, id);
        describe(ui, id, |node| node.set_selected(true));
    }
    ring_focused(ui, &response, ring);
    follow_keys(&response, panel, is_selected);
    response
}

/// Leaves the arrows to the panel's commands, and makes the selected node the focus target of the panel.
pub(super) fn follow_keys(response: &Response, panel: Panel, is_selected: bool) {
    if is_selected || response.has_focus() {
        focus::alone(response);
    }
    if is_selected {
        focus::home(response, panel.area());
    }
}

/// Describes a node's place in the tree for screen readers: depth, index among the drawn siblings, whether it is
/// unfolded, and its parent.
pub(super) fn describe_node(
    ui: &Ui,
    widget: Id,
    inspection: &Inspection,
    tree: &Arc<Tree>,
    id: NodeId,
) {
    if !inspection
        .shown()
        .is_some_and(|shown| Arc::ptr_eq(&shown.tree, tree))
    {
        return;
    }
    describe(ui, widget, |node| {
        node.set_level(tree.depth(id) as usize);
        if tree.kept_below(id) != 0 {
            node.set_expanded(inspection.is_unfolded(id));
        }
        let Some(parent) = tree.parent(id) else {
            return;
        };
        let siblings = inspection
            .folding()
            .drawn(tree, inspection.line(), parent)
            .shown;
        if let Some(place) = siblings.iter().position(|&sibling| sibling == id) {
            node.set_position_in_set(place);
            node.set_size_of_set(siblings.len());
        }
        let link = tree
            .link(parent)
            .map(names::link_words)
            .unwrap_or_else(|| "at the root".to_owned());
        node.set_description(format!(
            "ply {}, below the {} {link}",
            tree.depth(id),
            tree.kind(parent).words()
        ));
    });
}

/// Frames `rect` while the widget has the focus.
pub(super) fn ring_focused(ui: &Ui, response: &Response, rect: Rect) {
    if response.has_focus() {
        focus_ring(ui, rect);
    }
}

/// Pointer and wheel input of a view that pans and zooms.
pub(super) struct Navigation {
    /// The drag in points.
    pub drag: Option<Vec2>,
    /// The horizontal scroll in points.
    pub sideways: f32,
    /// The zoom factor and its center.
    pub zoom: Option<(egui::Pos2, f64)>,
}

impl Navigation {
    /// The input of this frame; `wheel` is the change of the logarithm of the scale per point of the wheel.
    pub(super) fn of(ui: &Ui, ground: &Response, rect: Rect, wheel: f64) -> Self {
        let is_dragged =
            ground.dragged_by(PointerButton::Primary) || ground.dragged_by(PointerButton::Middle);
        let mut navigation = Self {
            drag: is_dragged.then(|| ground.drag_delta()),
            sideways: 0.0,
            zoom: None,
        };
        if let Some(at) = pointer_in(ui, rect) {
            let (scroll, pinch) =
                ui.input(|input| (input.smooth_scroll_delta(), f64::from(input.zoom_delta())));
            let factor = pinch * (f64::from(scroll.y) * wheel).exp();
            // A clock that jumps makes the smoothed wheel infinite.
            navigation.zoom =
                (factor != 1.0 && factor.is_finite() && 0.0 < factor).then_some((at, factor));
            navigation.sideways = if scroll.x.is_finite() { scroll.x } else { 0.0 };
        }
        navigation
    }
}

/// The pointer's position, if it is over this part of the view and nothing covers it.
pub(super) fn pointer_in(ui: &Ui, rect: Rect) -> Option<egui::Pos2> {
    ui.input(|input| input.pointer.hover_pos())
        .filter(|_| ui.rect_contains_pointer(rect))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clarity {
    Clear,
    Unmatched,
    Ahead,
}

pub(super) fn clarity(inspection: &Inspection, id: NodeId) -> Clarity {
    match replay_state(inspection, id) {
        Some(Seen::Ahead) => Clarity::Ahead,
        _ if inspection.filter.shows(id) => Clarity::Clear,
        _ => Clarity::Unmatched,
    }
}

/// The state of a node in the replay; `None` without a replay.
pub(super) fn replay_state(inspection: &Inspection, id: NodeId) -> Option<Seen> {
    inspection.replay.as_ref().map(|replay| replay.state_of(id))
}

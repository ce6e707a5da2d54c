//! Roles, names and relations for screen readers, where egui provides none.

use std::collections::HashMap;

use egui::accesskit::{self, Action, Node, NodeId, Orientation, Role};
use egui::{Context, FullOutput, Id, Modal, ModalResponse, Plugin, Rect, Ui};

use super::focus;
use crate::workbench::theme;

/// Changes the accessible node of a widget or part of the window; not called without a screen reader.
pub fn describe(ui: &Ui, id: Id, change: impl FnOnce(&mut Node)) {
    ui.ctx().accesskit_node_builder(id, change);
}

/// Whether a screen reader is active, so that painted content needs text.
pub fn is_heard(ui: &Ui) -> bool {
    ui.ctx()
        .accesskit_node_builder(ui.unique_id(), |_| ())
        .is_some()
}

/// A rectangle of the screen in the accessibility tree.
pub(super) fn bounds(rect: Rect) -> accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    accesskit::Rect { x0, y0, x1, y1 }
}

/// Names a part of the window: everything drawn into `ui`.
pub fn part(ui: &Ui, role: Role, name: &str) {
    describe(ui, ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// Marks the current item of a panel's keys, such as the selected node of a tree. Screen readers treat it as focused
/// while the panel has the focus and no control has it.
pub fn walked(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(walked_key(), id));
}

/// Reports the [`walked`] item of a panel to screen readers, if the panel is focused; once after each panel.
pub fn hear_walked(ui: &Ui, has_keys: bool) {
    if let Some(id) = taken(ui.ctx(), walked_key())
        && has_keys
    {
        ui.data_mut(|data| data.insert_temp(heard_key(), id));
    }
}

/// Takes the temporary value of a key.
fn taken(ctx: &Context, place: Id) -> Option<Id> {
    ctx.data_mut(|data| {
        let id = data.get_temp(place);
        data.remove::<Id>(place);
        id
    })
}

fn walked_key() -> Id {
    Id::unique("walked to")
}

fn heard_key() -> Id {
    Id::unique("walked to in the focused panel")
}

/// Shows a named dialog; everything behind it is inaccessible until it closes.
pub fn show_dialog<R>(
    ctx: &Context,
    mut modal: Modal,
    name: &str,
    content: impl FnOnce(&mut Ui) -> R,
) -> ModalResponse<R> {
    let id = modal.area.layer().id;
    modal.area = modal.area.accessible_name(name);
    let shown = modal.show(ctx, content);
    ctx.accesskit_node_builder(id, Node::set_modal);
    shown
}

/// The answer buttons of a dialog on one line, aligned right.
pub fn answers<R>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> R) -> R {
    let size = egui::vec2(ui.available_width(), theme::CONTROL);
    ui.allocate_ui_with_layout(
        size,
        egui::Layout::right_to_left(egui::Align::Center),
        content,
    )
    .inner
}

/// Post-processes the accessibility tree: names the window and scroll bars, and removes click actions from nodes that
/// cannot be pressed, such as the background of table cells and tab bars.
#[derive(Debug, Default)]
pub struct Tidy;

impl Plugin for Tidy {
    fn debug_name(&self) -> &'static str {
        "accessible names"
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        let heard = taken(ctx, heard_key()).map(|id| id.accesskit_id());
        let Some(update) = &mut output.platform_output.accesskit_update else {
            return;
        };
        let root = update.tree.as_ref().map(|tree| tree.root);
        for (id, node) in &mut update.nodes {
            if Some(*id) == root {
                node.set_label("Afterstate");
            }
            tidy(node);
        }

        let is_free = ctx
            .memory(egui::Memory::focused)
            .is_none_or(|id| focus::is_ground(ctx, id));
        if let Some(heard) = heard.filter(|_| is_free)
            && update.nodes.iter().any(|(id, _)| *id == heard)
        {
            update.focus = heard;
        }
        name_cells(&mut update.nodes);
    }
}

/// Names table cells by the text in them, except controls, which have names.
fn name_cells(nodes: &mut [(NodeId, Node)]) {
    let is_unnamed = |node: &Node| node.role() == Role::Cell && node.label().is_none();
    if !nodes.iter().any(|(_, node)| is_unnamed(node)) {
        return;
    }
    let places: HashMap<NodeId, usize> = nodes
        .iter()
        .enumerate()
        .map(|(place, (id, _))| (*id, place))
        .collect();
    for place in 0..nodes.len() {
        if is_unnamed(&nodes[place].1) {
            let mut texts = Vec::new();
            texts_within(nodes, &places, place, &mut texts);
            // In reading order, from the left.
            texts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
            nodes[place].1.set_label(texts.join(" "));
        }
    }
}

/// The texts within a node, each with its left position.
fn texts_within(
    nodes: &[(NodeId, Node)],
    places: &HashMap<NodeId, usize>,
    place: usize,
    texts: &mut Vec<(f64, String)>,
) {
    for child in nodes[place]
        .1
        .children()
        .iter()
        .filter_map(|id| places.get(id))
    {
        let node = &nodes[*child].1;
        match node.value().filter(|_| node.role() == Role::Label) {
            Some(text) => texts.push((
                node.bounds().map_or(0.0, |bounds| bounds.x0),
                text.to_owned(),
            )),
            None => texts_within(nodes, places, *child, texts),
        }
    }
}

fn tidy(node: &mut Node) {
    match node.role() {
        Role::ScrollBar if node.label().is_none() => {
            let is_wide = node
                .bounds()
                .is_some_and(|bounds| bounds.height() < bounds.width());
            let (name, orientation) = if is_wide {
                ("Scroll sideways", Orientation::Horizontal)
            } else {
                ("Scroll", Orientation::Vertical)
            };
            node.set_label(name);
            node.set_orientation(orientation);
        }
        Role::GenericContainer | Role::Unknown if node.label().is_none() => {
            node.remove_action(Action::Click);
        }
        _ => {}
    }
}

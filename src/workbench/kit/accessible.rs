//! Roles, names and relations for screen readers, where the toolkit gives none.

use std::collections::HashMap;

use egui::accesskit::{self, Action, Node, NodeId, Orientation, Role};
use egui::{Context, FullOutput, Id, Modal, ModalResponse, Plugin, Rect, Ui};

use super::focus;
use crate::workbench::theme;

/// Changes what a screen reader is told of a widget or a part of the window; not called while nobody listens.
pub fn describe(ui: &Ui, id: Id, change: impl FnOnce(&mut Node)) {
    ui.ctx().accesskit_node_builder(id, change);
}

/// Whether somebody listens, so that it is worth putting into words what is only painted.
pub fn is_heard(ui: &Ui) -> bool {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |_| ()).is_some()
}

/// A part of the screen as the tree of who listens has it.
pub(super) fn bounds(rect: Rect) -> accesskit::Rect {
    let [x0, y0, x1, y1] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
    accesskit::Rect { x0, y0, x1, y1 }
}

/// Names a part of the window: what is drawn into `ui` is in it.
pub fn part(ui: &Ui, role: Role, name: &str) {
    describe(ui, ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// The part of a panel that its keys are about, such as the node of a tree that arrows walk to. Who listens hears of it as if it
/// had the keyboard, while the panel has the keys and nothing else has the keyboard.
pub fn walked(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.insert_temp(walked_key(), id));
}

/// Hands what was [`walked`] in a panel to who listens, if that panel has the keys; once after each panel.
pub fn hear_walked(ui: &Ui, has_keys: bool) {
    if let Some(id) = taken(ui.ctx(), walked_key())
        && has_keys
    {
        ui.data_mut(|data| data.insert_temp(heard_key(), id));
    }
}

/// What is kept in a place for the rest of the frame.
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
    Id::unique("walked to in the panel that has the keys")
}

/// Shows a dialog under a name; what is behind it is out of reach until it closes.
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

/// The buttons that answer a dialog, from its right end on, in one line.
pub fn answers<R>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> R) -> R {
    let size = egui::vec2(ui.available_width(), theme::CONTROL);
    ui.allocate_ui_with_layout(size, egui::Layout::right_to_left(egui::Align::Center), content).inner
}

/// Goes over the whole tree before it is handed out: the window and scroll bars get names, and what cannot be pressed by anybody who
/// listens, such as the ground of a table cell or of a row of tabs, is not offered for it.
#[derive(Debug, Default)]
pub struct Tidy;

impl Plugin for Tidy {
    fn debug_name(&self) -> &'static str {
        "accessible names"
    }

    fn output_hook(&mut self, ctx: &Context, output: &mut FullOutput) {
        let heard = taken(ctx, heard_key()).map(|id| id.accesskit_id());
        let Some(update) = &mut output.platform_output.accesskit_update else { return };
        let root = update.tree.as_ref().map(|tree| tree.root);
        for (id, node) in &mut update.nodes {
            if Some(*id) == root {
                node.set_label("Afterstate");
            }
            tidy(node);
        }

        let is_free = ctx.memory(egui::Memory::focused).is_none_or(|id| focus::is_ground(ctx, id));
        if let Some(heard) = heard.filter(|_| is_free)
            && update.nodes.iter().any(|(id, _)| *id == heard)
        {
            update.focus = heard;
        }
        name_cells(&mut update.nodes);
    }
}

/// A cell of a table is called what is written in it; what can be pressed there has a name of its own.
fn name_cells(nodes: &mut [(NodeId, Node)]) {
    let is_unnamed = |node: &Node| node.role() == Role::Cell && node.label().is_none();
    if !nodes.iter().any(|(_, node)| is_unnamed(node)) {
        return;
    }
    let places: HashMap<NodeId, usize> = nodes.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
    for place in 0..nodes.len() {
        if is_unnamed(&nodes[place].1) {
            let mut texts = Vec::new();
            texts_within(nodes, &places, place, &mut texts);
            // As they are read, from the left.
            texts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
            nodes[place].1.set_label(texts.join(" "));
        }
    }
}

/// The texts within a node, each with where it begins.
fn texts_within(
    nodes: &[(NodeId, Node)],
    places: &HashMap<NodeId, usize>,
    place: usize,
    texts: &mut Vec<(f64, String)>,
) {
    for child in nodes[place].1.children().iter().filter_map(|id| places.get(id)) {
        let node = &nodes[*child].1;
        match node.value().filter(|_| node.role() == Role::Label) {
            Some(text) => texts.push((node.bounds().map_or(0.0, |bounds| bounds.x0), text.to_owned())),
            None => texts_within(nodes, places, *child, texts),
        }
    }
}

fn tidy(node: &mut Node) {
    match node.role() {
        Role::ScrollBar if node.label().is_none() => {
            let is_wide = node.bounds().is_some_and(|bounds| bounds.height() < bounds.width());
            let (name, orientation) =
                if is_wide { ("Scroll sideways", Orientation::Horizontal) } else { ("Scroll", Orientation::Vertical) };
            node.set_label(name);
            node.set_orientation(orientation);
        }
        Role::GenericContainer | Role::Unknown if node.label().is_none() => {
            node.remove_action(Action::Click);
        }
        _ => {}
    }
}

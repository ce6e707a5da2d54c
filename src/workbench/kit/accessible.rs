//! Roles, names and relations for screen readers, where the toolkit gives none.

use std::collections::HashMap;

use egui::accesskit::{self, Action, Node, NodeId, Orientation, Role};
use egui::{Context, FullOutput, Id, Modal, ModalResponse, Plugin, Rect, Ui};

/// Changes what a screen reader is told of a widget or a part of the window; not called while nobody listens.
pub fn describe(ui: &Ui, id: Id, change: impl FnOnce(&mut Node)) {
    ui.ctx().accesskit_node_builder(id, change);
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

/// Whether anybody listens, so that what takes long to say is said.
pub fn is_heard(ui: &Ui) -> bool {
    ui.ctx().has_accesskit_node(egui::accesskit_root_id())
}

/// Goes over the whole tree before it is handed out: the window and scroll bars get names, and what cannot be pressed by anybody who
/// listens, such as the ground of a table cell or of a row of tabs, is not offered for it.
#[derive(Debug, Default)]
pub struct Tidy;

impl Plugin for Tidy {
    fn debug_name(&self) -> &'static str {
        "accessible names"
    }

    fn output_hook(&mut self, _ctx: &Context, output: &mut FullOutput) {
        let Some(update) = &mut output.platform_output.accesskit_update else { return };
        let root = update.tree.as_ref().map(|tree| tree.root);
        for (id, node) in &mut update.nodes {
            if Some(*id) == root {
                node.set_label("Afterstate");
            }
            tidy(node);
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

//! What is right below a node, and a node beside its siblings.

use crate::search::{Bound, Link, NodeId, NodeKind, NodeView, Tree};
use crate::workbench::panels::tree::words as names;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Below {
    /// Whether these are slides; spawns otherwise.
    pub slides: bool,
    /// Whether the worst spawn counts, so that spawns are set beside it; else beside their mean.
    pub is_min: bool,
    /// One for each kept child, in the order of the visit.
    pub rows: Vec<ChildRow>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChildRow {
    pub id: NodeId,
    /// "← Left" or "2 r1c4".
    pub name: String,
    /// Its value; `None` where nothing was searched.
    pub value: Option<f64>,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Of slides the loss to the best; of spawns the difference to the mean, or to the worst where that counts. `None` where
    /// bounds leave it open.
    pub beside: Option<f64>,
    pub beside_bound: Bound,
    pub below: u64,
    pub kind: NodeKind,
}

/// What those right below a node are set beside.
#[derive(Clone, Copy, Debug)]
struct Reference {
    value: f64,
    bound: Bound,
    /// The node that has this value, if it is one of them.
    node: Option<NodeId>,
    /// Whether that is the most of them; else the least.
    is_most: bool,
}

impl Reference {
    /// Of slides the best; of spawns the worst where the search counts on it, else their mean.
    fn new(tree: &Tree, id: NodeId, slides: bool) -> Option<Self> {
        if slides || tree.kind(id) == NodeKind::Min {
            let wants_most = slides && (id != tree.root() || tree.objective().higher);
            let sign = if wants_most { 1.0 } else { -1.0 };
            let valued = tree.children(id).filter_map(|child| Some((child, sign * tree.value(child)?)));
            // The first of equals, unless a later one is exact.
            let (node, _) = valued.reduce(|most, next| {
                let is_sure = |(node, _): (NodeId, f64)| tree.bound(node) == Bound::Exact;
                let is_better = most.1 < next.1 || most.1 == next.1 && is_sure(next) && !is_sure(most);
                if is_better { next } else { most }
            })?;
            let value = tree.value(node)?;
            // What was not searched below may be better still; the node above knows.
            let bound = if tree.value(id) == Some(value) { tree.bound(id) } else { tree.bound(node) };
            return Some(Self { value, bound, node: Some(node), is_most: wants_most });
        }
        let value = tree.spawn_map(id).map(|map| map.mean).or_else(|| tree.value(id))?;
        Some(Self { value, bound: Bound::Exact, node: None, is_most: false })
    }

    /// How far a value lies above it, and what is known of that.
    fn difference(&self, id: NodeId, value: f64, bound: Bound) -> (f64, Option<Bound>) {
        let known = match self.bound {
            _ if self.node != Some(id) => bound.minus(self.bound),
            Bound::Exact => Some(Bound::Exact),
            // None is better than the best.
            _ if self.is_most => Some(Bound::Upper),
            _ => Some(Bound::Lower),
        };
        (value - self.value, known)
    }
}

/// The value of a node against that of its siblings; empty where nothing can be said.
pub(super) fn beside(tree: &Tree, node: &NodeView) -> String {
    let (Some(parent), Some(value), Some(link)) = (node.parent, node.value, node.link) else { return String::new() };
    let slides = matches!(link, Link::Slide(_));
    let Some(reference) = Reference::new(tree, parent, slides) else { return String::new() };
    let after = match tree.link(parent) {
        _ if slides => " here".to_owned(),
        Some(Link::Slide(mv)) => format!(" after {mv}"),
        _ => String::new(),
    };
    let what = match reference.node {
        _ if slides => "best",
        Some(_) => "worst",
        None => "mean",
    };
    if reference.node == Some(node.id) {
        let searched = if reference.bound == Bound::Exact { "" } else { " of what was searched" };
        return format!("the {what}{searched}{after}");
    }
    let (difference, bound) = reference.difference(node.id, value, node.bound);
    let difference = names::bounded_difference(difference, bound);
    if slides { format!("{difference} to best") } else { format!("{difference} to the {what}{after}") }
}

pub(super) fn below(tree: &Tree, node: &NodeView) -> Below {
    let slides = tree.is_turn(tree.depth(node.id));
    let reference = Reference::new(tree, node.id, slides);
    let is_loss = slides && (tree.objective().higher || node.parent.is_some());
    let rows = tree.children(node.id).map(|id| {
        let value = tree.value(id);
        let beside = value.zip(reference).and_then(|(value, reference)| {
            let (difference, bound) = reference.difference(id, value, tree.bound(id));
            // A loss is the difference the other way round; no nought is negative.
            let (beside, bound) = if is_loss { (-difference, bound?.negated()) } else { (difference, bound?) };
            Some((beside + 0.0, bound))
        });
        ChildRow {
            id,
            name: tree.link(id).map(names::link_title).unwrap_or_default(),
            value,
            bound: tree.bound(id),
            beside: beside.map(|(beside, _)| beside),
            beside_bound: beside.map(|(_, bound)| bound).unwrap_or_default(),
            below: tree.below(id),
            kind: tree.kind(id),
        }
    });
    Below { slides, is_min: node.kind == NodeKind::Min, rows: rows.collect() }
}

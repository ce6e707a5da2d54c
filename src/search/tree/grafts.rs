//! The nodes of a record at which later searches begin.

use serde::Serialize;

use super::NodeId;

/// The starts of later searches in a record, in node order.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Grafts(Vec<Graft>);

/// The start of a later search.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Graft {
    #[serde(skip)]
    pub(super) node: u32,
    /// Plies from the node to the end of the depth.
    pub plies: u32,
    /// The reach probability of the node in the later search.
    pub reach: f64,
    /// Whether the node is a tile on a cell that the original search did not consider. The cell counts in addition to
    /// those that it did.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beyond: bool,
}

impl Grafts {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn at(&self, id: NodeId) -> Option<&Graft> {
        let place = self
            .0
            .binary_search_by_key(&id.0, |graft| graft.node)
            .ok()?;
        self.0.get(place)
    }

    /// Appends a graft behind all others.
    pub(super) fn push(&mut self, graft: Graft) {
        self.0.push(graft);
    }

    /// The grafts on cells that were not considered.
    pub(super) fn beyond(&self) -> impl Iterator<Item = NodeId> {
        self.0
            .iter()
            .filter(|graft| graft.beyond)
            .map(|graft| NodeId(graft.node))
    }

    /// Inserts a graft with `new` new nodes below it, and replaces one at the same node.
    pub(super) fn insert(&mut self, graft: Graft, new: u32) {
        self.0
            .iter_mut()
            .filter(|other| graft.node < other.node)
            .for_each(|other| other.node += new);
        self.0.retain(|other| other.node != graft.node);
        let place = self.0.partition_point(|other| other.node < graft.node);
        self.0.insert(place, graft);
    }
}

//! Which nodes of a record searches begin at that were made later.

use serde::Serialize;

use super::NodeId;

/// Where searches that were made later begin in a record, in the order of the nodes.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Grafts(Vec<Graft>);

/// Where a search begins that was made later.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Graft {
    #[serde(skip)]
    pub(super) node: u32,
    /// Plies from there to the end of the depth.
    pub plies: u32,
    /// With which probability the node is reached as the search from there saw it.
    pub reach: f64,
    /// Whether it is a tile on a cell that the search did not consider, which counts beside those that it did.
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
        let place = self.0.binary_search_by_key(&id.0, |graft| graft.node).ok()?;
        self.0.get(place)
    }

    /// Another one, behind all that are there.
    pub(super) fn push(&mut self, graft: Graft) {
        self.0.push(graft);
    }

    /// Those on cells that were not considered.
    pub(super) fn beyond(&self) -> impl Iterator<Item = NodeId> {
        self.0.iter().filter(|graft| graft.beyond).map(|graft| NodeId(graft.node))
    }

    /// Another one, below which so many nodes are new.
    pub(super) fn insert(&mut self, graft: Graft, new: u32) {
        self.0.iter_mut().filter(|other| graft.node < other.node).for_each(|other| other.node += new);
        self.0.retain(|other| other.node != graft.node);
        let place = self.0.partition_point(|other| other.node < graft.node);
        self.0.insert(place, graft);
    }
}

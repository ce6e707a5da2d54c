//! Matches the nodes of two records of one position.
//!
//! Nodes match by path: the slides and spawns that lead to them from the root. A node that is searched in one record
//! and a stub in the other still matches. Records of different positions have no nodes in common.
//!
//! # How are values with different units compared?
//!
//! Each evaluator has its own unit. So the value of a node is first taken relative to the node above it (the best of
//! the slides, the mean or the least of the spawns). Then it is divided by the spread of the values of the moves at the
//! root, which is what is at stake in that record:
//!
//! ```text
//! standing    (value − value of the node above) / (largest − least value of the moves at the root)
//! difference  standing in b − standing in a
//! ```
//!
//! The best slide has the standing 0, all others are below. A standing of −1 is a mistake as large as playing the worst
//! move at the root.

use std::sync::Arc;

use super::node::{EDGES, NONE};
use super::{Link, NodeId, Start, Tree};
use crate::game::{Move, Moves};
use crate::search::{Bound, NodeKind, ROUNDING};

#[derive(Clone, Debug)]
pub struct Matched {
    a: Arc<Tree>,
    b: Arc<Tree>,
    /// For each node of a its match in b, or [`NONE`].
    b_of: Vec<u32>,
    /// For each node of b its match in a, or [`NONE`].
    a_of: Vec<u32>,
    shared: usize,
    /// The spread of the values of the moves at the root, of a and of b.
    spread: [Option<f64>; 2],
}

impl Tree {
    /// The node at the end of a path from the root. `None` if it is not in the record.
    pub fn follow(&self, links: &[Link]) -> Option<NodeId> {
        links.iter().try_fold(self.root(), |id, link| {
            self.children(id)
                .find(|&child| self.link(child) == Some(*link))
        })
    }

    /// The slides and spawns from the root to a node.
    pub fn links_to(&self, id: NodeId) -> Vec<Link> {
        self.path(id)
            .into_iter()
            .filter_map(|id| self.link(id))
            .collect()
    }

    /// The spread of the exact values of the moves at the root; `None` if fewer than two differ. Where alpha-beta
    /// leaves only one exact value, the other values are bounds, and the true spread is at least this large.
    fn spread(&self) -> Option<f64> {
        let exact = || {
            self.children(self.root())
                .filter(|&child| self.bound(child) == Bound::Exact)
        };
        let counts =
            |child: &NodeId| exact().nth(1).is_none() || self.bound(*child) == Bound::Exact;
        let (least, most) = self
            .children(self.root())
            .filter(counts)
            .filter_map(|child| self.value(child))
            .fold(
                (f64::INFINITY, f64::NEG_INFINITY),
                |(least, most), value| (least.min(value), most.max(value)),
            );
        Some(most - least).filter(|&spread| 0.0 < spread && spread.is_finite())
    }

    /// Whether low values are good at a node: only at the root of a criterion that prefers low values.
    pub(super) fn wants_least(&self, id: NodeId) -> bool {
        id == self.root() && !self.objective().higher
    }

    /// The standing of a node relative to its parent. Less than 0 is worse.
    fn standing(&self, id: NodeId, spread: f64) -> Option<f64> {
        let Some(parent) = self.parent(id) else {
            return Some(0.0);
        };
        let sign = if self.wants_least(parent) { -1.0 } else { 1.0 };
        Some(sign * (self.value(id)? - self.value(parent)?) / spread)
    }

    /// The slides at a node that have a value, negated where low values are good.
    pub(super) fn slides(&self, id: NodeId) -> impl Iterator<Item = (NodeId, Move, f64)> + use<'_> {
        let sign = if self.wants_least(id) { -1.0 } else { 1.0 };
        self.children(id)
            .filter_map(move |child| Some((child, self.slide(child)?, sign * self.value(child)?)))
    }

    /// The best slides at a max node, including ties. Empty if no slide has a value.
    fn preferred(&self, id: NodeId) -> Moves {
        let best = self
            .slides(id)
            .map(|(.., value)| value)
            .fold(f64::NEG_INFINITY, f64::max);
        self.slides(id)
            .filter(|&(.., value)| best - best.abs() * ROUNDING <= value)
            .map(|(_, mv, _)| mv)
            .collect()
    }
}

impl Matched {
    /// Matches two records. It takes about as long as drawing them.
    pub fn new(a: Arc<Tree>, b: Arc<Tree>) -> Self {
        let mut matched = Self {
            b_of: vec![NONE; a.kept()],
            a_of: vec![NONE; b.kept()],
            shared: 0,
            spread: [a.spread(), b.spread()],
            a,
            b,
        };
        matched.match_all();
        matched
    }

    fn match_all(&mut self) {
        let (a, b) = (Arc::clone(&self.a), Arc::clone(&self.b));
        let is_spawn = |tree: &Tree| tree.subject.start == Start::Spawn;
        if a.subject.board != b.subject.board || is_spawn(&a) != is_spawn(&b) {
            return;
        }
        self.pair(a.root(), b.root());
        let mut by_edge = [NONE; EDGES as usize];

        // Parents come before their children.
        for id in a.ids() {
            let Some(other) = self.b_of(id).filter(|_| a.kept_below(id) != 0) else {
                continue;
            };
            for child in b.children(other) {
                by_edge[b.at(child).edge_number()] = child.0;
            }
            for child in a.children(id) {
                let twin = by_edge[a.at(child).edge_number()];
                if twin != NONE {
                    self.pair(child, NodeId(twin));
                }
            }
            for child in b.children(other) {
                by_edge[b.at(child).edge_number()] = NONE;
            }
        }
    }

    fn pair(&mut self, a: NodeId, b: NodeId) {
        self.b_of[a.0 as usize] = b.0;
        self.a_of[b.0 as usize] = a.0;
        self.shared += 1;
    }

    pub fn a(&self) -> &Arc<Tree> {
        &self.a
    }

    pub fn b(&self) -> &Arc<Tree> {
        &self.b
    }

    /// The node of b with the same path as a node of a.
    pub fn b_of(&self, a: NodeId) -> Option<NodeId> {
        self.b_of
            .get(a.0 as usize)
            .copied()
            .filter(|&b| b != NONE)
            .map(NodeId)
    }

    pub fn a_of(&self, b: NodeId) -> Option<NodeId> {
        self.a_of
            .get(b.0 as usize)
            .copied()
            .filter(|&a| a != NONE)
            .map(NodeId)
    }

    pub fn shared(&self) -> usize {
        self.shared
    }

    /// The number of nodes only in a, and only in b.
    pub fn only(&self) -> [usize; 2] {
        [self.b_of.len() - self.shared, self.a_of.len() - self.shared]
    }

    /// By how much b rates a node of a higher than a does, in units of what is at stake at the root (see the module).
    /// `None` if b has no such node, if one of the two has no value, or if all moves at a root have the same value.
    pub fn difference(&self, a: NodeId) -> Option<f64> {
        let b = self.b_of(a)?;
        let [of_a, of_b] = self.spread;
        Some(self.b.standing(b, of_b?)? - self.a.standing(a, of_a?)?)
            .filter(|difference| !difference.is_nan())
    }

    /// Whether the two records prefer different moves at a max node of a, with no best move in common. At the root the
    /// chosen moves count, if both are known.
    pub fn disagree(&self, a: NodeId) -> bool {
        let Some(b) = self.b_of(a) else { return false };
        if self.a.kind(a) != NodeKind::Max || self.b.kind(b) != NodeKind::Max {
            return false;
        }
        if let (Some(of_a), Some(of_b), true) = (self.a.chosen, self.b.chosen, a == self.a.root()) {
            return of_a != of_b;
        }
        let (of_a, of_b) = (self.a.preferred(a), self.b.preferred(b));
        !of_a.is_empty() && !of_b.is_empty() && (of_a & of_b).is_empty()
    }
}

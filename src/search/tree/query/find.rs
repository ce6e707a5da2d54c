//! Which nodes of a record match.

use super::super::super::recorder::Edge;
use super::super::super::rule::Rule;
use super::super::fields::{Unit, Values, Visit};
use super::super::node::Node;
use super::super::recorder::reach_of;
use super::super::{NodeId, Tree};
use super::{Query, Term, Test};
use crate::game::Move;
use crate::task::CancelToken;

/// Nodes between two looks at the flag.
const NODES_A_LOOK: u32 = 1 << 14;

impl Tree {
    /// All nodes that match, in the order of the visit; those found so far when it was stopped.
    pub fn find(&self, query: &Query, stop: &CancelToken) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut places = query.asks_for_boards().then(|| self.places(false));
        let mut above: Vec<Above> = Vec::new();
        for id in self.ids() {
            if id.0.is_multiple_of(NODES_A_LOOK) && stop.is_cancelled() {
                break;
            }
            let node = self.at(id);
            while above.last().is_some_and(|above| above.end <= id.0) {
                above.pop();
            }
            let mut visit = Visit {
                tree: self,
                id,
                node,
                parent: None,
                depth: 0,
                under: None,
                reach: self.subject.reach,
                probability: None,
                place: places.as_mut().and_then(Iterator::next).map(|(_, place)| place),
            };
            if let Some(above) = above.last() {
                visit.parent = Some(above.id);
                visit.depth = above.depth + 1;
                visit.under = match above.depth {
                    0 => self.slide(id),
                    _ => above.under,
                };
                (visit.reach, visit.probability) = self.reach_below(above, node);
            }
            if query.holds(&visit) {
                found.push(id);
            }
            if node.kept_below != 0 {
                let Visit { depth, under, reach, .. } = visit;
                let end = id.0 + 1 + node.kept_below;
                above.push(Above { end, id, depth, under, reach, considered: node.considered() });
            }
        }
        found
    }

    /// Whether one node matches.
    pub fn matches(&self, query: &Query, id: NodeId) -> bool {
        query.holds(&self.visit(id))
    }

    /// Reach and probability of a node right below another.
    fn reach_below(&self, above: &Above, node: &Node) -> (f64, Option<f64>) {
        let edge = node.edge();
        match edge {
            Some(Edge::Spawn { .. }) if node.rule() == Rule::Unimportant => (0.0, Some(0.0)),
            Some(Edge::Spawn { .. }) => {
                let of = |parent| reach_of(parent, edge, above.considered, self.probability());
                (of(above.reach), Some(of(1.0)))
            }
            Some(Edge::Slide(_)) | None => (above.reach, None),
        }
    }
}

/// An inner node on the way down.
struct Above {
    /// Behind the last node below it.
    end: u32,
    id: NodeId,
    depth: u32,
    under: Option<Move>,
    reach: f64,
    considered: u32,
}

impl Query {
    /// Whether boards are asked for, which take longer than everything else.
    fn asks_for_boards(&self) -> bool {
        self.terms.iter().any(|term| term.field.is(Unit::OfBoard) || term.field.is(Unit::Tile))
    }

    fn holds(&self, visit: &Visit<'_>) -> bool {
        self.terms.iter().all(|term| term.holds(visit) != term.turned_round)
    }
}

impl Term {
    fn holds(&self, visit: &Visit<'_>) -> bool {
        let is = match (&self.field.values, &self.test) {
            _ if !visit.tree.has(self.field) => None,
            (Values::Words { place, .. }, Test::Words { words, differs }) => {
                place(visit).map(|place| (words >> place & 1 == 1) != *differs)
            }
            (Values::Number { number, .. }, Test::Numbers { any, differs }) => {
                number(visit).map(|number| any.iter().any(|span| span.contains(number, self.field)) != *differs)
            }
            (Values::Number { number, .. }, Test::Order { order, than }) => {
                number(visit).map(|number| order.holds(number, than.value))
            }
            _ => None,
        };
        is.unwrap_or(false)
    }
}

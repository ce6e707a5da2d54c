//! A node with all its derived values.

use std::ops::Range;

use super::grafts::Graft;
use super::node::Node;
use super::recorder::reach_of;
use super::{NodeId, Start, Tree};
use crate::game::{Board, Cell, Move, Rank, Spawn};
use crate::search::{Bound, Cut, Dead, Edge, NodeKind, Ranked, Rule, Sample, Stub};
use crate::words;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NodeView {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    pub kind: NodeKind,
    /// The edge that leads here; `None` for the root.
    pub link: Option<Link>,
    /// The probability of the spawn that leads here, at its parent: 0 for one that was not considered, `None` for the
    /// root and for slides.
    pub probability: Option<f64>,
    /// The probability of reaching this node, among the considered cells, if the player chooses the moves that lead
    /// here.
    pub reach: f64,
    /// The board, with the new tile after a spawn.
    pub board: Board,
    pub score: u64,
    /// The value; `None` if nothing was searched.
    pub value: Option<f64>,
    pub bound: Bound,
    /// The evaluator's value of this very board, if the search evaluated it.
    pub evaluation: Option<f64>,
    pub origin: Origin,
    /// Plies between this node and the end of the depth.
    pub plies_left: u32,
    /// The number in visit order, counting nodes left out.
    pub order: u64,
    /// The samples through the node, in a record of samples; `None` if there are none.
    pub sample: Option<Sample>,
    /// The standard error of its mean; `None` where the samples grew a tree.
    pub standard_error: Option<f64>,
    /// Its share of the samples through the parent.
    pub share: Option<f64>,
    /// The later search that begins here, if there is one.
    pub graft: Option<Graft>,
    /// Nodes below, including stubs and nodes left out.
    pub below: u64,
    /// How many of them the cap left out directly below this node.
    pub left_out: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    Slide(Move),
    Spawn(Spawn),
}

/// How a node got its value: a [`Rule`] with its numbers, including those of a [`Stub`]. Reach below `threshold` is not
/// searched. A stored value has its node, if that is in the record, and the plies left there and here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Origin {
    MaxOf,
    MeanOf,
    SumOf,
    LeastMeanOf,
    MeanLeastOf,
    MinOf,
    Evaluated,
    Dead,
    TooImprobable {
        reach: f64,
        threshold: f64,
    },
    OutOfBounds {
        alpha: f64,
        beta: f64,
    },
    Unimportant {
        rank: u8,
        considered: u8,
        ranked: Ranked,
    },
    Stored {
        node: Option<NodeId>,
        plies: u32,
    },
    Sampled,
    MovesTried,
    SpawnsDrawn,
    NotExpanded,
}

impl Link {
    fn spawn(self) -> Option<Spawn> {
        match self {
            Self::Spawn(spawn) => Some(spawn),
            Self::Slide(_) => None,
        }
    }
}

impl NodeView {
    /// The new tile that leads here, if there is one.
    pub fn spawn(&self) -> Option<Spawn> {
        self.link?.spawn()
    }
}

impl Origin {
    pub const fn rule(&self) -> Rule {
        match self {
            Self::MaxOf => Rule::MaxOf,
            Self::MeanOf => Rule::MeanOf,
            Self::SumOf => Rule::SumOf,
            Self::LeastMeanOf => Rule::LeastMeanOf,
            Self::MeanLeastOf => Rule::MeanLeastOf,
            Self::MinOf => Rule::MinOf,
            Self::Evaluated => Rule::Evaluated,
            Self::Dead => Rule::Dead,
            Self::TooImprobable { .. } => Rule::TooImprobable,
            Self::OutOfBounds { .. } => Rule::OutOfBounds,
            Self::Unimportant { .. } => Rule::Unimportant,
            Self::Stored { .. } => Rule::Stored,
            Self::Sampled => Rule::Sampled,
            Self::MovesTried => Rule::MovesTried,
            Self::SpawnsDrawn => Rule::SpawnsDrawn,
            Self::NotExpanded => Rule::NotExpanded,
        }
    }

    /// As text with the numbers: `α 812 ≥ β 790`.
    pub fn text(&self) -> String {
        match *self {
            Self::MaxOf
            | Self::MeanOf
            | Self::SumOf
            | Self::LeastMeanOf
            | Self::MeanLeastOf
            | Self::Sampled
            | Self::MovesTried
            | Self::SpawnsDrawn => self.rule().word().about.to_owned(),
            Self::NotExpanded => "not expanded: no sample has reached it".to_owned(),
            Self::MinOf => "the smallest below it".to_owned(),
            Self::Evaluated => "evaluated at the end of the depth".to_owned(),
            Self::Dead => "a dead board".to_owned(),
            Self::TooImprobable { reach, threshold } => {
                let [reach, threshold] = [reach, threshold].map(words::small_probability);
                format!("reach probability {reach} < {threshold}")
            }
            Self::OutOfBounds { alpha, beta } => {
                format!("α {} ≥ β {}", words::value(alpha), words::value(beta))
            }
            Self::Unimportant {
                rank,
                considered,
                ranked: Ranked::Spawns,
            } => {
                format!(
                    "spawn {rank} by harm, beyond {}",
                    words::plural(u64::from(considered), "worst spawn")
                )
            }
            Self::Unimportant {
                rank,
                considered,
                ranked: Ranked::Cells,
            } => {
                let cells = words::plural(u64::from(considered), "important cell");
                format!("cell {rank} by weight, beyond {cells}")
            }
            Self::Stored {
                node: Some(NodeId(node)),
                ..
            } => format!("the value of node {node}"),
            Self::Stored { node: None, .. } => {
                "the value of a node that is not in the record".to_owned()
            }
        }
    }
}

/// The values that are derived on the way down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) board: Board,
    pub(super) score: u64,
    pub(super) reach: f64,
    /// The reach as the search that found the node counts it, from where that search began.
    pub(super) counted: f64,
    pub(super) probability: Option<f64>,
    pub(super) plies: u32,
    /// Whether it is the player's turn.
    pub(super) is_turn: bool,
    /// Whether the edge that leads here is legal. False only in a damaged record.
    pub(super) is_legal: bool,
}

impl Tree {
    /// One node, derived from the root down.
    pub fn node(&self, id: NodeId) -> NodeView {
        self.view(id, &self.place(id))
    }

    /// All nodes in visit order, each derived once.
    pub fn nodes(&self) -> impl Iterator<Item = NodeView> + Clone + use<'_> {
        self.places(false).map(|(id, place)| self.view(id, &place))
    }

    pub fn link(&self, id: NodeId) -> Option<Link> {
        self.at(id).edge().map(|edge| self.link_of(edge))
    }

    /// The slide that leads to a node, if there is one.
    pub fn slide(&self, id: NodeId) -> Option<Move> {
        match self.at(id).edge()? {
            Edge::Slide(mv) => Some(mv),
            Edge::Spawn { .. } => None,
        }
    }

    pub fn spawn(&self, id: NodeId) -> Option<Spawn> {
        self.link(id)?.spawn()
    }

    fn link_of(&self, edge: Edge) -> Link {
        match edge {
            Edge::Slide(mv) => Link::Slide(mv),
            Edge::Spawn { cell, rank } => Link::Spawn(Spawn {
                cell: Cell::at(usize::from(cell), self.subject.board.size()),
                rank: Rank::new(rank).unwrap_or(Rank::TWO),
            }),
        }
    }

    pub(super) fn place(&self, id: NodeId) -> Place {
        let path = self.path(id);
        path.windows(2).fold(self.first_place(), |place, two| {
            self.place_below(two[0], &place, two[1])
        })
    }

    /// The place of a node as seen by the later search that begins there, if there is one.
    fn grafted_place(&self, id: NodeId, place: Place) -> Place {
        match self.grafts.at(id) {
            Some(graft) => Place {
                plies: graft.plies,
                counted: graft.reach,
                ..place
            },
            None => place,
        }
    }

    pub(super) fn first_place(&self) -> Place {
        Place {
            board: self.subject.board,
            score: self.subject.score,
            reach: self.subject.reach,
            counted: self.subject.reach,
            probability: None,
            plies: self.subject.plies,
            is_turn: self.subject.start != Start::Spawn,
            is_legal: true,
        }
    }

    /// Steps from a node at `place` to one of its children.
    pub(super) fn step(&self, place: &Place, parent: &Node, child: &Node) -> Place {
        let plies = place.plies.saturating_sub(1);
        let below = Place {
            plies,
            is_turn: !place.is_turn,
            probability: None,
            ..*place
        };
        let wrong = Place {
            is_legal: false,
            ..below
        };

        match child.edge().map(|edge| self.link_of(edge)) {
            Some(Link::Slide(mv)) => match place.board.slide(mv) {
                Some(slide) if place.is_turn => Place {
                    board: slide.after.board(),
                    score: place.score.saturating_add(u64::from(slide.reward)),
                    ..below
                },
                _ => wrong,
            },
            Some(Link::Spawn(spawn)) => {
                let is_empty = place.board.size().contains(spawn.cell)
                    && place.board.get(spawn.cell).is_empty();
                let is_legal = !place.is_turn && is_empty && self.chance(spawn.rank) != 0.0;
                let considered = parent.considered();
                let reach = |above| self.reach_below(above, considered, child);
                let board = if is_legal {
                    place.board.with(spawn.cell, spawn.rank)
                } else {
                    place.board
                };
                // The original search did not consider the cells of later searches.
                let by_rule = if self.grafts.is_empty() {
                    considered
                } else {
                    self.considered_by_rule(place)
                };
                let (own, counted) = (
                    reach(place.reach),
                    self.reach_below(place.counted, by_rule, child),
                );
                Place {
                    board,
                    reach: own,
                    counted,
                    probability: Some(reach(1.0)),
                    is_legal,
                    ..below
                }
            }
            None => wrong,
        }
    }

    /// The reach probability of a node below one with the reach `above`; 0 for a spawn that was not considered.
    pub(super) fn reach_below(&self, above: f64, considered: u32, node: &Node) -> f64 {
        match node.rule() {
            Rule::Unimportant => 0.0,
            _ => reach_of(above, node.edge(), considered, self.probability()),
        }
    }

    /// Each node with its place; with `only_inner` those alone that have children or could have.
    pub(super) fn places(&self, only_inner: bool) -> Places<'_> {
        self.places_in(0..self.nodes.len() as u32, only_inner)
    }

    /// The same of some of the nodes.
    pub(super) fn places_in(&self, ids: Range<u32>, only_inner: bool) -> Places<'_> {
        let above = self
            .parent(NodeId(ids.start))
            .map_or(Vec::new(), |parent| self.path(parent));
        let mut places: Vec<(u32, NodeId, Place)> = Vec::with_capacity(above.len());
        for id in above {
            let place = match places.last() {
                Some((_, parent, place)) => self.place_below(*parent, place, id),
                None => self.first_place(),
            };
            places.push((self.end(id), id, place));
        }
        Places {
            tree: self,
            only_inner,
            next: ids.start,
            end: ids.end,
            above: places,
        }
    }

    fn place_below(&self, parent: NodeId, place: &Place, id: NodeId) -> Place {
        self.grafted_place(id, self.step(place, self.at(parent), self.at(id)))
    }

    pub(super) fn view(&self, id: NodeId, place: &Place) -> NodeView {
        let node = self.at(id);
        let value = node.value();
        let dead_is_evaluated = self.subject.definition.lookahead.dead() == Dead::Evaluate;
        NodeView {
            id,
            parent: self.parent(id),
            kind: self.kind(id),
            link: self.link(id),
            probability: place.probability,
            reach: place.reach,
            board: place.board,
            score: place.score,
            value,
            bound: node.bound(),
            evaluation: value.filter(|_| match node.rule() {
                Rule::Evaluated | Rule::TooImprobable => true,
                Rule::Dead => dead_is_evaluated,
                _ => false,
            }),

            origin: self.origin(node, place),
            plies_left: place.plies,
            sample: self.sample(id).copied(),
            standard_error: self.standard_error(id),
            share: self.share_of_samples(id),
            graft: self.grafts.at(id).copied(),
            order: node.order(),
            below: node.below(),

            left_out: self.left_out_at(id),
        }
    }

    fn origin(&self, node: &Node, place: &Place) -> Origin {
        match (node.rule(), node.stub()) {
            (_, Some(Stub::OutOfBounds { alpha, beta })) => Origin::OutOfBounds { alpha, beta },
            (
                _,
                Some(Stub::Unimportant {
                    rank,
                    considered,
                    ranked,
                }),
            ) => Origin::Unimportant {
                rank,
                considered,
                ranked,
            },
            (_, Some(Stub::NotExpanded)) => Origin::NotExpanded,
            (Rule::Sampled, _) => Origin::Sampled,
            (Rule::MovesTried, _) => Origin::MovesTried,
            (Rule::SpawnsDrawn, _) => Origin::SpawnsDrawn,
            (Rule::MaxOf, _) => Origin::MaxOf,
            (Rule::MeanOf, _) => Origin::MeanOf,
            (Rule::SumOf, _) => Origin::SumOf,
            (Rule::LeastMeanOf, _) => Origin::LeastMeanOf,
            (Rule::MeanLeastOf, _) => Origin::MeanLeastOf,
            (Rule::MinOf, _) => Origin::MinOf,
            (Rule::Dead, _) => Origin::Dead,
            (Rule::TooImprobable, _) => Origin::TooImprobable {
                reach: place.counted,
                threshold: self.threshold().unwrap_or(0.0),
            },
            (Rule::Stored, _) => Origin::Stored {
                node: node.stored(),
                plies: place.plies,
            },
            (Rule::Evaluated | Rule::OutOfBounds | Rule::Unimportant | Rule::NotExpanded, _) => {
                Origin::Evaluated
            }
        }
    }

    /// On how many cells of a spawn node tiles are considered, by the rules.
    pub(super) fn considered_by_rule(&self, place: &Place) -> u32 {
        let empty = place.board.empty_count();
        let k = self
            .subject
            .definition
            .lookahead
            .cuts()
            .iter()
            .find_map(|cut| match cut {
                Cut::ImportantCells { k, .. } => Some(*k),
                _ => None,
            });
        k.map_or(empty, |k| place.plies.div_ceil(2).min(empty).min(k))
    }
}

/// Nodes with what is derived on the way down.
#[derive(Clone, Debug)]
pub(super) struct Places<'a> {
    tree: &'a Tree,
    only_inner: bool,
    next: u32,
    end: u32,
    /// The nodes above the next one, with where they end.
    above: Vec<(u32, NodeId, Place)>,
}

impl Iterator for Places<'_> {
    type Item = (NodeId, Place);

    fn next(&mut self) -> Option<Self::Item> {
        let tree = self.tree;
        while self.next < self.end {
            let id = NodeId(self.next);
            let node = tree.at(id);
            self.next += 1;
            if self.only_inner
                && matches!(node.kind(), NodeKind::Leaf | NodeKind::Dead | NodeKind::Cut)
            {
                continue;
            }
            while self.above.last().is_some_and(|&(end, ..)| end <= id.0) {
                self.above.pop();
            }
            let place = match self.above.last() {
                Some((_, parent, place)) => tree.place_below(*parent, place, id),
                None => tree.first_place(),
            };
            if node.kept_below != 0 {
                self.above.push((tree.end(id), id, place));
            }
            return Some((id, place));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_carry_their_numbers() {
        for (origin, text) in [
            (
                Origin::OutOfBounds {
                    alpha: 812.0,
                    beta: 790.0,
                },
                "α 812 ≥ β 790",
            ),
            (
                Origin::OutOfBounds {
                    alpha: f64::NEG_INFINITY,
                    beta: -1.25,
                },
                "α −∞ ≥ β −1.2",
            ),
            (
                Origin::TooImprobable {
                    reach: 0.00007,
                    threshold: 0.0001,
                },
                "reach probability 0.00007 < 0.0001",
            ),
            (
                Origin::TooImprobable {
                    reach: 0.000_072_49,
                    threshold: 0.5,
                },
                "reach probability 0.000072 < 0.50",
            ),
            (
                Origin::Unimportant {
                    rank: 5,
                    considered: 1,
                    ranked: Ranked::Spawns,
                },
                "spawn 5 by harm, beyond 1 worst spawn",
            ),
            (
                Origin::Unimportant {
                    rank: 5,
                    considered: 4,
                    ranked: Ranked::Cells,
                },
                "cell 5 by weight, beyond 4 important cells",
            ),
            (
                Origin::Stored {
                    node: Some(NodeId(12)),
                    plies: 3,
                },
                "the value of node 12",
            ),
        ] {
            assert_eq!(origin.text(), text);
        }
    }
}

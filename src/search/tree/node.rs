//! A node of the record in 32 bytes.
//!
//! Values that can be derived from the nodes above (board, score, probabilities, plies left) are not stored.
//!
//! ```text
//! value        8   the value; α where α reached β
//! number       8   nodes below, those left out included; β; rank and count of an unimportant cell or spawn; the stored node
//! packed       8   order of the visit (47 bits), cells considered (5), edge (6), rule (4), bound (2)
//! parent       4
//! kept_below   4   recorded nodes below, which follow it; OPEN while it is open
//! ```

use strum::VariantArray as _;

use super::NodeId;
use crate::game::Move;
use crate::search::{Bound, Edge, End, NodeKind, Ranked, Rule, Stub};

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Node {
    value: f64,
    number: u64,
    packed: u64,
    pub(super) parent: u32,
    pub(super) kept_below: u32,
}

/// `kept_below` of a node that is still open.
pub(super) const OPEN: u32 = u32::MAX;

/// No node: the parent of the root, or a stored node outside the record.
pub(super) const NONE: u32 = u32::MAX;

const ORDER_SHIFT: u32 = 17;
const CONSIDERED: u64 = 31 << 12;
const EDGE: u64 = 63 << 6;
const END: u64 = 63;

/// Slides come after the spawns, two for each of at most 25 cells; the root comes last.
const FIRST_SLIDE: u64 = 50;
const NO_EDGE: u64 = 63;

/// The largest visit number that a file may have. Twice as many fit.
pub(super) const MOST_ORDER: u64 = 1 << (u64::BITS - ORDER_SHIFT - 1);

/// The largest visit number that fits.
pub(super) const LAST_ORDER: u64 = u64::MAX >> ORDER_SHIFT;

pub(super) const EDGES: u64 = NO_EDGE + 1;

impl Node {
    /// An open node. `edge` is `None` for the root.
    #[inline(always)]
    pub(super) fn opened(parent: u32, edge: Option<Edge>, order: u64) -> Self {
        let edge = match edge {
            Some(Edge::Spawn { cell, rank }) => 2 * u64::from(cell) + u64::from(rank == 2),
            Some(Edge::Slide(mv)) => FIRST_SLIDE + mv.index() as u64,
            None => NO_EDGE,
        };
        Self {
            value: f64::NAN,
            number: 0,
            packed: order << ORDER_SHIFT | edge << 6,
            parent,
            kept_below: OPEN,
        }
    }

    /// Closes the node. It has `below` nodes below it, `kept` of them in the record.
    #[inline(always)]
    pub(super) fn close(&mut self, end: End, below: u64, kept: u32) {
        let number = if end.rule == Rule::Stored {
            u64::from(NONE)
        } else {
            below
        };
        self.end(end.rule, end.bound, end.value, number);
        self.kept_below = kept;
    }

    #[inline(always)]
    pub(super) fn close_stub(&mut self, stub: Stub) {
        let (value, number) = match stub {
            Stub::OutOfBounds { alpha, beta } => (alpha, beta.to_bits()),
            Stub::Unimportant {
                rank,
                considered,
                ranked,
            } => (
                0.0,
                u64::from(ranked == Ranked::Spawns) << 16
                    | u64::from(rank) << 8
                    | u64::from(considered),
            ),
            Stub::NotExpanded => (0.0, 0),
        };
        self.end(stub.rule(), Bound::Exact, value, number);
        self.kept_below = 0;
    }

    #[inline(always)]
    fn end(&mut self, rule: Rule, bound: Bound, value: f64, number: u64) {
        self.packed = self.packed & !END | (rule as u64) << 2 | bound as u64;
        (self.value, self.number) = (value, number);
    }

    pub(super) fn is_open(&self) -> bool {
        self.kept_below == OPEN
    }

    pub(super) fn rule(&self) -> Rule {
        Rule::VARIANTS[(self.packed >> 2 & 15) as usize % Rule::VARIANTS.len()]
    }

    /// Why the node was not searched; `None` if it was.
    pub(super) fn stub(&self) -> Option<Stub> {
        match self.rule() {
            Rule::OutOfBounds => Some(Stub::OutOfBounds {
                alpha: self.value,
                beta: f64::from_bits(self.number),
            }),
            Rule::Unimportant => {
                let ranked = if self.number >> 16 == 0 {
                    Ranked::Cells
                } else {
                    Ranked::Spawns
                };
                Some(Stub::Unimportant {
                    rank: (self.number >> 8) as u8,
                    considered: self.number as u8,
                    ranked,
                })
            }
            Rule::NotExpanded => Some(Stub::NotExpanded),
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> NodeKind {
        self.rule().kind()
    }

    pub(super) fn bound(&self) -> Bound {
        Bound::from_bits(self.packed as u8)
    }

    pub(super) fn edge(&self) -> Option<Edge> {
        match self.edge_number() as u64 {
            NO_EDGE => None,
            spawn @ 0..FIRST_SLIDE => Some(Edge::Spawn {
                cell: (spawn / 2) as u8,
                rank: (spawn % 2) as u8 + 1,
            }),
            slide => Some(Edge::Slide(Move::ALL[(slide - FIRST_SLIDE) as usize & 3])),
        }
    }

    /// A different number for every edge, below [`EDGES`].
    pub(super) fn edge_number(&self) -> usize {
        ((self.packed & EDGE) >> 6) as usize
    }

    pub(super) fn value(&self) -> Option<f64> {
        (!self.rule().is_stub()).then_some(self.value)
    }

    pub(super) fn below(&self) -> u64 {
        if self.rule().is_stub() || self.rule() == Rule::Stored {
            0
        } else {
            self.number
        }
    }

    pub(super) fn order(&self) -> u64 {
        self.packed >> ORDER_SHIFT
    }

    /// Moves the node `by` places later in the visit order, up to the last number.
    pub(super) fn move_order(&mut self, by: u64) {
        let order = self.order().saturating_add(by).min(LAST_ORDER);
        self.packed = self.packed & !(LAST_ORDER << ORDER_SHIFT) | order << ORDER_SHIFT;
    }

    /// Puts this node in the place of another one: same parent, same edge, same place in the visit order.
    pub(super) fn in_place_of(mut self, other: &Self) -> Self {
        const KEPT: u64 = CONSIDERED | END;
        self.packed = self.packed & KEPT | other.packed & !KEPT;
        self.parent = other.parent;
        self
    }

    /// Adds to the number of nodes below. Only for inner nodes.
    pub(super) fn add_below(&mut self, more: u64) {
        self.number = self.number.saturating_add(more);
    }

    pub(super) fn set_value(&mut self, value: f64, bound: Bound) {
        self.value = value;
        self.packed = self.packed & !3 | bound as u64;
    }

    pub(super) fn considered(&self) -> u32 {
        ((self.packed & CONSIDERED) >> 12) as u32
    }

    pub(super) fn consider(&mut self, cells: u32) {
        self.packed = self.packed & !CONSIDERED | u64::from(cells & 31) << 12;
    }

    /// The node whose value the table returned.
    pub(super) fn stored(&self) -> Option<NodeId> {
        (self.rule() == Rule::Stored && self.number != u64::from(NONE))
            .then_some(NodeId(self.number as u32))
    }

    pub(super) fn refer_to(&mut self, stored: u32) {
        self.number = u64::from(stored);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Node {
        /// Writes a wrong value, which the self-check has to find.
        pub(in super::super) fn falsify(&mut self, value: f64) {
            self.value = value;
        }

        pub(in super::super) fn falsify_bound(&mut self, bound: Bound) {
            self.packed = self.packed & !3 | bound as u64;
        }

        pub(in super::super) fn falsify_edge(&mut self, edge: Edge) {
            let parent = self.parent;
            self.packed = self.packed & !EDGE | Self::opened(parent, Some(edge), 0).packed & EDGE;
        }

        pub(in super::super) fn falsify_below(&mut self, below: u64) {
            self.number = below;
        }
    }

    #[test]
    fn numbers_that_grow_beyond_what_fits_stay_at_the_last_and_change_nothing_else() {
        let edge = Some(Edge::Slide(Move::Left));
        for order in [0, 1, MOST_ORDER, LAST_ORDER - 1, LAST_ORDER] {
            for by in [0, 1, MOST_ORDER, LAST_ORDER, u64::MAX] {
                let mut node = Node::opened(7, edge, order);
                node.consider(9);
                node.close(
                    End {
                        value: 1.5,
                        rule: Rule::MaxOf,
                        bound: Bound::Lower,
                    },
                    u64::MAX - 1,
                    3,
                );
                node.move_order(by);
                node.add_below(by);
                let sum = order.saturating_add(by).min(LAST_ORDER);
                assert_eq!(
                    (node.order(), node.below()),
                    (sum, (u64::MAX - 1).saturating_add(by))
                );
                assert_eq!(
                    (node.edge(), node.rule(), node.bound()),
                    (edge, Rule::MaxOf, Bound::Lower)
                );
                assert_eq!((node.considered(), node.parent, node.kept_below), (9, 7, 3));
            }
        }
    }

    #[test]
    fn a_node_takes_32_bytes_and_gives_back_what_it_was_given() {
        assert_eq!(size_of::<Node>(), 32);
        let slides = Move::ALL.map(Edge::Slide);
        let spawns = (0..25).flat_map(|cell| [1, 2].map(|rank| Edge::Spawn { cell, rank }));

        for (number, edge) in slides
            .into_iter()
            .chain(spawns)
            .map(Some)
            .chain([None])
            .enumerate()
        {
            let rule = Rule::VARIANTS[number % Rule::VARIANTS.len()];
            let stub = match rule {
                Rule::OutOfBounds => Some(Stub::OutOfBounds {
                    alpha: f64::NEG_INFINITY,
                    beta: -3.5,
                }),
                Rule::Unimportant => Some(Stub::Unimportant {
                    rank: 25,
                    considered: 4,
                    ranked: Ranked::Cells,
                }),
                Rule::NotExpanded => Some(Stub::NotExpanded),
                _ => None,
            };

            let bound = if stub.is_some() {
                Bound::Exact
            } else {
                Bound::VARIANTS[number % 3]
            };
            let mut node = Node::opened(7, edge, (1 << 40) + number as u64);
            assert!(node.is_open());
            node.consider(number as u32 % 26);

            match stub {
                Some(stub) => node.close_stub(stub),
                None => node.close(
                    End {
                        value: 12.5,
                        rule,
                        bound,
                    },
                    1 << 50,
                    99,
                ),
            }
            assert_eq!(
                (node.edge(), node.rule(), node.bound(), node.stub()),
                (edge, rule, bound, stub)
            );
            assert_eq!(
                (node.order(), node.considered()),
                ((1 << 40) + number as u64, number as u32 % 26)
            );
            assert_eq!(node.value(), stub.is_none().then_some(12.5));
            assert_eq!(
                node.below(),
                if stub.is_some() || rule == Rule::Stored {
                    0
                } else {
                    1 << 50
                }
            );
            assert_eq!(node.stored(), None);
            node.move_order(5);
            assert_eq!(
                (node.edge(), node.order()),
                (edge, (1 << 40) + number as u64 + 5)
            );
        }
    }
}

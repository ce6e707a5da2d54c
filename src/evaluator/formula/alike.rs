//! Compares parts of a formula for equality.

use super::node::{Kind, List, Node, Slot, Thing};

/// Whether two parts with the same names in scope have the same value. Their own names may differ.
pub(super) fn are_alike(one: &Node, other: &Node) -> bool {
    Comparison { own: Vec::new() }.nodes(one, other)
}

/// The same for cells, lines or boards.
pub(super) fn are_alike_things(one: &Thing, other: &Thing) -> bool {
    Comparison { own: Vec::new() }.things(one, other)
}

struct Comparison {
    /// The slots of names that each side defines itself, innermost last.
    own: Vec<[Slot; 2]>,
}

impl Comparison {
    fn nodes(&mut self, one: &Node, other: &Node) -> bool {
        match (&one.kind, &other.kind) {
            (Kind::Number(a), Kind::Number(b)) => a.to_bits() == b.to_bits(),
            (Kind::Score, Kind::Score) => true,
            (Kind::Named(a), Kind::Named(b)) => self.slots(*a, *b),
            (Kind::OfCell(fact, a), Kind::OfCell(other, b)) => fact == other && self.things(a, b),
            (Kind::Merges(a), Kind::Merges(b)) => self.lists(a, b),
            (Kind::Negative(a), Kind::Negative(b)) | (Kind::Not(a), Kind::Not(b)) => {
                self.nodes(a, b)
            }
            (Kind::Function(function, a), Kind::Function(other, b)) => {
                function == other && self.nodes(a, b)
            }
            (Kind::Sum(a), Kind::Sum(b)) => {
                a.len() == b.len()
                    && a.iter()
                        .zip(b)
                        .all(|((less, a), (fewer, b))| less == fewer && self.nodes(a, b))
            }
            (Kind::Two(operator, a), Kind::Two(other, b)) => {
                operator == other && self.all(&a[..], &b[..])
            }
            (Kind::If(a), Kind::If(b)) => self.all(&a[..], &b[..]),
            (Kind::Extreme(extreme, a), Kind::Extreme(other, b)) => {
                extreme == other && self.all(a, b)
            }
            (Kind::Fold(a), Kind::Fold(b)) => {
                a.kind == b.kind
                    && a.lists.len() == b.lists.len()
                    && a.lists.iter().zip(&b.lists).all(|(a, b)| self.lists(a, b))
                    && self.inside([a.slot, b.slot], a.names(), |inner| {
                        inner.nodes(&a.body, &b.body)
                    })
            }
            (Kind::Let(slot, a), Kind::Let(other, b)) => {
                self.nodes(&a[0], &b[0])
                    && self.inside([*slot, *other], 1, |inner| inner.nodes(&a[1], &b[1]))
            }
            _ => false,
        }
    }

    fn all(&mut self, one: &[Node], other: &[Node]) -> bool {
        one.len() == other.len() && one.iter().zip(other).all(|(a, b)| self.nodes(a, b))
    }

    fn inside(
        &mut self,
        [one, other]: [Slot; 2],
        names: Slot,
        compare: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let before = self.own.len();
        self.own
            .extend((0..names).map(|name| [one + name, other + name]));
        let is_alike = compare(self);
        self.own.truncate(before);
        is_alike
    }

    fn slots(&self, one: Slot, other: Slot) -> bool {
        match self.own.iter().rfind(|[a, b]| *a == one || *b == other) {
            Some(own) => *own == [one, other],
            None => one == other,
        }
    }

    fn things(&mut self, one: &Thing, other: &Thing) -> bool {
        match (one, other) {
            (Thing::Board, Thing::Board) => true,
            (Thing::Named(a), Thing::Named(b)) => self.slots(*a, *b),
            (Thing::Nth(a, nth), Thing::Nth(b, other)) => nth == other && self.lists(&a.0, &b.0),
            _ => false,
        }
    }

    fn lists(&mut self, one: &List, other: &List) -> bool {
        match (one, other) {
            (List::OfBoard(source, a), List::OfBoard(other, b)) => {
                source == other && self.things(a, b)
            }
            (List::OfLine(a), List::OfLine(b)) => self.things(a, b),
            (List::Tiles(a), List::Tiles(b)) | (List::Pairs(a), List::Pairs(b)) => self.lists(a, b),
            (List::Filter(a), List::Filter(b)) => {
                self.lists(&a.0, &b.0)
                    && self.inside([a.1, b.1], a.0.names(), |inner| inner.nodes(&a.2, &b.2))
            }
            (List::Numbers(a), List::Numbers(b)) => a == b,
            _ => false,
        }
    }
}

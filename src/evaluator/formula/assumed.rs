//! What a condition says about the parts that it compares.
//!
//! If `a < b` holds, a is below the largest b, b is above the least a, and b − a is above 0. This applies to every part
//! with the same text, so `if(empty = 0, 0, 100 / empty)` and `sum(tiles, c -> 4096 / c.tile)` never divide by 0.

use super::alike::{are_alike, are_alike_things};
use super::node::{Fact, Kind, Node, Slot, Thing};
use super::range::Range;
use super::tree::Operator;
use crate::game::Rank;

/// The range of a part.
#[derive(Clone, Debug)]
pub(super) struct Known<'a> {
    subject: Subject<'a>,
    range: Range,
}

#[derive(Clone, Debug)]
enum Subject<'a> {
    Value(&'a Node),
    OfCell(Fact, Thing),
    /// The first minus the second.
    Difference(&'a Node, &'a Node),
}

/// What is known if a condition holds, and if it fails.
#[derive(Debug, Default)]
pub(super) struct Outcomes<'a> {
    pub(super) holds: Vec<Known<'a>>,
    pub(super) fails: Vec<Known<'a>>,
}

/// What all enclosing conditions say about a part.
#[derive(Debug, Default)]
pub(super) struct Assumed<'a>(Vec<Known<'a>>);

impl<'a> Assumed<'a> {
    /// More conditions are ignored: formulas written by hand have fewer.
    const MOST: usize = 200;

    /// Adds facts, and returns the argument for [`Assumed::forget`].
    pub(super) fn add(&mut self, assumptions: &[Known<'a>]) -> usize {
        let before = self.0.len();
        self.0.extend(
            assumptions
                .iter()
                .take(Self::MOST - before.min(Self::MOST))
                .cloned(),
        );
        before
    }

    pub(super) fn forget(&mut self, before: usize) {
        self.0.truncate(before);
    }

    /// The range of a part by all that is known.
    pub(super) fn narrowed(&self, node: &Node, range: Range) -> Range {
        let fits = self
            .0
            .iter()
            .filter(|assumption| assumption.subject.is(node));
        fits.fold(range, |range, assumption| {
            range.narrowed_to(assumption.range)
        })
    }
}

impl Subject<'_> {
    fn is(&self, node: &Node) -> bool {
        match (self, &node.kind) {
            (Self::Value(own), _) => are_alike(own, node),
            (Self::OfCell(fact, own), Kind::OfCell(other, thing)) => {
                fact == other && are_alike_things(own, thing)
            }
            (Self::Difference(one, other), Kind::Sum(terms)) => match terms.as_slice() {
                [(false, first), (true, second)] => {
                    are_alike(one, first) && are_alike(other, second)
                }
                _ => false,
            },
            _ => false,
        }
    }
}

impl<'a> Outcomes<'a> {
    /// The outcomes of a comparison of two parts with these ranges.
    pub(super) fn of(
        operator: Operator,
        [one, other]: [&'a Node; 2],
        [of_one, of_other]: [Range; 2],
    ) -> Self {
        let (one, other) = ((one, of_one), (other, of_other));
        match operator {
            Operator::Less => Self {
                holds: less(true, one, other),
                fails: less(false, other, one),
            },
            Operator::AtMost => Self {
                holds: less(false, one, other),
                fails: less(true, other, one),
            },
            Operator::Equal => Self {
                holds: equal(one, other),
                fails: unequal(one, other),
            },
            Operator::Unequal => Self {
                holds: unequal(one, other),
                fails: equal(one, other),
            },
            _ => Self::default(),
        }
    }
}

/// The first is less than the second, or at most equal to it.
fn less<'a>(
    is_strict: bool,
    (one, of_one): (&'a Node, Range),
    (other, of_other): (&'a Node, Range),
) -> Vec<Known<'a>> {
    let open = Range::between(f64::NEG_INFINITY, f64::INFINITY);
    let below = Range {
        high: of_other.high,
        ..open
    };
    let above = Range {
        low: of_one.low,
        ..open
    };

    // The difference of two different floats is not 0.
    let both_whole = of_one.is_whole && of_other.is_whole;
    let distance = Range {
        low: 0.0,
        is_whole: both_whole,
        leaves_out_zero: is_strict,
        ..open
    };
    let (below, above) = match is_strict {
        true => (
            Range {
                high: before(below.high, of_one.is_whole),
                ..below
            },
            Range {
                low: -before(-above.low, of_other.is_whole),
                ..above
            },
        ),
        false => (below, above),
    };
    let back = Range {
        low: -distance.high,
        high: -distance.low,
        ..distance
    };
    let mut assumptions = Vec::new();
    assumptions.extend(of_value(one, below));
    assumptions.extend(of_value(other, above));
    assumptions.push(Known {
        subject: Subject::Difference(other, one),
        range: distance,
    });
    assumptions.push(Known {
        subject: Subject::Difference(one, other),
        range: back,
    });
    assumptions
}

/// The largest number, or whole number, below this one.
fn before(number: f64, is_whole: bool) -> f64 {
    if is_whole {
        number.ceil() - 1.0
    } else {
        number.next_down()
    }
}

fn equal<'a>(
    (one, of_one): (&'a Node, Range),
    (other, of_other): (&'a Node, Range),
) -> Vec<Known<'a>> {
    [of_value(one, of_other), of_value(other, of_one)].concat()
}

fn unequal<'a>(one: (&'a Node, Range), other: (&'a Node, Range)) -> Vec<Known<'a>> {
    let mut assumptions = Vec::new();
    for ((node, range), (from, point)) in [(one, other), (other, one)] {
        let apart = Range {
            leaves_out_zero: true,
            ..Range::between(f64::NEG_INFINITY, f64::INFINITY)
        };
        assumptions.push(Known {
            subject: Subject::Difference(node, from),
            range: apart,
        });
        if point.low != point.high {
            continue;
        }
        let rest = match point.low {
            0.0 => apart,
            point if point == range.low => Range {
                low: -before(-point, range.is_whole),
                leaves_out_zero: false,
                ..apart
            },
            point if point == range.high => Range {
                high: before(point, range.is_whole),
                leaves_out_zero: false,
                ..apart
            },
            _ => continue,
        };
        assumptions.extend(of_value(node, rest));
    }
    assumptions
}

/// What a range of a part implies: for a tile also its possible ranks, and the other way round.
fn of_value(node: &Node, range: Range) -> Vec<Known<'_>> {
    match &node.kind {
        Kind::Number(_) => Vec::new(),
        Kind::OfCell(fact @ (Fact::Tile | Fact::Rank), thing) => of_tile(*fact, thing, range),
        Kind::OfCell(fact, thing) => vec![Known {
            subject: Subject::OfCell(*fact, thing.clone()),
            range,
        }],
        _ => vec![Known {
            subject: Subject::Value(node),
            range,
        }],
    }
}

fn of_tile<'a>(fact: Fact, thing: &Thing, range: Range) -> Vec<Known<'a>> {
    let tile = |rank: u8| Rank::clamped(rank).tile() as f64;
    let number = |rank: u8| {
        if fact == Fact::Tile {
            tile(rank)
        } else {
            f64::from(rank)
        }
    };
    let fits = |rank: &u8| {
        (range.low..=range.high).contains(&number(*rank)) && !(*rank == 0 && range.leaves_out_zero)
    };
    let mut ranks = (0..=Rank::MAX.get()).filter(fits);
    let Some(first) = ranks.next() else {
        return Vec::new();
    };
    let last = ranks.next_back().unwrap_or(first);
    let assume = |fact, range| Known {
        subject: Subject::OfCell(fact, thing.clone()),
        range,
    };
    vec![
        assume(Fact::Rank, Range::whole(f64::from(first), f64::from(last))),
        assume(Fact::Tile, Range::whole(tile(first), tile(last))),
    ]
}

/// What is known about a cell that is not empty.
pub(super) fn not_empty<'a>(slot: Slot) -> Vec<Known<'a>> {
    of_tile(
        Fact::Rank,
        &Thing::Named(slot),
        Range::whole(1.0, f64::from(Rank::MAX.get())),
    )
}

/// What is known about the second cell of a pair, if each cell of the list has it.
pub(super) fn of_second<'a>(assumptions: &[Known<'a>], slot: Slot) -> Vec<Known<'a>> {
    let of_first = assumptions
        .iter()
        .filter_map(|assumption| match &assumption.subject {
            Subject::OfCell(fact, Thing::Named(own)) if *own == slot => {
                Some((*fact, assumption.range))
            }
            _ => None,
        });
    of_first
        .map(|(fact, range)| Known {
            subject: Subject::OfCell(fact, Thing::Named(slot + 1)),
            range,
        })
        .collect()
}

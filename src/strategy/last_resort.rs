//! The last resort: what decides between moves that every row keeps.

use std::fmt;

use itertools::Itertools as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::game::{Move, Moves};
use crate::words;

/// Decides between moves that every criterion keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum LastResort {
    /// Each of them with equal probability, from the stream of the game.
    #[default]
    Random,
    /// The first in the order up, down, left, right.
    First,
    /// The first in another order. Solver plays the first move that it loops over, in an order that it does not state.
    #[serde(deserialize_with = "another_order")]
    FirstOf(MoveOrder),
}

/// An order of the four moves.
///
/// The orders have numbers from 1 to 24, sorted by their first move, then their second and so on: 1 is up, down, left,
/// right, 2 is up, down, right, left, and 24 is right, left, down, up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveOrder([Move; 4]);

impl LastResort {
    /// One of each kind.
    pub const VARIANTS: [Self; 3] = [
        Self::Random,
        Self::First,
        Self::FirstOf(MoveOrder([Move::Left, Move::Down, Move::Right, Move::Up])),
    ];

    pub fn in_order(order: MoveOrder) -> Self {
        if order == MoveOrder::USUAL {
            Self::First
        } else {
            Self::FirstOf(order)
        }
    }

    /// The kind in a word: `Random` or `First`, in whatever order.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Random => "Random",
            Self::First | Self::FirstOf(_) => "First",
        }
    }

    /// The order whose first move it takes. `None` if it draws.
    pub const fn order(self) -> Option<MoveOrder> {
        match self {
            Self::Random => None,
            Self::First => Some(MoveOrder::USUAL),
            Self::FirstOf(order) => Some(order),
        }
    }

    /// The moves that it may play.
    pub fn of(self, left: Moves) -> Moves {
        self.order()
            .map_or(left, |order| order.first(left).into_iter().collect())
    }
}

impl fmt::Display for LastResort {
    /// `Random`, `First`, `First of left, up, right, down`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random | Self::First => f.write_str(self.kind()),
            Self::FirstOf(order) => write!(f, "First of {order}"),
        }
    }
}

impl MoveOrder {
    /// Up, down, left, right.
    pub const USUAL: Self = Self(Move::ALL);

    /// The number of orders.
    pub const COUNT: u32 = 24;

    /// All orders, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        Move::ALL
            .into_iter()
            .permutations(4)
            .map(|order| Self([order[0], order[1], order[2], order[3]]))
    }

    /// The order with this number.
    pub fn numbered(number: u32) -> Option<Self> {
        Self::all().nth(number.checked_sub(1)? as usize)
    }

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        let later = |place: usize| {
            self.0[place + 1..]
                .iter()
                .filter(|&&other| other < self.0[place])
                .count() as u32
        };
        1 + 6 * later(0) + 2 * later(1) + later(2)
    }

    /// The first of some moves. `None` if there are none.
    #[inline]
    pub fn first(self, among: Moves) -> Option<Move> {
        self.0.into_iter().find(|&mv| among.contains(mv))
    }
}

impl fmt::Display for MoveOrder {
    /// `left, up, right, down`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.iter().map(|mv| mv.name()).format(", "))
    }
}

/// Why a list of moves is not an order for `FirstOf`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum OrderError {
    #[error("{}: write each of up, down, left and right once", no_order(.0))]
    Incomplete(Vec<String>),
    #[error("up, down, left, right is the order of First: write last_resort: First")]
    Usual,
}

fn no_order(moves: &[String]) -> String {
    match moves {
        [] => "an empty list is not an order of the moves".to_owned(),
        moves => format!("{} are not an order of the moves", words::list(moves)),
    }
}

impl Serialize for MoveOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MoveOrder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let moves = Vec::<Move>::deserialize(deserializer)?;
        let has_each = Move::ALL.iter().all(|mv| moves.contains(mv));
        let incomplete =
            || OrderError::Incomplete(moves.iter().map(|mv| mv.name().to_owned()).collect());
        let order = <[Move; 4]>::try_from(moves.as_slice())
            .ok()
            .filter(|_| has_each);
        order
            .map(Self)
            .ok_or_else(|| de::Error::custom(incomplete()))
    }
}

/// So that an order has one text and one hash.
fn another_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MoveOrder, D::Error> {
    match MoveOrder::deserialize(deserializer)? {
        MoveOrder::USUAL => Err(de::Error::custom(OrderError::Usual)),
        order => Ok(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    #[test]
    fn orders_have_numbers_from_1_to_24_and_take_their_first_move() {
        let all: Vec<MoveOrder> = MoveOrder::all().collect();
        assert_eq!(all.len() as u32, MoveOrder::COUNT);
        assert!(all.is_sorted());
        for (number, order) in (1..).zip(all) {
            assert_eq!(
                (order.number(), MoveOrder::numbered(number)),
                (number, Some(order))
            );
            for bits in 1..16 {
                let left = Moves::from_bits(bits);
                let plain = order
                    .0
                    .into_iter()
                    .filter(|&mv| left.contains(mv))
                    .collect::<Vec<_>>();
                assert_eq!(order.first(left), plain.first().copied());
                assert_eq!(
                    LastResort::in_order(order).of(left),
                    plain[..1].iter().copied().collect()
                );
                assert_eq!(LastResort::Random.of(left), left);
            }
        }
        assert_eq!(
            (MoveOrder::numbered(0), MoveOrder::numbered(25)),
            (None, None)
        );
        assert_eq!(MoveOrder::USUAL.first(Moves::NONE), None);
    }

    #[test]
    fn an_order_has_one_text() {
        for order in MoveOrder::all() {
            let strategy = Strategy {
                last_resort: LastResort::in_order(order),
                ..Strategy::default()
            };
            assert_eq!(strategy.to_string().parse(), Ok(strategy));
        }
        let text = "(last_resort: FirstOf([left, up, right, down]))";
        let strategy: Strategy = text.parse().expect("an order");
        assert_eq!(
            strategy.last_resort.to_string(),
            "First of left, up, right, down"
        );
        for (text, words) in [
            (
                "(last_resort: FirstOf([up, down, left, right]))",
                "write last_resort: First",
            ),
            (
                "(last_resort: FirstOf([up, down, left]))",
                "up, down and left are not an order of the moves",
            ),
            (
                "(last_resort: FirstOf([]))",
                "an empty list is not an order of the moves",
            ),
            (
                "(last_resort: FirstOf([up, down, left, left]))",
                "write each of up, down, left and right once",
            ),
        ] {
            let error = text.parse::<Strategy>().expect_err(text).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}

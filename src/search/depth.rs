//! The depth of a search, as data.

use serde::{Deserialize, Serialize};

use super::LookaheadError;
use crate::game::{Board, Rank};
use crate::words;

/// The depth of a search. A ply is a slide or a spawn: 3 plies are slide, spawn, slide and evaluate afterstates; 4
/// plies evaluate boards to move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Plies {
    Fixed(u32),
    /// By the empty cells of the board to move: the first pair (minimum empty cells, plies) that applies, otherwise the
    /// last. Solver searches two plies deeper with six or fewer.
    ByEmpty(Vec<(u32, u32)>),
    /// By the number of distinct tiles of the board to move. The player has d moves after the first, with d = distinct
    /// + `offset`, at least `at_least` and at most `at_most`; this makes 2d + 1 plies. Xiao: offset −2, at least 3.
    ByDistinct {
        #[serde(default = "xiao_offset")]
        offset: i32,
        #[serde(default = "xiao_at_least")]
        at_least: u32,
        #[serde(default = "no_limit", skip_serializing_if = "is_no_limit")]
        at_most: u32,
    },
}

impl Default for Plies {
    /// Three plies: the afterstates of the next two slides, the cheapest search beyond a spawn.
    fn default() -> Self {
        Self::Fixed(Self::USUAL)
    }
}

impl Plies {
    /// The default number of plies.
    pub const USUAL: u32 = 3;

    /// Maximum number of plies. It is out of reach: each pair of plies multiplies the work by about thirty.
    pub const DEEPEST: u32 = 63;

    pub fn for_board(&self, board: &Board) -> u32 {
        match self {
            Self::Fixed(plies) => *plies,
            Self::ByEmpty(steps) => {
                let empty = board.empty_count();
                let applies = steps.iter().find(|&&(at_least, _)| at_least <= empty);
                applies.or(steps.last()).map_or(1, |&(_, plies)| plies)
            }
            Self::ByDistinct {
                offset,
                at_least,
                at_most,
            } => {
                let distinct = distinct_tiles(board);
                let moves = distinct
                    .saturating_add_signed(*offset)
                    .max(*at_least)
                    .min(*at_most);
                (2 * moves + 1).min(Self::DEEPEST)
            }
        }
    }

    /// The depth in layers: `2 moves + 2 spawns`.
    pub fn text(&self) -> String {
        match self {
            Self::Fixed(plies) => layers(*plies),
            Self::ByEmpty(steps) => {
                let plies: Vec<String> = steps.iter().map(|(_, plies)| plies.to_string()).collect();
                format!("{} plies by empty cells", words::list(&plies))
            }
            Self::ByDistinct { .. } => "plies by distinct tiles".to_owned(),
        }
    }

    pub(super) fn check(&self) -> Result<(), LookaheadError> {
        let fits = |plies: u32| match plies {
            0 => Err(LookaheadError::NoPlies),
            1..=Self::DEEPEST => Ok(()),
            _ => Err(LookaheadError::TooManyPlies { plies }),
        };
        match self {
            Self::Fixed(plies) => fits(*plies),
            Self::ByEmpty(steps) if steps.is_empty() => Err(LookaheadError::NoPairs),
            Self::ByEmpty(steps) if !steps.is_sorted_by(|a, b| b.0 < a.0) => {
                Err(LookaheadError::UnsortedPairs)
            }
            Self::ByEmpty(steps) => steps.iter().try_for_each(|&(_, plies)| fits(plies)),
            &Self::ByDistinct {
                at_least, at_most, ..
            } if at_most < at_least => {
                Err(LookaheadError::AtLeastAboveAtMost { at_least, at_most })
            }
            &Self::ByDistinct { at_least, .. } if Self::DEEPEST / 2 < at_least => {
                Err(LookaheadError::TooManyMoves { at_least })
            }
            Self::ByDistinct { .. } => Ok(()),
        }
    }
}

/// Plies as displayed: `2 moves + 1 spawn`.
pub fn layers(plies: u32) -> String {
    let moves = words::plural(u64::from(plies.div_ceil(2)), "move");
    if plies < 2 {
        moves
    } else {
        format!("{moves} + {}", words::plural(u64::from(plies / 2), "spawn"))
    }
}

/// The number of different tiles on the board. Empty cells do not count.
fn distinct_tiles(board: &Board) -> u32 {
    let seen = board
        .cells()
        .fold(0_u32, |seen, (_, rank)| seen | 1 << rank.get());
    (seen & !(1 << Rank::EMPTY.get())).count_ones()
}

fn xiao_offset() -> i32 {
    -2
}

fn xiao_at_least() -> u32 {
    3
}

fn no_limit() -> u32 {
    Plies::DEEPEST
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_no_limit(at_most: &u32) -> bool {
    *at_most == no_limit()
}

#[cfg(test)]
mod tests {
    use crate::game::Board;
    use crate::search::Lookahead;

    #[test]
    fn depth_follows_the_board() {
        let plies = |text: &str, board: &str| {
            let lookahead: Lookahead = text.parse().expect(text);
            lookahead
                .plies()
                .expect("a search")
                .for_board(&Board::of_digits(board).expect(board))
        };
        let dynamic = "Expectimax(plies: ByEmpty([(8, 3), (4, 4), (0, 5)]))";
        assert_eq!(plies(dynamic, "1111111100000000"), 3);
        assert_eq!(plies(dynamic, "1212121210000000"), 4);
        assert_eq!(plies(dynamic, "1212121212121000"), 5);
        let xiao = "Expectimax(plies: ByDistinct())";
        assert_eq!(plies(xiao, "1111111100000000"), 7);
        assert_eq!(plies(xiao, "1234567000000000"), 11);
    }
}

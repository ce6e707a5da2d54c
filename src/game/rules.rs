//! The options of a game: the size of the board, the probability of a 4, the tile at which it ends, and its start.

use std::cmp::Reverse;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Board, GameSeed, Move, Rank, Seed, Size};
use crate::words;

/// The rules of a game.
///
/// Two tiles at the start. A spawn is uniform over the empty cells and is a 4 with probability `p4`, otherwise a 2; the
/// first two tiles follow the same rule. The game ends when no slide is legal, and never at 2048 unless `stop_at` says
/// so. With a `start` games begin there instead, with score 0, and their first spawn is stratified: see [`GameSeed`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    #[serde(skip_serializing_if = "is_four")]
    pub size: Size,
    /// Probability that a new tile is a 4, from 0 to 1. The original game plays 0.1.
    #[serde(skip_serializing_if = "is_usual")]
    pub p4: f64,
    /// The game also ends as soon as a tile of at least this value is on the board. Written as the tile: `2048`.
    #[serde(
        serialize_with = "write_tile",
        deserialize_with = "read_tile",
        skip_serializing_if = "Option::is_none"
    )]
    pub stop_at: Option<Rank>,
    /// The board at which games begin in place of two tiles, as text: `2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2`.
    #[serde(
        serialize_with = "write_board",
        deserialize_with = "read_board",
        skip_serializing_if = "Option::is_none"
    )]
    pub start: Option<Board>,
}

impl Rules {
    pub const USUAL_P4: f64 = 0.1;

    /// "4 × 4, 10 % fours · stops at 2048".
    pub fn about(&self) -> String {
        let stop_at = self
            .stop_at
            .map_or(String::new(), |rank| format!(" · stops at {rank}"));
        let start = if self.start.is_some() {
            " · from a position"
        } else {
            ""
        };
        let (rows, cols, fours) = (self.size.rows(), self.size.cols(), words::fours(self.p4));
        format!("{rows} × {cols}, {fours}{stop_at}{start}")
    }

    pub fn check(&self) -> Result<(), RulesError> {
        if !(0.0..=1.0).contains(&self.p4) {
            return Err(RulesError::P4(self.p4));
        }
        if let Some(rank) = self.stop_at {
            Self::read_stop_at(rank.tile(), self.size)?;
        }
        self.start.map_or(Ok(()), |start| self.check_start(&start))
    }

    /// Checks whether games can begin at a board.
    pub fn check_start(&self, start: &Board) -> Result<(), RulesError> {
        match start.size() {
            found if found != self.size => Err(RulesError::StartSize {
                found,
                size: self.size,
            }),
            _ if start.is_dead() => Err(RulesError::DeadStart(*start)),
            _ => Ok(()),
        }
    }

    /// Checks whether games can begin with a move: it must move something at the start.
    pub fn check_first(&self, first: Move) -> Result<(), RulesError> {
        let start = self.start.ok_or(RulesError::NoStart)?;
        let moves = start.legal_moves().contains(first);
        moves
            .then_some(())
            .ok_or(RulesError::IllegalFirst { first, start })
    }

    /// The random draws of game number `index` under a seed.
    pub fn chance(&self, seed: Seed, index: u64) -> GameSeed {
        if self.start.is_some() {
            seed.stratified_game(index)
        } else {
            seed.game(index)
        }
    }

    /// The same rules for games that begin with two tiles.
    #[must_use]
    pub fn from_opening(self) -> Self {
        Self {
            start: None,
            ..self
        }
    }

    /// The rank of a tile at which games on boards of this size may end.
    pub fn read_stop_at(tile: u64, size: Size) -> Result<Rank, RulesError> {
        let largest = Self::largest(size);
        let rank = Rank::of_tile(tile).filter(|&rank| Rank::FOUR <= rank);
        match rank {
            Some(rank) if rank <= largest => Ok(rank),
            Some(_) => Err(RulesError::TooLarge {
                tile,
                size,
                largest,
            }),
            None => Err(RulesError::NoTile { tile, largest }),
        }
    }

    /// Checks whether a board can occur in games by these rules, as far as the values of its tiles tell. A tile is made
    /// of two tiles of half its value. Each needs a cell in addition to those of all larger or equal tiles. The
    /// extreme is a snake of all ranks down to 4 with one more 4.
    pub fn check_board(&self, board: &Board) -> Result<(), RulesError> {
        let size = self.size;
        let largest = if self.p4 == 0.0 {
            Rank::clamped(size.cells() as u8)
        } else {
            Self::largest(size)
        };
        let mut ranks: Vec<Rank> = board
            .cells()
            .map(|(_, rank)| rank)
            .filter(|rank| !rank.is_empty())
            .collect();
        ranks.sort_unstable_by_key(|&rank| Reverse(rank));
        for (larger, &rank) in ranks.iter().enumerate() {
            let tile = rank.tile();
            if usize::from(largest.get()) < usize::from(rank.get()) + larger {
                return Err(match larger {
                    0 => RulesError::TooLarge {
                        tile,
                        size,
                        largest,
                    },
                    _ => RulesError::TooMany {
                        tile,
                        size,
                        count: larger + 1,
                    },
                });
            }
        }
        if self.p4 == 1.0 && ranks.last() == Some(&Rank::TWO) {
            Err(RulesError::NoTwos)
        } else {
            Ok(())
        }
    }

    /// One sentence on a board that never occurs in games by these rules, for everything that answers for it or begins at
    /// it. `None` for a board that can occur.
    pub fn doubt(&self, board: &Board) -> Option<String> {
        let reason = self.check_board(board).err()?;
        Some(format!("{reason}; the answer is for the board as given"))
    }

    /// The same rules on a board of another size, without an end at a tile that never occurs there.
    #[must_use]
    pub fn on(self, size: Size) -> Self {
        let stop_at = self.stop_at.filter(|&rank| rank <= Self::largest(size));
        Self {
            size,
            stop_at,
            start: self.start.filter(|start| start.size() == size),
            ..self
        }
    }

    /// The largest rank that can occur on boards of this size: a snake of all ranks down to 4, and one more 4.
    pub fn largest(size: Size) -> Rank {
        Rank::clamped(size.cells() as u8 + 1)
    }
}

#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum RulesError {
    #[error("p4 is {0}: write a probability from 0 to 1")]
    P4(f64),
    #[error("a {size} board never holds {tile}, its largest tile is {largest}")]
    TooLarge {
        tile: u64,
        size: Size,
        largest: Rank,
    },
    #[error("a {size} board never holds {count} tiles of {tile} or more")]
    TooMany { tile: u64, size: Size, count: usize },
    #[error("a 2 cannot occur where every new tile is a 4")]
    NoTwos,
    #[error("the start position is a {found} board, but the games are played on {size}")]
    StartSize { found: Size, size: Size },
    #[error("a rollout needs a position: write it as rules: (start: \"2,0,0,4/…\")")]
    NoStart,
    #[error("{first} moves nothing on {start}")]
    IllegalFirst { first: Move, start: Board },
    #[error("no game can start at {0}, where nothing moves: choose another position")]
    DeadStart(Board),
    #[error("{tile} is not a tile to stop at: write 4, 8, 16 and so on up to {largest}")]
    NoTile { tile: u64, largest: Rank },
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            size: Size::FOUR,
            p4: Self::USUAL_P4,
            stop_at: None,
            start: None,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_four(size: &Size) -> bool {
    *size == Size::FOUR
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
fn is_usual(p4: &f64) -> bool {
    *p4 == Rules::USUAL_P4
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    clippy::ref_option,
    reason = "serde passes fields by reference"
)]
fn write_tile<S: Serializer>(rank: &Option<Rank>, serializer: S) -> Result<S::Ok, S::Error> {
    rank.map(Rank::tile).serialize(serializer)
}

fn read_tile<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rank>, D::Error> {
    let Some(tile) = Option::<u64>::deserialize(deserializer)? else {
        return Ok(None);
    };
    let rank = Rank::of_tile(tile).filter(|rank| !rank.is_empty());
    rank.map(Some)
        .ok_or_else(|| de::Error::custom(format!("{tile} is not a tile")))
}

#[expect(clippy::ref_option, reason = "serde passes fields by reference")]
fn write_board<S: Serializer>(board: &Option<Board>, serializer: S) -> Result<S::Ok, S::Error> {
    board.map(|board| board.to_string()).serialize(serializer)
}

fn read_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Board>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| {
        text.parse()
            .map_err(|error| de::Error::custom(format!("start: {error}")))
    })
    .transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ron_text;

    #[test]
    fn a_tile_to_stop_at_is_one_that_can_come() {
        for (tile, size, words) in [
            (0, "4x4", "0 is not a tile to stop at"),
            (2, "4x4", "2 is not a tile to stop at"),
            (
                2047,
                "4x4",
                "2047 is not a tile to stop at: write 4, 8, 16 and so on up to 131072",
            ),
            (
                262_144,
                "4x4",
                "never holds 262144, its largest tile is 131072",
            ),
            (
                64,
                "2x2",
                "a 2x2 board never holds 64, its largest tile is 32",
            ),
            (1 << 40, "5x5", "is not a tile to stop at"),
        ] {
            let error = Rules::read_stop_at(tile, size.parse().expect("a size"))
                .expect_err(words)
                .to_string();
            assert!(error.contains(words), "{error}");
        }
        for (tile, size) in [
            (4, "4x4"),
            (2048, "4x4"),
            (131_072, "4x4"),
            (32, "2x2"),
            (1 << 26, "5x5"),
        ] {
            assert!(
                Rules::read_stop_at(tile, size.parse().expect("a size")).is_ok(),
                "{tile} on {size}"
            );
        }
    }

    #[test]
    fn a_board_holds_no_tile_that_cannot_come() {
        for (board, p4, words) in [
            (
                "64,0/0,0",
                0.1,
                "a 2x2 board never holds 64, its largest tile is 32",
            ),
            (
                "32,0/0,0",
                0.0,
                "a 2x2 board never holds 32, its largest tile is 16",
            ),
            (
                "262144,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0",
                0.1,
                "never holds 262144, its largest tile is 131072",
            ),
            (
                "32,32/0,0",
                0.1,
                "a 2x2 board never holds 2 tiles of 32 or more",
            ),
            ("32,16/8,8", 0.1, "never holds 4 tiles of 8 or more"),
            ("16,8/4,4", 0.0, "never holds 4 tiles of 4 or more"),
            (
                "4,4/8,2",
                1.0,
                "a 2 cannot occur where every new tile is a 4",
            ),
        ] {
            let board: Board = board.parse().expect("a board");
            let rules = Rules {
                size: board.size(),
                p4,
                ..Rules::default()
            };
            let error = rules.check_board(&board).expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        }
        for (board, p4) in [
            ("32,16/8,4", 0.1),
            ("16,16/8,4", 0.1),
            ("16,8/4,2", 0.0),
            ("32,16/8,4", 1.0),
            ("0,0/0,0", 0.0),
            (
                "131072,65536,32768,16384/1024,2048,4096,8192/512,256,128,64/4,8,16,32",
                0.1,
            ),
        ] {
            let board: Board = board.parse().expect("a board");
            let rules = Rules {
                size: board.size(),
                p4,
                ..Rules::default()
            };
            assert_eq!(rules.check_board(&board), Ok(()), "{board}");
        }
    }

    #[test]
    fn rules_are_written_with_the_tile() {
        let rules: Rules = ron_text::read("(stop_at: 2048)").expect("rules");
        assert_eq!(rules.stop_at, Rank::of_tile(2048));
        assert_eq!(ron_text::one_line(&rules), Ok("(stop_at: 2048)".to_owned()));
        assert_eq!(ron_text::one_line(&Rules::default()), Ok("()".to_owned()));
        assert_eq!(ron_text::read::<Rules>("()"), Ok(Rules::default()));
        assert!(
            ron_text::read::<Rules>("(stop_at: 13)")
                .is_err_and(|error| error.reason.contains("13 is not a tile"))
        );
    }
}

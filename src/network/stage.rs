//! Stages: from which boards a network uses other tables.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::{Packed, Rank};

/// The start of a further stage: a largest tile, or several different tiles such as 16384 and 8192 (Yeh, Wu, Hsueh,
/// Chang, Liang and Chiang, Multistage temporal difference learning for 2048-like games, 2017: T16k, T16+8k).
///
/// A board is in the stage as soon as, for each tile of the stage, its tiles of at least that size have at least the sum
/// of those of the stage: 16384+8192 needs a 16384, and 24576 in tiles from 8192. Merging keeps these sums or raises
/// them, so a game never falls back behind a stage. 32768 alone counts as 16384 and 8192. Three 8192 do not, because
/// none of them is a 16384 yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(try_from = "StageText", into = "StageText")]
pub struct Stage {
    /// One bit for the rank of each tile, which makes it their sum.
    tiles: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StageText {
    Tile(u64),
    Tiles(String),
}

/// Text or a number that is no stage.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a stage begins at a tile from 4 to 32768, or at several different ones below 32768, such as 16384+8192"
)]
pub struct StageError;

impl Stage {
    /// From the sum of its tiles, which identifies them: 24576 is 16384+8192. `None` for 32768 with others, because a
    /// 65536 counts as one 32768, and a game would fall back behind the stage.
    pub fn of_sum(tiles: u64) -> Option<Self> {
        let is_sound = tiles != 0 && tiles & !0xFFFC == 0 && tiles <= 0x8000;
        is_sound.then_some(Self {
            tiles: tiles as u32,
        })
    }

    /// The sum of its tiles, as [`Self::of_sum`] takes it.
    pub fn sum(self) -> u64 {
        self.tiles.into()
    }

    /// Whether a board with this largest rank, four bits per cell, has reached the stage.
    #[inline]
    fn is_reached(self, bits: u64, largest: u32) -> bool {
        if largest < self.tiles.ilog2() || self.tiles.is_power_of_two() {
            return self.tiles.ilog2() <= largest;
        }
        let ranks = || (0..16).map(|cell| (bits >> (4 * cell) & 15) as u32);
        let sum_from = |least: u32| {
            ranks()
                .filter(|rank| least <= *rank)
                .map(|rank| 1 << rank)
                .sum::<u32>()
        };
        (0..16)
            .filter(|rank| self.tiles >> rank & 1 == 1)
            .all(|rank| self.tiles >> rank << rank <= sum_from(rank))
    }

    /// The last of these stages that a board has reached, from 1; 0 if it has reached none.
    #[inline]
    pub fn of(stages: &[Self], bits: u64) -> usize {
        let largest = u32::from(Packed::from_bits(bits).max_rank().get());
        stages
            .iter()
            .rposition(|stage| stage.is_reached(bits, largest))
            .map_or(0, |place| place + 1)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = (0..16).rev().filter(|rank| self.tiles >> rank & 1 == 1);
        for (place, rank) in ranks.map(Rank::clamped).enumerate() {
            let plus = if place == 0 { "" } else { "+" };
            write!(f, "{plus}{}", rank.tile())?;
        }
        Ok(())
    }
}

impl FromStr for Stage {
    type Err = StageError;

    /// A tile, or several separated by `+`, in any order.
    fn from_str(text: &str) -> Result<Self, StageError> {
        let tile = |text: &str| {
            text.trim()
                .parse::<u64>()
                .ok()
                .filter(|tile| tile.is_power_of_two())
        };
        let tiles = text.split('+').map(tile).try_fold(0_u64, |sum, tile| {
            let tile = tile?;
            (sum & tile == 0).then_some(sum | tile)
        });
        tiles.and_then(Self::of_sum).ok_or(StageError)
    }
}

impl TryFrom<StageText> for Stage {
    type Error = StageError;

    fn try_from(text: StageText) -> Result<Self, StageError> {
        match text {
            StageText::Tile(tile) => Some(tile)
                .filter(|tile| tile.is_power_of_two())
                .and_then(Self::of_sum)
                .ok_or(StageError),
            StageText::Tiles(text) => text.parse(),
        }
    }
}

impl From<Stage> for StageText {
    fn from(stage: Stage) -> Self {
        match stage.tiles.is_power_of_two() {
            true => Self::Tile(stage.tiles.into()),
            false => Self::Tiles(stage.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Rules, Seed, Size};

    #[test]
    fn every_stage_is_read_as_it_is_written() {
        for sum in (0..1 << 17).step_by(2) {
            let Some(stage) = Stage::of_sum(sum) else {
                assert!(sum == 0 || sum & !0xFFFC != 0 || 0x8000 < sum);
                continue;
            };
            let text = stage.to_string();
            assert_eq!(
                text.split('+')
                    .map(|tile| tile.parse::<u64>().expect("a tile"))
                    .sum::<u64>(),
                sum
            );
            assert_eq!(text.parse(), Ok(stage));
            let ron = crate::ron_text::one_line(&stage).expect("text");
            assert_eq!(crate::ron_text::read::<Stage>(&ron), Ok(stage), "{ron}");
        }
        for text in [
            "",
            "+",
            "2",
            "3",
            "65536",
            "8192+8192",
            "8192+",
            "8192 4096",
            "24576",
            "-4",
            "32768+4",
        ] {
            assert_eq!(text.parse::<Stage>(), Err(StageError), "{text}");
        }
    }

    #[test]
    fn a_stage_of_several_tiles_begins_with_the_largest_of_them() {
        for (text, reached, others) in [
            ("8", &[&[8][..], &[16]][..], &[&[4, 4][..]][..]),
            (
                "16+8",
                &[&[16, 8], &[16, 16], &[32]],
                &[&[8, 8, 8, 8], &[16, 4, 4]],
            ),
            (
                "32+8",
                &[&[32, 8], &[32, 16], &[64]],
                &[&[16, 16, 8], &[32, 4, 4]],
            ),
            (
                "32+16+8",
                &[&[32, 16, 8], &[32, 16, 16], &[32, 32], &[64]],
                &[&[32, 8, 8, 8], &[16, 16, 16, 8], &[32, 16, 4, 4]],
            ),
        ] {
            let stage: Stage = text.parse().expect("a stage");
            let is_reached = |tiles: &&[u64]| {
                let ranks = tiles.iter().map(|tile| u64::from(tile.ilog2()));
                Stage::of(&[stage], ranks.fold(0, |bits, rank| bits << 4 | rank)) == 1
            };
            for tiles in reached.iter().chain(others) {
                assert_eq!(
                    is_reached(tiles),
                    reached.contains(tiles),
                    "{text} {tiles:?}"
                );
            }
        }
    }

    #[test]
    fn a_tile_begins_its_stage_and_no_game_falls_back_behind_one() {
        let texts = [
            "8", "16", "16+8", "32", "32+8", "32+16+8", "64", "128", "128+64",
        ];
        let stages = texts.map(|text| text.parse::<Stage>().expect("a stage"));
        let mut entered = [0; 10];
        for game in 0..200 {
            let (seed, mut before) = (Seed(4).game(game), 0);
            let mut board = seed.opening(&Rules::default());
            for index in 2_u32.. {
                let moves: Vec<_> = board.legal_moves().into_iter().collect();
                let Some(&mv) = moves.get(index as usize * 7 % moves.len().max(1)) else {
                    break;
                };
                let tile = |cell: usize| board.get(Cell::at(cell, Size::FOUR));
                let bits = (0..16).fold(0, |bits, cell| {
                    bits | u64::from(tile(cell).get()) << (4 * cell)
                });
                for (stage, text) in stages.iter().zip(texts) {
                    let is_reached = Stage::of(&[*stage], bits) == 1;
                    let tiles: Vec<u64> = text
                        .split('+')
                        .map(|tile| tile.parse().expect("a tile"))
                        .collect();
                    if let [begin] = tiles[..] {
                        assert_eq!(
                            is_reached,
                            begin <= board.max_rank().tile(),
                            "{text} {board}"
                        );
                    }
                    let has_all = tiles
                        .iter()
                        .all(|&wanted| (0..16).any(|cell| tile(cell).tile() == wanted));
                    assert!(!has_all || is_reached, "{text} {board}");
                }
                let stage = Stage::of(&stages, bits);
                assert!(before <= stage, "{board}");
                before = stage;
                entered[stage] += 1;
                let after = board.slide(mv).expect("legal").after;
                board = after.spawn(seed.spawn(index, &after.board(), 0.1));
            }
        }

        assert!(entered.iter().all(|count| 0 < *count), "{entered:?}");
    }
}

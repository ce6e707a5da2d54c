//! *Tile-downgrading*: boards with large tiles are searched as boards with smaller ones.
//!
//! A network has weights for tiles up to 32768, and its training met few boards with the largest. If the largest tile
//! is at least a limit, the search uses another board. Every tile above the highest missing one below the largest is
//! halved. This repeats until the largest tile is below the limit or no tile is missing.
//!
//! ```text
//! 32768 16384 4096 8 2   from 32768 on: 8192 is missing   16384 8192 4096 8 2
//! ```
//!
//! Different tiles stay different, so the same slides are legal and the same tiles merge at first. The whole search
//! uses that board, including the rewards on its path, so that merges and the network's values have the same scale. The
//! slide is then made on the real board, and its real reward counts in the score. The values of such a search are
//! points of a game with smaller tiles: they choose a move, but do not predict a score.
//!
//! Source: Guei, Chen and Wu, Optimistic temporal difference learning for 2048, 2021 (*DG* expectimax). The rule is
//! that of TDL2048+ (`-h`), which continues to halve once it has started, while this one checks each board anew.

use super::Lookahead;
use crate::game::{Board, Rank};

impl Lookahead {
    /// Whether some boards are searched with halved tiles.
    pub fn downgrades(&self) -> bool {
        self.depth_limited()
            .is_some_and(|search| search.downgrade.is_some())
    }

    /// The board that is searched in place of this one. `None` if this one is searched.
    pub fn downgraded(&self, board: &Board) -> Option<Board> {
        let from = Rank::of_tile(self.depth_limited()?.downgrade?)?;
        let mut lower = *board;
        while from <= lower.max_rank() {
            let Some(next) = halved(&lower) else { break };
            lower = next;
        }
        (lower != *board).then_some(lower)
    }
}

/// Halves all tiles above the highest missing one. `None` if no tile below the largest is missing.
fn halved(board: &Board) -> Option<Board> {
    let seen = board
        .cells()
        .fold(0_u32, |seen, (_, rank)| seen | 1 << rank.get());
    let largest = board.max_rank().get();
    let missing = (1..largest).rev().find(|rank| seen >> rank & 1 == 0)?;
    let lower = |rank: Rank| {
        if missing < rank.get() {
            Rank::clamped(rank.get() - 1)
        } else {
            rank
        }
    };
    Some(
        board
            .cells()
            .fold(Board::empty(board.size()), |made, (cell, rank)| {
                made.with(cell, lower(rank))
            }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::{Seed, Size};

    fn from(tile: u64) -> Lookahead {
        format!("Expectimax(plies: Fixed(3), downgrade: {tile})")
            .parse()
            .expect("a lookahead")
    }

    #[test]
    fn tiles_above_the_highest_missing_one_are_halved() {
        let board = board! {
            32768 16384 4096 8
            2 . . .
            . . . .
            . . 4096 2
        };
        let lower = board! {
            16384 8192 4096 8
            2 . . .
            . . . .
            . . 4096 2
        };
        assert_eq!(from(32768).downgraded(&board), Some(lower));
        assert_eq!(from(65536).downgraded(&board), None);

        // Below 4096 the highest missing tile is 2048.
        let lowest = board! {
            8192 4096 2048 8
            2 . . .
            . . . .
            . . 2048 2
        };
        assert_eq!(from(16384).downgraded(&board), Some(lowest));
        assert_eq!(
            from(16384).downgraded(&lower),
            Some(lowest),
            "the same from where it has begun"
        );

        let full: Board = "65536,32768,16384,8192/4096,2048,1024,512/256,128,64,32/16,8,4,2"
            .parse()
            .expect("a board");
        assert_eq!(from(32768).downgraded(&full), None, "no tile is missing");
    }

    #[test]
    fn the_same_slides_are_legal_and_merge_the_same_cells() {
        let mut changed = 0;
        for number in 0..2000 {
            let seed = Seed(7).game(number);
            let rank = |place: u32| {
                Rank::clamped((seed.place_draw(place) % 18) as u8 & 0xff >> (number % 4))
            };
            let cells = Size::FOUR.iter().enumerate();
            let board = cells.fold(Board::empty(Size::FOUR), |board, (at, cell)| {
                board.with(cell, rank(at as u32))
            });
            let Some(lower) = from(2048).downgraded(&board) else {
                continue;
            };
            changed += 1;
            assert_eq!(board.legal_moves(), lower.legal_moves(), "{board}");
            for mv in board.legal_moves() {
                let [real, other] =
                    [board, lower].map(|board| board.slide(mv).expect("legal").after.board());
                let filled = |board: &Board| {
                    board
                        .cells()
                        .map(|(_, rank)| rank.is_empty())
                        .collect::<Vec<_>>()
                };
                assert_eq!(filled(&real), filled(&other), "{board}");
            }
            let pairs = board.cells().zip(lower.cells());
            for ((_, one), (_, halved)) in pairs {
                assert!(halved <= one && one.get() <= halved.get() + 15);
                for ((_, other), (_, lower)) in board.cells().zip(lower.cells()) {
                    assert_eq!(one.cmp(&other), halved.cmp(&lower), "{board}");
                }
            }
        }
        assert!(900 < changed, "{changed}");
    }
}

//! Positions that were constructed instead of played, for cases that are rare in games.
//!
//! The method is that of a fuzzer: some cells of a position that showed something new are changed, and if the result
//! shows something new it is changed in turn. Boards only have tiles that the rules allow, and scores that merging can
//! produce.

use super::Scored;
use crate::game::{Board, Cell, GameSeed, Rank, Rules, Seed};

/// Drawing gives up after this many draws without a position to move from.
const TRIES: usize = 100;

/// A random number generator with a fixed seed.
pub(super) struct Draws {
    chance: GameSeed,
    made: u32,
}

impl Draws {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Seed(seed).game(0),
            made: 0,
        }
    }

    /// From 0 to below 1.
    pub(super) fn fraction(&mut self) -> f64 {
        self.made = self.made.wrapping_add(1);
        (self.chance.place_draw(self.made) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(super) fn below(&mut self, number: usize) -> usize {
        (self.fraction() * number as f64) as usize
    }
}

pub(super) struct Construction {
    rules: Rules,
    draws: Draws,
    /// Positions that showed something new.
    from: Vec<Board>,
}

impl Construction {
    pub(super) fn new(rules: Rules, seed: u64) -> Self {
        Self {
            rules,
            draws: Draws::new(seed),
            from: Vec::new(),
        }
    }

    pub(super) fn vary_from(&mut self, position: Scored) {
        self.from.push(position.board);
    }

    /// A position with two or more legal moves; `None` if none is found.
    pub(super) fn next(&mut self) -> Option<Scored> {
        (0..TRIES).find_map(|_| {
            let place = self.draws.below(self.from.len());
            let board = match self.from.get(place).copied() {
                Some(board) => self.varied(board),
                None => self.filled(),
            };
            (1 < board.legal_moves().len()).then(|| Scored {
                board,
                score: self.score(&board),
            })
        })
    }

    /// Random tiles on every cell, of few ranks so that some can merge.
    fn filled(&mut self) -> Board {
        let kinds = 2 + self.draws.below(6);
        self.rules
            .size
            .iter()
            .fold(Board::empty(self.rules.size), |board, cell| {
                let rank = self.draws.below(kinds) as u8;
                board.with(cell, self.allowed(rank))
            })
    }

    /// Changes one to three cells: another tile, a neighbor's, or two exchanged.
    fn varied(&mut self, mut board: Board) -> Board {
        for _ in 0..=self.draws.below(3) {
            let (one, other) = (self.cell(), self.cell());
            let (a, b) = (board.get(one), board.get(other));
            board = match self.draws.below(3) {
                0 => {
                    let kinds = usize::from(board.max_rank().get()) + 1;
                    let rank = self.draws.below(kinds) as u8;
                    board.with(one, self.allowed(rank))
                }
                1 => board.with(one, b),
                _ => board.with(one, b).with(other, a),
            };
        }
        board
    }

    fn cell(&mut self) -> Cell {
        let (rows, cols) = (self.rules.size.rows(), self.rules.size.cols());
        Cell::new(self.draws.below(rows) as u8, self.draws.below(cols) as u8)
    }

    /// The rank, if these rules can make it; if no new tile is a 2, there is no 2 on the board.
    fn allowed(&self, rank: u8) -> Rank {
        let rank = Rank::clamped(rank).min(Rules::largest(self.rules.size));
        if rank == Rank::TWO && 1.0 <= self.rules.p4 {
            Rank::FOUR
        } else {
            rank
        }
    }

    /// A score that merging to this board gives, with about as many 4s among its new tiles as the rules expect: a tile
    /// of rank r gives (r − 1)·2ʳ from 2s alone, and 4 less for each spawned 4.
    fn score(&mut self, board: &Board) -> u64 {
        let p4 = self.rules.p4;
        let (mut most, mut fours) = (0, 0);
        for (_, rank) in board.cells().filter(|(_, rank)| Rank::FOUR <= *rank) {
            most += u64::from(rank.get() - 1) * rank.tile();
            fours += rank.tile() / 4;
        }
        // The mean value of a spawn is 2 + 2·p4. A board of few tiles is as often one of 2s alone.
        let expected = p4 * board.tile_sum() as f64 / (2.0 + 2.0 * p4);
        let drawn = if p4 < 1.0 {
            (2.0 * self.draws.fraction() * expected).round() as u64
        } else {
            fours
        };
        most - 4 * drawn.min(fours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Size;

    #[test]
    fn constructed_positions_have_a_choice_and_a_score_of_the_rules() {
        for (size, p4) in [
            (Size::FOUR, 0.1),
            (Size::FOUR, 0.0),
            (Size::FOUR, 1.0),
            (Size::new(2, 3).expect("a size"), 0.5),
        ] {
            let rules = Rules {
                size,
                p4,
                ..Rules::default()
            };
            let mut construction = Construction::new(rules, 3);
            let mut boards = std::collections::HashSet::new();
            for _ in 0..500 {
                let position = construction.next().expect("there are some");
                let board = position.board;
                boards.insert(board);
                construction.vary_from(position);
                assert!(
                    1 < board.legal_moves().len()
                        && board.size() == size
                        && board.max_rank() <= Rules::largest(size)
                );
                assert!(
                    p4 < 1.0 || board.cells().all(|(_, rank)| rank != Rank::TWO),
                    "{board}"
                );
                // The points follow from the tiles: all spawned 2s and 4s are merged.
                let made: u64 = board
                    .cells()
                    .map(|(_, rank)| u64::from(rank.get().max(1) - 1) * rank.tile())
                    .sum();
                let fours = (made - position.score) / 4;
                assert_eq!((made - position.score) % 4, 0);
                assert!(
                    4 * fours <= board.tile_sum() && (p4 != 0.0 || fours == 0),
                    "{board}"
                );
                assert!(p4 < 1.0 || 4 * fours == board.tile_sum(), "{board}");
            }
            assert!(100 < boards.len(), "{}", boards.len());
        }
    }
}

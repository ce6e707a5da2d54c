//! The motion of each tile in a slide, for drawing.

use super::grid::lines;
use super::{Board, Cell, Move, Rank};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    pub from: Cell,
    /// The destination; equal to `from` for a tile that stays.
    pub to: Cell,
    /// Its rank while it moves, before any merge.
    pub rank: Rank,
    /// Whether it ends in a merge: two tiles arrive on `to` and become one of the next rank.
    pub merged: bool,
}

/// The motion of every tile, including those that stay.
pub fn motions(board: &Board, mv: Move) -> Vec<Motion> {
    let size = board.size();
    let cell_of = |index| Cell::at(index, size);
    let mut all = Vec::new();
    for line in lines(size, mv) {
        let tiles: Vec<(Cell, Rank)> = line
            .indices()
            .map(cell_of)
            .map(|cell| (cell, board.get(cell)))
            .filter(|(_, rank)| !rank.is_empty())
            .collect();
        let (mut next, mut target) = (0, 0);
        while next < tiles.len() {
            let (from, rank) = tiles[next];
            let to = cell_of(line.index(target));
            let merged = tiles.get(next + 1).is_some_and(|&(_, other)| other == rank);
            all.push(Motion {
                from,
                to,
                rank,
                merged,
            });
            if merged {
                next += 1;
                all.push(Motion {
                    from: tiles[next].0,
                    to,
                    rank,
                    merged,
                });
            }
            next += 1;
            target += 1;
        }
    }

    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Seed, Size};

    #[test]
    fn motions_end_on_the_board_after_the_slide() {
        for size in Size::all() {
            let rules = Rules {
                size,
                ..Rules::default()
            };
            let seed = Seed(21).game(0);
            let mut board = seed.opening(&rules);

            for k in 0..200 {
                for mv in Move::ALL {
                    let mut after = Board::empty(size);
                    let all = motions(&board, mv);
                    for motion in &all {
                        let rank = if motion.merged {
                            motion.rank.merged()
                        } else {
                            motion.rank
                        };
                        after = after.with(motion.to, rank);
                        assert_eq!(board.get(motion.from), motion.rank);
                    }
                    let expected = board.slide(mv).map_or(board, |slide| slide.after.board());
                    assert_eq!(after, expected, "{board} {mv}");
                }
                let legal = board.legal_moves();
                let Some(mv) = legal.nth(k as usize % legal.len().max(1)) else {
                    break;
                };
                let after = board.slide(mv).expect("legal").after;
                board = after.spawn(seed.spawn(k + 2, &after.board(), 0.1));
            }
        }
    }
}

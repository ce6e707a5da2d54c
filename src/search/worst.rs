//! Ranks spawns by the harm they do, before any search.
//!
//! ```text
//! harm of a spawn = islands − smoothness of the board with it
//! ```
//!
//! Islands are groups of adjacent equal tiles; smoothness is
//! [`RankSmoothness`](crate::evaluator::Evaluator::RankSmoothness). In ovolve's `2048-AI` the opponent chooses only
//! among the spawns with the largest harm.
//!
//! A tile changes both only around its cell. It adds one island and merges those of its rank next to it, and it
//! separates the nearest tiles on both sides. So only the change is computed.

use crate::game::{Board, Cell, Rank};

/// The harm of a tile on an empty cell, compared with the board without it.
pub(super) fn harm(board: &Board, cell: Cell, rank: Rank) -> i32 {
    let own = i32::from(rank.get());
    let mut harm = 1 - islands_beside(board, cell, rank);
    for steps in [[(0, -1), (0, 1)], [(-1, 0), (1, 0)]] {
        let [before, behind] = steps.map(|step| next_tile(board, cell, step));
        harm += before.map_or(0, |rank| (rank - own).abs())
            + behind.map_or(0, |rank| (rank - own).abs());
        harm -= before
            .zip(behind)
            .map_or(0, |(before, behind)| (before - behind).abs());
    }
    harm
}

/// The rank of the next tile in a direction, across empty cells.
fn next_tile(board: &Board, cell: Cell, step: (i8, i8)) -> Option<i32> {
    let mut cell = neighbour(board, cell, step)?;
    while board.get(cell).is_empty() {
        cell = neighbour(board, cell, step)?;
    }
    Some(i32::from(board.get(cell).get()))
}

fn neighbour(board: &Board, cell: Cell, (down, right): (i8, i8)) -> Option<Cell> {
    let (row, col) = (
        cell.row.checked_add_signed(down)?,
        cell.col.checked_add_signed(right)?,
    );
    let size = board.size();
    (usize::from(row) < size.rows() && usize::from(col) < size.cols()).then(|| Cell::new(row, col))
}

const SIDES: [(i8, i8); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// The number of islands of this rank that touch a cell.
fn islands_beside(board: &Board, cell: Cell, rank: Rank) -> i32 {
    let size = board.size();
    let alike =
        |cell: Cell, seen: u32| board.get(cell) == rank && seen >> cell.index(size) & 1 == 0;
    let (mut islands, mut seen, mut waiting) = (0, 0_u32, Vec::new());
    for side in SIDES {
        waiting.extend(neighbour(board, cell, side).filter(|&next| alike(next, seen)));
        islands += i32::from(!waiting.is_empty());
        while let Some(cell) = waiting.pop() {
            seen |= 1 << cell.index(size);
            waiting.extend(
                SIDES
                    .into_iter()
                    .filter_map(|side| neighbour(board, cell, side))
                    .filter(|&next| alike(next, seen)),
            );
        }
    }
    islands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;
    use crate::game::{Seed, Size};

    /// The number of islands of the whole board, counted directly.
    fn islands(board: &Board) -> i32 {
        let mut left: Vec<Cell> = board
            .cells()
            .filter(|(_, rank)| !rank.is_empty())
            .map(|(cell, _)| cell)
            .collect();
        let mut islands = 0;
        while let Some(first) = left.pop() {
            islands += 1;
            let mut island = vec![first];
            while let Some(cell) = island.pop() {
                let touches = |other: &mut Cell| {
                    let apart = cell.row.abs_diff(other.row) + cell.col.abs_diff(other.col);
                    apart == 1 && board.get(*other) == board.get(cell)
                };
                island.extend(left.extract_if(.., touches));
            }
        }
        islands
    }

    #[test]
    fn harm_is_islands_less_smoothness_of_the_whole_board() {
        let whole = |board: &Board| {
            f64::from(islands(board)) - Evaluator::RankSmoothness.evaluate(board, 0)
        };
        let mut compared = 0;
        let sizes: Vec<Size> = Size::all().collect();
        for number in 0..3000 {
            let size = sizes[number % sizes.len()];
            let seed = Seed(91).game(number as u64);
            let kinds = 3 + number as u64 % 5;
            let rank =
                |number: u32| Rank::new((seed.place_draw(number) % kinds) as u8).expect("small");
            let board = size
                .iter()
                .zip(0..)
                .fold(Board::empty(size), |board, (cell, at)| {
                    board.with(cell, rank(at))
                });
            for cell in board.empty_cells() {
                for tile in [Rank::TWO, Rank::FOUR] {
                    let change = whole(&board.with(cell, tile)) - whole(&board);
                    assert_eq!(
                        f64::from(harm(&board, cell, tile)),
                        change,
                        "{tile:?} on {cell} of {board}"
                    );
                    compared += 1;
                }
            }
        }

        assert!(10_000 < compared);
    }
}

//! What each evaluator means, in the plainest form.

use super::{Evaluator, Lines, Weights};
use crate::game::{Board, Cell};

impl Evaluator {
    /// The value of `board` when `score` points have been made up to it.
    ///
    /// This is the definition; [`Compiled`](super::Compiled) is what plays. Weights beyond the board count nothing
    /// ([`Evaluator::check`] refuses them).
    pub fn evaluate(&self, board: &Board, score: u64) -> f64 {
        match self {
            Self::Score => score as f64,
            Self::Empty => f64::from(board.empty_count()),
            Self::Uniformity => uniformity(board),
            Self::Monotonicity => monotonicity(board),
            Self::Difference | Self::Smoothness => 0.0 - total(pairs(board).map(|(a, b)| a.abs_diff(b))),
            Self::MaxTile => max_tile(board),
            Self::Corner => corner(board),
            Self::Snake => snake(board),
            Self::Lines(lines) => of_lines(board, lines),
            Self::Inert => 0.0,
            Self::Weights(weights) => weighted(board, weights),
            Self::MonotoneSum => total(pairs(board).filter(|(a, b)| b <= a).map(|(a, _)| a)),
            Self::SmoothnessPrinted => smoothness_printed(board),
            Self::CornerBonus => corner_bonus(board),
            Self::Sum(terms) => terms.iter().map(|(weight, evaluator)| weight * evaluator.evaluate(board, score)).sum(),
            Self::Product(one, other) => one.evaluate(board, score) * other.evaluate(board, score),
        }
    }
}

/// The tiles row by row.
fn rows(board: &Board) -> Vec<Vec<u64>> {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    (0..rows).map(|row| (0..cols).map(|col| board.get(Cell::new(row as u8, col as u8)).tile()).collect()).collect()
}

/// The tiles column by column.
fn columns(board: &Board) -> Vec<Vec<u64>> {
    let rows = rows(board);
    (0..rows[0].len()).map(|col| rows.iter().map(|row| row[col]).collect()).collect()
}

/// Neighbours of each line, in its direction.
fn neighbours(lines: Vec<Vec<u64>>) -> impl Iterator<Item = (u64, u64)> {
    lines.into_iter().flat_map(|line| line.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>())
}

/// Every pair of neighbours, read left to right and top to bottom.
fn pairs(board: &Board) -> impl Iterator<Item = (u64, u64)> {
    neighbours(rows(board)).chain(neighbours(columns(board)))
}

fn total(numbers: impl Iterator<Item = u64>) -> f64 {
    numbers.sum::<u64>() as f64
}

fn uniformity(board: &Board) -> f64 {
    let mut tiles: Vec<u64> = board.cells().map(|(_, rank)| rank.tile()).filter(|&tile| tile != 0).collect();
    tiles.sort_unstable();
    tiles.chunk_by(|a, b| a == b).map(|same| (same.len() as f64).powi(3)).sum()
}

fn monotonicity(board: &Board) -> f64 {
    let in_order = |tiles: &Vec<Vec<u64>>| {
        let across = tiles.iter().map(|row| row.windows(2).filter(|pair| pair[1] <= pair[0]).count());
        let along = tiles.windows(2).map(|two| two[0].iter().zip(&two[1]).filter(|(a, b)| b <= a).count());
        across.sum::<usize>() + along.sum::<usize>()
    };
    rotations(rows(board)).iter().map(in_order).max().unwrap_or(0) as f64
}

/// The board and its three further quarter turns.
fn rotations(tiles: Vec<Vec<u64>>) -> [Vec<Vec<u64>>; 4] {
    let turned = |tiles: &Vec<Vec<u64>>| -> Vec<Vec<u64>> {
        (0..tiles[0].len()).map(|col| tiles.iter().rev().map(|row| row[col]).collect()).collect()
    };
    let quarter = turned(&tiles);
    let half = turned(&quarter);
    let three_quarters = turned(&half);
    [tiles, quarter, half, three_quarters]
}

fn max_tile(board: &Board) -> f64 {
    board.cells().map(|(_, rank)| rank.tile()).max().unwrap_or(0) as f64
}

fn corner(board: &Board) -> f64 {
    let value = |tiles: &Vec<Vec<u64>>| -> i64 {
        let (rows, cols) = (tiles.len(), tiles[0].len());
        let mut sum = 0;
        for (row, tiles) in tiles.iter().enumerate() {
            for (col, &tile) in tiles.iter().enumerate() {
                let to_the_head = row + (cols - 1 - col);
                let to_the_foot = (rows - 1 - row) + col;
                let weight = match to_the_head.abs_diff(to_the_foot).div_ceil(2) {
                    0 => 0,
                    steps => 1 << (steps - 1),
                };
                sum += if to_the_head < to_the_foot { weight * tile as i64 } else { -weight * tile as i64 };
            }
        }
        sum
    };
    rotations(rows(board)).iter().map(value).max().unwrap_or(0) as f64
}

fn snake(board: &Board) -> f64 {
    let value = |tiles: &Vec<Vec<u64>>| -> u64 {
        let mut path: Vec<u64> = Vec::new();
        for (row, tiles) in tiles.iter().enumerate() {
            if row % 2 == 0 {
                path.extend(tiles);
            } else {
                path.extend(tiles.iter().rev());
            }
        }
        path.iter().rev().enumerate().map(|(k, tile)| tile << k).sum()
    };
    let symmetries = [rotations(rows(board)), rotations(columns(board))].concat();
    let largest = symmetries.iter().map(value).max().unwrap_or(0);
    largest as f64 / f64::from(1 << (board.size().cells() - 3))
}

fn of_lines(board: &Board, lines: &Lines) -> f64 {
    let sides = [rows(board), columns(board)];
    let [rows, columns] = sides.map(|side| outside_in(side.iter().map(|line| of_line(line, lines))));
    rows + columns
}

fn of_line(tiles: &[u64], lines: &Lines) -> f64 {
    let empty = tiles.iter().filter(|&&tile| tile == 0).count() as f64;
    let filled: Vec<u64> = tiles.iter().copied().filter(|&tile| tile != 0).collect();
    let runs = filled.chunk_by(|a, b| a == b).map(<[u64]>::len);
    let merges = runs.filter(|&len| 2 <= len).sum::<usize>() as f64;
    let power = |tile: u64, power: f64| if tile == 0 { 0.0 } else { f64::from(tile.ilog2()).powf(power) };
    let step = |a: u64, b: u64| power(a, lines.monotonicity_power) - power(b, lines.monotonicity_power);
    let falls = outside_in(tiles.windows(2).map(|two| if two[1] < two[0] { step(two[0], two[1]) } else { 0.0 }));
    let rises = outside_in(tiles.windows(2).map(|two| if two[0] < two[1] { step(two[1], two[0]) } else { 0.0 }));
    let sum = outside_in(tiles.iter().map(|&tile| power(tile, lines.sum_power)));
    lines.fixed + lines.empty * empty + lines.merges * merges - lines.monotonicity * falls.min(rises) - lines.sum * sum
}

/// Numbers added up from both ends, the last to the first, the last but one to the second.
///
/// Floats round at every addition. In this order a line read backwards and a board turned or mirrored have the same value
/// to the last bit, so that moves that are images of each other tie.
pub(super) fn outside_in(numbers: impl DoubleEndedIterator<Item = f64>) -> f64 {
    let (mut numbers, mut sum) = (numbers, 0.0);
    while let Some(first) = numbers.next() {
        sum += match numbers.next_back() {
            Some(last) => first + last,
            None => first,
        };
    }
    sum
}

fn weighted(board: &Board, weights: &Weights) -> f64 {
    let of_row = |row: &Vec<u64>, weights: &[f64]| {
        outside_in(row.iter().zip(weights).map(|(&tile, weight)| weight * tile as f64))
    };
    let rows = rows(board);
    // Every row has its weights, or a matrix of another size would pair the wrong ends.
    let weights = |row: usize| weights.values().chunks(rows[0].len()).nth(row).unwrap_or(&[]);
    outside_in((0..rows.len()).map(|row| of_row(&rows[row], weights(row))))
}

fn smoothness_printed(board: &Board) -> f64 {
    let across = total(neighbours(rows(board)).map(|(a, b)| (a + 1).abs_diff(b)));
    let along = total(neighbours(columns(board)).map(|(a, b)| a.abs_diff(b)));
    0.0 - across - along
}

fn corner_bonus(board: &Board) -> f64 {
    let (rows, columns) = (board.size().rows() as u8, board.size().cols() as u8);
    let corners = [(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)];
    let largest = max_tile(board);
    let holds_it = corners.iter().any(|&(row, col)| board.get(Cell::new(row, col)).tile() as f64 == largest);
    if holds_it { largest } else { -largest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;

    fn evaluator(text: &str) -> Evaluator {
        text.parse().expect(text)
    }

    #[test]
    fn counts_and_largest_tiles_are_as_drawn() {
        let board = board! {
            2 . . 4
            . 8 . .
            . . . .
            . . 16 2
        };
        assert_eq!(Evaluator::Empty.evaluate(&board, 0), 11.0);
        let board = board! {
            2 2 2 4
            . . . .
            . . 4 .
            . . . 8
        };
        assert_eq!(Evaluator::Uniformity.evaluate(&board, 0), 27.0 + 8.0 + 1.0);
        let board = board! {
            8 4 2 .
            4 2 . .
            2 . . .
            . . . .
        };
        assert_eq!(Evaluator::Monotonicity.evaluate(&board, 0), 24.0);
        let board = board! {
            2 . . .
            . 64 . .
            . . 64 .
            . . . 8
        };
        assert_eq!(Evaluator::MaxTile.evaluate(&board, 0), 64.0);
        let in_a_corner = board! {
            2 . . 64
            . . . .
            . 64 . .
            . . . .
        };
        assert_eq!(Evaluator::CornerBonus.evaluate(&in_a_corner, 0), 64.0);
        let elsewhere = board! {
            2 . 64 .
            . . . .
            . . . .
            . . . .
        };
        assert_eq!(Evaluator::CornerBonus.evaluate(&elsewhere, 0), -64.0);
    }

    #[test]
    fn weights_of_cells_are_as_drawn() {
        let board = board! {
            . . 4 8
            . . . 2
            2 . . .
            . . . .
        };
        let value = 2.0 * 4.0 + 4.0 * 8.0 + 2.0 * 2.0 - 2.0 * 2.0;
        assert_eq!(Evaluator::Corner.evaluate(&board, 0), value);
        let board = board! {
            16 8 4 2
            . . . 2
            . . . .
            . . . .
        };
        let value = 4.0 * 16.0 + 2.0 * 8.0 + 4.0 + 0.5 * 2.0 + 0.25 * 2.0;
        assert_eq!(Evaluator::Snake.evaluate(&board, 0), value);
        let board = board! {
            2 . . .
            . . . .
            . . . .
            . . . 4
        };
        assert_eq!(Evaluator::Weights(Weights::A).evaluate(&board, 0), 6.0 * 2.0 + 0.0 * 4.0);
        let board = board! {
            8 4 . .
            2 8 . .
            . . . .
            . . . .
        };
        let (across, along) = (8.0 + 4.0 + 8.0, 8.0 + 2.0 + 8.0);
        assert_eq!(Evaluator::MonotoneSum.evaluate(&board, 0), across + along);
    }

    #[test]
    fn steps_between_neighbours_are_as_drawn() {
        let board = board! {
            2 4 . .
            . 2 . .
            . . . .
            . . . .
        };
        let (across, along) = (2.0 + 4.0 + 2.0 + 2.0, 2.0 + 2.0 + 2.0);
        assert_eq!(Evaluator::Difference.evaluate(&board, 0), -(across + along));
        let board = board! {
            8 8 4 4
            . . . .
            . . . .
            . . . .
        };
        assert_eq!(Evaluator::Smoothness.evaluate(&board, 0), -(4.0 + 8.0 + 8.0 + 4.0 + 4.0));
        let board = board! {
            2 4 . .
            . 2 . .
            . . . .
            . . . .
        };
        let across = (1.0 + 5.0 + 1.0) + (1.0 + 3.0 + 1.0) + 3.0 + 3.0;
        let along = 2.0 + 2.0 + 2.0;
        assert_eq!(Evaluator::SmoothnessPrinted.evaluate(&board, 0), -(across + along));
    }

    #[test]
    fn lines_are_as_drawn() {
        let lines = evaluator("Lines()");
        let board = board! {
            2 2 . .
            . . . .
            . . . .
            . . . .
        };
        let first_row = 200_000.0 + 270.0 * 2.0 + 700.0 * 2.0 - 11.0 * 2.0;
        let each_column_of_a_2 = 200_000.0 + 270.0 * 3.0 - 11.0;
        let each_empty_line = 200_000.0 + 270.0 * 4.0;
        assert_eq!(lines.evaluate(&board, 0), first_row + 2.0 * each_column_of_a_2 + 5.0 * each_empty_line);
        // Of the ranks 2, 1, 3 and 0 the first row falls by 2⁴ − 1⁴ and 3⁴ and rises by 3⁴ − 1⁴.
        let order = evaluator("Lines(fixed: 0, empty: 0, merges: 0, sum: 0)");
        let board = board! {
            4 2 8 .
            . . . .
            . . . .
            . . . .
        };
        assert_eq!(order.evaluate(&board, 0), -47.0 * 80.0);
    }

    #[test]
    fn sums_and_products_are_as_drawn() {
        let mixed = evaluator("Sum([(1.0, Score), (50.0, Empty)])");
        let board = board! {
            2 2 2 2
            . . . .
            4 4 4 4
            . . . .
        };
        assert_eq!(mixed.evaluate(&board, 100), 100.0 + 50.0 * 8.0);
        let product = evaluator("Product(Score, Weights(\"a\"))");
        let board = board! {
            2 . . .
            . . . .
            . . . .
            . . . 4
        };
        assert_eq!(product.evaluate(&board, 100), 100.0 * 12.0);
    }
}

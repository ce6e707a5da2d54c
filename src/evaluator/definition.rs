//! The definitions of evaluators that are more than a sum over lines, for boards of any size and with any tiles.

use crate::game::{Cell, Grid, Position as _, Rank};
use crate::math;

/// −0 on an empty board: the sum of no numbers.
pub(super) fn uniformity(board: &Grid) -> f64 {
    let mut counts = [0_u32; Rank::MAX.get() as usize + 1];
    for rank in board.ranks() {
        counts[usize::from(rank.get())] += 1;
    }
    counts[1..]
        .iter()
        .filter(|&&count| count != 0)
        .map(|&count| math::powi(f64::from(count), 3))
        .sum()
}

/// Each of the four turns pairs a reading of the rows with one of the columns.
pub(super) fn ordered_pairs(board: &Grid) -> u32 {
    let (cols, ranks) = (board.size().cols(), board.ranks());
    let (mut across, mut along) = ([0_u32; 2], [0_u32; 2]);
    for (index, &rank) in ranks.iter().enumerate() {
        if (index + 1) % cols != 0 {
            across[0] += u32::from(ranks[index + 1] <= rank);
            across[1] += u32::from(rank <= ranks[index + 1]);
        }
        if let Some(&below) = ranks.get(index + cols) {
            along[0] += u32::from(below <= rank);
            along[1] += u32::from(rank <= below);
        }
    }
    across[0].max(across[1]) + along[0].max(along[1])
}

pub(super) fn max_tile(board: &Grid) -> i64 {
    board.max_rank().tile() as i64
}

/// For each axis the smaller of all falls and all rises of ranks. Empty cells are skipped, except at the ends.
pub(super) fn rank_monotonicity(board: &Grid) -> f64 {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    let rank = |row: usize, col: usize| board.ranks()[row * cols + col].get();
    let axis = |lines: usize, len: usize, rank: &dyn Fn(usize, usize) -> u8| {
        let (falls, rises) = (0..lines).fold((0, 0), |(falls, rises), line| {
            let (fall, rise) = falls_and_rises((0..len).map(|at| rank(line, at)), len);
            (falls + fall, rises + rise)
        });
        falls.min(rises)
    };
    0.0 - f64::from(axis(rows, cols, &rank) + axis(cols, rows, &|col, row| rank(row, col)))
}

/// The number of tiles in runs of at least two equal ones, across empty cells.
pub(super) fn merges(ranks: impl Iterator<Item = Rank>) -> u32 {
    let (mut merges, mut run, mut before) = (0, 0, Rank::EMPTY);
    for rank in ranks.filter(|rank| !rank.is_empty()) {
        run = if rank == before { run + 1 } else { 1 };
        // The second tile of a run also counts the first.
        merges += match run {
            1 => 0,
            2 => 2,
            _ => 1,
        };
        before = rank;
    }
    merges
}

/// How far the ranks of a line of `len` cells fall and rise. Empty cells are skipped, except at its ends.
pub(super) fn falls_and_rises(ranks: impl Iterator<Item = u8>, len: usize) -> (u32, u32) {
    let (mut falls, mut rises, mut before) = (0, 0, None);
    for (at, rank) in ranks.enumerate() {
        if rank == 0 && at != 0 && at + 1 != len {
            continue;
        }
        if let Some(before) = before {
            falls += u32::from(rank.abs_diff(before)) * u32::from(rank < before);
            rises += u32::from(rank.abs_diff(before)) * u32::from(before < rank);
        }
        before = Some(rank);
    }
    (falls, rises)
}

/// A full board counts as half a cell.
pub(super) fn log_empty(empty: u32) -> f64 {
    if empty == 0 {
        -std::f64::consts::LN_2
    } else {
        math::ln_of(empty)
    }
}

/// The largest tile, negated if no corner has it.
pub(super) fn corner_bonus(board: &Grid) -> i64 {
    let (bottom, right) = (board.size().rows() as u8 - 1, board.size().cols() as u8 - 1);
    let corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
    let largest = max_tile(board);
    let holds_it = corners
        .into_iter()
        .any(|(row, col)| board.get(Cell::new(row, col)).tile() as i64 == largest);
    if holds_it { largest } else { -largest }
}

pub(super) fn corner(board: &Grid) -> i64 {
    let (rows, cols) = (board.size().rows() as i64, board.size().cols() as i64);
    // With the head in the upper right corner, and in the upper left one.
    let (mut right, mut left) = (0, 0);
    for (index, rank) in board.ranks().iter().enumerate() {
        let (row, col) = (index as i64 / cols, index as i64 % cols);
        // Steps to the opposite corner minus steps to the head.
        let below = rows - 1 - 2 * row;
        let beside = cols - 1 - 2 * col;
        right += corner_weight(below - beside) * rank.tile() as i64;
        left += corner_weight(below + beside) * rank.tile() as i64;
    }
    right.abs().max(left.abs())
}

/// The weight of a cell that is `nearer` steps closer to the head than to the opposite corner.
fn corner_weight(nearer: i64) -> i64 {
    match (nearer.abs() + 1) / 2 {
        0 => 0,
        steps => nearer.signum() << (steps - 1),
    }
}

pub(super) fn snake(board: &Grid) -> f64 {
    let (rows, cols) = (board.size().rows(), board.size().cols());
    let tile = |row: usize, col: usize| board.ranks()[row * cols + col].tile();
    // Along the path from its head to its end, doubled at every step.
    let path = |lines: usize, len: usize, is_turned: bool, from_below: bool, backwards: bool| {
        let mut sum = 0;
        for line in 0..lines {
            for step in 0..len {
                let at = if (line % 2 == 1) == backwards {
                    step
                } else {
                    len - 1 - step
                };
                let line = if from_below { lines - 1 - line } else { line };
                sum = 2 * sum
                    + if is_turned {
                        tile(at, line)
                    } else {
                        tile(line, at)
                    };
            }
        }
        sum
    };
    let mut largest = 0;
    for (from_below, backwards) in [(false, false), (false, true), (true, false), (true, true)] {
        largest = largest.max(path(rows, cols, false, from_below, backwards));
        largest = largest.max(path(cols, rows, true, from_below, backwards));
    }

    largest as f64 / (1_u64 << (rows * cols - 3)) as f64
}

/// Adds numbers from both ends: the last to the first, the second last to the second.
///
/// Floats round at every addition. In this order a reversed line and every image of a board have the same value to the
/// last bit, so that moves that are images of each other tie.
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

#[cfg(test)]
mod tests {
    use crate::board;
    use crate::evaluator::{Evaluator, Weights};

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

        assert_eq!(Evaluator::Edges.evaluate(&board, 0), 4.0 + 8.0 + 2.0 + 2.0);
        let board = board! {
            64 2 . .
            . 8 16 4
            . . . 32
            . 2 . .
        };
        assert_eq!(
            Evaluator::Edges.evaluate(&board, 0),
            64.0 + 2.0 + 4.0 + 32.0 + 2.0
        );

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
        assert_eq!(
            Evaluator::Weights(Weights::A).evaluate(&board, 0),
            6.0 * 2.0 + 0.0 * 4.0
        );
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
        assert_eq!(
            Evaluator::DifferenceOfTiles.evaluate(&board, 0),
            -(2.0 + 2.0)
        );

        let board = board! {
            8 8 4 4
            . . . .
            . . . .
            . . . .
        };
        assert_eq!(
            Evaluator::Smoothness.evaluate(&board, 0),
            -(4.0 + 8.0 + 8.0 + 4.0 + 4.0)
        );

        let board = board! {
            2 4 . .
            . 2 . .
            . . . .
            . . . .
        };
        let across = (1.0 + 5.0 + 1.0) + (1.0 + 3.0 + 1.0) + 3.0 + 3.0;
        let along = 2.0 + 2.0 + 2.0;
        assert_eq!(
            Evaluator::SmoothnessPrinted.evaluate(&board, 0),
            -(across + along)
        );
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
        assert_eq!(
            lines.evaluate(&board, 0),
            first_row + 2.0 * each_column_of_a_2 + 5.0 * each_empty_line
        );

        // With the ranks 2, 1, 3 and 0 the first row falls by 2⁴ − 1⁴ and 3⁴ and rises by 3⁴ − 1⁴.
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

//! Values of boards by their lines, and of the boards after a last spawn.
//!
//! A new tile changes one row and one column. If the value of a board follows from sums over both, the sums of the
//! other lines are computed once for all new tiles.

use std::ops::Add;

use crate::evaluator::{CornerTable, LineTables, SnakePaths, SnakeTable};
use crate::game::{Crossed, Rank};

/// Values of rows and of columns by index, and the value of a board from both sums.
pub(super) trait LineValues: Copy {
    type Sum: Copy + Add<Output = Self::Sum>;

    fn row(self, index: u32, row: u16) -> Self::Sum;
    fn column(self, index: u32, column: u16) -> Self::Sum;
    /// The value of a board with these sums and this score.
    fn value(self, rows: Self::Sum, columns: Self::Sum, score: u64) -> f64;
}

/// Each line has its own table.
impl LineValues for &LineTables {
    type Sum = f64;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> f64 {
        LineTables::row(self, index as usize & 3)[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> f64 {
        LineTables::column(self, index as usize & 3)[usize::from(column)]
    }

    #[inline(always)]
    fn value(self, rows: f64, columns: f64, _score: u64) -> f64 {
        rows + columns
    }
}

/// All lines share one table.
impl LineValues for &[f64; 1 << 16] {
    type Sum = f64;

    #[inline(always)]
    fn row(self, _index: u32, row: u16) -> f64 {
        self[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, _index: u32, column: u16) -> f64 {
        self[usize::from(column)]
    }

    #[inline(always)]
    fn value(self, rows: f64, columns: f64, _score: u64) -> f64 {
        rows + columns
    }
}

/// Only the rows count.
#[derive(Clone, Copy)]
pub(super) struct RowsAlone<'a>(pub(super) &'a LineTables);

impl LineValues for RowsAlone<'_> {
    type Sum = f64;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> f64 {
        self.0.row(index as usize & 3)[usize::from(row)]
    }

    #[inline(always)]
    fn column(self, _index: u32, _column: u16) -> f64 {
        0.0
    }

    #[inline(always)]
    fn value(self, rows: f64, _columns: f64, _score: u64) -> f64 {
        rows
    }
}

/// Two integers that are added in parallel.
#[derive(Clone, Copy)]
pub(super) struct Two<T>([T; 2]);

impl<T: Copy + Add<Output = T>> Add for Two<T> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self([self.0[0] + other.0[0], self.0[1] + other.0[1]])
    }
}

impl LineValues for &SnakeTable {
    type Sum = Two<u64>;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> Two<u64> {
        Two(self.line(index, row))
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> Two<u64> {
        Two(self.line(index, column))
    }

    #[inline(always)]
    fn value(self, rows: Two<u64>, columns: Two<u64>, _score: u64) -> f64 {
        SnakePaths::of_lines(rows.0, columns.0).value()
    }
}

impl LineValues for &CornerTable {
    type Sum = Two<i64>;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> Two<i64> {
        Two(CornerTable::row(self, index, row))
    }

    #[inline(always)]
    fn column(self, _index: u32, _column: u16) -> Two<i64> {
        Two([0; 2])
    }

    #[inline(always)]
    fn value(self, rows: Two<i64>, _columns: Two<i64>, _score: u64) -> f64 {
        CornerTable::value(rows.0) as f64
    }
}

/// Lines and the score, weighted.
#[derive(Clone, Copy)]
pub(super) struct Weighted<L> {
    pub(super) lines: L,
    /// The weights of the lines and of the score.
    pub(super) weights: [f64; 2],
}

impl<L: LineValues> LineValues for Weighted<L> {
    type Sum = L::Sum;

    #[inline(always)]
    fn row(self, index: u32, row: u16) -> L::Sum {
        self.lines.row(index, row)
    }

    #[inline(always)]
    fn column(self, index: u32, column: u16) -> L::Sum {
        self.lines.column(index, column)
    }

    #[inline(always)]
    fn value(self, rows: L::Sum, columns: L::Sum, score: u64) -> f64 {
        self.weights[0] * self.lines.value(rows, columns, score) + self.weights[1] * score as f64
    }
}

/// Evaluates the boards after a spawn.
pub(super) struct LastSpawn<L: LineValues> {
    lines: L,
    after: Crossed,
    score: u64,
    /// For each row the sum of the other rows, and for each column that of the other columns.
    other_rows: [L::Sum; 4],
    other_columns: [L::Sum; 4],
}

impl<L: LineValues> LastSpawn<L> {
    #[inline(always)]
    pub(super) fn new(after: Crossed, score: u64, lines: L) -> Self {
        Self {
            lines,
            after,
            score,
            other_rows: all_but_one(
                [0, 1, 2, 3].map(|index| lines.row(index, after.packed().row(index))),
            ),
            other_columns: all_but_one(
                [0, 1, 2, 3].map(|index| lines.column(index, after.transposed().row(index))),
            ),
        }
    }

    /// The value of the board with a new tile on an empty cell.
    #[inline(always)]
    pub(super) fn value(&self, cell: u32, rank: Rank) -> f64 {
        let (row, column) = (cell >> 2 & 3, cell & 3);
        let of_row = self.after.packed().row(row) | u16::from(rank.get()) << (4 * column);
        let of_column = self.after.transposed().row(column) | u16::from(rank.get()) << (4 * row);
        let rows = self.other_rows[row as usize] + self.lines.row(row, of_row);
        let columns = self.other_columns[column as usize] + self.lines.column(column, of_column);
        self.lines.value(rows, columns, self.score)
    }
}

/// The larger of two numbers. `f64::max` would also check for NaN.
#[inline(always)]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// For each of the four, the sum of the others.
#[inline(always)]
pub(super) fn all_but_one<S: Copy + Add<Output = S>>([a, b, c, d]: [S; 4]) -> [S; 4] {
    let (first, last) = (a + b, c + d);
    [b + last, a + last, first + d, first + c]
}

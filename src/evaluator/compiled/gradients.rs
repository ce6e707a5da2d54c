//! Corner and Snake: the largest of several orientations of one gradient.

use std::sync::LazyLock;

use super::RowTable;
use crate::game::{Crossed, Packed, Rank, Row};

/// Four readings of the folded path at once.
///
/// A row read forwards is 8a + 4b + 2c + d and backwards a + 2b + 4c + 8d. The path from the upper left corner is 2¹² ·
/// (row 0 forwards) + 2⁸ · (row 1 backwards) + 2⁴ · (row 2 forwards) + (row 3 backwards); other paths read rows the
/// other way or from below. Tiles up to 2¹⁵ add up to less than 2³¹, so two readings share a word.
#[derive(Debug)]
pub struct SnakeTable(RowTable<u64>);

pub(super) static SNAKE: LazyLock<SnakeTable> = LazyLock::new(|| {
    let reading = |tiles: [u64; 4]| 8 * tiles[0] + 4 * tiles[1] + 2 * tiles[2] + tiles[3];
    SnakeTable(RowTable::new(|row| {
        let tiles = tiles(row);
        let [a, b, c, d] = tiles;
        reading(tiles) | reading([d, c, b, a]) << 32
    }))
});

/// The divisor of the sum along the path of a 4×4 board.
const SNAKE_UNIT: f64 = 8192.0;

impl SnakeTable {
    /// The largest over the eight symmetries, for a board or its transposition, whichever is available.
    #[inline(always)]
    pub(super) fn of_board(&self, board: Packed) -> f64 {
        self.of_both(board, board.transposed()).value()
    }

    /// The contribution of a row or a column, by index, to the paths that begin above or on the left and to their
    /// mirror images, and to those from the other side.
    #[inline(always)]
    pub fn line(&self, index: u32, line: u16) -> [u64; 2] {
        // Every other row is read against the direction in which the path begins.
        let reading = self.0[line].rotate_left(32 * (index & 1));
        [
            reading << (12 - 4 * (index & 3)),
            reading << (4 * (index & 3)),
        ]
    }

    /// The sums along all paths, for boards that differ from this one by a tile.
    #[inline(always)]
    pub fn paths(&self, board: Crossed) -> SnakePaths {
        self.of_both(board.packed(), board.transposed())
    }

    #[inline(always)]
    fn of_both(&self, rows: Packed, columns: Packed) -> SnakePaths {
        let ([a, b], [c, d]) = (self.of_rows(rows), self.of_rows(columns));
        SnakePaths([a, b, c, d])
    }

    /// The two paths from above and the two from below, each from the left and from the right.
    #[inline(always)]
    fn of_rows(&self, board: Packed) -> [u64; 2] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| self.0[board.row(index)]);
        // Every other row is read against the direction in which the path begins.
        let (b, d) = (b.rotate_left(32), d.rotate_left(32));
        [
            (a << 12) + (b << 8) + (c << 4) + d,
            (d << 12) + (c << 8) + (b << 4) + a,
        ]
    }
}

/// The sums along the eight paths of a board.
///
/// A new tile adds its value to each path. A search that evaluates every spawn computes the paths of a board once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SnakePaths([u64; 4]);

impl SnakePaths {
    /// From the contributions of the rows and of the columns.
    #[inline(always)]
    pub fn of_lines([a, b]: [u64; 2], [c, d]: [u64; 2]) -> Self {
        Self([a, b, c, d])
    }

    /// With a tile on an empty cell, counted from 0 in reading order. All tiles must be at most 32768.
    #[inline(always)]
    #[must_use]
    pub fn with_tile(self, cell: usize, rank: Rank) -> Self {
        let [a, b, c, d] = STEPS[cell & 15].map(|steps| steps << rank.get());
        let [e, f, g, h] = self.0;
        Self([a + e, b + f, c + g, d + h])
    }

    /// The value of the board: that of the best path.
    #[inline(always)]
    pub fn value(self) -> f64 {
        let [a, b, c, d] = self.0;
        // The largest word has the largest upper half.
        let upper = a.max(b).max(c.max(d)) >> 32;
        let lower = (a as u32).max(b as u32).max((c as u32).max(d as u32));
        f64::from(lower.max(upper as u32)) / SNAKE_UNIT
    }
}

/// The weight of a cell in each path, in the layout of [`SnakePaths`].
const STEPS: [[u64; 4]; 16] = {
    let mut steps = [[0; 4]; 16];
    let mut cell = 0;
    while cell < 16 {
        let (row, col) = (cell / 4, cell % 4);
        steps[cell] = [
            step(row, col),
            step(3 - row, 3 - col),
            step(col, row),
            step(3 - col, 3 - row),
        ];
        cell += 1;
    }
    steps
};

/// 2ᵏ on the path from the upper left corner in the lower half, and on its mirror image in the upper half.
const fn step(row: usize, col: usize) -> u64 {
    let (forwards, backwards) = (1 << (3 - col), 1 << col);
    let (lower, upper) = if row & 1 == 0 {
        (forwards, backwards)
    } else {
        (backwards, forwards)
    };
    (lower | upper << 32) << (4 * (3 - row))
}

/// All four orientations of the corner gradient at once.
///
/// Let X be the sum with the weights as given and Y with the rows read backwards; those of the board upside down are −X
/// and −Y, and the largest is max(|X|, |Y|) = (|X + Y| + |X − Y|) / 2. The weights of X + Y are `4 3 3 4 / 1 1 1 1`
/// above and their negative below; those of X − Y are `-4 -1 1 4 / -3 -1 1 3` above and the same below.
#[derive(Debug)]
pub struct CornerTable {
    /// For the first and the last row: X − Y in the upper half, X + Y, which is never negative there, in the lower
    /// half.
    outer: RowTable<i64>,
    /// For the two rows in between.
    inner: RowTable<i64>,
}

pub(super) static CORNER: LazyLock<CornerTable> = LazyLock::new(|| {
    let weighted = |weights: [i64; 4], row: u16| -> i64 {
        weights
            .into_iter()
            .zip(tiles(row))
            .map(|(weight, tile)| weight * tile as i64)
            .sum()
    };
    CornerTable {
        outer: RowTable::new(|row| {
            (weighted([-4, -1, 1, 4], row) << 32) + weighted([4, 3, 3, 4], row)
        }),
        inner: RowTable::new(|row| {
            (weighted([-3, -1, 1, 3], row) << 32) + weighted([1, 1, 1, 1], row)
        }),
    }
});

impl CornerTable {
    /// The largest over the four rotations, for a board or its transposition, whichever is available.
    #[inline(always)]
    pub(super) fn of_board(&self, board: Packed) -> i64 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| board.row(index));
        Self::value([self.outer[a] + self.inner[b], self.outer[d] + self.inner[c]])
    }

    /// The contribution of a row, by index, to the upper and to the lower half of a board.
    #[inline(always)]
    pub fn row(&self, index: u32, row: u16) -> [i64; 2] {
        match index & 3 {
            0 => [self.outer[row], 0],
            1 => [self.inner[row], 0],
            2 => [0, self.inner[row]],
            _ => [0, self.outer[row]],
        }
    }

    /// The largest over the four rotations, from the contributions of the rows to both halves.
    #[inline(always)]
    pub fn value([above, below]: [i64; 2]) -> i64 {
        let sum = i64::from(above as u32) - i64::from(below as u32);
        let difference = (above >> 32) + (below >> 32);
        (sum.abs() + difference.abs()) / 2
    }
}

fn tiles(row: u16) -> [u64; 4] {
    Row(row)
        .ranks()
        .map(|rank| if rank == 0 { 0 } else { 1 << rank })
}

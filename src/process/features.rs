//! The features of a board that make up a state of the process.
//!
//! Of the rows and columns, counted from 1, the first and third should fall and the second and fourth rise, as along a
//! snake. This gives eight flags, read from left to right and from top to bottom; equal neighbors are allowed and empty
//! cells count as 0. The number of empty cells is counted up to 14. The number of possible merges is that of the slide
//! that merges most, along the rows or the columns, at most 8. The last is our reading: the text allows each row or
//! column "at most [two] merges" and counts up to 8.

use std::sync::LazyLock;

use crate::game::{Board, Grid, Packed, Rank, Row, Size};

/// With eight flags: 15 counts of empty cells and 9 of merges.
const MOST_EMPTY: u8 = 14;
const MOST_MERGES: u8 = 8;

/// The features of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Features {
    /// Bit `i` for row `i`, bit `4 + i` for column `i`, from 0.
    pub monotone: u8,
    /// 0 to 14.
    pub empty: u8,
    /// 0 to 8.
    pub merges: u8,
}

/// Features as a number below [`State::COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(u16);

impl State {
    pub const COUNT: usize = 256 * (MOST_EMPTY as usize + 1) * (MOST_MERGES as usize + 1);

    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index)
            .ok()
            .filter(|&index| usize::from(index) < Self::COUNT)
            .map(Self)
    }

    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16).map(Self)
    }

    pub fn of(features: Features) -> Self {
        let empty = u16::from(features.empty.min(MOST_EMPTY));
        let merges = u16::from(features.merges.min(MOST_MERGES));
        let counts = u16::from(MOST_EMPTY) + 1;
        Self(
            (u16::from(features.monotone) * counts + empty) * (u16::from(MOST_MERGES) + 1) + merges,
        )
    }

    pub fn features(self) -> Features {
        let (rest, merges) = (
            self.0 / (u16::from(MOST_MERGES) + 1),
            self.0 % (u16::from(MOST_MERGES) + 1),
        );
        let (monotone, empty) = (
            rest / (u16::from(MOST_EMPTY) + 1),
            rest % (u16::from(MOST_EMPTY) + 1),
        );
        Features {
            monotone: monotone as u8,
            empty: empty as u8,
            merges: merges as u8,
        }
    }

    /// The state of a 4×4 board, given by its rows and by its columns.
    pub fn of_packed(rows: Packed, columns: Packed) -> Self {
        let lines =
            |packed: Packed| [0, 1, 2, 3].map(|index| LINES[usize::from(packed.row(index))]);
        let (rows_of, columns_of) = (lines(rows), lines(columns));
        Self::of_lines(rows_of, columns_of, rows.empty_count() as u8)
    }

    /// The state of a 4×4 board with any tiles.
    pub fn of_grid(grid: &Grid) -> Self {
        let ranks = grid.ranks();
        let rank = |row: usize, column: usize| {
            ranks
                .get(4 * row + column)
                .copied()
                .unwrap_or(Rank::EMPTY)
                .get()
        };
        let rows =
            [0, 1, 2, 3].map(|row| LineFacts::of([0, 1, 2, 3].map(|column| rank(row, column))));
        let columns =
            [0, 1, 2, 3].map(|column| LineFacts::of([0, 1, 2, 3].map(|row| rank(row, column))));
        let empty = ranks.iter().filter(|rank| rank.is_empty()).count();
        Self::of_lines(rows, columns, empty as u8)
    }

    /// The state of a 4×4 board; `None` for other sizes.
    pub fn of_board(board: &Board) -> Option<Self> {
        match board.as_packed() {
            Some(packed) => Some(Self::of_packed(packed, packed.transposed())),
            None => (board.size() == Size::FOUR).then(|| Self::of_grid(&board.to_grid())),
        }
    }

    fn of_lines(rows: [LineFacts; 4], columns: [LineFacts; 4], empty: u8) -> Self {
        let flags = |lines: [LineFacts; 4]| {
            let [a, b, c, d] = lines;
            u8::from(a.falls())
                | u8::from(b.rises()) << 1
                | u8::from(c.falls()) << 2
                | u8::from(d.rises()) << 3
        };
        let merges = |lines: [LineFacts; 4]| lines.iter().map(|line| line.merges()).sum::<u8>();
        let monotone = flags(rows) | flags(columns) << 4;
        Self::of(Features {
            monotone,
            empty,
            merges: merges(rows).max(merges(columns)),
        })
    }
}

/// A row or a column: bit 0 says that it falls, bit 1 that it rises; the bits from 2 on count its merges.
#[derive(Clone, Copy, Debug)]
struct LineFacts(u8);

static LINES: LazyLock<Box<[LineFacts]>> = LazyLock::new(|| {
    (0..=u16::MAX)
        .map(|row| LineFacts::of(Row(row).ranks()))
        .collect()
});

impl LineFacts {
    fn of(ranks: [u8; 4]) -> Self {
        let (falls, rises) = (ranks.is_sorted_by(|a, b| a >= b), ranks.is_sorted());
        let mut waiting = 0;
        let mut merges = 0;
        for rank in ranks.into_iter().filter(|&rank| rank != 0) {
            let merge = rank == waiting;
            merges += u8::from(merge);
            waiting = if merge { 0 } else { rank };
        }
        Self(u8::from(falls) | u8::from(rises) << 1 | merges << 2)
    }

    const fn falls(self) -> bool {
        self.0 & 1 != 0
    }

    const fn rises(self) -> bool {
        self.0 & 2 != 0
    }

    const fn merges(self) -> u8 {
        self.0 >> 2
    }
}

//! The fast board: sixteen 4-bit ranks in a `u64`.
//!
//! Cell (row, column) is nibble `4·row + column` from the low end, so rows are 16-bit slices and reading order is
//! bit order. Slides look four rows up; vertical slides do so on the transposed board.

use super::{Board, ByMove, Cell, Grid, Moves, Position, Rank, RowSlide, Rows, Size, Slides};

/// A 4×4 board of tiles up to 32768.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Packed(u64);

const LOW: u64 = 0x1111_1111_1111_1111;

impl Packed {
    /// The board without tiles.
    pub const EMPTY: Self = Self(0);

    /// The board with these nibbles, cell (0, 0) lowest.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The nibbles, cell (0, 0) lowest.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Row `index` from the top.
    #[inline(always)]
    pub const fn row(self, index: u32) -> u16 {
        (self.0 >> (16 * index)) as u16
    }

    /// The rank on a cell.
    pub const fn get(self, cell: Cell) -> Rank {
        Rank::clamped((self.0 >> Self::shift(cell) & 15) as u8)
    }

    /// The board with another rank on a cell, or `None` when the rank needs more than four bits.
    pub const fn with(self, cell: Cell, rank: Rank) -> Option<Self> {
        if 15 < rank.get() {
            return None;
        }
        let shift = Self::shift(cell);
        Some(Self(self.0 & !(15 << shift) | (rank.get() as u64) << shift))
    }

    const fn shift(cell: Cell) -> u32 {
        4 * (4 * (cell.row as u32 & 3) + (cell.col as u32 & 3))
    }

    /// Rows and columns exchanged.
    #[inline(always)]
    pub const fn transposed(self) -> Self {
        let x = self.0;
        let swap = (x ^ (x >> 12)) & 0x0000_F0F0_0000_F0F0;
        let x = x ^ swap ^ (swap << 12);
        let swap = (x ^ (x >> 24)) & 0x0000_0000_FF00_FF00;
        Self(x ^ swap ^ (swap << 24))
    }

    /// Bit 0 of each nibble that is empty.
    #[inline(always)]
    pub const fn empty_mask(self) -> u64 {
        let x = self.0;
        let x = x | x >> 2;
        !(x | x >> 1) & LOW
    }

    /// The one-row slides of all four rows: left, right, reward.
    #[inline(always)]
    fn slide_rows(self, rows: &Rows) -> (u64, u64, u32) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| rows.slide(self.row(index)));
        let join = |a: u16, b: u16, c: u16, d: u16| {
            u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
        };
        (
            join(a.left, b.left, c.left, d.left),
            join(a.right, b.right, c.right, d.right),
            a.reward + b.reward + c.reward + d.reward,
        )
    }
}

impl Position for Packed {
    #[inline(always)]
    fn slides(self, rows: &Rows) -> Option<Slides<Self>> {
        let turned = self.transposed();
        let (left, right, across) = self.slide_rows(rows);
        let (up, down, along) = turned.slide_rows(rows);
        if RowSlide::TOO_LARGE <= across + along {
            return None;
        }
        let legal = u8::from(up != turned.0)
            | u8::from(down != turned.0) << 1
            | u8::from(left != self.0) << 2
            | u8::from(right != self.0) << 3;
        Some(Slides {
            after: ByMove::new([Self(up).transposed(), Self(down).transposed(), Self(left), Self(right)]),
            reward: ByMove::new([along, along, across, across]),
            legal: Moves::from_bits(legal),
        })
    }

    #[inline(always)]
    fn empty_count(self) -> u32 {
        self.empty_mask().count_ones()
    }

    /// Without branches and without BMI2: a multiplication adds the mask up into running counts, one nibble per
    /// cell, and the wanted cell is the lowest nibble whose count is `nth + 1`. Counts reach 16 only in the last
    /// nibble of an empty board, which is handled apart.
    #[inline(always)]
    fn with_tile_on_empty(self, nth: u32, rank: Rank) -> Self {
        let bit = if self.0 == 0 {
            4 * nth
        } else {
            let counts = self.empty_mask().wrapping_mul(LOW);
            let difference = counts ^ LOW.wrapping_mul(u64::from(nth) + 1);
            let zero_nibbles = difference.wrapping_sub(LOW) & !difference & (LOW << 3);
            zero_nibbles.trailing_zeros() & !3
        };
        Self(self.0 | u64::from(rank.get()) << (bit & 63))
    }

    fn max_rank(self) -> Rank {
        let mut rest = self.0;
        let mut largest = 0;
        while rest != 0 {
            largest = largest.max(rest & 15);
            rest >>= 4;
        }
        Rank::clamped(largest as u8)
    }

    fn to_board(self) -> Board {
        Board::from_packed(self)
    }
}

impl From<Packed> for Grid {
    fn from(packed: Packed) -> Self {
        let mut grid = Self::empty(Size::FOUR);
        for cell in Size::FOUR.iter() {
            grid.set(cell, packed.get(cell));
        }
        grid
    }
}

impl TryFrom<&Grid> for Packed {
    type Error = ();

    /// Fails for other sizes and for tiles above 32768.
    fn try_from(grid: &Grid) -> Result<Self, ()> {
        if grid.size() != Size::FOUR {
            return Err(());
        }
        let mut packed = Self::EMPTY;
        for cell in Size::FOUR.iter() {
            packed = packed.with(cell, grid.get(cell)).ok_or(())?;
        }
        Ok(packed)
    }
}

impl std::fmt::Debug for Packed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Packed({})", self.to_board())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few thousand boards with no pattern in them.
    fn samples() -> impl Iterator<Item = Packed> {
        let seed = super::super::Seed(1).game(0);
        (0..4000).map(move |k| {
            // Two draws masked together make small ranks and empties frequent.
            let (a, b) = (seed.place_draw(2 * k), seed.place_draw(2 * k + 1));
            Packed(if k % 3 == 0 {
                a & b
            } else if k % 3 == 1 {
                a
            } else {
                a & b & seed.value_draw(k)
            })
        })
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        for board in samples() {
            for cell in Size::FOUR.iter() {
                assert_eq!(board.transposed().get(Cell::new(cell.col, cell.row)), board.get(cell));
            }
        }
    }

    #[test]
    fn the_nth_empty_cell_is_found_in_reading_order() {
        for board in samples().chain([Packed::EMPTY]) {
            let empty: Vec<Cell> = Size::FOUR.iter().filter(|&cell| board.get(cell).is_empty()).collect();
            assert_eq!(board.empty_count() as usize, empty.len());
            for (nth, &cell) in empty.iter().enumerate() {
                let placed = board.with_tile_on_empty(nth as u32, Rank::FOUR);
                assert_eq!(Some(placed), board.with(cell, Rank::FOUR), "{board:?} {nth}");
            }
        }
    }

    #[test]
    fn both_representations_slide_alike() {
        for board in samples() {
            let grid = Grid::from(board);
            assert_eq!(Packed::try_from(&grid), Ok(board));
            let general = grid.slides(Rows::shared()).expect("grids hold every tile");
            let Some(fast) = board.slides(Rows::shared()) else {
                let largest = general.legal.iter().map(|mv| general.after[mv].max_rank()).max();
                assert_eq!(largest, Rank::new(16), "only two 32768 may stop the packed board: {board:?}");
                continue;
            };
            assert_eq!(fast.legal, general.legal, "{board:?}");
            for mv in fast.legal {
                assert_eq!(Grid::from(fast.after[mv]), general.after[mv], "{board:?} {mv}");
                assert_eq!(fast.reward[mv], general.reward[mv], "{board:?} {mv}");
            }
        }
    }
}

//! The fast board: sixteen 4-bit ranks in a `u64`.
//!
//! Cell (row, column) is nibble `4·row + column` from the low end, so rows are 16-bit slices and reading order is bit
//! order. A slide looks up four rows; a vertical slide does so on the transposed board.

use std::hint::select_unpredictable;

use super::{Board, Cell, Facts, Grid, Move, Moves, Position, Rank, Rows, Size, Slides};

/// A 4×4 board of tiles up to 32768.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Packed(u64);

const LOW: u64 = 0x1111_1111_1111_1111;

impl Packed {
    pub const EMPTY: Self = Self(0);

    /// The board with these nibbles, cell (0, 0) lowest.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The board with these rows from the top.
    #[inline(always)]
    pub const fn from_rows([a, b, c, d]: [u16; 4]) -> Self {
        Self(a as u64 | (b as u64) << 16 | (c as u64) << 32 | (d as u64) << 48)
    }

    /// Row `index` from the top.
    #[inline(always)]
    pub const fn row(self, index: u32) -> u16 {
        (self.0 >> (16 * index)) as u16
    }

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

    /// The position of the empty cell number `nth` in reading order, for a board with a tile: the lowest bit of its
    /// nibble.
    #[inline(always)]
    const fn nth_empty_bit(self, nth: u32) -> u32 {
        // Nibble `i` is the number of empty cells up to cell `i`. For an empty board the last one would have to be 16.
        let running = self.empty_mask().wrapping_mul(LOW);
        let difference = running ^ LOW.wrapping_mul(nth as u64 + 1);
        let zero_nibbles = difference.wrapping_sub(LOW) & !difference & (LOW << 3);
        zero_nibbles.trailing_zeros() & 0b11_1100
    }

    #[inline(always)]
    pub const fn crossed(self) -> Crossed {
        self.crossed_with_empty(self.empty_count())
    }

    #[inline(always)]
    pub(super) const fn crossed_with_empty(self, empty: u32) -> Crossed {
        Crossed {
            rows: self,
            columns: self.transposed(),
            empty: empty as u64,
        }
    }

    pub const fn empty_count(self) -> u32 {
        self.empty_mask().count_ones()
    }

    pub fn max_rank(self) -> Rank {
        let mut rest = self.0;
        let mut largest = 0;
        while rest != 0 {
            largest = largest.max(rest & 15);
            rest >>= 4;
        }
        Rank::clamped(largest as u8)
    }

    /// Both slides along the rows, and their facts.
    #[inline(always)]
    fn slide_rows(self, rows: &Rows) -> (Self, Self, Facts) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|index| rows.slide(self.row(index)));
        (
            Self::from_rows([a.left, b.left, c.left, d.left]),
            Self::from_rows([a.right, b.right, c.right, d.right]),
            Facts::of_four([a.facts, b.facts, c.facts, d.facts]),
        )
    }
}

/// A packed board in the form for playing: by rows, by columns, and with the number of its empty cells. A slide is
/// looked up in the orientation in which it is horizontal, and one transposition per turn gives the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crossed {
    rows: Packed,
    columns: Packed,
    /// As wide as the loads of a copy of the board: a narrower store just before would stall the processor.
    empty: u64,
}

impl Crossed {
    #[inline(always)]
    pub const fn transposed(self) -> Packed {
        self.columns
    }

    #[inline(always)]
    pub const fn packed(self) -> Packed {
        self.rows
    }

    /// Puts a tile on an empty cell, by its index in reading order.
    #[inline(always)]
    pub const fn with_tile_at(self, index: u32, rank: Rank) -> Self {
        let bit = (4 * index) & 63;
        // Bits 4–5 of the index are the row and 2–3 the column.
        let bit_in_columns = (bit << 2 | bit >> 2) & 0b11_1100;
        let tile = rank.get() as u64;
        Self {
            rows: Packed(self.rows.0 | tile << bit),
            columns: Packed(self.columns.0 | tile << bit_in_columns),
            empty: self.empty - 1,
        }
    }
}

impl Position for Crossed {
    type Slides = CrossedSlides;

    #[inline(always)]
    fn slides(self, rows: &Rows) -> Option<CrossedSlides> {
        let (left, right, across) = self.rows.slide_rows(rows);
        let (up, down, along) = self.columns.slide_rows(rows);
        if across.is_too_large() || along.is_too_large() {
            return None;
        }
        Some(CrossedSlides {
            after: [up, down, left, right],
            along,
            across,
            before: self,
        })
    }

    #[inline(always)]
    fn empty_count(self) -> u32 {
        self.empty as u32
    }

    #[inline(always)]
    fn with_tile_on_empty(self, nth: u32, rank: Rank) -> Self {
        // On the empty board every cell is empty, and the running count has no room for the last one.
        let bit = if self.rows.0 == 0 {
            4 * nth
        } else {
            self.rows.nth_empty_bit(nth)
        };
        self.with_tile_at(bit / 4, rank)
    }

    fn max_rank(self) -> Rank {
        self.rows.max_rank()
    }

    fn to_board(self) -> Board {
        Board::from_packed(self.rows)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct CrossedSlides {
    /// In the order of [`Move::ALL`]; up and down by columns, left and right by rows.
    after: [Packed; 4],
    along: Facts,
    across: Facts,
    before: Crossed,
}

impl CrossedSlides {
    #[inline(always)]
    pub fn before(&self) -> Crossed {
        self.before
    }

    /// The afterstate as the slide made it, for uses that do not depend on transposition: by columns for up and down.
    #[inline(always)]
    pub fn as_slid(&self, mv: Move) -> Packed {
        let [up, down, left, right] = self.after;
        let vertical = select_unpredictable(mv == Move::Up, up, down);
        let horizontal = select_unpredictable(mv == Move::Left, left, right);
        select_unpredictable(mv.is_horizontal(), horizontal, vertical)
    }

    /// The facts of slides in this direction and the opposite one.
    #[inline(always)]
    fn facts(&self, mv: Move) -> Facts {
        select_unpredictable(mv.is_horizontal(), self.across, self.along)
    }

    /// Empty cells after a slide: each merge makes one.
    #[inline(always)]
    pub fn empty_count(&self, mv: Move) -> u32 {
        self.before.empty as u32 + self.facts(mv).merges()
    }
}

impl Slides for CrossedSlides {
    type Position = Crossed;

    #[inline(always)]
    fn legal(&self) -> Moves {
        Moves::of_facts(self.along, self.across)
    }

    #[inline(always)]
    fn reward(&self, mv: Move) -> u32 {
        self.facts(mv).reward()
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> Crossed {
        let slid = self.as_slid(mv);
        let other = slid.transposed();
        // Processors cannot predict the direction: computing both is cheaper than a misprediction half of the time.
        Crossed {
            rows: select_unpredictable(mv.is_horizontal(), slid, other),
            columns: select_unpredictable(mv.is_horizontal(), other, slid),
            empty: self.empty_count(mv).into(),
        }
    }
}

impl Moves {
    /// The slides that move something, from the facts of the columns and of the rows.
    #[inline(always)]
    pub const fn of_facts(columns: Facts, rows: Facts) -> Self {
        Self::from_bits(
            columns.left_moves() as u8
                | (columns.right_moves() as u8) << 1
                | (rows.left_moves() as u8) << 2
                | (rows.right_moves() as u8) << 3,
        )
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
        write!(f, "Packed({})", Board::from_packed(*self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few thousand boards without a pattern.
    fn samples() -> impl Iterator<Item = Packed> {
        let seed = super::super::Seed(1).game(0);
        (0..4000).map(move |k| {
            // Two masked draws make small ranks and empty cells frequent.
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
                assert_eq!(
                    board.transposed().get(Cell::new(cell.col, cell.row)),
                    board.get(cell)
                );
            }
        }
    }

    #[test]
    fn the_nth_empty_cell_is_found_in_reading_order() {
        for board in samples().chain([Packed::EMPTY]) {
            let empty: Vec<Cell> = Size::FOUR
                .iter()
                .filter(|&cell| board.get(cell).is_empty())
                .collect();
            assert_eq!(board.empty_count() as usize, empty.len());
            for (nth, &cell) in empty.iter().enumerate() {
                let placed = board.crossed().with_tile_on_empty(nth as u32, Rank::FOUR);
                assert_eq!(
                    Some(placed),
                    board.with(cell, Rank::FOUR).map(Packed::crossed),
                    "{board:?} {nth}"
                );
            }
        }
    }

    #[test]
    fn both_representations_slide_alike() {
        for board in samples() {
            let grid = Grid::from(board);
            assert_eq!(Packed::try_from(&grid), Ok(board));
            let general = grid.slides(Rows::shared()).expect("grids hold every tile");
            let Some(fast) = board.crossed().slides(Rows::shared()) else {
                let largest = general
                    .legal()
                    .iter()
                    .map(|mv| general.after(mv).max_rank())
                    .max();
                assert_eq!(
                    largest,
                    Rank::new(16),
                    "only two 32768 may stop the packed board: {board:?}"
                );
                continue;
            };
            assert_eq!(fast.legal(), general.legal(), "{board:?}");
            for mv in fast.legal() {
                let after = fast.after(mv);
                assert_eq!(
                    Grid::from(after.packed()),
                    general.after(mv),
                    "{board:?} {mv}"
                );
                assert_eq!(after, after.packed().crossed(), "{board:?} {mv}");
                assert_eq!(fast.reward(mv), general.reward(mv), "{board:?} {mv}");
                assert_eq!(
                    fast.empty_count(mv),
                    general.after(mv).empty_count(),
                    "{board:?} {mv}"
                );
            }
        }
    }
}

//! The operations that a search needs of a board, beyond those of play.

use crate::evaluator::{Compiled, Evaluate, Values};
use crate::game::{Cell, Crossed, Grid, Moves, Position, Rank, Symmetry};

pub trait SearchBoard: Position<Slides: Sync> + Valued + Send + Sync {
    /// Whether every position fits the key of the transposition table.
    const HAS_KEYS: bool = false;

    /// The image that represents all symmetric ones. The board itself if it has no keys.
    fn canonical(self) -> Self {
        self
    }
    fn to_canonical(self) -> Symmetry {
        Symmetry::IDENTITY
    }
    /// The board as a number, its key in the transposition table.
    fn key(self) -> u64 {
        0
    }
    /// The board in the form in which lines can be looked up.
    fn as_crossed(self) -> Option<Crossed> {
        None
    }
    /// The empty cells, as indices in reading order.
    fn empty_cells(self) -> Cells;
    fn with_tile_at(self, index: u32, rank: Rank) -> Self;
    fn to_grid(self) -> Grid;
}

/// A position that evaluators can evaluate. It reverses [`Evaluate`], so that functions need not repeat that as a
/// bound.
pub trait Valued: Position {
    fn value_by(self, evaluator: &Compiled, score: u64) -> f64;
    fn values_by(slides: &Self::Slides, evaluator: &Compiled, left: Moves, score: u64) -> Values;
}

impl<P: Position> Valued for P
where
    Compiled: Evaluate<P>,
{
    #[inline(always)]
    fn value_by(self, evaluator: &Compiled, score: u64) -> f64 {
        evaluator.value(self, score)
    }

    #[inline(always)]
    fn values_by(slides: &P::Slides, evaluator: &Compiled, left: Moves, score: u64) -> Values {
        Evaluate::<P>::values(evaluator, slides, left, score)
    }
}

/// A set of cells, as indices in reading order. Iterates in that order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cells(u32);

impl Cells {
    pub(super) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The first cell of each run of adjacent cells in a row of a 4×4 board.
    #[inline(always)]
    pub(super) const fn first_of_gaps(self) -> Self {
        Self(self.0 & !((self.0 & 0x7777) << 1))
    }

    /// The length of the run of adjacent cells that starts here, in a row of a 4×4 board.
    #[inline(always)]
    pub(super) const fn gap_from(self, first: u32) -> u32 {
        let behind_row = 16 >> (first & 3);
        (!(self.0 >> first) | behind_row).trailing_zeros()
    }

    /// The same cells in the transposed 4×4 board.
    #[inline(always)]
    pub(super) const fn transposed(self) -> Self {
        let swap = (self.0 ^ self.0 >> 3) & 0x0A0A;
        let cells = self.0 ^ swap ^ swap << 3;
        let swap = (cells ^ cells >> 6) & 0x00CC;
        Self(cells ^ swap ^ swap << 6)
    }

    pub(super) const fn contains(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }
}

impl Iterator for Cells {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(index)
    }
}

impl SearchBoard for Crossed {
    const HAS_KEYS: bool = true;

    #[inline(always)]
    fn canonical(self) -> Self {
        Self::canonical(self)
    }

    fn to_canonical(self) -> Symmetry {
        Self::to_canonical(self)
    }

    #[inline(always)]
    fn key(self) -> u64 {
        self.packed().bits()
    }

    #[inline(always)]
    fn empty_cells(self) -> Cells {
        // Sets one bit per empty nibble, then gathers the bits.
        let mask = self.packed().empty_mask();
        let mask = (mask | mask >> 3) & 0x0303_0303_0303_0303;
        let mask = (mask | mask >> 6) & 0x000F_000F_000F_000F;
        let mask = (mask | mask >> 12) & 0x0000_00FF_0000_00FF;
        Cells((mask | mask >> 24) as u32 & 0xFFFF)
    }

    #[inline(always)]
    fn with_tile_at(self, index: u32, rank: Rank) -> Self {
        Self::with_tile_at(self, index, rank)
    }

    #[inline(always)]
    fn as_crossed(self) -> Option<Crossed> {
        Some(self)
    }

    fn to_grid(self) -> Grid {
        self.packed().into()
    }
}

impl SearchBoard for Grid {
    fn empty_cells(self) -> Cells {
        let bits = self
            .ranks()
            .iter()
            .enumerate()
            .map(|(index, rank)| u32::from(rank.is_empty()) << index);
        Cells(bits.fold(0, |cells, bit| cells | bit))
    }

    fn with_tile_at(self, index: u32, rank: Rank) -> Self {
        let mut placed = self;
        placed.set(Cell::at(index as usize, self.size()), rank);
        placed
    }

    fn to_grid(self) -> Grid {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Packed, Seed, Size};

    #[test]
    fn empty_cells_are_those_without_a_tile() {
        let seed = Seed(3).game(0);
        for k in 0..2000 {
            let packed = Packed::from_bits(seed.place_draw(k) & seed.value_draw(k));
            let board = packed.crossed();
            let expected: Vec<u32> = (0..16)
                .filter(|&index| packed.get(Cell::at(index as usize, Size::FOUR)).is_empty())
                .collect();
            assert_eq!(board.empty_cells().collect::<Vec<_>>(), expected);
            assert_eq!(board.to_grid().empty_cells().collect::<Vec<_>>(), expected);
            assert_eq!(board.empty_cells().len() as usize, expected.len());
            for index in expected {
                let placed = SearchBoard::with_tile_at(board, index, Rank::FOUR);
                assert_eq!(
                    placed.to_grid(),
                    board.to_grid().with_tile_at(index, Rank::FOUR)
                );
                assert_eq!(placed, placed.packed().crossed());
            }
        }
        assert_eq!(Packed::EMPTY.crossed().empty_cells().len(), 16);
    }

    #[test]
    fn every_set_of_cells_is_its_gaps_and_transposed_twice_itself() {
        for bits in 0..1 << 16 {
            let cells = Cells(bits);
            let gaps = cells
                .first_of_gaps()
                .map(|first| first..first + cells.gap_from(first));
            let found: Vec<u32> = gaps.clone().flatten().collect();
            assert_eq!(found, cells.collect::<Vec<_>>(), "{bits:016b}");
            for gap in gaps {
                let (first, last) = (gap.start, gap.end - 1);
                assert_eq!(first / 4, last / 4, "a gap is in one row: {bits:016b}");
                assert!(first % 4 == 0 || !cells.contains(first - 1), "{bits:016b}");
                assert!(last % 4 == 3 || !cells.contains(last + 1), "{bits:016b}");
            }
            let turned = cells.transposed();
            assert!(
                (0..16)
                    .all(|cell| turned.contains(cell) == cells.contains(cell % 4 * 4 + cell / 4)),
                "{bits:016b}"
            );
        }
    }
}

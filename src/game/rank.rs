//! The exponent of a tile.

use std::fmt;

/// Exponent of a tile: 0 is an empty cell, 1 the tile 2, 17 the tile 131072, the largest that can occur on 4×4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rank(u8);

impl Rank {
    pub const EMPTY: Self = Self(0);
    pub const TWO: Self = Self(1);
    pub const FOUR: Self = Self(2);
    /// The largest rank that any board of at most 25 cells can reach: 2²⁶.
    pub const MAX: Self = Self(26);

    /// The rank with this exponent, if it is at most [`Rank::MAX`].
    pub const fn new(exponent: u8) -> Option<Self> {
        if exponent <= Self::MAX.0 {
            Some(Self(exponent))
        } else {
            None
        }
    }

    /// A rank known to be in range. Anything above [`Rank::MAX`] becomes the maximum.
    pub(crate) const fn clamped(exponent: u8) -> Self {
        if exponent <= Self::MAX.0 {
            Self(exponent)
        } else {
            Self::MAX
        }
    }

    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number on the tile, 0 for an empty cell.
    pub const fn tile(self) -> u64 {
        if self.0 == 0 { 0 } else { 1 << self.0 }
    }

    /// The rank of a tile. `None` if it is not 0 or a power of two from 2 to 2²⁶.
    pub fn of_tile(tile: u64) -> Option<Self> {
        match tile {
            0 => Some(Self::EMPTY),
            1 => None,
            _ if tile.is_power_of_two() => Self::new(tile.trailing_zeros() as u8),
            _ => None,
        }
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn merged(self) -> Self {
        Self::clamped(self.0 + 1)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tile().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_goes_to_its_tile_and_back() {
        for exponent in 0..=Rank::MAX.get() {
            let rank = Rank::new(exponent).expect("in range");
            assert_eq!(Rank::of_tile(rank.tile()), Some(rank));
        }
        assert_eq!(Rank::of_tile(131_072), Rank::new(17));
        assert_eq!(Rank::new(27), None);
    }

    #[test]
    fn numbers_that_are_no_tiles_are_refused() {
        for tile in [1, 3, 6, 13, 100, 1 << 27, u64::MAX] {
            assert_eq!(Rank::of_tile(tile), None, "{tile}");
        }
    }
}

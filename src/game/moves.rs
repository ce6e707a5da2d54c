//! The four directions, sets of them, and values per direction.

use std::fmt;
use std::ops::{BitAnd, Index, IndexMut};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::words;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// Towards the first row.
    Up,
    /// Towards the last row.
    Down,
    /// Towards the first column.
    Left,
    /// Towards the last column.
    Right,
}

impl Move {
    /// Every move, in the order in which ties are broken: up, down, left, right.
    pub const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    pub const fn index(self) -> usize {
        self as usize
    }

    pub const fn name(self) -> &'static str {
        ["up", "down", "left", "right"][self.index()]
    }

    pub const fn arrow(self) -> &'static str {
        ["↑", "↓", "←", "→"][self.index()]
    }

    pub const fn is_horizontal(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["Up", "Down", "Left", "Right"][self.index()])
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a move: write up, down, left or right", words::quoted(.0))]
pub struct ParseMoveError(String);

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mv| mv.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ParseMoveError(text.to_owned()))
    }
}

/// The moves of each set in order.
const NTH: [[Option<Move>; 4]; 16] = {
    let mut table = [[None; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut index, mut n) = (0, 0);
        while index < 4 {
            if set >> index & 1 == 1 {
                table[set][n] = Some(Move::ALL[index]);
                n += 1;
            }
            index += 1;
        }
        set += 1;
    }
    table
};

/// A set of moves. Iterates in the order of [`Move::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Moves(u8);

impl Moves {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(0b1111);

    /// The set in which bit `i` stands for move `i` of [`Move::ALL`].
    pub(crate) const fn from_bits(bits: u8) -> Self {
        Self(bits & 0b1111)
    }

    /// The bits of [`Moves::from_bits`], below 16.
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// The moves for which `is_in` returns true. Calls it for each.
    #[inline(always)]
    pub fn from_fn(is_in: impl Fn(Move) -> bool) -> Self {
        Self(
            Move::ALL
                .into_iter()
                .fold(0, |set, mv| set | u8::from(is_in(mv)) << mv.index()),
        )
    }

    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> mv.index() & 1 == 1
    }

    pub fn insert(&mut self, mv: Move) {
        self.0 |= 1 << mv.index();
    }

    pub const fn len(self) -> usize {
        // Sixteen counts in one word: faster than counting bits on processors without such an instruction.
        (0x4332_3221_3221_2110_u64 >> (4 * self.0) & 15) as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether at most one move is left, so that there is nothing to decide.
    pub const fn is_decided(self) -> bool {
        self.0 & self.0.wrapping_sub(1) == 0
    }

    /// Move number `n` of the set in the order of [`Move::ALL`], from 0.
    #[inline(always)]
    pub fn nth(self, n: usize) -> Option<Move> {
        // A loop over the moves would be mispredicted at every random choice.
        NTH[usize::from(self.0 & 15)].get(n).copied().flatten()
    }

    pub fn first(self) -> Option<Move> {
        Move::ALL.get(self.0.trailing_zeros() as usize).copied()
    }

    pub fn iter(self) -> MovesIter {
        MovesIter(self.0)
    }
}

impl BitAnd for Moves {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = MovesIter;

    fn into_iter(self) -> MovesIter {
        self.iter()
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        moves
            .into_iter()
            .fold(Self::NONE, |set, mv| Self(set.0 | 1 << mv.index()))
    }
}

impl fmt::Debug for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[derive(Clone, Debug)]
pub struct MovesIter(u8);

impl Iterator for MovesIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(Move::ALL[index & 3])
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByMove<T>([T; 4]);

impl<T> ByMove<T> {
    /// From values in the order of [`Move::ALL`].
    pub const fn new(values: [T; 4]) -> Self {
        Self(values)
    }

    /// The values in the order of [`Move::ALL`].
    pub const fn as_array(&self) -> &[T; 4] {
        &self.0
    }

    pub fn from_fn(mut value: impl FnMut(Move) -> T) -> Self {
        Self(Move::ALL.map(&mut value))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Move, &T)> {
        Move::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<Move> for ByMove<T> {
    type Output = T;

    #[inline]
    fn index(&self, mv: Move) -> &T {
        &self.0[mv.index()]
    }
}

impl<T> IndexMut<Move> for ByMove<T> {
    #[inline]
    fn index_mut(&mut self, mv: Move) -> &mut T {
        &mut self.0[mv.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_sets_count_and_list_their_moves() {
        for bits in 0..16_u8 {
            let set = Moves::from_bits(bits);
            let listed: Vec<Move> = Move::ALL
                .into_iter()
                .filter(|&mv| set.contains(mv))
                .collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), listed);
            assert_eq!(set.len(), listed.len());
            assert_eq!(set.first(), listed.first().copied());
            assert_eq!(set.is_decided(), listed.len() < 2);
            assert_eq!(listed.iter().copied().collect::<Moves>(), set);
            for n in 0..5 {
                assert_eq!(set.nth(n), listed.get(n).copied());
            }
        }
    }

    #[test]
    fn names_parse_back() {
        for mv in Move::ALL {
            assert_eq!(mv.name().parse(), Ok(mv));
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        assert!("north".parse::<Move>().is_err());
    }
}

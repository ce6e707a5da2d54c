//! Board sizes and the cells of a board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::words;

/// Rows × columns, each from 2 to 5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Size {
    rows: u8,
    cols: u8,
}

impl Size {
    pub const FOUR: Self = Self { rows: 4, cols: 4 };
    /// Fewest rows or columns.
    pub const MIN: u8 = 2;
    pub const MAX: u8 = 5;

    pub const fn new(rows: u8, cols: u8) -> Option<Self> {
        if rows < Self::MIN || rows > Self::MAX || cols < Self::MIN || cols > Self::MAX {
            return None;
        }
        Some(Self { rows, cols })
    }

    /// Every size from 2×2 to 5×5, rows first.
    pub fn all() -> impl Iterator<Item = Self> {
        (Self::MIN..=Self::MAX)
            .flat_map(|rows| (Self::MIN..=Self::MAX).map(move |cols| Self { rows, cols }))
    }

    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    pub const fn cells(self) -> usize {
        self.rows() * self.cols()
    }

    pub fn iter(self) -> impl Iterator<Item = Cell> {
        (0..self.rows).flat_map(move |row| (0..self.cols).map(move |col| Cell { row, col }))
    }

    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a board size: write rows x columns from 2x2 to 5x5, such as 4x4", words::quoted(.0))]
pub struct ParseSizeError(String);

impl FromStr for Size {
    type Err = ParseSizeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseSizeError(text.to_owned());
        let (rows, cols) = text
            .trim()
            .split_once(['x', 'X', '×'])
            .ok_or_else(refused)?;
        let side = |side: &str| side.trim().parse::<u8>().map_err(|_| refused());
        Self::new(side(rows)?, side(cols)?).ok_or_else(refused)
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// A cell by row and column, both counted from 0; shown as `r1c1`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Cell {
    pub row: u8,
    pub col: u8,
}

impl Cell {
    pub const fn new(row: u8, col: u8) -> Self {
        Self { row, col }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.col + 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a cell: write row and column from 1, such as r1c4", words::quoted(.0))]
pub struct ParseCellError(String);

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let refused = || ParseCellError(text.to_owned());
        let (row, col) = text
            .strip_prefix('r')
            .and_then(|rest| rest.split_once('c'))
            .ok_or_else(refused)?;
        let side = |side: &str| match side.parse::<u8>() {
            Ok(number @ 1..=Size::MAX) => Ok(number - 1),
            _ => Err(refused()),
        };
        Ok(Self {
            row: side(row)?,
            col: side(col)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_cells_read_back_as_written() {
        assert_eq!(Size::all().count(), 16);
        for size in Size::all() {
            assert_eq!(size.to_string().parse(), Ok(size));
            assert_eq!(size.iter().count(), size.cells());
            for cell in size.iter() {
                assert_eq!(cell.to_string().parse(), Ok(cell));
                assert!(size.contains(cell));
            }
        }
        assert_eq!("3×5".parse(), Ok(Size { rows: 3, cols: 5 }));
    }

    #[test]
    fn sizes_outside_two_to_five_are_refused() {
        for text in [
            "1x4",
            "4x6",
            "4",
            "x",
            "",
            "4x4x4",
            "-2x3",
            "4x999999999999",
        ] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        for text in ["r0c1", "r6c1", "c1r1", "r1", "", "r1cx"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }
}

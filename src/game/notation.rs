//! Boards as text.
//!
//! | form | example |
//! | --- | --- |
//! | rows separated by `/` or line breaks, cells by commas or blanks, empty as `0` or `.` | `2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2` |
//! | sixteen hexadecimal digits, one rank per cell in reading order | `1002030000000041` |
//! | sixteen values in reading order | `2 0 0 4 0 8 0 0 0 0 0 0 0 0 16 2` |
//!
//! The first form covers every size and every tile, and is the one that is written. Hexadecimal digits end at `f`, the
//! tile 32768.

use std::fmt;
use std::str::FromStr;

use super::{Board, Cell, Grid, Rank, Size};
use crate::words;

/// Why a text is not a board. Each message is one sentence that names the place, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBoardError {
    #[error("the board is empty text: write rows such as 2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2")]
    Nothing,
    #[error("the board has {0} rows, but boards have 2 to 5: separate rows with / or line breaks")]
    Rows(usize),
    #[error("row {row} has {cells} cells, but {expected}")]
    Cells { row: usize, cells: usize, expected: String },
    #[error("row {row}, cell {cell} is missing: write 0 or . for an empty cell")]
    Missing { row: usize, cell: usize },
    #[error("row {row}, cell {cell}: {} is not a tile: write 0 or . for empty, else 2, 4, 8 …", words::quoted(.word))]
    Tile { row: usize, cell: usize, word: String },
    #[error("one line has {0} values: write 16 values, 16 hexadecimal ranks, or rows separated by /")]
    Flat(usize),
    #[error(
        "{} is not a board: write rows such as 2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2 or 16 hexadecimal ranks",
        words::quoted(.0)
    )]
    Word(String),
}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ParseBoardError::Nothing);
        }
        if text.contains(['/', '\n']) {
            return from_rows(text);
        }
        let words = words_of(1, text)?;
        match words[..] {
            [word] => from_hex(word).ok_or_else(|| ParseBoardError::Word(word.to_owned())),
            _ if words.len() == 16 => from_words(Size::FOUR, &words.chunks(4).map(<[_]>::to_vec).collect::<Vec<_>>()),
            _ => Err(ParseBoardError::Flat(words.len())),
        }
    }
}

impl Board {
    /// The board as lines of aligned values for terminals, `.` for empty.
    pub fn drawing(&self) -> String {
        let width = self.max_rank().tile().to_string().len();
        let mut drawing = String::new();
        for (cell, rank) in self.cells() {
            let word = if rank.is_empty() { ".".to_owned() } else { rank.tile().to_string() };
            drawing += &format!("{word:>width$}");
            let last = usize::from(cell.col) + 1 == self.size().cols();
            drawing.push(if last { '\n' } else { ' ' });
        }
        drawing
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (cell, rank) in self.cells() {
            match (cell.row, cell.col) {
                (0, 0) => {}
                (_, 0) => f.write_str("/")?,
                _ => f.write_str(",")?,
            }
            write!(f, "{rank}")?;
        }
        Ok(())
    }
}

fn from_hex(word: &str) -> Option<Board> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    if digits.len() != 16 {
        return None;
    }
    let mut grid = Grid::empty(Size::FOUR);
    for (cell, digit) in Size::FOUR.iter().zip(digits.chars()) {
        grid.set(cell, Rank::new(digit.to_digit(16)? as u8)?);
    }
    Some(Board::from_grid(grid))
}

fn from_rows(text: &str) -> Result<Board, ParseBoardError> {
    let mut rows = Vec::new();
    for row in text.split(['/', '\n']) {
        // A line break next to a slash separates nothing more.
        let row = row.trim();
        if row.is_empty() && text.contains('/') && text.contains('\n') {
            continue;
        }
        rows.push(words_of(rows.len() + 1, row)?);
        if 64 < rows.len() {
            return Err(ParseBoardError::Rows(text.split(['/', '\n']).count()));
        }
    }

    let range = usize::from(Size::MIN)..=usize::from(Size::MAX);
    if !range.contains(&rows.len()) {
        return Err(ParseBoardError::Rows(rows.len()));
    }
    let usual = usual_length(&rows);
    for (index, row) in rows.iter().enumerate() {
        let expected = if row.len() != usual {
            format!("the others have {usual}")
        } else if !range.contains(&row.len()) {
            "rows have 2 to 5".to_owned()
        } else {
            continue;
        };
        return Err(ParseBoardError::Cells { row: index + 1, cells: row.len(), expected });
    }

    let size = Size::new(rows.len() as u8, usual as u8).ok_or(ParseBoardError::Rows(rows.len()))?;
    from_words(size, &rows)
}

/// The most frequent row length; in a tie the one that comes first.
fn usual_length(rows: &[Vec<&str>]) -> usize {
    let count = |length: usize| rows.iter().filter(|row| row.len() == length).count();
    let mut usual = 0;
    for row in rows {
        if count(usual) < count(row.len()) {
            usual = row.len();
        }
    }
    usual
}

/// The words of one row, separated by commas or blanks.
fn words_of(row: usize, text: &str) -> Result<Vec<&str>, ParseBoardError> {
    let mut words = Vec::new();
    if text.trim().is_empty() {
        return Ok(words);
    }
    for piece in text.split(',') {
        let before = words.len();
        words.extend(piece.split_whitespace());
        if words.len() == before {
            return Err(ParseBoardError::Missing { row, cell: before + 1 });
        }
    }
    Ok(words)
}

fn from_words(size: Size, rows: &[Vec<&str>]) -> Result<Board, ParseBoardError> {
    let mut grid = Grid::empty(size);
    for (cell, &word) in size.iter().zip(rows.iter().flatten()) {
        let rank = match word {
            "." => Some(Rank::EMPTY),
            _ if word.bytes().all(|byte| byte.is_ascii_digit()) => word.parse().ok().and_then(Rank::of_tile),
            _ => None,
        };
        let Some(rank) = rank else {
            let Cell { row, col } = cell;
            let (row, cell) = (usize::from(row) + 1, usize::from(col) + 1);
            return Err(ParseBoardError::Tile { row, cell, word: word.to_owned() });
        };
        grid.set(cell, rank);
    }
    Ok(Board::from_grid(grid))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;

    #[test]
    fn every_notation_reads_the_same_board() {
        let board = board! {
            2 . . 4
            . 8 . .
            . . . .
            . . 16 2
        };
        for text in [
            "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2",
            "2 . . 4 / . 8 . . / . . . . / . . 16 2",
            "2, 0, 0, 4\n0, 8, 0, 0\n0, 0, 0, 0\n0, 0, 16, 2\n",
            "  2 0 0 4\r\n0 8 0 0\r\n0 0 0 0\r\n0 0 16 2",
            "2,0,0,4/\n0,8,0,0/\n0,0,0,0/\n0,0,16,2",
            "1002030000000041",
            "0x1002030000000041",
            "2,0,0,4,0,8,0,0,0,0,0,0,0,0,16,2",
            "2 0 0 4 0 8 0 0 0 0 0 0 0 0 16 2",
        ] {
            assert_eq!(text.parse(), Ok(board), "{text}");
        }
        assert_eq!("F000000000000000".parse::<Board>().map(|board| board.max_rank().tile()), Ok(32768));
    }

    #[test]
    fn boards_of_every_size_are_written_and_read() {
        for size in Size::all() {
            let mut board = Board::empty(size);
            for (index, cell) in size.iter().enumerate() {
                board = board.with(cell, Rank::new(index as u8).expect("in range"));
            }
            assert_eq!(board.to_string().parse(), Ok(board));
            assert_eq!(board.drawing().parse(), Ok(board));
        }
    }

    #[test]
    fn refusals_name_the_place() {
        for (text, message) in [
            ("", "the board is empty text"),
            ("2,0,0,4/0,8,0,0/0,0,0,0,0/0,0,16,2", "row 3 has 5 cells, but the others have 4"),
            ("2,0,0/0,8,0,0/0,0,0,0/0,0,16,2", "row 1 has 3 cells, but the others have 4"),
            ("2,0,0,4/0,13,0,0/0,0,0,0/0,0,16,2", "row 2, cell 2: \"13\" is not a tile"),
            ("2,0,0,4/0,-2,0,0/0,0,0,0/0,0,16,2", "row 2, cell 2: \"-2\" is not a tile"),
            ("2,0,0,4/0,1,0,0/0,0,0,0/0,0,16,2", "row 2, cell 2: \"1\" is not a tile"),
            ("2,,0,4/0,8,0,0/0,0,0,0/0,0,16,2", "row 1, cell 2 is missing"),
            ("2,0,0,4/\n0,,0,0/\n0,0,0,0/\n0,0,16,2", "row 2, cell 2 is missing"),
            ("2,0,0,4", "one line has 4 values"),
            ("2,0/0,8/0,0/0,0/0,16/2,2", "the board has 6 rows"),
            ("2/4/8", "row 1 has 1 cells, but rows have 2 to 5"),
            ("2,0,0,4/0,8,0,0/0,0,0,0/", "row 4 has 0 cells"),
            ("hello", "\"hello\" is not a board"),
            ("100203000000004g", "is not a board"),
            ("99999999999999999999,0/0,0", "is not a tile"),
        ] {
            let error = text.parse::<Board>().expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
            assert!(!error.contains('\n'), "one line: {error}");
        }
    }
}

//! Why a text is not a board.

use super::{Rank, Reading};
use crate::words;

const ROWS: &str = "2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2";

/// Why a text is not one board. Each message is one sentence that names the place, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBoardError {
    #[error("the board is empty text: write rows such as {ROWS}")]
    Nothing,
    #[error("this text has {} bytes, too many for a board", words::count(*.0 as u64))]
    TooLong(usize),
    #[error("the board has {0} rows, but boards have 2 to 5: separate rows with / or line breaks")]
    Rows(usize),
    #[error("row {row} has {cells} cells, but {expected}")]
    Cells {
        row: usize,
        cells: usize,
        expected: String,
    },
    #[error("row {row}, cell {cell} is missing: write 0 or . for an empty cell")]
    Missing { row: usize, cell: usize },
    #[error("row {row}, cell {cell}: the columns do not line up: write 0 or . for an empty cell")]
    Gap { row: usize, cell: usize },
    #[error(
        "row {row}, cell {cell}: {} is not a tile: write 0 or . for empty, else 2, 4, 8 …{}", words::quoted(.word),
        if *.may_be_exponents { "; if this is a board of exponents, add --exponents" } else { "" }
    )]
    Tile {
        row: usize,
        cell: usize,
        word: String,
        may_be_exponents: bool,
    },
    #[error(
        "row {row}, cell {cell}: {} is too large: the largest tile is {}", words::quoted(.word), Rank::MAX
    )]
    TooLarge {
        row: usize,
        cell: usize,
        word: String,
    },
    #[error(
        "row {row}, cell {cell}: {} is not an exponent: write 0 to {}; a board of tiles needs no --exponents",
        words::quoted(.word), Rank::MAX.get()
    )]
    Exponent {
        row: usize,
        cell: usize,
        word: String,
    },
    #[error("one line has {0} values: write 9, 16 or 25 values, or rows separated by /")]
    Flat(usize),
    #[error(
        "rows are separated by / and by line breaks: use one of them, or give one board at a time"
    )]
    Separators,
    #[error(
        "blank lines divide this text into {0} boards: give one board at a time, or delete the blank lines"
    )]
    Blocks(usize),
    #[error("{} is not a board: write rows such as {ROWS}", words::quoted(.0))]
    Word(String),
    #[error("{} is one number: separate the cells; if it is a 64-bit integer, add --decimal", words::quoted(.0))]
    Number(String),
    #[error("{} has more than 64 bits: four bits for each of 16 cells are expected", words::quoted(.0))]
    TooManyBits(String),
    #[error("{} is not a 64-bit integer in {digits} digits", words::quoted(.word))]
    Integer { word: String, digits: &'static str },
    #[error("bracket {at} has no counterpart: write each row in brackets of its own")]
    Bracket { at: usize },
    #[error("row {row}: lists and cells are mixed: write each row in brackets of its own")]
    Nesting { row: usize },
    #[error(
        "row {row}, cell {cell}: {marks} channels are set in this one-hot array, but a cell has one tile"
    )]
    Channels {
        row: usize,
        cell: usize,
        marks: usize,
    },
    #[error(
        "this array is neither rows of tiles nor one-hot: its last or its first dimension must be the channels"
    )]
    Shape,
    #[error(
        "this is HTML: copy the text of the board from the page, or the saved game of the page (gameState)"
    )]
    Html,
    #[error("{field} of this saved game is invalid: {expected} is expected")]
    Saved {
        field: String,
        expected: &'static str,
    },
    #[error(
        "this saved game is over, but its board has moves: delete \"over\", or correct the cells"
    )]
    NotOver,
    #[error("{}", several(.readings, *.has_flags))]
    Several {
        readings: Vec<Reading>,
        has_flags: bool,
    },
}

fn several(readings: &[Reading], has_flags: bool) -> String {
    let boards = readings
        .iter()
        .map(|reading| match reading.chosen_by.filter(|_| has_flags) {
            Some(read_as) => format!("{} ({})", reading.board, read_as.flags()),
            None => reading.board.to_string(),
        });
    let boards = boards.collect::<Vec<_>>().join(" or ");
    let all_have_flags = readings.iter().all(|reading| reading.chosen_by.is_some());
    let remedy = match has_flags {
        true if all_have_flags => "add the flag of the right one",
        true => "add its flag, or write the rows of the right one",
        false => "write the rows of the right one",
    };
    format!(
        "this text stands for {} boards, {boards}: {remedy}",
        readings.len()
    )
}

impl ParseBoardError {
    /// The same without advice on flags, for texts in files.
    #[must_use]
    pub(super) fn without_flags(self) -> Self {
        match self {
            Self::Tile {
                row, cell, word, ..
            } => Self::Tile {
                row,
                cell,
                word,
                may_be_exponents: false,
            },
            Self::Several { readings, .. } => Self::Several {
                readings,
                has_flags: false,
            },
            Self::Number(word) => Self::Word(word),
            other => other,
        }
    }
}

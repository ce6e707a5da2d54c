//! Reads boards, as other programs, people and this program write them.
//!
//! | text | file |
//! | --- | --- |
//! | rows, one line of 4, 9, 16 or 25 values, frames, tabs | `rows` |
//! | lists of lists, as NumPy, Python, JSON, Rust and C write them | `lists` |
//! | one-hot arrays: a channel of zeros and ones for each tile | `one_hot` |
//! | 64-bit integers, and one digit for each rank | `word` |
//! | the saved game of the original web game, and other objects with a board | `saved` |
//! | captions, headings and syntax around the cells, which are removed | `spelling` |
//!
//! The words of a cell are in `cell`. An ambiguous text has several [`Reading`]s. None of them is
//! preferred: the command line refuses such a text and names the flags, the window asks. Text → board is a relation of
//! the text and of [`ReadAs`] alone, so the same text is the same board in every place.
//!
//! To add a notation: a function that returns [`Reading`]s, a line in `all_readings`, and a row in `tests`.

mod cell;
mod error;
mod lists;
mod one_hot;
mod rows;
mod saved;
mod spelling;
#[cfg(test)]
mod tests;
mod word;

use std::borrow::Cow;
use std::str::FromStr;

use itertools::Itertools as _;

pub use self::error::ParseBoardError;
use self::rows::Layout;
pub(super) use self::rows::as_written_here;
pub(super) use self::spelling::after_score;
use super::{Board, Cell, Grid, Rank, Size};

/// The longest text of a board in bytes. A one-hot array of 5×5 cells in floating-point numbers has some 4,000.
const LONGEST: usize = 1 << 15;

/// The order of the cells in a 64-bit integer with four bits for each rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CellOrder {
    /// The first cell is in the lowest four bits: nneonneo/2048-ai, TDL2048+, aszczepanski/2048.
    Low,
    /// The first cell is in the highest four bits, so that hexadecimal digits are in reading order: ziap/2048-ai,
    /// macroxue/2048-ai, 2048EndgameTablebase.
    High,
}

/// What a text leaves open, as far as the user says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct ReadAs {
    pub cells: Option<CellOrder>,
    /// Numbers are exponents of tiles: 11 is 2048. In one-hot arrays the first channel is the empty cell.
    pub exponents: bool,
    /// A single number is a 64-bit integer in decimal digits.
    pub decimal: bool,
}

impl ReadAs {
    const TILES: Self = Self {
        cells: None,
        exponents: false,
        decimal: false,
    };

    /// The flags of the command line.
    pub fn flags(self) -> String {
        let cells = self.cells.map(|order| match order {
            CellOrder::Low => "--cells low",
            CellOrder::High => "--cells high",
        });
        let decimal = self.decimal.then_some("--decimal");
        let exponents = self.exponents.then_some("--exponents");
        [decimal, exponents, cells].into_iter().flatten().join(" ")
    }
}

/// A board that a text stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    pub board: Board,
    /// What chooses this reading among several. `None` if only its rows do, and for a single reading.
    pub chosen_by: Option<ReadAs>,
    /// The score in the text.
    pub score: Option<u64>,
    /// The newest tile, if the text marks it.
    pub new_tile: Option<Cell>,
}

impl Reading {
    const fn of(board: Board) -> Self {
        Self {
            board,
            chosen_by: None,
            score: None,
            new_tile: None,
        }
    }

    const fn chosen_by(self, chosen_by: ReadAs) -> Self {
        Self {
            chosen_by: Some(chosen_by),
            ..self
        }
    }

    /// How the text is read, to choose between readings: `first cell in the lowest four bits`. Of a one-hot array the
    /// exponents are the numbers of the channels from 0.
    pub fn name(&self) -> String {
        let Some(ReadAs {
            cells,
            exponents,
            decimal,
        }) = self.chosen_by
        else {
            return format!("{} board", self.board.size());
        };
        let order = cells.map(|order| match order {
            CellOrder::Low => "first cell in the lowest four bits",
            CellOrder::High => "first cell in the highest four bits",
        });
        let parts = [
            decimal.then_some("decimal number"),
            exponents.then_some("exponents: 0 is empty, 1 is the tile 2"),
            order,
        ];
        parts.into_iter().flatten().join(", ")
    }
}

/// All boards that a text stands for, at least one and all different, or why it is no board.
pub fn readings(text: &str, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    if LONGEST < text.len() {
        return Err(ParseBoardError::TooLong(text.len()));
    }
    if read_as.cells.is_none()
        && !read_as.decimal
        && let Some(board) = as_written_here(text.trim(), read_as.exponents)
    {
        return Ok(vec![Reading::of(board)]);
    }

    let text = plain(text);
    let (text, score) = spelling::bare(&text);
    let found = all_readings(&text, read_as)?.into_iter();
    let found = found.unique_by(|reading| reading.board);
    let mut found: Vec<Reading> = found
        .map(|reading| Reading {
            score: reading.score.or(score),
            ..reading
        })
        .collect();
    if let [only] = &mut found[..] {
        only.chosen_by = None;
    }
    Ok(found)
}

fn all_readings(text: &str, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let whole = text.trim();
    if whole.is_empty() {
        return Err(ParseBoardError::Nothing);
    }
    if whole.starts_with('<') && whole.contains("</") {
        return Err(ParseBoardError::Html);
    }
    if let Some(saved) = saved::read(whole, read_as) {
        return saved;
    }
    let bare = unquoted(whole);
    if is_one_word(bare) {
        return word::readings(bare, read_as);
    }
    if !text.contains(rows::is_bar) && text.contains(lists::is_bracket) {
        return lists::readings(whole, read_as);
    }
    // Tabs around the rows may stand for empty cells.
    let rows = if bare.len() == whole.len() {
        text.trim_matches('\n')
    } else {
        bare
    };
    if let Some(rows) = rows::of_digits(rows) {
        return of_digits(&rows, read_as);
    }
    from_layouts(&rows::layouts(rows)?, read_as)
}

/// The boards of rows with a digit for each cell. Each may be a tile, and each is an exponent.
fn of_digits(rows: &Layout<'_>, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let mut found = vec![from_rows(rows, read_as)?];
    if !read_as.exponents {
        let exponents = ReadAs {
            exponents: true,
            ..*read_as
        };
        found.push(from_rows(rows, &exponents)?.chosen_by(exponents));
    }
    Ok(found)
}

/// The boards to choose from where the user can be asked: those of [`readings`], and those of a text that is a board
/// only if its numbers are exponents or a 64-bit integer.
pub fn offers(text: &str) -> Result<Vec<Reading>, ParseBoardError> {
    let error = match readings(text, &ReadAs::TILES) {
        Err(error) => error,
        found => return found,
    };
    let read_as = match error {
        ParseBoardError::Tile {
            may_be_exponents: true,
            ..
        } => ReadAs {
            exponents: true,
            ..ReadAs::TILES
        },
        ParseBoardError::Number(_) => ReadAs {
            decimal: true,
            ..ReadAs::TILES
        },
        error => return Err(error.without_flags()),
    };
    let found = readings(text, &read_as).map_err(|_| error.without_flags())?;
    Ok(found
        .into_iter()
        .map(|reading| Reading {
            chosen_by: reading.chosen_by.or(Some(read_as)),
            ..reading
        })
        .collect())
}

/// The board that a text stands for. It is an error if there are several.
pub fn read(text: &str, read_as: &ReadAs) -> Result<Reading, ParseBoardError> {
    only(readings(text, read_as)?)
}

/// The same for a line among others or a field, where four values may be a row of a board as well as a 2×2 board.
pub fn read_line(line: &str, read_as: &ReadAs) -> Result<Reading, ParseBoardError> {
    let reading = read(line, read_as)?;
    let is_edge = |c: char| c.is_whitespace() || lists::is_bracket(c) || rows::is_bar(c);
    let has_rows = line
        .trim_matches(is_edge)
        .contains(|c| "/;\n".contains(c) || lists::is_bracket(c));
    if reading.board.size().cells() == 4 && !has_rows {
        Err(ParseBoardError::Flat(4))
    } else {
        Ok(reading)
    }
}

/// Whether a line that is no board may be the first one of a board of several lines.
pub fn may_go_on(line: &str, error: &ParseBoardError) -> bool {
    match error {
        ParseBoardError::Flat(2..=5) | ParseBoardError::Bracket { .. } => true,
        _ => rows::is_frame(line) || spelling::begins_board(line),
    }
}

fn only(mut found: Vec<Reading>) -> Result<Reading, ParseBoardError> {
    match found.pop() {
        Some(reading) if found.is_empty() => Ok(reading),
        Some(last) => {
            found.push(last);
            Err(ParseBoardError::Several {
                readings: found,
                has_flags: true,
            })
        }
        None => Err(ParseBoardError::Nothing),
    }
}

/// A text that cannot come with a flag: a field of a file.
impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match read_line(text, &ReadAs::TILES) {
            Ok(reading) => Ok(reading.board),
            Err(error) => Err(error.without_flags()),
        }
    }
}

impl Board {
    /// The board of sixteen digits up to `h`, one for each rank in reading order.
    pub fn of_digits(digits: &str) -> Option<Self> {
        word::of_digits(digits)
    }
}

/// The boards of layouts; the error of the first one if none is a board.
fn from_layouts(layouts: &[Layout<'_>], read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let mut found = Vec::new();
    let mut refused = None;
    for rows in layouts {
        match from_rows(rows, read_as) {
            Ok(reading) => found.push(reading),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    match refused {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

fn from_rows(rows: &Layout<'_>, read_as: &ReadAs) -> Result<Reading, ParseBoardError> {
    let range = usize::from(Size::MIN)..=usize::from(Size::MAX);
    if !range.contains(&rows.len()) {
        return Err(ParseBoardError::Rows(rows.len()));
    }
    let usual = usual_length(rows);
    for (index, row) in rows.iter().enumerate() {
        let expected = if row.len() != usual {
            format!("the others have {usual}")
        } else if !range.contains(&row.len()) {
            "rows have 2 to 5".to_owned()
        } else {
            continue;
        };
        return Err(ParseBoardError::Cells {
            row: index + 1,
            cells: row.len(),
            expected,
        });
    }

    let size = Size::new(rows.len() as u8, usual as u8).ok_or(ParseBoardError::Rows(rows.len()))?;
    let words = || rows.iter().flatten();
    let mut grid = Grid::empty(size);
    for (cell, token) in size.iter().zip(words()) {
        let rank = cell::rank(token.word, read_as.exponents).map_err(|reason| {
            let (row, cell) = (usize::from(cell.row) + 1, usize::from(cell.col) + 1);
            let word = token.word.to_owned();
            let may_be_exponents =
                !read_as.exponents && words().all(|token| cell::rank(token.word, true).is_ok());
            match reason {
                cell::Refusal::Tile => ParseBoardError::Tile {
                    row,
                    cell,
                    word,
                    may_be_exponents,
                },
                cell::Refusal::TooLarge => ParseBoardError::TooLarge { row, cell, word },
                cell::Refusal::Exponent => ParseBoardError::Exponent { row, cell, word },
            }
        })?;
        grid.set(cell, rank);
    }
    let mut marked = size
        .iter()
        .zip(words())
        .filter(|(_, token)| token.is_new)
        .map(|(cell, _)| cell);
    let new_tile = marked.next().filter(|_| marked.next().is_none());
    Ok(Reading {
        new_tile,
        ..Reading::of(Board::from_grid(grid))
    })
}

/// The most frequent row length; in a tie the one that comes first.
fn usual_length(rows: &Layout<'_>) -> usize {
    let count = |length: usize| rows.iter().filter(|row| row.len() == length).count();
    let mut usual = 0;
    for row in rows {
        if count(usual) < count(row.len()) {
            usual = row.len();
        }
    }
    usual
}

/// The text without a byte order mark, colors of a terminal, and carriage returns.
fn plain(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.contains(['\x1b', '\r', '\u{a0}']) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\x1b' if chars.peek() == Some(&'[') => {
                // A sequence ends at its first letter.
                chars.by_ref().skip(1).find(char::is_ascii_alphabetic);
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' => plain.push('\n'),
            '\u{a0}' => plain.push(' '),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// The text inside quotes that surround all of it, without the separator after it. Below other lines, a separator at
/// the end may stand before an empty cell.
fn unquoted(text: &str) -> &str {
    let text = if text.contains('\n') {
        text
    } else {
        text.trim_end_matches([';', ',']).trim_end()
    };
    let inside = ['"', '\'', '`'].iter().find_map(|&quote| {
        let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.contains(quote)).then_some(inside.trim())
    });
    inside.unwrap_or(text)
}

fn is_one_word(text: &str) -> bool {
    !text.contains(|c: char| {
        c.is_whitespace() || ",;/".contains(c) || rows::is_bar(c) || lists::is_bracket(c)
    })
}

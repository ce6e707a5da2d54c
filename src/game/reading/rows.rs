//! Rows without brackets: separators, frames, tabs.
//!
//! Slashes separate rows wherever they are. Bars `|` and the lines of frames draw cells; a blank one is empty. So is a
//! blank cell between tabs. Otherwise a line is a row, and blanks, commas and semicolons separate its cells.

use super::{Board, Grid, ParseBoardError, Rank, Size, cell};

/// A cell as written; an empty word is an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'a> {
    pub word: &'a str,
    /// Whether the text marks it as the newest tile.
    pub is_new: bool,
}

impl<'a> Token<'a> {
    const fn of(word: &'a str) -> Self {
        Self {
            word,
            is_new: false,
        }
    }
}

pub(super) type Row<'a> = Vec<Token<'a>>;

/// The rows of a board as written.
pub(super) type Layout<'a> = Vec<Row<'a>>;

pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║' | '¦')
}

/// Characters of lines between rows, besides bars, blanks and `-`.
fn is_of_frame(c: char) -> bool {
    matches!(c, '+' | '=' | ':' | '\u{2500}'..='\u{257f}')
}

/// The board as [`Board`] writes it, or its exponents in the same form: `2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2`. This is the
/// common case, and fast.
pub(in crate::game) fn as_written_here(text: &str, exponents: bool) -> Option<Board> {
    let rank = |number: u64| match exponents {
        true => Rank::new(u8::try_from(number).ok()?),
        false => Rank::of_tile(number),
    };
    let (rows, cols) = (
        text.split('/').count(),
        text.split('/').next()?.split(',').count(),
    );
    let size = Size::new(u8::try_from(rows).ok()?, u8::try_from(cols).ok()?)?;
    let mut grid = Grid::empty(size);
    let mut cells = size.iter();
    for row in text.split('/') {
        let mut count = 0;
        for word in row.split(',') {
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            grid.set(cells.next()?, rank(word.parse().ok()?)?);
            count += 1;
        }
        if count != cols {
            return None;
        }
    }
    Some(Board::from_grid(grid))
}

/// The rows of a text; several layouts if its blank edges may or may not be cells.
pub(super) fn layouts(text: &str) -> Result<Vec<Layout<'_>>, ParseBoardError> {
    let separates = |c: char| c.is_whitespace() || c == ',' || c == ';' || is_bar(c);
    let blocks = blocks(text);
    let has_rows = text.lines().any(|line| line.trim().contains(separates));
    if has_rows && 1 < blocks.len() && blocks.iter().all(|&rows| 1 < rows) {
        return Err(ParseBoardError::Blocks(blocks.len()));
    }
    if text.contains(is_bar) {
        let rows = framed(text)?;
        // The blank heading of a table in Markdown may also be a row.
        let table = has_blank_heading(text).then(|| rows[1..].to_vec());
        return Ok([Some(rows), table].into_iter().flatten().collect());
    }
    if text.contains('/') {
        return slashed(text).map(|rows| vec![rows]);
    }
    if text.contains('\t') {
        return tabbed(text);
    }
    if text.contains(';') {
        return with_semicolons(text).map(|rows| vec![rows]);
    }
    lines(text).map(|rows| vec![rows])
}

/// Whether a text is a table in Markdown whose heading has no words: the only line between rows follows it.
fn has_blank_heading(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_blank =
        |line: &str| line.contains(is_bar) && line.chars().all(|c| is_bar(c) || c.is_whitespace());
    lines.next().is_some_and(is_blank) && lines.next().is_some_and(is_frame) && !lines.any(is_frame)
}

/// Whether a word is a digit for each cell of a row: `47a.`.
pub(super) fn is_digits(word: &str) -> bool {
    (2..=5).contains(&word.len())
        && word
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'h' | b'A'..=b'H' | b'.' | b'_'))
}

/// Rows with a digit for each cell: `47a.` below `31..`. `None` if the text is something else.
pub(super) fn of_digits<'a>(text: &'a str) -> Option<Layout<'a>> {
    let words: Vec<&'a str> = text
        .split(['\n', '/'])
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    let are_rows = words
        .iter()
        .all(|word| is_digits(word) && word.len() == words[0].len());
    // A column of floating-point numbers: `2.`.
    let is_float = |word: &&str| {
        word.strip_suffix('.')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let cells = |word: &'a str| {
        (0..word.len())
            .map(|at| Token::of(&word[at..=at]))
            .collect()
    };
    // Lines with slashes between rows are several boards, not the rows of one.
    let mut lines = text
        .trim()
        .lines()
        .map(|line| line.trim().trim_end_matches('/'));
    let is_one = text.trim().lines().count() == 1 || !lines.any(|line| line.contains('/'));
    (is_one && are_rows && !words.iter().all(is_float) && (2..=5).contains(&words.len()))
        .then(|| words.into_iter().map(cells).collect())
}

/// The lines with content of each block between blank lines. A line of tabs may be a row of empty cells.
fn blocks(text: &str) -> Vec<usize> {
    let is_blank = |line: &&str| line.trim().is_empty() && !line.contains('\t');
    let lines: Vec<&str> = text.lines().collect();
    let blocks = lines
        .split(is_blank)
        .map(|block| block.iter().filter(|line| !is_frame(line)).count());
    blocks.filter(|&rows| rows != 0).collect()
}

/// One row of 4, 9, 16 or 25 cells as a square board.
pub(super) fn square<'a>(row: &[Token<'a>]) -> Result<Layout<'a>, ParseBoardError> {
    let side = (2..=5)
        .find(|side| side * side == row.len())
        .ok_or(ParseBoardError::Flat(row.len()))?;
    Ok(row.chunks(side).map(<[_]>::to_vec).collect())
}

/// The words of one row, separated by commas or blanks.
pub(super) fn words_of(row: usize, text: &str) -> Result<Row<'_>, ParseBoardError> {
    let mut words = Vec::new();
    if text.trim().is_empty() {
        return Ok(words);
    }
    let mut is_new = false;
    for piece in text.split(',') {
        let before = words.len();
        for word in piece.split_whitespace() {
            match word {
                ">" => is_new = true,
                "<" if words.last().is_some_and(|last: &Token<'_>| last.is_new) => {}
                word => {
                    let token = token(word);
                    words.push(Token {
                        is_new: token.is_new || std::mem::take(&mut is_new),
                        ..token
                    });
                }
            }
        }
        if words.len() == before {
            return Err(ParseBoardError::Missing {
                row,
                cell: before + 1,
            });
        }
    }
    Ok(words)
}

/// A word without its quotes and the mark of the newest tile.
fn token(word: &str) -> Token<'_> {
    let word = inside(word, '"', '"')
        .or_else(|| inside(word, '\'', '\''))
        .unwrap_or(word)
        .trim();
    let is_tile = |tile: &str| tile.starts_with(|c: char| c.is_ascii_digit());
    let marks = [('>', '<'), ('*', '*'), ('(', ')'), ('[', ']')];
    let marked = marks
        .into_iter()
        .find_map(|(open, close)| inside(word, open, close))
        .map(str::trim);
    match marked
        .or_else(|| word.strip_suffix('*'))
        .filter(|tile| is_tile(tile))
    {
        Some(tile) => Token {
            word: tile,
            is_new: true,
        },
        None => Token::of(word),
    }
}

fn inside(word: &str, open: char, close: char) -> Option<&str> {
    word.strip_prefix(open)?.strip_suffix(close)
}

fn slashed(text: &str) -> Result<Layout<'_>, ParseBoardError> {
    let mut rows = Vec::new();
    let has_lines = text.contains('\n');
    for row in text.split('/') {
        // A line break next to a slash separates nothing more.
        let row = row.trim();
        if row.contains('\n') {
            return Err(ParseBoardError::Separators);
        }
        if has_lines && row.is_empty() {
            continue;
        }
        let row = inside(row, '"', '"')
            .filter(|row| !row.contains('"'))
            .unwrap_or(row);
        rows.push(words_of(rows.len() + 1, row)?);
    }
    Ok(rows)
}

/// Lines with content.
fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !is_frame(line))
}

/// Whether a line is drawn between rows: `+----+----+`, `=====`, `├──┼──┤`.
pub(super) fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let is_drawn = |c: char| is_of_frame(c) || is_bar(c) || c == '-' || c == ' ';
    line.chars().all(is_drawn)
        && (line.contains("--") || line.chars().any(|c| is_of_frame(c) && !is_bar(c)))
}

fn lines(text: &str) -> Result<Layout<'_>, ParseBoardError> {
    let lines: Vec<&str> = content(text).collect();
    let Some((last, others)) = lines.split_last() else {
        return Err(ParseBoardError::Nothing);
    };
    // A comma at the end of all lines but the last one separates rows.
    let has_commas =
        !last.trim_end().ends_with(',') && others.iter().all(|line| line.trim_end().ends_with(','));
    let mut rows: Layout<'_> = Vec::new();
    for line in &lines {
        let line = line.trim();
        let line = if has_commas {
            line.trim_end_matches(',')
        } else {
            line
        };
        let line = inside(line, '"', '"')
            .filter(|line| !line.contains('"'))
            .unwrap_or(line);
        rows.push(words_of(rows.len() + 1, line)?);
    }
    if rows.len() == 1 {
        return square(&rows[0]);
    }
    if 5 < rows.len() && rows.iter().all(|row| row.len() == 1) {
        return square(&rows.concat());
    }
    check_columns(&lines)?;
    Ok(rows)
}

/// Refuses columns with blanks as empty cells. Without separators, blanks between the cells are either alike everywhere
/// or align the cells of each column.
fn check_columns(lines: &[&str]) -> Result<(), ParseBoardError> {
    let mut places: Vec<Vec<(usize, usize)>> = lines.iter().map(|line| places(line)).collect();
    let gaps = || {
        places
            .iter()
            .flat_map(|row| row.windows(2).map(|pair| pair[1].0 - pair[0].1))
    };
    let is_even = gaps().all(|gap| gap == 1) || gaps().min() == gaps().max();
    let first = places.first().map_or(0, Vec::len);
    if is_even
        || lines.iter().any(|line| line.contains(','))
        || places.iter().any(|row| row.len() != first)
    {
        return Ok(());
    }
    // The first line may have lost its indent.
    let ends = [&places[0], &places[1]].map(|row| row.last().copied().unwrap_or_default());
    let indents = [
        0,
        ends[1].1.saturating_sub(ends[0].1),
        ends[1].0.saturating_sub(ends[0].0),
    ];
    let written = places[0].clone();
    let mut broken = None;
    for indent in indents {
        places[0] = written
            .iter()
            .map(|(start, end)| (start + indent, end + indent))
            .collect();
        match broken_column(&places) {
            None => return Ok(()),
            column => broken = broken.or(column),
        }
    }
    Err(ParseBoardError::Gap {
        row: 1,
        cell: broken.unwrap_or_default() + 1,
    })
}

/// The first column whose words neither overlap nor begin or end below each other.
fn broken_column(places: &[Vec<(usize, usize)>]) -> Option<usize> {
    let is_broken = |col: &usize| {
        let column = || places.iter().map(|row| row[*col]);
        let (start, end) = (
            column().map(|(start, _)| start).max(),
            column().map(|(_, end)| end).min(),
        );
        let is_aligned = |edge: fn((usize, usize)) -> usize| {
            column().map(edge).min() == column().map(edge).max()
        };
        end <= start && !is_aligned(|place| place.0) && !is_aligned(|place| place.1)
    };
    (0..places.first()?.len()).find(is_broken)
}

/// The first and the last column, exclusive, of each word of a line.
fn places(line: &str) -> Vec<(usize, usize)> {
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut is_inside = false;
    for (column, c) in line.chars().enumerate() {
        match (c.is_whitespace(), is_inside, places.last_mut()) {
            (false, true, Some(place)) => place.1 = column + 1,
            (false, _, _) => places.push((column, column + 1)),
            _ => {}
        }
        is_inside = !c.is_whitespace();
    }
    places
}

fn with_semicolons(text: &str) -> Result<Layout<'_>, ParseBoardError> {
    let lines: Vec<&str> = content(text).map(str::trim).collect();
    let ended = || lines.iter().map(|line| line.trim_end_matches(';'));
    if ended().all(|line| !line.contains(';')) {
        let rows = ended()
            .enumerate()
            .map(|(index, line)| words_of(index + 1, line));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        return if rows.len() == 1 {
            square(&rows.concat())
        } else {
            Ok(rows)
        };
    }
    // Below other lines, a semicolon at the end stands before an empty cell.
    let lines: Vec<&str> = if lines.len() == 1 {
        ended().collect()
    } else {
        lines
    };

    let has_cells = |piece: &str| piece.split_whitespace().count() == 1;
    let mut rows: Layout<'_> = Vec::new();
    for line in &lines {
        let pieces: Vec<&str> = line.split(';').collect();
        if pieces
            .iter()
            .all(|piece| has_cells(piece) && !piece.contains(','))
        {
            rows.push(pieces.iter().map(|piece| token(piece.trim())).collect());
            continue;
        }
        if let [_, _, ..] = lines[..] {
            let missing = pieces
                .iter()
                .position(|piece| !has_cells(piece))
                .unwrap_or_default();
            return Err(ParseBoardError::Missing {
                row: rows.len() + 1,
                cell: missing + 1,
            });
        }
        return pieces
            .iter()
            .enumerate()
            .map(|(index, piece)| words_of(index + 1, piece))
            .collect();
    }
    if rows.len() == 1 {
        square(&rows[0])
    } else {
        Ok(rows)
    }
}

/// Rows of cells between tabs. A blank column at an edge may be a column of empty cells or an indent.
fn tabbed(text: &str) -> Result<Vec<Layout<'_>>, ParseBoardError> {
    let is_row = |line: &&str| line.contains('\t') || (!line.trim().is_empty() && !is_frame(line));
    let cell = |piece: &str| piece.trim().trim_end_matches(',').trim().len();
    let mut rows: Layout<'_> = Vec::new();
    for line in text.lines().filter(is_row) {
        let mut row = Vec::new();
        for piece in line.split('\t') {
            let piece = piece.trim();
            let word = &piece[..cell(piece)];
            if word.contains(char::is_whitespace) {
                let (row, cell, word) = (rows.len() + 1, row.len() + 1, word.to_owned());
                return Err(ParseBoardError::Tile {
                    row,
                    cell,
                    word,
                    may_be_exponents: false,
                });
            }
            row.push(token(word));
        }
        rows.push(row);
    }
    if rows.iter().flatten().all(|token| token.word.is_empty()) {
        return Err(ParseBoardError::Nothing);
    }

    let is_blank = |token: Option<&Token<'_>>| token.is_some_and(|token| token.word.is_empty());
    let leads = rows.iter().all(|row| is_blank(row.first()));
    let trails = rows.iter().all(|row| is_blank(row.last()));
    if let [row] = &rows[..] {
        let inner = &row[usize::from(leads)..row.len() - usize::from(trails)];
        return square(row)
            .or_else(|_| square(inner))
            .map(|rows| vec![rows]);
    }
    let mut layouts = Vec::new();
    for (first, last) in [(false, false), (true, false), (false, true), (true, true)] {
        if (leads || !first) && (trails || !last) {
            layouts.push(
                rows.iter()
                    .map(|row| without_edges(row, first, last))
                    .collect(),
            );
        }
    }
    Ok(layouts)
}

/// A row without its first or last cell.
fn without_edges<'a>(row: &[Token<'a>], first: bool, last: bool) -> Row<'a> {
    let cells = row
        .len()
        .saturating_sub(usize::from(first) + usize::from(last));
    row.iter()
        .copied()
        .skip(usize::from(first))
        .take(cells)
        .collect()
}

/// A drawn board. Lines between two lines of the frame are one row if they are all alike in number and only one of them
/// has tiles.
fn framed(text: &str) -> Result<Layout<'_>, ParseBoardError> {
    let mut groups: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match groups.last_mut() {
            Some(group) if !is_frame(line) => group.push(line),
            Some(group) if !group.is_empty() => groups.push(Vec::new()),
            _ => {}
        }
    }
    groups.retain(|group| !group.is_empty());
    let lines = groups.concat();
    if lines.is_empty() {
        return Err(ParseBoardError::Nothing);
    }
    let pieces: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line.split(is_bar).map(str::trim).collect())
        .collect();
    let has_frame = text.lines().any(is_frame);
    let pieces = without_border(pieces, &lines, has_frame)?;

    if let [only] = &pieces[..] {
        let is_row = |piece: &&str| {
            1 < piece
                .split([' ', ','])
                .filter(|word| !word.is_empty())
                .count()
        };
        if only.iter().any(is_row) && !only.iter().any(|piece| piece.contains(['>', '<'])) {
            return match &only[..] {
                [row] => square(&words_of(1, row)?),
                rows => rows
                    .iter()
                    .enumerate()
                    .map(|(index, row)| words_of(index + 1, row))
                    .collect(),
            };
        }
    }

    let mut rows: Layout<'_> = Vec::new();
    for pieces in &pieces {
        let number = rows.len() + 1;
        rows.push(match &pieces[..] {
            [row] => words_of(number, row)?,
            pieces => pieces
                .iter()
                .enumerate()
                .map(|(index, piece)| framed_cell(number, index + 1, piece))
                .collect::<Result<_, _>>()?,
        });
    }
    let height = groups[0].len();
    if 1 < groups.len() && 1 < height && groups.iter().all(|group| group.len() == height) {
        return merged(&rows, height);
    }
    if rows.len() == 1 {
        square(&rows[0])
    } else {
        Ok(rows)
    }
}

/// The pieces of lines between bars, without the blank ones outside of a border.
fn without_border<'a>(
    pieces: Vec<Vec<&'a str>>,
    lines: &[&str],
    has_frame: bool,
) -> Result<Vec<Vec<&'a str>>, ParseBoardError> {
    let with_bars = || {
        pieces
            .iter()
            .zip(lines)
            .filter(|(pieces, _)| 1 < pieces.len())
    };
    let begins =
        with_bars().all(|(pieces, _)| pieces.first().is_some_and(|piece| piece.is_empty()));
    let ends = with_bars().all(|(pieces, _)| pieces.last().is_some_and(|piece| piece.is_empty()));
    let is_indented =
        |line: &str| line.starts_with(char::is_whitespace) && line.ends_with(char::is_whitespace);
    // Blanks outside the first and the last bar may be the cells of two empty columns.
    let may_be_cells =
        !has_frame && 1 < lines.len() && with_bars().all(|(_, line)| is_indented(line));
    match (begins, ends) {
        (true, true) if !may_be_cells => {
            let inner = |pieces: Vec<&'a str>| match &pieces[..] {
                [_, inner @ .., _] => inner.to_vec(),
                _ => pieces,
            };
            Ok(pieces.into_iter().map(inner).collect())
        }
        (false, false) => Ok(pieces),
        (false, true) => Err(ParseBoardError::Missing {
            row: 1,
            cell: pieces.first().map_or(1, Vec::len),
        }),
        (true, _) => Err(ParseBoardError::Missing { row: 1, cell: 1 }),
    }
}

fn framed_cell(row: usize, cell: usize, piece: &str) -> Result<Token<'_>, ParseBoardError> {
    let token = token(piece);
    if token.word.contains(char::is_whitespace) {
        let word = token.word.to_owned();
        return Err(ParseBoardError::Tile {
            row,
            cell,
            word,
            may_be_exponents: false,
        });
    }
    Ok(token)
}

/// One row for each group of lines.
fn merged<'a>(lines: &Layout<'a>, height: usize) -> Result<Layout<'a>, ParseBoardError> {
    let is_blank = |row: &&Row<'a>| row.iter().all(|token| token.word.is_empty());
    let groups = || lines.chunks(height);
    let is_one_row = |group: &[Row<'a>]| group.iter().filter(|row| !is_blank(row)).count() <= 1;
    if !groups().all(is_one_row) {
        return Ok(lines.clone());
    }
    // If all lines may be rows as well, the blank ones must be written.
    if lines.len() <= usize::from(Size::MAX) {
        let row = lines
            .iter()
            .position(|row| is_blank(&row))
            .map_or(1, |index| index + 1);
        return Err(ParseBoardError::Missing { row, cell: 1 });
    }
    let row = |group: &[Row<'a>]| {
        group
            .iter()
            .find(|row| !is_blank(row))
            .or(group.first())
            .cloned()
    };
    Ok(groups().filter_map(row).collect())
}

/// The bits of tokens; `None` if one of them is neither 0 nor 1.
pub(super) fn bits(row: &[Token<'_>]) -> Option<Vec<bool>> {
    row.iter().map(|&token| channel(token)).collect()
}

/// Whether this word is a zero or a one of an array of channels.
fn channel(token: Token<'_>) -> Option<bool> {
    match token.word {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        word => match cell::number(word) {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
    }
}

//! Reads data sets of games: JSON, with an object per game or per move, and CSV with a row per move.
//!
//! An object is a game if it has a list of moves, or lists of boards and of actions; otherwise it is a move. The names
//! of the fields are those of [`names`]; other fields are ignored. Moves with the same game are together, in the order
//! of the file. Without a game, another begins where the number of the move falls, or as in other lists of boards.
//!
//! A board is a list of rows, a list of 4, 9, 16 or 25 cells, a text in any board notation, or, in CSV, a column per
//! cell: columns whose names differ in their numbers only. `null` is an empty cell. A file whose boards hold numbers
//! that are not tiles, such as 1 or 3, has exponents.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::actions;
use super::sequence::{self, Frame, Sequence};
use super::{ImportError, ImportKind, ImportPlace, Imported, refused};
use crate::game::{Board, Grid, Rank, Size};
use crate::words;

/// The names of the fields, in lowercase and with underscores. The first that an object has counts.
mod names {
    pub(super) const BOARD: &[&str] =
        &["board", "state", "grid", "observation", "obs", "before", "board_before", "position", "tiles"];
    pub(super) const NEXT: &[&str] = &[
        "next_board",
        "next_state",
        "next_observation",
        "next_obs",
        "board_after",
        "after",
        "afterstate",
        "next",
        "final_board",
        "final_state",
    ];
    pub(super) const ACTION: &[&str] = &["action", "direction", "dir", "move"];
    pub(super) const REWARD: &[&str] = &["reward", "points"];
    pub(super) const SCORE: &[&str] = &["score", "total_score", "final_score"];
    pub(super) const GAME: &[&str] = &["game", "game_id", "episode", "episode_id"];
    pub(super) const NUMBER: &[&str] = &["move_number", "move_index", "step", "turn", "ply", "t", "move"];
    pub(super) const BOARDS: &[&str] = &["boards", "states", "grids", "observations", "positions"];
    pub(super) const ACTIONS: &[&str] = &["actions", "moves", "directions"];
    pub(super) const REWARDS: &[&str] = &["rewards"];
}

type Object = Map<String, Value>;

/// The kind of a data set, from its first object or its head.
pub(super) fn kind_of(text: &str) -> Option<ImportKind> {
    if text.trim_start().starts_with(['{', '[']) {
        let (_, first) = Objects::of(text).next()?.ok()?;
        return is_game(&first).then_some(ImportKind::Json);
    }
    Columns::of(text).map(|_| ImportKind::Csv)
}

/// Whether an object is a game or a move of one.
fn is_game(object: &Object) -> bool {
    // Files of this program have these.
    if ["program", "how", "format"].iter().any(|name| object.contains_key(*name)) {
        return false;
    }
    let is_move = is_board(field(object, names::BOARD))
        && [names::ACTION, names::NEXT, names::NUMBER, names::GAME].iter().any(|name| field(object, name).is_some());
    is_move || moves(object).is_some() || parallel(object).is_some()
}

fn is_board(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Array(_) | Value::String(_)))
}

/// The first field of these names.
fn field<'a>(object: &'a Object, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| {
        object.get(*name).or_else(|| object.iter().find(|(key, _)| plain(key) == **name).map(|(_, value)| value))
    })
}

/// A name in lowercase, with underscores.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// The list of the moves of a game, or of the games of a file.
fn moves(object: &Object) -> Option<&Vec<Value>> {
    object.values().filter_map(Value::as_array).find(|list| match list.first() {
        Some(Value::Object(first)) => is_board(field(first, names::BOARD)) || is_game(first),
        _ => false,
    })
}

/// Lists of boards and, perhaps, of actions.
fn parallel(object: &Object) -> Option<(&Vec<Value>, Option<&Vec<Value>>)> {
    let boards = field(object, names::BOARDS)?.as_array()?;
    is_board(boards.first()).then(|| (boards, field(object, names::ACTIONS).and_then(Value::as_array)))
}

/// The objects of a text, with the line on which each begins: one after the other, or as a list.
struct Objects<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
}

impl<'a> Objects<'a> {
    fn of(text: &'a str) -> Self {
        let offset = text.find(|c: char| !c.is_whitespace()).filter(|&offset| text[offset..].starts_with('['));
        let mut objects = Self { text, offset: 0, line: 1 };
        objects.advance(offset.map_or(0, |offset| offset + 1));
        objects
    }

    fn advance(&mut self, bytes: usize) {
        self.line += self.text[self.offset..self.offset + bytes].bytes().filter(|&byte| byte == b'\n').count();
        self.offset += bytes;
    }
}

impl Iterator for Objects<'_> {
    type Item = Result<(usize, Object), ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.offset..];
        let between = |c: char| c.is_whitespace() || c == ',';
        self.advance(rest.len() - rest.trim_start_matches(between).len());
        let rest = &self.text[self.offset..];
        if rest.is_empty() || rest.starts_with(']') {
            return None;
        }

        let line = self.line;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Object>();
        match values.next()? {
            Ok(object) => {
                let bytes = values.byte_offset();
                self.advance(bytes);
                Some(Ok((line, object)))
            }
            Err(error) => {
                let place = ImportPlace::Line(line + error.line().saturating_sub(1));
                // Nothing after it can be read.
                self.offset = self.text.len();
                let reason = match error.is_eof() {
                    true => "the file ends inside this object: restore the whole file".to_owned(),
                    false => format!("a JSON object is expected here (column {})", error.column()),
                };
                Some(Err(refused(place, reason)))
            }
        }
    }
}

pub(super) fn read_json(text: &str) -> Result<Vec<Imported>, ImportError> {
    let mut games = Games::default();
    for object in Objects::of(text) {
        let (line, object) = object?;
        games.add(&object, line, None)?;
    }
    games.read(ImportKind::Json)
}

pub(super) fn read_csv(text: &str) -> Result<Vec<Imported>, ImportError> {
    let columns = Columns::of(text).ok_or_else(|| refused(ImportPlace::Line(1), "no column is a board"))?;
    let mut reader = csv::ReaderBuilder::new();
    reader.delimiter(columns.delimiter).has_headers(columns.has_head).flexible(true).trim(csv::Trim::All);
    let mut games = Games::default();
    for (index, record) in reader.from_reader(text.trim_start().as_bytes()).records().enumerate() {
        let blank = text.len() - text.trim_start().len();
        let before = text[..blank].lines().count();
        let line = |position: Option<&csv::Position>| position.map_or(index + 1, |at| at.line() as usize) + before;
        let record =
            record.map_err(|error| refused(ImportPlace::Line(line(error.position())), "this is not a CSV row"))?;
        let line = line(record.position());
        if record.len() != columns.names.len() {
            let [found, expected] =
                [record.len(), columns.names.len()].map(|count| words::plural(count as u64, "field"));
            return Err(refused(
                ImportPlace::Line(line),
                format!("this row has {found}, but the first line has {expected}"),
            ));
        }
        games.add(&columns.object(&record), line, None)?;
    }
    games.read(ImportKind::Csv)
}

/// The columns of a CSV file.
struct Columns {
    delimiter: u8,
    /// In their plain form.
    names: Vec<String>,
    has_head: bool,
    /// Columns of cells, and the columns of the board if they have rows: `r1c1`, `cell_0_3`.
    cells: Vec<usize>,
    sides: Option<usize>,
}

impl Columns {
    /// `None` if no column is a board, or none is an action, a next board, a game or a number.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let (head, rest) = text.split_once('\n')?;
        let delimiter = [b',', b';', b'\t'].into_iter().find(|&delimiter| head.contains(char::from(delimiter)))?;
        let mut reader = csv::ReaderBuilder::new();
        reader.delimiter(delimiter).has_headers(false).trim(csv::Trim::All);
        let record = reader.from_reader(head.as_bytes()).records().next()?.ok()?;
        let names: Vec<String> = record.iter().map(plain).collect();
        if rest.trim().is_empty() {
            return None;
        }

        // Sixteen cells and an action need no names.
        if names.len() == 17 && names.iter().all(|name| name.parse::<f64>().is_ok()) {
            let names = (0..16).map(|cell| format!("c{cell}")).chain(["action".to_owned()]).collect();
            return Some(Self { delimiter, names, has_head: false, cells: (0..16).collect(), sides: None });
        }
        let has = |known: &[&str]| names.iter().any(|name| known.contains(&&**name));
        let others = [names::ACTION, names::NEXT, names::NUMBER, names::GAME];
        if !others.into_iter().any(has) {
            return None;
        }
        if has(names::BOARD) {
            return Some(Self { delimiter, names, has_head: true, cells: Vec::new(), sides: None });
        }
        let (cells, sides) = cells(&names)?;
        Some(Self { delimiter, names, has_head: true, cells, sides })
    }

    /// A row, its cells as a board.
    fn object(&self, record: &csv::StringRecord) -> Object {
        let text = |cell: &str| Value::String(cell.to_owned());
        let is_cell = |index: &usize| self.cells.contains(index);
        let others = record.iter().enumerate().filter(|(index, _)| !is_cell(index));
        let mut object: Object = others.map(|(index, field)| (self.names[index].clone(), text(field))).collect();
        if !self.cells.is_empty() {
            let cells: Vec<Value> = self.cells.iter().filter_map(|&index| record.get(index)).map(text).collect();
            let board = match self.sides {
                Some(cols) => cells.chunks(cols).map(|row| Value::Array(row.to_vec())).collect(),
                None => cells,
            };
            object.insert("board".to_owned(), Value::Array(board));
        }
        object
    }
}

/// Columns whose names differ in their numbers only, as many as a board has cells, and the columns of that board if the
/// names have two numbers.
fn cells(names: &[String]) -> Option<(Vec<usize>, Option<usize>)> {
    let numbers = |name: &str| -> Vec<u32> {
        name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
    };
    let letters = |name: &str| name.replace(|c: char| !c.is_alphabetic(), "");
    names.iter().find_map(|first| {
        let count = numbers(first).len();
        let is_alike = |name: &str| letters(name) == letters(first) && numbers(name).len() == count;
        let mut cells: Vec<usize> = (0..names.len()).filter(|&index| is_alike(&names[index])).collect();
        match count {
            1 => {
                // Columns in alphabetical order have c10 before c2.
                cells.sort_by_key(|&index| numbers(&names[index]));
                side(cells.len()).map(|_| (cells, None))
            }
            2 => {
                let first_row = numbers(first)[0];
                let cols = cells.iter().filter(|&&index| numbers(&names[index])[0] == first_row).count();
                let size = Size::new(u8::try_from(cells.len() / cols).ok()?, u8::try_from(cols).ok()?)?;
                (size.cells() == cells.len()).then_some((cells, Some(cols)))
            }
            _ => None,
        }
    })
}

/// The side of a square board with this number of cells.
fn side(cells: usize) -> Option<u8> {
    (Size::MIN..=Size::MAX).find(|&side| usize::from(side) * usize::from(side) == cells)
}

/// A board whose numbers may be tiles or exponents.
struct Numbers {
    size: Size,
    numbers: Vec<u64>,
}

impl Numbers {
    fn of(value: &Value) -> Result<Self, String> {
        match value {
            Value::String(text) => {
                if let Ok(list @ Value::Array(_)) = serde_json::from_str(text) {
                    return Self::of(&list);
                }
                let board: Board = text.parse().map_err(|error| format!("{error}"))?;
                Ok(Self { size: board.size(), numbers: board.cells().map(|(_, rank)| rank.tile()).collect() })
            }
            Value::Array(list) if list.iter().all(Value::is_array) => {
                let rows: Vec<&Vec<Value>> = list.iter().filter_map(Value::as_array).collect();
                let cols = rows.first().map_or(0, |row| row.len());
                if let Some(row) = rows.iter().position(|row| row.len() != cols) {
                    return Err(format!("row {} has {} cells, but row 1 has {cols}", row + 1, rows[row].len()));
                }
                let size = u8::try_from(rows.len()).ok().zip(u8::try_from(cols).ok());
                let size = size.and_then(|(rows, cols)| Size::new(rows, cols));
                let size =
                    size.ok_or_else(|| format!("a board has 2 to 5 rows and columns, not {} and {cols}", rows.len()))?;
                Self::of_cells(size, rows.into_iter().flatten())
            }
            Value::Array(list) => {
                let side = side(list.len());
                let size = side.and_then(|side| Size::new(side, side));
                let count = words::plural(list.len() as u64, "cell");
                let size = size.ok_or_else(|| format!("{count} do not make a square board: write a list of rows"))?;
                Self::of_cells(size, list.iter())
            }
            _ => Err("a board is a list of cells or a text".to_owned()),
        }
    }

    fn of_cells<'a>(size: Size, values: impl Iterator<Item = &'a Value>) -> Result<Self, String> {
        let number = |value: &Value| match value {
            Value::Null => Some(0),
            Value::String(text) if text.is_empty() || text == "." => Some(0),
            Value::String(text) => whole(text.parse().ok()?),
            value => whole(value.as_f64()?),
        };
        let cells = size.iter().zip(values).map(|(cell, value)| {
            number(value).ok_or_else(|| format!("row {}, cell {}: {value} is not a tile", cell.row + 1, cell.col + 1))
        });
        Ok(Self { size, numbers: cells.collect::<Result<_, String>>()? })
    }

    fn is_of_tiles(&self) -> bool {
        self.numbers.iter().all(|&tile| Rank::of_tile(tile).is_some())
    }

    fn board(&self, is_exponents: bool) -> Result<Board, String> {
        let mut grid = Grid::empty(self.size);
        for (cell, &number) in self.size.iter().zip(&self.numbers) {
            let rank = match is_exponents {
                true => u8::try_from(number).ok().and_then(Rank::new),
                false => Rank::of_tile(number),
            };
            let (row, col) = (cell.row + 1, cell.col + 1);
            grid.set(cell, rank.ok_or_else(|| format!("row {row}, cell {col}: {number} is not a tile"))?);
        }
        Ok(Board::from_grid(grid))
    }
}

/// A whole number that is not negative, as such.
fn whole(number: f64) -> Option<u64> {
    (0.0 <= number && number.fract() == 0.0 && number < 1e15).then_some(number as u64)
}

fn number(value: Option<&Value>) -> Option<f64> {
    match value? {
        Value::String(text) => text.parse().ok(),
        value => value.as_f64(),
    }
}

/// Points of a field, such as `score`. `None` if there is no such field, or nothing in it.
fn points(object: &Object, names: &[&str], place: ImportPlace) -> Result<Option<f64>, ImportError> {
    points_of(field(object, names), names[0], place)
}

fn points_of(value: Option<&Value>, name: &str, place: ImportPlace) -> Result<Option<f64>, ImportError> {
    let is_missing = |value: &&Value| match value {
        Value::Null => true,
        Value::String(text) => ["", "none", "null", "nan"].contains(&&*text.trim().to_lowercase()),
        _ => false,
    };
    let Some(value) = value.filter(|value| !is_missing(value)) else { return Ok(None) };
    match number(Some(value)).filter(|number| number.is_finite()) {
        Some(points) => Ok(Some(points)),
        None => Err(refused(place, format!("{name}: {value} is not a number: correct it, or rename the field"))),
    }
}

/// The number of a move. The field `move` is one if another field has the action.
fn move_number(object: &Object) -> Option<f64> {
    let [actions, numbers] =
        [names::ACTION, names::NUMBER].map(|names| names.split_last().map_or(names, |(_, all)| all));
    let names = if field(object, actions).is_some() { names::NUMBER } else { numbers };
    number(field(object, names))
}

/// The word of an action.
fn action(value: Option<&Value>) -> Option<String> {
    let word = match value? {
        Value::String(text) => actions::normal(text),
        Value::Null => return None,
        value => actions::normal(&value.to_string()),
    };
    (!actions::is_none(&word)).then_some(word)
}

/// The games of a file, as far as they are read.
#[derive(Default)]
struct Games {
    /// With the name of the game, if it has one.
    games: Vec<(Option<String>, Sequence<Numbers>)>,
    /// The places of the games that moves name.
    named: HashMap<String, usize>,
    /// The number of the last move of the last game.
    number: Option<f64>,
}

impl Games {
    /// Adds an object, which is on this line, and a move of that line if it is in a list.
    fn add(&mut self, object: &Object, line: usize, number_in_list: Option<usize>) -> Result<(), ImportError> {
        let place = match number_in_list {
            Some(number) => ImportPlace::Move { line, number },
            None => ImportPlace::Line(line),
        };
        if let Some(list) = moves(object) {
            return self.add_list(object, list, line);
        }
        if let Some((boards, actions)) = parallel(object) {
            return self.add_parallel(object, boards, actions, line);
        }

        let frame = frame(object, place)?;
        let name = field(object, names::GAME).map(Value::to_string);
        let number = move_number(object);
        let known = match &name {
            Some(name) => self.named.get(name).copied(),
            None => {
                let falls = number.zip(self.number).is_some_and(|(number, before)| number < before);
                self.games.len().checked_sub(1).filter(|_| !falls)
            }
        };
        self.number = number;
        match known {
            Some(game) => self.games[game].1.frames.push(frame),
            None => {
                self.named.extend(name.clone().map(|name| (name, self.games.len())));
                self.games.push((name, Sequence { frames: vec![frame], score: None }));
            }
        }
        Ok(())
    }

    /// A list of moves is a game; a list of games is several.
    fn add_list(&mut self, object: &Object, list: &[Value], line: usize) -> Result<(), ImportError> {
        let mut frames = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let place = ImportPlace::Move { line, number: index + 1 };
            let entry = value.as_object().ok_or_else(|| refused(place, "an object with a board is expected"))?;
            if moves(entry).is_some() || parallel(entry).is_some() {
                self.add(entry, line, Some(index + 1))?;
            } else {
                frames.push(frame(entry, place)?);
            }
        }
        if !frames.is_empty() {
            self.add_game(object, frames, line, list.len())?;
        }
        Ok(())
    }

    fn add_parallel(
        &mut self,
        object: &Object,
        boards: &[Value],
        actions: Option<&Vec<Value>>,
        line: usize,
    ) -> Result<(), ImportError> {
        if let Some(Value::String(_)) = field(object, names::ACTIONS) {
            let reason = "actions: a list with an action for each board is expected";
            return Err(refused(ImportPlace::Line(line), reason));
        }
        if let Some(actions) = actions.filter(|actions| !(actions.len()..=actions.len() + 1).contains(&boards.len())) {
            let [boards, actions] = [boards.len(), actions.len()];
            let reason =
                format!("{boards} boards do not fit {actions} actions: write one action per board, or one fewer");
            return Err(refused(ImportPlace::Line(line), reason));
        }
        let rewards = field(object, names::REWARDS).and_then(Value::as_array);
        let frames = boards.iter().enumerate().map(|(index, board)| {
            let place = ImportPlace::Move { line, number: index + 1 };
            let board = Numbers::of(board).map_err(|reason| refused(place, reason))?;
            let action = action(actions.and_then(|actions| actions.get(index)));
            let reward = points_of(rewards.and_then(|rewards| rewards.get(index)), names::REWARDS[0], place)?;
            Ok(Frame { action, reward, ..Frame::at(place, board) })
        });
        let frames = frames.collect::<Result<Vec<_>, ImportError>>()?;
        self.add_game(object, frames, line, boards.len())
    }

    /// A game, with the board and the score at its end if the object has them.
    fn add_game(
        &mut self,
        object: &Object,
        mut frames: Vec<Frame<Numbers>>,
        line: usize,
        count: usize,
    ) -> Result<(), ImportError> {
        if let Some(last) = field(object, names::NEXT).filter(|last| is_board(Some(last))) {
            let place = ImportPlace::Move { line, number: count };
            let board = Numbers::of(last).map_err(|reason| refused(place, reason))?;
            if let Some(frame) = frames.last_mut().filter(|frame| frame.next.is_none()) {
                frame.next = Some(board);
            }
        }
        let name = Some(format!("line {line}, game {}", self.games.len()));
        let score = points(object, names::SCORE, ImportPlace::Line(line))?;
        self.games.push((name, Sequence { frames, score }));
        Ok(())
    }

    /// The games by the rules. Boards of all are tiles, or exponents.
    fn read(self, kind: ImportKind) -> Result<Vec<Imported>, ImportError> {
        let is_exponents = {
            let frames = || self.games.iter().flat_map(|(_, game)| &game.frames);
            let mut boards = frames().flat_map(|frame| [Some(&frame.board), frame.next.as_ref()]).flatten();
            let is_of_tiles = boards.all(Numbers::is_of_tiles);
            let mut boards = frames().flat_map(|frame| [Some(&frame.board), frame.next.as_ref()]).flatten();
            !is_of_tiles && boards.all(|board| board.board(true).is_ok())
        };
        let mut games = Vec::new();
        for (name, game) in self.games {
            let frames = game.frames.into_iter().map(|frame| {
                let read = |board: &Numbers| board.board(is_exponents).map_err(|reason| refused(frame.place, reason));
                Ok(Frame {
                    place: frame.place,
                    board: read(&frame.board)?,
                    next: frame.next.as_ref().map(read).transpose()?,
                    action: frame.action,
                    reward: frame.reward,
                    score: frame.score,
                })
            });
            let frames = frames.collect::<Result<Vec<Frame>, ImportError>>()?;
            match name {
                Some(_) => games.push(Sequence { frames, score: game.score }),
                None => {
                    games.extend(sequence::split(frames).into_iter().map(|frames| Sequence { frames, score: None }));
                }
            }
        }

        let mut games = sequence::read(kind, &games)?;
        if is_exponents {
            let note = "the boards hold exponents: 1 is the tile 2, 11 is 2048";
            games.iter_mut().for_each(|game| game.notes.insert(0, note.to_owned()));
        }
        Ok(games)
    }
}

fn frame(object: &Object, place: ImportPlace) -> Result<Frame<Numbers>, ImportError> {
    let board = field(object, names::BOARD).ok_or_else(|| refused(place, "this object has no board"))?;
    let board = Numbers::of(board).map_err(|reason| refused(place, reason))?;
    let next = field(object, names::NEXT).filter(|next| is_board(Some(next)) && next.as_str() != Some(""));
    Ok(Frame {
        place,
        board,
        next: next.map(Numbers::of).transpose().map_err(|reason| refused(place, reason))?,
        action: action(field(object, names::ACTION)),
        reward: points(object, names::REWARD, place)?,
        score: points(object, names::SCORE, place)?,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use itertools::Itertools as _;

    use super::*;
    use crate::game::imported::tests::game;
    use crate::game::{Missing, Move, Record, Slide};

    /// The slide of each turn.
    fn slides(record: &Record) -> Vec<Slide> {
        let moments = record.replay();
        let slide = |(index, moment): (usize, &crate::game::Moment)| moment.board.slide(record.steps.get(index)?.mv);
        moments.iter().enumerate().filter_map(slide).collect()
    }

    fn rows(board: &Board) -> Value {
        let tiles: Vec<u64> = board.cells().map(|(_, rank)| rank.tile()).collect();
        let rows: Vec<&[u64]> = tiles.chunks(board.size().cols()).collect();
        serde_json::json!(rows)
    }

    fn code(order: &[Move], mv: Move) -> usize {
        order.iter().position(|&other| other == mv).expect("a move")
    }

    /// A game as an object, its actions counted in an order.
    pub(in crate::game::imported) fn object(record: &Record, order: &[Move]) -> String {
        let moments = record.replay();
        let moves = record.steps.iter().zip(&moments).zip(slides(record)).map(|((step, moment), slide)| {
            serde_json::json!({"board": rows(&moment.board), "action": code(order, step.mv), "reward": slide.reward})
        });
        let moves: Vec<Value> = moves.collect();
        let last = moments.last().expect("a board");
        serde_json::json!({"moves": moves, "score": last.score, "final_board": rows(&last.board)}).to_string()
    }

    /// A game as lists.
    fn lists(record: &Record, order: &[Move]) -> String {
        let boards: Vec<Value> = record.replay().iter().map(|moment| rows(&moment.board)).collect();
        let actions: Vec<usize> = record.steps.iter().map(|step| code(order, step.mv)).collect();
        serde_json::json!({"boards": boards, "actions": actions}).to_string()
    }

    /// Games as an object per move, with names.
    fn lines(records: &[Record]) -> String {
        let games = records.iter().enumerate().flat_map(|(game, record)| {
            record.replay().into_iter().enumerate().map(move |(index, moment)| {
                let action = record.steps.get(index).map(|step| step.mv.name());
                serde_json::json!({"game": game, "board": moment.board.to_string(), "action": action}).to_string()
            })
        });
        games.map(|line| line + "\n").collect()
    }

    /// Games as CSV with a column per cell, or with the board in one.
    pub(in crate::game::imported) fn csv(records: &[Record], order: &[Move], has_cells: bool) -> String {
        let cells = |size: Size| size.iter().map(|cell| cell.to_string()).join(";");
        let board = if has_cells { cells(records[0].rules.size) } else { "board".to_owned() };
        let mut text = format!("game;move;{board};action;reward;score\n");
        for (game, record) in records.iter().enumerate() {
            let slides = slides(record);
            for (index, moment) in record.replay().iter().enumerate() {
                let tiles = moment.board.cells().map(|(_, rank)| rank.to_string()).join(";");
                let board = if has_cells { tiles } else { moment.board.to_string() };
                let action = record.steps.get(index).map(|step| code(order, step.mv).to_string()).unwrap_or_default();
                let reward = slides.get(index).map(|slide| slide.reward.to_string()).unwrap_or_default();
                text += &format!("{game};{index};{board};{action};{reward};{}\n", moment.score);
            }
        }
        text
    }

    #[test]
    fn a_game_is_read_back_whatever_the_order_of_its_actions() {
        let record = game("4x4", 300);
        for order in Move::ALL.into_iter().permutations(4) {
            let said = order.iter().enumerate().map(|(code, mv)| format!("{code} is {}", mv.name())).join(", ");
            for text in [
                object(&record, &order),
                format!("[{}]", object(&record, &order)),
                lists(&record, &order),
                csv(std::slice::from_ref(&record), &order, true),
                csv(std::slice::from_ref(&record), &order, false),
            ] {
                let read = Imported::read_text(&text).unwrap_or_else(|error| panic!("{order:?}: {error}: {text}"));
                assert_eq!(read.record, record, "{order:?}");
                assert_eq!(read.notes, [format!("actions, as the boards show: {said}")]);
                let has_score = text.contains("score");
                assert_eq!(read.missing.contains(&Missing::Score), !has_score, "{text}");
            }
        }
    }

    #[test]
    fn several_games_of_every_size_are_read_back() {
        for size in Size::all() {
            let long = game(&size.to_string(), 300);
            let short = Record { steps: long.steps[..long.steps.len().min(3)].to_vec(), ..long.clone() };
            let records = [long, short];
            let order = [Move::Up, Move::Right, Move::Down, Move::Left];
            let objects = format!("{}\n\n{}\n", object(&records[0], &order), object(&records[1], &order));
            let texts = [lines(&records), objects, csv(&records, &order, true), csv(&records, &order, false)];
            for text in texts {
                let read = Imported::read_all_text(&text).unwrap_or_else(|error| panic!("{size}: {error}: {text}"));
                assert_eq!(read.len(), 2);
                for (read, record) in read.iter().zip(&records) {
                    assert_eq!(read.record.replay(), record.replay(), "{size}");
                    if !read.notes.iter().any(|note| note.contains("several orders")) {
                        assert_eq!(read.record, *record, "{size}");
                    }
                }
            }
        }
    }

    #[test]
    fn columns_of_cells_are_in_the_order_of_their_numbers() {
        let names: Vec<String> = (0..16).map(|cell| format!("c{cell}")).sorted().chain(["action".to_owned()]).collect();
        assert_eq!(names[2], "c10");
        let (cells, cols) = cells(&names).expect("a board");
        assert!(cells.iter().map(|&index| &*names[index]).eq((0..16).map(|cell| format!("c{cell}"))));
        assert_eq!(cols, None);
    }

    #[test]
    fn actions_settle_what_boards_leave_open() {
        // Down and right lead to the same board.
        for (action, mv) in [("down", Move::Down), ("right", Move::Right)] {
            let text = format!("{{\"board\": [2, 0, 0, 0], \"action\": \"{action}\"}}\n{{\"board\": [0, 2, 2, 0]}}\n");
            let read = Imported::read_text(&text).expect("a game");
            assert_eq!((read.record.steps[0].mv, read.notes.len()), (mv, 0));
        }
        let open = Imported::read_text("board,action\n2 0/0 0,1\n0 2/2 0,\n").expect("a game");
        assert!(open.notes.iter().any(|note| note.contains("several orders")), "{:?}", open.notes);
    }

    #[test]
    fn what_a_file_lacks_or_contradicts_is_noted() {
        let notes = |text: &str| Imported::read_text(text).unwrap_or_else(|error| panic!("{text}: {error}")).notes;
        let moves = |last: &str| {
            format!(
                "{{\"moves\": [{{\"board\": [2, 2, 0, 0], \"action\": \"left\"}}, \
                 {{\"board\": [4, 0, 2, 0], \"action\": \"{last}\"}}]}}"
            )
        };
        for (text, note) in [
            (&*moves("up"), "line 1, move 2: the last action, up, moves nothing: left out"),
            (
                &*moves("right"),
                "line 1, move 2: the last action, right, leads to 0,4/0,2 with 0 points; it is left out",
            ),
            (
                "board,action,reward\n2 2/0 0,left,1\n4 0/2 0,,\n",
                "line 2: the reward is 1, but the move makes 4 points; 1 reward like this",
            ),
            ("board,action,score\n2 2/0 0,left,7\n4 0/2 0,,8\n", "line 3: the score is not that of the moves"),
            ("board,action\n2 2/0 0,up\n2 2/0 0,left\n4 0/2 0,\n", "1 action that moved nothing: left out"),
            ("{\"board\": [1, 1, 0, 0], \"action\": \"left\"}\n{\"board\": [2, 0, 1, 0]}", "the boards hold exponents"),
        ] {
            let told = notes(text);
            assert!(told.iter().any(|told| told.starts_with(note)), "{text}: {told:?}");
        }
        // One score may stand before the move or after it.
        for (score, begin) in [(0, 0), (4, 0), (9, 9)] {
            let text = format!("board,action,score\n2 2/0 0,left,{score}\n4 0/2 0,,\n");
            let read = Imported::read_text(&text).expect("a game");
            assert_eq!((read.record.score, read.notes), (begin, Vec::new()), "{score}");
        }
        // The points of a slide whose new tile is missing may be part of the score of the file.
        for (score, is_doubted) in [(4, false), (12, false), (8, true)] {
            let text = format!(
                "{{\"score\": {score}, \"moves\": [{{\"board\": [2, 2, 4, 0], \"action\": 3}}, \
                 {{\"board\": [4, 0, 4, 2], \"action\": 0}}]}}"
            );
            assert_eq!(notes(&text).iter().any(|note| note.contains("states a score")), is_doubted, "{score}");
        }
    }

    #[test]
    fn refusals_name_the_line_and_the_move() {
        for (text, refusal) in [
            // Up and left exchanged in the third move.
            (
                "board,action\n2 0/2 0,0\n4 0/2 0,3\n4 2/2 0,\n",
                "line 4: no move and one new tile lead from 4,0/2,0 to 4,2/2,0",
            ),
            (
                "board,action\n2 0/2 0,0\n4 0/0 2,3\n4 2/2 0,0\n4 4/2 2,\n",
                "line 4: no order of the actions fits: by the previous boards, 0 is up, 3 is left; here the action is 0, but \
                 the move from 4,2/2,0 to",
            ),
            (
                "board,action\n2 0/2 0,left\n4 0/2 0,\n",
                "line 2: the action is left, but the move from 2,0/2,0 to 4,0/2,0 is up",
            ),
            ("board,action\n2 0/2 0,jump\n4 0/2 0,\n", "line 2: \"jump\" is not a move"),
            ("board,action\n2 0/2 0,0\n", "line 2: there is one board and no turn"),
            ("board,action\n2 0/2 0,0,3\n4 0/2 0,\n", "line 2: this row has 3 fields, but the first line has 2 fields"),
            ("{\"board\": [2, 3, 0, 32], \"action\": 0}\n", "line 1: row 1, cell 2: 3 is not a tile"),
            ("{\"board\": [2, 0, 2], \"action\": 0}\n", "line 1: 3 cells do not make a square board"),
            ("{\"board\": [[2, 0], [2]], \"action\": 0}\n", "line 1: row 2 has 1 cells, but row 1 has 2"),
            ("{\"board\": [2, 0, 2, \"x\"], \"action\": 0}\n", "line 1: row 2, cell 2: \"x\" is not a tile"),
            ("{\"board\": [2, 0, 2, 0], \"action\": 0}\n{\"boa", "line 2: the file ends inside this object"),
            ("{\"board\": [2, 0, 2, 0], \"action\": 0}\n\n7", "line 3: a JSON object is expected here"),
            ("{\"board\": [2, 0, 2, 0], \"action\": 0}\n{\"a\": 1}", "line 2: this object has no board"),
            (
                "{\"moves\": [{\"board\": [2, 0, 2, 0]}, {\"board\": [2, 0, 2, 97]}]}",
                "line 1, move 2: row 2, cell 2: 97 is not a tile",
            ),
            ("{\"boards\": [[2, 0, 2, 0]], \"actions\": [1, 2]}", "line 1: 1 boards do not fit 2 actions"),
            ("{\"boards\": [[2, 0, 2, 0]], \"actions\": \"UL\"}", "line 1: actions: a list is expected"),
            ("board,action,score\n2 0/2 0,0,4\n4 0/2 0,,many\n", "line 3: score: \"many\" is not a number"),
            ("{\"board\": [2, 0, 2, 0], \"action\": 0, \"reward\": [4]}", "line 1: reward: [4] is not a number"),
        ] {
            assert!(kind_of(text).is_some(), "{text}");
            let told = Imported::read_all_text(text).expect_err(text).to_string();
            assert!(told.starts_with(refusal), "{text}: {told}");
        }
        for text in
            ["{\"a\": 1}", "{}", "[2, 0, 2, 0]", "a,b\n1,2\n", "2,0,0,4\n0,8,0,0\n0,0,0,0\n0,0,16,2", "board\n2 0/2 0"]
        {
            assert_eq!(kind_of(text), None, "{text}");
        }
    }

    #[test]
    fn transitions_with_their_next_board_are_games() {
        let text = "state,action,next_state\n2 0/2 0,0,4 0/2 0\n0 0/2 2,3,2 0/4 0\n2 0/4 0,1,0 2/2 4\n";
        let games = Imported::read_all_text(text).expect("two games");
        assert_eq!(games.iter().map(|game| game.record.steps.len()).collect::<Vec<_>>(), [1, 2]);
        let steps = games.iter().flat_map(|game| &game.record.steps).map(ToString::to_string);
        assert_eq!(steps.collect::<Vec<_>>(), ["up 2 r2c1", "left 2 r1c1", "right 2 r2c1"]);
    }
}

//! Reads data sets of games: JSON, with an object per game or per move, and CSV with a row per move.
//!
//! An object is a game if it has a list of moves, or lists of boards and of actions; otherwise it is a move. The names
//! of the fields are those of [`names`]; other fields are ignored. Moves with the same game are together, in the order
//! of the file. All moves name their game or none does. Without a name, another game begins where the number of the move
//! falls, or as in other lists of boards.
//!
//! A board is a list of rows, a list of 4, 9, 16 or 25 cells, a text in any board notation, or, in CSV, a column per
//! cell: columns whose names differ in their numbers only. [`reading`] reads all of them. A file whose boards hold
//! numbers that are not tiles, such as 1 or 3, has exponents.
//!
//! An action is a word, a number, a one-hot list of four, or in CSV a column per action. A column of names beside
//! numbered actions has to agree with them.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::actions;
use super::sequence::{self, Frame, Sequence};
use super::{ImportError, ImportKind, ImportPlace, Imported, refused};
use crate::game::reading::{self, ReadAs, as_written_here};
use crate::game::{Board, Moves, ParseBoardError, Size};
use crate::words;

/// The names of the fields, in lowercase and with underscores. The first that an object has counts.
mod names {
    pub(super) const BOARD: &[&str] = &[
        "board",
        "state",
        "grid",
        "observation",
        "obs",
        "before",
        "board_before",
        "position",
        "tiles",
    ];
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
    /// Names of actions, alone or beside their numbers.
    pub(super) const ACTION_NAME: &[&str] = &[
        "action_name",
        "action_label",
        "action_str",
        "direction_name",
        "dir_name",
        "move_name",
    ];
    pub(super) const REWARD: &[&str] = &["reward", "points"];
    pub(super) const SCORE: &[&str] = &["score", "total_score", "final_score"];
    pub(super) const GAME: &[&str] = &["game", "game_id", "episode", "episode_id"];
    pub(super) const NUMBER: &[&str] = &[
        "move_number",
        "move_index",
        "step",
        "turn",
        "ply",
        "t",
        "move",
    ];
    /// A row or an object with a board and one of these is a move.
    pub(super) const OF_MOVES: [&[&str]; 5] = [ACTION, ACTION_NAME, NEXT, NUMBER, GAME];
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
    if ["program", "how", "format"]
        .iter()
        .any(|name| object.contains_key(*name))
    {
        return false;
    }
    let is_move = is_board(field(object, names::BOARD))
        && names::OF_MOVES
            .iter()
            .any(|name| field(object, name).is_some());
    is_move || moves(object).is_some() || parallel(object).is_some()
}

fn is_board(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Array(_) | Value::String(_)))
}

/// The first field of these names.
fn field<'a>(object: &'a Object, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| {
        object.get(*name).or_else(|| {
            object
                .iter()
                .find(|(key, _)| is_plainly(key, name))
                .map(|(_, value)| value)
        })
    })
}

/// Whether the [`plain`] form of a key is this name.
fn is_plainly(key: &str, name: &str) -> bool {
    let plain = |byte: u8| {
        if b" -".contains(&byte) {
            b'_'
        } else {
            byte.to_ascii_lowercase()
        }
    };
    let key = key.trim();
    key.len() == name.len() && key.bytes().map(plain).eq(name.bytes())
}

/// A name in lowercase, with underscores.
fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// The list of the moves of a game, or of the games of a file.
fn moves(object: &Object) -> Option<&Vec<Value>> {
    object
        .values()
        .filter_map(Value::as_array)
        .find(|list| match list.first() {
            Some(Value::Object(first)) => is_board(field(first, names::BOARD)) || is_game(first),
            _ => false,
        })
}

/// Lists of boards and, perhaps, of actions.
fn parallel(object: &Object) -> Option<(&Vec<Value>, Option<&Vec<Value>>)> {
    let boards = field(object, names::BOARDS)?.as_array()?;
    is_board(boards.first()).then(|| {
        (
            boards,
            field(object, names::ACTIONS).and_then(Value::as_array),
        )
    })
}

/// The objects of a text, with the line on which each begins: one after the other, or as a list.
struct Objects<'a> {
    text: &'a str,
    offset: usize,
    line: usize,
}

impl<'a> Objects<'a> {
    fn of(text: &'a str) -> Self {
        let offset = text
            .find(|c: char| !c.is_whitespace())
            .filter(|&offset| text[offset..].starts_with('['));
        let mut objects = Self {
            text,
            offset: 0,
            line: 1,
        };
        objects.advance(offset.map_or(0, |offset| offset + 1));
        objects
    }

    fn advance(&mut self, bytes: usize) {
        self.line += self.text[self.offset..self.offset + bytes]
            .bytes()
            .filter(|&byte| byte == b'\n')
            .count();
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
    let columns = Columns::of(text).ok_or_else(|| refused(None, "no column is a board"))?;
    let mut reader = csv::ReaderBuilder::new();
    reader
        .delimiter(columns.delimiter)
        .has_headers(columns.has_head)
        .flexible(true)
        .trim(csv::Trim::All);
    let mut games = Games::default();
    for (index, record) in reader
        .from_reader(text.trim_start().as_bytes())
        .records()
        .enumerate()
    {
        let blank = text.len() - text.trim_start().len();
        let before = text[..blank].lines().count();
        let line = |position: Option<&csv::Position>| {
            position.map_or(index + 1, |at| at.line() as usize) + before
        };
        let record = record.map_err(|error| {
            refused(
                ImportPlace::Line(line(error.position())),
                "this is not a CSV row",
            )
        })?;
        let line = line(record.position());
        if record.len() != columns.names.len() {
            let [found, expected] = [record.len(), columns.names.len()]
                .map(|count| words::plural(count as u64, "field"));
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
    /// Columns of one action each, with its word: `action_0`, `action_up`. The column of the action holds 1.
    actions: Vec<(usize, String)>,
}

impl Columns {
    /// `None` if no column is a board, or none is an action, a next board, a game or a number.
    fn of(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let (head, rest) = text.split_once('\n')?;
        let delimiter = [b',', b';', b'\t']
            .into_iter()
            .find(|&delimiter| head.contains(char::from(delimiter)))?;
        let mut reader = csv::ReaderBuilder::new();
        reader
            .delimiter(delimiter)
            .has_headers(false)
            .trim(csv::Trim::All);
        let record = reader.from_reader(head.as_bytes()).records().next()?.ok()?;
        let names: Vec<String> = record.iter().map(plain).collect();
        if rest.trim().is_empty() {
            return None;
        }

        // Sixteen cells and an action need no names.
        if names.len() == 17 && names.iter().all(|name| name.parse::<f64>().is_ok()) {
            let names = (0..16)
                .map(|cell| format!("c{cell}"))
                .chain(["action".to_owned()])
                .collect();
            let cells = (0..16).collect();
            return Some(Self {
                delimiter,
                names,
                has_head: false,
                cells,
                sides: None,
                actions: Vec::new(),
            });
        }
        let has = |options: &[&str]| names.iter().any(|name| options.contains(&&**name));
        let actions = actions_of(&names);
        if actions.is_none() && !names::OF_MOVES.into_iter().any(has) {
            return None;
        }
        let is_action = |index: usize| actions.iter().flatten().any(|&(place, _)| place == index);
        let (cells, sides) = match has(names::BOARD) {
            true => (Vec::new(), None),
            false => cells(&names, is_action)?,
        };
        // Beside a column of the action they are something else, such as which moves are legal. `move` may be a number.
        let actions = actions
            .filter(|_| !has(&names::ACTION[..names::ACTION.len() - 1]))
            .unwrap_or_default();
        Some(Self {
            delimiter,
            names,
            has_head: true,
            cells,
            sides,
            actions,
        })
    }

    /// A row, its cells as a board.
    fn object(&self, record: &csv::StringRecord) -> Object {
        let text = |cell: &str| Value::String(cell.to_owned());
        let is_cell = |index: &usize| self.cells.contains(index);
        let others = record
            .iter()
            .enumerate()
            .filter(|(index, _)| !is_cell(index));
        let mut object: Object = others
            .map(|(index, field)| (self.names[index].clone(), text(field)))
            .collect();
        if !self.cells.is_empty() {
            let cells: Vec<Value> = self
                .cells
                .iter()
                .filter_map(|&index| record.get(index))
                .map(text)
                .collect();
            let board = match self.sides {
                Some(cols) => cells
                    .chunks(cols)
                    .map(|row| Value::Array(row.to_vec()))
                    .collect(),
                None => cells,
            };
            object.insert("board".to_owned(), Value::Array(board));
        }
        if !self.actions.is_empty() {
            let is_set =
                |index: usize| !["0", "", "false"].contains(&&*actions::normal(&record[index]));
            let set = self
                .actions
                .iter()
                .filter(|(index, _)| is_set(*index))
                .map(|(_, word)| &**word);
            object.insert(
                "action".to_owned(),
                Value::String(set.collect::<Vec<_>>().join(" ")),
            );
        }
        object
    }
}

/// The columns of a one-hot action with their words: four whose names are `action` and a number or the name of a move.
fn actions_of(names: &[String]) -> Option<Vec<(usize, String)>> {
    names::ACTION.iter().find_map(|name| {
        let word = |column: &String| {
            let word = column
                .strip_prefix(name)?
                .trim_start_matches('_')
                .to_owned();
            (word.parse::<u32>().is_ok() || actions::is_named(&word)).then_some(word)
        };
        let columns: Vec<(usize, String)> = names
            .iter()
            .enumerate()
            .filter_map(|(index, column)| Some((index, word(column)?)))
            .collect();
        (columns.len() == 4).then_some(columns)
    })
}

/// Columns whose names differ in their numbers only, as many as a board has cells, and the columns of that board if the
/// names have two numbers.
fn cells(
    names: &[String],
    is_action: impl Fn(usize) -> bool,
) -> Option<(Vec<usize>, Option<usize>)> {
    let numbers = |name: &str| -> Vec<u32> {
        name.split(|c: char| !c.is_ascii_digit())
            .filter_map(|digits| digits.parse().ok())
            .collect()
    };
    let letters = |name: &str| name.replace(|c: char| !c.is_alphabetic(), "");
    let others: Vec<usize> = (0..names.len())
        .filter(|&index| !is_action(index))
        .collect();
    others.iter().map(|&index| &names[index]).find_map(|first| {
        let count = numbers(first).len();
        let is_alike = |name: &str| letters(name) == letters(first) && numbers(name).len() == count;
        let mut cells: Vec<usize> = others
            .iter()
            .copied()
            .filter(|&index| is_alike(&names[index]))
            .collect();
        match count {
            1 => {
                // Columns in alphabetical order have c10 before c2.
                cells.sort_by_key(|&index| numbers(&names[index]));
                side(cells.len()).map(|_| (cells, None))
            }
            2 => {
                let first_row = numbers(first)[0];
                let cols = cells
                    .iter()
                    .filter(|&&index| numbers(&names[index])[0] == first_row)
                    .count();
                let size = Size::new(
                    u8::try_from(cells.len() / cols).ok()?,
                    u8::try_from(cols).ok()?,
                )?;
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

const EXPONENTS: ReadAs = ReadAs {
    cells: None,
    exponents: true,
    decimal: false,
};

/// A board whose numbers may be tiles or exponents.
enum Numbers {
    Tiles(Board),
    /// A text that is no board of tiles.
    Other(String),
}

impl Numbers {
    fn of(value: &Value) -> Result<Self, String> {
        let text = board_text(value)?;
        // Exponents that are no tiles. Why they are no tiles is found slowly, and only if the file has no exponents.
        let are_exponents =
            as_written_here(&text, false).is_none() && as_written_here(&text, true).is_some();
        if are_exponents {
            return Ok(Self::Other(text));
        }
        Ok(text.parse().map_or_else(|_| Self::Other(text), Self::Tiles))
    }

    fn exponents(&self) -> Result<Board, ParseBoardError> {
        let read = |text: &str| reading::read(text, &EXPONENTS).map(|reading| reading.board);
        match self {
            Self::Tiles(board) => read(&board.to_string()),
            Self::Other(text) => read(text),
        }
    }

    fn board(&self, is_exponents: bool) -> Result<Board, ParseBoardError> {
        match self {
            _ if is_exponents => self.exponents(),
            Self::Tiles(board) => Ok(*board),
            Self::Other(text) => text.parse(),
        }
    }
}

/// The text of a board. Lists of cells are written as this program does, which is read fastest.
fn board_text(value: &Value) -> Result<String, String> {
    let is_flat = |list: &[Value]| {
        !list
            .iter()
            .any(|value| value.is_array() || value.is_object())
    };
    match value {
        // NumPy prints lists that are not JSON.
        Value::String(text) if text.trim_start().starts_with('[') => {
            match serde_json::from_str(text) {
                Ok(list) => board_text(&list),
                Err(_) => Ok(text.clone()),
            }
        }
        Value::String(text) => Ok(text.clone()),
        Value::Array(list) if is_flat(list) => {
            let count = words::plural(list.len() as u64, "cell");
            let side = side(list.len()).ok_or_else(|| {
                format!("{count} do not make a square board: write a list of rows")
            })?;
            rows_text(list.chunks(usize::from(side)))
        }
        Value::Array(list)
            if list
                .iter()
                .all(|row| row.as_array().is_some_and(|row| is_flat(row))) =>
        {
            rows_text(list.iter().filter_map(Value::as_array).map(Vec::as_slice))
        }
        // Arrays of more dimensions, such as one-hot ones.
        Value::Array(_) => Ok(value.to_string()),
        _ => Err("a board is a list of cells or a text".to_owned()),
    }
}

/// `2,0/0,4`
fn rows_text<'a>(rows: impl Iterator<Item = &'a [Value]>) -> Result<String, String> {
    let mut text = String::new();
    for (row, cells) in rows.enumerate() {
        text.push_str(if row == 0 { "" } else { "/" });
        for (cell, value) in cells.iter().enumerate() {
            text.push_str(if cell == 0 { "" } else { "," });
            match value {
                Value::Null => text.push('0'),
                Value::String(word) => match word.trim() {
                    "" => text.push('0'),
                    word if word.contains(|c: char| c.is_whitespace() || ",;/|".contains(c)) => {
                        return Err(format!(
                            "row {}, cell {}: {value} is not a tile",
                            row + 1,
                            cell + 1
                        ));
                    }
                    word => text.push_str(word),
                },
                Value::Number(number) => text.push_str(&number.to_string()),
                value => text.push_str(&value.to_string()),
            }
        }
    }
    Ok(text)
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

fn points_of(
    value: Option<&Value>,
    name: &str,
    place: ImportPlace,
) -> Result<Option<f64>, ImportError> {
    let is_missing = |value: &&Value| match value {
        Value::Null => true,
        Value::String(text) => ["", "none", "null", "nan"].contains(&&*text.trim().to_lowercase()),
        _ => false,
    };
    let Some(value) = value.filter(|value| !is_missing(value)) else {
        return Ok(None);
    };
    match number(Some(value)).filter(|number| number.is_finite()) {
        Some(points) => Ok(Some(points)),
        None => Err(refused(
            place,
            format!("{name}: {value} is not a number: correct it, or rename the field"),
        )),
    }
}

/// The number of a move. The field `move` is one if another field has the action.
fn move_number(object: &Object) -> Option<f64> {
    let [actions, numbers] = [names::ACTION, names::NUMBER]
        .map(|names| names.split_last().map_or(names, |(_, all)| all));
    let is_action_apart = field(object, actions)
        .or_else(|| field(object, names::ACTION_NAME))
        .is_some();
    number(field(
        object,
        if is_action_apart {
            names::NUMBER
        } else {
            numbers
        },
    ))
}

/// The word of an action, if there is one. A one-hot list stands for the place of its 1.
fn action(value: Option<&Value>, place: ImportPlace) -> Result<Option<String>, ImportError> {
    let text = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let word = actions::normal(&text);
    let Some(list) = word
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'))
    else {
        return Ok((!actions::is_none(&word)).then_some(word));
    };

    let separates = |c: char| c == ',' || c.is_whitespace();
    let entries: Vec<f64> = list
        .split(separates)
        .filter(|entry| !entry.is_empty())
        .map(|entry| match entry {
            "true" => Ok(1.0),
            "false" => Ok(0.0),
            entry => entry.parse::<f64>(),
        })
        .collect::<Result<_, _>>()
        .map_err(|_| not_an_action(&text, place))?;
    let is_bit = |entry: &f64| [0.0, 1.0].contains(entry);
    let ones = entries.iter().filter(|entry| **entry == 1.0).count();
    match entries[..] {
        [only] => Ok(Some(actions::normal(&only.to_string()))),
        [_, _, _, _] if entries.iter().all(is_bit) && ones <= 1 => Ok(entries
            .iter()
            .position(|entry| *entry == 1.0)
            .map(|place| place.to_string())),
        _ => Err(not_an_action(&text, place)),
    }
}

fn not_an_action(text: &str, place: ImportPlace) -> ImportError {
    let text = words::quoted(text);
    refused(
        place,
        format!(
            "{text} is not an action: write its name, its number, or a one-hot list such as [0,1,0,0]"
        ),
    )
}

/// The moves that the name of an action may mean beside its number; `d` means two. `None` without a name.
fn named_action(object: &Object, place: ImportPlace) -> Result<Option<Moves>, ImportError> {
    let Some(word) = action(field(object, names::ACTION_NAME), place)? else {
        return Ok(None);
    };
    let moves = actions::named(&word);
    match moves.is_empty() {
        true => Err(refused(place, actions::refusal(&word))),
        false => Ok(Some(moves)),
    }
}

/// The games of a file, as far as they are read.
#[derive(Default)]
struct Games {
    /// With the name of the game, if it has one.
    games: Vec<(Option<String>, Sequence<Numbers>)>,
    /// The places of the games that moves name.
    named: HashMap<String, usize>,
    /// Whether the first move of the file names its game, and the place of that move.
    names_games: Option<(bool, ImportPlace)>,
    /// The number of the last move of the last game.
    number: Option<f64>,
    /// Whether the last game is a list of moves, which other moves do not belong to.
    is_whole: bool,
}

impl Games {
    /// Adds an object, which is on this line, and a move of that line if it is in a list.
    fn add(
        &mut self,
        object: &Object,
        line: usize,
        number_in_list: Option<usize>,
    ) -> Result<(), ImportError> {
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
        let name = game_name(object);
        let &mut (names_games, first) = self.names_games.get_or_insert((name.is_some(), place));
        if name.is_some() != names_games {
            let reason = match name {
                Some(_) => format!("this move names its game, but that of {first} names none"),
                None => format!("this move names no game, but that of {first} does"),
            };
            return Err(refused(
                place,
                reason + ": name the game of every move, or of none",
            ));
        }
        let number = move_number(object);
        let place = match &name {
            Some(name) => self.named.get(name).copied(),
            None => {
                let falls = number
                    .zip(self.number)
                    .is_some_and(|(number, before)| number < before);
                self.games
                    .len()
                    .checked_sub(1)
                    .filter(|_| !falls && !self.is_whole)
            }
        };
        (self.number, self.is_whole) = (number, false);
        match place {
            Some(game) => self.games[game].1.frames.push(frame),
            None => {
                self.named
                    .extend(name.clone().map(|name| (name, self.games.len())));
                self.games.push((
                    name,
                    Sequence {
                        frames: vec![frame],
                        score: None,
                    },
                ));
            }
        }
        Ok(())
    }

    /// A list of moves is a game; a list of games is several.
    fn add_list(
        &mut self,
        object: &Object,
        list: &[Value],
        line: usize,
    ) -> Result<(), ImportError> {
        let mut frames = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let place = ImportPlace::Move {
                line,
                number: index + 1,
            };
            let entry = value
                .as_object()
                .ok_or_else(|| refused(place, "an object with a board is expected"))?;
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
        if let Some(actions) =
            actions.filter(|actions| !(actions.len()..=actions.len() + 1).contains(&boards.len()))
        {
            let [boards, actions] = [boards.len(), actions.len()];
            let reason = format!(
                "{boards} boards do not fit {actions} actions: write one action per board, or one fewer"
            );
            return Err(refused(ImportPlace::Line(line), reason));
        }
        let rewards = field(object, names::REWARDS).and_then(Value::as_array);
        let frames = boards.iter().enumerate().map(|(index, board)| {
            let place = ImportPlace::Move {
                line,
                number: index + 1,
            };
            let board = Numbers::of(board).map_err(|reason| refused(place, reason))?;
            let action = action(actions.and_then(|actions| actions.get(index)), place)?;
            let reward = points_of(
                rewards.and_then(|rewards| rewards.get(index)),
                names::REWARDS[0],
                place,
            )?;
            Ok(Frame {
                action,
                reward,
                ..Frame::at(place, board)
            })
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
            let place = ImportPlace::Move {
                line,
                number: count,
            };
            let board = Numbers::of(last).map_err(|reason| refused(place, reason))?;
            if let Some(frame) = frames.last_mut().filter(|frame| frame.next.is_none()) {
                frame.next = Some(board);
            }
        }
        let name = Some(format!("line {line}, game {}", self.games.len()));
        let score = points(object, names::SCORE, ImportPlace::Line(line))?;
        self.games.push((name, Sequence { frames, score }));
        self.is_whole = true;
        Ok(())
    }

    /// The games by the rules. Boards of all are tiles, or exponents.
    fn read(self, kind: ImportKind) -> Result<Vec<Imported>, ImportError> {
        let is_exponents = {
            let frames = || self.games.iter().flat_map(|(_, game)| &game.frames);
            let mut boards = frames()
                .flat_map(|frame| [Some(&frame.board), frame.next.as_ref()])
                .flatten();
            let is_of_tiles = boards.all(|board| matches!(board, Numbers::Tiles(_)));
            let mut boards = frames()
                .flat_map(|frame| [Some(&frame.board), frame.next.as_ref()])
                .flatten();
            !is_of_tiles && boards.all(|board| board.exponents().is_ok())
        };
        let mut games = Vec::new();
        for (name, game) in self.games {
            let frames = game.frames.into_iter().map(|frame| {
                let refused = |error: ParseBoardError| refused(frame.place, error.to_string());
                let read = |board: &Numbers| board.board(is_exponents).map_err(refused);
                Ok(Frame {
                    place: frame.place,
                    board: read(&frame.board)?,
                    next: frame.next.as_ref().map(read).transpose()?,
                    action: frame.action,
                    named: frame.named,
                    reward: frame.reward,
                    score: frame.score,
                })
            });
            let frames = frames.collect::<Result<Vec<Frame>, ImportError>>()?;
            match name {
                Some(_) => games.push(Sequence {
                    frames,
                    score: game.score,
                }),
                None => {
                    games.extend(sequence::split(frames).into_iter().map(|frames| Sequence {
                        frames,
                        score: None,
                    }));
                }
            }
        }

        let mut games = sequence::read(kind, &games)?;
        if is_exponents {
            let note = "the boards hold exponents: 1 is the tile 2, 11 is 2048";
            games
                .iter_mut()
                .for_each(|game| game.notes.insert(0, note.to_owned()));
        }
        Ok(games)
    }
}

/// The name of the game of a move. An empty field names none.
fn game_name(object: &Object) -> Option<String> {
    let is_empty =
        |name: &Value| name.is_null() || name.as_str().is_some_and(|name| name.trim().is_empty());
    field(object, names::GAME)
        .filter(|name| !is_empty(name))
        .map(Value::to_string)
}

fn frame(object: &Object, place: ImportPlace) -> Result<Frame<Numbers>, ImportError> {
    let board =
        field(object, names::BOARD).ok_or_else(|| refused(place, "this object has no board"))?;
    let board = Numbers::of(board).map_err(|reason| refused(place, reason))?;
    let next =
        field(object, names::NEXT).filter(|next| is_board(Some(next)) && next.as_str() != Some(""));
    let named = named_action(object, place)?;
    let numbered = match field(object, names::ACTION_NAME).filter(|name| !name.is_null()) {
        // The field `move` is the number of the move then.
        Some(name) => field(object, &names::ACTION[..names::ACTION.len() - 1]).or(Some(name)),
        None => field(object, names::ACTION),
    };
    Ok(Frame {
        place,
        board,
        next: next
            .map(Numbers::of)
            .transpose()
            .map_err(|reason| refused(place, reason))?,
        action: action(numbered, place)?,
        named,
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
        let slide = |(index, moment): (usize, &crate::game::Moment)| {
            moment.board.slide(record.steps.get(index)?.mv)
        };
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
        serde_json::json!({"moves": moves, "score": last.score, "final_board": rows(&last.board)})
            .to_string()
    }

    /// A game as lists.
    fn lists(record: &Record, order: &[Move]) -> String {
        let boards: Vec<Value> = record
            .replay()
            .iter()
            .map(|moment| rows(&moment.board))
            .collect();
        let actions: Vec<usize> = record
            .steps
            .iter()
            .map(|step| code(order, step.mv))
            .collect();
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
    pub(in crate::game::imported) fn csv(
        records: &[Record],
        order: &[Move],
        has_cells: bool,
    ) -> String {
        let cells = |size: Size| size.iter().map(|cell| cell.to_string()).join(";");
        let board = if has_cells {
            cells(records[0].rules.size)
        } else {
            "board".to_owned()
        };
        let mut text = format!("game;move;{board};action;reward;score\n");
        for (game, record) in records.iter().enumerate() {
            let slides = slides(record);
            for (index, moment) in record.replay().iter().enumerate() {
                let tiles = moment
                    .board
                    .cells()
                    .map(|(_, rank)| rank.to_string())
                    .join(";");
                let board = if has_cells {
                    tiles
                } else {
                    moment.board.to_string()
                };
                let action = record
                    .steps
                    .get(index)
                    .map(|step| code(order, step.mv).to_string())
                    .unwrap_or_default();
                let reward = slides
                    .get(index)
                    .map(|slide| slide.reward.to_string())
                    .unwrap_or_default();
                text += &format!(
                    "{game};{index};{board};{action};{reward};{}\n",
                    moment.score
                );
            }
        }
        text
    }

    #[test]
    fn a_game_is_read_back_whatever_the_order_of_its_actions() {
        let record = game("4x4", 300);
        for order in Move::ALL.into_iter().permutations(4) {
            let said = order
                .iter()
                .enumerate()
                .map(|(code, mv)| format!("{code} is {}", mv.name()))
                .join(", ");
            for text in [
                object(&record, &order),
                format!("[{}]", object(&record, &order)),
                lists(&record, &order),
                csv(std::slice::from_ref(&record), &order, true),
                csv(std::slice::from_ref(&record), &order, false),
            ] {
                let read = Imported::read_text(&text)
                    .unwrap_or_else(|error| panic!("{order:?}: {error}: {text}"));
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
            let short = Record {
                steps: long.steps[..long.steps.len().min(3)].to_vec(),
                ..long.clone()
            };
            let records = [long, short];
            let order = [Move::Up, Move::Right, Move::Down, Move::Left];
            let objects = format!(
                "{}\n\n{}\n",
                object(&records[0], &order),
                object(&records[1], &order)
            );
            let texts = [
                lines(&records),
                objects,
                csv(&records, &order, true),
                csv(&records, &order, false),
            ];
            for text in texts {
                let read = Imported::read_all_text(&text)
                    .unwrap_or_else(|error| panic!("{size}: {error}: {text}"));
                assert_eq!(read.len(), 2);
                for (read, record) in read.iter().zip(&records) {
                    assert_eq!(read.record.replay(), record.replay(), "{size}");
                    if !read
                        .notes
                        .iter()
                        .any(|note| note.contains("several orders"))
                    {
                        assert_eq!(read.record, *record, "{size}");
                    }
                }
            }
        }
    }

    #[test]
    fn columns_of_cells_are_in_the_order_of_their_numbers() {
        let names: Vec<String> = (0..16)
            .map(|cell| format!("c{cell}"))
            .sorted()
            .chain(["action".to_owned()])
            .collect();
        assert_eq!(names[2], "c10");
        let (cells, cols) = cells(&names, |_| false).expect("a board");
        assert!(
            cells
                .iter()
                .map(|&index| &*names[index])
                .eq((0..16).map(|cell| format!("c{cell}")))
        );
        assert_eq!(cols, None);
    }

    #[test]
    fn actions_settle_what_boards_leave_open() {
        // Down and right lead to the same board.
        for (action, mv) in [("down", Move::Down), ("right", Move::Right)] {
            let text = format!(
                "{{\"board\": [2, 0, 0, 0], \"action\": \"{action}\"}}\n{{\"board\": [0, 2, 2, 0]}}\n"
            );
            let read = Imported::read_text(&text).expect("a game");
            assert_eq!((read.record.steps[0].mv, read.notes.len()), (mv, 0));
        }
        let open = Imported::read_text("board,action\n2 0/0 0,1\n0 2/2 0,\n").expect("a game");
        assert!(
            open.notes
                .iter()
                .any(|note| note.contains("several orders")),
            "{:?}",
            open.notes
        );
    }

    #[test]
    fn what_a_file_lacks_or_contradicts_is_noted() {
        let notes = |text: &str| {
            Imported::read_text(text)
                .unwrap_or_else(|error| panic!("{text}: {error}"))
                .notes
        };
        let moves = |last: &str| {
            format!(
                "{{\"moves\": [{{\"board\": [2, 2, 0, 0], \"action\": \"left\"}}, \
                 {{\"board\": [4, 0, 2, 0], \"action\": \"{last}\"}}]}}"
            )
        };
        for (text, note) in [
            (
                &*moves("up"),
                "line 1, move 2: the last action, up, moves nothing: left out",
            ),
            (
                &*moves("right"),
                "line 1, move 2: the last action, right, leads to 0,4/0,2 with 0 points; left out",
            ),
            (
                "board,action,reward\n2 2/0 0,left,1\n4 0/2 0,,\n",
                "line 2: the reward is 1, but the move makes 4 points; 1 reward like this",
            ),
            (
                "board,action,score\n2 2/0 0,left,7\n4 0/2 0,,8\n",
                "line 3: the score is not that of the moves",
            ),
            (
                "board,action\n2 2/0 0,up\n2 2/0 0,left\n4 0/2 0,\n",
                "1 action that moved nothing: left out",
            ),
            (
                "{\"board\": [1, 1, 0, 0], \"action\": \"left\"}\n{\"board\": [2, 0, 1, 0]}",
                "the boards hold exponents",
            ),
        ] {
            let found = notes(text);
            assert!(
                found.iter().any(|found| found.starts_with(note)),
                "{text}: {found:?}"
            );
        }
        // One score may stand before the move or after it.
        for (score, begin) in [(0, 0), (4, 0), (9, 9)] {
            let text = format!("board,action,score\n2 2/0 0,left,{score}\n4 0/2 0,,\n");
            let read = Imported::read_text(&text).expect("a game");
            assert_eq!(
                (read.record.score, read.notes),
                (begin, Vec::new()),
                "{score}"
            );
        }
        // The points of a slide whose new tile is missing may be part of the score of the file.
        for (score, is_doubted) in [(4, false), (12, false), (8, true)] {
            let text = format!(
                "{{\"score\": {score}, \"moves\": [{{\"board\": [2, 2, 4, 0], \"action\": 3}}, \
                 {{\"board\": [4, 0, 4, 2], \"action\": 0}}]}}"
            );
            assert_eq!(
                notes(&text)
                    .iter()
                    .any(|note| note.contains("states a score")),
                is_doubted,
                "{score}"
            );
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
            (
                "board,action\n2 0/2 0,jump\n4 0/2 0,\n",
                "line 2: \"jump\" is not a move",
            ),
            (
                "board,action\n2 0/2 0,0\n",
                "line 2: there is one board and no turn",
            ),
            (
                "board,action\n2 0/2 0,0,3\n4 0/2 0,\n",
                "line 2: this row has 3 fields, but the first line has 2 fields",
            ),
            (
                "{\"board\": [2, 3, 0, 32], \"action\": 0}\n",
                "line 1: row 1, cell 2: \"3\" is not a tile",
            ),
            (
                "{\"board\": [2, 0, 2], \"action\": 0}\n",
                "line 1: 3 cells do not make a square board",
            ),
            (
                "{\"board\": [[2, 0], [2]], \"action\": 0}\n",
                "line 1: row 2 has 1 cells, but the others have 2",
            ),
            (
                "{\"board\": [2, 0, 2, \"y\"], \"action\": 0}\n",
                "line 1: row 2, cell 2: \"y\" is not a tile",
            ),
            (
                "{\"board\": [2, 0, 2, 0], \"action\": 0}\n{\"boa",
                "line 2: the file ends inside this object",
            ),
            (
                "{\"board\": [2, 0, 2, 0], \"action\": 0}\n\n7",
                "line 3: a JSON object is expected here",
            ),
            (
                "{\"board\": [2, 0, 2, 0], \"action\": 0}\n{\"a\": 1}",
                "line 2: this object has no board",
            ),
            (
                "{\"moves\": [{\"board\": [2, 0, 2, 0]}, {\"board\": [2, 0, 2, 97]}]}",
                "line 1, move 2: row 2, cell 2: \"97\" is not a tile",
            ),
            (
                "{\"boards\": [[2, 0, 2, 0]], \"actions\": [1, 2]}",
                "line 1: 1 boards do not fit 2 actions",
            ),
            (
                "{\"boards\": [[2, 0, 2, 0]], \"actions\": \"UL\"}",
                "line 1: actions: a list with an action for each board is expected",
            ),
            (
                "board,action,score\n2 0/2 0,0,4\n4 0/2 0,,many\n",
                "line 3: score: \"many\" is not a number",
            ),
            (
                "{\"board\": [2, 0, 2, 0], \"action\": 0, \"reward\": [4]}",
                "line 1: reward: [4] is not a number",
            ),
        ] {
            assert!(kind_of(text).is_some(), "{text}");
            let error = Imported::read_all_text(text).expect_err(text).to_string();
            assert!(error.starts_with(refusal), "{text}: {error}");
        }
        for text in [
            "{\"a\": 1}",
            "{}",
            "[2, 0, 2, 0]",
            "a,b\n1,2\n",
            "2,0,0,4\n0,8,0,0\n0,0,0,0\n0,0,16,2",
            "board\n2 0/2 0",
        ] {
            assert_eq!(kind_of(text), None, "{text}");
        }
    }

    #[test]
    fn transitions_with_their_next_board_are_games() {
        let text =
            "state,action,next_state\n2 0/2 0,0,4 0/2 0\n0 0/2 2,3,2 0/4 0\n2 0/4 0,1,0 2/2 4\n";
        let games = Imported::read_all_text(text).expect("two games");
        assert_eq!(
            games
                .iter()
                .map(|game| game.record.steps.len())
                .collect::<Vec<_>>(),
            [1, 2]
        );
        let steps = games
            .iter()
            .flat_map(|game| &game.record.steps)
            .map(ToString::to_string);
        assert_eq!(
            steps.collect::<Vec<_>>(),
            ["up 2 r2c1", "left 2 r1c1", "right 2 r2c1"]
        );
    }

    #[test]
    fn a_move_without_a_game_is_not_put_into_the_game_before() {
        for (text, refusal) in [
            (
                "game,board,action\na,2 0/2 0,0\n,4 0/2 0,\n",
                "line 3: this move names no game, but that of line 2 does: name the game of every move, or of none",
            ),
            (
                "game,board,action\n,2 0/2 0,0\na,4 0/2 0,\n",
                "line 3: this move names its game, but that of line 2 names none",
            ),
            (
                "{\"game\": 7, \"board\": [2, 0, 2, 0], \"action\": 0}\n{\"game\": null, \"board\": [4, 0, 2, 0]}",
                "line 2: this move names no game",
            ),
        ] {
            let error = Imported::read_all_text(text).expect_err(text).to_string();
            assert!(error.starts_with(refusal), "{text}: {error}");
        }
        // Without any name the boards show where games begin.
        let text = "game,board,action\n,2 0/2 0,0\n,4 0/2 0,\n,0 2/0 2,0\n,2 4/0 0,\n";
        assert_eq!(
            Imported::read_all_text(text).map(|games| games.len()),
            Ok(2)
        );
    }

    #[test]
    fn actions_may_be_one_hot() {
        let record = game("4x4", 40);
        let order = [Move::Left, Move::Up, Move::Right, Move::Down];
        let hot = |step: &crate::game::Step| -> Vec<u8> {
            order.iter().map(|&mv| u8::from(mv == step.mv)).collect()
        };
        let moments = record.replay();
        let turns = || moments.iter().zip(&record.steps);
        let last = moments.last().expect("a board").board;
        let json = turns().map(|(at, step)| {
            serde_json::json!({"board": rows(&at.board), "action": hot(step)}).to_string() + "\n"
        });
        let json = json.collect::<String>()
            + &serde_json::json!({"board": rows(&last), "action": [0, 0, 0, 0]}).to_string();
        let printed = turns().map(|(at, step)| {
            let [a, b, c, d] = hot(step)[..] else {
                panic!("four")
            };
            format!("{};[{a}. {b}. {c}. {d}.]\n", at.board)
        });
        let printed = format!("board;action\n{}{last};\n", printed.collect::<String>());
        let columns =
            turns().map(|(at, step)| format!("{};{}\n", hot(step).iter().join(";"), at.board));
        let columns = format!(
            "action_0;action_1;action_2;action_3;board\n{}0;0;0;0;{last}\n",
            columns.collect::<String>()
        );
        // Four columns of actions beside sixteen of cells are no 2x2 board.
        let cells = |board: &Board| board.cells().map(|(_, rank)| rank.to_string()).join(";");
        let names = (0..16).map(|cell| format!("c{cell}")).join(";");
        let apart = turns()
            .map(|(at, step)| format!("{};{}\n", hot(step).iter().join(";"), cells(&at.board)));
        let apart = format!(
            "action_left;action_up;action_right;action_down;{names}\n{}0;0;0;0;{}\n",
            apart.collect::<String>(),
            cells(&last)
        );
        for (text, note) in [
            (
                json,
                Some("actions, as the boards show: 0 is left, 1 is up, 2 is right, 3 is down"),
            ),
            (
                printed,
                Some("actions, as the boards show: 0 is left, 1 is up, 2 is right, 3 is down"),
            ),
            (
                columns,
                Some("actions, as the boards show: 0 is left, 1 is up, 2 is right, 3 is down"),
            ),
            (apart, None),
        ] {
            let read = Imported::read_text(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(read.record.steps, record.steps, "{text}");
            assert_eq!(read.notes.first().map(String::as_str), note, "{text}");
        }
        let legal = "board,action,action_up,action_down,action_left,action_right\n2 0/2 0,up,1,1,0,1\n4 0/2 0,,1,1,0,1\n";
        let read = Imported::read_text(legal).expect("a game");
        assert_eq!(
            read.record
                .steps
                .iter()
                .map(|step| step.mv)
                .collect::<Vec<_>>(),
            [Move::Up]
        );
        for action in [
            "[1, 1, 0, 0]",
            "[0, 2, 0, 0]",
            "[0, 1]",
            "[0.1, 0.2, 0.3, 0.4]",
            "[\"x\"]",
        ] {
            let text = format!(
                "{{\"board\": [2, 0, 2, 0], \"action\": {action}}}\n{{\"board\": [4, 0, 2, 0]}}"
            );
            let error = Imported::read_text(&text).expect_err(action).to_string();
            assert!(
                error.starts_with("line 1: \"[")
                    && error.contains("is not an action: write its name"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_name_of_an_action_agrees_with_its_number() {
        let text = |names: [&str; 3], numbers: [u8; 3]| {
            let [a, b, c] = [0, 1, 2].map(|place| format!("{},{}", numbers[place], names[place]));
            format!("board,action,action_name\n2 0/2 0,{a}\n4 0/0 2,{b}\n4 0/2 2,{c}\n4 2/4 0,,\n")
        };
        let read = Imported::read_text(&text(["up", "left", "left"], [0, 3, 3])).expect("a game");
        let moves: Vec<Move> = read.record.steps.iter().map(|step| step.mv).collect();
        assert_eq!(moves, [Move::Up, Move::Left, Move::Left]);
        for (names, numbers, refusal) in [
            (
                ["up", "left", "right"],
                [0, 3, 1],
                "line 4: the name of the action is right, but the move from 4,0/2,2 to",
            ),
            (
                ["up", "left", "left"],
                [0, 3, 0],
                "line 4: no order of the actions fits: by the previous boards, 0 is up, 3 is",
            ),
            (
                ["up", "jump", "left"],
                [0, 3, 3],
                "line 3: \"jump\" is not a move",
            ),
        ] {
            let error = Imported::read_text(&text(names, numbers))
                .expect_err(refusal)
                .to_string();
            assert!(error.starts_with(refusal), "{error}");
        }

        // Down and right lead to the same board, and the name settles which it is.
        for name in ["Down", "right", "↓"] {
            let text = format!("board,action,action_name\n2 0/0 0,2,{name}\n0 2/2 0,,\n");
            let note = Imported::read_text(&text).expect("a game").notes.concat();
            let mv = if name == "right" {
                "2 is right"
            } else {
                "2 is down"
            };
            assert!(
                note.contains(mv) && !note.contains("several"),
                "{name}: {note}"
            );
        }
        // Names alone are words.
        let read = Imported::read_text("board,move,action_name\n2 0/2 0,1,up\n4 0/2 0,2,\n")
            .expect("a game");
        assert_eq!(
            (read.record.steps[0].mv, read.notes),
            (Move::Up, Vec::new())
        );
    }

    #[test]
    fn moves_after_a_list_of_moves_are_another_game() {
        let moves =
            "{\"board\": [[2, 0], [2, 0]], \"action\": \"up\"}\n{\"board\": [[4, 0], [2, 0]]}\n";
        let list = moves.trim_end().replace('\n', ", ");
        let text = format!("{{\"moves\": [{list}]}}\n{moves}");
        let games = Imported::read_all_text(&text).expect("two games");
        let boards: Vec<usize> = games
            .iter()
            .map(|game| game.record.replay().len())
            .collect();
        assert_eq!(boards, [2, 2]);
    }

    #[test]
    fn a_null_name_leaves_the_action_to_its_own_field() {
        let text = "{\"board\": [[2, 0], [2, 0]], \"move\": \"up\", \"action_name\": null}\n{\"board\": [[4, 0], [2, 0]]}\n";
        let read = Imported::read_text(text).expect("a game");
        assert_eq!(read.record.steps[0].mv, Move::Up);
    }

    /// Whatever the reader of boards reads, a data set may hold.
    #[test]
    fn boards_are_read_as_everywhere_else() {
        let steps = |boards: [Value; 2]| {
            let [first, second] = boards;
            let text = format!(
                "{}\n{}\n",
                serde_json::json!({"board": first, "action": "up"}),
                serde_json::json!({"board": second})
            );
            Imported::read_text(&text).map(|game| {
                (
                    game.record.start.to_string(),
                    game.record.steps[0].to_string(),
                )
            })
        };
        let hot = |ranks: [usize; 4]| {
            let cells: Vec<Vec<u8>> = ranks
                .iter()
                .map(|&rank| (0..12).map(|channel| u8::from(channel == rank)).collect())
                .collect();
            serde_json::json!([[cells[0], cells[1]], [cells[2], cells[3]]])
        };
        let expected = Ok(("1024,0/1024,2".to_owned(), "up 2 r2c1".to_owned()));
        let second = || serde_json::json!("2048,2/2,0");
        for first in [
            serde_json::json!([[1024, 0], [1024, 2]]),
            serde_json::json!([[1024.0, 0.0], [1024.0, 2.0]]),
            serde_json::json!([1024, null, "1k", "2"]),
            serde_json::json!([["1024", "."], ["2^10", "2"]]),
            serde_json::json!("[[1024, 0], [1024, 2]]"),
            serde_json::json!("[[1024. 0.]\n [1024. 2.]]"),
            serde_json::json!("1024 _ / 1k 2"),
        ] {
            assert_eq!(steps([first.clone(), second()]), expected, "{first}");
        }
        for exponents in [
            [
                serde_json::json!([[10, 0], [10, 1]]),
                serde_json::json!([[11, 1], [1, 0]]),
            ],
            [hot([10, 0, 10, 1]), hot([11, 1, 1, 0])],
        ] {
            assert_eq!(steps(exponents.clone()), expected, "{exponents:?}");
        }
    }
}

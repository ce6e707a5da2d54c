//! Saved games as JSON objects or Python dictionaries: the original web game's, and any object with a board and a score.
//!
//! The web game saves `{"grid": {"size": 4, "cells": [[…], …]}, "score": 0, "over": false, …}`. Its cells are lists of
//! columns, each cell `null` or `{"position": {"x": 0, "y": 1}, "value": 2}`.

use serde_json::{Map, Value};

use super::{Board, Cell, Grid, ParseBoardError, Rank, ReadAs, Reading, Size, readings};

/// Fields with the board of an object.
const BOARDS: [&str; 5] = ["board", "grid", "tiles", "matrix", "cells"];

/// The boards of a saved game. `None` if the text is no JSON object with a board.
pub(super) fn read(text: &str, read_as: &ReadAs) -> Option<Result<Vec<Reading>, ParseBoardError>> {
    if !text.starts_with(['{', '"']) {
        return None;
    }
    let value: Value = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&from_python(text)))
        .ok()?;
    of_value(&value, read_as)
}

/// A dictionary as Python prints it, in JSON.
fn from_python(text: &str) -> String {
    let names = [
        ("'", "\""),
        ("None", "null"),
        ("True", "true"),
        ("False", "false"),
        ("(", "["),
        (")", "]"),
    ];
    names
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn of_value(value: &Value, read_as: &ReadAs) -> Option<Result<Vec<Reading>, ParseBoardError>> {
    match value {
        // A browser shows the saved text in quotes.
        Value::String(text) if text.trim_start().starts_with('{') => read(text.trim(), read_as),
        Value::Object(object) => match (object.get("gameState"), object.get("grid")) {
            (Some(state), _) => of_value(state, read_as),
            (None, Some(Value::Object(grid))) => {
                Some(of_web_game(object, grid).map(|reading| vec![reading]))
            }
            (None, _) => {
                let mut boards = BOARDS
                    .iter()
                    .filter_map(|name| Some((*name, object.get(*name)?)));
                let (name, board) = boards.next()?;
                // Which of two fields is the board is open.
                boards
                    .next()
                    .is_none()
                    .then(|| of_board(object, name, board, read_as))
            }
        },
        _ => None,
    }
}

fn of_board(
    object: &Map<String, Value>,
    name: &str,
    board: &Value,
    read_as: &ReadAs,
) -> Result<Vec<Reading>, ParseBoardError> {
    let text = match board {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Number(_) => board.to_string(),
        _ => return Err(saved(name, "a board")),
    };
    let score = score(object)?;
    let found = readings(&text, read_as)?;
    Ok(found
        .into_iter()
        .map(|reading| Reading {
            score: score.or(reading.score),
            ..reading
        })
        .collect())
}

fn score(object: &Map<String, Value>) -> Result<Option<u64>, ParseBoardError> {
    let score = object.get("score").filter(|score| !score.is_null());
    score
        .map(|score| {
            score
                .as_u64()
                .ok_or_else(|| saved("score", "a whole number"))
        })
        .transpose()
}

fn saved(field: impl Into<String>, expected: &'static str) -> ParseBoardError {
    ParseBoardError::Saved {
        field: field.into(),
        expected,
    }
}

fn of_web_game(
    object: &Map<String, Value>,
    grid: &Map<String, Value>,
) -> Result<Reading, ParseBoardError> {
    let side = |value: &Value| value.as_u64().and_then(|side| u8::try_from(side).ok());
    let size = grid
        .get("size")
        .and_then(side)
        .and_then(|side| Size::new(side, side));
    let size = size.ok_or_else(|| saved("grid.size", "a number from 2 to 5"))?;
    let list = |value: Option<&Value>, field: &dyn Fn() -> String| match value {
        Some(Value::Array(list)) if list.len() == size.cols() => Ok(list.clone()),
        _ => Err(saved(field(), "a list as long as grid.size")),
    };

    let columns = list(grid.get("cells"), &|| "grid.cells".to_owned())?;
    let mut board = Grid::empty(size);
    for (x, column) in columns.iter().enumerate() {
        for (y, tile) in list(Some(column), &|| format!("grid.cells[{x}]"))?
            .iter()
            .enumerate()
        {
            let field = || format!("grid.cells[{x}][{y}] (row {}, cell {})", y + 1, x + 1);
            let Value::Object(tile) = tile else {
                if tile.is_null() {
                    continue;
                }
                return Err(saved(field(), "null or a tile"));
            };
            let value = tile
                .get("value")
                .and_then(Value::as_u64)
                .and_then(Rank::of_tile);
            let rank = value
                .filter(|rank| !rank.is_empty())
                .ok_or_else(|| saved(field(), "a value such as 2, 4, 8"))?;
            let place = |axis: &str| tile.get("position").and_then(|position| position.get(axis));
            let stands = |axis, index: usize| {
                place(axis).is_none_or(|place| place.as_u64() == Some(index as u64))
            };
            if !stands("x", x) || !stands("y", y) {
                return Err(saved(
                    field(),
                    "a position equal to its place, column first",
                ));
            }
            board.set(Cell::new(y as u8, x as u8), rank);
        }
    }

    let board = Board::from_grid(board);
    let is_over = match object.get("over") {
        None | Some(Value::Null) => false,
        Some(over) => over
            .as_bool()
            .ok_or_else(|| saved("over", "true or false"))?,
    };
    if is_over && !board.is_dead() {
        return Err(ParseBoardError::NotOver);
    }
    Ok(Reading {
        score: score(object)?,
        ..Reading::of(board)
    })
}

//! Reads lists of boards, and boards followed by moves.
//!
//! A board is on one line, in any board notation. A turn is `left 2 r1c4`: slide, tile, cell, after an optional number.
//! The slide is a name, a letter or a number: see `actions`. Lines that are empty or begin with `#` are skipped. Another
//! game begins with a board after turns, or with a board of at most two tiles that no move leads to.

use itertools::Itertools as _;

use super::actions::{self, Order};
use super::sequence::{self, Frame, Sequence};
use super::{ImportError, ImportKind, ImportPlace, Imported, Reading, refused};
use crate::game::{Board, Cell, Spawn, Step};
use crate::words;

/// Lines with content, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// From the first two lines: a board, followed by a board or a turn. Lines of JSON with a board are data sets or other files.
pub(super) fn kind_of(text: &str) -> Option<ImportKind> {
    let mut lines = lines(text);
    let (_, first) = lines.next()?;
    if first.starts_with('{') {
        return None;
    }
    first.parse::<Board>().ok()?;
    let (_, second) = lines.next()?;
    if is_turn(second) {
        return Some(ImportKind::Moves);
    }
    second
        .parse::<Board>()
        .is_ok()
        .then_some(ImportKind::Boards)
}

/// The words of a turn without the number before it.
fn unnumbered(line: &str) -> Vec<&str> {
    let rest = line
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start_matches(['.', ')', ':']);
    let rest: Vec<&str> = rest.split_whitespace().collect();
    // A number may also be the slide.
    if 3 <= rest.len() || rest.first().is_some_and(|word| actions::is_named(word)) {
        return rest;
    }
    line.split_whitespace().collect()
}

/// Whether a line begins with a slide, or is a number, a tile and a cell.
fn is_turn(line: &str) -> bool {
    let words = unnumbered(line);
    let begins = words.first().is_some_and(|word| actions::is_named(word));
    begins || matches!(words[..], [_, _, cell] if cell.parse::<Cell>().is_ok())
}

const EXPECTED: &str =
    "a game is expected: one board per line, or a board and then turns such as left 2 r1c4";

pub(super) fn read(text: &str) -> Result<Vec<Imported>, ImportError> {
    let mut first = lines(text);
    let nothing = || refused(None, format!("the file is empty; {EXPECTED}"));
    let (line, start) = first.next().ok_or_else(nothing)?;
    let board = |line: usize, text: &str| {
        text.parse::<Board>()
            .map_err(|error| refused(ImportPlace::Line(line), format!("{error}")))
    };
    board(line, start)?;
    match first.next() {
        None => Err(refused(
            ImportPlace::Line(line),
            format!("there is one board and no turn; {EXPECTED}"),
        )),
        Some((_, second)) if is_turn(second) => read_turns(text),
        Some(_) => {
            let frame = |(line, text)| Ok(Frame::at(ImportPlace::Line(line), board(line, text)?));
            let frames = lines(text)
                .map(frame)
                .collect::<Result<Vec<_>, ImportError>>()?;
            let games = sequence::split(frames).into_iter().map(|frames| Sequence {
                frames,
                score: None,
            });
            sequence::read(ImportKind::Boards, &games.collect::<Vec<_>>())
        }
    }
}

struct Turn {
    place: ImportPlace,
    /// In normal form.
    word: String,
    spawn: Spawn,
}

/// Boards, each followed by turns.
fn read_turns(text: &str) -> Result<Vec<Imported>, ImportError> {
    let mut games: Vec<(Board, Vec<Turn>)> = Vec::new();
    for (line, text) in lines(text) {
        let place = ImportPlace::Line(line);
        let turns = games
            .last_mut()
            .map(|(_, turns)| turns)
            .filter(|turns| turns.is_empty() || is_turn(text));
        let Some(turns) = turns else {
            games.push((
                text.parse()
                    .map_err(|error| refused(place, format!("{error}")))?,
                Vec::new(),
            ));
            continue;
        };
        turns.push(turn(place, text)?);
    }
    let words: Vec<(ImportPlace, &String)> = games
        .iter()
        .flat_map(|(_, turns)| turns.iter().map(|turn| (turn.place, &turn.word)))
        .unique_by(|(_, word)| *word)
        .collect();
    let distinct: Vec<String> = words.iter().map(|(_, word)| (*word).clone()).collect();
    let orders =
        actions::orders(&distinct).map_err(|(word, reason)| refused(words[word].0, reason))?;

    let mut fitting: Vec<(&Order, Vec<Imported>)> = Vec::new();
    let mut furthest: Option<ImportError> = None;
    for order in &orders {
        match games
            .iter()
            .map(|(start, turns)| played(*start, turns, order))
            .collect()
        {
            Ok(games) => fitting.push((order, games)),
            Err(error) => {
                furthest = furthest
                    .filter(|other| error.place <= other.place)
                    .or(Some(error));
            }
        }
    }
    if let [(first, _), (second, _), ..] = fitting[..] {
        let [first, second] =
            [first, second].map(|order| actions::sentence(order).unwrap_or_default());
        let reason =
            format!("the moves may be {first}, or {second}: write up, down, left and right");
        return Err(refused(words[0].0, reason));
    }
    let (games, furthest) = (fitting.pop().map(|(_, games)| games), furthest);
    games.ok_or_else(|| match furthest {
        Some(error) if orders.len() == 1 => error,
        Some(error) => {
            let reason = format!(
                "no order of the numbers as moves fits; the one that fits longest: {}",
                error.reason
            );
            refused(error.place, reason)
        }
        None => refused(None, EXPECTED),
    })
}

fn turn(place: ImportPlace, text: &str) -> Result<Turn, ImportError> {
    let wrong = |reason: String| refused(place, reason);
    let words = unnumbered(text);
    let [word, tile, cell] = words[..] else {
        return Err(wrong(format!(
            "{} is not a turn: write slide, tile and cell, such as left 2 r1c4",
            words::quoted(text)
        )));
    };
    // The slide is read later, with those of the other turns.
    let Step { spawn, .. } = format!("up {tile} {cell}").parse().map_err(wrong)?;
    Ok(Turn {
        place,
        word: actions::normal(word),
        spawn,
    })
}

fn played(start: Board, turns: &[Turn], order: &Order) -> Result<Imported, ImportError> {
    let mut reading = Reading::begin(start);
    for Turn { place, word, spawn } in turns {
        let mv = actions::meaning(order, word)
            .ok_or_else(|| refused(*place, format!("{} is not a move", words::quoted(word))))?;
        reading
            .play(Step { mv, spawn: *spawn })
            .map_err(|reason| refused(*place, reason))?;
    }
    let notes = actions::sentence(order).map(|order| format!("moves, by the rules: {order}"));
    Ok(reading.finish(ImportKind::Moves, notes.into_iter().collect()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Record;

    pub(in crate::game::imported) fn boards(record: &Record) -> String {
        record
            .replay()
            .iter()
            .map(|moment| format!("{}\n", moment.board))
            .collect()
    }

    pub(in crate::game::imported) fn moves(record: &Record) -> String {
        let steps = record
            .steps
            .iter()
            .enumerate()
            .map(|(index, step)| format!("{}. {step}\n", index + 1));
        format!("{}\n{}", record.start, steps.collect::<String>())
    }

    #[test]
    fn turns_are_read_with_names_letters_and_numbers() {
        let record = crate::game::imported::tests::game("4x4", 300);
        let written = |names: [&str; 4], has_number: bool| {
            let steps = record.steps.iter().enumerate().map(|(index, step)| {
                let number = if has_number {
                    format!("{} ", index + 1)
                } else {
                    String::new()
                };
                format!(
                    "{number}{} {} {}\n",
                    names[step.mv.index()],
                    step.spawn.rank,
                    step.spawn.cell
                )
            });
            format!("{}\n{}", record.start, steps.collect::<String>())
        };
        for (names, said) in [
            (["up", "down", "left", "right"], None),
            (
                ["U", "D", "L", "R"],
                Some("d is down, l is left, r is right, u is up"),
            ),
            (
                ["w", "s", "a", "d"],
                Some("a is left, d is right, s is down, w is up"),
            ),
            (
                ["0", "2", "3", "1"],
                Some("0 is up, 1 is right, 2 is down, 3 is left"),
            ),
            (
                ["3", "1", "4", "2"],
                Some("1 is down, 2 is right, 3 is up, 4 is left"),
            ),
        ] {
            for has_number in [false, true] {
                let text = written(names, has_number);
                assert_eq!(kind_of(&text), Some(ImportKind::Moves), "{text}");
                let games = read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
                assert_eq!(games[0].record, record);
                assert_eq!(
                    games[0].notes,
                    Vec::from_iter(said.map(|said| format!("moves, by the rules: {said}")))
                );
            }
        }

        let twice = written(["0", "1", "2", "3"], true).repeat(2);
        assert_eq!(
            read(&twice)
                .expect("two games")
                .iter()
                .filter(|game| game.record == record)
                .count(),
            2
        );
        for (text, words) in [
            (
                "2,2/0,0\n0 2 r2c1",
                "line 2: the moves may be 0 is left, or 0 is right",
            ),
            (
                "2,0/0,0\n0 2 r1c1",
                "line 2: the moves may be 0 is down, or 0 is right",
            ),
            (
                "2,2/0,0\n5 2 r3c1",
                "line 2: no order of the numbers as moves fits",
            ),
            ("2,2/0,0\nx 2 r1c1", "line 2: \"x\" is not a move"),
            (
                "2,2/0,0\nL 8 r2c1",
                "line 2: a new tile is 2 or 4, not \"8\"",
            ),
        ] {
            let refused = read(text).expect_err(text).to_string();
            assert!(refused.starts_with(words), "{text}: {refused}");
        }
    }

    #[test]
    fn lists_are_told_from_boards_and_refused_by_their_line() {
        assert_eq!(kind_of("2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2"), None);
        assert_eq!(
            kind_of("2 0 0 4\n0 8 0 0\n0 0 0 0\n0 0 16 2"),
            None,
            "rows of one board"
        );
        assert_eq!(
            kind_of("# mine\n2,2/0,0\n\n4,0/2,0"),
            Some(ImportKind::Boards)
        );
        assert_eq!(kind_of("2,2/0,0\n1 left 2 r2c1"), Some(ImportKind::Moves));

        for (text, words) in [
            ("", "the file is empty"),
            ("2,2/0,0", "line 1: there is one board and no turn"),
            (
                "2,2/0,0\n\n8,0/2,0",
                "line 3: no move and one new tile lead from 2,2/0,0 to 8,0/2,0",
            ),
            (
                "2,2/0,0\n4,0,0/2,0,0",
                "line 2: this board is 2x3, but the previous ones are 2x2",
            ),
            ("2,2/0,0\n4,0/y,0", "line 2: row 2, cell 1"),
            ("2,2/0,0\nleft 2 r1c1", "line 2: r1c1 is not an empty cell"),
            ("2,2/0,0\nleft 2", "line 2: \"left 2\" is not a turn"),
        ] {
            let refused = read(text).expect_err(text).to_string();
            assert!(refused.starts_with(words), "{refused}");
        }
        let alike = &read("2,0/0,0\n0,2/2,0\n").expect("a game")[0];
        assert_eq!(
            alike.notes,
            ["line 2: Down and Right lead to the same board; Down is assumed"]
        );
        assert_eq!(
            alike
                .record
                .steps
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            ["down 2 r1c2"]
        );
    }
}

//! Reads lists of boards, and a board followed by moves.
//!
//! A board is on one line, in any board notation. A turn is `left 2 r1c4`: slide, tile, cell, after an optional number.
//! Lines that are empty or begin with `#` are skipped.

use super::{ImportError, ImportKind, ImportPlace, Imported, Reading, refused};
use crate::game::{Board, Move, Spawn, Step};
use crate::words;

/// Lines with content, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// From the first two lines: a board, followed by a board or a turn.
pub(super) fn kind_of(text: &str) -> Option<ImportKind> {
    let mut lines = lines(text);
    lines.next()?.1.parse::<Board>().ok()?;
    let (_, second) = lines.next()?;
    if begins_with_a_slide(second) {
        return Some(ImportKind::Moves);
    }
    second.parse::<Board>().is_ok().then_some(ImportKind::Boards)
}

/// A turn without the number before it.
fn unnumbered(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ')', ':']).trim_start()
}

fn begins_with_a_slide(line: &str) -> bool {
    unnumbered(line).split_whitespace().next().is_some_and(|word| word.parse::<Move>().is_ok())
}

pub(super) fn read(text: &str) -> Result<Imported, ImportError> {
    let mut lines = lines(text);
    let expected = "a game is expected: a board a line, or a board and then turns such as left 2 r1c4";
    let (line, start) =
        lines.next().ok_or_else(|| refused(ImportPlace::Line(1), format!("there is nothing in it; {expected}")))?;
    let start: Board = start.parse().map_err(|error| refused(ImportPlace::Line(line), format!("{error}")))?;
    let mut reading = Reading::begin(start);
    let mut notes = Vec::new();
    let mut kind = None;
    for (line, text) in lines {
        let wrong = |reason: String| refused(ImportPlace::Line(line), reason);
        let is_turn = *kind.get_or_insert(begins_with_a_slide(text));
        let step = if is_turn {
            unnumbered(text).parse::<Step>().map_err(wrong)?
        } else {
            let next: Board = text.parse().map_err(|error| wrong(format!("{error}")))?;
            let (step, others) = between(&reading.at.board, &next).map_err(wrong)?;
            if !others.is_empty() {
                let others = words::list(&others.iter().map(ToString::to_string).collect::<Vec<_>>());
                notes.push(format!("line {line}: {} and {others} lead there alike; {} is taken", step.mv, step.mv));
            }
            step
        };
        reading.play(step).map_err(wrong)?;
    }

    let Some(is_turn) = kind else {
        return Err(refused(ImportPlace::Line(line), format!("there is one board and no turn; {expected}")));
    };
    Ok(reading.finish(if is_turn { ImportKind::Moves } else { ImportKind::Boards }, notes))
}

/// The turn that leads from a board to another, and the other slides that do so.
fn between(board: &Board, next: &Board) -> Result<(Step, Vec<Move>), String> {
    if board.size() != next.size() {
        return Err(format!("this board is {}, but those before are {}", next.size(), board.size()));
    }
    let turn = |mv: Move| {
        let after = board.slide(mv)?.after.board();
        let mut new = next.cells().filter(|&(cell, rank)| after.get(cell) != rank);
        let (cell, rank) = new.next()?;
        let step = Step { mv, spawn: Spawn { cell, rank } };
        (after.get(cell).is_empty() && 1 <= rank.get() && rank.get() <= 2 && new.next().is_none()).then_some(step)
    };
    let mut turns = Move::ALL.into_iter().filter_map(turn);
    let first = turns.next().ok_or_else(|| format!("no move and one new tile lead from {board} to {next}"))?;
    Ok((first, turns.map(|step| step.mv).collect()))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Record;

    pub(in crate::game::imported) fn boards(record: &Record) -> String {
        record.replay().iter().map(|moment| format!("{}\n", moment.board)).collect()
    }

    pub(in crate::game::imported) fn moves(record: &Record) -> String {
        let steps = record.steps.iter().enumerate().map(|(index, step)| format!("{}. {step}\n", index + 1));
        format!("{}\n{}", record.start, steps.collect::<String>())
    }

    #[test]
    fn lists_are_told_from_boards_and_refused_by_their_line() {
        assert_eq!(kind_of("2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2"), None);
        assert_eq!(kind_of("2 0 0 4\n0 8 0 0\n0 0 0 0\n0 0 16 2"), None, "rows of one board");
        assert_eq!(kind_of("# mine\n2,2/0,0\n\n4,0/2,0"), Some(ImportKind::Boards));
        assert_eq!(kind_of("2,2/0,0\n1 left 2 r2c1"), Some(ImportKind::Moves));

        for (text, words) in [
            ("", "line 1: there is nothing in it"),
            ("2,2/0,0", "line 1: there is one board and no turn"),
            ("2,2/0,0\n\n8,0/2,0", "line 3: no move and one new tile lead from 2,2/0,0 to 8,0/2,0"),
            ("2,2/0,0\n4,0,0/2,0,0", "line 2: this board is 2x3, but those before are 2x2"),
            ("2,2/0,0\n4,0/x,0", "line 2: row 2, cell 1"),
            ("2,2/0,0\nleft 2 r1c1", "line 2: r1c1 is not an empty cell"),
            ("2,2/0,0\nleft 2", "line 2: \"left 2\" is no turn"),
        ] {
            let refused = read(text).expect_err(text).to_string();
            assert!(refused.starts_with(words), "{refused}");
        }
        let alike = read("2,0/0,0\n0,2/2,0\n").expect("a game");
        assert_eq!(alike.notes, ["line 2: Down and Right lead there alike; Down is taken"]);
        assert_eq!(alike.record.steps.iter().map(ToString::to_string).collect::<Vec<_>>(), ["down 2 r1c2"]);
    }
}

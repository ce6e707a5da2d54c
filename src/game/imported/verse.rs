//! Reads the text of a game of 2048verse, in both layouts, or several, one per line. Files that the site saves (`.vrs`)
//! have the new layout in Latin-1.
//!
//! *New*: `4x4-…_` (rows x columns, then anything up to the underscore), then three characters per turn, each one of
//! 128 that encode seven bits. Of the 21 bits, the lowest two are the slide (up, down, left, right), the third says
//! whether the tile is a 4, the three from the fifth are its column, the next three its row; the rest is time. The
//! first two turns have a tile and no slide. (`src/index.ts` of 2048Verse/2048-replay-utils.)
//!
//! *Old*: `replay`, then optionally `:` or `_` and perhaps the size, as in all smaller boards; then one character per
//! turn, out of 128: bits 5 and 6 are the slide (up, right, down, left), bit 4 says whether the tile is a 4, bits 2 and
//! 3 are its column and the lowest two its row. The first two have no slide. (`oldRegex` and `oldToNew` in the same
//! file, and the decoder of 2048EndgameTablebase, which skips seven characters or ten.) A blank after `replay` is the
//! first tile, as on the site, or a replacement for `:` if only that gives a game.

use super::{ImportError, ImportKind, ImportPlace, Imported, Reading, refused};
use crate::game::{Board, Cell, Move, Rank, Size, Spawn, Step};
use crate::words;

/// The start of the old layout.
const OLD: &str = "replay";

const NEW: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ¤¾";

/// The characters after the 95 printable ones of ASCII.
const OLD_BEYOND_ASCII: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒá";

const NEW_MOVES: [Move; 4] = [Move::Up, Move::Down, Move::Left, Move::Right];
const OLD_MOVES: [Move; 4] = [Move::Up, Move::Right, Move::Down, Move::Left];

pub(super) fn is_replay(text: &str) -> bool {
    text.starts_with(OLD) || new_head(text).is_some()
}

/// The size of the board, and the byte at which the turns begin.
fn new_head(text: &str) -> Option<(&str, usize)> {
    let (size, rest) = text.split_once('-')?;
    let (rows, cols) = size.split_once('x')?;
    let is_number = |text: &str| {
        (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (meta, _) = rest.split_once('_')?;
    (is_number(rows) && is_number(cols)).then_some((size, size.len() + 1 + meta.len() + 1))
}

/// A turn. The slide of the first two tiles has no meaning.
struct Turn {
    /// The position of its first character, from 1.
    character: usize,
    mv: Move,
    spawn: Spawn,
}

/// All games of a text, one per line.
pub(super) fn read_all(text: &str) -> Result<Vec<Imported>, ImportError> {
    let lines = || {
        text.lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
    };
    if lines().count() <= 1 {
        return read(text).map(|game| vec![game]);
    }
    let game = |(index, line): (usize, &str)| {
        let place = ImportPlace::Line(index + 1);
        if !is_replay(line) {
            return Err(refused(
                place,
                "this is not a game of 2048verse, unlike the previous line: delete it",
            ));
        }
        read(line).map_err(|error| refused(place, error.to_string()))
    };
    lines().map(game).collect()
}

pub(super) fn read(text: &str) -> Result<Imported, ImportError> {
    let text = text.trim_end_matches(['\r', '\n']);
    if let Some((size, begin)) = new_head(text) {
        return read_turns(text, size, new_turns(text, begin)?);
    }
    let old = |separators: &[char]| {
        let (size, turns) = old_turns(text, separators)?;
        read_turns(text, &size, turns)
    };
    old(&[':', '_']).or_else(|as_tile| match old(&[':', '_', ' ']) {
        Err(as_separator) if as_separator.place < as_tile.place => Err(as_tile),
        other => other,
    })
}

fn read_turns(text: &str, size: &str, turns: Vec<Turn>) -> Result<Imported, ImportError> {
    let size: Size = size
        .parse()
        .map_err(|error| refused(ImportPlace::Character(1), format!("{error}")))?;
    let mut turns = turns.into_iter();
    let mut start = Board::empty(size);
    for turn in turns.by_ref().take(2) {
        let Spawn { cell, rank } = turn.spawn;
        if !size.contains(cell) || !start.get(cell).is_empty() {
            let reason = format!("{cell} is not an empty cell of {start}, where the game begins");
            return Err(refused(ImportPlace::Character(turn.character), reason));
        }
        start = start.with(cell, rank);
    }

    if start.cells().filter(|(_, rank)| !rank.is_empty()).count() != 2 {
        let end = text.chars().count();
        return Err(refused(
            ImportPlace::Character(end),
            "the game ends before its second tile",
        ));
    }

    let mut reading = Reading::begin(start);
    for (
        index,
        Turn {
            character,
            mv,
            spawn,
        },
    ) in turns.enumerate()
    {
        reading.play(Step { mv, spawn }).map_err(|reason| {
            refused(
                ImportPlace::Character(character),
                format!("turn {}: {reason}", index + 1),
            )
        })?;
    }
    Ok(reading.finish(ImportKind::Verse, Vec::new()))
}

fn new_turns(text: &str, begin: usize) -> Result<Vec<Turn>, ImportError> {
    let before = text[..begin].chars().count();
    let codes = codes(&text[begin..], before, |c| {
        NEW.chars().position(|other| other == c)
    })?;
    if !codes.len().is_multiple_of(3) {
        let place = ImportPlace::Character(before + codes.len() / 3 * 3 + 1);
        return Err(refused(
            place,
            "the last turn is cut off: a turn has three characters",
        ));
    }
    let turn = |(index, code): (usize, &[usize])| {
        let bits = code.iter().fold(0, |bits, code| bits << 7 | code);
        Turn {
            character: before + 3 * index + 1,
            mv: NEW_MOVES[bits & 3],
            spawn: spawn(bits >> 2 & 1, bits >> 7 & 7, bits >> 4 & 7),
        }
    };
    Ok(codes.chunks_exact(3).enumerate().map(turn).collect())
}

fn old_turns(text: &str, separators: &[char]) -> Result<(String, Vec<Turn>), ImportError> {
    let rest = text.strip_prefix(OLD).unwrap_or(text);
    let behind = rest.strip_prefix(separators);
    let size = behind.and_then(|rest| SIZES.into_iter().find(|size| rest.starts_with(size)));
    // All of the head is ASCII.
    let before = OLD.len() + usize::from(behind.is_some()) + size.map_or(0, str::len);
    let beyond = |c| {
        OLD_BEYOND_ASCII
            .chars()
            .position(|other| other == c)
            .map(|place| place + 95)
    };
    let code = |c: char| match c {
        ' '..='~' => Some(c as usize - 32),
        _ => beyond(c),
    };

    let codes = codes(&text[before..], before, code)?;
    let turn = |(index, &bits): (usize, &usize)| Turn {
        character: before + index + 1,
        mv: OLD_MOVES[bits >> 5 & 3],
        spawn: spawn(bits >> 4 & 1, bits & 3, bits >> 2 & 3),
    };
    let turns = codes.iter().enumerate().map(turn).collect();
    Ok((size.unwrap_or("4x4").to_owned(), turns))
}

/// Sizes of at most four rows and columns. The site had the first four.
const SIZES: [&str; 9] = [
    "2x4", "3x3", "3x4", "4x4", "2x2", "2x3", "3x2", "4x2", "4x3",
];

fn spawn(is_four: usize, row: usize, col: usize) -> Spawn {
    let rank = if is_four == 1 { Rank::FOUR } else { Rank::TWO };
    Spawn {
        cell: Cell::new(row as u8, col as u8),
        rank,
    }
}

/// The code of each character; `before` other characters come before the first.
fn codes(
    text: &str,
    before: usize,
    code: impl Fn(char) -> Option<usize>,
) -> Result<Vec<usize>, ImportError> {
    let code_at = |(index, c): (usize, char)| {
        code(c).ok_or_else(|| {
            let reason = format!(
                "{} has no meaning in a game of 2048verse",
                words::quoted(&c.to_string())
            );
            refused(ImportPlace::Character(before + index + 1), reason)
        })
    };
    text.chars().enumerate().map(code_at).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Record;

    /// The tiles of the start in reading order, then the turns.
    fn turns(record: &Record) -> Vec<(Option<Move>, Spawn)> {
        let tiles = record.start.cells().filter(|(_, rank)| !rank.is_empty());
        let tiles = tiles.map(|(cell, rank)| (None, Spawn { cell, rank }));
        tiles
            .chain(record.steps.iter().map(|step| (Some(step.mv), step.spawn)))
            .collect()
    }

    fn place(moves: [Move; 4], mv: Option<Move>) -> usize {
        moves
            .iter()
            .position(|&other| Some(other) == mv)
            .unwrap_or(0)
    }

    pub(in crate::game::imported) fn new(record: &Record) -> String {
        let mut text = format!("{}-7_", record.rules.size);
        let alphabet: Vec<char> = NEW.chars().collect();
        for (index, (mv, Spawn { cell, rank })) in turns(record).into_iter().enumerate() {
            let four = usize::from(rank == Rank::FOUR) << 2;
            let at = usize::from(cell.col) << 4 | usize::from(cell.row) << 7;
            // The time is not read.
            let bits = place(NEW_MOVES, mv) | four | at | (index * 37 % 2048) << 10;
            text.extend([bits >> 14 & 127, bits >> 7 & 127, bits & 127].map(|code| alphabet[code]));
        }
        text
    }

    pub(in crate::game::imported) fn old(record: &Record) -> String {
        let size = record.rules.size.to_string();
        let mut text = if size == "4x4" {
            "replay:".to_owned()
        } else {
            format!("replay_{size}")
        };
        let alphabet: Vec<char> = (' '..='~').chain(OLD_BEYOND_ASCII.chars()).collect();
        for (mv, Spawn { cell, rank }) in turns(record) {
            let four = usize::from(rank == Rank::FOUR) << 4;
            let bits = place(OLD_MOVES, mv) << 5
                | four
                | usize::from(cell.col) << 2
                | usize::from(cell.row);
            text.push(alphabet[bits]);
        }
        text
    }

    #[test]
    fn both_alphabets_have_every_code_once() {
        let new: std::collections::HashSet<char> = NEW.chars().collect();
        let old: std::collections::HashSet<char> =
            (' '..='~').chain(OLD_BEYOND_ASCII.chars()).collect();
        assert_eq!((NEW.chars().count(), new.len(), old.len()), (128, 128, 128));
    }

    #[test]
    fn a_game_of_the_old_layout_is_read_with_every_head() {
        // A 4 to the right of the first cell (20: column 1, a 4) and a 2 on the first one (0); then down (64), a 2 on
        // the first cell.
        for head in [
            "replay",
            "replay:",
            "replay_",
            "replay ",
            "replay:4x2",
            "replay_2x4",
            "replay:4x4",
        ] {
            let read = read(&format!("{head}4 `\n")).expect(head).record;
            let start = read.start.to_string();
            assert!(start.starts_with("2,4"), "{head}: {start}");
            assert_eq!(
                read.steps
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>(),
                ["down 2 r1c1"],
                "{head}"
            );
            assert_eq!(
                read.rules.size.to_string(),
                if head.len() == 10 { &head[7..] } else { "4x4" }
            );
        }
        // A blank that is the first tile. Otherwise the rest would be a game without turns.
        let read_bare = read("replay 4`").expect("a game").record;
        assert_eq!(
            read_bare.start.to_string(),
            "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0"
        );
        assert_eq!(
            read_bare
                .steps
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            ["down 2 r1c1"]
        );
        let refused = read("replay:4 í").expect_err("no code").to_string();
        assert!(
            refused.starts_with("character 10: \"í\" has no meaning"),
            "{refused}"
        );
    }

    #[test]
    fn a_game_by_hand_is_read() {
        // A 2 on the first cell and a 4 to the right of it: bits 0 and 0b10100 (column 1, a 4); then down, a 2 on the
        // first cell.
        let read = read("4x4-0_00000k001").expect("a game").record;
        assert_eq!(read.start.to_string(), "2,4,0,0/0,0,0,0/0,0,0,0/0,0,0,0");
        assert_eq!(
            read.steps
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            ["down 2 r1c1"]
        );

        for (text, words) in [
            ("4x4-0_0000", "character 10: the last turn is cut off"),
            ("4x4-0_00", "character 7: the last turn is cut off"),
            (
                "4x4-0_000",
                "character 9: the game ends before its second tile",
            ),
            ("4x4-0_000000", "character 10: r1c1 is not an empty cell"),
            ("4x4-0_00000k00~", "character 15: \"~\" has no meaning"),
            ("4x4-0_00000k000", "character 13: turn 1: Up moves nothing"),
            ("9x9-0_00000k000", "character 1: "),
        ] {
            let refused = super::read(text).expect_err(text).to_string();
            assert!(refused.starts_with(words), "{refused}");
        }
    }
}

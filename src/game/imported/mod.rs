//! Imports games of other programs as records.
//!
//! | kind | what it is |
//! | --- | --- |
//! | [`Verse`](ImportKind::Verse) | the text of a game of 2048verse: see `verse` |
//! | [`Endgame`](ImportKind::Endgame) | an `.rpl` file of 2048EndgameTablebase: see `endgame` |
//! | [`Boards`](ImportKind::Boards) | a board per line, each one move and one tile after the previous one |
//! | [`Moves`](ImportKind::Moves) | a board, then a turn per line: slide, tile, cell, as `left 2 r1c4` |
//!
//! Every turn is checked against the rules, so the result can be replayed. An error names the line, character or byte.
//! The file layouts are documented here; the programs that wrote the files are not needed.

mod endgame;
mod lists;
mod verse;

use std::fmt;

use super::{Board, Moment, Notes, Rank, Record, Rules, RulesError, Step};
use crate::stats::binomial_test;

/// An imported game.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    pub kind: ImportKind,
    /// Seed and strategy are unknown; the score counts from the first board.
    pub record: Record,
    /// What to know about the game, one sentence each.
    pub notes: Vec<String>,
    /// Whether the probability of a 4 was given. No file states it, so the default is assumed otherwise.
    pub is_p4_given: bool,
}

/// How many of the new tiles of an imported game are 4s, and whether that agrees with the assumed probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fours {
    pub p4: f64,
    /// Whether `p4` is assumed.
    pub is_assumed: bool,
    pub fours: u64,
    /// New tiles, without those of the first board.
    pub spawns: u64,
    /// The *p* of the exact binomial test. `None` without new tiles.
    pub p: Option<f64>,
}

impl Fours {
    /// Counts with a *p* below this disagree: one game in 100 is reported although it agrees.
    pub const LEVEL: f64 = 0.01;

    /// Whether the new tiles contradict the probability.
    pub fn disagrees(&self) -> bool {
        self.p.is_some_and(|p| p < Self::LEVEL)
    }

    /// The share of 4s, if there are new tiles.
    pub fn share(&self) -> Option<f64> {
        (self.spawns != 0).then(|| self.fours as f64 / self.spawns as f64)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportKind {
    Verse,
    Endgame,
    Boards,
    Moves,
}

impl ImportKind {
    /// `a game of 2048verse`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Verse => "a game of 2048verse",
            Self::Endgame => "a replay of 2048EndgameTablebase",
            Self::Boards => "a list of boards",
            Self::Moves => "a list of moves",
        }
    }
}

/// The place of an error, counted from 1. Bytes are counted from 0, as in hex dumps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ImportPlace {
    Line(usize),
    Character(usize),
    Byte(usize),
}

impl fmt::Display for ImportPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Character(character) => write!(f, "character {character}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ImportError {
    pub place: ImportPlace,
    pub reason: String,
}

fn refused(place: ImportPlace, reason: impl Into<String>) -> ImportError {
    ImportError { place, reason: reason.into() }
}

impl Imported {
    /// The same game with this probability of a 4, if that is valid.
    pub fn with_p4(self, p4: f64) -> Result<Self, RulesError> {
        let rules = Rules { p4, ..self.record.rules };
        rules.check()?;
        Ok(Self { record: Record { rules, ..self.record }, is_p4_given: true, ..self })
    }

    /// The evidence of its new tiles on the probability of a 4.
    pub fn fours(&self) -> Fours {
        let (p4, steps) = (self.record.rules.p4, &self.record.steps);
        let fours = steps.iter().filter(|step| step.spawn.rank == Rank::FOUR).count() as u64;
        let spawns = steps.len() as u64;
        Fours { p4, is_assumed: !self.is_p4_given, fours, spawns, p: binomial_test(fours, spawns, p4) }
    }

    /// The kind of a file from its bytes. `None` if it is none of the kinds.
    pub fn kind_of(bytes: &[u8]) -> Option<ImportKind> {
        if endgame::is_replay(bytes) {
            return Some(ImportKind::Endgame);
        }
        Self::kind_of_text(std::str::from_utf8(bytes).ok()?)
    }

    /// The same for text.
    pub fn kind_of_text(text: &str) -> Option<ImportKind> {
        let text = text.trim_start_matches('\u{feff}');
        if verse::is_replay(text) { Some(ImportKind::Verse) } else { lists::kind_of(text) }
    }

    /// Reads a file of any kind.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportError> {
        if endgame::is_replay(bytes) {
            return endgame::read(bytes);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let reason =
                "neither text in UTF-8 nor an .rpl file of 2048EndgameTablebase, which has records of 25 bytes";
            refused(ImportPlace::Byte(error.valid_up_to()), reason)
        })?;
        Self::read_text(text)
    }

    /// The same for text.
    pub fn read_text(text: &str) -> Result<Self, ImportError> {
        let text = text.trim_start_matches('\u{feff}');
        if verse::is_replay(text) { verse::read(text) } else { lists::read(text) }
    }
}

/// A game that is being read, turn by turn.
struct Reading {
    record: Record,
    at: Moment,
}

impl Reading {
    fn begin(start: Board) -> Self {
        let rules = Rules { size: start.size(), ..Rules::default() };
        let record = Record {
            rules,
            seed: None,
            game: 0,
            strategy: None,
            start,
            score: 0,
            steps: Vec::new(),
            notes: Notes::new(),
        };
        Self { at: Moment { board: start, score: 0 }, record }
    }

    /// Plays a turn, or explains why it is invalid.
    fn play(&mut self, step: Step) -> Result<(), String> {
        let slide = super::record::turn(&self.at.board, step)?;
        self.at = self.at.following(&slide, step.spawn);
        self.record.steps.push(step);
        Ok(())
    }

    fn finish(self, kind: ImportKind, notes: Vec<String>) -> Imported {
        Imported { kind, record: self.record, notes, is_p4_given: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Move, Seed, Size};
    use crate::strategy::{GameTrace, Player, Strategy};

    /// A test game that every kind is written from.
    pub(super) fn game(size: &str, most: usize) -> Record {
        let strategy: Strategy = "er".parse().expect("letters");
        let rules = Rules { size: size.parse().expect(size), ..Rules::default() };
        let player = Player::new(&strategy, rules);
        let mut record = GameTrace::record(&player, Seed(3), 1, &strategy, Default::default());
        record.steps.truncate(most);
        Record { seed: None, game: 0, strategy: None, ..record }
    }

    #[test]
    fn what_a_game_was_written_as_is_the_game() {
        for size in Size::all() {
            let record = game(&size.to_string(), 300);
            let mut texts =
                vec![lists::tests::boards(&record), lists::tests::moves(&record), verse::tests::new(&record)];
            if size.rows() <= 4 && size.cols() <= 4 {
                texts.push(verse::tests::old(&record));
            }

            for text in texts {
                let read = Imported::read(text.as_bytes()).unwrap_or_else(|error| panic!("{size}: {error}: {text}"));
                assert_eq!(Imported::kind_of(text.as_bytes()), Some(read.kind));
                assert_eq!(
                    (read.record.start, read.record.rules),
                    (record.start, record.rules),
                    "{size} {:?}",
                    read.kind
                );
                // If several moves lead to the next board, any of them may be read.
                assert_eq!(read.record.replay().last(), record.replay().last(), "{size} {:?}", read.kind);
                if read.notes.is_empty() {
                    assert_eq!(read.record.steps, record.steps, "{size} {:?}", read.kind);
                }
            }

            if let Some(bytes) = endgame::tests::written(&record) {
                let read = Imported::read(&bytes).expect("a replay");
                assert_eq!((read.kind, read.record), (ImportKind::Endgame, record), "{size}");
            }
        }
    }

    #[test]
    fn the_probability_of_a_4_is_assumed_unless_given_and_tested_by_the_new_tiles() {
        let text = include_str!("../../../tests/data/games/half-fours.txt");
        let record: Record = text.parse().expect("a record");
        for text in [lists::tests::moves(&record), lists::tests::boards(&record), verse::tests::new(&record)] {
            let read = Imported::read_text(&text).expect("a game");
            let fours = read.fours();
            assert_eq!((fours.p4, fours.is_assumed, fours.spawns), (Rules::USUAL_P4, true, record.steps.len() as u64));
            assert!(fours.disagrees(), "{fours:?}");
            let given = read.with_p4(0.5).expect("a probability");
            assert_eq!(given.record.rules, record.rules);
            assert!(!given.fours().is_assumed && !given.fours().disagrees(), "{:?}", given.fours());
            assert!(given.with_p4(1.5).is_err());
        }

        // Of games with the default probability few disagree.
        let usual = (0..100).map(|game| {
            let strategy: Strategy = "er".parse().expect("letters");
            let player = Player::new(&strategy, Rules::default());
            let record = GameTrace::record(&player, Seed(8), game, &strategy, Default::default());
            Imported { kind: ImportKind::Moves, record, notes: Vec::new(), is_p4_given: false }
        });
        let odd = usual.filter(|one| one.fours().disagrees()).count();
        assert!(odd <= 4, "{odd} of 100");
    }

    #[test]
    fn what_was_cut_or_changed_is_refused_by_its_place_or_is_another_game() {
        let record = game("4x4", 40);
        let text = verse::tests::new(&record);
        let cut: String = text.chars().take(text.chars().count() - 1).collect();
        let refused = Imported::read(cut.as_bytes()).expect_err("cut").to_string();
        assert!(refused.starts_with("character ") && refused.contains("three characters a turn"), "{refused}");

        let bytes = endgame::tests::written(&record).expect("4x4");
        for (at, to) in [(8, 0x7f), (25 * 7, 0xff), (25 * 38 + 8, 0x00)] {
            let mut changed = bytes.clone();
            changed[at] = to;
            let error = Imported::read(&changed).expect_err("changed");
            assert!(matches!(error.place, ImportPlace::Byte(byte) if byte.abs_diff(at) <= 50), "{error}");
        }

        let boards = lists::tests::boards(&record);
        let other = boards.replacen(boards.lines().nth(5).expect("lines"), "2,2,2,2/0,0,0,0/0,0,0,0/0,0,0,0", 1);
        assert_eq!(Imported::read(other.as_bytes()).expect_err("other").place, ImportPlace::Line(6));
        let moves = lists::tests::moves(&record);
        let first = record.steps[0].mv;
        let other = Move::ALL.into_iter().find(|&mv| record.start.slide(mv).is_none());
        if let Some(other) = other {
            let wrong = moves.replacen(first.name(), other.name(), 1);
            let error = Imported::read(wrong.as_bytes()).expect_err("moves nothing").to_string();
            assert!(error.starts_with("line 2: ") && error.contains("moves nothing"), "{error}");
        }
    }

    #[test]
    fn nothing_makes_it_panic() {
        let record = game("4x4", 12);
        let sources = [
            endgame::tests::written(&record).expect("4x4"),
            verse::tests::new(&record).into_bytes(),
            verse::tests::old(&record).into_bytes(),
            lists::tests::boards(&record).into_bytes(),
            lists::tests::moves(&record).into_bytes(),
        ];
        for source in sources {
            for at in 0..source.len() {
                for byte in [0, 1, b'0', b' ', 0x7f, 0xff] {
                    let mut changed = source.clone();
                    changed[at] = byte;
                    let (cut, _) = changed.split_at(at);
                    let _ = (Imported::read(&changed), Imported::read(cut), Imported::kind_of(&changed));
                }
            }
        }
    }
}

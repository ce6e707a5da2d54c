//! Imports games of other programs as records.
//!
//! | kind | what it is |
//! | --- | --- |
//! | [`Verse`](ImportKind::Verse) | the text of a game of 2048verse: see `verse` |
//! | [`Endgame`](ImportKind::Endgame) | an `.rpl` file of 2048EndgameTablebase: see `endgame` |
//! | [`Boards`](ImportKind::Boards) | a board per line, each one move and one tile after the previous one |
//! | [`Blocks`](ImportKind::Blocks) | the same with a row per line: see `blocks` |
//! | [`Moves`](ImportKind::Moves) | a board, then a turn per line: slide, tile, cell, as `left 2 r1c4` |
//! | [`Json`](ImportKind::Json), [`Csv`](ImportKind::Csv) | data sets of games or moves: see `dataset` |
//!
//! A file may hold several games. Every turn is checked against the rules, so the result can be replayed. An error names
//! the line, move, character or byte, unless it is about the whole file. The file layouts are documented here; the
//! programs that wrote the files are not needed.

mod actions;
mod blocks;
mod dataset;
mod encoding;
mod endgame;
mod lists;
mod sequence;
mod verse;

use std::borrow::Cow;
use std::fmt;

use strum::EnumIter;

use super::{Board, Moment, Notes, Rank, Record, Rules, RulesError, Step};
use crate::stats::binomial_test;

/// An imported game.
#[derive(Clone, PartialEq, Debug)]
pub struct Imported {
    pub kind: ImportKind,
    /// Seed and strategy are unknown.
    pub record: Record,
    /// What to know about the game, one sentence each.
    pub notes: Vec<String>,
    /// What the file does not state, in the order of [`Missing`].
    pub missing: Vec<Missing>,
    /// Whether the probability of a 4 was given. No file states it, so the default is assumed otherwise.
    pub is_p4_given: bool,
}

/// What the file of a game may not state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// The new tiles, which the boards show.
    Spawns,
    /// The score, which counts from 0 at the first board.
    Score,
    /// The seed of the new tiles. No file states one of this program's generator.
    Seed,
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
    /// Counts with a *p* below this disagree: at most one game in 100 is reported although it agrees, as the test is exact.
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumIter)]
pub enum ImportKind {
    Verse,
    Endgame,
    Boards,
    Blocks,
    Moves,
    Json,
    Csv,
}

impl ImportKind {
    /// `a game of 2048verse`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Verse => "a game of 2048verse",
            Self::Endgame => "a replay of 2048EndgameTablebase",
            Self::Boards => "a list of boards",
            Self::Blocks => "a list of boards, a row per line",
            Self::Moves => "a list of moves",
            Self::Json => "a game of a data set in JSON",
            Self::Csv => "a game of a data set in CSV",
        }
    }
}

/// The place of an error, counted from 1. Bytes are counted from 0, as in hex dumps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ImportPlace {
    Line(usize),
    /// A move of the object that begins on a line.
    Move {
        line: usize,
        number: usize,
    },
    Character(usize),
    Byte(usize),
}

impl fmt::Display for ImportPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Move { line, number } => write!(f, "line {line}, move {number}"),
            Self::Character(character) => write!(f, "character {character}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{reason}", .place.map(|place| format!("{place}: ")).unwrap_or_default())]
pub struct ImportError {
    /// `None` if the error is about the whole file.
    pub place: Option<ImportPlace>,
    pub reason: String,
}

fn refused(place: impl Into<Option<ImportPlace>>, reason: impl Into<String>) -> ImportError {
    ImportError {
        place: place.into(),
        reason: reason.into(),
    }
}

impl Imported {
    /// The same game with this probability of a 4, if that is valid.
    pub fn with_p4(self, p4: f64) -> Result<Self, RulesError> {
        let rules = Rules {
            p4,
            ..self.record.rules
        };
        rules.check()?;
        Ok(Self {
            record: Record {
                rules,
                ..self.record
            },
            is_p4_given: true,
            ..self
        })
    }

    /// The evidence of its new tiles on the probability of a 4.
    pub fn fours(&self) -> Fours {
        self.fours_with(&[])
    }

    /// The evidence of its new tiles and of those of the other games of its file.
    pub fn fours_with(&self, others: &[Self]) -> Fours {
        let p4 = self.record.rules.p4;
        let steps = || {
            std::iter::once(self)
                .chain(others)
                .flat_map(|game| &game.record.steps)
        };
        let fours = steps().filter(|step| step.spawn.rank == Rank::FOUR).count() as u64;
        let spawns = steps().count() as u64;
        Fours {
            p4,
            is_assumed: !self.is_p4_given,
            fours,
            spawns,
            p: binomial_test(fours, spawns, p4),
        }
    }

    /// The kind of a file from its bytes. `None` if it is none of the kinds.
    pub fn kind_of(bytes: &[u8]) -> Option<ImportKind> {
        if endgame::is_replay(bytes) {
            return Some(ImportKind::Endgame);
        }
        Self::kind_of_text(&text_of(bytes).ok()?)
    }

    /// The same for text.
    pub fn kind_of_text(text: &str) -> Option<ImportKind> {
        let text = text.trim_start_matches('\u{feff}');
        if verse::is_replay(text) {
            return Some(ImportKind::Verse);
        }
        dataset::kind_of(text)
            .or_else(|| blocks::is_game(text).then_some(ImportKind::Blocks))
            .or_else(|| lists::kind_of(text))
    }

    /// The text of a game in an encoding other than UTF-8, such as UTF-16.
    pub fn text_of_game(bytes: &[u8]) -> Option<String> {
        let text = text_of(bytes).ok()?;
        let is_game =
            std::str::from_utf8(bytes).ok() != Some(&*text) && Self::kind_of_text(&text).is_some();
        is_game.then(|| text.into_owned())
    }

    /// Reads all games of a file of any kind. There is at least one.
    pub fn read_all(bytes: &[u8]) -> Result<Vec<Self>, ImportError> {
        if endgame::is_replay(bytes) {
            return endgame::read(bytes).map(|game| vec![game]);
        }
        Self::read_all_text(&text_of(bytes)?)
    }

    /// The same for text.
    pub fn read_all_text(text: &str) -> Result<Vec<Self>, ImportError> {
        let text = text.trim_start_matches('\u{feff}');
        match Self::kind_of_text(text) {
            Some(ImportKind::Verse) => verse::read_all(text),
            Some(ImportKind::Json) => dataset::read_json(text),
            Some(ImportKind::Csv) => dataset::read_csv(text),
            Some(ImportKind::Blocks) => blocks::read(text),
            Some(ImportKind::Endgame | ImportKind::Boards | ImportKind::Moves) | None => {
                lists::read(text)
            }
        }
    }

    /// Reads a file of one game.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportError> {
        Self::read_all(bytes).and_then(Self::only)
    }

    /// The same for text.
    pub fn read_text(text: &str) -> Result<Self, ImportError> {
        Self::read_all_text(text).and_then(Self::only)
    }

    /// The game of a file that has one.
    pub fn only(mut games: Vec<Self>) -> Result<Self, ImportError> {
        match games.pop().filter(|_| games.is_empty()) {
            Some(game) => Ok(game),
            None => {
                let reason = format!(
                    "this file holds {} games: import them with --out, and name the record of one",
                    games.len() + 1
                );
                Err(refused(None, reason))
            }
        }
    }
}

/// The text of a file. One that is not Unicode has one byte a character if that gives a game.
fn text_of(bytes: &[u8]) -> Result<Cow<'_, str>, ImportError> {
    encoding::unicode(bytes).or_else(|at| {
        let text = encoding::latin(bytes).filter(|text| Imported::kind_of_text(text).is_some());
        let reason = "neither text in UTF-8, UTF-16 or Latin-1 nor an .rpl file of 2048EndgameTablebase, which has records of \
                      25 bytes";
        text.map(Cow::Owned).ok_or_else(|| refused(ImportPlace::Byte(at), reason))
    })
}

/// A game that is being read, turn by turn.
struct Reading {
    record: Record,
    at: Moment,
}

impl Reading {
    fn begin(start: Board) -> Self {
        let rules = Rules {
            size: start.size(),
            ..Rules::default()
        };
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
        Self {
            at: Moment {
                board: start,
                score: 0,
            },
            record,
        }
    }

    /// Plays a turn, or explains why it is invalid.
    fn play(&mut self, step: Step) -> Result<(), String> {
        let slide = super::record::turn(&self.at.board, step)?;
        self.at = self.at.following(&slide, step.spawn);
        self.record.steps.push(step);
        Ok(())
    }

    /// The game of a file that states its new tiles and neither score nor seed.
    fn finish(self, kind: ImportKind, notes: Vec<String>) -> Imported {
        self.finish_from(kind, notes, 0, vec![Missing::Score, Missing::Seed])
    }

    /// The game, which begins with a score.
    fn finish_from(
        self,
        kind: ImportKind,
        notes: Vec<String>,
        score: u64,
        missing: Vec<Missing>,
    ) -> Imported {
        Imported {
            kind,
            record: Record {
                score,
                ..self.record
            },
            notes,
            missing,
            is_p4_given: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use strum::IntoEnumIterator as _;

    use super::*;
    use crate::game::{Move, Seed, Size};
    use crate::review::{Judge, Points, Report, Review, Thresholds};
    use crate::strategy::{GameTrace, Player, Strategy};
    use crate::task::Control;

    /// A test game that every kind is written from.
    pub(super) fn game(size: &str, most: usize) -> Record {
        let strategy: Strategy = "er".parse().expect("letters");
        let rules = Rules {
            size: size.parse().expect(size),
            ..Rules::default()
        };
        let player = Player::new(&strategy, rules);
        let mut record = GameTrace::record(&player, Seed(3), 1, &strategy, Default::default());
        record.steps.truncate(most);
        Record {
            seed: None,
            game: 0,
            strategy: None,
            ..record
        }
    }

    #[test]
    fn an_error_about_the_whole_file_names_no_place() {
        let two = "2,2/0,0\n4,0/2,0\n2,2/0,0\n4,0/2,0\n";
        for (text, error) in [
            (
                two,
                "this file holds 2 games: import them with --out, and name the record of one",
            ),
            (
                "2,2/0,0\n\n8,0/2,0",
                "line 3: no move and one new tile lead from 2,2/0,0 to 8,0/2,0",
            ),
        ] {
            assert_eq!(
                Imported::read_text(text).expect_err(text).to_string(),
                error
            );
        }
    }

    #[test]
    fn what_a_game_was_written_as_is_the_game() {
        for size in Size::all() {
            let record = game(&size.to_string(), 300);
            let mut texts = vec![
                lists::tests::boards(&record),
                lists::tests::moves(&record),
                blocks::tests::written(&record, false),
                blocks::tests::written(&record, true),
                dataset::tests::object(&record, &Move::ALL),
                dataset::tests::csv(std::slice::from_ref(&record), &Move::ALL, true),
                verse::tests::new(&record),
            ];
            if size.rows() <= 4 && size.cols() <= 4 {
                texts.push(verse::tests::old(&record));
            }

            for text in texts {
                let read = Imported::read(text.as_bytes())
                    .unwrap_or_else(|error| panic!("{size}: {error}: {text}"));
                assert_eq!(Imported::kind_of(text.as_bytes()), Some(read.kind));
                assert_eq!(
                    (read.record.start, read.record.rules),
                    (record.start, record.rules),
                    "{size} {:?}",
                    read.kind
                );
                // If several moves lead to the next board, any of them may be read.
                assert_eq!(
                    read.record.replay().last(),
                    record.replay().last(),
                    "{size} {:?}",
                    read.kind
                );
                if read.notes.is_empty() {
                    assert_eq!(read.record.steps, record.steps, "{size} {:?}", read.kind);
                }
            }

            if let Some(bytes) = endgame::tests::written(&record) {
                let read = Imported::read(&bytes).expect("a replay");
                assert_eq!(
                    (read.kind, read.record),
                    (ImportKind::Endgame, record),
                    "{size}"
                );
            }
        }
    }

    /// A file of a game. A new kind needs an example here.
    fn example(kind: ImportKind, record: &Record) -> Vec<u8> {
        match kind {
            ImportKind::Verse => verse::tests::new(record).into_bytes(),
            ImportKind::Endgame => endgame::tests::written(record).expect("a size of the format"),
            ImportKind::Boards => lists::tests::boards(record).into_bytes(),
            ImportKind::Blocks => blocks::tests::written(record, true).into_bytes(),
            ImportKind::Moves => lists::tests::moves(record).into_bytes(),
            ImportKind::Json => dataset::tests::object(record, &Move::ALL).into_bytes(),
            ImportKind::Csv => {
                dataset::tests::csv(std::slice::from_ref(record), &Move::ALL, true).into_bytes()
            }
        }
    }

    #[test]
    fn a_game_of_each_kind_is_reviewed() {
        let record = game("4x4", 12);
        let judge: Strategy = "(criteria: [(evaluator: Network(\"reference\"))])"
            .parse()
            .expect("a strategy");
        let judge = Arc::new(Judge::of(&judge, record.rules).expect("a judge"));
        let report = |record: Record| {
            let mut review = Review::new(record, judge.clone());
            review
                .go_on(None, 1, &Control::default(), &mut |_| {})
                .expect("values");
            Report::of(&review, Thresholds::usual(Points::ZERO)).expect("reviewed")
        };

        let own = report(record.clone());
        for kind in ImportKind::iter() {
            let game = Imported::read(&example(kind, &record))
                .unwrap_or_else(|error| panic!("{kind:?}: {error}"));
            assert_eq!(game.kind, kind);
            let is_same = game.record.steps == record.steps;
            let report = report(game.record);
            assert_eq!(
                (report.moves, report.totals.balance()),
                (record.steps.len(), Points::ZERO),
                "{kind:?}"
            );
            // Boards alone may leave a move open.
            assert!(!is_same || report == own, "{kind:?}");
        }
    }

    #[test]
    fn a_game_is_read_in_every_encoding() {
        let record = game("4x4", 300);
        let verse = verse::tests::new(&record);
        assert!(!verse.is_ascii());
        let latin: Vec<u8> = verse
            .chars()
            .map(|c| u8::try_from(c).expect("Latin-1"))
            .collect();
        assert!(std::str::from_utf8(&latin).is_err());
        assert_eq!(
            Imported::read(&latin).map(|read| read.record),
            Ok(record.clone())
        );
        assert_eq!(Imported::text_of_game(&latin), Some(verse.clone()));

        for text in [
            verse,
            lists::tests::moves(&record),
            blocks::tests::written(&record, true),
        ] {
            let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
            let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(wide).collect();
            let read = Imported::read(&wide).expect("a game");
            assert_eq!(Imported::kind_of(&wide), Some(read.kind));
            assert_eq!(read.record.replay(), record.replay());
        }
        assert_eq!(
            Imported::text_of_game(lists::tests::moves(&record).as_bytes()),
            None,
            "in UTF-8 as any text"
        );
        assert_eq!(Imported::text_of_game(b"\xff\xfea\x00"), None, "no game");
    }

    #[test]
    fn what_a_file_does_not_state_is_listed() {
        let record = game("4x4", 40);
        let spawns = |text: &str| Imported::read_text(text).expect("a game").missing;
        let [spawns_only, all] = [
            vec![Missing::Score, Missing::Seed],
            vec![Missing::Spawns, Missing::Score, Missing::Seed],
        ];
        assert_eq!(spawns(&lists::tests::moves(&record)), spawns_only);
        assert_eq!(spawns(&verse::tests::new(&record)), spawns_only);
        assert_eq!(spawns(&lists::tests::boards(&record)), all);
        assert_eq!(spawns(&blocks::tests::written(&record, false)), all);
        let with_score = blocks::tests::written(
            &Record {
                score: 12,
                ..record
            },
            true,
        );
        assert_eq!(spawns(&with_score), [Missing::Spawns, Missing::Seed]);
        assert_eq!(
            Imported::read_text(&with_score)
                .expect("a game")
                .record
                .score,
            12
        );
    }

    #[test]
    fn the_probability_of_a_4_is_assumed_unless_given_and_tested_by_the_new_tiles() {
        let text = include_str!("../../../tests/data/games/half-fours.txt");
        let record: Record = text.parse().expect("a record");
        for text in [
            lists::tests::moves(&record),
            lists::tests::boards(&record),
            verse::tests::new(&record),
        ] {
            let read = Imported::read_text(&text).expect("a game");
            let fours = read.fours();
            assert_eq!(
                (fours.p4, fours.is_assumed, fours.spawns),
                (Rules::USUAL_P4, true, record.steps.len() as u64)
            );
            assert!(fours.disagrees(), "{fours:?}");
            let given = read.with_p4(0.5).expect("a probability");
            assert_eq!(given.record.rules, record.rules);
            assert!(
                !given.fours().is_assumed && !given.fours().disagrees(),
                "{:?}",
                given.fours()
            );
            assert!(given.with_p4(1.5).is_err());
        }

        // Of games with the default probability few disagree.
        let usual = (0..100).map(|game| {
            let strategy: Strategy = "er".parse().expect("letters");
            let player = Player::new(&strategy, Rules::default());
            let record = GameTrace::record(&player, Seed(8), game, &strategy, Default::default());
            Imported {
                kind: ImportKind::Moves,
                record,
                notes: Vec::new(),
                missing: Vec::new(),
                is_p4_given: false,
            }
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
        assert!(
            refused.starts_with("character ") && refused.contains("a turn has three characters"),
            "{refused}"
        );

        let bytes = endgame::tests::written(&record).expect("4x4");
        for (at, to) in [(8, 0x7f), (25 * 7, 0xff), (25 * 38 + 8, 0x00)] {
            let mut changed = bytes.clone();
            changed[at] = to;
            let error = Imported::read(&changed).expect_err("changed");
            assert!(
                matches!(error.place, Some(ImportPlace::Byte(byte)) if byte.abs_diff(at) <= 50),
                "{error}"
            );
        }

        let boards = lists::tests::boards(&record);
        let other = boards.replacen(
            boards.lines().nth(5).expect("lines"),
            "2,2,2,2/0,0,0,0/0,0,0,0/0,0,0,0",
            1,
        );
        assert_eq!(
            Imported::read(other.as_bytes()).expect_err("other").place,
            Some(ImportPlace::Line(6))
        );
        let moves = lists::tests::moves(&record);
        let first = record.steps[0].mv;
        let other = Move::ALL
            .into_iter()
            .find(|&mv| record.start.slide(mv).is_none());
        if let Some(other) = other {
            let wrong = moves.replacen(first.name(), other.name(), 1);
            let error = Imported::read(wrong.as_bytes())
                .expect_err("moves nothing")
                .to_string();
            assert!(
                error.starts_with("line 2: ") && error.contains("moves nothing"),
                "{error}"
            );
        }
    }

    #[test]
    fn nothing_makes_it_panic() {
        // Short, since each byte of each file is changed in several ways.
        let record = game("4x4", 5);
        let sources = [
            endgame::tests::written(&record).expect("4x4"),
            verse::tests::new(&record).into_bytes(),
            verse::tests::old(&record).into_bytes(),
            lists::tests::boards(&record).into_bytes(),
            lists::tests::moves(&record).into_bytes(),
            blocks::tests::written(&record, true).into_bytes(),
            dataset::tests::object(&record, &Move::ALL).into_bytes(),
            dataset::tests::csv(std::slice::from_ref(&record), &Move::ALL, false).into_bytes(),
        ];
        for source in sources {
            for at in 0..source.len() {
                let _ = Imported::read(&source[..at]);
                for byte in [0, 1, b'0', b' ', 0x7f, 0xff] {
                    let mut changed = source.clone();
                    changed[at] = byte;
                    let _ = Imported::read(&changed);
                }
            }
        }
    }
}

//! Positions that come again, as a small file.
//!
//! ```text
//! Book(
//!     version: 1,
//!     positions: [
//!         (
//!             board: "2,4/4,0",
//!             values: (up: 10.0, left: 7.5, right: 4.0),
//!             played: right,
//!             mistake: 3.0,
//!             judge: "Best play on 2x2 boards, exactly",
//!             source: "emr, game 17, move 204",
//!             interval: 86400,
//!             due: 1764000000,
//!             answers: 3,
//!             right: 2,
//!         ),
//!     ],
//! )
//! ```
//!
//! The last line is a comment with the SHA-256 of the text above it; a book without that line is read unchecked, so
//! remove it after an edit by hand. Values are points to come; `interval` is in seconds, `due` in seconds since 1970.
//! With `by_chance: true` the played move is a mistake by its chance, at a smaller loss.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Question;
use crate::files::{self, ReadProblem};
use crate::game::{Board, ByMove, Move, ParseBoardError};
use crate::kept;
use crate::preset::{Item as _, PositionSet, TextKind};
use crate::review::Points;
use crate::ron_text::{self, Mistake};

/// The longest file, in bytes.
const LARGEST: u64 = 8 << 20;

const DAY: i64 = 86_400;

/// The factor of the interval after an answer that lost nothing.
const GROWTH: f64 = 2.5;

/// The longest interval, ten years.
const LONGEST: i64 = 3650 * DAY;

/// How the last line begins.
const CHECKSUM: &str = "// checksum ";

fn checksum(text: &str) -> String {
    kept::hexadecimal(&Sha256::digest(text))
}

/// A position of a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    pub question: Question,
    /// Seconds between its last answer and the next; 0 before the first and after a mistake.
    pub interval: i64,
    /// When it comes again, in seconds since 1970.
    pub due: i64,
    pub answers: u32,
    /// Answers that lost nothing.
    pub right: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Book {
    pub positions: Vec<Kept>,
}

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseBookError {
    #[error(
        "this book has changed since it was written (checksum mismatch): restore a copy, or remove its last line if \
         you edited it yourself"
    )]
    Checksum,
    #[error("this book has version {0}, this program reads {VERSION}: update afterstate")]
    Version(u32),
    #[error("{0} positions are too many: a book holds at most {most}", most = Book::MOST)]
    TooMany(usize),
    #[error(transparent)]
    Ron(#[from] Mistake),
    #[error("positions[{place}]: {error}")]
    Position { place: usize, error: PositionError },
}

/// Why a position of a book is invalid. Each message begins with the field.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PositionError {
    #[error("board: {0}")]
    Board(#[from] ParseBoardError),
    #[error("values: {} is not a number of points", .0.name())]
    NoPoints(Move),
    #[error("values: {} has no value, but is legal on {board}", .mv.name())]
    NoValue { mv: Move, board: Board },
    #[error("values: {} has a value, but is not legal on {board}", .mv.name())]
    ValueOfNothing { mv: Move, board: Board },
    #[error("mistake: {0} is not a number of points above 0")]
    Mistake(f64),
    #[error("played: {} is not legal on {board}", .mv.name())]
    PlayedNothing { mv: Move, board: Board },
    #[error("interval: {0} is not a number of seconds from 0 to {LONGEST}")]
    Interval(i64),
}

/// Why a file is not a book, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error(transparent)]
    Read(#[from] files::ReadError),
    #[error("{path}: {reason}")]
    Wrong { path: String, reason: String },
}

impl Book {
    /// The most positions of a book: some 1.5 MB.
    pub const MOST: usize = 5000;

    /// The file of the book in the settings folder.
    pub const FILE: &str = "practice.ron";

    /// Adds positions, due at once. Positions that the book already has get the new values and keep their schedule.
    /// Returns the number of new ones.
    pub fn add(&mut self, questions: impl IntoIterator<Item = Question>, now: i64) -> usize {
        let mut new = 0;
        for question in questions {
            if let Some(position) = self
                .positions
                .iter_mut()
                .find(|position| position.question.board == question.board)
            {
                position.question = question;
            } else if self.positions.len() < Self::MOST {
                self.positions.push(Kept {
                    question,
                    interval: 0,
                    due: now,
                    answers: 0,
                    right: 0,
                });
                new += 1;
            }
        }
        new
    }

    /// The positions that are due, those with the costliest mistakes first, in the order of addition if equal.
    pub fn due(&self, now: i64) -> impl Iterator<Item = &Kept> {
        let mut due: Vec<&Kept> = self
            .positions
            .iter()
            .filter(|position| position.due <= now)
            .collect();
        due.sort_by_key(|position| std::cmp::Reverse(position.question.loss_then()));
        due.into_iter()
    }

    /// Records an answer to a position of the book; ignores a move that is not legal there.
    pub fn answered(&mut self, board: &Board, guess: Move, now: i64) {
        let Some(position) = self
            .positions
            .iter_mut()
            .find(|position| position.question.board == *board)
        else {
            return;
        };
        let Some(loss) = position.question.loss(guess) else {
            return;
        };
        position.answers = position.answers.saturating_add(1);
        position.right = position
            .right
            .saturating_add(u32::from(loss == Points::ZERO));
        position.interval = match position.question.is_mistake(guess) {
            true => 0,
            false => next_interval(position.interval, loss, position.question.mistake),
        };
        position.due = now.saturating_add(position.interval);
    }

    /// The text of a file.
    pub fn to_text(&self) -> String {
        let spec = BookSpec {
            version: VERSION,
            positions: self.positions.iter().map(KeptSpec::of).collect(),
        };
        // Plain data can always be serialized.
        let text = format!("Book{}\n", ron_text::pretty(&spec, 3).unwrap_or_default());
        format!("{text}{CHECKSUM}{}\n", checksum(&text))
    }

    pub fn from_text(text: &str) -> Result<Self, ParseBookError> {
        if let Some((above, sum)) = text.rsplit_once(CHECKSUM)
            && checksum(above) != sum.trim_end()
        {
            return Err(ParseBookError::Checksum);
        }

        let spec: BookSpec = ron_text::read(text)?;
        if spec.version != VERSION {
            return Err(ParseBookError::Version(spec.version));
        }
        if Self::MOST < spec.positions.len() {
            return Err(ParseBookError::TooMany(spec.positions.len()));
        }

        let read = |(place, spec): (usize, KeptSpec)| {
            spec.read()
                .map_err(|error| ParseBookError::Position { place, error })
        };
        Ok(Self {
            positions: spec
                .positions
                .into_iter()
                .enumerate()
                .map(read)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The book of a file; empty if there is no file yet.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        let text = match files::read_text(path, LARGEST) {
            Err(error) if matches!(error.problem, ReadProblem::Missing) => {
                return Ok(Self::default());
            }
            text => text?,
        };
        let refused = |error: ParseBookError| match TextKind::of(&text) {
            // A book looks like a position set, and differs from it in its fields.
            TextKind::Positions if PositionSet::from_text(&text).is_err() => error.to_string(),
            TextKind::Unknown if !text.trim().is_empty() => error.to_string(),
            kind => kind.refusal(&text, "a book of positions, which practice add writes,"),
        };
        Self::from_text(&text).map_err(|error| BookError::Wrong {
            path: path.display().to_string(),
            reason: refused(error),
        })
    }

    pub fn write(&self, path: &Path) -> Result<(), files::WriteError> {
        files::write(path, self.to_text().as_bytes())
    }
}

/// Seconds until a position comes again.
fn next_interval(before: i64, loss: Points, mistake: Points) -> i64 {
    let longer = ((before as f64 * GROWTH) as i64).clamp(DAY, LONGEST);
    if loss <= Points::ZERO {
        return longer;
    }
    let share = 1.0 - loss.to_f64() / mistake.to_f64().max(f64::MIN_POSITIVE);
    (longer as f64 * share.max(0.0)) as i64
}

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename = "Book", deny_unknown_fields)]
struct BookSpec {
    version: u32,
    positions: Vec<KeptSpec>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptSpec {
    board: String,
    values: ValuesSpec,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    played: Option<Move>,
    mistake: f64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_chance: bool,
    judge: String,
    source: String,
    #[serde(default)]
    interval: i64,
    due: i64,
    #[serde(default)]
    answers: u32,
    #[serde(default)]
    right: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuesSpec {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    up: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    down: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    right: Option<f64>,
}

impl KeptSpec {
    fn of(position: &Kept) -> Self {
        let Question {
            board,
            values,
            played,
            mistake,
            by_chance,
            judge,
            source,
        } = &position.question;
        let [up, down, left, right] = values.as_array().map(|value| value.map(Points::to_f64));
        Self {
            board: board.to_string(),
            values: ValuesSpec {
                up,
                down,
                left,
                right,
            },
            played: *played,
            mistake: mistake.to_f64(),
            by_chance: *by_chance,
            judge: judge.clone(),
            source: source.clone(),
            interval: position.interval,
            due: position.due,
            answers: position.answers,
            right: position.right,
        }
    }

    fn read(self) -> Result<Kept, PositionError> {
        let board: Board = self.board.parse()?;
        let ValuesSpec {
            up,
            down,
            left,
            right,
        } = self.values;
        let given = ByMove::new([up, down, left, right]);
        let legal = board.legal_moves();
        let mut values = ByMove::default();
        for mv in Move::ALL {
            values[mv] = given[mv]
                .map(|value| Points::of(value).ok_or(PositionError::NoPoints(mv)))
                .transpose()?;
            match (legal.contains(mv), values[mv].is_some()) {
                (true, false) => return Err(PositionError::NoValue { mv, board }),
                (false, true) => return Err(PositionError::ValueOfNothing { mv, board }),
                _ => {}
            }
        }

        let mistake = Points::of(self.mistake).filter(|&mistake| Points::ZERO < mistake);
        let mistake = mistake.ok_or(PositionError::Mistake(self.mistake))?;
        if let Some(mv) = self.played.filter(|&mv| !legal.contains(mv)) {
            return Err(PositionError::PlayedNothing { mv, board });
        }
        if !(0..=LONGEST).contains(&self.interval) {
            return Err(PositionError::Interval(self.interval));
        }

        let Self {
            played,
            by_chance,
            judge,
            source,
            interval,
            due,
            answers,
            right,
            ..
        } = self;
        let question = Question {
            board,
            values,
            played,
            mistake,
            by_chance,
            judge,
            source,
        };
        Ok(Kept {
            question,
            interval,
            due,
            answers,
            right: right.min(answers),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::question;
    use super::*;

    fn book() -> Book {
        let mut book = Book::default();
        let cheap = question(
            "2,4/4,0",
            [None, Some(10), None, Some(7)],
            Some(Move::Right),
            3,
        );
        let dear = question(
            "2,2/4,0",
            [None, Some(9), Some(60), Some(20)],
            Some(Move::Down),
            3,
        );
        assert_eq!(book.add([cheap, dear], 1000), 2);
        book
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let mut book = book();
        book.answered(&"2,2/4,0".parse().expect("a board"), Move::Left, 5000);
        book.positions[0].question.by_chance = true;
        assert_eq!(
            Book::from_text(&book.to_text()),
            Ok(book.clone()),
            "{}",
            book.to_text()
        );
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("book.ron");
        assert_eq!(Book::read(&path).expect("none yet"), Book::default());
        book.write(&path).expect("written");
        assert_eq!(Book::read(&path).expect("a book"), book);
    }

    #[test]
    fn the_dearest_mistake_comes_first_and_none_stands_twice() {
        let mut book = book();
        let boards: Vec<String> = book
            .due(1000)
            .map(|position| position.question.board.to_string())
            .collect();
        assert_eq!(boards, ["2,2/4,0", "2,4/4,0"]);
        assert_eq!(book.due(999).count(), 0);
        let again = book.positions[0].question.clone();
        assert_eq!(
            (
                book.add([again], 7),
                book.positions.len(),
                book.positions[0].due
            ),
            (0, 2, 1000)
        );
    }

    #[test]
    fn intervals_grow_with_success_and_shrink_with_the_loss() {
        let [none, half, whole] = [0.0, 1.5, 3.0].map(|points| Points::of(points).expect("points"));
        assert_eq!(next_interval(0, none, whole), DAY);
        assert_eq!(next_interval(4 * DAY, none, whole), 10 * DAY);
        assert_eq!(next_interval(4 * DAY, half, whole), 5 * DAY);
        assert_eq!(next_interval(4 * DAY, whole, whole), 0);
        assert_eq!(next_interval(LONGEST, none, whole), LONGEST);
        let mut book = book();
        let board = book.positions[1].question.board;
        for (guess, due) in [
            (Move::Left, DAY),
            (Move::Left, 5 * DAY / 2),
            (Move::Right, 0),
            (Move::Up, 0),
        ] {
            book.answered(&board, guess, 10);
            assert_eq!(book.positions[1].due, 10 + due);
        }
        assert_eq!((book.positions[1].answers, book.positions[1].right), (3, 2));

        // By its chance the move of the game is a mistake however little it lost; another move is not.
        let question = &mut book.positions[1].question;
        (question.mistake, question.by_chance) = (Points::whole(102), true);
        for (guess, is_due) in [(Move::Right, false), (Move::Down, true)] {
            book.answered(&board, guess, 10);
            assert_eq!(book.positions[1].due == 10, is_due);
        }
    }

    #[test]
    fn what_is_wrong_in_a_book_is_named() {
        let text = book().to_text();
        let changed = text.replacen("10.0", "11.0", 1);
        assert!(
            Book::from_text(&changed)
                .expect_err("another checksum")
                .to_string()
                .contains("checksum mismatch")
        );
        // Without its checksum a book may be edited.
        let (text, _) = text.rsplit_once(CHECKSUM).expect("a checksum");
        assert_eq!(Book::from_text(text), Ok(book()));

        for (from, to, words) in [
            ("version: 1", "version: 9", "update afterstate"),
            (
                "down: 10.0",
                "up: 10.0",
                "positions[0]: values: up has a value, but is not legal",
            ),
            (
                "down: 10.0",
                "down: inf",
                "positions[0]: values: down is not a number of points",
            ),
            (
                "mistake: 3.0",
                "mistake: 0.0",
                "positions[0]: mistake: 0 is not",
            ),
            (
                "played: right",
                "played: up",
                "positions[0]: played: up is not legal",
            ),
            ("interval: 0", "interval: -5", "positions[0]: interval: -5"),
            ("2,4/4,0", "2,4/4", "positions[0]: board: "),
            ("due: 1000", "due: x", "line "),
        ] {
            assert!(text.contains(from), "{from}: {text}");
            let refused = Book::from_text(&text.replacen(from, to, 1))
                .expect_err(to)
                .to_string();
            assert!(refused.contains(words), "{refused}");
        }
    }
}

//! Sets of positions for comparing strategies, as small text files.
//!
//! ```text
//! (
//!     version: 1,
//!     title: "Endings",
//!     positions: [
//!         (board: "2,4,8,16/0,0,0,0/0,0,0,0/0,0,0,2", score: 48, group: Opening, note: "emr, game 3"),
//!     ],
//! )
//! ```
//!
//! Every position has a choice: with fewer than two legal moves, strategies could not differ.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Item;
use super::tree::Node;
use crate::game::Board;
use crate::ron_text::{self, Mistake};
use crate::words;

/// The kind of position. Positions are listed in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Group {
    /// Small tiles, most cells empty.
    Opening,
    /// Some room, and tiles of all sizes.
    Middle,
    /// At most two empty cells.
    Crowded,
    /// One move may soon lose the game, another one does not.
    Dangerous,
    /// A tile of 2048 or more.
    BigTiles,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middle => "middle game",
            Self::Crowded => "crowded",
            Self::Dangerous => "dangerous",
            Self::BigTiles => "big tiles",
        }
    }

    /// The group of a board by its tiles alone. Never `Dangerous`, which would need a search.
    pub fn of(board: &Board) -> Self {
        // Ranks 6 and 11 are the tiles 64 and 2048.
        match (board.max_rank().get(), board.empty_count()) {
            (11.., _) => Self::BigTiles,
            (_, 0..=2) => Self::Crowded,
            (0..=6, _) => Self::Opening,
            _ => Self::Middle,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Pin {
    /// The board, with at least two legal moves.
    #[serde(serialize_with = "write_board")]
    pub board: Board,
    #[serde(skip_serializing_if = "ron_text::is_default")]
    pub score: u64,
    /// The kind of position. If a file does not say it, it follows from the tiles.
    pub group: Group,
    /// The origin, or what to look at; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

#[derive(Deserialize)]
#[serde(rename = "Pin", deny_unknown_fields)]
struct Written {
    #[serde(deserialize_with = "read_board")]
    board: Board,
    #[serde(default)]
    score: u64,
    #[serde(default)]
    group: Option<Group>,
    #[serde(default)]
    note: String,
}

impl From<Written> for Pin {
    fn from(
        Written {
            board,
            score,
            group,
            note,
        }: Written,
    ) -> Self {
        Self {
            board,
            score,
            group: group.unwrap_or_else(|| Group::of(&board)),
            note,
        }
    }
}

impl Pin {
    /// A position, in the group of its tiles.
    pub fn new(board: Board, score: u64, note: impl Into<String>) -> Result<Self, UnfitPosition> {
        leaves_choice(&board)?;
        Ok(Self {
            board,
            score,
            group: Group::of(&board),
            note: note.into(),
        })
    }
}

/// Why strategies cannot be compared on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnfitPosition {
    #[error("the game is over on this board: a position needs two legal moves or more")]
    Over,
    #[error(
        "only one move is legal on this board, so strategies cannot differ: a position needs two legal moves or more"
    )]
    OneMove,
}

/// Why a text is no set of positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionsError {
    /// It is not RON or not such a set, or a position is invalid.
    #[error(transparent)]
    Syntax(#[from] Mistake),
    /// Written by a newer version of the program.
    #[error(
        "this set of positions has version {version}, this program reads up to {}: update afterstate to open it",
        PositionSet::VERSION
    )]
    Newer { version: u32 },
    #[error(
        "version: there is no version 0 of sets of positions; write version: {}",
        PositionSet::VERSION
    )]
    NoSuchVersion,
    #[error(
        "positions: {} are too many, a set holds at most {}: make two sets",
        words::count(*.positions as u64), words::count(PositionSet::MOST as u64)
    )]
    TooMany { positions: usize },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionSet {
    pub title: String,
    /// A note for readers; may be empty.
    pub note: String,
    /// The positions in the order of their numbers, from 1.
    pub positions: Vec<Pin>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Positions", deny_unknown_fields)]
struct Spec {
    version: u32,
    title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    note: String,
    positions: Vec<Pin>,
}

impl Item for PositionSet {
    const FOLDER: &'static str = "positions";
    // Far more than a full set takes.
    const LARGEST: u64 = 1 << 20;

    type Error = PositionsError;

    fn from_text(text: &str) -> Result<Self, PositionsError> {
        // A newer version is reported as such, not as its unknown fields.
        if let Some(version) =
            Node::parse(text).and_then(|tree| tree.field("version")?.value.number())
        {
            check_version(version)?;
        }
        let Spec {
            version,
            title,
            note,
            positions,
        } = ron_text::read(text)?;
        check_version(version)?;
        if Self::MOST < positions.len() {
            return Err(PositionsError::TooMany {
                positions: positions.len(),
            });
        }
        Ok(Self {
            title,
            note,
            positions,
        })
    }

    /// The set as text, one position per line.
    fn to_text(&self) -> String {
        let Self {
            title,
            note,
            positions,
        } = self.clone();
        // Texts and numbers can always be written.
        let text = ron_text::pretty(
            &Spec {
                version: Self::VERSION,
                title,
                note,
                positions,
            },
            2,
        );
        text.map(|text| text + "\n").unwrap_or_default()
    }

    fn label(&self) -> String {
        self.title.clone()
    }

    fn renamed(&self, name: &str) -> Self {
        Self {
            title: name.to_owned(),
            ..self.clone()
        }
    }
}

impl PositionSet {
    /// The version of the format that this program writes, and the newest that it reads.
    pub const VERSION: u32 = 1;
    pub const MOST: usize = 1000;

    pub fn empty(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            note: String::new(),
            positions: Vec::new(),
        }
    }

    /// The shipped set of 40: eight of each group.
    pub fn shipped() -> Arc<Self> {
        static SHIPPED: LazyLock<Arc<PositionSet>> = LazyLock::new(|| {
            let text = include_str!("../../presets/positions/forty.ron");
            Arc::new(PositionSet::of_shipped(text, "Forty positions"))
        });
        SHIPPED.clone()
    }

    /// The best arrangements of tiles for Snake and Corner: Figs. 5 and 6 of Solver.
    pub fn ideal() -> Self {
        Self::of_shipped(
            include_str!("../../presets/positions/ideal.ron"),
            "Ideal boards of Snake and Corner",
        )
    }

    /// A test reads the shipped files, so the empty set never occurs.
    fn of_shipped(text: &str, title: &str) -> Self {
        Self::from_text(text).unwrap_or_else(|_| Self::empty(title))
    }

    /// The changes since `before`, one phrase each.
    pub fn difference(&self, before: &Self) -> Vec<String> {
        let missing = |from: &Self, other: &Self| {
            other
                .positions
                .iter()
                .filter(|pin| from.place(&pin.board, pin.score).is_none())
                .count() as u64
        };
        let (more, fewer) = (missing(before, self), missing(self, before));
        let phrases = [
            (self.title != before.title, format!("called {}", self.title)),
            (self.note != before.note, "note changed".to_owned()),
            (
                0 < more,
                format!("{} more", words::plural(more, "position")),
            ),
            (
                0 < fewer,
                format!("{} fewer", words::plural(fewer, "position")),
            ),
        ];
        phrases
            .into_iter()
            .filter(|(changed, _)| *changed)
            .map(|(_, phrase)| phrase)
            .collect()
    }

    /// The index of a position in the set, if it is there. Positions with another score are different.
    pub fn place(&self, board: &Board, score: u64) -> Option<usize> {
        self.positions
            .iter()
            .position(|pin| pin.board == *board && pin.score == score)
    }
}

fn check_version(version: u32) -> Result<(), PositionsError> {
    match version {
        0 => Err(PositionsError::NoSuchVersion),
        _ if PositionSet::VERSION < version => Err(PositionsError::Newer { version }),
        _ => Ok(()),
    }
}

fn leaves_choice(board: &Board) -> Result<(), UnfitPosition> {
    match board.legal_moves().len() {
        0 => Err(UnfitPosition::Over),
        1 => Err(UnfitPosition::OneMove),
        _ => Ok(()),
    }
}

fn write_board<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(board)
}

fn read_board<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Board, D::Error> {
    let text = String::deserialize(deserializer)?;
    let board: Board = text.parse().map_err(serde::de::Error::custom)?;
    leaves_choice(&board).map_err(serde::de::Error::custom)?;
    Ok(board)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;
    use crate::evaluator::Evaluator;
    use crate::game::{Move, Packed, Rank};
    use crate::preset::TextKind;

    fn canonical(board: &Board) -> Packed {
        board
            .as_packed()
            .expect("tiles that fit")
            .crossed()
            .canonical()
            .packed()
    }

    /// The probability that the best moves survive this many turns.
    fn survival(board: &Board, turns: u32, memo: &mut HashMap<(Packed, u32), f64>) -> f64 {
        if turns == 0 {
            return 1.0;
        }
        let key = (canonical(board), turns);
        if let Some(&share) = memo.get(&key) {
            return share;
        }
        let moves = Move::ALL.into_iter();
        let best = moves
            .filter_map(|mv| survival_after(board, mv, turns, memo))
            .fold(0.0, f64::max);
        memo.insert(key, best);
        best
    }

    fn survival_after(
        board: &Board,
        mv: Move,
        turns: u32,
        memo: &mut HashMap<(Packed, u32), f64>,
    ) -> Option<f64> {
        let after = board.slide(mv)?.after.board();
        let cells = after.empty_cells();
        let (two, four) = (Rank::new(1)?, Rank::new(2)?);
        let of_cell = |cell| {
            let mut next = |rank| {
                let board = after.with(cell, rank);
                if board.is_dead() {
                    0.0
                } else {
                    survival(&board, turns - 1, memo)
                }
            };
            0.9 * next(two) + 0.1 * next(four)
        };
        Some(cells.iter().copied().map(of_cell).sum::<f64>() / cells.len() as f64)
    }

    #[test]
    fn no_exchange_of_two_cells_improves_an_ideal_board() {
        let set = PositionSet::ideal();
        assert_eq!(
            set.to_text(),
            include_str!("../../presets/positions/ideal.ron")
        );
        assert_eq!(set.positions.len(), 4);
        for Pin {
            board, group, note, ..
        } in &set.positions
        {
            assert_eq!(*group, Group::of(board), "{board}");
            let evaluator = if note.starts_with("Snake") {
                Evaluator::Snake
            } else {
                Evaluator::Corner
            };
            assert!(note.starts_with(evaluator.name()), "{note}");
            let best = evaluator.evaluate(board, 0);
            for (one, rank) in board.cells() {
                for (other, with) in board.cells() {
                    let exchanged = board.with(one, with).with(other, rank);
                    assert!(
                        evaluator.evaluate(&exchanged, 0) <= best,
                        "{board}: {one} and {other}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_shipped_set_has_eight_sound_positions_of_each_group() {
        let set = PositionSet::shipped();
        assert_eq!(
            set.to_text(),
            include_str!("../../presets/positions/forty.ron")
        );
        assert_eq!(set.positions.len(), 40);

        let mut seen = HashSet::new();
        let mut memo = HashMap::new();
        for pin in &set.positions {
            let Pin {
                board,
                score,
                group,
                note,
            } = pin;
            assert!(2 <= board.legal_moves().len(), "{board}");
            assert!(
                seen.insert(canonical(board)),
                "{board} is there twice, perhaps turned or mirrored"
            );
            assert!(!note.is_empty(), "{board} comes from somewhere");

            // The scores of a game with only 2s and of one with only 4s.
            let most: u64 = board
                .cells()
                .map(|(_, rank)| rank)
                .filter(|rank| !rank.is_empty())
                .fold(0, |sum, rank| sum + u64::from(rank.get() - 1) * rank.tile());
            assert!(
                *score <= most && most / 2 <= *score + board.tile_sum(),
                "{board} with {score} points"
            );

            match group {
                Group::Opening => assert!(
                    board.max_rank().tile() <= 32 && 6 <= board.empty_count(),
                    "{board}"
                ),
                Group::Middle => {
                    assert!((128..2048).contains(&board.max_rank().tile()), "{board}");
                    assert!((4..=9).contains(&board.empty_count()), "{board}");
                }
                Group::Crowded => assert!(
                    board.empty_count() <= 2 && board.max_rank().tile() < 2048,
                    "{board}"
                ),
                Group::Dangerous => {
                    let moves = Move::ALL.into_iter();
                    let shares: Vec<f64> = moves
                        .filter_map(|mv| survival_after(board, mv, 3, &mut memo))
                        .collect();
                    let best = shares.iter().copied().fold(0.0, f64::max);
                    let worst = shares.iter().copied().fold(1.0, f64::min);
                    assert!(worst <= 0.8 && worst + 0.15 <= best, "{board}: {shares:?}");
                }
                Group::BigTiles => assert!(2048 <= board.max_rank().tile(), "{board}"),
            }
        }

        for group in [
            Group::Opening,
            Group::Middle,
            Group::Crowded,
            Group::Dangerous,
            Group::BigTiles,
        ] {
            assert_eq!(
                set.positions
                    .iter()
                    .filter(|pin| pin.group == group)
                    .count(),
                8,
                "{group:?}"
            );
        }
        let key = |pin: &Pin| (pin.group, pin.board.tile_sum(), pin.score);
        assert!(
            set.positions.is_sorted_by_key(key),
            "by group, then by the sum of their tiles"
        );
    }

    #[test]
    fn a_set_is_written_as_it_was_read() {
        let board = |text: &str| text.parse::<Board>().expect("a board");
        let mut set = PositionSet::empty("A \"set\"");
        set.note = "with\nlines".to_owned();
        for (text, score, note) in [
            ("2,4,8/0,0,0/2,0,0", 17, ""),
            ("131072,4,8,16,2/0,0,0,0,0/2,0,0,0,0", 0, "an ü"),
            ("2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", 3, ""),
        ] {
            set.positions
                .push(Pin::new(board(text), score, note).expect("a choice"));
        }

        let text = set.to_text();
        assert_eq!(PositionSet::from_text(&text), Ok(set.clone()));
        assert_eq!(
            text.lines().filter(|line| line.contains("board:")).count(),
            3,
            "one position a line: {text}"
        );
        assert_eq!(TextKind::of(&text), TextKind::Positions);
        assert_eq!(
            set.place(&board("2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0"), 3),
            Some(2)
        );
        assert_eq!(
            set.place(&board("2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0"), 4),
            None
        );
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        const SOUND: &str = "(\n    version: 1,\n    title: \"A\",\n    positions: [\n        (board: \"2,4/0,2\"),\n    ],\n)";
        let sound = PositionSet::from_text(SOUND).expect("a set");
        assert_eq!(
            sound.positions[0].group,
            Group::Crowded,
            "two cells are empty"
        );

        for (wrong, right, words) in [
            ("2,4/0,2", "2,3/0,2", "line 5, column"),
            ("2,4/0,2", "2,3/0,2", "is not a tile"),
            ("2,4/0,2", "2,4/4,2", "the game is over on this board"),
            ("\"2,4/0,2\"", "7", "line 5, column"),
            ("title: \"A\"", "titel: \"A\"", "did you mean title?"),
            ("    title: \"A\",\n", "", "the field title is missing"),
            (
                "\"2,4/0,2\"",
                "\"2,4/0,2\", group: Midle",
                "did you mean Middle?",
            ),
            (
                "version: 1",
                "version: 9, colour: 3",
                "update afterstate to open it",
            ),
            ("version: 1", "version: 0", "there is no version 0"),
        ] {
            let text = SOUND.replace(wrong, right);
            let error = PositionSet::from_text(&text).expect_err(&text).to_string();
            assert!(
                error.contains(words) && !error.contains('\n'),
                "{text}: {error}"
            );
            assert_eq!(TextKind::of(&text), TextKind::Positions, "{text}");
        }

        let many = SOUND.replace(
            "(board: \"2,4/0,2\"),",
            &"(board: \"2,4/0,2\"),".repeat(PositionSet::MOST + 1),
        );
        assert!(
            PositionSet::from_text(&many)
                .expect_err("too many")
                .to_string()
                .contains("at most 1,000")
        );
    }
}

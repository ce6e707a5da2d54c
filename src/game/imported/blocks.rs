//! Reads games as programs print them: each board is a block of lines, a row per line.
//!
//! ```text
//! Move #1, current score=0
//!      0     2     0     0
//!      2     0     0     0
//!      2     0     0     0
//!      0     0     0     0
//! ```
//!
//! Blank lines or lines of text separate the blocks. The text before a board may name its score. Rows may be in a
//! drawn frame, in which a blank cell is empty, or be lists as Python and NumPy print them.

use super::sequence::{self, Frame, Sequence};
use super::{ImportError, ImportKind, ImportPlace, Imported, refused};
use crate::game::{Board, Size, reading};

/// Characters of drawn frames, besides the ones between cells.
const FRAME: &str = "+-=─━═┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╰╯";
const BARS: [char; 4] = ['|', '│', '┃', '║'];

/// What a line is.
enum TextLine {
    /// Separates blocks.
    Blank,
    /// A line of a frame.
    Rule,
    Row(Vec<String>),
    /// Text, with the score that it names.
    Text(Option<f64>),
    Other,
}

impl TextLine {
    fn of(line: &str) -> Self {
        let line = line.trim();
        if line.is_empty() {
            return Self::Blank;
        }
        if line
            .chars()
            .all(|c| FRAME.contains(c) || BARS.contains(&c) || c == ' ')
        {
            let is_rule = line.chars().any(|c| FRAME.contains(c));
            return if is_rule {
                Self::Rule
            } else {
                Self::row(line).unwrap_or(Self::Other)
            };
        }
        if let Some(row) = Self::row(line) {
            return row;
        }

        let lower = line.to_lowercase();
        let is_text = ["move", "score", "step", "turn", "board", "game"]
            .iter()
            .any(|word| lower.contains(word));
        let score = reading::after_score(&lower)
            .next()
            .and_then(|rest| score(rest.trim_start_matches(|c: char| !c.is_ascii_digit())));
        if is_text {
            Self::Text(score)
        } else {
            Self::Other
        }
    }

    /// From two to five cells.
    fn row(line: &str) -> Option<Self> {
        let cells: Vec<String> = if line.contains(BARS) {
            let inner = line.trim_matches(BARS);
            inner
                .split(BARS)
                .map(|cell| {
                    if cell.trim().is_empty() {
                        "0"
                    } else {
                        cell.trim()
                    }
                    .to_owned()
                })
                .collect()
        } else {
            let line = if line.contains(['[', ']']) {
                line.trim_matches(['[', ']', ',', ' '])
            } else {
                line
            };
            line.split([',', ' ', '\t'])
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let is_cell = |word: &String| word == "." || word.bytes().all(|byte| byte.is_ascii_digit());
        let sides = usize::from(Size::MIN)..=usize::from(Size::MAX);
        (sides.contains(&cells.len()) && cells.iter().all(is_cell)).then_some(Self::Row(cells))
    }
}

/// The number that a text begins with; a comma may separate its thousands.
fn score(text: &str) -> Option<f64> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut number = text[..digits(text)].to_owned();
    let mut rest = &text[number.len()..];
    while let Some(group) = rest.strip_prefix(',').filter(|group| digits(group) == 3) {
        number += &group[..3];
        rest = &group[3..];
    }
    number.parse().ok()
}

/// A board, its first line, and the score before it.
struct Block {
    line: usize,
    rows: Vec<Vec<String>>,
    score: Option<f64>,
}

/// The blocks of a text, and the score after the last. `None` if other lines are among them.
fn blocks(text: &str) -> Option<(Vec<Block>, Option<f64>)> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut score, mut is_open) = (None, false);
    for (index, line) in text.lines().enumerate() {
        match TextLine::of(line) {
            TextLine::Row(row) if is_open => blocks.last_mut()?.rows.push(row),
            TextLine::Row(row) => {
                blocks.push(Block {
                    line: index + 1,
                    rows: vec![row],
                    score: score.take(),
                });
                is_open = true;
            }
            TextLine::Text(said) => {
                score = said.or(score);
                is_open = false;
            }
            TextLine::Blank => is_open = false,
            TextLine::Rule => {}
            TextLine::Other => return None,
        }
    }
    Some((blocks, score))
}

/// Whether a text is two boards or more of at least two rows.
pub(super) fn is_game(text: &str) -> bool {
    blocks(text).is_some_and(|(blocks, _)| {
        2 <= blocks.len() && blocks.iter().all(|block| 2 <= block.rows.len())
    })
}

pub(super) fn read(text: &str) -> Result<Vec<Imported>, ImportError> {
    let (blocks, score) = blocks(text)
        .ok_or_else(|| refused(None, "a game is expected: boards with a row per line"))?;
    let frame = |Block { line, rows, score }: Block| {
        let place = ImportPlace::Line(line);
        let rows: Vec<String> = rows.iter().map(|row| row.join(" ")).collect();
        let board: Board = rows
            .join("\n")
            .parse()
            .map_err(|error| refused(place, format!("{error}")))?;
        Ok(Frame {
            score,
            ..Frame::at(place, board)
        })
    };
    let frames = blocks
        .into_iter()
        .map(frame)
        .collect::<Result<Vec<_>, ImportError>>()?;
    let games = sequence::split(frames).into_iter().map(|frames| Sequence {
        frames,
        score: None,
    });
    let mut games: Vec<Sequence> = games.collect();
    if let Some(last) = games.last_mut() {
        last.score = score;
    }
    sequence::read(ImportKind::Blocks, &games)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Record;
    use crate::game::imported::tests::game;

    /// The boards of a game as the rows of blocks, with the scores before them.
    pub(in crate::game::imported) fn written(record: &Record, has_heads: bool) -> String {
        let block = |(index, moment): (usize, &crate::game::Moment)| {
            let head = format!("Move #{index}, current score={}\n", moment.score);
            format!(
                "{}{}\n",
                if has_heads { head } else { String::new() },
                moment.board.drawing()
            )
        };
        record.replay().iter().enumerate().map(block).collect()
    }

    #[test]
    fn frames_texts_and_scores_are_read() {
        let drawn = "+---+---+\n| 2 |   |\n+---+---+\n| 2 |   |\n+---+---+\nscore: 4\n\
                     +---+---+\n| 4 |   |\n+---+---+\n| 2 |   |\n+---+---+\n";
        for text in [
            "2 0\n2 0\n\n4 0\n2 0\n",
            "Board:\n2 .\n2 .\nMove 1\n4,0\n2,0\nGame over.",
            drawn,
        ] {
            assert!(is_game(text), "{text}");
            let game = &read(text).expect(text)[0];
            assert_eq!(
                (game.record.start.to_string(), game.record.steps.len()),
                ("2,0/2,0".to_owned(), 1),
                "{text}"
            );
            assert_eq!(game.record.steps[0].to_string(), "up 2 r2c1");
        }

        let text = "score=8\n2 0\n2 0\n\nscore=12\n4 0\n2 0\nYour score is 12.\n";
        let game = &read(text).expect("a game")[0];
        assert_eq!((game.record.score, game.record.replay()[1].score), (8, 12));
        assert_eq!(
            game.missing,
            [crate::game::Missing::Spawns, crate::game::Missing::Seed]
        );
        assert_eq!(game.notes, Vec::<String>::new());

        for (text, found) in [
            ("1,236 points", 1236.0),
            ("1,048,576", 1_048_576.0),
            ("8, 12 moves", 8.0),
            ("8,12", 8.0),
        ] {
            assert_eq!(score(text), Some(found), "{text}");
        }
        assert_eq!(score(""), None);

        for (text, note) in [
            (
                "score=8\n2 0\n2 0\n\nscore=9\n4 0\n2 0\n",
                "line 6: the score is not that of the moves",
            ),
            (
                "2 0\n2 0\n\n4 0\n2 0\nYour score is 99.\n",
                "the file states a score of 99, but its moves make 4",
            ),
        ] {
            let game = &read(text).expect("a game")[0];
            assert!(
                game.notes.iter().any(|found| found.starts_with(note)),
                "{:?}",
                game.notes
            );
        }
        let games = read("2 0\n2 0\n\n4 0\n2 0\n\n0 0\n2 2\n\n2 0\n4 0\n").expect("two games");
        assert_eq!(
            games
                .iter()
                .map(|game| game.record.steps.len())
                .collect::<Vec<_>>(),
            [1, 1]
        );
    }

    #[test]
    fn what_is_no_game_of_blocks_is_left_to_others() {
        for text in [
            "2 0\n2 0\n",
            "2,2/0,0\n4,0/2,0\n",
            "a: 1\n2 2\n2 2\n\n2 2\n2 2\n",
            "2 0\n\n2 0\n",
            "",
        ] {
            assert!(!is_game(text), "{text}");
        }
        let wrong = read("2 0\n2 0\n\n4 0\n8 0\n")
            .expect_err("no move")
            .to_string();
        assert!(
            wrong.starts_with("line 4: no move and one new tile lead from 2,0/2,0 to 4,0/8,0"),
            "{wrong}"
        );
    }

    #[test]
    fn the_best_score_of_earlier_games_is_not_that_of_the_board() {
        let text = "Score: 0\nBest score: 200\n2 2\n0 0\n\nScore: 4\nHigh-score: 200\n4 0\n2 0\n";
        let read = Imported::read_text(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.record.replay().last().map(|at| at.score), Some(4));
    }

    #[test]
    fn rows_may_be_lists() {
        let record = game("4x4", 40);
        let rows = |board: &Board| -> Vec<String> {
            let tiles: Vec<u64> = board.cells().map(|(_, rank)| rank.tile()).collect();
            tiles.chunks(4).map(|row| format!("{row:?}")).collect()
        };
        let replay = record.replay();
        let lists = replay.iter().map(|at| {
            format!(
                "Score: {}\n{}\nEnter move: left\n",
                at.score,
                rows(&at.board).join("\n")
            )
        });
        let arrays = replay
            .iter()
            .map(|at| format!("[{}]\n\n", rows(&at.board).join("\n ").replace(',', "")));
        for text in [lists.collect::<String>(), arrays.collect()] {
            let read = Imported::read_text(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(
                (read.kind, read.record.replay().last()),
                (ImportKind::Blocks, record.replay().last()),
                "{text}"
            );
        }
    }
}

//! A whole game as text, so that it can be replayed anywhere.
//!
//! ```text
//! afterstate game record 1
//! size: 4x4
//! p4: 0.1
//! seed: 7
//! game: 3
//! generator: splitmix64, streams place/value/tie per game, version 1
//! strategy: Strategy(name: "emr", criteria: [(evaluator: Empty), (evaluator: Monotonicity)])
//! start: 0,0,0,2/0,0,0,0/0,2,0,0/0,0,0,0
//! score: 0
//!
//! 1 left 2 r1c4
//! 2 up 4 r3c3
//!
//! end: score 4, largest 4, moves 2
//! ```
//!
//! Lines before the blank one are the head; `size` and `start` are required. A line `stop_at: 2048` says that the game ends
//! at that tile, and a line `note 12: …` is a note on the position of move 12. Each line after it is one turn: its number, the slide, the tile that appeared and where. The last line
//! repeats what a replay arrives at and is checked when it is there; see [`Record::doubt`] where it is not.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Board, GENERATOR, Move, Rank, Rules, Seed, Slide, Spawn};
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub mv: Move,
    pub spawn: Spawn,
}

impl fmt::Display for Step {
    /// In the notation of records: `left 2 r1c4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.mv.name(),
            self.spawn.rank,
            self.spawn.cell
        )
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().take(4).collect();
        let [mv, tile, cell] = words[..] else {
            return Err(format!(
                "{} is not a turn: write slide, tile and cell, such as left 2 r1c4",
                words::quoted(text)
            ));
        };
        let mv = mv.parse().map_err(|error| format!("{error}"))?;
        let rank = match tile {
            "2" => Rank::TWO,
            "4" => Rank::FOUR,
            _ => return Err(format!("a new tile is 2 or 4, not {}", words::quoted(tile))),
        };
        let cell = cell.parse().map_err(|error| format!("{error}"))?;
        Ok(Self {
            mv,
            spawn: Spawn { cell, rank },
        })
    }
}

/// A game from its first board to its last, with its origin.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub rules: Rules,
    /// The experiment's seed, if spawns came from the generator.
    pub seed: Option<u64>,
    /// Index of the game under that seed.
    pub game: u64,
    pub strategy: Option<String>,
    pub start: Board,
    /// The score before the first slide.
    pub score: u64,
    pub steps: Vec<Step>,
    pub notes: Notes,
}

/// Notes on positions, one line each, by the number of turns before the position.
pub type Notes = BTreeMap<usize, String>;

/// A note as it is stored: one line without spaces at its ends, at most [`Record::LONGEST_NOTE`] characters. May be empty.
pub(super) fn note_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars()
        .take(Record::LONGEST_NOTE)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    pub board: Board,
    pub score: u64,
}

impl Moment {
    /// The position after a turn. `None` if nothing moves.
    pub fn after(&self, step: Step) -> Option<Self> {
        Some(self.following(&self.board.slide(step.mv)?, step.spawn))
    }

    /// The position after a slide of its board and a spawn.
    pub fn following(&self, slide: &Slide, spawn: Spawn) -> Self {
        Self {
            board: slide.after.spawn(spawn),
            score: self.score.saturating_add(u64::from(slide.reward)),
        }
    }
}

impl Record {
    pub const HEADER: &'static str = "afterstate game record 1";

    /// Most characters of a note.
    pub const LONGEST_NOTE: usize = 2000;

    /// How the first line begins in every version.
    pub const FAMILY: &'static str = "afterstate game record";

    /// A warning about the text of a record. Without its last line it may have been cut off.
    pub fn doubt(text: &str) -> Option<&'static str> {
        let has_end = text
            .lines()
            .rev()
            .any(|line| line.trim_start().starts_with("end:"));
        (!has_end).then_some("it has no end line, so its last turns may be missing")
    }

    /// A game from its moves, with the spawns of the seed. It ends before a move that moves nothing.
    pub fn of_moves(
        moves: &[Move],
        rules: Rules,
        seed: u64,
        game: u64,
        strategy: Option<String>,
    ) -> Self {
        let chance = rules.chance(Seed(seed), game);
        let start = chance.opening(&rules);
        let mut board = start;
        let steps = moves.iter().zip(2..).map_while(|(&mv, spawn)| {
            let after = board.slide(mv)?.after;
            let spawn = chance.spawn(spawn, &after.board(), rules.p4);
            board = after.spawn(spawn);
            Some(Step { mv, spawn })
        });
        let steps = steps.collect();
        Self {
            rules,
            seed: Some(seed),
            game,
            strategy,
            start,
            score: 0,
            steps,
            notes: Notes::new(),
        }
    }

    /// Every position from the first board to the last. Fewer if a step is not possible, which never happens in a
    /// record that was read.
    pub fn replay(&self) -> Vec<Moment> {
        let mut steps = self.steps.iter();
        let start = Moment {
            board: self.start,
            score: self.score,
        };
        std::iter::successors(Some(start), |moment| moment.after(*steps.next()?)).collect()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", Self::HEADER)?;
        writeln!(f, "size: {}", self.rules.size)?;
        writeln!(f, "p4: {}", self.rules.p4)?;
        if let Some(rank) = self.rules.stop_at {
            writeln!(f, "stop_at: {rank}")?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed: {seed}")?;
        }
        if self.seed.is_some() || self.game != 0 {
            writeln!(f, "game: {}", self.game)?;
        }
        if self.seed.is_some() {
            writeln!(f, "generator: {GENERATOR}")?;
        }
        if let Some(strategy) = &self.strategy {
            writeln!(f, "strategy: {}", strategy.replace('\n', " "))?;
        }
        writeln!(f, "start: {}", self.start)?;
        writeln!(f, "score: {}", self.score)?;
        for (place, note) in &self.notes {
            writeln!(f, "note {}: {}", place + 1, note_line(note))?;
        }
        writeln!(f)?;

        for (index, step) in self.steps.iter().enumerate() {
            writeln!(f, "{} {step}", index + 1)?;
        }
        let moments = self.replay();
        let last = moments[moments.len() - 1];
        writeln!(f)?;
        let (score, largest) = (last.score, last.board.max_rank());
        writeln!(
            f,
            "end: score {score}, largest {largest}, moves {}",
            self.steps.len()
        )
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParseRecordError {
    pub line: usize,
    pub reason: String,
}

impl FromStr for Record {
    type Err = ParseRecordError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lines = text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line.trim()));
        let mut lines = lines.skip_while(|(_, line)| line.is_empty());
        match lines.next() {
            Some((_, Self::HEADER)) => {}
            Some((line, other)) if other.starts_with(Self::FAMILY) => {
                return Err(refused(
                    line,
                    "a newer Afterstate wrote this record: update afterstate",
                ));
            }
            _ => {
                return Err(refused(
                    1,
                    format!("a game record begins with \"{}\"", Self::HEADER),
                ));
            }
        }

        let mut head = Head::default();
        for (line, text) in lines.by_ref() {
            if text.is_empty() {
                break;
            }
            head.read(line, text)?;
        }
        let mut record = head.record()?;
        let mut moment = Moment {
            board: record.start,
            score: record.score,
        };
        let mut ended = false;
        for (line, text) in lines {
            if text.is_empty() {
                continue;
            }
            if ended {
                return Err(refused(line, "nothing may follow the end line"));
            }
            if let Some(end) = text.strip_prefix("end:") {
                check_end(line, end.trim(), &moment, record.steps.len())?;
                ended = true;
                continue;
            }
            let step = read_step(line, text, record.steps.len() + 1)?;
            let slide = turn(&moment.board, step).map_err(|reason| refused(line, reason))?;
            moment = moment.following(&slide, step.spawn);
            record.steps.push(step);
        }
        match head
            .notes
            .into_iter()
            .find(|(place, _)| record.steps.len() < *place)
        {
            Some((place, (line, _))) => {
                let (number, moves) = (place + 1, words::plural(record.steps.len() as u64, "move"));
                Err(refused(
                    line,
                    format!("note {number} has no position: the game has {moves}"),
                ))
            }
            None => Ok(record),
        }
    }
}

fn refused(line: usize, reason: impl Into<String>) -> ParseRecordError {
    ParseRecordError {
        line,
        reason: reason.into(),
    }
}

#[derive(Default)]
struct Head {
    rules: Rules,
    seed: Option<u64>,
    game: u64,
    strategy: Option<String>,
    start: Option<Board>,
    score: u64,
    /// The tile with its line number: the size that it must fit may come later.
    stop_at: Option<(usize, u64)>,
    /// By the number of turns before the position, with their lines.
    notes: BTreeMap<usize, (usize, String)>,
    last_line: usize,
}

impl Head {
    fn read(&mut self, line: usize, text: &str) -> Result<(), ParseRecordError> {
        self.last_line = line;
        let (key, value) = text
            .split_once(':')
            .ok_or_else(|| refused(line, "the head has lines such as \"size: 4x4\""))?;
        let value = value.trim();
        let number = || {
            value.parse().map_err(|_| {
                refused(
                    line,
                    format!("{key} needs a whole number that is not negative"),
                )
            })
        };

        match key {
            "size" => {
                self.rules.size = value
                    .parse()
                    .map_err(|error| refused(line, format!("{error}")))?;
            }
            "p4" => {
                self.rules.p4 = value
                    .parse()
                    .map_err(|_| refused(line, "p4 needs a number between 0 and 1"))?;
                self.rules
                    .check()
                    .map_err(|error| refused(line, error.to_string()))?;
            }
            "stop_at" => self.stop_at = Some((line, number()?)),
            "seed" => self.seed = Some(number()?),
            "game" => self.game = number()?,
            "score" => self.score = number()?,
            "strategy" => self.strategy = Some(value.to_owned()),
            "start" => {
                self.start = Some(
                    value
                        .parse()
                        .map_err(|error| refused(line, format!("{error}")))?,
                );
            }
            _ if key.starts_with("note ") => self.read_note(line, key, value)?,
            // Lines that later versions or other programs add are for them to read.
            _ => {}
        }

        Ok(())
    }

    fn read_note(&mut self, line: usize, key: &str, value: &str) -> Result<(), ParseRecordError> {
        let number: Option<usize> = key
            .trim_start()
            .strip_prefix("note")
            .and_then(|number| number.trim().parse().ok());
        let place = number.and_then(|number| number.checked_sub(1));
        let place = place.ok_or_else(|| {
            refused(
                line,
                "write a note as \"note 12: text\", with the number of a move",
            )
        })?;
        if note_line(value).is_empty() {
            return Err(refused(
                line,
                format!(
                    "note {} is empty: write a text or delete the line",
                    place + 1
                ),
            ));
        }
        if Record::LONGEST_NOTE < value.chars().count() {
            let longest = words::count(Record::LONGEST_NOTE as u64);
            return Err(refused(
                line,
                format!(
                    "note {} is longer than {longest} characters: shorten it",
                    place + 1
                ),
            ));
        }
        match self.notes.insert(place, (line, note_line(value))) {
            Some((first, _)) => Err(refused(
                line,
                format!(
                    "note {} is already in line {first}: keep one of the two",
                    place + 1
                ),
            )),
            None => Ok(()),
        }
    }

    fn record(&self) -> Result<Record, ParseRecordError> {
        let start = self.start.ok_or_else(|| {
            refused(
                self.last_line + 1,
                "the head has no line \"start: …\" with the first board",
            )
        })?;
        if start.size() != self.rules.size {
            let (start, size) = (start.size(), self.rules.size);
            return Err(refused(
                self.last_line,
                format!("the start board is {start}, but the size line says {size}"),
            ));
        }

        let stop_at = self
            .stop_at
            .map(|(line, tile)| {
                Rules::read_stop_at(tile, self.rules.size)
                    .map_err(|reason| refused(line, format!("stop_at: {reason}")))
            })
            .transpose()?;

        Ok(Record {
            rules: Rules {
                stop_at,
                ..self.rules
            },
            seed: self.seed,
            game: self.game,
            strategy: self.strategy.clone(),
            start,
            score: self.score,
            steps: Vec::new(),
            notes: self
                .notes
                .iter()
                .map(|(&place, (_, note))| (place, note.clone()))
                .collect(),
        })
    }
}

/// The slide of a turn if it is possible on this board, or why it is not.
pub(super) fn turn(board: &Board, step: Step) -> Result<Slide, String> {
    let slide = board
        .slide(step.mv)
        .ok_or_else(|| format!("{} moves nothing on {board}", step.mv))?;
    let (after, cell) = (slide.after.board(), step.spawn.cell);
    if !board.size().contains(cell) || !after.get(cell).is_empty() {
        return Err(format!("{cell} is not an empty cell of {after}"));
    }
    Ok(slide)
}

fn read_step(line: usize, text: &str, number: usize) -> Result<Step, ParseRecordError> {
    let Some((count, step)) = text
        .split_once(char::is_whitespace)
        .filter(|_| text.split_whitespace().count() == 4)
    else {
        return Err(refused(
            line,
            "a turn is written as \"1 left 2 r1c4\": number, slide, tile, cell",
        ));
    };
    if count.parse() != Ok(number) {
        return Err(refused(
            line,
            format!(
                "turn {number} is expected here, not {}",
                words::quoted(count)
            ),
        ));
    }
    step.parse().map_err(|reason: String| refused(line, reason))
}

fn check_end(
    line: usize,
    text: &str,
    moment: &Moment,
    moves: usize,
) -> Result<(), ParseRecordError> {
    let (score, largest) = (moment.score, moment.board.max_rank());
    let reached = format!("score {score}, largest {largest}, moves {moves}");
    if text == reached {
        return Ok(());
    }
    Err(refused(
        line,
        format!("the turns lead to \"{reached}\", so some are missing or changed"),
    ))
}

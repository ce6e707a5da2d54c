//! Strategies, boards and files from the command line.

use std::fmt::Display;
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use super::Failure;
use super::args::{BoardArgs, ReadArgs};
use super::terminal::tell;
use crate::evaluator::Evaluator;
use crate::files;
use crate::game::{Board, ParseBoardError, Reading, Rules, reading};
use crate::learning::{self, ShippedTraining, Training};
use crate::preset::{Entry, Item as _, LARGEST_PRESET, Preset, Problem, Shipped, TextKind};
use crate::strategy::{Strategy, compositions_of};
use crate::words;

/// The longest line with a board, in bytes. A one-hot array of a 5×5 board has some 3,000.
const LONGEST_LINE: u64 = 4096;

/// Maximum lines of one board. A frame around 5 rows has at most 21, a saved game with a line for each value some 180.
const MOST_LINES: usize = 256;

/// How much of standard input is read at once, in bytes.
const INPUT_BUFFER: usize = 1 << 16;

/// Letters, RON text, or a file with a strategy or with a preset of one strategy.
pub(super) fn strategy(text: &str) -> Result<Strategy, Failure> {
    strategy_of_flag("--strategy", text)
}

/// An experiment of strategies, each given in this way.
pub(super) fn strategies(texts: &[String]) -> Result<Preset, Failure> {
    let mut preset = Preset::new("", []);
    for text in texts {
        let own = strategy(text)?;
        if let Some(same) = preset
            .strategies
            .iter()
            .find(|entry| entry.strategy.label() == own.label())
        {
            let label = same.strategy.label();
            return Err(Failure::usage(format!(
                "--strategy: two strategies are called {label}: rename one"
            )));
        }
        preset.strategies.push(Entry::new(own));
    }
    Ok(preset)
}

/// All compositions of these evaluators. A text is a letter or RON.
pub(super) fn compositions(texts: &[String]) -> Result<Preset, Failure> {
    let usage = |error: &dyn Display| Failure::usage(format!("--compositions: {error}"));
    let mut evaluators = Vec::new();
    for text in texts {
        match text.parse::<Strategy>() {
            Ok(strategy) if strategy.letters().is_some() => {
                evaluators.extend(strategy.criteria.into_iter().map(|row| row.evaluator));
            }
            _ => evaluators.push(text.parse::<Evaluator>().map_err(|error| usage(&error))?),
        }
    }
    Ok(Preset::new(
        "",
        compositions_of(&evaluators).map_err(|error| usage(&error))?,
    ))
}

/// The same, for another flag.
pub(super) fn strategy_of_flag(flag: &str, text: &str) -> Result<Strategy, Failure> {
    let error = match text.parse::<Strategy>() {
        Ok(strategy) => return Ok(strategy),
        Err(error) => error,
    };
    let path = Path::new(text);
    let looks_like_path = !text.contains('(') && text.contains(['/', '\\', '.']);
    if !looks_like_path && !path.exists() {
        return Err(Failure::usage(format!("{flag}: {error}")));
    }
    let content = files::read_text(path, LARGEST_PRESET)?;
    strategy_of(&content).map_err(|reason| Failure::could(format!("{}: {reason}", path.display())))
}

/// A shipped training, or that of a file.
pub(super) fn training(what: &str) -> Result<Training, Failure> {
    if let Some(shipped) = ShippedTraining::named(what) {
        return shipped
            .training()
            .map_err(|mistake| Failure::could(format!("{what}: {mistake}")));
    }
    let path = Path::new(what);
    if !path.exists() {
        let names: Vec<&str> = ShippedTraining::ALL
            .iter()
            .map(|shipped| shipped.name)
            .collect();
        let list = words::list(&names);
        let reason = format!("{what}: there is no such file, training preset ({list}) or network");
        return Err(Failure::missing(path, reason));
    }

    let text = files::read_text(path, LARGEST_PRESET)?;
    learning::shipped::read(&text).map_err(|mistake| {
        let reason = match TextKind::of(&text) {
            TextKind::Training => mistake.to_string(),
            kind => kind.refusal(&text, "a training, which begins with Training(,"),
        };
        Failure::could(format!("{}: {reason}", path.display()))
    })
}

/// The strategy in the text of a file; the error does not name the file.
pub(super) fn strategy_of(text: &str) -> Result<Strategy, String> {
    match TextKind::of(text) {
        TextKind::Preset => {
            let preset = Preset::from_text(text).map_err(|error| error.to_string())?;
            match preset.strategies.as_slice() {
                [entry] => Ok(entry.strategy.clone()),
                entries => Err(format!(
                    "this preset has {} strategies; name a file with a single one",
                    entries.len()
                )),
            }
        }
        TextKind::Strategy => text.parse::<Strategy>().map_err(|error| error.to_string()),
        kind => Err(kind.refusal(text, "a strategy in letters such as emr or in RON")),
    }
}

/// The board of an argument. If it is something else, the error says what, and where it belongs.
pub(super) fn board(text: &str, read: ReadArgs) -> Result<Reading, Failure> {
    reading::read(text, &read.into()).map_err(|error| match instead(text) {
        Some(reason) => Failure::usage(reason),
        None => Failure::usage(error),
    })
}

/// What a text is, if it is not a board.
fn instead(text: &str) -> Option<String> {
    if let Some(shipped) = Shipped::named(text) {
        let name = shipped.name;
        return Some(format!(
            "{name} is not a board, but a preset of this name exists: use afterstate run {name}"
        ));
    }
    if ShippedTraining::named(text).is_some() {
        return Some(format!(
            "{text} is not a board, but a training of this name exists: use afterstate train {text}"
        ));
    }
    let path = Path::new(text);
    if path.is_file() {
        let name = path.display();
        return Some(format!(
            "{name} is a file: afterstate check {name} names its kind; to read its boards, write - < {name}"
        ));
    }
    let kind = TextKind::of(text);
    let is_known = !matches!(kind, TextKind::Board | TextKind::Json | TextKind::Unknown);
    is_known.then(|| kind.refusal(text, "a board such as 2,0,0,4/0,8,0,0/0,0,0,0/0,0,16,2"))
}

/// Calls `each` with every board of the arguments, in order, and with its line number if it comes from standard input.
///
/// A board that cannot occur in a game is answered as well, and mentioned in a note; `p4` is the probability of a 4.
/// Before it waits for more input it flushes `out`, so that a program can send one board after another.
pub(super) fn for_each_board<W: Write>(
    args: &BoardArgs,
    p4: f64,
    out: &mut W,
    mut each: impl FnMut(&mut W, Board, u64) -> Result<(), BoardFailure>,
) -> Result<(), Failure> {
    if args.board != "-" {
        let Reading { board, score, .. } = board(&args.board, args.read)?;
        doubt(&board, p4, "");
        let score = one_score(score, args.score).map_err(Failure::usage)?;
        return each(out, board, score).map_err(|failure| match failure {
            BoardFailure::Misfit(reason) => Failure::usage(reason),
            BoardFailure::Could(reason) => Failure::could(reason),
            BoardFailure::Stopped => Failure::Stopped(" before a decision was made".to_owned()),
            BoardFailure::Output(error) => error.into(),
        });
    }

    // Standard input has its own smaller buffer, which large reads bypass.
    let mut input = BufReader::with_capacity(INPUT_BUFFER, io::stdin().lock());
    let mut block = Block::default();
    let mut answer = |out: &mut W, reading: Reading, place: &str| {
        let in_place = |reason: &dyn Display| Failure::could(format!("{place}: {reason}"));
        doubt(&reading.board, p4, &format!("{place}: "));
        let score = one_score(reading.score, args.score).map_err(|reason| in_place(&reason))?;
        each(out, reading.board, score).map_err(|failure| match failure {
            BoardFailure::Misfit(reason) | BoardFailure::Could(reason) => in_place(&reason),
            BoardFailure::Stopped => {
                let line = place.trim_start_matches("standard input, ");
                Failure::Stopped(format!(" at {line}; the lines before it have answers"))
            }
            BoardFailure::Output(error) => error.into(),
        })
    };

    for number in 1u64.. {
        if !input.buffer().contains(&b'\n') {
            out.flush()?;
        }
        let mut line = Vec::new();
        let length = input
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|error| unreadable(&error))?;
        let place = format!("standard input: line {number}");
        let in_line = |reason: &dyn Display| Failure::could(format!("{place}: {reason}"));
        if length as u64 == LONGEST_LINE {
            return Err(in_line(&format!(
                "longer than {LONGEST_LINE} bytes, too long for a board"
            )));
        }
        let line = std::str::from_utf8(&line).map_err(|_| in_line(&"not text in UTF-8"))?;
        let line = line
            .trim_start_matches('\u{feff}')
            .trim_end_matches(['\r', '\n']);

        // Lines between tabs may be rows of empty cells.
        let ends = length == 0 || (line.trim().is_empty() && !line.contains('\t'));
        if ends && let Some((place, reading)) = block.take(args.read)? {
            answer(out, reading, &place)?;
        }
        if length == 0 {
            break;
        }
        if ends {
            continue;
        }
        if block.lines != 0 {
            block.add(line, number)?;
            continue;
        }
        match line_of_board(line, args.read).map_err(|reason| in_line(&reason))? {
            Some(reading) => answer(out, reading, &place)?,
            None => block.add(line, number)?,
        }
    }

    Ok(())
}

/// The score of a board, from its text or from the flag; 0 without both.
fn one_score(in_text: Option<u64>, flag: Option<u64>) -> Result<u64, String> {
    match (in_text, flag) {
        (Some(score), Some(flag)) if score != flag => Err(format!(
            "--score {flag}: the text of the board has the score {score}; correct one, or leave out --score"
        )),
        _ => Ok(in_text.or(flag).unwrap_or_default()),
    }
}

/// The board of one line, optionally with a tab and its score. `None` if the line begins a board of several lines.
fn line_of_board(line: &str, read: ReadArgs) -> Result<Option<Reading>, String> {
    let (board, score) = match line.trim_end().split_once('\t') {
        Some((board, score)) if !score.contains('\t') && !board.trim().is_empty() => {
            let score = score.trim();
            let refused = || {
                format!(
                    "{} is not a score: write a whole number",
                    words::quoted(score)
                )
            };
            (board, Some(score.parse::<u64>().map_err(|_| refused())?))
        }
        _ => (line, None),
    };
    match reading::read_line(board, &read.into()) {
        Ok(reading) => Ok(Some(Reading {
            score: score.or(reading.score),
            ..reading
        })),
        Err(error) if score.is_none() && reading::may_go_on(line, &error) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// A board of several lines of standard input. A blank line or the end of the input ends it.
#[derive(Default)]
struct Block {
    text: String,
    first: u64,
    lines: usize,
}

impl Block {
    fn add(&mut self, line: &str, number: u64) -> Result<(), Failure> {
        if self.lines == 0 {
            self.first = number;
        }
        self.lines += 1;
        self.text += line;
        self.text.push('\n');
        if MOST_LINES < self.lines {
            let reason = format!(
                "more than {MOST_LINES} lines are too many for a board: separate boards by a blank line"
            );
            return Err(Failure::could(format!(
                "standard input: line {}: {reason}",
                self.first
            )));
        }
        Ok(())
    }

    /// Its place and its board, if it has lines.
    fn take(&mut self, read: ReadArgs) -> Result<Option<(String, Reading)>, Failure> {
        let Self { text, first, lines } = std::mem::take(self);
        if lines == 0 {
            return Ok(None);
        }
        let place = match first + lines as u64 - 1 {
            last if last == first => format!("standard input: line {first}"),
            last => format!("standard input: lines {first} to {last}"),
        };
        let refused = |error: ParseBoardError| Failure::could(format!("{place}: {error}"));
        // A single line is refused as such a line.
        let read = if lines == 1 {
            reading::read_line(&text, &read.into())
        } else {
            reading::read(&text, &read.into())
        };
        let reading = read.map_err(refused)?;
        Ok(Some((place, reading)))
    }
}

/// A note on standard error if the board never occurs in a game.
pub(super) fn doubt(board: &Board, p4: f64, place: &str) {
    let rules = Rules {
        size: board.size(),
        p4,
        ..Rules::default()
    };
    if let Some(doubt) = rules.doubt(board) {
        tell(&format!("afterstate: {place}{doubt}"));
    }
}

/// Notes on standard error for what is odd in a preset and played all the same.
pub(super) fn tell_warnings(preset: &Preset) {
    for warning in preset.lint().iter().take(Problem::MOST_LISTED) {
        tell(&warning.to_string());
    }
}

pub(super) enum BoardFailure {
    /// The strategy or evaluator does not fit the board.
    Misfit(String),
    Could(String),
    /// It was stopped before the answer.
    Stopped,
    Output(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for BoardFailure {
    fn from(error: E) -> Self {
        Self::Output(error.into())
    }
}

fn unreadable(error: &io::Error) -> Failure {
    let remedy = "write one board per line to it, or give the board instead of -";
    Failure::could(format!(
        "standard input cannot be read ({}): {remedy}",
        files::said(error)
    ))
}

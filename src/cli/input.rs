//! Strategies, boards and files from the command line.

use std::fmt::Display;
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::path::Path;

use super::Failure;
use super::args::BoardArgs;
use super::terminal::tell;
use crate::files;
use crate::game::{Board, Rules};
use crate::learning::{self, ShippedTraining, Training};
use crate::preset::{Entry, Item as _, LARGEST_PRESET, Preset, Problem, TextKind};
use crate::strategy::Strategy;
use crate::words;

/// The longest line with a board, in bytes; the longest board has some 170.
const LONGEST_LINE: u64 = 4096;

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
        if let Some(same) = preset.strategies.iter().find(|entry| entry.strategy.label() == own.label()) {
            let label = same.strategy.label();
            return Err(Failure::usage(format!("--strategy: two strategies are called {label}: rename one")));
        }
        preset.strategies.push(Entry::new(own));
    }
    Ok(preset)
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
        return shipped.training().map_err(|mistake| Failure::could(format!("{what}: {mistake}")));
    }
    let path = Path::new(what);
    if !path.exists() {
        let names: Vec<&str> = ShippedTraining::ALL.iter().map(|shipped| shipped.name).collect();
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
                entries => Err(format!("this preset has {} strategies; name a file with a single one", entries.len())),
            }
        }
        TextKind::Strategy => text.parse::<Strategy>().map_err(|error| error.to_string()),
        kind => Err(kind.refusal(text, "a strategy in letters such as emr or in RON")),
    }
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
        let board = args.board.parse::<Board>().map_err(Failure::usage)?;
        doubt(&board, p4, "");
        return each(out, board, args.score).map_err(|failure| match failure {
            BoardFailure::Misfit(reason) => Failure::usage(reason),
            BoardFailure::Could(reason) => Failure::could(reason),
            BoardFailure::Stopped => Failure::Stopped(" before a decision was made".to_owned()),
            BoardFailure::Output(error) => error.into(),
        });
    }

    // Standard input has its own smaller buffer, which large reads bypass.
    let mut input = BufReader::with_capacity(INPUT_BUFFER, io::stdin().lock());
    for number in 1u64.. {
        if !input.buffer().contains(&b'\n') {
            out.flush()?;
        }
        let mut line = Vec::new();
        let length =
            input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(|error| unreadable(&error))?;
        if length == 0 {
            break;
        }

        let in_line = |reason: &dyn Display| Failure::could(format!("standard input, line {number}: {reason}"));
        if length as u64 == LONGEST_LINE {
            return Err(in_line(&format!("longer than {LONGEST_LINE} bytes, too long for a board")));
        }
        let line = std::str::from_utf8(&line).map_err(|_| in_line(&"not text in UTF-8"))?;
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }

        let (board, score) = match line.split_once('\t') {
            Some((board, score)) => {
                let score = score.trim();
                let refused = || in_line(&format!("{} is not a score: write a whole number", words::quoted(score)));
                (board, score.parse().map_err(|_| refused())?)
            }
            None => (line, args.score),
        };
        let board = board.parse().map_err(|error| in_line(&error))?;
        doubt(&board, p4, &format!("standard input, line {number}: "));
        each(out, board, score).map_err(|failure| match failure {
            BoardFailure::Misfit(reason) | BoardFailure::Could(reason) => in_line(&reason),
            BoardFailure::Stopped => Failure::Stopped(format!(" at line {number}; the lines before it have answers")),
            BoardFailure::Output(error) => error.into(),
        })?;
    }

    Ok(())
}

/// A note on standard error if the board never occurs in a game.
pub(super) fn doubt(board: &Board, p4: f64, place: &str) {
    let rules = Rules { size: board.size(), p4, ..Rules::default() };
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
    Failure::could(format!("standard input cannot be read ({}): {remedy}", files::said(error)))
}

//! Strategies and boards as they are given on the command line.

use std::io::{self, BufRead as _, Read as _};
use std::path::Path;

use super::Failure;
use super::args::BoardArgs;
use crate::files;
use crate::game::Board;
use crate::preset::{LARGEST_PRESET, Preset};
use crate::strategy::Strategy;

/// The longest line of boards that is read, in bytes; the longest board has some 170.
const LONGEST_LINE: u64 = 4096;

/// Letters, RON text, or a file with a strategy or with a preset of one strategy.
pub(super) fn strategy(text: &str) -> Result<Strategy, Failure> {
    let in_flag = |reason: String| Failure::usage(format!("--strategy: {reason}"));
    let letters = match text.parse::<Strategy>() {
        Ok(strategy) => return Ok(strategy),
        Err(error) => error.to_string(),
    };
    let path = Path::new(text);
    if text.contains('(') && !path.is_file() {
        return Err(in_flag(letters));
    }
    if !path.exists() && !text.contains(['/', '\\', '.']) {
        return Err(in_flag(letters));
    }
    let content = files::read_text(path, LARGEST_PRESET)?;
    strategy_in_file(&content).map_err(|reason| Failure::could(format!("{}: {reason}", path.display())))
}

fn strategy_in_file(content: &str) -> Result<Strategy, String> {
    if !looks_like_preset(content) {
        return content.parse::<Strategy>().map_err(|error| error.to_string());
    }
    let preset = Preset::from_text(content).map_err(|error| error.to_string())?;
    match preset.strategies.as_slice() {
        [entry] => Ok(entry.strategy.clone()),
        entries => Err(format!("this preset has {} strategies, but one is wanted here", entries.len())),
    }
}

/// True for texts that name a version, as presets do and strategies do not.
pub(super) fn looks_like_preset(content: &str) -> bool {
    content.contains("version:") || content.contains("strategies:")
}

/// Calls `each` with every board that the arguments give, in order.
pub(super) fn for_each_board(
    args: &BoardArgs,
    mut each: impl FnMut(Board, u64) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if args.board != "-" {
        let board = args.board.parse::<Board>().map_err(Failure::usage)?;
        return each(board, args.score);
    }
    let mut input = io::stdin().lock();
    for number in 1u64.. {
        let mut line = Vec::new();
        let length = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        let in_line =
            |reason: &dyn std::fmt::Display| Failure::could(format!("standard input, line {number}: {reason}"));
        if length as u64 == LONGEST_LINE {
            return Err(in_line(&format!("longer than {LONGEST_LINE} bytes, which no board is")));
        }
        let line = std::str::from_utf8(&line).map_err(|_| in_line(&"not text in UTF-8"))?.trim();
        if line.is_empty() {
            continue;
        }
        let (board, score) = match line.split_once('\t') {
            Some((board, score)) => {
                let refused = || in_line(&format!("\"{}\" is not a score: write a whole number", shortened(score)));
                (board, score.trim().parse().map_err(|_| refused())?)
            }
            None => (line, args.score),
        };
        each(board.parse().map_err(|error| in_line(&error))?, score)?;
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

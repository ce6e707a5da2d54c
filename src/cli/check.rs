//! `check`: whether files are sound, and everything that is wrong in them.

use std::io::Write;
use std::path::Path;

use super::Failure;
use super::args::CheckArgs;
use super::input;
use crate::files::{self, LARGEST_FILE};
use crate::game::{Board, Record, Size};
use crate::preset::{LARGEST_PRESET, PositionSet, Preset, PresetError, Problem, TextKind};
use crate::strategy::{Strategy, Warning};
use crate::words;

pub(super) fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for path in &args.files {
        match sound(path) {
            Ok(Sound { what, warnings, unknown }) => {
                writeln!(out, "{}: {what}", path.display())?;
                for warning in warnings {
                    writeln!(out, "{}: {warning}", path.display())?;
                }
                for field in unknown {
                    writeln!(out, "{}: {field}: this version does not know the field and keeps it", path.display())?;
                }
            }
            Err(problems) => wrong.push(problems.join("; ")),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Wrong(wrong)) }
}

struct Sound {
    /// What the file is, in words.
    what: String,
    /// What is odd in it.
    warnings: Vec<Warning>,
    unknown: Vec<String>,
}

/// Either what the file is, or a sentence for each problem, the file's name included.
fn sound(path: &Path) -> Result<Sound, Vec<String>> {
    let text = files::read_text(path, LARGEST_FILE).map_err(|error| vec![error.to_string()])?;
    let refused = |reason: String| vec![format!("{}: {reason}", path.display())];
    let plain = |what: String| Ok(Sound { what, warnings: Vec::new(), unknown: Vec::new() });
    let kind = TextKind::of(&text);
    if LARGEST_PRESET < text.len() as u64 && kind != TextKind::Record {
        return Err(refused(format!("larger than {} MiB, which only game records may be", LARGEST_PRESET >> 20)));
    }
    match kind {
        TextKind::Preset => match Preset::from_text(&text) {
            Ok(preset) => {
                let strategies = preset.strategies.len() as u64;
                let what = format!(
                    "preset \"{}\", {} × {}",
                    words::shortened(&preset.title),
                    words::count(strategies) + if strategies == 1 { " strategy" } else { " strategies" },
                    words::plural(preset.games, "game")
                );
                Ok(Sound { what, warnings: preset.lint(), unknown: preset.unknown_paths() })
            }
            Err(PresetError::Problems(problems)) => {
                let listed = problems.iter().take(Problem::MOST_LISTED);
                let mut sentences: Vec<String> =
                    listed.map(|problem| format!("{}: {problem}", path.display())).collect();
                if sentences.len() < problems.len() {
                    sentences.push(format!("and {} more", words::count((problems.len() - sentences.len()) as u64)));
                }
                Err(sentences)
            }
            Err(error) => Err(refused(error.to_string())),
        },
        TextKind::Positions => match PositionSet::from_text(&text) {
            Ok(set) => {
                let positions = words::plural(set.positions.len() as u64, "position");
                plain(format!("set of positions \"{}\", {positions}", words::shortened(&set.title)))
            }
            Err(error) => Err(refused(error.to_string())),
        },
        TextKind::Record => match text.parse::<Record>() {
            Ok(record) => plain(format!("game record of {}", words::plural(record.steps.len() as u64, "move"))),
            Err(error) => Err(refused(error.to_string())),
        },
        TextKind::Strategy => match input::strategy_of(&text) {
            Ok(strategy) => match fits_some_size(&strategy) {
                Ok(size) => {
                    let what = format!("strategy {}", strategy.label());
                    Ok(Sound { what, warnings: strategy.lint(size), unknown: Vec::new() })
                }
                Err(reason) => Err(refused(reason)),
            },
            Err(reason) => Err(refused(reason)),
        },
        TextKind::Board => match text.trim_start_matches('\u{feff}').parse::<Board>() {
            Ok(board) => plain(format!("position {board}")),
            Err(error) => Err(refused(error.to_string())),
        },
        TextKind::Unknown if text.trim().is_empty() => {
            Err(refused("this file is empty; a preset, a strategy, a position or a game record is expected".to_owned()))
        }
        TextKind::Unknown => Err(refused(
            "this is neither a preset, a strategy, a position nor a game record: they begin with (, with Strategy(, \
             with tiles such as 2,0,0,4 and with \"afterstate game record\""
                .to_owned(),
        )),
    }
}

/// A strategy by itself says nothing of the board: it is sound if it can be played on one, the usual one first.
fn fits_some_size(strategy: &Strategy) -> Result<Size, String> {
    let mut sizes = [Size::FOUR].into_iter().chain(Size::all());
    match sizes.find(|&size| strategy.check(size).is_ok()) {
        Some(size) => Ok(size),
        None => Err(strategy.check(Size::FOUR).err().unwrap_or_default()),
    }
}

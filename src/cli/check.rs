//! `check`: whether files are valid, and everything that is wrong in them.

use std::io::Write;
use std::path::Path;

use itertools::Itertools as _;

use super::Failure;
use super::args::{CheckArgs, ReadArgs};
use super::input;
use crate::files::{self, LARGEST_FILE};
use crate::game::{Imported, Record, Rules, Size, reading};
use crate::kept::Kept as _;
use crate::learning;
use crate::network::{self, Network, NetworkError};
use crate::preset::{Axis, Item as _, PositionSet, Preset, PresetError, Problem, TextKind};
use crate::process::{self, Process, ProcessError};
use crate::prose::{fours_sentence, imported_sentence, network_sentence};
use crate::solve::{Table, TableError, TableInfo, library};
use crate::strategy::{Strategy, Warning};
use crate::words;

pub(super) fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for path in &args.files {
        match sound(path, args.read) {
            Ok(Sound {
                what,
                warnings,
                unknown,
            }) => {
                let preserved =
                    |field| format!("{field}: unknown to this version; the field is preserved");
                for sentence in [what]
                    .into_iter()
                    .chain(warnings)
                    .chain(unknown.iter().map(preserved))
                {
                    writeln!(
                        out,
                        "{}",
                        words::one_line(&format!("{}: {sentence}", path.display()))
                    )?;
                }
            }
            Err(problems) => wrong.push(problems.join("; ")),
        }
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::Wrong(wrong))
    }
}

struct Sound {
    what: String,
    warnings: Vec<String>,
    unknown: Vec<String>,
}

/// Either the kind of file, or a sentence for each problem, including the file's name.
fn sound(path: &Path, read: ReadArgs) -> Result<Sound, Vec<String>> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if let Some(checked) = match ending.as_deref() {
        Some(library::ENDING) => Some(solved(path)),
        Some(network::library::ENDING) => Some(trained(path)),
        Some(process::library::ENDING) => Some(learnt(path)),
        _ => None,
    } {
        return checked.map_err(|error| vec![error.to_string()]);
    }

    if ending.as_deref() == Some("rpl") {
        let bytes =
            files::read_bytes(path, LARGEST_FILE).map_err(|error| vec![error.to_string()])?;
        let games = Imported::read_all(&bytes)
            .map_err(|error| vec![format!("{}: {error}", path.display())])?;
        return Ok(of_imported(&games));
    }

    let (kind, text) = TextKind::of_file(path).map_err(|error| vec![error.to_string()])?;
    let refused = |reason: String| vec![format!("{}: {reason}", path.display())];
    let what = match kind {
        TextKind::Preset => return preset(&text, &refused),
        TextKind::Strategy => {
            let strategy = input::strategy_of(&text).map_err(&refused)?;
            let size = fits_some_size(&strategy).map_err(&refused)?;
            let what = format!("strategy {}", strategy.label());
            return Ok(Sound {
                what,
                warnings: said(&strategy.lint(size)),
                unknown: Vec::new(),
            });
        }
        TextKind::Positions => {
            let set = PositionSet::from_text(&text).map_err(|error| refused(error.to_string()))?;
            let positions = words::plural(set.positions.len() as u64, "position");
            format!(
                "set of positions \"{}\", {positions}",
                words::shortened(&set.title)
            )
        }
        TextKind::Record => {
            let record: Record = text.parse().map_err(|error| refused(format!("{error}")))?;
            let what = format!(
                "game record of {}",
                words::plural(record.steps.len() as u64, "move")
            );
            let warnings = Record::doubt(&text)
                .map(|doubt| format!("warning: {doubt}"))
                .into_iter()
                .collect();
            return Ok(Sound {
                what,
                warnings,
                unknown: Vec::new(),
            });
        }
        TextKind::Imported => {
            let games =
                Imported::read_all_text(&text).map_err(|error| refused(error.to_string()))?;
            return Ok(of_imported(&games));
        }
        TextKind::Board => {
            let board = reading::read(&text, &read.into())
                .map_err(|error| refused(error.to_string()))?
                .board;
            let doubt = Rules {
                size: board.size(),
                ..Rules::default()
            }
            .check_board(&board)
            .err();
            let warnings = doubt
                .iter()
                .map(|reason| format!("warning: {reason}"))
                .collect();
            return Ok(Sound {
                what: format!("position {board}"),
                warnings,
                unknown: Vec::new(),
            });
        }
        TextKind::Training => {
            let training =
                learning::shipped::read(&text).map_err(|mistake| refused(mistake.to_string()))?;
            if let Some((field, reason)) = training.problems().first() {
                return Err(refused(format!("{field}: {reason}")));
            }
            let games = words::plural(training.games, "game");
            format!(
                "training \"{}\" of {}, {games}",
                words::shortened(&training.title),
                training.network.label()
            )
        }
        TextKind::Results
        | TextKind::Tree
        | TextKind::Tuning
        | TextKind::Json
        | TextKind::Unknown => {
            return Err(refused(kind.refusal_of_any(&text)));
        }
    };

    Ok(Sound {
        what,
        warnings: Vec::new(),
        unknown: Vec::new(),
    })
}

fn of_imported(games: &[Imported]) -> Sound {
    let [first, others @ ..] = games else {
        return Sound {
            what: imported_sentence(games),
            warnings: Vec::new(),
            unknown: Vec::new(),
        };
    };
    let fours = first.fours_with(others);
    let odd = fours
        .disagrees()
        .then(|| format!("warning: {}", fours_sentence(&fours)));
    let notes = games.iter().flat_map(|game| &game.notes).unique().cloned();
    Sound {
        what: imported_sentence(games),
        warnings: notes.chain(odd).collect(),
        unknown: Vec::new(),
    }
}

/// Reads a whole solved table.
fn solved(path: &Path) -> Result<Sound, TableError> {
    let TableInfo {
        question,
        afterstates,
        ..
    } = Table::read(path)?.info;
    let fours = words::fours(question.p4);
    let afterstates = words::plural(afterstates, "afterstate");
    let what = format!(
        "solved table of {} boards, {}, {fours}, {afterstates}",
        question.size,
        question.goal.text()
    );
    Ok(Sound {
        what,
        warnings: Vec::new(),
        unknown: Vec::new(),
    })
}

/// Reads a whole network.
fn trained(path: &Path) -> Result<Sound, NetworkError> {
    let what = network_sentence(&Network::read(path)?.info);
    Ok(Sound {
        what,
        warnings: Vec::new(),
        unknown: Vec::new(),
    })
}

/// Reads a whole value iteration.
fn learnt(path: &Path) -> Result<Sound, ProcessError> {
    let learnt = Process::read(path)?;
    let seen = words::count(learnt.seen());
    let what = format!(
        "value iteration over {} by {}, {seen} states seen",
        learnt.spec.text(),
        learnt.teacher
    );
    Ok(Sound {
        what,
        warnings: Vec::new(),
        unknown: Vec::new(),
    })
}

fn preset(text: &str, refused: &dyn Fn(String) -> Vec<String>) -> Result<Sound, Vec<String>> {
    let preset = Preset::from_text(text).map_err(|error| match error {
        PresetError::Problems(problems) => {
            let listed = problems.iter().take(Problem::MOST_LISTED);
            let mut sentences: Vec<String> = listed
                .flat_map(|problem| refused(problem.to_string()))
                .collect();
            if sentences.len() < problems.len() {
                sentences.push(format!(
                    "and {} more",
                    words::count((problems.len() - sentences.len()) as u64)
                ));
            }
            sentences
        }
        error => refused(error.to_string()),
    })?;

    let strategies = preset.strategies.len() as u64;
    let (kind, strategies) = match (&preset.sweep, strategies) {
        (Some(sweep), _) => {
            let names: Vec<&str> = sweep.over.iter().map(Axis::name).collect();
            (
                "sweep",
                format!(
                    "{} over {}",
                    words::plural(strategies, "point"),
                    words::list(&names)
                ),
            )
        }
        (None, 1) => ("preset", "1 strategy".to_owned()),
        (None, _) => ("preset", format!("{} strategies", words::count(strategies))),
    };
    let what = format!(
        "{kind} \"{}\", {strategies} × {}",
        words::shortened(&preset.title),
        words::plural(preset.games, "game")
    );

    Ok(Sound {
        what,
        warnings: said(&preset.lint()),
        unknown: preset.unknown_paths(),
    })
}

fn said(warnings: &[Warning]) -> Vec<String> {
    warnings.iter().map(Warning::to_string).collect()
}

/// A strategy alone does not name a board size: it is valid if it can be played on some size. The usual one is tried
/// first.
fn fits_some_size(strategy: &Strategy) -> Result<Size, String> {
    let mut sizes = [Size::FOUR].into_iter().chain(Size::all());
    let fits = sizes.find(|&size| strategy.check(size).is_ok());
    fits.ok_or_else(|| {
        strategy
            .check(Size::FOUR)
            .err()
            .map_or_else(String::new, |error| error.to_string())
    })
}

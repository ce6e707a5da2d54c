//! `check`: whether files are sound, and everything that is wrong in them.

use std::io::Write;
use std::path::Path;

use super::args::CheckArgs;
use super::{Failure, input};
use crate::files::{self, LARGEST_FILE};
use crate::game::Record;
use crate::preset::{LARGEST_PRESET, Preset, PresetError};
use crate::strategy::Strategy;
use crate::words;

pub(super) fn check(args: &CheckArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for path in &args.files {
        match sound(path) {
            Ok(Sound { what, unknown }) => {
                writeln!(out, "{}: {what}", path.display())?;
                for field in unknown {
                    writeln!(out, "{}: {field}: this version does not know the field and keeps it", path.display())?;
                }
            }
            Err(problems) => wrong.extend(problems),
        }
    }
    match wrong.as_slice() {
        [] => Ok(()),
        problems => Err(Failure::could(problems.join("; "))),
    }
}

struct Sound {
    /// What the file is, in words.
    what: String,
    /// Paths of unknown fields.
    unknown: Vec<String>,
}

/// Either what the file is, or a sentence for each problem, the file's name included.
fn sound(path: &Path) -> Result<Sound, Vec<String>> {
    let text = files::read_text(path, LARGEST_FILE).map_err(|error| vec![error.to_string()])?;
    let refused = |reason: String| vec![format!("{}: {reason}", path.display())];
    if text.starts_with("afterstate game record") {
        let record: Record = text.parse().map_err(|error| refused(format!("{error}")))?;
        let what = format!("game record of {}", words::plural(record.steps.len() as u64, "move"));
        return Ok(Sound { what, unknown: Vec::new() });
    }
    if LARGEST_PRESET < text.len() as u64 {
        return Err(refused(format!("larger than {} MiB, which no preset is", LARGEST_PRESET >> 20)));
    }
    if !input::looks_like_preset(&text) && text.contains("criteria") {
        let strategy: Strategy = text.parse().map_err(|error| refused(format!("{error}")))?;
        return Ok(Sound { what: format!("strategy {}", strategy.label()), unknown: Vec::new() });
    }
    match Preset::from_text(&text) {
        Ok(preset) => {
            let strategies = preset.strategies.len() as u64;
            let what = format!(
                "preset \"{}\", {} × {}",
                preset.title,
                words::count(strategies) + if strategies == 1 { " strategy" } else { " strategies" },
                words::plural(preset.games, "game")
            );
            Ok(Sound { what, unknown: preset.unknown_paths() })
        }
        Err(PresetError::Problems(problems)) => {
            Err(problems.iter().map(|problem| format!("{}: {problem}", path.display())).collect())
        }
        Err(error) => Err(refused(error.to_string())),
    }
}

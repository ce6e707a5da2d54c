//! Presets as the command line names them.

use std::io::Write;
use std::path::Path;

use super::Failure;
use crate::files;
use crate::preset::{Item as _, LARGEST_PRESET, Preset, Shipped, TextKind};
use crate::ron_text::nearest;
use crate::words;

/// Whether a text names a preset, not a strategy.
pub(super) fn names_a_preset(path: &Path) -> bool {
    let is_shipped = path.to_str().and_then(Shipped::named).is_some();
    is_shipped || TextKind::of_file(path).is_ok_and(|(kind, _)| kind == TextKind::Preset)
}

/// A preset file, otherwise a shipped preset with this name.
pub(super) fn load(path: &Path) -> Result<Preset, Failure> {
    let shipped = path.to_str().and_then(Shipped::named);
    match shipped {
        // A folder with this name is not a preset and does not hide one.
        Some(shipped) if !path.is_file() => Ok(shipped.preset()?),
        _ if !path.exists() => {
            let names: Vec<&str> = Shipped::ALL.iter().map(|shipped| shipped.name).collect();
            let nearest = path.to_str().and_then(|name| nearest(name, &names));
            let guess = nearest.map_or(String::new(), |name| format!(" (did you mean {name}?)"));
            let reason = format!(
                "{}: there is no such file{guess}, nor a shipped preset ({LISTED})",
                path.display()
            );
            Err(Failure::missing(path, reason))
        }
        _ => {
            let text = files::read_text(path, LARGEST_PRESET)?;
            let reason = match TextKind::of(&text) {
                TextKind::Preset => match Preset::from_text(&text) {
                    Ok(preset) => return Ok(preset),
                    Err(error) => error.to_string(),
                },
                kind => kind.refusal(&text, "a preset, which begins with (,"),
            };
            Err(Failure::could(format!("{}: {reason}", path.display())))
        }
    }
}

/// How to list the presets.
pub(super) const LISTED: &str = "afterstate run --list lists them";

/// A line for each shipped preset: its name, its title, and how much it plays.
pub(super) fn list_presets(out: &mut impl Write) -> Result<(), Failure> {
    for shipped in Shipped::ALL {
        let preset = shipped.preset()?;
        let (strategies, games) = (preset.strategies.len(), words::plural(preset.games, "game"));
        writeln!(
            out,
            "{:28} {}; strategies: {strategies}, {games} each",
            shipped.name, preset.title
        )?;
    }
    Ok(out.flush()?)
}

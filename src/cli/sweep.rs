//! `sweep`: a preset that varies one or two settings.

use std::io::Write;

use super::args::SweepArgs;
use super::terminal::tell;
use super::{Failure, input};
use crate::files;
use crate::preset::{Axis, Item as _, Preset, Sweep};
use crate::words;

pub(super) fn sweep(args: &SweepArgs, out: &mut impl Write) -> Result<(), Failure> {
    let SweepArgs {
        strategy,
        over,
        title,
        games,
        seed,
        out: file,
    } = args;
    let preset = swept(input::strategies(strategy)?, over)?;
    let title = title.clone().unwrap_or_else(|| preset.title.clone());
    let preset = Preset {
        title,
        games: games.unwrap_or(preset.games),
        seed: seed.unwrap_or(preset.seed),
        ..preset
    };
    if let Some(problem) = preset.check().first() {
        return Err(Failure::usage(problem));
    }
    let Some(file) = file else {
        return Ok(out.write_all(preset.to_text().as_bytes())?);
    };
    files::write(file, preset.to_text().as_bytes())?;
    let points = words::plural(preset.strategies.len() as u64, "point");
    tell(&format!(
        "{}: a sweep of {points}; play it with afterstate run",
        file.display()
    ));
    Ok(())
}

/// The preset with its strategies at each of the values.
pub(super) fn swept(preset: Preset, over: &[Axis]) -> Result<Preset, Failure> {
    if over.is_empty() {
        return Ok(preset);
    }
    if preset.sweep.is_some() {
        return Err(Failure::usage(
            "--over: this preset is already a sweep: change its values in the file",
        ));
    }

    let names: Vec<&str> = over.iter().map(Axis::name).collect();
    let title = match preset.title.as_str() {
        "" => {
            let swept: Vec<String> = preset
                .strategies
                .iter()
                .map(|entry| entry.strategy.label())
                .collect();
            format!("{} by {}", words::list(&swept), words::list(&names))
        }
        title => format!("{title}, by {}", words::list(&names)),
    };
    let sweep = Sweep {
        over: over.to_vec(),
        bases: preset.strategies.clone(),
        ..Sweep::default()
    };
    let Preset {
        strategies, sweep, ..
    } = Preset::of_sweep("", sweep)
        .map_err(|problem| Failure::usage(format!("--over: {}", problem.reason)))?;
    Ok(Preset {
        title,
        strategies,
        sweep,
        ..preset
    })
}

//! `sweep`: a preset that varies one or two settings; and the table of the results of a sweep.

use std::io::Write;

use super::args::SweepArgs;
use super::terminal::tell;
use super::{Failure, input};
use crate::experiment::{Results, Swept};
use crate::files;
use crate::preset::{Axis, Item as _, Preset, Sweep};
use crate::words;

pub(super) fn sweep(args: &SweepArgs, out: &mut impl Write) -> Result<(), Failure> {
    let SweepArgs { strategy, over, title, games, seed, out: file } = args;
    let preset = swept(input::strategies(strategy)?, over)?;
    let title = title.clone().unwrap_or_else(|| preset.title.clone());
    let preset = Preset { title, games: games.unwrap_or(preset.games), seed: seed.unwrap_or(preset.seed), ..preset };
    if let Some(problem) = preset.check().first() {
        return Err(Failure::usage(problem));
    }
    let Some(file) = file else { return Ok(out.write_all(preset.to_text().as_bytes())?) };
    files::write(file, preset.to_text().as_bytes())?;
    let points = words::plural(preset.strategies.len() as u64, "point");
    tell(&format!("{}: a sweep of {points}; play it with afterstate run", file.display()));
    Ok(())
}

/// The preset with its strategies at each of the values.
pub(super) fn swept(preset: Preset, over: &[Axis]) -> Result<Preset, Failure> {
    if over.is_empty() {
        return Ok(preset);
    }
    if preset.sweep.is_some() {
        return Err(Failure::usage("--over: this preset is already a sweep: change its values in the file"));
    }

    let names: Vec<&str> = over.iter().map(Axis::name).collect();
    let title = match preset.title.as_str() {
        "" => {
            let swept: Vec<String> = preset.strategies.iter().map(|entry| entry.strategy.label()).collect();
            format!("{} by {}", words::list(&swept), words::list(&names))
        }
        title => format!("{title}, by {}", words::list(&names)),
    };
    let sweep = Sweep { over: over.to_vec(), bases: preset.strategies.clone(), ..Sweep::default() };
    let Preset { strategies, sweep, .. } =
        Preset::of_sweep("", sweep).map_err(|problem| Failure::usage(format!("--over: {}", problem.reason)))?;
    Ok(Preset { title, strategies, sweep, ..preset })
}

/// The columns before and after the numbers of a strategy in the table of a sweep: its settings and its step.
pub(super) struct SweepColumns<'a> {
    results: &'a Results,
    swept: Swept,
}

impl<'a> SweepColumns<'a> {
    pub(super) fn of(results: &'a Results) -> Option<Self> {
        Some(Self { results, swept: results.swept()? })
    }

    pub(super) fn titles(&self) -> (Vec<String>, [&'static str; 2]) {
        (self.swept.axes.iter().map(|axis| axis.name.clone()).collect(), ["to previous value", "95 % interval"])
    }

    /// The name of the line, the values of the settings, and the step along the last of them.
    pub(super) fn cells(&self, place: usize) -> (String, Vec<String>, [String; 2]) {
        let none = || "–".to_owned();
        let Some((line, point)) = self.swept.place_of(place) else {
            let label = self.results.contestants[place].strategy.label();
            return (label, self.swept.axes.iter().map(|_| none()).collect(), [none(), none()]);
        };
        let values = self.swept.at(point).iter().map(ToString::to_string).collect();
        let step = self.results.sweep_steps(&self.swept, place).pop().flatten();
        let step = step.map_or([none(), none()], |step| {
            let ends = [step.ci95.low, step.ci95.high].map(|end| words::signed(end, 1)).join(" to ");
            [words::signed(step.difference, 1), ends]
        });
        (line.name.clone(), values, step)
    }

    pub(super) const LEGEND: &'static str =
        "to previous value: mean difference on the same seeds from the row above, of the same strategy";
}

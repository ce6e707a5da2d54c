//! `tune`: numbers of a strategy chosen by playing, and the measured result.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::args::TuneArgs;
use super::interrupt::Busy;
use super::table::{cells, json_line, listed};
use super::terminal::{disk_patience, tell};
use super::values::Format as OutFormat;
use super::watch::Bar;
use super::{Failure, input, preset_file};
use crate::preset::{Objective, Preset, Tuning};
use crate::prose::verified_sentence;
use crate::stats::Interval;
use crate::table::{Cell, Digits, Format, Head};
use crate::tune::{Generation, LastRace, TuneFolder, TunePlan, Tuner, Verified};
use crate::words;

pub(super) fn tune(args: TuneArgs, out: &mut impl Write) -> Result<(), Failure> {
    let threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    let format = args.format;
    let folder = folder_of(args)?;
    folder.warning().into_iter().for_each(tell);
    let busy = Busy::begin();
    let mut tuner = Tuner {
        folder,
        threads,
        low_priority: false,
        patience: disk_patience(),
    };
    let objective = tuner.folder.plan().objective();
    let bar = Bar::new();
    let control = bar.control("", &busy.stop);
    let verified = tuner.run(&control, &mut |generations| {
        if let Some(last) = generations.last() {
            control.set_title(format!(
                "{objective} {}",
                Cell::from(last.mean).with(format_of(objective))
            ));
        }
    })?;
    drop(bar);

    let generations = &tuner.folder.state().generations;
    match format {
        OutFormat::Json => json_line(out, &TuneJson::of(&tuner, generations, verified.as_ref()))?,
        OutFormat::Text => {
            out.write_all(text(&tuner, generations, verified.as_ref()).as_bytes())?;
        }
    }
    out.flush()?;

    match verified {
        Some(_) => Ok(()),
        None => {
            let generations = words::plural(generations.len() as u64, "generation");
            let folder = tuner.folder.path().display();
            Err(Failure::Stopped(format!(
                "; {generations} are saved, afterstate tune {folder} resumes"
            )))
        }
    }
}

/// The folder to work in: the named one, or the default one of the tuning.
fn folder_of(args: TuneArgs) -> Result<TuneFolder, Failure> {
    let TuneArgs {
        what,
        over,
        games,
        verify,
        objective,
        seed,
        out,
        ..
    } = args;
    let path = PathBuf::from(&what);
    if let Some(folder) = TuneFolder::named(&path) {
        if !over.is_empty() || games.or(verify).or(seed).is_some() || objective.is_some() {
            return Err(Failure::usage(format!(
                "{}: the settings of a started tuning are fixed: name another folder with --out for other settings",
                path.display()
            )));
        }
        return Ok(TuneFolder::open(folder)?);
    }

    let mut preset = if preset_file::names_a_preset(&path) {
        preset_file::load(&path)?
    } else {
        let strategy = input::strategy_of_flag("tune", &what)?;
        Preset::new(format!("{}, tuned", strategy.label()), [strategy])
    };

    let tuning = preset.tune.take().unwrap_or(Tuning {
        games: 20_000,
        ..Tuning::default()
    });
    preset.tune = Some(Tuning {
        over: if over.is_empty() { tuning.over } else { over },
        objective: objective.unwrap_or(tuning.objective),
        games: games.unwrap_or(tuning.games),
        verify: verify.or(tuning.verify),
    });
    preset.seed = seed.unwrap_or(preset.seed);
    let plan = TunePlan::of_preset(&preset).map_err(Failure::usage)?;
    input::tell_warnings(&preset);
    let out = out.ok_or_else(|| {
        Failure::usage(
            "name the folder of the tuning with --out DIR: it is saved there from the start",
        )
    })?;
    Ok(TuneFolder::of_plan(&out, &plan)?)
}

#[derive(Serialize)]
struct TuneJson<'a> {
    title: &'a str,
    objective: String,
    seed: u64,
    settings: Vec<&'a str>,
    start: Vec<f64>,
    generations: Vec<GenerationJson<'a>>,
    last_race: Option<&'a LastRace>,
    verified: Option<VerifiedJson>,
}

#[derive(Serialize)]
struct GenerationJson<'a> {
    games: u64,
    n: u64,
    mean: f64,
    ci95: Option<[f64; 2]>,
    step: f64,
    dropped: usize,
    centre: &'a [f64],
}

#[derive(Serialize)]
struct VerifiedJson {
    strategy: String,
    values: Vec<f64>,
    seed: u64,
    games: u64,
    winner: ValueJson,
    start: ValueJson,
    difference: ValueJson,
}

#[derive(Serialize)]
struct ValueJson {
    value: f64,
    ci95: [f64; 2],
}

impl<'a> TuneJson<'a> {
    fn of(tuner: &'a Tuner, generations: &'a [Generation], verified: Option<&Verified>) -> Self {
        let plan = tuner.folder.plan();
        let generation = |one: &'a Generation| {
            let Generation {
                games,
                n,
                mean,
                ci95,
                step,
                dropped,
                centre,
                ..
            } = one;
            GenerationJson {
                games: *games,
                n: *n,
                mean: *mean,
                ci95: *ci95,
                step: *step,
                dropped: *dropped,
                centre,
            }
        };

        let value_json = |(value, ends): (f64, Interval)| ValueJson {
            value,
            ci95: [ends.low, ends.high],
        };
        Self {
            title: &plan.title,
            objective: plan.objective().to_string(),
            seed: plan.seed,
            settings: plan
                .settings()
                .iter()
                .map(|setting| setting.name.as_str())
                .collect(),
            start: plan
                .settings()
                .iter()
                .map(|setting| setting.value)
                .collect(),
            generations: generations.iter().map(generation).collect(),
            last_race: tuner.folder.state().last_race.as_ref(),
            verified: verified.map(|one| VerifiedJson {
                strategy: one.winner.to_string(),
                values: one.values.clone(),
                seed: one.seed,
                games: one.games,
                winner: value_json(one.of_winner),
                start: value_json(one.of_start),
                difference: value_json(one.difference),
            }),
        }
    }
}

fn format_of(objective: Objective) -> Format {
    match objective {
        Objective::Mean => Format::places(1),
        Objective::Reach(_) => Format::percent(1),
    }
}

fn text(tuner: &Tuner, generations: &[Generation], verified: Option<&Verified>) -> String {
    let plan = tuner.folder.plan();
    let objective = plan.objective();
    let mut text = format!("{}\n\n", words::one_line(&plan.title));
    let format = format_of(objective);
    let of_objective = |title: String| {
        let mut head = Head::whole(title);
        head.format = format;
        head
    };
    let heads = ["generation", "games", "n"]
        .map(Head::whole)
        .into_iter()
        .chain([
            of_objective(objective.to_string()),
            of_objective("95 % interval".to_owned()),
            Head::whole("dropped"),
            Head::number("step", 3),
        ]);
    let settings = plan.settings().iter();
    let heads = heads.chain(settings.map(|one| Head::number(&one.name, Digits::Exact)));
    let mut games = 0;
    let rows = generations.iter().enumerate().map(|(index, one)| {
        games += one.games;
        let interval = one.ci95.map(|[low, high]| Interval { low, high });
        let own = cells![
            index + 1,
            games,
            one.n,
            one.mean,
            interval,
            one.dropped,
            one.step
        ];
        own.into_iter()
            .chain(one.centre.iter().map(|&value| value.into()))
    });

    text += &listed(heads, rows);
    text += "\neach row is the center of a generation; n is the number of its games, which were not used to choose it\n";
    if let Some(race) = &tuner.folder.state().last_race {
        let games = words::plural(race.games, "game");
        text += &format!(
            "the winner is the best of {} centers in a final race of {games}\n",
            race.finalists.len()
        );
    }

    let Some(verified) = verified else {
        return text;
    };
    text += &format!("\n{}\n", verified_sentence(objective, verified));
    let settings = plan.settings().iter().zip(&verified.values);
    let settings: Vec<String> = settings
        .map(|(setting, now)| {
            format!(
                "{} {} (was {})",
                setting.name,
                words::exact(*now),
                words::exact(setting.value)
            )
        })
        .collect();
    text += &format!("{}\n{}\n", words::list(&settings), verified.winner);
    let folder = tuner.folder.path().display();
    tell(&format!(
        "{folder}: the winner is winner.ron; its games are in the folder verification"
    ));
    text
}

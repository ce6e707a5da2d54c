//! `runs`, `merge`, `verify`, `summary`: saved runs.

use std::io::Write;
use std::path::Path;

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use serde::Serialize;

use super::Failure;
use super::args::{MergeArgs, OneArgs, RunsArgs, SummaryArgs, VerifyArgs};
use super::interrupt::Busy;
use super::table::{cells, json_line, listed};
use super::terminal::tell;
use super::values::Format;
use crate::experiment::{EndReason, KeptRun, Plan, RunFolder, RunNotes, Runs, run_folder};
use crate::table::Head;
use crate::words;

pub(super) fn runs(args: &RunsArgs, out: &mut impl Write) -> Result<(), Failure> {
    let runs = args.kept.place();
    let runs = runs.ok_or_else(|| {
        Failure::could("this system has no data folder: give one with --runs DIR")
    })?;
    let shown = match &args.run {
        Some(run) => vec![described(open(run, Some(&runs))?.path(), args)?],
        None => runs.list(),
    };
    let entries: Vec<RunJson> = shown.iter().map(RunJson::of).collect();
    if args.format == Format::Json {
        json_line(out, &entries)?;
        return Ok(());
    }

    if entries.is_empty() {
        writeln!(out, "no runs in {}", runs.folder().display())?;
        return Ok(());
    }

    let rows = entries.iter().map(|run| {
        let name = Path::new(&run.path)
            .file_name()
            .map_or(run.path.clone(), |name| name.to_string_lossy().into_owned());
        let Some(facts) = &run.known else {
            return cells![name, run.problem.clone().unwrap_or_default()].to_vec();
        };
        let planned = facts.games * facts.strategies.len() as u64;
        cells![
            name,
            facts.title.clone(),
            facts.started.clone(),
            words::shortened_to(40, &facts.strategies.join(", ")),
            format!(
                "{} of {}",
                words::count(facts.finished),
                words::count(planned)
            ),
            run.bytes.map(words::bytes),
            facts.stop_rule.to_string(),
            run.notes.tags_text(),
            words::shortened_to(40, &words::one_line(&run.notes.note)),
        ]
        .to_vec()
    });

    // Most runs have no notes.
    let has_notes = entries.iter().any(|run| run.notes != RunNotes::default());
    let columns = if has_notes { 9 } else { 7 };
    let heads = ["run", "title", "begun", "strategies"]
        .map(Head::text)
        .into_iter();
    let heads = heads
        .chain(["games", "size"].map(Head::whole))
        .chain(["", "tags", "note"].map(Head::text));
    let table = listed(
        heads.take(columns),
        rows.map(|row| row.into_iter().take(columns)),
    );
    write!(out, "{table}\n{}\n", runs.folder().display())?;
    Ok(())
}

/// A run, after the flags have set its tags and its note.
fn described(folder: &Path, args: &RunsArgs) -> Result<KeptRun, Failure> {
    let mut notes = RunNotes::read(folder)?;
    if let Some(tags) = &args.tags {
        notes.tags = RunNotes::tags_of(tags);
    }
    if let Some(note) = &args.note {
        note.trim().clone_into(&mut notes.note);
    }
    if args.tags.is_some() || args.note.is_some() {
        notes.write(folder)?;
    }
    Ok(KeptRun::at(folder.to_owned()))
}

#[derive(Serialize)]
struct RunJson {
    path: String,
    bytes: Option<u64>,
    #[serde(flatten)]
    notes: RunNotes,
    #[serde(flatten)]
    known: Option<KnownJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

#[derive(Serialize)]
struct KnownJson {
    title: String,
    started: String,
    seed: u64,
    games: u64,
    finished: u64,
    strategies: Vec<String>,
    stop_rule: EndReason,
}

impl RunJson {
    fn of(run: &KeptRun) -> Self {
        let KeptRun {
            path,
            manifest,
            finished,
            ..
        } = run;
        let known = manifest.as_ref().ok().map(|manifest| KnownJson {
            title: manifest.title.clone(),
            started: manifest.started.clone(),
            seed: manifest.seed,
            games: manifest.games,
            finished: *finished,
            strategies: manifest
                .strategies
                .iter()
                .map(|record| record.name.clone())
                .collect(),
            stop_rule: manifest.end_reason.clone(),
        });
        let problem = manifest
            .as_ref()
            .err()
            .map(ToString::to_string)
            .or_else(|| run.notes.problem.clone());
        Self {
            path: path.display().to_string(),
            bytes: run.bytes(),
            notes: run.notes.clone(),
            known,
            problem,
        }
    }
}

/// A folder by its path, or by the name that `runs` prints.
fn open(name: &Path, runs: Option<&Runs>) -> Result<RunFolder, Failure> {
    let path = runs.map_or_else(|| name.to_owned(), |runs| runs.named(name));
    if run_folder(&path).is_none() && !path.is_dir() {
        let what = if path.exists() {
            "this is not the folder of a run"
        } else {
            "there is no such run"
        };
        let list = runs.map_or(String::new(), |runs| {
            format!(" in {}", runs.folder().display())
        });
        let sentence = format!(
            "{}: {what}: give a folder, or a name that afterstate runs lists{list}",
            path.display()
        );
        return Err(Failure::missing(name, sentence));
    }
    Ok(RunFolder::open(run_folder(&path).unwrap_or(&path))?)
}

fn open_one(OneArgs { folder, kept }: &OneArgs) -> Result<RunFolder, Failure> {
    open(folder, kept.place().as_ref())
}

pub(super) fn merge(args: &MergeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let from = args
        .from
        .iter()
        .map(|path| open(path, None))
        .collect::<Result<Vec<_>, _>>()?;
    let mut into = match from.first() {
        // A new folder becomes one of the same run.
        Some(first) => {
            let games = from
                .iter()
                .map(|folder| folder.manifest.games)
                .max()
                .unwrap_or(first.manifest.games);
            RunFolder::of_plan(
                &args.into,
                &Plan {
                    games,
                    ..Plan::of_preset(&first.preset)
                },
            )?
        }
        None => open(&args.into, None)?,
    };

    for other in &from {
        into.check_same(other)?;
    }
    into.warning().into_iter().for_each(tell);
    into.merge(&from)?;
    let manifest = &into.manifest;
    for record in &manifest.strategies {
        let finished = words::count(record.finished);
        writeln!(
            out,
            "{}: {finished} of {} games",
            record.name,
            words::count(manifest.games)
        )?;
    }
    Ok(())
}

pub(super) fn verify(args: &VerifyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let folder = open_one(&args.one)?;
    let busy = Busy::begin();
    let seed = args.seed.unwrap_or_else(rand::random);
    let verified = folder.verify(
        args.games as usize,
        &mut SmallRng::seed_from_u64(seed),
        &busy.stop,
    )?;
    let label = |arm: usize| folder.arms()[arm].strategy.label();
    let mut wrong = 0;
    for one in verified.iter().filter(|one| !one.is_same()) {
        wrong += 1;
        if one.has_same_end() {
            let index = one.kept.index;
            let place = one.first_difference().unwrap_or(one.moves.len()) + 1;
            writeln!(
                out,
                "{}, game {index}: move {place} differs from the saved one",
                label(one.arm)
            )?;
            continue;
        }
        let (saved, replayed) = (one.kept.finish, one.replayed);
        writeln!(
            out,
            "{}, game {}: {} points on {} saved, {} points on {} replayed",
            label(one.arm),
            one.kept.index,
            saved.outcome.score,
            saved.board,
            replayed.outcome.score,
            replayed.board,
        )?;
    }

    let games = words::plural(verified.len() as u64, "game");
    for arm in folder
        .arms()
        .iter()
        .filter(|arm| !arm.strategy.is_reproducible())
    {
        writeln!(
            out,
            "{}: not verified, a time limit makes its games differ each time",
            arm.strategy.label()
        )?;
    }
    let changed: Vec<String> = folder
        .arms()
        .iter()
        .filter(|arm| arm.is_changed())
        .map(|arm| arm.strategy.label())
        .collect();
    if verified.is_empty() && !changed.is_empty() {
        let (folder, names) = (args.one.folder.display(), words::list(&changed));
        return Err(Failure::could(format!(
            "{folder}: no game can be verified: a file of {names} has changed or is missing; restore it"
        )));
    }

    for name in &changed {
        writeln!(
            out,
            "{name}: not verified, a file that it reads has changed or is missing"
        )?;
    }
    for path in folder.tables_not_verified() {
        writeln!(
            out,
            "{}: no checksum, written by an older version of this program",
            path.display()
        )?;
    }
    if busy.stop.is_cancelled() {
        return Err(Failure::Stopped(format!(
            " after {games}, {wrong} of them differ"
        )));
    }

    if 0 < wrong {
        let folder = args.one.folder.display();
        return Err(Failure::could(format!(
            "{folder}: {wrong} of {games} differ (chosen by seed {seed}): do not trust this folder"
        )));
    }

    if !changed.is_empty() {
        let (folder, names) = (args.one.folder.display(), words::list(&changed));
        return Err(Failure::could(format!(
            "{folder}: a file of {names} has changed or is missing; restore it. The other {games} match (chosen by seed \
             {seed})"
        )));
    }
    if let Some(sentence) = folder.lost_costs().first() {
        return Err(Failure::could(format!(
            "{sentence}; {games} replayed (chosen by seed {seed}): all match"
        )));
    }
    writeln!(out, "{games} replayed (chosen by seed {seed}): all match")?;
    Ok(())
}

pub(super) fn summary(args: &SummaryArgs, out: &mut impl Write) -> Result<(), Failure> {
    let folder = open_one(&args.one)?;
    let results = folder.sums()?;
    folder
        .lost_costs()
        .iter()
        .for_each(|sentence| tell(&format!("note: {sentence}")));
    super::run::print(&results, args.format, args.nodes, out)
}

//! `run`: an experiment from a preset or from strategies.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::args::{Games, RunArgs, Until, WhatArgs};
use super::input;
use super::interrupt::{self, Interrupt};
use super::table::terminal;
use super::terminal::{disk_patience, tell};
use super::values::RunFormat;
use super::watch::Bar;
use super::{Failure, estimate, exact, preset_file, sweep};
use crate::experiment::{
    Comparisons, EndReason, Plan, Results, Run, RunFolder, Runs, State, run_folder, write_tables,
};
use crate::files;
use crate::game::Rules;
use crate::preset::{MOST_GAMES, Preset, SprtRule, StopRule};
use crate::ron_text::nearest;
use crate::task::{CPU_TIME, CancelToken};
use crate::words;

pub(super) fn run(args: RunArgs, out: &mut impl Write) -> Result<(), Failure> {
    if args.list {
        return preset_file::list_presets(out);
    }
    let (format, nodes, baseline, sort) =
        (args.format, args.nodes, args.baseline.clone(), args.sort);
    let runs = args.what.kept.place();
    let tables = args.what.out.clone();
    let PlannedRun { mut plan, folder } = asked(args.what, runs.as_ref())?;
    if sort && plan.sweep.is_some() {
        return Err(Failure::usage(
            "--sort: the rows of a sweep keep the order of its values",
        ));
    }
    plan.threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    plan.until = rules_of(args.until.until, baseline.as_ref()).unwrap_or(plan.until);
    plan.part = match args.shard {
        Some([part, parts]) => Some(plan.part_of(part, parts)),
        None => args.indices,
    };

    if plan.part.is_none() && MOST_GAMES < plan.games {
        let (games, most) = (plan.games, words::count(MOST_GAMES));
        return Err(Failure::usage(format!(
            "--games: {games} are too many for one process: use --shard to play parts of at most {most}"
        )));
    }
    plan.check().map_err(Failure::usage)?;
    plan.check_to_play().map_err(Failure::could)?;
    let tested = StopRule::test(&plan.until).and_then(|test| test.against.clone());
    let baseline = baseline
        .or(tested)
        .map_or(Ok(0), |name| baseline_of(&plan, &name))?;
    if let Some(folder) = &tables {
        files::make_folder(folder)?;
    }

    let interrupt = Interrupt::catch();
    let folder = match (folder, &runs) {
        (Some(path), _) => Some(RunFolder::of_plan(&path, &plan)?),
        (None, Some(runs)) => kept_in(runs, &plan)?,
        (None, None) => None,
    };
    let folder = folder.map(|folder| match &runs {
        Some(runs) => folder.among(runs),
        None => folder,
    });
    if folder
        .as_ref()
        .is_none_or(|folder| folder.lacks_games_of(&plan))
    {
        estimate::announce(
            &plan,
            "finishes and saves the games in play; twice stops at once",
        );
    }

    // Up to the last line of the output: the games must not be lost while they are written.
    let _busy = interrupt.busy();
    let is_part = plan.part.is_some();
    let results = play(plan, folder, &interrupt.stop)?.with_baseline(baseline);
    // Both are done before either error is returned: a full disk must not keep the results from the terminal, nor a
    // closed pipe from the disk. Runs of other parts write into the same folder.
    let saved = tables
        .filter(|_| !is_part)
        .map_or(Ok(()), |folder| write_tables(&folder, &results));
    let results = if sort { results.sorted() } else { results };
    let printed = print(&results, format, nodes, out);
    saved?;
    printed?;
    exit(&results)
}

/// The folder of a plan in the place of all runs. If the user may not write there the run is played and not saved; a
/// full disk is an error.
pub(super) fn kept_in(runs: &Runs, plan: &Plan) -> Result<Option<RunFolder>, Failure> {
    match runs.folder_of(plan) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if error.is_without_room() => Err(error.into()),
        Err(error) => {
            tell(&format!("note: this run is not saved: {error}"));
            Ok(None)
        }
    }
}

/// The exit of a command, by the end of its run.
pub(super) fn exit(results: &Results) -> Result<(), Failure> {
    match &results.manifest.end_reason {
        EndReason::Running { .. } | EndReason::AllGames | EndReason::RuleMet { .. } => Ok(()),
        EndReason::Stopped { games } | EndReason::Cancelled { games } => {
            let games = words::plural(*games, "finished game");
            let caution = results
                .manifest
                .end_reason
                .caution()
                .map(|caution| format!("; {caution}"))
                .unwrap_or_default();
            Err(Failure::Stopped(format!("; {games} are saved{caution}")))
        }
        EndReason::Failed { message, .. } => Err(Failure::could(message)),
    }
}

/// What a run plays, and where.
pub(super) struct PlannedRun {
    pub(super) plan: Plan,
    /// Where the run is saved; `None` means the place of all runs.
    pub(super) folder: Option<PathBuf>,
}

pub(super) fn asked(args: WhatArgs, runs: Option<&Runs>) -> Result<PlannedRun, Failure> {
    let WhatArgs {
        preset,
        strategy,
        compositions,
        over,
        games,
        seed,
        p4,
        size,
        stop_at,
        out,
        ..
    } = args;
    let mut begun = None;
    let preset = preset.map(|path| runs.map_or_else(|| path.clone(), |runs| runs.named(&path)));
    let mut preset = match preset {
        Some(path) if run_folder(&path).is_some() => {
            let folder = RunFolder::open(run_folder(&path).unwrap_or(&path))?;
            let preset = folder.preset.clone();
            begun = Some(folder);
            preset
        }
        Some(preset) => preset_file::load(&preset)?,
        None if !compositions.is_empty() => input::compositions(&compositions)?,
        None if strategy.is_empty() => {
            return Err(Failure::usage(format!(
                "name a preset file, a shipped preset ({}) or --strategy S",
                preset_file::LISTED
            )));
        }
        None => input::strategies(&strategy)?,
    };

    preset = sweep::swept(preset, &over)?;
    preset.seed = seed.unwrap_or(preset.seed);
    let published = preset.rules;
    preset.rules.p4 = p4.unwrap_or(preset.rules.p4);
    preset.rules.size = size.unwrap_or(preset.rules.size);
    if let Some(tile) = stop_at {
        let rank = Rules::read_stop_at(tile, preset.rules.size);
        preset.rules.stop_at =
            Some(rank.map_err(|reason| Failure::usage(format!("--stop-at: {reason}")))?);
    }
    if preset.rules != published {
        forget_published(&mut preset, stop_at);
    }
    if let Some(problem) = preset.check().first() {
        return Err(Failure::usage(problem));
    }
    input::tell_warnings(&preset);

    let mut plan = Plan::of_preset(&preset);
    let folder = out
        .clone()
        .or_else(|| begun.as_ref().map(|folder| folder.path().to_owned()));
    let there = || match (&begun, &out) {
        (Some(folder), None) => Ok(Some(folder.manifest.games)),
        (_, Some(out)) if run_folder(out).is_some() => {
            RunFolder::open(out).map(|folder| Some(folder.manifest.games))
        }
        (None, None) => runs.map_or(Ok(None), |runs| runs.games_of(&plan)),
        (_, Some(_)) => Ok(None),
    };
    plan.games = match games {
        Some(Games::All(games)) => games,
        Some(Games::More(more)) => {
            there()?.unwrap_or(if begun.is_some() { plan.games } else { 0 }) + more
        }
        None => begun
            .as_ref()
            .map_or(plan.games, |folder| folder.manifest.games),
    };

    Ok(PlannedRun { plan, folder })
}

/// Stop rules, if there are any; tests compare with the baseline of the table.
pub(super) fn rules_of(until: Vec<Until>, baseline: Option<&String>) -> Option<Vec<StopRule>> {
    let rule = |until| match until {
        Until::All => None,
        Until::Rule(StopRule::Sprt(test)) => Some(StopRule::Sprt(SprtRule {
            against: test.against.or_else(|| baseline.cloned()),
            ..test
        })),
        Until::Rule(rule) => Some(rule),
    };
    (!until.is_empty()).then(|| until.into_iter().filter_map(rule).collect())
}

/// The place of the strategy with this name.
fn baseline_of(plan: &Plan, name: &str) -> Result<usize, Failure> {
    let labels: Vec<String> = plan
        .contestants
        .iter()
        .map(|contestant| contestant.strategy.label())
        .collect();
    labels
        .iter()
        .position(|label| label == name)
        .ok_or_else(|| {
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let guess = nearest(name, &labels).map_or(String::new(), |nearest| {
                format!(" (did you mean {nearest}?)")
            });
            Failure::usage(format!(
                "--baseline: no strategy is called {}{guess}",
                words::quoted(name)
            ))
        })
}

/// Prints results, or nodes by empty cells in their place.
pub(super) fn print(
    results: &Results,
    format: RunFormat,
    nodes: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let text = match (format, nodes) {
        (None, false) => text(results),
        (None, true) => by_empty_text(results),
        (Some(format), false) => format.write(results),
        (Some(format), true) => format.write_by_empty(results),
    };
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Plays to the end or until it is stopped, with a progress bar on a terminal.
pub(super) fn play(
    plan: Plan,
    folder: Option<RunFolder>,
    stop: &CancelToken,
) -> Result<Results, Failure> {
    let run = match folder {
        Some(folder) => Run::start_in(folder.waiting(disk_patience()), plan, || {}),
        None => Run::start(plan, || {}),
    }?;
    run.warning().into_iter().for_each(tell);

    let bar = Bar::new();
    let mut stopping = false;
    while !run.wait_for(Duration::from_millis(100)) {
        if stop.take() {
            // A user can wait and press the key again; a batch system that ends a job cannot.
            if stopping || interrupt::name() != "Ctrl-C" {
                run.cancel();
            } else {
                stopping = true;
                run.stop();
                let within = run.progress().left.map_or(String::new(), |(_, longest)| {
                    format!(" within about {} s", words::count(longest.as_secs() + 1))
                });
                bar.tell(&format!(
                    "the games in play end{within}; Ctrl-C again abandons them"
                ));
            }
        }

        let progress = run.progress();
        let left = progress.left.map_or("starting".to_owned(), |(low, high)| {
            format!(
                "{:.0} to {:.0} s left",
                low.as_secs_f64().floor(),
                high.as_secs_f64().ceil()
            )
        });
        let gauges = progress
            .gauges
            .iter()
            .map(|gauge| format!("; {}: {}", gauge.name, gauge.text))
            .collect::<String>();
        let at_most = if gauges.is_empty() { "" } else { "at most " };
        let speed = words::decimals(progress.games_per_second, 0);
        bar.show(
            &progress.work,
            &format!("{speed} games/s, {at_most}{left}{gauges}"),
        );
    }

    // If the games could not be merged at the end, they are still in the folder, and the next run merges them.
    let progress = run.progress();
    bar.show(&progress.work, "");
    drop(bar);
    if progress.state == State::Done {
        progress
            .gauges
            .iter()
            .for_each(|gauge| tell(&format!("{}: not met, {}", gauge.name, gauge.text)));
    }

    if progress.read != [0; 2] {
        let [own, others] = progress.read;
        let played = words::plural(progress.work.done.saturating_sub(own + others), "game");
        let folder = run
            .folder()
            .map_or(String::new(), |folder| folder.display().to_string());
        let parts = [(own, folder), (others, "other runs".to_owned())]
            .into_iter()
            .filter(|(games, _)| 0 < *games);
        let read: Vec<String> = parts
            .map(|(games, from)| format!("{} reused from {from}", words::count(games)))
            .collect();
        tell(&format!("{played} played, {}", read.join(", ")));
    }

    Ok(run.into_results())
}

/// Published results for other rules are not comparable.
fn forget_published(preset: &mut Preset, stop_at: Option<u64>) {
    if 0 < preset.forget_published() {
        let why = stop_at.map_or("had different rules".to_owned(), |tile| {
            format!("were not stopped at {tile}")
        });
        tell(&format!(
            "note: the published games {why}, so there is no comparison"
        ));
    }
}

/// Nodes by empty cells as text.
fn by_empty_text(results: &Results) -> String {
    let table = results.by_empty_table();
    if table.rows.is_empty() {
        return "nothing was searched in this run\n".to_owned();
    }
    let legend = "nodes: mean of a decision, leaves included, and the 95 % interval over games; forced moves have none";
    format!("{}\n{legend}\n", terminal(table))
}

/// Results as text: one row for each strategy, with published numbers next to the measured ones.
fn text(results: &Results) -> String {
    let manifest = &results.manifest;
    let mut text = String::new();
    if !manifest.title.is_empty() {
        text += &format!("{}\n\n", words::one_line(&manifest.title));
    }
    text += &terminal(results.measured_table());
    if let Some(compared) = results.compared_table() {
        text += &format!("\n{}", terminal(compared));
    }

    let verdicts = results.verdicts();
    if verdicts.rows.iter().any(|row| !row.is_empty()) {
        text += &format!(
            "\n{}",
            terminal(results.tested_table(&verdicts, "published"))
        );
    }
    text += &exact::text(results);
    text += &format!(
        "\n{} on {}{}, {}, seed {}; {} in {:.1} s\n",
        manifest.games_text(),
        manifest.size,
        manifest
            .stop_at
            .map_or(String::new(), |tile| format!(", each stopped at {tile}")),
        manifest.fours_text(),
        manifest.seed,
        words::plural(manifest.threads as u64, "thread"),
        manifest.elapsed_secs,
    );
    if manifest.end_reason != EndReason::AllGames {
        text += &format!("{}\n", manifest.end_reason);
    }
    let [second, first] = results.shown_tiles();
    text += &format!(
        "games/s and ms/move are {CPU_TIME} of one thread; {second} and {first} are the shares of games that reached that tile\n"
    );
    if results.swept().is_some() {
        text += "to previous value: mean difference on the same seeds from the row above, of the same strategy\n";
    }

    for sentence in results
        .comparisons()
        .map(Comparisons::sentences)
        .unwrap_or_default()
    {
        text += &format!("{sentence}\n");
    }
    if let Some(kinds) = results.interval_sentence() {
        text += &format!("{kinds}\n");
    }
    if let Some(legend) = verdicts.legend() {
        text += &format!("{legend}\n");
    }

    for reading in results.readings() {
        text += &format!("{reading}\n");
    }
    text
}

//! `rollout`: the value of each move of a position, by games from it.

use std::io::Write;

use serde::Serialize;

use super::game_args::{RolloutArgs, RolloutPrinted};
use super::interrupt::Busy;
use super::table::{json_line, terminal};
use super::{Failure, input, run};
use crate::experiment::{
    EndReason, FirstMove, Plan, Results, RolloutTask, RolloutValues, RunFolder,
};
use crate::game::Rules;
use crate::prose;
use crate::review::Judge;
use crate::strategy::Criterion;
use crate::table::{Column, Digits, Formats, Kind, Table};
use crate::words;
use crate::words::escape;

pub(super) fn rollout(args: &RolloutArgs, out: &mut impl Write) -> Result<(), Failure> {
    let board = input::board(&args.board, args.read)?.board;
    let rules = Rules {
        p4: args.p4,
        size: board.size(),
        ..Rules::default()
    };
    input::doubt(&board, args.p4, "");
    let task = RolloutTask {
        strategy: input::strategy(&args.strategy)?,
        board,
        rules,
        moves: args.moves.and_then(|moves| u32::try_from(moves).ok()),
        judge: args
            .judge
            .as_ref()
            .map(|text| judge(text, rules))
            .transpose()?,
        seed: args.seed,
        games: args.games,
        until: run::rules_of(args.until.until.clone(), None).unwrap_or_default(),
    };

    let preset = task.preset().map_err(Failure::usage)?;
    let threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    let plan = Plan {
        threads,
        ..Plan::of_preset(&preset)
    };
    plan.check().map_err(Failure::usage)?;
    plan.check_to_play().map_err(Failure::could)?;
    let runs = args.kept.place();
    let folder = match (&args.out, &runs) {
        (Some(path), _) => Some(RunFolder::of_plan(path, &plan)?),
        (None, Some(runs)) => run::kept_in(runs, &plan)?,
        (None, None) => None,
    };

    let busy = Busy::begin();
    let results = run::play(plan, folder, &busy.stop)?;
    let values = RolloutValues::of(&results)
        .ok_or_else(|| Failure::could("the games of the rollout are missing"))?;
    match args.format {
        RolloutPrinted::Text => out.write_all(text(&values, &results).as_bytes())?,
        RolloutPrinted::Json => json_line(out, &RolloutJson::of(&values, &results))?,
        RolloutPrinted::Csv => {
            out.write_all(moves(&values, &results).only(Formats::CSV).csv().as_bytes())?;
        }
        RolloutPrinted::Markdown => out.write_all(markdown(&values, &results).as_bytes())?,
    }

    out.flush()?;
    run::exit(&results)
}

/// The row of a strategy that judges the boards at which games are cut off.
fn judge(text: &str, rules: Rules) -> Result<Criterion, Failure> {
    let strategy = input::strategy_of_flag("--judge", text)?;
    let judge =
        Judge::of(&strategy, rules).map_err(|error| Failure::usage(format!("--judge: {error}")))?;
    Ok(judge.row().clone())
}

/// A row for each move, best first.
fn moves(values: &RolloutValues, results: &Results) -> Table {
    type Row<'a> = &'a FirstMove;
    let number = |key: &str, get: fn(&FirstMove) -> Option<f64>| {
        Column::number(key, "", "", move |one: &Row<'_>| get(one)).only(Formats::PROGRAMS)
    };
    let columns = [
        Column::text("move", "", "", |one: &Row<'_>| one.mv.name()).only(Formats::PROGRAMS),
        Column::titled(Kind::Text, "move", |one: &Row<'_>| one.mv.to_string())
            .only(Formats::PEOPLE),
        Column::whole("games", "games", "", |one: &Row<'_>| {
            results.contestants[one.contestant].summary.games()
        }),
        Column::number("mean", "points to come", "", |one: &Row<'_>| {
            one.value.map(|value| value.mean)
        })
        .digits(Digits::Like("ci95")),
        Column::number("standard_error", "SE", "", |one: &Row<'_>| {
            one.value.map(|value| value.standard_error)
        })
        .digits(Digits::Like("ci95")),
        Column::interval("ci95", "95 % interval", "", |one: &Row<'_>| one.ci95)
            .only(Formats::PEOPLE),
        number("low", |one| Some(one.ci95?.low)),
        number("high", |one| Some(one.ci95?.high)),
        number("gain_of_strata", |one| one.gain),
        Column::number("to_best", "behind the best", "", |one: &Row<'_>| {
            one.to_best.map(|value| value.mean)
        })
        .digits(Digits::Like("ci95")),
        Column::number("to_best_standard_error", "SE", "", |one: &Row<'_>| {
            one.to_best.map(|value| value.standard_error)
        })
        .digits(Digits::Like("ci95")),
        Column::interval("to_best_ci95", "95 %, simultaneous", "", |one: &Row<'_>| {
            one.to_best_ci95
        })
        .digits(Digits::Like("ci95"))
        .only(Formats::PEOPLE),
        number("to_best_low", |one| Some(one.to_best_ci95?.low)),
        number("to_best_high", |one| Some(one.to_best_ci95?.high)),
    ];
    Table::of(&columns, &values.moves)
}

fn text(values: &RolloutValues, results: &Results) -> String {
    let lines: String = sentences(values, results)
        .iter()
        .map(|sentence| format!("{sentence}\n"))
        .collect();
    format!(
        "{}\n\n{}\n{lines}",
        words::one_line(&results.manifest.title),
        terminal(moves(values, results))
    )
}

fn markdown(values: &RolloutValues, results: &Results) -> String {
    let table = moves(values, results).only(Formats::REPORT).markdown();
    let lines: String = sentences(values, results)
        .iter()
        .map(|sentence| format!("{}  \n", escape::markdown(sentence)))
        .collect();
    format!(
        "## {}\n\n{table}\n{lines}",
        escape::markdown(&results.manifest.title)
    )
}

/// Notes on the numbers.
fn sentences(values: &RolloutValues, results: &Results) -> Vec<String> {
    let manifest = &results.manifest;
    let end = (manifest.end_reason != EndReason::AllGames).then(|| manifest.end_reason.to_string());
    let played = format!(
        "{}, seed {}; game i of every move draws the same tiles; {:.1} s",
        manifest.games_text().replace("each strategy", "each move"),
        manifest.seed,
        manifest.elapsed_secs
    );
    let (best, gain) = (
        prose::rollout::contenders(values),
        prose::rollout::gain(values),
    );
    [best]
        .into_iter()
        .chain(gain)
        .chain([played])
        .chain(end)
        .chain(results.interval_sentence())
        .collect()
}

#[derive(Serialize)]
struct RolloutJson<'a> {
    title: &'a str,
    board: String,
    p4: f64,
    seed: u64,
    end: &'a EndReason,
    /// The moves that may be the best.
    contenders: Vec<&'static str>,
    moves: Table,
}

impl<'a> RolloutJson<'a> {
    fn of(values: &RolloutValues, results: &'a Results) -> Self {
        let manifest = &results.manifest;
        Self {
            title: &manifest.title,
            board: values.board.to_string(),
            p4: manifest.p4,
            seed: manifest.seed,
            end: &manifest.end_reason,
            contenders: values.contenders().iter().map(|mv| mv.name()).collect(),
            moves: moves(values, results).only(Formats::JSON),
        }
    }
}

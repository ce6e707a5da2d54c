//! `rollout`: the value of each move of a position, by playing on.

use std::io::Write;

use serde::Serialize;

use super::game_args::{RolloutArgs, RolloutPrinted};
use super::interrupt::Interrupt;
use super::table::{json_line, table};
use super::{Failure, input, run};
use crate::experiment::{EndReason, FirstMove, Plan, Results, RolloutTask, RolloutValues, RunFolder};
use crate::game::Rules;
use crate::prose;
use crate::review::Judge;
use crate::stats::{Interval, StratifiedMean};
use crate::strategy::Criterion;
use crate::words;
use crate::words::escape;

pub(super) fn rollout(args: &RolloutArgs, out: &mut impl Write) -> Result<(), Failure> {
    let board = input::board(&args.board, args.read)?.board;
    let rules = Rules { p4: args.p4, size: board.size(), ..Rules::default() };
    input::doubt(&board, args.p4, "");
    let task = RolloutTask {
        strategy: input::strategy(&args.strategy)?,
        board,
        rules,
        moves: args.moves.and_then(|moves| u32::try_from(moves).ok()),
        judge: args.judge.as_ref().map(|text| judge(text, rules)).transpose()?,
        seed: args.seed,
        games: args.games,
        until: run::rules_of(args.until.until.clone(), None).unwrap_or_default(),
    };

    let preset = task.preset().map_err(Failure::usage)?;
    let threads = args.threads.and_then(|threads| usize::try_from(threads).ok());
    let plan = Plan { threads, ..Plan::of_preset(&preset) };
    plan.check().map_err(Failure::usage)?;
    plan.check_to_play().map_err(Failure::could)?;
    let runs = args.kept.place();
    let folder = match (&args.out, &runs) {
        (Some(path), _) => Some(RunFolder::of_plan(path, &plan)?),
        (None, Some(runs)) => run::kept_in(runs, &plan)?,
        (None, None) => None,
    };

    let interrupt = Interrupt::catch();
    let _busy = interrupt.busy();
    let results = run::play(plan, folder, &interrupt.stop)?;
    let values = RolloutValues::of(&results).ok_or_else(|| Failure::could("the games of the rollout are missing"))?;
    match args.format {
        RolloutPrinted::Text => out.write_all(text(&values, &results).as_bytes())?,
        RolloutPrinted::Json => json_line(out, &RolloutJson::of(&values, &results))?,
        RolloutPrinted::Csv => out.write_all(&csv(&values, &results)?)?,
        RolloutPrinted::Markdown => out.write_all(markdown(&values, &results).as_bytes())?,
    }

    out.flush()?;
    run::exit(&results)
}

/// The row of a strategy that judges the boards at which games are cut off.
fn judge(text: &str, rules: Rules) -> Result<Criterion, Failure> {
    let strategy = input::strategy_of_flag("--judge", text)?;
    let judge = Judge::of(&strategy, rules).map_err(|error| Failure::usage(format!("--judge: {error}")))?;
    Ok(judge.row().clone())
}

const TITLES: [&str; 7] =
    ["move", "games", "points to come", "± SE", "95 % interval", "behind the best", "95 %, simultaneous"];

/// A row for each move, best first.
fn cells(of: &FirstMove, results: &Results) -> Vec<String> {
    let decimals = |value: f64| words::decimals(value, 1);
    let ends =
        |ci95: Option<Interval>| ci95.map_or("–".to_owned(), |ci95| [ci95.low, ci95.high].map(decimals).join(" to "));
    let mean = |of: Option<StratifiedMean>| of.map_or("–".to_owned(), |of| decimals(of.mean));
    let difference = match of.to_best {
        Some(difference) => format!("{} ± {}", decimals(difference.mean), decimals(difference.standard_error)),
        None => "–".to_owned(),
    };

    vec![
        of.mv.to_string(),
        words::count(results.contestants[of.contestant].summary.games()),
        mean(of.value),
        of.value.map_or("–".to_owned(), |of| decimals(of.standard_error)),
        ends(of.ci95),
        difference,
        ends(of.to_best_ci95),
    ]
}

fn text(values: &RolloutValues, results: &Results) -> String {
    let rows = values.moves.iter().map(|of| cells(of, results));
    let lines: String = sentences(values, results).iter().map(|sentence| format!("{sentence}\n")).collect();
    format!("{}\n\n{}\n{lines}", words::one_line(&results.manifest.title), table(TITLES, rows, 1..=6))
}

fn markdown(values: &RolloutValues, results: &Results) -> String {
    let rows = values.moves.iter().map(|of| cells(of, results));
    let table = escape::markdown_table(TITLES, |column| column != 0, rows);
    let lines: String =
        sentences(values, results).iter().map(|sentence| format!("{}  \n", escape::markdown(sentence))).collect();
    format!("## {}\n\n{table}\n{lines}", escape::markdown(&results.manifest.title))
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
    let (best, gain) = (prose::rollout::contenders(values), prose::rollout::gain(values));
    [best].into_iter().chain(gain).chain([played]).chain(end).chain(results.interval_sentence()).collect()
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
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct MoveJson {
    r#move: &'static str,
    games: u64,
    mean: Option<f64>,
    standard_error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    gain_of_strata: Option<f64>,
    to_best: Option<f64>,
    to_best_standard_error: Option<f64>,
    to_best_low: Option<f64>,
    to_best_high: Option<f64>,
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
            moves: values.moves.iter().map(|of| MoveJson::of(of, results)).collect(),
        }
    }
}

impl MoveJson {
    fn of(of: &FirstMove, results: &Results) -> Self {
        Self {
            r#move: of.mv.name(),
            games: results.contestants[of.contestant].summary.games(),
            mean: of.value.map(|value| value.mean),
            standard_error: of.value.map(|value| value.standard_error),
            low: of.ci95.map(|ci95| ci95.low),
            high: of.ci95.map(|ci95| ci95.high),
            gain_of_strata: of.gain,
            to_best: of.to_best.map(|difference| difference.mean),
            to_best_standard_error: of.to_best.map(|difference| difference.standard_error),
            to_best_low: of.to_best_ci95.map(|ci95| ci95.low),
            to_best_high: of.to_best_ci95.map(|ci95| ci95.high),
        }
    }
}

fn csv(values: &RolloutValues, results: &Results) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for of in &values.moves {
        writer.serialize(MoveJson::of(of, results))?;
    }
    writer.into_inner().map_err(|error| anyhow::anyhow!("{error}"))
}

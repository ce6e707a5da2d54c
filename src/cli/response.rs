//! `analyze --over`: the decision at each value of one number of the strategy.

use std::io::Write;

use serde::Serialize;

use super::Failure;
use super::args::AnalyzeArgs;
use super::input::{self, BoardFailure};
use super::interrupt::Interrupt;
use super::sampled::{LeadJson, SampleJson};
use super::table::{json_line, terminal};
use super::values::Format;
use crate::analysis::{Changes, Response, Share, Step, Varied};
use crate::game::{Move, Rules, Seed};
use crate::preset::Axis;
use crate::prose::{LIMITED_SHARES, SAMPLED_SHARES, changes_table, response_sentence, steps_table};
use crate::search::{NodeCounts, SearchOptions};
use crate::strategy::Strategy;
use crate::task::CancelToken;
use crate::words;

pub(super) fn respond(
    args: &AnalyzeArgs,
    axis: &Axis,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let strategy = input::strategy(args.strategy_text())?;
    // A wrong name is reported before the first board is read.
    let setting = strategy
        .setting(&axis.setting)
        .map_err(|error| Failure::usage(format!("--over: {error}")))?;
    let values = axis.values_of(setting.is_whole).map_err(Failure::usage)?;
    let misfit = |rules| {
        Varied::new(&strategy, &axis.setting, &values, rules)
            .map_err(|error| format!("--over: {error}"))
    };
    let interrupt = strategy
        .criteria
        .iter()
        .any(|row| row.lookahead.searches())
        .then(Interrupt::catch);
    let never = CancelToken::new();
    let stop = interrupt
        .as_ref()
        .map_or(&never, |interrupt| &interrupt.stop);
    let mut varied: Option<(Rules, Varied)> = None;
    let (mut changes, mut answered) = (Changes::default(), 0);
    input::for_each_board(&args.boards(), args.p4, out, |out, board, score| {
        let rules = Rules {
            size: board.size(),
            p4: args.p4,
            ..Rules::default()
        };
        let own = match varied.take() {
            Some((same, own)) if same == rules => own,
            _ => misfit(rules).map_err(BoardFailure::Misfit)?,
        };

        let _busy = interrupt.as_ref().map(Interrupt::busy);
        let options = SearchOptions::on_cores(stop, args.threads as usize);
        let seed = Seed(args.seed).game(0);
        let found = own.respond(rules, (&board, score), |n| seed.tie(0, n), options, |_| {});
        if stop.is_cancelled() {
            return Err(BoardFailure::Stopped);
        }
        changes.take(&found, values.len());

        match args.format {
            Format::Json => json_line(
                out,
                &ResponseJson::of(&found, (&board.to_string(), score), &own.setting.name),
            )?,
            Format::Text => {
                if answered != 0 {
                    writeln!(out)?;
                }
                write!(
                    out,
                    "{}score {}, strategy {}\n\n",
                    board.drawing(),
                    words::count(score),
                    strategy.label()
                )?;
                let table = terminal(steps_table(&found, axis.name()));
                write!(out, "{table}\n{}\n", response_sentence(&found, axis.name()))?;
            }
        }
        answered += 1;
        varied = Some((rules, own));
        Ok(())
    })?;

    if args.has_input() && changes.boards != 0 {
        match args.format {
            Format::Json => json_line(out, &ChangesJson::of(&changes, &values, axis.name()))?,
            Format::Text => write!(
                out,
                "\n{}",
                changes_text(&changes, &values, axis.name(), &strategy)
            )?,
        }
    }

    Ok(())
}

fn changes_text(changes: &Changes, values: &[f64], name: &str, strategy: &Strategy) -> String {
    let boards = words::plural(changes.boards, "board");
    let limited = if changes.is_limited() {
        format!("; {LIMITED_SHARES}")
    } else {
        String::new()
    };
    let sampled = if changes.sampled != 0 {
        format!("; {SAMPLED_SHARES}")
    } else {
        String::new()
    };
    let table = terminal(changes_table(changes, values, name));
    format!(
        "{}, {boards} with two or more moves{limited}{sampled}\n{table}",
        strategy.label()
    )
}

#[derive(Serialize)]
struct ResponseJson<'a> {
    board: &'a str,
    score: u64,
    setting: &'a str,
    steps: Vec<StepJson>,
    stable_from: Option<f64>,
}

#[derive(Serialize)]
struct StepJson {
    value: f64,
    #[serde(rename = "move")]
    chosen: Option<&'static str>,
    /// Whether the depth of the value was searched; a limit may have ended the search before.
    reached: bool,
    choice: Vec<&'static str>,
    /// Null if samples chose, since they do not show whether the value changed the move.
    changes: Option<bool>,
    values: Vec<Option<f64>>,
    bounds: Vec<Option<&'static str>>,
    /// The samples of each move, and the two best means; absent without samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<Vec<Option<SampleJson>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<LeadJson>,
    plies: Option<u32>,
    nodes: Option<NodeCounts>,
    /// Including those of shallower depths, without stubs.
    searched: Option<u64>,
    seconds: Option<f64>,
}

impl<'a> ResponseJson<'a> {
    fn of(response: &Response, (board, score): (&'a str, u64), setting: &'a str) -> Self {
        let step = |(at, step): (usize, &Step)| {
            let searched = step.searched();
            let values = step.values();
            let bound = |mv: Move| values[mv].map(|_| step.decision.bound_name(step.row, mv));
            let sample = |mv: Move| SampleJson::of(&step.decision, step.row, mv);
            let is_sampled = step.decision.is_sampled(step.row);
            StepJson {
                value: step.value,
                chosen: step.decision.chosen.map(Move::name),
                reached: step.is_reached,
                choice: step.choice().iter().map(Move::name).collect(),
                changes: (!response.is_sampled()).then(|| response.changes_at(at)),
                values: Move::ALL.map(|mv| values[mv]).to_vec(),
                bounds: Move::ALL.map(bound).to_vec(),
                samples: is_sampled.then(|| Move::ALL.into_iter().map(sample).collect()),
                lead: step.decision.lead(step.row).as_ref().map(LeadJson::of),
                plies: searched.map(|searched| searched.plies),
                nodes: searched.map(|searched| searched.counts),
                searched: searched.map(|searched| searched.nodes),
                seconds: searched.map(|searched| searched.elapsed.as_secs_f64()),
            }
        };
        let stable_from = response
            .stable_from()
            .map(|from| response.steps[from].value);
        Self {
            board,
            score,
            setting,
            steps: response.steps.iter().enumerate().map(step).collect(),
            stable_from,
        }
    }
}

#[derive(Serialize)]
struct ChangesJson<'a> {
    setting: &'a str,
    boards: u64,
    values: &'a [f64],
    changed: Vec<Option<ShareJson>>,
    stable: Vec<Option<ShareJson>>,
}

#[derive(Serialize)]
struct ShareJson {
    boards: u64,
    /// The number of boards that reached the compared values.
    of: u64,
    share: f64,
    ci95: [f64; 2],
}

impl ShareJson {
    fn of(share: Share) -> Option<Self> {
        let interval = share.interval()?;
        Some(Self {
            boards: share.same,
            of: share.n,
            share: share.value()?,
            ci95: [interval.low, interval.high],
        })
    }
}

impl<'a> ChangesJson<'a> {
    fn of(changes: &Changes, values: &'a [f64], setting: &'a str) -> Self {
        let changed = |at: usize| {
            (at != 0)
                .then(|| ShareJson::of(changes.share_changed(at)))
                .flatten()
        };
        let stable = |at: usize| {
            (at + 1 != values.len())
                .then(|| ShareJson::of(changes.share_stable(at)))
                .flatten()
        };
        let all = 0..values.len();
        let (changed, stable) = (
            all.clone().map(changed).collect(),
            all.map(stable).collect(),
        );
        Self {
            setting,
            boards: changes.boards,
            values,
            changed,
            stable,
        }
    }
}

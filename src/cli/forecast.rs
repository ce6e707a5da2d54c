//! `estimate`: how long a plan takes and how many games differences need, from a short trial or from the games that
//! exist.

use std::io::Write;
use std::time::Duration;

use super::Failure;
use super::args::EstimateArgs;
use super::run::{PlannedRun, asked, rules_of};
use crate::experiment::{Estimate, RunFolder, Spread};
use crate::prose::{about_spread, games_estimated, games_to_find, how_long};
use crate::words;

/// The time of a trial for scores if there are too few games otherwise.
const TRIAL_GAMES: Duration = Duration::from_secs(4);

pub(super) fn estimate(args: EstimateArgs, out: &mut impl Write) -> Result<(), Failure> {
    let runs = args.what.kept.place();
    let PlannedRun { mut plan, folder } = asked(args.what, runs.as_ref())?;
    plan.threads = args
        .threads
        .and_then(|threads| usize::try_from(threads).ok());
    plan.until = rules_of(args.until.until, None).unwrap_or(plan.until);
    plan.check().map_err(Failure::usage)?;
    plan.check_to_play().map_err(Failure::could)?;
    let estimate = Estimate::of(&plan);
    let (games, threads) = (plan.total_games(), plan.thread_count() as u64);
    let what = format!(
        "{} on {}",
        games_estimated(&estimate, games),
        words::plural(threads, "thread")
    );
    writeln!(out, "time: {}, for {what}", how_long(&estimate))?;
    let saved_run = folder.filter(|folder| folder.join("manifest.json").exists());
    let saved_sums = saved_run
        .map(|folder| RunFolder::open(&folder)?.sums())
        .transpose()?;
    match saved_sums
        .as_ref()
        .and_then(Spread::of_results)
        .or(estimate.spread)
        .or_else(|| Spread::by_trial(&plan, TRIAL_GAMES))
    {
        Some(spread) => {
            writeln!(
                out,
                "games of each strategy needed to show a difference of means: {}",
                games_to_find(&spread)
            )?;
            writeln!(out, "{}", words::uncapitalised(&about_spread(&spread)))?;
        }
        None => writeln!(
            out,
            "games needed to show a difference: unknown until some games are played"
        )?,
    }

    Ok(())
}

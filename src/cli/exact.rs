//! What strategies earn exactly, beside what a run on a small board measured.

use std::time::Duration;

use super::table::table;
use crate::analysis::Exact;
use crate::experiment::{Results, Verdicts};
use crate::game::Rules;
use crate::preset::Published;
use crate::prose::of_best_play;
use crate::solve::{self, Fate, Goal, Question, Work};
use crate::strategy::Strategy;
use crate::task::CancelToken;

/// Most boards that are followed beside a run: those of 2×3.
const MOST: u64 = 100_000;

/// And how long at most, for all strategies together.
const LIMIT: Duration = Duration::from_secs(3);

/// What is known exactly counts as so many games.
const ENDLESS: u64 = 1 << 60;

/// Tiles that come about never or always say nothing about a run.
const TELLING: std::ops::Range<f64> = 0.005..0.995;

/// Exact numbers beside the measured ones, with their verdicts; nothing where no strategy can be followed in a moment.
pub(super) fn text(results: &Results) -> String {
    let rules = results.manifest.rules().ok().filter(|rules| solve::check_size(rules.size).is_ok());
    let Some(rules) = rules else { return String::new() };
    let stop = CancelToken::new();
    let contestants = &results.contestants;
    let exact: Vec<Option<Published>> =
        stop.within(Some(LIMIT), |stop| contestants.iter().map(|one| published(&one.strategy, rules, stop)).collect());
    let best = best(results, rules, &stop);
    if exact.iter().all(Option::is_none) {
        return best;
    }
    let planned = results.planned();
    let rows = contestants.iter().zip(&exact).map(|(one, exact)| (planned, &*one.summary, exact.as_ref()));
    // Nothing is taken for the spread of numbers that have none.
    let verdicts = Verdicts { is_lent: false, ..Verdicts::of(rows) };
    let lines = contestants
        .iter()
        .zip(&verdicts.rows)
        .flat_map(|(result, tested)| tested.iter().map(|one| [result.strategy.label()].into_iter().chain(one.cells())));
    let titles = Verdicts::TITLES.map(|title| if title == "published" { "exact" } else { title });
    let legend = verdicts.legend().unwrap_or_default().replace("published", "exact");
    format!("\n{}{legend}\n{best}", table(["strategy"].into_iter().chain(titles), lines, 2..=5))
}

/// What best play is worth there, once the board is solved or where that takes no time.
fn best(results: &Results, rules: Rules, stop: &CancelToken) -> String {
    // Where games end at a tile, the points of whole games say nothing.
    let question = Question { size: rules.size, p4: rules.p4, goal: Goal::Score };
    let value = rules.stop_at.is_none().then(|| super::solve::best_value(&question, stop)).flatten();
    let means = || results.contestants.iter().map(|one| (one.strategy.label(), one.summary.scores.mean_interval()));
    value.map_or_else(String::new, |value| format!("\n{}\n", of_best_play(value, "", means())))
}

fn published(strategy: &Strategy, rules: Rules, stop: &CancelToken) -> Option<Published> {
    let exact = Exact::of(strategy, rules).ok()?;
    exact.at_most().filter(|&boards| boards <= MOST)?;
    let Fate { mean, sd, moves, largest, .. } = &exact.fate(&Work::quiet(stop)).ok()?;
    let at_least = |place: usize| largest[place..].iter().map(|(_, share)| share).sum::<f64>();
    let reach = largest.iter().enumerate().map(|(place, (rank, _))| (rank.tile(), at_least(place)));
    Some(Published {
        mean: Some(*mean),
        sd: Some(*sd),
        moves: Some(*moves),
        reach: reach.filter(|(_, share)| TELLING.contains(share)).collect(),
        games: Some(ENDLESS),
        ..Published::default()
    })
}

//! What strategies earn exactly, beside what a run on a small board measured.

use super::table::table;
use crate::experiment::{ContestantResult, ExactRows, Results, Verdicts, is_exact};
use crate::game::Rank;
use crate::kept;
use crate::prose::of_best_play;
use crate::solve::{BestPlay, Goal};
use crate::stats::Interval;
use crate::task::CancelToken;

/// Exact numbers beside the measured ones, with their verdicts; nothing where no strategy can be followed in a moment.
pub(super) fn text(results: &Results) -> String {
    if !results.contestants.iter().any(|one| is_exact(one.rules)) {
        return String::new();
    }
    let contestants: Vec<_> = results.contestants.iter().map(|one| (&one.strategy, one.rules)).collect();
    let known = ExactRows::at_once(&contestants, kept::config_dir().as_deref(), &CancelToken::new());
    let best = known.best.as_ref().map_or_else(String::new, |best| format!("\n{}\n", best_text(results, best)));
    if !known.is_any_known() {
        return best;
    }
    let planned = results.planned();
    let verdicts = known.verdicts(results.contestants.iter().map(|one| (planned, &*one.summary)));
    let lines =
        results.contestants.iter().zip(&verdicts.rows).flat_map(|(result, tested)| {
            tested.iter().map(|one| [result.strategy.label()].into_iter().chain(one.cells()))
        });
    let titles = Verdicts::TITLES.map(|title| if title == "published" { "exact" } else { title });
    let legend = ExactRows::legend(&verdicts).unwrap_or_default();
    format!("\n{}{legend}\n{best}", table(["strategy"].into_iter().chain(titles), lines, 2..=5))
}

fn best_text(results: &Results, best: &BestPlay) -> String {
    let planned = results.planned();
    let reached = |one: &ContestantResult, rank: Rank| -> Option<Interval> {
        Some(one.summary.reach(planned).into_iter().find(|reach| reach.tile == rank.tile())?.ci95)
    };
    let measured = results.contestants.iter().map(|one| {
        let interval = match best.goal {
            Goal::Score => one.summary.scores.mean_interval(),
            Goal::Reach(rank) => reached(one, rank),
        };
        (one.strategy.label(), interval)
    });
    of_best_play(best, measured)
}

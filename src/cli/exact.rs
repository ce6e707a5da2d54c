//! The exact results of strategies, next to the measured ones of a run on a small board.

use super::table::terminal;
use crate::experiment::{ContestantResult, ExactRows, Results};
use crate::game::Rank;
use crate::prose::of_best_play;
use crate::solve::{BestPlay, Goal};
use crate::stats::Interval;

/// Exact numbers next to the measured ones, with their verdicts; empty if no strategy can be followed within a moment.
pub(super) fn text(results: &Results) -> String {
    let exact = results.exact();
    let best = match (&exact.best, &exact.problem) {
        (Some(best), _) => format!("\n{}\n", best_text(results, best)),
        (None, Some(problem)) => format!("\nbest play is not known: {problem}\n"),
        (None, None) => String::new(),
    };
    if !exact.is_any_known() {
        return best;
    }

    let verdicts = results.exact_verdicts();
    let legend = ExactRows::legend(&verdicts).unwrap_or_default();
    format!(
        "\n{}{legend}\n{best}",
        terminal(results.tested_table(&verdicts, "exact"))
    )
}

fn best_text(results: &Results, best: &BestPlay) -> String {
    let planned = results.planned();
    let reached = |one: &ContestantResult, rank: Rank| -> Option<Interval> {
        Some(one.summary.reach(rank, planned)?.ci95)
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

//! What was measured beside what was published.

use crate::experiment::{ContestantResult, Results, Summary};
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{Comparison, Interval, Moments, Share, compare_means, compare_shares, wilson};
use crate::words;

impl ContestantResult {
    /// The measured mean beside the published one; `None` without a published mean or without games.
    pub fn comparison(&self) -> Option<Comparison> {
        self.published.as_ref()?.compare(&self.summary)
    }

    /// The measured reach rates beside the published ones.
    pub fn reach_comparisons(&self) -> Vec<ReachComparison> {
        self.published.as_ref().map_or_else(Vec::new, |published| published.compare_reach(&self.summary))
    }
}

/// How many games reached a tile, measured and published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachComparison {
    pub tile: u64,
    /// Published share, from 0 to 1.
    pub published: f64,
    /// Measured share, from 0 to 1.
    pub measured: f64,
    /// Wilson's 95 % interval of the measured share.
    pub ci95: Interval,
    pub comparison: Comparison,
}

impl Published {
    /// The mean of `summary` beside the published one; `None` if either does not exist.
    ///
    /// A row with games and no deviation is lent the measured one; without games it counts as exact.
    pub fn compare(&self, summary: &Summary) -> Option<Comparison> {
        let published = Moments {
            count: self.games.unwrap_or(0),
            mean: self.mean?,
            std_dev: self.sd.filter(|_| self.games.is_some()),
        };
        Some(compare_means(summary.scores.moments()?, published))
    }

    /// The reach rates of `summary` beside the published ones, in the order published; none without games.
    pub fn compare_reach(&self, summary: &Summary) -> Vec<ReachComparison> {
        let one = |&(tile, share): &(u64, f64)| {
            let (hits, count) = (summary.reached(Rank::of_tile(tile)?), summary.games());
            let comparison = compare_shares(hits, count, Share { count: self.games.unwrap_or(0), share })?;
            Some(ReachComparison {
                tile,
                published: share,
                measured: hits as f64 / count as f64,
                ci95: wilson(hits, count)?,
                comparison,
            })
        };
        self.reach.iter().filter_map(one).collect()
    }
}

/// What a published row says beside the mean, set against what was measured: a line per reach rate, and the moves. A line
/// is what was counted, published, measured, the 95 % interval, difference, z and verdict; what does not exist is empty.
pub fn published_lines(result: &ContestantResult) -> Vec<[String; 7]> {
    let percent = |share: f64| format!("{} %", words::decimals(100.0 * share, 1));
    let line = |one: &ReachComparison| {
        [
            format!("reached {}", one.tile),
            percent(one.published),
            percent(one.measured),
            format!("{} to {}", words::decimals(100.0 * one.ci95.low, 1), percent(one.ci95.high)),
            percent(one.comparison.difference),
            z_text(&one.comparison),
            one.comparison.verdict.to_string(),
        ]
    };
    let mut lines: Vec<_> = result.reach_comparisons().iter().map(line).collect();
    let moves = result.published.as_ref().and_then(|published| published.moves);
    if let Some((published, measured)) = moves.zip(result.summary.moves_per_game()) {
        let [published, measured, difference] =
            [published, measured, measured - published].map(|moves| words::decimals(moves, 1));
        let [ci95, z, verdict] = Default::default();
        lines.push(["moves/game".to_owned(), published, measured, ci95, difference, z, verdict]);
    }
    lines
}

/// The difference in standard errors: `−1.3`.
pub fn z_text(comparison: &Comparison) -> String {
    words::decimals(comparison.z, 1)
}

/// What was assumed where a published mean has no standard deviation; `None` where nothing was.
pub fn lent_sentence(results: &Results) -> Option<&'static str> {
    let is_lent =
        |result: &ContestantResult| result.comparison().is_some_and(|comparison| comparison.lent_std_dev.is_some());
    results
        .contestants
        .iter()
        .any(is_lent)
        .then_some("where no standard deviation is published, the measured one is taken for it")
}

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
    /// A row that says how many games it rests on but not how they spread is lent the measured standard deviation; one
    /// that does not say how many games it rests on counts as exact.
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

/// What a published row says beside the mean, set against what was measured: a line per reach rate, and the moves.
pub fn published_lines(result: &ContestantResult) -> Vec<PublishedLine> {
    let percent = |share: f64| format!("{} %", words::decimals(100.0 * share, 1));
    let mut lines: Vec<PublishedLine> = result
        .reach_comparisons()
        .iter()
        .map(|one| PublishedLine {
            what: format!("reached {}", one.tile),
            published: percent(one.published),
            measured: percent(one.measured),
            ci95: format!("{} to {}", words::decimals(100.0 * one.ci95.low, 1), percent(one.ci95.high)),
            difference: percent(one.comparison.difference),
            z: z_text(&one.comparison),
            verdict: one.comparison.verdict.name(),
        })
        .collect();
    let moves = result.published.as_ref().and_then(|published| published.moves);
    if let Some((published, measured)) = moves.zip(result.summary.moves_per_game()) {
        lines.push(PublishedLine {
            what: "moves/game".to_owned(),
            published: words::decimals(published, 1),
            measured: words::decimals(measured, 1),
            ci95: String::new(),
            difference: words::decimals(measured - published, 1),
            z: String::new(),
            verdict: "",
        });
    }
    lines
}

/// A published number beside the measured one, as text; what does not exist is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedLine {
    /// What was counted: `reached 2048`.
    pub what: String,
    pub published: String,
    pub measured: String,
    /// The 95 % interval of the measured number.
    pub ci95: String,
    pub difference: String,
    /// The difference in standard errors.
    pub z: String,
    pub verdict: &'static str,
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

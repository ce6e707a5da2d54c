//! Our figures: what the rows of a preset had, in how many games, and when.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::experiment::{ContestantResult, Quantity, Results};
use crate::game::Rank;
use crate::preset::Shipped;
use crate::ron_text::{self, Mistake, is_default};
use crate::stats::{Interval, Moments, mean_interval, student_t_975, wilson};

/// The tiles whose reach rates are recorded.
const TILES: [u64; 9] = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];

/// Rows that were measured together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// A preset or command, as [`Claim::by`](super::Claim::by) names it.
    pub by: String,
    /// `2026-11-23`.
    pub date: String,
    /// The version of the program.
    pub version: String,
    pub rows: Vec<Figure>,
}

/// What one row had. Numbers that were not recorded are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Figure {
    /// The name of the strategy in the preset, or of what a command measured.
    pub row: String,
    pub games: u64,
    #[serde(skip_serializing_if = "is_default")]
    pub mean: Option<f64>,
    /// Standard deviation of the scores.
    #[serde(skip_serializing_if = "is_default")]
    pub sd: Option<f64>,
    /// The 95 % interval of the mean, where only it was recorded.
    #[serde(skip_serializing_if = "is_default")]
    pub ci95: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "is_default")]
    pub median: Option<f64>,
    #[serde(skip_serializing_if = "is_default")]
    pub median_ci95: Option<[f64; 2]>,
    /// CPU seconds of all games, on the machine that measured them: what it costs to measure them again.
    #[serde(skip_serializing_if = "is_default")]
    pub seconds: Option<f64>,
    /// Tiles, and how many games reached them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<(u64, u64)>,
    /// Tiles, mean moves of the games that reached them, and their standard deviation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves_reaching: Vec<(u64, f64, Option<f64>)>,
    /// The same for their CPU seconds, on the machine that measured them: only ratios mean anything elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seconds_reaching: Vec<(u64, f64, Option<f64>)>,
}

impl Measured {
    /// All recorded figures. An error is a fault of the program, which a test excludes.
    pub fn all() -> Result<&'static [Self], Mistake> {
        static ALL: LazyLock<Result<Vec<Measured>, Mistake>> =
            LazyLock::new(|| ron_text::read(include_str!("../../presets/claims/measured.ron")));
        ALL.as_deref().map_err(Clone::clone)
    }

    /// The figures of a run of a shipped preset.
    pub fn of(shipped: Shipped, results: &Results, date: &str, version: &str) -> Self {
        Self {
            by: shipped.name.to_owned(),
            date: date.to_owned(),
            version: version.to_owned(),
            rows: results.contestants.iter().map(Figure::of).collect(),
        }
    }

    /// The figure of a row among measurements, with its measurement. The last one counts.
    pub fn find<'a>(all: &'a [Self], by: &str, row: &str) -> Option<(&'a Self, &'a Figure)> {
        let of_run = all.iter().rev().filter(|measured| measured.by == by);
        of_run
            .flat_map(|measured| measured.rows.iter().map(move |figure| (measured, figure)))
            .find(|(_, figure)| figure.row == row)
    }
}

impl Figure {
    fn of(result: &ContestantResult) -> Self {
        let (summary, scores) = (&result.summary, &result.summary.scores);
        let moments = scores.moments();
        let ranks = || {
            TILES
                .into_iter()
                .filter_map(|tile| Some((tile, Rank::of_tile(tile)?)))
        };
        let moves = |(tile, rank)| {
            let moves = summary.moves_reaching(rank)?;
            Some((tile, moves.mean, moves.std_dev))
        };
        let seconds = |(tile, rank)| {
            let seconds = summary.seconds_reaching(rank)?;
            Some((tile, seconds.mean, seconds.std_dev))
        };
        Self {
            row: result.strategy.label(),
            games: summary.games(),
            mean: moments.map(|moments| moments.mean),
            sd: moments.and_then(|moments| moments.std_dev),
            ci95: None,
            median: scores.median(),
            median_ci95: scores
                .median_interval(1.0)
                .map(|ends| [ends.low, ends.high]),
            seconds: summary.whole_cost().map(|cost| cost.time.as_secs_f64()),
            reach: ranks()
                .map(|(tile, rank)| (tile, summary.reached(rank)))
                .collect(),
            moves_reaching: ranks().filter_map(moves).collect(),
            seconds_reaching: ranks().filter_map(seconds).collect(),
        }
    }

    /// How many games reached a tile, if it was recorded.
    pub fn reached(&self, tile: u64) -> Option<u64> {
        self.reach
            .iter()
            .find(|(other, _)| *other == tile)
            .map(|&(_, hits)| hits)
    }

    /// The mean score with its spread, from its interval if only that is known.
    pub fn moments(&self) -> Option<Moments> {
        let of_interval = |[low, high]: [f64; 2]| {
            let freedom = self.games.checked_sub(1).filter(|&freedom| 0 < freedom)? as f64;
            Some((high - low) / 2.0 * (self.games as f64).sqrt() / student_t_975(freedom))
        };
        let std_dev = self.sd.or_else(|| self.ci95.and_then(of_interval));
        Some(Moments {
            count: self.games,
            mean: self.mean?,
            std_dev,
        })
    }

    /// Moves of the games that reached a tile.
    pub fn moves_reaching(&self, tile: u64) -> Option<Moments> {
        self.reaching(tile, &self.moves_reaching)
    }

    /// CPU seconds of the games that reached a tile.
    pub fn seconds_reaching(&self, tile: u64) -> Option<Moments> {
        self.reaching(tile, &self.seconds_reaching)
    }

    fn reaching(&self, tile: u64, of_tiles: &[(u64, f64, Option<f64>)]) -> Option<Moments> {
        let &(_, mean, std_dev) = of_tiles.iter().find(|(other, ..)| *other == tile)?;
        Some(Moments {
            count: self.reached(tile)?,
            mean,
            std_dev,
        })
    }

    /// A number and its 95 % interval. `None` if either was not recorded.
    pub fn estimate(&self, what: Quantity) -> Option<(f64, Interval)> {
        let of_moments =
            |Moments {
                 count,
                 mean,
                 std_dev,
             }| Some((mean, mean_interval(count, mean, std_dev?)?));
        match what {
            Quantity::Mean => of_moments(self.moments()?),
            Quantity::Median => self
                .median
                .zip(self.median_ci95.map(|[low, high]| Interval { low, high })),
            Quantity::MovesReaching(tile) => of_moments(self.moves_reaching(tile)?),
            Quantity::SecondsReaching(tile) => of_moments(self.seconds_reaching(tile)?),
            Quantity::Reach(tile) => {
                let hits = self.reached(tile)?;
                Some((hits as f64 / self.games as f64, wilson(hits, self.games)?))
            }
            Quantity::Deviation | Quantity::Max | Quantity::Moves | Quantity::SecondsPerMove => {
                None
            }
        }
    }
}

//! Results as JSON, with the fields documented for `afterstate run --format json`.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::{ReachComparison, numbers};
use crate::experiment::{ContestantResult, Manifest, Reach, Results};
use crate::preset::Published;
use crate::stats::Interval;

/// The results as one JSON object.
pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let entries = results.contestants.iter().map(ContestantJson::of).collect();
    let Manifest { title, seed, stop_at, games, threads, .. } = &results.manifest;
    to_json(&RunJson { title, seed: *seed, stop_at: *stop_at, games: *games, threads: *threads, entries })
}

/// The manifest as one JSON object.
pub fn manifest_json(manifest: &Manifest) -> io::Result<Vec<u8>> {
    to_json(manifest)
}

fn to_json(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[derive(Serialize)]
struct RunJson<'a> {
    title: &'a str,
    seed: u64,
    stop_at: Option<u64>,
    games: u64,
    threads: usize,
    entries: Vec<ContestantJson<'a>>,
}

#[derive(Serialize)]
struct ContestantJson<'a> {
    name: String,
    strategy: String,
    games: u64,
    mean: Option<f64>,
    sd: Option<f64>,
    se: Option<f64>,
    ci95: Option<[f64; 2]>,
    median: Option<f64>,
    min: Option<u32>,
    max: Option<u32>,
    moves_per_game: Option<f64>,
    reach: ReachJson,
    seconds: f64,
    published: Option<PublishedJson<'a>>,
}

#[derive(Serialize)]
struct PublishedJson<'a> {
    mean: Option<f64>,
    sd: Option<f64>,
    median: Option<f64>,
    max: Option<u32>,
    moves: Option<f64>,
    games: Option<u64>,
    source: &'a str,
    difference: Option<f64>,
    /// The difference in standard errors.
    z: Option<f64>,
    verdict: Option<&'static str>,
    /// The measured standard deviation, where it stands for the published one.
    assumed_sd: Option<f64>,
    reach: PublishedReachJson<'a>,
}

/// Tiles as keys, in the order published.
struct PublishedReachJson<'a> {
    published: &'a Published,
    compared: Vec<ReachComparison>,
}

#[derive(Serialize)]
struct ReachComparisonJson {
    share: f64,
    difference: Option<f64>,
    z: Option<f64>,
    verdict: Option<&'static str>,
}

impl Serialize for PublishedReachJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.published.reach.len()))?;
        for &(tile, share) in &self.published.reach {
            let one = self.compared.iter().find(|one| one.tile == tile).map(|one| one.comparison);
            let [difference, z] = numbers(one);
            let verdict = one.map(|one| one.verdict.name());
            map.serialize_entry(&tile.to_string(), &ReachComparisonJson { share, difference, z, verdict })?;
        }
        map.end()
    }
}

/// Tiles as keys, ascending.
struct ReachJson(Vec<Reach>);

#[derive(Serialize)]
struct ShareJson {
    share: f64,
    ci95: [f64; 2],
}

impl Serialize for ReachJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for reach in &self.0 {
            map.serialize_entry(&reach.tile.to_string(), &ShareJson { share: reach.share, ci95: ends(reach.ci95) })?;
        }
        map.end()
    }
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

impl<'a> ContestantJson<'a> {
    fn of(result: &'a ContestantResult) -> Self {
        let ContestantResult { strategy, published, summary, .. } = result;
        let scores = summary.scores();
        let comparison = result.comparison();
        let [difference, z] = numbers(comparison);
        Self {
            name: strategy.label(),
            strategy: strategy.to_string(),
            games: summary.games(),
            mean: summary.mean(),
            sd: summary.std_dev(),
            se: summary.std_error(),
            ci95: summary.ci95().map(ends),
            median: summary.median(),
            min: scores.min(),
            max: scores.max(),
            moves_per_game: summary.moves_per_game(),
            reach: ReachJson(summary.reach()),
            seconds: summary.worker_time().as_secs_f64(),
            published: published.as_ref().map(|published| PublishedJson {
                mean: published.mean,
                sd: published.sd,
                median: published.median,
                max: published.max,
                moves: published.moves,
                games: published.games,
                source: &published.source,
                difference,
                z,
                verdict: comparison.map(|comparison| comparison.verdict.name()),
                assumed_sd: comparison.and_then(|comparison| comparison.lent_std_dev),
                reach: PublishedReachJson { published, compared: result.reach_comparisons() },
            }),
        }
    }
}

//! Results as JSON, with the fields documented for `afterstate run --format json`.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::numbers;
use crate::experiment::{ContestantResult, Manifest, Results};
use crate::preset::Published;
use crate::stats::Interval;

pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let entries = results.contestants.iter().map(ContestantJson).collect();
    let Manifest { title, seed, stop_at, games, threads, .. } = &results.manifest;
    to_json(&RunJson { title, seed: *seed, stop_at: *stop_at, games: *games, threads: *threads, entries })
}

pub fn manifest_json(manifest: &Manifest) -> io::Result<Vec<u8>> {
    to_json(manifest)
}

pub(in crate::experiment) fn to_json(value: &impl Serialize) -> io::Result<Vec<u8>> {
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

struct ContestantJson<'a>(&'a ContestantResult);

impl Serialize for ContestantJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContestantResult { strategy, published, summary, .. } = self.0;
        let scores = &summary.scores;
        let share = |share, ci95| ShareJson { share, ci95: ends(ci95) };
        let reach = summary.reach().into_iter().map(|reach| (reach.tile, share(reach.share, reach.ci95)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &strategy.label())?;
        map.serialize_entry("strategy", &strategy.to_string())?;
        map.serialize_entry("games", &summary.games())?;
        map.serialize_entry("mean", &scores.mean())?;
        map.serialize_entry("sd", &scores.std_dev())?;
        map.serialize_entry("se", &scores.std_error())?;
        map.serialize_entry("ci95", &scores.mean_interval().map(ends))?;
        map.serialize_entry("median", &scores.median())?;
        map.serialize_entry("min", &scores.min())?;
        map.serialize_entry("max", &scores.max())?;
        map.serialize_entry("moves_per_game", &summary.moves_per_game())?;
        map.serialize_entry("reach", &ByTile(reach.collect()))?;
        map.serialize_entry("seconds", &summary.worker_time.as_secs_f64())?;
        map.serialize_entry("published", &published.as_ref().map(|published| PublishedJson(published, self.0)))?;
        map.end()
    }
}

struct PublishedJson<'a>(&'a Published, &'a ContestantResult);

impl Serialize for PublishedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(published, result) = *self;
        let comparison = result.comparison();
        let [difference, z] = numbers(comparison);
        let compared = result.reach_comparisons();
        let reach = published.reach.iter().map(|&(tile, share)| {
            let one = compared.iter().find(|one| one.tile == tile).map(|one| one.comparison);
            let [difference, z] = numbers(one);
            (tile, ReachComparisonJson { share, difference, z, verdict: one.map(|one| one.verdict.name()) })
        });
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &published.mean)?;
        map.serialize_entry("sd", &published.sd)?;
        map.serialize_entry("median", &published.median)?;
        map.serialize_entry("max", &published.max)?;
        map.serialize_entry("moves", &published.moves)?;
        map.serialize_entry("games", &published.games)?;
        map.serialize_entry("source", &published.source)?;
        map.serialize_entry("difference", &difference)?;
        // The difference in standard errors.
        map.serialize_entry("z", &z)?;
        map.serialize_entry("verdict", &comparison.map(|comparison| comparison.verdict.name()))?;
        // The measured standard deviation, where it stands for the published one.
        map.serialize_entry("assumed_sd", &comparison.and_then(|comparison| comparison.lent_std_dev))?;
        map.serialize_entry("reach", &ByTile(reach.collect()))?;
        map.end()
    }
}

/// Tiles as keys, in their order here.
struct ByTile<T>(Vec<(u64, T)>);

impl<T: Serialize> Serialize for ByTile<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(tile, value)| (tile, value)))
    }
}

#[derive(Serialize)]
struct ShareJson {
    share: f64,
    ci95: [f64; 2],
}

#[derive(Serialize)]
struct ReachComparisonJson {
    share: f64,
    difference: Option<f64>,
    z: Option<f64>,
    verdict: Option<&'static str>,
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

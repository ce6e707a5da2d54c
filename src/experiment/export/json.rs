//! Results as JSON, with the fields documented for `afterstate run --format json`.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::experiment::{ContestantResult, Manifest, Results, Tested};
use crate::preset::Published;
use crate::stats::{Interval, Planned};

pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let (planned, verdicts) = (results.planned(), results.verdicts());
    let tested = verdicts.rows.into_iter();
    let entries = results.contestants.iter().zip(tested).map(|(of, tested)| ContestantJson { of, tested, planned });
    let Manifest { title, seed, stop_at, games, threads, .. } = &results.manifest;
    to_json(&RunJson {
        title,
        seed: *seed,
        stop_at: *stop_at,
        games: *games,
        threads: *threads,
        tests: verdicts.tests,
        entries: entries.collect(),
    })
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
    /// Tests against published numbers, by which Holm corrects each p.
    tests: usize,
    entries: Vec<ContestantJson<'a>>,
}

struct ContestantJson<'a> {
    of: &'a ContestantResult,
    tested: Vec<Tested>,
    planned: Planned,
}

impl Serialize for ContestantJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContestantResult { strategy, published, summary, .. } = self.of;
        let scores = &summary.scores;
        let share = |share, ci95| ShareJson { share, ci95: ends(ci95) };
        let reach = summary.reach(self.planned).into_iter().map(|reach| (reach.tile, share(reach.share, reach.ci95)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &strategy.label())?;
        map.serialize_entry("strategy", &strategy.to_string())?;
        map.serialize_entry("games", &summary.games())?;
        map.serialize_entry("mean", &scores.mean())?;
        map.serialize_entry("sd", &scores.std_dev())?;
        map.serialize_entry("se", &scores.std_error())?;
        map.serialize_entry("ci95", &self.planned.mean_interval(scores).map(ends))?;
        map.serialize_entry("ci95_kind", self.planned.kind(summary.games()).name())?;
        map.serialize_entry("median", &scores.median())?;
        map.serialize_entry("min", &scores.min())?;
        map.serialize_entry("max", &scores.max())?;
        map.serialize_entry("moves_per_game", &summary.moves_per_game())?;
        map.serialize_entry("reach", &Entries(reach.collect()))?;
        map.serialize_entry("seconds", &summary.worker_time.as_secs_f64())?;
        map.serialize_entry("published", &published.as_ref().map(|published| PublishedJson(published, &self.tested)))?;
        map.end()
    }
}

struct PublishedJson<'a>(&'a Published, &'a [Tested]);

impl Serialize for PublishedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(published, tested) = *self;
        let reach = published.reach.iter().copied();
        let verdicts = tested.iter().map(|one| (one.what.key(), VerdictJson::of(one)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &published.mean)?;
        map.serialize_entry("sd", &published.sd)?;
        map.serialize_entry("median", &published.median)?;
        map.serialize_entry("max", &published.max)?;
        map.serialize_entry("moves", &published.moves)?;
        map.serialize_entry("games", &published.games)?;
        map.serialize_entry("source", &published.source)?;
        map.serialize_entry("reach", &Entries(reach.collect()))?;
        map.serialize_entry("verdicts", &Entries(verdicts.collect()))?;
        map.end()
    }
}

/// Keys with their values, in their order here.
struct Entries<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for Entries<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[derive(Serialize)]
struct ShareJson {
    share: f64,
    ci95: [f64; 2],
}

/// A published number beside ours.
#[derive(Serialize)]
struct VerdictJson {
    published: f64,
    measured: f64,
    difference: Option<f64>,
    /// The upper end is null where there is none.
    ci95: Option<[Option<f64>; 2]>,
    p: Option<f64>,
    p_holm: Option<f64>,
    verdict: &'static str,
    /// Why the games cannot tell.
    reason: Option<String>,
}

impl VerdictJson {
    fn of(one: &Tested) -> Self {
        let ends = |interval| ends(interval).map(|end| Some(end).filter(|end| end.is_finite()));
        Self {
            published: one.published,
            measured: one.measured,
            difference: one.difference.map(|difference| difference.value),
            ci95: one.difference.map(|difference| ends(difference.interval)),
            p: one.difference.map(|difference| difference.p),
            p_holm: one.p,
            verdict: one.verdict.name(),
            reason: one.reason(),
        }
    }
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

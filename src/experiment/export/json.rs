//! Results as JSON, with the fields documented for `afterstate run --format json`.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use crate::experiment::manifest::as_text;
use crate::experiment::{
    Comparisons, ContestantResult, EndReason, Manifest, Pair, Results, Summary, SweepStep, Swept, Tested,
};
use crate::game::{Rank, Rules};
use crate::preset::Published;
use crate::solve::{BestPlay, Goal};
use crate::stats::{Interval, Planned};

pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let (planned, verdicts) = (results.planned(), results.verdicts());
    let tested = verdicts.rows.into_iter();
    let comparisons = results.comparisons();
    let swept = results.swept();
    let exact = results.exact();
    let mut exact_tested = results.exact_verdicts().rows.into_iter();
    let entries = results.contestants.iter().zip(tested).enumerate().map(|(place, (of, tested))| ContestantJson {
        of,
        exact: exact.known(place).zip(exact_tested.next()),
        tested,
        planned,
        compared: comparisons.map(|comparisons| (comparisons, place)),
        sweep: swept.as_ref().and_then(|swept| PointJson::of(results, swept, place)),
    });

    let label = |contestant: &usize| results.contestants[*contestant].strategy.label();
    let Manifest { title, seed, stop_at, games, threads, end_reason, .. } = &results.manifest;

    to_json(&RunJson {
        title,
        seed: *seed,
        stop_at: *stop_at,
        games: *games,
        threads: *threads,
        stop_rule: end_reason,
        tests: verdicts.tests,
        best_play: exact.best.as_ref().map(BestPlayJson::of),
        baseline: comparisons.map(|comparisons| label(&comparisons.baseline)),
        ranks: comparisons.and_then(|comparisons| comparisons.standings.as_ref()).map(|standings| RanksJson {
            places: standings.places(),
            games: standings.games(),
            method: standings.method(),
            identical: standings.alike().map(|group| group.iter().map(label).collect()).collect(),
        }),
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
    /// Written as text, because JSON numbers are exact only up to 2⁵³.
    #[serde(serialize_with = "as_text")]
    seed: u64,
    stop_at: Option<u64>,
    games: u64,
    threads: usize,
    /// How the run ended.
    stop_rule: &'a EndReason,
    /// The number of tests against published numbers, by which Holm corrects each p.
    tests: usize,
    /// The exact value of best play; left out where it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_play: Option<BestPlayJson>,
    /// The strategy that the others are compared with.
    baseline: Option<String>,
    ranks: Option<RanksJson>,
    entries: Vec<ContestantJson<'a>>,
}

#[derive(Serialize)]
struct BestPlayJson {
    /// `score`, or the tile to reach.
    goal: String,
    /// Points, or the probability of reaching the tile.
    value: f64,
}

impl BestPlayJson {
    fn of(best: &BestPlay) -> Self {
        let goal = match best.goal {
            Goal::Score => "score".to_owned(),
            Goal::Reach(rank) => rank.to_string(),
        };
        Self { goal, value: best.value }
    }
}

/// The basis of the ranks of all strategies.
#[derive(Serialize)]
struct RanksJson {
    /// The number of ranks: strategies that played identically share one.
    places: usize,
    games: u64,
    method: String,
    /// Names of strategies that played identically.
    identical: Vec<Vec<String>>,
}

struct ContestantJson<'a> {
    of: &'a ContestantResult,
    /// The limits for infinitely many games, and the verdicts on the measured numbers.
    exact: Option<(&'a Published, Vec<Tested>)>,
    tested: Vec<Tested>,
    planned: Planned,
    /// The index among those compared.
    compared: Option<(&'a Comparisons, usize)>,
    sweep: Option<PointJson>,
}

/// The point of a strategy in a sweep.
#[derive(Serialize)]
struct PointJson {
    /// The strategy that was swept.
    line: String,
    settings: Entries<String, f64>,
    /// The differences to the previous point along each setting, on the same seeds; null for the first.
    steps: Entries<String, Option<StepJson>>,
}

#[derive(Serialize)]
struct StepJson {
    from: String,
    difference: f64,
    ci95: [f64; 2],
}

impl PointJson {
    fn of(results: &Results, swept: &Swept, place: usize) -> Option<Self> {
        let (line, point) = swept.place_of(place)?;
        let names = || swept.axes.iter().map(|axis| axis.name.clone());
        let step = |step: SweepStep| StepJson {
            from: results.contestants[step.from].strategy.label(),
            difference: step.difference,
            ci95: ends(step.ci95),
        };
        let steps = results.sweep_steps(swept, place).into_iter().map(|one| one.map(step));
        Some(Self {
            line: line.name.clone(),
            settings: Entries(names().zip(swept.at(point)).collect()),
            steps: Entries(names().zip(steps).collect()),
        })
    }
}

impl Serialize for ContestantJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContestantResult { strategy, rules, published, summary, .. } = self.of;
        let scores = &summary.scores;
        let share = |share, ci95| ShareJson { share, ci95: ends(ci95) };
        let reach = Summary::reached_ranks_of(rules).filter_map(|rank| summary.reach(rank, self.planned));
        let reach = reach.map(|reach| (reach.tile, share(reach.share, reach.ci95)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &strategy.label())?;
        map.serialize_entry("strategy", &strategy.to_string())?;
        map.serialize_entry("p4", &rules.p4)?;
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
        map.serialize_entry("nodes_per_move", &summary.nodes_per_move())?;
        map.serialize_entry("seconds", &summary.whole_cost().map(|cost| cost.time.as_secs_f64()))?;
        map.serialize_entry("seconds_per_move", &summary.seconds_per_move())?;
        let seconds = |rank: Rank| Some((rank.tile(), summary.seconds_reaching(rank)?));
        map.serialize_entry(
            "seconds_reaching",
            &Entries(Summary::reached_ranks_of(rules).filter_map(seconds).collect()),
        )?;

        let rank = self.compared.and_then(|(all, place)| all.standings.as_ref()?.rank(place));
        map.serialize_entry("rank", &rank.map(|rank| [rank.best, rank.worst]))?;
        let class = self.compared.and_then(|(all, place)| all.standings.as_ref()?.class(place));
        map.serialize_entry("class", &class)?;
        let against = self.compared.and_then(|(all, place)| Some(AgainstJson::of(all, place, all.pair(place)?, rules)));
        map.serialize_entry("against", &against)?;
        map.serialize_entry("sweep", &self.sweep)?;
        if let Some((exact, tested)) = &self.exact {
            map.serialize_entry("exact", &ExactJson(exact, tested))?;
        }
        map.serialize_entry("published", &published.as_ref().map(|published| PublishedJson(published, &self.tested)))?;
        map.end()
    }
}

/// A strategy minus the baseline, on the same seeds.
#[derive(Serialize)]
struct AgainstJson {
    games: u64,
    identical: u64,
    difference: Option<f64>,
    ci95: Option<[f64; 2]>,
    /// The intervals of all strategies hold together in 95 of 100 runs.
    ci95_at_once: Option<[f64; 2]>,
    correlation: Option<f64>,
    /// Null if all differences are equal.
    gain: Option<f64>,
    reach: Entries<u64, ReachDifferenceJson>,
}

#[derive(Serialize)]
struct ReachDifferenceJson {
    difference: f64,
    ci95: [f64; 2],
}

impl AgainstJson {
    fn of(all: &Comparisons, place: usize, pair: &Pair, rules: &Rules) -> Self {
        let reach = Summary::reached_ranks_of(rules).filter_map(|rank| all.reach(place, rank));
        let reach =
            reach.map(|one| (one.tile, ReachDifferenceJson { difference: one.difference, ci95: ends(one.ci95) }));
        Self {
            games: pair.games(),
            identical: pair.identical(),
            difference: pair.difference(),
            ci95: all.interval(place).map(ends),
            ci95_at_once: all.at_once(place).map(ends),
            correlation: pair.scores.correlation(),
            gain: pair.scores.gain().filter(|gain| gain.is_finite()),
            reach: Entries(reach.collect()),
        }
    }
}

struct PublishedJson<'a>(&'a Published, &'a [Tested]);

impl Serialize for PublishedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(published, tested) = *self;
        let of_tiles = |list: &[(u64, f64)]| Entries(list.to_vec());
        let verdicts = tested.iter().map(|one| (one.what.key(), VerdictJson::of(one)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &published.mean)?;
        map.serialize_entry("sd", &published.sd)?;
        map.serialize_entry("median", &published.median)?;
        map.serialize_entry("max", &published.max)?;
        map.serialize_entry("moves", &published.moves)?;
        map.serialize_entry("moves_reaching", &of_tiles(&published.moves_reaching))?;
        map.serialize_entry("seconds_reaching", &of_tiles(&published.seconds_reaching))?;
        map.serialize_entry("seconds_per_move", &published.seconds_per_move)?;
        map.serialize_entry("games", &published.games)?;
        map.serialize_entry("source", &published.source)?;
        map.serialize_entry("reading", &published.reading)?;
        map.serialize_entry("reach", &of_tiles(&published.reach))?;
        map.serialize_entry("verdicts", &Entries(verdicts.collect()))?;

        map.end()
    }
}

/// The exact results of a strategy on a small board.
struct ExactJson<'a>(&'a Published, &'a [Tested]);

impl Serialize for ExactJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(exact, tested) = *self;
        let verdicts = tested.iter().map(|one| (one.what.key(), VerdictJson::of(one)));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("mean", &exact.mean)?;
        map.serialize_entry("sd", &exact.sd)?;
        map.serialize_entry("moves", &exact.moves)?;
        map.serialize_entry("reach", &Entries(exact.reach.clone()))?;
        map.serialize_entry("verdicts", &Entries(verdicts.collect()))?;
        map.end()
    }
}

/// Keys with their values, in this order.
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

/// A published and a measured number.
#[derive(Serialize)]
struct VerdictJson {
    published: f64,
    measured: f64,
    difference: Option<f64>,
    /// The upper end is null if there is none.
    ci95: Option<[Option<f64>; 2]>,
    p: Option<f64>,
    p_holm: Option<f64>,
    verdict: &'static str,
    /// Why the games are not enough for a verdict.
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

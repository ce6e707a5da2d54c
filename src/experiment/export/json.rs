//! Results as JSON, with the fields documented for `afterstate run --format json`.

use std::io;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::experiment::manifest::as_text;
use crate::experiment::result_columns::{
    compared_columns, exact_columns, measured_columns, published_columns, strategy_columns,
    tested_columns,
};
use crate::experiment::{
    Comparisons, ContestantResult, EndReason, Manifest, Results, Standings, Summary, SweepStep,
    Swept, Tested,
};
use crate::game::Rank;
use crate::preset::Published;
use crate::solve::{BestPlay, Goal};
use crate::stats::{Interval, Planned};
use crate::table::{Formats, Table};

pub(super) fn json(results: &Results) -> io::Result<Vec<u8>> {
    let verdicts = results.verdicts();
    let (comparisons, swept, exact) = (results.comparisons(), results.swept(), results.exact());
    let exact_verdicts = results.exact_verdicts();
    let tables = Tables::of(results);
    let entries = results
        .contestants
        .iter()
        .zip(&verdicts.rows)
        .enumerate()
        .map(|(place, (contestant, tested))| ContestantJson {
            of: contestant,
            place,
            tables: &tables,
            by_empty: results
                .by_empty_of(place)
                .map(|table| table.only(Formats::JSON)),
            exact: exact.known(place).zip(exact_verdicts.rows.get(place)),
            tested,
            planned: results.planned(),
            standings: comparisons.and_then(|all| all.standings.as_ref()),
            compared: comparisons.filter(|all| all.pair(place).is_some()),
            sweep: swept
                .as_ref()
                .and_then(|swept| PointJson::of(results, swept, place)),
        });

    let label = |contestant: &usize| results.contestants[*contestant].strategy.label();
    let Manifest {
        title,
        seed,
        stop_at,
        games,
        threads,
        end_reason,
        ..
    } = &results.manifest;

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
        ranks: comparisons
            .and_then(|comparisons| comparisons.standings.as_ref())
            .map(|standings| RanksJson {
                places: standings.places(),
                games: standings.games(),
                method: standings.method(),
                identical: standings
                    .alike()
                    .map(|group| group.iter().map(label).collect())
                    .collect(),
            }),
        entries: entries.collect(),
    })
}

/// The flat numbers of all strategies, a row for each.
struct Tables {
    own: Table,
    against: Table,
    published: Table,
    exact: Table,
}

impl Tables {
    fn of(results: &Results) -> Self {
        let published = results.contestants.iter().map(|one| one.published.as_ref());
        let own = Table::of(&strategy_columns(), &results.contestants);
        let places = 0..results.contestants.len();
        Self {
            own: own
                .beside(Table::of(&measured_columns(), results.measured()))
                .only(Formats::JSON),
            against: Table::of(&compared_columns(results.comparisons()), places.clone())
                .only(Formats::JSON),
            published: Table::of(&published_columns(), published).only(Formats::JSON),
            exact: Table::of(
                &exact_columns(),
                places.map(|place| results.exact().known(place)),
            )
            .only(Formats::JSON),
        }
    }
}

/// An object that begins with the numbers of a table.
fn put<M: SerializeMap>(map: &mut M, table: &Table, row: usize) -> Result<(), M::Error> {
    table
        .entries(row)
        .try_for_each(|(key, cell)| map.serialize_entry(key, cell))
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
        Self {
            goal,
            value: best.value,
        }
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
    /// Its row in the tables.
    place: usize,
    tables: &'a Tables,
    /// Its nodes by empty cells; `None` if they were not kept.
    by_empty: Option<Table>,
    /// The limits for infinitely many games, and the verdicts on the measured numbers.
    exact: Option<(&'a Published, &'a Vec<Tested>)>,
    tested: &'a [Tested],
    planned: Planned,
    standings: Option<&'a Standings>,
    /// `None` for the baseline.
    compared: Option<&'a Comparisons>,
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
        let steps = results
            .sweep_steps(swept, place)
            .into_iter()
            .map(|one| one.map(step));
        Some(Self {
            line: line.name.clone(),
            settings: Entries(names().zip(swept.at(point)).collect()),
            steps: Entries(names().zip(steps).collect()),
        })
    }
}

impl Serialize for ContestantJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContestantResult {
            rules,
            published,
            summary,
            ..
        } = self.of;
        let share = |share, ci95| ShareJson {
            share,
            ci95: ends(ci95),
        };
        let reach =
            Summary::reached_ranks_of(rules).filter_map(|rank| summary.reach(rank, self.planned));
        let reach = reach.map(|reach| (reach.tile, share(reach.share, reach.ci95)));
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &self.tables.own, self.place)?;
        map.serialize_entry("reach", &Entries(reach.collect()))?;
        let seconds = |rank: Rank| Some((rank.tile(), summary.seconds_reaching(rank)?.mean));
        map.serialize_entry(
            "seconds_reaching",
            &Entries(
                Summary::reached_ranks_of(rules)
                    .filter_map(seconds)
                    .collect(),
            ),
        )?;

        map.serialize_entry("nodes_by_empty", &self.by_empty)?;
        let rank = self.standings.and_then(|all| all.rank(self.place));
        map.serialize_entry("rank", &rank.map(|rank| [rank.best, rank.worst]))?;
        map.serialize_entry(
            "class",
            &self.standings.and_then(|all| all.class(self.place)),
        )?;
        map.serialize_entry("against", &self.compared.map(|all| AgainstJson(self, all)))?;
        map.serialize_entry("sweep", &self.sweep)?;
        if let Some((exact, tested)) = self.exact {
            map.serialize_entry("exact", &ExactJson(self, exact, tested))?;
        }
        map.serialize_entry(
            "published",
            &published
                .as_ref()
                .map(|published| PublishedJson(self, published)),
        )?;
        map.end()
    }
}

/// A strategy minus the baseline, on the same seeds.
struct AgainstJson<'a>(&'a ContestantJson<'a>, &'a Comparisons);

impl Serialize for AgainstJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(one, all) = *self;
        let reach =
            Summary::reached_ranks_of(&one.of.rules).filter_map(|rank| all.reach(one.place, rank));
        let reach = reach.map(|one| {
            (
                one.tile,
                ReachDifferenceJson {
                    difference: one.difference,
                    ci95: ends(one.ci95),
                },
            )
        });
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &one.tables.against, one.place)?;
        map.serialize_entry("reach", &Entries(reach.collect()))?;
        map.end()
    }
}

#[derive(Serialize)]
struct ReachDifferenceJson {
    difference: f64,
    ci95: [f64; 2],
}

struct PublishedJson<'a>(&'a ContestantJson<'a>, &'a Published);

impl Serialize for PublishedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(one, published) = *self;
        let of_tiles = |list: &[(u64, f64)]| Entries(list.to_vec());
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &one.tables.published, one.place)?;
        map.serialize_entry("moves_reaching", &of_tiles(&published.moves_reaching))?;
        map.serialize_entry("seconds_reaching", &of_tiles(&published.seconds_reaching))?;
        map.serialize_entry("seconds_per_move", &published.seconds_per_move)?;
        map.serialize_entry("reach", &of_tiles(&published.reach))?;
        map.serialize_entry("verdicts", &VerdictsJson(one.tested))?;
        map.end()
    }
}

/// The exact results of a strategy on a small board.
struct ExactJson<'a>(&'a ContestantJson<'a>, &'a Published, &'a [Tested]);

impl Serialize for ExactJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(one, exact, tested) = *self;
        let mut map = serializer.serialize_map(None)?;
        put(&mut map, &one.tables.exact, one.place)?;
        map.serialize_entry("reach", &Entries(exact.reach.clone()))?;
        map.serialize_entry("verdicts", &VerdictsJson(tested))?;
        map.end()
    }
}

/// Numbers of others next to the measured ones, by their quantity.
struct VerdictsJson<'a>(&'a [Tested]);

impl Serialize for VerdictsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let table = Table::of(
            &tested_columns("published", ""),
            self.0.iter().copied().map(Some),
        )
        .only(Formats::JSON);
        serializer.collect_map(
            self.0
                .iter()
                .enumerate()
                .map(|(row, one)| (one.what.key(), table.object(row))),
        )
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

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

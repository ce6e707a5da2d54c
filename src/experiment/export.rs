//! Results as bytes: JSON and CSV for programs, markdown for people.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::{EntryResult, Manifest, Reach, Results, StopRule, Summary};
use crate::files::{self, WriteError};
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{Comparison, Interval, Moments, Share, compare_means, compare_shares, wilson};
use crate::words;

impl EntryResult {
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
        Some(compare_means(summary.scores().moments()?, published))
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

/// The results as one JSON object, with the fields documented for `afterstate run --format json`.
///
/// # Errors
/// Never for finite numbers; kept because the writer can fail.
pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let entries: Vec<EntryJson<'_>> = results.entries.iter().map(EntryJson::of).collect();
    let Manifest { title, seed, stop_at, games, threads, .. } = &results.manifest;
    to_json(&RunJson { title, seed: *seed, stop_at: *stop_at, games: *games, threads: *threads, entries })
}

/// The manifest as one JSON object.
///
/// # Errors
/// Never for finite numbers; kept because the writer can fail.
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
    entries: Vec<EntryJson<'a>>,
}

#[derive(Serialize)]
struct EntryJson<'a> {
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

/// Difference and z; an exact difference has no size in standard errors.
fn numbers(comparison: Option<Comparison>) -> [Option<f64>; 2] {
    [comparison.map(|one| one.difference), comparison.map(|one| one.z).filter(|z| z.is_finite())]
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

impl<'a> EntryJson<'a> {
    fn of(entry: &'a EntryResult) -> Self {
        let EntryResult { strategy, published, summary, .. } = entry;
        let scores = summary.scores();
        let comparison = entry.comparison();
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
                reach: PublishedReachJson { published, compared: entry.reach_comparisons() },
            }),
        }
    }
}

/// One row per strategy, all statistics in columns; what does not exist is empty.
///
/// # Errors
/// Never in memory; kept because the writer can fail.
pub fn summary_csv(results: &Results) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let reached = Summary::reached_tiles();
    let fixed = [
        "name",
        "hash",
        "games",
        "mean",
        "sd",
        "se",
        "ci95_low",
        "ci95_high",
        "min",
        "lower_quartile",
        "median",
        "upper_quartile",
        "max",
        "moves_per_game",
        "seconds",
        "games_per_second",
        "published_mean",
        "published_sd",
        "published_median",
        "published_max",
        "published_moves",
        "published_games",
        "difference",
        "z",
        "verdict",
    ];
    let reach_columns = reached
        .iter()
        .flat_map(|tile| [format!("reach_{tile}"), format!("reach_{tile}_low"), format!("reach_{tile}_high")]);
    let published_columns =
        reached.iter().flat_map(|tile| [format!("published_reach_{tile}"), format!("verdict_{tile}")]);
    let reach_columns = reach_columns.chain(published_columns);
    writer.write_record(fixed.map(str::to_owned).into_iter().chain(reach_columns))?;
    for entry in &results.entries {
        let EntryResult { strategy, published, summary, .. } = entry;
        let scores = summary.scores();
        let quartiles = scores.quartiles();
        let ci95 = summary.ci95();
        let said = published.clone().unwrap_or_default();
        let comparison = entry.comparison();
        let [difference, z] = numbers(comparison);
        let mut row = vec![
            strategy.label(),
            strategy.hash().to_string(),
            summary.games().to_string(),
            cell(summary.mean()),
            cell(summary.std_dev()),
            cell(summary.std_error()),
            cell(ci95.map(|interval| interval.low)),
            cell(ci95.map(|interval| interval.high)),
            cell(scores.min()),
            cell(quartiles.map(|[lower, ..]| lower)),
            cell(summary.median()),
            cell(quartiles.map(|[.., upper]| upper)),
            cell(scores.max()),
            cell(summary.moves_per_game()),
            summary.worker_time().as_secs_f64().to_string(),
            cell(summary.games_per_second()),
            cell(said.mean),
            cell(said.sd),
            cell(said.median),
            cell(said.max),
            cell(said.moves),
            cell(said.games),
            cell(difference),
            cell(z),
            cell(comparison.map(|comparison| comparison.verdict)),
        ];
        let reach = summary.reach();
        for index in 0..reached.len() {
            let reach = reach.get(index);
            row.push(cell(reach.map(|reach| reach.share)));
            row.push(cell(reach.map(|reach| reach.ci95.low)));
            row.push(cell(reach.map(|reach| reach.ci95.high)));
        }
        let compared = entry.reach_comparisons();
        for &tile in &reached {
            row.push(cell(said.reach.iter().find(|(other, _)| *other == tile).map(|(_, share)| share)));
            row.push(cell(compared.iter().find(|one| one.tile == tile).map(|one| one.comparison.verdict)));
        }
        writer.write_record(row)?;
    }
    finished(writer)
}

/// One row per finished game: strategy, game, score, largest tile, moves.
///
/// # Errors
/// Never in memory; kept because the writer can fail.
pub fn games_csv(results: &Results) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_games_csv(results, &mut bytes)?;
    Ok(bytes)
}

/// Writes summary, games, results and manifest into a folder that exists, each file whole or not at all.
///
/// # Errors
/// A file cannot be written; those before it stay.
pub fn write_folder(folder: &Path, results: &Results) -> Result<(), WriteError> {
    let write = |name: &str, content: &dyn Fn(&mut dyn Write) -> io::Result<()>| {
        files::write_with(&folder.join(name), |file| content(file))
    };
    write("summary.csv", &|file| file.write_all(&summary_csv(results)?))?;
    write("games.csv", &|file| write_games_csv(results, file))?;
    write("results.json", &|file| file.write_all(&json(results)?))?;
    write("manifest.json", &|file| file.write_all(&manifest_json(&results.manifest)?))
}

/// Writes what [`games_csv`] gives: ten million games are 200 MB, too much to hold only for being written.
///
/// # Errors
/// `out` fails.
pub fn write_games_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["name", "game", "score", "largest", "moves"])?;
    for entry in &results.entries {
        let name = entry.strategy.label();
        for (index, game) in entry.games.iter() {
            writer.write_record([
                name.as_str(),
                &index.to_string(),
                &game.score.to_string(),
                &game.largest.tile().to_string(),
                &game.moves.to_string(),
            ])?;
        }
    }
    writer.flush()
}

fn finished(writer: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// What a published row says beside the mean, set against what was measured: a line per reach rate, and the moves.
pub fn published_lines(entry: &EntryResult) -> Vec<PublishedLine> {
    let percent = |share: f64| format!("{} %", words::decimals(100.0 * share, 1));
    let mut lines: Vec<PublishedLine> = entry
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
    let moves = entry.published.as_ref().and_then(|published| published.moves);
    if let Some((published, measured)) = moves.zip(entry.summary.moves_per_game()) {
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

/// A report to paste: tables with intervals, published numbers where there are any, and how to get it again.
pub fn markdown(results: &Results) -> String {
    let Manifest { title, seed, games, size, p4, stop_at, version, generator, started, stop_rule, .. } =
        &results.manifest;
    let mut text = String::new();
    if !title.is_empty() {
        // A heading ends with its line.
        text += &format!("## {}\n\n", title.replace('\n', " "));
    }
    let with_published =
        results.entries.iter().any(|entry| entry.published.as_ref().is_some_and(|published| published.mean.is_some()));
    text += "| strategy | games | mean | 95 % interval | sd | median | max | 2048 |";
    text += if with_published { " published | difference | z | |\n" } else { "\n" };
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";
    text += if with_published { " ---: | ---: | ---: | --- |\n" } else { "\n" };
    let number =
        |value: Option<f64>, places: usize| value.map_or("–".to_owned(), |value| format!("{value:.places$}"));
    let label = |entry: &EntryResult| entry.strategy.label().replace('|', "\\|").replace('\n', " ");
    for entry in &results.entries {
        let EntryResult { published, summary, .. } = entry;
        let ci95 = summary.ci95().map_or("–".to_owned(), |ci95| format!("{:.1} to {:.1}", ci95.low, ci95.high));
        let reached = summary.reach().iter().find(|reach| reach.tile == 2048).map(|reach| 100.0 * reach.share);
        text += &format!(
            "| {} | {} | {} | {ci95} | {} | {} | {} | {} % |",
            label(entry),
            summary.games(),
            number(summary.mean(), 2),
            number(summary.std_dev(), 2),
            number(summary.median(), 0),
            cell(summary.scores().max()),
            number(reached, 2),
        );
        if with_published {
            let published = number(published.as_ref().and_then(|published| published.mean), 2);
            let comparison = entry.comparison();
            text += &format!(
                " {published} | {} | {} | {} |",
                number(comparison.map(|comparison| comparison.difference), 2),
                comparison.as_ref().map_or("–".to_owned(), z_text),
                cell(comparison.map(|comparison| comparison.verdict)),
            );
        }
        text.push('\n');
    }
    let lines: Vec<(String, PublishedLine)> = results
        .entries
        .iter()
        .flat_map(|entry| published_lines(entry).into_iter().map(move |line| (label(entry), line)))
        .collect();
    if !lines.is_empty() {
        text += "\n| strategy | | published | measured | 95 % interval | difference | z | |\n";
        text += "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n";
    }
    for (label, PublishedLine { what, published, measured, ci95, difference, z, verdict }) in lines {
        text += &format!("| {label} | {what} | {published} | {measured} | {ci95} | {difference} | {z} | {verdict} |\n");
    }
    if let Some(sentence) = lent_sentence(results) {
        text += &format!("\n{sentence}\n");
    }
    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    text += &format!(
        "\n{games} games of each strategy on {size}{stop_at}, p4 {p4}, seed {seed}; afterstate {version}, {generator}; {started}"
    );
    match stop_rule {
        StopRule::AllGames => {}
        early => text += &format!("; {early}"),
    }
    text.push('\n');
    text
}

/// What was assumed where a published mean has no standard deviation; `None` where nothing was.
pub fn lent_sentence(results: &Results) -> Option<&'static str> {
    let is_lent = |entry: &EntryResult| entry.comparison().is_some_and(|comparison| comparison.lent_std_dev.is_some());
    results
        .entries
        .iter()
        .any(is_lent)
        .then_some("where no standard deviation is published, the measured one is taken for it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::{Preset, Published};

    fn results() -> Results {
        let mut preset = Preset::new("A | title", ["r".parse().expect("letters"), "emr".parse().expect("letters")]);
        preset.games = 50;
        preset.strategies[1].strategy.name = "with \"quotes\", commas".to_owned();
        preset.strategies[0].published = Some(Published {
            mean: Some(1093.87),
            sd: Some(539.75),
            median: Some(1058.0),
            max: Some(4348),
            reach: vec![(128, 0.5), (2048, 0.0)],
            moves: Some(118.4),
            games: Some(1000),
            source: "Composition, Table 1".to_owned(),
        });
        let run = Run::start(Plan { threads: Some(1), ..Plan::of_preset(&preset) }, || {}).expect("a sound plan");
        run.wait();
        run.results()
    }

    #[test]
    fn json_has_the_documented_fields() {
        let json: serde_json::Value = serde_json::from_slice(&json(&results()).expect("bytes")).expect("JSON");
        assert_eq!((json["seed"].as_u64(), json["games"].as_u64()), (Some(1), Some(50)));
        let entry = &json["entries"][0];
        for field in
            ["name", "strategy", "games", "mean", "sd", "se", "median", "min", "max", "moves_per_game", "seconds"]
        {
            assert!(!entry[field].is_null(), "{field}");
        }
        assert!(entry["ci95"][0].as_f64() < entry["mean"].as_f64());
        assert!(entry["reach"]["2048"]["ci95"][1].as_f64() > Some(0.0));
        assert_eq!(entry["published"]["mean"], 1093.87);
        let reach = &entry["published"]["reach"]["2048"];
        assert_eq!((&reach["share"], &reach["z"], &reach["verdict"]), (&0.0.into(), &0.0.into(), &"agrees".into()));
        assert_eq!(entry["published"]["moves"], 118.4);
        assert!(entry["published"]["assumed_sd"].is_null() && json["stop_at"].is_null());
        assert!(json["entries"][1]["published"].is_null());
    }

    #[test]
    fn tables_have_a_row_for_everything() {
        let results = results();
        let games = games_csv(&results).expect("bytes");
        assert_eq!(csv::Reader::from_reader(&games[..]).records().count(), 100);
        let summary = summary_csv(&results).expect("bytes");
        let rows: Vec<csv::StringRecord> =
            csv::Reader::from_reader(&summary[..]).records().collect::<Result<_, _>>().expect("CSV");
        let header = csv::Reader::from_reader(&summary[..]).headers().expect("a header").clone();
        let place = |name: &str| header.iter().position(|column| column == name).expect(name);
        assert_eq!(rows[0].get(place("published_reach_128")), Some("0.5"));
        assert_eq!(rows[0].get(place("verdict_2048")), Some("agrees"));
        assert_eq!(rows[1].get(place("published_mean")), Some(""));
        assert_eq!(rows[1].get(0), Some("with \"quotes\", commas"));
        let report = markdown(&results);
        assert_eq!(report.lines().filter(|line| line.starts_with('|')).count(), 4 + 5, "{report}");
        assert!(
            report.contains("| r | reached 2048 | 0.0 % | 0.0 % | 0.0 to 7.1 % | 0.0 % | 0.0 | agrees |"),
            "{report}"
        );
        assert!(report.contains("| r | moves/game | 118.4 |"), "{report}");
        assert!(manifest_json(&results.manifest).is_ok());
    }
}

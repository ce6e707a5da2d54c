//! Results as bytes: JSON and CSV for programs, markdown for people.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

use super::{EntryResult, Manifest, Reach, Results, StopRule, Summary};
use crate::files::{self, WriteError};
use crate::preset::Published;
use crate::stats::{Comparison, Interval, Moments, compare_means};

impl EntryResult {
    /// The measured mean beside the published one; `None` without a published row or without games.
    ///
    /// A published row that does not say how many games it rests on counts as exact.
    pub fn comparison(&self) -> Option<Comparison> {
        self.published.as_ref()?.compare(&self.summary)
    }
}

impl Published {
    /// The mean of `summary` beside the published one; `None` without games.
    pub fn compare(&self, summary: &Summary) -> Option<Comparison> {
        let published = Moments {
            count: self.games.unwrap_or(0),
            mean: self.mean,
            std_dev: self.sd.filter(|_| self.games.is_some()),
        };
        Some(compare_means(summary.scores().moments()?, published))
    }
}

/// The results as one JSON object, with the fields documented for `afterstate run --format json`.
///
/// # Errors
/// Never for finite numbers; kept because the writer can fail.
pub fn json(results: &Results) -> io::Result<Vec<u8>> {
    let entries: Vec<EntryJson<'_>> = results.entries.iter().map(EntryJson::of).collect();
    let Manifest { title, seed, games, threads, .. } = &results.manifest;
    to_json(&RunJson { title, seed: *seed, games: *games, threads: *threads, entries })
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
    mean: f64,
    sd: Option<f64>,
    median: Option<f64>,
    max: Option<u32>,
    games: Option<u64>,
    source: &'a str,
    /// Measured − published.
    difference: Option<f64>,
    /// The difference in standard errors.
    z: Option<f64>,
    verdict: Option<&'static str>,
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
                games: published.games,
                source: &published.source,
                difference: comparison.map(|comparison| comparison.difference),
                // An exact difference has no size in standard errors.
                z: comparison.map(|comparison| comparison.z).filter(|z| z.is_finite()),
                verdict: comparison.map(|comparison| comparison.verdict.name()),
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
        "verdict",
    ];
    let reach_columns = reached
        .iter()
        .flat_map(|tile| [format!("reach_{tile}"), format!("reach_{tile}_low"), format!("reach_{tile}_high")]);
    writer.write_record(fixed.map(str::to_owned).into_iter().chain(reach_columns))?;
    for entry in &results.entries {
        let EntryResult { strategy, published, summary, .. } = entry;
        let scores = summary.scores();
        let quartiles = scores.quartiles();
        let ci95 = summary.ci95();
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
            cell(published.as_ref().map(|published| published.mean)),
            cell(entry.comparison().map(|comparison| comparison.verdict)),
        ];
        let reach = summary.reach();
        for index in 0..reached.len() {
            let reach = reach.get(index);
            row.push(cell(reach.map(|reach| reach.share)));
            row.push(cell(reach.map(|reach| reach.ci95.low)));
            row.push(cell(reach.map(|reach| reach.ci95.high)));
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

/// A report to paste: a table with intervals, published numbers where there are any, and how to get it again.
pub fn markdown(results: &Results) -> String {
    let Manifest { title, seed, games, size, p4, version, generator, started, stop_rule, .. } = &results.manifest;
    let mut text = String::new();
    if !title.is_empty() {
        // A heading ends with its line.
        text += &format!("## {}\n\n", title.replace('\n', " "));
    }
    let with_published = results.entries.iter().any(|entry| entry.published.is_some());
    text += "| strategy | games | mean | 95 % interval | sd | median | max | 2048 |";
    text += if with_published { " published | |\n" } else { "\n" };
    text += "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |";
    text += if with_published { " ---: | --- |\n" } else { "\n" };
    for entry in &results.entries {
        let EntryResult { strategy, published, summary, .. } = entry;
        let number =
            |value: Option<f64>, places: usize| value.map_or("–".to_owned(), |value| format!("{value:.places$}"));
        let ci95 = summary.ci95().map_or("–".to_owned(), |ci95| format!("{:.1} to {:.1}", ci95.low, ci95.high));
        let reached = summary.reach().iter().find(|reach| reach.tile == 2048).map(|reach| 100.0 * reach.share);
        text += &format!(
            "| {} | {} | {} | {ci95} | {} | {} | {} | {} % |",
            strategy.label().replace('|', "\\|").replace('\n', " "),
            summary.games(),
            number(summary.mean(), 2),
            number(summary.std_dev(), 2),
            number(summary.median(), 0),
            cell(summary.scores().max()),
            number(reached, 2),
        );
        if with_published {
            let published = number(published.as_ref().map(|published| published.mean), 2);
            text += &format!(" {published} | {} |", cell(entry.comparison().map(|comparison| comparison.verdict)));
        }
        text.push('\n');
    }
    text += &format!(
        "\n{games} games of each strategy on {size}, p4 {p4}, seed {seed}; afterstate {version}, {generator}; {started}"
    );
    match stop_rule {
        StopRule::AllGames => {}
        early => text += &format!("; {early}"),
    }
    text.push('\n');
    text
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
            mean: 1093.87,
            sd: Some(539.75),
            median: Some(1058.0),
            max: Some(4348),
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
        assert_eq!(rows[1].get(0), Some("with \"quotes\", commas"));
        assert_eq!(markdown(&results).lines().filter(|line| line.starts_with('|')).count(), 4);
        assert!(manifest_json(&results.manifest).is_ok());
    }
}

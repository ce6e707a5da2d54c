//! Exports results: JSON and CSV for programs, Markdown for people.
//!
//! To add a format: a variant of [`ResultsFormat`] with its names, the results of one run, in a file here, and tables,
//! in `table/render.rs`. `run`, `summary` and the window offer formats that they name.

mod beside;
mod csv;
mod json;
mod latex;
mod markdown;

use std::io::{self, Write};
use std::path::Path;

use strum::EnumIter;

pub use beside::Beside;
pub use csv::games_csv;
use csv::{columns_csv, summary_csv};
use json::json;
pub use json::manifest_json;
pub(super) use json::to_json;
use latex::{PACKAGES, latex};
use markdown::{markdown, tabbed};

use super::{ContestantResult, Results};
use crate::files::{self, WriteError, in_memory};
use crate::table::{Formats, Table};

/// The format of printed and copied results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum ResultsFormat {
    Json,
    Csv,
    Tabs,
    Markdown,
    Latex,
}

impl ResultsFormat {
    /// Its name on the command line with its help; `None` if the command line does not print it.
    pub const fn printed(self) -> Option<(&'static str, Option<&'static str>)> {
        match self {
            Self::Json => Some(("json", None)),
            Self::Csv => Some(("csv", None)),
            Self::Tabs => None,
            Self::Markdown => Some(("markdown", None)),
            Self::Latex => Some(("latex", Some("For a paper, with booktabs and siunitx"))),
        }
    }

    /// Text and tooltip of the command that copies it; `None` if the window does not copy it.
    pub const fn copied(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Json | Self::Csv => None,
            Self::Tabs => Some((
                "Copy results as text",
                "Copy the table with tabs between its cells, for a spreadsheet",
            )),
            Self::Markdown => Some((
                "Copy results as Markdown",
                "The table, and how to reproduce it",
            )),
            Self::Latex => Some((
                "Copy results as LaTeX",
                "Copy the table for a paper, with booktabs and siunitx",
            )),
        }
    }

    pub fn write(self, results: &Results) -> String {
        match self {
            Self::Json => in_memory(|bytes| bytes.write_all(&json(results)?)),
            Self::Csv => summary_csv(results),
            Self::Tabs => tabbed(results),
            Self::Markdown => markdown(results),
            Self::Latex => latex(results),
        }
    }

    pub fn write_beside(self, runs: &Beside) -> String {
        self.write_table(runs.table())
    }

    /// Decisions and nodes by the number of empty cells.
    pub fn write_by_empty(self, results: &Results) -> String {
        self.write_table(results.by_empty_table())
    }

    fn write_table(self, table: Table) -> String {
        match self {
            Self::Json => in_memory(|bytes| bytes.write_all(&to_json(&table.only(Formats::JSON))?)),
            Self::Csv => table.only(Formats::CSV).csv(),
            Self::Tabs => table.only(Formats::REPORT).tabbed(),
            Self::Markdown => table.only(Formats::REPORT).markdown(),
            Self::Latex => format!("{PACKAGES}{}", table.only(Formats::PAPER).latex()),
        }
    }
}

/// A file of results: its name, and the function that writes it.
pub type ResultsFile = (&'static str, fn(&Results, &mut dyn Write) -> io::Result<()>);

/// The tables in the folder of a run, in addition to its own files.
const TABLES: [ResultsFile; 4] = [
    ("summary.csv", |results, file| {
        file.write_all(summary_csv(results).as_bytes())
    }),
    ("columns.csv", |results, file| {
        file.write_all(columns_csv(results).as_bytes())
    }),
    ("games.csv", games_csv),
    ("results.json", |results, file| {
        file.write_all(&json(results)?)
    }),
];

/// The other files of an exported results folder: a summary for people, and a manifest like that of a run folder.
const REST: [ResultsFile; 2] = [
    ("summary.md", |results, file| {
        file.write_all(markdown(results).as_bytes())
    }),
    ("manifest.json", |results, file| {
        file.write_all(&manifest_json(&results.manifest)?)
    }),
];

/// All files of a results folder, from which [`read_folder`](super::read_folder) reads the experiment and its games.
pub fn results_files() -> impl Iterator<Item = ResultsFile> {
    TABLES.into_iter().chain(REST)
}

/// The approximate size of [`results_files`] in bytes, more often too high than too low.
pub fn results_bytes(results: &Results) -> u64 {
    // The parts that every folder has: the dictionary of the columns, and how the run went.
    const OF_RUN: u64 = 16 << 10;
    // Its numbers with all their digits: for each tile a share, a difference and a published number, in JSON and CSV.
    const NUMBERS: u64 = 12 << 10;
    // Its text is in the JSON, in the manifest and, as a name, in the tables.
    let bytes = |one: &ContestantResult| NUMBERS + 3 * one.strategy.to_string().len() as u64;
    OF_RUN + csv::games_csv_bytes(results) + results.contestants.iter().map(bytes).sum::<u64>()
}

/// Writes the tables into the folder of a run, each completely or not at all.
pub fn write_tables(folder: &Path, results: &Results) -> Result<(), WriteError> {
    TABLES.iter().try_for_each(|(name, content)| {
        files::write_with(&folder.join(name), |file| content(results, file))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Plan, Run};
    use crate::preset::{Preset, Published};

    fn results() -> Results {
        let mut preset = Preset::new(
            "A | title",
            [
                "r".parse().expect("letters"),
                "emr".parse().expect("letters"),
            ],
        );
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
            moves_reaching: vec![(128, 150.0)],
            seconds_reaching: vec![(128, 9.5)],
            seconds_per_move: Some(0.25),
            reading: "two letters are read anew".to_owned(),
        });

        let run = Run::start(
            Plan {
                threads: Some(1),
                ..Plan::of_preset(&preset)
            },
            || {},
        )
        .expect("a sound plan");
        run.wait();
        run.results()
    }

    #[test]
    fn json_has_the_documented_fields() {
        let json: serde_json::Value =
            serde_json::from_slice(&json(&results()).expect("bytes")).expect("JSON");
        assert_eq!(
            (json["seed"].as_str(), json["games"].as_u64()),
            (Some("1"), Some(50))
        );
        let entry = &json["entries"][0];
        for field in [
            "name",
            "strategy",
            "games",
            "mean",
            "sd",
            "se",
            "median",
            "min",
            "max",
            "moves_per_game",
            "seconds",
        ] {
            assert!(!entry[field].is_null(), "{field}");
        }
        assert!(entry["ci95"][0].as_f64() < entry["mean"].as_f64());
        assert!(entry["reach"]["2048"]["ci95"][1].as_f64() > Some(0.0));
        assert_eq!(entry["published"]["mean"], 1093.87);
        assert_eq!(
            (&entry["published"]["reach"]["2048"], &entry["ci95_kind"]),
            (&0.0.into(), &"planned".into())
        );

        let verdict = &entry["published"]["verdicts"]["reach_2048"];
        assert_eq!(
            (
                &verdict["difference"],
                &verdict["p_holm"],
                &verdict["verdict"]
            ),
            (&0.0.into(), &1.0.into(), &"compatible".into())
        );

        let mean = &entry["published"]["verdicts"]["mean"];
        assert!(
            mean["ci95"][0].as_f64() < mean["difference"].as_f64()
                && mean["reason"] == "50 games are too few"
        );
        assert!(entry["published"]["verdicts"]["max"]["ci95"][1].is_null() && json["tests"] == 6);
        assert_eq!(entry["published"]["moves"], 118.4);
        assert!(json["stop_at"].is_null());
        assert!(json["entries"][1]["published"].is_null());
    }

    #[test]
    fn tables_have_a_row_for_everything() {
        let results = results();
        let mut games = Vec::new();
        games_csv(&results, &mut games).expect("bytes");
        assert_eq!(
            ::csv::Reader::from_reader(&games[..]).records().count(),
            100
        );

        let summary = summary_csv(&results);
        let rows: Vec<::csv::StringRecord> = ::csv::Reader::from_reader(summary.as_bytes())
            .records()
            .collect::<Result<_, _>>()
            .expect("CSV");
        let header = ::csv::Reader::from_reader(summary.as_bytes())
            .headers()
            .expect("a header")
            .clone();
        let place = |name: &str| header.iter().position(|column| column == name).expect(name);
        assert_eq!(rows[0].get(place("published_reach_128")), Some("0.5"));
        assert_eq!(rows[0].get(place("verdict_reach_2048")), Some("compatible"));
        assert_eq!(
            rows[0].get(place("verdict_mean")),
            Some("cannot tell: 50 games are too few")
        );
        assert_eq!(
            (
                rows[0].get(place("ci95_kind")),
                rows[0].get(place("difference_high_max"))
            ),
            (Some("planned"), Some(""))
        );
        assert_eq!(rows[1].get(place("published_mean")), Some(""));
        assert_eq!(rows[1].get(0), Some("with \"quotes\", commas"));

        let compared =
            |row: usize, name: &str| rows[row].get(place(name)).unwrap_or_default().to_owned();
        assert_eq!(
            ["rank_best", "rank_worst", "ranks", "class", "baseline"].map(|name| compared(1, name)),
            ["1", "1", "2", "a", "r"]
        );
        assert_eq!(
            (
                compared(1, "against_games").as_str(),
                compared(0, "against_difference").as_str()
            ),
            ("50", "")
        );

        let report = markdown(&results);
        assert!(
            report.contains("| r | 2 of 2 | b | baseline | – |")
                && report.contains("paired differences of 50 games")
        );
        assert_eq!(
            report.lines().filter(|line| line.starts_with('|')).count(),
            4 + 4 + 12,
            "{report}"
        );
        assert!(
            report.contains(
                "| r | reached 2048 | 0.0 % | 0.0 % | 0.0 % | −0.4 to 7.1 % | compatible |"
            ),
            "{report}"
        );
        assert!(report.contains("| r | moves/game | 118.4 |"), "{report}");
        assert!(report.contains("\nr: two letters are read anew\n"));
        assert!(manifest_json(&results.manifest).is_ok());
    }

    #[test]
    fn the_room_that_results_need_is_known_before_they_are_written() {
        let some = results();
        let mut preset = Preset::new("", (0..40).map(|_| "er".parse().expect("letters")));
        preset.games = 3000;
        let run = Run::start(
            Plan {
                threads: Some(1),
                ..Plan::of_preset(&preset)
            },
            || {},
        )
        .expect("a sound plan");
        run.wait();
        for results in [some, run.results()] {
            let mut bytes = Vec::new();
            results_files().for_each(|(_, content)| content(&results, &mut bytes).expect("bytes"));
            let (written, estimated) = (bytes.len() as u64, results_bytes(&results));
            assert!(
                written <= estimated && estimated < 4 * written,
                "{written} {estimated}"
            );
        }
    }

    #[test]
    fn every_column_of_the_summary_is_in_the_dictionary() {
        let results = results();
        let summary = summary_csv(&results);
        let header = ::csv::Reader::from_reader(summary.as_bytes())
            .headers()
            .expect("a header")
            .clone();
        let columns = columns_csv(&results);
        let rows: Vec<::csv::StringRecord> = ::csv::Reader::from_reader(columns.as_bytes())
            .records()
            .collect::<Result<_, _>>()
            .expect("CSV");
        assert!(rows.iter().map(|row| &row[0]).eq(header.iter()));
        assert!(rows.iter().all(|row| 8 < row[1].len()), "{rows:?}");
    }

    #[test]
    fn names_are_safe_in_latex_and_in_spreadsheets() {
        let mut results = results();
        results.contestants[0].strategy.name = "50 % & {_x}".to_owned();
        results.contestants[1].strategy.name = "=1+1".to_owned();
        let tex = latex(&results);
        assert!(
            tex.contains(r"50 \% \& \{\_x\} & 50 & ") && tex.contains(r"{lSSSSSSSSSSSSS}"),
            "{tex}"
        );
        let cells = |line: &str| line.matches(" & ").count();
        assert!(
            tex.lines()
                .filter(|line| line.ends_with(r"\\"))
                .all(|line| cells(&line.replace(r"\&", "")) == 13),
            "{tex}"
        );
        assert!(
            tex.contains("& {baseline} & {--} & {--} "),
            "the baseline has no difference: {tex}"
        );
        let text = tabbed(&results);
        assert!(text.contains("\n'=1+1\t50\t"), "{text}");
        let report = markdown(&results);
        assert!(
            report.contains(r"| 50 % \& {\_x} | 50 |") && report.contains("| =1+1 | 50 |"),
            "{report}"
        );

        // Compared with the second strategy, the first row has a difference.
        assert!(latex(&results.with_baseline(1)).contains("differences are relative to =1+1"));
    }

    #[test]
    fn names_of_others_are_text_in_a_report() {
        let mut results = results();
        let hostile = "<script>alert(1)</script>\n\n# [x](javascript:alert(1)) `a` | ![i](u)";
        results.manifest.title = hostile.to_owned();
        results.contestants[0].strategy.name = hostile.to_owned();
        if let Some(published) = &mut results.contestants[0].published {
            published.reading = hostile.to_owned();
        }
        let safe =
            r"\<script\>alert(1)\</script\>  \# \[x\](javascript:alert(1)) \`a\` \| !\[i\](u)";
        let beside = Beside(vec![(hostile.to_owned(), results.clone())]);
        let beside = ResultsFormat::Markdown.write_beside(&beside);
        for report in [
            markdown(&results),
            markdown(&results.clone().with_baseline(0)),
            beside,
        ] {
            assert!(report.contains(safe), "{report}");
            assert_eq!(
                report.matches("<script").count(),
                report.matches(r"\<script").count(),
                "{report}"
            );
            assert_eq!(
                report.matches("](").count(),
                report.matches(r"\](").count(),
                "{report}"
            );
            assert_eq!(
                report.lines().filter(|line| line.starts_with('#')).count(),
                report.matches("## ").count()
            );
        }

        let tex = latex(&results);
        assert!(
            tex.contains(r"\textless{}script\textgreater{}") && tex.contains(r"{[}x{]}(javascript"),
            "{tex}"
        );
    }

    #[test]
    fn a_stopped_run_says_what_its_intervals_promise() {
        let whole = results();
        let mut stopped = whole.clone();
        stopped.manifest.games = 80;
        stopped.manifest.end_reason = crate::experiment::EndReason::Stopped { games: 100 };
        let half = |results: &Results| {
            let json: serde_json::Value =
                serde_json::from_slice(&json(results).expect("bytes")).expect("JSON");
            let entry = &json["entries"][0];
            let ends = [0, 1].map(|end| entry["ci95"][end].as_f64().expect("an end"));
            let reach = entry["reach"]["128"]["ci95"][0].as_f64().expect("an end");
            (
                entry["ci95_kind"].as_str().expect("a kind").to_owned(),
                (ends[1] - ends[0]) / 2.0,
                reach,
            )
        };
        let ((planned, t, wilson), (anytime, sequence, exact)) = (half(&whole), half(&stopped));
        assert_eq!((planned.as_str(), anytime.as_str()), ("planned", "anytime"));
        assert!(
            1.5 * t < sequence && exact < wilson,
            "{t} {sequence} {wilson} {exact}"
        );
        assert!(
            markdown(&stopped).contains("95 % intervals are valid at any time")
                && !markdown(&whole).contains("any time")
        );

        assert!(summary_csv(&stopped).contains(",anytime,"));
    }
}

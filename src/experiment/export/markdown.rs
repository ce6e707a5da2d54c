//! A Markdown report to paste.

use std::io;

use super::cell;
use crate::experiment::{Comparisons, ContestantResult, EndReason, ExactRows, Manifest, Results, Verdicts};
use crate::files::CsvRows;
use crate::game::Rank;
use crate::solve::Goal;
use crate::stats::Planned;
use crate::words::escape::{self, markdown_table};

/// A column: its title, whether it has numbers, and its value.
pub(super) type ReportColumn = (&'static str, bool, fn(&ContestantResult, Planned) -> String);

/// The measured columns before the reach rate of the [shown tile](Results::shown_tiles).
pub(super) const MEASURED: [ReportColumn; 9] = [
    ("strategy", false, |result, _| result.strategy.label()),
    ("games", true, |result, _| result.summary.games().to_string()),
    ("mean", true, |result, _| number(result.summary.scores.mean(), 2)),
    ("95 % interval", true, |result, planned| {
        planned
            .mean_interval(&result.summary.scores)
            .map_or("–".to_owned(), |ci95| format!("{:.1} to {:.1}", ci95.low, ci95.high))
    }),
    ("sd", true, |result, _| number(result.summary.scores.std_dev(), 2)),
    ("Q1", true, |result, _| number(result.summary.scores.quartiles().map(|[lower, ..]| lower), 0)),
    ("median", true, |result, _| number(result.summary.scores.median(), 0)),
    ("Q3", true, |result, _| number(result.summary.scores.quartiles().map(|[.., upper]| upper), 0)),
    ("max", true, |result, _| cell(result.summary.scores.max())),
];

/// The share of the games that reached a tile: `91.20 %`.
pub(super) fn reached(result: &ContestantResult, tile: u64) -> String {
    let games = result.summary.games();
    let reached = Rank::of_tile(tile).filter(|_| games != 0).map(|rank| result.summary.reached(rank) as f64);
    format!("{} %", number(reached.map(|reached| 100.0 * reached / games as f64), 2))
}

fn number(value: Option<f64>, places: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
}

/// Tables with intervals, published numbers if there are any, and how to repeat the run.
pub fn markdown(results: &Results) -> String {
    let Manifest { title, seed, size, stop_at, version, generator, started, end_reason, .. } = &results.manifest;
    let fours = results.manifest.fours_text();
    let games = results.manifest.games_text();
    let mut text = String::new();
    if !title.is_empty() {
        text += &format!("## {}\n\n", escape::markdown(title));
    }

    let [_, tile] = results.shown_tiles();
    let rows = results.contestants.iter().map(|result| {
        let measured = MEASURED.iter().map(|(.., of)| of(result, results.planned()));
        measured.chain([reached(result, tile)]).collect::<Vec<_>>()
    });
    let titles = MEASURED.iter().map(|(title, ..)| (*title).to_owned()).chain([tile.to_string()]);
    text += &markdown_table(titles, |column| MEASURED.get(column).is_none_or(|of| of.1), rows);
    text += &compared_table(results);
    text += &published_table(results);
    text += &exact_table(results);
    if let Some(kinds) = results.interval_sentence() {
        text += &format!("\n{kinds}\n");
    }

    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    let mut how =
        format!("{games} on {size}{stop_at}, {fours}, seed {seed}; afterstate {version}, {generator}; {started}");
    match end_reason {
        EndReason::AllGames => {}
        early => how += &format!("; {early}"),
    }
    if let Some(caution) = end_reason.caution() {
        how += &format!("; {caution}");
    }
    text + &format!("\n{}\n", escape::markdown(&how))
}

/// The same numbers separated by tabs, for a spreadsheet or a text: all strategies, and each compared with the
/// baseline.
pub fn tabbed(results: &Results) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut rows = CsvRows::tabbed(&mut bytes);
    let comparisons = results.comparisons();
    let compared = comparisons.map(Comparisons::titles);
    let [_, tile] = results.shown_tiles();
    let titles = MEASURED.iter().map(|(title, ..)| (*title).to_owned()).chain([tile.to_string()]);
    rows.row(titles.chain(compared.into_iter().flatten()))?;

    for (place, result) in results.contestants.iter().enumerate() {
        let name = std::iter::once(result.strategy.label());
        let measured = MEASURED.iter().skip(1).map(|(.., of)| of(result, results.planned()));
        let measured = measured.chain([reached(result, tile)]);
        rows.row(name.chain(measured).chain(comparisons.into_iter().flat_map(|all| all.cells(place))))?;
    }
    rows.flush()?;
    drop(rows);
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Each strategy compared with the baseline, and an explanation of the numbers. Empty with one strategy.
fn compared_table(results: &Results) -> String {
    let Some(comparisons) = results.comparisons() else { return String::new() };
    let titles = ["strategy".to_owned()].into_iter().chain(comparisons.titles());
    let cells = |(place, result): (usize, &ContestantResult)| {
        [result.strategy.label()].into_iter().chain(comparisons.cells(place)).collect::<Vec<_>>()
    };
    let table = markdown_table(titles, |column| column != 0, results.contestants.iter().enumerate().map(cells));
    format!("\n{table}\n{}\n", escape::markdown(&comparisons.sentences().join("; ")))
}

/// A line for each exactly known number, and the value of best play. Empty if nothing is known.
fn exact_table(results: &Results) -> String {
    let (known, verdicts) = (results.exact(), results.exact_verdicts());
    let mut text = String::new();
    if let Some(legend) = ExactRows::legend(&verdicts) {
        let titles = ["strategy"].into_iter().chain(ExactRows::TITLES);
        text += &format!("\n{}\n{legend}\n", verdicts_table(titles, results, &verdicts));
    }
    if let Some(best) = &known.best {
        text += &match best.goal {
            Goal::Score => format!("\nbest play is worth exactly {:.2} points\n", best.value),
            Goal::Reach(rank) => {
                format!("\nbest play reaches {rank} in exactly {:.3} % of games\n", 100.0 * best.value)
            }
        };
    }
    text
}

fn verdicts_table<'a>(titles: impl Iterator<Item = &'a str>, results: &Results, verdicts: &Verdicts) -> String {
    let rows = results.contestants.iter().zip(&verdicts.rows).flat_map(|(result, tested)| {
        tested.iter().map(|one| [result.strategy.label()].into_iter().chain(one.cells()).collect::<Vec<_>>())
    });
    markdown_table(titles, |column| (2..=5).contains(&column), rows)
}

/// A line for each published number, and an explanation of the verdicts. Empty without published numbers.
fn published_table(results: &Results) -> String {
    let verdicts = results.verdicts();
    let Some(legend) = verdicts.legend() else { return String::new() };
    let table = verdicts_table(["strategy"].into_iter().chain(Verdicts::TITLES), results, &verdicts);
    let readings: String =
        results.readings().iter().map(|reading| format!("\n{}\n", escape::markdown(reading))).collect();
    format!("\n{table}\n{legend}\n{readings}")
}

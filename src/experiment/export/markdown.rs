//! A report to paste.

use std::io;

use super::cell;
use crate::experiment::{Comparisons, ContestantResult, EndReason, Manifest, Results, Verdicts};
use crate::files::CsvRows;
use crate::stats::Planned;
use crate::words;

/// A column: its title, the dashes below that align it, and what stands in it.
pub(super) type ReportColumn = (&'static str, &'static str, fn(&ContestantResult, Planned) -> String);

pub(super) const MEASURED: [ReportColumn; 10] = [
    ("strategy", "---", label),
    ("games", "---:", |result, _| result.summary.games().to_string()),
    ("mean", "---:", |result, _| number(result.summary.scores.mean(), 2)),
    ("95 % interval", "---:", |result, planned| {
        planned
            .mean_interval(&result.summary.scores)
            .map_or("–".to_owned(), |ci95| format!("{:.1} to {:.1}", ci95.low, ci95.high))
    }),
    ("sd", "---:", |result, _| number(result.summary.scores.std_dev(), 2)),
    ("Q1", "---:", |result, _| number(result.summary.scores.quartiles().map(|[lower, ..]| lower), 0)),
    ("median", "---:", |result, _| number(result.summary.scores.median(), 0)),
    ("Q3", "---:", |result, _| number(result.summary.scores.quartiles().map(|[.., upper]| upper), 0)),
    ("max", "---:", |result, _| cell(result.summary.scores.max())),
    ("2048", "---:", |result, planned| {
        let reached =
            result.summary.reach(planned).iter().find(|reach| reach.tile == 2048).map(|reach| 100.0 * reach.share);
        format!("{} %", number(reached, 2))
    }),
];

fn number(value: Option<f64>, places: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
}

fn label(result: &ContestantResult, _: Planned) -> String {
    result.strategy.label().replace('|', "\\|")
}

pub(super) fn line<S: std::fmt::Display>(cells: impl IntoIterator<Item = S>) -> String {
    cells.into_iter().fold("|".to_owned(), |line, cell| format!("{line} {cell} |")) + "\n"
}

/// The line of titles; a column without one is a single blank.
pub(super) fn title_line<'a>(titles: impl IntoIterator<Item = &'a str>) -> String {
    line(titles).replace("|  |", "| |")
}

/// Tables with intervals, published numbers where there are any, and how to get it again.
pub fn markdown(results: &Results) -> String {
    let Manifest { title, seed, size, stop_at, version, generator, started, end_reason, .. } = &results.manifest;
    let p4 = results.manifest.p4_text();
    let games = results.manifest.games_text();
    let mut text = String::new();
    if !title.is_empty() {
        // A heading ends with its line.
        text += &format!("## {}\n\n", words::one_line(title));
    }
    text += &title_line(MEASURED.iter().map(|(title, ..)| *title));
    text += &line(MEASURED.iter().map(|(_, dashes, _)| dashes));
    for result in &results.contestants {
        text += &line(MEASURED.iter().map(|(.., of)| of(result, results.planned())));
    }
    text += &compared_table(results);
    text += &published_table(results);
    if let Some(kinds) = results.interval_sentence() {
        text += &format!("\n{kinds}\n");
    }
    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    text +=
        &format!("\n{games} on {size}{stop_at}, p4 {p4}, seed {seed}; afterstate {version}, {generator}; {started}");
    match end_reason {
        EndReason::AllGames => {}
        early => text += &format!("; {early}"),
    }
    if let Some(caution) = end_reason.caution() {
        text += &format!("; {caution}");
    }
    text.push('\n');
    text
}

/// The same numbers with tabs between them, for a spreadsheet or a text: all strategies, and each beside the baseline.
pub fn tabbed(results: &Results) -> io::Result<String> {
    let mut bytes = Vec::new();
    let mut rows = CsvRows::tabbed(&mut bytes);
    let comparisons = results.comparisons();
    let compared = comparisons.map(Comparisons::titles);
    let titles = MEASURED.iter().map(|(title, ..)| (*title).to_owned());
    rows.row(titles.chain(compared.into_iter().flatten()))?;
    for (place, result) in results.contestants.iter().enumerate() {
        let name = std::iter::once(result.strategy.label());
        let measured = MEASURED.iter().skip(1).map(|(.., of)| of(result, results.planned()));
        rows.row(name.chain(measured).chain(comparisons.into_iter().flat_map(|all| all.cells(place))))?;
    }
    rows.flush()?;
    drop(rows);
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// Each strategy beside the baseline, and what the numbers mean; empty where there is one alone.
fn compared_table(results: &Results) -> String {
    let Some(comparisons) = results.comparisons() else { return String::new() };
    let titles = comparisons.titles().map(|title| title.replace('|', "\\|"));
    let mut text = title_line(["strategy"].into_iter().chain(titles.iter().map(String::as_str)));
    text += &line(["---"].into_iter().chain(titles.iter().map(|_| "---:")));
    for (place, result) in results.contestants.iter().enumerate() {
        text += &line([label(result, results.planned())].iter().chain(&comparisons.cells(place)));
    }
    format!("\n{text}\n{}\n", comparisons.sentences().join("; "))
}

/// A line for each published number, and what its verdict means; empty where there is none.
fn published_table(results: &Results) -> String {
    let mut text = String::new();
    let verdicts = results.verdicts();
    for (result, tested) in results.contestants.iter().zip(&verdicts.rows) {
        for one in tested {
            text += &line([label(result, results.planned())].iter().chain(&one.cells()));
        }
    }
    let Some(legend) = verdicts.legend() else { return text };
    let dashes = ["---", "---", "---:", "---:", "---:", "---:", "---"];
    let titles = title_line(["strategy"].into_iter().chain(Verdicts::TITLES));
    let readings: String = results.readings().into_iter().map(|reading| format!("\n{reading}\n")).collect();
    format!("\n{titles}{}{text}\n{legend}\n{readings}", line(dashes))
}

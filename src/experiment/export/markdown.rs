//! A report to paste.

use super::{cell, lent_sentence, published_lines, z_text};
use crate::experiment::{ContestantResult, EndReason, Manifest, Results};
use crate::words;

/// A column: its title, the dashes below that align it, and what stands in it.
type ReportColumn = (&'static str, &'static str, fn(&ContestantResult) -> String);

const MEASURED: [ReportColumn; 8] = [
    ("strategy", "---", label),
    ("games", "---:", |result| result.summary.games().to_string()),
    ("mean", "---:", |result| number(result.summary.scores.mean(), 2)),
    ("95 % interval", "---:", |result| {
        result
            .summary
            .scores
            .mean_interval()
            .map_or("–".to_owned(), |ci95| format!("{:.1} to {:.1}", ci95.low, ci95.high))
    }),
    ("sd", "---:", |result| number(result.summary.scores.std_dev(), 2)),
    ("median", "---:", |result| number(result.summary.scores.median(), 0)),
    ("max", "---:", |result| cell(result.summary.scores.max())),
    ("2048", "---:", |result| {
        let reached = result.summary.reach().iter().find(|reach| reach.tile == 2048).map(|reach| 100.0 * reach.share);
        format!("{} %", number(reached, 2))
    }),
];

const PUBLISHED: [ReportColumn; 4] = [
    ("published", "---:", |result| number(result.published.as_ref().and_then(|published| published.mean), 2)),
    ("difference", "---:", |result| number(result.comparison().map(|comparison| comparison.difference), 2)),
    ("z", "---:", |result| result.comparison().as_ref().map_or("–".to_owned(), z_text)),
    ("", "---", |result| cell(result.comparison().map(|comparison| comparison.verdict))),
];

fn number(value: Option<f64>, places: usize) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.places$}"))
}

fn label(result: &ContestantResult) -> String {
    result.strategy.label().replace('|', "\\|")
}

fn line<S: std::fmt::Display>(cells: impl IntoIterator<Item = S>) -> String {
    cells.into_iter().fold("|".to_owned(), |line, cell| format!("{line} {cell} |")) + "\n"
}

/// The line of titles; a column without one is a single blank.
fn title_line<'a>(titles: impl IntoIterator<Item = &'a str>) -> String {
    line(titles).replace("|  |", "| |")
}

/// Tables with intervals, published numbers where there are any, and how to get it again.
pub fn markdown(results: &Results) -> String {
    let Manifest { title, seed, games, size, p4, stop_at, version, generator, started, end_reason, .. } =
        &results.manifest;
    let mut text = String::new();
    if !title.is_empty() {
        // A heading ends with its line.
        text += &format!("## {}\n\n", words::one_line(title));
    }
    let mut columns = MEASURED.to_vec();
    if results.has_published_means() {
        columns.extend(PUBLISHED);
    }
    text += &title_line(columns.iter().map(|(title, ..)| *title));
    text += &line(columns.iter().map(|(_, dashes, _)| dashes));
    for result in &results.contestants {
        text += &line(columns.iter().map(|(.., of)| of(result)));
    }
    text += &published_table(results);
    if let Some(sentence) = lent_sentence(results) {
        text += &format!("\n{sentence}\n");
    }
    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    text += &format!(
        "\n{games} games of each strategy on {size}{stop_at}, p4 {p4}, seed {seed}; afterstate {version}, {generator}; {started}"
    );
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

/// A line for each published number beside the mean; empty where there is none.
fn published_table(results: &Results) -> String {
    let mut text = String::new();
    for result in &results.contestants {
        for cells in published_lines(result) {
            text += &line([label(result)].iter().chain(&cells));
        }
    }
    if text.is_empty() {
        return text;
    }
    let titles = ["strategy", "", "published", "measured", "95 % interval", "difference", "z", ""];
    let dashes = ["---", "---", "---:", "---:", "---:", "---:", "---:", "---"];
    format!("\n{}{}{text}", title_line(titles), line(dashes))
}

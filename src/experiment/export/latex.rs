//! A table for a paper: booktabs rules, numbers set by siunitx.

use super::cell;
use crate::experiment::{Comparisons, ContestantResult, EndReason, Manifest, Pair, Results};
use crate::game::Rank;
use crate::stats::{Interval, Planned};
use crate::words::escape::latex as plain;

type NumberText = fn(&ContestantResult, Planned) -> String;

/// Columns of numbers: title and value. Missing values are empty.
const MEASURED: [(&str, NumberText); 9] = [
    ("$n$", |result, _| result.summary.games().to_string()),
    ("mean", |result, _| fixed(result.summary.scores.mean(), 1)),
    ("low", |result, planned| fixed(planned.mean_interval(&result.summary.scores).map(|ci95| ci95.low), 1)),
    ("high", |result, planned| fixed(planned.mean_interval(&result.summary.scores).map(|ci95| ci95.high), 1)),
    ("SD", |result, _| fixed(result.summary.scores.std_dev(), 1)),
    ("$Q_1$", |result, _| fixed(result.summary.scores.quartiles().map(|[lower, ..]| lower), 0)),
    ("median", |result, _| fixed(result.summary.scores.median(), 0)),
    ("$Q_3$", |result, _| fixed(result.summary.scores.quartiles().map(|[.., upper]| upper), 0)),
    ("max", |result, _| cell(result.summary.scores.max())),
];

fn reached(result: &ContestantResult, tile: u64) -> String {
    let games = result.summary.games();
    let reached = Rank::of_tile(tile).filter(|_| 0 < games).map(|rank| result.summary.reached(rank) as f64);
    fixed(reached.map(|reached| 100.0 * reached / games as f64), 1)
}

type ComparedText = fn(&Comparisons, usize) -> String;

const COMPARED: [(&str, ComparedText); 3] = [
    ("difference", |all, place| fixed(all.pair(place).and_then(Pair::difference), 1)),
    ("low", |all, place| fixed(all.interval(place).map(|Interval { low, .. }| low), 1)),
    ("high", |all, place| fixed(all.interval(place).map(|Interval { high, .. }| high), 1)),
];

fn fixed(value: Option<f64>, places: usize) -> String {
    value.map(|value| format!("{value:.places$}")).unwrap_or_default()
}

pub(super) fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("    {} \\\\\n", cells.into_iter().collect::<Vec<_>>().join(" & "))
}

/// A table with intervals and differences to the baseline. Its first line names the required packages.
pub fn latex(results: &Results) -> String {
    let Manifest { title, seed, size, stop_at, version, end_reason, .. } = &results.manifest;
    let p4 = results.manifest.p4_text();
    let games = results.manifest.games_text();
    let (planned, comparisons) = (results.planned(), results.comparisons());
    let compared: &[(&str, ComparedText)] = if comparisons.is_some() { &COMPARED } else { &[] };
    let [_, tile] = results.shown_tiles();
    let exact = results.exact();
    let titles: Vec<String> = (MEASURED.iter().map(|(title, _)| (*title).to_owned()))
        .chain([format!(r"{tile}, \%")])
        .chain(exact.is_any_known().then(|| "exact mean".to_owned()))
        .chain(compared.iter().map(|(title, _)| (*title).to_owned()))
        .collect();

    let mut text = "% \\usepackage{booktabs, siunitx}\n\\begin{table}\n  \\centering\n".to_owned();
    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    let title = if title.is_empty() { String::new() } else { format!("{}. ", plain(title)) };
    let kind = results.interval_sentence().map_or("95 % intervals".to_owned(), |kind| kind);
    let baseline = comparisons.map_or(String::new(), |all| {
        format!("; differences are relative to {} on the same seeds", plain(all.baseline_label()))
    });
    let end = if *end_reason == EndReason::AllGames {
        String::new()
    } else {
        format!("; {}", plain(&end_reason.to_string()))
    };

    text += &format!(
        "  \\caption{{{title}{games} on {size}{stop_at}, $p_4 = {p4}$, seed {seed}; low and high \
         are ends of {}{baseline}{end}; afterstate {version}.}}\n",
        plain(&kind)
    );
    text += &format!("  \\begin{{tabular}}{{l*{{{}}}{{S}}}}\n    \\toprule\n", titles.len());
    text += &row(std::iter::once("strategy".to_owned()).chain(titles.iter().map(|title| format!("{{{title}}}"))));
    text += "    \\midrule\n";
    for (place, result) in results.contestants.iter().enumerate() {
        let measured = MEASURED.iter().map(|(_, of)| of(result, planned)).chain([reached(result, tile)]);
        let known = exact.is_any_known().then(|| fixed(exact.known(place).and_then(|exact| exact.mean), 1));
        let measured = measured.chain(known);
        let beside = compared.iter().map(|(_, of)| comparisons.map(|all| of(all, place)).unwrap_or_default());
        let numbers = measured.chain(beside).map(|number| if number.is_empty() { "{--}".to_owned() } else { number });
        text += &row(std::iter::once(plain(&result.strategy.label())).chain(numbers));
    }

    text + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n"
}

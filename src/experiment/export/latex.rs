//! A table for a paper: booktabs rules, numbers set by siunitx.

use crate::experiment::{EndReason, Manifest, Results};
use crate::table::Formats;
use crate::words::escape::latex as plain;

/// The line that names the required packages.
pub(super) const PACKAGES: &str = "% \\usepackage{booktabs, siunitx}\n";

/// A table with intervals and differences to the baseline. Its first line names the required packages.
pub(super) fn latex(results: &Results) -> String {
    let Manifest {
        title,
        seed,
        size,
        stop_at,
        version,
        end_reason,
        ..
    } = &results.manifest;
    let p4 = results.manifest.p4_text();
    let games = results.manifest.games_text();
    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    let title = if title.is_empty() {
        String::new()
    } else {
        format!("{}. ", plain(title))
    };
    let kind = results
        .interval_sentence()
        .map_or("95 % intervals".to_owned(), |kind| kind);
    let baseline = results.comparisons().map_or(String::new(), |all| {
        format!(
            "; differences are relative to {} on the same seeds",
            plain(all.baseline_label())
        )
    });
    let end = if *end_reason == EndReason::AllGames {
        String::new()
    } else {
        format!("; {}", plain(&end_reason.to_string()))
    };

    format!(
        "{PACKAGES}\\begin{{table}}\n  \\centering\n  \\caption{{{title}{games} on \
         {size}{stop_at}, $p_4 = {p4}$, seed {seed}; low and high are ends of {}{baseline}{end}; afterstate \
         {version}.}}\n{}\\end{{table}}\n",
        plain(&kind),
        results.wide_table().only(Formats::PAPER).latex(),
    )
}

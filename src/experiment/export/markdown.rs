//! A Markdown report to paste.

use crate::experiment::{EndReason, ExactRows, Manifest, Results};
use crate::solve::Goal;
use crate::table::Formats;
use crate::words::escape;

/// Tables with intervals, published numbers if there are any, and how to repeat the run.
pub(super) fn markdown(results: &Results) -> String {
    let Manifest {
        title,
        seed,
        size,
        stop_at,
        version,
        generator,
        started,
        end_reason,
        ..
    } = &results.manifest;
    let fours = results.manifest.fours_text();
    let games = results.manifest.games_text();
    let mut text = String::new();
    if !title.is_empty() {
        text += &format!("## {}\n\n", escape::markdown(title));
    }

    text += &results.measured_table().only(Formats::REPORT).markdown();
    text += &compared_table(results);
    text += &published_table(results);
    text += &exact_table(results);
    if let Some(kinds) = results.interval_sentence() {
        text += &format!("\n{kinds}\n");
    }

    let stop_at = stop_at.map_or(String::new(), |tile| format!(", each stopped at {tile}"));
    let mut how = format!(
        "{games} on {size}{stop_at}, {fours}, seed {seed}; afterstate {version}, {generator}; {started}"
    );
    match end_reason {
        EndReason::AllGames => {}
        early => how += &format!("; {early}"),
    }
    if let Some(caution) = end_reason.caution() {
        how += &format!("; {caution}");
    }
    text + &format!("\n{}\n", escape::markdown(&how))
}

/// The same numbers separated by tabs, for a spreadsheet: all strategies, and each compared with the baseline.
pub(super) fn tabbed(results: &Results) -> String {
    results.wide_table().only(Formats::REPORT).tabbed()
}

/// Each strategy compared with the baseline, and an explanation of the numbers. Empty with one strategy.
fn compared_table(results: &Results) -> String {
    let Some((comparisons, table)) = results.comparisons().zip(results.compared_table()) else {
        return String::new();
    };
    let sentences = comparisons.sentences().join("; ");
    format!(
        "\n{}\n{}\n",
        table.only(Formats::REPORT).markdown(),
        escape::markdown(&sentences)
    )
}

/// A line for each exactly known number, and the value of best play. Empty if nothing is known.
fn exact_table(results: &Results) -> String {
    let verdicts = results.exact_verdicts();
    let mut text = String::new();
    if let Some(legend) = ExactRows::legend(&verdicts) {
        let table = results
            .tested_table(&verdicts, "exact")
            .only(Formats::REPORT);
        text += &format!("\n{}\n{legend}\n", table.markdown());
    }
    if let Some(best) = &results.exact().best {
        text += &match best.goal {
            Goal::Score => format!("\nbest play is worth exactly {:.2} points\n", best.value),
            Goal::Reach(rank) => {
                format!(
                    "\nbest play reaches {rank} in exactly {:.3} % of games\n",
                    100.0 * best.value
                )
            }
        };
    }
    text
}

/// A line for each published number, and an explanation of the verdicts. Empty without published numbers.
fn published_table(results: &Results) -> String {
    let verdicts = results.verdicts();
    let Some(legend) = verdicts.legend() else {
        return String::new();
    };
    let table = results
        .tested_table(&verdicts, "published")
        .only(Formats::REPORT);
    let readings: String = results
        .readings()
        .iter()
        .map(|reading| format!("\n{}\n", escape::markdown(reading)))
        .collect();
    format!("\n{}\n{legend}\n{readings}", table.markdown())
}

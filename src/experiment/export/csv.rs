//! Results as CSV.

use std::io::{self, Write};

use crate::experiment::{ContestantResult, Results};
use crate::files::{CsvRows, csv_text};
use crate::strategy::Outcome;
use crate::table::{Formats, Head};

/// One row per strategy with all statistics in columns. Missing values are empty.
pub(super) fn summary_csv(results: &Results) -> String {
    results.summary_table().only(Formats::CSV).csv()
}

/// The dictionary: one row for each column of [`summary_csv`], in order, with its name and meaning.
pub(super) fn columns_csv(results: &Results) -> String {
    let table = results.summary_table().only(Formats::CSV);
    let rows = table
        .heads
        .iter()
        .flat_map(Head::csv_columns)
        .map(|(name, about)| [name, about]);
    csv_text(std::iter::once(["column", "meaning"].map(str::to_owned)).chain(rows))
}

/// The approximate size of the output of [`games_csv`] in bytes.
pub(super) fn games_csv_bytes(results: &Results) -> u64 {
    // Commas, line end and the digits of a typical game, including its index.
    let bytes =
        |one: &ContestantResult| one.summary.games() * (one.strategy.label().len() as u64 + 24);
    results.contestants.iter().map(bytes).sum()
}

/// Writes a row per finished game: strategy, game, score, largest tile, moves. Ten million games take 200 MB.
pub fn games_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = CsvRows::new(out);
    csv.row(["name", "game", "score", "largest", "moves"])?;
    for result in &results.contestants {
        let name = result.strategy.label();
        for (index, game) in result.games.iter() {
            let Outcome {
                score,
                moves,
                largest,
            } = game;
            let numbers = [index, score.into(), largest.tile(), moves.into()]
                .map(|number| number.to_string());
            csv.row([&name].into_iter().chain(&numbers))?;
        }
    }
    csv.flush()
}

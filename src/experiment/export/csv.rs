//! Results as CSV.

use std::io::{self, Write};

use super::cell;
use crate::experiment::{Comparisons, ContestantResult, Pair, Quantity, Results, Standings, Summary, Tested};
use crate::files::CsvRows;
use crate::preset::Published;
use crate::stats::{Interval, Planned};
use crate::strategy::Outcome;

/// What a row of the summary is made of.
struct SummaryRow<'a> {
    result: &'a ContestantResult,
    planned: Planned,
    interval: Option<Interval>,
    published: Published,
}

type CellText = fn(&SummaryRow<'_>) -> String;
type TestedText = fn(&Tested) -> String;

/// The columns before the reach rates, each with what stands in it; what does not exist is empty.
const COLUMNS: [(&str, CellText); 23] = [
    ("name", |row| row.result.strategy.label()),
    ("hash", |row| row.result.strategy.hash().to_string()),
    ("games", |row| row.result.summary.games().to_string()),
    ("mean", |row| cell(row.result.summary.scores.mean())),
    ("sd", |row| cell(row.result.summary.scores.std_dev())),
    ("se", |row| cell(row.result.summary.scores.std_error())),
    ("ci95_low", |row| cell(row.interval.map(|interval| interval.low))),
    ("ci95_high", |row| cell(row.interval.map(|interval| interval.high))),
    ("ci95_kind", |row| row.planned.kind(row.result.summary.games()).name().to_owned()),
    ("min", |row| cell(row.result.summary.scores.min())),
    ("lower_quartile", |row| cell(row.result.summary.scores.quartiles().map(|[lower, ..]| lower))),
    ("median", |row| cell(row.result.summary.scores.median())),
    ("upper_quartile", |row| cell(row.result.summary.scores.quartiles().map(|[.., upper]| upper))),
    ("max", |row| cell(row.result.summary.scores.max())),
    ("moves_per_game", |row| cell(row.result.summary.moves_per_game())),
    ("seconds", |row| row.result.summary.worker_time.as_secs_f64().to_string()),
    ("games_per_second", |row| cell(row.result.summary.games_per_second())),
    ("published_mean", |row| cell(row.published.mean)),
    ("published_sd", |row| cell(row.published.sd)),
    ("published_median", |row| cell(row.published.median)),
    ("published_max", |row| cell(row.published.max)),
    ("published_moves", |row| cell(row.published.moves)),
    ("published_games", |row| cell(row.published.games)),
];

/// What stands of each published number, behind the name of the column its own.
const JUDGED: [(&str, TestedText); 5] = [
    ("difference", |one| cell(one.difference.map(|difference| difference.value))),
    ("difference_low", |one| cell(one.difference.map(|difference| difference.interval.low))),
    ("difference_high", |one| {
        cell(one.difference.map(|difference| difference.interval.high).filter(|high| high.is_finite()))
    }),
    ("p_holm", |one| cell(one.p)),
    ("verdict", Tested::verdict_text),
];

/// A cell of the strategy at a place.
type ComparedText = fn(&Comparisons, usize) -> String;

/// What stands of each strategy beside the baseline, and of its rank.
const COMPARED: [(&str, ComparedText); 13] = [
    ("rank_best", |all, place| cell(all.standings.as_ref().and_then(|all| all.rank(place)).map(|rank| rank.best))),
    ("rank_worst", |all, place| cell(all.standings.as_ref().and_then(|all| all.rank(place)).map(|rank| rank.worst))),
    ("ranks", |all, _| cell(all.standings.as_ref().map(Standings::places))),
    ("baseline", |all, _| all.baseline_label().to_owned()),
    ("against_games", |all, place| cell(all.pair(place).map(Pair::games))),
    ("against_identical", |all, place| cell(all.pair(place).map(Pair::identical))),
    ("against_difference", |all, place| cell(all.pair(place).and_then(Pair::difference))),
    ("against_low", |all, place| cell(all.interval(place).map(|interval| interval.low))),
    ("against_high", |all, place| cell(all.interval(place).map(|interval| interval.high))),
    ("against_low_at_once", |all, place| cell(all.at_once(place).map(|interval| interval.low))),
    ("against_high_at_once", |all, place| cell(all.at_once(place).map(|interval| interval.high))),
    ("against_correlation", |all, place| cell(all.pair(place).and_then(|pair| pair.scores.correlation()))),
    ("against_gain", |all, place| {
        cell(all.pair(place).and_then(|pair| pair.scores.gain()).filter(|gain| gain.is_finite()))
    }),
];

/// One row per strategy, all statistics in columns; what does not exist is empty.
pub fn summary_csv(results: &Results) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut csv = CsvRows::new(&mut bytes);
    let reached = Summary::reached_tiles();
    let measured = |tile| [format!("reach_{tile}"), format!("reach_{tile}_low"), format!("reach_{tile}_high")];
    let published = |tile| format!("published_reach_{tile}");
    let quantities: Vec<Quantity> =
        Quantity::OF_SCORES.into_iter().chain(reached.iter().map(|&tile| Quantity::Reach(tile))).collect();
    let judged = |what: &Quantity| JUDGED.map(|(name, _)| format!("{name}_{}", what.key()));
    let names = COLUMNS.iter().map(|(name, _)| (*name).to_owned());
    let names = names.chain(reached.iter().flat_map(measured)).chain(reached.iter().map(published));
    let compared = COMPARED.iter().map(|(name, _)| (*name).to_owned());
    csv.row(names.chain(quantities.iter().flat_map(judged)).chain(compared))?;
    let planned = results.planned();
    let comparisons = results.comparisons();
    for (place, (result, tested)) in results.contestants.iter().zip(results.verdicts().rows).enumerate() {
        let (published, reach) = (result.published.clone().unwrap_or_default(), result.summary.reach(planned));
        let interval = planned.mean_interval(&result.summary.scores);
        let row = SummaryRow { result, planned, interval, published };
        let measured = (0..reached.len()).flat_map(|index| {
            let reach = reach.get(index);
            [reach.map(|reach| reach.share), reach.map(|reach| reach.ci95.low), reach.map(|reach| reach.ci95.high)]
        });
        let published = reached
            .iter()
            .map(|&tile| cell(row.published.reach.iter().find(|(other, _)| *other == tile).map(|(_, share)| share)));
        let judged = quantities.iter().flat_map(|what| {
            let one = tested.iter().find(|one| one.what == *what);
            JUDGED.map(|(_, of)| one.map(of).unwrap_or_default())
        });
        let cells = COLUMNS.iter().map(|(_, of)| of(&row));
        let compared = COMPARED.iter().map(|(_, of)| comparisons.map(|all| of(all, place)).unwrap_or_default());
        csv.row(cells.chain(measured.map(cell)).chain(published).chain(judged).chain(compared))?;
    }
    csv.flush()?;
    drop(csv);
    Ok(bytes)
}

/// Writes a row per finished game: strategy, game, score, largest tile, moves. Ten million games are 200 MB.
pub fn games_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let mut csv = CsvRows::new(out);
    csv.row(["name", "game", "score", "largest", "moves"])?;
    for result in &results.contestants {
        let name = result.strategy.label();
        for (index, game) in result.games.iter() {
            let Outcome { score, moves, largest } = game;
            let numbers = [index, score.into(), largest.tile(), moves.into()].map(|number| number.to_string());
            csv.row([&name].into_iter().chain(&numbers))?;
        }
    }
    csv.flush()
}

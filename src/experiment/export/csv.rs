//! Results as CSV.

use std::io::{self, Write};

use super::cell;
use crate::experiment::{Comparisons, ContestantResult, Pair, Quantity, Results, Standings, Swept, Tested, is_exact};
use crate::files::CsvRows;
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{Interval, Planned};
use crate::strategy::Outcome;
use crate::words;

/// The data of a row of the summary.
struct SummaryRow<'a> {
    result: &'a ContestantResult,
    planned: Planned,
    interval: Option<Interval>,
    published: Published,
}

/// The meaning of a column, for the dictionary.
type About = &'static str;
type CellText = fn(&SummaryRow<'_>) -> String;
type TestedText = fn(&Tested) -> String;

/// The columns before the reach rates, each with its meaning. Missing values are empty.
const COLUMNS: [(&str, About, CellText); 28] = [
    ("name", "name of the strategy", |row| row.result.strategy.label()),
    ("hash", "first digits of the SHA-256 of its text without the name", |row| row.result.strategy.hash().to_string()),
    ("games", "finished games", |row| row.result.summary.games().to_string()),
    ("p4", "probability that a new tile is a 4", |row| row.result.rules.p4.to_string()),
    ("mean", "mean score", |row| cell(row.result.summary.scores.mean())),
    ("sd", "sample standard deviation of the scores", |row| cell(row.result.summary.scores.std_dev())),
    ("se", "standard error of the mean", |row| cell(row.result.summary.scores.std_error())),
    ("ci95_low", "95 % interval of the mean, lower end", |row| cell(row.interval.map(|interval| interval.low))),
    ("ci95_high", "95 % interval of the mean, upper end", |row| cell(row.interval.map(|interval| interval.high))),
    (
        "ci95_kind",
        "planned: Student's t with Hall's correction, at the planned end; anytime: confidence sequence, valid at all times together",
        |row| row.planned.kind(row.result.summary.games()).name().to_owned(),
    ),
    ("min", "lowest score", |row| cell(row.result.summary.scores.min())),
    ("lower_quartile", "a quarter of the games scored less", |row| {
        cell(row.result.summary.scores.quartiles().map(|[lower, ..]| lower))
    }),
    ("median", "half of the games scored less", |row| cell(row.result.summary.scores.median())),
    ("upper_quartile", "three quarters of the games scored less", |row| {
        cell(row.result.summary.scores.quartiles().map(|[.., upper]| upper))
    }),
    ("max", "highest score", |row| cell(row.result.summary.scores.max())),
    ("moves_per_game", "moves in a game, mean", |row| cell(row.result.summary.moves_per_game())),
    ("seconds", "CPU time of its games in seconds; empty if unknown", |row| {
        cell(row.result.summary.whole_cost().map(|cost| cost.time.as_secs_f64()))
    }),
    ("nodes_per_move", "nodes of the search that chose a move, mean; empty if nothing is searched", |row| {
        cell(row.result.summary.nodes_per_move())
    }),
    ("seconds_per_move", "CPU time of a move in seconds, mean", |row| cell(row.result.summary.seconds_per_move())),
    ("games_per_second", "games per second of CPU time", |row| cell(row.result.summary.games_per_second())),
    ("published_mean", "published mean score", |row| cell(row.published.mean)),
    ("published_sd", "published standard deviation", |row| cell(row.published.sd)),
    ("published_median", "published median", |row| cell(row.published.median)),
    ("published_max", "published highest score", |row| cell(row.published.max)),
    ("published_moves", "published moves in a game", |row| cell(row.published.moves)),
    ("published_games", "number of published games", |row| cell(row.published.games)),
    ("published_source", "source of the published numbers", |row| words::one_line(&row.published.source)),
    ("published_reading", "what the source leaves open or does differently", |row| {
        words::one_line(&row.published.reading)
    }),
];

/// The columns after each published number; their names start with its name.
const JUDGED: [(&str, About, TestedText); 5] = [
    ("difference", "measured minus published", |one| cell(one.difference.map(|difference| difference.value))),
    ("difference_low", "95 % interval with the uncertainty of both sides, lower end", |one| {
        cell(one.difference.map(|difference| difference.interval.low))
    }),
    ("difference_high", "upper end; empty if there is none", |one| {
        cell(one.difference.map(|difference| difference.interval.high).filter(|high| high.is_finite()))
    }),
    ("p_holm", "p of the difference after Holm's correction for all tests of the table", |one| cell(one.p)),
    ("verdict", "differs, compatible, or cannot tell and why", Tested::verdict_text),
];

/// A cell of the strategy with this index.
type ComparedText = fn(&Comparisons, usize) -> String;

/// The columns that compare each strategy with the baseline, and those of its rank.
const COMPARED: [(&str, About, ComparedText); 14] = [
    ("rank_best", "best possible rank; all ranks together hold in 95 of 100 runs", |all, place| {
        cell(all.standings.as_ref().and_then(|all| all.rank(place)).map(|rank| rank.best))
    }),
    ("rank_worst", "worst possible rank", |all, place| {
        cell(all.standings.as_ref().and_then(|all| all.rank(place)).map(|rank| rank.worst))
    }),
    ("ranks", "number of ranks; strategies that played identically share one", |all, _| {
        cell(all.standings.as_ref().map(Standings::places))
    }),
    ("class", "letters; two strategies share one if and only if no difference between them is found", |all, place| {
        cell(all.standings.as_ref().and_then(|all| all.class(place).map(str::to_owned)))
    }),
    ("baseline", "strategy it is compared with", |all, _| all.baseline_label().to_owned()),
    ("against_games", "games on the same seeds", |all, place| cell(all.pair(place).map(Pair::games))),
    ("against_identical", "of those, games with the same score, moves and largest tile", |all, place| {
        cell(all.pair(place).map(Pair::identical))
    }),
    ("against_difference", "mean difference of the scores from the baseline, game by game", |all, place| {
        cell(all.pair(place).and_then(Pair::difference))
    }),
    ("against_low", "95 % interval of it, lower end", |all, place| {
        cell(all.interval(place).map(|interval| interval.low))
    }),
    ("against_high", "95 % interval of it, upper end", |all, place| {
        cell(all.interval(place).map(|interval| interval.high))
    }),
    ("against_low_at_once", "interval that holds for all strategies together, lower end", |all, place| {
        cell(all.at_once(place).map(|interval| interval.low))
    }),
    ("against_high_at_once", "interval that holds for all strategies together, upper end", |all, place| {
        cell(all.at_once(place).map(|interval| interval.high))
    }),
    ("against_correlation", "correlation of both strategies' scores on the same seeds", |all, place| {
        cell(all.pair(place).and_then(|pair| pair.scores.correlation()))
    }),
    ("against_gain", "number of games on other seeds that one game on the same seed is worth", |all, place| {
        cell(all.pair(place).and_then(|pair| pair.scores.gain()).filter(|gain| gain.is_finite()))
    }),
];

/// The columns of a strategy that is a point of a sweep.
const SWEPT: [(&str, About); 8] = [
    ("swept", "for a point of a sweep: the strategy that was swept"),
    ("setting_1", "the setting that was swept"),
    ("value_1", "its value here"),
    ("setting_2", "the second setting, if there is one"),
    ("value_2", "its value here"),
    ("step_difference", "mean difference of the scores from the previous value of the last setting, game by game"),
    ("step_low", "95 % interval of it, lower end"),
    ("step_high", "95 % interval of it, upper end"),
];

/// Name, meaning and value of a column of exact numbers.
type ExactColumn = (&'static str, About, fn(&Published) -> Option<f64>);

/// The columns of exact numbers, on boards that can be solved.
const EXACT: [ExactColumn; 3] = [
    ("exact_mean", "mean of infinitely many games; empty if unknown", |exact| exact.mean),
    ("exact_sd", "standard deviation of infinitely many games", |exact| exact.sd),
    ("exact_moves", "moves in a game, mean of infinitely many games", |exact| exact.moves),
];

/// Whether the results have columns of exact numbers.
fn has_exact(results: &Results) -> bool {
    results.contestants.iter().any(|one| is_exact(one.rules))
}

fn exact_cells(exact: Option<&Published>, reached: &[u64]) -> Vec<String> {
    let of_tile = |tile: &u64| exact?.reach.iter().find(|(other, _)| other == tile).map(|(_, share)| *share);
    let numbers = EXACT.iter().map(|(.., of)| exact.and_then(of));
    numbers.chain(reached.iter().map(of_tile)).map(cell).collect()
}

fn swept_cells(results: &Results, swept: Option<&Swept>, place: usize) -> [String; SWEPT.len()] {
    let Some((swept, (line, point))) = swept.and_then(|swept| Some((swept, swept.place_of(place)?))) else {
        return Default::default();
    };
    let (at, step) = (swept.at(point), results.sweep_steps(swept, place).pop().flatten());
    let name = |axis: usize| swept.axes.get(axis).map(|axis| axis.name.clone()).unwrap_or_default();
    [
        line.name.clone(),
        name(0),
        cell(at.first()),
        name(1),
        cell(at.get(1)),
        cell(step.as_ref().map(|step| step.difference)),
        cell(step.as_ref().map(|step| step.ci95.low)),
        cell(step.as_ref().map(|step| step.ci95.high)),
    ]
}

/// One row per strategy with all statistics in columns. Missing values are empty.
pub fn summary_csv(results: &Results) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut csv = CsvRows::new(&mut bytes);
    let reached = results.reached_tiles();
    let measured = |tile| [format!("reach_{tile}"), format!("reach_{tile}_low"), format!("reach_{tile}_high")];
    let published = |tile| format!("published_reach_{tile}");
    let quantities: Vec<Quantity> =
        Quantity::OF_SCORES.into_iter().chain(reached.iter().map(|&tile| Quantity::Reach(tile))).collect();
    let judged = |what: &Quantity| JUDGED.map(|(name, ..)| format!("{name}_{}", what.key()));
    let names = COLUMNS.iter().map(|(name, ..)| (*name).to_owned());
    let names = names.chain(reached.iter().flat_map(measured)).chain(reached.iter().map(published));
    let compared = COMPARED.iter().map(|(name, ..)| (*name).to_owned());
    let of_sweep = SWEPT.iter().map(|(name, _)| (*name).to_owned());
    let of_exact = EXACT.iter().map(|(name, ..)| (*name).to_owned());
    let of_exact = of_exact.chain(reached.iter().map(|tile| format!("exact_reach_{tile}")));
    let of_exact = of_exact.filter(|_| has_exact(results));
    csv.row(names.chain(quantities.iter().flat_map(judged)).chain(compared).chain(of_sweep).chain(of_exact))?;
    let swept = results.swept();
    let planned = results.planned();
    let comparisons = results.comparisons();

    for (place, (result, tested)) in results.contestants.iter().zip(results.verdicts().rows).enumerate() {
        let published = result.published.clone().unwrap_or_default();
        let interval = planned.mean_interval(&result.summary.scores);
        let row = SummaryRow { result, planned, interval, published };
        let measured = reached.iter().flat_map(|&tile| {
            let reach = Rank::of_tile(tile).and_then(|rank| result.summary.reach(rank, planned));
            [reach.map(|reach| reach.share), reach.map(|reach| reach.ci95.low), reach.map(|reach| reach.ci95.high)]
        });
        let published = reached
            .iter()
            .map(|&tile| cell(row.published.reach.iter().find(|(other, _)| *other == tile).map(|(_, share)| share)));
        let judged = quantities.iter().flat_map(|what| {
            let one = tested.iter().find(|one| one.what == *what);
            JUDGED.map(|(.., of)| one.map(of).unwrap_or_default())
        });
        let cells = COLUMNS.iter().map(|(.., of)| of(&row));
        let compared = COMPARED.iter().map(|(.., of)| comparisons.map(|all| of(all, place)).unwrap_or_default());
        let cells = cells.chain(measured.map(cell)).chain(published).chain(judged).chain(compared);
        let of_exact =
            if has_exact(results) { exact_cells(results.exact().known(place), &reached) } else { Vec::new() };
        csv.row(cells.chain(swept_cells(results, swept.as_ref(), place)).chain(of_exact))?;
    }

    csv.flush()?;
    drop(csv);
    Ok(bytes)
}

/// The dictionary: one row for each column of [`summary_csv`], in order, with its name and meaning.
pub fn columns_csv(results: &Results) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut csv = CsvRows::new(&mut bytes);
    csv.row(["column", "meaning"])?;
    let reached = results.reached_tiles();
    let own = COLUMNS.iter().map(|(name, about, _)| ((*name).to_owned(), (*about).to_owned()));
    let measured = reached.iter().flat_map(|tile| {
        [
            (format!("reach_{tile}"), format!("share of games that reached {tile}, from 0 to 1")),
            (format!("reach_{tile}_low"), "95 % interval of it, lower end".to_owned()),
            (format!("reach_{tile}_high"), "95 % interval of it, upper end".to_owned()),
        ]
    });

    let published =
        reached.iter().map(|tile| (format!("published_reach_{tile}"), format!("published share that reached {tile}")));
    let quantities = Quantity::OF_SCORES.into_iter().chain(reached.iter().map(|&tile| Quantity::Reach(tile)));
    let judged = quantities.flat_map(|what| {
        JUDGED.map(|(name, about, _)| (format!("{name}_{}", what.key()), format!("{}: {about}", what.key())))
    });
    let compared = COMPARED.iter().map(|(name, about, _)| ((*name).to_owned(), (*about).to_owned()));
    let of_sweep = SWEPT.iter().map(|(name, about)| ((*name).to_owned(), (*about).to_owned()));
    let of_exact = EXACT.iter().map(|(name, about, _)| ((*name).to_owned(), (*about).to_owned()));
    let of_exact = of_exact.chain(reached.iter().map(|tile| {
        (format!("exact_reach_{tile}"), format!("probability that a game reaches {tile}; empty near 0 and 1"))
    }));
    let of_exact = of_exact.filter(|_| has_exact(results));

    for (name, about) in
        own.chain(measured).chain(published).chain(judged).chain(compared).chain(of_sweep).chain(of_exact)
    {
        csv.row([name, about])?;
    }
    csv.flush()?;
    drop(csv);
    Ok(bytes)
}

/// The approximate size of the output of [`games_csv`] in bytes.
pub(super) fn games_csv_bytes(results: &Results) -> u64 {
    // Commas, line end and the digits of a typical game, including its index.
    let bytes = |one: &ContestantResult| one.summary.games() * (one.strategy.label().len() as u64 + 24);
    results.contestants.iter().map(bytes).sum()
}

/// Writes a row per finished game: strategy, game, score, largest tile, moves. Ten million games take 200 MB.
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

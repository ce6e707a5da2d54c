//! The columns of results: one line each, for the terminal, files, reports and the window.
//!
//! To add a number to the results, add a line to the list of its kind; the window also needs its key in
//! `workbench/panels/experiment/results/data.rs`.

use super::{
    Comparisons, ContestantResult, Decisions, Pair, Quantity, Results, Standings, Summary, Swept,
    Tested, Verdicts, is_exact,
};
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{Interval, IntervalKind, Planned};
use crate::table::{Cell, Column, Digits, Formats, Spread, Table, Unit};
use crate::words;

/// The games of a strategy, and how many are planned.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    pub summary: &'a Summary,
    pub planned: Planned,
}

impl Measured<'_> {
    fn ci95(&self) -> Option<Interval> {
        self.planned.mean_interval(&self.summary.scores)
    }
}

/// The numbers of a strategy's own games, except for reach rates.
pub fn measured_columns<'a>() -> Vec<Column<'a, Measured<'a>>> {
    const DETAIL: Formats = Formats::PROGRAMS.and(Formats::TERMINAL);
    type Row<'a> = Measured<'a>;
    let quartile = |row: &Row<'_>, index: usize| {
        row.summary
            .scores
            .quartiles()
            .map(|quartiles| quartiles[index])
    };
    vec![
        Column::whole("games", "games", "finished games", |row: &Row<'_>| row.summary.games()),
        Column::number("mean", "mean", "mean score", |row: &Row<'_>| row.summary.scores.mean())
            .digits(Digits::Like("ci95")),
        Column::interval("ci95", "95 % interval", "95 % interval of the mean", Row::ci95),
        Column::text(
            "ci95_kind",
            "",
            "planned: Student's t with Hall's correction, at the planned end; anytime: confidence sequence, valid at all \
             times together",
            |row: &Row<'_>| row.planned.kind(row.summary.games()).name(),
        )
        .only(Formats::PROGRAMS),
        Column::number("sd", "SD", "sample standard deviation of the scores", |row: &Row<'_>| {
            row.summary.scores.std_dev()
        })
        .digits(Digits::Like("ci95")),
        Column::number("se", "", "standard error of the mean", |row: &Row<'_>| row.summary.scores.std_error())
            .only(Formats::PROGRAMS),
        Column::whole("min", "min", "lowest score", |row: &Row<'_>| row.summary.scores.min()).only(Formats::PROGRAMS),
        Column::number("lower_quartile", "Q1", "a quarter of the games scored less", move |row: &Row<'_>| {
            quartile(row, 0)
        })
        .only(Formats::PROGRAMS),
        Column::number("median", "median", "half of the games scored less", |row: &Row<'_>| {
            row.summary.scores.median()
        }),
        Column::number("upper_quartile", "Q3", "three quarters of the games scored less", move |row: &Row<'_>| {
            quartile(row, 2)
        })
        .only(Formats::PROGRAMS),
        Column::interval("quartiles", "Q1 to Q3", "quartiles of the scores", |row: &Row<'_>| {
            row.summary.scores.quartiles().map(|[low, _, high]| Interval { low, high })
        })
        .digits(Digits::Places(0))
        .end_titles(["Q1", "Q3"])
        .only(Formats::PEOPLE),
        Column::whole("max", "max", "highest score", |row: &Row<'_>| row.summary.scores.max()),
        Column::number("moves_per_game", "moves/game", "moves in a game, mean", |row: &Row<'_>| {
            row.summary.moves_per_game()
        })
        .digits(Digits::Places(1))
        .only(DETAIL),
        Column::number(
            "nodes_per_move",
            "nodes/move",
            "nodes of the search that chose a move, mean; empty if nothing is searched",
            |row: &Row<'_>| row.summary.nodes_per_move(),
        )
        .only(DETAIL),
        Column::number("seconds", "", "CPU time of its games in seconds; empty if unknown", |row: &Row<'_>| {
            row.summary.whole_cost().map(|cost| cost.time.as_secs_f64())
        })
        .only(Formats::PROGRAMS),
        // The names of the column state the unit.
        Column::number("seconds_per_move", "ms/move", "CPU time of a move, mean", |row: &Row<'_>| {
            row.summary.seconds_per_move()
        })
        .unit(Unit::MILLISECONDS)
        .named()
        .digits(Digits::Three)
        .only(DETAIL),
        Column::number("games_per_second", "games/s", "games per second of CPU time", |row: &Row<'_>| {
            row.summary.games_per_second()
        })
        // JSON has its seconds and its games.
        .only(DETAIL.without(Formats::JSON)),
    ]
}

/// The share of games that reached a tile.
pub fn reach_column<'a>(tile: u64, formats: Formats) -> Column<'a, Measured<'a>> {
    let about = format!("share of games that reached {tile}, from 0 to 1");
    Column::estimate(
        format!("reach_{tile}"),
        tile.to_string(),
        about,
        move |row: &Measured<'_>| {
            let reach = row.summary.reach(Rank::of_tile(tile)?, row.planned)?;
            Some((reach.share, Some(reach.ci95)))
        },
    )
    .unit(Unit::PERCENT)
    .digits(Digits::Places(1))
    .spread(Spread::Hidden)
    .only(formats)
}

/// The decisions of a strategy on boards with that many empty cells, or of how many of its games they are known.
type ByEmptyRow<'a> = (Measured<'a>, Result<(usize, Decisions), u64>);

fn by_empty_columns<'a>() -> Vec<Column<'a, ByEmptyRow<'a>>> {
    type Row<'a> = ByEmptyRow<'a>;
    let decided = |row: &Row<'_>| row.1.as_ref().ok().map(|(_, decisions)| *decisions);
    vec![
        Column::whole(
            "empty",
            "empty cells",
            "empty cells of the board to move; empty if this was not kept",
            |row: &Row<'_>| {
                row.1.as_ref().map_or_else(
                    |unrecorded| {
                        let all = row.0.summary.games();
                        Cell::note(format!(
                            "not kept in {} of {}",
                            words::count(all - unrecorded),
                            words::plural(all, "game")
                        ))
                    },
                    |(empty, _)| Cell::from(*empty),
                )
            },
        ),
        Column::whole(
            "games",
            "games",
            "games with such a decision",
            move |row: &Row<'_>| decided(row).map(|one| one.games),
        ),
        Column::whole(
            "decisions",
            "decisions",
            "decisions on such boards, with forced moves",
            move |row: &Row<'_>| decided(row).map(|one| one.decisions),
        ),
        Column::estimate(
            "nodes",
            "nodes",
            "nodes of a decision, mean, and its 95 % interval over games once the planned games are played",
            move |row: &Row<'_>| {
                let decisions = decided(row)?;
                let is_whole = row.0.planned.kind(row.0.summary.games()) == IntervalKind::Planned;
                Some((decisions.mean()?, decisions.interval().filter(|_| is_whole)))
            },
        ),
    ]
}

fn by_empty_rows(measured: Measured<'_>) -> impl Iterator<Item = ByEmptyRow<'_>> {
    let rows = match measured.summary.nodes_by_empty() {
        Ok(found) => found.into_iter().map(Ok).collect(),
        Err(unrecorded) => vec![Err(unrecorded)],
    };
    rows.into_iter().map(move |row| (measured, row))
}

/// What a strategy is.
pub(super) fn strategy_columns<'a>() -> Vec<Column<'a, &'a ContestantResult>> {
    type Row<'a> = &'a ContestantResult;
    vec![
        name_column(),
        Column::text(
            "hash",
            "",
            "first digits of the SHA-256 of its text without the name",
            |row: &Row<'_>| row.strategy.hash().to_string(),
        )
        .only(Formats::PROGRAMS),
        Column::text("strategy", "", "the strategy as RON", |row: &Row<'_>| {
            row.strategy.to_string()
        })
        .only(Formats::JSON),
        Column::number(
            "p4",
            "",
            "probability that a new tile is a 4",
            |row: &Row<'_>| row.rules.p4,
        )
        .only(Formats::PROGRAMS),
    ]
}

/// The name of a strategy.
pub(super) fn name_column<'a>() -> Column<'a, &'a ContestantResult> {
    Column::text(
        "name",
        "strategy",
        "name of the strategy",
        |row: &&ContestantResult| row.strategy.label(),
    )
}

/// The published numbers of a strategy.
pub(super) fn published_columns<'a>() -> Vec<Column<'a, Option<&'a Published>>> {
    type Row<'a> = Option<&'a Published>;
    let number = |key: &str, about: &str, get: fn(&Published) -> Option<f64>| {
        Column::number(
            format!("published_{key}"),
            "",
            about,
            move |row: &Row<'_>| row.and_then(get),
        )
        .json_key(key)
    };
    let text = |key: &str, about: &str, get: fn(&Published) -> &str| {
        Column::text(
            format!("published_{key}"),
            "",
            about,
            move |row: &Row<'_>| row.map(|row| get(row).to_owned()),
        )
        .json_key(key)
    };
    vec![
        number("mean", "published mean score", |row| row.mean),
        number("sd", "published standard deviation", |row| row.sd),
        number("median", "published median", |row| row.median),
        Column::whole(
            "published_max",
            "",
            "published highest score",
            |row: &Row<'_>| row.and_then(|row| row.max),
        )
        .json_key("max"),
        number("moves", "published moves in a game", |row| row.moves),
        Column::whole(
            "published_games",
            "",
            "number of published games",
            |row: &Row<'_>| row.and_then(|row| row.games),
        )
        .json_key("games"),
        text("source", "source of the published numbers", |row| {
            &row.source
        }),
        text(
            "reading",
            "what the source leaves open or does differently",
            |row| &row.reading,
        ),
    ]
}

fn published_reach_column<'a>(tile: u64) -> Column<'a, Option<&'a Published>> {
    Column::number(
        format!("published_reach_{tile}"),
        "",
        format!("published share that reached {tile}"),
        move |row: &Option<&Published>| reach_of(*row, tile),
    )
}

fn reach_of(numbers: Option<&Published>, tile: u64) -> Option<f64> {
    numbers?
        .reach
        .iter()
        .find(|(other, _)| *other == tile)
        .map(|(_, share)| *share)
}

/// The exact numbers of a strategy, on boards that can be solved.
pub(super) fn exact_columns<'a>() -> Vec<Column<'a, Option<&'a Published>>> {
    type Row<'a> = Option<&'a Published>;
    vec![
        Column::number(
            "exact_mean",
            "exact mean",
            "mean of infinitely many games; empty if unknown",
            |row: &Row<'_>| row.and_then(|row| row.mean),
        )
        .digits(Digits::Places(2))
        .json_key("mean")
        .only(Formats::PROGRAMS.and(Formats::PAPER)),
        Column::number(
            "exact_sd",
            "",
            "standard deviation of infinitely many games",
            |row: &Row<'_>| row.and_then(|row| row.sd),
        )
        .json_key("sd")
        .only(Formats::PROGRAMS),
        Column::number(
            "exact_moves",
            "",
            "moves in a game, mean of infinitely many games",
            |row: &Row<'_>| row.and_then(|row| row.moves),
        )
        .json_key("moves")
        .only(Formats::PROGRAMS),
    ]
}

fn exact_reach_column<'a>(tile: u64) -> Column<'a, Option<&'a Published>> {
    let about = format!("probability that a game reaches {tile}; empty near 0 and 1");
    Column::number(
        format!("exact_reach_{tile}"),
        "",
        about,
        move |row: &Option<&Published>| reach_of(*row, tile),
    )
}

/// A number of others next to ours. `theirs` is what they are: `published`. The keys end in `suffix`.
pub(super) fn tested_columns<'a>(theirs: &'a str, suffix: &str) -> Vec<Column<'a, Option<Tested>>> {
    type Row = Option<Tested>;
    let key = |name: &str| format!("{name}{suffix}");
    let of_quantity = |one: &Tested, value: f64| Cell::from(value).with(one.what.format());
    let both = Formats::PEOPLE.and(Formats::JSON);
    vec![
        Column::text(key("quantity"), "", "what is compared", |row: &Row| {
            row.map(|one| one.name())
        })
        .only(Formats::PEOPLE),
        Column::number(
            key("published"),
            theirs,
            format!("the {theirs} number"),
            move |row: &Row| row.map(|one| of_quantity(&one, one.published)),
        )
        .only(both),
        Column::number(
            key("measured"),
            "measured",
            "our number",
            move |row: &Row| row.map(|one| of_quantity(&one, one.measured)),
        )
        .only(both),
        Column::number(
            key("difference"),
            "difference",
            format!("measured minus {theirs}"),
            move |row: &Row| row.and_then(|one| Some(of_quantity(&one, one.difference?.value))),
        ),
        Column::interval(
            key("ci95"),
            "95 % of the difference",
            "95 % interval with the uncertainty of both sides",
            |row: &Row| {
                row.and_then(|one| {
                    Some(Cell::from(one.difference?.interval).with(one.what.format()))
                })
            },
        )
        .end_keys(["difference_low", "difference_high"].map(key)),
        Column::number(key("p"), "", "p of the difference", |row: &Row| {
            row.and_then(|one| Some(one.difference?.p))
        })
        .only(Formats::JSON),
        Column::number(
            key("p_holm"),
            "",
            "p of the difference after Holm's correction for all tests of the table",
            |row: &Row| row.and_then(|one| one.p),
        )
        .only(Formats::PROGRAMS),
        Column::text(
            key("verdict"),
            "verdict",
            "differs, compatible, or cannot tell and why",
            |row: &Row| row.map(|one| one.verdict_text()),
        )
        .only(Formats::PEOPLE.and(Formats::CSV)),
        Column::text(
            key("verdict"),
            "",
            "differs, compatible, or cannot tell",
            |row: &Row| row.map(|one| one.verdict.name()),
        )
        .only(Formats::JSON),
        Column::text(
            key("reason"),
            "",
            "why the games are not enough for a verdict",
            |row: &Row| row.and_then(|one| one.reason()),
        )
        .only(Formats::JSON),
    ]
}

/// A strategy, by its index, compared with the baseline and ranked among all.
pub(super) fn compared_columns<'a>(all: Option<&'a Comparisons>) -> Vec<Column<'a, usize>> {
    let pair = move |place: &usize| all?.pair(*place);
    let standings = move || all?.standings.as_ref();
    let rank = move |place: &usize| standings()?.rank(*place);
    let against = all.map_or_else(String::new, |all| {
        format!("against {}", all.baseline_label())
    });
    let people_in_general = Formats::TERMINAL.and(Formats::REPORT);
    vec![
        Column::text("rank", "rank", "possible ranks", move |place: &usize| {
            standings()?.rank_text(*place)
        })
        .only(people_in_general),
        Column::whole(
            "rank_best",
            "",
            "best possible rank; all ranks together hold in 95 of 100 runs",
            move |place: &usize| rank(place).map(|rank| rank.best),
        )
        .only(Formats::CSV),
        Column::whole(
            "rank_worst",
            "",
            "worst possible rank",
            move |place: &usize| rank(place).map(|rank| rank.worst),
        )
        .only(Formats::CSV),
        Column::whole(
            "ranks",
            "",
            "number of ranks; strategies that played identically share one",
            move |_: &usize| standings().map(Standings::places),
        )
        .only(Formats::CSV),
        Column::text(
            "class",
            "class",
            "letters; two strategies share one if and only if no difference between them is found",
            move |place: &usize| standings()?.class(*place).map(str::to_owned),
        )
        .only(people_in_general.and(Formats::CSV)),
        Column::text(
            "baseline",
            "",
            "strategy it is compared with",
            move |_: &usize| all.map(|all| all.baseline_label().to_owned()),
        )
        .only(Formats::CSV),
        Column::number(
            "against_difference",
            against,
            "mean difference of the scores from the baseline, game by game",
            move |place: &usize| match all {
                Some(all) if all.baseline == *place => Cell::note("baseline"),
                _ => pair(place).and_then(Pair::difference).into(),
            },
        )
        .digits(Digits::Like("against"))
        .signed()
        .json_key("difference"),
        Column::interval(
            "against",
            "95 % interval",
            "95 % interval of it",
            move |place: &usize| all?.interval(*place),
        )
        .json_key("ci95"),
        Column::interval(
            "against_at_once",
            "simultaneous",
            "interval that holds for all strategies together",
            move |place: &usize| all?.at_once(*place),
        )
        .digits(Digits::Like("against"))
        .end_keys(["against_low_at_once", "against_high_at_once"].map(str::to_owned))
        .json_key("ci95_at_once")
        .only(people_in_general.and(Formats::PROGRAMS)),
        Column::whole(
            "against_games",
            "pairs",
            "games on the same seeds",
            move |place: &usize| pair(place).map(Pair::games),
        )
        .json_key("games")
        .only(people_in_general.and(Formats::PROGRAMS)),
        Column::whole(
            "against_identical",
            "identical",
            "of those, games with the same score, moves and largest tile",
            move |place: &usize| pair(place).map(Pair::identical),
        )
        .json_key("identical")
        .only(people_in_general.and(Formats::PROGRAMS)),
        Column::number(
            "against_correlation",
            "correlation",
            "correlation of both strategies' scores on the same seeds",
            move |place: &usize| pair(place)?.scores.correlation(),
        )
        .digits(Digits::Places(3))
        .json_key("correlation")
        .only(people_in_general.and(Formats::PROGRAMS)),
        Column::number(
            "against_gain",
            "gain",
            "number of games on other seeds that one game on the same seed is worth",
            move |place: &usize| pair(place)?.scores.gain(),
        )
        .digits(Digits::Places(1))
        .json_key("gain")
        .only(people_in_general.and(Formats::PROGRAMS)),
    ]
}

/// A strategy, by its index, as a point of a sweep: its settings.
fn setting_columns<'a>(results: &'a Results, swept: Option<&'a Swept>) -> Vec<Column<'a, usize>> {
    let axis = move |index: usize| swept?.axes.get(index);
    let formats = |index: usize| {
        if axis(index).is_some() {
            Formats::TERMINAL.and(Formats::CSV)
        } else {
            Formats::CSV
        }
    };
    let setting = |index: usize, about: &'static str| {
        Column::text(
            format!("setting_{}", index + 1),
            "",
            about,
            move |place: &usize| {
                swept?.place_of(*place)?;
                axis(index).map(|axis| axis.name.clone())
            },
        )
        .only(Formats::CSV)
    };
    let value = |index: usize| {
        let title = axis(index).map_or_else(String::new, |axis| axis.name.clone());
        Column::number(
            format!("value_{}", index + 1),
            title,
            "its value here",
            move |place: &usize| {
                let swept = swept?;
                let (_, point) = swept.place_of(*place)?;
                swept.at(point).get(index).copied()
            },
        )
        .digits(Digits::Exact)
        .only(formats(index))
    };
    vec![
        Column::text(
            "swept",
            "strategy",
            "for a point of a sweep: the strategy that was swept",
            move |place: &usize| match swept.and_then(|swept| swept.place_of(*place)) {
                Some((line, _)) => Cell::from(line.name.as_str()),
                None => Cell::note(results.contestants[*place].strategy.label()),
            },
        )
        .only(Formats::TERMINAL.and(Formats::CSV)),
        setting(0, "the setting that was swept"),
        value(0),
        setting(1, "the second setting, if there is one"),
        value(1),
    ]
}

/// The same: its difference from the previous value of the last setting.
fn step_columns<'a>(results: &'a Results, swept: Option<&'a Swept>) -> Vec<Column<'a, usize>> {
    let step = move |place: &usize| results.sweep_steps(swept?, *place).pop().flatten();
    vec![
        Column::number(
            "step_difference",
            "to previous value",
            "mean difference of the scores from the previous value of the last setting, game by game",
            move |place: &usize| step(place).map(|step| step.difference),
        )
        .digits(Digits::Like("step"))
        .signed()
        .only(Formats::TERMINAL.and(Formats::CSV)),
        Column::interval("step", "95 % interval", "95 % interval of it", move |place: &usize| {
            step(place).map(|step| step.ci95)
        })
        .only(Formats::TERMINAL.and(Formats::CSV)),
    ]
}

impl Results {
    fn strategies<'a>(&'a self, columns: &[Column<'a, &'a ContestantResult>]) -> Table {
        Table::of(columns, &self.contestants)
    }

    pub(super) fn measured(&self) -> impl Iterator<Item = Measured<'_>> {
        let planned = self.planned();
        self.contestants.iter().map(move |one| Measured {
            summary: &one.summary,
            planned,
        })
    }

    fn places(&self) -> std::ops::Range<usize> {
        0..self.contestants.len()
    }

    fn exactly(&self) -> impl Iterator<Item = Option<&Published>> {
        self.places().map(|place| self.exact().known(place))
    }

    /// The numbers of each strategy for people; of a sweep on the terminal also its settings and steps.
    pub fn measured_table(&self) -> Table {
        let [second, first] = self.shown_tiles();
        let reach = [(second, Formats::TERMINAL), (first, Formats::PEOPLE)];
        let reach = reach
            .into_iter()
            .map(|(tile, formats)| reach_column(tile, formats));
        let measured = Table::of(
            &measured_columns()
                .into_iter()
                .chain(reach)
                .collect::<Vec<_>>(),
            self.measured(),
        );
        let exact = Table::of(&exact_columns(), self.exactly());
        let exact = exact.columns(|head| head.key == "exact_mean" && self.exact().is_any_known());
        match self.swept() {
            None => self
                .strategies(&[name_column()])
                .beside(measured)
                .beside(exact),
            Some(swept) => {
                let settings = Table::of(&setting_columns(self, Some(&swept)), self.places());
                let steps = Table::of(&step_columns(self, Some(&swept)), self.places());
                let name = name_column().only(Formats::REPORT.and(Formats::PAPER));
                self.strategies(&[name])
                    .beside(settings)
                    .beside(measured)
                    .beside(exact)
                    .beside(steps)
            }
        }
    }

    /// The same, and each strategy compared with the baseline.
    pub(super) fn wide_table(&self) -> Table {
        let compared = self
            .compared_table()
            .unwrap_or_default()
            .columns(|head| head.key != "name");
        self.measured_table().beside(compared)
    }

    /// Each strategy compared with the baseline. `None` with one strategy.
    pub fn compared_table(&self) -> Option<Table> {
        let compared = Table::of(&compared_columns(Some(self.comparisons()?)), self.places());
        Some(self.strategies(&[name_column()]).beside(compared))
    }

    /// A row for each number of others: published ones, or exact ones. Empty if there are none.
    pub fn tested_table(&self, verdicts: &Verdicts, theirs: &str) -> Table {
        let (strategies, tested): (Vec<_>, Vec<_>) = (self.contestants.iter().zip(&verdicts.rows))
            .flat_map(|(one, tested)| tested.iter().map(move |test| (one, Some(*test))))
            .unzip();
        Table::of(&[name_column()], strategies)
            .beside(Table::of(&tested_columns(theirs, ""), tested))
    }

    /// Decisions and nodes of each strategy that searches, by the number of empty cells.
    pub fn by_empty_table(&self) -> Table {
        let (names, rows): (Vec<_>, Vec<_>) = (self.contestants.iter().zip(self.measured()))
            .flat_map(|(one, measured)| by_empty_rows(measured).map(move |row| (one, row)))
            .unzip();
        Table::of(&[name_column()], names).beside(Table::of(&by_empty_columns(), rows))
    }

    /// The same of one strategy, without its name. `None` if nothing was searched, or it was not saved.
    pub(super) fn by_empty_of(&self, place: usize) -> Option<Table> {
        let measured = self.measured().nth(place)?;
        let is_known = measured
            .summary
            .nodes_by_empty()
            .is_ok_and(|rows| !rows.is_empty());
        is_known.then(|| Table::of(&by_empty_columns(), by_empty_rows(measured)))
    }

    /// All statistics of each strategy, for programs.
    pub fn summary_table(&self) -> Table {
        let tiles = self.reached_tiles();
        let reach = tiles.iter().map(|&tile| reach_column(tile, Formats::CSV));
        let mut published = published_columns();
        published.extend(tiles.iter().map(|&tile| published_reach_column(tile)));
        let swept = self.swept();
        let mut table = self
            .strategies(&strategy_columns())
            .beside(Table::of(
                &measured_columns()
                    .into_iter()
                    .chain(reach)
                    .collect::<Vec<_>>(),
                self.measured(),
            ))
            .beside(Table::of(
                &published,
                self.contestants.iter().map(|one| one.published.as_ref()),
            ));

        let tested = self.verdicts().rows;
        let quantities = Quantity::OF_SCORES
            .into_iter()
            .chain(tiles.iter().map(|&tile| Quantity::Reach(tile)));
        for what in quantities {
            let row = |tested: &Vec<Tested>| tested.iter().find(|one| one.what == what).copied();
            let key = what.key();
            let mut judged = Table::of(
                &tested_columns("published", &format!("_{key}")),
                tested.iter().map(row),
            );
            judged
                .heads
                .iter_mut()
                .for_each(|head| head.about = format!("{key}: {}", head.about));
            table = table.beside(judged);
        }

        table = table
            .beside(Table::of(
                &compared_columns(self.comparisons()),
                self.places(),
            ))
            .beside(Table::of(
                &setting_columns(self, swept.as_ref()),
                self.places(),
            ))
            .beside(Table::of(
                &step_columns(self, swept.as_ref()),
                self.places(),
            ));
        if self.contestants.iter().any(|one| is_exact(one.rules)) {
            let mut exact = exact_columns();
            exact.extend(tiles.iter().map(|&tile| exact_reach_column(tile)));
            table = table.beside(Table::of(&exact, self.exactly()));
        }
        table
    }
}

impl Verdicts {
    /// Numbers of others next to the measured ones, as people see them: quantity, theirs, ours, difference, interval,
    /// verdict.
    pub fn table_of(tested: &[Tested]) -> Table {
        Table::of(
            &tested_columns("published", ""),
            tested.iter().copied().map(Some),
        )
        .only(Formats::PEOPLE)
    }
}

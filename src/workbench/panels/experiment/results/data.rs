//! The rows of the results, computed without a window.

use std::sync::Arc;

use itertools::Itertools as _;

use super::against::Difference;
use super::judgement::{Judgement, published_cell};
use crate::experiment::{
    Apart, Common, ExactRows, Measured, Pair, Plan, Reach, Snapshot, Standings, Summary, Verdicts,
    measured_columns,
};
use crate::preset::Published;
use crate::prose::share_of_best_play;
use crate::solve::{BestPlay, Goal};
use crate::stats::{Interval, IntervalKind, Planned};
use crate::table::{Cell, Column, Digits, Formats, Table};
use crate::words;
use crate::workbench::kit::{Sort, row_order};
use crate::workbench::panels::experiment::run_view::{RunContestant, RunView};

/// A longer baseline name is left out of headers.
const LONGEST_BASELINE: usize = 14;

/// Keys of columns with their own cells.
pub(super) const EYE: &str = "eye";
pub(super) const NAME: &str = "name";
pub(super) const RANK: &str = "rank";
pub(super) const CLASS: &str = "class";
pub(super) const GAMES: &str = "games";
pub(super) const MEAN: &str = "mean";
pub(super) const AGAINST: &str = "difference";
pub(super) const EXACT: &str = "exact_mean";
pub(super) const EXACT_VERDICT: &str = "exact_verdict";
pub(super) const VERDICT: &str = "verdict";

/// What the columns depend on.
#[derive(Default)]
pub(super) struct Known {
    baseline: String,
    /// Number of ranks; 0 before they are known.
    ranks: usize,
    has_published: bool,
    has_exact: bool,
    has_best: bool,
}

/// How a column takes the room.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRoom {
    /// Minimum width: that of usual values.
    pub least: f32,
    /// Its place among the columns that fold away if they do not fit, from 1; 0 if it never does.
    folds: u8,
    /// Whether it has content.
    pub says: bool,
}

/// The columns, left to right.
pub(super) fn columns<'a>(context: &Known) -> [(Column<'a, &'a ResultsRow>, ColumnRoom); 20] {
    type Row<'a> = &'a ResultsRow;
    let with_room = |column: Column<'a, Row<'a>>, least: f32, folds: u8| {
        (
            column,
            ColumnRoom {
                least,
                folds,
                says: true,
            },
        )
    };
    let when = |says: bool, (column, room): (Column<'a, Row<'a>>, ColumnRoom)| {
        (column, ColumnRoom { says, ..room })
    };
    let measured = |key: &str| {
        let mut all = measured_columns().into_iter();
        let column = all
            .find(|column| column.head.key == key)
            .expect("a measured column");
        column
            .within(|row: &Row<'a>| row.measured())
            .only(Formats::ALL)
    };
    let Known {
        baseline,
        ranks,
        has_published,
        has_exact,
        has_best,
    } = context;
    let rank = if *ranks == 0 {
        "rank".to_owned()
    } else {
        format!("rank of {ranks}")
    };
    let about_rank = "Possible ranks, with 95 % confidence for all strategies together; known when the run is over";
    let class = "No difference is found between strategies that share a letter, all pairs at once. Sorted by class, lines \
        separate rows without a common letter";
    // A long name would leave no room for the numbers' meaning.
    let is_short = baseline.chars().count() <= LONGEST_BASELINE;
    let against = if is_short {
        format!("against {baseline} ± 95 %")
    } else {
        "difference ± 95 %".to_owned()
    };
    let about_against = "Mean difference from the baseline on the same seeds, with the half-width of its 95 % interval";
    let exact = "Mean score of infinitely many games, computed from every reachable board, and whether the games agree with \
        it";
    let exact_verdict = "Measured minus exact mean score, with the 95 % interval of the difference";
    let of_best = "Exact value, or else the measured value, as a share of the value of best play";
    let published = "Published mean score, or a published reach rate where no mean is known";
    let verdict = "Measured minus published, with the 95 % interval of the difference, which includes both uncertainties. \
        The sign says whether the games are compatible with the published number";
    [
        with_room(
            Column::text(EYE, "", "Show or hide in the plots", |_: &Row<'a>| ""),
            24.0,
            0,
        ),
        with_room(
            Column::text(NAME, "strategy", "Name of the strategy", |row: &Row<'a>| {
                row.name()
            }),
            62.0,
            0,
        ),
        with_room(
            Column::number(RANK, rank, about_rank, |row: &Row<'a>| {
                row.rank.clone().unzip().0
            })
            .rising(),
            64.0,
            7,
        ),
        with_room(
            Column::number(CLASS, "class", class, |row: &Row<'a>| row.class.clone()).rising(),
            40.0,
            6,
        ),
        with_room(
            Column::whole(GAMES, "n", "Finished games", |row: &Row<'a>| {
                row.summary.games()
            })
            .named(),
            40.0,
            0,
        ),
        with_room(
            Column::estimate(
                MEAN,
                "mean ± 95 %",
                "Mean score, with the half-width of its 95 % interval",
                |row: &Row<'a>| row.summary.scores.mean().map(|mean| (mean, row.interval())),
            ),
            104.0,
            0,
        ),
        with_room(measured("ci95"), 96.0, 5),
        with_room(measured("sd"), 40.0, 15),
        with_room(measured("median"), 48.0, 13),
        with_room(measured("quartiles"), 90.0, 3),
        with_room(measured("max"), 48.0, 12),
        with_room(measured("moves_per_game"), 40.0, 4),
        with_room(measured("nodes_per_move"), 40.0, 2),
        with_room(measured("seconds_per_move"), 50.0, 1),
        with_room(
            Column::estimate(AGAINST, against, about_against, |row: &Row<'a>| {
                row.difference()
            })
            .signed(),
            104.0,
            16,
        ),
        when(
            *has_exact,
            with_room(
                Column::number(EXACT, "exact mean", exact, |row: &Row<'a>| row.exact_mean)
                    .digits(Digits::Places(2)),
                62.0,
                14,
            ),
        ),
        when(
            *has_exact,
            with_room(
                Column::text(
                    EXACT_VERDICT,
                    "exact verdict, difference",
                    exact_verdict,
                    |row: &Row<'a>| row.exact.as_ref().map(Judgement::cell),
                )
                .falling(),
                132.0,
                11,
            ),
        ),
        when(
            *has_best,
            with_room(
                Column::number("of_best", "of best", of_best, |row: &Row<'a>| {
                    row.of_best.clone()
                }),
                62.0,
                8,
            ),
        ),
        when(
            *has_published,
            with_room(
                Column::number("published", "published", published, |row: &Row<'a>| {
                    row.published.clone()
                }),
                54.0,
                9,
            ),
        ),
        when(
            *has_published,
            with_room(
                Column::text(
                    VERDICT,
                    "verdict, difference, 95 %",
                    verdict,
                    |row: &Row<'a>| row.judgement.as_ref().map(Judgement::cell),
                )
                .falling(),
                132.0,
                10,
            ),
        ),
    ]
}

/// The numbers of the columns with these keys.
pub(super) fn columns_of<'k>(keys: impl IntoIterator<Item = &'k str>) -> Vec<usize> {
    let all = columns(&Known::default());
    keys.into_iter()
        .filter_map(|key| all.iter().position(|(column, _)| column.head.key == key))
        .collect()
}

#[derive(Clone, Debug)]
pub(super) struct ResultsRow {
    pub contestant: RunContestant,
    pub is_baseline: bool,
    /// Other strategies that played the same games and share this row.
    pub alike: Vec<String>,
    /// Hidden because another row represents it.
    is_folded: bool,
    summary: Arc<Summary>,
    planned: Planned,
    pub running: bool,
    /// From 0 to 1.
    pub done: f32,
    /// Its possible ranks, `1 to 4`, and the details.
    pub rank: Option<(Cell, String)>,
    /// Its letters among the groups of indistinguishable strategies.
    class: Option<Cell>,
    /// The difference to the baseline; `None` for the baseline itself.
    pub against: Option<Difference>,
    published: Option<Cell>,
    /// The verdict, once the run is over.
    pub judgement: Option<Judgement>,
    exact_mean: Option<f64>,
    /// The verdict on the games by the exact numbers, once the run is over.
    pub exact: Option<Judgement>,
    /// The share of the value of best play, in percent.
    of_best: Option<Cell>,
}

impl ResultsRow {
    fn measured(&self) -> Measured<'_> {
        Measured {
            summary: &self.summary,
            planned: self.planned,
        }
    }

    /// 95 % interval of the mean.
    fn interval(&self) -> Option<Interval> {
        self.planned.mean_interval(&self.summary.scores)
    }

    fn name(&self) -> Cell {
        let label = &self.contestant.label;
        let text = match &*self.alike {
            [] => label.clone(),
            [other] => format!("{label} = {other}"),
            others => format!("{label} = {} more", others.len()),
        };
        Cell::shown(text, label.clone())
    }

    fn difference(&self) -> Cell {
        if self.is_baseline {
            Cell::shown("baseline", 0.0)
        } else {
            self.against.as_ref().map(Difference::cell).into()
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct ResultsTable {
    /// One row per strategy, in the order of the run.
    pub rows: Vec<ResultsRow>,
    pub data: Table,
    pub rooms: Vec<ColumnRoom>,
    /// The cells as people see them, and with the decimals that these omit.
    pub texts: Vec<Vec<String>>,
    pub exactly: Vec<Vec<String>>,
    /// The guarantee of intervals with fewer games than planned; `None` once all are played.
    pub promise: Option<&'static str>,
    /// Number of ranks; 0 before they are known.
    places: usize,
    /// The guarantee of the ranks and its number of games; `None` if they separate no two strategies.
    ranks: Option<(String, u64)>,
    /// Notes on indistinguishable strategies, identical play, and unpaired differences.
    pub standings: Vec<String>,
    /// The smallest and largest number of pairs behind a difference.
    pairs: Option<[u64; 2]>,
}

impl ResultsTable {
    pub(super) fn new(snapshot: &Snapshot, plan: &Plan, view: &RunView, pairs: &[Pair]) -> Self {
        let standings = view.standings.known();
        let ended = snapshot.progress.state.has_ended();
        let published = |place: usize| {
            plan.contestants
                .get(place)
                .and_then(|contestant| contestant.published.as_ref())
        };
        let planned_games =
            |place: usize| view.dealt(place).map_or(plan.games, |dealt| dealt.games);

        // A verdict before the end of the run would be optional stopping.
        let verdicts = if ended {
            let summaries = snapshot.summaries.iter().enumerate();
            Verdicts::of(
                summaries
                    .map(|(place, summary)| (view.planned(place), &**summary, published(place))),
            )
        } else {
            Verdicts::default()
        };

        let (exact_rows, best) = (view.exact.rows(), view.exact.best());
        let exact_verdicts =
            exact_rows
                .filter(|_| ended)
                .map_or_else(Verdicts::default, |exact_rows| {
                    let summaries = snapshot.summaries.iter().enumerate();
                    exact_rows.verdicts(
                        summaries.map(|(place, summary)| (view.planned(place), &**summary)),
                    )
                });
        let mut rows: Vec<ResultsRow> = view
            .contestants()
            .iter()
            .enumerate()
            .zip(&snapshot.summaries)
            .map(|((place, contestant), summary)| {
                let (planned, games) = (view.planned(place), summary.games());
                let tested = verdicts.rows.get(place).zip(published(place));
                let exact = exact_rows.and_then(|exact_rows| exact_rows.known(place));
                let tested_exactly = exact_verdicts.rows.get(place).zip(exact);
                let class = standings.and_then(|standings| standings.class(place));
                let interval = planned.mean_interval(&summary.scores);
                ResultsRow {
                    contestant: contestant.clone(),
                    is_baseline: place == view.baseline(),
                    alike: Vec::new(),
                    is_folded: false,
                    summary: summary.clone(),
                    planned,
                    running: !ended && games < planned_games(place),
                    done: (games as f64 / planned_games(place).max(1) as f64) as f32,
                    rank: standings.and_then(|standings| rank_cell(standings, place)),
                    class: class.map(|letters| Cell::shown(letters, class_order(letters))),
                    against: difference(snapshot, view, place, pairs, standings),
                    published: published(place).and_then(published_cell),
                    judgement: tested
                        .and_then(|(tested, published)| Judgement::of(tested, published)),
                    exact_mean: exact.and_then(|exact| exact.mean),
                    exact: tested_exactly
                        .and_then(|(tested, exact)| Judgement::exact(tested, exact)),
                    of_best: best.and_then(|best| {
                        of_best(best, exact, interval, &summary.reach_from(1, planned))
                    }),
                }
            })
            .collect();
        for group in standings.into_iter().flat_map(Standings::alike) {
            fold(&mut rows, group, view.baseline());
        }

        let early =
            |row: &ResultsRow| row.planned.kind(row.summary.games()) == IntervalKind::Anytime;
        let promise = rows
            .iter()
            .any(early)
            .then(|| IntervalKind::Anytime.promise());
        let label = |place: usize| {
            view.contestants()
                .get(place)
                .map_or(String::new(), |one| one.label.clone())
        };
        let not_apart = standings
            .and_then(|all| all.not_apart_text(label))
            .map(|text| words::capitalised(&text));
        let alike = standings.into_iter().flat_map(|all| all.alike_texts(label));
        let about: Vec<String> = not_apart
            .into_iter()
            .chain(common_texts(view))
            .chain(alike)
            .collect();
        let places = standings.map_or(0, Standings::places);
        let tells = standings.filter(|all| !all.tells_none_apart());
        let ranks = tells.map(|all| (words::capitalised(&all.about()), all.games()));
        if let Some(legend) =
            Verdicts::legend_of(&[(&verdicts, "published"), (&exact_verdicts, "exact")])
        {
            let judgements = rows
                .iter_mut()
                .flat_map(|row| row.judgement.iter_mut().chain(&mut row.exact));
            judgements.for_each(|judgement| {
                judgement.about += &format!("\n{}", words::capitalised(&legend));
            });
        }
        let paired = rows
            .iter()
            .zip(pairs)
            .filter(|(row, _)| row.against.as_ref().is_some_and(|one| !one.is_apart));
        let pairs = paired
            .map(|(_, pair)| pair.games())
            .minmax()
            .into_option()
            .map(|(least, most)| [least, most]);
        let context = Known {
            baseline: view.label(view.baseline()).to_owned(),
            ranks: places,
            has_published: plan
                .contestants
                .iter()
                .any(|contestant| contestant.published.is_some()),
            has_exact: exact_rows.is_some_and(ExactRows::is_any_known),
            has_best: best.is_some(),
        };
        let rooms = columns(&context).map(|(_, room)| room).to_vec();
        let data = Table::of(&columns(&context).map(|(column, _)| column), &rows);
        let mut exact = data.clone();
        let formats = exact.heads.iter_mut().map(|head| &mut head.format);
        formats
            .filter(|format| format.digits != Digits::Three)
            .for_each(|format| format.digits = Digits::Places(3));
        let (texts, exactly) = (data.texts(), exact.texts());
        Self {
            rows,
            data,
            rooms,
            texts,
            exactly,
            promise,
            places,
            ranks,
            standings: about,
            pairs,
        }
    }

    /// The columns that fold away if they do not fit, the first one first; the verdict becomes a sign before.
    pub(super) fn folding(&self) -> impl Iterator<Item = usize> {
        let folds = |&column: &usize| self.rooms[column].folds;
        let verdict = self.data.column(VERDICT);
        let order = (0..self.rooms.len())
            .filter(move |column| folds(column) != 0)
            .sorted_by_key(folds);
        order.flat_map(move |column| {
            std::iter::repeat_n(column, 1 + usize::from(Some(column) == verdict))
        })
    }

    /// The sample of the differences: "differences of 50 to 62 pairs of games".
    pub(super) fn pairs_text(&self) -> Option<String> {
        let [least, most] = self.pairs?;
        let from = if least < most {
            format!("{} to ", words::count(least))
        } else {
            String::new()
        };
        Some(format!(
            "differences of {from}{} of games",
            words::plural(most, "pair")
        ))
    }

    /// The guarantee of the ranks; without a rank column, also the first few ranks.
    pub(super) fn ranks_text(&self, has_column: bool) -> Option<String> {
        const MOST: usize = 4;
        let (about, games) = self.ranks.as_ref()?;
        let by_rank = Sort::new(self.data.column(RANK)?, false);
        let rows = self
            .sorted(&by_rank, true)
            .into_iter()
            .map(|row| &self.rows[row]);
        let ranked: Vec<(String, &str)> = rows
            .filter_map(|row| Some((row.rank.as_ref()?.0.to_string(), &*row.contestant.label)))
            .collect();
        if has_column || self.places < 2 || ranked.is_empty() {
            return Some(about.clone());
        }
        let texts = ranked
            .iter()
            .take(MOST)
            .map(|(rank, label)| format!("{rank} {label}"));
        let rest = if ranked.len() <= MOST { "" } else { ", …" };
        let texts = texts.collect::<Vec<_>>().join(", ");
        let games = words::count(*games);
        Some(format!(
            "Ranking of {} (95 % confidence, n = {games}): {texts}{rest}",
            self.places
        ))
    }

    /// Sorted indices of `rows`, of all rows or without the folded ones.
    pub(super) fn sorted(&self, sort: &Sort<usize>, folds: bool) -> Vec<usize> {
        let is_shown = |&row: &usize| !(folds && self.rows[row].is_folded);
        row_order(&self.data, sort)
            .into_iter()
            .filter(is_shown)
            .collect()
    }
}

/// Merges the rows of contestants with identical games into one: the baseline's, else the first with published numbers,
/// else the first. A contestant with published numbers keeps its row, because it has its own verdict.
fn fold(rows: &mut [ResultsRow], group: &[usize], baseline: usize) {
    let is_published = |place: usize| rows[place].published.is_some();
    let of_baseline = group.iter().position(|&place| place == baseline);
    let first = of_baseline
        .or_else(|| group.iter().position(|&place| is_published(place)))
        .unwrap_or(0);
    let folded: Vec<usize> = group
        .iter()
        .copied()
        .filter(|&place| place != group[first] && !is_published(place))
        .collect();
    for place in folded {
        rows[place].is_folded = true;
        let label = rows[place].contestant.label.clone();
        rows[group[first]].alike.push(label);
    }
}

/// The difference of a strategy to the baseline, depending on what their games have in common.
fn difference(
    snapshot: &Snapshot,
    view: &RunView,
    place: usize,
    pairs: &[Pair],
    standings: Option<&Standings>,
) -> Option<Difference> {
    let baseline = view.baseline();
    match view.in_common(place) {
        _ if place == baseline => None,
        Common::Nothing => None,
        Common::Tiles => Difference::new(
            pairs.get(place)?,
            place,
            baseline,
            view.planned_of_both(place, baseline),
            standings,
        ),
        Common::Rules => {
            let side =
                |place: usize| Some((&**snapshot.summaries.get(place)?, view.planned(place)));
            Apart::of([side(place)?, side(baseline)?])
                .as_ref()
                .map(Difference::apart)
        }
    }
}

/// The share of the value of best play in percent, from the exact number, else the measured one.
fn of_best(
    best: &BestPlay,
    exact: Option<&Published>,
    mean: Option<Interval>,
    reach: &[Reach],
) -> Option<Cell> {
    let percent = |number: f64| 100.0 * number / best.value;
    let (exact, measured) = match best.goal {
        Goal::Score => (exact.and_then(|exact| exact.mean), mean),
        Goal::Reach(rank) => (
            exact
                .and_then(|exact| exact.reach.iter().find(|(tile, _)| *tile == rank.tile()))
                .map(|&(_, share)| share),
            reach
                .iter()
                .find(|reach| reach.tile == rank.tile())
                .map(|reach| reach.ci95),
        ),
    };
    if let Some(exact) = exact {
        return Some(Cell::shown(
            format!("{} %", words::decimals(percent(exact), 2)),
            percent(exact),
        ));
    }
    let Interval { low, high } = measured?;
    let text = format!(
        "{} to {} %",
        share_of_best_play(low, best),
        share_of_best_play(high, best)
    );
    Some(Cell::shown(text, percent((low + high) / 2.0)))
}

/// Explains the kinds of differences if runs with different seeds or rules are compared.
fn common_texts(view: &RunView) -> Vec<String> {
    let count = |common: Common| {
        (0..view.contestants().len())
            .filter(|&place| view.in_common(place) == common)
            .count()
    };
    let baseline = view
        .contestants()
        .get(view.baseline())
        .map_or("", |one| one.label.as_str());
    let mut texts = Vec::new();
    if 0 < count(Common::Rules) {
        // The baseline always shares its own tiles.
        let paired = if count(Common::Tiles) < 2 {
            ""
        } else {
            "; all other differences are paired"
        };
        texts.push(format!(
            "W: Welch, as the seed differs from that of {baseline}{paired}"
        ));
    }
    if 0 < count(Common::Nothing) {
        texts.push(format!(
            "No difference where the rules differ from those of {baseline}"
        ));
    }
    texts
}

/// Sorts by best class, then by fewer further classes.
fn class_order(letters: &str) -> f64 {
    // Small letters come before capitals.
    let place = |letter: char| {
        if letter.is_ascii_lowercase() {
            letter as u8 - b'a'
        } else {
            letter as u8 - b'A' + 26
        }
    };
    letters.chars().rev().fold(0.0, |order, letter| {
        f64::from(place(letter)) + 1.0 + order / 100.0
    })
}

/// The possible ranks of a strategy, and how they were found. Ties in the best rank are sorted by the worst rank.
fn rank_cell(standings: &Standings, place: usize) -> Option<(Cell, String)> {
    let rank = standings.rank(place)?;
    let places = if rank.best == rank.worst {
        rank.best.to_string()
    } else {
        format!("{} to {}", rank.best, rank.worst)
    };
    let about = format!(
        "{}\n{}",
        standings.rank_text(place)?,
        words::capitalised(&standings.about())
    );
    Some((
        Cell::shown(places, rank.best as f64 + 1e-6 * rank.worst as f64),
        about,
    ))
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fold_in_an_order_in_which_own_numbers_outlast_the_ranks() {
        let (columns, rooms): (Vec<_>, Vec<_>) = columns(&Known::default()).into_iter().unzip();
        let heads = columns
            .into_iter()
            .map(|column: Column<'_, &ResultsRow>| column.head)
            .collect();
        let table = ResultsTable {
            rooms,
            data: Table {
                heads,
                rows: Vec::new(),
            },
            ..ResultsTable::default()
        };
        let folding: Vec<&str> = table
            .folding()
            .map(|column| &*table.data.heads[column].key)
            .collect();
        let place = |key: &str| {
            folding
                .iter()
                .position(|other| *other == key)
                .expect("it folds")
        };
        assert!(
            ["max", "median", "sd"]
                .into_iter()
                .all(|key| place(RANK) < place(key)),
            "{folding:?}"
        );
        assert_eq!(
            folding[place(VERDICT) + 1],
            VERDICT,
            "as a sign, then not at all"
        );
        let mut folds: Vec<u8> = table
            .rooms
            .iter()
            .map(|room| room.folds)
            .filter(|&place| place != 0)
            .collect();
        folds.sort_unstable();
        assert!(
            folds.iter().copied().eq(1..=folds.len() as u8),
            "one after the other: {folds:?}"
        );
    }
}

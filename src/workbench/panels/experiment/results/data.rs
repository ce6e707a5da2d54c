//! The rows of the results, computed without a window.

use super::against::Difference;
use super::judgement::{Judgement, published_text};
use crate::experiment::{
    Apart, Common, ExactRows, Measured, Pair, Plan, Reach, Snapshot, Standings, Verdicts, measured_columns,
};
use crate::preset::Published;
use crate::prose::share_of_best_play;
use crate::solve::{BestPlay, Goal};
use crate::stats::{Interval, IntervalKind};
use crate::table::{Head, MISSING, Table, places_of_halves};
use crate::words;
use crate::workbench::kit::{Sort, folded, unfolded};
use crate::workbench::panels::experiment::run_view::{RunContestant, RunView};

/// A longer baseline name is left out of headers.
const LONGEST_BASELINE: usize = 14;

/// A column of the table, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResultsColumn {
    Eye,
    Strategy,
    Rank,
    Class,
    Games,
    Mean,
    Interval,
    Deviation,
    Median,
    Quartiles,
    Max,
    Moves,
    Nodes,
    Time,
    Against,
    Exact,
    ExactVerdict,
    OfBest,
    Published,
    Verdict,
    /// The verdict as a sign, where its words do not fit.
    Sign,
}

/// Where the title and the meaning of a column are.
#[derive(Clone, Copy)]
pub(super) enum ColumnText {
    /// In the column of [`measured_columns`] with this key.
    Measured(&'static str),
    /// Title and meaning.
    Own(&'static str, &'static str),
}

impl ResultsColumn {
    /// Left to right: text and minimum width.
    pub(super) const ALL: [(Self, ColumnText, f32); 21] = [
        (Self::Eye, ColumnText::Own("", "Show or hide in the plots"), 24.0),
        (Self::Strategy, ColumnText::Own("Strategy", "Name of the strategy"), 62.0),
        (
            Self::Rank,
            ColumnText::Own(
                "Rank",
                "Possible ranks, with 95 % confidence for all strategies together; known when the run is over",
            ),
            40.0,
        ),
        (
            Self::Class,
            ColumnText::Own(
                "Class",
                "No difference is found between strategies that share a letter, all pairs at once. Sorted by class, lines \
                 separate rows without a common letter",
            ),
            40.0,
        ),
        (Self::Games, ColumnText::Own("n", "Finished games"), 40.0),
        (Self::Mean, ColumnText::Own("Mean ± 95 %", "Mean score, with the half-width of its 95 % interval"), 86.0),
        (Self::Interval, ColumnText::Measured("ci95"), 96.0),
        (Self::Deviation, ColumnText::Measured("sd"), 40.0),
        (Self::Median, ColumnText::Measured("median"), 40.0),
        (Self::Quartiles, ColumnText::Measured("quartiles"), 90.0),
        (Self::Max, ColumnText::Measured("max"), 40.0),
        (Self::Moves, ColumnText::Measured("moves_per_game"), 40.0),
        (Self::Nodes, ColumnText::Measured("nodes_per_move"), 40.0),
        (Self::Time, ColumnText::Measured("seconds_per_move"), 50.0),
        (
            Self::Against,
            ColumnText::Own(
                "Difference ± 95 %",
                "Mean difference from the baseline on the same seeds, with the half-width of its 95 % interval",
            ),
            90.0,
        ),
        (
            Self::Exact,
            ColumnText::Own(
                "Exact mean",
                "Mean score of infinitely many games, computed from every reachable board, and whether the games agree \
                 with it",
            ),
            62.0,
        ),
        (
            Self::ExactVerdict,
            ColumnText::Own(
                "Exact verdict, difference",
                "Measured minus exact mean score, with the 95 % interval of the difference",
            ),
            132.0,
        ),
        (
            Self::OfBest,
            ColumnText::Own("Of best", "Exact value, or else the measured value, as a share of the value of best play"),
            62.0,
        ),
        (
            Self::Published,
            ColumnText::Own("Published", "Published mean score, or a published reach rate where no mean is known"),
            54.0,
        ),
        (
            Self::Verdict,
            ColumnText::Own(
                "Verdict, difference, 95 %",
                "Measured minus published, with the 95 % interval of the difference, which includes both uncertainties",
            ),
            132.0,
        ),
        (Self::Sign, ColumnText::Own("✓✗", "Whether the games are compatible with the published number"), 24.0),
    ];

    /// The columns that fold away when they do not fit, in this order.
    const FOLDING: [Self; 16] = [
        Self::Time,
        Self::Nodes,
        Self::Quartiles,
        Self::Moves,
        Self::Interval,
        Self::Class,
        // The differences imply the rank; the row's own numbers follow from nothing else.
        Self::Rank,
        Self::OfBest,
        Self::Published,
        Self::Verdict,
        Self::ExactVerdict,
        Self::Max,
        Self::Median,
        Self::Exact,
        Self::Deviation,
        Self::Against,
    ];

    /// Its name in the settings file.
    pub(super) fn key(self) -> String {
        format!("{self:?}")
    }

    pub(super) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().map(|(column, ..)| column).find(|column| column.key() == key)
    }

    pub(super) fn title(self, table: &ResultsTable) -> String {
        let baseline = &table.baseline;
        match self {
            Self::Rank if 0 < table.places => format!("Rank of {}", table.places),
            // A long name would leave no room for the numbers' meaning.
            Self::Against if baseline.chars().count() <= LONGEST_BASELINE => format!("Against {baseline} ± 95 %"),
            _ => match Self::ALL[self as usize].1 {
                ColumnText::Own(title, _) => title.to_owned(),
                ColumnText::Measured(key) => table.head(key, Head::capitalised),
            },
        }
    }

    /// The meaning of its values.
    pub(super) fn about(self, table: &ResultsTable) -> String {
        match Self::ALL[self as usize].1 {
            ColumnText::Own(_, about) => about.to_owned(),
            ColumnText::Measured(key) => table.head(key, |head| words::capitalised(&head.about)),
        }
    }

    /// The key of its column among [`measured_columns`].
    fn measured_key(self) -> Option<&'static str> {
        match (self, Self::ALL[self as usize].1) {
            (Self::Games, _) => Some("games"),
            (Self::Mean, _) => Some("mean"),
            (_, ColumnText::Measured(key)) => Some(key),
            (_, ColumnText::Own(..)) => None,
        }
    }

    /// The initial width as a sample text; intervals of the first games are wide.
    pub(super) fn usual(self, is_busy: bool) -> &'static str {
        match self {
            // The text once the ranks are known.
            Self::Rank => "Rank of 65",
            Self::Deviation => "0,000",
            Self::Median | Self::Max | Self::Published => "00,000",
            Self::Mean if is_busy => "00,000 ± 00,000",
            Self::Mean => "00,000 ± 0,000",
            Self::Against if is_busy => "+00,000 ± 00,000",
            Self::Against => "+0,000 ± 0,000",
            _ => "",
        }
    }

    /// Whether its values are numbers, aligned right.
    pub(super) fn is_right(self) -> bool {
        !matches!(self, Self::Eye | Self::Strategy | Self::ExactVerdict | Self::Verdict | Self::Sign)
    }

    /// Whether it has content in a table with this extra data.
    fn says(self, has: Has) -> bool {
        match self {
            Self::Published | Self::Verdict => has.published,
            Self::Exact | Self::ExactVerdict => has.exact,
            Self::OfBest => has.best,
            _ => true,
        }
    }

    /// The columns that the user can hide.
    pub(super) fn optional(has: Has) -> impl Iterator<Item = Self> {
        let fixed = [Self::Eye, Self::Strategy, Self::Sign];
        let all = Self::ALL.map(|(column, ..)| column).into_iter();
        all.filter(move |column| !fixed.contains(column) && column.says(has))
    }

    /// The columns that fit into `room`, `gap` apart, without empty or hidden ones.
    pub(super) fn fitting(room: f32, gap: f32, has: Has, hidden: &[Self], width: impl Fn(Self) -> f32) -> Vec<Self> {
        let says = |column: &Self| !hidden.contains(column) && column.says(has);
        let all = Self::ALL.map(|(column, ..)| column).into_iter().filter(|&column| column != Self::Sign);
        let fits = |columns: &[Self]| columns.iter().map(|&column| width(column) + gap).sum::<f32>() - gap <= room;
        let mut columns = folded(all.filter(says).collect(), &Self::FOLDING, fits);
        // The verdict as words, or as a sign.
        let with: Vec<Self> = columns.iter().copied().chain([Self::Sign]).collect();
        let has_sign =
            has.published && !hidden.contains(&Self::Verdict) && !columns.contains(&Self::Verdict) && fits(&with);
        if has_sign {
            columns = with;
        }

        let is_wanted = |column| says(&column) && !(has_sign && column == Self::Verdict);
        unfolded(columns, &Self::FOLDING, is_wanted, fits)
    }
}

/// The table's data besides its measured numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Has {
    pub published: bool,
    pub exact: bool,
    /// The value of best play.
    pub best: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultsRow {
    /// Place of the strategy in the run.
    pub place: usize,
    pub contestant: RunContestant,
    /// Other strategies that played the same games and share this row.
    pub alike: Vec<String>,
    /// Hidden because another row represents it.
    is_folded: bool,
    pub games: u64,
    pub running: bool,
    /// From 0 to 1.
    pub done: f32,
    /// The sort values by column.
    values: [Option<f64>; ResultsColumn::ALL.len()],
    /// The texts of the measured columns.
    measured: [Option<String>; ResultsColumn::ALL.len()],
    /// 95 % interval of the mean.
    pub interval: Option<Interval>,
    /// Decimals of its half-width, the same in all rows.
    half_places: usize,
    /// Its possible ranks, `1 to 4`, and the details.
    pub rank: Option<[String; 2]>,
    /// Its letters among the groups of indistinguishable strategies.
    class: Option<String>,
    /// The difference to the baseline; `None` for the baseline itself.
    pub against: Option<Difference>,
    /// The published number.
    published: Option<String>,
    /// The verdict, once the run is over.
    pub judgement: Option<Judgement>,
    /// The verdict on the games by the exact numbers, once the run is over.
    pub exact: Option<Judgement>,
    /// The share of the value of best play, in percent.
    of_best: Option<String>,
}

impl ResultsRow {
    fn value(&self, column: ResultsColumn) -> Option<f64> {
        self.values[column as usize]
    }

    /// The text of a cell that determines its column's width.
    pub(super) fn text(&self, column: ResultsColumn) -> String {
        let text = match column {
            ResultsColumn::Eye | ResultsColumn::Sign => Some(String::new()),
            ResultsColumn::Strategy => Some(match &*self.alike {
                [] => self.contestant.label.clone(),
                [other] => format!("{} = {other}", self.contestant.label),
                others => format!("{} = {} more", self.contestant.label, others.len()),
            }),
            ResultsColumn::Rank => self.rank.as_ref().map(|[places, _]| places.clone()),
            ResultsColumn::Class => self.class.clone(),
            ResultsColumn::Against => {
                self.against.as_ref().map(|one| format!("{} {}", one.value_text(), one.half_text()))
            }
            ResultsColumn::Published => self.published.clone(),
            ResultsColumn::Exact => self.value(column).map(|mean| words::decimals(mean, 2)),
            ResultsColumn::ExactVerdict => Some(self.exact.as_ref().map_or(String::new(), Judgement::difference_text)),
            ResultsColumn::OfBest => self.of_best.clone(),
            ResultsColumn::Verdict => Some(self.judgement.as_ref().map_or(String::new(), Judgement::difference_text)),
            _ => self.measured[column as usize].clone(),
        };
        text.unwrap_or_else(|| MISSING.to_owned())
    }

    /// The numbers of a cell with the decimals that its text omits.
    pub(super) fn exact(&self, column: ResultsColumn) -> Option<String> {
        let exact = |value: f64| words::decimals(value, 3);
        match column {
            ResultsColumn::Interval => {
                self.interval.map(|Interval { low, high, .. }| format!("{} to {}", exact(low), exact(high)))
            }
            ResultsColumn::Mean => {
                let half = self.interval.map(|ci95| format!(" ± {}", exact(ci95.half_width()))).unwrap_or_default();
                self.value(column).map(|mean| exact(mean) + &half)
            }
            ResultsColumn::Rank => self.rank.as_ref().map(|[_, about]| about.clone()),
            ResultsColumn::Exact => match &self.exact {
                Some(judgement) => Some(judgement.about.clone()),
                None => self.value(column).map(|mean| words::decimals(mean, 4)),
            },
            ResultsColumn::Deviation | ResultsColumn::Median | ResultsColumn::Moves | ResultsColumn::Nodes => {
                self.value(column).map(exact)
            }
            _ => None,
        }
    }

    /// "± 55".
    pub(super) fn half_text(&self) -> Option<String> {
        self.interval.map(|interval| format!("± {}", words::decimals(interval.half_width(), self.half_places)))
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct ResultsTable {
    /// One row per strategy, in the order of the run.
    pub rows: Vec<ResultsRow>,
    pub baseline: String,
    pub has: Has,
    /// The guarantee of intervals with fewer games than planned; `None` once all are played.
    pub promise: Option<&'static str>,
    /// Number of ranks; 0 before they are known.
    places: usize,
    /// The heads of [`measured_columns`].
    heads: Vec<Head>,
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
        let published = |place: usize| plan.contestants.get(place).and_then(|contestant| contestant.published.as_ref());
        let asked = |place: usize| view.dealt(place).map_or(plan.games, |dealt| dealt.games);

        // A verdict before the end of the run would be optional stopping.
        let verdicts = if ended {
            let summaries = snapshot.summaries.iter().enumerate();
            Verdicts::of(summaries.map(|(place, summary)| (view.planned(place), &**summary, published(place))))
        } else {
            Verdicts::default()
        };

        let (known, best) = (view.exact.rows(), view.exact.best());
        let exact_verdicts = known.filter(|_| ended).map_or_else(Verdicts::default, |known| {
            let summaries = snapshot.summaries.iter().enumerate();
            known.verdicts(summaries.map(|(place, summary)| (view.planned(place), &**summary)))
        });
        let numbers = snapshot.summaries.iter().enumerate();
        let numbers = numbers.map(|(place, summary)| Measured { summary, planned: view.planned(place) });
        let numbers = Table::of(&measured_columns(), numbers);
        let texts = numbers.texts();
        let measured = |place: usize, column: ResultsColumn| {
            let index = numbers.column(column.measured_key()?)?;
            Some((numbers.rows.get(place)?[index].sort_value(), texts.get(place)?[index].clone()))
        };
        let mut rows: Vec<ResultsRow> = view
            .contestants()
            .iter()
            .enumerate()
            .zip(&snapshot.summaries)
            .map(|((place, contestant), summary)| {
                let (scores, planned) = (&summary.scores, view.planned(place));
                let (games, interval) = (scores.count(), planned.mean_interval(scores));
                let against = difference(snapshot, view, place, pairs, standings);
                let rank = standings.and_then(|standings| standings.rank(place));
                let tested = verdicts.rows.get(place).zip(published(place));
                let judgement = tested.and_then(|(tested, published)| Judgement::of(tested, published));
                let exact = known.and_then(|known| known.known(place));
                let tested = exact_verdicts.rows.get(place).zip(exact);
                let exactly = tested.and_then(|(tested, exact)| Judgement::exact(tested, exact));
                let of_best = best.and_then(|best| of_best(best, exact, interval, &summary.reach_from(1, planned)));
                let (published, published_text) = published(place).and_then(published_text).unzip();
                let value = |column: ResultsColumn| match column {
                    ResultsColumn::Eye => Some(f64::from(u8::from(contestant.shown))),
                    ResultsColumn::Strategy => None,
                    // Ties in the best rank are sorted by the worst rank.
                    ResultsColumn::Rank => rank.map(|rank| rank.best as f64 + 1e-6 * rank.worst as f64),
                    ResultsColumn::Class => standings.and_then(|standings| standings.class(place)).map(class_order),
                    ResultsColumn::Against if place == view.baseline() => Some(0.0),
                    ResultsColumn::Against => against.as_ref().map(|difference| difference.value),
                    ResultsColumn::Exact => exact.and_then(|exact| exact.mean),
                    ResultsColumn::ExactVerdict => {
                        exactly.as_ref().and_then(|judgement| Some(judgement.one.difference?.value))
                    }
                    ResultsColumn::OfBest => of_best.as_ref().map(|(share, _)| *share),
                    ResultsColumn::Published => published,
                    ResultsColumn::Verdict | ResultsColumn::Sign => {
                        judgement.as_ref().and_then(|judgement| Some(judgement.one.difference?.value))
                    }
                    column => measured(place, column).and_then(|(value, _)| value),
                };

                ResultsRow {
                    place,
                    contestant: contestant.clone(),
                    alike: Vec::new(),
                    is_folded: false,
                    games,
                    running: !ended && games < asked(place),
                    done: (games as f64 / asked(place).max(1) as f64) as f32,
                    values: ResultsColumn::ALL.map(|(column, ..)| value(column)),
                    measured: ResultsColumn::ALL.map(|(column, ..)| measured(place, column).map(|(_, text)| text)),
                    interval,
                    half_places: 0,
                    rank: standings.and_then(|standings| rank_texts(standings, place)),
                    class: standings.and_then(|standings| standings.class(place)).map(str::to_owned),
                    against,
                    published: published_text,
                    judgement,
                    of_best: of_best.map(|(_, text)| text),
                    exact: exactly,
                }
            })
            .collect();
        for group in standings.into_iter().flat_map(Standings::alike) {
            fold(&mut rows, group, view.baseline());
        }

        // The numbers of a column have the same decimals.
        let places_of_means =
            places_of_halves(rows.iter().filter_map(|row| row.interval).map(|interval| interval.half_width()));
        let differences = rows.iter().filter_map(|row| row.against.as_ref());
        let places_of_differences = places_of_halves(differences.map(|difference| difference.half));
        for row in &mut rows {
            row.half_places = places_of_means;
            if let Some(difference) = &mut row.against {
                difference.places = places_of_differences;
            }
        }

        let has = Has {
            published: plan.contestants.iter().any(|contestant| contestant.published.is_some()),
            exact: known.is_some_and(ExactRows::is_any_known),
            best: best.is_some(),
        };
        let baseline = view.contestants().get(view.baseline()).map(|one| one.label.clone()).unwrap_or_default();
        let early = |row: &ResultsRow| view.planned(row.place).kind(row.games) == IntervalKind::Anytime;
        let promise = rows.iter().any(early).then(|| IntervalKind::Anytime.promise());
        let label = |place: usize| view.contestants().get(place).map_or(String::new(), |one| one.label.clone());
        let not_apart = standings.and_then(|all| all.not_apart_text(label)).map(|text| words::capitalised(&text));
        let alike = standings.into_iter().flat_map(|all| all.alike_texts(label));
        let about: Vec<String> = not_apart.into_iter().chain(common_texts(view)).chain(alike).collect();
        let places = standings.map_or(0, Standings::places);
        let tells = standings.filter(|all| !all.tells_none_apart());
        let ranks = tells.map(|all| (words::capitalised(&all.about()), all.games()));
        if let Some(legend) = Verdicts::legend_of(&[(&verdicts, "published"), (&exact_verdicts, "exact")]) {
            let judgements = rows.iter_mut().flat_map(|row| row.judgement.iter_mut().chain(&mut row.exact));
            judgements.for_each(|judgement| judgement.about += &format!("\n{}", words::capitalised(&legend)));
        }
        let paired = rows.iter().filter(|row| row.against.as_ref().is_some_and(|one| !one.is_apart));
        let paired = paired.filter_map(|row| Some(pairs.get(row.place)?.games()));
        let pairs = paired.clone().min().zip(paired.max()).map(|(least, most)| [least, most]);
        Self { rows, baseline, has, promise, places, heads: numbers.heads, ranks, standings: about, pairs }
    }

    /// A text of a measured column; empty before there are results.
    fn head(&self, key: &str, text: impl Fn(&Head) -> String) -> String {
        self.heads.iter().find(|head| head.key == key).map(text).unwrap_or_default()
    }

    /// The sample of the differences: "differences of 50 to 62 pairs of games".
    pub(super) fn pairs_text(&self) -> Option<String> {
        let [least, most] = self.pairs?;
        let from = if least < most { format!("{} to ", words::count(least)) } else { String::new() };
        Some(format!("differences of {from}{} of games", words::plural(most, "pair")))
    }

    /// The guarantee of the ranks; without a rank column, also the first few ranks.
    pub(super) fn ranks_text(&self, has_column: bool) -> Option<String> {
        const MOST: usize = 4;
        let (about, games) = self.ranks.as_ref()?;
        let order = self.sorted(Sort::new(ResultsColumn::Rank, false), true);
        let ranked: Vec<(&str, &str)> = order
            .iter()
            .filter_map(|&place| Some((&*self.rows[place].rank.as_ref()?[0], &*self.rows[place].contestant.label)))
            .collect();
        if has_column || self.places < 2 || ranked.is_empty() {
            return Some(about.clone());
        }
        let texts = ranked.iter().take(MOST).map(|(rank, label)| format!("{rank} {label}"));
        let rest = if ranked.len() <= MOST { "" } else { ", …" };
        let texts = texts.collect::<Vec<_>>().join(", ");
        let games = words::count(*games);
        Some(format!("Ranking of {} (95 % confidence, n = {games}): {texts}{rest}", self.places))
    }

    /// Sorted indices of `rows`, of all rows or without the folded ones; rows without a value come last in either
    /// direction.
    pub(super) fn sorted(&self, sort: Sort<ResultsColumn>, folds: bool) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).filter(|&row| !(folds && self.rows[row].is_folded)).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.rows[a], &self.rows[b]);
            sort.order(|key| match key.by {
                ResultsColumn::Strategy => key.turn(a.contestant.label.cmp(&b.contestant.label)),
                by => key.compare(a.value(by), b.value(by)),
            })
        });
        order
    }
}

/// Merges the rows of contestants with identical games into one: the baseline's, else the first with published numbers,
/// else the first. A contestant with published numbers keeps its row, because it has its own verdict.
fn fold(rows: &mut [ResultsRow], group: &[usize], baseline: usize) {
    let is_published = |place: usize| rows[place].published.is_some();
    let of_baseline = group.iter().position(|&place| place == baseline);
    let first = of_baseline.or_else(|| group.iter().position(|&place| is_published(place))).unwrap_or(0);
    let folded: Vec<usize> =
        group.iter().copied().filter(|&place| place != group[first] && !is_published(place)).collect();
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
        Common::Tiles => {
            Difference::new(pairs.get(place)?, place, baseline, view.planned_of_both(place, baseline), standings)
        }
        Common::Rules => {
            let side = |place: usize| Some((&**snapshot.summaries.get(place)?, view.planned(place)));
            Apart::of([side(place)?, side(baseline)?]).as_ref().map(Difference::apart)
        }
    }
}

/// The share of the value of best play in percent, as a sort value and as text; from the exact number, else the
/// measured one.
fn of_best(
    best: &BestPlay,
    exact: Option<&Published>,
    mean: Option<Interval>,
    reach: &[Reach],
) -> Option<(f64, String)> {
    let percent = |number: f64| 100.0 * number / best.value;
    let (exact, measured) = match best.goal {
        Goal::Score => (exact.and_then(|exact| exact.mean), mean),
        Goal::Reach(rank) => (
            exact.and_then(|exact| exact.reach.iter().find(|(tile, _)| *tile == rank.tile())).map(|&(_, share)| share),
            reach.iter().find(|reach| reach.tile == rank.tile()).map(|reach| reach.ci95),
        ),
    };
    if let Some(exact) = exact {
        return Some((percent(exact), format!("{} %", words::decimals(percent(exact), 2))));
    }
    let Interval { low, high } = measured?;
    let text = format!("{} to {} %", share_of_best_play(low, best), share_of_best_play(high, best));
    Some((percent((low + high) / 2.0), text))
}

/// Explains the kinds of differences if runs with different seeds or rules are compared.
fn common_texts(view: &RunView) -> Vec<String> {
    let count = |common: Common| (0..view.contestants().len()).filter(|&place| view.in_common(place) == common).count();
    let baseline = view.contestants().get(view.baseline()).map_or("", |one| one.label.as_str());
    let mut texts = Vec::new();
    if 0 < count(Common::Rules) {
        // The baseline always shares its own tiles.
        let paired = if count(Common::Tiles) < 2 { "" } else { "; all other differences are paired" };
        texts.push(format!("W: Welch, as the seed differs from that of {baseline}{paired}"));
    }
    if 0 < count(Common::Nothing) {
        texts.push(format!("No difference where the rules differ from those of {baseline}"));
    }
    texts
}

/// Sorts by best class, then by fewer further classes.
fn class_order(letters: &str) -> f64 {
    // Small letters come before capitals.
    let place = |letter: char| if letter.is_ascii_lowercase() { letter as u8 - b'a' } else { letter as u8 - b'A' + 26 };
    letters.chars().rev().fold(0.0, |order, letter| f64::from(place(letter)) + 1.0 + order / 100.0)
}

/// The possible ranks of a strategy, and how they were found.
fn rank_texts(standings: &Standings, place: usize) -> Option<[String; 2]> {
    let rank = standings.rank(place)?;
    let places =
        if rank.best == rank.worst { rank.best.to_string() } else { format!("{} to {}", rank.best, rank.worst) };
    Some([places, format!("{}\n{}", standings.rank_text(place)?, words::capitalised(&standings.about()))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fold_in_their_order() {
        let least = |column| ResultsColumn::ALL[column as usize].2;
        let has = |published| Has { published, ..Has::default() };
        let fitting = |room, published| ResultsColumn::fitting(room, 10.0, has(published), &[], least);
        let hidden = [ResultsColumn::Median, ResultsColumn::Verdict];
        let chosen = ResultsColumn::fitting(2000.0, 10.0, has(true), &hidden, least);
        assert!(chosen.len() == 15 && !chosen.iter().any(|column| hidden.contains(column)), "{chosen:?}");
        let all = Has { published: true, exact: true, best: true };
        let every = ResultsColumn::fitting(2500.0, 10.0, all, &[], least);
        assert_eq!(every, &ResultsColumn::ALL.map(|(column, ..)| column)[..20], "words, no sign");
        assert_eq!(fitting(2000.0, true).len(), 17, "nothing of exact numbers where none are known");
        assert!(ResultsColumn::ALL.iter().enumerate().all(|(place, facts)| facts.0 as usize == place));
        let some = fitting(620.0, true);
        let wanted = [ResultsColumn::Mean, ResultsColumn::Deviation, ResultsColumn::Median, ResultsColumn::Max];
        assert!(wanted.iter().all(|column| some.contains(column)) && some.contains(&ResultsColumn::Against));
        assert!(some.contains(&ResultsColumn::Sign) && !some.contains(&ResultsColumn::Verdict));
        let few = fitting(250.0, true);
        assert_eq!(few, [ResultsColumn::Eye, ResultsColumn::Strategy, ResultsColumn::Games, ResultsColumn::Mean]);
        assert!(!fitting(2000.0, false).contains(&ResultsColumn::Published));

        // As at first sight, a column of own numbers outlasts the ranks.
        let first = fitting(500.0, false);
        assert!(wanted.iter().all(|column| first.contains(column)) && !first.contains(&ResultsColumn::Rank));
    }
}

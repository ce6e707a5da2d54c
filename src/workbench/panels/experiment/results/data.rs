//! The rows of the results, computed without a window.

use crate::experiment::{Plan, Snapshot, Summary};
use crate::preset::Published;
use crate::stats::{Interval, Moments, Verdict, student_t_975, welch};
use crate::words;
use crate::workbench::kit::Sort;
use crate::workbench::panels::experiment::run_view::{RunContestant, RunView};

/// A longer name of the baseline is not part of a header.
const LONGEST_BASELINE: usize = 14;

/// A column of the table, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResultsColumn {
    Eye,
    Strategy,
    Games,
    Mean,
    Interval,
    Deviation,
    Median,
    Max,
    Moves,
    Against,
    Published,
    Verdict,
    /// The verdict where there is no room for words.
    Sign,
}

impl ResultsColumn {
    /// From left to right: title, what it means, and its least width, whatever is in it.
    pub(super) const ALL: [(Self, &'static str, &'static str, f32); 13] = [
        (Self::Eye, "", "Show or hide in the plots", 24.0),
        (Self::Strategy, "Strategy", "Name of the strategy", 62.0),
        (Self::Games, "n", "Finished games", 40.0),
        (Self::Mean, "Mean ± SE", "Mean score ± its standard error", 86.0),
        (Self::Interval, "95 % interval", "95 % interval of the mean score", 96.0),
        (Self::Deviation, "SD", "Sample standard deviation of the score", 40.0),
        (Self::Median, "Median", "Half of the games scored less", 40.0),
        (Self::Max, "Max", "Highest score", 40.0),
        (Self::Moves, "Moves", "Moves in a game, mean", 40.0),
        (
            Self::Against,
            "Difference ± 95 %",
            "Difference of the means to the pinned strategy, with the half-width of its 95 % interval",
            90.0,
        ),
        (Self::Published, "Published", "Published mean score, or a published reach rate where no mean is known", 54.0),
        (
            Self::Verdict,
            "Verdict, difference ± 95 %",
            "Measured less published, with the half-width of the 95 % interval of the difference",
            132.0,
        ),
        (Self::Sign, "✓✗", "Whether the published number was met", 24.0),
    ];

    /// Which columns fold away first when there is no room.
    const FOLDING: [Self; 8] = [
        Self::Moves,
        Self::Interval,
        Self::Published,
        Self::Verdict,
        Self::Max,
        Self::Median,
        Self::Deviation,
        Self::Against,
    ];

    pub(super) fn title(self, baseline: &str) -> String {
        match self {
            // A long name would leave no room for what the numbers are.
            Self::Against if baseline.chars().count() <= LONGEST_BASELINE => format!("Against {baseline} ± 95 %"),
            _ => Self::ALL[self as usize].1.to_owned(),
        }
    }

    /// Whether its values are numbers, which end at the right edge.
    pub(super) fn is_right(self) -> bool {
        !matches!(self, Self::Eye | Self::Strategy | Self::Verdict | Self::Sign)
    }

    /// The columns that fit into `room`, `gap` apart; those that say nothing are left out.
    pub(super) fn fitting(room: f32, gap: f32, has_published: bool, width: impl Fn(Self) -> f32) -> Vec<Self> {
        let says = |column: &Self| has_published || !matches!(column, Self::Published | Self::Verdict);
        let all = Self::ALL.map(|(column, ..)| column).into_iter().filter(|&column| column != Self::Sign);
        let mut columns: Vec<Self> = all.filter(says).collect();
        let fits = |columns: &[Self]| columns.iter().map(|&column| width(column) + gap).sum::<f32>() - gap <= room;
        for fold in Self::FOLDING {
            if fits(&columns) {
                break;
            }
            columns.retain(|&column| column != fold);
        }
        // The verdict in words, or its sign.
        let with: Vec<Self> = columns.iter().copied().chain([Self::Sign]).collect();
        let has_sign = has_published && !columns.contains(&Self::Verdict) && fits(&with);
        if has_sign {
            columns = with;
        }
        // A wide column that had to go may leave room for a narrow one.
        for back in
            Self::FOLDING.into_iter().rev().filter(|column| says(column) && !(has_sign && *column == Self::Verdict))
        {
            let mut with = columns.clone();
            with.push(back);
            with.sort_unstable();
            with.dedup();
            if fits(&with) {
                columns = with;
            }
        }
        columns
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    /// First less second.
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub half: f64,
}

impl Difference {
    /// Welch's interval. `None` below two games.
    fn new(a: Moments, b: Moments) -> Option<Self> {
        Some(Self { value: a.mean - b.mean, half: welch(a, b)?.half_width() })
    }

    /// Whether the interval leaves 0 out.
    pub(super) fn is_clear(&self) -> bool {
        self.half < self.value.abs()
    }

    /// "+910", "−12".
    pub(super) fn value_text(&self) -> String {
        words::signed(self.value, 0)
    }

    /// "± 55".
    pub(super) fn half_text(&self) -> String {
        format!("± {}", words::decimals(self.half, 0))
    }
}

/// A measured mean or reach rate beside a published one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// The tile of a reach rate; its numbers are percent. `None` for a mean.
    pub tile: Option<u64>,
    pub published: f64,
    pub difference: Difference,
    pub verdict: Verdict,
    /// Everything the publication says, for a tooltip.
    pub about: String,
}

impl Judgement {
    /// "45,000"; "2048: 90 %".
    pub(super) fn published_text(&self) -> String {
        let number = words::decimals(self.published, 0);
        self.tile.map_or_else(|| number.clone(), |tile| format!("{tile}: {number} %"))
    }

    /// "+910 ± 55"; "−2 ± 8 %".
    pub(super) fn difference_text(&self) -> String {
        let percent = if self.tile.is_some() { " %" } else { "" };
        format!("{} {}{percent}", self.difference.value_text(), self.difference.half_text())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultsRow {
    /// Place of the strategy in the run.
    pub place: usize,
    pub contestant: RunContestant,
    pub games: u64,
    pub running: bool,
    /// From 0 to 1.
    pub done: f32,
    /// What the rows are sorted by, and the text of most cells, by column.
    values: [Option<f64>; ResultsColumn::ALL.len()],
    /// Standard error of the mean.
    pub error: Option<f64>,
    /// 95 % interval of the mean.
    pub interval: Option<Interval>,
    /// Against the baseline; `None` for the baseline itself.
    pub against: Option<Difference>,
    pub judgement: Option<Judgement>,
}

impl ResultsRow {
    fn value(&self, column: ResultsColumn) -> Option<f64> {
        self.values[column as usize]
    }

    /// The text of a cell, as far as the width of its column depends on it.
    pub(super) fn text(&self, column: ResultsColumn) -> String {
        let text = match column {
            ResultsColumn::Eye | ResultsColumn::Sign => Some(String::new()),
            ResultsColumn::Strategy => Some(self.contestant.label.clone()),
            ResultsColumn::Games => Some(words::count(self.games)),
            ResultsColumn::Interval => self.interval.map(|Interval { low, high, .. }| {
                format!("{} to {}", words::decimals(low, 0), words::decimals(high, 0))
            }),
            ResultsColumn::Against => self.against.map(|one| format!("{} {}", one.value_text(), one.half_text())),
            ResultsColumn::Published => self.judgement.as_ref().map(Judgement::published_text),
            ResultsColumn::Verdict => Some(self.judgement.as_ref().map_or(String::new(), Judgement::difference_text)),
            _ => self.value(column).map(|value| words::decimals(value, 0)),
        };
        text.unwrap_or_else(|| "–".to_owned())
    }

    /// The numbers of a cell with the decimals its text leaves out.
    pub(super) fn exact(&self, column: ResultsColumn) -> Option<String> {
        let exact = |value: f64| words::decimals(value, 3);
        match column {
            ResultsColumn::Interval => {
                self.interval.map(|Interval { low, high, .. }| format!("{} to {}", exact(low), exact(high)))
            }
            ResultsColumn::Mean => {
                let error = self.error.map(|error| format!(" ± {}", exact(error))).unwrap_or_default();
                self.value(column).map(|mean| exact(mean) + &error)
            }
            ResultsColumn::Deviation | ResultsColumn::Median | ResultsColumn::Moves => self.value(column).map(exact),
            _ => None,
        }
    }

    /// "± 55".
    pub(super) fn error_text(&self) -> Option<String> {
        // From ten games on a hundredth of the spread: small errors need a decimal to say something.
        self.error.map(|error| format!("± {}", words::decimals(error, if error < 9.95 { 1 } else { 0 })))
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct ResultsTable {
    /// One row per strategy, in the order of the run.
    pub rows: Vec<ResultsRow>,
    pub baseline: String,
    /// Whether any row has a published mean.
    pub has_published: bool,
    /// One sentence: neighbours that cannot be told apart.
    pub neighbours: String,
}

impl ResultsTable {
    pub(super) fn new(snapshot: &Snapshot, plan: &Plan, view: &RunView) -> Self {
        let moments = |place: usize| snapshot.summaries.get(place).and_then(|summary| summary.scores.moments());
        let baseline = moments(view.baseline());
        let ended = snapshot.progress.state.has_ended();
        let rows: Vec<ResultsRow> = view
            .contestants()
            .iter()
            .enumerate()
            .zip(&snapshot.summaries)
            .map(|((place, contestant), summary)| {
                let scores = &summary.scores;
                let published = plan.contestants.get(place).and_then(|contestant| contestant.published.as_ref());
                let (games, interval) = (scores.count(), scores.mean_interval());
                let against = moments(place).zip(baseline).filter(|_| place != view.baseline());
                let against = against.and_then(|(own, base)| Difference::new(own, base));
                let judgement = published.and_then(|published| judge(summary, published));
                let value = |column: ResultsColumn| match column {
                    ResultsColumn::Eye => Some(f64::from(u8::from(contestant.shown))),
                    ResultsColumn::Strategy => None,
                    ResultsColumn::Games => Some(games as f64),
                    ResultsColumn::Mean => scores.mean(),
                    ResultsColumn::Interval => interval.map(|interval| interval.low),
                    ResultsColumn::Deviation => scores.std_dev(),
                    ResultsColumn::Median => scores.median(),
                    ResultsColumn::Max => scores.max().map(f64::from),
                    ResultsColumn::Moves => summary.moves_per_game(),
                    ResultsColumn::Against if place == view.baseline() => Some(0.0),
                    ResultsColumn::Against => against.map(|difference| difference.value),
                    ResultsColumn::Published => judgement.as_ref().map(|judgement| judgement.published),
                    ResultsColumn::Verdict | ResultsColumn::Sign => {
                        judgement.as_ref().map(|judgement| judgement.difference.value)
                    }
                };
                ResultsRow {
                    place,
                    contestant: contestant.clone(),
                    games,
                    running: !ended && games < plan.games,
                    done: (games as f64 / plan.games.max(1) as f64) as f32,
                    values: ResultsColumn::ALL.map(|(column, ..)| value(column)),
                    error: scores.std_error(),
                    interval,
                    against,
                    judgement,
                }
            })
            .collect();
        let has_published = plan.contestants.iter().any(|contestant| contestant.published.is_some());
        let baseline = view.contestants().get(view.baseline()).map(|one| one.label.clone()).unwrap_or_default();
        Self { neighbours: neighbours(&rows, snapshot), rows, baseline, has_published }
    }

    /// Places in `rows`, sorted; rows without a value come last either way.
    pub(super) fn sorted(&self, sort: Sort<ResultsColumn>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.rows[a], &self.rows[b]);
            match sort.by {
                ResultsColumn::Strategy => sort.turn(a.contestant.label.cmp(&b.contestant.label)),
                by => sort.compare(a.value(by), b.value(by)),
            }
        });
        order
    }
}

/// The mean if one is published, else the first reach rate; everything else is told in `about`.
fn judge(summary: &Summary, published: &Published) -> Option<Judgement> {
    let of_mean = published.compare(summary);
    let of_reach = published.compare_reach(summary);
    let number = |label: &str, value: Option<f64>| Some(format!("{label} {}", words::value(value?)));
    let numbers = [
        number("mean", published.mean),
        number("SD", published.sd),
        number("median", published.median),
        number("max", published.max.map(f64::from)),
        number("moves", published.moves),
        published.games.map(|games| words::plural(games, "game")),
    ];
    let numbers: Vec<String> = numbers.into_iter().flatten().collect();
    let mut about = format!("Published: {}", numbers.join(", "));
    for one in &of_reach {
        let [theirs, ours] = [one.published, one.measured].map(|share| words::decimals(100.0 * share, 1));
        about += &format!("\n{} reached: {theirs} %, here {ours} %, {}", one.tile, one.comparison.verdict);
    }
    if !published.source.is_empty() {
        about += &format!("\n{}", published.source);
    }
    let (tile, theirs, comparison) = match (published.mean, of_mean, of_reach.first()) {
        (Some(mean), Some(comparison), _) => (None, mean, comparison),
        (_, _, Some(reach)) => (Some(reach.tile), 100.0 * reach.published, reach.comparison),
        _ => return None,
    };
    about += &format!("\nDifference in standard errors: {}", words::decimals(comparison.z, 1));
    if comparison.lent_std_dev.is_some() {
        about += "\nNo SD is published: the measured one is taken for it";
    }
    let scale = if tile.is_some() { 100.0 } else { 1.0 };
    let half = student_t_975(summary.games().checked_sub(1)? as f64) * comparison.std_error;
    let difference = Difference { value: scale * comparison.difference, half: scale * half };
    Some(Judgement { tile, published: theirs, difference, verdict: comparison.verdict, about })
}

/// Strategies next to each other in the order of their means whose difference has 0 in its interval.
fn neighbours(rows: &[ResultsRow], snapshot: &Snapshot) -> String {
    const MOST: usize = 3;
    let mut order: Vec<&ResultsRow> = rows.iter().filter(|row| 1 < row.games).collect();
    if order.len() < 2 {
        return String::new();
    }
    let mean = |row: &ResultsRow| row.value(ResultsColumn::Mean).unwrap_or(0.0);
    order.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let moments = |row: &ResultsRow| snapshot.summaries[row.place].scores.moments();
    let pairs: Vec<String> = order
        .windows(2)
        .filter(|pair| {
            let difference = moments(pair[0]).zip(moments(pair[1])).and_then(|(a, b)| Difference::new(a, b));
            difference.is_some_and(|difference| !difference.is_clear())
        })
        .map(|pair| format!("{} and {}", pair[0].contestant.label, pair[1].contestant.label))
        .collect();
    if pairs.is_empty() {
        return "All neighbours differ at 95 %".to_owned();
    }
    let more = pairs.len().saturating_sub(MOST);
    let more = if more == 0 { String::new() } else { format!("; {more} more pairs") };
    let shown = pairs[..pairs.len().min(MOST)].join("; ");
    format!("Neighbours that cannot be told apart at 95 %: {shown}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fold_in_their_order() {
        let least = |column| ResultsColumn::ALL[column as usize].3;
        let fitting = |room, published| ResultsColumn::fitting(room, 10.0, published, least);
        assert_eq!(fitting(2000.0, true), &ResultsColumn::ALL.map(|(column, ..)| column)[..12], "words, no sign");
        assert!(ResultsColumn::ALL.iter().enumerate().all(|(place, facts)| facts.0 as usize == place));
        let some = fitting(560.0, true);
        let wanted = [ResultsColumn::Mean, ResultsColumn::Deviation, ResultsColumn::Median, ResultsColumn::Max];
        assert!(wanted.iter().all(|column| some.contains(column)) && some.contains(&ResultsColumn::Against));
        assert!(some.contains(&ResultsColumn::Sign) && !some.contains(&ResultsColumn::Verdict));
        let few = fitting(250.0, true);
        assert_eq!(few, [ResultsColumn::Eye, ResultsColumn::Strategy, ResultsColumn::Games, ResultsColumn::Mean]);
        assert!(!fitting(2000.0, false).contains(&ResultsColumn::Published));
    }

    #[test]
    fn a_difference_within_its_interval_is_not_clear() {
        let of = |mean| Moments { count: 1000, mean, std_dev: Some(500.0) };
        let small = Difference::new(of(1010.0), of(1000.0)).expect("games");
        assert!(!small.is_clear() && small.value_text() == "+10");
        assert!((small.half - 43.86).abs() < 0.05, "{}", small.half);
        let large = Difference::new(of(900.0), of(1000.0)).expect("games");
        assert!(large.is_clear() && large.value_text() == "−100");
        assert_eq!(Difference::new(Moments { count: 1, mean: 1.0, std_dev: None }, of(1.0)), None);
    }

    #[test]
    fn what_a_publication_says_is_compared() {
        let mut published = Published {
            mean: Some(1000.0),
            sd: Some(500.0),
            reach: vec![(64, 0.5)],
            games: Some(1000),
            source: "A table".to_owned(),
            ..Published::default()
        };
        // 500 games of 600 points and 500 of 1600: mean 1100, standard deviation 500.
        let game = |index: u32| crate::strategy::Outcome {
            score: 600 + 1000 * (index % 2),
            largest: crate::game::Rank::new(6).expect("a rank"),
            moves: 100,
        };
        let games: Vec<_> = (0..1000).map(game).collect();
        let summary = Summary::of_games(&games, std::time::Duration::ZERO);
        let judgement = judge(&summary, &published).expect("games");
        assert_eq!(judgement.verdict, Verdict::Differs);
        assert!((judgement.difference.half - 43.88).abs() < 0.1, "{}", judgement.difference.half);
        assert!(judgement.about.contains("A table") && judgement.about.contains("64 reached: 50.0 %, here 100.0 %"));
        published.mean = None;
        let judgement = judge(&summary, &published).expect("games");
        assert_eq!(judgement.published_text(), "64: 50 %");
        assert!(judgement.difference_text().starts_with("+50 ± ") && judgement.difference_text().ends_with(" %"));
        assert_eq!(judge(&summary, &Published::default()), None);
    }
}

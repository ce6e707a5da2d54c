//! The rows of the results, computed without a window.

use crate::experiment::{Plan, Snapshot, Summary};
use crate::preset::Published;
use crate::stats::{Interval, Moments, Verdict, student_t_975};
use crate::words;
use crate::workbench::kit::Sort;
use crate::workbench::panels::experiment::run_view::RunView;

/// A longer name of the baseline is not part of a header.
const LONGEST_BASELINE: usize = 14;

/// A column of the table, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl ResultsColumn {
    pub(super) const ALL: [Self; 12] = [
        Self::Eye,
        Self::Strategy,
        Self::Games,
        Self::Mean,
        Self::Interval,
        Self::Deviation,
        Self::Median,
        Self::Max,
        Self::Moves,
        Self::Against,
        Self::Published,
        Self::Verdict,
    ];

    /// Which columns fold away first when there is no room.
    const FOLDING: [Self; 8] = [
        Self::Max,
        Self::Median,
        Self::Deviation,
        Self::Moves,
        Self::Interval,
        Self::Published,
        Self::Against,
        Self::Verdict,
    ];

    /// Title, what it means, and its least width, whatever is in it.
    fn facts(self) -> (&'static str, &'static str, f32) {
        match self {
            Self::Eye => ("", "Show or hide in the plots", 24.0),
            Self::Strategy => ("Strategy", "Name of the strategy", 78.0),
            Self::Games => ("n", "Finished games", 40.0),
            Self::Mean => ("Mean ± SE", "Mean score ± its standard error", 86.0),
            Self::Interval => ("95 % interval", "95 % interval of the mean score", 96.0),
            Self::Deviation => ("SD", "Sample standard deviation of the score", 40.0),
            Self::Median => ("Median", "Half of the games scored less", 40.0),
            Self::Max => ("Max", "Highest score", 40.0),
            Self::Moves => ("Moves", "Slides in a game, mean", 40.0),
            Self::Against => (
                "Difference ± 95 %",
                "Difference of the means to the pinned strategy, with the half-width of its 95 % interval",
                90.0,
            ),
            Self::Published => {
                ("Published", "Published mean score, or a published reach rate where no mean is known", 54.0)
            }
            Self::Verdict => (
                "Verdict, difference ± 95 %",
                "Measured less published, with the half-width of the 95 % interval of the difference",
                132.0,
            ),
        }
    }

    pub(super) fn title(self, baseline: &str) -> String {
        match self {
            // A long name would leave no room for what the numbers are.
            Self::Against if baseline.chars().count() <= LONGEST_BASELINE => format!("Against {baseline} ± 95 %"),
            _ => self.facts().0.to_owned(),
        }
    }

    pub(super) fn about(self) -> &'static str {
        self.facts().1
    }

    pub(super) fn least(self) -> f32 {
        self.facts().2
    }

    /// Whether its values are numbers, which end at the right edge.
    pub(super) fn is_right(self) -> bool {
        !matches!(self, Self::Eye | Self::Strategy | Self::Verdict)
    }

    fn is_of_published(self) -> bool {
        matches!(self, Self::Published | Self::Verdict)
    }

    /// The columns that fit into `room`, `gap` apart; those that say nothing are left out.
    pub(super) fn fitting(room: f32, gap: f32, has_published: bool, width: impl Fn(Self) -> f32) -> Vec<Self> {
        let says = |column: &Self| has_published || !column.is_of_published();
        let mut columns: Vec<Self> = Self::ALL.into_iter().filter(says).collect();
        let fits = |columns: &[Self]| columns.iter().map(|&column| width(column) + gap).sum::<f32>() - gap <= room;
        for fold in Self::FOLDING {
            if fits(&columns) {
                break;
            }
            columns.retain(|&column| column != fold);
        }
        // A wide column that had to go may leave room for a narrow one.
        for back in Self::FOLDING.into_iter().rev().filter(says) {
            let with: Vec<Self> =
                Self::ALL.into_iter().filter(|column| columns.contains(column) || *column == back).collect();
            if fits(&with) {
                columns = with;
            }
        }
        columns
    }
}

/// A difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Difference {
    /// First less second.
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub half: f64,
}

impl Difference {
    /// Welch's interval: Student's *t* with the degrees of freedom of Satterthwaite. `None` below two games.
    fn new(a: Moments, b: Moments) -> Option<Self> {
        let (va, vb) = (a.std_dev?.powi(2) / a.count as f64, b.std_dev?.powi(2) / b.count as f64);
        let spread = va * va / (a.count - 1) as f64 + vb * vb / (b.count - 1) as f64;
        let freedom = if 0.0 < spread { (va + vb).powi(2) / spread } else { f64::MAX };
        Some(Self { value: a.mean - b.mean, half: student_t_975(freedom as u64) * (va + vb).sqrt() })
    }

    /// Whether the interval leaves 0 out.
    pub(super) fn is_clear(&self) -> bool {
        self.half < self.value.abs()
    }

    /// "+910", "−12".
    pub(super) fn value_text(&self) -> String {
        let text = words::decimals(self.value, 0);
        if text.starts_with('−') || text == "0" { text } else { format!("+{text}") }
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
        let Difference { half, .. } = self.difference;
        let percent = if self.tile.is_some() { " %" } else { "" };
        format!("{} ± {}{percent}", self.difference.value_text(), words::decimals(half, 0))
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ResultsRow {
    /// Place of the strategy in the run.
    pub place: usize,
    pub label: String,
    /// Its colour, dash and marker.
    pub slot: usize,
    pub games: u64,
    /// Whether more games will follow.
    pub running: bool,
    /// From 0 to 1.
    pub done: f32,
    pub mean: Option<f64>,
    /// Standard error of the mean.
    pub error: Option<f64>,
    /// 95 % interval of the mean.
    pub interval: Option<Interval>,
    pub deviation: Option<f64>,
    pub median: Option<f64>,
    pub max: Option<u32>,
    /// Slides per game.
    pub moves: Option<f64>,
    /// Against the baseline; `None` for the baseline itself.
    pub against: Option<Difference>,
    pub judgement: Option<Judgement>,
}

impl ResultsRow {
    /// What the rows are sorted by; the text of most cells.
    fn value(&self, column: ResultsColumn) -> Option<f64> {
        match column {
            ResultsColumn::Eye | ResultsColumn::Strategy => None,
            ResultsColumn::Games => Some(self.games as f64),
            ResultsColumn::Mean => self.mean,
            ResultsColumn::Interval => self.interval.map(|interval| interval.low),
            ResultsColumn::Deviation => self.deviation,
            ResultsColumn::Median => self.median,
            ResultsColumn::Max => self.max.map(f64::from),
            ResultsColumn::Moves => self.moves,
            ResultsColumn::Against => self.against.map(|difference| difference.value),
            ResultsColumn::Published => self.judgement.as_ref().map(|judgement| judgement.published),
            ResultsColumn::Verdict => self.judgement.as_ref().map(|judgement| judgement.difference.value),
        }
    }

    /// The text of a cell, as far as the width of its column depends on it.
    pub(super) fn text(&self, column: ResultsColumn) -> String {
        let text = match column {
            ResultsColumn::Eye => Some(String::new()),
            ResultsColumn::Strategy => Some(self.label.clone()),
            ResultsColumn::Games => Some(words::count(self.games)),
            ResultsColumn::Interval => self.interval.map(|Interval { low, high, .. }| {
                format!("{} to {}", words::decimals(low, 0), words::decimals(high, 0))
            }),
            ResultsColumn::Against => {
                self.against.map(|one| format!("{} ± {}", one.value_text(), words::decimals(one.half, 0)))
            }
            ResultsColumn::Published => self.judgement.as_ref().map(Judgement::published_text),
            ResultsColumn::Verdict => Some(self.judgement.as_ref().map_or(String::new(), Judgement::difference_text)),
            _ => self.value(column).map(|value| words::decimals(value, 0)),
        };
        text.unwrap_or_else(|| "–".to_owned())
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
                let games = scores.count();
                ResultsRow {
                    place,
                    label: contestant.label.clone(),
                    slot: contestant.slot,
                    games,
                    running: !ended && games < plan.games,
                    done: (games as f64 / plan.games.max(1) as f64) as f32,
                    mean: scores.mean(),
                    error: scores.std_error(),
                    interval: scores.mean_interval(),
                    deviation: scores.std_dev(),
                    median: scores.median(),
                    max: scores.max(),
                    moves: summary.moves_per_game(),
                    against: match (moments(place), baseline) {
                        (Some(own), Some(base)) if place != view.baseline() => Difference::new(own, base),
                        _ => None,
                    },
                    judgement: published.and_then(|published| judge(summary, published)),
                }
            })
            .collect();
        let has_published = plan.contestants.iter().any(|contestant| contestant.published.is_some());
        let baseline = view.contestants().get(view.baseline()).map(|one| one.label.clone()).unwrap_or_default();
        Self { neighbours: neighbours(&rows, snapshot), rows, baseline, has_published }
    }

    /// Places in `rows`, sorted; rows without a value come last either way.
    pub(super) fn sorted(&self, sort: Sort<ResultsColumn>, view: &RunView) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let key = |row: &ResultsRow| match sort.by {
            ResultsColumn::Eye => view.contestants().get(row.place).map(|one| f64::from(u8::from(one.shown))),
            ResultsColumn::Against if row.place == view.baseline() => Some(0.0),
            column => row.value(column),
        };
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.rows[a], &self.rows[b]);
            match sort.by {
                ResultsColumn::Strategy => sort.turn(a.label.cmp(&b.label)),
                _ => sort.compare(key(a), key(b)),
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
    let half = student_t_975(summary.games().checked_sub(1)?) * comparison.std_error;
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
    order.sort_by(|a, b| b.mean.unwrap_or(0.0).total_cmp(&a.mean.unwrap_or(0.0)));
    let moments = |row: &ResultsRow| snapshot.summaries[row.place].scores.moments();
    let pairs: Vec<String> = order
        .windows(2)
        .filter(|pair| {
            let difference = moments(pair[0]).zip(moments(pair[1])).and_then(|(a, b)| Difference::new(a, b));
            difference.is_some_and(|difference| !difference.is_clear())
        })
        .map(|pair| format!("{} and {}", pair[0].label, pair[1].label))
        .collect();
    match pairs.len() {
        0 => "All neighbours differ at 95 %".to_owned(),
        n if n <= MOST => format!("Neighbours that cannot be told apart at 95 %: {}", pairs.join("; ")),
        n => format!(
            "Neighbours that cannot be told apart at 95 %: {}; {} more pairs",
            pairs[..MOST].join("; "),
            n - MOST
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fold_in_their_order() {
        let fitting = |room, published| ResultsColumn::fitting(room, 10.0, published, ResultsColumn::least);
        assert_eq!(fitting(2000.0, true), ResultsColumn::ALL);
        let some = fitting(800.0, true);
        assert!(!some.contains(&ResultsColumn::Max) && some.contains(&ResultsColumn::Verdict));
        let few = fitting(270.0, true);
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

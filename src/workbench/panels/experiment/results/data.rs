//! The rows of the results, computed without a window.

use std::cmp::Ordering;

use crate::experiment::{Plan, Snapshot, Summary};
use crate::preset::Published;
use crate::stats::{Interval, Moments, Verdict, student_t_975};
use crate::words;
use crate::workbench::panels::experiment::lab_view::LabView;

/// A longer name of the baseline is not part of a header.
const LONGEST_BASELINE: usize = 14;

/// A column of the table, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
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

impl Column {
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

    pub(super) fn title(self, baseline: &str) -> String {
        match self {
            Self::Eye => String::new(),
            Self::Strategy => "Strategy".to_owned(),
            Self::Games => "n".to_owned(),
            Self::Mean => "Mean ± SE".to_owned(),
            Self::Interval => "95 % interval".to_owned(),
            Self::Deviation => "SD".to_owned(),
            Self::Median => "Median".to_owned(),
            Self::Max => "Max".to_owned(),
            Self::Moves => "Moves".to_owned(),
            // A long name would leave no room for what the numbers are.
            Self::Against if LONGEST_BASELINE < baseline.chars().count() => "Difference ± 95 %".to_owned(),
            Self::Against => format!("Against {baseline} ± 95 %"),
            Self::Published => "Published".to_owned(),
            Self::Verdict => "Verdict, difference ± 95 %".to_owned(),
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Eye => "Show or hide in the plots",
            Self::Strategy => "Name of the strategy",
            Self::Games => "Finished games",
            Self::Mean => "Mean score ± its standard error",
            Self::Interval => "95 % interval of the mean score",
            Self::Deviation => "Sample standard deviation of the score",
            Self::Median => "Half of the games scored less",
            Self::Max => "Highest score",
            Self::Moves => "Slides in a game, mean",
            Self::Against => "Difference of the means to the pinned strategy, with the half-width of its 95 % interval",
            Self::Published => "Published mean score, or a published reach rate where no mean is known",
            Self::Verdict => "Measured less published, with the half-width of the 95 % interval of the difference",
        }
    }

    /// Least width, whatever is in it.
    pub(super) fn least(self) -> f32 {
        match self {
            Self::Eye => 24.0,
            Self::Strategy => 78.0,
            Self::Games | Self::Deviation | Self::Median | Self::Max | Self::Moves => 40.0,
            Self::Mean => 86.0,
            Self::Interval => 96.0,
            Self::Against => 90.0,
            Self::Published => 54.0,
            Self::Verdict => 132.0,
        }
    }

    /// The columns that fit into `room`, `gap` apart; those that say nothing are left out.
    pub(super) fn fitting(room: f32, gap: f32, has_published: bool, width: impl Fn(Self) -> f32) -> Vec<Self> {
        let mut columns: Vec<Self> = Self::ALL.to_vec();
        if !has_published {
            columns.retain(|column| !matches!(column, Self::Published | Self::Verdict));
        }
        let total = |columns: &[Self]| columns.iter().map(|&column| width(column) + gap).sum::<f32>() - gap;
        for fold in Self::FOLDING {
            if total(&columns) <= room {
                break;
            }
            columns.retain(|&column| column != fold);
        }
        // A wide column that had to go may leave room for a narrow one.
        for back in Self::FOLDING.into_iter().rev().filter(|back| has_published || *back != Self::Published) {
            let with: Vec<Self> =
                Self::ALL.into_iter().filter(|column| columns.contains(column) || *column == back).collect();
            if total(&with) <= room && (has_published || back != Self::Verdict) {
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
pub(super) struct Row {
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

impl Row {
    /// The text of a cell, as far as the width of its column depends on it.
    pub(super) fn text(&self, column: Column) -> String {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| words::decimals(value, 0));
        let plus_minus = |half: f64| format!("± {}", words::decimals(half, 0));
        match column {
            Column::Eye => String::new(),
            Column::Strategy => self.label.clone(),
            Column::Games => words::count(self.games),
            Column::Mean => number(self.mean),
            Column::Interval => self.interval.map_or_else(
                || "–".to_owned(),
                |interval| format!("{} to {}", number(Some(interval.low)), number(Some(interval.high))),
            ),
            Column::Deviation => number(self.deviation),
            Column::Median => number(self.median),
            Column::Max => number(self.max.map(f64::from)),
            Column::Moves => number(self.moves),
            Column::Against => self
                .against
                .map_or_else(|| "–".to_owned(), |one| format!("{} {}", one.value_text(), plus_minus(one.half))),
            Column::Published => self.judgement.as_ref().map_or_else(|| "–".to_owned(), Judgement::published_text),
            Column::Verdict => self.judgement.as_ref().map_or_else(String::new, Judgement::difference_text),
        }
    }

    /// "± 55".
    pub(super) fn error_text(&self) -> Option<String> {
        // From ten games on a hundredth of the spread: small errors need a decimal to say something.
        self.error.map(|error| format!("± {}", words::decimals(error, if error < 9.95 { 1 } else { 0 })))
    }
}

#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Table {
    /// One row per strategy, in the order of the run.
    pub rows: Vec<Row>,
    pub baseline: String,
    /// Whether any row has a published mean.
    pub has_published: bool,
    /// One sentence: neighbours that cannot be told apart.
    pub neighbours: String,
}

impl Table {
    pub(super) fn new(snapshot: &Snapshot, plan: &Plan, view: &LabView) -> Self {
        let moments = |place: usize| snapshot.entries.get(place).and_then(|entry| entry.summary.scores().moments());
        let baseline = moments(view.baseline());
        let ended = snapshot.progress.state.has_ended();
        let rows: Vec<Row> = view
            .contenders()
            .iter()
            .enumerate()
            .zip(&snapshot.entries)
            .map(|((place, contender), entry)| {
                let (summary, scores) = (&*entry.summary, entry.summary.scores());
                let published = plan.contestants.get(place).and_then(|contestant| contestant.published.as_ref());
                let games = scores.count();
                Row {
                    place,
                    label: contender.label.clone(),
                    slot: contender.slot,
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
        let baseline = view.contenders().get(view.baseline()).map(|one| one.label.clone()).unwrap_or_default();
        Self { neighbours: neighbours(&rows, snapshot), rows, baseline, has_published }
    }

    /// Places in `rows`, sorted; rows without a value come last either way.
    pub(super) fn sorted(&self, by: Column, descending: bool, view: &LabView) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let key = |row: &Row| -> Option<f64> {
            match by {
                Column::Eye => view.contenders().get(row.place).map(|one| f64::from(u8::from(one.shown))),
                Column::Strategy => None,
                Column::Games => Some(row.games as f64),
                Column::Mean => row.mean,
                Column::Interval => row.interval.map(|interval| interval.low),
                Column::Deviation => row.deviation,
                Column::Median => row.median,
                Column::Max => row.max.map(f64::from),
                Column::Moves => row.moves,
                Column::Against if row.place == view.baseline() => Some(0.0),
                Column::Against => row.against.map(|difference| difference.value),
                Column::Published => row.judgement.as_ref().map(|judgement| judgement.published),
                Column::Verdict => row.judgement.as_ref().map(|judgement| judgement.difference.value),
            }
        };
        let turn = |order: Ordering| if descending { order.reverse() } else { order };
        order.sort_by(|&a, &b| {
            let (a, b) = (&self.rows[a], &self.rows[b]);
            if by == Column::Strategy {
                return turn(a.label.cmp(&b.label));
            }
            match (key(a), key(b)) {
                (Some(a), Some(b)) => turn(a.total_cmp(&b)),
                (a, b) => b.is_some().cmp(&a.is_some()),
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
fn neighbours(rows: &[Row], snapshot: &Snapshot) -> String {
    const MOST: usize = 3;
    let mut order: Vec<&Row> = rows.iter().filter(|row| 1 < row.games).collect();
    if order.len() < 2 {
        return String::new();
    }
    order.sort_by(|a, b| b.mean.unwrap_or(0.0).total_cmp(&a.mean.unwrap_or(0.0)));
    let moments = |row: &Row| snapshot.entries[row.place].summary.scores().moments();
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
        let fitting = |room, published| Column::fitting(room, 10.0, published, Column::least);
        assert_eq!(fitting(2000.0, true), Column::ALL);
        let some = fitting(800.0, true);
        assert!(!some.contains(&Column::Max) && some.contains(&Column::Verdict));
        let few = fitting(270.0, true);
        assert_eq!(few, [Column::Eye, Column::Strategy, Column::Games, Column::Mean]);
        assert!(!fitting(2000.0, false).contains(&Column::Published));
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

//! The results of a sweep so far, computed without a window.

use crate::experiment::{Contestant, Snapshot, Summary, Swept, SweptAxis};
use crate::game::Rank;
use crate::preset::Published;
use crate::stats::{Interval, IntervalKind, Planned};
use crate::words;
use crate::workbench::panels::experiment::data::percent;
use crate::workbench::panels::experiment::run_view::RunView;

/// The quantity drawn over the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::workbench::panels::experiment) enum Measure {
    #[default]
    Mean,
    /// The share of games that reached a tile.
    Reach(u64),
}

impl Measure {
    pub(super) fn title(self) -> String {
        match self {
            Self::Mean => "Mean score".to_owned(),
            Self::Reach(tile) => format!("Reached {tile}, %"),
        }
    }

    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Mean => words::decimals(value, 0),
            Self::Reach(_) => percent(value),
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Mean => "",
            Self::Reach(_) => " %",
        }
    }

    fn of(self, summary: &Summary, planned: Planned) -> Option<(f64, Option<Interval>)> {
        match self {
            Self::Mean => Some((
                summary.scores.mean()?,
                planned.mean_interval(&summary.scores),
            )),
            Self::Reach(tile) => {
                let games = summary.reached(Rank::of_tile(tile)?);
                let share = (0 < summary.games()).then(|| games as f64 / summary.games() as f64)?;
                Some((share, planned.share_interval(games, summary.games())))
            }
        }
    }

    fn published(self, row: &Published) -> Option<f64> {
        match self {
            Self::Mean => row.mean,
            Self::Reach(tile) => row
                .reach
                .iter()
                .find(|(other, _)| *other == tile)
                .map(|(_, share)| *share),
        }
    }
}

/// A strategy at certain values of the settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    /// Its place in the run.
    pub place: usize,
    pub value: f64,
    /// The 95 % interval; `None` for a single game.
    pub interval: Option<Interval>,
    pub published: Option<f64>,
    /// A full description.
    pub about: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepLine {
    pub name: String,
    /// The last setting varies fastest; `None` without a game.
    pub points: Vec<Option<Point>>,
    /// Published without a value of the setting.
    pub published: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::workbench::panels::experiment) struct SweepData {
    pub(super) measure: Measure,
    pub(super) axes: Vec<SweptAxis>,
    pub(super) lines: Vec<SweepLine>,
    /// Tiles that only a part of the games reached, and tiles with published rates.
    pub(super) tiles: Vec<u64>,
    /// The weakest guarantee of its intervals.
    pub(super) kind: IntervalKind,
}

impl SweepData {
    /// `None` before the first game.
    pub(in crate::workbench::panels::experiment) fn new(
        snapshot: &Snapshot,
        played: &[Contestant],
        swept: &Swept,
        view: &RunView,
        measure: Measure,
    ) -> Option<Self> {
        let published = |place: usize| played.get(place).and_then(|one| one.published.as_ref());
        let mut kind = IntervalKind::Planned;
        let mut point = |line: usize, at: usize| {
            let place = swept.lines[line].contestants[at]?;
            let (summary, planned) = (snapshot.summaries.get(place)?, view.planned(place));
            let (value, interval) = measure.of(summary, planned)?;
            kind = kind.min(planned.kind(summary.games()));
            let published = published(place).and_then(|row| measure.published(row));
            let about = about(
                swept,
                line,
                at,
                measure,
                (value, interval),
                summary.games(),
                published,
            );
            Some(Point {
                place,
                value,
                interval,
                published,
                about,
            })
        };
        let lines: Vec<SweepLine> = (0..swept.lines.len())
            .map(|index| {
                let line = &swept.lines[index];
                let points = (0..line.contestants.len())
                    .map(|at| point(index, at))
                    .collect();
                let published = line
                    .published
                    .as_ref()
                    .and_then(|row| measure.published(row));
                SweepLine {
                    name: line.name.clone(),
                    points,
                    published,
                }
            })
            .collect();

        lines
            .iter()
            .flat_map(|line| &line.points)
            .any(Option::is_some)
            .then(|| Self {
                measure,
                axes: swept.axes.clone(),
                lines,
                tiles: tiles(snapshot, played),
                kind,
            })
    }

    /// Every drawn value, including interval ends.
    pub(super) fn drawn(&self, is_shown: impl Fn(usize) -> bool) -> impl Iterator<Item = f64> {
        let lines = self
            .lines
            .iter()
            .enumerate()
            .filter(move |(index, _)| is_shown(*index));
        lines.flat_map(|(_, line)| {
            let of_point = |point: &Point| {
                let ends = point
                    .interval
                    .map_or([point.value; 2], |ends| [ends.low, ends.high]);
                ends.into_iter().chain(point.published).chain([point.value])
            };
            line.points
                .iter()
                .flatten()
                .flat_map(of_point)
                .chain(line.published)
        })
    }

    pub(super) fn sentence(&self) -> String {
        let over: Vec<&str> = self.axes.iter().map(|axis| axis.name.as_str()).collect();
        format!("{} by {}", self.measure.title(), words::list(&over))
    }

    /// The hint below the plot.
    pub(in crate::workbench::panels::experiment) fn hint(&self) -> String {
        format!("{}. Click a point to list its games", self.marks())
    }

    /// The caption for print.
    pub(in crate::workbench::panels::experiment) fn caption(&self) -> String {
        format!("{}. {}", self.sentence(), self.marks())
    }

    fn marks(&self) -> String {
        let kind = match self.kind {
            IntervalKind::Anytime => format!(", {}", self.kind.promise()),
            IntervalKind::Planned => String::new(),
        };
        let has_row = |line: &SweepLine| {
            line.published.is_some()
                || line
                    .points
                    .iter()
                    .flatten()
                    .any(|point| point.published.is_some())
        };
        let published = if self.lines.iter().any(has_row) {
            ". Hollow squares and dotted lines: published"
        } else {
            ""
        };
        let shape = if self.axes.len() == 1 {
            "Bands"
        } else {
            "Below the values, if there is room"
        };
        format!("{shape}: 95 % intervals{kind}{published}")
    }
}

fn about(
    swept: &Swept,
    line: usize,
    at: usize,
    measure: Measure,
    (value, interval): (f64, Option<Interval>),
    games: u64,
    published: Option<f64>,
) -> String {
    let settings = swept
        .axes
        .iter()
        .zip(swept.at(at))
        .map(|(axis, value)| format!(", {} {value}", axis.name));
    let unit = measure.unit();
    let interval = interval.map_or(String::new(), |ends| {
        format!(
            ", 95 % interval {} to {}{unit}",
            measure.text(ends.low),
            measure.text(ends.high)
        )
    });
    let published = published.map_or(String::new(), |value| {
        format!(", published {}{unit}", measure.text(value))
    });
    let what = match measure {
        Measure::Mean => format!("mean {}", measure.text(value)),
        Measure::Reach(tile) => format!("{} % reached {tile}", measure.text(value)),
    };
    let name = &swept.lines[line].name;
    format!(
        "{name}{}: {what}{interval}, {}{published}",
        settings.collect::<String>(),
        words::plural(games, "game")
    )
}

/// Tiles that some games reached and others did not, or with a published rate.
fn tiles(snapshot: &Snapshot, played: &[Contestant]) -> Vec<u64> {
    let tells = |tile: &u64| {
        let Some(rank) = Rank::of_tile(*tile) else {
            return false;
        };
        let games: u64 = snapshot.summaries.iter().map(|one| one.games()).sum();
        let reached: u64 = snapshot.summaries.iter().map(|one| one.reached(rank)).sum();
        let published = |row: &Published| row.reach.iter().any(|(other, _)| other == tile);
        (0 < reached && reached < games)
            || played
                .iter()
                .filter_map(|one| one.published.as_ref())
                .any(published)
    };
    Summary::reached_tiles().into_iter().filter(tells).collect()
}

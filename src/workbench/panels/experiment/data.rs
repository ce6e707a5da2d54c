//! The data of the plots, computed without a window.

use std::ops::RangeInclusive;
use std::sync::Arc;

use itertools::Itertools as _;

use super::axis::{Axis, value_text};
use super::differences::{Differences, Paired};
use super::stack::ByLargest;
use crate::experiment::{Reach, Snapshot, Summary};
use crate::game::Rank;
use crate::stats::{BinWidth, Binning, Bins, IntervalKind, NO_DIFFERENCE, Planned, ScoreCounts};
use crate::words;
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::panels::experiment::standings::is_apart;

/// The unit of a histogram's heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Games,
    /// Percent of a strategy's games, for strategies with different numbers of games.
    Share,
}

/// The visible part of the axis and its width in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lens {
    pub pixels: f32,
    /// Places of the axis; `None` shows all of it.
    pub seen: Option<(f64, f64)>,
}

impl Default for Lens {
    fn default() -> Self {
        Self {
            pixels: 600.0,
            seen: None,
        }
    }
}

/// One strategy in a plot.
#[derive(Clone, Debug)]
pub(super) struct Series {
    pub place: usize,
    pub label: String,
    pub color: usize,
    pub games: u64,
    pub mean: f64,
    pub summary: Arc<Summary>,
    /// The 5 %, 25 %, 50 %, 75 % and 95 % quantiles of the scores.
    pub quantiles: [f64; 5],
    pub ends: (u32, u32),
    /// Its class: the letters of its group of indistinguishable strategies, if rows are grouped by class.
    pub class: Option<String>,
    /// Reach rates up to 131072; every series starts at the same tile.
    pub reach: Vec<Reach>,
    /// Exact reach probabilities by tile, where known.
    exact: Vec<(u64, f64)>,
    /// The guarantee of its intervals.
    pub kind: IntervalKind,
    /// Half the height of the 95 % band of its distribution, as a share.
    pub band: f64,
    /// Games in each bin.
    pub bars: Vec<u64>,
    /// Steps of the cumulative distribution: a score, and the number of games with at most this score. Exact to half a
    /// pixel.
    pub steps: Vec<(u32, u64)>,
}

impl Series {
    fn new(place: usize, view: &RunView, summary: &Arc<Summary>, planned: Planned) -> Option<Self> {
        let (scores, contestant) = (&summary.scores, view.contestants().get(place)?);
        Some(Self {
            place,
            label: contestant.label.clone(),
            color: contestant.color,
            games: scores.count(),
            mean: scores.mean()?,
            quantiles: [0.05, 0.25, 0.5, 0.75, 0.95]
                .map(|share| scores.quantile(share).unwrap_or(f64::NAN)),
            ends: (scores.min()?, scores.max()?),
            class: view.class_in_group(place).map(str::to_owned),
            reach: summary.reach_from(view.first_reached(), planned),
            exact: view
                .exact
                .rows()
                .and_then(|rows| rows.known(place))
                .map_or(Vec::new(), |row| row.reach.clone()),
            kind: planned.kind(scores.count()),
            band: planned.band(scores.count())?,
            summary: summary.clone(),
            bars: Vec::new(),
            steps: Vec::new(),
        })
    }

    /// Its name, with its class if rows are grouped: `emr, class a`.
    pub(super) fn name(&self) -> String {
        let class = self
            .class
            .as_ref()
            .map(|class| format!(", class {class}"))
            .unwrap_or_default();
        format!("{}{class}", self.label)
    }

    /// The exact probability of reaching a tile, where known.
    pub(super) fn exact_reach(&self, tile: u64) -> Option<f64> {
        self.exact
            .iter()
            .find(|(other, _)| *other == tile)
            .map(|&(_, share)| share)
    }

    /// A number of games in the unit of the plot.
    pub(super) fn in_unit(&self, games: u64, unit: Unit) -> f64 {
        match unit {
            Unit::Games => games as f64,
            Unit::Share => 100.0 * games as f64 / self.games.max(1) as f64,
        }
    }

    /// The height of a bar in the unit of the plot.
    pub(super) fn height(&self, bin: usize, unit: Unit) -> f64 {
        self.in_unit(self.bars[bin], unit)
    }

    /// The share of the games with at most this score.
    pub(super) fn at_most(&self, score: f64) -> f64 {
        let games = if score < 0.0 {
            0
        } else {
            self.summary.scores.count_in(&(0..=score as u32))
        };
        games as f64 / self.games.max(1) as f64
    }
}

/// The rows of a plot, each with whether a new class starts there.
pub(super) fn in_groups(rows: &[Series]) -> impl Iterator<Item = (&Series, bool)> {
    let above = std::iter::once(None).chain(rows.iter().map(|series| series.class.as_deref()));
    rows.iter()
        .zip(above)
        .map(|(series, above)| (series, is_apart(above, series.class.as_deref())))
}

/// The bars of one strategy, split by largest tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stack {
    /// The strategy.
    pub place: usize,
    /// From the smallest tile: the games it adds to each bin.
    pub parts: Vec<(Rank, Vec<u64>)>,
}

/// All data that the plots of the shown strategies need.
#[derive(Clone, Debug)]
pub(super) struct PlotData {
    pub bins: Bins,
    pub axis: Axis,
    pub unit: Unit,
    /// The strategies with outlines and curves; each has at least one game.
    pub series: Vec<Series>,
    /// The strategies in plots with one row per strategy.
    pub rows: Vec<Series>,
    pub stack: Option<Stack>,
    /// The summary of the differences, if the plot shows differences.
    pub paired: Option<Paired>,
    pub tallest: f64,
}

impl PlotData {
    /// Counts the shown strategies; `None` while none of them has a game.
    pub(super) fn new(
        snapshot: &Snapshot,
        view: &RunView,
        lens: Lens,
        by_largest: Option<&ByLargest>,
    ) -> Option<Self> {
        let series = |places: &mut dyn Iterator<Item = usize>| -> Vec<Series> {
            places
                .filter_map(|place| {
                    Series::new(
                        place,
                        view,
                        snapshot.summaries.get(place)?,
                        view.planned(place),
                    )
                })
                .collect()
        };
        let (series, rows) = (
            series(&mut view.shown()),
            series(&mut view.in_rows().into_iter()),
        );
        let choices = &view.plots;
        let binning = Binning {
            log2: choices.log2,
            width: if choices.log2 {
                choices.per_doubling.map(BinWidth::PerDoubling)
            } else {
                choices.width.map(BinWidth::Points)
            },
            whole: choices.whole,
            pixels: lens.pixels.into(),
            seen: lens.seen.map(|(low, high)| high - low),
            zero: 0,
        };

        let mut data = Self::laid_out(series, rows, binning, lens)?;
        let series = &data.series;
        // The unit follows the planned numbers of games, so that it does not change during a run.
        let ended = snapshot.progress.state.has_ended();
        let planned = |one: &Series| view.dealt(one.place).map_or(one.games, |dealt| dealt.games);
        let games = |one: &Series| if ended { one.games } else { planned(one) };
        let unit = if series.iter().map(games).all_equal() {
            Unit::Games
        } else {
            Unit::Share
        };

        let stack = by_largest
            .filter(|one| series.iter().any(|series| series.place == one.place()))
            .map(|one| Stack {
                place: one.place(),
                parts: one
                    .scores()
                    .map(|(rank, scores)| (rank, data.bins.histogram(scores)))
                    .collect(),
            });

        data.set_unit(unit, lens);
        data.stack = stack;
        Some(data)
    }

    /// The differences of two strategies; `None` if no game differs.
    pub(super) fn of_differences(found: &Differences, view: &RunView, lens: Lens) -> Option<Self> {
        let [place, other] = found.places();
        let planned = view.planned_of_both(place, other);
        let paired = Paired::new(
            found,
            [place, other].map(|place| view.label(place)),
            planned,
        )?;
        let mut series = Series::new(
            place,
            view,
            &Arc::new(Summary::of_scores(found.scores.clone())),
            planned,
        )?;
        (series.label, series.mean) =
            (paired.label.clone(), f64::from(NO_DIFFERENCE) + paired.mean);
        let binning = Binning {
            log2: false,
            width: view
                .plots
                .width
                .filter(|_| !view.plots.log2)
                .map(BinWidth::Points),
            whole: true,
            pixels: lens.pixels.into(),
            seen: lens.seen.map(|(low, high)| high - low),
            zero: NO_DIFFERENCE,
        };
        let data = Self::laid_out(vec![series], Vec::new(), binning, lens)?;
        Some(Self {
            paired: Some(paired),
            ..data
        })
    }

    fn laid_out(
        mut series: Vec<Series>,
        rows: Vec<Series>,
        binning: Binning,
        lens: Lens,
    ) -> Option<Self> {
        // Rows without outlines, such as the results while all outlines are hidden, still need an axis.
        let all = if series.is_empty() { &rows } else { &series };
        let bins = binning.bins(all.iter().map(|series| &series.summary.scores))?;
        let axis = Axis::of(&bins, binning.log2);
        for series in &mut series {
            series.bars = bins.histogram(&series.summary.scores);
            series.steps = steps(&series.summary.scores, &axis, lens);
        }
        let (unit, stack, paired) = (Unit::Games, None, None);
        let mut data = Self {
            bins,
            axis,
            unit,
            series,
            rows,
            stack,
            paired,
            tallest: 0.0,
        };
        data.set_unit(unit, lens);
        Some(data)
    }

    /// Sets the unit and the tallest bar.
    fn set_unit(&mut self, unit: Unit, lens: Lens) {
        let Self {
            bins, axis, series, ..
        } = self;
        // A zoomed part uses the whole height.
        let is_seen = |bin: &usize| {
            let range = bins.range(*bin);
            let (from, to) = axis.span(&(range.start..=range.end - 1));
            lens.seen.is_none_or(|(low, high)| low < to && from < high)
        };
        let seen: Vec<usize> = (0..bins.len()).filter(is_seen).collect();
        let heights = series
            .iter()
            .flat_map(|series| seen.iter().map(|&bin| series.height(bin, unit)));
        self.tallest = heights.fold(0.0, f64::max);
        self.unit = unit;
    }

    /// The scores of a bin, both ends included.
    pub(super) fn scores_of(&self, bin: usize) -> RangeInclusive<u32> {
        let range = self.bins.range(bin);
        range.start..=range.end - 1
    }

    /// The bin at a score, or the nearest one.
    pub(super) fn bin_at(&self, score: f64) -> usize {
        let (first, last) = (
            self.bins.range(0).start,
            self.bins.range(self.bins.len() - 1).end,
        );
        let score = (score.max(0.0) as u32).clamp(first, last - 1);
        self.bins.index_of(score).unwrap_or(self.bins.len() - 1)
    }

    /// "bins of 200".
    pub(super) fn width_text(&self) -> String {
        match self.bins.width() {
            BinWidth::Points(width) => format!("bins of {}", words::count(width.into())),
            BinWidth::PerDoubling(1) => "one bin per doubling".to_owned(),
            BinWidth::PerDoubling(parts) => format!("{parts} bins per doubling"),
        }
    }

    /// The strategy whose bars are split.
    pub(super) fn stacked(&self) -> Option<(&Series, &Stack)> {
        let stack = self.stack.as_ref()?;
        Some((
            self.series
                .iter()
                .find(|series| series.place == stack.place)?,
            stack,
        ))
    }

    /// "32 games from 24,000 on", if the tail has a bin.
    pub(super) fn tail_text(&self) -> Option<String> {
        let tail = self.bins.tail()?;
        let games = self.series.iter().map(|series| series.bars[tail]).sum();
        let above = words::count(u64::from(self.bins.range(tail).start));
        Some(format!(
            "{} at {above} or more",
            words::plural(games, "game")
        ))
    }

    pub(super) fn sentence(&self, kind: &str, series: &[Series]) -> String {
        let part = |Series {
                        label, games, mean, ..
                    }: &Series| {
            format!(
                "{label} {}, mean {}",
                words::plural(*games, "game"),
                words::decimals(*mean, 0)
            )
        };
        let parts: Vec<String> = series.iter().map(part).collect();
        let parts = self
            .paired
            .as_ref()
            .map_or_else(|| parts.join("; "), Paired::sentence);
        format!("{kind}, {}: {parts}", self.width_text())
    }

    /// The columns of the ladder: the tiles up to the largest that any of these games reached, and the next one, whose
    /// share of 0 has an upper bound.
    pub(super) fn ladder(&self) -> Vec<usize> {
        let rungs = self
            .rows
            .iter()
            .map(|series| series.reach.len())
            .max()
            .unwrap_or(0);
        let reached = |rung: usize| {
            self.rows
                .iter()
                .any(|series| 0 < series.reach.get(rung).map_or(0, |r| r.games))
        };
        let all = |rung: usize| {
            self.rows
                .iter()
                .all(|series| series.reach.get(rung).is_some_and(|r| r.share == 1.0))
        };
        let last = (0..rungs)
            .rev()
            .find(|&rung| reached(rung))
            .map_or(0, |rung| rung + 1);
        let first = (0..rungs)
            .find(|&rung| !all(rung))
            .unwrap_or(0)
            .saturating_sub(1);
        (first..=last.max(first))
            .filter(|&rung| rung < rungs)
            .collect()
    }
}

/// The steps of the cumulative distribution; steps within half a pixel are merged.
fn steps(scores: &ScoreCounts, axis: &Axis, lens: Lens) -> Vec<(u32, u64)> {
    let (low, high) = lens.seen.unwrap_or((axis.low, axis.end()));
    let column = |score: u32| {
        let across = (axis.at(score.into()) - low) / (high - low).max(1e-9);
        (2.0 * f64::from(lens.pixels) * across.clamp(-0.01, 1.01)).floor() as i64
    };
    let mut steps: Vec<(u32, u64)> = Vec::new();
    let (mut upto, mut last) = (0, None);
    for (score, count) in scores.iter() {
        upto += count;
        let here = column(score);
        if last == Some(here) {
            steps.pop();
        }
        steps.push((score, upto));
        last = Some(here);
    }

    steps
}

/// A range of scores: `6,000 to 6,999`; for differences (`zero` is not 0) `−200 to −1`.
pub(crate) fn scores_text(scores: &RangeInclusive<u32>, zero: u32) -> String {
    let [low, high] = [*scores.start(), *scores.end()].map(|score| value_text(score.into(), zero));
    format!("{low} to {high}")
}

/// A share in percent, with enough decimals that it does not round to 0.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0".to_owned(),
        p if p < 0.0005 => "<0.001".to_owned(),
        p if p < 0.01 => words::decimals(p, 3),
        p if p < 1.0 => words::decimals(p, 2),
        p if 100.0 <= p => "100".to_owned(),
        // Never rounds up to 100 %.
        p if 99.95 <= p => words::decimals((p * 100.0).floor() / 100.0, 2),
        p => words::decimals(p, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Binning;

    #[test]
    fn shares_never_round_to_all_or_nothing() {
        let texts: Vec<String> = [0.0, 1e-6, 0.0002, 0.0062, 0.562, 0.9996, 0.999_999, 1.0]
            .map(percent)
            .into();
        assert_eq!(
            texts,
            [
                "0", "<0.001", "0.02", "0.62", "56.2", "99.96", "99.99", "100"
            ]
        );
    }

    #[test]
    fn steps_are_the_counted_share_of_games() {
        let list: Vec<u32> = (0..300_u32)
            .map(|i| 4 * (i.wrapping_mul(2_654_435_761) % 200))
            .collect();
        let scores: ScoreCounts = list.iter().copied().collect();
        for log2 in [false, true] {
            let binning = Binning {
                log2,
                width: None,
                whole: true,
                pixels: 4000.0,
                seen: None,
                zero: 0,
            };
            let axis = Axis::of(&binning.bins([&scores]).expect("scores"), log2);
            let exact = steps(
                &scores,
                &axis,
                Lens {
                    pixels: 40_000.0,
                    seen: None,
                },
            );
            let counted = |score: u32| list.iter().filter(|&&other| other <= score).count() as u64;
            assert!(
                exact.iter().all(|&(score, upto)| upto == counted(score)),
                "{exact:?}"
            );
            let distinct = scores
                .iter()
                .filter(|&(score, _)| !log2 || 8 < score)
                .count();
            assert!(distinct <= exact.len() && exact.len() <= scores.iter().count());
            // With few pixels there are few steps; each is exact, and the last one is all games.
            let coarse = steps(
                &scores,
                &axis,
                Lens {
                    pixels: 10.0,
                    seen: None,
                },
            );
            assert!(
                coarse.len() <= 23 && coarse.iter().all(|step| exact.contains(step)),
                "{coarse:?}"
            );
            assert_eq!(coarse.last(), Some(&(scores.max().expect("scores"), 300)));
        }
    }

    #[test]
    fn brushed_scores_are_written_with_both_ends() {
        assert_eq!(scores_text(&(6000..=6999), 0), "6,000 to 6,999");
        let differences = NO_DIFFERENCE - 200..=NO_DIFFERENCE + 199;
        assert_eq!(scores_text(&differences, NO_DIFFERENCE), "−200 to +199");
    }
}

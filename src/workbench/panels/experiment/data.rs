//! What the plots show, computed without a window.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::experiment::{Progress, Reach, Snapshot, State};
use crate::stats::{Bins, IntervalKind, ScoreCounts};
use crate::words;
use crate::workbench::panels::experiment::run_view::RunView;

/// Points of a cumulative curve; more than a plot has columns of pixels worth telling apart.
const CURVE_POINTS: usize = 720;

/// Of the heights of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Games,
    /// Percent of a strategy's games, because their numbers differ.
    Share,
}

#[derive(Clone, Debug)]
pub(super) struct Series {
    pub place: usize,
    pub label: String,
    pub color: usize,
    pub games: u64,
    pub mean: f64,
    pub bars: Vec<u64>,
    /// Share of games below a score, at `CURVE_POINTS` scores of the axis.
    pub curve: Vec<f32>,
    /// 5 %, 25 %, 50 %, 75 % and 95 % of the games lie below.
    pub quantiles: [f64; 5],
    pub ends: (u32, u32),
    /// Reach rates of 64 to 131072.
    pub reach: Vec<Reach>,
    /// What their intervals promise.
    pub kind: IntervalKind,
}

impl Series {
    /// The height of a bar in the unit of the plot.
    pub(super) fn height(&self, bin: usize, unit: Unit) -> f64 {
        let games = self.bars[bin] as f64;
        match unit {
            Unit::Games => games,
            Unit::Share => 100.0 * games / self.games.max(1) as f64,
        }
    }
}

/// Everything the plots of the shown strategies need.
#[derive(Clone, Debug)]
pub(super) struct PlotData {
    pub bins: Bins,
    pub unit: Unit,
    /// The shown strategies that have a game.
    pub series: Vec<Series>,
    pub axis: (f64, f64),
    pub tallest: f64,
}

impl PlotData {
    /// Counts the shown strategies; `None` while none of them has a game.
    pub(super) fn new(snapshot: &Snapshot, view: &RunView) -> Option<Self> {
        let shown: Vec<usize> = view
            .shown()
            .filter(|&place| snapshot.summaries.get(place).is_some_and(|summary| 0 < summary.games()))
            .collect();
        let planned = snapshot.planned;
        let bins = Bins::for_runs(shown.iter().map(|&place| &snapshot.summaries[place].scores))?;
        let (first, last) = (f64::from(bins.range(0).start), f64::from(bins.range(bins.len() - 1).end));
        // An axis from 0 shows how far the scores are from nothing; far away it would waste the plot.
        let axis = (if first < 0.4 * last { 0.0 } else { first }, last);
        let series: Vec<Series> = shown
            .into_iter()
            .filter_map(|place| {
                let summary = &snapshot.summaries[place];
                let (scores, contestant) = (&summary.scores, view.contestants().get(place)?);
                Some(Series {
                    place,
                    label: contestant.label.clone(),
                    color: contestant.color,
                    games: scores.count(),
                    mean: scores.mean()?,
                    bars: bins.histogram(scores),
                    curve: curve(scores, axis),
                    quantiles: [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| scores.quantile(share).unwrap_or(f64::NAN)),
                    ends: (scores.min()?, scores.max()?),
                    reach: summary.reach(planned),
                    kind: planned.kind(scores.count()),
                })
            })
            .collect();
        let same = series.windows(2).all(|pair| pair[0].games == pair[1].games);
        // While games are being played the numbers differ by a chunk; the unit must not flicker.
        let asked = snapshot.progress.total / (snapshot.progress.finished_by_contestant.len().max(1) as u64);
        let ended = snapshot.progress.state.has_ended();
        let close = series.iter().all(|one| series.iter().all(|other| one.games.abs_diff(other.games) * 20 <= asked));
        let unit = if same || (!ended && close) { Unit::Games } else { Unit::Share };
        let tallest =
            series.iter().flat_map(|series| (0..bins.len()).map(|bin| series.height(bin, unit))).fold(0.0, f64::max);
        Some(Self { bins, unit, series, axis, tallest })
    }

    /// The scores of a bin, both ends included.
    pub(super) fn scores_of(&self, bin: usize) -> RangeInclusive<u32> {
        let range = self.bins.range(bin);
        range.start..=range.end - 1
    }

    /// The bin at a score, or the nearest.
    pub(super) fn bin_at(&self, score: f64) -> usize {
        let first = f64::from(self.bins.range(0).start);
        let bin = ((score - first) / f64::from(self.bins.width())).floor().max(0.0) as usize;
        bin.min(self.bins.len() - 1)
    }

    /// The share of a strategy's games below a score, as far as its curve says.
    pub(super) fn share_below(&self, series: &Series, score: f64) -> f32 {
        let last = (series.curve.len() - 1) as f64;
        let (low, high) = self.axis;
        let place = (score - low) / (high - low).max(1e-9) * last;
        series.curve[place.round().clamp(0.0, last) as usize]
    }

    pub(super) fn sentence(&self, kind: &str) -> String {
        let part = |Series { label, games, mean, .. }: &Series| {
            format!("{label} {}, mean {}", words::plural(*games, "game"), words::decimals(*mean, 0))
        };
        let parts: Vec<String> = self.series.iter().map(part).collect();
        format!("{kind}, bins of {}: {}", words::count(self.bins.width().into()), parts.join("; "))
    }

    /// Number of rows of the ladder: the tiles from 64 up to the largest that any shown game reached, and one more whose
    /// share of 0 has an upper bound.
    pub(super) fn ladder(&self) -> Vec<usize> {
        let rungs = self.series.iter().map(|series| series.reach.len()).max().unwrap_or(0);
        let reached = |rung: usize| self.series.iter().any(|series| 0 < series.reach.get(rung).map_or(0, |r| r.games));
        let all = |rung: usize| self.series.iter().all(|series| series.reach.get(rung).is_some_and(|r| r.share == 1.0));
        let last = (0..rungs).rev().find(|&rung| reached(rung)).map_or(0, |rung| rung + 1);
        let first = (0..rungs).find(|&rung| !all(rung)).unwrap_or(0).saturating_sub(1);
        (first..=last.max(first)).filter(|&rung| rung < rungs).collect()
    }
}

/// Share of the scores below each of `CURVE_POINTS` points of the axis.
fn curve(scores: &ScoreCounts, axis: (f64, f64)) -> Vec<f32> {
    let total = scores.count().max(1) as f64;
    let mut all = scores.iter().peekable();
    let mut below = 0;
    (0..=CURVE_POINTS)
        .map(|point| {
            let at = axis.0 + (axis.1 - axis.0) * point as f64 / CURVE_POINTS as f64;
            while let Some(&(score, count)) = all.peek()
                && f64::from(score) < at
            {
                below += count;
                all.next();
            }
            (below as f64 / total) as f32
        })
        .collect()
}

/// A range of scores: `6,000 to 6,999`.
pub(crate) fn scores_text(scores: &RangeInclusive<u32>) -> String {
    format!("{} to {}", words::count((*scores.start()).into()), words::count((*scores.end()).into()))
}

/// At most `most` round numbers from `low` to `high`, with the step between them.
pub(super) fn ticks(low: f64, high: f64, most: usize) -> (Vec<f64>, f64) {
    let wanted = ((high - low) / most.max(1) as f64).max(1e-9);
    let base = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|f| f * base).find(|&step| wanted <= step).unwrap_or(wanted);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    ((first..=last).map(|k| k as f64 * step).collect(), step)
}

/// Decimals that tell neighbouring ticks apart.
pub(super) fn tick_text(value: f64, step: f64) -> String {
    let places = match step {
        step if step.fract() == 0.0 => 0,
        step if (step * 10.0).fract().abs() < 1e-9 => 1,
        _ => 2,
    };
    words::decimals(value, places)
}

/// A share in percent with as many decimals as it takes to tell it from nothing.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0".to_owned(),
        p if p < 0.0005 => "<0.001".to_owned(),
        p if p < 0.01 => words::decimals(p, 3),
        p if p < 1.0 => words::decimals(p, 2),
        p if 100.0 <= p => "100".to_owned(),
        // All but a few is not all.
        p if 99.95 <= p => words::decimals((p * 100.0).floor() / 100.0, 2),
        p => words::decimals(p, 1),
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunText {
    /// "30,400 of 35,000 games".
    pub count: String,
    /// The widest that `count` gets, so that nothing beside it moves.
    pub widest: String,
    /// From 0 to 1.
    pub share: f32,
    /// "1,240 games/s", empty before there is a speed.
    pub speed: String,
    /// "2:25 to 2:38 left", or how it ended.
    pub rest: String,
    pub failure: Option<String>,
}

impl RunText {
    pub(super) fn new(progress: &Progress) -> Self {
        let (finished, total) = (words::count(progress.finished), words::count(progress.total));
        let rest = match &progress.state {
            State::Running => progress.left.map_or_else(|| "no estimate yet".to_owned(), left),
            State::Paused => "Paused".to_owned(),
            State::Done => format!("✓ Done in {}", clock(progress.elapsed, false)),
            State::Stopping => match progress.left {
                Some((_, longest)) => format!("Stopping: games in play end within some {}", clock(longest, true)),
                None => "Stopping: games in play are finished".to_owned(),
            },
            State::Stopped => "Stopped, finished games kept".to_owned(),
            State::Cancelled => "Stopped at once: biased".to_owned(),
            State::RuleMet { sentence, .. } => format!("✓ {sentence}"),
            State::Failed(_) => "✗ Failed".to_owned(),
        };
        let speed = progress.games_per_second;
        let failure = if let State::Failed(sentence) = &progress.state { Some(sentence.clone()) } else { None };
        Self {
            count: format!("{finished} of {total} games"),
            widest: format!("{total} of {total} games"),
            share: (progress.finished as f64 / progress.total.max(1) as f64) as f32,
            speed: if 0.0 < speed { format!("{} games/s", round_speed(speed)) } else { String::new() },
            rest,
            failure,
        }
    }
}

/// Three digits are all a speed is good for, and all that can be read while it changes.
fn round_speed(speed: f64) -> String {
    if speed < 10.0 {
        return words::decimals(speed, 1);
    }
    let unit = 10f64.powf((speed.log10().floor() - 2.0).max(0.0));
    words::decimals((speed / unit).round() * unit, 0)
}

/// "2:25 to 2:38 left".
fn left((low, high): (Duration, Duration)) -> String {
    let (low, high) = (clock(low, true), clock(high, true));
    if low == high { format!("{low} left") } else { format!("{low} to {high} left") }
}

/// Minutes and seconds, with hours where there are any; short times, unless they count down, with a decimal.
fn clock(time: Duration, counts_down: bool) -> String {
    let secs = time.as_secs_f64();
    if !counts_down && secs < 0.095 {
        return format!("{:.0} ms", (1000.0 * secs).max(1.0));
    }
    if !counts_down && secs < 59.95 {
        return format!("{secs:.1} s");
    }
    if counts_down && 48.0 * 3600.0 <= secs {
        return words::time(secs);
    }
    let whole = secs.round() as u64;
    let (hours, minutes, secs) = (whole / 3600, whole / 60 % 60, whole % 60);
    if 0 < hours { format!("{hours}:{minutes:02}:{secs:02}") } else { format!("{minutes}:{secs:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        assert_eq!(ticks(0.0, 14_250.0, 7).0, [0.0, 2500.0, 5000.0, 7500.0, 10_000.0, 12_500.0]);
        assert_eq!(ticks(0.0, 1.0, 5).0.len(), 6);
        let (at, step) = ticks(0.0, 0.7, 5);
        assert!(at.len() <= 6);
        assert_eq!(tick_text(at[1], step), "0.2");
        assert_eq!(tick_text(12_500.0, 2500.0), "12,500");
    }

    #[test]
    fn shares_never_round_to_all_or_nothing() {
        let texts: Vec<String> = [0.0, 1e-6, 0.0002, 0.0062, 0.562, 0.9996, 0.999_999, 1.0].map(percent).into();
        assert_eq!(texts, ["0", "<0.001", "0.02", "0.62", "56.2", "99.96", "99.99", "100"]);
    }

    #[test]
    fn the_run_bar_says_how_far_and_how_long() {
        let mut progress = Progress {
            state: State::Running,
            finished: 30_400,
            total: 35_000,
            finished_by_contestant: vec![15_200; 2],
            elapsed: Duration::from_secs(20),
            games_per_second: 1234.5,
            left: Some((Duration::from_secs(145), Duration::from_secs(158))),
            trouble: None,
            gauges: Vec::new(),
        };
        let text = RunText::new(&progress);
        assert_eq!((text.count.as_str(), text.rest.as_str()), ("30,400 of 35,000 games", "2:25 to 2:38 left"));
        assert_eq!(text.speed, "1,230 games/s");
        progress.left = Some((Duration::from_millis(3700), Duration::from_millis(4200)));
        assert_eq!(RunText::new(&progress).rest, "0:04 left");
        progress.state = State::Failed("A worker stopped".to_owned());
        assert_eq!(RunText::new(&progress).failure.as_deref(), Some("A worker stopped"));
        progress.state = State::Done;
        assert_eq!(RunText::new(&progress).rest, "✓ Done in 20.0 s");
        progress.elapsed = Duration::from_micros(43_200);
        assert_eq!(RunText::new(&progress).rest, "✓ Done in 43 ms");
    }

    #[test]
    fn curves_rise_from_none_to_all() {
        let scores: ScoreCounts = (0..1000u32).map(|i| 4 * i).collect();
        let curve = curve(&scores, (0.0, 4000.0));
        assert_eq!((curve[0], curve[CURVE_POINTS]), (0.0, 1.0));
        assert!((curve[CURVE_POINTS / 2] - 0.5).abs() < 1e-3);
        assert!(curve.windows(2).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn brushed_scores_are_written_with_both_ends() {
        assert_eq!(scores_text(&(6000..=6999)), "6,000 to 6,999");
    }
}

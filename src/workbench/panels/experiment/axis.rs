//! The score axis of a plot: linear or logarithmic, with a place at the end for the tail.

use std::ops::RangeInclusive;

use crate::stats::Bins;
use crate::words;
use crate::workbench::kit::{tick_text, ticks};

/// Maps scores to places on the axis. A place is a score or its log₂.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub log2: bool,
    pub low: f64,
    /// Where the scores end; the tail, if any, is beyond it.
    pub high: f64,
    /// The lowest score of the tail.
    tail: Option<u32>,
    /// The stored score that means 0.
    zero: u32,
}

impl Axis {
    /// The tail's share of the axis, including the gap before it.
    const TAIL: f64 = 0.06;

    pub(super) fn of(bins: &Bins, log2: bool) -> Self {
        let tail = bins.tail().map(|tail| bins.range(tail).start);
        let axis = Self {
            log2,
            low: 0.0,
            high: 0.0,
            tail: None,
            zero: bins.zero(),
        };
        let last = tail.unwrap_or_else(|| bins.range(bins.len() - 1).end);
        let [first, last] = [bins.range(0).start, last].map(|score| axis.at(score.into()));
        // An axis from 0 shows how far the scores are from 0; for scores far from 0 it would waste the plot.
        let low = if !log2 && first < 0.4 * last {
            0.0
        } else {
            first
        };
        // Differences are always shown with their zero.
        let zero = if axis.zero == 0 {
            low
        } else {
            f64::from(axis.zero)
        };
        Self {
            low: low.min(zero),
            high: last.max(low + 1.0).max(zero),
            tail,
            ..axis
        }
    }

    /// The place of a score; every score of the tail is at the middle of the tail.
    pub(super) fn at(&self, score: f64) -> f64 {
        match self.tail_span() {
            Some((low, high)) if self.tail.is_some_and(|tail| f64::from(tail) <= score) => {
                (low + high) / 2.0
            }
            _ if self.log2 => score.max(4.0).log2(),
            _ => score,
        }
    }

    /// The score at a place; the lowest of the tail for any place beyond the other scores.
    pub(super) fn score(&self, at: f64) -> f64 {
        match self.tail {
            Some(tail) if self.high < at => f64::from(tail),
            _ if self.log2 => at.exp2(),
            _ => at,
        }
    }

    /// Where the tail is drawn.
    pub(super) fn tail_span(&self) -> Option<(f64, f64)> {
        let room = Self::TAIL / (1.0 - Self::TAIL) * (self.high - self.low);
        self.tail
            .map(|_| (self.high + 0.25 * room, self.high + room))
    }

    /// For differences, the stored score that means 0.
    pub(super) fn no_difference(&self) -> Option<u32> {
        (self.zero != 0).then_some(self.zero)
    }

    /// A score as text; a difference has its sign.
    pub(super) fn text(&self, score: f64) -> String {
        value_text(score, self.zero)
    }

    /// The lowest score of the tail.
    pub(super) fn tail(&self) -> Option<u32> {
        self.tail
    }

    pub(super) fn end(&self) -> f64 {
        self.tail_span().map_or(self.high, |(_, end)| end)
    }

    /// The range of places of whole bins.
    pub(super) fn span(&self, scores: &RangeInclusive<u32>) -> (f64, f64) {
        let [low, high] = [*scores.start(), *scores.end()];
        let tail = self.tail_span().zip(self.tail);
        let plain = |score: f64| {
            if self.log2 {
                score.max(4.0).log2()
            } else {
                score
            }
        };
        (
            tail.filter(|&(_, tail)| tail <= low)
                .map_or(plain(low.into()), |((from, _), _)| from),
            tail.filter(|&(_, tail)| tail <= high)
                .map_or(plain(f64::from(high) + 1.0), |((_, to), _)| to),
        )
    }

    /// A part of the axis of this length from `low`, shifted to stay within its ends.
    pub(super) fn within(&self, low: f64, length: f64) -> (f64, f64) {
        let length = length.min(self.end() - self.low);
        let low = low.clamp(self.low, self.end() - length);
        (low, low + length)
    }

    /// At most `most` places of round scores between two places, each with the step between scores.
    pub(super) fn ticks(&self, low: f64, high: f64, most: usize) -> Vec<(f64, f64)> {
        /// Over fewer doublings, there are too few powers of two to read scores by.
        const FEW: f64 = 2.0;
        // The text of the tail takes the place of the last numbers.
        let high = if self.tail.is_some() {
            high.min(self.high - 0.06 * (high - low))
        } else {
            high
        };
        if !self.log2 || high - low < FEW {
            let zero = f64::from(self.zero);
            let (scores, step) = ticks(self.score(low) - zero, self.score(high) - zero, most);
            let scores = scores.into_iter().map(|score| zero + score);
            return scores.map(|score| (self.at(score), step)).collect();
        }
        let step = ((high - low) / most.max(1) as f64).ceil().max(1.0);
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last).map(|k| (k as f64 * step, 1.0)).collect()
    }

    /// The label of a tick.
    pub(super) fn tick_text(&self, at: f64, step: f64) -> String {
        tick_text(self.score(at) - f64::from(self.zero), step)
    }
}

/// A score as text; a difference (`zero` is not 0) has its sign.
pub(super) fn value_text(score: f64, zero: u32) -> String {
    if zero == 0 {
        words::decimals(score, 0)
    } else {
        words::signed(score - f64::from(zero), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Binning, ScoreCounts};

    fn axis(log2: bool) -> (Axis, Bins) {
        let scores: ScoreCounts = (0..4000_u32)
            .map(|i| 400 + 4 * (i % 900))
            .chain([1_000_000])
            .collect();
        let bins = Binning {
            log2,
            width: None,
            whole: false,
            pixels: 600.0,
            seen: None,
            zero: 0,
        }
        .bins([&scores]);
        let bins = bins.expect("scores");
        (Axis::of(&bins, log2), bins)
    }

    #[test]
    fn a_score_and_its_place_belong_together_and_the_tail_has_one_place() {
        for log2 in [false, true] {
            let (axis, bins) = axis(log2);
            for score in [400.0, 1096.0, 2048.0, 3996.0] {
                assert!((axis.score(axis.at(score)) - score).abs() < 1e-6, "{score}");
            }
            let tail = bins.range(bins.tail().expect("a tail")).start;
            let (low, high) = axis.tail_span().expect("a tail");
            assert!(
                axis.high < low && low < axis.at(1e6) && axis.at(1e6) < high && high == axis.end()
            );
            assert_eq!(axis.score(axis.at(1e6)), f64::from(tail));
            assert_eq!(axis.span(&(tail..=1_000_000)), (low, high));
            let (from, to) = axis.span(&(1000..=1999));
            assert!((axis.score(from), axis.score(to)) == (1000.0, 2000.0) || log2);
        }
    }

    #[test]
    fn powers_of_two_are_told_on_a_logarithm_until_it_is_enlarged() {
        let (axis, _) = axis(true);
        let texts = |low, high| -> Vec<String> {
            axis.ticks(low, high, 6)
                .into_iter()
                .map(|(at, step)| axis.tick_text(at, step))
                .collect()
        };
        assert_eq!(texts(axis.low, axis.end()), ["512", "1,024", "2,048"]);
        assert_eq!(
            texts(10.0, 11.0),
            ["1,200", "1,400", "1,600", "1,800", "2,000"]
        );
    }
}

//! The exact distribution of a set of scores.

use std::ops::RangeInclusive;

use super::{Interval, Z95, skewed_mean_interval};
use crate::math;

/// The size of a sample, its mean and, if it exists, its standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    pub count: u64,
    pub mean: f64,
    pub std_dev: Option<f64>,
}

/// Every score that occurred and its number, ascending.
///
/// Sums are integers (Σx in 64 bits, Σx² and Σx³ in 128), so mean and standard deviation do not depend on the order of
/// [`merge`](Self::merge). A million games of random play have a few thousand different scores: about 30 kB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoreCounts {
    /// Ascending in the score, no count is zero.
    counts: Vec<(u32, u64)>,
    total: u64,
    sum: u64,
    sum_of_squares: u128,
    sum_of_cubes: u128,
}

impl ScoreCounts {
    /// No scores; the neutral element of [`merge`](Self::merge).
    pub const EMPTY: Self = Self {
        counts: Vec::new(),
        total: 0,
        sum: 0,
        sum_of_squares: 0,
        sum_of_cubes: 0,
    };

    pub fn merge(&mut self, other: &Self) {
        self.counts.extend(&other.counts);
        // Stable sorting merges two sorted runs in one pass.
        self.counts.sort_by_key(|&(score, _)| score);
        self.counts.dedup_by(|next, previous| {
            let is_same = next.0 == previous.0;
            previous.1 += if is_same { next.1 } else { 0 };
            is_same
        });
        self.total += other.total;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
        self.sum_of_cubes += other.sum_of_cubes;
    }

    /// `(score, count)` in ascending order of the score.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.counts.iter().copied()
    }

    /// The number of scores, including repetitions.
    pub fn count(&self) -> u64 {
        self.total
    }

    pub fn min(&self) -> Option<u32> {
        self.counts.first().map(|&(score, _)| score)
    }

    pub fn max(&self) -> Option<u32> {
        self.counts.last().map(|&(score, _)| score)
    }

    pub fn mean(&self) -> Option<f64> {
        (0 < self.total).then(|| self.sum as f64 / self.total as f64)
    }

    /// The sample standard deviation (divisor n − 1). `None` below two scores.
    pub fn std_dev(&self) -> Option<f64> {
        if self.total < 2 {
            return None;
        }
        let n = u128::from(self.total);
        // n·Σx² − (Σx)² is never negative and exact; only the division and the root round.
        let spread = n * self.sum_of_squares - u128::from(self.sum) * u128::from(self.sum);
        Some((spread as f64 / (n * (n - 1)) as f64).sqrt())
    }

    /// The standard error of the mean, standard deviation / √n.
    pub fn std_error(&self) -> Option<f64> {
        self.std_dev().map(|sd| sd / (self.total as f64).sqrt())
    }

    /// The third central moment in units of the cubed standard deviation: positive if the longer tail is above. `None`
    /// without a spread.
    pub fn skewness(&self) -> Option<f64> {
        let sd = self.std_dev().filter(|&sd| 0.0 < sd)?;
        let (n, mean) = (self.total as f64, self.mean()?);
        let [squares, cubes] = [self.sum_of_squares, self.sum_of_cubes].map(|sum| sum as f64 / n);
        Some((cubes - 3.0 * mean * squares + 2.0 * math::powi(mean, 3)) / math::powi(sd, 3))
    }

    /// The 95 % interval of the mean, with Hall's correction for skewness. Its lower end is never negative, as no score
    /// is. `None` below two scores.
    pub fn mean_interval(&self) -> Option<Interval> {
        let skewness = self.skewness().unwrap_or(0.0);
        let interval = skewed_mean_interval(self.total, self.mean()?, self.std_dev()?, skewness)?;
        Some(Interval {
            low: interval.low.max(0.0),
            ..interval
        })
    }

    pub fn moments(&self) -> Option<Moments> {
        Some(Moments {
            count: self.total,
            mean: self.mean()?,
            std_dev: self.std_dev(),
        })
    }

    /// The score at `index` of the ascending list of all scores, from 0.
    pub fn nth(&self, index: u64) -> Option<u32> {
        let mut below = 0;
        self.counts.iter().find_map(|&(score, count)| {
            below += count;
            (index < below).then_some(score)
        })
    }

    /// The quantile of `share` in 0..=1, interpolated between neighbors at index (n − 1)·share (type 7 of Hyndman and
    /// Fan, the default of R and NumPy). `share` is clamped to the range.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let place = self.total.checked_sub(1)? as f64 * share.clamp(0.0, 1.0);
        let low = f64::from(self.nth(place.floor() as u64)?);
        let high = f64::from(self.nth(place.ceil() as u64)?);
        Some(low + (high - low) * place.fract())
    }

    /// The middle score; for an even number of scores, the mean of the two middle ones. Exact.
    pub fn median(&self) -> Option<f64> {
        let last = self.total.checked_sub(1)?;
        let low = self.nth(last / 2)?;
        let high = self.nth(self.total / 2)?;
        Some((f64::from(low) + f64::from(high)) / 2.0)
    }

    /// The order statistics that enclose the median with 95 %, those of `widening`² times fewer scores. `None` without
    /// scores.
    pub fn median_interval(&self, widening: f64) -> Option<Interval> {
        let last = self.total.checked_sub(1)?;
        let (middle, half) = (
            self.total as f64 / 2.0,
            Z95 * widening * (self.total as f64).sqrt() / 2.0,
        );
        let nth = |place: f64| self.nth((place.max(0.0) as u64).min(last)).map(f64::from);
        Some(Interval {
            low: nth((middle - half).floor())?,
            high: nth((middle + half).ceil())?,
        })
    }

    pub fn quartiles(&self) -> Option<[f64; 3]> {
        Some([self.quantile(0.25)?, self.median()?, self.quantile(0.75)?])
    }

    pub fn count_in(&self, scores: &RangeInclusive<u32>) -> u64 {
        let from = self
            .counts
            .partition_point(|(score, _)| score < scores.start());
        self.counts[from..]
            .iter()
            .take_while(|(score, _)| score <= scores.end())
            .map(|&(_, count)| count)
            .sum()
    }
}

impl FromIterator<u32> for ScoreCounts {
    fn from_iter<I: IntoIterator<Item = u32>>(scores: I) -> Self {
        let mut scores: Vec<u32> = scores.into_iter().collect();
        scores.sort_unstable();
        let equal = scores.chunk_by(|a, b| a == b);
        Self {
            counts: equal.map(|equal| (equal[0], equal.len() as u64)).collect(),
            total: scores.len() as u64,
            sum: scores.iter().map(|&score| u64::from(score)).sum(),
            sum_of_squares: scores.iter().map(|&score| u128::from(score).pow(2)).sum(),
            sum_of_cubes: scores.iter().map(|&score| u128::from(score).pow(3)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(scores: &[u32]) -> ScoreCounts {
        scores.iter().copied().collect()
    }

    #[test]
    fn an_even_count_has_the_mean_of_the_middle_two_as_median() {
        assert_eq!(counts(&[4, 8, 100, 12]).median(), Some(10.0));
        assert_eq!(counts(&[4, 8, 100]).median(), Some(8.0));
        assert_eq!(ScoreCounts::EMPTY.median(), None);
    }

    #[test]
    fn spread_of_known_numbers() {
        let c = counts(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!(c.mean(), Some(5.0));
        assert!((c.std_dev().expect("eight scores") - 2.138_089_935).abs() < 1e-9);
        assert_eq!(c.quartiles(), Some([4.0, 4.5, 5.5]));
        assert_eq!((c.min(), c.max(), c.count()), (Some(2), Some(9), 8));
    }

    #[test]
    fn scores_lean_to_the_side_of_their_longer_tail() {
        // Deviations −1, −1, −1, 3: Σ 12 squared, Σ 24 cubed.
        let right = counts(&[4, 4, 4, 8]);
        assert!((right.skewness().expect("spread") - 6.0 / 8.0).abs() < 1e-12);
        let left = counts(&[90_000, 90_000, 90_000, 89_000]);
        assert!(
            (left.skewness().expect("spread") + 0.75).abs() < 1e-6,
            "{:?}",
            left.skewness()
        );
        assert_eq!(counts(&[4, 4]).skewness(), None);
        let i = counts(&[4, 16]).mean_interval().expect("two scores");
        assert!(
            i.low == 0.0 && (i.high - (10.0 + 12.706_205 * 6.0)).abs() < 1e-4,
            "{i:?}"
        );
    }

    #[test]
    fn one_score_has_a_mean_and_no_deviation() {
        let c = counts(&[7]);
        assert_eq!(
            (c.mean(), c.std_dev(), c.mean_interval()),
            (Some(7.0), None, None)
        );
        assert_eq!(c.quartiles(), Some([7.0; 3]));
    }

    #[test]
    fn equal_huge_scores_have_no_deviation() {
        let c = counts(&[u32::MAX; 1000]);
        assert_eq!(c.std_dev(), Some(0.0));
    }

    #[test]
    fn the_order_of_merging_does_not_matter() {
        let scores: Vec<u32> = (0..1000u32)
            .map(|i| i.wrapping_mul(2_654_435_761) % 500)
            .collect();
        let whole = counts(&scores);
        let mut one_by_one = ScoreCounts::EMPTY;
        for &score in &scores {
            one_by_one.merge(&counts(&[score]));
        }
        let mut backwards = ScoreCounts::EMPTY;
        for chunk in scores.chunks(37).rev() {
            backwards.merge(&counts(chunk));
        }
        assert_eq!(whole, one_by_one);
        assert_eq!(whole, backwards);
        let inside = |s: &&u32| (100..=250).contains(*s);
        assert_eq!(
            whole.count_in(&(100..=250)),
            scores.iter().filter(inside).count() as u64
        );
        assert_eq!(
            (
                whole.count_in(&(0..=u32::MAX)),
                whole.count_in(&(500..=u32::MAX))
            ),
            (1000, 0)
        );
    }
}

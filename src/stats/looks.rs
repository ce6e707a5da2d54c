//! Paired differences that are checked as they come, until one side is better.
//!
//! The error probability `alpha` holds over all looks together, whenever the caller stops (Ville's inequality behind
//! both tests):
//!
//! - [`is_apart`](PairedLooks::is_apart) is for means, by the confidence sequence of the module on sequences:
//!   asymptotic, for differences with finite variance. It waits for fifty pairs that differ, because rare differences
//!   show late, and extends to the side of the longer tail.
//! - [`is_apart_by_signs`](PairedLooks::is_apart_by_signs) is for differences of −1, 0 or 1, as those of shares: exact
//!   at every number of pairs, by the mixture of likelihood ratios of the share of pairs won.

use super::sequence::{LEAST_VALUES, Planned};
use super::student::normal_tail;
use super::{Moments, RunningMean};
use crate::math;

/// The probability that a normal number is at least this many standard errors from its mean: 4.6 % at 2, 0.27 % at 3.
pub fn chance_beyond(errors: f64) -> f64 {
    2.0 * normal_tail(errors)
}

/// The paired differences so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairedLooks {
    differences: RunningMean,
    cubes: f64,
    won: u64,
    lost: u64,
}

impl PairedLooks {
    pub fn add(&mut self, difference: f64) {
        self.differences.add(difference);
        self.cubes += math::powi(difference, 3);
        self.won += u64::from(0.0 < difference);
        self.lost += u64::from(difference < 0.0);
    }

    pub fn differences(&self) -> &RunningMean {
        &self.differences
    }

    /// Whether the mean is not 0. If it is 0, this ever returns true with a probability of at most `alpha`.
    pub fn is_apart(&self, alpha: f64) -> bool {
        if self.won + self.lost < LEAST_VALUES || alpha <= 0.0 {
            return false;
        }
        let (count, mean, std_dev) = (
            self.differences.count(),
            self.differences.mean(),
            self.differences.std_dev(),
        );
        let error = self.differences.standard_error().unwrap_or(f64::INFINITY);
        // A quick first check: the sequence is never narrower than with a known deviation.
        if mean.abs() < Planned::OPEN.many_errors(alpha, count) * error {
            return false;
        }
        let moments = Moments {
            count,
            mean,
            std_dev,
        };
        let sequence = Planned::OPEN.sequence_at(alpha, moments, self.skewness());
        sequence.is_some_and(|sequence| !sequence.contains(0.0))
    }

    /// The same if every difference is −1, 0 or 1.
    pub fn is_apart_by_signs(&self, alpha: f64) -> bool {
        !Planned::OPEN.share_holds(alpha, self.won, self.won + self.lost)(0.5)
    }

    fn skewness(&self) -> Option<f64> {
        let (n, mean) = (self.differences.count() as f64, self.differences.mean());
        let std_dev = self
            .differences
            .std_dev()
            .filter(|&std_dev| 0.0 < std_dev)?;
        let squares = std_dev * std_dev * (n - 1.0) / n + mean * mean;
        Some(
            (self.cubes / n - 3.0 * mean * squares + 2.0 * math::powi(mean, 3))
                / math::powi(std_dev, 3),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;

    /// In how many of `runs` runs with a mean of 0 it ever claims otherwise, checked at every sixteenth of `most`
    /// pairs.
    fn ever(runs: u64, most: u64, alpha: f64, draw: fn(&mut Chance) -> f64) -> [u64; 2] {
        let mut wrong = [0; 2];
        for run in 0..runs {
            let (mut chance, mut seen, mut is_wrong) =
                (Chance(run << 32), PairedLooks::default(), [false; 2]);
            for count in 1..=most {
                seen.add(draw(&mut chance));
                if count % 16 == 0 {
                    is_wrong[0] |= seen.is_apart(alpha);
                    is_wrong[1] |= seen.is_apart_by_signs(alpha);
                }
            }
            wrong
                .iter_mut()
                .zip(is_wrong)
                .for_each(|(wrong, is_wrong)| *wrong += u64::from(is_wrong));
        }
        wrong
    }

    #[test]
    fn equal_sides_are_seldom_told_apart_at_any_look() {
        let alpha = chance_beyond(2.0);
        assert!((alpha - 0.0455).abs() < 1e-4 && (chance_beyond(3.0) - 0.0027).abs() < 1e-5);
        let shapes: [fn(&mut Chance) -> f64; 3] = [
            |chance| chance.unit().ln() - chance.unit().ln(),
            // Skewed, and mostly 0.
            |chance| {
                if chance.unit() < 0.2 {
                    -chance.unit().ln() - 1.0
                } else {
                    0.0
                }
            },
            |chance| {
                f64::from(u8::from(chance.unit() < 0.3)) - f64::from(u8::from(chance.unit() < 0.3))
            },
        ];
        for (place, shape) in shapes.into_iter().enumerate() {
            let [means, signs] = ever(200, 1600, alpha, shape);
            // 4.6 % of 200 are 9, plus two standard deviations 15. Signs are no test of skewed means.
            assert!(
                means <= 15 && (place == 1 || signs <= 15),
                "{place}: {means} {signs}"
            );
        }
    }

    #[test]
    fn unequal_sides_are_told_apart() {
        let (mut chance, mut seen) = (Chance(5), PairedLooks::default());
        assert!(!seen.is_apart(0.05) && !seen.is_apart_by_signs(0.05));
        for count in 1..=1000 {
            seen.add(
                f64::from(u8::from(chance.unit() < 0.6)) - f64::from(u8::from(chance.unit() < 0.4)),
            );
            assert!(50 <= count || !seen.is_apart(0.5), "{count}");
        }
        assert!(seen.is_apart(0.01) && seen.is_apart_by_signs(0.01));
        assert!(
            !seen.is_apart(0.0) && !seen.is_apart_by_signs(0.0),
            "no number of errors is enough"
        );
    }
}

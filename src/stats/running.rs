//! Running mean and variance of a sequence of numbers.

use serde::{Deserialize, Serialize};

/// Count, mean and sum of squared deviations of numbers so far.
///
/// Welford's recurrence, with the merge of Chan, Golub and LeVeque, which avoids a canceling sum of squares. The same
/// numbers in the same order give the same bits.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunningMean {
    count: u64,
    mean: f64,
    /// Σ (number − mean)².
    squares: f64,
}

impl RunningMean {
    pub const EMPTY: Self = Self {
        count: 0,
        mean: 0.0,
        squares: 0.0,
    };

    #[inline]
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let off = number - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (number - self.mean);
    }

    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (own, new) = (self.count as f64, other.count as f64);
        let (whole, off) = (own + new, other.mean - self.mean);
        self.mean += off * new / whole;
        self.squares += other.squares + off * off * own * new / whole;
        self.count += other.count;
    }

    /// Whether some numbers can have this result. A value that was read from a file need not pass.
    pub fn is_sound(&self) -> bool {
        let is_empty = self.mean == 0.0 && self.squares == 0.0;
        self.mean.is_finite()
            && self.squares.is_finite()
            && 0.0 <= self.squares
            && (self.count != 0 || is_empty)
    }

    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 without numbers.
    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// The sample standard deviation (divisor n − 1). `None` below two numbers.
    pub fn std_dev(&self) -> Option<f64> {
        (1 < self.count).then(|| (self.squares.max(0.0) / (self.count - 1) as f64).sqrt())
    }

    /// The standard error of the mean: the standard deviation divided by the root of the count.
    pub fn standard_error(&self) -> Option<f64> {
        Some(self.std_dev()? / (self.count as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_spread_are_those_of_the_numbers_in_any_split() {
        let numbers: Vec<f64> = (0..100).map(|k| 1e9 + f64::from(k * k % 37)).collect();
        let mean_of = |numbers: &[f64]| {
            let mut running = RunningMean::EMPTY;
            numbers.iter().for_each(|&number| running.add(number));
            running
        };
        let whole = mean_of(&numbers);
        let mean = numbers.iter().sum::<f64>() / 100.0;
        let variance = numbers
            .iter()
            .map(|number| (number - mean).powi(2))
            .sum::<f64>()
            / 99.0;
        for split in 0..=numbers.len() {
            let mut merged = mean_of(&numbers[..split]);
            merged.merge(&mean_of(&numbers[split..]));
            for running in [whole, merged] {
                assert_eq!(running.count(), 100);
                assert!((running.mean() - mean).abs() < 1e-5);
                assert!((running.std_dev().expect("a spread") - variance.sqrt()).abs() < 1e-6);
                assert!(
                    (running.standard_error().expect("a spread") - variance.sqrt() / 10.0).abs()
                        < 1e-7
                );
            }
        }

        assert_eq!(
            (
                mean_of(&[5.0]).mean(),
                mean_of(&[5.0]).std_dev(),
                RunningMean::EMPTY.standard_error()
            ),
            (5.0, None, None)
        );
    }
}

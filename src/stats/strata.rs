//! The mean of a stratified sample.
//!
//! Every value belongs to a place between 0 and 1, and the places are spread evenly. The edges divide 0 to 1 into
//! strata, within which values are drawn as without strata. With the weight `w`, which is the width of the stratum, and
//! its `n` values with mean `m` and standard deviation `s`
//!
//! ```text
//! mean = Σ w·m        standard error = √ Σ w²·s²/n        (Cochran 1977, Sampling Techniques, 5.1 to 5.4)
//! ```
//!
//! so that differences *between* strata add nothing to the error. A stratum with fewer than two values is merged with
//! its neighbor, which makes the error larger rather than smaller.

use super::{Interval, RunningMean, student_t};
use crate::math;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StratifiedMean {
    pub count: u64,
    pub mean: f64,
    pub standard_error: f64,
    /// The number of strata after small ones are merged.
    pub strata: usize,
}

impl StratifiedMean {
    /// From values with their places, from 0 to 1. `edges` are the inner edges in order. `None` below two values.
    pub fn of(values: impl Iterator<Item = (f64, f64)>, edges: &[f64]) -> Option<Self> {
        let mut cells = vec![RunningMean::EMPTY; edges.len() + 1];
        for (place, value) in values {
            cells[edges.partition_point(|&edge| edge <= place)].add(value);
        }
        let ends = edges.iter().copied().chain([1.0]);
        let mut strata: Vec<(f64, RunningMean)> = Vec::new();
        let mut low = 0.0;
        for (cell, end) in cells.iter().zip(ends) {
            let width = end - std::mem::replace(&mut low, end);
            match strata.last_mut() {
                Some((wide, small)) if small.count() < 2 => {
                    *wide += width;
                    small.merge(cell);
                }
                _ => strata.push((width, *cell)),
            }
        }

        if let Some((width, small)) = strata.pop_if(|(_, last)| last.count() < 2) {
            let (wide, whole) = strata.last_mut()?;
            *wide += width;
            whole.merge(&small);
        }

        let part = |(width, mean): &(f64, RunningMean)| {
            math::squared(width * mean.standard_error().unwrap_or(0.0))
        };
        Some(Self {
            count: cells.iter().map(RunningMean::count).sum(),
            mean: strata.iter().map(|(width, mean)| width * mean.mean()).sum(),
            standard_error: strata.iter().map(part).sum::<f64>().sqrt(),
            strata: strata.len(),
        })
    }

    /// Student's interval, widened by a factor. All `intervals` of a family hold with 95 % (Bonferroni).
    pub fn interval(&self, intervals: usize, widening: f64) -> Interval {
        let freedom = self.count.saturating_sub(self.strata as u64).max(1) as f64;
        let quantile = student_t(freedom, 0.025 / intervals.max(1) as f64);
        Interval::around(self.mean, widening * quantile * self.standard_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stratum_is_the_plain_mean() {
        let values = [3.0, 8.0, 1.0, 9.0, 4.0];
        let mut plain = RunningMean::EMPTY;
        values.iter().for_each(|&value| plain.add(value));
        let found =
            StratifiedMean::of(values.iter().map(|&value| (0.5, value)), &[]).expect("values");
        assert_eq!(
            (found.mean, Some(found.standard_error), found.strata),
            (plain.mean(), plain.standard_error(), 1)
        );
        assert_eq!(StratifiedMean::of([(0.5, 3.0)].into_iter(), &[]), None);
        assert_eq!(
            StratifiedMean::of([(0.5, 3.0)].into_iter(), &[0.2, 0.4]),
            None
        );
    }

    #[test]
    fn strata_count_by_their_width_and_only_their_own_spread_is_doubt() {
        // A tenth of the places has the value 100 ± 1, the rest 10 ± 2.
        let values = [
            (0.02, 99.0),
            (0.07, 101.0),
            (0.3, 8.0),
            (0.5, 12.0),
            (0.9, 8.0),
            (0.99, 12.0),
        ];
        let found = StratifiedMean::of(values.into_iter(), &[0.1]).expect("values");
        assert_eq!(
            (found.mean, found.strata, found.count),
            (0.1 * 100.0 + 0.9 * 10.0, 2, 6)
        );
        let error: f64 = (0.1_f64 * 0.1 * 2.0 / 2.0 + 0.9 * 0.9 * (16.0 / 3.0) / 4.0).sqrt();
        assert!((found.standard_error - error).abs() < 1e-12);
        // A single value does not show its spread, so it is merged with its neighbor.
        for edges in [vec![0.05], vec![0.95], vec![0.05, 0.06, 0.1]] {
            let merged = StratifiedMean::of(values.into_iter(), &edges).expect("values");
            assert!(
                found.standard_error < merged.standard_error || edges.len() == 3,
                "{edges:?}: {merged:?}"
            );
        }
    }
}

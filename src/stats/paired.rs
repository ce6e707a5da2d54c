//! Paired samples: two strategies on the same seeds.
//!
//! Randomness that affects both alike cancels in the difference, whose variance is σa² + σb² − 2·cov. The mean
//! difference has Student's *t* interval with n − 1 degrees of freedom, like any mean of n values.

use super::{Interval, Moments, mean_interval};
use crate::math;

/// A difference of zero, encoded as an unsigned number so that code for counting, binning and plotting scores also
/// works for differences. No score is this high.
pub const NO_DIFFERENCE: u32 = 2_000_000_000;

/// The difference of two scores, plus [`NO_DIFFERENCE`].
pub fn offset_difference(first: u32, second: u32) -> u32 {
    let most = i64::from(NO_DIFFERENCE);
    let difference = (i64::from(first) - i64::from(second)).clamp(-most, most);
    (most + difference) as u32
}

/// The sums over pairs of whole numbers. All statistics of the two sides and of their difference follow from them
/// exactly, whatever the order of [`merge`](Self::merge).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairedSums {
    count: u64,
    sums: [u64; 2],
    squares: [u128; 2],
    product: u128,
    /// The sum of the cubes of the differences.
    cubes: i128,
}

impl PairedSums {
    pub fn put(&mut self, first: u32, second: u32) {
        let [a, b] = [first, second].map(u64::from);
        self.count += 1;
        self.sums[0] += a;
        self.sums[1] += b;
        self.squares[0] += u128::from(a * a);
        self.squares[1] += u128::from(b * b);
        self.product += u128::from(a * b);
        self.cubes += i128::from(i64::from(first) - i64::from(second)).pow(3);
    }

    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        for side in 0..2 {
            self.sums[side] += other.sums[side];
            self.squares[side] += other.squares[side];
        }
        self.product += other.product;
        self.cubes += other.cubes;
    }

    /// The number of pairs.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The means of both sides. `None` without pairs.
    pub fn means(&self) -> Option<[f64; 2]> {
        (0 < self.count).then(|| self.sums.map(|sum| sum as f64 / self.count as f64))
    }

    /// Number, mean and standard deviation of the differences, first minus second. `None` without pairs.
    pub fn difference(&self) -> Option<Moments> {
        let mean =
            (0 < self.count).then(|| self.sum_of_differences() as f64 / self.count as f64)?;
        Some(Moments {
            count: self.count,
            mean,
            std_dev: self.variance_of_differences().map(f64::sqrt),
        })
    }

    /// The third central moment of the differences in units of their cubed standard deviation. `None` without a spread.
    pub fn skewness(&self) -> Option<f64> {
        let Moments {
            count,
            mean,
            std_dev,
        } = self.difference()?;
        let (n, std_dev) = (count as f64, std_dev.filter(|&std_dev| 0.0 < std_dev)?);
        let [squares, cubes] =
            [self.squares_of_differences() as f64, self.cubes as f64].map(|sum| sum / n);
        Some((cubes - 3.0 * mean * squares + 2.0 * math::powi(mean, 3)) / math::powi(std_dev, 3))
    }

    /// The 95 % interval of the mean difference. `None` below two pairs.
    pub fn interval(&self) -> Option<Interval> {
        let Moments {
            count,
            mean,
            std_dev,
        } = self.difference()?;
        mean_interval(count, mean, std_dev?)
    }

    /// The correlation of the two sides. `None` if one of them has no spread.
    pub fn correlation(&self) -> Option<f64> {
        let [a, b] = [self.spread(0)?, self.spread(1)?];
        // Two separate roots, because the product of two spreads overflows.
        (0.0 < a && 0.0 < b)
            .then(|| (self.codeviation() as f64 / a.sqrt() / b.sqrt()).clamp(-1.0, 1.0))
    }

    /// The variance that the difference would have without pairing, divided by its actual variance: how many times as
    /// many games the same interval would take. Infinite if all differences are equal.
    pub fn gain(&self) -> Option<f64> {
        let unpaired = (self.spread(0)? + self.spread(1)?) / self.scale()?;
        (0.0 < unpaired).then(|| unpaired / self.variance_of_differences().unwrap_or(0.0))
    }

    fn sum_of_differences(&self) -> i128 {
        i128::from(self.sums[0]) - i128::from(self.sums[1])
    }

    /// The sample variance of the differences, from (n·Σd² − (Σd)²), which is exact and never negative.
    fn variance_of_differences(&self) -> Option<f64> {
        let scale = self.scale()?;
        let sum = self.sum_of_differences().unsigned_abs();
        Some((u128::from(self.count) * self.squares_of_differences() - sum * sum) as f64 / scale)
    }

    fn squares_of_differences(&self) -> u128 {
        self.squares[0] + self.squares[1] - 2 * self.product
    }

    /// n·Σx² − (Σx)² of a side.
    fn spread(&self, side: usize) -> Option<f64> {
        self.scale()?;
        let sum = u128::from(self.sums[side]);
        Some((u128::from(self.count) * self.squares[side] - sum * sum) as f64)
    }

    /// n·Σab − Σa·Σb.
    fn codeviation(&self) -> i128 {
        let products = u128::from(self.count) * self.product;
        products as i128 - (u128::from(self.sums[0]) * u128::from(self.sums[1])) as i128
    }

    /// n·(n − 1), which divides a spread into a variance.
    fn scale(&self) -> Option<f64> {
        (1 < self.count).then(|| self.count as f64 * (self.count - 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(pairs: &[(u32, u32)]) -> PairedSums {
        let mut sums = PairedSums::default();
        pairs.iter().for_each(|&(a, b)| sums.put(a, b));
        sums
    }

    #[test]
    fn known_numbers() {
        // Differences 1, 3, 2, −2, 6: mean 2, sample variance 8.5.
        let pairs = sums(&[(5, 4), (9, 6), (4, 2), (1, 3), (8, 2)]);
        let Moments {
            count,
            mean,
            std_dev,
        } = pairs.difference().expect("pairs");
        assert_eq!((count, mean), (5, 2.0));
        assert!((std_dev.expect("spread").powi(2) - 8.5).abs() < 1e-12);
        // The cubes of −1, 1, 0, −4 and 4 add up to 0; without the last, those of 0, 2, 1 and −3 to −18.
        assert!(pairs.skewness().expect("spread").abs() < 1e-12);
        let four = sums(&[(5, 4), (9, 6), (4, 2), (1, 3)]);
        assert!(
            (four.skewness().expect("spread") - -18.0 / 4.0 / (14.0_f64 / 3.0).powf(1.5)).abs()
                < 1e-12,
            "{four:?}"
        );

        // 2 ± 2.7764·√(8.5/5)
        let i = pairs.interval().expect("pairs");
        assert!(
            (i.low + 1.620).abs() < 1e-3 && (i.high - 5.620).abs() < 1e-3,
            "{i:?}"
        );
        // Deviations: a −0.4 3.6 −1.4 −4.4 2.6, b 0.6 2.6 −1.4 −0.4 −1.4.
        assert!(
            (pairs.correlation().expect("spread") - 9.2 / (41.2_f64 * 11.2).sqrt()).abs() < 1e-12
        );
        assert!((pairs.gain().expect("spread") - 52.4 / 34.0).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_exist_is_none() {
        let none = PairedSums::default();
        assert_eq!(
            (
                none.difference(),
                none.interval(),
                none.correlation(),
                none.gain()
            ),
            (None, None, None, None)
        );
        let one = sums(&[(7, 3)]);
        assert_eq!(
            one.difference(),
            Some(Moments {
                count: 1,
                mean: 4.0,
                std_dev: None
            })
        );
        assert_eq!((one.interval(), one.gain()), (None, None));
        let same = sums(&[(7, 7), (9, 9)]);
        assert_eq!(
            (same.gain(), same.correlation()),
            (Some(f64::INFINITY), Some(1.0))
        );
        assert_eq!(sums(&[(7, 7), (7, 7)]).gain(), None);
    }

    #[test]
    fn huge_scores_and_any_order_of_merging_are_exact() {
        let pairs: Vec<(u32, u32)> = (0..1000_u32)
            .map(|i| {
                (
                    u32::MAX - i.wrapping_mul(2_654_435_761) % 977,
                    i.wrapping_mul(40_503) % 1013,
                )
            })
            .collect();
        let whole = sums(&pairs);
        let mut parts = PairedSums::default();
        pairs
            .chunks(37)
            .rev()
            .for_each(|part| parts.merge(&sums(part)));
        assert_eq!(parts, whole);
        let mut doubled = whole;
        doubled.merge(&whole);
        assert_eq!(
            doubled.difference().expect("pairs").mean,
            whole.difference().expect("pairs").mean
        );
        let turned: Vec<(u32, u32)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
        let turned = sums(&turned).difference().expect("pairs");
        let straight = whole.difference().expect("pairs");
        assert_eq!(
            (turned.mean, turned.std_dev),
            (-straight.mean, straight.std_dev)
        );
    }
}

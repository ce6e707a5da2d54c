//! Intervals of 95 %: Student's *t* for means and their differences, Hall's for means of skewed values, Wilson's for shares
//! and Newcombe's for their differences.

use super::{Moments, student_t_975};
use crate::math;

/// The 97.5 % quantile of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub fn around(middle: f64, half_width: f64) -> Self {
        Self {
            low: middle - half_width,
            high: middle + half_width,
        }
    }

    /// Half the width: the "±" of the estimate.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// True if `value` is inside, ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// The 95 % interval of a mean: mean ± t·sd/√n with Student's *t* of n − 1 degrees of freedom, because below about 100 games
/// the normal one would be too narrow. `None` for fewer than two values.
pub fn mean_interval(count: u64, mean: f64, std_dev: f64) -> Option<Interval> {
    if count < 2 {
        return None;
    }
    let half = student_t_975((count - 1) as f64) * std_dev / (count as f64).sqrt();
    Some(Interval::around(mean, half))
}

/// The 95 % interval of a mean of skewed values: Student's *t* after the transformation of Hall (1992, On the removal
/// of skewness by transformation, J. R. Stat. Soc. B 54), which extends to the side of the longer tail.
///
/// With γ the skewness and T = (mean − μ)·√n/sd, the cubic g(T) = T + γT²/(3√n) + γ²T³/(27n) + γ/(6√n) is nearly
/// symmetric; the ends are where it is ±t. It is monotone, so there is always exactly one such place, which is T if γ
/// is 0. For skewed scores it covers the mean at least as often as Student's *t* does, from 5 games on: `tests`
/// compares the two.
pub fn skewed_mean_interval(
    count: u64,
    mean: f64,
    std_dev: f64,
    skewness: f64,
) -> Option<Interval> {
    (2 <= count).then(|| {
        leaning_interval(
            student_t_975((count - 1) as f64),
            count,
            mean,
            std_dev,
            skewness,
        )
    })
}

/// The same for a transformed T of at most `t`.
pub(super) fn leaning_interval(
    t: f64,
    count: u64,
    mean: f64,
    std_dev: f64,
    skewness: f64,
) -> Interval {
    let root = (count as f64).sqrt();
    let lean = skewness / root;
    let inverse = |w: f64| {
        let inner = lean * (w - lean / 6.0);
        // Without skewness the quotient loses all digits.
        if inner.abs() < 1e-7 {
            w - lean / 6.0
        } else {
            3.0 / lean * (math::cbrt(1.0 + inner) - 1.0)
        }
    };
    let std_error = std_dev / root;
    Interval {
        low: mean - std_error * inverse(t),
        high: mean - std_error * inverse(-t),
    }
}

/// Hall's g(T), which is nearly symmetric even if T is skewed.
pub(super) fn unskewed(t: f64, count: u64, skewness: f64) -> f64 {
    let lean = skewness / (count as f64).sqrt();
    t + lean * t * t / 3.0 + lean * lean * math::powi(t, 3) / 27.0 + lean / 6.0
}

/// The interval of the difference of two independent means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    pub interval: Interval,
    /// Degrees of freedom.
    pub freedom: f64,
}

/// The 95 % interval of the difference of the means of two independent samples, first minus second: Welch's, with the
/// degrees of freedom of Satterthwaite, which are seldom whole. `None` below two values.
pub fn welch(a: Moments, b: Moments) -> Option<Welch> {
    if a.count < 2 || b.count < 2 {
        return None;
    }
    let [va, vb] = [
        math::squared(a.std_dev?) / a.count as f64,
        math::squared(b.std_dev?) / b.count as f64,
    ];
    let spread = va * va / (a.count - 1) as f64 + vb * vb / (b.count - 1) as f64;
    // Without any spread the degrees of freedom do not matter.
    let freedom = if 0.0 < spread {
        math::squared(va + vb) / spread
    } else {
        1.0
    };
    let interval = Interval::around(a.mean - b.mean, student_t_975(freedom) * (va + vb).sqrt());
    Some(Welch { interval, freedom })
}

/// The 95 % Wilson score interval of the share `hits` of `count` (Wilson 1927), which has a width even if no game or
/// every game reached the tile. `None` without any trial.
pub fn wilson(hits: u64, count: u64) -> Option<Interval> {
    if count == 0 {
        return None;
    }
    let n = count as f64;
    let share = hits.min(count) as f64 / n;
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the exact limits are 0 and 1, which rounding must not cross.
    Some(Interval {
        low: if hits == 0 {
            0.0
        } else {
            (centre - half).max(0.0)
        },
        high: if count <= hits {
            1.0
        } else {
            (centre + half).min(1.0)
        },
    })
}

/// The 95 % interval of the difference of two shares of the same `count` trials, first minus second, from the intervals
/// of both. `both` trials hit on both sides, `first` and `second` are the total hits of each side. Method 10 of
/// Newcombe (1998, Improved confidence intervals for the difference between binomial proportions based on paired data,
/// Stat. Med. 17): the Wilson distances of the ends, added in squares with the correlation of the two sides.
pub(super) fn paired_shares(
    both: u64,
    [first, second]: [u64; 2],
    count: u64,
    [one, other]: [Interval; 2],
) -> Interval {
    let n = count as f64;
    let [p, q] = [first as f64 / n, second as f64 / n];
    let [only_first, only_second] = [(first - both) as f64, (second - both) as f64];
    let neither = n - both as f64 - only_first - only_second;
    let cross = both as f64 * neither - only_first * only_second;
    let corrected = if 0.0 < cross {
        (cross - n / 2.0).max(0.0)
    } else {
        cross
    };
    let margins = p * (1.0 - p) * q * (1.0 - q);
    let phi = if 0.0 < margins {
        corrected / (n * n * margins.sqrt())
    } else {
        0.0
    };
    let distance = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    Interval {
        low: p - q - distance(p - one.low, other.high - q),
        high: p - q + distance(one.high - p, q - other.low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_matches_published_values() {
        // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662, 0 of 20 gives 0 to 0.1611.
        let i = wilson(81, 263).expect("trials");
        assert!(
            (i.low - 0.2553).abs() < 1e-4 && (i.high - 0.3662).abs() < 1e-4,
            "{i:?}"
        );
        let none = wilson(0, 20).expect("trials");
        assert!(none.low == 0.0 && (none.high - 0.1611).abs() < 1e-4);
        assert_eq!(wilson(20, 20).expect("trials").high, 1.0);
        assert_eq!(wilson(0, 0), None);
    }

    fn newcombe(both: u64, first: u64, second: u64, count: u64) -> Option<Interval> {
        let ends = [wilson(first, count)?, wilson(second, count)?];
        Some(paired_shares(both, [first, second], count, ends))
    }

    #[test]
    fn newcombe_matches_published_values() {
        // Newcombe 1998, table II: both, first alone, second alone, neither are 36, 12, 2, 0 and 20, 12, 2, 16.
        for (both, first, second, low, high) in
            [(36, 48, 38, 0.0569, 0.3404), (20, 32, 22, 0.0562, 0.3292)]
        {
            let i = newcombe(both, first, second, 50).expect("trials");
            assert!(
                (i.low - low).abs() < 1e-4 && (i.high - high).abs() < 1e-4,
                "{i:?}"
            );
        }
        // Altman and others 2000, Statistics with confidence, table 6.2.
        let i = newcombe(14, 19, 14, 41).expect("trials");
        assert!(
            (i.low - 0.011).abs() < 1e-3 && (i.high - 0.226).abs() < 1e-3,
            "{i:?}"
        );
        let equal = newcombe(0, 0, 0, 20).expect("trials");
        assert!(
            equal.low < -0.1 && (equal.low + equal.high).abs() < 1e-12,
            "{equal:?}"
        );
        assert_eq!(newcombe(0, 0, 0, 0), None);
    }

    #[test]
    fn freedom_between_whole_numbers_counts() {
        // Two games on each side, one side with four times the spread: freedom 1.26.
        let moments = |std_dev| Moments {
            count: 2,
            mean: 1000.0,
            std_dev: Some(std_dev),
        };
        let half = welch(moments(1000.0), moments(250.0))
            .expect("games")
            .interval
            .half_width();
        let freedom = (1.0 + 1.0 / 16.0_f64).powi(2) / (1.0 + 1.0 / 256.0);
        assert!((half - student_t_975(freedom) * (1_062_500.0_f64 / 2.0).sqrt()).abs() < 1e-9);
        assert!(
            half < 0.9 * student_t_975(1.0) * (1_062_500.0_f64 / 2.0).sqrt(),
            "whole freedom would be 1"
        );

        // Standard error √(4/10 + 25/15) = 1.4376, freedom 19.756, t 2.0876.
        let [a, b] = [(10, 10.0, 2.0), (15, 12.0, 5.0)].map(|(count, mean, std_dev)| Moments {
            count,
            mean,
            std_dev: Some(std_dev),
        });
        let Welch {
            interval: i,
            freedom,
        } = welch(a, b).expect("values");
        assert!((freedom - 19.756).abs() < 1e-3, "{freedom}");
        assert!(
            (i.low + 5.0011).abs() < 2e-4 && (i.high - 1.0011).abs() < 2e-4,
            "{i:?}"
        );
        let exact = welch(moments(0.0), moments(0.0)).expect("games").interval;
        assert_eq!((exact.low, exact.high), (0.0, 0.0));
        assert_eq!(
            welch(
                Moments {
                    count: 1,
                    mean: 1.0,
                    std_dev: None
                },
                moments(1.0)
            ),
            None
        );
    }

    #[test]
    fn without_skewness_the_interval_is_that_of_student() {
        let plain = mean_interval(30, 1000.0, 500.0).expect("games");
        for skewness in [0.0, 1e-12, -1e-9] {
            let i = skewed_mean_interval(30, 1000.0, 500.0, skewness).expect("games");
            assert!(
                (i.low - plain.low).abs() < 1e-5 && (i.high - plain.high).abs() < 1e-5,
                "{i:?}"
            );
        }
        let right = skewed_mean_interval(30, 1000.0, 500.0, 1.5).expect("games");
        let left = skewed_mean_interval(30, 1000.0, 500.0, -1.5).expect("games");
        assert!(plain.low < right.low && plain.high < right.high && right.low < 1000.0);
        assert!((left.low - 2000.0 + right.high).abs() < 1e-9, "mirrored");
        // The transition from the series to the cubic.
        let ends = [0.99e-7, 1.01e-7]
            .map(|lean| skewed_mean_interval(4, 0.0, 1.0, lean).expect("games").high);
        assert!((ends[0] - ends[1]).abs() < 1e-6, "{ends:?}");
        assert_eq!(skewed_mean_interval(1, 5.0, 0.0, 0.0), None);

        // The ends are where the transformed T is ±t.
        for end in [right.low, right.high] {
            let t = (1000.0 - end) * 30.0_f64.sqrt() / 500.0;
            assert!(
                (unskewed(t, 30, 1.5).abs() - student_t_975(29.0)).abs() < 1e-9,
                "{end}"
            );
        }
    }
}

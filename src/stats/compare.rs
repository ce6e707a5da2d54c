//! A measured mean or share beside a published one.
//!
//! The difference of two independent means has the standard error √(sd₁²/n₁ + sd₂²/n₂) (Welch: the two spreads need
//! not be equal). That of two shares has √(p(1 − p)(1/n₁ + 1/n₂)) with p the share of both samples together: the score
//! test of two equal shares, which has a spread also where one of them is 0 or 1. How many standard errors the difference
//! spans decides the word.

use std::fmt;

use super::{mean_interval, wilson};

/// What is known of a sample: how many values, their mean and, where it exists, their standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    pub count: u64,
    pub mean: f64,
    pub std_dev: Option<f64>,
}

impl Moments {
    /// The variance of the mean, sd²/n; 0 where spread or number are not known.
    fn variance_of_mean(&self) -> f64 {
        match self.std_dev {
            Some(sd) if 0 < self.count => sd * sd / self.count as f64,
            _ => 0.0,
        }
    }
}

/// A share of a sample: how many values, and which part of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Number of values; 0 where it is not known.
    pub count: u64,
    pub share: f64,
}

/// The difference of two means or shares, as it is and in standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    pub difference: f64,
    pub std_error: f64,
    /// Difference in standard errors; 0 where both are 0.
    pub z: f64,
    pub verdict: Verdict,
    /// The measured standard deviation, where it stands for a published one that is missing.
    pub lent_std_dev: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Below 2 standard errors.
    Agrees,
    /// From 2 to 3 standard errors: one in twenty would be so far off by chance.
    Doubtful,
    /// Above 3 standard errors.
    Differs,
    /// The measured mean has no interval, or one whose half-width is above [`Verdict::WIDEST`] of the published mean; of
    /// a share, one whose half-width is above [`Verdict::WIDEST`] itself.
    TooFew,
}

impl Verdict {
    /// The half-width of the measured 95 % interval, as a share of the published mean, above which no word is given: so
    /// wide an interval would "agree" with nearly anything.
    pub const WIDEST: f64 = 0.1;

    pub fn name(self) -> &'static str {
        ["agrees", "doubtful", "differs", "too few games to tell"][self as usize]
    }

    fn of(z: f64) -> Self {
        if z.abs() < 2.0 {
            Self::Agrees
        } else if z.abs() <= 3.0 {
            Self::Doubtful
        } else {
            Self::Differs
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Compares a measured mean with a published one. A published sample of known size without a standard deviation is lent the
/// measured one; one of unknown size counts as exact.
pub fn compare_means(measured: Moments, published: Moments) -> Comparison {
    let lent_std_dev = if published.std_dev.is_none() && 0 < published.count { measured.std_dev } else { None };
    let published = Moments { std_dev: published.std_dev.or(lent_std_dev), ..published };
    let difference = measured.mean - published.mean;
    let std_error = (measured.variance_of_mean() + published.variance_of_mean()).sqrt();
    let z = in_std_errors(difference, std_error);
    let half_width = measured
        .std_dev
        .and_then(|sd| mean_interval(measured.count, measured.mean, sd))
        .map_or(f64::INFINITY, |interval| interval.half_width());
    let is_wide = Verdict::WIDEST * published.mean.abs() < half_width;
    let verdict = if is_wide { Verdict::TooFew } else { Verdict::of(z) };
    Comparison { difference, std_error, z, verdict, lent_std_dev }
}

/// Compares `hits` of `count` measured values with a published share, exact where the size of its sample is unknown; `None`
/// without any value.
pub fn compare_shares(hits: u64, count: u64, published: Share) -> Option<Comparison> {
    let interval = wilson(hits, count)?;
    let (n, m) = (count as f64, published.count as f64);
    let difference = hits as f64 / n - published.share;
    let (pooled, per_value) = match published.count {
        0 => (published.share, 1.0 / n),
        _ => ((hits as f64 + published.share * m) / (n + m), 1.0 / n + 1.0 / m),
    };
    let std_error = (pooled * (1.0 - pooled) * per_value).max(0.0).sqrt();
    let z = in_std_errors(difference, std_error);
    let verdict = if Verdict::WIDEST < interval.half_width() { Verdict::TooFew } else { Verdict::of(z) };
    Some(Comparison { difference, std_error, z, verdict, lent_std_dev: None })
}

fn in_std_errors(difference: f64, std_error: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / std_error }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: Moments = Moments { count: 1000, mean: 1000.0, std_dev: Some(500.0) };

    fn verdict(count: u64, mean: f64) -> Verdict {
        compare_means(Moments { count, mean, std_dev: Some(500.0) }, PUBLISHED).verdict
    }

    #[test]
    fn the_word_follows_the_standard_errors() {
        // With 1000 games on both sides the standard error of the difference is 22.36.
        assert_eq!(verdict(1000, 1044.0), Verdict::Agrees);
        assert_eq!(verdict(1000, 950.0), Verdict::Doubtful);
        assert_eq!(verdict(1000, 1068.0), Verdict::Differs);
    }

    #[test]
    fn few_games_give_no_word() {
        assert_eq!(verdict(50, 1000.0), Verdict::TooFew);
        let one = Moments { count: 1, mean: 5000.0, std_dev: None };
        assert_eq!(compare_means(one, PUBLISHED).verdict, Verdict::TooFew);
    }

    #[test]
    fn equal_exact_means_agree() {
        let exact = Moments { count: 10, mean: 4.0, std_dev: Some(0.0) };
        let c = compare_means(exact, exact);
        assert_eq!((c.z, c.verdict), (0.0, Verdict::Agrees));
    }
    #[test]
    fn a_missing_published_spread_is_the_measured_one() {
        let measured = Moments { count: 400, mean: 1050.0, std_dev: Some(500.0) };
        let without = Moments { count: 100, mean: 1000.0, std_dev: None };
        let c = compare_means(measured, without);
        // √(500²/400 + 500²/100) = 55.9
        assert!((c.std_error - (625.0_f64 + 2500.0).sqrt()).abs() < 1e-9 && c.lent_std_dev == Some(500.0));
        assert_eq!(c.verdict, Verdict::Agrees);
        let with = compare_means(measured, Moments { std_dev: Some(500.0), ..without });
        assert_eq!(with, Comparison { lent_std_dev: None, ..c });
        // Unknown size: exact, so only the measured error of 25 counts.
        let exact = compare_means(measured, Moments { count: 0, ..without });
        assert_eq!((exact.std_error, exact.z, exact.lent_std_dev), (25.0, 2.0, None));
    }

    #[test]
    fn the_square_of_z_is_the_chi_square_of_the_two_by_two_table() {
        for (a, n, b, m) in [(37_u64, 100_u64, 50_u64, 80_u64), (98, 100, 71, 100), (0, 40, 3, 50), (60, 60, 57, 100)] {
            let share = b as f64 / m as f64;
            let c = compare_shares(a, n, Share { count: m, share }).expect("values");
            let (a, n, b, m) = (a as f64, n as f64, b as f64, m as f64);
            let (hits, misses) = (a + b, n + m - a - b);
            let chi_square = (n + m) * (a * (m - b) - b * (n - a)).powi(2) / (n * m * hits * misses);
            assert!((c.z * c.z - chi_square).abs() < 1e-9 * chi_square, "{c:?}");
            assert!((c.z * c.std_error - c.difference).abs() < 1e-12);
        }
    }

    #[test]
    fn shares_of_none_and_all_are_sound() {
        for share in [0.0, 1.0] {
            let hits = (200.0 * share) as u64;
            let same = compare_shares(hits, 200, Share { count: 100, share }).expect("values");
            assert_eq!((same.z, same.verdict), (0.0, Verdict::Agrees));
            let near = compare_shares(hits.abs_diff(3), 200, Share { count: 100, share }).expect("values");
            assert_eq!(near.verdict, Verdict::Agrees, "3 of 200 and none of 100: {near:?}");
            let far = compare_shares(hits.abs_diff(100), 200, Share { count: 100, share }).expect("values");
            assert!(far.z.is_finite() && far.verdict == Verdict::Differs, "{far:?}");
        }
        // An exact 1 that one game misses.
        let exact = compare_shares(199, 200, Share { count: 0, share: 1.0 }).expect("values");
        assert_eq!((exact.z, exact.verdict), (f64::NEG_INFINITY, Verdict::Differs));
        assert_eq!(compare_shares(0, 0, Share { count: 100, share: 0.5 }), None);
    }

    #[test]
    fn a_share_needs_a_narrow_interval() {
        let of = |hits, count| compare_shares(hits, count, Share { count: 100, share: 0.5 }).expect("values").verdict;
        assert_eq!(of(45, 90), Verdict::TooFew);
        assert_eq!(of(50, 100), Verdict::Agrees);
        assert_eq!(of(65, 100), Verdict::Doubtful);
        assert_eq!(of(75, 100), Verdict::Differs);
        assert_eq!(of(0, 5), Verdict::TooFew);
    }

    #[test]
    fn swapping_sides_turns_the_sign() {
        let one = compare_shares(30, 120, Share { count: 80, share: 0.5 }).expect("values");
        let other = compare_shares(40, 80, Share { count: 120, share: 0.25 }).expect("values");
        assert!((one.z + other.z).abs() < 1e-12 && (one.difference + other.difference).abs() < 1e-12);
    }
}

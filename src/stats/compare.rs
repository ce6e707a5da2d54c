//! A measured mean beside a published one.
//!
//! The difference of two independent means has the standard error √(sd₁²/n₁ + sd₂²/n₂) (Welch: the two spreads need
//! not be equal). How many of these the difference spans decides the word.

use std::fmt;

use super::mean_interval;

/// What is known of a sample: how many values, their mean and, where it exists, their standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Number of values.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation.
    pub std_dev: Option<f64>,
}

impl Moments {
    /// The variance of the mean, sd²/n; 0 where the spread is not known.
    fn variance_of_mean(&self) -> f64 {
        match self.std_dev {
            Some(sd) if 0 < self.count => sd * sd / self.count as f64,
            _ => 0.0,
        }
    }
}

/// The difference of two means, in points and in standard errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Measured − published.
    pub difference: f64,
    /// Standard error of the difference.
    pub std_error: f64,
    /// Difference in standard errors; 0 where both are 0.
    pub z: f64,
    /// What that means.
    pub verdict: Verdict,
}

/// The word for a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Below 2 standard errors.
    Agrees,
    /// From 2 to 3 standard errors: one in twenty would be so far off by chance.
    Doubtful,
    /// Above 3 standard errors.
    Differs,
    /// The measured mean has no interval, or one whose half-width is above [`Verdict::WIDEST`] of the published mean.
    TooFew,
}

impl Verdict {
    /// The half-width of the measured 95 % interval, as a share of the published mean, above which no word is given: so
    /// wide an interval would "agree" with nearly anything.
    pub const WIDEST: f64 = 0.1;

    /// The word as printed in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Doubtful => "doubtful",
            Self::Differs => "differs",
            Self::TooFew => "too few games to tell",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Compares a measured mean with a published one.
///
/// A published sample without a standard deviation counts as exact.
pub fn compare_means(measured: Moments, published: Moments) -> Comparison {
    let difference = measured.mean - published.mean;
    let std_error = (measured.variance_of_mean() + published.variance_of_mean()).sqrt();
    let z = if difference == 0.0 { 0.0 } else { difference / std_error };
    let half_width = measured
        .std_dev
        .and_then(|sd| mean_interval(measured.count, measured.mean, sd))
        .map_or(f64::INFINITY, |interval| interval.half_width());
    let verdict = if Verdict::WIDEST * published.mean.abs() < half_width {
        Verdict::TooFew
    } else if z.abs() < 2.0 {
        Verdict::Agrees
    } else if z.abs() <= 3.0 {
        Verdict::Doubtful
    } else {
        Verdict::Differs
    };
    Comparison { difference, std_error, z, verdict }
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
}

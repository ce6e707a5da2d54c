//! The sequential probability ratio test, and the number of values that a fixed-size test needs.
//!
//! Given two hypotheses H0 and H1 about the difference of two arms. After each look the log of the likelihood ratio
//! (*LLR*) of H1 to H0 is compared with two bounds (Wald 1945, *Sequential tests of statistical hypotheses*):
//!
//! ```text
//! accept H0 at LLR ≤ ln( β / (1 − α) ),   accept H1 at LLR ≥ ln( (1 − β) / α )
//! ```
//!
//! If H0 is true, H1 is accepted in at most about α of the runs; if H1 is true, H0 in at most about β of them.
//!
//! **Means** of paired differences of *n* games, with mean *m* and variance *v* (divisor *n*), whose true variance is
//! unknown: the likelihood of each hypothesis at the variance that suits it best (the *generalized* test, GSPRT),
//! assuming normal scores
//!
//! ```text
//! LLR = n/2 · ln( (v + (m − h₀)²) / (v + (m − h₁)²) )
//! ```
//!
//! It equals fishtest's n(h₁ − h₀)(2m − h₀ − h₁)/2v for close hypotheses, and is more cautious otherwise. Differences
//! with one long tail are not normal, and the error rate would be up to four times the requested one. So √(n/v)(m − h)
//! is replaced by its transform by Hall (1992), which is nearly symmetric
//! ([`skewed_mean_interval`](super::skewed_mean_interval)). A test needs 200 pairs, five for each square of the
//! skewness, and 75 that differ: with fewer, the estimate of their spread is poor, and with half as many up to 7 of 100
//! tests were wrong at 5 %. With these limits, simulation finds at most 6 of 100.
//!
//! **Shares**: of the pairs in which exactly one of the two arms reaches a tile, *w* are won and *l* lost. With p the
//! share that is won
//!
//! ```text
//! LLR = w ln(p₁/p₀) + l ln( (1 − p₁)/(1 − p₀) )
//! ```
//!
//! exactly: pairs in which both do the same say nothing about which is better.

use super::Moments;
use super::interval::unskewed;
use crate::math;

/// With fewer pairs, or fewer that differ, the spread of differences is poorly known, and nothing is decided.
const LEAST_PAIRS: u64 = 200;
const LEAST_DIFFERING: u64 = 75;

/// Pairs for each square of the skewness of differences. With fewer, the transform does not suffice: with squares of
/// exponential numbers in a twentieth of the pairs and 0 in the others, tests were wrong in 16 of 100 runs without this
/// limit.
const PAIRS_BY_SKEWNESS: f64 = 5.0;

/// A look follows after a 64th more values: rare enough to cost nothing, frequent enough to lose almost nothing.
const LOOKS: u64 = 64;

/// The number of values at the first look after `count`. It depends on nothing else.
pub fn next_look(count: u64) -> u64 {
    count + (count / LOOKS).max(1)
}

/// Two hypotheses and their error rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    pub h0: f64,
    pub h1: f64,
    /// Probability of accepting H1 although H0 is true.
    pub alpha: f64,
    /// Probability of accepting H0 although H1 is true.
    pub beta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hypothesis {
    H0,
    H1,
}

impl Hypothesis {
    pub fn name(self) -> &'static str {
        ["H0", "H1"][self as usize]
    }
}

impl Sprt {
    /// The LLRs at which H0 and H1 are accepted.
    pub fn bounds(&self) -> [f64; 2] {
        [
            math::ln(self.beta / (1.0 - self.alpha)),
            math::ln((1.0 - self.beta) / self.alpha),
        ]
    }

    /// The same test with both error rates divided among several tests, so that they hold for all tests together.
    #[must_use]
    pub fn shared_among(self, tests: usize) -> Self {
        let tests = tests.max(1) as f64;
        Self {
            alpha: self.alpha / tests,
            beta: self.beta / tests,
            ..self
        }
    }

    /// The LLR of a mean of differences with this skewness, where `differing` of them are not 0. `None` if there are
    /// too few.
    pub fn of_mean(
        &self,
        Moments {
            count,
            mean,
            std_dev,
        }: Moments,
        skewness: Option<f64>,
        differing: u64,
    ) -> Option<f64> {
        let (n, skewness) = (count as f64, skewness.unwrap_or(0.0));
        let enough = LEAST_PAIRS <= count
            && LEAST_DIFFERING <= differing
            && PAIRS_BY_SKEWNESS * math::squared(skewness) <= n;
        let variance =
            math::squared(std_dev.filter(|std_dev| enough && 0.0 < *std_dev)?) * (n - 1.0) / n;
        let away = |hypothesis: f64| {
            math::squared(unskewed(
                (mean - hypothesis) * (n / variance).sqrt(),
                count,
                skewness,
            ))
        };
        let ratio = n / 2.0 * math::ln((n + away(self.h0)) / (n + away(self.h1)));
        (!ratio.is_nan()).then_some(ratio)
    }

    /// The LLR of the share of pairs won.
    pub fn of_share(&self, won: u64, lost: u64) -> f64 {
        won as f64 * math::ln(self.h1 / self.h0)
            + lost as f64 * math::ln((1.0 - self.h1) / (1.0 - self.h0))
    }

    pub fn accepts(&self, llr: f64) -> Option<Hypothesis> {
        let [low, high] = self.bounds();
        match llr {
            llr if high <= llr => Some(Hypothesis::H1),
            llr if llr <= low => Some(Hypothesis::H0),
            _ => None,
        }
    }
}

/// The normal quantile of 80 %.
const Z80: f64 = 0.841_621_233_572_914;

/// The number of pairs needed to detect a difference at 5 % (two-sided) with a power of 80 %, if differences have this
/// standard deviation: (z₉₇.₅ + z₈₀)² σ²/δ², plus half of z₉₇.₅² because the spread is estimated as well (Guenther
/// 1981).
pub fn pairs_to_find(difference: f64, std_dev: f64) -> Option<u64> {
    let pairs =
        math::squared((super::Z95 + Z80) * std_dev / difference) + math::squared(super::Z95) / 2.0;
    (0.0 < difference && 0.0 <= std_dev && pairs.is_finite()).then_some(pairs.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE: Sprt = Sprt {
        h0: 0.0,
        h1: 10.0,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn known_numbers() {
        let [low, high] = FIVE.bounds();
        assert!((high - 2.944).abs() < 1e-3 && (low + high).abs() < 1e-12);
        let moments = Moments {
            count: 400,
            mean: 8.0,
            std_dev: Some(50.0),
        };
        // By hand: v = 2500 · 399/400 = 2493.75; 200 · ln(2557.75 / 2497.75) = 4.7476.
        let llr = FIVE.of_mean(moments, None, 400).expect("pairs");
        assert!((llr - 4.747_6).abs() < 1e-3, "{llr}");
        assert_eq!(
            (FIVE.accepts(llr), FIVE.accepts(-2.95), FIVE.accepts(2.9)),
            (Some(Hypothesis::H1), Some(Hypothesis::H0), None)
        );

        // fishtest: 400 · 10 · (2 · 8 − 10) / (2 · 2500) = 4.8.
        assert!((llr - 4.8).abs() < 0.06);
        let share = Sprt {
            h0: 0.5,
            h1: 0.6,
            ..FIVE
        };
        assert!(
            (share.of_share(60, 40) - (60.0 * 1.2_f64.ln() + 40.0 * 0.8_f64.ln())).abs() < 1e-12
        );
        assert_eq!(FIVE.of_mean(moments, None, LEAST_DIFFERING - 1), None);
        assert_eq!(
            FIVE.of_mean(
                Moments {
                    count: 30,
                    ..moments
                },
                None,
                30
            ),
            None
        );
        // A long upper tail makes a mean above less significant. If it is too long, the test cannot decide yet.
        assert!(FIVE.of_mean(moments, Some(3.0), 400).expect("pairs") != llr);
        assert_eq!(FIVE.of_mean(moments, Some(-9.0), 400), None);
        assert!(FIVE.shared_among(4).bounds()[1] > high);
    }

    #[test]
    fn looks_are_ever_farther_apart_and_as_near_as_they_can_be() {
        let looks: Vec<u64> = std::iter::successors(Some(1), |&count| Some(next_look(count)))
            .take(1000)
            .collect();
        assert_eq!(looks[..3], [1, 2, 3]);
        assert!(
            looks
                .windows(2)
                .all(|pair| (pair[1] - pair[0]) <= (pair[0] / LOOKS).max(1))
        );
    }

    #[test]
    fn a_difference_takes_as_many_pairs_as_the_tables_say() {
        // Cohen's d of 0.5 takes 34 pairs, of 0.2 199 (G*Power, two-sided t test of pairs).
        assert_eq!(
            (pairs_to_find(0.5, 1.0), pairs_to_find(0.2, 1.0)),
            (Some(34), Some(199))
        );
        assert_eq!(
            (pairs_to_find(0.0, 1.0), pairs_to_find(1.0, f64::NAN)),
            (None, None)
        );
    }
}

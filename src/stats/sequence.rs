//! Intervals of a sample that is looked at while it grows.
//!
//! An interval of 95 % holds at one look, planned before. Who looks at each percent of a thousand games and stops when an
//! interval leaves a value out is wrong in two of five runs. A *confidence sequence* holds at all sizes at once: 95 of 100
//! runs are never wrong, however often and for whatever reason somebody looks or stops. It is wider, 1.55 times where it is
//! least.
//!
//! **Means** (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021, *Time-uniform central limit theory*): after *t* values
//! of mean *m* and standard deviation *s*
//!
//! ```text
//! m ± s √( 2(tρ² + 1) / (t²ρ²) · ln( √(tρ² + 1) / α ) ),   α = 0.05
//! ```
//!
//! in the limit of many. ρ says where it is narrowest: at the planned *n* with ρ² = (u − 1)/n, where u − ln u = 1 − 2 ln α;
//! there it is s √(u/n), 3.03 standard errors. Because *s* is estimated, few values get the factor by which Student's *t*
//! exceeds the normal quantile of the same chance.
//!
//! **Shares**: no limit. With a share *p* the mixture of likelihood ratios
//!
//! ```text
//! M(p) = B(gp + h, g(1−p) + t − h) / ( B(gp, g(1−p)) pʰ (1−p)ᵗ⁻ʰ )
//! ```
//!
//! of *h* hits in *t* values is a martingale that begins at 1, and exceeds 1/α with a chance of at most α at any time
//! (Ville): the sequence holds the *p* with M(p) < 1/α. g = 1/ρ² − 1 gives the Beta prior the spread that the mean's has.

use statrs::distribution::{ContinuousCDF as _, Normal};
use statrs::function::gamma::ln_gamma;

use super::{Interval, Moments, ScoreCounts, Z95, mean_interval, student_t, student_t_975, wilson};

/// One minus the confidence.
const ALPHA: f64 = 0.05;

/// The solution above 1 of u − ln u = 1 − 2 ln α.
const U: f64 = 9.211_968_062_068_253;

/// Fewer values say next to nothing of how far the next ones will be.
const LEAST_VALUES: u64 = 5;

/// Standard errors at which the tails of Student's *t* and of the normal distribution are set against each other.
const MOST_ERRORS: f64 = 5.0;

/// What an interval promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalKind {
    /// Right in 95 of 100 runs at all times together: before the planned games are all played, and where a rule that looks
    /// at the scores may end the run.
    Anytime,
    /// Right in 95 of 100 runs at the one look that was planned: at the end.
    Planned,
}

impl IntervalKind {
    /// As files name it.
    pub fn name(self) -> &'static str {
        ["anytime", "planned"][self as usize]
    }

    /// What it promises, after "95 % interval".
    pub fn promise(self) -> &'static str {
        ["valid at any time, whenever the run stops", "planned games reached"][self as usize]
    }
}

/// How many values a sample is to have: what is known of it before they are all there holds at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned(pub u64);

impl Planned {
    /// Of at most so many values, where what they are may end the sample before: no look is the planned one, and what is known
    /// holds at any time.
    pub fn at_most(count: u64) -> Self {
        Self(count.saturating_add(1))
    }

    /// What the intervals of the first `count` values promise.
    pub fn kind(self, count: u64) -> IntervalKind {
        if count < self.0 { IntervalKind::Anytime } else { IntervalKind::Planned }
    }

    /// 95 % for the mean: Student's at the planned end, before it the sequence.
    pub fn mean_interval(self, scores: &ScoreCounts) -> Option<Interval> {
        match self.kind(scores.count()) {
            IntervalKind::Planned => scores.mean_interval(),
            // Neither scores nor their mean are negative.
            IntervalKind::Anytime => {
                self.sequence(scores.moments()?).map(|ci95| Interval { low: ci95.low.max(0.0), ..ci95 })
            }
        }
    }

    /// 95 % for a mean that may be negative, such as that of differences.
    pub fn interval(self, moments: Moments) -> Option<Interval> {
        match self.kind(moments.count) {
            IntervalKind::Planned => mean_interval(moments.count, moments.mean, moments.std_dev?),
            IntervalKind::Anytime => self.sequence(moments),
        }
    }

    /// 95 % for the share of `hits` among the first `count` values: Wilson's at the planned end, before it the sequence.
    pub fn share_interval(self, hits: u64, count: u64) -> Option<Interval> {
        match self.kind(count) {
            IntervalKind::Planned => wilson(hits, count),
            IntervalKind::Anytime => self.share_sequence(hits, count),
        }
    }

    /// The confidence sequence of a mean; `None` below five values, where it would span a thousand times the mean.
    pub fn sequence(self, Moments { count, mean, std_dev }: Moments) -> Option<Interval> {
        let errors = self.errors(count.checked_sub(1).filter(|_| LEAST_VALUES <= count)?);
        let half = errors * std_dev? / (count as f64).sqrt();
        Some(Interval { low: mean - half, high: mean + half })
    }

    /// Half the width of the sequence in standard errors.
    fn errors(self, freedom: u64) -> f64 {
        let errors = self.stretch(freedom + 1) * Z95;
        // Farther out, where few of many are, the tails of both are no longer computed.
        let tail_at = errors.min(MOST_ERRORS);
        let tail = Normal::standard().sf(tail_at);
        let few = student_t(freedom as f64, tail) / tail_at;
        errors * few.max(1.0)
    }

    /// What Student's intervals of `count` values are to be widened by: 1 at the planned end.
    pub fn widening(self, count: u64) -> f64 {
        match count.checked_sub(1).filter(|&freedom| 0 < freedom && self.kind(count) == IntervalKind::Anytime) {
            Some(freedom) => self.errors(freedom) / student_t_975(freedom as f64),
            None => 1.0,
        }
    }

    /// How many times as wide as an interval of 95 % what is known of `count` values is: 1 at the planned end, 1.55 just
    /// before it, more the farther it is.
    pub fn stretch(self, count: u64) -> f64 {
        if self.kind(count) == IntervalKind::Planned {
            return 1.0;
        }
        let t = count as f64 * self.rho_squared();
        (2.0 * (t + 1.0) / t * ((t + 1.0).sqrt() / ALPHA).ln()).sqrt() / Z95
    }

    fn rho_squared(self) -> f64 {
        (U - 1.0) / self.0.max(1) as f64
    }

    /// The confidence sequence of a share; `None` without a value.
    fn share_sequence(self, hits: u64, count: u64) -> Option<Interval> {
        // Below some nine planned values the prior would be improper.
        let g = (1.0 / self.rho_squared() - 1.0).max(0.5);
        let (hits, count) = (hits.min(count) as f64, count as f64);
        let share = (0.0 < count).then(|| hits / count)?;
        let fixed = ln_gamma(g) - ln_gamma(g + count);
        let holds = |p: f64| {
            let (a, b) = (g * p, g * (1.0 - p));
            let rises = |a: f64, hits: f64| if hits == 0.0 { 0.0 } else { ln_gamma(a + hits) - ln_gamma(a) };
            let likelihood = |p: f64, hits: f64| if hits == 0.0 { 0.0 } else { hits * p.ln() };
            let log = fixed + rises(a, hits) + rises(b, count - hits);
            log - likelihood(p, hits) - likelihood(1.0 - p, count - hits) < -ALPHA.ln()
        };
        let end = |outside: f64| {
            let (mut inside, mut outside) = (share, outside);
            for _ in 0..36 {
                let middle = (inside + outside) / 2.0;
                *(if holds(middle) { &mut inside } else { &mut outside }) = middle;
            }
            outside
        };
        Some(Interval {
            low: if hits == 0.0 { 0.0 } else { end(0.0) },
            high: if hits == count { 1.0 } else { end(1.0) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;

    #[test]
    fn the_formula_gives_the_published_widths() {
        assert!((U - U.ln() - (1.0 - 2.0 * ALPHA.ln())).abs() < 1e-12);
        let of = |planned, count| Planned(planned).stretch(count) * Z95 / (count as f64).sqrt();
        // By hand: n planned 1000, so ρ² = 0.0082120; at t = 999 s √(2 · 9.20375 / (999 · 8.20375) · ln(3.03377 / 0.05)).
        assert!((of(1000, 999) - 0.096_027).abs() < 1e-5, "{}", of(1000, 999));
        // t = 100: tρ² = 0.82120; √(2 · 1.82120 / (100 · 0.82120) · ln(1.349517 / 0.05)) = 0.382322.
        assert!((of(1000, 100) - 0.382_322).abs() < 1e-5, "{}", of(1000, 100));
        assert!((Planned(1000).stretch(999) - 1.5486).abs() < 1e-3);
        assert_eq!((Planned(1000).stretch(1000), Planned(1000).stretch(2000)), (1.0, 1.0));
        // Student's interval times the widening is the sequence, of few values as of many.
        for count in [5, 30, 118, 999, 1000] {
            let moments = Moments { count, mean: 0.0, std_dev: Some(1.0) };
            let t = mean_interval(count, 0.0, 1.0).expect("values").half_width();
            let now = Planned(1000).interval(moments).expect("values").half_width();
            assert!((t * Planned(1000).widening(count) - now).abs() < 1e-9, "{count}");
        }
        // No other ρ makes it narrower there.
        let at_end = |u: f64| 2.0 * u / (u - 1.0) * (u.sqrt() / ALPHA).ln();
        assert!(at_end(U) < at_end(U * 1.05) && at_end(U) < at_end(U / 1.05));
        assert!((at_end(U) - U).abs() < 1e-9);
    }

    #[test]
    fn looking_at_each_percent_is_wrong_with_t_and_right_with_the_sequence() {
        const RUNS: u64 = 250;
        let planned = Planned(1000);
        // Skewed as scores are: the sum of three exponentials, mean 3.
        let (mut t_wrong, mut sequence_wrong) = (0, 0);
        for run in 0..RUNS {
            let mut rng = Chance(run << 32);
            let (mut sum, mut squares, mut wrong) = (0.0, 0.0, [false; 2]);
            for count in 1..1000_u64 {
                let value = -(rng.unit() * rng.unit() * rng.unit()).ln();
                (sum, squares) = (sum + value, squares + value * value);
                if count % 10 != 0 {
                    continue;
                }
                let n = count as f64;
                let (mean, variance) = (sum / n, (squares - sum * sum / n) / (n - 1.0));
                let moments = Moments { count, mean, std_dev: Some(variance.sqrt()) };
                let t = super::super::mean_interval(count, mean, variance.sqrt()).expect("values");
                wrong[0] |= !t.contains(3.0);
                wrong[1] |= !planned.sequence(moments).expect("values").contains(3.0);
            }
            t_wrong += u64::from(wrong[0]);
            sequence_wrong += u64::from(wrong[1]);
        }
        let [t, sequence] = [t_wrong, sequence_wrong].map(|wrong| wrong as f64 / RUNS as f64);
        assert!((0.30..0.48).contains(&t), "t: {t}");
        assert!(sequence <= 0.05, "sequence: {sequence}");
    }

    #[test]
    fn few_values_are_no_less_safe() {
        const RUNS: u64 = 800;
        for planned in [9, 20] {
            let mut wrong = 0;
            for run in 0..RUNS {
                let mut rng = Chance(run << 32);
                let (mut sum, mut squares, mut is_wrong) = (0.0, 0.0, false);
                for count in 1..planned {
                    let value = (0..6).map(|_| rng.unit()).sum::<f64>();
                    (sum, squares) = (sum + value, squares + value * value);
                    let n = count as f64;
                    let std_dev = (1 < count).then(|| ((squares - sum * sum / n) / (n - 1.0)).max(0.0).sqrt());
                    let sequence = Planned(planned).sequence(Moments { count, mean: sum / n, std_dev });
                    is_wrong |= sequence.is_some_and(|sequence| !sequence.contains(3.0));
                }
                wrong += u64::from(is_wrong);
            }
            assert!(wrong as f64 <= 0.05 * RUNS as f64, "{planned}: {wrong}");
        }
    }

    #[test]
    fn shares_are_right_at_all_times() {
        const RUNS: u64 = 200;
        let planned = Planned(400);
        for share in [0.5, 0.04, 0.002] {
            let (mut wrong, mut wilson_wrong) = (0, 0);
            for run in 0..RUNS {
                let mut rng = Chance(run << 32);
                let (mut hits, mut is_wrong) = (0, [false; 2]);
                for count in 1..400 {
                    hits += u64::from(rng.unit() < share);
                    if count % 8 == 0 {
                        is_wrong[0] |= !planned.share_interval(hits, count).expect("values").contains(share);
                        is_wrong[1] |= !wilson(hits, count).expect("values").contains(share);
                    }
                }
                wrong += u64::from(is_wrong[0]);
                wilson_wrong += u64::from(is_wrong[1]);
            }
            assert!(wrong as f64 <= 0.05 * RUNS as f64, "{share}: {wrong}");
            assert!(share != 0.5 || RUNS < 4 * wilson_wrong, "{share}: Wilson {wilson_wrong}");
        }
    }

    #[test]
    fn the_sequence_of_a_share_is_the_mean_s_where_both_hold() {
        let planned = Planned(10_001);
        let share = planned.share_interval(4000, 10_000).expect("values");
        let moments = Moments { count: 10_000, mean: 0.4, std_dev: Some(0.24_f64.sqrt()) };
        let mean = planned.sequence(moments).expect("values");
        assert!((share.low - mean.low).abs() < 4e-4 && (share.high - mean.high).abs() < 4e-4, "{share:?} {mean:?}");
        for planned in [1, 2, 5, 100, 1_000_000] {
            for (hits, count) in [(0, 1), (1, 1), (0, 30), (30, 30), (7, 30), (0, 0)] {
                let Some(ci95) = Planned(planned).share_interval(hits, count) else {
                    assert_eq!(count, 0);
                    continue;
                };
                assert!(
                    0.0 <= ci95.low && ci95.low < ci95.high && ci95.high <= 1.0,
                    "{planned} {hits} {count} {ci95:?}"
                );
                assert!(ci95.contains(hits as f64 / count as f64));
            }
        }
    }

    #[test]
    fn the_planned_end_has_the_planned_interval() {
        let scores: ScoreCounts = (0..100_u32).map(|score| 4 * score).collect();
        assert_eq!(Planned(100).mean_interval(&scores), scores.mean_interval());
        assert_eq!(Planned(100).kind(100), IntervalKind::Planned);
        assert_eq!(Planned(100).share_interval(3, 100), wilson(3, 100));
        let [before, after] =
            [101, 100].map(|planned| Planned(planned).mean_interval(&scores).expect("scores").half_width());
        assert!((1.55..1.7).contains(&(before / after)), "{}", before / after);
        let five: ScoreCounts = [4, 4, 4, 8, 400].into_iter().collect();
        assert_eq!(Planned(1000).mean_interval(&five).expect("scores").low, 0.0);
        let four: ScoreCounts = [4, 4, 8, 400].into_iter().collect();
        assert_eq!(Planned(1000).mean_interval(&four), None);
    }
}

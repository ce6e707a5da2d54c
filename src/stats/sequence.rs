//! Confidence sequences: intervals of a sample that is checked while it grows.
//!
//! An interval of 95 % is valid at one planned look. Looking at each percent of a thousand games, and stopping when an
//! interval excludes a value, is wrong in two of five runs. A *confidence sequence* is valid at all sizes
//! simultaneously: 95 of 100 runs are never wrong, however often and for whatever reason the user looks or stops. It is
//! wider, by a factor of at least 1.55.
//!
//! **Means** (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2021, *Time-uniform central limit theory*): after *t*
//! values with mean *m* and standard deviation *s*
//!
//! ```text
//! m ± s √( 2(tρ² + 1) / (t²ρ²) · ln( √(tρ² + 1) / α ) ),   α = 0.05
//! ```
//!
//! in the limit of many values. ρ determines where it is narrowest: at *n* values with ρ² = (u − 1)/n, where u − ln u =
//! 1 − 2 ln α. There it is s √(u/n), 3.03 standard errors, and far from there it is much wider. It follows from the
//! martingale exp(y·tρ²/(tρ² + 1)) / √(tρ² + 1) of y = t(m − μ)²/2s², which stays below 1/α. A weighted mean of such
//! martingales is one as well, so several ρ are combined: nine tenths of the weight at the planned *n*, where that
//! costs at most 1.3 % of the width, the rest at a thousand, a hundred thousand and ten million. With a rule that may
//! end the sample there is no planned *n*. Then only the latter count, so the rule is met at the same value whatever
//! the maximum number of values is. That costs 8 to 16 % of the width compared with a known end. Because *s* is
//! estimated, few values get the factor by which Student's *t* exceeds the normal quantile at the same probability.
//!
//! **Shares**: exact, without a limit. With a share *p* the mixture of likelihood ratios
//!
//! ```text
//! M(p) = B(gp + h, g(1−p) + t − h) / ( B(gp, g(1−p)) pʰ (1−p)ᵗ⁻ʰ )
//! ```
//!
//! of *h* hits in *t* values is a martingale that begins at 1, and exceeds 1/α at any time with a probability of at
//! most α (Ville): the sequence contains the *p* with M(p) < 1/α. g = 1/ρ² − 1 gives the Beta prior the spread that the
//! mean's has, and the same ρ have the same weights.

use statrs::distribution::{ContinuousCDF as _, Normal};
use statrs::function::gamma::ln_gamma;

use super::interval::{leaning_interval, paired_shares};
use super::{
    Interval, Moments, PairedSums, ScoreCounts, mean_interval, next_look, student_t, student_t_975,
    wilson,
};
use crate::math;

/// One minus the confidence.
const ALPHA: f64 = 0.05;

/// The solution above 1 of u − ln u = 1 − 2 ln α.
const U: f64 = 9.211_968_062_068_253;

/// The weight of the planned number among the scales of a sequence.
const WEIGHT_OF_PLANNED: f64 = 0.9;

/// The scales for an unknown end: weights, and numbers of values.
const OPEN_SCALES: [(f64, f64); 3] = [(0.5, 1e3), (0.3, 1e5), (0.2, 1e7)];

/// Games that nearly all end at one tile show their lower tail late: a sequence that began with ten of them would
/// exclude the mean in two of five runs, one that begins with fifty does in one of twenty-five.
pub(super) const LEAST_VALUES: u64 = 50;

/// The number of standard errors at which the tails of Student's *t* and of the normal distribution are compared.
const MOST_ERRORS: f64 = 5.0;

/// Newton's steps double the digits each time. The start is at most ten times too large.
const MOST_STEPS: usize = 60;

/// The guarantee of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntervalKind {
    /// Right in 95 of 100 runs at all times simultaneously: before the planned games are all played, and if a rule
    /// about scores may end the run.
    Anytime,
    /// Right in 95 of 100 runs at the single planned look, the end.
    Planned,
}

impl IntervalKind {
    /// The name in files.
    pub fn name(self) -> &'static str {
        ["anytime", "planned"][self as usize]
    }

    /// The guarantee, for use after "95 % interval".
    pub fn promise(self) -> &'static str {
        [
            "valid at any time, whenever the run stops",
            "planned games reached",
        ][self as usize]
    }
}

/// The planned number of values of a sample. Intervals before that are valid at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned(pub u64);

impl Planned {
    /// The values themselves may end the sample, so no look is planned, and intervals are valid at any time.
    pub const OPEN: Self = Self(u64::MAX);

    /// The guarantee of the intervals of the first `count` values.
    pub fn kind(self, count: u64) -> IntervalKind {
        if count < self.0 {
            IntervalKind::Anytime
        } else {
            IntervalKind::Planned
        }
    }

    /// 95 % for the mean of scores, which are never negative: Hall's interval at the planned end. Before that the
    /// sequence, once it is no wider than the mean to each side; a wider one would be meaningless.
    pub fn mean_interval(self, scores: &ScoreCounts) -> Option<Interval> {
        match self.kind(scores.count()) {
            IntervalKind::Planned => scores.mean_interval(),
            IntervalKind::Anytime => self.score_sequence(scores.moments()?, scores.skewness()),
        }
    }

    /// The confidence sequence of the mean of scores. `None` if it would be wider than the mean to each side.
    pub fn score_sequence(self, moments: Moments, skewness: Option<f64>) -> Option<Interval> {
        let ci95 = self
            .sequence(moments, skewness)
            .filter(|ci95| ci95.half_width() <= moments.mean)?;
        Some(Interval {
            low: ci95.low.max(0.0),
            ..ci95
        })
    }

    /// 95 % for the mean of paired differences.
    pub fn difference_interval(self, pairs: &PairedSums) -> Option<Interval> {
        self.interval(pairs.difference()?, pairs.skewness())
    }

    /// 95 % for a mean that may be negative: Student's interval at the planned end, before that the sequence.
    pub(super) fn interval(self, moments: Moments, skewness: Option<f64>) -> Option<Interval> {
        match self.kind(moments.count) {
            IntervalKind::Planned => mean_interval(moments.count, moments.mean, moments.std_dev?),
            IntervalKind::Anytime => self.sequence(moments, skewness),
        }
    }

    /// 95 % for the share of `hits` among the first `count` values: Wilson's interval at the planned end, before that
    /// the sequence.
    pub fn share_interval(self, hits: u64, count: u64) -> Option<Interval> {
        match self.kind(count) {
            IntervalKind::Planned => wilson(hits, count),
            IntervalKind::Anytime => self.share_sequence(hits, count),
        }
    }

    /// The confidence sequence of a mean, extended to the side of the longer tail as in
    /// [`skewed_mean_interval`](super::skewed_mean_interval). `None` below fifty values. The other end stays as without
    /// skewness: a few outliers do not show on which side the next ones will be.
    fn sequence(self, moments: Moments, skewness: Option<f64>) -> Option<Interval> {
        self.sequence_at(ALPHA, moments, skewness)
    }

    /// The same with the error probability `alpha`. `None` if that is 0.
    pub(super) fn sequence_at(
        self,
        alpha: f64,
        moments: Moments,
        skewness: Option<f64>,
    ) -> Option<Interval> {
        let Moments {
            count,
            mean,
            std_dev,
        } = moments;
        let freedom = count
            .checked_sub(1)
            .filter(|_| LEAST_VALUES <= count && 0.0 < alpha)?;
        let errors = self.errors(alpha, freedom);
        let std_dev = std_dev?;
        let interval = |skewness: f64| leaning_interval(errors, count, mean, std_dev, skewness);
        let [even, leaning] = [0.0, skewness.unwrap_or(0.0)].map(interval);
        Some(even.with(leaning))
    }

    /// The number of values, at most `most`, until the sequence has this half-width, up to a 64th.
    pub fn values_within(self, half_width: f64, std_dev: f64, most: u64) -> u64 {
        let is_within = |count: &u64| {
            self.many_errors(ALPHA, *count) * std_dev <= half_width * (*count as f64).sqrt()
        };
        let looks = std::iter::successors(Some(LEAST_VALUES), |&count| Some(next_look(count)));
        looks
            .take_while(|&count| count < most)
            .find(is_within)
            .unwrap_or(most)
    }

    /// 95 % for the difference of the shares of `first` and `second` hits among the same `count` values, `both` of them
    /// on both sides: from the intervals of both shares, as in Newcombe (1998).
    pub fn paired_shares(
        self,
        both: u64,
        [first, second]: [u64; 2],
        count: u64,
    ) -> Option<Interval> {
        let ends = [
            self.share_interval(first, count)?,
            self.share_interval(second, count)?,
        ];
        Some(paired_shares(both, [first, second], count, ends))
    }

    /// The factor by which Student's intervals of `count` values are widened: 1 at the planned end, 1.57 just before
    /// it, and more the farther away it is. `None` while there is no sequence.
    pub fn widening(self, count: u64) -> Option<f64> {
        match self.kind(count) {
            IntervalKind::Planned => Some(1.0),
            IntervalKind::Anytime => {
                let freedom = count.checked_sub(1).filter(|_| LEAST_VALUES <= count)?;
                Some(self.errors(ALPHA, freedom) / student_t_975(freedom as f64))
            }
        }
    }

    /// Half the width of the sequence in standard errors.
    fn errors(self, alpha: f64, freedom: u64) -> f64 {
        let errors = self.many_errors(alpha, freedom + 1);
        // Farther out, where only few values matter, the tails of both are no longer computed.
        let tail_at = errors.min(MOST_ERRORS);
        let tail = Normal::standard().sf(tail_at);
        let few = student_t(freedom as f64, tail) / tail_at;
        errors * few.max(1.0)
    }

    /// The same with a known standard deviation: where the mixture of martingales reaches 1/α.
    pub(super) fn many_errors(self, alpha: f64, count: u64) -> f64 {
        // Each part is w·exp(by)/√(tρ² + 1).
        let parts = self.scales().map(|(weight, rho_squared)| {
            let t = count as f64 * rho_squared;
            (math::ln(alpha * weight / (t + 1.0).sqrt()), t / (t + 1.0))
        });

        // The logarithm of their sum is convex and rises, so Newton's steps from beyond its zero never overshoot. The
        // zero of each part alone is beyond.
        let mut y = parts
            .iter()
            .map(|(log, slope)| -log / slope)
            .fold(f64::INFINITY, f64::min);
        for _ in 0..MOST_STEPS {
            let sizes = parts.map(|(log, slope)| math::exp(log + slope * y));
            let sum: f64 = sizes.iter().sum();
            let slope = sizes
                .iter()
                .zip(parts)
                .map(|(size, (_, slope))| size * slope)
                .sum::<f64>()
                / sum;
            let step = math::ln(sum) / slope;
            if step <= 1e-14 * y {
                break;
            }
            y -= step;
        }
        (2.0 * y).sqrt()
    }

    /// Weights, and ρ².
    fn scales(self) -> [(f64, f64); 4] {
        let planned = if self == Self::OPEN {
            0.0
        } else {
            WEIGHT_OF_PLANNED
        };
        let [a, b, c] = OPEN_SCALES.map(|(weight, values)| ((1.0 - planned) * weight, values));
        [(planned, self.0.max(1) as f64), a, b, c]
            .map(|(weight, values)| (weight, (U - 1.0) / values))
    }

    /// The confidence sequence of a share. `None` without values.
    fn share_sequence(self, hits: u64, count: u64) -> Option<Interval> {
        let share = (0 < count).then(|| hits.min(count) as f64 / count as f64)?;
        let holds = self.share_holds(ALPHA, hits, count);
        let end = |outside: f64| {
            let (mut inside, mut outside) = (share, outside);
            for _ in 0..30 {
                let middle = (inside + outside) / 2.0;
                *(if holds(middle) {
                    &mut inside
                } else {
                    &mut outside
                }) = middle;
            }
            outside
        };
        Some(Interval {
            low: if hits == 0 { 0.0 } else { end(0.0) },
            high: if count <= hits { 1.0 } else { end(1.0) },
        })
    }

    /// Whether the confidence sequence of a share with the error probability `alpha` contains a share.
    pub(super) fn share_holds(self, alpha: f64, hits: u64, count: u64) -> impl Fn(f64) -> bool {
        let (hits, count) = (hits.min(count) as f64, count as f64);
        let parts = self.scales().map(|(weight, rho_squared)| {
            // Below about nine planned values the prior would be improper.
            let g = (1.0 / rho_squared - 1.0).max(0.5);
            (
                math::ln(alpha * weight) + ln_gamma(g) - ln_gamma(g + count),
                g,
            )
        });
        let rises = |a: f64, hits: f64| {
            if hits == 0.0 {
                0.0
            } else {
                ln_gamma(a + hits) - ln_gamma(a)
            }
        };
        let likelihood = |p: f64, hits: f64| if hits == 0.0 { 0.0 } else { hits * math::ln(p) };
        move |p: f64| {
            let likelihood = likelihood(p, hits) + likelihood(1.0 - p, count - hits);
            let used = parts.iter().filter(|(fixed, _)| fixed.is_finite());
            let log_part = |&(fixed, g): &(f64, f64)| {
                fixed + rises(g * p, hits) + rises(g * (1.0 - p), count - hits)
            };
            used.map(|part| math::exp(log_part(part) - likelihood))
                .sum::<f64>()
                < 1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;

    #[test]
    fn the_formula_gives_the_published_widths() {
        assert!((U - U.ln() - (1.0 - 2.0 * ALPHA.ln())).abs() < 1e-12);
        let width =
            |planned, count| Planned(planned).many_errors(ALPHA, count) / (count as f64).sqrt();
        // One scale alone, by hand: n planned 1000, so ρ² = 0.0082120; at t = 999 s √(2 · 9.20375 / (999 · 8.20375) ·
        // ln(3.03377 / 0.05)) = 0.096027; at t = 100, √(2 · 1.82120 / (100 · 0.82120) · ln(1.349517 / 0.05)) =
        // 0.382322. The other scales have 5 % of the weight there, and almost none elsewhere.
        for (count, alone) in [(999, 0.096_027), (100, 0.382_322)] {
            assert!(
                (1.0..1.01).contains(&(width(1000, count) / alone)),
                "{count}: {}",
                width(1000, count)
            );
        }
        // Student's interval times the widening is the sequence, with few values and with many.
        assert_eq!(
            (Planned(1000).widening(49), Planned(30).widening(30)),
            (None, Some(1.0))
        );
        for count in [50, 118, 999, 1000] {
            let moments = Moments {
                count,
                mean: 0.0,
                std_dev: Some(1.0),
            };
            let t = mean_interval(count, 0.0, 1.0).expect("values").half_width();
            let now = Planned(1000)
                .interval(moments, None)
                .expect("values")
                .half_width();
            assert!(
                (t * Planned(1000).widening(count).expect("values") - now).abs() < 1e-9,
                "{count}"
            );
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
                if count < 50 || count % 10 != 0 {
                    continue;
                }
                let n = count as f64;
                let (mean, variance) = (sum / n, (squares - sum * sum / n) / (n - 1.0));
                let moments = Moments {
                    count,
                    mean,
                    std_dev: Some(variance.sqrt()),
                };
                let t = super::super::mean_interval(count, mean, variance.sqrt()).expect("values");
                wrong[0] |= !t.contains(3.0);
                wrong[1] |= !planned
                    .sequence(moments, None)
                    .expect("values")
                    .contains(3.0);
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
        for planned in [60, 90] {
            let mut wrong = 0;
            for run in 0..RUNS {
                let mut rng = Chance(run << 32);
                let (mut sum, mut squares, mut is_wrong) = (0.0, 0.0, false);
                for count in 1..planned {
                    let value = (0..6).map(|_| rng.unit()).sum::<f64>();
                    (sum, squares) = (sum + value, squares + value * value);
                    let n = count as f64;
                    let std_dev = (1 < count)
                        .then(|| ((squares - sum * sum / n) / (n - 1.0)).max(0.0).sqrt());
                    let sequence = Planned(planned).sequence(
                        Moments {
                            count,
                            mean: sum / n,
                            std_dev,
                        },
                        None,
                    );
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
                        is_wrong[0] |= !planned
                            .share_interval(hits, count)
                            .expect("values")
                            .contains(share);
                        is_wrong[1] |= !wilson(hits, count).expect("values").contains(share);
                    }
                }
                wrong += u64::from(is_wrong[0]);
                wilson_wrong += u64::from(is_wrong[1]);
            }
            assert!(wrong as f64 <= 0.05 * RUNS as f64, "{share}: {wrong}");
            assert!(
                share != 0.5 || RUNS < 4 * wilson_wrong,
                "{share}: Wilson {wilson_wrong}"
            );
        }
    }

    #[test]
    fn the_sequence_of_a_share_is_the_mean_s_where_both_hold() {
        let planned = Planned(10_001);
        let share = planned.share_interval(4000, 10_000).expect("values");
        let moments = Moments {
            count: 10_000,
            mean: 0.4,
            std_dev: Some(0.24_f64.sqrt()),
        };
        let mean = planned.sequence(moments, None).expect("values");
        assert!(
            (share.low - mean.low).abs() < 4e-4 && (share.high - mean.high).abs() < 4e-4,
            "{share:?} {mean:?}"
        );

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
    fn many_scales_cost_little_at_the_planned_end_and_a_rule_ends_at_the_same_value_whatever_the_most_are()
     {
        let alone = U.sqrt();
        for planned in [10, 100, 1000, 31_623, 1_000_000, 10_000_000] {
            let cost = Planned(planned).many_errors(ALPHA, planned) / alone - 1.0;
            assert!((0.0..0.013).contains(&cost), "{planned}: {cost}");
        }
        // Far before the planned end it is narrower than one scale alone would be: that has 22 and 91 standard errors
        // there.
        assert!(
            Planned(1_000_000).many_errors(ALPHA, 10_000) < 4.2
                && Planned(1_000_000).many_errors(ALPHA, 500) < 6.0
        );

        // Without a planned number it is nowhere much wider than with a known end.
        for count in [300, 1000, 3000, 10_000, 100_000, 1_000_000, 10_000_000] {
            let cost = Planned::OPEN.many_errors(ALPHA, count) / alone - 1.0;
            assert!((0.0..0.2).contains(&cost), "{count}: {cost}");
        }
        // ± 4 % of a mean twice the deviation: 1,679 values by the formula with the three scales, with looks a 64th
        // apart.
        assert!((1600..1750).contains(&Planned::OPEN.values_within(4.0, 50.0, 1_000_000)));
        assert_eq!(
            (
                Planned::OPEN.values_within(4.0, 50.0, 900),
                Planned::OPEN.values_within(9.0, 0.0, 900)
            ),
            (900, 50)
        );

        // Newton's steps terminate, and the result solves the equation.
        for (planned, count) in [
            (1, 1),
            (5, 4),
            (1000, 1),
            (u64::MAX - 1, 1),
            (u64::MAX, 2),
            (u64::MAX, u64::MAX - 1),
        ] {
            let errors = Planned(planned).many_errors(ALPHA, count);
            let part = |(weight, rho_squared): (f64, f64)| {
                let t = count as f64 * rho_squared;
                weight / (t + 1.0).sqrt() * (errors * errors / 2.0 * t / (t + 1.0)).exp()
            };
            let sum: f64 = Planned(planned).scales().map(part).iter().sum();
            assert!(
                (sum * ALPHA - 1.0).abs() < 1e-9,
                "{planned} {count}: {errors} {sum}"
            );
        }
    }

    /// The guide (`experiments.md`) and the glossary name these numbers.
    #[test]
    fn looking_at_any_time_costs_2_4_times_as_many_games_and_2_8_to_3_5_times_under_a_rule() {
        for planned in [1000, 10_000, 1_000_000] {
            let wider = Planned(planned).widening(planned - 1).expect("enough");
            assert!(
                (1.555..1.575).contains(&wider) && (2.4..2.5).contains(&(wider * wider)),
                "{planned}: {wider}"
            );
        }
        for count in [500, 1000, 3000, 10_000, 100_000, 1_000_000, 10_000_000] {
            let cost = math::squared(Planned::OPEN.widening(count).expect("enough"));
            assert!((2.75..3.55).contains(&cost), "{count}: {cost}");
        }
    }

    #[test]
    fn the_planned_end_has_the_planned_interval() {
        let scores: ScoreCounts = (0..100_u32).map(|score| 4 * score).collect();
        assert_eq!(Planned(100).mean_interval(&scores), scores.mean_interval());
        assert_eq!(Planned(100).kind(100), IntervalKind::Planned);
        assert_eq!(Planned(100).share_interval(3, 100), wilson(3, 100));
        let [before, after] = [101, 100].map(|planned| {
            Planned(planned)
                .mean_interval(&scores)
                .expect("scores")
                .half_width()
        });
        assert!(
            (1.55..1.7).contains(&(before / after)),
            "{}",
            before / after
        );
        // Few values give no interval, and neither does one wider than the mean.
        let first = |count: u32| (0..count).map(|score| 4 * score).collect::<ScoreCounts>();
        let [few, enough] = [49, 50].map(|count| Planned(1000).mean_interval(&first(count)));
        assert!(
            few.is_none() && enough.is_some_and(|ci95| 0.0 < ci95.low),
            "{enough:?}"
        );
        let wide: ScoreCounts = (0..60)
            .map(|game| if game == 7 { 4000 } else { 4 })
            .collect();
        assert_eq!(Planned(1000).mean_interval(&wide), None);
    }
}

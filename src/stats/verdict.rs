//! A measured number compared with a published one: the interval of the difference, and the verdict that it allows.
//!
//! A number *differs* if p, multiplied by the number of tests as in Holm (1979), is at most 0.05. The null hypothesis
//! is that both sides play alike, so that all scores come from one distribution; every test below is wrong in at most 5
//! of 100 such tables, however few games there are. A number is *compatible* if the whole 95 % interval is within
//! [`MARGIN`] of the published number (for a share: within this many percentage points). Otherwise the games *cannot
//! tell*, and the verdict names the side with too few.
//!
//! # Exact tests
//!
//! **Shares**: Fisher's exact test (1935) of hits and misses of both sides, twice the smaller tail; against an exact
//! number, the binomial test. **Medians**: the same test of the games above and below the published median. By
//! definition half of the published games are on each side of it, so the number of ours beyond it has that distribution
//! whatever the distribution of scores (the precedence test, Nelson 1963); equal scores count for neither side.
//! **Maxima**: the same for the published maximum.
//!
//! # Means and deviations
//!
//! Scores are skewed, and a few games seldom show it: Student's *t* is wrong too often. No test of a mean is valid for
//! every distribution (Bahadur and Savage 1956), so these tests assume bounds on the tails, which the simulations below
//! cover:
//!
//! - **A mean with a published standard deviation**: both sides get the larger of the two deviations, and scores have
//!   at least the skewness [`LEAST_SKEWNESS`], to whichever side is worse. The tail is that of Student's *t*, or of a
//!   gamma distribution (Pearson's type III) with the skewness of the difference of means, whichever is larger.
//! - **A mean without one** gets our deviation, which is weaker, because its error is correlated with that of the mean.
//!   The skewness of *t* is then twice as large with the other sign (Hall 1992). The games may also miss a tail of the
//!   distribution: the chance that *n* games miss games that would move the mean by *d* is at most exp(−*nd*/*r*) if no
//!   game is farther than *r* from the mean. *r* is the mean on the lower side and [`FARTHEST`] means on the upper
//!   side. Fewer than [`LEAST_GAMES`] games of ours cannot tell.
//! - **Standard deviations**: the logarithm of their ratio (Bonett 2006) with our kurtosis, at least
//!   [`LEAST_KURTOSIS`]; and Hoeffding's bound (1963) on a mean of squares between 0 and the square of the mean, for a
//!   tail that the side with the smaller deviation has not shown. Both sides need [`fewest_of_deviations`] games.
//!
//! Intervals of means and deviations contain the differences that these tests do not reject. Those of shares and
//! medians combine the intervals of both sides (Newcombe 1998), and contain 0 if the test does not reject it.
//!
//! Our side may be a run that was stopped early. Then *n* games count as *n*/*w*², where a confidence sequence is *w*
//! times as wide as an interval ([`Planned::widening`](super::Planned::widening)).

use statrs::distribution::{Beta, ContinuousCDF as _};
use statrs::function::gamma::{checked_gamma_ur, ln_gamma};

use super::student::{normal, normal_tail, student_tail};
use super::{Interval, Moments, ScoreCounts, Z95, chance_beyond};
use crate::math;

/// The largest distance of a compatible number from the published one: a tenth of it, for a share ten percentage
/// points.
pub const MARGIN: f64 = 0.1;

/// The minimum skewness assumed for scores: exponential ones have 2, those of games that nearly all end at one tile −5.
const LEAST_SKEWNESS: f64 = 4.0;

/// The same for a mean without a published deviation: there unseen tails are accounted for separately.
const LEAST_SKEWNESS_OF_OURS: f64 = 3.0;

/// The minimum kurtosis assumed for scores: that of exponential ones.
const LEAST_KURTOSIS: f64 = 9.0;

/// The maximum distance of a score above the mean, in means: two doublings of the largest tile.
const FARTHEST: f64 = 3.0;

/// Minimum number of our games from which the spread of both sides is estimated.
pub const LEAST_GAMES: u64 = 50;

/// Minimum number of games on each side for comparing standard deviations.
const LEAST_GAMES_OF_DEVIATIONS: u64 = 100;

/// Below this skewness the first term of Edgeworth's series gives the tail.
const LEAST_LEAN: f64 = 0.02;

/// Beyond this, tails are smaller than any that matter, and underflow.
const MOST_ERRORS: f64 = 37.0;

/// A published number with more games counts as exact.
const ENDLESS: u64 = 1 << 32;

/// A published number of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedNumber {
    pub value: f64,
    /// Number of games.
    pub count: u64,
}

/// A measured number minus a published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// 95 %.
    pub interval: Interval,
    /// The probability of a difference at least this large if both sides were equal.
    pub p: f64,
    /// Half the interval that it would have if the other side were exact: ours, theirs.
    halves: [f64; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Differs,
    Compatible,
    CannotTell(TooFew),
}

/// Why the games cannot tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TooFew {
    Ours,
    Theirs,
    Both,
    /// The publication does not state its number of games.
    Unknown,
    /// A maximum is a single game, however many were played.
    OneGame,
    /// Times of two machines are not comparable.
    OtherMachine,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Differs => "differs",
            Self::Compatible => "compatible",
            Self::CannotTell(_) => "cannot tell",
        }
    }

    /// The verdict on a difference. `p` is corrected for all tests of the table.
    pub fn of(difference: &Difference, p: f64, margin: f64) -> Self {
        let within = |half: f64| half < margin;
        match () {
            () if p <= 0.05 => Self::Differs,
            () if -margin <= difference.interval.low && difference.interval.high <= margin => {
                Self::Compatible
            }
            () => Self::CannotTell(match difference.halves.map(within) {
                [false, false] => TooFew::Both,
                [false, true] => TooFew::Ours,
                [true, false] => TooFew::Theirs,
                [true, true] if difference.halves[1] < difference.halves[0] => TooFew::Ours,
                [true, true] => TooFew::Theirs,
            }),
        }
    }
}

/// Each p corrected for all of them (Holm 1979): the smallest times their number, the next times one less …
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let (mut adjusted, mut least) = (vec![1.0; p.len()], 0.0_f64);
    for (place, &index) in order.iter().enumerate() {
        least = least.max((p[index] * (p.len() - place) as f64).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

impl Difference {
    /// Of two means, for scores with this skewness if it is known. `None` if neither side has a usable spread.
    pub fn of_means(
        ours: Moments,
        skewness: Option<f64>,
        widening: f64,
        theirs: PublishedNumber,
        std_dev: Option<f64>,
    ) -> Option<Self> {
        let skewness = skewness.unwrap_or(0.0).abs();
        let own = ours.std_dev?;
        let (levels, std_dev, least) = match std_dev {
            Some(_) if theirs.count < 2 => return None,
            Some(published) => (None, own.max(published), LEAST_SKEWNESS),
            None if ours.count < LEAST_GAMES || theirs.count < 1 => return None,
            None => (Some([ours.mean, theirs.value]), own, LEAST_SKEWNESS_OF_OURS),
        };

        let of_theirs = if levels.is_some() {
            0
        } else {
            theirs.count - 1
        };
        let test = MeanTest {
            counts: [
                ours.count as f64 / (widening * widening),
                theirs.count as f64,
            ],
            freedom: (ours.count - 1) as f64 + of_theirs as f64,
            std_dev,
            skewness: skewness.max(least),
            levels,
        };

        let alone = |counts: [f64; 2]| {
            let one = MeanTest { counts, ..test };
            largest_kept(|off| one.p(off), one.error())
                .max(largest_kept(|off| one.p(-off), one.error()))
        };
        let value = ours.mean - theirs.value;
        Some(Self {
            value,
            interval: Interval {
                low: value - largest_kept(|off| test.p(off), test.error()),
                high: value + largest_kept(|off| test.p(-off), test.error()),
            },
            p: test.p(value),
            halves: [
                alone([test.counts[0], f64::INFINITY]),
                alone([f64::INFINITY, test.counts[1]]),
            ],
        })
    }

    /// Of two shares. `None` without games.
    pub fn of_shares(
        hits: u64,
        count: u64,
        widening: f64,
        theirs: PublishedNumber,
    ) -> Option<Self> {
        let share = (0 < count).then(|| hits as f64 / count as f64)?;
        let their_hits = theirs.value * theirs.count as f64;
        let p = two_sided(
            [hits, count - hits],
            widening,
            [their_hits, theirs.count as f64 - their_hits],
        );
        let ours = count as f64 / (widening * widening);
        let at = |z: f64| {
            [
                exact_interval(share, ours, z),
                exact_interval(theirs.value, theirs.count as f64, z),
            ]
        };
        Some(Self::hybrid(share, theirs.value, p, at(Z95)))
    }

    /// Of two medians. The published games are assumed to have our distribution around their median. `None` without
    /// games.
    pub fn of_medians(ours: &ScoreCounts, widening: f64, theirs: PublishedNumber) -> Option<Self> {
        let median = ours.median()?;
        let n = ours.count();
        let beyond = |is_beyond: fn(f64, f64) -> bool| -> u64 {
            ours.iter()
                .filter(|&(score, _)| is_beyond(f64::from(score), theirs.value))
                .map(|(_, count)| count)
                .sum()
        };
        let [above, below] = [beyond(|a, b| a > b), beyond(|a, b| a < b)];

        // Half of their games are beyond their median, for an odd number one less.
        let half = (theirs.count / 2) as f64;
        let rest = theirs.count as f64 - half;
        let tails =
            [above, below].map(|count| at_least([count, n - count], widening, [half, rest]));
        let p = (2.0 * tails[0].min(tails[1])).min(1.0);
        let half = Z95 / (2.0 * (theirs.count as f64).sqrt());
        let about = |share: f64| Some(theirs.value + ours.quantile(share)? - median);
        let ends = [
            ours.median_interval(widening)?,
            Interval {
                low: about(0.5 - half)?,
                high: about(0.5 + half)?,
            },
        ];

        Some(Self::hybrid(median, theirs.value, p, ends))
    }

    /// Of two standard deviations, as a difference in points; theirs gets our kurtosis. `None` without a spread, and if
    /// either side has fewer games than [`fewest_of_deviations`].
    pub fn of_deviations(
        ours: &ScoreCounts,
        widening: f64,
        theirs: PublishedNumber,
    ) -> Option<Self> {
        let sd = ours
            .std_dev()
            .filter(|&sd| 0.0 < sd && 0.0 < theirs.value)?;
        if ours.count().min(theirs.count) < fewest_of_deviations(ours) {
            return None;
        }
        let test = DeviationTest {
            counts: [
                ours.count() as f64 / (widening * widening),
                theirs.count as f64,
            ],
            kurtosis: kurtosis(ours)?.max(LEAST_KURTOSIS),
            // The variance in units of the squared mean.
            square: math::powi(sd / ours.mean()?, 2),
        };

        let ratio = math::ln(sd / theirs.value);
        let points = |log: f64| theirs.value * (math::exp(log) - 1.0);
        let farthest =
            |test: &DeviationTest, sign: f64| largest_kept(|off| test.p(sign * off), test.error());
        let alone = |counts: [f64; 2]| {
            let one = DeviationTest { counts, ..test };
            points(farthest(&one, 1.0).max(farthest(&one, -1.0)))
        };

        Some(Self {
            value: sd - theirs.value,
            interval: Interval {
                low: points(ratio - farthest(&test, 1.0)),
                high: points(ratio + farthest(&test, -1.0)),
            },
            p: test.p(ratio),
            halves: [
                alone([test.counts[0], f64::INFINITY]),
                alone([f64::INFINITY, test.counts[1]]),
            ],
        })
    }

    /// Of a maximum: the highest score of as many of our games as theirs, minus theirs. If both play alike, the number
    /// of our games above theirs has a distribution that does not depend on that of scores. `None` without games.
    pub fn of_maxima(ours: &ScoreCounts, theirs: PublishedNumber) -> Option<Self> {
        let n = ours.count();
        let highest = f64::from(ours.max()?);
        // The probability that one more of our games is above their maximum, given that `above` are.
        let step = |above: u64| (n - above) as f64 / (n - above + theirs.count) as f64;
        let at_least = |most: u64| {
            let mut p = 1.0;
            for above in 0..most {
                if p < 1e-12 {
                    return 0.0;
                }
                p *= step(above);
            }
            p
        };

        let from = |score: f64| {
            let beating = ours
                .iter()
                .rev()
                .take_while(|&(own, _)| score <= f64::from(own));
            beating.map(|(_, count)| count).sum::<u64>()
        };

        // Equal scores count for neither side.
        let (above, not_below) = (from(theirs.value + 1.0), from(theirs.value));
        let p = 2.0 * at_least(above).min(1.0 - at_least((not_below + 1).min(n + 1)));
        // The largest number of our games above their maximum whose probability is at least `chance`.
        let most = |chance: f64| {
            let mut p = 1.0;
            (0..n).find(|&above| {
                p *= step(above);
                p < chance
            })
        };
        let from_above = |place: u64| ours.nth(n - 1 - place).map_or(highest, f64::from);
        let low = most(0.025).map_or(0.0, from_above);
        let middle = most(0.5).map_or(0.0, from_above);

        // Above all of ours there is no upper end.
        let high = most(0.975)
            .and_then(|place| place.checked_sub(1))
            .map_or(f64::INFINITY, from_above);
        Some(Self {
            value: middle - theirs.value,
            interval: Interval {
                low: low - theirs.value,
                high: high - theirs.value,
            },
            p: p.min(1.0),
            halves: [f64::INFINITY; 2],
        })
    }

    /// Of two independent numbers, each with its 95 % interval (Zou and Donner 2008). The p-value is that of a normal
    /// number whose interval ends at 0 where this one does.
    pub fn of_estimates((ours, own): (f64, Interval), (theirs, other): (f64, Interval)) -> Self {
        let plain = Self::hybrid(ours, theirs, 0.0, [own, other]);
        let half = if 0.0 < plain.value {
            plain.value - plain.interval.low
        } else {
            plain.interval.high - plain.value
        };
        let off = plain.value.abs();
        let p = if off == 0.0 {
            1.0
        } else if half == 0.0 {
            0.0
        } else {
            chance_beyond(Z95 * off / half)
        };
        Self { p, ..plain }
    }

    /// The difference of two numbers with intervals of their own: the distances of the ends that face the other side,
    /// added in squares. It extends to 0 if the test does not reject it.
    fn hybrid(ours: f64, theirs: f64, p: f64, [own, other]: [Interval; 2]) -> Self {
        let value = ours - theirs;
        let [down, up] = [
            math::hypot(ours - own.low, other.high - theirs),
            math::hypot(own.high - ours, theirs - other.low),
        ];
        let interval = Interval {
            low: value - down,
            high: value + up,
        };
        let interval = if p <= 0.05 {
            interval
        } else {
            interval.with(Interval {
                low: 0.0,
                high: 0.0,
            })
        };
        Self {
            value,
            interval,
            p,
            halves: [own, other].map(|side| side.half_width()),
        }
    }
}

/// Minimum number of games on each side for comparing standard deviations: more for scores with long tails, which a few
/// games may miss entirely.
pub fn fewest_of_deviations(ours: &ScoreCounts) -> u64 {
    let by_kurtosis = kurtosis(ours).map_or(0.0, |kurtosis| (10.0 * kurtosis).ceil());
    LEAST_GAMES_OF_DEVIATIONS.max(by_kurtosis as u64)
}

/// The model for the difference of two means if the games are alike.
#[derive(Clone, Copy)]
struct MeanTest {
    /// Numbers of our and their games. Infinite if a number is exact.
    counts: [f64; 2],
    freedom: f64,
    /// The standard deviation of a score.
    std_dev: f64,
    /// The skewness of scores, in either direction.
    skewness: f64,
    /// Both means, if the deviation is only ours.
    levels: Option<[f64; 2]>,
}

impl MeanTest {
    /// The standard error of the difference.
    fn error(&self) -> f64 {
        let [a, b] = self.counts.map(f64::recip);
        self.std_dev * (a + b).sqrt()
    }

    /// The probability of a difference at least this large.
    fn p(&self, off: f64) -> f64 {
        if off == 0.0 {
            return 1.0;
        }
        let [a, b] = self.counts.map(f64::recip);
        let lean = self.skewness * (a * a - b * b).abs() / math::pow(a + b, 1.5);
        let errors = off.abs() / self.error();
        let Some(levels) = self.levels else {
            return leaning_p(self.freedom, errors, lean);
        };
        // The covariance of the mean and of its estimated variance, in standard units.
        let common = self.skewness * a / (a + b).sqrt();
        let seen = leaning_p(
            self.freedom,
            (errors - common / 2.0).max(0.0),
            lean.max((lean - 3.0 * common).abs()),
        );
        let sides = levels.into_iter().zip(self.counts).zip([off, -off]);
        let unseen = sides.map(|((level, count), off)| {
            let reach = level * if 0.0 < off { 1.0 } else { FARTHEST };
            if 0.0 < reach {
                2.0 * math::exp(-count * off.abs() / reach)
            } else {
                0.0
            }
        });

        unseen.fold(seen, f64::max).min(1.0)
    }
}

/// The model for the difference of the logarithms of two standard deviations if the games are alike.
#[derive(Clone, Copy)]
struct DeviationTest {
    counts: [f64; 2],
    kurtosis: f64,
    /// Our variance in units of the squared mean.
    square: f64,
}

impl DeviationTest {
    fn error(&self) -> f64 {
        let variance = |n: f64| {
            if n.is_finite() {
                (self.kurtosis - (n - 3.0) / n).max(0.0) / (n - 1.0) / 4.0
            } else {
                0.0
            }
        };
        self.counts.map(variance).iter().sum::<f64>().sqrt()
    }

    fn p(&self, off: f64) -> f64 {
        if off == 0.0 {
            return 1.0;
        }
        let seen = 2.0 * normal_tail(off.abs() / self.error());
        // The side with the smaller deviation may have missed a tail.
        let (count, [small, large]) = match off {
            off if 0.0 < off => (
                self.counts[1],
                [self.square * math::exp(-2.0 * off), self.square],
            ),
            off => (
                self.counts[0],
                [self.square, self.square * math::exp(-2.0 * off)],
            ),
        };
        let unseen = if large < 1.0 {
            2.0 * math::exp(-count * divergence(small, large))
        } else {
            0.0
        };
        seen.max(unseen).min(1.0)
    }
}

/// The relative entropy of two probabilities.
fn divergence(a: f64, b: f64) -> f64 {
    a * math::ln(a / b) + (1.0 - a) * math::ln((1.0 - a) / (1.0 - b))
}

/// The two-sided tail probability at this many errors: Student's, or that of a gamma distribution with this skewness if
/// it is larger.
fn leaning_p(freedom: f64, errors: f64, lean: f64) -> f64 {
    let tail = student_tail(freedom, errors.min(f64::MAX));
    let z = if 0.0 < tail {
        normal(tail).clamp(0.0, MOST_ERRORS)
    } else {
        MOST_ERRORS
    };
    let leaning = if lean < LEAST_LEAN {
        tail + lean * (z * z - 1.0).max(0.0) / 6.0 * math::exp(-z * z / 2.0)
            / std::f64::consts::TAU.sqrt()
    } else {
        let shape = 4.0 / (lean * lean);
        checked_gamma_ur(shape, shape + z * shape.sqrt()).unwrap_or(1.0)
    };
    (2.0 * tail.max(leaning)).min(1.0)
}

/// The largest difference that is not rejected at 5 %. The search starts near `step`.
fn largest_kept(p: impl Fn(f64) -> f64, step: f64) -> f64 {
    const REJECTED: f64 = 0.05;
    let mut beyond = step;
    if !(0.0 < step && step.is_finite()) {
        return if step == 0.0 { 0.0 } else { f64::INFINITY };
    }
    while REJECTED < p(beyond) {
        beyond *= 2.0;
        if beyond.is_infinite() {
            return beyond;
        }
    }

    let mut accepted = 0.0;
    for _ in 0..50 {
        let middle = (accepted + beyond) / 2.0;
        *(if REJECTED < p(middle) {
            &mut accepted
        } else {
            &mut beyond
        }) = middle;
    }
    beyond
}

/// Twice the smaller tail of Fisher's test on hits and misses of both sides.
fn two_sided(ours: [u64; 2], widening: f64, theirs: [f64; 2]) -> f64 {
    let more = at_least(ours, widening, theirs);
    let less = at_least([ours[1], ours[0]], widening, [theirs[1], theirs[0]]);
    (2.0 * more.min(less)).min(1.0)
}

/// The probability of at least this many hits among our games, given the total hits of both sides. Games of a widened
/// side count less, rounded towards fewer hits.
fn at_least([hits, misses]: [u64; 2], widening: f64, [their_hits, their_misses]: [f64; 2]) -> f64 {
    let scale = widening * widening;
    let [hits, misses] = [
        (hits as f64 / scale).floor(),
        (misses as f64 / scale).ceil(),
    ];
    if hits == 0.0 {
        return 1.0;
    }
    if ENDLESS as f64 <= their_hits + their_misses {
        let share = their_hits / (their_hits + their_misses);
        // P(X ≥ h) of a binomial number is P(B ≤ share) of a beta number.
        return Beta::new(hits, misses + 1.0).map_or(1.0, |beta| beta.cdf(share.clamp(0.0, 1.0)));
    }

    let [their_hits, their_misses] = [their_hits.round(), their_misses.round()];
    let choose = |n: f64, k: f64| ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    let (ours, theirs, all) = (hits + misses, their_hits + their_misses, hits + their_hits);
    let first =
        math::exp(choose(ours, hits) + choose(theirs, their_hits) - choose(ours + theirs, all));
    // Each probability follows from the previous one. The sum ends when the terms become negligible.
    let (mut term, mut sum, mut hit) = (first, first, hits);
    while hit < ours && hit < all {
        term *= (ours - hit) * (all - hit) / ((hit + 1.0) * (theirs - all + hit + 1.0));
        hit += 1.0;
        sum += term;
        if term < 1e-17 * sum && all * ours < hit * (ours + theirs) {
            break;
        }
    }

    sum.min(1.0)
}

/// The exact interval of a share (Clopper and Pearson 1934), with the tail probabilities of a normal distribution
/// beyond `z`.
fn exact_interval(share: f64, count: f64, z: f64) -> Interval {
    if ENDLESS as f64 <= count {
        return Interval {
            low: share,
            high: share,
        };
    }
    let tail = normal_tail(z);
    let [hits, misses] = [share * count, (1.0 - share) * count];
    let place =
        |a: f64, b: f64, at: f64| Beta::new(a, b).map_or(share, |beta| beta.inverse_cdf(at));
    // Rounding must not exclude the share.
    Interval {
        low: if hits < 1e-9 {
            0.0
        } else {
            place(hits, misses + 1.0, tail).min(share)
        },
        high: if misses < 1e-9 {
            1.0
        } else {
            place(hits + 1.0, misses, 1.0 - tail).max(share)
        },
    }
}

/// The fourth central moment in units of the squared variance: 3 for a normal distribution.
fn kurtosis(scores: &ScoreCounts) -> Option<f64> {
    let (n, mean) = (scores.count() as f64, scores.mean()?);
    let moment = |power: i32| {
        scores
            .iter()
            .map(|(score, count)| count as f64 * math::powi(f64::from(score) - mean, power))
            .sum::<f64>()
            / n
    };
    let variance = moment(2);
    (0.0 < variance).then(|| moment(4) / (variance * variance))
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;

    fn published(value: f64, count: u64) -> PublishedNumber {
        PublishedNumber { value, count }
    }

    fn within(found: Interval, low: f64, high: f64) -> bool {
        (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4
    }

    #[test]
    fn two_estimates_differ_where_the_interval_of_their_difference_excludes_0() {
        let around = |value: f64, half: f64| (value, Interval::around(value, half));
        // Half-widths 3 and 4 add up to 5.
        let one = Difference::of_estimates(around(10.0, 3.0), around(4.0, 4.0));
        assert!(within(one.interval, 1.0, 11.0) && one.p < 0.05, "{one:?}");
        let at = |other: f64| Difference::of_estimates(around(10.0, 3.0), around(other, 4.0)).p;
        assert!((at(5.0) - 0.05).abs() < 1e-9 && 0.05 < at(5.1) && (at(10.0) - 1.0).abs() < 1e-12);
        assert!((at(5.0) - at(15.0)).abs() < 1e-12, "either side");
        // Only the ends that face the other side count, and an exact number has none.
        let skewed = (
            10.0,
            Interval {
                low: 9.0,
                high: 50.0,
            },
        );
        let exact = (
            8.0,
            Interval {
                low: 8.0,
                high: 8.0,
            },
        );
        assert!(within(
            Difference::of_estimates(skewed, exact).interval,
            1.0,
            42.0
        ));
        assert_eq!(
            Difference::of_estimates(
                exact,
                (
                    7.0,
                    Interval {
                        low: 7.0,
                        high: 7.0
                    }
                )
            )
            .p,
            0.0
        );
    }

    #[test]
    fn shares_have_the_tests_and_intervals_of_the_books() {
        // Fisher's tea: 3 of 4 cups against 1 of 4 have a chance of 17 in 70; all 4 against none, of 1 in 70.
        let fisher = |a, n, b: u32, m| {
            Difference::of_shares(a, n, 1.0, published(f64::from(b) / m as f64, m))
                .expect("games")
                .p
        };
        assert!(
            (fisher(3, 4, 1, 4) - 34.0 / 70.0).abs() < 1e-9
                && (fisher(4, 4, 0, 4) - 2.0 / 70.0).abs() < 1e-9
        );
        assert!((fisher(0, 4, 4, 4) - 2.0 / 70.0).abs() < 1e-9);
        assert_eq!((fisher(5, 10, 5, 10), fisher(0, 10, 0, 20)), (1.0, 1.0));
        // 8 of 10 coins: 56 of 1,024. The other sample is so large that it counts as exact.
        let exact = Difference::of_shares(8, 10, 1.0, published(0.5, 1 << 60)).expect("games");
        let many = Difference::of_shares(8, 10, 1.0, published(0.5, 1 << 31)).expect("games");
        assert!(
            (exact.p - 112.0 / 1024.0).abs() < 1e-9 && (many.p - exact.p).abs() < 1e-5,
            "{exact:?} {many:?}"
        );

        // Clopper and Pearson of 7 of 10, as R's binom.test has it.
        let interval = exact_interval(0.7, 10.0, Z95);
        assert!(within(interval, 0.347_55, 0.933_26), "{interval:?}");
        for (a, n, b, m) in [
            (56, 70, 48_u32, 80_u64),
            (9, 10, 3, 10),
            (6, 7, 2, 7),
            (5, 56, 0, 29),
            (0, 10, 0, 20),
        ] {
            let difference =
                Difference::of_shares(a, n, 1.0, published(f64::from(b) / m as f64, m))
                    .expect("games");
            assert!(
                difference.p <= 0.05 || difference.interval.contains(0.0),
                "{difference:?}"
            );
        }
    }

    #[test]
    fn no_share_is_told_apart_from_itself_too_often() {
        // All outcomes of both sides, each with its probability.
        for (n, m) in [(5_u64, 5_u64), (20, 5), (5, 40), (20, 20), (30, 100)] {
            for share in [0.01_f64, 0.2, 0.5, 0.95] {
                let chance = |n: u64, hits: u64| {
                    let choose: f64 = (0..hits).map(|i| (n - i) as f64 / (i + 1) as f64).product();
                    choose * share.powi(hits as i32) * (1.0 - share).powi((n - hits) as i32)
                };
                let mut wrong = [0.0; 2];
                for (ours, theirs) in (0..=n).flat_map(|a| (0..=m).map(move |b| (a, b))) {
                    let p = two_sided([ours, n - ours], 1.0, [theirs as f64, (m - theirs) as f64]);
                    let chance = chance(n, ours) * chance(m, theirs);
                    wrong[0] += if p <= 0.05 { chance } else { 0.0 };
                    wrong[1] += if p <= 0.002 { chance } else { 0.0 };
                }
                assert!(
                    wrong[0] <= 0.05 && wrong[1] <= 0.002,
                    "{n} {m} {share}: {wrong:?}"
                );
            }
        }
    }

    #[test]
    fn means_match_student_where_nothing_leans() {
        // With the same number of games on both sides, the difference has no skewness. The larger deviation counts.
        let ours = Moments {
            count: 10,
            mean: 10.0,
            std_dev: Some(2.0),
        };
        let compare = |ours, theirs, sd| Difference::of_means(ours, None, 1.0, theirs, sd);
        let even = compare(ours, published(12.0, 10), Some(5.0)).expect("games");
        let half = super::super::student_t_975(18.0) * 5.0 * 0.2_f64.sqrt();
        assert!(
            within(even.interval, -2.0 - half, -2.0 + half),
            "{even:?} {half}"
        );

        // With many games there is no skewness, published deviation or not; with few there is.
        let many = Moments {
            count: 1_000_000,
            ..ours
        };
        let half = Z95 * 2.0 / 1000.0;
        let width = |sd, count| {
            compare(Moments { count, ..many }, published(10.0, 1 << 60), sd)
                .expect("games")
                .interval
                .half_width()
        };
        for (sd, few) in [(Some(2.0), 1.05..1.3), (None, 1.5..2.5)] {
            assert!(
                (1.0..1.01).contains(&(width(sd, 1_000_000) / half)),
                "{sd:?}"
            );
            assert!(
                few.contains(&(width(sd, 100) / (100.0 * half))),
                "{sd:?}: {}",
                width(sd, 100)
            );
        }
        assert!(
            compare(ours, published(12.0, 1), Some(5.0)).is_none()
                && compare(ours, published(12.0, 900), None).is_none()
        );
        assert!(
            compare(
                Moments {
                    count: 1,
                    std_dev: None,
                    ..ours
                },
                published(1.0, 9),
                Some(1.0)
            )
            .is_none()
        );
        let exact = Moments {
            count: 10,
            mean: 4.0,
            std_dev: Some(0.0),
        };
        let difference = compare(exact, published(4.0, 10), Some(0.0)).expect("games");
        assert_eq!(
            (difference.p, difference.interval),
            (
                1.0,
                Interval {
                    low: 0.0,
                    high: 0.0
                }
            )
        );

        // p follows from the interval.
        for mean in [8.0, 9.0, 9.4, 10.6, 11.0, 14.0] {
            for sd in [Some(2.0), None] {
                let ours = Moments { count: 60, ..ours };
                let difference =
                    Difference::of_means(ours, Some(1.0), 1.2, published(mean, 30), sd)
                        .expect("games");
                assert_eq!(
                    difference.p <= 0.05,
                    !difference.interval.contains(0.0),
                    "{mean} {sd:?}: {difference:?}"
                );
            }
        }
    }

    #[test]
    fn the_word_follows_from_the_interval() {
        let word = |count, mean, theirs: PublishedNumber| {
            let ours = Moments {
                count,
                mean,
                std_dev: Some(500.0),
            };
            let difference =
                Difference::of_means(ours, None, 1.0, theirs, Some(500.0)).expect("games");
            Verdict::of(&difference, difference.p, MARGIN * theirs.value)
        };
        let theirs = published(1000.0, 1000);
        assert_eq!(word(1000, 1010.0, theirs), Verdict::Compatible);
        assert_eq!(word(1000, 1100.0, theirs), Verdict::Differs);
        assert_eq!(word(50, 1000.0, theirs), Verdict::CannotTell(TooFew::Ours));
        assert_eq!(
            word(100_000, 1000.0, published(1000.0, 3)),
            Verdict::CannotTell(TooFew::Theirs)
        );
        assert_eq!(
            word(50, 1000.0, published(1000.0, 30)),
            Verdict::CannotTell(TooFew::Both)
        );
        // However few they are, 49 standard errors are a difference.
        assert_eq!(word(20, 7000.0, theirs), Verdict::Differs);

        // 3 of 5 are consistent with anything from 25 to 85 %.
        for hits in [250, 600, 850] {
            let difference =
                Difference::of_shares(hits, 1000, 1.0, published(0.6, 5)).expect("games");
            assert_eq!(
                Verdict::of(&difference, difference.p, MARGIN),
                Verdict::CannotTell(TooFew::Theirs),
                "{hits}"
            );
        }

        // A stopped run is less certain than the same games of a run that was planned to end there.
        let stretched =
            Difference::of_shares(600, 1000, 1.55, published(0.6, 1000)).expect("games");
        let plain = Difference::of_shares(600, 1000, 1.0, published(0.6, 1000)).expect("games");
        assert!(plain.interval.half_width() * 1.2 < stretched.interval.half_width());
    }

    #[test]
    fn holm_counts_the_smallest_by_all() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(
            adjusted
                .iter()
                .zip(expected)
                .all(|(a, b)| (a - b).abs() < 1e-12),
            "{adjusted:?}"
        );
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_maximum_beaten_by_none_or_many_is_judged_by_their_number() {
        let ours: ScoreCounts = (1..=1000_u32).map(|score| 4 * score).collect();
        let p = |value: f64, count| {
            Difference::of_maxima(&ours, published(value, count))
                .expect("games")
                .p
        };
        // With the same number of games: none above their maximum is as likely as not; 20 above it have a probability
        // of about 2⁻²⁰.
        assert_eq!(p(5000.0, 1000), 1.0);
        assert!(
            (p(4000.0 - 80.0, 1000) / 2.0 - 0.5_f64.powi(20)).abs() < 2e-7,
            "{}",
            p(3920.0, 1000)
        );
        // Ten games against a thousand: the probability of one above all of ours is 10 of 1,010.
        assert!(
            (p(5000.0, 10) - 20.0 / 1010.0).abs() < 1e-12,
            "{}",
            p(5000.0, 10)
        );
        let difference = Difference::of_maxima(&ours, published(3750.0, 10)).expect("games");
        // The quantiles of the best of ten uniform games: 0.025^(1/10) = 0.69, 0.5^(1/10) = 0.93, 0.975^(1/10) = 0.997.
        let [low, middle, high] = [
            difference.interval.low,
            difference.value,
            difference.interval.high,
        ]
        .map(|value| (value + 3750.0) / 4000.0);
        assert!(
            (low - 0.69).abs() < 0.01
                && (middle - 0.933).abs() < 0.005
                && (high - 0.997).abs() < 0.003,
            "{difference:?}"
        );
        assert!(
            Difference::of_maxima(&ours, published(9.0, 1000))
                .expect("games")
                .interval
                .high
                .is_infinite()
        );
    }

    /// Scores like those of games: skewed, multiples of 4.
    fn sample(rng: &mut Chance, count: u64, score: fn(&mut Chance) -> f64) -> ScoreCounts {
        (0..count)
            .map(|_| 4 * (score(rng).max(0.0) / 4.0) as u32)
            .collect()
    }

    fn gamma(rng: &mut Chance) -> f64 {
        -1000.0 * (rng.unit() * rng.unit() * rng.unit()).ln()
    }

    /// Games that nearly all end at one tile: a long lower tail.
    fn strong(rng: &mut Chance) -> f64 {
        let level = [74_000.0, 54_000.0, 14_000.0]
            [usize::from(0.93 < rng.unit()) + usize::from(0.98 < rng.unit())];
        level + 1600.0 * rng.normals()[0]
    }

    type Shape = (&'static str, fn(&mut Chance) -> f64);

    const SHAPES: [Shape; 4] = [
        ("gamma", gamma),
        ("exponential", |rng| -2000.0 * rng.unit().ln()),
        ("log-normal", |rng| {
            3000.0 * (0.502_5 * rng.normals()[0]).exp()
        }),
        ("strong", strong),
    ];

    /// Every number that a publication may report, tested against another sample. `None` if the games cannot tell. The
    /// share is that of games above 60 % of the distribution.
    fn tests(
        ours: &ScoreCounts,
        theirs: &ScoreCounts,
        count: u64,
        at: f64,
    ) -> [Option<Difference>; 6] {
        let published_as = |value: Option<f64>| published(value.expect("scores"), count);
        let moments = ours.moments().expect("scores");
        let means = |sd| {
            Difference::of_means(
                moments,
                ours.skewness(),
                1.0,
                published_as(theirs.mean()),
                sd,
            )
        };
        let from = |scores: &ScoreCounts| scores.count_in(&(at as u32..=u32::MAX));
        let share = published(from(theirs) as f64 / theirs.count() as f64, count);
        [
            means(theirs.std_dev()),
            means(None),
            Difference::of_deviations(ours, 1.0, published_as(theirs.std_dev())),
            Difference::of_medians(ours, 1.0, published_as(theirs.median())),
            Difference::of_shares(from(ours), ours.count(), 1.0, share),
            // An exact distribution has no maximum.
            Difference::of_maxima(ours, published_as(theirs.max().map(f64::from)))
                .filter(|_| count < ENDLESS),
        ]
    }

    const NAMES: [&str; 6] = ["mean", "mean without SD", "SD", "median", "share", "max"];

    /// How often numbers of identical strategies differ, and those of strategies that score a factor more; at p ≤ 0.05
    /// and at p ≤ 0.01.
    fn alarms(
        (name, score): (&str, fn(&mut Chance) -> f64),
        [n, m]: [u64; 2],
        runs: u64,
        factor: f64,
    ) -> [[u64; 2]; 6] {
        let large = sample(&mut Chance(name.len() as u64), 100_000, score);
        let at = large.quantile(0.6).expect("scores");
        let mut alarms = [[0; 2]; 6];
        for run in 0..runs {
            let rng = &mut Chance(run << 32);
            let scaled = |rng: &mut Chance, n: u64| -> ScoreCounts {
                (0..n)
                    .map(|_| (factor * score(rng).max(0.0)) as u32 / 4 * 4)
                    .collect()
            };
            let ours = if factor == 1.0 {
                sample(rng, n, score)
            } else {
                scaled(rng, n)
            };
            let few = (m < ENDLESS).then(|| sample(rng, m, score));
            for (alarms, test) in
                alarms
                    .iter_mut()
                    .zip(tests(&ours, few.as_ref().unwrap_or(&large), m, at))
            {
                alarms[0] += u64::from(test.is_some_and(|test| test.p <= 0.05));
                alarms[1] += u64::from(test.is_some_and(|test| test.p <= 0.01));
            }
        }

        alarms
    }

    const EXACT: u64 = 1 << 60;

    #[test]
    fn equal_games_differ_in_one_of_twenty_tests_at_most_however_few_they_are() {
        const RUNS: u64 = 120;
        for counts in [
            [5, EXACT],
            [20, EXACT],
            [100, EXACT],
            [20, 5],
            [200, 5],
            [60, 100],
        ] {
            for shape in SHAPES {
                for (name, alarms) in NAMES.iter().zip(alarms(shape, counts, RUNS, 1.0)) {
                    // 5 % of 120 are 6, plus two and a half standard deviations 12; 1 % is 1.2, and 4.
                    assert!(
                        alarms[0] <= 12 && alarms[1] <= 4,
                        "{name} of {} {counts:?}: {alarms:?}",
                        shape.0
                    );
                }
            }
        }
    }

    #[test]
    fn a_run_that_may_stop_at_any_look_seldom_differs_at_any() {
        const RUNS: u64 = 100;
        let planned = super::super::Planned(1000);
        let large = sample(&mut Chance(3), 100_000, gamma);
        let cuts = [0.5, 0.97].map(|share| large.quantile(share).expect("scores") as u32);
        let mut alarms = [0; 4];
        for run in 0..RUNS {
            let (rng, mut seen, mut ever) =
                (&mut Chance(run << 32), ScoreCounts::EMPTY, [false; 4]);
            while seen.count() < 900 {
                seen.merge(&sample(rng, 50, gamma));
                let Some(widening) = planned.widening(seen.count()) else {
                    continue;
                };
                let moments = seen.moments().expect("scores");
                let published_as = |value: Option<f64>| published(value.expect("scores"), EXACT);
                let share = |from: u32| {
                    let hits = |scores: &ScoreCounts| scores.count_in(&(from..=u32::MAX));
                    let theirs = published(hits(&large) as f64 / large.count() as f64, EXACT);
                    Difference::of_shares(hits(&seen), seen.count(), widening, theirs)
                };
                let tests = [
                    Difference::of_means(
                        moments,
                        seen.skewness(),
                        widening,
                        published_as(large.mean()),
                        large.std_dev(),
                    ),
                    Difference::of_medians(&seen, widening, published_as(large.median())),
                    share(cuts[0]),
                    share(cuts[1]),
                ];
                for (ever, test) in ever.iter_mut().zip(tests) {
                    *ever |= test.expect("scores").p <= 0.05;
                }
            }
            alarms
                .iter_mut()
                .zip(ever)
                .for_each(|(alarms, ever)| *alarms += u64::from(ever));
        }

        // 5 % of 100, plus two standard deviations.
        assert!(
            alarms.iter().all(|&alarms| alarms <= 9),
            "mean, median, half, 3 %: {alarms:?}"
        );
    }

    #[test]
    fn unequal_games_differ_with_two_hundred() {
        let found = alarms(SHAPES[0], [200, 1000], 40, 1.3);
        // A third more, half a standard deviation: means and medians detect it nearly always, deviations mostly.
        let least = [36, 36, 24, 36];
        assert!(
            found
                .iter()
                .zip(least)
                .all(|(found, least)| least <= found[0]),
            "{found:?}"
        );
    }

    #[test]
    #[ignore = "minutes"]
    fn alarms_at_length() {
        for counts in [
            [5, EXACT],
            [20, EXACT],
            [50, EXACT],
            [100, EXACT],
            [200, EXACT],
            [1000, EXACT],
        ]
        .into_iter()
        .chain([
            [20, 5],
            [200, 5],
            [1000, 5],
            [20, 20],
            [60, 20],
            [200, 100],
            [20, 1000],
            [100, 1000],
            [1000, 1000],
        ]) {
            for (name, shape) in SHAPES {
                for factor in [1.0, 1.1, 1.2] {
                    let percent =
                        |[a, b]: [u64; 2]| format!("{:.1}/{:.1}", a as f64 / 20.0, b as f64 / 20.0);
                    let found = alarms((name, shape), counts, 2000, factor).map(percent);
                    println!(
                        "{counts:?} {name} times {factor}: {:?}",
                        NAMES.iter().zip(found).collect::<Vec<_>>()
                    );
                }
            }
        }
    }

    #[test]
    fn intervals_of_means_and_deviations_hold_the_truth() {
        const RUNS: u64 = 250;
        let truth =
            [3000.0 - 2.0, 3000.0 / 3.0_f64.sqrt()].map(|value| published(value, 1_000_000_000));
        let mut covered = [0; 2];
        for run in 0..RUNS {
            let ours = sample(&mut Chance(run << 32), 200, gamma);
            let (moments, skewness) = (ours.moments().expect("scores"), ours.skewness());
            let mean = Difference::of_means(moments, skewness, 1.0, truth[0], Some(truth[1].value))
                .expect("scores");
            let sd = Difference::of_deviations(&ours, 1.0, truth[1]).expect("scores");
            for (covered, difference) in covered.iter_mut().zip([mean, sd]) {
                *covered += u64::from(difference.interval.contains(0.0));
            }
        }
        assert!(
            covered.iter().all(|&covered| 94 * RUNS <= 100 * covered),
            "{covered:?}"
        );
    }
}

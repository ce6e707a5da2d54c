//! A measured number beside a published one: the interval of the difference, and what it allows to say.
//!
//! Both sides are samples, and the interval has the uncertainty of both. Means: Welch (1947). Shares: the hybrid of two
//! Wilson intervals (Newcombe 1998, method 10). Medians: the same hybrid of two intervals of order statistics. Standard
//! deviations: the logarithm of their ratio, with the kurtosis of the scores instead of that of a normal distribution
//! (Bonett 2006). Maxima: how many of our games beat theirs, which has an exact distribution if both are alike. What a
//! publication leaves out (its standard deviation, the shape of its scores) is taken from ours.
//!
//! A number *differs* where chance alone would hardly do that: p, times the number of tests as Holm (1979) counts them, is at
//! most 0.05. It is *compatible* where the whole interval of 95 % is within [`MARGIN`] of the published number (of a share:
//! within so many percentage points). Else the games *cannot tell*, and the side that is too small is named.
//!
//! Ours may be a run that was stopped: then the games do not all count, and our side is as much wider as a confidence sequence
//! is ([`Planned::widening`](super::Planned::widening)).

use super::student::{normal_tail, student_tail};
use super::{Interval, Moments, ScoreCounts, Z95, student_t_975};
use crate::math;

/// How far a compatible number may be from the published one: a tenth of it, of a share ten percentage points.
pub const MARGIN: f64 = 0.1;

/// What was published of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    pub value: f64,
    /// Number of games.
    pub count: u64,
}

/// A measured number less a published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    pub value: f64,
    /// 95 %.
    pub interval: Interval,
    /// The chance to be so far off or farther if there were no difference.
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

/// Why games cannot tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TooFew {
    Ours,
    Theirs,
    Both,
    /// The publication does not say how many games it played.
    Unknown,
    /// A maximum is a single game, however many were played.
    OneGame,
    /// Times of two machines say nothing of each other.
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

    /// What a difference allows to say: `p` is that of all tests of the table together.
    pub fn of(difference: &Difference, p: f64, margin: f64) -> Self {
        let within = |half: f64| half < margin;
        match () {
            () if p <= 0.05 => Self::Differs,
            () if -margin <= difference.interval.low && difference.interval.high <= margin => Self::Compatible,
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

/// Each p as it counts among all of them (Holm 1979): the smallest times their number, the next times one less …
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
    /// Of two means. A publication without a standard deviation has ours. `None` where neither side has a spread that counts.
    pub fn of_means(ours: Moments, widening: f64, theirs: Told, std_dev: Option<f64>) -> Option<Self> {
        let (n, m) = (ours.count as f64, theirs.count as f64);
        let our_variance = math::squared(ours.std_dev?) / n * widening * widening;
        let (their_variance, their_freedom) = match std_dev {
            Some(_) if theirs.count < 2 => return None,
            Some(sd) => (sd * sd / m, m - 1.0),
            // It is our spread: nothing of theirs was estimated.
            None => (math::squared(ours.std_dev?) / m, n - 1.0),
        };
        let variance = our_variance + their_variance;
        let freedom = match std_dev {
            Some(_) => {
                let parts = math::squared(our_variance) / (n - 1.0) + math::squared(their_variance) / their_freedom;
                if 0.0 < parts { variance * variance / parts } else { n }
            }
            None => n - 1.0,
        };
        let value = ours.mean - theirs.value;
        let t = student_t_975(freedom);
        let half = t * variance.sqrt();
        let p = match value.abs() / variance.sqrt() {
            errors if errors.is_nan() => 1.0,
            errors => 2.0 * student_tail(freedom, errors),
        };
        let halves = [our_variance, their_variance].map(|variance| t * variance.sqrt());
        Some(Self { value, interval: Interval { low: value - half, high: value + half }, p, halves })
    }

    /// Of two shares; `None` without a game.
    pub fn of_shares(hits: u64, count: u64, widening: f64, theirs: Told) -> Option<Self> {
        let share = (0 < count).then(|| hits as f64 / count as f64)?;
        let at = |z: f64| [score_interval(share, count, z * widening), score_interval(theirs.value, theirs.count, z)];
        Some(Self::hybrid(share, theirs.value, at))
    }

    /// Of two medians; of theirs the games are taken to lie about it as ours do about ours. `None` without a game.
    pub fn of_medians(ours: &ScoreCounts, widening: f64, theirs: Told) -> Option<Self> {
        let median = ours.median()?;
        let n = ours.count();
        let ours_at = |z: f64| {
            // The places of the order statistics, from 0, with a chance of z about the middle.
            let half = z * widening * (n as f64).sqrt() / 2.0;
            let low = (n as f64 / 2.0 - half).floor().max(0.0) as u64;
            let high = ((n as f64 / 2.0 + half).ceil() as u64).min(n - 1);
            Some(Interval { low: f64::from(ours.nth(low.min(n - 1))?), high: f64::from(ours.nth(high)?) })
        };
        let theirs_at = |z: f64| {
            let half = z / (2.0 * (theirs.count as f64).sqrt());
            let about = |share: f64| Some(theirs.value + ours.quantile(share)? - median);
            Some(Interval { low: about(0.5 - half)?, high: about(0.5 + half)? })
        };
        let none = |value: f64| Interval { low: value, high: value };
        let at = |z: f64| [ours_at(z).unwrap_or(none(median)), theirs_at(z).unwrap_or(none(theirs.value))];
        Some(Self::hybrid(median, theirs.value, at))
    }

    /// Of two standard deviations, as a difference in points; theirs has our kurtosis. `None` without a spread, and below four
    /// games on a side, of which four moments say nothing.
    pub fn of_deviations(ours: &ScoreCounts, widening: f64, theirs: Told) -> Option<Self> {
        let sd = ours.std_dev().filter(|&sd| 0.0 < sd && 0.0 < theirs.value)?;
        if ours.count() < 5 || theirs.count < 5 {
            return None;
        }
        let kurtosis = kurtosis(ours)?;
        let variance = |count: u64| {
            let n = count as f64;
            (kurtosis - (n - 3.0) / n).max(0.0) / (n - 1.0) / 4.0
        };
        let [ours_var, theirs_var] = [variance(ours.count()) * widening * widening, variance(theirs.count)];
        let ratio = math::ln(sd / theirs.value);
        let points = |log: f64| theirs.value * (math::exp(log) - 1.0);
        let half = |variance: f64| Z95 * variance.sqrt();
        let both = half(ours_var + theirs_var);
        let p = match ratio.abs() / (ours_var + theirs_var).sqrt() {
            errors if errors.is_nan() => 1.0,
            errors => 2.0 * normal_tail(errors),
        };
        Some(Self {
            value: sd - theirs.value,
            interval: Interval { low: points(ratio - both), high: points(ratio + both) },
            p,
            halves: [ours_var, theirs_var].map(|variance| points(half(variance))),
        })
    }

    /// Of a maximum: what the highest of so many of our games would be, less theirs. If both play alike, the number of our games
    /// above theirs has a distribution that does not depend on how scores lie. `None` without a game.
    pub fn of_maxima(ours: &ScoreCounts, theirs: Told) -> Option<Self> {
        let n = ours.count();
        let highest = f64::from(ours.max()?);
        // The chance that one more of our games lies above their maximum when so many do.
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
            let beating = ours.iter().rev().take_while(|&(own, _)| score <= f64::from(own));
            beating.map(|(_, count)| count).sum::<u64>()
        };
        // Equal scores count for neither side.
        let (above, not_below) = (from(theirs.value + 1.0), from(theirs.value));
        let p = 2.0 * at_least(above).min(1.0 - at_least((not_below + 1).min(n + 1)));
        // How many of our games lie above their maximum, at most with this chance.
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
        // Above all of ours there is no end.
        let high = most(0.975).and_then(|place| place.checked_sub(1)).map_or(f64::INFINITY, from_above);
        Some(Self {
            value: middle - theirs.value,
            interval: Interval { low: low - theirs.value, high: high - theirs.value },
            p: p.min(1.0),
            halves: [f64::INFINITY; 2],
        })
    }

    /// The difference of two numbers that have intervals of their own at each width: the distances of the ends that lie towards
    /// the other side, added as squares.
    fn hybrid(ours: f64, theirs: f64, at: impl Fn(f64) -> [Interval; 2]) -> Self {
        let value = ours - theirs;
        let of = |z: f64| {
            let [own, other] = at(z);
            let [down, up] =
                [math::hypot(ours - own.low, other.high - theirs), math::hypot(own.high - ours, theirs - other.low)];
            Interval { low: value - down, high: value + up }
        };
        // The widest interval that leaves no difference out.
        let (mut within, mut beyond) = (0.0, 38.0);
        for _ in 0..40 {
            let middle = (within + beyond) / 2.0;
            *(if of(middle).contains(0.0) { &mut beyond } else { &mut within }) = middle;
        }
        let p = if value == 0.0 { 1.0 } else { 2.0 * normal_tail(within) };
        Self { value, interval: of(Z95), p, halves: at(Z95).map(|side| side.half_width()) }
    }
}

/// Wilson's interval of a share at any width.
fn score_interval(share: f64, count: u64, z: f64) -> Interval {
    let n = count as f64;
    let z2 = z * z;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding must not leave the share out.
    Interval { low: (centre - half).clamp(0.0, share), high: (centre + half).clamp(share, 1.0) }
}

/// The fourth moment about the mean in squares of the variance: 3 of a normal distribution.
fn kurtosis(scores: &ScoreCounts) -> Option<f64> {
    let (n, mean) = (scores.count() as f64, scores.mean()?);
    let moment = |power: i32| {
        scores.iter().map(|(score, count)| count as f64 * math::powi(f64::from(score) - mean, power)).sum::<f64>() / n
    };
    let variance = moment(2);
    (0.0 < variance).then(|| moment(4) / (variance * variance))
}

#[cfg(test)]
mod tests {
    use super::super::chance::Chance;
    use super::*;

    fn told(value: f64, count: u64) -> Told {
        Told { value, count }
    }

    fn within(found: Interval, low: f64, high: f64) -> bool {
        (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4
    }

    #[test]
    fn shares_match_newcombe_s_table() {
        // Newcombe 1998, table II, method 10.
        for (a, n, b, m, low, high) in [
            (56, 70, 48, 80, 0.0524, 0.3339),
            (9, 10, 3, 10, 0.1705, 0.8090),
            (6, 7, 2, 7, 0.0582, 0.8062),
            (5, 56, 0, 29, -0.0381, 0.1926),
            (0, 10, 0, 20, -0.1611, 0.2775),
            (10, 10, 0, 20, 0.6791, 1.0),
        ] {
            let theirs = told(f64::from(b) / f64::from(m), m as u64);
            let of = Difference::of_shares(a, n, 1.0, theirs).expect("games");
            assert!(within(of.interval, low, high), "{a}/{n} {b}/{m}: {of:?}");
            assert_eq!(of.p < 0.05, !of.interval.contains(0.0), "p follows from the interval: {of:?}");
        }
    }

    #[test]
    fn means_match_welch() {
        // 10 values of mean 10 and deviation 2 against 15 of 12 and 5: 19.76 degrees, t 2.0876, standard error 1.4376.
        let ours = Moments { count: 10, mean: 10.0, std_dev: Some(2.0) };
        let of = Difference::of_means(ours, 1.0, told(12.0, 15), Some(5.0)).expect("games");
        assert!(within(of.interval, -5.0011, 1.0011), "{of:?}");
        // Without a published deviation, ours: the pooled test of equal variances with n − 1 degrees.
        let of = Difference::of_means(ours, 1.0, told(12.0, 15), None).expect("games");
        assert!((of.interval.half_width() - 2.262_157 * 2.0 * (0.1_f64 + 1.0 / 15.0).sqrt()).abs() < 1e-4);
        let none = |ours, theirs, sd| Difference::of_means(ours, 1.0, theirs, sd).is_none();
        assert!(
            none(ours, told(12.0, 1), Some(5.0))
                && none(Moments { count: 1, std_dev: None, ..ours }, told(1.0, 9), None)
        );
        let exact = Moments { count: 10, mean: 4.0, std_dev: Some(0.0) };
        let of = Difference::of_means(exact, 1.0, told(4.0, 10), Some(0.0)).expect("games");
        assert_eq!((of.p, of.interval), (1.0, Interval { low: 0.0, high: 0.0 }));
    }

    #[test]
    fn the_word_follows_from_the_interval() {
        let word = |count, mean, theirs: Told| {
            let ours = Moments { count, mean, std_dev: Some(500.0) };
            let of = Difference::of_means(ours, 1.0, theirs, Some(500.0)).expect("games");
            Verdict::of(&of, of.p, MARGIN * theirs.value)
        };
        let theirs = told(1000.0, 1000);
        assert_eq!(word(1000, 1010.0, theirs), Verdict::Compatible);
        assert_eq!(word(1000, 1100.0, theirs), Verdict::Differs);
        assert_eq!(word(50, 1000.0, theirs), Verdict::CannotTell(TooFew::Ours));
        assert_eq!(word(100_000, 1000.0, told(1000.0, 3)), Verdict::CannotTell(TooFew::Theirs));
        assert_eq!(word(50, 1000.0, told(1000.0, 30)), Verdict::CannotTell(TooFew::Both));
        // However few they are: 49 standard errors are a difference.
        assert_eq!(word(20, 7000.0, theirs), Verdict::Differs);
        // 3 of 5 go with anything from 25 to 85 %.
        for hits in [250, 600, 850] {
            let of = Difference::of_shares(hits, 1000, 1.0, told(0.6, 5)).expect("games");
            assert_eq!(Verdict::of(&of, of.p, MARGIN), Verdict::CannotTell(TooFew::Theirs), "{hits}");
        }
        // A stopped run says less than the same games of one that was planned to end there.
        let stretched = Difference::of_shares(600, 1000, 1.55, told(0.6, 1000)).expect("games");
        let plain = Difference::of_shares(600, 1000, 1.0, told(0.6, 1000)).expect("games");
        assert!(plain.interval.half_width() * 1.2 < stretched.interval.half_width());
    }

    #[test]
    fn holm_counts_the_smallest_by_all() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        let known = [0.03, 0.06, 0.06, 0.02];
        assert!(adjusted.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-12), "{adjusted:?}");
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_maximum_beaten_by_none_or_many_is_judged_by_their_number() {
        let ours: ScoreCounts = (1..=1000_u32).map(|score| 4 * score).collect();
        let p = |value: f64, count| Difference::of_maxima(&ours, told(value, count)).expect("games").p;
        // As many games: none above theirs is as likely as not; 20 above it have a chance of some 2⁻²⁰.
        assert_eq!(p(5000.0, 1000), 1.0);
        assert!((p(4000.0 - 80.0, 1000) / 2.0 - 0.5_f64.powi(20)).abs() < 2e-7, "{}", p(3920.0, 1000));
        // Ten games against a thousand: one above all of ours has a chance of 10 of 1,010.
        assert!((p(5000.0, 10) - 20.0 / 1010.0).abs() < 1e-12, "{}", p(5000.0, 10));
        let of = Difference::of_maxima(&ours, told(3750.0, 10)).expect("games");
        // The quantiles of the best of ten uniform games: 0.025^(1/10) = 0.69, 0.5^(1/10) = 0.93, 0.975^(1/10) = 0.997.
        let [low, middle, high] = [of.interval.low, of.value, of.interval.high].map(|value| (value + 3750.0) / 4000.0);
        assert!((low - 0.69).abs() < 0.01 && (middle - 0.933).abs() < 0.005 && (high - 0.997).abs() < 0.003, "{of:?}");
        assert!(Difference::of_maxima(&ours, told(9.0, 1000)).expect("games").interval.high.is_infinite());
    }

    /// Scores as games have them: skewed, multiples of 4.
    fn sample(rng: &mut Chance, count: u64) -> ScoreCounts {
        (0..count).map(|_| 4 * (-250.0 * (rng.unit() * rng.unit() * rng.unit()).ln()) as u32).collect()
    }

    #[test]
    fn equal_strategies_differ_in_one_of_twenty_tests_at_most() {
        const RUNS: u64 = 250;
        let mut alarms = [0; 4];
        // A far too large sample has the true numbers.
        let truth = [3000.0 - 2.0, 3000.0 / 3.0_f64.sqrt()];
        let mut covered = [0; 2];
        for run in 0..RUNS {
            let rng = &mut Chance(run << 32);
            let (ours, theirs) = (sample(rng, 200), sample(rng, 100));
            let of = |value: Option<f64>| told(value.expect("scores"), theirs.count());
            let tests = [
                Difference::of_means(ours.moments().expect("scores"), 1.0, of(theirs.mean()), theirs.std_dev()),
                Difference::of_deviations(&ours, 1.0, of(theirs.std_dev())),
                Difference::of_medians(&ours, 1.0, of(theirs.median())),
                Difference::of_maxima(&ours, of(theirs.max().map(f64::from))),
            ];
            for (alarms, test) in alarms.iter_mut().zip(tests) {
                *alarms += u64::from(test.expect("scores").p < 0.05);
            }
            let [mean, sd] = truth.map(|value| told(value, 1_000_000_000));
            let mean =
                Difference::of_means(ours.moments().expect("scores"), 1.0, mean, Some(truth[1])).expect("scores");
            let sd = Difference::of_deviations(&ours, 1.0, sd).expect("scores");
            for (covered, of) in covered.iter_mut().zip([mean, sd]) {
                *covered += u64::from(of.interval.contains(0.0));
            }
        }
        // 5 % of 250 are 12.5; two standard deviations more are 19.
        assert!(alarms.iter().all(|&alarms| alarms <= 19), "mean, SD, median, max: {alarms:?}");
        assert!(covered.iter().all(|&covered| 90 * RUNS <= 100 * covered), "{covered:?}");
    }
}

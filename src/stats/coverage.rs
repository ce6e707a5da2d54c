//! How often intervals and rank sets cover the truth, counted over simulated experiments.
//!
//! Scores are skewed like those of 2048: gamma and log-normal ones of random and greedy play, a ladder of the largest
//! tile of searches, and the long lower tail of games that end at a tile. Counts that take a minute are `#[ignore]`d:
//! `cargo test --release --lib stats::coverage -- --ignored --nocapture`.

use super::chance::Chance;
use super::{
    Hypothesis, Interval, JointSums, Moments, PairedSums, Planned, ScoreCounts, Sprt,
    mean_interval, next_look, skewed_mean_interval, student_t_975, welch,
};

/// A distribution of scores: its name, its mean, and a function that draws a score.
type Scores = (&'static str, f64, fn(&mut Chance) -> f64);

fn exponential(chance: &mut Chance) -> f64 {
    -chance.unit().ln()
}

fn ladder(chance: &mut Chance, shares: [f64; 2], spread: f64) -> f64 {
    let place = chance.unit();
    let rung = if place < shares[0] {
        16_000.0
    } else if place < shares[0] + shares[1] {
        36_000.0
    } else {
        76_000.0
    };
    rung * (1.0 + spread * chance.normals()[0])
}

const SCORES: [Scores; 5] = [
    ("gamma", 1100.0, |chance| {
        (0..4).map(|_| 275.0 * exponential(chance)).sum()
    }),
    ("exponential", 2000.0, |chance| 2000.0 * exponential(chance)),
    ("log-normal", 3_403.74, |chance| {
        3000.0 * (0.502_5 * chance.normals()[0]).exp()
    }),
    ("ladder", 42_800.0, |chance| {
        ladder(chance, [0.25, 0.45], 0.1)
    }),
    ("strong", 71_800.0, |chance| {
        90_000.0 - ladder(chance, [0.93, 0.05], 0.1)
    }),
];

/// How often something holds in `trials` trials.
fn share(trials: usize, mut holds: impl FnMut() -> bool) -> f64 {
    (0..trials).filter(|_| holds()).count() as f64 / trials as f64
}

/// The shares of samples whose Student interval and whose score interval cover the mean.
fn mean_coverage(&(name, mean, score): &Scores, count: usize, trials: usize) -> [f64; 2] {
    let mut chance = Chance(count as u64);
    let mut covered = [0_usize; 2];
    for _ in 0..trials {
        // Rounded to whole numbers, which changes the mean by at most a thousandth.
        let scores: ScoreCounts = (0..count)
            .map(|_| score(&mut chance).max(0.0).round() as u32)
            .collect();
        let (found, sd) = (
            scores.mean().expect("scores"),
            scores.std_dev().expect("scores"),
        );
        let student = mean_interval(count as u64, found, sd).expect("scores");
        let ours = scores.mean_interval().expect("scores");
        assert!(0.0 <= ours.low && ours.contains(found), "{name}: {ours:?}");
        for (covered, interval) in covered.iter_mut().zip([student, ours]) {
            *covered += usize::from(interval.contains(mean));
        }
    }
    covered.map(|covered| covered as f64 / trials as f64)
}

#[test]
fn intervals_of_skewed_means_hold_at_least_as_often_as_those_of_student() {
    for count in [5, 10, 30] {
        for scores in &SCORES {
            let [student, ours] = mean_coverage(scores, count, 600);
            // The samples are the same, so at most a few of the 600 differ.
            assert!(
                student - 0.007 <= ours,
                "{} of {count}: {student} and {ours}",
                scores.0
            );
        }
    }
    let [_, ours] = mean_coverage(&SCORES[0], 100, 300);
    assert!((0.91..=0.985).contains(&ours), "{ours}");
}

#[test]
#[ignore = "a minute"]
fn intervals_of_skewed_means_at_length() {
    for count in [5, 10, 30, 100, 1000] {
        for scores in &SCORES {
            let [student, ours] = mean_coverage(scores, count, 20_000);
            println!(
                "{:12} n {count:4}: Student {student:.3}, Hall {ours:.3}",
                scores.0
            );
            assert!(student - 0.002 <= ours);
        }
    }
}

/// Two arms on the same seeds that play identically except in a share of the games.
fn edited(chance: &mut Chance, count: usize, parted: f64) -> (PairedSums, usize) {
    let (mut sums, mut same) = (PairedSums::default(), 0);
    for _ in 0..count {
        let one = SCORES[0].2(chance);
        let is_parted = chance.unit() < parted;
        let other = if is_parted { SCORES[0].2(chance) } else { one };
        same += usize::from(!is_parted);
        sums.put(one.round() as u32, other.round() as u32);
    }
    (sums, same)
}

#[test]
fn paired_intervals_hold_and_are_narrow_where_games_are_alike() {
    for (parted, count, trials) in [(1.0, 30, 1000), (0.2, 100, 500), (0.05, 400, 200)] {
        let mut chance = Chance(1);
        let covered = share(trials, || {
            edited(&mut chance, count, parted)
                .0
                .interval()
                .expect("pairs")
                .contains(0.0)
        });
        assert!((0.91..=0.99).contains(&covered), "{parted}: {covered}");
    }
    // An edit that changes 10 of 1,000 games narrows the interval like a hundred times as many games.
    let (sums, same) = edited(&mut Chance(4), 1000, 0.01);
    let paired = sums.interval().expect("pairs").half_width();
    let unpaired = 1.96 * 550.0 * (2.0 / 1000.0_f64).sqrt();
    assert!(
        (980..1000).contains(&same) && paired < unpaired / 5.0,
        "{paired} and {unpaired}"
    );
    assert!(
        (40.0..400.0).contains(&sums.gain().expect("a spread")),
        "{:?}",
        sums.gain()
    );
    assert!(0.97 < sums.correlation().expect("a spread"));
}

#[test]
fn welch_holds_with_few_values_and_unequal_spreads() {
    let mut chance = Chance(3);
    for counts in [[2, 2], [3, 12], [10, 4]] {
        let covered = share(1000, || {
            let [a, b] = [(counts[0], 500.0), (counts[1], 100.0)].map(|(count, spread)| {
                let values: Vec<u32> = (0..count)
                    .map(|_| (9000.0 + spread * chance.normals()[0]).round() as u32)
                    .collect();
                values
                    .into_iter()
                    .collect::<ScoreCounts>()
                    .moments()
                    .expect("values")
            });
            welch(a, b).expect("values").interval.contains(0.0)
        });
        assert!((0.925..=0.99).contains(&covered), "{counts:?}: {covered}");
    }
}

#[test]
fn intervals_of_paired_shares_hold() {
    let mut chance = Chance(5);
    for (rate, parted, count) in [
        (0.5, 1.0, 40),
        (0.9, 0.3, 100),
        (0.03, 1.0, 100),
        (0.98, 0.05, 200),
    ] {
        let covered = share(800, || {
            let [mut both, mut first, mut second] = [0, 0, 0];
            for _ in 0..count {
                let one = chance.unit() < rate;
                let other = if chance.unit() < parted {
                    chance.unit() < rate
                } else {
                    one
                };
                both += u64::from(one && other);
                first += u64::from(one);
                second += u64::from(other);
            }
            Planned(count)
                .paired_shares(both, [first, second], count)
                .expect("trials")
                .contains(0.0)
        });
        assert!(0.93 <= covered, "{rate} {parted} {count}: {covered}");
    }
}

#[test]
fn intervals_of_paired_shares_hold_when_one_looks_often() {
    let mut chance = Chance(6);
    for (rate, parted) in [(0.5, 1.0), (0.9, 0.3), (0.05, 1.0), (0.98, 0.1)] {
        let mut planned_held = 0;
        let covered = share(100, || {
            let ([mut both, mut first, mut second], mut holds) = ([0, 0, 0], [true; 2]);
            for count in 1..=200 {
                let one = chance.unit() < rate;
                let other = if chance.unit() < parted {
                    chance.unit() < rate
                } else {
                    one
                };
                both += u64::from(one && other);
                first += u64::from(one);
                second += u64::from(other);
                if count % 10 == 0 {
                    for (holds, planned) in holds.iter_mut().zip([Planned::OPEN, Planned(count)]) {
                        *holds &= planned
                            .paired_shares(both, [first, second], count)
                            .expect("trials")
                            .contains(0.0);
                    }
                }
            }
            planned_held += u64::from(holds[1]);
            holds[0]
        });
        assert!(0.95 <= covered, "{rate} {parted}: {covered}");
        assert!(
            rate != 0.5 || planned_held < 85,
            "{planned_held} by those of a planned end"
        );
    }
}

/// Arms with `count` games each: `means` times a score, with the share `common` of the randomness in common.
fn arms(
    chance: &mut Chance,
    means: &[f64],
    count: usize,
    common: f64,
    score: fn(&mut Chance) -> f64,
) -> JointSums {
    let mut sums = JointSums::new(means.len());
    let mut columns = vec![Vec::with_capacity(count); means.len()];
    for _ in 0..count {
        let shared = score(chance);
        for (column, mean) in columns.iter_mut().zip(means) {
            let own = if chance.unit() < common {
                shared
            } else {
                score(chance)
            };
            column.push((mean * own).round() as u32);
        }
    }
    sums.put(&columns);
    sums
}

/// How often equal arms are distinguished, and how often unequal means are outside of some rank set or interval.
fn errors(count: usize, common: f64, trials: usize, draws: usize) -> [f64; 3] {
    let mut chance = Chance(11);
    let equal = [1.0; 20];
    let told_apart = share(trials, || {
        let joint = arms(&mut chance, &equal, count, common, SCORES[0].2)
            .compare_by(draws, &|| false)
            .expect("games");
        joint
            .ranks()
            .iter()
            .any(|rank| (rank.best, rank.worst) != (1, 20))
    });

    // Two are equal, so their rank is the better one of both.
    let means = [1.0, 1.2, 1.2, 1.3, 2.0, 2.05];
    let truth = [6, 4, 4, 3, 2, 1];
    let mut beyond = 0;
    let wrong = share(trials, || {
        let joint = arms(&mut chance, &means, count, common, SCORES[0].2)
            .compare_by(draws, &|| false)
            .expect("games");
        let holds = |arm: usize| {
            joint
                .against(3, arm)
                .contains(SCORES[0].1 * (means[arm] - means[3]))
        };
        beyond += usize::from(!(0..6).filter(|&arm| arm != 3).all(holds));
        joint
            .ranks()
            .iter()
            .zip(truth)
            .any(|(rank, truth)| truth < rank.best || rank.worst < truth)
    });
    [told_apart, wrong, beyond as f64 / trials as f64]
}

#[test]
fn equal_arms_are_seldom_told_apart_and_rank_sets_hold_the_true_ranks() {
    for (count, common) in [(90, 0.0), (60, 0.8)] {
        let errors = errors(count, common, 100, 199);
        // Three standard errors of 100 experiments above 5 %.
        assert!(
            errors.iter().all(|&error| error < 0.115),
            "{count} {common}: {errors:?}"
        );
    }
}

#[test]
#[ignore = "a minute"]
fn errors_of_many_arms_at_length() {
    for (count, common) in [
        (10, 0.0),
        (30, 0.0),
        (30, 0.9),
        (100, 0.0),
        (100, 0.9),
        (1000, 0.0),
        (1000, 0.99),
    ] {
        let [told_apart, wrong, beyond] = errors(count, common, 2000, 999);
        println!(
            "n {count}, {common} alike: told apart {told_apart:.3}, wrong ranks {wrong:.3}, beyond {beyond:.3}"
        );
        assert!(
            [told_apart, wrong, beyond]
                .iter()
                .all(|&error| error < 0.065)
        );
    }
}

/// How often the distribution function leaves the band of a sample of `count` values, and any of the bands up to that
/// size.
fn band_errors(count: usize, step: f64, trials: usize) -> [f64; 2] {
    let mut chance = Chance(17);
    let mut errors = [0_usize; 2];
    for _ in 0..trials {
        // Uniform values, or those of a grid: F(x) = x at its points.
        let grid = |value: f64| {
            if step == 0.0 {
                value
            } else {
                (value / step).ceil() * step
            }
        };
        let mut values: Vec<f64> = Vec::new();
        let is_out = |values: &[f64], half: f64| {
            let n = values.len() as f64;
            let off = |(place, &x): (usize, &f64)| {
                // Among equal values the upper limit counts all of them, the lower one those below.
                let [below, upto] = [
                    values.partition_point(|&y| y < x),
                    values.partition_point(|&y| y <= x),
                ];
                debug_assert!((below..upto).contains(&place));
                let before = if step == 0.0 { x } else { x - step };
                (upto as f64 / n - x)
                    .abs()
                    .max((below as f64 / n - before).abs())
            };
            values.iter().enumerate().map(off).fold(0.0, f64::max) > half
        };

        let mut ever = false;
        for size in 1..=count {
            let value = grid(chance.unit());
            values.insert(values.partition_point(|&other| other < value), value);
            // Every size at first, later each time the size grows by a fiftieth.
            if size < 20 || size % (size / 50).max(1) == 0 {
                ever |= is_out(
                    &values,
                    super::Planned(u64::MAX).band(size as u64).expect("values"),
                );
            }
        }

        errors[0] += usize::from(is_out(
            &values,
            super::Planned(count as u64)
                .band(count as u64)
                .expect("values"),
        ));
        errors[1] += usize::from(ever);
    }

    errors.map(|errors| errors as f64 / trials as f64)
}

#[test]
fn bands_hold_everywhere_at_once_and_the_wider_one_at_any_time() {
    for (count, step) in [(30, 0.0), (200, 0.0), (200, 0.1)] {
        let [planned, ever] = band_errors(count, step, 400);
        // Three standard errors of 400 trials above 5 %. Repeated values are covered more often.
        assert!(
            planned < 0.083 && (step != 0.0 || 0.015 < planned),
            "{count} {step}: {planned}"
        );
        assert!(ever < 0.05, "{count} {step}: {ever}");
    }
}

#[test]
#[ignore = "a minute"]
fn bands_at_length() {
    for (count, step) in [(30, 0.0), (300, 0.0), (3000, 0.0), (300, 0.05)] {
        let [planned, ever] = band_errors(count, step, 2000);
        println!(
            "n {count:4}, step {step}: outside the band at the end {planned:.3}, outside any on the way {ever:.3}"
        );
        assert!(planned < 0.065 && ever < 0.05);
    }
}

#[test]
fn the_correction_of_skewness_is_no_larger_than_the_interval() {
    // The largest possible skewness of five scores, and its opposite.
    for skewness in [-1.5, 1.5] {
        let Interval { low, high } = skewed_mean_interval(5, 0.0, 1.0, skewness).expect("scores");
        let half = student_t_975(4.0) / 5.0_f64.sqrt();
        assert!(
            low < 0.0 && 0.0 < high && high - low < 4.0 * half,
            "{low} {high}"
        );
    }
}

/// The sum of values that are checked while they come.
#[derive(Default)]
struct Growing {
    count: u64,
    differing: u64,
    sum: f64,
    squares: f64,
    cubes: f64,
}

impl Growing {
    fn put(&mut self, value: f64) {
        self.put_shifted(value, 0.0);
    }

    /// Adds a value plus the true mean. A pair of identical games still counts as identical.
    fn put_shifted(&mut self, value: f64, truth: f64) {
        self.count += 1;
        self.differing += u64::from(value != 0.0);
        let value = value + truth;
        self.sum += value;
        self.squares += value * value;
        self.cubes += value.powi(3);
    }

    fn skewness(&self) -> Option<f64> {
        let (n, Moments { mean, std_dev, .. }) = (self.count as f64, self.moments());
        let third = (self.cubes - 3.0 * mean * self.squares) / n + 2.0 * mean.powi(3);
        std_dev
            .filter(|&std_dev| 0.0 < std_dev)
            .map(|std_dev| third / std_dev.powi(3))
    }

    fn moments(&self) -> Moments {
        let (n, mean) = (self.count as f64, self.sum / self.count as f64);
        let variance = ((self.squares - self.sum * mean) / (n - 1.0)).max(0.0);
        Moments {
            count: self.count,
            mean,
            std_dev: (1 < self.count).then(|| variance.sqrt()),
        }
    }
}

/// How often, in `trials` trials, the sequence excludes the mean at any of the values before `end`, checked at each;
/// and the same without the correction for skewness.
fn ever_wrong(
    draw: fn(&mut Chance) -> f64,
    mean: f64,
    planned: Planned,
    end: u64,
    trials: usize,
) -> [f64; 2] {
    // Half the width in standard deviations depends only on the number of values.
    let of_one = |count: u64| {
        planned.interval(
            Moments {
                count,
                mean: 0.0,
                std_dev: Some(1.0),
            },
            None,
        )
    };
    let halves: Vec<f64> = (0..end)
        .map(|count| of_one(count).map_or(f64::INFINITY, |one| one.half_width()))
        .collect();
    let mut chance = Chance(31);
    let mut wrong = [0_usize; 2];
    for _ in 0..trials {
        let (mut seen, mut is_wrong) = (Growing::default(), [false; 2]);
        for half in &halves[1..] {
            seen.put(draw(&mut chance));
            let moments = seen.moments();
            let off = moments
                .std_dev
                .map_or(0.0, |std_dev| (moments.mean - mean).abs() / std_dev / half);
            is_wrong[1] |= 1.0 < off;
            // The corrected sequence is never narrower.
            let interval = if off <= 1.0 {
                None
            } else {
                planned.interval(moments, seen.skewness())
            };
            is_wrong[0] |= interval.is_some_and(|interval| !interval.contains(mean));
        }
        wrong
            .iter_mut()
            .zip(is_wrong)
            .for_each(|(wrong, is_wrong)| *wrong += usize::from(is_wrong));
    }

    wrong.map(|wrong| wrong as f64 / trials as f64)
}

/// All distributions that are checked while they grow, with their true mean.
fn growing() -> impl Iterator<Item = Scores> {
    SCORES
        .into_iter()
        .chain(DIFFERENCES.map(|(name, _, draw)| (name, 0.0, draw)))
}

#[test]
fn sequences_hold_when_one_looks_always() {
    for (name, mean, draw) in growing() {
        for planned in [Planned(200), Planned(1_000_000), Planned::OPEN] {
            let [wrong, _] = ever_wrong(draw, mean, planned, 200, 300);
            // Two standard errors of 300 runs above 5 %.
            assert!(wrong < 0.075, "{name} of {planned:?}: {wrong}");
        }
    }
}

#[test]
#[ignore = "a minute"]
fn sequences_that_are_looked_at_always_at_length() {
    for planned in [
        Planned(100),
        Planned(1000),
        Planned(1_000_000),
        Planned::OPEN,
    ] {
        for (name, mean, draw) in growing() {
            let [wrong, straight] = ever_wrong(draw, mean, planned, planned.0.min(5000), 2000);
            println!("{name:12} {planned:?}: ever wrong {wrong:.3}, without leaning {straight:.3}");
            assert!(wrong < 0.055);
        }
    }
}

/// Draws values until `stops` returns true at one of the looks of a run, or there are `most`.
fn until(
    most: u64,
    truth: f64,
    mut draw: impl FnMut() -> f64,
    mut stops: impl FnMut(&Growing) -> bool,
) -> Growing {
    let (mut seen, mut look) = (Growing::default(), 1);
    while seen.count < most {
        seen.put_shifted(draw(), truth);
        if seen.count == look {
            look = next_look(look);
            if stops(&seen) {
                break;
            }
        }
    }
    seen
}

/// Differences of games on the same seed with mean 0: a share of them differs, by a random amount.
type Differences = (&'static str, f64, fn(&mut Chance) -> f64);

const DIFFERENCES: [Differences; 6] = [
    ("gamma", 778.0, |chance| {
        SCORES[0].2(chance) - SCORES[0].2(chance)
    }),
    ("edited", 174.0, |chance| {
        if chance.unit() < 0.05 {
            SCORES[0].2(chance) - SCORES[0].2(chance)
        } else {
            0.0
        }
    }),
    ("ladder", 31_900.0, |chance| {
        SCORES[3].2(chance) - SCORES[3].2(chance)
    }),
    ("strong", 9_970.0, |chance| {
        SCORES[4].2(chance) - SCORES[4].2(chance)
    }),
    ("exponential", 1000.0, |chance| {
        1000.0 * (1.0 - exponential(chance))
    }),
    ("parted", 600.0, |chance| {
        1000.0
            * (if chance.unit() < 0.2 {
                exponential(chance)
            } else {
                0.0
            } - 0.2)
    }),
];

/// The shares of tests that accept the wrong hypothesis, if H0 is true and if H1 is true; the bias of the final mean in
/// standard deviations of a difference; and the share of its sequences that cover the truth.
fn wrong_tests(&(_, spread, draw): &Differences, effect: f64, trials: usize) -> [f64; 4] {
    const MOST: u64 = 20_000;
    let sprt = Sprt {
        h0: 0.0,
        h1: effect * spread,
        alpha: 0.05,
        beta: 0.05,
    };
    let (mut off, mut covered) = (0.0, 0);
    let wrong = [(0.0, Hypothesis::H1), (sprt.h1, Hypothesis::H0)].map(|(truth, wrong)| {
        let mut chance = Chance(21);
        share(trials, || {
            let mut accepted = None;
            let seen = until(
                MOST,
                truth,
                || draw(&mut chance),
                |seen| {
                    accepted = sprt
                        .of_mean(seen.moments(), seen.skewness(), seen.differing)
                        .and_then(|llr| sprt.accepts(llr));
                    accepted.is_some()
                },
            );
            off += (seen.moments().mean - truth).abs() / spread / (2 * trials) as f64;
            let sequence = Planned::OPEN
                .interval(seen.moments(), seen.skewness())
                .expect("values");
            covered += usize::from(sequence.contains(truth));
            accepted == Some(wrong)
        })
    });

    [
        wrong[0],
        wrong[1],
        off,
        covered as f64 / (2 * trials) as f64,
    ]
}

#[test]
fn tests_of_differences_are_seldom_wrong_and_the_sequence_holds_after_them() {
    for (differences, effect) in DIFFERENCES.iter().zip([0.2, 0.3, 0.2, 0.25, 0.15, 0.15]) {
        let [alpha, beta, _, covered] = wrong_tests(differences, effect, 250);
        // Three standard errors of 250 experiments above 5 %.
        assert!(
            alpha < 0.092 && beta < 0.092,
            "{}: {alpha} {beta}",
            differences.0
        );
        assert!(0.95 <= covered, "{}: {covered}", differences.0);
    }
}

#[test]
#[ignore = "a minute"]
fn tests_of_differences_at_length() {
    for differences in &DIFFERENCES {
        for effect in [0.5, 0.2, 0.1, 0.05] {
            let [alpha, beta, off, covered] = wrong_tests(differences, effect, 4000);
            println!(
                "{:8} {effect}: α {alpha:.3}, β {beta:.3}, off by {off:.3} SD, covered {covered:.3}",
                differences.0
            );
            // See `sprt.rs`: 6 of 100, plus three standard errors of 4000 experiments.
            assert!(
                alpha < 0.071 && beta < 0.071 && 0.95 < covered,
                "{}",
                differences.0
            );
        }
    }
}

/// The shares of tests of a reach rate that accept the wrong hypothesis.
fn wrong_share_tests(parted: f64, trials: usize) -> [f64; 2] {
    let sprt = Sprt {
        h0: 0.5,
        h1: 0.6,
        alpha: 0.05,
        beta: 0.05,
    };
    [(0.5, Hypothesis::H1), (0.6, Hypothesis::H0)].map(|(truth, wrong)| {
        let mut chance = Chance(22);
        share(trials, || {
            let (mut won, mut lost, mut count, mut look) = (0, 0, 0, 1);
            loop {
                count += 1;
                if chance.unit() < parted {
                    *(if chance.unit() < truth {
                        &mut won
                    } else {
                        &mut lost
                    }) += 1;
                }
                if count == look {
                    look = next_look(look);
                    if let Some(accepted) = sprt.accepts(sprt.of_share(won, lost)) {
                        return accepted == wrong;
                    }
                }
            }
        })
    })
}

#[test]
fn tests_of_reach_rates_are_wrong_as_seldom_as_they_say() {
    for (parted, trials) in [(1.0, 1500), (0.3, 500)] {
        let wrong = wrong_share_tests(parted, trials);
        let most = 0.05 + 3.0 * (0.05 * 0.95 / trials as f64).sqrt();
        assert!(
            wrong.iter().all(|&wrong| wrong < most),
            "{parted}: {wrong:?}"
        );
    }
}

/// Runs that end when the sequence of the mean is within `percent` of it: the shares whose sequence and whose *t*
/// interval cover the mean, and the bias of the mean in these half-widths.
fn stopped_means(&(_, mean, score): &Scores, percent: f64, trials: usize) -> [f64; 3] {
    const MOST: u64 = 5000;
    let planned = Planned::OPEN;
    let mut chance = Chance(23);
    let (mut off, mut student) = (0.0, 0);
    let covered = share(trials, || {
        let narrow = |seen: &Growing| {
            let half = planned
                .score_sequence(seen.moments(), seen.skewness())
                .map(|sequence| sequence.half_width());
            half.is_some_and(|half| half <= percent / 100.0 * seen.moments().mean)
        };
        let seen = until(MOST, 0.0, || score(&mut chance).max(0.0), narrow);
        let moments = seen.moments();
        let spread = moments.std_dev.expect("values");
        let t = mean_interval(moments.count, moments.mean, spread).expect("values");
        student += usize::from(t.contains(mean));
        off += (moments.mean - mean) / (percent / 100.0 * mean) / trials as f64;
        planned
            .interval(moments, seen.skewness())
            .expect("values")
            .contains(mean)
    });

    [covered, student as f64 / trials as f64, off]
}

#[test]
fn a_mean_is_held_when_its_run_ends_by_the_width() {
    for (scores, percent) in SCORES.iter().zip([15.0, 30.0, 15.0, 20.0, 3.0]) {
        let [covered, student, off] = stopped_means(scores, percent, 200);
        assert!(
            0.95 <= covered && student <= covered,
            "{}: {covered} {student}",
            scores.0
        );
        // A run with few high scores ends early, so means are slightly low.
        assert!(off.abs() < 0.15, "{}: {off}", scores.0);
    }
}

#[test]
#[ignore = "a minute"]
fn means_of_runs_that_end_by_the_width_at_length() {
    for scores in &SCORES {
        for percent in [30.0, 15.0, 8.0, 5.0] {
            let [covered, student, off] = stopped_means(scores, percent, 4000);
            println!(
                "{:12} ± {percent} %: covered {covered:.3}, by t {student:.3}, off by {off:.3} of it",
                scores.0
            );
            assert!(0.95 < covered);
        }
    }
}

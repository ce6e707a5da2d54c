//! Compares the means of many samples with common indices, such as strategies on the same seeds, with all comparisons
//! judged simultaneously.
//!
//! Judging many differences one by one finds some by chance: twenty equal arms have 190 pairs, and ten of these exclude
//! 0 from their 95 % interval. Here the largest of all differences, each in its own standard errors, exceeds the
//! critical value in at most 5 % of the cases. The critical value comes from the Gaussian multiplier bootstrap
//! (Chernozhukov, Chetverikov and Kato 2013, Gaussian approximations and multiplier bootstrap for maxima of sums of
//! high-dimensional random vectors, Ann. Statist. 41): every index gets a random normal weight, the same for all arms,
//! which preserves their correlation. The weighted sums of the arms are normal with the covariance of the arms,
//! whatever the number of values, so they are drawn from it: the cost does not grow with the number of values. The 95 %
//! quantile of the largest difference is converted from the normal to Student's scale with n − 1 degrees of freedom, so
//! that two arms have their paired interval.
//!
//! The rank set of an arm follows from the intervals of all pairs: it is behind the arms that are certainly better, and
//! before those that are certainly worse (Mogstad, Romano, Shaikh and Wilhelm 2024, Inference for ranks, Rev. Econ.
//! Stud. 91). All rank sets together contain the true ranks in at least 95 % of the cases.

use super::chance::Chance;
use super::student::normal_tail;
use super::{Interval, student_t};

/// With this number the 95 % quantile is one of the draws, and its level is uncertain by 0.2 %.
const DRAWS: usize = 9_999;
/// With very many arms fewer are drawn: at most this many comparisons in total, …
const MOST_COMPARISONS: usize = 1_000_000_000;
/// … and never fewer than this.
const FEWEST_DRAWS: usize = 999;
const SEED: u64 = 0x2048;

/// With fewer values per arm the estimated covariance is unreliable: with 10 values of 20 equal arms some were told
/// apart in 8.6 % of the cases. Then the level is divided by the number of comparisons (Bonferroni).
const FEWEST_PER_ARM: u64 = 3;

/// A pivot below this share of its variance is rounding error: the arm is a combination of previous ones.
const SMALLEST_PIVOT: f64 = 1e-12;

/// The sums of several samples with a value each at every index, and the sums of their products. They are integers, so
/// the order of putting and merging does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointSums {
    count: u64,
    sums: Vec<u64>,
    /// Of arms j and k ≤ j at index j(j + 1)/2 + k.
    products: Vec<u128>,
}

impl JointSums {
    pub fn new(arms: usize) -> Self {
        Self {
            count: 0,
            sums: vec![0; arms],
            products: vec![0; place(arms, 0)],
        }
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds the values of the next indices, the same number for each arm.
    pub fn put(&mut self, columns: &[Vec<u32>]) {
        self.count += columns.first().map_or(0, |column| column.len() as u64);
        for (j, first) in columns.iter().enumerate() {
            self.sums[j] += first.iter().map(|&value| u64::from(value)).sum::<u64>();
            for (k, second) in columns[..=j].iter().enumerate() {
                self.products[place(j, k)] += product(first, second);
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sums
            .iter_mut()
            .zip(&other.sums)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.products
            .iter_mut()
            .zip(&other.products)
            .for_each(|(ours, theirs)| *ours += theirs);
    }

    /// The sums of some of the arms.
    pub fn of_arms(&self, arms: &[usize]) -> Self {
        let products = (0..arms.len()).flat_map(|j| (0..=j).map(move |k| (j, k)));
        Self {
            count: self.count,
            sums: arms.iter().map(|&arm| self.sums[arm]).collect(),
            products: products
                .map(|(j, k)| self.product(arms[j], arms[k]))
                .collect(),
        }
    }

    fn product(&self, j: usize, k: usize) -> u128 {
        self.products[place(j.max(k), j.min(k))]
    }

    /// n·Σab − Σa·Σb, exact.
    fn codeviation(&self, j: usize, k: usize) -> i128 {
        let sums = u128::from(self.sums[j]) * u128::from(self.sums[k]);
        (u128::from(self.count) * self.product(j, k)) as i128 - sums as i128
    }

    /// The mean difference of two arms, first minus second, and its standard error.
    fn difference(&self, j: usize, k: usize) -> (f64, f64) {
        let n = self.count as f64;
        let mean = (i128::from(self.sums[j]) - i128::from(self.sums[k])) as f64 / n;
        let spread = self.codeviation(j, j) + self.codeviation(k, k) - 2 * self.codeviation(j, k);
        (mean, (spread as f64 / (n - 1.0)).sqrt() / n)
    }

    /// Judges all differences simultaneously. `None` below two values, and when `stop` returns true.
    pub fn compare(&self, stop: &dyn Fn() -> bool) -> Option<Joint> {
        let pairs = place(self.sums.len(), 0).max(1);
        self.compare_by(
            DRAWS.min((MOST_COMPARISONS / pairs).max(FEWEST_DRAWS)),
            stop,
        )
    }

    pub(super) fn compare_by(&self, draws: usize, stop: &dyn Fn() -> bool) -> Option<Joint> {
        if self.count < 2 {
            return None;
        }

        let (all, against) = self.largest(draws, stop)?;
        let (arms, freedom) = (self.sums.len(), (self.count - 1) as f64);
        // One comparison needs no draws, and with few values the covariance is unreliable.
        let is_counted = arms <= 2 || self.count < FEWEST_PER_ARM * arms as u64;
        let critical = |largest: Vec<f64>, comparisons: usize| {
            let tail = match is_counted {
                true => 0.025 / comparisons.max(1) as f64,
                false => normal_tail(quantile_95(largest)),
            };
            student_t(freedom, tail)
        };
        let against = against
            .into_iter()
            .map(|largest| critical(largest, arms - 1))
            .collect();
        let all = critical(all, arms * arms.saturating_sub(1) / 2);
        Some(Joint {
            sums: self.clone(),
            all,
            against,
            draws: if is_counted { 0 } else { draws },
        })
    }

    /// For each draw the largest difference in its standard deviations: over all pairs, and over the pairs of each arm.
    fn largest(&self, draws: usize, stop: &dyn Fn() -> bool) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let arms = self.sums.len();
        let root = self.covariance_root();
        let n = self.count as f64;
        let scale = |j, k| match self.difference(j, k).1 {
            0.0 => 0.0,
            // Weighted sums are drawn with n·(n − 1) times the covariance.
            std_error => 1.0 / (std_error * n * (n - 1.0).sqrt()),
        };

        let scales: Vec<f64> = (0..arms)
            .flat_map(|j| (0..j).map(move |k| scale(j, k)))
            .collect();
        let (mut all, mut against) = (
            Vec::with_capacity(draws),
            vec![Vec::with_capacity(draws); arms],
        );
        let mut chance = Chance(SEED);
        let (mut weights, mut drawn) = (Vec::with_capacity(arms + 1), vec![0.0; arms]);
        for draw in 0..draws {
            if draw % 64 == 0 && stop() {
                return None;
            }
            weights.clear();
            while weights.len() < arms {
                weights.extend(chance.normals());
            }
            for (row, sum) in drawn.iter_mut().enumerate() {
                *sum = root[place(row, 0)..=place(row, row)]
                    .iter()
                    .zip(&weights)
                    .map(|(a, b)| a * b)
                    .sum();
            }
            let mut largest = vec![0.0_f64; arms];
            let mut scales = scales.iter();
            for j in 0..arms {
                for (k, scale) in (0..j).zip(&mut scales) {
                    let size = (drawn[j] - drawn[k]).abs() * scale;
                    largest[j] = largest[j].max(size);
                    largest[k] = largest[k].max(size);
                }
            }
            all.push(largest.iter().copied().fold(0.0, f64::max));
            against
                .iter_mut()
                .zip(largest)
                .for_each(|(arm, size)| arm.push(size));
        }

        Some((all, against))
    }

    /// The lower triangle whose product with its transpose is the codeviations (Cholesky). An arm that depends on
    /// previous ones gets a zero pivot.
    fn covariance_root(&self) -> Vec<f64> {
        let arms = self.sums.len();
        let mut root = vec![0.0; place(arms, 0)];
        for j in 0..arms {
            for k in 0..=j {
                let before: f64 = (0..k).map(|i| root[place(j, i)] * root[place(k, i)]).sum();
                let left = self.codeviation(j, k) as f64 - before;
                root[place(j, k)] = if j == k {
                    if left <= SMALLEST_PIVOT * self.codeviation(j, j) as f64 {
                        0.0
                    } else {
                        left.sqrt()
                    }
                } else {
                    let pivot: f64 = root[place(k, k)];
                    if pivot == 0.0 { 0.0 } else { left / pivot }
                };
            }
        }
        root
    }
}

fn place(j: usize, k: usize) -> usize {
    j * (j + 1) / 2 + k
}

/// Σab, exact. The halves of each product are summed separately, which a processor can vectorize.
fn product(a: &[u32], b: &[u32]) -> u128 {
    let (mut low, mut high) = (0_u64, 0_u64);
    for (&a, &b) in a.iter().zip(b) {
        let product = u64::from(a) * u64::from(b);
        low += product & u64::from(u32::MAX);
        high += product >> 32;
    }
    u128::from(low) + (u128::from(high) << 32)
}

fn quantile_95(mut values: Vec<f64>) -> f64 {
    let place = ((values.len() + 1) * 19).div_ceil(20) - 1;
    let place = place.min(values.len() - 1);
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}

/// The possible ranks of an arm by true mean, the best first, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankSet {
    pub best: usize,
    pub worst: usize,
}

/// All differences of several arms, judged simultaneously.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    sums: JointSums,
    /// The critical value of all pairs, in standard errors.
    all: f64,
    /// The critical value of the pairs with each arm.
    against: Vec<f64>,
    draws: usize,
}

impl Joint {
    /// The number of values of each arm.
    pub fn count(&self) -> u64 {
        self.sums.count
    }

    pub fn arms(&self) -> usize {
        self.against.len()
    }

    pub fn mean(&self, arm: usize) -> f64 {
        self.sums.sums[arm] as f64 / self.sums.count as f64
    }

    /// The number of draws. 0 if the number of comparisons gave the level.
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// The interval of the difference of two arms, first minus second. In 95 % of the cases those of all pairs hold
    /// simultaneously.
    pub fn of_all(&self, arm: usize, other: usize) -> Interval {
        self.interval(arm, other, self.all)
    }

    /// The interval of an arm minus the baseline. In 95 % of the cases those of all arms against this baseline hold
    /// simultaneously.
    pub fn against(&self, baseline: usize, arm: usize) -> Interval {
        self.interval(arm, baseline, self.against[baseline])
    }

    /// The same with intervals `times` as wide, as in [`Planned::widening`](super::Planned::widening).
    pub fn widened(mut self, times: f64) -> Self {
        self.against
            .iter_mut()
            .chain([&mut self.all])
            .for_each(|critical| *critical *= times);
        self
    }

    fn interval(&self, arm: usize, other: usize, critical: f64) -> Interval {
        let (difference, std_error) = self.sums.difference(arm, other);
        Interval::around(difference, critical * std_error)
    }

    /// The rank set of each arm. In 95 % of the cases all of them hold simultaneously.
    pub fn ranks(&self) -> Vec<RankSet> {
        let arms = 0..self.arms();
        let rank = |arm: usize| {
            let others = arms
                .clone()
                .filter(|&other| other != arm)
                .map(|other| self.of_all(arm, other));
            let (behind, before) = others.fold((0, 0), |(behind, before), interval| {
                (
                    behind + usize::from(interval.high < 0.0),
                    before + usize::from(0.0 < interval.low),
                )
            });
            RankSet {
                best: 1 + behind,
                worst: self.arms() - before,
            }
        };
        arms.clone().map(rank).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::PairedSums;
    use super::*;

    fn columns(arms: usize, count: usize) -> Vec<Vec<u32>> {
        let mut chance = Chance(7);
        let value =
            |chance: &mut Chance, arm: usize| (1000.0 * chance.unit() * (1.0 + arm as f64)) as u32;
        (0..arms)
            .map(|arm| (0..count).map(|_| value(&mut chance, arm)).collect())
            .collect()
    }

    fn joint(columns: &[Vec<u32>]) -> Joint {
        let mut sums = JointSums::new(columns.len());
        sums.put(columns);
        sums.compare(&|| false).expect("values")
    }

    #[test]
    fn sums_do_not_depend_on_the_order_and_arms_can_be_left_out() {
        let mut columns = columns(5, 300);
        columns[3] = (0..300).map(|i| u32::MAX - i).collect();
        let mut whole = JointSums::new(5);
        whole.put(&columns);
        let mut parts = JointSums::new(5);
        for part in [200..300, 0..57, 57..200] {
            let part: Vec<Vec<u32>> = columns
                .iter()
                .map(|column| column[part.clone()].to_vec())
                .collect();
            let mut sums = JointSums::new(5);
            sums.put(&part);
            parts.merge(&sums);
        }
        assert_eq!(parts, whole);
        let mut some = JointSums::new(3);
        some.put(&[3, 0, 4].map(|arm: usize| columns[arm].clone()));
        assert_eq!(whole.of_arms(&[3, 0, 4]), some);
    }

    #[test]
    fn two_arms_have_their_paired_interval() {
        let columns = columns(2, 40);
        let joint = joint(&columns);
        let mut pair = PairedSums::default();
        columns[0]
            .iter()
            .zip(&columns[1])
            .for_each(|(&a, &b)| pair.put(a, b));
        let paired = pair.interval().expect("pairs");
        for interval in [joint.of_all(0, 1), joint.against(1, 0)] {
            assert!(
                (interval.low - paired.low).abs() < 1e-9
                    && (interval.high - paired.high).abs() < 1e-9
            );
        }
    }

    #[test]
    fn more_comparisons_need_wider_intervals() {
        let alike: Vec<Vec<u32>> = columns(1, 40_000)[0]
            .chunks(2000)
            .map(<[u32]>::to_vec)
            .collect();
        let joint = joint(&alike);
        let pair = JointSums::of_arms(&joint.sums, &[0, 1])
            .compare(&|| false)
            .expect("values")
            .all;
        // Tukey's quantile for 20 arms is 5.01, in standard errors of one mean; Dunnett's for 19 comparisons is lower.
        assert!((pair - 1.961).abs() < 1e-3, "{pair}");
        assert!((joint.all - 3.54).abs() < 0.06, "{}", joint.all);
        assert!(
            (joint.against[0] - 2.95).abs() < 0.1
                && joint.against.iter().all(|&one| one < joint.all)
        );
    }

    #[test]
    fn ranks_follow_from_what_is_surely_better() {
        let far = joint(&columns(4, 2000));
        let ranks = far.ranks();
        let set = |best, worst| RankSet { best, worst };
        assert_eq!(ranks, [set(4, 4), set(3, 3), set(2, 2), set(1, 1)]);
        let few = joint(&columns(4, 3)).ranks();
        assert_eq!(few, [set(1, 4); 4], "three games say nothing");
        // One arm is the sum of two others, and one has no spread.
        let mut dependent = columns(4, 50);
        dependent[2] = dependent[0]
            .iter()
            .zip(&dependent[1])
            .map(|(a, b)| a + b)
            .collect();
        dependent[3] = vec![100_000; 50];
        let ranks = joint(&dependent).ranks();
        assert_eq!(ranks[3], set(1, 1));
        assert!(joint(&dependent).all.is_finite());
    }

    #[test]
    fn there_is_nothing_to_compare_below_two_values_or_when_it_is_stopped() {
        assert_eq!(JointSums::new(3).compare(&|| false), None);
        let mut sums = JointSums::new(3);
        sums.put(&columns(3, 10));
        assert_eq!(sums.compare(&|| true), None);
        let mut none = JointSums::new(1);
        none.put(&columns(1, 10));
        assert_eq!(
            none.compare(&|| false).expect("values").ranks(),
            [RankSet { best: 1, worst: 1 }]
        );
    }
}

//! The reach probability that a node needs to get into a record, as far as all branches together know.
//!
//! Once as many nodes as the cap allows are recorded, no node that is less probable than all of them can be in the
//! final record. So the branches count their recorded nodes by probability, and skip less probable nodes from the
//! beginning.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::kept_nodes::part_size;
use crate::task::{lock, map_side_by_side};

/// 64 buckets between a probability and half of it, for 64 halvings. The last bucket counts everything below.
const BUCKETS: usize = 4096;

/// The number of low bits that the bucket of a number ignores.
const SHIFT: u32 = 46;

const FIRST: u64 = 1.0_f64.to_bits() >> SHIFT;

/// Numbers of nodes by reach probability.
#[derive(Debug)]
pub(super) struct Counts(Vec<u32>);

#[derive(Debug, Default)]
pub(super) struct Floor {
    /// The least reach probability, as bits. Positive numbers have the order of their bits.
    least: AtomicU64,
    counts: Mutex<Counts>,
}

impl Default for Counts {
    fn default() -> Self {
        Self(vec![0; BUCKETS])
    }
}

#[inline(always)]
fn bucket(reach: f64) -> usize {
    (FIRST.saturating_sub(reach.to_bits() >> SHIFT) as usize).min(BUCKETS - 1)
}

/// The lower bound of a bucket.
const fn bound(bucket: usize) -> f64 {
    if bucket == BUCKETS - 1 {
        0.0
    } else {
        f64::from_bits((FIRST - bucket as u64) << SHIFT)
    }
}

impl Counts {
    /// For a record without nodes.
    pub(super) const fn none() -> Self {
        Self(Vec::new())
    }

    #[inline(always)]
    pub(super) fn add(&mut self, reach: f64) {
        self.0[bucket(reach)] += 1;
    }

    /// Moves the counts of `other` into this one.
    fn take(&mut self, other: &mut Self) {
        for (all, own) in self.0.iter_mut().zip(&mut other.0) {
            *all = all.saturating_add(std::mem::take(own));
        }
    }

    /// The bucket of the `most`-th most probable node, and the number of nodes in the buckets before it. `None` if
    /// there are fewer nodes.
    fn bucket_of(&self, most: usize) -> Option<(usize, usize)> {
        let mut before = 0;
        for (bucket, &count) in self.0.iter().enumerate() {
            if most <= before + count as usize {
                return Some((bucket, before));
            }
            before += count as usize;
        }
        None
    }
}

impl Floor {
    /// A copy that starts with the same floor and rises on its own.
    pub(super) fn apart(&self) -> Self {
        Self {
            least: self.least().to_bits().into(),
            ..Self::default()
        }
    }

    /// The least reach probability: no less probable node can be in the final record.
    pub(super) fn least(&self) -> f64 {
        f64::from_bits(self.least.load(Ordering::Relaxed))
    }

    /// Takes over the counts of nodes that one branch of a record of at most `cap` nodes recorded.
    pub(super) fn recorded(&self, nodes: &mut Counts, cap: usize) {
        let mut counts = lock(&self.counts);
        counts.take(nodes);
        if let Some((bucket, _)) = counts.bucket_of(cap) {
            self.least
                .fetch_max(bound(bucket).to_bits(), Ordering::Relaxed);
        }
    }
}

/// The reach probability of the `most`-th most probable node, the number of more probable nodes, and the number of
/// those with the same probability. `most` is neither 0 nor above the number of nodes.
pub(super) fn level(reaches: &[f64], most: usize, threads: usize) -> (f64, usize, usize) {
    let parts: Vec<&[f64]> = reaches.chunks(part_size(reaches.len(), threads)).collect();
    let mut counts = Counts::default();
    let counted = map_side_by_side(threads, parts.clone(), |part| {
        let mut counts = Counts::default();
        part.iter().for_each(|&reach| counts.add(reach));
        counts
    });

    counted
        .into_iter()
        .for_each(|mut part| counts.take(&mut part));
    let (last, before) = counts.bucket_of(most).unwrap_or((BUCKETS - 1, 0));
    let within = map_side_by_side(threads, parts, |part| {
        part.iter()
            .copied()
            .filter(|&reach| bucket(reach) == last)
            .collect::<Vec<f64>>()
    });
    let mut within = within.concat();
    let (_, &mut level, _) =
        within.select_nth_unstable_by(most - before - 1, |a, b| b.total_cmp(a));
    let more = before + within.iter().filter(|&&reach| level < reach).count();
    (
        level,
        more,
        within.iter().filter(|&&reach| level == reach).count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_the_bucket_whose_bounds_are_around_it() {
        let mut reach = 1.0;
        while 1e-300 < reach {
            let bucket = bucket(reach);
            assert!(
                bound(bucket) <= reach && (bucket == 0 || reach < bound(bucket - 1)),
                "{reach}"
            );
            reach *= 0.997;
        }
        assert_eq!(
            (bucket(1.0), bucket(0.0), bound(BUCKETS - 1)),
            (0, BUCKETS - 1, 0.0)
        );
    }

    #[test]
    fn a_level_is_what_sorting_says() {
        let numbers = |count: u64| {
            (0..count).map(|n| 0.9_f64.powi((n * n % 31) as i32) * (1.0 - (n % 5) as f64 * 1e-9))
        };
        for count in [1, 2, 50, 400] {
            let numbers: Vec<f64> = numbers(count).collect();
            let mut sorted = numbers.clone();
            sorted.sort_by(|a, b| b.total_cmp(a));
            for most in 1..=numbers.len() {
                let last = sorted[most - 1];
                let [more, equals] = [1, 0].map(|more| {
                    numbers
                        .iter()
                        .filter(|&&number| {
                            if more == 1 {
                                last < number
                            } else {
                                last == number
                            }
                        })
                        .count()
                });
                assert_eq!(level(&numbers, most, 1), (last, more, equals));
            }
        }

        let many: Vec<f64> = numbers(70_000).collect();
        for most in [1, 333, 69_999] {
            assert_eq!(level(&many, most, 3), level(&many, most, 1));
        }
    }

    #[test]
    fn the_floor_never_leaves_out_what_belongs_to_the_most_probable() {
        let reach = |n: u64| 0.5_f64.powf((n * 7919 % 1000) as f64 / 50.0);
        let floor = Floor::default();
        let mut seen = Vec::new();

        for branch in 0..20 {
            let mut counts = Counts::default();
            for n in 100 * branch..100 * (branch + 1) {
                counts.add(reach(n));
                seen.push(reach(n));
            }
            floor.recorded(&mut counts, 300);
            seen.sort_by(|a, b| b.total_cmp(a));
            match seen.get(299) {
                Some(&last) => assert!(
                    floor.least() <= last && last * 0.97 < floor.least(),
                    "{last}"
                ),
                None => assert_eq!(floor.least(), 0.0),
            }
            assert!(floor.least() <= floor.apart().least());
        }
    }
}

//! Counts of moves by loss.

use super::Points;
use crate::math;
use crate::words;

/// The number of moves per loss bin: nothing, less than a thousandth of a point, less than 1, 2, 5 times each power of
/// ten.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LossCounts([u64; Self::BINS]);

impl LossCounts {
    /// The first bin has the moves without a loss.
    pub const BINS: usize = 30;

    /// The upper limit of a bin in points, exclusive. Infinite for the last bin.
    pub fn end(bin: usize) -> f64 {
        match bin {
            0 => 0.0,
            bin if bin + 1 == Self::BINS => f64::INFINITY,
            bin => [1.0, 2.0, 5.0][(bin - 1) % 3] * math::powi(10.0, ((bin - 1) / 3) as i32 - 3),
        }
    }

    pub fn add(&mut self, loss: Points) {
        let loss = loss.to_f64();
        let bin = if loss <= 0.0 {
            0
        } else {
            (1..Self::BINS)
                .find(|&bin| loss < Self::end(bin))
                .unwrap_or(Self::BINS - 1)
        };
        self.0[bin] += 1;
    }

    pub fn of(&self, bin: usize) -> u64 {
        self.0[bin]
    }

    /// The bins from the first to the last that has a move with a loss.
    pub fn lossy(&self) -> std::ops::Range<usize> {
        let holds = |bin: &usize| self.0[*bin] != 0;
        match (
            (1..Self::BINS).find(holds),
            (1..Self::BINS).rev().find(holds),
        ) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 1..1,
        }
    }

    /// The number of moves.
    pub fn moves(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The bins from the first to the last that has a move with a loss in any of the counts. `None` if nothing was
    /// lost.
    pub fn range<'a>(all: impl Iterator<Item = &'a Self>) -> Option<std::ops::Range<usize>> {
        let ranges = all.map(Self::lossy).filter(|bins| !bins.is_empty());
        ranges.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end))
    }

    /// `below 0.005`, `200 to 500`, `1,000,000 and more`.
    pub fn name(bin: usize) -> String {
        let ends = [bin.saturating_sub(1), bin].map(Self::end);
        let text = |points: f64| {
            if points < 1.0 {
                points.to_string()
            } else {
                words::decimals(points, 0)
            }
        };
        match bin {
            0 => "nothing".to_owned(),
            1 => format!("below {}", text(ends[1])),
            bin if bin + 1 == Self::BINS => format!("{} and more", text(ends[0])),
            _ => format!("{} to {}", text(ends[0]), text(ends[1])),
        }
    }
}

impl std::ops::AddAssign for LossCounts {
    fn add_assign(&mut self, other: Self) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(own, other)| *own += other);
    }
}

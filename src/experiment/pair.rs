//! Compares two contestants of a run game by game.
//!
//! Strategies of one run play the same seeds. So their difference is the mean of the differences of games with the same
//! index. If an edit leaves most games unchanged, this interval is much narrower.

use std::ops::Range;

use super::Games;
use super::sink::largest;
use crate::game::Rank;
use crate::stats::{Interval, PairedSums, Planned};

/// Slots for all ranks, including 0 (none).
const RANKS: usize = Rank::MAX.get() as usize + 1;

/// The sum over the games of two contestants with the same index. The order of the games does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// First minus second.
    pub scores: PairedSums,
    /// Games with the same score, moves and largest tile.
    identical: u64,
    /// Games by the rank of the largest tile: of the first, of the second, and of the lower of both.
    largest: [[u64; RANKS]; 3],
}

/// The difference of two reach rates, first minus second, from −1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachDifference {
    pub tile: u64,
    pub difference: f64,
    /// 95 %, for paired shares.
    pub ci95: Interval,
}

impl Pair {
    /// Of the games with the same index, up to the first that one of them lacks.
    pub fn of(first: &Games, second: &Games) -> Self {
        let mut pair = Self::default();
        let [one, other] =
            [first, second].map(|games| games.first()..games.first() + games.complete());
        pair.put(
            first,
            second,
            one.start.max(other.start)..one.end.min(other.end),
        );
        pair
    }

    /// Adds the games with these indices, which both have.
    pub(super) fn put(&mut self, first: &Games, second: &Games, indices: Range<u64>) {
        if indices.is_empty() {
            return;
        }
        for (one, other) in first
            .of_indices(indices.clone())
            .iter()
            .zip(second.of_indices(indices))
        {
            self.scores.put(one[0], other[0]);
            self.identical += u64::from(one == other);
            let [rank, other] = [*one, *other].map(largest);
            let ranks = [rank, other, rank.min(other)];
            for (counts, rank) in self.largest.iter_mut().zip(ranks) {
                counts[usize::from(rank)] += 1;
            }
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        self.identical += other.identical;
        let theirs = other.largest.iter().flatten();
        self.largest
            .iter_mut()
            .flatten()
            .zip(theirs)
            .for_each(|(ours, theirs)| *ours += theirs);
    }

    pub fn games(&self) -> u64 {
        self.scores.count()
    }

    /// Games that both played identically: same score, moves and largest tile.
    pub fn identical(&self) -> u64 {
        self.identical
    }

    /// The mean difference of the scores, first minus second.
    pub fn difference(&self) -> Option<f64> {
        self.scores.difference().map(|difference| difference.mean)
    }

    /// Its 95 % interval. Before the planned number of games it is valid at any time.
    pub fn interval(&self, planned: Planned) -> Option<Interval> {
        planned.difference_interval(&self.scores)
    }

    /// The upper 95 % limit of the share of games that may differ. Identical play so far does not guarantee it for
    /// later games.
    pub fn may_differ(&self, planned: Planned) -> Option<f64> {
        planned
            .share_interval(self.games() - self.identical, self.games())
            .map(|share| share.high)
    }

    /// The reach rate with the largest difference; the lowest tile in a tie.
    pub fn telling_reach(&self, planned: Planned) -> Option<ReachDifference> {
        let reach = (1..=Rank::MAX.get())
            .rev()
            .filter_map(|rank| self.reach(Rank::new(rank)?, planned));
        reach.max_by(|a, b| a.difference.abs().total_cmp(&b.difference.abs()))
    }

    /// The difference of the reach rates of a tile. `None` without games.
    pub fn reach(&self, rank: Rank, planned: Planned) -> Option<ReachDifference> {
        let reached = |side: usize| {
            self.largest[side][usize::from(rank.get())..]
                .iter()
                .sum::<u64>()
        };
        let [first, second, both] = [0, 1, 2].map(reached);
        let ci95 = planned.paired_shares(both, [first, second], self.games())?;
        let difference = (first as f64 - second as f64) / self.games() as f64;
        Some(ReachDifference {
            tile: rank.tile(),
            difference,
            ci95,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Outcome;

    fn games(scores: &[(u32, u8)]) -> Games {
        let mut games = Games::unplayed(0..scores.len() as u64 + 3);
        let outcome = |&(score, rank)| Outcome {
            score,
            largest: Rank::new(rank).expect("a rank"),
            moves: score / 8,
        };
        games.put(0, &scores.iter().map(outcome).collect::<Vec<_>>());
        games
    }

    #[test]
    fn a_pair_counts_what_is_alike_and_who_reaches_what() {
        let first = games(&[(800, 7), (1600, 8), (1600, 8), (400, 6)]);
        let second = games(&[(800, 7), (808, 7), (1600, 7), (1200, 7)]);
        let pair = Pair::of(&first, &second);
        assert_eq!(
            (pair.games(), pair.identical(), pair.difference()),
            (4, 1, Some(-2.0))
        );
        let reach = |tile| {
            pair.reach(Rank::of_tile(tile).expect("a tile"), Planned(4))
                .expect("games")
        };
        assert_eq!(
            (
                reach(128).difference,
                reach(256).difference,
                reach(512).difference
            ),
            (-0.25, 0.5, 0.0)
        );
        assert!(reach(256).ci95.contains(0.5) && reach(512).ci95.low < 0.0);

        // Before the planned end both are valid at any time.
        let early = |planned| {
            pair.reach(Rank::of_tile(256).expect("a tile"), planned)
                .expect("games")
                .ci95
                .half_width()
        };
        assert!(1.2 * early(Planned(4)) < early(Planned(9)));
        assert!(pair.may_differ(Planned(4)) < pair.may_differ(Planned(9)));
        assert_eq!(Pair::default().reach(Rank::FOUR, Planned(4)), None);
        assert!(pair.may_differ(Planned(4)).expect("games") < 1.0);
        let same = Pair::of(&first, &first);
        assert_eq!(same.interval(Planned(4)).expect("games").half_width(), 0.0);
        assert!(0.4 < same.may_differ(Planned(4)).expect("games"));
    }

    #[test]
    fn a_pair_goes_on_where_it_stood() {
        let [first, second] = [3_u32, 7].map(|factor| {
            games(
                &(0..500)
                    .map(|i: u32| (4 * (i * factor % 301), 5 + (i % 5) as u8))
                    .collect::<Vec<_>>(),
            )
        });
        let whole = Pair::of(&first, &second);
        let (mut onward, mut merged) = (Pair::default(), Pair::default());
        for part in [0..1, 1..200, 200..200, 200..500] {
            onward.put(&first, &second, part.clone());
            let mut alone = Pair::default();
            alone.put(&first, &second, part);
            merged.merge(&alone);
        }
        assert_eq!((&onward, &merged), (&whole, &whole));

        // Part of the games is paired by index.
        let mut part = Games::unplayed(200..500);
        part.put(
            200,
            &(200..500)
                .filter_map(|index| second.get(index))
                .collect::<Vec<_>>(),
        );
        let mut beyond = Pair::default();
        beyond.put(&first, &second, 200..500);
        assert_eq!(Pair::of(&first, &part), beyond);
        // Before the end the interval is valid at any time.
        let [early, end] = [1000, 500].map(|planned| {
            whole
                .interval(Planned(planned))
                .expect("games")
                .half_width()
        });
        assert!(1.5 * end < early, "{early} {end}");
    }
}

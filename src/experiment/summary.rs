//! What many games of one strategy come to.

use std::time::Duration;

use crate::game::Rank;
use crate::stats::{Interval, Moments, Planned, ScoreCounts};
use crate::strategy::Outcome;

/// Places for every rank there is, 0 (none) included.
const RANKS: usize = Rank::MAX.get() as usize + 1;

/// The sum of many games. [`merge`](Self::merge) in any order gives the same sum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub scores: ScoreCounts,
    moves: u64,
    moves_squared: u128,
    /// Games by the rank of their largest tile.
    largest: [u64; RANKS],
    /// CPU time of the worker threads added up ([`cpu_time`](crate::task::cpu_time)): what else the machine does is left out.
    pub worker_time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    pub tile: u64,
    /// Games with this tile or a larger one.
    pub games: u64,
    /// Share of all games, from 0 to 1.
    pub share: f64,
    /// The 95 % interval of the share: Wilson's at the planned end, before it a confidence sequence.
    pub ci95: Interval,
}

impl Summary {
    pub const EMPTY: Self = Self {
        scores: ScoreCounts::EMPTY,
        moves: 0,
        moves_squared: 0,
        largest: [0; RANKS],
        worker_time: Duration::ZERO,
    };

    /// The ranks of reach rates: 64 to 131072.
    const REACHED: std::ops::RangeInclusive<u8> = 6..=17;

    /// The tiles of reach rates: 64, 128 … 131072.
    pub fn reached_tiles() -> Vec<u64> {
        Self::REACHED.filter_map(Rank::new).map(Rank::tile).collect()
    }

    /// Some games and the time a worker took for them.
    pub fn of_games(games: &[Outcome], worker_time: Duration) -> Self {
        let mut largest = [0; RANKS];
        for game in games {
            largest[usize::from(game.largest.get())] += 1;
        }
        Self {
            scores: games.iter().map(|game| game.score).collect(),
            moves: games.iter().map(|game| u64::from(game.moves)).sum(),
            moves_squared: games.iter().map(|game| u128::from(game.moves).pow(2)).sum(),
            largest,
            worker_time,
        }
    }

    /// Some scores of which nothing else is known.
    pub fn of_scores(scores: ScoreCounts) -> Self {
        Self { scores, ..Self::EMPTY }
    }

    pub fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        self.moves += other.moves;
        self.moves_squared += other.moves_squared;
        self.largest.iter_mut().zip(other.largest).for_each(|(ours, theirs)| *ours += theirs);
        self.worker_time += other.worker_time;
    }

    pub fn games(&self) -> u64 {
        self.scores.count()
    }

    /// Number, mean and standard deviation of the moves of a game; `None` without any game.
    pub fn moves(&self) -> Option<Moments> {
        let n = u128::from(self.games());
        let mean = self.moves_per_game()?;
        // Exact up to the division, as in `ScoreCounts`.
        let spread = n * self.moves_squared - u128::from(self.moves).pow(2);
        let std_dev = (1 < n).then(|| (spread as f64 / (n * (n - 1)) as f64).sqrt());
        Some(Moments { count: self.games(), mean, std_dev })
    }

    pub fn moves_per_game(&self) -> Option<f64> {
        (0 < self.games()).then(|| self.moves as f64 / self.games() as f64)
    }

    pub fn reached(&self, rank: Rank) -> u64 {
        self.largest[usize::from(rank.get())..].iter().sum()
    }

    /// Reach rates of 64, 128 … 131072; empty without any game.
    pub fn reach(&self, planned: Planned) -> Vec<Reach> {
        let reach = |rank: Rank| {
            let games = self.reached(rank);
            let ci95 = planned.share_interval(games, self.games())?;
            Some(Reach { tile: rank.tile(), games, share: games as f64 / self.games() as f64, ci95 })
        };
        Self::REACHED.filter_map(Rank::new).filter_map(reach).collect()
    }

    /// Games per second of CPU time, so of one thread that has a core for itself.
    pub fn games_per_second(&self) -> Option<f64> {
        let seconds = self.worker_time.as_secs_f64();
        (0.0 < seconds).then(|| self.games() as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn game(score: u32, exponent: u8, moves: u32) -> Outcome {
        Outcome { score, largest: Rank::new(exponent).expect("a rank"), moves }
    }

    proptest! {
        #[test]
        fn parts_of_a_run_merge_in_any_order_to_the_whole(
            games in vec((0..100_000_u32, 1..=17_u8, 0..5000_u32, 0..4_usize), 0..200),
            order in Just([0, 1, 2, 3_usize]).prop_shuffle(),
        ) {
            let outcome = |&(score, rank, moves, _): &_| game(score, rank, moves);
            let whole: Vec<Outcome> = games.iter().map(outcome).collect();
            let time = Duration::from_millis;
            let mut sum = Summary::EMPTY;
            for part in order {
                let part: Vec<Outcome> = games.iter().filter(|game| game.3 == part).map(outcome).collect();
                sum.merge(&Summary::of_games(&part, time(part.len() as u64)));
            }
            prop_assert_eq!(&sum, &Summary::of_games(&whole, time(whole.len() as u64)));
            prop_assert_eq!(sum.games(), whole.len() as u64);
            prop_assert_eq!(sum.scores.quartiles(), whole.iter().map(|game| game.score).collect::<ScoreCounts>().quartiles());
        }
    }

    #[test]
    fn a_tile_is_reached_by_every_game_with_a_larger_one() {
        let summary = Summary::of_games(&[game(1, 6, 1), game(1, 7, 1), game(1, 11, 1), game(1, 5, 1)], Duration::ZERO);
        let reach = summary.reach(Planned(4));
        assert_eq!((reach[0].tile, reach[0].games, reach[0].share), (64, 3, 0.75));
        assert_eq!((reach[5].tile, reach[5].games), (2048, 1));
        assert_eq!(reach.last().map(|reach| (reach.tile, reach.games)), Some((131_072, 0)));
        assert!(Summary::EMPTY.reach(Planned(4)).is_empty());
    }
}

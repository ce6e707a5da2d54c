//! Summary statistics of many games of one strategy.

use std::time::Duration;

use super::by_empty::{Decisions, Sums};
use super::folder::Game;
use crate::game::{Rank, Rules, Size};
use crate::stats::{Interval, Moments, Planned, ScoreCounts};
use crate::strategy::Outcome;

/// Slots for all ranks, including 0 (none).
const RANKS: usize = Rank::MAX.get() as usize + 1;

/// A summary of many games. [`merge`](Self::merge) in any order gives the same summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    pub scores: ScoreCounts,
    /// Moves of all games by the rank of their largest tile, and the sum of their squares.
    moves: [u64; RANKS],
    moves_squared: [u128; RANKS],
    /// Games by the rank of their largest tile.
    largest: [u64; RANKS],
    /// CPU time of all games by the rank of their largest tile.
    times: [Duration; RANKS],
    /// The sum of the squares of their nanoseconds.
    times_squared: [u128; RANKS],
    /// The cost of the games with known cost.
    pub cost: Cost,
    /// The number of games with unknown cost.
    uncosted: u64,
    /// Nodes by empty cells of the games that have them.
    by_empty: Sums,
}

/// The cost of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Total CPU time of the worker threads ([`cpu_time`](crate::task::cpu_time)), without other load on the machine.
    pub time: Duration,
    /// Nodes visited by their searches, including leaves; 0 without search.
    pub nodes: u64,
}

impl Cost {
    const NONE: Self = Self {
        time: Duration::ZERO,
        nodes: 0,
    };

    /// That share of the cost, from 0 to 1.
    pub fn part(self, share: f64) -> Self {
        Self {
            time: self.time.mul_f64(share),
            nodes: (self.nodes as f64 * share).round() as u64,
        }
    }
}

impl From<Duration> for Cost {
    fn from(time: Duration) -> Self {
        Self { time, ..Self::NONE }
    }
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Self) {
        self.time += other.time;
        self.nodes += other.nodes;
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        let mut sum = Self::NONE;
        costs.for_each(|one| sum += one);
        sum
    }
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
        moves: [0; RANKS],
        moves_squared: [0; RANKS],
        largest: [0; RANKS],
        times: [Duration::ZERO; RANKS],
        times_squared: [0; RANKS],
        cost: Cost::NONE,
        uncosted: 0,
        by_empty: Sums::EMPTY,
    };

    /// The ranks of reach rates: 64 to 131072.
    const REACHED: std::ops::RangeInclusive<u8> = 6..=17;

    /// The ranks of reach rates: those of 64, 128 … 131072.
    pub fn reached_ranks() -> impl Iterator<Item = Rank> {
        Self::REACHED.filter_map(Rank::new)
    }

    /// The tiles of reach rates: 64, 128 … 131072.
    pub fn reached_tiles() -> Vec<u64> {
        Self::reached_ranks().map(Rank::tile).collect()
    }

    /// The ranks of reach rates for these rules: from the first informative one to the largest possible.
    pub fn reached_ranks_of(rules: &Rules) -> impl Iterator<Item = Rank> + use<> {
        // A given start board may have any tile.
        let most = if rules.start.is_some() {
            Rank::MAX
        } else {
            Rules::largest(rules.size)
        };
        (Self::first_reached(rules.size)..=most.get().min(*Self::REACHED.end()))
            .filter_map(Rank::new)
    }

    /// Some games and their total cost, shared equally.
    pub fn of_games(games: &[Outcome], cost: impl Into<Cost>) -> Self {
        let cost = cost.into();
        let each = Cost::from(
            cost.time
                .checked_div(games.len() as u32)
                .unwrap_or_default(),
        );
        Self {
            cost,
            ..Self::of_played(games.iter().map(|&game| (game, Some(each))))
        }
    }

    /// Some games and the cost of each. `None` if a cost was lost.
    pub fn of_played(games: impl Iterator<Item = (Outcome, Option<Cost>)> + Clone) -> Self {
        let scores = games.clone().map(|(game, _)| game.score).collect();
        let mut summary = Self {
            scores,
            ..Self::EMPTY
        };
        for (game, cost) in games {
            let rank = usize::from(game.largest.get());
            summary.largest[rank] += 1;
            summary.moves[rank] += u64::from(game.moves);
            summary.moves_squared[rank] += u128::from(game.moves).pow(2);
            if let Some(cost) = cost {
                summary.times[rank] += cost.time;
                summary.times_squared[rank] += cost.time.as_nanos().pow(2);
                summary.cost += cost;
            } else {
                summary.uncosted += 1;
            }
        }
        summary
    }

    /// Some games as a run keeps them.
    pub fn of_kept(games: &[Game]) -> Self {
        let by_empty = games.iter().map(|game| &game.by_empty).collect();
        Self {
            by_empty,
            ..Self::of_played(games.iter().map(|game| (game.finish.outcome, game.cost())))
        }
    }

    /// The summary of some of its games. Each is assumed to take as long as the average game with the same largest
    /// tile. `by_empty` are nodes by empty cells of all these games, if known.
    #[must_use]
    pub(super) fn cut_to(&self, games: &[Outcome], by_empty: Option<Sums>) -> Self {
        let mut cut = Self::of_games(
            games,
            self.cost
                .part(games.len() as f64 / self.games().max(1) as f64),
        );
        // It is not known which of these games have lost costs.
        cut.uncosted = self.uncosted.min(cut.games());
        for (rank, (time, squared)) in cut.times.iter_mut().zip(&mut cut.times_squared).enumerate()
        {
            let share = cut.largest[rank] as f64 / self.largest[rank].max(1) as f64;
            *time = self.times[rank].mul_f64(share);
            *squared = (self.times_squared[rank] as f64 * share).round() as u128;
        }
        if let Some(by_empty) = by_empty.filter(|_| self.nodes_by_empty().is_ok()) {
            cut.cost.nodes = by_empty.nodes();
            cut.by_empty = by_empty;
        }
        cut
    }

    /// Scores without any other data.
    pub fn of_scores(scores: ScoreCounts) -> Self {
        Self {
            scores,
            ..Self::EMPTY
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.scores.merge(&other.scores);
        self.moves
            .iter_mut()
            .zip(other.moves)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.moves_squared
            .iter_mut()
            .zip(other.moves_squared)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.largest
            .iter_mut()
            .zip(other.largest)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.times
            .iter_mut()
            .zip(other.times)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.times_squared
            .iter_mut()
            .zip(other.times_squared)
            .for_each(|(ours, theirs)| *ours += theirs);
        self.cost += other.cost;
        self.uncosted += other.uncosted;
        self.by_empty.merge(&other.by_empty);
    }

    /// The cost of all its games. `None` if the cost of one was lost.
    pub fn whole_cost(&self) -> Option<Cost> {
        (self.uncosted == 0).then_some(self.cost)
    }

    pub fn games(&self) -> u64 {
        self.scores.count()
    }

    /// Number, mean and standard deviation of the moves of a game. `None` without games.
    pub fn moves(&self) -> Option<Moments> {
        self.moves_from(0)
    }

    /// The same for the games that reached a tile. `None` if none did.
    pub fn moves_reaching(&self, rank: Rank) -> Option<Moments> {
        self.moves_from(usize::from(rank.get()))
    }

    fn moves_from(&self, rank: usize) -> Option<Moments> {
        let count: u64 = self.largest[rank..].iter().sum();
        let moves: u64 = self.moves[rank..].iter().sum();
        let squared: u128 = self.moves_squared[rank..].iter().sum();
        let n = u128::from(count);
        // Exact up to the division, as in `ScoreCounts`.
        let spread = n * squared - u128::from(moves).pow(2);
        let std_dev = (1 < n).then(|| (spread as f64 / (n * (n - 1)) as f64).sqrt());
        (0 < n).then(|| Moments {
            count,
            mean: moves as f64 / count as f64,
            std_dev,
        })
    }

    /// CPU seconds of the games that reached a tile. `None` if none did, or if a cost was lost.
    pub fn seconds_reaching(&self, rank: Rank) -> Option<Moments> {
        self.whole_cost()?;
        let rank = usize::from(rank.get());
        let count: u64 = self.largest[rank..].iter().sum();
        let seconds = self.times[rank..].iter().sum::<Duration>().as_secs_f64();
        let squared = self.times_squared[rank..].iter().sum::<u128>() as f64 / 1e18;
        let n = count as f64;
        let spread = (n * squared - seconds * seconds).max(0.0);
        let std_dev = (1 < count).then(|| (spread / (n * (n - 1.0))).sqrt());
        (0 < count).then(|| Moments {
            count,
            mean: seconds / n,
            std_dev,
        })
    }

    /// Mean CPU seconds per move. `None` without moves, or if a cost was lost.
    pub fn seconds_per_move(&self) -> Option<f64> {
        let moves: u64 = self.moves.iter().sum();
        let cost = self.whole_cost()?;
        (moves != 0).then(|| cost.time.as_secs_f64() / moves as f64)
    }

    pub fn moves_per_game(&self) -> Option<f64> {
        self.moves().map(|moves| moves.mean)
    }

    /// Mean number of nodes searched per move. `None` without search, or if a cost was lost. A transposition table that
    /// stays filled from earlier moves saves nodes.
    pub fn nodes_per_move(&self) -> Option<f64> {
        let moves: u64 = self.moves.iter().sum();
        let cost = self.whole_cost()?;
        (cost.nodes != 0 && moves != 0).then(|| cost.nodes as f64 / moves as f64)
    }

    /// Decisions and their nodes for each number of empty cells of the board to move, rising; empty without search. If
    /// they were not kept for all games, or a cost was lost, for how many they were.
    pub fn nodes_by_empty(&self) -> Result<Vec<(usize, Decisions)>, u64> {
        let is_whole = self
            .whole_cost()
            .is_some_and(|cost| cost.nodes == self.by_empty.nodes());
        if !is_whole {
            return Err(self.by_empty.games);
        }
        let searched = self.by_empty.decided().filter(|_| self.cost.nodes != 0);
        Ok(searched
            .map(|(empty, decisions)| (empty, *decisions))
            .collect())
    }

    pub fn reached(&self, rank: Rank) -> u64 {
        self.largest[usize::from(rank.get())..].iter().sum()
    }

    /// How often games reached a tile. `None` without games.
    pub fn reach(&self, rank: Rank, planned: Planned) -> Option<Reach> {
        let games = self.reached(rank);
        let ci95 = planned.share_interval(games, self.games())?;
        Some(Reach {
            tile: rank.tile(),
            games,
            share: games as f64 / self.games() as f64,
            ci95,
        })
    }

    /// Reach rates from a rank up to that of 131072. Empty without games.
    pub fn reach_from(&self, first: u8, planned: Planned) -> Vec<Reach> {
        let ranks = (first..=*Self::REACHED.end()).filter_map(Rank::new);
        ranks.filter_map(|rank| self.reach(rank, planned)).collect()
    }

    /// The rank of the first informative tile on such a board: 64, or 8 on boards with few cells.
    pub fn first_reached(size: Size) -> u8 {
        if size.cells() < 12 {
            3
        } else {
            *Self::REACHED.start()
        }
    }

    /// Games per second of CPU time, that is, of one thread with a core for itself.
    pub fn games_per_second(&self) -> Option<f64> {
        let seconds = self.whole_cost()?.time.as_secs_f64();
        (0.0 < seconds).then(|| self.games() as f64 / seconds)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn game(score: u32, exponent: u8, moves: u32) -> Outcome {
        Outcome {
            score,
            largest: Rank::new(exponent).expect("a rank"),
            moves,
        }
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
        let summary = Summary::of_games(
            &[game(1, 6, 1), game(1, 7, 1), game(1, 11, 1), game(1, 5, 1)],
            Duration::ZERO,
        );
        let reach = summary.reach_from(6, Planned(4));
        assert_eq!(
            (reach[0].tile, reach[0].games, reach[0].share),
            (64, 3, 0.75)
        );
        assert_eq!((reach[5].tile, reach[5].games), (2048, 1));
        assert_eq!(
            reach.last().map(|reach| (reach.tile, reach.games)),
            Some((131_072, 0))
        );
        assert!(Summary::EMPTY.reach_from(6, Planned(4)).is_empty());
        assert_eq!(Summary::EMPTY.reach(Rank::FOUR, Planned(4)), None);
    }

    #[test]
    fn reach_rates_are_those_of_tiles_that_can_be() {
        for (size, first, last) in [
            ("2x2", 8, 32),
            ("2x3", 8, 128),
            ("3x3", 8, 1024),
            ("4x4", 64, 131_072),
        ] {
            let rules = Rules {
                size: size.parse().expect(size),
                ..Rules::default()
            };
            let tiles: Vec<u64> = Summary::reached_ranks_of(&rules).map(Rank::tile).collect();
            assert_eq!(
                (tiles.first(), tiles.last()),
                (Some(&first), Some(&last)),
                "{size}"
            );
            assert!(Rules::read_stop_at(last, rules.size).is_ok());
        }
    }

    #[test]
    fn moves_of_games_that_reached_a_tile_are_those_of_these_games_alone() {
        let games = [
            game(1, 6, 10),
            game(1, 7, 20),
            game(1, 11, 900),
            game(1, 12, 1100),
        ];
        let summary = Summary::of_games(&games, Duration::ZERO);
        for exponent in 1..=12 {
            let rank = Rank::new(exponent).expect("a rank");
            let those: Vec<Outcome> = games
                .iter()
                .copied()
                .filter(|game| rank <= game.largest)
                .collect();
            assert_eq!(
                summary.moves_reaching(rank),
                Summary::of_games(&those, Duration::ZERO).moves(),
                "{exponent}"
            );
        }
        assert_eq!(summary.moves_reaching(Rank::new(13).expect("a rank")), None);
    }

    #[test]
    fn seconds_of_games_that_reached_a_tile_are_those_of_these_games_alone() {
        let games = [
            (game(1, 6, 10), 1),
            (game(1, 7, 20), 2),
            (game(1, 11, 900), 30),
            (game(1, 11, 1100), 50),
        ];
        let cost = |secs| Cost {
            time: Duration::from_secs(secs),
            nodes: 10 * secs,
        };
        let summary = Summary::of_played(
            games
                .into_iter()
                .map(|(game, secs)| (game, Some(cost(secs)))),
        );
        let rank = |exponent| Rank::new(exponent).expect("a rank");
        let means = |summary: &Summary| {
            [6, 7, 11, 12].map(|exponent| Some(summary.seconds_reaching(rank(exponent))?.mean))
        };
        assert_eq!(
            means(&summary),
            [Some(83.0 / 4.0), Some(82.0 / 3.0), Some(40.0), None]
        );
        let std_dev = summary
            .seconds_reaching(rank(11))
            .and_then(|seconds| seconds.std_dev)
            .expect("two games");
        assert!((std_dev - 200_f64.sqrt()).abs() < 1e-9, "{std_dev}");
        assert_eq!(
            (summary.cost, summary.seconds_per_move()),
            (cost(83), Some(83.0 / 2030.0))
        );
        // After the cut, each game takes the average of its kind.
        let cut = summary.cut_to(&[games[0].0, games[3].0], None);
        assert_eq!(
            (means(&cut), cut.games()),
            ([Some(20.5), Some(40.0), Some(40.0), None], 2)
        );

        // The time of some games is not the time of all.
        let mut lost = Summary::of_played([(games[0].0, None)].into_iter());
        lost.merge(&summary);
        let times = (
            lost.seconds_per_move(),
            lost.nodes_per_move(),
            lost.games_per_second(),
            means(&lost)[0],
        );
        assert_eq!(
            (
                times,
                lost.whole_cost(),
                lost.cut_to(&[games[0].0], None).whole_cost()
            ),
            ((None, None, None, None), None, None)
        );
    }
}

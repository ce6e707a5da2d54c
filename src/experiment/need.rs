//! How many games are needed to detect a difference, given the spread of differences so far.

use std::time::Duration;

use super::{Plan, Results};
use crate::game::Seed;
use crate::search::SearchOptions;
use crate::stats::{Moments, PairedSums, ScoreCounts, pairs_to_find};
use crate::strategy::Player;
use crate::task::CancelToken;

/// The score of a strategy, and the spread of the differences of others to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean of the strategy that the others are compared with.
    pub mean: f64,
    /// The standard deviation of the differences to it, game by game on the same seeds; the largest of all strategies.
    pub std_dev: f64,
    /// The number of games that it is based on.
    pub games: u64,
    /// Whether another strategy was measured. If not, it is assumed to have the same spread and to be independent.
    pub is_paired: bool,
}

impl Spread {
    /// Differences of interest, as shares of the mean.
    pub const SHARES: [f64; 4] = [0.10, 0.05, 0.02, 0.01];

    /// From pairs of a strategy and the baseline. Pairs without any difference are ignored.
    pub fn of_pairs<'a>(pairs: impl IntoIterator<Item = &'a PairedSums>) -> Option<Self> {
        let spread = |pair: &PairedSums| {
            let Moments { count, std_dev, .. } = pair.difference()?;
            let std_dev = std_dev.filter(|std_dev| 0.0 < *std_dev)?;
            Some(Self {
                mean: pair.means()?[1],
                std_dev,
                games: count,
                is_paired: true,
            })
        };
        pairs
            .into_iter()
            .filter_map(spread)
            .max_by(|a, b| a.std_dev.total_cmp(&b.std_dev))
    }

    /// From one strategy alone.
    pub fn of_one(
        Moments {
            count,
            mean,
            std_dev,
        }: Moments,
    ) -> Option<Self> {
        let std_dev = std_dev.filter(|std_dev| 0.0 < *std_dev)? * std::f64::consts::SQRT_2;
        Some(Self {
            mean,
            std_dev,
            games: count,
            is_paired: false,
        })
    }

    /// From the games that end within a time. `None` if they are too few.
    pub fn by_trial(plan: &Plan, time: Duration) -> Option<Self> {
        const ARMS: usize = 4;
        const GAMES: std::ops::Range<u64> = 10..400;
        let arms = &plan.contestants[..plan.contestants.len().min(ARMS)];
        let scores = arms.iter().map(|contestant| {
            let player = Player::new(&contestant.strategy, contestant.rules(plan.rules));
            let mut scores: Vec<u32> = Vec::new();
            CancelToken::new().within(Some(time / arms.len() as u32), |stop| {
                for index in 0..GAMES.end {
                    let score = player
                        .play(
                            &Seed(1).game(index),
                            SearchOptions::on_one_core(stop),
                            &mut (),
                        )
                        .score;
                    if stop.is_cancelled() {
                        break;
                    }
                    scores.push(score);
                }
            });
            scores
        });

        let scores: Vec<Vec<u32>> = scores.collect();
        let enough = scores
            .iter()
            .all(|scores| GAMES.start <= scores.len() as u64);
        if enough {
            Self::of_scores(&scores)
        } else {
            None
        }
    }

    /// From games starting at index 0, those of the first strategy first.
    pub(super) fn of_scores(scores: &[Vec<u32>]) -> Option<Self> {
        let (first, others) = scores.split_first()?;
        let pair = |other: &Vec<u32>| {
            let mut pair = PairedSums::default();
            other
                .iter()
                .zip(first)
                .for_each(|(one, other)| pair.put(*one, *other));
            pair
        };
        if others.is_empty() {
            return Self::of_one(first.iter().copied().collect::<ScoreCounts>().moments()?);
        }
        Self::of_pairs(&others.iter().map(pair).collect::<Vec<PairedSums>>())
    }

    /// From the games of a run.
    pub fn of_results(results: &Results) -> Option<Self> {
        match results.comparisons() {
            Some(all) => Self::of_pairs(
                (0..results.contestants.len()).filter_map(|place| Some(&all.pair(place)?.scores)),
            ),
            None => Self::of_one(results.contestants.first()?.summary.scores.moments()?),
        }
    }

    /// The number of games of each strategy that detects a difference of this share of the mean in 80 of 100 runs, at 5
    /// %.
    pub fn games_to_find(&self, share: f64) -> Option<u64> {
        pairs_to_find(share * self.mean, self.std_dev)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_games_are_needed_where_more_of_them_are_alike() {
        let pairs = |every: u32| {
            let mut sums = PairedSums::default();
            (0..1000_u32).for_each(|i| sums.put(1000 + if i % every == 0 { i } else { 0 }, 1000));
            sums
        };
        let [wide, narrow] = [1, 50].map(pairs);
        let spread = Spread::of_pairs([&narrow, &wide]).expect("a spread");
        assert_eq!((spread.mean, spread.games), (1000.0, 1000));
        assert_eq!(Some(spread), Spread::of_pairs([&wide]));
        let games = |sums: &PairedSums| Spread::of_pairs([sums])?.games_to_find(0.02);
        assert!(3 * games(&narrow).expect("games") < games(&wide).expect("games"));

        // Half the difference takes four times as many games.
        let [ten, five] =
            [0.1, 0.05].map(|share| spread.games_to_find(share).expect("games") as f64);
        assert!((3.5..4.0).contains(&(five / ten)), "{ten} {five}");
        assert_eq!(Spread::of_pairs([&PairedSums::default()]), None);
        let alone = Spread::of_one(Moments {
            count: 9,
            mean: 500.0,
            std_dev: Some(100.0),
        })
        .expect("a spread");
        // d = 50/141.4: (2.8016/0.35355)² + 1.92 = 64.7.
        assert_eq!(alone.games_to_find(0.1), Some(65));
    }
}

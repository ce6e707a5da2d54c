//! Points gained by a better move when the strategy itself plays the rest of the game.
//!
//! A judge's loss assumes that the judge plays the rest of the game. A judge far stronger than the player is no guide to an edit: the
//! player may never reach the score that the judge expects. Here the strategy is its own judge. It plays to the end of the game from
//! the played move and from a better one, both on the same tiles (game `i` of each uses the same draws). The mean difference in points
//! estimates what changing this one move gains.
//!
//! The interval is a confidence sequence (see [`Planned`]), which is valid at every number of games at once. So playing may stop
//! as soon as the interval excludes 0, after [`MOST`](OwnPlay::MOST) games at the latest. Each interval is valid by itself only:
//! of a hundred moves of equal worth, up to five may seem to differ.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Decider;
use super::death::SEED;
use super::playout::{NoMove, Playout};
use crate::game::{Moment, Move, Rules};
use crate::search::SearchOptions;
use crate::stats::{Interval, PairedSums, Planned};
use crate::task::CancelToken;

/// Two moves of a position, each followed by the strategy's own play to the end of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnPlay {
    /// The alternative to the played move.
    pub other: Move,
    /// Points with `other` minus points with the played move, one entry per game.
    pub(super) gains: Vec<i32>,
}

/// The result for the other move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OwnFinding {
    /// The interval lies above 0: the other move is worth more.
    Better,
    /// The interval lies below 0: the other move is worth less.
    Worse,
    /// The interval contains 0, or is not known yet.
    Open,
}

impl OwnPlay {
    /// Maximum number of games with each move.
    pub const MOST: u64 = 200;

    /// Number of games with each move.
    pub fn games(&self) -> u64 {
        self.gains.len() as u64
    }

    /// Mean gain of the other move in points; `None` without a game.
    pub fn gain(&self) -> Option<f64> {
        Some(self.sums().difference()?.mean)
    }

    /// The 95 % confidence sequence of the gain, valid at every number of games; `None` below fifty games.
    pub fn interval(&self) -> Option<Interval> {
        // The planned end is never reached, so the interval is valid at any number of games.
        Planned(Self::MOST + 1).difference_interval(&self.sums())
    }

    /// What the interval says about the other move.
    pub fn finding(&self) -> OwnFinding {
        match self.interval() {
            Some(ends) if 0.0 < ends.low => OwnFinding::Better,
            Some(ends) if ends.high < 0.0 => OwnFinding::Worse,
            _ => OwnFinding::Open,
        }
    }

    /// Whether no more games are needed.
    pub fn is_over(&self) -> bool {
        Self::MOST <= self.games() || self.finding() != OwnFinding::Open
    }

    fn sums(&self) -> PairedSums {
        let mut sums = PairedSums::default();
        self.gains
            .iter()
            .for_each(|&gain| sums.put(gain.max(0).unsigned_abs(), gain.min(0).unsigned_abs()));
        sums
    }

    /// A comparison without games.
    pub(super) fn begun(other: Move) -> Self {
        Self {
            other,
            gains: Vec::new(),
        }
    }

    /// Plays from `before` with both moves until the comparison is over; `None` if stopped.
    pub fn ask(
        player: &Decider,
        before: &Moment,
        [played, other]: [Move; 2],
        rules: Rules,
        stop: &CancelToken,
    ) -> Result<Option<Self>, NoMove> {
        let mut found = Self::begun(other);
        while !found.is_over() {
            if found
                .play_round(player, before, played, rules, stop)?
                .is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Plays one game with each move on every thread of the pool. The number of games at the end does not depend on the number of
    /// threads. `None` if stopped; the games before the first unfinished one stay.
    pub(super) fn play_round(
        &mut self,
        player: &Decider,
        before: &Moment,
        played: Move,
        rules: Rules,
        stop: &CancelToken,
    ) -> Result<Option<()>, NoMove> {
        let other = self.other;
        let round = rayon::current_num_threads().max(1) as u64;
        let gain = |game: u64| {
            let chance = SEED.game(game);
            let points = |first: Move| {
                let playout = Playout {
                    start: *before,
                    first: Some(first),
                    chance: &chance,
                    p4: rules.p4,
                    stop,
                };
                points(&playout, player, rules)
            };
            let (Some(other), Some(played)) = (points(other)?, points(played)?) else {
                return Ok(None);
            };
            Ok(Some(
                (other - played).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32,
            ))
        };

        let first = self.games();
        let games = first..Self::MOST.min(first + round);
        let gains: Vec<Result<Option<i32>, NoMove>> = games.into_par_iter().map(gain).collect();

        for gain in gains {
            if self.is_over() {
                break;
            }
            let Some(gain) = gain? else { return Ok(None) };
            self.gains.push(gain);
        }
        Ok(Some(()))
    }
}

/// The points the player gains until the end of the game; `None` if stopped.
fn points(playout: &Playout<'_>, player: &Decider, rules: Rules) -> Result<Option<i64>, NoMove> {
    let options = SearchOptions::on_one_core(playout.stop);
    let is_won = |moment: &Moment| {
        rules
            .stop_at
            .is_some_and(|tile| tile <= moment.board.max_rank())
    };
    let decide = |turn, moment: &Moment| {
        player.decide(
            &moment.board,
            moment.score,
            |n| playout.chance.tie(turn, n),
            options,
        )
    };

    let end = playout.play(decide, |_, moment| !is_won(moment))?;
    Ok(end.map(|end| i64::try_from(end.score - playout.start.score).unwrap_or(i64::MAX)))
}

/// Results of own play by the index of the move, from 0.
pub(super) type OwnPlays = BTreeMap<usize, OwnPlay>;

#[cfg(test)]
mod tests {
    use super::super::tests::{game, judge, reviewed, rules, table};
    use super::*;
    use crate::strategy::Strategy;
    use crate::task::in_pool;

    /// Compares each move of randomly played games with every other legal move. Returns the exact gain from the solved table and
    /// the result of optimal play.
    fn asked(size: &str, games: u64) -> Vec<(f64, OwnPlay)> {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = rules(size, 0.1);
        let text = table(folder.path(), rules);
        let judge = judge(&text, rules);
        let best: Strategy = text.parse().expect("a strategy");
        let player = Decider::new(&best, rules).expect("it plays");
        let mut all = Vec::new();

        for index in 0..games {
            let review = reviewed(&game("r", rules, 5, index), &judge, 1);
            for verdict in review.verdicts().expect("judged") {
                let others = verdict
                    .before
                    .board
                    .legal_moves()
                    .into_iter()
                    .filter(|&mv| mv != verdict.mv);
                for other in others {
                    let gain = verdict.loss - verdict.look.loss(other).expect("legal");
                    let moves = [verdict.mv, other];
                    let found =
                        OwnPlay::ask(&player, &verdict.before, moves, rules, &CancelToken::new());
                    all.push((
                        gain.to_f64(),
                        found.expect("it moves").expect("it is not stopped"),
                    ));
                }
            }
        }
        all
    }

    #[test]
    fn what_best_play_wins_is_the_true_regret_and_few_intervals_miss_it() {
        let all = asked("2x2", 12);
        assert!(60 < all.len(), "{}", all.len());
        let misses = all.iter().filter(|(gain, found)| {
            let ends = found.interval().expect("fifty games");
            !(ends.low - 1e-3..=ends.high + 1e-3).contains(gain)
        });
        let (misses, count) = (misses.count(), all.len());
        assert!(misses as f64 <= 0.05 * count as f64, "{misses} of {count}");

        // A large difference needs fewer games than a small one.
        let over = |far: bool| {
            let games: Vec<u64> = all
                .iter()
                .filter(|(gain, _)| (20.0 < gain.abs()) == far)
                .map(|(_, found)| found.games())
                .collect();
            games.iter().sum::<u64>() as f64 / games.len() as f64
        };
        assert!(over(true) < over(false), "{} {}", over(true), over(false));
    }

    #[test]
    fn two_moves_of_equal_worth_are_rarely_told_apart() {
        let all = asked("2x2", 40);
        let equal: Vec<&OwnPlay> = all
            .iter()
            .filter(|(gain, _)| *gain == 0.0)
            .map(|(_, found)| found)
            .collect();
        assert!(40 < equal.len(), "{}", equal.len());
        let apart = equal
            .iter()
            .filter(|found| found.finding() != OwnFinding::Open)
            .count();
        assert!(
            apart as f64 <= 0.05 * equal.len() as f64,
            "{apart} of {}",
            equal.len()
        );
        assert!(
            equal
                .iter()
                .all(|found| found.finding() != OwnFinding::Open || found.games() == OwnPlay::MOST)
        );
    }

    #[test]
    fn the_games_are_the_same_on_any_number_of_threads() {
        let rules = rules("3x3", 0.1);
        let record = game("emr", rules, 5, 1);
        let player = Decider::of_record(&record).expect("emr");
        let before = record.replay()[20];
        let mut legal = before.board.legal_moves().into_iter();
        let moves = [
            legal.next().expect("a move"),
            legal.next().expect("another move"),
        ];

        let ask = |threads: usize| {
            in_pool(threads, || {
                OwnPlay::ask(&player, &before, moves, rules, &CancelToken::new())
            })
            .expect("threads")
        };
        let found = ask(1).expect("it moves").expect("it is not stopped");
        assert_eq!(ask(3), Ok(Some(found.clone())));

        // With the moves swapped, each game's gain changes its sign.
        let turned = OwnPlay::ask(
            &player,
            &before,
            [moves[1], moves[0]],
            rules,
            &CancelToken::new(),
        );
        let turned = turned.expect("it moves").expect("it is not stopped");
        let both = turned.gains.iter().zip(&found.gains);
        assert!(both.clone().count() != 0 && both.clone().all(|(one, other)| *one == -other));

        let stop = CancelToken::new();
        stop.cancel();
        assert_eq!(
            OwnPlay::ask(&player, &before, moves, rules, &stop),
            Ok(None)
        );
    }

    #[test]
    fn a_game_that_ends_at_a_tile_is_played_no_further() {
        let rules = Rules {
            stop_at: Some(crate::game::Rank::new(5).expect("32")),
            ..rules("3x3", 0.1)
        };
        let record = game("r", rules, 5, 1);
        let player = Decider::of_record(&record).expect("r");
        let before = Moment {
            board: "16,16,0/0,0,0/2,0,0".parse().expect("a board"),
            score: 0,
        };
        // Both slides make the 32 tile, which ends the game.
        let found = OwnPlay::ask(
            &player,
            &before,
            [Move::Left, Move::Right],
            rules,
            &CancelToken::new(),
        );
        let found = found.expect("it moves").expect("played");
        assert!(found.gains.iter().all(|&gain| gain == 0));
    }
}

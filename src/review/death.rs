//! How near to its end a game was: the chance to die within `k` moves from its positions, and the last one that could be survived.
//!
//! From a position the judge, one move ahead, plays on `n` times for `k` moves at most; how many of those games died is a binomial
//! count with a Wilson interval. Game `j` from every position takes its tiles from the same generator (common random numbers), so that
//! positions differ by less than the intervals say. It is the chance of *this* play: a deeper search may survive where it dies.

use rayon::prelude::*;

use super::Judge;
use crate::game::{Board, GameSeed, Moment, Move, Rank, Seed};
use crate::search::SearchOptions;
use crate::stats::{Interval, wilson};
use crate::strategy::Player;
use crate::task::{CancelToken, ThreadsError, in_pool};

/// What is asked of each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeathQuestion {
    /// Within how many moves, at least 1.
    pub moves: u32,
    /// How many games are played on from each position, at least 1.
    pub playouts: u64,
}

impl Default for DeathQuestion {
    /// Within 50 moves, by 200 games: an interval of ± 7 percentage points in the middle.
    fn default() -> Self {
        Self { moves: 50, playouts: 200 }
    }
}

/// How many of the games that were played on from a position died.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeathAt {
    /// Number of the position, from 0.
    pub index: usize,
    pub died: u64,
    pub playouts: u64,
}

impl DeathAt {
    pub fn chance(&self) -> f64 {
        self.died as f64 / self.playouts.max(1) as f64
    }

    /// The 95 % interval of the chance.
    pub fn interval(&self) -> Option<Interval> {
        wilson(self.died, self.playouts)
    }

    /// Whether more than half of the games went on.
    pub fn is_survived(&self) -> bool {
        2 * self.died < self.playouts
    }
}

/// The chance to die along a game, at some of its positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Death {
    pub question: DeathQuestion,
    /// In the order of the game: its last positions all, those before at equal distances.
    pub at: Vec<DeathAt>,
    /// How many moves the game has.
    pub moves: usize,
}

/// The tiles of the games that are played on: no game of an experiment with a seed that people choose has them.
pub(super) const SEED: Seed = Seed(0x005e_ed0f_dea7_4000);

impl Death {
    /// How many of the last positions are looked at one by one.
    pub const LAST: usize = 100;
    /// How many before those.
    pub const BEFORE: usize = 60;

    /// Plays on from the positions of a game; those that were done where it was asked to stop. `told` hears how many are done, of
    /// how many.
    pub fn of(
        moments: &[Moment],
        judge: &Judge,
        question: DeathQuestion,
        threads: usize,
        stop: &CancelToken,
        told: &mut (dyn FnMut(&Self, [usize; 2]) + Send),
    ) -> Result<Self, ThreadsError> {
        let player = Player::new(&judge.at_depth(1), judge.rules());
        let places = places(moments.len());
        let mut death = Self { question, at: Vec::new(), moves: moments.len().saturating_sub(1) };
        in_pool(threads, || {
            for part in places.chunks(threads.max(1)) {
                let ask = |&index: &usize| {
                    at(&player, judge, &moments[index].board, question, stop).map(|died| (index, died))
                };
                let part: Vec<Option<(usize, u64)>> = part.par_iter().map(ask).collect();
                let playouts = question.playouts;
                death.at.extend(part.into_iter().flatten().map(|(index, died)| DeathAt { index, died, playouts }));
                told(&death, [death.at.len(), places.len()]);
                if stop.is_cancelled() {
                    return;
                }
            }
        })?;
        Ok(death)
    }

    /// How many positions of a game with so many are played on.
    pub fn looked_at(positions: usize) -> usize {
        places(positions).len()
    }

    /// The last position from which the judge survived more often than not; `None` where there is none among those looked at.
    pub fn last_survived(&self) -> Option<&DeathAt> {
        self.at.iter().rev().find(|at| at.is_survived())
    }
}

/// The positions that are looked at, in the order of the game.
fn places(positions: usize) -> Vec<usize> {
    let last = positions.saturating_sub(Death::LAST);
    let step = last.div_ceil(Death::BEFORE).max(1);
    (0..last).step_by(step).chain(last..positions).collect()
}

/// How many of the games from a board died; `None` where it was asked to stop.
fn at(player: &Player, judge: &Judge, board: &Board, question: DeathQuestion, stop: &CancelToken) -> Option<u64> {
    let survives = |game: u64| {
        play_on(player, board, None, judge.rules().p4, (&SEED.game(game), question.moves), Goal::Survive, stop)
    };
    (0..question.playouts).map(survives).try_fold(0, |died, survives| Some(died + u64::from(!survives?)))
}

/// What a game that is played on is looked at for.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// Not to be dead after the moves.
    Survive,
    /// A tile of a higher rank at any time.
    Above(Rank),
}

/// Whether a game that is played on, beginning with a move if one is said, comes to the goal within so many moves; `None` where it
/// was asked to stop.
pub(super) fn play_on(
    player: &Player,
    start: &Board,
    first: Option<Move>,
    p4: f64,
    (chance, moves): (&GameSeed, u32),
    goal: Goal,
    stop: &CancelToken,
) -> Option<bool> {
    let mut board = *start;
    for k in 0..moves {
        let decide = || player.decide(&board, 0, |_| 0, SearchOptions::on_one_core(stop), &mut ());
        let chosen = first.filter(|_| k == 0).or_else(decide);
        let Some(slide) = chosen.and_then(|mv| board.slide(mv)) else {
            return (!stop.is_cancelled()).then_some(false);
        };
        board = slide.after.spawn(chance.spawn(k, &slide.after.board(), p4));
        if matches!(goal, Goal::Above(rank) if rank < board.max_rank()) {
            return (!stop.is_cancelled()).then_some(true);
        }
    }
    (!stop.is_cancelled()).then(|| matches!(goal, Goal::Survive) && !board.is_dead())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_positions_are_all_looked_at_and_the_others_at_equal_distances() {
        assert_eq!(places(0), Vec::<usize>::new());
        assert_eq!(places(30), (0..30).collect::<Vec<_>>());
        let places = places(10_000);
        assert_eq!(places[places.len() - Death::LAST..], (9_900..10_000).collect::<Vec<_>>());
        let before = &places[..places.len() - Death::LAST];
        assert!(before.len() <= Death::BEFORE && before.windows(2).all(|pair| pair[1] - pair[0] == 165));
    }
}

//! How near to its end a game was: the chance to die within `k` moves from its positions, and the last one that could be survived.
//!
//! From a position the judge, one move ahead, plays on `n` times for `k` moves at most; how many of those games died is a binomial
//! count with a Wilson interval. Game `j` from every position takes its tiles from the same generator (common random numbers), so that
//! positions differ by less than the intervals say. It is the chance of *this* play: a deeper search may survive where it dies.

use rayon::prelude::*;

use super::playout::{NoMove, Playout};
use super::{Judge, ReviewError};
use crate::game::{Board, Moment, Rank, Seed};
use crate::search::SearchOptions;
use crate::stats::{Interval, wilson};
use crate::strategy::Player;
use crate::task::{CancelToken, in_pool};

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

    /// Plays on from the positions of a game; if stopped, the result has those that were finished. `told` gets how many are done, of
    /// how many.
    pub fn of(
        moments: &[Moment],
        judge: &Judge,
        question: DeathQuestion,
        threads: usize,
        stop: &CancelToken,
        told: &mut (dyn FnMut(&Self, [usize; 2]) + Send),
    ) -> Result<Self, ReviewError> {
        let player = Player::new(&judge.at_depth(1), judge.rules());
        let places = places(moments.len());
        let mut death = Self { question, at: Vec::new(), moves: moments.len().saturating_sub(1) };

        in_pool(threads, || {
            for part in places.chunks(threads.max(1)) {
                let ask = |&index: &usize| (index, died(&player, judge, &moments[index].board, question, stop));
                let part: Vec<_> = part.par_iter().map(ask).collect();
                let playouts = question.playouts;
                for (index, died) in part {
                    let died = died.map_err(|error| ReviewError::NoMove { index, error })?;
                    death.at.extend(died.map(|died| DeathAt { index, died, playouts }));
                }
                told(&death, [death.at.len(), places.len()]);
                if stop.is_cancelled() {
                    break;
                }
            }
            Ok(death)
        })?
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

/// How many of the games from a board died; `None` if stopped.
fn died(
    player: &Player,
    judge: &Judge,
    board: &Board,
    question: DeathQuestion,
    stop: &CancelToken,
) -> Result<Option<u64>, NoMove> {
    let mut died = 0;
    for game in 0..question.playouts {
        let chance = SEED.game(game);
        let start = Moment { board: *board, score: 0 };
        let playout = Playout { start, first: None, chance: &chance, p4: judge.rules().p4, stop };
        let Some(survives) = reaches(&playout, player, question.moves, Goal::Survive)? else { return Ok(None) };
        died += u64::from(!survives);
    }
    Ok(Some(died))
}

/// What a game that is played on has to reach.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// Not to be dead after the moves.
    Survive,
    /// A tile above this rank at any time.
    Above(Rank),
}

/// Whether a player reaches a goal within so many moves; `None` if stopped.
pub(super) fn reaches(playout: &Playout<'_>, player: &Player, moves: u32, goal: Goal) -> Result<Option<bool>, NoMove> {
    let is_above = |moment: &Moment| matches!(goal, Goal::Above(rank) if rank < moment.board.max_rank());
    let options = SearchOptions::on_one_core(playout.stop);
    let decide = |_, moment: &Moment| player.decide(&moment.board, 0, |_| 0, options, &mut ());

    let end = playout.play(decide, |turn, moment| turn < moves && !is_above(moment))?;
    Ok(end.map(|end| match goal {
        Goal::Survive => !end.board.is_dead(),
        Goal::Above(_) => is_above(&end),
    }))
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

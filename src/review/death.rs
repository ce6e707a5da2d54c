//! The risk of losing along a game: at its positions, the probability of losing within `k` moves, and the last position
//! that could be saved.
//!
//! From a position, the judge with a lookahead of one ply plays `n` games of at most `k` moves. The number of games that die is a
//! binomial count with a Wilson interval. Game `j` of every position draws its tiles from the same generator (common random
//! numbers), so positions differ by less than their intervals suggest. The chance is that of *this* play: a deeper search may
//! survive where it dies.

use rayon::prelude::*;

use super::playout::{NoMove, Playout};
use super::{Judge, ReviewError};
use crate::game::{Board, Moment, Rank, Seed};
use crate::search::SearchOptions;
use crate::stats::{Interval, wilson};
use crate::strategy::Player;
use crate::task::{CancelToken, Control, in_pool};

/// What to estimate at each position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeathQuestion {
    /// The horizon in moves, at least 1.
    pub moves: u32,
    /// The number of games from each position, at least 1.
    pub playouts: u64,
}

impl Default for DeathQuestion {
    /// 50 moves and 200 games: the interval is at most ± 7 percentage points.
    fn default() -> Self {
        Self {
            moves: 50,
            playouts: 200,
        }
    }
}

/// The number of games from one position that died.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeathAt {
    /// Index of the position, from 0.
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

    /// Whether more than half of the games survived.
    pub fn is_survived(&self) -> bool {
        2 * self.died < self.playouts
    }
}

/// The risk of losing at some positions of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Death {
    pub question: DeathQuestion,
    /// In game order: all of the last positions, and earlier ones at equal distances.
    pub at: Vec<DeathAt>,
    /// Number of moves of the game.
    pub moves: usize,
}

/// The seed of the playouts. Users are unlikely to choose it, so that playouts do not repeat the games of an experiment.
pub(super) const SEED: Seed = Seed(0x005e_ed0f_dea7_4000);

impl Death {
    /// The number of positions at the end of the game that are all examined.
    pub const LAST: usize = 100;
    /// The largest number of earlier positions that are examined.
    pub const BEFORE: usize = 60;

    /// Plays games from the positions of a game. A stopped result has the positions finished so far. `report` receives
    /// the result so far after each round.
    pub fn of(
        moments: &[Moment],
        judge: &Judge,
        question: DeathQuestion,
        threads: usize,
        control: &Control,
        report: &mut (dyn FnMut(&Self) + Send),
    ) -> Result<Self, ReviewError> {
        let player = Player::new(&judge.at_depth(1), judge.rules());
        let places = places(moments.len());
        let mut death = Self {
            question,
            at: Vec::new(),
            moves: moments.len().saturating_sub(1),
        };

        control.begin("playing out", "position", places.len() as u64);
        in_pool(threads, || {
            for part in places.chunks(threads.max(1)) {
                let stop = control.token();
                let ask = |&index: &usize| {
                    (
                        index,
                        died(&player, judge, &moments[index].board, question, stop),
                    )
                };
                let part: Vec<_> = part.par_iter().map(ask).collect();
                let playouts = question.playouts;
                for (index, died) in part {
                    let died = died.map_err(|error| ReviewError::NoMove { index, error })?;
                    death.at.extend(died.map(|died| DeathAt {
                        index,
                        died,
                        playouts,
                    }));
                }
                control.report(death.at.len() as u64);
                report(&death);
                if !control.pass() {
                    break;
                }
            }
            Ok(death)
        })?
    }

    /// The last examined position from which more than half of the games survived.
    pub fn last_survived(&self) -> Option<&DeathAt> {
        self.at.iter().rev().find(|at| at.is_survived())
    }
}

/// The indices of the positions to examine, in game order.
fn places(positions: usize) -> Vec<usize> {
    let last = positions.saturating_sub(Death::LAST);
    let step = last.div_ceil(Death::BEFORE).max(1);
    (0..last).step_by(step).chain(last..positions).collect()
}

/// The number of games from `board` that died; `None` if stopped.
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
        let start = Moment {
            board: *board,
            score: 0,
        };
        let playout = Playout {
            start,
            first: None,
            chance: &chance,
            p4: judge.rules().p4,
            stop,
        };
        let Some(survives) = reaches(&playout, player, question.moves, Goal::Survive)? else {
            return Ok(None);
        };
        died += u64::from(!survives);
    }
    Ok(Some(died))
}

/// The goal of a playout.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// The board is not dead after the moves.
    Survive,
    /// A tile above this rank appears, at any time.
    Above(Rank),
}

/// Whether the player reaches the goal within `moves` moves; `None` if stopped.
pub(super) fn reaches(
    playout: &Playout<'_>,
    player: &Player,
    moves: u32,
    goal: Goal,
) -> Result<Option<bool>, NoMove> {
    let is_above =
        |moment: &Moment| matches!(goal, Goal::Above(rank) if rank < moment.board.max_rank());
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
        assert_eq!(
            places[places.len() - Death::LAST..],
            (9_900..10_000).collect::<Vec<_>>()
        );
        let before = &places[..places.len() - Death::LAST];
        assert!(
            before.len() <= Death::BEFORE && before.windows(2).all(|pair| pair[1] - pair[0] == 165)
        );
    }
}

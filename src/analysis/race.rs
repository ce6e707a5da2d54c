//! Two strategies on the same seed until they diverge, then each in its own game.
//!
//! A spawn depends on the seed, the number of the move and the board. So two players who have made the same moves are
//! on the same board; from their first different move on each has its own game.

use std::sync::Arc;

use crate::game::{Board, GameSeed, Moment, Seed, Spawn, Step};
use crate::search::SearchOptions;
use crate::strategy::Player;
use crate::task::CancelToken;

/// A game that two players play in parallel.
#[derive(Clone, Debug)]
pub struct Race {
    players: [Arc<Player>; 2],
    seed: GameSeed,
    sides: [Runner; 2],
    parted: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Runner {
    /// The board with the player to move, or the last one.
    pub board: Board,
    pub score: u64,
    pub moves: u32,
    pub over: bool,
    /// The last move and the tile that followed.
    pub last: Option<Step>,
}

impl Race {
    /// Both at the opening of game number `game` under `seed`. Both players play by the rules of the first.
    pub fn new(a: Arc<Player>, b: Arc<Player>, seed: u64, game: u64) -> Self {
        let rules = a.rules();
        let seed = Seed(seed).game(game);
        let board = seed.opening(&rules);
        let runner = Runner { board, score: 0, moves: 0, over: false, last: None };
        let mut race = Self { players: [a, b], seed, sides: [runner.clone(), runner], parted: None };
        (0..2).for_each(|side| race.look(side));
        race
    }

    /// Makes one move on each side whose game is not over; returns the two steps, with `None` for a side that is over.
    /// Returns `None` if both are over or if it was asked to stop; then neither side has moved.
    pub fn step(&mut self, stop: &CancelToken) -> Option<[Option<Step>; 2]> {
        let mut steps = [None; 2];
        for (side, step) in steps.iter_mut().enumerate().filter(|&(side, _)| !self.sides[side].over) {
            *step = Some(self.decide(side, stop)?);
        }
        if steps == [None; 2] {
            return None;
        }
        if self.parted.is_none() && steps[0].map(|step| step.mv) != steps[1].map(|step| step.mv) {
            self.parted = Some(self.sides[0].moves);
        }

        for (side, step) in steps.iter().enumerate() {
            if let Some(step) = step {
                self.make(side, *step);
                self.look(side);
            }
        }
        Some(steps)
    }

    pub fn sides(&self) -> [&Runner; 2] {
        [&self.sides[0], &self.sides[1]]
    }

    /// The number of moves they made alike before they diverged; `None` while they are on the same board.
    pub fn parted(&self) -> Option<u32> {
        self.parted
    }

    fn decide(&self, side: usize, stop: &CancelToken) -> Option<Step> {
        let (player, runner) = (&self.players[side], &self.sides[side]);
        let tie = |n| self.seed.tie(runner.moves, n);
        let mv = player.decide(&runner.board, runner.score, tie, SearchOptions::on_one_core(stop), &mut ())?;
        let after = runner.board.slide(mv)?.after.board();
        // Spawns 0 and 1 are the opening.
        let spawn: Spawn = self.seed.spawn(runner.moves + 2, &after, self.players[0].rules().p4);
        Some(Step { mv, spawn })
    }

    fn make(&mut self, side: usize, step: Step) {
        let runner = &mut self.sides[side];
        if let Some(next) = (Moment { board: runner.board, score: runner.score }).after(step) {
            *runner =
                Runner { board: next.board, score: next.score, moves: runner.moves + 1, over: false, last: Some(step) };
        }
    }

    fn look(&mut self, side: usize) {
        let runner = &mut self.sides[side];
        let stop_at = self.players[0].rules().stop_at;
        runner.over = runner.board.is_dead() || stop_at.is_some_and(|rank| rank <= runner.board.max_rank());
    }
}

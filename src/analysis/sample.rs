//! Positions of real games.

use std::time::Duration;

use crate::game::{Board, ByMove, Move, Moves, Seed};
use crate::search::SearchResult;
use crate::strategy::{Observer, Player, Witness};
use crate::task::CancelToken;

/// How many times as many positions are met as are kept, so that neighbours in a sample are seldom neighbours in a game.
const SPREAD: usize = 4;

/// A position of a game with what is needed to decide on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The board with the player to move.
    pub board: Board,
    /// Points up to it.
    pub score: u64,
    pub game: u64,
    /// Moves made before it.
    pub moves: u32,
    /// Moves that were still made from it on; 0 when the game was not played to its end.
    pub left: u32,
}

/// Positions with two or more legal moves from games that a player plays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sample {
    /// Seed of the games; they are numbers 0 to `games` − 1.
    pub seed: u64,
    pub games: u64,
    /// In the order of the games and of their moves.
    pub positions: Vec<Position>,
}

impl Sample {
    /// Plays games 0, 1, … of `seed` for at most `limit` and keeps `most` of their positions, evenly spread.
    ///
    /// It ends after the game with which there are four times as many positions as are wanted. A game in whose middle time
    /// was up counts only when no game was finished, because the beginnings of games would weigh too much.
    pub fn play(player: &Player, seed: u64, most: usize, limit: Duration, stop: &CancelToken) -> Self {
        let mut sample = Self { seed, ..Self::default() };
        stop.within(Some(limit), |stop| {
            while sample.positions.len() < most.saturating_mul(SPREAD) && !stop.is_cancelled() {
                let mut met = Met { game: sample.games, positions: Vec::new(), stop };
                let outcome = player.observe(&Seed(seed).game(sample.games), stop, &mut met);
                let mut positions = met.positions;
                if stop.is_cancelled() {
                    if sample.games == 0 {
                        (sample.games, sample.positions) = (1, positions);
                    }
                    break;
                }
                positions.iter_mut().for_each(|position| position.left = outcome.moves - position.moves);
                sample.games += 1;
                sample.positions.append(&mut positions);
            }
        });
        sample.thinned(most)
    }

    /// The same with at most so many positions, evenly spread.
    #[must_use]
    pub fn thinned(mut self, most: usize) -> Self {
        let all = self.positions.len();
        if most < all {
            self.positions = (0..most).map(|index| self.positions[index * all / most]).collect();
        }
        self
    }
}

/// Writes down where there is a choice.
struct Met<'a> {
    game: u64,
    positions: Vec<Position>,
    stop: &'a CancelToken,
}

impl Witness for Met<'_> {
    type Recorder = ();

    fn recorder(&mut self, _row: usize) {}
    fn searched(&mut self, _row: usize, _found: &SearchResult, (): ()) {}
    fn criterion(&mut self, _row: usize, _seen: Moves, _values: impl FnOnce() -> ByMove<f64>, _kept: Moves) {}
    fn last_resort(&mut self, _among: Moves) {}
}

impl Observer for Met<'_> {
    fn position(&mut self, board: &Board, score: u64, moves: u32, legal: Moves) -> bool {
        if 1 < legal.len() {
            self.positions.push(Position { board: *board, score, game: self.game, moves, left: 0 });
        }
        !self.stop.is_cancelled()
    }
    fn moved(&mut self, _mv: Move) {}
}

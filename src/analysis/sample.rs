//! Positions of real games.

use std::time::Duration;

use crate::game::{Board, Seed};
use crate::search::SearchOptions;
use crate::strategy::{Observer, Player, Turn};
use crate::task::CancelToken;

/// Games yield this many times as many positions as are kept, so that neighbors in a sample are seldom neighbors in a
/// game.
const SPREAD: usize = 4;

/// A position of a game with what is needed to decide on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    pub board: Board,
    pub score: u64,
    pub game: u64,
    pub moves: u32,
    /// Moves that followed in its game; 0 if the game was not played to its end.
    pub left: u32,
}

/// A board to move from, and the points up to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    pub board: Board,
    pub score: u64,
}

impl Scored {
    pub fn of(position: &Position) -> Self {
        Self {
            board: position.board,
            score: position.score,
        }
    }
}

/// Positions from games of a player, with two or more legal moves unless they are of [`Sample::turns`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sample {
    /// Seed of the games; their numbers are 0 to `games` − 1.
    pub seed: u64,
    pub games: u64,
    /// In the order of the games and of their moves.
    pub positions: Vec<Position>,
}

impl Sample {
    /// Plays games 0, 1, … of `seed` for at most `limit` and keeps `most` of their positions, evenly spread.
    ///
    /// It ends with four times as many positions as are wanted. A game that the time limit interrupts counts only if it
    /// is the first, because otherwise the beginnings of games would weigh too much.
    pub fn play(
        player: &Player,
        seed: u64,
        most: usize,
        limit: Duration,
        stop: &CancelToken,
    ) -> Self {
        Self::with_choice(
            player,
            Wanted {
                seed,
                most,
                legal: 2,
            },
            limit,
            stop,
        )
    }

    /// The same with the turns that have one legal move.
    pub fn turns(
        player: &Player,
        seed: u64,
        most: usize,
        limit: Duration,
        stop: &CancelToken,
    ) -> Self {
        Self::with_choice(
            player,
            Wanted {
                seed,
                most,
                legal: 1,
            },
            limit,
            stop,
        )
    }

    fn with_choice(player: &Player, wanted: Wanted, limit: Duration, stop: &CancelToken) -> Self {
        let Wanted { seed, most, legal } = wanted;
        let mut sample = Self {
            seed,
            ..Self::default()
        };
        stop.within(Some(limit), |stop| {
            while sample.positions.len() < most.saturating_mul(SPREAD) && !stop.is_cancelled() {
                let mut trace = SampleTrace {
                    game: sample.games,
                    positions: Vec::new(),
                    legal,
                    stop,
                };
                let options = SearchOptions::on_one_core(stop);
                let outcome = player.play(&Seed(seed).game(sample.games), options, &mut trace);
                let mut positions = trace.positions;
                if stop.is_cancelled() {
                    if sample.games == 0 {
                        (sample.games, sample.positions) = (1, positions);
                    }
                    break;
                }
                positions
                    .iter_mut()
                    .for_each(|position| position.left = outcome.moves - position.moves);
                sample.games += 1;
                sample.positions.append(&mut positions);
            }
        });

        let all = sample.positions.len();
        if most < all {
            sample.positions = (0..most)
                .map(|index| sample.positions[index * all / most])
                .collect();
        }
        sample
    }
}

impl Sample {
    /// The same for several players, with an equal share of each: games 0, 1, … of all of them, one player after the
    /// other.
    pub fn of_several(
        players: &[Player],
        seed: u64,
        most: usize,
        limit: Duration,
        stop: &CancelToken,
    ) -> Self {
        let (share, limit) = (
            most.div_ceil(players.len().max(1)),
            limit / players.len().max(1) as u32,
        );
        let mut all = Self {
            seed,
            ..Self::default()
        };
        for player in players {
            let sample = Self::play(
                player,
                seed,
                share.min(most - all.positions.len()),
                limit,
                stop,
            );
            all.games += sample.games;
            all.positions.extend(sample.positions);
        }
        all
    }
}

/// Which positions a sample has.
#[derive(Clone, Copy)]
struct Wanted {
    seed: u64,
    most: usize,
    /// The fewest legal moves of a position.
    legal: usize,
}

/// Collects the positions with a choice.
struct SampleTrace<'a> {
    game: u64,
    positions: Vec<Position>,
    /// The fewest legal moves of a position.
    legal: usize,
    stop: &'a CancelToken,
}

impl Observer for SampleTrace<'_> {
    type Recorder = ();

    fn turn(&mut self, turn: impl FnOnce() -> Turn) -> bool {
        let Turn {
            board,
            score,
            moves,
            legal,
        } = turn();
        if self.legal <= legal.len() {
            self.positions.push(Position {
                board,
                score,
                game: self.game,
                moves,
                left: 0,
            });
        }
        !self.stop.is_cancelled()
    }
}

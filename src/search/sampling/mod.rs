//! Searches by sampling: the value of a move is the mean of samples, with its standard error where that is known.
//!
//! # One sample
//!
//! ```text
//! playout    after the move a spawn is drawn, then a policy moves and spawns are drawn to the end of the game, or for a
//!            number of moves; its value is the row's evaluator at the last position, its points, or 1 if it reached a tile
//! search     after the move the best of all slides up to a depth, with one spawn drawn for each ply
//! ```
//!
//! A search that knows its spawns in advance sees more than a player does, so its mean is above the expectimax of the
//! same depth. It shows which move is better, not how much a position is worth.
//!
//! # Where are samples drawn?
//!
//! ```text
//! flat       every move at the root gets sample i with the draws of number i: differences between moves are paired, and
//!            what chance does to all of them alike drops out
//! tree       UCT (Kocsis and Szepesvári 2006). From the root down: a move that was never tried, drawn among these, else the
//!            one with the largest  mean + c · σ · √(ln N / n);  then a spawn is drawn; a playout begins at the first node
//!            that is new, and its result counts at every node on the way
//! ```
//!
//! N is how often the moves of the node were tried, n how often this one. σ is the standard deviation of the results
//! below the node, so that c does not depend on the unit of the evaluator: 1 is the factor of UCB1-tuned (Auer,
//! Cesa-Bianchi and Fischer 2002), 0 never tries a move that looks worse. At the root of a row that prefers low values
//! the signs are reversed.
//!
//! A closed loop has a node for each board. An open loop has one for each sequence of moves, whatever spawns came in
//! between: it averages over them, grows deeper, and has fewer statistics to fill. The value of a node is the mean of
//! all samples through it. It approaches the value of best play as the better moves are tried more often.
//!
//! # How certain are the means?
//!
//! Samples of a flat search are independent and identically distributed, so their mean has a standard error. Those of a
//! tree are not: each depends on those before it, and the mean drifts as better moves are found. Two moves that are
//! images of each other can then differ by many "standard errors". So a tree has visits and means, and no error. Only a
//! flat search ends when it is sure ([`Sampled::sure_by`]).
//!
//! # Randomness
//!
//! All draws depend only on the board and the `seed` of the lookahead ([`Seed::of_board`]): a game, the window and the
//! command line choose the same move on the same board, on any number of cores. Only a time limit is not reproducible.
//! The search does not know the tiles that will come in the game.

mod flat;
mod tree;

use std::sync::Arc;

pub(super) use tree::exploration;

use super::playouts::{PlayFrom, Sampling};
use super::root::{Root, Search, SearchResult};
use super::{Method, Playout, Recorder, Sampled, SearchBoard, Until, Worth};
use crate::evaluator::Evaluator;
use crate::game::{Board, GameSeed, Grid, Packed, Rank, Rows, Seed, Slides as _};
use crate::task::CancelToken;

/// The spawn right after the move at the root. A playout counts its own from 2.
const FIRST_SPAWN: u32 = 1;

/// The value of the last position of a playout, from plain definitions.
pub(super) fn worth_of(worth: Worth, evaluator: &Evaluator, board: &Board, score: u64) -> f64 {
    match worth {
        Worth::Evaluator => evaluator.evaluate(board, score),
        Worth::Score => score as f64,
        Worth::Reach(tile) => f64::from(u8::from(tile <= board.max_rank().tile())),
    }
}

impl<P: SearchBoard> Root<'_, P> {
    /// The values of the moves from samples. The recorder sees the children of the root.
    #[inline(never)]
    pub(super) fn sample<R: Recorder>(
        &self,
        sampling: &Sampling,
        recorder: &mut R,
    ) -> SearchResult {
        if !R::ON || sampling.spec.time_ms.is_none() {
            return self.draw(sampling, recorder);
        }
        // Records as many samples as a game draws in that time, without a record and on one core.
        let played = self.as_played().draw(sampling, &mut ());
        let Some(playouts) = &played.playouts else {
            return played;
        };
        let samples = match sampling.spec.method {
            Method::Flat(_) | Method::Averaged { .. } => playouts
                .of_each
                .as_array()
                .map(|one| one.count())
                .into_iter()
                .max(),
            Method::Tree(_) => Some(playouts.total()),
        };
        let spec = Sampled {
            samples,
            time_ms: None,
            ..sampling.spec.clone()
        };
        self.draw(
            &Sampling {
                spec,
                policy: Arc::clone(&sampling.policy),
            },
            recorder,
        )
    }

    fn draw<R: Recorder>(&self, sampling: &Sampling, recorder: &mut R) -> SearchResult {
        match &sampling.spec.method {
            Method::Flat(_) | Method::Averaged { .. } => flat::search(self, sampling, recorder),
            Method::Tree(growth) => tree::search(self, sampling, growth, recorder),
        }
    }

    /// The seed of all draws for this decision.
    fn seed(&self, sampling: &Sampling) -> Seed {
        Seed(sampling.spec.seed).of_board(&self.board.to_board())
    }
}

impl Search {
    /// The value of the last position of a playout.
    #[inline]
    pub(super) fn worth<P: SearchBoard>(&self, worth: Worth, position: P, score: u64) -> f64 {
        match worth {
            Worth::Evaluator => position.value_by(&self.evaluator, score),
            Worth::Score => score as f64,
            Worth::Reach(tile) => f64::from(u8::from(tile <= position.max_rank().tile())),
        }
    }

    fn worth_of(&self, worth: Worth, board: &Board, score: u64) -> f64 {
        match board.as_packed().map(Packed::crossed) {
            Some(crossed) => self.worth(worth, crossed, score),
            None => self.worth(worth, board.to_grid(), score),
        }
    }

    /// Whether the game ends because of a tile before the board is dead.
    fn is_over(&self, largest: impl FnOnce() -> Rank) -> bool {
        self.definition
            .rules
            .stop_at
            .is_some_and(|rank| rank <= largest())
    }

    /// Plays on from a board to move. Returns the value of the end, and the number of positions on the way.
    fn play(
        &self,
        sampling: &Sampling,
        playout: &Playout,
        (board, score): (Board, u64),
        seed: &GameSeed,
        stop: &CancelToken,
    ) -> (f64, u64) {
        let moves = match playout.until {
            Until::End => u32::MAX,
            Until::Moves(moves) => moves,
        };
        let end = sampling.policy.play_on(&PlayFrom {
            board,
            score,
            seed,
            moves,
            stop,
        });
        (
            self.worth_of(playout.of, &end.board, end.score),
            1 + u64::from(end.moves),
        )
    }

    /// The value of an afterstate with one drawn spawn per ply and this many plies left. Counts positions.
    fn drawn_spawn<P: SearchBoard>(
        &self,
        drawn: &mut Drawn<'_>,
        after: P,
        score: u64,
        plies: u32,
        spawn: u32,
    ) -> f64 {
        drawn.positions += 1;
        if plies == 0 {
            return after.value_by(&self.evaluator, score);
        }
        let board = drawn.seed.add_tile(after, spawn, self.definition.rules.p4);
        self.drawn_turn(drawn, board, score, plies - 1, spawn + 1)
    }

    fn drawn_turn<P: SearchBoard>(
        &self,
        drawn: &mut Drawn<'_>,
        board: P,
        score: u64,
        plies: u32,
        spawn: u32,
    ) -> f64 {
        if plies == 0 {
            drawn.positions += 1;
            return board.value_by(&self.evaluator, score);
        }
        let Some(slides) = board.slides(Rows::shared()) else {
            return self.drawn_turn::<Grid>(drawn, board.to_grid(), score, plies, spawn);
        };
        drawn.positions += 1;
        let legal = slides.legal();
        if legal.is_empty() || drawn.stop.is_cancelled() {
            return board.value_by(&self.evaluator, score);
        }
        let values = legal.iter().map(|mv| {
            let score = score.saturating_add(u64::from(slides.reward(mv)));
            self.drawn_spawn(drawn, slides.after(mv), score, plies - 1, spawn)
        });

        values.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The draws of one search whose spawns were drawn in advance.
struct Drawn<'a> {
    seed: &'a GameSeed,
    stop: &'a CancelToken,
    positions: u64,
}

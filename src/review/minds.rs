//! Compares two strategies on the same games: where they differ, and what that is worth according to the judge.
//!
//! Each strategy decides at every position of a judged game with more than one legal move. If its rows leave several
//! moves, a random last resort draws among them, and its choice is worth the mean over them. Two strategies disagree if
//! no move suits both. If they have some moves in common, they play different ones with a probability.
//!
//! The positions are those of the judged games; a strategy in its own games reaches others.

use rayon::prelude::*;

use super::blame::{Blame, Decider};
use super::game::Review;
use super::several::PerMove;
use super::{NotReviewed, Points};
use crate::game::{Moment, Move, Moves};
use crate::task::{CancelToken, Control, ThreadsError, in_pool};

/// A position at which two strategies play differently.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Disagreement {
    /// The index of the game, from 0.
    pub game: usize,
    /// Index of the move, from 0.
    pub index: usize,
    pub before: Moment,
    /// The moves that each may play.
    pub choices: [Moves; 2],
    /// The loss of each compared with the best move, in points: the mean over the moves it may play.
    pub losses: [Points; 2],
    /// What decided in each.
    pub blames: [Blame; 2],
    pub best: Move,
    /// The depth of the judge here.
    pub plies: u32,
}

impl Disagreement {
    /// How much more the first one's choice is worth than the second's, in points.
    pub fn gap(&self) -> Points {
        self.losses[1] - self.losses[0]
    }

    /// The probability that both play different moves, each drawing independently among its moves.
    pub fn chance(&self) -> f64 {
        let [one, other] = self.choices;
        let common = one.iter().filter(|&mv| other.contains(mv)).count();
        1.0 - common as f64 / (one.len() * other.len()).max(1) as f64
    }
}

/// Two strategies compared over the same games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Minds {
    /// The number of compared games.
    pub games: usize,
    /// Their positions with at least two legal moves.
    pub positions: u64,
    /// The number of positions at which no move suits both.
    pub disagreed: u64,
    /// The expected number of positions at which both play different moves, given random last resorts.
    pub differs: f64,
    /// The number of positions at which each makes the better choice according to the judge.
    pub better: [u64; 2],
    /// The widest gap first, at most [`Self::MOST`].
    pub widest: Vec<Disagreement>,
    /// The mean loss of the second strategy minus that of the first per position, drawn game by game.
    pub difference: PerMove,
}

/// Why two strategies could not be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MindsError {
    #[error(transparent)]
    NotReviewed(#[from] NotReviewed),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// Positions per thread between two checks whether to stop.
const ROUND: usize = 64;

impl Minds {
    /// Maximum number of stored disagreements.
    pub const MOST: usize = 100;

    /// Compares two strategies at every position of a judged game. Returns `Ok(false)` if it was stopped, without
    /// adding anything.
    pub fn add(
        &mut self,
        review: &Review,
        minds: [&Decider; 2],
        threads: usize,
        control: &Control,
    ) -> Result<bool, MindsError> {
        review.verdicts()?;
        let places: Vec<usize> = (0..review.moves())
            .filter(|&index| 1 < review.moments()[index].board.legal_moves().len())
            .collect();
        let game = self.games;
        let mut disagreements = Vec::with_capacity(places.len());
        let stop = control.token();
        control.begin("comparing", "position", places.len() as u64);
        in_pool(threads, || {
            for part in places.chunks(ROUND * threads) {
                let part: Vec<_> = part
                    .par_iter()
                    .map(|&index| ask(review, game, index, minds, stop))
                    .collect();
                disagreements.extend(part);
                control.report(disagreements.len() as u64);
                if !control.pass() {
                    return;
                }
            }
        })?;

        let Some(disagreements) = disagreements
            .into_iter()
            .collect::<Option<Vec<Disagreement>>>()
            .filter(|_| !stop.is_cancelled())
        else {
            return Ok(false);
        };

        self.games += 1;
        self.positions += disagreements.len() as u64;
        let more: Points = disagreements.iter().map(Disagreement::gap).sum();
        self.difference.add(more, disagreements.len() as u64);
        self.differs += disagreements.iter().map(Disagreement::chance).sum::<f64>();

        for one in disagreements
            .into_iter()
            .filter(|one| one.choices[0] != one.choices[1])
        {
            self.disagreed += u64::from(one.chance() == 1.0);
            for (side, count) in self.better.iter_mut().enumerate() {
                *count += u64::from(one.losses[side] < one.losses[1 - side]);
            }
            self.widest.push(one);
        }
        self.widest
            .sort_by_key(|one| (std::cmp::Reverse(one.gap().abs()), one.game, one.index));
        self.widest.truncate(Self::MOST);
        Ok(true)
    }
}

/// The choices of two strategies at one position, whether they agree or not. `None` if it was stopped.
fn ask(
    review: &Review,
    game: usize,
    index: usize,
    minds: [&Decider; 2],
    stop: &CancelToken,
) -> Option<Disagreement> {
    let (look, before) = (review.look(index)?, review.moments()[index]);
    let [one, other] = minds.map(|mind| mind.choice(&before, stop));
    let [(first, by_first), (second, by_second)] = [one?, other?];
    let loss = |choice: Moves| {
        let losses = choice
            .iter()
            .filter_map(|mv| look.loss(mv))
            .map(Points::to_f64);
        Points::of(losses.sum::<f64>() / choice.len().max(1) as f64)
    };

    Some(Disagreement {
        game,
        index,
        before,
        choices: [first, second],
        losses: [loss(first)?, loss(second)?],
        blames: [by_first, by_second],
        best: look.best()?,
        plies: look.plies,
    })
}

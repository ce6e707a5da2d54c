//! Training the eye: a move is chosen before the judge's answer is shown, and what went wrong comes again.
//!
//! A [`Question`] is a position with what a judge said of each move; nothing is judged anew. Those of a game that was reviewed
//! are asked in order; a [`Book`] keeps positions of mistakes, one's own or a strategy's, and says which is due. A [`Session`]
//! takes the answers and sums them up.
//!
//! # When a position comes again
//!
//! After an answer that lost `l` points, where `m` points are a mistake, its interval becomes
//!
//! ```text
//! l = 0      2.5 times as long as before, at least a day
//! l < m      (1 − l/m) times as long as that would be
//! m ≤ l      nothing: it is due at once, and asked again in this session
//! ```
//!
//! Of those that are due the one comes first whose mistake cost most when it was made. Intervals that grow with each success are
//! those of Leitner's boxes; the factor is that of SM-2 (Woźniak 1990) at the start. Who calls says what time it is.

mod book;
mod session;

pub use book::{Book, BookError, Kept};
pub use session::{Asked, PracticeSummary, Session};

use crate::game::{Board, ByMove, Move};
use crate::review::{Points, Review, worth};

/// A position, and what a judge said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub board: Board,
    /// Points to come with each legal move, those of its slide included.
    pub values: ByMove<Option<Points>>,
    /// What was played there; `None` where nobody knows.
    pub played: Option<Move>,
    /// From this loss on a move is a mistake.
    pub mistake: Points,
    /// Who judged, and how deep.
    pub judge: String,
    /// Where it comes from: `emr, game 17, move 204`.
    pub source: String,
}

impl Question {
    /// Position number `index` of a game that was reviewed, if there is a choice and it was judged.
    pub fn of(review: &Review, index: usize, mistake: Points, source: &str) -> Option<Self> {
        let (moment, look) = (review.moments().get(index)?, review.look(index)?);
        let question = Self {
            board: moment.board,
            values: look.values,
            played: review.record().steps.get(index).map(|step| step.mv),
            mistake,
            judge: review.judge().label(),
            source: format!("{source}, move {}", index + 1),
        };
        (1 < question.moves().len()).then_some(question)
    }

    /// All positions of a game that was reviewed where there is a choice; `is_wanted` by the loss of what was played.
    pub fn all_of(review: &Review, mistake: Points, source: &str, is_wanted: impl Fn(Points) -> bool) -> Vec<Self> {
        let wanted = (0..review.moves()).filter(|&index| review.loss(index).is_some_and(&is_wanted));
        wanted.filter_map(|index| Self::of(review, index, mistake, source)).collect()
    }

    /// The legal moves, in the order up, down, left, right.
    pub fn moves(&self) -> Vec<Move> {
        Move::ALL.into_iter().filter(|&mv| self.values[mv].is_some()).collect()
    }

    /// What a move loses against the best; `None` where nothing moves.
    pub fn loss(&self, mv: Move) -> Option<Points> {
        Some(worth(&self.values) - self.values[mv]?)
    }

    /// Every move that loses nothing.
    pub fn best(&self) -> Vec<Move> {
        self.moves().into_iter().filter(|&mv| self.loss(mv) == Some(Points::ZERO)).collect()
    }

    /// What was lost when it was played.
    pub fn loss_then(&self) -> Option<Points> {
        self.loss(self.played?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn question(board: &str, values: [Option<i64>; 4], played: Option<Move>, mistake: i64) -> Question {
        Question {
            board: board.parse().expect(board),
            values: ByMove::new(values.map(|value| value.map(Points::whole))),
            played,
            mistake: Points::whole(mistake),
            judge: "Best play, exactly".to_owned(),
            source: "a game, move 1".to_owned(),
        }
    }

    #[test]
    fn losses_are_those_to_the_best_and_several_may_be_best() {
        let asked = question("2,4/4,0", [Some(10), None, Some(10), Some(4)], Some(Move::Right), 3);
        assert_eq!(asked.best(), [Move::Up, Move::Left]);
        assert_eq!((asked.loss(Move::Right), asked.loss(Move::Down)), (Some(Points::whole(6)), None));
        assert_eq!(asked.loss_then(), Some(Points::whole(6)));
    }
}

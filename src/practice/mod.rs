//! Practice: a move is chosen before the judge's answer is shown, and mistakes return.
//!
//! A [`Question`] is a position with the values of a judge for each move; nothing is judged again. The positions of a
//! reviewed game come in order. A [`Book`] saves the positions of mistakes, the user's or a strategy's, and says which
//! is due. A [`Session`] takes the answers and sums them up.
//!
//! # When a position returns
//!
//! After an answer that lost `l` points, where `m` points are a mistake, its interval becomes
//!
//! ```text
//! l = 0      2.5 times as long as before, at least a day
//! l < m      (1 − l/m) times as long as that would be
//! m ≤ l      nothing: it is due at once, and returns in this session
//! ```
//!
//! If the move of the game was a mistake by its chance alone, it is a mistake again when it is chosen here, whatever it
//! lost.
//!
//! Of the positions that are due, the one whose original mistake cost most comes first. Intervals that grow with each
//! success are those of Leitner's boxes; the factor is the start value of SM-2 (Woźniak 1990). The caller provides the
//! time.

mod book;
mod session;

pub use book::{Book, BookError, Kept, ParseBookError, PositionError};
pub use session::{Answered, PracticeSummary, Session};

use crate::game::{Board, ByMove, Move};
use crate::review::{Class, Points, Review, Thresholds, worth};

/// A position with the values of a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub board: Board,
    /// Points to come with each legal move, including those of its slide.
    pub values: ByMove<Option<Points>>,
    /// The move that was played there; `None` if unknown.
    pub played: Option<Move>,
    /// A move that loses at least this much is a mistake.
    pub mistake: Points,
    /// Whether the played move is a mistake by its chance, at a smaller loss; the chance of other moves is unknown.
    pub by_chance: bool,
    /// The judge and its depth.
    pub judge: String,
    /// The origin of the position: `emr, game 17, move 204`.
    pub source: String,
}

impl Question {
    /// Position number `index` of a reviewed game, if there is a choice and it was judged.
    pub fn of(
        review: &Review,
        index: usize,
        thresholds: &Thresholds,
        source: &str,
    ) -> Option<Self> {
        let (moment, look) = (review.moments().get(index)?, review.look(index)?);
        let is_mistake = Some(Class::Mistake) <= review.class(index, thresholds);
        let is_smaller = |loss: Points| Points::ZERO < loss && loss < thresholds.mistake;
        let question = Self {
            board: moment.board,
            values: look.values,
            played: review.record().steps.get(index).map(|step| step.mv),
            mistake: thresholds.mistake,
            by_chance: is_mistake && review.loss(index).is_some_and(is_smaller),
            judge: review.judge().label(),
            source: format!("{source}, move {}", index + 1),
        };
        (1 < question.moves().len()).then_some(question)
    }

    /// The mistakes and blunders of a reviewed game, by the class in force, as they are counted and stepped through. A
    /// move that the judge considers best by points is not one of them, whatever its chance.
    pub fn mistakes(review: &Review, thresholds: &Thresholds, source: &str) -> Vec<Self> {
        let questions =
            (0..review.moves()).filter_map(|index| Self::of(review, index, thresholds, source));
        questions
            .filter(|one| one.played.is_some_and(|mv| one.is_mistake(mv)))
            .collect()
    }

    /// The legal moves, in the order up, down, left, right.
    pub fn moves(&self) -> Vec<Move> {
        Move::ALL
            .into_iter()
            .filter(|&mv| self.values[mv].is_some())
            .collect()
    }

    /// The loss of a move against the best; `None` if the move is not legal.
    pub fn loss(&self, mv: Move) -> Option<Points> {
        Some(worth(&self.values) - self.values[mv]?)
    }

    /// Whether a move loses as much as a mistake does, or was a mistake by its chance when it was played.
    pub fn is_mistake(&self, mv: Move) -> bool {
        let was_one = self.by_chance && self.played == Some(mv);
        self.loss(mv)
            .is_some_and(|loss| Points::ZERO < loss && (was_one || self.mistake <= loss))
    }

    /// Every move that loses nothing.
    pub fn best(&self) -> Vec<Move> {
        self.moves()
            .into_iter()
            .filter(|&mv| self.loss(mv) == Some(Points::ZERO))
            .collect()
    }

    /// The loss of the move that was played.
    pub fn loss_then(&self) -> Option<Points> {
        self.loss(self.played?)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Rules, Seed};
    use crate::review::{ChanceGoal, ChanceQuestion, ChanceThresholds, Judge};
    use crate::search::SearchOptions;
    use crate::solve;
    use crate::strategy::{GameTrace, Player, Strategy};
    use crate::task::Control;

    pub(crate) fn question(
        board: &str,
        values: [Option<i64>; 4],
        played: Option<Move>,
        mistake: i64,
    ) -> Question {
        Question {
            board: board.parse().expect(board),
            values: ByMove::new(values.map(|value| value.map(Points::whole))),
            played,
            mistake: Points::whole(mistake),
            by_chance: false,
            judge: "Best play, exactly".to_owned(),
            source: "a game, move 1".to_owned(),
        }
    }

    #[test]
    fn mistakes_are_those_of_the_class_in_force() {
        let rules = Rules {
            size: "2x2".parse().expect("a size"),
            ..Rules::default()
        };
        let question = solve::Question {
            size: rules.size,
            p4: rules.p4,
            goal: solve::Goal::Score,
        };
        let solution = question
            .solve(1, &Control::default())
            .expect("a small board");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own.solved");
        solution.table.write(&path).expect("written");
        let judge: Strategy = format!("(criteria: [(evaluator: Solved({path:?}))])")
            .parse()
            .expect("a strategy");
        let judge = Arc::new(Judge::of(&judge, rules).expect("a judge"));
        let (random, chance) = (
            "r".parse::<Strategy>().expect("letters"),
            ChanceQuestion::usual(ChanceGoal::Survive),
        );
        let chance = ChanceQuestion { moves: 3, ..chance };
        let mut by_chance = 0;
        for index in 0..20 {
            let player = Player::new(&random, rules);
            let record =
                GameTrace::record(&player, Seed(5), index, &random, SearchOptions::default());
            let mut review = Review::new(record, judge.clone());
            review.chance = Some(chance);
            review
                .go_on(None, 1, &Control::default(), &mut |_| {})
                .expect("values");

            // First no move is a mistake by points, then all of them are.
            for points in [1_000_000_000, 1] {
                let by_points = Thresholds {
                    chance: None,
                    ..Thresholds::usual(Points::whole(points))
                };
                let by_both = Thresholds {
                    chance: Some(ChanceThresholds::usual(chance)),
                    ..by_points
                };
                for thresholds in [by_points, by_both] {
                    let is_mistake = |index: &usize| {
                        let class = review.class(*index, &thresholds);
                        Some(Class::Mistake) <= class && review.loss(*index) != Some(Points::ZERO)
                    };
                    let wanted = (0..review.moves())
                        .filter(is_mistake)
                        .map(|index| review.moments()[index].board);
                    let found = Question::mistakes(&review, &thresholds, "");
                    assert_eq!(
                        found.iter().map(|one| one.board).collect::<Vec<_>>(),
                        wanted.collect::<Vec<_>>()
                    );
                    by_chance += found.iter().filter(|one| one.by_chance).count();
                    // The mistake of the game is a mistake again here, and no other move that loses less than the
                    // threshold is one.
                    for one in found {
                        assert!(one.moves().into_iter().all(|mv| {
                            let by_points = Some(thresholds.mistake) <= one.loss(mv);
                            one.is_mistake(mv) == (by_points || one.played == Some(mv))
                        }));
                    }
                }
            }
        }

        assert!(10 < by_chance, "{by_chance}");
    }

    #[test]
    fn losses_are_those_to_the_best_and_several_may_be_best() {
        let example = question(
            "2,4/4,0",
            [Some(10), None, Some(10), Some(4)],
            Some(Move::Right),
            3,
        );
        assert_eq!(example.best(), [Move::Up, Move::Left]);
        assert_eq!(
            (example.loss(Move::Right), example.loss(Move::Down)),
            (Some(Points::whole(6)), None)
        );
        assert_eq!(example.loss_then(), Some(Points::whole(6)));
    }
}

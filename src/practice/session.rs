//! A sequence of questions and answers, and its summary.

use super::{Book, Question};
use crate::game::Move;
use crate::review::Points;

/// A question that was answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub question: Question,
    pub guess: Move,
    pub loss: Points,
}

/// Questions that are posed in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Session {
    questions: Vec<Question>,
    /// The number of original questions; those after them are mistakes that come a second time.
    originally: usize,
    answers: Vec<Answered>,
    /// Whether the last answer is still shown.
    is_shown: bool,
}

/// Summary of the answers so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PracticeSummary {
    pub answers: usize,
    /// Answers that lost nothing.
    pub best: usize,
    /// Answers that are mistakes.
    pub mistakes: usize,
    pub loss: Points,
    /// Positions whose move in the game is known, the loss of the first answers there, and the loss of the game there.
    pub compared: usize,
    pub loss_compared: Points,
    pub loss_then: Points,
}

impl Session {
    pub fn new(questions: Vec<Question>) -> Self {
        Self {
            originally: questions.len(),
            questions,
            ..Self::default()
        }
    }

    /// The positions of a book that are due, the costliest mistakes first.
    pub fn of_book(book: &Book, now: i64) -> Self {
        Self::new(
            book.due(now)
                .map(|position| position.question.clone())
                .collect(),
        )
    }

    /// The question that waits for an answer; `None` while an answer is shown and at the end.
    pub fn question(&self) -> Option<&Question> {
        self.questions
            .get(self.answers.len())
            .filter(|_| !self.is_shown)
    }

    /// The answer that is shown.
    pub fn answer(&self) -> Option<&Answered> {
        self.answers.last().filter(|_| self.is_shown)
    }

    pub fn is_over(&self) -> bool {
        self.answers.len() == self.questions.len() && !self.is_shown
    }

    /// The number of answers, and the number of questions.
    pub fn progress(&self) -> [usize; 2] {
        [self.answers.len(), self.questions.len()]
    }

    /// Takes an answer; `None` if there is no question or the move is not legal. A mistake comes once more at the end.
    pub fn guess(&mut self, guess: Move) -> Option<&Answered> {
        let question = self.question()?.clone();
        let loss = question.loss(guess)?;
        if question.is_mistake(guess) {
            self.questions.push(question.clone());
        }
        self.answers.push(Answered {
            question,
            guess,
            loss,
        });
        self.is_shown = true;
        self.answers.last()
    }

    /// Moves to the next question.
    pub fn go_on(&mut self) {
        self.is_shown = false;
    }

    pub fn summary(&self) -> PracticeSummary {
        let mut sum = PracticeSummary::default();
        for (
            place,
            Answered {
                question,
                guess,
                loss,
            },
        ) in self.answers.iter().enumerate()
        {
            sum.answers += 1;
            sum.best += usize::from(*loss == Points::ZERO);
            sum.mistakes += usize::from(question.is_mistake(*guess));
            sum.loss += *loss;
            if let Some(then) = question.loss_then().filter(|_| place < self.originally) {
                sum.compared += 1;
                sum.loss_compared += *loss;
                sum.loss_then += then;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::question;
    use super::*;

    #[test]
    fn answers_add_up_and_mistakes_are_asked_again() {
        let one = question(
            "2,4/4,0",
            [Some(10), None, Some(7), Some(4)],
            Some(Move::Right),
            3,
        );
        let other = question("2,0/4,0", [None, Some(9), None, Some(9)], None, 3);
        let mut session = Session::new(vec![one.clone(), other.clone()]);
        assert_eq!(session.guess(Move::Down), None, "nothing moves there");
        assert_eq!(
            session.guess(Move::Left).map(|answered| answered.loss),
            Some(Points::whole(3))
        );
        assert_eq!(session.question(), None, "the answer is shown");
        assert_eq!(session.guess(Move::Up), None, "the answer is shown");
        session.go_on();
        assert_eq!(session.question(), Some(&other));
        session.guess(Move::Right);
        session.go_on();
        assert_eq!(
            (session.question(), session.progress()),
            (Some(&one), [2, 3])
        );
        session.guess(Move::Up);
        assert!(!session.is_over());
        session.go_on();
        assert!(session.is_over() && session.guess(Move::Up).is_none());

        let sum = session.summary();
        assert_eq!(
            (sum.answers, sum.best, sum.mistakes, sum.loss),
            (3, 2, 1, Points::whole(3))
        );
        assert_eq!(
            (sum.compared, sum.loss_compared, sum.loss_then),
            (1, Points::whole(3), Points::whole(6))
        );
    }

    #[test]
    fn a_mistake_by_its_chance_is_that_of_the_move_that_was_played_alone() {
        let by_points = question(
            "2,4/4,0",
            [Some(10), None, Some(7), Some(6)],
            Some(Move::Left),
            100,
        );
        let by_chance = Question {
            by_chance: true,
            ..by_points.clone()
        };
        for (question, guess, is_mistake) in [
            (&by_points, Move::Left, false),
            (&by_chance, Move::Left, true),
            (&by_chance, Move::Right, false),
            (&by_chance, Move::Up, false),
        ] {
            let mut session = Session::new(vec![question.clone()]);
            session.guess(guess);
            session.go_on();
            assert_eq!(
                (session.is_over(), session.summary().mistakes),
                (!is_mistake, usize::from(is_mistake))
            );
        }
    }
}

//! How often an evaluator ties one slide ahead, and how often every legal slide does harm.
//!
//! Composition (section 3.2) says that slides in opposite directions often have the same value, and Solver (IV.A) that
//! evaluators with equal weights tie more often, and that Corner is sooner left with bad moves alone than Snake. A slide
//! is called harmful here if the board after it has a lower value than the board before it; this definition is ours.

use super::{Position, Sample, Share};
use crate::evaluator::{Compiled, Evaluate as _, Evaluator, OwnFiles};
use crate::game::{Board, Move};
use crate::task::CancelToken;

/// What an evaluator does one slide ahead on the turns of some games.
#[derive(Clone, PartialEq, Debug)]
pub struct Ties {
    pub evaluator: Evaluator,
    /// Of the turns with two legal moves or more, those with several best ones.
    pub tied: Share,
    /// Of the pairs of opposite slides that are both legal, those with equal values.
    pub opposite: Share,
    /// Of all turns, those where every legal slide is harmful.
    pub harmful: Share,
}

/// Evaluates the turns of a sample; if cancelled, those so far.
pub fn ties(evaluators: &[Evaluator], sample: &Sample, stop: &CancelToken) -> Vec<Ties> {
    evaluators
        .iter()
        .map(|evaluator| Ties::of(evaluator, &sample.positions, stop))
        .collect()
}

impl Ties {
    fn of(evaluator: &Evaluator, turns: &[Position], stop: &CancelToken) -> Self {
        let compiled = evaluator.compile(&OwnFiles);
        let [tied, opposite, harmful] = [Share::default(); 3];
        let mut ties = Self {
            evaluator: evaluator.clone(),
            tied,
            opposite,
            harmful,
        };
        turns
            .iter()
            .take_while(|_| !stop.is_cancelled())
            .for_each(|turn| ties.add(&compiled, turn));
        ties
    }

    fn add(&mut self, evaluator: &Compiled, &Position { board, score, .. }: &Position) {
        let after = |mv| {
            let slide = board.slide(mv)?;
            Some(value(
                evaluator,
                &slide.after.board(),
                score + u64::from(slide.reward),
            ))
        };
        let [up, down, left, right] = [Move::Up, Move::Down, Move::Left, Move::Right].map(after);
        let legal: Vec<f64> = [up, down, left, right].into_iter().flatten().collect();
        let best = legal.iter().copied().fold(f64::NEG_INFINITY, f64::max);

        if 1 < legal.len() {
            self.tied
                .add(1 < legal.iter().filter(|&&value| value == best).count());
        }
        for (one, other) in [up.zip(down), left.zip(right)].into_iter().flatten() {
            self.opposite.add(one == other);
        }
        self.harmful.add(best < value(evaluator, &board, score));
    }
}

fn value(evaluator: &Compiled, board: &Board, score: u64) -> f64 {
    match board.as_packed() {
        Some(packed) => evaluator.value(packed.crossed(), score),
        None => evaluator.value(board.to_grid(), score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::evaluator::Weights;

    fn of(evaluator: &Evaluator, board: Board) -> Ties {
        let turn = Position {
            board,
            score: 0,
            game: 0,
            moves: 0,
            left: 0,
        };
        Ties::of(evaluator, &[turn], &CancelToken::new())
    }

    #[test]
    fn a_slide_ties_with_its_opposite_and_harm_is_a_lower_value() {
        // Only right is legal, and takes the 64 out of its corner.
        let board = board! {
            64 8 4 .
            32 4 2 .
            16 8 4 .
            8 4 2 .
        };
        let share = |same, n| Share { same, n };
        let empty = of(&Evaluator::Empty, board);
        assert_eq!(
            (empty.tied, empty.opposite, empty.harmful),
            (share(0, 0), share(0, 0), share(0, 1))
        );
        assert_eq!(of(&Evaluator::CornerBonus, board).harmful, share(1, 1));
        assert_eq!(
            of(&Evaluator::Weights(Weights::A), board).harmful,
            share(1, 1)
        );

        let board = board! {
            2 . . .
            . . . .
            . . 4 .
            . . . .
        };
        let empty = of(&Evaluator::Empty, board);
        assert_eq!((empty.tied, empty.opposite), (share(1, 1), share(2, 2)));
        let falling = of(&Evaluator::Weights(Weights::A), board);
        assert_eq!(
            (falling.opposite, falling.harmful),
            (share(0, 2), share(0, 1)),
            "left and up raise the value"
        );
    }
}

//! What an evaluator's number is made of.
//!
//! A sum has a term for each part, sums inside it taken apart and weights multiplied; `Lines` one for each constant
//! that is not 0; else there is one of weight 1. Weight × value adds up to [`Evaluator::evaluate`] but for rounding.

use super::{Evaluator, Lines};
use crate::game::Board;

#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// What it measures, as the builder names it: `Empty`, `Lines merges`.
    pub label: String,
    pub weight: f64,
    pub value: f64,
}

impl Term {
    pub fn amount(&self) -> f64 {
        self.weight * self.value
    }
}

impl Evaluator {
    /// The number of [`Evaluator::evaluate`] taken apart.
    pub fn terms(&self, board: &Board, score: u64) -> Vec<Term> {
        let term = |Part { label, weight, evaluator }| Term { label, weight, value: evaluator.evaluate(board, score) };
        self.parts().into_iter().map(term).collect()
    }

    /// The same for any board.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        self.add_parts(1.0, &mut parts);
        parts
    }

    fn add_parts(&self, weight: f64, parts: &mut Vec<Part>) {
        match self {
            Self::Sum(terms) if !terms.iter().all(|(own, _)| keeps(weight, *own)) => {
                parts.push(Part { label: self.label(), weight, evaluator: self.clone() });
            }
            Self::Sum(terms) => terms.iter().for_each(|(own, term)| term.add_parts(weight * own, parts)),
            Self::Lines(lines) => parts.extend(lines.parts(weight)),
            _ => parts.push(Part { label: self.label(), weight, evaluator: self.clone() }),
        }
    }
}

/// Whether a product of weights stays in the range of floats; otherwise the sum would not be the same any more.
pub(super) fn keeps(weight: f64, own: f64) -> bool {
    weight == 0.0 || own == 0.0 || (weight * own).is_normal()
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) weight: f64,
    pub(crate) evaluator: Evaluator,
}

impl Lines {
    /// One part for each constant that counts something, which is measured by `Lines` with 1 in its place.
    fn parts(&self, weight: f64) -> impl Iterator<Item = Part> {
        let none =
            Self { fixed: 0.0, empty: 0.0, merges: 0.0, monotonicity: 0.0, sum: 0.0, pairs: 0.0, tiles: 0.0, ..*self };
        // Where the formula takes away, the sums themselves are measured.
        let parts = [
            ("fixed", self.fixed, Self { fixed: 1.0, ..none }),
            ("empty", self.empty, Self { empty: 1.0, ..none }),
            ("merges", self.merges, Self { merges: 1.0, ..none }),
            ("monotonicity", -self.monotonicity, Self { monotonicity: -1.0, ..none }),
            ("sum", -self.sum, Self { sum: -1.0, ..none }),
            ("pairs", self.pairs, Self { pairs: 1.0, ..none }),
            ("tiles", -self.tiles, Self { tiles: -1.0, ..none }),
        ];
        parts.into_iter().filter(|&(_, constant, _)| constant != 0.0).map(move |(name, constant, lines)| Part {
            label: format!("Lines {name}"),
            weight: weight * constant,
            evaluator: Evaluator::Lines(lines),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;

    #[test]
    fn the_terms_of_a_sum_are_what_it_adds_up() {
        let mixed: Evaluator = "Sum([(1.0, Score), (50.0, Empty)])".parse().expect("an evaluator");
        let board = board! {
            2 2 2 2
            . . . .
            4 4 4 4
            . . . .
        };
        let amounts: Vec<f64> = mixed.terms(&board, 100).iter().map(Term::amount).collect();
        assert_eq!(amounts, [100.0, 50.0 * 8.0]);
    }
}

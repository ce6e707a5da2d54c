//! Weight matrices of the builder: presets, replacements that fit a board, and the strength of fills.

use crate::evaluator::{Evaluator, Weights};
use crate::game::Size;
use crate::network;
use crate::solve;
use crate::strategy::Criterion;

pub(super) const PRESETS: [(Weights, &str); 3] =
    [(Weights::A, "a"), (Weights::B, "b"), (Weights::C, "c")];

/// The presets for boards of this size, with their letters.
pub(super) fn presets(size: Size) -> impl Iterator<Item = (Weights, &'static str)> {
    PRESETS
        .into_iter()
        .filter(move |(weights, _)| weights.check(size).is_ok())
}

/// Weights that decrease from the first cell to the last, for boards of any size. On 4×4 they are preset a.
pub(super) fn gradient(size: Size) -> Weights {
    let (rows, cols) = (size.rows(), size.cols());
    let weight = |row: usize, col: usize| ((rows - 1 - row) + (cols - 1 - col)) as f64;
    named(
        (0..rows)
            .flat_map(|row| (0..cols).map(move |col| weight(row, col)))
            .collect(),
    )
}

/// The preset with these weights if there is one, else the weights themselves.
pub(super) fn named(values: Vec<f64>) -> Weights {
    let preset = PRESETS
        .into_iter()
        .map(|(preset, _)| preset)
        .find(|preset| preset.values() == values);
    preset.unwrap_or(Weights::Matrix(values))
}

/// The evaluator with every matrix, solved table and network for another board size replaced by one that fits.
pub(super) fn fitting(evaluator: &Evaluator, size: Size) -> Evaluator {
    match evaluator {
        Evaluator::Weights(weights) if weights.values().len() != size.cells() => {
            Evaluator::Weights(gradient(size))
        }
        Evaluator::Sum(terms) => Evaluator::Sum(
            terms
                .iter()
                .map(|(weight, term)| (*weight, fitting(term, size)))
                .collect(),
        ),
        Evaluator::Product(one, other) => {
            Evaluator::Product(Box::new(fitting(one, size)), Box::new(fitting(other, size)))
        }
        Evaluator::Solved(_) if evaluator.check(size).is_err() => {
            // A saved table, or else the name it would have.
            Evaluator::Solved(
                solve::library::of_size(size)
                    .into_iter()
                    .next()
                    .unwrap_or_else(|| size.to_string()),
            )
        }
        Evaluator::Network(name) if evaluator.check(size).is_err() => Evaluator::Network(
            network::library::of_size(size)
                .into_iter()
                .next()
                .unwrap_or_else(|| name.clone()),
        ),
        other => other.clone(),
    }
}

/// The evaluators that can be a term of a sum.
pub(super) fn terms(size: Size) -> Vec<Evaluator> {
    let mut terms: Vec<Evaluator> = Evaluator::palette()
        .into_iter()
        .filter(|evaluator| {
            !matches!(
                evaluator,
                Evaluator::Sum(_) | Evaluator::Product(..) | Evaluator::Weights(_)
            )
        })
        .filter(|evaluator| {
            evaluator.files().is_empty() || matches!(evaluator, Evaluator::Program(_))
        })
        .filter(|evaluator| evaluator.policies().is_empty() || evaluator.check(size).is_ok())
        .collect();
    terms.extend(
        solve::library::of_size(size)
            .into_iter()
            .map(Evaluator::Solved),
    );
    terms.extend(
        network::library::of_size(size)
            .into_iter()
            .map(Evaluator::Network),
    );
    terms.extend(presets(size).map(|(weights, _)| Evaluator::Weights(weights)));
    if terms
        .iter()
        .all(|term| !matches!(term, Evaluator::Weights(_)))
    {
        terms.push(Evaluator::Weights(gradient(size)));
    }
    terms
}

/// The row with its evaluator fitted to the board size.
pub(super) fn fitting_row(row: &Criterion, size: Size) -> Criterion {
    Criterion {
        evaluator: fitting(&row.evaluator, size),
        ..row.clone()
    }
}

pub(super) fn largest(weights: &[f64]) -> f64 {
    weights
        .iter()
        .fold(0.0, |most, weight| most.max(weight.abs()))
}

/// Strength of a cell's fill on a logarithmic scale, which separates weights that double from cell to cell.
pub(super) fn level(weight: f64, largest: f64) -> f32 {
    ((1.0 + weight.abs()).ln() / (1.0 + largest).ln().max(1e-9)) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_fit_the_board_and_keep_their_names() {
        assert_eq!(gradient(Size::FOUR), Weights::A);
        let three: Size = "3x3".parse().expect("a size");
        assert_eq!(
            gradient(three),
            Weights::Matrix(vec![4.0, 3.0, 2.0, 3.0, 2.0, 1.0, 2.0, 1.0, 0.0])
        );
        let sum = Evaluator::Sum(vec![
            (2.0, Evaluator::Weights(Weights::B)),
            (1.0, Evaluator::Empty),
        ]);
        assert!(sum.check(three).is_err());
        assert!(fitting(&sum, three).check(three).is_ok());
        assert_eq!(fitting(&sum, Size::FOUR), sum);
        assert_eq!(named(Weights::C.values().to_vec()), Weights::C);
    }

    #[test]
    fn every_term_on_offer_can_be_played() {
        for size in Size::all() {
            assert!(
                terms(size).iter().all(|term| term.check(size).is_ok()),
                "{size}"
            );
        }
    }
}

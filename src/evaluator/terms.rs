//! What an evaluator's number is made of.
//!
//! A sum has a term for each part, sums inside it taken apart and weights multiplied; `Lines` one for each constant
//! that is not 0; else there is one of weight 1. Weight × value adds up to [`Evaluator::evaluate`] but for rounding.
//!
//! A network is one term, or, taken apart itself, one for the points (so far, and of the best slide of a board that is none
//! after a slide) and one for each of its tuples.

use std::sync::Arc;

use super::{Evaluator, Lines};
use crate::game::Board;
use crate::network::opened::Reading;
use crate::network::{Network, library};

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
    /// The number of [`Evaluator::evaluate`] taken apart, networks in one.
    pub fn terms(&self, board: &Board, score: u64) -> Vec<Term> {
        Self::measured(self.parts(), board, score)
    }

    /// The same, networks by their tuples.
    pub fn terms_in_full(&self, board: &Board, score: u64) -> Vec<Term> {
        Self::measured(self.parts_in_full(), board, score)
    }

    fn measured(parts: Vec<Part>, board: &Board, score: u64) -> Vec<Term> {
        let term = |part: Part| Term {
            value: part.value(board, score),
            label: part.label,
            weight: part.weight,
        };
        parts.into_iter().map(term).collect()
    }

    /// The networks among its terms with their weights, as far as they are there.
    pub fn networks(&self) -> Vec<NetworkTerm> {
        let network = |part: Part| match part.measure {
            Measure::Evaluator(Self::Network(name)) => {
                let network = library::network(&name).ok()?;
                Some(NetworkTerm {
                    name: library::short(&name),
                    weight: part.weight,
                    network,
                })
            }
            _ => None,
        };
        self.parts().into_iter().filter_map(network).collect()
    }

    /// What [`Evaluator::terms`] measures, for any board.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        self.add_parts(1.0, &mut parts);
        parts
    }

    /// What [`Evaluator::terms_in_full`] measures, for any board.
    pub(crate) fn parts_in_full(&self) -> Vec<Part> {
        self.parts().into_iter().flat_map(Part::in_full).collect()
    }

    fn add_parts(&self, weight: f64, parts: &mut Vec<Part>) {
        match self {
            Self::Sum(terms) if !terms.iter().all(|(own, _)| keeps(weight, *own)) => {
                parts.push(Part::whole(weight, self));
            }
            Self::Sum(terms) => terms
                .iter()
                .for_each(|(own, term)| term.add_parts(weight * own, parts)),
            Self::Lines(lines) => parts.extend(lines.parts(weight)),
            Self::Formula(formula) => match formula.terms() {
                terms if terms.is_empty() => parts.push(Part::whole(weight, self)),
                terms => parts.extend(terms.into_iter().map(|(own, label, term)| Part {
                    label,
                    weight: weight * own,
                    measure: Measure::Evaluator(Self::Formula(term)),
                })),
            },
            _ => parts.push(Part::whole(weight, self)),
        }
    }
}

/// Whether a product of weights stays in the range of floats; otherwise the sum would not be the same any more.
pub(super) fn keeps(weight: f64, own: f64) -> bool {
    weight == 0.0 || own == 0.0 || (weight * own).is_normal()
}

/// A network among the terms of an evaluator.
#[derive(Clone, Debug)]
pub struct NetworkTerm {
    /// Its name; of a path, that of the file.
    pub name: String,
    pub weight: f64,
    pub network: Arc<Network>,
}

#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) weight: f64,
    measure: Measure,
}

/// What a part measures.
#[derive(Clone, Debug)]
enum Measure {
    Evaluator(Evaluator),
    /// The points that a network does not expect but sees.
    Points(Arc<Network>),
    /// What a tuple of a network adds.
    Tuple(Arc<Network>, usize),
}

impl Part {
    fn whole(weight: f64, evaluator: &Evaluator) -> Self {
        Self {
            label: evaluator.label(),
            weight,
            measure: Measure::Evaluator(evaluator.clone()),
        }
    }

    /// One for each tuple of a network.
    fn in_full(self) -> Vec<Self> {
        let Measure::Evaluator(Evaluator::Network(name)) = &self.measure else {
            return vec![self];
        };
        let Ok(network) = library::network(name) else {
            return vec![self];
        };
        let (name, weight) = (library::short(name), self.weight);
        let points = Self {
            label: format!("{name} points"),
            weight,
            measure: Measure::Points(network.clone()),
        };
        let tuples = network.shape().tuples().iter().enumerate();
        let tuples = tuples.map(|(place, tuple)| Self {
            label: format!("{name} {tuple}"),
            weight,
            measure: Measure::Tuple(network.clone(), place),
        });
        [points].into_iter().chain(tuples).collect()
    }

    pub(crate) fn value(&self, board: &Board, score: u64) -> f64 {
        let of_reading = |network: &Network, number: &dyn Fn(&Reading) -> f64| {
            network
                .reading(&board.to_grid())
                .map_or(f64::NAN, |reading| number(&reading))
        };
        match &self.measure {
            Measure::Evaluator(evaluator) => evaluator.evaluate(board, score),
            Measure::Points(network) => of_reading(network, &|reading| {
                score as f64 + f64::from(reading.reward())
            }),
            Measure::Tuple(network, tuple) => {
                of_reading(network, &|reading| reading.of_tuple(*tuple))
            }
        }
    }
}

impl Lines {
    /// One part for each constant that counts something, which is measured by `Lines` with 1 in its place.
    fn parts(&self, weight: f64) -> impl Iterator<Item = Part> {
        let none = Self {
            fixed: 0.0,
            empty: 0.0,
            merges: 0.0,
            monotonicity: 0.0,
            sum: 0.0,
            pairs: 0.0,
            tiles: 0.0,
            ..*self
        };
        // Where the formula takes away, the sums themselves are measured.
        let parts = [
            ("fixed", self.fixed, Self { fixed: 1.0, ..none }),
            ("empty", self.empty, Self { empty: 1.0, ..none }),
            (
                "merges",
                self.merges,
                Self {
                    merges: 1.0,
                    ..none
                },
            ),
            (
                "monotonicity",
                -self.monotonicity,
                Self {
                    monotonicity: -1.0,
                    ..none
                },
            ),
            ("sum", -self.sum, Self { sum: -1.0, ..none }),
            ("pairs", self.pairs, Self { pairs: 1.0, ..none }),
            (
                "tiles",
                -self.tiles,
                Self {
                    tiles: -1.0,
                    ..none
                },
            ),
        ];
        parts
            .into_iter()
            .filter(|&(_, constant, _)| constant != 0.0)
            .map(move |(name, constant, lines)| Part {
                label: format!("Lines {name}"),
                weight: weight * constant,
                measure: Measure::Evaluator(Evaluator::Lines(lines)),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;

    #[test]
    fn the_terms_of_a_sum_are_what_it_adds_up() {
        let mixed: Evaluator = "Sum([(1.0, Score), (50.0, Empty)])"
            .parse()
            .expect("an evaluator");
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

//! Evaluators as text, data and palette entries.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Weights;
use crate::game::Size;

/// An evaluator with its parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Evaluator {
    /// The score so far, rewards on the way included. Alone it is *greedy* play: take the largest merge.
    ///
    /// Kohler, Migler and Khosmood 2019, section 3, letter `g`.
    Score,
    /// Number of empty cells.
    ///
    /// ```
    /// # use afterstate::{board, evaluator::Evaluator};
    /// let board = board! {
    ///     2 . . 4
    ///     . 8 . .
    ///     . . . .
    ///     . . 16 2
    /// };
    /// assert_eq!(Evaluator::Empty.evaluate(&board, 0), 11.0);
    /// ```
    ///
    /// Kohler, Migler and Khosmood 2019, letter `e`; also Solver and Assignment.
    Empty,
    /// Σ over the tile values present of (how many tiles have it)³; empty cells are no value.
    ///
    /// ```
    /// # use afterstate::{board, evaluator::Evaluator};
    /// let board = board! {
    ///     2 2 2 4
    ///     . . . .
    ///     . . 4 .
    ///     . . . 8
    /// };
    /// assert_eq!(Evaluator::Uniformity.evaluate(&board, 0), 27.0 + 8.0 + 1.0);
    /// ```
    ///
    /// Kohler, Migler and Khosmood 2019, letter `u`.
    Uniformity,
    /// Number of neighbour pairs with a ≥ b, read left to right and top to bottom with empty as 0, the largest over
    /// the four rotations of the board. At most 24 on 4×4.
    ///
    /// ```
    /// # use afterstate::{board, evaluator::Evaluator};
    /// let board = board! {
    ///     8 4 2 .
    ///     4 2 . .
    ///     2 . . .
    ///     . . . .
    /// };
    /// assert_eq!(Evaluator::Monotonicity.evaluate(&board, 0), 24.0);
    /// ```
    ///
    /// Kohler, Migler and Khosmood 2019, Algorithm 2, letter `m`.
    Monotonicity,
    /// 0 on every board, so that a criterion keeps every move. It stands for a row that never separates two moves.
    Inert,
    /// Σ weight · tile over the cells, in the orientation given.
    ///
    /// ```
    /// # use afterstate::{board, evaluator::{Evaluator, Weights}};
    /// let board = board! {
    ///     2 . . .
    ///     . . . .
    ///     . . . .
    ///     . . . 4
    /// };
    /// assert_eq!(Evaluator::Weights(Weights::A).evaluate(&board, 0), 6.0 * 2.0 + 0.0 * 4.0);
    /// ```
    ///
    /// Course paper, Figs. 3–5.
    Weights(Weights),
    /// Σ weight · evaluator.
    ///
    /// ```
    /// # use afterstate::{board, evaluator::Evaluator};
    /// let mixed: Evaluator = "Sum([(1.0, Score), (50.0, Empty)])".parse()?;
    /// let board = board! {
    ///     2 2 2 2
    ///     . . . .
    ///     4 4 4 4
    ///     . . . .
    /// };
    /// assert_eq!(mixed.evaluate(&board, 100), 100.0 + 50.0 * 8.0);
    /// # Ok::<(), afterstate::evaluator::ParseEvaluatorError>(())
    /// ```
    Sum(Vec<(f64, Evaluator)>),
}

impl Evaluator {
    /// Deepest nesting of sums that is accepted.
    pub const DEEPEST: usize = 64;

    /// One of every kind with its default parameters, in the order of the palette.
    pub fn palette() -> Vec<Self> {
        vec![
            Self::Score,
            Self::Empty,
            Self::Uniformity,
            Self::Monotonicity,
            Self::Weights(Weights::A),
            Self::Sum(vec![(1.0, Self::Score), (50.0, Self::Empty)]),
            Self::Inert,
        ]
    }

    /// Name, as RON and the command line write it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Score => "Score",
            Self::Empty => "Empty",
            Self::Uniformity => "Uniformity",
            Self::Monotonicity => "Monotonicity",
            Self::Inert => "Inert",
            Self::Weights(_) => "Weights",
            Self::Sum(_) => "Sum",
        }
    }

    /// What it measures, in a few words.
    pub const fn about(&self) -> &'static str {
        match self {
            Self::Score => "points so far",
            Self::Empty => "number of empty cells",
            Self::Uniformity => "Σ (tiles of a value)³",
            Self::Monotonicity => "ordered pairs of neighbours, best turn",
            Self::Inert => "0, keeps every move",
            Self::Weights(_) => "Σ weight × tile",
            Self::Sum(_) => "Σ weight × evaluator",
        }
    }

    /// Short text for a row on the screen: the name, and for weights and sums what is in them.
    pub fn label(&self) -> String {
        match self {
            Self::Weights(weights) => match weights.preset_name() {
                Some(name) => format!("Weights {name}"),
                None => "Weights".to_owned(),
            },
            Self::Sum(terms) => {
                let term = |(weight, evaluator): &(f64, Self)| match *weight {
                    1.0 => evaluator.label(),
                    _ => format!("{} × {}", crate::words::value(*weight), evaluator.label()),
                };
                if terms.is_empty() {
                    "Sum of nothing".to_owned()
                } else {
                    terms.iter().map(term).collect::<Vec<_>>().join(" + ")
                }
            }
            _ => self.name().to_owned(),
        }
    }

    /// Says what is wrong with the parameters on boards of this size, if anything: numbers that are not finite, a
    /// matrix of another size, a sum without terms or nested deeper than [`Evaluator::DEEPEST`].
    pub fn check(&self, size: Size) -> Result<(), String> {
        self.check_nested(size, 0)
    }

    fn check_nested(&self, size: Size, depth: usize) -> Result<(), String> {
        if Self::DEEPEST < depth {
            return Err(format!("sums are nested deeper than {}", Self::DEEPEST));
        }
        match self {
            Self::Weights(weights) => weights.check(size),
            Self::Sum(terms) if terms.is_empty() => {
                Err("a Sum needs at least one term, such as (1.0, Score)".to_owned())
            }
            Self::Sum(terms) => terms.iter().try_for_each(|(weight, evaluator)| {
                if !weight.is_finite() {
                    return Err(format!("the weight of {} is {weight}, but weights are finite", evaluator.name()));
                }
                evaluator.check_nested(size, depth + 1)
            }),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Evaluator {
    /// The RON text on one line, such as `Sum([(1.0, Score), (50.0, Empty)])`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::ron_text::one_line(self).map_err(|_| fmt::Error)?)
    }
}

/// The text is not an evaluator; the message names line, column and reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an evaluator: {0}")]
pub struct ParseEvaluatorError(String);

impl FromStr for Evaluator {
    type Err = ParseEvaluatorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        crate::ron_text::read(text).map_err(ParseEvaluatorError)
    }
}

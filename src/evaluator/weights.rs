//! A weight per cell.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::EvaluatorError;
use crate::game::{Size, Symmetry};
use crate::words;

/// Weights of the cells in reading order.
///
/// In RON a list of numbers, one per cell, for a square also a list of rows, or the letter of a preset in quotes:
/// `Weights("a")`. The figures of the Course paper behind the presets are lost; the numbers are our reading of its text.
#[derive(Clone, PartialEq, Debug)]
pub enum Weights {
    /// Diagonal gradient: `6 5 4 3 / 5 4 3 2 / 4 3 2 1 / 3 2 1 0`. Course paper, Fig. 3.
    A,
    /// The diagonal doubled each step: `64 32 16 8 / 32 16 8 4 / 16 8 4 2 / 8 4 2 1`. Course paper, Fig. 4.
    B,
    /// Folded path, doubled each step: `2¹⁵ 2¹⁴ 2¹³ 2¹² / 2⁸ 2⁹ 2¹⁰ 2¹¹ / 2⁷ 2⁶ 2⁵ 2⁴ / 2⁰ 2¹ 2² 2³`. Its Fig. 5.
    C,
    /// Any finite numbers, as many as the board has cells.
    Matrix(Vec<f64>),
}

const A: [f64; 16] = [
    6.0, 5.0, 4.0, 3.0, 5.0, 4.0, 3.0, 2.0, 4.0, 3.0, 2.0, 1.0, 3.0, 2.0, 1.0, 0.0,
];
const B: [f64; 16] = [
    64.0, 32.0, 16.0, 8.0, 32.0, 16.0, 8.0, 4.0, 16.0, 8.0, 4.0, 2.0, 8.0, 4.0, 2.0, 1.0,
];
const C: [f64; 16] = [
    32768.0, 16384.0, 8192.0, 4096.0, 256.0, 512.0, 1024.0, 2048.0, 128.0, 64.0, 32.0, 16.0, 1.0,
    2.0, 4.0, 8.0,
];

impl Weights {
    pub fn values(&self) -> &[f64] {
        match self {
            Self::A => &A,
            Self::B => &B,
            Self::C => &C,
            Self::Matrix(values) => values,
        }
    }

    pub const fn preset_name(&self) -> Option<&'static str> {
        match self {
            Self::A => Some("a"),
            Self::B => Some("b"),
            Self::C => Some("c"),
            Self::Matrix(_) => None,
        }
    }

    /// Whether turning or mirroring a board of this size keeps the weights. A rectangle keeps its sides.
    pub fn is_symmetric(&self, size: Size) -> bool {
        let values = self.values();
        let keeps = |symmetry: Symmetry| {
            (0..values.len()).all(|cell| values[symmetry.index(cell, size)] == values[cell])
        };
        values.len() == size.cells() && Symmetry::of(size).all(keeps)
    }

    /// Checks the weights for boards of this size.
    pub fn check(&self, size: Size) -> Result<(), EvaluatorError> {
        let count = self.values().len();
        if count != size.cells() {
            return Err(EvaluatorError::WeightCount { count, size });
        }
        match self.values().iter().position(|weight| !weight.is_finite()) {
            Some(index) => Err(EvaluatorError::CellWeight {
                index,
                weight: self.values()[index],
            }),
            None => Ok(()),
        }
    }
}

impl Serialize for Weights {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.preset_name() {
            Some(name) => serializer.serialize_str(name),
            None => self.values().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrList)
    }
}

struct NameOrList;

impl<'de> Visitor<'de> for NameOrList {
    type Value = Weights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of weights or one of the presets \"a\", \"b\", \"c\"")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Weights, E> {
        let presets = [Weights::A, Weights::B, Weights::C];
        presets
            .into_iter()
            .find(|preset| preset.preset_name() == Some(name))
            .ok_or_else(|| {
                let name = words::quoted(name);
                E::custom(format!(
                    "Weights has no preset {name}: write \"a\", \"b\" or \"c\""
                ))
            })
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<Weights, S::Error> {
        let mut values = Vec::new();
        let mut rows = Vec::new();
        while let Some(element) = list.next_element()? {
            match element {
                NumberOrRow::Number(weight) => values.push(weight),
                NumberOrRow::Row(row) => {
                    rows.push(row.len());
                    values.extend(row);
                }
            }
            if 25 < values.len() {
                return Err(de::Error::custom(
                    "Weights has more than 25 numbers, but boards have at most 25 cells",
                ));
            }
        }

        if !rows.is_empty() && values.len() != rows.iter().sum::<usize>() {
            return Err(de::Error::custom(
                "Weights mixes numbers and rows: write one list, or rows only",
            ));
        }
        // A flat list has no shape, so rows of a rectangle would fit a turned board as well.
        if rows.iter().any(|&cells| cells != rows.len()) {
            let reason = "the rows of Weights do not make a square: write as many numbers in each row as there are rows, or \
                          one list of all numbers";
            return Err(de::Error::custom(reason));
        }
        Ok(Weights::Matrix(values))
    }
}

/// An element of a list of weights.
enum NumberOrRow {
    Number(f64),
    Row(Vec<f64>),
}

impl<'de> Deserialize<'de> for NumberOrRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = NumberOrRow;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number or a row of numbers")
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<NumberOrRow, E> {
                Ok(NumberOrRow::Number(number))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<NumberOrRow, E> {
                Ok(NumberOrRow::Number(number as f64))
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<NumberOrRow, E> {
                Ok(NumberOrRow::Number(number as f64))
            }

            fn visit_seq<S: SeqAccess<'de>>(self, mut row: S) -> Result<NumberOrRow, S::Error> {
                let mut numbers = Vec::new();
                while let Some(number) = row.next_element()? {
                    numbers.push(number);
                }
                Ok(NumberOrRow::Row(numbers))
            }
        }

        deserializer.deserialize_any(Either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;

    #[test]
    fn presets_and_matrices_read_back_as_written() {
        for weights in [
            Weights::A,
            Weights::B,
            Weights::C,
            Weights::Matrix(vec![0.5, -1.0, 3.0, 1e6]),
        ] {
            let evaluator = Evaluator::Weights(weights);
            assert_eq!(
                evaluator.to_string().parse(),
                Ok(evaluator.clone()),
                "{evaluator}"
            );
        }
        assert_eq!(Evaluator::Weights(Weights::A).to_string(), "Weights(\"a\")");
        let whole: Evaluator = "Weights([1, 2, 3, 4])"
            .parse()
            .expect("whole numbers are numbers");
        assert_eq!(
            whole,
            Evaluator::Weights(Weights::Matrix(vec![1.0, 2.0, 3.0, 4.0]))
        );
    }

    #[test]
    fn rows_of_a_square_are_the_same_as_one_list() {
        let rows: Evaluator = "Weights([[1, 2.5], [-3, 4]])".parse().expect("rows");
        assert_eq!(
            rows,
            Evaluator::Weights(Weights::Matrix(vec![1.0, 2.5, -3.0, 4.0]))
        );
        assert_eq!(rows.to_string().parse(), Ok(rows));
        for wrong in [
            "Weights([[1, 2], [3, 4], [5, 6]])",
            "Weights([[1, 2], [3]])",
            "Weights([[1, 2], 3, 4])",
        ] {
            let error = wrong.parse::<Evaluator>().expect_err(wrong).to_string();
            assert!(
                error.contains("the rows of Weights do not make a square")
                    || error.contains("mixes"),
                "{error}"
            );
        }
    }

    #[test]
    fn the_folded_path_doubles_from_its_end_to_its_head() {
        let path = [12, 13, 14, 15, 11, 10, 9, 8, 4, 5, 6, 7, 3, 2, 1, 0];
        for (step, cell) in path.into_iter().enumerate() {
            assert_eq!(C[cell], f64::from(1 << step));
        }
    }

    #[test]
    fn a_matrix_of_another_size_is_refused() {
        assert!(Weights::A.check(Size::FOUR).is_ok());
        let two = Size::new(2, 2).expect("a size");
        let error = Weights::A
            .check(two)
            .expect_err("16 numbers for 4 cells")
            .to_string();
        assert_eq!(error, "Weights has 16 numbers, but a 2x2 board has 4 cells");
        assert!(
            Weights::Matrix(vec![1.0, 2.0, f64::NAN, 0.0])
                .check(two)
                .is_err()
        );
    }
}

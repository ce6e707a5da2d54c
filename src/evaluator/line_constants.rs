//! The constants of `Lines`.

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::EvaluatorError;
use crate::math;
use crate::words;

/// A value of each row and each column, from good and bad features along it. The constants are Xiao's unless set.
///
/// Constants that are left out in RON are Xiao's. The formula is at [`Evaluator::Lines`](super::Evaluator::Lines).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lines {
    /// Value of every line, so that a dead board, which counts 0, is worse than any other.
    #[serde(skip_serializing_if = "is_xiao::<0>")]
    pub fixed: f64,
    #[serde(skip_serializing_if = "is_xiao::<1>")]
    pub empty: f64,
    /// Value of each tile of a run of equal ones, across empty cells.
    #[serde(skip_serializing_if = "is_xiao::<2>")]
    pub merges: f64,
    /// Penalty for disorder, times the smaller of all falls and all rises along the line.
    #[serde(skip_serializing_if = "is_xiao::<3>")]
    pub monotonicity: f64,
    /// A fall from rank a to rank b is a to this power minus b to this power.
    #[serde(skip_serializing_if = "is_xiao::<4>")]
    pub monotonicity_power: f64,
    /// Penalty for tiles, times the sum of their ranks to a power: many small tiles are worse than one large.
    #[serde(skip_serializing_if = "is_xiao::<5>")]
    pub sum: f64,
    #[serde(skip_serializing_if = "is_xiao::<6>")]
    pub sum_power: f64,
    /// Value of each pair of adjacent equal tiles, the Tutorial's description of merges. Xiao's is 0.
    #[serde(skip_serializing_if = "is_xiao::<7>")]
    pub pairs: f64,
    /// Penalty for tiles, times the sum of their values, the Tutorial's description of its sum. Xiao's is 0.
    #[serde(skip_serializing_if = "is_xiao::<8>")]
    pub tiles: f64,
}

impl Lines {
    /// The constants of Xiao's solver, `nneonneo/2048-ai`, which Composition cites.
    pub const XIAO: Self = Self {
        fixed: 200_000.0,
        empty: 270.0,
        merges: 700.0,
        monotonicity: 47.0,
        monotonicity_power: 4.0,
        sum: 11.0,
        sum_power: 3.5,
        pairs: 0.0,
        tiles: 0.0,
    };

    /// The constants by name, in the order of the formula.
    pub const fn constants(&self) -> [(&'static str, f64); 9] {
        [
            ("fixed", self.fixed),
            ("empty", self.empty),
            ("merges", self.merges),
            ("monotonicity", self.monotonicity),
            ("monotonicity_power", self.monotonicity_power),
            ("sum", self.sum),
            ("sum_power", self.sum_power),
            ("pairs", self.pairs),
            ("tiles", self.tiles),
        ]
    }

    /// The constants by name, to be set.
    pub fn constants_mut(&mut self) -> [(&'static str, &mut f64); 9] {
        let Self {
            fixed,
            empty,
            merges,
            monotonicity,
            monotonicity_power,
            sum,
            sum_power,
            pairs,
            tiles,
        } = self;
        [
            ("fixed", fixed),
            ("empty", empty),
            ("merges", merges),
            ("monotonicity", monotonicity),
            ("monotonicity_power", monotonicity_power),
            ("sum", sum),
            ("sum_power", sum_power),
            ("pairs", pairs),
            ("tiles", tiles),
        ]
    }

    pub fn check(&self) -> Result<(), EvaluatorError> {
        for (name, constant) in self.constants() {
            if !constant.is_finite() {
                return Err(EvaluatorError::Constant { name, constant });
            }
            // Ranks end at 26: beyond this exponent their powers overflow.
            if name.ends_with("power") && 100.0 < constant.abs() {
                return Err(EvaluatorError::Power { name, constant });
            }
        }
        Ok(())
    }

    /// An upper limit of the absolute value on any board: ten lines of five cells, ranks to 26.
    pub(super) fn largest(&self) -> f64 {
        let power = |power: f64| math::pow(26.0, power.abs());
        let line = self.fixed.abs()
            + 5.0 * (self.empty.abs() + self.merges.abs() + self.sum.abs() * power(self.sum_power))
            + 4.0 * (self.monotonicity.abs() * power(self.monotonicity_power) + self.pairs.abs())
            + 5.0 * self.tiles.abs() * math::powi(2.0, 26);
        10.0 * line
    }

    /// `Lines`, and the constants that are not Xiao's: `Lines empty 300`.
    pub(super) fn label(&self) -> String {
        let own = self
            .constants()
            .into_iter()
            .zip(Self::XIAO.constants())
            .filter(|(own, xiao)| own != xiao);
        let own = own.map(|((name, own), _)| {
            format!(" {} {}", name.replace('_', " "), words::decimals_short(own))
        });
        format!("Lines{}", own.format(","))
    }
}

impl Default for Lines {
    fn default() -> Self {
        Self::XIAO
    }
}

/// Whether constant number `INDEX` is Xiao's.
fn is_xiao<const INDEX: usize>(constant: &f64) -> bool {
    Lines::XIAO.constants()[INDEX].1 == *constant
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::Evaluator;

    #[test]
    fn only_constants_that_are_not_xiaos_are_written() {
        let evaluator = |lines| Evaluator::Lines(lines);
        assert_eq!(evaluator(Lines::XIAO).to_string(), "Lines()");
        for index in 0..9 {
            let mut constants = Lines::XIAO.constants().map(|(_, constant)| constant);
            constants[index] = -0.5;
            let mut lines = Lines::XIAO;
            lines
                .constants_mut()
                .into_iter()
                .zip(constants)
                .for_each(|((_, own), constant)| *own = constant);
            let text = evaluator(lines).to_string();
            assert_eq!(text, format!("Lines({}: -0.5)", lines.constants()[index].0));
            assert_eq!(text.parse(), Ok(evaluator(lines)));
        }

        assert_eq!(
            "Lines(empty: 300)".parse(),
            Ok(evaluator(Lines {
                empty: 300.0,
                ..Lines::XIAO
            }))
        );
        assert_eq!(
            evaluator(Lines {
                empty: 300.0,
                sum_power: 3.0,
                ..Lines::XIAO
            })
            .label(),
            "Lines empty 300, sum power 3"
        );
    }

    #[test]
    fn constants_whose_values_no_number_holds_are_refused() {
        let four = crate::game::Size::FOUR;
        for text in [
            "Lines(empty: 1e308)",
            "Product(Lines(empty: 1e308), Inert)",
            "Weights([1e305, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1e305])",
            "Sum([(1e300, Score)])",
            "Product(Sum([(1e150, Score)]), Sum([(1e150, Empty)]))",
        ] {
            let error = text
                .parse::<Evaluator>()
                .expect(text)
                .check(four)
                .expect_err(text)
                .to_string();
            assert!(error.contains("use smaller constants"), "{error}");
        }
        for evaluator in Evaluator::palette()
            .into_iter()
            .filter(|evaluator| evaluator.files().is_empty())
        {
            assert_eq!(evaluator.check(four), Ok(()), "{evaluator}");
        }
        assert_eq!(
            "Sum([(1e100, Score), (1e-100, Empty)])"
                .parse::<Evaluator>()
                .expect("a sum")
                .check(four),
            Ok(())
        );
    }

    #[test]
    fn constants_without_a_meaning_are_refused() {
        for (text, reason) in [
            (
                "Lines(empty: NaN)",
                "the empty of Lines is NaN, but it must be a finite number",
            ),
            (
                "Lines(sum: inf)",
                "the sum of Lines is inf, but it must be a finite number",
            ),
            (
                "Lines(sum_power: 1e9)",
                "the sum_power of Lines is 1000000000: write a power from -100 to 100",
            ),
        ] {
            let evaluator: Evaluator = text.parse().expect(text);
            for size in crate::game::Size::all() {
                assert_eq!(
                    evaluator.check(size).map_err(|error| error.to_string()),
                    Err(reason.to_owned())
                );
            }
        }
        assert!("Lines(emty: 1)".parse::<Evaluator>().is_err());
    }
}

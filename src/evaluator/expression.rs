//! Evaluators as text, data and palette entries.

use std::fmt;
use std::str::FromStr;

use itertools::Itertools as _;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::{
    EXAMPLES, FeaturePolicy, Formula, FormulaError, Lines, ProgramSpec, ProgramSpecError, Reads,
    Weights,
};
use crate::game::{Rank, Size};
use crate::kept::KeptError;
use crate::math;
use crate::network;
use crate::process::SpecError;
use crate::ron_text::{self, Mistake};
use crate::solve::{self, Goal};
use crate::words;

/// An evaluator with its parameters. [`Evaluator::facts`] names its source.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Evaluator {
    /// The score so far, including rewards on the way. Alone it is *greedy* play: take the largest merge.
    Score,
    Empty,
    /// Σ over the tile values present of (number of tiles with it)³. Empty cells do not count.
    Uniformity,
    /// Number of neighbour pairs with a ≥ b, read left to right and top to bottom with empty as 0, the largest over
    /// the four rotations of the board. At most 24 on 4×4.
    Monotonicity,
    /// −Σ over the neighbour pairs of |a − b|, empty as 0: the smaller the steps between neighbours, the better.
    Difference,
    /// −Σ over the neighbor pairs of two tiles of |a − b|; a pair with an empty cell does not count.
    ///
    /// The other reading of the Solver's "every two adjacent tiles", which gives empty cells a value only for Corner and
    /// Snake. A kind of its own, because saved strategies write `Difference` without brackets.
    DifferenceOfTiles,
    MaxTile,
    /// Large tiles belong in one corner, none in the opposite one: the largest over the four rotations of the board of
    /// Σ weight · tile, with the weights `0 1 2 4 / -1 0 1 2 / -2 -1 0 1 / -4 -2 -1 0`.
    ///
    /// On any size a cell n steps nearer to the upper right corner than to the lower left one has weight 2^(⌈n/2⌉ − 1),
    /// one n steps farther −2^(⌈n/2⌉ − 1), and one between them 0.
    Corner,
    /// Σ tile over the cells on the edge of the board, those of the corners once.
    ///
    /// Composition and Course say of Xiao's solver that it rewards large values on the edge, by heavy weights. They do not
    /// state the weights: that of a term of a `Sum` takes their place.
    Edges,
    /// Tiles fall along a folded path that begins in a corner: the largest over the eight symmetries of the board of
    /// Σ 2ᵏ · tile / 2¹³, k from 15 at the head of the path `15 14 13 12 / 8 9 10 11 / 7 6 5 4 / 0 1 2 3` to 0.
    ///
    /// On n cells k begins at n − 1 and the sum is divided by 2^(n − 3), so that the head always counts four times; on
    /// a rectangle the path folds along the rows or along the columns, whichever is worth more.
    Snake,
    /// What is good and bad along each row and each column: Σ over these lines of
    ///
    /// ```text
    /// fixed + empty · (empty cells) + merges · (merges)
    ///       − monotonicity · min(falls, rises) − sum · Σ rank ^ sum_power
    ///       + pairs · (equal tiles side by side) − tiles · Σ tile
    /// ```
    ///
    /// The rank of a tile is its exponent: 1 for 2, 2 for 4. `falls` is Σ over neighbours with rank a > b of aᵖ − bᵖ and
    /// `rises` the same with a < b, larger minus smaller, p being `monotonicity_power`. Merges: empty cells skipped, a run
    /// of k equal tiles counts k unless it is alone. An empty cell has rank 0, and its powers are 0 whatever the power.
    ///
    /// Tutorial, `CalculateFinalScore`; constants of Xiao's `nneonneo/2048-ai`, which Kohler, Migler and Khosmood cite.
    Lines(Lines),
    /// 0 on every board, so that a criterion keeps every move. For a row that never separates two moves.
    Inert,
    /// Σ weight · tile over the cells, in the given orientation.
    Weights(Weights),
    /// Large tiles before small ones: Σ over the neighbour pairs with a ≥ b of a, in reading order with empty as 0.
    MonotoneSum,
    /// −Σ over the neighbour pairs of |a − b|, the same number as [`Evaluator::Difference`].
    Smoothness,
    /// Smoothness with equation 4 as it is printed: a horizontal pair counts −|a − b + 1|, a vertical one −|a − b|.
    SmoothnessPrinted,
    /// The largest tile T if a corner has it, otherwise −T.
    CornerBonus,
    /// −Σ |a − b| over the ranks of each tile and of the next tile to its right and below, empty cells skipped.
    ///
    /// `smoothness` of ovolve's `2048-AI`.
    RankSmoothness,
    /// −min(falls, rises) of the ranks along all rows, and the same along all columns: 0 if every row runs one way and every
    /// column does. Empty cells between tiles are skipped; one at the end of a line counts as rank 0.
    ///
    /// `monotonicity2` of ovolve's `2048-AI`, which takes the larger of two sums that are never above 0.
    RankMonotonicity,
    /// Natural logarithm of the number of empty cells. No slide leaves a board full; a full one, whose logarithm would be −∞,
    /// counts as half a cell.
    LogEmpty,
    /// Rank of the largest tile: its logarithm to base 2.
    MaxRank,
    /// 1 if the board has this tile or a larger one, otherwise 0.
    HasTile(u64),
    /// Σ weight · evaluator: trades several aims against each other.
    ///
    /// Fried, Goldberger and Gavorova mix two; the `H` of Molla, Garen, Ripoll and Beckhauser 2025 is `Sum([(1.0,
    /// Score), (50.0, Empty), (10.0, MonotoneSum), (5.0, SmoothnessPrinted), (10.0, CornerBonus)])`.
    Sum(Vec<(f64, Evaluator)>),
    /// One evaluator times another, such as score times a measure of position.
    Product(Box<Evaluator>, Box<Evaluator>),
    /// The value of an afterstate under best play, from a solved table with this name or path ([`crate::solve`]): the
    /// score so far, including the reward of the slide, plus the points still to come. For a table for a tile it is the
    /// probability of reaching it. A board without an empty cell counts as one to move. NaN on boards that no game
    /// reaches.
    Solved(String),
    /// The value of an afterstate from an n-tuple network with this name or path ([`crate::network`]): the score so
    /// far, including the reward of the slide, plus the sum of its weights, which estimates the points to come. So the
    /// slide with the largest reward + value is chosen, and a search counts the rewards on its way. A board without an
    /// empty cell counts as one to move. A tile above 32768 counts as 32768 in its tables. NaN on boards of another
    /// size.
    Network(String),
    /// Points to come from the features of a board, with 34,560 states in place of all boards ([`crate::process`]):
    /// Course paper, Table IV.
    Policy(FeaturePolicy),
    /// An expression over rows, columns, cells and counts, such as `Formula("score + 50 * empty")` ([`Formula`]).
    Formula(Formula),
    /// The answer of another program, such as `Program(command: ["python3", "evaluate.py"], seconds: 2)`
    /// ([`ProgramSpec`]). NaN on the thread of the window, which must not wait, unless the answer is cached.
    Program(ProgramSpec),
}

impl Evaluator {
    /// Upper limit of every absolute value. A search that sums spawns multiplies it by at most 10⁵⁰.
    const LARGEST: f64 = 1e200;

    /// Maximum nesting of sums and products.
    pub const DEEPEST: usize = 64;

    /// Maximum number of terms and factors of an evaluator, including those of nested sums and products: more than
    /// anyone weighs by hand, and few enough to draw and compile quickly.
    pub const MOST_TERMS: usize = 1000;

    /// One of every kind with its default parameters, in palette order.
    pub fn palette() -> Vec<Self> {
        vec![
            Self::Score,
            Self::Empty,
            Self::Uniformity,
            Self::Monotonicity,
            Self::Difference,
            Self::DifferenceOfTiles,
            Self::MaxTile,
            Self::Corner,
            Self::Edges,
            Self::Snake,
            Self::Lines(Lines::XIAO),
            Self::Weights(Weights::A),
            Self::MonotoneSum,
            Self::Smoothness,
            Self::SmoothnessPrinted,
            Self::CornerBonus,
            Self::RankSmoothness,
            Self::RankMonotonicity,
            Self::LogEmpty,
            Self::MaxRank,
            Self::HasTile(2048),
            Self::Sum(vec![(1.0, Self::Score), (50.0, Self::Empty)]),
            Self::Product(Box::new(Self::Score), Box::new(Self::Weights(Weights::A))),
            Self::Inert,
            Self::Solved("3x3".to_owned()),
            Self::Network(network::library::REFERENCE.to_owned()),
            Self::Policy(FeaturePolicy::default()),
            Self::Formula(Formula::new(EXAMPLES[0].text)),
            Self::Program(ProgramSpec::default()),
        ]
    }

    /// Every kind with its default parameters that has a value on a board of this size by itself. Leaves out `Sum` and
    /// `Product`, which have no value of their own, `Formula` and `Program`, which the user writes, and `Policy`, which
    /// takes seconds to learn.
    pub fn usual(size: Size) -> Vec<Self> {
        let mut usual = Self::palette();
        usual.retain(|one| {
            !matches!(
                one,
                Self::Sum(_)
                    | Self::Product(..)
                    | Self::Policy(_)
                    | Self::Formula(_)
                    | Self::Program(_)
            ) && one.check(size).is_ok()
        });
        usual
    }

    /// The name in RON and on the command line.
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// Short text for a row on the screen: the name, and its parameters if they vary.
    pub fn label(&self) -> String {
        match self {
            Self::Weights(weights) => weights
                .preset_name()
                .map_or("Weights".to_owned(), |name| format!("Weights {name}")),
            Self::Sum(terms) if terms.is_empty() => "Sum of nothing".to_owned(),
            Self::Sum(terms) => {
                let term = |(weight, evaluator): &(f64, Self)| match *weight {
                    1.0 => evaluator.label(),
                    _ => format!("{} × {}", words::decimals_short(*weight), evaluator.label()),
                };
                terms.iter().map(term).join(" + ")
            }
            Self::Product(one, other) => {
                let factor = |factor: &Self| match factor {
                    Self::Sum(_) => format!("({})", factor.label()),
                    _ => factor.label(),
                };
                format!("{} × {}", factor(one), factor(other))
            }
            Self::Lines(lines) => lines.label(),
            Self::Solved(name) => format!("Solved {}", words::one_line(name)),
            // The hash is shown if the name does not identify the file.
            Self::Network(name)
                if name == network::library::REFERENCE && network::library::has_own_reference() =>
            {
                let hash =
                    network::library::info(name).map_or_else(|_| String::new(), |info| info.sha256);
                format!(
                    "Network reference (own, {})",
                    hash.get(..8).unwrap_or_default()
                )
            }
            Self::Network(name) => format!("Network {}", network::library::short(name)),
            Self::HasTile(tile) => format!("HasTile {tile}"),
            Self::Policy(policy) => format!("Policy {}", policy.text()),
            Self::Formula(formula) => format!("Formula {}", formula.label()),
            Self::Program(program) => format!("Program {}", program.label()),
            _ => self.name().to_owned(),
        }
    }

    /// Whether the value depends on the score.
    pub fn uses_score(&self) -> bool {
        match self {
            Self::Score | Self::Network(_) | Self::Program(_) => true,
            Self::Sum(terms) => terms.iter().any(|(_, evaluator)| evaluator.uses_score()),
            Self::Product(one, other) => one.uses_score() || other.uses_score(),
            Self::Formula(formula) => formula.uses_score(),
            // If the table cannot be read, the answer is the cautious one: boards with different scores do not count as
            // equal.
            Self::Solved(name) => {
                solve::library::info(name).map_or(true, |info| info.question.goal == Goal::Score)
            }
            _ => false,
        }
    }

    /// Whether all eight images of a board have the same value; for a rectangle the four that keep its sides.
    pub fn is_symmetric(&self, size: Size) -> bool {
        match self {
            Self::Weights(weights) => weights.is_symmetric(size),
            Self::Sum(terms) => terms
                .iter()
                .all(|(_, evaluator)| evaluator.is_symmetric(size)),
            Self::Product(one, other) => one.is_symmetric(size) && other.is_symmetric(size),
            Self::Network(name) => {
                network::library::info(name).is_ok_and(|info| info.header.shape.is_symmetric())
            }
            Self::Formula(formula) => formula.is_symmetric(),
            _ => self.facts().is_symmetric,
        }
    }

    /// Checks the parameters for boards of this size.
    pub fn check(&self, size: Size) -> Result<(), EvaluatorError> {
        self.check_terms()?;
        self.check_nested(size, 0)?;
        if self.largest(size) < Self::LARGEST {
            Ok(())
        } else {
            Err(EvaluatorError::TooLarge)
        }
    }

    /// Reads an evaluator with a limited number of terms, so that working with it is quick.
    pub fn deserialize_bounded<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Self, D::Error> {
        let evaluator = Self::deserialize(deserializer)?;
        evaluator.check_terms().map_err(de::Error::custom)?;
        Ok(evaluator)
    }

    fn check_terms(&self) -> Result<(), EvaluatorError> {
        match self.count_terms() {
            terms if Self::MOST_TERMS < terms => Err(EvaluatorError::TooManyTerms { terms }),
            _ => Ok(()),
        }
    }

    /// The total number of terms and factors. An evaluator that is neither a sum nor a product counts as one.
    fn count_terms(&self) -> usize {
        match self {
            Self::Sum(terms) => terms.iter().map(|(_, term)| term.count_terms()).sum(),
            Self::Product(one, other) => one.count_terms() + other.count_terms(),
            _ => 1,
        }
    }

    /// An upper limit of the absolute value on boards of this size. NaN if there is none.
    fn largest(&self, size: Size) -> f64 {
        /// The largest tile of 25 cells.
        const TILE: f64 = (1_u64 << Rank::MAX.get()) as f64;
        match self {
            Self::Inert => 0.0,
            Self::Empty | Self::Monotonicity | Self::Uniformity => math::powi(25.0, 3),
            Self::MaxTile | Self::CornerBonus => TILE,
            // Ranks end at 26, lines have 40 steps.
            Self::RankSmoothness
            | Self::RankMonotonicity
            | Self::LogEmpty
            | Self::MaxRank
            | Self::HasTile(_) => 2000.0,
            Self::Difference
            | Self::DifferenceOfTiles
            | Self::Smoothness
            | Self::SmoothnessPrinted
            | Self::MonotoneSum => 40.0 * 2.0 * TILE,
            // A game score stays below 2³².
            Self::Score
            | Self::Corner
            | Self::Edges
            | Self::Snake
            | Self::Solved(_)
            | Self::Network(_)
            | Self::Policy(_)
            | Self::Program(_) => math::powi(2.0, 60),
            Self::Lines(lines) => lines.largest(),
            // Checked before.
            Self::Formula(formula) => formula
                .range(size)
                .map_or(0.0, |[low, high]| low.abs().max(high.abs())),
            Self::Weights(weights) => weights
                .values()
                .iter()
                .map(|weight| weight.abs() * TILE)
                .sum(),
            Self::Sum(terms) => terms
                .iter()
                .map(|(weight, term)| weight.abs() * term.largest(size))
                .sum(),
            Self::Product(one, other) => one.largest(size) * other.largest(size),
        }
    }

    /// Refuses a table that was solved for another chance of a 4.
    pub fn check_p4(&self, p4: f64) -> Result<(), EvaluatorError> {
        self.files().into_iter().try_for_each(|file| match file {
            Reads::Solved(name) => match solve::library::info(name)?.question {
                question if question.p4 == p4 => Ok(()),
                question => Err(EvaluatorError::SolvedP4 {
                    name: name.to_owned(),
                    question,
                    p4,
                }),
            },
            Reads::Network(_) | Reads::Process(_) | Reads::Program(_) => Ok(()),
        })
    }

    fn check_nested(&self, size: Size, depth: usize) -> Result<(), EvaluatorError> {
        if Self::DEEPEST < depth {
            return Err(EvaluatorError::TooDeep);
        }
        match self {
            Self::Weights(weights) => weights.check(size),
            Self::Lines(lines) => lines.check(),
            Self::HasTile(tile) if *tile < 4 || Rank::of_tile(*tile).is_none() => {
                Err(EvaluatorError::NoSuchTile { tile: *tile })
            }
            Self::Network(name) => match network::library::info(name)?.header.shape.size {
                own if own == size => Ok(()),
                own => Err(EvaluatorError::NetworkSize {
                    name: name.clone(),
                    own,
                    size,
                }),
            },
            Self::Solved(name) => match solve::library::info(name)?.question.size {
                solved if solved == size => Ok(()),
                solved => Err(EvaluatorError::SolvedSize {
                    name: name.clone(),
                    solved,
                    size,
                }),
            },
            Self::Policy(policy) => policy.check(size, depth == 0),
            Self::Formula(formula) => Ok(formula.check(size)?),
            Self::Program(program) => Ok(program.check()?),
            Self::Product(one, other) => {
                one.check_nested(size, depth + 1)?;
                other.check_nested(size, depth + 1)
            }
            Self::Sum(terms) if terms.is_empty() => Err(EvaluatorError::NoTerm),
            Self::Sum(terms) => terms.iter().try_for_each(|(weight, evaluator)| {
                if !weight.is_finite() {
                    return Err(EvaluatorError::TermWeight {
                        name: evaluator.name(),
                        weight: *weight,
                    });
                }
                evaluator.check_nested(size, depth + 1)
            }),
            _ => Ok(()),
        }
    }
}

/// Why an evaluator is invalid on boards of a size.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum EvaluatorError {
    #[error("Weights has {}, but a {size} board has {} cells", words::plural(*.count as u64, "number"), .size.cells())]
    WeightCount { count: usize, size: Size },
    #[error("weight {} of Weights is {weight}, but it must be a finite number", .index + 1)]
    CellWeight { index: usize, weight: f64 },
    #[error("the {name} of Lines is {constant}, but it must be a finite number")]
    Constant { name: &'static str, constant: f64 },
    #[error("the {name} of Lines is {constant}: write a power from -100 to 100")]
    Power { name: &'static str, constant: f64 },
    #[error("HasTile({tile}): not a tile: write a power of 2 from 4 to {}", Rank::MAX.tile())]
    NoSuchTile { tile: u64 },
    #[error("a Sum needs at least one term, such as (1.0, Score)")]
    NoTerm,
    #[error("the weight of {name} is {weight}, but it must be a finite number")]
    TermWeight { name: &'static str, weight: f64 },
    #[error(
        "it has {} terms, but sums and products have at most {} in all: leave some out",
        words::count(*.terms as u64), words::count(Evaluator::MOST_TERMS as u64)
    )]
    TooManyTerms { terms: usize },
    #[error(
        "sums and products are nested deeper than {} levels: use fewer",
        Evaluator::DEEPEST
    )]
    TooDeep,
    #[error("its values may become too large to compare: use smaller constants")]
    TooLarge,
    #[error(transparent)]
    File(#[from] KeptError),
    #[error("Formula, {0}")]
    Formula(#[from] FormulaError),
    #[error("Program: {0}")]
    Program(#[from] ProgramSpecError),
    #[error("Policy: {0}")]
    ProcessSpec(#[from] SpecError),
    #[error("Policy with by: State values slides, not boards: use it alone in a row of one ply")]
    PolicyInSum,
    #[error(
        "Solved({name:?}) is a table of {solved} boards, not {size} boards: name one of that size"
    )]
    SolvedSize {
        name: String,
        solved: Size,
        size: Size,
    },
    #[error(
        "Solved({name:?}) is a table for games with {}, but these games have {}: make one with {}",
        words::fours(.question.p4), words::fours(*.p4), solve::command(.question.size, *.p4)
    )]
    SolvedP4 {
        name: String,
        question: solve::Question,
        p4: f64,
    },
    #[error(
        "Network({name:?}) was trained on {own} boards, not {size} boards: name one of that size"
    )]
    NetworkSize { name: String, own: Size, size: Size },
}

impl fmt::Display for Evaluator {
    /// The RON text on one line, such as `Sum([(1.0, Score), (50.0, Empty)])`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::ron_text::one_line(self).map_err(|_| fmt::Error)?)
    }
}

/// Why a text is not an evaluator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParseEvaluatorError {
    #[error("not an evaluator: {0}")]
    Ron(#[from] Mistake),
    #[error("not an evaluator: {0}")]
    Terms(#[from] EvaluatorError),
}

impl FromStr for Evaluator {
    type Err = ParseEvaluatorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let evaluator: Self = ron_text::read(text)?;
        evaluator.check_terms()?;
        Ok(evaluator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_a_thousand_terms_at_most_however_they_are_nested() {
        let sum = |terms: usize| format!("Sum([{}])", "(1.0, Score),".repeat(terms));
        assert!(sum(Evaluator::MOST_TERMS).parse::<Evaluator>().is_ok());
        let half = sum(Evaluator::MOST_TERMS / 2 + 1);
        let nested = format!("Sum([(1.0, {half}), (2.0, Product(Score, {half}))])");
        for text in [sum(100_000), nested] {
            let error = text.parse::<Evaluator>().expect_err("too many").to_string();
            assert!(
                error.contains("at most 1,000 in all: leave some out"),
                "{error}"
            );
            let strategy = format!("Strategy(criteria: [(evaluator: {text})])");
            let error = strategy
                .parse::<crate::strategy::Strategy>()
                .expect_err("too many")
                .to_string();
            assert!(
                error.contains("line 1, column") && error.contains("at most 1,000 in all"),
                "{error:.200}"
            );
        }
        let terms = vec![(1.0, Evaluator::Score); Evaluator::MOST_TERMS + 1];
        assert!(matches!(
            Evaluator::Sum(terms).check(Size::FOUR),
            Err(EvaluatorError::TooManyTerms { terms: 1001 })
        ));
    }
}

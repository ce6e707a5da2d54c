//! An evaluator that is typed: a number of the board after the slide, as an expression.
//!
//! ```text
//! Formula("270 * empty + 700 * merges - sum(pairs, (a, b) -> abs(a.rank - b.rank))")
//!
//! sum(lines, x -> 3 * max(x, c -> c.rank) - count(x, c -> c.tile = 2))
//! let most = max(cells, c -> c.rank); sum(cells, c -> if(c.rank = most, c.row, 0)) + score / 100
//! max(turns, b -> count(b.pairs, (x, y) -> y.tile <= x.tile))
//! ```
//!
//! Values are numbers, conditions (which count 1 or 0), cells, lines, boards and lists of these. [`WORDS`] lists the
//! words, and `tree.rs` has the grammar. A tile is its number (2, 4, 8 …), a rank its exponent (1, 2, 3 …); for an
//! empty cell both are 0. As with every evaluator, the board is the one after the slide and before the new tile, and
//! the score includes the reward of that slide. A word after a dot takes the part before it as its first argument:
//! `c.rank` is `rank(c)`, `x.pairs` is `pairs(x)`. `# …` is a comment.
//!
//! # What can go wrong?
//!
//! All errors appear before play. Types are checked as the text is read. Lengths of lists, divisors, logarithms and
//! sizes of numbers are checked by the least and the largest value that each part may have on boards of the size
//! (`bounds.rs`), narrowed by the conditions around it (`assumed.rs`): `if(empty = 0, 0, 100 / empty)` is valid. So a
//! formula has a finite number on every board. [`FormulaError`] names the character and the remedy. The only loops are
//! over lists, which have at most [`Formula::LONGEST_LIST`] elements, and a formula that would take more than
//! [`Formula::MOST_STEPS`] steps for one board is refused.
//!
//! # Why is it fast?
//!
//! Sums over lines are split off (`split.rs`) and looked up in tables of rows like all sums over lines, including an
//! added score, if they take at most [`Formula::MOST_LINE_STEPS`]. The rest is evaluated on the board, node by node
//! (`node.rs`). Sums are added from both ends.
//!
//! # Why this parser?
//!
//! The expression parser of winnow handles operator precedence and leaves words, types and messages to this code. CEL
//! keeps no positions in its tree, so its messages could not name the character. Script languages distinguish integers
//! from floats, so that `1 / 2` is 0, and have loops that must be stopped by counting.

mod alike;
mod assumed;
mod bounds;
mod build;
mod error;
mod examples;
#[cfg(test)]
mod generated;
mod names;
mod node;
mod range;
mod split;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::{Grid, Rank, Size};
use crate::words;

pub use error::{FormulaError, Place};
pub use examples::{EXAMPLES, Example};
pub use names::{Group, WORDS, Word};
use node::Node;
pub(super) use node::Only;
use split::Split;

/// An expression as typed, with its parsed form. Clones share both.
#[derive(Clone)]
pub struct Formula(Arc<Inner>);

struct Inner {
    text: String,
    read: Result<Program, FormulaError>,
}

struct Program {
    whole: Node,
    split: Split,
}

impl Formula {
    /// Maximum number of characters of a formula.
    pub const LONGEST: usize = 10_000;

    /// Maximum nesting of brackets and operators.
    pub const DEEPEST: usize = 64;

    /// Maximum number of names in scope.
    pub const MOST_NAMES: usize = 24;

    /// Maximum number of elements of a list that is written out.
    pub const LONGEST_LIST: usize = 50;

    /// Maximum number of steps for one board. A step is one operator, word or number.
    pub const MOST_STEPS: u64 = 100_000;

    /// Maximum number of steps per board for parts that become tables of lines. A table has 65,536 rows. More expensive
    /// parts are evaluated on the board.
    pub const MOST_LINE_STEPS: u64 = 3_000;

    /// Maximum number of terms that are listed.
    const MOST_TERMS: usize = 64;

    /// Upper limit of the absolute value of every part of a formula.
    const LARGEST: f64 = 1e200;

    /// Reads a text. [`Formula::check`] reports errors.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let read = tree::read(&text).and_then(|tree| build::build(&tree));
        let read = read
            .map(|whole| Program {
                split: Split::of(&whole),
                whole,
            })
            .map_err(|refusal| refusal.in_text(&text));
        Self(Arc::new(Inner { text, read }))
    }

    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Checks the formula on boards of this size.
    pub fn check(&self, size: Size) -> Result<(), FormulaError> {
        self.range(size).map(drop)
    }

    /// Lower and upper bounds of its values on boards of this size.
    pub fn range(&self, size: Size) -> Result<[f64; 2], FormulaError> {
        let program = self.0.read.as_ref().map_err(Clone::clone)?;
        let range =
            bounds::of(&program.whole, size).map_err(|refusal| refusal.in_text(&self.0.text))?;
        Ok([range.low, range.high])
    }

    /// Its value, evaluated as written. 0 for a formula that [`Formula::check`] refuses on boards of this size.
    pub fn evaluate(&self, board: &Grid, score: u64) -> f64 {
        self.finite(|program| program.whole.evaluate(board, score))
    }

    fn finite(&self, value: impl FnOnce(&Program) -> f64) -> f64 {
        self.0
            .read
            .as_ref()
            .map(value)
            .ok()
            .filter(|value| value.is_finite())
            .unwrap_or(0.0)
    }

    fn split(&self) -> Option<&Split> {
        self.0.read.as_ref().ok().map(|program| &program.split)
    }

    /// Whether the value depends on the score.
    pub fn uses_score(&self) -> bool {
        self.0
            .read
            .as_ref()
            .is_ok_and(|program| program.whole.uses_score())
    }

    /// Whether all images of a board are known to have the same value: for sums over lines that do not depend on the
    /// direction in which a line is read. For looked-up values this holds to the last bit; [`Formula::evaluate`] rounds
    /// in the order of the text.
    pub fn is_symmetric(&self) -> bool {
        self.split().is_some_and(Split::is_symmetric)
    }

    /// Whether all of it is looked up line by line, except for the score.
    pub fn is_by_lines(&self) -> bool {
        self.split().is_some_and(|split| split.rest.is_empty())
    }

    /// Whether some of it belongs to lines.
    pub(super) fn has_lines(&self) -> bool {
        self.split()
            .is_some_and(|split| !split.lines.is_empty() || split.constant != 0.0)
    }

    /// The weight of an added score.
    pub(super) fn score_weight(&self) -> f64 {
        self.split().map_or(0.0, |split| split.score)
    }

    /// Whether it has more than lines and score.
    pub(super) fn has_rest(&self) -> bool {
        self.split().is_some_and(|split| !split.rest.is_empty())
    }

    /// The value of the parts that belong neither to lines nor to the score.
    pub(super) fn rest(&self, board: &Grid, score: u64) -> f64 {
        self.finite(|Program { split, .. }| {
            split.rest.iter().fold(0.0, |sum, (weight, node)| {
                sum + weight * node.evaluate(board, score)
            })
        })
    }

    /// The contribution of one line.
    pub(super) fn line(&self, only: Only, size: Size, ranks: &[Rank]) -> f64 {
        self.finite(|program| program.split.line_value(only, size, ranks))
    }

    pub(super) fn counts_columns(&self) -> bool {
        self.split().is_some_and(Split::counts_columns)
    }

    /// Whether two lines with equal tiles have the same value.
    pub(super) fn are_alike(&self, one: Only, other: Only, size: Size) -> bool {
        self.split()
            .is_some_and(|split| split.are_alike(one, other, size))
    }

    /// Its terms, each with its weight: the text of the term, and the formula that evaluates it. Empty with a single
    /// term, or with too many to read.
    pub(super) fn terms(&self) -> Vec<(f64, String, Self)> {
        let text = self.text();
        let Ok(tree) = tree::read(text) else {
            return Vec::new();
        };
        let mut terms = Vec::new();
        let body = tree.body();
        body.add_terms(1.0, &mut terms);
        if !(2..=Self::MOST_TERMS).contains(&terms.len()) {
            return Vec::new();
        }
        let term = |(weight, from, to): (f64, usize, usize)| {
            let (given, own) = (text.get(..body.from)?, text.get(from..to)?);
            let term = Self::new(format!("{given}{own}"));
            term.0
                .read
                .is_ok()
                .then(|| (weight, words::one_line(own.trim()), term))
        };
        terms
            .into_iter()
            .map(term)
            .collect::<Option<_>>()
            .unwrap_or_default()
    }

    /// The text on one line, shortened to fit into a row.
    pub fn label(&self) -> String {
        let words: Vec<&str> = self.text().split_whitespace().collect();
        words::shortened_to(60, &words.join(" "))
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl fmt::Debug for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Formula").field(&self.0.text).finish()
    }
}

impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::new)
    }
}

//! What is odd about the rows of a strategy, with a place to see it.

use super::{Evidence, Sample};
use crate::game::{Board, Rules};
use crate::search::Stop;
use crate::strategy::Strategy;

/// Something odd about a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The row, from 0.
    pub row: usize,
    /// What sort of oddity.
    pub kind: FindingKind,
    /// One sentence, with what to do about it.
    pub reason: String,
    /// Where it can be seen.
    pub example: Option<Example>,
}

/// A sort of oddity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FindingKind {
    /// The rows before it always decide.
    NeverReached,
    /// It gives all moves one value.
    Constant,
    /// An earlier row says the same.
    Repeats,
    /// Turned or mirrored boards have different values.
    NotSymmetric,
    /// Its tolerance keeps every move.
    TolerantBeyondRange,
    /// Allowed and probably not meant, as [`Strategy::lint`] says.
    Odd,
}

/// A place where something can be seen.
#[derive(Clone, PartialEq, Debug)]
pub enum Example {
    /// A position.
    Position {
        /// The board with the player to move.
        board: Board,
        /// Points up to it.
        score: u64,
    },
    /// Two boards that should have one value.
    Pair {
        /// A board of the sample.
        board: Board,
        /// The same turned or mirrored.
        image: Board,
        /// Their values, in this order.
        values: (f64, f64),
        /// What makes the one of the other: "turned by a quarter", "mirrored left to right".
        how: String,
    },
}

/// What is odd, in the order of the rows. `evidence` is of the same strategy, if there is any; `sample` is of any player on
/// boards of the size of the rules.
pub fn findings(
    strategy: &Strategy,
    rules: Rules,
    sample: &Sample,
    evidence: Option<&Evidence>,
    stop: &Stop,
) -> Vec<Finding> {
    let _ = (sample, evidence, stop);
    let odd = strategy.lint(rules.size).into_iter().filter_map(|warning| {
        let row = warning.path.strip_prefix("criteria[")?.split(']').next()?.parse().ok()?;
        Some(Finding { row, kind: FindingKind::Odd, reason: warning.reason, example: None })
    });
    odd.collect()
}

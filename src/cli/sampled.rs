//! Samples and what they say of two moves, for programs.

use serde::Serialize;

use crate::game::Move;
use crate::search::Lead;
use crate::strategy::Decision;

#[derive(Serialize)]
pub(super) struct SampleJson {
    count: u64,
    mean: f64,
    standard_error: Option<f64>,
}

impl SampleJson {
    /// The samples of a move by a row; `None` where it has drawn none. A growing tree has no honest error of its means.
    pub(super) fn of(decision: &Decision, row: usize, mv: Move) -> Option<Self> {
        let sample = decision.sample(row, mv)?;
        let standard_error = decision.standard_error(row, mv);
        Some(Self { count: sample.count(), mean: sample.mean(), standard_error })
    }
}

/// How far the best mean of samples is ahead of the second.
#[derive(Serialize)]
pub(super) struct LeadJson {
    best: &'static str,
    second: &'static str,
    /// The mean of the best less that of the second.
    difference: f64,
    /// Of the difference; null where nobody knows it.
    standard_error: Option<f64>,
    /// Whether both had the same draws, so that the error is that of their differences.
    paired: bool,
}

impl LeadJson {
    pub(super) fn of(lead: &Lead) -> Self {
        let Lead { best, second, difference, standard_error, is_paired } = *lead;
        Self { best: best.name(), second: second.name(), difference, standard_error, paired: is_paired }
    }
}

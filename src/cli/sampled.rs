//! Samples and the difference of two moves by them, as JSON.

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
    /// The samples of a move by a row; `None` if it drew none. A growing tree has no valid standard error of its means.
    pub(super) fn of(decision: &Decision, row: usize, mv: Move) -> Option<Self> {
        let sample = decision.sample(row, mv)?;
        let standard_error = decision.standard_error(row, mv);
        Some(Self {
            count: sample.count(),
            mean: sample.mean(),
            standard_error,
        })
    }
}

/// How far the best mean of samples is ahead of the second.
#[derive(Serialize)]
pub(super) struct LeadJson {
    best: &'static str,
    second: &'static str,
    /// The best mean minus the second.
    difference: f64,
    /// The standard error of the difference; null if unknown.
    standard_error: Option<f64>,
    /// Whether both had the same draws, so that the error is that of their differences.
    paired: bool,
}

impl LeadJson {
    pub(super) fn of(lead: &Lead) -> Self {
        let Lead {
            best,
            second,
            difference,
            standard_error,
            is_paired,
        } = *lead;
        Self {
            best: best.name(),
            second: second.name(),
            difference,
            standard_error,
            paired: is_paired,
        }
    }
}

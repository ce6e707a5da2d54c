//! A weighted sum in place of a list of rows.

use super::{Sample, Share};
use crate::game::Rules;
use crate::search::Stop;
use crate::strategy::Strategy;

/// A strategy of one row that weighs what another one ranks.
#[derive(Clone, PartialEq, Debug)]
pub struct Weighing {
    /// One row, a `Sum` of the evaluators with weights of three digits, learned on half of the sample.
    pub strategy: Strategy,
    /// How often it leaves the same moves as the list on the other half.
    pub agreed: Share,
    /// The same on the half it was learned from.
    pub fitted: Share,
    /// A `Sum` whose weights are so far apart that each row outweighs all later ones; where that is exact, it leaves the
    /// same moves on the whole sample.
    pub lexicographic: Option<Strategy>,
    /// What to know about it, one or two sentences.
    pub note: String,
}

/// Proposes weights.
///
/// # Errors
///
/// One sentence why there are none: too few rows, rows that look ahead differently, too few positions.
pub fn weigh(strategy: &Strategy, rules: Rules, sample: &Sample, stop: &Stop) -> Result<Weighing, String> {
    strategy.check(rules.size)?;
    let _ = (sample, stop);
    Err("the weights are not learned yet".to_owned())
}

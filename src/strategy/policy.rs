//! The policy of playouts: a strategy inside the lookahead of a row.

use super::{Player, Strategy, StrategyError};
use crate::evaluator::Resolver;
use crate::game::{Rules, Size};
use crate::search::{Lookahead, Policy};

/// Why a policy cannot play playouts.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PolicyError {
    #[error(
        "the policy {text:?} is not a strategy: write letters such as \"emr\" or RON text; file names are not \
         allowed, so that no strategy plays itself"
    )]
    Unreadable { text: String },
    #[error("row {} of the playout policy plays playouts itself: use rows of one ply", .row + 1)]
    Samples { row: usize },
    #[error("row {} of the playout policy has a time limit: limit nodes or plies instead", .row + 1)]
    Timed { row: usize },
    #[error("the playout policy: {0}")]
    Strategy(Box<StrategyError>),
}

/// The strategy of the playouts of a lookahead. `None` if it has no playouts.
pub(super) fn policy_of(lookahead: &Lookahead) -> Option<Result<Strategy, PolicyError>> {
    Some(match &lookahead.sampled()?.method.playout()?.policy {
        Policy::Random => Ok(Strategy::default()),
        Policy::Strategy(text) => text.parse().map_err(|_| {
            // Long texts are shortened.
            let text = if text.chars().count() <= 40 {
                text.clone()
            } else {
                text.chars().take(40).collect::<String>() + "…"
            };
            PolicyError::Unreadable { text }
        }),
    })
}

/// Checks the policy of a lookahead for boards of this size.
pub(super) fn check(lookahead: &Lookahead, size: Size) -> Result<(), PolicyError> {
    let Some(strategy) = policy_of(lookahead).transpose()? else {
        return Ok(());
    };
    let rows = || {
        strategy
            .criteria
            .iter()
            .enumerate()
            .filter(|(_, row)| !row.off)
    };
    if let Some((row, _)) = rows().find(|(_, row)| row.lookahead.sampled().is_some()) {
        return Err(PolicyError::Samples { row });
    }
    if let Some((row, _)) = rows().find(|(_, row)| !row.lookahead.is_reproducible()) {
        return Err(PolicyError::Timed { row });
    }
    strategy
        .check(size)
        .map_err(|error| PolicyError::Strategy(Box::new(error)))
}

/// Refuses a table that was solved for another chance of a 4.
pub(super) fn check_p4(lookahead: &Lookahead, p4: f64) -> Result<(), PolicyError> {
    let Some(strategy) = policy_of(lookahead).transpose()? else {
        return Ok(());
    };
    strategy
        .check_p4(p4)
        .map_err(|error| PolicyError::Strategy(Box::new(error)))
}

/// Whether it does not sample itself. An unchecked policy must not nest without end.
pub(super) fn plays_on(strategy: &Strategy) -> bool {
    strategy
        .criteria
        .iter()
        .all(|row| row.lookahead.sampled().is_none())
}

/// The player of the playouts. It moves at random if there are none.
pub(super) fn player(lookahead: &Lookahead, rules: Rules, files: &dyn Resolver) -> Player {
    let strategy = policy_of(lookahead)
        .and_then(Result::ok)
        .filter(plays_on)
        .unwrap_or_default();
    Player::with_files(&strategy, rules, files)
}

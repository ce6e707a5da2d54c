//! The rows of a strategy as data.

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::{LastResort, Rollout, RolloutError, StrategyHash};
use crate::evaluator::{Evaluator, EvaluatorError, PolicyBy, ProgramSpec, Reads};
use crate::game::{Board, Rules, Size};
use crate::kept::KeptError;
use crate::program::ProgramError;
use crate::ron_text::is_default;
use crate::search::{Lookahead, LookaheadError};
use crate::words;

/// An ordered list of criteria and a last resort for ties.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// The name; may be empty. It has no influence on play.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A note for readers; may be empty. It has no influence on play.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The strategy it was derived from, if known. It has no influence on play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<StrategyHash>,
    /// The rows in the order of application. May be empty: then the last resort decides alone.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// The last resort decides between moves that every criterion keeps.
    #[serde(default)]
    pub last_resort: LastResort,
    /// The first move in games from a position, and the limit of these games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
}

/// One row: values the remaining moves and decides which of them stay.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    #[serde(deserialize_with = "Evaluator::deserialize_bounded")]
    pub evaluator: Evaluator,
    #[serde(default, skip_serializing_if = "is_default")]
    pub lookahead: Lookahead,
    #[serde(default, skip_serializing_if = "is_default")]
    pub prefer: Prefer,
    /// ε: the distance from the best value at which a move is still kept; 0 or more, in units of the evaluator.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tolerance: f64,
    /// Whether play ignores the row.
    #[serde(default, skip_serializing_if = "is_default")]
    pub off: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Prefer {
    #[default]
    Higher,
    Lower,
}

impl Criterion {
    /// One ply of an evaluator; higher is better, no tolerance.
    pub fn one_ply(evaluator: Evaluator) -> Self {
        Self {
            evaluator,
            lookahead: Lookahead::OnePly,
            prefer: Prefer::Higher,
            tolerance: 0.0,
            off: false,
        }
    }

    /// The name of the row, from its evaluator and its lookahead: `Empty`, `Expectimax of Snake`.
    pub fn label(&self) -> String {
        self.lookahead.label(&self.evaluator)
    }

    /// The same with the depth: `Expectimax of Snake, 2 moves + 2 spawns`.
    pub fn label_with_depth(&self) -> String {
        let depth = self.named_depth();
        self.label() + &depth.map_or(String::new(), |depth| format!(", {depth}"))
    }

    /// The depth, if it searches.
    fn named_depth(&self) -> Option<String> {
        self.lookahead
            .searches()
            .then(|| self.lookahead.depth_text())
    }

    /// Checks the row for boards of this size. A row that is off is always valid.
    pub fn check(&self, size: Size) -> Result<(), CriterionError> {
        if self.off {
            return Ok(());
        }
        if !self.tolerance.is_finite() || self.tolerance < 0.0 {
            return Err(CriterionError::Tolerance(self.tolerance));
        }
        self.evaluator.check(size)?;
        self.lookahead.check(size)?;
        self.check_depth()?;
        let by_state = self
            .evaluator
            .policies()
            .iter()
            .any(|policy| policy.by == PolicyBy::State);
        if by_state && self.lookahead != Lookahead::OnePly {
            return Err(EvaluatorError::PolicyInSum.into());
        }

        Ok(super::policy::check(&self.lookahead, size)?)
    }

    /// Refuses a search that ends with a spawn, if the evaluator needs afterstates.
    pub fn check_depth(&self) -> Result<(), CriterionError> {
        let of_afterstates = |file: &Reads<'_>| match file {
            Reads::Solved(_) => Some("Solved"),
            Reads::Network(_) => Some("Network"),
            Reads::Process(_) | Reads::Program(_) => None,
        };

        match self.evaluator.files().iter().find_map(of_afterstates) {
            Some(name) if !self.lookahead.ends_with_a_slide() => {
                Err(CriterionError::Plies { name })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a table that was solved for another chance of a 4.
    fn check_p4(&self, p4: f64) -> Result<(), CriterionError> {
        if self.off {
            return Ok(());
        }
        self.evaluator.check_p4(p4)?;
        Ok(super::policy::check_p4(&self.lookahead, p4)?)
    }

    /// The programs that it uses, including those of the policy of its playouts. None if it is off.
    pub fn programs(&self) -> Vec<ProgramSpec> {
        if self.off {
            return Vec::new();
        }
        let policy = super::policy::policy_of(&self.lookahead)
            .and_then(Result::ok)
            .filter(super::policy::plays_on);
        let own = self.evaluator.programs().into_iter().cloned();
        own.chain(policy.iter().flat_map(Strategy::programs))
            .collect()
    }

    /// Verifies its files and those of the policy of its playouts. None if it is off.
    fn prove_files(&self) -> Result<(), KeptError> {
        if self.off {
            return Ok(());
        }
        self.evaluator.prove_files()?;
        let policy = super::policy::policy_of(&self.lookahead)
            .and_then(Result::ok)
            .filter(super::policy::plays_on);
        policy.iter().try_for_each(Strategy::prove_files)
    }

    /// [`check`](Self::check), and whether its programs may run on this machine.
    pub fn check_to_play(&self, size: Size) -> Result<(), CriterionError> {
        self.check(size)?;
        Ok(self
            .programs()
            .iter()
            .try_for_each(ProgramSpec::check_allowed)?)
    }
}

/// Why a row is invalid on boards of a size.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CriterionError {
    /// It uses a program that was not allowed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("the tolerance is {0}: write a finite number of 0 or more")]
    Tolerance(f64),
    #[error(
        "{name} evaluates afterstates, but this search ends with a spawn: use an odd number of plies, or of: Score"
    )]
    Plies { name: &'static str },
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Lookahead(#[from] LookaheadError),
    #[error(transparent)]
    Policy(#[from] super::PolicyError),
}

/// Why a strategy cannot be played on boards of a size.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StrategyError {
    #[error("it has {count} rows, but at most {} are allowed", Strategy::MOST_ROWS)]
    Rows { count: usize },
    #[error("row {}: {error}", .row + 1)]
    Row { row: usize, error: CriterionError },
    #[error(transparent)]
    Rollout(#[from] RolloutError),
    /// It uses a program that was not allowed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl StrategyError {
    /// The invalid row, from 0.
    pub const fn row(&self) -> Option<usize> {
        match self {
            Self::Rows { .. } | Self::Rollout(_) | Self::Program(_) => None,
            Self::Row { row, .. } => Some(*row),
        }
    }
}

impl Strategy {
    pub const MOST_ROWS: usize = 64;

    /// Whether another row may be added, or why not, in one sentence for the screen.
    pub fn room_for_a_row(&self) -> Result<(), &'static str> {
        let has_room = self.criteria.len() < Self::MOST_ROWS;
        has_room
            .then_some(())
            .ok_or("A strategy has at most 64 rows: remove one first")
    }

    /// Checks the strategy for boards of this size. The error names the row.
    pub fn check(&self, size: Size) -> Result<(), StrategyError> {
        if Self::MOST_ROWS < self.criteria.len() {
            return Err(StrategyError::Rows {
                count: self.criteria.len(),
            });
        }
        let check = |(row, criterion): (usize, &Criterion)| {
            criterion
                .check(size)
                .map_err(|error| StrategyError::Row { row, error })
        };
        self.criteria.iter().enumerate().try_for_each(check)?;
        self.rollout
            .iter()
            .try_for_each(|rollout| Ok(rollout.check(size)?))
    }

    /// The same for games with these rules: a solved table only fits its own chance of a 4.
    pub fn check_for(&self, rules: Rules) -> Result<(), StrategyError> {
        self.check(rules.size)?;
        self.check_p4(rules.p4)
    }

    pub(super) fn check_p4(&self, p4: f64) -> Result<(), StrategyError> {
        let check = |(row, criterion): (usize, &Criterion)| {
            criterion
                .check_p4(p4)
                .map_err(|error| StrategyError::Row { row, error })
        };
        self.criteria.iter().enumerate().try_for_each(check)?;
        let judge = self
            .rollout
            .iter()
            .find_map(|rollout| rollout.judge.as_ref());
        judge.map_or(Ok(()), |judge| {
            Ok(judge.check_p4(p4).map_err(RolloutError::Judge)?)
        })
    }

    /// The same, and whether its programs may run on this machine: required before play. Reads only the first lines of
    /// its files, and reports errors found in them earlier; [`super::Player`] reads them completely.
    pub fn check_to_play(&self, rules: Rules) -> Result<(), StrategyError> {
        self.check_for(rules)?;
        Ok(self.check_allowed()?)
    }

    /// Reads and verifies the files of its rows and of its judge, and reports the first error.
    pub fn check_files(&self) -> Result<(), StrategyError> {
        let of_row = |(row, criterion): (usize, &Criterion)| {
            let proved = criterion.prove_files().map_err(EvaluatorError::from);
            proved.map_err(|error| StrategyError::Row {
                row,
                error: error.into(),
            })
        };
        self.criteria.iter().enumerate().try_for_each(of_row)?;
        let judge = self
            .rollout
            .as_ref()
            .and_then(|rollout| rollout.judge.as_ref());
        let proved = judge
            .map_or(Ok(()), Criterion::prove_files)
            .map_err(EvaluatorError::from);
        proved.map_err(|error| RolloutError::Judge(error.into()).into())
    }

    /// The same without row numbers: for a strategy that is part of another one.
    fn prove_files(&self) -> Result<(), KeptError> {
        self.criteria.iter().try_for_each(Criterion::prove_files)
    }

    /// Whether the same board always gets the same moves and the same points from the judge. A time limit cannot
    /// promise that.
    pub fn is_reproducible(&self) -> bool {
        let judge = self
            .rollout
            .iter()
            .filter_map(|rollout| rollout.judge.as_ref());
        self.criteria
            .iter()
            .chain(judge)
            .all(|row| row.off || row.lookahead.is_reproducible())
    }

    /// Whether an active criterion looks further than one ply.
    pub fn looks_ahead(&self) -> bool {
        self.criteria
            .iter()
            .any(|criterion| !criterion.off && criterion.lookahead.searches())
    }

    /// Whether a decision may take time: a row searches, or uses another program.
    pub fn takes_time(&self) -> bool {
        self.looks_ahead() || !self.programs().is_empty()
    }

    /// The depth of its deepest row on a board, in plies. `None` if the board alone does not determine it, as with a
    /// limit in time or in nodes, and for sampling.
    pub fn plies_on(&self, board: &Board) -> Option<u32> {
        let plies = |criterion: &Criterion| match &criterion.lookahead {
            Lookahead::OnePly => Some(1),
            Lookahead::DepthLimited(search)
                if search.time_ms.is_none() && search.nodes.is_none() =>
            {
                Some(criterion.lookahead.plies()?.for_board(board))
            }
            Lookahead::DepthLimited(_) | Lookahead::Sampled(_) => None,
        };
        let on = self.criteria.iter().filter(|criterion| !criterion.off);
        on.map(plies)
            .try_fold(0, |deepest, plies| Some(plies?.max(deepest)))
    }

    /// A description: "Empty, then Monotonicity; ties at random".
    pub fn described(&self) -> String {
        let row = |criterion: &Criterion| {
            let least = if criterion.prefer == Prefer::Lower {
                "least "
            } else {
                ""
            };
            let within = match criterion.tolerance {
                0.0 => String::new(),
                tolerance => format!(" within {}", words::decimals_short(tolerance)),
            };
            let depth = criterion
                .named_depth()
                .map_or(String::new(), |depth| format!(" ({depth})"));
            format!("{least}{}{depth}{within}", criterion.label())
        };
        let rows = self
            .criteria
            .iter()
            .filter(|criterion| !criterion.off)
            .map(row)
            .join(", then ");
        let order = self.last_resort.order();
        let last = order.map_or("at random".to_owned(), |order| {
            format!("by the order {order}")
        });

        if rows.is_empty() {
            format!("Every move {last}")
        } else {
            format!("{rows}; ties {last}")
        }
    }

    /// The label of a row, with the row number if several rows have the same label. After the last row is the last resort.
    pub fn row_label(&self, row: usize) -> String {
        let Some(label) = self.criteria.get(row).map(Criterion::label) else {
            return "the last resort".to_owned();
        };
        let alike = self
            .criteria
            .iter()
            .filter(|other| other.label() == label)
            .count();
        if 1 < alike {
            format!("{label} in row {}", row + 1)
        } else {
            label
        }
    }

    /// The label of a row after its number, for headings and lists: `2 Expectimax of Snake`.
    pub fn numbered_label(&self, row: usize) -> String {
        let label = self
            .criteria
            .get(row)
            .map(Criterion::label)
            .unwrap_or_default();
        format!("{} {label}", row + 1)
    }

    /// The name on screen: its name, otherwise its letters, otherwise its hash.
    pub fn label(&self) -> String {
        if !self.name.is_empty() {
            return words::one_line(&self.name);
        }
        self.letters().unwrap_or_else(|| self.hash().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_is_told_by_the_rows_that_are_asked() {
        let description = |text: &str| text.parse::<Strategy>().expect("a strategy").described();
        let text = "(criteria: [(evaluator: Empty, tolerance: 2.0), (evaluator: Corner, off: true), \
            (evaluator: Score, prefer: Lower, lookahead: Expectimax(plies: Fixed(3)))], last_resort: First)";
        assert_eq!(
            description(text),
            "Empty within 2, then least Expectimax of Score (2 moves + 1 spawn); ties by the order up, down, left, right"
        );
        assert_eq!(description("(criteria: [])"), "Every move at random");
    }
}

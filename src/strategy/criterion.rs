//! The rows of a strategy as data.

use itertools::Itertools as _;
use serde::{Deserialize, Serialize};

use super::{Rollout, RolloutError, StrategyHash};
use crate::evaluator::{Evaluator, EvaluatorError, PolicyBy, ProgramSpec, Reads};
use crate::game::{Board, Rules, Size};
use crate::kept::KeptError;
use crate::program::ProgramError;
use crate::ron_text::is_default;
use crate::search::{Lookahead, LookaheadError};
use crate::words;

/// An ordered list of criteria and what breaks the last tie.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strategy {
    /// What people call it; may be empty. It has no influence on play.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What a reader should know; may be empty. It has no influence on play.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The strategy it was made from, if it is known. It has no influence on play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<StrategyHash>,
    /// The rows, first applied first. May be empty: then the last resort decides alone.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// What decides between moves that every criterion keeps.
    #[serde(default)]
    pub last_resort: LastResort,
    /// The first move that it plays in games from a position, and how far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
}

/// One row: values for the moves that are left, and which of them stay.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    #[serde(deserialize_with = "Evaluator::deserialize_bounded")]
    pub evaluator: Evaluator,
    #[serde(default, skip_serializing_if = "is_default")]
    pub lookahead: Lookahead,
    #[serde(default, skip_serializing_if = "is_default")]
    pub prefer: Prefer,
    /// ε: how far from the best a value may lie and still be kept; 0 or more, in units of the evaluator.
    #[serde(default, skip_serializing_if = "is_default")]
    pub tolerance: f64,
    /// Whether the row is left out of play, as if it were not there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub off: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Prefer {
    #[default]
    Higher,
    Lower,
}

/// What decides between moves that every criterion keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum LastResort {
    /// Each of them with equal probability, from the game's own stream.
    #[default]
    Random,
    /// The first in the order up, down, left, right.
    First,
}

impl Criterion {
    /// One ply of an evaluator, higher is better, no tolerance.
    pub fn one_ply(evaluator: Evaluator) -> Self {
        Self { evaluator, lookahead: Lookahead::OnePly, prefer: Prefer::Higher, tolerance: 0.0, off: false }
    }

    /// What a row is called wherever it is named: what it looks at, and how it searches: `Empty`, `Expectimax of Snake`.
    pub fn label(&self) -> String {
        self.lookahead.label(&self.evaluator)
    }

    /// The same with how deep it searches: `Expectimax of Snake, 2 moves + 2 spawns`.
    pub fn label_with_depth(&self) -> String {
        match self.lookahead {
            Lookahead::OnePly => self.label(),
            Lookahead::DepthLimited(_) | Lookahead::Sampled(_) => {
                format!("{}, {}", self.label(), self.lookahead.depth_text())
            }
        }
    }

    /// Says what is wrong on boards of this size, if anything. A row that is off harms nobody.
    pub fn check(&self, size: Size) -> Result<(), CriterionError> {
        if self.off {
            return Ok(());
        }
        if !self.tolerance.is_finite() || self.tolerance < 0.0 {
            return Err(CriterionError::Tolerance(self.tolerance));
        }
        self.evaluator.check(size)?;
        self.lookahead.check(size)?;
        let of_afterstates = |file: &Reads<'_>| match file {
            Reads::Solved(_) => Some("Solved"),
            Reads::Network(_) => Some("Network"),
            Reads::Process(_) | Reads::Program(_) => None,
        };

        if let Some(name) = self.evaluator.files().iter().find_map(of_afterstates)
            && !self.lookahead.ends_with_a_slide()
        {
            return Err(CriterionError::Plies { name });
        }
        let by_state = self.evaluator.policies().iter().any(|policy| policy.by == PolicyBy::State);
        if by_state && self.lookahead != Lookahead::OnePly {
            return Err(EvaluatorError::PolicyInSum.into());
        }

        Ok(super::policy::check(&self.lookahead, size)?)
    }

    /// Says whether a table that it reads was solved for another chance of a 4 than that of the games, if so.
    fn check_p4(&self, p4: f64) -> Result<(), CriterionError> {
        if self.off {
            return Ok(());
        }
        self.evaluator.check_p4(p4)?;
        Ok(super::policy::check_p4(&self.lookahead, p4)?)
    }

    /// The programs that it asks, those of the policy of its playouts included; none while it is off.
    pub fn programs(&self) -> Vec<ProgramSpec> {
        if self.off {
            return Vec::new();
        }
        let policy = super::policy::policy_of(&self.lookahead).and_then(Result::ok).filter(super::policy::plays_on);
        let own = self.evaluator.programs().into_iter().cloned();
        own.chain(policy.iter().flat_map(Strategy::programs)).collect()
    }

    /// Reads and proves the files that it and the policy of its playouts read; none while it is off.
    fn prove_files(&self) -> Result<(), KeptError> {
        if self.off {
            return Ok(());
        }
        self.evaluator.prove_files()?;
        let policy = super::policy::policy_of(&self.lookahead).and_then(Result::ok).filter(super::policy::plays_on);
        policy.iter().try_for_each(Strategy::prove_files)
    }

    /// [`check`](Self::check), and whether all that it asks may run on this machine.
    pub fn check_to_play(&self, size: Size) -> Result<(), CriterionError> {
        self.check(size)?;
        Ok(self.programs().iter().try_for_each(ProgramSpec::check_allowed)?)
    }
}

/// Why a row cannot be asked on boards of a size.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum CriterionError {
    /// It asks a program that was not allowed.
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error("the tolerance is {0}, but it must be 0 or more and finite")]
    Tolerance(f64),
    #[error(
        "{name} knows boards after a slide, but this search ends with a spawn: take an odd number of plies, or of: Score"
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
    /// It asks a program that was not allowed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl StrategyError {
    /// The row that is wrong, from 0.
    pub const fn row(&self) -> Option<usize> {
        match self {
            Self::Rows { .. } | Self::Rollout(_) | Self::Program(_) => None,
            Self::Row { row, .. } => Some(*row),
        }
    }
}

impl LastResort {
    pub const ALL: [Self; 2] = [Self::Random, Self::First];

    /// Name, as RON writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "Random",
            Self::First => "First",
        }
    }
}

impl Strategy {
    pub const MOST_ROWS: usize = 64;

    /// Whether another row may be added, else why not, in one sentence for the screen.
    pub fn room_for_a_row(&self) -> Result<(), &'static str> {
        let has_room = self.criteria.len() < Self::MOST_ROWS;
        has_room.then_some(()).ok_or("A strategy has at most 64 rows: remove one first")
    }

    /// Says what is wrong on boards of this size, if anything, and in which row.
    pub fn check(&self, size: Size) -> Result<(), StrategyError> {
        if Self::MOST_ROWS < self.criteria.len() {
            return Err(StrategyError::Rows { count: self.criteria.len() });
        }
        let check = |(row, criterion): (usize, &Criterion)| {
            criterion.check(size).map_err(|error| StrategyError::Row { row, error })
        };
        self.criteria.iter().enumerate().try_for_each(check)?;
        self.rollout.iter().try_for_each(|rollout| Ok(rollout.check(size)?))
    }

    /// The same for games of these rules: a solved table knows only those of its own chance of a 4.
    pub fn check_for(&self, rules: Rules) -> Result<(), StrategyError> {
        self.check(rules.size)?;
        self.check_p4(rules.p4)
    }

    pub(super) fn check_p4(&self, p4: f64) -> Result<(), StrategyError> {
        let check = |(row, criterion): (usize, &Criterion)| {
            criterion.check_p4(p4).map_err(|error| StrategyError::Row { row, error })
        };
        self.criteria.iter().enumerate().try_for_each(check)?;
        let judge = self.rollout.iter().find_map(|rollout| rollout.judge.as_ref());
        judge.map_or(Ok(()), |judge| Ok(judge.check_p4(p4).map_err(RolloutError::Judge)?))
    }

    /// The same, and whether all that it asks may run on this machine: what is to be done before it is played. Of its files the
    /// first lines are read, and what was found wrong behind them before is said; [`super::Player`] reads all of them.
    pub fn check_to_play(&self, rules: Rules) -> Result<(), StrategyError> {
        self.check_for(rules)?;
        Ok(self.check_allowed()?)
    }

    /// Reads the files of its rows and of its judge, all that they hold, and says what is wrong with one, if anything.
    pub fn check_files(&self) -> Result<(), StrategyError> {
        let of_row = |(row, criterion): (usize, &Criterion)| {
            let proved = criterion.prove_files().map_err(EvaluatorError::from);
            proved.map_err(|error| StrategyError::Row { row, error: error.into() })
        };
        self.criteria.iter().enumerate().try_for_each(of_row)?;
        let judge = self.rollout.as_ref().and_then(|rollout| rollout.judge.as_ref());
        let proved = judge.map_or(Ok(()), Criterion::prove_files).map_err(EvaluatorError::from);
        proved.map_err(|error| RolloutError::Judge(error.into()).into())
    }

    /// The same without the rows: for a strategy that is part of another one.
    fn prove_files(&self) -> Result<(), KeptError> {
        self.criteria.iter().try_for_each(Criterion::prove_files)
    }

    /// Whether the same board always gets the same moves and the same judge's points; a limit in time does not promise that.
    pub fn is_reproducible(&self) -> bool {
        let judge = self.rollout.iter().filter_map(|rollout| rollout.judge.as_ref());
        self.criteria.iter().chain(judge).all(|row| row.off || row.lookahead.is_reproducible())
    }

    /// Whether a criterion that is on looks further than one ply.
    pub fn looks_ahead(&self) -> bool {
        self.criteria.iter().any(|criterion| !criterion.off && criterion.lookahead != Lookahead::OnePly)
    }

    /// Whether a decision may take more than a moment: a row searches, or another program is asked.
    pub fn takes_time(&self) -> bool {
        self.looks_ahead() || !self.programs().is_empty()
    }

    /// How many plies its deepest row looks ahead on a board; `None` where the board alone does not say it, as with a limit in time or
    /// in nodes, and where samples are drawn.
    pub fn plies_on(&self, board: &Board) -> Option<u32> {
        let plies = |criterion: &Criterion| match &criterion.lookahead {
            Lookahead::OnePly => Some(1),
            Lookahead::DepthLimited(search) if search.time_ms.is_none() && search.nodes.is_none() => {
                Some(criterion.lookahead.plies()?.for_board(board))
            }
            Lookahead::DepthLimited(_) | Lookahead::Sampled(_) => None,
        };
        let on = self.criteria.iter().filter(|criterion| !criterion.off);
        on.map(plies).try_fold(0, |deepest, plies| Some(plies?.max(deepest)))
    }

    /// What it does, in words: "Empty, then Monotonicity; ties at random".
    pub fn described(&self) -> String {
        let row = |criterion: &Criterion| {
            let least = if criterion.prefer == Prefer::Lower { "least " } else { "" };
            let within = match criterion.tolerance {
                0.0 => String::new(),
                tolerance => format!(" within {}", words::decimals_short(tolerance)),
            };
            let depth = match criterion.lookahead {
                Lookahead::OnePly => String::new(),
                Lookahead::DepthLimited(_) | Lookahead::Sampled(_) => {
                    format!(" ({})", criterion.lookahead.depth_text())
                }
            };
            format!("{least}{}{depth}{within}", criterion.label())
        };
        let rows = self.criteria.iter().filter(|criterion| !criterion.off).map(row).join(", then ");
        let last = match self.last_resort {
            LastResort::Random => "at random",
            LastResort::First => "by the first in the order up, down, left, right",
        };

        if rows.is_empty() { format!("Every move {last}") } else { format!("{rows}; ties {last}") }
    }

    /// The label of a row; behind the name that several rows share stands which of them it is.
    pub fn row_label(&self, row: usize) -> String {
        let label = self.criteria[row].label();
        let alike = self.criteria.iter().filter(|other| other.label() == label).count();
        if 1 < alike { format!("{label} in row {}", row + 1) } else { label }
    }

    /// The label of a row behind its number, for heads and lists: `2 Expectimax of Snake`.
    pub fn numbered_label(&self, row: usize) -> String {
        let label = self.criteria.get(row).map(Criterion::label).unwrap_or_default();
        format!("{} {label}", row + 1)
    }

    /// What to call it on screen: its name, else its letters, else its hash.
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
        let told = |text: &str| text.parse::<Strategy>().expect("a strategy").described();
        let text = "(criteria: [(evaluator: Empty, tolerance: 2.0), (evaluator: Corner, off: true), \
            (evaluator: Score, prefer: Lower, lookahead: Expectimax(plies: Fixed(3)))], last_resort: First)";
        assert_eq!(
            told(text),
            "Empty within 2, then least Expectimax of Score (2 moves + 1 spawn); ties by the first in the order up, down, left, right"
        );
        assert_eq!(told("(criteria: [])"), "Every move at random");
    }
}

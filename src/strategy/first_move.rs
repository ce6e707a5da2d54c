//! The first move of a rollout, in addition to the rows of a strategy.
//!
//! The games of a rollout begin at one board. Each first move has a strategy that makes this move there, and then plays
//! by its rows, to the end or for some moves. If a game is abandoned before its end, a judge may add the expected
//! points of the board.

use serde::{Deserialize, Serialize};

use super::{Criterion, CriterionError, Player};
use crate::evaluator::Resolver;
use crate::game::{Board, Move, Rules, Size};
use crate::kept::KeptError;
use crate::search::SearchOptions;
use crate::task::no_answer;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollout {
    /// The move on the start board of the rules.
    pub first: Move,
    /// Maximum moves before a game is abandoned, including the first one. `None` plays to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// The row that values the board at which a game is abandoned. The value of its best move counts as points, rounded
    /// to whole points and at least 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Criterion>,
}

/// Why a rollout cannot be played.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RolloutError {
    #[error("rollout: moves is 0: write at least 1, or leave it out to play to the end")]
    NoMoves,
    #[error(
        "rollout: the judge is never used, because these games are played to their end: add moves, or leave it out"
    )]
    NeverAsked,
    #[error("rollout, judge: {0}")]
    Judge(CriterionError),
}

impl Rollout {
    pub fn check(&self, size: Size) -> Result<(), RolloutError> {
        match (self.moves, &self.judge) {
            (Some(0), _) => Err(RolloutError::NoMoves),
            (None, Some(_)) => Err(RolloutError::NeverAsked),
            (Some(_), Some(judge)) => judge.check(size).map_err(RolloutError::Judge),
            (_, None) => Ok(()),
        }
    }
}

/// A rollout prepared for the rules of its games.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) start: Board,
    pub(super) first: Move,
    judge: Option<Box<Player>>,
}

impl Course {
    /// `None` if games begin with two tiles: then there is no first move.
    pub(super) fn of(rollout: &Rollout, rules: Rules, files: &dyn Resolver) -> Option<Self> {
        let judge = |row: &Criterion| {
            let strategy = super::Strategy {
                criteria: vec![row.clone()],
                ..super::Strategy::default()
            };
            Box::new(Player::with_files(&strategy, rules, files))
        };
        let judge = rollout.judge.as_ref().map(judge);
        Some(Self {
            start: rules.start?,
            first: rollout.first,
            judge,
        })
    }

    /// Why its judge has no values: a file that it reads cannot be read.
    pub(super) fn problem(&self) -> Option<&KeptError> {
        self.judge.as_ref()?.problem()
    }

    pub(super) fn searches(&self) -> bool {
        self.judge.as_ref().is_some_and(|judge| judge.searches())
    }

    /// The expected points on a board at which a game was abandoned, in whole points.
    pub(super) fn to_come(&self, board: &Board, options: SearchOptions<'_>) -> u32 {
        let legal = board.legal_moves();
        let values = || {
            self.judge
                .as_ref()?
                .criterion(0)?
                .values(board, 0, legal, options)
        };
        if legal.is_empty() {
            return 0;
        }
        // Without a judge nothing is added. If it was stopped, the game is dropped anyway.
        let Some(values) = values().map(crate::evaluator::Values::to_real) else {
            return 0;
        };
        let best = legal
            .into_iter()
            .map(|mv| values[mv])
            .max_by(f64::total_cmp);
        match best {
            // Saturates.
            Some(best) if !best.is_nan() => best.round() as u32,
            _ => no_answer(format!(
                "the judge has no value for {board}, which is impossible by its rules: use another judge"
            )),
        }
    }
}

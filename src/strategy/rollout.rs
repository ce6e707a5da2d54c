//! One first move of a position, played on: what a strategy does beside its rows in a rollout.
//!
//! The games of a rollout begin at one board. For each first move there is a strategy that makes this move on it, and plays by
//! its rows from then on, to the end or for some moves. Where a game is left before its end, a judge may add what it expects
//! of the board.

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
    /// The move on the board that the rules begin at.
    pub first: Move,
    /// Moves after which a game is left, the first one included; played to the end without a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
    /// Whose value of the board at which a game is left counts as points, in whole ones from 0 up: that of its best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<Criterion>,
}

/// Why a rollout cannot be played.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RolloutError {
    #[error("rollout: 0 moves play none: write at least 1, or leave it out to play to the end")]
    NoMoves,
    #[error(
        "rollout: a judge is asked where games are left, but these are played to their end: add moves, or leave it out"
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

/// A rollout made ready for the rules of its games.
#[derive(Debug)]
pub(super) struct Course {
    pub(super) start: Board,
    pub(super) first: Move,
    judge: Option<Box<Player>>,
}

impl Course {
    /// `None` where games begin with two tiles: there is no first move then.
    pub(super) fn of(rollout: &Rollout, rules: Rules, files: &dyn Resolver) -> Option<Self> {
        let judge = |row: &Criterion| {
            let strategy = super::Strategy { criteria: vec![row.clone()], ..super::Strategy::default() };
            Box::new(Player::with_files(&strategy, rules, files))
        };
        let judge = rollout.judge.as_ref().map(judge);
        Some(Self { start: rules.start?, first: rollout.first, judge })
    }

    /// Why its judge has no values: a file that it reads cannot be read.
    pub(super) fn problem(&self) -> Option<&KeptError> {
        self.judge.as_ref()?.problem()
    }

    pub(super) fn searches(&self) -> bool {
        self.judge.as_ref().is_some_and(|judge| judge.searches())
    }

    /// Points that are still to come on a board at which a game was left, in whole ones.
    pub(super) fn to_come(&self, board: &Board, options: SearchOptions<'_>) -> u32 {
        let legal = board.legal_moves();
        let values = || self.judge.as_ref()?.criterion(0)?.values(board, 0, legal, options);
        if legal.is_empty() {
            return 0;
        }
        // Without a judge nothing is added, and where it was asked to stop the game is dropped.
        let Some(values) = values().map(crate::evaluator::Values::to_real) else { return 0 };
        let best = legal.into_iter().map(|mv| values[mv]).max_by(f64::total_cmp);
        match best {
            // Saturates.
            Some(best) if !best.is_nan() => best.round() as u32,
            _ => no_answer(format!(
                "the judge has no value for {board}: no game comes there by its rules; take another judge"
            )),
        }
    }
}

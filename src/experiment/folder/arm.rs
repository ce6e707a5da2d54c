//! A strategy of a folder, and the check whether a game is possible for it.

use super::Game;
use crate::experiment::manifest::ContestantRecord;
use crate::experiment::plan::arm_key;
use crate::experiment::{Contestant, Plan};
use crate::files::Sha256;
use crate::game::{Board, Rules, Size};
use crate::strategy::Strategy;

/// Why a saved game cannot be one of its strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ImpossibleGame {
    #[error("game {index} is played on {found}, not {expected}")]
    Size {
        index: u64,
        found: Size,
        expected: Size,
    },
    #[error("game {index} has {found} of its {moves} moves")]
    Moves {
        index: u64,
        found: usize,
        moves: u32,
    },
    #[error("game {index} has {score} points, which is impossible with {moves} moves to {board}")]
    Score {
        index: u64,
        score: u32,
        moves: u32,
        board: Board,
    },
}

/// A strategy of a folder.
#[derive(Clone, Debug)]
pub struct Arm {
    pub strategy: Strategy,
    /// The rules of its games.
    pub rules: Rules,
    /// The seed of its games.
    pub(super) seed: u64,
    /// The key of its games.
    pub(super) key: Sha256,
    /// Whether a file that it reads has changed since the run began, so that it would play differently.
    is_changed: bool,
}

impl Arm {
    /// A contestant of a plan.
    pub fn of(plan: &Plan, contestant: usize) -> Self {
        let one = &plan.contestants[contestant];
        let (rules, key) = (one.rules(plan.rules), one.arm_key(plan.rules));
        Self {
            strategy: one.strategy.clone(),
            rules,
            seed: plan.seed,
            key,
            is_changed: false,
        }
    }

    /// A strategy of a folder, with the SHA-256 of its files at that time.
    pub(super) fn kept(contestant: &Contestant, plan: &Plan, record: &ContestantRecord) -> Self {
        let (now, own_p4) = (contestant.strategy.sha256(), contestant.own_p4(plan.rules));
        let then = record.sha256.unwrap_or(now);
        let (is_changed, key) = (then != now, arm_key(then, own_p4));
        let (strategy, rules) = (contestant.strategy.clone(), contestant.rules(plan.rules));
        Self {
            strategy,
            rules,
            seed: plan.seed,
            key,
            is_changed,
        }
    }

    /// Whether a file that it reads has changed since the run began, so that it would play differently.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// The name of its files: the first digits of its key.
    pub(super) fn file(&self) -> String {
        self.key.to_string()[..16].to_owned()
    }

    /// Explains why a game is impossible by these rules. Board and moves determine the score: a tile brings the points
    /// of its merges, minus 4 points for each 4 that spawned instead of being merged. The number of such 4s follows
    /// from the sum of the tiles.
    pub(super) fn check(&self, game: &Game) -> Result<(), ImpossibleGame> {
        let (outcome, board, rules) = (game.finish.outcome, game.finish.board, self.rules);
        let (index, moves) = (game.index, outcome.moves);
        if !game.moves.is_empty() && game.moves.len() as u64 != u64::from(moves) {
            return Err(ImpossibleGame::Moves {
                index,
                found: game.moves.len(),
                moves,
            });
        }
        let [end, start] =
            [Some(board), rules.start].map(|board| board.as_ref().map_or([0; 2], sums));
        let tiles = i128::from(outcome.moves) + if rules.start.is_some() { 0 } else { 2 };
        let [spawned, points] = [end[0] - start[0], end[1] - start[1]];
        let fours = spawned / 2 - tiles;
        let can_be = match rules.p4 {
            0.0 => 0..=0,
            1.0 => tiles..=tiles,
            _ => 0..=tiles,
        };
        let score = i128::from(outcome.score);
        let expected = (points - 4 * fours).min(i128::from(u32::MAX));

        // A judge adds the expected rest of a game that is abandoned.
        let rollout = self
            .strategy
            .rollout
            .as_ref()
            .filter(|rollout| rollout.judge.is_some());
        let is_judged = rollout
            .and_then(|rollout| rollout.moves)
            .is_some_and(|most| most <= outcome.moves);
        let is_possible = score == expected || is_judged && expected < score;
        if spawned % 2 != 0 || !can_be.contains(&fours) || !is_possible {
            return Err(ImpossibleGame::Score {
                index,
                score: outcome.score,
                moves,
                board,
            });
        }

        Ok(())
    }
}

/// The sum of the tiles of a board, and the points of their merges if each was made of 2s.
pub(super) fn sums(board: &Board) -> [i128; 2] {
    let tiles = board
        .cells()
        .map(|(_, rank)| rank)
        .filter(|rank| !rank.is_empty());
    tiles.fold([0; 2], |[sum, points], rank| {
        let tile = i128::from(rank.tile());
        [sum + tile, points + tile * (i128::from(rank.get()) - 1)]
    })
}

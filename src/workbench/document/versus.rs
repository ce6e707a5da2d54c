//! Two strategies against each other: what another strategy would decide on the board on screen.

use std::sync::Arc;

use super::Document;
use crate::game::{Board, GameSeed};
use crate::job::threads_for_window;
use crate::search::{Order, Stop};
use crate::strategy::{Decision, Player, Strategy};
use crate::workbench::command::VersusCommand;
use crate::workbench::notice::Notices;

/// A strategy before the board on screen, ready to decide on any thread.
#[derive(Clone, Debug)]
pub struct Aside {
    player: Arc<Player>,
    board: Board,
    score: u64,
    chance: GameSeed,
    moves: u32,
}

impl Aside {
    /// Whether it decides in a moment, so that nobody needs another thread for it.
    pub fn is_quick(&self) -> bool {
        !self.player.searches() || self.board.legal_moves().len() < 2
    }

    /// Decides as the strategy would in the game on the board; draws of the last resort are those of the game.
    pub fn decide(&self, stop: &Stop) -> Decision {
        let order = Order { stop, cores: threads_for_window() };
        self.player.decide_until(&self.board, self.score, |n| self.chance.tie(self.moves, n), order)
    }
}

impl Document {
    /// Puts a strategy before the board on screen.
    ///
    /// # Errors
    /// It cannot play on a board of this size.
    pub fn aside(&self, strategy: &Strategy) -> Result<Aside, String> {
        let board = self.board();
        strategy.check(board.size())?;
        let (node, game) = (self.node(), self.game());
        let player = self.player(strategy, game.rules.on(board.size()));
        Ok(Aside { player, board, score: node.score, chance: game.chance(), moves: node.moves })
    }

    /// Does a command of this kind.
    pub(super) fn apply_versus(&mut self, _command: &VersusCommand, _notices: &mut Notices) {}
}

//! The parts of a turn: a slide gives an afterstate, a spawn gives the next board.

use std::fmt;

use super::{Board, Cell, Move, Rank};

/// The board after the slide and before the new tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Afterstate(Board);

impl Afterstate {
    pub(super) fn new(board: Board) -> Self {
        Self(board)
    }

    /// The tiles, for display. The player is not to move here.
    pub fn board(&self) -> Board {
        self.0
    }

    /// The board after a spawn. The cell must be empty; a tile on it would be replaced.
    pub fn spawn(&self, spawn: Spawn) -> Board {
        self.0.with(spawn.cell, spawn.rank)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    pub mv: Move,
    pub after: Afterstate,
    /// The reward: the sum of the tiles made by merging.
    pub reward: u32,
}

/// The new tile of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spawn {
    pub cell: Cell,
    pub rank: Rank,
}

impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.rank, self.cell)
    }
}

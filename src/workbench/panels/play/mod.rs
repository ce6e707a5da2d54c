//! The position on the board and what the strategy does there.

pub(super) mod board;
pub(super) mod decision;

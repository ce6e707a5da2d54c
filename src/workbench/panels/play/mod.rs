//! The current position and the strategy's decision on it.

pub(super) mod board;
pub(super) mod decision;

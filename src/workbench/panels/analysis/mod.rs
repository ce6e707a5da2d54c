//! What strategies do over many positions: what rows are good for, equal orders, pinned positions, two strategies,
//! what a number of the strategy changes.

pub(super) mod compare;
pub(super) mod depths;
pub(super) mod evidence;
pub(super) mod orders;
mod parts;
pub(super) mod pinned;

//! What strategies do over many positions: evidence of rows, equal orders, pinned positions, a comparison of two
//! strategies, and the effect of one number.

pub(super) mod compare;
pub(super) mod depths;
pub(super) mod evidence;
pub(super) mod orders;
mod parts;
pub(super) mod pinned;

//! Which move to make: criteria in order, and a last resort.
//!
//! A [`Strategy`] is an ordered list of criteria. The first keeps the legal moves whose value is within its tolerance
//! of the best; the next sees only those; the last resort decides what is left. A composition such as `emr` is two rows
//! of one ply and `Random`; a solver is one row of a deep search over a weighted sum.
//!
//! [`Player`] is a strategy made ready for one set of rules. Batches call [`Player::play`]; screens call
//! [`Player::decide`], which runs the same code with a witness that writes down what happened. There is no second
//! implementation for explaining.
//!
//! # To add a lookahead
//!
//! 1. Add a variant to [`Lookahead`](crate::search::Lookahead) with its parameters and source.
//! 2. Give it values of the legal moves in `player.rs`, where a criterion asks for them; the rest (tolerance,
//!    elimination, witness, last resort) is shared.

mod alignment;
mod catalogue;
mod composition;
mod criterion;
mod decision;
mod difference;
mod edit;
mod letters;
mod lint;
mod play;
mod player;
mod text;

pub use catalogue::{Catalogue, Group, Item};
pub use composition::{CompositionError, compositions};
pub use criterion::{Criterion, LastResort, Prefer, Strategy};
pub use decision::{Candidate, Decision, Searched};
pub use difference::{LineChange, line_changes};
pub use edit::{RowMap, RowTransfer, StrategyEdit};
pub use letters::ParseLettersError;
pub use lint::{Warning, repeats};
pub use play::{Observer, Outcome};
pub use player::{Player, Witness};
pub use text::{ParseStrategyError, StrategyHash};

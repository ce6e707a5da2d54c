//! Strategies choose moves: criteria in order, and a last resort.
//!
//! A [`Strategy`] is an ordered list of criteria. The first keeps the legal moves whose value is within its tolerance
//! of the best; the next sees only those; the last resort decides between the rest. A composition such as `emr` is two
//! rows of one ply and `Random`; a solver is one row of a deep search over a weighted sum.
//!
//! [`Player`] is a strategy prepared for one set of rules. It decides on a board ([`Player::decide`]) and plays games
//! ([`Player::play`]), with an [`Observer`]. Batches observe nothing. [`Decision::of`] runs the same code with an
//! observer that records the decision, [`GameTrace`] with one that writes a record. A strategy that is a network at one
//! ply has its own loop ([`Player::greedy`]), with the same moves.
//!
//! # To add a lookahead
//!
//! 1. Add a variant to [`Lookahead`](crate::search::Lookahead) with its parameters and source, and its text to
//!    `LookaheadText`, both in `search/spec.rs`.
//! 2. Prepare it as a [`Search`](crate::search::Search) in `search/root.rs`. The compiler finds `player.rs`,
//!    `setting.rs` and the other matches.
//! 3. By hand: its row in `catalogue.rs`, its term in `workbench/terms/searches.rs`, its entry in
//!    `settings/lookahead.rs` of the builder, and `src/guide/reference-strategies.md`.

pub(crate) mod alignment;
mod catalogue;
mod criterion;
mod decision;
mod edit;
mod first_move;
mod greedy;
mod last_resort;
mod letters;
mod lint;
mod play;
mod player;
mod policy;
mod reopened;
mod setting;
mod shared;
mod text;
mod trace;

pub use catalogue::{Group, Item};
pub use criterion::{Criterion, CriterionError, Prefer, Strategy, StrategyError};
pub use decision::{Candidate, Decision, Searched};
pub use edit::{RowMap, RowTransfer, StrategyEdit};
pub use first_move::{Rollout, RolloutError};
pub use greedy::GreedyPlayer;
pub use last_resort::{LastResort, MoveOrder};
pub use letters::{CompositionError, ParseLettersError, compositions, compositions_of};
pub use lint::{Warning, repeats};
pub use play::{Finish, Outcome};
pub use player::{Player, PlayerRow};
pub use policy::PolicyError;
pub use setting::{Setting, SettingError};
pub use shared::SharedStrategy;
pub use text::{ParseStrategyError, StrategyHash};
pub use trace::{ChoiceTrace, GameTrace, Observer, Turn};

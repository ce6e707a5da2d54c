//! What a strategy does over many positions.
//!
//! Here the code that decides on one board plays games while an observer counts: which row decided how often
//! ([`Evidence`]), what is odd about a row ([`findings()`]), which orders of the rows were not distinguished ([`orders`]),
//! how often two strategies agree ([`agreement()`]), how often evaluators tie ([`ties()`]), how a decision depends on one number of its strategy
//! ([`Response`]), and what a decision costs ([`cost()`], [`tree_sizes()`]). On small boards [`Exact`] needs no games: it follows every board that may occur.
//!
//! All are functions of their arguments and a seed, except for time limits.

mod agreement;
mod construction;
mod cost;
mod evidence;
mod exact_score;
mod finding;
mod orders;
mod response;
mod sample;
mod ties;

pub use agreement::{Agreement, Share, agreement, agreement_told};
pub use cost::{Cost, TreeSize, cost, tree_sizes};
pub use evidence::{Evidence, RowEvidence};
pub use exact_score::{Exact, ExactCost, ExactError};
pub use finding::{Example, Finding, FindingKind, Observed, ToleratedOn, findings};
pub use orders::{
    Confirmation, Group, Orders, OrdersError, Part, Parting, RowOrder, Scope, confirm, orders,
    players, rows_to_order,
};
pub use response::{Changes, Response, Step, Varied, VariedError};
pub use sample::{Position, Sample, Scored};
pub use ties::{Ties, ties};

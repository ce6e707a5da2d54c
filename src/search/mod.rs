//! An evaluator looks ahead: the value of each legal move over several plies.
//!
//! A [`Lookahead`] says how, as data; [`Search`] is the same made ready for one evaluator and one set of rules. Play,
//! batches and inspection run the same code: what differs is the [`Recorder`] that watches it, and `()` watches nothing
//! at no cost.
//!
//! Values are defined by the recursion in [`engine`](self). Nothing that makes the search faster changes them.

mod engine;
mod ground;
mod last_plies;
mod recorder;
mod root;
mod spec;
mod stop;
mod table;
mod tree;

pub use ground::Ground;
pub use recorder::{Bound, Edge, End, How, Recorder};
pub use root::{Aim, Definition, Found, Order, Root, Search, Tables};
pub use spec::{Cut, Dead, Expectimax, Lookahead, Minimax, Plies, Spawning, layers};
pub use stop::Stop;
pub use tree::{
    Effect, Fault, Flaw, Link, NodeCounts, NodeId, NodeKind, NodeView, Nodes, NotSearched, Origin, Report, Skipped,
    Start, Subject, Tree, TreeFormat, TreeRecorder,
};

use root::{Important, Kind};

/// Two values of a search count as equal when they differ by less than this share of the larger.
///
/// A value is the sum of thousands of products in `f64`, so that what is equal by symmetry may differ in its last digits.
/// Rounding stays below 10⁻¹³; differences that mean something are larger than 10⁻¹¹.
pub const ROUNDING: f64 = 1e-12;

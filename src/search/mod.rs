//! Lookahead: from an evaluator to the value of each legal move over several plies.
//!
//! A [`Lookahead`] says how, as data; [`Search`] is the same, prepared for one evaluator and one set of rules. Play,
//! batches and inspection run the same code and differ only in the [`Recorder`]. `()` records nothing and compiles to
//! nothing. [`TreeRecorder`] records every node, and the [`Tree`] on a screen is its record of the search that chose
//! the move.
//!
//! # What are the values?
//!
//! With `e(b, s)` the evaluator's value of board `b` at score `s`, and `p` plies left:
//!
//! ```text
//! max node    b, s, p   p = 0: e(b, s).  No legal slide: the dead-board value.
//!                       Else the largest over the legal slides of spawn(afterstate, s + reward, p − 1)
//! spawn node  b, s, p   p = 0: e(b, s).  Else over the empty cells and the tiles that can come, with p − 1 plies each:
//!     chance            Mean: the mean, Sum: the sum, MinCell: the least over cells of the mean over 2 and 4,
//!                           MeanOfMin: the mean over 2 and 4 of the least over cells
//!     min               Minimax: the least
//! root                  a legal slide is worth spawn(afterstate, s + reward, plies − 1)
//! ```
//!
//! Searches by sampling return means instead; [`Sampled`] and `sampling/` define them.
//!
//! A ply is a slide or a spawn. So 3 plies evaluate afterstates, after slide, spawn and slide, and 4 plies evaluate
//! boards to move. Sources use depth differently: a *level* of a slide and a spawn is 2 plies (Solver), a depth limit `d`
//! is 2d + 1 plies (Tutorial, Xiao). The Course paper and the Assignment do not say what a depth is: by our reading it is
//! 2 plies in the Course paper and one ply in the Assignment.
//!
//! [`Dead`] defines the value of a dead board, [`Cut`] what is left out by definition or by proof.
//!
//! # What makes it fast without changing a value?
//!
//! - The transposition table answers only if the search would do exactly the same again. Its contents, from this move
//!   or from an earlier game, never influence an exact value, to the last bit. Neither does the number of cores.
//! - On boards with few tiles all images of a board count as one, if the evaluator gives them the same value.
//! - For evaluators that are sums over rows and columns, and of the score, the lines of the last boards are looked up
//!   without making the boards.
//! - If only the move matters, as in batches, a chance node is given up as soon as it could not match the best other
//!   slide even with the evaluator's maximum (for boards with such large tiles) for all remaining spawns. This is Star1
//!   of Ballard, *The \*-minimax search procedure for trees containing chance nodes*, Artificial Intelligence 21
//!   (1983). At the root the tolerance of the criterion is added, so the move is the one that all values would choose.
//!   It applies only to means of evaluators that are sums over lines, never in a record, and never under a limit in
//!   nodes.
//! - Alpha-beta searches each move at the root with a window just wide enough that every value within the criterion's
//!   tolerance of the best is exact. The values of other moves may be bounds, and are marked as such ([`Bound`]).
//!
//! # Why does the number of nodes vary between runs?
//!
//! On one core and from an empty table it does not; [`Player::decide`](crate::strategy::Player::decide) begins this
//! way. Games keep their table from move to move, and several cores share one (`pieces.rs`), so the number of nodes
//! depends on what came before and on timing. Values do not. Alpha-beta and searches with a limit stay on one core.
//!
//! # To add one
//!
//! 1. A new kind of spawn node, dead board or cut is a variant in `spec.rs` with its source, and a line in its `check`.
//! 2. Implement it in `engine/`, where the node is searched, and in the plain recursion of `tests/engine/search.rs`. If
//!    it depends on the path to a node, change `table.rs` and `engine/last.rs`; if it depends on the position of tiles,
//!    change `symmetric`.
//! 3. If it leaves something out, add a reason to [`Rule`] and its numbers to `tree/`, where the self-check must know
//!    it. The compiler does not find `export.rs`, `skipped.rs` and `replay.rs`: search for `Unimportant`.
//! 4. A cut is read in `Search::new` of `root.rs`; its stub is a variant of `Stub` in `recorder.rs`. Outside of this
//!    folder: `prose`, `strategy/lint.rs`, `workbench/terms`, `panels/builder/strategy` (`settings/lookahead.rs` has
//!    its control), `panels/tree`, `src/guide/reference-json.md`.
//! 5. Another sampling method is a variant of [`Method`] with its text in `sampled.rs` and in `LookaheadText` of
//!    `spec.rs`, its search in `sampling/`, the self-check of its record in `tree/sampled.rs`, and its control in
//!    `settings/sampled.rs`. It has the same numbers, row, term and entry as a new lookahead: see [`crate::strategy`].
//! 6. A field of the filter is a row of `tree/fields.rs`, a file format a variant in `tree/export.rs`.

mod again;
mod best_play;
mod board;
mod depth;
mod downgraded;
mod engine;
mod pieces;
mod playouts;
mod plies;
mod recorder;
mod root;
mod rule;
mod sampled;
mod sampling;
mod spawn_order;
mod spec;
mod table;
mod tree;
mod worst;

pub use again::{NotUncut, PlyAlone, Uncut, UncutMove};
pub use best_play::{
    BestLine, BestPlay, LeafSet, LineEnd, LineOrder, LineStep, MeasureMeans, Measures, NoBestPlay,
    OneLeaf,
};
pub use board::SearchBoard;
pub use depth::{Plies, layers};
pub use playouts::{Ended, Lead, PlayFrom, PlayOn, PlayedOn, Playouts, Sample};
pub use plies::{PlyCounts, PlyTable, TableCounts};
pub use recorder::{Bound, Edge, End, Ranked, Recorder, Stub};
pub use root::{Definition, Objective, Root, Search, SearchOptions, SearchResult};
pub use rule::{NodeKind, Rule, Word};
pub use sampled::{Growth, Method, NodesBy, Playout, Policy, Sampled, Until, Worth};
pub use spec::{Cut, Dead, DepthLimited, Lookahead, LookaheadError, SpawnValue};
pub use table::Table;
pub use tree::{
    Bar, BarKind, Comparison, Completion, Effect, Fault, Field, Flaw, Frame, Graft, Grafted,
    Leaves, LineProblem, Link, Matched, Moment, NoTerms, NodeCounts, NodeId, NodeView, NotAGame,
    NotSearched, Origin, Outcome, Pairing, Query, QueryError, Replay, ReplayEvent, Report, Roles,
    Seen, Skipped, SpawnJson, SpawnMap, SpawnRule, Start, Subject, TermRow, Terms, Tree,
    TreeFormat, TreeKind, TreeReadError, TreeRecorder, Ucb, UnknownEnding, Why, WrittenBy,
};

use root::Important;

/// Two values of a search count as equal if they differ by less than this share of the larger.
///
/// A value is the sum of thousands of products in `f64`, so values that are equal by symmetry may differ in their last
/// digits. Rounding stays below 10⁻¹³; differences with a meaning are larger than 10⁻¹¹.
pub const ROUNDING: f64 = 1e-12;

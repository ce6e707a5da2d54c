//! Evaluators: from a board and the score so far to a number.
//!
//! An [`Evaluator`] is an expression. [`Evaluator::evaluate`] computes its value by definition on any board;
//! [`Compiled`] looks it up, millions of boards per second. Whole numbers agree exactly, others except for rounding.
//!
//! A board has the same value as an afterstate and as a board to move. The score is the official one up to that board.
//!
//! Tiles are 2, 4, 8 …, an empty cell is 0. Pairs are the horizontal and vertical neighbors (a, b), read left to right
//! and top to bottom, 24 on 4×4. Every tile and every size is exact; only `Weights` needs a matrix of the size.
//!
//! A [`Formula`] is typed by the user, and a [`ProgramSpec`] names another program that evaluates. All others are the
//! kinds below.
//!
//! [`Evaluator::facts`] has the meaning, the formula and the source of each.
//!
//! Composition is Kohler, Migler and Khosmood, *Composition of Basic Heuristics for the Game 2048*, 2019. Solver is
//! Fried, Goldberger and Gavorova, *2048 solver*. Assignment is Molla, Garen, Ripoll and Beckhauser, *A.I. Solution to
//! Solve the Game of 2048*, 2025. Course is a course paper on minimax, expectimax and weight matrices. Tutorial is an
//! expectimax tutorial with the heuristics of Xiao's `nneonneo/2048-ai`.
//!
//! # To add one
//!
//! 1. Add a variant to [`Evaluator`] in `expression.rs` with its formula and source, and one to [`Evaluator::palette`];
//!    by hand to `one_ply` of `strategy/catalogue.rs`, to `EVALUATORS` of `tests/engine/search.rs` and to
//!    `src/guide/reference-strategies.md`.
//! 2. Write its row in `facts.rs`; glossary, pictures and letters come from there. Say in `Evaluator::largest`
//!    how large it may become, and in [`Evaluator::uses_score`] if it minds the points.
//! 3. If it is a sum over rows and columns, add it to `compiled/line_sums.rs` and to the last arm of `Form::new` in
//!    `compiled/mod.rs`: it is then looked up, alone and in any sum. Otherwise it has a form in `compiled/mod.rs`, with
//!    `counts.rs` for packed boards and `definition.rs` for grids.
//! 4. Name its numbers in `strategy/setting.rs`, with controls in `settings/evaluator.rs`. Raise the counts in
//!    `tests/cli.rs`, which also has its value, and in `tests/window/stack.rs`.
//! 5. Write it again in `compiled/tests.rs`, plainly. The tests find it through the palette.

mod compiled;
mod definition;
mod expression;
mod facts;
mod file;
mod formula;
mod line_constants;
mod policy;
mod program;
mod terms;
mod weights;

pub use compiled::{
    ByLines, Ceilings, Compiled, CornerTable, Evaluate, Lasting, LineForm, LineTables, SnakePaths,
    SnakeTable, Values,
};
pub use expression::{Evaluator, EvaluatorError, ParseEvaluatorError};
pub(crate) use facts::source;
pub use facts::{Facts, Offer};
pub use file::{NoFiles, OneNetwork, OwnFiles, Reads, Resolver};
pub use formula::{EXAMPLES, Example, Formula, FormulaError, Group, Place, WORDS, Word};
pub use line_constants::Lines;
pub use policy::{FeaturePolicy, PolicyBy, ProcessOf};
pub use program::{MOST_SECONDS, ProgramSpec, ProgramSpecError};
pub(crate) use terms::Part;
pub use terms::{NetworkTerm, Term};
pub use weights::Weights;

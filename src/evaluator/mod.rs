//! A board and the score so far in, a number out.
//!
//! An [`Evaluator`] is an expression that can be written down, compared and saved. [`Evaluator::evaluate`] is its
//! definition, plain and slow. [`Compiled`] is the same number made for millions of boards a second; both agree
//! exactly for every evaluator here.
//!
//! A board is worth the same whether it is reached as an afterstate or as a board to move. The score is the
//! official score up to that board, the reward of the slide that led there included.
//!
//! | name | value | source |
//! | --- | --- | --- |
//! | `Score` | the score | Kohler, Migler and Khosmood 2019, there *greedy* |
//! | `Empty` | number of empty cells | the same |
//! | `Uniformity` | Σ over tile values of (how many tiles have it)³ | the same |
//! | `Monotonicity` | neighbour pairs in order, the largest over four rotations | the same, Algorithm 2 |
//! | `Weights` | Σ weight · tile | Course paper, Figs. 3–5 |
//! | `Sum` | Σ weight · evaluator | |
//! | `Inert` | 0 | a criterion that keeps every move |
//!
//! # To add one
//!
//! 1. Add a variant to [`Evaluator`] with its formula, source and a drawn example.
//! 2. Write its definition in `definition.rs`, in the plainest form.
//! 3. Add its fast form to `compiled.rs`; the agreement test there finds it through [`Evaluator::palette`].
//! 4. Give it a name and a sentence in [`Evaluator::name`] and [`Evaluator::about`], and a place in
//!    [`Evaluator::palette`].

mod compiled;
mod definition;
mod expression;
mod lines;
mod weights;

pub use compiled::{Compiled, Evaluate, LineTables, Values};
pub use expression::{Evaluator, ParseEvaluatorError};
pub use lines::Lines;
pub use weights::Weights;

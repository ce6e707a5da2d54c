//! A workbench for people who study game AI on 2048: play, decide, compose, compare.
//!
//! # Three examples
//!
//! They are programs in `examples/`: `cargo run --example board`.
//!
//! ## A board
//!
#![doc = "```rust"]
#![doc = include_str!("../examples/board.rs")]
#![doc = "```"]
//!
//! ## A decision
//!
#![doc = "```rust"]
#![doc = include_str!("../examples/decision.rs")]
#![doc = "```"]
//!
//! ## An experiment
//!
#![doc = "```rust"]
#![doc = include_str!("../examples/experiment.rs")]
#![doc = "```"]
//!
//! # Layers
//!
//! Each folder of `src/` uses only folders on the lines above its own.
//!
//! ```text
//! words, math                          numbers and lists as text; logarithms and powers, the same on every machine
//! ron_text, files, task, stats         RON text, disk, threads, statistics; none of them knows 2048
//! kept                                 saved files found by name and hash, read once: networks, tables, value iterations
//! program                              other programs: requests and answers in lines, time limits, permissions
//! columns                              long tables as data, written as Parquet, CSV or JSON lines
//! table                                tables as data: typed cells, for terminals, documents, programs and the window
//! game                                 rules: boards, slides, spawns, seeds, records
//! process                              value iteration over features: counts of games, state values, files
//! solve                                exact play on small boards: the value of every board, solved tables as files
//! network                              n-tuple networks: sums of table entries, files
//! evaluator                            a board and a score in, a number out
//! search                               an evaluator in, the value of each move out, several plies ahead
//! strategy                             rows in order, decisions, whole games
//! analysis                             a strategy over many positions: evidence, orders, agreement
//! learning                             networks that learn by playing: learning rules, trainings as files
//! preset                               experiments and positions as files; own files in folders
//! experiment                           many games of many strategies: plan, run, summary, export
//! claims                               what texts claim, the commands that repeat it, and the verdict of our games
//! tune                                 settings of a strategy tuned by playing, and their measured gain
//! review                               a judge's value of every move and spawn of a game, in points
//! practice                             positions to answer before the judge does; mistakes return
//! export                               games, solved tables and networks as long tables for other programs
//! prose                                findings as sentences, for both front ends; the engines do not use it
//! guide                                the user guide and the reference, as pages
//! workbench, cli                       the window, the only place that names egui; the same without a window
//!
//! cli/window.rs -> workbench           the one exception on a line: a command opens the window
//! ```
//!
//! Everything above `guide` is the package `afterstate-engine`, whose root is `src/engine.rs`; this library shows its
//! modules as its own. The engine cannot use the window. Tests compile the engine with optimization and the window
//! without.
//!
//! `tests/source/layers.rs` reads this drawing and every path in the source, and checks that they agree. Code under
//! `#[cfg(test)]` may use any folder. The steps to add an evaluator, a cut, a command, a panel, a column or a file
//! format are in its folder: `grep -rn "To add\|To ship" src`.
//!
//! # Features
//!
//! - `gui`, on by default: the window, in `workbench`. Without it the crate is the engine and the command line.
//! - `launcher`, off by default: `afterstate-window`, a second program for Windows, which opens the window without a console.
//!
//! The engine needs a 64-bit system. `zstd` needs a C compiler.

// The names that the examples and the README use.
#[doc(inline)]
pub use afterstate_engine::{
    analysis, claims, evaluator, experiment, export, game, learning, network, practice, preset,
    process, prose, review, search, solve, stats, strategy, task, tune,
};
#[doc(inline)]
pub use afterstate_engine::{
    board,
    experiment::{Pair, Plan, Run},
    game::{Board, Move, Rules, Seed},
    preset::Preset,
    strategy::{Decision, Player, Strategy},
};
// Modules for the front ends and their tests.
#[doc(hidden)]
pub use afterstate_engine::{columns, files, kept, math, program, ron_text, table, words};

#[doc(hidden)]
pub mod cli;
pub mod guide;
#[cfg(feature = "gui")]
#[doc(hidden)]
pub mod workbench;

/// The README, so that its example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

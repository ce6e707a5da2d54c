//! A workbench for people who study game AI on 2048: play, decide, compose, compare.
//!
//! # Layers
//!
//! Each folder of `src/` uses only folders on the lines above its own.
//!
//! ```text
//! words, math                          leaves: numbers and lists as people read them; logarithms and powers, the same on every machine
//! ron_text, files, task, stats         text, disk, threads and cancelling, numbers; know nothing of 2048
//! kept                                 files found by name, with a hash, read once: solved tables, networks, processes
//! program                              other programs, asked in lines, limited in time, run where allowed; knows nothing of 2048
//! game                                 rules: boards, slides, spawns, seeds, records
//! process                              the worth of feature states: counts of games, value iteration; their files
//! solve                                exact play on small boards: the worth of every board, tables of it as files
//! network                              n-tuple networks: tables of a few cells each, added up; their files
//! evaluator                            a board and a score in, a number out
//! search                               an evaluator in, a value of each move out, several plies ahead
//! strategy                             criteria in order, decisions, whole games
//! analysis                             what a strategy does over many positions: evidence, orders, agreement
//! learning                             networks that learn by playing: rules of learning, trainings as files
//! preset                               experiments and positions as files; own files in folders
//! experiment                           many games of many strategies: plan, run, summary, export
//! tune                                 numbers of a strategy chosen by playing, and what the choice is worth
//! review                               what a judge says of every move and tile of a game, in points
//! practice                             moves chosen before a judge's answer is shown; positions that come again
//! prose                                what engines found, in sentences; engines do not know it
//! guide                                the user guide and the reference, as pages to read
//! workbench, cli                       the window, the only place that names egui; the same without a window
//!
//! cli/window.rs -> workbench           the one door between two of a line: a command opens the window
//! ```
//!
//! All but the last two lines are a package of its own, `afterstate-engine`, whose root is `src/engine.rs`; this library shows
//! its folders as its own. So the engine cannot use the window, and tests compile it with optimization and the window without.
//!
//! `tests/layers.rs` reads this diagram and every path in the source, and checks that they agree. Code under
//! `#[cfg(test)]` may use any folder. Instructions for adding another thing of a kind (an evaluator, a cut, a command,
//! a panel, a column, a file format) are in its folder: `grep -rn "To add\|To ship" src`.
//!
//! # Features
//!
//! - `gui`, on by default: the window, in `workbench`. Without it the crate is the engine and the command line.
//! - `launcher`, off by default: `afterstate-window`, a second program for Windows, which opens the window without a console.
//!
//! The engine needs a 64-bit system. `zstd` needs a C compiler.

pub use afterstate_engine::board;
#[doc(inline)]
pub use afterstate_engine::{
    analysis, evaluator, experiment, files, game, kept, learning, math, network, practice, preset, process, program,
    prose, review, ron_text, search, solve, stats, strategy, task, tune, words,
};

pub mod cli;
pub mod guide;
#[cfg(feature = "gui")]
pub mod workbench;

/// The README, so that its example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

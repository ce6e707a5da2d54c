//! All of Afterstate that needs no window and no terminal; `src/lib.rs` has the diagram of the layers.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "Afterstate needs a 64-bit system: its tables and searches take more memory than 32 bits address."
);

pub mod analysis;
pub mod claims;
pub mod columns;
pub mod evaluator;
pub mod experiment;
pub mod export;
pub mod files;
pub mod game;
pub mod kept;
pub mod learning;
pub mod math;
pub mod network;
pub mod practice;
pub mod preset;
pub mod process;
pub mod program;
pub mod prose;
pub mod review;
pub mod ron_text;
pub mod search;
pub mod solve;
pub mod stats;
pub mod strategy;
pub mod table;
pub mod task;
pub mod tune;
pub mod words;

/// The name of the program in its files and folders.
pub const PROGRAM: &str = "afterstate";

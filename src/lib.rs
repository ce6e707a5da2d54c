//! Afterstate.

pub mod cli;
pub mod evaluator;
pub mod experiment;
pub mod files;
pub mod game;
pub mod job;
pub mod preset;
pub mod ron_text;
pub mod stats;
pub mod strategy;
pub mod words;
#[cfg(feature = "gui")]
pub mod workbench;

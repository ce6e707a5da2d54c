//! Afterstate.

pub mod evaluator;
pub mod game;
pub mod ron_text;
pub mod strategy;
pub mod words;

//! Afterstate.

pub mod game;

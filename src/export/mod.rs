//! Games, solved tables and networks as long tables for other programs.
//!
//! | table | a row is |
//! | --- | --- |
//! | [`MOVES`] | a move of a game |
//! | [`SOLVED`] | an afterstate of a solved table |
//! | [`WEIGHTS`] | a weight of a network |
//!
//! The weights of a network can also be an array of NumPy: [`write_npy`]. Reviews have a table of their own, with the
//! columns of [`review_heads`](crate::review::review_heads).
//!
//! To add a column: a line in the list of its table, and one in `src/guide/reference-tables.md`.

mod moves;
mod network;
mod solved;

pub use moves::{GameRows, MOVES, MoveRow};
pub use network::{WEIGHTS, WeightRow, weight_rows, write_npy};
pub use solved::{SOLVED, SolvedRow, solved_rows};

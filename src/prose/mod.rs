//! What engines found, in sentences for the window and the command line. Engines compute and do not know them.
//!
//! The sentences on a difference are [`why::sentences`], two by type; `cli/why.rs` (text and JSON) and `workbench/panels/tree/why`
//! take them apart, so that a third one changes both.

use crate::game::Spawn;
use crate::search::Bound;

pub mod check;
pub mod decision;
mod difference;
mod finding;
pub mod replay;
pub mod why;

pub use difference::{LineChange, difference, line_changes};
pub use finding::{about_exact_sum, finding};

/// Before a number that may be only a bound: `at most `.
const fn at_most(bound: Bound) -> &'static str {
    ["", "at most ", "at least "][bound as usize]
}

/// `a 4 at r2c3`
fn a_spawn(spawn: Spawn) -> String {
    format!("a {spawn}")
}

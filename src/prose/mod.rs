//! What engines found, in sentences for the window and the command line. Engines compute and do not know them.
//!
//! The sentences on a difference are [`why::sentences`], two by type; `cli/why.rs` (text and JSON) and `workbench/panels/tree/why`
//! take them apart, so that a third one changes both.

use crate::game::Spawn;
use crate::search::{Bound, Report};
use crate::words;

pub mod decision;
mod difference;
mod estimate;
mod finding;
pub mod replay;
pub mod why;

pub use difference::{LineChange, difference, line_changes};
pub use estimate::how_long;
pub use finding::{about_exact_sum, finding};

/// What the self-check of a record found, in one sentence: `all 1,234 nodes agree with the definition`.
pub fn self_check(report: &Report) -> String {
    let nodes = words::plural(report.nodes, "node");
    match (report.flaws.first(), report.unsure) {
        (None, 0) => format!("all {nodes} agree with the definition"),
        (None, unsure) => {
            let what = if unsure == 1 { "it comes" } else { "they come" };
            format!("{nodes} agree with the definition, {} of them unseen what {what} from", words::count(unsure))
        }
        (Some(flaw), _) => format!("{} of {nodes} are wrong: {}", words::count(report.wrong), flaw),
    }
}

/// Before a number that may be only a bound: `at most `.
const fn at_most(bound: Bound) -> &'static str {
    ["", "at most ", "at least "][bound as usize]
}

/// `a 4 at r2c3`
fn a_spawn(spawn: Spawn) -> String {
    format!("a {spawn}")
}

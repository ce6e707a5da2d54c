//! The results of engines in sentences, for the window and the command line. Engines compute and do not depend on this.
//!
//! The sentences on a difference come from [`why::sentences`], which returns two by type; `cli/why.rs` (text and JSON)
//! and `workbench/panels/tree/why` use them separately, so a third one changes both.

use crate::analysis::Share;
use crate::game::Spawn;
use crate::search::{Bound, Report};
use crate::words;

pub mod best_play;
pub mod claims;
pub mod decision;
mod difference;
mod effect;
mod estimate;
mod exact;
mod finding;
mod fours;
mod imported;
mod network;
mod pair;
pub mod practice;
pub mod process;
pub mod replay;
mod response;
pub mod review;
pub mod rollout;
mod setups;
mod ties;
mod tuning;
pub mod uncut;
pub mod why;

pub use difference::{LineChange, difference, line_changes};
pub use effect::{effect_sentence, nodes_still_cut, worth_now};
pub use estimate::{about_spread, games_estimated, games_to_find, how_long};
pub use exact::{exact_cost, of_best_play, share as share_of_best_play};
pub use finding::finding;
pub use fours::fours_sentence;
pub use imported::{imported_sentence, missing_sentence};
pub use network::network_sentence;
pub use pair::pair_sentence;
pub use response::{
    LIMITED_SHARES, SAMPLED_SHARES, changes_table, response_sentence, share_columns, step_places,
    steps_table,
};
pub use setups::{
    SetupDifference, answer_texts, rules, rules_of, setup_differences, training_differences,
};
pub use ties::ties_table;
pub use tuning::verified_sentence;

/// The result of the self-check of a record, in one sentence: `all 1,234 nodes agree with the definition`.
pub fn self_check(report: &Report) -> String {
    let nodes = words::plural(report.nodes, "node");
    match (report.flaws.first(), report.unsure) {
        (None, 0) => format!("all {nodes} agree with the definition"),
        (None, unsure) => {
            let depend = if unsure == 1 { "depends" } else { "depend" };
            format!(
                "{nodes} agree with the definition; {} of them {depend} on nodes that are not recorded",
                words::count(unsure)
            )
        }
        (Some(flaw), _) => format!(
            "{} of {nodes} are wrong: {}",
            words::count(report.wrong),
            flaw
        ),
    }
}

/// `91.3 %`; a dash if there is no value.
pub fn percent(share: Share) -> String {
    share.value().map_or_else(
        || "–".to_owned(),
        |value| format!("{} %", words::decimals(100.0 * value, 1)),
    )
}

/// The Wilson interval of a share, `89.4 to 92.9`; a dash if there is no value.
pub fn interval_text(share: Share) -> String {
    let Some(interval) = share.interval() else {
        return "–".to_owned();
    };
    let [low, high] = [interval.low, interval.high].map(|value| words::decimals(100.0 * value, 1));
    format!("{low} to {high}")
}

/// The text before a number that may be only a bound: `at most `.
const fn at_most(bound: Bound) -> &'static str {
    ["", "at most ", "at least "][bound as usize]
}

/// `a 4 at r2c3`
fn a_spawn(spawn: Spawn) -> String {
    format!("a {spawn}")
}

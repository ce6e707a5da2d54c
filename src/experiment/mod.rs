//! Many games of several strategies on the same seeds: planned, run, summed up, exported.
//!
//! A [`Plan`] says who plays how many games from which seed. A [`Run`] plays it on worker threads and can be looked at,
//! paused and cancelled at any time: a [`Schedule`] says which games its workers play next, a [`Sink`] takes the outcomes. A
//! [`Summary`] per strategy adds up without regard to order, so the numbers are the same on any number of threads.
//! [`Results`] are what is left at the end, with a [`Manifest`] that says how to get them again. An [`Estimate`] says before
//! a run how long it may take.
//!
//! Why are single games kept? Every bar of a histogram leads to the games behind it. A game takes 12 bytes: score, moves
//! and largest tile; its index is its place. A million games of five strategies are 60 MB.

mod estimate;
mod export;
mod games;
mod manifest;
mod plan;
mod progress;
mod results;
mod run;
mod schedule;
mod sink;
mod summary;
mod workers;

pub use estimate::Estimate;
pub use export::{
    PublishedLine, ReachComparison, games_csv, json, lent_sentence, manifest_json, markdown, published_lines,
    summary_csv, write_folder, z_text,
};
pub use games::Games;
pub use manifest::{ContestantRecord, EndReason, Manifest, rfc_3339};
pub use plan::{Contestant, Plan, PlanError, Play};
pub use progress::{Progress, Snapshot, State};
pub use results::{ContestantResult, Results};
pub use run::Run;
pub use schedule::{Batch, FurthestBehind, Schedule};
pub use sink::{InMemory, Sink};
pub use summary::{Reach, Summary};

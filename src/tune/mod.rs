//! Tuning: chooses numbers of a strategy by playing, and measures the choice.
//!
//! CMA-ES (Hansen and Ostermeier 2001) proposes candidates. The candidates of a generation play the same games, and
//! those that are certainly among the worse are dropped early ([`race`](race())). The centers of the generations that
//! looked best race on new games, and the best of them is the winner. It is then measured on games that were not used
//! for any choice, together with the start strategy, on the same seeds. The best of many noisy measurements is always
//! too high; this measurement is not.
//!
//! - Game `i` depends on the seed and on `i` alone, and a generation on the generations before. So a tuning has one
//!   result, on any number of threads, however often it is stopped and continued.
//! - Each generation plays games with new indices. Its center was chosen before them, so the mean of the center is
//!   unbiased: it is the learning curve.
//! - A tuning is a folder ([`TuneFolder`]): `tuning.json` is rewritten as a whole after each generation;
//!   `verification/` is the folder of an ordinary run of two strategies; `winner.ron` is the winner.

mod folder;
mod plan;
mod race;
mod search;
mod tuner;

pub use folder::{Generation, LastRace, TuneError, TuneFolder, TuneState};
pub use plan::{TunePlan, TunePlanError};
pub use race::{Arena, Raced, race};
pub use search::{Proposal, Search};
pub use tuner::{Tuner, Verified};

//! Tuning: numbers of a strategy chosen by playing, and what the choice is worth.
//!
//! CMA-ES (Hansen and Ostermeier 2001) proposes candidates; each generation of them plays the same games, and those that are
//! surely among the worse are dropped early ([`race`](race())). The centers of generations that looked best race on fresh games,
//! and the best of them is the winner. What it is worth is measured on games that nothing was chosen by, beside the strategy that
//! the tuning began with, on the same seeds: the best of many noisy measurements is always too high, this one is not.
//!
//! - Game `i` depends on the seed and on `i` alone, and a generation on the generations before: a tuning has one result, on
//!   any number of threads, however often it is stopped and goes on.
//! - Each generation plays games of indices that none before has played, so that the mean of its centre, which was chosen
//!   before, is a fair look at it: the learning curve.
//! - A tuning is a folder ([`TuneFolder`]): `tuning.json` is written anew, whole, after each generation; `verification/` is
//!   the folder of an ordinary run of two strategies; `winner.ron` is the winner.

mod folder;
mod plan;
mod race;
mod search;
mod tuner;

pub use folder::{Generation, LastRace, TuneError, TuneFolder, TuneState};
pub use plan::TunePlan;
pub use race::{Arena, Raced, race};
pub use search::{Asked, Search};
pub use tuner::{Control, Phase, Tuner, Verified};

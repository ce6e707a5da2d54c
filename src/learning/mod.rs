//! Training of networks by playing: temporal difference learning of afterstates.
//!
//! # What is learned?
//!
//! A game is a chain of afterstates a₀, a₁ … (after a slide, before the new tile), with rₜ the reward of the slide that
//! led to aₜ. The network plays it greedily, each time the slide with the largest reward + V(afterstate); ties go to
//! the first. V(aₜ) is moved towards a target Gₜ by [`Update`](crate::network::Update). The target of the last
//! afterstate of a game is 0. These are the updates of Szubert and Jaśkowski (*Temporal difference learning of n-tuple
//! networks for the game 2048*, CIG 2014, TD(0) on afterstates) and of Jaśkowski (*Mastering 2048 with delayed temporal
//! coherence learning, multistage weight promotion, redundant encoding and carousel shaping*, IEEE ToG 2018).
//!
//! With λ and a horizon of n slides ([`Training::lambda`], [`Training::steps`]) the target is the truncated λ-return,
//! computed from its end to its beginning
//!
//! ```text
//! G = r + V(a)                     at the horizon; 0 after the last afterstate
//! G ← r + λ·G + (1 − λ)·V(a)       for each afterstate before it
//! ```
//!
//! n = 1 is TD(0), λ = 1 is n-step TD, and between them is TD(λ). λ = 0 is TD(0) for every n, so a new training refuses
//! n > 1 with it, and n = 1 with a λ between 0 and 1. The file of a training states the rule in force.
//!
//! - *Forward* (the default): aₜ₋ₙ learns as soon as aₜ is chosen. The values in its target are those at the time when
//!   the afterstates were chosen, so that no table is read twice for them. The value of aₜ₋ₙ itself is read anew,
//!   except in TD(0), which uses V(aₜ₋₁) at the time when aₜ₋₁ was chosen, as TDL2048+ does by default.
//! - *Backward*: after a game, from its last afterstate to its first, so that the result of the end reaches the
//!   beginning in the same game. Each value in a target is that of an afterstate after it has learned (Matsuzaki,
//!   *Developing a 2048 player with backward temporal coherence learning and restart*, 2017).
//!
//! # Where do games begin?
//!
//! With stages a network has tables for late boards that few games reach. With [`Training::restarts`] games begin there
//! as well (carousel shaping, Jaśkowski 2018): each game begins one stage later than the previous one, at one of the
//! last boards with which a game entered that stage, and after the last stage, or if no board is stored yet, at the
//! beginning ([`Restarts`](crate::network::Restarts)). The board is the one to move, drawn with equal probabilities by
//! (seed, i). A restarted game counts as a game, but the curve only contains those from the beginning. The boards are
//! saved in the file, so a training continues as if it had not been stopped.
//!
//! # Is a training reproducible?
//!
//! Game i draws its spawns only from (seed, i), and nothing else is drawn except the board that it restarts from. On
//! one thread games follow each other, so the same [`Training`] gives the same weights, bit by bit, on any machine with
//! IEEE 754 rounding, however often it is stopped and continued. With more threads, one of them learns from the first
//! thousand games. After that, games are played in parallel and change the same weights without waiting for each other
//! (relaxed atomics; one change may overwrite another). Such a network is as good, but not reproducible. The
//! differences: 4x5patt, 5,000 games of TC on two threads, four times from seed 0, then 1,000 greedy games with the same
//! spawns each: means of 24,273, 24,475, 24,652 and 24,866. One thread with seeds 1 to 4: 21,912, 24,663, 26,088 and
//! 24,078 (each with its own spawns). The threads moved the mean by a few hundred points, less than another seed does.
//! These four learned on two threads from their first game on, and so did 104 trainings of 8x6patt on an idle machine:
//! 18 of them broke down permanently in their first games. Of 64 that began on one thread none did, and their means of
//! games 1,401 to 1,600 were between 20,487 and 24,685. That bounds the rate below about 5 % (95 %, 1 − 0.05^(1/64)),
//! but does not show that it is 0. A mean below 10,000 after 2,000 games of 8x6patt indicates a training that broke
//! down: start again.
//!
//! # A training is a file
//!
//! [`Learner`] writes weights, temporal coherence data and the curve at the end, on request, and every minute: the file
//! is a network that can be played with, and that continues to learn where it stopped. [`Session`] runs one on its own
//! threads and reports its progress.

mod cells;
mod games;
mod learner;
mod session;
pub mod shipped;
mod tested;
#[cfg(test)]
mod tests;

pub use learner::{Learner, LearningError, Place};
pub use session::{Progress, Session};
pub use shipped::ShippedTraining;
pub use tested::test;

pub use crate::network::Training;

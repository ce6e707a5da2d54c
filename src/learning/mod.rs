//! Networks that learn by playing: temporal difference learning of afterstates.
//!
//! # What is learnt
//!
//! A game is a chain of afterstates a₀, a₁ … (after a slide, before the new tile), rₜ the reward of the slide that led to aₜ.
//! The network plays it greedily, each time the slide with the largest reward + V(afterstate), the first of equals. V(aₜ) is
//! moved towards a target Gₜ by [`Update`](crate::network::Update); after the last afterstate of a game nothing comes, it is
//! worth 0. These are the updates of Szubert and Jaśkowski (*Temporal difference learning of n-tuple networks for the game
//! 2048*, CIG 2014, TD(0) on afterstates) and of Jaśkowski (*Mastering 2048 with delayed temporal coherence learning, multistage
//! weight promotion, redundant encoding and carousel shaping*, IEEE ToG 2018).
//!
//! With λ and a horizon of n slides ([`Training::lambda`], [`Training::steps`]) the target is the truncated λ-return, from its
//! end to its beginning
//!
//! ```text
//! G = r + V(a)                     at the horizon; 0 after the last afterstate
//! G ← r + λ·G + (1 − λ)·V(a)       for each afterstate before it
//! ```
//!
//! n = 1 is TD(0), λ = 1 is n-step TD, and between them lies TD(λ). λ = 0 is TD(0) for every n, so that a new training refuses
//! n > 1 with it, and n = 1 with a λ between 0 and 1. The file of a training states the rule in force.
//!
//! - *Forward* (the default): aₜ₋ₙ learns as soon as aₜ is chosen. The values in its target are those that afterstates had when
//!   they were chosen, so that no table is read twice for them; what aₜ₋ₙ itself is worth is read anew, but by TD(0), which takes V(aₜ₋₁) as it
//!   was when aₜ₋₁ was chosen, as TDL2048+ does by default.
//! - *Backward*: after a game, from its last afterstate to its first, so that what the end taught goes on to the beginning in
//!   the same game; each value in a target is the one that an afterstate had when it had learnt (Matsuzaki, *Developing a 2048 player with backward temporal coherence learning and restart*, 2017).
//!
//! # Where games begin
//!
//! With stages a network has tables for late boards that few games reach. With [`Training::restarts`] games begin there, too
//! (carousel shaping, Jaśkowski 2018): game after game begins one stage later, with one of the last boards that a game entered
//! that stage with, and after the last stage, or where none is kept yet, at the beginning
//! ([`Restarts`](crate::network::Restarts)). The board is the one to move, drawn with equal probabilities by (seed, i). A game
//! that begins so counts as a game; the curve is of those that began at the beginning. The boards are kept in the file, so that
//! a training goes on as if it had not been stopped.
//!
//! # The same network again
//!
//! Game i draws its tiles from (seed, i) alone, and nothing else is drawn but the board that it restarts from. On one thread games follow each other, so that the
//! same [`Training`] gives the same weights, bit by bit, on any machine that rounds as IEEE 754 says, however often it is
//! stopped and goes on. On more threads the first thousand games are learnt from by one of them; then games are played at the same time and change
//! the same weights without waiting for each other (relaxed atomics; a change may be lost to another): such a network is as good, and not the same twice. How
//! far two differ: 4x5patt, 5,000 games of TC on two threads, four times from seed 0, then 1,000 greedy games with the same tiles
//! each: means of 24,273, 24,475, 24,652 and 24,866. One thread with seeds 1 to 4: 21,912, 24,663, 26,088 and 24,078 (each with
//! tiles of its own). The threads moved the mean by a few hundred points, less than another seed does. These four learnt on two
//! threads from their first game on, and so did 104 trainings of 8x6patt on an idle machine, of which 18 broke down for good in
//! their first games; of 64 that began on one thread none did, and their means of games 1,401 to 1,600 lay from 20,487 to 24,685:
//! that bounds the rate below about 5 % (95 %, 1 − 0.05^(1/64)), and does not say that it is 0. A mean below 10,000 after 2,000
//! games of 8x6patt tells a training that broke down: begin again.
//!
//! # A training is a file
//!
//! [`Learner`] writes weights, what temporal coherence keeps of them, and the curve, at the end, when it is asked to, and every
//! minute: the file is a network that can be played with, and goes on learning where it stopped. [`Session`] runs one on threads
//! of its own and tells how far it is.

mod cells;
mod games;
mod learner;
mod session;
pub mod shipped;
mod tested;
#[cfg(test)]
mod tests;

pub use learner::{Learner, LearningError, Place};
pub use session::{Phase, Progress, Session};
pub use shipped::ShippedTraining;
pub use tested::test;

pub use crate::network::Training;

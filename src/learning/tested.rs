//! Games that test a network, on demand.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::games::{Space, Table};
use super::learner::TESTED;
use crate::game::Seed;
use crate::network::{Network, Scores, Training};
use crate::task::{CancelToken, Threads, ThreadsError, lock};

/// Plays so many games of a training greedily, the same that the points of its curve are tested by, with the network as it is;
/// nothing is learnt from them. Whoever waits is told after each game what was scored so far. Cancelled, it gives the games that
/// ended.
pub fn test(
    network: &Network,
    training: &Training,
    games: u64,
    threads: Threads,
    halt: &CancelToken,
    told: &(impl Fn(&Scores) + Sync),
) -> Result<Scores, ThreadsError> {
    let (rules, seed) = (training.rules(), Seed(training.seed ^ TESTED));
    let (next, scores) = (AtomicU64::new(0), Mutex::new(Scores::default()));
    crate::task::on_each(threads, || {
        let (table, mut space) = (Table(network.tables()), Space::default());
        while !halt.is_cancelled() {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if games <= game {
                return;
            }
            let ended = table.test(&seed.game(game), &rules, &mut space);
            let mut scores = lock(&scores);
            scores.push(ended.score, ended.largest.tile());
            told(&scores);
        }
    })?;

    let scores = lock(&scores).clone();
    Ok(scores)
}

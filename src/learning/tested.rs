//! Test games of a network, on request.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::games::{Space, Table};
use super::learner::TESTED;
use crate::game::Seed;
use crate::network::{Network, Scores, Training};
use crate::task::{Control, Threads, ThreadsError, lock};

/// Plays `games` games greedily with the current network, without learning. They are the test games of the training's
/// curve. Reports the scores so far after each game. If it is stopped, returns the games that ended.
pub fn test(
    network: &Network,
    training: &Training,
    games: u64,
    threads: Threads,
    control: &Control,
    report: &(impl Fn(&Scores) + Sync),
) -> Result<Scores, ThreadsError> {
    let (rules, seed) = (training.rules(), Seed(training.seed ^ TESTED));
    let (next, scores) = (AtomicU64::new(0), Mutex::new(Scores::default()));
    control.begin("", "game", games);
    crate::task::on_each(threads, || {
        let (table, mut space) = (Table(network.tables()), Space::default());
        while control.pass() {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if games <= game {
                return;
            }
            let ended = table.test(&seed.game(game), &rules, &mut space);
            let mut scores = lock(&scores);
            scores.push(ended.score, ended.largest.tile());
            control.report(scores.n);
            report(&scores);
        }
    })?;

    let scores = lock(&scores).clone();
    Ok(scores)
}

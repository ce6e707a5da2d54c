//! The record of a race that a worker plays, so that the window can play, stop and scrub it.

use std::sync::Arc;

use crate::analysis::{Race, Runner};
use crate::game::{Move, Notes, Record, Rules};
use crate::strategy::{Player, Strategy};
use crate::task::Job;

/// Both games as far as they are recorded; never empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    /// The state of each side after every move.
    runners: [Vec<Runner>; 2],
    /// The number of moves both made alike before they parted.
    pub parted: Option<u32>,
}

impl Track {
    fn new(race: &Race) -> Self {
        Self { runners: race.sides().map(|side| vec![side.clone()]), parted: None }
    }

    fn follow(&mut self, race: &Race) {
        for (runners, runner) in self.runners.iter_mut().zip(race.sides()) {
            if runners.len() <= runner.moves as usize {
                runners.push(runner.clone());
            }
        }
        self.parted = race.parted();
    }

    /// Recorded moves of the longer game.
    pub(super) fn moves(&self) -> u32 {
        self.runners.iter().map(|runners| runners.len() - 1).max().unwrap_or(0) as u32
    }

    /// One side after `moves` moves, or at the end of its game.
    pub(super) fn runner(&self, side: usize, moves: u32) -> &Runner {
        let runners = &self.runners[side];
        &runners[(moves as usize).min(runners.len() - 1)]
    }

    /// Whether both games are over and fully recorded.
    pub(super) fn is_known(&self) -> bool {
        self.is_over(self.moves())
    }

    /// Whether both games are over after `moves` moves.
    pub(super) fn is_over(&self, moves: u32) -> bool {
        (0..2).all(|side| self.runner(side, moves).over)
    }

    /// The move each strategy chose at the parting.
    pub(super) fn choices(&self) -> Option<[Move; 2]> {
        let next = self.parted? as usize + 1;
        let choice = |side: usize| self.runners[side].get(next)?.last.map(|step| step.mv);
        Some([choice(0)?, choice(1)?])
    }

    /// The recorded game of one side, to put on a board.
    pub(super) fn record(&self, side: usize, strategy: &Strategy, rules: Rules, seed: u64) -> Record {
        Record {
            rules,
            seed: Some(seed),
            game: 0,
            strategy: Some(strategy.to_string()),
            start: self.runners[side][0].board,
            score: 0,
            steps: self.runners[side].iter().filter_map(|runner| runner.last).collect(),
            notes: Notes::new(),
        }
    }
}

/// Plays game 0 of `seed` and reports both games as they grow.
pub(super) fn run([a, b]: [Arc<Player>; 2], seed: u64, job: &Job<Track>) -> Track {
    let mut race = Race::new(a, b, seed, 0);
    let mut track = Track::new(&race);
    while !job.is_cancelled() && race.step(job.token()).is_some() {
        track.follow(&race);
        job.tell_now_and_then(|| track.clone());
    }
    track
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::Seed;
    use crate::search::SearchOptions;
    use crate::strategy::Outcome;
    use crate::task::{TaskInfo, Tasks};

    #[test]
    fn a_race_is_two_whole_games_that_part_where_their_records_do() {
        let (a, b): (Strategy, Strategy) = ("emr".parse().expect("emr"), "mer".parse().expect("mer"));
        let rules = Rules::default();
        let players = [&a, &b].map(|strategy| Arc::new(Player::new(strategy, rules)));

        for seed in 1..6 {
            let theirs = players.clone();
            let mut race = Tasks::default().begin(TaskInfo::silent(), move |job| run(theirs, seed, job));
            let track = race.wait(Duration::from_secs(1000)).expect("in time").expect("no panic");
            assert!(track.is_known());

            let records = [(0, &a), (1, &b)].map(|(side, strategy)| track.record(side, strategy, rules, seed));
            for (player, record) in players.iter().zip(&records) {
                assert_eq!(Outcome::of(record), player.play(&Seed(seed).game(0), SearchOptions::default(), &mut ()));
            }

            let pairs = records[0].steps.iter().zip(&records[1].steps);
            let first = pairs.clone().position(|(a, b)| a.mv != b.mv);
            assert_eq!(track.parted, first.map(|at| at as u32));
            let [x, y] = track.choices().expect("they part");
            let at = track.parted.expect("they part");
            assert_eq!([x, y], [0, 1].map(|side: usize| records[side].steps[at as usize].mv));
            assert_eq!(track.runner(0, at).board, track.runner(1, at).board);
            assert_ne!(track.runner(0, at + 1).board, track.runner(1, at + 1).board);
        }
    }
}

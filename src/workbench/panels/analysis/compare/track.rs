//! A race that is run beside the window, written down as far as it is, so that it can be played, stopped and gone through.

use std::sync::Arc;

use crate::analysis::{Race, Runner};
use crate::game::{Board, Move, Record, Rules, Step};
use crate::strategy::{Player, Strategy};
use crate::task::Job;

/// A position of one of the two games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// The board with the player to move, or the last one.
    pub board: Board,
    /// Points up to it.
    pub score: u64,
    /// The turn that led to it; `None` for the opening.
    pub step: Option<Step>,
}

impl Frame {
    fn of(runner: &Runner) -> Self {
        Self { board: runner.board, score: runner.score, step: runner.last }
    }
}

/// Both games as far as they are known; never empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Track {
    frames: [Vec<Frame>; 2],
    parted: Option<u32>,
    over: [bool; 2],
}

impl Track {
    /// Before the first move.
    fn new(race: &Race) -> Self {
        let [a, b] = race.sides();
        Self { frames: [vec![Frame::of(a)], vec![Frame::of(b)]], parted: None, over: [a.over, b.over] }
    }

    fn follow(&mut self, race: &Race) {
        for (side, runner) in race.sides().into_iter().enumerate() {
            if self.frames[side].len() <= runner.moves as usize {
                self.frames[side].push(Frame::of(runner));
            }
            self.over[side] = runner.over;
        }
        self.parted = race.parted();
    }

    /// Moves of the longer game, as far as it is known.
    pub(super) fn moves(&self) -> u32 {
        self.frames.iter().map(|frames| frames.len() - 1).max().unwrap_or(0) as u32
    }

    /// A position of one side after so many moves, or its last one.
    pub(super) fn frame(&self, side: usize, moves: u32) -> Frame {
        let frames = &self.frames[side];
        frames[(moves as usize).min(frames.len() - 1)]
    }

    /// Moves that one side has made when the clock stands at `moves`.
    pub(super) fn moves_of(&self, side: usize, moves: u32) -> u32 {
        moves.min(self.frames[side].len() as u32 - 1)
    }

    /// Whether one side's game is over when the clock stands at `moves`.
    pub(super) fn is_over(&self, side: usize, moves: u32) -> bool {
        self.over[side] && self.frames[side].len() as u32 - 1 <= moves
    }

    /// Whether both games are over and known to their ends.
    pub(super) fn is_known(&self) -> bool {
        self.over == [true; 2]
    }

    /// The moves both made alike before they parted.
    pub(super) fn parted(&self) -> Option<u32> {
        self.parted
    }

    /// What each chose where they parted.
    pub(super) fn choices(&self) -> Option<[Move; 2]> {
        let next = self.parted? as usize + 1;
        let choice = |side: usize| self.frames[side].get(next)?.step.map(|step| step.mv);
        Some([choice(0)?, choice(1)?])
    }

    /// The game of one side, as far as it is known, to be put on a board.
    pub(super) fn record(&self, side: usize, strategy: &Strategy, rules: Rules, seed: u64) -> Record {
        Record {
            rules,
            seed: Some(seed),
            game: 0,
            strategy: Some(strategy.to_string()),
            start: self.frames[side][0].board,
            score: 0,
            steps: self.frames[side].iter().filter_map(|frame| frame.step).collect(),
        }
    }
}

/// Plays game 0 of `seed`, and tells both games as far as they are known.
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
            let track = race.wait(Duration::from_secs(60)).expect("in time").expect("no panic");
            assert!(track.is_known());
            let records = [(0, &a), (1, &b)].map(|(side, strategy)| track.record(side, strategy, rules, seed));
            for (player, record) in players.iter().zip(&records) {
                assert_eq!(Outcome::of(record), player.play(&Seed(seed).game(0), SearchOptions::default(), &mut ()));
            }
            let pairs = records[0].steps.iter().zip(&records[1].steps);
            let first = pairs.clone().position(|(a, b)| a.mv != b.mv);
            assert_eq!(track.parted(), first.map(|at| at as u32));
            let [x, y] = track.choices().expect("they part");
            let at = track.parted().expect("they part");
            assert_eq!([x, y], [0, 1].map(|side: usize| records[side].steps[at as usize].mv));
            assert_eq!(track.frame(0, at).board, track.frame(1, at).board);
            assert_ne!(track.frame(0, at + 1).board, track.frame(1, at + 1).board);
        }
    }
}

//! Where the outcomes of a run go.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Games, Plan, Summary};
use crate::game::Move;
use crate::strategy::Outcome;
use crate::task::lock;

/// Moves of searched games that are kept, of all contestants; a move is a byte.
const MOST_KEPT_MOVES: u64 = 100_000_000;

/// Takes what the workers of a run have played.
pub trait Sink: Send + Sync {
    /// Takes finished games of a contestant, from index `first` on, and the time that a worker spent on them.
    fn put(&self, contestant: usize, first: u64, played: &[Outcome], worker_time: Duration);

    /// Takes the moves of a game that was searched.
    fn put_moves(&self, contestant: usize, index: u64, moves: Vec<Move>);
}

/// Keeps every game in memory, and the sum of the games of each contestant.
pub struct InMemory {
    contestants: Vec<Kept>,
    /// How many moves of searched games are kept.
    kept_moves: AtomicU64,
}

struct Kept {
    finished: AtomicU64,
    sums: Mutex<Sums>,
}

struct Sums {
    games: Games,
    /// Of games that were searched.
    moves: HashMap<u64, Arc<[Move]>>,
    summary: Arc<Summary>,
}

impl InMemory {
    pub fn new(plan: &Plan) -> Self {
        let kept = || Kept {
            finished: AtomicU64::new(0),
            sums: Mutex::new(Sums {
                games: Games::unplayed(plan.games as usize),
                moves: HashMap::new(),
                summary: Arc::new(Summary::EMPTY),
            }),
        };
        Self { contestants: plan.contestants.iter().map(|_| kept()).collect(), kept_moves: AtomicU64::new(0) }
    }

    /// Games finished by each contestant; reads counters only.
    pub fn finished(&self) -> Vec<u64> {
        self.contestants.iter().map(|kept| kept.finished.load(Ordering::Relaxed)).collect()
    }

    /// The sum of each contestant's games; the next batch copies one that someone still looks at.
    pub fn summaries(&self) -> Vec<Arc<Summary>> {
        self.contestants.iter().map(|kept| lock(&kept.sums).summary.clone()).collect()
    }

    /// Outcome `index` of a contestant, if it is finished.
    pub fn game(&self, contestant: usize, index: u64) -> Option<Outcome> {
        lock(&self.contestants.get(contestant)?.sums).games.get(index)
    }

    /// The moves of game `index` of a contestant; `None` unless it is finished and was searched.
    pub fn moves(&self, contestant: usize, index: u64) -> Option<Arc<[Move]>> {
        lock(&self.contestants.get(contestant)?.sums).moves.get(&index).cloned()
    }

    /// Indices of the finished games of a contestant with a score in `scores`, in order. Goes through all games: some
    /// milliseconds for a million.
    pub fn games_in(&self, contestant: usize, scores: RangeInclusive<u32>) -> Vec<u64> {
        self.contestants.get(contestant).map_or_else(Vec::new, |kept| lock(&kept.sums).games.in_scores(scores))
    }

    /// The sum of each contestant's games, and what `take` makes of the games behind it.
    pub fn sums_with(&self, take: impl Fn(&mut Games) -> Games) -> Vec<(Arc<Summary>, Games)> {
        let of = |kept: &Kept| {
            let mut sums = lock(&kept.sums);
            (sums.summary.clone(), take(&mut sums.games))
        };
        self.contestants.iter().map(of).collect()
    }
}

impl Sink for InMemory {
    fn put(&self, contestant: usize, first: u64, played: &[Outcome], worker_time: Duration) {
        let share = Summary::of_games(played, worker_time);
        let kept = &self.contestants[contestant];
        {
            let mut sums = lock(&kept.sums);
            sums.games.put(first, played);
            Arc::make_mut(&mut sums.summary).merge(&share);
        }
        kept.finished.fetch_add(played.len() as u64, Ordering::Relaxed);
    }

    /// Keeps them while there is room.
    fn put_moves(&self, contestant: usize, index: u64, moves: Vec<Move>) {
        let room = self.kept_moves.fetch_add(moves.len() as u64, Ordering::Relaxed) < MOST_KEPT_MOVES;
        if room && !moves.is_empty() {
            lock(&self.contestants[contestant].sums).moves.insert(index, moves.into());
        }
    }
}

//! Collects the outcomes of a run.

use std::collections::{BTreeMap, HashMap};
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::{ByEmpty, Pair, Plan, PlanError, Standings, Summary};
use crate::game::{Move, Rank};
use crate::stats::Planned;
use crate::strategy::Outcome;
use crate::task::lock;

/// Maximum number of moves of searched games in memory, over all contestants. A move is a byte.
const MOST_KEPT_MOVES: u64 = 100_000_000;

/// How many games are copied while the workers wait: half a megabyte.
const COPIED_AT_A_TIME: usize = 1 << 16;

/// Stores every game in memory, and for each contestant a summary of its games up to the first missing one.
pub struct InMemory {
    contestants: Vec<Arc<Column>>,
    /// The number of stored moves of searched games.
    kept_moves: AtomicU64,
}

struct Column {
    finished: AtomicU64,
    sums: Mutex<Sums>,
}

impl Column {
    /// Copies in portions: workers and readers of the summaries wait for at most one portion.
    fn copied(&self) -> (Arc<Summary>, Games) {
        loop {
            if let Some(copy) = self.copied_once() {
                return copy;
            }
        }
    }

    /// `None` if games of the summary were dropped or taken in between.
    fn copied_once(&self) -> Option<(Arc<Summary>, Games)> {
        let (summary, counted, first, all) = {
            let sums = lock(&self.sums);
            (
                sums.summary.clone(),
                sums.counted,
                sums.games.first,
                sums.games.kept.len(),
            )
        };
        let mut copied = Vec::with_capacity(all);
        while copied.len() < all {
            let places = copied.len()..all.min(copied.len() + COPIED_AT_A_TIME);
            copied.extend_from_slice(lock(&self.sums).games.kept.get(places)?);
        }
        let is_whole = counted <= lock(&self.sums).counted;
        is_whole.then_some((
            summary,
            Games {
                first,
                kept: copied,
            },
        ))
    }
}

struct Sums {
    games: Games,
    /// Games below this index are finished and in the summary.
    counted: u64,
    /// Summaries of games after the first missing one, by index.
    ahead: BTreeMap<u64, Box<Summary>>,
    /// The moves of searched games, and their nodes by empty cells.
    moves: HashMap<u64, (Arc<[Move]>, ByEmpty)>,
    summary: Arc<Summary>,
}

impl InMemory {
    pub fn new(plan: &Plan) -> Self {
        let column = || Column {
            finished: AtomicU64::new(0),
            sums: Mutex::new(Sums {
                games: Games::unplayed(plan.indices()),
                counted: plan.indices().start,
                ahead: BTreeMap::new(),
                moves: HashMap::new(),
                summary: Arc::new(Summary::EMPTY),
            }),
        };
        Self {
            contestants: plan
                .contestants
                .iter()
                .map(|_| Arc::new(column()))
                .collect(),
            kept_moves: AtomicU64::new(0),
        }
    }

    /// Joins the contestants of several sinks. The games are shared, so later games appear here as well.
    pub(super) fn side_by_side(parts: &[&Self]) -> Self {
        let contestants = parts
            .iter()
            .flat_map(|part| part.contestants.iter().cloned())
            .collect();
        Self {
            contestants,
            kept_moves: AtomicU64::new(0),
        }
    }

    /// Finished games of each contestant. Reads counters only.
    pub fn finished(&self) -> Vec<u64> {
        self.contestants
            .iter()
            .map(|column| column.finished.load(Ordering::Relaxed))
            .collect()
    }

    /// Each contestant's summary of the games up to the first missing one. While the caller holds one, the next batch
    /// copies it.
    pub fn summaries(&self) -> Vec<Arc<Summary>> {
        self.contestants
            .iter()
            .map(|column| lock(&column.sums).summary.clone())
            .collect()
    }

    /// Outcome `index` of a contestant, if it is finished.
    pub fn game(&self, contestant: usize, index: u64) -> Option<Outcome> {
        lock(&self.contestants.get(contestant)?.sums)
            .games
            .get(index)
    }

    /// The unfinished games of each contestant.
    pub fn missing(&self) -> Vec<Vec<Range<u64>>> {
        let missing = |column: &Arc<Column>| {
            let sums = lock(&column.sums);
            match column.finished.load(Ordering::Relaxed) {
                // Avoids a scan of millions of games.
                0 => vec![sums.games.indices()],
                _ => sums.games.holes(),
            }
        };
        self.contestants.iter().map(missing).collect()
    }

    /// The moves of game `index` of a contestant. `None` unless it is finished and was searched.
    pub fn moves(&self, contestant: usize, index: u64) -> Option<Arc<[Move]>> {
        lock(&self.contestants.get(contestant)?.sums)
            .moves
            .get(&index)
            .map(|(moves, _)| moves.clone())
    }

    /// Sorted indices of the games in the summary with a score in `scores`. Takes some milliseconds for a million
    /// games.
    pub fn games_in(&self, contestant: usize, scores: RangeInclusive<u32>) -> Vec<u64> {
        let Some(column) = self.contestants.get(contestant) else {
            return Vec::new();
        };
        let sums = lock(&column.sums);
        let mut indices = sums.games.in_scores(scores);
        indices.truncate(indices.partition_point(|&index| index < sums.counted));
        indices
    }

    /// Passes at most `most` games of the summary, from position `from`, to `look` with the index of the first. `None`
    /// if there are no more.
    pub fn read<T>(
        &self,
        contestant: usize,
        from: u64,
        most: u64,
        take: impl FnOnce(u64, &mut dyn Iterator<Item = Outcome>) -> T,
    ) -> Option<T> {
        let sums = lock(&self.contestants.get(contestant)?.sums);
        let (first, end) = (sums.games.first, sums.counted - sums.games.first);
        let places = from.min(end)..end.min(from.saturating_add(most));
        let mut games = sums.games.kept(places).iter().copied().filter_map(outcome);
        Some(take(first + from, &mut games))
    }

    /// Passes at most `most` games with the same indices of two contestants, starting with the `from`th that both have,
    /// up to the first missing one.
    pub fn read_pairs<T>(
        &self,
        places: [usize; 2],
        from: u64,
        most: u64,
        take: impl FnOnce(&mut dyn Iterator<Item = (u64, [Outcome; 2])>) -> T,
    ) -> Option<T> {
        self.both(places, |one, other| {
            let first = one.games.first.max(other.games.first).saturating_add(from);
            let indices = first
                ..one
                    .counted
                    .min(other.counted)
                    .min(first.saturating_add(most));
            let pair = |index| Some((index, [one.games.get(index)?, other.games.get(index)?]));
            take(&mut indices.filter_map(pair))
        })
    }

    /// Locks two contestants together. `None` if they are the same one.
    fn both<T>(&self, [one, other]: [usize; 2], look: impl FnOnce(&Sums, &Sums) -> T) -> Option<T> {
        let [first, second] = [self.contestants.get(one)?, self.contestants.get(other)?];
        // Always the lower index first, so that two threads cannot deadlock on the same pair.
        match one.cmp(&other) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => {
                let first = lock(&first.sums);
                Some(look(&first, &lock(&second.sums)))
            }
            std::cmp::Ordering::Greater => {
                let second = lock(&second.sums);
                Some(look(&lock(&first.sums), &second))
            }
        }
    }

    /// Adds up to `most` more games of a contestant and a baseline to their comparison. Returns whether both have more.
    /// Only games up to the first missing one count.
    pub fn follow(&self, places: [usize; 2], pair: &mut Pair, most: u64) -> bool {
        let add = |one: &Sums, other: &Sums| {
            let (first, end) = (
                one.games.first.max(other.games.first),
                one.counted.min(other.counted),
            );
            if end < first + pair.games() {
                // A stop rule has dropped games.
                *pair = Pair::default();
            }
            let from = first + pair.games();
            let to = end.min(from + most);
            pair.put(&one.games, &other.games, from..to);
            to < end
        };
        self.both(places, add).unwrap_or(false)
    }

    /// The standings of all contestants. Reads all games in portions.
    pub fn standings(&self, planned: Planned, stop: &dyn Fn() -> bool) -> Option<Standings> {
        let games: Vec<u64> = self
            .contestants
            .iter()
            .map(|column| lock(&column.sums).summary.games())
            .collect();
        Standings::find(
            &games,
            planned,
            |contestant, places| self.kept(contestant, places),
            stop,
        )
    }

    /// How many games of a contestant count. A stop rule that drops games reduces it.
    pub fn counted_of(&self, contestant: usize) -> u64 {
        self.contestants
            .get(contestant)
            .map_or(0, |column| lock(&column.sums).summary.games())
    }

    /// How many games all contestants have up to the first missing one.
    pub(super) fn counted(&self) -> u64 {
        self.contestants
            .iter()
            .map(|column| lock(&column.sums).summary.games())
            .min()
            .unwrap_or(0)
    }

    /// Games of a contestant at these positions, counted from the first index of this run. All are finished.
    pub(super) fn kept(&self, contestant: usize, places: Range<u64>) -> Vec<Kept> {
        lock(&self.contestants[contestant].sums)
            .games
            .kept(places)
            .to_vec()
    }

    /// Drops the games of each contestant after the first `games`. Those are all finished.
    pub(super) fn cut(&self, games: u64) {
        for column in &self.contestants {
            let sums = &mut *lock(&column.sums);
            let end = sums.games.first + games;
            let played: Vec<Outcome> = (sums.games.first..end)
                .map_while(|index| sums.games.get(index))
                .collect();
            let sorted = (sums.games.first..end)
                .map(|index| sums.moves.get(&index).map(|(_, by_empty)| by_empty));
            sums.summary = Arc::new(sums.summary.cut_to(&played, sorted.collect()));
            sums.games.kept[games as usize..].fill([0; 2]);
            sums.ahead.clear();
            sums.moves.retain(|index, _| *index < end);
            sums.counted = end;
            column.finished.store(games, Ordering::Relaxed);
        }
    }

    /// Each contestant's summary with a copy of its games, including finished games beyond the summary.
    pub(super) fn copied(&self) -> Vec<(Arc<Summary>, Games)> {
        self.contestants
            .iter()
            .map(|column| column.copied())
            .collect()
    }

    /// Like `copied`, but moves the games out.
    pub(super) fn taken(&self) -> Vec<(Arc<Summary>, Games)> {
        let take = |column: &Arc<Column>| {
            let mut sums = lock(&column.sums);
            (sums.summary.clone(), std::mem::take(&mut sums.games))
        };
        self.contestants.iter().map(take).collect()
    }

    /// Takes finished games of a contestant from index `first`, and their summary.
    pub(super) fn put(&self, contestant: usize, first: u64, played: &[Outcome], sum: Summary) {
        let column = &self.contestants[contestant];
        {
            let sums = &mut *lock(&column.sums);
            sums.games.put(first, played);
            sums.ahead.insert(first, sum.into());
            while let Some(next) = sums.ahead.remove(&sums.counted) {
                sums.counted += next.games();
                Arc::make_mut(&mut sums.summary).merge(&next);
            }
        }
        column
            .finished
            .fetch_add(played.len() as u64, Ordering::Relaxed);
    }

    /// Takes the moves of a searched game and their nodes, while there is room.
    pub(super) fn put_moves(
        &self,
        contestant: usize,
        index: u64,
        moves: &[Move],
        by_empty: &ByEmpty,
    ) {
        let room = self
            .kept_moves
            .fetch_add(moves.len() as u64, Ordering::Relaxed)
            < MOST_KEPT_MOVES;
        if room && !moves.is_empty() {
            lock(&self.contestants[contestant].sums)
                .moves
                .insert(index, (moves.into(), by_empty.clone()));
        }
    }
}

/// The games of one strategy. Unfinished games are holes.
///
/// A game takes 8 bytes. Untouched holes take no physical memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    /// The index of the first game.
    first: u64,
    kept: Vec<Kept>,
}

/// Score, then moves and largest rank of a game. A rank of 0 marks a hole. Zeros are memory that the system has not
/// allocated yet.
pub(super) type Kept = [u32; 2];

/// Every move brings a tile, and the sum of all tiles is below 2²², so there is room for the rank in the low bits.
const RANK_BITS: u32 = 5;

fn kept(
    Outcome {
        score,
        largest,
        moves,
    }: Outcome,
) -> Kept {
    [score, moves << RANK_BITS | u32::from(largest.get())]
}

/// The rank of the largest tile; 0 for a hole.
pub(super) fn largest([_, rest]: Kept) -> u8 {
    (rest & ((1 << RANK_BITS) - 1)) as u8
}

fn outcome(game: Kept) -> Option<Outcome> {
    let largest = Rank::new(largest(game)).filter(|rank| !rank.is_empty())?;
    Some(Outcome {
        score: game[0],
        largest,
        moves: game[1] >> RANK_BITS,
    })
}

impl Games {
    /// Room for the games with some indices, none of them finished.
    pub fn unplayed(indices: Range<u64>) -> Self {
        Self {
            first: indices.start,
            kept: vec![[0; 2]; (indices.end - indices.start) as usize],
        }
    }

    /// Checks that the system has the memory for the games of a plan. Without it the program could only abort.
    pub(super) fn check_room(plan: &Plan) -> Result<(), PlanError> {
        let mut all: Vec<Kept> = Vec::new();
        all.try_reserve_exact(plan.total_games() as usize)
            .map_err(|_| PlanError::NoMemory {
                games: plan.games,
                strategies: plan.contestants.len(),
                bytes: plan.total_games() * size_of::<Kept>() as u64,
            })
    }

    /// The index of the first game.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The number of games up to the first missing one.
    pub(super) fn complete(&self) -> u64 {
        self.kept
            .iter()
            .take_while(|game| largest(**game) != 0)
            .count() as u64
    }

    /// The games at these positions, counted from the first.
    pub(super) fn kept(&self, places: Range<u64>) -> &[Kept] {
        &self.kept[places.start as usize..places.end as usize]
    }

    /// The games with these indices, including holes. Empty if they are out of range.
    pub(super) fn of_indices(&self, indices: Range<u64>) -> &[Kept] {
        let [start, end] =
            [indices.start, indices.end].map(|index| index.saturating_sub(self.first) as usize);
        self.kept.get(start..end).unwrap_or(&[])
    }

    /// Outcome `index`, if it is finished.
    pub fn get(&self, index: u64) -> Option<Outcome> {
        let place = usize::try_from(index.checked_sub(self.first)?).ok()?;
        outcome(*self.kept.get(place)?)
    }

    fn indices(&self) -> Range<u64> {
        self.first..self.first + self.kept.len() as u64
    }

    /// Finished games with their indices, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, Outcome)> + '_ {
        self.indices()
            .filter_map(|index| Some((index, self.get(index)?)))
    }

    /// Indices of the finished games with a score in `scores`, in order.
    pub fn in_scores(&self, scores: RangeInclusive<u32>) -> Vec<u64> {
        self.iter()
            .filter(|(_, game)| scores.contains(&game.score))
            .map(|(index, _)| index)
            .collect()
    }

    /// The indices of holes, as ranges in order.
    pub(super) fn holes(&self) -> Vec<Range<u64>> {
        let mut holes: Vec<Range<u64>> = Vec::new();
        for index in self.indices().filter(|&index| self.get(index).is_none()) {
            match holes.last_mut().filter(|hole| hole.end == index) {
                Some(hole) => hole.end += 1,
                None => holes.push(index..index + 1),
            }
        }
        holes
    }

    pub(super) fn put(&mut self, first: u64, games: &[Outcome]) {
        let first = (first - self.first) as usize;
        for (place, game) in self.kept[first..first + games.len()].iter_mut().zip(games) {
            *place = kept(*game);
        }
    }
}

impl FromIterator<Outcome> for Games {
    /// From games that are all finished.
    fn from_iter<I: IntoIterator<Item = Outcome>>(games: I) -> Self {
        Self {
            first: 0,
            kept: games.into_iter().map(kept).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_sum_is_of_the_games_up_to_the_first_that_is_missing() {
        let strategy = "r".parse().expect("letters");
        let plan = Plan {
            games: 12,
            ..Plan::of_preset(&crate::preset::Preset::new("", [strategy]))
        };
        let game = |index: u64| Outcome {
            score: 4 * index as u32,
            largest: Rank::FOUR,
            moves: 1,
        };
        let sink = InMemory::new(&plan);
        // Batches in the order they finish, and the number of games in the summary after each.
        for (batch, counted) in [
            (3..5, 0),
            (8..9, 0),
            (0..3, 5),
            (6..8, 5),
            (5..6, 9),
            (9..12, 12),
        ] {
            let played: Vec<Outcome> = batch.clone().map(game).collect();
            let sum = Summary::of_games(&played, Duration::from_secs(played.len() as u64));
            sink.put(0, batch.start, &played, sum);
            let summary = sink.summaries()[0].clone();
            let prefix: Vec<Outcome> = (0..counted).map(game).collect();
            assert_eq!(
                *summary,
                Summary::of_games(&prefix, Duration::from_secs(counted)),
                "after {batch:?}"
            );
            assert_eq!(
                sink.games_in(0, 0..=u32::MAX),
                (0..counted).collect::<Vec<u64>>()
            );
        }
        assert_eq!(sink.finished(), [12]);
    }

    #[test]
    fn a_copy_has_every_game_while_others_look_and_leave_some_out() {
        let games = 5 * COPIED_AT_A_TIME as u64 / 2;
        let plan = Plan {
            games,
            ..Plan::of_preset(&crate::preset::Preset::new(
                "",
                ["r".parse().expect("letters")],
            ))
        };
        let game = |index: u64| Outcome {
            score: index as u32,
            largest: Rank::FOUR,
            moves: 1,
        };
        let sink = InMemory::new(&plan);
        let played: Vec<Outcome> = (0..games - 7).map(game).collect();
        let (whole, most) = played.split_at(5);
        sink.put(0, 0, whole, Summary::of_games(whole, Duration::ZERO));
        sink.put(
            0,
            6,
            &most[1..],
            Summary::of_games(&most[1..], Duration::ZERO),
        );
        let (summary, copy) = sink.copied().remove(0);
        assert_eq!(
            (summary.games(), copy.complete(), copy.holes()),
            (5, 5, vec![5..6, games - 7..games])
        );
        assert_eq!(copy, lock(&sink.contestants[0].sums).games);

        // A copy that is taken while games are dropped matches its summary.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                sink.put(
                    0,
                    5,
                    &most[..1],
                    Summary::of_games(&most[..1], Duration::ZERO),
                );
                for games in [games / 2, games / 4, 1000] {
                    sink.cut(games);
                }
            });
            for _ in 0..20 {
                let (summary, copy) = sink.copied().remove(0);
                assert!(summary.games() <= copy.complete());
            }
        });

        assert_eq!(sink.taken().remove(0).1.complete(), 1000);
        assert_eq!(sink.copied().remove(0).1, Games::default());
    }

    #[test]
    fn holes_stay_holes() {
        let game = Outcome {
            score: 1096,
            largest: Rank::FOUR,
            moves: 118,
        };
        let mut games = Games::unplayed(0..10);
        games.put(3, &[game, Outcome { score: 8, ..game }]);
        assert_eq!(games.get(3), Some(game));
        assert_eq!(
            (games.get(2), games.get(5), games.get(99)),
            (None, None, None)
        );
        assert_eq!(
            games.iter().map(|(index, _)| index).collect::<Vec<_>>(),
            [3, 4]
        );
        assert_eq!(games.in_scores(9..=2000), [3]);
        assert_eq!(games.holes(), [0..3, 5..10]);
        assert!(Games::default().holes().is_empty());
    }
}

//! One decision on several cores.
//!
//! The moves at the root are too few and too unlike each other for it: of three moves, two cores would be busy for three
//! quarters of the time at best. So what lies below a move is searched in pieces, each of them what lies below one new tile. A
//! thread takes a move that nobody has and searches its pieces from the first on, writing one record; once every move is
//! taken, the threads that are free help where most is left, from the last piece on. What is below two tiles of one move has
//! many boards in common, so that two threads that are far apart find more of them in the table.
//!
//! Values and records are put together in the order of the pieces, so that no value depends on who was first. Searches that are
//! over in a moment are done on one thread; what is not over then is begun anew in pieces.
//!
//! All share one transposition table, whose slots need no locks and never change a value. What another piece has found a moment
//! before is looked up and what it will find a moment later is searched, so that it does depend on who was first *how many*
//! nodes were searched, and which of several equal boards a record shows with what lies below it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::board::SearchBoard;
use super::engine::{BELOW, Budget, Engine, Spawns, Window};
use super::recorder::{Bound, Edge, End, Recorder};
use super::root::{Root, SearchResult};
use super::rule::Rule;
use super::spawn_order::{EachSpawn, Spawn};
use crate::game::{Move, Slides as _};
use crate::task::{lock, side_by_side};

/// A move of the root.
struct Part<R> {
    mv: Move,
    /// What comes after it, if it is searched in several pieces; its afterstate is then open in the record.
    spawns: Option<Spawns>,
    /// The tile below which a piece lies; `None` where the one piece is all of the move.
    pieces: Vec<Option<Spawn>>,
    /// A record below that nobody writes.
    above: R,
    progress: Mutex<Progress<R>>,
}

struct Progress<R> {
    /// The pieces that nobody has.
    waiting: Range<usize>,
    /// That of the move, unless a thread writes it.
    record: Option<R>,
    /// Those of pieces from the back, by their number.
    helped: BTreeMap<usize, R>,
    /// By cell and by tile (2, 4); of all of the move in the first place.
    values: [[f64; 2]; 32],
    nodes: u64,
    turns: u64,
    halted: bool,
}

impl<P: SearchBoard> Root<'_, P> {
    pub(super) fn in_pieces<R: Recorder>(&self, plies: u32, recorder: &mut R) -> SearchResult {
        let parts: Vec<_> = self.moves.iter().map(|mv| self.part(mv, plies, recorder.branch())).collect();
        let workers = self.options.cores.min(parts.iter().map(|part| part.pieces.len()).sum());
        let begun = AtomicUsize::new(0);
        let threads = side_by_side(workers, || self.work(begun.fetch_add(1, Ordering::Relaxed), plies, &parts));
        let shared_by = (1 < threads).then_some(threads);
        let mut found = SearchResult { plies, nodes: 1, turns: 1, shared_by, ..SearchResult::default() };
        for part in parts {
            self.put_together(part, recorder, &mut found);
        }
        found
    }

    fn part<R: Recorder>(&self, mv: Move, plies: u32, mut record: R) -> Part<R> {
        let spawns = self.parted(mv, plies, &mut record);
        let pieces: Vec<_> = match spawns {
            None => vec![None],
            Some(spawns) => EachSpawn::on(spawns.cells, self.search.possible).map(Some).collect(),
        };
        let above = record.branch();
        let progress = Progress {
            waiting: 0..pieces.len(),
            record: Some(record),
            helped: BTreeMap::new(),
            values: [[0.0; 2]; 32],
            nodes: 0,
            turns: 0,
            halted: false,
        };
        Part { mv, spawns, pieces, above, progress: Mutex::new(progress) }
    }

    /// The spawns after a move, if what lies below it is searched in several pieces.
    fn parted<R: Recorder>(&self, mv: Move, plies: u32, record: &mut R) -> Option<Spawns> {
        if self.search.worst {
            return None;
        }
        // Where slides after some of the spawns are leaves, these are looked up together.
        let after = self.slides.after(mv);
        let least = self.search.probability.into_iter().filter(|&probability| probability != 0.0).fold(1.0, f64::min);
        let reach = least / f64::from(after.empty_count());
        if self.search.threshold.is_some_and(|threshold| reach < threshold / BELOW) {
            return None;
        }
        record.open(Edge::Slide(mv));
        let score = self.score.saturating_add(u64::from(self.slides.reward(mv)));
        Some(self.engine(0, plies, Budget::NONE, record).considered(after, score, plies - 1, 1.0, Window::OPEN))
    }

    /// What one thread does.
    fn work<R: Recorder>(&self, thread: usize, plies: u32, parts: &[Part<R>]) {
        for part in parts {
            let Some(mut record) = lock(&part.progress).record.take() else { continue };
            loop {
                let Some(number) = lock(&part.progress).waiting.next() else { break };
                self.search_piece(thread, plies, (part, number), &mut record);
            }
            record.rest();
            lock(&part.progress).record = Some(record);
        }
        let left = |part: &&Part<R>| lock(&part.progress).waiting.len();
        while let Some(part) = parts.iter().max_by_key(left).filter(|part| 0 < left(part)) {
            let Some(number) = lock(&part.progress).waiting.next_back() else { continue };
            let mut record = part.above.branch();
            self.search_piece(thread, plies, (part, number), &mut record);
            record.rest();
            lock(&part.progress).helped.insert(number, record);
        }
    }

    fn search_piece<R: Recorder>(&self, thread: usize, plies: u32, (part, number): (&Part<R>, usize), record: &mut R) {
        if self.options.stop.is_cancelled() {
            lock(&part.progress).halted = true;
            return;
        }
        let mut engine = self.engine(thread, plies, Budget::NONE, record);
        let (mut cell, mut is_four) = (0, false);
        let value = match (part.pieces[number], &part.spawns) {
            (Some(spawn), Some(spawns)) => {
                (cell, is_four) = (spawn.cell() as usize, spawn.is_four());
                let probability = self.search.probability[usize::from(is_four)];
                let reach = spawns.reach * probability / f64::from(spawns.count);
                let board = self.slides.after(part.mv).with_tile_at(spawn.cell(), spawn.rank());
                let score = self.score.saturating_add(u64::from(self.slides.reward(part.mv)));
                engine.recorder.open(spawn.edge());
                engine.max_node(board, score, plies - 2, reach, Window::OPEN)
            }
            _ => self.one(part.mv, plies, Window::OPEN, &mut engine),
        };
        let Engine { visited, turns, halted, .. } = engine;
        let mut progress = lock(&part.progress);
        progress.values[cell & 31][usize::from(is_four)] = value;
        progress.nodes += visited;
        progress.turns += turns;
        progress.halted |= halted;
    }

    /// The value and the record of a move by those of its pieces.
    fn put_together<R: Recorder>(&self, part: Part<R>, recorder: &mut R, found: &mut SearchResult) {
        let Part { mv, spawns, progress, .. } = part;
        let progress = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(mut record) = progress.record else { return };
        progress.helped.into_values().for_each(|helped| record.graft(helped));
        let mut value = progress.values[0][0];
        if let Some(spawns) = spawns {
            let after = self.slides.after(mv);
            value = self.engine(0, found.plies, Budget::NONE, &mut ()).put_together(after, &spawns, &progress.values);
            record.close(End { value, rule: Rule::of_spawns(self.search.spawn), bound: Bound::Exact });
            found.nodes += 1;
        }
        found.values[mv] = value;
        found.nodes += progress.nodes;
        found.turns += progress.turns;
        found.stopped |= progress.halted;
        recorder.graft(record);
    }
}

//! One decision on several cores.
//!
//! The moves at the root are too few and too unlike each other for it: of three moves, two cores would be busy for three
//! quarters of the time at best. So what lies below a move is searched in pieces, each of them one slide after one new tile. A
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
use crate::game::{Move, Moves, Rows, Slides as _};
use crate::task::{lock, side_by_side};

/// What a thread searches at a time.
#[derive(Clone, Copy)]
enum Piece {
    /// All of a move.
    Move,
    /// All after a new tile, where no slide is legal or tiles do not fit.
    Turn(Spawn),
    /// One of the slides after a new tile.
    Slide(Spawn, Move),
}

/// A move of the root.
struct Part<R> {
    mv: Move,
    /// What comes after it, if it is searched in several pieces; its afterstate is then open in the record.
    spawns: Option<Spawns>,
    pieces: Vec<Piece>,
    /// A record below that nobody writes.
    above: R,
    progress: Mutex<Progress<R>>,
}

struct Progress<R> {
    /// The pieces that nobody has.
    waiting: Range<usize>,
    /// That of the move, unless a thread writes it.
    record: Option<Written<R>>,
    /// Those of pieces from the back, by their number.
    helped: BTreeMap<usize, R>,
    /// Of each piece.
    values: Vec<f64>,
    nodes: u64,
    turns: u64,
    halted: bool,
}

/// The record of a move, and the turn that is open in it: the last of its pieces was a slide there.
struct Written<R> {
    record: R,
    turn: Option<Spawn>,
}

impl Piece {
    /// The turn of which it is one slide.
    fn turn(self) -> Option<Spawn> {
        match self {
            Self::Slide(spawn, _) => Some(spawn),
            Self::Move | Self::Turn(_) => None,
        }
    }
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
            None => vec![Piece::Move],
            Some(spawns) => {
                let spawns = EachSpawn::on(spawns.cells, self.search.possible);
                spawns.flat_map(|spawn| self.pieces_of(mv, spawn)).collect()
            }
        };
        let above = record.branch();
        let progress = Progress {
            waiting: 0..pieces.len(),
            record: Some(Written { record, turn: None }),
            helped: BTreeMap::new(),
            values: vec![0.0; pieces.len()],
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
        Some(self.engine(0, plies, Budget::NONE, record).considered(
            after,
            self.score_of(mv),
            plies - 1,
            1.0,
            Window::OPEN,
        ))
    }

    fn score_of(&self, mv: Move) -> u64 {
        self.score.saturating_add(u64::from(self.slides.reward(mv)))
    }

    fn board_after(&self, mv: Move, spawn: Spawn) -> P {
        self.slides.after(mv).with_tile_at(spawn.cell(), spawn.rank())
    }

    fn pieces_of(&self, mv: Move, spawn: Spawn) -> Vec<Piece> {
        let slides = self.board_after(mv, spawn).slides(Rows::shared());
        let legal = slides.map_or(Moves::NONE, |slides| slides.legal());
        if legal.is_empty() {
            return vec![Piece::Turn(spawn)];
        }
        legal.iter().map(|slide| Piece::Slide(spawn, slide)).collect()
    }

    /// What one thread does.
    fn work<R: Recorder>(&self, thread: usize, plies: u32, parts: &[Part<R>]) {
        for part in parts {
            let Some(mut written) = lock(&part.progress).record.take() else { continue };
            loop {
                let Some(number) = lock(&part.progress).waiting.next() else { break };
                self.turn_to(part, part.pieces[number].turn(), &lock(&part.progress).values, &mut written);
                self.search_piece(thread, plies, (part, number), &mut written.record);
            }
            written.record.rest();
            lock(&part.progress).record = Some(written);
        }
        let left = |part: &&Part<R>| lock(&part.progress).waiting.len();
        while let Some(part) = parts.iter().max_by_key(left).filter(|part| 0 < left(part)) {
            let Some(number) = lock(&part.progress).waiting.next_back() else { continue };
            let mut record = part.above.branch();
            if let Some(spawn) = part.pieces[number].turn() {
                record.open(spawn.edge());
                record = record.branch();
            }
            self.search_piece(thread, plies, (part, number), &mut record);
            record.rest();
            lock(&part.progress).helped.insert(number, record);
        }
    }

    /// Closes the turn that is open in a record, unless it is the next one, which is then open.
    fn turn_to<R: Recorder>(&self, part: &Part<R>, next: Option<Spawn>, values: &[f64], written: &mut Written<R>) {
        if written.turn == next {
            return;
        }
        if let Some(spawn) = written.turn {
            let value =
                self.values_of_turns(&part.pieces, values)[spawn.cell() as usize & 31][usize::from(spawn.is_four())];
            written.record.close(End { value, rule: Rule::MaxOf, bound: Bound::Exact });
        }
        if let Some(spawn) = next {
            written.record.open(spawn.edge());
        }
        written.turn = next;
    }

    /// Of the turns after a move, by cell and by tile (2, 4), as far as the values of their pieces are known.
    fn values_of_turns(&self, pieces: &[Piece], values: &[f64]) -> [[f64; 2]; 32] {
        let mut turns = [[self.search.dead.least_of_slides(); 2]; 32];
        for (piece, &value) in pieces.iter().zip(values) {
            match *piece {
                Piece::Move => {}
                Piece::Turn(spawn) => turns[spawn.cell() as usize & 31][usize::from(spawn.is_four())] = value,
                Piece::Slide(spawn, _) => {
                    let best = &mut turns[spawn.cell() as usize & 31][usize::from(spawn.is_four())];
                    *best = best.max(value);
                }
            }
        }
        turns
    }

    fn search_piece<R: Recorder>(&self, thread: usize, plies: u32, (part, number): (&Part<R>, usize), record: &mut R) {
        if self.options.stop.is_cancelled() {
            lock(&part.progress).halted = true;
            return;
        }
        let mut engine = self.engine(thread, plies, Budget::NONE, record);
        let score = self.score_of(part.mv);
        let reach = |spawn: Spawn| {
            let probability = self.search.probability[usize::from(spawn.is_four())];
            part.spawns.map_or(1.0, |spawns| spawns.reach * probability / f64::from(spawns.count))
        };
        let value = match part.pieces[number] {
            Piece::Move => self.one(part.mv, plies, Window::OPEN, &mut engine),
            Piece::Turn(spawn) => {
                engine.recorder.open(spawn.edge());
                let board = self.board_after(part.mv, spawn);
                engine.max_node(board, score, plies - 2, reach(spawn), Window::OPEN)
            }
            Piece::Slide(spawn, slide) => {
                let slides = self.board_after(part.mv, spawn).slides(Rows::shared());
                slides.map_or(0.0, |slides| engine.slide_node::<P>(&slides, slide, score, plies - 2, reach(spawn)))
            }
        };
        let Engine { visited, turns, halted, .. } = engine;
        let mut progress = lock(&part.progress);
        progress.values[number] = value;
        progress.nodes += visited;
        progress.turns += turns;
        progress.halted |= halted;
    }

    /// The value and the record of a move by those of its pieces.
    fn put_together<R: Recorder>(&self, mut part: Part<R>, recorder: &mut R, found: &mut SearchResult) {
        let progress = part.progress.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(mut written) = progress.record.take() else { return };
        let (helped, values) = (std::mem::take(&mut progress.helped), std::mem::take(&mut progress.values));
        found.nodes += progress.nodes;
        found.turns += progress.turns;
        found.stopped |= progress.halted;
        for (number, helped) in helped {
            self.turn_to(&part, part.pieces[number].turn(), &values, &mut written);
            written.record.graft(helped);
        }
        self.turn_to(&part, None, &values, &mut written);
        let mut record = written.record;
        found.values[part.mv] = match &part.spawns {
            None => values[0],
            Some(spawns) => {
                let turns = self.values_of_turns(&part.pieces, &values);
                let split = part.pieces.chunk_by(|a, b| a.turn().is_some() && a.turn() == b.turn());
                let split = split.filter(|pieces| pieces[0].turn().is_some()).count() as u64;
                let after = self.slides.after(part.mv);
                let value = self.engine(0, found.plies, Budget::NONE, &mut ()).put_together(after, spawns, &turns);
                record.close(End { value, rule: Rule::of_spawns(self.search.spawn), bound: Bound::Exact });
                // The afterstate, and turns whose slides were searched one by one.
                found.nodes += 1 + split;
                found.turns += split;
                value
            }
        };
        recorder.graft(record);
    }
}

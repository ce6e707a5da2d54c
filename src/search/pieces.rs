//! One decision on several cores.
//!
//! The moves at the root are too few and too unequal to divide the work by: with three moves, two cores would be busy
//! for three quarters of the time at best. So the part below a move is searched in pieces, each of them one slide after
//! one new tile. A thread takes a move that no other thread has, searches its pieces from the first one, and writes one
//! record. Once every move is taken, the free threads help where most pieces are left, from the last piece backwards.
//! Boards after two tiles of one move have many descendants in common, so two threads that are far apart find more of
//! them in the table. The last pieces are split again, repeatedly, so that no thread waits long for another.
//!
//! Values and records are merged in the order of the pieces, so no value depends on timing. A short search runs on one
//! thread; if it takes longer, it starts over in pieces.
//!
//! All threads share one transposition table, whose slots need no locks and never change a value. Whether another piece
//! has already stored a node depends on timing. So timing determines *how many* nodes are searched, and which of
//! several equal boards has the nodes below it in the record.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use super::board::SearchBoard;
use super::engine::{BELOW, Budget, Engine, Spawns, Window};
use super::recorder::{Bound, Edge, End, Recorder};
use super::root::{Root, SearchResult};
use super::rule::Rule;
use super::spawn_order::{EachSpawn, Spawn};
use crate::game::{Move, Moves, Rows, Slides as _};
use crate::task::{lock, side_by_side};

/// With fewer pieces left per thread, pieces are split again.
const FEW: usize = 4;

/// Minimum plies left at an afterstate for splitting it. The search below then takes longer than the split.
const LEAST_SPLIT: u32 = 4;

/// The unit of work of a thread.
#[derive(Clone, Copy)]
enum Piece {
    /// A whole move.
    Move(Move),
    /// All nodes after a new tile, if no slide is legal or tiles do not fit.
    Turn(Spawn),
    /// One slide after a new tile.
    Slide(Spawn, Move),
}

/// An afterstate and the pieces below it.
struct Part<P, R> {
    above: Above,
    /// The afterstate in the image that is searched.
    after: P,
    /// Its spawns, if it is searched in several pieces. It is then open in the record.
    spawns: Option<Spawns>,
    pieces: Vec<Piece>,
    /// An empty record with the open node as its root. The records of pieces branch off it.
    below: R,
    progress: Mutex<Progress<R>>,
}

/// What a part is the value of.
#[derive(Clone, Copy)]
enum Above {
    Root(Move),
    /// A piece of another part, by the indices of both.
    Piece(usize, usize),
}

struct Progress<R> {
    /// The record of the part, unless a thread is writing it. Only one thread writes it, because later pieces may be
    /// searched before it is merged.
    record: Option<Written<R>>,
    is_begun: bool,
    /// The records of pieces that other threads searched, by the index of the piece.
    helped: BTreeMap<usize, R>,
    /// The value of each piece.
    values: Vec<f64>,
    nodes: u64,
    turns: u64,
    halted: bool,
}

/// The record of a part, and the turn that is open in it. The thread's last piece was a slide of that turn.
struct Written<R> {
    record: R,
    turn: Option<Spawn>,
}

/// A part and the range of its pieces that no thread has taken.
type Waiting<P, R> = (Arc<Part<P, R>>, Range<usize>);

enum Taken<P, R> {
    /// A piece of this part, by its index.
    Piece(Arc<Part<P, R>>, usize),
    /// A piece that has become a part of its own.
    Split,
}

/// The piece that a thread takes.
#[derive(Clone, Copy)]
enum Which {
    FirstOf(usize),
    /// The last piece of the part with most pieces left.
    Last,
}

impl Piece {
    /// The turn that the slide belongs to.
    fn turn(self) -> Option<Spawn> {
        match self {
            Self::Slide(spawn, _) => Some(spawn),
            Self::Move(_) | Self::Turn(_) => None,
        }
    }
}

impl<R: Recorder> Written<R> {
    /// Closes the open turn and opens the next one, unless both are the same.
    fn turn_to(&mut self, next: Option<Spawn>, value: impl FnOnce(Spawn) -> f64) {
        if self.turn == next {
            return;
        }
        if let Some(turn) = self.turn {
            self.record.close(End {
                value: value(turn),
                rule: Rule::MaxOf,
                bound: Bound::Exact,
            });
        }
        if let Some(turn) = next {
            self.record.open(turn.edge());
        }
        self.turn = next;
    }
}

impl<P: SearchBoard, R: Recorder> Part<P, R> {
    /// The board after a new tile, and its reach probability.
    fn after(&self, spawn: Spawn, probability: [f64; 2]) -> (P, f64) {
        let reach = self
            .spawns
            .map_or(1.0, |spawns| spawns.reach_after(spawn, probability));
        (self.after.with_tile_at(spawn.cell(), spawn.rank()), reach)
    }

    /// The record, for the first thread that calls this.
    fn begin(&self) -> Option<Written<R>> {
        let mut progress = lock(&self.progress);
        if std::mem::replace(&mut progress.is_begun, true) {
            None
        } else {
            progress.record.take()
        }
    }

    /// A record for one piece.
    fn branch(&self, number: usize) -> R {
        let mut record = self.below.branch();
        if let Some(spawn) = self.pieces[number].turn() {
            record.open(spawn.edge());
            return record.branch();
        }
        record
    }
}

impl<P: SearchBoard> Root<'_, P> {
    pub(super) fn in_pieces<R: Recorder>(&self, plies: u32, recorder: &mut R) -> SearchResult {
        let parts: Vec<_> = self
            .moves
            .iter()
            .map(|mv| self.part_of_move(mv, plies, recorder.branch()))
            .collect();
        let workers = self
            .options
            .cores
            .min(parts.iter().map(|part| part.pieces.len()).sum());
        let parts = Mutex::new(parts.into_iter().map(waiting).collect::<Vec<_>>());
        let begun = AtomicUsize::new(0);
        let threads = side_by_side(workers, || {
            self.work(begun.fetch_add(1, Ordering::Relaxed), plies, &parts);
        });
        let shared_by = (1 < threads).then_some(threads);
        let mut found = SearchResult {
            plies,
            nodes: 1,
            turns: 1,
            shared_by,
            ..SearchResult::default()
        };
        self.put_together(&lock(&parts), recorder, &mut found);
        found
    }

    fn part_of_move<R: Recorder>(&self, mv: Move, plies: u32, mut record: R) -> Part<P, R> {
        let after = self.slides.after(mv);
        let is_split = !self.search.worst && self.is_beyond_leaves(after, 1.0);
        let spawns = is_split.then(|| {
            record.open(Edge::Slide(mv));
            self.engine(0, plies, Budget::NONE, &mut record).considered(
                after,
                self.score_of(mv),
                plies - 1,
                1.0,
                Window::OPEN,
            )
        });
        self.part(Above::Root(mv), after, spawns, record)
    }

    /// Whether no slide after any of the spawns is a leaf. Leaves are looked up together, not in pieces.
    fn is_beyond_leaves(&self, after: P, reach: f64) -> bool {
        let least = self
            .search
            .probability
            .into_iter()
            .filter(|&probability| probability != 0.0)
            .fold(1.0, f64::min);
        let reach = reach * least / f64::from(after.empty_count());
        self.search
            .threshold
            .is_none_or(|threshold| threshold / BELOW <= reach)
    }

    fn part<R: Recorder>(
        &self,
        above: Above,
        after: P,
        spawns: Option<Spawns>,
        record: R,
    ) -> Part<P, R> {
        let pieces: Vec<_> = match (spawns, above) {
            (Some(spawns), _) => {
                let spawns = EachSpawn::on(spawns.cells, self.search.possible);
                spawns.flat_map(|spawn| pieces_of(after, spawn)).collect()
            }
            (None, Above::Root(mv)) => vec![Piece::Move(mv)],
            (None, Above::Piece(..)) => Vec::new(),
        };
        let below = record.branch();
        let progress = Progress {
            record: Some(Written { record, turn: None }),
            is_begun: false,
            helped: BTreeMap::new(),
            values: vec![0.0; pieces.len()],
            nodes: 0,
            turns: 0,
            halted: false,
        };

        Part {
            above,
            after,
            spawns,
            pieces,
            below,
            progress: Mutex::new(progress),
        }
    }

    /// The work of one thread.
    fn work<R: Recorder>(&self, thread: usize, plies: u32, parts: &Mutex<Vec<Waiting<P, R>>>) {
        let mut number = 0;
        loop {
            let Some(part) = lock(parts).get(number).map(|(part, _)| Arc::clone(part)) else {
                // A part may have been added since.
                let Some(taken) = self.take(plies, parts, Which::Last) else {
                    break;
                };
                if let Taken::Piece(part, number) = taken {
                    let mut record = part.branch(number);
                    self.search_piece(thread, plies, &part, number, &mut record);
                    record.rest();
                    lock(&part.progress).helped.insert(number, record);
                }
                continue;
            };
            if let Some(mut written) = part.begin() {
                // Ends at a piece that was split. The pieces after it are grafted at the end.
                while let Some(Taken::Piece(part, piece)) =
                    self.take(plies, parts, Which::FirstOf(number))
                {
                    let value =
                        |turn| self.value_of_turn(&part.pieces, &lock(&part.progress).values, turn);
                    written.turn_to(part.pieces[piece].turn(), value);
                    self.search_piece(thread, plies, &part, piece, &mut written.record);
                }
                written.record.rest();
                lock(&part.progress).record = Some(written);
            }
            number += 1;
        }
    }

    /// Takes a piece that no thread has taken. `None` if none is left.
    fn take<R: Recorder>(
        &self,
        plies: u32,
        parts: &Mutex<Vec<Waiting<P, R>>>,
        which: Which,
    ) -> Option<Taken<P, R>> {
        let mut parts = lock(parts);
        let most = || (0..parts.len()).max_by_key(|&number| parts[number].1.len());
        let (place, is_first) = match which {
            Which::FirstOf(part) => (part, true),
            Which::Last => (most()?, false),
        };

        let (part, left) = parts.get_mut(place)?;
        let piece = if is_first {
            left.next()
        } else {
            left.next_back()
        }?;
        let part = Arc::clone(part);
        let left: usize = parts.iter().map(|(_, left)| left.len()).sum();
        if FEW * self.options.cores <= left || self.options.stop.is_cancelled() {
            return Some(Taken::Piece(part, piece));
        }
        let Some(more) = self.split(plies, &part, place, piece) else {
            return Some(Taken::Piece(part, piece));
        };
        parts.push(waiting(more));
        Some(Taken::Split)
    }

    /// Splits a piece into a part of its own, if it is large enough.
    fn split<R: Recorder>(
        &self,
        plies: u32,
        part: &Part<P, R>,
        place: usize,
        piece: usize,
    ) -> Option<Part<P, R>> {
        let (Piece::Slide(spawn, slide), Some(spawns)) = (part.pieces[piece], part.spawns) else {
            return None;
        };
        let left = spawns
            .plies
            .checked_sub(2)
            .filter(|&left| LEAST_SPLIT <= left)?;
        let (board, reach) = part.after(spawn, self.search.probability);
        let slides = board.slides(Rows::shared())?;
        let mut record = part.branch(piece);
        let mut engine = self.engine(0, plies, Budget::NONE, &mut record);
        let score = spawns.score.saturating_add(u64::from(slides.reward(slide)));
        let after = engine.open_slide::<P>(&slides, slide, left + 1);
        if engine.is_at_hand(after, score, left, reach) || !self.is_beyond_leaves(after, reach) {
            return None;
        }
        let spawns = engine.considered(after, score, left, reach, Window::OPEN);
        Some(self.part(Above::Piece(place, piece), after, Some(spawns), record))
    }

    fn value_of_turn(&self, pieces: &[Piece], values: &[f64], turn: Spawn) -> f64 {
        *of_turn(&mut self.values_of_turns(pieces, values), turn)
    }

    /// The values of the turns of a part, by cell and by tile (2, 4), from the pieces with known values.
    fn values_of_turns(&self, pieces: &[Piece], values: &[f64]) -> [[f64; 2]; 32] {
        let mut turns = [[self.search.dead.least_of_slides(); 2]; 32];
        for (piece, &value) in pieces.iter().zip(values) {
            match *piece {
                Piece::Move(_) => {}
                Piece::Turn(spawn) => *of_turn(&mut turns, spawn) = value,
                Piece::Slide(spawn, _) => {
                    *of_turn(&mut turns, spawn) = of_turn(&mut turns, spawn).max(value);
                }
            }
        }
        turns
    }

    fn search_piece<R: Recorder>(
        &self,
        thread: usize,
        plies: u32,
        part: &Part<P, R>,
        number: usize,
        record: &mut R,
    ) {
        if self.options.stop.is_cancelled() {
            lock(&part.progress).halted = true;
            return;
        }

        let mut engine = self.engine(thread, plies, Budget::NONE, record);
        let after = |spawn| part.after(spawn, self.search.probability);
        let (score, left) = part
            .spawns
            .map_or((0, 0), |spawns| (spawns.score, spawns.plies - 1));
        let value = match part.pieces[number] {
            Piece::Move(mv) => self.one(mv, plies, Window::OPEN, &mut engine),
            Piece::Turn(spawn) => {
                engine.recorder.open(spawn.edge());
                let (board, reach) = after(spawn);
                engine.max_node(board, score, left, reach, Window::OPEN)
            }
            Piece::Slide(spawn, mv) => {
                let (board, reach) = after(spawn);
                let slides = board.slides(Rows::shared());
                slides.map_or(0.0, |slides| {
                    engine.slide_node::<P>(&slides, mv, score, left, reach)
                })
            }
        };

        let Engine {
            visited,
            turns,
            halted,
            ..
        } = engine;
        let mut progress = lock(&part.progress);
        progress.values[number] = value;
        progress.nodes += visited;
        progress.turns += turns;
        progress.halted |= halted;
    }

    /// Merges the values and records of all parts into those of the moves.
    fn put_together<R: Recorder>(
        &self,
        parts: &[Waiting<P, R>],
        recorder: &mut R,
        found: &mut SearchResult,
    ) {
        let mut records = Vec::with_capacity(self.moves.len());
        // A part comes after the one that it is a piece of.
        for (part, _) in parts.iter().rev() {
            let (value, record) = self.ended(part, found);
            match part.above {
                Above::Root(mv) => {
                    found.values[mv] = value;
                    records.extend(record);
                }
                Above::Piece(part, piece) => {
                    let mut progress = lock(&parts[part].0.progress);
                    progress.values[piece] = value;
                    progress.helped.extend(record.map(|record| (piece, record)));
                }
            }
        }
        records
            .into_iter()
            .rev()
            .for_each(|record| recorder.graft(record));
    }

    /// The value and the record of a part, from those of its pieces.
    fn ended<R: Recorder>(&self, part: &Part<P, R>, found: &mut SearchResult) -> (f64, Option<R>) {
        let mut progress = lock(&part.progress);
        found.nodes += progress.nodes;
        found.turns += progress.turns;
        found.stopped |= progress.halted;
        let (helped, values) = (
            std::mem::take(&mut progress.helped),
            std::mem::take(&mut progress.values),
        );
        let Some(mut written) = progress.record.take() else {
            return (0.0, None);
        };
        let value = |turn| self.value_of_turn(&part.pieces, &values, turn);
        for (number, helped) in helped {
            written.turn_to(part.pieces[number].turn(), value);
            written.record.graft(helped);
        }

        written.turn_to(None, value);
        let Some(spawns) = &part.spawns else {
            return (values[0], Some(written.record));
        };
        let turns = self.values_of_turns(&part.pieces, &values);
        let value = self
            .engine(0, found.plies, Budget::NONE, &mut ())
            .put_together(part.after, spawns, &turns);
        written.record.close(End {
            value,
            rule: Rule::of_spawns(self.search.spawn),
            bound: Bound::Exact,
        });

        // The afterstate, and the turns whose slides were searched separately.
        let slides = part
            .pieces
            .iter()
            .filter_map(|piece| piece.turn())
            .collect::<Vec<_>>();
        let turns = slides.chunk_by(PartialEq::eq).count() as u64;
        found.nodes += 1 + turns;
        found.turns += turns;
        (value, Some(written.record))
    }
}

fn waiting<P, R>(part: Part<P, R>) -> Waiting<P, R> {
    let pieces = 0..part.pieces.len();
    (Arc::new(part), pieces)
}

fn of_turn(turns: &mut [[f64; 2]; 32], spawn: Spawn) -> &mut f64 {
    &mut turns[spawn.cell() as usize & 31][usize::from(spawn.is_four())]
}

fn pieces_of<P: SearchBoard>(after: P, spawn: Spawn) -> Vec<Piece> {
    let slides = after
        .with_tile_at(spawn.cell(), spawn.rank())
        .slides(Rows::shared());
    let legal = slides.map_or(Moves::NONE, |slides| slides.legal());
    if legal.is_empty() {
        return vec![Piece::Turn(spawn)];
    }
    legal
        .iter()
        .map(|slide| Piece::Slide(spawn, slide))
        .collect()
}

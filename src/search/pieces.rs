//! One decision on several cores.
//!
//! The moves at the root are too few and too unlike each other for it: of three moves, two cores would be busy for three
//! quarters of the time at best. So a search is done in pieces, each of them what lies below one new tile after one move. Each
//! worker takes the next piece that nobody has; the values, and the records, of the pieces are put together in their order, so
//! that no value depends on who was first.
//!
//! Searches that are over in a moment stay on one thread; the piece in which that moment ends is begun anew.
//!
//! All share one transposition table, whose slots need no locks and never change a value. What another piece has found a moment
//! before is looked up and what it will find a moment later is searched, so that it does depend on who was first *how many*
//! nodes were searched, and which of several equal boards a record shows with what lies below it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::board::SearchBoard;
use super::engine::{BELOW, Budget, Engine, Spawns, Window};
use super::recorder::{Bound, Edge, End, Recorder};
use super::root::{Root, SearchResult};
use super::rule::Rule;
use super::spawn_order::{EachSpawn, Spawn};
use crate::game::{Move, Slides as _};
use crate::task::{lock, side_by_side};

/// Below one spawn after a move, or all of a move.
struct Piece<R> {
    mv: Move,
    /// With how probable it is.
    spawn: Option<(Spawn, f64)>,
    branch: R,
}

/// How long a thread waits for a piece that others wait for as well.
const WAIT: Duration = Duration::from_micros(100);

/// Says that a thread has left in the middle of a piece, for which nobody may wait then.
struct Left<'a>(&'a AtomicBool);

impl Drop for Left<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[derive(Default)]
struct Searched {
    value: f64,
    nodes: u64,
    turns: u64,
    halted: bool,
}

/// A move of the root.
struct Part<R> {
    mv: Move,
    /// How many of its pieces are still to come.
    left: usize,
    /// What comes after it, if it is searched in several pieces; its afterstate is then open in the branch.
    spawns: Option<Spawns>,
    /// By cell and by tile (2, 4).
    values: [[f64; 2]; 32],
    branch: R,
}

/// What becomes of the pieces, which may come in any order.
struct Assembly<'a, P: SearchBoard, R> {
    root: &'a Root<'a, P>,
    recorder: &'a mut R,
    /// The moves whose pieces are not all there, in the order of their search.
    parts: std::vec::IntoIter<Part<R>>,
    part: Option<Part<R>>,
    /// Pieces by their number that have come before one with a smaller number.
    early: BTreeMap<usize, (Piece<R>, Searched)>,
    /// The number of the next piece.
    next: usize,
    found: SearchResult,
}

impl<P: SearchBoard> Root<'_, P> {
    /// Each worker takes the next piece that nobody has.
    pub(super) fn in_pieces<R: Recorder>(&self, plies: u32, recorder: &mut R) -> SearchResult {
        let (mut pieces, mut parts) = (Vec::new(), Vec::new());
        for mv in self.moves {
            let mut branch = recorder.branch();
            let first = pieces.len();
            let spawns = self.parted(mv, plies, &mut branch);
            match &spawns {
                None => pieces.push(Piece { mv, spawn: None, branch: recorder.branch() }),
                Some(spawns) => pieces.extend(EachSpawn::on(spawns.cells, self.search.possible).map(|spawn| {
                    let probability = self.search.probability[usize::from(spawn.is_four())];
                    let reach = spawns.reach * probability / f64::from(spawns.count);
                    Piece { mv, spawn: Some((spawn, reach)), branch: branch.branch() }
                })),
            }
            parts.push(Part { mv, left: pieces.len() - first, spawns, values: [[0.0; 2]; 32], branch });
        }
        let workers = self.options.cores.min(pieces.len());
        let mut waiting = pieces.into_iter().enumerate();
        let mut parts = parts.into_iter();
        let found = SearchResult { plies, nodes: 1, turns: 1, ..SearchResult::default() };
        let part = parts.next();
        let mut assembly = Assembly { root: self, recorder, parts, part, early: BTreeMap::new(), next: 0, found };
        let alone = self.options.alone;
        let budget = match workers {
            0 | 1 => Budget::NONE,
            _ => Budget { until: Some(Instant::now() + alone), ..Budget::NONE },
        };
        let given_up = match 1 < workers && alone.is_zero() {
            true => waiting.next(),
            false => self.search_alone(&mut waiting, plies, budget, &mut assembly),
        };
        let Some(given_up) = given_up else { return assembly.found };
        let (waiting, assembly) = (Mutex::new(std::iter::once(given_up).chain(waiting)), Mutex::new(assembly));
        let next = || lock(&waiting).next();
        let (begun, is_left) = (AtomicUsize::new(0), AtomicBool::new(false));
        let threads = side_by_side(workers, || {
            let thread = begun.fetch_add(1, Ordering::Relaxed);
            let left = Left(&is_left);
            while let Some((number, mut piece)) = next() {
                let searched = self.search_piece(thread, &mut piece, plies, Budget::NONE);
                lock(&assembly).take(number, piece, searched);
                // Each record has up to its whole cap until it is put together with the others.
                while R::ON && workers < lock(&assembly).early.len() && !is_left.load(Ordering::Relaxed) {
                    std::thread::sleep(WAIT);
                }
            }
            drop(left);
        });
        let found = assembly.into_inner().unwrap_or_else(PoisonError::into_inner).found;
        SearchResult { shared_by: (1 < threads).then_some(threads), ..found }
    }

    /// Searches one piece after the other, until they are done or time is up: then the one is returned in which that was.
    fn search_alone<R: Recorder>(
        &self,
        waiting: &mut impl Iterator<Item = (usize, Piece<R>)>,
        plies: u32,
        budget: Budget,
        assembly: &mut Assembly<'_, P, R>,
    ) -> Option<(usize, Piece<R>)> {
        for (number, mut piece) in waiting {
            let searched = self.search_piece(0, &mut piece, plies, budget);
            if searched.halted && !self.options.stop.is_cancelled() {
                // A record shows the search behind every value that was looked up; else what was found stays.
                if R::ON {
                    self.forget();
                } else {
                    assembly.found.nodes += searched.nodes;
                    assembly.found.turns += searched.turns;
                }
                let branch = assembly.part.as_ref()?.branch.branch();
                return Some((number, Piece { branch, ..piece }));
            }
            assembly.take(number, piece, searched);
        }
        None
    }

    /// The spawns after a move, if what lies below it is searched in several pieces.
    fn parted<R: Recorder>(&self, mv: Move, plies: u32, branch: &mut R) -> Option<Spawns> {
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
        branch.open(Edge::Slide(mv));
        let score = self.score.saturating_add(u64::from(self.slides.reward(mv)));
        Some(self.engine(0, plies, Budget::NONE, branch).considered(after, score, plies - 1, 1.0, Window::OPEN))
    }

    fn search_piece<R: Recorder>(&self, thread: usize, piece: &mut Piece<R>, plies: u32, budget: Budget) -> Searched {
        if self.options.stop.is_cancelled() {
            return Searched { halted: true, ..Searched::default() };
        }
        let mut engine = self.engine(thread, plies, budget, &mut piece.branch);
        let value = match piece.spawn {
            None => self.one(piece.mv, plies, Window::OPEN, &mut engine),
            Some((spawn, reach)) => {
                let after = self.slides.after(piece.mv);
                let score = self.score.saturating_add(u64::from(self.slides.reward(piece.mv)));
                engine.recorder.open(spawn.edge());
                let board = after.with_tile_at(spawn.cell(), spawn.rank());
                engine.max_node(board, score, plies - 2, reach, Window::OPEN)
            }
        };
        let Engine { visited: nodes, turns, halted, .. } = engine;
        Searched { value, nodes, turns, halted }
    }
}

impl<P: SearchBoard, R: Recorder> Assembly<'_, P, R> {
    /// Takes a piece that is searched, and adds all those whose turn it is.
    fn take(&mut self, number: usize, piece: Piece<R>, searched: Searched) {
        self.early.insert(number, (piece, searched));
        while let Some((piece, searched)) = self.early.remove(&self.next) {
            self.next += 1;
            self.add(piece, &searched);
        }
    }

    fn add(&mut self, piece: Piece<R>, searched: &Searched) {
        let Some(part) = &mut self.part else { return };
        self.found.nodes += searched.nodes;
        self.found.turns += searched.turns;
        self.found.stopped |= searched.halted;
        part.left -= 1;
        match piece.spawn {
            None => self.found.values[part.mv] = searched.value,
            Some((spawn, _)) => {
                part.values[spawn.cell() as usize & 31][usize::from(spawn.is_four())] = searched.value;
            }
        }
        part.branch.graft(piece.branch);
        if part.left == 0 {
            self.end_part();
        }
    }

    /// All pieces of a move are there.
    fn end_part(&mut self) {
        let Some(mut part) = std::mem::replace(&mut self.part, self.parts.next()) else { return };
        if let Some(spawns) = &part.spawns {
            let Root { search, slides, .. } = self.root;
            let after = slides.after(part.mv);
            let value =
                self.root.engine(0, self.found.plies, Budget::NONE, &mut ()).put_together(after, spawns, &part.values);
            part.branch.close(End { value, rule: Rule::of_spawns(search.spawn), bound: Bound::Exact });
            self.found.values[part.mv] = value;
            self.found.nodes += 1;
        }
        self.recorder.graft(part.branch);
    }
}

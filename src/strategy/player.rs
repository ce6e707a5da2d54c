//! A strategy made ready for one set of rules, and the one way it chooses.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{LastResort, Prefer, Strategy};
use crate::evaluator::{Compiled, Evaluate, Evaluator, Values};
use crate::game::{Board, ByMove, Crossed, Grid, Move, Moves, Position as _, Rows, Rules, Slides as _};
use crate::search::{Objective, ROUNDING, Recorder, Root, Search, SearchBoard, SearchOptions, SearchResult, Tables};
use crate::task::lock;

/// A strategy compiled for one set of rules; share it between threads by reference or `Arc`.
#[derive(Debug)]
pub struct Player {
    pub(super) rules: Rules,
    pub(super) rows: Vec<Row>,
    last_resort: LastResort,
    /// Desks that nobody works at.
    desks: Mutex<Vec<Desk>>,
    /// At desks that were given back.
    effort: Effort,
}

/// A criterion ready to play.
#[derive(Debug)]
pub(super) struct Row {
    source: Source,
    prefer: Prefer,
    tolerance: f64,
    /// The tolerance among whole numbers, where a fraction tolerates nothing.
    whole_tolerance: i64,
    /// Whether it is left out.
    off: bool,
}

/// Where the values of a criterion come from.
#[derive(Debug)]
enum Source {
    OnePly(Compiled),
    Search(Box<Search>),
}

impl Source {
    fn of(criterion: &super::Criterion, rules: Rules) -> Self {
        if criterion.off {
            // It is not asked, and its own parameters may be of another size of board.
            return Self::OnePly(Compiled::new(&Evaluator::Inert));
        }
        match Search::new(&criterion.evaluator, &criterion.lookahead, rules) {
            Some(search) => Self::Search(Box::new(search)),
            None => Self::OnePly(Compiled::new(&criterion.evaluator)),
        }
    }
}

/// What one thread needs to search: a transposition table for each row that asks for one. Values do not depend on what
/// is left in them, so they are kept from move to move and from game to game.
#[derive(Debug, Default)]
pub(super) struct Desk {
    tables: Vec<Option<Tables>>,
    effort: Effort,
}

#[derive(Debug, Default)]
struct Effort {
    nodes: AtomicU64,
    /// Boards to move that were slid.
    turns: AtomicU64,
}

impl Effort {
    fn add(&self, nodes: u64, turns: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
        self.turns.fetch_add(turns, Ordering::Relaxed);
    }
}

impl Desk {
    fn clear(&self) {
        self.tables.iter().flatten().for_each(Tables::clear);
    }
}

/// Sees every value of a decision. Batches use `()`, which compiles to nothing.
pub trait Witness {
    type Recorder: Recorder;

    /// What watches the search of criterion number `row`.
    fn recorder(&mut self, row: usize) -> Self::Recorder;
    /// Criterion number `row` has searched.
    fn searched(&mut self, row: usize, found: &SearchResult, recorder: Self::Recorder);
    /// Criterion number `row` gave `values` to the moves in `seen` and kept `kept`.
    fn criterion(&mut self, row: usize, seen: Moves, values: impl FnOnce() -> ByMove<f64>, kept: Moves);
    /// The moves between which the last resort decides.
    fn last_resort(&mut self, among: Moves);
}

impl Witness for () {
    type Recorder = ();

    fn recorder(&mut self, _row: usize) {}
    fn searched(&mut self, _row: usize, _found: &SearchResult, (): ()) {}
    #[inline(always)]
    fn criterion(&mut self, _row: usize, _seen: Moves, _values: impl FnOnce() -> ByMove<f64>, _kept: Moves) {}
    #[inline(always)]
    fn last_resort(&mut self, _among: Moves) {}
}

impl Player {
    /// Prepares a strategy. Parameters should have passed [`Strategy::check`]; numbers that are not finite make a
    /// criterion keep every move.
    pub fn new(strategy: &Strategy, rules: Rules) -> Self {
        let row = |criterion: &super::Criterion| Row {
            source: Source::of(criterion, rules),
            prefer: criterion.prefer,
            tolerance: criterion.tolerance,
            // Without NaN, which no comparison likes: an endless tolerance keeps every move, too.
            whole_tolerance: if criterion.tolerance.is_nan() { i64::MAX } else { criterion.tolerance.floor() as i64 },
            off: criterion.off,
        };
        Self {
            rules,
            rows: strategy.criteria.iter().map(row).collect(),
            last_resort: strategy.last_resort,
            desks: Mutex::default(),
            effort: Effort::default(),
        }
    }

    /// The rules it plays by.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many criteria it has, those that are off included.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// The search of criterion number `row` and what it objectives at; `None` for one ply.
    pub(super) fn search(&self, row: usize) -> Option<(&Search, Objective)> {
        let row = self.rows.get(row)?;
        match &row.source {
            Source::OnePly(_) => None,
            Source::Search(search) => Some((search, row.objective())),
        }
    }

    /// Whether any row searches, so that a move takes more than a microsecond.
    pub fn searches(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.source, Source::Search(_)))
    }

    /// How many nodes this player has searched in games and decisions that are over, leaves included.
    pub fn nodes(&self) -> u64 {
        self.effort.nodes.load(Ordering::Relaxed)
    }

    /// How many slides it has tried in these searches: four at each board to move that it slid, legal or not.
    pub fn slides_tried(&self) -> u64 {
        4 * self.effort.turns.load(Ordering::Relaxed)
    }

    /// A desk to work at, one that was used before if there is one.
    pub(super) fn desk(&self) -> Desk {
        if !self.searches() {
            return Desk::default();
        }
        let used = lock(&self.desks).pop();
        used.unwrap_or_else(|| Desk { tables: self.rows.iter().map(Row::tables).collect(), effort: Effort::default() })
    }

    /// A desk on which nothing is left from before, so that searches look at the same nodes every time.
    pub(super) fn clean_desk(&self) -> Desk {
        let desk = self.desk();
        desk.clear();
        desk
    }

    pub(super) fn put_back(&self, desk: Desk) {
        if !desk.tables.is_empty() {
            self.effort.add(desk.effort.nodes.swap(0, Ordering::Relaxed), desk.effort.turns.swap(0, Ordering::Relaxed));
            lock(&self.desks).push(desk);
        }
    }

    /// Chooses one of the legal slides of `board`; `None` when there are none, or when it was stopped. `tie` picks one of
    /// `n` moves for `Random`; it is asked even when there are fewer than two, which no batch should have to find out,
    /// and must then give 0.
    #[inline(always)]
    pub(super) fn choose<P: SearchBoard, W: Witness>(
        &self,
        board: P,
        slides: &P::Slides,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        work: Work<'_>,
        witness: &mut W,
    ) -> Option<Move>
    where
        P::Slides: Sync,
        Compiled: Evaluate<P>,
    {
        let mut left = slides.legal();
        for (index, row) in self.rows.iter().enumerate() {
            if left.is_decided() {
                break;
            }
            if row.off {
                continue;
            }
            let values = match &row.source {
                Source::OnePly(evaluator) => Evaluate::<P>::values(evaluator, slides, left, score),
                Source::Search(search) => {
                    let found = search_row(search, row.objective(), index, board, slides, left, score, work, witness);
                    if found.stopped {
                        return None;
                    }
                    Values::Real(found.values)
                }
            };
            let kept = row.keep(&values, left);
            witness.criterion(index, left, || values.to_real(), kept);
            left = kept;
        }
        witness.last_resort(left);
        match self.last_resort {
            LastResort::Random => left.nth(tie(left.len())),
            LastResort::First => left.first(),
        }
    }
}

impl Player {
    /// What criterion number `row` says of some slides of a board, as it would be asked in a decision: a value for each of
    /// `among`; the other moves may have any. `None` where there is no such row, where it is off, and when it was
    /// asked to stop.
    ///
    /// Minimax with alpha-beta gives bounds for moves it would strike out, and searches with a limit look deeper the fewer
    /// moves they are asked about; all other values of a move do not depend on `among`.
    pub fn ask(&self, row: usize, board: &Board, score: u64, among: Moves, order: SearchOptions<'_>) -> Option<Values> {
        let asked = self.rows.get(row).filter(|row| !row.off)?;
        let rows = Rows::shared();
        if let Some(slides) = board.as_packed().and_then(|packed| packed.crossed().slides(rows)) {
            return self.ask_on::<Crossed>(asked, row, slides.before(), &slides, score, among, order);
        }
        let grid = board.to_grid();
        self.ask_on::<Grid>(asked, row, grid, &grid.slides(rows)?, score, among, order)
    }

    #[expect(clippy::too_many_arguments, reason = "what a decision knows, and each has its own type")]
    fn ask_on<P: SearchBoard>(
        &self,
        row: &Row,
        index: usize,
        board: P,
        slides: &P::Slides,
        score: u64,
        among: Moves,
        order: SearchOptions<'_>,
    ) -> Option<Values>
    where
        P::Slides: Sync,
        Compiled: Evaluate<P>,
    {
        match &row.source {
            Source::OnePly(evaluator) => Some(Evaluate::<P>::values(evaluator, slides, among, score)),
            Source::Search(search) => {
                let desk = self.desk();
                let work = Work { desk: &desk, order };
                let found = search_row(search, row.objective(), index, board, slides, among, score, work, &mut ());
                self.put_back(desk);
                (!found.stopped).then_some(Values::Real(found.values))
            }
        }
    }

    /// Which of the moves in `left` criterion number `row` keeps, given what it said of them ([`Player::ask`]).
    pub fn keep(&self, row: usize, values: &Values, left: Moves) -> Moves {
        self.rows.get(row).filter(|row| !row.off).map_or(left, |row| row.keep(values, left))
    }
}

/// Lets criterion number `index` search the slides in `left`.
#[expect(clippy::too_many_arguments, reason = "what a decision knows, and each has its own type")]
fn search_row<P: SearchBoard, W: Witness>(
    search: &Search,
    objective: Objective,
    index: usize,
    board: P,
    slides: &P::Slides,
    left: Moves,
    score: u64,
    work: Work<'_>,
    witness: &mut W,
) -> SearchResult
where
    P::Slides: Sync,
    Compiled: Evaluate<P>,
{
    let table = work.desk.tables.get(index).and_then(Option::as_ref);
    let mut recorder = witness.recorder(index);
    let root = Root { search, board, slides, moves: left, score, objective, options: work.order, table };
    let found = root.search(&mut recorder);
    work.desk.effort.add(found.nodes, found.turns);
    witness.searched(index, &found, recorder);
    found
}

/// What a decision is made with.
#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) desk: &'a Desk,
    pub(super) order: SearchOptions<'a>,
}

impl Row {
    /// The table it searches with, if it searches.
    fn tables(&self) -> Option<Tables> {
        match &self.source {
            Source::OnePly(_) => None,
            Source::Search(search) => Some(search.table()),
        }
    }

    /// What it wants of the values.
    fn objective(&self) -> Objective {
        Objective { higher: self.prefer == Prefer::Higher, tolerance: self.tolerance }
    }

    /// The moves within the tolerance of the best, never none of them.
    #[inline(always)]
    fn keep(&self, values: &Values, left: Moves) -> Moves {
        // All four moves without branches: which are left is anybody's guess. The least number stands for a move that
        // is not.
        let kept = match values {
            Values::Whole(values) => {
                let signed = ByMove::from_fn(|mv| match (left.contains(mv), self.prefer) {
                    (false, _) => i64::MIN,
                    (true, Prefer::Higher) => values[mv],
                    (true, Prefer::Lower) => -values[mv],
                });
                let [a, b, c, d] = *signed.as_array();
                let enough = a.max(b).max(c.max(d)).saturating_sub(self.whole_tolerance);
                Moves::from_fn(|mv| enough <= signed[mv])
            }
            Values::Real(values) => {
                let signed = ByMove::from_fn(|mv| match (left.contains(mv), self.prefer) {
                    (false, _) => f64::NEG_INFINITY,
                    (true, Prefer::Higher) => values[mv],
                    (true, Prefer::Lower) => -values[mv],
                });
                let [a, b, c, d] = *signed.as_array();
                let best = a.max(b).max(c.max(d));
                // What is equal but for rounding is equal.
                let enough = best - self.tolerance - best.abs() * ROUNDING;
                Moves::from_fn(|mv| enough <= signed[mv])
            }
        };
        let kept = kept & left;
        if kept.is_empty() { left } else { kept }
    }
}

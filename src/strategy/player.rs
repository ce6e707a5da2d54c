//! A strategy made ready for one set of rules, and the one way it chooses.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::rollout::Course;
use super::trace::Observer;
use super::{LastResort, Prefer, Strategy, policy};
use crate::evaluator::{Compiled, Evaluator, OwnFiles, Resolver, Values};
use crate::game::{Board, ByMove, Crossed, Grid, Move, Moves, Position as _, Rows, Rules, Slides as _};
use crate::kept::KeptError;
use crate::network::Network;
use crate::search::{Lookahead, Objective, ROUNDING, Root, Search, SearchBoard, SearchOptions, SearchResult, Table};
use crate::task::{lock, no_answer, unless_cancelled};

/// A strategy compiled for one set of rules; share it between threads by reference or `Arc`.
#[derive(Debug)]
pub struct Player {
    pub(super) rules: Rules,
    pub(super) rows: Vec<Row>,
    last_resort: LastResort,
    /// What it does beside its rows in a rollout.
    pub(super) course: Option<Course>,
    /// Why it cannot play: a file that it reads cannot be read.
    problem: Option<KeptError>,
    /// Moves after which a game is left.
    pub(super) most_moves: u32,
    /// Workspaces that no thread uses.
    workspaces: Mutex<Vec<Workspace>>,
    /// Of workspaces that were given back.
    nodes: AtomicU64,
    /// Boards to move that were slid, likewise.
    turns: AtomicU64,
}

#[derive(Debug)]
pub(super) struct Row {
    source: Source,
    prefer: Prefer,
    tolerance: f64,
    /// The tolerance among whole numbers, where a fraction tolerates nothing.
    whole_tolerance: i64,
    pub(super) off: bool,
    /// Whether another program is asked for it, which may be waited for.
    pub(super) asks: bool,
}

/// Where the values of a criterion come from.
#[derive(Debug)]
enum Source {
    OnePly(Compiled),
    Search(Box<Search>),
}

impl Source {
    fn of(criterion: &super::Criterion, rules: Rules, files: &dyn Resolver) -> Self {
        if criterion.off {
            // It is not asked, and its own parameters may be of another size of board.
            return Self::OnePly(Evaluator::Inert.compile(files));
        }
        let search = match &criterion.lookahead {
            lookahead @ Lookahead::Sampled(_) => {
                let policy = Arc::new(policy::player(lookahead, rules, files));
                Search::sampling(&criterion.evaluator, lookahead, rules, files, policy)
            }
            lookahead => Search::new(&criterion.evaluator, lookahead, rules, files),
        };
        match search {
            Some(search) => Self::Search(Box::new(search)),
            None => Self::OnePly(criterion.evaluator.compile(files)),
        }
    }

    /// Why it has no values: a file that it reads cannot be read.
    fn problem(&self) -> Option<&KeptError> {
        match self {
            Self::OnePly(evaluator) => evaluator.problem(),
            Self::Search(search) => search.problem(),
        }
    }
}

/// What one thread needs to search. Values do not depend on what is left in its tables, so they are kept.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    tables: Vec<Option<Table>>,
    effort: Effort,
}

#[derive(Debug, Default)]
struct Effort {
    nodes: Cell<u64>,
    /// Boards to move that were slid.
    turns: Cell<u64>,
}

impl Workspace {
    /// Nodes searched in it since it was taken.
    pub(super) fn nodes(&self) -> u64 {
        self.effort.nodes.get()
    }

    fn clear(&self) {
        self.tables.iter().flatten().for_each(Table::clear);
    }
}

impl Player {
    /// Prepares a strategy that [`Strategy::check`] accepts; by numbers that are not finite every move is kept.
    pub fn new(strategy: &Strategy, rules: Rules) -> Self {
        Self::with_files(strategy, rules, &OwnFiles)
    }

    /// Prepares a strategy whose evaluators refer to files. They are read here, whole, and stay as they were read. Where one
    /// cannot be read, the player decides nothing: whoever asks it leaves the work with the reason ([`crate::task::no_answer`]).
    pub fn with_files(strategy: &Strategy, rules: Rules, files: &dyn Resolver) -> Self {
        let row = |criterion: &super::Criterion| Row {
            source: Source::of(criterion, rules, files),
            prefer: criterion.prefer,
            tolerance: criterion.tolerance,
            // Without NaN, which no comparison likes: an endless tolerance keeps every move, too.
            whole_tolerance: if criterion.tolerance.is_nan() { i64::MAX } else { criterion.tolerance.floor() as i64 },
            off: criterion.off,
            asks: !criterion.programs().is_empty(),
        };

        let rows: Vec<Row> = strategy.criteria.iter().map(row).collect();
        let course = strategy.rollout.as_ref().and_then(|rollout| Course::of(rollout, rules, files));
        let of_rows = rows.iter().find_map(|row| row.source.problem());
        let problem = of_rows.or_else(|| course.as_ref()?.problem()).cloned();
        Self {
            rules,
            rows,
            last_resort: strategy.last_resort,
            course,
            problem,
            most_moves: strategy.rollout.as_ref().and_then(|rollout| rollout.moves).unwrap_or(u32::MAX),
            workspaces: Mutex::default(),
            nodes: AtomicU64::new(0),
            turns: AtomicU64::new(0),
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// How many criteria it has, those that are off included.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Why it cannot play, if so: a file that it reads is missing, damaged or too large for the memory.
    pub fn problem(&self) -> Option<&KeptError> {
        self.problem.as_ref()
    }

    /// Whether any row searches or asks another program, or the judge of a rollout does, so that a game takes more than a moment.
    pub fn searches(&self) -> bool {
        let takes_long = |row: &Row| match &row.source {
            Source::Search(_) => true,
            Source::OnePly(evaluator) => evaluator.asks(),
        };
        self.rows.iter().any(takes_long) || self.course.as_ref().is_some_and(Course::searches)
    }

    /// How many nodes this player has searched in games and decisions that are over, leaves included.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How many slides it has tried in these searches: four at each board to move that it slid, legal or not.
    pub fn slides_tried(&self) -> u64 {
        4 * self.turns.load(Ordering::Relaxed)
    }

    /// Does `work` in a workspace, one that was used before if there is one; with `clean` nothing is left in it from before.
    pub(super) fn in_workspace<T>(&self, clean: bool, work: impl FnOnce(&Workspace) -> T) -> T {
        if let Some(problem) = &self.problem {
            no_answer(problem.to_string());
        }
        let mut space = Workspace::default();
        if self.searches() {
            let used = lock(&self.workspaces).pop();
            let tables = || self.rows.iter().map(Row::tables).collect();
            space = used.unwrap_or_else(|| Workspace { tables: tables(), ..Workspace::default() });
            if clean {
                space.clear();
            }
        }

        let done = work(&space);
        if !space.tables.is_empty() {
            let Effort { nodes, turns } = std::mem::take(&mut space.effort);
            self.nodes.fetch_add(nodes.into_inner(), Ordering::Relaxed);
            self.turns.fetch_add(turns.into_inner(), Ordering::Relaxed);
            lock(&self.workspaces).push(space);
        }
        done
    }

    /// Decides on a board; `None` when no slide is legal and when it was stopped. `tie` picks one of `n` for `Random`.
    pub fn decide<O: Observer>(
        &self,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        options: SearchOptions<'_>,
        observer: &mut O,
    ) -> Option<Move> {
        self.in_workspace(O::CLEAN, |space| self.decide_in(Work { space, options }, board, score, tie, observer))
    }

    /// Decides on boards without points one after the other, as in a game: in one workspace. Takes the first of equals.
    pub fn decide_each<O: Observer>(
        &self,
        boards: &[Board],
        options: SearchOptions<'_>,
        observer: &mut O,
    ) -> Vec<Option<Move>> {
        self.in_workspace(false, |space| {
            let decide = |board| {
                if O::CLEAN {
                    space.clear();
                }
                self.decide_in(Work { space, options }, board, 0, |_| 0, observer)
            };
            boards.iter().map(decide).collect()
        })
    }

    #[inline(always)]
    fn decide_in<O: Observer>(
        &self,
        work: Work<'_>,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        observer: &mut O,
    ) -> Option<Move> {
        let rows = Rows::shared();
        let tie = |n| if n < 2 { 0 } else { tie(n) };
        if let Some(slides) = board.as_packed().and_then(|packed| packed.crossed().slides(rows)) {
            return self.choose::<Crossed, _>(slides.before(), &slides, score, tie, work, observer);
        }
        let grid = board.to_grid();
        self.choose::<Grid, _>(grid, &grid.slides(rows)?, score, tie, work, observer)
    }

    /// Chooses one of the legal slides of `board`; `None` when there are none, or when it was stopped. `tie` picks one
    /// of `n` moves for `Random`; it is asked even when there are fewer than two, and must then give 0.
    #[inline(always)]
    pub(super) fn choose<P: SearchBoard, O: Observer>(
        &self,
        board: P,
        slides: &P::Slides,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        work: Work<'_>,
        observer: &mut O,
    ) -> Option<Move> {
        let mut left = slides.legal();
        for (index, row) in self.rows.iter().enumerate() {
            if left.is_decided() {
                break;
            }
            if row.off {
                continue;
            }

            let values = match &row.source {
                // Apart from what may be waited for, so that it becomes part of the loop that plays.
                Source::OnePly(evaluator) if !row.asks => P::values_by(slides, evaluator, left, score),
                Source::OnePly(evaluator) => waited_for(work.options, || P::values_by(slides, evaluator, left, score))?,
                Source::Search(search) => {
                    let objective = row.objective();
                    let decides = O::IS_BLIND;
                    let asked = RowSearch { search, objective, index, board, slides, left, score, work, decides };
                    // Here, since an option of what is found would be copied once more.
                    let found =
                        if row.asks { waited_for(work.options, || asked.run(observer))? } else { asked.run(observer) };
                    if found.stopped {
                        return None;
                    }
                    Values::Real(found.values)
                }
            };

            let kept = row.keep(&values, left);
            observer.criterion(index, left, || values.to_real(), kept);
            left = kept;
        }

        observer.last_resort(left);
        self.resort(left, tie)
    }

    /// What the last resort takes.
    #[inline(always)]
    pub(super) fn resort(&self, left: Moves, tie: impl FnOnce(usize) -> usize) -> Option<Move> {
        match self.last_resort {
            LastResort::Random => left.nth(tie(left.len())),
            LastResort::First => left.first(),
        }
    }
}

impl Player {
    /// Criterion number `row` by itself; `None` where there is no such row and where it is off.
    pub fn criterion(&self, row: usize) -> Option<PlayerRow<'_>> {
        self.rows.get(row).filter(|row| !row.off).map(|asked| PlayerRow { player: self, row: asked, index: row })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PlayerRow<'a> {
    player: &'a Player,
    row: &'a Row,
    index: usize,
}

impl PlayerRow<'_> {
    /// A value for each of `among`, any for the other slides. `None` when it was asked to stop.
    ///
    /// Minimax with alpha-beta gives bounds for moves it would strike out, and searches with a limit look deeper the
    /// fewer moves they are asked about; all other values do not depend on `among`.
    pub fn values(&self, board: &Board, score: u64, among: Moves, options: SearchOptions<'_>) -> Option<Values> {
        let rows = Rows::shared();
        if let Some(slides) = board.as_packed().and_then(|packed| packed.crossed().slides(rows)) {
            return self.values_on::<Crossed>(slides.before(), &slides, score, among, options);
        }
        let grid = board.to_grid();
        self.values_on::<Grid>(grid, &grid.slides(rows)?, score, among, options)
    }

    fn values_on<P: SearchBoard>(
        &self,
        board: P,
        slides: &P::Slides,
        score: u64,
        among: Moves,
        options: SearchOptions<'_>,
    ) -> Option<Values> {
        let search = match &self.row.source {
            Source::OnePly(evaluator) => {
                return self.row.unless_cancelled(options, || P::values_by(slides, evaluator, among, score));
            }
            Source::Search(search) => search,
        };
        self.player.in_workspace(false, |space| {
            let (work, objective) = (Work { space, options }, self.row.objective());
            let index = self.index;
            let asked = RowSearch { search, objective, index, board, slides, left: among, score, work, decides: false };
            let found = self.row.unless_cancelled(options, || asked.run(&mut ()))?;
            (!found.stopped).then_some(Values::Real(found.values))
        })
    }

    /// Which of the moves in `left` it keeps, given what it said of them.
    pub fn keep(&self, values: &Values, left: Moves) -> Moves {
        self.row.keep(values, left)
    }
}

/// Criterion number `index` is to search the slides in `left`.
struct RowSearch<'a, P: SearchBoard> {
    search: &'a Search,
    objective: Objective,
    index: usize,
    board: P,
    slides: &'a P::Slides,
    left: Moves,
    score: u64,
    work: Work<'a>,
    decides: bool,
}

impl<P: SearchBoard> RowSearch<'_, P> {
    fn run<O: Observer>(&self, observer: &mut O) -> SearchResult {
        if !self.search.definition.lookahead.downgrades() {
            return self.here(observer);
        }
        let Some(lower) = self.search.definition.lookahead.downgraded(&self.board.to_board()) else {
            return self.here(observer);
        };
        let rows = Rows::shared();
        if let Some(slides) = lower.as_packed().and_then(|packed| packed.crossed().slides(rows)) {
            return self.on::<Crossed>(slides.before(), &slides).here(observer);
        }
        match lower.to_grid().slides(rows) {
            Some(slides) => self.on::<Grid>(slides.before(), &slides).here(observer),
            // A grid holds every tile.
            None => self.here(observer),
        }
    }

    /// The same on another board, on which the same slides are legal.
    fn on<'b, Q: SearchBoard>(&'b self, board: Q, slides: &'b Q::Slides) -> RowSearch<'b, Q> {
        let Self { search, objective, index, left, score, work, decides, .. } = *self;
        RowSearch { search, objective, index, board, slides, left, score, work, decides }
    }

    /// On the board as it is.
    fn here<O: Observer>(&self, observer: &mut O) -> SearchResult {
        let Self { search, objective, index, board, slides, left, score, work, decides } = *self;
        let table = work.space.tables.get(index).and_then(Option::as_ref);
        let mut recorder = observer.recorder(index, search);
        let root = Root { search, board, slides, moves: left, score, objective, options: work.options, table, decides };
        let found = root.search(&mut recorder);
        let Effort { nodes, turns } = &work.space.effort;
        nodes.set(nodes.get() + found.nodes);
        turns.set(turns.get() + found.turns);
        observer.searched(index, (search, objective), &found, recorder);
        found
    }
}

#[derive(Clone, Copy)]
pub(super) struct Work<'a> {
    pub(super) space: &'a Workspace,
    pub(super) options: SearchOptions<'a>,
}

#[cold]
#[inline(never)]
fn waited_for<T>(options: SearchOptions<'_>, work: impl FnOnce() -> T) -> Option<T> {
    unless_cancelled(options.stop, work)
}

impl Row {
    /// The network that it reads afterstates by, where it asks nothing else.
    pub(super) fn network(&self) -> Option<&Network> {
        match &self.source {
            Source::OnePly(evaluator) if !self.off => evaluator.network(),
            _ => None,
        }
    }

    pub(super) fn is_off(&self) -> bool {
        self.off
    }

    /// What is found by `work`; `None` where a program was waited for when it was stopped.
    #[inline(always)]
    fn unless_cancelled<T>(&self, options: SearchOptions<'_>, work: impl FnOnce() -> T) -> Option<T> {
        if self.asks { waited_for(options, work) } else { Some(work()) }
    }

    /// The table it searches with, if it searches.
    fn tables(&self) -> Option<Table> {
        let Source::Search(search) = &self.source else { return None };
        Some(search.table())
    }

    fn objective(&self) -> Objective {
        Objective { higher: self.prefer == Prefer::Higher, tolerance: self.tolerance }
    }

    /// The moves within the tolerance of the best, never none of them.
    #[inline(always)]
    pub(super) fn keep(&self, values: &Values, left: Moves) -> Moves {
        // All four moves without branches; the least number stands for a move that is not left.
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

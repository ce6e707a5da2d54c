//! A strategy prepared for one set of rules. All decisions are made here.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::first_move::Course;
use super::trace::Observer;
use super::{LastResort, Prefer, Strategy, policy};
use crate::evaluator::{Compiled, Evaluator, OwnFiles, Resolver, Values};
use crate::game::{
    Board, ByMove, Crossed, Grid, Move, Moves, Position as _, Rows, Rules, Slides as _,
};
use crate::kept::KeptError;
use crate::network::Network;
use crate::search::{
    Lookahead, Objective, ROUNDING, Root, Search, SearchBoard, SearchOptions, SearchResult, Table,
};
use crate::task::{lock, no_answer, unless_cancelled};

/// A strategy compiled for one set of rules. Threads share it by reference or `Arc`.
#[derive(Debug)]
pub struct Player {
    pub(super) rules: Rules,
    pub(super) rows: Vec<Row>,
    last_resort: LastResort,
    /// The start of games in a rollout.
    pub(super) course: Option<Course>,
    /// Why it cannot play: a file that it reads cannot be read.
    problem: Option<KeptError>,
    /// Maximum moves before a game is abandoned.
    pub(super) most_moves: u32,
    /// Workspaces that no thread uses.
    workspaces: Mutex<Vec<Workspace>>,
    /// Nodes searched in workspaces that were returned.
    nodes: AtomicU64,
    /// Boards to move whose slides were computed, likewise.
    turns: AtomicU64,
}

#[derive(Debug)]
pub(super) struct Row {
    source: Source,
    prefer: Prefer,
    tolerance: f64,
    /// The tolerance for integer values, rounded down.
    whole_tolerance: i64,
    pub(super) off: bool,
    /// Whether it uses another program, which may take time.
    pub(super) asks: bool,
}

/// The source of the values of a criterion.
#[derive(Debug)]
enum Source {
    OnePly(Compiled),
    Search(Box<Search>),
}

impl Source {
    fn of(criterion: &super::Criterion, rules: Rules, files: &dyn Resolver) -> Self {
        if criterion.off {
            // It is never used, and its parameters may be for another size of board.
            return Self::OnePly(Evaluator::Inert.compile(files));
        }
        let evaluator = &criterion.evaluator;
        let search = match &criterion.lookahead {
            Lookahead::OnePly => return Self::OnePly(evaluator.compile(files)),
            lookahead @ Lookahead::DepthLimited(_) => {
                Search::new(evaluator, lookahead, rules, files)
            }
            lookahead @ Lookahead::Sampled(_) => {
                let policy = Arc::new(policy::player(lookahead, rules, files));
                Search::sampling(evaluator, lookahead, rules, files, policy)
            }
        };
        Self::Search(Box::new(
            search.expect("each kind of search prepares its own lookahead"),
        ))
    }

    /// Why it has no values: a file that it reads cannot be read.
    fn problem(&self) -> Option<&KeptError> {
        match self {
            Self::OnePly(evaluator) => evaluator.problem(),
            Self::Search(search) => search.problem(),
        }
    }
}

/// The search state of one thread. Values do not depend on the content of its tables, so they are reused.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    tables: Vec<Option<Table>>,
    effort: Effort,
}

#[derive(Debug, Default)]
struct Effort {
    nodes: Cell<u64>,
    /// Boards to move whose slides were computed.
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
    /// Prepares a strategy that [`Strategy::check`] accepts. Values that are not finite keep every move.
    pub fn new(strategy: &Strategy, rules: Rules) -> Self {
        Self::with_files(strategy, rules, &OwnFiles)
    }

    /// Prepares a strategy whose evaluators refer to files. They are read completely here, and later changes have no
    /// effect. If one cannot be read, the player cannot decide: a request aborts the work with the reason
    /// ([`crate::task::no_answer`]).
    pub fn with_files(strategy: &Strategy, rules: Rules, files: &dyn Resolver) -> Self {
        let row = |criterion: &super::Criterion| Row {
            source: Source::of(criterion, rules, files),
            prefer: criterion.prefer,
            tolerance: criterion.tolerance,
            // Without NaN, which fails every comparison: an infinite tolerance keeps every move as well.
            whole_tolerance: if criterion.tolerance.is_nan() {
                i64::MAX
            } else {
                criterion.tolerance.floor() as i64
            },
            off: criterion.off,
            asks: !criterion.programs().is_empty(),
        };

        let rows: Vec<Row> = strategy.criteria.iter().map(row).collect();
        let course = strategy
            .rollout
            .as_ref()
            .and_then(|rollout| Course::of(rollout, rules, files));
        let of_rows = rows.iter().find_map(|row| row.source.problem());
        let problem = of_rows.or_else(|| course.as_ref()?.problem()).cloned();
        Self {
            rules,
            rows,
            last_resort: strategy.last_resort,
            course,
            problem,
            most_moves: strategy
                .rollout
                .as_ref()
                .and_then(|rollout| rollout.moves)
                .unwrap_or(u32::MAX),
            workspaces: Mutex::default(),
            nodes: AtomicU64::new(0),
            turns: AtomicU64::new(0),
        }
    }

    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of criteria, including those that are off.
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Why it cannot play: a file that it reads is missing, damaged or too large for the memory.
    pub fn problem(&self) -> Option<&KeptError> {
        self.problem.as_ref()
    }

    /// Whether any row searches or uses another program, or the judge of a rollout does, so that a game takes time.
    pub fn searches(&self) -> bool {
        let takes_long = |row: &Row| match &row.source {
            Source::Search(_) => true,
            Source::OnePly(evaluator) => evaluator.asks(),
        };
        self.rows.iter().any(takes_long) || self.course.as_ref().is_some_and(Course::searches)
    }

    /// The number of nodes that this player has searched in finished games and decisions, including leaves.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of slides tried in these searches: four at each board to move whose slides were computed, legal or
    /// not.
    pub fn slides_tried(&self) -> u64 {
        4 * self.turns.load(Ordering::Relaxed)
    }

    /// Runs `work` in a workspace, preferably a used one. With `clean` its tables are empty.
    pub(super) fn in_workspace<T>(&self, clean: bool, work: impl FnOnce(&Workspace) -> T) -> T {
        if let Some(problem) = &self.problem {
            no_answer(problem.to_string());
        }
        let mut space = Workspace::default();
        if self.searches() {
            let used = lock(&self.workspaces).pop();
            let tables = || self.rows.iter().map(Row::tables).collect();
            space = used.unwrap_or_else(|| Workspace {
                tables: tables(),
                ..Workspace::default()
            });
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

    /// Decides on a board. `None` if no slide is legal, or if it was stopped. `tie` picks one of `n` for `Random`.
    pub fn decide<O: Observer>(
        &self,
        board: &Board,
        score: u64,
        tie: impl FnOnce(usize) -> usize,
        options: SearchOptions<'_>,
        observer: &mut O,
    ) -> Option<Move> {
        self.in_workspace(O::CLEAN, |space| {
            self.decide_in(Work { space, options }, board, score, tie, observer)
        })
    }

    /// Decides on boards with score 0 one after the other, in one workspace as in a game. Ties go to the first move.
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
        if let Some(slides) = board
            .as_packed()
            .and_then(|packed| packed.crossed().slides(rows))
        {
            return self.choose::<Crossed, _>(slides.before(), &slides, score, tie, work, observer);
        }
        let grid = board.to_grid();
        self.choose::<Grid, _>(grid, &grid.slides(rows)?, score, tie, work, observer)
    }

    /// Chooses one of the legal slides of `board`. `None` if there are none, or if it was stopped. `tie` picks one of
    /// `n` moves for `Random`; it is called even if there are fewer than two, and must then return 0.
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
                // A separate arm from rows that may wait, so that it is inlined into the loop that plays.
                Source::OnePly(evaluator) if !row.asks => {
                    P::values_by(slides, evaluator, left, score)
                }
                Source::OnePly(evaluator) => waited_for(work.options, || {
                    P::values_by(slides, evaluator, left, score)
                })?,
                Source::Search(search) => {
                    let objective = row.objective();
                    let decides = O::IS_BLIND;
                    let row_search = RowSearch {
                        search,
                        objective,
                        index,
                        board,
                        slides,
                        left,
                        score,
                        work,
                        decides,
                    };
                    // Here, because an `Option` of the result would be copied once more.
                    let found = if row.asks {
                        waited_for(work.options, || row_search.run(observer))?
                    } else {
                        row_search.run(observer)
                    };
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

    /// The choice of the last resort.
    #[inline(always)]
    pub(super) fn resort(&self, left: Moves, tie: impl FnOnce(usize) -> usize) -> Option<Move> {
        match self.last_resort {
            LastResort::Random => left.nth(tie(left.len())),
            LastResort::First => left.first(),
            LastResort::FirstOf(order) => order.first(left),
        }
    }
}

impl Player {
    /// Criterion number `row` by itself. `None` if there is no such row, or if it is off.
    pub fn criterion(&self, row: usize) -> Option<PlayerRow<'_>> {
        self.rows
            .get(row)
            .filter(|row| !row.off)
            .map(|own_row| PlayerRow {
                player: self,
                row: own_row,
                index: row,
            })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PlayerRow<'a> {
    player: &'a Player,
    row: &'a Row,
    index: usize,
}

impl PlayerRow<'_> {
    /// A value for each move in `among`; other slides may have any value. `None` if it was stopped.
    ///
    /// Minimax with alpha-beta returns bounds for moves it would drop, and searches with a limit look deeper the fewer
    /// moves are requested. All other values do not depend on `among`.
    pub fn values(
        &self,
        board: &Board,
        score: u64,
        among: Moves,
        options: SearchOptions<'_>,
    ) -> Option<Values> {
        let rows = Rows::shared();
        if let Some(slides) = board
            .as_packed()
            .and_then(|packed| packed.crossed().slides(rows))
        {
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
                return self
                    .row
                    .unless_cancelled(options, || P::values_by(slides, evaluator, among, score));
            }
            Source::Search(search) => search,
        };
        self.player.in_workspace(false, |space| {
            let (work, objective) = (Work { space, options }, self.row.objective());
            let index = self.index;
            let row_search = RowSearch {
                search,
                objective,
                index,
                board,
                slides,
                left: among,
                score,
                work,
                decides: false,
            };
            let found = self
                .row
                .unless_cancelled(options, || row_search.run(&mut ()))?;
            (!found.stopped).then_some(Values::Real(found.values))
        })
    }

    /// The moves in `left` that it keeps, given their values.
    pub fn keep(&self, values: &Values, left: Moves) -> Moves {
        self.row.keep(values, left)
    }
}

/// The search of the slides in `left` by criterion number `index`.
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
        let Some(lower) = self
            .search
            .definition
            .lookahead
            .downgraded(&self.board.to_board())
        else {
            return self.here(observer);
        };
        let rows = Rows::shared();
        if let Some(slides) = lower
            .as_packed()
            .and_then(|packed| packed.crossed().slides(rows))
        {
            return self.on::<Crossed>(slides.before(), &slides).here(observer);
        }
        match lower.to_grid().slides(rows) {
            Some(slides) => self.on::<Grid>(slides.before(), &slides).here(observer),
            // A grid holds every tile.
            None => self.here(observer),
        }
    }

    /// The same on another board with the same legal slides.
    fn on<'b, Q: SearchBoard>(&'b self, board: Q, slides: &'b Q::Slides) -> RowSearch<'b, Q> {
        let Self {
            search,
            objective,
            index,
            left,
            score,
            work,
            decides,
            ..
        } = *self;
        RowSearch {
            search,
            objective,
            index,
            board,
            slides,
            left,
            score,
            work,
            decides,
        }
    }

    /// On the board as it is.
    fn here<O: Observer>(&self, observer: &mut O) -> SearchResult {
        let Self {
            search,
            objective,
            index,
            board,
            slides,
            left,
            score,
            work,
            decides,
        } = *self;
        let table = work.space.tables.get(index).and_then(Option::as_ref);
        let mut recorder = observer.recorder(index, search);
        let root = Root {
            search,
            board,
            slides,
            moves: left,
            score,
            objective,
            options: work.options,
            table,
            decides,
        };
        let found = root.search(&mut recorder);
        let Effort { nodes, turns } = &work.space.effort;
        nodes.set(nodes.get() + found.nodes);
        turns.set(turns.get() + found.turns);
        observer.searched(index, search, objective, &found, recorder);
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
    /// The network that evaluates its afterstates, if nothing else does.
    pub(super) fn network(&self) -> Option<&Network> {
        match &self.source {
            Source::OnePly(evaluator) if !self.off => evaluator.network(),
            _ => None,
        }
    }

    pub(super) fn is_off(&self) -> bool {
        self.off
    }

    /// The result of `work`. `None` if it was stopped while it waited for a program.
    #[inline(always)]
    fn unless_cancelled<T>(
        &self,
        options: SearchOptions<'_>,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        if self.asks {
            waited_for(options, work)
        } else {
            Some(work())
        }
    }

    /// The table it searches with, if it searches.
    fn tables(&self) -> Option<Table> {
        let Source::Search(search) = &self.source else {
            return None;
        };
        Some(search.table())
    }

    fn objective(&self) -> Objective {
        Objective {
            higher: self.prefer == Prefer::Higher,
            tolerance: self.tolerance,
        }
    }

    /// The moves within the tolerance of the best. Never empty.
    #[inline(always)]
    pub(super) fn keep(&self, values: &Values, left: Moves) -> Moves {
        // All four moves without branches. The least number stands for a move that is not left.
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
                // Values that differ only by rounding are equal.
                let enough = best - self.tolerance - best.abs() * ROUNDING;
                Moves::from_fn(|mv| enough <= signed[mv])
            }
        };
        let kept = kept & left;
        if kept.is_empty() { left } else { kept }
    }
}

//! A lookahead made ready, and the values of the moves at its root.

use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

use super::ROUNDING;
use super::board::SearchBoard;
use super::engine::{self, Budget, Engine, LEAST_GIVEN_UP, Window};
use super::playouts::{PlayOn, Playouts, Sampling};
use super::recorder::{Bound, Edge, Recorder};
use super::spawn_order;
use super::table::Table;
use super::{Cut, Dead, DepthLimited, Lookahead, Plies, SpawnValue};
use crate::evaluator::{Ceilings, Compiled, Evaluator, Lasting, Resolver};
use crate::game::{ByMove, Move, Moves, Rules, Size, Slides as _};
use crate::kept::KeptError;
use crate::task::CancelToken;

/// A lookahead made ready for one evaluator and one set of rules; share it between threads by reference.
#[derive(Debug)]
pub struct Search {
    pub definition: Definition,
    pub(super) evaluator: Compiled,
    pub(super) spawn: SpawnValue,
    pub(super) dead: Dead,
    pub(super) alpha_beta: bool,
    /// Of the reach probability, below which nothing is searched.
    pub(super) threshold: Option<f64>,
    pub(super) important: Option<Important>,
    /// Whether means over all spawns are searched.
    takes_means: bool,
    /// Of the evaluator, once a search is done for the move alone: all lines of all its tables are looked at.
    ceilings: OnceLock<Option<Ceilings>>,
    /// Whether the worst spawns alone are considered.
    pub(super) worst: bool,
    /// Of a 2 and of a 4.
    pub(super) probability: [f64; 2],
    /// Which of them come at all.
    pub(super) possible: [bool; 2],
    /// Whether the eight images of a board have one value.
    pub(super) symmetric: bool,
    pub(super) uses_score: bool,
    /// Slots of the transposition table, as a power of two.
    table_bits: u32,
    /// What makes it a search by sampling; what is said of depth, cuts and spawn nodes then means nothing.
    sampling: Option<Sampling>,
    plies: Plies,
    limits: Limits,
}

/// Fewest plies of a search that is done in pieces, each of which is an afterstate three plies below.
const LEAST_IN_PIECES: u32 = 4;

/// What ends a search that deepens ply by ply.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Limits {
    time: Option<Duration>,
    nodes: Option<u64>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    pub evaluator: Evaluator,
    pub lookahead: Lookahead,
    pub rules: Rules,
}

#[derive(Clone, Debug)]
pub(super) struct Important {
    pub(super) k: u32,
    /// Places of the cells in reading order, by falling weight.
    pub(super) cells: Vec<u32>,
}

/// What the root wants of the values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// Whether high values are good.
    pub higher: bool,
    /// Values this far from the best are of interest, too: they must be exact.
    pub tolerance: f64,
}

/// How a search is to be done; no value depends on it.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions<'a> {
    pub stop: &'a CancelToken,
    pub cores: usize,
    /// How long it goes on alone before others are asked for: some times as long as threads take to begin. On a busy machine it
    /// may be a few milliseconds before they are let in, and the last of them is waited for.
    pub alone: Duration,
}

impl<'a> SearchOptions<'a> {
    pub fn on_one_core(stop: &'a CancelToken) -> Self {
        Self::on_cores(stop, 1)
    }

    pub fn on_cores(stop: &'a CancelToken, cores: usize) -> Self {
        Self { stop, cores, alone: Duration::from_micros(250) }
    }
}

impl Default for SearchOptions<'_> {
    /// To the end, on one core.
    fn default() -> Self {
        static NEVER: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);
        Self::on_one_core(&NEVER)
    }
}

#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// Value of each move that was asked for; 0 for the others.
    pub values: ByMove<f64>,
    pub bounds: ByMove<Bound>,
    pub plies: u32,
    /// How many nodes it looked at, leaves and the root included.
    pub nodes: u64,
    /// How many of them it looked at in a depth that its limit ended and that was forgotten.
    pub unfinished: u64,
    /// How many of all were boards to move that it slid in all four directions.
    pub turns: u64,
    /// Whether it was stopped before its depth; the values are then void unless the search deepens by itself.
    pub stopped: bool,
    /// How many threads shared the search, if several did: which nodes were looked up, and so the counts, then depend on who was
    /// first.
    pub shared_by: Option<usize>,
    /// What the samples have said, where samples were drawn: the values are their means.
    pub playouts: Option<Arc<Playouts>>,
    /// How long the search took that the move is of, where it was done once more to be recorded.
    pub as_played: Option<Duration>,
}

impl Search {
    /// Prepares a lookahead by depth that has passed [`Lookahead::check`]; `None` for others.
    pub fn new(evaluator: &Evaluator, lookahead: &Lookahead, rules: Rules, files: &dyn Resolver) -> Option<Self> {
        let plies = lookahead.plies()?.clone();
        let search = lookahead.depth_limited()?;
        let compiled = evaluator.compile(files);
        let probability = [1.0 - rules.p4, rules.p4];
        let takes_means = search.spawn == SpawnValue::Mean
            && rules.size == Size::FOUR
            && search.cuts.iter().all(|cut| matches!(cut, Cut::Reach(_) | Cut::AlphaBeta));
        let important = search.cuts.iter().find_map(|cut| match cut {
            Cut::ImportantCells { k, weights } => Some(Important::new(*k, weights.values())),
            _ => None,
        });
        Some(Self {
            definition: Definition { evaluator: evaluator.clone(), lookahead: lookahead.clone(), rules },
            spawn: search.spawn,
            dead: search.dead,
            // Bounds on means would need bounds on the evaluator.
            alpha_beta: lookahead.has_window(),
            threshold: lookahead.threshold(),
            probability,
            possible: probability.map(|probability| probability != 0.0),
            symmetric: evaluator.is_symmetric(rules.size) && important.is_none() && rules.size == Size::FOUR,
            uses_score: evaluator.uses_score(),
            important,
            takes_means,
            ceilings: OnceLock::new(),
            worst: lookahead.cuts().contains(&Cut::WorstSpawns),
            evaluator: compiled,
            sampling: None,
            table_bits: if lookahead.deepens() { 16 } else { table_bits(&plies) },
            plies,
            limits: Limits { time: search.time_ms.map(Duration::from_millis), nodes: search.nodes },
        })
    }

    /// Prepares a lookahead by sampling that has passed [`Lookahead::check`]; `None` for others. `policy` makes the moves
    /// of its playouts.
    pub fn sampling(
        evaluator: &Evaluator,
        lookahead: &Lookahead,
        rules: Rules,
        files: &dyn Resolver,
        policy: Arc<dyn PlayOn>,
    ) -> Option<Self> {
        let spec = lookahead.sampled()?.clone();
        let plain = Lookahead::DepthLimited(DepthLimited { plies: Some(Plies::Fixed(1)), ..DepthLimited::default() });
        let search = Self::new(evaluator, &plain, rules, files)?;
        let definition = Definition { lookahead: lookahead.clone(), ..search.definition };
        // Nothing is looked up.
        Some(Self { definition, sampling: Some(Sampling { spec, policy }), table_bits: 0, ..search })
    }

    /// Why its evaluator has no values, if so: a file that it reads cannot be read.
    pub fn problem(&self) -> Option<&KeptError> {
        self.evaluator.problem()
    }

    pub(super) const fn is_sampled(&self) -> bool {
        self.sampling.is_some()
    }

    pub fn table(&self) -> Table {
        Table::new(self.table_bits)
    }

    #[inline(always)]
    pub(super) fn dead_value<P: SearchBoard>(&self, board: P, score: u64) -> f64 {
        match self.dead {
            Dead::Evaluate => board.value_by(&self.evaluator, score),
            Dead::Zero => 0.0,
            Dead::Lost => Dead::LOST,
        }
    }
}

#[derive(Debug)]
pub struct Root<'a, P: SearchBoard> {
    pub search: &'a Search,
    pub board: P,
    pub slides: &'a P::Slides,
    pub moves: Moves,
    /// Points up to `board`.
    pub score: u64,
    pub objective: Objective,
    pub options: SearchOptions<'a>,
    pub table: Option<&'a Table>,
    /// Whether the choice is wanted and the values are not: those of moves that cannot come within the tolerance of the best are
    /// then bounds.
    pub decides: bool,
}

impl<P: SearchBoard> Root<'_, P> {
    /// The values of the moves. The recorder sees the children of the root; the root itself is open when it begins.
    #[inline(never)]
    pub fn search<R: Recorder>(&self, recorder: &mut R) -> SearchResult {
        let limits = self.search.limits;
        if self.options.stop.is_cancelled() {
            return SearchResult { stopped: true, ..SearchResult::default() };
        }
        if let Some(sampling) = &self.search.sampling {
            return self.sample(sampling, recorder);
        }
        // How far the nodes reach must not depend on what an earlier search has left.
        if limits.nodes.is_some() {
            self.forget();
        }
        let deepest = self.search.plies.for_board(&self.board.to_board());
        if limits == Limits::default() {
            return self.at_depth(deepest, Budget::NONE, recorder);
        }
        if !R::ON || limits.time.is_none() {
            return self.deepen(deepest, limits, recorder);
        }
        // Nobody watches the search whose time is measured, so that it looks as deep as in a game, on one core as there.
        let begun = Instant::now();
        let played = self.as_played().deepen(deepest, limits, &mut ());
        let as_played = Some(begun.elapsed());
        self.forget();
        let found = self.deepen(played.plies, Limits::default(), recorder);
        let (nodes, turns) = (found.nodes + played.unfinished, found.turns);
        SearchResult { nodes, turns, unfinished: played.unfinished, as_played, ..found }
    }

    /// The same decision as in a game, on one core.
    pub(super) fn as_played(&self) -> Self {
        Self { options: SearchOptions::on_one_core(self.options.stop), decides: true, ..*self }
    }

    pub(super) fn forget(&self) {
        if let Some(table) = self.table {
            table.clear();
        }
    }

    /// One ply deeper each time; an unfinished depth is forgotten. The first is finished in any case.
    fn deepen<R: Recorder>(&self, deepest: u32, limits: Limits, recorder: &mut R) -> SearchResult {
        let until = limits.time.map(|time| Instant::now() + time);
        let mut branch = recorder.apart();
        let mut best = self.at_depth(1, Budget::NONE, &mut branch);
        for plies in 2..=deepest {
            let nodes = limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(best.nodes));
            let mut deeper = recorder.apart();
            let found = self.at_depth(plies, Budget { until, nodes }, &mut deeper);
            let (nodes, turns) = (best.nodes + found.nodes, best.turns + found.turns);
            if found.stopped {
                (best.nodes, best.turns, best.unfinished) = (nodes, turns, found.nodes);
                break;
            }
            (best, branch) = (SearchResult { nodes, turns, ..found }, deeper);
        }
        best.stopped = self.options.stop.is_cancelled();
        recorder.graft(branch);
        best
    }

    pub(super) fn at_depth<R: Recorder>(&self, plies: u32, budget: Budget, recorder: &mut R) -> SearchResult {
        // Bounds pass from one move to the next, and limits are those of one core, as in batches.
        let is_one_chain = self.search.alpha_beta || !budget.is_none();
        if is_one_chain || self.options.cores < 2 || plies < LEAST_IN_PIECES {
            return self.in_turn(plies, budget, recorder);
        }
        let alone = self.options.alone;
        if alone.is_zero() {
            return self.in_pieces(plies, recorder);
        }
        let mut branch = recorder.apart();
        let begun = self.in_turn(plies, Budget { until: Some(Instant::now() + alone), ..Budget::NONE }, &mut branch);
        if !begun.stopped || self.options.stop.is_cancelled() {
            recorder.graft(branch);
            return begun;
        }
        drop(branch);
        if R::ON {
            // A record shows the search behind every value that was looked up; else what was found stays.
            self.forget();
            return self.in_pieces(plies, recorder);
        }
        let found = self.in_pieces(plies, recorder);
        SearchResult { nodes: begun.nodes + found.nodes, turns: begun.turns + found.turns, ..found }
    }

    /// One move after another, with bounds from one to the next.
    fn in_turn<R: Recorder>(&self, plies: u32, budget: Budget, recorder: &mut R) -> SearchResult {
        let mut engine = self.engine(0, plies, budget, recorder);
        let mut found = SearchResult { plies, ..SearchResult::default() };
        let mut best: Option<f64> = None;
        let (sorts, cuts) =
            (engine.sorts(plies), self.search.alpha_beta || (engine.gives_up() && self.objective.higher));
        for mv in spawn_order::slides::<P>(self.search, self.slides, self.moves, self.score, sorts) {
            let window = match best {
                // Leaves are evaluated whatever the window.
                Some(best) if cuts && 1 < plies => self.objective.window(best),
                _ => Window::OPEN,
            };
            let value = self.one(mv, plies, window, &mut engine);
            let bound = window.bound(value);
            found.values[mv] = value;
            found.bounds[mv] = bound;
            let better = if self.objective.higher { f64::max } else { f64::min };
            if bound == Bound::Exact {
                best = Some(best.map_or(value, |best| better(best, value)));
            }
        }
        (found.nodes, found.turns, found.stopped) = (engine.visited + 1, engine.turns + 1, engine.halted);
        found
    }

    /// The search of one of the threads.
    #[inline(always)]
    pub(super) fn engine<'b, R: Recorder>(
        &'b self,
        thread: usize,
        plies: u32,
        budget: Budget,
        recorder: &'b mut R,
    ) -> Engine<'b, R> {
        let (empty, ceiling) = (self.board.empty_count(), self.ceiling(plies));
        let table = self.table.filter(|_| engine::keeps(plies)).map(|table| table.view(thread));
        Engine::new(self.search, table, self.options.stop, plies, empty, budget, recorder).under(ceiling)
    }

    /// What no value is above, where values that do not matter are not wanted; else infinity.
    fn ceiling(&self, plies: u32) -> f64 {
        let search = self.search;
        // How far nodes reach must be the same whether all values are wanted or not.
        let may_give_up = search.takes_means && search.limits.nodes.is_none();
        if !(self.decides && LEAST_GIVEN_UP < plies && may_give_up) {
            return f64::INFINITY;
        }
        let ceilings = search.ceilings.get_or_init(|| search.evaluator.ceilings());
        let Some(ceilings) = ceilings else { return f64::INFINITY };
        let Some(lasting) = Lasting::of(&self.board.to_board(), plies / 2) else { return f64::INFINITY };
        // A dead board may be worth more than all others.
        ceilings.above(lasting).max(0.0)
    }

    /// The score after a move.
    pub(super) fn score_of(&self, mv: Move) -> u64 {
        self.score.saturating_add(u64::from(self.slides.reward(mv)))
    }

    pub(super) fn one<R: Recorder>(&self, mv: Move, plies: u32, window: Window, engine: &mut Engine<'_, R>) -> f64 {
        engine.recorder.open(Edge::Slide(mv));
        let value = engine.spawn_node(self.slides.after(mv), self.score_of(mv), plies - 1, 1.0, window);
        engine.is_given_up = false;
        value
    }
}

impl Objective {
    /// 1 where high values are good, else −1.
    pub const fn sign(self) -> f64 {
        if self.higher { 1.0 } else { -1.0 }
    }

    /// What may still change the choice when `best` is the best so far: all that is within the tolerance of it.
    pub(super) fn window(self, best: f64) -> Window {
        // A little further, so that what is exactly at the edge is exact.
        let slack = self.tolerance + best.abs() * ROUNDING * 4.0;
        if self.higher {
            Window { alpha: (best - slack).next_down(), ..Window::OPEN }
        } else {
            Window { beta: (best + slack).next_up(), ..Window::OPEN }
        }
    }
}

impl Important {
    fn new(k: u32, weights: &[f64]) -> Self {
        let mut cells: Vec<u32> = (0..weights.len() as u32).collect();
        // Stable: equal weights stay in reading order.
        cells.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
        Self { k, cells }
    }
}

/// Slots of the transposition table, as a power of two: more for deeper searches, as few as serve them, because what does
/// not fit the caches of a core has to be waited for.
fn table_bits(plies: &Plies) -> u32 {
    match plies {
        Plies::Fixed(0..=6) => 12,
        Plies::Fixed(7) => 14,
        _ => 16,
    }
}

//! A lookahead prepared for search, and the values of the moves at its root.

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

/// A lookahead prepared for one evaluator and one set of rules. Threads share it by reference.
#[derive(Debug)]
pub struct Search {
    pub definition: Definition,
    pub(super) evaluator: Compiled,
    pub(super) spawn: SpawnValue,
    pub(super) dead: Dead,
    pub(super) alpha_beta: bool,
    /// Nodes with a reach probability below this are not searched.
    pub(super) threshold: Option<f64>,
    pub(super) important: Option<Important>,
    /// Whether spawn nodes take the mean over all spawns.
    takes_means: bool,
    /// The ceilings of the evaluator, computed when a search first needs only the move, because it reads all lines of
    /// all tables.
    ceilings: OnceLock<Option<Ceilings>>,
    /// Whether only the worst spawns are considered.
    pub(super) worst: bool,
    /// The probabilities of a 2 and of a 4.
    pub(super) probability: [f64; 2],
    /// Which of the two tiles can come.
    pub(super) possible: [bool; 2],
    /// Whether the eight images of a board have the same value.
    pub(super) symmetric: bool,
    pub(super) uses_score: bool,
    /// Slots of the transposition table, as a power of two.
    table_bits: u32,
    /// The settings of a search by sampling. The settings of depth, cuts and spawn nodes then have no meaning.
    sampling: Option<Sampling>,
    plies: Plies,
    limits: Limits,
}

/// Minimum plies of a search that is split into pieces. A piece is an afterstate three plies below the root.
const LEAST_IN_PIECES: u32 = 4;

/// The limits of a search that deepens ply by ply.
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
    /// The cells by falling weight, as indices in reading order.
    pub(super) cells: Vec<u32>,
}

/// The objective at the root.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Objective {
    /// Whether high values are good.
    pub higher: bool,
    /// Values within this distance of the best matter as well and must be exact.
    pub tolerance: f64,
}

/// How a search runs. No value depends on these options.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions<'a> {
    pub stop: &'a CancelToken,
    pub cores: usize,
    /// How long the search runs alone before other threads join: several times the start-up time of a thread. On a busy
    /// machine threads may take a few milliseconds to start, and the search has to wait for the last of them.
    pub alone: Duration,
}

impl<'a> SearchOptions<'a> {
    pub fn on_one_core(stop: &'a CancelToken) -> Self {
        Self::on_cores(stop, 1)
    }

    pub fn on_cores(stop: &'a CancelToken, cores: usize) -> Self {
        Self {
            stop,
            cores,
            alone: Duration::from_micros(250),
        }
    }
}

impl Default for SearchOptions<'_> {
    /// Without interruption, on one core.
    fn default() -> Self {
        static NEVER: LazyLock<CancelToken> = LazyLock::new(CancelToken::new);
        Self::on_one_core(&NEVER)
    }
}

#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// The value of each requested move; 0 for the others.
    pub values: ByMove<f64>,
    pub bounds: ByMove<Bound>,
    pub plies: u32,
    /// Number of visited nodes, including leaves and the root.
    pub nodes: u64,
    /// How many of them belong to a depth that its limit ended and whose values were discarded.
    pub unfinished: u64,
    /// How many of all nodes were boards to move whose four slides were computed.
    pub turns: u64,
    /// Whether the search was stopped before its depth. The values are then invalid, unless the search deepens ply by
    /// ply.
    pub stopped: bool,
    /// The number of threads that shared the search, if there were several. Which nodes were looked up, and so the
    /// counts, then depend on timing.
    pub shared_by: Option<usize>,
    /// The results of the samples, if samples were drawn. The values are their means.
    pub playouts: Option<Arc<Playouts>>,
    /// The time of the search that made the move, if it was repeated to be recorded.
    pub as_played: Option<Duration>,
}

impl Search {
    /// Prepares a lookahead by depth that has passed [`Lookahead::check`]; `None` for others.
    pub fn new(
        evaluator: &Evaluator,
        lookahead: &Lookahead,
        rules: Rules,
        files: &dyn Resolver,
    ) -> Option<Self> {
        let plies = lookahead.plies()?.clone();
        let search = lookahead.depth_limited()?;
        let compiled = evaluator.compile(files);
        let probability = [1.0 - rules.p4, rules.p4];
        let takes_means = search.spawn == SpawnValue::Mean
            && rules.size == Size::FOUR
            && search
                .cuts
                .iter()
                .all(|cut| matches!(cut, Cut::Reach(_) | Cut::AlphaBeta));
        let important = search.cuts.iter().find_map(|cut| match cut {
            Cut::ImportantCells { k, weights } => Some(Important::new(*k, weights.values())),
            _ => None,
        });

        Some(Self {
            definition: Definition {
                evaluator: evaluator.clone(),
                lookahead: lookahead.clone(),
                rules,
            },
            spawn: search.spawn,
            dead: search.dead,
            // Bounds on means would need bounds on the evaluator.
            alpha_beta: lookahead.has_window(),
            threshold: lookahead.threshold(),
            probability,
            possible: probability.map(|probability| probability != 0.0),
            symmetric: evaluator.is_symmetric(rules.size)
                && important.is_none()
                && rules.size == Size::FOUR,
            uses_score: evaluator.uses_score(),
            important,
            takes_means,
            ceilings: OnceLock::new(),
            worst: lookahead.cuts().contains(&Cut::WorstSpawns),
            evaluator: compiled,
            sampling: None,
            table_bits: if lookahead.deepens() {
                16
            } else {
                table_bits(&plies)
            },
            plies,
            limits: Limits {
                time: search.time_ms.map(Duration::from_millis),
                nodes: search.nodes,
            },
        })
    }

    /// Prepares a lookahead by sampling that has passed [`Lookahead::check`]; `None` for others. `policy` makes the
    /// moves of its playouts.
    pub fn sampling(
        evaluator: &Evaluator,
        lookahead: &Lookahead,
        rules: Rules,
        files: &dyn Resolver,
        policy: Arc<dyn PlayOn>,
    ) -> Option<Self> {
        let spec = lookahead.sampled()?.clone();
        let plain = Lookahead::DepthLimited(DepthLimited {
            plies: Some(Plies::Fixed(1)),
            ..DepthLimited::default()
        });
        let search = Self::new(evaluator, &plain, rules, files)?;
        let definition = Definition {
            lookahead: lookahead.clone(),
            ..search.definition
        };
        // Sampling uses no table.
        Some(Self {
            definition,
            sampling: Some(Sampling { spec, policy }),
            table_bits: 0,
            ..search
        })
    }

    /// Why the evaluator has no values, if a file that it reads cannot be read.
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
    /// The score up to `board`.
    pub score: u64,
    pub objective: Objective,
    pub options: SearchOptions<'a>,
    pub table: Option<&'a Table>,
    /// Whether only the choice matters. The values of moves that cannot come within the tolerance of the best are then
    /// bounds.
    pub decides: bool,
}

impl<P: SearchBoard> Root<'_, P> {
    /// The values of the moves. The root is open in the recorder when the search begins; the recorder gets its
    /// children.
    #[inline(never)]
    pub fn search<R: Recorder>(&self, recorder: &mut R) -> SearchResult {
        let limits = self.search.limits;
        if self.options.stop.is_cancelled() {
            return SearchResult {
                stopped: true,
                ..SearchResult::default()
            };
        }
        if let Some(sampling) = &self.search.sampling {
            return self.sample(sampling, recorder);
        }

        // A limit in nodes must not depend on what an earlier search stored.
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

        // The timed search is not recorded and runs on one core, so that it goes as deep as in a game.
        let begun = Instant::now();
        let played = self.as_played().deepen(deepest, limits, &mut ());
        let as_played = Some(begun.elapsed());
        self.forget();
        let found = self.deepen(played.plies, Limits::default(), recorder);
        let (nodes, turns) = (found.nodes + played.unfinished, found.turns);
        SearchResult {
            nodes,
            turns,
            unfinished: played.unfinished,
            as_played,
            ..found
        }
    }

    /// The same decision as in a game, on one core.
    pub(super) fn as_played(&self) -> Self {
        Self {
            options: SearchOptions::on_one_core(self.options.stop),
            decides: true,
            ..*self
        }
    }

    pub(super) fn forget(&self) {
        if let Some(table) = self.table {
            table.clear();
        }
    }

    /// Deepens by one ply at a time and discards an unfinished depth. The first depth is always finished.
    fn deepen<R: Recorder>(&self, deepest: u32, limits: Limits, recorder: &mut R) -> SearchResult {
        let until = limits.time.map(|time| Instant::now() + time);
        let mut branch = recorder.apart();
        let mut best = self.at_depth(1, Budget::NONE, &mut branch);
        for plies in 2..=deepest {
            let nodes = limits
                .nodes
                .map_or(u64::MAX, |nodes| nodes.saturating_sub(best.nodes));
            let mut deeper = recorder.apart();
            let found = self.at_depth(plies, Budget { until, nodes }, &mut deeper);
            let (nodes, turns) = (best.nodes + found.nodes, best.turns + found.turns);
            if found.stopped {
                (best.nodes, best.turns, best.unfinished) = (nodes, turns, found.nodes);
                break;
            }
            (best, branch) = (
                SearchResult {
                    nodes,
                    turns,
                    ..found
                },
                deeper,
            );
        }

        best.stopped = self.options.stop.is_cancelled();
        recorder.graft(branch);
        best
    }

    pub(super) fn at_depth<R: Recorder>(
        &self,
        plies: u32,
        budget: Budget,
        recorder: &mut R,
    ) -> SearchResult {
        // Bounds pass from one move to the next, and limits apply to one core, as in batches.
        let is_one_chain = self.search.alpha_beta || !budget.is_none();
        if is_one_chain || self.options.cores < 2 || plies < LEAST_IN_PIECES {
            return self.in_turn(plies, budget, recorder);
        }
        let alone = self.options.alone;
        if alone.is_zero() {
            return self.in_pieces(plies, recorder);
        }

        let mut branch = recorder.apart();
        let begun = self.in_turn(
            plies,
            Budget {
                until: Some(Instant::now() + alone),
                ..Budget::NONE
            },
            &mut branch,
        );
        if !begun.stopped || self.options.stop.is_cancelled() {
            recorder.graft(branch);
            return begun;
        }
        drop(branch);
        if R::ON {
            // A record shows the search behind every looked-up value. Without a record, the table keeps its values.
            self.forget();
            return self.in_pieces(plies, recorder);
        }

        let found = self.in_pieces(plies, recorder);
        SearchResult {
            nodes: begun.nodes + found.nodes,
            turns: begun.turns + found.turns,
            ..found
        }
    }

    /// Searches one move after another, with bounds from one to the next.
    fn in_turn<R: Recorder>(&self, plies: u32, budget: Budget, recorder: &mut R) -> SearchResult {
        let mut engine = self.engine(0, plies, budget, recorder);
        let mut found = SearchResult {
            plies,
            ..SearchResult::default()
        };
        let mut best: Option<f64> = None;
        let (sorts, cuts) = (
            engine.sorts(plies),
            self.search.alpha_beta || (engine.gives_up() && self.objective.higher),
        );

        for mv in spawn_order::slides::<P>(self.search, self.slides, self.moves, self.score, sorts)
        {
            let window = match best {
                // Leaves are evaluated whatever the window.
                Some(best) if cuts && 1 < plies => self.objective.window(best),
                _ => Window::OPEN,
            };
            let value = self.one(mv, plies, window, &mut engine);
            let bound = window.bound(value);
            found.values[mv] = value;
            found.bounds[mv] = bound;
            let better = if self.objective.higher {
                f64::max
            } else {
                f64::min
            };
            if bound == Bound::Exact {
                best = Some(best.map_or(value, |best| better(best, value)));
            }
        }

        (found.nodes, found.turns, found.stopped) =
            (engine.visited + 1, engine.turns + 1, engine.halted);
        found
    }

    /// The search of one thread.
    #[inline(always)]
    pub(super) fn engine<'b, R: Recorder>(
        &'b self,
        thread: usize,
        plies: u32,
        budget: Budget,
        recorder: &'b mut R,
    ) -> Engine<'b, R> {
        let (empty, ceiling) = (self.board.empty_count(), self.ceiling(plies));
        let table = self
            .table
            .filter(|_| engine::keeps(plies))
            .map(|table| table.view(thread));
        Engine::new(
            self.search,
            table,
            self.options.stop,
            plies,
            empty,
            budget,
            recorder,
        )
        .under(ceiling)
    }

    /// An upper limit of all values if only values that matter are wanted, otherwise infinity.
    fn ceiling(&self, plies: u32) -> f64 {
        let search = self.search;
        // A limit in nodes must have the same effect whether all values are wanted or not.
        let may_give_up = search.takes_means && search.limits.nodes.is_none();
        if !(self.decides && LEAST_GIVEN_UP < plies && may_give_up) {
            return f64::INFINITY;
        }
        let ceilings = search.ceilings.get_or_init(|| search.evaluator.ceilings());
        let Some(ceilings) = ceilings else {
            return f64::INFINITY;
        };
        let Some(lasting) = Lasting::of(&self.board.to_board(), plies / 2) else {
            return f64::INFINITY;
        };
        // A dead board may be worth more than all others.
        ceilings.above(lasting).max(0.0)
    }

    /// The score after a move.
    pub(super) fn score_of(&self, mv: Move) -> u64 {
        self.score.saturating_add(u64::from(self.slides.reward(mv)))
    }

    pub(super) fn one<R: Recorder>(
        &self,
        mv: Move,
        plies: u32,
        window: Window,
        engine: &mut Engine<'_, R>,
    ) -> f64 {
        engine.recorder.open(Edge::Slide(mv));
        let value = engine.spawn_node(
            self.slides.after(mv),
            self.score_of(mv),
            plies - 1,
            1.0,
            window,
        );
        engine.is_given_up = false;
        value
    }
}

impl Objective {
    /// 1 if high values are good, otherwise −1.
    pub const fn sign(self) -> f64 {
        if self.higher { 1.0 } else { -1.0 }
    }

    /// The values that may still change the choice, given the best so far: all within the tolerance of it.
    pub(super) fn window(self, best: f64) -> Window {
        // Slightly wider, so that a value exactly at the edge is exact.
        let slack = self.tolerance + best.abs() * ROUNDING * 4.0;
        if self.higher {
            Window {
                alpha: (best - slack).next_down(),
                ..Window::OPEN
            }
        } else {
            Window {
                beta: (best + slack).next_up(),
                ..Window::OPEN
            }
        }
    }
}

impl Important {
    fn new(k: u32, weights: &[f64]) -> Self {
        let mut cells: Vec<u32> = (0..weights.len() as u32).collect();
        // A stable sort keeps equal weights in reading order.
        cells.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
        Self { k, cells }
    }
}

/// Slots of the transposition table, as a power of two. Deeper searches get more, but only as many as help: access to
/// memory beyond a core's caches is slow.
fn table_bits(plies: &Plies) -> u32 {
    match plies {
        Plies::Fixed(0..=6) => 12,
        Plies::Fixed(7) => 14,
        _ => 16,
    }
}

//! The search itself: one function for each kind of node.
//!
//! Values are those of the recursion of the [module](super) in `f64`. What makes it fast does not change them: boards are
//! turned to one of eight images only where the evaluator does not mind and before anything is computed from them, and the
//! last plies are looked up line by line without making boards (`last_plies`).

use std::cmp::Reverse;
use std::time::Instant;

use super::board::{Cells, SearchBoard};
use super::last_plies::{LastSlides, LastSpawn, LineValues, NO_SLIDES, look_up_afterstates, look_up_slides};
use super::recorder::{Bound, Edge, End, Ranked, Recorder, Stub};
use super::rule::Rule;
use super::table::{Key, Reachable, Stored, Table};
use super::worst::harm;
use super::{Important, Search, SpawnValue};
use crate::evaluator::{LineTables, SnakeTable};
use crate::game::{ByMove, Cell, Crossed, Grid, Move, Moves, Rank, Rows, Slides as _};
use crate::network::Network;
use crate::task::CancelToken;

const TILES: [Rank; 2] = [Rank::TWO, Rank::FOUR];

/// Nodes between two looks at the flag and the clock: some tens of microseconds.
const NODES_A_LOOK: u64 = 2048;

/// Fewest plies left for which the transposition table keeps values: below, searching again is as fast as looking up.
const LEAST_KEPT: u32 = 2;

/// Fewest plies left for which turned boards count as one: all that are kept, so that below a turned board no other key
/// is in use than the one of the board that stands for all eight.
pub(super) const LEAST_TURNED: u32 = LEAST_KEPT;

/// Fewest empty cells at the root for which turned boards count as one. Below, hardly any two boards of a search are
/// symmetric to each other, and turning them all costs a tenth of the time.
const LEAST_EMPTY_TO_TURN: u32 = 12;

/// A probability below a threshold is one by more than rounding.
pub(super) const BELOW: f64 = 1.0 - 1e-12;

/// What is of interest to the root: values at most `alpha` or at least `beta` need not be exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    pub(super) const OPEN: Self = Self { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };

    /// Of which kind a value is that was found with this window.
    pub(super) fn bound(self, value: f64) -> Bound {
        if value <= self.alpha {
            Bound::Upper
        } else if self.beta <= value {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }
}

/// When a search ends before its depth is reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) until: Option<Instant>,
    pub(super) nodes: u64,
}

impl Budget {
    pub(super) const NONE: Self = Self { until: None, nodes: u64::MAX };
}

/// How far the reach probabilities below a node are from the threshold.
#[derive(Clone, Copy, Debug)]
struct Span {
    searched: f64,
    cut: f64,
}

impl Span {
    const NONE: Self = Self { searched: f64::INFINITY, cut: 0.0 };

    fn join(self, other: Self) -> Self {
        Self { searched: self.searched.min(other.searched), cut: self.cut.max(other.cut) }
    }

    /// For which probabilities of the node, now `reach`, everything below stays on its side, a little less for rounding.
    fn reachable(self, reach: f64, threshold: f64) -> Reachable {
        const MARGIN: f64 = 1e-6;
        Reachable {
            low: (reach * threshold / self.searched * (1.0 + MARGIN)) as f32,
            high: (reach * threshold / self.cut * (1.0 - MARGIN)) as f32,
        }
    }

    /// The span of a stored node that is reached with probability `reach`.
    fn of(stored: Reachable, reach: f64, threshold: f64) -> Self {
        Self { searched: reach * threshold / f64::from(stored.low), cut: reach * threshold / f64::from(stored.high) }
    }
}

#[derive(Clone, Copy)]
struct Spawns {
    cells: Cells,
    count: u32,
    score: u64,
    plies: u32,
    reach: f64,
    window: Window,
}

/// The larger of two numbers; `f64::max` would also look for NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

pub(super) struct Engine<'a, R> {
    pub(super) search: &'a Search,
    pub(super) table: Option<&'a Table>,
    pub(super) stop: &'a CancelToken,
    pub(super) budget: Budget,
    pub(super) recorder: &'a mut R,
    /// Nodes so far, leaves included.
    pub(super) visited: u64,
    /// Boards to move among them that were slid, which is not done at the end of the depth.
    pub(super) turns: u64,
    /// The next count of nodes at which to look at flag and clock.
    next_look: u64,
    /// Whether it was stopped; values are then void.
    pub(super) halted: bool,
    span: Span,
    rows: &'static Rows,
    /// The evaluator, if it is nothing but lines, and its table, if it is one for all of them.
    lines: Option<&'a LineTables>,
    one_table: Option<&'a [f64; 1 << 16]>,
    /// The evaluator, if it is [`Evaluator::Snake`](crate::evaluator::Evaluator::Snake).
    snake: Option<&'static SnakeTable>,
    /// The evaluator, if it is a network of which every leaf is wanted.
    network: Option<&'a Network>,
    /// What [`look_up_slides`] fills; no node that needs it stands above another.
    last_slides: LastSlides,
    turned: bool,
    /// Most plies left for which the table keeps values: at the children of the root nothing has been seen before.
    most_kept: u32,
}

impl<'a, R: Recorder> Engine<'a, R> {
    pub(super) fn new(
        search: &'a Search,
        table: Option<&'a Table>,
        stop: &'a CancelToken,
        plies: u32,
        empty: u32,
        budget: Budget,
        recorder: &'a mut R,
    ) -> Self {
        Self {
            search,
            table,
            stop,
            budget,
            recorder,
            visited: 0,
            turns: 0,
            next_look: NODES_A_LOOK.min(budget.nodes),
            halted: false,
            span: Span::NONE,
            rows: Rows::shared(),
            lines: search.evaluator.lines(),
            one_table: search.evaluator.lines().and_then(LineTables::is_uniform),
            snake: search.evaluator.snake(),
            network: search.evaluator.network().filter(|_| !search.alpha_beta && !search.worst),
            last_slides: NO_SLIDES,
            turned: search.symmetric && LEAST_EMPTY_TO_TURN <= empty,
            most_kept: plies.saturating_sub(3),
        }
    }

    /// Looks whether to go on; the work between two looks is small.
    #[inline(always)]
    fn look(&mut self) {
        if self.next_look <= self.visited {
            self.look_now();
        }
    }

    #[cold]
    fn look_now(&mut self) {
        self.next_look = (self.visited + NODES_A_LOOK).min(self.budget.nodes);
        let late = self.budget.until.is_some_and(|until| until <= Instant::now());
        self.halted |= late || self.budget.nodes <= self.visited || self.stop.is_cancelled();
    }

    /// The player's turn: the best slide. `plies` is at least 1.
    pub(super) fn max_node<P: SearchBoard>(
        &mut self,
        board: P,
        score: u64,
        plies: u32,
        reach: f64,
        window: Window,
    ) -> f64 {
        let Some(slides) = board.slides(self.rows) else {
            // Two 32768 may merge: on from here where every tile fits.
            return self.max_node::<Grid>(board.to_grid(), score, plies, reach, window);
        };
        self.visited += 1;
        self.turns += 1;
        let legal = slides.legal();
        if legal.is_empty() {
            let value = self.search.dead_value(board, score);
            self.recorder.close(End::exact(value, Rule::Dead));
            return value;
        }
        if plies == 1 {
            let values = P::values_by(&slides, &self.search.evaluator, legal, score).to_real();
            self.visited += legal.len() as u64;
            let values = Move::ALL.map(|mv| if legal.contains(mv) { values[mv] } else { f64::NEG_INFINITY });
            return self.best_leaf(values, Rule::Evaluated);
        }
        let mut best = self.search.dead.least_of_slides();
        let mut left = self.order::<P>(&slides, legal, score, plies);
        let mut inner = window;
        let images = self.images::<P>(&slides, legal, score, plies - 1, reach);
        let mut searched = 0;
        while let Some(mv) = left.next() {
            searched += 1;
            let score = score.saturating_add(u64::from(slides.reward(mv)));
            self.recorder.open(Edge::Slide(mv));
            if R::ON && self.turns(plies - 1) {
                self.recorder.turn(slides.after(mv).to_canonical());
            }
            best = best.max(self.spawn_node(images[mv], score, plies - 1, reach, inner));
            if self.search.alpha_beta {
                inner.alpha = inner.alpha.max(best);
                if inner.beta <= best {
                    self.tell_cut_off(inner, searched, left.map(Edge::Slide));
                    break;
                }
            }
        }
        self.recorder.close(End { value: best, rule: Rule::MaxOf, bound: window.bound(best) });
        best
    }

    /// Whether afterstates with so many plies left are searched turned to the image that stands for all eight.
    #[inline(always)]
    fn turns(&self, plies: u32) -> bool {
        self.turned && LEAST_TURNED <= plies
    }

    pub(super) fn is_turned(&self) -> bool {
        self.turned
    }

    /// Whether a node is reached so seldom that it is evaluated where it stands.
    pub(super) fn is_improbable(&self, reach: f64) -> bool {
        self.search.threshold.is_some_and(|threshold| reach < threshold * BELOW)
    }

    #[inline(always)]
    fn key<P: SearchBoard>(&self, after: P, score: u64, plies: u32, reach: f64) -> Key {
        let is_cheap = plies == 2
            || self.search.threshold.is_some_and(|threshold| {
                reach * self.search.probability[0] < threshold * f64::from(after.empty_count())
            });
        Key { board: after.key(), score: if self.search.uses_score { score as u32 } else { 0 }, plies, is_cheap }
    }

    /// The afterstates as they are searched. Their places in the table are asked for at once: none waits for another.
    #[inline(always)]
    fn images<P: SearchBoard>(
        &self,
        slides: &P::Slides,
        legal: Moves,
        score: u64,
        plies: u32,
        reach: f64,
    ) -> ByMove<P> {
        let turns = self.turns(plies);
        let images = ByMove::from_fn(|mv| {
            let after = slides.after(mv);
            if turns { after.canonical() } else { after }
        });
        if let Some(table) = self.table_for::<P>(plies) {
            for mv in legal {
                table.touch(self.key(images[mv], score + u64::from(slides.reward(mv)), plies, reach));
            }
        }
        images
    }

    /// The table, if it keeps nodes with so many plies left.
    #[inline(always)]
    fn table_for<P: SearchBoard>(&self, plies: u32) -> Option<&'a Table> {
        self.table.filter(|_| P::HAS_KEYS && LEAST_KEPT <= plies && plies <= self.most_kept)
    }

    pub(super) fn spawn_node<P: SearchBoard>(
        &mut self,
        after: P,
        score: u64,
        plies: u32,
        reach: f64,
        window: Window,
    ) -> f64 {
        self.visited += 1;
        self.look();
        if self.halted {
            self.recorder.close(End::exact(f64::NAN, Rule::Evaluated));
            return 0.0;
        }
        if plies == 0 {
            return self.leaf(after, score, Rule::Evaluated);
        }
        if let Some(threshold) = self.search.threshold {
            if reach < threshold * BELOW {
                self.span.cut = self.span.cut.max(reach);
                return self.leaf(after, score, Rule::TooImprobable);
            }
            self.span.searched = self.span.searched.min(reach);
        }
        let Some(table) = self.table_for::<P>(plies) else {
            let value = self.spawns(after, score, plies, reach, window);
            self.recorder.close(End { value, rule: Rule::of_spawns(self.search.spawn), bound: window.bound(value) });
            return value;
        };
        let key = self.key(after, score, plies, reach);
        if let Some(stored) = table.get(key, reach) {
            let enough = match stored.bound {
                Bound::Exact => true,
                Bound::Upper => stored.value <= window.alpha,
                Bound::Lower => window.beta <= stored.value,
            };
            if enough {
                if let Some(threshold) = self.search.threshold {
                    self.span = self.span.join(Span::of(stored.reach, reach, threshold));
                }
                self.recorder.close(End { value: stored.value, rule: Rule::Stored, bound: stored.bound });
                return stored.value;
            }
        }
        let outer = std::mem::replace(&mut self.span, Span { searched: reach, ..Span::NONE });
        let value = self.spawns(after, score, plies, reach, window);
        let bound = window.bound(value);
        if !self.halted {
            let reach = match self.search.threshold {
                Some(threshold) => self.span.reachable(reach, threshold),
                None => Reachable::ALL,
            };
            if R::ON {
                self.recorder.stored(table.collides(key));
            }
            table.put(key, Stored { value, bound, reach });
        }
        self.span = self.span.join(outer);
        self.recorder.close(End { value, rule: Rule::of_spawns(self.search.spawn), bound });
        value
    }

    #[inline(always)]
    fn spawns<P: SearchBoard>(&mut self, after: P, score: u64, plies: u32, reach: f64, window: Window) -> f64 {
        let empty = after.empty_cells();
        let (cells, count) = match &self.search.important {
            Some(important) => {
                let cells = self.important_cells(important, empty, plies);
                (cells, cells.len())
            }
            // Counted before: not every processor counts bits in one step.
            None => (empty, after.empty_count()),
        };
        self.recorder.spawns(count);
        let spawns = Spawns { cells, count, score, plies, reach, window };
        if let Some(after) = after.as_crossed() {
            let value =
                match (self.one_table, self.lines, self.snake) {
                    (Some(table), ..) => self.last_spawns(after, table, spawns),
                    (None, Some(lines), _) => self.last_spawns(after, lines, spawns),
                    (None, None, Some(snake)) if plies == 1 => {
                        let paths = snake.paths(after);
                        Some(self.leaves::<Crossed>(after, spawns, |cell, rank| {
                            paths.with_tile(cell as usize, rank).value()
                        }))
                    }
                    (None, None, _) => self.network.filter(|_| plies != 1).and_then(|network| {
                        self.last_turns(after, spawns, |tiles, rows, values| {
                            let to_come = |afterstate| network.to_come_of(afterstate);
                            look_up_afterstates(after, spawns.cells, tiles, score, to_come, rows, values)
                        })
                    }),
                };
            if let Some(value) = value {
                return value;
            }
        }
        if plies == 1 {
            let evaluator = &self.search.evaluator;
            return self
                .leaves::<P>(after, spawns, |cell, rank| after.with_tile_at(cell, rank).value_by(evaluator, score));
        }
        self.back_up(after, spawns, |engine, cell, rank, reach, window| {
            engine.max_node(after.with_tile_at(cell, rank), score, plies - 1, reach, window)
        })
    }

    #[inline(always)]
    fn leaves<P: SearchBoard>(&mut self, after: P, spawns: Spawns, value: impl Fn(u32, Rank) -> f64) -> f64 {
        self.back_up(after, spawns, |engine, cell, rank, _, _| {
            let value = value(cell, rank);
            engine.visited += 1;
            engine.recorder.close(End::exact(value, Rule::Evaluated));
            value
        })
    }

    /// A spawn node whose boards, or the slides after them, are leaves, by lines; `None` for others.
    #[inline(always)]
    fn last_spawns<L: LineValues>(&mut self, after: Crossed, lines: L, spawns: Spawns) -> Option<f64> {
        if spawns.plies == 1 {
            let last = LastSpawn::new(after, lines);
            return Some(self.leaves::<Crossed>(after, spawns, |cell, rank| last.value(cell, rank)));
        }
        self.last_turns(after, spawns, |tiles, rows, values| {
            look_up_slides(after, spawns.cells, tiles, lines, rows, values)
        })
    }

    /// A spawn node some of whose boards have slides that are leaves, which are looked up for these tiles; `None` for others.
    #[inline(always)]
    fn last_turns(
        &mut self,
        after: Crossed,
        spawns: Spawns,
        look_up: impl FnOnce([bool; 2], &Rows, &mut LastSlides) -> Option<u32>,
    ) -> Option<f64> {
        // By tile, whether the slides after it are leaves.
        let (rule, ends) = match self.search.threshold {
            _ if spawns.plies == 2 => (Rule::Evaluated, self.search.possible),
            Some(threshold) => {
                let count = f64::from(spawns.count);
                let ends = self.search.probability.map(|probability| {
                    let reach = spawns.reach * probability / count;
                    let is_cut = probability != 0.0 && reach < threshold * BELOW;
                    if is_cut {
                        self.span.cut = self.span.cut.max(reach);
                    }
                    is_cut
                });
                (Rule::TooImprobable, ends)
            }
            None => return None,
        };
        if ends == [false; 2] {
            return None;
        }
        let legal = look_up(ends, self.rows, &mut self.last_slides)?;
        let boards = spawns.count * (u32::from(ends[0]) + u32::from(ends[1]));
        self.visited += u64::from(boards + legal);
        self.turns += u64::from(boards);
        if ends == self.search.possible {
            return Some(self.back_up(after, spawns, |engine, cell, rank, _, _| {
                let values = engine.last_slides[cell as usize & 15][usize::from(rank == Rank::FOUR)];
                engine.last_max_node(after.with_tile_at(cell, rank), spawns.score, values, rule)
            }));
        }
        // The others are searched, and what was looked up would be overwritten.
        let looked_up = self.last_slides;
        Some(self.back_up(after, spawns, |engine, cell, rank, reach, window| {
            let tile = usize::from(rank == Rank::FOUR);
            let board = after.with_tile_at(cell, rank);
            if ends[tile] {
                engine.last_max_node(board, spawns.score, looked_up[cell as usize & 15][tile], rule)
            } else {
                engine.max_node(board, spawns.score, spawns.plies - 1, reach, window)
            }
        }))
    }

    /// A board to move whose slides have been looked up; −∞ stands for those that are not legal.
    #[inline(always)]
    fn last_max_node(&mut self, board: Crossed, score: u64, values: [f64; 4], rule: Rule) -> f64 {
        if values == [f64::NEG_INFINITY; 4] {
            let value = self.search.dead_value(board, score);
            self.recorder.close(End::exact(value, Rule::Dead));
            return value;
        }
        self.best_leaf(values, rule)
    }

    /// The best of slides whose values are known; −∞ stands for those that are not legal.
    #[inline(always)]
    fn best_leaf(&mut self, values: [f64; 4], rule: Rule) -> f64 {
        if R::ON {
            for (mv, value) in Move::ALL.into_iter().zip(values) {
                if value != f64::NEG_INFINITY {
                    self.recorder.leaf(Edge::Slide(mv), End::exact(value, rule));
                }
            }
        }
        let [a, b, c, d] = values;
        let best = larger(larger(larger(a, b), larger(c, d)), self.search.dead.least_of_slides());
        // Looked up together, they are all exact.
        self.recorder.close(End::exact(best, Rule::MaxOf));
        best
    }

    /// The value of a spawn node, `value` being that of the board with a tile of this rank on this cell.
    #[inline(always)]
    fn back_up<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: Spawns,
        value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        match self.search.spawn {
            SpawnValue::Min => self.least_of_spawns(after, spawns, value),
            SpawnValue::MeanOfMin => self.mean_of_least(spawns, value),
            _ => self.mean_of_spawns(spawns, value),
        }
    }

    #[inline(always)]
    fn mean_of_spawns(
        &mut self,
        spawns: Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let probability = self.search.probability;
        let count = f64::from(spawns.count);
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for cell in spawns.cells {
            let mut mean = 0.0;
            for (rank, probability) in TILES.into_iter().zip(probability) {
                if probability == 0.0 {
                    continue;
                }
                self.recorder.open(Edge::Spawn { cell: cell as u8, rank: rank.get() });
                mean += probability * value(self, cell, rank, spawns.reach * probability / count, Window::OPEN);
            }
            match self.search.spawn {
                SpawnValue::Mean | SpawnValue::Sum => sum += mean,
                _ => least = smaller(least, mean),
            }
        }
        match self.search.spawn {
            SpawnValue::Mean => sum / count,
            SpawnValue::Sum => sum,
            _ => least,
        }
    }

    /// The mean over 2 and 4 of the least over the cells.
    #[inline(always)]
    fn mean_of_least(
        &mut self,
        spawns: Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let probability = self.search.probability;
        let count = f64::from(spawns.count);
        let mut least = [f64::INFINITY; 2];
        for cell in spawns.cells {
            for ((rank, probability), least) in TILES.into_iter().zip(probability).zip(&mut least) {
                if probability == 0.0 {
                    continue;
                }
                self.recorder.open(Edge::Spawn { cell: cell as u8, rank: rank.get() });
                *least = smaller(*least, value(self, cell, rank, spawns.reach * probability / count, Window::OPEN));
            }
        }
        // What cannot come counts nothing, however large.
        probability
            .into_iter()
            .zip(least)
            .filter(|(chance, _)| *chance != 0.0)
            .map(|(chance, least)| chance * least)
            .sum()
    }

    #[inline(always)]
    fn least_of_spawns<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: Spawns,
        value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        if self.search.worst {
            let boards = self.worst_spawns(after, spawns.cells);
            self.least_in_order(boards, spawns, value)
        } else if self.search.alpha_beta && LEAST_SORTED <= spawns.plies {
            let boards = self.sorted_spawns(after, spawns.cells, spawns.score);
            self.least_in_order(boards, spawns, value)
        } else {
            self.least_in_order(EachSpawn::on(spawns.cells, self.search.possible), spawns, value)
        }
    }

    /// The least value of the boards with these spawns.
    #[inline(always)]
    fn least_in_order(
        &mut self,
        mut boards: impl Iterator<Item = Spawn>,
        spawns: Spawns,
        mut value: impl FnMut(&mut Self, u32, Rank, f64, Window) -> f64,
    ) -> f64 {
        let count = f64::from(spawns.count);
        let mut least = f64::INFINITY;
        let mut inner = spawns.window;
        let mut searched = 0;
        while let Some(spawn) = boards.next() {
            searched += 1;
            self.recorder.open(spawn.edge());
            let probability = self.search.probability[usize::from(spawn.is_four())] / count;
            least = smaller(least, value(self, spawn.cell(), spawn.rank(), spawns.reach * probability, inner));
            if self.search.alpha_beta {
                inner.beta = inner.beta.min(least);
                if least <= inner.alpha {
                    self.tell_cut_off(inner, searched, boards.map(Spawn::edge));
                    break;
                }
            }
        }
        least
    }

    /// Says what is left when α has reached β after so many children.
    #[inline(always)]
    fn tell_cut_off(&mut self, at: Window, searched: u32, left: impl Iterator<Item = Edge>) {
        if !R::ON {
            return;
        }
        let mut left = left.peekable();
        // After the last child nothing is cut.
        if left.peek().is_some() {
            self.recorder.cut_off(searched == 1);
        }
        let stub = Stub::OutOfBounds { alpha: at.alpha, beta: at.beta };
        left.for_each(|edge| self.recorder.stub(edge, stub));
    }

    #[inline(always)]
    pub(super) fn leaf<P: SearchBoard>(&mut self, board: P, score: u64, rule: Rule) -> f64 {
        let value = board.value_by(&self.search.evaluator, score);
        self.recorder.close(End::exact(value, rule));
        value
    }

    /// The cells on which spawns are considered; the others are told to the recorder.
    pub(super) fn important_cells(&mut self, important: &Important, empty: Cells, plies: u32) -> Cells {
        let considered = plies.div_ceil(2).min(empty.len()).min(important.k);
        let by_weight = important.cells.iter().copied().filter(|&cell| empty.contains(cell));
        let mut bits = 0;
        for (place, cell) in by_weight.enumerate() {
            if (place as u32) < considered {
                bits |= 1 << cell;
            } else if R::ON {
                let (rank, considered) = (place as u8 + 1, considered as u8);
                let stub = Stub::Unimportant { rank, considered, of: Ranked::Cells };
                for spawn in EachSpawn::on(Cells::from_bits(1 << cell), self.search.possible) {
                    self.recorder.stub(spawn.edge(), stub);
                }
            }
        }
        Cells::from_bits(bits)
    }
}

/// The place of a cell in reading order, twice, and one more for a 4: small, because fifty of them are sorted.
#[derive(Clone, Copy)]
pub(super) struct Spawn(u8);

impl Spawn {
    #[inline(always)]
    pub(super) fn cell(self) -> u32 {
        u32::from(self.0 >> 1)
    }

    #[inline(always)]
    fn is_four(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline(always)]
    pub(super) fn rank(self) -> Rank {
        if self.is_four() { Rank::FOUR } else { Rank::TWO }
    }

    #[inline(always)]
    pub(super) fn edge(self) -> Edge {
        Edge::Spawn { cell: self.0 >> 1, rank: self.rank().get() }
    }
}

/// The tiles that may come on each cell, in reading order.
pub(super) struct EachSpawn {
    left: Cells,
    last: Spawn,
    /// The first tile of a cell and the last, 1 for a 4.
    ends: [u8; 2],
}

impl EachSpawn {
    #[inline(always)]
    pub(super) fn on(cells: Cells, [two, four]: [bool; 2]) -> Self {
        Self { left: cells, last: Spawn(u8::from(four)), ends: [u8::from(!two), u8::from(four)] }
    }
}

impl Iterator for EachSpawn {
    type Item = Spawn;

    #[inline(always)]
    fn next(&mut self) -> Option<Spawn> {
        let [first, last] = self.ends;
        self.last.0 = if self.last.0 & 1 == last { self.left.next()? as u8 * 2 + first } else { self.last.0 + 1 };
        Some(self.last)
    }
}

/// Alpha-beta cuts the more the earlier the best is seen. Nodes that are deep enough for it look at their children
/// through the evaluator first.
const LEAST_SORTED: u32 = 3;

impl<R: Recorder> Engine<'_, R> {
    /// The slides as they are searched.
    #[inline(always)]
    pub(super) fn order<P: SearchBoard>(
        &self,
        slides: &P::Slides,
        left: Moves,
        score: u64,
        plies: u32,
    ) -> impl Iterator<Item = Move> + use<P, R> {
        let mut ordered = [Move::Up; 4];
        let mut len = 0;
        for mv in left {
            ordered[len] = mv;
            len += 1;
        }
        if self.search.alpha_beta && LEAST_SORTED <= plies {
            let values: ByMove<f64> = P::values_by(slides, &self.search.evaluator, left, score).to_real();
            ordered[..len].sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        }
        ordered.into_iter().take(len)
    }

    /// Those that look worst, in reading order; the others are told to the recorder.
    #[inline(never)]
    pub(super) fn worst_spawns<P: SearchBoard>(
        &mut self,
        after: P,
        cells: Cells,
    ) -> impl Iterator<Item = Spawn> + use<P, R> {
        let board = after.to_board();
        let mut ranked: Vec<(i32, Spawn)> = EachSpawn::on(cells, self.search.possible)
            .map(|spawn| (harm(&board, Cell::at(spawn.cell() as usize, board.size()), spawn.rank()), spawn))
            .collect();
        // Stable: equals stay in reading order.
        ranked.sort_by_key(|&(harm, _)| Reverse(harm));
        let considered = ranked.iter().take_while(|(harm, _)| *harm == ranked[0].0).count();
        if R::ON {
            // Equals share a rank, so that a turned board has the same.
            for (harm, spawn) in &ranked[considered..] {
                let rank = ranked.partition_point(|(other, _)| harm < other) as u8 + 1;
                let stub = Stub::Unimportant { rank, considered: considered as u8, of: Ranked::Spawns };
                self.recorder.stub(spawn.edge(), stub);
            }
        }
        ranked.into_iter().take(considered).map(|(_, spawn)| spawn)
    }

    /// The least first, equals in reading order.
    #[inline(never)]
    fn sorted_spawns<P: SearchBoard>(
        &self,
        after: P,
        cells: Cells,
        score: u64,
    ) -> impl Iterator<Item = Spawn> + use<P, R> {
        let mut valued = [(0.0, Spawn(0)); 50];
        let mut len = 0;
        for (keyed, spawn) in valued.iter_mut().zip(EachSpawn::on(cells, self.search.possible)) {
            let board = after.with_tile_at(spawn.cell(), spawn.rank());
            *keyed = (board.value_by(&self.search.evaluator, score), spawn);
            len += 1;
        }
        valued[..len].sort_by(|a, b| a.0.total_cmp(&b.0));
        valued.into_iter().take(len).map(|(_, spawn)| spawn)
    }
}

//! The search itself: one function for each kind of node.
//!
//! Values are those of the recursion of the [module](super) in `f64`. The optimizations do not change them. A board is
//! replaced by one of its eight images only if the evaluator is symmetric, and before anything is computed from it. The
//! last plies are looked up line by line without making boards (`slides`).

mod ahead;
mod back_up;
mod last;
mod line_values;
mod slides;

use std::time::Instant;

use super::Search;
use super::board::{Cells, SearchBoard};
use super::recorder::{Bound, Edge, End, Recorder};
use super::rule::Rule;
use super::spawn_order::{self, LEAST_SORTED, Spawn};
use super::table::{Key, Reachable, Stored, View};
use crate::evaluator::ByLines;
use crate::game::{ByMove, Grid, Move, Moves, Rank, Rows, Slides as _, SpreadRows};
use crate::network::Network;
use crate::task::CancelToken;
use line_values::larger;
use slides::LastSlides;

const TILES: [Rank; 2] = [Rank::TWO, Rank::FOUR];

/// Nodes between two checks of the flag and the clock: some tens of microseconds.
const NODES_A_LOOK: u64 = 2048;

/// Minimum plies left for which the transposition table stores values. Below, searching again is as fast as a lookup.
const LEAST_KEPT: u32 = 2;

/// Maximum plies left for which the table stores values, in a search of `plies` plies. The children of the root cannot
/// have been seen before.
const fn most_kept(plies: u32) -> u32 {
    plies.saturating_sub(3)
}

/// Whether a search of this many plies stores any value.
pub(super) const fn keeps(plies: u32) -> bool {
    LEAST_KEPT <= most_kept(plies)
}

/// Minimum plies left for which images of a board count as equal. This covers all stored nodes, so below a turned board
/// the table only has keys of the canonical image.
pub(super) const LEAST_TURNED: u32 = LEAST_KEPT;

/// Minimum number of empty cells at the root for which images of a board count as equal. With fewer, hardly any two
/// boards of a search are images of each other, and turning all boards costs a tenth of the time.
const LEAST_EMPTY_TO_TURN: u32 = 12;

/// Only a search of more plies gives up spawn nodes before all of their spawns are searched. In shorter searches most
/// spawns are looked up at once, faster than a check after each.
pub(super) const LEAST_GIVEN_UP: u32 = 3;

/// A probability counts as below a threshold only if the difference exceeds rounding.
pub(super) const BELOW: f64 = 1.0 - 1e-12;

/// The values that matter to the root: values at most `alpha` or at least `beta` need not be exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: f64,
    pub(super) beta: f64,
}

impl Window {
    pub(super) const OPEN: Self = Self {
        alpha: f64::NEG_INFINITY,
        beta: f64::INFINITY,
    };

    /// Whether a value that was found with this window is exact or a bound.
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

/// The limits at which a search ends before its depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) until: Option<Instant>,
    pub(super) nodes: u64,
}

impl Budget {
    pub(super) const NONE: Self = Self {
        until: None,
        nodes: u64::MAX,
    };

    pub(super) const fn is_none(self) -> bool {
        self.until.is_none() && self.nodes == u64::MAX
    }
}

/// The distance of the reach probabilities below a node from the threshold: the least that was searched, and the
/// largest that was cut.
#[derive(Clone, Copy, Debug)]
struct Span {
    searched: f64,
    cut: f64,
}

impl Span {
    const NONE: Self = Self {
        searched: f64::INFINITY,
        cut: 0.0,
    };

    fn join(self, other: Self) -> Self {
        Self {
            searched: self.searched.min(other.searched),
            cut: self.cut.max(other.cut),
        }
    }

    /// The probabilities of the node for which everything below it stays on the same side of the threshold, with a
    /// margin for rounding. `reach` is its probability now.
    fn reachable(self, reach: f64, threshold: f64) -> Reachable {
        const MARGIN: f64 = 1e-6;
        Reachable {
            low: (reach * threshold / self.searched * (1.0 + MARGIN)) as f32,
            high: (reach * threshold / self.cut * (1.0 - MARGIN)) as f32,
        }
    }

    /// The span of a stored node that is now reached with probability `reach`.
    fn of(stored: Reachable, reach: f64, threshold: f64) -> Self {
        Self {
            searched: reach * threshold / f64::from(stored.low),
            cut: reach * threshold / f64::from(stored.high),
        }
    }
}

/// A spawn node.
#[derive(Clone, Copy)]
pub(super) struct Spawns {
    /// The cells on which tiles are considered, and their number.
    pub(super) cells: Cells,
    pub(super) count: u32,
    pub(super) score: u64,
    pub(super) plies: u32,
    pub(super) reach: f64,
    window: Window,
}

impl Spawns {
    /// The reach probability of the board with a new tile, multiplied in the same order as in the record so that both
    /// round alike.
    #[inline(always)]
    pub(super) fn reach_after(&self, spawn: Spawn, probability: [f64; 2]) -> f64 {
        self.reach * probability[usize::from(spawn.is_four())] / f64::from(self.count)
    }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

pub(super) struct Engine<'a, R> {
    pub(super) search: &'a Search,
    pub(super) table: Option<View<'a>>,
    pub(super) stop: &'a CancelToken,
    pub(super) budget: Budget,
    pub(super) recorder: &'a mut R,
    /// Nodes so far, including leaves.
    pub(super) visited: u64,
    /// How many of them are boards to move whose slides were computed. At the end of the depth they are not.
    pub(super) turns: u64,
    /// The number of nodes at which the flag and the clock are checked next.
    next_look: u64,
    /// Whether the search was stopped. Its values are then invalid.
    pub(super) halted: bool,
    span: Span,
    rows: &'static Rows,
    spread: &'static SpreadRows,
    /// The evaluator, if its value is a sum over lines.
    by_lines: Option<ByLines<'a>>,
    /// The evaluator, if it is a network and all leaves are needed.
    network: Option<&'a Network>,
    /// Whether another program evaluates the leaves.
    asks: bool,
    /// The results of the last plies. No node that uses them is above another.
    last_slides: LastSlides,
    /// The value at which the maximum over slides starts.
    least_of_slides: f64,
    turned: bool,
    /// The upper limit of all values below the root if nodes may be given up, otherwise infinity.
    ceiling: f64,
    /// Whether the node that was searched last was given up. Its value is then a bound, at most α.
    pub(super) is_given_up: bool,
    /// Maximum plies left for which the table stores values.
    most_kept: u32,
}

impl<'a, R: Recorder> Engine<'a, R> {
    #[inline(always)]
    pub(super) fn new(
        search: &'a Search,
        table: Option<View<'a>>,
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
            spread: SpreadRows::shared(),
            by_lines: search.evaluator.by_lines(),
            network: search
                .evaluator
                .network()
                .filter(|_| !search.alpha_beta && !search.worst),
            asks: search.evaluator.asks(),
            last_slides: LastSlides::new(R::ON),
            least_of_slides: search.dead.least_of_slides(),
            ceiling: f64::INFINITY,
            is_given_up: false,
            turned: search.symmetric && LEAST_EMPTY_TO_TURN <= empty,
            most_kept: most_kept(plies),
        }
    }

    /// Checks at intervals whether to stop. The work between two checks is small.
    #[inline(always)]
    fn look(&mut self) {
        if self.next_look <= self.visited {
            self.look_now();
        }
    }

    #[cold]
    fn look_now(&mut self) {
        self.next_look = (self.visited + NODES_A_LOOK).min(self.budget.nodes);
        let late = self
            .budget
            .until
            .is_some_and(|until| until <= Instant::now());
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
            // Two 32768 may merge: continue on a grid, where every tile fits.
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
            let values = Move::ALL.map(|mv| {
                if legal.contains(mv) {
                    values[mv]
                } else {
                    f64::NEG_INFINITY
                }
            });
            let [a, b, c, d] = values;
            return self.best_leaf(larger(larger(a, b), larger(c, d)), values, Rule::Evaluated);
        }

        let mut best = self.least_of_slides;
        let sorts = self.sorts(plies);
        let mut left = spawn_order::slides::<P>(self.search, &slides, legal, score, sorts);
        let mut inner = window;
        let images = self.images::<P>(&slides, legal, score, plies - 1, reach);
        let mut searched = 0;
        let mut is_given_up = false;
        while let Some(mv) = left.next() {
            searched += 1;
            let score = score.saturating_add(u64::from(slides.reward(mv)));
            self.recorder.open(Edge::Slide(mv));
            if R::ON && self.turns(plies - 1) {
                self.recorder.turn(slides.after(mv).to_canonical());
            }
            best = best.max(self.spawn_node(images[mv], score, plies - 1, reach, inner));
            is_given_up |= std::mem::take(&mut self.is_given_up);
            if self.search.alpha_beta {
                inner.alpha = inner.alpha.max(best);
                if inner.beta <= best {
                    self.tell_cut_off(inner, searched, left.map(Edge::Slide));
                    break;
                }
            } else if self.gives_up() {
                // Slides that are worth no more need not be known exactly.
                inner.alpha = inner.alpha.max(best);
            }
        }

        // The value of a given-up slide is at most α or that of another slide, and the best slide is known.
        self.is_given_up = is_given_up && best <= window.alpha;
        self.recorder.close(End {
            value: best,
            rule: Rule::MaxOf,
            bound: window.bound(best),
        });
        best
    }

    /// Opens a slide in the record. Returns its afterstate in the image that is searched with `plies - 1` plies left.
    pub(super) fn open_slide<P: SearchBoard>(
        &mut self,
        slides: &P::Slides,
        mv: Move,
        plies: u32,
    ) -> P {
        self.recorder.open(Edge::Slide(mv));
        let after = slides.after(mv);
        if !self.turns(plies - 1) {
            return after;
        }
        self.recorder.turn(after.to_canonical());
        after.canonical()
    }

    /// Searches one slide of a board, among those that [`Engine::max_node`] maximizes over.
    pub(super) fn slide_node<P: SearchBoard>(
        &mut self,
        slides: &P::Slides,
        mv: Move,
        score: u64,
        plies: u32,
        reach: f64,
    ) -> f64 {
        let after = self.open_slide::<P>(slides, mv, plies);
        let score = score.saturating_add(u64::from(slides.reward(mv)));
        self.spawn_node(after, score, plies - 1, reach, Window::OPEN)
    }

    /// Whether the value of an afterstate is available at once, from the evaluator or the table.
    pub(super) fn is_at_hand<P: SearchBoard>(
        &self,
        after: P,
        score: u64,
        plies: u32,
        reach: f64,
    ) -> bool {
        let is_stored = |table: View<'_>| {
            table
                .get(self.key(after, score, plies, reach), reach)
                .is_some()
        };
        self.is_improbable(reach) || self.table_for::<P>(plies).is_some_and(is_stored)
    }

    /// Gives up spawn nodes that cannot matter, given that no value is above `ceiling`. A recorded search gives up
    /// none.
    #[inline(always)]
    pub(super) fn under(mut self, ceiling: f64) -> Self {
        self.ceiling = if R::ON { f64::INFINITY } else { ceiling };
        self
    }

    /// Whether spawn nodes are given up that cannot be better than the best other slide.
    #[inline(always)]
    pub(super) fn gives_up(&self) -> bool {
        !R::ON && self.ceiling < f64::INFINITY
    }

    /// Whether the slides of a board with this many plies left are evaluated first to sort them. The earlier the best
    /// slide is searched, the more is cut.
    #[inline(always)]
    pub(super) fn sorts(&self, plies: u32) -> bool {
        (self.search.alpha_beta && LEAST_SORTED <= plies)
            || (self.gives_up() && LEAST_GIVEN_UP < plies)
    }

    /// Whether afterstates with this many plies left are searched as their canonical image.
    #[inline(always)]
    fn turns(&self, plies: u32) -> bool {
        self.turned && LEAST_TURNED <= plies
    }

    pub(super) fn is_turned(&self) -> bool {
        self.turned
    }

    /// Whether a node is so improbable that it is evaluated without search.
    pub(super) fn is_improbable(&self, reach: f64) -> bool {
        self.search
            .threshold
            .is_some_and(|threshold| reach < threshold * BELOW)
    }

    #[inline(always)]
    fn key<P: SearchBoard>(&self, after: P, score: u64, plies: u32, reach: f64) -> Key {
        let is_cheap = plies == 2
            || self.search.threshold.is_some_and(|threshold| {
                reach * self.search.probability[0] < threshold * f64::from(after.empty_count())
            });
        Key {
            board: after.key(),
            score: if self.search.uses_score {
                score as u32
            } else {
                0
            },
            plies,
            is_cheap,
        }
    }

    /// The afterstates in the images that are searched. All their table entries are prefetched together, so that none
    /// waits for another.
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
                table.touch(self.key(
                    images[mv],
                    score + u64::from(slides.reward(mv)),
                    plies,
                    reach,
                ));
            }
        }
        images
    }

    /// The table, if it stores nodes with this many plies left.
    #[inline(always)]
    fn table_for<P: SearchBoard>(&self, plies: u32) -> Option<View<'a>> {
        self.table
            .filter(|_| P::HAS_KEYS && LEAST_KEPT <= plies && plies <= self.most_kept)
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
            self.recorder.close(End {
                value,
                rule: Rule::of_spawns(self.search.spawn),
                bound: window.bound(value),
            });
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
                self.recorder.close(End {
                    value: stored.value,
                    rule: Rule::Stored,
                    bound: stored.bound,
                });
                self.is_given_up = self.gives_up() && stored.bound == Bound::Upper;
                return stored.value;
            }
        }

        let outer = std::mem::replace(
            &mut self.span,
            Span {
                searched: reach,
                ..Span::NONE
            },
        );
        let value = self.spawns(after, score, plies, reach, window);
        let bound = match self.is_given_up {
            true => Bound::Upper,
            false if self.search.alpha_beta => window.bound(value),
            false => Bound::Exact,
        };

        if !self.halted {
            let reach = match self.search.threshold {
                Some(threshold) => self.span.reachable(reach, threshold),
                None => Reachable::ALL,
            };
            if R::ON {
                self.recorder.stored(table.collides(key));
            }
            table.put(
                key,
                Stored {
                    value,
                    bound,
                    reach,
                },
            );
        }
        self.span = self.span.join(outer);
        self.recorder.close(End {
            value,
            rule: Rule::of_spawns(self.search.spawn),
            bound,
        });
        value
    }

    /// The spawns of an afterstate that are searched. The recorder gets the others as stubs.
    #[inline(always)]
    pub(super) fn considered<P: SearchBoard>(
        &mut self,
        after: P,
        score: u64,
        plies: u32,
        reach: f64,
        window: Window,
    ) -> Spawns {
        let empty = after.empty_cells();
        let (cells, count) = match &self.search.important {
            Some(important) => {
                let cells = self.important_cells(important, empty, plies);
                (cells, cells.len())
            }
            // `empty_count` is computed earlier: not every processor counts bits in one step.
            None => (empty, after.empty_count()),
        };
        self.recorder.spawns(count);
        Spawns {
            cells,
            count,
            score,
            plies,
            reach,
            window,
        }
    }

    #[inline(always)]
    fn spawns<P: SearchBoard>(
        &mut self,
        after: P,
        score: u64,
        plies: u32,
        reach: f64,
        window: Window,
    ) -> f64 {
        let spawns = self.considered(after, score, plies, reach, window);
        if let (Some(after), Some(by_lines)) = (after.as_crossed(), self.by_lines)
            && let Some(value) = self.last_plies(after, by_lines, &spawns)
        {
            return value;
        }
        if let (Some(after), Some(network)) =
            (after.as_crossed(), self.network.filter(|_| plies != 1))
            && let Some(value) = self.last_afterstates(after, network, &spawns)
        {
            return value;
        }
        if self.asks {
            self.ask_ahead(after, &spawns);
        }

        if plies == 1 {
            let evaluator = &self.search.evaluator;
            return self.leaves::<P>(after, &spawns, |cell, rank| {
                after.with_tile_at(cell, rank).value_by(evaluator, score)
            });
        }

        self.back_up(after, &spawns, |engine, cell, rank, reach, window| {
            engine.max_node(
                after.with_tile_at(cell, rank),
                score,
                plies - 1,
                reach,
                window,
            )
        })
    }

    /// The value of an afterstate from the values of the boards after its spawns, by cell and by tile (2, 4).
    pub(super) fn put_together<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: &Spawns,
        values: &[[f64; 2]; 32],
    ) -> f64 {
        self.back_up(after, spawns, |_, cell, rank, _, _| {
            values[cell as usize & 31][usize::from(rank == Rank::FOUR)]
        })
    }

    #[inline(always)]
    pub(super) fn leaf<P: SearchBoard>(&mut self, board: P, score: u64, rule: Rule) -> f64 {
        let value = board.value_by(&self.search.evaluator, score);
        self.recorder.close(End::exact(value, rule));
        value
    }
}

//! The last nodes of a search: evaluates boards and slides that are leaves together, below the spawn node above them.

use multiversion::multiversion;

use super::line_values::{LastSpawn, LineValues, RowsAlone, Weighted, larger};
use super::slides::NewTiles;
use super::{BELOW, Engine, Spawns, TILES, smaller};
use crate::evaluator::{ByLines, LineForm};
use crate::game::{Crossed, Move, Rank};
use crate::network::Network;
use crate::search::SpawnValue;
use crate::search::board::SearchBoard;
use crate::search::recorder::{Edge, End, Recorder};
use crate::search::rule::Rule;

/// The value of a spawn node whose boards, or the slides after them, are leaves.
///
/// A search spends most of its time here. Processors of the last ten years have instructions that do the same in fewer
/// steps; the code uses them if the processor has them. None of them fuses a product and a sum, so the values are the
/// same.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"), dispatcher = "direct")]
fn last_spawns<R: Recorder, L: LineValues>(
    engine: &mut Engine<'_, R>,
    after: Crossed,
    lines: L,
    spawns: &Spawns,
) -> Option<f64> {
    if spawns.plies == 1 {
        let last = LastSpawn::new(after, spawns.score, lines);
        return Some(engine.leaves::<Crossed>(after, spawns, |cell, rank| last.value(cell, rank)));
    }
    engine.last_turns(after, spawns, |engine, tiles| {
        let found = &mut engine.last_slides;
        if R::ON {
            found.look_up::<L, true>(after, tiles, spawns.score, lines, engine.spread)
        } else {
            found.look_up::<L, false>(after, tiles, spawns.score, lines, engine.spread)
        }
    })
}

impl<R: Recorder> Engine<'_, R> {
    #[inline(always)]
    pub(super) fn leaves<P: SearchBoard>(
        &mut self,
        after: P,
        spawns: &Spawns,
        value: impl Fn(u32, Rank) -> f64,
    ) -> f64 {
        self.back_up(after, spawns, |engine, cell, rank, _, _| {
            let value = value(cell, rank);
            engine.visited += 1;
            engine.recorder.close(End::exact(value, Rule::Evaluated));
            value
        })
    }

    /// The value by lines of a spawn node whose boards, or the slides after them, are leaves. `None` for other nodes.
    #[inline(always)]
    pub(super) fn last_plies(
        &mut self,
        after: Crossed,
        by_lines: ByLines<'_>,
        spawns: &Spawns,
    ) -> Option<f64> {
        match by_lines {
            ByLines {
                lines: LineForm::One(table),
                weights: None,
            } => last_spawns(self, after, table, spawns),
            ByLines {
                lines: LineForm::Each(lines),
                weights: None,
            } => last_spawns(self, after, lines, spawns),
            ByLines {
                lines: LineForm::Rows(lines),
                weights: None,
            } => last_spawns(self, after, RowsAlone(lines), spawns),
            ByLines {
                lines: LineForm::Snake(snake),
                weights: None,
            } if spawns.plies == 1 => {
                let paths = snake.paths(after);
                Some(self.leaves::<Crossed>(after, spawns, |cell, rank| {
                    paths.with_tile(cell as usize, rank).value()
                }))
            }
            ByLines {
                lines: LineForm::Snake(snake),
                weights: None,
            } => last_spawns(self, after, snake, spawns),
            ByLines {
                lines: LineForm::Corner(corner),
                weights: None,
            } => last_spawns(self, after, corner, spawns),
            ByLines {
                lines,
                weights: Some(weights),
            } => match lines {
                LineForm::One(lines) => {
                    last_spawns(self, after, Weighted { lines, weights }, spawns)
                }
                LineForm::Each(lines) => {
                    last_spawns(self, after, Weighted { lines, weights }, spawns)
                }
                LineForm::Rows(lines) => last_spawns(
                    self,
                    after,
                    Weighted {
                        lines: RowsAlone(lines),
                        weights,
                    },
                    spawns,
                ),
                LineForm::Snake(lines) => {
                    last_spawns(self, after, Weighted { lines, weights }, spawns)
                }
                LineForm::Corner(lines) => {
                    last_spawns(self, after, Weighted { lines, weights }, spawns)
                }
            },
        }
    }

    /// The value by a network of a spawn node with leaves as the slides after its boards. `None` for other nodes.
    #[inline(never)]
    pub(super) fn last_afterstates(
        &mut self,
        after: Crossed,
        network: &Network,
        spawns: &Spawns,
    ) -> Option<f64> {
        let to_come = |afterstate| network.to_come_of(afterstate);
        self.last_turns(after, spawns, |engine, tiles| {
            engine
                .last_slides
                .look_up_afterstates(after, tiles, spawns.score, to_come, engine.rows)
        })
    }

    /// The value of a spawn node if some of its boards have slides that are leaves. `look_up` evaluates the slides for
    /// these tiles. `None` for other nodes.
    #[inline(always)]
    fn last_turns(
        &mut self,
        after: Crossed,
        spawns: &Spawns,
        look_up: impl FnOnce(&mut Self, NewTiles) -> Option<u32>,
    ) -> Option<f64> {
        let (ends, rule) = self.endings(spawns);
        if ends == [false; 2] {
            return None;
        }
        let legal = look_up(
            self,
            NewTiles {
                cells: spawns.cells,
                kinds: ends,
            },
        )?;
        let boards = spawns.count * (u32::from(ends[0]) + u32::from(ends[1]));
        self.visited += u64::from(boards + legal);
        self.turns += u64::from(boards);

        if ends == self.search.possible {
            if !R::ON && matches!(self.search.spawn, SpawnValue::Mean | SpawnValue::Sum) {
                return Some(self.mean_of_last(after, spawns));
            }
            return Some(self.back_up(after, spawns, |engine, cell, rank, _, _| {
                let tile = usize::from(rank == Rank::FOUR);
                let (best, each) = (
                    engine.last_slides.best(cell)[tile],
                    engine.last_slides.each(cell)[tile],
                );
                engine.last_max_node(after, (cell, rank), spawns.score, best, each, rule)
            }));
        }

        // The other boards are searched, which would overwrite the looked-up values.
        let found = self.last_slides.clone();
        Some(
            self.back_up(after, spawns, |engine, cell, rank, reach, window| {
                let tile = usize::from(rank == Rank::FOUR);
                if ends[tile] {
                    let (best, each) = (found.best(cell)[tile], found.each(cell)[tile]);
                    engine.last_max_node(after, (cell, rank), spawns.score, best, each, rule)
                } else {
                    engine.max_node(
                        after.with_tile_at(cell, rank),
                        spawns.score,
                        spawns.plies - 1,
                        reach,
                        window,
                    )
                }
            }),
        )
    }

    /// For each tile, whether the slides after it are leaves, and the rule that makes them so.
    #[inline(always)]
    fn endings(&mut self, spawns: &Spawns) -> ([bool; 2], Rule) {
        if spawns.plies == 2 {
            return (self.search.possible, Rule::Evaluated);
        }
        let mut ends = [false; 2];
        if let Some(threshold) = self.search.threshold {
            let count = f64::from(spawns.count);
            for (ends, probability) in ends.iter_mut().zip(self.search.probability) {
                let reach = spawns.reach * probability / count;
                if probability != 0.0 && reach < threshold * BELOW {
                    *ends = true;
                    self.span.cut = self.span.cut.max(reach);
                }
            }
        }
        (ends, Rule::TooImprobable)
    }

    /// The mean, or the sum, over boards all of whose slides are looked up. The same as [`Engine::back_up`] when
    /// nothing is recorded, but without calls.
    #[inline(always)]
    fn mean_of_last(&mut self, after: Crossed, spawns: &Spawns) -> f64 {
        let [two, four] = self.search.probability;
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for cell in spawns.cells {
            let best = self.last_slides.best(cell);
            least = smaller(least, smaller(best[0], best[1]));
            sum += two * larger(best[0], self.least_of_slides)
                + four * larger(best[1], self.least_of_slides);
        }
        if least == f64::NEG_INFINITY {
            // Some board is dead, or one of the tiles never comes.
            sum = self.sum_of_last(after, spawns);
        }
        if self.search.spawn == SpawnValue::Sum {
            sum
        } else {
            sum / f64::from(spawns.count)
        }
    }

    #[cold]
    #[inline(never)]
    fn sum_of_last(&mut self, after: Crossed, spawns: &Spawns) -> f64 {
        let mut sum = 0.0;
        for cell in spawns.cells {
            let mut mean = 0.0;
            for ((rank, probability), best) in TILES
                .into_iter()
                .zip(self.search.probability)
                .zip(self.last_slides.best(cell))
            {
                if probability != 0.0 {
                    mean += probability
                        * self.last_max_node(
                            after,
                            (cell, rank),
                            spawns.score,
                            best,
                            [best; 4],
                            Rule::MaxOf,
                        );
                }
            }
            sum += mean;
        }
        sum
    }

    /// The board to move after a spawn, given the value of its best slide and, for the record, of each slide. Illegal
    /// slides have the value −∞.
    #[inline(always)]
    fn last_max_node(
        &mut self,
        after: Crossed,
        (cell, rank): (u32, Rank),
        score: u64,
        best: f64,
        each: [f64; 4],
        rule: Rule,
    ) -> f64 {
        if best == f64::NEG_INFINITY {
            return self.last_dead(after.with_tile_at(cell, rank), score);
        }
        self.best_leaf(best, each, rule)
    }

    #[cold]
    fn last_dead(&mut self, board: Crossed, score: u64) -> f64 {
        let value = self.search.dead_value(board, score);
        self.recorder.close(End::exact(value, Rule::Dead));
        value
    }

    /// The best of slides with known values. Illegal slides have the value −∞.
    #[inline(always)]
    pub(super) fn best_leaf(&mut self, best: f64, each: [f64; 4], rule: Rule) -> f64 {
        if R::ON {
            for (mv, value) in Move::ALL.into_iter().zip(each) {
                if value != f64::NEG_INFINITY {
                    self.recorder.leaf(Edge::Slide(mv), End::exact(value, rule));
                }
            }
        }
        let best = larger(best, self.least_of_slides);
        // Values that were looked up together are all exact.
        self.recorder.close(End::exact(best, Rule::MaxOf));
        best
    }
}

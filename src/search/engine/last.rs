//! The last nodes of a search: boards and slides that are leaves, together below the spawn node above them.

use super::lines::{LastSpawn, LineValues, RowsAlone, Weighted, larger};
use super::slides::{EachSlide, NewTiles};
use super::{BELOW, Engine, Spawns};
use crate::evaluator::{ByLines, LineForm};
use crate::game::{Crossed, Move, Rank};
use crate::network::Network;
use crate::search::SpawnValue;
use crate::search::board::SearchBoard;
use crate::search::recorder::{Edge, End, Recorder};
use crate::search::rule::Rule;

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

    /// A spawn node whose boards, or the slides after them, are leaves, by lines; `None` for others.
    #[inline(always)]
    pub(super) fn last_plies(&mut self, after: Crossed, by_lines: ByLines<'_>, spawns: &Spawns) -> Option<f64> {
        match by_lines {
            ByLines { lines: LineForm::One(table), weights: None } => self.last_spawns(after, table, spawns),
            ByLines { lines: LineForm::Each(lines), weights: None } => self.last_spawns(after, lines, spawns),
            ByLines { lines: LineForm::Rows(lines), weights: None } => {
                self.last_spawns(after, RowsAlone(lines), spawns)
            }
            ByLines { lines: LineForm::Snake(snake), weights: None } if spawns.plies == 1 => {
                let paths = snake.paths(after);
                Some(self.leaves::<Crossed>(after, spawns, |cell, rank| paths.with_tile(cell as usize, rank).value()))
            }
            ByLines { lines: LineForm::Snake(snake), weights: None } => self.last_spawns(after, snake, spawns),
            ByLines { lines: LineForm::Corner(corner), weights: None } => self.last_spawns(after, corner, spawns),
            ByLines { lines, weights: Some(weights) } => match lines {
                LineForm::One(lines) => self.last_spawns(after, Weighted { lines, weights }, spawns),
                LineForm::Each(lines) => self.last_spawns(after, Weighted { lines, weights }, spawns),
                LineForm::Rows(lines) => self.last_spawns(after, Weighted { lines: RowsAlone(lines), weights }, spawns),
                LineForm::Snake(lines) => self.last_spawns(after, Weighted { lines, weights }, spawns),
                LineForm::Corner(lines) => self.last_spawns(after, Weighted { lines, weights }, spawns),
            },
        }
    }

    #[inline(never)]
    fn last_spawns<L: LineValues>(&mut self, after: Crossed, lines: L, spawns: &Spawns) -> Option<f64> {
        if spawns.plies == 1 {
            let last = LastSpawn::new(after, spawns.score, lines);
            return Some(self.leaves::<Crossed>(after, spawns, |cell, rank| last.value(cell, rank)));
        }
        self.last_turns(after, spawns, |engine, tiles| {
            let found = &mut engine.last_slides;
            if R::ON {
                found.look_up::<L, true>(after, tiles, spawns.score, lines, engine.spread)
            } else {
                found.look_up::<L, false>(after, tiles, spawns.score, lines, engine.spread)
            }
        })
    }

    /// A spawn node the slides after whose boards are leaves, by a network; `None` for others.
    #[inline(never)]
    pub(super) fn last_afterstates(&mut self, after: Crossed, network: &Network, spawns: &Spawns) -> Option<f64> {
        let to_come = |afterstate| network.to_come_of(afterstate);
        self.last_turns(after, spawns, |engine, tiles| {
            engine.last_slides.look_up_afterstates(after, tiles, spawns.score, to_come, engine.rows)
        })
    }

    /// A spawn node some of whose boards have slides that are leaves, which are looked up for these tiles; `None` for others.
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
        let legal = look_up(self, NewTiles { cells: spawns.cells, kinds: ends })?;
        let boards = spawns.count * (u32::from(ends[0]) + u32::from(ends[1]));
        self.visited += u64::from(boards + legal);
        self.turns += u64::from(boards);
        if ends == self.search.possible {
            if !R::ON && matches!(self.search.spawn, SpawnValue::Mean | SpawnValue::Sum) {
                return Some(self.mean_of_last(after, spawns));
            }
            return Some(self.back_up(after, spawns, |engine, cell, rank, _, _| {
                let (at, tile) = (cell as usize & 15, usize::from(rank == Rank::FOUR));
                let best = engine.last_slides.best[at][tile];
                let each = if R::ON { engine.last_slides.each[at][tile] } else { [f64::NEG_INFINITY; 4] };
                engine.last_max_node(after, (cell, rank), spawns.score, best, each, rule)
            }));
        }
        // The others are searched, and what was looked up would be overwritten.
        let best = self.last_slides.best;
        let each: Option<[EachSlide; 16]> = self.last_slides.each.as_slice().try_into().ok();
        Some(self.back_up(after, spawns, |engine, cell, rank, reach, window| {
            let (at, tile) = (cell as usize & 15, usize::from(rank == Rank::FOUR));
            if ends[tile] {
                let each = each.map_or([f64::NEG_INFINITY; 4], |each| each[at][tile]);
                engine.last_max_node(after, (cell, rank), spawns.score, best[at][tile], each, rule)
            } else {
                engine.max_node(after.with_tile_at(cell, rank), spawns.score, spawns.plies - 1, reach, window)
            }
        }))
    }

    /// By tile, whether the slides after it are leaves, and what makes them so.
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

    /// The mean, or the sum, over boards all of whose slides are looked up: [`Engine::back_up`] where nobody records, which calls
    /// nothing.
    #[inline(always)]
    fn mean_of_last(&mut self, after: Crossed, spawns: &Spawns) -> f64 {
        let probability = self.search.probability;
        let mut sum = 0.0;
        for cell in spawns.cells {
            let best = self.last_slides.best[cell as usize & 15];
            let mut mean = 0.0;
            for tile in 0..2 {
                if probability[tile] == 0.0 {
                    continue;
                }
                let value = if best[tile] == f64::NEG_INFINITY {
                    let rank = if tile == 0 { Rank::TWO } else { Rank::FOUR };
                    self.last_dead(after.with_tile_at(cell, rank), spawns.score)
                } else {
                    larger(best[tile], self.least_of_slides)
                };
                mean += probability[tile] * value;
            }
            sum += mean;
        }
        if self.search.spawn == SpawnValue::Sum { sum } else { sum / f64::from(spawns.count) }
    }

    /// The board to move after a spawn, the best of whose slides is known and, for the record, each; −∞ stands for those that
    /// are not legal.
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

    /// The best of slides whose values are known; −∞ stands for those that are not legal.
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
        // Looked up together, they are all exact.
        self.recorder.close(End::exact(best, Rule::MaxOf));
        best
    }
}

//! The second pass: follows every board that best play may reach, ply by ply from the root.

use std::collections::HashMap;

use super::super::engine::{Budget, Engine, LEAST_TURNED, Window};
use super::super::spawn_order::{self, EachSpawn};
use super::super::tree::{Start, Subject};
use super::{AfterSlide, BestPlay, Branch, LineEnd, NoBestPlay, Then, minds_reach};
use crate::evaluator::OwnFiles;
use crate::game::{Board, ByMove, Cell, Crossed, Grid, Moves, Rank, Slide, Spawn};
use crate::search::{DepthLimited, Lookahead, Plies, Rule, Search, SearchBoard, SpawnValue};
use crate::task::CancelToken;

/// Maximum number of boards, before and after their spawns: half a gigabyte.
const MOST: usize = 4_000_000;

/// Afterstates with equal keys are the same node: board, score, and the reach probability if that decides what is
/// searched.
type Key = (Board, u64, u64);

impl BestPlay {
    /// Follows best play after the requested moves of `subject`, each to the end of its depth.
    pub fn follow(subject: &Subject, stop: &CancelToken) -> Result<Self, NoBestPlay> {
        if subject.definition.lookahead.sampled().is_some() {
            return Err(NoBestPlay::Sampled);
        }
        let definition = &subject.definition;

        // One ply is a search of one ply.
        let one = Lookahead::DepthLimited(DepthLimited {
            plies: Some(Plies::Fixed(1)),
            ..DepthLimited::default()
        });
        let lookahead = if definition.lookahead.searches() {
            &definition.lookahead
        } else {
            &one
        };
        let search = Search::new(
            &definition.evaluator,
            lookahead,
            definition.rules,
            &OwnFiles,
        );
        let search = search.ok_or(NoBestPlay::Sampled)?;
        let (moves, plies) = match subject.start {
            Start::Choice { moves, .. } => (moves, subject.plies),
            Start::Turn => (subject.board.legal_moves(), subject.plies),
            Start::Spawn => (Moves::NONE, 0),
        };

        let table = search.table();
        let empty = subject.board.empty_count();
        let mut recorder = ();
        let engine = Engine::new(
            &search,
            Some(table.view(0)),
            stop,
            plies,
            empty,
            Budget::NONE,
            &mut recorder,
        );
        let (turned, minds_reach) = (engine.is_turned(), minds_reach(subject));
        let found = Self {
            subject: subject.clone(),
            first: ByMove::from_fn(|_| None),
            nodes: Vec::new(),
            branches: Vec::new(),
            spawn: search.spawn,
        };
        let mut pass = Pass {
            engine,
            found,
            next: Vec::new(),
            cached: HashMap::new(),
            turned,
            minds_reach,
        };
        for mv in moves {
            let Some(slide) = subject.board.slide(mv) else {
                continue;
            };
            let score = subject.score.saturating_add(u64::from(slide.reward));
            // The search does not turn the moves at the root.
            let value = pass.worth(
                &slide.after.board(),
                score,
                plies.saturating_sub(1),
                subject.reach,
                false,
            );
            let id = pass.node(slide, score, plies.saturating_sub(1), subject.reach, value)?;
            pass.found.first[mv] = Some(id);
        }

        while !pass.next.is_empty() {
            pass.cached.clear();
            for (id, reach) in std::mem::take(&mut pass.next) {
                pass.expand(id, reach)?;
            }
        }
        pass.check()?;
        Ok(pass.found)
    }
}

struct Pass<'a> {
    engine: Engine<'a, ()>,
    found: BestPlay,
    /// Nodes whose spawns are not followed yet, with their reach probability.
    next: Vec<(u32, f64)>,
    /// Nodes of the current ply.
    cached: HashMap<Key, u32>,
    /// Whether the search replaces boards by their canonical image.
    turned: bool,
    minds_reach: bool,
}

impl Pass<'_> {
    /// The search's value of an afterstate.
    fn worth(&mut self, after: &Board, score: u64, plies: u32, reach: f64, turns: bool) -> f64 {
        match after.as_packed() {
            Some(packed) => {
                let crossed = packed.crossed();
                let turns = turns && self.turned && LEAST_TURNED <= plies;
                let image = if turns {
                    SearchBoard::canonical(crossed)
                } else {
                    crossed
                };
                self.engine
                    .spawn_node::<Crossed>(image, score, plies, reach, Window::OPEN)
            }
            None => {
                self.engine
                    .spawn_node::<Grid>(after.to_grid(), score, plies, reach, Window::OPEN)
            }
        }
    }

    /// The evaluator's value of a board.
    fn evaluate(&mut self, board: &Board, score: u64) -> f64 {
        match board.as_packed() {
            Some(packed) => self
                .engine
                .leaf::<Crossed>(packed.crossed(), score, Rule::Evaluated),
            None => self
                .engine
                .leaf::<Grid>(board.to_grid(), score, Rule::Evaluated),
        }
    }

    fn dead_value(&self, board: &Board, score: u64) -> f64 {
        match board.as_packed() {
            Some(packed) => self
                .engine
                .search
                .dead_value::<Crossed>(packed.crossed(), score),
            None => self
                .engine
                .search
                .dead_value::<Grid>(board.to_grid(), score),
        }
    }

    /// The probability that a new tile is this one.
    fn chance(&self, spawn: &Spawn) -> f64 {
        self.engine.search.probability[usize::from(spawn.rank == Rank::FOUR)]
    }

    fn check(&self) -> Result<(), NoBestPlay> {
        let is_stopped = self.engine.halted || self.engine.stop.is_cancelled();
        if is_stopped {
            Err(NoBestPlay::Stopped)
        } else {
            Ok(())
        }
    }

    /// The node of a slide, created if needed.
    fn node(
        &mut self,
        slide: Slide,
        score: u64,
        plies: u32,
        reach: f64,
        value: f64,
    ) -> Result<u32, NoBestPlay> {
        let after = slide.after.board();
        let key = (
            after,
            score,
            if self.minds_reach { reach.to_bits() } else { 0 },
        );
        if let Some(&cached) = self.cached.get(&key) {
            return Ok(cached);
        }
        if MOST <= self.found.nodes.len() {
            return Err(NoBestPlay::TooMany { most: MOST });
        }

        let end = if plies == 0 {
            Some(LineEnd::Evaluated)
        } else {
            self.engine
                .is_improbable(reach)
                .then_some(LineEnd::TooImprobable)
        };
        let id = self.found.nodes.len() as u32;
        self.found.nodes.push(AfterSlide {
            after,
            score,
            value,
            plies,
            cells: 0,
            from: 0,
            to: 0,
            end,
        });
        self.cached.insert(key, id);
        if end.is_none() {
            self.next.push((id, reach));
        }
        Ok(id)
    }

    /// Follows the spawns that the value of a node comes from.
    fn expand(&mut self, id: u32, reach: f64) -> Result<(), NoBestPlay> {
        let AfterSlide {
            after,
            score,
            plies,
            ..
        } = self.found.nodes[id as usize];
        let (spawns, cells) = self.considered(&after, plies);
        let [two, four] = self
            .engine
            .search
            .probability
            .map(|chance| reach * chance / f64::from(cells));
        let reach_of = |spawn: &Spawn| if spawn.rank == Rank::FOUR { four } else { two };
        let spawns = self.deciding(&after, spawns, score, plies, reach_of);
        let from = self.found.branches.len() as u32;
        for spawn in spawns {
            self.check()?;
            let chance = self.chance(&spawn);
            let board = after.with(spawn.cell, spawn.rank);
            let (value, then) = self.turn(&board, score, plies - 1, reach_of(&spawn))?;
            if MOST <= self.found.branches.len() {
                return Err(NoBestPlay::TooMany { most: MOST });
            }
            self.found.branches.push(Branch {
                spawn,
                value,
                chance,
                then,
            });
        }

        let to = self.found.branches.len() as u32;
        let node = &mut self.found.nodes[id as usize];
        (node.from, node.to, node.cells) = (from, to, cells);
        Ok(())
    }

    /// The player's turn: the value of the board, and where the best slide leads.
    fn turn(
        &mut self,
        board: &Board,
        score: u64,
        plies: u32,
        reach: f64,
    ) -> Result<(f64, Then), NoBestPlay> {
        if plies == 0 {
            return Ok((self.evaluate(board, score), Then::End(LineEnd::Evaluated)));
        }
        let mut best: Option<(f64, Slide, u64)> = None;
        for mv in board.legal_moves() {
            let Some(slide) = board.slide(mv) else {
                continue;
            };
            let score = score.saturating_add(u64::from(slide.reward));
            let value = self.worth(&slide.after.board(), score, plies - 1, reach, true);
            if best.is_none_or(|(most, ..)| most < value) {
                best = Some((value, slide, score));
            }
        }

        let Some((value, slide, score)) = best else {
            return Ok((self.dead_value(board, score), Then::End(LineEnd::Dead)));
        };
        let least = self.engine.search.dead.least_of_slides();
        if value < least {
            return Ok((least, Then::End(LineEnd::Floor)));
        }
        let mv = slide.mv;
        Ok((
            value,
            Then::Slide(mv, self.node(slide, score, plies - 1, reach, value)?),
        ))
    }

    /// The spawns that the search considers, in reading order, and the number of their cells.
    fn considered(&mut self, after: &Board, plies: u32) -> (Vec<Spawn>, u32) {
        match after.as_packed() {
            Some(packed) => self.considered_on::<Crossed>(packed.crossed(), after, plies),
            None => self.considered_on::<Grid>(after.to_grid(), after, plies),
        }
    }

    fn considered_on<P: SearchBoard>(
        &mut self,
        image: P,
        after: &Board,
        plies: u32,
    ) -> (Vec<Spawn>, u32) {
        let search = self.engine.search;
        let empty = image.empty_cells();
        let cells = match &search.important {
            Some(important) => self.engine.important_cells(important, empty, plies),
            None => empty,
        };
        let spawn = |one: spawn_order::Spawn| Spawn {
            cell: Cell::at(one.cell() as usize, after.size()),
            rank: one.rank(),
        };
        let spawns: Vec<Spawn> = if search.worst {
            spawn_order::worst_spawns(self.engine.search, self.engine.recorder, image, cells)
                .map(spawn)
                .collect()
        } else {
            EachSpawn::on(cells, search.possible).map(spawn).collect()
        };
        (spawns, cells.len())
    }

    /// The spawns that the value comes from: all, or the worst ones.
    fn deciding(
        &mut self,
        after: &Board,
        spawns: Vec<Spawn>,
        score: u64,
        plies: u32,
        reach: impl Fn(&Spawn) -> f64,
    ) -> Vec<Spawn> {
        if self.found.is_by_chance() {
            return spawns;
        }
        let valued: Vec<(Spawn, f64)> = spawns
            .into_iter()
            .map(|spawn| {
                let board = after.with(spawn.cell, spawn.rank);
                (
                    spawn,
                    self.turn_value(&board, score, plies - 1, reach(&spawn)),
                )
            })
            .collect();
        match self.found.spawn {
            SpawnValue::MinCell => {
                let mut cells: Vec<(Cell, f64)> = Vec::new();
                for (spawn, value) in &valued {
                    let share = self.chance(spawn) * value;
                    match cells.iter_mut().find(|(cell, _)| *cell == spawn.cell) {
                        Some((_, sum)) => *sum += share,
                        None => cells.push((spawn.cell, share)),
                    }
                }
                let worst = least(cells.into_iter());
                valued
                    .into_iter()
                    .map(|(spawn, _)| spawn)
                    .filter(|spawn| Some(spawn.cell) == worst)
                    .collect()
            }
            SpawnValue::MeanOfMin => {
                let least_of = |rank: Rank| {
                    least(
                        valued
                            .iter()
                            .copied()
                            .filter(|(spawn, _)| spawn.rank == rank),
                    )
                };
                [Rank::TWO, Rank::FOUR]
                    .into_iter()
                    .filter_map(least_of)
                    .collect()
            }
            _ => least(valued.into_iter()).into_iter().collect(),
        }
    }

    /// The search's value of a board to move.
    fn turn_value(&mut self, board: &Board, score: u64, plies: u32, reach: f64) -> f64 {
        if plies == 0 {
            return self.evaluate(board, score);
        }
        match board.as_packed() {
            Some(packed) => {
                self.engine
                    .max_node::<Crossed>(packed.crossed(), score, plies, reach, Window::OPEN)
            }
            None => {
                self.engine
                    .max_node::<Grid>(board.to_grid(), score, plies, reach, Window::OPEN)
            }
        }
    }
}

/// The item with the least value; ties go to the first.
fn least<T>(valued: impl Iterator<Item = (T, f64)>) -> Option<T> {
    valued
        .reduce(|least, next| if next.1 < least.1 { next } else { least })
        .map(|(what, _)| what)
}

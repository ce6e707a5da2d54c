//! The values of the spawns of an afterstate, cell by cell.

use super::{Link, NodeId, Start, Tree};
use crate::game::{Cell, Rank, Size, Spawn, Symmetry};
use crate::math;
use crate::search::{Bound, Rule};

/// An afterstate with the values of a 2 and a 4 on each empty cell.
#[derive(Clone, PartialEq, Debug)]
pub struct SpawnMap {
    /// The node whose spawns these are: the requested one, or the searched one whose value the table returned.
    pub node: NodeId,
    /// Each empty cell in reading order, with the outcomes of a 2 and a 4. `None`: the cap left it out. Cells are those
    /// of the board at the requested node, even if the searched node has an image of it.
    pub cells: Vec<(Cell, [Option<Outcome>; 2])>,
    /// The mean of the values by probability, over the considered spawns, even where the worst spawn counts. At a node
    /// of means it is the node's value, even if the cap left spawns out.
    pub mean: f64,
    /// The largest value of the recorded spawns.
    pub best: f64,
    pub worst: f64,
    /// Standard deviation of the values about the mean, by probability. `None` if spawns are missing.
    pub deviation: Option<f64>,
    /// Whether every possible spawn is recorded with its exact value: none was left out by the cap, cut or bounded.
    pub is_complete: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub node: NodeId,
    pub rank: Rank,
    /// The probability among the considered spawns; 0 if this one was not considered.
    pub probability: f64,
    /// The value; `None` if nothing was searched.
    pub value: Option<f64>,
    pub bound: Bound,
}

impl SpawnMap {
    /// Whether no value is only a bound. Otherwise mean, best and worst depend on bounds.
    pub fn is_exact(&self) -> bool {
        self.outcomes()
            .all(|(_, outcome)| outcome.bound == Bound::Exact)
    }

    /// The spawns that are recorded, with their outcomes.
    pub fn outcomes(&self) -> impl Iterator<Item = (Spawn, Outcome)> {
        self.cells.iter().flat_map(|&(cell, outcomes)| {
            outcomes.into_iter().flatten().map(move |outcome| {
                (
                    Spawn {
                        cell,
                        rank: outcome.rank,
                    },
                    outcome,
                )
            })
        })
    }
}

impl Tree {
    /// The value of each spawn at an afterstate. `None` for other nodes, or without recorded spawns. At a cached node
    /// it is the map of the node with the value, if that is in the record, with its cells turned back.
    pub fn spawn_map(&self, id: NodeId) -> Option<SpawnMap> {
        let node = self.searched(id);
        let rule = self.spawn_rule(node)?;
        let here = self.place(id).board;
        let back = if node == id {
            Symmetry::IDENTITY
        } else {
            self.image(node, id)?
        };
        let mut cells: Vec<(Cell, [Option<Outcome>; 2])> = here
            .empty_cells()
            .into_iter()
            .map(|cell| (cell, [None; 2]))
            .collect();
        let mut is_complete = true;

        for (spawn, outcome) in self.outcomes(node) {
            let cell = if back == Symmetry::IDENTITY {
                spawn.cell
            } else {
                back.cell(spawn.cell, Size::FOUR)
            };
            if let Ok(place) = cells.binary_search_by_key(&cell, |&(cell, _)| cell) {
                cells[place].1[usize::from(spawn.rank == Rank::FOUR)] = Some(outcome);
            }
        }

        let (mut weight, mut sum) = (0.0, 0.0);
        let (mut best, mut worst) = (f64::NEG_INFINITY, f64::INFINITY);
        for outcome in cells.iter().flat_map(|(_, outcomes)| outcomes).flatten() {
            let Some(value) = outcome.value else { continue };
            is_complete &= outcome.bound == Bound::Exact;
            weight += outcome.probability;
            sum += outcome.probability * value;
            best = best.max(value);
            worst = worst.min(value);
        }
        if best < worst {
            return None;
        }

        // A tile that never comes may be missing.
        let is_there = |outcome: Option<Outcome>, rank: Rank| match outcome {
            Some(outcome) => outcome.value.is_some(),
            None => self.chance(rank) == 0.0,
        };
        is_complete &= cells
            .iter()
            .all(|(_, [two, four])| is_there(*two, Rank::TWO) && is_there(*four, Rank::FOUR));
        let mean = match self.value(node) {
            Some(value) if matches!(rule, Rule::MeanOf | Rule::SpawnsDrawn) => value,
            _ => sum / weight,
        };
        let values = || cells.iter().flat_map(|(_, outcomes)| outcomes).flatten();
        let variance = || -> f64 {
            values()
                .filter_map(|outcome| {
                    Some(outcome.probability * math::squared(outcome.value? - mean))
                })
                .sum()
        };
        let deviation = is_complete.then(|| variance().sqrt());
        Some(SpawnMap {
            node,
            mean,
            best,
            worst,
            deviation,
            is_complete,
            cells,
        })
    }

    /// The node that was searched: for a cached node the one it refers to, if that is in the record.
    pub(super) fn searched(&self, id: NodeId) -> NodeId {
        self.at(id).stored().unwrap_or(id)
    }

    /// The rule of an afterstate with spawns below it. `None` for other nodes.
    pub(super) fn spawn_rule(&self, id: NodeId) -> Option<Rule> {
        let is_afterstate = match self.link(id) {
            Some(link) => matches!(link, Link::Slide(_)),
            None => self.subject.start == Start::Spawn,
        };
        let rule = self.at(id).rule();
        (is_afterstate && rule.is_inner()).then_some(rule)
    }

    /// The recorded spawns below an afterstate, in visit order.
    pub(super) fn outcomes(&self, id: NodeId) -> impl Iterator<Item = (Spawn, Outcome)> + use<'_> {
        let considered = self.at(id).considered();
        self.children(id).filter_map(move |child| {
            let (spawn, node) = (self.spawn(child)?, self.at(child));
            let probability = self.reach_below(1.0, considered, node);
            let (value, bound) = (node.value(), node.bound());
            Some((
                spawn,
                Outcome {
                    node: child,
                    rank: spawn.rank,
                    probability,
                    value,
                    bound,
                },
            ))
        })
    }

    /// The symmetry that turns the board at one node into that at another.
    fn image(&self, from: NodeId, to: NodeId) -> Option<Symmetry> {
        let (from, to) = (
            self.place(from).board.as_packed()?,
            self.place(to).board.as_packed()?,
        );
        Symmetry::ALL
            .into_iter()
            .find(|symmetry| symmetry.board(from) == to)
    }
}

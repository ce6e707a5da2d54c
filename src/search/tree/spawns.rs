//! What the spawns of an afterstate are worth, cell by cell.

use super::{Link, NodeId, Start, Tree};
use crate::game::{Cell, Rank, Size, Spawn, Symmetry};
use crate::math;
use crate::search::{Bound, Rule};

/// An afterstate whose empty cells say what a 2 and a 4 there would be worth.
#[derive(Clone, PartialEq, Debug)]
pub struct SpawnMap {
    /// The node whose spawns these are: the one asked for, or the searched one whose value the table gave.
    pub node: NodeId,
    /// Each empty cell in reading order, with a 2 and with a 4 there. `None`: the cap left it out. Cells are those of the
    /// board at the node asked for, also where the searched one is an image of it.
    pub cells: Vec<(Cell, [Option<Outcome>; 2])>,
    /// The mean of the values by probability, of the spawns that were considered, also where the worst counts. At a node of
    /// means it is the node's value, also where the cap left spawns out.
    pub mean: f64,
    /// The largest value among the recorded spawns.
    pub best: f64,
    pub worst: f64,
    /// Standard deviation of the values about the mean, by probability; `None` where spawns are missing.
    pub deviation: Option<f64>,
    /// Whether every spawn that can happen is recorded with its exact value: none was left out by the cap, cut or bounded.
    pub is_complete: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    pub node: NodeId,
    pub rank: Rank,
    /// How probable it is among the spawns that were considered; 0 where it was not.
    pub probability: f64,
    /// Its value; `None` where nothing was searched.
    pub value: Option<f64>,
    pub bound: Bound,
}

impl SpawnMap {
    /// Whether no value is only a bound: mean, best and worst are then those of the recorded spawns.
    pub fn is_exact(&self) -> bool {
        self.outcomes().all(|(_, outcome)| outcome.bound == Bound::Exact)
    }

    /// The values of the spawns with their probabilities, those without a value left out.
    pub fn outcomes(&self) -> impl Iterator<Item = (Spawn, Outcome)> {
        self.cells.iter().flat_map(|&(cell, outcomes)| {
            outcomes.into_iter().flatten().map(move |outcome| (Spawn { cell, rank: outcome.rank }, outcome))
        })
    }
}

impl Tree {
    /// What each spawn at an afterstate is worth; `None` for nodes that are none, or without recorded spawns. At a cached
    /// node it is the map of the node whose value it is, if that is in the record, its cells turned back.
    pub fn spawn_map(&self, id: NodeId) -> Option<SpawnMap> {
        let node = self.searched(id);
        let rule = self.spawn_rule(node)?;
        let here = self.place(id).board;
        let back = if node == id { Symmetry::IDENTITY } else { self.image(node, id)? };
        let mut cells: Vec<(Cell, [Option<Outcome>; 2])> =
            here.empty_cells().into_iter().map(|cell| (cell, [None; 2])).collect();
        let mut is_complete = true;
        for (spawn, outcome) in self.outcomes(node) {
            let cell = if back == Symmetry::IDENTITY { spawn.cell } else { back.cell(spawn.cell, Size::FOUR) };
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
        // A tile that never comes need not be there.
        let is_there = |outcome: Option<Outcome>, rank: Rank| match outcome {
            Some(outcome) => outcome.value.is_some(),
            None => self.chance(rank) == 0.0,
        };
        is_complete &= cells.iter().all(|(_, [two, four])| is_there(*two, Rank::TWO) && is_there(*four, Rank::FOUR));
        let mean = match self.value(node) {
            Some(value) if matches!(rule, Rule::MeanOf | Rule::SpawnsDrawn) => value,
            _ => sum / weight,
        };
        let values = || cells.iter().flat_map(|(_, outcomes)| outcomes).flatten();
        let variance = || -> f64 {
            values().filter_map(|outcome| Some(outcome.probability * math::squared(outcome.value? - mean))).sum()
        };
        let deviation = is_complete.then(|| variance().sqrt());
        Some(SpawnMap { node, mean, best, worst, deviation, is_complete, cells })
    }

    /// The node where a value was searched: for a cached node the one it refers to, if that is in the record.
    pub(super) fn searched(&self, id: NodeId) -> NodeId {
        self.at(id).stored().unwrap_or(id)
    }

    /// How an afterstate with spawns below it came to its value; `None` for other nodes.
    pub(super) fn spawn_rule(&self, id: NodeId) -> Option<Rule> {
        let is_afterstate = match self.link(id) {
            Some(link) => matches!(link, Link::Slide(_)),
            None => self.subject.start == Start::Spawn,
        };
        let rule = self.at(id).rule();
        (is_afterstate && rule.is_inner()).then_some(rule)
    }

    /// The kept spawns below an afterstate, in the order of the visit.
    pub(super) fn outcomes(&self, id: NodeId) -> impl Iterator<Item = (Spawn, Outcome)> + use<'_> {
        let considered = self.at(id).considered();
        self.children(id).filter_map(move |child| {
            let (spawn, node) = (self.spawn(child)?, self.at(child));
            let probability = self.reach_below(1.0, considered, node);
            let (value, bound) = (node.value(), node.bound());
            Some((spawn, Outcome { node: child, rank: spawn.rank, probability, value, bound }))
        })
    }

    /// What turns the board at one node into that at another.
    fn image(&self, from: NodeId, to: NodeId) -> Option<Symmetry> {
        let (from, to) = (self.place(from).board.as_packed()?, self.place(to).board.as_packed()?);
        Symmetry::ALL.into_iter().find(|symmetry| symmetry.board(from) == to)
    }
}

//! What is to be expected at the end of the depth: the boards on which best play ends, and what evaluators say of them.

use std::collections::HashMap;

use super::{AfterSlide, BestPlay, LineEnd, Then};
use crate::evaluator::{Compiled, Evaluator, OwnFiles, Part};
use crate::game::{Board, Grid, Move};
use crate::search::board::Valued as _;
use crate::task::CancelToken;

/// Leaves between two looks whether to stop.
const A_LOOK: usize = 1024;

/// The ends of all lines after one root move, equal boards together.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafSet {
    pub mv: Move,
    /// By falling value.
    pub leaves: Vec<OneLeaf>,
    /// Whether the spawns are all that chance brings, so that shares are probabilities; else the worst ones, or those on cells
    /// that are considered, each with what it counts.
    pub is_by_chance: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneLeaf {
    pub board: Board,
    pub score: u64,
    pub end: LineEnd,
    pub value: f64,
    /// Its share of all ends; shares add up to 1.
    pub share: f64,
    /// The factor with which it enters the value of the root move.
    pub weight: f64,
}

impl LeafSet {
    /// Σ weight · value, which is the value of the root move.
    pub fn value(&self) -> f64 {
        self.leaves.iter().map(|leaf| leaf.weight * leaf.value).sum()
    }

    /// The share of the ends at which no slide is left.
    pub fn dead(&self) -> f64 {
        // At an even depth a dead board is evaluated as any other.
        let is_dead = |leaf: &&OneLeaf| leaf.end == LineEnd::Dead || leaf.board.is_dead();
        self.leaves.iter().filter(is_dead).fold(0.0, |sum, leaf| sum + leaf.share).min(1.0)
    }

    /// The least value of an end and the largest; `None` without ends.
    pub fn range(&self) -> Option<[f64; 2]> {
        Some([self.leaves.last()?.value, self.leaves.first()?.value])
    }

    /// The value that a share of the ends is at most, from 0 to 1; `None` without ends.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut left = share * self.leaves.iter().map(|leaf| leaf.share).sum::<f64>() * (1.0 - 1e-12);
        for leaf in self.leaves.iter().rev() {
            left -= leaf.share;
            if left <= 0.0 {
                return Some(leaf.value);
            }
        }
        self.leaves.first().map(|leaf| leaf.value)
    }

    /// The shares of the ends in `bins` equal intervals from `low` to `high`; what lies outside counts at the nearer end.
    pub fn histogram(&self, (low, high): (f64, f64), bins: usize) -> Vec<f64> {
        let mut shares = vec![0.0; bins.max(1)];
        let last = shares.len() - 1;
        for leaf in &self.leaves {
            let place = if low < high { (leaf.value - low) / (high - low) * shares.len() as f64 } else { 0.0 };
            shares[(place.max(0.0) as usize).min(last)] += leaf.share;
        }
        shares
    }
}

/// What evaluators are expected to say of the boards at the end, after each of some moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Measures {
    pub moves: Vec<Move>,
    /// The terms of the searched evaluator with their weights; with `by_rule` they add up to the value of each move.
    pub terms: Vec<MeasureMeans>,
    /// What is added where a board counts by a rule whatever its terms: dead, or all its slides worth less.
    pub by_rule: Vec<f64>,
    /// Other evaluators with their default parameters, on all ends, dead boards among them.
    pub others: Vec<MeasureMeans>,
}

/// One evaluator, or one term.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasureMeans {
    pub label: String,
    /// Its weight in the searched evaluator, which is in the means; 1 for others.
    pub weight: f64,
    /// After each move: of terms Σ weight · amount, of others the mean by share.
    pub means: Vec<f64>,
}

impl MeasureMeans {
    /// How far the means lie apart.
    pub fn spread(&self) -> f64 {
        let most = self.means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = self.means.iter().copied().fold(f64::INFINITY, f64::min);
        if self.means.is_empty() { 0.0 } else { most - least }
    }
}

impl BestPlay {
    /// The ends of all lines after a root move.
    pub fn leaves(&self, mv: Move) -> LeafSet {
        let mut shares = vec![[0.0; 2]; self.nodes.len()];
        if let Some(root) = self.first[mv] {
            shares[root as usize] = [1.0; 2];
        }
        let mut ends: HashMap<(Board, u64, LineEnd), (f64, [f64; 2])> = HashMap::new();
        let mut add = |board: Board, score: u64, end: LineEnd, value: f64, [share, weight]: [f64; 2]| {
            let known = ends.entry((board, score, end)).or_insert((value, [0.0; 2]));
            known.1[0] += share;
            known.1[1] += weight;
        };
        // What is above a node precedes it.
        for (id, node) in self.nodes.iter().enumerate() {
            let own = shares[id];
            if own == [0.0; 2] {
                continue;
            }
            let AfterSlide { after, score, value, end, .. } = *node;
            if let Some(end) = end {
                add(after, score, end, value, own);
            }
            for branch in self.branches(node) {
                let part = [own[0] * self.share(node, branch), own[1] * self.weight(node, branch)];
                match branch.then {
                    Then::End(end) => {
                        add(after.with(branch.spawn.cell, branch.spawn.rank), score, end, branch.value, part);
                    }
                    Then::Slide(_, below) => {
                        let below = &mut shares[below as usize];
                        (below[0], below[1]) = (below[0] + part[0], below[1] + part[1]);
                    }
                }
            }
        }
        let ends = ends.into_iter().map(|((board, score, end), (value, sums))| (board, score, end, value, sums));
        let mut leaves: Vec<OneLeaf> = ends
            .map(|(board, score, end, value, [share, weight])| OneLeaf { board, score, end, value, share, weight })
            .collect();
        // Whatever the order of the map: equals by points and then by their cells.
        leaves.sort_by(|a, b| {
            let by_value = b.value.total_cmp(&a.value).then(b.score.cmp(&a.score)).then(a.end.cmp(&b.end));
            by_value.then_with(|| a.board.cells().map(|(_, rank)| rank).cmp(b.board.cells().map(|(_, rank)| rank)))
        });
        LeafSet { mv, leaves, is_by_chance: self.follows_every_spawn() }
    }

    /// What the searched evaluator's terms and all other evaluators are expected to say at the end, after each root move;
    /// `None` when it was stopped.
    pub fn measures(&self, sets: &[LeafSet], stop: &CancelToken) -> Option<Measures> {
        let definition = &self.subject.definition;
        let parts: Vec<Part> = definition.evaluator.parts_in_full();
        let size = self.subject.board.size();
        let compiled: Vec<(String, Compiled)> =
            Evaluator::usual(size).iter().map(|one| (one.label(), one.compile(&OwnFiles))).collect();
        let mut terms = vec![vec![0.0; sets.len()]; parts.len()];
        let mut of_others = vec![vec![0.0; sets.len()]; compiled.len()];
        let mut by_rule = vec![0.0; sets.len()];
        for (at, set) in sets.iter().enumerate() {
            for (number, leaf) in set.leaves.iter().enumerate() {
                if number % A_LOOK == 0 && stop.is_cancelled() {
                    return None;
                }
                if self.is_by_rule(leaf.end) {
                    by_rule[at] += leaf.weight * leaf.value;
                } else {
                    for (part, sum) in parts.iter().zip(&mut terms) {
                        sum[at] += leaf.weight * part.weight * part.value(&leaf.board, leaf.score);
                    }
                }
                for ((_, other), sum) in compiled.iter().zip(&mut of_others) {
                    let value = match leaf.board.as_packed() {
                        Some(packed) => packed.crossed().value_by(other, leaf.score),
                        None => Grid::value_by(leaf.board.to_grid(), other, leaf.score),
                    };
                    sum[at] += leaf.share * value;
                }
            }
        }
        let terms = parts.into_iter().zip(terms);
        let others = compiled.into_iter().zip(of_others);
        Some(Measures {
            moves: sets.iter().map(|set| set.mv).collect(),
            terms: terms.map(|(part, means)| MeasureMeans { label: part.label, weight: part.weight, means }).collect(),
            by_rule,
            others: others.map(|((label, _), means)| MeasureMeans { label, weight: 1.0, means }).collect(),
        })
    }

    /// Whether such an end counts by a rule and not by the evaluator.
    pub(super) fn is_by_rule(&self, end: LineEnd) -> bool {
        match end {
            LineEnd::Evaluated | LineEnd::TooImprobable => false,
            LineEnd::Dead => !self.evaluates_dead(),
            LineEnd::Floor => true,
        }
    }
}

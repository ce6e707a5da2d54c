//! The expected end of the depth: the boards on which best play ends, and their values in the evaluators.

use std::collections::HashMap;

use super::{AfterSlide, BestPlay, LineEnd, Then};
use crate::evaluator::{Compiled, Evaluator, OwnFiles, Part};
use crate::game::{Board, Grid, Move};
use crate::search::board::Valued as _;
use crate::stats::total_probability;
use crate::task::CancelToken;

/// Leaves between two checks whether to stop.
const A_LOOK: usize = 1024;

/// The ends of all lines after one root move, with equal boards merged.
#[derive(Clone, PartialEq, Debug)]
pub struct LeafSet {
    pub mv: Move,
    /// By falling value.
    pub leaves: Vec<OneLeaf>,
    /// Whether all possible spawns count, so that shares are probabilities. Otherwise only the worst spawns count, or
    /// those on the considered cells, each with its weight.
    pub is_by_chance: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneLeaf {
    pub board: Board,
    pub score: u64,
    pub end: LineEnd,
    pub value: f64,
    /// Its share of all ends. Shares add up to 1.
    pub share: f64,
    /// The factor of its value in the value of the root move.
    pub weight: f64,
}

impl LeafSet {
    /// Σ weight · value, which is the value of the root move.
    pub fn value(&self) -> f64 {
        self.leaves
            .iter()
            .map(|leaf| leaf.weight * leaf.value)
            .sum()
    }

    /// The share of the ends without a legal slide.
    pub fn dead(&self) -> f64 {
        // At an even depth the search evaluates a dead board like any other.
        let is_dead = |leaf: &&OneLeaf| leaf.end == LineEnd::Dead || leaf.board.is_dead();
        total_probability(self.leaves.iter().filter(is_dead).map(|leaf| leaf.share))
    }

    /// The least and the largest value of an end. `None` without ends.
    pub fn range(&self) -> Option<[f64; 2]> {
        Some([self.leaves.last()?.value, self.leaves.first()?.value])
    }

    /// The quantile of the values for a share from 0 to 1. `None` without ends.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut left =
            share * self.leaves.iter().map(|leaf| leaf.share).sum::<f64>() * (1.0 - 1e-12);
        for leaf in self.leaves.iter().rev() {
            left -= leaf.share;
            if left <= 0.0 {
                return Some(leaf.value);
            }
        }
        self.leaves.first().map(|leaf| leaf.value)
    }

    /// The shares of the ends in `bins` equal intervals from `low` to `high`. Values outside count in the nearest
    /// interval.
    pub fn histogram(&self, (low, high): (f64, f64), bins: usize) -> Vec<f64> {
        let mut shares = vec![0.0; bins.max(1)];
        let last = shares.len() - 1;
        for leaf in &self.leaves {
            let place = if low < high {
                (leaf.value - low) / (high - low) * shares.len() as f64
            } else {
                0.0
            };
            shares[(place.max(0.0) as usize).min(last)] += leaf.share;
        }
        shares
    }
}

/// The expected values of evaluators on the boards at the end, after each of some moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Measures {
    pub moves: Vec<Move>,
    /// The terms of the searched evaluator with their weights. With `by_rule` they add up to the value of each move.
    pub terms: Vec<MeasureMeans>,
    /// The contribution of boards that count by a rule whatever their terms: dead, or with all slides below 0.
    pub by_rule: Vec<f64>,
    /// Other evaluators with their default parameters, on all ends including dead boards.
    pub others: Vec<MeasureMeans>,
}

/// One evaluator, or one term.
#[derive(Clone, PartialEq, Debug)]
pub struct MeasureMeans {
    pub label: String,
    /// Its weight in the searched evaluator, which is part of the means; 1 for others.
    pub weight: f64,
    /// One mean per move: for terms Σ weight · amount, for others the mean by share.
    pub means: Vec<f64>,
}

impl MeasureMeans {
    /// The spread of the means.
    pub fn spread(&self) -> f64 {
        let most = self.means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = self.means.iter().copied().fold(f64::INFINITY, f64::min);
        if self.means.is_empty() {
            0.0
        } else {
            most - least
        }
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
        let mut add =
            |board: Board, score: u64, end: LineEnd, value: f64, [share, weight]: [f64; 2]| {
                let entry = ends.entry((board, score, end)).or_insert((value, [0.0; 2]));
                entry.1[0] += share;
                entry.1[1] += weight;
            };

        // Parents precede their children.
        for (id, node) in self.nodes.iter().enumerate() {
            let own = shares[id];
            if own == [0.0; 2] {
                continue;
            }
            let AfterSlide {
                after,
                score,
                value,
                end,
                ..
            } = *node;
            if let Some(end) = end {
                add(after, score, end, value, own);
            }
            for branch in self.branches(node) {
                let part = [
                    own[0] * self.share(node, branch),
                    own[1] * self.weight(node, branch),
                ];
                match branch.then {
                    Then::End(end) => {
                        add(
                            after.with(branch.spawn.cell, branch.spawn.rank),
                            score,
                            end,
                            branch.value,
                            part,
                        );
                    }
                    Then::Slide(_, below) => {
                        let below = &mut shares[below as usize];
                        (below[0], below[1]) = (below[0] + part[0], below[1] + part[1]);
                    }
                }
            }
        }

        let ends = ends
            .into_iter()
            .map(|((board, score, end), (value, sums))| (board, score, end, value, sums));
        let mut leaves: Vec<OneLeaf> = ends
            .map(|(board, score, end, value, [share, weight])| OneLeaf {
                board,
                score,
                end,
                value,
                share,
                weight,
            })
            .collect();
        // Independent of the order of the map: ties are sorted by score, then by end and cells.
        leaves.sort_by(|a, b| {
            let by_value = b
                .value
                .total_cmp(&a.value)
                .then(b.score.cmp(&a.score))
                .then(a.end.cmp(&b.end));
            by_value.then_with(|| {
                a.board
                    .cells()
                    .map(|(_, rank)| rank)
                    .cmp(b.board.cells().map(|(_, rank)| rank))
            })
        });

        LeafSet {
            mv,
            leaves,
            is_by_chance: self.follows_every_spawn(),
        }
    }

    /// The expected terms of the searched evaluator and the expected values of all other evaluators at the end, after
    /// each root move. `None` if it was stopped.
    pub fn measures(&self, sets: &[LeafSet], stop: &CancelToken) -> Option<Measures> {
        let definition = &self.subject.definition;
        let parts: Vec<Part> = definition.evaluator.parts_in_full();
        let size = self.subject.board.size();
        let compiled: Vec<(String, Compiled)> = Evaluator::usual(size)
            .iter()
            .map(|one| (one.label(), one.compile(&OwnFiles)))
            .collect();
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
            terms: terms
                .map(|(part, means)| MeasureMeans {
                    label: part.label,
                    weight: part.weight,
                    means,
                })
                .collect(),
            by_rule,
            others: others
                .map(|((label, _), means)| MeasureMeans {
                    label,
                    weight: 1.0,
                    means,
                })
                .collect(),
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

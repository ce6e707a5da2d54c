//! Why one root move has a higher value than another: breaks down the difference of their values.
//!
//! First by spawns. With the values v of the spawns after the better move and their probabilities p:
//!
//! ```text
//! same empty cells after both    the spawns are paired: p · (v − the value of the same spawn after the other move)
//! different cells                each is set against the other move's value: p · (v − that value)
//! the worst counts               one bar: only the deciding spawn matters
//! spawns are added up            the same two ways with the chance of the tile as p; the other move's value is shared out,
//!                                one share for each cell after the better move
//! no spawn was searched          one bar for each term of the evaluator
//! spawns were drawn              the first two ways with the share of the samples as p; paired if both moves had the same draws
//! ```
//!
//! Then by terms of the evaluator: the expected value of each term at the leaves that decide, if the player plays as
//! the search says. In both breakdowns the parts add up to the difference, except for rounding.

mod terms;

use super::spawns::{Outcome, SpawnMap};
use super::view::Place;
use super::{NodeId, Tree, TreeKind};
use crate::game::{Move, Rank, Spawn};
use crate::search::{Bound, Lead, Objective, ROUNDING, Rule};
use crate::task::CancelToken;
pub use terms::{Leaves, NoTerms, TermRow, Terms};

/// The spawns of a 4 share one bar if each of them is less than this share of the sum of all bars, signs ignored.
const FEW: f64 = 0.02;

#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// The move to explain.
    pub better: Move,
    pub other: Move,
    pub values: [f64; 2],
    pub bounds: [Bound; 2],
    pub objective: Objective,
    pub pairing: Pairing,
    /// Whether spawns are summed instead of averaged.
    pub is_sum: bool,
    /// Whether the values are means of samples, so that the weight of a spawn is its share of the samples.
    pub is_sampled: bool,
    /// How certain the difference is, if the two moves have the best means of samples.
    pub lead: Option<Lead>,
    /// The parts of the difference. The strongest reason for the better move comes first; unrecorded spawns come last.
    pub bars: Vec<Bar>,
    /// How the spawns compare one by one. `None` if they are not compared.
    pub comparison: Option<Comparison>,
    /// Where the worst counts, the spawns that decide after each move: one spawn, or those of one cell. Empty if they
    /// are not recorded.
    pub deciding: [Vec<Spawn>; 2],
    pub terms: Result<Terms, NoTerms>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pairing {
    /// Each spawn after the better move against the same spawn after the other: both leave the same cells empty.
    Spawns,
    /// Each spawn after the better move against the other move's value.
    Mean,
    /// The worst spawns decide: one bar for the whole difference.
    Worst,
    /// No spawn was searched: one bar for each term of the evaluator.
    Terms,
    /// The spawns are not in the record: one bar for the whole difference.
    Whole,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    pub what: BarKind,
    /// The spawns after the better move that share the bar.
    pub spawns: Vec<Spawn>,
    /// Their nodes, or the node of the move. A click opens the first.
    pub nodes: Vec<NodeId>,
    /// Their total probability, or their share of the samples. Where spawns are summed instead of averaged, Σ of the
    /// chances of their tiles.
    pub probability: f64,
    /// Their value, a mean if there are several.
    pub value: f64,
    /// The value that they are compared with.
    pub against: f64,
    /// Their contribution: probability × (value − against).
    pub amount: f64,
}

#[derive(Clone, PartialEq, Debug)]
pub enum BarKind {
    Spawn,
    /// All spawns of a 4, if each contributes little.
    Fours,
    /// The spawns that decide where the worst counts.
    Worst,
    /// A term of the evaluator, by its label.
    Term(String),
    /// The unrecorded spawns, so that the sum is exact.
    NotRecorded,
}

/// How the spawns after the better move compare with their counterparts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The number of compared spawns: all that can happen and are recorded.
    pub spawns: u32,
    /// Whether these are all that can happen.
    pub is_complete: bool,
    /// How many are better for the root.
    pub better: u32,
    pub worse: u32,
    /// The spawn that is worst relative to its counterpart, and by how much, at least 0. `None` if none is worse.
    pub worst: Option<(Spawn, f64)>,
}

/// A spawn after the better move and its counterpart.
struct Pair {
    spawn: Spawn,
    node: NodeId,
    probability: f64,
    value: f64,
    against: f64,
}

impl Bar {
    /// A bar without spawns: two values compared at a root move.
    fn whole(what: BarKind, node: NodeId, [value, against]: [f64; 2]) -> Self {
        let (spawns, nodes) = (Vec::new(), vec![node]);
        Self {
            what,
            spawns,
            nodes,
            probability: 1.0,
            value,
            against,
            amount: value - against,
        }
    }
}

impl Why {
    /// The value of the better move minus that of the other. Negative if its value is lower.
    pub fn difference(&self) -> f64 {
        self.values[0] - self.values[1]
    }

    /// Whether the difference itself is only a bound.
    pub fn is_bound(&self) -> bool {
        self.bounds != [Bound::Exact; 2]
    }

    /// Whether the two values are equal except for rounding.
    pub fn is_equal(&self) -> bool {
        let [a, b] = self.values;
        (a - b).abs() <= a.abs().max(b.abs()) * ROUNDING
    }

    /// Whether the root prefers the better move by these values.
    pub fn is_favourable(&self) -> bool {
        0.0 < self.objective.sign() * self.difference()
    }
}

impl Tree {
    /// The chosen root move, or the best one, and the best of the others. `None` with fewer than two values.
    pub fn second_best(&self) -> Option<(Move, Move)> {
        let best = self.best_child(self.root())?;
        let others = self
            .slides(self.root())
            .filter(|&(child, ..)| child != best);
        let (_, second, _) =
            others.reduce(|most, next| if most.2 < next.2 { next } else { most })?;
        Some((self.slide(best)?, second))
    }

    /// Breaks down the difference between two root moves. It looks only at the spawns right after them, and gives terms
    /// only if the moves themselves are the leaves. `None` if a move is not in the record or has no value.
    pub fn why(&self, better: Move, other: Move) -> Option<Why> {
        let nodes = [self.root_child(better)?, self.root_child(other)?];
        let values = [self.value(nodes[0])?, self.value(nodes[1])?];
        let mut why = Why {
            better,
            other,
            values,
            bounds: nodes.map(|id| self.bound(id)),
            objective: self.objective(),
            pairing: Pairing::Whole,
            is_sum: false,
            is_sampled: self.search_kind() == TreeKind::Sampled,
            lead: self
                .playouts
                .as_ref()
                .and_then(|playouts| playouts.lead)
                .filter(|lead| [lead.best, lead.second] == [better, other]),
            bars: Vec::new(),
            comparison: None,
            deciding: [Vec::new(), Vec::new()],
            terms: Err(NoTerms::NotAsked),
        };

        match nodes.map(|id| self.spawn_rule(self.searched(id))) {
            [
                Some(Rule::MinOf | Rule::LeastMeanOf | Rule::MeanLeastOf),
                Some(_),
            ] => self.add_worst(&mut why, nodes),
            [Some(rule), Some(_)] => self.add_pairs(&mut why, nodes, rule),
            [None, None]
                if nodes
                    .iter()
                    .all(|&id| self.at(id).rule() == Rule::Evaluated) =>
            {
                self.add_terms(&mut why, nodes);
            }
            _ => {}
        }
        if why.bars.is_empty() {
            why.bars
                .push(Bar::whole(BarKind::NotRecorded, nodes[0], values));
        }

        Some(why)
    }

    /// Like `Tree::why`, with the terms at the recorded leaves. It follows the best play through the whole record.
    pub fn why_of_record(&self, better: Move, other: Move, stop: &CancelToken) -> Option<Why> {
        let why = self.why(better, other)?;
        match why.terms {
            Ok(_) => Some(why),
            Err(_) => Some(Why {
                terms: self.terms_at_leaves([better, other], stop),
                ..why
            }),
        }
    }

    /// One bar for each spawn after the better move.
    fn add_pairs(&self, why: &mut Why, nodes: [NodeId; 2], rule: Rule) {
        let [Some(map), Some(other)] = nodes.map(|id| self.spawn_map(id)) else {
            return;
        };
        let cells = f64::from(self.at(map.node).considered());
        why.is_sum = rule == Rule::SumOf;

        // A sum has a weight of 1 for each cell.
        let (scale, whole) = if why.is_sum {
            (cells, cells)
        } else {
            (1.0, 1.0)
        };
        let is_sampled = rule == Rule::SpawnsDrawn;
        // If the moves had different draws, a spawn has two shares.
        let same_draws = self
            .playouts
            .as_ref()
            .is_none_or(|playouts| playouts.lead.is_none_or(|lead| lead.is_paired));
        let same_cells = map
            .cells
            .iter()
            .map(|(cell, _)| cell)
            .eq(other.cells.iter().map(|(cell, _)| cell));
        let is_paired = same_cells && same_draws;
        why.pairing = if is_paired {
            Pairing::Spawns
        } else {
            Pairing::Mean
        };
        let mut pairs: Vec<Pair> = valued(&map)
            .filter_map(|(spawn, outcome, value)| {
                let against = if is_paired {
                    value_of(&other, spawn)?
                } else {
                    why.values[1] / whole
                };
                let share = if is_sampled {
                    self.share_of_samples(outcome.node)?
                } else {
                    outcome.probability
                };
                Some(Pair {
                    spawn,
                    node: outcome.node,
                    probability: scale * share,
                    value,
                    against,
                })
            })
            .collect();
        pairs.sort_by_key(|pair| pair.node);
        let sign = why.objective.sign();
        let recorded: f64 = pairs.iter().map(|pair| pair.probability).sum();
        let is_complete = whole - recorded <= 1e-9 * whole;
        why.comparison = Some(compare(&pairs, sign, is_complete));
        why.bars = bars(&pairs, sign);

        if !is_complete {
            let sum: f64 = why.bars.iter().map(|bar| bar.amount).sum();
            let seen: f64 = pairs.iter().map(|pair| pair.probability * pair.value).sum();
            let (probability, amount) = (whole - recorded, why.difference() - sum);
            let value = (why.values[0] - seen) / probability;
            let values = [value, value - amount / probability];
            why.bars.push(Bar {
                probability,
                amount,
                ..Bar::whole(BarKind::NotRecorded, nodes[0], values)
            });
        }
    }

    /// Adds one bar: where the worst counts, nothing else matters.
    fn add_worst(&self, why: &mut Why, nodes: [NodeId; 2]) {
        let deciding = nodes.map(|id| {
            self.spawn_map(id)
                .map(|map| self.deciding(id, &map))
                .unwrap_or_default()
        });
        let of_better: Vec<NodeId> = deciding[0].iter().map(|&(_, node)| node).collect();
        why.pairing = Pairing::Worst;
        why.deciding = deciding.map(|spawns| spawns.into_iter().map(|(spawn, _)| spawn).collect());
        let mut bar = Bar {
            spawns: why.deciding[0].clone(),
            ..Bar::whole(BarKind::Worst, nodes[0], why.values)
        };
        if !of_better.is_empty() {
            bar.nodes = of_better;
        }
        why.bars = vec![bar];
    }

    /// The spawns that decide an afterstate's value where the worst counts. Empty if they are not recorded.
    fn deciding(&self, id: NodeId, map: &SpawnMap) -> Vec<(Spawn, NodeId)> {
        let Some(value) = self.value(id) else {
            return Vec::new();
        };
        let deciding: Vec<(Spawn, Outcome)> = match self.at(map.node).rule() {
            Rule::MinOf => {
                let least = map
                    .outcomes()
                    .filter(|(_, outcome)| outcome.value == Some(value));
                least
                    .min_by_key(|(_, outcome)| outcome.node)
                    .into_iter()
                    .collect()
            }
            _ => {
                // On the searched board, whose cells may be at other places.
                let nodes: Vec<NodeId> = self
                    .deciding_outcomes(map.node)
                    .into_iter()
                    .map(|(_, outcome)| outcome.node)
                    .collect();
                map.outcomes()
                    .filter(|(_, outcome)| nodes.contains(&outcome.node))
                    .collect()
            }
        };
        let mean: f64 = deciding
            .iter()
            .map(|(spawn, outcome)| self.chance(spawn.rank) * outcome.value.unwrap_or(0.0))
            .sum();
        let is_one = self.at(map.node).rule() == Rule::MinOf;

        if is_one || (mean - value).abs() <= 1e-9 * value.abs().max(1.0) {
            deciding
                .into_iter()
                .map(|(spawn, outcome)| (spawn, outcome.node))
                .collect()
        } else {
            Vec::new()
        }
    }

    /// Adds one bar for each term of the evaluator: the moves themselves are the leaves.
    fn add_terms(&self, why: &mut Why, nodes: [NodeId; 2]) {
        if !self.knows_evaluator() {
            why.terms = Err(NoTerms::UnknownEvaluator);
            return;
        }

        let [better, other] = nodes.map(|id| self.place(id));
        let terms = |place: &Place| {
            self.subject
                .definition
                .evaluator
                .terms_in_full(&place.board, place.score)
        };
        let rows: Vec<TermRow> = terms(&better)
            .into_iter()
            .zip(terms(&other))
            .map(|(a, b)| TermRow {
                means: [a.amount(), b.amount()],
                label: a.label,
                weight: a.weight,
            })
            .collect();
        let sign = why.objective.sign();

        // Equal terms explain nothing, unless all are equal.
        let is_same = rows.iter().all(|row| row.difference() == 0.0);
        why.pairing = Pairing::Terms;
        why.bars = rows
            .iter()
            .filter(|row| is_same || row.difference() != 0.0)
            .map(|row| Bar::whole(BarKind::Term(row.label.clone()), nodes[0], row.means))
            .collect();
        why.bars
            .sort_by(|a, b| (sign * b.amount).total_cmp(&(sign * a.amount)));
        why.terms = Ok(Terms {
            rows,
            zero: [0.0; 2],
            leaves: Leaves::Slides,
        });
    }
}

fn valued(map: &SpawnMap) -> impl Iterator<Item = (Spawn, Outcome, f64)> {
    let possible = map
        .outcomes()
        .filter(|(_, outcome)| 0.0 < outcome.probability);
    possible.filter_map(|(spawn, outcome)| Some((spawn, outcome, outcome.value?)))
}

fn value_of(map: &SpawnMap, spawn: Spawn) -> Option<f64> {
    let place = map
        .cells
        .binary_search_by_key(&spawn.cell, |&(cell, _)| cell)
        .ok()?;
    map.cells[place].1[usize::from(spawn.rank == Rank::FOUR)]?.value
}

fn compare(pairs: &[Pair], sign: f64, is_complete: bool) -> Comparison {
    let mut comparison = Comparison {
        spawns: pairs.len() as u32,
        is_complete,
        ..Comparison::default()
    };
    for pair in pairs {
        let gain = sign * (pair.value - pair.against);
        // Values that are equal by symmetry may differ in their last digits.
        let slack = pair.value.abs().max(pair.against.abs()) * ROUNDING;
        if slack < gain {
            comparison.better += 1;
        } else if gain < -slack {
            comparison.worse += 1;
            if comparison.worst.is_none_or(|(_, most)| most < -gain) {
                comparison.worst = Some((pair.spawn, -gain));
            }
        }
    }
    comparison
}

/// The bars of the spawns, the strongest reason for the better move first.
fn bars(pairs: &[Pair], sign: f64) -> Vec<Bar> {
    let amount = |pair: &Pair| pair.probability * (pair.value - pair.against);
    let all: f64 = pairs.iter().map(|pair| amount(pair).abs()).sum();
    let fours = || pairs.iter().filter(|pair| pair.spawn.rank == Rank::FOUR);
    let is_shared = 1 < fours().count() && fours().all(|pair| amount(pair).abs() < FEW * all);
    let is_alone = |pair: &&Pair| !(is_shared && pair.spawn.rank == Rank::FOUR);
    let mut bars: Vec<Bar> = pairs
        .iter()
        .filter(is_alone)
        .map(|pair| Bar {
            what: BarKind::Spawn,
            spawns: vec![pair.spawn],
            nodes: vec![pair.node],
            probability: pair.probability,
            value: pair.value,
            against: pair.against,
            amount: amount(pair),
        })
        .collect();

    if is_shared {
        let probability: f64 = fours().map(|pair| pair.probability).sum();
        bars.push(Bar {
            what: BarKind::Fours,
            spawns: fours().map(|pair| pair.spawn).collect(),
            nodes: fours().map(|pair| pair.node).collect(),
            probability,
            value: fours()
                .map(|pair| pair.probability * pair.value)
                .sum::<f64>()
                / probability,
            against: fours()
                .map(|pair| pair.probability * pair.against)
                .sum::<f64>()
                / probability,
            amount: fours().map(amount).sum(),
        });
    }

    // A stable sort keeps ties in visit order.
    bars.sort_by(|a, b| (sign * b.amount).total_cmp(&(sign * a.amount)));
    bars
}

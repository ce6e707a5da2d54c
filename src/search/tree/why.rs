//! Why one root move is worth more than another: the difference of their values taken apart.
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
//! ```
//!
//! Then by terms of the evaluator: what each term is expected to be at the leaves that decide, if the player plays as the
//! search says. Both ways the parts add up to the difference, but for rounding.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::recorder::Bound;
use super::super::rule::Rule;
use super::super::{Dead, Objective, ROUNDING};
use super::spawns::{Outcome, SpawnMap};
use super::view::Place;
use super::{Link, NodeId, Tree};
use crate::evaluator::Part;
use crate::game::{Move, Rank, Spawn};
use crate::task::CancelToken;
use crate::words;

/// Spawns of a 4 share one bar where each is less than this share of all bars, whatever their signs.
const FEW: f64 = 0.02;

/// As many terms are named in a sentence.
const MOST_NAMED: usize = 4;

/// Nodes between two looks at the flag.
const NODES_A_LOOK: u32 = 1024;

/// The difference between two root moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// The move that is explained.
    pub better: Move,
    /// The one it is compared with.
    pub other: Move,
    /// What the two are worth.
    pub values: [f64; 2],
    pub bounds: [Bound; 2],
    pub objective: Objective,
    pub pairing: Pairing,
    /// Whether spawns are added up instead of averaged.
    pub is_sum: bool,
    /// The parts of the difference, what speaks most for the better move first; what is not recorded comes last.
    pub bars: Vec<Bar>,
    /// How the spawns compare one by one; `None` where they are not compared.
    pub comparison: Option<Comparison>,
    /// Where the worst counts, the spawns that decide after each move: one, or those of one cell; none if they are not
    /// recorded.
    pub deciding: [Vec<Spawn>; 2],
    /// What the leaves are made of.
    pub terms: Result<Terms, NoTerms>,
}

/// What the bars of a difference are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pairing {
    /// Each spawn after the better move against the same spawn after the other, for both leave the same cells empty.
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

/// A part of a difference.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    pub what: BarKind,
    /// The spawns after the better move that share it.
    pub spawns: Vec<Spawn>,
    /// Their nodes, or that of the move; a click opens the first.
    pub nodes: Vec<NodeId>,
    /// How probable they are together. Where spawns are added up instead of averaged, Σ of the chances of their tiles.
    pub probability: f64,
    /// What they are worth, the mean of several.
    pub value: f64,
    /// What that is set against.
    pub against: f64,
    /// What they contribute: probability × (value − against).
    pub amount: f64,
}

/// What a bar stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum BarKind {
    Spawn,
    /// All spawns of a 4, each of which says little.
    Fours,
    /// The spawns that decide where the worst counts.
    Worst,
    /// A term of the evaluator, by its label.
    Term(String),
    /// What is missing in the record, so that the sum is exact.
    NotRecorded,
}

/// How the spawns after the better move compare with what each is set against.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Comparison {
    /// How many were compared: all that can happen and are recorded.
    pub spawns: u32,
    /// Whether those are all that can happen.
    pub is_complete: bool,
    /// How many are better for the root.
    pub better: u32,
    pub worse: u32,
    /// The one that is worst beside what it is set against, and by how much, at least 0; `None` if none is worse.
    pub worst: Option<(Spawn, f64)>,
}

/// What the evaluator's terms are expected to be at the leaves that decide, after each of two moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// One row for each term, in the order of the evaluator.
    pub rows: Vec<TermRow>,
    /// How probable it is to end on a board that counts 0 by rule whatever its terms: dead, or all its slides worth less.
    pub zero: [f64; 2],
    /// Of which leaves these are the terms.
    pub leaves: Leaves,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaves {
    /// The boards right after the two slides.
    Slides,
    /// All that chance may lead to, by probability.
    Mean,
    /// The same, spawns added up instead of averaged.
    Sum,
    /// The one that the worst spawns lead to.
    Worst,
}

/// A term after two moves.
#[derive(Clone, PartialEq, Debug)]
pub struct TermRow {
    pub label: String,
    /// Its weight, which is already in the amounts.
    pub weight: f64,
    /// Mean amount after the better move and after the other.
    pub means: [f64; 2],
}

/// Why the terms at the leaves are not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTerms {
    /// Nobody asked: see [`Tree::why_in_full`].
    #[error("What the leaves are made of is not computed yet.")]
    NotAsked,
    /// It was asked to stop.
    #[error("What the leaves are made of was not computed to the end.")]
    Stopped,
    /// The cap left out nodes that decide.
    #[error("What the leaves are made of is unknown: the record leaves out nodes that decide.")]
    LeftOut,
    /// A deciding value came from the transposition table, and its node is not in the record.
    #[error("What the leaves are made of is unknown: a deciding value came from a node that is not in the record.")]
    NotInRecord,
    /// A value is only a bound: alpha-beta skipped the leaves that decide.
    #[error("What the leaves are made of is unknown: a value is only a bound, and the leaves behind it were skipped.")]
    Bound,
}

/// A spawn after the better move beside what it is set against.
struct Pair {
    spawn: Spawn,
    node: NodeId,
    probability: f64,
    value: f64,
    against: f64,
}

impl Tree {
    /// The chosen root move, or the best one, and the best of the others; `None` with fewer than two values.
    pub fn second_best(&self) -> Option<(Move, Move)> {
        let best = self.best_child(self.root())?;
        let sign = sign_of(self.objective());
        let others = self.children(self.root()).filter(|&child| child != best);
        let valued = others.filter_map(|child| Some((child, sign * self.value(child)?)));
        let second = valued.reduce(|most, next| if most.1 < next.1 { next } else { most })?.0;
        Some((self.slide_to(best)?, self.slide_to(second)?))
    }

    /// Takes the difference between two root moves apart. It looks only at the spawns right after them; the terms at the
    /// leaves are told where these are the moves themselves. `None` if a move is not in the record or has no value.
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
            bars: Vec::new(),
            comparison: None,
            deciding: [Vec::new(), Vec::new()],
            terms: Err(NoTerms::NotAsked),
        };
        match nodes.map(|id| self.spawn_rule(self.searched(id))) {
            [Some(Rule::MinOf | Rule::LeastMeanOf), Some(_)] => self.add_worst(&mut why, nodes),
            [Some(rule), Some(_)] => self.add_pairs(&mut why, nodes, rule),
            [None, None] if nodes.iter().all(|&id| self.at(id).rule() == Rule::Evaluated) => {
                self.add_terms(&mut why, nodes);
            }
            _ => {}
        }
        if why.bars.is_empty() {
            why.bars.push(Bar {
                what: BarKind::NotRecorded,
                spawns: Vec::new(),
                nodes: vec![nodes[0]],
                probability: 1.0,
                value: values[0],
                against: values[1],
                amount: values[0] - values[1],
            });
        }
        Some(why)
    }

    /// The same with the terms at the leaves. It walks along the best play through the whole record.
    pub fn why_in_full(&self, better: Move, other: Move, stop: &CancelToken) -> Option<Why> {
        let why = self.why(better, other)?;
        match why.terms {
            Ok(_) => Some(why),
            Err(_) => Some(Why { terms: self.terms_at_leaves([better, other], stop), ..why }),
        }
    }

    fn root_child(&self, mv: Move) -> Option<NodeId> {
        self.children(self.root()).find(|&child| self.slide_to(child) == Some(mv))
    }

    fn slide_to(&self, id: NodeId) -> Option<Move> {
        match self.link(id)? {
            Link::Slide(mv) => Some(mv),
            Link::Spawn(_) => None,
        }
    }

    /// One bar for each spawn after the better move.
    fn add_pairs(&self, why: &mut Why, nodes: [NodeId; 2], rule: Rule) {
        let [Some(map), Some(other)] = nodes.map(|id| self.spawn_map(id)) else { return };
        let cells = f64::from(self.at(map.node).considered());
        why.is_sum = rule == Rule::SumOf;
        // A sum has a weight of 1 for each cell.
        let (scale, whole) = if why.is_sum { (cells, cells) } else { (1.0, 1.0) };
        let is_paired = map.cells.iter().map(|(cell, _)| cell).eq(other.cells.iter().map(|(cell, _)| cell));
        why.pairing = if is_paired { Pairing::Spawns } else { Pairing::Mean };
        let mut pairs: Vec<Pair> = valued(&map)
            .filter_map(|(spawn, outcome, value)| {
                let against = if is_paired { value_of(&other, spawn)? } else { why.values[1] / whole };
                Some(Pair { spawn, node: outcome.node, probability: scale * outcome.probability, value, against })
            })
            .collect();
        pairs.sort_by_key(|pair| pair.node);
        let sign = sign_of(why.objective);
        let recorded: f64 = pairs.iter().map(|pair| pair.probability).sum();
        let is_complete = whole - recorded <= 1e-9 * whole;
        why.comparison = Some(compare(&pairs, sign, is_complete));
        why.bars = bars(&pairs, sign);
        if !is_complete {
            let sum: f64 = why.bars.iter().map(|bar| bar.amount).sum();
            let seen: f64 = pairs.iter().map(|pair| pair.probability * pair.value).sum();
            let (probability, amount) = (whole - recorded, why.difference() - sum);
            let value = (why.values[0] - seen) / probability;
            why.bars.push(Bar {
                what: BarKind::NotRecorded,
                spawns: Vec::new(),
                nodes: vec![nodes[0]],
                probability,
                value,
                against: value - amount / probability,
                amount,
            });
        }
    }

    /// One bar: where the worst counts nothing else matters.
    fn add_worst(&self, why: &mut Why, nodes: [NodeId; 2]) {
        let deciding = nodes.map(|id| self.spawn_map(id).map(|map| self.deciding(id, &map)).unwrap_or_default());
        let of_better: Vec<NodeId> = deciding[0].iter().map(|&(_, node)| node).collect();
        why.pairing = Pairing::Worst;
        why.deciding = deciding.map(|spawns| spawns.into_iter().map(|(spawn, _)| spawn).collect());
        why.bars = vec![Bar {
            what: BarKind::Worst,
            spawns: why.deciding[0].clone(),
            nodes: if of_better.is_empty() { vec![nodes[0]] } else { of_better },
            probability: 1.0,
            value: why.values[0],
            against: why.values[1],
            amount: why.difference(),
        }];
    }

    /// The spawns from which an afterstate has its value, where the worst counts; none if they are not recorded.
    fn deciding(&self, id: NodeId, map: &SpawnMap) -> Vec<(Spawn, NodeId)> {
        let Some(value) = self.value(id) else { return Vec::new() };
        let deciding: Vec<(Spawn, Outcome)> = match self.at(map.node).rule() {
            Rule::MinOf => {
                let least = map.outcomes().filter(|(_, outcome)| outcome.value == Some(value));
                least.min_by_key(|(_, outcome)| outcome.node).into_iter().collect()
            }
            _ => {
                // On the board that was searched, whose cells may lie elsewhere.
                let nodes: Vec<NodeId> =
                    self.deciding_outcomes(map.node).into_iter().map(|(_, outcome)| outcome.node).collect();
                map.outcomes().filter(|(_, outcome)| nodes.contains(&outcome.node)).collect()
            }
        };
        let [p2, p4] = self.probability();
        let mean: f64 = deciding
            .iter()
            .map(|(spawn, outcome)| if spawn.rank == Rank::FOUR { p4 } else { p2 } * outcome.value.unwrap_or(0.0))
            .sum();
        let is_one = self.at(map.node).rule() == Rule::MinOf;
        if is_one || (mean - value).abs() <= 1e-9 * value.abs().max(1.0) {
            deciding.into_iter().map(|(spawn, outcome)| (spawn, outcome.node)).collect()
        } else {
            Vec::new()
        }
    }

    /// One bar for each term of the evaluator: the moves themselves are the leaves.
    fn add_terms(&self, why: &mut Why, nodes: [NodeId; 2]) {
        let [better, other] = nodes.map(|id| self.place(id));
        let terms = |place: &Place| self.subject.definition.evaluator.terms(&place.board, place.score);
        let rows: Vec<TermRow> = terms(&better)
            .into_iter()
            .zip(terms(&other))
            .map(|(a, b)| TermRow { means: [a.amount(), b.amount()], label: a.label, weight: a.weight })
            .collect();
        let sign = sign_of(why.objective);
        // Terms that are equal say nothing, unless all are.
        let is_same = rows.iter().all(|row| row.difference() == 0.0);
        why.pairing = Pairing::Terms;
        why.bars = rows
            .iter()
            .filter(|row| is_same || row.difference() != 0.0)
            .map(|row| Bar {
                what: BarKind::Term(row.label.clone()),
                spawns: Vec::new(),
                nodes: vec![nodes[0]],
                probability: 1.0,
                value: row.means[0],
                against: row.means[1],
                amount: row.difference(),
            })
            .collect();
        why.bars.sort_by(|a, b| (sign * b.amount).total_cmp(&(sign * a.amount)));
        why.terms = Ok(Terms { rows, zero: [0.0; 2], leaves: Leaves::Slides });
    }

    fn terms_at_leaves(&self, moves: [Move; 2], stop: &CancelToken) -> Result<Terms, NoTerms> {
        let mut walk = Walk::new(self, stop);
        let mut sums = [Vec::new(), Vec::new()];
        for (sum, mv) in sums.iter_mut().zip(moves) {
            let id = self.root_child(mv).ok_or(NoTerms::LeftOut)?;
            if self.bound(id) != Bound::Exact {
                return Err(NoTerms::Bound);
            }
            *sum = vec![0.0; walk.parts.len() + 1];
            walk.add(id, &self.place(id), 1.0, sum)?;
        }
        let [of_better, of_other] = sums;
        let term = |(index, part): (usize, Part)| TermRow {
            label: part.term.label,
            weight: part.term.weight,
            means: [of_better[index], of_other[index]],
        };
        let leaves = match self.root_child(moves[0]).and_then(|id| self.spawn_rule(self.searched(id))) {
            Some(Rule::SumOf) => Leaves::Sum,
            Some(Rule::MinOf) => Leaves::Worst,
            Some(_) => Leaves::Mean,
            None => Leaves::Slides,
        };
        let zero = [&of_better, &of_other].map(|sum| sum.last().copied().unwrap_or(0.0));
        Ok(Terms { rows: walk.parts.into_iter().enumerate().map(term).collect(), zero, leaves })
    }
}

fn sign_of(objective: Objective) -> f64 {
    if objective.higher { 1.0 } else { -1.0 }
}

/// The spawns that can happen and have a value.
fn valued(map: &SpawnMap) -> impl Iterator<Item = (Spawn, Outcome, f64)> {
    let possible = map.outcomes().filter(|(_, outcome)| 0.0 < outcome.probability);
    possible.filter_map(|(spawn, outcome)| Some((spawn, outcome, outcome.value?)))
}

fn value_of(map: &SpawnMap, spawn: Spawn) -> Option<f64> {
    let place = map.cells.binary_search_by_key(&spawn.cell, |&(cell, _)| cell).ok()?;
    map.cells[place].1[usize::from(spawn.rank == Rank::FOUR)]?.value
}

fn compare(pairs: &[Pair], sign: f64, is_complete: bool) -> Comparison {
    let mut comparison = Comparison { spawns: pairs.len() as u32, is_complete, ..Comparison::default() };
    for pair in pairs {
        let gain = sign * (pair.value - pair.against);
        // What is equal by symmetry may differ in its last digits.
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

/// Bars of the spawns, what speaks most for the better move first.
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
            value: fours().map(|pair| pair.probability * pair.value).sum::<f64>() / probability,
            against: fours().map(|pair| pair.probability * pair.against).sum::<f64>() / probability,
            amount: fours().map(amount).sum(),
        });
    }
    // Stable: equals stay in the order of the visit.
    bars.sort_by(|a, b| (sign * b.amount).total_cmp(&(sign * a.amount)));
    bars
}

/// Adds up the terms at the leaves to which the best play leads.
struct Walk<'a> {
    tree: &'a Tree,
    stop: &'a CancelToken,
    /// What the evaluator is made of.
    parts: Vec<Part>,
    dead: Dead,
    /// Sums of the nodes whose values the transposition table gave.
    stored: HashMap<NodeId, Rc<[f64]>>,
    next_look: u32,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a Tree, stop: &'a CancelToken) -> Self {
        let parts = tree.subject.definition.evaluator.parts();
        Self {
            tree,
            stop,
            parts,
            dead: tree.subject.definition.lookahead.dead(),
            stored: HashMap::new(),
            next_look: NODES_A_LOOK,
        }
    }

    /// Adds a node's terms and then the share of boards that count 0 by rule, times `weight`.
    fn add(&mut self, id: NodeId, place: &Place, weight: f64, sum: &mut [f64]) -> Result<(), NoTerms> {
        self.next_look -= 1;
        if self.next_look == 0 {
            self.next_look = NODES_A_LOOK;
            if self.stop.is_cancelled() {
                return Err(NoTerms::Stopped);
            }
        }
        let tree = self.tree;
        match tree.at(id).rule() {
            Rule::Evaluated | Rule::TooImprobable => self.add_leaf(place, weight, sum),
            Rule::Dead if self.dead == Dead::Evaluate => self.add_leaf(place, weight, sum),
            Rule::Dead => add_zero(weight, sum),
            Rule::Stored => {
                let stored = self.stored(id)?;
                sum.iter_mut().zip(stored.iter()).for_each(|(sum, term)| *sum += weight * term);
            }
            Rule::MaxOf => match self.decider(id)? {
                Some(child) => self.add_child(id, child, place, weight, sum)?,
                None => add_zero(weight, sum),
            },
            Rule::MinOf => match self.decider(id)? {
                Some(child) => self.add_child(id, child, place, weight, sum)?,
                None => return Err(NoTerms::LeftOut),
            },
            Rule::MeanOf | Rule::SumOf | Rule::LeastMeanOf => self.add_spawns(id, place, weight, sum)?,
            Rule::OutOfBounds | Rule::Unimportant => return Err(NoTerms::Bound),
        }
        Ok(())
    }

    fn add_child(
        &mut self,
        id: NodeId,
        child: NodeId,
        place: &Place,
        weight: f64,
        sum: &mut [f64],
    ) -> Result<(), NoTerms> {
        let tree = self.tree;
        self.add(child, &tree.step(place, tree.at(id), tree.at(child)), weight, sum)
    }

    fn add_leaf(&self, place: &Place, weight: f64, sum: &mut [f64]) {
        for (part, sum) in self.parts.iter().zip(sum) {
            *sum += weight * part.term.weight * part.evaluator.evaluate(&place.board, place.score);
        }
    }

    /// The child from which a max or a min node has its value; `None` if it is 0 by rule.
    fn decider(&self, id: NodeId) -> Result<Option<NodeId>, NoTerms> {
        let tree = self.tree;
        let Some(value) = tree.value(id).filter(|_| tree.bound(id) == Bound::Exact) else { return Err(NoTerms::Bound) };
        // The value is that of a child to the last bit.
        let decides = |&child: &NodeId| tree.value(child) == Some(value) && tree.bound(child) == Bound::Exact;
        if let Some(child) = tree.children(id).find(decides) {
            return Ok(Some(child));
        }
        let is_raised = tree.at(id).rule() == Rule::MaxOf && self.dead == Dead::Zero && value == 0.0;
        if is_raised && tree.left_out_at(id) == 0 { Ok(None) } else { Err(NoTerms::LeftOut) }
    }

    fn add_spawns(&mut self, id: NodeId, place: &Place, weight: f64, sum: &mut [f64]) -> Result<(), NoTerms> {
        let tree = self.tree;
        let rule = tree.at(id).rule();
        // Without all of its cells the worst is not known.
        if rule == Rule::LeastMeanOf && tree.left_out_at(id) != 0 {
            return Err(NoTerms::LeftOut);
        }
        let outcomes = tree.deciding_outcomes(id);
        let cells = f64::from(tree.at(id).considered());
        let (scale, whole) = match rule {
            Rule::SumOf => (cells, cells),
            Rule::LeastMeanOf => (cells, 1.0),
            _ => (1.0, 1.0),
        };
        let mut recorded = 0.0;
        for (_, outcome) in outcomes {
            if outcome.probability <= 0.0 {
                continue;
            }
            let probability = scale * outcome.probability;
            recorded += probability;
            self.add_child(id, outcome.node, place, weight * probability, sum)?;
        }
        if whole - recorded <= 1e-9 * whole { Ok(()) } else { Err(NoTerms::LeftOut) }
    }

    /// The sums below the node whose value the table gave.
    fn stored(&mut self, id: NodeId) -> Result<Rc<[f64]>, NoTerms> {
        let node = self.tree.at(id).stored().ok_or(NoTerms::NotInRecord)?;
        if let Some(known) = self.stored.get(&node) {
            return Ok(Rc::clone(known));
        }
        let mut sum = vec![0.0; self.parts.len() + 1];
        self.add(node, &self.tree.place(node), 1.0, &mut sum)?;
        let sum: Rc<[f64]> = sum.into();
        self.stored.insert(node, Rc::clone(&sum));
        Ok(sum)
    }
}

fn add_zero(weight: f64, sum: &mut [f64]) {
    if let Some(zero) = sum.last_mut() {
        *zero += weight;
    }
}

impl Bar {
    /// Under the bar: `2 r1c4`, `all 4s`, `Score`, `not recorded`.
    pub fn label(&self) -> String {
        match (&self.what, self.spawns.as_slice()) {
            (BarKind::Fours, _) => "all 4s".to_owned(),
            (BarKind::Term(label), _) => label.clone(),
            (BarKind::NotRecorded, _) => "not recorded".to_owned(),
            (BarKind::Spawn | BarKind::Worst, [spawn]) => format!("{} {}", spawn.rank, spawn.cell),
            (BarKind::Spawn | BarKind::Worst, [spawn, ..]) => format!("2 or 4 {}", spawn.cell),
            (BarKind::Spawn | BarKind::Worst, []) => "worst spawn".to_owned(),
        }
    }
}

impl TermRow {
    /// How much more it is after the better move.
    pub fn difference(&self) -> f64 {
        self.means[0] - self.means[1]
    }

    /// With its weight, where that is not 1: `50 × Empty`.
    pub fn text(&self) -> String {
        if self.weight == 1.0 {
            return self.label.clone();
        }
        format!("{} × {}", words::decimals_short(self.weight), self.label)
    }
}

impl Why {
    /// How much more the better move is worth; negative if it is worth less.
    pub fn difference(&self) -> f64 {
        self.values[0] - self.values[1]
    }

    /// Whether the difference itself is only a bound.
    pub fn is_bound(&self) -> bool {
        self.bounds != [Bound::Exact; 2]
    }

    /// What the bars are, above the chart.
    pub fn caption(&self) -> String {
        let [better, other] = self.names();
        match self.pairing {
            Pairing::Spawns => format!(
                "{better} minus {other}, one bar per spawn: {} × (value after {better} − value after {other}). Both leave the \
                 same cells empty, so that each spawn is set against itself.",
                self.weight_name()
            ),
            Pairing::Mean => format!(
                "{better} minus {other}, one bar per spawn after {better}: {} × (value − {}). The empty cells of the two \
                 boards differ, so that each spawn is set against the same number.",
                self.weight_name(),
                self.mean_name()
            ),
            Pairing::Worst => format!(
                "{better} minus {other}, one bar: the search counts on the worst spawn, and the others do not matter."
            ),
            Pairing::Terms => {
                format!("{better} minus {other}, one bar per term of the evaluator: no spawn was searched.")
            }
            Pairing::Whole => format!("{better} minus {other}, one bar: the spawns are not in the record."),
        }
    }

    /// Two sentences to read out: how the spawns make the difference, and how the terms at the leaves do.
    pub fn sentences(&self) -> [String; 2] {
        [format!("{}{}.", self.head(), self.tail()), self.leaves_sentence()]
    }

    fn names(&self) -> [String; 2] {
        [self.better, self.other].map(|mv| mv.to_string())
    }

    fn weight_name(&self) -> &'static str {
        if self.is_sum { "chance of the tile" } else { "probability" }
    }

    /// What single spawns are set against.
    fn mean_name(&self) -> String {
        let [_, other] = self.names();
        if self.is_sum { format!("a cell's share of the sum after {other}") } else { format!("the mean after {other}") }
    }

    fn is_equal(&self) -> bool {
        let [a, b] = self.values;
        (a - b).abs() <= a.abs().max(b.abs()) * ROUNDING
    }

    /// Whether the root prefers the better move by these values.
    fn is_favourable(&self) -> bool {
        0.0 < sign_of(self.objective) * self.difference()
    }

    /// `Left is worth at least 123.7 more than Up`.
    fn head(&self) -> String {
        let [better, other] = self.names();
        let [of_better, of_other] = self.bounds;
        let no_less = of_better != Bound::Upper && of_other != Bound::Lower;
        let no_more = of_better != Bound::Lower && of_other != Bound::Upper;
        if !no_less && !no_more {
            return format!("Bounds on the values of {better} and {other} do not say which is worth more");
        }
        if self.is_equal() {
            return match (no_less, no_more) {
                (true, true) => format!("{better} and {other} are both worth {}", value(self.values[0])),
                (true, false) => format!("{better} is worth at least as much as {other}"),
                (false, _) => format!("{better} is worth at most as much as {other}"),
            };
        }
        let is_more = 0.0 < self.difference();
        let bound = match (no_less, no_more) {
            (true, true) => "",
            (is_least, _) if is_least == is_more => "at least ",
            _ => "at most ",
        };
        let by = amount(self.difference());
        let head = format!("{better} is worth {bound}{by} {} than {other}", if is_more { "more" } else { "less" });
        let objective = if self.objective.higher { "" } else { " (less is better)" };
        let is_tie = !self.is_favourable() && self.difference().abs() <= self.objective.tolerance;
        let tie = if is_tie {
            format!(", which the tolerance of {} forgives", words::decimals_short(self.objective.tolerance))
        } else {
            String::new()
        };
        format!("{head}{objective}{tie}")
    }

    /// What the spawns have to do with it.
    fn tail(&self) -> String {
        let [better, other] = self.names();
        match self.pairing {
            Pairing::Spawns | Pairing::Mean => {
                self.comparison.map(|comparison| self.comparison_text(&comparison)).unwrap_or_default()
            }
            Pairing::Worst => match &self.deciding {
                [one, two] if !one.is_empty() && !two.is_empty() => format!(
                    ", because {} after {better}, {}, and {} after {other}, {}",
                    worst_name(one),
                    self.leaves(0),
                    worst_name(two),
                    self.leaves(1)
                ),
                _ => ", but the spawns that decide are not in the record".to_owned(),
            },
            Pairing::Terms => " as the boards stand after the slide".to_owned(),
            Pairing::Whole => ", but the spawns behind that are not in the record".to_owned(),
        }
    }

    /// `a 4 at r2c3, leaves at most 800`.
    fn leaves(&self, index: usize) -> String {
        let spawns = &self.deciding[index];
        let bound = match self.bounds[index] {
            Bound::Exact => "",
            Bound::Upper => "at most ",
            Bound::Lower => "at least ",
        };
        let value = value(self.values[index]);
        match spawns.as_slice() {
            [spawn] => format!("{}, leaves {bound}{value}", a_spawn(*spawn)),
            [spawn, ..] => format!("{}, leaves {bound}{value} on average", spawn.cell),
            [] => format!("leaves {bound}{value}"),
        }
    }

    fn comparison_text(&self, comparison: &Comparison) -> String {
        let [better, other] = self.names();
        let Comparison { spawns, is_complete, better: good, worse: bad, worst } = *comparison;
        let is_paired = self.pairing == Pairing::Spawns;
        let its = if is_paired { "the" } else { "its" };
        let recorded = if is_complete { "" } else { " in the record" };
        // The subject and the verb for so many of the spawns.
        let some = |number: u32| match (number, spawns) {
            (1, 1) => format!("{its} only spawn{recorded} is"),
            (2, 2) => format!("both of {its} spawns{recorded} are"),
            (number, all) if number == all => format!("every one of {its} {all} spawns{recorded} is"),
            (1, all) => format!("1 of {its} {all} spawns{recorded} is"),
            (number, all) => format!("{number} of {its} {all} spawns{recorded} are"),
        };
        let than =
            if is_paired { format!("after {better} than after {other}") } else { format!("than {}", self.mean_name()) };
        let good_text = || format!("{} better {than}", some(good));
        let bad_text = || format!("{} worse {than}", some(bad));
        if self.is_equal() {
            return match (good, bad) {
                (0, 0) if is_paired => ", and every spawn is worth the same after both".to_owned(),
                (0, 0) => format!(", and no spawn differs from {}", self.mean_name()),
                _ => format!(": {}, and {}", good_text(), bad_text()),
            };
        }
        let against = if self.is_favourable() { bad } else { good };
        if against == 0 {
            return format!(", and {}", if self.is_favourable() { good_text() } else { bad_text() });
        }
        if !self.is_favourable() {
            return format!(", although {}", good_text());
        }
        let named = match worst {
            Some((spawn, by)) if bad == 1 => format!(": {}, by {}", a_spawn(spawn), amount(by)),
            Some((spawn, by)) => format!(", worst of all {}, by {}", a_spawn(spawn), amount(by)),
            None => String::new(),
        };
        format!(", although {}{named}", bad_text())
    }

    fn leaves_sentence(&self) -> String {
        let terms = match &self.terms {
            Ok(terms) => terms,
            Err(reason) => return reason.to_string(),
        };
        let [better, other] = self.names();
        if let ([row], [0.0, 0.0]) = (terms.rows.as_slice(), terms.zero) {
            return format!("Nothing but {} is counted at the leaves.", row.text());
        }
        let largest = terms.rows.iter().flat_map(|row| row.means).fold(0.0, |most: f64, mean| most.max(mean.abs()));
        // Differences that are roundings of the sums are none.
        let mut rows: Vec<&TermRow> = terms.rows.iter().filter(|row| largest * 1e-9 < row.difference().abs()).collect();
        rows.sort_by(|a, b| b.difference().abs().total_cmp(&a.difference().abs()));
        let unnamed = rows.len().saturating_sub(MOST_NAMED);
        rows.truncate(MOST_NAMED);
        let (more, less): (Vec<&TermRow>, Vec<&TermRow>) = rows.iter().partition(|row| 0.0 < row.difference());
        let list = |rows: Vec<&TermRow>, word: &str| {
            let item = |row: &TermRow| {
                let from = if row.weight == 1.0 { "" } else { "from " };
                format!("{} {word} {from}{}", amount(row.difference()), row.text())
            };
            words::list(&rows.into_iter().map(item).collect::<Vec<_>>())
        };
        let mut text = match (more.is_empty(), less.is_empty()) {
            (true, true) => format!("as much of every term as {other}"),
            (false, true) => list(more, "more"),
            (true, false) => list(less, "less"),
            (false, false) => format!("{}, but {}", list(more, "more"), list(less, "less")),
        };
        if unnamed != 0 {
            let s = if unnamed == 1 { "s" } else { "" };
            text += &format!("; {} matter{s} less", words::plural(unnamed as u64, "other term"));
        }
        text += &self.zero_text(terms);
        match terms.leaves {
            Leaves::Slides => format!("After the slide {better} has {text}."),
            Leaves::Mean => format!("At the deciding leaves {better} expects {text}."),
            Leaves::Sum => format!("Added up over the spawns, {better} has {text} at the deciding leaves."),
            Leaves::Worst => format!("At the deciding leaf {better} has {text}."),
        }
    }

    /// How often boards come whose terms do not count.
    fn zero_text(&self, terms: &Terms) -> String {
        let [better, other] = self.names();
        let [one, two] = terms.zero.map(words::small_probability);
        match (terms.zero, terms.leaves) {
            ([0.0, 0.0], _) | (_, Leaves::Sum | Leaves::Slides) => String::new(),
            ([_, 0.0], Leaves::Worst) => format!("; the board after {better} counts 0 by rule"),
            ([0.0, _], Leaves::Worst) => format!("; the board after {other} counts 0 by rule"),
            (_, Leaves::Worst) => "; both boards count 0 by rule".to_owned(),
            ([_, 0.0], _) => format!("; boards that count 0 come after {better} alone, with probability {one}"),
            ([0.0, _], _) => format!("; boards that count 0 come after {other} alone, with probability {two}"),
            _ => format!("; boards that count 0 come with probability {one} after {better} and {two} after {other}"),
        }
    }
}

fn worst_name(spawns: &[Spawn]) -> &'static str {
    if spawns.len() == 1 { "the worst spawn" } else { "the worst cell" }
}

fn a_spawn(spawn: Spawn) -> String {
    format!("a {spawn}")
}

/// How large a difference is, with the digits that say something: `123.7`, `0.031`.
fn amount(difference: f64) -> String {
    let size = difference.abs();
    if 0.05 <= size || size == 0.0 { value(size) } else { words::small_probability(size) }
}

/// A value whose decimals are not those of a rounding.
fn value(value: f64) -> String {
    let whole = value.round();
    words::value(if (value - whole).abs() <= whole.abs() * 1e-9 { whole } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Cell;

    /// The example of a teacher: after Left 14 spawns, all better than the mean after Up.
    fn left_and_up() -> Why {
        let row = |label: &str, means| TermRow { label: label.to_owned(), weight: 1.0, means };
        Why {
            better: Move::Left,
            other: Move::Up,
            values: [8759.25, 8635.55],
            bounds: [Bound::Exact; 2],
            objective: Objective { higher: true, tolerance: 0.0 },
            pairing: Pairing::Mean,
            is_sum: false,
            bars: Vec::new(),
            comparison: Some(Comparison { spawns: 14, is_complete: true, better: 14, worse: 0, worst: None }),
            deciding: [Vec::new(), Vec::new()],
            terms: Ok(Terms {
                rows: vec![row("Score", [6110.5, 6032.4]), row("Corner", [2648.75, 2603.15])],
                zero: [0.0; 2],
                leaves: Leaves::Mean,
            }),
        }
    }

    fn four(row: u8, col: u8) -> Spawn {
        Spawn { cell: Cell::new(row, col), rank: Rank::FOUR }
    }

    fn first(why: &Why) -> String {
        let [first, _] = why.sentences();
        first
    }

    fn second(why: &Why) -> String {
        let [_, second] = why.sentences();
        second
    }

    #[test]
    fn the_first_sentence_says_how_the_spawns_make_the_difference() {
        let why = left_and_up();
        assert_eq!(
            first(&why),
            "Left is worth 123.7 more than Up, and every one of its 14 spawns is better than the mean after Up."
        );
        let compared =
            |spawns, better, worse, worst| Some(Comparison { spawns, better, worse, worst, is_complete: true });
        let some = Why { comparison: compared(14, 12, 2, Some((four(1, 2), 20.13))), ..why.clone() };
        assert_eq!(
            first(&some),
            "Left is worth 123.7 more than Up, although 2 of its 14 spawns are worse than the mean after Up, worst of all \
             a 4 at r2c3, by 20.1."
        );
        let pairs =
            Why { pairing: Pairing::Spawns, comparison: compared(2, 1, 1, Some((four(1, 2), 0.031))), ..why.clone() };
        assert_eq!(
            first(&pairs),
            "Left is worth 123.7 more than Up, although 1 of the 2 spawns is worse after Left than after Up: a 4 at r2c3, \
             by 0.031."
        );
        let equal = Why { values: [5.0; 2], comparison: compared(2, 0, 0, None), ..why.clone() };
        assert_eq!(first(&equal), "Left and Up are both worth 5, and no spawn differs from the mean after Up.");
        let least = Why {
            objective: Objective { higher: false, tolerance: 200.0 },
            comparison: compared(2, 0, 2, None),
            ..why
        };
        assert_eq!(
            first(&least),
            "Left is worth 123.7 more than Up (less is better), which the tolerance of 200 forgives, and both of its \
             spawns are worse than the mean after Up."
        );
    }

    #[test]
    fn where_the_worst_counts_the_first_sentence_names_what_decides() {
        let deciding = [vec![four(1, 2)], vec![Spawn { cell: Cell::new(0, 0), rank: Rank::TWO }]];
        let why = Why { pairing: Pairing::Worst, values: [812.0, 800.0], deciding, comparison: None, ..left_and_up() };
        assert_eq!(
            first(&why),
            "Left is worth 12 more than Up, because the worst spawn after Left, a 4 at r2c3, leaves 812, and the worst \
             spawn after Up, a 2 at r1c1, leaves 800."
        );
        // What may be less is at most so much; the other way round the difference is at most so large.
        for (bounds, values, head) in [
            ([Bound::Exact, Bound::Upper], [812.0, 800.0], "Left is worth at least 12 more than Up, "),
            ([Bound::Lower, Bound::Exact], [812.0, 800.0], "Left is worth at least 12 more than Up, "),
            ([Bound::Upper, Bound::Exact], [812.0, 800.0], "Left is worth at most 12 more than Up, "),
            ([Bound::Upper, Bound::Exact], [800.0, 812.0], "Left is worth at least 12 less than Up, "),
            ([Bound::Exact, Bound::Upper], [800.0, 812.0], "Left is worth at most 12 less than Up, "),
            ([Bound::Exact, Bound::Upper], [800.0, 800.0], "Left is worth at least as much as Up, "),
            ([Bound::Upper, Bound::Lower], [800.0, 800.0], "Left is worth at most as much as Up, "),
            ([Bound::Upper; 2], [812.0, 800.0], "Bounds on the values of Left and Up do not say which is worth more, "),
        ] {
            let why = Why { bounds, values, ..why.clone() };
            assert!(first(&why).starts_with(head), "{}", first(&why));
        }
    }

    #[test]
    fn the_second_sentence_says_what_the_leaves_are_made_of() {
        let why = left_and_up();
        assert_eq!(second(&why), "At the deciding leaves Left expects 78.1 more Score and 45.6 more Corner.");
        let Ok(terms) = &why.terms else { panic!("told") };
        let told = |terms: Terms| second(&Why { terms: Ok(terms), ..why.clone() });
        let mut mixed = terms.clone();
        mixed.rows[1] = TermRow { label: "Empty".to_owned(), weight: 50.0, means: [100.0, 250.0] };
        mixed.zero = [0.0, 0.9];
        assert_eq!(
            told(mixed),
            "At the deciding leaves Left expects 78.1 more Score, but 150 less from 50 × Empty; boards that count 0 come \
             after Up alone, with probability 0.90."
        );
        let one = Terms { rows: terms.rows[..1].to_vec(), ..terms.clone() };
        assert_eq!(told(one), "Nothing but Score is counted at the leaves.");
        let slides = Terms { leaves: Leaves::Slides, ..terms.clone() };
        assert_eq!(told(slides), "After the slide Left has 78.1 more Score and 45.6 more Corner.");
        for reason in [NoTerms::LeftOut, NoTerms::NotInRecord, NoTerms::Bound] {
            let text = second(&Why { terms: Err(reason), ..why.clone() });
            assert!(text.starts_with("What the leaves are made of is unknown: ") && text.ends_with('.'), "{text}");
        }
    }
}

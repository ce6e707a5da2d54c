//! Breaks down the value of the deciding leaves into the terms of the evaluator, expected along the best play.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::view::Place;
use super::super::{NodeId, Tree};
use crate::evaluator::Part;
use crate::game::Move;
use crate::search::{Bound, Dead, Rule};
use crate::task::CancelToken;

const NODES_A_LOOK: u32 = 1024;

/// The expected terms of the evaluator at the leaves that decide, after each of two moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// One row for each term, in the order of the evaluator.
    pub rows: Vec<TermRow>,
    /// The probability of ending on a board that counts 0 by rule whatever its terms: dead, or with all slides below 0.
    pub zero: [f64; 2],
    pub leaves: Leaves,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaves {
    /// The boards right after the two slides.
    Slides,
    /// All spawns, weighted by probability.
    Mean,
    /// All spawns, summed instead of averaged.
    Sum,
    /// The one that the worst spawns lead to.
    Worst,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TermRow {
    pub label: String,
    /// The weight, which is already part of the amounts.
    pub weight: f64,
    /// The mean amount after the better move and after the other.
    pub means: [f64; 2],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoTerms {
    /// Not computed: see [`Tree::why_of_record`].
    #[error("The terms at the leaves are not computed yet.")]
    NotAsked,
    #[error("The terms at the leaves were not computed completely.")]
    Stopped,
    #[error("The terms at the leaves are unknown: the record leaves out nodes that decide.")]
    LeftOut,
    #[error(
        "The terms at the leaves are unknown: a deciding value came from a node that is not in the record."
    )]
    NotInRecord,
    #[error(
        "The terms at the leaves are unknown: a value is only a bound, and the leaves behind it were skipped."
    )]
    Bound,
    #[error("A lost game decides: it counts less than any board, whatever its evaluation.")]
    Lost,
    #[error(
        "The terms at the leaves are unknown: the evaluator belongs to the program that wrote the record."
    )]
    UnknownEvaluator,
    #[error("The terms at the leaves are not recorded: the values are means of samples.")]
    Sampled,
}

impl TermRow {
    /// How much higher the term is after the better move.
    pub fn difference(&self) -> f64 {
        self.means[0] - self.means[1]
    }
}

impl Tree {
    pub(super) fn terms_at_leaves(
        &self,
        moves: [Move; 2],
        stop: &CancelToken,
    ) -> Result<Terms, NoTerms> {
        if !self.knows_evaluator() {
            return Err(NoTerms::UnknownEvaluator);
        }
        let definition = &self.subject.definition;
        let (parts, dead, stored) = (
            definition.evaluator.parts_in_full(),
            definition.lookahead.dead(),
            HashMap::new(),
        );
        let mut walk = Walk {
            tree: self,
            stop,
            parts,
            dead,
            stored,
            next_look: NODES_A_LOOK,
        };
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
            label: part.label,
            weight: part.weight,
            means: [of_better[index], of_other[index]],
        };

        let leaves = match self
            .root_child(moves[0])
            .and_then(|id| self.spawn_rule(self.searched(id)))
        {
            Some(Rule::SumOf) => Leaves::Sum,
            Some(Rule::MinOf) => Leaves::Worst,
            Some(_) => Leaves::Mean,
            None => Leaves::Slides,
        };
        let zero = [&of_better, &of_other].map(|sum| sum.last().copied().unwrap_or(0.0));
        Ok(Terms {
            rows: walk.parts.into_iter().enumerate().map(term).collect(),
            zero,
            leaves,
        })
    }
}

/// Sums the terms over the leaves that the best play leads to.
struct Walk<'a> {
    tree: &'a Tree,
    stop: &'a CancelToken,
    parts: Vec<Part>,
    dead: Dead,
    /// Sums below the nodes that the transposition table refers to.
    stored: HashMap<NodeId, Rc<[f64]>>,
    next_look: u32,
}

impl Walk<'_> {
    /// Adds `weight` times a node's terms, and then `weight` times its share of boards that count 0 by rule.
    fn add(
        &mut self,
        id: NodeId,
        place: &Place,
        weight: f64,
        sum: &mut [f64],
    ) -> Result<(), NoTerms> {
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
            Rule::Dead if self.dead == Dead::Lost => return Err(NoTerms::Lost),
            Rule::Dead => add_zero(weight, sum),
            Rule::Stored => {
                let stored = self.stored(id)?;
                sum.iter_mut()
                    .zip(stored.iter())
                    .for_each(|(sum, term)| *sum += weight * term);
            }
            Rule::MaxOf | Rule::MinOf => match self.decider(id)? {
                Some(child) => self.add_child(id, child, place, weight, sum)?,
                None => add_zero(weight, sum),
            },
            Rule::MeanOf | Rule::SumOf | Rule::LeastMeanOf | Rule::MeanLeastOf => {
                self.add_spawns(id, place, weight, sum)?;
            }
            Rule::OutOfBounds | Rule::Unimportant => return Err(NoTerms::Bound),
            Rule::Sampled | Rule::MovesTried | Rule::SpawnsDrawn | Rule::NotExpanded => {
                return Err(NoTerms::Sampled);
            }
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
        self.add(
            child,
            &tree.step(place, tree.at(id), tree.at(child)),
            weight,
            sum,
        )
    }

    fn add_leaf(&self, place: &Place, weight: f64, sum: &mut [f64]) {
        for (part, sum) in self.parts.iter().zip(sum) {
            *sum += weight * part.weight * part.value(&place.board, place.score);
        }
    }

    /// The child that decides the value of a max or min node. `None` if the value is 0 by rule.
    fn decider(&self, id: NodeId) -> Result<Option<NodeId>, NoTerms> {
        let tree = self.tree;
        let Some(value) = tree.value(id).filter(|_| tree.bound(id) == Bound::Exact) else {
            return Err(NoTerms::Bound);
        };
        // The value equals that of a child to the last bit.
        let decides =
            |&child: &NodeId| tree.value(child) == Some(value) && tree.bound(child) == Bound::Exact;
        if let Some(child) = tree.children(id).find(decides) {
            return Ok(Some(child));
        }
        let is_raised =
            tree.at(id).rule() == Rule::MaxOf && self.dead == Dead::Zero && value == 0.0;
        if is_raised && tree.left_out_at(id) == 0 {
            Ok(None)
        } else {
            Err(NoTerms::LeftOut)
        }
    }

    fn add_spawns(
        &mut self,
        id: NodeId,
        place: &Place,
        weight: f64,
        sum: &mut [f64],
    ) -> Result<(), NoTerms> {
        let tree = self.tree;
        let rule = tree.at(id).rule();
        // The worst cell is known only if all cells are recorded.
        let is_worst = matches!(rule, Rule::LeastMeanOf | Rule::MeanLeastOf);
        if is_worst && tree.left_out_at(id) != 0 {
            return Err(NoTerms::LeftOut);
        }
        let outcomes = tree.deciding_outcomes(id);
        let cells = f64::from(tree.at(id).considered());
        let (scale, whole) = match rule {
            Rule::SumOf => (cells, cells),
            _ if is_worst => (cells, 1.0),
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

        if whole - recorded <= 1e-9 * whole {
            Ok(())
        } else {
            Err(NoTerms::LeftOut)
        }
    }

    /// The sums below the node that the transposition table refers to.
    fn stored(&mut self, id: NodeId) -> Result<Rc<[f64]>, NoTerms> {
        let tree = self.tree;
        // It is at the same depth as the node itself, so the recursion ends.
        let is_searched =
            |&node: &NodeId| tree.rule(node) != Rule::Stored && tree.depth(node) == tree.depth(id);
        let node = tree
            .at(id)
            .stored()
            .filter(is_searched)
            .ok_or(NoTerms::NotInRecord)?;
        if let Some(terms) = self.stored.get(&node) {
            return Ok(Rc::clone(terms));
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

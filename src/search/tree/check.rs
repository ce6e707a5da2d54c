//! The self-check: everything a record says, computed once more from plain definitions.

use super::super::engine::BELOW;
use super::super::recorder::{Bound, Edge, Stub};
use super::super::rule::Rule;
use super::super::{Cut, Dead, Objective, ROUNDING};
use super::node::Node;
use super::view::Place;
use super::{Link, NodeCounts, NodeId, Start, Tree};
use crate::evaluator::Evaluator;
use crate::game::{Cell, Move, Moves};
use crate::task::CancelToken;

/// Values agree when they differ by less than this share of the larger, or of 1.
const AGREE: f64 = 1e-9;

/// Nodes between two looks at the flag.
const NODES_A_LOOK: u32 = 1024;

/// As many flaws are listed; the others are counted.
const MOST_LISTED: usize = 100;

/// What the self-check found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Nodes that were checked: all that are kept.
    pub nodes: u64,
    /// Nodes whose value could not be computed again, because the cap left out what it comes from.
    pub unsure: u64,
    /// The first things that are wrong.
    pub flaws: Vec<Flaw>,
    pub wrong: u64,
}

/// Something that is wrong in a record.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Flaw {
    pub node: NodeId,
    pub fault: Fault,
}

/// What can be wrong with a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The probabilities of the spawns that were considered do not add up to 1.
    Probabilities {
        /// What they add up to.
        sum: f64,
    },
    /// The value is not what its children give.
    BackUp { value: f64, expected: f64 },
    /// A value that is said to be exact, or a bound, does not follow from the children.
    Bound,
    /// Something lies below a node that ends the search.
    BelowEnd,
    /// Parent and child, or the counts of nodes below, do not fit together.
    Structure,
    /// The slide or the spawn that leads here cannot happen.
    Illegal,
    /// Not all slides, or too many, were searched or cut.
    Slides,
    /// Tiles were considered on a wrong number of cells.
    Considered {
        cells: u32,
        /// The rules say so many.
        expected: u32,
    },
    /// A node of this kind cannot stand here: a leaf with plies left, a live board that counts as dead.
    Kind,
    /// The evaluator gives another number.
    Evaluation { value: f64, expected: f64 },
    /// It was cut although no rule says so, or searched although one does.
    Cut,
    /// The transposition table gave something else than the node it refers to, or the node cannot be found.
    Stored,
    /// The counts by kind are not those of the nodes.
    Counts,
    /// Another root move is better than the chosen one.
    Chosen {
        /// Value of the chosen move.
        value: f64,
        best: f64,
    },
}

impl Report {
    pub fn is_sound(&self) -> bool {
        self.wrong == 0
    }

    fn add(&mut self, node: NodeId, fault: Fault) {
        self.wrong += 1;
        if self.flaws.len() < MOST_LISTED {
            self.flaws.push(Flaw { node, fault });
        }
    }
}

fn agree(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= AGREE * a.abs().max(b.abs()).max(1.0)
}

/// What the lookahead says about nodes.
struct CheckRules<'a> {
    evaluator: &'a Evaluator,
    dead: Dead,
    /// How a spawn node comes to its value.
    spawns: Rule,
    threshold: Option<f64>,
    /// Weights of the cells, where only some are considered.
    weights: Option<&'a [f64]>,
}

impl<'a> CheckRules<'a> {
    fn of(tree: &'a Tree) -> Self {
        let definition = &tree.subject.definition;
        let lookahead = &definition.lookahead;
        let spawns = lookahead.depth_limited().map_or(Rule::MeanOf, |search| Rule::of_spawns(search.spawn));
        let weights = lookahead.cuts().iter().find_map(|cut| match cut {
            Cut::ImportantCells { weights, .. } => Some(weights.values()),
            _ => None,
        });
        Self {
            evaluator: &definition.evaluator,
            dead: lookahead.dead(),
            spawns,
            threshold: lookahead.threshold(),
            weights,
        }
    }

    /// Whether nothing is searched at a node that is reached so seldom.
    fn is_cut(&self, reach: f64) -> bool {
        self.threshold.is_some_and(|threshold| reach < threshold * BELOW)
    }
}

impl Tree {
    /// Checks every node: probabilities, boards, values from the leaves up, bounds, cuts, and the choice at the root.
    pub fn check(&self) -> Report {
        self.check_while(|| true).unwrap_or_default()
    }

    /// The same beside other work; `None` if it was asked to stop.
    pub fn check_until(&self, stop: &CancelToken) -> Option<Report> {
        self.check_while(|| !stop.is_cancelled())
    }

    fn check_while(&self, goes_on: impl Fn() -> bool) -> Option<Report> {
        let mut report = Report { nodes: self.nodes.len() as u64, ..Report::default() };
        self.check_order(&mut report);
        if !report.is_sound() {
            // Nothing can be derived from a tree that does not hold together.
            return Some(report);
        }
        let rules = CheckRules::of(self);
        let mut counts = NodeCounts::default();
        for (id, place) in self.places(false) {
            if id.0 % NODES_A_LOOK == 0 && !goes_on() {
                return None;
            }
            let node = self.at(id);
            *counts.of_mut(self.kind(id)) += 1;
            if !place.is_legal {
                report.add(id, Fault::Illegal);
                continue;
            }
            self.check_node(id, node, &place, &rules, &mut report);
        }
        if self.left_out() == 0 && counts != self.counts || self.counts.total() != self.searched {
            report.add(self.root(), Fault::Counts);
        }
        self.check_choice(&mut report);
        Some(report)
    }

    /// Parents before children, children inside their parents, numbers that rise.
    fn check_order(&self, report: &mut Report) {
        let len = self.nodes.len() as u64;
        let whole = self.at(self.root());
        if u64::from(whole.kept_below) + 1 != len || whole.below() + 1 != self.searched || self.searched < len {
            report.add(self.root(), Fault::Structure);
            return;
        }
        for id in self.ids() {
            let node = self.at(id);
            let end = u64::from(id.0) + 1 + u64::from(node.kept_below);
            if len < end {
                report.add(id, Fault::Structure);
                return;
            }
            let (mut next, mut below) = (u64::from(id.0) + 1, 0);
            while next < end {
                let child = NodeId(next as u32);
                let child_node = self.at(child);
                below += 1 + child_node.below();
                next += 1 + u64::from(child_node.kept_below);
                if child_node.parent != id.0 || child_node.order() <= node.order() {
                    report.add(child, Fault::Structure);
                    return;
                }
            }
            if end < next {
                report.add(id, Fault::Structure);
                return;
            }
            if !node.rule().is_inner() && (node.kept_below != 0 || node.below() != 0) {
                report.add(id, Fault::BelowEnd);
            } else if node.below() < below {
                report.add(id, Fault::Structure);
            }
        }
    }

    fn check_node(&self, id: NodeId, node: &Node, place: &Place, rules: &CheckRules<'_>, report: &mut Report) {
        let is_choice = id.0 == 0 && matches!(self.subject.start, Start::Choice { .. });
        match node.rule() {
            Rule::MaxOf | Rule::MinOf if place.is_turn => {
                if node.rule() == Rule::MinOf && !is_choice || place.plies == 0 {
                    report.add(id, Fault::Kind);
                }
                self.check_slides(id, place, report);
                if !is_choice {
                    self.check_max(id, node, rules, report);
                }
            }
            Rule::MeanOf | Rule::SumOf | Rule::LeastMeanOf | Rule::MinOf => {
                if place.is_turn || node.rule() != rules.spawns || place.plies == 0 {
                    report.add(id, Fault::Kind);
                } else {
                    self.check_spawns(id, node, place, report);
                }
                // Where something skipped is searched, the root is searched whatever the rule says.
                if rules.is_cut(place.reach) && id.0 != 0 {
                    report.add(id, Fault::Cut);
                }
            }
            Rule::Evaluated => {
                if place.plies != 0 {
                    report.add(id, Fault::Kind);
                }
                self.check_evaluation(id, node, place, rules, report);
            }
            Rule::Dead => {
                if !place.is_turn || !place.board.is_dead() {
                    report.add(id, Fault::Kind);
                }
                match rules.dead {
                    Dead::Evaluate => self.check_evaluation(id, node, place, rules, report),
                    Dead::Zero if node.value() == Some(0.0) => {}
                    Dead::Zero => {
                        report.add(id, Fault::Evaluation { value: node.value().unwrap_or(f64::NAN), expected: 0.0 });
                    }
                }
            }
            Rule::TooImprobable => {
                if place.is_turn || place.plies == 0 || !rules.is_cut(place.reach) {
                    report.add(id, Fault::Cut);
                }
                self.check_evaluation(id, node, place, rules, report);
            }
            Rule::OutOfBounds | Rule::Unimportant => match node.stub() {
                Some(Stub::OutOfBounds { alpha, beta }) if alpha < beta => report.add(id, Fault::Cut),
                Some(Stub::Unimportant { rank, considered }) => self.check_rank(id, rank, considered, rules, report),
                _ => {}
            },
            Rule::Stored => self.check_stored(id, node, place, report),
            Rule::MaxOf => report.add(id, Fault::Kind),
        }
    }

    fn check_evaluation(&self, id: NodeId, node: &Node, place: &Place, rules: &CheckRules<'_>, report: &mut Report) {
        let (value, expected) = (node.value().unwrap_or(f64::NAN), rules.evaluator.evaluate(&place.board, place.score));
        if !agree(value, expected) || node.bound() != Bound::Exact {
            report.add(id, Fault::Evaluation { value, expected });
        }
    }

    /// The slides below a board to move.
    fn check_slides(&self, id: NodeId, place: &Place, report: &mut Report) {
        let expected = match self.subject.start {
            Start::Choice { asked, .. } if id.0 == 0 => asked,
            _ => place.board.legal_moves(),
        };
        let mut seen = Moves::NONE;
        let mut twice = false;
        for child in self.children(id) {
            if let Some(Link::Slide(mv)) = self.link(child) {
                twice |= seen.contains(mv);
                seen.insert(mv);
            }
        }
        let all_kept = self.left_out_at(id) == 0;
        if twice || expected.is_empty() || (all_kept && seen != expected) || seen & expected != seen {
            report.add(id, Fault::Slides);
        }
    }

    /// The value of a board to move inside the search.
    fn check_max(&self, id: NodeId, node: &Node, rules: &CheckRules<'_>, report: &mut Report) {
        if self.left_out_at(id) != 0 {
            report.unsure += 1;
            return;
        }
        let floor = rules.dead.least_of_slides();
        let values = || self.children(id).filter_map(|child| Some((self.at(child).value()?, self.at(child).bound())));
        let expected = values().map(|(value, _)| value).fold(floor, f64::max);
        let value = node.value().unwrap_or(f64::NAN);
        if !agree(value, expected) {
            report.add(id, Fault::BackUp { value, expected });
            return;
        }
        let all_searched = self.children(id).all(|child| self.at(child).value().is_some());
        let reached_by =
            |bounds: [Bound; 2]| floor == expected || values().any(|(v, b)| v == expected && bounds.contains(&b));
        let at_most = || all_searched && values().all(|(_, bound)| bound != Bound::Lower);
        let follows = match node.bound() {
            Bound::Exact => at_most() && reached_by([Bound::Exact; 2]),
            Bound::Upper => at_most(),
            Bound::Lower => reached_by([Bound::Exact, Bound::Lower]),
        };
        if !follows {
            report.add(id, Fault::Bound);
        }
    }

    /// The spawns below an afterstate, their probabilities, and its value.
    fn check_spawns(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let (cells, expected) = (node.considered(), self.considered_by_rule(place));
        if cells != expected {
            report.add(id, Fault::Considered { cells, expected });
            return;
        }
        if self.left_out_at(id) != 0 {
            report.unsure += 1;
            return;
        }
        let probability = self.probability();
        let mut seen = 0_u64;
        let mut whole = 0.0;
        let (mut all_exact, mut all_searched, mut any_upper) = (true, true, false);
        for child in self.children(id) {
            let below = self.at(child);
            let Some(Edge::Spawn { cell, rank }) = below.edge() else { continue };
            let bit = 1 << (2 * u32::from(cell) + u32::from(rank == 2));
            if seen & bit != 0 {
                report.add(child, Fault::Illegal);
            }
            seen |= bit;
            if below.rule() == Rule::Unimportant {
                continue;
            }
            whole += probability[usize::from(rank == 2)] / f64::from(cells);
            all_searched &= below.value().is_some();
            all_exact &= below.value().is_none() || below.bound() == Bound::Exact;
            any_upper |= below.value().is_some() && below.bound() == Bound::Upper;
        }
        if !agree(whole, 1.0) {
            report.add(id, Fault::Probabilities { sum: whole });
            return;
        }
        // Spawns on cells that are too unimportant have no value.
        let values = || self.children(id).filter_map(|child| Some((child, self.value(child)?)));
        let expected = self.backed_up(id, values()).unwrap_or(f64::NAN);
        let value = node.value().unwrap_or(f64::NAN);
        if !agree(value, expected) {
            report.add(id, Fault::BackUp { value, expected });
            return;
        }
        let follows = match (node.rule(), node.bound()) {
            (Rule::MinOf, bound) => {
                let reached_by = |bounds: [Bound; 2]| {
                    values().any(|(child, value)| value == expected && bounds.contains(&self.bound(child)))
                };
                let at_least = all_searched && !any_upper;
                match bound {
                    Bound::Exact => at_least && reached_by([Bound::Exact; 2]),
                    Bound::Lower => at_least,
                    Bound::Upper => reached_by([Bound::Exact, Bound::Upper]),
                }
            }
            (_, bound) => bound == Bound::Exact && all_exact && all_searched,
        };
        if !follows {
            report.add(id, Fault::Bound);
        }
    }

    /// Whether a cell really is too unimportant.
    fn check_rank(&self, id: NodeId, rank: u8, considered: u8, rules: &CheckRules<'_>, report: &mut Report) {
        let (Some(parent), Some(Link::Spawn(spawn)), Some(weights)) = (self.parent(id), self.link(id), rules.weights)
        else {
            report.add(id, Fault::Cut);
            return;
        };
        let place = self.place(parent);
        let weight = |cell: Cell| weights.get(cell.index(place.board.size())).copied().unwrap_or(0.0);
        let before = place.board.empty_cells().into_iter().filter(|&cell| {
            // Of equal ones the first in reading order.
            weight(spawn.cell) < weight(cell) || (weight(spawn.cell) == weight(cell) && cell < spawn.cell)
        });
        let expected = before.count() + 1;
        if usize::from(rank) != expected
            || rank <= considered
            || u32::from(considered) != self.considered_by_rule(&place)
        {
            report.add(id, Fault::Cut);
        }
    }

    fn check_stored(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let Some(stored) = node.stored() else {
            // It may have been searched where the record does not reach.
            if self.left_out() == 0 && self.elsewhere == 0 {
                report.add(id, Fault::Stored);
            }
            return;
        };
        let there = self.place(stored);
        let canonical = |place: &Place| place.board.as_packed().map(|packed| packed.crossed().canonical());
        let same = canonical(&there) == canonical(place) && there.plies == place.plies && !there.is_turn;
        if !same || self.value(stored) != node.value() || self.bound(stored) != node.bound() || place.is_turn {
            report.add(id, Fault::Stored);
        }
    }

    /// Whether the root has the value of its best move, and whether a best move was chosen.
    fn check_choice(&self, report: &mut Report) {
        let Start::Choice { objective: Objective { higher, tolerance }, .. } = self.subject.start else { return };
        if self.left_out_at(self.root()) != 0 {
            report.unsure += 1;
            return;
        }
        let sign = if higher { 1.0 } else { -1.0 };
        let moves: Vec<(Option<Move>, f64, Bound)> = self
            .children(self.root())
            .filter_map(|child| {
                let mv = match self.link(child) {
                    Some(Link::Slide(mv)) => Some(mv),
                    _ => None,
                };
                Some((mv, sign * self.value(child)?, self.bound(child)))
            })
            .collect();
        let exact = moves.iter().filter(|(_, _, bound)| *bound == Bound::Exact);
        let best = exact.map(|&(_, value, _)| value).fold(f64::NEG_INFINITY, f64::max);
        let value = sign * self.value(self.root()).unwrap_or(f64::NAN);
        if !agree(value, best) {
            report.add(self.root(), Fault::BackUp { value: sign * value, expected: sign * best });
        }
        let harmless = if higher { Bound::Upper } else { Bound::Lower };
        let is_better =
            |&(_, value, bound): &(_, f64, Bound)| bound != Bound::Exact && (bound != harmless || best < value);
        if moves.iter().any(is_better) {
            report.add(self.root(), Fault::Bound);
        }
        let Some(chosen) = self.chosen else { return };
        let value = moves.iter().find(|(mv, ..)| *mv == Some(chosen)).map(|&(_, value, _)| value);
        match value {
            Some(value) if best - tolerance - best.abs() * ROUNDING <= value => {}
            Some(value) => report.add(self.root(), Fault::Chosen { value: sign * value, best: sign * best }),
            None => report.add(self.root(), Fault::Chosen { value: f64::NAN, best: sign * best }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Board, Rules};
    use crate::prose;
    use crate::search::{Lookahead, NodeKind, SearchOptions};
    use crate::strategy::{Criterion, Decision, LastResort, Player, Strategy};

    const BOARD: &str = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128";

    fn recorded(board: &str, lookahead: &str) -> Tree {
        let criterion = Criterion {
            lookahead: lookahead.parse().expect(lookahead),
            ..Criterion::one_ply("Weights(\"c\")".parse().expect("an evaluator"))
        };
        let strategy = Strategy { criteria: vec![criterion], last_resort: LastResort::First, ..Strategy::default() };
        let board: Board = board.parse().expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(&Player::new(&strategy, Rules::default()), (&board, 0), |_| 0, order, 1 << 20);
        let searched = decision.searches.into_iter().next().flatten().expect("searched");
        Arc::unwrap_or_clone(searched.tree.expect("a tree"))
    }

    /// The first node of a kind, not the root.
    fn first(tree: &Tree, is_it: impl Fn(&Node) -> bool) -> NodeId {
        tree.ids().skip(1).find(|&id| is_it(tree.at(id))).expect("such a node")
    }

    fn at(tree: &mut Tree, id: NodeId) -> &mut Node {
        &mut tree.nodes[id.0 as usize]
    }

    fn faults(tree: &Tree) -> Vec<Fault> {
        tree.check().flaws.into_iter().map(|flaw| flaw.fault).collect()
    }

    /// A sound tree, what is done to it, and how the flaw is recognised.
    fn seen(tree: &Tree, falsify: impl Fn(&mut Tree), is_it: impl Fn(&Fault) -> bool) {
        assert!(tree.check().is_sound(), "{}", prose::check::sentence(&tree.check()));
        let mut wrong = tree.clone();
        falsify(&mut wrong);
        let report = wrong.check();
        assert!(report.flaws.iter().any(|flaw| is_it(&flaw.fault)), "{:?}", faults(&wrong));
        assert!(prose::check::sentence(&report).contains(" wrong: node "), "{}", prose::check::sentence(&report));
    }

    #[test]
    fn a_falsified_value_is_found_at_every_kind_of_node() {
        let mean = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let is_back_up = |fault: &Fault| matches!(fault, Fault::BackUp { .. });
        let is_evaluation = |fault: &Fault| matches!(fault, Fault::Evaluation { .. });
        let leaf = first(&mean, |node| node.rule() == Rule::Evaluated);
        seen(&mean, |tree| at(tree, leaf).falsify(1e9), is_evaluation);
        for lookahead in [
            "Expectimax(plies: Fixed(3))",
            "Expectimax(plies: Fixed(3), spawn: Sum)",
            "Expectimax(plies: Fixed(4), spawn: MinCell)",
            "Minimax(plies: Fixed(3))",
        ] {
            let tree = recorded(BOARD, lookahead);
            for rule in [Rule::MaxOf, CheckRules::of(&tree).spawns] {
                let id = first(&tree, |node| node.rule() == rule);
                let value = tree.value(id).expect("searched");
                seen(&tree, |tree| at(tree, id).falsify(value * (1.0 + 1e-6)), is_back_up);
            }
        }
        seen(&mean, |tree| at(tree, NodeId(0)).falsify(3.5), is_back_up);
        let crowded = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8";
        for (lookahead, wrong) in [("Expectimax(plies: Fixed(3))", 1.0), ("Expectimax(dead: Zero)", 1.0)] {
            let tree = recorded(crowded, lookahead);
            let Some(dead) = tree.ids().find(|&id| tree.at(id).rule() == Rule::Dead) else { continue };
            seen(&tree, |tree| at(tree, dead).falsify(wrong), is_evaluation);
        }
        let cut = recorded(BOARD, "Expectimax(plies: Fixed(5), cuts: [Reach(0.05)])");
        let id = first(&cut, |node| node.rule() == Rule::TooImprobable);
        seen(&cut, |tree| at(tree, id).falsify(1e9), is_evaluation);
    }

    #[test]
    fn a_missing_or_impossible_node_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let chance = first(&tree, |node| node.rule() == Rule::MeanOf);
        let spawn = tree.children(chance).next().expect("a spawn");
        let slide = tree.children(spawn).next().expect("a slide");
        // A tile on a tile: the board has a 2 in the first cell, or something has slid there.
        let taken = tree.place(chance).board.cells().position(|(_, rank)| !rank.is_empty()).expect("a tile") as u8;
        seen(
            &tree,
            |tree| at(tree, spawn).falsify_edge(Edge::Spawn { cell: taken, rank: 1 }),
            |fault| matches!(fault, Fault::Illegal),
        );
        let twin = tree.children(chance).nth(1).expect("another");
        let edge = tree.at(spawn).edge().expect("a spawn");
        seen(&tree, |tree| at(tree, twin).falsify_edge(edge), |fault| matches!(fault, Fault::Illegal));
        let other = tree.children(spawn).nth(1).expect("another slide");
        let edge = tree.at(slide).edge().expect("a slide");
        seen(&tree, |tree| at(tree, other).falsify_edge(edge), |fault| matches!(fault, Fault::Slides));
        seen(
            &tree,
            |tree| at(tree, spawn).falsify_edge(Edge::Slide(Move::Up)),
            |fault| matches!(fault, Fault::Illegal | Fault::Probabilities { .. }),
        );
        // Four instead of two: the probabilities are 0.1 and 0.1.
        seen(
            &tree,
            |tree| {
                let Some(Edge::Spawn { cell, .. }) = tree.at(spawn).edge() else { return };
                at(tree, spawn).falsify_edge(Edge::Spawn { cell, rank: 2 });
            },
            |fault| matches!(fault, Fault::Probabilities { sum } if *sum < 0.99),
        );
        seen(&tree, |tree| at(tree, chance).consider(1), |fault| matches!(fault, Fault::Considered { cells: 1, .. }));
        seen(&tree, |tree| at(tree, slide).parent = 0, |fault| matches!(fault, Fault::Structure));
        seen(&tree, |tree| at(tree, spawn).kept_below += 1, |fault| matches!(fault, Fault::Structure));
        seen(&tree, |tree| at(tree, slide).falsify_below(1), |fault| matches!(fault, Fault::BelowEnd));
        seen(&tree, |tree| at(tree, chance).falsify_below(1), |fault| matches!(fault, Fault::Structure));
        seen(&tree, |tree| *tree.counts.of_mut(NodeKind::Leaf) -= 1, |fault| matches!(fault, Fault::Counts));
        seen(&tree, |tree| tree.subject.plies += 1, |fault| matches!(fault, Fault::Kind));
        // A leaf that says it is dead, and one below which something was searched.
        let end = |rule| super::super::super::recorder::End::exact(tree.value(slide).unwrap_or(0.0), rule);
        seen(&tree, |tree| at(tree, slide).close(end(Rule::Dead), 0, 0), |fault| matches!(fault, Fault::Kind));
        let below = tree.kept_below(spawn);
        seen(
            &tree,
            |tree| at(tree, spawn).close(end(Rule::TooImprobable), u64::from(below), below),
            |fault| matches!(fault, Fault::BelowEnd),
        );
    }

    #[test]
    fn a_cut_without_a_reason_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(5), cuts: [Reach(0.05)])");
        let is_cut = |fault: &Fault| matches!(fault, Fault::Cut);
        let lookahead = |text: &str| text.parse::<Lookahead>().expect(text);
        // The same record under other rules: too much was cut, or too little.
        for threshold in ["0.002", "0.2"] {
            let other = lookahead(&format!("Expectimax(plies: Fixed(5), cuts: [Reach({threshold})])"));
            seen(&tree, |tree| tree.subject.definition.lookahead = other.clone(), is_cut);
        }
        let tree = recorded(BOARD, "Minimax(plies: Fixed(4), cuts: [AlphaBeta])");
        let stub = first(&tree, |node| node.rule() == Rule::OutOfBounds);
        seen(&tree, |tree| at(tree, stub).close_stub(Stub::OutOfBounds { alpha: 1.0, beta: 2.0 }), is_cut);
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(4), cuts: [ImportantCells(k: 1)])");
        let stub = first(&tree, |node| node.rule() == Rule::Unimportant);
        for (rank, considered) in [(1, 1), (7, 1), (3, 2)] {
            seen(&tree, |tree| at(tree, stub).close_stub(Stub::Unimportant { rank, considered }), is_cut);
        }
    }

    #[test]
    fn a_bound_that_does_not_follow_is_found() {
        let is_bound = |fault: &Fault| matches!(fault, Fault::Bound);
        let tree = recorded(BOARD, "Minimax(plies: Fixed(4), cuts: [AlphaBeta])");
        for bound in [Bound::Upper, Bound::Lower] {
            for rule in [Rule::MaxOf, Rule::MinOf] {
                let Some(id) = tree.ids().skip(1).find(|&id| {
                    let node = tree.at(id);
                    let has_stub = tree.children(id).any(|child| tree.value(child).is_none());
                    node.rule() == rule && node.bound() == bound && has_stub
                }) else {
                    continue;
                };
                seen(&tree, |tree| at(tree, id).falsify_bound(Bound::Exact), is_bound);
            }
        }
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let chance = first(&tree, |node| node.rule() == Rule::MeanOf);
        seen(&tree, |tree| at(tree, chance).falsify_bound(Bound::Lower), is_bound);
    }

    #[test]
    fn a_stored_value_of_another_node_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(5))");
        let is_stored = |fault: &Fault| matches!(fault, Fault::Stored);
        let cached = first(&tree, |node| node.rule() == Rule::Stored);
        let stored = tree.at(cached).stored().expect("in the record");
        seen(&tree, |tree| at(tree, cached).refer_to(stored.0 + 1), is_stored);
        seen(&tree, |tree| at(tree, cached).refer_to(super::super::node::NONE), is_stored);
        let value = tree.value(cached).expect("a value");
        seen(&tree, |tree| at(tree, cached).falsify(value + 1.0), is_stored);
    }

    #[test]
    fn a_move_that_is_not_the_best_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let chosen = tree.chosen.expect("a move");
        for mv in Move::ALL.into_iter().filter(|&mv| mv != chosen) {
            seen(&tree, |tree| tree.chosen = Some(mv), |fault| matches!(fault, Fault::Chosen { .. }));
        }
    }
}

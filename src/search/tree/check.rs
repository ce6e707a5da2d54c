//! The self-check: computes everything a record says a second time, from plain definitions.

use super::super::engine::BELOW;
use super::node::Node;
use super::view::Place;
use super::{Link, NodeCounts, NodeId, Start, Tree, TreeKind};
use crate::game::{Cell, Moves, Rank};
use crate::search::worst::harm;
use crate::search::{Bound, Cut, Dead, ROUNDING, Ranked, Rule, Stub};
use crate::task::CancelToken;

/// Values agree when they differ by less than this share of the larger one, or of 1.
const AGREE: f64 = 1e-9;

const NODES_A_LOOK: u32 = 1024;

/// The report lists at most this many flaws and counts the rest.
const MOST_LISTED: usize = 100;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// Checked nodes: all that the record contains.
    pub nodes: u64,
    /// Nodes whose value could not be recomputed, because the cap left out some of their children.
    pub unsure: u64,
    pub flaws: Vec<Flaw>,
    pub wrong: u64,
}

#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("node {number}: {fault}")]
pub struct Flaw {
    pub node: NodeId,
    /// The node's number in visit order, as displayed.
    pub number: u64,
    pub fault: Fault,
}

#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum Fault {
    #[error("the probabilities of its spawns add up to {sum}")]
    Probabilities { sum: f64 },
    #[error("its value is {value}, but its children give {expected}")]
    BackUp { value: f64, expected: f64 },
    #[error("its bound does not follow from its children")]
    Bound,
    #[error("it ends the search but has nodes below it")]
    BelowEnd,
    /// A parent, a child or a count of nodes below does not fit.
    #[error("it does not fit the nodes around it")]
    Structure,
    #[error("the move or spawn that leads to it is impossible")]
    Illegal,
    #[error("its slides are not exactly the legal ones")]
    Slides,
    #[error("tiles were considered on {cells} cells, but the rules say {expected}")]
    Considered { cells: u32, expected: u32 },
    /// A leaf with plies left, or a live board that counts as dead.
    #[error("a node of this kind is not possible here")]
    Kind,
    #[error("its value is {value}, but the evaluator gives {expected}")]
    Evaluation { value: f64, expected: f64 },
    /// The node was cut although no rule says so, or searched although one does.
    #[error("it contradicts the rules of the cuts")]
    Cut,
    #[error("its cached value differs from the node it refers to")]
    Stored,
    #[error("it has {visits} samples, but {expected} pass through its children or start here")]
    Visits { visits: u64, expected: u64 },
    #[error("the counts by kind do not match the nodes")]
    Counts,
    #[error("the chosen move is worth {value}, another {best}")]
    Chosen { value: f64, best: f64 },
}

impl Report {
    pub fn is_sound(&self) -> bool {
        self.wrong == 0
    }

    pub(super) fn add(&mut self, node: NodeId, fault: Fault) {
        self.wrong += 1;
        if self.flaws.len() < MOST_LISTED {
            self.flaws.push(Flaw {
                node,
                number: 0,
                fault,
            });
        }
    }

    /// Adds a fault of a node unless `holds`.
    pub(super) fn expect(&mut self, holds: bool, node: NodeId, fault: Fault) {
        if !holds {
            self.add(node, fault);
        }
    }
}

pub(super) fn agree(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= AGREE * a.abs().max(b.abs()).max(1.0)
}

impl Tree {
    /// Checks every node: probabilities, boards, values from the leaves up, bounds, cuts, and the choice at the root.
    pub fn check(&self) -> Report {
        self.check_until(&CancelToken::new()).unwrap_or_default()
    }

    /// Like `Tree::check`, but returns `None` when `stop` is set.
    pub fn check_until(&self, stop: &CancelToken) -> Option<Report> {
        let mut report = self.checked(stop)?;
        report
            .flaws
            .iter_mut()
            .for_each(|flaw| flaw.number = self.order(flaw.node));
        Some(report)
    }

    fn checked(&self, stop: &CancelToken) -> Option<Report> {
        let mut report = Report {
            nodes: self.nodes.len() as u64,
            ..Report::default()
        };
        self.check_order(&mut report);
        if !report.is_sound() {
            // A tree with a broken structure proves nothing else.
            return Some(report);
        }

        let mut counts = NodeCounts::default();
        for (id, place) in self.places(false) {
            if id.0 % NODES_A_LOOK == 0 && stop.is_cancelled() {
                return None;
            }
            *counts.of_mut(self.kind(id)) += 1;
            counts.stubs += u64::from(self.at(id).rule().is_stub());
            if !place.is_legal {
                report.add(id, Fault::Illegal);
            } else if self.search_kind() == TreeKind::Sampled {
                self.check_sampled(id, self.at(id), &place, &mut report);
            } else {
                self.check_node(id, self.at(id), &place, &mut report);
            }
        }

        let all_counted = self.left_out() != 0 || counts == self.counts;
        // Other programs need not count the nodes they leave out.
        let is_whole = self.written_by.is_some() && self.left_out() != 0
            || self.counts.total() == self.searched;
        report.expect(all_counted && is_whole, self.root(), Fault::Counts);
        self.check_choice(&mut report);
        Some(report)
    }

    /// Checks the order: parents before children, children inside their parents, rising numbers.
    fn check_order(&self, report: &mut Report) {
        let len = self.nodes.len() as u64;
        let whole = self.at(self.root());
        if u64::from(whole.kept_below) + 1 != len
            || whole.below() + 1 != self.searched
            || self.searched < len
        {
            return report.add(self.root(), Fault::Structure);
        }
        for id in self.ids() {
            let node = self.at(id);
            match self.below_children(id, node) {
                Err(wrong) => return report.add(wrong, Fault::Structure),
                Ok(_) if !node.rule().is_inner() && (node.kept_below != 0 || node.below() != 0) => {
                    report.add(id, Fault::BelowEnd);
                }
                Ok(below) => report.expect(below <= node.below(), id, Fault::Structure),
            }
        }
    }

    /// The number of nodes below a node, added up over its children, or the first child that does not fit.
    fn below_children(&self, id: NodeId, node: &Node) -> Result<u64, NodeId> {
        let end = u64::from(id.0) + 1 + u64::from(node.kept_below);
        if (self.nodes.len() as u64) < end {
            return Err(id);
        }
        let (mut next, mut below) = (u64::from(id.0) + 1, 0);
        while next < end {
            let child_id = NodeId(next as u32);
            let child = self.at(child_id);
            if child.parent != id.0 || child.order() <= node.order() {
                return Err(child_id);
            }
            below += 1 + child.below();
            next += 1 + u64::from(child.kept_below);
        }
        if next == end { Ok(below) } else { Err(id) }
    }

    fn check_node(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let is_choice = id.0 == 0 && matches!(self.subject.start, Start::Choice { .. });
        match node.rule() {
            Rule::MaxOf | Rule::MinOf if place.is_turn => {
                report.expect(
                    (node.rule() == Rule::MaxOf || is_choice) && place.plies != 0,
                    id,
                    Fault::Kind,
                );
                self.check_slides(id, place, report);
                if !is_choice {
                    self.check_max(id, node, report);
                }
            }
            Rule::MeanOf | Rule::SumOf | Rule::LeastMeanOf | Rule::MeanLeastOf | Rule::MinOf => {
                if place.is_turn || node.rule() != self.rule_of_spawns() || place.plies == 0 {
                    report.add(id, Fault::Kind);
                } else {
                    self.check_spawns(id, node, place, report);
                }
                // A search of a skipped node searches its root whatever the rule says.
                report.expect(!self.is_cut(place) || id.0 == 0, id, Fault::Cut);
            }
            Rule::Evaluated => {
                report.expect(place.plies == 0, id, Fault::Kind);
                self.check_evaluation(id, node, place, report);
            }
            Rule::Dead => {
                report.expect(place.is_turn && place.board.is_dead(), id, Fault::Kind);
                match self.subject.definition.lookahead.dead() {
                    Dead::Evaluate => self.check_evaluation(id, node, place, report),
                    dead => {
                        let (value, expected) = (
                            node.value().unwrap_or(f64::NAN),
                            if dead == Dead::Zero { 0.0 } else { Dead::LOST },
                        );
                        report.expect(value == expected, id, Fault::Evaluation { value, expected });
                    }
                }
            }
            Rule::TooImprobable => {
                report.expect(
                    !place.is_turn && place.plies != 0 && self.is_cut(place),
                    id,
                    Fault::Cut,
                );
                self.check_evaluation(id, node, place, report);
            }
            Rule::OutOfBounds | Rule::Unimportant => match node.stub() {
                Some(Stub::OutOfBounds { alpha, beta }) if alpha < beta => {
                    report.add(id, Fault::Cut);
                }
                Some(Stub::Unimportant {
                    rank,
                    considered,
                    ranked,
                }) => {
                    let is_right = match ranked {
                        Ranked::Cells => self.is_unimportant(id, rank, considered),
                        Ranked::Spawns => self.is_milder(id, rank, considered),
                    };
                    report.expect(is_right, id, Fault::Cut);
                }
                _ => {}
            },
            Rule::Stored => report.expect(self.is_stored_right(node, place), id, Fault::Stored),
            Rule::MaxOf
            | Rule::Sampled
            | Rule::MovesTried
            | Rule::SpawnsDrawn
            | Rule::NotExpanded => {
                report.add(id, Fault::Kind);
            }
        }
    }

    /// The rule by which spawn nodes get their values in this lookahead.
    fn rule_of_spawns(&self) -> Rule {
        let search = self.subject.definition.lookahead.depth_limited();
        search.map_or(Rule::MeanOf, |search| Rule::of_spawns(search.spawn))
    }

    /// Whether the reach threshold cuts a node that is this improbable.
    pub(super) fn is_cut(&self, place: &Place) -> bool {
        self.threshold()
            .is_some_and(|threshold| place.counted < threshold * BELOW)
    }

    fn check_evaluation(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        if !self.knows_evaluator() {
            report.unsure += 1;
            return;
        }
        let value = node.value().unwrap_or(f64::NAN);
        let expected = self
            .subject
            .definition
            .evaluator
            .evaluate(&place.board, place.score);
        let is_right = agree(value, expected) && node.bound() == Bound::Exact;
        report.expect(is_right, id, Fault::Evaluation { value, expected });
    }

    pub(super) fn check_slides(&self, id: NodeId, place: &Place, report: &mut Report) {
        let expected = match self.subject.start {
            Start::Choice { moves, .. } if id.0 == 0 => moves,
            _ => place.board.legal_moves(),
        };
        let slides = || self.children(id).filter_map(|child| self.slide(child));
        let seen: Moves = slides().collect();
        let once = seen.len() == slides().count();
        let complete = self.left_out_at(id) != 0 || seen == expected;
        report.expect(
            once && !expected.is_empty() && complete && seen & expected == seen,
            id,
            Fault::Slides,
        );
    }

    fn check_max(&self, id: NodeId, node: &Node, report: &mut Report) {
        if self.left_out_at(id) != 0 {
            report.unsure += 1;
            return;
        }
        let floor = self.least_of_slides();
        let expected = self
            .children(id)
            .filter_map(|child| self.value(child))
            .fold(floor, f64::max);
        let value = node.value().unwrap_or(f64::NAN);
        if agree(value, expected) {
            let is_reached = floor == expected;
            report.expect(
                self.bound_follows(id, expected, is_reached, Bound::Lower),
                id,
                Fault::Bound,
            );
        } else {
            report.add(id, Fault::BackUp { value, expected });
        }
    }

    /// Whether the bound on the value `best` of a max or min node follows from its children. The true value of a child
    /// with the bound `beyond` may lie beyond `best`. `is_reached` if the value does not come from a child.
    fn bound_follows(&self, id: NodeId, best: f64, is_reached: bool, beyond: Bound) -> bool {
        let values = || {
            self.children(id)
                .filter_map(|child| Some((self.value(child)?, self.bound(child))))
        };
        // Cells that are too unimportant have no value.
        let is_searched =
            |child| self.value(child).is_some() || self.rule(child) == Rule::Unimportant;
        let is_closed =
            || self.children(id).all(is_searched) && values().all(|(_, bound)| bound != beyond);
        let is_reached_by = |bounds: [Bound; 2]| {
            is_reached || values().any(|(value, bound)| value == best && bounds.contains(&bound))
        };
        match self.bound(id) {
            Bound::Exact => is_closed() && is_reached_by([Bound::Exact; 2]),
            bound if bound == beyond => is_reached_by([Bound::Exact, beyond]),
            _ => is_closed(),
        }
    }

    /// The sum of the probabilities of the spawns below an afterstate. Each spawn may occur once.
    pub(super) fn sum_of_spawns(&self, id: NodeId, cells: u32, report: &mut Report) -> f64 {
        let mut seen = 0_u64;
        for child in self.children(id) {
            let bit = 1 << self.at(child).edge_number();
            report.expect(seen & bit == 0, child, Fault::Illegal);
            seen |= bit;
        }
        self.children(id)
            .map(|child| self.share(child, cells))
            .sum()
    }

    /// Checks the spawns below an afterstate, their probabilities, and its value.
    fn check_spawns(&self, id: NodeId, node: &Node, place: &Place, report: &mut Report) {
        let (cells, expected) = (
            node.considered(),
            self.considered_by_rule(place) + self.cells_beyond(id),
        );
        if cells != expected {
            return report.add(id, Fault::Considered { cells, expected });
        }
        if self.left_out_at(id) != 0 {
            report.unsure += 1;
            return;
        }

        let sum = self.sum_of_spawns(id, cells, report);
        // Spawns that are not considered have no share of the probability.
        let is_whole = if self.has_worst_spawns() {
            0.0 < sum && sum < 1.0 + 1e-9
        } else {
            agree(sum, 1.0)
        };
        if !is_whole {
            return report.add(id, Fault::Probabilities { sum });
        }
        let values = self
            .children(id)
            .filter_map(|child| Some((child, self.value(child)?)));
        let expected = self.backed_up(id, values).unwrap_or(f64::NAN);
        let value = node.value().unwrap_or(f64::NAN);
        if !agree(value, expected) {
            return report.add(id, Fault::BackUp { value, expected });
        }
        let is_exact = |child| self.value(child).is_some() && self.bound(child) == Bound::Exact;
        let follows = match node.rule() {
            Rule::MinOf => self.bound_follows(id, expected, false, Bound::Upper),
            _ => {
                let mut children = self.children(id);
                node.bound() == Bound::Exact
                    && children
                        .all(|child| self.rule(child) == Rule::Unimportant || is_exact(child))
            }
        };

        report.expect(follows, id, Fault::Bound);
    }

    /// Whether a cell is correctly marked as unimportant.
    fn is_unimportant(&self, id: NodeId, rank: u8, considered: u8) -> bool {
        let weights = self
            .subject
            .definition
            .lookahead
            .cuts()
            .iter()
            .find_map(|cut| match cut {
                Cut::ImportantCells { weights, .. } => Some(weights.values()),
                _ => None,
            });
        let (Some(parent), Some(Link::Spawn(spawn)), Some(weights)) =
            (self.parent(id), self.link(id), weights)
        else {
            return false;
        };
        let place = self.place(parent);
        let weight = |cell: Cell| {
            weights
                .get(cell.index(place.board.size()))
                .copied()
                .unwrap_or(0.0)
        };
        let before = place.board.empty_cells().into_iter().filter(|&cell| {
            // Ties go to the first cell in reading order.
            weight(spawn.cell) < weight(cell)
                || (weight(spawn.cell) == weight(cell) && cell < spawn.cell)
        });

        usize::from(rank) == before.count() + 1
            && considered < rank
            && u32::from(considered) == self.considered_by_rule(&place)
    }

    fn has_worst_spawns(&self) -> bool {
        self.subject
            .definition
            .lookahead
            .cuts()
            .contains(&Cut::WorstSpawns)
    }

    /// Whether a spawn really does less harm than the worst ones.
    fn is_milder(&self, id: NodeId, rank: u8, considered: u8) -> bool {
        let (Some(parent), Some(Link::Spawn(spawn)), true) =
            (self.parent(id), self.link(id), self.has_worst_spawns())
        else {
            return false;
        };
        let board = self.place(parent).board;
        let tiles = [Rank::TWO, Rank::FOUR]
            .into_iter()
            .filter(|&rank| self.chance(rank) != 0.0);
        let all: Vec<i32> = tiles
            .flat_map(|rank| {
                board
                    .empty_cells()
                    .into_iter()
                    .map(move |cell| harm(&board, cell, rank))
            })
            .collect();
        let own = harm(&board, spawn.cell, spawn.rank);
        let most = all.iter().max().copied().unwrap_or(own);
        usize::from(rank) == all.iter().filter(|&&harm| own < harm).count() + 1
            && usize::from(considered) == all.iter().filter(|&&harm| harm == most).count()
            && considered < rank
    }

    /// Whether a value from the transposition table equals that of the node it refers to.
    fn is_stored_right(&self, node: &Node, place: &Place) -> bool {
        let Some(stored) = node.stored() else {
            // The source may lie outside the record.
            return self.left_out() != 0
                || self.elsewhere != 0
                || self.written_by.is_some()
                || !self.grafts.is_empty();
        };
        let there = self.place(stored);
        let canonical = |place: &Place| {
            place
                .board
                .as_packed()
                .map(|packed| packed.crossed().canonical())
        };
        let same =
            canonical(&there) == canonical(place) && there.plies == place.plies && !there.is_turn;
        // A later search may have changed the nodes below the source.
        if same && !self.grafts.is_empty() {
            return true;
        }
        same && self.value(stored) == node.value()
            && self.bound(stored) == node.bound()
            && !place.is_turn
    }

    /// Checks that the root has the value of its best move, and that a best move was chosen.
    fn check_choice(&self, report: &mut Report) {
        let (root, Start::Choice { objective, .. }) = (self.root(), self.subject.start) else {
            return;
        };
        if self.left_out_at(root) != 0 {
            report.unsure += 1;
            return;
        }

        let sign = objective.sign();
        let moves = || {
            self.slides(root)
                .map(|(child, mv, value)| (mv, value, self.bound(child)))
        };
        let exact = moves().filter(|(_, _, bound)| *bound == Bound::Exact);
        let best = exact
            .map(|(_, value, _)| value)
            .fold(f64::NEG_INFINITY, f64::max);
        let value = sign * self.value(root).unwrap_or(f64::NAN);
        report.expect(
            agree(value, best),
            root,
            Fault::BackUp {
                value: sign * value,
                expected: sign * best,
            },
        );

        // Later searches change values, but not the move that was chosen before them.
        if !self.grafts.is_empty() {
            return;
        }
        let harmless = if objective.higher {
            Bound::Upper
        } else {
            Bound::Lower
        };
        let is_better = |value, bound| bound != Bound::Exact && (bound != harmless || best < value);
        report.expect(
            !moves().any(|(_, value, bound)| is_better(value, bound)),
            root,
            Fault::Bound,
        );
        let Some(chosen) = self.chosen else { return };
        let value = moves()
            .find(|&(mv, ..)| mv == chosen)
            .map_or(f64::NAN, |(_, value, _)| value);
        let is_best = best - objective.tolerance - best.abs() * ROUNDING <= value;
        report.expect(
            is_best,
            root,
            Fault::Chosen {
                value: sign * value,
                best: sign * best,
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::game::{Board, Move, Rules};
    use crate::prose;
    use crate::search::{Edge, Lookahead, NodeKind, SearchOptions};
    use crate::strategy::{Criterion, Decision, LastResort, Player, Strategy};

    const BOARD: &str = "2,4,8,16/0,8,0,32/0,2,4,64/0,0,2,128";

    fn recorded(board: &str, lookahead: &str) -> Tree {
        let criterion = Criterion {
            lookahead: lookahead.parse().expect(lookahead),
            ..Criterion::one_ply("Weights(\"c\")".parse().expect("an evaluator"))
        };
        let strategy = Strategy {
            criteria: vec![criterion],
            last_resort: LastResort::First,
            ..Strategy::default()
        };
        let board: Board = board.parse().expect("a board");
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            1 << 20,
        );
        let searched = decision
            .searches
            .into_iter()
            .next()
            .flatten()
            .expect("searched");
        Arc::unwrap_or_clone(searched.tree.expect("a tree"))
    }

    /// The first node of a kind, except the root.
    fn first(tree: &Tree, is_it: impl Fn(&Node) -> bool) -> NodeId {
        tree.ids()
            .skip(1)
            .find(|&id| is_it(tree.at(id)))
            .expect("such a node")
    }

    fn at(tree: &mut Tree, id: NodeId) -> &mut Node {
        &mut tree.nodes[id.0 as usize]
    }

    fn faults(tree: &Tree) -> Vec<Fault> {
        tree.check()
            .flaws
            .into_iter()
            .map(|flaw| flaw.fault)
            .collect()
    }

    /// Falsifies a sound tree and expects a flaw that `is_it` recognizes.
    fn seen(tree: &Tree, falsify: impl Fn(&mut Tree), is_it: impl Fn(&Fault) -> bool) {
        assert!(
            tree.check().is_sound(),
            "{}",
            prose::self_check(&tree.check())
        );
        let mut wrong = tree.clone();
        falsify(&mut wrong);
        let report = wrong.check();
        assert!(
            report.flaws.iter().any(|flaw| is_it(&flaw.fault)),
            "{:?}",
            faults(&wrong)
        );
        assert!(
            prose::self_check(&report).contains(" wrong: node "),
            "{}",
            prose::self_check(&report)
        );
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
            "Expectimax(plies: Fixed(4), spawn: MeanOfMin)",
            "Minimax(plies: Fixed(3))",
        ] {
            let tree = recorded(BOARD, lookahead);
            for rule in [Rule::MaxOf, tree.rule_of_spawns()] {
                let id = first(&tree, |node| node.rule() == rule);
                let value = tree.value(id).expect("searched");
                seen(
                    &tree,
                    |tree| at(tree, id).falsify(value * (1.0 + 1e-6)),
                    is_back_up,
                );
            }
        }

        seen(&mean, |tree| at(tree, NodeId(0)).falsify(3.5), is_back_up);
        let crowded = "2,4,2,4/4,2,4,2/2,4,2,4/4,2,8,8";
        for (lookahead, wrong) in [
            ("Expectimax(plies: Fixed(3))", 1.0),
            ("Expectimax(dead: Zero)", 1.0),
        ] {
            let tree = recorded(crowded, lookahead);
            let Some(dead) = tree.ids().find(|&id| tree.at(id).rule() == Rule::Dead) else {
                continue;
            };
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
        // A tile on a tile: the first cell has a 2, or a tile has slid there.
        let taken = tree
            .place(chance)
            .board
            .cells()
            .position(|(_, rank)| !rank.is_empty())
            .expect("a tile") as u8;
        seen(
            &tree,
            |tree| {
                at(tree, spawn).falsify_edge(Edge::Spawn {
                    cell: taken,
                    rank: 1,
                });
            },
            |fault| matches!(fault, Fault::Illegal),
        );
        let twin = tree.children(chance).nth(1).expect("another");
        let edge = tree.at(spawn).edge().expect("a spawn");
        seen(
            &tree,
            |tree| at(tree, twin).falsify_edge(edge),
            |fault| matches!(fault, Fault::Illegal),
        );
        let other = tree.children(spawn).nth(1).expect("another slide");
        let edge = tree.at(slide).edge().expect("a slide");
        seen(
            &tree,
            |tree| at(tree, other).falsify_edge(edge),
            |fault| matches!(fault, Fault::Slides),
        );
        seen(
            &tree,
            |tree| at(tree, spawn).falsify_edge(Edge::Slide(Move::Up)),
            |fault| matches!(fault, Fault::Illegal | Fault::Probabilities { .. }),
        );

        // A 4 in place of a 2: the probabilities are 0.1 and 0.1.
        seen(
            &tree,
            |tree| {
                let Some(Edge::Spawn { cell, .. }) = tree.at(spawn).edge() else {
                    return;
                };
                at(tree, spawn).falsify_edge(Edge::Spawn { cell, rank: 2 });
            },
            |fault| matches!(fault, Fault::Probabilities { sum } if *sum < 0.99),
        );

        // A record with 4s, although the rules have none.
        let least = recorded(BOARD, "Minimax(plies: Fixed(3))");
        seen(
            &least,
            |tree| tree.subject.definition.rules.p4 = 0.0,
            |fault| matches!(fault, Fault::Illegal),
        );
        seen(
            &tree,
            |tree| at(tree, chance).consider(1),
            |fault| matches!(fault, Fault::Considered { cells: 1, .. }),
        );
        seen(
            &tree,
            |tree| at(tree, slide).parent = 0,
            |fault| matches!(fault, Fault::Structure),
        );
        seen(
            &tree,
            |tree| at(tree, spawn).kept_below += 1,
            |fault| matches!(fault, Fault::Structure),
        );
        seen(
            &tree,
            |tree| at(tree, slide).falsify_below(1),
            |fault| matches!(fault, Fault::BelowEnd),
        );
        seen(
            &tree,
            |tree| at(tree, chance).falsify_below(1),
            |fault| matches!(fault, Fault::Structure),
        );
        seen(
            &tree,
            |tree| *tree.counts.of_mut(NodeKind::Leaf) -= 1,
            |fault| matches!(fault, Fault::Counts),
        );
        seen(
            &tree,
            |tree| tree.subject.plies += 1,
            |fault| matches!(fault, Fault::Kind),
        );

        // A leaf marked as dead, and one with nodes below it.
        let end = |rule| {
            super::super::super::recorder::End::exact(tree.value(slide).unwrap_or(0.0), rule)
        };
        seen(
            &tree,
            |tree| at(tree, slide).close(end(Rule::Dead), 0, 0),
            |fault| matches!(fault, Fault::Kind),
        );
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
        // The same record under other rules: it has too many cuts, or too few.
        for threshold in ["0.002", "0.2"] {
            let other = lookahead(&format!(
                "Expectimax(plies: Fixed(5), cuts: [Reach({threshold})])"
            ));
            seen(
                &tree,
                |tree| tree.subject.definition.lookahead = other.clone(),
                is_cut,
            );
        }

        let tree = recorded(BOARD, "Minimax(plies: Fixed(4), cuts: [AlphaBeta])");
        let stub = first(&tree, |node| node.rule() == Rule::OutOfBounds);
        seen(
            &tree,
            |tree| {
                at(tree, stub).close_stub(Stub::OutOfBounds {
                    alpha: 1.0,
                    beta: 2.0,
                });
            },
            is_cut,
        );
        let tree = recorded(
            BOARD,
            "Expectimax(plies: Fixed(4), cuts: [ImportantCells(k: 1)])",
        );
        let stub = first(&tree, |node| node.rule() == Rule::Unimportant);
        for (rank, considered) in [(1, 1), (7, 1), (3, 2)] {
            seen(
                &tree,
                |tree| {
                    at(tree, stub).close_stub(Stub::Unimportant {
                        rank,
                        considered,
                        ranked: Ranked::Cells,
                    });
                },
                is_cut,
            );
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
                seen(
                    &tree,
                    |tree| at(tree, id).falsify_bound(Bound::Exact),
                    is_bound,
                );
            }
        }

        let tree = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let chance = first(&tree, |node| node.rule() == Rule::MeanOf);
        seen(
            &tree,
            |tree| at(tree, chance).falsify_bound(Bound::Lower),
            is_bound,
        );
    }

    #[test]
    fn a_stored_value_of_another_node_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(5))");
        let is_stored = |fault: &Fault| matches!(fault, Fault::Stored);
        let cached = first(&tree, |node| node.rule() == Rule::Stored);
        let stored = tree.at(cached).stored().expect("in the record");
        seen(
            &tree,
            |tree| at(tree, cached).refer_to(stored.0 + 1),
            is_stored,
        );
        seen(
            &tree,
            |tree| at(tree, cached).refer_to(super::super::node::NONE),
            is_stored,
        );
        let value = tree.value(cached).expect("a value");
        seen(
            &tree,
            |tree| at(tree, cached).falsify(value + 1.0),
            is_stored,
        );
    }

    #[test]
    fn a_move_that_is_not_the_best_is_found() {
        let tree = recorded(BOARD, "Expectimax(plies: Fixed(3))");
        let chosen = tree.chosen.expect("a move");
        for mv in Move::ALL.into_iter().filter(|&mv| mv != chosen) {
            seen(
                &tree,
                |tree| tree.chosen = Some(mv),
                |fault| matches!(fault, Fault::Chosen { .. }),
            );
        }
    }
}

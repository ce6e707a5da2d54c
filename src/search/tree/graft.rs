//! Continues the search below a node at which it ended, and puts the result in the node's place.
//!
//! ```text
//! leaf            the given number of plies deeper
//! too improbable  to the end of the depth, as if the node were reached for certain; the threshold holds from there
//! out of bounds   to the end of the depth with open bounds, so that its value is exact
//! cached          to the end of the depth, once more
//! unimportant     to the end of the depth, as if the cell, with each tile that can come there, or the spawn were considered
//! ```
//!
//! The node keeps its place, the nodes below it are new, and the nodes above it get the values that their rules now
//! give them. So a record in which every cut was searched, and every new cut again, has the values of the search
//! without cuts. A cached node keeps the value that it took from another node; search it as well.
//!
//! [`Tree::chosen`] stays the move that was played, whatever the new values say.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::grafts::Graft;
use super::recorder::TreeRecorder;
use super::room::Room;
use super::skipped::{Effect, MOST_TOGETHER, NotSearched};
use super::view::Place;
use super::{NodeId, Start, Subject, Tree, TreeKind};
use crate::evaluator::OwnFiles;
use crate::game::Cell;
use crate::search::{Bound, Plies, PlyCounts, ROUNDING, Ranked, Rule, Search, SearchOptions, Stub};

/// A record with another search inserted.
#[derive(Clone, PartialEq, Debug)]
pub struct Grafted {
    pub tree: Tree,
    /// The node that was searched. Its number is unchanged, or larger if the other tile on its cell was searched as
    /// well.
    pub node: NodeId,
    /// Nodes below it now.
    pub nodes: u64,
    /// How many of these nodes are cuts of the strategy again. Without those cuts the value may differ.
    pub still_cut: u64,
    /// The value that the original search used. `None` if it had none.
    pub before: Option<f64>,
    pub value: f64,
    /// The change at the root, if the root is a decision.
    pub effect: Option<Effect>,
}

impl Tree {
    /// The default number of plies by which a leaf is searched deeper: a spawn and the slide that answers it, or a
    /// slide and a spawn.
    pub const USUAL_MORE: u32 = 2;

    /// The number of inserted searches.
    pub fn graft_count(&self) -> usize {
        self.grafts.len()
    }

    /// Whether an inserted search begins at this node.
    pub fn is_graft(&self, id: NodeId) -> bool {
        self.grafts.at(id).is_some()
    }

    /// The node at which the inserted search began that found this node, if there is one.
    pub fn graft_above(&self, id: NodeId) -> Option<NodeId> {
        if self.grafts.is_empty() {
            return None;
        }
        std::iter::successors(Some(id), |&id| self.parent(id)).find(|&id| self.is_graft(id))
    }

    /// Plies between a node and the end of the depth.
    pub fn plies_left(&self, id: NodeId) -> u32 {
        match self.graft_above(id) {
            Some(above) => {
                let plies = self.grafts.at(above).map_or(0, |graft| graft.plies);
                plies.saturating_sub(self.depth(id) - self.depth(above))
            }
            None => self.subject.plies.saturating_sub(self.depth(id)),
        }
    }

    /// Whether [`Tree::search_on`] can search this node.
    pub fn ends_here(&self, id: NodeId) -> bool {
        let searches = self.search_kind() == TreeKind::DepthLimited
            && self.subject.definition.lookahead.searches()
            && self.knows_evaluator();
        let ends = matches!(
            self.rule(id),
            Rule::Evaluated
                | Rule::TooImprobable
                | Rule::OutOfBounds
                | Rule::Unimportant
                | Rule::Stored
        );
        searches && ends && self.parent(id).is_some()
    }

    /// Continues the search below a node at which it ended, and inserts at most `cap` nodes of the result. A leaf is
    /// searched `more` plies deeper.
    pub fn search_on(
        &self,
        id: NodeId,
        more: u32,
        cap: usize,
        options: SearchOptions<'_>,
    ) -> Result<Grafted, NotSearched> {
        let cell = self.cell_of(id);
        let cap = cap / cell.len();
        let (mut tree, mut node, mut value, mut still_cut) = (None, id, f64::NAN, 0);

        // Last tile first, so that the earlier ones keep their numbers.
        for &tile in cell.iter().rev() {
            let before: &Self = tree.as_ref().unwrap_or(self);
            let (found, graft, worth) = before.found_from(tile, more, cap, options)?;
            match tile.cmp(&id) {
                Ordering::Less => node.0 += found.nodes.len() as u32 - 1,
                Ordering::Equal => value = worth,
                Ordering::Greater => {}
            }
            still_cut += found.left_out_by_rules();
            tree = Some(before.with_graft(&found, graft)?);
        }
        let tree = tree.ok_or(NotSearched::NothingSkipped(id))?;
        let effect = tree.effect_since(self, node);
        Ok(Grafted {
            node,
            nodes: tree.below(node),
            still_cut,
            before: self.value(id),
            value,
            effect,
            tree,
        })
    }

    /// The nodes that are searched together, in visit order: both tiles on a cell that was not considered, otherwise
    /// the node alone.
    fn cell_of(&self, id: NodeId) -> Vec<NodeId> {
        let is_cell = |id| {
            matches!(
                self.at(id).stub(),
                Some(Stub::Unimportant {
                    ranked: Ranked::Cells,
                    ..
                })
            )
        };
        let cell = |id| self.spawn(id).map(|spawn| spawn.cell);
        match self.parent(id) {
            Some(parent) if is_cell(id) => self
                .children(parent)
                .filter(|&child| is_cell(child) && cell(child) == cell(id))
                .collect(),
            _ => vec![id],
        }
    }

    /// The search from one node, and its value.
    fn found_from(
        &self,
        id: NodeId,
        more: u32,
        cap: usize,
        options: SearchOptions<'_>,
    ) -> Result<(Self, Graft, f64), NotSearched> {
        if !self.ends_here(id) {
            return Err(NotSearched::NothingSkipped(id));
        }

        let place = self.place(id);
        let is_leaf = self.rule(id) == Rule::Evaluated;
        let plies = if is_leaf {
            more.min(Plies::DEEPEST)
        } else {
            place.plies
        };
        if is_leaf && (plies == 0 || place.is_turn && place.board.is_dead()) {
            return Err(NotSearched::NothingSkipped(id));
        }

        let is_unimportant = self.rule(id) == Rule::Unimportant;
        let counted = if self.is_cut(&place) && !is_unimportant {
            1.0
        } else {
            self.reach_from(id, &place)
        };
        let definition = &self.subject.definition;
        let search = Search::new(
            &definition.evaluator,
            &definition.lookahead,
            definition.rules,
            &OwnFiles,
        );
        let search = search.ok_or(NotSearched::NothingSkipped(id))?;
        let mut recorder = TreeRecorder::from_node(&search, cap.max(1), counted);
        let from = Place {
            plies,
            reach: counted,
            ..place
        };
        let value = search
            .below(&from, options, &mut recorder)
            .ok_or(NotSearched::Stopped)?;
        let start = if place.is_turn {
            Start::Turn
        } else {
            Start::Spawn
        };
        let Place { board, score, .. } = place;
        let subject = Subject {
            definition: definition.clone(),
            board,
            score,
            plies,
            reach: counted,
            start,
        };
        let found = recorder
            .into_tree(subject, options.cores)
            .1
            .ok_or(NotSearched::NothingSkipped(id))?;
        let beyond = matches!(
            self.at(id).stub(),
            Some(Stub::Unimportant {
                ranked: Ranked::Cells,
                ..
            })
        );
        Ok((
            found,
            Graft {
                node: id.0,
                plies,
                reach: counted,
                beyond,
            },
            value,
        ))
    }

    /// This record with `found`, the record of the nodes below one of its nodes, inserted there.
    fn with_graft(&self, found: &Self, graft: Graft) -> Result<Self, NotSearched> {
        if MOST_TOGETHER < self.nodes.len() + found.nodes.len() {
            return Err(NotSearched::TooLarge);
        }

        let (at, new) = (graft.node as usize, found.nodes.len() as u32 - 1);
        let below = found.searched - 1;
        let moved = |id: u32| if graft.node < id { id + new } else { id };
        let old = self.nodes[at];

        // Allocates memory for all nodes at once.
        let mut tree = Self {
            nodes: Room::of(self.nodes.len() + new as usize),
            ..self.without_nodes()
        };
        tree.nodes.extend(&self.nodes[..at]);
        tree.nodes
            .extend(found.nodes.iter().enumerate().map(|(place, node)| {
                let mut node = *node;
                if let Some(stored) = node.stored() {
                    node.refer_to(stored.0 + graft.node);
                }
                if place == 0 {
                    return node.in_place_of(&old);
                }
                node.parent += graft.node;
                node.move_order(old.order());
                node
            }));
        tree.nodes.extend(self.nodes[at + 1..].iter().map(|node| {
            let mut node = *node;
            node.parent = moved(node.parent);
            node.move_order(below);
            node
        }));

        for id in (0..at).chain(at + 1 + new as usize..tree.nodes.len()) {
            if let Some(stored) = tree.nodes[id].stored() {
                tree.nodes[id].refer_to(moved(stored.0));
            }
        }
        tree.grafts.insert(graft, new);
        let mut above = tree.parent(NodeId(graft.node));
        let mut depth = 0;
        while let Some(id) = above {
            let node = &mut tree.nodes[id.0 as usize];
            node.kept_below += new;
            node.add_below(below);
            above = tree.parent(id);
            depth += 1;
        }
        tree.least_reach = tree.least_reach.max(found.least_reach);
        tree.count_graft(found, depth, old.rule());
        if let Some(parent) = tree.parent(NodeId(graft.node)).filter(|_| graft.beyond) {
            tree.count_cells_at(parent);
        }
        tree.back_up_from(NodeId(graft.node))?;
        Ok(tree)
    }

    /// How many cells below a spawn node count only because of a later search.
    pub(super) fn cells_beyond(&self, id: NodeId) -> u32 {
        if self.grafts.is_empty() {
            return 0;
        }
        let later = self
            .children(id)
            .filter(|&child| self.grafts.at(child).is_some_and(|graft| graft.beyond));
        // The two tiles of a cell are adjacent.
        let mut cells: Vec<Cell> = later
            .filter_map(|child| Some(self.spawn(child)?.cell))
            .collect();
        cells.dedup();
        cells.len() as u32
    }

    /// Counts the cells of a spawn node: those that the search considered, and those of later searches.
    fn count_cells_at(&mut self, id: NodeId) {
        let place = self.place(id);
        let cells = self.considered_by_rule(&place) + self.cells_beyond(id);
        self.nodes[id.0 as usize].consider(cells.min(place.board.empty_count()));
    }

    /// Calls `count_cells_at` for every spawn node with cells of later searches.
    pub(super) fn count_cells_beyond(&mut self) {
        let parents: BTreeSet<NodeId> = self
            .grafts
            .beyond()
            .filter_map(|id| self.parent(id))
            .collect();
        parents.into_iter().for_each(|id| self.count_cells_at(id));
    }

    /// A copy without the nodes.
    fn without_nodes(&self) -> Self {
        Self {
            nodes: Room::default(),
            samples: self.samples.clone(),
            subject: self.subject.clone(),
            counts: self.counts,
            plies: self.plies.clone(),
            searched: self.searched,
            least_reach: self.least_reach,
            elsewhere: self.elsewhere,
            unfinished: self.unfinished,
            chosen: self.chosen,
            playouts: self.playouts.clone(),
            halved_from: self.halved_from,
            written_by: self.written_by.clone(),
            grafts: self.grafts.clone(),
        }
    }

    /// Adds the counts of `found`, which replaces one node `depth` plies below the root.
    fn count_graft(&mut self, found: &Self, depth: usize, before: Rule) {
        let deepest = self.plies.len().max(depth + found.plies.len());
        self.plies.resize(deepest, PlyCounts::heard());
        let count = &mut self.plies[depth].by_rule[before as usize];
        *count = count.saturating_sub(1);
        self.plies[depth..]
            .iter_mut()
            .zip(&found.plies)
            .for_each(|(ply, found)| ply.add(found));
        self.count_again();
    }

    /// Computes the totals again from the counts of the plies and the nodes.
    pub(super) fn count_again(&mut self) {
        let mut all = PlyCounts::heard();
        self.plies.iter().for_each(|ply| all.add(ply));
        (self.counts, self.searched) = (all.counts(), 1 + self.below(self.root()));
    }

    /// Gives all nodes above one the values that follow from their children.
    fn back_up_from(&mut self, id: NodeId) -> Result<(), NotSearched> {
        let mut next = self.parent(id);
        while let Some(id) = next {
            if self.left_out_at(id) != 0 {
                return Err(NotSearched::Incomplete);
            }
            let (value, bound) = self.value_from_below(id);
            self.nodes[id.0 as usize].set_value(value, bound);
            next = self.parent(id);
        }
        Ok(())
    }

    /// The value of an inner node, and whether it is exact or a bound.
    fn value_from_below(&self, id: NodeId) -> (f64, Bound) {
        let valued = || {
            self.children(id)
                .filter_map(|child| Some((child, self.value(child)?)))
        };
        let is_choice = id == self.root() && matches!(self.subject.start, Start::Choice { .. });
        if is_choice {
            let better = if self.objective().higher {
                f64::max
            } else {
                f64::min
            };
            let exact = valued().filter(|&(child, _)| self.bound(child) == Bound::Exact);
            return (
                exact
                    .map(|(_, value)| value)
                    .reduce(better)
                    .unwrap_or(f64::NAN),
                Bound::Exact,
            );
        }

        let value = self.backed_up(id, valued()).unwrap_or(f64::NAN);
        // The side on which the value of a bound or of an unsearched child may lie.
        let beyond = match self.rule(id) {
            Rule::MaxOf => Bound::Lower,
            Rule::MinOf => Bound::Upper,
            _ => return (value, Bound::Exact),
        };
        let is_closed = self.children(id).all(|child| match self.value(child) {
            Some(_) => self.bound(child) != beyond,
            None => self.rule(child) == Rule::Unimportant,
        });
        let reaches = |child: NodeId| [Bound::Exact, beyond].contains(&self.bound(child));
        let floor = if beyond == Bound::Lower {
            self.least_of_slides()
        } else {
            f64::NEG_INFINITY
        };
        let is_reached =
            value == floor || valued().any(|(child, own)| own == value && reaches(child));

        match (is_closed, is_reached) {
            (true, true) => (value, Bound::Exact),
            (true, false) => (value, beyond.negated()),
            (false, true) => (value, beyond),
            // The best value that is certain on this side.
            (false, false) => {
                let sure = valued()
                    .filter(|&(child, _)| reaches(child))
                    .map(|(_, value)| value);
                let better = if beyond == Bound::Lower {
                    f64::max
                } else {
                    f64::min
                };
                (sure.reduce(better).unwrap_or(floor), beyond)
            }
        }
    }

    /// The change at the root since `before`, caused by the nodes below one node.
    fn effect_since(&self, before: &Self, id: NodeId) -> Option<Effect> {
        let Start::Choice { objective, .. } = self.subject.start else {
            return None;
        };
        let child = self.path(id).get(1).copied()?;
        // Nodes before the one that grew still have their old numbers.
        let (mv, old, new) = (self.slide(child)?, before.value(child)?, self.value(child)?);
        let slides: Vec<_> = self
            .slides(self.root())
            .map(|(_, mv, value)| (mv, value))
            .collect();
        let &(best, most) = slides.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let enough = most - objective.tolerance - most.abs() * ROUNDING;
        let chosen = self.chosen.filter(|&chosen| {
            slides
                .iter()
                .any(|&(mv, value)| mv == chosen && enough <= value)
        });
        let changes_choice = self.chosen.is_some() && chosen.is_none();
        let bound = self.bound(child);
        Some(Effect {
            mv,
            before: old,
            after: new,
            bound,
            best: chosen.unwrap_or(best),
            changes_choice,
        })
    }
}

//! Searching on from a node at which the search ended, with what is found put in its place.
//!
//! ```text
//! leaf            so many plies deeper
//! too improbable  to the end of the depth, as if the node were reached for certain; the threshold holds from there
//! out of bounds   to the end of the depth with open bounds, so that its value is exact
//! cached          to the end of the depth, once more
//! unimportant     to the end of the depth, as if the cell, with each tile that can come there, or the spawn were considered
//! ```
//!
//! The node keeps its place, what is below is new, and the nodes above have the values that their rules give them now. So a
//! record whose every cut was searched on, and what was cut there again, has the values of the search without cuts. A node that
//! took its value from another one through the transposition table keeps the one it took: search on from there as well.
//!
//! What was played stays [`Tree::chosen`], whatever the new values say.

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

/// A record with a search put into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Grafted {
    pub tree: Tree,
    /// The node that was searched on from. It has the number that it had, or a larger one where the other tile on its cell was
    /// searched on from as well.
    pub node: NodeId,
    /// Nodes below it now.
    pub nodes: u64,
    /// Nodes of these that rules of the strategy leave out here, too: without them the value may be another one.
    pub still_cut: u64,
    /// The value with which the search went on; `None` where it had none.
    pub before: Option<f64>,
    pub value: f64,
    /// What it changes at the root, if that is a decision.
    pub effect: Option<Effect>,
}

impl Tree {
    /// Plies that a leaf is searched deeper where nobody says otherwise: a spawn and the slide that answers it, or a slide and
    /// a spawn.
    pub const USUAL_MORE: u32 = 2;

    /// How many searches were put into it.
    pub fn graft_count(&self) -> usize {
        self.grafts.len()
    }

    /// Whether a search that was made later begins at this node.
    pub fn is_graft(&self, id: NodeId) -> bool {
        self.grafts.at(id).is_some()
    }

    /// The node at which the search began that found this one, if that was made later.
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

    /// Whether [`Tree::search_on`] has something to search at this node.
    pub fn ends_here(&self, id: NodeId) -> bool {
        let searches = self.search_kind() == TreeKind::DepthLimited
            && self.subject.definition.lookahead.searches()
            && self.knows_evaluator();
        let ends = matches!(
            self.rule(id),
            Rule::Evaluated | Rule::TooImprobable | Rule::OutOfBounds | Rule::Unimportant | Rule::Stored
        );
        searches && ends && self.parent(id).is_some()
    }

    /// Searches on from a node at which the search ended, and puts at most `cap` nodes of what is found in its place; a leaf is
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
        // From the last on, so that the ones before keep their numbers.
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
        Ok(Grafted { node, nodes: tree.below(node), still_cut, before: self.value(id), value, effect, tree })
    }

    /// The nodes that are searched on together, in the order of the visit: both tiles on a cell that was not considered, else the
    /// node alone.
    fn cell_of(&self, id: NodeId) -> Vec<NodeId> {
        let is_cell = |id| matches!(self.at(id).stub(), Some(Stub::Unimportant { of: Ranked::Cells, .. }));
        let cell = |id| self.spawn(id).map(|spawn| spawn.cell);
        match self.parent(id) {
            Some(parent) if is_cell(id) => {
                self.children(parent).filter(|&child| is_cell(child) && cell(child) == cell(id)).collect()
            }
            _ => vec![id],
        }
    }

    /// The search from one node on, and its value.
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
        let plies = if is_leaf { more.min(Plies::DEEPEST) } else { place.plies };
        if is_leaf && (plies == 0 || place.is_turn && place.board.is_dead()) {
            return Err(NotSearched::NothingSkipped(id));
        }
        let is_unimportant = self.rule(id) == Rule::Unimportant;
        let counted = if self.is_cut(&place) && !is_unimportant { 1.0 } else { self.reach_from(id, &place) };
        let definition = &self.subject.definition;
        let search = Search::new(&definition.evaluator, &definition.lookahead, definition.rules, &OwnFiles);
        let search = search.ok_or(NotSearched::NothingSkipped(id))?;
        let mut recorder = TreeRecorder::from_node(&search, cap.max(1), counted);
        let from = Place { plies, reach: counted, ..place };
        let value = search.below(&from, options, &mut recorder).ok_or(NotSearched::Stopped)?;
        let start = if place.is_turn { Start::Turn } else { Start::Spawn };
        let Place { board, score, .. } = place;
        let subject = Subject { definition: definition.clone(), board, score, plies, reach: counted, start };
        let found = recorder.into_tree(subject, options.cores).1.ok_or(NotSearched::NothingSkipped(id))?;
        let beyond = matches!(self.at(id).stub(), Some(Stub::Unimportant { of: Ranked::Cells, .. }));
        Ok((found, Graft { node: id.0, plies, reach: counted, beyond }, value))
    }

    /// This record with another one, of what is below one of its nodes, in its place.
    fn with_graft(&self, found: &Self, graft: Graft) -> Result<Self, NotSearched> {
        if MOST_TOGETHER < self.nodes.len() + found.nodes.len() {
            return Err(NotSearched::TooLarge);
        }
        let (at, new) = (graft.node as usize, found.nodes.len() as u32 - 1);
        let below = found.searched - 1;
        let moved = |id: u32| if graft.node < id { id + new } else { id };
        let old = self.nodes[at];
        // Memory of as many nodes as there will be, once.
        let mut tree = Self { nodes: Room::of(self.nodes.len() + new as usize), ..self.without_nodes() };
        tree.nodes.extend(&self.nodes[..at]);
        tree.nodes.extend(found.nodes.iter().enumerate().map(|(place, node)| {
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

    /// How many cells below a spawn node count because they were searched later.
    pub(super) fn cells_beyond(&self, id: NodeId) -> u32 {
        if self.grafts.is_empty() {
            return 0;
        }
        let later = self.children(id).filter(|&child| self.grafts.at(child).is_some_and(|graft| graft.beyond));
        // Both tiles of a cell follow each other.
        let mut cells: Vec<Cell> = later.filter_map(|child| Some(self.spawn(child)?.cell)).collect();
        cells.dedup();
        cells.len() as u32
    }

    /// Counts the cells below a spawn node that the search considered, and those that were searched later.
    fn count_cells_at(&mut self, id: NodeId) {
        let place = self.place(id);
        let cells = self.considered_by_rule(&place) + self.cells_beyond(id);
        self.nodes[id.0 as usize].consider(cells.min(place.board.empty_count()));
    }

    /// The same wherever cells were searched later.
    pub(super) fn count_cells_beyond(&mut self) {
        let parents: BTreeSet<NodeId> = self.grafts.beyond().filter_map(|id| self.parent(id)).collect();
        parents.into_iter().for_each(|id| self.count_cells_at(id));
    }

    /// All but the nodes.
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

    /// The counts, with what was found `depth` plies below the root where one node was before.
    fn count_graft(&mut self, found: &Self, depth: usize, before: Rule) {
        let deepest = self.plies.len().max(depth + found.plies.len());
        self.plies.resize(deepest, PlyCounts::heard());
        let count = &mut self.plies[depth].by_rule[before as usize];
        *count = count.saturating_sub(1);
        self.plies[depth..].iter_mut().zip(&found.plies).for_each(|(ply, found)| ply.add(found));
        self.count_again();
    }

    /// The counts of all from those of the plies and the nodes.
    pub(super) fn count_again(&mut self) {
        let mut all = PlyCounts::heard();
        self.plies.iter().for_each(|ply| all.add(ply));
        (self.counts, self.searched) = (all.counts(), 1 + self.below(self.root()));
    }

    /// Gives all nodes above one the values that follow from what is below them.
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

    /// The value of a node with others below it, and of which kind it is.
    fn value_from_below(&self, id: NodeId) -> (f64, Bound) {
        let valued = || self.children(id).filter_map(|child| Some((child, self.value(child)?)));
        let is_choice = id == self.root() && matches!(self.subject.start, Start::Choice { .. });
        if is_choice {
            let better = if self.objective().higher { f64::max } else { f64::min };
            let exact = valued().filter(|&(child, _)| self.bound(child) == Bound::Exact);
            return (exact.map(|(_, value)| value).reduce(better).unwrap_or(f64::NAN), Bound::Exact);
        }
        let value = self.backed_up(id, valued()).unwrap_or(f64::NAN);
        // On which side a bound may be off, and on which what was not searched may lie.
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
        let floor = if beyond == Bound::Lower { self.least_of_slides() } else { f64::NEG_INFINITY };
        let is_reached = value == floor || valued().any(|(child, own)| own == value && reaches(child));
        match (is_closed, is_reached) {
            (true, true) => (value, Bound::Exact),
            (true, false) => (value, beyond.negated()),
            (false, true) => (value, beyond),
            // What is sure on one side alone.
            (false, false) => {
                let sure = valued().filter(|&(child, _)| reaches(child)).map(|(_, value)| value);
                let better = if beyond == Bound::Lower { f64::max } else { f64::min };
                (sure.reduce(better).unwrap_or(floor), beyond)
            }
        }
    }

    /// What changed at the root since another state of this record, by what is below one node.
    fn effect_since(&self, before: &Self, id: NodeId) -> Option<Effect> {
        let Start::Choice { objective, .. } = self.subject.start else { return None };
        let child = self.path(id).get(1).copied()?;
        // Nodes before the one that grew have the numbers that they had.
        let (mv, old, new) = (self.slide(child)?, before.value(child)?, self.value(child)?);
        let slides: Vec<_> = self.slides(self.root()).map(|(_, mv, value)| (mv, value)).collect();
        let &(best, most) = slides.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let enough = most - objective.tolerance - most.abs() * ROUNDING;
        let chosen = self.chosen.filter(|&chosen| slides.iter().any(|&(mv, value)| mv == chosen && enough <= value));
        let changes_choice = self.chosen.is_some() && chosen.is_none();
        let bound = self.bound(child);
        Some(Effect { mv, before: old, after: new, bound, best: chosen.unwrap_or(best), changes_choice })
    }
}

//! Searches skipped nodes: the same search, started at one node of a record.
//!
//! What "the same" means depends on why the node was skipped:
//!
//! - Left out by the cap: exactly the search that was done.
//! - Out of bounds: with open bounds, so that the value is exact.
//! - Too improbable: as if the node were reached for certain; below it the threshold applies from there.
//! - Unimportant: as if the cell or the spawn were considered, a cell with every tile that can come there.
//! - From the table: searched once more.

use super::super::engine::{Budget, Engine, Window};
use super::recorder::{TreeRecorder, reach_of};
use super::view::Place;
use super::{NodeId, Start, Subject, Tree, TreeKind};
use crate::evaluator::OwnFiles;
use crate::game::{Crossed, Grid, Move, Rank};
use crate::search::{
    Bound, ROUNDING, Ranked, Recorder, Rule, Search, SearchBoard, SearchOptions, Stub,
};

/// The later search of a skipped node. It is not part of the tree in which the node was skipped.
#[derive(Clone, PartialEq, Debug)]
pub struct Skipped {
    /// The skipped node of the tree.
    pub node: NodeId,
    /// The search from there; the node is its root.
    pub tree: Tree,
    /// The number of nodes below that are cuts of the strategy again. Without those cuts the value may differ.
    pub still_cut: u64,
    /// The value that the original search used. `None` if it had none.
    pub before: Option<f64>,
    pub value: f64,
    /// The change at the root. `None` if it depends on nodes that the cap left out.
    pub effect: Option<Effect>,
}

/// What a new value of one node changes at the root of a decision, with everything else as recorded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The root move above the node.
    pub mv: Move,
    pub before: f64,
    pub after: f64,
    /// Whether the two values are exact. The bound is that of the move in the record, because other cuts below it stay.
    pub bound: Bound,
    /// The root move that is best now, the chosen one in a tie.
    pub best: Move,
    /// Whether the chosen move would no longer be chosen.
    pub changes_choice: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSearched {
    #[error("nothing was skipped at this node")]
    NothingSkipped(NodeId),
    #[error("the root is not complete: record again with room for more nodes")]
    Root,
    #[error(
        "the record left out nodes that the values above depend on: record again with room for more"
    )]
    Incomplete,
    #[error(
        "the record would have more than {MOST_TOGETHER} nodes: record again with room for fewer"
    )]
    TooLarge,
    #[error("the search was stopped")]
    Stopped,
}

/// Nodes of the largest record into which a search is inserted: 2 GiB in memory, and inserting makes a second copy.
pub(super) const MOST_TOGETHER: usize = 1 << 26;

impl Tree {
    /// Whether [`Tree::search_skipped`] can search this node.
    pub fn is_skipped(&self, id: NodeId) -> bool {
        if self.search_kind() == TreeKind::Sampled || !self.knows_evaluator() {
            return false;
        }
        match self.at(id).rule() {
            Rule::TooImprobable | Rule::OutOfBounds | Rule::Unimportant | Rule::Stored => true,
            Rule::Evaluated | Rule::Dead | Rule::Sampled | Rule::NotExpanded => false,
            rule => rule.is_inner() && self.left_out_at(id) != 0,
        }
    }

    /// Searches a node that was cut, or below which nodes were left out, and records at most `cap` nodes of that
    /// search.
    pub fn search_skipped(
        &self,
        id: NodeId,
        cap: usize,
        options: SearchOptions<'_>,
    ) -> Result<Skipped, NotSearched> {
        if !self.is_skipped(id) {
            return Err(NotSearched::NothingSkipped(id));
        }

        let definition = &self.subject.definition;
        let search = Search::new(
            &definition.evaluator,
            &definition.lookahead,
            definition.rules,
            &OwnFiles,
        );
        let search = search.ok_or(NotSearched::NothingSkipped(id))?;
        let Some(parent) = self.parent(id) else {
            return Err(NotSearched::Root);
        };
        let (node, place) = (self.at(id), self.place(id));
        let place = Place {
            reach: self.reach_from(id, &place),
            ..place
        };
        let mut recorder = TreeRecorder::from_node(&search, cap.max(1), place.reach);
        let value = search
            .below(&place, options, &mut recorder)
            .ok_or(NotSearched::Stopped)?;
        let start = if place.is_turn {
            Start::Turn
        } else {
            Start::Spawn
        };
        let Place {
            board,
            score,
            plies,
            reach,
            ..
        } = place;
        let subject = Subject {
            definition: definition.clone(),
            board,
            score,
            plies,
            reach,
            start,
        };
        let (_, tree) = recorder.into_tree(subject, options.cores);
        let tree = tree.ok_or(NotSearched::NothingSkipped(id))?;
        let worth = match (node.stub(), self.spawn(id)) {
            (
                Some(Stub::Unimportant {
                    ranked: Ranked::Cells,
                    ..
                }),
                Some(spawn),
            ) => {
                // A cell is considered with each tile that can come there.
                let other = if spawn.rank == Rank::TWO {
                    Rank::FOUR
                } else {
                    Rank::TWO
                };
                if self.chance(other) == 0.0 {
                    value
                } else {
                    let above = self.place(parent).board;
                    let twin = Place {
                        board: above.with(spawn.cell, other),
                        ..place
                    };
                    let twin = search
                        .below(&twin, options, &mut ())
                        .ok_or(NotSearched::Stopped)?;
                    self.worth_of_cell([(spawn.rank, value), (other, twin)])
                }
            }
            _ => value,
        };

        let still_cut = tree.left_out_by_rules();
        Ok(Skipped {
            node: id,
            still_cut,
            before: node.value(),
            value,
            effect: self.effect(id, worth),
            tree,
        })
    }

    /// The number of nodes that were not searched because they are too improbable or unimportant. Alpha-beta cuts
    /// change no value and do not count.
    pub(super) fn left_out_by_rules(&self) -> u64 {
        self.plies
            .iter()
            .map(|ply| ply.by(Rule::TooImprobable) + ply.by(Rule::Unimportant))
            .sum()
    }

    /// The reach probability of a node as a search that starts there counts it: as in the original search, or 1 if the
    /// node was cut for being too improbable.
    pub(super) fn reach_from(&self, id: NodeId, place: &Place) -> f64 {
        let node = self.at(id);
        match (node.rule(), self.parent(id)) {
            (Rule::TooImprobable, _) => 1.0,
            (Rule::Unimportant, Some(parent)) => {
                let above = self.place(parent);
                let considered = self.considered_by_rule(&above);
                reach_of(above.counted, node.edge(), considered, self.probability())
            }
            _ => place.counted,
        }
    }

    /// The value of a cell at a spawn node, from the values of both tiles on it.
    fn worth_of_cell(&self, tiles: [(Rank, f64); 2]) -> f64 {
        if self.subject.definition.lookahead.is_minimax() {
            tiles
                .map(|(_, value)| value)
                .into_iter()
                .fold(f64::INFINITY, f64::min)
        } else {
            tiles
                .into_iter()
                .map(|(rank, value)| self.chance(rank) * value)
                .sum()
        }
    }

    /// What a new value of a node changes at the root.
    fn effect(&self, id: NodeId, value: f64) -> Option<Effect> {
        let Start::Choice { objective, .. } = self.subject.start else {
            return None;
        };
        let (mut id, mut value) = (id, value);
        while let Some(parent) = self.parent(id).filter(|&parent| parent != self.root()) {
            value = self.with_child(parent, id, value)?;
            id = parent;
        }
        let (mv, before) = (self.slide(id)?, self.value(id)?);
        let new = objective.sign() * value;
        let slides = self.slides(self.root());
        let moves: Vec<_> = slides
            .map(|(child, mv, old)| (mv, if child == id { new } else { old }))
            .collect();
        let &(best, most) = moves.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let enough = most - objective.tolerance - most.abs() * ROUNDING;
        let chosen = self.chosen.filter(|&chosen| {
            moves
                .iter()
                .any(|&(mv, value)| mv == chosen && enough <= value)
        });
        let changes_choice = self.chosen.is_some() && chosen.is_none();
        Some(Effect {
            mv,
            before,
            after: value,
            bound: self.bound(id),
            best: chosen.unwrap_or(best),
            changes_choice,
        })
    }

    /// The value of a node after one child gets another value. `None` if nodes that it depends on were left out.
    fn with_child(&self, id: NodeId, changed: NodeId, value: f64) -> Option<f64> {
        let node = self.at(id);
        let before = node.value()?;
        let new = self.at(changed);
        let is_extra = new.rule() == Rule::Unimportant;
        let considered = f64::from(node.considered());
        let probability = || {
            self.spawn(changed)
                .map_or(1.0, |spawn| self.chance(spawn.rank))
        };
        let value_of = |child: NodeId| {
            if child == changed {
                Some(value)
            } else {
                self.value(child)
            }
        };
        let is_complete = self.left_out_at(id) == 0;

        match node.rule() {
            Rule::MeanOf if is_extra => Some((before * considered + value) / (considered + 1.0)),
            Rule::MeanOf => Some(before + probability() * (value - new.value()?) / considered),
            Rule::SumOf if is_extra => Some(before + value),
            Rule::SumOf => Some(before + probability() * (value - new.value()?)),
            Rule::LeastMeanOf | Rule::MinOf if is_extra => Some(before.min(value)),
            // The record is incomplete, but an unsearched child can only lower the value of a min node, and only raise
            // that of a max node.
            Rule::MinOf if new.value().is_none() => Some(before.min(value)),
            Rule::MaxOf if new.value().is_none() => Some(before.max(value)),
            Rule::MaxOf | Rule::MinOf | Rule::LeastMeanOf | Rule::MeanLeastOf
                if is_complete && !is_extra =>
            {
                self.backed_up(
                    id,
                    self.children(id)
                        .filter_map(|child| Some((child, value_of(child)?))),
                )
            }
            _ => None,
        }
    }
}

impl Search {
    /// The value of one node from a search that starts there. `None` if it was stopped. The node is the root of the
    /// recorder.
    pub(super) fn below<R: Recorder>(
        &self,
        from: &Place,
        options: SearchOptions<'_>,
        recorder: &mut R,
    ) -> Option<f64> {
        match from.board.as_packed() {
            Some(packed) => self.below_on::<Crossed, R>(packed.crossed(), from, options, recorder),
            None => self.below_on::<Grid, R>(from.board.to_grid(), from, options, recorder),
        }
    }

    fn below_on<P: SearchBoard, R: Recorder>(
        &self,
        board: P,
        from: &Place,
        options: SearchOptions<'_>,
        recorder: &mut R,
    ) -> Option<f64> {
        let table = self.table();
        let (plies, empty) = (from.plies, board.empty_count());
        let mut engine = Engine::new(
            self,
            Some(table.view(0)),
            options.stop,
            plies,
            empty,
            Budget::NONE,
            recorder,
        );
        let value = match from.is_turn {
            true if from.plies == 0 => engine.leaf(board, from.score, Rule::Evaluated),
            true => engine.max_node(board, from.score, from.plies, from.reach, Window::OPEN),
            false => engine.spawn_node(board, from.score, from.plies, from.reach, Window::OPEN),
        };
        (!engine.halted && !options.stop.is_cancelled()).then_some(value)
    }
}

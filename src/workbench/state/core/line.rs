//! The line on the board: the positions from the start of the game through the cursor to its end, and what is known of
//! their moves.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{Core, Decided, NodeId};
use crate::game::{Move, Moves};
use crate::search::Link;
use crate::strategy::{Decision, StrategyHash};

/// What a strategy spent on a move that it searched and played here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// In its deepest row.
    pub plies: u32,
    /// In all its rows.
    pub elapsed: Duration,
}

/// One position of the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Instantaneous {
    pub node: NodeId,
    pub empty: u32,
    /// Whether the move played from here differs from the strategy's choice; `None` at the end of the line and while
    /// unknown.
    pub off: Option<bool>,
}

#[derive(Default)]
pub(super) struct GameLine {
    nodes: Vec<NodeId>,
    off: HashMap<(NodeId, StrategyHash), Moves>,
    /// The strategy whose choices are known along the whole line.
    filled: Option<StrategyHash>,
    /// By the position before the move, with the move.
    spent: HashMap<NodeId, (Move, Spent)>,
    /// The number of moves for which that was measured.
    measured: u64,
}

impl GameLine {
    /// Forgets everything but what moves have cost.
    pub(super) fn forget(&mut self) {
        self.off.clear();
        self.filled = None;
    }

    pub(super) fn turn_to(&mut self, nodes: Vec<NodeId>) {
        (self.nodes, self.filled) = (nodes, None);
    }

    pub(super) fn note_choice(&mut self, node: NodeId, strategy: StrategyHash, choice: Moves) {
        self.off.insert((node, strategy), choice);
    }
}

impl Core {
    pub fn line(&self) -> &[NodeId] {
        &self.line.nodes
    }

    /// The index of the cursor in `line`.
    pub fn place(&self) -> usize {
        (self.node().moves as usize).min(self.line.nodes.len().saturating_sub(1))
    }

    /// The number of the decision on the board, from 1, whether or not it was made.
    pub fn move_number(&self) -> u64 {
        self.place() as u64 + 1
    }

    pub fn timeline(&self) -> impl Iterator<Item = Instantaneous> + '_ {
        let hash = self.strategy().hash();
        (0..self.line.nodes.len()).map(move |index| {
            let node = self.line.nodes[index];
            let next = self
                .line
                .nodes
                .get(index + 1)
                .and_then(|&next| self.tree.node(next).step);
            let off =
                next.and_then(|step| Some(!self.line.off.get(&(node, hash))?.contains(step.mv)));
            Instantaneous {
                node,
                empty: self.tree.node(node).board.empty_count(),
                off,
            }
        })
    }

    /// Whether the current strategy would not make the move at a place of the line; `None` if unknown.
    pub fn is_off(&self, index: usize) -> Option<bool> {
        let (node, next) = (self.line.nodes.get(index)?, self.line.nodes.get(index + 1)?);
        let step = self.tree.node(*next).step?;
        Some(
            !self
                .line
                .off
                .get(&(*node, self.strategy().hash()))?
                .contains(step.mv),
        )
    }

    /// Whether this is the current line. The last position of a line determines it.
    pub(in super::super) fn is_line(&self, line: &[NodeId]) -> bool {
        line.len() == self.line.nodes.len() && line.last() == self.line.nodes.last()
    }

    /// The number of moves for which that is known, over all strategies.
    pub fn known_off(&self) -> usize {
        self.line.off.len()
    }

    /// Takes the line through the cursor.
    pub(in super::super) fn follow_line(&mut self) {
        self.line
            .turn_to(self.tree.line_through(self.content.cursor));
    }

    /// Notes what a move from a position has cost.
    pub(in super::super) fn note_spent(&mut self, from: NodeId, mv: Move, spent: Spent) {
        self.line.spent.insert(from, (mv, spent));
        self.line.measured += 1;
    }

    /// The cost of move number `index` of the line, from 0; `None` if a search did not play it here.
    pub fn spent_at(&self, index: usize) -> Option<Spent> {
        let (from, next) = (self.line.nodes.get(index)?, self.line.nodes.get(index + 1)?);
        let (mv, spent) = self.line.spent.get(from)?;
        (self.tree.node(*next).step?.mv == *mv).then_some(*spent)
    }

    /// The number of measured moves.
    pub fn measured(&self) -> u64 {
        self.line.measured
    }

    /// The slides and spawns played after the position of a decision, along the current line.
    pub fn played_after(&self, decided: &Decided) -> Vec<Link> {
        let place = decided
            .node
            .and_then(|node| self.line.nodes.iter().position(|&id| id == node));
        let steps = place
            .into_iter()
            .flat_map(|place| &self.line.nodes[place + 1..])
            .filter_map(|&id| self.tree.node(id).step);
        steps
            .flat_map(|step| [Link::Slide(step.mv), Link::Spawn(step.spawn)])
            .collect()
    }

    /// Determines for a few milliseconds which moves of the line the strategy would not make.
    pub(in super::super) fn fill_timeline(&mut self) -> Option<Duration> {
        /// Long games take several frames.
        const AT_ONCE: Duration = Duration::from_millis(3);
        let strategy = self.strategy();
        // Searches are too slow to run for every position; only decisions that were shown are known.
        let rules = self.game().rules;
        let cannot = strategy.check_to_play(rules).is_err()
            || self.player_problem(strategy.hash(), rules).is_some();
        if cannot || strategy.takes_time() {
            return None;
        }

        let hash = strategy.hash();
        if self.line.filled == Some(hash) {
            return None;
        }
        let unknown: Vec<NodeId> = self
            .line
            .nodes
            .iter()
            .copied()
            .filter(|&node| !self.line.off.contains_key(&(node, hash)))
            .collect();
        if unknown.is_empty() {
            self.line.filled = Some(hash);
            return None;
        }
        let player = self.player(&strategy, self.game().rules);
        if player.problem().is_some() {
            return None;
        }

        let start = Instant::now();
        for node in unknown {
            if AT_ONCE < start.elapsed() {
                return Some(Duration::ZERO);
            }
            let position = self.tree.node(node);
            let choice = Decision::now(&player, &position.board, position.score, |_| 0).choice;
            self.line.off.insert((node, hash), choice);
        }

        None
    }
}

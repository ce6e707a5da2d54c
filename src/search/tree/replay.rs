//! A record as a replay: the search in single steps.
//!
//! A search enters each node and leaves it with a value, with the nodes below in between. Nodes are in visit order, so
//! the instants need not be stored. With `depth` the number of edges up to the root, counted from 0:
//!
//! ```text
//! entering a node   2 · id − depth                        ids before it have been entered; all of them but its ancestors left
//! leaving it        2 · (id + kept_below) − depth + 1
//! ```
//!
//! [`Replay::at`] counts how many of them have happened, from 0 to twice the number of nodes.
//!
//! # Which α and β are shown?
//!
//! Those of alpha-beta, as the engine passes them down. A max node raises α after each slide, a min node lowers β after
//! each spawn, and each passes its window to the next node below. At the root the window is just below the best exact
//! value so far, by the criterion's tolerance. In other cases no window is shown:
//!
//! - Other searches have no window.
//! - If the slides of a board are looked up together, as in the last ply, the window stays that of the node above.
//! - After a spawn that the cap left out, β is unknown, and so is every window below, down to a cut, which states its
//!   own.
//!
//! # What if several cores searched?
//!
//! Then the moves at the root, the slides after the tiles that follow, and some nodes below these were searched in
//! parallel. The replay plays them one after another, in the order in which one core searches them. Alpha-beta always
//! runs on one core, so its order is the real one.

use std::sync::Arc;

use super::super::engine::Window;
use super::{NodeId, Start, Tree};
use crate::game::Move;
use crate::search::{Bound, Rule, Stub};
use crate::stats::total_probability;

/// A record and the instant that the replay has reached.
#[derive(Clone, Debug)]
pub struct Replay {
    tree: Arc<Tree>,
    at: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplayEvent {
    Begin,
    Enter(NodeId),
    /// A node below the root is left with its value.
    Leave(NodeId),
    /// The root is left, and the search is over.
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    pub event: ReplayEvent,
    /// The open nodes, from the root down. A node that has just been left is not among them; its parent is the last.
    pub open: Vec<Frame>,
    /// The best move at the root so far, among those with an exact value; ties go to the first searched. `None` before
    /// the first one, and in trees whose root is no choice.
    pub best: Option<Move>,
    /// Nodes entered so far, including stubs and the nodes left out before the last one.
    pub seen: u64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    pub id: NodeId,
    /// The value so far: the largest; the mean of the spawns, weighted by their probabilities; the sum; the least; or
    /// the least mean of the complete cells. `None` before there is any.
    pub running: Option<f64>,
    /// At a spawn node, the share of the probability seen so far, from 0 to 1; 0 elsewhere.
    pub weight: f64,
    /// The value that the player is sure of. `None` where there is no window (see the module), −∞ where it is open.
    pub alpha: Option<f64>,
    /// The value that the spawns allow at most.
    pub beta: Option<f64>,
    /// The number of children that have been left.
    pub children_done: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    Ahead,
    /// Entered but not left.
    Open,
    Done,
}

impl Replay {
    pub fn new(tree: Arc<Tree>) -> Self {
        Self { tree, at: 0 }
    }

    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The number of instants after the beginning. At the last one the search is over. Never 0.
    #[expect(clippy::len_without_is_empty, reason = "every search enters its root")]
    pub fn len(&self) -> u64 {
        2 * self.tree.kept() as u64
    }

    /// The number of instants that have passed, from 0 to [`Replay::len`].
    pub fn at(&self) -> u64 {
        self.at
    }

    /// Moves to an instant, at most the last. Like every function that moves the replay, it returns whether it moved.
    pub fn seek(&mut self, at: u64) -> bool {
        let at = at.min(self.len());
        std::mem::replace(&mut self.at, at) != at
    }

    pub fn seek_node(&mut self, id: NodeId) -> bool {
        let last = self.tree.kept() as u32 - 1;
        self.seek(self.entered(NodeId(id.0.min(last))))
    }

    pub fn step(&mut self) -> bool {
        self.seek(self.at + 1)
    }

    pub fn back(&mut self) -> bool {
        self.seek(self.at.saturating_sub(1))
    }

    /// Moves to where the node that has just been entered is left. After other events, moves one step.
    pub fn step_over(&mut self) -> bool {
        match self.event() {
            ReplayEvent::Enter(id) => self.seek(self.left(id)),
            _ => self.step(),
        }
    }

    /// Moves to where the parent of the node that has just been entered or left is left.
    pub fn step_out(&mut self) -> bool {
        match self.event() {
            ReplayEvent::Enter(id) | ReplayEvent::Leave(id) => {
                self.seek(self.left(self.tree.parent(id).unwrap_or(self.tree.root())))
            }
            ReplayEvent::Begin | ReplayEvent::End => self.seek(self.len()),
        }
    }

    /// Moves to where the next cut is entered. Several cuts of one rule in a row count as one.
    pub fn to_next_cut(&mut self) -> bool {
        let last = self.tree.kept() as u32;
        let next = (self.begun()..last).map(NodeId).find(|&id| self.is_cut(id));
        next.is_some_and(|id| self.seek(self.entered(id)))
    }

    pub fn to_previous_cut(&mut self) -> bool {
        let before = match self.event() {
            ReplayEvent::Enter(id) => id.0,
            _ => self.begun(),
        };
        let previous = (0..before).rev().map(NodeId).find(|&id| self.is_cut(id));
        previous.is_some_and(|id| self.seek(self.entered(id)))
    }

    /// Moves to the next instant at which another move at the root becomes the best so far, including the first one.
    pub fn to_next_change(&mut self) -> bool {
        let next = self
            .tree
            .leaders()
            .map(|child| self.left(child))
            .find(|&left| self.at < left);
        next.is_some_and(|left| self.seek(left))
    }

    pub fn state_of(&self, id: NodeId) -> Seen {
        // Nodes not yet entered are known without computing their depth.
        if self.begun() <= id.0 {
            Seen::Ahead
        } else if self.left(id) <= self.at {
            Seen::Done
        } else {
            Seen::Open
        }
    }

    pub fn entered(&self, id: NodeId) -> u64 {
        2 * u64::from(id.0) + 1 - u64::from(self.tree.depth(id))
    }

    pub fn left(&self, id: NodeId) -> u64 {
        2 * (u64::from(id.0) + u64::from(self.tree.kept_below(id))) + 2
            - u64::from(self.tree.depth(id))
    }

    pub fn event(&self) -> ReplayEvent {
        self.path().0
    }

    pub fn now(&self) -> Moment {
        let tree = &*self.tree;
        let (event, open) = self.path();
        let mut frames = Vec::with_capacity(open.len());
        let mut window = tree
            .subject
            .definition
            .lookahead
            .has_window()
            .then_some(Window::OPEN);
        for (depth, &id) in open.iter().enumerate() {
            let behind = match (open.get(depth + 1), event) {
                (Some(next), _) => next.0,
                // All nodes below the last open node up to here have been left.
                (None, ReplayEvent::Leave(left)) => left.0 + 1 + tree.kept_below(left),
                (None, _) => id.0 + 1,
            };
            frames.push(tree.frame(id, behind, &mut window));
        }

        let best = tree
            .leaders()
            .take_while(|&child| self.left(child) <= self.at)
            .last();
        let seen = match event {
            ReplayEvent::Begin => 0,
            ReplayEvent::Enter(id) => tree.order(id) + 1,
            ReplayEvent::Leave(id) => tree.order(id) + 1 + tree.below(id),
            ReplayEvent::End => tree.below(tree.root()) + 1,
        };
        Moment {
            event,
            open: frames,
            best: best.and_then(|child| tree.slide(child)),
            seen,
        }
    }

    /// The last event, and the open nodes from the root down.
    fn path(&self) -> (ReplayEvent, Vec<NodeId>) {
        let tree = &*self.tree;
        if self.at == 0 {
            return (ReplayEvent::Begin, Vec::new());
        }
        if self.len() <= self.at {
            return (ReplayEvent::End, Vec::new());
        }

        let mut open = Vec::new();
        let mut id = tree.root();

        // The instants of the children follow from their ids, one level at a time.
        loop {
            let depth = open.len() as u64;
            let entered = 2 * u64::from(id.0) + 1 - depth;
            open.push(id);
            if self.at == entered {
                return (ReplayEvent::Enter(id), open);
            }
            let left = |child: NodeId| {
                2 * (u64::from(child.0) + u64::from(tree.kept_below(child))) + 1 - depth
            };
            let Some(child) = tree.children(id).find(|&child| self.at <= left(child)) else {
                return (ReplayEvent::End, Vec::new());
            };
            if self.at == left(child) {
                return (ReplayEvent::Leave(child), open);
            }
            id = child;
        }
    }

    /// The nodes below this number have been entered.
    fn begun(&self) -> u32 {
        match self.event() {
            ReplayEvent::Begin => 0,
            ReplayEvent::Enter(id) => id.0 + 1,
            ReplayEvent::Leave(id) => id.0 + 1 + self.tree.kept_below(id),
            ReplayEvent::End => self.tree.kept() as u32,
        }
    }

    /// Whether a node is a cut, except one that follows a cut by the same rule.
    fn is_cut(&self, id: NodeId) -> bool {
        let tree = &*self.tree;
        let rule = tree.at(id).rule();
        match rule {
            Rule::TooImprobable => true,
            Rule::OutOfBounds | Rule::Unimportant => {
                let before = NodeId(id.0.saturating_sub(1));
                let same_rule = tree.at(before).rule() == rule;
                before == id || tree.parent(before) != tree.parent(id) || !same_rule
            }
            _ => false,
        }
    }
}

impl Tree {
    /// An open node, and the window that it passes down. Its children with ids below `behind` have been left.
    fn frame(&self, id: NodeId, behind: u32, window: &mut Option<Window>) -> Frame {
        let node = self.at(id);
        let is_root_choice =
            id == self.root() && matches!(self.subject.start, Start::Choice { .. });
        let done = || self.children(id).take_while(|child| child.0 < behind);
        let running = if is_root_choice {
            self.leaders()
                .take_while(|child| child.0 < behind)
                .last()
                .and_then(|child| self.value(child))
        } else {
            self.backed_up(
                id,
                done().filter_map(|child| Some((child, self.value(child)?))),
            )
        };
        let weight = match node.considered() {
            0 => 0.0,
            considered => total_probability(done().map(|child| self.share(child, considered))),
        };
        *window = window.and_then(|inner| match is_root_choice {
            true => Some(self.root_window(running)),
            false => self.window_at(id, behind, inner),
        });

        let (alpha, beta) = window.map(|window| (window.alpha, window.beta)).unzip();
        Frame {
            id,
            running,
            weight,
            alpha,
            beta,
            children_done: done().count() as u32,
        }
    }

    /// The window at an open node after the children before `behind` have been left. `None` if it is unknown.
    fn window_at(&self, id: NodeId, behind: u32, came_with: Window) -> Option<Window> {
        let node = self.at(id);
        let is_turn = node.rule() == Rule::MaxOf;
        if is_turn && (self.plies_left(id) < 2 || self.is_looked_up(id, came_with)) {
            return Some(came_with);
        }

        let mut window = came_with;
        let mut best = if is_turn {
            self.least_of_slides()
        } else {
            f64::INFINITY
        };
        let mut next = self.order(id) + 1;
        for child in self.children(id).take_while(|child| child.0 <= behind) {
            // A cut states its window.
            if let Some(Stub::OutOfBounds { alpha, beta }) = self.at(child).stub() {
                return Some(Window { alpha, beta });
            }
            // A node that the cap left out may have moved the window.
            if self.order(child) != next {
                return None;
            }
            next = self.order(child) + 1 + self.below(child);
            let Some(value) = self.value(child).filter(|_| child.0 < behind) else {
                continue;
            };
            if is_turn {
                best = best.max(value);
                window.alpha = window.alpha.max(best);
            } else {
                best = best.min(value);
                window.beta = window.beta.min(best);
            }
        }

        Some(window)
    }

    /// The moves at the root that became the best so far when they were left, among those with an exact value.
    fn leaders(&self) -> impl Iterator<Item = NodeId> {
        let sign = self.objective().sign();
        let mut best: Option<f64> = None;
        let moves =
            matches!(self.subject.start, Start::Choice { .. }).then(|| self.children(self.root()));
        moves.into_iter().flatten().filter(move |&child| {
            let Some(value) = self
                .value(child)
                .filter(|_| self.bound(child) == Bound::Exact)
            else {
                return false;
            };
            let leads = best.is_none_or(|best| best < sign * value);
            if leads {
                best = Some(sign * value);
            }
            leads
        })
    }

    /// The window with which the next move at the root is searched, given the best value so far.
    fn root_window(&self, best: Option<f64>) -> Window {
        match (self.subject.start, best) {
            // Leaves are evaluated whatever the window.
            (Start::Choice { objective, .. }, Some(best)) if 1 < self.subject.plies => {
                objective.window(best)
            }
            _ => Window::OPEN,
        }
    }

    /// Whether the slides of a max node were looked up together although plies are left: all are too improbable and are
    /// evaluated, even after the window closes.
    fn is_looked_up(&self, id: NodeId, window: Window) -> bool {
        let mut best = self.least_of_slides();
        let mut is_closed = false;
        for child in self.children(id) {
            let node = self.at(child);
            let Some(value) = node.value().filter(|_| node.rule() == Rule::TooImprobable) else {
                return false;
            };
            if is_closed {
                return true;
            }
            best = best.max(value);
            is_closed = window.beta <= best;
        }
        false
    }
}

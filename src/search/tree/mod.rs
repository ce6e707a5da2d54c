//! The record of a search: the tree that was really searched, node by node.
//!
//! A [`TreeRecorder`] watches a search and becomes a [`Tree`], plain data. A node takes 32 bytes. Everything that can
//! be derived (board, score, probabilities, plies left) is derived on the way down from the root, by [`Tree::node`] for
//! one node and by [`Tree::nodes`] for all. Boards, slides and cells are the real ones, even where the search used an
//! image of the board.
//!
//! What a record contains beyond the search itself:
//!
//! - *Stubs*, nodes that were not searched, with the reason in numbers ([`Origin`]): out of bounds, unimportant.
//! - Counts of the nodes that its cap left out. The record keeps the most probable nodes ([`Tree::least_reach`]) and
//!   counts the rest in the nearest recorded node above ([`NodeView::left_out`]).
//! - For a value from the transposition table, the node whose value it is.
//! - Later searches from nodes at which this one ended (`graft`).
//!
//! It is written as JSON with a head (`head`, `export`) and read back from that (`read`).

mod backup;
mod check;
mod efg;
mod export;
mod fields;
mod floor;
mod graft;
mod grafts;
mod head;
mod kept_nodes;
mod line;
mod line_problem;
mod matching;
mod node;
mod query;
mod read;
mod recorder;
mod replay;
mod room;
mod sampled;
mod skipped;
mod spawns;
mod stored;
mod view;
mod why;

use std::sync::Arc;

use serde::{Serialize, Serializer};
use strum::{EnumCount as _, IntoEnumIterator as _, VariantArray};

pub use check::{Fault, Flaw, Report};
pub use efg::NotAGame;
pub use export::{SpawnJson, TreeFormat, UnknownEnding};
pub use fields::Field;
pub use graft::Grafted;
pub use grafts::Graft;
pub use line::{Roles, SpawnRule};
pub use line_problem::LineProblem;
pub use matching::Matched;
pub use query::{Completion, Query, QueryError};
pub use read::TreeReadError;
pub use recorder::TreeRecorder;
pub use replay::{Frame, Moment, Replay, ReplayEvent, Seen};
pub use sampled::Ucb;
pub use skipped::{Effect, NotSearched, Skipped};
pub use spawns::{Outcome, SpawnMap};
pub use view::{Link, NodeView, Origin};
pub use why::{Bar, BarKind, Comparison, Leaves, NoTerms, Pairing, TermRow, Terms, Why};

use crate::game::{Board, ByMove, Move, Moves, Rank};
use crate::search::{
    Bound, Definition, Edge, End, Lookahead, NodeKind, Objective, Playouts, PlyCounts,
    Recorder as _, Rule, Sample, SearchResult,
};
use crate::words;
use grafts::Grafts;
use node::{NONE, Node};
use recorder::Keys;
use room::Room;

/// A searched tree. Its root is the board to move, or a skipped node of another tree.
#[derive(Clone, PartialEq, Debug)]
pub struct Tree {
    /// In visit order: the nodes below a node follow it.
    nodes: Room,
    /// The samples through each node, in a record of samples; otherwise empty.
    samples: Vec<Sample>,
    subject: Subject,
    /// Nodes of the whole search, including those left out. Exact whatever the cap.
    pub counts: NodeCounts,
    /// Counts for each ply, from the root. Exact whatever the cap.
    plies: Vec<PlyCounts>,
    /// Nodes of the search with its stubs, including those left out.
    searched: u64,
    /// Nodes below this reach probability are left out. If not all nodes with exactly this probability fit, those
    /// searched last are left out too. 0 if no node is left out.
    pub least_reach: f64,
    /// Nodes that the search visited at depths other than this one.
    pub elsewhere: u64,
    /// How many of these belong to a deeper search that its limit ended. The others belong to shallower searches.
    pub unfinished: u64,
    /// The move that was made in the end, if the root is a choice.
    pub chosen: Option<Move>,
    /// The results of the samples for the moves at the root, in a record of samples.
    pub playouts: Option<Arc<Playouts>>,
    /// The real board, if the search halved its large tiles. Then [`Subject::board`] and all boards below are halved.
    pub halved_from: Option<Board>,
    /// The writer of the file that the record comes from, unless it was this program in this version.
    written_by: Option<Arc<WrittenBy>>,
    /// The starts of later searches.
    grafts: Grafts,
}

/// The program that wrote a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenBy {
    /// Name and version.
    pub program: String,
    /// Whether the evaluator is one of this program.
    pub knows_evaluator: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Subject {
    pub definition: Definition,
    pub board: Board,
    pub score: u64,
    pub plies: u32,
    /// Reach probability of the root: 1, except in the search of a skipped node.
    pub reach: f64,
    pub start: Start,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Start {
    /// A decision between some of the legal moves.
    Choice { objective: Objective, moves: Moves },
    /// A board to move inside a search.
    Turn,
    /// A board before a spawn.
    Spawn,
}

/// The kind of search that was recorded. It decides which values the nodes have beyond their value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub enum TreeKind {
    /// All slides and spawns up to a depth, or the slides of one ply. Only this kind can be replayed.
    DepthLimited,
    /// Samples. The nodes have visits, and standard errors unless the samples grew a tree. Their values are estimates.
    Sampled,
}

/// A node of a tree. Numbers follow the visit order; the root is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
pub struct NodeId(pub u32);

/// The number of nodes of each kind. Every count of nodes is either of all nodes or of those that were searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NodeCounts {
    by_kind: [u64; NodeKind::COUNT],
    stubs: u64,
}

impl NodeCounts {
    /// From the number of nodes with each rule.
    pub(super) fn of_rules(by_rule: &[u64; Rule::VARIANTS.len()]) -> Self {
        let mut counts = Self::default();
        for (rule, count) in Rule::iter().zip(by_rule) {
            *counts.of_mut(rule.kind()) += count;
            counts.stubs += if rule.is_stub() { *count } else { 0 };
        }
        counts
    }

    pub const fn of(&self, kind: NodeKind) -> u64 {
        self.by_kind[kind as usize]
    }

    const fn of_mut(&mut self, kind: NodeKind) -> &mut u64 {
        &mut self.by_kind[kind as usize]
    }

    /// All nodes of the tree, stubs included.
    pub fn total(&self) -> u64 {
        self.by_kind.iter().sum()
    }

    /// Cuts at which nothing was searched or evaluated; they are among [`NodeKind::Cut`].
    pub const fn stubs(&self) -> u64 {
        self.stubs
    }
}

impl Serialize for NodeCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(NodeKind::iter().map(|kind| (kind.name(), self.of(kind))))
    }
}

impl Tree {
    /// The record of a criterion that looked one ply ahead: the root and the slides of `moves` with their values.
    /// `None` if there are no slides. Evaluates nothing again.
    pub fn of_one_ply(
        definition: Definition,
        (board, score): (Board, u64),
        objective: Objective,
        values: &ByMove<f64>,
        moves: Moves,
    ) -> Option<Self> {
        if moves.is_empty() {
            return None;
        }
        let p4 = definition.rules.p4;
        let mut recorder =
            TreeRecorder::with_cap(1 + Move::ALL.len(), [1.0 - p4, p4], Keys::default(), 1.0);
        for mv in moves {
            recorder.leaf(Edge::Slide(mv), End::exact(values[mv], Rule::Evaluated));
        }
        let nodes = 1 + moves.len() as u64;
        let found = SearchResult {
            values: *values,
            plies: 1,
            nodes,
            turns: 1,
            ..SearchResult::default()
        };
        let start = Start::Choice { objective, moves };
        recorder
            .finish(
                Subject {
                    definition,
                    board,
                    score,
                    plies: 1,
                    reach: 1.0,
                    start,
                },
                &found,
            )
            .1
    }

    pub fn search_kind(&self) -> TreeKind {
        match self.subject.definition.lookahead {
            Lookahead::OnePly | Lookahead::DepthLimited(_) => TreeKind::DepthLimited,
            Lookahead::Sampled(_) => TreeKind::Sampled,
        }
    }

    /// The samples through a node. `None` if there are none, and in records without samples.
    pub fn sample(&self, id: NodeId) -> Option<&Sample> {
        self.samples
            .get(id.0 as usize)
            .filter(|sample| sample.all.count() != 0)
    }

    /// The standard error of the mean of a node. `None` below two samples, and where the samples grew a tree.
    pub fn standard_error(&self, id: NodeId) -> Option<f64> {
        let has_errors = self
            .playouts
            .as_ref()
            .is_some_and(|playouts| !playouts.is_tree);
        self.sample(id).filter(|_| has_errors)?.all.standard_error()
    }

    /// The share of the samples through the parent that went through this node.
    pub fn share_of_samples(&self, id: NodeId) -> Option<f64> {
        let [own, above] = [id, self.parent(id)?]
            .map(|id| self.sample(id).map(|sample| sample.all.count() as f64));
        Some(own? / above?)
    }

    /// Counts for each ply, from the root (ply 0) to the deepest ply that the search reached.
    pub fn plies(&self) -> &[PlyCounts] {
        &self.plies
    }

    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The board of the decision. It differs from the searched board if large tiles were halved.
    pub fn decided_on(&self) -> Board {
        self.halved_from.unwrap_or(self.subject.board)
    }

    /// The writer of the file that the record comes from. `None` if it was this program in this version.
    pub fn written_by(&self) -> Option<&WrittenBy> {
        self.written_by.as_deref()
    }

    /// Whether the evaluator is one of this program, so that boards can be evaluated again.
    pub fn knows_evaluator(&self) -> bool {
        self.written_by.as_ref().is_none_or(|by| by.knows_evaluator)
    }

    /// The name of the search: `Expectimax of Snake`, `Expectimax of the evaluator of Other 1.0`.
    pub fn label(&self) -> String {
        let Definition {
            evaluator,
            lookahead,
            ..
        } = &self.subject.definition;
        match self.written_by().filter(|by| !by.knows_evaluator) {
            Some(by) => format!(
                "{} of the evaluator of {}",
                lookahead.name(),
                words::one_line(&by.program)
            ),
            None => lookahead.label(evaluator),
        }
    }

    /// Whether some counts come only from the file of another program and cannot be checked against the nodes.
    pub fn counts_are_told(&self) -> bool {
        let beyond = self.left_out() != 0
            || self.elsewhere != 0
            || self.plies.iter().any(|ply| ply.table.is_some());
        self.written_by.is_some() && beyond
    }

    /// The number of recorded nodes.
    pub fn kept(&self) -> usize {
        self.nodes.len()
    }

    /// The number of nodes that the cap left out.
    pub fn left_out(&self) -> u64 {
        self.searched - self.nodes.len() as u64
    }

    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.at(id).parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// The recorded children, in visit order.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + use<'_> {
        let end = self.end(id);
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            let child = NodeId(next);
            (next < end).then(|| {
                next = self.end(child);
                child
            })
        })
    }

    /// The nodes from the root to a node, including both.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// The number of edges between the root and a node.
    pub fn depth(&self, id: NodeId) -> u32 {
        std::iter::successors(self.parent(id), |&id| self.parent(id)).count() as u32
    }

    /// The number of recorded nodes below a node. They follow it: `id + 1 ..= id + kept_below`.
    pub fn kept_below(&self, id: NodeId) -> u32 {
        self.at(id).kept_below
    }

    /// The number of nodes below in the whole search, including stubs and those left out.
    pub fn below(&self, id: NodeId) -> u64 {
        self.at(id).below()
    }

    /// The number of nodes below this one that are not recorded and have no recorded node between it and them.
    pub fn left_out_at(&self, id: NodeId) -> u64 {
        let recorded: u64 = self
            .children(id)
            .map(|child| 1 + self.at(child).below())
            .sum();
        self.at(id).below().saturating_sub(recorded)
    }

    pub fn kind(&self, id: NodeId) -> NodeKind {
        // The root is a turn of the player, even if low values are good.
        if id.0 == 0 && matches!(self.subject.start, Start::Choice { .. }) {
            NodeKind::Max
        } else {
            self.at(id).kind()
        }
    }

    pub fn rule(&self, id: NodeId) -> Rule {
        self.at(id).rule()
    }

    /// The number of cells of a spawn node on which tiles were considered; 0 at other nodes.
    pub fn considered(&self, id: NodeId) -> u32 {
        self.at(id).considered()
    }

    /// The value; `None` if nothing was searched.
    pub fn value(&self, id: NodeId) -> Option<f64> {
        self.at(id).value()
    }

    /// Whether the nodes `depth` plies below the root are the player's turns.
    pub fn is_turn(&self, depth: u32) -> bool {
        depth.is_multiple_of(2) == (self.subject.start != Start::Spawn)
    }

    /// Whether the recorded children of a node are spawns.
    pub fn has_spawns(&self, id: NodeId) -> bool {
        self.children(id)
            .next()
            .is_some_and(|child| self.spawn(child).is_some())
    }

    pub fn bound(&self, id: NodeId) -> Bound {
        self.at(id).bound()
    }

    /// The number of the node in visit order, counting those left out.
    pub fn order(&self, id: NodeId) -> u64 {
        self.at(id).order()
    }

    pub fn threshold(&self) -> Option<f64> {
        self.subject.definition.lookahead.threshold()
    }

    /// The probabilities of a 2 and of a 4.
    pub fn probability(&self) -> [f64; 2] {
        let p4 = self.subject.definition.rules.p4;
        [1.0 - p4, p4]
    }

    /// The probability that a new tile is this one, 2 or 4; 0 if it never comes.
    pub fn chance(&self, rank: Rank) -> f64 {
        self.probability()[usize::from(rank == Rank::FOUR)]
    }

    /// A number beyond the tree returns the last node.
    fn at(&self, id: NodeId) -> &Node {
        &self.nodes[(id.0 as usize).min(self.nodes.len() - 1)]
    }

    /// The number after the last recorded node below.
    fn end(&self, id: NodeId) -> u32 {
        id.0 + 1 + self.at(id).kept_below
    }
}

//! Records a search while it runs, within a cap.
//!
//! Nodes are stored in visit order, so the nodes below a node follow it. From time to time the recorder drops the nodes
//! that cannot be among the most probable ones that the cap allows ([`Floor`]), and at the end all others. The reach
//! probability never rises on the way down, so whole subtrees go. They stay counted in the nearest recorded node above
//! them.
//!
//! Very many nodes have the same reach probability, so often only some of a level fit. Then those searched first stay.
//! In the end the record has every node with a reach above [`Tree::least_reach`](super::Tree), and of those with
//! exactly that reach the first ones, up to the cap.

use std::sync::Arc;

use super::floor::{Counts, Floor, level};
use super::grafts::Grafts;
use super::kept_nodes::{Kept, parts_of};
use super::node::{NONE, Node};
use super::room::Room;
use super::{NodeCounts, Start, Subject, Tree};
use crate::game::{Cell, Moves, Size, Symmetry};
use crate::search::{
    Bound, Edge, End, Objective, PlyCounts, Recorder, Rule, Sample, Search, SearchResult, Stub,
};
use crate::task::map_side_by_side;

/// Records a search as a [`Tree`]. With a cap of 0 it only counts the nodes.
#[derive(Debug)]
pub struct TreeRecorder {
    nodes: Room,
    /// The open nodes that are recorded, from the root down.
    open: Vec<Open>,
    /// How many open nodes below these are left out.
    hidden: u32,
    /// Counts for each ply, from the root.
    plies: Vec<PlyCounts>,
    /// Nodes so far, including stubs and those left out.
    seen: u64,
    cap: usize,
    /// A new node with a reach below this is not recorded.
    least: f64,
    /// The level of reach right below `least`. Its first nodes stay recorded, but no new ones are added.
    level: Option<f64>,
    /// The floor that all branches of the record share.
    floor: Arc<Floor>,
    /// The nodes that the floor has not counted yet.
    counts: Counts,
    /// The number of recorded nodes at which the floor is read again.
    next_look: usize,
    /// The number of recorded nodes at which those below the floor are dropped.
    most: usize,
    /// The reach probability of the record's root.
    root: f64,
    /// The probabilities of a 2 and of a 4.
    probability: [f64; 2],
    keys: Keys,
    /// The samples through each node, in a record of samples; otherwise empty.
    samples: Vec<Sample>,
    /// Whether this is a record of samples.
    is_sampled: bool,
}

/// Which afterstates the transposition table treats as equal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keys {
    /// All images of a board, because the search turns boards.
    pub(super) turned: bool,
    /// Only boards with the same score.
    pub(super) uses_score: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    id: u32,
    reach: f64,
    considered: u32,
    /// Turns the searched image of its board back into the real board.
    back: Symmetry,
}

/// The reach probability of a node below a parent with the reach `parent`.
#[inline(always)]
pub(super) fn reach_of(
    parent: f64,
    edge: Option<Edge>,
    considered: u32,
    probability: [f64; 2],
) -> f64 {
    match edge {
        // The same order of multiplication as in the search, so that both round alike.
        Some(Edge::Spawn { rank, .. }) => {
            parent * probability[usize::from(rank == 2)] / f64::from(considered)
        }
        Some(Edge::Slide(_)) | None => parent,
    }
}

/// The number of nodes between two readings of the floor.
const NODES_A_LOOK: usize = 1 << 14;

/// The fewest nodes that a resting branch reports to the floor. Many small branches may wait to be merged.
const NODES_AT_REST: usize = 1 << 10;

impl Default for TreeRecorder {
    /// Counts nodes and records none.
    fn default() -> Self {
        Self::with_cap(0, [0.5; 2], Keys::default(), 1.0)
    }
}

impl TreeRecorder {
    /// Records at most `cap` nodes of a search.
    pub fn new(search: &Search, cap: usize) -> Self {
        Self::from_node(search, cap, 1.0)
    }

    /// Records the nodes below a node that is reached with probability `reach`.
    pub(super) fn from_node(search: &Search, cap: usize, reach: f64) -> Self {
        let keys = Keys {
            turned: false,
            uses_score: search.uses_score,
        };
        let mut recorder = Self::with_cap(cap, search.probability, keys, reach);
        recorder.is_sampled = search.is_sampled();
        recorder.samples.resize(
            if recorder.is_sampled {
                recorder.nodes.len()
            } else {
                0
            },
            Sample::default(),
        );
        recorder
    }

    pub(super) fn with_cap(cap: usize, probability: [f64; 2], keys: Keys, reach: f64) -> Self {
        let mut recorder = Self {
            nodes: Room::default(),
            open: Vec::new(),
            hidden: u32::from(cap == 0),
            plies: vec![PlyCounts::heard()],
            seen: 1,
            // Node numbers have 32 bits, and inserting a branch may need several times as many for a moment.
            cap: cap.min(1 << 29),
            least: 0.0,
            level: None,
            floor: Arc::default(),
            counts: if cap == 0 {
                Counts::none()
            } else {
                Counts::default()
            },
            next_look: NODES_A_LOOK,
            most: cap,
            root: reach,
            probability,
            keys,
            samples: Vec::new(),
            is_sampled: false,
        };
        if cap != 0 {
            recorder.nodes.push(Node::opened(NONE, None, 0));
            recorder.open.push(Open {
                id: 0,
                reach,
                considered: 0,
                back: Symmetry::IDENTITY,
            });
        }
        recorder
    }

    /// Ends the record of a search of root moves: returns the counts, and the tree unless the cap was 0.
    pub fn finish(mut self, subject: Subject, found: &SearchResult) -> (NodeCounts, Option<Tree>) {
        let (higher, moves) = match subject.start {
            Start::Choice { objective, moves } => (objective.higher, moves),
            Start::Turn | Start::Spawn => (true, Moves::ALL),
        };
        let better = if higher { f64::max } else { f64::min };
        let exact = moves
            .iter()
            .filter(|&mv| found.bounds[mv] == Bound::Exact)
            .map(|mv| found.values[mv]);
        let rule = if higher { Rule::MaxOf } else { Rule::MinOf };
        let value = exact.reduce(better).unwrap_or(f64::NAN);
        self.close(End::exact(value, rule));
        let (counts, tree) = self.into_tree(subject, found.shared_by.unwrap_or(1));
        let elsewhere = found.nodes.saturating_sub(counts.total() - counts.stubs);
        let playouts = found.playouts.clone();
        (
            counts,
            tree.map(|tree| Tree {
                elsewhere,
                unfinished: found.unfinished,
                playouts,
                ..tree
            }),
        )
    }

    /// Builds the tree on up to `threads` threads. The result does not depend on their number.
    pub(super) fn into_tree(
        mut self,
        subject: Subject,
        threads: usize,
    ) -> (NodeCounts, Option<Tree>) {
        let nodes = std::mem::take(&mut self.nodes);
        let nodes = if nodes.len() <= self.cap {
            nodes.fitted()
        } else {
            let reaches = self.reaches(&nodes, threads);
            let of_level = self.all_but_cap(&reaches, threads);
            let chosen = Kept::of(&reaches, self.least, self.level, of_level, threads);
            self.drop_samples(&chosen);
            chosen.taken_from(nodes, threads)
        };
        let Self {
            mut plies,
            seen,
            least,
            level,
            keys,
            samples,
            ..
        } = self;
        let least = level.unwrap_or(least);

        if let Start::Choice {
            objective: Objective { higher: false, .. },
            ..
        } = subject.start
        {
            // The root is a turn of the player, even if low values are good.
            plies[0]
                .by_rule
                .swap(Rule::MaxOf as usize, Rule::MinOf as usize);
        }

        let mut all = PlyCounts::heard();
        plies.iter().for_each(|ply| all.add(ply));
        let counts = all.counts();
        if nodes.is_empty() {
            return (counts, None);
        }

        let (elsewhere, unfinished) = (0, 0);
        let (searched, least_reach, chosen, playouts) = (seen, least, None, None);
        let mut tree = Tree {
            nodes,
            samples,
            subject,
            counts,
            plies,
            searched,
            least_reach,
            elsewhere,
            unfinished,
            chosen,
            playouts,
            halved_from: None,
            written_by: None,
            grafts: Grafts::default(),
        };
        tree.resolve_stored(keys, threads);
        (counts, Some(tree))
    }

    /// The number of open nodes, including those left out.
    #[inline(always)]
    fn open_count(&self) -> usize {
        self.open.len() + self.hidden as usize
    }

    #[inline(always)]
    fn ply(&mut self, ply: usize) -> &mut PlyCounts {
        if self.plies.len() <= ply {
            self.plies.resize_with(ply + 1, PlyCounts::heard);
        }
        &mut self.plies[ply]
    }

    /// Begins a node below the innermost open one. `None` if one of the two is not recorded.
    #[inline(always)]
    fn begin(&mut self, edge: Edge, considered: Option<u32>) -> Option<(u32, f64)> {
        let order = self.seen;
        self.seen += 1;
        if self.nodes.len() == self.nodes.capacity() && self.hidden == 0 {
            self.grow();
        }
        let top = self.open.last().filter(|_| self.hidden == 0)?;
        let reach = reach_of(
            top.reach,
            Some(edge),
            considered.unwrap_or(top.considered),
            self.probability,
        );
        if reach < self.least {
            return None;
        }

        let edge = match edge {
            _ if top.back == Symmetry::IDENTITY => edge,
            Edge::Slide(mv) => Edge::Slide(top.back.mv(mv)),
            Edge::Spawn { cell, rank } => {
                let cell = top
                    .back
                    .cell(Cell::at(usize::from(cell), Size::FOUR), Size::FOUR);
                Edge::Spawn {
                    cell: cell.index(Size::FOUR) as u8,
                    rank,
                }
            }
        };

        self.counts.add(reach);
        let id = self.nodes.len() as u32;
        self.nodes.push(Node::opened(top.id, Some(edge), order));
        if self.is_sampled {
            self.samples.push(Sample::default());
        }
        Some((id, reach))
    }

    /// Adds a node without children, which `end` closes.
    #[inline(always)]
    fn add(&mut self, edge: Edge, considered: Option<u32>, end: impl FnOnce(&mut Node)) {
        let Some((id, _)) = self.begin(edge, considered) else {
            return;
        };
        end(&mut self.nodes[id as usize]);
        if self.next_look < self.nodes.len() {
            self.look();
        }
    }

    /// Doubles the capacity for nodes and checks that there is memory for dropping some of them. If the system has no
    /// more memory, the record gets a smaller cap.
    #[cold]
    fn grow(&mut self) {
        let len = self.nodes.len();
        let mut scratch: Vec<[f64; 2]> = Vec::new();
        if self.nodes.move_on() {
            return;
        }
        if self
            .nodes
            .try_reserve(len.max(64))
            .and_then(|()| scratch.try_reserve_exact(self.nodes.capacity()))
            .is_err()
        {
            self.cap = self.cap.min(len.saturating_sub(1) / 5 * 4);
            self.drop_all_but_cap(&self.reaches(&self.nodes, 1));
        }
    }

    /// Exchanges counts with the other branches.
    #[cold]
    fn look(&mut self) {
        self.floor.recorded(&mut self.counts, self.cap);
        let floor = self.floor.least();
        // A level that has lost some of its nodes stays as it is.
        if self.least < floor && self.level.is_none_or(|level| level < floor) {
            (self.least, self.level) = (floor, None);
        }
        if self.most < self.nodes.len() && 0.0 < self.least {
            self.make_room();
        }
        self.next_look = self.nodes.len() + NODES_A_LOOK;
    }

    /// Drops the nodes with a reach below `least`. If too many nodes are equally probable for that to be enough, drops
    /// all but the cap. Half the cap is added before it does so again.
    fn make_room(&mut self) {
        let reaches = self.reaches(&self.nodes, 1);
        let count = reaches.iter().filter(|&&reach| self.least <= reach).count();
        if count <= self.cap + self.cap / 4 {
            self.drop_improbable(&reaches, usize::MAX);
        } else {
            self.drop_all_but_cap(&reaches);
        }
        self.most = self.nodes.len() + self.cap / 2;
    }

    /// Drops all but the most probable nodes, up to the cap.
    fn drop_all_but_cap(&mut self, reaches: &[f64]) {
        let of_level = self.all_but_cap(reaches, 1);
        self.drop_improbable(reaches, of_level);
    }

    /// Sets `least` and `level` to keep the most probable nodes, up to the cap. Returns how many nodes of the last
    /// level are among them.
    fn all_but_cap(&mut self, reaches: &[f64], threads: usize) -> usize {
        let cap = self.cap.clamp(1, reaches.len());
        let (level, more, equals) = level(reaches, cap, threads);
        let count = cap - more;
        if count < equals || self.level == Some(level) {
            (self.least, self.level) = (level.next_up(), Some(level));
        } else {
            (self.least, self.level) = (level, None);
        }
        count
    }

    fn drop_improbable(&mut self, reaches: &[f64], of_level: usize) {
        let chosen = Kept::of(reaches, self.least, self.level, of_level, 1);
        chosen.drop_others(&mut self.nodes);
        self.drop_samples(&chosen);
        let open = self.open.len();
        self.open.retain_mut(|open| {
            let place = chosen.place(open.id as usize);
            open.id = place.unwrap_or(NONE);
            place.is_some()
        });
        self.hidden += (open - self.open.len()) as u32;
    }

    fn drop_samples(&mut self, kept: &Kept) {
        for old in 0..self.samples.len() {
            self.samples[kept.place_from(old)] = self.samples[old];
        }
        self.samples.truncate(kept.count());
    }

    /// The reach probability of each node.
    fn reaches(&self, nodes: &[Node], threads: usize) -> Vec<f64> {
        let mut reaches = vec![0.0; nodes.len()];
        map_side_by_side(threads, parts_of(&mut reaches, threads), |(first, part)| {
            self.reaches_from(nodes, first, part);
        });
        reaches
    }

    /// The reach probabilities of the nodes from `first` onwards.
    fn reaches_from(&self, nodes: &[Node], first: usize, reaches: &mut [f64]) {
        // The ancestors of the first node, from the root down.
        let mut path: Vec<usize> =
            std::iter::successors(nodes.get(first), |node| nodes.get(node.parent as usize))
                .map_while(|node| (node.parent != NONE).then_some(node.parent as usize))
                .collect();
        path.reverse();
        let mut above: Vec<(usize, f64)> = Vec::with_capacity(path.len());
        for id in path {
            let reach = self.reach_below(nodes, above.last().map(|&(_, reach)| reach), &nodes[id]);
            above.push((id, reach));
        }

        for place in 0..reaches.len() {
            let node = &nodes[first + place];
            let parent = (node.parent as usize).wrapping_sub(first);
            let from = match reaches.get(parent) {
                Some(&reach) => Some(reach),
                None => above
                    .iter()
                    .rfind(|&&(id, _)| id == node.parent as usize)
                    .map(|&(_, reach)| reach),
            };
            reaches[place] = self.reach_below(nodes, from, node);
        }
    }

    /// The reach probability of a node below a parent; without a parent the node is the root.
    #[inline(always)]
    fn reach_below(&self, nodes: &[Node], parent: Option<f64>, node: &Node) -> f64 {
        match (parent, node.stub()) {
            (None, _) => self.root,
            (Some(reach), Some(Stub::Unimportant { considered, .. })) if !node.is_open() => {
                reach_of(reach, node.edge(), u32::from(considered), self.probability)
            }
            (Some(reach), _) => {
                let considered = nodes[node.parent as usize].considered();
                reach_of(reach, node.edge(), considered, self.probability)
            }
        }
    }
}

impl Recorder for TreeRecorder {
    const ON: bool = true;

    #[inline(always)]
    fn open(&mut self, edge: Edge) {
        let Some((id, reach)) = self.begin(edge, None) else {
            self.hidden += 1;
            return;
        };
        let back = self.open.last().map_or(Symmetry::IDENTITY, |top| top.back);
        self.open.push(Open {
            id,
            reach,
            considered: 0,
            back,
        });
        if self.next_look < self.nodes.len() {
            self.look();
        }
    }

    fn turn(&mut self, symmetry: Symmetry) {
        self.keys.turned = true;
        if self.hidden == 0
            && let Some(top) = self.open.last_mut()
        {
            top.back = symmetry.inverse().then(top.back);
        }
    }

    #[inline(always)]
    fn spawns(&mut self, considered: u32) {
        if self.hidden == 0
            && let Some(top) = self.open.last_mut()
        {
            top.considered = considered;
            self.nodes[top.id as usize].consider(considered);
        }
    }

    fn sampled(&mut self, sample: Sample) {
        if self.hidden == 0
            && let Some(top) = self.open.last()
            && let Some(slot) = self.samples.get_mut(top.id as usize)
        {
            *slot = sample;
        }
    }

    #[inline(always)]
    fn close(&mut self, end: End) {
        let ply = self.open_count() - 1;
        self.ply(ply).by_rule[end.rule as usize] += 1;
        if self.hidden != 0 {
            self.hidden -= 1;
            return;
        }
        let Some(Open { id, .. }) = self.open.pop() else {
            return;
        };
        let recorded = self.nodes.len() as u32 - id - 1;
        let node = &mut self.nodes[id as usize];
        let below = self.seen - node.order() - 1;
        node.close(end, below, recorded);
    }

    #[inline(always)]
    fn leaf(&mut self, edge: Edge, end: End) {
        let ply = self.open_count();
        self.ply(ply).by_rule[end.rule as usize] += 1;
        self.add(edge, None, |node| node.close(end, 0, 0));
    }

    fn stub(&mut self, edge: Edge, stub: Stub) {
        let ply = self.open_count();
        self.ply(ply).by_rule[stub.rule() as usize] += 1;
        let considered = match stub {
            Stub::Unimportant { considered, .. } => Some(u32::from(considered)),
            Stub::OutOfBounds { .. } | Stub::NotExpanded => None,
        };
        self.add(edge, considered, |node| node.close_stub(stub));
    }

    fn cut_off(&mut self, at_first: bool) {
        let ply = self.open_count() - 1;
        let row = self.ply(ply);
        row.cut_offs += 1;
        row.at_first += u64::from(at_first);
    }

    #[inline(always)]
    fn stored(&mut self, collides: bool) {
        let ply = self.open_count() - 1;
        if let Some(table) = &mut self.ply(ply).table {
            table.stores += 1;
            table.collisions += u64::from(collides);
        }
    }

    fn branch(&self) -> Self {
        let mut branch = Self::with_cap(self.cap, self.probability, self.keys, 1.0);
        if let (Some(root), Some(top), 0) = (branch.open.first_mut(), self.open.last(), self.hidden)
        {
            *root = Open { id: 0, ..*top };
            branch.root = top.reach;
            branch
                .nodes
                .iter_mut()
                .for_each(|root| root.consider(top.considered));
        }

        if self.hidden != 0 {
            // The nodes below are not recorded either.
            (branch.nodes, branch.hidden) = (Room::default(), 1);
            branch.open.clear();
        }
        branch.floor = Arc::clone(&self.floor);
        branch.least = self.floor.least();
        branch.is_sampled = self.is_sampled;
        branch.samples.resize(
            if self.is_sampled {
                branch.nodes.len()
            } else {
                0
            },
            Sample::default(),
        );
        branch
    }

    fn rest(&mut self) {
        if NODES_AT_REST < self.nodes.len() {
            self.most = self.most.min(self.nodes.len() - 1);
            self.look();
        }
    }

    fn apart(&self) -> Self {
        Self {
            floor: Arc::new(self.floor.apart()),
            ..self.branch()
        }
    }

    fn graft(&mut self, mut branch: Self) {
        // A node that the branch lacks is not among the most probable of the whole, within the smaller cap.
        self.cap = self.cap.min(branch.cap);
        // Both begin at the open node, which only this recorder closes.
        let above = self.open_count() - 1;
        for (depth, ply) in branch.plies.iter().enumerate() {
            self.ply(above + depth).add(ply);
        }
        self.keys.turned |= branch.keys.turned;

        // The branch has its own root, which is the open node here.
        let orders = self.seen - 1;
        self.seen += branch.seen - 1;
        let Some(top) = self.open.last().filter(|_| self.hidden == 0) else {
            return;
        };
        if orders == 0 {
            // Only the root is here, so nothing has to be copied.
            branch.nodes[..1].copy_from_slice(&self.nodes);
            branch.samples[..self.samples.len()].copy_from_slice(&self.samples);
            let plies = std::mem::take(&mut self.plies);
            *self = Self {
                plies,
                keys: self.keys,
                seen: self.seen,
                cap: self.cap,
                ..branch
            };
            return;
        }
        self.nodes.reserve(branch.nodes.len());
        let ids = self.nodes.len() as u32 - 1;
        let top = top.id;
        self.nodes.extend(branch.nodes.iter().skip(1).map(|node| {
            let mut node = *node;
            node.move_order(orders);
            node.parent = if node.parent == 0 {
                top
            } else {
                node.parent + ids
            };
            node
        }));

        // The next node, or the end, makes room.
        self.samples.extend(branch.samples.iter().skip(1));
    }
}

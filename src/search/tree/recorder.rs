//! Writes a search down while it runs, within a limit.
//!
//! Nodes are kept in the order of the visit, so that those below a node follow it. From time to time those that cannot be among
//! the most probable, as many as the cap allows, are dropped ([`Floor`]), and in the end all others but these. The reach
//! probability never rises on the way down, so whole subtrees go; they stay counted in the nearest node above them that is kept.
//!
//! Very many nodes are reached with the same probability, so that often some of a level stay and others go: then those that
//! were searched first stay. In the end the record holds every node that is reached with more than
//! [`Tree::least_reach`](super::Tree), and of those with exactly that the first ones, as many as the cap allows.

use std::sync::Arc;

use super::floor::{Counts, Floor, level};
use super::grafts::Grafts;
use super::kept::{Kept, parts_of};
use super::node::{NONE, Node};
use super::room::Room;
use super::{NodeCounts, Start, Subject, Tree};
use crate::game::{Cell, Moves, Size, Symmetry};
use crate::search::{Bound, Edge, End, Objective, PlyCounts, Recorder, Rule, Sample, Search, SearchResult, Stub};
use crate::task::map_side_by_side;

/// Records a search as a [`Tree`], or with a cap of 0 only counts its nodes.
#[derive(Debug)]
pub struct TreeRecorder {
    nodes: Room,
    /// The open nodes that are kept, from the root down.
    open: Vec<Open>,
    /// How many open nodes below these are left out.
    hidden: u32,
    /// What was done at each ply, from the root on.
    plies: Vec<PlyCounts>,
    /// Nodes so far, stubs and those left out included.
    seen: u64,
    cap: usize,
    /// The least reach probability with which a new node is kept.
    least: f64,
    /// The level of reach of which the first nodes are kept and no more: it lies right below the least.
    level: Option<f64>,
    /// What all branches of the record know of it.
    floor: Arc<Floor>,
    /// The nodes that the floor does not know of.
    counts: Counts,
    /// With how many nodes held to look at the floor again.
    next_look: usize,
    /// With how many nodes held to drop what lies below it.
    most: usize,
    /// How probable the root of the record is.
    root: f64,
    /// Of a 2 and of a 4.
    probability: [f64; 2],
    keys: Keys,
    /// What went through each node, in a record of samples; else empty.
    samples: Vec<Sample>,
    /// Whether it is one.
    is_sampled: bool,
}

/// What the transposition table takes for the same.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Keys {
    /// The images of a board, because the search turns boards.
    pub(super) turned: bool,
    /// Only boards with the same score.
    pub(super) uses_score: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    id: u32,
    reach: f64,
    considered: u32,
    /// What turns its board as it is searched back into the real one.
    back: Symmetry,
}

/// How probable a node is whose parent is.
#[inline(always)]
pub(super) fn reach_of(parent: f64, edge: Option<Edge>, considered: u32, probability: [f64; 2]) -> f64 {
    match edge {
        // As the search multiplies, so that both round alike.
        Some(Edge::Spawn { rank, .. }) => parent * probability[usize::from(rank == 2)] / f64::from(considered),
        Some(Edge::Slide(_)) | None => parent,
    }
}

/// Nodes between two looks at the floor.
const NODES_A_LOOK: usize = 1 << 14;

/// Fewest nodes with which one that rests tells what it has: many small ones may wait to be put together.
const NODES_AT_REST: usize = 1 << 10;

impl Default for TreeRecorder {
    /// Counts nodes and keeps none.
    fn default() -> Self {
        Self::with_cap(0, [0.5; 2], Keys::default(), 1.0)
    }
}

impl TreeRecorder {
    /// Records at most `cap` nodes of a search.
    pub fn new(search: &Search, cap: usize) -> Self {
        Self::from_node(search, cap, 1.0)
    }

    /// Records what lies below a node that is reached with probability `reach`.
    pub(super) fn from_node(search: &Search, cap: usize, reach: f64) -> Self {
        let keys = Keys { turned: false, uses_score: search.uses_score };
        let mut recorder = Self::with_cap(cap, search.probability, keys, reach);
        recorder.is_sampled = search.is_sampled();
        recorder.samples.resize(if recorder.is_sampled { recorder.nodes.len() } else { 0 }, Sample::default());
        recorder
    }

    pub(super) fn with_cap(cap: usize, probability: [f64; 2], keys: Keys, reach: f64) -> Self {
        let mut recorder = Self {
            nodes: Room::default(),
            open: Vec::new(),
            hidden: u32::from(cap == 0),
            plies: vec![PlyCounts::heard()],
            seen: 1,
            // Identities are 32 bits, and a graft may hold several times as much for a moment.
            cap: cap.min(1 << 29),
            least: 0.0,
            level: None,
            floor: Arc::default(),
            counts: if cap == 0 { Counts::none() } else { Counts::default() },
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
            recorder.open.push(Open { id: 0, reach, considered: 0, back: Symmetry::IDENTITY });
        }
        recorder
    }

    /// Ends the record of a search of root moves: the counts, and the tree unless the cap was 0.
    pub fn finish(mut self, subject: Subject, found: &SearchResult) -> (NodeCounts, Option<Tree>) {
        let (higher, asked) = match subject.start {
            Start::Choice { objective, asked } => (objective.higher, asked),
            Start::Turn | Start::Spawn => (true, Moves::ALL),
        };
        let better = if higher { f64::max } else { f64::min };
        let exact = asked.iter().filter(|&mv| found.bounds[mv] == Bound::Exact).map(|mv| found.values[mv]);
        let rule = if higher { Rule::MaxOf } else { Rule::MinOf };
        let value = exact.reduce(better).unwrap_or(f64::NAN);
        self.close(End::exact(value, rule));
        let (counts, tree) = self.into_tree(subject, found.shared_by.unwrap_or(1));
        let elsewhere = found.nodes.saturating_sub(counts.total() - counts.stubs);
        let playouts = found.playouts.clone();
        (counts, tree.map(|tree| Tree { elsewhere, unfinished: found.unfinished, playouts, ..tree }))
    }

    /// The record on so many threads; the record itself does not depend on them.
    pub(super) fn into_tree(mut self, subject: Subject, threads: usize) -> (NodeCounts, Option<Tree>) {
        let nodes = std::mem::take(&mut self.nodes);
        let nodes = if nodes.len() <= self.cap {
            nodes.fitted()
        } else {
            let reaches = self.reaches(&nodes, threads);
            let of_level = self.all_but_cap(&reaches, threads);
            let kept = Kept::of(&reaches, self.least, (self.level, of_level), threads);
            self.drop_samples(&kept);
            kept.taken_from(nodes, threads)
        };
        let Self { mut plies, seen, least, level, keys, samples, .. } = self;
        let least = level.unwrap_or(least);
        if let Start::Choice { objective: Objective { higher: false, .. }, .. } = subject.start {
            // The root is a turn of the player, also where he wants the least.
            plies[0].by_rule.swap(Rule::MaxOf as usize, Rule::MinOf as usize);
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

    /// How many nodes are open, those that are left out included.
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

    /// Begins a node below the open one, if both are kept.
    #[inline(always)]
    fn begin(&mut self, edge: Edge, considered: Option<u32>) -> Option<(u32, f64)> {
        let order = self.seen;
        self.seen += 1;
        if self.nodes.len() == self.nodes.capacity() && self.hidden == 0 {
            self.grow();
        }
        let top = self.open.last().filter(|_| self.hidden == 0)?;
        let reach = reach_of(top.reach, Some(edge), considered.unwrap_or(top.considered), self.probability);
        if reach < self.least {
            return None;
        }
        let edge = match edge {
            _ if top.back == Symmetry::IDENTITY => edge,
            Edge::Slide(mv) => Edge::Slide(top.back.mv(mv)),
            Edge::Spawn { cell, rank } => {
                let cell = top.back.cell(Cell::at(usize::from(cell), Size::FOUR), Size::FOUR);
                Edge::Spawn { cell: cell.index(Size::FOUR) as u8, rank }
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
        let Some((id, _)) = self.begin(edge, considered) else { return };
        end(&mut self.nodes[id as usize]);
        if self.next_look < self.nodes.len() {
            self.look();
        }
    }

    /// Twice the room for nodes, with what dropping some will need for so many; where the system has no more memory the
    /// record ends here as it does at its cap.
    #[cold]
    fn grow(&mut self) {
        let len = self.nodes.len();
        let mut scratch: Vec<[f64; 2]> = Vec::new();
        if self.nodes.move_on() {
            return;
        }
        if self.nodes.try_reserve(len.max(64)).and_then(|()| scratch.try_reserve_exact(self.nodes.capacity())).is_err()
        {
            self.cap = self.cap.min(len.saturating_sub(1) / 5 * 4);
            self.drop_all_but_cap(&self.reaches(&self.nodes, 1));
        }
    }

    /// Learns from what all branches have recorded.
    #[cold]
    fn look(&mut self) {
        self.floor.recorded(&mut self.counts, self.cap);
        let floor = self.floor.least();
        // A level of which some went before stays as it is.
        if self.least < floor && self.level.is_none_or(|level| level < floor) {
            (self.least, self.level) = (floor, None);
        }
        if self.most < self.nodes.len() && 0.0 < self.least {
            self.make_room();
        }
        self.next_look = self.nodes.len() + NODES_A_LOOK;
    }

    /// Drops what is less probable than the least, and where that is not enough, because very many are equally probable,
    /// all but so many as the cap allows. Some more are held before it does so again.
    fn make_room(&mut self) {
        let reaches = self.reaches(&self.nodes, 1);
        let kept = reaches.iter().filter(|&&reach| self.least <= reach).count();
        if kept <= self.cap + self.cap / 4 {
            self.drop_improbable(&reaches, usize::MAX);
        } else {
            self.drop_all_but_cap(&reaches);
        }
        self.most = self.nodes.len() + self.cap / 2;
    }

    /// Drops all but the most probable, as many as the cap allows.
    fn drop_all_but_cap(&mut self, reaches: &[f64]) {
        let of_level = self.all_but_cap(reaches, 1);
        self.drop_improbable(reaches, of_level);
    }

    /// How probable the most probable are, as many as the cap allows, and how many of the level below that are among them.
    fn all_but_cap(&mut self, reaches: &[f64], threads: usize) -> usize {
        let cap = self.cap.clamp(1, reaches.len());
        let (level, more, equals) = level(reaches, cap, threads);
        let kept = cap - more;
        if kept < equals || self.level == Some(level) {
            (self.least, self.level) = (level.next_up(), Some(level));
        } else {
            (self.least, self.level) = (level, None);
        }
        kept
    }

    fn drop_improbable(&mut self, reaches: &[f64], of_level: usize) {
        let kept = Kept::of(reaches, self.least, (self.level, of_level), 1);
        kept.drop_others(&mut self.nodes);
        self.drop_samples(&kept);
        let open = self.open.len();
        self.open.retain_mut(|open| {
            let place = kept.place(open.id as usize);
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

    /// How probable each node is.
    fn reaches(&self, nodes: &[Node], threads: usize) -> Vec<f64> {
        let mut reaches = vec![0.0; nodes.len()];
        map_side_by_side(threads, parts_of(&mut reaches, threads), |(first, part)| {
            self.reaches_from(nodes, first, part);
        });
        reaches
    }

    /// How probable the nodes from `first` on are.
    fn reaches_from(&self, nodes: &[Node], first: usize, reaches: &mut [f64]) {
        // Those above the first one, from the root down.
        let mut path: Vec<usize> = std::iter::successors(nodes.get(first), |node| nodes.get(node.parent as usize))
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
                None => above.iter().rfind(|&&(id, _)| id == node.parent as usize).map(|&(_, reach)| reach),
            };
            reaches[place] = self.reach_below(nodes, from, node);
        }
    }

    /// How probable a node is whose parent is; without one it is the root.
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
        self.open.push(Open { id, reach, considered: 0, back });
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
        let Some(Open { id, .. }) = self.open.pop() else { return };
        let kept = self.nodes.len() as u32 - id - 1;
        let node = &mut self.nodes[id as usize];
        let below = self.seen - node.order() - 1;
        node.close(end, below, kept);
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
        if let (Some(root), Some(top), 0) = (branch.open.first_mut(), self.open.last(), self.hidden) {
            *root = Open { id: 0, ..*top };
            branch.root = top.reach;
            branch.nodes.iter_mut().for_each(|root| root.consider(top.considered));
        }
        if self.hidden != 0 {
            // Nothing below is kept either.
            (branch.nodes, branch.hidden) = (Room::default(), 1);
            branch.open.clear();
        }
        branch.floor = Arc::clone(&self.floor);
        branch.least = self.floor.least();
        branch.is_sampled = self.is_sampled;
        branch.samples.resize(if self.is_sampled { branch.nodes.len() } else { 0 }, Sample::default());
        branch
    }

    fn rest(&mut self) {
        if NODES_AT_REST < self.nodes.len() {
            self.most = self.most.min(self.nodes.len() - 1);
            self.look();
        }
    }

    fn apart(&self) -> Self {
        Self { floor: Arc::new(self.floor.apart()), ..self.branch() }
    }

    fn graft(&mut self, mut branch: Self) {
        // What it lacks is not among the most probable nodes of the whole, as many as the smaller cap allows.
        self.cap = self.cap.min(branch.cap);
        // Both begin at the open node, which is closed here alone.
        let above = self.open_count() - 1;
        for (depth, ply) in branch.plies.iter().enumerate() {
            self.ply(above + depth).add(ply);
        }
        self.keys.turned |= branch.keys.turned;
        // The branch has a root of its own, which is the open node here.
        let orders = self.seen - 1;
        self.seen += branch.seen - 1;
        let Some(top) = self.open.last().filter(|_| self.hidden == 0) else { return };
        if orders == 0 {
            // Nothing is here but the root, so that nothing has to be copied.
            branch.nodes[..1].copy_from_slice(&self.nodes);
            branch.samples[..self.samples.len()].copy_from_slice(&self.samples);
            let plies = std::mem::take(&mut self.plies);
            *self = Self { plies, keys: self.keys, seen: self.seen, cap: self.cap, ..branch };
            return;
        }
        self.nodes.reserve(branch.nodes.len());
        let ids = self.nodes.len() as u32 - 1;
        let top = top.id;
        self.nodes.extend(branch.nodes.iter().skip(1).map(|node| {
            let mut node = *node;
            node.move_order(orders);
            node.parent = if node.parent == 0 { top } else { node.parent + ids };
            node
        }));
        // There is made room with the next node, or in the end.
        self.samples.extend(branch.samples.iter().skip(1));
    }
}

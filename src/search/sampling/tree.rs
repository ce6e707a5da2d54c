//! A tree that grows by playouts: UCT with chance nodes.
//!
//! Runs on one core, because each playout depends on those before it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::game::{ByMove, GameSeed, Grid, Move, Moves, Rows, Slides as _};
use crate::math;
use crate::search::playouts::{Ended, Lead, Playouts, Sample, Sampling, leaders, next_point};
use crate::search::recorder::{Edge, End, Recorder, Stub};
use crate::search::root::{Root, Search, SearchResult};
use crate::search::spawn_order::EachSpawn;
use crate::search::{Growth, NodesBy, Rule, SearchBoard};
use crate::stats::RunningMean;
use crate::task::CancelToken;

/// Maximum number of nodes of a tree, about 300 MB. After that the tree stops growing, and playouts begin where it
/// ends.
const MOST_NODES: usize = 1 << 22;

/// Playouts between two checks of the clock: less than a millisecond.
const PLAYOUTS_A_TICK: u64 = 32;

/// No node.
const NONE: u32 = u32::MAX;

struct Node {
    edge: Option<Edge>,
    first_child: u32,
    next_sibling: u32,
    sample: Sample,
}

/// Nodes in the order of their creation, at most `most`.
struct Nodes {
    all: Vec<Node>,
    most: usize,
}

pub(super) fn search<P: SearchBoard, R: Recorder>(
    root: &Root<'_, P>,
    sampling: &Sampling,
    growth: &Growth,
    recorder: &mut R,
) -> SearchResult {
    let (spec, seed, sign) = (&sampling.spec, root.seed(sampling), root.objective.sign());
    let until = spec
        .time_ms
        .map(|time| Instant::now() + Duration::from_millis(time));
    // Each move is tried at least once: the mean of no samples has no value.
    let (least, most) = (root.moves.len() as u64, spec.most_samples());
    let is_shown_apart = R::ON && growth.nodes_by == NodesBy::OpenLoop;
    let mut tree = Growing {
        search: root.search,
        sampling,
        growth,
        stop: root.options.stop,
        moves: root.moves,
        sign,
        nodes: Nodes::new(MOST_NODES),
        // As many nodes as there are playouts, and as many again.
        shown: is_shown_apart.then(|| Nodes::new(NONE as usize)),
        spawns: seed.game(0),
        playout: seed.game(0),
        positions: 1,
        depth: 0,
    };

    let mut curve = Vec::new();
    let (mut done, mut point) = (0, PLAYOUTS_A_TICK);

    while done < most.max(least) {
        // Draws in the tree and in the playout come from two streams.
        (tree.spawns, tree.playout) = (seed.game(2 * done), seed.game(2 * done + 1));
        let value = tree.turn(
            Place {
                node: 0,
                shown: 0,
                depth: 0,
            },
            root.board,
            root.score,
        );
        if tree.stop.is_cancelled() {
            return SearchResult {
                stopped: true,
                ..SearchResult::default()
            };
        }
        tree.count(0, 0, value);
        done += 1;
        if R::ON && done == point {
            curve.push(tree.of_each());
            point = next_point(done);
        }
        let is_spent = spec.nodes.is_some_and(|nodes| nodes <= tree.positions)
            || done.is_multiple_of(PLAYOUTS_A_TICK)
                && until.is_some_and(|until| until <= Instant::now());
        if least <= done && is_spent {
            break;
        }
    }
    if R::ON {
        tree.record(root, recorder);
    }

    let of_each = tree.of_each();
    let values = ByMove::from_fn(|mv| of_each[mv].mean());
    let (lead, plies, nodes) = (tree.lead(), tree.depth, tree.positions);
    let playouts = Some(Arc::new(Playouts {
        of_each,
        is_tree: true,
        ended: Ended::Spent,
        lead,
        curve,
    }));
    SearchResult {
        values,
        plies,
        nodes,
        turns: nodes,
        playouts,
        ..SearchResult::default()
    }
}

/// A node of the tree, and its counterpart in the record.
#[derive(Clone, Copy)]
struct Place {
    node: u32,
    shown: u32,
    /// Moves from the root.
    depth: u32,
}

struct Growing<'a> {
    search: &'a Search,
    sampling: &'a Sampling,
    growth: &'a Growth,
    stop: &'a CancelToken,
    /// The moves at the root.
    moves: Moves,
    /// −1 if low values are good at the root.
    sign: f64,
    nodes: Nodes,
    /// The boards that were seen, if the nodes represent moves alone and the search is recorded.
    shown: Option<Nodes>,
    /// The draws of this playout, in the tree and after it.
    spawns: GameSeed,
    playout: GameSeed,
    positions: u64,
    /// Plies from the root to the deepest node.
    depth: u32,
}

impl Growing<'_> {
    /// A board to move: continues down the tree or starts a playout, and returns the value. The caller counts it at the
    /// node.
    fn turn<P: SearchBoard>(&mut self, at: Place, board: P, score: u64) -> f64 {
        let Some(slides) = board.slides(Rows::shared()) else {
            return self.turn::<Grid>(at, board.to_grid(), score);
        };
        self.positions += 1;
        let legal = if at.depth == 0 {
            self.moves
        } else {
            slides.legal()
        };
        let is_over = at.depth != 0 && self.search.is_over(|| board.max_rank());
        if legal.is_empty() || is_over {
            let value = self.search.worth(self.growth.playout.of, board, score);
            self.end_at(at, value);
            return value;
        }

        let mv = self.pick(at, legal);
        let Some(node) = self.nodes.child(at.node, Edge::Slide(mv)) else {
            return self.play_from(at, board, score);
        };
        let (after, score) = (
            slides.after(mv),
            score.saturating_add(u64::from(slides.reward(mv))),
        );
        let shown = self
            .shown
            .as_mut()
            .map(|shown| shown.child(at.shown, Edge::Slide(mv)));
        let slid = Place {
            node,
            shown: shown.flatten().unwrap_or(NONE),
            depth: at.depth + 1,
        };
        let value = self.spawn(slid, after, score);
        self.count(slid.node, slid.shown, value);
        value
    }

    /// An afterstate: draws a spawn.
    fn spawn<P: SearchBoard>(&mut self, at: Place, after: P, score: u64) -> f64 {
        let (draw, p4) = (at.depth, self.search.definition.rules.p4);
        let nth = self.spawns.place(draw, after.empty_count());
        let cell = after.empty_cells().nth(nth as usize).unwrap_or_default();
        let rank = self.spawns.rank(draw, p4);
        let (edge, board) = (
            Edge::Spawn {
                cell: cell as u8,
                rank: rank.get(),
            },
            after.with_tile_at(cell, rank),
        );
        let shown = self
            .shown
            .as_mut()
            .and_then(|shown| shown.child(at.shown, edge))
            .unwrap_or(NONE);
        let next = match self.growth.nodes_by {
            NodesBy::OpenLoop => Some(Place { shown, ..at }),
            NodesBy::ClosedLoop => self
                .nodes
                .child(at.node, edge)
                .map(|node| Place { node, ..at }),
        };

        let Some(next) = next else {
            return self.play_from(at, board, score);
        };
        self.depth = self.depth.max(2 * at.depth);
        let value = if self.nodes.at(next.node).sample.all.count() == 0 {
            self.play_from(next, board, score)
        } else {
            self.turn(next, board, score)
        };

        match self.growth.nodes_by {
            NodesBy::OpenLoop => self.count(NONE, next.shown, value),
            NodesBy::ClosedLoop => self.count(next.node, NONE, value),
        }
        value
    }

    /// A random move that was never tried, otherwise the one with the largest upper bound; ties go to the move tried
    /// least.
    fn pick(&self, at: Place, legal: Moves) -> Move {
        let tried = |mv: Move| {
            self.nodes
                .find(at.node, Edge::Slide(mv))
                .map(|id| self.nodes.at(id).sample.all)
        };
        let untried =
            Moves::from_fn(|mv| legal.contains(mv) && tried(mv).is_none_or(|all| all.count() == 0));
        if !untried.is_empty() {
            let drawn = untried.nth(self.spawns.tie(at.depth, untried.len()));
            return drawn.or(legal.first()).unwrap_or(Move::Up);
        }

        let (sign, c) = (
            if at.depth == 0 { self.sign } else { 1.0 },
            self.growth.exploration,
        );
        let deviation = self.nodes.at(at.node).sample.all.std_dev().unwrap_or(0.0);
        let all: u64 = legal.iter().filter_map(tried).map(|all| all.count()).sum();
        let mut best: Option<(f64, u64, Move)> = None;
        for mv in legal {
            let Some(own) = tried(mv) else { continue };
            let bound = sign * own.mean() + exploration(c, deviation, all, own.count());
            let is_better = |&(most, count, _): &(f64, u64, Move)| {
                most < bound || most == bound && own.count() < count
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((bound, own.count(), mv));
            }
        }
        best.map_or(Move::Up, |(.., mv)| mv)
    }

    fn play_from<P: SearchBoard>(&mut self, at: Place, board: P, score: u64) -> f64 {
        let (seed, from) = (self.playout, (board.to_board(), score));
        let (value, positions) =
            self.search
                .play(self.sampling, &self.growth.playout, from, &seed, self.stop);
        self.positions += positions;
        self.end_at(at, value);
        value
    }

    /// Counts a sample whose playout begins or ends here.
    fn end_at(&mut self, at: Place, value: f64) {
        for (nodes, id) in [
            (Some(&mut self.nodes), at.node),
            (self.shown.as_mut(), at.shown),
        ] {
            if let Some(node) = nodes.and_then(|nodes| nodes.all.get_mut(id as usize)) {
                node.sample.own.add(value);
            }
        }
    }

    /// Counts a sample through a node of the tree and one of the record.
    fn count(&mut self, node: u32, shown: u32, value: f64) {
        for (nodes, id) in [(Some(&mut self.nodes), node), (self.shown.as_mut(), shown)] {
            if let Some(node) = nodes.and_then(|nodes| nodes.all.get_mut(id as usize)) {
                node.sample.all.add(value);
            }
        }
    }

    fn of_each(&self) -> ByMove<RunningMean> {
        ByMove::from_fn(|mv| {
            let child = self.nodes.find(0, Edge::Slide(mv));
            child.map_or(RunningMean::EMPTY, |id| self.nodes.at(id).sample.all)
        })
    }

    fn lead(&self) -> Option<Lead> {
        let of_each = self.of_each();
        let [best, second] = leaders(&of_each, self.moves, self.sign)?;
        let difference = self.sign * (of_each[best].mean() - of_each[second].mean());
        Some(Lead {
            best,
            second,
            difference,
            standard_error: None,
            is_paired: false,
        })
    }
}

/// The second term of UCB: how much better than its mean a node may be that was tried `n` of `all` times.
pub(in crate::search) fn exploration(c: f64, deviation: f64, all: u64, n: u64) -> f64 {
    c * deviation * (math::ln(all.max(1) as f64) / n.max(1) as f64).sqrt()
}

impl Nodes {
    fn new(most: usize) -> Self {
        let mut nodes = Self {
            all: Vec::new(),
            most,
        };
        nodes.push(None);
        nodes
    }

    fn push(&mut self, edge: Option<Edge>) -> u32 {
        let (first_child, next_sibling) = (NONE, NONE);
        self.all.push(Node {
            edge,
            first_child,
            next_sibling,
            sample: Sample::default(),
        });
        self.all.len() as u32 - 1
    }

    fn at(&self, id: u32) -> &Node {
        &self.all[id as usize]
    }

    fn children(&self, id: u32) -> impl Iterator<Item = u32> + use<'_> {
        let first = self
            .all
            .get(id as usize)
            .map_or(NONE, |node| node.first_child);
        std::iter::successors(Some(first), |&id| {
            self.all.get(id as usize).map(|node| node.next_sibling)
        })
        .take_while(|&id| id != NONE)
    }

    fn find(&self, id: u32, edge: Edge) -> Option<u32> {
        self.children(id)
            .find(|&child| self.at(child).edge == Some(edge))
    }

    /// The child at an edge, created if needed. `None` if the tree is full.
    fn child(&mut self, id: u32, edge: Edge) -> Option<u32> {
        if let Some(found) = self.find(id, edge) {
            return Some(found);
        }
        if id == NONE || self.most <= self.all.len() {
            return None;
        }
        let new = self.push(Some(edge));
        let next = std::mem::replace(&mut self.all[id as usize].first_child, new);
        self.all[new as usize].next_sibling = next;
        Some(new)
    }
}

impl Growing<'_> {
    /// Passes the whole tree to the recorder, depth first as in other searches.
    fn record<P: SearchBoard, R: Recorder>(&self, root: &Root<'_, P>, recorder: &mut R) {
        let nodes = self.shown.as_ref().unwrap_or(&self.nodes);
        let all = nodes.at(0).sample;
        recorder.sampled(all);
        self.record_slides(nodes, 0, root.slides, self.moves, recorder);
    }

    fn record_turn<P: SearchBoard, R: Recorder>(
        &self,
        nodes: &Nodes,
        id: u32,
        board: P,
        recorder: &mut R,
    ) {
        let Some(slides) = board.slides(Rows::shared()) else {
            return self.record_turn::<Grid, R>(nodes, id, board.to_grid(), recorder);
        };
        let node = nodes.at(id);
        let is_over = slides.legal().is_empty() || self.search.is_over(|| board.max_rank());
        if node.first_child != NONE {
            self.record_slides(nodes, id, &slides, slides.legal(), recorder);
        }
        let rule = match node.first_child {
            _ if is_over => Rule::Dead,
            NONE => Rule::Sampled,
            _ => Rule::MovesTried,
        };
        recorder.sampled(node.sample);
        recorder.close(End::exact(node.sample.all.mean(), rule));
    }

    fn record_slides<S, R: Recorder>(
        &self,
        nodes: &Nodes,
        id: u32,
        slides: &S,
        legal: Moves,
        recorder: &mut R,
    ) where
        S: crate::game::Slides<Position: SearchBoard>,
    {
        for mv in legal {
            let edge = Edge::Slide(mv);
            let Some(child) = nodes.find(id, edge) else {
                recorder.stub(edge, Stub::NotExpanded);
                continue;
            };
            let (after, node) = (slides.after(mv), nodes.at(child));
            recorder.open(edge);
            recorder.spawns(crate::game::Position::empty_count(after));
            for spawn in EachSpawn::on(after.empty_cells(), self.search.possible) {
                match nodes.find(child, spawn.edge()) {
                    Some(below) => {
                        recorder.open(spawn.edge());
                        self.record_turn(
                            nodes,
                            below,
                            after.with_tile_at(spawn.cell(), spawn.rank()),
                            recorder,
                        );
                    }
                    None => recorder.stub(spawn.edge(), Stub::NotExpanded),
                }
            }
            recorder.sampled(node.sample);
            recorder.close(End::exact(node.sample.all.mean(), Rule::SpawnsDrawn));
        }
    }
}

//! Folding: which nodes of a tree are drawn.
//!
//! A spawn node has up to forty children, most of them uninformative. So an unfolded spawn node shows the best, the
//! worst, the one on the line and the one played; a pill represents the rest until the user opens it.

use std::collections::{HashMap, HashSet};

use crate::game::Spawn;
use crate::search::{Link, NodeId, NodeKind, Tree};
use crate::workbench::panels::tree::words as names;

/// The chosen line through a tree, and the moves played after its root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// From the root down, including the root.
    pub ids: Vec<NodeId>,
    /// The continuation after a cached end: the nodes below the one whose value was reused.
    pub beyond: Vec<NodeId>,
    /// Slides and spawns in turn, as played.
    pub played: Vec<Link>,
}

impl Line {
    pub fn contains(&self, id: NodeId) -> bool {
        // Numbers increase from the root down.
        self.ids.binary_search(&id).is_ok() || self.beyond.contains(&id)
    }

    /// The next node of the line, which after a cached node is not its child.
    pub fn onward(&self, id: NodeId) -> Option<NodeId> {
        let mut all = self.ids.iter().chain(&self.beyond);
        all.find(|&&on| on == id).and_then(|_| all.next().copied())
    }

    /// The continuation of the line, if this is its cached last node: `line continues at node 57: ←, 2 r1c2`. Slides
    /// and cells are those of the boards there, which may be rotated or mirrored.
    pub fn goes_on(&self, tree: &Tree, id: NodeId) -> Option<String> {
        let is_end = self.ids.last() == Some(&id) && tree.kind(id) == NodeKind::Cached;
        let Some(&first) = self.beyond.first().filter(|_| is_end) else {
            return is_end.then(|| "line continues outside the record, see Best play".to_owned());
        };
        let links: Vec<String> = self
            .beyond
            .iter()
            .map(|&id| names::link_of(tree, id))
            .collect();
        let above = tree
            .parent(first)
            .map(|above| names::number(tree, above))
            .unwrap_or_default();
        Some(format!("line continues at {above}: {}", links.join(", ")))
    }

    pub fn after(&self, id: NodeId) -> Option<NodeId> {
        let place = self.ids.binary_search(&id).ok()?;
        self.ids.get(place + 1).copied()
    }

    /// The spawn of the game at this node, if the game went through it.
    pub fn played_at(&self, tree: &Tree, id: NodeId) -> Option<Spawn> {
        let path = tree.path(id);
        let links = path.iter().filter_map(|&id| tree.link(id));
        if !links.eq(self.played.iter().copied().take(path.len() - 1)) {
            return None;
        }
        match self.played.get(path.len() - 1)? {
            Link::Spawn(spawn) => Some(*spawn),
            Link::Slide(_) => None,
        }
    }
}

/// The default unfolding, without changes by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// The chosen line for some plies, and the first spawns after the second-best move.
    #[default]
    Line,
    /// Every node above this ply.
    Ply(u8),
    /// Every node, with every spawn.
    Everything,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Folding {
    pub base: Base,
    by_hand: HashMap<NodeId, bool>,
    all_spawns: HashSet<NodeId>,
    pinned: HashSet<NodeId>,
    runner_up: Option<NodeId>,
    /// Number of plies of the line that are not unfolded.
    fewer: usize,
}

/// Number of plies of the line unfolded by default.
const LINE_PLIES: usize = 5;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    pub shown: Vec<NodeId>,
    /// Number of hidden children, recorded or not.
    pub hidden: u64,
}

impl Folding {
    /// The default of a new tree; `runner_up` is the node of the second-best move.
    pub fn new(base: Base, runner_up: Option<NodeId>) -> Self {
        Self {
            base,
            runner_up,
            ..Self::default()
        }
    }

    /// The folding for a view that fits only `plies` plies; `None` if the default fits, or if the user changed it.
    pub fn within(&self, plies: usize) -> Option<Self> {
        let is_usual = self.base == Base::Line && self.by_hand.is_empty();
        // The second-best move is on ply 1, its spawns are on ply 2.
        let runner_up = self.runner_up.filter(|_| 2 <= plies);
        let fewer = LINE_PLIES.saturating_sub(plies.max(1));
        (is_usual && 0 < fewer).then(|| Self {
            runner_up,
            fewer,
            ..self.clone()
        })
    }

    /// Carries the changes by hand over to another version of the same tree: `again` maps its nodes, `onto` is the
    /// folding of the new version.
    pub fn carried(&self, onto: &Self, again: impl Fn(NodeId) -> Option<NodeId>) -> Self {
        let all = |ids: &HashSet<NodeId>| ids.iter().filter_map(|&id| again(id)).collect();
        let by_hand = self
            .by_hand
            .iter()
            .filter_map(|(&id, &unfolded)| Some((again(id)?, unfolded)));
        let Self {
            base,
            runner_up,
            fewer,
            ..
        } = *onto;
        let (all_spawns, pinned) = (all(&self.all_spawns), all(&self.pinned));
        Self {
            base,
            runner_up,
            fewer,
            by_hand: by_hand.collect(),
            all_spawns,
            pinned,
        }
    }

    /// Whether the children of a node at this depth are drawn.
    pub fn is_unfolded(&self, line: &Line, id: NodeId, depth: u32) -> bool {
        if let Some(&unfolded) = self.by_hand.get(&id) {
            return unfolded;
        }
        match self.base {
            Base::Line => {
                id == NodeId(0)
                    || self.runner_up == Some(id)
                    || line
                        .ids
                        .iter()
                        .take(LINE_PLIES - self.fewer)
                        .any(|&on| on == id)
            }
            Base::Ply(ply) => depth < u32::from(ply),
            Base::Everything => true,
        }
    }

    /// Whether an unfolded node shows all its spawns.
    pub fn shows_all_spawns(&self, id: NodeId) -> bool {
        (self.base == Base::Everything) != self.all_spawns.contains(&id)
    }

    /// Whether the user opened all spawns of a node although fewer would be shown by default.
    pub fn can_show_fewer(&self, tree: &Tree, line: &Line, id: NodeId) -> bool {
        self.base != Base::Everything && self.all_spawns.contains(&id) && {
            let fewer = tree
                .representatives(id, line.after(id), line.played_at(tree, id))
                .len();
            fewer != 0 && fewer < tree.children(id).count()
        }
    }

    /// The drawn children of an unfolded node, by falling value.
    pub fn drawn(&self, tree: &Tree, line: &Line, id: NodeId) -> Drawn {
        let mut shown = Vec::new();
        if tree.has_spawns(id) && !self.shows_all_spawns(id) {
            shown = tree.representatives(id, line.after(id), line.played_at(tree, id));
            // Added searches are always visible.
            let is_pinned = |&child: &NodeId| self.pinned.contains(&child) || tree.is_graft(child);
            let pinned = tree
                .children(id)
                .filter(|child| is_pinned(child) && !shown.contains(child));
            shown.extend(pinned.collect::<Vec<_>>());
        }
        // No node below a cut has a value.
        if shown.is_empty() {
            shown = tree.children(id).collect();
        }
        by_worth(tree, id, &mut shown);
        let folded = tree.children(id).count() - shown.len();
        Drawn {
            shown,
            hidden: folded as u64 + tree.left_out_at(id),
        }
    }

    pub fn set(&mut self, id: NodeId, unfolded: bool) {
        self.by_hand.insert(id, unfolded);
    }

    /// Shows all spawns of a node, or only the most informative ones.
    pub fn toggle_all_spawns(&mut self, id: NodeId) {
        if !self.all_spawns.remove(&id) {
            self.all_spawns.insert(id);
        }
    }

    /// Unfolds all ancestors of a node, so that it is drawn.
    pub fn reveal(&mut self, tree: &Tree, line: &Line, id: NodeId) {
        let path = tree.path(id);
        for (depth, two) in path.windows(2).enumerate() {
            if !self.is_unfolded(line, two[0], depth as u32) {
                self.by_hand.insert(two[0], true);
            }
            if !self.drawn(tree, line, two[0]).shown.contains(&two[1]) {
                self.pinned.insert(two[1]);
            }
        }
    }

    pub fn is_drawn(&self, tree: &Tree, line: &Line, id: NodeId) -> bool {
        tree.path(id).windows(2).enumerate().all(|(depth, two)| {
            self.is_unfolded(line, two[0], depth as u32)
                && self.drawn(tree, line, two[0]).shown.contains(&two[1])
        })
    }
}

/// Sorts the children of a node, best first.
pub(crate) fn by_worth(tree: &Tree, id: NodeId, children: &mut [NodeId]) {
    let worth = |id: NodeId| tree.value(id).unwrap_or(f64::NEG_INFINITY);
    let wants_least = id == tree.root() && !tree.objective().higher;
    children.sort_by(|&a, &b| {
        let order = worth(b).total_cmp(&worth(a));
        if wants_least { order.reverse() } else { order }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::Rules;
    use crate::search::{Origin, SearchOptions, SpawnRule};
    use crate::strategy::{Decision, Player, Strategy};

    fn tree(lookahead: &str) -> std::sync::Arc<Tree> {
        let strategy: Strategy =
            format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])")
                .parse()
                .expect("a strategy");
        let player = Player::new(&strategy, Rules::default());
        let board = board! {
            64 32 8 2
            16 8 4 .
            4 2 . .
            2 . . .
        };
        let decision = Decision::of(
            &player,
            (&board, 0),
            |_| 0,
            SearchOptions::default(),
            100_000,
        );
        decision
            .tree(&strategy, 0, Rules::default())
            .expect("recorded")
    }

    fn trees() -> Vec<std::sync::Arc<Tree>> {
        let lookaheads = [
            "Expectimax(plies: Fixed(3))",
            "Expectimax(plies: Fixed(4), cuts: [Reach(0.01)])",
            "Minimax(plies: Fixed(3), cuts: [AlphaBeta])",
            "Expectimax(plies: Fixed(3), cuts: [ImportantCells(k: 2)])",
        ];
        lookaheads.into_iter().map(tree).collect()
    }

    fn line(tree: &Tree) -> Line {
        Line {
            ids: tree.line(SpawnRule::Median, &[]),
            ..Line::default()
        }
    }

    #[test]
    fn what_is_drawn_and_what_is_hidden_are_all_children() {
        for tree in trees() {
            let line = line(&tree);
            for base in [Base::Line, Base::Ply(2), Base::Everything] {
                let folding = Folding::new(base, None);
                for id in tree.ids() {
                    let Drawn { shown, hidden } = folding.drawn(&tree, &line, id);
                    assert!(shown.iter().all(|&child| tree.parent(child) == Some(id)));
                    let all = tree.children(id).count() as u64 + tree.left_out_at(id);
                    assert_eq!(shown.len() as u64 + hidden, all);
                    assert!(base != Base::Everything || hidden == tree.left_out_at(id));
                    assert!(
                        line.after(id).is_none_or(|next| shown.contains(&next)),
                        "the line is drawn"
                    );
                    let values: Vec<f64> = shown
                        .iter()
                        .filter_map(|&child| tree.value(child))
                        .collect();
                    assert!(values.is_sorted_by(|a, b| b <= a), "{values:?}");
                }
            }
        }
    }

    #[test]
    fn whatever_is_revealed_is_drawn_and_nothing_that_was_drawn_goes() {
        for tree in trees() {
            let line = line(&tree);
            let mut folding = Folding::new(Base::Line, None);
            let drawn: Vec<NodeId> = tree
                .ids()
                .filter(|&id| folding.is_drawn(&tree, &line, id))
                .collect();
            assert!(
                line.ids
                    .iter()
                    .take(LINE_PLIES)
                    .all(|id| drawn.contains(id))
            );
            for id in tree.ids().step_by(tree.kept() / 50 + 1) {
                folding.reveal(&tree, &line, id);
                assert!(folding.is_drawn(&tree, &line, id));
            }
            assert!(drawn.iter().all(|&id| folding.is_drawn(&tree, &line, id)));
        }
    }

    #[test]
    fn within_fewer_plies_less_is_drawn_unless_somebody_has_unfolded_it() {
        for tree in trees() {
            let line = line(&tree);
            let mut folding = Folding::new(Base::Line, None);
            let deepest = |folding: &Folding| {
                let drawn = tree.ids().filter(|&id| folding.is_drawn(&tree, &line, id));
                drawn.map(|id| tree.depth(id) as usize).max().unwrap_or(0)
            };
            let all = deepest(&folding);
            for plies in 1..LINE_PLIES {
                assert_eq!(
                    deepest(&folding.within(plies).expect("fewer")),
                    all.min(plies)
                );
            }
            assert_eq!(folding.within(LINE_PLIES), None);
            folding.set(tree.root(), true);
            assert_eq!(folding.within(1), None);
        }
    }

    #[test]
    fn the_line_goes_on_behind_a_cached_node() {
        let tree = tree("Expectimax(plies: Fixed(5))");
        let stored = |id: NodeId| match tree.node(id).origin {
            Origin::Stored { node, .. } => node.filter(|&node| tree.kept_below(node) != 0),
            _ => None,
        };

        let (cached, stored_at) = tree
            .ids()
            .find_map(|id| Some((id, stored(id)?)))
            .expect("a cached node");
        let ids = tree.path(cached);
        let beyond = tree.line_beyond(&ids, SpawnRule::Median);
        assert_eq!(
            tree.parent(beyond[0]),
            Some(stored_at),
            "below the node whose value was taken"
        );

        let line = Line {
            ids,
            beyond,
            ..Line::default()
        };
        assert_eq!(
            (line.after(cached), line.onward(cached)),
            (None, Some(line.beyond[0]))
        );
        assert!(
            line.contains(line.beyond[0]) && line.onward(tree.root()) == line.ids.get(1).copied()
        );
        assert_eq!(line.onward(line.beyond[line.beyond.len() - 1]), None);

        let sentence = line.goes_on(&tree, cached).expect("the end of the line");
        let begins = format!(
            "line continues at node {}: ",
            crate::words::count(tree.order(stored_at))
        );
        assert!(
            sentence.starts_with(&begins)
                && sentence.matches(", ").count() + 1 == line.beyond.len(),
            "{sentence}"
        );
        assert_eq!(line.goes_on(&tree, tree.root()), None);
        let alone = Line {
            beyond: Vec::new(),
            ..line
        };
        assert!(
            alone
                .goes_on(&tree, cached)
                .is_some_and(|sentence| sentence.contains("outside the record"))
        );
    }

    #[test]
    fn to_a_ply_everything_above_it_is_unfolded_and_nothing_else() {
        for tree in trees() {
            let line = line(&tree);
            for ply in 1..5 {
                let folding = Folding::new(Base::Ply(ply), None);
                for id in tree.ids() {
                    let depth = tree.depth(id);
                    assert_eq!(
                        folding.is_unfolded(&line, id, depth),
                        depth < u32::from(ply)
                    );
                }
            }
        }
    }

    #[test]
    fn a_spawn_is_played_only_where_the_game_went() {
        let tree = tree("Expectimax(plies: Fixed(3))");
        let root = tree.root();
        let [first, second] = [0, 1].map(|n| tree.children(root).nth(n).expect("two slides"));
        let spawn = tree
            .children(first)
            .next()
            .and_then(|id| tree.link(id))
            .expect("a spawn");
        let played = vec![tree.link(first).expect("a slide"), spawn];
        let line = Line {
            ids: tree.line(SpawnRule::AsPlayed, &played),
            played,
            ..Line::default()
        };
        let Link::Spawn(expected) = spawn else {
            panic!("spawns follow slides")
        };
        assert_eq!(line.played_at(&tree, first), Some(expected));
        assert_eq!(line.played_at(&tree, second), None);
        assert_eq!(line.played_at(&tree, root), None);
    }
}

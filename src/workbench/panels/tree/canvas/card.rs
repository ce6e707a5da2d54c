//! The texts of a node, computed once and cached while the node is visible.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::words as names;
use crate::search::{
    Bound, Link, NodeId, NodeKind, NodeView, Origin, Outcome, Roles, SpawnMap, Tree,
};
use crate::words;
use crate::workbench::panels::tree::Line;

#[derive(Debug)]
pub(super) struct Card {
    pub node: NodeView,
    pub value: String,
    /// The line below the value.
    pub note: String,
    /// Why it is shown among its siblings.
    pub roles: Roles,
    pub sentence: String,
    /// The values of its spawns, if it is an afterstate with spawns below.
    pub map: Option<SpawnMap>,
}

/// Cards of this frame and the previous one.
#[derive(Debug, Default)]
pub(super) struct Cards {
    now: HashMap<NodeId, Rc<Card>>,
    before: HashMap<NodeId, Rc<Card>>,
}

impl Cards {
    /// Starts a frame: drops the cards that the last frame did not use.
    pub(super) fn turn(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    pub(super) fn clear(&mut self) {
        self.now.clear();
        self.before.clear();
    }

    pub(super) fn of(&mut self, tree: &Tree, line: &Line, id: NodeId) -> Rc<Card> {
        if let Some(card) = self.now.get(&id) {
            return card.clone();
        }
        let card = self
            .before
            .remove(&id)
            .unwrap_or_else(|| Rc::new(Card::new(tree, line, id)));
        self.now.insert(id, card.clone());
        card
    }
}

impl Card {
    fn new(tree: &Tree, line: &Line, id: NodeId) -> Self {
        let node = tree.node(id);
        let is_afterstate = matches!(
            node.kind,
            NodeKind::Chance | NodeKind::Min | NodeKind::Cached
        );
        let map = if is_afterstate {
            tree.spawn_map(id)
        } else {
            None
        };

        let mut roles = Roles::default();
        if let (Some(parent), Some(Link::Spawn(_))) = (node.parent, node.link) {
            let shown = tree.representatives_with_roles(
                parent,
                line.after(parent),
                line.played_at(tree, parent),
            );
            roles = shown
                .into_iter()
                .find(|(child, _)| *child == id)
                .map(|(_, roles)| roles)
                .unwrap_or_default();
            // Behind a cut spawns may be worse, and among mere bounds none is known to be the best.
            let is_complete = || tree.spawn_map(parent).is_some_and(|map| map.is_complete);
            roles.best = roles.best && (tree.kind(parent) != NodeKind::Min || is_complete());
            roles.worst = roles.worst && tree.bound(parent) == Bound::Exact;
        }

        let mut card = Self {
            value: names::value(tree, id),
            note: String::new(),
            sentence: names::sentence(tree, &node),
            node,
            roles,
            map,
        };
        card.note = card.note_of(tree);
        card
    }

    /// The gray line, which answers the reader's first question.
    fn note_of(&self, tree: &Tree) -> String {
        let node = &self.node;
        if let Some(reason) = names::cut_reason(&node.origin) {
            return reason;
        }
        if node.parent.is_none() {
            let moves = tree.children(node.id).count();
            return if moves == 1 {
                "the only move".to_owned()
            } else {
                format!("best of {moves}")
            };
        }
        if !matches!(node.link, Some(Link::Spawn(_))) {
            return self.note_of_slide(tree);
        }

        match (self.roles.text(), node.origin) {
            (roles, _) if !roles.is_empty() => roles,
            (_, Origin::Stored { .. }) => "cached".to_owned(),
            (_, Origin::Dead) => "no move left".to_owned(),
            _ => format!("reach {}", names::reach(node.reach)),
        }
    }

    fn note_of_slide(&self, tree: &Tree) -> String {
        let node = &self.node;
        let below = match node.origin {
            Origin::Stored { .. } => Some("cached".to_owned()),
            _ if node.below == 0 => None,
            _ => Some(format!("{} below", words::count(node.below))),
        };
        let least = node.parent == Some(tree.root()) && !tree.objective().higher;
        let siblings = node
            .parent
            .into_iter()
            .flat_map(|parent| tree.children(parent))
            .filter(|&id| id != node.id);
        let others = siblings.filter_map(|id| Some((tree.value(id)?, tree.bound(id))));
        let best = others.reduce(|most, next| {
            let is_better = if least {
                next.0 < most.0
            } else {
                most.0 < next.0
            };
            if is_better { next } else { most }
        });

        let against = node.value.zip(best).map(|(value, (best, bound))| {
            let off = value - best;
            let is_best = if least { off <= 0.0 } else { 0.0 <= off };
            // "At most the best" does not make a move the best.
            let is_sure = node.bound != if least { Bound::Lower } else { Bound::Upper };
            let text = || names::bounded_difference(off, node.bound.minus(bound));
            if is_best && is_sure {
                "best".to_owned()
            } else {
                text()
            }
        });

        match (against, below) {
            (Some(against), Some(below)) => format!("{against}, {below}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => format!("reach {}", names::reach(node.reach)),
        }
    }

    pub(super) fn board_note(&self, depth: usize) -> String {
        let how = match self.node.origin {
            Origin::MeanOf => "mean of",
            Origin::SumOf => "sum over",
            Origin::LeastMeanOf => "least mean of",
            Origin::MeanLeastOf => "mean of the least of",
            Origin::MinOf => "least of",
            _ => return self.note.clone(),
        };
        let Some(map) = &self.map else {
            return self.note.clone();
        };

        // The number of empty cells with considered spawns, and of tiles on each.
        let considered = |outcomes: &[Option<Outcome>; 2]| {
            outcomes
                .iter()
                .flatten()
                .filter(|outcome| 0.0 < outcome.probability)
                .count()
        };
        let tiles: Vec<usize> = map
            .cells
            .iter()
            .map(|(_, outcomes)| considered(outcomes))
            .filter(|&n| n != 0)
            .collect();
        let each = if tiles.iter().max() == Some(&2) {
            " × 2"
        } else {
            ""
        };
        let how = format!("{how} {}{each}", words::plural(tiles.len() as u64, "cell"));
        // Among root moves, only the best has no loss, and shows the mean.
        let loss = self
            .note
            .split(", ")
            .next()
            .filter(|text| text.trim_start_matches("≤ ").starts_with('−'));
        match loss {
            Some(loss) if depth == 1 => format!("{loss} vs. best"),
            Some(_) => self.note.clone(),
            None => how,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board;
    use crate::game::Rules;
    use crate::search::{SearchOptions, SpawnRule};
    use crate::strategy::{Decision, Player, Strategy};

    fn tree(lookahead: &str) -> std::sync::Arc<Tree> {
        let strategy = format!("(criteria: [(evaluator: Snake, lookahead: {lookahead})])");
        let strategy: Strategy = strategy.parse().expect("a strategy");
        let board = board! {
            64 32 8 2
            16 8 4 .
            4 2 . .
            2 . . .
        };
        let order = SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            100_000,
        );
        decision
            .tree(&strategy, 0, Rules::default())
            .expect("recorded")
    }

    fn card(tree: &Tree, id: NodeId) -> Card {
        Card::new(
            tree,
            &Line {
                ids: tree.line(SpawnRule::Median, &[]),
                ..Line::default()
            },
            id,
        )
    }

    #[test]
    fn a_loss_of_thousands_is_written_in_full_under_the_board() {
        let tree = tree("Expectimax(plies: Fixed(3))");
        let slide = tree.children(tree.root()).next().expect("a slide");
        let card = Card {
            note: "−1,234.5, 300 below".to_owned(),
            ..card(&tree, slide)
        };
        assert_eq!(card.board_note(1), "−1,234.5 vs. best");
    }

    #[test]
    fn what_is_only_a_bound_is_neither_the_best_spawn_nor_the_best_slide() {
        let tree = tree("Minimax(plies: Fixed(4), cuts: [AlphaBeta])");
        let mut bounds = 0;
        for id in tree
            .ids()
            .filter(|&id| tree.bound(id) == Bound::Upper && tree.parent(id) == Some(tree.root()))
        {
            let note = card(&tree, id).note;
            assert!(note.starts_with("≤ ") || note.starts_with('–'), "{note}");
            bounds += 1;
        }
        assert_ne!(bounds, 0);
        for id in tree.ids() {
            let card = card(&tree, id);
            let Some(parent) = tree
                .parent(id)
                .filter(|&parent| tree.kind(parent) == NodeKind::Min)
            else {
                continue;
            };
            let exact = tree
                .children(parent)
                .all(|id| tree.value(id).is_some() && tree.bound(id) == Bound::Exact);
            assert!(exact || !card.roles.best, "{card:?}");
        }
    }
}

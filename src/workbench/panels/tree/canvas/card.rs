//! What is written at a node: derived once, kept while the node is in view.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::words as names;
use crate::search::{Link, NodeId, NodeKind, NodeView, Origin, Roles, SpawnMap, Tree};
use crate::words;
use crate::workbench::panels::inspection::Line;

/// A node with its words.
#[derive(Debug)]
pub struct Card {
    /// The node.
    pub node: NodeView,
    /// Its value.
    pub value: String,
    /// The line under it.
    pub note: String,
    /// How it came to be shown among its siblings.
    pub roles: Roles,
    /// For screen readers and the tooltip.
    pub sentence: String,
    /// What its spawns are worth, if it is an afterstate with spawns below.
    pub map: Option<SpawnMap>,
    /// Empty cells over which its value is a mean, with how many tiles each.
    pub cells: Option<(usize, usize)>,
}

/// Cards of this frame and the one before.
#[derive(Debug, Default)]
pub struct Cards {
    now: HashMap<NodeId, Rc<Card>>,
    before: HashMap<NodeId, Rc<Card>>,
}

impl Cards {
    /// Another frame begins: what the last one did not ask for is forgotten.
    pub fn turn(&mut self) {
        self.before = std::mem::take(&mut self.now);
    }

    /// Another tree or line: all is derived again.
    pub fn clear(&mut self) {
        self.now.clear();
        self.before.clear();
    }

    /// The card of a node.
    pub fn of(&mut self, tree: &Tree, line: &Line, id: NodeId) -> Rc<Card> {
        if let Some(card) = self.now.get(&id) {
            return card.clone();
        }
        let card = self.before.remove(&id).unwrap_or_else(|| Rc::new(Card::new(tree, line, id)));
        self.now.insert(id, card.clone());
        card
    }
}

impl Card {
    fn new(tree: &Tree, line: &Line, id: NodeId) -> Self {
        let node = tree.node(id);
        let map = matches!(node.kind, NodeKind::Chance | NodeKind::Min | NodeKind::Cached)
            .then(|| tree.spawn_map(id))
            .flatten();
        let roles = match (node.parent, node.link) {
            (Some(parent), Some(Link::Spawn(_))) => {
                let shown = tree.representatives_with_roles(parent, line.after(parent), line.played_at(tree, parent));
                shown.into_iter().find(|(child, _)| *child == id).map(|(_, roles)| roles).unwrap_or_default()
            }
            _ => Roles::default(),
        };
        let cells = map.as_ref().map(|map| {
            let considered = |outcomes: &[Option<crate::search::Outcome>; 2]| {
                outcomes.iter().flatten().filter(|outcome| 0.0 < outcome.probability).count()
            };
            let counts: Vec<usize> =
                map.cells.iter().map(|(_, outcomes)| considered(outcomes)).filter(|&n| n != 0).collect();
            (counts.len(), counts.iter().copied().max().unwrap_or(0))
        });
        let mut card = Self {
            value: names::value(node.value, node.bound),
            note: String::new(),
            sentence: names::sentence_of(tree, &node),
            node,
            roles,
            map,
            cells,
        };
        card.note = card.note_of(tree);
        card
    }

    /// The grey line: what a reader would ask first.
    fn note_of(&self, tree: &Tree) -> String {
        let node = &self.node;
        if let Some(reason) = names::cut_reason(&node.origin) {
            return reason;
        }
        if node.parent.is_none() {
            let moves = tree.children(node.id).count();
            return if moves == 1 { "the only move".to_owned() } else { format!("best of {moves}") };
        }
        match node.link {
            Some(Link::Spawn(_)) => {
                let roles = self.roles.text();
                match node.origin {
                    Origin::Stored { .. } if roles.is_empty() => "from the table".to_owned(),
                    Origin::Dead if roles.is_empty() => "no move left".to_owned(),
                    _ if roles.is_empty() => format!("reach {}", names::reach(node.reach)),
                    _ => roles,
                }
            }
            _ => self.note_of_slide(tree),
        }
    }

    /// Against the best sibling, and how much was searched.
    fn note_of_slide(&self, tree: &Tree) -> String {
        let node = &self.node;
        let below = match node.origin {
            Origin::Stored { .. } => Some("table".to_owned()),
            _ if node.below == 0 => None,
            _ => Some(format!("{} below", words::count(node.below))),
        };
        let least = node.parent == Some(tree.root()) && !tree.aim().higher;
        let siblings = node.parent.into_iter().flat_map(|parent| tree.children(parent)).filter(|&id| id != node.id);
        let others = siblings.filter_map(|id| tree.value(id));
        let best = others.reduce(if least { f64::min } else { f64::max });
        let against = match (node.value, best) {
            (Some(value), Some(best)) => {
                let off = value - best;
                let is_best = if least { off <= 0.0 } else { 0.0 <= off };
                Some(if is_best { "best".to_owned() } else { names::difference(off) })
            }
            _ => None,
        };
        match (against, below) {
            (Some(against), Some(below)) => format!("{against}, {below}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => format!("reach {}", names::reach(node.reach)),
        }
    }

    /// Under the board of an unfolded afterstate.
    pub fn board_note(&self, depth: usize) -> String {
        let tiles = |(cells, tiles): (usize, usize)| {
            let each = if tiles == 2 { " × 2" } else { "" };
            format!("{}{each}", words::plural(cells as u64, "cell"))
        };
        let how = match (self.node.origin, self.cells) {
            (Origin::MeanOf, Some(cells)) => format!("mean of {}", tiles(cells)),
            (Origin::SumOf, Some(cells)) => format!("sum over {}", tiles(cells)),
            (Origin::LeastMeanOf, Some(cells)) => format!("least mean of {}", tiles(cells)),
            (Origin::MinOf, Some(cells)) => format!("least of {}", tiles(cells)),
            _ => return self.note.clone(),
        };
        // Of the root moves only the best is a mean and no loss.
        let loss = self.note.split(',').next().filter(|text| text.starts_with('−'));
        match loss {
            Some(loss) if depth == 1 => format!("{loss} to best"),
            Some(_) => self.note.clone(),
            None => how,
        }
    }
}

//! Two searches of one board, matched node by node.

use std::collections::HashSet;
use std::sync::Arc;

use crate::search::{Bound, Definition, Matched, NodeId, NodeKind, Origin, SpawnValue, Tree};
use crate::words;
use crate::workbench::panels::tree::words::{link_of, value_by_now};
use crate::workbench::panels::tree::{Base, Folding, Known, Line, Shown};

/// The two decisions and their rows.
pub(super) type Key = [(u64, usize); 2];

/// A path: its node in each record.
pub(super) type Nodes = [Option<NodeId>; 2];

/// More rows than anyone reads.
pub(super) const MOST_ROWS: usize = 20_000;
/// Differences above this quantile share the end of the scale.
const SPAN_QUANTILE: f64 = 0.95;
/// Number of nodes sampled for the span and the decimals.
const SAMPLES: usize = 4096;

#[derive(Debug)]
pub(super) struct Pair {
    pub shown: [Shown; 2],
    pub matched: Matched,
    /// Common nodes at which they prefer different moves.
    pub disagreements: u64,
    /// Common nodes at which the player moves and both have a value.
    pub choices: u64,
    /// Whether both use the same units, so that values can be compared.
    pub same_units: bool,
    /// The difference at the ends of the bars.
    pub span: f64,
    /// For the values of each record, so that different root values read differently.
    decimals: [usize; 2],
}

/// The content of a row at the current step of the replay.
pub(super) struct PairedRow {
    pub said: [Said; 2],
    /// How much higher the right record values it.
    pub difference: Option<f64>,
    /// Whether each record prefers it among its siblings.
    pub is_best: [bool; 2],
    /// Whether they prefer different moves there.
    pub disagree: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CompareRow {
    Node(Path),
    /// Spawns of a node of the left record that are not drawn; 0 if all are.
    More {
        parent: NodeId,
        depth: u32,
        count: u64,
    },
}

/// A path, and whether its children are listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Path {
    pub nodes: Nodes,
    pub depth: u32,
    pub has_below: bool,
    pub is_open: bool,
}

impl CompareRow {
    pub(super) fn left(&self) -> Option<NodeId> {
        match self {
            Self::Node(path) => path.nodes[0],
            Self::More { .. } => None,
        }
    }
}

impl Pair {
    pub(super) fn new(shown: [Shown; 2]) -> Self {
        let [a, b] = [0, 1].map(|side: usize| shown[side].tree.clone());
        let matched = Matched::new(a.clone(), b.clone());
        let unit = |tree: &Tree| {
            let Definition {
                evaluator,
                lookahead,
                ..
            } = &tree.subject().definition;
            (
                evaluator.clone(),
                lookahead
                    .depth_limited()
                    .is_some_and(|search| search.spawn == SpawnValue::Sum),
            )
        };
        let same_units = unit(&a) == unit(&b);
        let moves = |tree: &Tree| {
            tree.children(tree.root())
                .filter_map(|id| tree.value(id))
                .collect::<Vec<f64>>()
        };
        let decimals = match same_units {
            true => [words::places(moves(&a).into_iter().chain(moves(&b))); 2],
            false => [&a, &b].map(|tree| words::places(moves(tree))),
        };

        let is_choice = |&id: &NodeId| {
            a.kind(id) == NodeKind::Max
                && matched
                    .b_of(id)
                    .is_some_and(|twin| b.kind(twin) == NodeKind::Max)
        };
        let choices: Vec<NodeId> = a.ids().filter(is_choice).collect();
        let disagreements = choices.iter().filter(|&&id| matched.disagree(id)).count() as u64;
        let choices = choices.len() as u64;
        let mut pair = Self {
            disagreements,
            choices,
            same_units,
            span: 1.0,
            decimals,
            matched,
            shown,
        };
        let step = a.kept().div_ceil(SAMPLES).max(1);
        let sizes = a
            .ids()
            .step_by(step)
            .filter_map(|id| pair.difference([Some(id), None]))
            .map(f64::abs);
        let mut sizes: Vec<f64> = sizes
            .filter(|size| 0.0 < *size && size.is_finite())
            .collect();
        if let Some(last) = sizes.len().checked_sub(1) {
            let place = (last as f64 * SPAN_QUANTILE) as usize;
            pair.span = *sizes.select_nth_unstable_by(place, f64::total_cmp).1;
        }

        pair
    }

    pub(super) fn tree(&self, side: usize) -> &Arc<Tree> {
        &self.shown[side].tree
    }

    /// The rows of all unfolded nodes below a node of the left record; true if some did not fit.
    pub(super) fn rows(
        &self,
        from: NodeId,
        folding: &Folding,
        line: &Line,
        open: &HashSet<NodeId>,
    ) -> (Vec<CompareRow>, bool) {
        let mut rows = Vec::new();
        let path = |nodes: Nodes, depth: u32| {
            let has_below = self.has_below(nodes);
            let is_open = has_below && is_unfolded(nodes, depth, folding, line, open);
            CompareRow::Node(Path {
                nodes,
                depth,
                has_below,
                is_open,
            })
        };
        let mut next = vec![path([Some(from), self.matched.b_of(from)], 0)];
        while let Some(row) = next.pop() {
            if MOST_ROWS <= rows.len() {
                return (rows, true);
            }
            rows.push(row);
            let CompareRow::Node(Path {
                nodes,
                depth,
                is_open: true,
                ..
            }) = row
            else {
                continue;
            };
            let (children, hidden) = self.children(nodes, folding, line);
            let depth = depth + 1;
            if let (Some(count), Some(parent)) = (hidden, nodes[0]) {
                next.push(CompareRow::More {
                    parent,
                    depth,
                    count,
                });
            }
            next.extend(children.into_iter().rev().map(|nodes| path(nodes, depth)));
        }

        (rows, false)
    }

    pub(super) fn sentence(&self, nodes: Nodes, paired: &PairedRow) -> String {
        let side = usize::from(nodes[0].is_none());
        let Some(id) = nodes[side] else {
            return String::new();
        };
        let tree = self.tree(side);
        let [left, right] = [("first", &paired.said[0]), ("second", &paired.said[1])].map(
            |(half, said)| match &said.value {
                Some(value) => format!("{half} {value}"),
                None => format!("{half} none ({})", said.note),
            },
        );
        let what = self.difference_name().to_lowercase();
        let difference = paired
            .difference
            .map(|difference| format!(", {what} {}", self.difference_text(difference)));
        let difference = difference.unwrap_or_default();
        let choice = if paired.disagree {
            ", the searches prefer different moves"
        } else {
            ""
        };
        format!(
            "{} {}: {left}, {right}{difference}{choice}",
            tree.kind(id).name(),
            link_of(tree, id)
        )
    }

    /// The children of a path with rows, and the number of hidden spawns of the left one.
    fn children(&self, [a, b]: Nodes, folding: &Folding, line: &Line) -> (Vec<Nodes>, Option<u64>) {
        let [left, right] = [self.tree(0), self.tree(1)];
        let is_few = a.is_none_or(|a| !folding.shows_all_spawns(a));
        let spawns_left = a.is_some_and(|a| left.has_spawns(a));
        let spawns_right = b.is_some_and(|b| right.has_spawns(b));
        let mut hidden = 0;
        let mut shown = Vec::new();
        if let Some(a) = a {
            let drawn = folding.drawn(left, line, a);
            (shown, hidden) = (drawn.shown, drawn.hidden);
            // Also the most informative spawns of the other search.
            if let Some(b) = b.filter(|_| is_few && spawns_left) {
                let also = right
                    .representatives(b, None, None)
                    .into_iter()
                    .filter_map(|id| self.matched.a_of(id));
                let also: Vec<NodeId> = also.filter(|id| !shown.contains(id)).collect();
                hidden = hidden.saturating_sub(also.len() as u64);
                shown.extend(also);
                let worth = |id: NodeId| left.value(id).unwrap_or(f64::NEG_INFINITY);
                shown.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
            }
        }

        let mut children: Vec<_> = shown
            .into_iter()
            .map(|id| [Some(id), self.matched.b_of(id)])
            .collect();
        if let Some(b) = b {
            let alone: Vec<NodeId> = right
                .children(b)
                .filter(|&id| self.matched.a_of(id).is_none())
                .collect();
            let few = match is_few && spawns_right {
                true => right
                    .representatives(b, None, None)
                    .into_iter()
                    .filter(|id| alone.contains(id))
                    .collect(),
                false => alone.clone(),
            };
            hidden += (alone.len() - few.len()) as u64;
            children.extend(few.into_iter().map(|id| [None, Some(id)]));
        }

        let can_be_fewer = !is_few && folding.base != Base::Everything;
        let hidden =
            ((spawns_left || spawns_right) && (0 < hidden || can_be_fewer)).then_some(hidden);
        (children, hidden)
    }

    fn has_below(&self, nodes: Nodes) -> bool {
        [0, 1]
            .into_iter()
            .any(|side| nodes[side].is_some_and(|id| self.tree(side).kept_below(id) != 0))
    }

    /// The content of a row. For the left record, which may be in replay, only what is known at the current step.
    pub(super) fn told(&self, nodes: Nodes, knowledge: impl Fn(NodeId) -> Known) -> PairedRow {
        let mut said = [0, 1].map(|side| self.said(side, nodes));
        let known_of = |id: Option<NodeId>| id.map_or(Known::All, &knowledge);
        let known_here = known_of(nodes[0]);
        if let (Some(id), true) = (nodes[0], known_here != Known::All) {
            let tree = self.tree(0);
            let value = value_by_now(known_here, tree, id);
            said[0] = Said {
                value: Some(value),
                exact: None,
                note: String::new(),
                is_cut: false,
                is_missing: false,
            };
        }

        let is_known = known_here == Known::All;
        let is_over = known_of(nodes[0].and_then(|id| self.tree(0).parent(id))) == Known::All;
        PairedRow {
            said,
            difference: self.difference(nodes).filter(|_| is_known),
            is_best: [
                is_over && self.is_best(0, nodes[0]),
                self.is_best(1, nodes[1]),
            ],
            disagree: is_known && self.disagree(nodes),
        }
    }

    fn said(&self, side: usize, nodes: Nodes) -> Said {
        let tree = self.tree(side);
        let Some(id) = nodes[side] else {
            let other = nodes[1 - side].unwrap_or(NodeId(0));
            return Said {
                value: None,
                exact: None,
                note: self.why_missing(side, other),
                is_cut: true,
                is_missing: true,
            };
        };

        let kind = tree.kind(id);
        let value = tree.value(id);
        let is_cut = value.is_none() || kind == NodeKind::Cut;
        let note = match kind {
            _ if is_cut => tree.node(id).origin.text(),
            NodeKind::Cached => "cached".to_owned(),
            NodeKind::Dead => "dead board".to_owned(),
            _ => String::new(),
        };

        let sign = tree.bound(id).sign();
        let written = |value| format!("{sign}{}", words::decimals(value, self.decimals[side]));
        let exact = value.map(|value| format!("{sign}{}", words::exact(value)));
        Said {
            value: value.map(written),
            exact,
            note,
            is_cut,
            is_missing: false,
        }
    }

    /// Why one record lacks a node of the other: what ended it at the nearest common ancestor.
    fn why_missing(&self, side: usize, other: NodeId) -> String {
        let (tree, other_tree) = (self.tree(side), self.tree(1 - side));
        let twin = |id: NodeId| {
            if side == 1 {
                self.matched.b_of(id)
            } else {
                self.matched.a_of(id)
            }
        };
        let above = std::iter::successors(other_tree.parent(other), |&id| other_tree.parent(id))
            .find_map(twin);
        let Some(above) = above else {
            return "another board".to_owned();
        };
        if 0 < tree.left_out_at(above) {
            return "not recorded".to_owned();
        }

        match tree.node(above).origin {
            Origin::Evaluated => "beyond its depth".to_owned(),
            Origin::Dead => "below a dead board".to_owned(),
            Origin::Stored { .. } => "below a cached node".to_owned(),
            origin @ (Origin::TooImprobable { .. }
            | Origin::OutOfBounds { .. }
            | Origin::Unimportant { .. }) => {
                format!("cut above: {}", origin.text())
            }
            _ => "not searched".to_owned(),
        }
    }

    /// Whether a record prefers this node among its siblings.
    fn is_best(&self, side: usize, id: Option<NodeId>) -> bool {
        let tree = self.tree(side);
        id.is_some_and(|id| {
            tree.parent(id)
                .is_some_and(|parent| tree.best_child(parent) == Some(id))
        })
    }

    /// How much higher the right record values a node of the left one.
    pub(super) fn difference(&self, nodes: Nodes) -> Option<f64> {
        let a = nodes[0]?;
        if !self.same_units {
            return self.matched.difference(a);
        }
        let b = self.matched.b_of(a)?;
        let exact =
            |tree: &Tree, id: NodeId| tree.value(id).filter(|_| tree.bound(id) == Bound::Exact);
        Some(exact(self.tree(1), b)? - exact(self.tree(0), a)?)
            .filter(|difference| difference.is_finite())
    }

    /// The header of its column: values of two evaluators have no difference.
    pub(super) fn difference_name(&self) -> &'static str {
        if self.same_units {
            "Second − first"
        } else {
            "Change of standing"
        }
    }

    pub(super) fn difference_text(&self, difference: f64) -> String {
        match self.same_units {
            true => words::difference(difference),
            false => format!("{} %", words::signed(100.0 * difference, 0)),
        }
    }

    fn disagree(&self, nodes: Nodes) -> bool {
        nodes[0].is_some_and(|id| self.matched.disagree(id))
    }
}

pub(super) struct Said {
    pub value: Option<String>,
    /// The value with all decimals.
    pub exact: Option<String>,
    pub note: String,
    pub is_cut: bool,
    pub is_missing: bool,
}

fn is_unfolded(
    [a, b]: Nodes,
    depth: u32,
    folding: &Folding,
    line: &Line,
    open: &HashSet<NodeId>,
) -> bool {
    match (a, b) {
        (Some(a), _) => folding.is_unfolded(line, a, depth),
        (None, Some(b)) => open.contains(&b),
        (None, None) => false,
    }
}

//! The children of a node, each compared with its siblings, as a table that sorts and selects.

use egui::{Align2, FontId, Painter, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use crate::search::{Bound, Link, NodeId, NodeKind, NodeView, Tree};
use crate::words;
use crate::workbench::kit::{LEGEND_RADIUS, ListRow, Sort, header, paint_node, rule};
use crate::workbench::panels::tree::words as names;
use crate::workbench::theme::{self, Theme};

const HEADER: f32 = 22.0;
/// Column widths from the right: kind with its word, nodes below, loss or difference, value.
const KIND: f32 = 78.0;
const SIGN: f32 = 24.0;
const BELOW: f32 = 56.0;
const BESIDE: f32 = 60.0;
const VALUE: f32 = 72.0;
/// Below this width kinds have no word.
const WORDS: f32 = 310.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChildColumn {
    Order,
    Value,
    Beside,
    Below,
    Kind,
}

pub(super) type ChildSort = Sort<ChildColumn>;

pub(super) const USUAL: ChildSort = Sort::falling(ChildColumn::Value);

/// The rows in this order; those without a value come last, ties in visiting order.
fn sorted(sort: ChildSort, rows: &[ChildRow]) -> Vec<&ChildRow> {
    let number = |row: &ChildRow| match sort.first().by {
        ChildColumn::Order => Some(f64::from(row.node.id.0)),
        ChildColumn::Value => row.node.value,
        ChildColumn::Beside => row.beside.map(|(beside, _)| beside),
        ChildColumn::Below => Some(row.node.below as f64),
        ChildColumn::Kind => Some(f64::from(row.node.kind as u8)),
    };
    let mut sorted: Vec<&ChildRow> = rows.iter().collect();
    sorted.sort_by(|a, b| sort.first().compare(number(a), number(b)));
    sorted
}

pub(super) fn ui(ui: &mut Ui, below: &Below, sort: &mut ChildSort) -> Option<NodeId> {
    let theme = Theme::of(ui);
    let title = if below.slides {
        "Moves here"
    } else {
        "Spawns here"
    };
    ui.label(
        egui::RichText::new(title)
            .font(theme::strong())
            .color(theme.text1),
    );
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let with_words = WORDS <= width;
    let edges = |rect: Rect| {
        let kind = rect.right() - if with_words { KIND } else { SIGN };
        let below = kind - 12.0;
        [
            rect.left(),
            below - BELOW - BESIDE,
            below - BELOW,
            below,
            kind,
            rect.right(),
        ]
    };

    let (head, _) = ui.allocate_exact_size(vec2(width, HEADER), Sense::hover());
    let x = edges(head);
    let (beside, about_beside) = match (below.slides, below.is_min) {
        (true, _) => (
            "Loss",
            "How much less this move is worth than the best move",
        ),
        (_, true) => (
            "vs. worst",
            "How much more this spawn is worth than the worst spawn, which decides the value",
        ),
        (_, false) => (
            "vs. mean",
            "How much more this spawn is worth than the mean of the spawns",
        ),
    };
    let first = if below.slides { "Move" } else { "Spawn" };
    let heads = [
        (
            ChildColumn::Order,
            first,
            "Order in which the search visited the nodes",
            x[0],
            x[1] - VALUE,
            false,
        ),
        (
            ChildColumn::Value,
            "Value",
            "Value found by the search",
            x[1] - VALUE,
            x[1],
            true,
        ),
        (ChildColumn::Beside, beside, about_beside, x[1], x[2], true),
        (
            ChildColumn::Below,
            "Below",
            "Nodes below, including cuts that were not searched and nodes that are not recorded",
            x[2],
            x[3],
            true,
        ),
        (
            ChildColumn::Kind,
            if with_words { "Kind" } else { "" },
            "Kind of node",
            x[4],
            x[5],
            false,
        ),
    ];

    for (by, title, about, left, right, is_right) in heads {
        let rect = Rect::from_min_max(
            pos2(left, head.top()),
            pos2(right.max(left + 8.0), head.bottom()),
        );
        let mut cell = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("head", by as u8)));
        if header(&mut cell, title, about, is_right, sort.state(by)).clicked() {
            sort.pick(
                by,
                !matches!(by, ChildColumn::Order | ChildColumn::Kind),
                false,
            );
        }
    }

    let mut clicked = None;
    for row in sorted(*sort, &below.rows) {
        let (rect, _) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::hover());
        let name = sentence(row, below);
        let key = ui.scope_id().with(("child", row.node.id.0));
        let response = ListRow::new(&name).show_at(ui, rect, key, |line, _| {
            paint_row(ui, &line.painter, rect, edges(rect), row, below);
        });
        // A screen reader can also press a row that is scrolled out of view.
        if response.clicked() {
            clicked = Some(row.node.id);
        }
    }

    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
    clicked
}

fn paint_row(ui: &Ui, painter: &Painter, rect: Rect, x: [f32; 6], row: &ChildRow, below: &Below) {
    let theme = Theme::of(ui);
    let put = |at: f32, align: Align2, text: &str, font: FontId, color| {
        painter.text(pos2(at, rect.center().y), align, text, font, color);
    };
    put(
        x[0],
        Align2::LEFT_CENTER,
        &row.name,
        theme::body(),
        theme.text1,
    );
    let places = below.places();
    let written = |value| {
        format!(
            "{}{}",
            row.node.bound.sign(),
            words::decimals(value, places)
        )
    };
    let value = row.node.value.map_or_else(|| "–".to_owned(), written);
    let is_best = below.slides && row.beside.is_some_and(|(beside, _)| beside == 0.0);
    let font = if is_best {
        theme::strong()
    } else {
        theme::body()
    };
    put(x[1], Align2::RIGHT_CENTER, &value, font, theme.text1);

    let beside = match row.beside {
        Some((beside, bound)) if below.slides => {
            format!("{}{}", bound.sign(), words::decimals(beside, places))
        }
        Some((beside, bound)) => names::bounded_difference(beside, Some(bound)),
        None => "–".to_owned(),
    };
    put(
        x[2],
        Align2::RIGHT_CENTER,
        &beside,
        theme::body(),
        theme.text2,
    );
    put(
        x[3],
        Align2::RIGHT_CENTER,
        &words::count(row.node.below),
        theme::body(),
        theme.text2,
    );
    paint_node(
        painter,
        theme,
        row.node.kind,
        pos2(x[4] + 9.0, rect.center().y),
        LEGEND_RADIUS,
        None,
    );
    if SIGN < x[5] - x[4] {
        put(
            x[4] + 23.0,
            Align2::LEFT_CENTER,
            row.node.kind.name(),
            theme::body(),
            theme.text2,
        );
    }

    rule(ui, rect);
}

/// The row for screen readers.
fn sentence(row: &ChildRow, among: &Below) -> String {
    let reference = if among.is_min { "worst" } else { "mean" };
    let places = among.places();
    let bounded = |value, bound| {
        format!(
            "{}{}",
            names::bound_words(bound),
            words::decimals(value, places)
        )
    };
    let value = row
        .node
        .value
        .map(|value| format!("value {}", bounded(value, row.node.bound)));
    let value = value.unwrap_or_else(|| "not searched".to_owned());
    let beside = match row.beside {
        Some((beside, bound)) if among.slides => format!(", loss {}", bounded(beside, bound)),
        Some((beside, bound)) => {
            format!(
                ", {}{} vs. the {reference}",
                names::bound_words(bound),
                names::difference(beside)
            )
        }
        None => String::new(),
    };
    format!(
        "{} node {}, {value}{beside}, {} below",
        row.node.kind.name(),
        row.name,
        words::count(row.node.below)
    )
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Below {
    /// Whether these are slides; spawns otherwise.
    pub slides: bool,
    /// Whether spawns are compared with the worst one, else with their mean.
    pub is_min: bool,
    /// One per recorded child, in visiting order.
    pub rows: Vec<ChildRow>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChildRow {
    pub node: NodeView,
    /// "← Left" or "2 r1c4".
    pub name: String,
    /// For slides the loss to the best; for spawns the difference to the mean, or to the worst in a min node. `None` if
    /// bounds leave it open.
    pub beside: Option<(f64, Bound)>,
}

impl Below {
    /// Decimals of its values, so that different moves read differently.
    fn places(&self) -> usize {
        let values = self
            .rows
            .iter()
            .filter(|_| self.slides)
            .filter_map(|row| row.node.value);
        words::places(values).max(1)
    }
}

/// The value that the children of a node are compared with.
#[derive(Clone, Copy, Debug)]
struct Reference {
    value: f64,
    bound: Bound,
    /// The child with this value, if any.
    node: Option<NodeId>,
    /// Whether it is the maximum; else the minimum.
    is_most: bool,
}

impl Reference {
    /// For slides the best; for spawns the worst in a min node, else their mean.
    fn new(tree: &Tree, id: NodeId, slides: bool) -> Option<Self> {
        if slides || tree.kind(id) == NodeKind::Min {
            let wants_most = slides && (id != tree.root() || tree.objective().higher);
            let sign = if wants_most { 1.0 } else { -1.0 };
            let valued = tree
                .children(id)
                .filter_map(|child| Some((child, sign * tree.value(child)?)));
            // The first of ties, unless a later one is exact.
            let (node, _) = valued.reduce(|most, next| {
                let is_sure = |(node, _): (NodeId, f64)| tree.bound(node) == Bound::Exact;
                let is_better =
                    most.1 < next.1 || most.1 == next.1 && is_sure(next) && !is_sure(most);
                if is_better { next } else { most }
            })?;
            let value = tree.value(node)?;
            // An unsearched child may be better still; the parent's bound covers that.
            let bound = if tree.value(id) == Some(value) {
                tree.bound(id)
            } else {
                tree.bound(node)
            };
            return Some(Self {
                value,
                bound,
                node: Some(node),
                is_most: wants_most,
            });
        }

        let value = tree
            .spawn_map(id)
            .map(|map| map.mean)
            .or_else(|| tree.value(id))?;
        Some(Self {
            value,
            bound: Bound::Exact,
            node: None,
            is_most: false,
        })
    }

    /// The difference of a value to the reference, and its bound.
    fn difference(&self, id: NodeId, value: f64, bound: Bound) -> (f64, Option<Bound>) {
        let bound = match self.bound {
            _ if self.node != Some(id) => bound.minus(self.bound),
            Bound::Exact => Some(Bound::Exact),
            // Nothing is better than the best.
            _ if self.is_most => Some(Bound::Upper),
            _ => Some(Bound::Lower),
        };
        (value - self.value, bound)
    }
}

/// The value of a node compared with its siblings; empty if unknown.
pub(super) fn beside(tree: &Tree, node: &NodeView) -> String {
    let (Some(parent), Some(value), Some(link)) = (node.parent, node.value, node.link) else {
        return String::new();
    };
    let slides = matches!(link, Link::Slide(_));
    let Some(reference) = Reference::new(tree, parent, slides) else {
        return String::new();
    };
    let after = match tree.link(parent) {
        _ if slides => " here".to_owned(),
        Some(Link::Slide(mv)) => format!(" after {mv}"),
        _ => String::new(),
    };
    let what = match reference.node {
        _ if slides => "best",
        Some(_) => "worst",
        None => "mean",
    };

    if reference.node == Some(node.id) {
        let searched = if reference.bound == Bound::Exact {
            ""
        } else {
            " of what was searched"
        };
        return format!("the {what}{searched}{after}");
    }

    let (difference, bound) = reference.difference(node.id, value, node.bound);
    let difference = names::bounded_difference(difference, bound);
    if slides {
        format!("{difference} vs. best")
    } else {
        format!("{difference} vs. the {what}{after}")
    }
}

pub(super) fn below(tree: &Tree, node: &NodeView) -> Below {
    let slides = tree.is_turn(tree.depth(node.id));
    let reference = Reference::new(tree, node.id, slides);
    let is_loss = slides && (tree.objective().higher || node.parent.is_some());
    let rows = tree.children(node.id).map(|id| {
        let node = tree.node(id);
        let beside = node.value.zip(reference).and_then(|(value, reference)| {
            let (difference, bound) = reference.difference(id, value, node.bound);
            // A loss is the negated difference; adding 0 avoids a negative zero.
            let (beside, bound) = if is_loss {
                (-difference, bound?.negated())
            } else {
                (difference, bound?)
            };
            Some((beside + 0.0, bound))
        });
        let name = match node.link {
            Some(Link::Slide(mv)) => names::title(mv),
            link => link.map(names::link_text).unwrap_or_default(),
        };
        ChildRow { node, name, beside }
    });

    Below {
        slides,
        is_min: node.kind == NodeKind::Min,
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Origin;

    fn row(id: u32, value: Option<f64>, below: u64) -> ChildRow {
        let node = NodeView {
            id: NodeId(id),
            parent: None,
            kind: NodeKind::Max,
            link: None,
            probability: None,
            reach: 1.0,
            board: "2,0/0,0".parse().expect("a board"),
            score: 0,
            value,
            bound: Bound::Exact,
            evaluation: None,
            origin: Origin::Evaluated,
            plies_left: 0,
            sample: None,
            standard_error: None,
            share: None,
            graft: None,
            order: 0,
            below,
            left_out: 0,
        };
        ChildRow {
            node,
            name: String::new(),
            beside: value.map(|value| (10.0 - value, Bound::Exact)),
        }
    }

    #[test]
    fn every_order_is_a_permutation_with_unknown_values_last() {
        let rows = [
            row(1, Some(3.0), 7),
            row(5, None, 0),
            row(9, Some(8.0), 2),
            row(11, Some(3.0), 9),
        ];
        let ids = |by, falls| {
            sorted(Sort::new(by, falls), &rows)
                .iter()
                .map(|row| row.node.id.0)
                .collect::<Vec<u32>>()
        };
        assert_eq!(ids(USUAL.first().by, USUAL.first().falls), [9, 1, 11, 5]);
        assert_eq!(ids(ChildColumn::Value, false), [1, 11, 9, 5]);
        assert_eq!(ids(ChildColumn::Order, false), [1, 5, 9, 11]);
        assert_eq!(ids(ChildColumn::Below, true), [11, 1, 9, 5]);
    }
}

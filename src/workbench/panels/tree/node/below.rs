//! The children of a node, each compared with its siblings, as a table that sorts and selects.

use egui::{Sense, Ui, vec2};

use crate::search::{Bound, Link, NodeId, NodeKind, NodeView, Tree};
use crate::table::{Cell, Column, Table};
use crate::words;
use crate::workbench::kit::{
    DataCell, DataRows, DataTable, LEGEND_RADIUS, NarrowColumn, Sort, height_of, paint_node,
    width_for,
};
use crate::workbench::panels::tree::words as names;
use crate::workbench::theme::{self, Theme};

/// Numbers of columns.
const NAME: usize = 0;
const VALUE: usize = 1;
const KIND: usize = 4;
const WIDTHS: [f32; 5] = [46.0, 66.0, 58.0, 46.0, 66.0];
const GAP: f32 = 6.0;
/// A kind without its word.
const NARROW: [NarrowColumn<'_>; 1] = [NarrowColumn {
    column: KIND,
    title: Some(""),
    width: 24.0,
}];

pub(super) const USUAL: Sort<usize> = Sort::falling(VALUE);

/// The rows in visiting order; those without a value come last in the order by value.
fn table(below: &Below) -> Table {
    let (beside, about_beside) = match (below.slides, below.is_min) {
        (true, _) => (
            "loss",
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
    let first = if below.slides { "move" } else { "spawn" };
    let places = below.places();
    let bounded =
        move |value, bound: Bound| format!("{}{}", bound.sign(), words::decimals(value, places));
    let slides = below.slides;
    let columns = [
        Column::text(
            "child",
            first,
            "Order in which the search visited the nodes",
            |row: &&ChildRow| Cell::shown(&row.name, row.node.id.0 as usize),
        ),
        Column::number(
            "value",
            "value",
            "Value found by the search",
            move |row: &&ChildRow| {
                let value = row.node.value?;
                Some(Cell::shown(bounded(value, row.node.bound), value))
            },
        ),
        Column::number("beside", beside, about_beside, move |row: &&ChildRow| {
            let (beside, bound) = row.beside?;
            let text = if slides {
                bounded(beside, bound)
            } else {
                names::bounded_difference(beside, Some(bound))
            };
            Some(Cell::shown(text, beside))
        }),
        Column::whole(
            "below",
            "below",
            "Nodes below, including cuts that were not searched and nodes that are not recorded",
            |row: &&ChildRow| row.node.below,
        ),
        Column::text("kind", "kind", "Kind of node", |row: &&ChildRow| {
            Cell::shown(row.node.kind.name(), row.node.kind as usize)
        }),
    ];
    Table::of(&columns, &below.rows)
}

pub(super) fn ui(ui: &mut Ui, below: &Below, sort: &mut Sort<usize>) -> Option<NodeId> {
    let title = if below.slides {
        "Moves here"
    } else {
        "Spawns here"
    };
    ui.label(
        egui::RichText::new(title)
            .font(theme::strong())
            .color(Theme::of(ui).text1),
    );

    let table = DataTable {
        id: "children",
        name: title,
        data: table(below).into(),
        sort,
        gap: GAP,
    };
    let look = DataRows {
        narrow: &NARROW,
        // First the word, then the sign.
        folding: &[KIND, KIND],
        wide: &[(NAME, f32::INFINITY)],
        fits: true,
        ..DataRows::default()
    };
    let mut clicked = None;
    // All rows are drawn, so that a screen reader also reaches those that are scrolled out of view.
    let size = vec2(ui.available_width(), height_of(below.rows.len()));
    ui.allocate_ui(size, |ui| {
        let width = |ui: &Ui, column: usize, rows: &[Vec<String>]| {
            let texts = rows.iter().map(|cells| cells[column].clone());
            width_for(ui, texts.filter(|_| column != KIND), WIDTHS[column])
        };
        let row_name = |row: usize, _: &[String]| sentence(&below.rows[row], below);
        let cell_ui =
            |ui: &mut Ui, cell: DataCell<'_>| cell_ui(ui, &below.rows[cell.row], below, cell);
        table.show_rows(ui, look, width, row_name, cell_ui, |row, response| {
            if response.clicked() {
                clicked = Some(below.rows[row].node.id);
            }
        });
    });
    clicked
}

fn cell_ui(ui: &mut Ui, row: &ChildRow, below: &Below, cell: DataCell<'_>) {
    let theme = Theme::of(ui);
    let is_best = below.slides && row.beside.is_some_and(|(beside, _)| beside == 0.0);
    if cell.column == KIND {
        let (sign, _) = ui.allocate_exact_size(vec2(18.0, theme::ROW), Sense::hover());
        paint_node(
            ui.painter(),
            theme,
            row.node.kind,
            sign.center(),
            LEGEND_RADIUS,
            None,
        );
        if cell.is_narrow {
            return;
        }
    }
    match cell.column {
        VALUE if is_best => cell.ui_in(ui, theme::strong(), theme.text1),
        NAME | VALUE => cell.ui(ui, theme.text1),
        _ => cell.ui(ui, theme.text2),
    };
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
    use crate::workbench::kit::row_order;

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
        let below = Below {
            slides: true,
            is_min: false,
            rows: rows.to_vec(),
        };
        let data = table(&below);
        let ids = |sort: Sort<usize>| {
            row_order(&data, &sort)
                .into_iter()
                .map(|row| below.rows[row].node.id.0)
                .collect::<Vec<u32>>()
        };
        assert_eq!(ids(USUAL), [9, 1, 11, 5]);
        assert_eq!(ids(Sort::new(VALUE, false)), [1, 11, 9, 5]);
        assert_eq!(ids(Sort::new(NAME, false)), [1, 5, 9, 11]);
        assert_eq!(ids(Sort::falling(3)), [11, 1, 9, 5]);
    }
}

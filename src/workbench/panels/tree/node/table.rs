//! The slides or spawns right below a node, as a table that sorts and selects.

use egui::{Align2, FontId, Painter, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::below::{Below, ChildRow};
use crate::search::NodeId;
use crate::words;
use crate::workbench::kit::{LEGEND_RADIUS, ListRow, Sort, header, paint_node, rule};
use crate::workbench::panels::tree::words as names;
use crate::workbench::theme::{self, Theme};

const HEADER: f32 = 22.0;
/// Widths from the right: kind with its word, nodes below, loss or difference, value.
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

/// As a node is first shown.
pub(super) const USUAL: ChildSort = Sort::falling(ChildColumn::Value);

/// The rows in this order; those without a value come last, equals in the order of the visit.
fn sorted(sort: ChildSort, rows: &[ChildRow]) -> Vec<&ChildRow> {
    let number = |row: &ChildRow| match sort.by {
        ChildColumn::Order => Some(f64::from(row.id.0)),
        ChildColumn::Value => row.value,
        ChildColumn::Beside => row.beside,
        ChildColumn::Below => Some(row.below as f64),
        ChildColumn::Kind => Some(f64::from(row.kind as u8)),
    };
    let mut sorted: Vec<&ChildRow> = rows.iter().collect();
    sorted.sort_by(|a, b| sort.compare(number(a), number(b)));
    sorted
}

pub(super) fn ui(ui: &mut Ui, below: &Below, sort: &mut ChildSort) -> Option<NodeId> {
    let theme = Theme::of(ui);
    let title = if below.slides { "Moves here" } else { "Spawns here" };
    ui.label(egui::RichText::new(title).font(theme::strong()).color(theme.text1));
    ui.spacing_mut().item_spacing.y = 0.0;
    let width = ui.available_width();
    let with_words = WORDS <= width;
    let edges = |rect: Rect| {
        let kind = rect.right() - if with_words { KIND } else { SIGN };
        let below = kind - 12.0;
        [rect.left(), below - BELOW - BESIDE, below - BELOW, below, kind, rect.right()]
    };
    let (head, _) = ui.allocate_exact_size(vec2(width, HEADER), Sense::hover());
    let x = edges(head);
    let (beside, about_beside) = match (below.slides, below.is_min) {
        (true, _) => ("Loss", "How much less it is worth than the best"),
        (_, true) => ("To worst", "How much more it is worth than the worst spawn, which counts"),
        (_, false) => ("To mean", "How much more it is worth than the mean of the spawns"),
    };
    let first = if below.slides { "Move" } else { "Spawn" };
    let heads = [
        (ChildColumn::Order, first, "In the order of the visit", x[0], x[1] - VALUE, false),
        (ChildColumn::Value, "Value", "What the search says it is worth", x[1] - VALUE, x[1], true),
        (ChildColumn::Beside, beside, about_beside, x[1], x[2], true),
        (ChildColumn::Below, "Below", "Nodes below it in the whole search", x[2], x[3], true),
        (ChildColumn::Kind, if with_words { "Kind" } else { "" }, "What kind of node it is", x[4], x[5], false),
    ];
    for (by, title, about, left, right, is_right) in heads {
        let rect = Rect::from_min_max(pos2(left, head.top()), pos2(right.max(left + 8.0), head.bottom()));
        let mut cell = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("head", by as u8)));
        if header(&mut cell, title, about, is_right, sort.state(by)).clicked() {
            sort.pick(by, !matches!(by, ChildColumn::Order | ChildColumn::Kind));
        }
    }
    let mut clicked = None;
    for row in sorted(*sort, &below.rows) {
        let (rect, _) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::hover());
        let name = sentence(row, below);
        let key = ui.scope_id().with(("child", row.id.0));
        let response = ListRow::new(&name)
            .show_at(ui, rect, key, |line, _| paint_row(ui, &line.painter, rect, edges(rect), row, below));
        // Also where it is scrolled out of sight: a screen reader presses it there.
        if response.clicked() {
            clicked = Some(row.id);
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
    put(x[0], Align2::LEFT_CENTER, &row.name, theme::body(), theme.text1);
    let value = row.value.map_or_else(|| "–".to_owned(), |value| names::bounded(value, row.bound));
    let is_best = below.slides && row.beside == Some(0.0);
    let font = if is_best { theme::strong() } else { theme::body() };
    put(x[1], Align2::RIGHT_CENTER, &value, font, theme.text1);
    let beside = match row.beside {
        Some(beside) if below.slides => names::bounded(beside, row.beside_bound),
        Some(beside) => names::bounded_difference(beside, Some(row.beside_bound)),
        None => "–".to_owned(),
    };
    put(x[2], Align2::RIGHT_CENTER, &beside, theme::body(), theme.text2);
    put(x[3], Align2::RIGHT_CENTER, &words::count(row.below), theme::body(), theme.text2);
    paint_node(painter, theme, row.kind, pos2(x[4] + 9.0, rect.center().y), LEGEND_RADIUS, None);
    if SIGN < x[5] - x[4] {
        put(x[4] + 23.0, Align2::LEFT_CENTER, row.kind.name(), theme::body(), theme.text2);
    }
    rule(ui, rect);
}

/// The row for who listens.
fn sentence(row: &ChildRow, among: &Below) -> String {
    let [bound, beside_bound] = [row.bound, row.beside_bound].map(names::bound_words);
    let reference = if among.is_min { "worst" } else { "mean" };
    let value = row
        .value
        .map_or_else(|| "not searched".to_owned(), |value| format!("value {bound}{}", words::decimals(value, 1)));
    let beside = match row.beside {
        Some(beside) if among.slides => format!(", loss {beside_bound}{}", words::decimals(beside, 1)),
        Some(beside) => format!(", {beside_bound}{} to the {reference}", names::difference(beside)),
        None => String::new(),
    };
    format!("{} node {}, {value}{beside}, {} below", row.kind.name(), row.name, words::count(row.below))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, NodeKind};

    fn row(id: u32, value: Option<f64>, below: u64) -> ChildRow {
        let beside = value.map(|value| 10.0 - value);
        let bound = Bound::Exact;
        ChildRow {
            id: NodeId(id),
            name: String::new(),
            value,
            bound,
            beside,
            beside_bound: bound,
            below,
            kind: NodeKind::Max,
        }
    }

    #[test]
    fn every_order_is_a_permutation_with_unknown_values_last() {
        let rows = [row(1, Some(3.0), 7), row(5, None, 0), row(9, Some(8.0), 2), row(11, Some(3.0), 9)];
        let ids = |by, falls| sorted(Sort { by, falls }, &rows).iter().map(|row| row.id.0).collect::<Vec<u32>>();
        assert_eq!(ids(USUAL.by, USUAL.falls), [9, 1, 11, 5]);
        assert_eq!(ids(ChildColumn::Value, false), [1, 11, 9, 5]);
        assert_eq!(ids(ChildColumn::Order, false), [1, 5, 9, 11]);
        assert_eq!(ids(ChildColumn::Below, true), [11, 1, 9, 5]);
    }
}

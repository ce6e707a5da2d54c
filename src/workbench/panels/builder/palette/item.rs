//! One item of the palette: its picture, name and summary, and how it gets into the stack.

use egui::{
    CursorIcon, DragAndDrop, Key, Painter, Rect, Response, RichText, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

use super::add;
use crate::evaluator::Evaluator;
use crate::search::{Cut, Lookahead, NodeKind};
use crate::strategy::{Criterion, Group, Item};
use crate::workbench::command::Commands;
use crate::workbench::icon::Icon;
use crate::workbench::kit::{ListRow, is_by_key, paint_node};
use crate::workbench::panels::Building;
use crate::workbench::panels::builder::RowDrag;
use crate::workbench::panels::builder::weights::{largest, level};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

pub(super) const HEIGHT: f32 = 38.0;
const PICTURE: f32 = 28.0;

pub(super) fn ui(ui: &mut Ui, item: &Item) -> Response {
    let theme = Theme::of(ui);
    let name = spoken(item);
    ListRow::new(&name)
        .height(HEIGHT)
        .draggable()
        .pad(2.0)
        .show(ui, |line, response| {
            let top = response.rect.top();
            line.icon(Icon::Grip, theme.text3);
            line.skip(6.0);
            let square = Rect::from_min_size(
                pos2(line.left, line.y - PICTURE / 2.0),
                vec2(PICTURE, PICTURE),
            );
            paint(&line.painter, theme, square, &item.criterion);
            line.skip(PICTURE + 9.0);
            line.skip_end(theme::SPACE_S - 2.0);
            line.top(top + 2.0)
                .start(&item.name, theme::medium(), theme.text1);
            line.top(top + 20.0)
                .start(&item.lines[0], theme::small(), theme.text3);
        })
}

/// The name of an item for screen readers, wherever it is shown.
pub(crate) fn spoken(item: &Item) -> String {
    format!("Palette {}", item.name)
}

/// Tooltip, drag and keys of an item, wherever it is shown. A double click or Enter adds it, Space lifts it.
pub(crate) fn handle(
    response: &Response,
    item: &Item,
    doc: &Document,
    building: &mut Building,
    commands: &mut Commands,
) {
    let ctx = &response.ctx;
    let dragged = || RowDrag::New {
        criterion: item.criterion.clone(),
        name: item.name.clone(),
    };
    if response.drag_started() {
        DragAndDrop::set_payload(ctx, dragged());
    }
    if response.hovered() {
        ctx.set_cursor_icon(CursorIcon::Grab);
    }
    response.clone().on_hover_ui(|ui| tip(ui, item));
    // A single click is easily a failed drag, so it does not add. A key does.
    let by_key = is_by_key(response);
    if by_key && response.has_focus() && ctx.input(|input| input.key_pressed(Key::Space)) {
        building
            .drag
            .begin_new(dragged(), response.id, &building.rows, doc, commands);
    } else if response.double_clicked() || by_key {
        add(doc, building, item, commands);
    }
}

/// The tooltip of an item: its two lines, its row, formula and source.
fn tip(ui: &mut Ui, item: &Item) {
    let theme = Theme::of(ui);
    ui.set_max_width(380.0);
    ui.spacing_mut().item_spacing.y = 3.0;
    let mut how =
        "Drag it into the stack, or double-click; Enter adds it, Space lifts it".to_owned();
    let criterion = &item.criterion;
    let evaluator = terms::of_evaluator(&criterion.evaluator);
    if item.group == Group::OnePly {
        // The glossary's text on the evaluator explains a row of one ply.
        terms::show(ui, evaluator);
    } else {
        let formula = |text: &str| RichText::new(text).font(theme::mono()).color(theme.text1);
        ui.label(
            RichText::new(&item.name)
                .font(theme::strong())
                .color(theme.text1),
        );
        for line in &item.lines {
            ui.label(RichText::new(line).color(theme.text2));
        }
        if criterion.lookahead != Lookahead::OnePly {
            ui.label(
                RichText::new(format!("Adds the row {}", criterion.label_with_depth()))
                    .color(theme.text1),
            );
            ui.label(formula(terms::of_lookahead(&criterion.lookahead).formula));
        }
        if !evaluator.formula.is_empty() {
            ui.label(formula(evaluator.formula));
        }
        let source = if item.source.is_empty() {
            evaluator.source
        } else {
            &item.source
        };
        if !source.is_empty() {
            how = format!("{source}\n{how}");
        }
    }
    ui.label(RichText::new(how).small().color(theme.text3));
}

/// Paints the picture of a row into a square.
fn paint(painter: &Painter, theme: &Theme, square: Rect, criterion: &Criterion) {
    match &criterion.lookahead {
        Lookahead::OnePly => paint_evaluator(painter, theme, square, &criterion.evaluator),
        lookahead => search(painter, theme, square, lookahead),
    }
}

/// Paints what an evaluator looks at, on sixteen cells.
pub(crate) fn paint_evaluator(
    painter: &Painter,
    theme: &Theme,
    square: Rect,
    evaluator: &Evaluator,
) {
    let side = square.width() / 4.0;
    for (index, level) in cells(evaluator).into_iter().enumerate() {
        let corner = square.min + vec2((index % 4) as f32, (index / 4) as f32) * side;
        let cell = Rect::from_min_size(corner, vec2(side - 1.0, side - 1.0));
        match level {
            Some(level) => {
                painter.rect_filled(cell, 1, theme.sequential(f32::from(level) / 6.0));
            }
            None => {
                painter.rect_stroke(cell, 1, Stroke::new(1.0, theme.line), StrokeKind::Inside);
            }
        }
    }
}

/// A max node above two nodes after a slide. With alpha-beta, the second one is cut.
fn search(painter: &Painter, theme: &Theme, square: Rect, lookahead: &Lookahead) {
    let below = if lookahead.is_minimax() {
        NodeKind::Min
    } else {
        NodeKind::Chance
    };
    let second = if lookahead.cuts().contains(&Cut::AlphaBeta) {
        NodeKind::Cut
    } else {
        below
    };
    let radius = square.width() * 0.21;
    let top = pos2(square.center().x, square.top() + radius + 1.0);
    let left = pos2(square.left() + radius + 0.5, square.bottom() - radius - 1.0);
    let right = pos2(square.right() - radius - 0.5, left.y);
    for end in [left, right] {
        painter.line_segment([top, end], Stroke::new(1.0, theme.line));
    }
    for (kind, center) in [(NodeKind::Max, top), (below, left), (second, right)] {
        paint_node(painter, theme, kind, center, radius, None);
    }
}

/// Weights as levels from 0 to 6.
fn levels(weights: &[f64]) -> [Option<u8>; 16] {
    let largest = largest(weights);
    std::array::from_fn(|cell| Some((6.0 * level(*weights.get(cell)?, largest)).round() as u8))
}

/// What an evaluator looks at, on sixteen cells: a level of the sequential scale from 0 to 6, or `None` for a hollow cell.
fn cells(evaluator: &Evaluator) -> [Option<u8>; 16] {
    match evaluator {
        Evaluator::Weights(weights) => levels(weights.values()),
        _ => {
            let picture = evaluator.facts().picture.as_bytes();
            std::array::from_fn(|cell| {
                picture
                    .get(cell)
                    .filter(|level| level.is_ascii_digit())
                    .map(|level| level - b'0')
            })
        }
    }
}

//! Mini pictures of rows: what an evaluator looks at on sixteen cells, or the first nodes of a search.

use egui::{Painter, Rect, Stroke, StrokeKind, pos2, vec2};

use crate::evaluator::Evaluator;
use crate::search::{Cut, Lookahead, NodeKind};
use crate::strategy::Criterion;
use crate::workbench::kit::paint_node;
use crate::workbench::panels::builder::weights::{largest, level};
use crate::workbench::theme::Theme;

/// Draws a row into a square.
pub(super) fn paint(painter: &Painter, theme: &Theme, square: Rect, criterion: &Criterion) {
    match &criterion.lookahead {
        Lookahead::OnePly => evaluator(painter, theme, square, &criterion.evaluator),
        lookahead @ Lookahead::DepthLimited(_) => search(painter, theme, square, lookahead),
    }
}

pub(crate) fn evaluator(painter: &Painter, theme: &Theme, square: Rect, evaluator: &Evaluator) {
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

/// A max node above two of the nodes that follow a slide; with bounds the second one is cut.
fn search(painter: &Painter, theme: &Theme, square: Rect, lookahead: &Lookahead) {
    let below = if lookahead.is_minimax() { NodeKind::Min } else { NodeKind::Chance };
    let second = if lookahead.cuts().contains(&Cut::AlphaBeta) { NodeKind::Cut } else { below };
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

/// What an evaluator looks at, on sixteen cells: a level of the sequential scale from 0 to 6, or hollow.
fn cells(evaluator: &Evaluator) -> [Option<u8>; 16] {
    match evaluator {
        Evaluator::Weights(weights) => levels(weights.values()),
        _ => {
            let picture = evaluator.facts().picture.as_bytes();
            std::array::from_fn(|cell| {
                picture.get(cell).filter(|level| level.is_ascii_digit()).map(|level| level - b'0')
            })
        }
    }
}

//! How one node, one edge and one label are painted.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};

use super::card::Card;
use crate::game::{Board, Rank, Spawn};
use crate::search::{NodeId, Outcome};
use crate::workbench::kit::{BoardGeometry, paint_mini};
use crate::workbench::theme::{self, Theme};

/// Width of an edge that is certainly taken.
const WIDEST: f32 = 3.2;
/// Width of one that never is.
const THINNEST: f32 = 1.1;
/// More, on the chosen line.
const CHOSEN: f32 = 0.8;
/// Parts of a curve.
const PARTS: u8 = 14;
/// Dashes of edges that were not searched.
const DASH: (f32, f32) = (4.0, 3.0);

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// From the right of the parent.
    pub from: Pos2,
    /// To the left of the child.
    pub to: Pos2,
    pub reach: f64,
    pub chosen: bool,
    /// Nothing was searched behind it.
    pub dashed: bool,
    /// Room for the label before the child.
    pub label: f32,
    /// At most 1, smaller where the tree is.
    pub scale: f32,
}

/// A curve that leaves and arrives level.
pub(super) fn paint_edge(painter: &Painter, theme: &Theme, edge: Edge) {
    let width = (THINNEST + WIDEST * edge.reach.clamp(0.0, 1.0).sqrt() as f32) * edge.scale;
    let stroke =
        if edge.chosen { Stroke::new(width + CHOSEN, theme.accent) } else { Stroke::new(width.max(0.6), theme.line) };
    let (from, to) = (edge.from, edge.to);
    if (from.y - to.y).abs() < 0.5 && !edge.dashed {
        // A path of its own: the tessellator would round a level segment to whole pixels.
        painter.add(Shape::line(vec![from, to], stroke));
        return;
    }
    let arrival = (to.x - edge.label).max(from.x + 4.0);
    let bend = (arrival - from.x) * 0.55;
    let mut points: Vec<Pos2> = (0..=PARTS)
        .map(|i| {
            let t = f32::from(i) / f32::from(PARTS);
            let (a, b, c, d) = ((1.0 - t).powi(3), 3.0 * t * (1.0 - t).powi(2), 3.0 * t * t * (1.0 - t), t * t * t);
            pos2(
                a * from.x + b * (from.x + bend) + c * (arrival - bend) + d * arrival,
                (a + b) * from.y + (c + d) * to.y,
            )
        })
        .collect();
    if arrival < to.x {
        points.push(to);
    }
    if edge.dashed {
        let thin = Stroke::new(stroke.width.min(1.4), stroke.color);
        painter.extend(Shape::dashed_line(&points, thin, DASH.0, DASH.1));
    } else {
        painter.add(Shape::line(points, stroke));
    }
}

/// The move or the spawn of an edge, in a box that ends at `right`; gives the box.
pub(super) fn paint_label(painter: &Painter, theme: &Theme, right: Pos2, text: &str, chosen: bool) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::small(), theme.text1);
    let size = vec2((galley.size().x + 10.0).max(18.0), 18.0);
    let rect = Rect::from_min_size(pos2(right.x - size.x, right.y - size.y / 2.0).round(), size);
    let color = if chosen { theme.accent } else { theme.line };
    painter.rect(rect, theme::RADIUS_S, theme.bg1, Stroke::new(1.0, color), StrokeKind::Inside);
    painter.galley(rect.center() - galley.size() / 2.0, galley, theme.text1);
    rect
}

/// A board; the tile that came last is framed.
pub(super) fn paint_board(
    painter: &Painter,
    theme: &Theme,
    space: Rect,
    board: &Board,
    newest: Option<Spawn>,
) -> BoardGeometry {
    let geometry = paint_mini(painter, theme, space, board);
    if let Some(spawn) = newest {
        let rect = geometry.cell(spawn.cell);
        painter.rect_stroke(rect, 1, Stroke::new(1.2, theme.text1), StrokeKind::Outside);
    }
    geometry
}

/// Which half of a cell stands for this tile.
pub(super) fn half(cell: Rect, is_four: bool) -> Rect {
    let middle = cell.center().y;
    match is_four {
        false => Rect::from_min_max(cell.min, pos2(cell.right(), middle - 0.5)),
        true => Rect::from_min_max(pos2(cell.left(), middle + 0.5), cell.max),
    }
}

/// What is marked on the board of an afterstate.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// The spawn on the chosen line.
    pub line: Option<NodeId>,
    /// The spawn that came in the game.
    pub played: Option<Spawn>,
    /// The one under the pointer or selected.
    pub hot: Option<NodeId>,
}

/// An afterstate whose empty cells are split in halves, 2 above 4, coloured by `tint`.
pub(super) fn paint_spawns(
    painter: &Painter,
    theme: &Theme,
    space: Rect,
    card: &Card,
    marks: Marks,
    tint: impl Fn(NodeId) -> f32,
) -> BoardGeometry {
    let geometry = paint_board(painter, theme, space, &card.node.board, None);
    let Some(map) = &card.map else { return geometry };
    let mut frames = Vec::new();
    for (cell, outcomes) in &map.cells {
        let rect = geometry.cell(*cell);
        for (is_four, outcome) in [false, true].into_iter().zip(outcomes) {
            let Some(outcome) = outcome else { continue };
            let rect = half(rect, is_four);
            if outcome.value.is_none() || outcome.probability <= 0.0 {
                // Not considered: an empty half with a stroke through.
                painter.line_segment([rect.left_bottom(), rect.right_top()], Stroke::new(0.8, theme.line));
                continue;
            }
            let fill = theme.diverging(tint(outcome.node));
            painter.rect_filled(rect, 1, fill);
            let size = (rect.height() * 0.86).min(11.0);
            if 5.0 <= size {
                let text = if is_four { "4" } else { "2" };
                painter.text(rect.center(), Align2::CENTER_CENTER, text, theme::strong_of(size), theme::text_on(fill));
            }
            let spawn = Spawn { cell: *cell, rank: outcome.rank };
            if marks.played == Some(spawn) {
                frames.push((rect, Stroke::new(1.4, theme.text1)));
            }
            if marks.line == Some(outcome.node) {
                frames.push((rect, Stroke::new(1.6, theme.accent)));
            }
            if marks.hot == Some(outcome.node) {
                frames.push((rect.expand(1.0), Stroke::new(2.0, theme.accent)));
            }
        }
    }
    for (rect, stroke) in frames {
        painter.rect_stroke(rect, 1, stroke, StrokeKind::Outside);
    }
    geometry
}

/// The spawn under a point of the board of an afterstate.
pub(super) fn spawn_at(geometry: &BoardGeometry, card: &Card, at: Pos2) -> Option<(Spawn, Outcome)> {
    let cell = geometry.cell_at(at)?;
    let is_four = geometry.cell(cell).center().y < at.y;
    let (_, outcomes) = card.map.as_ref()?.cells.iter().find(|(other, _)| *other == cell)?;
    let outcome = outcomes[usize::from(is_four)]?;
    let rank = if is_four { Rank::FOUR } else { Rank::TWO };
    Some((Spawn { cell, rank }, outcome))
}

/// A ring around a sign or a board.
pub(super) fn paint_ring(painter: &Painter, rect: Rect, color: Color32, width: f32) {
    painter.rect_stroke(rect.expand(3.0), theme::RADIUS_S, Stroke::new(width, color), StrokeKind::Middle);
}

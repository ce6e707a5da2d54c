//! Boards: the geometry of cells, and painting of tiles, large and small.
//!
//! Callers pass the rank of a single tile (1 is "2"), so that moving tiles, ghosts and boards share one drawing.

use egui::{
    Align2, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};

use crate::game::{Board, Cell, Rank, Size};
use crate::workbench::theme::{self, Theme};

/// The name of a cell: "row 4, column 2" for r4c2.
pub fn cell_words(cell: Cell) -> String {
    format!("row {}, column {}", cell.row + 1, cell.col + 1)
}

/// The screen geometry of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardGeometry {
    /// The board with its margin, which is as wide as a gap.
    pub rect: Rect,
    pub rows: usize,
    pub cols: usize,
    gap: f32,
    side: f32,
}

impl BoardGeometry {
    /// The largest board of square cells at the top of `space`, centered horizontally.
    pub fn fit(space: Rect, size: Size) -> Self {
        Self::within(space, size, 2.0)
    }

    /// The largest board without a plate, as [`paint_mini`] draws it.
    pub fn fit_mini(space: Rect, size: Size) -> Self {
        Self::within(space, size, 1.0)
    }

    fn within(space: Rect, size: Size, least_gap: f32) -> Self {
        let (rows, cols) = (size.rows(), size.cols());
        let gap = (space.width().min(space.height()) / 46.0)
            .max(least_gap)
            .round();
        let side_for = |length: f32, n: usize| (length - gap * (n as f32 + 1.0)) / n as f32;
        let side = side_for(space.width(), cols)
            .min(side_for(space.height(), rows))
            .max(1.0);
        let size = vec2(cols as f32, rows as f32) * side
            + vec2(cols as f32 + 1.0, rows as f32 + 1.0) * gap;
        let left = space.left() + ((space.width() - size.x) / 2.0).max(0.0);
        Self {
            rect: Rect::from_min_size(pos2(left.round(), space.top().round()), size),
            rows,
            cols,
            gap,
            side,
        }
    }

    pub fn cell(&self, cell: Cell) -> Rect {
        let step = self.side + self.gap;
        let at = vec2(f32::from(cell.col), f32::from(cell.row)) * step;
        Rect::from_min_size(
            self.rect.min + vec2(self.gap, self.gap) + at,
            vec2(self.side, self.side),
        )
    }

    /// The cell under a point; a gap belongs to the cell before it.
    pub fn cell_at(&self, pos: Pos2) -> Option<Cell> {
        if !self.rect.contains(pos) {
            return None;
        }
        let step = self.side + self.gap;
        let at = pos - self.rect.min;
        let index = |x: f32, n: usize| (((x - self.gap).max(0.0) / step) as usize).min(n - 1) as u8;
        Some(Cell {
            row: index(at.y, self.rows),
            col: index(at.x, self.cols),
        })
    }

    /// Corner radius of a tile: at most a tenth of its side.
    fn radius(side: f32) -> f32 {
        f32::from(theme::RADIUS_S).min(side * 0.1)
    }
}

/// The number on the tile of this rank.
fn numeral(rank: u8) -> String {
    (1_u64 << rank.min(63)).to_string()
}

/// Height of the number on a tile, by its number of digits.
fn numeral_size(side: f32, digits: usize) -> f32 {
    const SHARES: [f32; 9] = [0.46, 0.46, 0.44, 0.36, 0.29, 0.235, 0.20, 0.17, 0.15];
    side * SHARES[digits.min(8)]
}

/// One tile at any place, which can slide, grow and fade; `alpha` 1 is solid.
pub fn paint_tile(painter: &Painter, theme: &Theme, rect: Rect, rank: u8, alpha: f32) {
    let side = rect.width();
    painter.rect_filled(
        rect,
        BoardGeometry::radius(side),
        theme.tile(rank).gamma_multiply(alpha),
    );
    if rank == 0 {
        return;
    }
    let text = numeral(rank);
    let size = numeral_size(side, text.len());
    if size < 5.0 {
        return;
    }
    let color = theme.tile_text(rank).gamma_multiply(alpha);
    let galley = painter.layout_no_wrap(text, theme::strong_of(size), color);
    // Corrects for the font's descent: digits fill the rest of the line in Plex.
    let at = Align2::CENTER_CENTER
        .anchor_size(rect.center() + vec2(0.0, size * 0.01), galley.size())
        .min;
    painter.galley(at, galley, color);
}

/// The color of a tile with its number, for a legend.
pub fn tile_key(ui: &mut Ui, rank: Rank) -> Response {
    const SIDE: f32 = 12.0;
    let theme = Theme::of(ui);
    let text = ui
        .painter()
        .layout_no_wrap(rank.tile().to_string(), theme::small(), theme.text2);
    let size = vec2(SIDE + 4.0 + text.size().x + 4.0, theme::TAG);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, format!("Color of tile {}", rank.tile()))
    });
    let side = Rect::from_center_size(rect.left_center() + vec2(SIDE / 2.0, 0.0), vec2(SIDE, SIDE));
    ui.painter().rect_filled(side, 2, theme.tile(rank.get()));
    let at = pos2(side.right() + 4.0, rect.center().y - text.size().y / 2.0);
    ui.painter().galley(at, text, theme.text2);
    response
}

/// A ghost tile: transparent with a dashed edge.
pub fn paint_ghost(painter: &Painter, theme: &Theme, rect: Rect, rank: u8) {
    paint_tile(painter, theme, rect, rank, 0.45);
    dashed_frame(
        painter,
        rect.shrink(0.5),
        Stroke::new(1.0, theme.text2),
        4.0,
        3.0,
    );
}

pub fn paint_newest(painter: &Painter, theme: &Theme, rect: Rect) {
    dashed_frame(
        painter,
        rect.expand(1.0),
        Stroke::new(2.0, theme.text1),
        5.0,
        3.0,
    );
}

fn dashed_frame(painter: &Painter, rect: Rect, stroke: Stroke, ink: f32, gap: f32) {
    let radius = f32::from(theme::RADIUS_S) + 1.0;
    let mut path = Vec::with_capacity(25);
    let inner = rect.shrink(radius);
    let corners = [
        inner.right_top(),
        inner.right_bottom(),
        inner.left_bottom(),
        inner.left_top(),
    ];
    for (center, turn) in corners.into_iter().zip([-0.25, 0.0, 0.25, 0.5]) {
        for i in 0..=5 {
            let angle = std::f32::consts::TAU * (turn + 0.25 * i as f32 / 5.0);
            path.push(center + radius * vec2(angle.cos(), angle.sin()));
        }
    }
    path.push(path[0]);
    painter.extend(Shape::dashed_line(&path, stroke, ink, gap));
}

/// The board without tiles: its plate and its empty cells.
pub fn paint_empty_board(painter: &Painter, theme: &Theme, board: &BoardGeometry) {
    painter.rect_filled(board.rect, theme::RADIUS_M, theme.board);
    painter.rect_stroke(
        board.rect,
        theme::RADIUS_M,
        Stroke::new(1.0, theme.sep),
        StrokeKind::Inside,
    );
    for row in 0..board.rows as u8 {
        for col in 0..board.cols as u8 {
            let rect = board.cell(Cell { row, col });
            painter.rect_filled(rect, BoardGeometry::radius(rect.width()), theme.empty_cell);
        }
    }
}

/// The edge of a clickable empty cell.
pub fn outline_empty(painter: &Painter, theme: &Theme, rect: Rect) {
    painter.rect_stroke(
        rect,
        BoardGeometry::radius(rect.width()),
        Stroke::new(1.0, theme.line),
        StrokeKind::Inside,
    );
}

/// A complete board: plate, cells and tiles.
pub fn paint_board(painter: &Painter, theme: &Theme, geometry: &BoardGeometry, board: &Board) {
    paint_empty_board(painter, theme, geometry);
    for (cell, rank) in board.cells().filter(|(_, rank)| !rank.is_empty()) {
        paint_tile(painter, theme, geometry.cell(cell), rank.get(), 1.0);
    }
}

/// A board without a plate, for lists and trees; numbers below 5 px are left out, the color remains.
pub fn paint_mini(painter: &Painter, theme: &Theme, space: Rect, board: &Board) -> BoardGeometry {
    let geometry = BoardGeometry::fit_mini(space, board.size());
    painter.rect_filled(geometry.rect, 2, theme.board);
    for (cell, rank) in board.cells() {
        paint_tile(painter, theme, geometry.cell(cell), rank.get(), 1.0);
    }
    geometry
}

/// A small board as a widget; `name` describes the position to screen readers.
pub fn mini_board(ui: &mut Ui, name: &str, side: f32, board: &Board) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    if ui.is_rect_visible(rect) {
        let geometry = paint_mini(ui.painter(), Theme::of(ui), rect, board);
        if response.has_focus() {
            super::focus_ring(ui, geometry.rect);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_in_a_cell_finds_that_cell() {
        for size in Size::all() {
            let board = BoardGeometry::fit(
                Rect::from_min_size(pos2(10.0, 20.0), vec2(288.0, 300.0)),
                size,
            );
            for cell in size.iter() {
                let rect = board.cell(cell);
                assert!(board.rect.contains_rect(rect));
                assert!(
                    (rect.width() - rect.height()).abs() < 1e-3,
                    "cells are square"
                );
                assert_eq!(board.cell_at(rect.center()), Some(cell));
            }
            assert_eq!(board.cell_at(pos2(0.0, 0.0)), None);
        }
    }

    #[test]
    fn every_rank_has_a_numeral() {
        assert_eq!(numeral(1), "2");
        assert_eq!(numeral(17), "131072");
        assert_eq!(numeral(26), "67108864");
    }
}

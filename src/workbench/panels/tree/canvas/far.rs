//! A layout from far away: a bar for each column, as wide as it is dense, in the mean colour of what lies on each row.

use egui::{Painter, Rect, pos2};

use super::layout::Column;
use crate::workbench::theme::Theme;

/// How far the mark of a match stands out before its column.
const TICK: f32 = 5.0;

/// Draws a column into `space`, whose top is the height `top` of the layout and whose rows of `row` points are `step` high
/// there. Costs two searches in a sorted list for each row.
pub(crate) fn paint_column(
    painter: &Painter,
    theme: &Theme,
    column: &Column,
    space: Rect,
    top: f64,
    step: f64,
    row: f32,
) {
    let rows = (space.height() / row).ceil() as usize;
    if column.len() == 0 || rows == 0 {
        return;
    }
    let all = column.between(top, top + step * rows as f64);
    if all.is_empty() {
        return;
    }
    // The densest row that could be, so that widths compare between rows.
    let dense = (step / super::layout::ROW).max(1.0);
    let mut start = all.start;
    // Equal rows below each other become one rectangle.
    let mut pending: Option<(Rect, egui::Color32)> = None;
    for number in 0..rows {
        if all.end <= start {
            break;
        }
        let end_of_row = top + step * (number + 1) as f64;
        let end = start + partition(column, start..all.end, end_of_row);
        if end == start {
            continue;
        }
        let share = (((end - start) as f64 / dense).min(1.0)).sqrt() as f32;
        let y = space.top() + number as f32 * row;
        let width = (space.width() * share.max(0.25)).round().max(2.0);
        let color = theme.diverging(column.mean_tint(start..end));
        let rect = Rect::from_min_max(pos2(space.left(), y), pos2(space.left() + width, y + row));
        pending = match pending {
            Some((before, same)) if same == color && before.bottom() == rect.top() && before.width() == width => {
                Some((before.union(rect), same))
            }
            Some((before, other)) => {
                painter.rect_filled(before, 0, other);
                Some((rect, color))
            }
            None => Some((rect, color)),
        };
        start = end;
    }
    if let Some((rect, color)) = pending {
        painter.rect_filled(rect, 0, color);
    }
}

/// Marks the rows on which something matches: a tick before the column and a line across it. `heights` go from the top down;
/// space, top and step are as in [`paint_column`], with rows of one point.
pub(crate) fn paint_matches(painter: &Painter, theme: &Theme, heights: &[f64], space: Rect, top: f64, step: f64) {
    let rows = space.height().ceil() as usize;
    let mut next = heights.partition_point(|&y| y < top);
    while let Some(&y) = heights.get(next) {
        let row = ((y - top) / step).floor() as usize;
        if rows <= row {
            return;
        }
        let at = space.top() + row as f32;
        let tick =
            Rect::from_min_max(pos2(space.left() - TICK, at), pos2(space.left() + space.width() * 0.25, at + 1.0));
        painter.rect_filled(tick, 0, theme.text1);
        let end = top + step * (row + 1) as f64;
        next += heights[next..].partition_point(|&y| y < end).max(1);
    }
}

/// How many entries of a range lie above a height: rows hold few, so that the search widens from the start.
fn partition(column: &Column, range: std::ops::Range<usize>, bottom: f64) -> usize {
    let mut step = 1;
    let (mut low, mut high) = (range.start, range.start);
    while high < range.end && column.y(high) < bottom {
        low = high + 1;
        high = (high + step).min(range.end);
        step *= 2;
    }
    let (mut left, mut right) = (low, high);
    while left < right {
        let middle = left + (right - left) / 2;
        if column.y(middle) < bottom { left = middle + 1 } else { right = middle }
    }
    left - range.start
}

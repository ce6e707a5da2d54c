//! A grid of cells over two settings, the first top down, in a sequential color scale.

use egui::{Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use super::Cells;
use super::data::SweepData;
use crate::workbench::kit::elided;
use crate::workbench::theme::{self, Theme, text_on};

/// Room for the values of the first setting, and for those of the second.
const VALUES: f32 = 86.0;
const HEAD: f32 = 38.0;
/// Maximum size of a cell.
const LARGEST: [f32; 2] = [150.0, 64.0];

pub(super) fn ui(ui: &Ui, rect: Rect, data: &SweepData, chosen: usize, cells: &mut Cells<'_>) {
    let [rows, columns] = data.axes.as_slice() else {
        return;
    };
    let (theme, painter) = (Theme::of(ui), ui.painter());
    let line = &data.lines[chosen];
    let room = rect.size() - vec2(VALUES, HEAD);
    let cell = vec2(
        (room.x / columns.values.len() as f32).min(LARGEST[0]),
        (room.y / rows.values.len() as f32).min(LARGEST[1]),
    );

    let values = || line.points.iter().flatten().map(|point| point.value);
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    let corner = rect.min + vec2(VALUES, HEAD);

    // Each name has an arrow, because the names are side by side.
    let name = elided(
        painter,
        &format!("↓ {}", rows.name),
        theme::small(),
        theme.text3,
        rect.width() / 2.0,
    );
    let left = corner.x.max(rect.left() + name.size().x + theme::SPACE_L);
    painter.galley(rect.min, name, theme.text3);
    let name = elided(
        painter,
        &format!("→ {}", columns.name),
        theme::small(),
        theme.text3,
        rect.right() - left,
    );
    painter.galley(pos2(left, rect.top()), name, theme.text3);
    let label = |at: egui::Pos2, value: f64, room: f32| {
        let text = elided(
            painter,
            &value.to_string(),
            theme::small(),
            theme.text2,
            room,
        );
        painter.galley(at - vec2(0.0, text.size().y / 2.0), text, theme.text2);
    };
    for (column, &value) in columns.values.iter().enumerate() {
        label(
            pos2(corner.x + cell.x * column as f32 + 4.0, corner.y - 10.0),
            value,
            cell.x - 6.0,
        );
    }

    for (row, &value) in rows.values.iter().enumerate() {
        let top = corner.y + cell.y * row as f32;
        label(pos2(rect.left(), top + cell.y / 2.0), value, VALUES - 8.0);

        for column in 0..columns.values.len() {
            let place =
                Rect::from_min_size(pos2(corner.x + cell.x * column as f32, top), cell).shrink(1.0);
            let Some(point) = &line.points[row * columns.values.len() + column] else {
                painter.rect_stroke(place, 2, Stroke::new(1.0, theme.line), StrokeKind::Inside);
                continue;
            };
            let share = if low < high {
                ((point.value - low) / (high - low)) as f32
            } else {
                0.5
            };
            let fill = theme.sequential(share);
            painter.rect_filled(place, 2, fill);
            let font = if cell.x < 44.0 {
                theme::small()
            } else {
                theme::medium()
            };
            let text = elided(
                painter,
                &data.measure.text(point.value),
                font,
                text_on(fill),
                place.width() - 4.0,
            );
            // The interval below the value, if both fit.
            let ends = point.interval.map(|ends| {
                [ends.low, ends.high]
                    .map(|end| data.measure.text(end))
                    .join(" to ")
            });
            let ends = ends.map(|ends| painter.layout_no_wrap(ends, theme::small(), text_on(fill)));
            let height = text.size().y + ends.as_ref().map_or(0.0, |ends| ends.size().y);
            let ends = ends
                .filter(|ends| ends.size().x <= place.width() - 4.0 && height <= place.height());
            let lines: Vec<_> = [text].into_iter().chain(ends).collect();
            let height: f32 = lines.iter().map(|line| line.size().y).sum();
            let mut at = place.center().y - height / 2.0;
            for line in lines.into_iter().filter(|_| height < cell.y) {
                let size = line.size();
                painter.galley(
                    pos2(place.center().x - size.x / 2.0, at),
                    line,
                    text_on(fill),
                );
                at += size.y;
            }

            if point.published.is_some() {
                let square = Rect::from_min_size(place.left_top() + vec2(3.0, 3.0), vec2(6.0, 6.0));
                painter.rect_stroke(
                    square,
                    0,
                    Stroke::new(1.4, text_on(fill)),
                    StrokeKind::Middle,
                );
            }

            let response = cells.point(ui, place, point, (1 + row, 1 + column));
            if cells.is_selected(point) || response.hovered() {
                painter.rect_stroke(place, 2, Stroke::new(2.0, theme.text1), StrokeKind::Inside);
            }
        }
    }
}

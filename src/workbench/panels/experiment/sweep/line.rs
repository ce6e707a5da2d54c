//! Lines with bands over one setting.

use egui::{Align2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use super::Cells;
use super::data::{Measure, SweepData};
use crate::experiment::SweptAxis;
use crate::workbench::kit::{Heights, NUMBERS, band, elided, paint_dashed, paint_marker};
use crate::workbench::theme::{self, Theme};

/// Room below the plot for the values and the name of the setting.
const BELOW: f32 = 34.0;
/// Radius around a point that still counts as a hit.
const AROUND: f32 = 9.0;

/// Maps values of the setting to the screen.
struct Across {
    inner: Rect,
    is_log: bool,
    first: f64,
    last: f64,
}

impl Across {
    fn new(inner: Rect, axis: &SweptAxis) -> Self {
        let (first, last) = (axis.values[0], axis.values[axis.values.len() - 1]);
        Self {
            inner,
            is_log: axis.is_log && 0.0 < first,
            first,
            last,
        }
    }

    fn x(&self, value: f64) -> f32 {
        let at = |value: f64| if self.is_log { value.ln() } else { value };
        let (first, last) = (at(self.first), at(self.last));
        let share = if first < last {
            (at(value) - first) / (last - first)
        } else {
            0.5
        };
        // Leaves room around the first and the last point.
        self.inner.left() + 14.0 + (self.inner.width() - 28.0) * share as f32
    }
}

pub(super) fn ui(
    ui: &Ui,
    rect: Rect,
    data: &SweepData,
    is_shown: impl Fn(usize) -> bool,
    cells: &mut Cells<'_>,
) {
    let Some(axis) = data.axes.first() else {
        return;
    };
    let theme = Theme::of(ui);
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 16.0),
        rect.max - vec2(theme::SPACE_M, BELOW),
    );
    let (across, heights) = (
        Across::new(inner, axis),
        Heights::of(inner, data.drawn(&is_shown)),
    );
    heights.paint(
        ui.painter(),
        theme,
        &data.measure.title(),
        data.measure != Measure::Mean,
    );
    paint_values(ui, axis, &across);
    let painter = ui
        .painter()
        .with_clip_rect(inner.expand(8.0).intersect(ui.clip_rect()));
    let shown = || {
        data.lines
            .iter()
            .enumerate()
            .filter(|(index, _)| is_shown(*index))
    };
    for (index, line) in shown() {
        let ends = axis.values.iter().zip(&line.points).map(|(value, point)| {
            let interval = point.as_ref()?.interval?;
            Some((
                across.x(*value),
                heights.y(interval.low),
                heights.y(interval.high),
            ))
        });
        painter.add(band(
            ends,
            theme
                .strategy(index)
                .color
                .gamma_multiply(theme.series_fill),
        ));
    }

    for (index, line) in shown() {
        let mark = theme.strategy(index);
        if let Some(published) = line.published {
            let y = heights.y(published);
            let ends = [pos2(inner.left(), y), pos2(inner.right(), y)];
            painter.extend(Shape::dashed_line(
                &ends,
                Stroke::new(1.2, mark.color),
                2.0,
                4.0,
            ));
            let text = format!("published, {}", line.name);
            painter.text(
                ends[1],
                Align2::RIGHT_BOTTOM,
                text,
                theme::small(),
                theme.text3,
            );
        }

        let mut points = Vec::new();
        for (value, point) in axis.values.iter().zip(&line.points) {
            points.extend(
                point
                    .as_ref()
                    .map(|point| (pos2(across.x(*value), heights.y(point.value)), point)),
            );
        }

        paint_dashed(
            &painter,
            &points.iter().map(|(at, _)| *at).collect::<Vec<_>>(),
            mark,
            theme::SERIES_WIDTH,
        );
        for (column, (at, point)) in points.into_iter().enumerate() {
            if let Some(ends) = point.interval {
                let stroke = Stroke::new(1.2, mark.color);
                painter.vline(at.x, heights.y(ends.high)..=heights.y(ends.low), stroke);
            }
            if let Some(published) = point.published {
                let square =
                    Rect::from_center_size(pos2(at.x, heights.y(published)), vec2(8.0, 8.0));
                painter.rect_stroke(square, 0, Stroke::new(1.6, theme.text1), StrokeKind::Middle);
            }
            paint_marker(
                &painter,
                at,
                mark,
                if cells.is_selected(point) { 6.5 } else { 4.5 },
            );
            let around = Rect::from_center_size(at, vec2(2.0 * AROUND, 2.0 * AROUND));
            let response = cells.point(ui, around, point, (1 + index, 1 + column));
            if response.hovered() {
                painter.circle_stroke(at, 7.5, Stroke::new(1.5, theme.text1));
            }
        }
    }
}

/// The values of the setting, as many as fit, and its name.
fn paint_values(ui: &Ui, axis: &SweptAxis, across: &Across) {
    let (theme, painter, inner) = (Theme::of(ui), ui.painter(), across.inner);
    let mut free = f32::NEG_INFINITY;
    for &value in &axis.values {
        let x = across.x(value);
        painter.vline(
            x,
            inner.bottom()..=inner.bottom() + 3.0,
            Stroke::new(1.0, theme.line),
        );
        let text = elided(
            painter,
            &value.to_string(),
            theme::small(),
            theme.text3,
            80.0,
        );
        let left = x - text.size().x / 2.0;
        if free < left {
            free = left + text.size().x + 6.0;
            painter.galley(pos2(left, inner.bottom() + 4.0), text, theme.text3);
        }
    }
    let at = pos2(inner.center().x, inner.bottom() + BELOW);
    painter.text(
        at,
        Align2::CENTER_BOTTOM,
        &axis.name,
        theme::small(),
        theme.text3,
    );
}

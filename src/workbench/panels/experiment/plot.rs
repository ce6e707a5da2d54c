//! The plots over scores: histogram, cumulative distribution, boxes.
//!
//! egui_plot provides axes, ticks, grid, zoom (Ctrl and the wheel; a double click resets it) and the transform to the
//! screen. Series are painted on top, because strategies differ by dash (`8 3 2 3`) as well as by color, and egui_plot
//! has only one dash length. A drag selects scores, so it does not pan; the wheel does.

use std::ops::RangeInclusive;

use egui::epaint::Mesh;
use egui::{
    Align2, Color32, Painter, Pos2, Rect, Response, RichText, Role, Shape, Stroke, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};
use egui_plot::{AxisHints, GridMark, Plot, PlotTransform};

use super::brush::{Brushing, brush_input};
use super::data::{Lens, PlotData, Series, Stack, Unit, in_groups};
use super::differences::Paired;
use super::frame::{Frame, Kind, PlotFacts, PlotShape};
use super::hear::{hear_bins, hear_boxes, hover};
use super::ladder::part;
use crate::stats::NO_DIFFERENCE;
use crate::words;
use crate::workbench::kit::{
    elided, focus_ring, paint_dashed, paint_key, paint_marker, tick_text, ticks,
};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::theme::{self, Theme};

/// Width of the numbers left of the plot; fixed, so that the plot does not move.
const NUMBERS: f32 = 42.0;
/// Width of the names left of boxes.
const NAMES: f32 = 132.0;
/// Radius of the marker of a mean.
const MARKER: f32 = 4.5;

/// Draws a plot over scores into the remaining space down to `height`.
pub(super) fn plot_ui(
    ui: &mut Ui,
    kind: Kind,
    data: &PlotData,
    view: &mut RunView,
    brushing: &mut Brushing,
    height: f32,
) -> Response {
    let theme = Theme::of(ui);
    let PlotFacts { spoken, shape, .. } = kind.facts();
    // The unit of the heights is above their numbers.
    let unit = match (shape, data.unit) {
        (PlotShape::Boxes | PlotShape::Own, _) => "",
        (PlotShape::Curve, _) => "% at most",
        (PlotShape::Bars, Unit::Games) => "games",
        (PlotShape::Bars, Unit::Share) => "% of games",
    };
    let most_y = ((height / 44.0) as usize).clamp(2, 7);
    // Games are whole numbers, so are their ticks.
    let is_whole = data.unit == Unit::Games && shape == PlotShape::Bars;
    let has_whole_ticks = |most: &usize| ticks(0.0, data.tallest.max(1.0), *most).1.fract() == 0.0;
    let most_y = if is_whole {
        (1..=most_y).rev().find(has_whole_ticks).unwrap_or(1)
    } else {
        most_y
    };
    let top = match shape {
        PlotShape::Bars => {
            let (_, step) = ticks(0.0, data.tallest, most_y);
            ((data.tallest / step).ceil() * step).max(step)
        }
        PlotShape::Curve => 100.0,
        PlotShape::Boxes | PlotShape::Own => 1.0,
    };
    let (transform, response) = frame(ui, shape, data, top, most_y, height, brushing);
    let frame = Frame {
        shape,
        data,
        selected: view.selected(),
        inner: *transform.frame(),
        transform,
    };
    let inner = frame.inner;
    let mut sentence = data.sentence(spoken, shape.drawn(data));
    let seen = frame.seen();
    if brushing.zoomed {
        let [low, high] = [seen.0, seen.1].map(|at| data.axis.text(data.axis.score(at)));
        let what = if data.paired.is_some() {
            "differences"
        } else {
            "scores"
        };
        sentence += &format!(". Enlarged: {what} {low} to {high}");
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &sentence));
    let above = pos2(ui.min_rect().left(), inner.top() - 8.0);
    ui.painter().text(
        above,
        Align2::LEFT_BOTTOM,
        unit,
        theme::small(),
        theme.text3,
    );
    let painter = ui
        .painter()
        .with_clip_rect(inner.expand2(vec2(0.0, 6.0)).intersect(ui.clip_rect()));
    painter.hline(
        inner.x_range(),
        inner.bottom().round() + 0.5,
        Stroke::new(1.0, theme.line),
    );

    brush_input(ui, &response, frame, view, brushing);
    if shape == PlotShape::Boxes {
        hear_boxes(ui, frame, view);
    } else {
        hear_bins(ui, &response, frame, view);
    }
    if let Some(scores) = view.brush.as_ref() {
        paint_brush(&painter, theme, frame, scores);
    }
    paint_plot(ui.painter(), &painter, theme, frame);
    paint_tail(ui.painter(), &painter, theme, frame);
    if response.has_focus() {
        focus_ring(ui, response.rect.shrink(3.0));
    }
    let pointer = response
        .hover_pos()
        .filter(|_| !egui::Popup::is_any_open(ui.ctx()));
    if let Some(pointer) = pointer.filter(|&pointer| inner.expand(4.0).contains(pointer)) {
        hover(ui, &response, frame, pointer);
    }
    // Nothing changes its width during a press or drag.
    let is_held = ui.input(|input| input.pointer.any_down());
    if !is_held {
        brushing.lens = Lens {
            pixels: inner.width(),
            seen: brushing.zoomed.then_some(seen),
        };
    }
    response
}

/// Paints the games, without the brush and the hover.
fn paint_plot(outside: &Painter, painter: &Painter, theme: &Theme, frame: Frame<'_>) {
    match frame.shape {
        PlotShape::Bars => {
            if let Some((series, stack)) = frame.data.stacked() {
                paint_stack(painter, theme, frame, series, stack);
            }
            frame
                .in_order()
                .for_each(|series| outline(painter, theme, frame, series));
        }
        PlotShape::Curve => {
            frame
                .in_order()
                .for_each(|series| band(painter, theme, frame, series));
            frame
                .in_order()
                .for_each(|series| curve(painter, theme, frame, series));
        }
        PlotShape::Boxes => boxes(outside, painter, theme, frame),
        PlotShape::Own => {}
    }

    if let Some(paired) = &frame.data.paired {
        paint_paired(painter, theme, frame, paired);
    }

    for series in frame.in_order().filter(|_| frame.shape != PlotShape::Boxes) {
        // On the axis, not on the numbers below it.
        let at = pos2(frame.x(series.mean), frame.inner.bottom() - MARKER);
        paint_marker(painter, at, theme.strategy(series.color), MARKER);
    }
}

/// The line of no difference, and the interval of the mean difference.
fn paint_paired(painter: &Painter, theme: &Theme, frame: Frame<'_>, paired: &Paired) {
    let (inner, zero) = (frame.inner, f64::from(NO_DIFFERENCE));
    let x = frame.x(zero).round() + 0.5;
    painter.vline(x, inner.y_range(), Stroke::new(1.0, theme.text3));
    if let Some(interval) = paired.interval {
        let [low, high] = [interval.low, interval.high].map(|end| frame.x(zero + end));
        let stroke = Stroke::new(2.0, theme.text1);
        let y = inner.bottom() - MARKER;
        painter.hline(low..=high, y, stroke);
        for end in [low, high] {
            painter.vline(end, y - 5.0..=inner.bottom(), stroke);
        }
    }
}

/// The empty plot: axes and grid of the visible scores.
fn frame(
    ui: &mut Ui,
    shape: PlotShape,
    data: &PlotData,
    top: f64,
    most_y: usize,
    height: f32,
    brushing: &mut Brushing,
) -> (PlotTransform, Response) {
    let theme = Theme::of(ui);
    let (width, zoomed, axis) = (ui.available_width(), brushing.zoomed, data.axis);
    let most_x = ((width / 84.0) as usize).max(2);
    let mark = |(value, step_size): (f64, f64)| GridMark { value, step_size };
    let name = match (&data.paired, shape) {
        (Some(Paired { label, .. }), _) => {
            format!(
                "Difference of two games on the same tiles, {label}, {}",
                data.width_text()
            )
        }
        (None, PlotShape::Bars) => format!("Score of a game, {}", data.width_text()),
        (None, _) => "Score of a game".to_owned(),
    };

    let look = |hints: AxisHints<'static>| {
        hints
            .tick_label_color(theme.text3)
            .tick_label_font(theme::small())
            .label_spacing(0.0..=0.0)
    };
    let x_axis = look(AxisHints::new_x()).label(RichText::new(name).small().color(theme.text3));
    let x_axis =
        x_axis.formatter(move |mark: GridMark, _| axis.tick_text(mark.value, mark.step_size));
    let with_heights = shape != PlotShape::Boxes;
    let y_axis = look(AxisHints::new_y()).min_thickness(if with_heights {
        NUMBERS
    } else {
        names_width(width)
    });
    let y_axis = y_axis.formatter(move |mark: GridMark, _| {
        if with_heights {
            tick_text(mark.value, mark.step_size)
        } else {
            String::new()
        }
    });

    if with_heights {
        ui.add_space(theme::SPACE_L);
    }

    let height = if with_heights {
        height - theme::SPACE_L
    } else {
        height
    };
    let response = Plot::new("scores")
        .width(width - theme::SPACE_M)
        .height(height)
        .allow_drag(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_zoom([true, false])
        .allow_scroll([zoomed, false])
        .set_margin_fraction(Vec2::ZERO)
        .show_x(false)
        .show_y(false)
        .show_crosshair(false)
        .show_background(false)
        .show_axes([true, true])
        .show_grid([false, with_heights])
        .grid_color(theme.grid)
        .grid_fade(0.0)
        .custom_x_axes(vec![x_axis])
        .custom_y_axes(vec![y_axis])
        .x_grid_spacer(move |input| {
            axis.ticks(input.bounds.0, input.bounds.1, most_x)
                .into_iter()
                .map(mark)
                .collect()
        })
        .y_grid_spacer(move |input| {
            let (values, step) = ticks(input.bounds.0, input.bounds.1, most_y);
            values
                .into_iter()
                .map(|value| mark((value, step)))
                .collect()
        })
        .include_x(axis.low)
        .include_x(axis.end())
        .include_y(0.0)
        .include_y(top)
        .show(ui, |plot| {
            // Heights always start at the axis, at any zoom.
            plot.set_plot_bounds_y(0.0..=top);
            if let Some((low, high)) = brushing.wanted.take() {
                if low <= axis.low && axis.end() <= high {
                    plot.set_auto_bounds([true, false]);
                } else {
                    plot.set_plot_bounds_x(low..=high);
                }
            }
            !plot.auto_bounds().x
        });

    brushing.zoomed = response.inner;
    (response.transform, response.response)
}

/// Width of the names of boxes in a plot of this width.
fn names_width(width: f32) -> f32 {
    NAMES.min(0.3 * width)
}

fn paint_brush(painter: &Painter, theme: &Theme, frame: Frame<'_>, scores: &RangeInclusive<u32>) {
    let [low, high] = frame
        .span(scores)
        .map(|x| x.clamp(frame.inner.left(), frame.inner.right()));
    let band = Rect::from_min_max(
        pos2(low, frame.inner.top()),
        pos2(high, frame.inner.bottom()),
    );
    painter.rect_filled(band, 0, theme.accent.gamma_multiply(0.16));
    for x in [low, high] {
        painter.vline(
            x.round() + 0.5,
            band.y_range(),
            Stroke::new(1.5, theme.accent),
        );
    }
}

/// The break of the axis, and the text of the tail beyond it.
fn paint_tail(outside: &Painter, inside: &Painter, theme: &Theme, frame: Frame<'_>) {
    let Some((text, (from, _))) = frame.data.tail_text().zip(frame.data.axis.tail_span()) else {
        return;
    };
    let [end, from] =
        [frame.data.axis.high, from].map(|at| frame.transform.position_from_point_x(at));
    let (inner, middle) = (frame.inner, (end + from) / 2.0);
    if inner.right() < middle {
        return;
    }

    let dashes = Shape::dashed_line(
        &[pos2(middle, inner.top()), pos2(middle, inner.bottom())],
        Stroke::new(1.0, theme.line),
        2.0,
        4.0,
    );
    inside.extend(dashes);
    if frame.shape != PlotShape::Boxes {
        inside.text(
            inner.right_top(),
            Align2::RIGHT_TOP,
            text,
            theme::small(),
            theme.text2,
        );
    }
    let above = frame
        .data
        .axis
        .tail()
        .map(|tail| format!("{} …", words::count(tail.into())));
    let at = pos2(inner.right(), inner.bottom() + 3.0);
    outside.text(
        at,
        Align2::RIGHT_TOP,
        above.unwrap_or_default(),
        theme::small(),
        theme.text3,
    );
}

/// An outline in the strategy's dash, over a light fill of whole rectangles, which leaves no seams between bins.
fn outline(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series) {
    let data = frame.data;
    let mark = theme.strategy(series.color);
    let weight = if frame.selected == Some(series.place) {
        1.6
    } else {
        1.0
    };
    let fill = mark.color.gamma_multiply(weight * theme.series_fill);
    let is_stacked = data.stack.is_some();
    let mut mesh = Mesh::default();
    let base = frame.inner.bottom();
    let seen = frame.seen_bins();
    let mut points = Vec::with_capacity(2 * (seen.end() - seen.start()) + 4);
    // The tail has an outline of its own.
    let done = |points: &mut Vec<Pos2>| {
        if let (Some(first), Some(last)) = (points.first().copied(), points.last().copied()) {
            points.insert(0, pos2(first.x, base));
            points.push(pos2(last.x, base));
        }
        // Empty bins at both ends need no line on the axis.
        let used = |point: &Pos2| point.y < base - 0.01;
        if let (Some(first), Some(last)) =
            (points.iter().position(used), points.iter().rposition(used))
        {
            let points = &points[first.saturating_sub(1)..(last + 2).min(points.len())];
            paint_dashed(painter, points, mark, frame.width(series));
        }
        points.clear();
    };

    for bin in seen {
        let [left, right] = frame.span(&data.scores_of(bin));
        let height = series.height(bin, data.unit);
        let y = frame.y(height);
        if data.bins.tail() == Some(bin) {
            done(&mut points);
        }
        points.extend([pos2(left, y), pos2(right, y)]);
        if 0.0 < height && !is_stacked {
            mesh.add_colored_rect(Rect::from_min_max(pos2(left, y), pos2(right, base)), fill);
        }
    }

    // The fill is below the lines.
    let mesh_at = painter.add(Shape::Noop);
    done(&mut points);
    painter.set(mesh_at, Shape::mesh(mesh));
}

/// The bars of one strategy in the colors of the largest tiles; the smallest tile is at the axis.
fn paint_stack(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series, stack: &Stack) {
    let mut mesh = Mesh::default();
    for bin in frame.seen_bins() {
        let [left, right] = frame.span(&frame.data.scores_of(bin));
        // A gap between bars that are wide enough for it.
        let right = if 5.0 < right - left {
            right - 1.0
        } else {
            right
        };
        let mut below = 0;
        for (rank, games) in stack
            .parts
            .iter()
            .map(|(rank, bars)| (rank, bars[bin]))
            .filter(|(_, games)| 0 < *games)
        {
            let [low, high] =
                [below, below + games].map(|games| frame.y(series.in_unit(games, frame.data.unit)));
            let part = Rect::from_min_max(pos2(left, high), pos2(right, low));
            mesh.add_colored_rect(part, theme.tile(rank.get()));
            below += games;
        }
    }
    painter.add(Shape::mesh(mesh));
}

/// The confidence band around a step function.
fn band(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series) {
    let fill = theme
        .strategy(series.color)
        .color
        .gamma_multiply(theme.series_fill);
    let mut mesh = Mesh::default();
    let right = frame.inner.right();
    let (mut left, mut share) = (frame.inner.left(), 0.0);
    let add = |mesh: &mut Mesh, left: f32, right: f32, share: f64| {
        let [low, high] = [share - series.band, share + series.band]
            .map(|at| frame.y(100.0 * at.clamp(0.0, 1.0)));
        if left < right {
            mesh.add_colored_rect(Rect::from_min_max(pos2(left, high), pos2(right, low)), fill);
        }
    };
    for &(score, upto) in &series.steps {
        let x = frame.x(score.into()).clamp(frame.inner.left(), right);
        add(&mut mesh, left, x, share);
        (left, share) = (x, upto as f64 / series.games.max(1) as f64);
    }

    add(&mut mesh, left, right, share);
    painter.add(Shape::mesh(mesh));
}

fn curve(painter: &Painter, theme: &Theme, frame: Frame<'_>, series: &Series) {
    let share = |upto: u64| frame.y(100.0 * upto as f64 / series.games.max(1) as f64);
    let mut points = vec![pos2(frame.inner.left(), share(0))];
    for &(score, upto) in &series.steps {
        let (x, before) = (frame.x(score.into()), points[points.len() - 1].y);
        points.extend([pos2(x, before), pos2(x, share(upto))]);
    }
    points.push(pos2(frame.inner.right(), points[points.len() - 1].y));
    // Clips long horizontal lines, so that the visible part is still dashed.
    points.iter_mut().for_each(|point| {
        point.x = point
            .x
            .clamp(frame.inner.left() - 1.0, frame.inner.right() + 1.0);
    });
    points.dedup();
    paint_dashed(
        painter,
        &points,
        theme.strategy(series.color),
        frame.width(series),
    );
}

fn boxes(names: &Painter, painter: &Painter, theme: &Theme, frame: Frame<'_>) {
    for ((series, row), (_, is_apart)) in frame.boxes().zip(in_groups(&frame.data.rows)) {
        let mark = theme.strategy(series.color);
        let (half, middle) = ((row.height() * 0.32).min(12.0), row.center().y);
        let is_selected = frame.selected == Some(series.place);
        if is_selected {
            painter.rect_filled(row, theme::RADIUS_S, theme.accent_bg);
        }

        let [p5, p25, p50, p75, p95] = series.quantiles.map(|score| frame.x(score));
        let stroke = Stroke::new(frame.width(series), mark.color);
        painter.hline(p5..=p25, middle, stroke);
        painter.hline(p75..=p95, middle, stroke);
        for x in [p5, p95] {
            painter.vline(x, middle - half * 0.5..=middle + half * 0.5, stroke);
        }

        for end in [series.ends.0, series.ends.1] {
            painter.circle_filled(pos2(frame.x(f64::from(end)), middle), 1.5, mark.color);
        }
        let body = Rect::from_min_max(pos2(p25, middle - half), pos2(p75, middle + half));
        painter.rect_filled(body, 2, mark.color.gamma_multiply(theme.series_fill));
        painter.rect_stroke(body, 2, stroke, egui::StrokeKind::Middle);
        painter.vline(p50, body.y_range(), Stroke::new(2.4, mark.color));
        paint_marker(painter, pos2(frame.x(series.mean), middle), mark, 4.0);
        let room = names_width(frame.inner.width() + NAMES) - 42.0;
        let color = if is_selected {
            theme.text1
        } else {
            theme.text2
        };
        let key = Rect::from_center_size(
            pos2(row.left() - room - 26.0, middle),
            vec2(28.0, theme::TAG),
        );
        paint_key(names, key, mark);
        part(names, theme, row.with_min_x(key.left()), is_apart);
        let class = series.class.as_deref().unwrap_or_default().to_owned();
        let class = painter.layout_no_wrap(class, theme::small(), theme.text3);
        let name = elided(
            painter,
            &series.label,
            theme::small(),
            color,
            room - 6.0 - class.size().x,
        );
        let at = pos2(
            row.left() - 8.0 - class.size().x,
            middle - class.size().y / 2.0,
        );
        names.galley(at, class, Color32::PLACEHOLDER);
        names.galley(
            pos2(row.left() - room - 8.0, middle - name.size().y / 2.0),
            name,
            Color32::PLACEHOLDER,
        );
    }
}

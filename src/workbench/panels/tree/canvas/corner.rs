//! The corner of the canvas: the legend of signs and colors, and the minimap with a frame around the visible part.

use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};
use strum::IntoEnumIterator as _;

use super::camera::Lens;
use super::far;
use super::layout::{Layout, column_x};
use crate::search::NodeKind;
use crate::words;
use crate::workbench::kit::{LEGEND_RADIUS, paint_node};
use crate::workbench::panels::tree::key::{HEIGHT, MEANING, WITH_MEANING, paint_scale};
use crate::workbench::theme::{self, Theme};

/// Minimum width for the legend; below it is a tooltip.
const WIDE: f32 = 820.0;
const ENDS: &str = "Slides: the ends of the scale are next to the name of the ply. Spawns: the ends are the largest \
    deviation in the node";

/// The parts of a strip along an edge of the canvas that minimap and legend cover.
pub(super) fn covered(strip: Rect, has_map: bool) -> Vec<Rect> {
    let map = has_map.then(|| strip.with_min_x(strip.right() - MINIMAP.x - 8.0));
    let right = map.map_or(strip.right(), |map| map.left()) - 12.0;
    let legend = strip
        .with_min_y(strip.bottom() - HEIGHT - 8.0)
        .with_max_x(right);
    let legend = if WIDE <= right - strip.left() {
        legend
    } else {
        legend.with_min_x(right - HEIGHT - 8.0)
    };
    map.into_iter().chain([legend]).collect()
}

/// Draws the legend, or a mark with the legend as its tooltip where that would lie over a node: `is_free` says whether
/// a rectangle is free of them.
pub(super) fn legend_ui(ui: &mut Ui, space: Rect, is_free: impl Fn(Rect) -> bool) {
    let theme = Theme::of(ui);
    let rect = space
        .with_min_y(space.bottom() - HEIGHT - 4.0)
        .with_max_y(space.bottom() - 4.0);
    let painter = ui.painter();
    let text =
        |kind: NodeKind| painter.layout_no_wrap(kind.name().to_owned(), theme::body(), theme.text2);
    let texts: Vec<_> = NodeKind::iter().map(text).collect();
    let width: f32 = texts
        .iter()
        .map(|text| text.size().x + 2.0 * LEGEND_RADIUS + 6.0 + 16.0)
        .sum();
    let left = rect.right() - width - WITH_MEANING;
    if WIDE <= space.width() && is_free(rect.with_min_x(left - 8.0)) {
        painter.rect_filled(rect.with_min_x(left - 8.0), theme::RADIUS_S, theme.bg1);
        paint_scale(
            ui,
            Rect::from_min_size(pos2(left, rect.top()), vec2(WITH_MEANING, HEIGHT)),
        );
        let mut x = left + WITH_MEANING;
        for (kind, text) in NodeKind::iter().zip(texts) {
            paint_node(
                painter,
                theme,
                kind,
                pos2(x + LEGEND_RADIUS, rect.center().y),
                LEGEND_RADIUS,
                None,
            );
            x += 2.0 * LEGEND_RADIUS + 6.0;
            let (at, width) = (
                pos2(x, rect.center().y - text.size().y / 2.0),
                text.size().x,
            );
            painter.galley(at, text, theme.text2);
            x += width + 16.0;
        }
        let name = format!("Legend: color is the {MEANING}");
        let response = ui.interact(
            rect.with_min_x(left),
            ui.scope_id().with("legend"),
            Sense::hover(),
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &name));
        response.on_hover_text(ENDS);
        return;
    }

    let mark = Rect::from_min_size(rect.right_top() - vec2(HEIGHT, 0.0), vec2(HEIGHT, HEIGHT));
    let response = ui.interact(mark, ui.scope_id().with("legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), "Legend"));
    let fill = if response.hovered() {
        theme.bg4
    } else {
        theme.bg3
    };
    ui.painter().circle_filled(mark.center(), 10.0, fill);
    ui.painter().text(
        mark.center(),
        Align2::CENTER_CENTER,
        "?",
        theme::medium(),
        theme.text2,
    );

    response.on_hover_ui(|ui| {
        for kind in NodeKind::iter() {
            let (rect, _) = ui.allocate_exact_size(vec2(120.0, 20.0), Sense::hover());
            let center = rect.left_center() + vec2(LEGEND_RADIUS + 2.0, 0.0);
            paint_node(ui.painter(), theme, kind, center, LEGEND_RADIUS, None);
            let at = rect.left_center() + vec2(2.0 * LEGEND_RADIUS + 12.0, 0.0);
            ui.painter().text(
                at,
                Align2::LEFT_CENTER,
                kind.name(),
                theme::body(),
                theme.text1,
            );
        }
        let (rect, _) = ui.allocate_exact_size(vec2(WITH_MEANING, 20.0), Sense::hover());
        paint_scale(ui, rect);
        ui.label(ENDS);
    });
}

/// The deviations at the ends of the color scale of a ply.
pub(super) fn range(span: f64) -> String {
    // Only small spans need a decimal.
    let places = usize::from(span < 10.0);
    format!(
        "{} … {}",
        words::decimals(-span, places),
        words::decimals(span, places)
    )
}

pub(super) const MINIMAP: Vec2 = vec2(168.0, 96.0);
const INSET: f32 = 6.0;

/// Draws the minimap; while it is dragged, returns the point to center, as shares of the layout's width and height.
pub(super) fn minimap_ui(
    ui: &mut Ui,
    rect: Rect,
    layout: &Layout,
    lens: &Lens,
) -> Option<(f64, f64)> {
    let theme = Theme::of(ui);
    let response = ui.interact(
        rect,
        ui.scope_id().with("minimap"),
        Sense::CLICK | Sense::DRAG,
    );
    response.widget_info(|| {
        WidgetInfo::labeled(
            Role::Image,
            ui.is_enabled(),
            "Minimap: drag to move the view",
        )
    });
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    painter.rect_filled(rect, theme::RADIUS_S, theme.bg2);
    let inner = rect.shrink(INSET);
    let (width, height) = (layout.width(), (layout.bottom - layout.top).max(1.0));
    // A small tree is not stretched.
    let high = f64::from(inner.height()).min(height * 0.25);
    let top = inner.center().y - high as f32 / 2.0;
    let columns = layout.columns.len().max(1);
    let pitch = inner.width() / columns as f32;
    for (depth, column) in layout.columns.iter().enumerate() {
        let left = inner.left() + (column_x(depth) / width) as f32 * inner.width();
        let space =
            Rect::from_min_size(pos2(left, top), vec2((pitch * 0.72).max(2.0), high as f32));
        far::paint_column(&painter, theme, column, space, layout.top, height / high);
    }

    let across = |x: f64| inner.left() + ((x / width).clamp(-0.02, 1.02) as f32) * inner.width();
    let down = |y: f64| top + (((y - layout.top) / height).clamp(-0.05, 1.05) * high) as f32;
    let (x0, y0) = lens.under(lens.rect.left_top());
    let (x1, y1) = lens.under(lens.rect.right_bottom());
    let mut seen = Rect::from_min_max(pos2(across(x0), down(y0)), pos2(across(x1), down(y1)));
    if seen.height() < 4.0 {
        seen = Rect::from_center_size(seen.center(), vec2(seen.width(), 4.0));
    }

    let seen = seen.intersect(rect.shrink(2.0));
    painter.rect_stroke(seen, 2, Stroke::new(1.5, theme.accent), StrokeKind::Inside);
    painter.rect_stroke(
        rect,
        theme::RADIUS_S,
        Stroke::new(1.0, theme.line),
        StrokeKind::Inside,
    );
    let at = response
        .interact_pointer_pos()
        .filter(|_| response.dragged() || response.clicked())?;
    let x = f64::from((at.x - inner.left()) / inner.width()).clamp(0.0, 1.0) * width;
    let y = layout.top + f64::from((at.y - top) / (high as f32).max(1.0)).clamp(0.0, 1.0) * height;
    Some((x, y))
}

//! What the signs and the colours of the canvas mean.

use egui::{Align2, Mesh, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::search::NodeKind;
use crate::words;
use crate::workbench::kit::{LEGEND_RADIUS, paint_node};
use crate::workbench::theme::{self, Theme};

/// From this width on the legend is drawn; below it is a tooltip.
const WIDE: f32 = 820.0;
const HEIGHT: f32 = 24.0;
const SCALE: f32 = 72.0;
const STEPS: u8 = 24;
/// Width of the scale with what it means.
const WITH_MEANING: f32 = 256.0;
/// What the colours say.
const MEANING: &str = "value against the node above";
const ENDS: &str = "Slides: the ends of the scale stand beside the name of the ply. Spawns: the largest deviation among those of the same node";

/// Draws it at the lower right of `space`.
pub(super) fn ui(ui: &mut Ui, space: Rect) {
    let theme = Theme::of(ui);
    let rect = space.with_min_y(space.bottom() - HEIGHT - 4.0).with_max_y(space.bottom() - 4.0);
    if WIDE <= space.width() {
        let painter = ui.painter();
        let texts =
            NodeKind::ALL.map(|kind| painter.layout_no_wrap(kind.name().to_owned(), theme::body(), theme.text2));
        let width: f32 = texts.iter().map(|text| text.size().x + 2.0 * LEGEND_RADIUS + 6.0 + 16.0).sum();
        let left = rect.right() - width - WITH_MEANING;
        painter.rect_filled(rect.with_min_x(left - 8.0), theme::RADIUS_S, theme.bg1);
        paint_scale(ui, Rect::from_min_size(pos2(left, rect.top()), vec2(WITH_MEANING, HEIGHT)));
        let mut x = left + WITH_MEANING;
        for (kind, text) in NodeKind::ALL.into_iter().zip(texts) {
            paint_node(painter, theme, kind, pos2(x + LEGEND_RADIUS, rect.center().y), LEGEND_RADIUS, None);
            x += 2.0 * LEGEND_RADIUS + 6.0;
            let (at, width) = (pos2(x, rect.center().y - text.size().y / 2.0), text.size().x);
            painter.galley(at, text, theme.text2);
            x += width + 16.0;
        }
        let name = format!("Legend: colour is the {MEANING}");
        let response = ui.interact(rect.with_min_x(left), ui.scope_id().with("legend"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), &name));
        response.on_hover_text(ENDS);
        return;
    }
    let mark = Rect::from_min_size(rect.right_top() - vec2(HEIGHT, 0.0), vec2(HEIGHT, HEIGHT));
    let response = ui.interact(mark, ui.scope_id().with("legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), "Legend"));
    let fill = if response.hovered() { theme.bg4 } else { theme.bg3 };
    ui.painter().circle_filled(mark.center(), 10.0, fill);
    ui.painter().text(mark.center(), Align2::CENTER_CENTER, "?", theme::medium(), theme.text2);
    response.on_hover_ui(|ui| {
        for kind in NodeKind::ALL {
            let (rect, _) = ui.allocate_exact_size(vec2(120.0, 20.0), Sense::hover());
            let center = rect.left_center() + vec2(LEGEND_RADIUS + 2.0, 0.0);
            paint_node(ui.painter(), theme, kind, center, LEGEND_RADIUS, None);
            let at = rect.left_center() + vec2(2.0 * LEGEND_RADIUS + 12.0, 0.0);
            ui.painter().text(at, Align2::LEFT_CENTER, kind.name(), theme::body(), theme.text1);
        }
        let (rect, _) = ui.allocate_exact_size(vec2(WITH_MEANING, 20.0), Sense::hover());
        paint_scale(ui, rect);
        ui.label(ENDS);
    });
}

/// The deviations at the ends of the colour scale of a ply.
pub(super) fn range(span: f64) -> String {
    // Whole numbers say enough of a span, but for small ones.
    let places = usize::from(span < 10.0);
    format!("{} … {}", words::decimals(-span, places), words::decimals(span, places))
}

fn paint_scale(ui: &Ui, rect: Rect) {
    let theme = Theme::of(ui);
    let bar = Rect::from_min_size(pos2(rect.left(), rect.center().y - 5.0), vec2(SCALE, 10.0));
    let mut mesh = Mesh::default();
    for step in 0..STEPS {
        let t = |step: u8| f32::from(step) / f32::from(STEPS);
        let part = bar.with_min_x(bar.left() + t(step) * SCALE).with_max_x(bar.left() + t(step + 1) * SCALE);
        mesh.add_colored_rect(part, theme.diverging(2.0 * t(step) - 1.0 + t(1)));
    }
    ui.painter().add(mesh);
    ui.painter().rect_stroke(bar, 1, Stroke::new(1.0, theme.sep), StrokeKind::Outside);
    let at = pos2(bar.right() + 6.0, rect.center().y);
    ui.painter().text(at, Align2::LEFT_CENTER, MEANING, theme::small(), theme.text3);
}

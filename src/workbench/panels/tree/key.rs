//! The legend of a tree's colors and signs: in the corner of the canvas, and below a figure.

use egui::{Align2, Mesh, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2};

use crate::search::NodeKind;
use crate::workbench::kit::{LEGEND_RADIUS, paint_node};
use crate::workbench::theme::{self, Theme};

/// Height of a line.
pub(super) const HEIGHT: f32 = 24.0;
/// Width of the scale with its meaning.
pub(super) const WITH_MEANING: f32 = 256.0;
const SCALE: f32 = 72.0;
const STEPS: u8 = 24;
pub(super) const MEANING: &str = "value compared with the node above";
/// Width of a kind of node below a figure.
const KIND: f32 = 72.0;

/// The color scale, from values far below the parent's to values far above it.
pub(super) fn paint_scale(ui: &Ui, rect: Rect) {
    let theme = Theme::of(ui);
    let text = |x: f32, text: &str| {
        let at = pos2(x, rect.center().y);
        ui.painter()
            .text(at, Align2::LEFT_CENTER, text, theme::small(), theme.text3)
            .right()
    };
    let left = text(rect.left(), "less") + 6.0;
    let bar = Rect::from_min_size(pos2(left, rect.center().y - 5.0), vec2(SCALE, 10.0));
    let mut mesh = Mesh::default();
    for step in 0..STEPS {
        let t = |step: u8| f32::from(step) / f32::from(STEPS);
        let part = bar
            .with_min_x(bar.left() + t(step) * SCALE)
            .with_max_x(bar.left() + t(step + 1) * SCALE);
        mesh.add_colored_rect(part, theme.diverging(2.0 * t(step) - 1.0 + t(1)));
    }

    ui.painter().add(mesh);
    ui.painter()
        .rect_stroke(bar, 1, Stroke::new(1.0, theme.sep), StrokeKind::Outside);
    text(bar.right() + 6.0, "more than the node above");
}

/// The legend below a figure of a tree: the scale, then kinds of nodes, in as many lines as they need.
pub(in crate::workbench::panels) struct FigureKey {
    /// The position of each part; the scale has no kind.
    parts: Vec<(Option<NodeKind>, Vec2)>,
    height: f32,
}

impl FigureKey {
    pub(super) fn new(kinds: impl IntoIterator<Item = NodeKind>, width: f32) -> Self {
        let (mut parts, mut at) = (vec![(None, Vec2::ZERO)], vec2(WITH_MEANING, 0.0));
        for kind in kinds {
            if width < at.x + KIND {
                at = vec2(0.0, at.y + HEIGHT);
            }
            parts.push((Some(kind), at));
            at.x += KIND;
        }
        Self {
            parts,
            height: at.y + HEIGHT,
        }
    }

    pub(in crate::workbench::panels) fn height(&self) -> f32 {
        self.height
    }

    pub(super) fn ui(&self, ui: &mut Ui) {
        let theme = Theme::of(ui);
        let (space, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), self.height), Sense::hover());
        for &(kind, at) in &self.parts {
            let rect = Rect::from_min_size(space.min + at, vec2(WITH_MEANING, HEIGHT));
            let Some(kind) = kind else {
                paint_scale(ui, rect);
                continue;
            };
            let center = rect.left_center() + vec2(LEGEND_RADIUS, 0.0);
            paint_node(ui.painter(), theme, kind, center, LEGEND_RADIUS, None);
            let at = center + vec2(LEGEND_RADIUS + 6.0, 0.0);
            ui.painter().text(
                at,
                Align2::LEFT_CENTER,
                kind.name(),
                theme::small(),
                theme.text2,
            );
        }
        response.widget_info(|| {
            WidgetInfo::labeled(
                Role::Image,
                ui.is_enabled(),
                format!("Key: color is the {MEANING}"),
            )
        });
    }
}

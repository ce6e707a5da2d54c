//! The sign of a node: shape, letter and color show its kind, the fill its value.

use std::f32::consts::TAU;

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use crate::search::NodeKind;
use crate::workbench::theme::{self, Theme};

/// Radius in legends and tables.
pub const LEGEND_RADIUS: f32 = 8.0;
/// Radius in the tree at its natural scale.
pub const NODE_RADIUS: f32 = 11.5;
const OUTLINE: f32 = 1.8;

fn kind_letter(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Max => "M",
        NodeKind::Chance => "C",
        NodeKind::Min => "N",
        NodeKind::Leaf => "L",
        NodeKind::Dead => "D",
        NodeKind::Cut => "X",
        NodeKind::Cached => "T",
    }
}

/// Draws a node around `center`; without `fill` it has the background of cards. Letters too small to read are left out.
pub fn paint_node(
    painter: &Painter,
    theme: &Theme,
    kind: NodeKind,
    center: Pos2,
    radius: f32,
    fill: Option<Color32>,
) {
    let color = theme.kind(kind);
    let fill = fill.unwrap_or(theme.bg2);
    let stroke = Stroke::new(OUTLINE * (radius / NODE_RADIUS).clamp(0.6, 1.5), color);
    let at = |x: f32, y: f32| center + vec2(x, y) * radius;
    let polygon = |points: Vec<Pos2>| {
        painter.add(Shape::convex_polygon(points, fill, stroke));
    };

    // The letter is in the middle of the wide part.
    let mut letter = center;
    match kind {
        NodeKind::Max => {
            polygon(vec![
                at(0.0, -1.05),
                at(0.92, -0.3),
                at(0.92, 0.95),
                at(-0.92, 0.95),
                at(-0.92, -0.3),
            ]);
            letter.y += 0.2 * radius;
        }
        NodeKind::Min => {
            polygon(vec![
                at(-0.92, -0.95),
                at(0.92, -0.95),
                at(0.92, 0.3),
                at(0.0, 1.05),
                at(-0.92, 0.3),
            ]);
            letter.y -= 0.2 * radius;
        }
        NodeKind::Chance => {
            painter.circle(center, radius, fill, stroke);
        }
        NodeKind::Leaf => polygon(vec![
            at(-0.9, -0.9),
            at(0.9, -0.9),
            at(0.9, 0.9),
            at(-0.9, 0.9),
        ]),
        NodeKind::Dead => {
            let angle = |i: u8| TAU * (f32::from(i) + 0.5) / 8.0;
            polygon(
                (0..8)
                    .map(|i| at(1.05 * angle(i).cos(), 1.05 * angle(i).sin()))
                    .collect(),
            );
        }
        NodeKind::Cut => {
            // The torn edge bends inwards, so the outline is drawn separately from two convex halves.
            let body = vec![at(-0.9, -0.9), at(0.45, -0.9), at(0.45, 0.9), at(-0.9, 0.9)];
            painter.add(Shape::convex_polygon(body, fill, Stroke::NONE));
            let edge = [
                (0.45, -0.9),
                (0.95, -0.9),
                (0.45, -0.35),
                (0.95, 0.1),
                (0.45, 0.5),
                (0.95, 0.9),
                (0.45, 0.9),
            ];
            let edge = edge.map(|(x, y)| at(x, y));
            for tooth in edge.windows(3).step_by(2) {
                painter.add(Shape::convex_polygon(tooth.to_vec(), fill, Stroke::NONE));
            }
            let outline = [&[at(-0.9, -0.9)][..], &edge[1..6], &[at(-0.9, 0.9)]].concat();
            painter.add(Shape::closed_line(outline, stroke));
            letter.x -= 0.2 * radius;
        }
        NodeKind::Cached => {
            painter.circle_filled(center, radius, fill);
            let scale = radius / NODE_RADIUS;
            let angle = |i: u8| TAU * f32::from(i) / 48.0;
            let ring: Vec<Pos2> = (0..=48)
                .map(|i| at(angle(i).cos(), angle(i).sin()))
                .collect();
            painter.extend(Shape::dashed_line(&ring, stroke, 3.0 * scale, 2.2 * scale));
        }
    }

    let size = radius * 0.98;
    if 5.0 <= size {
        let ink = if fill == theme.bg2 {
            color
        } else {
            theme::text_on(fill)
        };
        painter.text(
            letter,
            Align2::CENTER_CENTER,
            kind_letter(kind),
            theme::strong_of(size),
            ink,
        );
    }
}

/// Slanted hatching; it starts on a grid of the screen, so that it continues in neighboring cells.
pub fn paint_hatch(painter: &Painter, rect: Rect, color: Color32) {
    const STEP: f32 = 6.0;
    let painter = painter.with_clip_rect(rect);
    let stroke = Stroke::new(1.0, color);
    let first = ((rect.left() + rect.top()) / STEP).floor() as i32;
    let last = ((rect.right() + rect.bottom()) / STEP).ceil() as i32;
    for k in first..=last {
        let sum = k as f32 * STEP;
        painter.line_segment(
            [
                pos2(sum - rect.top(), rect.top()),
                pos2(sum - rect.bottom(), rect.bottom()),
            ],
            stroke,
        );
    }
}

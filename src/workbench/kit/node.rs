//! The sign of a node: shape, letter and colour say its kind, the fill says its value.

use std::f32::consts::TAU;

use egui::{Align2, Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};

use crate::search::NodeKind;
use crate::workbench::theme::{self, Theme};

/// Radius in legends and tables.
pub const LEGEND_RADIUS: f32 = 8.0;
/// Radius in the tree at its natural scale.
pub const NODE_RADIUS: f32 = 11.5;
/// Outline at the natural scale.
const OUTLINE: f32 = 1.8;

/// The letter of a kind.
pub fn kind_letter(kind: NodeKind) -> &'static str {
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

/// Draws a node around `center`; without a `fill` it is the surface of cards. Letters too small to be read are left out.
pub fn paint_node(painter: &Painter, theme: &Theme, kind: NodeKind, center: Pos2, radius: f32, fill: Option<Color32>) {
    let color = theme.kind(kind);
    let fill = fill.unwrap_or(theme.bg2);
    let stroke = Stroke::new(OUTLINE * (radius / NODE_RADIUS).clamp(0.6, 1.5), color);
    let at = |x: f32, y: f32| center + vec2(x, y) * radius;
    let polygon = |points: Vec<Pos2>| {
        painter.add(Shape::convex_polygon(points, fill, stroke));
    };
    // The letter sits in the middle of the wide part.
    let mut letter = center;
    match kind {
        NodeKind::Max => {
            polygon(vec![at(0.0, -1.05), at(0.92, -0.3), at(0.92, 0.95), at(-0.92, 0.95), at(-0.92, -0.3)]);
            letter.y += 0.2 * radius;
        }
        NodeKind::Min => {
            polygon(vec![at(-0.92, -0.95), at(0.92, -0.95), at(0.92, 0.3), at(0.0, 1.05), at(-0.92, 0.3)]);
            letter.y -= 0.2 * radius;
        }
        NodeKind::Chance => {
            painter.circle(center, radius, fill, stroke);
        }
        NodeKind::Leaf => polygon(vec![at(-0.9, -0.9), at(0.9, -0.9), at(0.9, 0.9), at(-0.9, 0.9)]),
        NodeKind::Dead => {
            let corner = |i: u8| {
                let angle = TAU * (f32::from(i) + 0.5) / 8.0;
                center + vec2(angle.cos(), angle.sin()) * radius * 1.05
            };
            polygon((0..8).map(corner).collect());
        }
        NodeKind::Cut => {
            // The torn edge bends inwards, so the outline is drawn apart from two convex halves.
            let outline = [
                at(-0.9, -0.9),
                at(0.95, -0.9),
                at(0.45, -0.35),
                at(0.95, 0.1),
                at(0.45, 0.5),
                at(0.95, 0.9),
                at(-0.9, 0.9),
            ];
            let body = vec![at(-0.9, -0.9), at(0.45, -0.9), at(0.45, 0.9), at(-0.9, 0.9)];
            painter.add(Shape::convex_polygon(body, fill, Stroke::NONE));
            for tooth in [
                [0.45, -0.9, 0.95, -0.9, 0.45, -0.35],
                [0.45, -0.35, 0.95, 0.1, 0.45, 0.5],
                [0.45, 0.5, 0.95, 0.9, 0.45, 0.9],
            ] {
                let [ax, ay, bx, by, cx, cy] = tooth;
                let points = vec![at(ax, ay), at(bx, by), at(cx, cy)];
                painter.add(Shape::convex_polygon(points, fill, Stroke::NONE));
            }
            painter.add(Shape::closed_line(outline.to_vec(), stroke));
            letter.x -= 0.2 * radius;
        }
        NodeKind::Cached => {
            painter.circle_filled(center, radius, fill);
            let scale = radius / NODE_RADIUS;
            let ring: Vec<Pos2> = (0..=48_u8)
                .map(|i| {
                    let angle = TAU * f32::from(i) / 48.0;
                    pos2(center.x + radius * angle.cos(), center.y + radius * angle.sin())
                })
                .collect();
            painter.extend(Shape::dashed_line(&ring, stroke, 3.0 * scale, 2.2 * scale));
        }
    }
    let size = radius * 0.98;
    if 5.0 <= size {
        let ink = if fill == theme.bg2 { color } else { theme::text_on(fill) };
        painter.text(letter, Align2::CENTER_CENTER, kind_letter(kind), theme::strong_of(size), ink);
    }
}

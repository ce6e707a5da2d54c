//! Signs of inaccuracy, mistake and blunder; the same in every view.

use egui::{Painter, Pos2, Shape, Stroke, vec2};

use crate::review::Class;
use crate::workbench::theme::Theme;

/// Half the width of a sign.
const RADIUS: f32 = 4.0;

/// A ring for an inaccuracy, a triangle for a mistake, a diamond for a blunder.
pub fn paint_class(painter: &Painter, theme: &Theme, center: Pos2, class: Class) {
    let r = RADIUS;
    match class {
        Class::Inaccuracy => {
            painter.circle_stroke(center, r - 0.5, Stroke::new(1.4, theme.text2));
        }
        Class::Mistake => {
            let corners =
                [vec2(0.0, -r), vec2(r, r * 0.8), vec2(-r, r * 0.8)].map(|corner| center + corner);
            painter.add(Shape::convex_polygon(
                corners.to_vec(),
                theme.warn,
                Stroke::NONE,
            ));
        }
        Class::Blunder => {
            let r = r + 0.5;
            let corners = [vec2(0.0, -r), vec2(r, 0.0), vec2(0.0, r), vec2(-r, 0.0)]
                .map(|corner| center + corner);
            painter.add(Shape::convex_polygon(
                corners.to_vec(),
                theme.error,
                Stroke::NONE,
            ));
        }
    }
}

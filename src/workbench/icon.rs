//! The icons of the window, drawn with the painter on a 14 px grid.
//!
//! Fonts disagree about symbols, and image files would need a loader, so every icon consists of a few strokes of 1.5
//! px. [`icon_button`] adds a name, a tooltip and a hit area larger than the drawing.

use std::f32::consts::TAU;

use egui::{
    Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, vec2,
};

use super::paper::{left_out, on_paper};
use super::theme::{self, Theme};

pub const SIDE: f32 = 14.0;
const STROKE: f32 = 1.5;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Play,
    Pause,
    Stop,
    First,
    Previous,
    Next,
    Last,
    Step,
    Grip,
    Close,
    Plus,
    Menu,
    ChevronUp,
    ChevronDown,
    ChevronLeft,
    ChevronRight,
    Search,
    Fit,
    Pin,
    Eye,
    EyeOff,
    Reset,
    Warning,
    /// A search tree.
    Branch,
    /// The rows of a strategy.
    Rows,
    /// A rising curve.
    Curve,
    /// A speech bubble.
    Note,
}

impl Icon {
    pub fn paint(self, painter: &Painter, center: Pos2, color: Color32) {
        // Aligns the grid to whole pixels; otherwise thin strokes blur.
        let origin = (center - Vec2::splat(SIDE / 2.0)).round();
        let at = |x: f32, y: f32| origin + vec2(x, y);
        let stroke = Stroke::new(STROKE, color);
        let line = |points: &[(f32, f32)]| {
            painter.add(Shape::line(
                points.iter().map(|&(x, y)| at(x, y)).collect(),
                stroke,
            ));
        };

        let fill = |points: &[(f32, f32)]| {
            let points = points.iter().map(|&(x, y)| at(x, y)).collect();
            painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
        };

        let bar = |x0: f32, y0: f32, x1: f32, y1: f32| {
            painter.rect_filled(Rect::from_min_max(at(x0, y0), at(x1, y1)), 0.5, color);
        };

        match self {
            Self::Play => fill(&[(3.5, 2.0), (12.0, 7.0), (3.5, 12.0)]),
            Self::Pause => {
                bar(3.0, 2.0, 6.0, 12.0);
                bar(8.0, 2.0, 11.0, 12.0);
            }
            Self::Stop => bar(3.0, 3.0, 11.0, 11.0),
            Self::First => {
                bar(2.0, 2.0, 4.0, 12.0);
                fill(&[(12.0, 2.5), (12.0, 11.5), (5.0, 7.0)]);
            }
            Self::Previous => fill(&[(10.0, 2.5), (10.0, 11.5), (3.0, 7.0)]),
            Self::Next => fill(&[(4.0, 2.5), (11.0, 7.0), (4.0, 11.5)]),
            Self::Last => {
                fill(&[(2.0, 2.5), (9.0, 7.0), (2.0, 11.5)]);
                bar(10.0, 2.0, 12.0, 12.0);
            }
            Self::Step => {
                fill(&[(7.0, 3.0), (12.0, 7.0), (7.0, 11.0)]);
                line(&[(2.0, 7.0), (7.5, 7.0)]);
            }
            Self::Grip => {
                for x in [5.0, 9.0] {
                    for y in [3.0, 7.0, 11.0] {
                        painter.circle_filled(at(x, y), 1.2, color);
                    }
                }
            }
            Self::Close => {
                line(&[(3.5, 3.5), (10.5, 10.5)]);
                line(&[(10.5, 3.5), (3.5, 10.5)]);
            }
            Self::Plus => {
                line(&[(7.0, 2.5), (7.0, 11.5)]);
                line(&[(2.5, 7.0), (11.5, 7.0)]);
            }
            Self::Menu => {
                for x in [2.5, 7.0, 11.5] {
                    painter.circle_filled(at(x, 7.0), 1.3, color);
                }
            }
            Self::ChevronUp => line(&[(3.0, 9.0), (7.0, 5.0), (11.0, 9.0)]),
            Self::ChevronDown => line(&[(3.0, 5.0), (7.0, 9.0), (11.0, 5.0)]),
            Self::ChevronLeft => line(&[(9.0, 3.0), (5.0, 7.0), (9.0, 11.0)]),
            Self::ChevronRight => line(&[(5.0, 3.0), (9.0, 7.0), (5.0, 11.0)]),
            Self::Search => {
                painter.circle_stroke(at(6.0, 6.0), 3.8, stroke);
                line(&[(8.8, 8.8), (12.5, 12.5)]);
            }
            Self::Fit => {
                for (x, y, dx, dy) in [
                    (2.0, 2.0, 3.0, 3.0),
                    (12.0, 2.0, -3.0, 3.0),
                    (2.0, 12.0, 3.0, -3.0),
                    (12.0, 12.0, -3.0, -3.0),
                ] {
                    line(&[(x + dx, y), (x, y), (x, y + dy)]);
                }
            }
            Self::Pin => {
                line(&[(4.5, 2.0), (9.5, 2.0)]);
                line(&[
                    (5.5, 2.0),
                    (5.0, 6.5),
                    (3.5, 8.5),
                    (10.5, 8.5),
                    (9.0, 6.5),
                    (8.5, 2.0),
                ]);
                line(&[(7.0, 8.5), (7.0, 13.0)]);
            }
            Self::Eye | Self::EyeOff => {
                let lid = |sign: f32| -> Vec<Pos2> {
                    (0..=12)
                        .map(|i| {
                            let t = i as f32 / 12.0;
                            at(1.0 + 12.0 * t, 7.0 + sign * 4.2 * (t * TAU / 2.0).sin())
                        })
                        .collect()
                };
                painter.extend(
                    [1.0, -1.0].map(|sign| Shape::line(lid(sign), Stroke::new(1.2, color))),
                );
                painter.circle_filled(at(7.0, 7.0), 1.9, color);
                if self == Self::EyeOff {
                    line(&[(2.5, 12.0), (11.5, 2.0)]);
                }
            }
            Self::Reset => {
                // A counterclockwise arrow, with its head at the upper left.
                let angle = |step: u8| TAU * (0.68 + 0.8 * f32::from(step) / 18.0);
                let arc = (0..=18_u8)
                    .map(|step| at(7.0 + 4.5 * angle(step).cos(), 7.0 + 4.5 * angle(step).sin()));
                painter.add(Shape::line(arc.collect(), stroke));
                line(&[(5.09, 2.93), (8.68, 4.25)]);
                line(&[(5.09, 2.93), (7.0, -0.39)]);
            }
            Self::Warning => {
                let corners = [(7.0, 1.5), (13.0, 12.5), (1.0, 12.5)].map(|(x, y)| at(x, y));
                painter.add(Shape::closed_line(
                    corners.to_vec(),
                    Stroke::new(1.3, color),
                ));
                line(&[(7.0, 5.5), (7.0, 8.8)]);
                painter.circle_filled(at(7.0, 10.7), 0.9, color);
            }
            Self::Branch => {
                line(&[(4.5, 7.0), (7.0, 7.0), (7.0, 2.5), (9.5, 2.5)]);
                line(&[(7.0, 7.0), (9.5, 7.0)]);
                line(&[(7.0, 7.0), (7.0, 11.5), (9.5, 11.5)]);
                painter.circle_filled(at(3.0, 7.0), 2.0, color);
                for y in [2.5, 7.0, 11.5] {
                    painter.circle_filled(at(11.0, y), 1.6, color);
                }
            }
            Self::Rows => {
                for y in [1.5, 5.75, 10.0] {
                    let row = Rect::from_min_max(at(1.0, y), at(13.0, y + 3.0));
                    painter.rect_stroke(row, 1.0, Stroke::new(1.2, color), StrokeKind::Inside);
                }
            }
            Self::Note => {
                line(&[
                    (6.0, 9.5),
                    (3.5, 12.0),
                    (3.5, 9.5),
                    (1.5, 9.5),
                    (1.5, 2.5),
                    (12.5, 2.5),
                    (12.5, 9.5),
                    (6.0, 9.5),
                ]);
                line(&[(4.0, 5.0), (10.0, 5.0)]);
                line(&[(4.0, 7.2), (8.0, 7.2)]);
            }
            Self::Curve => {
                line(&[(1.5, 1.5), (1.5, 12.5), (12.5, 12.5)]);
                line(&[(3.0, 11.0), (5.0, 7.5), (7.5, 5.5), (12.5, 3.0)]);
            }
        }
    }
}

/// Opacity of a disabled icon.
const OFF_ALPHA: f32 = 0.5;

/// A square button with only an icon; `name` is for screen readers, `tooltip` ends with the key.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str, tooltip: &str) -> Response {
    icon_button_if(ui, icon, name, tooltip, true)
}

/// An icon button that may be disabled; it can still have the focus, so that its tooltip can be read.
pub fn icon_button_if(
    ui: &mut Ui,
    icon: Icon,
    name: &str,
    tooltip: &str,
    enabled: bool,
) -> Response {
    if on_paper(ui) {
        return left_out(ui);
    }

    let sense = if enabled {
        Sense::click()
    } else {
        Sense::focusable_noninteractive()
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(theme::HIT), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled && ui.is_enabled(), name));
    if ui.is_rect_visible(rect) {
        let theme = Theme::of(ui);
        let hot = enabled && (response.hovered() || response.has_focus());
        if hot {
            ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg4);
        }
        if response.has_focus() {
            theme::focus_ring(ui, rect);
        }
        let color = match (hot, enabled) {
            (true, _) => theme.text1,
            (false, true) => theme.text2,
            (false, false) => theme.text3.gamma_multiply(OFF_ALPHA),
        };
        icon.paint(ui.painter(), rect.center(), color);
    }

    if tooltip.is_empty() {
        response
    } else {
        response.on_hover_text(tooltip)
    }
}

/// An icon in a row of text, passive and without a name.
pub fn icon_label(ui: &mut Ui, icon: Icon, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(
        vec2(SIDE, ui.spacing().interact_size.y.min(theme::TAG)),
        Sense::hover(),
    );
    icon.paint(ui.painter(), rect.center(), color);
}

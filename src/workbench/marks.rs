//! Converts egui's shapes to the marks of a drawing, which [`super::svg`] and [`super::pdf`] write.
//!
//! Rectangles, circles, paths, curves and text keep their kind, so that a figure can be scaled, searched and edited. A
//! shape that extends beyond its clip rectangle keeps it. Textures other than the font (images) and renderer callbacks
//! are left out.

use egui::emath::TSTransform;
use egui::epaint::{
    BandShape, ClippedShape, ColorMode, CubicBezierShape, EllipseShape, Mesh, PathShape,
    PathStroke, QuadraticBezierShape, RectShape, TextShape, Vertex, WHITE_UV,
};
use egui::{Color32, FontFamily, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};

/// A drawing: marks over a background.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drawing {
    /// The visible part of the plane, in points.
    pub space: Rect,
    pub background: Color32,
    /// The accessible title, also in the file's metadata.
    pub title: String,
    pub marks: Vec<Mark>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mark {
    /// The clip rectangle, if the mark extends beyond it.
    pub clip: Option<Rect>,
    /// Applied last.
    pub moved: TSTransform,
    /// Clockwise rotation in radians, and its center.
    pub turn: Option<(f32, Pos2)>,
    pub ink: Ink,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ink {
    Form(Form, Color32, Stroke),
    Run(Run),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// With its corner radius.
    Rect(Rect, f32),
    Circle(Pos2, f32),
    Ellipse(Pos2, Vec2),
    Line([Pos2; 2]),
    /// Filled only if closed.
    Path(Vec<Step>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    Move(Pos2),
    Line(Pos2),
    Quad(Pos2, Pos2),
    Cubic(Pos2, Pos2, Pos2),
    Close,
}

/// Letters of one font and color in one row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// Each with its distance from the first, in points.
    pub letters: Vec<(char, f32)>,
    /// The start of the baseline.
    pub at: Pos2,
    pub width: f32,
    pub family: FontFamily,
    pub size: f32,
    pub color: Color32,
}

impl Run {
    pub(super) fn text(&self) -> String {
        self.letters.iter().map(|(letter, _)| letter).collect()
    }
}

/// Distance of cubic control points from the ends of a quarter circle, in radii.
pub(super) const QUARTER: f32 = 0.552_284_8;

impl Drawing {
    /// The marks of the shapes within `space`.
    pub(super) fn new<'a>(
        title: &str,
        space: Rect,
        background: Color32,
        shapes: impl IntoIterator<Item = &'a ClippedShape>,
    ) -> Self {
        let mut reader = Reader {
            space,
            marks: Vec::new(),
            clip: None,
            moved: TSTransform::IDENTITY,
        };
        for shape in shapes {
            reader.clipped(shape);
        }
        Self {
            space,
            background,
            title: title.to_owned(),
            marks: reader.marks,
        }
    }
}

/// The bounds of a shape. Some shapes include their outline; slightly larger bounds do no harm.
pub(super) fn bounds(shape: &ClippedShape) -> Rect {
    let bounds = match &shape.shape {
        Shape::LineSegment { points, stroke } => {
            Rect::from_points(points).expand(stroke.width / 2.0)
        }
        shape => shape.visual_bounding_rect(),
    };
    shape.transform_after_tessellation.mul_rect(bounds)
}

struct Reader {
    space: Rect,
    marks: Vec<Mark>,
    // For the current shape.
    clip: Option<Rect>,
    moved: TSTransform,
}

impl Reader {
    fn clipped(&mut self, shape: &ClippedShape) {
        let clip = shape.clip_rect.intersect(self.space);
        let bounds = bounds(shape);
        if !clip.is_positive() || !bounds.intersects(clip) {
            return;
        }
        self.clip = (!clip.contains_rect(bounds)).then_some(clip);
        self.moved = shape.transform_after_tessellation;
        self.shape(&shape.shape);
    }

    fn mark(&mut self, ink: Ink, turn: Option<(f32, Pos2)>) {
        let turn = turn.filter(|(angle, _)| *angle != 0.0);
        self.marks.push(Mark {
            clip: self.clip,
            moved: self.moved,
            turn,
            ink,
        });
    }

    fn form(&mut self, form: Form, fill: Color32, stroke: Stroke, turn: Option<(f32, Pos2)>) {
        self.mark(Ink::Form(form, fill, stroke), turn);
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) if circle.radius <= 0.0 => {}
            Shape::Circle(circle) => {
                self.form(
                    Form::Circle(circle.center, circle.radius),
                    circle.fill,
                    circle.stroke,
                    None,
                );
            }
            Shape::Ellipse(EllipseShape {
                center,
                radius,
                fill,
                stroke,
                angle,
            }) => {
                self.form(
                    Form::Ellipse(*center, *radius),
                    *fill,
                    *stroke,
                    Some((*angle, *center)),
                );
            }
            Shape::LineSegment { stroke, .. } if stroke.is_empty() => {}
            Shape::LineSegment { points, stroke } => {
                self.form(Form::Line(*points), Color32::TRANSPARENT, *stroke, None);
            }
            Shape::Path(PathShape {
                points,
                closed,
                fill,
                stroke,
            }) => {
                self.path(polyline(points.iter().copied()), *closed, *fill, stroke);
            }
            Shape::Band(band) => self.band(band),
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(QuadraticBezierShape {
                points: [a, b, c],
                closed,
                fill,
                stroke,
            }) => {
                self.path(
                    vec![Step::Move(*a), Step::Quad(*b, *c)],
                    *closed,
                    *fill,
                    stroke,
                );
            }
            Shape::CubicBezier(CubicBezierShape {
                points: [a, b, c, d],
                closed,
                fill,
                stroke,
            }) => {
                self.path(
                    vec![Step::Move(*a), Step::Cubic(*b, *c, *d)],
                    *closed,
                    *fill,
                    stroke,
                );
            }
        }
    }

    /// A path, filled only if it is closed.
    fn path(&mut self, mut steps: Vec<Step>, closed: bool, fill: Color32, stroke: &PathStroke) {
        // A drawing cannot express position-dependent colors, so such a line is left out.
        let stroke = match stroke.color {
            ColorMode::Solid(color) => Stroke::new(stroke.width, color),
            ColorMode::UV(_) => Stroke::NONE,
        };
        let fill = if closed { fill } else { Color32::TRANSPARENT };
        if closed {
            steps.push(Step::Close);
        }
        if 1 < steps.len() && (fill != Color32::TRANSPARENT || !stroke.is_empty()) {
            self.form(Form::Path(steps), fill, stroke, None);
        }
    }

    /// The outline of a band, along both edges.
    fn band(&mut self, band: &BandShape) {
        let there = band.points.iter().map(|point| pos2(point.x, point.y.min));
        let back = band
            .points
            .iter()
            .rev()
            .map(|point| pos2(point.x, point.y.max));
        let mut steps = polyline(there.chain(back));
        if !steps.is_empty() {
            steps.push(Step::Close);
            self.form(Form::Path(steps), band.fill, band.stroke, None);
        }
    }

    fn rect(&mut self, shape: &RectShape) {
        let RectShape {
            rect,
            corner_radius,
            fill,
            stroke,
            stroke_kind,
            brush,
            angle,
            ..
        } = shape;
        // Files center outlines on the edge; the fill extends below them anyway.
        let by = match stroke_kind {
            _ if stroke.is_empty() => 0.0,
            StrokeKind::Inside => -stroke.width / 2.0,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => stroke.width / 2.0,
        };
        let outline = rect.expand(by);
        // A brush means an image.
        if brush.is_some() || !outline.is_positive() {
            return;
        }

        let most = outline.width().min(outline.height()) / 2.0;
        let radii = [
            corner_radius.nw,
            corner_radius.ne,
            corner_radius.se,
            corner_radius.sw,
        ];
        let radii = radii.map(|radius| {
            if radius == 0 {
                0.0
            } else {
                (f32::from(radius) + by).clamp(0.0, most)
            }
        });
        let form = if radii == [radii[0]; 4] {
            Form::Rect(outline, radii[0])
        } else {
            Form::Path(rounded(outline, radii))
        };
        self.form(form, *fill, *stroke, Some((*angle, rect.center())));
    }

    /// Triangles with one color each; two triangles that form an upright rectangle of one color become a rectangle.
    fn mesh(&mut self, mesh: &Mesh) {
        if mesh.texture_id != egui::TextureId::default() || !mesh.is_valid() {
            return;
        }

        let triangles = mesh
            .triangles()
            .map(|corners| corners.map(|index| mesh.vertices[index as usize]));
        // Glyphs are drawn as text.
        let is_plain = |triangle: &[Vertex; 3]| triangle.iter().all(|vertex| vertex.uv == WHITE_UV);
        let mut triangles = triangles.filter(is_plain).peekable();
        while let Some(triangle) = triangles.next() {
            let color = mean(triangle.map(|vertex| vertex.color));
            let form = match triangles
                .peek()
                .and_then(|next| rectangle(&triangle, next, color))
            {
                Some(around) => {
                    triangles.next();
                    Form::Rect(around, 0.0)
                }
                None => {
                    let mut steps = polyline(triangle.iter().map(|vertex| vertex.pos));
                    steps.push(Step::Close);
                    Form::Path(steps)
                }
            };
            self.form(form, color, Stroke::NONE, None);
        }
    }

    /// Each row as runs of one font and color.
    fn text(&mut self, shape: &TextShape) {
        let sections = &shape.galley.job.sections;
        let mut at_byte = 0;
        for row in &shape.galley.rows {
            let mut runs: Vec<(usize, Run)> = Vec::new();
            for glyph in &row.row.glyphs {
                let section = sections
                    .iter()
                    .position(|section| at_byte < section.byte_range.end.into());
                let place = section.unwrap_or(sections.len().saturating_sub(1));

                at_byte += glyph.chr.len_utf8();
                let Some(section) = sections.get(place) else {
                    continue;
                };

                match runs.last_mut().filter(|(last, _)| *last == place) {
                    Some((_, run)) => {
                        let first = run.at.x - shape.pos.x - row.pos.x;
                        run.letters.push((glyph.chr, glyph.pos.x - first));
                        run.width = glyph.pos.x + glyph.advance_width - first;
                    }
                    None => {
                        let format = &section.format;
                        let color = shape.override_text_color.unwrap_or(format.color);
                        let color = if color == Color32::PLACEHOLDER {
                            shape.fallback_color
                        } else {
                            color
                        };
                        let run = Run {
                            letters: vec![(glyph.chr, 0.0)],
                            at: shape.pos + row.pos.to_vec2() + glyph.pos.to_vec2(),
                            width: glyph.advance_width,
                            family: format.font_id.family.clone(),
                            size: format.font_id.size,
                            color: color.gamma_multiply(shape.opacity_factor),
                        };
                        runs.push((place, run));
                    }
                }
            }

            at_byte += usize::from(row.ends_with_newline);
            for (_, run) in runs {
                if !run.text().trim().is_empty() {
                    self.mark(Ink::Run(run), Some((shape.angle, shape.pos)));
                }
            }
        }
    }
}

/// An upright rectangle with round corners: clockwise from the upper left.
fn rounded(outline: Rect, [nw, ne, se, sw]: [f32; 4]) -> Vec<Step> {
    let (min, max) = (outline.min, outline.max);
    // Start and end of each corner, and the corner itself.
    let corners = [
        (
            pos2(max.x - ne, min.y),
            pos2(max.x, min.y + ne),
            pos2(max.x, min.y),
        ),
        (pos2(max.x, max.y - se), pos2(max.x - se, max.y), max),
        (
            pos2(min.x + sw, max.y),
            pos2(min.x, max.y - sw),
            pos2(min.x, max.y),
        ),
        (pos2(min.x, min.y + nw), pos2(min.x + nw, min.y), min),
    ];
    let mut steps = vec![Step::Move(pos2(min.x + nw, min.y))];
    for (from, to, corner) in corners {
        let toward = |end: Pos2| end + (corner - end) * QUARTER;
        steps.extend([Step::Line(from), Step::Cubic(toward(from), toward(to), to)]);
    }
    steps.push(Step::Close);
    steps
}

/// Four quarters of an ellipse.
pub(super) fn ellipse(center: Pos2, radius: Vec2) -> Vec<Step> {
    let at = |x: f32, y: f32| center + vec2(x * radius.x, y * radius.y);
    let quarter = |[ax, ay]: [f32; 2], [bx, by]: [f32; 2]| {
        Step::Cubic(
            at(ax + QUARTER * bx, ay + QUARTER * by),
            at(bx + QUARTER * ax, by + QUARTER * ay),
            at(bx, by),
        )
    };
    let ends = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
    let mut steps = vec![Step::Move(at(1.0, 0.0))];
    steps.extend(ends.windows(2).map(|pair| quarter(pair[0], pair[1])));
    steps.push(Step::Close);
    steps
}

/// An upright rectangle with round corners as a path.
pub(super) fn rectangle_path(rect: Rect, radius: f32) -> Vec<Step> {
    if radius <= 0.0 {
        let corners = [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
        ];
        let mut steps = polyline(corners.into_iter());
        steps.push(Step::Close);
        return steps;
    }
    rounded(rect, [radius; 4])
}

/// The upright rectangle formed by two triangles of one color.
fn rectangle(first: &[Vertex; 3], second: &[Vertex; 3], color: Color32) -> Option<Rect> {
    let is_even = first
        .iter()
        .chain(second)
        .all(|vertex| vertex.color == color);
    let [first, second] = [first, second].map(|triangle| triangle.map(|vertex| vertex.pos));
    let around = Rect::from_points(&first);
    let is_corner = |pos: &Pos2| {
        (pos.x == around.left() || pos.x == around.right())
            && (pos.y == around.top() || pos.y == around.bottom())
    };
    let fits = around == Rect::from_points(&second) && first.iter().chain(&second).all(is_corner);
    (is_even && fits).then_some(around)
}

fn mean(colors: [Color32; 3]) -> Color32 {
    let channel = |channel_of: fn(&Color32) -> u8| {
        (colors
            .iter()
            .map(|color| u32::from(channel_of(color)))
            .sum::<u32>()
            / 3) as u8
    };
    Color32::from_rgba_premultiplied(
        channel(Color32::r),
        channel(Color32::g),
        channel(Color32::b),
        channel(Color32::a),
    )
}

/// Lines from point to point; empty without points.
fn polyline(points: impl Iterator<Item = Pos2>) -> Vec<Step> {
    points
        .enumerate()
        .map(|(place, at)| {
            if place == 0 {
                Step::Move(at)
            } else {
                Step::Line(at)
            }
        })
        .collect()
}

//! What egui has painted, as an SVG document.
//!
//! Every shape becomes the element that says the same: rectangles, circles, paths, curves and text stay what they are, so that
//! a picture can be scaled, searched and edited. Text names the fonts of the window with fallbacks and states how wide each run
//! was, so that numbers stay aligned where another font takes over. What a shape was clipped to is a clip path, and is left out
//! where the shape lies inside. Textures other than the font (images) and callbacks of renderers are left out.

use egui::epaint::{
    BandShape, ClippedShape, ColorMode, CubicBezierShape, EllipseShape, Mesh, PathShape, PathStroke,
    QuadraticBezierShape, RectShape, TextShape, Vertex, WHITE_UV,
};
use egui::{Color32, FontFamily, Pos2, Rect, Shape, Stroke, StrokeKind, pos2};

use super::fonts::{MEDIUM, SEMIBOLD};

/// Draws what of the shapes lies in `space`, over a background. `title` is what a screen reader says.
pub(super) fn document<'a>(
    title: &str,
    space: Rect,
    background: Color32,
    shapes: impl IntoIterator<Item = &'a ClippedShape>,
) -> String {
    let mut drawing = Drawing { space, out: String::new(), clips: Vec::new(), clip: None };
    for shape in shapes {
        drawing.clipped(shape);
    }
    drawing.end_clip();
    let [left, top, width, height] = [space.left(), space.top(), space.width(), space.height()].map(number);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{left} {top} {width} {height}\" role=\"img\">\n<title>{}</title>\n",
        escaped(title)
    );
    let clips = drawing.clips.iter().enumerate().map(|(number, &clip)| {
        let clip = place(clip);
        format!("<clipPath id=\"clip{number}\"><rect {clip}/></clipPath>\n")
    });
    if !drawing.clips.is_empty() {
        out += &format!("<defs>\n{}</defs>\n", clips.collect::<String>());
    }
    out += &format!("<rect {} {} stroke=\"none\"/>\n", place(space), paint("fill", background));
    out + &drawing.out + "</svg>\n"
}

struct Drawing {
    space: Rect,
    out: String,
    /// Each is one clip path.
    clips: Vec<Rect>,
    /// The group that is open.
    clip: Option<usize>,
}

impl Drawing {
    fn clipped(&mut self, shape: &ClippedShape) {
        let transform = shape.transform_after_tessellation;
        let is_moved = transform != egui::emath::TSTransform::IDENTITY;
        let clip = shape.clip_rect.intersect(self.space);
        let bounds = match &shape.shape {
            // Some shapes count their outline, some do not; a little more is no mistake.
            Shape::LineSegment { points, stroke } => Rect::from_points(points).expand(stroke.width / 2.0),
            shape => shape.visual_bounding_rect(),
        };
        let bounds = transform.mul_rect(bounds);
        if !clip.is_positive() || !bounds.intersects(clip) {
            return;
        }
        if clip.contains_rect(bounds) {
            self.end_clip();
        } else {
            self.begin_clip(clip);
        }
        if is_moved {
            let [x, y, scale] = [transform.translation.x, transform.translation.y, transform.scaling].map(number);
            self.out += &format!("<g transform=\"translate({x} {y}) scale({scale})\">");
        }
        self.shape(&shape.shape);
        if is_moved {
            self.out += "</g>\n";
        }
    }

    fn begin_clip(&mut self, clip: Rect) {
        let number = self.clips.iter().rposition(|known| *known == clip).unwrap_or_else(|| {
            self.clips.push(clip);
            self.clips.len() - 1
        });
        if self.clip != Some(number) {
            self.end_clip();
            self.clip = Some(number);
            self.out += &format!("<g clip-path=\"url(#clip{number})\">\n");
        }
    }

    fn end_clip(&mut self) {
        if self.clip.take().is_some() {
            self.out += "</g>\n";
        }
    }

    /// An element: its name with the attributes of its place, how it is filled and outlined, and how it is turned.
    fn element(&mut self, what: &str, fill: Color32, stroke: Stroke, turn: &str) {
        self.out += &format!("<{what} {}{}{turn}/>\n", paint("fill", fill), outline(stroke));
    }

    fn shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Noop | Shape::Callback(_) => {}
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) if circle.radius <= 0.0 => {}
            Shape::Circle(circle) => {
                let [x, y, radius] = [circle.center.x, circle.center.y, circle.radius].map(number);
                let what = format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                self.element(&what, circle.fill, circle.stroke, "");
            }
            Shape::Ellipse(EllipseShape { center, radius, fill, stroke, angle }) => {
                let [x, y, rx, ry] = [center.x, center.y, radius.x, radius.y].map(number);
                let what = format!("ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"");
                self.element(&what, *fill, *stroke, &turn(*angle, *center));
            }
            Shape::LineSegment { stroke, .. } if stroke.is_empty() => {}
            Shape::LineSegment { points: [from, to], stroke } => {
                let ([x1, y1, x2, y2], line) = ([from.x, from.y, to.x, to.y].map(number), outline(*stroke));
                self.out += &format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{line}/>\n");
            }
            Shape::Path(PathShape { points, closed, fill, stroke }) => {
                self.data(&polyline(points.iter().copied()), *closed, *fill, stroke);
            }
            Shape::Band(band) => self.band(band),
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(QuadraticBezierShape { points: [a, b, c], closed, fill, stroke }) => {
                let data = format!("M{}Q{} {}", at(*a), at(*b), at(*c));
                self.data(&data, *closed, *fill, stroke);
            }
            Shape::CubicBezier(CubicBezierShape { points: [a, b, c, d], closed, fill, stroke }) => {
                let data = format!("M{}C{} {} {}", at(*a), at(*b), at(*c), at(*d));
                self.data(&data, *closed, *fill, stroke);
            }
        }
    }

    /// A path, which is filled only if it is closed.
    fn data(&mut self, data: &str, closed: bool, fill: Color32, stroke: &PathStroke) {
        // Colours that depend on the place have no name in SVG: the first would mislead, so that the line is left out.
        let stroke = match stroke.color {
            ColorMode::Solid(color) => Stroke::new(stroke.width, color),
            ColorMode::UV(_) => Stroke::NONE,
        };
        let (fill, end) = if closed { (fill, "Z") } else { (Color32::TRANSPARENT, "") };
        if !data.is_empty() && (fill != Color32::TRANSPARENT || !stroke.is_empty()) {
            self.element(&format!("path d=\"{data}{end}\""), fill, stroke, "");
        }
    }

    /// There and back along both edges.
    fn band(&mut self, band: &BandShape) {
        let there = band.points.iter().map(|point| pos2(point.x, point.y.min));
        let back = band.points.iter().rev().map(|point| pos2(point.x, point.y.max));
        let data = polyline(there.chain(back));
        if !data.is_empty() {
            self.element(&format!("path d=\"{data}Z\""), band.fill, band.stroke, "");
        }
    }

    fn rect(&mut self, shape: &RectShape) {
        let RectShape { rect, corner_radius, fill, stroke, stroke_kind, brush, angle, .. } = shape;
        // SVG draws outlines along the edge; the fill reaches under them in any case.
        let by = match stroke_kind {
            _ if stroke.is_empty() => 0.0,
            StrokeKind::Inside => -stroke.width / 2.0,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => stroke.width / 2.0,
        };
        let outline = rect.expand(by);
        // With a brush it is an image.
        if brush.is_some() || !outline.is_positive() {
            return;
        }
        let most = outline.width().min(outline.height()) / 2.0;
        let radii = [corner_radius.nw, corner_radius.ne, corner_radius.se, corner_radius.sw];
        let radii = radii.map(|radius| if radius == 0 { 0.0 } else { (f32::from(radius) + by).clamp(0.0, most) });
        let [nw, ne, se, sw] = radii;
        if radii == [nw; 4] {
            let corners = if nw == 0.0 { String::new() } else { format!(" rx=\"{}\"", number(nw)) };
            let turn = turn(*angle, rect.center());
            return self.element(&format!("rect {}{corners}", place(outline)), *fill, *stroke, &turn);
        }
        let (min, max) = (outline.min, outline.max);
        let edges = [
            (pos2(max.x - ne, min.y), ne, pos2(max.x, min.y + ne)),
            (pos2(max.x, max.y - se), se, pos2(max.x - se, max.y)),
            (pos2(min.x + sw, max.y), sw, pos2(min.x, max.y - sw)),
            (pos2(min.x, min.y + nw), nw, pos2(min.x + nw, min.y)),
        ];
        let edges =
            edges.map(|(line, radius, arc)| format!("L{}A{1} {1} 0 0 1 {2}", at(line), number(radius), at(arc)));
        let data = format!("M{}{}Z", at(pos2(min.x + nw, min.y)), edges.concat());
        self.element(&format!("path d=\"{data}\""), *fill, *stroke, &turn(*angle, rect.center()));
    }

    /// Triangles of one colour each; two that make an upright rectangle of one colour are one.
    fn mesh(&mut self, mesh: &Mesh) {
        if mesh.texture_id != egui::TextureId::default() || !mesh.is_valid() {
            return;
        }
        let triangles = mesh.triangles().map(|corners| corners.map(|index| mesh.vertices[index as usize]));
        // Glyphs are drawn as text.
        let is_plain = |triangle: &[Vertex; 3]| triangle.iter().all(|vertex| vertex.uv == WHITE_UV);
        let mut triangles = triangles.filter(is_plain).peekable();
        while let Some(triangle) = triangles.next() {
            let color = mean(triangle.map(|vertex| vertex.color));
            if let Some(around) = triangles.peek().and_then(|next| rectangle(&triangle, next, color)) {
                triangles.next();
                self.element(&format!("rect {}", place(around)), color, Stroke::NONE, "");
            } else {
                let data = polyline(triangle.iter().map(|vertex| vertex.pos));
                self.element(&format!("path d=\"{data}Z\""), color, Stroke::NONE, "");
            }
        }
    }

    /// Each row in runs of one font and colour.
    fn text(&mut self, shape: &TextShape) {
        let sections = &shape.galley.job.sections;
        let mut at_byte = 0;
        for row in &shape.galley.rows {
            let mut runs: Vec<Run> = Vec::new();
            for glyph in &row.row.glyphs {
                let section = sections.iter().position(|section| at_byte < section.byte_range.end.into());
                let section = section.unwrap_or(sections.len().saturating_sub(1));
                at_byte += glyph.chr.len_utf8();
                match runs.last_mut() {
                    Some(run) if run.section == section => {
                        run.text.push(glyph.chr);
                        run.width = glyph.pos.x + glyph.advance_width - run.at.x;
                    }
                    _ => {
                        let (text, width) = (glyph.chr.to_string(), glyph.advance_width);
                        runs.push(Run { section, text, at: glyph.pos, width });
                    }
                }
            }
            at_byte += usize::from(row.ends_with_newline);
            runs.iter().for_each(|run| self.run(shape, row.pos, run));
        }
    }

    fn run(&mut self, shape: &TextShape, row: Pos2, Run { section, text, at, width }: &Run) {
        let Some(section) = shape.galley.job.sections.get(*section) else { return };
        if text.trim().is_empty() {
            return;
        }
        let format = &section.format;
        let color = shape.override_text_color.unwrap_or(format.color);
        let color = if color == Color32::PLACEHOLDER { shape.fallback_color } else { color };
        let fill = paint("fill", color.gamma_multiply(shape.opacity_factor));
        let (family, weight) = font(&format.font_id.family);
        let at = shape.pos + row.to_vec2() + at.to_vec2();
        let [x, y, size, width] = [at.x, at.y, format.font_id.size, *width].map(number);
        let length = if text.chars().count() < 2 { String::new() } else { format!(" textLength=\"{width}\"") };
        let (turn, text) = (turn(shape.angle, shape.pos), escaped(text));
        self.out += &format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"{family}\" font-weight=\"{weight}\" font-size=\"{size}\"{length} \
             xml:space=\"preserve\" {fill} stroke=\"none\"{turn}>{text}</text>\n"
        );
    }
}

/// Glyphs of one font and colour.
struct Run {
    section: usize,
    text: String,
    /// Where its baseline begins, in its row.
    at: Pos2,
    width: f32,
}

/// The upright rectangle that two triangles of one colour make.
fn rectangle(first: &[Vertex; 3], second: &[Vertex; 3], color: Color32) -> Option<Rect> {
    let is_even = first.iter().chain(second).all(|vertex| vertex.color == color);
    let [first, second] = [first, second].map(|triangle| triangle.map(|vertex| vertex.pos));
    let around = Rect::from_points(&first);
    let is_corner = |pos: &Pos2| {
        (pos.x == around.left() || pos.x == around.right()) && (pos.y == around.top() || pos.y == around.bottom())
    };
    let fits = around == Rect::from_points(&second) && first.iter().chain(&second).all(is_corner);
    (is_even && fits).then_some(around)
}

fn mean(colors: [Color32; 3]) -> Color32 {
    let channel = |of: fn(&Color32) -> u8| (colors.iter().map(|color| u32::from(of(color))).sum::<u32>() / 3) as u8;
    Color32::from_rgba_premultiplied(channel(Color32::r), channel(Color32::g), channel(Color32::b), channel(Color32::a))
}

/// Names and weight of a font of the window.
fn font(family: &FontFamily) -> (&'static str, u32) {
    const TEXT: &str = "'IBM Plex Sans','JetBrains Mono','DejaVu Sans',sans-serif";
    match family {
        FontFamily::Monospace => ("'JetBrains Mono','DejaVu Sans Mono',monospace", 400),
        FontFamily::Name(name) if &**name == MEDIUM => (TEXT, 500),
        FontFamily::Name(name) if &**name == SEMIBOLD => (TEXT, 600),
        FontFamily::Proportional | FontFamily::Name(_) => (TEXT, 400),
    }
}

/// A coordinate in points, to a hundredth; no negative nought, no infinity.
fn number(value: f32) -> f64 {
    let hundredths = (f64::from(value) * 100.0).round() / 100.0;
    if hundredths.is_finite() { hundredths + 0.0 } else { 0.0 }
}

fn at(pos: Pos2) -> String {
    format!("{} {}", number(pos.x), number(pos.y))
}

/// Lines from point to point; empty without any.
fn polyline(points: impl Iterator<Item = Pos2>) -> String {
    let points: Vec<String> = points.map(at).collect();
    if points.is_empty() { String::new() } else { format!("M{}", points.join("L")) }
}

fn place(rect: Rect) -> String {
    let [x, y, width, height] = [rect.left(), rect.top(), rect.width(), rect.height()].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// Attributes of an outline. That there is none is said too: some programs keep that of the element before.
fn outline(stroke: Stroke) -> String {
    if stroke.is_empty() {
        return " stroke=\"none\"".to_owned();
    }
    format!(" {} stroke-width=\"{}\"", paint("stroke", stroke.color), number(stroke.width))
}

/// The attribute of a fill or a line, with its opacity where it is not solid.
fn paint(attribute: &str, color: Color32) -> String {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let opacity = number(f32::from(a) / 255.0);
    match a {
        0 => format!("{attribute}=\"none\""),
        255 => format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\""),
        _ => format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\" {attribute}-opacity=\"{opacity}\""),
    }
}

/// A rotation, clockwise, in radians; nothing where there is none.
fn turn(angle: f32, about: Pos2) -> String {
    let degrees = number(angle.to_degrees());
    if angle == 0.0 { String::new() } else { format!(" transform=\"rotate({degrees} {})\"", at(about)) }
}

/// Text within an element. Characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let is_known = |c: &char| !matches!(c, '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}');
    let text: String = text.replace(['\t', '\n', '\r'], " ").chars().filter(is_known).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(100.0, 50.0) };

    fn drawn(clip: Rect, shape: Shape) -> String {
        let shape =
            ClippedShape { clip_rect: clip, shape, transform_after_tessellation: egui::emath::TSTransform::IDENTITY };
        document("a < b & \"c\"\u{1}", SPACE, Color32::BLACK, [&shape])
    }

    #[test]
    fn what_is_inside_is_drawn_what_sticks_out_is_clipped_and_what_is_outside_is_left_out() {
        let square =
            |x: f32| Shape::rect_filled(Rect::from_min_size(pos2(x, 10.0), egui::vec2(10.0, 10.0)), 2, Color32::RED);
        let inside = drawn(SPACE, square(5.0));
        assert!(
            inside.contains(
                "<rect x=\"5\" y=\"10\" width=\"10\" height=\"10\" rx=\"2\" fill=\"#ff0000\" stroke=\"none\"/>"
            ),
            "{inside}"
        );
        assert!(!inside.contains("clip"), "{inside}");
        let across = drawn(SPACE, square(95.0));
        assert!(
            across.contains("<clipPath id=\"clip0\">") && across.contains("<g clip-path=\"url(#clip0)\">"),
            "{across}"
        );
        let outside = drawn(SPACE, square(105.0));
        assert_eq!(outside.matches("<rect").count(), 1, "the background alone: {outside}");
    }

    #[test]
    fn words_cannot_break_the_document() {
        let text = drawn(SPACE, Shape::Noop);
        assert!(text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"), "{text}");
    }

    #[test]
    fn an_outline_lies_where_egui_puts_it() {
        let rect = Rect::from_min_size(pos2(10.0, 10.0), egui::vec2(20.0, 20.0));
        let of = |kind| drawn(SPACE, Shape::rect_stroke(rect, 0, Stroke::new(2.0, Color32::WHITE), kind));
        assert!(of(StrokeKind::Inside).contains("<rect x=\"11\" y=\"11\" width=\"18\" height=\"18\" fill=\"none\""));
        assert!(of(StrokeKind::Middle).contains("<rect x=\"10\" y=\"10\" width=\"20\" height=\"20\" fill=\"none\""));
        assert!(of(StrokeKind::Outside).contains("<rect x=\"9\" y=\"9\" width=\"22\" height=\"22\" fill=\"none\""));
    }

    #[test]
    fn two_triangles_that_are_a_rectangle_are_one() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0)), Color32::GREEN);
        let text = drawn(SPACE, mesh.into());
        assert!(
            text.contains("<rect x=\"1\" y=\"2\" width=\"3\" height=\"6\" fill=\"#00ff00\" stroke=\"none\"/>"),
            "{text}"
        );
        assert!(!text.contains("<path"), "{text}");
    }

    #[test]
    fn text_keeps_every_letter_its_fonts_and_its_colours() {
        let ctx = egui::Context::default();
        ctx.set_fonts(crate::workbench::fonts::definitions());
        ctx.run_ui(egui::RawInput::default(), |_| {}).textures_delta.clear();
        let mut job = egui::text::LayoutJob::default();
        let format = |family: FontFamily, color| egui::TextFormat::simple(egui::FontId::new(13.0, family), color);
        job.append("α ≥ <β>\n", 0.0, format(FontFamily::Proportional, Color32::RED));
        job.append("812", 0.0, format(FontFamily::Name(SEMIBOLD.into()), Color32::PLACEHOLDER));
        let galley = ctx.fonts_mut(|fonts| fonts.layout_job(job));
        let text = drawn(SPACE, Shape::galley(pos2(2.0, 3.0), galley, Color32::GREEN));
        assert!(
            text.contains("font-weight=\"400\"")
                && text.contains("fill=\"#ff0000\" stroke=\"none\">α ≥ &lt;β&gt;</text>"),
            "{text}"
        );
        assert!(
            text.contains("font-weight=\"600\"") && text.contains("fill=\"#00ff00\" stroke=\"none\">812</text>"),
            "{text}"
        );
    }
}

//! What egui has painted, as an SVG document.
//!
//! Every shape becomes the element that says the same: rectangles, circles, paths, curves and text stay what they are, so that
//! a picture can be scaled, searched and edited. Text names the fonts of the window with fallbacks and states how wide each run
//! was, so that numbers stay aligned where another font takes over. What a shape was clipped to is a clip path, and is left out
//! where the shape lies inside. Textures other than the font (images) and callbacks of renderers have no place in a drawing and
//! are left out.

use std::fmt::{self, Write as _};

use egui::epaint::{
    BandShape, CircleShape, ClippedShape, ColorMode, CubicBezierShape, EllipseShape, Mesh, PathShape, PathStroke,
    QuadraticBezierShape, RectShape, TextShape, WHITE_UV,
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
        // Writing to a string does not fail.
        let _ = drawing.clipped(shape);
    }
    drawing.end_clip();
    let (width, height) = (Number(space.width()), Number(space.height()));
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"{} {} {width} {height}\" \
         role=\"img\">",
        Number(space.left()),
        Number(space.top())
    );
    let _ = writeln!(out, "<title>{}</title>", Escaped(title));
    if !drawing.clips.is_empty() {
        let _ = writeln!(out, "<defs>");
        for (number, clip) in drawing.clips.iter().enumerate() {
            let _ = writeln!(out, "<clipPath id=\"clip{number}\"><rect {}/></clipPath>", Place(*clip));
        }
        let _ = writeln!(out, "</defs>");
    }
    let _ = writeln!(out, "<rect {} {} stroke=\"none\"/>", Place(space), Fill(background));
    out += &drawing.out;
    out += "</svg>\n";
    out
}

/// What is drawn so far.
struct Drawing {
    space: Rect,
    out: String,
    /// Each is one clip path.
    clips: Vec<Rect>,
    /// The group that is open.
    clip: Option<usize>,
}

impl Drawing {
    fn clipped(&mut self, shape: &ClippedShape) -> fmt::Result {
        let transform = shape.transform_after_tessellation;
        let is_moved = transform != egui::emath::TSTransform::IDENTITY;
        let clip = shape.clip_rect.intersect(self.space);
        let bounds = transform.mul_rect(bounds_of(&shape.shape));
        if !clip.is_positive() || !bounds.intersects(clip) {
            return Ok(());
        }
        if clip.contains_rect(bounds) {
            self.end_clip();
        } else {
            self.begin_clip(clip)?;
        }
        if is_moved {
            let (shift, scale) = (transform.translation, Number(transform.scaling));
            write!(self.out, "<g transform=\"translate({} {}) scale({scale})\">", Number(shift.x), Number(shift.y))?;
        }
        self.shape(&shape.shape)?;
        if is_moved {
            self.out += "</g>\n";
        }
        Ok(())
    }

    fn begin_clip(&mut self, clip: Rect) -> fmt::Result {
        let number = self.clips.iter().rposition(|known| *known == clip).unwrap_or_else(|| {
            self.clips.push(clip);
            self.clips.len() - 1
        });
        if self.clip != Some(number) {
            self.end_clip();
            self.clip = Some(number);
            writeln!(self.out, "<g clip-path=\"url(#clip{number})\">")?;
        }
        Ok(())
    }

    fn end_clip(&mut self) {
        if self.clip.take().is_some() {
            self.out += "</g>\n";
        }
    }

    fn shape(&mut self, shape: &Shape) -> fmt::Result {
        match shape {
            Shape::Noop | Shape::Callback(_) => Ok(()),
            Shape::Vec(shapes) => shapes.iter().try_for_each(|shape| self.shape(shape)),
            Shape::Circle(circle) => self.circle(circle),
            Shape::Ellipse(ellipse) => self.ellipse(ellipse),
            Shape::LineSegment { points: [from, to], stroke } => {
                if stroke.is_empty() {
                    return Ok(());
                }
                let [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(Number);
                writeln!(self.out, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"{}/>", Outline(*stroke))
            }
            Shape::Path(path) => self.path(path),
            Shape::Band(band) => self.band(band),
            Shape::Rect(rect) => self.rect(rect),
            Shape::Text(text) => self.text(text),
            Shape::Mesh(mesh) => self.mesh(mesh),
            Shape::QuadraticBezier(QuadraticBezierShape { points: [a, b, c], closed, fill, stroke }) => {
                let data = format!("M{}Q{} {}", At(*a), At(*b), At(*c));
                self.data(data, *closed, *fill, stroke)
            }
            Shape::CubicBezier(CubicBezierShape { points: [a, b, c, d], closed, fill, stroke }) => {
                let data = format!("M{}C{} {} {}", At(*a), At(*b), At(*c), At(*d));
                self.data(data, *closed, *fill, stroke)
            }
        }
    }

    /// A path, which is filled only if it is closed.
    fn data(&mut self, mut data: String, closed: bool, fill: Color32, stroke: &PathStroke) -> fmt::Result {
        let stroke = solid(stroke);
        let fill = if closed { fill } else { Color32::TRANSPARENT };
        data.push_str(if closed { "Z" } else { "" });
        if fill == Color32::TRANSPARENT && stroke.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "<path d=\"{data}\" {}{}/>", Fill(fill), Outline(stroke))
    }

    fn circle(&mut self, circle: &CircleShape) -> fmt::Result {
        let CircleShape { center, radius, fill, stroke } = *circle;
        if radius <= 0.0 {
            return Ok(());
        }
        let [x, y, radius] = [center.x, center.y, radius].map(Number);
        writeln!(self.out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {}{}/>", Fill(fill), Outline(stroke))
    }

    fn ellipse(&mut self, ellipse: &EllipseShape) -> fmt::Result {
        let EllipseShape { center, radius, fill, stroke, angle } = *ellipse;
        let [x, y, rx, ry] = [center.x, center.y, radius.x, radius.y].map(Number);
        let turn = Turn { angle, about: center };
        let (fill, line) = (Fill(fill), Outline(stroke));
        writeln!(self.out, "<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\" {fill}{line}{turn}/>")
    }

    fn path(&mut self, path: &PathShape) -> fmt::Result {
        let PathShape { points, closed, fill, stroke } = path;
        let Some((first, rest)) = points.split_first() else { return Ok(()) };
        let mut data = format!("M{}", At(*first));
        for point in rest {
            write!(data, "L{}", At(*point))?;
        }
        self.data(data, *closed, *fill, stroke)
    }

    /// There and back along both edges.
    fn band(&mut self, band: &BandShape) -> fmt::Result {
        let there = band.points.iter().map(|point| pos2(point.x, point.y.min));
        let back = band.points.iter().rev().map(|point| pos2(point.x, point.y.max));
        let mut data = String::new();
        for (place, point) in there.chain(back).enumerate() {
            write!(data, "{}{}", if place == 0 { "M" } else { "L" }, At(point))?;
        }
        if data.is_empty() {
            return Ok(());
        }
        data.push('Z');
        writeln!(self.out, "<path d=\"{data}\" {}{}/>", Fill(band.fill), Outline(band.stroke))
    }

    fn rect(&mut self, shape: &RectShape) -> fmt::Result {
        let RectShape { rect, corner_radius, fill, stroke, stroke_kind, brush, angle, .. } = shape;
        // An image.
        if brush.is_some() {
            return Ok(());
        }
        let turn = Turn { angle: *angle, about: rect.center() };
        // SVG draws outlines along the edge; the fill reaches under them in any case.
        let by = match stroke_kind {
            _ if stroke.is_empty() => 0.0,
            StrokeKind::Inside => -stroke.width / 2.0,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => stroke.width / 2.0,
        };
        let outline = rect.expand(by);
        if !outline.is_positive() {
            return Ok(());
        }
        let most = outline.width().min(outline.height()) / 2.0;
        let radii = [corner_radius.nw, corner_radius.ne, corner_radius.se, corner_radius.sw];
        let radii = radii.map(|radius| if radius == 0 { 0.0 } else { (f32::from(radius) + by).clamp(0.0, most) });
        let (fill, line) = (Fill(*fill), Outline(*stroke));
        if radii.iter().all(|radius| *radius == radii[0]) {
            let corners = if radii[0] == 0.0 { String::new() } else { format!(" rx=\"{}\"", Number(radii[0])) };
            return writeln!(self.out, "<rect {}{corners} {fill}{line}{turn}/>", Place(outline));
        }
        let [nw, ne, se, sw] = radii;
        let (min, max) = (outline.min, outline.max);
        let arc = |radius: f32, to: Pos2| format!("A{0} {0} 0 0 1 {1}", Number(radius), At(to));
        let data = [
            format!("M{}", At(pos2(min.x + nw, min.y))),
            format!("L{}", At(pos2(max.x - ne, min.y))),
            arc(ne, pos2(max.x, min.y + ne)),
            format!("L{}", At(pos2(max.x, max.y - se))),
            arc(se, pos2(max.x - se, max.y)),
            format!("L{}", At(pos2(min.x + sw, max.y))),
            arc(sw, pos2(min.x, max.y - sw)),
            format!("L{}", At(pos2(min.x, min.y + nw))),
            arc(nw, pos2(min.x + nw, min.y)),
        ];
        writeln!(self.out, "<path d=\"{}Z\" {fill}{line}{turn}/>", data.concat())
    }

    /// Triangles of one colour each; two that make an upright rectangle of one colour are one.
    fn mesh(&mut self, mesh: &Mesh) -> fmt::Result {
        if mesh.texture_id != egui::TextureId::default() {
            return Ok(());
        }
        let mut triangles = mesh.indices.chunks_exact(3).peekable();
        let corners = |triangle: &[u32]| {
            let mut vertices = triangle.iter().filter_map(|&index| mesh.vertices.get(index as usize));
            Some([vertices.next()?, vertices.next()?, vertices.next()?])
        };
        while let Some(triangle) = triangles.next() {
            let Some(three) = corners(triangle) else { continue };
            // Glyphs are drawn as text.
            if three.iter().any(|vertex| vertex.uv != WHITE_UV) {
                continue;
            }
            let color = mean(three.map(|vertex| vertex.color));
            let next = triangles.peek().and_then(|next| corners(next));
            if let Some(next) = next {
                let all: Vec<Pos2> = three.iter().chain(&next).map(|vertex| vertex.pos).collect();
                let around = Rect::from_points(&all);
                let is_corner = |pos: &Pos2| {
                    (pos.x == around.left() || pos.x == around.right())
                        && (pos.y == around.top() || pos.y == around.bottom())
                };
                let is_even = three.iter().chain(&next).all(|vertex| vertex.color == color && vertex.uv == WHITE_UV);
                let halves = [&all[..3], &all[3..]].iter().all(|half| Rect::from_points(half) == around);
                if is_even && halves && all.iter().all(is_corner) {
                    triangles.next();
                    writeln!(self.out, "<rect {} {} stroke=\"none\"/>", Place(around), Fill(color))?;
                    continue;
                }
            }
            let [a, b, c] = three.map(|vertex| At(vertex.pos));
            writeln!(self.out, "<path d=\"M{a}L{b}L{c}Z\" {} stroke=\"none\"/>", Fill(color))?;
        }
        Ok(())
    }

    /// Each row in runs of one font and colour.
    fn text(&mut self, shape: &TextShape) -> fmt::Result {
        let TextShape { pos, galley, fallback_color, override_text_color, opacity_factor, angle, .. } = shape;
        let job = &galley.job;
        let mut at_byte = 0;
        for row in &galley.rows {
            let origin = *pos + row.pos.to_vec2();
            let mut runs: Vec<Run> = Vec::new();
            for glyph in &row.row.glyphs {
                let section = job.sections.iter().position(|section| at_byte < section.byte_range.end.into());
                let section = section.unwrap_or(job.sections.len().saturating_sub(1));
                at_byte += glyph.chr.len_utf8();
                match runs.last_mut() {
                    Some(run) if run.section == section => {
                        run.text.push(glyph.chr);
                        run.width = glyph.pos.x + glyph.advance_width - run.at.x;
                    }
                    _ => runs.push(Run {
                        section,
                        text: glyph.chr.to_string(),
                        at: glyph.pos,
                        width: glyph.advance_width,
                    }),
                }
            }
            at_byte += usize::from(row.ends_with_newline);
            for Run { section, text, at, width } in runs {
                let Some(format) = job.sections.get(section).map(|section| &section.format) else { continue };
                if text.trim().is_empty() {
                    continue;
                }
                let color = override_text_color.unwrap_or(format.color);
                let color = if color == Color32::PLACEHOLDER { *fallback_color } else { color };
                let (family, weight) = font(&format.font_id.family);
                let at = origin + at.to_vec2();
                let turn = Turn { angle: *angle, about: *pos };
                let length =
                    if text.chars().count() < 2 { String::new() } else { format!(" textLength=\"{}\"", Number(width)) };
                writeln!(
                    self.out,
                    "<text x=\"{}\" y=\"{}\" font-family=\"{family}\" font-weight=\"{weight}\" font-size=\"{}\"{length} \
                     xml:space=\"preserve\" {} stroke=\"none\"{turn}>{}</text>",
                    Number(at.x),
                    Number(at.y),
                    Number(format.font_id.size),
                    Fill(color.gamma_multiply(*opacity_factor)),
                    Escaped(&text)
                )?;
            }
        }
        Ok(())
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

/// What a shape covers, its outline included.
fn bounds_of(shape: &Shape) -> Rect {
    match shape {
        // Some shapes count their outline, some do not; a little more is no mistake.
        Shape::LineSegment { points, stroke } => Rect::from_points(points).expand(stroke.width / 2.0),
        shape => shape.visual_bounding_rect(),
    }
}

/// Colours that depend on the place have no name in SVG: the first would mislead, so that the line is left out.
fn solid(stroke: &PathStroke) -> Stroke {
    match stroke.color {
        ColorMode::Solid(color) => Stroke::new(stroke.width, color),
        ColorMode::UV(_) => Stroke::NONE,
    }
}

fn mean(colors: [Color32; 3]) -> Color32 {
    let channel = |of: fn(&Color32) -> u8| (colors.iter().map(|color| u32::from(of(color))).sum::<u32>() / 3) as u8;
    Color32::from_rgba_premultiplied(channel(Color32::r), channel(Color32::g), channel(Color32::b), channel(Color32::a))
}

/// Names and weight of a font of the window.
fn font(family: &FontFamily) -> (&'static str, u32) {
    const TEXT: &str = "'IBM Plex Sans','JetBrains Mono','DejaVu Sans',sans-serif";
    match family {
        FontFamily::Proportional => (TEXT, 400),
        FontFamily::Monospace => ("'JetBrains Mono','DejaVu Sans Mono',monospace", 400),
        FontFamily::Name(name) if &**name == MEDIUM => (TEXT, 500),
        FontFamily::Name(name) if &**name == SEMIBOLD => (TEXT, 600),
        FontFamily::Name(_) => (TEXT, 400),
    }
}

/// A coordinate in points, to a hundredth.
struct Number(f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (f64::from(self.0) * 100.0).round() / 100.0;
        // No negative nought, no infinity.
        write!(f, "{}", if hundredths.is_finite() { hundredths + 0.0 } else { 0.0 })
    }
}

/// A point of a path.
struct At(Pos2);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Number(self.0.x), Number(self.0.y))
    }
}

struct Place(Rect);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, width, height] = [self.0.left(), self.0.top(), self.0.width(), self.0.height()].map(Number);
        write!(f, "x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
    }
}

/// The attribute of a fill, with its opacity where it is not solid.
struct Fill(Color32);

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        paint(f, "fill", self.0)
    }
}

/// Attributes of an outline. That there is none is said too: some programs keep that of the element before.
struct Outline(Stroke);

impl fmt::Display for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str(" stroke=\"none\"");
        }
        f.write_str(" ")?;
        paint(f, "stroke", self.0.color)?;
        write!(f, " stroke-width=\"{}\"", Number(self.0.width))
    }
}

fn paint(f: &mut fmt::Formatter<'_>, attribute: &str, color: Color32) -> fmt::Result {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    match a {
        0 => write!(f, "{attribute}=\"none\""),
        255 => write!(f, "{attribute}=\"#{r:02x}{g:02x}{b:02x}\""),
        a => {
            let opacity = Number(f32::from(a) / 255.0);
            write!(f, "{attribute}=\"#{r:02x}{g:02x}{b:02x}\" {attribute}-opacity=\"{opacity}\"")
        }
    }
}

/// A rotation; nothing where there is none.
struct Turn {
    /// Clockwise, in radians.
    angle: f32,
    about: Pos2,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.angle == 0.0 {
            return Ok(());
        }
        write!(f, " transform=\"rotate({} {})\"", Number(self.angle.to_degrees()), At(self.about))
    }
}

/// Text within an element. Characters that XML does not know are left out.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\t' | '\n' | '\r' => f.write_str(" "),
            '\u{0}'..'\u{20}' | '\u{fffe}' | '\u{ffff}' => Ok(()),
            c => f.write_char(c),
        })
    }
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

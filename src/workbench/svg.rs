//! Writes a drawing as an SVG document.
//!
//! Letters are outlines, each defined once and reused. So a figure looks the same everywhere and needs no font. Each run
//! of letters has its text as a label for screen readers.

use std::collections::BTreeMap;

use egui::emath::TSTransform;
use egui::{Color32, Pos2, Rect, Stroke};

use super::letters::{Faces, Letter};
use super::marks::{Drawing, Form, Ink, Mark, Run, Step};
use crate::words::escape::html as escaped;

/// The document; `width` is the width in print in millimeters.
pub(super) fn document(drawing: &Drawing, width: f32) -> String {
    let mut writer = Writer {
        out: String::new(),
        faces: Faces::new(),
        used: BTreeMap::new(),
        clips: Vec::new(),
        clip: None,
    };
    drawing.marks.iter().for_each(|mark| writer.mark(mark));
    writer.clip_to(None);
    let space = drawing.space;
    let [left, top, right, bottom] =
        [space.left(), space.top(), space.width(), space.height()].map(number);
    let [width, height] = [width, width * space.height() / space.width()]
        .map(|side| (f64::from(side) * 1e3).round() / 1e3);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{width}mm\" \
         height=\"{height}mm\" viewBox=\"{left} {top} {right} {bottom}\" role=\"img\">\n<title>{}</title>\n",
        escaped(&drawing.title)
    );

    let clips = writer.clips.iter().enumerate().map(|(number, &clip)| {
        let clip = place(clip);
        format!("<clipPath id=\"clip{number}\"><rect {clip}/></clipPath>\n")
    });

    let shapes = writer
        .used
        .iter()
        // A blank has no outline.
        .filter(|(_, outline)| !outline.is_empty())
        .map(|(Letter { face, glyph, .. }, outline)| {
            format!("<path id=\"letter{face}-{glyph}\" d=\"{outline}\"/>\n")
        });
    let shared: String = clips.chain(shapes).collect();
    if !shared.is_empty() {
        out += &format!("<defs>\n{shared}</defs>\n");
    }

    out += &format!(
        "<rect {} {} stroke=\"none\"/>\n",
        place(space),
        paint("fill", drawing.background)
    );
    out + &writer.out + "</svg>\n"
}

struct Writer {
    out: String,
    faces: Faces,
    /// The outlines of used letters.
    used: BTreeMap<Letter, String>,
    /// One clip path each.
    clips: Vec<Rect>,
    /// The open group.
    clip: Option<usize>,
}

impl Writer {
    fn mark(&mut self, mark: &Mark) {
        self.clip_to(mark.clip);
        let is_moved = mark.moved != TSTransform::IDENTITY;
        if is_moved {
            let TSTransform {
                translation,
                scaling,
            } = mark.moved;
            let [x, y, scale] = [translation.x, translation.y, scaling].map(number);
            self.out += &format!("<g transform=\"translate({x} {y}) scale({scale})\">");
        }
        let turn = mark
            .turn
            .map(|(angle, about)| turn(angle, about))
            .unwrap_or_default();
        match &mark.ink {
            Ink::Form(form, fill, stroke) => self.form(form, *fill, *stroke, &turn),
            Ink::Run(run) => self.run(run, &turn),
        }
        if is_moved {
            self.out += "</g>\n";
        }
    }

    fn clip_to(&mut self, clip: Option<Rect>) {
        let number = clip.map(|clip| {
            self.clips
                .iter()
                .rposition(|other| *other == clip)
                .unwrap_or_else(|| {
                    self.clips.push(clip);
                    self.clips.len() - 1
                })
        });
        if self.clip == number {
            return;
        }

        if self.clip.is_some() {
            self.out += "</g>\n";
        }
        if let Some(number) = number {
            self.out += &format!("<g clip-path=\"url(#clip{number})\">\n");
        }
        self.clip = number;
    }

    fn form(&mut self, form: &Form, fill: Color32, stroke: Stroke, turn: &str) {
        let what = match form {
            Form::Rect(rect, radius) => {
                let corners = if *radius == 0.0 {
                    String::new()
                } else {
                    format!(" rx=\"{}\"", number(*radius))
                };
                format!("rect {}{corners}", place(*rect))
            }
            Form::Circle(center, radius) => {
                let [x, y, radius] = [center.x, center.y, *radius].map(number);
                format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")
            }
            Form::Ellipse(center, radius) => {
                let [x, y, rx, ry] = [center.x, center.y, radius.x, radius.y].map(number);
                format!("ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"")
            }
            Form::Line([from, to]) => {
                let [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(number);
                format!("line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"")
            }
            Form::Path(steps) => format!("path d=\"{}\"", data(steps)),
        };

        // States a missing outline, because some programs inherit it from the previous element.
        let outline = if stroke.is_empty() {
            "stroke=\"none\"".to_owned()
        } else {
            format!(
                "{} stroke-width=\"{}\"",
                paint("stroke", stroke.color),
                number(stroke.width)
            )
        };

        self.out += &format!("<{what} {} {outline}{turn}/>\n", paint("fill", fill));
    }

    fn run(&mut self, run: &Run, turn: &str) {
        let (fill, text) = (paint("fill", run.color), escaped(&run.text()));
        let faces = &self.faces;
        self.out += &format!("<g aria-label=\"{text}\" {fill} stroke=\"none\"{turn}>");
        for (letter, along) in &run.letters {
            let Some(found) = faces.letter(&run.family, *letter) else {
                continue;
            };
            let outline = self
                .used
                .entry(found)
                .or_insert_with(|| data_of_outline(faces, found));
            if outline.is_empty() {
                continue;
            }
            let scale = f64::from(faces.scale(found, run.size));
            let scale = (scale * 1e6).round() / 1e6;
            let [x, y] = [run.at.x + along, run.at.y + faces.drop(found, run.size)].map(number);
            self.out += &format!(
                "<use xlink:href=\"#letter{}-{}\" transform=\"translate({x} {y}) scale({scale} -{scale})\"/>",
                found.face, found.glyph
            );
        }

        self.out += "</g>\n";
    }
}

/// The outline of a letter in font units, upwards.
fn data_of_outline(faces: &Faces, letter: Letter) -> String {
    data(&faces.outline(letter))
}

/// A coordinate in points, to a hundredth; neither negative zero nor infinity.
fn number(value: f32) -> f64 {
    let hundredths = (f64::from(value) * 100.0).round() / 100.0;
    if hundredths.is_finite() {
        hundredths + 0.0
    } else {
        0.0
    }
}

fn at(pos: Pos2) -> String {
    format!("{} {}", number(pos.x), number(pos.y))
}

fn data(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Move(to) => format!("M{}", at(*to)),
        Step::Line(to) => format!("L{}", at(*to)),
        Step::Quad(by, to) => format!("Q{} {}", at(*by), at(*to)),
        Step::Cubic(by, then, to) => format!("C{} {} {}", at(*by), at(*then), at(*to)),
        Step::Close => "Z".to_owned(),
    };
    steps.iter().map(step).collect()
}

fn place(rect: Rect) -> String {
    let [x, y, width, height] = [rect.left(), rect.top(), rect.width(), rect.height()].map(number);
    format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
}

/// The attribute of a fill or a line, with its opacity unless opaque.
fn paint(attribute: &str, color: Color32) -> String {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let opacity = number(f32::from(a) / 255.0);
    match a {
        0 => format!("{attribute}=\"none\""),
        255 => format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\""),
        _ => format!("{attribute}=\"#{r:02x}{g:02x}{b:02x}\" {attribute}-opacity=\"{opacity}\""),
    }
}

/// A rotation, clockwise, in radians.
fn turn(angle: f32, about: Pos2) -> String {
    format!(
        " transform=\"rotate({} {})\"",
        number(angle.to_degrees()),
        at(about)
    )
}

#[cfg(test)]
mod tests {
    use egui::epaint::{ClippedShape, Mesh};
    use egui::{FontFamily, Shape, StrokeKind, pos2};

    use super::*;
    use crate::workbench::fonts::SEMIBOLD;

    const SPACE: Rect = Rect {
        min: pos2(0.0, 0.0),
        max: pos2(100.0, 50.0),
    };

    fn drawn(clip: Rect, shape: Shape) -> String {
        let shape = ClippedShape {
            clip_rect: clip,
            shape,
            transform_after_tessellation: egui::emath::TSTransform::IDENTITY,
        };
        let drawing = Drawing::new("a < b & \"c\"\u{1}", SPACE, Color32::BLACK, [&shape]);
        document(&drawing, 85.0)
    }

    #[test]
    fn what_is_inside_is_drawn_what_sticks_out_is_clipped_and_what_is_outside_is_left_out() {
        let square = |x: f32| {
            Shape::rect_filled(
                Rect::from_min_size(pos2(x, 10.0), egui::vec2(10.0, 10.0)),
                2,
                Color32::RED,
            )
        };
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
            across.contains("<clipPath id=\"clip0\">")
                && across.contains("<g clip-path=\"url(#clip0)\">"),
            "{across}"
        );

        let outside = drawn(SPACE, square(105.0));
        assert_eq!(
            outside.matches("<rect").count(),
            1,
            "the background alone: {outside}"
        );
    }

    #[test]
    fn words_cannot_break_the_document() {
        let text = drawn(SPACE, Shape::Noop);
        // XML has no control characters, so each becomes a blank.
        assert!(
            text.contains("<title>a &lt; b &amp; &quot;c&quot; </title>"),
            "{text}"
        );
    }

    #[test]
    fn an_outline_lies_where_egui_puts_it() {
        let rect = Rect::from_min_size(pos2(10.0, 10.0), egui::vec2(20.0, 20.0));
        let stroke = |kind| {
            drawn(
                SPACE,
                Shape::rect_stroke(rect, 0, Stroke::new(2.0, Color32::WHITE), kind),
            )
        };
        assert!(
            stroke(StrokeKind::Inside)
                .contains("<rect x=\"11\" y=\"11\" width=\"18\" height=\"18\" fill=\"none\"")
        );
        assert!(
            stroke(StrokeKind::Middle)
                .contains("<rect x=\"10\" y=\"10\" width=\"20\" height=\"20\" fill=\"none\"")
        );
        assert!(
            stroke(StrokeKind::Outside)
                .contains("<rect x=\"9\" y=\"9\" width=\"22\" height=\"22\" fill=\"none\"")
        );
    }

    #[test]
    fn two_triangles_that_are_a_rectangle_are_one() {
        let mut mesh = Mesh::default();
        mesh.add_colored_rect(
            Rect::from_min_max(pos2(1.0, 2.0), pos2(4.0, 8.0)),
            Color32::GREEN,
        );
        let text = drawn(SPACE, mesh.into());
        assert!(
            text.contains(
                "<rect x=\"1\" y=\"2\" width=\"3\" height=\"6\" fill=\"#00ff00\" stroke=\"none\"/>"
            ),
            "{text}"
        );
        assert!(!text.contains("<path"), "{text}");
    }

    #[test]
    fn text_keeps_every_letter_its_fonts_and_its_colours() {
        let ctx = egui::Context::default();
        ctx.set_fonts(crate::workbench::fonts::definitions());
        ctx.run_ui(egui::RawInput::default(), |_| {})
            .textures_delta
            .clear();
        let mut job = egui::text::LayoutJob::default();
        let format = |family: FontFamily, color| {
            egui::TextFormat::simple(egui::FontId::new(13.0, family), color)
        };
        job.append(
            "α ≥ <β>\n",
            0.0,
            format(FontFamily::Proportional, Color32::RED),
        );
        job.append(
            "812",
            0.0,
            format(FontFamily::Name(SEMIBOLD.into()), Color32::PLACEHOLDER),
        );
        let galley = ctx.fonts_mut(|fonts| fonts.layout_job(job));
        let text = drawn(SPACE, Shape::galley(pos2(2.0, 3.0), galley, Color32::GREEN));
        let run = |start: &str| {
            text.lines()
                .find(|line| line.starts_with(start))
                .expect(start)
        };
        let regular = run("<g aria-label=\"α ≥ &lt;β&gt;\" fill=\"#ff0000\" stroke=\"none\">");
        let semibold = run("<g aria-label=\"812\" fill=\"#00ff00\" stroke=\"none\">");
        assert_eq!(
            [regular, semibold].map(|run| run.matches("<use ").count()),
            [5, 3],
            "{text}"
        );
        let faces = [regular, semibold].map(|run| {
            run.split("#letter")
                .nth(1)
                .and_then(|rest| rest.split('-').next())
        });
        assert!(faces[0].is_some() && faces[0] != faces[1], "{text}");
    }

    #[test]
    fn letters_as_shapes_are_drawn_once_and_used_where_they_stand() {
        let ctx = egui::Context::default();
        ctx.set_fonts(crate::workbench::fonts::definitions());
        ctx.run_ui(egui::RawInput::default(), |_| {})
            .textures_delta
            .clear();
        let job = egui::text::LayoutJob::simple_singleline(
            "aab ▲".to_owned(),
            egui::FontId::default(),
            Color32::RED,
        );
        let galley = ctx.fonts_mut(|fonts| fonts.layout_job(job));
        let text = drawn(SPACE, Shape::galley(pos2(2.0, 3.0), galley, Color32::GREEN));
        assert!(
            text.contains("width=\"85mm\" height=\"42.5mm\" viewBox=\"0 0 100 50\""),
            "{text}"
        );
        assert!(
            text.contains("<g aria-label=\"aab ▲\" fill=\"#ff0000\""),
            "{text}"
        );
        // The blank has no outline.
        assert_eq!(
            (
                text.matches("<path id=\"letter").count(),
                text.matches("<use ").count()
            ),
            (3, 4),
            "{text}"
        );
        assert!(!text.contains("<text") && !text.contains("font-"), "{text}");
    }
}

//! Writes a drawing as a PDF of one page, with text and embedded font subsets.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::emath::TSTransform;
use egui::{Color32, Pos2, Rect};
use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Transform};
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};

use super::letters::{Faces, Letter};
use super::marks::{Drawing, Form, Ink, Mark, Run, Step, ellipse, rectangle_path};

/// Points of 1/72 inch per millimeter.
pub(super) const POINTS: f32 = 72.0 / 25.4;

/// The file; `width` is the page width in millimeters. The error says why it cannot be written.
pub(super) fn document(drawing: &Drawing, width: f32) -> Result<Vec<u8>, String> {
    let space = drawing.space;
    let scale = width * POINTS / space.width();
    let page = PageSettings::from_wh(space.width() * scale, space.height() * scale);
    let page = page.ok_or("a page without a width or height")?;
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(drawing.title.clone())
            .creator("Afterstate".to_owned()),
    );
    let mut page = document.start_page_with(page);
    draw(drawing, page.surface(), scale);
    page.finish();
    document.finish().map_err(|error| format!("{error:?}"))
}

fn draw(drawing: &Drawing, mut surface: Surface<'_>, scale: f32) {
    let space = drawing.space;
    surface.push_transform(&Transform::from_row(
        scale,
        0.0,
        0.0,
        scale,
        -space.left() * scale,
        -space.top() * scale,
    ));
    let mut writer = Writer {
        surface,
        faces: Faces::new(),
        fonts: BTreeMap::new(),
        clip: None,
    };
    writer.path(
        &rectangle_path(space, 0.0),
        drawing.background,
        egui::Stroke::NONE,
    );
    drawing.marks.iter().for_each(|mark| writer.mark(mark));
    writer.clip_to(None);
    writer.surface.pop();
    writer.surface.finish();
}

struct Writer<'a> {
    surface: Surface<'a>,
    faces: Faces,
    /// The used faces, by number.
    fonts: BTreeMap<usize, Option<Font>>,
    /// The current clip rectangle.
    clip: Option<Rect>,
}

impl Writer<'_> {
    fn mark(&mut self, mark: &Mark) {
        self.clip_to(mark.clip);
        let mut pushed = 0;
        if mark.moved != TSTransform::IDENTITY {
            let TSTransform {
                translation,
                scaling,
            } = mark.moved;
            let moved =
                Transform::from_row(scaling, 0.0, 0.0, scaling, translation.x, translation.y);
            self.surface.push_transform(&moved);
            pushed += 1;
        }

        if let Some((angle, about)) = mark.turn {
            self.surface.push_transform(&Transform::from_rotate_at(
                angle.to_degrees(),
                about.x,
                about.y,
            ));
            pushed += 1;
        }

        match &mark.ink {
            Ink::Form(form, fill, stroke) => {
                let fill = if is_open(form) {
                    Color32::TRANSPARENT
                } else {
                    *fill
                };
                self.path(&steps(form), fill, *stroke);
            }
            Ink::Run(run) => self.run(run),
        }
        (0..pushed).for_each(|_| self.surface.pop());
    }

    fn clip_to(&mut self, clip: Option<Rect>) {
        if self.clip == clip {
            return;
        }
        if self.clip.take().is_some() {
            self.surface.pop();
        }
        if let Some(clip) = clip
            && let Some(path) = path(&rectangle_path(clip, 0.0))
        {
            self.surface.push_clip_path(&path, &FillRule::NonZero);
            self.clip = Some(clip);
        }
    }

    fn path(&mut self, steps: &[Step], fill: Color32, stroke: egui::Stroke) {
        let fill = ink(fill).map(|(paint, opacity)| Fill {
            paint: paint.into(),
            opacity,
            rule: FillRule::NonZero,
        });
        let line = ink(stroke.color)
            .filter(|_| !stroke.is_empty())
            .map(|(paint, opacity)| Stroke {
                paint: paint.into(),
                width: stroke.width,
                miter_limit: 4.0,
                line_cap: LineCap::Butt,
                line_join: LineJoin::Miter,
                opacity,
                dash: None,
            });
        if fill.is_none() && line.is_none() {
            return;
        }

        if let Some(path) = path(steps) {
            self.surface.set_fill(fill);
            self.surface.set_stroke(line);
            self.surface.draw_path(&path);
        }
    }

    /// Writes consecutive letters of the same face as one text.
    fn run(&mut self, run: &Run) {
        let Some((paint, opacity)) = ink(run.color) else {
            return;
        };
        self.surface.set_fill(Some(Fill {
            paint: paint.into(),
            opacity,
            rule: FillRule::NonZero,
        }));
        self.surface.set_stroke(None);
        let found: Vec<Option<Letter>> = run
            .letters
            .iter()
            .map(|(letter, _)| self.faces.letter(&run.family, *letter))
            .collect();
        let mut first = 0;
        while first < found.len() {
            let face = found[first].map(|letter| letter.face);
            let same = found[first..]
                .iter()
                .take_while(|letter| letter.map(|letter| letter.face) == face);
            let last = first + same.count();
            if face.is_some() {
                self.letters(run, &found, first..last);
            }
            first = last;
        }
    }

    fn letters(&mut self, run: &Run, found: &[Option<Letter>], range: Range<usize>) {
        let Some(first) = found[range.start] else {
            return;
        };
        let faces = &self.faces;
        let font = self.fonts.entry(first.face).or_insert_with(|| {
            let (bytes, place) = faces.file(first.face)?;
            Font::new(bytes.to_vec().into(), place)
        });
        let Some(font) = font.clone() else { return };
        let size = faces.size(first, run.size);
        let along = |place: usize| {
            run.letters
                .get(place)
                .map_or(run.width, |(_, along)| *along)
        };
        let (mut text, mut glyphs) = (String::new(), Vec::new());
        for place in range.clone() {
            let Some(Letter { glyph, .. }) = found[place] else {
                continue;
            };
            let begin = text.len();
            text.push(run.letters[place].0);
            // Relative to the font size, as PDF expects.
            let advance = (along(place + 1) - along(place)) / size;
            glyphs.push(KrillaGlyph::new(
                GlyphId::new(glyph),
                advance,
                0.0,
                0.0,
                0.0,
                begin..text.len(),
                None,
            ));
        }

        let start = Point::from_xy(
            run.at.x + along(range.start),
            run.at.y + faces.drop(first, run.size),
        );
        self.surface
            .draw_glyphs(start, &glyphs, font, &text, size, false);
    }
}

fn steps(form: &Form) -> Vec<Step> {
    match form {
        Form::Rect(rect, radius) => rectangle_path(*rect, *radius),
        Form::Circle(center, radius) => ellipse(*center, egui::Vec2::splat(*radius)),
        Form::Ellipse(center, radius) => ellipse(*center, *radius),
        Form::Line([from, to]) => vec![Step::Move(*from), Step::Line(*to)],
        Form::Path(steps) => steps.clone(),
    }
}

fn is_open(form: &Form) -> bool {
    matches!(form, Form::Line(_))
        || matches!(form, Form::Path(steps) if !steps.contains(&Step::Close))
}

/// `None` for a path that is empty or not finite.
fn path(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    let finite = |at: &Pos2| at.x.is_finite() && at.y.is_finite();
    for step in steps {
        match step {
            Step::Move(to) if finite(to) => path.move_to(to.x, to.y),
            Step::Line(to) if finite(to) => path.line_to(to.x, to.y),
            Step::Quad(by, to) if finite(by) && finite(to) => path.quad_to(by.x, by.y, to.x, to.y),
            Step::Cubic(by, then, to) if finite(by) && finite(then) && finite(to) => {
                path.cubic_to(by.x, by.y, then.x, then.y, to.x, to.y);
            }
            Step::Close => path.close(),
            Step::Move(_) | Step::Line(_) | Step::Quad(..) | Step::Cubic(..) => return None,
        }
    }
    path.finish()
}

/// A color and its opacity; `None` if invisible.
fn ink(color: Color32) -> Option<(rgb::Color, NormalizedF32)> {
    let [r, g, b, a] = color.to_srgba_unmultiplied();
    let opacity = NormalizedF32::new(f32::from(a) / 255.0)?;
    (a != 0).then_some((rgb::Color::new(r, g, b), opacity))
}

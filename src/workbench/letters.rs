//! Glyph outlines of the window's fonts, and the font face that has a letter.

use std::sync::Arc;

use egui::{FontData, FontFamily, Pos2, pos2};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use super::fonts;
use super::marks::Step;

/// A glyph of a face, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Letter {
    pub face: usize,
    pub glyph: u32,
}

/// The faces of the window's fonts.
pub(super) struct Faces {
    faces: Vec<Arc<FontData>>,
    /// The faces of each family, in fallback order.
    families: Vec<(FontFamily, Vec<usize>)>,
}

impl Faces {
    pub(super) fn new() -> Self {
        let definitions = fonts::definitions();
        let names: Vec<&String> = definitions.font_data.keys().collect();
        let place = |name: &String| names.iter().position(|own| *own == name);
        let families = definitions.families.iter();
        let families = families
            .map(|(family, faces)| (family.clone(), faces.iter().filter_map(place).collect()));
        Self {
            families: families.collect(),
            faces: definitions.font_data.values().cloned().collect(),
        }
    }

    fn font(&self, face: usize) -> Option<FontRef<'_>> {
        let data = self.faces.get(face)?;
        FontRef::from_index((*data.font).as_ref(), data.index).ok()
    }

    /// The font file of a face, and its index there.
    pub(super) fn file(&self, face: usize) -> Option<(&[u8], u32)> {
        self.faces
            .get(face)
            .map(|data| ((*data.font).as_ref(), data.index))
    }

    /// The first face of the family that has the letter.
    pub(super) fn letter(&self, family: &FontFamily, letter: char) -> Option<Letter> {
        let (_, faces) = self.families.iter().find(|(own, _)| own == family)?;
        let letter_in = |face: usize| {
            let glyph = self.font(face)?.charmap().map(letter)?.to_u32();
            (glyph != 0).then_some(Letter { face, glyph })
        };
        faces.iter().find_map(|&face| letter_in(face))
    }

    fn units(&self, face: usize) -> f32 {
        let units = self.font(face).map(|font| {
            font.metrics(Size::unscaled(), LocationRef::default())
                .units_per_em
        });
        units.map_or(1000.0, f32::from)
    }

    /// Its size in points in text of this size: some faces are scaled to match their neighbors.
    pub(super) fn size(&self, letter: Letter, size: f32) -> f32 {
        size * self
            .faces
            .get(letter.face)
            .map_or(1.0, |face| face.tweak.scale)
    }

    /// Points per font unit.
    pub(super) fn scale(&self, letter: Letter, size: f32) -> f32 {
        self.size(letter, size) / self.units(letter.face)
    }

    /// Its offset below the baseline, in points.
    pub(super) fn drop(&self, letter: Letter, size: f32) -> f32 {
        let factor = self
            .faces
            .get(letter.face)
            .map_or(0.0, |face| face.tweak.y_offset_factor);
        self.size(letter, size) * factor
    }

    /// Its outline in font units, upwards from the baseline; empty for a blank.
    pub(super) fn outline(&self, letter: Letter) -> Vec<Step> {
        let mut pen = Pen::default();
        if let Some(font) = self.font(letter.face)
            && let Some(glyph) = font.outline_glyphs().get(GlyphId::new(letter.glyph))
        {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            if glyph.draw(settings, &mut pen).is_err() {
                // Shipped fonts are valid; a broken glyph becomes a blank.
                pen.0.clear();
            }
        }
        pen.0
    }
}

#[derive(Default)]
struct Pen(Vec<Step>);

impl OutlinePen for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.push(Step::Move(pos2(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.push(Step::Line(pos2(x, y)));
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.push(Step::Quad(pos2(cx, cy), pos2(x, y)));
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let [a, b, to]: [Pos2; 3] = [pos2(ax, ay), pos2(bx, by), pos2(x, y)];
        self.0.push(Step::Cubic(a, b, to));
    }

    fn close(&mut self) {
        self.0.push(Step::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_has_an_outline_in_every_family() {
        let faces = Faces::new();
        for (family, _) in &faces.families {
            for symbol in fonts::SYMBOLS.chars().chain('0'..='z') {
                let letter = faces
                    .letter(family, symbol)
                    .unwrap_or_else(|| panic!("{symbol} in {family:?}"));
                let outline = faces.outline(letter);
                assert!(
                    matches!(outline.first(), Some(Step::Move(_)))
                        && outline.contains(&Step::Close),
                    "{symbol}"
                );
                assert!(0.0 < faces.scale(letter, 13.0));
            }
        }
        let blank = faces
            .letter(&FontFamily::Proportional, ' ')
            .expect("a blank");
        assert_eq!(faces.outline(blank), []);
    }
}

//! How a picture is drawn for a paper: its file, its size on the page, its letters, and which part of a panel is in it.

use serde::{Deserialize, Serialize};

use crate::workbench::command::PictureFormat;

/// What is set in the dialog, and kept between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FigureOptions {
    pub format: PictureFormat,
    /// On the page, in millimetres.
    pub width: f32,
    /// Of what is drawn above the caption, in millimetres; `None` follows what is drawn.
    pub height: Option<f32>,
    /// Size of the text on the page, in points of 1/72 inch; small print has eleven thirteenths of it.
    pub text: f32,
    /// Pixels to the inch, of a PNG.
    pub dpi: u32,
    pub crop: Crop,
    pub ground: FigureGround,
    /// Whether letters of an SVG stay text that can be edited, which names its fonts; else they are shapes.
    pub editable: bool,
    /// Whether the sentence below says what is drawn.
    pub caption: bool,
}

/// Which part of what a panel shows is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Crop {
    #[default]
    Whole,
    /// As far as it was zoomed and scrolled.
    Screen,
    /// The selected node of the search tree and what is below it.
    Selection,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureGround {
    #[default]
    White,
    Dark,
}

/// Width of one column and of two, in millimetres, as journals have them.
pub const COLUMNS: [f32; 2] = [85.0, 170.0];
/// What may be asked for: millimetres, points, pixels to the inch.
pub const WIDTHS: std::ops::RangeInclusive<f32> = 20.0..=1000.0;
pub const HEIGHTS: std::ops::RangeInclusive<f32> = 10.0..=1000.0;
pub const TEXTS: std::ops::RangeInclusive<f32> = 4.0..=24.0;
pub const DPIS: std::ops::RangeInclusive<u32> = 50..=1200;

/// Size of text in the window, in points of egui.
pub const BODY: f32 = 13.0;
/// Points of 1/72 inch for a millimetre.
pub const POINTS: f32 = 72.0 / 25.4;
/// Panels lay nothing out that is narrower, in points of egui.
const LEAST_WIDTH: f32 = 200.0;
/// Most pixels of a PNG: they take 8 bytes each while it is drawn.
const MOST_PIXELS: f32 = 50e6;

impl Default for FigureOptions {
    fn default() -> Self {
        Self {
            format: PictureFormat::Pdf,
            width: COLUMNS[0],
            height: None,
            text: 8.0,
            dpi: 300,
            crop: Crop::default(),
            ground: FigureGround::default(),
            editable: false,
            caption: true,
        }
    }
}

impl FigureOptions {
    /// How wide it is laid out, in points of egui: so that text has its size on the page.
    pub fn layout_width(&self) -> f32 {
        self.width * self.layout_scale()
    }

    /// Points of egui for a millimetre of the page.
    pub fn layout_scale(&self) -> f32 {
        POINTS * BODY / self.text
    }

    /// Pixels of a PNG for a point of egui.
    pub fn pixels(&self) -> f32 {
        self.dpi as f32 / 25.4 / self.layout_scale()
    }

    /// Why nothing can be drawn this way; one sentence with the remedy.
    pub fn problem(&self) -> Option<String> {
        if !WIDTHS.contains(&self.width) {
            return Some(format!("a figure is {} to {} mm wide, not {}", WIDTHS.start(), WIDTHS.end(), self.width));
        }

        if let Some(height) = self.height.filter(|height| !HEIGHTS.contains(height)) {
            return Some(format!("a figure is {} to {} mm high, not {height}", HEIGHTS.start(), HEIGHTS.end()));
        }
        if !TEXTS.contains(&self.text) {
            return Some(format!("text is {} to {} pt, not {}", TEXTS.start(), TEXTS.end(), self.text));
        }
        if !DPIS.contains(&self.dpi) {
            return Some(format!("a picture has {} to {} dpi, not {}", DPIS.start(), DPIS.end(), self.dpi));
        }

        if self.layout_width() < LEAST_WIDTH {
            let most = self.width * POINTS * BODY / LEAST_WIDTH;
            return Some(format!(
                "text of {} pt leaves no room in {} mm: take at most {:.1} pt, or a wider figure",
                self.text, self.width, most
            ));
        }
        None
    }

    /// The same of a picture of this height, in points of egui.
    pub fn problem_of_pixels(&self, height: f32) -> Option<String> {
        let sides = [self.layout_width(), height].map(|side| side * self.pixels());
        let too_many = self.format == PictureFormat::Png && MOST_PIXELS < sides[0] * sides[1];
        too_many
            .then(|| format!("{:.0} × {:.0} pixels are too many: take fewer dpi, or an SVG or PDF", sides[0], sides[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_its_size_on_the_page_at_every_width() {
        for (width, text) in [(85.0, 8.0), (170.0, 8.0), (120.0, 10.0)] {
            let options = FigureOptions { width, text, ..FigureOptions::default() };
            // The page is as many points wide as the layout, times this.
            let scale = width * POINTS / options.layout_width();
            assert!((BODY * scale - text).abs() < 1e-4, "{width} {text}");
            assert_eq!(options.problem(), None);
        }
        // 85 mm are 85 / 25.4 inches.
        let png = FigureOptions { dpi: 300, ..FigureOptions::default() };
        assert!((png.layout_width() * png.pixels() - 85.0 / 25.4 * 300.0).abs() < 0.01);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_remedy() {
        let base = FigureOptions::default();
        for (options, part) in [
            (FigureOptions { width: 5.0, ..base.clone() }, "20 to 1000 mm wide, not 5"),
            (FigureOptions { width: f32::NAN, ..base.clone() }, "mm wide"),
            (FigureOptions { height: Some(0.0), ..base.clone() }, "10 to 1000 mm high, not 0"),
            (FigureOptions { text: 40.0, ..base.clone() }, "4 to 24 pt, not 40"),
            (FigureOptions { dpi: 9, ..base.clone() }, "50 to 1200 dpi, not 9"),
            (FigureOptions { width: 20.0, text: 12.0, ..base.clone() }, "take at most 3.7 pt"),
        ] {
            assert!(options.problem().is_some_and(|said| said.contains(part)), "{part}: {:?}", options.problem());
        }
        let large = FigureOptions { format: PictureFormat::Png, width: 1000.0, dpi: 1200, ..base };
        assert!(large.problem_of_pixels(large.layout_width()).is_some_and(|said| said.contains("fewer dpi")));
    }
}

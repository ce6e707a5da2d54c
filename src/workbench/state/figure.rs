//! Options of a figure for print: file, size on the page, text, and the part of the panel.

use serde::{Deserialize, Serialize};

use crate::workbench::command::PictureFormat;

/// The settings of the dialog, saved between sessions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FigureOptions {
    pub format: PictureFormat,
    /// On the page, in millimeters.
    pub width: f32,
    /// Height of the drawing above the caption, in millimeters; `None` fits the content.
    pub height: Option<f32>,
    /// Text size on the page, in points of 1/72 inch; small print is 11/13 of it.
    pub text: f32,
    /// Pixels per inch of a PNG.
    pub dpi: u32,
    pub crop: Crop,
    pub ground: FigureGround,
    /// Whether a caption below describes the content.
    pub caption: bool,
}

/// The part of a panel's content to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Crop {
    #[default]
    Whole,
    /// The visible part.
    Screen,
    /// The selected node of the search tree and its descendants.
    Selection,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureGround {
    #[default]
    White,
    Dark,
}

/// Widths of one and of two journal columns, in millimeters.
pub const COLUMNS: [f32; 2] = [85.0, 170.0];
/// Valid ranges: millimeters, points, pixels per inch.
pub const WIDTHS: std::ops::RangeInclusive<f32> = 20.0..=1000.0;
pub const HEIGHTS: std::ops::RangeInclusive<f32> = 10.0..=1000.0;
pub const TEXTS: std::ops::RangeInclusive<f32> = 4.0..=24.0;
pub const DPIS: std::ops::RangeInclusive<u32> = 50..=1200;

/// Text size in the window, in egui points.
pub const BODY: f32 = 13.0;
/// Points of 1/72 inch per millimeter.
pub const POINTS: f32 = 72.0 / 25.4;
/// Minimum layout width of panels, in egui points.
const LEAST_WIDTH: f32 = 200.0;
/// Maximum number of pixels of a PNG: each needs 8 bytes while it is drawn.
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
            caption: true,
        }
    }
}

impl FigureOptions {
    /// The layout width in egui points, chosen so that text has its size on the page.
    pub fn layout_width(&self) -> f32 {
        self.width * self.layout_scale()
    }

    /// Egui points per millimeter of the page.
    pub fn layout_scale(&self) -> f32 {
        POINTS * BODY / self.text
    }

    /// PNG pixels per egui point.
    pub fn pixels(&self) -> f32 {
        self.dpi as f32 / 25.4 / self.layout_scale()
    }

    /// Why a figure with these options cannot be drawn, and the remedy, in one sentence.
    pub fn problem(&self) -> Option<String> {
        if !WIDTHS.contains(&self.width) {
            return Some(format!(
                "a figure is {} to {} mm wide, not {}",
                WIDTHS.start(),
                WIDTHS.end(),
                self.width
            ));
        }

        if let Some(height) = self.height.filter(|height| !HEIGHTS.contains(height)) {
            return Some(format!(
                "a figure is {} to {} mm high, not {height}",
                HEIGHTS.start(),
                HEIGHTS.end()
            ));
        }
        if !TEXTS.contains(&self.text) {
            return Some(format!(
                "text is {} to {} pt, not {}",
                TEXTS.start(),
                TEXTS.end(),
                self.text
            ));
        }
        if !DPIS.contains(&self.dpi) {
            return Some(format!(
                "a picture has {} to {} dpi, not {}",
                DPIS.start(),
                DPIS.end(),
                self.dpi
            ));
        }

        if self.layout_width() < LEAST_WIDTH {
            let most = self.width * POINTS * BODY / LEAST_WIDTH;
            return Some(format!(
                "text of {} pt does not fit in {} mm: choose at most {:.1} pt, or a wider figure",
                self.text, self.width, most
            ));
        }
        None
    }

    /// Why a PNG of this height, in egui points, would have too many pixels, and the remedy.
    pub fn problem_of_pixels(&self, height: f32) -> Option<String> {
        let sides = [self.layout_width(), height].map(|side| side * self.pixels());
        let too_many = self.format == PictureFormat::Png && MOST_PIXELS < sides[0] * sides[1];
        too_many.then(|| {
            format!(
                "{:.0} × {:.0} pixels are too many: choose fewer dpi, or SVG or PDF",
                sides[0], sides[1]
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_its_size_on_the_page_at_every_width() {
        for (width, text) in [(85.0, 8.0), (170.0, 8.0), (120.0, 10.0)] {
            let options = FigureOptions {
                width,
                text,
                ..FigureOptions::default()
            };
            // The scale from layout to page, in points.
            let scale = width * POINTS / options.layout_width();
            assert!((BODY * scale - text).abs() < 1e-4, "{width} {text}");
            assert_eq!(options.problem(), None);
        }
        // 85 mm are 85 / 25.4 inches.
        let png = FigureOptions {
            dpi: 300,
            ..FigureOptions::default()
        };
        assert!((png.layout_width() * png.pixels() - 85.0 / 25.4 * 300.0).abs() < 0.01);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_with_a_remedy() {
        let base = FigureOptions::default();
        for (options, part) in [
            (
                FigureOptions {
                    width: 5.0,
                    ..base.clone()
                },
                "20 to 1000 mm wide, not 5",
            ),
            (
                FigureOptions {
                    width: f32::NAN,
                    ..base.clone()
                },
                "mm wide",
            ),
            (
                FigureOptions {
                    height: Some(0.0),
                    ..base.clone()
                },
                "10 to 1000 mm high, not 0",
            ),
            (
                FigureOptions {
                    text: 40.0,
                    ..base.clone()
                },
                "4 to 24 pt, not 40",
            ),
            (
                FigureOptions {
                    dpi: 9,
                    ..base.clone()
                },
                "50 to 1200 dpi, not 9",
            ),
            (
                FigureOptions {
                    width: 20.0,
                    text: 12.0,
                    ..base.clone()
                },
                "choose at most 3.7 pt",
            ),
        ] {
            assert!(
                options.problem().is_some_and(|said| said.contains(part)),
                "{part}: {:?}",
                options.problem()
            );
        }
        let large = FigureOptions {
            format: PictureFormat::Png,
            width: 1000.0,
            dpi: 1200,
            ..base
        };
        assert!(
            large
                .problem_of_pixels(large.layout_width())
                .is_some_and(|said| said.contains("fewer dpi"))
        );
    }
}

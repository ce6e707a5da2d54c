//! A line of text and signs, painted from both ends towards the middle.

use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, pos2, vec2};

use super::strategy_mark::{KEY_WIDTH, paint_key};
use super::text::elided;
use crate::workbench::icon::{self, Icon};
use crate::workbench::theme::{StrategyMark, Theme};

/// The remaining space of a line: painting at an end reduces it from that end.
#[derive(Clone)]
pub struct Line {
    pub painter: Painter,
    pub left: f32,
    pub right: f32,
    /// The middle of the line, or its top, see [`Line::top`].
    pub y: f32,
    hangs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaintedText {
    pub rect: Rect,
    /// Whether it ends in "…".
    pub is_cut: bool,
}

impl Line {
    /// A line in the middle of `rect`, with `pad` at its ends.
    pub fn new(painter: &Painter, rect: Rect, pad: f32) -> Self {
        let (left, right) = (rect.left() + pad, rect.right() - pad);
        Self {
            painter: painter.clone(),
            left,
            right,
            y: rect.center().y,
            hangs: false,
        }
    }

    /// The remaining space as a line whose texts start below `y`.
    pub fn top(&self, y: f32) -> Self {
        Self {
            y,
            hangs: true,
            ..self.clone()
        }
    }

    /// Text at the left end, truncated to the remaining space.
    pub fn start(&mut self, text: &str, font: FontId, color: Color32) -> PaintedText {
        let painted = self.text(text, font, color, false);
        self.left = painted.rect.right();
        painted
    }

    /// Text at the right end, truncated to the remaining space.
    pub fn end(&mut self, text: &str, font: FontId, color: Color32) -> PaintedText {
        let painted = self.text(text, font, color, true);
        self.right = painted.rect.left();
        painted
    }

    fn text(&self, text: &str, font: FontId, color: Color32, right: bool) -> PaintedText {
        let galley = elided(&self.painter, text, font, color, self.right - self.left);
        let align = match (right, self.hangs) {
            (false, false) => Align2::LEFT_CENTER,
            (false, true) => Align2::LEFT_TOP,
            (true, false) => Align2::RIGHT_CENTER,
            (true, true) => Align2::RIGHT_TOP,
        };
        let rect = align.anchor_size(
            pos2(if right { self.right } else { self.left }, self.y),
            galley.size(),
        );
        let is_cut = galley.elided;
        self.painter.galley(rect.min, galley, color);
        PaintedText { rect, is_cut }
    }

    pub fn icon(&mut self, icon: Icon, color: Color32) {
        icon.paint(
            &self.painter,
            pos2(self.left + icon::SIDE / 2.0, self.y),
            color,
        );
        self.left += icon::SIDE;
    }

    /// The key of a strategy at the left end; a gray line if it has no color.
    pub fn key(&mut self, theme: &Theme, mark: Option<StrategyMark>) {
        let rect = Rect::from_min_size(pos2(self.left, self.y - 10.0), vec2(KEY_WIDTH, 20.0));
        match mark {
            Some(mark) => paint_key(&self.painter, rect, mark),
            None => {
                self.painter.hline(
                    rect.x_range(),
                    rect.center().y.round() + 0.5,
                    Stroke::new(1.0, theme.line),
                );
            }
        }
        self.left = rect.right();
    }

    pub fn skip(&mut self, room: f32) {
        self.left += room;
    }

    pub fn skip_end(&mut self, room: f32) {
        self.right -= room;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::{fonts, theme};

    #[test]
    fn texts_take_room_from_their_end_and_are_cut_where_they_meet() {
        let ctx = egui::Context::default();
        ctx.set_fonts(fonts::definitions());
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let rect = Rect::from_min_size(pos2(10.0, 20.0), vec2(100.0, 24.0));
            let mut line = Line::new(ui.painter(), rect, 4.0);
            assert_eq!((line.left, line.right, line.y), (14.0, 106.0, 32.0));
            let note = line.end("note", theme::small(), Color32::WHITE);
            assert!(!note.is_cut && note.rect.right() == 106.0 && line.right == note.rect.left());
            line.skip_end(8.0);
            let name = line.start(
                "a name that is much too long for it",
                theme::body(),
                Color32::WHITE,
            );
            assert!(name.is_cut && name.rect.left() == 14.0 && name.rect.right() <= line.right);
        });
        output.textures_delta.clear();
    }
}

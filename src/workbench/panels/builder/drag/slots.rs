//! Where something dragged can go: between the rows of the stack, or onto the tab of another strategy.

use egui::{Id, LayerId, Order, Pos2, Rangef, Rect, Stroke, Ui, pos2};

use super::proposal::DropPlace;
use crate::workbench::theme::{self, Theme};

/// Where the rows and the tabs are on the screen; empty while the stack cannot be seen.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The rows from the top, unfolded parts included.
    pub rows: Vec<Rect>,
    /// Where the first row begins or would begin.
    pub top: f32,
    pub left_right: Rangef,
    /// What can be seen of them.
    pub clip: Rect,
    /// Where a row can be let go to be in the stack.
    pub zone: Rect,
    /// The tabs of the open strategies that can be seen, by their place.
    pub tabs: Vec<(usize, Rect)>,
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            top: 0.0,
            left_right: Rangef::NOTHING,
            clip: Rect::NOTHING,
            zone: Rect::NOTHING,
            tabs: Vec::new(),
        }
    }
}

impl Slots {
    pub fn is_seen(&self) -> bool {
        self.clip.is_positive()
    }

    pub fn at(&self, pos: Pos2) -> DropPlace {
        if let Some(&(tab, _)) = self.tabs.iter().find(|(_, rect)| rect.contains(pos)) {
            return DropPlace::Tab(tab);
        }
        if !self.zone.contains(pos) {
            return DropPlace::Out;
        }
        let middles: Vec<f32> = self.rows.iter().map(|rect| rect.center().y).collect();
        DropPlace::Slot(insertion(&middles, pos.y))
    }

    pub fn line(&self, at: usize) -> f32 {
        let above = at.checked_sub(1).and_then(|above| self.rows.get(above));
        match (above, self.rows.get(at)) {
            (Some(above), Some(below)) => f32::midpoint(above.bottom(), below.top()),
            (Some(above), None) => above.bottom() + theme::SPACE_S,
            (None, _) => self.top - theme::SPACE_S,
        }
    }

    /// The line that says where something goes, kept within what can be seen.
    pub fn paint_line(&self, ui: &Ui, at: usize) {
        let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("insertion line")));
        let color = Theme::of(ui).accent;
        let y = self.line(at).clamp(self.clip.top() + 1.0, self.clip.bottom() - 1.0).round();
        let left = self.left_right.min + 3.0;
        painter.hline(left..=self.left_right.max, y, Stroke::new(2.0, color));
        painter.circle_filled(pos2(left, y), 3.0, color);
    }
}

/// Where something dropped at height `y` goes among rows with these middles.
fn insertion(middles: &[f32], y: f32) -> usize {
    middles.iter().filter(|&&middle| middle < y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_goes_between_the_rows_around_it() {
        let middles = [100.0, 170.0, 240.0];
        assert_eq!([50.0, 120.0, 200.0, 900.0].map(|y| insertion(&middles, y)), [0, 1, 2, 3]);
        assert_eq!(insertion(&[], 10.0), 0);
    }
}

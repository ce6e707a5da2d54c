//! Which part of a layout is seen, and how large.
//!
//! Centre and scale are `f64`; only differences to the centre become `f32`. Far out, where a column is thousands of screens
//! high, the horizontal scale stops shrinking, so that the columns stay apart and fill the panel.

use egui::{Pos2, Rect, pos2};

use super::layout::{Layout, column_x};

/// The largest scale.
pub(crate) const CLOSEST: f64 = 4.0;
/// Where signs have both lines of text.
pub(crate) const TWO_LINES: f64 = 0.82;
/// Where signs have their value beside them.
pub(crate) const ONE_LINE: f64 = 0.44;
/// Where signs are drawn with shape and letter.
pub(crate) const SIGNS: f64 = 0.3;
/// Where nodes are drawn one by one: closer together than 3 points they are drawn as density.
pub(crate) const DOTS: f64 = 3.0 / super::layout::ROW;
/// Where nodes of every kind are boards.
pub(crate) const CLOSE: f64 = 1.7;
/// Columns are not drawn closer than this share of their natural distance, if they need not be to fit.
const WIDEST_FLOOR: f64 = 1.0;
/// Free space around what is fitted.
pub(crate) const MARGIN: f64 = 16.0;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    /// What lies in the middle of the canvas.
    pub x: f64,
    pub y: f64,
    /// Points on the screen for one of the layout.
    pub scale: f64,
}

/// A view on a canvas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub view: View,
    pub rect: Rect,
    floor: f64,
}

impl Lens {
    /// A view of this layout.
    pub(crate) fn new(view: View, rect: Rect, layout: &Layout) -> Self {
        let room = f64::from(rect.width()) - 2.0 * MARGIN;
        Self { view, rect, floor: (room / layout.width()).clamp(0.05, WIDEST_FLOOR) }
    }

    pub(crate) fn scale(&self) -> f32 {
        self.view.scale as f32
    }

    pub(crate) fn across(&self) -> f64 {
        self.view.scale.max(self.floor)
    }

    pub(crate) fn x(&self, x: f64) -> f32 {
        self.rect.center().x + ((x - self.view.x) * self.across()) as f32
    }

    pub(crate) fn y(&self, y: f64) -> f32 {
        self.rect.center().y + ((y - self.view.y) * self.view.scale) as f32
    }

    /// Left edge of a column on the screen.
    pub(crate) fn column(&self, depth: usize) -> f32 {
        self.x(column_x(depth))
    }

    /// A point of the screen in the layout.
    pub(crate) fn under(&self, at: Pos2) -> (f64, f64) {
        let from = at - self.rect.center();
        (self.view.x + f64::from(from.x) / self.across(), self.view.y + f64::from(from.y) / self.view.scale)
    }

    /// A point of the layout on the screen.
    pub(crate) fn at(&self, x: f64, y: f64) -> Pos2 {
        pos2(self.x(x), self.y(y))
    }

    /// The view that shows the same point of the layout at `at`, larger or smaller.
    pub(crate) fn zoomed(&self, at: Pos2, factor: f64, least: f64) -> View {
        let (x, y) = self.under(at);
        let scale = (self.view.scale * factor).clamp(least.min(self.view.scale), CLOSEST);
        let then = Self { view: View { scale, ..self.view }, ..*self };
        let from = at - self.rect.center();
        View { x: x - f64::from(from.x) / then.across(), y: y - f64::from(from.y) / scale, scale }
    }

    /// The view that shows a part of the layout, at most at the natural scale.
    pub(crate) fn fitted(&self, x: (f64, f64), y: (f64, f64)) -> View {
        let room = self.rect.shrink(MARGIN as f32).size().max(egui::vec2(1.0, 1.0));
        let high = f64::from(room.y) / (y.1 - y.0).max(1.0);
        let wide = f64::from(room.x) / (x.1 - x.0).max(1.0);
        // The floor lets columns be closer together than rows, never farther.
        let scale = if wide < self.floor { high } else { high.min(wide) };
        View { x: (x.0 + x.1) / 2.0, y: (y.0 + y.1) / 2.0, scale: scale.clamp(1e-7, 1.0) }
    }

    /// The smallest scale: all of the layout takes half of the canvas.
    pub(crate) fn least(&self, layout: &Layout) -> f64 {
        let high = f64::from(self.rect.height()) / (layout.bottom() - layout.top()).max(1.0);
        (high / 2.0).min(0.2)
    }
}

/// Between two views: the scale changes by equal factors, and what is fixed on the screen stays so.
pub(crate) fn between(from: View, to: View, t: f64) -> View {
    let scale = from.scale * (to.scale / from.scale).powf(t);
    // The share of the way that keeps a straight line on the screen.
    let share = if (to.scale - from.scale).abs() < 1e-9 * from.scale {
        t
    } else {
        (1.0 / scale - 1.0 / from.scale) / (1.0 / to.scale - 1.0 / from.scale)
    };
    View { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_what_is_under_the_pointer() {
        let rect = Rect::from_min_max(pos2(10.0, 20.0), pos2(1010.0, 720.0));
        let layout = Layout::default();
        let at = pos2(700.0, 111.0);
        for scale in [1e-5, 0.01, 0.3, 1.0, 3.0] {
            let lens = Lens::new(View { x: 300.0, y: 2.5e7, scale }, rect, &layout);
            let (x, y) = lens.under(at);
            for factor in [0.5, 0.9, 1.3] {
                let then = Lens::new(lens.zoomed(at, factor, 1e-9), rect, &layout);
                let (then_x, then_y) = then.under(at);
                // A thousandth of a point on the screen.
                assert!((then_x - x).abs() * then.across() < 1e-3 && (then_y - y).abs() * then.view.scale < 1e-3);
                assert!((lens.at(x, y) - at).length() < 1e-3, "there and back");
            }
        }
    }

    #[test]
    fn a_flight_begins_and_ends_where_it_should() {
        let (from, to) = (View { x: 0.0, y: 5.0, scale: 1.0 }, View { x: 100.0, y: -5.0, scale: 0.01 });
        for (a, b) in [(from, to), (to, from), (from, View { x: 9.0, ..from })] {
            for (t, end) in [(0.0, a), (1.0, b)] {
                let view = between(a, b, t);
                assert!((view.x - end.x).abs() < 1e-6 && (view.y - end.y).abs() < 1e-6);
                assert!((view.scale / end.scale - 1.0).abs() < 1e-9);
            }
        }
    }
}

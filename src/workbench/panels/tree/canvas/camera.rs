//! The visible part of a layout, its scale, and their changes.
//!
//! Center and scale are `f64`; only differences to the center become `f32`. Far out, where a column is thousands of
//! screens high, the horizontal scale stops shrinking, so that the columns stay apart and fill the panel.

use std::sync::Arc;

use egui::{Pos2, Rangef, Rect, Response, Ui, Vec2, pos2, vec2};

use super::Laid;
use super::layout::{self, Layout, column_x};
use crate::search::NodeId;
use crate::workbench::command::TreeCommand;
use crate::workbench::panels::tree::frame::Navigation;
use crate::workbench::theme::{self, Motion};

pub(crate) const CLOSEST: f64 = 4.0;
/// Minimum scale at which nodes have both lines of text.
pub(crate) const TWO_LINES: f64 = 0.82;
/// Minimum scale at which nodes have their value next to them.
pub(crate) const ONE_LINE: f64 = 0.44;
/// Minimum scale at which nodes have shape and letter.
pub(crate) const SIGNS: f64 = 0.3;
/// Minimum scale at which nodes are drawn one by one; rows closer than 3 points are drawn as density.
pub(crate) const DOTS: f64 = 3.0 / layout::ROW;
/// Minimum scale at which nodes of every kind are boards.
pub(crate) const CLOSE: f64 = 1.7;
/// Columns are not drawn closer than this share of their natural distance, unless needed to fit.
const WIDEST_FLOOR: f64 = 1.0;
pub(crate) const MARGIN: f64 = 16.0;

/// Change of the logarithm of the scale per point of the wheel, and scale factor of a key.
const WHEEL: f64 = 0.004;
const KEY_ZOOM: f64 = 1.25;
/// Maximum scale of the first view: a small tree is enlarged, but not to a close-up.
const LARGEST_FIRST: f64 = 1.4;
const LEGEND: f64 = 40.0;

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    /// The layout point at the center of the canvas.
    pub x: f64,
    pub y: f64,
    /// Screen points per layout point.
    pub scale: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub view: View,
    pub rect: Rect,
    floor: f64,
}

impl Lens {
    pub(crate) fn new(view: View, rect: Rect, layout: &Layout) -> Self {
        let room = f64::from(rect.width()) - 2.0 * MARGIN;
        Self {
            view,
            rect,
            floor: (room / layout.width()).clamp(0.05, WIDEST_FLOOR),
        }
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

    pub(crate) fn column(&self, depth: usize) -> f32 {
        self.x(column_x(depth))
    }

    /// The layout point at a screen point.
    pub(crate) fn under(&self, at: Pos2) -> (f64, f64) {
        let from = at - self.rect.center();
        (
            self.view.x + f64::from(from.x) / self.across(),
            self.view.y + f64::from(from.y) / self.view.scale,
        )
    }

    pub(crate) fn at(&self, x: f64, y: f64) -> Pos2 {
        pos2(self.x(x), self.y(y))
    }

    /// The view zoomed by `factor`, with the same layout point at `at`.
    pub(crate) fn zoomed(&self, at: Pos2, factor: f64, least: f64) -> View {
        let (x, y) = self.under(at);
        let scale = (self.view.scale * factor).clamp(least.min(self.view.scale), CLOSEST);
        let then = Self {
            view: View { scale, ..self.view },
            ..*self
        };
        let from = at - self.rect.center();
        View {
            x: x - f64::from(from.x) / then.across(),
            y: y - f64::from(from.y) / scale,
            scale,
        }
    }

    /// The view moved by a distance on screen.
    fn moved(&self, by: Vec2) -> View {
        let View { x, y, scale } = self.view;
        View {
            x: x + f64::from(by.x) / self.across(),
            y: y + f64::from(by.y) / scale,
            scale,
        }
    }

    /// The view that fits a part of the layout, at most at the natural scale.
    pub(crate) fn fitted(&self, x: (f64, f64), y: (f64, f64)) -> View {
        let room = self
            .rect
            .shrink(MARGIN as f32)
            .size()
            .max(egui::vec2(1.0, 1.0));
        let high = f64::from(room.y) / (y.1 - y.0).max(1.0);
        let wide = f64::from(room.x) / (x.1 - x.0).max(1.0);
        // The floor moves columns closer together than rows, never farther apart.
        let scale = if wide < self.floor {
            high
        } else {
            high.min(wide)
        };
        View {
            x: (x.0 + x.1) / 2.0,
            y: (y.0 + y.1) / 2.0,
            scale: scale.clamp(1e-7, 1.0),
        }
    }

    pub(super) fn whole(&self, layout: &Layout) -> View {
        self.fitted((0.0, layout.width()), (layout.top, layout.bottom))
    }

    /// The minimum scale: the layout fills half the height of the canvas.
    pub(crate) fn least(&self, layout: &Layout) -> f64 {
        let high = f64::from(self.rect.height()) / (layout.bottom - layout.top).max(1.0);
        (high / 2.0).min(0.2)
    }
}

#[derive(Debug, Default)]
pub(super) struct Camera {
    view: Option<View>,
    /// The canvas of the first view, until the user moves it.
    untouched: Option<Rect>,
    flight: Option<Flight>,
    /// Size of the canvas in the last frame.
    size: Option<Vec2>,
}

#[derive(Clone, Copy, Debug)]
struct Flight {
    from: View,
    to: View,
    since: f64,
}

impl Camera {
    /// The camera on a canvas of this width, showing the same part of the layout.
    pub(super) fn for_width(&self, width: f32) -> Self {
        let share = self
            .size
            .map_or(1.0, |size| f64::from(width / size.x.max(1.0)));
        let view = self.view.map(|view| View {
            scale: view.scale * share,
            ..view
        });
        Self {
            view,
            ..Self::default()
        }
    }

    /// Keeps the anchor in place on screen when the layout changes.
    pub(super) fn relaid(
        &mut self,
        ui: &Ui,
        before: &Laid,
        laid: &Laid,
        anchor: NodeId,
        rect: Rect,
    ) {
        let Some(view) = &mut self.view else { return };
        let layout = &laid.layout;
        if before.is_of_same_search(laid) {
            // Node numbers change when a search is added before the node.
            let is_same = Arc::ptr_eq(&before.tree, &laid.tree);
            let old = if is_same {
                Some(anchor)
            } else {
                before.tree.follow(&laid.tree.links_to(anchor))
            };
            let place = |laid: &Laid, id| {
                laid.layout
                    .find(&laid.tree.path(id))
                    .map(|(depth, slot)| (column_x(depth), laid.layout.y(depth, slot)))
            };
            if let (Some((x, old)), Some((_, new))) =
                (old.and_then(|old| place(before, old)), place(laid, anchor))
            {
                let lens = Lens::new(*view, rect, &before.layout);
                // Only a visible anchor keeps its place.
                if (rect.top()..=rect.bottom()).contains(&lens.y(old)) {
                    view.y += new - old;
                    self.flight = None;
                }
                // In a tree with fewer plies, columns may be farther apart.
                let from_middle = f64::from(lens.x(x) - rect.center().x);
                if from_middle.abs() <= f64::from(rect.width()) / 2.0 {
                    view.x = x - from_middle / Lens::new(*view, rect, layout).across();
                }
            }

            // Keeps a layout that fits fully visible.
            let across = Lens::new(*view, rect, layout).across();
            let half = f64::from(rect.width()) / 2.0 / across - MARGIN / across;
            if layout.width() <= 2.0 * half {
                view.x = view.x.clamp(layout.width() - half, half);
            }
            let half = f64::from(rect.height()) / 2.0 / view.scale;
            if layout.bottom - layout.top <= 2.0 * half {
                view.y = view.y.clamp(layout.bottom - half, layout.top + half);
            }

            // Zooms in again if a view of a large tree would leave a small one tiny.
            let high = (layout.bottom - layout.top) * view.scale;
            if view.scale < ONE_LINE && high < f64::from(rect.height()) * 0.3 {
                let since = ui.input(|input| input.time);
                self.flight = Some(Flight {
                    from: *view,
                    to: first_view(layout, rect),
                    since,
                });
            }

            return;
        }

        // A new tree gets a new first view.
        self.view = None;
    }

    /// Continues an animated move and applies pointer and wheel.
    pub(super) fn turn(&mut self, ui: &Ui, layout: &Layout, rect: Rect, ground: &Response) -> Lens {
        // A very different panel size resets the view; dragging a border keeps it.
        let size = self.size.replace(rect.size());
        let jumps = size.is_some_and(|before| {
            0.25 < (rect.size() / before - Vec2::splat(1.0)).abs().max_elem()
        });
        if jumps || self.untouched.is_some_and(|made_for| made_for != rect) {
            self.view = None;
        }

        let mut view = self.view.unwrap_or_else(|| {
            (self.untouched, self.flight) = (Some(rect), None);
            first_view(layout, rect)
        });
        if let Some(flight) = self.flight {
            let seconds = f64::from(Motion::of(ui).row);
            let since = ui.input(|input| input.time) - flight.since;
            let t = if seconds == 0.0 {
                1.0
            } else {
                (since / seconds).clamp(0.0, 1.0)
            };
            view = between(flight.from, flight.to, f64::from(theme::ease(t as f32)));
            if 1.0 <= t {
                (view, self.flight) = (flight.to, None);
            } else {
                ui.ctx().request_repaint();
            }
        }

        let lens = Lens::new(view, rect, layout);
        let navigation = Navigation::of(ui, ground, rect, WHEEL);
        if let Some(by) = navigation.drag {
            view = lens.moved(-by);
        }
        if let Some((at, factor)) = navigation.zoom {
            view = Lens::new(view, rect, layout).zoomed(at, factor, lens.least(layout));
        }
        if navigation.drag.is_some() || navigation.zoom.is_some() {
            (self.flight, self.untouched) = (None, None);
        }

        view.x -= f64::from(navigation.sideways) / lens.across();
        // Keeps a part of the layout visible.
        let lens = Lens::new(view, rect, layout);
        let half_x = f64::from(rect.width()) / 2.0 / lens.across();
        let half_y = f64::from(rect.height()) / 2.0 / view.scale;
        view.x = view.x.clamp(-half_x * 0.8, layout.width() + half_x * 0.8);
        view.y = view
            .y
            .clamp(layout.top - half_y * 0.8, layout.bottom + half_y * 0.8);
        self.view = Some(view);
        Lens::new(view, rect, layout)
    }

    pub(super) fn fly(&mut self, ui: &Ui, to: View) {
        self.untouched = None;
        let since = ui.input(|input| input.time);
        self.flight = Some(Flight {
            from: self.view.unwrap_or(to),
            to,
            since,
        });
    }

    /// Finishes an animated move at once if animations are off.
    pub(super) fn settle(&mut self, ui: &Ui, layout: &Layout, lens: Lens) -> Lens {
        let Some(flight) = self.flight else {
            return lens;
        };
        ui.ctx().request_repaint();
        if Motion::of(ui).row != 0.0 {
            return lens;
        }
        (self.view, self.flight) = (Some(flight.to), None);
        Lens::new(flight.to, lens.rect, layout)
    }

    pub(super) fn center(&mut self, ui: &Ui, (x, y): (f64, f64)) {
        if let Some(view) = &mut self.view {
            (view.x, view.y) = (x, y);
            (self.flight, self.untouched) = (None, None);
            ui.ctx().request_repaint();
        }
    }

    /// The view for a command.
    pub(super) fn requested(
        &self,
        command: TreeCommand,
        selected: NodeId,
        laid: &Laid,
        lens: &Lens,
    ) -> View {
        let layout = &laid.layout;
        let place = layout.find(&laid.tree.path(selected));
        let to = self.flight.map_or(lens.view, |flight| flight.to);

        match (command, place) {
            (TreeCommand::Fit, _) => lens.whole(layout),
            (TreeCommand::FitSelection, Some((depth, slot))) => {
                let (top, bottom, last) = layout.extent(depth, slot);
                lens.fitted(
                    (column_x(depth) - 80.0, column_x(last) + 180.0),
                    (top, bottom),
                )
            }
            (TreeCommand::Reveal, Some((depth, slot))) => {
                let scale = to.scale.max(if to.scale < ONE_LINE { 1.0 } else { 0.0 });
                View {
                    x: column_x(depth) + 60.0,
                    y: layout.y(depth, slot),
                    scale,
                }
            }
            (TreeCommand::ZoomIn | TreeCommand::ZoomOut, _) => {
                let factor = if command == TreeCommand::ZoomIn {
                    KEY_ZOOM
                } else {
                    KEY_ZOOM.recip()
                };
                let lens = Lens::new(to, lens.rect, layout);
                // Zooms around the selection if it is visible.
                let selected =
                    place.map(|(depth, slot)| lens.at(column_x(depth), layout.y(depth, slot)));
                let about = selected
                    .filter(|&at| lens.rect.contains(at))
                    .unwrap_or(lens.rect.center());
                lens.zoomed(about, factor, lens.least(layout))
            }
            _ => to,
        }
    }
}

/// The whole tree, or as much of it as fits at a readable scale; always the root and its children.
fn first_view(layout: &Layout, rect: Rect) -> View {
    let (width, height) = (f64::from(rect.width()), f64::from(rect.height()));
    let all = layout.bottom - layout.top;
    let fit = ((height - LEGEND) / (all + 24.0)).min((width - 24.0) / layout.width());
    let (high, low) = near_root(layout);
    let near = (height - LEGEND) / (low - high + 24.0);
    let scale = fit.max(near.clamp(ONE_LINE, 0.85)).min(LARGEST_FIRST);
    let across = Lens::new(
        View {
            x: 0.0,
            y: 0.0,
            scale,
        },
        rect,
        layout,
    )
    .across();
    // The root is at the left edge.
    let x = (width / 2.0 - MARGIN - 10.0) / across;
    let middle = (layout.top + layout.bottom) / 2.0;
    let y = if all * scale + 24.0 + LEGEND <= height {
        middle + LEGEND / 2.0 / scale
    } else if all * scale + 24.0 <= height {
        middle
    } else if (low - high) * scale + 24.0 <= height {
        (high + low) / 2.0
    } else {
        0.0
    };

    View { x, y, scale }
}

/// The highest and the lowest point of the root and its children.
fn near_root(layout: &Layout) -> (f64, f64) {
    let columns = layout.columns.iter().take(2).enumerate();
    let entries = columns.flat_map(|(depth, column)| {
        column.slots.iter().zip(&column.ys).map(move |(slot, &y)| {
            let (up, down) = slot.entry.height(depth);
            (y - up, y + down)
        })
    });
    entries.fold((0.0, 0.0), |(high, low), (top, bottom)| {
        (f64::min(high, top), f64::max(low, bottom))
    })
}

/// The view moved as little as needed to show a node; `None` if it is visible or not drawn.
pub(super) fn in_sight(id: NodeId, laid: &Laid, lens: &Lens) -> Option<View> {
    let (depth, slot) = laid.layout.find(&laid.tree.path(id))?;
    let (y, entry) = (
        laid.layout.y(depth, slot),
        laid.layout.at(depth, slot).entry,
    );
    let (up, down) = entry.height(depth);
    let (top, bottom) = (lens.y(y - up) - 4.0, lens.y(y + down) + 4.0);
    let (left, right) = (lens.column(depth) - 60.0, lens.column(depth) + 150.0);
    // Boards higher than the canvas are centered.
    let by = |low: f32, high: f32, room: Rangef| match room.span() < high - low {
        true => (low + high) / 2.0 - room.center(),
        false => (low - room.min).min(0.0) + (high - room.max).max(0.0),
    };
    let by = vec2(
        by(left, right, lens.rect.x_range()),
        by(top, bottom, lens.rect.y_range()),
    );
    (by != Vec2::ZERO).then(|| lens.moved(by))
}

/// Interpolates two views: the scale changes geometrically, and a point fixed on screen stays fixed.
pub(crate) fn between(from: View, to: View, t: f64) -> View {
    let scale = from.scale * (to.scale / from.scale).powf(t);
    // The share of the way that keeps a straight line on screen.
    let share = if (to.scale - from.scale).abs() < 1e-9 * from.scale {
        t
    } else {
        (1.0 / scale - 1.0 / from.scale) / (1.0 / to.scale - 1.0 / from.scale)
    };
    View {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
        scale,
    }
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
            let lens = Lens::new(
                View {
                    x: 300.0,
                    y: 2.5e7,
                    scale,
                },
                rect,
                &layout,
            );
            let (x, y) = lens.under(at);
            for factor in [0.5, 0.9, 1.3] {
                let then = Lens::new(lens.zoomed(at, factor, 1e-9), rect, &layout);
                let (then_x, then_y) = then.under(at);
                // A thousandth of a point on the screen.
                assert!(
                    (then_x - x).abs() * then.across() < 1e-3
                        && (then_y - y).abs() * then.view.scale < 1e-3
                );
                assert!((lens.at(x, y) - at).length() < 1e-3, "there and back");
            }
        }
    }

    #[test]
    fn the_first_view_shows_the_root_and_all_its_moves() {
        use crate::search::SpawnRule;
        use crate::task::CancelToken;
        use crate::workbench::panels::tree::{Base, Folding, Line, Spans};

        let mut shown = 0;
        for plies in [2, 4] {
            let text = format!(
                "(criteria: [(evaluator: Snake, lookahead: Expectimax(plies: Fixed({plies})))])"
            );
            let tree = crate::workbench::panels::tree::tests::tree(&text);
            let line = Line {
                ids: tree.line(SpawnRule::Median, &[]),
                ..Line::default()
            };
            for base in [Base::Line, Base::Ply(1), Base::Ply(3)] {
                let (folding, spans) = (Folding::new(base, None), Spans::of(&tree));
                let layout = Layout::new(
                    &tree,
                    &folding,
                    &line,
                    &spans,
                    usize::MAX,
                    &CancelToken::new(),
                );
                let layout = layout.expect("laid out");
                for size in [vec2(1200.0, 800.0), vec2(680.0, 420.0), vec2(500.0, 240.0)] {
                    let rect = Rect::from_min_size(pos2(10.0, 20.0), size);
                    let lens = Lens::new(first_view(&layout, rect), rect, &layout);
                    assert!(
                        rect.contains(lens.at(column_x(0), layout.y(0, 0))),
                        "{plies} {base:?} {size}"
                    );
                    let (high, low) = near_root(&layout);
                    if (low - high + 24.0) * ONE_LINE + LEGEND < f64::from(size.y) {
                        shown += 1;
                        assert!(
                            rect.top() <= lens.y(high) && lens.y(low) <= rect.bottom(),
                            "{plies} {base:?} {size}"
                        );
                    }
                }
            }
        }
        assert!(8 <= shown, "{shown} of 18 fit");
    }

    #[test]
    fn a_flight_begins_and_ends_where_it_should() {
        let (from, to) = (
            View {
                x: 0.0,
                y: 5.0,
                scale: 1.0,
            },
            View {
                x: 100.0,
                y: -5.0,
                scale: 0.01,
            },
        );
        for (a, b) in [(from, to), (to, from), (from, View { x: 9.0, ..from })] {
            for (t, end) in [(0.0, a), (1.0, b)] {
                let view = between(a, b, t);
                assert!((view.x - end.x).abs() < 1e-6 && (view.y - end.y).abs() < 1e-6);
                assert!((view.scale / end.scale - 1.0).abs() < 1e-9);
            }
        }
    }
}

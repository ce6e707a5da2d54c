//! The search as nodes and edges, from a cloud of millions to the boards of a few.
//!
//! What is drawn depends on how far apart nodes lie on the screen ([`view`]): under 3 points a column is drawn as density,
//! then nodes as dots, as signs, as signs with text, and close up as boards. Only what is seen is looked at: each column of
//! the [`layout`] is sorted, and what a node says ([`card`]) is derived when it comes into view and kept while it is there.
//!
//! A layout of more than some thousand entries is made beside the window; the one before stays until it is there.

mod card;
mod close;
pub(super) mod far;
pub(super) mod layout;
mod legend;
mod paint;
pub(super) mod view;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use egui::{
    Align2, Galley, Painter, PointerButton, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use self::card::{Card, Cards};
use self::layout::{Entry, Layout, NoLayout, column_x, is_node};
use self::view::{Lens, View};
use super::{minimap, words as names};
use crate::game::Move;
use crate::search::{Frame, Link, NodeId, NodeKind, Replay, Seen, Start, Tree};
use crate::task::CancelToken;
use crate::words;
use crate::workbench::command::{Commands, TreeCommand};
use crate::workbench::errand::{Errand, Wake};
use crate::workbench::icon::Icon;
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::inspection::{Line, Spans};
use crate::workbench::theme::{self, Motion, Theme};
use crate::workbench::widget::{BoardGeometry, NODE_RADIUS, elided, focus_ring, paint_node};

/// Layouts up to this size are made within the frame: some milliseconds.
const AT_ONCE: usize = 5_000;
/// More widgets than these are not given to screen readers: what is on the line and around the selection is.
const MOST_NAMED: usize = 300;
/// The names of the plies.
const HEADER: f32 = 20.0;
/// Scale by a notch of the wheel, and by a key.
const WHEEL: f64 = 0.004;
const KEY_ZOOM: f64 = 1.25;
/// Nodes that do not match the filter.
const UNMATCHED: f32 = 0.25;
/// Nodes that the replay has not come to.
const AHEAD: f32 = 0.18;
/// Boards narrower than this are drawn as signs.
const LEAST_BOARD: f32 = 30.0;
/// Signs do not grow beyond this.
const LARGEST_SIGN: f32 = 1.2;
/// Between a sign and its text.
const BESIDE: f32 = 8.0;
/// Room for the label of an edge at the natural scale: with an arrow, with a spawn.
const ARROW_ROOM: f32 = 40.0;
const SPAWN_ROOM: f32 = 66.0;

/// What is laid out, with what it was laid out from.
#[derive(Debug)]
struct Laid {
    tree: Arc<Tree>,
    line: Line,
    spans: Spans,
    layout: Layout,
    key: Key,
}

/// Decision, row and version of the view state.
type Key = (u64, usize, u64);

#[derive(Debug, Default)]
pub(super) struct Canvas {
    laid: Option<Rc<Laid>>,
    errand: Option<(Key, Errand<Result<Laid, NoLayout>>)>,
    view: Option<View>,
    /// Where the first view was made for, until somebody moves it.
    untouched: Option<Rect>,
    flight: Option<Flight>,
    shift: Option<Shift>,
    cards: Cards,
    wishes: Vec<TreeCommand>,
    /// What was folded by hand last: it stays where it is.
    anchor: Option<NodeId>,
    /// The selection of the last frame, to see it change.
    selected: Option<(u64, NodeId)>,
    /// The pointer lit a node of this view.
    lit: bool,
    /// Where the card of a cut was drawn.
    close_up: Option<Rect>,
    /// Where matches lie, for the view from far away.
    matched: Option<Matched>,
}

/// The view on its way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    from: View,
    to: View,
    since: f64,
}

/// Nodes on their way from one layout to the next: how far each entry of a column still is from its place.
#[derive(Debug)]
struct Shift {
    since: f64,
    columns: Vec<Vec<f32>>,
}

/// The heights of the nodes that match a filter, one list a column.
#[derive(Debug)]
struct Matched {
    key: Key,
    filter: String,
    number: usize,
    columns: Vec<Vec<f64>>,
}

/// An entry that is seen.
struct Placed {
    depth: usize,
    slot: usize,
    id: NodeId,
    entry: Entry,
    /// Middle of the sign, or of the board.
    center: Pos2,
    mark: Rect,
    rect: Rect,
    kind: NodeKind,
    card: Option<Rc<Card>>,
    value: Option<(Pos2, Arc<Galley>)>,
    note: Option<(Pos2, Arc<Galley>)>,
    /// Where edges to the right begin.
    out: f32,
    /// The board, if it is drawn as one.
    board: Option<Rect>,
    alpha: f32,
}

/// What one frame needs to know.
struct Scene<'a> {
    laid: &'a Laid,
    lens: Lens,
    theme: &'static Theme,
    /// Frames of the replay by node.
    open: HashMap<NodeId, Frame>,
}

impl Canvas {
    /// Draws it into the rest of the panel.
    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
        let (space, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let rect = space.with_min_y((space.top() + HEADER).min(space.bottom()));
        self.lay_out(ui, inspection, rect);
        let Some(laid) = self.laid.clone() else {
            let text = "Laying out the tree";
            ui.painter().text(space.center(), Align2::CENTER_CENTER, text, theme::body(), Theme::of(ui).text3);
            return;
        };
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("canvas").max_rect(rect));
        inside.set_clip_rect(rect.intersect(ui.clip_rect()));
        if inspection.is_old() {
            inside.multiply_opacity(theme::STALE_ALPHA);
        }
        let lens = self.look(&mut inside, inspection, &laid, rect);
        let replay = inspection.replay.as_ref().map(Replay::now);
        let open = replay.map(|now| now.open.into_iter().map(|frame| (frame.id, frame)).collect()).unwrap_or_default();
        let scene = Scene { laid: &laid, lens, theme: Theme::of(ui), open };
        self.cards.turn();
        let placed = self.draw(&mut inside, inspection, &scene);
        self.header(ui, &scene, space);
        if inspection.minimap {
            self.corner(&mut inside, &scene);
        }
        // Above the corner: its buttons are pressed.
        self.close_up(&mut inside, inspection, commands, &scene, &placed);
    }

    /// Does a command that concerns this view alone.
    pub(super) fn wish(&mut self, command: TreeCommand) {
        let is_ours = matches!(
            command,
            TreeCommand::Fit
                | TreeCommand::FitSelection
                | TreeCommand::Reveal
                | TreeCommand::ZoomIn
                | TreeCommand::ZoomOut
        );
        if is_ours {
            self.wishes.push(command);
        }
    }

    // The layout

    fn lay_out(&mut self, ui: &Ui, inspection: &Inspection, rect: Rect) {
        let Some(shown) = inspection.shown() else { return };
        let key = (shown.number, shown.row, inspection.version());
        if self.laid.as_ref().is_some_and(|laid| laid.key == key) {
            self.errand = None;
            return;
        }
        if self.errand.as_ref().is_none_or(|(wanted, _)| *wanted != key) {
            let (tree, folding, line) = (shown.tree.clone(), inspection.folding().clone(), inspection.line().clone());
            let spans = inspection.spans().clone();
            let now = Layout::new(&tree, &folding, &line, &spans, AT_ONCE, &CancelToken::new());
            match now {
                Ok(layout) => return self.take(ui, Laid { tree, line, spans, layout, key }, inspection, rect),
                Err(_) => {
                    let ctx = ui.ctx().clone();
                    let wake: Wake = Arc::new(move || ctx.request_repaint());
                    let work = move |stop: &CancelToken| {
                        let layout = Layout::new(&tree, &folding, &line, &spans, usize::MAX, stop)?;
                        Ok(Laid { tree, line, spans, layout, key })
                    };
                    self.errand = Some((key, Errand::send(wake, work)));
                }
            }
        }
        if let Some(Ok(Ok(laid))) = self.errand.as_ref().and_then(|(_, errand)| errand.poll()) {
            self.errand = None;
            self.take(ui, laid, inspection, rect);
        }
    }

    /// Takes a new layout; what the person looks at stays where it is on the screen.
    fn take(&mut self, ui: &Ui, laid: Laid, inspection: &Inspection, rect: Rect) {
        self.cards.clear();
        self.shift = None;
        let before = self.laid.take();
        let anchor = self.anchor.take().unwrap_or(inspection.selected());
        if let (Some(before), Some(view)) = (&before, &mut self.view) {
            if Arc::ptr_eq(&before.tree, &laid.tree) {
                let path = laid.tree.path(anchor);
                let height = |layout: &Layout| layout.find(&path).map(|(depth, slot)| layout.columns()[depth].y(slot));
                if let (Some(old), Some(new)) = (height(&before.layout), height(&laid.layout)) {
                    let lens = Lens::new(*view, rect, &before.layout);
                    // What is out of sight is no hold: the root is.
                    if (rect.top()..=rect.bottom()).contains(&lens.y(old)) {
                        view.y += new - old;
                        self.flight = None;
                    }
                }
                // What was far away to be seen whole, and is small now, comes near again.
                let high = (laid.layout.bottom() - laid.layout.top()) * view.scale;
                if view.scale < view::ONE_LINE && high < f64::from(rect.height()) * 0.3 {
                    let since = ui.input(|input| input.time);
                    self.flight = Some(Flight { from: *view, to: first_view(&laid.layout, rect), since });
                }
                if Motion::of(ui).row != 0.0 && before.layout.entries().max(laid.layout.entries()) <= AT_ONCE {
                    self.shift =
                        Some(Shift::between(&before.layout, &laid.layout, anchor, ui.input(|input| input.time)));
                }
            } else {
                // Another tree keeps scale and root, unless nothing of it would be seen.
                let lens = Lens::new(*view, rect, &laid.layout);
                let seen = Rect::from_min_max(
                    lens.at(0.0, laid.layout.top()),
                    lens.at(laid.layout.width(), laid.layout.bottom()),
                );
                // Of another strategy or board size nobody has asked for a view yet.
                let (old, new) = (before.tree.subject(), laid.tree.subject());
                let is_other = old.definition != new.definition || old.board.size() != new.board.size();
                if !seen.intersects(rect) || (is_other && self.untouched.is_some()) {
                    self.view = None;
                }
            }
        }
        self.laid = Some(Rc::new(laid));
    }

    // The view

    /// Applies what pointer, wheel and keys ask for.
    fn look(&mut self, ui: &mut Ui, inspection: &mut Inspection, laid: &Laid, rect: Rect) -> Lens {
        let layout = &laid.layout;
        if self.view.is_none() || self.untouched.is_some_and(|made_for| made_for != rect) {
            self.view = Some(first_view(layout, rect));
            self.untouched = Some(rect);
        }
        let mut view = self.view.unwrap_or_else(|| first_view(layout, rect));
        let now = ui.input(|input| input.time);
        let seconds = f64::from(Motion::of(ui).row);
        if let Some(flight) = self.flight {
            let t = if seconds == 0.0 { 1.0 } else { ((now - flight.since) / seconds).clamp(0.0, 1.0) };
            view = view::between(flight.from, flight.to, f64::from(theme::ease(t as f32)));
            if 1.0 <= t {
                (view, self.flight) = (flight.to, None);
            } else {
                ui.ctx().request_repaint();
            }
        }
        let response = ui.interact(rect, ui.scope_id().with("ground"), Sense::CLICK | Sense::DRAG);
        let lens = Lens::new(view, rect, layout);
        if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
            let by = response.drag_delta();
            view.x -= f64::from(by.x) / lens.across();
            view.y -= f64::from(by.y) / view.scale;
            (self.flight, self.untouched) = (None, None);
        }
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(rect));
        if let Some(at) = pointer {
            let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta(), f64::from(input.zoom_delta())));
            let factor = pinch * (f64::from(scroll.y) * WHEEL).exp();
            // A clock that jumps makes the smoothed wheel infinite.
            if factor != 1.0 && factor.is_finite() && 0.0 < factor {
                view = Lens::new(view, rect, layout).zoomed(at, factor, lens.least(layout));
                (self.flight, self.untouched) = (None, None);
            }
            if scroll.x.is_finite() {
                view.x -= f64::from(scroll.x) / lens.across();
            }
        }
        // Something of the layout stays in sight.
        let lens = Lens::new(view, rect, layout);
        let (half_x, half_y) =
            (f64::from(rect.width()) / 2.0 / lens.across(), f64::from(rect.height()) / 2.0 / view.scale);
        view.x = view.x.clamp(-half_x * 0.8, layout.width() + half_x * 0.8);
        view.y = view.y.clamp(layout.top() - half_y * 0.8, layout.bottom() + half_y * 0.8);
        self.view = Some(view);
        let mut lens = Lens::new(view, rect, layout);
        for command in std::mem::take(&mut self.wishes) {
            let to = self.wished(command, inspection, laid, &lens);
            self.fly(to, now);
        }
        let selected = (laid.key.0, inspection.selected());
        if self.selected.is_some_and(|before| before != selected && before.0 == selected.0)
            && let Some(to) = in_sight(inspection.selected(), laid, &lens)
        {
            self.fly(to, now);
        }
        self.selected = Some(selected);
        if self.flight.is_some() {
            if seconds == 0.0 {
                view = self.flight.take().map_or(view, |flight| flight.to);
                self.view = Some(view);
                lens = Lens::new(view, rect, layout);
            }
            ui.ctx().request_repaint();
        }
        if response.double_clicked() {
            // On the ground it means: all of it.
            if !self.lit {
                self.fly(lens.fitted((0.0, layout.width()), (layout.top(), layout.bottom())), now);
            }
        }
        lens
    }

    fn fly(&mut self, to: View, since: f64) {
        let from = self.view.unwrap_or(to);
        self.untouched = None;
        self.flight = Some(Flight { from, to, since });
    }

    fn wished(&self, command: TreeCommand, inspection: &Inspection, laid: &Laid, lens: &Lens) -> View {
        let layout = &laid.layout;
        let to = self.flight.map_or(lens.view, |flight| flight.to);
        let place = layout.find(&laid.tree.path(inspection.selected()));
        match (command, place) {
            (TreeCommand::Fit, _) => lens.fitted((0.0, layout.width()), (layout.top(), layout.bottom())),
            (TreeCommand::FitSelection, Some((depth, slot))) => {
                let (top, bottom, last) = layout.extent(depth, slot);
                lens.fitted((column_x(depth) - 80.0, column_x(last) + 180.0), (top, bottom))
            }
            (TreeCommand::Reveal, Some((depth, slot))) => {
                let scale = to.scale.max(if to.scale < view::ONE_LINE { 1.0 } else { 0.0 });
                View { x: column_x(depth) + 60.0, y: layout.columns()[depth].y(slot), scale }
            }
            (TreeCommand::ZoomIn | TreeCommand::ZoomOut, _) => {
                let factor = if command == TreeCommand::ZoomIn { KEY_ZOOM } else { KEY_ZOOM.recip() };
                let lens = Lens::new(to, lens.rect, layout);
                // About the selection where it is seen.
                let selected = place.map(|(depth, slot)| lens.at(column_x(depth), layout.columns()[depth].y(slot)));
                let about = selected.filter(|&at| lens.rect.contains(at)).unwrap_or(lens.rect.center());
                lens.zoomed(about, factor, lens.least(layout))
            }
            _ => to,
        }
    }

    // Drawing

    /// Draws the tree; gives what can be pressed, which is nothing far out and in a tree that is old.
    fn draw(&mut self, ui: &mut Ui, inspection: &mut Inspection, scene: &Scene<'_>) -> Vec<Placed> {
        let Scene { laid, lens, .. } = scene;
        let is_current = inspection.shown().is_some_and(|shown| Arc::ptr_eq(&shown.tree, &laid.tree));
        self.grid(ui, scene);
        if lens.view.scale < view::DOTS {
            self.density(ui, inspection, scene);
            return Vec::new();
        }
        let shift = self.shift_now(ui);
        let columns = laid.layout.columns();
        let margin = (layout::FIRST_SIDE + 48.0).max(f64::from(shift));
        let (_, top) = lens.under(lens.rect.left_top());
        let (_, bottom) = lens.under(lens.rect.right_bottom());
        // What is seen of each column; empty where the column is not.
        let seen: Vec<Range<usize>> = columns
            .iter()
            .enumerate()
            .map(|(depth, column)| {
                let (left, right) = (lens.column(depth), lens.column(depth + 1));
                let is_seen = left < lens.rect.right() && lens.rect.left() < right;
                if is_seen { column.between(top - margin, bottom + margin) } else { 0..0 }
            })
            .collect();
        if lens.view.scale < view::SIGNS {
            self.dots(ui, inspection, scene, &seen);
            if is_current {
                self.point_at_dots(ui, inspection, scene, &seen);
            }
            return Vec::new();
        }
        let mut placed: Vec<Placed> = Vec::new();
        let mut first = Vec::new();
        for (depth, range) in seen.iter().enumerate() {
            first.push(placed.len());
            for slot in range.clone() {
                let one = self.place(ui, inspection, scene, depth, slot);
                placed.push(one);
            }
        }
        self.edges(ui, inspection, scene, &seen, &placed, &first);
        let hovered = if is_current { self.touch(ui, inspection, scene, &placed) } else { None };
        for one in &placed {
            self.node(ui, inspection, scene, one);
        }
        if !is_current {
            return Vec::new();
        }
        self.chevrons(ui, inspection, scene, &placed, hovered);
        placed
    }

    /// How far the entries still are from their places, at most.
    fn shift_now(&mut self, ui: &Ui) -> f32 {
        let Some(shift) = &self.shift else { return 0.0 };
        let now = ui.input(|input| input.time);
        let seconds = f64::from(Motion::of(ui).row);
        if seconds <= now - shift.since {
            self.shift = None;
            return 0.0;
        }
        ui.ctx().request_repaint();
        shift.columns.iter().flatten().fold(0.0, |most, by| f32::max(most, by.abs()))
    }

    /// The height of an entry, on its way.
    fn height_of(&self, ui: &Ui, scene: &Scene<'_>, depth: usize, slot: usize) -> f64 {
        let y = scene.laid.layout.columns()[depth].y(slot);
        let Some(shift) = &self.shift else { return y };
        let seconds = Motion::of(ui).row.max(0.001);
        let t = ((ui.input(|input| input.time) - shift.since) as f32 / seconds).clamp(0.0, 1.0);
        let by = shift.columns.get(depth).and_then(|column| column.get(slot)).copied().unwrap_or(0.0);
        y + f64::from(by * (1.0 - theme::ease(t)))
    }

    fn grid(&self, ui: &Ui, scene: &Scene<'_>) {
        let Scene { laid, lens, theme, .. } = scene;
        for depth in 1..laid.layout.columns().len() {
            let gap = ((column_x(depth) - column_x(depth - 1)) * lens.across()) as f32;
            let x = (lens.column(depth) - (gap * 0.1).min(16.0)).round() + 0.5;
            if (lens.rect.left()..lens.rect.right()).contains(&x) {
                ui.painter().vline(x, lens.rect.y_range(), Stroke::new(1.0, theme.sep.gamma_multiply(0.6)));
            }
        }
    }

    fn header(&self, ui: &Ui, scene: &Scene<'_>, space: Rect) {
        let Scene { laid, lens, theme, .. } = scene;
        let is_turn = laid.tree.subject().start != Start::Spawn;
        let strip = space.with_max_y(lens.rect.top());
        let painter = ui.painter().with_clip_rect(strip.intersect(ui.clip_rect()));
        for depth in 0..laid.layout.columns().len() {
            let room = ((column_x(depth + 1) - column_x(depth)) * lens.across()) as f32 - 8.0;
            let name = names::ply_name(depth, (depth % 2 == 0) == is_turn);
            // Of spawns each parent has a scale of its own.
            let is_slide = depth != 0 && (depth % 2 == 0) != is_turn;
            let with_span = match is_slide {
                true => format!("{name}   {}", legend::range(laid.spans.at(depth))),
                false => name.clone(),
            };
            let mut galley = painter.layout_no_wrap(with_span, theme::small(), theme.text3);
            if room < galley.size().x {
                galley = painter.layout_no_wrap(name, theme::small(), theme.text3);
            }
            if room < galley.size().x {
                galley = painter.layout_no_wrap(depth.to_string(), theme::small(), theme.text3);
            }
            if room < galley.size().x {
                continue;
            }
            painter.galley(pos2(lens.column(depth), strip.top() + 2.0).round(), galley, theme.text3);
        }
        ui.painter().hline(strip.x_range(), strip.bottom() - 0.5, Stroke::new(1.0, theme.sep));
    }

    /// Columns from far away.
    fn density(&mut self, ui: &Ui, inspection: &Inspection, scene: &Scene<'_>) {
        let Scene { laid, lens, theme, .. } = scene;
        let (_, top) = lens.under(lens.rect.left_top());
        let mut painter = ui.painter().clone();
        if inspection.filter.is_on() {
            painter.multiply_opacity(UNMATCHED);
        }
        for (depth, column) in laid.layout.columns().iter().enumerate() {
            let gap = ((column_x(depth + 1) - column_x(depth)) * lens.across()) as f32;
            let left = lens.column(depth);
            if left < lens.rect.right() && lens.rect.left() < left + gap {
                let space = Rect::from_min_size(pos2(left, lens.rect.top()), vec2(gap * 0.6, lens.rect.height()));
                far::paint_column(&painter, theme, column, space, top, 1.0 / lens.view.scale, 1.0);
            }
        }
        if inspection.filter.is_on() {
            self.find_matches(inspection, laid);
            let columns = self.matched.iter().flat_map(|matched| &matched.columns).enumerate();
            for (depth, heights) in columns {
                let gap = ((column_x(depth + 1) - column_x(depth)) * lens.across()) as f32;
                let left = lens.column(depth);
                if left < lens.rect.right() && lens.rect.left() < left + gap {
                    let space = Rect::from_min_size(pos2(left, lens.rect.top()), vec2(gap * 0.6, lens.rect.height()));
                    far::paint_matches(ui.painter(), theme, heights, space, top, 1.0 / lens.view.scale);
                }
            }
        }
        let at = |depth: usize, slot: usize| lens.at(column_x(depth), laid.layout.columns()[depth].y(slot));
        let mut line: Vec<Pos2> = Vec::new();
        for end in 1..=laid.line.ids.len() {
            let Some((depth, slot)) = laid.layout.find(&laid.line.ids[..end]) else { break };
            line.push(at(depth, slot));
        }
        ui.painter().add(Shape::line(line, Stroke::new(1.5, theme.accent)));
        if let Some((depth, slot)) = laid.layout.find(&laid.tree.path(inspection.selected())) {
            ui.painter().circle(at(depth, slot), 4.0, theme.accent_bg, Stroke::new(2.0, theme.accent));
        }
    }

    /// Looks up where the matches lie, when they or the layout are others.
    fn find_matches(&mut self, inspection: &Inspection, laid: &Laid) {
        let (filter, number) = (&inspection.filter.text, inspection.filter.matches().len());
        let is_known = |known: &Matched| known.key == laid.key && known.filter == *filter && known.number == number;
        if self.matched.as_ref().is_some_and(is_known) {
            return;
        }
        let mut is_match = vec![false; laid.tree.kept()];
        for id in inspection.filter.matches() {
            if let Some(flag) = is_match.get_mut(id.0 as usize) {
                *flag = true;
            }
        }
        let wanted = |id: NodeId| is_match.get(id.0 as usize).is_some_and(|&is_match| is_match);
        let columns = laid.layout.columns().iter().map(|column| column.heights_of(wanted)).collect();
        self.matched = Some(Matched { key: laid.key, filter: filter.clone(), number, columns });
    }

    /// Nodes as dots of their colour.
    fn dots(&mut self, ui: &Ui, inspection: &Inspection, scene: &Scene<'_>, seen: &[Range<usize>]) {
        let Scene { laid, lens, theme, .. } = scene;
        let tree = &laid.tree;
        let painter = ui.painter();
        let size = (NODE_RADIUS * 2.0 * lens.scale()).max(2.0);
        for (depth, range) in seen.iter().enumerate() {
            let column = &laid.layout.columns()[depth];
            let left = lens.column(depth);
            for slot in range.clone() {
                let y = lens.y(self.height_of(ui, scene, depth, slot));
                let id = column.id(slot);
                let chosen = laid.line.contains(id) && is_node(column.entry(slot));
                if depth != 0 {
                    let above = column.parent(slot);
                    let from = pos2(lens.column(depth - 1) + size, lens.y(self.height_of(ui, scene, depth - 1, above)));
                    let color = if chosen { theme.accent } else { theme.line.gamma_multiply(0.45) };
                    painter.line_segment([from, pos2(left, y)], Stroke::new(if chosen { 2.0 } else { 0.7 }, color));
                }
                let rect = Rect::from_min_size(pos2(left, y - size / 2.0), vec2(size, size));
                match column.entry(slot) {
                    Entry::Pill | Entry::Struck(_) => {
                        painter.rect_filled(rect.shrink(size * 0.3), 0, theme.bg4);
                    }
                    _ => {
                        let alpha = alpha_of(inspection, id);
                        let fill = match tree.kind(id) {
                            NodeKind::Cut | NodeKind::Dead | NodeKind::Cached => theme.kind(tree.kind(id)),
                            _ => theme.diverging(laid.spans.tint(tree, id, depth)),
                        };
                        painter.rect_filled(rect, size * 0.2, fill.gamma_multiply(alpha));
                        if id == inspection.selected() {
                            painter.circle_stroke(rect.center(), size * 0.5 + 3.0, Stroke::new(2.0, theme.accent));
                        }
                    }
                }
            }
        }
    }

    /// Hover and click where nodes have no widgets of their own.
    fn point_at_dots(&mut self, ui: &mut Ui, inspection: &mut Inspection, scene: &Scene<'_>, seen: &[Range<usize>]) {
        let Scene { laid, lens, .. } = scene;
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(lens.rect));
        let size = (NODE_RADIUS * 2.0 * lens.scale()).max(2.0);
        let under = pointer.and_then(|at| {
            let (depth, range) = seen.iter().enumerate().find(|(depth, range)| {
                !range.is_empty() && (lens.column(*depth) - 4.0..lens.column(*depth) + size + 4.0).contains(&at.x)
            })?;
            let column = &laid.layout.columns()[depth];
            let (_, y) = lens.under(at);
            let near = |slot: &usize| (column.y(*slot) - y).abs();
            let best =
                range.clone().filter(|&slot| is_node(column.entry(slot))).min_by(|a, b| near(a).total_cmp(&near(b)))?;
            (near(&best) <= layout::ROW).then(|| column.id(best))
        });
        self.light(inspection, under);
        if let Some(id) = under {
            let response = ui.interact(lens.rect, ui.scope_id().with("dots"), Sense::CLICK);
            if response.clicked() {
                inspection.click(id);
            }
            response.on_hover_ui_at_pointer(|ui| {
                ui.label(names::sentence(&laid.tree, id));
            });
        }
        // Line and selection are named: there may be thousands of others.
        let mut named = laid.line.ids.clone();
        let selected = inspection.selected();
        if !named.contains(&selected) {
            named.push(selected);
        }
        for id in named {
            let Some((depth, slot)) = laid.layout.find(&laid.tree.path(id)) else { continue };
            let at = pos2(lens.column(depth) + size / 2.0, lens.y(laid.layout.columns()[depth].y(slot)));
            let rect = Rect::from_center_size(at, vec2(size, size) + vec2(4.0, 4.0));
            if !rect.intersects(lens.rect) {
                continue;
            }
            let response = ui.interact(rect, ui.scope_id().with(("dot", id.0)), Sense::CLICK);
            response.widget_info(|| {
                let sentence = names::sentence(&laid.tree, id);
                WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), id == selected, sentence)
            });
            if response.has_focus() {
                focus_ring(ui, rect);
            }
            if response.clicked() {
                inspection.click(id);
            }
            response.on_hover_text_at_pointer(names::sentence(&laid.tree, id));
        }
    }

    /// Says to all panels which node is under the pointer.
    fn light(&mut self, inspection: &mut Inspection, id: Option<NodeId>) {
        match id {
            Some(id) => (inspection.hovered, self.lit) = (Some(id), true),
            None if self.lit => (inspection.hovered, self.lit) = (None, false),
            None => {}
        }
    }

    fn place(&mut self, ui: &Ui, inspection: &Inspection, scene: &Scene<'_>, depth: usize, slot: usize) -> Placed {
        let Scene { laid, lens, theme, .. } = scene;
        let column = &laid.layout.columns()[depth];
        let (id, entry) = (column.id(slot), column.entry(slot));
        let scale = lens.scale();
        let (left, y) = (lens.column(depth), lens.y(self.height_of(ui, scene, depth, slot)));
        let kind = laid.tree.kind(id);
        // A pill is as strong as its parent.
        let alpha = if matches!(entry, Entry::Struck(_)) { 1.0 } else { alpha_of(inspection, id) };
        let painter = ui.painter();
        let has_text = view::ONE_LINE <= lens.view.scale;
        let card = (has_text && is_node(entry)).then(|| self.cards.of(&laid.tree, &laid.line, id));
        // Boards: unfolded afterstates, and close up every board to move and every afterstate with spawns.
        let side = match entry {
            Entry::Board => Some(layout::side(depth) as f32 * scale).filter(|side| LEAST_BOARD <= *side),
            Entry::Sign if view::CLOSE <= lens.view.scale => {
                let is_board = matches!(kind, NodeKind::Max)
                    || card.as_ref().is_some_and(|card| card.map.is_some() || kind == NodeKind::Leaf);
                is_board.then(|| (layout::ROW as f32 * scale - 6.0).min(SIDE_OF_SIGN))
            }
            _ => None,
        };
        let radius = NODE_RADIUS * scale.min(LARGEST_SIGN);
        let (mark, board) = match side {
            Some(side) => {
                let rect = Rect::from_min_size(pos2(left, y - side / 2.0), vec2(side, side));
                (rect, card.is_some().then_some(rect))
            }
            None => (Rect::from_center_size(pos2(left + radius, y), vec2(2.0 * radius, 2.0 * radius)), None),
        };
        let mut one = Placed {
            depth,
            slot,
            id,
            entry,
            center: mark.center(),
            mark,
            rect: mark,
            kind,
            card,
            value: None,
            note: None,
            out: mark.right() + 4.0,
            board,
            alpha,
        };
        // Neither the label of the next column nor its nodes are written over.
        let next = lens.column(depth + 1);
        let is_afterstate = (depth % 2 == 1) == (laid.tree.subject().start != Start::Spawn);
        let labels = if is_afterstate { SPAWN_ROOM } else { ARROW_ROOM };
        let is_last = depth + 1 == laid.layout.columns().len();
        match entry {
            Entry::Pill => {
                if has_text {
                    let text = pill_text(&laid.tree, inspection, id);
                    let galley = painter.layout_no_wrap(text, theme::small(), theme.text2);
                    let rect = Rect::from_min_size(pos2(left, y - 10.0), vec2(galley.size().x + 20.0, 20.0));
                    one.mark = rect;
                    one.rect = rect;
                    one.value = Some((rect.center() - galley.size() / 2.0, galley));
                }
                return one;
            }
            Entry::Struck(mv) => {
                if has_text {
                    let width = next - mark.right() - BESIDE;
                    let value = elided(painter, "not searched", theme::body(), theme.text2, width);
                    let note = elided(painter, struck_text(inspection, mv), theme::small(), theme.text3, width);
                    self.beside(&mut one, value, Some(note), scene);
                }
                return one;
            }
            Entry::Sign | Entry::Board => {}
        }
        let Some(card) = one.card.clone() else { return one };
        let frame = scene.open.get(&id);
        let (value_text, note_text) = match frame {
            Some(frame) => {
                let (value, note) = frame_text(frame);
                (value, note)
            }
            None if inspection.replay.is_some() && alpha <= AHEAD => (String::new(), String::new()),
            None if entry == Entry::Board && depth != 0 => (card.value.clone(), card.board_note(depth)),
            None => (card.value.clone(), card.note.clone()),
        };
        let note_color = if kind == NodeKind::Cut { theme.kind(kind) } else { theme.text3 };
        let font = if card.node.value.is_some() { theme::strong() } else { theme::body() };
        let under = entry == Entry::Board && one.board.is_some();
        if under {
            let width = (next - left - 12.0).max(mark.width());
            let value = elided(painter, &value_text, font, theme.text1, width);
            let top = mark.bottom() + 3.0;
            let room = 40.0 * scale;
            let mut rect = mark;
            if 18.0 <= room || depth == 0 {
                let below = pos2(left, top);
                rect = rect.union(Rect::from_min_size(below, value.size()));
                let line = value.size().y;
                if 32.0 <= room {
                    let note = elided(painter, &note_text, theme::small(), note_color, width);
                    rect = rect.union(Rect::from_min_size(below + vec2(0.0, line - 1.0), note.size()));
                    one.note = Some((below + vec2(0.0, line - 1.0), note));
                }
                one.value = Some((below, value));
            }
            one.rect = rect;
            one.out = mark.right();
            return one;
        }
        // Where nothing goes on to the right only the boxes of other edges are in the way.
        let is_end = !inspection.folding().is_unfolded(&laid.line, id, depth as u32) || laid.tree.kept_below(id) == 0;
        let labels = if is_end { labels - 22.0 } else { labels };
        let width = if is_last { 220.0 } else { next - labels * lens.across().min(1.0) as f32 - mark.right() - BESIDE };
        if 24.0 <= width {
            let value = elided(painter, &value_text, font, theme.text1, width);
            let note = (view::TWO_LINES <= lens.view.scale)
                .then(|| elided(painter, &note_text, theme::small(), note_color, width));
            self.beside(&mut one, value, note, scene);
        }
        one
    }

    /// Puts text to the right of a sign.
    fn beside(&self, one: &mut Placed, value: Arc<Galley>, note: Option<Arc<Galley>>, scene: &Scene<'_>) {
        let left = one.mark.right() + BESIDE;
        let y = one.center.y;
        let note = note.filter(|note| !note.is_empty());
        let high = note.as_ref().map_or(0.0, |note| note.size().y - 2.0);
        let top = y - (value.size().y + high) / 2.0;
        let mut right = left + value.size().x;
        let at = pos2(left, top.round());
        if let Some(note) = note {
            right = right.max(left + note.size().x);
            one.note = Some((pos2(left, (top + value.size().y - 2.0).round()), note));
        }
        one.rect = one.mark.union(Rect::from_min_max(at, pos2(right, y)));
        one.out = right + 6.0;
        one.value = Some((at, value));
        // Edges of one column begin below each other where the text allows it.
        let usual = scene.lens.column(one.depth) + 104.0 * scene.lens.across().min(1.0) as f32;
        one.out = one.out.max(usual);
    }

    fn edges(
        &mut self,
        ui: &Ui,
        inspection: &Inspection,
        scene: &Scene<'_>,
        seen: &[Range<usize>],
        placed: &[Placed],
        first: &[usize],
    ) {
        let Scene { laid, lens, theme, .. } = scene;
        let columns = laid.layout.columns();
        let has_text = view::ONE_LINE <= lens.view.scale;
        let scale = lens.scale().min(1.0);
        let placed_at = |depth: usize, slot: usize| {
            let range = seen.get(depth)?;
            range.contains(&slot).then(|| &placed[first[depth] + slot - range.start])
        };
        let mut chosen_edges = Vec::new();
        let mut labels = Vec::new();
        for depth in 1..columns.len() {
            let (right, left) = (lens.column(depth) + 8.0, lens.column(depth - 1));
            if right < lens.rect.left() || lens.rect.right() < left {
                continue;
            }
            let column = &columns[depth];
            // Those seen, and those whose parent is seen or lies just outside.
            let parents = &seen[depth - 1];
            let (_, top) = lens.under(lens.rect.left_top());
            let (_, bottom) = lens.under(lens.rect.right_bottom());
            let parents = match parents.is_empty() {
                false => parents.clone(),
                true => columns[depth - 1].between(top, bottom),
            };
            let wider = parents.start.saturating_sub(1)..(parents.end + 1).min(columns[depth - 1].len());
            let below = column.below(wider);
            let own = match seen[depth].is_empty() {
                false => seen[depth].clone(),
                true => column.between(top, bottom),
            };
            let range = if below.is_empty() {
                own
            } else if own.is_empty() {
                below
            } else {
                own.start.min(below.start)..own.end.max(below.end)
            };
            for slot in range {
                let parent = column.parent(slot);
                let above = placed_at(depth - 1, parent);
                let from_y = lens.y(self.height_of(ui, scene, depth - 1, parent));
                let to_y = lens.y(self.height_of(ui, scene, depth, slot));
                if from_y.max(to_y) < lens.rect.top() || lens.rect.bottom() < from_y.min(to_y) {
                    continue;
                }
                let (id, entry) = (column.id(slot), column.entry(slot));
                let kind = laid.tree.kind(id);
                let child = placed_at(depth, slot);
                let from_x = above
                    .map_or_else(|| lens.column(depth - 1) + 104.0 * lens.across().min(1.0) as f32, |above| above.out);
                let to_x = child.map_or(lens.column(depth), |child| child.mark.left()) - 2.0;
                let chosen = is_node(entry) && laid.line.contains(id);
                let reach = match (is_node(entry) && has_text, child.and_then(|child| child.card.as_ref())) {
                    (true, Some(card)) => card.node.reach,
                    (true, None) => self.cards.of(&laid.tree, &laid.line, id).node.reach,
                    (false, _) => 0.0,
                };
                let link = match entry {
                    Entry::Pill => None,
                    Entry::Struck(mv) => Some(Link::Slide(mv)),
                    _ => laid.tree.link(id),
                };
                let room = match link {
                    None => 0.0,
                    Some(Link::Slide(_)) => ARROW_ROOM,
                    Some(Link::Spawn(_)) => SPAWN_ROOM,
                };
                let fits = has_text && room - 8.0 < to_x - from_x && child.is_some();
                let dashed = !is_node(entry) || matches!(kind, NodeKind::Cut | NodeKind::Cached);
                let edge = paint::Edge {
                    from: pos2(from_x.min(to_x), from_y),
                    to: pos2(to_x, to_y),
                    reach,
                    chosen,
                    dashed,
                    label: if fits { room } else { 0.0 },
                    scale,
                };
                // A pill is as strong as its parent.
                let alpha = if matches!(entry, Entry::Struck(_)) { 1.0 } else { alpha_of(inspection, id) };
                let painter = faded(ui.painter(), alpha);
                if chosen {
                    chosen_edges.push((painter.clone(), edge));
                } else {
                    paint::paint_edge(&painter, theme, edge);
                }
                if let (true, Some(link)) = (fits, link) {
                    labels.push((painter, pos2(to_x - 8.0, to_y), link, chosen, id));
                }
            }
        }
        for (painter, edge) in chosen_edges {
            paint::paint_edge(&painter, theme, edge);
        }
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(lens.rect));
        for (painter, at, link, chosen, id) in labels {
            let rect = paint::paint_label(&painter, theme, at, &names::link_text(link), chosen);
            if pointer.is_some_and(|at| rect.contains(at)) {
                let response = ui.interact(rect, ui.scope_id().with("label"), Sense::hover());
                response.on_hover_text_at_pointer(label_tip(&laid.tree, link, id));
            }
        }
    }

    /// Gives entries to pointer and screen readers; gives the one under the pointer.
    fn touch(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        scene: &Scene<'_>,
        placed: &[Placed],
    ) -> Option<usize> {
        let Scene { laid, lens, .. } = scene;
        let tree = laid.tree.clone();
        let selected = inspection.selected();
        let parent = tree.parent(selected);
        let all = placed.len() <= MOST_NAMED;
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(lens.rect));
        let mut under = None;
        for (place, one) in placed.iter().enumerate() {
            let rect = one.rect.expand2(vec2(3.0, 2.0));
            if !rect.intersects(lens.rect) {
                continue;
            }
            let is_under = pointer.is_some_and(|at| rect.contains(at));
            let is_near = || {
                let above = tree.parent(one.id);
                laid.line.contains(one.id) || one.id == selected || above == Some(selected) || above == parent
            };
            if !all && !is_under && !is_near() {
                continue;
            }
            let sense = if one.id == selected && is_node(one.entry) { Sense::click() } else { Sense::CLICK };
            let response = ui.interact(rect.intersect(lens.rect), ui.scope_id().with((one.depth, one.slot)), sense);
            let struck = match one.entry {
                Entry::Struck(mv) => struck_text(inspection, mv).to_owned(),
                _ => String::new(),
            };
            let sentence = || match (one.entry, &one.card) {
                (Entry::Pill, _) => one.value.as_ref().map_or("more", |(_, galley)| galley.text()).to_owned(),
                (Entry::Struck(mv), _) => format!("{mv}: not searched, {struck}"),
                (_, Some(card)) => card.sentence.clone(),
                (_, None) => names::sentence(&tree, one.id),
            };
            response.widget_info(|| match one.entry {
                Entry::Pill => WidgetInfo::labeled(Role::Button, ui.is_enabled(), sentence()),
                _ => WidgetInfo::selected(Role::TreeItem, ui.is_enabled(), one.id == selected, sentence()),
            });
            if response.has_focus() {
                focus_ring(ui, rect);
            }
            let spawn = is_under.then(|| self.spawn_under(one, pointer)).flatten();
            if response.hovered() {
                under = Some(place);
            }
            let is_click = response.clicked();
            let is_double = response.double_clicked();
            match one.entry {
                Entry::Pill if is_click => {
                    self.anchor = Some(one.id);
                    inspection.toggle_all_spawns(one.id);
                }
                Entry::Pill | Entry::Struck(_) => {}
                _ if is_double => {
                    self.anchor = Some(one.id);
                    match one.card.as_ref().map(|card| card.node.origin) {
                        Some(crate::search::Origin::Stored { node: Some(stored), .. }) => inspection.click(stored),
                        _ => inspection.set_unfolded(one.id, !inspection.is_unfolded(one.id)),
                    }
                }
                _ if is_click => inspection.click(spawn.map_or(one.id, |(_, outcome)| outcome.node)),
                _ => {}
            }
            let tip = match spawn {
                Some((spawn, outcome)) => {
                    let value = names::value(outcome.value, outcome.bound);
                    let map = one.card.as_ref().and_then(|card| card.map.as_ref());
                    // Bounds have no mean.
                    let mean = map.filter(|map| map.is_exact()).map(|map| map.mean);
                    let off = outcome.value.zip(mean).map(|(value, mean)| names::difference(value - mean));
                    let off = off.map(|off| format!(", {off} against the mean")).unwrap_or_default();
                    let probability = words::small_probability(outcome.probability);
                    format!("{spawn}: probability {probability}, value {value}{off}")
                }
                None => sentence(),
            };
            response.on_hover_ui_at_pointer(|ui| {
                ui.label(tip);
            });
        }
        let lit = under.filter(|&place| is_node(placed[place].entry)).map(|place| {
            let one = &placed[place];
            self.spawn_under(one, pointer).map_or(one.id, |(_, outcome)| outcome.node)
        });
        self.light(inspection, lit);
        under
    }

    /// The spawn whose half of a cell is under the pointer.
    fn spawn_under(&self, one: &Placed, pointer: Option<Pos2>) -> Option<(crate::game::Spawn, crate::search::Outcome)> {
        let (at, space, card) = (pointer?, one.board?, one.card.as_ref()?);
        card.map.as_ref()?;
        let geometry = geometry_of(space, card);
        paint::spawn_at(&geometry, card, at)
    }

    fn node(&self, ui: &Ui, inspection: &Inspection, scene: &Scene<'_>, one: &Placed) {
        let Scene { laid, theme, lens, .. } = scene;
        if !one.rect.expand(16.0).intersects(lens.rect) {
            return;
        }
        let painter = faded(ui.painter(), one.alpha);
        let is_hot = inspection.hovered == Some(one.id);
        match one.entry {
            Entry::Pill => {
                let hot = ui.rect_contains_pointer(one.rect);
                painter.rect_filled(one.rect, one.rect.height() / 2.0, if hot { theme.bg4 } else { theme.bg3 });
            }
            Entry::Struck(_) => paint_node(&painter, theme, NodeKind::Cut, one.center, one.mark.width() / 2.0, None),
            Entry::Sign | Entry::Board => {
                let tint = laid.spans.tint(&laid.tree, one.id, one.depth);
                let is_selected = inspection.selected() == one.id;
                if is_selected {
                    let behind = one.rect.expand2(vec2(6.0, 4.0));
                    painter.rect_filled(behind, theme::RADIUS_M, theme.accent_bg.gamma_multiply(0.55));
                    let stroke = Stroke::new(1.5, theme.accent);
                    painter.rect_stroke(behind, theme::RADIUS_M, stroke, egui::StrokeKind::Inside);
                } else if is_hot {
                    painter.rect_filled(one.rect.expand2(vec2(6.0, 4.0)), theme::RADIUS_M, theme.bg3);
                }
                // Under the sign at the corner of a board.
                let is_match = inspection.filter.is_on() && inspection.filter.shows(one.id);
                match one.board {
                    None if is_match => {
                        let stroke = Stroke::new(1.2, theme.text1);
                        painter.circle_stroke(one.center, one.mark.width() / 2.0 + 3.0, stroke);
                    }
                    Some(_) if is_match => paint::paint_ring(&painter, one.mark, theme.text1, 1.2),
                    _ => {}
                }
                if scene.open.contains_key(&one.id) {
                    paint::paint_ring(&painter, one.mark, theme.warn, 1.5);
                }
                match (&one.board, &one.card) {
                    (Some(space), Some(card)) => self.board(&painter, inspection, scene, one, *space, card),
                    _ => {
                        let fill = match one.kind {
                            NodeKind::Cut | NodeKind::Dead => None,
                            _ if one.depth == 0 => None,
                            _ => Some(theme.diverging(tint)),
                        };
                        paint_node(&painter, theme, one.kind, one.center, one.mark.width() / 2.0, fill);
                    }
                }
            }
        }
        for (at, galley) in one.value.iter().chain(&one.note) {
            painter.galley(*at, galley.clone(), theme.text1);
        }
    }

    /// A node drawn as a board, with its sign at the corner.
    fn board(
        &self,
        painter: &Painter,
        inspection: &Inspection,
        scene: &Scene<'_>,
        one: &Placed,
        space: Rect,
        card: &Card,
    ) {
        let Scene { laid, theme, .. } = scene;
        if card.map.is_some() {
            let marks = paint::Marks {
                line: laid.line.after(one.id),
                played: laid.line.played_at(&laid.tree, one.id),
                hot: inspection.hovered,
            };
            paint::paint_spawns(painter, theme, space, card, marks, |id| {
                laid.spans.tint(&laid.tree, id, one.depth + 1)
            });
        } else {
            let newest = match card.node.link {
                Some(Link::Spawn(spawn)) => Some(spawn),
                _ => None,
            };
            paint::paint_board(painter, theme, space, &card.node.board, newest);
        }
        if laid.line.contains(one.id) && one.depth != 0 {
            painter.rect_stroke(space.expand(1.0), 3, Stroke::new(1.0, theme.accent), egui::StrokeKind::Outside);
        }
        let radius = (NODE_RADIUS * scene.lens.scale().min(1.0)).max(8.0).min(space.width() * 0.2);
        let at = space.left_top() + vec2(-2.0, -3.0);
        let fill =
            if one.depth == 0 { theme.bg2 } else { theme.diverging(laid.spans.tint(&laid.tree, one.id, one.depth)) };
        painter.circle_filled(at, radius + 2.5, theme.bg1);
        paint_node(painter, theme, one.kind, at, radius, Some(fill));
    }

    /// Small arrows to fold and unfold.
    fn chevrons(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        scene: &Scene<'_>,
        placed: &[Placed],
        hovered: Option<usize>,
    ) {
        let Scene { laid, lens, theme, .. } = scene;
        if lens.view.scale < view::TWO_LINES {
            return;
        }
        for (place, one) in placed.iter().enumerate() {
            if !is_node(one.entry) || laid.tree.kept_below(one.id) == 0 || one.depth == 0 {
                continue;
            }
            let unfolded = inspection.is_unfolded(one.id);
            let near = hovered == Some(place) || inspection.selected() == one.id;
            let middle = match one.board {
                Some(space) if one.entry == Entry::Board => pos2(space.right() - 6.0, space.bottom() + 12.0),
                _ => pos2(one.rect.right() + 12.0, one.center.y),
            };
            let rect = Rect::from_center_size(middle, vec2(theme::HIT, theme::HIT));
            let over = ui.rect_contains_pointer(rect);
            if (unfolded && !near && !over)
                || !rect.intersects(lens.rect)
                || MOST_NAMED < placed.len() && !near && !over
            {
                continue;
            }
            let response = ui.interact(rect, ui.scope_id().with(("fold", one.depth, one.slot)), Sense::CLICK);
            let what = if unfolded { "Fold" } else { "Unfold" };
            response.widget_info(|| {
                let link = laid.tree.link(one.id).map(names::link_words).unwrap_or_default();
                WidgetInfo::labeled(Role::Button, ui.is_enabled(), format!("{what} the {} {link}", one.kind.words()))
            });
            let color = if response.hovered() { theme.text1 } else { theme.text3 };
            if response.hovered() {
                ui.painter().rect_filled(rect.shrink(4.0), theme::RADIUS_S, theme.bg4);
            }
            let picture = if unfolded { Icon::ChevronLeft } else { Icon::ChevronRight };
            picture.paint(&faded(ui.painter(), one.alpha), rect.center(), color);
            if response.clicked() {
                self.anchor = Some(one.id);
                inspection.set_unfolded(one.id, !unfolded);
            }
        }
    }

    fn corner(&mut self, ui: &mut Ui, scene: &Scene<'_>) {
        let Scene { laid, lens, .. } = scene;
        let space = lens.rect;
        let has_map = 480.0 <= space.width() && 260.0 <= space.height();
        let map = Rect::from_min_size(space.right_bottom() - minimap::SIZE - vec2(4.0, 4.0), minimap::SIZE);
        if has_map
            && let Some((x, y)) = minimap::ui(ui, map, &laid.layout, lens)
            && let Some(view) = &mut self.view
        {
            (view.x, view.y) = (x, y);
            (self.flight, self.untouched) = (None, None);
            ui.ctx().request_repaint();
        }
        let right = if has_map { map.left() } else { space.right() };
        legend::ui(ui, space.with_max_x(right - 12.0));
    }
}

/// Boards of single nodes do not grow beyond this.
const SIDE_OF_SIGN: f32 = 120.0;

impl Shift {
    /// How far everything is from where it was; what is new comes from where its parent was.
    fn between(before: &Layout, after: &Layout, anchor: NodeId, since: f64) -> Self {
        let mut was: HashMap<u32, f64> = HashMap::new();
        for column in before.columns() {
            for slot in (0..column.len()).filter(|&slot| is_node(column.entry(slot))) {
                was.insert(column.id(slot).0, column.y(slot));
            }
        }
        // Seen from what stays in its place.
        let now = after.columns().iter().find_map(|column| {
            let slot = (0..column.len()).find(|&slot| column.id(slot) == anchor && is_node(column.entry(slot)))?;
            Some(column.y(slot))
        });
        let held = was.get(&anchor.0).zip(now).map_or(0.0, |(was, now)| now - was);
        let mut columns: Vec<Vec<f32>> = Vec::new();
        for (depth, column) in after.columns().iter().enumerate() {
            let offsets = (0..column.len()).map(|slot| {
                let y = column.y(slot);
                let known = was.get(&column.id(slot).0).filter(|_| is_node(column.entry(slot)));
                match known {
                    Some(was) => (was + held - y) as f32,
                    None if depth == 0 => 0.0,
                    None => {
                        let parent = column.parent(slot);
                        let above = after.columns()[depth - 1].y(parent) + f64::from(columns[depth - 1][parent]);
                        (above - y) as f32
                    }
                }
            });
            let offsets: Vec<f32> = offsets.collect();
            columns.push(offsets);
        }
        Self { since, columns }
    }
}

/// A small tree in a large panel is drawn larger, but not close up.
const LARGEST_FIRST: f64 = 1.4;

/// Height of the legend with the space around.
const LEGEND: f64 = 40.0;

/// Root and line at a scale at which text is read.
fn first_view(layout: &Layout, rect: Rect) -> View {
    let (width, height) = (f64::from(rect.width()), f64::from(rect.height()));
    let fit = ((height - LEGEND) / (layout.bottom() - layout.top() + 24.0)).min((width - 24.0) / layout.width());
    let scale = fit.clamp(0.85, LARGEST_FIRST);
    let across = Lens::new(View { x: 0.0, y: 0.0, scale }, rect, layout).across();
    // The root stands at the left edge.
    let x = (width / 2.0 - view::MARGIN - 10.0) / across;
    let all = layout.bottom() - layout.top();
    let y = if all * scale + 24.0 + LEGEND <= height {
        (layout.top() + layout.bottom()) / 2.0 + LEGEND / 2.0 / scale
    } else if all * scale + 24.0 <= height {
        (layout.top() + layout.bottom()) / 2.0
    } else {
        // The line as high as the tree above it is large.
        let share = (-layout.top() / all).clamp(0.25, 0.6);
        height / scale * (0.5 - share)
    };
    View { x, y, scale }
}

/// The view moved just so far that a node is in sight; `None` if it is, or is not drawn.
fn in_sight(id: NodeId, laid: &Laid, lens: &Lens) -> Option<View> {
    let (depth, slot) = laid.layout.find(&laid.tree.path(id))?;
    let column = &laid.layout.columns()[depth];
    let (up, down) = layout::height(column.entry(slot), depth);
    let y = column.y(slot);
    let (top, bottom) = (lens.y(y - up) - 4.0, lens.y(y + down) + 4.0);
    let (left, right) = (lens.column(depth) - 60.0, lens.column(depth) + 150.0);
    // Boards higher than the canvas are brought to its middle.
    let by = |low: f32, high: f32, least: f32, most: f32| {
        if most - least < high - low {
            (low + high - least - most) / 2.0
        } else if low < least {
            low - least
        } else if most < high {
            high - most
        } else {
            0.0
        }
    };
    let rect = lens.rect;
    let (x, y) = (by(left, right, rect.left(), rect.right()), by(top, bottom, rect.top(), rect.bottom()));
    let view = lens.view;
    (x != 0.0 || y != 0.0).then(|| View {
        x: view.x + f64::from(x) / lens.across(),
        y: view.y + f64::from(y) / view.scale,
        scale: view.scale,
    })
}

/// How strongly a node is drawn: filter and replay.
fn alpha_of(inspection: &Inspection, id: NodeId) -> f32 {
    let ahead = inspection.replay.as_ref().is_some_and(|replay| replay.state_of(id) == Seen::Ahead);
    if ahead {
        AHEAD
    } else if inspection.filter.shows(id) {
        1.0
    } else {
        UNMATCHED
    }
}

fn faded(painter: &Painter, alpha: f32) -> Painter {
    let mut painter = painter.clone();
    if alpha < 1.0 {
        painter.multiply_opacity(alpha);
    }
    painter
}

fn geometry_of(space: Rect, card: &Card) -> BoardGeometry {
    let size = card.node.board.size();
    BoardGeometry::fit_mini(space, size.rows(), size.cols())
}

/// What the label of an edge leaves out: the whole words, and of a spawn how probable it is.
fn label_tip(tree: &Tree, link: Link, id: NodeId) -> String {
    let text = match link {
        Link::Slide(mv) => mv.to_string(),
        Link::Spawn(spawn) => format!("A {} at {}", spawn.rank, spawn.cell),
    };
    let node = tree.node(id);
    let probability = match node.probability.filter(|_| matches!(link, Link::Spawn(_))) {
        Some(probability) => format!(", probability {}", words::small_probability(probability)),
        None => String::new(),
    };
    format!("{text}{probability}, reach {}", names::reach(node.reach))
}

/// Why a move at the root was not asked for.
fn struck_text(inspection: &Inspection, mv: Move) -> &str {
    let struck = inspection.shown().and_then(|shown| shown.struck.iter().find(|(fell, _)| *fell == mv));
    struck.map_or("struck out by an earlier row", |(_, why)| why)
}

/// What a pill stands for.
fn pill_text(tree: &Tree, inspection: &Inspection, parent: NodeId) -> String {
    let shown = inspection.folding().drawn(tree, inspection.line(), parent);
    let hidden = (tree.children(parent).count() as u64).saturating_sub(shown.shown.len() as u64);
    let missing = tree.left_out_at(parent);
    let more = |number: u64, one: &str| match number {
        1 => format!("1 more {one}"),
        _ => format!("{} more {one}s", words::count(number)),
    };
    match (hidden, missing) {
        (0, 0) => "fewer spawns".to_owned(),
        (0, missing) => format!("{} not recorded", words::plural(missing, "node")),
        (hidden, 0) => more(hidden, "spawn"),
        (hidden, missing) => format!("{}, {} not recorded", more(hidden, "spawn"), words::count(missing)),
    }
}

/// Value and line of an open node: what the search knows there by now.
fn frame_text(frame: &Frame) -> (String, String) {
    let value =
        frame.running.map_or_else(|| "open".to_owned(), |value| format!("{} so far", words::decimals(value, 1)));
    let note = match (frame.alpha, frame.beta) {
        (None, None) if 0.0 < frame.weight => format!("{} % of the spawns", words::decimals(frame.weight * 100.0, 0)),
        (None, None) => format!("{} done", words::count(u64::from(frame.children_done))),
        (alpha, beta) => {
            let bound = |value: Option<f64>| value.map_or_else(|| "?".to_owned(), |value| words::decimals(value, 1));
            format!("α {}, β {}", bound(alpha), bound(beta))
        }
    };
    (value, note)
}

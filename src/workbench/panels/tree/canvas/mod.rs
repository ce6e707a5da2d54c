//! The search as nodes and edges, from a cloud of millions to the boards of a few.
//!
//! The scale ([`camera`]) determines what is drawn: density, dots ([`far`]), signs, signs with text, boards. Only
//! visible nodes are processed, and the text of a node ([`card`]) is cached while it is visible. A worker computes
//! layouts with more than a few thousand entries; meanwhile the previous one stays.

pub(super) mod camera;
mod card;
mod close;
mod corner;
pub(super) mod far;
mod hit;
pub(super) mod layout;
mod paint;
mod placed;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use egui::{Align2, Painter, Rect, Sense, Stroke, Ui, pos2, vec2};

use self::camera::{Camera, Lens, in_sight};
use self::card::Cards;
use self::layout::{Entry, Layout, NoLayout, Shift, column_x};
use self::paint::Seen;
use self::placed::Placed;
use super::frame::{Clarity, Moved, ViewFrame, clarity};
use super::{key, words as names};
use crate::search::{Frame, NodeId, Replay, Tree};
use crate::task::{CancelToken, Job, Latest, TaskInfo};
use crate::workbench::command::{Commands, TreeCommand};
use crate::workbench::panels::tree::{Inspection, Line, Spans};
use crate::workbench::paper::on_paper;
use crate::workbench::state::figure::Crop;
use crate::workbench::theme::{self, Motion, Theme};

/// Layouts up to this size are computed within the frame, in some milliseconds.
const AT_ONCE: usize = 5_000;
const HEADER: f32 = 20.0;
/// The minimum scale in print.
const READ: f64 = 0.6;
const UNMATCHED: f32 = 0.25;
const AHEAD: f32 = 0.18;
/// Width of the label of an edge at the natural scale: with an arrow, with a spawn.
const ARROW_ROOM: f32 = 40.0;
const SPAWN_ROOM: f32 = 106.0;

/// Width of the text next to a node's sign.
const TEXT: f32 = 60.0;

#[derive(Debug)]
struct Laid {
    tree: Arc<Tree>,
    line: Line,
    spans: Spans,
    layout: Layout,
    key: Key,
    /// The decision; searches added to the tree do not change it.
    base: u64,
}

impl Laid {
    /// Whether both show the same search, possibly with another one added.
    fn is_of_same_search(&self, other: &Self) -> bool {
        (self.base, self.key.1) == (other.base, other.key.1)
    }
}

/// Decision, row and version of the view state.
type Key = (u64, usize, u64);

#[derive(Debug, Default)]
pub(super) struct Canvas {
    laid: Option<Rc<Laid>>,
    laying: Latest<Key, Result<Laid, NoLayout>>,
    pub(super) frame: ViewFrame,
    camera: Camera,
    shift: Option<Rc<Shift>>,
    cards: Cards,
    /// The node last folded by hand, which stays in place.
    anchor: Option<NodeId>,
    /// Another search was added to the tree: show the selection again.
    changed: bool,
    /// Where the card of a cut was drawn.
    close_up: Option<Rect>,
    /// The positions of the matches, for the view from far away.
    matched: far::Matched,
}

/// The number of plies that fit into a width at a readable scale.
pub(super) fn plies_that_are_read(width: f32) -> usize {
    let room = f64::from(width) - 2.0 * camera::MARGIN;
    (1..)
        .take_while(|plies| layout::width_of(plies + 1) * READ <= room)
        .last()
        .unwrap_or(1)
}

struct Scene<'a> {
    laid: &'a Laid,
    lens: Lens,
    theme: &'static Theme,
    open: HashMap<NodeId, Frame>,
    /// The start positions of the entries, and the remaining share of the way.
    shift: Option<(Rc<Shift>, f32)>,
}

impl Canvas {
    /// The canvas for print, at this width.
    pub(super) fn for_figure(&self, crop: Crop, width: f32) -> Self {
        let mut figure = Self {
            laid: self.laid.clone(),
            ..Self::default()
        };
        match crop {
            Crop::Whole => figure.frame.request(TreeCommand::Fit),
            Crop::Screen => figure.camera = self.camera.for_width(width),
            Crop::Selection => figure.frame.request(TreeCommand::FitSelection),
        }
        figure
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
        let (space, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let rect = space.with_min_y((space.top() + HEADER).min(space.bottom()));
        self.lay_out(ui, inspection, rect);
        let Some(laid) = self.laid.clone() else {
            let text = "Laying out the tree";
            ui.painter().text(
                space.center(),
                Align2::CENTER_CENTER,
                text,
                theme::body(),
                Theme::of(ui).text3,
            );
            return;
        };

        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("canvas").max_rect(rect));
        inside.set_clip_rect(rect.intersect(ui.clip_rect()));
        if inspection.is_old {
            inside.multiply_opacity(theme::STALE_ALPHA);
        }
        let lens = self.look(&mut inside, inspection, &laid, rect);
        let replay = inspection.replay.as_ref().map(Replay::now);
        let open = replay
            .map(|now| {
                now.open
                    .into_iter()
                    .map(|frame| (frame.id, frame))
                    .collect()
            })
            .unwrap_or_default();
        let shift = self
            .shift
            .take()
            .and_then(|shift| shift.left(ui).map(|left| (shift, left)));
        if let Some((shift, _)) = &shift {
            self.shift = Some(shift.clone());
            ui.ctx().request_repaint();
        }

        let scene = Scene {
            laid: &laid,
            lens,
            theme: Theme::of(ui),
            open,
            shift,
        };
        self.cards.turn();
        let placed = self.draw(&mut inside, inspection, commands, &scene);
        scene.header(ui, space);
        // In print the legend is below.
        if !inspection.hides_minimap && !on_paper(ui) {
            self.corner(&mut inside, &scene, &placed, inspection.selected());
        }

        // On top of the corner, because its buttons must react.
        if !on_paper(ui) {
            self.close_up(&mut inside, inspection, commands, &scene, &placed);
        }
    }

    fn lay_out(&mut self, ui: &Ui, inspection: &Inspection, rect: Rect) {
        let Some(shown) = inspection.shown() else {
            return;
        };
        let (key, base) = ((shown.number, shown.row, inspection.version), shown.base);
        if self.laid.as_ref().is_some_and(|laid| laid.key == key) {
            self.laying.cancel();
            return;
        }

        if !self.laying.is_asked(&key) {
            let (tree, folding, line) = (
                shown.tree.clone(),
                inspection.folding().clone(),
                inspection.line().clone(),
            );
            let spans = inspection.spans.clone();
            // In print there is no time limit.
            let most = if on_paper(ui) { usize::MAX } else { AT_ONCE };
            let now = Layout::new(&tree, &folding, &line, &spans, most, &CancelToken::new());
            match now {
                Ok(layout) => {
                    return self.take(
                        ui,
                        Laid {
                            tree,
                            line,
                            spans,
                            layout,
                            key,
                            base,
                        },
                        inspection,
                        rect,
                    );
                }
                Err(_) => {
                    let work = move |job: &Job<_>| {
                        let layout =
                            Layout::new(&tree, &folding, &line, &spans, usize::MAX, job.token())?;
                        Ok(Laid {
                            tree,
                            line,
                            spans,
                            layout,
                            key,
                            base,
                        })
                    };
                    self.laying
                        .ask(key, &inspection.tasks, TaskInfo::silent(), work);
                }
            }
        }

        if self.laying.poll()
            && let Some(Ok(laid)) = self.laying.take()
        {
            self.take(ui, laid, inspection, rect);
        }
    }

    /// Takes a new layout and keeps the anchor in place on screen.
    fn take(&mut self, ui: &Ui, laid: Laid, inspection: &Inspection, rect: Rect) {
        self.cards.clear();
        self.shift = None;
        let clicked = self.anchor.take();
        let anchor = clicked.unwrap_or(inspection.selected());
        if let Some(before) = self.laid.take() {
            let is_small = before.layout.entries().max(laid.layout.entries()) <= AT_ONCE;
            if Arc::ptr_eq(&before.tree, &laid.tree) && Motion::of(ui).row != 0.0 && is_small {
                let now = ui.input(|input| input.time);
                self.shift = Some(Rc::new(Shift::between(
                    &before.layout,
                    &laid.layout,
                    anchor,
                    now,
                )));
            }
            self.changed =
                !Arc::ptr_eq(&before.tree, &laid.tree) && before.is_of_same_search(&laid);
            // After folding, the user looks at the folded node; otherwise show the selection.
            self.changed |= clicked.is_none() && before.is_of_same_search(&laid);
            self.camera.relaid(ui, &before, &laid, anchor, rect);
        }

        self.laid = Some(Rc::new(laid));
    }

    /// Moves the camera as pointer, wheel, commands and selection request.
    fn look(&mut self, ui: &mut Ui, inspection: &mut Inspection, laid: &Laid, rect: Rect) -> Lens {
        let ground = ui.interact(
            rect,
            ui.scope_id().with("ground"),
            Sense::CLICK | Sense::DRAG,
        );
        let lens = self.camera.turn(ui, &laid.layout, rect, &ground);
        let selected = inspection.selected();
        for command in self.frame.take_requests() {
            let to = self.camera.requested(command, selected, laid, &lens);
            self.camera.fly(ui, to);
        }
        let has_moved = self.frame.follow((laid.base, 0), selected) == Moved::Selection;
        if (std::mem::take(&mut self.changed) || has_moved)
            && let Some(to) = in_sight(selected, laid, &lens)
        {
            self.camera.fly(ui, to);
        }
        let lens = self.camera.settle(ui, &laid.layout, lens);
        // A double click on the background fits the whole tree.
        if ground.double_clicked() && !self.frame.lit {
            self.camera.fly(ui, lens.whole(&laid.layout));
        }

        lens
    }

    /// Draws the tree and returns the entries that can be pressed; none from far away or in an outdated tree.
    fn draw(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        commands: &mut Commands,
        scene: &Scene<'_>,
    ) -> Vec<Placed> {
        let Scene { laid, lens, .. } = scene;
        let is_current = inspection
            .shown()
            .is_some_and(|shown| Arc::ptr_eq(&shown.tree, &laid.tree));
        scene.grid(ui);
        if lens.view.scale < camera::DOTS {
            self.density(ui, inspection, scene);
            return Vec::new();
        }
        let shift = scene.shift.as_ref().map_or(0.0, |(shift, _)| shift.most);
        let margin = (layout::FIRST_SIDE + 48.0).max(f64::from(shift));
        let (top, bottom) = scene.heights();
        // The visible part of each column; empty for invisible columns.
        let seen_of = |(depth, column): (usize, &layout::Column)| {
            let (left, right) = (lens.column(depth), lens.column(depth + 1));
            let is_seen = left < lens.rect.right() && lens.rect.left() < right;
            if is_seen {
                column.between(top - margin, bottom + margin)
            } else {
                0..0
            }
        };

        let ranges: Vec<Range<usize>> = laid
            .layout
            .columns
            .iter()
            .enumerate()
            .map(seen_of)
            .collect();
        if lens.view.scale < camera::SIGNS {
            scene.dots(ui, inspection, &ranges);
            if is_current {
                self.touch_dots(ui, inspection, scene, &ranges);
            }
            return Vec::new();
        }

        let (mut placed, mut first) = (Vec::new(), Vec::new());
        for (depth, range) in ranges.iter().enumerate() {
            first.push(placed.len());
            placed.extend(
                range
                    .clone()
                    .map(|slot| scene.place(ui, inspection, &mut self.cards, (depth, slot))),
            );
        }
        let seen = Seen {
            ranges: &ranges,
            placed: &placed,
            first: &first,
        };
        scene.edges(ui, inspection, &mut self.cards, &seen);
        let hovered = if is_current {
            self.touch(ui, inspection, commands, scene, &placed)
        } else {
            None
        };
        for one in &placed {
            scene.node(ui, inspection, one);
        }
        if !is_current {
            return Vec::new();
        }

        self.chevrons(ui, inspection, scene, &placed, hovered);
        placed
    }

    /// Minimap and legend at the bottom, or at the top if they would cover the selected node.
    fn corner(&mut self, ui: &mut Ui, scene: &Scene<'_>, placed: &[Placed], selected: NodeId) {
        let Scene { laid, lens, .. } = scene;
        let layout = &laid.layout;
        let [top, bottom] = [layout.top, layout.bottom].map(|y| lens.y(y));
        let last = lens.column(layout.columns.len().saturating_sub(1)) + TEXT;
        let (across, down) = (lens.rect.x_range(), lens.rect.y_range());
        let is_whole = [lens.column(0), last].iter().all(|&x| across.contains(x));
        let is_whole = is_whole && [top, bottom].iter().all(|&y| down.contains(y));
        let has_map = !is_whole && 480.0 <= lens.rect.width() && 260.0 <= lens.rect.height();
        let height = if has_map {
            corner::MINIMAP.y
        } else {
            key::HEIGHT
        } + 8.0;
        let bottom = lens.rect.with_min_y(lens.rect.bottom() - height);
        let below = corner::covered(bottom, has_map);
        let is_there = scene
            .rect_of(selected)
            .is_some_and(|rect| below.iter().any(|part| part.intersects(rect)));
        let space = if is_there {
            lens.rect.with_max_y(lens.rect.top() + height)
        } else {
            bottom
        };
        let map = Rect::from_min_size(
            space.right_bottom() - corner::MINIMAP - vec2(4.0, 4.0),
            corner::MINIMAP,
        );
        if has_map && let Some(middle) = corner::minimap_ui(ui, map, &laid.layout, lens) {
            self.camera.center(ui, middle);
        }

        let right = if has_map { map.left() } else { space.right() };
        let is_free = |rect: Rect| !placed.iter().any(|one| one.rect.intersects(rect));
        corner::legend_ui(ui, space.with_max_x(right - 12.0), is_free);
    }
}

impl Scene<'_> {
    /// The screen rectangle of a node with its text, if drawn.
    fn rect_of(&self, id: NodeId) -> Option<Rect> {
        let (depth, slot) = self.laid.layout.find(&self.laid.tree.path(id))?;
        let (y, entry) = (
            self.laid.layout.y(depth, slot),
            self.laid.layout.at(depth, slot).entry,
        );
        let (up, down) = entry.height(depth);
        let left = self.lens.column(depth) - 8.0;
        Some(Rect::from_min_max(
            pos2(left, self.lens.y(y - up)),
            pos2(left + 130.0, self.lens.y(y + down)),
        ))
    }

    /// The current height of an entry on screen, including its animation.
    fn y(&self, depth: usize, slot: usize) -> f32 {
        let y = self.laid.layout.y(depth, slot);
        let by = self
            .shift
            .as_ref()
            .map_or(0.0, |(shift, left)| shift.of(depth, slot) * left);
        self.lens.y(y + f64::from(by))
    }

    /// The visible range of layout heights.
    fn heights(&self) -> (f64, f64) {
        let rect = self.lens.rect;
        (
            self.lens.under(rect.left_top()).1,
            self.lens.under(rect.right_bottom()).1,
        )
    }

    /// The opacity of an entry. A pill has that of its parent.
    fn alpha(&self, inspection: &Inspection, id: NodeId, entry: Entry) -> f32 {
        match clarity(inspection, id) {
            _ if matches!(entry, Entry::Struck(_)) => 1.0,
            Clarity::Clear => 1.0,
            Clarity::Unmatched => UNMATCHED,
            Clarity::Ahead => AHEAD,
        }
    }

    fn grid(&self, ui: &Ui) {
        let Scene {
            laid, lens, theme, ..
        } = self;
        for depth in 1..laid.layout.columns.len() {
            let gap = ((column_x(depth) - column_x(depth - 1)) * lens.across()) as f32;
            let x = (lens.column(depth) - (gap * 0.1).min(16.0)).round() + 0.5;
            if (lens.rect.left()..lens.rect.right()).contains(&x) {
                ui.painter().vline(
                    x,
                    lens.rect.y_range(),
                    Stroke::new(1.0, theme.sep.gamma_multiply(0.6)),
                );
            }
        }
    }

    fn header(&self, ui: &Ui, space: Rect) {
        let Scene {
            laid, lens, theme, ..
        } = self;
        let strip = space.with_max_y(lens.rect.top());
        let painter = ui.painter().with_clip_rect(strip.intersect(ui.clip_rect()));
        for depth in 0..laid.layout.columns.len() {
            let room = ((column_x(depth + 1) - column_x(depth)) * lens.across()) as f32 - 8.0;
            let is_turn = laid.tree.is_turn(depth as u32);
            let name = names::ply_name(depth, is_turn);
            // Spawns have a scale per parent.
            let is_slide = depth != 0 && !is_turn;
            let with_span =
                is_slide.then(|| format!("{name}   {}", corner::range(laid.spans.at(depth))));
            let texts = with_span.into_iter().chain([name, depth.to_string()]);
            let mut galleys =
                texts.map(|text| painter.layout_no_wrap(text, theme::small(), theme.text3));
            if let Some(galley) = galleys.find(|galley| galley.size().x <= room) {
                painter.galley(
                    pos2(lens.column(depth), strip.top() + 2.0).round(),
                    galley,
                    theme.text3,
                );
            }
        }

        ui.painter().hline(
            strip.x_range(),
            strip.bottom() - 0.5,
            Stroke::new(1.0, theme.sep),
        );
    }
}

fn faded(painter: &Painter, alpha: f32) -> Painter {
    let mut painter = painter.clone();
    if alpha < 1.0 {
        painter.multiply_opacity(alpha);
    }
    painter
}

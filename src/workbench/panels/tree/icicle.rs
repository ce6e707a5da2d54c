//! The tree as an icicle: depth goes down, and the width of a bar is its probability.
//!
//! ```text
//! width(root) = 1
//! width(spawn) = width(node above) · its probability
//! width(slide) = width(node above) / number of slides there
//! ```
//!
//! Slides have no probability: they share the width equally. Positions are f64 from 0 to 1, because a zoom of 10⁷
//! exceeds the precision of f32. Bars narrower than a pixel are merged, and descendants of bars narrower than half a
//! pixel are skipped: the cost of a frame depends on the width of the screen, not on the size of the tree.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, FontId, Galley, Mesh, Painter, Rect, Response, Role, Sense,
    Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::frame::{
    Clarity, Moved, Navigation, ViewFrame, clarity, describe_node, node_widget, pointer_in,
    replay_state,
};
use super::words::{link_text, ply_name, sentence_by_now, value_by_now};
use super::{OfNode, by_worth};
use crate::search::{Cut, NodeId, NodeKind, Seen, Tree};
use crate::words;
use crate::workbench::command::{Commands, TreeCommand, node_commands};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Line, elided, paint_hatch, paint_node};
use crate::workbench::panels::Inspection;
use crate::workbench::paper::on_paper;
use crate::workbench::state::figure::Crop;
use crate::workbench::theme::{self, Theme};

const NAMES: f32 = 84.0;
const CAPTION: f32 = 18.0;
/// Height of a level, as the panel allows.
const LEVEL: std::ops::RangeInclusive<f32> = 26.0..=60.0;
/// In pixels. Descendants of a narrower bar are skipped.
const LEAST: f64 = 0.5;
/// Minimum width of a bar with its own accessible node.
const NAMED: f32 = 14.0;
/// Minimum widths of a bar with its sign, and with link and value after it.
const SIGNED: f32 = 22.0;
const WORDED: f32 = 52.0;
const MOST_ZOOM: f64 = 1e7;
/// Zoom factor of a key, and change of the logarithm of the zoom per point of the wheel.
const STEP: f64 = 1.5;
const WHEEL: f64 = 0.005;
/// The opacity of colors faded by a filter or the replay.
const DIM: f32 = 0.22;

#[derive(Debug)]
pub(super) struct Icicle {
    /// The left end of the visible part, from 0 to 1.
    left: f64,
    /// The width of the whole in screens.
    zoom: f64,
    /// Vertical scroll in points, if the levels are higher than the panel.
    top: f32,
    /// The shown decision and row.
    base: (u64, usize),
    pub(super) frame: ViewFrame,
}

impl Default for Icicle {
    fn default() -> Self {
        Self {
            left: 0.0,
            zoom: 1.0,
            top: 0.0,
            base: (0, 0),
            frame: ViewFrame::default(),
        }
    }
}

impl Icicle {
    /// The icicle for print.
    pub(super) fn for_figure(&self, crop: Crop, tree: (u64, usize), selected: NodeId) -> Self {
        let mut frame = ViewFrame::following(tree, selected);
        match crop {
            Crop::Whole => {}
            Crop::Screen => return Self { frame, ..*self },
            Crop::Selection => frame.request(TreeCommand::FitSelection),
        }
        Self {
            frame,
            ..Self::default()
        }
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
        let Some(shown) = inspection.shown() else {
            return;
        };
        let (tree, key, base) = (
            shown.tree.clone(),
            (shown.number, shown.row),
            (shown.base, shown.row),
        );
        let theme = Theme::of(ui);
        let space = ui.available_rect_before_wrap();
        let levels = levels(&tree);
        let meaning = on_paper(ui).then(|| meaning_on_paper(ui, space.width() - NAMES));
        let below = meaning
            .as_ref()
            .map_or(CAPTION, |text| text.size().y + theme::SPACE_S);
        let rect = Rect::from_min_max(space.min + vec2(NAMES, 0.0), space.max - vec2(0.0, below));
        let height = (rect.height() / levels as f32)
            .floor()
            .clamp(*LEVEL.start(), *LEVEL.end());
        let mut plot = Plot {
            tree: tree.clone(),
            rect,
            levels,
            height,
            scrolled: 0.0,
        };
        let area = ui.interact(
            space,
            ui.scope_id().with("icicle"),
            Sense::CLICK | Sense::DRAG,
        );
        area.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Icicle of the search"));
        self.follow(key, base, inspection.selected(), &tree, plot.rect);
        self.navigate(ui, &area, &plot);
        plot.scrolled = self.top;

        if inspection.is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }
        let mut walk = IcicleWalk {
            tree: &tree,
            inspection,
            view: self,
            width: f64::from(plot.rect.width()),
            chooses_cells: chooses_cells(&tree),
            bars: Vec::new(),
            gaps: Vec::new(),
            strips: (0..=plot.levels).map(|_| Vec::new()).collect(),
        };
        walk.visit(tree.root(), 0, 0.0, 1.0);
        let IcicleWalk {
            bars, gaps, strips, ..
        } = walk;

        let painter = ui
            .painter()
            .with_clip_rect(plot.rect.intersect(ui.clip_rect()));
        let mut mesh = Mesh::default();
        let strips = (0..)
            .zip(strips)
            .flat_map(|(depth, strips)| strips.into_iter().map(move |strip| (depth, strip)));
        for (depth, strip) in strips {
            let rect = plot.row(
                depth,
                strip.from as f32,
                strip.to.max(strip.from + 1.0) as f32,
            );
            let color = theme.diverging((strip.tint / strip.width) as f32);
            let clear = (strip.clear / strip.width) as f32;
            mesh.add_colored_rect(rect, faded(theme, color, egui::lerp(DIM..=1.0, clear)));
        }
        let is_wide = |bar: &IcicleBar| SIGNED <= bar.to - bar.from;
        for bar in bars.iter().filter(|bar| !is_wide(bar)) {
            let gap = if bar.to - bar.from < 4.0 { 0.0 } else { 1.0 };
            let rect = plot.row(bar.depth, bar.from, (bar.to - gap).max(bar.from + 1.0));
            mesh.add_colored_rect(rect, bar.color(theme, inspection));
        }
        painter.add(Shape::mesh(mesh));
        for &(depth, from, to, left_out) in &gaps {
            let rect = plot.row(depth, from, to).intersect(plot.rect);
            paint_hatch(&painter, rect, theme.sep);
            if 40.0 <= rect.width() {
                let text = format!("{} not recorded", words::count(left_out));
                Line::new(&painter, rect, 4.0).start(&text, theme::small(), theme.text3);
            }
        }
        for bar in bars.iter().filter(|bar| is_wide(bar)) {
            plot.paint_bar(&painter, theme, inspection, bar);
        }
        // The line and the selection are above all fills.
        for bar in bars.iter().filter(|bar| inspection.line().contains(bar.id)) {
            let rect = plot.bar(bar).shrink2(vec2(1.0, 0.5));
            painter.rect_stroke(rect, 2, Stroke::new(1.6, theme.accent), StrokeKind::Inside);
        }
        let selected = inspection.selected();
        match bars.iter().find(|bar| bar.id == selected) {
            Some(bar) => {
                let rect = plot.bar(bar);
                painter.rect_stroke(rect, 2, Stroke::new(3.0, theme.accent), StrokeKind::Inside);
                painter.rect_stroke(
                    rect.shrink(3.0),
                    1,
                    Stroke::new(1.0, theme.bg1),
                    StrokeKind::Inside,
                );
            }
            // Too narrow for a ring: a needle marks it.
            None => {
                let (from, _) = extent(&tree, selected);
                let x = ((from - self.left) * self.zoom * f64::from(plot.rect.width())) as f32;
                let rect = plot.row(tree.depth(selected), x, x + 2.0);
                painter.rect_filled(rect, 0, theme.accent);
            }
        }
        self.interact(ui, inspection, commands, &area, &bars, &plot);
        plot.names(ui, theme, space);
        match meaning {
            Some(text) => ui.painter().galley(
                pos2(rect.left(), space.bottom() - text.size().y),
                text,
                theme.text2,
            ),
            None => caption(ui, theme, space, self.zoom),
        }
    }

    /// Shows a selection made elsewhere, and runs the queued commands.
    fn follow(
        &mut self,
        key: (u64, usize),
        base: (u64, usize),
        selected: NodeId,
        tree: &Tree,
        plot: Rect,
    ) {
        let moved = self.frame.follow(key, selected);
        if moved == Moved::Tree && std::mem::replace(&mut self.base, base) != base {
            (self.left, self.zoom) = (0.0, 1.0);
        }
        if moved != Moved::Nothing {
            self.show(tree, selected, plot, false);
        }

        for command in self.frame.take_requests() {
            let (from, to) = extent(tree, selected);
            let middle = (((from + to) / 2.0 - self.left) * self.zoom).clamp(0.0, 1.0);
            match command {
                TreeCommand::Fit => (self.left, self.zoom, self.top) = (0.0, 1.0, 0.0),
                TreeCommand::FitSelection => self.zoom_to(from, to),
                TreeCommand::Reveal => self.show(tree, selected, plot, true),
                TreeCommand::ZoomIn => self.zoom_by(STEP, middle),
                TreeCommand::ZoomOut => self.zoom_by(1.0 / STEP, middle),
                _ => {}
            }
        }
    }

    /// Scrolls to a node and zooms until it is visible; with `center`, centers it.
    fn show(&mut self, tree: &Tree, id: NodeId, plot: Rect, center: bool) {
        let (from, to) = extent(tree, id);
        let seen = 1.0 / self.zoom;
        let width = (to - from) * self.zoom * f64::from(plot.width());
        if width < 8.0 {
            let zoom = (64.0 / (f64::from(plot.width()) * (to - from)).max(f64::MIN_POSITIVE))
                .min(MOST_ZOOM);
            self.zoom = zoom.max(self.zoom);
            self.left = (from + to) / 2.0 - 0.5 / self.zoom;
        } else if center || to <= self.left || self.left + seen <= from {
            self.left = (from + to) / 2.0 - 0.5 * seen;
        }
        self.clamp();
    }

    fn zoom_to(&mut self, from: f64, to: f64) {
        self.zoom = (0.96 / (to - from).max(f64::MIN_POSITIVE)).clamp(1.0, MOST_ZOOM);
        self.left = (from + to) / 2.0 - 0.5 / self.zoom;
        self.clamp();
    }

    /// Zooms around a screen position, 0 at the left and 1 at the right.
    fn zoom_by(&mut self, factor: f64, place: f64) {
        let fixed = self.left + place / self.zoom;
        self.zoom = (self.zoom * factor).clamp(1.0, MOST_ZOOM);
        self.left = fixed - place / self.zoom;
        self.clamp();
    }

    fn clamp(&mut self) {
        self.left = self.left.clamp(0.0, 1.0 - 1.0 / self.zoom);
    }

    fn navigate(&mut self, ui: &Ui, area: &Response, plot: &Plot) {
        let width = f64::from(plot.rect.width().max(1.0));
        let navigation = Navigation::of(ui, area, plot.rect, WHEEL);
        let by = navigation.drag.unwrap_or_default();
        self.left -= f64::from(by.x + navigation.sideways) / width / self.zoom;
        self.top -= by.y;
        if let Some((at, factor)) = navigation.zoom {
            self.zoom_by(factor, f64::from(at.x - plot.rect.left()) / width);
        }
        self.top = self.top.clamp(
            0.0,
            (plot.height * plot.levels as f32 - plot.rect.height()).max(0.0),
        );
        self.clamp();
    }

    fn interact(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        commands: &mut Commands,
        area: &Response,
        bars: &[IcicleBar],
        plot: &Plot,
    ) {
        let tree = &plot.tree;
        let (mut hovered, mut clicked, mut zoomed) = (None, None, None);
        let seen = plot.rect.intersect(ui.clip_rect());
        let selected = inspection.selected();
        for bar in bars
            .iter()
            .filter(|bar| NAMED <= bar.to - bar.from || bar.id == selected)
        {
            let rect = plot.bar(bar).intersect(seen);
            if !rect.is_positive() {
                continue;
            }

            let name = || {
                let folded = if bar.is_folded { ", folded" } else { "" };
                format!(
                    "{}{folded}",
                    sentence_by_now(inspection.known(bar.id), tree, &tree.node(bar.id))
                )
            };
            let (key, is_selected) = (area.id.with(bar.id), bar.id == inspection.selected());
            let response = node_widget(
                ui,
                rect,
                rect.shrink(2.0),
                key,
                inspection.panel(),
                is_selected,
                name,
            );
            describe_node(ui, key, inspection, tree, bar.id);
            if response.double_clicked() {
                zoomed = Some(bar.id);
            } else if response.clicked() {
                clicked = Some(bar.id);
            }
            if commands.context_menu(&response, &node_commands(), OfNode(inspection, bar.id)) {
                clicked = Some(bar.id);
            }
            if response.hovered() || response.context_menu_opened() {
                hovered = Some(bar.id);
            }

            if bar.is_folded && WORDED <= rect.width() {
                let mark = Rect::from_min_size(
                    rect.right_top() - vec2(20.0, 0.0),
                    vec2(20.0, rect.height()),
                );
                let mark = ui.interact(mark, area.id.with((bar.id, "fold")), Sense::CLICK);
                mark.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Unfold"));
                if mark.on_hover_text("Show the nodes below").clicked() {
                    inspection.set_unfolded(bar.id, true);
                }
            }
        }

        // Narrow bars share the area's response.
        if let Some(pos) =
            pointer_in(ui, seen).filter(|_| hovered.is_none() && area.contains_pointer())
        {
            hovered = bars
                .iter()
                .find(|bar| plot.bar(bar).contains(pos))
                .map(|bar| bar.id);
            if area.double_clicked() {
                zoomed = hovered;
            } else if area.clicked() {
                clicked = hovered;
            }
        }

        self.frame.light(inspection, hovered);
        if let Some(id) = hovered.filter(|_| !egui::Popup::is_any_open(ui.ctx())) {
            let layer = ui.layer_id();
            egui::Tooltip::always_open(
                ui.ctx().clone(),
                layer,
                area.id.with("tip"),
                egui::PopupAnchor::Pointer,
            )
            .gap(12.0)
            .show(|ui| ui.label(sentence_by_now(inspection.known(id), tree, &tree.node(id))));
        }

        if let Some(id) = zoomed.or(clicked) {
            self.frame.click(inspection, id);
        }

        if let Some(id) = zoomed {
            let (from, to) = extent(tree, id);
            self.zoom_to(from, to);
        }
    }
}

struct Plot {
    tree: Arc<Tree>,
    rect: Rect,
    levels: u32,
    /// Height of a level.
    height: f32,
    scrolled: f32,
}

impl Plot {
    /// A part of a level, in points from the left.
    fn row(&self, depth: u32, from: f32, to: f32) -> Rect {
        let top = self.rect.top() + depth as f32 * self.height - self.scrolled;
        let left = self.rect.left();
        Rect::from_min_max(
            pos2(left + from, top),
            pos2(left + to, top + self.height - 1.0),
        )
    }

    fn bar(&self, bar: &IcicleBar) -> Rect {
        self.row(bar.depth, bar.from, bar.to)
    }

    /// A bar that is wide enough for its sign.
    fn paint_bar(
        &self,
        painter: &Painter,
        theme: &Theme,
        inspection: &Inspection,
        bar: &IcicleBar,
    ) {
        let Self {
            tree, rect: plot, ..
        } = self;
        let rect = self.bar(bar);
        let fill = bar.color(theme, inspection);
        let kind = tree.kind(bar.id);
        let rect = rect.with_max_x(rect.right() - 1.0);
        painter.rect_filled(rect, CornerRadius::same(2), fill);
        if kind == NodeKind::Cut {
            paint_hatch(
                painter,
                rect.intersect(*plot),
                faded(theme, theme.kind(kind), 0.5 * bar.alpha),
            );
        }
        if kind == NodeKind::Cached {
            let r = rect.shrink(1.0);
            let around = [
                r.left_top(),
                r.right_top(),
                r.right_bottom(),
                r.left_bottom(),
                r.left_top(),
            ];
            painter.extend(Shape::dashed_line(
                &around,
                Stroke::new(1.2, theme.kind(kind)),
                4.0,
                3.0,
            ));
        }
        if replay_state(inspection, bar.id) == Some(Seen::Open) {
            painter.rect_filled(
                Rect::from_min_size(rect.min, vec2(rect.width(), 3.0)),
                0,
                theme.warn,
            );
        }

        // The text stays on screen while its bar extends beyond it.
        let seen = rect.intersect(*plot);
        if seen.width() < SIGNED {
            return;
        }

        let middle = seen.center().y;
        let ink = if bar.alpha < 1.0 {
            theme.text3
        } else {
            theme::text_on(fill)
        };
        let sign = pos2(seen.left() + 12.0, middle);
        paint_node(painter, theme, kind, sign, 8.0, None);
        if seen.width() < WORDED {
            return;
        }

        let link = tree.link(bar.id).map(link_text).unwrap_or_default();
        let worth = value_by_now(inspection.known(bar.id), tree, bar.id);
        // The value is more important than the arrow.
        let strong = || theme::strong_of(12.0);
        let width_of = |text: &str| {
            painter
                .layout_no_wrap(text.to_owned(), strong(), ink)
                .size()
                .x
        };
        let worth_width = width_of(&worth);
        let has_arrow =
            bar.is_folded && !(seen.width() - 46.0..seen.width() - 28.0).contains(&worth_width);
        let room = seen.width() - 28.0 - if has_arrow { 18.0 } else { 0.0 };
        let both = format!("{link}  {worth}");
        let both = both.trim_start();
        let put = |dy: f32, text: &str, font: FontId| {
            let galley = elided(painter, text, font, ink, room);
            painter.galley(
                pos2(seen.left() + 24.0, middle + dy - galley.size().y / 2.0),
                galley,
                ink,
            );
        };
        // A truncated number would read as another number.
        let has_worth = worth_width <= room;
        if 36.0 <= rect.height() && !link.is_empty() {
            put(if has_worth { -8.0 } else { 0.0 }, &link, theme::small());
            if has_worth {
                put(8.0, &worth, strong());
            }
        } else if width_of(both) <= room {
            put(0.0, both, strong());
        } else if !link.is_empty() || has_worth {
            put(0.0, if link.is_empty() { &worth } else { &link }, strong());
        }

        if has_arrow {
            Icon::ChevronDown.paint(painter, pos2(seen.right() - 12.0, middle), ink);
        }
    }

    fn names(&self, ui: &Ui, theme: &Theme, space: Rect) {
        let painter = ui.painter().with_clip_rect(
            space
                .with_max_y(self.rect.bottom())
                .intersect(ui.clip_rect()),
        );
        for depth in 0..self.levels {
            let y = self.rect.top() + (depth as f32 + 0.5) * self.height - self.scrolled;
            let text = ply_name(depth as usize, self.tree.is_turn(depth));
            painter.text(
                pos2(space.left(), y),
                Align2::LEFT_CENTER,
                text,
                theme::small(),
                theme.text3,
            );
        }
    }
}

/// A visible node, in points from the left of the plot.
struct IcicleBar {
    id: NodeId,
    depth: u32,
    from: f32,
    to: f32,
    is_folded: bool,
    alpha: f32,
}

impl IcicleBar {
    fn color(&self, theme: &Theme, inspection: &Inspection) -> Color32 {
        faded(theme, theme.diverging(inspection.tint(self.id)), self.alpha)
    }
}

/// Nodes too narrow to be drawn separately.
struct Strip {
    from: f64,
    to: f64,
    width: f64,
    tint: f64,
    clear: f64,
}

struct IcicleWalk<'a> {
    tree: &'a Tree,
    inspection: &'a Inspection,
    view: &'a Icicle,
    /// Width of the plot in points.
    width: f64,
    chooses_cells: bool,
    bars: Vec<IcicleBar>,
    /// Level, left, right and number of missing nodes.
    gaps: Vec<(u32, f32, f32, u64)>,
    /// By level, left to right.
    strips: Vec<Vec<Strip>>,
}

impl IcicleWalk<'_> {
    /// Maps 0 to 1 to points from the left of the plot.
    fn x(&self, at: f64) -> f64 {
        (at - self.view.left) * (self.view.zoom * self.width)
    }

    fn visit(&mut self, id: NodeId, depth: u32, from: f64, to: f64) {
        let (a, b) = (self.x(from), self.x(to));
        if b < 0.0 || self.width < a {
            return;
        }

        let (tree, inspection) = (self.tree, self.inspection);
        let alpha = if clarity(inspection, id) == Clarity::Clear {
            1.0
        } else {
            DIM
        };
        if b - a < 1.0 {
            self.condense(id, depth, a, b, alpha);
            if b - a < LEAST {
                return;
            }
        }

        let has_below = tree.kept_below(id) != 0;
        let is_unfolded = inspection
            .folding()
            .is_unfolded(inspection.line(), id, depth);
        if 1.0 <= b - a {
            // Outside the screen a bar need not be exact.
            let (from, to) = (a.max(-8.0) as f32, b.min(self.width + 8.0) as f32);
            self.bars.push(IcicleBar {
                id,
                depth,
                from,
                to,
                is_folded: has_below && !is_unfolded,
                alpha,
            });
        }
        if !has_below || !is_unfolded {
            return;
        }

        let mut at = from;
        shares(
            tree,
            id,
            tree.is_turn(depth),
            self.chooses_cells,
            |child, share| {
                let end = at + (to - from) * share;
                self.visit(child, depth + 1, at, end);
                at = end;
            },
        );
        let (a, b) = (self.x(at), self.x(to));
        if 3.0 < b - a && 0.0 < b && a < self.width {
            let left_out = tree.left_out_at(id);
            if 0 < left_out {
                self.gaps.push((
                    depth + 1,
                    a.max(0.0) as f32,
                    b.min(self.width) as f32,
                    left_out,
                ));
            }
        }
    }

    /// Merges a node narrower than a pixel into its neighbors.
    fn condense(&mut self, id: NodeId, depth: u32, from: f64, to: f64, alpha: f32) {
        let width = to - from;
        let clear = if alpha == 1.0 { width } else { 0.0 };
        let tint = f64::from(self.inspection.tint(id)) * width;
        let Some(strips) = self.strips.get_mut(depth as usize) else {
            return;
        };
        match strips.last_mut() {
            Some(strip) if from < strip.to + LEAST && strip.to - strip.from < 1.0 => {
                strip.to = to;
                strip.width += width;
                strip.tint += tint;
                strip.clear += clear;
            }
            _ => strips.push(Strip {
                from,
                to,
                width: width.max(f64::MIN_POSITIVE),
                tint,
                clear,
            }),
        }
    }
}

fn faded(theme: &Theme, color: Color32, alpha: f32) -> Color32 {
    theme.bg1.lerp_to_gamma(color, alpha)
}

/// Whether the search ignores some cells, so that spawns may have no width.
fn chooses_cells(tree: &Tree) -> bool {
    tree.subject()
        .definition
        .lookahead
        .cuts()
        .iter()
        .any(|cut| matches!(cut, Cut::ImportantCells { .. }))
}

/// The share of the width of `id` for each recorded child. Spawns left out by the cap leave a gap.
fn shares(
    tree: &Tree,
    id: NodeId,
    is_turn: bool,
    chooses_cells: bool,
    mut each: impl FnMut(NodeId, f64),
) {
    if is_turn {
        // In the order of the tree view.
        let mut slides: Vec<NodeId> = tree.children(id).collect();
        by_worth(tree, id, &mut slides);
        slides
            .iter()
            .for_each(|&child| each(child, 1.0 / slides.len() as f64));
        return;
    }

    let of_rank = |child: NodeId| {
        tree.spawn(child)
            .map_or(0.0, |spawn| tree.chance(spawn.rank))
    };
    let is_stub = |child: NodeId| {
        chooses_cells && tree.kind(child) == NodeKind::Cut && tree.value(child).is_none()
    };
    let exact = |child: NodeId| tree.node(child).probability.unwrap_or(0.0);
    // The probability of one child gives those of all, because cells are equally probable.
    let ranked = tree
        .children(id)
        .find(|&child| !is_stub(child) && 0.0 < of_rank(child));
    let by_cell = ranked.map_or(0.0, |child| exact(child) / of_rank(child));
    for child in tree.children(id) {
        each(
            child,
            if is_stub(child) {
                exact(child)
            } else {
                by_cell * of_rank(child)
            },
        );
    }
}

/// The horizontal range of a node, from 0 to 1.
fn extent(tree: &Tree, id: NodeId) -> (f64, f64) {
    let chooses_cells = chooses_cells(tree);
    let path = tree.path(id);
    path.windows(2)
        .zip(0..)
        .fold((0.0, 1.0), |(from, to), (two, depth)| {
            let (mut at, mut found) = (from, (from, from));
            shares(
                tree,
                two[0],
                tree.is_turn(depth),
                chooses_cells,
                |child, share| {
                    let end = at + (to - from) * share;
                    if child == two[1] {
                        found = (at, end);
                    }
                    at = end;
                },
            );
            found
        })
}

/// Number of plies including the root; added searches may be deeper than the search.
fn levels(tree: &Tree) -> u32 {
    (tree.subject().plies + 1).max(tree.plies().len() as u32)
}

/// The minimum height in print: all levels, and the caption in as many lines as a narrow page needs.
pub(super) fn least_height(tree: &Tree) -> f32 {
    LEVEL.start() * levels(tree) as f32 + 4.0 * CAPTION
}

const MEANING: &str = "Width: probability of the spawns; the moves of a node share its width equally. \
    Color: value compared with the node above";

fn meaning_on_paper(ui: &Ui, width: f32) -> Arc<Galley> {
    ui.painter().layout(
        MEANING.to_owned(),
        theme::small(),
        Theme::of(ui).text2,
        width,
    )
}

fn caption(ui: &Ui, theme: &Theme, space: Rect, zoom: f64) {
    let painter = ui.painter().with_clip_rect(space.intersect(ui.clip_rect()));
    let zoom = format!("zoom {}", words::decimals(zoom, usize::from(zoom < 9.95)));
    let at = space.right_bottom() - vec2(0.0, CAPTION / 2.0);
    let right = painter.text(at, Align2::RIGHT_CENTER, zoom, theme::small(), theme.text3);
    let text = format!("{MEANING}. Scroll to zoom, drag to move, double-click to fill the width");
    let line = Rect::from_x_y_ranges(
        space.left() + NAMES..=right.left() - theme::SPACE_M,
        right.y_range(),
    );
    Line::new(&painter, line, 0.0).start(&text, theme::small(), theme.text3);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::strategy::{Decision, Player, Strategy};

    fn tree_of(lookahead: &str) -> std::sync::Arc<Tree> {
        let text = format!("(criteria: [(evaluator: Score, lookahead: {lookahead})])");
        let strategy: Strategy = text.parse().expect("a strategy");
        let board = "512,0,4,0/128,128,2,0/16,32,16,0/8,8,2,2"
            .parse()
            .expect("a board");
        let order = crate::search::SearchOptions::default();
        let decision = Decision::of(
            &Player::new(&strategy, Rules::default()),
            (&board, 0),
            |_| 0,
            order,
            20_000,
        );
        decision.searches[0]
            .as_ref()
            .and_then(|searched| searched.tree.clone())
            .expect("a record")
    }

    #[test]
    fn widths_are_reach_probabilities_divided_among_slides() {
        for lookahead in [
            "Expectimax(plies: Fixed(4))",
            "Minimax(plies: Fixed(4), cuts: [AlphaBeta])",
            "Expectimax(plies: Fixed(4), spawn: MinCell, cuts: [ImportantCells(k: 2, weights: \"a\")])",
        ] {
            let tree = tree_of(lookahead);
            for node in tree.nodes().step_by(7) {
                let (from, to) = extent(&tree, node.id);
                let path = tree.path(node.id);
                let choices: f64 = path
                    .iter()
                    .step_by(2)
                    .filter(|&&id| id != node.id)
                    .map(|&id| tree.children(id).count() as f64)
                    .product();
                let expected = node.reach / choices;
                assert!(
                    ((to - from) - expected).abs() < 1e-12,
                    "{lookahead} node {:?}: {} and {expected}",
                    node.id,
                    to - from
                );
                if let Some(parent) = node.parent {
                    let (left, right) = extent(&tree, parent);
                    assert!(
                        left - 1e-12 <= from && to <= right + 1e-12,
                        "a bar lies below its parent"
                    );
                }
            }
        }
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer_and_stays_within() {
        let mut view = Icicle::default();
        for (place, factor) in [(0.3, 10.0), (0.9, 1000.0), (0.1, 0.01), (0.5, 1e9)] {
            let before = view.left + place / view.zoom;
            view.zoom_by(factor, place);
            let after = view.left + place / view.zoom;
            assert!(
                (before - after).abs() < 1e-9 || view.zoom == 1.0,
                "{before} {after}"
            );
            assert!((1.0..=MOST_ZOOM).contains(&view.zoom));
            assert!(0.0 <= view.left && view.left + 1.0 / view.zoom <= 1.0 + 1e-12);
        }
        view.zoom_by(1e-9, 0.5);
        assert_eq!((view.left, view.zoom), (0.0, 1.0));
    }
}

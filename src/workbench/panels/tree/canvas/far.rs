//! A layout from far away: a bar for each column, whose width shows the density and whose color the mean tint of each
//! row; at a larger scale, each node as a colored dot.

use std::ops::Range;

use egui::{Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::layout::{self, Column, Slot, column_x};
use super::{Canvas, Key, Laid, Scene, UNMATCHED};
use crate::search::{NodeId, NodeKind};
use crate::words;
use crate::workbench::kit::NODE_RADIUS;
use crate::workbench::panels::tree::frame::{self, node_widget};
use crate::workbench::panels::tree::{Inspection, words as names};
use crate::workbench::theme::{self, Theme};

/// Length of a match's tick before its column.
const TICK: f32 = 5.0;

/// The heights of the nodes that match a filter, one list per column; `key` is what they were computed for: the layout,
/// the filter and the number of matches.
#[derive(Debug, Default)]
pub(super) struct Matched {
    key: Option<(Key, String, usize)>,
    columns: Vec<Vec<f64>>,
}

impl Canvas {
    pub(super) fn density(&mut self, ui: &Ui, inspection: &Inspection, scene: &Scene<'_>) {
        let Scene {
            laid, lens, theme, ..
        } = scene;
        let (_, top) = lens.under(lens.rect.left_top());
        let step = 1.0 / lens.view.scale;
        let space_of = |depth: usize| {
            let gap = ((column_x(depth + 1) - column_x(depth)) * lens.across()) as f32;
            let left = lens.column(depth);
            let is_seen = left < lens.rect.right() && lens.rect.left() < left + gap;
            is_seen.then(|| {
                Rect::from_min_size(
                    pos2(left, lens.rect.top()),
                    vec2(gap * 0.6, lens.rect.height()),
                )
            })
        };
        let mut painter = ui.painter().clone();
        if inspection.filter.is_on() {
            painter.multiply_opacity(UNMATCHED);
        }

        for (depth, column) in laid.layout.columns.iter().enumerate() {
            if let Some(space) = space_of(depth) {
                paint_column(&painter, theme, column, space, top, step);
            }
        }

        if inspection.filter.is_on() {
            self.find_matches(inspection, laid);
            for (depth, heights) in self.matched.columns.iter().enumerate() {
                if let Some(space) = space_of(depth) {
                    paint_matches(ui.painter(), theme, heights, space, top, step);
                }
            }
        }

        let at =
            |(depth, slot): (usize, usize)| lens.at(column_x(depth), laid.layout.y(depth, slot));
        for (_, to) in scene.root_moves() {
            ui.painter()
                .line_segment([at((0, 0)), to], Stroke::new(1.0, theme.line));
        }
        let ends = 1..=laid.line.ids.len();
        let line: Vec<Pos2> = ends
            .map_while(|end| laid.layout.find(&laid.line.ids[..end]).map(at))
            .collect();
        ui.painter()
            .add(Shape::line(line, Stroke::new(1.5, theme.accent)));
        if let Some(place) = laid.layout.find(&laid.tree.path(inspection.selected())) {
            ui.painter().circle(
                at(place),
                4.0,
                theme.accent_bg,
                Stroke::new(2.0, theme.accent),
            );
        }
        scene.name_root_moves(ui);
    }

    /// Finds the heights of the matches, if they or the layout changed.
    fn find_matches(&mut self, inspection: &Inspection, laid: &Laid) {
        let filter = &inspection.filter;
        let key = Some((laid.key, filter.text.clone(), filter.matches().len()));
        if self.matched.key == key {
            return;
        }

        let mut is_match = vec![false; laid.tree.kept()];
        for id in filter.matches() {
            if let Some(flag) = is_match.get_mut(id.0 as usize) {
                *flag = true;
            }
        }
        let matches =
            |slot: &Slot| slot.is_node() && is_match.get(slot.id.0 as usize) == Some(&true);
        let heights = |column: &Column| {
            column
                .slots
                .iter()
                .zip(&column.ys)
                .filter(|(slot, _)| matches(slot))
                .map(|(_, &y)| y)
                .collect()
        };
        self.matched = Matched {
            key,
            columns: laid.layout.columns.iter().map(heights).collect(),
        };
    }

    /// Hover and click for nodes without widgets.
    pub(super) fn touch_dots(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        scene: &Scene<'_>,
        seen: &[Range<usize>],
    ) {
        let Scene { laid, lens, .. } = scene;
        let size = scene.dot();
        let under = frame::pointer_in(ui, lens.rect).and_then(|at| {
            let (depth, range) = seen.iter().enumerate().find(|(depth, range)| {
                !range.is_empty()
                    && (lens.column(*depth) - 4.0..lens.column(*depth) + size + 4.0).contains(&at.x)
            })?;
            let column = &laid.layout.columns[depth];
            let (_, y) = lens.under(at);
            let near = |place: usize| (column.ys[place] - y).abs();
            let nodes = range.clone().filter(|&place| column.slots[place].is_node());
            let best = nodes.min_by(|&a, &b| near(a).total_cmp(&near(b)))?;
            (near(best) <= layout::ROW).then_some(column.slots[best].id)
        });
        self.frame.light(inspection, under);
        if let Some(id) = under {
            let response = ui.interact(lens.rect, ui.scope_id().with("dots"), Sense::CLICK);
            if response.clicked() {
                inspection.click(id);
            }
            response.on_hover_ui_at_pointer(|ui| {
                ui.label(names::sentence_by_now(
                    inspection.known(id),
                    &laid.tree,
                    &laid.tree.node(id),
                ));
            });
        }

        // Only line and selection have accessible nodes: there may be thousands of others.
        let selected = inspection.selected();
        let mut named = laid.line.ids.clone();
        if !named.contains(&selected) {
            named.push(selected);
        }

        for id in named {
            let Some((depth, slot)) = laid.layout.find(&laid.tree.path(id)) else {
                continue;
            };
            let at = pos2(
                lens.column(depth) + size / 2.0,
                lens.y(laid.layout.y(depth, slot)),
            );
            let rect = Rect::from_center_size(at, vec2(size, size) + vec2(4.0, 4.0));
            if !rect.intersects(lens.rect) {
                continue;
            }
            let knowledge = inspection.known(id);
            let sentence = || names::sentence_by_now(knowledge, &laid.tree, &laid.tree.node(id));
            let key = ui.scope_id().with(("dot", id.0));
            let response = node_widget(
                ui,
                rect,
                rect,
                key,
                inspection.panel(),
                id == selected,
                sentence,
            );
            frame::describe_node(ui, key, inspection, &laid.tree, id);
            if response.clicked() {
                inspection.click(id);
            }
            response.on_hover_text_at_pointer(sentence());
        }
    }
}

impl Scene<'_> {
    /// The drawn nodes of the root moves, and their positions.
    fn root_moves(&self) -> impl Iterator<Item = (NodeId, Pos2)> {
        let column = self.laid.layout.columns.get(1).into_iter();
        let entries = column
            .flat_map(|column| column.slots.iter().zip(&column.ys))
            .filter(|(slot, _)| slot.is_node());
        entries.map(|(slot, &y)| (slot.id, self.lens.at(column_x(1), y)))
    }

    /// Move and value next to each root move, if nodes have no text.
    fn name_root_moves(&self, ui: &Ui) {
        let Scene {
            laid, lens, theme, ..
        } = self;
        let mut last = f32::NEG_INFINITY;
        for (id, at) in self.root_moves() {
            let Some(link) = laid.tree.link(id) else {
                continue;
            };
            if !lens.rect.contains(at) || at.y - last < 15.0 {
                continue;
            }
            last = at.y;

            let value = laid.tree.value(id).map(words::value).unwrap_or_default();
            let text = format!("{} {value}", names::link_text(link));
            let galley = ui
                .painter()
                .layout_no_wrap(text, theme::small(), theme.text1);
            let size = galley.size();

            // Above the node if the text would cover the root.
            let has_room = lens.column(0) + self.dot() < at.x - size.x - 9.0;
            let above = vec2(-size.x / 2.0, -size.y - self.dot() / 2.0 - 1.0);
            let corner = if has_room {
                vec2(-size.x - 6.0, -size.y / 2.0)
            } else {
                above
            };
            let rect = Rect::from_min_size(at + corner, size);
            let rect = rect.translate(vec2((lens.rect.left() + 4.0 - rect.left()).max(0.0), 0.0));

            ui.painter().rect_filled(
                rect.expand2(vec2(3.0, 0.0)),
                theme::RADIUS_S,
                theme.bg1.gamma_multiply(0.85),
            );
            ui.painter().galley(rect.min, galley, theme.text1);
        }
    }

    fn dot(&self) -> f32 {
        (NODE_RADIUS * 2.0 * self.lens.scale()).max(2.0)
    }

    pub(super) fn dots(&self, ui: &Ui, inspection: &Inspection, seen: &[Range<usize>]) {
        let Scene {
            laid, lens, theme, ..
        } = self;
        let tree = &laid.tree;
        let painter = ui.painter();
        let size = self.dot();
        for (depth, range) in seen.iter().enumerate() {
            let column = &laid.layout.columns[depth];
            let left = lens.column(depth);
            for place in range.clone() {
                let (slot, y) = (column.slots[place], self.y(depth, place));
                let id = slot.id;
                let chosen = laid.line.contains(id) && slot.is_node();
                if depth != 0 {
                    let from = pos2(
                        lens.column(depth - 1) + size,
                        self.y(depth - 1, slot.parent()),
                    );
                    let color = if chosen {
                        theme.accent
                    } else {
                        theme.line.gamma_multiply(0.45)
                    };
                    painter.line_segment(
                        [from, pos2(left, y)],
                        Stroke::new(if chosen { 2.0 } else { 0.7 }, color),
                    );
                }
                let rect = Rect::from_min_size(pos2(left, y - size / 2.0), vec2(size, size));
                if !slot.is_node() {
                    painter.rect_filled(rect.shrink(size * 0.3), 0, theme.bg4);
                    continue;
                }
                let fill = match tree.kind(id) {
                    kind @ (NodeKind::Cut | NodeKind::Dead | NodeKind::Cached) => theme.kind(kind),
                    _ => theme.diverging(laid.spans.tint(tree, id, depth)),
                };
                painter.rect_filled(
                    rect,
                    size * 0.2,
                    fill.gamma_multiply(self.alpha(inspection, id, slot.entry)),
                );
                if id == inspection.selected() {
                    painter.circle_stroke(
                        rect.center(),
                        size * 0.5 + 3.0,
                        Stroke::new(2.0, theme.accent),
                    );
                }
            }
        }

        self.name_root_moves(ui);
    }
}

/// Draws a column into `space`. Its top is at layout height `top`; a row is one point high and covers `step` of the
/// layout. Costs two searches in a sorted list per row.
pub(crate) fn paint_column(
    painter: &Painter,
    theme: &Theme,
    column: &Column,
    space: Rect,
    top: f64,
    step: f64,
) {
    let rows = space.height().ceil() as usize;
    let all = column.between(top, top + step * rows as f64);
    // The maximum density of a row, so that the widths of rows compare.
    let dense = (step / layout::ROW).max(1.0);
    let (mut start, mut count) = (all.start, 1);

    // Merges equal adjacent rows into one rectangle.
    let mut pending: Option<(Rect, egui::Color32)> = None;
    for number in 0..rows {
        if all.end <= start {
            break;
        }

        let end_of_row = top + step * (number + 1) as f64;
        // Adjacent rows have similar counts.
        count = count_above(&column.ys[start..all.end], end_of_row, count);
        let end = start + count;
        if end == start {
            continue;
        }
        let share = (((end - start) as f64 / dense).min(1.0)).sqrt() as f32;
        let y = space.top() + number as f32;
        let width = (space.width() * share.max(0.25)).round().max(2.0);
        let color = theme.diverging(column.mean_tint(start..end));
        let rect = Rect::from_min_max(pos2(space.left(), y), pos2(space.left() + width, y + 1.0));
        if let Some((before, same)) = &mut pending
            && (*same, before.bottom(), before.width()) == (color, rect.top(), width)
        {
            *before = before.union(rect);
        } else if let Some((before, color)) = pending.replace((rect, color)) {
            painter.rect_filled(before, 0, color);
        }

        start = end;
    }

    if let Some((rect, color)) = pending {
        painter.rect_filled(rect, 0, color);
    }
}

/// Marks the rows with matches: a tick before the column and a line across it. `heights` are sorted from the top down;
/// the other arguments are as in [`paint_column`].
pub(crate) fn paint_matches(
    painter: &Painter,
    theme: &Theme,
    heights: &[f64],
    space: Rect,
    top: f64,
    step: f64,
) {
    let rows = space.height().ceil() as usize;
    let mut next = heights.partition_point(|&y| y < top);
    while let Some(&y) = heights.get(next) {
        let row = ((y - top) / step).floor() as usize;
        if rows <= row {
            return;
        }
        let at = space.top() + row as f32;
        let across = space.left() - TICK..=space.left() + space.width() * 0.25;
        let tick = Rect::from_x_y_ranges(across, at..=at + 1.0);
        painter.rect_filled(tick, 0, theme.text1);
        let end = top + step * (row + 1) as f64;
        next += heights[next..].partition_point(|&y| y < end).max(1);
    }
}

/// The number of entries above a height; starts the search at `guess` and doubles it.
fn count_above(ys: &[f64], height: f64, guess: usize) -> usize {
    let mut end = guess.max(1);
    while end < ys.len() && ys[end - 1] < height {
        end *= 2;
    }
    let start = if guess < end { end / 2 } else { 0 };
    start + ys[start..end.min(ys.len())].partition_point(|&y| y < height)
}

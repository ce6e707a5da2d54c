//! Painting of nodes, edges and labels.

use std::ops::Range;

use egui::{
    Align2, Color32, Painter, Pos2, Rect, Sense, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::card::{Card, Cards};
use super::layout::Entry;
use super::placed::Placed;
use super::{ARROW_ROOM, SPAWN_ROOM, Scene, camera, faded};
use crate::game::Spawn;
use crate::search::{Link, NodeId, NodeKind, SpawnMap, Tree};
use crate::words;
use crate::workbench::kit::{BoardGeometry, NODE_RADIUS, paint_mini, paint_node};
use crate::workbench::panels::tree::{Inspection, frame, words as names};
use crate::workbench::theme::{self, Theme};

/// Extra width of an edge that is taken with certainty.
const WIDEST: f32 = 3.2;
/// Width of an edge that is never taken.
const THINNEST: f32 = 1.1;
/// Extra width on the chosen line.
const CHOSEN: f32 = 0.8;
/// Width of the box of a label without its text.
const PADDING: f32 = 10.0;
const PARTS: u8 = 14;
const DASH: (f32, f32) = (4.0, 3.0);

/// The move or the spawn of an edge, in a box that ends at `right`; returns the box.
fn paint_label(painter: &Painter, theme: &Theme, right: Pos2, text: &str, chosen: bool) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::small(), theme.text1);
    let size = vec2((galley.size().x + PADDING).max(18.0), 18.0);
    let rect = Rect::from_min_size(pos2(right.x - size.x, right.y - size.y / 2.0).round(), size);
    let color = if chosen { theme.accent } else { theme.line };
    painter.rect(
        rect,
        theme::RADIUS_S,
        theme.bg1,
        Stroke::new(1.0, color),
        StrokeKind::Inside,
    );
    painter.galley(rect.center() - galley.size() / 2.0, galley, theme.text1);
    rect
}

fn label_width(painter: &Painter, text: &str) -> f32 {
    painter
        .layout_no_wrap(text.to_owned(), theme::small(), Color32::PLACEHOLDER)
        .size()
        .x
}

/// The half of a cell for this tile.
fn half(cell: Rect, is_four: bool) -> Rect {
    let middle = cell.center().y;
    if is_four {
        cell.with_min_y(middle + 0.5)
    } else {
        cell.with_max_y(middle - 0.5)
    }
}

fn paint_ring(painter: &Painter, rect: Rect, color: Color32, width: f32) {
    painter.rect_stroke(
        rect.expand(3.0),
        theme::RADIUS_S,
        Stroke::new(width, color),
        StrokeKind::Middle,
    );
}

impl Scene<'_> {
    pub(super) fn node(&self, ui: &Ui, inspection: &Inspection, one: &Placed) {
        let theme = self.theme;
        if !one.rect.expand(16.0).intersects(self.lens.rect) {
            return;
        }

        let painter = faded(ui.painter(), one.alpha);
        let (center, radius) = (one.mark.center(), one.mark.width() / 2.0);
        match one.entry {
            Entry::Pill => {
                let hot = ui.rect_contains_pointer(one.rect);
                painter.rect_filled(
                    one.rect,
                    one.rect.height() / 2.0,
                    if hot { theme.bg4 } else { theme.bg3 },
                );
                theme.outline(&painter, one.rect, one.rect.height() / 2.0);
            }
            Entry::Struck(_) => paint_node(&painter, theme, NodeKind::Cut, center, radius, None),
            Entry::Sign | Entry::Board => {
                let behind = one.rect.expand2(vec2(6.0, 4.0));
                if inspection.selected() == one.id {
                    painter.rect_filled(
                        behind,
                        theme::RADIUS_M,
                        theme.accent_bg.gamma_multiply(0.55),
                    );
                    let stroke = Stroke::new(1.5, theme.accent);
                    painter.rect_stroke(behind, theme::RADIUS_M, stroke, StrokeKind::Inside);
                } else if inspection.hovered == Some(one.id) {
                    painter.rect_filled(behind, theme::RADIUS_M, theme.bg3);
                }

                // Under the sign at the corner of a board.
                if inspection.filter.is_on() && inspection.filter.shows(one.id) {
                    if one.is_board {
                        paint_ring(&painter, one.mark, theme.text1, 1.2);
                    } else {
                        painter.circle_stroke(center, radius + 3.0, Stroke::new(1.2, theme.text1));
                    }
                }

                // The result of an added search.
                if self.laid.tree.graft_above(one.id).is_some() {
                    paint_ring(&painter, one.mark.expand(1.5), theme.accent, 1.0);
                }
                if self.open.contains_key(&one.id) {
                    paint_ring(&painter, one.mark, theme.warn, 1.5);
                }
                match &one.card {
                    Some(card) if one.is_board => self.board(&painter, inspection, one, card),
                    _ => {
                        let has_fill =
                            !matches!(one.kind, NodeKind::Cut | NodeKind::Dead) && one.depth != 0;
                        let fill = has_fill.then(|| self.tint(one));
                        paint_node(&painter, theme, one.kind, center, radius, fill);
                    }
                }
            }
        }

        for (at, galley) in one.value.iter().chain(&one.note) {
            painter.galley(*at, galley.clone(), theme.text1);
        }
    }

    fn tint(&self, one: &Placed) -> egui::Color32 {
        self.theme
            .diverging(self.laid.spans.tint(&self.laid.tree, one.id, one.depth))
    }

    /// A node drawn as a board, with its sign at the corner.
    fn board(&self, painter: &Painter, inspection: &Inspection, one: &Placed, card: &Card) {
        let Scene { laid, theme, .. } = self;
        let space = one.mark;
        let geometry = paint_mini(painter, theme, space, &card.node.board);
        if let Some(map) = &card.map {
            self.spawns(painter, inspection, one, &geometry, map);
        } else if let Some(spawn) = card.node.spawn() {
            let stroke = Stroke::new(1.2, theme.text1);
            painter.rect_stroke(geometry.cell(spawn.cell), 1, stroke, StrokeKind::Outside);
        }
        if laid.line.contains(one.id) && one.depth != 0 {
            painter.rect_stroke(
                space.expand(1.0),
                3,
                Stroke::new(1.0, theme.accent),
                StrokeKind::Outside,
            );
        }

        let radius = (NODE_RADIUS * self.lens.scale().min(1.0))
            .max(8.0)
            .min(space.width() * 0.2);
        let at = space.left_top() + vec2(-2.0, -3.0);
        let fill = if one.depth == 0 {
            theme.bg2
        } else {
            self.tint(one)
        };
        painter.circle_filled(at, radius + 2.5, theme.bg1);
        paint_node(painter, theme, one.kind, at, radius, Some(fill));
    }

    /// The empty cells of an afterstate, split in halves, 2 above 4, each in the color of its spawn.
    fn spawns(
        &self,
        painter: &Painter,
        inspection: &Inspection,
        one: &Placed,
        geometry: &BoardGeometry,
        map: &SpawnMap,
    ) {
        let Scene { laid, theme, .. } = self;
        let (line, played) = (
            laid.line.after(one.id),
            laid.line.played_at(&laid.tree, one.id),
        );
        let mut frames = Vec::new();
        for (cell, outcomes) in &map.cells {
            for (is_four, outcome) in [false, true].into_iter().zip(outcomes) {
                let Some(outcome) = outcome else { continue };
                let rect = half(geometry.cell(*cell), is_four);
                if outcome.value.is_none() || outcome.probability <= 0.0 {
                    // Not considered: an empty half, struck through.
                    painter.line_segment(
                        [rect.left_bottom(), rect.right_top()],
                        Stroke::new(0.8, theme.line),
                    );
                    continue;
                }
                let fill =
                    theme.diverging(laid.spans.tint(&laid.tree, outcome.node, one.depth + 1));
                painter.rect_filled(rect, 1, fill);
                let size = (rect.height() * 0.86).min(11.0);
                if 5.0 <= size {
                    let (text, font) = (if is_four { "4" } else { "2" }, theme::strong_of(size));
                    painter.text(
                        rect.center(),
                        Align2::CENTER_CENTER,
                        text,
                        font,
                        theme::text_on(fill),
                    );
                }

                if played
                    == Some(Spawn {
                        cell: *cell,
                        rank: outcome.rank,
                    })
                {
                    frames.push((rect, Stroke::new(1.4, theme.text1)));
                }
                if line == Some(outcome.node) {
                    frames.push((rect, Stroke::new(1.6, theme.accent)));
                }

                if inspection.hovered == Some(outcome.node) {
                    frames.push((rect.expand(1.0), Stroke::new(2.0, theme.accent)));
                }
            }
        }

        for (rect, stroke) in frames {
            painter.rect_stroke(rect, 1, stroke, StrokeKind::Outside);
        }
    }
}

/// The move or the spawn of an edge, as text.
struct Label {
    link: Link,
    text: String,
    /// The width from the end of the curve to the child.
    room: f32,
}

impl Label {
    /// The longest form of the text that fits into this width; `None` if none does.
    fn fitting(
        link: Link,
        texts: Vec<String>,
        width_of: impl Fn(&str) -> f32,
        space: f32,
    ) -> Option<Self> {
        let all = texts.into_iter().enumerate();
        // The longest form takes the same width on all edges, so that labels are in line.
        let mut all = all.map(|(place, text)| {
            let room = if place == 0 {
                room_of(link)
            } else {
                width_of(&text) + PADDING + 16.0
            };
            Self { link, text, room }
        });
        all.find(|label| label.room - 8.0 < space)
    }
}

struct Edge {
    painter: Painter,
    /// The right end of the parent; before `from` if its text is wider.
    start_x: f32,
    from: Pos2,
    to: Pos2,
    id: NodeId,
    /// The label before the child, if it fits.
    label: Option<Label>,
    reach: f64,
    chosen: bool,
    /// Nothing behind it was searched.
    dashed: bool,
    /// The played move, if the judge prefers another.
    lost: bool,
}

pub(super) struct Seen<'a> {
    /// Empty for invisible columns.
    pub ranges: &'a [Range<usize>],
    pub placed: &'a [Placed],
    /// The first index of each column among the placed entries.
    pub first: &'a [usize],
}

impl Seen<'_> {
    fn at(&self, depth: usize, slot: usize) -> Option<&Placed> {
        let range = self.ranges.get(depth)?;
        range
            .contains(&slot)
            .then(|| &self.placed[self.first[depth] + slot - range.start])
    }
}

impl Scene<'_> {
    pub(super) fn edges(
        &self,
        ui: &Ui,
        inspection: &Inspection,
        cards: &mut Cards,
        seen: &Seen<'_>,
    ) {
        let mut edges = Vec::new();
        for depth in 1..self.laid.layout.columns.len() {
            let (right, left) = (self.lens.column(depth) + 8.0, self.lens.column(depth - 1));
            if self.lens.rect.left() <= right && left <= self.lens.rect.right() {
                let slots = self.edges_between(depth, seen);
                edges.extend(
                    slots.filter_map(|slot| self.edge(ui, inspection, cards, seen, depth, slot)),
                );
            }
        }

        // The chosen line is on top.
        let (on_line, others): (Vec<&Edge>, _) = edges.iter().partition(|edge| edge.chosen);
        for edge in others.into_iter().chain(on_line) {
            self.paint_edge(edge);
        }

        let pointer = frame::pointer_in(ui, self.lens.rect);
        for Edge {
            painter,
            to,
            label,
            chosen,
            id,
            ..
        } in edges
        {
            let Some(Label { link, text, .. }) = label else {
                continue;
            };
            let at = to - vec2(8.0, 0.0);
            let rect = paint_label(&painter, self.theme, at, &text, chosen);
            if pointer.is_some_and(|at| rect.contains(at)) {
                let response = ui.interact(rect, ui.scope_id().with("label"), Sense::hover());
                response.on_hover_text_at_pointer(label_tip(&self.laid.tree, link, id));
            }
        }
    }

    /// The children with visible edges: visible ones, and those whose parent is visible or just outside.
    fn edges_between(&self, depth: usize, seen: &Seen<'_>) -> Range<usize> {
        let columns = &self.laid.layout.columns;
        let (top, bottom) = self.heights();
        let seen_of = |depth: usize| match &seen.ranges[depth] {
            range if range.is_empty() => columns[depth].between(top, bottom),
            range => range.clone(),
        };
        let (parents, own) = (seen_of(depth - 1), seen_of(depth));
        let wider =
            parents.start.saturating_sub(1)..(parents.end + 1).min(columns[depth - 1].slots.len());
        let below = columns[depth].below(wider);
        if below.is_empty() {
            own
        } else if own.is_empty() {
            below
        } else {
            own.start.min(below.start)..own.end.max(below.end)
        }
    }

    /// The edge to a child; `None` if it is not visible.
    fn edge(
        &self,
        ui: &Ui,
        inspection: &Inspection,
        cards: &mut Cards,
        seen: &Seen<'_>,
        depth: usize,
        place: usize,
    ) -> Option<Edge> {
        let Scene { laid, lens, .. } = self;
        let slot = laid.layout.at(depth, place);
        let (id, entry, parent) = (slot.id, slot.entry, slot.parent());
        let (from_y, to_y) = (self.y(depth - 1, parent), self.y(depth, place));
        if from_y.max(to_y) < lens.rect.top() || lens.rect.bottom() < from_y.min(to_y) {
            return None;
        }

        let has_text = camera::ONE_LINE <= lens.view.scale;
        let child = seen.at(depth, place);
        let above = seen.at(depth - 1, parent);
        let from_x = above.map_or_else(|| self.usual_out(depth - 1), |above| above.out);
        let to_x = child.map_or(lens.column(depth), |child| child.mark.left()) - 2.0;
        let reach = match child.and_then(|child| child.card.as_ref()) {
            _ if !entry.is_node() || !has_text => 0.0,
            Some(card) => card.node.reach,
            None => cards.of(&laid.tree, &laid.line, id).node.reach,
        };

        let start_x = above
            .filter(|above| above.is_board)
            .map_or(from_x, |above| above.mark.right())
            .min(to_x);
        let link = match entry {
            Entry::Pill => None,
            Entry::Struck(mv) => Some(Link::Slide(mv)),
            _ => laid.tree.link(id),
        };

        let label = link
            .filter(|_| has_text && child.is_some())
            .and_then(|link| {
                let texts = names::edge_texts(link, laid.tree.node(id).probability);
                Label::fitting(
                    link,
                    texts,
                    |text| label_width(ui.painter(), text),
                    to_x - start_x,
                )
            });

        Some(Edge {
            painter: faded(ui.painter(), self.alpha(inspection, id, entry)),
            start_x,
            from: pos2(from_x.min(to_x), from_y),
            to: pos2(to_x, to_y),
            id,
            label,
            reach,
            chosen: entry.is_node() && laid.line.contains(id),
            lost: inspection.judged.as_ref().is_some_and(|judged| {
                judged.played != judged.best
                    && depth == 1
                    && laid.tree.link(id) == Some(Link::Slide(judged.played))
            }),
            dashed: !entry.is_node()
                || matches!(laid.tree.kind(id), NodeKind::Cut | NodeKind::Cached),
        })
    }

    /// A curve with horizontal ends.
    fn paint_edge(&self, edge: &Edge) {
        let Edge {
            painter,
            start_x,
            from,
            to,
            ..
        } = edge;
        let start = pos2(*start_x, from.y);
        let width = (THINNEST + WIDEST * edge.reach.clamp(0.0, 1.0).sqrt() as f32)
            * self.lens.scale().min(1.0);
        let theme = self.theme;
        let (width, color) = match (edge.lost, edge.chosen) {
            (true, _) => (width + CHOSEN, theme.error),
            (false, true) => (width + CHOSEN, theme.accent),
            (false, false) => (width.max(0.6), theme.line),
        };
        let stroke = Stroke::new(width, color);
        if (from.y - to.y).abs() < 0.5 && !edge.dashed {
            // A separate path, because the tessellator would round a horizontal segment to whole pixels.
            painter.add(Shape::line(vec![start, *to], stroke));
            return;
        }

        let arrival =
            (to.x - edge.label.as_ref().map_or(0.0, |label| label.room)).max(from.x + 4.0);
        let bend = (arrival - from.x) * 0.55;
        let curve = (0..=PARTS).map(|i| {
            let t = f32::from(i) / f32::from(PARTS);
            let (a, b, c, d) = (
                (1.0 - t).powi(3),
                3.0 * t * (1.0 - t).powi(2),
                3.0 * t * t * (1.0 - t),
                t * t * t,
            );
            pos2(
                a * from.x + b * (from.x + bend) + c * (arrival - bend) + d * arrival,
                (a + b) * from.y + (c + d) * to.y,
            )
        });
        let mut points: Vec<Pos2> = (*start_x < from.x)
            .then_some(start)
            .into_iter()
            .chain(curve)
            .collect();
        if arrival < to.x {
            points.push(*to);
        }

        if edge.dashed {
            let thin = Stroke::new(width.min(1.4), color);
            painter.extend(Shape::dashed_line(&points, thin, DASH.0, DASH.1));
        } else {
            painter.add(Shape::line(points, stroke));
        }
    }
}

/// Width of the label of an edge at the natural scale.
fn room_of(link: Link) -> f32 {
    match link {
        Link::Slide(_) => ARROW_ROOM,
        Link::Spawn(_) => SPAWN_ROOM,
    }
}

/// The full text of an edge's label, with the probability of a spawn.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cell, Rank};

    #[test]
    fn a_label_takes_the_longest_form_that_fits() {
        let link = Link::Spawn(Spawn {
            cell: Cell::new(0, 3),
            rank: Rank::TWO,
        });
        let at = |space: f32| {
            let texts = names::edge_texts(link, Some(0.18));
            Label::fitting(link, texts, |text| 6.0 * text.chars().count() as f32, space)
                .map(|label| label.text)
        };
        let forms = [
            (200.0, "2 r1c4 · 0.18"),
            (SPAWN_ROOM - 8.0, "2 · 0.18"),
            (60.0, "0.18"),
        ];
        for (space, text) in forms {
            assert_eq!(at(space).as_deref(), Some(text), "{space}");
        }
        assert_eq!(at(20.0), None);
    }
}

//! The edges from parents to children, with the move or the spawn before the child.

use std::ops::Range;

use egui::{Painter, Pos2, Sense, Ui, pos2};

use super::card::Cards;
use super::layout::{Entry, is_node};
use super::placed::Placed;
use super::{ARROW_ROOM, SPAWN_ROOM, Scene, camera, faded, paint};
use crate::search::{Link, NodeId, NodeKind, Tree};
use crate::words;
use crate::workbench::panels::Inspection;
use crate::workbench::panels::tree::frame;
use crate::workbench::panels::tree::words as names;

/// What leads to a child, written at the end of its edge.
struct Label {
    painter: Painter,
    at: Pos2,
    link: Link,
    chosen: bool,
    id: NodeId,
}

/// What is seen of the columns.
pub(super) struct Seen<'a> {
    /// Empty where the column is not.
    pub ranges: &'a [Range<usize>],
    pub placed: &'a [Placed],
    /// Where each column begins among those placed.
    pub first: &'a [usize],
}

impl Seen<'_> {
    fn at(&self, depth: usize, slot: usize) -> Option<&Placed> {
        let range = self.ranges.get(depth)?;
        range.contains(&slot).then(|| &self.placed[self.first[depth] + slot - range.start])
    }
}

impl Scene<'_> {
    pub(super) fn edges(&self, ui: &Ui, inspection: &Inspection, cards: &mut Cards, seen: &Seen<'_>) {
        let (mut on_line, mut labels) = (Vec::new(), Vec::new());
        for depth in 1..self.laid.layout.columns().len() {
            let (right, left) = (self.lens.column(depth) + 8.0, self.lens.column(depth - 1));
            if right < self.lens.rect.left() || self.lens.rect.right() < left {
                continue;
            }
            for slot in self.edges_between(depth, seen) {
                let Some((painter, edge, label)) = self.edge(ui, inspection, cards, seen, depth, slot) else {
                    continue;
                };
                labels.extend(label);
                if edge.chosen {
                    on_line.push((painter, edge));
                } else {
                    paint::paint_edge(&painter, self.theme, edge);
                }
            }
        }
        for (painter, edge) in on_line {
            paint::paint_edge(&painter, self.theme, edge);
        }
        let pointer = frame::pointer_in(ui, self.lens.rect);
        for Label { painter, at, link, chosen, id } in labels {
            let rect = paint::paint_label(&painter, self.theme, at, &names::link_text(link), chosen);
            if pointer.is_some_and(|at| rect.contains(at)) {
                let response = ui.interact(rect, ui.scope_id().with("label"), Sense::hover());
                response.on_hover_text_at_pointer(label_tip(&self.laid.tree, link, id));
            }
        }
    }

    /// The children whose edges may be seen: those seen, and those whose parent is seen or lies just outside.
    fn edges_between(&self, depth: usize, seen: &Seen<'_>) -> Range<usize> {
        let columns = self.laid.layout.columns();
        let (top, bottom) = self.heights();
        let seen_of = |depth: usize| match seen.ranges[depth].is_empty() {
            false => seen.ranges[depth].clone(),
            true => columns[depth].between(top, bottom),
        };
        let (parents, own) = (seen_of(depth - 1), seen_of(depth));
        let wider = parents.start.saturating_sub(1)..(parents.end + 1).min(columns[depth - 1].len());
        let below = columns[depth].below(wider);
        if below.is_empty() {
            own
        } else if own.is_empty() {
            below
        } else {
            own.start.min(below.start)..own.end.max(below.end)
        }
    }

    /// The edge to a child, with its label; `None` where it is out of sight.
    fn edge(
        &self,
        ui: &Ui,
        inspection: &Inspection,
        cards: &mut Cards,
        seen: &Seen<'_>,
        depth: usize,
        slot: usize,
    ) -> Option<(Painter, paint::Edge, Option<Label>)> {
        let Scene { laid, lens, .. } = self;
        let column = &laid.layout.columns()[depth];
        let parent = column.parent(slot);
        let (from_y, to_y) = (self.y(depth - 1, parent), self.y(depth, slot));
        if from_y.max(to_y) < lens.rect.top() || lens.rect.bottom() < from_y.min(to_y) {
            return None;
        }
        let (id, entry) = (column.id(slot), column.entry(slot));
        let has_text = camera::ONE_LINE <= lens.view.scale;
        let child = seen.at(depth, slot);
        let from_x = seen.at(depth - 1, parent).map_or_else(|| self.usual_out(depth - 1), |above| above.out);
        let to_x = child.map_or(lens.column(depth), |child| child.mark.left()) - 2.0;
        let chosen = is_node(entry) && laid.line.contains(id);
        let reach = match (is_node(entry) && has_text, child.and_then(|child| child.card.as_ref())) {
            (true, Some(card)) => card.node.reach,
            (true, None) => cards.of(&laid.tree, &laid.line, id).node.reach,
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
        let edge = paint::Edge {
            from: pos2(from_x.min(to_x), from_y),
            to: pos2(to_x, to_y),
            reach,
            chosen,
            dashed: !is_node(entry) || matches!(laid.tree.kind(id), NodeKind::Cut | NodeKind::Cached),
            label: if fits { room } else { 0.0 },
            scale: lens.scale().min(1.0),
        };
        let painter = faded(ui.painter(), self.alpha(inspection, id, entry));
        let label = link.filter(|_| fits).map(|link| {
            let painter = painter.clone();
            Label { painter, at: pos2(to_x - 8.0, to_y), link, chosen, id }
        });
        Some((painter, edge, label))
    }
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

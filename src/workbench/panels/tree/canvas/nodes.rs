//! Signs, boards and pills with their text.

use egui::{Painter, Stroke, Ui, vec2};

use super::card::Card;
use super::layout::Entry;
use super::placed::Placed;
use super::{Scene, faded, paint};
use crate::search::{Link, NodeKind};
use crate::workbench::kit::{NODE_RADIUS, paint_node};
use crate::workbench::panels::Inspection;
use crate::workbench::theme;

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
                painter.rect_filled(one.rect, one.rect.height() / 2.0, if hot { theme.bg4 } else { theme.bg3 });
            }
            Entry::Struck(_) => paint_node(&painter, theme, NodeKind::Cut, center, radius, None),
            Entry::Sign | Entry::Board => {
                let behind = one.rect.expand2(vec2(6.0, 4.0));
                if inspection.selected() == one.id {
                    painter.rect_filled(behind, theme::RADIUS_M, theme.accent_bg.gamma_multiply(0.55));
                    let stroke = Stroke::new(1.5, theme.accent);
                    painter.rect_stroke(behind, theme::RADIUS_M, stroke, egui::StrokeKind::Inside);
                } else if inspection.hovered == Some(one.id) {
                    painter.rect_filled(behind, theme::RADIUS_M, theme.bg3);
                }
                // Under the sign at the corner of a board.
                if inspection.filter.is_on() && inspection.filter.shows(one.id) {
                    match one.is_board {
                        true => paint::paint_ring(&painter, one.mark, theme.text1, 1.2),
                        false => {
                            painter.circle_stroke(center, radius + 3.0, Stroke::new(1.2, theme.text1));
                        }
                    }
                }
                if self.open.contains_key(&one.id) {
                    paint::paint_ring(&painter, one.mark, theme.warn, 1.5);
                }
                match &one.card {
                    Some(card) if one.is_board => self.board(&painter, inspection, one, card),
                    _ => {
                        let has_fill = !matches!(one.kind, NodeKind::Cut | NodeKind::Dead) && one.depth != 0;
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
        self.theme.diverging(self.laid.spans.tint(&self.laid.tree, one.id, one.depth))
    }

    /// A node drawn as a board, with its sign at the corner.
    fn board(&self, painter: &Painter, inspection: &Inspection, one: &Placed, card: &Card) {
        let Scene { laid, theme, .. } = self;
        let space = one.mark;
        if card.map.is_some() {
            let marks = paint::Marks {
                line: laid.line.after(one.id),
                played: laid.line.played_at(&laid.tree, one.id),
                hot: inspection.hovered,
            };
            let tint = |id| laid.spans.tint(&laid.tree, id, one.depth + 1);
            paint::paint_spawns(painter, theme, space, card, marks, tint);
        } else {
            let newest = card.node.link.and_then(|link| match link {
                Link::Spawn(spawn) => Some(spawn),
                Link::Slide(_) => None,
            });
            paint::paint_board(painter, theme, space, &card.node.board, newest);
        }
        if laid.line.contains(one.id) && one.depth != 0 {
            painter.rect_stroke(space.expand(1.0), 3, Stroke::new(1.0, theme.accent), egui::StrokeKind::Outside);
        }
        let radius = (NODE_RADIUS * self.lens.scale().min(1.0)).max(8.0).min(space.width() * 0.2);
        let at = space.left_top() + vec2(-2.0, -3.0);
        let fill = if one.depth == 0 { theme.bg2 } else { self.tint(one) };
        painter.circle_filled(at, radius + 2.5, theme.bg1);
        paint_node(painter, theme, one.kind, at, radius, Some(fill));
    }
}

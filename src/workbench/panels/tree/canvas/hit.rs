//! Pointer, keyboard and screen-reader targets on the canvas: nodes, spawns on boards, pills and folding arrows.

use egui::{Pos2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::layout::Entry;
use super::placed::{Placed, struck_text};
use super::{Canvas, Scene, camera, faded};
use crate::game::{Rank, Spawn};
use crate::search::{Origin, Outcome};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::Icon;
use crate::workbench::kit::{BoardGeometry, cell_words};
use crate::workbench::panels::tree::frame::{self, node_widget, ring_focused};
use crate::workbench::panels::tree::{Inspection, OfNode, words as names};
use crate::workbench::theme;

/// Beyond this number of widgets, screen readers get only those on the line and around the selection.
const MOST_NAMED: usize = 300;

impl Canvas {
    /// Adds widgets for pointer and screen readers; returns the entry under the pointer.
    pub(super) fn touch(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        commands: &mut Commands,
        scene: &Scene<'_>,
        placed: &[Placed],
    ) -> Option<usize> {
        let Scene { laid, lens, .. } = scene;
        let selected = inspection.selected();
        let parent = laid.tree.parent(selected);
        let all = placed.len() <= MOST_NAMED;
        let pointer = frame::pointer_in(ui, lens.rect);
        let (mut under, mut lit) = (None, None);
        for (place, one) in placed.iter().enumerate() {
            let rect = one.rect.expand2(vec2(3.0, 2.0));
            if !rect.intersects(lens.rect) {
                continue;
            }
            let is_under = pointer.is_some_and(|at| rect.contains(at));
            let is_near = || {
                let above = laid.tree.parent(one.id);
                laid.line.contains(one.id)
                    || one.id == selected
                    || above == Some(selected)
                    || above == parent
            };
            if !all && !is_under && !is_near() {
                continue;
            }

            let name = || one.name(scene, inspection);
            let is_selected = one.id == selected && one.entry.is_node();
            let (hit, key) = (
                rect.intersect(lens.rect),
                ui.scope_id().with((one.depth, one.slot)),
            );
            let response = if one.entry == Entry::Pill {
                let response = ui.interact(hit, key, Sense::CLICK);
                response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name()));
                ring_focused(ui, &response, rect);
                response
            } else {
                let response =
                    node_widget(ui, hit, rect, key, inspection.panel(), is_selected, name);
                if one.entry.is_node() {
                    frame::describe_node(ui, key, inspection, &laid.tree, one.id);
                }
                response
            };

            let spawn = pointer.filter(|_| is_under).and_then(|at| one.spawn_at(at));
            if response.hovered() || response.context_menu_opened() {
                under = Some(place);
                lit = one
                    .entry
                    .is_node()
                    .then(|| spawn.map_or(one.id, |(_, outcome)| outcome.node));
            }

            let tip = spawn.map_or_else(name, |(spawn, outcome)| one.spawn_tip(spawn, outcome));
            let response = response.on_hover_ui_at_pointer(|ui| {
                ui.label(tip);
            });
            if one.entry.is_node()
                && commands.context_menu(
                    &response,
                    &inspection.node_commands(),
                    OfNode(inspection, one.id),
                )
            {
                self.frame.click(inspection, one.id);
            }

            match one.entry {
                Entry::Pill if response.clicked() => {
                    self.anchor = Some(one.id);
                    inspection.toggle_all_spawns(one.id);
                }
                Entry::Pill | Entry::Struck(_) => {}
                _ if response.double_clicked() => {
                    self.anchor = Some(one.id);
                    match one.card.as_ref().map(|card| card.node.origin) {
                        Some(Origin::Stored {
                            node: Some(stored), ..
                        }) => inspection.click(stored),
                        _ => inspection.set_unfolded(one.id, !inspection.is_unfolded(one.id)),
                    }
                }
                _ if response.clicked() => {
                    inspection.click(spawn.map_or(one.id, |(_, outcome)| outcome.node));
                }
                _ => {}
            }
        }

        self.frame.light(inspection, lit);
        under
    }

    pub(super) fn chevrons(
        &mut self,
        ui: &mut Ui,
        inspection: &mut Inspection,
        scene: &Scene<'_>,
        placed: &[Placed],
        hovered: Option<usize>,
    ) {
        let Scene {
            laid, lens, theme, ..
        } = scene;
        if lens.view.scale < camera::TWO_LINES {
            return;
        }

        for (place, one) in placed.iter().enumerate() {
            if !one.entry.is_node() || laid.tree.kept_below(one.id) == 0 || one.depth == 0 {
                continue;
            }

            let unfolded = inspection.is_unfolded(one.id);
            let near = hovered == Some(place) || inspection.selected() == one.id;
            let middle = match one.is_board && one.entry == Entry::Board {
                true => pos2(one.mark.right() - 6.0, one.mark.bottom() + 12.0),
                false => pos2(one.rect.right() + 12.0, one.mark.center().y),
            };
            let rect = Rect::from_center_size(middle, vec2(theme::HIT, theme::HIT));
            let is_wanted =
                near || ui.rect_contains_pointer(rect) || !unfolded && placed.len() <= MOST_NAMED;
            if !is_wanted || !rect.intersects(lens.rect) {
                continue;
            }
            let response = ui.interact(
                rect,
                ui.scope_id().with(("fold", one.depth, one.slot)),
                Sense::CLICK,
            );
            let what = if unfolded { "Fold" } else { "Unfold" };
            response.widget_info(|| {
                let link = laid
                    .tree
                    .link(one.id)
                    .map(names::link_words)
                    .unwrap_or_default();
                WidgetInfo::labeled(
                    Role::Button,
                    ui.is_enabled(),
                    format!("{what} the {} {link}", one.kind.words()),
                )
            });
            let color = if response.hovered() {
                theme.text1
            } else {
                theme.text3
            };
            if response.hovered() {
                ui.painter()
                    .rect_filled(rect.shrink(4.0), theme::RADIUS_S, theme.bg4);
            }

            let icon = if unfolded {
                Icon::ChevronLeft
            } else {
                Icon::ChevronRight
            };
            icon.paint(&faded(ui.painter(), one.alpha), rect.center(), color);
            if response.clicked() {
                self.anchor = Some(one.id);
                inspection.set_unfolded(one.id, !unfolded);
            }
        }
    }
}

impl Placed {
    fn name(&self, scene: &Scene<'_>, inspection: &Inspection) -> String {
        match (self.entry, &self.card) {
            (Entry::Pill, _) => self
                .value
                .as_ref()
                .map_or("more", |(_, galley)| galley.text())
                .to_owned(),
            (Entry::Struck(mv), _) => {
                format!("{mv}: not searched, {}", struck_text(inspection, mv))
            }
            (_, Some(card)) if inspection.replay.is_none() => card.sentence.clone(),
            _ => {
                let tree = &scene.laid.tree;
                names::sentence_by_now(inspection.known(self.id), tree, &tree.node(self.id))
            }
        }
    }

    fn spawn_at(&self, at: Pos2) -> Option<(Spawn, Outcome)> {
        let card = self.card.as_ref().filter(|_| self.is_board)?;
        let geometry = BoardGeometry::fit_mini(self.mark, card.node.board.size());
        let cell = geometry.cell_at(at)?;
        let is_four = geometry.cell(cell).center().y < at.y;
        let (_, outcomes) = card
            .map
            .as_ref()?
            .cells
            .iter()
            .find(|(other, _)| *other == cell)?;
        let rank = if is_four { Rank::FOUR } else { Rank::TWO };
        Some((Spawn { cell, rank }, outcomes[usize::from(is_four)]?))
    }

    fn spawn_tip(&self, spawn: Spawn, outcome: Outcome) -> String {
        let exact = |value| format!("{}{}", outcome.bound.sign(), words::exact(value));
        let value = outcome
            .value
            .map_or_else(|| "not searched".to_owned(), exact);
        // Bounds have no mean.
        let map = self
            .card
            .as_ref()
            .and_then(|card| card.map.as_ref())
            .filter(|map| map.is_exact());
        let off = outcome
            .value
            .zip(map.map(|map| map.mean))
            .map(|(value, mean)| names::difference(value - mean));
        let off = off
            .map(|off| format!(", {off} vs. the mean"))
            .unwrap_or_default();
        let probability = words::small_probability(outcome.probability);
        let Spawn { cell, rank } = spawn;
        let at = cell_words(cell);
        format!("A {rank} in {at} ({cell}): probability {probability}, value {value}{off}")
    }
}

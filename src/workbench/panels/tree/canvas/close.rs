//! The card of a selected node that was not searched: the reason, its assumed value, and the result of searching it.

use egui::{Frame, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::placed::Placed;
use super::{Canvas, Scene, camera};
use crate::search::{NodeKind, Origin};
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::kit::Button;
use crate::workbench::panels::tree::node::found;
use crate::workbench::panels::tree::{Inspection, SkippedState, words as names};
use crate::workbench::theme::{self, Theme};

const WIDTH: f32 = 250.0;

impl Canvas {
    pub(super) fn close_up(
        &mut self,
        ui: &mut Ui,
        inspection: &Inspection,
        commands: &mut Commands,
        scene: &Scene<'_>,
        placed: &[Placed],
    ) {
        let id = inspection.selected();
        let is_skipped = matches!(scene.laid.tree.kind(id), NodeKind::Cut | NodeKind::Cached);
        let one = placed
            .iter()
            .find(|one| one.id == id && one.entry.is_node());
        let (Some(one), true, true) = (one, is_skipped, camera::ONE_LINE <= scene.lens.view.scale)
        else {
            self.close_up = None;
            return;
        };

        let Some(card) = &one.card else { return };
        let theme = Theme::of(ui);
        let space = scene.lens.rect;
        let size = self.close_up.map_or(vec2(WIDTH, 110.0), |rect| rect.size());
        let below = one.rect.bottom() + 10.0;
        let above = one.rect.top() - 10.0 - size.y;
        let left = one
            .mark
            .left()
            .min(space.right() - size.x - 8.0)
            .max(space.left());
        let at = if below + size.y <= space.bottom() {
            pos2(left, below)
        } else if space.top() <= above {
            pos2(left, above)
        } else {
            // Next to the node, which is never covered.
            let right = one.rect.right() + 10.0;
            let beside = if right + size.x <= space.right() {
                right
            } else {
                one.rect.left() - 10.0 - size.x
            };
            pos2(
                beside,
                (one.rect.center().y - size.y / 2.0)
                    .clamp(space.top(), (space.bottom() - size.y).max(space.top())),
            )
        }
        .round();

        // The card blocks clicks on what is below it.
        ui.interact(
            Rect::from_min_size(at, size),
            ui.scope_id().with("close up"),
            Sense::CLICK | Sense::DRAG,
        );
        let room = Rect::from_min_size(at, vec2(WIDTH, space.height()));
        let mut inside = ui.new_child(UiBuilder::new().id_salt("close up").max_rect(room));
        let frame = Frame::popup(inside.style())
            .fill(theme.bg3)
            .inner_margin(10.0)
            .show(&mut inside, |ui| {
                ui.set_max_width(WIDTH - 20.0);
                ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, 5.0);
                let quiet = |ui: &mut Ui, text: String| {
                    ui.label(egui::RichText::new(text).color(theme.text2))
                };
                let title = match card.node.origin {
                    Origin::Stored { .. } => "Cached: searched before".to_owned(),
                    origin => format!("Cut: {}", origin.text()),
                };
                ui.label(
                    egui::RichText::new(title)
                        .font(theme::strong())
                        .color(theme.text1),
                );
                quiet(
                    ui,
                    match (card.node.origin, card.node.value) {
                        (
                            Origin::Stored {
                                node: Some(node), ..
                            },
                            _,
                        ) => {
                            format!(
                                "{} is the value of {}",
                                card.value,
                                names::number(&scene.laid.tree, node)
                            )
                        }
                        (Origin::Stored { node: None, .. }, _) => {
                            format!("{}, from a node that is not recorded", card.value)
                        }
                        (_, Some(_)) => format!("Evaluated without search: {}", card.value),
                        (Origin::Unimportant { .. }, None) => {
                            "No value: no spawn was searched there".to_owned()
                        }
                        (Origin::OutOfBounds { .. }, None) => {
                            "No value: it could not change the choice at the root".to_owned()
                        }
                        (origin, None) => format!("No value: {}", origin.text()),
                    },
                );

                let mut push = |ui: &mut Ui, command: TreeCommand, text: &str| {
                    commands.when_clicked(
                        &ui.add(Button::new(text))
                            .on_hover_text(Command::Tree(command).tooltip()),
                        Command::Tree(command),
                    );
                };
                if let Origin::Stored { node: Some(_), .. } = card.node.origin {
                    push(ui, TreeCommand::JumpToStored, "Go to the stored node");
                }

                let skipped = inspection.skipped(id);
                let texts = match &skipped {
                    None => Vec::new(),
                    Some(SkippedState::Searching(_)) => {
                        vec!["Searching the skipped nodes".to_owned()]
                    }
                    Some(SkippedState::Done(skipped)) => found(skipped, &scene.laid.tree).into(),
                    Some(SkippedState::Failed(reason)) => vec![reason.clone()],
                };
                for text in texts {
                    quiet(ui, text);
                }

                if let None | Some(SkippedState::Failed(_)) = skipped {
                    push(ui, TreeCommand::SearchSkipped, "Search what was skipped");
                }
            });
        self.close_up = Some(frame.response.rect);
    }
}

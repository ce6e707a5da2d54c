//! The details of the selected node: its board, its value and where it comes from, reach, bounds, and what was skipped.

mod below;
mod curve;
mod data;
mod network;
mod record;

use egui::{Label, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

pub(crate) use self::data::found;
use self::data::{DetailRow, NodeDetails};
use crate::search::{Link, NodeId, NodeView};
use crate::words;
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, NODE_RADIUS, Sort, paint_mini, paint_newest, paint_node, paragraph, reading_area,
    small_print,
};
use crate::workbench::panels::tree::frame::ring_focused;
use crate::workbench::panels::tree::{Inspection, SkippedState, no_tree};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

const LABELS: f32 = 92.0;
const BOARD: f32 = 144.0;
const LEAST_BOARD: f32 = 104.0;
/// Width of the figures and the button beside the board.
const FIGURES: f32 = 144.0;
/// Minimum width at which the table is next to the rows.
const WIDE: f32 = 620.0;
const ROW_GAP: f32 = 3.0;

#[derive(Debug, Default)]
pub(crate) struct NodePanel {
    /// The details for this key: decision, row, node.
    details: Option<((u64, usize, NodeId), NodeDetails)>,
    in_full: bool,
    sort: Option<Sort<usize>>,
    networks: network::Networks,
    record: record::Record,
}

impl NodePanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        let Some(shown) = inspection.shown().cloned() else {
            let way_in =
                "Play or press Enter, then select a node of the search tree to see its details";
            return no_tree(ui, doc, way_in);
        };
        let key = (shown.number, shown.row, inspection.selected());
        if self
            .details
            .as_ref()
            .is_none_or(|(own_key, _)| *own_key != key)
        {
            self.details = Some((key, NodeDetails::new(&shown.tree, key.2)));
        }

        let Some((_, details)) = &self.details else {
            return;
        };
        let details = details.clone();
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_M);
        if inspection.is_old {
            ui.set_opacity(theme::STALE_ALPHA);
        }

        head(ui, &details, inspection, commands);
        reading_area(ui, "details", "Node details", |ui| {
            if ui.available_width() < WIDE {
                self.about(ui, &details, inspection, commands);
                line(ui);
                self.beside(ui, doc, &details, inspection, commands);
                return;
            }
            let space = ui.available_rect_before_wrap();
            let half = ((space.width() - theme::SPACE_XL) / 2.0).floor();
            let column = |ui: &mut Ui, left: f32| {
                let rect =
                    egui::Rect::from_min_size(pos2(left, space.top()), vec2(half, space.height()));
                ui.new_child(UiBuilder::new().max_rect(rect))
            };
            let mut left = column(ui, space.left());
            self.about(&mut left, &details, inspection, commands);
            let mut right = column(ui, space.right() - half);
            self.beside(&mut right, doc, &details, inspection, commands);
            let height = left.min_rect().height().max(right.min_rect().height());
            ui.allocate_exact_size(vec2(space.width(), height), Sense::hover());
        });
    }

    fn about(
        &mut self,
        ui: &mut Ui,
        details: &NodeDetails,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        top(ui, details, inspection, commands);
        if let Some(sentence) = &details.skipped {
            skipped(ui, sentence, details.node.id, inspection, commands);
        }
        let goes_on = inspection
            .shown()
            .and_then(|shown| inspection.line().goes_on(&shown.tree, details.node.id));
        if let Some(text) = goes_on {
            paragraph(ui, words::capitalised(&text), Theme::of(ui).text2);
        }
        let on = TreeCommand::SearchOn;
        if inspection.can(on).is_ok() {
            let button = Button::new(Command::Tree(on).text());
            commands.show(ui, button, Command::Tree(on), Ok(()));
        }

        line(ui);
        ui.spacing_mut().item_spacing.y = ROW_GAP;
        for row in &details.rows {
            row_ui(ui, row, &mut self.in_full);
        }
        ui.spacing_mut().item_spacing.y = theme::SPACE_M;
    }

    fn beside(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        details: &NodeDetails,
        inspection: &mut Inspection,
        commands: &mut Commands,
    ) {
        if !details.below.rows.is_empty() {
            if let Some(id) = below::ui(ui, &details.below, self.sort.get_or_insert(below::USUAL)) {
                inspection.select(id);
            }
            ui.add_space(theme::SPACE_L);
        }
        self.networks.ui(ui, details);
        if let Some(playouts) = inspection
            .shown()
            .and_then(|shown| shown.tree.playouts.clone())
        {
            curve::ui(ui, &playouts);
            ui.add_space(theme::SPACE_L);
        }
        self.record.ui(ui, doc, inspection, commands);
    }
}

/// Kind, arrival, and back and forward buttons; it stays in place while the rest scrolls.
fn head(ui: &mut Ui, details: &NodeDetails, inspection: &Inspection, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let row = vec2(ui.available_width(), theme::HIT);
    ui.allocate_ui_with_layout(
        row,
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(theme::HIT, theme::HIT), Sense::hover());
            paint_node(
                ui.painter(),
                theme,
                details.node.kind,
                rect.center(),
                NODE_RADIUS - 1.0,
                None,
            );
            ui.label(
                RichText::new(words::capitalised(details.node.kind.words()))
                    .font(theme::strong_of(15.0))
                    .color(theme.text1),
            );

            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                for (icon, command) in [
                    (Icon::ChevronRight, TreeCommand::Forward),
                    (Icon::ChevronLeft, TreeCommand::Back),
                ] {
                    commands.icon(ui, icon, Command::Tree(command), inspection.can(command));
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    ui.add(
                        Label::new(RichText::new(&details.arrival).color(theme.text2)).truncate(),
                    );
                });
            });
        },
    );
}

fn top(ui: &mut Ui, details: &NodeDetails, inspection: &Inspection, commands: &mut Commands) {
    let theme = Theme::of(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_L;
        let side = (ui.available_width() - theme::SPACE_L - FIGURES).clamp(LEAST_BOARD, BOARD);
        let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Image, true, format!("Board {}", details.node.board))
        });
        let board = paint_mini(ui.painter(), theme, rect, &details.node.board);
        if let Some(newest) = details.node.spawn() {
            paint_newest(ui.painter(), theme, board.cell(newest.cell).shrink(2.0));
        }

        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            small_print(ui, "Value", theme.text3);
            let NodeView { value, score, .. } = details.node;
            let style = if value.is_some() {
                theme::display_style()
            } else {
                theme::figure_style()
            };
            let shown = RichText::new(&details.value)
                .text_style(style)
                .color(theme.text1);
            let shown = ui.add(
                Label::new(shown)
                    .truncate()
                    .show_tooltip_when_elided(value.is_none()),
            );
            if let Some(value) = value {
                shown.on_hover_text(words::exact(value));
            }
            small_print(ui, &details.beside, theme.text2);
            ui.add_space(theme::SPACE_M);
            small_print(ui, "Score", theme.text3);
            ui.label(
                RichText::new(words::count(score))
                    .font(theme::strong())
                    .color(theme.text1),
            );
            ui.add_space(theme::SPACE_M);
            let open = TreeCommand::OpenOnBoard;
            let button =
                Button::new(Command::Tree(open).text()).width(ui.available_width().min(176.0));
            let response = commands.show(ui, button, Command::Tree(open), inspection.can(open));
            if matches!(details.node.link, Some(Link::Slide(_))) {
                response.on_hover_text(
                    "Also plays the spawn that follows this move on the chosen line",
                );
            }
        });
    });
}

fn skipped(
    ui: &mut Ui,
    sentence: &str,
    id: NodeId,
    inspection: &Inspection,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    egui::Frame::new()
        .fill(theme.bg2)
        .corner_radius(theme::RADIUS_M)
        .inner_margin(10.0)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = theme::SPACE_S;
            paragraph(ui, sentence, theme.text1);
            let search = TreeCommand::SearchSkipped;

            let mut button = |ui: &mut Ui, tree_command: TreeCommand| {
                let command = Command::Tree(tree_command);
                commands.show(
                    ui,
                    Button::new(command.text()),
                    command,
                    inspection.can(tree_command),
                );
            };
            match inspection.skipped(id) {
                None => button(ui, search),
                Some(SkippedState::Searching(since)) => {
                    let secs = since.elapsed().as_secs_f64();
                    paragraph(
                        ui,
                        format!("Searching the skipped nodes, {secs:.1} s: press Escape to stop"),
                        theme.text2,
                    );
                }
                Some(SkippedState::Done(skipped)) => {
                    let Some(shown) = inspection.shown() else {
                        return;
                    };
                    let [found, effect] = data::found(skipped, &shown.tree);
                    let changes = skipped.effect.is_some_and(|effect| effect.changes_choice);
                    paragraph(ui, RichText::new(found).font(theme::strong()), theme.text1);
                    paragraph(ui, effect, if changes { theme.warn } else { theme.text2 });
                }
                Some(SkippedState::Failed(reason)) => {
                    paragraph(ui, format!("✗ {reason}"), theme.error);
                    button(ui, search);
                }
            }

            if inspection.can(TreeCommand::JumpToStored).is_ok() {
                button(ui, TreeCommand::JumpToStored);
            }
        });
}

/// A label and its text; a click shows a shortened text in full.
fn row_ui(ui: &mut Ui, row: &DetailRow, in_full: &mut bool) {
    let theme = Theme::of(ui);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let label = ui
            .painter()
            .layout_no_wrap(row.label.to_owned(), theme::body(), theme.text3);
        let (rect, response) = ui.allocate_exact_size(vec2(LABELS, label.size().y), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, row.label));
        ui.painter().galley(rect.min, label, theme.text3);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let text = row.full.as_ref().filter(|_| *in_full).unwrap_or(&row.text);
            let label = Label::new(RichText::new(text).color(theme.text1)).wrap();
            if let Some(full) = &row.full {
                let response = ui.add(label.sense(Sense::click()));
                ring_focused(ui, &response, response.rect);
                let tip = match *in_full {
                    true => "Click to show less".to_owned(),
                    false => format!("{full}\n\nClick to show all"),
                };
                if response.on_hover_text(tip).clicked() {
                    *in_full = !*in_full;
                }
            } else {
                ui.add(label);
            }
            if !row.note.is_empty() {
                paragraph(ui, &row.note, theme.text2);
            }
        });
    });
}

fn line(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(
        rect.x_range(),
        rect.center().y.round() - 0.5,
        egui::Stroke::new(1.0, Theme::of(ui).sep),
    );
}

//! The strategy panel: what the strategy is, what each row does, and every way to change it.
//!
//! From top to bottom: the open strategies and the one on screen ([`header`]), the stack of rows ([`row`], unfolded [`settings`])
//! with the last resort and statistics over many games ([`evidence_bar`]), and the [`palette`] while its own panel is not on
//! screen. Dragging a row is in [`drag`](super::drag).

mod add;
pub(crate) mod data;
mod evidence_bar;
mod header;
mod palette;
mod row;
mod settings;

use std::ops::ControlFlow;

use egui::{Align2, Rect, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::review::Points;
use crate::strategy::{Decision, LastResort, MoveOrder, Strategy, StrategyEdit};
use crate::workbench::command::{Commands, Panel, SelectionCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{
    Button, choice, focus, focus_ring, menu_entry, paragraph, remark, scroll_beside, segmented,
};
use crate::workbench::panels::Building;
use crate::workbench::panels::builder::row::fit_button;
use crate::workbench::panels::builder::weights::fitting_row;
use crate::workbench::panels::builder::{RowDrag, Slots};
use crate::workbench::panels::play::decision;
use crate::workbench::panels::tree::fell;
use crate::workbench::state::{Document, Thought};
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

use add::AddList;
use data::{RowData, last_resort};
use header::Header;

/// Minimum height of the stack. If it does not fit, the palette folds to a button.
const LEAST_STACK: f32 = 190.0;
/// Maximum width of the stack: wider rows are harder to read.
const WIDEST_STACK: f32 = 840.0;

#[derive(Debug, Default)]
pub(crate) struct StrategyPanel {
    header: Header,
    adding: Option<AddList>,
    /// Whether a button below the stack replaces the palette.
    palette_folded: bool,
    /// Height of the stack's content in the last frame.
    stack_height: f32,
    requests: Vec<SelectionCommand>,
}

impl StrategyPanel {
    /// Queues a command that depends on the selection of this panel.
    pub(crate) fn request(&mut self, command: SelectionCommand) {
        self.requests.push(command);
    }

    /// The only action of the folded header without a command: editing the note.
    pub(crate) fn folded_ui(&mut self, ui: &mut Ui, doc: &Document) {
        let text = if doc.strategy().note.is_empty() {
            "Add a note"
        } else {
            "Edit the note"
        };
        if menu_entry(ui, text, None, Ok(())) {
            self.header.begin_note(&doc.strategy());
        }
    }

    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let strategy = doc.strategy();
        self.take_requests(ui, doc, building, commands);

        let panel = ui.max_rect();
        self.header.ui(ui, doc, building, commands);
        // The effect on the previous board stays, dimmed, while the same rows search. It disappears where they cannot decide.
        let may_decide = !matches!(doc.thought(), Thought::Impossible(_));
        let old = doc
            .decided()
            .filter(|decided| may_decide && decided.strategy.hash() == strategy.hash());
        let decision = old.map(|decided| &*decided.decision);
        problem_line(ui, &strategy, doc, commands);

        let room = ui.available_rect_before_wrap();
        let has_palette = building.visible.contains(&Panel::Palette);
        let folded = !has_palette && room.height() - palette::HEIGHT - theme::SPACE_M < LEAST_STACK;
        let stack = if has_palette || folded {
            room
        } else {
            // Directly below the rows while there is room, else at the bottom of the panel.
            let most = room.height() - palette::HEIGHT - theme::SPACE_L;
            room.with_max_y(room.top() + self.stack_height.min(most).max(LEAST_STACK.min(most)))
        };
        let stack = stack.with_max_x(stack.right().min(stack.left() + WIDEST_STACK));

        self.palette_folded = folded;
        self.stack_ui(ui, stack, decision, doc, building, commands);
        if !has_palette && !folded {
            let below = room.with_min_y(stack.bottom() + theme::SPACE_L);
            let mut inside = ui.new_child(UiBuilder::new().id_salt("palette").max_rect(below));
            palette::ui(&mut inside, doc, building, commands);
        }
        ui.allocate_rect(room, Sense::hover());

        // The drop zone starts a little above the first row. It ends above the palette, where a drop removes a row.
        building.drag.slots.zone = Rect::from_min_max(
            pos2(panel.left() - theme::PAD, stack.top() - theme::SPACE_L),
            pos2(stack.right() + theme::PAD, stack.bottom() + theme::SPACE_S),
        );
        self.adding_ui(ui, building, stack, doc, commands);
    }

    fn take_requests(
        &mut self,
        ui: &Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let strategy = doc.strategy();
        let rows = strategy.criteria.len();
        let name = |row: usize| strategy.criteria[row].label();
        for request in std::mem::take(&mut self.requests) {
            let mut moved = |building: &mut Building, from: usize, to: usize, place: usize| {
                building.drag.announcement =
                    Some(format!("{}, row {} of {rows}", name(from), place + 1));
                commands.push(StrategyEdit::MoveRow { from, to });
            };
            match (request, building.rows.selected()) {
                (SelectionCommand::RenameStrategy, _) => self.header.begin_rename(doc),
                (SelectionCommand::AddCriterion, _) => self.adding = Some(AddList::default()),
                (SelectionCommand::RowUp, Some(row)) if 0 < row => {
                    moved(building, row, row - 1, row - 1);
                }
                (SelectionCommand::RowDown, Some(row)) if row + 1 < rows => {
                    moved(building, row, row + 2, row + 1);
                }
                (SelectionCommand::RemoveRow, Some(row)) => {
                    building.drag.announcement =
                        Some(format!("{} removed, {} left", name(row), rows - 1));
                    commands.push(StrategyEdit::RemoveRow(row));
                    // The next row is selected, so that Delete can be repeated.
                    building.rows.select(if row + 1 < rows {
                        row + 1
                    } else {
                        row.saturating_sub(1)
                    });
                }
                // Without a selection, the key selects the first row.
                (
                    SelectionCommand::RowUp
                    | SelectionCommand::RowDown
                    | SelectionCommand::RemoveRow,
                    None,
                ) if 0 < rows => {
                    building.rows.select(0);
                }
                _ => {}
            }
            ui.ctx().request_repaint();
        }
    }

    fn stack_ui(
        &mut self,
        ui: &mut Ui,
        stack: Rect,
        decision: Option<&Decision>,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        let strategy = &doc.strategy();
        let mut slots = Slots::default();
        let is_dragging = egui::DragAndDrop::has_payload_of_type::<RowDrag>(ui.ctx());
        let height = scroll_beside(ui, "rows", stack, |ui| {
            ui.spacing_mut().item_spacing.y = theme::SPACE_M;
            slots.left_right = ui.max_rect().x_range();
            slots.top = ui.cursor().top();
            slots.clip = ui.clip_rect();
            let size = doc.board().size();
            let rejected = rejected(doc);
            for (index, criterion) in strategy.criteria.iter().enumerate() {
                let id = building.rows.ids[index];
                let shown = row::StackRow {
                    index,
                    criterion,
                    row: RowData::new(strategy, index, decision, building.evidence(strategy), size),
                    selected: building.rows.selected == Some(id),
                    lifted: building.drag.is_dragged(ui.ctx(), doc.current(), index),
                    rejects: rejected
                        .as_ref()
                        .filter(|(row, _)| *row == index)
                        .map(|(_, text)| text.clone()),
                    alpha: if doc.decision().is_some() {
                        1.0
                    } else {
                        decision::alpha(&doc.thought())
                    },
                    doc,
                };
                let rect = row::ui(ui, &mut building.rows, &shown, commands);
                if building.rows.reveal == Some(id) {
                    building.rows.reveal = None;
                    ui.scroll_to_rect(rect, None);
                }
                slots.rows.push(rect);
            }

            if strategy.criteria.is_empty() {
                empty_stack(ui, is_dragging || building.drag.key.is_some(), commands);
            }
            last_resort_ui(ui, strategy, decision, commands);
            if let Some(evidence) = building.evidence(strategy) {
                evidence_bar::ui(ui, strategy, evidence);
            }
            if self.palette_folded {
                let add = Button::new("Add row").icon(Icon::Plus).small();
                commands.show(
                    ui,
                    add,
                    SelectionCommand::AddCriterion,
                    strategy.room_for_a_row(),
                );
            }

            building.drag.take_slots(slots);
            building.drag.marker(ui, doc);
            scroll(ui, is_dragging);
            if let Some(row) = building
                .rows
                .drags
                .take()
                .filter(|&row| row < strategy.criteria.len())
            {
                building.drag.begin_row(row, &building.rows, doc);
                ui.ctx().request_repaint();
            }
            ui.min_rect().height()
        });
        if self.stack_height != height {
            self.stack_height = height;
            ui.ctx().request_repaint();
        }
    }

    fn adding_ui(
        &mut self,
        ui: &Ui,
        building: &mut Building,
        stack: Rect,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let rows = doc.strategy().criteria.len();
        let Some(adding) = &mut self.adding else {
            return;
        };
        let at = building.rows.selected().map_or(rows, |row| row + 1);
        let slots = &building.drag.slots;
        let below = at
            .checked_sub(1)
            .and_then(|row| slots.rows.get(row))
            .map_or(slots.top, Rect::bottom);
        let corner = pos2(
            stack.left(),
            below.clamp(stack.top(), stack.bottom()) + theme::SPACE_S,
        );
        let ControlFlow::Break(chosen) =
            adding.show(ui.ctx(), corner, stack.width().min(360.0), at, rows)
        else {
            return;
        };
        self.adding = None;
        if let Some(item) = chosen {
            building.rows.focuses_added = true;
            super::palette::add(doc, building, item, commands);
        }
    }
}

/// The row that rejects the judge's best move on the board, with the comparison that the move lost there.
fn rejected(doc: &Document) -> Option<(usize, String)> {
    let reviewed = doc
        .review()
        .filter(|_| !doc.hides_losses() && doc.editing().is_none())?;
    let verdict = reviewed
        .review
        .verdict(doc.place())
        .filter(|verdict| Points::ZERO < verdict.loss)?;
    let (row, comparison) = fell(doc.decision()?, &doc.strategy(), verdict.best)?;
    Some((
        row,
        format!(
            "Rejected the better move {}: {comparison}",
            verdict.best.arrow()
        ),
    ))
}

/// Inside the scroll area, after its content: scrolls it while something is dragged near an edge with more beyond it.
fn scroll(ui: &Ui, carries: bool) {
    const EDGE: f32 = 28.0;
    const POINTS_PER_SECOND: f32 = 480.0;
    let Some(pos) = ui
        .input(|input| input.pointer.interact_pos())
        .filter(|_| carries)
    else {
        return;
    };
    let clip = ui.clip_rect();
    if !clip.x_range().contains(pos.x) || !clip.expand(EDGE).contains(pos) {
        return;
    }
    let up = (clip.top() + EDGE - pos.y).clamp(0.0, EDGE);
    let down = (pos.y - clip.bottom() + EDGE).clamp(0.0, EDGE);
    let content = ui.min_rect();
    let has_more = if down < up {
        content.top() < clip.top()
    } else {
        clip.bottom() < content.bottom()
    };
    if up == down || !has_more {
        return;
    }
    let seconds = ui.input(|input| input.stable_dt).min(0.1);
    ui.scroll_with_delta(vec2(0.0, (up - down) / EDGE * POINTS_PER_SECOND * seconds));
    ui.ctx().request_repaint();
}

/// Why the strategy cannot play on the board on screen, with a remedy.
fn problem_line(ui: &mut Ui, strategy: &Strategy, doc: &Document, commands: &mut Commands) {
    let Some(problem) = doc.strategy_problem() else {
        return;
    };
    let color = Theme::of(ui).error;
    let size = doc.board().size();
    let misfit = strategy
        .criteria
        .iter()
        .enumerate()
        .find(|(_, row)| row.check(size).is_err());
    let remedy = misfit.map(|(row, old)| (row, old, fitting_row(old, size)));

    let frame = egui::Frame::new()
        .stroke(Stroke::new(1.0, color))
        .corner_radius(theme::RADIUS_S)
        .inner_margin(egui::Margin::symmetric(8, 6));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        paragraph(
            ui,
            format!("✗ {}", crate::words::capitalised(&problem)),
            color,
        );
        if let Some((row, old, criterion)) = remedy
            && criterion != *old
            && criterion.check(size).is_ok()
            && fit_button(
                ui,
                &format!("Use weights for {} × {}", size.rows(), size.cols()),
            )
        {
            commands.push(StrategyEdit::SetRow { row, criterion });
        }
    });
}

/// The place of the first row. It takes the focus of a new strategy, and a click opens the list of rows.
fn empty_stack(ui: &mut Ui, dragging: bool, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let words = "Drag a row from the palette, or press A";
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), row::LOW), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, words));
    focus::home(&response, Panel::Strategy.area());
    commands.when_clicked(&response, SelectionCommand::AddCriterion);
    if response.has_focus() {
        focus_ring(ui, rect.shrink(3.0));
    }

    let color = if dragging || response.hovered() {
        theme.accent
    } else {
        theme.line
    };
    let corners = [
        rect.left_top(),
        rect.right_top(),
        rect.right_bottom(),
        rect.left_bottom(),
        rect.left_top(),
    ];
    ui.painter().extend(egui::Shape::dashed_line(
        &corners,
        Stroke::new(1.0, color),
        5.0,
        4.0,
    ));
    ui.painter().text(
        rect.center(),
        Align2::CENTER_CENTER,
        words,
        theme::body(),
        theme.text3,
    );
}

/// Width of the drop-down with the order of moves, in points.
const ORDER_WIDTH: f32 = 160.0;

fn last_resort_ui(
    ui: &mut Ui,
    strategy: &Strategy,
    decision: Option<&Decision>,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    let (said, decides) = last_resort(strategy, decision);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 38.0), Sense::hover());
    let (width, color) = if decides {
        (2.0, theme.accent)
    } else {
        (1.0, theme.sep)
    };
    ui.painter().rect_stroke(
        rect,
        theme::RADIUS_M,
        Stroke::new(width, color),
        StrokeKind::Inside,
    );
    let then = pos2(rect.left() + row::NAME + 20.0, rect.center().y);
    ui.painter().text(
        then,
        Align2::RIGHT_CENTER,
        "then",
        theme::body(),
        theme.text3,
    );
    let space = Rect::from_min_max(
        pos2(then.x + theme::SPACE_M, rect.top()),
        rect.max - vec2(theme::SPACE_M, 0.0),
    );
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut inside = ui.new_child(
        UiBuilder::new()
            .id_salt("last resort")
            .max_rect(space)
            .layout(layout),
    );

    let order = strategy.last_resort.order();
    let mut last_resort = strategy.last_resort;
    let first = LastResort::in_order(order.unwrap_or(MoveOrder::USUAL));
    let choices = [LastResort::Random, first].map(|last| (last, last.kind()));
    let about = order.map_or(
        "Each remaining move is equally likely".to_owned(),
        |order| format!("The first remaining move in the order {order}"),
    );
    let response =
        segmented(&mut inside, "Last resort", &mut last_resort, &choices).on_hover_text(about);
    terms::tip(response, &terms::LAST_RESORT);

    if let Some(mut order) = order {
        let orders = MoveOrder::all().map(|order| (order, order.to_string()));
        let text = order.to_string();
        choice(
            &mut inside,
            "Order of moves",
            &mut order,
            text,
            ORDER_WIDTH,
            orders,
        );
        if strategy.last_resort == last_resort {
            last_resort = LastResort::in_order(order);
        }
    }
    if last_resort != strategy.last_resort {
        commands.push(StrategyEdit::SetLastResort(last_resort));
    }
    remark(
        &mut inside,
        said,
        if decides { theme.text1 } else { theme.text3 },
    );
}

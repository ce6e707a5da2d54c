//! The evaluators that rows are made of: chips below the stack, or a list beside it.

use egui::{Color32, Galley, Painter, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use std::sync::Arc;

use super::data::fitting;
use super::dragging::Dragged;
use crate::evaluator::Evaluator;
use crate::game::Size;
use crate::workbench::icon::{self, Icon};
use crate::workbench::theme::{self, Theme};

const HEADING: f32 = 18.0;
const GAP: f32 = 6.0;
/// Height of a row of the list.
const LISTED: f32 = 34.0;

/// Height of the chips in a panel of this width, heading included.
pub fn height(ui: &Ui, width: f32) -> f32 {
    let rows = places(&chips(ui), width).last().map_or(0.0, |&(_, row)| row as f32 + 1.0);
    HEADING + GAP + rows * (theme::HIT + GAP) - GAP
}

/// Draws the palette; returns the evaluator that was clicked twice or activated by key, to be added.
pub fn ui(ui: &mut Ui, size: Size, beside: bool) -> Option<Evaluator> {
    let theme = Theme::of(ui);
    let space = ui.max_rect();
    let title = ui.painter().layout_no_wrap("Palette".to_owned(), theme::medium(), theme.text1);
    let hint = if beside { "drag, or press A" } else { "drag into the stack, or press A" };
    let hint = ui.painter().layout_no_wrap(hint.to_owned(), theme::small(), theme.text3);
    let line = space.top() + HEADING / 2.0;
    let at = pos2(space.right() - hint.size().x, line - hint.size().y / 2.0 + 1.0);
    ui.painter().galley(at, hint, theme.text3);
    ui.painter().galley(pos2(space.left(), line - title.size().y / 2.0), title, theme.text1);

    let top = space.top() + HEADING + GAP;
    let mut wanted = None;
    if beside {
        let list = space.with_min_y(top);
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("list").max_rect(list));
        egui::ScrollArea::vertical().id_salt("palette").auto_shrink(false).show(&mut inside, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for evaluator in Evaluator::palette() {
                let (rect, response) =
                    ui.allocate_exact_size(vec2(ui.available_width(), LISTED), Sense::click_and_drag());
                listed(ui, rect, &response, &evaluator);
                wanted = wanted.take().or(handle(ui, response, &evaluator, size));
            }
        });
        return wanted;
    }
    let galleys = chips(ui);
    let places = places(&galleys, space.width());
    for ((evaluator, galley), (x, row)) in Evaluator::palette().into_iter().zip(galleys).zip(places) {
        let corner = pos2(space.left() + x, top + row as f32 * (theme::HIT + GAP));
        let rect = Rect::from_min_size(corner, vec2(chip_width(&galley), theme::HIT));
        let response = ui.interact(rect, ui.scope_id().with(evaluator.name()), Sense::click_and_drag());
        chip(ui, rect, &response, galley);
        wanted = wanted.or(handle(ui, response, &evaluator, size));
    }
    wanted
}

/// Tooltip, accessible name, drag and activation, the same in both forms.
fn handle(ui: &Ui, response: Response, evaluator: &Evaluator, size: Size) -> Option<Evaluator> {
    let name = format!("Palette {}", evaluator.name());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
    if response.drag_started() {
        egui::DragAndDrop::set_payload(ui.ctx(), Dragged::New(evaluator.clone()));
    }
    if response.hovered() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Grab);
    }
    // A single click is too easily a drag that was not meant, a key is not.
    let by_key = response.clicked() && !ui.input(|input| input.pointer.any_released());
    let add = response.double_clicked() || by_key;
    response.on_hover_text(format!(
        "{}: {}. Drag it into the stack, or click twice",
        evaluator.name(),
        evaluator.about()
    ));
    add.then(|| fitting(evaluator, size))
}

fn chips(ui: &Ui) -> Vec<Arc<Galley>> {
    let layout = |evaluator: Evaluator| {
        ui.painter().layout_no_wrap(evaluator.name().to_owned(), theme::body(), Color32::PLACEHOLDER)
    };
    Evaluator::palette().into_iter().map(layout).collect()
}

fn chip_width(galley: &Galley) -> f32 {
    (galley.size().x + icon::SIDE + 18.0).round()
}

/// Left edge and line of each chip.
fn places(chips: &[Arc<Galley>], width: f32) -> Vec<(f32, usize)> {
    let (mut x, mut row) = (0.0, 0);
    chips
        .iter()
        .map(|galley| {
            let own = chip_width(galley);
            if 0.0 < x && width < x + own {
                x = 0.0;
                row += 1;
            }
            let place = (x, row);
            x += own + GAP;
            place
        })
        .collect()
}

fn chip(ui: &Ui, rect: Rect, response: &Response, galley: Arc<Galley>) {
    let theme = Theme::of(ui);
    let hot = response.hovered() || response.has_focus();
    let mut painter = ui.painter().clone();
    if response.dragged() && egui::DragAndDrop::has_any_payload(ui.ctx()) {
        painter.set_opacity(theme::DRAG_SOURCE_ALPHA);
    }
    painter.rect_filled(rect.shrink2(vec2(0.0, 1.0)), theme::RADIUS_S, if hot { theme.bg4 } else { theme.bg3 });
    if response.has_focus() {
        crate::workbench::widget::focus_ring(ui, rect);
    }
    Icon::Grip.paint(&painter, pos2(rect.left() + 11.0, rect.center().y), theme.text3);
    let at = pos2(rect.left() + 10.0 + icon::SIDE, rect.center().y - galley.size().y / 2.0);
    painter.galley(at, galley, theme.text1);
}

fn listed(ui: &Ui, rect: Rect, response: &Response, evaluator: &Evaluator) {
    let theme = Theme::of(ui);
    if !ui.is_rect_visible(rect) {
        return;
    }
    let mut painter = ui.painter().clone();
    if response.dragged() && egui::DragAndDrop::has_any_payload(ui.ctx()) {
        painter.set_opacity(theme::DRAG_SOURCE_ALPHA);
    }
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, theme::RADIUS_S, theme.bg4);
    }
    if response.has_focus() {
        crate::workbench::widget::focus_ring(ui, rect.shrink(2.0));
    }
    Icon::Grip.paint(&painter, pos2(rect.left() + 9.0, rect.center().y), theme.text3);
    picture(&painter, theme, Rect::from_min_size(rect.min + vec2(22.0, 3.0), vec2(28.0, 28.0)), evaluator);
    let x = rect.left() + 60.0;
    let room = (rect.right() - x - 4.0).max(1.0);
    let text = |text: &str, font, color| {
        let mut job = egui::text::LayoutJob::simple_singleline(text.to_owned(), font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        painter.layout_job(job)
    };
    painter.galley(pos2(x, rect.top() + 1.0), text(evaluator.name(), theme::medium(), theme.text1), theme.text1);
    painter.galley(pos2(x, rect.top() + 17.0), text(evaluator.about(), theme::small(), theme.text3), theme.text3);
}

/// What an evaluator looks at, on sixteen cells: a level of the sequential scale from 0 to 6, or hollow.
fn cells(evaluator: &Evaluator) -> [Option<u8>; 16] {
    const O: Option<u8> = None;
    let level = |levels: [u8; 16]| levels.map(Some);
    match evaluator {
        Evaluator::Score => {
            let mut cells = [Some(1); 16];
            (cells[0], cells[1]) = (Some(5), Some(5));
            cells
        }
        Evaluator::Empty => {
            let (t, mut cells) = (Some(1), [O; 16]);
            (cells[0], cells[3], cells[5], cells[8], cells[14], cells[15]) = (t, t, t, t, t, t);
            cells
        }
        Evaluator::Uniformity => level([1, 1, 1, 4, 1, 1, 4, 4, 1, 6, 1, 1, 6, 6, 1, 1]),
        Evaluator::Monotonicity => level([6, 5, 4, 3, 5, 4, 3, 2, 4, 3, 2, 1, 3, 2, 1, 1]),
        Evaluator::Difference | Evaluator::Smoothness => level([6, 5, 4, 3, 5, 5, 4, 3, 4, 4, 3, 3, 3, 3, 3, 2]),
        Evaluator::SmoothnessPrinted => level([3, 4, 5, 6, 3, 4, 5, 5, 2, 3, 4, 4, 2, 3, 3, 3]),
        Evaluator::MaxTile => level([1, 1, 1, 1, 1, 1, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        Evaluator::Corner => level([2, 3, 4, 6, 1, 2, 3, 4, 1, 1, 2, 3, 0, 1, 1, 2]),
        Evaluator::Snake => level([6, 6, 5, 5, 3, 4, 4, 4, 3, 2, 2, 2, 0, 0, 1, 1]),
        Evaluator::Lines(_) => level([5, 5, 5, 5, 1, 1, 1, 1, 5, 5, 5, 5, 1, 1, 1, 1]),
        Evaluator::MonotoneSum => level([6, 4, 2, 1, 4, 3, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1]),
        Evaluator::CornerBonus => level([6, 1, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 3]),
        Evaluator::Weights(_) => level([6, 5, 3, 2, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]),
        Evaluator::Sum(_) => level([5, 5, 2, 2, 5, 5, 2, 2, 3, 3, 1, 1, 3, 3, 1, 1]),
        Evaluator::Product(..) => level([5, 2, 2, 5, 2, 5, 5, 2, 2, 5, 5, 2, 5, 2, 2, 5]),
        Evaluator::Inert => [Some(1); 16],
    }
}

fn picture(painter: &Painter, theme: &Theme, rect: Rect, evaluator: &Evaluator) {
    let side = rect.width() / 4.0;
    for (index, level) in cells(evaluator).into_iter().enumerate() {
        let corner = rect.min + vec2((index % 4) as f32, (index / 4) as f32) * side;
        let cell = Rect::from_min_size(corner, vec2(side - 1.0, side - 1.0));
        match level {
            Some(level) => {
                painter.rect_filled(cell, 1, theme.sequential(f32::from(level) / 6.0));
            }
            None => {
                painter.rect_stroke(cell, 1, Stroke::new(1.0, theme.line), StrokeKind::Inside);
            }
        }
    }
}

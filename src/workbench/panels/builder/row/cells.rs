//! The cells of a matrix: filled by their weight, chosen by click or arrow, painted by drag, typed into.

use egui::{
    Align2, Event, EventFilter, Id, Key, Modifiers, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, TextEdit,
    Ui, WidgetInfo, pos2, vec2,
};

use super::data::{PaintGroup, group};
use crate::game::Size;
use crate::words;
use crate::workbench::kit::focus_ring;
use crate::workbench::panels::builder::number::{self, Change, LARGEST};
use crate::workbench::panels::builder::weights::{largest, level};
use crate::workbench::theme::{self, Theme};

/// Between cells.
const GAP: f32 = 5.0;

/// What is remembered about the cells.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The chosen one, in reading order.
    pub selected: usize,
    /// Which cells are painted together.
    pub paint: PaintGroup,
    /// What is typed into a cell.
    typing: Option<CellTyping>,
    /// The weight that a drag paints.
    painting: Option<f64>,
}

#[derive(Debug)]
struct CellTyping {
    cell: usize,
    text: String,
    fresh: bool,
}

impl Cells {
    /// The cells that a change of the chosen one changes.
    pub(super) fn group(&self, size: Size) -> Vec<usize> {
        let paint = if self.paint.fits(size) { self.paint } else { PaintGroup::One };
        group(size, paint, self.selected.min(size.cells() - 1))
    }

    /// The numbers with another weight in the chosen cells.
    pub(super) fn with(&self, size: Size, values: &[f64], weight: f64) -> Vec<f64> {
        let mut values = values.to_vec();
        for cell in self.group(size) {
            values[cell] = weight.clamp(-LARGEST, LARGEST);
        }
        values
    }

    /// Draws the cells into a square of this side.
    pub(super) fn ui(&mut self, ui: &mut Ui, side: f32, size: Size, values: &[f64]) -> Change<Vec<f64>> {
        self.selected = self.selected.min(size.cells() - 1);
        let most = size.rows().max(size.cols()) as f32;
        let cell = ((side - GAP * (most - 1.0)) / most).floor();
        let span = |count: usize| count as f32 * cell + (count as f32 - 1.0) * GAP;
        let (rect, _) = ui.allocate_exact_size(vec2(span(size.cols()), span(size.rows())), Sense::hover());
        let place = |index: usize| {
            let at = vec2((index % size.cols()) as f32, (index / size.cols()) as f32) * (cell + GAP);
            Rect::from_min_size(rect.min + at, vec2(cell, cell))
        };
        let largest = largest(values);
        let group = self.group(size);
        let mut edit = None;
        for (index, &weight) in values.iter().enumerate() {
            let rect = place(index);
            if let Some(typed) = self.typing_ui(ui, rect, index, size, values) {
                edit = typed.or(edit);
                continue;
            }
            let response = ui.interact(rect, cell_id(ui, index), Sense::click_and_drag());
            let (row, col) = (index / size.cols() + 1, index % size.cols() + 1);
            let on = index == self.selected;
            response.widget_info(|| WidgetInfo {
                current_text_value: Some(words::decimals_short(weight)),
                ..WidgetInfo::selected(Role::Button, true, on, format!("Cell row {row} column {col}"))
            });
            let role = if on {
                CellRing::Chosen
            } else if group.contains(&index) {
                CellRing::Mirror
            } else {
                CellRing::None
            };
            paint_cell(ui, rect, weight, largest, role, &response);
            edit = self.hear(ui, &response, index, size, values).or(edit);
        }
        self.painted(ui, size, values, |at| (0..values.len()).find(|&index| place(index).contains(at))).or(edit)
    }

    /// Clicks, keys and the wheel on one cell.
    fn hear(&mut self, ui: &Ui, response: &Response, index: usize, size: Size, values: &[f64]) -> Change<Vec<f64>> {
        if response.clicked() || response.drag_started() || response.gained_focus() {
            self.selected = index;
            response.request_focus();
        }
        if response.drag_started() {
            self.painting = Some(values[index]);
        }
        if response.double_clicked() {
            self.type_into(index, words::decimals_short(values[index]));
        }
        if response.hovered() && index == self.selected {
            let notches: f32 = ui.input(|input| {
                let notch = |event: &Event| match event {
                    Event::MouseWheel { delta, .. } if delta.y != 0.0 => delta.y.signum(),
                    _ => 0.0,
                };
                input.events.iter().map(notch).sum()
            });
            if notches != 0.0 {
                // The panel does not scroll away under the pointer.
                ui.ctx().input_mut(|input| input.smooth_scroll_delta = egui::Vec2::ZERO);
                let weight = values[index] + f64::from(notches) * step(values[index]);
                return Some((self.with(size, values, weight), true));
            }
        }
        if response.has_focus() {
            let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
            self.keys(ui, index, size, values);
        }
        None
    }

    /// Arrows walk, digits and Enter begin to type.
    fn keys(&mut self, ui: &Ui, index: usize, size: Size, values: &[f64]) {
        let (row, col) = (index / size.cols(), index % size.cols());
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let to = if pressed(Key::ArrowUp) {
            (row.saturating_sub(1), col)
        } else if pressed(Key::ArrowDown) {
            ((row + 1).min(size.rows() - 1), col)
        } else if pressed(Key::ArrowLeft) {
            (row, col.saturating_sub(1))
        } else if pressed(Key::ArrowRight) {
            (row, (col + 1).min(size.cols() - 1))
        } else {
            (row, col)
        };
        if to != (row, col) {
            self.selected = to.0 * size.cols() + to.1;
            ui.memory_mut(|memory| memory.request_focus(cell_id(ui, self.selected)));
            return;
        }
        let typed = ui.input(|input| {
            input.events.iter().find_map(|event| match event {
                Event::Text(text) if text.chars().all(|c| c.is_ascii_digit() || c == '.') => Some(text.clone()),
                _ => None,
            })
        });
        if let Some(text) = typed {
            self.type_into(index, text);
        } else if pressed(Key::Enter) {
            self.type_into(index, words::decimals_short(values[index]));
        }
    }

    fn type_into(&mut self, cell: usize, text: String) {
        self.selected = cell;
        self.typing = Some(CellTyping { cell, text, fresh: true });
    }

    /// The field in a cell that is typed into; `None` if it is another one. What is no number changes nothing.
    fn typing_ui(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        index: usize,
        size: Size,
        values: &[f64],
    ) -> Option<Change<Vec<f64>>> {
        let typing = self.typing.as_mut().filter(|typing| typing.cell == index)?;
        let edit = TextEdit::singleline(&mut typing.text)
            .align(Align2::CENTER_CENTER)
            .desired_width(rect.width())
            .event_filter(EventFilter { escape: true, horizontal_arrows: true, ..EventFilter::default() });
        let response = ui.put(rect.shrink(1.0), edit).accessible_name("Weight of the cell");
        if std::mem::take(&mut typing.fresh) {
            response.request_focus();
            let mut state = egui::widgets::text_edit::TextEditState::load(ui.ctx(), response.id).unwrap_or_default();
            let end = egui::text::CCursor::new(egui::text::CharIndex(typing.text.chars().count()));
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui.ctx(), response.id);
            return Some(None);
        }
        let cancelled = ui.input(|input| input.key_pressed(Key::Escape));
        if response.has_focus() && !cancelled {
            return Some(None);
        }
        let by_enter = ui.input(|input| input.key_pressed(Key::Enter));
        let number = typing.text.trim().replace('−', "-").parse::<f64>().ok().filter(|number| number.is_finite());
        self.typing = None;
        if cancelled || by_enter {
            ui.memory_mut(|memory| memory.request_focus(cell_id(ui, index)));
        }
        let number = number.filter(|_| !cancelled);
        Some(number.map(|weight| (self.with(size, values, weight), false)))
    }

    /// A drag gives the cells it goes over the weight of the one where it began.
    fn painted(
        &mut self,
        ui: &Ui,
        size: Size,
        values: &[f64],
        cell_at: impl Fn(egui::Pos2) -> Option<usize>,
    ) -> Change<Vec<f64>> {
        let weight = self.painting?;
        let (at, down) = ui.input(|input| (input.pointer.interact_pos(), input.pointer.primary_down()));
        let over = at.and_then(cell_at);
        let mut next = values.to_vec();
        if let Some(over) = over {
            self.selected = over;
            next = self.with(size, values, weight);
        }
        if !down {
            self.painting = None;
            return Some((next, false));
        }
        (next != values).then_some((next, true))
    }
}

/// How much a notch of the wheel changes a weight.
fn step(weight: f64) -> f64 {
    if weight.abs() < 1.0 && weight != 0.0 {
        0.1
    } else {
        1.0_f64.max(10.0_f64.powf(weight.abs().max(1.0).log10().floor() - 1.0))
    }
}

fn cell_id(ui: &Ui, index: usize) -> Id {
    ui.scope_id().with(("cell of a matrix", index))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CellRing {
    None,
    Chosen,
    Mirror,
}

fn paint_cell(ui: &Ui, rect: Rect, weight: f64, largest: f64, ring: CellRing, response: &Response) {
    let theme = Theme::of(ui);
    let fill = theme.sequential(level(weight, largest));
    ui.painter().rect_filled(rect, theme::RADIUS_S, fill);
    let ink = theme::text_on(fill);
    // Up to four digits that say something; the whole number is in the tooltip.
    let text = match weight.abs() {
        size if 1e6 <= size => format!("{weight:.1e}").replace('-', "−"),
        size if size < 1e-3 && size != 0.0 => format!("{weight:.0e}").replace('-', "−"),
        _ => number::short(weight),
    };
    let font = (rect.width() * 0.28).min(rect.width() * 1.5 / text.chars().count().max(1) as f32).clamp(8.0, 20.0);
    ui.painter().text(rect.center(), Align2::CENTER_CENTER, text, theme::strong_of(font), ink);
    match ring {
        CellRing::Chosen => {
            ui.painter().rect_stroke(
                rect.expand(1.0),
                theme::RADIUS_S,
                Stroke::new(2.5, theme.accent),
                StrokeKind::Inside,
            );
        }
        CellRing::Mirror => {
            let rect = rect.shrink(0.5);
            let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
            ui.painter().extend(Shape::dashed_line(&corners, Stroke::new(2.0, theme.accent), 4.0, 3.0));
        }
        CellRing::None if response.hovered() => {
            ui.painter().rect_stroke(rect, theme::RADIUS_S, Stroke::new(1.0, theme.line), StrokeKind::Inside);
        }
        CellRing::None => {}
    }
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    if response.hovered() {
        response.clone().on_hover_text(words::decimals_short(weight));
    }
}

/// The scale of the fills with its ends in numbers.
pub(super) fn scale_ui(ui: &mut Ui, values: &[f64], width: f32) {
    let theme = Theme::of(ui);
    let largest = largest(values);
    let signed = values.iter().any(|&weight| weight < 0.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 26.0), Sense::hover());
    let end = words::decimals_short(largest);
    let end = if signed { format!("±{end}") } else { end };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Scale from 0 to {end}")));
    let painter = ui.painter();
    painter.text(rect.left_top(), Align2::LEFT_TOP, "0", theme::small(), theme.text3);
    painter.text(rect.right_top(), Align2::RIGHT_TOP, end, theme::small(), theme.text3);
    let bar = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 8.0), rect.max);
    let steps = 48;
    for step in 0..steps {
        let share = |step: usize| bar.left() + bar.width() * step as f32 / steps as f32;
        let part = Rect::from_min_max(pos2(share(step), bar.top()), pos2(share(step + 1) + 0.5, bar.bottom()));
        painter.rect_filled(part, 0, theme.sequential(step as f32 / (steps - 1) as f32));
    }
    response.on_hover_text("Each step of the colour multiplies the weight: a logarithmic scale");
}

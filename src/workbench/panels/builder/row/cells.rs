//! The cells of a matrix: filled by weight, chosen by click or arrow key, painted by drag, or typed into.

use egui::{
    Align2, Event, EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::data::{PaintGroup, group};
use crate::game::Size;
use crate::words;
use crate::workbench::kit::{RenameField, Renamed, focus, focus_ring, inert};
use crate::workbench::panels::builder::number::{self, Change, LARGEST};
use crate::workbench::panels::builder::weights::{largest, level};
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 5.0;
/// Maximum number of typed characters.
const LONGEST: usize = 400;

#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The chosen cell, in reading order.
    pub selected: usize,
    pub paint: PaintGroup,
    /// The cell that is being typed into, with its field.
    typing: Option<(usize, RenameField)>,
    /// The weight that the current drag paints.
    painting: Option<f64>,
}

impl Cells {
    /// The cells that change together with the chosen one.
    pub(super) fn group(&self, size: Size) -> Vec<usize> {
        let paint = if self.paint.fits(size) {
            self.paint
        } else {
            PaintGroup::One
        };
        group(size, paint, self.selected.min(size.cells() - 1))
    }

    pub(super) fn put(&self, size: Size, values: &mut [f64], weight: f64) {
        for cell in self.group(size) {
            values[cell] = weight.clamp(-LARGEST, LARGEST);
        }
    }

    /// Draws the cells into a square with this side.
    pub(super) fn ui(&mut self, ui: &mut Ui, side: f32, size: Size, values: &mut [f64]) -> Change {
        self.selected = self.selected.min(size.cells() - 1);
        let most = size.rows().max(size.cols()) as f32;
        let cell = ((side - GAP * (most - 1.0)) / most).floor();
        let span = |count: usize| count as f32 * cell + (count as f32 - 1.0) * GAP;
        let (rect, _) =
            ui.allocate_exact_size(vec2(span(size.cols()), span(size.rows())), Sense::hover());
        let place = |index: usize| {
            let at =
                vec2((index % size.cols()) as f32, (index / size.cols()) as f32) * (cell + GAP);
            Rect::from_min_size(rect.min + at, Vec2::splat(cell))
        };

        let (largest, group) = (largest(values), self.group(size));
        let mut change = None;
        for index in 0..values.len() {
            if self.typing.as_ref().is_some_and(|(cell, _)| *cell == index) {
                change = self.typing_ui(ui, place(index), size, values).or(change);
                continue;
            }
            let response = ui.interact(place(index), cell_id(ui, index), Sense::click_and_drag());
            let (row, col) = (index / size.cols() + 1, index % size.cols() + 1);
            let on = index == self.selected;
            response.widget_info(|| WidgetInfo {
                current_text_value: Some(words::decimals_short(values[index])),
                ..WidgetInfo::selected(
                    Role::Button,
                    true,
                    on,
                    format!("Cell row {row} column {col}"),
                )
            });
            paint_cell(
                ui,
                values[index],
                largest,
                on,
                group.contains(&index),
                &response,
            );
            change = self.hear(ui, &response, index, size, values).or(change);
        }
        self.painted(ui, size, values, |at| {
            (0..size.cells()).find(|&index| place(index).contains(at))
        })
        .or(change)
    }

    fn hear(
        &mut self,
        ui: &Ui,
        response: &Response,
        index: usize,
        size: Size,
        values: &mut [f64],
    ) -> Change {
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
            let notch = |event: &Event| match event {
                Event::MouseWheel { delta, .. } if delta.y != 0.0 => delta.y.signum(),
                _ => 0.0,
            };
            let notches: f32 = ui.input(|input| input.events.iter().map(notch).sum());
            if notches != 0.0 {
                // The panel must not scroll under the pointer.
                ui.ctx()
                    .input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
                self.put(
                    size,
                    values,
                    values[index] + f64::from(notches) * step(values[index]),
                );
                return Some(true);
            }
        }
        if response.has_focus() {
            let filter = EventFilter {
                horizontal_arrows: true,
                vertical_arrows: true,
                ..EventFilter::default()
            };
            focus::own_keys(response, filter);
            self.keys(ui, index, size, values[index]);
        }
        None
    }

    /// Arrow keys move the choice; digits and Enter start typing.
    fn keys(&mut self, ui: &Ui, index: usize, size: Size, weight: f64) {
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

        let typed = |event: &Event| match event {
            Event::Text(text) if text.chars().all(|c| c.is_ascii_digit() || c == '.') => {
                Some(text.clone())
            }
            _ => None,
        };
        if let Some(text) = ui.input(|input| input.events.iter().find_map(typed)) {
            self.type_into(index, text);
        } else if pressed(Key::Enter) {
            self.type_into(index, words::decimals_short(weight));
        }
    }

    fn type_into(&mut self, cell: usize, text: String) {
        self.selected = cell;
        self.typing = Some((cell, RenameField::new(text).longest(LONGEST)));
    }

    /// The field of the cell that is being typed into. Text that is not a number changes nothing.
    fn typing_ui(&mut self, ui: &mut Ui, rect: Rect, size: Size, values: &mut [f64]) -> Change {
        let (cell, field) = self.typing.as_mut()?;
        let cell = cell_id(ui, *cell);
        let filter = EventFilter {
            escape: true,
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        let typed = field.show(ui, "Weight of the cell", "", |ui, edit| {
            let edit = edit
                .align(Align2::CENTER_CENTER)
                .desired_width(rect.width())
                .event_filter(filter);
            ui.put(rect.shrink(1.0), edit)
        })?;
        self.typing = None;
        if typed == Renamed::Cancelled || ui.input(|input| input.key_pressed(Key::Enter)) {
            ui.memory_mut(|memory| memory.request_focus(cell));
        }
        let Renamed::To(text) = typed else {
            return None;
        };
        let weight = text
            .trim()
            .replace('−', "-")
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())?;
        self.put(size, values, weight);
        Some(false)
    }

    /// A drag gives the weight of its first cell to all cells it passes.
    fn painted(
        &mut self,
        ui: &Ui,
        size: Size,
        values: &mut [f64],
        cell_at: impl Fn(Pos2) -> Option<usize>,
    ) -> Change {
        let weight = self.painting?;
        let (at, down) =
            ui.input(|input| (input.pointer.interact_pos(), input.pointer.primary_down()));
        let before = values.to_vec();
        if let Some(over) = at.and_then(cell_at) {
            self.selected = over;
            self.put(size, values, weight);
        }
        if !down {
            self.painting = None;
        }
        (!down || *values != *before).then_some(down)
    }
}

/// The change of a weight per notch of the wheel.
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

/// Paints the fill and its number. The chosen cell has a ring, and the cells that change with it have a dashed one.
fn paint_cell(
    ui: &Ui,
    weight: f64,
    largest: f64,
    is_chosen: bool,
    changes: bool,
    response: &Response,
) {
    let (theme, painter, rect) = (Theme::of(ui), ui.painter(), response.rect);
    let fill = theme.sequential(level(weight, largest));
    painter.rect_filled(rect, theme::RADIUS_S, fill);
    // A short form; the tooltip has the whole number.
    let text = match weight.abs() {
        size if 1e6 <= size => format!("{weight:.1e}").replace('-', "−"),
        size if size < 1e-3 && size != 0.0 => format!("{weight:.0e}").replace('-', "−"),
        _ => number::short(weight),
    };
    let font = (rect.width() * 0.28)
        .min(rect.width() * 1.5 / text.chars().count().max(1) as f32)
        .clamp(8.0, 20.0);
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        text,
        theme::strong_of(font),
        theme::text_on(fill),
    );

    let ring = |rect: Rect, width: f32, color| {
        painter.rect_stroke(
            rect,
            theme::RADIUS_S,
            Stroke::new(width, color),
            StrokeKind::Inside,
        );
    };
    if is_chosen {
        ring(rect.expand(1.0), 2.5, theme.accent);
    } else if changes {
        let rect = rect.shrink(0.5);
        let corners = [
            rect.left_top(),
            rect.right_top(),
            rect.right_bottom(),
            rect.left_bottom(),
            rect.left_top(),
        ];
        painter.extend(Shape::dashed_line(
            &corners,
            Stroke::new(2.0, theme.accent),
            4.0,
            3.0,
        ));
    } else {
        ring(
            rect,
            1.0,
            if response.hovered() {
                theme.text1
            } else {
                theme.line
            },
        );
    }
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    if response.hovered() {
        response
            .clone()
            .on_hover_text(words::decimals_short(weight));
    }
}

/// The color scale with its ends as numbers.
pub(super) fn scale_ui(ui: &mut Ui, values: &[f64], width: f32) {
    const STEPS: usize = 48;
    let theme = Theme::of(ui);
    let signed = values.iter().any(|&weight| weight < 0.0);
    let end = format!(
        "{}{}",
        if signed { "±" } else { "" },
        words::decimals_short(largest(values))
    );
    let (rect, response) = inert(
        ui,
        vec2(width, 26.0),
        Role::Image,
        &format!("Scale from 0 to {end}"),
    );
    let painter = ui.painter();
    painter.text(
        rect.left_top(),
        Align2::LEFT_TOP,
        "0",
        theme::small(),
        theme.text3,
    );
    painter.text(
        rect.right_top(),
        Align2::RIGHT_TOP,
        end,
        theme::small(),
        theme.text3,
    );
    let edge = |step: usize| rect.left() + rect.width() * step as f32 / STEPS as f32;
    for step in 0..STEPS {
        let part = Rect::from_min_max(
            pos2(edge(step), rect.bottom() - 8.0),
            pos2(edge(step + 1) + 0.5, rect.bottom()),
        );
        painter.rect_filled(part, 0, theme.sequential(step as f32 / (STEPS - 1) as f32));
    }
    response.on_hover_text("Each step of the color multiplies the weight: a logarithmic scale");
}

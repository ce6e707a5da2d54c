//! A labelled field for a number or a text that shows its error in place.

use std::ops::RangeInclusive;

use egui::{DragValue, Response, RichText, Sense, Stroke, StrokeKind, TextEdit, Ui, emath::Numeric, vec2};

use crate::workbench::theme::{self, Theme};

/// Label, width and error of a field; [`Field::number`] and [`Field::text`] show it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    label: &'a str,
    label_width: f32,
    width: f32,
    suffix: &'a str,
    decimals: Option<usize>,
    error: Option<&'a str>,
}

impl<'a> Field<'a> {
    /// A field with its label to the left.
    pub fn new(label: &'a str) -> Self {
        Self { label, label_width: 82.0, width: 96.0, suffix: "", decimals: None, error: None }
    }

    /// Where the control begins, so that fields below each other align; 0 puts the label above.
    pub fn label_width(mut self, width: f32) -> Self {
        self.label_width = width;
        self
    }

    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    /// A unit within the control.
    pub fn suffix(mut self, suffix: &'a str) -> Self {
        self.suffix = suffix;
        self
    }

    /// A fixed number of decimals, so that nothing jumps.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = Some(decimals);
        self
    }

    /// One sentence naming place and remedy.
    pub fn error(mut self, error: Option<&'a str>) -> Self {
        self.error = error;
        self
    }

    /// Edits a number by dragging or typing.
    pub fn number<N: Numeric>(self, ui: &mut Ui, value: &mut N, range: RangeInclusive<N>) -> Response {
        self.show(ui, |ui, size| {
            let mut drag = DragValue::new(value).range(range).suffix(self.suffix.to_owned());
            if let Some(decimals) = self.decimals {
                drag = drag.fixed_decimals(decimals);
            }
            ui.spacing_mut().interact_size = size;
            ui.add(drag)
        })
    }

    /// Edits one line of text.
    pub fn text(self, ui: &mut Ui, value: &mut String) -> Response {
        self.show(ui, |ui, size| {
            let edit = TextEdit::singleline(value).align(egui::Align2::LEFT_CENTER).desired_width(size.x);
            ui.add_sized(size, edit)
        })
    }

    fn show(self, ui: &mut Ui, control: impl FnOnce(&mut Ui, egui::Vec2) -> Response) -> Response {
        let theme = Theme::of(ui);
        let size = vec2(self.width, theme::CONTROL);
        let body = |ui: &mut Ui| {
            let label = if self.label_width == 0.0 {
                ui.label(RichText::new(self.label).small().color(theme.text3))
            } else {
                let (rect, space) = ui.allocate_exact_size(vec2(self.label_width, theme::CONTROL), Sense::hover());
                let galley = ui.painter().layout_no_wrap(self.label.to_owned(), theme::body(), theme.text3);
                let top = rect.center().y - galley.size().y / 2.0;
                ui.painter().galley(egui::pos2(rect.left(), top), galley, theme.text3);
                space
            };
            let response = control(ui, size).labelled_by(label.id).accessible_name(self.label);
            if self.error.is_some() {
                ui.painter().rect_stroke(
                    response.rect,
                    theme::RADIUS_S,
                    Stroke::new(1.0, theme.error),
                    StrokeKind::Inside,
                );
            }
            response
        };
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            let response = if self.label_width == 0.0 {
                body(ui)
            } else {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 0.0;
                    body(ui)
                })
                .inner
            };
            if let Some(error) = self.error {
                ui.label(RichText::new(format!("✗ {error}")).small().color(theme.error));
            }
            response
        })
        .inner
    }
}

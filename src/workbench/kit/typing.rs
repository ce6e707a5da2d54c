//! A field for a text that means something: it counts when it is left, and stays with a red frame where it is refused.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Key, Margin, Stroke, StrokeKind, TextEdit, Ui, vec2};

use crate::workbench::theme::{self, Theme};

/// Around the text of a field.
const FIELD_MARGIN: Margin = Margin::symmetric(4, 2);

/// A text field that gives its text when it is left.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    text: String,
    active: bool,
    /// Whether it takes the keys once it is drawn.
    enters: bool,
    problem: Option<String>,
}

impl Typing {
    /// Why what was typed last was refused, until it is mended.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Gives it the keys once it is drawn.
    pub fn enter(&mut self) {
        self.enters = true;
    }

    /// Shows `value`; once another text was typed and accepted by `read`, returns what it means.
    pub fn show<T>(
        &mut self,
        ui: &mut Ui,
        name: &str,
        value: &str,
        font: &egui::FontId,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let was_active = self.active;
        if !was_active && self.problem.is_none() {
            value.clone_into(&mut self.text);
        }
        let width = ui.available_width();
        let mut elided = |ui: &Ui, text: &dyn egui::TextBuffer, _: f32| {
            let mut job =
                LayoutJob::simple_singleline(text.as_str().to_owned(), font.clone(), ui.visuals().text_color());
            job.wrap = TextWrapping::truncate_at_width(width - FIELD_MARGIN.sum().x);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let field = TextEdit::singleline(&mut self.text).align(Align2::LEFT_CENTER).margin(FIELD_MARGIN);
        let field = field.font(font.clone()).desired_width(width);
        // Who types sees all that is around the cursor; a text at rest ends in "…" where there is no room.
        let field = if was_active { field } else { field.layouter(&mut elided) };
        // The keyboard stays: what is typed next is not for the board.
        let field = field.return_key(None);
        let response = ui.add_sized(vec2(width, theme::CONTROL), field).accessible_name(name);
        if std::mem::take(&mut self.enters) {
            response.request_focus();
        }
        let is_long = || {
            let whole = ui.painter().layout_no_wrap(value.to_owned(), font.clone(), ui.visuals().text_color());
            width - FIELD_MARGIN.sum().x < whole.size().x
        };
        let response = if self.active || !is_long() { response } else { response.on_hover_text(value) };
        self.active = response.has_focus();
        if response.changed() {
            self.problem = None;
        }
        if self.problem.is_some() {
            let stroke = Stroke::new(1.0, Theme::of(ui).error);
            ui.painter().rect_stroke(response.rect, theme::RADIUS_S, stroke, StrokeKind::Inside);
        }
        let is_entered = self.active && ui.input(|input| input.key_pressed(Key::Enter));
        if !is_entered && (!was_active || self.active) {
            return None;
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            value.clone_into(&mut self.text);
        }
        let meant = (self.text != value).then(|| read(&self.text)).transpose();
        self.problem = meant.as_ref().err().cloned();
        meant.ok().flatten()
    }
}

//! A text field with a validated value: the value changes when the field loses the focus; an invalid text stays with a
//! red frame.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Key, Margin, Stroke, StrokeKind, TextEdit, Ui, vec2};

use crate::workbench::theme::{self, Theme};

/// Margin around the text of a field.
const FIELD_MARGIN: Margin = Margin::symmetric(4, 2);

/// A text field that returns its text when it loses the focus.
#[derive(Clone, Debug, Default)]
pub struct Typing {
    text: String,
    active: bool,
    /// Whether the user typed since it got the focus; until then it follows the value.
    is_typed: bool,
    /// Whether it takes the focus when it is drawn.
    enters: bool,
    problem: Option<String>,
}

impl Typing {
    /// Why the last text is invalid, until it is corrected.
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Focuses the field when it is drawn.
    pub fn enter(&mut self) {
        self.enters = true;
    }

    /// Shows `value`; once the user has entered another text that `read` accepts, returns its meaning.
    pub fn show<T>(
        &mut self,
        ui: &mut Ui,
        name: &str,
        value: &str,
        font: &egui::FontId,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        let was_active = self.active;
        if !self.is_typed && self.problem.is_none() {
            value.clone_into(&mut self.text);
        }
        let width = ui.available_width();
        let mut elided = |ui: &Ui, text: &dyn egui::TextBuffer, _: f32| {
            let mut job = LayoutJob::simple_singleline(
                text.as_str().to_owned(),
                font.clone(),
                ui.visuals().text_color(),
            );
            job.wrap = TextWrapping::truncate_at_width(width - FIELD_MARGIN.sum().x);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let field = TextEdit::singleline(&mut self.text)
            .align(Align2::LEFT_CENTER)
            .margin(FIELD_MARGIN);
        let field = field.font(font.clone()).desired_width(width);
        // An active field scrolls with the cursor; an inactive one is truncated with "…".
        let field = if was_active {
            field
        } else {
            field.layouter(&mut elided)
        };
        // Return keeps the focus, so that the next keys do not go to the board.
        let field = field.return_key(None);
        let response = ui
            .add_sized(vec2(width, theme::CONTROL), field)
            .accessible_name(name);
        if std::mem::take(&mut self.enters) {
            response.request_focus();
        }

        let is_long = || {
            let whole = ui.painter().layout_no_wrap(
                value.to_owned(),
                font.clone(),
                ui.visuals().text_color(),
            );
            width - FIELD_MARGIN.sum().x < whole.size().x
        };
        let response = if self.active || !is_long() {
            response
        } else {
            response.on_hover_text(value)
        };
        self.active = response.has_focus();
        if response.changed() {
            (self.problem, self.is_typed) = (None, true);
        }

        if self.problem.is_some() {
            let stroke = Stroke::new(1.0, Theme::of(ui).error);
            ui.painter()
                .rect_stroke(response.rect, theme::RADIUS_S, stroke, StrokeKind::Inside);
        }
        let is_entered = self.active && ui.input(|input| input.key_pressed(Key::Enter));
        if !is_entered && (!was_active || self.active) {
            return None;
        }

        if ui.input(|input| input.key_pressed(Key::Escape)) {
            value.clone_into(&mut self.text);
        }
        let is_typed = std::mem::take(&mut self.is_typed) || self.problem.is_some();
        let meant = (is_typed && self.text != value)
            .then(|| read(&self.text))
            .transpose();
        self.problem = meant.as_ref().err().cloned();
        meant.ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use egui::{Key, Role};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    /// A field with its value, and the values returned so far.
    fn field() -> Harness<'static, (Typing, String, Vec<String>)> {
        let show = |ui: &mut Ui, (typing, value, typed): &mut (Typing, String, Vec<String>)| {
            let read = |text: &str| {
                if text == "no" {
                    Err("No".to_owned())
                } else {
                    Ok(text.to_owned())
                }
            };
            typed.extend(typing.show(ui, "Field", value, &theme::body(), read));
        };
        let mut window =
            Harness::new_ui_state(show, (Typing::default(), "one".to_owned(), Vec::new()));
        window
            .get_by_role_and_label(Role::TextInput, "Field")
            .focus();
        window.run_steps(2);
        window
    }

    #[test]
    fn a_value_that_changes_meanwhile_is_followed_and_not_taken_back() {
        let mut window = field();
        window.state_mut().1 = "two".to_owned();
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert!(window.state().2.is_empty(), "nothing was typed");
        window
            .get_by_role_and_label(Role::TextInput, "Field")
            .type_text("!");
        window.state_mut().1 = "three".to_owned();
        window.run_steps(2);
        window.key_press(Key::Enter);
        window.run_steps(2);
        assert_eq!(window.state().2.len(), 1, "what was typed counts");
        assert!(window.state().2[0].contains('!'));
    }

    #[test]
    fn what_is_refused_stays_until_it_is_mended() {
        let mut window = field();
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window
            .get_by_role_and_label(Role::TextInput, "Field")
            .type_text("no");
        for _ in 0..2 {
            window.run_steps(2);
            window.key_press(Key::Enter);
            window.run_steps(2);
            assert_eq!(window.state().0.problem(), Some("No"));
        }
        assert!(window.state().2.is_empty());
    }
}

//! One-line fields: a name edited in place, and a search query.

use egui::text::{CCursor, CCursorRange, CharIndex};
use egui::widgets::text_edit::TextEditState;
use egui::{Align2, EventFilter, Id, Key, Margin, Response, TextEdit, Ui, pos2, vec2};

use crate::workbench::icon::Icon;
use crate::workbench::theme::{self, Theme};

const LONGEST: usize = 60;

/// A text edited until its field loses the focus. A name starts selected, so that typing replaces it.
#[derive(Clone, Debug)]
pub struct RenameField {
    text: String,
    longest: usize,
    /// True until the field has had the focus.
    fresh: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Renamed {
    /// With Escape: the name stays.
    Cancelled,
    /// With Enter, or when the focus moves elsewhere.
    To(String),
}

impl RenameField {
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            text: name.into(),
            longest: LONGEST,
            fresh: true,
        }
    }

    /// For texts longer than names, which start with the cursor at the end.
    pub fn longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// Draws the field with `add`. Returns the result once, when the field is left.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        name: &str,
        hint: &str,
        add: impl FnOnce(&mut Ui, TextEdit<'_>) -> Response,
    ) -> Option<Renamed> {
        let edit = line_edit(&mut self.text, hint).char_limit(self.longest);
        let response = add(ui, edit).accessible_name(name);
        if std::mem::take(&mut self.fresh) {
            response.request_focus();
            select(ui, response.id, &self.text, self.longest == LONGEST);
            return None;
        }
        if !response.has_focus() {
            return Some(Renamed::To(std::mem::take(&mut self.text)));
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
            return Some(Renamed::Cancelled);
        }
        None
    }
}

/// Selects the text of a field, so that typing replaces it.
pub fn select_all(ui: &Ui, field: Id, text: &str) {
    select(ui, field, text, true);
}

/// Selects all of the text of a field, or puts the cursor at its end.
fn select(ui: &Ui, field: Id, text: &str, all: bool) {
    let mut state = TextEditState::load(ui.ctx(), field).unwrap_or_default();
    let end = CCursor::new(CharIndex(text.chars().count()));
    let start = if all { CCursor::default() } else { end };
    state
        .cursor
        .set_char_range(Some(CCursorRange::two(start, end)));
    state.store(ui.ctx(), field);
}

/// A one-line field. It takes Escape, which would stop running tasks, and the arrows.
pub fn line_edit<'a>(text: &'a mut String, hint: &str) -> TextEdit<'a> {
    let filter = EventFilter {
        escape: true,
        horizontal_arrows: true,
        vertical_arrows: true,
        tab: false,
    };
    TextEdit::singleline(text)
        .hint_text(hint)
        .align(Align2::LEFT_CENTER)
        .event_filter(filter)
}

/// The search field above a list, as wide as possible; Escape clears and leaves it.
pub fn search_field(ui: &mut Ui, query: &mut String, name: &str) -> Response {
    let edit = line_edit(query, name)
        .desired_width(f32::INFINITY)
        .min_size(vec2(0.0, theme::CONTROL))
        .margin(Margin {
            left: 26,
            right: 6,
            top: 2,
            bottom: 2,
        });
    let response = ui.add(edit).accessible_name(name);
    let middle = pos2(response.rect.left() + 15.0, response.rect.center().y);
    Icon::Search.paint(ui.painter(), middle, Theme::of(ui).text2);
    if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        query.clear();
        response.surrender_focus();
    }
    response
}

/// Whether the click came from the keyboard, which cannot slip.
pub fn is_by_key(response: &Response) -> bool {
    response.clicked() && !response.ctx.input(|input| input.pointer.any_released())
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    /// The result of a field with an initial name after some keys.
    fn renamed(
        keys: impl FnOnce(&mut Harness<'_, (RenameField, Option<Renamed>)>),
    ) -> Option<Renamed> {
        let mut window = Harness::new_ui_state(
            |ui, (field, renamed): &mut (RenameField, Option<Renamed>)| {
                if renamed.is_none() {
                    *renamed = field.show(ui, "Name", "", |ui, edit| ui.add(edit));
                }
            },
            (RenameField::new("first"), None),
        );
        window.run_steps(3);
        keys(&mut window);
        window.run_steps(3);
        window.state().1.clone()
    }

    #[test]
    fn what_is_typed_takes_the_place_of_all_of_the_name() {
        let name = renamed(|window| {
            window.get_by_label("Name").type_text("second");
            window.run_steps(3);
            window.key_press(Key::Enter);
        });
        assert_eq!(name, Some(Renamed::To("second".to_owned())));
    }

    #[test]
    fn escape_keeps_the_name() {
        let name = renamed(|window| {
            window.get_by_label("Name").type_text("second");
            window.run_steps(3);
            window.key_press(Key::Escape);
        });
        assert_eq!(name, Some(Renamed::Cancelled));
    }
}

//! Parts that the analysis panels share: lines of widgets and the line of progress.

use std::hash::Hash;
use std::time::Duration;

use egui::{Align, Label, Layout, Rect, RichText, Sense, Ui, UiBuilder, vec2};

use crate::workbench::kit::{Button, progress};
use crate::workbench::theme::Theme;

/// Update interval of a progress bar.
const GROWS: Duration = Duration::from_millis(100);

/// A button with a tooltip that says what it does or why it is disabled; true if it was pressed.
pub(super) fn ask(
    ui: &mut Ui,
    button: Button<'_>,
    state: Result<(), impl AsRef<str>>,
    about: &str,
) -> bool {
    let response = ui.add(button.enabled(state.is_ok()));
    let response = match state {
        Ok(()) if about.is_empty() => response,
        Ok(()) => response.on_hover_text(about),
        Err(reason) => response.on_hover_text(reason.as_ref()),
    };
    response.clicked()
}

/// A line of widgets in its own rectangle.
pub(super) fn line_in(ui: &mut Ui, salt: impl Hash + std::fmt::Debug, rect: Rect) -> Ui {
    ui.new_child(
        UiBuilder::new()
            .id_salt(salt)
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center)),
    )
}

/// A line of widgets in its own rectangle, filled from the right.
pub(super) fn line_from_right(ui: &mut Ui, salt: impl Hash + std::fmt::Debug, rect: Rect) -> Ui {
    ui.new_child(
        UiBuilder::new()
            .id_salt(salt)
            .max_rect(rect)
            .layout(Layout::right_to_left(Align::Center)),
    )
}

/// A line of widgets of this height below the content so far.
pub(super) fn line_of(ui: &mut Ui, salt: impl Hash + std::fmt::Debug, height: f32) -> Ui {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    line_in(ui, salt, rect)
}

/// The progress; else the failure; else what is known.
pub(super) fn state_line(
    ui: &mut Ui,
    height: f32,
    name: &str,
    runs: Option<(String, f32)>,
    failed: Option<RichText>,
    summary: Option<RichText>,
) {
    let theme = Theme::of(ui);
    let mut line = line_of(ui, "state", height);
    if let Some((words, share)) = runs {
        line.ctx().request_repaint_after(GROWS);
        progress(&mut line, name, share, 72.0).on_hover_text("Press Escape to stop");
        line.add(Label::new(RichText::new(words).small().color(theme.text2)).truncate());
    } else if let Some(words) = failed {
        line.add(Label::new(words.color(theme.error)).truncate());
    } else if let Some(words) = summary {
        line.add(Label::new(words).truncate());
    }
}

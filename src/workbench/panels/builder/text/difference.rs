//! What was changed since the strategy was saved, or since its parent: in words, and as the lines of both texts.

use egui::{RichText, Role, ScrollArea, Stroke, Ui, pos2, vec2};

use crate::prose::{self, LineChange, line_changes};
use crate::strategy::Strategy;
use crate::words;
use crate::workbench::kit::{empty, inert};
use crate::workbench::theme::{self, Theme};

/// Height of a line.
const LINE: f32 = 17.0;
/// Room for the sign of a line.
const SIGN: f32 = 18.0;

/// Draws the difference of `after` to `before`; `to` says what that is: "the saved version".
pub(super) fn ui(ui: &mut Ui, before: &Strategy, after: &Strategy, to: &str) {
    let theme = Theme::of(ui);
    let phrases = prose::difference(before, after);
    let (old, new) = (before.pretty(), after.pretty());
    if phrases.is_empty() && old == new {
        empty(ui, &format!("Nothing was changed against {to}"));
        return;
    }
    ScrollArea::both().id_salt("difference").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        let head = format!("{} against {to}", words::plural(phrases.len() as u64, "change"));
        ui.label(RichText::new(head).small().color(theme.text3));
        for phrase in &phrases {
            ui.label(phrase);
        }
        ui.add_space(theme::SPACE_M);
        ui.spacing_mut().item_spacing.y = 0.0;
        line_changes(&old, &new).into_iter().for_each(|line| line_ui(ui, line));
    });
}

fn line_ui(ui: &mut Ui, line: LineChange<'_>) {
    let theme = Theme::of(ui);
    let (text, sign, name, color) = match line {
        LineChange::Same(text) => (text, "", "", theme.text2),
        LineChange::Removed(text) => (text, "−", "Removed: ", theme.error),
        LineChange::Added(text) => (text, "+", "Added: ", theme.ok),
    };
    let ink = if sign.is_empty() { theme.text2 } else { theme.text1 };
    let galley = ui.painter().layout_no_wrap(text.to_owned(), theme::mono(), ink);
    let width = (SIGN + galley.size().x + theme::SPACE_M).max(ui.available_width());
    let (rect, _) = inert(ui, vec2(width, LINE), Role::Label, &format!("{name}{}", text.trim()));
    if !ui.is_rect_visible(rect) {
        return;
    }
    if !sign.is_empty() {
        ui.painter().rect_filled(rect, 0, color.gamma_multiply(0.16));
        let sign = ui.painter().layout_no_wrap(sign.to_owned(), theme::mono(), color);
        ui.painter().galley(pos2(rect.left() + 5.0, rect.top() + 1.0), sign, color);
    }
    let at = pos2(rect.left() + SIGN, rect.top() + 1.0);
    if matches!(line, LineChange::Removed(_)) {
        let blank = text.len() - text.trim_start().len();
        let from = at.x + galley.size().x * blank as f32 / text.len().max(1) as f32;
        ui.painter().hline(from..=at.x + galley.size().x, rect.center().y.round() + 0.5, Stroke::new(1.0, color));
    }
    ui.painter().galley(at, galley, ink);
}

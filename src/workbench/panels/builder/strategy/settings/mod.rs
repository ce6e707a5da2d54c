//! The settings of an unfolded row: evaluator, lookahead, preference, tolerance, and whether it is in use at all.
//!
//! Each part returns what was changed as a new value; [`ui`] alone asks for it. A drag or a typed number is one step of undo.

mod evaluator;
mod lookahead;
mod number;

use egui::{Align2, RichText, Sense, Ui, vec2};

use super::row::Shown;
use crate::strategy::{Criterion, Prefer};
use crate::workbench::command::{Commands, StrategyCommand, ViewCommand};
use crate::workbench::kit::segmented;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Width of the labels.
const LABEL: f32 = 82.0;
/// From this width on, several settings stand in one line.
const WIDE: f32 = 480.0;

/// A new value, and whether the change goes on.
type Change<T> = Option<(T, bool)>;

/// Draws the settings of a row and asks for what is changed.
pub(super) fn ui(ui: &mut Ui, shown: &Shown<'_>, commands: &mut Commands) {
    let criterion = shown.criterion;
    let mut set = |criterion: Criterion, ongoing: bool| {
        commands.push(StrategyCommand::set_row(shown.index, criterion, ongoing));
    };
    let mut show_row = false;
    if let Some((evaluator, ongoing)) = evaluator::ui(ui, &criterion.evaluator, shown.size, &mut show_row) {
        set(Criterion { evaluator, ..criterion.clone() }, ongoing);
    }
    if let Some((lookahead, ongoing)) = lookahead::ui(ui, &criterion.lookahead, shown.size) {
        set(Criterion { lookahead, ..criterion.clone() }, ongoing);
    }
    let wide = is_wide(ui);
    labelled(ui, "Prefer", |ui| {
        let mut prefer = criterion.prefer;
        let choices = [(Prefer::Higher, "Higher"), (Prefer::Lower, "Lower")];
        let response = segmented(ui, "Prefer", &mut prefer, &choices);
        let changed = response.changed();
        terms::tip(response, &terms::PREFER);
        if changed {
            set(Criterion { prefer, ..criterion.clone() }, false);
        }
        if wide {
            beside(ui, "Tolerance ε");
            if let Some((tolerance, ongoing)) = tolerance_ui(ui, criterion.tolerance) {
                set(Criterion { tolerance, ..criterion.clone() }, ongoing);
            }
            beside(ui, "Row");
            if let Some(off) = use_ui(ui, criterion.off) {
                set(Criterion { off, ..criterion.clone() }, false);
            }
        }
    });
    if !wide {
        labelled(ui, "Tolerance ε", |ui| {
            if let Some((tolerance, ongoing)) = tolerance_ui(ui, criterion.tolerance) {
                set(Criterion { tolerance, ..criterion.clone() }, ongoing);
            }
            about(ui, "kept if this close to the best");
        });
        labelled(ui, "Row", |ui| {
            if let Some(off) = use_ui(ui, criterion.off) {
                set(Criterion { off, ..criterion.clone() }, false);
            }
        });
    }
    if show_row {
        commands.push(ViewCommand::ShowPanel(crate::workbench::command::Panel::Row));
    }
}

fn tolerance_ui(ui: &mut Ui, now: f64) -> Change<f64> {
    let mut tolerance = now;
    let drag = egui::DragValue::new(&mut tolerance).range(0.0..=1e12).speed(0.1).max_decimals(6);
    let response = ui.add_sized(vec2(64.0, theme::CONTROL), drag).accessible_name("Tolerance");
    let change = number::change(&response).map(|ongoing| (tolerance, ongoing));
    terms::tip(response, &terms::TOLERANCE);
    change
}

fn use_ui(ui: &mut Ui, now: bool) -> Option<bool> {
    let mut off = now;
    let response = segmented(ui, "Row in use", &mut off, &[(false, "On"), (true, "Off")]);
    let changed = response.changed();
    terms::tip(response, &terms::OFF);
    changed.then_some(off)
}

/// Whether several settings fit into one line.
fn is_wide(ui: &Ui) -> bool {
    WIDE <= ui.available_width() - LABEL
}

/// One line: its label, then its controls.
fn labelled<R>(ui: &mut Ui, label: &str, content: impl FnOnce(&mut Ui) -> R) -> R {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, theme::CONTROL), Sense::hover());
        ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, label, theme::body(), theme.text3);
        content(ui)
    })
    .inner
}

/// The label of a further control of the same line.
fn beside(ui: &mut Ui, label: &str) {
    let color = Theme::of(ui).text3;
    ui.label(RichText::new(label).color(color));
}

/// A remark in the rest of the line.
fn about(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).text3;
    ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate());
}

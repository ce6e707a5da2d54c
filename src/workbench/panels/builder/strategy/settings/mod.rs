//! The settings of an unfolded row: evaluator, lookahead, preference, tolerance, and whether it is in use at all.
//!
//! Each part returns what was changed as a new value; [`ui`] alone asks for it. A drag or a typed number is one step of undo.

mod evaluator;
mod lookahead;

use egui::{Align2, RichText, Sense, Ui, vec2};

use crate::game::Size;
use crate::strategy::{Criterion, Prefer};
use crate::workbench::command::{Commands, StrategyCommand, ViewCommand};
use crate::workbench::kit::segmented;
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

/// Width of the labels.
const LABEL: f32 = 82.0;
/// From this width on, several settings stand in one line.
const WIDE: f32 = 480.0;

/// Draws the settings of a row and asks for what is changed.
pub(super) fn ui(ui: &mut Ui, row: usize, criterion: &Criterion, size: Size, commands: &mut Commands) {
    let mut show_row = false;
    let evaluator = evaluator::ui(ui, &criterion.evaluator, size, &mut show_row)
        .map(|(evaluator, ongoing)| (Criterion { evaluator, ..criterion.clone() }, ongoing));
    let lookahead = lookahead::ui(ui, &criterion.lookahead, size)
        .map(|(lookahead, ongoing)| (Criterion { lookahead, ..criterion.clone() }, ongoing));
    let wide = is_wide(ui);
    let others = lines(
        ui,
        &[
            ("Prefer", &|ui| {
                let choices = [(Prefer::Higher, "Higher"), (Prefer::Lower, "Lower")];
                let prefer = choice(ui, "Prefer", criterion.prefer, &choices, &terms::PREFER)?;
                Some((Criterion { prefer, ..criterion.clone() }, false))
            }),
            ("Tolerance ε", &|ui| {
                let change = tolerance_ui(ui, criterion.tolerance);
                if !wide {
                    about(ui, "kept if this close to the best");
                }
                change.map(|(tolerance, ongoing)| (Criterion { tolerance, ..criterion.clone() }, ongoing))
            }),
            ("Row", &|ui| {
                let off = choice(ui, "Row in use", criterion.off, &[(false, "On"), (true, "Off")], &terms::OFF)?;
                Some((Criterion { off, ..criterion.clone() }, false))
            }),
        ],
    );
    for (criterion, ongoing) in [evaluator, lookahead, others].into_iter().flatten() {
        commands.push(StrategyCommand::set_row(row, criterion, ongoing));
    }
    if show_row {
        commands.push(ViewCommand::ShowPanel(crate::workbench::command::Panel::Row));
    }
}

fn tolerance_ui(ui: &mut Ui, now: f64) -> Change<f64> {
    let mut tolerance = now;
    let drag = egui::DragValue::new(&mut tolerance).range(0.0..=number::LARGEST).speed(0.1).max_decimals(6);
    let response = ui.add_sized(vec2(64.0, theme::CONTROL), drag).accessible_name("Tolerance");
    let change = number::change(&response).map(|ongoing| (tolerance, ongoing));
    terms::tip(response, &terms::TOLERANCE);
    change
}

/// One of a few values beside each other.
fn choice<T: Copy + PartialEq>(ui: &mut Ui, name: &str, now: T, all: &[(T, &str)], term: &Term) -> Option<T> {
    let mut chosen = now;
    let response = segmented(ui, name, &mut chosen, all);
    let changed = response.changed();
    terms::tip(response, term);
    changed.then_some(chosen)
}

/// A setting with its label, which returns what it was changed to.
type Setting<'a, T> = (&'a str, &'a dyn Fn(&mut Ui) -> Change<T>);

/// Settings that share a line where there is room, else have one each; the last that changed.
fn lines<T>(ui: &mut Ui, settings: &[Setting<'_, T>]) -> Change<T> {
    let ((label, first), others) = settings.split_first()?;
    if !is_wide(ui) {
        return settings.iter().fold(None, |found, (label, setting)| labelled(ui, label, setting).or(found));
    }
    labelled(ui, label, |ui| {
        others.iter().fold(first(ui), |found, (label, setting)| {
            if !label.is_empty() {
                beside(ui, label);
            }
            setting(ui).or(found)
        })
    })
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

//! The settings of an unfolded row: evaluator, lookahead, preference, tolerance, and whether the row is on.
//!
//! Each part edits its value in place; only [`ui`] requests the change. A drag or a typed number is one undo step.

mod controls;
mod evaluator;
mod formula;
mod lookahead;
mod program;
mod sampled;

use std::cell::RefCell;

use egui::{Align2, DragValue, RichText, Sense, Ui, vec2};

use crate::game::{Board, Size};
use crate::strategy::{Criterion, Prefer};
use crate::task::Tasks;
use crate::workbench::command::{Commands, Panel, StrategyCommand, ViewCommand};
use crate::workbench::icon::{Icon, icon_button_if};
use crate::workbench::kit::segmented;
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::program_trial::ProgramTrial;
use crate::workbench::terms::{self, Term};
use crate::workbench::theme::{self, Theme};

const LABEL: f32 = 82.0;
/// From this width on, several settings share a line.
const WIDE: f32 = 480.0;

/// The position on which settings show their effect.
#[derive(Clone, Copy)]
pub(super) struct On<'a> {
    pub(super) board: &'a Board,
    pub(super) score: u64,
    /// The trial of a program on this position.
    pub(super) trial: &'a RefCell<ProgramTrial>,
    pub(super) tasks: &'a Tasks,
}

impl On<'_> {
    fn size(self) -> Size {
        self.board.size()
    }
}

/// Draws the settings of a row, and requests changes.
pub(super) fn ui(
    ui: &mut Ui,
    row: usize,
    criterion: &Criterion,
    on: On<'_>,
    commands: &mut Commands,
) {
    let size = on.size();
    let mut show_row = false;
    let mut now = criterion.clone();
    let evaluator = evaluator::ui(ui, &mut now.evaluator, on, &mut show_row);
    let lookahead = lookahead::ui(ui, &mut now.lookahead, size);
    let wide = is_wide(ui);

    let others: [Setting<'_, Criterion>; 3] = [
        ("Prefer", &|ui, now| {
            let choices = [(Prefer::Higher, "Higher"), (Prefer::Lower, "Lower")];
            choice(ui, "Prefer", &mut now.prefer, &choices, &terms::PREFER)
        }),
        ("Tolerance ε", &|ui, now| {
            let drag = DragValue::new(&mut now.tolerance)
                .range(0.0..=number::LARGEST)
                .speed(0.1)
                .max_decimals(6);
            let response = ui
                .add_sized(vec2(64.0, theme::CONTROL), drag)
                .accessible_name("Tolerance");
            let change = number::change(&response);
            terms::tip(response, &terms::TOLERANCE);
            if !wide {
                about(ui, "moves this close to the best are kept");
            }
            change
        }),
        ("Row", &|ui, now| {
            choice(
                ui,
                "Row in use",
                &mut now.off,
                &[(false, "On"), (true, "Off")],
                &terms::OFF,
            )
        }),
    ];

    let others = lines(ui, &mut now, &others);
    if let Some(ongoing) = others.or(lookahead).or(evaluator) {
        commands.push(StrategyCommand::set_row(row, now, ongoing));
    }
    if let Some(command) = on.trial.borrow_mut().to_allow.take() {
        commands.push(StrategyCommand::AskToRun(command));
    }
    if show_row {
        commands.push(ViewCommand::ShowPanel(Panel::Row));
    }
}

fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    now: &mut T,
    all: &[(T, &str)],
    term: &Term,
) -> Change {
    let is_changed = terms::tip(segmented(ui, name, now, all), term).changed();
    is_changed.then_some(false)
}

/// A cross that removes one of several parts. The last one stays, for the reason in `needed`.
fn remove_button(ui: &mut Ui, name: &str, count: usize, needed: &str) -> bool {
    let reason = if count < 2 { needed } else { "" };
    icon_button_if(ui, Icon::Close, name, reason, 1 < count).clicked()
}

type Setting<'a, T> = (&'a str, &'a dyn Fn(&mut Ui, &mut T) -> Change);

/// Settings share a line if there is room, else each has its own. Returns the last change.
fn lines<T>(ui: &mut Ui, now: &mut T, settings: &[Setting<'_, T>]) -> Change {
    let ((label, first), others) = settings.split_first()?;
    if !is_wide(ui) {
        return settings.iter().fold(None, |found, (label, setting)| {
            labelled(ui, label, |ui| setting(ui, now)).or(found)
        });
    }
    labelled(ui, label, |ui| {
        others
            .iter()
            .fold(first(ui, now), |found, (label, setting)| {
                if !label.is_empty() {
                    beside(ui, label);
                }
                setting(ui, now).or(found)
            })
    })
}

fn is_wide(ui: &Ui) -> bool {
    WIDE <= ui.available_width() - LABEL
}

/// One line with a label and its controls.
fn labelled<R>(ui: &mut Ui, label: &str, content: impl FnOnce(&mut Ui) -> R) -> R {
    let theme = Theme::of(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_M;
        let (rect, _) = ui.allocate_exact_size(vec2(LABEL, theme::CONTROL), Sense::hover());
        ui.painter().text(
            rect.left_center(),
            Align2::LEFT_CENTER,
            label,
            theme::body(),
            theme.text3,
        );
        content(ui)
    })
    .inner
}

fn beside(ui: &mut Ui, label: &str) {
    let color = Theme::of(ui).text3;
    ui.label(RichText::new(label).color(color));
}

fn about(ui: &mut Ui, text: &str) {
    let color = Theme::of(ui).text3;
    ui.add(egui::Label::new(RichText::new(text).small().color(color)).truncate());
}

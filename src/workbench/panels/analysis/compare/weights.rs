//! Ranked against weighted: a weighted sum that approximates the rows of A, and how often it decides like A.

use std::time::Duration;

use egui::{Align2, Rect, RichText, ScrollArea, Ui, pos2};

use super::SEED;
use super::pair::error_ui;
use crate::analysis::{Sample, Weighing, weigh};
use crate::evaluator::Evaluator;
use crate::prose::{self, interval_text, percent};
use crate::strategy::{Strategy, StrategyHash};
use crate::task::{Job, Latest, TaskError, TaskGroup, TaskInfo, TaskState};
use crate::words;
use crate::workbench::command::{Command, Commands, CompareCommand, StrategyCommand};
use crate::workbench::kit::{Button, ListRow, empty, rule};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Maximum number of positions: half to fit the weights, half to test them.
const POSITIONS: usize = 4_000;
/// Time for which A plays to collect the positions.
const LIMIT: Duration = Duration::from_secs(1);
/// Widths of a term's name and weight.
const NAME: f32 = 150.0;
const WEIGHT: f32 = 90.0;

#[derive(Debug, Default)]
pub(super) struct WeightsView {
    weighing: Latest<StrategyHash, Result<Weighing, String>>,
}

impl WeightsView {
    pub(super) fn ui(&mut self, ui: &mut Ui, doc: &Document, commands: &mut Commands) {
        let a = doc.strategy();
        if self.weighing.key().is_some_and(|of| *of != a.hash()) {
            self.weighing.clear();
        }

        self.weighing.poll();
        let theme = Theme::of(ui);
        ui.horizontal_wrapped(|ui| {
            if self.weighing.is_pending() {
                if ui.add(Button::new("Stop")).on_hover_text("Give the search for weights up (Escape)").clicked() {
                    self.weighing.stop();
                }
                ui.label(RichText::new("A plays, and weights are learned from its decisions").color(theme.text2));
                return;
            }
            let text = if self.weighing.known().is_some() { "Propose again" } else { "Propose weights" };
            let response = ui.add(Button::new(text).accent()).on_hover_text(
                "One weighted sum in place of the rows of A, learned from what A decides in its own games",
            );
            if response.clicked() {
                self.begin(doc);
            }
            ui.label(RichText::new(format!("for the rows of {}", a.label())).color(theme.text2));
        });

        ui.add_space(theme::SPACE_S);
        match self.weighing.state() {
            TaskState::Idle | TaskState::Failed(TaskError::Stopped { .. }) => {
                empty(
                    ui,
                    "Ranked against weighted: press Propose weights, and a sum that decides as the rows of A do appears here",
                );
            }
            TaskState::Pending { .. } | TaskState::Partial(_) => {}
            TaskState::Failed(reason) => error_ui(ui, &format!("The search for weights failed: {reason}")),
            TaskState::Done(Err(reason)) => error_ui(ui, reason),
            TaskState::Done(Ok(weighing)) => {
                ScrollArea::vertical().id_salt("weights").auto_shrink(false).show(ui, |ui| {
                    answer_ui(ui, &a, weighing, commands);
                });
            }
        }
    }

    fn begin(&mut self, doc: &Document) {
        let a = doc.strategy();
        let (hash, rules) = (a.hash(), doc.rules_here());
        self.weighing.clear();
        match doc.player_here(&a) {
            Err(problem) => self.weighing.set(hash, Err(format!("{} cannot play here: {problem}", a.label()))),
            Ok(player) => {
                let work = move |job: &Job<_>| {
                    let sample = Sample::play(&player, SEED, POSITIONS, LIMIT, job.token());
                    weigh(&a, rules, &sample, job.token()).map_err(|error| error.to_string())
                };
                let info = TaskInfo::asked(TaskGroup::Panel, "Looking for weights");
                self.weighing.ask(hash, &doc.tasks, info, work);
            }
        }
    }
}

fn answer_ui(ui: &mut Ui, a: &Strategy, weighing: &Weighing, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let agreed = weighing.agreed;
    let said = format!(
        "{} of {} decisions ({}) are those of the rows; none of them was used to find the weights",
        percent(agreed),
        words::count(agreed.n),
        interval_text(agreed)
    );
    terms::tip(ui.label(RichText::new(said).font(theme::strong())), &terms::WEIGHING);
    let fitted =
        format!("On the {} it was learned from: {}", words::count(weighing.fitted.n), percent(weighing.fitted));
    ui.label(RichText::new(fitted).small().color(theme.text3));
    ui.add_space(theme::SPACE_S);
    ui.scope(|ui| sum_ui(ui, &weighing.strategy));
    ui.add_space(theme::SPACE_S);
    let named =
        |ending: &str, strategy: &Strategy| Strategy { name: format!("{}, {ending}", a.label()), ..strategy.clone() };
    buttons_ui(ui, "", named("weighted", &weighing.strategy), commands);
    ui.add_space(theme::SPACE_S);
    ui.label(RichText::new(prose::about_exact_sum(weighing)).color(theme.text2));

    if let Ok(exact) = &weighing.exact {
        ui.add_space(theme::SPACE_M);
        ui.label(
            RichText::new("Weights so far apart that no later row can outweigh an earlier one").font(theme::strong()),
        );
        ui.scope(|ui| sum_ui(ui, exact));
        ui.add_space(theme::SPACE_S);
        buttons_ui(ui, " with exact weights", named("exact weights", exact), commands);
    }
}

fn buttons_ui(ui: &mut Ui, which: &str, strategy: Strategy, commands: &mut Commands) {
    ui.horizontal_wrapped(|ui| {
        let open = format!("Open as strategy{which}");
        if ui.add(Button::new("Open as strategy").name(&open)).on_hover_text("Open it in the builder").clicked() {
            commands.push(StrategyCommand::Open(Box::new(strategy.clone())));
        }
        let compare = format!("Compare with A{which}");
        let response = ui.add(Button::new("Compare with A").name(&compare));
        if response.on_hover_text("Open it and make it B").clicked() {
            commands.push(Command::Compare(CompareCommand::Beside(Box::new(strategy))));
        }
    });
}

/// The terms with their weights, each with a bar relative to the largest weight.
fn sum_ui(ui: &mut Ui, strategy: &Strategy) {
    let theme = Theme::of(ui);
    let Some(Evaluator::Sum(terms)) = strategy.criteria.first().map(|row| &row.evaluator) else { return };
    let largest = terms.iter().map(|(weight, _)| weight.abs()).fold(0.0, f64::max);

    // Table rows have no space between them.
    ui.spacing_mut().item_spacing.y = 0.0;

    for (weight, term) in terms {
        let (name, text) = (term.label(), words::decimals_short(*weight));
        let response = ListRow::new(&format!("Weight of {name}: {text}")).inert().show(ui, |line, _| {
            let right = line.left + NAME + WEIGHT;
            let painter = line.painter.clone();
            painter.text(pos2(right, line.y), Align2::RIGHT_CENTER, &text, theme::strong(), theme.text1);
            let ends = right + theme::SPACE_L..=line.right.min(right + 260.0);
            let track = Rect::from_x_y_ranges(ends, line.y - 3.0..=line.y + 3.0);
            if 24.0 < track.width() && 0.0 < largest {
                painter.rect_filled(track, 3, theme.bg3);
                let filled = track.with_max_x(track.left() + track.width() * (weight.abs() / largest) as f32);
                painter.rect_filled(filled, 3, theme.sequential(0.55));
            }
            line.right = line.left + NAME - theme::SPACE_M;
            line.start(&name, theme::body(), theme.text1);
        });
        rule(ui, response.rect);
    }
}

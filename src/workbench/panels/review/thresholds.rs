//! The thresholds of the move classes: in points and, on demand, in percentage points of a chance.

use egui::{DragValue, Ui, vec2};
use strum::IntoEnumIterator as _;

use crate::review::{
    ChanceGoal, ChanceQuestion, ChanceThresholds, Class, Points, Report, Thresholds,
};
use crate::words;
use crate::workbench::command::{Commands, ReviewCommand};
use crate::workbench::kit::{Button, segmented, small_print};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct ThresholdsView {
    /// The edited question, before it is requested.
    draft: Option<ChanceQuestion>,
}

impl ThresholdsView {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        report: &Report,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let mut set = report.thresholds;
        points_ui(ui, report, &mut set);
        self.goal_ui(ui, report, doc, commands);
        if let Some(chance) = &mut set.chance {
            chance_ui(ui, chance);
        }
        if set != report.thresholds {
            commands.push(ReviewCommand::Thresholds(set));
        }
    }

    /// Selects the chance that also classes moves, and its parameters.
    fn goal_ui(&mut self, ui: &mut Ui, report: &Report, doc: &Document, commands: &mut Commands) {
        let theme = Theme::of(ui);
        let current = report.thresholds.chance.map(|chance| chance.question);
        let shown = self.draft.or(current);
        let mut goal = shown.map(|question| question.goal);
        let choices = [
            (None, "Points only"),
            (Some(ChanceGoal::Survive), "Points and survival"),
            (Some(ChanceGoal::NextTile), "Points and next tile"),
        ];

        ui.horizontal_wrapped(|ui| {
            small_print(ui, "Class by", theme.text2);
            if segmented(ui, "Class moves by", &mut goal, &choices).changed() {
                let usual = goal.map(ChanceQuestion::usual);
                self.draft = usual.map(|usual| {
                    shown.map_or(usual, |shown| ChanceQuestion {
                        goal: usual.goal,
                        ..shown
                    })
                });
                if goal.is_none() {
                    commands.push(ReviewCommand::Chance(None));
                }
            }
        });

        let Some(mut question) = self.draft.or(current) else {
            return;
        };
        ui.horizontal_wrapped(|ui| {
            small_print(ui, "within", theme.text2);
            number(
                ui,
                &mut question.moves,
                ChanceQuestion::MOST_MOVES,
                "Number of moves",
            );
            small_print(ui, "moves, by", theme.text2);
            number(
                ui,
                &mut question.playouts,
                ChanceQuestion::MOST_PLAYOUTS,
                "Games per move",
            );
            small_print(ui, "games per move", theme.text2);
            if Some(question) == current {
                self.draft = None;
                return;
            }
            self.draft = Some(question);
            let command = ReviewCommand::Chance(Some(question));
            if commands
                .show(ui, Button::new("Play out moves").accent(), command, doc)
                .clicked()
            {
                self.draft = None;
            }
        });
    }
}

fn number<N: egui::emath::Numeric>(ui: &mut Ui, value: &mut N, most: N, name: &str) {
    let drag = DragValue::new(value).range(N::from_f64(1.0)..=most);
    ui.add_sized(vec2(52.0, theme::CONTROL), drag)
        .accessible_name(name)
        .on_hover_text(name);
}

/// The number of moves in each class, and its threshold in points.
fn points_ui(ui: &mut Ui, report: &Report, set: &mut Thresholds) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        for class in Class::iter() {
            let count = report.classes.of(class);
            let moves = words::plural(count, class.name());
            small_print(ui, format!("{} {moves} from", class.mark()), theme.text2);
            let mut points = set.of(class).to_f64();
            let speed = (points * 0.01).max(0.001);
            let drag = DragValue::new(&mut points)
                .range(0.000_001..=1e9)
                .speed(speed)
                .max_decimals(3);
            let response = ui.add_sized(vec2(58.0, theme::CONTROL), drag);
            let name = format!("Smallest loss of {}", class.name());
            let about = format!("{name}, in points");
            if response
                .accessible_name(&name)
                .on_hover_text(about)
                .changed()
                && let Some(points) = Points::of(points)
            {
                *set = set.with(class, points);
            }
        }
        small_print(ui, "points", theme.text2);
    });
}

/// The threshold of each class in percentage points of the chance.
fn chance_ui(ui: &mut Ui, set: &mut ChanceThresholds) {
    let theme = Theme::of(ui);
    ui.horizontal_wrapped(|ui| {
        for class in Class::iter() {
            small_print(
                ui,
                format!("{} {} from", class.mark(), class.name()),
                theme.text2,
            );
            let mut percent = f64::from(set.of(class)) / 10.0;
            let drag = DragValue::new(&mut percent)
                .range(0.1..=100.0)
                .speed(0.1)
                .max_decimals(1)
                .suffix(" %");
            let response = ui.add_sized(vec2(58.0, theme::CONTROL), drag);
            let name = format!("Smallest loss of chance of {}", class.name());
            let about = format!(
                "{name}, in percentage points of the {}",
                set.question.text()
            );
            if response
                .accessible_name(&name)
                .on_hover_text(about)
                .changed()
            {
                *set = set.with(class, (percent * 10.0).round() as u16);
            }
        }
        small_print(
            ui,
            format!(
                "of the {}: lower end of the 95 % interval",
                set.question.text()
            ),
            theme.text2,
        );
    });
}

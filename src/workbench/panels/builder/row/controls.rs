//! The controls beside the cells of a matrix: presets, the chosen weight, cells painted together, and a symmetry warning.

use egui::{Popup, Response, RichText, Slider, SliderClamping, TextEdit, Ui, vec2};

use super::cells::{Cells, scale_ui};
use super::data::{MatrixPreset, PaintGroup, asymmetry, copied, pasted};
use crate::game::Size;
use crate::strategy::Criterion;
use crate::words;
use crate::workbench::icon::{Icon, icon_label};
use crate::workbench::kit::{Button, mini_board, segmented, small_print};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::weights::largest;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

#[derive(Debug, Default)]
pub(super) struct Controls {
    /// The end of the slider during a drag, so that the handle stays under the pointer.
    range: Option<f64>,
    /// The pasted text, and its mistake.
    pasted: String,
    problem: Option<String>,
    /// Whether two boards are visible that show the asymmetry of the row.
    shows_turns: bool,
}

impl Controls {
    /// Draws the controls; Reset returns to the numbers in `old`.
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        cells: &mut Cells,
        size: Size,
        values: &mut Vec<f64>,
        old: &[f64],
    ) -> Change {
        ui.spacing_mut().item_spacing.y = theme::SPACE_S;
        label(ui, "Preset");
        let mut preset = MatrixPreset::ALL
            .map(|(preset, _)| preset)
            .into_iter()
            .find(|preset| preset.values(size) == *values);
        let choices = MatrixPreset::ALL.map(|(preset, text)| (Some(preset), text));
        let picked = segmented(ui, "Preset of the matrix", &mut preset, &choices).changed();
        let mut taken = preset.filter(|_| picked).map(|preset| preset.values(size));
        ui.add_space(theme::SPACE_S);
        label(ui, &chosen_words(cells, size));
        let change = self.weight_ui(ui, cells, size, values);
        ui.add_space(theme::SPACE_S);
        label(ui, "Paint");
        let fitting: Vec<(PaintGroup, &str)> = PaintGroup::ALL
            .into_iter()
            .filter(|(paint, _)| paint.fits(size))
            .collect();
        let paints = segmented(ui, "Painted together", &mut cells.paint, &fitting);
        paints.on_hover_text(
            "Which cells change with the selected cell. Drag over cells to give them its weight",
        );
        ui.add_space(theme::SPACE_S);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            let about = if old == *values {
                Err("Nothing has changed")
            } else {
                Ok("Restore the weights as they were opened or saved")
            };
            if Button::new("Reset")
                .name("Reset the matrix")
                .show(ui, about)
                .clicked()
            {
                taken = Some(old.to_vec());
            }
            let copy = ui.add(Button::new("Copy").quiet().name("Copy the matrix"));
            if copy.on_hover_text("Copy the numbers in rows").clicked() {
                ui.copy_text(copied(values, size));
            }
            let paste = ui.add(Button::new("Paste…").quiet().name("Paste a matrix"));
            taken = self.paste_ui(&paste, size).or(taken.take());
        });
        ui.add_space(theme::SPACE_M);
        scale_ui(ui, values, ui.available_width().min(316.0));
        let Some(taken) = taken else { return change };
        *values = taken;
        Some(false)
    }

    fn weight_ui(&mut self, ui: &mut Ui, cells: &Cells, size: Size, values: &mut [f64]) -> Change {
        let mut weight = values[cells.selected];
        let most = self.range.unwrap_or(nice(largest(values)));
        let least = if values.iter().any(|&weight| weight < 0.0) {
            -most
        } else {
            0.0
        };
        let change = ui.horizontal(|ui| {
            ui.spacing_mut().slider_width = (ui.available_width() - 84.0).clamp(60.0, 170.0);
            let slider = Slider::new(&mut weight, least..=most)
                .show_value(false)
                .logarithmic(1000.0 <= most);
            // A weight between two steps, such as one of a preset, is shown unchanged.
            let slider = slider.clamping(SliderClamping::Never);
            let slider = ui
                .add(slider.step_by(if most <= 20.0 { 0.1 } else { 0.0 }))
                .accessible_name("Selected weight");
            self.range = slider.dragged().then_some(most);
            ui.spacing_mut().interact_size = vec2(64.0, theme::CONTROL);
            let number = number::weight(&mut weight);
            let number =
                ui.add(number.custom_parser(|text| text.trim().replace('−', "-").parse().ok()));
            let number = number.accessible_name("Number of the selected weight");
            [slider, number].iter().find_map(number::change)
        });
        let ongoing = change.inner?;
        cells.put(size, values, weight);
        Some(ongoing)
    }

    /// A field that takes numbers from the clipboard.
    fn paste_ui(&mut self, button: &Response, size: Size) -> Option<Vec<f64>> {
        let mut values = None;
        let popup =
            Popup::menu(button).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
        let fresh = button.clicked();
        popup.show(|ui| {
            let theme = Theme::of(ui);
            ui.set_width(260.0);
            let numbers = words::plural(size.cells() as u64, "number");
            label(
                ui,
                &format!("{numbers} in rows, separated by spaces or commas"),
            );
            let field = TextEdit::multiline(&mut self.pasted)
                .desired_rows(size.rows())
                .desired_width(f32::INFINITY);
            let field = ui
                .add(field.font(theme::mono()))
                .accessible_name("Numbers to paste");
            if fresh {
                self.pasted.clear();
                self.problem = None;
                field.request_focus();
                ui.ctx()
                    .send_viewport_cmd(egui::ViewportCommand::RequestPaste);
            }
            if field.changed() {
                match pasted(&self.pasted, size) {
                    Ok(numbers) => {
                        values = Some(numbers);
                        ui.close();
                    }
                    Err(problem) => self.problem = Some(problem),
                }
            }
            if let Some(problem) = &self.problem {
                small_print(ui, format!("✗ {problem}"), theme.error);
            }
        });
        values
    }

    /// Warns that turned boards have other values, and shows two of them.
    pub(super) fn warning_ui(&mut self, ui: &mut Ui, row: &Criterion, doc: &Document) {
        let (board, score) = (doc.board(), doc.node().score);
        // Whether a program is symmetric is unknown, and this thread does not wait for an answer.
        if !row.programs().is_empty()
            || row.evaluator.check(board.size()).is_err()
            || row.evaluator.is_symmetric(board.size())
        {
            return;
        }

        let theme = Theme::of(ui);
        ui.add_space(theme::SPACE_S);
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            icon_label(ui, Icon::Warning, theme.warn);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                let ways = if board.size().rows() == board.size().cols() { "eight" } else { "four" };
                let words = format!("Not symmetric: the {ways} turns of this board give different values");
                small_print(ui, words, theme.warn);
                let text = if self.shows_turns { "Hide" } else { "Show me" };
                let about = "Two boards that are mirror images or rotations of each other, with their values";
                if ui.add(Button::new(text).quiet().small()).on_hover_text(about).clicked() {
                    self.shows_turns ^= true;
                }
            });
        });

        if !self.shows_turns {
            return;
        }
        let Some(boards) = asymmetry(&row.evaluator, &board, score) else {
            label(ui, "None of the tested boards shows it");
            return;
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_L;
            for (name, (board, value)) in ["This board", "Its image"].into_iter().zip(boards) {
                ui.vertical(|ui| {
                    let value = words::value(value);
                    mini_board(ui, &format!("{name}, worth {value}"), 84.0, &board);
                    ui.label(RichText::new(value).font(theme::strong()));
                });
            }
        });
    }
}

/// The end of a slider: 1, 2 or 5 times a power of ten, at least 10.
fn nice(largest: f64) -> f64 {
    let power = 10.0_f64.powf(largest.max(1.0).log10().floor());
    let ends = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    ends.into_iter()
        .find(|&end| largest <= end)
        .unwrap_or(power * 10.0)
        .max(10.0)
}

/// "Chosen, row 1 column 2 and its mirror".
fn chosen_words(cells: &Cells, size: Size) -> String {
    let (row, col) = (
        cells.selected / size.cols() + 1,
        cells.selected % size.cols() + 1,
    );
    let others = match cells.group(size).len() {
        0 | 1 => String::new(),
        2 => " and its mirror".to_owned(),
        count => format!(" and {} images", count - 1),
    };
    format!("Selected, row {row} column {col}{others}")
}

fn label(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).small().color(Theme::of(ui).text3));
}

//! What positions are worth: the kind of evaluator, and the numbers of those that have some.
//!
//! Sums and products contain evaluators, so that everything here takes one and returns the one it becomes.

use egui::{Popup, Rect, Sense, Stroke, Ui, vec2};

use super::{about, labelled};
use crate::evaluator::{Evaluator, Lines, Weights};
use crate::game::Size;
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Button, drop_down, segmented};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::palette::paint_evaluator;
use crate::workbench::panels::builder::weights::{fitting, gradient, largest, level, named, presets, terms};
use crate::workbench::terms as glossary;
use crate::workbench::theme::{self, Theme};

/// Height of a list of evaluators; more scroll.
const HIGHEST_LIST: f32 = 600.0;
/// Deeper than this sums are written as text, not edited here.
const DEEPEST: usize = 3;

/// Draws the evaluator of a row.
pub(super) fn ui(ui: &mut Ui, now: &Evaluator, size: Size, show_row: &mut bool) -> Change<Evaluator> {
    let kind = labelled(ui, "Evaluator", |ui| {
        let chosen = kinds(ui, "Evaluator", now, Evaluator::palette(), size, 132.0);
        about(ui, now.facts().about);
        chosen
    });
    let parts = match now {
        Evaluator::Weights(weights) => weights_ui(ui, weights, size, show_row),
        _ => parts_ui(ui, now, size, 0, show_row),
    };
    kind.map(|evaluator| (evaluator, false)).or(parts)
}

/// What an evaluator is made of, if anything.
fn parts_ui(ui: &mut Ui, now: &Evaluator, size: Size, depth: usize, show_row: &mut bool) -> Change<Evaluator> {
    if DEEPEST < depth {
        labelled(ui, "", |ui| about(ui, &format!("{}: edit it as text", now.label())));
        return None;
    }
    match now {
        Evaluator::Sum(terms) => sum_ui(ui, terms, size, depth, show_row),
        Evaluator::Product(one, other) => product_ui(ui, one, other, size, depth, show_row),
        Evaluator::Lines(lines) => lines_ui(ui, lines).map(|(lines, ongoing)| (Evaluator::Lines(lines), ongoing)),
        Evaluator::Weights(_) if 0 < depth => {
            labelled(ui, "", |ui| row_panel_button(ui, show_row));
            None
        }
        _ => None,
    }
}

/// A drop-down of evaluators: by kind for a row, by name and numbers for a part of another one.
fn kinds(ui: &mut Ui, name: &str, now: &Evaluator, all: Vec<Evaluator>, size: Size, width: f32) -> Option<Evaluator> {
    let mut chosen = None;
    let by_kind = name == "Evaluator";
    let is_made_of_parts =
        |evaluator: &Evaluator| matches!(evaluator, Evaluator::Sum(_) | Evaluator::Product(..) | Evaluator::Lines(_));
    let text = |evaluator: &Evaluator| {
        if by_kind || is_made_of_parts(evaluator) { evaluator.name().to_owned() } else { evaluator.label() }
    };
    let selected = text(now);
    // All kinds are seen at once where the window is high enough.
    let combo = drop_down(name, selected.clone(), width).truncate().height(HIGHEST_LIST).show_ui(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for evaluator in all {
            let on = text(&evaluator) == selected;
            let response = ui.selectable_label(on, text(&evaluator));
            let clicked = response.clicked();
            glossary::tip(response, glossary::of_evaluator(&evaluator));
            if clicked && !on {
                chosen = Some(fitting(&evaluator, size));
            }
        }
    });
    let response = combo.response.accessible_name(name);
    glossary::tip(response, glossary::of_evaluator(now));
    chosen
}

/// The parts on offer: every plain evaluator, and at first sums and products of them.
fn offered(size: Size, depth: usize) -> Vec<Evaluator> {
    let mut all = terms(size);
    if depth < DEEPEST {
        let nested = |evaluator: &Evaluator| matches!(evaluator, Evaluator::Sum(_) | Evaluator::Product(..));
        all.extend(Evaluator::palette().into_iter().filter(nested).map(|evaluator| fitting(&evaluator, size)));
    }
    all
}

fn picture(ui: &mut Ui, evaluator: &Evaluator) {
    let (rect, _) = ui.allocate_exact_size(vec2(22.0, theme::CONTROL), Sense::hover());
    let square = Rect::from_center_size(rect.center(), vec2(20.0, 20.0));
    paint_evaluator(ui.painter(), Theme::of(ui), square, evaluator);
}

fn sum_ui(ui: &mut Ui, now: &[(f64, Evaluator)], size: Size, depth: usize, show_row: &mut bool) -> Change<Evaluator> {
    let mut change: Change<Vec<(f64, Evaluator)>> = None;
    for (index, (weight, evaluator)) in now.iter().enumerate() {
        let number = index + 1;
        let with = |term: (f64, Evaluator)| {
            let mut terms = now.to_vec();
            terms[index] = term;
            terms
        };
        ui.push_id(("term", index), |ui| {
            let wide = super::is_wide(ui);
            let label = if index == 0 { "Terms" } else { "" };
            labelled(ui, label, |ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                if let Some(terms) = term_menu(ui, now, index) {
                    change = Some((terms, false));
                }
                picture(ui, evaluator);
                let width = if wide { 112.0 } else { (ui.available_width() - 40.0).clamp(60.0, 140.0) };
                if let Some(other) = kinds(ui, &format!("Term {number}"), evaluator, offered(size, depth), size, width)
                {
                    change = Some((with((*weight, other)), false));
                }
                if wide && let Some((weight, ongoing)) = weight_ui(ui, number, *weight) {
                    change = Some((with((weight, evaluator.clone())), ongoing));
                }
                let only = now.len() < 2;
                let reason = if only { "A sum needs a term: remove the row instead" } else { "" };
                let cross = |ui: &mut Ui| icon_button(ui, Icon::Close, &format!("Remove term {number}"), reason);
                if ui.add_enabled_ui(!only, cross).inner.clicked() {
                    let mut terms = now.to_vec();
                    terms.remove(index);
                    change = Some((terms, false));
                }
            });
            if !wide {
                labelled(ui, "", |ui| {
                    if let Some((weight, ongoing)) = weight_ui(ui, number, *weight) {
                        change = Some((with((weight, evaluator.clone())), ongoing));
                    }
                });
            }
            if let Some((inner, ongoing)) = parts_ui(ui, evaluator, size, depth + 1, show_row) {
                change = Some((with((*weight, inner)), ongoing));
            }
        });
    }
    labelled(ui, "", |ui| {
        if ui.add(Button::new("Add term").icon(Icon::Plus).quiet().small()).clicked() {
            let unused = terms(size).into_iter().find(|term| now.iter().all(|(_, old)| old != term));
            let mut terms = now.to_vec();
            terms.push((1.0, unused.unwrap_or(Evaluator::Empty)));
            change = Some((terms, false));
        }
    });
    change.map(|(terms, ongoing)| (Evaluator::Sum(terms), ongoing))
}

fn weight_ui(ui: &mut Ui, number: usize, now: f64) -> Change<f64> {
    let room = ui.available_width() - number::BESIDE - theme::HIT;
    number::slider(ui, &format!("Weight of term {number}"), now, 1.0, room.clamp(40.0, 150.0))
}

/// The grip of a term: moves it up and down.
fn term_menu(ui: &mut Ui, now: &[(f64, Evaluator)], index: usize) -> Option<Vec<(f64, Evaluator)>> {
    let mut moved = None;
    let button = icon_button(ui, Icon::Grip, &format!("Move term {}", index + 1), "");
    Popup::menu(&button).show(|ui| {
        for (text, to) in [("Move up", index.checked_sub(1)), ("Move down", Some(index + 1))] {
            let to = to.filter(|&to| to < now.len());
            if ui.add_enabled(to.is_some(), egui::Button::new(text)).clicked()
                && let Some(to) = to
            {
                let mut terms = now.to_vec();
                terms.swap(index, to);
                moved = Some(terms);
                ui.close();
            }
        }
    });
    moved
}

fn product_ui(
    ui: &mut Ui,
    one: &Evaluator,
    other: &Evaluator,
    size: Size,
    depth: usize,
    show_row: &mut bool,
) -> Change<Evaluator> {
    let mut change = None;
    for (index, factor) in [one, other].into_iter().enumerate() {
        let with = |factor: Evaluator| {
            let (one, other) = if index == 0 { (factor, other.clone()) } else { (one.clone(), factor) };
            Evaluator::Product(Box::new(one), Box::new(other))
        };
        ui.push_id(("factor", index), |ui| {
            labelled(ui, if index == 0 { "Factors" } else { "" }, |ui| {
                picture(ui, factor);
                let name = format!("Factor {}", index + 1);
                if let Some(other) = kinds(ui, &name, factor, offered(size, depth), size, 132.0) {
                    change = Some((with(other), false));
                }
            });
            if let Some((inner, ongoing)) = parts_ui(ui, factor, size, depth + 1, show_row) {
                change = Some((with(inner), ongoing));
            }
        });
    }
    change
}

/// All seven constants, each with Xiao's as the usual one.
fn lines_ui(ui: &mut Ui, now: &Lines) -> Change<Lines> {
    let constants = now.constants();
    let mut change = None;
    for (index, (&(name, value), (_, usual))) in constants.iter().zip(Lines::XIAO.constants()).enumerate() {
        let name = name.replace('_', " ");
        let label = match name.as_str() {
            "monotonicity" => "order",
            "monotonicity power" => "order power",
            name => name,
        };
        ui.push_id(("constant", index), |ui| {
            labelled(ui, label, |ui| {
                let room = (ui.available_width() - number::BESIDE - theme::SPACE_M).clamp(40.0, 200.0);
                if let Some((value, ongoing)) = number::slider(ui, &format!("Lines {name}"), value, usual, room) {
                    let mut all = constants.map(|(_, constant)| constant);
                    all[index] = value;
                    let [fixed, empty, merges, monotonicity, monotonicity_power, sum, sum_power] = all;
                    let lines = Lines { fixed, empty, merges, monotonicity, monotonicity_power, sum, sum_power };
                    change = Some((lines, ongoing));
                }
            });
        });
    }
    if *now != Lines::XIAO {
        labelled(ui, "", |ui| {
            if ui.add(Button::new("Reset to Xiao's").small()).clicked() {
                change = Some((Lines::XIAO, false));
            }
        });
    }
    change
}

fn row_panel_button(ui: &mut Ui, show_row: &mut bool) {
    let response = ui.add(Button::new("Edit in Row panel").small());
    *show_row |= response.on_hover_text("The matrix at large, with painting and presets").clicked();
}

fn weights_ui(ui: &mut Ui, now: &Weights, size: Size, show_row: &mut bool) -> Change<Evaluator> {
    let mut change = None;
    let presets: Vec<(Weights, &str)> = presets(size).collect();
    let fits = now.values().len() == size.cells();
    labelled(ui, "Weights", |ui| {
        let mut choice = presets.iter().position(|(preset, _)| preset == now);
        let mut choices: Vec<(Option<usize>, &str)> =
            presets.iter().enumerate().map(|(index, (_, name))| (Some(index), *name)).collect();
        if choice.is_none() {
            choices.push((None, "own"));
        }
        if 1 < choices.len() {
            if segmented(ui, "Weights preset", &mut choice, &choices).changed()
                && let Some((preset, _)) = choice.and_then(|index| presets.get(index))
            {
                change = Some((preset.clone(), false));
            }
        } else {
            about(ui, "presets are for 4 × 4");
        }
        if !fits && ui.add(Button::new("Make it fit").small()).clicked() {
            change = Some((gradient(size), false));
        }
        row_panel_button(ui, show_row);
    });
    if fits {
        labelled(ui, "", |ui| {
            let cols = size.cols() as f32;
            let cell = ((ui.available_width() - 3.0 * (cols - 1.0)) / cols).clamp(34.0, 64.0);
            if let Some((values, ongoing)) = matrix(ui, now.values(), size, vec2(cell.floor(), 28.0)) {
                change = Some((named(values), ongoing));
            }
        });
    } else {
        labelled(ui, "", |ui| about(ui, "these weights are for a board of another size"));
    }
    change.map(|(weights, ongoing)| (Evaluator::Weights(weights), ongoing))
}

fn matrix(ui: &mut Ui, values: &[f64], size: Size, cell: egui::Vec2) -> Change<Vec<f64>> {
    let theme = Theme::of(ui);
    let mut change = None;
    let largest = largest(values);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        for (row, line) in values.chunks(size.cols()).enumerate() {
            ui.horizontal(|ui| {
                for (col, weight) in line.iter().enumerate() {
                    let mut value = *weight;
                    let fill = theme.sequential(level(value, largest));
                    let ink = theme::text_on(fill);
                    let visuals = &mut ui.visuals_mut().widgets;
                    for state in [&mut visuals.inactive, &mut visuals.hovered, &mut visuals.active] {
                        (state.weak_bg_fill, state.bg_fill) = (fill, fill);
                        state.fg_stroke.color = ink;
                    }
                    visuals.inactive.bg_stroke = Stroke::NONE;
                    ui.spacing_mut().button_padding.x = 2.0;
                    let response = ui.add_sized(cell, number::weight(&mut value));
                    let response = response.accessible_name(format!("Weight row {} column {}", row + 1, col + 1));
                    if let Some(ongoing) = number::change(&response) {
                        let mut values = values.to_vec();
                        values[row * size.cols() + col] = value;
                        change = Some((values, ongoing));
                    }
                }
            });
        }
    });
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_on_offer_can_be_played_at_every_size() {
        for size in Size::all() {
            for depth in 0..=DEEPEST {
                assert!(offered(size, depth).iter().all(|part| part.check(size).is_ok()), "{size}");
            }
        }
        let nests = |depth| offered(Size::FOUR, depth).iter().any(|part| matches!(part, Evaluator::Sum(_)));
        assert!(nests(0) && !nests(DEEPEST));
    }
}

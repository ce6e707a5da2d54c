//! The evaluator of a row: its kind, and its numbers if it has some.
//!
//! Sums and products contain evaluators, so each control edits one in place.

use egui::{DragValue, Popup, Rect, Sense, Stroke, Ui, vec2};

use super::formula::formula_ui;
use super::program::program_ui;
use super::sampled::tile_choice;
use super::{On, about, is_wide, labelled, remove_button};
use crate::evaluator::{Evaluator, FeaturePolicy, Lines, PolicyBy, ProcessOf, Weights};
use crate::game::Size;
use crate::network;
use crate::process::ProcessSpec;
use crate::process::library as processes;
use crate::solve;
use crate::words;
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::kit::{Button, drop_down, fours_field, menu_choice, menu_entry, segmented};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::panels::builder::palette::paint_evaluator;
use crate::workbench::panels::builder::weights::{
    fitting, gradient, largest, level, named, presets, terms,
};
use crate::workbench::terms as glossary;
use crate::workbench::theme::{self, Theme};

/// Maximum height of a list of evaluators; longer lists scroll.
const HIGHEST_LIST: f32 = 660.0;
/// Maximum depth of sums edited here; deeper ones are edited as text.
const DEEPEST: usize = 3;

pub(super) fn ui(ui: &mut Ui, now: &mut Evaluator, on: On<'_>, show_row: &mut bool) -> Change {
    let kind = labelled(ui, "Evaluator", |ui| {
        let chosen = kinds(ui, "Evaluator", now, Evaluator::palette(), on.size(), 132.0);
        about(ui, now.facts().about);
        chosen
    });
    let parts = match now {
        Evaluator::Weights(weights) => weights_ui(ui, weights, on.size(), show_row),
        _ => parts_ui(ui, now, on, 0, show_row),
    };
    kind.or(parts)
}

/// The controls for the parts of an evaluator, if it has any.
fn parts_ui(
    ui: &mut Ui,
    now: &mut Evaluator,
    on: On<'_>,
    depth: usize,
    show_row: &mut bool,
) -> Change {
    if DEEPEST < depth {
        labelled(ui, "", |ui| {
            about(ui, &format!("{}: edit it as text", now.label()));
        });
        return None;
    }
    match now {
        Evaluator::Sum(terms) => sum_ui(ui, terms, on, depth, show_row),
        Evaluator::Product(one, other) => product_ui(ui, [one, other], on, depth, show_row),
        Evaluator::Lines(lines) => lines_ui(ui, lines),
        Evaluator::Solved(name) => file_ui(
            ui,
            ["Table", "Solved table"],
            name,
            on.size(),
            Evaluator::Solved,
        ),
        Evaluator::Network(name) => file_ui(
            ui,
            ["Network", "Network file"],
            name,
            on.size(),
            Evaluator::Network,
        ),
        Evaluator::HasTile(tile) => {
            let term = glossary::of_evaluator(&Evaluator::HasTile(*tile));
            labelled(ui, "Tile", |ui| {
                tile_choice(ui, "Tile to look for", tile, term)
            })
        }
        Evaluator::Policy(policy) => policy_ui(ui, policy, depth == 0),
        Evaluator::Formula(formula) => formula_ui(ui, formula, on),
        Evaluator::Program(program) => program_ui(ui, program, on),
        Evaluator::Weights(_) if 0 < depth => {
            labelled(ui, "", |ui| row_panel_button(ui, show_row));
            None
        }
        _ => None,
    }
}

/// A drop-down of evaluators: by kind for a row, by label for a part of another evaluator.
fn kinds(
    ui: &mut Ui,
    name: &str,
    now: &mut Evaluator,
    all: Vec<Evaluator>,
    size: Size,
    width: f32,
) -> Change {
    let mut chosen = None;
    let by_kind = name == "Evaluator";
    let text = |evaluator: &Evaluator| match evaluator {
        Evaluator::Sum(_)
        | Evaluator::Product(..)
        | Evaluator::Lines(_)
        | Evaluator::Formula(_)
        | Evaluator::Program(_) => evaluator.name().to_owned(),
        _ if by_kind => evaluator.name().to_owned(),
        _ => evaluator.label(),
    };
    let selected = text(now);
    // All kinds are visible at once if the window is high enough.
    let combo = drop_down(name, selected.clone(), width)
        .truncate()
        .height(HIGHEST_LIST)
        .show_ui(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for evaluator in all {
                let on = text(&evaluator) == selected;
                let response = menu_choice(ui, on, text(&evaluator));
                if glossary::tip(response, glossary::of_evaluator(&evaluator)).clicked() && !on {
                    chosen = Some(fitting(&evaluator, size));
                }
            }
        });
    glossary::tip(
        combo.response.accessible_name(name),
        glossary::of_evaluator(now),
    );
    *now = chosen?;
    Some(false)
}

/// Selects a file for boards of this size, and shows its problem.
fn file_ui(
    ui: &mut Ui,
    [label, field]: [&str; 2],
    name: &mut String,
    size: Size,
    by_name: fn(String) -> Evaluator,
) -> Change {
    let now = by_name(name.clone());
    let wrong = now.check(size).err();
    let chosen = labelled(ui, label, |ui| {
        let mut chosen = None;
        let combo = drop_down(field, name.clone(), 132.0)
            .truncate()
            .height(HIGHEST_LIST)
            .show_ui(ui, |ui| {
                let all = match now {
                    Evaluator::Network(_) => network::library::of_size(size),
                    _ => solve::library::of_size(size),
                };
                for other in all {
                    let on = other == *name;
                    if menu_choice(ui, on, other.clone()).clicked() && !on {
                        chosen = Some(other);
                    }
                }
            });
        combo.response.accessible_name(field);
        if let Some(wrong) = &wrong {
            about(ui, &words::capitalised(&wrong.to_string()));
        }
        chosen
    });
    *name = chosen?;
    Some(false)
}

/// The process of a policy: a saved one, or one learned from a number of games when the policy first plays.
fn policy_ui(ui: &mut Ui, policy: &mut FeaturePolicy, is_alone: bool) -> Change {
    let mut change = labelled(ui, "Iteration", |ui| {
        let mut chosen = None;
        let text = match &policy.of {
            ProcessOf::Kept(name) => name.clone(),
            ProcessOf::Learnt(_) => LEARNT.to_owned(),
        };
        let combo = drop_down("Process", text, 132.0)
            .truncate()
            .height(HIGHEST_LIST)
            .show_ui(ui, |ui| {
                let learnt = match policy.of {
                    ProcessOf::Learnt(spec) => spec,
                    ProcessOf::Kept(_) => ProcessSpec::USUAL,
                };
                let saved = processes::names()
                    .into_iter()
                    .map(|name| (name.clone(), ProcessOf::Kept(name)));
                for (text, process) in
                    std::iter::once((LEARNT.to_owned(), ProcessOf::Learnt(learnt))).chain(saved)
                {
                    let on = process == policy.of;
                    if menu_choice(ui, on, text).clicked() && !on {
                        chosen = Some(process);
                    }
                }
            });
        combo
            .response
            .accessible_name("Value iteration")
            .on_hover_text("Learned in a second or two before its first game");
        if let Some(wrong) = Evaluator::Policy(policy.clone()).check(Size::FOUR).err() {
            about(ui, &words::capitalised(&wrong.to_string()));
        }
        policy.of = chosen?;
        Some(false)
    });

    if let ProcessOf::Learnt(spec) = &mut policy.of {
        let of_spec = labelled(ui, "Games", |ui| {
            let games = DragValue::new(&mut spec.games)
                .range(1..=ProcessSpec::MOST_GAMES)
                .speed(20.0);
            let games = ui
                .add_sized(vec2(72.0, theme::CONTROL), games)
                .accessible_name("Games to learn from");
            about(ui, "Fours");
            let p4 = fours_field(&mut spec.p4);
            let p4 = ui
                .add_sized(vec2(56.0, theme::CONTROL), p4)
                .accessible_name("Probability of a 4 while learning");
            number::change(&games).or(number::change(&p4))
        });
        change = change.or(of_spec);
    }

    let by = is_alone.then(|| {
        labelled(ui, "Reads", |ui| {
            let all = [
                (PolicyBy::After, "board after"),
                (PolicyBy::State, "state before"),
            ];
            let before = policy.by;
            segmented(ui, "What the policy reads", &mut policy.by, &all);
            (policy.by != before).then_some(false)
        })
    });
    change.or(by.flatten())
}

/// The name of a process that is not saved.
const LEARNT: &str = "learned from games";

/// The evaluators offered as parts: every plain one, and also sums and products while they may nest deeper.
fn offered(size: Size, depth: usize) -> Vec<Evaluator> {
    let mut all = terms(size);
    if depth < DEEPEST {
        let nested =
            |evaluator: &Evaluator| matches!(evaluator, Evaluator::Sum(_) | Evaluator::Product(..));
        all.extend(
            Evaluator::palette()
                .into_iter()
                .filter(nested)
                .map(|evaluator| fitting(&evaluator, size)),
        );
    }
    all
}

fn picture(ui: &mut Ui, evaluator: &Evaluator) {
    let (rect, _) = ui.allocate_exact_size(vec2(22.0, theme::CONTROL), Sense::hover());
    let square = Rect::from_center_size(rect.center(), vec2(20.0, 20.0));
    paint_evaluator(ui.painter(), Theme::of(ui), square, evaluator);
}

fn sum_ui(
    ui: &mut Ui,
    now: &mut Vec<(f64, Evaluator)>,
    on: On<'_>,
    depth: usize,
    show_row: &mut bool,
) -> Change {
    let (mut change, mut swapped, mut removed) = (None, None, None);
    let count = now.len();
    for (index, (weight, evaluator)) in now.iter_mut().enumerate() {
        let number = index + 1;
        ui.push_id(("term", index), |ui| {
            let wide = is_wide(ui);
            labelled(ui, if index == 0 { "Terms" } else { "" }, |ui| {
                ui.spacing_mut().item_spacing.x = theme::SPACE_S;
                swapped = term_menu(ui, index, count)
                    .map(|to| (index, to))
                    .or(swapped);
                picture(ui, evaluator);
                let width = if wide {
                    112.0
                } else {
                    (ui.available_width() - 40.0).clamp(60.0, 140.0)
                };
                let name = format!("Term {number}");
                change = kinds(
                    ui,
                    &name,
                    evaluator,
                    offered(on.size(), depth),
                    on.size(),
                    width,
                )
                .or(change);
                if wide {
                    change = weight_ui(ui, number, weight).or(change);
                }
                let needed = "A sum needs at least one term: remove the row instead";
                if remove_button(ui, &format!("Remove term {number}"), count, needed) {
                    removed = Some(index);
                }
            });
            if !wide {
                change = labelled(ui, "", |ui| weight_ui(ui, number, weight)).or(change);
            }
            change = parts_ui(ui, evaluator, on, depth + 1, show_row).or(change);
        });
    }

    let add = Button::new("Add term").icon(Icon::Plus).quiet().small();
    let is_added = labelled(ui, "", |ui| ui.add(add).clicked());
    if let Some((from, to)) = swapped {
        now.swap(from, to);
    } else if let Some(index) = removed {
        now.remove(index);
    } else if is_added {
        let unused = terms(on.size())
            .into_iter()
            .find(|term| now.iter().all(|(_, old)| old != term));
        now.push((1.0, unused.unwrap_or(Evaluator::Empty)));
    } else {
        return change;
    }
    Some(false)
}

fn weight_ui(ui: &mut Ui, number: usize, now: &mut f64) -> Change {
    let room = ui.available_width() - number::BESIDE - theme::HIT;
    number::slider(
        ui,
        &format!("Weight of term {number}"),
        now,
        1.0,
        room.clamp(40.0, 150.0),
    )
}

/// The grip of a term, with a menu that moves it. Returns the new index.
fn term_menu(ui: &mut Ui, index: usize, count: usize) -> Option<usize> {
    let mut place = None;
    let button = icon_button(ui, Icon::Grip, &format!("Move term {}", index + 1), "");
    Popup::menu(&button).show(|ui| {
        for (text, to) in [
            ("Move up", index.checked_sub(1)),
            ("Move down", Some(index + 1)),
        ] {
            let to = to.filter(|&to| to < count);
            if menu_entry(
                ui,
                text,
                None,
                to.map(|_| ()).ok_or("It is already at this end"),
            ) {
                place = to;
            }
        }
    });
    place
}

fn product_ui(
    ui: &mut Ui,
    factors: [&mut Box<Evaluator>; 2],
    on: On<'_>,
    depth: usize,
    show_row: &mut bool,
) -> Change {
    let mut change = None;
    for (index, factor) in factors.into_iter().enumerate() {
        ui.push_id(("factor", index), |ui| {
            let kind = labelled(ui, if index == 0 { "Factors" } else { "" }, |ui| {
                picture(ui, factor);
                kinds(
                    ui,
                    &format!("Factor {}", index + 1),
                    factor,
                    offered(on.size(), depth),
                    on.size(),
                    132.0,
                )
            });
            let parts = parts_ui(ui, factor, on, depth + 1, show_row);
            change = parts.or(kind).or(change);
        });
    }
    change
}

/// All constants; Xiao's values are the usual ones.
fn lines_ui(ui: &mut Ui, now: &mut Lines) -> Change {
    let mut change = None;
    let mut values = now.constants().map(|(_, value)| value);
    for (index, (name, usual)) in Lines::XIAO.constants().into_iter().enumerate() {
        let name = name.replace('_', " ");
        let label = match name.as_str() {
            "monotonicity" => "order",
            "monotonicity power" => "order power",
            name => name,
        };
        ui.push_id(("constant", index), |ui| {
            labelled(ui, label, |ui| {
                let room =
                    (ui.available_width() - number::BESIDE - theme::SPACE_M).clamp(40.0, 200.0);
                let name = format!("Lines {name}");
                change = number::slider(ui, &name, &mut values[index], usual, room).or(change);
            });
        });
    }

    let resets = *now != Lines::XIAO
        && labelled(ui, "", |ui| {
            ui.add(Button::new("Reset to Xiao's").small()).clicked()
        });
    if resets {
        *now = Lines::XIAO;
        return Some(false);
    }
    now.constants_mut()
        .into_iter()
        .zip(values)
        .for_each(|((_, constant), value)| *constant = value);
    change
}

fn row_panel_button(ui: &mut Ui, show_row: &mut bool) {
    let response = ui.add(Button::new("Edit in Row panel").small());
    *show_row |= response
        .on_hover_text("Edit the matrix with painting and presets")
        .clicked();
}

fn weights_ui(ui: &mut Ui, now: &mut Weights, size: Size, show_row: &mut bool) -> Change {
    let presets: Vec<(Weights, &str)> = presets(size).collect();
    let fits = now.values().len() == size.cells();
    let change = labelled(ui, "Weights", |ui| {
        let mut change = None;
        let mut choices: Vec<(usize, &str)> =
            presets.iter().map(|(_, name)| *name).enumerate().collect();
        let mut choice = presets
            .iter()
            .position(|(preset, _)| preset == now)
            .unwrap_or(presets.len());
        if choice == presets.len() {
            choices.push((choice, "custom"));
        }
        if choices.len() < 2 {
            about(ui, "presets exist only for 4 × 4");
        } else if segmented(ui, "Weights preset", &mut choice, &choices).changed()
            && let Some((preset, _)) = presets.get(choice)
        {
            *now = preset.clone();
            change = Some(false);
        }
        if !fits && ui.add(Button::new("Fit to board").small()).clicked() {
            *now = gradient(size);
            change = Some(false);
        }
        row_panel_button(ui, show_row);
        change
    });
    if !fits {
        labelled(ui, "", |ui| {
            about(ui, "these weights are for a board of another size");
        });
        return change;
    }

    let mut values = now.values().to_vec();
    let edited = labelled(ui, "", |ui| matrix(ui, &mut values, size));
    if edited.is_some() {
        *now = named(values);
    }
    edited.or(change)
}

fn matrix(ui: &mut Ui, values: &mut [f64], size: Size) -> Change {
    let theme = Theme::of(ui);
    let mut change = None;
    let largest = largest(values);
    let cols = size.cols() as f32;
    let side = ((ui.available_width() - 3.0 * (cols - 1.0)) / cols).clamp(34.0, 64.0);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        for (row, line) in values.chunks_mut(size.cols()).enumerate() {
            ui.horizontal(|ui| {
                for (col, value) in line.iter_mut().enumerate() {
                    let fill = theme.sequential(level(*value, largest));
                    let visuals = &mut ui.visuals_mut().widgets;
                    for state in [
                        &mut visuals.inactive,
                        &mut visuals.hovered,
                        &mut visuals.active,
                    ] {
                        (state.weak_bg_fill, state.bg_fill) = (fill, fill);
                        state.fg_stroke.color = theme::text_on(fill);
                    }
                    visuals.inactive.bg_stroke = Stroke::NONE;
                    ui.spacing_mut().button_padding.x = 2.0;
                    let response = ui.add_sized(vec2(side.floor(), 28.0), number::weight(value));
                    let response = response.accessible_name(format!(
                        "Weight row {} column {}",
                        row + 1,
                        col + 1
                    ));
                    change = number::change(&response).or(change);
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
                assert!(
                    offered(size, depth)
                        .iter()
                        .all(|part| part.check(size).is_ok()),
                    "{size}"
                );
            }
        }
        let nests = |depth| {
            offered(Size::FOUR, depth)
                .iter()
                .any(|part| matches!(part, Evaluator::Sum(_)))
        };
        assert!(nests(0) && !nests(DEEPEST));
    }
}

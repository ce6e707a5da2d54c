//! Controls that several lookahead settings share.

use std::ops::RangeInclusive;

use egui::{DragValue, Response, Ui, vec2};

use crate::search::Plies;
use crate::workbench::kit::{chip, drop_down, menu_choice};
use crate::workbench::panels::builder::number::{self, Change};
use crate::workbench::terms::{self, Term};
use crate::workbench::theme;

/// A drop-down of values, each with a label and a tooltip.
pub(super) fn choice<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    now: &mut T,
    all: &[(T, &str, &str)],
    width: f32,
    term: &Term,
) -> Change {
    let mut chosen = None;
    let text = all
        .iter()
        .find(|(value, ..)| value == now)
        .map_or("", |(_, text, _)| text);
    let combo = drop_down(name, text, width).show_ui(ui, |ui| {
        for (value, text, about) in all {
            let on = value == now;
            if menu_choice(ui, on, *text).on_hover_text(*about).clicked() && !on {
                chosen = Some(value.clone());
            }
        }
    });
    terms::tip(combo.response.accessible_name(name), term);
    *now = chosen?;
    Some(false)
}

pub(super) fn plies_field(ui: &mut Ui, name: &str, now: &mut u32) -> Response {
    let suffix = if *now == 1 { " ply" } else { " plies" };
    whole(ui, name, now, 1..=Plies::DEEPEST, suffix)
}

/// A number that takes effect when it is entered: a search must not start with half of it.
pub(super) fn whole(
    ui: &mut Ui,
    name: &str,
    now: &mut u32,
    range: RangeInclusive<u32>,
    suffix: &str,
) -> Response {
    let drag = DragValue::new(now)
        .range(range)
        .speed(0.03)
        .suffix(suffix)
        .update_while_editing(false);
    ui.add_sized(vec2(72.0, theme::CONTROL), drag)
        .accessible_name(name)
}

/// An optional limit with its name, usual value and unit.
pub(super) fn limit(
    ui: &mut Ui,
    limit: &mut Option<u64>,
    name: &str,
    usual: u64,
    suffix: &str,
    term: &'static Term,
) -> Change {
    if terms::tip(chip(ui, name, limit.is_some()), term).clicked() {
        *limit = limit.is_none().then_some(usual);
        return Some(false);
    }
    let value = limit.as_mut()?;
    let speed = (*value as f64 * 0.01).max(0.1);
    let drag = DragValue::new(value)
        .range(1..=1_000_000_000_u64)
        .speed(speed)
        .suffix(suffix)
        .update_while_editing(false);
    number::change(
        &ui.add_sized(vec2(104.0, theme::CONTROL), drag)
            .accessible_name(format!("Limit of {name}")),
    )
}

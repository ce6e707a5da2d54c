//! A number with a slider: drag, type, or reset it to its usual value.

use std::ops::RangeInclusive;

use egui::style::HandleShape;
use egui::{DragValue, Response, Sense, Slider, SliderClamping, Ui, Vec2, vec2};

use crate::words;
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::theme::{self, Theme};

const NUMBER: f32 = 72.0;
/// Larger numbers cannot be typed, so that products with them stay comparable.
pub(super) const LARGEST: f64 = 1e12;

/// The effect of a control on its value: `None` for no change, else whether the edit is still in progress.
pub(super) type Change = Option<bool>;

/// A weight with up to three decimals.
pub(super) fn short(weight: f64) -> String {
    words::decimals_short((weight * 1e3).round() / 1e3)
}

pub(super) fn weight(value: &mut f64) -> DragValue<'_> {
    let speed = (value.abs() * 0.02).max(0.1);
    DragValue::new(value)
        .speed(speed)
        .range(-LARGEST..=LARGEST)
        .custom_formatter(|weight, _| short(weight))
}

/// `Some(true)` during a drag or typing, `Some(false)` at its end.
pub(super) fn change(response: &Response) -> Change {
    let ends = response.drag_stopped() || response.lost_focus();
    let goes_on = !ends && (response.dragged() || response.has_focus());
    (response.changed() || ends).then_some(goes_on)
}

/// Width of the number and the reset button beside a slider.
pub(super) const BESIDE: f32 = NUMBER + theme::HIT + 2.0 * theme::SPACE_M;

/// A slider with a number and a button that resets it to the usual value, as a double click does. `name` distinguishes it within
/// the row.
pub(super) fn slider(ui: &mut Ui, name: &str, now: &mut f64, usual: f64, width: f32) -> Change {
    let range = range(ui, name, *now, usual);
    let differs = *now != usual;
    let slider = Slider::new(now, range)
        .show_value(false)
        .clamping(SliderClamping::Never);
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().slider_width = width;
            // A weight is data, so its track has the color of shares.
            ui.visuals_mut().selection.bg_fill = Theme::of(ui).sequential(0.55);
            ui.add(slider.handle_shape(HandleShape::Rect { aspect_ratio: 0.5 }))
                .accessible_name(format!("{name}, slider"))
        })
        .inner;
    let response = response.on_hover_text(format!(
        "Drag, or click twice for {}",
        words::decimals_short(usual)
    ));

    let speed = (now.abs() * 0.01).max(0.01);
    let drag = DragValue::new(now)
        .speed(speed)
        .range(-LARGEST..=LARGEST)
        .max_decimals(6);
    let number = ui
        .add_sized(vec2(NUMBER, theme::CONTROL), drag)
        .accessible_name(name);

    // The room of the button stays reserved while there is nothing to reset.
    let resets = if differs {
        icon_button(
            ui,
            Icon::Reset,
            &format!("Reset {name}"),
            "Reset to the default",
        )
        .clicked()
    } else {
        ui.allocate_exact_size(Vec2::splat(theme::HIT), Sense::hover());
        false
    };

    if resets || response.double_clicked() {
        *now = usual;
        return Some(false);
    }
    change(&number).or(change(&response))
}

/// The ends of the slider. They stay while the value is between them, so that the handle stays under the pointer.
fn range(ui: &Ui, name: &str, now: f64, usual: f64) -> RangeInclusive<f64> {
    let id = ui.scope_id().with((name, "range"));
    let ends = ui.ctx().data(|data| data.get_temp::<(f64, f64)>(id));
    let (low, high) = ends
        .filter(|(low, high)| (*low..=*high).contains(&now))
        .unwrap_or_else(|| {
            // The larger one of the usual and the current value is at a quarter of the range.
            let most = 4.0 * now.abs().max(usual.abs()).max(0.25);
            if now.min(usual) < 0.0 {
                (-most, most)
            } else {
                (0.0, most)
            }
        });
    ui.ctx().data_mut(|data| data.insert_temp(id, (low, high)));
    low..=high
}

//! A number with a slider: dragged, typed, or set back to what is usual.

use std::ops::RangeInclusive;

use egui::style::HandleShape;
use egui::{DragValue, Response, Sense, Slider, SliderClamping, Ui, Vec2, vec2};

use crate::words;
use crate::workbench::icon::{Icon, icon_button};
use crate::workbench::theme::{self, Theme};

const NUMBER: f32 = 72.0;
/// Larger numbers cannot be typed: what they multiply has to stay a number that can be compared.
pub(super) const LARGEST: f64 = 1e12;

/// What a control did to the value it edits: nothing, or whether the change goes on.
pub(super) type Change = Option<bool>;

/// A weight with up to three decimals.
pub(super) fn short(weight: f64) -> String {
    words::decimals_short((weight * 1e3).round() / 1e3)
}

pub(super) fn weight(value: &mut f64) -> DragValue<'_> {
    let speed = (value.abs() * 0.02).max(0.1);
    DragValue::new(value).speed(speed).range(-LARGEST..=LARGEST).custom_formatter(|weight, _| short(weight))
}

/// `Some(true)` while a drag or typing goes on, `Some(false)` at its end.
pub(super) fn change(response: &Response) -> Change {
    let ends = response.drag_stopped() || response.lost_focus();
    let goes_on = !ends && (response.dragged() || response.has_focus());
    (response.changed() || ends).then_some(goes_on)
}

/// Room that a number takes beside its slider.
pub(super) const BESIDE: f32 = NUMBER + theme::HIT + 2.0 * theme::SPACE_M;

/// A slider of this width with its number and a button that sets it back to the usual value, as a double click does.
/// `name` tells it from the others of the row.
pub(super) fn slider(ui: &mut Ui, name: &str, now: &mut f64, usual: f64, width: f32) -> Change {
    let range = range(ui, name, *now, usual);
    let differs = *now != usual;
    let slider = Slider::new(now, range).show_value(false).clamping(SliderClamping::Never);
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().slider_width = width;
            // A weight is data, so that its track has the colour of shares.
            ui.visuals_mut().selection.bg_fill = Theme::of(ui).sequential(0.55);
            ui.add(slider.handle_shape(HandleShape::Rect { aspect_ratio: 0.5 }))
                .accessible_name(format!("{name}, slider"))
        })
        .inner;
    let response = response.on_hover_text(format!("Drag, or click twice for {}", words::decimals_short(usual)));
    let speed = (now.abs() * 0.01).max(0.01);
    let drag = DragValue::new(now).speed(speed).range(-LARGEST..=LARGEST).max_decimals(6);
    let number = ui.add_sized(vec2(NUMBER, theme::CONTROL), drag).accessible_name(name);
    // The room of the button is kept while there is nothing to set back.
    let resets = if differs {
        icon_button(ui, Icon::Reset, &format!("Reset {name}"), "Set back to what is usual").clicked()
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

/// The ends of the slider. They stay while the value lies between them, so that the handle stays under the pointer.
fn range(ui: &Ui, name: &str, now: f64, usual: f64) -> RangeInclusive<f64> {
    let id = ui.scope_id().with((name, "range"));
    let known = ui.ctx().data(|data| data.get_temp::<(f64, f64)>(id));
    let (low, high) = known.filter(|(low, high)| (*low..=*high).contains(&now)).unwrap_or_else(|| {
        // A quarter of the way is usual.
        let most = 4.0 * now.abs().max(usual.abs()).max(0.25);
        if now.min(usual) < 0.0 { (-most, most) } else { (0.0, most) }
    });
    ui.ctx().data_mut(|data| data.insert_temp(id, (low, high)));
    low..=high
}

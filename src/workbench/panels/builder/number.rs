//! A number with a slider: dragged, typed, or set back to what is usual.

use std::f32::consts::TAU;

use egui::emath::Rot2;
use egui::style::HandleShape;
use egui::{DragValue, Pos2, Response, Role, Sense, Shape, Slider, SliderClamping, Stroke, Ui, WidgetInfo, vec2};

use crate::words;
use crate::workbench::kit::focus_ring;
use crate::workbench::theme::{self, Theme};

/// Width of the number.
const NUMBER: f32 = 72.0;
/// Larger numbers cannot be typed: what they multiply has to stay a number that can be compared.
pub(super) const LARGEST: f64 = 1e12;

/// A new value, and whether the change goes on.
pub(super) type Change<T> = Option<(T, bool)>;

/// A weight with up to three decimals.
pub(super) fn short(weight: f64) -> String {
    words::decimals_short((weight * 1e3).round() / 1e3)
}

/// A weight that is dragged or typed.
pub(super) fn weight(value: &mut f64) -> DragValue<'_> {
    let speed = (value.abs() * 0.02).max(0.1);
    DragValue::new(value).speed(speed).range(-LARGEST..=LARGEST).custom_formatter(|weight, _| short(weight))
}

/// Whether a number changed: `Some(true)` while a drag or typing goes on, `Some(false)` at its end.
pub(super) fn change(response: &Response) -> Option<bool> {
    let ends = response.drag_stopped() || response.lost_focus();
    let goes_on = !ends && (response.dragged() || response.has_focus());
    (response.changed() || ends).then_some(goes_on)
}

/// Room that a number takes beside its slider.
pub(super) const BESIDE: f32 = NUMBER + theme::HIT + 2.0 * theme::SPACE_M;

/// A slider of this width with its number and a button that sets it back to the usual value, as a double click does.
/// `name` tells it from the others of the row.
pub(super) fn slider(ui: &mut Ui, name: &str, now: f64, usual: f64, width: f32) -> Change<f64> {
    let mut value = now;
    let range = range(ui, name, now, usual);
    let slider = Slider::new(&mut value, range).show_value(false).clamping(SliderClamping::Never);
    let response = ui
        .scope(|ui| {
            ui.spacing_mut().slider_width = width;
            // A weight is data, so that its track has the colour of shares.
            ui.visuals_mut().selection.bg_fill = Theme::of(ui).sequential(0.55);
            ui.add(slider.handle_shape(HandleShape::Rect { aspect_ratio: 0.5 }))
                .accessible_name(format!("{name}, slider"))
        })
        .inner;
    let mut changed = change(&response);
    let reset = response.double_clicked();
    response.on_hover_text(format!("Drag, or click twice for {}", words::decimals_short(usual)));

    let speed = (value.abs() * 0.01).max(0.01);
    let drag = DragValue::new(&mut value).speed(speed).range(-LARGEST..=LARGEST).max_decimals(6);
    let number = ui.add_sized(vec2(NUMBER, theme::CONTROL), drag).accessible_name(name);
    changed = change(&number).or(changed);
    if reset_button(ui, name, now != usual) || reset {
        return Some((usual, false));
    }
    changed.map(|ongoing| (value, ongoing))
}

/// The ends of the slider. They stay while the value lies between them, so that the handle stays under the pointer.
fn range(ui: &Ui, name: &str, now: f64, usual: f64) -> std::ops::RangeInclusive<f64> {
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

/// An arrow in a circle; its room is kept while there is nothing to set back.
fn reset_button(ui: &mut Ui, name: &str, differs: bool) -> bool {
    let sense = if differs { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(theme::HIT, theme::HIT), sense);
    if !differs {
        return false;
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), format!("Reset {name}")));
    let theme = Theme::of(ui);
    let hot = response.hovered() || response.has_focus();
    if hot {
        ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg4);
    }
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    let stroke = Stroke::new(1.5, if hot { theme.text1 } else { theme.text2 });
    // Turns leftwards from the upper left, most of the way round.
    let at = |turn: f32| rect.center() + 4.5 * vec2((TAU * turn).cos(), (TAU * turn).sin());
    let arc: Vec<Pos2> = (0..=18_u8).map(|step| at(0.68 + 0.8 * f32::from(step) / 18.0)).collect();
    let tip = arc[0];
    ui.painter().add(Shape::line(arc, stroke));
    let back = vec2(3.6, -1.3);
    for turn in [0.7, -0.7] {
        ui.painter().line_segment([tip, tip + Rot2::from_angle(turn) * back], stroke);
    }
    response.on_hover_text("Set back to what is usual").clicked()
}

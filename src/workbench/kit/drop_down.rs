//! A drop-down with the chevron of the window.

use egui::{ComboBox, Response, Ui, WidgetText};

use crate::workbench::icon::Icon;
use crate::workbench::theme::Theme;

/// A drop-down of this width; `show_ui` fills it and `accessible_name` of its response names it.
pub fn drop_down(id: &str, selected: impl Into<WidgetText>, width: f32) -> ComboBox<'static> {
    ComboBox::from_id_salt(id.to_owned()).selected_text(selected).width(width).icon(|ui, rect, _, _| {
        Icon::ChevronDown.paint(ui.painter(), rect.center(), Theme::of(ui).text2);
    })
}

/// A drop-down that changes `value` into one of `choices`, each with its text; `text` says the present one.
pub fn choice<T: PartialEq>(
    ui: &mut Ui,
    name: &str,
    (value, text): (&mut T, String),
    width: f32,
    choices: impl IntoIterator<Item = (T, String)>,
) -> Response {
    let shown = drop_down(name, text, width).height(420.0).show_ui(ui, |ui| {
        for (choice, text) in choices {
            ui.selectable_value(value, choice, text);
        }
    });
    shown.response.accessible_name(name)
}

/// Fills a drop-down with a few values, of which `value` is selected; gives the one that was picked.
pub fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    drop_down: ComboBox<'_>,
    value: T,
    choices: impl IntoIterator<Item = T>,
    text: impl Fn(T) -> String,
) -> (Response, Option<T>) {
    let mut picked = None;
    let shown = drop_down.show_ui(ui, |ui| {
        for choice in choices {
            if ui.selectable_label(choice == value, text(choice)).clicked() {
                picked = Some(choice);
            }
        }
    });
    (shown.response, picked)
}

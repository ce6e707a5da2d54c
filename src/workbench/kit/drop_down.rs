//! A drop-down with the chevron of the window.

use egui::{ComboBox, WidgetText};

use crate::workbench::icon::Icon;
use crate::workbench::theme::Theme;

/// A drop-down of this width; `show_ui` fills it and `accessible_name` of its response names it.
pub fn drop_down(id: &str, selected: impl Into<WidgetText>, width: f32) -> ComboBox<'static> {
    ComboBox::from_id_salt(id.to_owned()).selected_text(selected).width(width).icon(|ui, rect, _, _| {
        Icon::ChevronDown.paint(ui.painter(), rect.center(), Theme::of(ui).text2);
    })
}

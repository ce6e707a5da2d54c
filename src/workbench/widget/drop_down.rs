//! A drop-down with the chevron of the window.

use egui::ComboBox;

use crate::workbench::icon::Icon;
use crate::workbench::theme::Theme;

/// A drop-down of this width; `show_ui` fills it and `accessible_name` of its response names it.
pub fn drop_down<'a>(id: &str, selected: &'a str, width: f32) -> ComboBox<'a> {
    ComboBox::from_id_salt(id.to_owned()).selected_text(selected).width(width).icon(|ui, rect, _, _| {
        Icon::ChevronDown.paint(ui.painter(), rect.center(), Theme::of(ui).text2);
    })
}

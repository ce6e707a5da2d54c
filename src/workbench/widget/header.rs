//! The header of a table's column: clicked, it sorts.

use egui::{Align2, Color32, Response, Role, Sense, Ui, WidgetInfo, pos2};

use crate::workbench::theme::{self, Theme};

/// Fills a cell; `sorted` is `Some(true)` where values fall from top to bottom.
pub fn header(ui: &mut Ui, title: &str, about: &str, right: bool, sorted: Option<bool>) -> Response {
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click());
    let order = match sorted {
        Some(true) => ", sorted, largest first",
        Some(false) => ", sorted, smallest first",
        None => "",
    };
    let name = format!("Sort by {title}{order}");
    response.widget_info(|| WidgetInfo::selected(Role::ColumnHeader, ui.is_enabled(), sorted.is_some(), &name));
    let arrow = match sorted {
        Some(true) => " ↓",
        Some(false) => " ↑",
        None => "",
    };
    let color = if sorted.is_some() || response.hovered() { theme.text1 } else { theme.text3 };
    let galley = ui.painter().layout_no_wrap(format!("{title}{arrow}"), theme::small(), Color32::PLACEHOLDER);
    let (align, x) = if right { (Align2::RIGHT_CENTER, rect.right()) } else { (Align2::LEFT_CENTER, rect.left()) };
    let at = align.anchor_size(pos2(x, rect.center().y), galley.size());
    ui.painter().galley(at.min, galley, color);
    if response.has_focus() {
        super::focus_ring(ui, rect.shrink(2.0));
    }
    let rule = egui::Stroke::new(1.0, theme.sep);
    ui.painter().hline(rect.x_range(), rect.bottom().round() - 0.5, rule);
    response.on_hover_text(about)
}

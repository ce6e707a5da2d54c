//! Parts of tables: a header that sorts when clicked, and the line under a row.

use egui::{Align2, Color32, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

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
    rule(ui, rect);
    response.on_hover_text(about)
}

/// The line under a cell, up to the middle of the space between columns, so that the lines of a row meet.
pub fn rule(ui: &Ui, cell: Rect) {
    let space = ui.spacing().item_spacing.x / 2.0;
    let mut painter = ui.painter().clone();
    // Cells are clipped to themselves; the line is the one thing that goes beyond.
    painter.set_clip_rect(ui.clip_rect().expand2(vec2(space + 1.0, 0.0)));
    let stroke = Stroke::new(1.0, Theme::of(ui).sep);
    painter.hline(cell.left() - space..=cell.right() + space, cell.bottom().round() - 0.5, stroke);
}

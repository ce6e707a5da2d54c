//! A number with its label above it: the number is what one reads, the label is small and grey.

use egui::{Response, Role, Sense, Ui, WidgetInfo, vec2};

use crate::workbench::theme::{self, Theme};

/// A labelled number; `rest` follows it in grey, as in "387 of 453".
pub fn figure(ui: &mut Ui, label: &str, value: &str, rest: &str) -> Response {
    let theme = Theme::of(ui);
    let painter = ui.painter().clone();
    let label_galley = painter.layout_no_wrap(label.to_owned(), theme::small(), theme.text3);
    let font = theme::figure_style().resolve(ui.style());
    let value_galley = painter.layout_no_wrap(value.to_owned(), font, theme.text1);
    let rest_galley = painter.layout_no_wrap(rest.to_owned(), theme::body(), theme.text2);
    let gap = if rest.is_empty() { 0.0 } else { theme::SPACE_S };
    let width = label_galley.size().x.max(value_galley.size().x + gap + rest_galley.size().x);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 36.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{label} {value} {rest}").trim_end()));
    painter.galley(rect.left_top(), label_galley, theme.text3);
    let baseline = |galley: &egui::Galley| galley.rows.first().map_or(0.0, |row| row.pos.y + row.row.size.y * 0.79);
    let top = rect.bottom() - value_galley.size().y + 2.0;
    let drop = baseline(&value_galley) - baseline(&rest_galley);
    let x = rect.left() + value_galley.size().x + gap;
    painter.galley(egui::pos2(rect.left(), top), value_galley, theme.text1);
    painter.galley(egui::pos2(x, top + drop), rest_galley, theme.text2);
    response
}

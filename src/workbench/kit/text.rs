//! Lines of text.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, FontId, Galley, Label, Painter, Rect, Response, RichText, Role, Sense, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use crate::workbench::theme::{self, Theme};

/// Space for passive content; `name` is its accessible name.
pub fn inert(ui: &mut Ui, size: Vec2, role: Role, name: &str) -> (Rect, Response) {
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(role, true, name));
    (rect, response)
}

/// One line, truncated with "…" at `width`.
pub fn elided(
    painter: &Painter,
    text: &str,
    font: FontId,
    color: Color32,
    width: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width.max(8.0));
    painter.layout_job(job)
}

/// One line of text in a box of this height; `name` is its accessible name.
pub fn text_line(ui: &mut Ui, name: &str, painted: Arc<Galley>, height: f32) -> Response {
    let (rect, response) = inert(ui, vec2(painted.size().x, height), Role::Label, name);
    let at = pos2(rect.left(), rect.center().y - painted.size().y / 2.0);
    ui.painter().galley(at, painted, Color32::PLACEHOLDER);
    response
}

/// Text that wraps.
pub fn paragraph(ui: &mut Ui, text: impl Into<RichText>, color: Color32) -> Response {
    ui.add(Label::new(text.into().color(color)).wrap())
}

/// Small text that wraps.
pub fn small_print(ui: &mut Ui, text: impl Into<RichText>, color: Color32) -> Response {
    paragraph(ui, text.into().small(), color)
}

/// Small text, truncated with "…".
pub fn remark(ui: &mut Ui, text: impl Into<String>, color: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).small().color(color)).truncate())
}

/// A problem, in small text.
pub fn problem(ui: &mut Ui, problem: &str) -> Response {
    ui.label(
        RichText::new(format!("✗ {problem}"))
            .small()
            .color(Theme::of(ui).error),
    )
}

/// A number with its small label above it; `rest` follows in gray, as in "387 of 453".
pub fn figure(ui: &mut Ui, label: &str, value: &str, rest: &str) -> Response {
    let theme = Theme::of(ui);
    let painter = ui.painter().clone();
    let label_galley = painter.layout_no_wrap(label.to_owned(), theme::small(), theme.text3);
    let font = theme::figure_style().resolve(ui.style());
    let value_galley = painter.layout_no_wrap(value.to_owned(), font, theme.text1);
    let rest_galley = painter.layout_no_wrap(rest.to_owned(), theme::body(), theme.text2);

    let gap = if rest.is_empty() { 0.0 } else { theme::SPACE_S };
    let width = label_galley
        .size()
        .x
        .max(value_galley.size().x + gap + rest_galley.size().x);
    let name = format!("{label} {value} {rest}");
    let (rect, response) = inert(ui, vec2(width, 36.0), Role::Label, name.trim_end());

    painter.galley(rect.left_top(), label_galley, theme.text3);
    let baseline = |galley: &Galley| {
        galley
            .rows
            .first()
            .map_or(0.0, |row| row.pos.y + row.row.size.y * 0.79)
    };
    let top = rect.bottom() - value_galley.size().y + 2.0;
    let drop = baseline(&value_galley) - baseline(&rest_galley);
    let x = rect.left() + value_galley.size().x + gap;
    painter.galley(pos2(rect.left(), top), value_galley, theme.text1);
    painter.galley(pos2(x, top + drop), rest_galley, theme.text2);
    response
}

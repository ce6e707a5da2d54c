//! What is known over many games: one bar, as long as the row decided often.

use egui::{Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::data::EvidenceBar;
use crate::workbench::kit::elided;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Height of the bar.
const BAR: f32 = 22.0;

/// Draws the bar with its caption and remark.
pub(super) fn ui(ui: &mut Ui, bar: &EvidenceBar) {
    let theme = Theme::of(ui);
    ui.add_space(theme::SPACE_M);
    ui.spacing_mut().item_spacing.y = theme::SPACE_S;
    caption(ui, bar);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), BAR), Sense::hover());
    let texts: Vec<&str> = bar.parts.iter().map(|(text, _)| text.as_str()).collect();
    let name = format!("Which row decided: {}", texts.join(", "));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let mut left = rect.left();
    for (index, (text, share)) in bar.parts.iter().enumerate() {
        let right = (left + rect.width() * *share as f32).min(rect.right());
        // A gap of one point tells neighbours apart in grey as well.
        let part = Rect::from_min_max(pos2(left, rect.top()), pos2((right - 1.0).max(left), rect.bottom()));
        let fill = theme.sequential([0.45, 0.62][index % 2]);
        ui.painter().rect_filled(part, 2, fill);
        let ink = theme::text_on(fill);
        // What does not fit is in the rows above and in the name of the bar.
        if 24.0 < part.width() {
            let galley = elided(ui.painter(), text, theme::strong(), ink, part.width() - 2.0 * theme::SPACE_M);
            let at = pos2(part.left() + theme::SPACE_M, part.center().y - galley.size().y / 2.0);
            ui.painter().galley(at, galley, ink);
        }
        left = right;
    }
    terms::tip(response, &terms::DECIDED);
    if !bar.remark.is_empty() {
        ui.add(egui::Label::new(RichText::new(&bar.remark).small().color(theme.text3)).truncate());
    }
}

/// What it is counted over at the left, mean moves at the right; the latter goes below where there is no room.
fn caption(ui: &mut Ui, bar: &EvidenceBar) {
    let theme = Theme::of(ui);
    let width = ui.available_width();
    let painter = ui.painter().clone();
    let title = painter.layout_no_wrap("Evidence".to_owned(), theme::medium(), theme.text2);
    let left = painter.layout_no_wrap(bar.left.clone(), theme::small(), theme.text3);
    let begin = title.size().x + theme::SPACE_M;
    let counted = painter.layout_no_wrap(bar.caption.clone(), theme::small(), theme.text3);
    let is_one_line = begin + counted.size().x + theme::SPACE_L + left.size().x <= width;
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::TAG), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Evidence {}", bar.caption)));
    let counted = elided(&painter, &bar.caption, theme::small(), theme.text3, width - begin);
    painter.galley(rect.left_top(), title, theme.text2);
    painter.galley(rect.left_top() + vec2(begin, 2.0), counted, theme.text3);
    if is_one_line {
        painter.galley(pos2(rect.right() - left.size().x, rect.top() + 2.0), left, theme.text3);
    } else if !bar.left.is_empty() {
        ui.add(egui::Label::new(RichText::new(&bar.left).small().color(theme.text3)).truncate());
    }
}

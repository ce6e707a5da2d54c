//! One choice of a few, all of them visible.

use egui::{Color32, CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::workbench::theme::{self, Theme};

/// Shows the choices side by side; the response is `changed` when another one was picked.
pub fn segmented<T: Copy + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, choices: &[(T, &str)]) -> Response {
    let theme = Theme::of(ui);
    let galleys: Vec<_> = choices
        .iter()
        .map(|&(_, text)| ui.painter().layout_no_wrap(text.to_owned(), theme::body(), Color32::PLACEHOLDER))
        .collect();
    let widths: Vec<f32> = galleys.iter().map(|galley| (galley.size().x + 16.0).max(theme::HIT).round()).collect();
    let size = vec2(widths.iter().sum::<f32>() + 2.0, theme::HIT);
    let (rect, mut response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::RadioGroup, ui.is_enabled(), name));
    ui.painter().rect_filled(rect, theme::RADIUS_S, theme.bg2);
    let mut left = rect.left() + 1.0;
    for ((&(choice, text), galley), width) in choices.iter().zip(galleys).zip(widths) {
        let part = Rect::from_min_size(egui::pos2(left, rect.top() + 1.0), vec2(width, theme::CHIP));
        left += width;
        let hit = part.expand2(vec2(0.0, 1.0));
        let part_response = ui.interact(hit, response.id.with(text), Sense::click());
        let selected = *value == choice;
        part_response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), selected, text));
        if part_response.clicked() && !selected {
            *value = choice;
            response.mark_changed();
        }
        let fill = match (selected, part_response.hovered()) {
            (true, _) => Some(theme.accent_bg),
            (false, true) => Some(theme.bg4),
            (false, false) => None,
        };
        if let Some(fill) = fill {
            ui.painter().rect_filled(part, CornerRadius::same(3), fill);
        }
        if part_response.has_focus() {
            theme::focus_ring(ui, part.shrink(1.0));
        }
        let at = part.center() - galley.size() / 2.0;
        ui.painter().galley(at, galley, if selected { theme.text1 } else { theme.text2 });
    }
    ui.painter().rect_stroke(rect, theme::RADIUS_S, Stroke::new(1.0, theme.sep), StrokeKind::Inside);
    response
}

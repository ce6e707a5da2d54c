//! The path from a move to a better strategy, in four numbered steps.

use egui::{Align2, Rect, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use crate::workbench::command::{Command, Commands, ReviewCommand, note_place};
use crate::workbench::kit::{focus, focus_ring};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

pub(super) const HEIGHT: f32 = 34.0;

/// The steps with their labels; the short ones are for narrow panels.
const STEPS: [(ReviewCommand, &str, &str); 4] = [
    (ReviewCommand::ShowTree(None), "Judge's tree", "Tree"),
    (ReviewCommand::ShowRule(None), "Deciding row", "Row"),
    (ReviewCommand::EditRule(None), "Edit row", "Edit"),
    (ReviewCommand::Rerun, "Rerun on the same seeds", "Rerun"),
];

/// What a step does, with all its keys, which work in the whole workspace of reviews.
fn tip(command: &Command) -> String {
    format!(
        "{} ({} in the workspace Review)",
        command.about(),
        command.all_keys().join(" or ")
    )
}

pub(super) fn ui(ui: &mut Ui, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let (whole, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let builder = UiBuilder::new()
        .id_salt("steps")
        .max_rect(whole)
        .accessibility_role(Role::Group);
    let mut inside = ui.new_child(builder.accessibility_label("Steps to improve the strategy"));
    let ui = &mut inside;
    focus::group(ui);

    let now = doc.step();
    let galleys = |ui: &Ui, is_short: bool| {
        STEPS.each_ref().map(|(_, long, short)| {
            let text = if is_short { *short } else { *long };
            ui.painter().layout_no_wrap(
                text.to_owned(),
                theme::medium(),
                egui::Color32::PLACEHOLDER,
            )
        })
    };
    let width_of = |galley: &egui::Galley| galley.size().x + 52.0;
    let mut texts = galleys(ui, false);
    if whole.width() < texts.iter().map(|galley| width_of(galley)).sum::<f32>() + 60.0 {
        texts = galleys(ui, true);
    }

    let all: f32 = texts.iter().map(|galley| width_of(galley)).sum();
    let line = ((whole.width() - all) / 3.0).max(4.0);
    let mut left = whole.left();
    for (place, ((command, long, _), galley)) in STEPS.iter().zip(texts).enumerate() {
        let rect = Rect::from_min_size(
            pos2(left, whole.top()),
            vec2(width_of(&galley), HEIGHT - 2.0),
        );
        left = rect.right() + line;
        let enabled = doc.can(&command.clone().into());
        let (is_on, is_now) = (enabled.is_ok(), now == place as u8 + 1);
        let response = ui.interact(rect, ui.scope_id().with(place), Sense::click());
        let name = format!("Step {}: {long}", place + 1);
        response.widget_info(|| WidgetInfo::selected(Role::Button, is_on, is_now, &name));
        note_place(ui.ctx(), rect, &Command::from(command.clone()));

        let painter = ui.painter();
        if place + 1 < STEPS.len() && 12.0 < line {
            painter.hline(
                rect.right() + 4.0..=left - 4.0,
                rect.center().y,
                Stroke::new(1.0, theme.sep),
            );
        }
        let is_hot = is_on && (response.hovered() || response.has_focus());
        let fill = match (is_now, is_hot) {
            (true, _) => theme.accent_bg,
            (false, true) => theme.bg4,
            (false, false) => theme.bg3,
        };
        painter.rect_filled(rect, theme::RADIUS_M, fill);
        if is_now {
            painter.rect_stroke(
                rect,
                theme::RADIUS_M,
                Stroke::new(1.0, theme.accent),
                StrokeKind::Inside,
            );
        } else {
            theme.outline(painter, rect, f32::from(theme::RADIUS_M));
        }
        let ink = if is_on { theme.text1 } else { theme.text3 };
        let disc = pos2(rect.left() + 20.0, rect.center().y);
        painter.circle_filled(disc, 10.0, if is_now { theme.accent } else { theme.bg1 });
        let number = if is_now { theme.on_accent } else { ink };
        painter.text(
            disc,
            Align2::CENTER_CENTER,
            place + 1,
            theme::strong_of(11.0),
            number,
        );
        let at = pos2(rect.left() + 40.0, rect.center().y - galley.size().y / 2.0);
        painter.galley_with_override_text_color(at, galley, ink);

        if response.has_focus() {
            focus_ring(ui, rect);
        }
        let tip = match &enabled {
            Ok(()) => tip(&command.clone().into()),
            Err(reason) => reason.to_string(),
        };
        let pressed = response.on_hover_text(tip).clicked();
        if pressed && is_on {
            commands.push(command.clone());
        }
    }
}

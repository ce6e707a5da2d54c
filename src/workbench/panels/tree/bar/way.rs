//! The path from the root to the selection, one button per step, and the rule that picks the spawns of the chosen line.

use egui::{Color32, Popup, Role, Sense, Ui, WidgetInfo, vec2};
use strum::IntoEnumIterator as _;

use crate::search::{Link, NodeId, SpawnRule};
use crate::workbench::command::{Command, Commands, TreeCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{menu_choice, menu_entry};
use crate::workbench::panels::tree::frame::ring_focused;
use crate::workbench::panels::tree::words::title;
use crate::workbench::panels::tree::{Inspection, Shown};
use crate::workbench::theme::{self, Theme};

const BETWEEN: f32 = 16.0;
const AROUND: f32 = 12.0;

pub(super) fn ui(ui: &mut Ui, inspection: &mut Inspection, commands: &mut Commands) {
    let Some(shown) = inspection.shown() else {
        return;
    };
    let theme = Theme::of(ui);
    let root = if inspection.is_opened() {
        "Opened board"
    } else {
        "Edited board"
    };
    let steps = steps(shown, inspection.selected(), root);
    ui.spacing_mut().item_spacing.x = 0.0;
    for (icon, command) in [
        (Icon::ChevronLeft, TreeCommand::Back),
        (Icon::ChevronRight, TreeCommand::Forward),
    ] {
        commands.icon(ui, icon, Command::Tree(command), inspection.can(command));
    }

    ui.add_space(theme::SPACE_S);
    let width_of = |text: &str| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), theme::body(), Color32::PLACEHOLDER)
            .size()
            .x
    };
    let rule_text = format!("chosen line: {}", inspection.rule().text());
    let rule_width = rule_width(ui);
    let room = ui.available_width() - rule_width - theme::SPACE_L;
    let widths: Vec<f32> = steps
        .iter()
        .map(|(_, text)| width_of(text) + AROUND)
        .collect();
    let hidden = hidden(&widths, width_of("…") + AROUND, room);
    let mut wanted = None;
    for (place, (id, text)) in steps.iter().enumerate() {
        if hidden.contains(&place) {
            if place == hidden.start {
                separator(ui, theme);
                let more = crumb(ui, theme, "…", "Hidden steps", false);
                Popup::menu(&more).show(|ui| {
                    for (id, text) in &steps[hidden.clone()] {
                        if menu_entry(ui, text, None, Ok(())) {
                            wanted = Some(*id);
                        }
                    }
                });
            }
            continue;
        }
        if place != 0 {
            separator(ui, theme);
        }
        let is_last = place + 1 == steps.len();
        let spoken = if is_last {
            format!("{text}, selected")
        } else {
            text.clone()
        };
        if crumb(ui, theme, text, &spoken, is_last).clicked() {
            wanted = Some(*id);
        }
    }

    ui.add_space(theme::SPACE_L);
    if shown.tree.subject().definition.lookahead.is_minimax() {
        // Nothing to choose: a minimax line has the worst tiles.
        ui.label(
            egui::RichText::new("chosen line: worst tiles")
                .small()
                .color(theme.text3),
        );
    } else {
        Popup::menu(&rule_button(ui, theme, &rule_text)).show(|ui| {
            for rule in SpawnRule::iter() {
                let about = Command::Tree(TreeCommand::Rule(rule)).about();
                if menu_choice(ui, rule == inspection.rule(), rule.text())
                    .on_hover_text(about)
                    .clicked()
                {
                    inspection.set_rule(rule);
                }
            }
        });
    }

    if let Some(id) = wanted {
        inspection.click(id);
    }
}

fn steps(shown: &Shown, selected: NodeId, root: &str) -> Vec<(NodeId, String)> {
    let text = |id: NodeId| match shown.tree.link(id) {
        Some(Link::Slide(mv)) => title(mv),
        Some(Link::Spawn(spawn)) => format!("{} at {}", spawn.rank, spawn.cell),
        None => shown
            .moves
            .map_or(root.to_owned(), |moves| format!("Move {}", moves + 1)),
    };
    shown
        .tree
        .path(selected)
        .into_iter()
        .map(|id| (id, text(id)))
        .collect()
}

/// The steps in the middle to leave out so that the others fit: as few as possible, none if all fit. `more` is the
/// width of the button in their place.
fn hidden(widths: &[f32], more: f32, room: f32) -> std::ops::Range<usize> {
    let whole = widths.iter().sum::<f32>() + BETWEEN * widths.len().saturating_sub(1) as f32;
    if whole <= room || widths.len() < 3 {
        return 0..0;
    }
    let fits = |end: &usize| {
        let rest = &widths[*end..];
        widths[0] + more + rest.iter().sum::<f32>() + BETWEEN * (rest.len() + 1) as f32 <= room
    };
    let last = widths.len() - 1;
    1..(2..=last).find(fits).unwrap_or(last)
}

fn separator(ui: &mut Ui, theme: &Theme) {
    let (rect, _) = ui.allocate_exact_size(vec2(BETWEEN, theme::TAG), Sense::hover());
    Icon::ChevronRight.paint(ui.painter(), rect.center(), theme.text3);
}

/// A button, filled when hovered or selected.
fn plate(
    ui: &mut Ui,
    theme: &Theme,
    width: f32,
    info: &WidgetInfo,
    is_selected: bool,
) -> (egui::Rect, egui::Response) {
    let (hit, response) = ui.allocate_exact_size(vec2(width, theme::HIT), Sense::click());
    response.widget_info(|| info.clone());
    let rect = egui::Rect::from_center_size(hit.center(), vec2(width, theme::TAG));
    if is_selected || response.hovered() {
        ui.painter().rect_filled(
            rect,
            theme::RADIUS_S,
            if is_selected {
                theme.accent_bg
            } else {
                theme.bg4
            },
        );
    }
    ring_focused(ui, &response, rect);
    (rect, response)
}

fn crumb(ui: &mut Ui, theme: &Theme, text: &str, spoken: &str, is_last: bool) -> egui::Response {
    let font = if is_last {
        theme::strong()
    } else {
        theme::body()
    };
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER);
    let info = WidgetInfo::labeled(Role::Link, true, spoken);
    let (rect, response) = plate(ui, theme, galley.size().x + AROUND, &info, is_last);
    ui.painter().galley(
        rect.center() - galley.size() / 2.0,
        galley,
        if is_last { theme.text1 } else { theme.text2 },
    );
    response
}

/// The largest width of the button of the rule, so that nothing moves when the rule changes.
fn rule_width(ui: &Ui) -> f32 {
    let width = |rule: SpawnRule| {
        let text = format!("chosen line: {}", rule.text());
        ui.painter()
            .layout_no_wrap(text, theme::small(), Color32::PLACEHOLDER)
            .size()
            .x
    };
    SpawnRule::iter().map(width).fold(0.0, f32::max) + 24.0
}

fn rule_button(ui: &mut Ui, theme: &Theme, text: &str) -> egui::Response {
    let galley = ui
        .painter()
        .layout_no_wrap(text.to_owned(), theme::small(), Color32::PLACEHOLDER);
    let info = WidgetInfo::labeled(Role::Button, true, text);
    let (rect, response) = plate(ui, theme, galley.size().x + 24.0, &info, false);
    let at = egui::pos2(rect.left() + 4.0, rect.center().y - galley.size().y / 2.0);
    Icon::ChevronDown.paint(
        ui.painter(),
        egui::pos2(rect.right() - 10.0, rect.center().y),
        theme.text3,
    );
    ui.painter().galley(at, galley, theme.text3);
    response.on_hover_text("Which spawn the chosen line follows at each chance node")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_loses_its_middle_and_keeps_both_ends() {
        let widths = [60.0; 9];
        assert_eq!(hidden(&widths, 20.0, 1000.0), 0..0);
        for room in [120.0, 200.0, 300.0, 400.0, 500.0, 600.0] {
            let gone = hidden(&widths, 20.0, room);
            assert!(
                gone.start == 1 && 1 < gone.end && gone.end < widths.len(),
                "{room}: {gone:?}"
            );
            let rest = (widths.len() - gone.end) as f32;
            let width = 60.0 + 20.0 + rest * 60.0 + BETWEEN * (rest + 1.0);
            assert!(
                width <= room || gone.end == widths.len() - 1,
                "{room}: {gone:?} takes {width}"
            );
            assert!(
                gone.end == 2 || room < width + 60.0 + BETWEEN,
                "one more would fit in {room}"
            );
        }
    }
}

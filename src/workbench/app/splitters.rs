//! The splitters between panels: moved by drag, by arrow keys while focused, or by screen readers.

use egui::accesskit::{Action, ActionData, Orientation};
use egui::{CursorIcon, Key, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use crate::workbench::kit::{describe, focus_ring, own_keys};
use crate::workbench::state::layout::{LEAST_TILE, Layout, Splitter};
use crate::workbench::theme::Theme;

/// Step of a key, in points.
const STEP: f32 = 16.0;
/// Step with Shift.
const FINE: f32 = 4.0;

/// Draws the splitters; once, after the panels.
pub(super) fn ui(ui: &Ui, layout: &mut Layout) {
    for splitter in layout.splitters() {
        let by = splitter_ui(ui, &splitter);
        if by != 0.0 {
            layout.move_splitter(&splitter, by);
            ui.ctx().request_repaint();
        }
    }
}

/// One splitter; returns the distance to move in points.
fn splitter_ui(ui: &Ui, splitter: &Splitter) -> f32 {
    let Splitter {
        rect,
        across,
        share,
        ..
    } = splitter;
    let grab = 2.0 * ui.style().interaction.resize_grab_radius_side;
    let size = if *across {
        vec2(grab, rect.height())
    } else {
        vec2(rect.width(), grab)
    };
    let id = ui
        .scope_id()
        .with(("splitter", splitter.tiles, splitter.place));
    let response = ui.interact(
        Rect::from_center_size(rect.center(), size),
        id,
        Sense::click_and_drag(),
    );
    let name = format!("Between {} and {}", splitter.sides[0], splitter.sides[1]);
    let percent = f64::from((share * 100.0).round());
    response.widget_info(|| WidgetInfo {
        value: Some(percent),
        ..WidgetInfo::labeled(Role::Splitter, true, &name)
    });
    describe(ui, id, |node| {
        // Between panels side by side, the splitter is vertical.
        node.set_orientation(if *across {
            Orientation::Vertical
        } else {
            Orientation::Horizontal
        });
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(100.0);
        node.set_numeric_value_step(1.0);
        [Action::Increment, Action::Decrement, Action::SetValue]
            .into_iter()
            .for_each(|action| node.add_action(action));
    });
    let theme = Theme::of(ui);
    let active = response.dragged() || response.hovered();
    if active {
        ui.ctx().set_cursor_icon(if *across {
            CursorIcon::ResizeHorizontal
        } else {
            CursorIcon::ResizeVertical
        });
        let stroke = Stroke::new(
            2.0,
            if response.dragged() {
                theme.accent
            } else {
                theme.line
            },
        );
        if *across {
            ui.painter().vline(rect.center().x, rect.y_range(), stroke);
        } else {
            ui.painter().hline(rect.x_range(), rect.center().y, stroke);
        }
    }

    if response.has_focus() {
        focus_ring(
            ui,
            rect.shrink2(if *across {
                vec2(0.0, 2.0)
            } else {
                vec2(2.0, 0.0)
            }),
        );
    }

    moved(ui, splitter, &response)
}

fn moved(ui: &Ui, splitter: &Splitter, response: &Response) -> f32 {
    let Splitter {
        rect,
        across,
        share,
        ..
    } = splitter;
    let axis = usize::from(!across);
    // The common size of both neighbors.
    let room = splitter.room;
    if response.double_clicked() {
        return (0.5 - share) * room;
    }

    if response.dragged()
        && let Some(pointer) = response.interact_pointer_pos()
    {
        return pointer[axis] - rect.center()[axis];
    }

    let steps =
        |action| ui.input(|input| input.num_accesskit_action_requests(response.id, action)) as f32;
    let mut by = STEP * (steps(Action::Increment) - steps(Action::Decrement));
    let wanted = ui.input(|input| {
        let requests = input.accesskit_action_requests(response.id, Action::SetValue);
        let values = requests.filter_map(|request| match request.data {
            Some(ActionData::NumericValue(value)) => Some(value),
            _ => None,
        });
        values.last()
    });
    if let Some(percent) = wanted {
        by += (percent.clamp(0.0, 100.0) as f32 / 100.0 - share) * room;
    }

    let (more, less) = if *across {
        (Key::ArrowRight, Key::ArrowLeft)
    } else {
        (Key::ArrowDown, Key::ArrowUp)
    };
    let step = if ui.input(|input| input.modifiers.shift) {
        FINE
    } else {
        STEP
    };
    let by_key = |key| match key {
        // One of the two neighbors gets its minimum size.
        Key::Home => LEAST_TILE - share * room,
        Key::End => (1.0 - share) * room - LEAST_TILE,
        key if key == more => step,
        _ => -step,
    };
    by + own_keys(ui, response, &[more, less, Key::Home, Key::End])
        .into_iter()
        .map(by_key)
        .sum::<f32>()
}

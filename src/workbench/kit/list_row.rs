//! A row of a list: as wide as the list, filled when selected or hovered, with a ring when focused.

use egui::{
    Id, Painter, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::accessible::{bounds, describe};
use super::drag::drag_painter;
use super::focus;
use super::line::Line;
use crate::workbench::theme::{self, Theme, focus_ring};

/// Behavior and accessible name of a row; the caller paints its content.
#[derive(Clone, Copy, Debug)]
pub struct ListRow<'a> {
    name: &'a str,
    role: Role,
    selected: Option<bool>,
    is_title: bool,
    enabled: bool,
    sense: Sense,
    height: f32,
    pad: f32,
}

impl<'a> ListRow<'a> {
    /// A clickable row, a button for screen readers.
    pub fn new(name: &'a str) -> Self {
        Self {
            name,
            role: Role::Button,
            selected: None,
            is_title: false,
            enabled: true,
            sense: Sense::click(),
            height: theme::ROW,
            pad: theme::SPACE_M,
        }
    }

    pub fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// Whether it is selected, in a list with a selection.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = Some(selected);
        self
    }

    /// The title of a group, which is unfolded rather than selected.
    pub fn unfolded(mut self, unfolded: bool) -> Self {
        (self.selected, self.is_title) = (Some(unfolded), true);
        self
    }

    /// A disabled row is not filled when hovered.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// A draggable row; faint during its drag.
    pub fn draggable(mut self) -> Self {
        self.sense = Sense::click_and_drag();
        self
    }

    /// Whether it can have the focus: if commands move the selection, only the selected row can.
    pub fn stop(mut self, is_stop: bool) -> Self {
        self.sense = if is_stop { self.sense } else { Sense::CLICK };
        self
    }

    /// A passive row.
    pub fn inert(mut self) -> Self {
        (self.sense, self.role) = (Sense::hover(), Role::Label);
        self.enabled(false)
    }

    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// Padding at the ends of the row.
    pub fn pad(mut self, pad: f32) -> Self {
        self.pad = pad;
        self
    }

    /// A row below the previous content; `paint` is called if it is visible.
    pub fn show(self, ui: &mut Ui, paint: impl FnOnce(&mut Line, &Response)) -> Response {
        let (_, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), self.height), self.sense);
        self.on(ui, response, paint)
    }

    /// A row at a given place.
    pub fn show_at(
        self,
        ui: &Ui,
        rect: Rect,
        id: Id,
        paint: impl FnOnce(&mut Line, &Response),
    ) -> Response {
        self.on(ui, ui.interact(rect, id, self.sense), paint)
    }

    /// A row with widgets on top of its paint, such as table cells, which are drawn into the returned `Ui`.
    pub fn show_around(
        self,
        ui: &mut Ui,
        id: Id,
        paint: impl FnOnce(&mut Line, &Response),
    ) -> (Ui, Response) {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), self.height));
        let builder = UiBuilder::new()
            .id_salt(id)
            .max_rect(rect)
            .sense(self.sense);
        let mut inside = ui.new_child(builder.accessibility_role(self.role));
        inside.set_min_size(rect.size());
        describe(&inside, inside.unique_id(), |node| {
            node.set_bounds(bounds(rect));
        });
        let response = self.on(
            &inside,
            Response {
                rect,
                ..inside.response()
            },
            paint,
        );
        (inside, response)
    }

    /// A row in space that is already allocated.
    pub fn on(
        self,
        ui: &Ui,
        response: Response,
        paint: impl FnOnce(&mut Line, &Response),
    ) -> Response {
        let enabled = self.enabled || self.sense == Sense::hover();
        response.widget_info(|| match self.selected {
            Some(selected) => {
                WidgetInfo::selected(self.role, ui.is_enabled() && enabled, selected, self.name)
            }
            None => WidgetInfo::labeled(self.role, ui.is_enabled() && enabled, self.name),
        });
        if self.selected == Some(true) && !self.is_title {
            focus::selected(&response);
        }
        let rect = response.rect;
        if !ui.is_rect_visible(rect) {
            return response;
        }

        let painter = drag_painter(ui, &response);
        self.paint_surface(ui, &painter, &response);
        paint(&mut Line::new(&painter, rect, self.pad), &response);
        response
    }

    fn paint_surface(self, ui: &Ui, painter: &Painter, response: &Response) {
        let theme = Theme::of(ui);
        let hot = self.enabled && (response.hovered() || response.has_focus());
        let fill = match (self.selected, hot) {
            (Some(true), _) if !self.is_title => Some(theme.accent_bg),
            (_, true) => Some(theme.bg4),
            _ => None,
        };
        if let Some(fill) = fill {
            painter.rect_filled(response.rect, theme::RADIUS_S, fill);
            if theme.high_contrast {
                let edge = if fill == theme.accent_bg {
                    theme.accent
                } else {
                    theme.line
                };
                painter.rect_stroke(
                    response.rect,
                    theme::RADIUS_S,
                    Stroke::new(1.0, edge),
                    StrokeKind::Inside,
                );
            }
        }

        if response.has_focus() {
            focus_ring(ui, response.rect.shrink(2.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;

    #[test]
    fn a_row_is_a_button_with_its_name_and_is_painted_where_it_is_seen() {
        let mut window = Harness::new_ui_state(
            |ui, (clicked, painted): &mut (Option<usize>, usize)| {
                *painted = 0;
                egui::ScrollArea::vertical()
                    .max_height(60.0)
                    .show(ui, |ui| {
                        for row in 0..10 {
                            let name = format!("Row {row}");
                            let response = ListRow::new(&name)
                                .selected(*clicked == Some(row))
                                .show(ui, |_, _| *painted += 1);
                            if response.clicked() {
                                *clicked = Some(row);
                            }
                        }
                    });
            },
            (None, 0),
        );

        window.run_steps(3);
        window.get_by_label("Row 1").click();
        window.run_steps(3);
        let (clicked, painted) = *window.state();
        assert_eq!(clicked, Some(1));
        assert!((2..10).contains(&painted), "{painted} rows were painted");
    }
}

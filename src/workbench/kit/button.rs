//! A button with text, icon or both, in plain, accented and quiet form.

use egui::{Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, Widget, WidgetInfo, pos2, vec2};

use crate::workbench::icon::{self, Icon};
use crate::workbench::paper::{left_out, on_paper};
use crate::workbench::theme::{self, Theme};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    Plain,
    Accent,
    Quiet,
}

/// A button. A button that is not [`Button::enabled`] can still have the focus, so that its tooltip can be read.
pub struct Button<'a> {
    text: &'a str,
    icon: Option<Icon>,
    look: Look,
    height: f32,
    width: f32,
    name: Option<&'a str>,
    enabled: bool,
}

impl<'a> Button<'a> {
    /// A button with this text, a verb.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            icon: None,
            look: Look::Plain,
            height: theme::CONTROL,
            width: 0.0,
            name: None,
            enabled: true,
        }
    }

    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// The main button of a panel.
    pub fn accent(mut self) -> Self {
        self.look = Look::Accent;
        self
    }

    /// Only an outline until it is hovered.
    pub fn quiet(mut self) -> Self {
        self.look = Look::Quiet;
        self
    }

    /// As high as a chip.
    pub fn small(mut self) -> Self {
        self.height = theme::CHIP;
        self
    }

    pub fn width(mut self, width: f32) -> Self {
        self.width = width;
        self
    }

    /// Whether it can be pressed; if not, its tooltip says why.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Draws it with its tooltip: the action, or why it is disabled.
    pub fn show(self, ui: &mut Ui, about: Result<&str, &str>) -> Response {
        let (Ok(text) | Err(text)) = about;
        ui.add(self.enabled(about.is_ok())).on_hover_text(text)
    }

    /// The accessible name, if the text alone is unclear.
    pub fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }
}

impl Widget for Button<'_> {
    fn ui(self, ui: &mut Ui) -> Response {
        if on_paper(ui) {
            return left_out(ui);
        }

        let theme = Theme::of(ui);
        let galley = ui.painter().layout_no_wrap(
            self.text.to_owned(),
            theme::medium(),
            egui::Color32::PLACEHOLDER,
        );
        let gap = if self.icon.is_some() && !self.text.is_empty() {
            6.0
        } else {
            0.0
        };
        let content = galley.size().x + gap + self.icon.map_or(0.0, |_| icon::SIDE);
        let size = vec2(
            (content + 2.0 * ui.spacing().button_padding.x).max(self.width),
            self.height,
        );
        let enabled = self.enabled && ui.is_enabled();
        let sense = if self.enabled {
            Sense::click()
        } else {
            Sense::focusable_noninteractive()
        };
        let (rect, response) = ui.allocate_exact_size(size, sense);
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, enabled, self.name.unwrap_or(self.text))
        });
        if !ui.is_rect_visible(rect) {
            return response;
        }

        // Disabled text keeps its contrast; the missing frame shows the state.
        let mut painter = ui.painter().clone();
        if !enabled {
            painter.set_opacity(1.0);
        }
        let hot = enabled && (response.hovered() || response.has_focus());
        let (fill, text, stroke) = match self.look {
            _ if !enabled => (None, theme.off(), None),
            Look::Accent => (
                Some(theme.accent),
                theme.on_accent,
                hot.then_some(theme.text1),
            ),
            _ if hot => {
                let outlined = theme.high_contrast || response.is_pointer_button_down_on();
                (Some(theme.bg4), theme.text1, outlined.then_some(theme.line))
            }
            Look::Plain => (
                Some(theme.bg3),
                theme.text1,
                theme.high_contrast.then_some(theme.line),
            ),
            Look::Quiet => (None, theme.text1, Some(theme.line)),
        };
        if let Some(fill) = fill {
            painter.rect_filled(rect, theme::RADIUS_S, fill);
        }
        if let Some(color) = stroke {
            painter.rect_stroke(
                rect,
                theme::RADIUS_S,
                Stroke::new(1.0, color),
                StrokeKind::Inside,
            );
        }

        if !enabled && theme.high_contrast {
            let [a, b] = [rect.shrink(0.5).left_top(), rect.shrink(0.5).right_bottom()];
            let corners = [a, pos2(b.x, a.y), b, pos2(a.x, b.y), a];
            painter.extend(egui::Shape::dashed_line(
                &corners,
                Stroke::new(1.0, theme.sep),
                3.0,
                3.0,
            ));
        }
        if response.has_focus() {
            theme::focus_ring(ui, rect);
        }

        let mut x = rect.center().x - content / 2.0;
        if let Some(icon) = self.icon {
            icon.paint(&painter, pos2(x + icon::SIDE / 2.0, rect.center().y), text);
            x += icon::SIDE + gap;
        }
        let top = rect.center().y - galley.size().y / 2.0;
        painter.galley(pos2(x, top) + Vec2::ZERO, galley, text);
        response
    }
}

/// A button that copies something as text, such as a table as CSV; `copied` creates the text on demand.
pub fn copy_button(ui: &mut Ui, text: &str, subject: &str, copied: impl FnOnce() -> String) {
    let spoken = format!("{text} of {subject}");
    if ui.add(Button::new(text).name(&spoken).small()).clicked() {
        ui.copy_text(copied());
    }
}

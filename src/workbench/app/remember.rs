//! Saves settings and session: after a pause, again until it succeeds, and when the window closes.

use std::time::Duration;

use egui::{Context, Id, Modal, RichText, Ui, Vec2, ViewportCommand, ViewportInfo};

use super::window::{App, Over};
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, answers, show_dialog};
use crate::workbench::state::settings::WindowPlace;
use crate::workbench::theme::{self, Theme};

/// Number of frames until the window system has placed the window.
const SETTLED: u8 = 30;

/// Interval between two checks for the end of a drag.
const LOOK: Duration = Duration::from_secs(1);

impl App {
    /// Saves changes after a pause, but not during a drag.
    pub(super) fn remember(&mut self, ctx: &Context) {
        if self.screenshot.is_some() {
            return;
        }

        self.settings.plots = self.panels.run.plots;
        self.settings.experiment = self.panels.experiment_view();
        if self.keeps_size && SETTLED <= self.frames {
            let window = ctx.input(|input| input.viewport().clone());
            let drawn = ctx.viewport_rect().size();
            self.settings.window =
                place_of(&window, drawn, ctx.zoom_factor(), self.settings.window);
        }

        let is_dragged = || ctx.input(|input| input.pointer.any_down());
        match self
            .saved_state
            .due_in(&self.settings, &self.document.open_now())
        {
            None => {}
            Some(wait) if !wait.is_zero() => ctx.request_repaint_after(wait),
            Some(_) if is_dragged() => ctx.request_repaint_after(LOOK),
            Some(_) => {
                self.save();
                if let Some(wait) = self
                    .saved_state
                    .due_in(&self.settings, &self.document.open_now())
                {
                    ctx.request_repaint_after(wait);
                }
            }
        }
    }

    /// Shrinks a new window until it fits the screen with its frame.
    pub(super) fn fit_screen(&mut self, ctx: &Context) {
        if SETTLED <= self.frames {
            return;
        }
        self.frames += 1;
        let window = ctx.input(|input| input.viewport().clone());
        if let Some(size) = fitting(&window, ctx.viewport_rect().size()).filter(|_| self.keeps_size)
        {
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        }
    }

    pub(super) fn save(&mut self) {
        for (level, text) in
            self.saved_state
                .write(self.folder.as_deref(), &self.document, &self.settings)
        {
            self.notices.say(level, text);
        }
    }

    /// Saves everything, including text being typed.
    pub fn close(&mut self, ctx: &Context) {
        let mut commands = Commands::default();
        self.panels.keep(&mut commands);
        for command in commands.take() {
            self.apply(ctx, command);
        }
        self.save();
    }

    /// Keeps the window open while saving fails, and asks the user.
    pub(super) fn close_only_if_kept(&mut self, ctx: &Context) {
        if self.screenshot.is_some()
            || self.saved_state.quits
            || !ctx.input(|input| input.viewport().close_requested())
        {
            return;
        }
        self.close(ctx);
        if self.saved_state.failure.is_some() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.over = Over::Unkept;
        }
    }

    /// Asks whether to close despite unsaved changes; false once answered.
    pub(super) fn unkept(&mut self, ctx: &Context) -> bool {
        let Some(reason) = self.saved_state.failure.clone() else {
            return false;
        };
        let frame = theme::dialog_frame(&ctx.global_style());
        let mut answer = None;
        let modal = Modal::new(Id::unique("unkept")).frame(frame);
        let modal = show_dialog(ctx, modal, UNKEPT, |ui| answer = unkept_ui(ui, &reason));
        match answer {
            Some(quits) => {
                self.saved_state.quits = quits;
                ctx.send_viewport_cmd(ViewportCommand::Close);
                false
            }
            None => !modal.should_close(),
        }
    }
}

/// The size at which a too large window fits its screen with its frame; `None` if it fits or the screen is unknown.
/// `drawn` is the drawing area, for window systems that do not report positions.
fn fitting(window: &ViewportInfo, drawn: Vec2) -> Option<Vec2> {
    let screen = window
        .monitor_size
        .filter(|_| window.maximized != Some(true) && window.fullscreen != Some(true))?;
    let frame = window
        .outer_rect
        .zip(window.inner_rect)
        .map_or(Vec2::ZERO, |(outer, inner)| outer.size() - inner.size());
    let (inner, most) = (
        window.inner_rect.map_or(drawn, |inner| inner.size()),
        screen - frame,
    );
    let is_larger = most.x < inner.x || most.y < inner.y;
    (is_larger && 0.0 < most.min_elem()).then(|| inner.min(most))
}

/// The size of the window and whether it is maximized; `before` if the window system does not report it.
fn place_of(window: &ViewportInfo, drawn: Vec2, zoom: f32, before: WindowPlace) -> WindowPlace {
    let Some(screen) = window.monitor_size else {
        return before;
    };
    if window.minimized == Some(true) || window.fullscreen == Some(true) {
        return before;
    }
    let inner = window.inner_rect.map_or(drawn, |inner| inner.size());
    let maximized = window.maximized.unwrap_or(before.maximized);
    // A window that is being maximized may be large before it reports so.
    let size = if maximized || screen.x <= inner.x {
        before.size
    } else {
        Some((inner * zoom).round().into())
    };
    WindowPlace { size, maximized }
}

const UNKEPT: &str = "The session cannot be saved";

/// Whether to close anyway, or to retry and close; `None` while open.
fn unkept_ui(ui: &mut Ui, reason: &str) -> Option<bool> {
    let theme = Theme::of(ui);
    ui.set_width(440.0_f32.min(ui.ctx().content_rect().width() - 48.0));
    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
    ui.heading(UNKEPT);
    ui.add(egui::Label::new(reason).wrap());
    let lost = "Without it, the next start shows the session that was saved last";
    ui.label(RichText::new(lost).small().color(theme.text3));

    let mut answer = None;
    answers(ui, |ui| {
        if ui.add(Button::new("Try again").accent()).clicked() {
            answer = Some(false);
        }
        if ui.add(Button::new("Quit without saving")).clicked() {
            answer = Some(true);
        }
        if ui.add(Button::new("Cancel")).clicked() {
            ui.close();
        }
    });

    answer
}

#[cfg(test)]
mod tests {
    use egui::{Rect, pos2, vec2};

    use super::*;

    /// A window of this size with a title bar 40 points high, on a screen of 1600 × 1000.
    fn window(width: f32, height: f32) -> ViewportInfo {
        let inner = Rect::from_min_size(pos2(0.0, 40.0), vec2(width, height));
        let outer = Some(inner.with_min_y(0.0));
        ViewportInfo {
            inner_rect: Some(inner),
            outer_rect: outer,
            monitor_size: Some(vec2(1600.0, 1000.0)),
            ..ViewportInfo::default()
        }
    }

    #[test]
    fn a_window_fits_its_screen_with_its_frame() {
        assert_eq!(
            fitting(&window(1600.0, 1000.0), Vec2::ZERO),
            Some(vec2(1600.0, 960.0))
        );
        assert_eq!(fitting(&window(1280.0, 800.0), Vec2::ZERO), None);
        // Without reported positions, and maximized.
        let silent = ViewportInfo {
            inner_rect: None,
            outer_rect: None,
            ..window(0.0, 0.0)
        };
        assert_eq!(
            fitting(&silent, vec2(1700.0, 900.0)),
            Some(vec2(1600.0, 900.0))
        );
        let maximized = ViewportInfo {
            maximized: Some(true),
            ..window(1600.0, 1000.0)
        };
        assert_eq!(fitting(&maximized, Vec2::ZERO), None);
        assert_eq!(fitting(&ViewportInfo::default(), vec2(1700.0, 900.0)), None);
    }

    #[test]
    fn a_maximized_window_keeps_the_size_it_had() {
        let none = WindowPlace::default();
        let was = place_of(&window(1280.0, 800.0), Vec2::ZERO, 1.5, none);
        assert_eq!(
            was,
            WindowPlace {
                size: Some([1920.0, 1200.0]),
                maximized: false
            }
        );
        let maximized = ViewportInfo {
            maximized: Some(true),
            ..window(1600.0, 960.0)
        };
        assert_eq!(
            place_of(&maximized, Vec2::ZERO, 1.0, was),
            WindowPlace {
                maximized: true,
                ..was
            }
        );
        // During maximizing, minimized, and without a report of the window system.
        assert_eq!(place_of(&window(1600.0, 960.0), Vec2::ZERO, 1.0, was), was);
        let minimized = ViewportInfo {
            minimized: Some(true),
            ..window(0.0, 0.0)
        };
        assert_eq!(place_of(&minimized, Vec2::ZERO, 1.0, was), was);
        assert_eq!(
            place_of(&ViewportInfo::default(), vec2(800.0, 600.0), 1.0, was),
            was
        );
    }
}

//! What is kept between runs: settings and what was open. It is written once it rests, again until that has worked, and when
//! the window closes.

use std::time::Duration;

use egui::{Context, Id, Modal, RichText, Ui, ViewportCommand};

use super::window::{App, Over};
use crate::workbench::command::Commands;
use crate::workbench::kit::{Button, answers, show_dialog};
use crate::workbench::state::settings::WindowPlace;
use crate::workbench::theme::{self, Theme};

/// Frames after which the window system has placed the window.
const SETTLED: u8 = 30;

/// How often it is looked whether what is dragged was let go.
const LOOK: Duration = Duration::from_secs(1);

impl App {
    /// Writes what changed once it rests, and not while something is dragged.
    pub(super) fn remember(&mut self, ctx: &Context) {
        if self.screenshot.is_some() {
            return;
        }
        self.settings.plots = self.panels.run.plots;
        self.settings.experiment = self.panels.experiment_view();
        if self.keeps_size && SETTLED <= self.frames {
            self.settings.window = place_of(ctx, self.settings.window);
        }
        let is_dragged = || ctx.input(|input| input.pointer.any_down());
        match self.kept.due_in(&self.settings, &self.document.open_now()) {
            None => {}
            Some(wait) if !wait.is_zero() => ctx.request_repaint_after(wait),
            Some(_) if is_dragged() => ctx.request_repaint_after(LOOK),
            Some(_) => {
                self.save();
                if let Some(wait) = self.kept.due_in(&self.settings, &self.document.open_now()) {
                    ctx.request_repaint_after(wait);
                }
            }
        }
    }

    /// Makes a window that has just opened as small as the screen, together with its frame.
    pub(super) fn fit_screen(&mut self, ctx: &Context) {
        if SETTLED <= self.frames {
            return;
        }
        self.frames += 1;
        let window = ctx.input(|input| input.viewport().clone());
        let (Some(outer), Some(inner), Some(screen)) = (window.outer_rect, window.inner_rect, window.monitor_size)
        else {
            return;
        };
        let most = (screen - (outer.size() - inner.size())).max(egui::Vec2::ZERO);
        let is_larger = most.x < inner.width() || most.y < inner.height();
        if self.keeps_size && is_larger && window.maximized != Some(true) && most != egui::Vec2::ZERO {
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(inner.size().min(most)));
        }
    }

    pub(super) fn save(&mut self) {
        for (level, text) in self.kept.write(self.folder.as_deref(), &self.document, &self.settings) {
            self.notices.say(level, text);
        }
    }

    /// Writes everything, also what is being typed.
    pub fn close(&mut self, ctx: &Context) {
        let mut commands = Commands::default();
        self.panels.keep(&mut commands);
        for command in commands.take() {
            self.apply(ctx, command);
        }
        self.save();
    }

    /// Keeps the window from closing while something cannot be written, and asks.
    pub(super) fn close_only_if_kept(&mut self, ctx: &Context) {
        if self.screenshot.is_some() || self.kept.quits || !ctx.input(|input| input.viewport().close_requested()) {
            return;
        }
        self.close(ctx);
        if self.kept.failure.is_some() {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.over = Over::Unkept;
        }
    }

    /// Asks whether to close the window although something is lost; false once that is answered.
    pub(super) fn unkept(&mut self, ctx: &Context) -> bool {
        let Some(reason) = self.kept.failure.clone() else { return false };
        let frame = theme::dialog_frame(&ctx.global_style());
        let mut answer = None;
        let modal = Modal::new(Id::unique("unkept")).frame(frame);
        let modal = show_dialog(ctx, modal, UNKEPT, |ui| answer = unkept_ui(ui, &reason));
        match answer {
            Some(quits) => {
                self.kept.quits = quits;
                ctx.send_viewport_cmd(ViewportCommand::Close);
                false
            }
            None => !modal.should_close(),
        }
    }
}

/// The size of the window and whether it fills the screen; as it was where the window system does not say.
fn place_of(ctx: &Context, before: WindowPlace) -> WindowPlace {
    let (window, zoom) = (ctx.input(|input| input.viewport().clone()), ctx.zoom_factor());
    let Some(inner) = window.inner_rect.filter(|_| window.minimized != Some(true)) else { return before };
    let maximized = window.maximized.unwrap_or(before.maximized);
    let size = if maximized { before.size } else { Some((inner.size() * zoom).round().into()) };
    WindowPlace { size, maximized }
}

const UNKEPT: &str = "What is open cannot be kept";

/// Whether to close all the same, or to try again and close; nothing while it is open.
fn unkept_ui(ui: &mut Ui, reason: &str) -> Option<bool> {
    let theme = Theme::of(ui);
    ui.set_width(440.0_f32.min(ui.ctx().content_rect().width() - 48.0));
    ui.spacing_mut().item_spacing.y = theme::SPACE_M;
    ui.heading(UNKEPT);
    ui.add(egui::Label::new(reason).wrap());
    let lost = "Without it the next start shows what was kept last";
    ui.label(RichText::new(lost).small().color(theme.text3));
    let mut answer = None;
    answers(ui, |ui| {
        if ui.add(Button::new("Try again").accent()).clicked() {
            answer = Some(false);
        }
        if ui.add(Button::new("Quit all the same")).clicked() {
            answer = Some(true);
        }
        if ui.add(Button::new("Cancel")).clicked() {
            ui.close();
        }
    });
    answer
}

//! Short messages in the corner: what happened, and sometimes a button that takes it back.

use std::time::{Duration, Instant};

use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Stroke, Ui, vec2};

use super::command::{Command, Commands};
use super::icon::{Icon, icon_button};
use super::kit::Button;
use super::theme::{self, Theme};

/// How long a message stays unless it is an error: long enough to read two lines.
const STAY: Duration = Duration::from_secs(5);
/// With a button: long enough to reach it as well.
const STAY_WITH_BUTTON: Duration = Duration::from_secs(8);
/// More would cover the panels.
const AT_MOST: usize = 4;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
    /// It did not work; stays until it is closed.
    Error,
}

#[derive(Clone, Debug)]
pub struct Notice {
    level: Level,
    text: String,
    action: Option<(&'static str, Command)>,
    until: Option<Instant>,
}

/// The messages on screen, the oldest first.
#[derive(Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
}

impl Notices {
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(Level::Info, text.into(), None);
    }

    pub fn warn(&mut self, text: impl Into<String>) {
        self.push(Level::Warn, text.into(), None);
    }

    /// It did not work: one sentence naming place and remedy.
    pub fn error(&mut self, text: impl Into<String>) {
        self.push(Level::Error, text.into(), None);
    }

    /// It worked, and the button (usually "Undo") does `command`.
    pub fn info_with(&mut self, text: impl Into<String>, button: &'static str, command: Command) {
        self.push(Level::Info, text.into(), Some((button, command)));
    }

    pub fn dismiss(&mut self) {
        self.list.clear();
    }

    /// The messages as text, for tests.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|notice| notice.text.as_str())
    }

    fn push(&mut self, level: Level, text: String, action: Option<(&'static str, Command)>) {
        // The same message again only stays longer.
        self.list.retain(|notice| notice.text != text);
        let stay = if action.is_some() { STAY_WITH_BUTTON } else { STAY };
        let until = (level != Level::Error).then(|| Instant::now() + stay);
        self.list.push(Notice { level, text, action, until });
        // An error has to be seen: what only informs makes room first.
        if AT_MOST < self.list.len() {
            let oldest = self.list.iter().position(|notice| notice.level != Level::Error).unwrap_or(0);
            self.list.remove(oldest);
        }
    }

    /// Draws the messages above the status bar and drops those whose time is over.
    pub fn show(&mut self, ctx: &Context, commands: &mut Commands) {
        let now = Instant::now();
        self.list.retain(|notice| notice.until.is_none_or(|until| now < until));
        if self.list.is_empty() {
            return;
        }
        if let Some(next) = self.list.iter().filter_map(|notice| notice.until).min() {
            ctx.request_repaint_after(next - now + Duration::from_millis(20));
        }
        let mut closed = None;
        // In the middle: the lists of presets and of rows, which a message may be about, stand at the sides.
        Area::new(Id::unique("notices"))
            .order(Order::Tooltip)
            .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -theme::STATUS - theme::PAD))
            .show(ctx, |ui| {
                ui.spacing_mut().item_spacing.y = theme::SPACE_M;
                for (i, notice) in self.list.iter().enumerate() {
                    if notice.show(ui, commands) {
                        closed = Some(i);
                    }
                }
            });
        if let Some(i) = closed {
            self.list.remove(i);
        }
    }
}

impl Notice {
    /// Whether it is to go.
    fn show(&self, ui: &mut Ui, commands: &mut Commands) -> bool {
        let theme = Theme::of(ui);
        let color = match self.level {
            Level::Info => theme.ok,
            Level::Warn => theme.warn,
            Level::Error => theme.error,
        };
        let frame = Frame::new()
            .fill(theme.bg2)
            .stroke(Stroke::new(1.0, if self.level == Level::Error { theme.error } else { theme.line }))
            .corner_radius(theme::RADIUS_M)
            .shadow(ui.visuals().popup_shadow)
            .inner_margin(Margin { left: 12, right: 6, top: 6, bottom: 6 });
        frame
            .show(ui, |ui| {
                ui.horizontal(|ui| {
                    match self.level {
                        Level::Info => {
                            ui.colored_label(color, "✓");
                        }
                        Level::Warn => super::icon::icon_label(ui, Icon::Warning, color),
                        Level::Error => {
                            ui.colored_label(color, "✗");
                        }
                    }
                    // Laid out here: a label in a row would not break its lines.
                    let most = (ui.ctx().content_rect().width() - 160.0).clamp(120.0, 420.0);
                    ui.label(ui.painter().layout(self.text.clone(), theme::body(), theme.text1, most));
                    let mut gone = false;
                    if let Some((text, command)) = &self.action
                        && ui.add(Button::new(text).small()).clicked()
                    {
                        commands.push(command.clone());
                        gone = true;
                    }
                    gone | icon_button(ui, Icon::Close, "Close message", "Close").clicked()
                })
                .inner
            })
            .inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_message_is_shown_once_and_old_ones_make_room() {
        let mut notices = Notices::default();
        notices.info("a");
        notices.error("b");
        notices.info("a");
        assert_eq!(notices.texts().collect::<Vec<_>>(), ["b", "a"]);
        for text in ["c", "d", "e"] {
            notices.warn(text);
        }
        assert_eq!(notices.texts().collect::<Vec<_>>(), ["b", "c", "d", "e"], "the error stays");
    }
}

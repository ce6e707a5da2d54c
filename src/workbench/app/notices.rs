//! Short messages in the corner: what happened, and sometimes a button that takes it back.

use std::time::{Duration, Instant};

use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Stroke, Ui, vec2};

use crate::workbench::command::Commands;
use crate::workbench::icon::{Icon, icon_button, icon_label};
use crate::workbench::kit::Button;
use crate::workbench::state::effect::{Level, Notice};
use crate::workbench::theme::{self, Theme};

/// How long a message stays unless it is an error: long enough to read two lines.
const STAY: Duration = Duration::from_secs(5);
/// With a button: long enough to reach it as well.
const STAY_WITH_BUTTON: Duration = Duration::from_secs(8);
/// More would cover the panels.
const AT_MOST: usize = 4;

#[derive(Clone, Debug)]
struct OnScreen {
    notice: Notice,
    until: Option<Instant>,
}

/// The messages on screen, the oldest first.
#[derive(Debug, Default)]
pub struct Notices {
    list: Vec<OnScreen>,
}

impl Notices {
    pub(super) fn say(&mut self, level: Level, text: impl Into<String>) {
        self.push(Notice { level, text: text.into(), action: None });
    }

    pub fn dismiss(&mut self) {
        self.list.clear();
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|shown| shown.notice.text.as_str())
    }

    pub(super) fn push(&mut self, notice: Notice) {
        // The same message again only stays longer.
        self.list.retain(|old| old.notice.text != notice.text);
        let stay = if notice.action.is_some() { STAY_WITH_BUTTON } else { STAY };
        let until = (notice.level != Level::Error).then(|| Instant::now() + stay);
        self.list.push(OnScreen { notice, until });
        // An error has to be seen: what only informs makes room first.
        if AT_MOST < self.list.len() {
            let oldest = self.list.iter().position(|shown| shown.notice.level != Level::Error).unwrap_or(0);
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
                for (i, shown) in self.list.iter().enumerate() {
                    if notice_ui(ui, &shown.notice, commands) {
                        closed = Some(i);
                    }
                }
            });
        if let Some(i) = closed {
            self.list.remove(i);
        }
    }
}

fn notice_ui(ui: &mut Ui, notice: &Notice, commands: &mut Commands) -> bool {
    let theme = Theme::of(ui);
    let (color, sign) = match notice.level {
        Level::Info => (theme.ok, Some("✓")),
        Level::Warn => (theme.warn, None),
        Level::Error => (theme.error, Some("✗")),
    };
    let frame = Frame::new()
        .fill(theme.bg2)
        .stroke(Stroke::new(1.0, if notice.level == Level::Error { theme.error } else { theme.line }))
        .corner_radius(theme::RADIUS_M)
        .shadow(ui.visuals().popup_shadow)
        .inner_margin(Margin { left: 12, right: 6, top: 6, bottom: 6 });
    frame
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                match sign {
                    Some(sign) => drop(ui.colored_label(color, sign)),
                    None => icon_label(ui, Icon::Warning, color),
                }
                // Laid out here: a label in a row would not break its lines.
                let most = (ui.ctx().content_rect().width() - 160.0).clamp(120.0, 420.0);
                ui.label(ui.painter().layout(notice.text.clone(), theme::body(), theme.text1, most));
                let mut gone = false;
                if let Some((text, command)) = &notice.action
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_message_is_shown_once_and_old_ones_make_room() {
        let mut notices = Notices::default();
        notices.say(Level::Info, "a");
        notices.say(Level::Error, "b");
        notices.say(Level::Info, "a");
        assert_eq!(notices.texts().collect::<Vec<_>>(), ["b", "a"]);
        for text in ["c", "d", "e"] {
            notices.say(Level::Warn, text);
        }
        assert_eq!(notices.texts().collect::<Vec<_>>(), ["b", "c", "d", "e"], "the error stays");
    }
}

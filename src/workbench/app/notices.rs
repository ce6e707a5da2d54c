//! Short messages in the status bar, sometimes with an undo button.

use std::time::{Duration, Instant};

use egui::{Align, Context, Label, Layout, RichText, Ui};

use crate::workbench::command::Commands;
use crate::workbench::icon::{Icon, icon_button, icon_label};
use crate::workbench::kit::Button;
use crate::workbench::state::effect::{Level, Notice};
use crate::workbench::theme::{self, Theme};

/// Display time of a message, unless it is an error: long enough to read two lines.
const STAY: Duration = Duration::from_secs(5);
/// Display time with a button: long enough to reach it.
const STAY_WITH_BUTTON: Duration = Duration::from_secs(8);
/// Maximum number of visible messages.
const AT_MOST: usize = 4;

#[derive(Clone, Debug)]
struct OnScreen {
    notice: Notice,
    until: Option<Instant>,
}

/// The visible messages, oldest first.
#[derive(Debug, Default)]
pub struct Notices {
    list: Vec<OnScreen>,
    /// Messages since the last announcement to screen readers.
    news: Vec<(Level, String)>,
}

impl Notices {
    pub(super) fn say(&mut self, level: Level, text: impl Into<String>) {
        self.push(Notice {
            level,
            text: text.into(),
            action: None,
        });
    }

    pub fn dismiss(&mut self) {
        self.list.clear();
    }

    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|shown| shown.notice.text.as_str())
    }

    /// The first visible error.
    pub(super) fn first_error(&self) -> Option<&str> {
        let mut errors = self
            .list
            .iter()
            .filter(|shown| shown.notice.level == Level::Error);
        errors.next().map(|shown| shown.notice.text.as_str())
    }

    /// Takes the messages since the last call.
    pub(super) fn take_news(&mut self) -> Vec<(Level, String)> {
        std::mem::take(&mut self.news)
    }

    pub(super) fn push(&mut self, notice: Notice) {
        self.news.push((notice.level, notice.text.clone()));
        // A repeated message only stays longer.
        self.list.retain(|old| old.notice.text != notice.text);
        let stay = if notice.action.is_some() {
            STAY_WITH_BUTTON
        } else {
            STAY
        };
        let until = (notice.level != Level::Error).then(|| Instant::now() + stay);
        self.list.push(OnScreen { notice, until });
        // Errors must be seen, so an older message of another kind goes first, but never the new one.
        if AT_MOST < self.list.len() {
            let older = &self.list[..AT_MOST];
            let oldest = older
                .iter()
                .position(|shown| shown.notice.level != Level::Error)
                .unwrap_or(0);
            self.list.remove(oldest);
        }
    }

    /// Drops expired messages; true if any is left.
    pub(super) fn expire(&mut self, ctx: &Context) -> bool {
        let now = Instant::now();
        self.list
            .retain(|notice| notice.until.is_none_or(|until| now < until));
        if let Some(next) = self.list.iter().filter_map(|notice| notice.until).min() {
            ctx.request_repaint_after(next - now + Duration::from_millis(20));
        }
        !self.list.is_empty()
    }

    /// The newest message in the free part of the status bar; a button lists the others.
    pub(super) fn ui(&mut self, ui: &mut Ui, commands: &mut Commands) {
        let Some(newest) = self.list.len().checked_sub(1) else {
            return;
        };
        let mut closed = None;
        let shown = &self.list[newest].notice;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            if notice_buttons(ui, shown, commands) {
                closed = Some(newest);
            }

            if 1 < self.list.len() {
                let text = format!("{} more", self.list.len() - 1);
                let button = ui.add(Button::new(&text).small().quiet().name("Other messages"));
                egui::Popup::menu(&button)
                    .close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside)
                    .show(|ui| {
                        ui.set_max_width(420.0);
                        for (place, other) in self.list[..newest].iter().enumerate().rev() {
                            ui.horizontal(|ui| {
                                sign_ui(ui, &other.notice);
                                let text = other.notice.text.clone();
                                ui.label(ui.painter().layout(
                                    text,
                                    theme::body(),
                                    Theme::of(ui).text1,
                                    300.0,
                                ));
                                if notice_buttons(ui, &other.notice, commands) {
                                    closed = Some(place);
                                }
                            });
                        }
                    });
            }

            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                sign_ui(ui, shown);
                let text = RichText::new(&shown.text).color(Theme::of(ui).text1);
                ui.add(Label::new(text).truncate());
            });
        });

        if let Some(place) = closed {
            self.list.remove(place);
        }
    }
}

fn sign_ui(ui: &mut Ui, notice: &Notice) {
    let theme = Theme::of(ui);
    match notice.level {
        Level::Info => drop(ui.colored_label(theme.ok, "✓")),
        Level::Warn => icon_label(ui, Icon::Warning, theme.warn),
        Level::Error => drop(ui.colored_label(theme.error, "✗")),
    }
}

/// The action button and the close button of a message; true if the message closes.
fn notice_buttons(ui: &mut Ui, notice: &Notice, commands: &mut Commands) -> bool {
    let mut gone = icon_button(ui, Icon::Close, "Close message", "Close").clicked();
    if let Some((text, command)) = &notice.action {
        let does = ui.add(Button::new(text).small());
        commands.when_clicked(&does, command.clone());
        gone |= does.clicked();
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_message_is_the_one_in_sight() {
        use egui_kittest::kittest::Queryable as _;
        let mut notices = Notices::default();
        notices.say(Level::Error, "the old error");
        notices.say(Level::Info, "what was done since");
        let frame = |ui: &mut Ui, (is_dressed, notices): &mut (bool, Notices)| {
            if std::mem::replace(is_dressed, true) {
                notices.ui(ui, &mut Commands::default());
            } else {
                // Fonts are available from the next frame on.
                ui.ctx().set_fonts(crate::workbench::fonts::definitions());
            }
        };

        let mut window = egui_kittest::Harness::new_ui_state(frame, (false, notices));
        window.run_steps(3);
        assert!(window.query_by_label("what was done since").is_some());
        assert!(window.query_by_label("the old error").is_none());
        window.get_by_label("Other messages").click();
        window.run_steps(3);
        assert!(window.query_by_label("the old error").is_some());
    }

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
        assert_eq!(
            notices.texts().collect::<Vec<_>>(),
            ["b", "c", "d", "e"],
            "the error stays"
        );
        for text in ["f", "g", "h"] {
            notices.say(Level::Error, text);
        }
        notices.say(Level::Info, "new");
        assert_eq!(
            notices.texts().collect::<Vec<_>>(),
            ["f", "g", "h", "new"],
            "errors never keep a new message out"
        );
    }
}

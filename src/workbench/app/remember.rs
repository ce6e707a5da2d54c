//! What is kept between runs: settings and what was open, written once they rest.

use std::time::{Duration, Instant};

use egui::Context;

use super::window::App;
use crate::workbench::state::effect::Level;

/// Settings are written once they have not changed for this long.
const SAVE_AFTER: Duration = Duration::from_secs(1);

impl App {
    /// Writes the settings once they rest, and not while something is dragged.
    pub(super) fn remember(&mut self, ctx: &Context) {
        if self.screenshot.is_some() || (self.settings == self.saved && self.document.open_now() == self.open_then) {
            self.changed = None;
            return;
        }
        let since = *self.changed.get_or_insert_with(Instant::now);
        if SAVE_AFTER <= since.elapsed() && !ctx.input(|input| input.pointer.any_down()) {
            self.save();
        } else {
            ctx.request_repaint_after(SAVE_AFTER);
        }
    }

    pub(super) fn save(&mut self) {
        self.changed = None;
        let open_now = self.document.open_now();
        let (is_other_open, is_other_set) = (open_now != self.open_then, self.settings != self.saved);
        self.open_then = open_now;
        self.saved.clone_from(&self.settings);
        let Some(folder) = &self.folder else { return };
        let session = is_other_open.then(|| self.document.session().save(folder));
        let settings = is_other_set.then(|| self.settings.save(folder));
        for error in [session, settings].into_iter().flatten().filter_map(Result::err) {
            // Said once: the same failure at every change would bury everything else.
            if !std::mem::replace(&mut self.said_unsaved, true) {
                let text = format!("Layout, strategies and settings will not be kept: {error}");
                self.notices.say(Level::Error, text);
            }
        }
    }
}

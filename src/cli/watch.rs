//! The progress of long work on a terminal.

use std::sync::{Arc, Mutex};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::terminal::{is_watched, tell};
use crate::task::{CancelToken, Control, Work, lock};

/// A bar on a terminal; without one, nothing is drawn. It disappears when it is dropped.
pub(super) struct Bar {
    shown: Arc<Shown>,
}

struct Shown {
    bar: ProgressBar,
    /// Why the work waits, as told last.
    trouble: Mutex<Option<String>>,
}

impl Bar {
    pub(super) fn new() -> Self {
        let target = if is_watched() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        // The template is fixed and valid; without it the bar would only look plainer.
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}") {
            bar.set_style(style);
        }
        Self {
            shown: Arc::new(Shown {
                bar,
                trouble: Mutex::new(None),
            }),
        }
    }

    /// The control of work that a flag stops and that this bar shows.
    pub(super) fn control(&self, title: impl Into<String>, stop: &CancelToken) -> Control {
        let shown = self.shown.clone();
        Control::new(title.into(), stop.clone(), move |work| shown.show(work, ""))
    }

    /// Shows the progress and something about it, and tells why the work waits, once.
    pub(super) fn show(&self, work: &Work, about: &str) {
        self.shown.show(work, about);
    }

    /// Prints a sentence above the bar.
    pub(super) fn tell(&self, sentence: &str) {
        self.shown.bar.suspend(|| tell(sentence));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.bar.finish_and_clear();
    }
}

impl Shown {
    fn show(&self, work: &Work, about: &str) {
        let mut last_trouble = lock(&self.trouble);
        if *last_trouble != work.trouble {
            work.trouble
                .iter()
                .for_each(|trouble| self.bar.suspend(|| tell(trouble)));
            last_trouble.clone_from(&work.trouble);
        }

        if self.bar.is_hidden() {
            return;
        }
        let text = work.text();
        let parts: Vec<&str> = [&text, about, &work.title]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        match work.total {
            // A length of 0 would be a full bar.
            0 => self.bar.unset_length(),
            total => self.bar.set_length(total),
        }
        self.bar.set_position(work.done);
        self.bar.set_message(parts.join(", "));
    }
}

//! What was written down last of settings and of what is open, and what came of it.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::files::{self, Stamp};
use crate::workbench::state::effect::Level;
use crate::workbench::state::settings::Settings;
use crate::workbench::state::{Document, OpenNow, Session};

/// What changes is written once it has not been for this long.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Writing takes at most this part of the time, however large the games and slow the disk.
const SAVED_OF: u32 = 50;

/// What could not be written is tried again after this long.
const TRY_AGAIN: Duration = Duration::from_secs(5);

pub(super) struct Kept {
    settings: Settings,
    open: OpenNow,
    /// The file of what is open as this window read or wrote it: two windows may have the same folder.
    session: Stamp,
    /// Since when something has not been written; after a failure, since then.
    since: Option<Instant>,
    /// How long it took.
    cost: Duration,
    /// Why it could not be written.
    pub(super) failure: Option<String>,
    told_of_other: bool,
    /// Whether the window closes although something cannot be written.
    pub(super) quits: bool,
}

impl Kept {
    pub(super) fn new(settings: Settings, open: OpenNow, folder: Option<&Path>) -> Self {
        Self {
            settings,
            open,
            session: folder.and_then(|folder| files::stamp(&Session::path(folder))),
            since: None,
            cost: Duration::ZERO,
            failure: None,
            told_of_other: false,
            quits: false,
        }
    }

    /// How long until it is written; `None` if nothing has changed.
    pub(super) fn due_in(&mut self, settings: &Settings, open: &OpenNow) -> Option<Duration> {
        // Panels that fit a window of another size are not a change of the person's.
        if self.settings != *settings && settings.layouts.are_fitted(&self.settings.layouts) {
            self.settings.layouts.clone_from(&settings.layouts);
        }
        if self.settings == *settings && self.open == *open {
            (self.since, self.failure) = (None, None);
            return None;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        let wait = if self.failure.is_some() { TRY_AGAIN } else { SAVE_AFTER.max(SAVED_OF * self.cost) };
        Some(wait.saturating_sub(since.elapsed()))
    }

    /// Writes what changed since it was written last, and what to say about it. A window in which nothing changed leaves the
    /// files to others.
    pub(super) fn write(&mut self, folder: Option<&Path>, doc: &Document, settings: &Settings) -> Vec<(Level, String)> {
        let (begun, mut said) = (Instant::now(), Vec::new());
        let written = [self.write_session(folder, doc, &mut said), self.write_settings(folder, settings)];
        let failure = written.into_iter().find_map(Result::err);
        self.cost = begun.elapsed();
        self.since = failure.as_ref().map(|_| begun);
        match (&self.failure, &failure) {
            // The same failure at every try would bury everything else.
            (None, Some(reason)) => {
                let text = format!("Layout, strategies and settings are not kept: {reason}. It is tried again");
                said.push((Level::Error, text));
            }
            (Some(_), None) => said.push((Level::Info, "Layout, strategies and settings are kept again".to_owned())),
            _ => {}
        }

        self.failure = failure;
        said
    }

    fn write_session(
        &mut self,
        folder: Option<&Path>,
        doc: &Document,
        said: &mut Vec<(Level, String)>,
    ) -> Result<(), String> {
        let open = doc.open_now();
        if open == self.open {
            return Ok(());
        }

        if let Some(folder) = folder {
            let path = Session::path(folder);
            let found = files::stamp(&path);
            let other = path.with_extension("ron.other");
            let is_of_another = found.is_some() && found != self.session;
            if is_of_another && std::fs::copy(&path, &other).is_ok() && !self.told_of_other {
                self.told_of_other = true;
                let other = other.display();
                let text = format!("Another window was open as well; what it wrote down last is in {other}");
                said.push((Level::Warn, text));
            }
            doc.session().save(folder)?;
            self.session = files::stamp(&path);
        }

        self.open = open;
        Ok(())
    }

    fn write_settings(&mut self, folder: Option<&Path>, settings: &Settings) -> Result<(), String> {
        if *settings == self.settings {
            return Ok(());
        }
        folder.map_or(Ok(()), |folder| settings.save(folder))?;
        self.settings.clone_from(settings);
        Ok(())
    }
}

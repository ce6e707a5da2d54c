//! Saves settings and session, and tracks failures.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::files::{self, Stamp};
use crate::workbench::state::effect::Level;
use crate::workbench::state::settings::Settings;
use crate::workbench::state::{Document, OpenNow, Session};

/// Changes are saved after this delay.
const SAVE_AFTER: Duration = Duration::from_secs(1);

/// Saving takes at most 1/50 of the time, however large the games and slow the disk.
const SAVED_OF: u32 = 50;

/// Delay before a failed save is repeated.
const TRY_AGAIN: Duration = Duration::from_secs(5);

pub(super) struct Kept {
    settings: Settings,
    open: OpenNow,
    /// The session file as this window read or wrote it: two windows may share a folder.
    session: Stamp,
    /// The time of the first unsaved change, or of the last failure.
    since: Option<Instant>,
    /// Duration of the last save.
    cost: Duration,
    /// Why the last save failed.
    pub(super) failure: Option<String>,
    told_of_other: bool,
    /// Whether the window closes despite unsaved changes.
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

    /// The time until the next save; `None` without changes.
    pub(super) fn due_in(&mut self, settings: &Settings, open: &OpenNow) -> Option<Duration> {
        // Panels that adapt to another window size are not a change by the user.
        if self.settings != *settings && settings.layouts.are_fitted(&self.settings.layouts) {
            self.settings.layouts.clone_from(&settings.layouts);
        }
        if self.settings == *settings && self.open == *open {
            (self.since, self.failure) = (None, None);
            return None;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        let wait = if self.failure.is_some() {
            TRY_AGAIN
        } else {
            SAVE_AFTER.max(SAVED_OF * self.cost)
        };
        Some(wait.saturating_sub(since.elapsed()))
    }

    /// Saves the changes and returns messages. A window without changes leaves the files to others.
    pub(super) fn write(
        &mut self,
        folder: Option<&Path>,
        doc: &Document,
        settings: &Settings,
    ) -> Vec<(Level, String)> {
        let (begun, mut said) = (Instant::now(), Vec::new());
        let written = [
            self.write_session(folder, doc, &mut said),
            self.write_settings(folder, settings),
        ];
        let failure = written.into_iter().find_map(Result::err);
        self.cost = begun.elapsed();
        self.since = failure.as_ref().map(|_| begun);
        match (&self.failure, &failure) {
            // Reports a repeated failure only once.
            (None, Some(reason)) => {
                let text = format!(
                    "Layout, strategies and settings are not saved: {reason}. Afterstate tries again"
                );
                said.push((Level::Error, text));
            }
            (Some(_), None) => said.push((
                Level::Info,
                "Layout, strategies and settings are saved again".to_owned(),
            )),
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
                let text = format!(
                    "Another window was open, too; the session that it saved last is in {other}"
                );
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

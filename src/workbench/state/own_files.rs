//! The user's own files: strategies, presets and sets of positions, and the conflict if another process has changed
//! one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::Document;
use crate::preset::{Collection, Item, ItemFile, PositionSet, Preset, SaveTo, Stored};
use crate::strategy::{SharedStrategy, Strategy};
use crate::workbench::state::effect::Effects;

/// Maximum length of the list in the menu.
const MOST_RECENT: usize = 10;

#[derive(Debug)]
pub(super) struct OwnFiles {
    pub(super) strategies: Collection<Strategy>,
    pub(super) presets: Collection<Preset>,
    pub(super) positions: Collection<PositionSet>,
    pub(super) conflict: Option<Conflict>,
    /// Recently opened or saved files, the last one first.
    pub(super) recent: Vec<PathBuf>,
    /// The time of a clipboard request that is to replace the current strategy.
    pub(super) pastes_over: Option<Instant>,
    /// The strategy to export, while the user chooses a file.
    pub(super) to_export: Option<SharedStrategy>,
}

impl OwnFiles {
    pub(super) fn new(config_dir: Option<&Path>) -> Self {
        Self {
            strategies: Collection::in_config(config_dir),
            presets: Collection::in_config(config_dir),
            positions: Collection::in_config(config_dir),
            conflict: None,
            recent: Vec::new(),
            pastes_over: None,
            to_export: None,
        }
    }

    /// Remembers a file that was opened or saved.
    pub(super) fn note(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|old| *old != path);
        self.recent.insert(0, path);
        self.recent.truncate(MOST_RECENT);
    }

    /// Remembers a file by its new path.
    pub(super) fn note_renamed(&mut self, before: &Path, now: &Path) {
        let Some(at) = self.recent.iter().position(|recent| recent == before) else {
            return;
        };
        self.recent[at] = now.to_owned();
        let mut place = 0..;
        self.recent
            .retain(|recent| place.next() == Some(at) || recent != now);
    }

    /// Reads the folders again after a failure, which may have changed files. Not the sets of positions: an unsaved set
    /// must stay in this window.
    pub(super) fn list_after_error(&mut self) {
        self.strategies.list();
        self.presets.list();
    }
}

/// A save that was refused because another process has changed the file.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The name of the file's item in this window.
    pub label: String,
    pub path: PathBuf,
    /// The changes in the file, one phrase each, or why it cannot be read.
    pub theirs: Result<Vec<String>, String>,
    pub ours: Vec<String>,
    pub(super) item: Conflicting,
}

/// The item to save.
#[derive(Clone, Debug)]
pub(super) enum Conflicting {
    Strategy,
    Preset,
    /// A change of a set of positions: the name of the change, and the new set.
    Positions(String, Arc<PositionSet>),
}

impl Conflict {
    pub(super) fn new<T: Item>(
        [ours, before]: [&T; 2],
        theirs: &ItemFile<T>,
        difference: impl Fn(&T, &T) -> Vec<String>,
        item: Conflicting,
    ) -> Self {
        let changed = |stored: &Stored<T>| difference(&stored.item, before);
        Self {
            label: before.label(),
            path: theirs.path.clone(),
            theirs: theirs.read().map(changed).map_err(ToString::to_string),
            ours: difference(ours, before),
            item,
        }
    }

    pub fn remedy(&self) -> &'static str {
        match self.item {
            Conflicting::Strategy => {
                "Nothing is lost: the replaced content is saved in the folder as a version"
            }
            Conflicting::Preset | Conflicting::Positions(..) => {
                "Nothing is lost: the replaced file is in the trash of the folder"
            }
        }
    }
}

impl Document {
    /// The user's strategies by name, including broken files.
    pub fn library(&self) -> &Collection<Strategy> {
        &self.own_files.strategies
    }

    pub fn presets(&self) -> &Collection<Preset> {
        &self.own_files.presets
    }

    pub fn position_sets(&self) -> &Collection<PositionSet> {
        &self.own_files.positions
    }

    /// Recently opened or saved files, the last one first.
    pub fn recent(&self) -> &[PathBuf] {
        &self.own_files.recent
    }

    pub fn conflict(&self) -> Option<&Conflict> {
        self.own_files.conflict.as_ref()
    }

    /// Resolves the conflict: overwrites the file, or saves a copy.
    pub(super) fn save_after_conflict(&mut self, overwrites: bool, effects: &mut Effects) {
        let Some(Conflict { path, item, .. }) = self.own_files.conflict.take() else {
            return;
        };
        let to = if overwrites {
            SaveTo::Anyway(&path)
        } else {
            SaveTo::New
        };
        match item {
            Conflicting::Strategy => self.save_strategy(to, effects),
            Conflicting::Preset => self.save_preset(to, effects),
            Conflicting::Positions(what, set) => self.save_set(to, &what, set, effects),
        }
    }

    pub(super) fn open_theirs(&mut self, effects: &mut Effects) {
        let Some(Conflict { path, item, .. }) = self.own_files.conflict.take() else {
            return;
        };
        match item {
            Conflicting::Strategy => self.open_kept(&path, effects),
            Conflicting::Preset => self.open_own_preset(&path, effects),
            // It was read when the conflict was found.
            Conflicting::Positions(..) => self.core.content_mut().pinning.chosen = Some(path),
        }
    }
}

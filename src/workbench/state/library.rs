//! The library of strategies: the user's own files and the shipped ones.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::own_files::{Conflict, Conflicting};
use super::{Document, Opened, Origin, OriginFile};
use crate::files;
use crate::preset::{Item as _, ItemFile, SaveTo, Saving, ShippedStrategy, Stored, file_of};
use crate::prose;
use crate::strategy::{SharedStrategy, Strategy, StrategyHash};
use crate::words;
use crate::workbench::command::{LibraryCommand, Purpose, requires};
use crate::workbench::state::effect::Effects;

const NO_FOLDER: &str = "This system has no folder for strategies: export the strategy to a file";

impl Document {
    pub fn shipped_strategies(&self) -> &'static [ShippedStrategy] {
        ShippedStrategy::all()
    }

    /// A strategy with this hash, from anywhere: open, in the library, shipped, or an old version.
    pub fn strategy_of(&self, hash: StrategyHash) -> Option<SharedStrategy> {
        let open = self
            .strategies()
            .iter()
            .find(|open| open.hash() == hash)
            .map(|open| open.strategy.clone());
        let before = || {
            self.strategies()
                .iter()
                .map(|open| &open.origin.before)
                .find(|before| before.hash() == hash)
        };
        let saved = || {
            self.library()
                .sound()
                .find(|stored| stored.hash == Some(hash))
        };
        let shipped = || {
            self.shipped_strategies()
                .iter()
                .find(|shipped| shipped.hash == hash)
        };
        open.or_else(|| before().cloned())
            .or_else(|| saved().map(|stored| stored.item.clone().into()))
            .or_else(|| shipped().map(|shipped| shipped.strategy.clone()))
            .or_else(|| self.library().kept_version(hash).map(SharedStrategy::from))
    }

    pub(super) fn can_in_library(&self, command: &LibraryCommand) -> Result<(), Cow<'static, str>> {
        match command {
            LibraryCommand::Save
            | LibraryCommand::SaveCopy
            | LibraryCommand::Import
            | LibraryCommand::Take(_)
            | LibraryCommand::Overwrite => requires(self.library().folder().is_some(), NO_FOLDER),
            LibraryCommand::OpenParent => requires(
                self.strategy().parent.is_some(),
                "This strategy has no parent: saving an edited strategy records its parent",
            ),
            LibraryCommand::CopyLetters => requires(
                self.strategy().letters().is_some(),
                "Only compositions of Score, Empty, Uniformity and Monotonicity have letters",
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_library(&mut self, command: &LibraryCommand, effects: &mut Effects) {
        match command {
            LibraryCommand::Save => {
                let file = self.opened().file().cloned();
                self.save_strategy(OriginFile::place(file.as_ref()), effects);
            }
            LibraryCommand::SaveCopy if self.conflict().is_some() => {
                self.save_after_conflict(false, effects);
            }
            LibraryCommand::SaveCopy => self.save_strategy(SaveTo::New, effects),
            LibraryCommand::Overwrite => self.save_after_conflict(true, effects),
            LibraryCommand::OpenTheirs => self.open_theirs(effects),
            LibraryCommand::LeaveConflict => self.own_files.conflict = None,
            LibraryCommand::OpenParent => {
                let Some(hash) = self.strategy().parent else {
                    return;
                };
                let lost = || {
                    format!(
                        "The parent {hash} is not in the library: import it, then open it there"
                    )
                };
                if let Some(parent) = effects.accept(self.strategy_of(hash).ok_or_else(lost)) {
                    self.core.open_or_select(&parent);
                }
            }
            LibraryCommand::List => self.own_files.strategies.list(),
            LibraryCommand::Open(path) => self.open_kept(path, effects),
            LibraryCommand::Rename(path, name) => self.rename_kept(path, name, effects),
            LibraryCommand::Duplicate(path) => {
                if let Some(stored) = effects.accept(Stored::<Strategy>::load(path)) {
                    self.core.duplicate(stored.item.into());
                }
            }
            LibraryCommand::Delete(path) => self.delete_kept(path, effects),
            LibraryCommand::Restore(deleted) => {
                let restored = self.own_files.strategies.restore(deleted);
                self.core.has_restored("Strategy", restored, effects);
            }
            LibraryCommand::Take(paths) => self.import(paths, effects),
            LibraryCommand::Import => effects.ask_for_file(Purpose::ImportStrategies, ""),
            LibraryCommand::Export => self.ask_to_export(self.strategy(), effects),
            LibraryCommand::ExportThis(strategy) => {
                self.ask_to_export((**strategy).clone().into(), effects);
            }
            LibraryCommand::CopyLetters => {
                effects.copy(self.strategy().letters(), "Letters copied");
            }
        }
    }

    fn ask_to_export(&mut self, strategy: SharedStrategy, effects: &mut Effects) {
        effects.ask_for_file(Purpose::ExportStrategy, file_of(&strategy.label()));
        // Another strategy may be current before the file has a name.
        self.own_files.to_export = Some(strategy);
    }

    pub(super) fn export_strategy(&mut self, path: &Path, effects: &mut Effects) {
        let strategy = self
            .own_files
            .to_export
            .take()
            .unwrap_or_else(|| self.strategy());
        if effects
            .accept(files::write(path, strategy.pretty().as_bytes()))
            .is_some()
        {
            effects.info(format!(
                "Exported {} to {}",
                strategy.label(),
                path.display()
            ));
            self.own_files.note(path);
        }
    }

    /// Saves the current strategy; its original is saved as a previous version.
    pub(super) fn save_strategy(&mut self, to: SaveTo<'_>, effects: &mut Effects) {
        let open = self.opened().clone();
        let before = &open.origin.before;
        // A strategy started from scratch has no parent.
        let parent = (before.hash() != open.hash() && !open.is_begun_empty()).then_some(before);
        let mut strategy = open.strategy.clone();
        if let Some(parent) = parent {
            strategy.change(|strategy| strategy.parent = Some(parent.hash()));
        }

        let library = &mut self.own_files.strategies;
        let parent_saved = parent.map_or(Ok(()), |parent| {
            library.keep_version(parent.hash(), &parent.pretty())
        });
        match effects.accept(parent_saved.and_then(|()| library.save(to, &strategy))) {
            Some(Saving::Written(file)) => {
                effects.info(format!(
                    "Saved {} to {}",
                    strategy.label(),
                    file.path.display()
                ));
                self.own_files.note(&file.path);
                self.is_kept_as(&open.origin, strategy, &file);
            }
            Some(Saving::ChangedElsewhere(theirs)) => {
                let (ours, item) = ([&*open.strategy, &**before], Conflicting::Strategy);
                self.own_files.conflict = Some(Conflict::new(
                    ours,
                    &theirs,
                    |new, before| prose::difference(before, new),
                    item,
                ));
                self.own_files.strategies.list();
            }
            None => {}
        }
    }

    /// Records that the strategy of this origin is now in a file. Undo changes strategies, not files, so all its states
    /// get the new file.
    fn is_kept_as(
        &mut self,
        origin: &Arc<Origin>,
        strategy: SharedStrategy,
        saved: &ItemFile<Strategy>,
    ) {
        let Ok(read) = saved.read() else { return };
        let file = OriginFile {
            path: saved.path.clone(),
            text: read.text.to_string(),
        };
        let new = Arc::new(Origin {
            before: strategy.clone(),
            file: Some(file),
        });
        self.core.amend(|content| {
            for open in content
                .strategies
                .iter_mut()
                .filter(|open| Arc::ptr_eq(&open.origin, origin))
            {
                (open.origin, open.played) = (new.clone(), None);
            }
        });
        let current = self.current();
        self.core.content_mut().strategies[current].strategy = strategy;
        self.core.end_step();
    }

    /// Opens a file of the library, or selects it if it is open; a file that changed on disk but not here is read
    /// again.
    pub(super) fn open_kept(&mut self, path: &Path, effects: &mut Effects) {
        let Some(stored) = effects.accept(Stored::<Strategy>::load(path)) else {
            return;
        };
        let fresh = Opened::kept(stored.item.into(), path.to_owned(), &stored.text);
        let of_file = |open: &Opened| open.file().is_some_and(|file| file.path == path);
        let same = |open: &Opened| {
            of_file(open) && open.file().is_some_and(|file| file.text == *stored.text)
        };
        if let Some(index) = self.strategies().iter().position(same) {
            self.core.content_mut().current = index;
            self.core.end_step();
        } else if let Some(index) = self
            .strategies()
            .iter()
            .position(|open| of_file(open) && !open.is_edited())
        {
            self.core.record("open strategy");
            self.core.content_mut().strategies[index] =
                fresh.in_place_of(&self.content().strategies[index]);
            self.core.content_mut().current = index;
        } else {
            self.core.open_opened("open strategy", fresh);
        }
        self.own_files.strategies.list();
    }

    fn rename_kept(&mut self, path: &Path, name: &str, effects: &mut Effects) {
        let Some((before, renamed)) = effects.accept(self.own_files.strategies.rename(path, name))
        else {
            return;
        };
        self.own_files.note_renamed(path, &renamed.path);
        let Ok(stored) = renamed.read() else { return };

        self.core.amend(|content| {
            for open in &mut content.strategies {
                let Some(file) = open.file().filter(|file| file.path == path) else {
                    continue;
                };
                // Changes by another window are unknown here, renamed or not.
                let text = if file.text == *before.text {
                    stored.text.to_string()
                } else {
                    file.text.clone()
                };
                if open.strategy.name == open.origin.before.name {
                    open.strategy
                        .change(|strategy| strategy.name.clone_from(&stored.item.name));
                }
                let renamed_before = open.origin.before.renamed(&stored.item.name);
                // Sharing the strategy makes the check for edits cheap.
                let is_same = renamed_before == *open.strategy;
                let before = if is_same {
                    open.strategy.clone()
                } else {
                    renamed_before.into()
                };
                let file = Some(OriginFile {
                    path: renamed.path.clone(),
                    text,
                });
                open.origin = Arc::new(Origin { before, file });
            }
        });
    }

    fn delete_kept(&mut self, path: &Path, effects: &mut Effects) {
        let library = &mut self.own_files.strategies;
        let label = library
            .files()
            .iter()
            .find(|file| file.path == path)
            .map(ItemFile::label)
            .unwrap_or_default();
        if let Some(deleted) = effects.accept(library.delete(path)) {
            self.core
                .has_deleted(&label, LibraryCommand::Restore(deleted), effects);
        }
    }

    fn import(&mut self, paths: &[PathBuf], effects: &mut Effects) {
        let mut labels = Vec::new();
        for path in paths {
            let imported = self
                .own_files
                .strategies
                .import(path)
                .map_err(|error| format!("Not imported: {error}"));
            labels.extend(effects.accept(imported).map(|file| file.label()));
        }
        match labels.len() {
            0 => {}
            count @ 1..=4 => effects.info(format!("Imported {}", words::list(&labels[..count]))),
            count => effects.info(format!("Imported {count} strategies")),
        }
    }
}

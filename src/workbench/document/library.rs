//! The library of strategies: own files beside those that came with the program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Content, Document, Opened, Origin, OriginFile};
use crate::preset::{Deleted, Kept, Library, Saving, ShippedStrategy};
use crate::strategy::{Strategy, StrategyHash};
use crate::words;
use crate::workbench::command::{Command, LibraryCommand};
use crate::workbench::notice::Notices;

/// Why nothing can be kept.
const NO_FOLDER: &str = "There is no folder for strategies on this system: export it to a file";

/// What the document knows of the library.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    library: Option<Library>,
    kept: Vec<Kept>,
    /// The strategy deleted last, and the version of the history then.
    pub(super) deleted: Option<(Deleted, u64)>,
    conflict: Option<Conflict>,
}

/// A save that was not done because another window has changed the file.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The file as it is now.
    pub theirs: Kept,
    /// What was to be saved.
    pub ours: Arc<Strategy>,
    /// What this window knew to be in the file.
    pub before: Arc<Strategy>,
}

/// Which file a strategy is saved to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    /// Its own one if that still says what it said, else a new one.
    Own,
    /// Its own one, whatever that says.
    OwnAnyway,
    New,
}

impl Shelf {
    pub(super) fn new(config_dir: Option<&Path>) -> Self {
        Self { library: config_dir.map(Library::in_config), ..Self::default() }
    }
}

impl Document {
    /// The own strategies by name, broken files among them.
    pub fn library(&self) -> &[Kept] {
        &self.shelf.kept
    }

    /// The folder of own strategies; `None` where the system has no place for it.
    pub fn library_folder(&self) -> Option<&Path> {
        self.shelf.library.as_ref().map(Library::folder)
    }

    /// The strategies that came with the program.
    pub fn shipped_strategies(&self) -> &'static [ShippedStrategy] {
        ShippedStrategy::all()
    }

    /// The save that waits for a decision.
    pub fn conflict(&self) -> Option<&Conflict> {
        self.shelf.conflict.as_ref()
    }

    /// A strategy that plays like this, wherever it can be found: open, in the library, shipped, or an old version.
    pub fn strategy_of(&self, hash: StrategyHash) -> Option<Arc<Strategy>> {
        let open = self.strategies().iter().find(|open| open.hash() == hash).map(|open| open.strategy.clone());
        let before = || self.strategies().iter().map(|open| &open.origin.before).find(|before| before.hash() == hash);
        let kept = || self.library().iter().filter_map(|kept| kept.read.as_ref().ok()).find(|kept| kept.hash == hash);
        let shipped = || self.shipped_strategies().iter().find(|shipped| shipped.hash == hash);
        open.or_else(|| before().cloned())
            .or_else(|| kept().map(|kept| kept.strategy.clone()))
            .or_else(|| shipped().map(|shipped| shipped.strategy.clone()))
            .or_else(|| self.shelf.library.as_ref()?.version(hash))
    }

    /// The deleted strategy that undo brings back, while nothing else was done since.
    pub(super) fn deleted_strategy_last(&self) -> Option<&Deleted> {
        let (deleted, version) = self.shelf.deleted.as_ref()?;
        (*version == self.history.version()).then_some(deleted)
    }

    /// Whether a command of this kind makes sense now, else why not.
    pub(super) fn can_in_library(&self, command: &LibraryCommand) -> Result<(), Cow<'static, str>> {
        let requires = |condition: bool, reason: &'static str| if condition { Ok(()) } else { Err(Cow::from(reason)) };
        match command {
            LibraryCommand::Save
            | LibraryCommand::SaveCopy
            | LibraryCommand::Import
            | LibraryCommand::Take(_)
            | LibraryCommand::Overwrite => requires(self.shelf.library.is_some(), NO_FOLDER),
            LibraryCommand::OpenParent => requires(
                self.strategy().parent.is_some(),
                "It has no parent: saving an edited strategy remembers what it was made from",
            ),
            LibraryCommand::CopyLetters => requires(
                self.strategy().letters().is_some(),
                "Only compositions of Score, Empty, Uniformity and Monotonicity have letters",
            ),
            _ => Ok(()),
        }
    }

    /// Does a command of this kind.
    pub(super) fn apply_to_library(&mut self, command: &LibraryCommand, notices: &mut Notices) {
        match command {
            LibraryCommand::Save => self.save_strategy(To::Own, notices),
            LibraryCommand::SaveCopy => self.save_strategy(To::New, notices),
            LibraryCommand::Overwrite => self.save_strategy(To::OwnAnyway, notices),
            LibraryCommand::OpenTheirs => {
                if let Some(conflict) = self.shelf.conflict.take() {
                    self.open_kept(&conflict.theirs.path, notices);
                }
            }
            LibraryCommand::LeaveConflict => self.shelf.conflict = None,
            LibraryCommand::OpenParent => match self.strategy().parent.map(|parent| (parent, self.strategy_of(parent)))
            {
                Some((_, Some(parent))) => self.open_or_select(&parent),
                Some((hash, None)) => notices.error(format!(
                    "The parent {hash} is in no file of the library: import it, then open it from there"
                )),
                None => {}
            },
            LibraryCommand::List => self.list_library(),
            LibraryCommand::Open(path) => self.open_kept(path, notices),
            LibraryCommand::Rename { path, name } => self.rename_kept(path, name, notices),
            LibraryCommand::Duplicate(path) => match Kept::read(path).read {
                Ok(kept) => {
                    let name = self.free_strategy_name(&kept.strategy.label());
                    let copy = Strategy { name, ..(*kept.strategy).clone() };
                    self.open_opened("duplicate strategy", Opened::made_from(copy, kept.strategy));
                }
                Err(reason) => notices.error(reason),
            },
            LibraryCommand::Delete(path) => self.delete_kept(path, notices),
            LibraryCommand::Restore(deleted) => {
                self.shelf.deleted = None;
                match self.shelf.library.as_ref().map(|library| library.restore(deleted)) {
                    Some(Ok(())) => notices.info("Strategy is back"),
                    Some(Err(error)) => notices.error(error.to_string()),
                    None => {}
                }
                self.list_library();
            }
            LibraryCommand::Take(paths) => self.import(paths, notices),
            // Those that need a dialog or the clipboard, which the window has.
            LibraryCommand::RenameSelected
            | LibraryCommand::DeleteSelected
            | LibraryCommand::Export
            | LibraryCommand::ExportThis(_)
            | LibraryCommand::Import
            | LibraryCommand::PasteOver
            | LibraryCommand::CopyLetters => {}
        }
    }

    /// Looks for own strategies on disk; files that were not changed are not read again.
    pub(super) fn list_library(&mut self) {
        let Some(library) = &self.shelf.library else { return };
        // A folder that cannot be listed shows as empty; saving into it will say why.
        self.shelf.kept = library.list(&self.shelf.kept).unwrap_or_default();
    }

    /// Writes a strategy to a file anywhere.
    pub(in crate::workbench) fn export_strategy(strategy: &Strategy, path: &Path, notices: &mut Notices) {
        match crate::files::write(path, strategy.pretty().as_bytes()) {
            Ok(()) => notices.info(format!("Exported {} to {}", strategy.label(), path.display())),
            Err(error) => notices.error(error.to_string()),
        }
    }

    /// Opens a file if it is one of the library; says whether it is.
    pub(super) fn open_if_kept(&mut self, path: &Path, notices: &mut Notices) -> bool {
        let is_kept = self.shelf.library.as_ref().is_some_and(|library| library.holds(path));
        if is_kept {
            self.open_kept(path, notices);
        }
        is_kept
    }

    fn save_strategy(&mut self, to: To, notices: &mut Notices) {
        self.shelf.conflict = None;
        let Some(library) = &self.shelf.library else { return notices.error(NO_FOLDER) };
        let open = self.opened().clone();
        let (before, file) = (&open.origin.before, open.file().filter(|_| to != To::New));
        // What was begun from nothing has no parent.
        let is_new = open.file().is_none() && before.criteria.is_empty();
        let parent = (before.hash() != open.hash() && !is_new).then_some(&**before);
        let mut strategy = open.strategy.clone();
        if let Some(parent) = parent {
            Arc::make_mut(&mut strategy).parent = Some(parent.hash());
        }
        let known = file.filter(|_| to == To::Own).map(|file| file.text.as_str());
        match library.save(file.map(|file| &*file.path), &strategy, known, parent) {
            Ok(Saving::Written(kept)) => {
                notices.info(format!("Saved {} to {}", strategy.label(), kept.path.display()));
                self.is_kept_as(&open.origin, strategy, &kept);
            }
            Ok(Saving::ChangedElsewhere(theirs)) => {
                let (ours, before) = (open.strategy.clone(), before.clone());
                self.shelf.conflict = Some(Conflict { theirs, ours, before });
            }
            Err(error) => notices.error(error.to_string()),
        }
        self.list_library();
    }

    /// Takes over that the strategy of this origin is in a file now. Undo changes strategies, not files: all states that
    /// it goes through know the file as it is.
    fn is_kept_as(&mut self, origin: &Arc<Origin>, strategy: Arc<Strategy>, kept: &Kept) {
        let Ok(read) = &kept.read else { return };
        let file = OriginFile { path: kept.path.clone(), text: read.text.to_string() };
        let new = Arc::new(Origin { before: strategy.clone(), file: Some(file) });
        let amend = |content: &mut Content| {
            for open in content.strategies.iter_mut().filter(|open| Arc::ptr_eq(&open.origin, origin)) {
                open.origin = new.clone();
            }
        };
        amend(&mut self.content);
        self.history.amend(amend);
        let current = self.current();
        self.content.strategies[current].strategy = strategy;
        self.history.finish();
    }

    /// Opens a file of the library, or shows it where it is open; one that was changed on disk and not here is read anew.
    fn open_kept(&mut self, path: &Path, notices: &mut Notices) {
        let kept = match Kept::read(path).read {
            Ok(kept) => kept,
            Err(reason) => return notices.error(reason),
        };
        let fresh = Opened::kept(kept.strategy.clone(), path.to_owned(), &kept.text);
        let of_file = |open: &Opened| open.file().is_some_and(|file| file.path == path);
        let same = |open: &Opened| of_file(open) && open.file().is_some_and(|file| file.text == *kept.text);
        if let Some(index) = self.strategies().iter().position(same) {
            self.content.current = index;
            self.history.finish();
        } else if let Some(index) = self.strategies().iter().position(|open| of_file(open) && !open.is_edited()) {
            self.record("open strategy");
            self.content.strategies[index] = fresh;
            self.content.current = index;
        } else {
            self.open_opened("open strategy", fresh);
        }
        self.list_library();
    }

    fn open_or_select(&mut self, strategy: &Arc<Strategy>) {
        match self.strategies().iter().position(|open| open.strategy == *strategy) {
            Some(index) => self.content.current = index,
            None => self.open_strategy("open strategy", (**strategy).clone()),
        }
    }

    fn rename_kept(&mut self, path: &Path, name: &str, notices: &mut Notices) {
        let Some(library) = &self.shelf.library else { return };
        let renamed = match library.rename(path, name) {
            Ok(renamed) => renamed,
            Err(error) => return notices.error(error.to_string()),
        };
        if let (before, Kept { path: to, read: Ok(kept), .. }) = renamed {
            let amend = |content: &mut Content| {
                for open in &mut content.strategies {
                    let Some(file) = open.file().filter(|file| file.path == path) else { continue };
                    // What another window wrote meanwhile is not known here, renamed or not.
                    let text = if file.text == *before.text { kept.text.to_string() } else { file.text.clone() };
                    if open.strategy.name == open.origin.before.name {
                        Arc::make_mut(&mut open.strategy).name.clone_from(&kept.strategy.name);
                    }
                    let mut renamed = (*open.origin.before).clone();
                    renamed.name.clone_from(&kept.strategy.name);
                    // One strategy, so that it is known at a glance that nothing was edited.
                    let renamed = if renamed == *open.strategy { open.strategy.clone() } else { Arc::new(renamed) };
                    let file = Some(OriginFile { path: to.clone(), text });
                    open.origin = Arc::new(Origin { before: renamed, file });
                }
            };
            amend(&mut self.content);
            self.history.amend(amend);
        }
        self.list_library();
    }

    fn delete_kept(&mut self, path: &Path, notices: &mut Notices) {
        let Some(library) = &self.shelf.library else { return };
        match library.delete(path) {
            Ok(deleted) => {
                let label = self.shelf.kept.iter().find(|kept| kept.path == path).map(Kept::label).unwrap_or_default();
                self.shelf.deleted = Some((deleted.clone(), self.history.version()));
                self.deleted = None;
                let restore = Command::Library(LibraryCommand::Restore(deleted));
                notices.info_with(format!("Deleted {label}"), "Undo", restore);
            }
            Err(error) => notices.error(error.to_string()),
        }
        self.list_library();
    }

    fn import(&mut self, paths: &[PathBuf], notices: &mut Notices) {
        let Some(library) = self.shelf.library.clone() else { return notices.error(NO_FOLDER) };
        let mut labels = Vec::new();
        for path in paths {
            match library.import(path) {
                Ok(kept) => labels.push(kept.label()),
                Err(error) => notices.error(format!("Not imported: {error}")),
            }
        }
        match labels.len() {
            0 => {}
            count @ 1..=4 => notices.info(format!("Imported {}", words::list(&labels[..count]))),
            count => notices.info(format!("Imported {count} strategies")),
        }
        self.list_library();
    }
}

//! The user's own strategies: one file each in `<config>/strategies`.
//!
//! Several windows may have the same folder open. A file is only replaced when it still says what this window read last;
//! otherwise nothing is written, and a person decides. Each version that is replaced is kept under its hash in
//! `.versions`, so that the parent of a strategy can always be opened; what is deleted moves to `.trash`.
//!
//! A file holds what [`Strategy::pretty`] writes. One written by hand may hold anything that reads as a strategy, letters
//! too; its comments last until it is saved from the window.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::store::{files_in, free_path, move_back, move_to_trash};
use super::{Deleted, StoreError};
use crate::files;
use crate::strategy::{Strategy, StrategyHash};

/// The most a file of a strategy may hold, in bytes: 64 rows of nested sums take far less.
const LARGEST: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    folder: PathBuf,
}

/// A file of the library.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    pub path: PathBuf,
    /// What it holds, or why it cannot be read, in one sentence that names the place.
    pub read: Result<KeptStrategy, String>,
    stamp: Stamp,
}

/// A strategy and the file that holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptStrategy {
    pub strategy: Arc<Strategy>,
    /// The text of the file, to tell later whether somebody else has changed it.
    pub text: Arc<str>,
    pub hash: StrategyHash,
}

/// What tells cheaply whether a file was changed: when, and how many bytes it has.
type Stamp = Option<(SystemTime, u64)>;

/// What became of a save.
#[derive(Clone, Debug, PartialEq)]
pub enum Saving {
    Written(Kept),
    /// The file says something else than this window knew; nothing was written.
    ChangedElsewhere(Kept),
}

impl Kept {
    /// What to call it: the name of the strategy, or of the file that cannot be read.
    pub fn label(&self) -> String {
        match &self.read {
            Ok(kept) => kept.strategy.label(),
            Err(_) => self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        }
    }

    /// Reads a file of a strategy, from the library or from anywhere.
    pub fn read(path: &Path) -> Self {
        Self { path: path.to_owned(), stamp: stamp(path), read: KeptStrategy::read(path) }
    }
}

impl KeptStrategy {
    fn read(path: &Path) -> Result<Self, String> {
        let text = files::read_text(path, LARGEST).map_err(|error| error.to_string())?;
        let strategy = Strategy::read_at(&text).map_err(|mistake| format!("{}: {mistake}", path.display()))?;
        Ok(Self { hash: strategy.hash(), strategy: Arc::new(strategy), text: text.into() })
    }
}

fn stamp(path: &Path) -> Stamp {
    let data = fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

impl Library {
    /// The strategies of a configuration folder; nothing is made before something is saved.
    pub fn in_config(config_dir: &Path) -> Self {
        Self { folder: config_dir.join("strategies") }
    }

    /// The folder with the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether this is a file of the library itself.
    pub fn holds(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder) && path.extension().is_some_and(|ending| ending == "ron")
    }

    /// All files by the name of their strategies; those of `before` that were not changed are not read again.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn list(&self, before: &[Kept]) -> Result<Vec<Kept>, StoreError> {
        let known = |path: &Path| before.iter().find(|kept| kept.path == path && kept.stamp == stamp(path)).cloned();
        let mut kept: Vec<Kept> =
            files_in(&self.folder)?.iter().map(|path| known(path).unwrap_or_else(|| Kept::read(path))).collect();
        kept.sort_by_cached_key(|kept| (kept.label().to_lowercase(), kept.path.with_extension("")));
        Ok(kept)
    }

    /// Writes a strategy into `path`, or into a new file that is named after it.
    ///
    /// `known` is what this window knows to be in the file; with `None` it is replaced whatever it says. What is replaced
    /// is kept under its hash, and so is `parent`.
    ///
    /// # Errors
    /// The folder or a file in it cannot be read or written.
    pub fn save(
        &self,
        path: Option<&Path>,
        strategy: &Strategy,
        known: Option<&str>,
        parent: Option<&Strategy>,
    ) -> Result<Saving, StoreError> {
        let _alone = self.lock()?;
        let path = path.map_or_else(|| free_path(&self.folder, &strategy.label()), Path::to_owned);
        if path.exists() {
            let theirs = Kept::read(&path);
            let says = theirs.read.as_ref().map_or("", |kept| &*kept.text);
            if known.is_some_and(|known| known != says) {
                return Ok(Saving::ChangedElsewhere(theirs));
            }
            match &theirs.read {
                Ok(kept) => self.keep_version(kept.hash, &kept.text)?,
                // Nobody can tell what it was: it goes where a person can look at it.
                Err(_) => drop(move_to_trash(&self.folder, &path)?),
            }
        }
        if let Some(parent) = parent {
            self.keep_version(parent.hash(), &parent.pretty())?;
        }
        files::write(&path, strategy.pretty().as_bytes())?;
        Ok(Saving::Written(Kept::read(&path)))
    }

    /// A version that was replaced, or the parent of one that is kept.
    pub fn version(&self, hash: StrategyHash) -> Option<Arc<Strategy>> {
        // Somebody may have put anything there: only what plays as the hash says is that version.
        KeptStrategy::read(&self.version_path(hash)).ok().filter(|kept| kept.hash == hash).map(|kept| kept.strategy)
    }

    /// Gives a strategy and its file another name; returns it as it was in the file and as it is now.
    ///
    /// # Errors
    /// The file cannot be read as a strategy, or not be written.
    pub fn rename(&self, path: &Path, name: &str) -> Result<(KeptStrategy, Kept), StoreError> {
        let _alone = self.lock()?;
        let kept = KeptStrategy::read(path).map_err(StoreError::Strategy)?;
        let renamed = Strategy { name: name.trim().to_owned(), ..(*kept.strategy).clone() };
        let title = renamed.label();
        let unnumbered = free_path(&self.folder, &title);
        // A name that only differs in letters the file cannot have keeps its file.
        let stays = super::store::path_in(&self.folder, &title) == *path;
        let to = if stays { path.to_owned() } else { unnumbered };
        files::write(&to, renamed.pretty().as_bytes())?;
        if to != *path {
            fs::remove_file(path).map_err(|source| StoreError::Folder { path: path.to_owned(), source })?;
        }
        Ok((kept, Kept::read(&to)))
    }

    /// Copies a file of a strategy into the library under a free name, its bytes untouched.
    ///
    /// # Errors
    /// The file is no strategy, or the copy cannot be written.
    pub fn import(&self, path: &Path) -> Result<Kept, StoreError> {
        let kept = KeptStrategy::read(path).map_err(StoreError::Strategy)?;
        let _alone = self.lock()?;
        let named = if kept.strategy.name.is_empty() { None } else { Some(kept.strategy.name.clone()) };
        let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let copy = free_path(&self.folder, &named.or_else(stem).unwrap_or_default());
        files::write(&copy, kept.text.as_bytes())?;
        Ok(Kept::read(&copy))
    }

    /// Moves a strategy to the trash.
    ///
    /// # Errors
    /// The file cannot be moved.
    pub fn delete(&self, path: &Path) -> Result<Deleted, StoreError> {
        move_to_trash(&self.folder, path)
    }

    /// Puts a deleted strategy back.
    ///
    /// # Errors
    /// Its place is taken, or the file cannot be moved.
    pub fn restore(&self, deleted: &Deleted) -> Result<(), StoreError> {
        move_back(deleted)
    }

    fn version_path(&self, hash: StrategyHash) -> PathBuf {
        self.folder.join(".versions").join(format!("{:016x}.ron", hash.bits()))
    }

    fn keep_version(&self, hash: StrategyHash, text: &str) -> Result<(), StoreError> {
        let path = self.version_path(hash);
        if self.version(hash).is_none() {
            files::make_folder(path.parent().unwrap_or(&self.folder))?;
            files::write(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Makes the folder and keeps other windows from writing into it until the file is dropped.
    fn lock(&self) -> Result<File, StoreError> {
        files::make_folder(&self.folder)?;
        let path = self.folder.join(".lock");
        let failed = |source| StoreError::Folder { path: path.clone(), source };
        let file = File::options().create(true).append(true).open(&path).map_err(failed)?;
        match file.lock() {
            // Some network folders know no locks: the check of the text is all there is.
            Err(error) if error.kind() != std::io::ErrorKind::Unsupported => Err(failed(error)),
            _ => Ok(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strategy(name: &str, letters: &str) -> Strategy {
        Strategy { name: name.to_owned(), ..Strategy::from_letters(letters).expect("letters") }
    }

    fn written(saving: Saving) -> Kept {
        match saving {
            Saving::Written(kept) => kept,
            Saving::ChangedElsewhere(theirs) => panic!("not written: {theirs:?}"),
        }
    }

    fn library() -> (tempfile::TempDir, Library) {
        let folder = tempfile::tempdir().expect("a folder");
        let library = Library::in_config(folder.path());
        (folder, library)
    }

    #[test]
    fn what_is_saved_is_listed_and_read_back_equal() {
        let (_folder, library) = library();
        assert_eq!(library.list(&[]).expect("empty"), []);
        let (tidy, other) = (strategy("Tidy up", "emr"), strategy("Tidy up", "mr"));
        let first = written(library.save(None, &tidy, None, None).expect("saved"));
        let second = written(library.save(None, &other, None, None).expect("saved"));
        assert_eq!(first.path, library.folder().join("tidy-up.ron"));
        assert_eq!(second.path, library.folder().join("tidy-up-2.ron"), "a new one never replaces another");
        let listed = library.list(&[]).expect("listed");
        assert_eq!(listed, [first.clone(), second]);
        assert_eq!(*first.read.expect("sound").strategy, tidy);
        assert_eq!(library.list(&listed).expect("listed"), listed);
    }

    #[test]
    fn a_file_changed_elsewhere_is_not_replaced() {
        let (_folder, library) = library();
        let ours = strategy("mine", "emr");
        let kept = written(library.save(None, &ours, None, None).expect("saved"));
        let known = kept.read.expect("sound").text;
        let theirs = strategy("mine", "mer");
        files::write(&kept.path, theirs.pretty().as_bytes()).expect("another window");
        let edited = strategy("mine", "er");
        match library.save(Some(&kept.path), &edited, Some(&known), None).expect("looked at") {
            Saving::ChangedElsewhere(found) => assert_eq!(*found.read.expect("sound").strategy, theirs),
            Saving::Written(_) => panic!("what another window wrote is gone"),
        }
        assert_eq!(fs::read_to_string(&kept.path).expect("a file"), theirs.pretty());
        // Asked to, it replaces the file, and keeps what stood there.
        written(library.save(Some(&kept.path), &edited, None, None).expect("saved"));
        assert_eq!(library.version(theirs.hash()).as_deref(), Some(&theirs));
        assert_eq!(library.version(edited.hash()), None);
    }

    #[test]
    fn every_version_can_be_opened_again_and_so_can_the_parent_of_a_new_file() {
        let (_folder, library) = library();
        let versions = ["er", "emr", "mer", "emr", "mr"].map(|letters| strategy("mine", letters));
        let mut path = None;
        for version in &versions {
            let kept = written(library.save(path.as_deref(), version, None, None).expect("saved"));
            path = Some(kept.path);
        }
        for version in &versions[..4] {
            assert_eq!(library.version(version.hash()).as_deref(), Some(version));
        }
        let parent = strategy("shipped", "gr");
        written(library.save(None, &strategy("new", "gmr"), None, Some(&parent)).expect("saved"));
        assert_eq!(library.version(parent.hash()).as_deref(), Some(&parent));
    }

    #[test]
    fn a_broken_file_is_listed_with_its_place_and_not_lost_when_replaced() {
        let (_folder, library) = library();
        fs::create_dir_all(library.folder()).expect("made");
        let path = library.folder().join("torn.ron");
        fs::write(&path, "Strategy(\n  criteria: [(evaluator: Emty)]\n)").expect("written");
        let listed = library.list(&[]).expect("listed");
        let reason = listed[0].read.as_ref().expect_err("broken");
        assert!(reason.contains("torn.ron: line 2, column ") && reason.contains("Empty"), "{reason}");
        assert_eq!(listed[0].label(), "torn.ron");
        // Mended by hand, it is read again.
        fs::write(&path, "emr").expect("written");
        assert!(library.list(&listed).expect("listed")[0].read.is_ok());
        fs::write(&path, "(").expect("written");
        written(library.save(Some(&path), &strategy("torn", "er"), None, None).expect("saved"));
        let trash: Vec<_> = fs::read_dir(library.folder().join(".trash")).expect("a trash").collect();
        assert_eq!(trash.len(), 1);
    }

    #[test]
    fn renamed_imported_deleted_and_brought_back() {
        let (folder, library) = library();
        let kept = written(library.save(None, &strategy("old", "emr"), None, None).expect("saved"));
        let (before, renamed) = library.rename(&kept.path, " New name ").expect("renamed");
        assert_eq!(before, kept.read.expect("sound"));
        assert_eq!(renamed.path, library.folder().join("new-name.ron"));
        assert_eq!(renamed.label(), "New name");
        assert!(!kept.path.exists());
        let (_, same) = library.rename(&renamed.path, "new name").expect("renamed");
        assert_eq!((same.path.clone(), same.label()), (renamed.path, "new name".to_owned()));

        let outside = folder.path().join("elsewhere.ron");
        fs::write(&outside, "// from a friend\n(criteria: [(evaluator: Snake)])").expect("written");
        let copy = library.import(&outside).expect("imported");
        assert_eq!(copy.path, library.folder().join("elsewhere.ron"));
        assert!(copy.read.expect("sound").text.starts_with("// from a friend"), "its bytes are untouched");
        fs::write(&outside, "(criteria: [(evaluator: Snale)])").expect("written");
        let error = library.import(&outside).expect_err("broken").to_string();
        assert!(error.contains("elsewhere.ron: line 1, column ") && error.contains("Snake"), "{error}");

        let deleted = library.delete(&same.path).expect("deleted");
        assert_eq!(library.list(&[]).expect("listed").len(), 1);
        library.restore(&deleted).expect("back");
        assert_eq!(library.list(&[]).expect("listed").len(), 2);
    }
}

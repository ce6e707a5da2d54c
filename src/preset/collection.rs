//! The user's own files of one kind: presets, strategies or sets of positions, one file each in a folder.
//!
//! Several windows may have the same folder open. A file is only replaced if it still has the content that this window
//! read last; otherwise the user decides. Nothing is destroyed: a deleted file moves to `.trash`; a file that is
//! replaced although another window has changed it moves to `.versions` under its hash, or to `.trash`.

use std::error::Error;
use std::fmt::Debug;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::files::{self, ReadError, Stamp, WriteError, stamp};
use crate::kept::{LONGEST_NAME, NameProblem};
use crate::ron_text::Mistake;
use crate::strategy::{Strategy, StrategyHash};

/// An item of a collection: it has a name and a text form.
pub trait Item: Clone + Debug + PartialEq + 'static {
    /// Name of the folder in the configuration folder.
    const FOLDER: &'static str;
    /// The maximum size of a file, in bytes.
    const LARGEST: u64;
    /// Whether files are listed by the labels of their items; otherwise by file name, which needs no reading.
    const BY_LABEL: bool = false;

    type Error: Error + Clone + PartialEq + 'static;

    fn from_text(text: &str) -> Result<Self, Self::Error>;

    fn to_text(&self) -> String;

    /// The label; may be empty.
    fn label(&self) -> String;

    /// Whether the user gave it its label.
    fn is_named(&self) -> bool {
        !self.label().is_empty()
    }

    #[must_use]
    fn renamed(&self, name: &str) -> Self;

    /// Identifies versions that are saved when they are replaced. `None` for a kind that saves none.
    fn version_hash(&self) -> Option<StrategyHash> {
        None
    }
}

impl Item for Strategy {
    const FOLDER: &'static str = "strategies";
    // 64 rows of nested sums take far less.
    const LARGEST: u64 = 1 << 20;
    const BY_LABEL: bool = true;

    type Error = Mistake;

    /// A handwritten file may have any text of a strategy, including letters.
    fn from_text(text: &str) -> Result<Self, Mistake> {
        Self::read_at(text)
    }

    fn to_text(&self) -> String {
        self.pretty()
    }

    fn label(&self) -> String {
        self.label()
    }

    fn is_named(&self) -> bool {
        !self.name.is_empty()
    }

    fn renamed(&self, name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..self.clone()
        }
    }

    fn version_hash(&self) -> Option<StrategyHash> {
        Some(self.hash_of_files())
    }
}

/// An item and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored<T: Item> {
    pub item: Arc<T>,
    /// The text of the file, to detect later changes by others.
    pub text: Arc<str>,
    /// For kinds that save versions.
    pub hash: Option<StrategyHash>,
}

impl<T: Item> Stored<T> {
    /// Reads a file, of a collection or from anywhere.
    pub fn load(path: &Path) -> Result<Self, ItemError<T::Error>> {
        let text = files::read_text(path, T::LARGEST)?;
        match T::from_text(&text) {
            Ok(item) => Ok(Self {
                hash: item.version_hash(),
                item: Arc::new(item),
                text: text.into(),
            }),
            Err(source) => Err(ItemError::Content {
                path: path.to_owned(),
                source,
            }),
        }
    }
}

/// Why a file does not have the expected content. The text names the file and the problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ItemError<E: Error + 'static> {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: {source}", path.display())]
    Content { path: PathBuf, source: E },
}

impl<E: Error> ItemError<E> {
    /// The problem without the name of the file.
    pub fn reason(&self) -> String {
        match self {
            Self::Read(error) => error.problem.to_string(),
            Self::Content { source, .. } => source.to_string(),
        }
    }
}

/// Why an operation on a collection failed. The text names the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError<E: Error + 'static> {
    #[error("this system has no folder for settings")]
    NoFolder,
    #[error(transparent)]
    Item(#[from] ItemError<E>),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error("{}: {}", path.display(), files::said(source))]
    File { path: PathBuf, source: io::Error },
    /// Something else took the place of a deleted file.
    #[error("{}: a file with this name exists again: rename it, then undo", .0.display())]
    Taken(PathBuf),
}

type Done<T, I> = Result<T, CollectionError<<I as Item>::Error>>;

/// A file of a collection. It is read on first use.
#[derive(Clone, Debug)]
pub struct ItemFile<T: Item> {
    pub path: PathBuf,
    stamp: Stamp,
    read: OnceLock<Result<Stored<T>, ItemError<T::Error>>>,
}

impl<T: Item> ItemFile<T> {
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            stamp: stamp(path),
            read: OnceLock::new(),
        }
    }

    pub fn read(&self) -> Result<&Stored<T>, &ItemError<T::Error>> {
        self.read.get_or_init(|| Stored::load(&self.path)).as_ref()
    }

    /// The label of the item, or the name of the file if it has none.
    pub fn label(&self) -> String {
        let label = self
            .read()
            .map(|stored| stored.item.label())
            .unwrap_or_default();
        if label.is_empty() {
            files::name_of(&self.path)
        } else {
            label
        }
    }
}

/// A file in the trash, for [`Collection::restore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    pub path: PathBuf,
    pub trash: PathBuf,
}

#[derive(Clone, Copy, Debug)]
pub enum SaveTo<'a> {
    /// A new file, named after the label.
    New,
    /// This file, if it still has the text that this window knows, or does not exist.
    Known { path: &'a Path, text: &'a str },
    /// This file, whatever its content.
    Anyway(&'a Path),
}

#[derive(Clone, Debug)]
pub enum Saving<T: Item> {
    Written(ItemFile<T>),
    /// The file has another content than this window knew. Nothing was written.
    ChangedElsewhere(ItemFile<T>),
}

#[derive(Clone, Debug)]
pub struct Collection<T: Item> {
    folder: Option<PathBuf>,
    files: Vec<ItemFile<T>>,
    version: u64,
}

impl<T: Item> Collection<T> {
    /// The files in a configuration folder. The folder is only created on the first save.
    pub fn in_config(config_dir: Option<&Path>) -> Self {
        let folder = config_dir.map(|config_dir| config_dir.join(T::FOLDER));
        let mut collection = Self {
            folder,
            files: Vec::new(),
            version: 0,
        };
        collection.list();
        collection
    }

    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// All files of the last listing, including broken ones.
    pub fn files(&self) -> &[ItemFile<T>] {
        &self.files
    }

    /// Rises with every listing of the folder, so that views notice possible changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The content of all readable files.
    pub fn sound(&self) -> impl Iterator<Item = &Stored<T>> {
        self.files.iter().filter_map(|file| file.read().ok())
    }

    /// The content of a file at the last listing.
    pub fn find(&self, path: &Path) -> Option<&Stored<T>> {
        self.files
            .iter()
            .find(|file| file.path == path)?
            .read()
            .ok()
    }

    /// Whether a file has changed since it was listed.
    pub fn is_changed(&self, path: &Path) -> bool {
        let says = || files::read_text(path, T::LARGEST).ok();
        path.exists() && says().as_deref() != self.find(path).map(|stored| &*stored.text)
    }

    /// The file of the collection that a path leads to, however it is written.
    pub fn own(&self, path: &Path) -> Option<PathBuf> {
        let folder = self.folder()?;
        let is_here =
            fs::canonicalize(files::folder_of(path)).ok()? == fs::canonicalize(folder).ok()?;
        is_here
            .then(|| path.file_name().map(|name| folder.join(name)))?
            .filter(|path| is_item(path))
    }

    /// Lists the folder again, without rereading unchanged files. A folder that cannot be listed counts as empty.
    pub fn list(&mut self) {
        self.version += 1;
        let Some(folder) = &self.folder else { return };
        let listed = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        let item_file = |path: PathBuf| {
            let same = self
                .files
                .iter()
                .find(|file| file.path == path && file.stamp == stamp(&path));
            same.cloned().unwrap_or_else(|| ItemFile::at(&path))
        };
        self.files = listed
            .filter(|path| is_item(path) && path.is_file())
            .map(item_file)
            .collect();
        self.sort();
    }

    fn sort(&mut self) {
        self.files.sort_by_cached_key(|file| {
            let label = if T::BY_LABEL {
                file.label().to_lowercase()
            } else {
                String::new()
            };
            (label, file.path.with_extension(""))
        });
    }

    /// The path for this title, whether it exists or not: lower-case letters and digits, with hyphens for all other
    /// characters.
    pub fn path_of(&self, title: &str) -> Option<PathBuf> {
        Some(self.folder()?.join(file_of(title)))
    }

    /// A free path for this title, with a number at the end if needed.
    pub fn free_path(&self, title: &str) -> PathBuf {
        match self.folder() {
            Some(folder) => free_path(folder, title),
            // Only in memory, for this session.
            None => (1..)
                .map(|number| PathBuf::from(format!("{title} {number}")))
                .find(|path| self.find(path).is_none())
                .unwrap_or_default(),
        }
    }

    /// Lists an item as if its file existed, until the folder is listed again.
    pub fn hold(&mut self, path: &Path, item: Arc<T>) {
        self.forget(path);
        let stored = Stored {
            text: item.to_text().into(),
            hash: item.version_hash(),
            item,
        };
        self.files.push(ItemFile {
            path: path.to_owned(),
            stamp: None,
            read: OnceLock::from(Ok(stored)),
        });
        self.sort();
    }

    /// Removes a file from the list, until the folder is listed again.
    pub fn forget(&mut self, path: &Path) {
        self.files.retain(|file| file.path != path);
    }

    pub fn save(&mut self, to: SaveTo<'_>, item: &T) -> Done<Saving<T>, T> {
        let (folder, _alone) = self.lock()?;
        let path = match to {
            SaveTo::New => free_path(folder, &item.label()),
            SaveTo::Known { path, .. } | SaveTo::Anyway(path) => path.to_owned(),
        };

        if path.exists() {
            let theirs = ItemFile::at(&path);
            let says = files::read_text(&path, T::LARGEST).ok();
            let is_known =
                matches!(to, SaveTo::Known { text, .. } if says.as_deref() == Some(text));
            if matches!(to, SaveTo::Known { .. }) && !is_known {
                return Ok(Saving::ChangedElsewhere(theirs));
            }
            match theirs.read() {
                Ok(Stored {
                    hash: Some(hash),
                    text,
                    ..
                }) => self.keep_version(*hash, text)?,
                Ok(_) if is_known => {}
                // Moved to where the user can look at it.
                _ => drop(move_to_trash::<T>(folder, &path)?),
            }
        }

        files::write(&path, item.to_text().as_bytes())?;
        let written = ItemFile::at(&path);
        self.list();
        Ok(Saving::Written(written))
    }

    /// A version that was replaced or saved.
    pub fn kept_version(&self, hash: StrategyHash) -> Option<Arc<T>> {
        let stored = Stored::<T>::load(&self.versions()?.join(version_name(hash))).ok()?;
        // The file may have been replaced by anything: only the right hash identifies the version.
        (stored.hash == Some(hash)).then_some(stored.item)
    }

    /// Saves a version under its hash, unless it exists.
    pub fn keep_version(&self, hash: StrategyHash, text: &str) -> Done<(), T> {
        if let Some(folder) = self.versions()
            && self.kept_version(hash).is_none()
        {
            files::make_folder(&folder)?;
            files::write(&folder.join(version_name(hash)), text.as_bytes())?;
        }
        Ok(())
    }

    fn versions(&self) -> Option<PathBuf> {
        Some(self.folder()?.join(".versions"))
    }

    /// Renames an item and its file. Returns the item before and the file after the change.
    pub fn rename(&mut self, path: &Path, name: &str) -> Done<(Stored<T>, ItemFile<T>), T> {
        let (folder, _alone) = self.lock()?;
        let before = Stored::<T>::load(path)?;
        let renamed = before.item.renamed(name.trim());
        let title = renamed.label();
        // A name that only differs in characters that file names cannot have keeps its file.
        let to = if folder.join(file_of(&title)) == *path {
            path.to_owned()
        } else {
            free_path(folder, &title)
        };
        files::write(&to, renamed.to_text().as_bytes())?;
        if to != *path {
            fs::remove_file(path).map_err(|source| CollectionError::File {
                path: path.to_owned(),
                source,
            })?;
        }
        self.list();
        Ok((before, ItemFile::at(&to)))
    }

    /// Copies a file from anywhere into the collection under a free name, byte by byte.
    pub fn import(&mut self, path: &Path) -> Done<ItemFile<T>, T> {
        let stored = Stored::<T>::load(path)?;
        let (folder, _alone) = self.lock()?;
        let stem = || {
            path.file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let name = if stored.item.is_named() {
            stored.item.label()
        } else {
            stem()
        };
        let copy = free_path(folder, &name);
        files::write(&copy, stored.text.as_bytes())?;
        self.list();
        Ok(ItemFile::at(&copy))
    }

    pub fn delete(&mut self, path: &Path) -> Done<Deleted, T> {
        let deleted = move_to_trash::<T>(self.folder().ok_or(CollectionError::NoFolder)?, path)?;
        self.list();
        Ok(deleted)
    }

    pub fn restore(&mut self, deleted: &Deleted) -> Done<(), T> {
        if deleted.path.exists() {
            return Err(CollectionError::Taken(deleted.path.clone()));
        }
        move_file::<T>(&deleted.trash, &deleted.path)?;
        self.list();
        Ok(())
    }

    /// Prevents other windows from writing into the folder until the file is dropped.
    fn lock(&self) -> Done<(&Path, File), T> {
        let folder = self.folder().ok_or(CollectionError::NoFolder)?;
        files::make_folder(folder)?;
        let path = folder.join(".lock");
        let failed = |source| CollectionError::File {
            path: path.clone(),
            source,
        };
        let file = File::options()
            .create(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        match file.lock() {
            // Some network folders have no locks: then only the check of the text protects the file.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(failed(error)),
            _ => Ok((folder, file)),
        }
    }
}

fn version_name(hash: StrategyHash) -> String {
    format!("{:016x}.ron", hash.0)
}

fn is_item(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "ron")
}

fn move_file<T: Item>(from: &Path, to: &Path) -> Done<(), T> {
    let moved = match fs::rename(from, to) {
        // A file that was saved to another disk has its trash here.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            fs::copy(from, to).and_then(|_| fs::remove_file(from))
        }
        moved => moved,
    };
    moved.map_err(|source| CollectionError::File {
        path: from.to_owned(),
        source,
    })
}

fn move_to_trash<T: Item>(folder: &Path, path: &Path) -> Done<Deleted, T> {
    let trash = folder.join(".trash");
    files::make_folder(&trash)?;
    let name = path
        .file_stem()
        .and_then(|name| name.to_str())
        .unwrap_or("deleted");
    let trash = free_path(&trash, name);
    move_file::<T>(path, &trash)?;
    Ok(Deleted {
        path: path.to_owned(),
        trash,
    })
}

/// The file name for this title: lower-case letters and digits, hyphens for all other characters, and `.ron`.
pub fn file_of(title: &str) -> String {
    format!("{}.ron", file_stem(title))
}

/// A path for this title that does not exist yet, with a number at the end if needed.
fn free_path(folder: &Path, title: &str) -> PathBuf {
    let stem = file_stem(title);
    let numbered = (2_u64..).map(|number| format!("{stem}-{number}.ron"));
    let mut paths = std::iter::once(file_of(title))
        .chain(numbered)
        .map(|name| folder.join(name));
    paths
        .find(|path| !path.exists())
        .expect("an endless list holds a free name")
}

/// A title as the name of a file or folder without its ending: letters, digits and hyphens.
pub fn file_stem(title: &str) -> String {
    let mut name = String::new();
    for c in title.trim().chars().flat_map(char::to_lowercase) {
        let next = if c.is_alphanumeric() { c } else { '-' };
        if next == '-' && (name.is_empty() || name.ends_with('-')) {
            continue;
        }
        if LONGEST_NAME < name.len() + next.len_utf8() {
            break;
        }
        name.push(next);
    }

    let name = name.trim_end_matches('-');
    match NameProblem::of(name) {
        None => name.to_owned(),
        Some(NameProblem::Device) => format!("{name}-file"),
        Some(_) => "unnamed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::{PositionSet, Preset};

    fn strategy(name: &str, letters: &str) -> Strategy {
        Strategy {
            name: name.to_owned(),
            ..Strategy::from_letters(letters).expect("letters")
        }
    }

    fn written<T: Item>(saving: Saving<T>) -> ItemFile<T> {
        match saving {
            Saving::Written(file) => file,
            Saving::ChangedElsewhere(theirs) => panic!("not written: {theirs:?}"),
        }
    }

    fn collection<T: Item>() -> (tempfile::TempDir, Collection<T>) {
        let folder = tempfile::tempdir().expect("a folder");
        let collection = Collection::in_config(Some(folder.path()));
        (folder, collection)
    }

    fn paths<T: Item>(collection: &mut Collection<T>) -> Vec<PathBuf> {
        collection.list();
        collection
            .files()
            .iter()
            .map(|file| file.path.clone())
            .collect()
    }

    #[test]
    fn what_is_saved_is_listed_and_read_back_equal() {
        let (folder, mut library) = collection();
        assert!(library.files().is_empty());
        let (tidy, other) = (strategy("Tidy up", "emr"), strategy("Tidy up", "mr"));
        let first = written(library.save(SaveTo::New, &tidy).expect("saved"));
        let second = written(library.save(SaveTo::New, &other).expect("saved"));
        assert_eq!(first.path, folder.path().join("strategies/tidy-up.ron"));
        assert_eq!(
            second.path,
            folder.path().join("strategies/tidy-up-2.ron"),
            "a new one never replaces another"
        );
        assert_eq!(paths(&mut library), [first.path.clone(), second.path]);
        assert_eq!(*first.read().expect("sound").item, tidy);
        let before = library.find(&first.path).expect("listed").item.clone();
        library.list();
        assert!(
            Arc::ptr_eq(&before, &library.find(&first.path).expect("listed").item),
            "not read again"
        );
    }

    #[test]
    fn what_is_held_stands_where_its_file_would() {
        let (folder, mut sets) = collection::<PositionSet>();
        let path = |name: &str| folder.path().join("positions").join(name);
        for name in ["b.ron", "c.ron", "a.ron", "b.ron"] {
            sets.hold(&path(name), Arc::new(PositionSet::empty(name)));
        }
        let paths: Vec<PathBuf> = sets.files().iter().map(|file| file.path.clone()).collect();
        assert_eq!(paths, ["a.ron", "b.ron", "c.ron"].map(path));
    }

    /// Saves `ours`, lets another window write `theirs`, and saves `edited`: it must ask, not replace, and save the
    /// replaced version.
    fn a_foreign_change_is_asked_about<T: Item>(ours: &T, theirs: &T, edited: &T) {
        let (_folder, mut collection) = collection();
        let path = written(collection.save(SaveTo::New, ours).expect("saved")).path;
        let text_before = collection.find(&path).expect("listed").text.clone();
        files::write(&path, theirs.to_text().as_bytes()).expect("another window");
        match collection
            .save(
                SaveTo::Known {
                    path: &path,
                    text: &text_before,
                },
                edited,
            )
            .expect("looked at")
        {
            Saving::ChangedElsewhere(found) => {
                assert_eq!(*found.read().expect("sound").item, *theirs);
            }
            Saving::Written(_) => panic!("what another window wrote is gone"),
        }
        assert_eq!(fs::read_to_string(&path).expect("a file"), theirs.to_text());

        // On request it replaces the file, and saves the previous content.
        written(
            collection
                .save(SaveTo::Anyway(&path), edited)
                .expect("saved"),
        );
        assert_eq!(*collection.find(&path).expect("listed").item, *edited);
        let folder = collection.folder().expect("a folder");
        let saved_files = [".versions", ".trash"]
            .map(|name| fs::read_dir(folder.join(name)))
            .into_iter()
            .flatten()
            .flatten();
        let texts =
            saved_files.map(|file| fs::read_to_string(file.expect("listed").path()).expect("text"));
        assert_eq!(texts.filter(|text| *text == theirs.to_text()).count(), 1);

        // A file that this window wrote itself is replaced without a question.
        let text = edited.to_text();
        written(
            collection
                .save(
                    SaveTo::Known {
                        path: &path,
                        text: &text,
                    },
                    ours,
                )
                .expect("saved"),
        );
        // So is a file that is gone.
        fs::remove_file(&path).expect("another window");
        written(
            collection
                .save(
                    SaveTo::Known {
                        path: &path,
                        text: &text,
                    },
                    ours,
                )
                .expect("saved"),
        );
    }

    #[test]
    fn a_file_changed_elsewhere_is_not_replaced_whatever_it_holds() {
        let strategies = ["emr", "mer", "er"].map(|letters| strategy("mine", letters));
        let [ours, theirs, edited] = &strategies;
        a_foreign_change_is_asked_about(ours, theirs, edited);
        let [ours, theirs, edited] = &strategies
            .clone()
            .map(|strategy| Preset::new("mine", [strategy]));
        a_foreign_change_is_asked_about(ours, theirs, edited);
        let note = |note: &str| PositionSet {
            note: note.to_owned(),
            ..(*PositionSet::shipped()).clone()
        };
        a_foreign_change_is_asked_about(&note("ours"), &note("theirs"), &note("edited"));
    }

    #[test]
    fn every_version_can_be_opened_again_and_so_can_the_parent_of_a_new_file() {
        let (_folder, mut library) = collection();
        let versions = ["er", "emr", "mer", "emr", "mr"].map(|letters| strategy("mine", letters));
        let path = written(library.save(SaveTo::New, &versions[0]).expect("saved")).path;
        for version in &versions[1..] {
            written(library.save(SaveTo::Anyway(&path), version).expect("saved"));
        }
        for version in &versions[..4] {
            assert_eq!(
                library.kept_version(version.hash()).as_deref(),
                Some(version)
            );
        }
        assert_eq!(library.kept_version(versions[4].hash()), None);
        assert!(
            !library.folder().expect("a folder").join(".trash").exists(),
            "a version is kept once"
        );
        let parent = strategy("shipped", "gr");
        library
            .keep_version(parent.hash(), &parent.pretty())
            .expect("kept");
        assert_eq!(
            library.kept_version(parent.hash()).as_deref(),
            Some(&parent)
        );
    }

    #[test]
    fn a_broken_file_is_listed_with_its_place_and_not_lost_when_replaced() {
        let (folder, mut library) = collection::<Strategy>();
        let path = folder.path().join("strategies/torn.ron");
        fs::create_dir_all(path.with_file_name("")).expect("made");
        fs::write(&path, "Strategy(\n  criteria: [(evaluator: Emty)]\n)").expect("written");
        library.list();
        let error = library.files()[0].read().expect_err("broken");
        let reason = error.to_string();
        assert!(
            reason.contains("torn.ron: line 2, column ") && reason.contains("Empty"),
            "{reason}"
        );
        assert!(error.reason().starts_with("line 2, column "), "{reason}");
        assert!(
            matches!(
                error,
                ItemError::Content {
                    source: Mistake { line: 2, .. },
                    ..
                }
            ),
            "a panel can point at it"
        );
        assert_eq!(library.files()[0].label(), "torn.ron");

        // A file that was repaired by hand is read again.
        fs::write(&path, "emr").expect("written");
        library.list();
        assert!(library.files()[0].read().is_ok());
        fs::write(&path, "(").expect("written");
        written(
            library
                .save(SaveTo::Anyway(&path), &strategy("torn", "er"))
                .expect("saved"),
        );
        let trash: Vec<_> = fs::read_dir(path.with_file_name(".trash"))
            .expect("a trash")
            .collect();
        assert_eq!(trash.len(), 1);
    }

    #[test]
    fn renamed_imported_deleted_and_brought_back() {
        let (folder, mut library) = collection();
        let file = written(
            library
                .save(SaveTo::New, &strategy("old", "emr"))
                .expect("saved"),
        );
        let old = file.read().expect("sound").clone();
        let (before, renamed) = library.rename(&file.path, " New name ").expect("renamed");
        assert_eq!(before, old);
        assert_eq!(renamed.path, folder.path().join("strategies/new-name.ron"));
        assert_eq!(renamed.label(), "New name");
        assert!(!file.path.exists());
        let (_, same) = library.rename(&renamed.path, "new name").expect("renamed");
        assert_eq!(
            (same.path.clone(), same.label()),
            (renamed.path, "new name".to_owned())
        );

        let outside = folder.path().join("elsewhere.ron");
        fs::write(
            &outside,
            "// from a friend\n(criteria: [(evaluator: Snake)])",
        )
        .expect("written");
        let copy = library.import(&outside).expect("imported");
        assert_eq!(copy.path, folder.path().join("strategies/elsewhere.ron"));
        assert!(
            copy.read()
                .expect("sound")
                .text
                .starts_with("// from a friend"),
            "its bytes are untouched"
        );
        fs::write(&outside, "(criteria: [(evaluator: Snale)])").expect("written");
        let error = library.import(&outside).expect_err("broken").to_string();
        assert!(
            error.contains("elsewhere.ron: line 1, column ") && error.contains("Snake"),
            "{error}"
        );
        fs::write(&outside, b"\xff\x00").expect("written");
        assert!(library.import(&outside).is_err());

        let deleted = library.delete(&same.path).expect("deleted");
        assert_eq!(library.files().len(), 1);
        library.restore(&deleted).expect("back");
        assert_eq!(library.files().len(), 2);
        let deleted = library.delete(&same.path).expect("deleted");
        written(
            library
                .save(SaveTo::New, &strategy("new name", "er"))
                .expect("saved"),
        );
        assert!(matches!(
            library.restore(&deleted),
            Err(CollectionError::Taken(_))
        ));
    }

    #[test]
    fn files_are_named_after_their_titles() {
        for (title, file) in [
            ("Mine / Yours", "mine-yours.ron"),
            ("  ÄB c ", "äb-c.ron"),
            ("…", "unnamed.ron"),
            // Devices of Windows.
            ("NUL", "nul-file.ron"),
            ("Com1?", "com1-file.ron"),
            ("con", "con-file.ron"),
        ] {
            assert_eq!(file_of(title), file);
        }

        for title in [
            "long ".repeat(100),
            "ä".repeat(99),
            "a: <b> \"c\" | d? * \\".to_owned(),
            ". x.".to_owned(),
        ] {
            assert_eq!(NameProblem::of(&file_stem(&title)), None, "{title}");
        }
        let nowhere = Collection::<Preset>::in_config(None);
        assert!(nowhere.folder().is_none() && nowhere.path_of("a").is_none());
        assert!(matches!(nowhere.lock(), Err(CollectionError::NoFolder)));
    }
}

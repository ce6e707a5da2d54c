//! The user's own presets: one file each in `<config>/presets`.
//!
//! Nothing is destroyed: a deleted preset moves to `.trash` beside the others and can be put back.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{LARGEST_PRESET, Preset, PresetError};
use crate::files::{self, ReadError, WriteError};

/// The folder of settings and presets of this user, as the system places it; `None` without a home folder.
pub fn default_config_dir() -> Option<PathBuf> {
    directories::ProjectDirs::from("", "", "afterstate").map(|dirs| dirs.config_dir().to_owned())
}

/// Why the folder of presets did not do what was asked. The text names the file and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file is no preset.
    #[error("{}: {source}", path.display())]
    Preset {
        path: PathBuf,
        /// What is wrong in it.
        source: PresetError,
    },
    /// A file is no strategy; the text names file, line and column.
    #[error("{0}")]
    Strategy(String),
    /// The folder could not be listed, or a file in it not moved.
    #[error("{}: {}", path.display(), files::said(source))]
    Folder { path: PathBuf, source: io::Error },
    /// Something else took the place of a deleted file.
    #[error("{}: a file of this name exists again; rename it, then undo", .0.display())]
    Taken(PathBuf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// A file of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Name of the file without `.ron`.
    pub name: String,
    pub path: PathBuf,
}

/// A file in the trash, for [`Store::restore`] and [`Library::restore`](super::Library::restore).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    pub path: PathBuf,
    pub trash: PathBuf,
}

impl Store {
    /// The presets of a configuration folder; nothing is made before something is saved.
    pub fn in_config(config_dir: &Path) -> Self {
        Self { folder: config_dir.join("presets") }
    }

    /// The files of another folder, which need not be presets: for all but loading and saving them.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder with the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All files by name. A folder that does not exist yet is empty.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn list(&self) -> Result<Vec<Saved>, StoreError> {
        let mut saved: Vec<Saved> = files_in(&self.folder)?
            .into_iter()
            .filter_map(|path| Some(Saved { name: path.file_stem()?.to_str()?.to_owned(), path }))
            .collect();
        saved.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(saved)
    }

    /// Reads a preset, from the store or from anywhere.
    ///
    /// # Errors
    /// The file cannot be read or is no preset.
    pub fn load(path: &Path) -> Result<Preset, StoreError> {
        let text = files::read_text(path, LARGEST_PRESET)?;
        Preset::from_text(&text).map_err(|source| StoreError::Preset { path: path.to_owned(), source })
    }

    /// Writes a preset to a file of the store, replacing what stands there.
    ///
    /// # Errors
    /// The folder cannot be made or the file not be written.
    pub fn save(&self, name: &str, preset: &Preset) -> Result<PathBuf, StoreError> {
        fs::create_dir_all(&self.folder).map_err(|source| StoreError::Folder { path: self.folder.clone(), source })?;
        let path = self.path_of(name);
        Self::save_as(&path, preset)?;
        Ok(path)
    }

    /// Writes a preset to any file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save_as(path: &Path, preset: &Preset) -> Result<(), StoreError> {
        Ok(files::write(path, preset.to_text().as_bytes())?)
    }

    /// Moves a preset to the trash.
    ///
    /// # Errors
    /// The file cannot be moved.
    pub fn delete(&self, path: &Path) -> Result<Deleted, StoreError> {
        move_to_trash(&self.folder, path)
    }

    /// Puts a deleted preset back.
    ///
    /// # Errors
    /// Its place is taken, or the file cannot be moved.
    pub fn restore(&self, deleted: &Deleted) -> Result<(), StoreError> {
        move_back(deleted)
    }

    /// Copies a preset file into the store under a free name, its bytes untouched.
    ///
    /// # Errors
    /// The file is no preset, or the copy cannot be written.
    pub fn import(&self, path: &Path) -> Result<Saved, StoreError> {
        let text = files::read_text(path, LARGEST_PRESET)?;
        Preset::from_text(&text).map_err(|source| StoreError::Preset { path: path.to_owned(), source })?;
        fs::create_dir_all(&self.folder).map_err(|source| StoreError::Folder { path: self.folder.clone(), source })?;
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("preset");
        let copy = self.free_path(name);
        files::write(&copy, text.as_bytes())?;
        let name = copy.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Saved { name, path: copy })
    }

    /// The file for a title: lower-case letters and digits, the rest turned into hyphens.
    pub fn path_of(&self, title: &str) -> PathBuf {
        path_in(&self.folder, title)
    }

    /// Like [`path_of`](Self::path_of), with a number behind it if that file exists.
    pub fn free_path(&self, title: &str) -> PathBuf {
        free_path(&self.folder, title)
    }
}

/// The RON files of a folder, in no order; one that does not exist yet is empty.
pub(super) fn files_in(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = match fs::read_dir(folder) {
        Ok(listed) => listed,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(StoreError::Folder { path: folder.to_owned(), source }),
    };
    let paths = listed.filter_map(Result::ok).map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|ending| ending == "ron") && path.is_file()).collect())
}

/// Moves a file of a folder to the trash in it.
pub(super) fn move_to_trash(folder: &Path, path: &Path) -> Result<Deleted, StoreError> {
    let trash = folder.join(".trash");
    fs::create_dir_all(&trash).map_err(|source| StoreError::Folder { path: trash.clone(), source })?;
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("deleted");
    let trash = free_path(&trash, name);
    fs::rename(path, &trash).map_err(|source| StoreError::Folder { path: path.to_owned(), source })?;
    Ok(Deleted { path: path.to_owned(), trash })
}

/// Puts back what was moved to the trash.
pub(super) fn move_back(deleted: &Deleted) -> Result<(), StoreError> {
    if deleted.path.exists() {
        return Err(StoreError::Taken(deleted.path.clone()));
    }
    fs::rename(&deleted.trash, &deleted.path)
        .map_err(|source| StoreError::Folder { path: deleted.trash.clone(), source })
}

/// The name of the file of this title: lower-case letters and digits, the rest turned into hyphens, and `.ron`.
pub fn file_of(title: &str) -> String {
    format!("{}.ron", file_name(title))
}

/// The file of this title.
pub(super) fn path_in(folder: &Path, title: &str) -> PathBuf {
    folder.join(file_of(title))
}

/// A file of this title that does not exist yet: with a number behind it if need be.
pub(super) fn free_path(folder: &Path, title: &str) -> PathBuf {
    let name = file_name(title);
    let first = folder.join(format!("{name}.ron"));
    std::iter::once(first)
        .chain((2u64..).map(|number| folder.join(format!("{name}-{number}.ron"))))
        .find(|path| !path.exists())
        .expect("an endless list holds a free name")
}

fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.trim().chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
        // File systems end at 255 bytes.
        if 100 < name.len() {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "unnamed".to_owned() } else { name.to_owned() }
}

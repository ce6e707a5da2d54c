//! The user's notes about a run: tags, a note, and a new title.
//!
//! They have their own file, so that the manifest stays unchanged.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{FolderError, Result, at};
use crate::experiment::export::to_json;
use crate::files::{self, ReadProblem};

pub(super) const NOTES: &str = "notes.json";

/// The maximum size of the file, in bytes.
const LARGEST: u64 = 1 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunNotes {
    /// In the order of entry, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Replaces the title of the manifest. Empty if the run has no other title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Why the file cannot be read; the other fields are empty then.
    #[serde(skip)]
    pub problem: Option<String>,
}

impl RunNotes {
    /// The notes about the run of a folder, or about a file. If they cannot be read, the reason is in them.
    pub fn of(path: &Path) -> Self {
        Self::read(path).unwrap_or_else(|error| Self {
            problem: Some(error.to_string()),
            ..Self::default()
        })
    }

    /// The tags with commas between them, or why they cannot be read.
    pub fn tags_text(&self) -> String {
        self.problem.clone().unwrap_or_else(|| self.tags.join(", "))
    }

    /// Inside a folder; next to a file.
    fn place(target: &Path) -> PathBuf {
        if target.is_dir() {
            target.join(NOTES)
        } else {
            target.with_added_extension(NOTES)
        }
    }

    /// The notes, or the error in the file.
    pub fn read(target: &Path) -> Result<Self> {
        let path = Self::place(target);
        let wrong = |reason: String| FolderError::Wrong {
            path: path.clone(),
            reason,
        };
        match files::read_text(&path, LARGEST) {
            Ok(text) => serde_json::from_str(&text).map_err(|error| wrong(error.to_string())),
            Err(error) if error.problem == ReadProblem::Missing => Ok(Self::default()),
            Err(error) => Err(wrong(error.problem.to_string())),
        }
    }

    pub fn write(&self, target: &Path) -> Result<()> {
        let path = Self::place(target);
        let bytes = at(&path, to_json(self))?;
        Ok(files::write(&path, &bytes)?)
    }

    /// Parses tags separated by commas.
    pub fn tags_of(text: &str) -> Vec<String> {
        let mut tags: Vec<String> = Vec::new();
        for tag in text
            .split([',', '\n'])
            .map(str::trim)
            .filter(|tag| !tag.is_empty())
        {
            if !tags.iter().any(|other| other == tag) {
                tags.push(tag.to_owned());
            }
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_they_were_written_and_stay_beside_the_manifest() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(RunNotes::of(folder.path()), RunNotes::default());
        let tags = RunNotes::tags_of(" thesis, 4 ply,,thesis\n night ");
        assert_eq!(tags, ["thesis", "4 ply", "night"]);
        let notes = RunNotes {
            tags,
            note: "Two lines,\n\"quoted\"".to_owned(),
            title: "Later".to_owned(),
            problem: None,
        };
        notes.write(folder.path()).expect("written");
        assert_eq!(RunNotes::of(folder.path()), notes);
        let file = folder.path().join("some.net");
        std::fs::write(&file, "").expect("written");
        notes.write(&file).expect("written");
        assert_eq!(
            (
                RunNotes::of(&file),
                folder.path().join("some.net.notes.json").exists()
            ),
            (notes, true)
        );
        std::fs::write(folder.path().join(NOTES), "{").expect("written");
        let wrong = RunNotes::read(folder.path())
            .expect_err("wrong")
            .to_string();
        let damaged = RunNotes::of(folder.path());
        assert_eq!(
            (damaged.tags_text(), damaged.tags),
            (wrong.clone(), Vec::new())
        );
        assert!(
            wrong.contains("notes.json") && !wrong.contains('\n'),
            "{wrong}"
        );
    }
}

//! What was open when the window was closed: the strategies and the experiment.
//!
//! Kept apart from the settings, so that a broken file of one kind never costs the other. The file is written whole and
//! renamed into place; one that cannot be read is set aside under another name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::OriginFile;
use crate::files;
use crate::game::Record;
use crate::preset::{Item as _, Preset};
use crate::ron_text;
use crate::strategy::Strategy;
use crate::workbench::state::settings::{read_or_set_aside, set_aside};

/// Far more than hundreds of strategies take.
const LARGEST: u64 = 16 << 20;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub(super) version: u32,
    pub strategies: Vec<Strategy>,
    /// Where each of them comes from; fewer than strategies in files of earlier versions.
    #[serde(default)]
    pub origins: Vec<SavedOrigin>,
    pub current: usize,
    pub(super) preset: String,
    /// The own preset it belongs to.
    #[serde(default)]
    pub(super) saved_to: Option<PathBuf>,
    /// What the window knew to be in its file; sessions of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) saved_text: Option<String>,
    /// The line on the board as a game record.
    #[serde(default)]
    pub(super) game: Option<String>,
    /// How many moves of it were on the board.
    #[serde(default)]
    pub place: usize,
    /// The own set of positions that edits were tried on; none for the shipped one.
    #[serde(default)]
    pub positions: Option<PathBuf>,
    /// Which colour belongs to which strategy, by all 64 bits of its hash.
    #[serde(default)]
    pub marks: BTreeMap<u64, usize>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedOrigin {
    /// As it was when it was opened or saved last, where it was edited since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Strategy>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<OriginFile>,
}

impl Session {
    pub fn game(&self) -> Option<Record> {
        self.game.as_ref()?.parse().ok()
    }

    /// The experiment; `None` for one that could not run, such as one without strategies.
    pub fn preset(&self) -> Option<Preset> {
        Preset::from_text(&self.preset).ok()
    }

    /// The own preset that the experiment belongs to, and what the window knew to be in its file. Where that was not written
    /// down it is what the file says now.
    pub fn saved_to(&self) -> Option<OriginFile> {
        let path = self.saved_to.clone()?;
        let known = self.saved_text.clone().or_else(|| files::read_text(&path, LARGEST).ok());
        Some(OriginFile { text: known.unwrap_or_else(|| self.preset.clone()), path })
    }

    fn path(folder: &Path) -> PathBuf {
        folder.join("session.ron")
    }

    /// Reads the file of a configuration folder; the text says what was wrong with it, in one sentence.
    pub fn load(folder: &Path) -> (Option<Self>, Option<String>) {
        let path = Self::path(folder);
        if !path.exists() {
            return (None, None);
        }
        let text = match files::read_text(&path, LARGEST) {
            Ok(text) => text,
            Err(error) => {
                let kept = set_aside(&path, "bad");
                return (None, Some(format!("What was open last time could not be read and was {kept}: {error}")));
            }
        };
        let what = ["What was open last time", "is", "was"];
        match read_or_set_aside::<Self>(&path, what, &text, || ron_text::read(&text)) {
            Ok(session) => (Some(session).filter(|session| !session.strategies.is_empty()), None),
            Err(news) => (None, Some(news)),
        }
    }

    /// Writes the file into a configuration folder, which is made if it does not exist.
    pub fn save(&self, folder: &Path) -> Result<(), String> {
        let text = ron_text::pretty(self, 3).map_err(|error| format!("What is open cannot be written: {error}"))?;
        files::make_folder(folder).map_err(|error| error.to_string())?;
        files::write(&Self::path(folder), text.as_bytes()).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Shipped;
    use crate::workbench::state::settings::VERSION;

    fn session() -> Session {
        Session {
            version: VERSION,
            strategies: ["emr", "gu"].map(|letters| letters.parse().expect("letters")).to_vec(),
            origins: Vec::new(),
            current: 1,
            preset: Shipped::ALL[0].preset().expect("shipped").to_text(),
            saved_to: Some(PathBuf::from("a b.ron")),
            saved_text: Some("what it says".to_owned()),
            game: None,
            place: 0,
            positions: None,
            marks: BTreeMap::new(),
        }
    }

    #[test]
    fn what_is_known_of_the_preset_file_is_kept_and_an_earlier_session_takes_what_the_file_says() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mine.ron");
        std::fs::write(&path, "by hand").expect("written");
        let preset = Shipped::ALL[0].preset().expect("shipped");
        for known in [preset.to_text(), "other".to_owned()] {
            let saved_to = Some(path.clone());
            let mut session = Session { saved_to, saved_text: Some(known.clone()), ..session() };
            assert_eq!(session.saved_to().map(|file| file.text), Some(known));
            session.saved_text = None;
            assert_eq!(session.saved_to().map(|file| file.text).as_deref(), Some("by hand"));
        }
    }

    #[test]
    fn what_is_saved_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        session().save(folder.path()).expect("saved");
        let (read, news) = Session::load(folder.path());
        assert_eq!(read, Some(session()));
        assert_eq!(news, None);
        assert!(read.and_then(|session| session.preset()).is_some());
    }

    #[test]
    fn a_broken_or_newer_file_is_set_aside_in_one_sentence() {
        for text in ["(", "\u{0}\u{1}", "(version: 1, strategies: [7])", "(version: 99, other: true)"] {
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::write(Session::path(folder.path()), text).expect("written");
            let (read, news) = Session::load(folder.path());
            assert_eq!(read, None, "{text}");
            let news = news.expect("a sentence");
            assert!(!news.contains('\n'), "{news}");
            let kept: Vec<_> = std::fs::read_dir(folder.path()).expect("listed").collect();
            assert_eq!(kept.len(), 1, "the text is kept under another name");
            assert!(!Session::path(folder.path()).exists());
        }
    }
}

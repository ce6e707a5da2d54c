//! Pinned positions: which set is tried, and what is in it.
//!
//! An own set is a file, and the file is the truth: it is read when the window opens or comes to the front, and written with
//! every change. What undo goes through ([`Pinning`]) remembers only the sets that this window has changed, so that taking
//! back a slide never touches a set, least of all one that another window has changed meanwhile.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Document;
use crate::files;
use crate::game::Board;
use crate::preset::{Pin, PositionSet, Store};
use crate::words;
use crate::workbench::command::{Command, PinCommand};
use crate::workbench::notice::Notices;

/// Title of the own set that is made when a board is pinned while the shipped one is chosen.
const FIRST: &str = "My positions";

/// What undo knows of the pinned positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pinning {
    /// The own set that is tried, by its file; `None` is the shipped one.
    pub chosen: Option<PathBuf>,
    /// Sets that this window has changed, as they were left; `None` for one that is not there.
    edited: BTreeMap<PathBuf, Option<Arc<PositionSet>>>,
}

/// An own set with its file.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnSet {
    pub path: PathBuf,
    pub set: Arc<PositionSet>,
    /// Its text when it was read or written last.
    text: String,
}

/// A file in the folder that is no set of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenSet {
    /// Name of the file without `.ron`.
    pub name: String,
    pub path: PathBuf,
    /// One sentence with line and column.
    pub reason: String,
}

#[derive(Debug, Default)]
pub(super) struct Sets {
    store: Option<Store>,
    own: Vec<OwnSet>,
    broken: Vec<BrokenSet>,
}

impl Sets {
    /// The sets of a configuration folder, not read yet.
    pub(super) fn in_config(config_dir: Option<&Path>) -> Self {
        Self { store: config_dir.map(|folder| Store::in_folder(folder.join("positions"))), ..Self::default() }
    }

    fn list(&mut self) {
        // A folder that cannot be listed shows as empty; saving into it will say why.
        let Some(saved) = self.store.as_ref().and_then(|store| store.list().ok()) else { return };
        self.broken.clear();
        let known = std::mem::take(&mut self.own);
        for file in saved {
            let read = files::read_text(&file.path, PositionSet::LARGEST).map_err(|error| error.to_string());
            // What did not change on disk stays the same set, and is known to be.
            let same = |text: &String| known.iter().find(|own| own.path == file.path && own.text == *text).cloned();
            match read.map(|text| (same(&text), text)) {
                Ok((Some(same), _)) => self.own.push(same),
                Ok((None, text)) => match PositionSet::from_text(&text) {
                    Ok(set) => self.own.push(OwnSet { path: file.path, set: Arc::new(set), text }),
                    Err(reason) => self.broken.push(BrokenSet { name: file.name, path: file.path, reason }),
                },
                Err(reason) => self.broken.push(BrokenSet { name: file.name, path: file.path, reason }),
            }
        }
    }

    fn find(&self, path: &Path) -> Option<&OwnSet> {
        self.own.iter().find(|own| own.path == path)
    }

    /// A file that is not there yet.
    fn free_path(&self, title: &str) -> PathBuf {
        match &self.store {
            Some(store) => store.free_path(title),
            // Kept for this run only.
            None => (1..)
                .map(|number| PathBuf::from(format!("{title} {number}")))
                .find(|path| self.find(path).is_none())
                .unwrap_or_default(),
        }
    }

    /// Writes a set, or takes its file away.
    fn write(&mut self, path: &Path, set: Option<&Arc<PositionSet>>) -> Result<(), String> {
        let known = self.find(path).map(|own| own.text.clone());
        let result = self.write_file(path, set, known.as_deref());
        if let Err(Refused::Changed) = result {
            self.list();
            return Err(format!("{}: another window has changed it, so that it was read again", path.display()));
        }
        // Without its file it is still there for this window.
        self.own.retain(|own| own.path != path);
        if let Some(set) = set {
            let at = self.own.partition_point(|own| own.path.as_path() < path);
            self.own.insert(at, OwnSet { path: path.to_owned(), set: set.clone(), text: set.to_text() });
        }
        match result {
            Err(Refused::Failed(reason)) => Err(reason),
            _ => Ok(()),
        }
    }

    fn write_file(&self, path: &Path, set: Option<&Arc<PositionSet>>, known: Option<&str>) -> Result<(), Refused> {
        let Some(store) = &self.store else { return Ok(()) };
        let there = path.exists().then(|| files::read_text(path, PositionSet::LARGEST).ok()).flatten();
        if there.is_some() && there.as_deref() != known {
            return Err(Refused::Changed);
        }
        let failed = |error: &dyn std::fmt::Display| Refused::Failed(error.to_string());
        match set {
            Some(set) => {
                files::make_folder(store.folder()).map_err(|error| failed(&error))?;
                files::write(path, set.to_text().as_bytes()).map_err(|error| failed(&error))
            }
            None if there.is_some() => store.delete(path).map(drop).map_err(|error| failed(&error)),
            None => Ok(()),
        }
    }
}

/// Why a set was not written.
enum Refused {
    /// The file says something that this window has not read.
    Changed,
    Failed(String),
}

impl Document {
    /// The positions that edits are tried on.
    pub fn pins(&self) -> Arc<PositionSet> {
        self.own_set().map_or_else(PositionSet::shipped, |own| own.set.clone())
    }

    /// The own set that is tried; `None` for the shipped one.
    pub fn own_set(&self) -> Option<&OwnSet> {
        self.sets.find(self.content.pinning.chosen.as_deref()?)
    }

    /// All own sets, by their files.
    pub fn own_sets(&self) -> &[OwnSet] {
        &self.sets.own
    }

    /// Files among them that cannot be read.
    pub fn broken_sets(&self) -> &[BrokenSet] {
        &self.sets.broken
    }

    /// Reads the own sets again.
    pub(super) fn list_sets(&mut self) {
        self.sets.list();
    }

    /// Whether a command of this kind makes sense now, else why not.
    pub(super) fn can_pin(&self, command: &PinCommand) -> Result<(), Cow<'static, str>> {
        match command {
            PinCommand::PinBoard => match Pin::new(self.board(), 0, "") {
                Ok(_) if PositionSet::MOST <= self.pins().positions.len() => {
                    Err("The set is full: begin a new one".into())
                }
                Ok(_) => Ok(()),
                Err(reason) => Err(format!("It cannot be pinned: {reason}").into()),
            },
            PinCommand::DeleteSet | PinCommand::Rename(_) if self.own_set().is_none() => {
                Err("This set came with the program: copy it to change it".into())
            }
            _ => Ok(()),
        }
    }

    /// Does a command of this kind.
    pub(super) fn apply_to_pins(&mut self, command: &PinCommand, notices: &mut Notices) {
        match command {
            PinCommand::PinBoard => self.pin_board(notices),
            PinCommand::Unpin(index) => self.unpin(*index, notices),
            PinCommand::Choose(path) => {
                self.content.pinning.chosen.clone_from(path);
                self.history.finish();
            }
            PinCommand::NewSet => {
                let set = PositionSet::empty(self.free_title("New set"));
                self.add_set("new set of positions", set, notices);
            }
            PinCommand::CopySet => {
                let set = (*self.pins()).clone();
                let title = self.free_title(&format!("{}, copy", set.title));
                self.add_set("copy set of positions", PositionSet { title, ..set }, notices);
            }
            PinCommand::DeleteSet => self.delete_set(notices),
            PinCommand::Rename(title) => {
                let (title, Some(own)) = (title.trim(), self.own_set()) else { return };
                if !title.is_empty() && title != own.set.title {
                    let (path, set) = (own.path.clone(), PositionSet { title: title.to_owned(), ..(*own.set).clone() });
                    self.change_set("rename set of positions", &path, Some(set), notices);
                }
            }
            PinCommand::Show { board, score, title } => {
                self.show_position(*board, *score, title);
                notices.info(format!("On the board: {title}"));
            }
            PinCommand::ListSets => self.list_sets(),
        }
    }

    fn pin_board(&mut self, notices: &mut Notices) {
        let (board, score) = (self.board(), if self.editing().is_some() { 0 } else { self.node().score });
        let mut set = (*self.pins()).clone();
        if let Some(place) = set.place(&board, score) {
            notices.info(format!("It is pinned already, as no. {} of {}", place + 1, set.title));
            return;
        }
        let game = self.game();
        let from = if game.title.is_empty() { format!("seed {}", game.seed) } else { game.title.to_string() };
        let note = match self.editing() {
            Some(_) => String::new(),
            None => format!("{from}, move {}", words::count(u64::from(self.node().moves))),
        };
        let Ok(pin) = Pin::new(board, score, note) else { return };
        set.positions.push(pin);
        let number = set.positions.len();
        let said = match self.own_set().map(|own| own.path.clone()) {
            Some(path) => {
                let said = format!("Pinned as no. {number} of {}", set.title);
                self.change_set("pin a board", &path, Some(set), notices);
                said
            }
            None => {
                // What came with the program stays as it is.
                set.title = self.free_title(FIRST);
                let said = format!("Pinned as no. {number} of {}, an own copy of the shipped set", set.title);
                self.add_set("pin a board", set, notices);
                said
            }
        };
        notices.info(said);
    }

    fn unpin(&mut self, index: usize, notices: &mut Notices) {
        let mut set = (*self.pins()).clone();
        if set.positions.len() <= index {
            return;
        }
        set.positions.remove(index);
        match self.own_set().map(|own| own.path.clone()) {
            Some(path) => self.change_set("unpin a board", &path, Some(set), notices),
            None => {
                set.title = self.free_title(FIRST);
                let said = format!("Taken out of {}, an own copy of the shipped set", set.title);
                self.add_set("unpin a board", set, notices);
                notices.info(said);
            }
        }
    }

    fn delete_set(&mut self, notices: &mut Notices) {
        let Some(own) = self.own_set() else { return };
        let (path, title) = (own.path.clone(), own.set.title.clone());
        self.change_set("delete set of positions", &path, None, notices);
        self.content.pinning.chosen = None;
        notices.info_with(format!("Deleted {title}"), "Undo", Command::Undo);
    }

    /// Puts a set that was read from a file into the folder of own ones.
    pub(super) fn import_set(&mut self, set: PositionSet, notices: &mut Notices) {
        let amount = words::plural(set.positions.len() as u64, "position");
        notices.info(format!("Set of positions {} opened, {amount}", set.title));
        self.add_set("open set of positions", set, notices);
    }

    /// Makes a set of one's own and chooses it.
    fn add_set(&mut self, what: &str, set: PositionSet, notices: &mut Notices) {
        let path = self.sets.free_path(&set.title);
        self.change_set(what, &path, Some(set), notices);
        self.content.pinning.chosen = Some(path);
    }

    /// Changes a set and its file: one step of undo.
    fn change_set(&mut self, what: &str, path: &Path, set: Option<PositionSet>, notices: &mut Notices) {
        let before = self.sets.find(path).map(|own| own.set.clone());
        self.content.pinning.edited.insert(path.to_owned(), before);
        self.record(what);
        let set = set.map(Arc::new);
        self.content.pinning.edited.insert(path.to_owned(), set.clone());
        if let Err(reason) = self.sets.write(path, set.as_ref()) {
            notices.error(reason);
        }
    }

    /// Brings the files where undo or redo has put the sets.
    pub(super) fn follow_pins(&mut self, before: &Pinning, notices: &mut Notices) {
        let now = self.content.pinning.edited.clone();
        for (path, set) in &now {
            let Some(was) = before.edited.get(path).filter(|was| *was != set) else { continue };
            let on_disk = self.sets.find(path).map(|own| own.set.clone());
            if on_disk != *was {
                notices.warn(format!("{} was changed elsewhere and stays as it is", path.display()));
            } else if let Err(reason) = self.sets.write(path, set.as_ref()) {
                notices.error(reason);
            }
        }
    }

    fn free_title(&self, title: &str) -> String {
        let taken: Vec<String> = self.sets.own.iter().map(|own| own.set.title.clone()).collect();
        super::lab::free_name(title, &taken)
    }

    /// Begins a game at a position.
    fn show_position(&mut self, board: Board, score: u64, title: &str) {
        if self.editing().is_none() && self.node().board == board && self.node().score == score {
            return;
        }
        self.open_position(board, score, title);
    }
}

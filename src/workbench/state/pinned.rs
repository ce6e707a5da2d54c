//! Pinned positions: the chosen set and its content.
//!
//! The file of an own set is authoritative: it is read when the window opens or comes to the front, and written with
//! every change. The undo state ([`Pinning`]) contains only the sets that this window has changed, so that undoing a
//! move never touches a set, especially not one that another process has changed.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Document;
use super::own_files::{Conflict, Conflicting};
use crate::game::Board;
use crate::preset::{Item as _, ItemFile, Pin, PositionSet, SaveTo, Saving};
use crate::words;
use crate::workbench::command::{Command, PinCommand};
use crate::workbench::state::effect::Effects;

/// Title of the own set that is created when the user pins a board while the shipped set is chosen.
const FIRST: &str = "My positions";

/// The undo state of the pinned positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pinning {
    /// The file of the chosen own set; `None` for the shipped one.
    pub chosen: Option<PathBuf>,
    /// Sets that this window has changed, with their content; `None` for a deleted one.
    edited: BTreeMap<PathBuf, Option<Arc<PositionSet>>>,
}

impl Document {
    /// The chosen set of positions.
    pub fn pins(&self) -> Arc<PositionSet> {
        self.own_set()
            .map_or_else(PositionSet::shipped, |(_, set)| set.clone())
    }

    /// The chosen own set, and its file; `None` for the shipped one.
    pub fn own_set(&self) -> Option<(&Path, &Arc<PositionSet>)> {
        let path = self.content().pinning.chosen.as_deref()?;
        Some((path, &self.position_sets().find(path)?.item))
    }

    pub(super) fn can_pin(&self, command: &PinCommand) -> Result<(), Cow<'static, str>> {
        match command {
            PinCommand::PinBoard => match Pin::new(self.board(), 0, "") {
                Ok(_) if PositionSet::MOST <= self.pins().positions.len() => {
                    Err("The set is full: create a new one".into())
                }
                Ok(_) => Ok(()),
                Err(reason) => Err(format!("This board cannot be pinned: {reason}").into()),
            },
            PinCommand::DeleteSet | PinCommand::Rename(_) if self.own_set().is_none() => {
                Err("This set ships with the program: copy it to change it".into())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn apply_to_pins(&mut self, command: &PinCommand, effects: &mut Effects) {
        match command {
            PinCommand::PinBoard => self.pin_board(effects),
            PinCommand::Unpin(index) => self.unpin(*index, effects),
            PinCommand::Choose(path) => {
                self.core.content_mut().pinning.chosen.clone_from(path);
                self.core.end_step();
            }
            PinCommand::NewSet => {
                let set = PositionSet::empty(self.free_title("New set"));
                self.add_set("new set of positions", set, effects);
            }
            PinCommand::CopySet => {
                let set = self.pins();
                let title = self.free_title(&format!("{}, copy", set.title));
                self.add_set("copy set of positions", set.renamed(&title), effects);
            }
            PinCommand::AddIdealBoards => self.import_set(PositionSet::ideal(), effects),
            PinCommand::DeleteSet => self.delete_set(effects),
            PinCommand::Rename(title) => {
                let (title, Some((path, set))) = (title.trim(), self.own_set()) else {
                    return;
                };
                if !title.is_empty() && title != set.title {
                    let (path, set) = (path.to_owned(), set.renamed(title));
                    self.change_set("rename set of positions", &path, Some(set), effects);
                }
            }
            PinCommand::Show {
                board,
                score,
                title,
            } => {
                self.show_position(*board, *score, title);
                effects.info(format!("On the board: {title}"));
            }
            PinCommand::ListSets => self.own_files.positions.list(),
        }
    }

    fn pin_board(&mut self, effects: &mut Effects) {
        let (board, score) = (
            self.board(),
            if self.editing().is_some() {
                0
            } else {
                self.node().score
            },
        );
        let mut set = (*self.pins()).clone();
        if let Some(place) = set.place(&board, score) {
            effects.info(format!(
                "This board is already pinned, as no. {} of {}",
                place + 1,
                set.title
            ));
            return;
        }

        let game = self.game();
        let from = if game.title.is_empty() {
            format!("seed {}", game.seed)
        } else {
            game.title.to_string()
        };
        let note = match self.editing() {
            Some(_) => String::new(),
            None => format!(
                "{from}, move {}",
                words::count(u64::from(self.node().moves) + 1)
            ),
        };
        let Ok(pin) = Pin::new(board, score, note) else {
            return;
        };
        set.positions.push(pin);
        let number = set.positions.len();
        if let Some(title) = self.change_pins("pin a board", set, effects) {
            effects.info(format!("Pinned as no. {number} of {title}"));
        }
    }

    fn unpin(&mut self, index: usize, effects: &mut Effects) {
        let mut set = (*self.pins()).clone();
        if set.positions.len() <= index {
            return;
        }
        set.positions.remove(index);
        let is_shipped = self.own_set().is_none();
        let title = self.change_pins("unpin a board", set, effects);
        if let Some(title) = title.filter(|_| is_shipped) {
            effects.info(format!("Removed from {title}"));
        }
    }

    /// Changes the chosen set, or an own copy of the shipped one; returns the set's name, unless there is a conflict.
    fn change_pins(
        &mut self,
        what: &str,
        set: PositionSet,
        effects: &mut Effects,
    ) -> Option<String> {
        if let Some((path, _)) = self.own_set() {
            let (path, title) = (path.to_owned(), set.title.clone());
            return self
                .change_set(what, &path, Some(set), effects)
                .then_some(title);
        }
        let title = self.free_title(FIRST);
        self.add_set(what, set.renamed(&title), effects);
        Some(format!("{title}, your copy of the shipped set"))
    }

    fn delete_set(&mut self, effects: &mut Effects) {
        let Some((path, set)) = self.own_set() else {
            return;
        };
        let (path, title) = (path.to_owned(), set.title.clone());
        let is_deleted = self.change_set("delete set of positions", &path, None, effects);
        // It is still listed if its file could not be moved.
        if is_deleted && self.position_sets().find(&path).is_none() {
            self.core.content_mut().pinning.chosen = None;
            effects.info_with(format!("Deleted {title}"), "Undo", Command::Undo);
        }
    }

    /// Adds a set from a file to the user's sets.
    pub(super) fn import_set(&mut self, set: PositionSet, effects: &mut Effects) {
        let amount = words::plural(set.positions.len() as u64, "position");
        effects.info(format!("Set of positions {} opened, {amount}", set.title));
        self.add_set("open set of positions", set, effects);
    }

    /// Creates a set of the user and chooses it.
    fn add_set(&mut self, what: &str, set: PositionSet, effects: &mut Effects) {
        let path = self.position_sets().free_path(&set.title);
        self.change_set(what, &path, Some(set), effects);
        self.core.content_mut().pinning.chosen = Some(path);
    }

    /// Changes a set and its file, as one step of undo. False if another process has changed the file: then there is a
    /// conflict.
    fn change_set(
        &mut self,
        what: &str,
        path: &Path,
        set: Option<PositionSet>,
        effects: &mut Effects,
    ) -> bool {
        let before = self
            .position_sets()
            .find(path)
            .map(|stored| stored.item.clone());
        let set = set.map(Arc::new);
        let is_done = self.write_set(path, set.as_ref(), false, effects);
        match (set, before) {
            (set, before) if is_done => self.has_changed_set(what, path, [before, set]),
            (Some(set), Some(before)) => {
                let item = Conflicting::Positions(what.to_owned(), set.clone());
                let conflict = Conflict::new(
                    [&*set, &*before],
                    &ItemFile::at(path),
                    PositionSet::difference,
                    item,
                );
                self.own_files.conflict = Some(conflict);
            }
            _ => {
                let path = path.display();
                effects.error(format!(
                    "{path}: another window has changed this set, so it was read again"
                ));
            }
        }

        is_done
    }

    fn has_changed_set(
        &mut self,
        what: &str,
        path: &Path,
        [before, now]: [Option<Arc<PositionSet>>; 2],
    ) {
        self.core
            .content_mut()
            .pinning
            .edited
            .insert(path.to_owned(), before);
        self.core.record(what);
        self.core
            .content_mut()
            .pinning
            .edited
            .insert(path.to_owned(), now);
    }

    /// Writes a set, or deletes its file; false if another process has changed the file, which is then read again. A
    /// set that cannot be written stays in this window.
    fn write_set(
        &mut self,
        path: &Path,
        set: Option<&Arc<PositionSet>>,
        anyway: bool,
        effects: &mut Effects,
    ) -> bool {
        let sets = &mut self.own_files.positions;
        let read_text = sets
            .find(path)
            .map_or_else(Arc::default, |stored| stored.text.clone());
        let to = if anyway {
            SaveTo::Anyway(path)
        } else {
            SaveTo::Known {
                path,
                text: &read_text,
            }
        };
        let done = match set {
            _ if sets.folder().is_none() => Ok(()),
            None if sets.is_changed(path) => {
                sets.list();
                return false;
            }
            None if !path.exists() => Ok(()),
            None => sets.delete(path).map(drop),
            Some(set) => match sets.save(to, set) {
                Ok(Saving::ChangedElsewhere(_)) => {
                    sets.list();
                    return false;
                }
                saved => saved.map(drop),
            },
        };

        match set {
            Some(set) if sets.find(path).is_none_or(|stored| stored.item != *set) => {
                sets.hold(path, set.clone());
            }
            None if done.is_err() => sets.list(),
            None => sets.forget(path),
            Some(_) => {}
        }

        effects.accept(done);
        true
    }

    /// Saves a set over its file, or under a unique title.
    pub(super) fn save_set(
        &mut self,
        to: SaveTo<'_>,
        what: &str,
        set: Arc<PositionSet>,
        effects: &mut Effects,
    ) {
        let SaveTo::Anyway(path) = to else {
            let title = self.free_title(&set.title);
            return self.add_set(what, set.renamed(&title), effects);
        };
        let before = self
            .position_sets()
            .find(path)
            .map(|stored| stored.item.clone());
        self.write_set(path, Some(&set), true, effects);
        self.has_changed_set(what, path, [before, Some(set)]);
    }

    /// Writes the sets that undo or redo has changed to their files.
    pub(super) fn follow_pins(&mut self, before: &Pinning, effects: &mut Effects) {
        let now = self.content().pinning.edited.clone();
        for (path, set) in &now {
            let Some(was) = before.edited.get(path).filter(|was| *was != set) else {
                continue;
            };
            let is_known =
                self.position_sets().find(path).map(|stored| &stored.item) == was.as_ref();
            if !is_known || !self.write_set(path, set.as_ref(), false, effects) {
                effects.warn(format!(
                    "{} was changed elsewhere and remains unchanged",
                    path.display()
                ));
            }
        }
    }

    fn free_title(&self, title: &str) -> String {
        let taken: Vec<String> = self
            .position_sets()
            .sound()
            .map(|own| own.item.title.clone())
            .collect();
        super::experiment_run::free_name(title, &taken)
    }

    fn show_position(&mut self, board: Board, score: u64, title: &str) {
        if self.editing().is_none() && self.node().board == board && self.node().score == score {
            return;
        }
        self.open_position(board, score, title);
    }
}

//! What can be done with pinned positions and the sets they are in.

use std::path::PathBuf;

use egui::Key;

use super::{Entry, Menu, plain};
use crate::game::Board;

/// Something a person can ask of the pinned positions.
#[derive(Clone, Debug, PartialEq)]
pub enum PinCommand {
    PinBoard,
    NewSet,
    CopySet,
    DeleteSet,
    /// The position with this place in the set, from 0.
    Unpin(usize),
    /// An own set by its file; `None` is the one that came with the program.
    Choose(Option<PathBuf>),
    /// The title of the set that is chosen.
    Rename(String),
    /// Puts a position on the board, as the start of a game with this title.
    Show {
        board: Board,
        score: u64,
        title: String,
    },
    ListSets,
}

impl PinCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[Self::PinBoard, Self::NewSet, Self::CopySet, Self::DeleteSet];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about, keys| Entry { text, about, menu: Some(Menu::Board), keys, only_in: None };
        match self {
            Self::PinBoard => {
                e("Pin this board", "Add the position to those that edits are tried on", const { &[plain(Key::P)] })
            }
            Self::NewSet => e("New set of positions", "Begin an own set, to pin boards into", &[]),
            Self::CopySet => e("Copy set of positions", "Make an own copy of the set that is chosen", &[]),
            Self::DeleteSet => e("Delete set of positions", "Move the own set that is chosen to the trash", &[]),
            Self::Unpin(_) => Entry::silent("Unpin", "Take the position out of the set"),
            Self::Choose(_) => Entry::silent("Choose set of positions", "Try edits on these positions"),
            Self::Rename(_) => Entry::silent("Rename set of positions", "Another title for the set that is chosen"),
            Self::Show { .. } => Entry::silent("Show position", "Put the position on the board"),
            Self::ListSets => Entry::silent("List sets of positions", "Look for sets in the folder again"),
        }
    }
}

//! What can be done with the strategies that are kept: saving, renaming, copying and taking away.

use std::path::PathBuf;

use egui::{Key, KeyboardShortcut, Modifiers};

use super::{Entry, Menu, plain};
use crate::preset::Deleted;
use crate::strategy::Strategy;
use crate::workbench::layout::Panel;

/// Something a person can ask of the library.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryCommand {
    Save,
    SaveCopy,
    OpenParent,
    Export,
    Import,
    PasteOver,
    CopyLetters,
    RenameSelected,
    DeleteSelected,
    // After another window has changed the file
    Overwrite,
    OpenTheirs,
    LeaveConflict,
    // With data, so in no list
    List,
    Open(PathBuf),
    Rename {
        path: PathBuf,
        name: String,
    },
    Duplicate(PathBuf),
    Delete(PathBuf),
    Restore(Deleted),
    /// Copies these files into the library.
    Take(Vec<PathBuf>),
    ExportThis(Box<Strategy>),
}

impl LibraryCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[
        Self::Save,
        Self::SaveCopy,
        Self::OpenParent,
        Self::Export,
        Self::Import,
        Self::CopyLetters,
        Self::PasteOver,
        Self::RenameSelected,
        Self::DeleteSelected,
    ];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about, keys: &'static [KeyboardShortcut]| Entry {
            text,
            about,
            menu: Some(Menu::Strategy),
            keys,
            only_in: None,
        };
        let in_library = |entry| Entry { only_in: Some(Panel::Library), ..entry };
        match self {
            Self::Save => {
                let keys = const {
                    &[KeyboardShortcut::new(
                        Modifiers { alt: true, ctrl: false, shift: false, mac_cmd: false, command: true },
                        Key::S,
                    )]
                };
                e("Save strategy", "Keep the strategy in the library", keys)
            }
            Self::SaveCopy => e("Save strategy as copy", "Keep the strategy in a new file of the library", &[]),
            Self::OpenParent => e("Open parent", "Open the version that this strategy was made from", &[]),
            Self::Export => e("Export strategy…", "Write the strategy to a file anywhere", &[]),
            Self::Import => e("Import strategies…", "Copy files of strategies into the library", &[]),
            Self::CopyLetters => e("Copy letters", "Copy the letters of the composition", &[]),
            Self::PasteOver => {
                e("Paste over strategy", "Put the strategy in the clipboard in place of this one: letters or RON", &[])
            }
            Self::RenameSelected => in_library(e(
                "Rename kept strategy",
                "Give the selected strategy of the library and its file another name; the key works in that panel",
                const { &[plain(Key::F2)] },
            )),
            Self::DeleteSelected => in_library(e(
                "Delete kept strategy",
                "Move the selected strategy of the library to the trash; the key works in that panel",
                const { &[plain(Key::Delete)] },
            )),
            Self::Overwrite => Entry::silent("Overwrite", "Replace the file; what stands there is kept as a version"),
            Self::OpenTheirs => Entry::silent("Open theirs", "Open what the file says now beside this strategy"),
            Self::LeaveConflict => Entry::silent("Cancel", "Write nothing"),
            Self::List => Entry::silent("List strategies", "Look for strategies in the folder again"),
            Self::Open(_) => Entry::silent("Open strategy", "Open this strategy in the builder"),
            Self::Rename { .. } => Entry::silent("Rename", "Give the strategy and its file this name"),
            Self::Duplicate(_) => Entry::silent("Duplicate", "Open a copy of this strategy"),
            Self::Delete(_) => Entry::silent("Delete", "Move this strategy to the trash"),
            Self::Restore(_) => Entry::silent("Restore strategy", "Bring the deleted strategy back"),
            Self::Take(_) => Entry::silent("Import", "Copy these files into the library"),
            Self::ExportThis(_) => Entry::silent("Export…", "Write this strategy to a file anywhere"),
        }
    }
}

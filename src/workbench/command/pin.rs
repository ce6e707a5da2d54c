//! What can be done with pinned positions.

use egui::Key;

use super::{Entry, Menu, plain};

/// Something a person can ask of the pinned positions.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "`text` and `about` of the command say what each of them does")]
pub enum PinCommand {
    PinBoard,
}

impl PinCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[Self::PinBoard];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about, keys| Entry { text, about, menu: Some(Menu::Board), keys, only_in: None };
        match self {
            Self::PinBoard => {
                e("Pin this board", "Add the position to those that edits are tried on", const { &[plain(Key::P)] })
            }
        }
    }
}

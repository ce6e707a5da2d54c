//! What can be done with the strategies that are kept: saving, renaming, copying and taking away.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::{Entry, Menu};

/// Something a person can ask of the library.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "`text` and `about` of the command say what each of them does")]
pub enum LibraryCommand {
    Save,
    Export,
}

impl LibraryCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[Self::Save, Self::Export];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about, keys: &'static [KeyboardShortcut]| Entry {
            text,
            about,
            menu: Some(Menu::Strategy),
            keys,
            only_in: None,
        };
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
            Self::Export => e("Export strategy…", "Write the strategy to a file anywhere", &[]),
        }
    }
}

//! Construction and notation of shortcuts.

use egui::{Key, KeyboardShortcut, Modifiers};

use crate::game::Move;

/// The names of the keys that shortcuts go with.
pub(crate) const CTRL: &str = if cfg!(target_os = "macos") {
    "Cmd"
} else {
    "Ctrl"
};
const ALT: &str = if cfg!(target_os = "macos") {
    "Option"
} else {
    "Alt"
};

/// The keys that remove what is selected. The key that a Mac calls Delete is Backspace elsewhere.
pub(crate) const REMOVING: &[Key] = if cfg!(target_os = "macos") {
    &[Key::Backspace, Key::Delete]
} else {
    &[Key::Delete]
};

pub(super) const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

pub(super) const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

pub(super) const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

pub(super) const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

pub(super) const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

pub(super) const fn ctrl_alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::ALT), key)
}

/// The keys of a direction.
pub(super) const fn slide_keys(mv: Move) -> (Key, Key) {
    match mv {
        Move::Up => (Key::ArrowUp, Key::W),
        Move::Down => (Key::ArrowDown, Key::S),
        Move::Left => (Key::ArrowLeft, Key::A),
        Move::Right => (Key::ArrowRight, Key::D),
    }
}

pub(super) trait TypesNothing {
    /// Whether the shortcut is a function key, which also works in fields and menus.
    fn types_nothing(&self) -> bool;
}

impl TypesNothing for KeyboardShortcut {
    fn types_nothing(&self) -> bool {
        matches!(
            self.logical_key,
            Key::F1 | Key::F2 | Key::F3 | Key::F6 | Key::F10 | Key::Menu
        )
    }
}

/// A shortcut as the window writes it: "Ctrl Shift Z".
pub(super) fn keys_text(shortcut: &KeyboardShortcut) -> String {
    let mut words = Vec::new();
    if shortcut.modifiers.command || shortcut.modifiers.ctrl {
        words.push(CTRL);
    }

    if shortcut.modifiers.alt {
        words.push(ALT);
    }
    if shortcut.modifiers.shift {
        words.push("Shift");
    }

    let key = match shortcut.logical_key {
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::PageUp => "Page up",
        Key::PageDown => "Page down",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Plus => "+",
        Key::Minus => "−",
        Key::Equals => "=",
        Key::Questionmark => "?",
        Key::Period => ".",
        Key::Comma => ",",
        key => key.name(),
    };
    words.push(key);
    words.join(" ")
}

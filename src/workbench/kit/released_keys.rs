//! Releases each key as the character it was pressed as.
//!
//! egui tracks pressed keys by character. If Shift is released before `/`, the press is `?` and the release is `/`.
//! egui then counts `?` as pressed and treats the next `?` as a repeat.

use std::collections::HashMap;

use egui::{Context, Event, Key, Plugin, RawInput};

/// Registered once with the context.
#[derive(Debug, Default)]
pub struct ReleasedKeys {
    /// The character of each pressed key, by its place on the keyboard.
    pressed_as: HashMap<Key, Key>,
}

impl Plugin for ReleasedKeys {
    fn debug_name(&self) -> &'static str {
        "released keys"
    }

    fn input_hook(&mut self, _ctx: &Context, input: &mut RawInput) {
        for event in &mut input.events {
            match event {
                // A repeat keeps the character of the first press.
                Event::Key {
                    key,
                    physical_key: Some(place),
                    pressed: true,
                    ..
                } => {
                    *key = *self.pressed_as.entry(*place).or_insert(*key);
                }
                Event::Key {
                    key,
                    physical_key: Some(place),
                    pressed: false,
                    ..
                } => {
                    *key = self.pressed_as.remove(place).unwrap_or(*key);
                }
                // Releases are not reported while another window has the focus.
                Event::WindowFocused(false) => self.pressed_as.clear(),
                _ => {}
            }
        }
    }
}

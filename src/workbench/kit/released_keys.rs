//! A key is released as what it was pressed as.
//!
//! egui notes which characters are held. Who lets go of Shift before `/` has pressed `?` and releases `/`: `?` would count as held
//! from then on, and the next one as a repetition of it.

use std::collections::HashMap;

use egui::{Context, Event, Key, Plugin, RawInput};

/// Registered once with the context.
#[derive(Debug, Default)]
pub struct ReleasedKeys {
    /// What each key of the keyboard was pressed as.
    held: HashMap<Key, Key>,
}

impl Plugin for ReleasedKeys {
    fn debug_name(&self) -> &'static str {
        "released keys"
    }

    fn input_hook(&mut self, _ctx: &Context, input: &mut RawInput) {
        for event in &mut input.events {
            match event {
                // While it is held it repeats as what it was, too.
                Event::Key { key, physical_key: Some(place), pressed: true, .. } => {
                    *key = *self.held.entry(*place).or_insert(*key);
                }
                Event::Key { key, physical_key: Some(place), pressed: false, .. } => {
                    *key = self.held.remove(place).unwrap_or(*key);
                }
                // What is released elsewhere is not told.
                Event::WindowFocused(false) => self.held.clear(),
                _ => {}
            }
        }
    }
}

//! Keys that the focused widget uses itself.

use egui::{EventFilter, Key, Response, Ui};

use super::focus;

/// Reserves keys for a widget while it has the focus, before any command; returns those pressed in this frame.
pub fn own_keys(ui: &Ui, response: &Response, keys: &[Key]) -> Vec<Key> {
    if !response.has_focus() {
        return Vec::new();
    }
    let has = |pair: [Key; 2]| pair.iter().any(|key| keys.contains(key));
    let filter = EventFilter {
        horizontal_arrows: has([Key::ArrowLeft, Key::ArrowRight]),
        vertical_arrows: has([Key::ArrowUp, Key::ArrowDown]),
        ..EventFilter::default()
    };
    focus::own_keys(response, filter);
    focus::takes(response, keys);
    keys.iter()
        .copied()
        .filter(|&key| ui.input(|input| input.key_pressed(key)))
        .collect()
}

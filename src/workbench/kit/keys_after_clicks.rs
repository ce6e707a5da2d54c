//! Delays keys that follow a click in the same frame.
//!
//! A slow frame gets a click and the keys typed after it together. The click moves the focus only in the next frame, so
//! the keys would go to the old focus, possibly the game. They wait for the next frame.

use egui::{Context, Event, Plugin, RawInput};

/// Registered once with the context, before everything that reads keys.
#[derive(Debug, Default)]
pub struct KeysAfterClicks {
    waiting: Vec<Event>,
}

impl Plugin for KeysAfterClicks {
    fn debug_name(&self) -> &'static str {
        "keys after clicks"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let mut events = std::mem::take(&mut self.waiting);
        events.append(&mut input.events);
        let click =
            events.iter().position(|event| matches!(event, Event::PointerButton { .. })).unwrap_or(events.len());
        if let Some(key) = events[click..].iter().position(is_typed) {
            self.waiting = events.split_off(click + key);
            ctx.request_repaint();
        }
        input.events = events;
    }
}

fn is_typed(event: &Event) -> bool {
    matches!(event, Event::Key { .. } | Event::Text(_) | Event::Paste(_) | Event::Copy | Event::Cut | Event::Ime(_))
}

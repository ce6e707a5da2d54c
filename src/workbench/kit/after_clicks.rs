//! Delays what follows a click in the same frame.
//!
//! A slow frame gets a click together with the keys and moves after it. The click would hit what is under the last place
//! of the pointer, and a press would lift it. The click moves the focus only in the next frame, so keys would go to the
//! old focus, possibly the game. All of this waits for the next frame.

use egui::{Context, Event, Plugin, Pos2, RawInput};

/// Registered once with the context, before everything that reads keys and moves.
#[derive(Debug, Default)]
pub struct AfterClicks {
    waiting: Vec<Event>,
}

impl Plugin for AfterClicks {
    fn debug_name(&self) -> &'static str {
        "events after clicks"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let mut events = std::mem::take(&mut self.waiting);
        events.append(&mut input.events);
        let click = events
            .iter()
            .enumerate()
            .find_map(|(index, event)| match event {
                Event::PointerButton { pos, .. } => Some((index, *pos)),
                _ => None,
            });
        if let Some((click, at)) = click
            && let Some(next) = events[click..]
                .iter()
                .position(|event| is_typed(event) || is_elsewhere(event, at))
        {
            self.waiting = events.split_off(click + next);
            ctx.request_repaint();
        }
        input.events = events;
    }
}

fn is_typed(event: &Event) -> bool {
    matches!(
        event,
        Event::Key { .. }
            | Event::Text(_)
            | Event::Paste(_)
            | Event::Copy
            | Event::Cut
            | Event::Ime(_)
    )
}

/// Whether the pointer is elsewhere by this event.
fn is_elsewhere(event: &Event, at: Pos2) -> bool {
    match event {
        Event::PointerMoved(to) => *to != at,
        Event::PointerButton { pos, .. } => *pos != at,
        _ => matches!(event, Event::PointerGone),
    }
}

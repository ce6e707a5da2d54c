//! What a panel asks of the window around it.

use egui::{Event, Ui};

/// Whether the window has just come to the front: files may have changed while another one was there.
pub fn came_to_front(ui: &Ui) -> bool {
    ui.input(|input| input.events.iter().any(|event| matches!(event, Event::WindowFocused(true))))
}

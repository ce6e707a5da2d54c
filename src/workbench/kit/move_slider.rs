//! A slider over the moves of a game: its keys and screen-reader actions.

use egui::accesskit::{Action, ActionData};
use egui::{Key, Response, Ui};

use super::own_keys;

/// Moves per Page Up or Page Down.
const FAR: i64 = 10;

/// Reports the slider's position to screen readers.
pub fn describe_moves(ui: &Ui, response: &Response, moves: usize) {
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(moves as f64);
        node.set_numeric_value_step(1.0);
        [Action::Increment, Action::Decrement, Action::SetValue]
            .into_iter()
            .for_each(|action| node.add_action(action));
    });
}

/// The target of a key or screen-reader action: one move, ten moves, the ends, or a given move.
pub fn stepped(ui: &Ui, response: &Response, place: usize, moves: usize) -> Option<usize> {
    let keys = [
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
    ];
    let mut by: i64 = own_keys(ui, response, &keys)
        .into_iter()
        .map(|key| match key {
            Key::ArrowLeft => -1,
            Key::ArrowRight => 1,
            Key::PageUp => -FAR,
            Key::PageDown => FAR,
            Key::Home => -(moves as i64),
            _ => moves as i64,
        })
        .sum();

    let mut from = place as i64;
    ui.input(|input| {
        by += input.num_accesskit_action_requests(response.id, Action::Increment) as i64;
        by -= input.num_accesskit_action_requests(response.id, Action::Decrement) as i64;
        for request in input.accesskit_action_requests(response.id, Action::SetValue) {
            if let Some(ActionData::NumericValue(to)) = request.data {
                from = to.round() as i64;
            }
        }
    });

    let to = from.saturating_add(by).clamp(0, moves as i64) as usize;
    (to != place).then_some(to)
}

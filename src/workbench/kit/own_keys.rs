//! Keys of the widget that has the focus: what it takes for itself, and what it leaves to the panel it is in.

use egui::{Context, EventFilter, Id, Key, Response, Ui};

const ARROWS: [Key; 4] = [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];

/// What the widget with the focus said of the keys when it was drawn last.
#[derive(Clone, Debug)]
struct OwnKeys {
    id: Id,
    takes: Vec<Key>,
    leaves_arrows: bool,
}

fn place() -> Id {
    Id::unique("keys of the focus")
}

fn say(ui: &Ui, response: &Response, takes: &[Key], leaves_arrows: bool) {
    let has = |pair: [Key; 2]| leaves_arrows || pair.iter().any(|key| takes.contains(key));
    let filter = EventFilter {
        horizontal_arrows: has([Key::ArrowLeft, Key::ArrowRight]),
        vertical_arrows: has([Key::ArrowUp, Key::ArrowDown]),
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let own = OwnKeys { id: response.id, takes: takes.to_vec(), leaves_arrows };
    ui.data_mut(|data| data.insert_temp(place(), own));
}

/// The keys that a widget takes while it has the focus, before any command gets them; those that were pressed in this frame.
pub fn own_keys(ui: &Ui, response: &Response, keys: &[Key]) -> Vec<Key> {
    if !response.has_focus() {
        return Vec::new();
    }
    say(ui, response, keys, false);
    keys.iter().copied().filter(|&key| ui.input(|input| input.key_pressed(key))).collect()
}

/// Arrows are for the commands of the panel while this has the focus, as in a tree.
pub fn leave_arrows(ui: &Ui, response: &Response) {
    if response.has_focus() {
        say(ui, response, &[], true);
    }
}

/// Whether the widget with the focus keeps this plain key from the commands.
pub fn keeps_key(ctx: &Context, key: Key) -> bool {
    let Some(focused) = ctx.memory(egui::Memory::focused) else { return false };
    let own = ctx.data(|data| data.get_temp::<OwnKeys>(place())).filter(|own| own.id == focused);
    let is_pressing = matches!(key, Key::Enter | Key::Space);
    match own {
        Some(own) if own.takes.contains(&key) => true,
        // A button owns Enter and Space, a slider the arrows.
        Some(own) => is_pressing || ARROWS.contains(&key) && !own.leaves_arrows,
        None => is_pressing || ARROWS.contains(&key),
    }
}

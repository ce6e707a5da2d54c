//! What the pointer shows, the keyboard shows as well.
//!
//! Tooltips, exact values and previews come to whatever the pointer rests on. A person without a pointer rests the keyboard there:
//! after a moment the pointer is said to be over what has the focus, and is where it really is again with the next key or the next
//! move of the mouse. So everything that appears under a pointer, also why something is off, needs no second way.
//!
//! Only where somebody went to it, from place to place or in a menu: who is taken to a panel by a command has come for what is
//! there, which a tooltip would cover until the next key.

use egui::accesskit::Action;
use egui::{Context, Event, Id, Key, Modifiers, Plugin, PointerButton, Popup, Pos2, RawInput, Rect, Vec2};

use super::{focus, menu};

/// How long the keyboard rests before tooltips begin to wait for their own delay.
const REST_SECS: f64 = 0.2;
/// What is larger is a canvas or a plot: its middle is no place that anybody meant.
const LARGEST: Vec2 = Vec2::new(900.0, 160.0);

/// Registered once with the context.
#[derive(Debug, Default)]
pub struct FocusPointer {
    focused: Option<Id>,
    since: f64,
    /// Nothing is to be shown for what has the focus now: it got it from the pointer or a command, or a key was pressed since.
    is_done: bool,
    /// What the pointer is said to be over.
    over: Option<Id>,
    /// Where it really is.
    real: Option<Pos2>,
    by_pointer: bool,
    /// The last key, or a screen reader, leads the focus from place to place.
    walks: bool,
}

/// The context menu of what has the focus is wanted.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted(bool);

fn wanted_id() -> Id {
    Id::unique("context menu of the focus")
}

/// Opens the context menu of what has the focus, as a secondary click on it does; `false` if nothing has it.
pub fn ask_context_menu(ctx: &Context) -> bool {
    let has_place = ctx.memory(egui::Memory::focused).is_some_and(|id| place_of(ctx, id).is_some());
    if has_place {
        ctx.data_mut(|data| data.insert_temp(wanted_id(), Wanted(true)));
        menu::enter_next(ctx);
        ctx.request_repaint();
    }
    has_place
}

impl Plugin for FocusPointer {
    fn debug_name(&self) -> &'static str {
        "pointer of the focus"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. } | Event::Text(_));
        let is_pressed = input.events.iter().any(is_key);
        let mut moved = None;
        for event in &input.events {
            match event {
                Event::PointerMoved(to) => moved = Some(Some(*to)),
                Event::PointerGone => moved = Some(None),
                Event::PointerButton { .. } => self.by_pointer = true,
                _ => {}
            }
        }
        self.by_pointer &= !is_pressed;
        let uses_pointer =
            |event: &Event| matches!(event, Event::PointerButton { .. } | Event::MouseWheel { .. } | Event::Zoom(_));
        let is_used = moved.is_some() || input.events.iter().any(uses_pointer);
        if let Some(to) = moved {
            (self.real, self.over) = (to, None);
        } else if self.over.is_some() && (is_pressed || is_used) {
            self.leave(input);
        }

        let focused = ctx.memory(egui::Memory::focused);
        let now = ctx.input(|input| input.time);
        if self.focused != focused {
            if self.over.is_some() {
                self.leave(input);
            }
            let is_walked = self.walks || Popup::is_any_open(ctx);
            // One step leads to one place, which may take some frames.
            self.walks &= focused.is_none();
            (self.focused, self.since, self.is_done) = (focused, now, !is_walked || self.by_pointer || is_used);
        } else {
            self.is_done |= is_pressed || is_used;
        }

        self.walks = input.events.iter().filter_map(walks).next_back().unwrap_or(self.walks);
        // The ground of a panel shows nothing of its own.
        let Some(id) = focused.filter(|&id| !focus::is_ground(ctx, id)) else { return };
        if ctx.data_mut(|data| data.remove_temp::<Wanted>(wanted_id())).is_some_and(|wanted| wanted.0) {
            if let Some(place) = place_of(ctx, id) {
                self.press(id, place, input);
            }
            return;
        }

        let is_dragging = ctx.input(|input| input.pointer.any_down()) || egui::DragAndDrop::has_any_payload(ctx);
        if self.is_done || self.over.is_some() || is_dragging || menu::opens_by_pointer(ctx, id) {
            return;
        }

        let left = REST_SECS - (now - self.since);
        if 0.0 < left {
            ctx.request_repaint_after_secs(left as f32);
        } else if let Some(rect) = rect_of(ctx, id).filter(|rect| rect.size().min(LARGEST) == rect.size()) {
            self.over = Some(id);
            input.events.push(Event::PointerMoved(rect.center()));
        }
    }
}

impl FocusPointer {
    /// The pointer is where it really is.
    fn leave(&mut self, input: &mut RawInput) {
        self.over = None;
        let back = self.real.map_or(Event::PointerGone, Event::PointerMoved);
        input.events.insert(0, back);
    }

    fn press(&mut self, id: Id, at: Pos2, input: &mut RawInput) {
        self.over = Some(id);
        self.is_done = true;
        let button = |pressed| Event::PointerButton {
            pos: at,
            button: PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        input.events.extend([Event::PointerMoved(at), button(true), button(false)]);
    }
}

/// Whether this leads the focus from place to place; `None` for what is not about the focus.
fn walks(event: &Event) -> Option<bool> {
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => {
            Some(!modifiers.command && !modifiers.alt && (*key == Key::Tab || focus::leads(*key)))
        }
        Event::AccessKitActionRequest(request) => (request.action == Action::Focus).then_some(true),
        _ => None,
    }
}

/// What can be seen of a widget in the frame before.
fn rect_of(ctx: &Context, id: Id) -> Option<Rect> {
    let rect = ctx.viewport(|viewport| viewport.prev_pass.widgets.get(id).map(|widget| widget.interact_rect))?;
    (rect.is_positive() && rect.is_finite()).then_some(rect)
}

/// A point where a click meets this widget and nothing that lies on it.
fn place_of(ctx: &Context, id: Id) -> Option<Pos2> {
    let rect = rect_of(ctx, id)?;
    let shares = [(0.5, 0.5), (0.1, 0.5), (0.9, 0.5), (0.25, 0.25), (0.75, 0.75), (0.02, 0.5), (0.5, 0.04)];
    let places = shares.map(|(x, y)| rect.lerp_inside(Vec2::new(x, y)));
    ctx.viewport(|viewport| {
        let widgets = &viewport.prev_pass.widgets;
        let layer = widgets.get(id)?.layer_id;
        let on_top = |at: Pos2| {
            let meets = widgets
                .get_layer(layer)
                .filter(|widget| widget.enabled && widget.sense.senses_click() && widget.interact_rect.contains(at));
            meets.last().is_none_or(|widget| widget.id == id)
        };
        places.into_iter().find(|&at| on_top(at)).or(Some(rect.center()))
    })
}

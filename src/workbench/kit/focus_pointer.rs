//! Lets the keyboard show what the pointer shows.
//!
//! Tooltips, exact values and previews appear under a resting pointer. For users without a pointer, after a short rest
//! a simulated pointer moves to the focused widget; it returns to its real position with the next key or mouse move. So
//! everything that appears under a pointer, such as why a control is disabled, needs no second way.
//!
//! Only if the user moved the focus step by step or in a menu: after a jump to a panel by command, a tooltip would
//! cover the content until the next key.

use egui::accesskit::Action;
use egui::{
    Context, Event, Id, Key, Modifiers, Plugin, PointerButton, Popup, Pos2, RawInput, Rect, Vec2,
};

use super::{focus, menu};

/// Rest time of the focus before the delay of tooltips starts.
const REST_SECS: f64 = 0.2;
/// A larger widget is a canvas or plot, whose center is an arbitrary place.
const LARGEST: Vec2 = Vec2::new(900.0, 160.0);

/// Registered once with the context.
#[derive(Debug, Default)]
pub struct FocusPointer {
    focused: Option<Id>,
    since: f64,
    /// Show nothing for this focus: it came from the pointer or a command, or a key was pressed since.
    is_done: bool,
    /// The widget under the simulated pointer.
    over: Option<Id>,
    /// The real position of the pointer.
    real: Option<Pos2>,
    by_pointer: bool,
    /// The last key, or a screen reader, moves the focus step by step.
    walks: bool,
}

/// A request for the context menu of the focused widget.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted(bool);

fn wanted_id() -> Id {
    Id::unique("context menu of the focus")
}

/// Opens the context menu of the focused widget, like a secondary click; `false` if nothing has the focus.
pub fn ask_context_menu(ctx: &Context) -> bool {
    let has_place = ctx
        .memory(egui::Memory::focused)
        .is_some_and(|id| place_of(ctx, id).is_some());
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
        let is_key =
            |event: &Event| matches!(event, Event::Key { pressed: true, .. } | Event::Text(_));
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
        let uses_pointer = |event: &Event| {
            matches!(
                event,
                Event::PointerButton { .. } | Event::MouseWheel { .. } | Event::Zoom(_)
            )
        };
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
            // One step leads to one widget, which may take some frames.
            self.walks &= focused.is_none();
            (self.focused, self.since, self.is_done) =
                (focused, now, !is_walked || self.by_pointer || is_used);
        } else {
            self.is_done |= is_pressed || is_used;
        }

        self.walks = input
            .events
            .iter()
            .filter_map(walks)
            .next_back()
            .unwrap_or(self.walks);
        // The ground of a panel has no tooltip.
        let Some(id) = focused.filter(|&id| !focus::is_ground(ctx, id)) else {
            return;
        };
        if ctx
            .data_mut(|data| data.remove_temp::<Wanted>(wanted_id()))
            .is_some_and(|wanted| wanted.0)
        {
            if let Some(place) = place_of(ctx, id) {
                self.press(id, place, input);
            }
            return;
        }

        let is_dragging =
            ctx.input(|input| input.pointer.any_down()) || egui::DragAndDrop::has_any_payload(ctx);
        if self.is_done || self.over.is_some() || is_dragging || menu::opens_by_pointer(ctx, id) {
            return;
        }

        let left = REST_SECS - (now - self.since);
        if 0.0 < left {
            ctx.request_repaint_after_secs(left as f32);
        } else if let Some(rect) =
            rect_of(ctx, id).filter(|rect| rect.size().min(LARGEST) == rect.size())
        {
            self.over = Some(id);
            input.events.push(Event::PointerMoved(rect.center()));
        }
    }
}

impl FocusPointer {
    /// Moves the pointer back to its real position.
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
        input
            .events
            .extend([Event::PointerMoved(at), button(true), button(false)]);
    }
}

/// Whether this event moves the focus step by step; `None` if it does not concern the focus.
fn walks(event: &Event) -> Option<bool> {
    match event {
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => Some(!modifiers.command && !modifiers.alt && (*key == Key::Tab || focus::leads(*key))),
        Event::AccessKitActionRequest(request) => (request.action == Action::Focus).then_some(true),
        _ => None,
    }
}

/// The visible rectangle of a widget in the previous frame.
fn rect_of(ctx: &Context, id: Id) -> Option<Rect> {
    let rect = ctx.viewport(|viewport| {
        viewport
            .prev_pass
            .widgets
            .get(id)
            .map(|widget| widget.interact_rect)
    })?;
    (rect.is_positive() && rect.is_finite()).then_some(rect)
}

/// A point where a click hits this widget and nothing on top of it.
fn place_of(ctx: &Context, id: Id) -> Option<Pos2> {
    let rect = rect_of(ctx, id)?;
    let shares = [
        (0.5, 0.5),
        (0.1, 0.5),
        (0.9, 0.5),
        (0.25, 0.25),
        (0.75, 0.75),
        (0.02, 0.5),
        (0.5, 0.04),
    ];
    let places = shares.map(|(x, y)| rect.lerp_inside(Vec2::new(x, y)));
    ctx.viewport(|viewport| {
        let widgets = &viewport.prev_pass.widgets;
        let layer = widgets.get(id)?.layer_id;
        let on_top = |at: Pos2| {
            let meets = widgets.get_layer(layer).filter(|widget| {
                widget.enabled && widget.sense.senses_click() && widget.interact_rect.contains(at)
            });
            meets.last().is_none_or(|widget| widget.id == id)
        };
        places
            .into_iter()
            .find(|&at| on_top(at))
            .or(Some(rect.center()))
    })
}

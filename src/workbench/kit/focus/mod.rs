//! The keyboard focus: what has it, and where it moves.
//!
//! One [`Keeper`] manages it for the whole window, before and after each pass:
//!
//! - *Tab* moves between stops. A [`group`] (a list, a table, a bar of buttons) is one stop, which remembers its last
//!   member; arrows, Home, End and the page keys move inside it. While a menu or a dialog is open, its stops are the
//!   only ones.
//! - Something always has the focus. When its widget vanishes, the focus returns to the previous widget in the panel,
//!   to the neighbor in the group, or to the ground of the panel (an [`area`]), which shows no ring and leaves all keys
//!   to commands; after a field or a menu it may also return to another panel. *Escape* and *Enter* in a field do the
//!   same.
//! - [`enter`] moves it to the last focused widget of a panel, else to its [`home`], else to its first stop.
//! - A widget focused by key is scrolled into view.
//!
//! A widget that uses arrows, Tab or Escape itself declares it with [`own_keys`].

mod walk;
pub use walk::leads;

use egui::accesskit::{Action, ActionRequest, TreeId};
use egui::{
    Context, Event, EventFilter, FocusDirection, Id, IdMap, IdSet, Key, LayerId, Modifiers, Order,
    Plugin, Rect, Response, Ui, WidgetRect, WidgetRects,
};

/// Groups choices that are not in a bar or list; Tab first goes to the selected one.
pub fn choice(response: &Response, key: Id, selected: bool) {
    note(&response.ctx, |said| {
        said.choices.insert(response.id, key);
        if selected {
            said.chosen.insert(response.id);
        }
    });
}

/// Declares that the home of this panel will be drawn soon: until then the ground of the panel has the focus, wherever
/// it was in the panel.
pub fn home_comes(ctx: &Context, area: Id) {
    comes(ctx, area, true);
}

/// Declares that the home will be drawn soon, but only after an entry; a focus that was already inside stays.
pub fn home_comes_on_entry(ctx: &Context, area: Id) {
    comes(ctx, area, false);
}

fn comes(ctx: &Context, area: Id, moves: bool) {
    let ground = ctx.with_plugin(|keeper: &mut Keeper| {
        let is_in = moves && keeper.last.is_some_and(|last| last.area == Some(area));
        let is_here = keeper.entered == Some(area) || is_in;
        if !is_here && !moves && keeper.awaits != Some(area) {
            return None;
        }
        keeper.now.coming.insert(area);
        keeper.places.remove(&area);
        let begins = is_here && !keeper.said.coming.contains(&area);
        if begins {
            (keeper.awaits, keeper.walks) = (Some(area), true);
        }
        keeper.said.surfaces.get(&area).copied().filter(|_| begins)
    });
    if let Some(ground) = ground.flatten() {
        ctx.memory_mut(|memory| memory.request_focus(ground));
    }
}

/// Makes everything in this `ui` one stop.
pub fn group(ui: &Ui) {
    group_as(ui, ui.unique_id());
}

/// Makes several `ui` with a common key one stop.
pub fn group_as(ui: &Ui, key: Id) {
    note(ui.ctx(), |said| {
        said.groups.insert(ui.unique_id(), key);
    });
}

/// Excludes this widget from its group: its arrows are its own or those of its panel.
pub fn alone(response: &Response) {
    note(&response.ctx, |said| {
        said.alone.insert(response.id);
    });
}

/// Excludes the content of this `ui` from surrounding groups.
pub fn apart(ui: &Ui) {
    note(ui.ctx(), |said| {
        said.apart.insert(ui.unique_id());
    });
}

/// Makes Tab move from this widget to the first control of this `ui`.
pub fn leads_into(from: Id, ui: &Ui) {
    note(ui.ctx(), |said| {
        said.inside.insert(from, ui.unique_id());
    });
}

/// Makes this `ui` a stop after all others, although it is drawn before them.
pub fn group_at_end(ui: &Ui) {
    group(ui);
    note(ui.ctx(), |said| {
        said.at_end.insert(ui.unique_id());
    });
}

/// The inside of a panel, which must sense focus; `current` marks the panel whose plain keys count.
pub fn area(ui: &Ui, key: Id, current: bool) {
    note(ui.ctx(), |said| {
        said.areas.insert(ui.unique_id(), key);
        said.surfaces.insert(key, ui.unique_id());
        if current {
            said.current = Some(key);
        }
    });
}

/// The first target of [`enter`] in this panel.
pub fn home(response: &Response, area: Id) {
    note(&response.ctx, |said| {
        said.homes.insert(area, response.id);
    });
}

/// The selected member of a group, the first target of Tab.
pub fn selected(response: &Response) {
    note(&response.ctx, |said| {
        said.selected.insert(response.id);
    });
}

/// The visible member, such as the tab of the front panel: Tab always goes to it.
pub fn shown(response: &Response) {
    note(&response.ctx, |said| {
        said.shown.insert(response.id);
    });
}

/// Gives these keys to the widget while it has the focus.
pub fn own_keys(response: &Response, filter: EventFilter) {
    response
        .ctx
        .memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    note(&response.ctx, |said| {
        said.own.insert(response.id, filter);
    });
}

/// Gives keys other than arrows to the widget while it has the focus.
pub fn takes(response: &Response, keys: &[Key]) {
    note(&response.ctx, |said| {
        said.takes.insert(response.id, keys.to_vec());
    });
}

/// The widget moves within its group with its own arrow keys.
pub fn walks_itself(response: &Response) {
    note(&response.ctx, |said| {
        said.walkers.insert(response.id);
    });
}

/// Focuses a panel: its last focused widget, else its home or first stop.
pub fn enter(ctx: &Context, area: Id) {
    enter_as(ctx, area, Entry::Place);
}

/// Focuses the ground of a panel, which may not be drawn yet, unless a control in it has the focus. Selects no control.
pub fn enter_panel(ctx: &Context, area: Id) {
    enter_as(ctx, area, Entry::Ground);
}

/// Focuses the [`home`] of a panel once it is drawn, even if the focus is elsewhere in the panel.
pub fn enter_home(ctx: &Context, area: Id) {
    enter_as(ctx, area, Entry::Home);
}

fn enter_as(ctx: &Context, area: Id, to: Entry) {
    ctx.with_plugin(|keeper: &mut Keeper| {
        keeper.enters = Some(Entrance {
            area,
            to,
            rest: PATIENCE,
        });
    });
    ctx.request_repaint();
}

/// Forgets the last focus of a panel, so that the next [`enter`] goes to its home.
pub fn forget_place(ctx: &Context, area: Id) {
    ctx.with_plugin(|keeper: &mut Keeper| keeper.places.remove(&area));
}

/// Focuses the ground of a panel, unless something in it has the focus or took it in this frame.
pub fn enter_ground(ctx: &Context, area: Id) {
    let focused = ctx.memory(egui::Memory::focused);
    let ground = ctx.with_plugin(|keeper: &mut Keeper| {
        let is_taken = focused.is_some() && focused != keeper.last.as_ref().map(|last| last.id);
        let is_there = is_taken
            || keeper
                .last
                .as_ref()
                .is_some_and(|last| last.area == Some(area));
        keeper.walks = true;
        keeper
            .said
            .surfaces
            .get(&area)
            .copied()
            .filter(|_| !is_there)
    });
    if let Some(ground) = ground.flatten() {
        ctx.memory_mut(|memory| memory.request_focus(ground));
    }
}

/// Whether this is the ground of a panel.
pub fn is_ground(ctx: &Context, id: Id) -> bool {
    ctx.with_plugin(|keeper: &mut Keeper| keeper.said.areas.contains_key(&id))
        .unwrap_or(false)
}

/// Whether no control outside this panel has the focus. The ground of a panel is not a control.
pub fn is_free(ctx: &Context, area: Id) -> bool {
    let Some(focused) = ctx.memory(egui::Memory::focused) else {
        return true;
    };
    is_ground(ctx, focused) || area_of_focus(ctx) == Some(area)
}

/// The panel with the focus; none while the focus moves to another panel.
pub fn area_of_focus(ctx: &Context) -> Option<Id> {
    let focused = ctx.memory(egui::Memory::focused)?;
    ctx.with_plugin(|keeper: &mut Keeper| {
        keeper
            .last
            .as_ref()
            .filter(|last| last.id == focused && keeper.enters.is_none())?
            .area
    })
    .flatten()
}

/// Whether the focused widget, or the pending home of its panel, uses this plain key, so that it is not a command.
pub fn uses(ctx: &Context, key: Key) -> bool {
    let Some(focused) = ctx.memory(egui::Memory::focused) else {
        return false;
    };
    let widget = ctx.viewport(|viewport| viewport.prev_pass.widgets.get(focused).copied());
    let uses = ctx.with_plugin(|keeper: &mut Keeper| {
        let pressed = matches!(key, Key::Enter | Key::Space)
            && widget.is_some_and(|widget| widget.sense.senses_click());
        let walks = walk::leads(key)
            && keeper
                .last
                .as_ref()
                .is_some_and(|last| last.group.is_some());
        let early =
            keeper.awaits.is_some() && (matches!(key, Key::Enter | Key::Space) || walk::leads(key));
        pressed || walks || early || keeper.owns(focused, key)
    });
    uses.unwrap_or(true)
}

/// Whether *Escape* belongs to the focused widget, or to the one that lost the focus with this key: a field, a menu, or
/// a widget that declared it.
pub fn escape_is_taken(ctx: &Context) -> bool {
    let focused = ctx.memory(egui::Memory::focused);
    let taken = ctx.with_plugin(|keeper: &mut Keeper| {
        let field = keeper.last.as_ref().is_some_and(|last| last.is_field);
        field || focused.is_some_and(|focused| keeper.owns(focused, Key::Escape))
    });
    taken.unwrap_or(focused.is_some()) || egui::Popup::is_any_open(ctx)
}

fn note(ctx: &Context, add: impl FnOnce(&mut Said)) {
    ctx.with_plugin(|keeper: &mut Keeper| add(&mut keeper.now));
}

/// Number of passes until a new front panel or a scrolling list must be drawn.
const PATIENCE: u8 = 4;
/// Number of passes in which a widget that got the focus is brought into view.
const LOOKS: u8 = 3;
/// Maximum length of the focus history.
const MOST_ORIGINS: usize = 16;

/// The target of an entry into a panel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    /// The last focused widget, else the home or the first stop.
    Place,
    /// The ground, which selects no control.
    Ground,
    /// The home, even if the focus is inside.
    Home,
}

/// A pending entry into a panel.
#[derive(Clone, Copy)]
struct Entrance {
    area: Id,
    to: Entry,
    /// Passes left until the request is dropped.
    rest: u8,
}

/// Declarations of the widgets in a pass.
#[derive(Default)]
struct Said {
    /// The group of a `Ui`, the panel of a `Ui`.
    groups: IdMap<Id>,
    areas: IdMap<Id>,
    surfaces: IdMap<Id>,
    homes: IdMap<Id>,
    selected: IdSet,
    shown: IdSet,
    at_end: IdSet,
    choices: IdMap<Id>,
    chosen: IdSet,
    /// Panels whose home will be drawn soon.
    coming: IdSet,
    apart: IdSet,
    alone: IdSet,
    /// The `Ui` that Tab enters from a widget.
    inside: IdMap<Id>,
    own: IdMap<EventFilter>,
    takes: IdMap<Vec<Key>>,
    walkers: IdSet,
    current: Option<Id>,
}

/// The focused widget at the end of a pass.
#[derive(Clone, Copy)]
struct Last {
    id: Id,
    layer: LayerId,
    rect: Rect,
    group: Option<Id>,
    area: Option<Id>,
    is_field: bool,
    /// Whether it is the home of its panel: if the home changes, the focus follows.
    is_home: bool,
}

/// Manages the focus of a window.
#[derive(Default)]
pub struct Keeper {
    /// Declarations of the current pass, and of the previous one.
    now: Said,
    said: Said,
    last: Option<Last>,
    /// The focus history, latest last: a jump adds an entry, a move within a group replaces the last.
    origins: Vec<Last>,
    walks: bool,
    /// The last focused widget of each group and panel.
    places: IdMap<Id>,
    enters: Option<Entrance>,
    /// The panel entered in this pass.
    entered: Option<Id>,
    /// A panel to enter when its home is drawn, unless the focus leaves its ground before.
    awaits: Option<Id>,
    /// A step that waits for a list to scroll.
    steps: Option<(Key, u8)>,
    /// The last widget scrolled into view.
    sighted: Option<Id>,
    /// Passes in which it is still looked for: what was asked for an earlier widget may scroll it out of view again.
    looks: u8,
    /// Number of passes in which the focused widget was not drawn.
    waits: u8,
}

struct Stop {
    members: Vec<(Id, Rect)>,
    group: Option<Id>,
    area: Option<Id>,
    at_end: bool,
}

impl Plugin for Keeper {
    fn debug_name(&self) -> &'static str {
        "what has the keyboard"
    }

    fn on_begin_pass(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.walks = ctx.input(|input| input.pointer.any_pressed() || input.pointer.any_click());
        if self.walks {
            self.sighted = ctx.memory(egui::Memory::focused);
            self.looks = 0;
        }

        let focused = ctx.memory(egui::Memory::focused);
        let has_key = ctx.input(|input| {
            input
                .events
                .iter()
                .any(|event| matches!(event, Event::Key { pressed: true, .. }))
        });
        self.now = Said::default();
        self.entered = None;
        let is_calm = self.steps.is_none() && self.enters.is_none() && self.awaits.is_none();
        if !has_key && is_calm && focused == self.sighted && self.looks == 0 {
            return;
        }

        let widgets = ctx.viewport(|viewport| viewport.prev_pass.widgets.clone());
        self.keep_on_escape(&ctx, &widgets);
        self.tab(&ctx, &widgets);
        self.arrow(&ctx, &widgets);
        self.enter_area(&ctx, &widgets);
        self.bring_into_sight(&ctx, &widgets);
    }

    fn on_end_pass(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.said = std::mem::take(&mut self.now);
        let focused = ctx.memory(egui::Memory::focused);
        if let Some(last) = self.last.as_mut().filter(|last| Some(last.id) == focused)
            && let Some(widget) =
                ctx.viewport(|viewport| viewport.this_pass.widgets.get(last.id).copied())
            && can_have(&ctx, &widget)
        {
            (last.rect, last.is_field) = (widget.rect, ctx.text_edit_focused());
            return;
        }

        let widgets = ctx.viewport(|viewport| viewport.this_pass.widgets.clone());
        let is_there = |id: Id| widgets.get(id).is_some_and(|widget| can_have(&ctx, widget));
        if self.enters.is_some() && !focused.is_some_and(is_there) {
            // The focus is moving to another panel.
            ctx.request_repaint();
            return;
        }

        let had = self.last.as_ref().map(|last| last.id);
        let target = match focused {
            Some(id) if is_there(id) => Some(id),
            // The widget, or the new home of its panel, has the focus but is not drawn yet.
            focused
                if (focused.is_some() && focused != had || self.home_is_gone(is_there))
                    && self.waits < PATIENCE =>
            {
                self.waits += 1;
                ctx.request_repaint();
                return;
            }
            _ => self.instead(&ctx, &widgets),
        };

        self.waits = 0;
        let Some(id) = target else { return };
        if focused != Some(id) {
            ctx.memory_mut(|memory| memory.request_focus(id));
            ctx.request_repaint();
            self.sighted = Some(id);
            self.looks = 0;
        }
        self.remember(&ctx, &widgets, id);
    }
}

fn can_have(ctx: &Context, widget: &WidgetRect) -> bool {
    widget.enabled
        && widget.visible
        && widget.sense.is_focusable()
        && ctx.memory(|m| m.areas().is_visible(&widget.layer_id))
}

impl Keeper {
    fn owns(&self, focused: Id, key: Key) -> bool {
        if self
            .said
            .takes
            .get(&focused)
            .is_some_and(|keys| keys.contains(&key))
        {
            return true;
        }

        if self.said.walkers.contains(&focused) && walk::leads(key) {
            return true;
        }
        let filter = self.said.own.get(&focused);
        filter.is_some_and(|filter| match key {
            Key::ArrowUp | Key::ArrowDown => filter.vertical_arrows,
            Key::ArrowLeft | Key::ArrowRight => filter.horizontal_arrows,
            Key::Home | Key::End => filter.horizontal_arrows,
            Key::PageUp | Key::PageDown => filter.vertical_arrows,
            Key::Tab => filter.tab,
            Key::Escape => filter.escape,
            _ => false,
        })
    }

    /// egui takes the focus from widgets that do not use Escape; here only fields lose it.
    fn keep_on_escape(&self, ctx: &Context, widgets: &WidgetRects) {
        let Some(last) = self
            .last
            .filter(|last| !last.is_field && widgets.contains(last.id))
        else {
            return;
        };
        let escaped = ctx.input(|input| input.key_pressed(Key::Escape));
        if escaped && ctx.memory(|memory| memory.focused().is_none()) {
            ctx.memory_mut(|memory| memory.request_focus(last.id));
        }
    }

    fn tab(&mut self, ctx: &Context, widgets: &WidgetRects) {
        let Some(focused) = self.last.map(|last| last.id) else {
            return;
        };
        if self.owns(focused, Key::Tab) {
            return;
        }

        let back = ctx.input_mut(|input| input.consume_key(Modifiers::SHIFT, Key::Tab));
        if !back && !ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab)) {
            return;
        }

        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        let stops = self.stops(ctx, widgets);
        let from = match self.said.areas.get(&focused) {
            Some(area) => {
                // The remembered widget may be gone.
                let is_there = |id: &Id| {
                    stops
                        .iter()
                        .any(|stop| stop.members.iter().any(|(member, _)| member == id))
                };
                self.places
                    .get(area)
                    .copied()
                    .filter(is_there)
                    .unwrap_or(focused)
            }
            None => focused,
        };
        let own_arrows = !self.said.walkers.contains(&from)
            && (self.owns(from, Key::ArrowRight) || ctx.text_edit_focused());
        let at = stops
            .iter()
            .position(|stop| stop.members.iter().any(|&(id, _)| id == from));
        // If the widget uses the arrows itself, Tab moves within the group.
        if let Some(stop) = at.map(|at| &stops[at])
            && own_arrows
            && let Some(to) = walk::beside(&stop.members, from, back)
        {
            return self.go(ctx, to);
        }

        let is_in_popup = self
            .last
            .is_some_and(|last| popup_layers(ctx).contains(&last.layer));
        let end = if back {
            Some(0)
        } else {
            stops.len().checked_sub(1)
        };
        if is_in_popup && at.is_some() && at == end {
            // Leaves a menu, back to its button.
            return egui::Popup::close_all(ctx);
        }
        let within =
            |stop: &Stop, around: Id| ancestors(widgets, stop.members[0].0).any(|id| id == around);
        if let Some(&inside) = self.said.inside.get(&from).filter(|_| !back)
            && let Some(stop) = stops.iter().find(|stop| within(stop, inside))
            && let Some(to) = self.entry(stop)
        {
            return self.go(ctx, to);
        }
        let out = self.said.inside.iter().find(|&(_, &inside)| {
            back && at
                .is_some_and(|at| stops.iter().position(|stop| within(stop, inside)) == Some(at))
        });
        if let Some((&owner, _)) = out {
            return self.go(ctx, owner);
        }

        let area = self.said.areas.get(&focused);
        let to = match at {
            Some(at) if back => (at + stops.len() - 1) % stops.len(),
            Some(at) => (at + 1) % stops.len(),
            // From the ground of a panel.
            None => stops
                .iter()
                .position(|stop| stop.area.as_ref() == area)
                .unwrap_or(0),
        };
        if let Some(to) = stops.get(to).and_then(|stop| self.entry(stop)) {
            self.go(ctx, to);
        }
    }

    fn arrow(&mut self, ctx: &Context, widgets: &WidgetRects) {
        let Some(last) = self.last else { return };
        let plain = |event: &Event| match event {
            Event::Key {
                key,
                pressed: true,
                modifiers,
                ..
            } if modifiers.is_none() && walk::leads(*key) => Some(*key),
            _ => None,
        };
        let pressed = ctx.input(|input| input.events.iter().find_map(plain));
        let popups = popup_layers(ctx);
        let retried = self.steps.take();
        let Some(key) = pressed.or(retried.map(|(key, _)| key)) else {
            return;
        };

        if popups.contains(&last.layer) {
            return;
        }

        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
        if last.is_field || popups.is_empty() && self.owns(last.id, key) {
            return;
        }

        let take = || ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if !popups.is_empty() {
            // If the pointer opened it, the keys move to its selected entry.
            let stops = self.stops(ctx, widgets);
            let end = if key == Key::ArrowUp {
                stops.last()
            } else {
                stops.first()
            };
            let members: Vec<(Id, Rect)> = stops
                .iter()
                .flat_map(|stop| stop.members.iter().copied())
                .collect();
            let chosen = members
                .iter()
                .map(|&(id, _)| id)
                .find(|id| self.said.selected.contains(id));
            let to = chosen.map(|chosen| walk::step(&members, chosen, key).unwrap_or(chosen));
            let to = to.or_else(|| end.and_then(|stop| self.entry(stop)));
            if let (true, Some(to)) = (matches!(key, Key::ArrowUp | Key::ArrowDown), to) {
                take();
                self.go(ctx, to);
            }
            return;
        }

        let Some(group) = last.group else { return };
        take();
        let members = self.members(ctx, widgets, group);
        match walk::step(&members, last.id, key) {
            Some(to) => self.go(ctx, to),
            // A long list draws only its visible part.
            None if matches!(
                key,
                Key::ArrowUp | Key::ArrowDown | Key::PageUp | Key::PageDown
            ) =>
            {
                let rest = retried.map_or(PATIENCE, |(_, rest)| rest);
                let is_list = walk::step(&members, last.id, Key::ArrowUp).is_some()
                    || walk::step(&members, last.id, Key::ArrowDown).is_some();
                if is_list && 0 < rest {
                    let down = matches!(key, Key::ArrowDown | Key::PageDown);
                    if rest == PATIENCE {
                        ask(
                            ctx,
                            last.id,
                            if down {
                                Action::ScrollDown
                            } else {
                                Action::ScrollUp
                            },
                        );
                    }
                    self.steps = Some((key, rest - 1));
                    ctx.request_repaint();
                }
            }
            None => {}
        }
    }

    fn enter_area(&mut self, ctx: &Context, widgets: &WidgetRects) {
        if let Some(area) = self.awaits {
            let is_on_ground = self
                .last
                .is_some_and(|last| self.said.surfaces.get(&area) == Some(&last.id));
            if !is_on_ground || !self.said.coming.contains(&area) {
                self.awaits = None;
                if self.enters.is_none() && is_on_ground {
                    self.enters = Some(Entrance {
                        area,
                        to: Entry::Place,
                        rest: PATIENCE,
                    });
                }
            }
        }

        let Some(Entrance { area, to, rest }) = self.enters.take() else {
            return;
        };
        let is_in = |last: &Last| {
            last.area == Some(area) && self.said.surfaces.get(&area) != Some(&last.id)
        };
        if to != Entry::Home && self.last.as_ref().is_some_and(is_in) {
            return;
        }

        // The home must be that of the next pass.
        let waits = to == Entry::Home && rest == PATIENCE;
        let is_inside = |id: &Id| {
            widgets.get(*id).is_some_and(|widget| can_have(ctx, widget))
                && self.area_of(widgets, *id) == Some(area)
        };

        let place = self.places.get(&area).filter(|_| to != Entry::Home);
        let homes = [place, self.said.homes.get(&area)];
        let place = homes.into_iter().flatten().copied().find(is_inside);
        let first = || {
            self.base_stops(ctx, widgets)
                .iter()
                .find(|s| s.area == Some(area))
                .and_then(|s| self.entry(s))
        };
        let ground = || self.said.surfaces.get(&area).copied();
        let shown = self.said.surfaces.contains_key(&area);
        let comes = self.said.coming.contains(&area);
        let control = || place.or_else(|| first().filter(|_| shown && !comes));
        match if to == Entry::Ground {
            ground()
        } else {
            control().or_else(ground)
        } {
            Some(to) if shown && !waits => {
                self.entered = Some(area);
                self.awaits = (comes && self.said.surfaces.get(&area) == Some(&to)).then_some(area);
                self.go(ctx, to);
            }
            _ if 0 < rest => {
                self.enters = Some(Entrance {
                    area,
                    to,
                    rest: rest - 1,
                });
                ctx.request_repaint();
            }
            _ => {}
        }
    }

    fn go(&mut self, ctx: &Context, to: Id) {
        self.walks = true;
        ctx.memory_mut(|memory| memory.request_focus(to));
    }

    /// Scrolls to the focused widget, unless the pointer focused it.
    fn bring_into_sight(&mut self, ctx: &Context, widgets: &WidgetRects) {
        let focused = ctx.memory(egui::Memory::focused);
        let Some(widget) = focused.and_then(|id| widgets.get(id)) else {
            return;
        };
        if focused != self.sighted {
            (self.sighted, self.looks) = (focused, LOOKS);
        }
        if self.looks == 0 {
            return;
        }
        self.looks -= 1;
        ctx.request_repaint();
        let is_whole = widget.interact_rect.expand(1.0).contains_rect(widget.rect);
        if !is_whole && !self.said.areas.contains_key(&widget.id) {
            ask(ctx, widget.id, Action::ScrollIntoView);
        }
    }

    fn home_is_gone(&self, is_there: impl Fn(Id) -> bool) -> bool {
        let Some(last) = self.last.filter(|last| last.is_home && !is_there(last.id)) else {
            return false;
        };
        let home = last.area.and_then(|area| self.said.homes.get(&area));
        last.area
            .is_some_and(|area| self.said.surfaces.contains_key(&area))
            && !home.is_some_and(|&home| is_there(home))
    }

    /// The widget to focus if nothing has the focus.
    fn instead(&self, ctx: &Context, widgets: &WidgetRects) -> Option<Id> {
        let is_there = |id: &Id| widgets.get(*id).is_some_and(|widget| can_have(ctx, widget));
        let ground = |area: Option<Id>| self.said.surfaces.get(&area?).copied().filter(is_there);
        let modal = ctx.memory(egui::Memory::top_modal_layer);
        let modal = modal.filter(|&layer| {
            widgets
                .get_layer(layer)
                .any(|widget| widget.sense.is_focusable())
        });
        if modal.is_some() {
            let stops = self.stops(ctx, widgets);
            return stops.first().and_then(|stop| self.entry(stop));
        }

        let current = ground(self.said.current);
        let home = |area: Option<Id>| self.said.homes.get(&area?).copied().filter(is_there);
        let Some(last) = self.last else {
            return current;
        };
        let pressed = ctx.input(|input| input.pointer.any_pressed() || input.pointer.any_click());
        if pressed && last.area.is_some() {
            return current;
        }

        let is_gone = !is_there(&last.id);
        let from_elsewhere =
            last.is_field || !ctx.memory(|memory| memory.areas().is_visible(&last.layer));
        let near = |last: &Last| {
            let members = self.members(ctx, widgets, last.group?);
            let away = |rect: &Rect| rect.left_top().distance_sq(last.rect.left_top());
            members
                .iter()
                .min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)))
                .map(|&(id, _)| id)
        };
        let neighbour = || near(&last).filter(|_| is_gone && !from_elsewhere);
        let stays = !from_elsewhere && ground(last.area).is_some();
        let is_before =
            |origin: &&Last| origin.id != last.id && (!stays || origin.area == last.area);
        let mut before = self.origins.iter().rev().filter(is_before);
        let origin =
            || before.find_map(|origin| Some(origin.id).filter(is_there).or_else(|| near(origin)));
        let moved_on = || home(last.area).filter(|_| is_gone && last.is_home);
        moved_on()
            .or_else(neighbour)
            .or_else(origin)
            .or_else(|| ground(last.area))
            .or(current)
    }

    fn remember(&mut self, ctx: &Context, widgets: &WidgetRects, id: Id) {
        let Some(widget) = widgets.get(id) else {
            return;
        };
        let (group, area) = (self.group_of(widgets, id), self.area_of(widgets, id));
        let is_home = area.is_some_and(|area| self.said.homes.get(&area) == Some(&id));
        let (rect, layer, is_field) = (widget.rect, widget.layer_id, ctx.text_edit_focused());
        let now = Last {
            id,
            layer,
            rect,
            group,
            area,
            is_field,
            is_home,
        };
        if self.last.map(|last| last.id) != Some(id) {
            let before = self.last.filter(|last| {
                self.origins
                    .last()
                    .is_some_and(|origin| origin.id == last.id)
            });
            let along = before.is_some_and(|last| last.group.is_some() && last.group == group);
            let within =
                before.is_some_and(|last| last.layer == layer && layer.order != Order::Background);
            match self.origins.iter().position(|origin| origin.id == id) {
                Some(place) => self.origins.truncate(place),
                None if self.walks || along || within => {
                    self.origins.truncate(self.origins.len().saturating_sub(1));
                }
                None => {}
            }
            self.origins.push(now);
            if MOST_ORIGINS < self.origins.len() {
                self.origins.remove(0);
            }
        }

        for key in group
            .into_iter()
            .chain(area.filter(|_| !self.said.areas.contains_key(&id)))
        {
            self.places.insert(key, id);
        }

        self.last = Some(now);
    }

    fn group_of(&self, widgets: &WidgetRects, id: Id) -> Option<Id> {
        if self.said.alone.contains(&id) {
            return None;
        }
        // The outermost group: a choice in a row belongs to the list.
        let mut group = None;
        for around in ancestors(widgets, id) {
            group = self.said.groups.get(&around).copied().or(group);
            if self.said.apart.contains(&around) || self.said.areas.contains_key(&around) {
                // Without a group, siblings in a panel form one: a bar, a line or a list.
                let parent = ancestors(widgets, id)
                    .next()
                    .filter(|&parent| parent != around);
                return group
                    .or(parent)
                    .or_else(|| self.said.choices.get(&id).copied());
            }
        }
        group
    }

    fn area_of(&self, widgets: &WidgetRects, id: Id) -> Option<Id> {
        std::iter::once(id)
            .chain(ancestors(widgets, id))
            .find_map(|id| self.said.areas.get(&id))
            .copied()
    }

    fn members(&self, ctx: &Context, widgets: &WidgetRects, group: Id) -> Vec<(Id, Rect)> {
        let stops = self.stops(ctx, widgets);
        stops
            .into_iter()
            .find(|stop| stop.group == Some(group))
            .map(|stop| stop.members)
            .unwrap_or_default()
    }

    /// The target of Tab in a stop: the visible member, the last focused one, the selected one, or the first in reading
    /// order.
    fn entry(&self, stop: &Stop) -> Option<Id> {
        let is_member = |id: &Id| stop.members.iter().any(|(member, _)| member == id);
        let place = stop
            .group
            .and_then(|group| self.places.get(&group))
            .copied()
            .filter(is_member);
        let is_choice =
            |id: &Id| stop.group.is_some() && self.said.choices.get(id) == stop.group.as_ref();
        let is_selected = |id: &Id| {
            self.said.selected.contains(id) || is_choice(id) && self.said.chosen.contains(id)
        };
        let selected = || stop.members.iter().map(|&(id, _)| id).find(is_selected);
        let shown = stop
            .members
            .iter()
            .map(|&(id, _)| id)
            .find(|id| self.said.shown.contains(id));
        shown
            .or(place)
            .or_else(selected)
            .or_else(|| walk::first(&stop.members))
    }

    /// The stops of Tab: those of the open menu, else of the dialog, else of the window.
    fn stops(&self, ctx: &Context, widgets: &WidgetRects) -> Vec<Stop> {
        let popups = popup_layers(ctx);
        if !popups.is_empty() {
            let here = self
                .last
                .map(|last| last.layer)
                .filter(|layer| popups.contains(layer));
            let layer = here.or(popups.last().copied());
            let stops = self.stops_of(ctx, widgets, layer.as_slice());
            if !stops.is_empty() {
                return stops;
            }
        }
        self.base_stops(ctx, widgets)
    }

    fn base_stops(&self, ctx: &Context, widgets: &WidgetRects) -> Vec<Stop> {
        let layers: Vec<LayerId> = ctx.memory(|memory| {
            let open = |layer: &LayerId| !matches!(layer.order, Order::Tooltip | Order::Debug);
            memory
                .layer_ids()
                .filter(|layer| open(layer) && memory.is_above_modal_layer(*layer))
                .collect()
        });
        self.stops_of(ctx, widgets, &layers)
    }

    fn stops_of(&self, ctx: &Context, widgets: &WidgetRects, layers: &[LayerId]) -> Vec<Stop> {
        let (mut stops, mut grounds): (Vec<Stop>, Vec<Id>) = (Vec::new(), Vec::new());
        for widget in layers.iter().flat_map(|&layer| widgets.get_layer(layer)) {
            if !widget.rect.is_positive() || !can_have(ctx, widget) {
                continue;
            }
            let member = (widget.id, widget.rect);
            if let Some(&area) = self.said.areas.get(&widget.id) {
                grounds.push(widget.id);
                stops.push(Stop {
                    members: vec![member],
                    group: None,
                    area: Some(area),
                    at_end: false,
                });
                continue;
            }
            let group = self.group_of(widgets, widget.id);
            match stops
                .iter_mut()
                .find(|stop| group.is_some() && stop.group == group)
            {
                Some(stop) => stop.members.push(member),
                None => {
                    let area = self.area_of(widgets, widget.id);
                    let at_end =
                        ancestors(widgets, widget.id).any(|id| self.said.at_end.contains(&id));
                    stops.push(Stop {
                        members: vec![member],
                        group,
                        area,
                        at_end,
                    });
                }
            }
        }

        // Tab reaches a panel at its controls, or at its ground if it has none.
        let is_ground = |stop: &Stop| grounds.contains(&stop.members[0].0);
        let with_controls: Vec<Option<Id>> = stops
            .iter()
            .filter(|stop| !is_ground(stop))
            .map(|stop| stop.area)
            .collect();
        stops.retain(|stop| !is_ground(stop) || !with_controls.contains(&stop.area));
        stops.sort_by_key(|stop| stop.at_end);
        stops
    }
}

/// The `Ui` of a widget, and its ancestors.
fn ancestors(widgets: &WidgetRects, id: Id) -> impl Iterator<Item = Id> {
    let parent = |id: Id| {
        widgets
            .get(id)
            .map(|widget| widget.parent_id)
            .filter(|&parent| parent != id)
    };
    std::iter::successors(parent(id), move |&id| parent(id)).take(64)
}

/// The layers of the open menus, the innermost last.
fn popup_layers(ctx: &Context) -> Vec<LayerId> {
    let open: IdSet = ctx.viewport(|viewport| {
        viewport
            .prev_pass
            .layers
            .values()
            .flat_map(|layer| layer.open_popups.iter().copied())
            .collect()
    });
    ctx.memory(|memory| {
        memory
            .layer_ids()
            .filter(|layer| open.contains(&layer.id))
            .collect()
    })
}

/// Sends an accessibility action to the widget, which knows its own list.
fn ask(ctx: &Context, id: Id, action: Action) {
    let request = ActionRequest {
        action,
        target_tree: TreeId::ROOT,
        target_node: id.accesskit_id(),
        data: None,
    };
    ctx.input_mut(|input| input.events.push(Event::AccessKitActionRequest(request)));
}

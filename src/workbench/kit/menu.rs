//! Keyboard control of menus and drop-downs.
//!
//! egui moves up and down in a menu, and in and out of submenus. This module adds: a menu opened by key starts at its
//! first or selected entry; Home, End and letters find an entry; arrows move to the next menu of the bar; Escape closes
//! one level; and afterwards the focus returns. Disabled entries can be focused to read why. Entries register when they
//! are drawn, and [`menu_keys`] handles the keys of a frame before anything else.

use std::sync::Arc;

use egui::accesskit::HasPopup;
use egui::containers::menu::SubMenu;
use egui::{
    Color32, Context, Event, EventFilter, FocusDirection, Id, InnerResponse, Key, LayerId,
    Modifiers, Popup, Response, RichText, Role, Sense, Stroke, Ui, WidgetInfo,
};

use super::accessible::describe;
use super::focus as keeper;
use crate::workbench::theme::{self, Theme, focus_ring};

/// Letters within this time, in seconds, form one word.
const WORD_SECS: f64 = 1.0;

#[derive(Clone, Debug)]
struct Entry {
    id: Id,
    layer: LayerId,
    text: String,
    is_chosen: bool,
    opens: bool,
}

#[derive(Clone, Debug, Default)]
struct MenuKeys {
    /// Entries of open menus: those of this frame so far, and those of the previous frame.
    drawn: Vec<Entry>,
    shown: Vec<Entry>,
    /// The titles of the menu bar, likewise.
    titles_drawn: Vec<Id>,
    titles: Vec<Id>,
    /// The focus before a menu opened.
    last: Option<Id>,
    /// The button of the open drop-down, which gets the focus afterwards.
    opener: Option<Id>,
    is_open: bool,
    /// Whether Enter or Space was pressed in the previous frame and thus opened the menu.
    pressed: bool,
    /// Whether the opening menu gets the focus.
    enters: bool,
    word: String,
    word_at: f64,
    /// Alt is pressed, and nothing else happened since.
    alt: bool,
    modifiers: Modifiers,
}

fn with_state<R>(ctx: &Context, f: impl FnOnce(&mut MenuKeys) -> R) -> R {
    let id = Id::unique("keys of menus");
    // Removed meanwhile, because queries of the context lock its data.
    let mut state = ctx
        .data_mut(|data| data.remove_temp::<Arc<MenuKeys>>(id))
        .unwrap_or_default();
    let result = f(Arc::make_mut(&mut state));
    ctx.data_mut(|data| data.insert_temp(id, state));
    result
}

/// Gives a menu the spacing of the menu bar.
fn dress(ui: &mut Ui) {
    let spacing = ui.spacing_mut();
    (spacing.item_spacing.y, spacing.interact_size.y) = (1.0, theme::HIT);
    spacing.button_padding = egui::vec2(8.0, 2.0);
}

/// A row of a menu with a shortcut at its end; true if it was chosen, which closes the menu.
pub fn menu_entry(ui: &mut Ui, text: &str, keys: Option<&str>, enabled: Result<(), &str>) -> bool {
    let response = menu_item(ui, text, keys, enabled.is_ok());
    let is_chosen = response.clicked();
    if let Err(reason) = enabled {
        response.on_hover_text(reason);
    }
    is_chosen
}

/// A row of a menu, returned for a tooltip; a disabled row can be focused but not chosen.
pub fn menu_item(ui: &mut Ui, text: &str, keys: Option<&str>, enabled: bool) -> Response {
    dress(ui);
    let color = if enabled {
        ui.visuals().text_color()
    } else {
        Theme::of(ui).off()
    };
    let button = egui::Button::new(RichText::new(text).color(color));
    let button = if let Some(keys) = keys {
        button.shortcut_text(keys)
    } else {
        button
    };
    // No fill, which would mark the selected entry.
    let button = if enabled {
        button
    } else {
        button.fill(Color32::TRANSPARENT).stroke(Stroke::NONE)
    };
    let sense = if enabled {
        Sense::click()
    } else {
        Sense::focusable_noninteractive()
    };
    let response = ui.add(button.sense(sense));
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, enabled && ui.is_enabled(), text));
    if let Some(keys) = keys {
        describe(ui, response.id, |node| node.set_keyboard_shortcut(keys));
    }
    entered(ui, &response, text, false)
}

/// An option of a drop-down or menu; choosing it closes the menu.
pub fn menu_choice(ui: &mut Ui, is_chosen: bool, text: impl Into<String>) -> Response {
    dress(ui);
    let text = text.into();
    let button = egui::Button::selectable(is_chosen, &text);
    let response = ui.add(button);
    response.widget_info(|| {
        WidgetInfo::selected(Role::MenuItemRadio, ui.is_enabled(), is_chosen, &text)
    });
    entered(ui, &response, &text, is_chosen)
}

fn entered(ui: &Ui, response: &Response, text: &str, is_chosen: bool) -> Response {
    note(ui, response, text, is_chosen, false);
    if is_chosen {
        keeper::selected(response);
    }
    if response.clicked() {
        ui.close();
    }
    response.clone()
}

/// A submenu.
pub fn submenu<R>(
    ui: &mut Ui,
    title: &str,
    content: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<Option<R>> {
    dress(ui);
    let shown = ui.menu_button(title, content);
    describe_title(ui, shown.response.id, shown.inner.is_some());
    note(ui, &shown.response, title, false, true);
    shown
}

/// A menu of the menu bar.
pub fn bar_menu<R>(
    ui: &mut Ui,
    title: &str,
    content: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<Option<R>> {
    let shown = ui.menu_button(title, content);
    describe_title(ui, shown.response.id, shown.inner.is_some());
    with_state(ui.ctx(), |state| state.titles_drawn.push(shown.response.id));
    keeper::walks_itself(&shown.response);
    if shown.response.has_focus() {
        focus_ring(ui, shown.response.rect);
    }
    shown
}

/// Describes the title of a menu to screen readers.
fn describe_title(ui: &Ui, id: Id, is_open: bool) {
    describe(ui, id, |node| {
        node.set_role(Role::MenuItem);
        node.set_has_popup(HasPopup::Menu);
        node.set_expanded(is_open);
    });
}

fn note(ui: &Ui, response: &Response, text: &str, is_chosen: bool, opens: bool) {
    let entry = Entry {
        id: response.id,
        layer: ui.layer_id(),
        text: text.to_lowercase(),
        is_chosen,
        opens,
    };
    with_state(ui.ctx(), |state| state.drawn.push(entry));
    if response.has_focus() {
        focus_ring(ui, response.rect);
    }
}

/// Opens the menu of this button and focuses it.
pub fn open_menu(ctx: &Context, button: Id) {
    Popup::open_id(ctx, popup_of(button));
    with_state(ctx, |state| state.enters = true);
    ctx.request_repaint();
}

fn popup_of(button: Id) -> Id {
    button.with("popup")
}

/// Registers the button of an open drop-down.
pub(super) fn note_drop_down(button: &Response) {
    with_state(&button.ctx, |state| state.opener = Some(button.id));
}

/// The menu that opens in the next frames gets the focus.
pub(super) fn enter_next(ctx: &Context) {
    with_state(ctx, |state| state.enters = true);
}

/// Whether hovering it would open a menu.
pub(super) fn opens_by_pointer(ctx: &Context, id: Id) -> bool {
    let opens = |state: &mut MenuKeys| {
        state.titles.contains(&id)
            || state
                .shown
                .iter()
                .any(|entry| entry.id == id && entry.opens)
    };
    with_state(ctx, opens)
}

/// Opens the first menu of the bar and focuses its title, or leaves the bar.
pub fn toggle_menu_bar(ctx: &Context) {
    with_state(ctx, |state| state.toggle_bar(ctx));
}

/// Handles the keys of a frame before anything else.
pub fn menu_keys(ctx: &Context) {
    with_state(ctx, |state| state.follow(ctx));
}

fn focus(ctx: &Context, id: Id) {
    ctx.memory_mut(|memory| memory.request_focus(id));
}

/// Prevents egui from moving the focus.
fn stay(ctx: &Context) {
    ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
}

fn takes(ctx: &Context, key: Key) -> bool {
    ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}

impl MenuKeys {
    fn follow(&mut self, ctx: &Context) {
        (self.shown, self.titles) = (
            std::mem::take(&mut self.drawn),
            std::mem::take(&mut self.titles_drawn),
        );
        let focused = ctx.memory(egui::Memory::focused);
        let is_open = Popup::is_any_open(ctx);
        let was_open = std::mem::replace(&mut self.is_open, is_open);
        let presses =
            ctx.input(|input| input.key_pressed(Key::Enter) || input.key_pressed(Key::Space));
        let pressed = std::mem::replace(&mut self.pressed, presses);
        let is_title = focused.is_some_and(|id| self.titles.contains(&id));
        let is_entry = focused.is_some_and(|id| self.entry(id).is_some());
        if is_open {
            if !was_open && !is_entry && !is_title {
                // A press of the pointer opens the menu and takes the focus at once.
                self.last = focused;
            }
            if is_entry {
                self.last = self.opener.or(self.last);
            }
            self.enters |= !was_open && pressed && focused.is_some();
            self.walk(ctx, focused);
        } else if is_title {
            self.walk_bar(ctx);
        } else if was_open && is_entry {
            // An entry was chosen.
            self.give_back(ctx);
        } else if !is_entry {
            self.last = focused;
        }

        self.opener = self.opener.filter(|_| is_open);
        // On a Mac that key types letters, and no program opens menus by it.
        if self.is_alt_alone(ctx) && !cfg!(target_os = "macos") {
            self.toggle_bar(ctx);
        }
    }

    fn entry(&self, id: Id) -> Option<&Entry> {
        self.shown.iter().find(|entry| entry.id == id)
    }

    fn give_back(&self, ctx: &Context) {
        ctx.memory_mut(|memory| match (self.last, memory.focused()) {
            (Some(last), _) => memory.request_focus(last),
            (None, Some(focused)) => memory.surrender_focus(focused),
            (None, None) => {}
        });
    }

    /// The keys of an open menu.
    fn walk(&mut self, ctx: &Context, focused: Option<Id>) {
        let here = focused.and_then(|id| self.entry(id)).cloned();
        // Without a focused entry, the menu opened last.
        let Some(layer) = here.as_ref().or(self.shown.last()).map(|entry| entry.layer) else {
            return;
        };
        let entries: Vec<Entry> = self
            .shown
            .iter()
            .filter(|entry| entry.layer == layer)
            .cloned()
            .collect();
        if std::mem::take(&mut self.enters)
            && let Some(entry) = entries
                .iter()
                .find(|entry| entry.is_chosen)
                .or(entries.first())
        {
            return focus(ctx, entry.id);
        }
        let title = self
            .titles
            .iter()
            .position(|&title| Popup::is_id_open(ctx, popup_of(title)));
        // A field or slider next to the entries has its own keys.
        let is_outside =
            focused.is_some_and(|id| Some(id) != self.last && !self.titles.contains(&id));
        if here.is_none() && is_outside {
            return;
        }

        let is_within = self
            .shown
            .iter()
            .any(|entry| SubMenu::id_from_widget_id(entry.id) == layer.id);
        if let Some(here) = &here {
            let filter = EventFilter {
                escape: true,
                ..EventFilter::default()
            };
            ctx.memory_mut(|memory| memory.set_focus_lock_filter(here.id, filter));
        }

        if ctx.input(|input| input.key_pressed(Key::Escape)) {
            match title.map(|title| self.titles[title]) {
                _ if is_within && here.is_some() => {
                    takes(ctx, Key::Escape);
                    ctx.memory_mut(|memory| memory.move_focus(FocusDirection::Left));
                }
                // The menu closes by itself.
                Some(title) => focus(ctx, title),
                None => self.give_back(ctx),
            }
            return;
        }

        let opens = here.as_ref().is_some_and(|entry| entry.opens);
        let right = !opens && takes(ctx, Key::ArrowRight);
        let left = !is_within && takes(ctx, Key::ArrowLeft);
        if right || left {
            stay(ctx);
            if let Some(title) = title {
                self.go_beside(ctx, title, right, here.is_some());
            }
            return;
        }

        if let Some(entry) = self.found(ctx, &entries, here.as_ref()) {
            stay(ctx);
            focus(ctx, entry);
        }
    }

    /// Opens the menu next to the open one.
    fn go_beside(&mut self, ctx: &Context, title: usize, forwards: bool, enters: bool) {
        let next = self.titles[self.beside(title, forwards)];
        focus(ctx, next);
        Popup::open_id(ctx, popup_of(next));
        // The entries are of the previous menu.
        self.shown.clear();
        self.enters = enters;
        ctx.request_repaint();
    }

    fn beside(&self, title: usize, forwards: bool) -> usize {
        let all = self.titles.len();
        (title + if forwards { 1 } else { all - 1 }) % all
    }

    /// The entry that Home, End or letters find.
    fn found(&mut self, ctx: &Context, entries: &[Entry], here: Option<&Entry>) -> Option<Id> {
        if takes(ctx, Key::Home) {
            return entries.first().map(|entry| entry.id);
        }

        if takes(ctx, Key::End) {
            return entries.last().map(|entry| entry.id);
        }

        let now = ctx.input(|input| input.time);
        if WORD_SECS < now - self.word_at {
            self.word.clear();
        }
        let typed: String = ctx.input(|input| {
            let texts = input.events.iter().filter_map(|event| match event {
                Event::Text(text) => Some(text.to_lowercase()),
                _ => None,
            });
            texts.collect()
        });
        // A blank cannot start a word: it chooses.
        if typed.is_empty() || self.word.is_empty() && typed.trim().is_empty() {
            return None;
        }
        takes(ctx, Key::Space);
        self.word_at = now;
        self.word.push_str(&typed);
        let at = here.and_then(|here| entries.iter().position(|entry| entry.id == here.id));
        find(entries, &self.word, at)
    }

    /// The keys of a title of the bar whose menu is closed.
    fn walk_bar(&mut self, ctx: &Context) {
        let Some(title) = ctx.memory(|memory| {
            self.titles
                .iter()
                .position(|&title| memory.has_focus(title))
        }) else {
            return;
        };

        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: true,
            ..EventFilter::default()
        };
        ctx.memory_mut(|memory| memory.set_focus_lock_filter(self.titles[title], filter));
        stay_unless_tab(ctx);
        let (right, left) = (takes(ctx, Key::ArrowRight), takes(ctx, Key::ArrowLeft));
        if right != left {
            focus(ctx, self.titles[self.beside(title, right)]);
        } else if takes(ctx, Key::ArrowDown) || takes(ctx, Key::ArrowUp) {
            Popup::open_id(ctx, popup_of(self.titles[title]));
            self.enters = true;
        } else if takes(ctx, Key::Escape) {
            self.give_back(ctx);
        }
    }

    fn toggle_bar(&mut self, ctx: &Context) {
        let focused = ctx.memory(egui::Memory::focused);
        let is_title = focused.is_some_and(|id| self.titles.contains(&id));
        if is_title
            || self
                .titles
                .iter()
                .any(|&title| Popup::is_id_open(ctx, popup_of(title)))
        {
            Popup::close_all(ctx);
            self.give_back(ctx);
        } else if let Some(&first) = self.titles.first().or(self.titles_drawn.first()) {
            if focused.is_none_or(|id| self.entry(id).is_none()) {
                self.last = focused;
            }
            focus(ctx, first);
            Popup::open_id(ctx, popup_of(first));
        }
        ctx.request_repaint();
    }

    /// Whether Alt was pressed and released with nothing in between.
    fn is_alt_alone(&mut self, ctx: &Context) -> bool {
        let mut is_alone = false;
        ctx.input(|input| {
            for event in &input.events {
                match event {
                    Event::ModifiersChanged(modifiers) if *modifiers != self.modifiers => {
                        is_alone = self.alt && modifiers.is_none();
                        // The rest of Ctrl Alt is not Alt alone.
                        self.alt = *modifiers == Modifiers::ALT && self.modifiers.is_none();
                        self.modifiers = *modifiers;
                    }
                    Event::Key {
                        key: Key::AltLeft | Key::AltRight,
                        ..
                    } => {}
                    Event::Key { .. }
                    | Event::Text(_)
                    | Event::PointerButton { .. }
                    | Event::WindowFocused(_) => {
                        self.alt = false;
                    }
                    _ => {}
                }
            }
        });

        is_alone
    }
}

/// Disables the arrows of this frame, but not Tab.
fn stay_unless_tab(ctx: &Context) {
    if !ctx.input(|input| input.key_pressed(Key::Tab)) {
        stay(ctx);
    }
}

/// The entry that starts with these letters: the next one for a repeated letter, else from `at` on.
fn find(entries: &[Entry], word: &str, at: Option<usize>) -> Option<Id> {
    let first = word.chars().next()?;
    let is_repeated = word.chars().all(|letter| letter == first);
    let (word, from) = match at {
        Some(at) if is_repeated => (&word[..first.len_utf8()], at + 1),
        at => (word, at.unwrap_or(0)),
    };
    let mut places = (0..entries.len()).map(|step| &entries[(from + step) % entries.len()]);
    places
        .find(|entry| entry.text.starts_with(word))
        .map(|entry| entry.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_find_the_next_entry_that_begins_with_them() {
        let texts = ["step", "stop", "search again", "slower"];
        let entry = |(place, text): (usize, &&str)| Entry {
            id: Id::unique(place),
            layer: LayerId::background(),
            text: (*text).to_owned(),
            is_chosen: false,
            opens: false,
        };
        let entries: Vec<Entry> = texts.iter().enumerate().map(entry).collect();
        let place = |word, at| {
            find(&entries, word, at).and_then(|id| entries.iter().position(|entry| entry.id == id))
        };
        assert_eq!(place("s", None), Some(0));
        assert_eq!(
            place("s", Some(0)),
            Some(1),
            "the same letter again moves to the next"
        );
        assert_eq!(place("ss", Some(3)), Some(0), "and round");
        assert_eq!(place("sto", Some(0)), Some(1));
        assert_eq!(place("se", Some(2)), Some(2), "a longer word may stay");
        assert_eq!(place("x", Some(2)), None);
    }
}

//! Who holds a row: the pointer or the keys, the same from lifting to letting go.

use std::time::{Duration, Instant};

use egui::{
    Context, CursorIcon, DragAndDrop, EventFilter, Id, Key, LayerId, Modifiers, Order, Painter, Pos2, Rect, Role,
    Sense, Ui, WidgetInfo, pos2, vec2,
};

use super::carry::{Carried, Carry, Place};
use super::{Building, Slots};
use crate::strategy::StrategyEdit;
use crate::workbench::command::{Commands, Panel, StrategyCommand, ViewCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{elided, ghost};
use crate::workbench::panels::builder::strategy::data::settings;
use crate::workbench::state::{Document, RowId};
use crate::workbench::theme::{self, Theme};

/// A row on its way with the pointer.
#[derive(Clone, Debug)]
pub(crate) struct RowDrag(pub Carried);

/// So long a row is held over the tab of a strategy before that opens.
const OPENS_AFTER: Duration = Duration::from_millis(400);

/// What the pointer carries, remembered from frame to frame.
#[derive(Debug)]
pub(crate) struct Dragging {
    home: Option<usize>,
    over: Option<(usize, Instant)>,
}

/// A row on its way with the keys.
#[derive(Debug)]
pub struct Lifted {
    pub what: Carried,
    /// The row it would be in the strategy on screen.
    position: usize,
    /// The strategy on screen when it was lifted.
    home: usize,
    /// What had the keyboard then; a row is found again by itself.
    origin: Option<Id>,
    id: Option<RowId>,
}

impl Lifted {
    /// The place between the rows as they are now.
    fn slot(&self, current: usize) -> usize {
        match &self.what {
            // Above its own place the row itself is no step on the way.
            Carried::Row { strategy, row, .. } if *strategy == current && *row < self.position => self.position + 1,
            _ => self.position,
        }
    }

    /// The last row it can be of a strategy with so many rows.
    fn last(&self, current: usize, rows: usize) -> usize {
        if self.what.home() == Some(current) { rows.saturating_sub(1) } else { rows }
    }

    fn carry<'a>(&'a self, doc: &'a Document, copies: bool) -> Carry<'a> {
        let current = doc.current();
        let place = Place::Slot(self.slot(current));
        Carry { what: &self.what, place, copies, strategies: doc.strategies(), current, size: doc.board().size() }
    }
}

impl Building {
    /// Lifts a row of the strategy on screen with the keys.
    pub fn lift_row(&mut self, row: usize, doc: &Document) {
        let what = Carried::Row { strategy: doc.current(), of: doc.strategy(), row };
        let id = self.rows.ids.get(row).copied();
        self.lift(Lifted { what, position: row, home: doc.current(), origin: None, id }, doc);
    }

    /// Lifts a new row into the stack with the keys; `origin` is what gets the keyboard back if it is not put down.
    pub fn lift_new(&mut self, what: Carried, origin: Id, doc: &Document, commands: &mut Commands) {
        let position = self.rows.selected().map_or(doc.strategy().criteria.len(), |row| row + 1);
        self.lift(Lifted { what, position, home: doc.current(), origin: Some(origin), id: None }, doc);
        commands.push(ViewCommand::ShowPanel(Panel::Strategy));
    }

    fn lift(&mut self, lifted: Lifted, doc: &Document) {
        let rows = doc.strategy().criteria.len();
        let name = lifted.what.name();
        let (row, all) = (lifted.position + 1, lifted.last(doc.current(), rows) + 1);
        self.announcement =
            Some(format!("{name} lifted, row {row} of {all}. Arrows move it, Space drops, Escape puts it back"));
        self.lifted = Some(lifted);
    }

    /// Moves, drops or puts back what the keys carry; before any other key of the frame is looked at.
    pub fn keys(&mut self, ctx: &Context, doc: &Document, commands: &mut Commands) {
        let (pressed, clicked) = ctx.input(|input| {
            let key = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
            (input.events.iter().any(key), input.pointer.any_pressed())
        });
        let Some(mut lifted) = self.lifted.take() else {
            if pressed || clicked {
                self.announcement = None;
            }
            return;
        };
        if !lifted.what.is_sound(doc.strategies()) {
            self.announcement = Some(format!("{} has changed and is put back", lifted.what.name()));
            return;
        }
        let rows = doc.strategy().criteria.len();
        // Undo and the like may have changed what is on screen.
        let last = lifted.last(doc.current(), rows);
        lifted.position = lifted.position.min(last);
        let key = |modifiers, key| ctx.input_mut(|input| input.count_and_consume_key(modifiers, key));
        let copies = key(Modifiers::COMMAND, Key::Space) + key(Modifiers::COMMAND, Key::Enter) != 0;
        let drops = key(Modifiers::NONE, Key::Space) + key(Modifiers::NONE, Key::Enter) != 0;
        if key(Modifiers::NONE, Key::Escape) != 0 || clicked {
            self.put_back(ctx, &lifted, doc, commands);
            return;
        }
        if copies || drops {
            self.put_down(&lifted, copies, doc, commands);
            return;
        }
        let before = key(Modifiers::COMMAND, Key::PageUp) + key(Modifiers::NONE, Key::ArrowLeft);
        let after = key(Modifiers::COMMAND, Key::PageDown) + key(Modifiers::NONE, Key::ArrowRight);
        let all = doc.strategies().len();
        if before != after && 1 < all && !matches!(lifted.what, Carried::New { .. }) {
            let to = if before < after { doc.current() + 1 } else { doc.current() + all - 1 } % all;
            let rows = doc.strategies()[to].criteria.len();
            lifted.position = match &lifted.what {
                Carried::Row { row, .. } if lifted.what.home() == Some(to) => *row,
                _ => lifted.position.min(rows),
            };
            commands.push(StrategyCommand::Select(to));
            let strategies = doc.strategies();
            let mut carry = lifted.carry(doc, false);
            (carry.current, carry.strategies) = (to, strategies);
            carry.place = Place::Slot(lifted.slot(to));
            self.announcement = Some(carry.position());
        }
        let up = key(Modifiers::NONE, Key::ArrowUp) + last * key(Modifiers::NONE, Key::Home);
        let down = key(Modifiers::NONE, Key::ArrowDown) + last * key(Modifiers::NONE, Key::End);
        if up != down {
            lifted.position = (lifted.position + down).saturating_sub(up).min(last);
            self.announcement = Some(lifted.carry(doc, false).position());
        }
        self.lifted = Some(lifted);
    }

    fn put_down(&mut self, lifted: &Lifted, copies: bool, doc: &Document, commands: &mut Commands) {
        let carry = lifted.carry(doc, copies);
        let words = carry.position();
        match carry.wish() {
            Ok(Some(command)) => {
                let is_moved = matches!(command, StrategyCommand::Edit(StrategyEdit::MoveRow { .. }, _));
                if is_moved {
                    self.rows.focus = lifted.id;
                } else {
                    self.rows.focuses_added = true;
                }
                commands.push(command);
                self.announcement = Some(format!("{words}: {}", if copies { "copied" } else { "dropped" }));
            }
            Ok(None) => {
                self.rows.focus = lifted.id;
                self.announcement = Some(format!("{words}: dropped where it was"));
            }
            Err(reason) => {
                self.rows.focus = lifted.id;
                self.announcement = Some(reason.to_owned());
            }
        }
    }

    fn put_back(&mut self, ctx: &Context, lifted: &Lifted, doc: &Document, commands: &mut Commands) {
        let name = lifted.what.name();
        self.announcement = Some(match lifted.what {
            Carried::New { .. } => format!("{name} is not added"),
            Carried::Row { .. } => format!("{name} is put back"),
        });
        if lifted.home != doc.current() {
            commands.push(StrategyCommand::Select(lifted.home));
        }
        self.rows.focus = lifted.id;
        if let Some(origin) = lifted.origin {
            ctx.memory_mut(|memory| memory.request_focus(origin));
        }
    }

    /// Inside the stack: the place of what the keys carry has the keyboard, and is read out.
    pub fn marker(&self, ui: &Ui, doc: &Document) {
        let Some(lifted) = &self.lifted else { return };
        let y = self.slots.line(lifted.slot(doc.current()));
        let rect = Rect::from_x_y_ranges(self.slots.left_right, y - 4.0..=y + 4.0);
        let response = ui.interact(rect, Id::unique("place of the lifted row"), Sense::focusable_noninteractive());
        let words = lifted.carry(doc, false).position();
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
        if !response.has_focus() {
            // Not every frame: that would forget the filter of keys.
            response.request_focus();
        }
        let filter = EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        ui.scroll_to_rect(rect.expand2(vec2(0.0, 40.0)), None);
    }

    /// Whether this row of the strategy on screen is carried.
    pub fn is_carried(&self, ctx: &Context, current: usize, index: usize) -> bool {
        let is_it = |what: &Carried| matches!(what, Carried::Row { strategy, row, .. } if (*strategy, *row) == (current, index));
        self.lifted.as_ref().is_some_and(|lifted| is_it(&lifted.what))
            || DragAndDrop::payload::<RowDrag>(ctx).is_some_and(|drag| is_it(&drag.0))
    }

    /// Paints where what is carried would go, says what that makes of the strategy, and asks for it when it is let go; once
    /// after the panels of a frame.
    pub fn hold(&mut self, ui: &Ui, doc: &Document, commands: &mut Commands) {
        self.proposal = None;
        let theme = Theme::of(ui);
        let lines = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("insertion line")));
        if let Some(lifted) = &self.lifted {
            let slot = lifted.slot(doc.current());
            self.proposal = lifted.carry(doc, false).proposal();
            if self.slots.is_seen() {
                self.slots.paint_line(&lines, theme, slot);
                let y = self.slots.line(slot).clamp(self.slots.clip.top(), self.slots.clip.bottom());
                let corner = pos2(self.slots.left_right.min + 40.0, y + theme::SPACE_S);
                self.ghost(ui, &lifted.carry(doc, false), corner);
            }
            return;
        }
        self.drag(ui, &lines, doc, commands);
    }

    fn drag(&mut self, ui: &Ui, lines: &Painter, doc: &Document, commands: &mut Commands) {
        let ctx = ui.ctx();
        let drag = DragAndDrop::payload::<RowDrag>(ctx).filter(|drag| drag.0.is_sound(doc.strategies()));
        let Some(drag) = drag else {
            // Escape, or it changed on the way: it goes back.
            if let Some(dragging) = self.dragging.take() {
                self.announcement = None;
                let home = dragging.home.filter(|home| *home != doc.current());
                go_home(home, commands);
            }
            return;
        };
        let home = drag.0.home();
        let dragging = self.dragging.get_or_insert(Dragging { home, over: None });
        let Some(pos) = ctx.input(|input| input.pointer.interact_pos()) else { return };
        let (released, copies) = ctx.input(|input| (input.pointer.any_released(), input.modifiers.command));
        let place = self.slots.at(pos);
        let current = doc.current();
        let carry =
            Carry { what: &drag.0, place, copies, strategies: doc.strategies(), current, size: doc.board().size() };
        if released {
            DragAndDrop::clear_payload(ctx);
            self.dragging = None;
            self.announcement = None;
            match carry.wish() {
                Ok(Some(command)) => commands.push(command),
                _ => go_home(home.filter(|home| *home != current), commands),
            }
            return;
        }
        match place {
            Place::Tab(tab) if tab != current && home.is_some() => {
                let since = match dragging.over {
                    Some((over, since)) if over == tab => since,
                    _ => Instant::now(),
                };
                dragging.over = Some((tab, since));
                match OPENS_AFTER.checked_sub(since.elapsed()) {
                    Some(wait) if !wait.is_zero() => ctx.request_repaint_after(wait),
                    _ => commands.push(StrategyCommand::Select(tab)),
                }
            }
            _ => dragging.over = None,
        }
        self.announcement = Some(format!("{}. Escape cancels", carry.position()));
        self.proposal = carry.proposal();
        if let (Place::Slot(at), Ok(Some(_))) = (place, carry.wish()) {
            self.slots.paint_line(lines, Theme::of(ui), at);
        }
        self.ghost(ui, &carry, pos - vec2(16.0, 22.0));
        ctx.set_cursor_icon(CursorIcon::Grabbing);
    }

    /// The card that is carried: what it is, what letting go does, and what that changes.
    fn ghost(&self, ui: &Ui, carry: &Carry<'_>, corner: Pos2) {
        const HEIGHT: f32 = 44.0;
        let theme = Theme::of(ui);
        let wish = carry.wish();
        let (outline, ink) = match &wish {
            Err(_) => (theme.error, theme.error),
            Ok(Some(StrategyCommand::Edit(StrategyEdit::RemoveRow(_), _))) => (theme.warn, theme.warn),
            Ok(_) => (theme.accent, theme.text2),
        };
        let name = elided(ui.painter(), &carry.what.name(), theme::strong(), theme.text1, 240.0);
        let mut detail = carry.verb();
        if wish.is_ok() {
            detail = format!("{detail} · {}", settings(carry.what.criterion()));
        }
        let detail = elided(ui.painter(), &detail, theme::small(), ink, 280.0);
        let changes = self.changes.filter(|_| self.proposal.is_some()).map(|changes| changes.text());
        let tag = changes.map(|text| ui.painter().layout_no_wrap(text, theme::strong_of(11.0), theme.on_accent));
        let tag_width = tag.as_ref().map_or(0.0, |tag| tag.size().x + 12.0 + theme::SPACE_L);
        let width = name.size().x.max(detail.size().x).max(120.0) + 48.0 + tag_width;
        let (painter, rect) = ghost(ui, "carried row", corner, vec2(width, HEIGHT), outline);
        Icon::Grip.paint(&painter, pos2(rect.left() + 14.0, rect.center().y), theme.text2);
        painter.galley(pos2(rect.left() + 32.0, rect.top() + 5.0), name, theme.text1);
        painter.galley(pos2(rect.left() + 32.0, rect.top() + 24.0), detail, ink);
        if let Some(tag) = tag {
            let size = vec2(tag.size().x + 12.0, theme::TAG);
            let plate =
                Rect::from_center_size(pos2(rect.right() - theme::SPACE_M - size.x / 2.0, rect.center().y), size);
            painter.rect_filled(plate, theme::RADIUS_S, theme.accent);
            painter.galley(plate.center() - tag.size() / 2.0, tag, theme.on_accent);
        }
    }

    /// The stack takes over what it drew, for whoever carries something.
    pub fn take_slots(&mut self, slots: Slots) {
        self.slots = Slots { tabs: std::mem::take(&mut self.slots.tabs), ..slots };
    }
}

/// Shows the strategy again from which a row was taken that went nowhere.
fn go_home(home: Option<usize>, commands: &mut Commands) {
    if let Some(home) = home {
        commands.push(StrategyCommand::Select(home));
    }
}

//! Moves a row with the keyboard: lift, move with arrow keys, drop or put back.

use egui::{
    Context, Event, EventFilter, Id, Key, Modifiers, Rect, Role, Sense, Ui, WidgetInfo, vec2,
};

use super::DragState;
use super::proposal::{DropPlace, RowDrag, RowDrop};
use crate::strategy::StrategyEdit;
use crate::workbench::command::{Commands, Panel, StrategyCommand, ViewCommand};
use crate::workbench::kit::focus;
use crate::workbench::panels::builder::rows::Rows;
use crate::workbench::state::{Document, RowId};

#[derive(Debug)]
pub struct KeyDrag {
    pub what: RowDrag,
    /// The index it would get in the strategy on screen.
    position: usize,
    /// The strategy on screen when the row was lifted.
    home: usize,
    /// The widget that had the focus then; `None` for a row, which `id` finds again.
    origin: Option<Id>,
    id: Option<RowId>,
}

impl KeyDrag {
    /// The insertion slot among the current rows.
    pub(super) fn slot(&self, current: usize) -> usize {
        match &self.what {
            // Below its old place, the slots also count the row itself.
            RowDrag::Row { strategy, row, .. } if *strategy == current && *row < self.position => {
                self.position + 1
            }
            _ => self.position,
        }
    }

    /// The largest index the row can get in a strategy of `rows` rows.
    fn last(&self, current: usize, rows: usize) -> usize {
        if self.what.home() == Some(current) {
            rows.saturating_sub(1)
        } else {
            rows
        }
    }

    /// A drop into this strategy.
    pub(super) fn drop_in<'a>(
        &'a self,
        current: usize,
        doc: &'a Document,
        copies: bool,
    ) -> RowDrop<'a> {
        RowDrop {
            what: &self.what,
            place: DropPlace::Slot(self.slot(current)),
            copies,
            doc,
            current,
        }
    }
}

impl DragState {
    pub fn begin_row(&mut self, row: usize, rows: &Rows, doc: &Document) {
        let what = RowDrag::Row {
            strategy: doc.current(),
            source: doc.strategy(),
            row,
        };
        let id = rows.ids.get(row).copied();
        self.lift(
            KeyDrag {
                what,
                position: row,
                home: doc.current(),
                origin: None,
                id,
            },
            doc,
        );
    }

    /// Lifts a new row into the stack. `origin` gets the focus back if the row is not dropped.
    pub fn begin_new(
        &mut self,
        what: RowDrag,
        origin: Id,
        rows: &Rows,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let position = rows
            .selected()
            .map_or(doc.strategy().criteria.len(), |row| row + 1);
        self.lift(
            KeyDrag {
                what,
                position,
                home: doc.current(),
                origin: Some(origin),
                id: None,
            },
            doc,
        );
        commands.push(ViewCommand::ShowPanel(Panel::Strategy));
    }

    fn lift(&mut self, drag: KeyDrag, doc: &Document) {
        let rows = doc.strategy().criteria.len();
        let name = drag.what.name();
        let (row, all) = (drag.position + 1, drag.last(doc.current(), rows) + 1);
        self.announcement = Some(format!(
            "{name} lifted, row {row} of {all}. Arrow keys move it, Space drops it, Escape puts it back"
        ));
        self.key = Some(drag);
    }

    /// Moves, drops or puts back the lifted row. Called before any other key of the frame is handled.
    pub fn keys(
        &mut self,
        ctx: &Context,
        rows: &mut Rows,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
        let (pressed, clicked) =
            ctx.input(|input| (input.events.iter().any(is_key), input.pointer.any_pressed()));
        let Some(mut drag) = self.key.take() else {
            if pressed || clicked {
                self.announcement = None;
            }
            return;
        };
        if !drag.what.is_sound(doc.strategies()) {
            self.announcement = Some(format!("{} has changed and is put back", drag.what.name()));
            return;
        }

        // Undo, for example, may have changed the rows on screen.
        let last = drag.last(doc.current(), doc.strategy().criteria.len());
        drag.position = drag.position.min(last);
        let key =
            |modifiers, key| ctx.input_mut(|input| input.count_and_consume_key(modifiers, key));
        let copies = key(Modifiers::COMMAND, Key::Space) + key(Modifiers::COMMAND, Key::Enter) != 0;
        let drops = key(Modifiers::NONE, Key::Space) + key(Modifiers::NONE, Key::Enter) != 0;
        if key(Modifiers::NONE, Key::Escape) != 0 || clicked {
            self.put_back(ctx, &drag, rows, doc, commands);
            return;
        }
        if copies || drops {
            self.put_down(&drag, copies, rows, doc, commands);
            return;
        }

        let before = key(Modifiers::COMMAND, Key::PageUp) + key(Modifiers::NONE, Key::ArrowLeft);
        let after = key(Modifiers::COMMAND, Key::PageDown) + key(Modifiers::NONE, Key::ArrowRight);
        let all = doc.strategies().len();
        if before != after && 1 < all && !matches!(drag.what, RowDrag::New { .. }) {
            let to = if before < after {
                doc.current() + 1
            } else {
                doc.current() + all - 1
            } % all;
            drag.position = match &drag.what {
                RowDrag::Row { row, .. } if drag.what.home() == Some(to) => *row,
                _ => drag.position.min(doc.strategies()[to].criteria.len()),
            };
            commands.push(StrategyCommand::Select(to));
            self.announcement = Some(drag.drop_in(to, doc, false).position());
        }

        let up = key(Modifiers::NONE, Key::ArrowUp) + last * key(Modifiers::NONE, Key::Home);
        let down = key(Modifiers::NONE, Key::ArrowDown) + last * key(Modifiers::NONE, Key::End);
        if up != down {
            drag.position = (drag.position + down).saturating_sub(up).min(last);
            self.announcement = Some(drag.drop_in(doc.current(), doc, false).position());
        }
        self.key = Some(drag);
    }

    fn put_down(
        &mut self,
        drag: &KeyDrag,
        copies: bool,
        rows: &mut Rows,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let drop = drag.drop_in(doc.current(), doc, copies);
        let words = drop.position();
        let command = drop.command();
        self.announcement = Some(match &command {
            Ok(Some(_)) => format!("{words}: {}", if copies { "copied" } else { "dropped" }),
            Ok(None) => format!("{words}: dropped in its old place"),
            Err(reason) => (*reason).to_owned(),
        });

        match command {
            Ok(Some(command))
                if !matches!(
                    command,
                    StrategyCommand::Edit(StrategyEdit::MoveRow { .. }, _)
                ) =>
            {
                rows.focuses_added = true;
                commands.push(command);
            }
            other => {
                rows.focus = drag.id;
                other
                    .ok()
                    .flatten()
                    .into_iter()
                    .for_each(|command| commands.push(command));
            }
        }
    }

    fn put_back(
        &mut self,
        ctx: &Context,
        drag: &KeyDrag,
        rows: &mut Rows,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let name = drag.what.name();
        self.announcement = Some(match drag.what {
            RowDrag::New { .. } => format!("{name} is not added"),
            RowDrag::Row { .. } => format!("{name} is put back"),
        });
        if drag.home != doc.current() {
            commands.push(StrategyCommand::Select(drag.home));
        }
        rows.focus = drag.id;
        if let Some(origin) = drag.origin {
            ctx.memory_mut(|memory| memory.request_focus(origin));
        }
    }

    /// Inside the stack: focuses the place of the lifted row, so that screen readers announce it.
    pub fn marker(&self, ui: &Ui, doc: &Document) {
        let Some(drag) = &self.key else { return };
        let y = self.slots.line(drag.slot(doc.current()));
        let rect = Rect::from_x_y_ranges(self.slots.left_right, y - 4.0..=y + 4.0);
        let response = ui.interact(
            rect,
            Id::unique("place of the lifted row"),
            Sense::focusable_noninteractive(),
        );
        let words = drag.drop_in(doc.current(), doc, false).position();
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
        if !response.has_focus() {
            // Only if needed: a focus request resets the event filter.
            response.request_focus();
        }
        let filter = EventFilter {
            tab: true,
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: true,
        };
        focus::own_keys(&response, filter);
        // Scrolls only while the place is out of sight. At the end of the content its rectangle never fits, so a request in
        // each frame would repaint forever.
        let seen = ui.clip_rect().y_range().expand(4.0);
        if !(seen.contains(rect.top()) && seen.contains(rect.bottom())) {
            ui.scroll_to_rect(rect.expand2(vec2(0.0, 40.0)).intersect(ui.min_rect()), None);
        }
    }
}

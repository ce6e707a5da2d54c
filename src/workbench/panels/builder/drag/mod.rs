//! Drags a row by pointer or keyboard, from lifting to dropping.
//!
//! Both report only the place of the drag; [`RowDrop`] determines what a drop there does.

mod keys;
mod proposal;

use std::time::{Duration, Instant};

use egui::{
    Context, CursorIcon, DragAndDrop, Id, LayerId, Order, Pos2, Rangef, Rect, Stroke, Ui, pos2,
    vec2,
};

pub(crate) use keys::KeyDrag;
pub use proposal::Proposal;
pub(crate) use proposal::RowDrag;
use proposal::{DropPlace, RowDrop};

use crate::strategy::StrategyEdit;
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::icon::Icon;
use crate::workbench::kit::{self, elided};
use crate::workbench::panels::builder::strategy::data::settings;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// How long a row hovers over the tab of a strategy before the tab opens.
const OPENS_AFTER: Duration = Duration::from_millis(400);

#[derive(Debug)]
struct PointerDrag {
    home: Option<usize>,
    over: Option<(usize, Instant)>,
}

/// The dragged row, and what it would make of the strategy on screen.
#[derive(Debug, Default)]
pub struct DragState {
    pub key: Option<KeyDrag>,
    /// The drag by pointer, with the tab under it and since when.
    pointer: Option<PointerDrag>,
    /// Places of the rows and of the tabs, while they are on screen.
    pub slots: Slots,
    /// The strategy after a drop here, set in every frame of a drag over the stack.
    pub proposal: Option<Proposal>,
    /// The last event of a drag, as text for screen readers and the status bar.
    pub announcement: Option<String>,
}

impl DragState {
    pub fn is_dragged(&self, ctx: &Context, current: usize, index: usize) -> bool {
        let is_it = |what: &RowDrag| matches!(what, RowDrag::Row { strategy, row, .. } if (*strategy, *row) == (current, index));
        self.key.as_ref().is_some_and(|drag| is_it(&drag.what))
            || DragAndDrop::payload::<RowDrag>(ctx).is_some_and(|drag| is_it(&drag))
    }

    /// Paints the drop target and the preview, and requests the change on release. Called once after the panels of a frame.
    pub fn show(
        &mut self,
        ui: &Ui,
        changes: Option<&str>,
        doc: &Document,
        commands: &mut Commands,
    ) {
        self.proposal = None;
        let Some(drag) = &self.key else {
            return self.drag_with_pointer(ui, changes, doc, commands);
        };
        let slot = drag.slot(doc.current());
        let drop = drag.drop_in(doc.current(), doc, false);
        self.proposal = drop.proposal();
        if self.slots.is_seen() {
            self.slots.paint_line(ui, slot);
            let y = self
                .slots
                .line(slot)
                .clamp(self.slots.clip.top(), self.slots.clip.bottom());
            let corner = pos2(self.slots.left_right.min + 40.0, y + theme::SPACE_S);
            ghost(
                ui,
                &drop,
                changes.filter(|_| self.proposal.is_some()),
                corner,
            );
        }
    }

    fn drag_with_pointer(
        &mut self,
        ui: &Ui,
        changes: Option<&str>,
        doc: &Document,
        commands: &mut Commands,
    ) {
        let ctx = ui.ctx();
        let drag =
            DragAndDrop::payload::<RowDrag>(ctx).filter(|drag| drag.is_sound(doc.strategies()));
        let Some(drag) = drag else {
            // Escape was pressed, or the row has changed: the drag is cancelled.
            if let Some(pointer) = self.pointer.take() {
                self.announcement = None;
                go_home(pointer.home, doc, commands);
            }
            return;
        };

        let home = drag.home();
        let pointer = self.pointer.get_or_insert(PointerDrag { home, over: None });
        let Some(pos) = ctx.input(|input| input.pointer.interact_pos()) else {
            return;
        };
        let (released, copies) =
            ctx.input(|input| (input.pointer.any_released(), input.modifiers.command));
        let place = self.slots.at(pos);
        let current = doc.current();
        let drop = RowDrop {
            what: &drag,
            place,
            copies,
            doc,
            current,
        };

        if released {
            DragAndDrop::clear_payload(ctx);
            self.pointer = None;
            self.announcement = None;
            match drop.command() {
                Ok(Some(command)) => commands.push(command),
                _ => go_home(home, doc, commands),
            }
            return;
        }

        match place {
            DropPlace::Tab(tab) if tab != current && home.is_some() => {
                let (_, since) = pointer
                    .over
                    .filter(|(over, _)| *over == tab)
                    .unwrap_or((tab, Instant::now()));
                pointer.over = Some((tab, since));
                match OPENS_AFTER.checked_sub(since.elapsed()) {
                    Some(wait) if !wait.is_zero() => ctx.request_repaint_after(wait),
                    _ => commands.push(StrategyCommand::Select(tab)),
                }
            }
            _ => pointer.over = None,
        }

        self.announcement = Some(format!("{}. Escape cancels", drop.position()));
        self.proposal = drop.proposal();
        if let (DropPlace::Slot(at), Ok(Some(_))) = (place, drop.command()) {
            self.slots.paint_line(ui, at);
        }
        ghost(
            ui,
            &drop,
            changes.filter(|_| self.proposal.is_some()),
            pos - vec2(16.0, 22.0),
        );
        ctx.set_cursor_icon(CursorIcon::Grabbing);
    }

    /// Takes the places of the rows that the stack has drawn, and keeps those of the tabs.
    pub fn take_slots(&mut self, slots: Slots) {
        self.slots = Slots {
            tabs: std::mem::take(&mut self.slots.tabs),
            ..slots
        };
    }
}

/// The preview card: the row, what a drop does, and what that changes.
fn ghost(ui: &Ui, drop: &RowDrop<'_>, changes: Option<&str>, corner: Pos2) {
    const HEIGHT: f32 = 44.0;
    let theme = Theme::of(ui);
    let command = drop.command();
    let (outline, ink) = match &command {
        Err(_) => (theme.error, theme.error),
        Ok(Some(StrategyCommand::Edit(StrategyEdit::RemoveRow(_), _))) => (theme.warn, theme.warn),
        Ok(_) => (theme.accent, theme.text2),
    };

    let name = elided(
        ui.painter(),
        &drop.what.name(),
        theme::strong(),
        theme.text1,
        240.0,
    );
    let mut detail = drop.verb();
    if command.is_ok() {
        detail = format!("{detail} · {}", settings(drop.what.criterion()));
    }
    let detail = elided(ui.painter(), &detail, theme::small(), ink, 280.0);
    let tag = changes.map(|text| {
        ui.painter()
            .layout_no_wrap(text.to_owned(), theme::strong_of(11.0), theme.on_accent)
    });
    let tag_width = tag
        .as_ref()
        .map_or(0.0, |tag| tag.size().x + 12.0 + theme::SPACE_L);
    let width = name.size().x.max(detail.size().x).max(120.0) + 48.0 + tag_width;

    let (painter, rect) = kit::ghost(ui, "dragged row", corner, vec2(width, HEIGHT), outline);
    Icon::Grip.paint(
        &painter,
        pos2(rect.left() + 14.0, rect.center().y),
        theme.text2,
    );
    painter.galley(
        pos2(rect.left() + 32.0, rect.top() + 5.0),
        name,
        theme.text1,
    );
    painter.galley(pos2(rect.left() + 32.0, rect.top() + 24.0), detail, ink);
    if let Some(tag) = tag {
        let size = vec2(tag.size().x + 12.0, theme::TAG);
        let plate = Rect::from_center_size(
            pos2(
                rect.right() - theme::SPACE_M - size.x / 2.0,
                rect.center().y,
            ),
            size,
        );
        painter.rect_filled(plate, theme::RADIUS_S, theme.accent);
        painter.galley(plate.center() - tag.size() / 2.0, tag, theme.on_accent);
    }
}

/// Shows the strategy of the dragged row again after a drop without effect.
fn go_home(home: Option<usize>, doc: &Document, commands: &mut Commands) {
    if let Some(home) = home.filter(|home| *home != doc.current()) {
        commands.push(StrategyCommand::Select(home));
    }
}

/// Places of the rows and the tabs on screen; empty while the stack is not visible.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The rows from top to bottom, unfolded parts included.
    pub rows: Vec<Rect>,
    /// The top of the first row, or where it would be.
    pub top: f32,
    pub left_right: Rangef,
    /// The visible part of the rows.
    pub clip: Rect,
    /// The area in which a drop puts a row into the stack.
    pub zone: Rect,
    /// The visible tabs of open strategies, with their indices.
    pub tabs: Vec<(usize, Rect)>,
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            top: 0.0,
            left_right: Rangef::NOTHING,
            clip: Rect::NOTHING,
            zone: Rect::NOTHING,
            tabs: Vec::new(),
        }
    }
}

impl Slots {
    pub fn is_seen(&self) -> bool {
        self.clip.is_positive()
    }

    pub fn at(&self, pos: Pos2) -> DropPlace {
        if let Some(&(tab, _)) = self.tabs.iter().find(|(_, rect)| rect.contains(pos)) {
            return DropPlace::Tab(tab);
        }
        if !self.zone.contains(pos) {
            return DropPlace::Out;
        }
        let middles: Vec<f32> = self.rows.iter().map(|rect| rect.center().y).collect();
        DropPlace::Slot(insertion(&middles, pos.y))
    }

    pub fn line(&self, at: usize) -> f32 {
        let above = at.checked_sub(1).and_then(|above| self.rows.get(above));
        match (above, self.rows.get(at)) {
            (Some(above), Some(below)) => f32::midpoint(above.bottom(), below.top()),
            (Some(above), None) => above.bottom() + theme::SPACE_S,
            (None, _) => self.top - theme::SPACE_S,
        }
    }

    /// Paints the insertion line, clamped to the visible part.
    pub fn paint_line(&self, ui: &Ui, at: usize) {
        let painter = ui.ctx().layer_painter(LayerId::new(
            Order::Foreground,
            Id::unique("insertion line"),
        ));
        let color = Theme::of(ui).accent;
        let y = self
            .line(at)
            .clamp(self.clip.top() + 1.0, self.clip.bottom() - 1.0)
            .round();
        let left = self.left_right.min + 3.0;
        painter.hline(left..=self.left_right.max, y, Stroke::new(2.0, color));
        painter.circle_filled(pos2(left, y), 3.0, color);
    }
}

/// The index at which a drop at height `y` inserts, given the vertical centers of the rows.
fn insertion(middles: &[f32], y: f32) -> usize {
    middles.iter().filter(|&&middle| middle < y).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drop_goes_between_the_rows_around_it() {
        let middles = [100.0, 170.0, 240.0];
        assert_eq!(
            [50.0, 120.0, 200.0, 900.0].map(|y| insertion(&middles, y)),
            [0, 1, 2, 3]
        );
        assert_eq!(insertion(&[], 10.0), 0);
    }
}

//! What is dragged into, within and out of the stack, and how that looks.

use std::sync::Arc;

use egui::{
    Color32, DragAndDrop, Id, LayerId, Order, Painter, Pos2, Rangef, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::data::{fitting, insertion};
use crate::evaluator::Evaluator;
use crate::strategy::Criterion;
use crate::workbench::command::{Command, Commands};
use crate::workbench::document::Document;
use crate::workbench::icon::Icon;
use crate::workbench::panels::drag::StrategyDrag;
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::paint_key;

/// What the pointer carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Dragged {
    /// A new row.
    New(Evaluator),
    /// A row of the stack.
    Row {
        /// Its identity in the panel.
        uid: u64,
        /// Its place when it was lifted.
        index: usize,
    },
}

/// Where the rows are on the screen.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The rows from the top, unfolded parts included.
    pub rows: Vec<Rect>,
    /// Where the first row begins or would begin.
    pub top: f32,
    /// The columns that the rows fill.
    pub left_right: Rangef,
    /// What can be seen of them.
    pub clip: Rect,
}

impl Default for Slots {
    fn default() -> Self {
        Self { rows: Vec::new(), top: 0.0, left_right: Rangef::NOTHING, clip: Rect::NOTHING }
    }
}

impl Slots {
    /// The row before which something dropped at this height goes.
    fn at(&self, y: f32) -> usize {
        let middles: Vec<f32> = self.rows.iter().map(|rect| rect.center().y).collect();
        insertion(&middles, y)
    }

    /// The height of the line between the rows.
    fn line(&self, at: usize) -> f32 {
        match (at.checked_sub(1).and_then(|above| self.rows.get(above)), self.rows.get(at)) {
            (Some(above), Some(below)) => f32::midpoint(above.bottom(), below.top()),
            (Some(above), None) => above.bottom() + theme::SPACE_S,
            (None, _) => self.top - theme::SPACE_S,
        }
        .clamp(self.clip.top() + 1.0, self.clip.bottom() - 1.0)
    }
}

/// What the pointer carries, if it is for this panel.
pub fn carried(ui: &Ui) -> Option<Arc<Dragged>> {
    DragAndDrop::payload::<Dragged>(ui.ctx())
}

/// Inside the scroll area: moves it while something is held near its upper or lower edge.
pub fn scroll(ui: &Ui, carries: bool) {
    const EDGE: f32 = 28.0;
    const POINTS_PER_SECOND: f32 = 480.0;
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()).filter(|_| carries) else { return };
    let clip = ui.clip_rect();
    if !clip.x_range().contains(pos.x) || !clip.expand(EDGE).contains(pos) {
        return;
    }
    let up = (clip.top() + EDGE - pos.y).clamp(0.0, EDGE);
    let down = (pos.y - clip.bottom() + EDGE).clamp(0.0, EDGE);
    if up == down {
        return;
    }
    let seconds = ui.input(|input| input.stable_dt).min(0.1);
    ui.scroll_with_delta(vec2(0.0, (up - down) / EDGE * POINTS_PER_SECOND * seconds));
    ui.ctx().request_repaint();
}

/// Paints the insertion line and what follows the pointer, and asks for the change when it is dropped.
pub fn show(ui: &Ui, doc: &Document, zone: Rect, slots: &Slots, commands: &mut Commands) {
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()) else { return };
    if let Some(drag) = DragAndDrop::payload::<StrategyDrag>(ui.ctx()) {
        strategy_ghost(ui, doc, &drag, pos);
        return;
    }
    let Some(dragged) = carried(ui) else { return };
    let strategy = doc.strategy();
    let rows = strategy.criteria.len();
    let inside = zone.contains(pos);
    let at = slots.at(pos.y).min(rows);
    let released = ui.input(|input| input.pointer.any_released());

    let (name, detail, wish, full) = match &*dragged {
        Dragged::New(evaluator) => {
            let evaluator = fitting(evaluator, doc.board().size());
            let (name, about) = (evaluator.label(), evaluator.about());
            let full = super::most_rows(rows).err();
            let wish = inside.then(|| Command::AddRow { at, criterion: Criterion::one_ply(evaluator) });
            (name, about.to_owned(), wish, full)
        }
        Dragged::Row { index, .. } => {
            let Some(criterion) = strategy.criteria.get(*index) else { return };
            let stays = at == *index || at == *index + 1;
            let wish = match (inside, stays) {
                (true, true) => None,
                (true, false) => Some(Command::MoveRow { from: *index, to: at }),
                (false, _) => Some(Command::RemoveRow(*index)),
            };
            let detail = match &wish {
                Some(Command::RemoveRow(_)) => "Remove".to_owned(),
                _ => super::data::settings(criterion),
            };
            (criterion.evaluator.label(), detail, wish, None)
        }
    };
    if released {
        DragAndDrop::clear_payload(ui.ctx());
        if let Some(wish) = wish.filter(|_| full.is_none()) {
            commands.push(wish);
        }
        return;
    }
    let theme = Theme::of(ui);
    if matches!(wish, Some(Command::AddRow { .. } | Command::MoveRow { .. })) && full.is_none() {
        insertion_line(
            &ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("insertion line"))),
            theme,
            slots,
            at,
        );
    }
    let removes = matches!(wish, Some(Command::RemoveRow(_)));
    let look = match (full.is_some(), removes) {
        (true, _) => (theme.error, theme.error),
        (_, true) => (theme.warn, theme.warn),
        _ => (theme.accent, theme.text2),
    };
    ghost(ui, pos, &name, full.unwrap_or(&detail), look);
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
}

fn insertion_line(painter: &Painter, theme: &Theme, slots: &Slots, at: usize) {
    let y = slots.line(at).round();
    let stroke = Stroke::new(2.0, theme.accent);
    painter.hline(slots.left_right.min + 3.0..=slots.left_right.max, y, stroke);
    painter.circle_filled(pos2(slots.left_right.min + 3.0, y), 3.0, theme.accent);
}

/// A small card beside the pointer.
fn ghost(ui: &Ui, pos: Pos2, name: &str, detail: &str, (outline, ink): (Color32, Color32)) {
    let theme = Theme::of(ui);
    let mut painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged row")));
    painter.set_opacity(theme::DRAG_GHOST_ALPHA);
    let name = painter.layout_no_wrap(name.to_owned(), theme::strong(), theme.text1);
    let detail = painter.layout_no_wrap(detail.to_owned(), theme::small(), ink);
    let width = (name.size().x.max(detail.size().x) + 44.0).clamp(176.0, 320.0);
    let rect = Rect::from_min_size(pos - vec2(16.0, 22.0), vec2(width, 44.0));
    plate(&painter, ui, rect, outline);
    Icon::Grip.paint(&painter, pos2(rect.left() + 16.0, rect.center().y), theme.text2);
    let clipped = painter.with_clip_rect(rect.shrink(4.0));
    clipped.galley(pos2(rect.left() + 32.0, rect.top() + 5.0), name, theme.text1);
    clipped.galley(pos2(rect.left() + 32.0, rect.top() + 24.0), detail, ink);
}

fn strategy_ghost(ui: &Ui, doc: &Document, drag: &StrategyDrag, pos: Pos2) {
    let theme = Theme::of(ui);
    let mut painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged strategy")));
    painter.set_opacity(theme::DRAG_GHOST_ALPHA);
    let name = painter.layout_no_wrap(drag.0.label(), theme::strong(), theme.text1);
    let rect = Rect::from_min_size(pos - vec2(16.0, 16.0), vec2(name.size().x + 60.0, 32.0));
    plate(&painter, ui, rect, theme.accent);
    let key = Rect::from_min_size(rect.left_top() + vec2(10.0, 0.0), vec2(28.0, rect.height()));
    paint_key(&painter, key, theme.strategy(doc.mark(drag.0.hash())));
    painter.galley(pos2(key.right() + 8.0, rect.center().y - name.size().y / 2.0), name, theme.text1);
    ui.ctx().set_cursor_icon(egui::CursorIcon::Grabbing);
}

fn plate(painter: &Painter, ui: &Ui, rect: Rect, outline: Color32) {
    let theme = Theme::of(ui);
    painter.add(Shape::from(ui.visuals().popup_shadow.as_shape(rect, theme::RADIUS_M)));
    painter.rect_filled(rect, theme::RADIUS_M, theme.bg4);
    painter.rect_stroke(rect, theme::RADIUS_M, Stroke::new(1.5, outline), StrokeKind::Inside);
}

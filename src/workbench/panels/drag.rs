//! Strategies that are dragged from one panel onto another.

use egui::{CursorIcon, DragAndDrop, Id, LayerId, Order, Rect, Stroke, StrokeKind, Ui, vec2};

use super::builder::plate;
use crate::strategy::Strategy;
use crate::workbench::command::{Command, Commands};
use crate::workbench::document::Document;
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{elided, paint_key};

/// A strategy on its way, for whoever accepts one: the experiment lets it play, the board uses it.
#[derive(Clone, Debug)]
pub struct StrategyDrag(pub std::sync::Arc<Strategy>);

/// Names are cut behind this width.
const WIDEST: f32 = 240.0;

/// Paints what follows the pointer while a strategy is dragged; once a frame, over all panels.
pub fn ghost(ui: &Ui, doc: &Document) {
    let Some(drag) = DragAndDrop::payload::<StrategyDrag>(ui.ctx()) else { return };
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()) else { return };
    let theme = Theme::of(ui);
    let mut painter = ui.ctx().layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged strategy")));
    painter.set_opacity(theme::DRAG_GHOST_ALPHA);
    let name = elided(&painter, &drag.0.label(), theme::strong(), theme.text1, WIDEST);
    let rect = Rect::from_min_size(pos - vec2(16.0, 16.0), vec2(name.size().x + 60.0, 32.0));
    plate(&painter, ui, rect, theme.accent);
    let key = Rect::from_min_size(rect.left_top() + vec2(10.0, 0.0), vec2(28.0, rect.height()));
    paint_key(&painter, key, theme.strategy(doc.mark(drag.0.hash())));
    painter.galley(egui::pos2(key.right() + 8.0, rect.center().y - name.size().y / 2.0), name, theme.text1);
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
}

/// Over the board: a strategy that is let go here plays, and is opened if it is not yet.
pub fn accept_on_board(ui: &Ui, doc: &Document, commands: &mut Commands) {
    let Some(drag) = DragAndDrop::payload::<StrategyDrag>(ui.ctx()) else { return };
    let rect = ui.clip_rect();
    let over = ui.input(|input| input.pointer.interact_pos()).is_some_and(|pos| rect.contains(pos));
    let theme = Theme::of(ui);
    let color = if over { theme.accent } else { theme.line };
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("board takes a strategy")));
    painter.rect_stroke(rect.shrink(2.0), theme::RADIUS_M, Stroke::new(2.0, color), StrokeKind::Inside);
    if !over {
        return;
    }
    let words = format!("Play here with {}", drag.0.label());
    let words = elided(&painter, &words, theme::strong(), theme.text1, rect.width() - theme::SPACE_XL);
    let plate = Rect::from_center_size(rect.center(), words.size() + 2.0 * vec2(theme::SPACE_L, theme::SPACE_M));
    painter.rect_filled(plate, theme::RADIUS_M, theme.bg4);
    painter.rect_stroke(plate, theme::RADIUS_M, Stroke::new(1.0, theme.accent), StrokeKind::Inside);
    painter.galley(plate.center() - words.size() / 2.0, words, theme.text1);
    if ui.input(|input| input.pointer.any_released()) {
        DragAndDrop::clear_payload(ui.ctx());
        commands.push(use_on_board(doc, &drag.0));
    }
}

/// What shows a strategy and lets it play on the board: an open one as it is, another one is opened.
pub fn use_on_board(doc: &Document, strategy: &Strategy) -> Command {
    match doc.strategies().iter().position(|open| *open.strategy == *strategy) {
        Some(index) => Command::SelectStrategy(index),
        None => Command::OpenStrategy(Box::new(strategy.clone())),
    }
}

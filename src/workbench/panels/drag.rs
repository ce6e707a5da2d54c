//! Drag and drop of strategies between panels.

use egui::{CursorIcon, DragAndDrop, Id, LayerId, Order, Rect, Stroke, StrokeKind, Ui, vec2};

use crate::strategy::{SharedStrategy, Strategy};
use crate::workbench::command::{Commands, StrategyCommand};
use crate::workbench::kit::{self, DropState, Line, drop_target, elided};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, StrategyMark, Theme};

/// The drag payload of a strategy. The experiment adds it as a contestant, the board plays it.
#[derive(Clone, Debug)]
pub struct StrategyDrag(pub SharedStrategy);

/// Longer names are truncated at this width.
const WIDEST: f32 = 240.0;

/// Paints the strategy that follows the pointer during a drag; once per frame, over all panels.
pub fn ghost(ui: &Ui, doc: &Document) {
    let Some(drag) = DragAndDrop::payload::<StrategyDrag>(ui.ctx()) else {
        return;
    };
    strategy_ghost(
        ui,
        &drag.0.label(),
        Theme::of(ui).strategy(doc.color_index(drag.0.hash())),
    );
}

/// Name and key of a strategy at the pointer.
pub fn strategy_ghost(ui: &Ui, label: &str, mark: StrategyMark) {
    let Some(pos) = ui.input(|input| input.pointer.interact_pos()) else {
        return;
    };
    let theme = Theme::of(ui);
    let width = elided(ui.painter(), label, theme::strong(), theme.text1, WIDEST)
        .size()
        .x;
    let size = vec2(width + 60.0, 32.0);
    let (painter, rect) = kit::ghost(
        ui,
        "dragged strategy",
        pos - vec2(16.0, 16.0),
        size,
        theme.accent,
    );
    let mut line = Line::new(&painter, rect, 10.0);
    line.key(theme, Some(mark));
    line.skip(8.0);
    line.start(label, theme::strong(), theme.text1);
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
}

/// The drop target of the board: a dropped strategy is opened unless it is open, and plays.
pub fn accept_on_board(ui: &Ui, doc: &Document, commands: &mut Commands) {
    let rect = ui.clip_rect();
    let Some(drag) = drop_target::<StrategyDrag>(ui, rect) else {
        return;
    };
    let theme = Theme::of(ui);
    let color = if matches!(drag, DropState::Elsewhere) {
        theme.line
    } else {
        theme.accent
    };
    let painter = ui.ctx().layer_painter(LayerId::new(
        Order::Foreground,
        Id::unique("board takes a strategy"),
    ));
    painter.rect_stroke(
        rect.shrink(2.0),
        theme::RADIUS_M,
        Stroke::new(2.0, color),
        StrokeKind::Inside,
    );

    match drag {
        DropState::Elsewhere => {}
        DropState::Over(drag, _) => {
            let words = format!("Play here with {}", drag.0.label());
            let words = elided(
                &painter,
                &words,
                theme::strong(),
                theme.text1,
                rect.width() - theme::SPACE_XL,
            );
            let plate = Rect::from_center_size(
                rect.center(),
                words.size() + 2.0 * vec2(theme::SPACE_L, theme::SPACE_M),
            );
            painter.rect_filled(plate, theme::RADIUS_M, theme.bg4);
            painter.rect_stroke(
                plate,
                theme::RADIUS_M,
                Stroke::new(1.0, theme.accent),
                StrokeKind::Inside,
            );
            painter.galley(plate.center() - words.size() / 2.0, words, theme.text1);
        }
        DropState::Here(drag, _) => commands.push(use_on_board(doc, &drag.0)),
    }
}

/// The command that selects a strategy to play on the board, and opens it if it is not open.
pub fn use_on_board(doc: &Document, strategy: &Strategy) -> StrategyCommand {
    match doc
        .strategies()
        .iter()
        .position(|open| *open.strategy == *strategy)
    {
        Some(index) => StrategyCommand::Select(index),
        None => StrategyCommand::Open(Box::new(strategy.clone())),
    }
}

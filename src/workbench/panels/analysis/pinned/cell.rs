//! One pinned position: its board, the moves below it, its number and group.

use egui::{Key, Painter, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::game::{Move, Moves};
use crate::preset::Pin;
use crate::words;
use crate::workbench::command::{Command, Commands, PinCommand, REMOVING};
use crate::workbench::kit::{Line, focus_ring, paint_mini};
use crate::workbench::panels::builder::{PinOutcome, Trial, menu_row, show_position};
use crate::workbench::panels::play::decision::either;
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Width of a position and side of its board.
pub(super) const WIDTH: f32 = 104.0;
/// Height, including the two lines below the board.
pub(super) const HEIGHT: f32 = WIDTH + 2.0 * LINE + 2.0;
/// Gap between two positions.
pub(super) const GAP: f32 = 12.0;
const LINE: f32 = 17.0;

pub(super) struct PinnedCell<'a> {
    /// Its number in the set, from 1.
    pub number: usize,
    pub pin: &'a Pin,
    pub outcome: PinOutcome<'a>,
    pub trial: &'a Trial,
    /// Whether it is the current board.
    pub on_board: bool,
}

impl PinnedCell<'_> {
    fn title(&self) -> String {
        format!(
            "No. {}, {}",
            words::count(self.number as u64),
            self.pin.group.name()
        )
    }

    fn spoken(&self) -> String {
        let said = match self.outcome {
            PinOutcome::Open => "not decided yet".to_owned(),
            PinOutcome::Impossible => "cannot be decided".to_owned(),
            PinOutcome::Decided { old, new } => {
                let before = match old {
                    None => String::new(),
                    Some(old) if old.choice == new.choice => ", as before".to_owned(),
                    Some(old) => format!(", before {}", either(old.choice)),
                };
                format!("{}{before}", either(new.choice))
            }
        };
        format!("{}: {said}", self.title())
    }

    fn tooltip(&self) -> String {
        let Pin { score, note, .. } = self.pin;
        let mut lines = vec![format!(
            "{}, {}",
            self.title(),
            words::plural(*score, "point")
        )];
        lines.extend((!note.is_empty()).then(|| note.clone()));
        match self.outcome {
            PinOutcome::Open => lines.push("Not decided yet".to_owned()),
            PinOutcome::Impossible => {
                lines.extend(
                    self.trial
                        .problem(self.pin)
                        .map(|reason| format!("Cannot decide: {reason}")),
                );
            }
            PinOutcome::Decided { old: None, new } => lines.push(new.why.to_string()),
            PinOutcome::Decided {
                old: Some(old),
                new,
            } if old == new => lines.push(format!("As before: {}", new.why)),
            PinOutcome::Decided {
                old: Some(old),
                new,
            } => {
                lines.extend([format!("Before: {}", old.why), format!("Now: {}", new.why)]);
            }
        }

        lines.push("Click to put it on the board".to_owned());
        lines.join("\n")
    }
}

/// Draws the position; a click puts it on the board.
pub(super) fn ui(
    ui: &mut Ui,
    rect: Rect,
    shown: &PinnedCell<'_>,
    doc: &Document,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    let PinnedCell {
        number,
        pin,
        outcome,
        ..
    } = shown;
    let response = ui.interact(
        rect,
        ui.scope_id().with(("pinned", *number)),
        Sense::click(),
    );
    response.widget_info(|| {
        WidgetInfo::selected(
            Role::Button,
            ui.is_enabled(),
            shown.on_board,
            shown.spoken(),
        )
    });
    let title = format!("pinned position {number}, {}", pin.group.name());
    if response.clicked() {
        show_position(pin.board, pin.score, title.clone(), commands);
    }

    let unpin = Command::Pin(PinCommand::Unpin(number - 1));
    let removes = |key: &Key| ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, *key));
    if response.has_focus() && REMOVING.iter().any(removes) {
        commands.push(unpin.clone());
    }
    if !ui.is_rect_visible(rect) {
        return;
    }

    let board = Rect::from_min_size(rect.min, vec2(WIDTH, WIDTH));
    let mut painter = ui.painter().clone();
    if !matches!(outcome, PinOutcome::Decided { .. }) {
        painter.set_opacity(theme::STALE_ALPHA);
    }
    let drawn = paint_mini(&painter, theme, board, &pin.board).rect;
    if shown.on_board {
        painter.rect_stroke(
            drawn,
            2,
            Stroke::new(2.0, theme.accent),
            StrokeKind::Outside,
        );
    } else if response.hovered() {
        painter.rect_stroke(drawn, 2, Stroke::new(1.0, theme.line), StrokeKind::Outside);
    }

    if response.has_focus() {
        focus_ring(ui, rect.expand(1.0));
    }
    below(&painter, theme, board, shown);
    let response = response.on_hover_text(shown.tooltip());
    response.context_menu(|ui| {
        let show = Command::Pin(PinCommand::Show {
            board: pin.board,
            score: pin.score,
            title,
        });
        menu_row(ui, doc, &show, "Put on the board", commands);
        menu_row(ui, doc, &unpin, "Unpin", commands);
    });
}

/// The moves with the number, and the group below them.
fn below(painter: &Painter, theme: &Theme, board: Rect, shown: &PinnedCell<'_>) {
    let middle = board.bottom() + 2.0 + LINE / 2.0;
    let mut line = Line::new(
        painter,
        Rect::from_x_y_ranges(board.x_range(), middle..=middle),
        0.0,
    );
    line.top(middle + LINE / 2.0)
        .start(shown.pin.group.name(), theme::small(), theme.text3);
    line.end(
        &format!("no. {}", words::count(shown.number as u64)),
        theme::small(),
        theme.text3,
    );

    let arrows = |moves: Moves| moves.iter().map(Move::arrow).collect::<String>();
    match shown.outcome {
        PinOutcome::Open => {}
        PinOutcome::Impossible => drop(line.start("✗ cannot decide", theme::small(), theme.error)),
        PinOutcome::Decided { old, new } => match old.filter(|old| old.choice != new.choice) {
            None => drop(line.start(&arrows(new.choice), theme::body(), theme.text2)),
            Some(old) => {
                let was = line
                    .start(&arrows(old.choice), theme::body(), theme.error)
                    .rect;
                // Slanted, because the left and right arrows are horizontal.
                let (from, to) = (
                    pos2(was.left() - 1.0, middle + 5.0),
                    pos2(was.right() + 1.0, middle - 4.0),
                );
                painter.line_segment([from, to], Stroke::new(1.2, theme.error));
                line.skip(5.0);
                line.start("›", theme::body(), theme.text3);
                line.skip(5.0);
                line.start(&arrows(new.choice), theme::strong(), theme.text1);
            }
        },
    }
}

//! One pinned position: its board, the moves below it, its number and group.

use egui::{FontId, Key, Painter, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::game::{Move, Moves};
use crate::preset::Pin;
use crate::words;
use crate::workbench::command::{Command, Commands, PinCommand};
use crate::workbench::document::Document;
use crate::workbench::panels::builder::{Outcome, Trial, menu_row, show_position};
use crate::workbench::theme::{self, Theme};
use crate::workbench::widget::{elided, focus_ring, paint_mini};

/// Width of a position and side of its board.
pub(super) const WIDTH: f32 = 104.0;
/// Height with the two lines below the board.
pub(super) const HEIGHT: f32 = WIDTH + 2.0 * LINE + 2.0;
/// Between two positions.
pub(super) const GAP: f32 = 12.0;
const LINE: f32 = 17.0;

/// What is shown of a position.
pub(super) struct Shown<'a> {
    /// Its number in the set, from 1.
    pub number: usize,
    pub pin: &'a Pin,
    /// What is known of it.
    pub outcome: Outcome<'a>,
    /// Where it is from.
    pub trial: &'a Trial,
    /// Whether it is the board on screen.
    pub on_board: bool,
}

impl Shown<'_> {
    fn title(&self) -> String {
        format!("No. {}, {}", words::count(self.number as u64), self.pin.group.name())
    }

    /// What a screen reader says.
    fn spoken(&self) -> String {
        let title = self.title();
        match self.outcome {
            Outcome::Open => format!("{title}: not decided yet"),
            Outcome::Impossible => format!("{title}: cannot be decided"),
            Outcome::Decided { old: None, new } => format!("{title}: {}", names(new.choice)),
            Outcome::Decided { old: Some(old), new } if old.choice == new.choice => {
                format!("{title}: {}, as before", names(new.choice))
            }
            Outcome::Decided { old: Some(old), new } => {
                format!("{title}: {}, before {}", names(new.choice), names(old.choice))
            }
        }
    }

    fn tooltip(&self) -> String {
        let Pin { score, note, .. } = self.pin;
        let mut lines = vec![format!("{}, {}", self.title(), words::plural(*score, "point"))];
        lines.extend((!note.is_empty()).then(|| note.clone()));
        match self.outcome {
            Outcome::Open => lines.push("Not decided yet".to_owned()),
            Outcome::Impossible => {
                lines.extend(self.trial.problem(self.pin).map(|reason| format!("It cannot be decided: {reason}")));
            }
            Outcome::Decided { old: None, new } => lines.push(new.why.to_string()),
            Outcome::Decided { old: Some(old), new } if old == new => lines.push(format!("As before: {}", new.why)),
            Outcome::Decided { old: Some(old), new } => {
                lines.push(format!("Before: {}", old.why));
                lines.push(format!("Now: {}", new.why));
            }
        }
        lines.push("Click to put it on the board".to_owned());
        lines.join("\n")
    }
}

/// Draws it; a click puts it on the board.
pub(super) fn ui(ui: &mut Ui, rect: Rect, shown: &Shown<'_>, doc: &Document, commands: &mut Commands) {
    let theme = Theme::of(ui);
    let Shown { number, pin, outcome, .. } = shown;
    let response = ui.interact(rect, ui.scope_id().with(("pinned", *number)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), shown.on_board, shown.spoken()));
    let title = format!("pinned position {number}, {}", pin.group.name());
    if response.clicked() {
        show_position(pin.board, pin.score, title.clone(), commands);
    }
    let unpin = Command::Pin(PinCommand::Unpin(number - 1));
    if response.has_focus() && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Delete)) {
        commands.push(unpin.clone());
    }
    if response.gained_focus() {
        ui.scroll_to_rect(rect.expand(theme::SPACE_S), None);
    }
    if !ui.is_rect_visible(rect) {
        return;
    }
    let board = Rect::from_min_size(rect.min, vec2(WIDTH, WIDTH));
    let mut painter = ui.painter().clone();
    if !matches!(outcome, Outcome::Decided { .. }) {
        painter.set_opacity(theme::STALE_ALPHA);
    }
    let size = pin.board.size();
    let tiles = pin.board.cells().map(|(cell, rank)| (usize::from(cell.row), usize::from(cell.col), rank.get()));
    let drawn = paint_mini(&painter, theme, board, (size.rows(), size.cols()), tiles).rect;
    if shown.on_board {
        painter.rect_stroke(drawn, 2, Stroke::new(2.0, theme.accent), StrokeKind::Outside);
    } else if response.hovered() {
        painter.rect_stroke(drawn, 2, Stroke::new(1.0, theme.line), StrokeKind::Outside);
    }
    if response.has_focus() {
        focus_ring(ui, rect.expand(1.0));
    }
    below(&painter, theme, board, shown);
    let response = response.on_hover_text(shown.tooltip());
    response.context_menu(|ui| {
        let show = Command::Pin(PinCommand::Show { board: pin.board, score: pin.score, title });
        menu_row(ui, doc, show, "Put on the board", commands);
        menu_row(ui, doc, unpin, "Unpin", commands);
    });
}

/// The moves with the number, and the group below.
fn below(painter: &Painter, theme: &Theme, board: Rect, shown: &Shown<'_>) {
    let middle = board.bottom() + 2.0 + LINE / 2.0;
    let number = format!("no. {}", words::count(shown.number as u64));
    let number = painter.layout_no_wrap(number, theme::small(), theme.text3);
    painter.galley(pos2(board.right() - number.size().x, middle - number.size().y / 2.0), number, theme.text3);
    let at = pos2(board.left(), middle);
    match shown.outcome {
        Outcome::Open => {}
        Outcome::Impossible => text(painter, at, "✗ does not fit", theme::small(), theme.error),
        Outcome::Decided { old, new } => match old.filter(|old| old.choice != new.choice) {
            None => drop(arrows(painter, at, new.choice, theme::body(), theme.text2)),
            Some(old) => {
                let end = arrows(painter, at, old.choice, theme::body(), theme.error);
                // Slanted, because arrows to the side are level themselves.
                let (from, to) = (pos2(at.x - 1.0, at.y + 5.0), pos2(end.x + 1.0, at.y - 4.0));
                painter.line_segment([from, to], Stroke::new(1.2, theme.error));
                let arrow = painter.layout_no_wrap("›".to_owned(), theme::body(), theme.text3);
                let next = pos2(end.x + 5.0, at.y);
                let width = arrow.size().x;
                painter.galley(pos2(next.x, next.y - arrow.size().y / 2.0), arrow, theme.text3);
                arrows(painter, pos2(next.x + width + 5.0, at.y), new.choice, theme::strong(), theme.text1);
            }
        },
    }
    let group = elided(painter, shown.pin.group.name(), theme::small(), theme.text3, WIDTH);
    painter.galley(pos2(board.left(), middle + LINE / 2.0), group, theme.text3);
}

fn text(painter: &Painter, at: Pos2, words: &str, font: FontId, color: egui::Color32) {
    let galley = elided(painter, words, font, color, WIDTH - 34.0);
    painter.galley(pos2(at.x, at.y - galley.size().y / 2.0), galley, color);
}

/// The arrows of the moves that are left; returns where they end.
fn arrows(painter: &Painter, at: Pos2, moves: Moves, font: FontId, color: egui::Color32) -> Pos2 {
    let words: String = moves.iter().map(Move::arrow).collect();
    let galley = painter.layout_no_wrap(words, font, color);
    let end = pos2(at.x + galley.size().x, at.y);
    painter.galley(pos2(at.x, at.y - galley.size().y / 2.0), galley, color);
    end
}

fn names(moves: Moves) -> String {
    let names: Vec<String> = moves.iter().map(|mv| mv.to_string()).collect();
    names.join(" or ")
}

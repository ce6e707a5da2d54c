//! The judge's losses of the legal moves on the board: an arrow for each move, towards its side.

use egui::{Align2, Rect, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::game::Move;
use crate::review::Points;
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::kit::{BoardGeometry, focus_ring};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Height of a label and its padding, in points.
const HEIGHT: f32 = 20.0;
const PAD: f32 = 7.0;

/// One arrow: the loss of a move, and whether it was played.
struct Arrow {
    mv: Move,
    loss: Points,
    is_played: bool,
    mark: &'static str,
}

impl Arrow {
    /// `← best`, `→ −1,240 ??`.
    fn text(&self) -> String {
        match self.loss {
            Points::ZERO => format!("{} best", self.mv.arrow()),
            loss => {
                // Two labels must fit next to each other on a small board.
                let places = usize::from(loss < Points::whole(100));
                let loss = words::decimals(loss.to_f64(), places);
                format!("{} −{loss} {}", self.mv.arrow(), self.mark)
                    .trim_end()
                    .to_owned()
            }
        }
    }

    fn name(&self) -> String {
        let loss = match self.loss {
            Points::ZERO => "judged best".to_owned(),
            loss => format!(
                "loses {} according to the judge",
                words::value(loss.to_f64())
            ),
        };
        format!(
            "{}: {loss}{}",
            self.mv,
            if self.is_played { ", played" } else { "" }
        )
    }
}

/// The arrows of the current position. Empty if its line is not reviewed, if arrows are off, or if practice asks for
/// this move.
fn arrows(doc: &Document) -> Vec<Arrow> {
    let wanted = doc.reviewing().shows_arrows()
        && !doc.hides_arrows()
        && doc.editing().is_none()
        && !doc.is_playing();
    let Some(reviewed) = doc.review().filter(|_| wanted) else {
        return Vec::new();
    };
    let place = doc.place();
    let Some(look) = reviewed.review.look(place) else {
        return Vec::new();
    };
    let played = reviewed
        .review
        .record()
        .steps
        .get(place)
        .map(|step| step.mv);
    let class = |mv: Move, loss: Points| {
        let thresholds = &reviewed.report.as_ref()?.thresholds;
        if played == Some(mv) {
            reviewed.review.class(place, thresholds)
        } else {
            thresholds.class(loss)
        }
    };
    let arrow = |mv: Move| {
        let loss = look.loss(mv)?;
        let mark = class(mv, loss).map_or("", |class| class.mark());
        Some(Arrow {
            mv,
            loss,
            is_played: played == Some(mv),
            mark,
        })
    };
    Move::ALL.into_iter().filter_map(arrow).collect()
}

/// Paints the arrows over the board and returns the hovered or focused move, whose afterstate is previewed. A click
/// plays the move.
pub(super) fn ui(
    ui: &mut Ui,
    geometry: &BoardGeometry,
    doc: &Document,
    commands: &mut Commands,
) -> Option<Move> {
    let (theme, board) = (Theme::of(ui), geometry.rect);
    let mut touched = None;
    for arrow in arrows(doc) {
        let painter = ui.painter();
        let ink = if arrow.loss == Points::ZERO {
            theme.on_accent
        } else {
            theme.text1
        };
        let galley = painter.layout_no_wrap(arrow.text(), theme::small(), ink);
        let size = vec2(galley.size().x + 2.0 * PAD, HEIGHT);
        let way = match arrow.mv {
            Move::Up => vec2(0.0, -1.0),
            Move::Down => vec2(0.0, 1.0),
            Move::Left => vec2(-1.0, 0.0),
            Move::Right => vec2(1.0, 0.0),
        };

        // At the edge of the board; above and below a little outside, so that numerals stay free.
        let reach = (board.size() - size) / 2.0 + vec2(-3.0, 4.0);
        let rect = Rect::from_center_size(board.center() + way * reach, size);
        let id = ui.scope_id().with(("loss", arrow.mv.name()));
        let response = ui.interact(rect, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), arrow.name()));
        let is_lit = response.hovered() || response.has_focus();
        let fill = if arrow.loss == Points::ZERO {
            theme.accent
        } else {
            theme.bg2
        };
        let painter = ui.painter();
        // The played move has a frame twice as wide, and its shaft reaches to the center.
        let frame = Stroke::new(
            if arrow.is_played { 2.0 } else { 1.0 },
            if is_lit { theme.text1 } else { theme.line },
        );
        if arrow.is_played || arrow.loss == Points::ZERO {
            let stroke = Stroke::new(
                3.0,
                if arrow.loss == Points::ZERO {
                    theme.accent
                } else {
                    theme.error
                },
            );
            let (from, to) = (
                board.center() + way * 8.0,
                rect.center() - way * (size / 2.0 + vec2(2.0, 2.0)),
            );
            if arrow.loss == Points::ZERO && !arrow.is_played {
                painter.extend(Shape::dashed_line(&[from, to], stroke, 6.0, 4.0));
            } else {
                painter.line_segment([from, to], stroke);
            }
        }

        painter.rect_filled(rect, theme::RADIUS_S, fill);
        painter.rect_stroke(rect, theme::RADIUS_S, frame, StrokeKind::Inside);
        let at = Align2::CENTER_CENTER
            .anchor_size(rect.center(), galley.size())
            .min;
        painter.galley(pos2(at.x.round(), at.y.round()), galley, ink);
        if response.has_focus() {
            focus_ring(ui, rect);
        }

        if is_lit {
            touched = Some(arrow.mv);
        }
        let hint = format!(
            "{}{}. Click to play this move",
            arrow.name(),
            if arrow.is_played { " here" } else { "" }
        );
        commands.when_clicked(&response.on_hover_text(hint), GameCommand::Slide(arrow.mv));
    }

    touched
}

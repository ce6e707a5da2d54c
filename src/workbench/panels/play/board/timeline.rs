//! The timeline below the board: empty cells, the judge's losses or moves that differ from the strategy, and a
//! scrubber.

use std::sync::Arc;

use egui::{
    Align2, Color32, CursorIcon, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::review::{Class, Points};
use crate::words;
use crate::workbench::command::{Commands, GameCommand, Panel};
use crate::workbench::kit::{describe_moves, elided, focus, focus_ring, paint_class, stepped};
use crate::workbench::state::{Document, Instantaneous, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Height with two lanes, and with one.
const TALL: f32 = 116.0;
const SHORT: f32 = 62.0;
/// Height of the numbers below the lanes, and of a caption above a lane.
const AXIS: f32 = 18.0;
const CAPTION: f32 = 15.0;

/// The height in a panel of this height; 0 hides the timeline.
pub(super) fn height(panel: f32) -> f32 {
    match panel {
        _ if 470.0 <= panel => TALL,
        _ if 320.0 <= panel => SHORT,
        _ => 0.0,
    }
}

/// The loss lane as drawn last: a game of thousands of moves is evaluated once and not in every frame.
#[derive(Debug, Default)]
pub(super) struct Losses {
    drawn: Option<Arc<Reviewed>>,
    /// The place of the first and of the last position.
    ends: [f32; 2],
    /// The largest loss in each column of pixels, by its place.
    columns: Vec<(f32, Points)>,
    /// The largest of all.
    most: f64,
}

impl Losses {
    fn follow(&mut self, reviewed: &Arc<Reviewed>, x_of: &impl Fn(usize) -> f32) {
        let review = &reviewed.review;
        let ends = [0, review.moves()].map(x_of);
        if self.ends == ends
            && self
                .drawn
                .as_ref()
                .is_some_and(|drawn| Arc::ptr_eq(drawn, reviewed))
        {
            return;
        }

        let mut columns: Vec<(f32, Points)> = Vec::new();
        for index in 0..review.moves() {
            let Some(loss) = review.loss(index) else {
                continue;
            };
            let x = x_of(index).round();
            match columns.last_mut() {
                Some((last, largest)) if *last == x => *largest = (*largest).max(loss),
                _ => columns.push((x, loss)),
            }
        }
        let most = columns
            .iter()
            .map(|(_, loss)| loss.to_f64())
            .fold(0.0, f64::max);
        *self = Self {
            drawn: Some(reviewed.clone()),
            ends,
            columns,
            most,
        };
    }
}

pub(super) fn ui(
    ui: &mut Ui,
    height: f32,
    doc: &Document,
    losses: &mut Losses,
    commands: &mut Commands,
) {
    let theme = Theme::of(ui);
    let (space, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
    focus::alone(&response);
    let moves = doc.line().len().saturating_sub(1);
    let place = doc.place();
    response.widget_info(|| {
        let name = match place < moves {
            true => format!(
                "Timeline, move {} of {}",
                words::count(doc.move_number()),
                words::count(moves as u64)
            ),
            false => format!("Timeline, after {}", words::plural(moves as u64, "move")),
        };
        WidgetInfo {
            value: Some(place as f64),
            ..WidgetInfo::labeled(Role::Slider, true, name)
        }
    });
    describe_moves(ui, &response, moves);
    if let Some(&node) = stepped(ui, &response, place, moves).and_then(|to| doc.line().get(to)) {
        commands.push(GameCommand::GoTo(node));
    }
    let plot = Rect::from_min_max(space.min, pos2(space.max.x, space.max.y - AXIS));
    let inner = plot.shrink2(vec2(5.0, 0.0));
    let x_of = |place: usize| inner.left() + inner.width() * place as f32 / moves.max(1) as f32;

    let place_at = |at: Pos2| {
        let share = ((at.x - inner.left()) / inner.width().max(1.0)).clamp(0.0, 1.0);
        (share * moves as f32).round() as usize
    };
    if let Some(at) = response
        .interact_pointer_pos()
        .filter(|_| response.dragged() || response.clicked())
        && let Some(&node) = doc
            .line()
            .get(place_at(at))
            .filter(|_| place_at(at) != place)
    {
        commands.push(GameCommand::GoTo(node));
    }

    let painter = ui.painter();
    painter.rect_filled(plot, theme::RADIUS_S, theme.bg2);
    let moments: Vec<Instantaneous> = doc.timeline().collect();
    let two_lanes = height == TALL;
    let judged = doc
        .review()
        .filter(|reviewed| reviewed.review.looked() != 0 && !doc.hides_losses());
    let lanes = match (two_lanes, judged) {
        (true, _) => split(plot),
        (false, Some(_)) => [Rect::NOTHING, plot],
        (false, None) => [plot, Rect::NOTHING],
    };
    if lanes[0].is_positive() {
        empty_lane(
            ui,
            theme,
            lanes[0],
            &moments,
            &x_of,
            doc.board().size().cells() as f32,
        );
    }
    if lanes[1].is_positive() {
        painter.hline(plot.x_range(), lanes[1].top(), Stroke::new(1.0, theme.bg1));
        match judged {
            Some(reviewed) => {
                losses.follow(reviewed, &x_of);
                loss_lane(ui, theme, lanes[1], reviewed, losses);
            }
            None => off_lane(
                ui,
                theme,
                lanes[1],
                &moments,
                doc.strategy().takes_time(),
                &x_of,
            ),
        }
    }
    let x = x_of(place);
    painter.vline(x, plot.y_range(), Stroke::new(2.0, theme.accent));
    let handle = Rect::from_center_size(pos2(x, plot.top() + 4.0), vec2(10.0, 10.0));
    painter.rect_filled(handle, 2, theme.accent);
    let caption = |lane: Rect, text: &str| {
        let text = elided(
            painter,
            text,
            theme::small(),
            theme.text2,
            lane.width() - 20.0,
        );
        let rect = Rect::from_min_size(lane.min + vec2(14.0, 2.0), text.size());
        // A background, so that the cursor's line passes behind the text.
        painter.rect_filled(rect.expand2(vec2(2.0, 0.0)), 0, theme.bg2);
        painter.galley(rect.min, text, theme.text2);
    };
    if lanes[0].is_positive() {
        caption(lanes[0], "Empty cells");
    }
    let off = moments
        .iter()
        .filter(|moment| moment.off == Some(true))
        .count();
    if let Some(reviewed) = judged {
        caption(
            lanes[1],
            &format!(
                "Loss by {}{}",
                reviewed.review.judge().strategy().label(),
                reviewed.so_far()
            ),
        );
        worst_mark(ui, theme, lanes[1], doc, reviewed, &x_of, commands);
    } else if two_lanes {
        let strategy = doc.strategy();
        let number = if off == 0 {
            "0".to_owned()
        } else {
            words::count(off as u64)
        };
        // A searching strategy has answers only for searched moves, so the text gives their number.
        let checked = moments.iter().filter(|moment| moment.off.is_some()).count();
        let counts = match (strategy.takes_time(), checked) {
            (false, _) => number,
            (true, 0) => "no move checked yet".to_owned(),
            (true, checked) => {
                format!(
                    "{number} of {} checked, {} in all",
                    words::count(checked as u64),
                    words::count(moves as u64)
                )
            }
        };
        caption(
            lanes[1],
            &format!("Moves that differ from {}: {counts}", strategy.label()),
        );
    }

    if response.has_focus() {
        focus_ring(ui, plot);
    }
    axis(ui, theme, space, inner, (place, moves), x);
    commands.context_menu(&response, &Panel::Board.commands(), doc);
    if let Some(at) = response.hover_pos() {
        let hovered = place_at(at);
        if let Some(moment) = moments.get(hovered) {
            let node = doc.tree().node(moment.node);
            response.on_hover_text_at_pointer(format!(
                "Move {}, score {}, {} empty{}",
                words::count(hovered as u64 + 1),
                words::count(node.score),
                moment.empty,
                lost_text(doc, hovered)
            ));
        }
    }
}

fn split(plot: Rect) -> [Rect; 2] {
    let middle = plot.top() + (plot.height() * 0.58).round();
    [
        Rect::from_min_max(plot.min, pos2(plot.max.x, middle)),
        Rect::from_min_max(pos2(plot.min.x, middle), plot.max),
    ]
}

/// The number of empty cells as an area; if moves are denser than pixels, the minimum per pixel.
fn empty_lane(
    ui: &Ui,
    theme: &Theme,
    lane: Rect,
    moments: &[Instantaneous],
    x_of: &impl Fn(usize) -> f32,
    cells: f32,
) {
    let color = theme.sequential(if theme.dark { 0.35 } else { 0.4 });
    let bottom = lane.bottom() - 1.0;
    let full = lane.height() - CAPTION - 2.0;
    let mut columns: Vec<(f32, f32)> = Vec::new();
    for (place, moment) in moments.iter().enumerate() {
        let (x, empty) = (x_of(place).round(), moment.empty as f32);
        match columns.last_mut() {
            Some((last, fewest)) if *last == x => *fewest = fewest.min(empty),
            _ => columns.push((x, empty)),
        }
    }

    let top = |empty: f32| bottom - full * (empty / cells).clamp(0.0, 1.0);
    let mut mesh = egui::Mesh::default();
    for pair in columns.windows(2) {
        let base = mesh.vertices.len() as u32;
        for (x, empty) in pair {
            mesh.colored_vertex(pos2(*x, bottom), color);
            mesh.colored_vertex(pos2(*x, top(*empty)), color);
        }
        mesh.add_triangle(base, base + 1, base + 2);
        mesh.add_triangle(base + 1, base + 2, base + 3);
    }

    ui.painter().add(Shape::mesh(mesh));
}

/// The judge's loss of each move, on a cube-root scale; if moves are denser than pixels, the maximum per pixel.
fn loss_lane(ui: &Ui, theme: &Theme, lane: Rect, reviewed: &Reviewed, losses: &Losses) {
    let most = losses.most.max(1.0).cbrt();
    let (bottom, full) = (lane.bottom() - 1.0, lane.height() - CAPTION - 4.0);
    let thresholds = reviewed.report.as_ref().map(|report| report.thresholds);

    let mut mesh = egui::Mesh::default();
    for &(x, loss) in losses
        .columns
        .iter()
        .filter(|(_, loss)| Points::ZERO < *loss)
    {
        let color = match thresholds.and_then(|thresholds| thresholds.class(loss)) {
            Some(Class::Blunder) => theme.error,
            Some(Class::Mistake) => theme.warn,
            _ => theme.text3,
        };
        let top = bottom - full * (loss.to_f64().cbrt() / most) as f32;
        mesh.add_colored_rect(
            Rect::from_min_max(pos2(x - 0.5, top), pos2(x + 0.5, bottom)),
            color,
        );
    }

    ui.painter().add(Shape::mesh(mesh));
}

/// The flag at the worst move, with its loss to the right of the caption. A click on the loss goes to the move.
fn worst_mark(
    ui: &Ui,
    theme: &Theme,
    lane: Rect,
    doc: &Document,
    reviewed: &Reviewed,
    x_of: &impl Fn(usize) -> f32,
    commands: &mut Commands,
) {
    let Some(worst) = reviewed
        .report
        .as_ref()
        .and_then(|report| report.worst.first())
    else {
        return;
    };
    let painter = ui.painter();
    let text = format!("worst −{}", words::decimals(worst.verdict.loss.to_f64(), 0));
    let Some(class) = worst.class else { return };
    let color = if class == Class::Blunder {
        theme.error
    } else {
        theme.text2
    };
    let galley = painter.layout_no_wrap(text, theme::strong_of(11.0), color);
    let at = pos2(lane.right() - galley.size().x - 18.0, lane.top() + 2.0);
    let ground = Rect::from_min_max(at, pos2(lane.right() - 4.0, at.y + galley.size().y))
        .expand2(vec2(3.0, 0.0));
    // A part of the plot, without the focus: the timeline is one stop.
    let response = ui.interact(ground, ui.scope_id().with("worst move"), Sense::CLICK);
    let index = worst.verdict.index;
    let name = format!("Go to the worst move, {}", words::count(index as u64 + 1));
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    painter.rect_filled(
        ground,
        0,
        if response.hovered() {
            theme.bg4
        } else {
            theme.bg2
        },
    );
    let is_clicked = response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(name)
        .clicked();
    if let Some(&node) = doc.line().get(index).filter(|_| is_clicked) {
        commands.push(GameCommand::GoTo(node));
    }
    let end = pos2(lane.right() - 10.0, at.y + galley.size().y / 2.0);
    painter.galley(at, galley, color);
    paint_class(painter, theme, end, class);
    paint_class(
        painter,
        theme,
        pos2(x_of(index), lane.top() + CAPTION + 2.0),
        class,
    );
}

/// The loss of a move, for the tooltip.
fn lost_text(doc: &Document, index: usize) -> String {
    let loss = doc
        .review()
        .filter(|_| !doc.hides_losses())
        .and_then(|reviewed| reviewed.review.loss(index));
    loss.map_or(String::new(), |loss| {
        format!(", loss {}", words::value(loss.to_f64()))
    })
}

/// A tick for each move that differs from the strategy's choice; `sparse` if only some moves were checked.
fn off_lane(
    ui: &Ui,
    theme: &Theme,
    lane: Rect,
    moments: &[Instantaneous],
    sparse: bool,
    x_of: &impl Fn(usize) -> f32,
) {
    let (top, bottom) = (lane.top() + CAPTION + 3.0, lane.bottom() - 2.0);
    let tick = |x: f32, color: Color32, top: f32| {
        ui.painter().line_segment(
            [Pos2::new(x, top), Pos2::new(x, bottom)],
            Stroke::new(1.5, color),
        );
    };
    for (place, moment) in moments.iter().enumerate() {
        if moment.off == Some(true) {
            tick(x_of(place), theme.error, top);
        } else if sparse && moment.off == Some(false) {
            // Among few checked moves, a short tick marks agreement.
            tick(x_of(place), theme.text3, bottom - 4.0);
        }
    }
    ui.painter().hline(
        lane.x_range().shrink(5.0),
        bottom,
        Stroke::new(1.0, theme.grid),
    );
}

fn axis(ui: &Ui, theme: &Theme, space: Rect, inner: Rect, (place, moves): (usize, usize), x: f32) {
    let bottom = space.bottom();
    let painter = ui.painter();
    let text = |at: f32, align: Align2, number: usize, font: egui::FontId| {
        let text = if number <= moves {
            words::count(number as u64)
        } else {
            "end".to_owned()
        };
        let galley = painter.layout_no_wrap(text, font, Color32::PLACEHOLDER);
        (align.anchor_size(pos2(at, bottom), galley.size()), galley)
    };

    let at = x.clamp(inner.left() + 10.0, inner.right() - 10.0);
    let (here, galley) = text(at, Align2::CENTER_BOTTOM, place + 1, theme::strong_of(11.0));
    painter.galley(here.min, galley, theme.text1);
    // Omits an end that would overlap the current number.
    let ends = [
        (inner.left() - 4.0, Align2::LEFT_BOTTOM, 1),
        (inner.right() + 4.0, Align2::RIGHT_BOTTOM, moves),
    ];
    for (at, align, number) in ends.into_iter().filter(|_| moves != 0) {
        let (rect, galley) = text(at, align, number, theme::small());
        if !rect.expand(4.0).intersects(here) {
            painter.galley(rect.min, galley, theme.text3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::panels::review::reviewed;

    #[test]
    fn losses_are_evaluated_once_for_each_review_and_width() {
        let reviewed = Arc::new(reviewed(1));
        let x_of = |pixels: f32| move |place: usize| pixels * place as f32;
        let review = &reviewed.review;
        let all: Vec<(f32, Points)> = (0..review.moves())
            .filter_map(|index| Some((2.0 * index as f32, review.loss(index)?)))
            .collect();
        let mut losses = Losses::default();
        losses.follow(&reviewed, &x_of(2.0));
        assert_eq!(losses.columns, all);
        losses.columns.clear();
        losses.follow(&reviewed, &x_of(2.0));
        assert!(losses.columns.is_empty(), "evaluated again");

        // Several moves in a pixel show the largest loss of them.
        losses.follow(&reviewed, &x_of(0.25));
        assert!(losses.columns.len() < all.len());
        let largest = |columns: &[(f32, Points)]| columns.iter().map(|(_, loss)| *loss).max();
        assert_eq!(largest(&losses.columns), largest(&all));
        losses.columns.clear();
        losses.follow(&Arc::new(Reviewed::clone(&reviewed)), &x_of(0.25));
        assert!(!losses.columns.is_empty(), "another review");
    }
}

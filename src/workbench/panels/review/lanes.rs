//! The game in lanes, a column a pixel: what is expected, losses, luck, empty cells, the largest tile.
//!
//! Where moves are denser than pixels, each column shows the least and the largest of its moves, so that nothing that sticks out
//! is lost. The wheel zooms about the pointer, with Shift or sideways it scrolls; a click goes to the position.

use egui::{Align2, Color32, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::review::Class;
use crate::words;
use crate::workbench::command::{Commands, GameCommand};
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Height of the words above a lane.
const CAPTION: f32 = 14.0;

/// Below this height the lanes of the board are left out: the timeline under the board has one.
const TALL: f32 = 170.0;

/// Fewest moves that are shown across.
const CLOSEST: f64 = 12.0;

const LANES: [(&str, f32); 5] =
    [("Expected final score", 3.0), ("Loss", 3.0), ("Luck", 3.0), ("Empty cells", 1.5), ("Largest tile", 1.5)];

#[derive(Debug, Default)]
pub(super) struct LanesView {
    /// The moves that are shown, first and last; all of them without one.
    range: Option<[f64; 2]>,
}

/// Least and largest of the moves of a column of pixels.
type Column = Option<[f64; 2]>;

impl LanesView {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        height: f32,
        doc: &Document,
        reviewed: &Reviewed,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (space, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        let moves = reviewed.review.moves();
        let place = doc.place();
        response.widget_info(|| {
            let name = format!(
                "Review of {}, judged {} of {} positions, at move {}",
                words::plural(moves as u64, "move"),
                words::count(reviewed.review.looked() as u64),
                words::count(moves as u64 + 1),
                words::count(place as u64),
            );
            WidgetInfo { value: Some(place as f64), ..WidgetInfo::labeled(Role::Image, true, name) }
        });
        let [first, last] = self.scrolled(ui, &response, moves as f64);
        let x_of = |index: f64| space.left() + space.width() * ((index - first) / (last - first)) as f32;
        let index_at = |x: f32| first + (last - first) * f64::from((x - space.left()) / space.width().max(1.0));
        ui.painter().rect_filled(space, theme::RADIUS_S, theme.bg2);
        let pixels = (space.width().ceil() as usize).max(1);
        let bounds = |pixel: usize| {
            let [from, to] = [pixel, pixel + 1].map(|pixel| index_at(space.left() + pixel as f32));
            (from.ceil().max(0.0) as usize, (to.ceil().max(0.0) as usize).min(moves + 1))
        };
        let mut top = space.top();
        let lanes = shown(height);
        let all: f32 = lanes.iter().map(|(_, share)| share).sum();
        for (lane, &(name, share)) in lanes.iter().enumerate() {
            let rect = Rect::from_min_size(pos2(space.left(), top), vec2(space.width(), space.height() * share / all));
            top = rect.bottom();
            let columns: Vec<Column> = (0..pixels)
                .map(|pixel| {
                    let (mut from, to) = bounds(pixel);
                    // Where moves are further apart than pixels, a position holds until the next; losses and luck stand alone.
                    if !matches!(lane, 1 | 2) && to <= from {
                        from = to.saturating_sub(1);
                    }
                    (from..to).filter_map(|index| value(lane, index, reviewed)).fold(None, |column: Column, value| {
                        let [least, most] = column.unwrap_or([value; 2]);
                        Some([least.min(value), most.max(value)])
                    })
                })
                .collect();
            let bar = (space.width() / (last - first) as f32 * 0.5).clamp(1.0, 5.0);
            paint(ui, theme, rect, (lane, name), &columns, bar);
        }
        marks(ui, theme, space, reviewed, &x_of, [first, last]);
        ui.painter().vline(x_of(place as f64), space.y_range(), Stroke::new(2.0, theme.accent));
        let clamp = |x: f32| (index_at(x).round().max(0.0) as usize).min(doc.line.len().saturating_sub(1));
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged())
            && let Some(&node) = doc.line.get(clamp(at.x)).filter(|_| clamp(at.x) != place)
        {
            commands.push(GameCommand::GoTo(node));
        }
        if let Some(at) = response.hover_pos() {
            response.on_hover_text_at_pointer(told(reviewed, clamp(at.x)));
        }
    }

    /// The moves that are shown, after what the wheel has done.
    fn scrolled(&mut self, ui: &Ui, response: &egui::Response, moves: f64) -> [f64; 2] {
        let [mut first, mut last] = self.range.filter(|[_, last]| *last <= moves).unwrap_or([0.0, moves.max(1.0)]);
        if let Some(at) = response.hover_pos() {
            let (scroll, zoom) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
            let share = f64::from((at.x - response.rect.left()) / response.rect.width().max(1.0));
            let by = f64::from(zoom) * (f64::from(scroll.y) * 0.004).exp();
            let width = ((last - first) / by).clamp(CLOSEST.min(moves), moves.max(1.0));
            let about = first + (last - first) * share;
            let moved = f64::from(-scroll.x) / f64::from(response.rect.width()) * width;
            first = (about - width * share + moved).clamp(0.0, (moves - width).max(0.0));
            last = first + width;
        }
        self.range = (last - first < moves).then_some([first, last]);
        [first, last.max(first + 1.0)]
    }
}

/// What a lane shows of a position; `None` where nothing is known.
fn value(lane: usize, index: usize, reviewed: &Reviewed) -> Option<f64> {
    let review = &reviewed.review;
    let moment = review.moments().get(index)?;
    match lane {
        0 => Some(moment.score as f64 + review.look(index)?.worth().to_f64()),
        1 => Some(-review.loss(index)?.to_f64()),
        2 => Some(review.luck(index)?.to_f64()),
        3 => Some(f64::from(moment.board.empty_count())),
        _ => Some(f64::from(moment.board.max_rank().get())),
    }
}

/// The lanes that a height has room for.
fn shown(height: f32) -> &'static [(&'static str, f32)] {
    if height < TALL { &LANES[..3] } else { &LANES }
}

/// `bar` is how wide a loss and the luck of a tile are drawn.
fn paint(ui: &Ui, theme: &Theme, rect: Rect, (lane, name): (usize, &str), columns: &[Column], bar: f32) {
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.bg1));
    let inside = Rect::from_min_max(rect.min + vec2(0.0, CAPTION.min(rect.height() / 2.0)), rect.max - vec2(0.0, 2.0));
    let known = || columns.iter().flatten();
    let (mut low, mut high) = known()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [least, most]| (low.min(*least), high.max(*most)));
    if !low.is_finite() {
        (low, high) = (0.0, 1.0);
    }
    // What is counted from nought is drawn from there.
    (low, high) = (low.min(0.0), high.max(0.0));
    let y = |value: f64| inside.bottom() - inside.height() * ((value - low) / (high - low).max(1e-9)) as f32;
    let color = |value: f64| match lane {
        1 => theme.error,
        2 if value < 0.0 => theme.warn,
        2 => theme.ok,
        _ => theme.sequential(if theme.dark { 0.45 } else { 0.5 }),
    };
    let stroke = |x: f32, from: f32, to: f32, color: Color32| {
        let width = if matches!(lane, 1 | 2) { bar } else { 1.0 };
        painter.line_segment([pos2(x, from), pos2(x, to)], Stroke::new(width, color));
    };
    for (pixel, column) in columns.iter().enumerate() {
        let Some([least, most]) = *column else { continue };
        let x = rect.left() + pixel as f32 + 0.5;
        match lane {
            1 | 2 => {
                for value in [least, most].into_iter().filter(|value| *value != 0.0) {
                    stroke(x, y(0.0), y(value), color(value));
                }
            }
            0 => stroke(x, y(least) + 0.5, y(most) - 0.5, color(most)),
            _ => stroke(x, inside.bottom(), y(least), color(least)),
        }
    }
    let ends = match lane {
        1 => format!("{name}, up to {}", words::value(-low)),
        2 => format!("{name}, {} to +{}", words::value(low), words::value(high)),
        4 => format!("{name}, up to {}", words::count(1_u64 << high.clamp(0.0, 62.0) as u32)),
        _ => format!("{name}, up to {}", words::value(high)),
    };
    let ends = painter.layout_no_wrap(ends, theme::small(), theme.text2);
    let place = rect.min + vec2(6.0, 1.0);
    painter.rect_filled(
        Rect::from_min_size(place, ends.size()).expand2(vec2(3.0, 0.0)),
        2,
        theme.bg2.gamma_multiply(0.85),
    );
    painter.galley(place, ends, theme.text2);
}

/// `??` and `?` above the losses of blunders and mistakes, where there is room between them.
fn marks(
    ui: &Ui,
    theme: &Theme,
    space: Rect,
    reviewed: &Reviewed,
    x_of: &impl Fn(f64) -> f32,
    [first, last]: [f64; 2],
) {
    let Some(report) = &reviewed.report else { return };
    let all: f32 = shown(space.height()).iter().map(|(_, share)| share).sum();
    let y = space.top() + space.height() * LANES[0].1 / all + 1.0;
    // Beside the words of the lane.
    let words = space.left() + 150.0;
    let (mut taken, range) = (words, first.max(0.0) as usize..(last.max(0.0) as usize + 1));
    for index in range {
        let Some(class) = reviewed.review.loss(index).and_then(|loss| report.thresholds.class(loss)) else { continue };
        let x = x_of(index as f64);
        if class != Class::Inaccuracy && taken + 14.0 < x {
            ui.painter().text(pos2(x, y), Align2::CENTER_TOP, class.mark(), theme::small(), theme.text1);
            taken = x;
        }
    }
}

/// What is said of a position under the pointer.
fn told(reviewed: &Reviewed, index: usize) -> String {
    let review = &reviewed.review;
    let points = |points: Option<crate::review::Points>| {
        points.map_or("not judged yet".to_owned(), |of| words::value(of.to_f64()))
    };
    let worth = review.look(index).map(crate::review::Look::worth);
    let plies = review.look(index).map_or(String::new(), |look| format!(" ({} plies)", look.plies));
    let mut text = format!("Position {}: {} to come{plies}", words::count(index as u64), points(worth));
    if let Some(step) = review.record().steps.get(index) {
        text += &format!("\n{} lost {}", step.mv, points(review.loss(index)));
        text += &format!("\nThen {}: luck {}", step.spawn, points(review.luck(index)));
    }
    text
}

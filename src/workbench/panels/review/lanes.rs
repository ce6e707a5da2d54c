//! The game in lanes, a column a pixel: what is expected, losses, luck, empty cells, the largest tile, how deep the player looked
//! and how long it took where that is known.
//!
//! Where moves are denser than pixels, each column shows the least and the largest of its moves, so that nothing that sticks out
//! is lost. The wheel zooms about the pointer, with Shift or sideways it scrolls; a click goes to the position. The line across the
//! losses is the threshold of a mistake: dragging it sets it.

use std::iter;
use std::sync::Arc;

use egui::{Align2, Color32, CursorIcon, Mesh, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::review::{Class, Points};
use crate::search::layers;
use crate::words;
use crate::workbench::command::{Commands, GameCommand, ReviewCommand};
use crate::workbench::kit::describe;
use crate::workbench::state::{Document, Reviewed};
use crate::workbench::theme::{self, Theme};

/// Height of the words above a lane.
const CAPTION: f32 = 14.0;

/// Height of the handle of the threshold.
const GRIP: f32 = 6.0;

/// Below this height the lanes of the board are left out: the timeline under the board has one.
const TALL: f32 = 170.0;

/// How far from the threshold the pointer takes hold of it.
const HANDLE: f32 = 4.0;

/// Fewest moves that are shown across.
const CLOSEST: f64 = 12.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lane {
    Expected,
    Loss,
    Luck,
    Empty,
    Largest,
    Depth,
    Time,
}

impl Lane {
    const fn name(self) -> &'static str {
        match self {
            Self::Expected => "Expected final score",
            Self::Loss => "Loss",
            Self::Luck => "Luck",
            Self::Empty => "Empty cells",
            Self::Largest => "Largest tile",
            Self::Depth => "Plies of the player",
            Self::Time => "Time of the player",
        }
    }

    /// What is said behind the name where there is room, and of a position under the pointer anyway.
    const fn source(self) -> &'static str {
        match self {
            Self::Depth => ", as measured here or as its strategy says",
            Self::Time => ", as measured here",
            _ => "",
        }
    }

    /// What its words take of its height. Those of the losses stand above the threshold and its handle, as the marks do.
    const fn caption(self) -> f32 {
        if matches!(self, Self::Loss) { CAPTION + GRIP } else { CAPTION }
    }

    /// Its share of the height.
    const fn share(self) -> f32 {
        if self.is_of_judge() { 3.0 } else { 1.5 }
    }

    const fn is_of_judge(self) -> bool {
        matches!(self, Self::Expected | Self::Loss | Self::Luck)
    }

    /// Whether a value belongs to a move alone; else it holds until the next position.
    const fn is_of_move(self) -> bool {
        matches!(self, Self::Loss | Self::Luck)
    }
}

#[derive(Debug, Default)]
pub(super) struct LanesView {
    /// The moves that are shown, first and last; all of them without one.
    range: Option<[f64; 2]>,
    /// The threshold of a mistake while it is dragged.
    dragged: Option<Points>,
    drawn: Drawn,
}

/// What is drawn of a review, kept while it is the same: a game of thousands of moves is gone through once and not in every frame.
#[derive(Debug, Default)]
struct Drawn {
    of: Option<Arc<Reviewed>>,
    as_of: AsOf,
    lanes: Vec<(Lane, Vec<Column>)>,
    /// Moves in sight that are more than inaccuracies.
    mistakes: Vec<(usize, Class)>,
}

/// What the columns depend on beside the review.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct AsOf {
    range: [f64; 2],
    width: f32,
    is_tall: bool,
    measured: u64,
}

/// Least and largest of the moves of a column of pixels.
type Column = Option<[f64; 2]>;

impl LanesView {
    pub(super) fn ui(
        &mut self,
        ui: &mut Ui,
        height: f32,
        doc: &Document,
        reviewed: &Arc<Reviewed>,
        commands: &mut Commands,
    ) {
        let theme = Theme::of(ui);
        let (space, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click_and_drag());
        let moves = reviewed.review.moves();
        let place = doc.place();
        response.widget_info(|| {
            let name = format!(
                "Review of {}, judged {} of {} positions, {}",
                words::plural(moves as u64, "move"),
                words::count(reviewed.review.looked() as u64),
                words::count(moves as u64 + 1),
                place_text(place, moves),
            );
            WidgetInfo { value: Some(place as f64), ..WidgetInfo::labeled(Role::Image, true, name) }
        });
        let [first, last] = self.scrolled(ui, &response, moves as f64);
        let x_of = |index: f64| space.left() + space.width() * ((index - first) / (last - first)) as f32;
        let index_at = |x: f32| first + (last - first) * f64::from((x - space.left()) / space.width().max(1.0));
        ui.painter().rect_filled(space, theme::RADIUS_S, theme.bg2);
        let mut top = space.top();
        let range = [first, last];
        let as_of = AsOf { range, width: space.width(), is_tall: TALL <= height, measured: doc.measured() };
        let drawn = self.drawn.of(doc, reviewed, as_of);
        let all: f32 = drawn.lanes.iter().map(|(lane, _)| lane.share()).sum();
        for (lane, columns) in &drawn.lanes {
            let lane = *lane;
            let tall = space.height() * lane.share() / all;
            let rect = Rect::from_min_size(pos2(space.left(), top), vec2(space.width(), tall));
            top = rect.bottom();
            let bar = (space.width() / (last - first) as f32 * 0.5).clamp(1.0, 5.0);
            let scale = Scale::of(rect, lane, columns);
            paint(ui, theme, rect, lane, columns, &scale, bar);
            if lane == Lane::Loss {
                // In a low lane it would lie on the words.
                if 2.0 * lane.caption() < rect.height() {
                    threshold_ui(ui, rect, &scale, reviewed, &mut self.dragged, commands);
                }
                marks(ui, theme, rect, &drawn.mistakes, &x_of);
            }
        }
        ui.painter().vline(x_of(place as f64), space.y_range(), Stroke::new(2.0, theme.accent));
        let clamp = |x: f32| (index_at(x).round().max(0.0) as usize).min(doc.line.len().saturating_sub(1));
        if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked() || response.dragged())
            && let Some(&node) = doc.line.get(clamp(at.x)).filter(|_| clamp(at.x) != place)
        {
            commands.push(GameCommand::GoTo(node));
        }
        if let Some(at) = response.hover_pos() {
            response.on_hover_text_at_pointer(told(doc, reviewed, clamp(at.x)));
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

/// The threshold of a mistake as a line across the losses; dragging it sets it.
fn threshold_ui(
    ui: &Ui,
    rect: Rect,
    scale: &Scale,
    reviewed: &Reviewed,
    dragged: &mut Option<Points>,
    commands: &mut Commands,
) {
    let Some(thresholds) = reviewed.report.as_ref().map(|report| report.thresholds) else { return };
    let theme = Theme::of(ui);
    let set = dragged.unwrap_or(thresholds.mistake);
    // Where no loss is so large it lies at the end of the lane.
    let y = scale.y((-set.to_f64()).max(scale.low));
    let line = Rect::from_x_y_ranges(rect.x_range(), y - HANDLE..=y + HANDLE);
    let response = ui.interact(line, ui.scope_id().with("threshold"), Sense::drag());
    let name = format!("A mistake loses {} points or more", words::value(set.to_f64()));
    response.widget_info(|| WidgetInfo { value: Some(set.to_f64()), ..WidgetInfo::labeled(Role::Slider, true, &name) });
    describe(ui, response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value((-scale.low).max(set.to_f64()));
    });
    if response.dragged()
        && let Some(at) = response.interact_pointer_pos()
    {
        let points = Points::of(-scale.value(at.y)).filter(|&points| Points::ZERO < points);
        *dragged = points.or(*dragged);
    }
    if response.drag_stopped()
        && let Some(points) = dragged.take().filter(|&points| points != thresholds.mistake)
    {
        commands.push(ReviewCommand::Thresholds(thresholds.with(Class::Mistake, points)));
    }
    let is_held = response.hovered() || response.dragged();
    let stroke = Stroke::new(if is_held { 2.0 } else { 1.0 }, theme.text2);
    let painter = ui.painter();
    painter.extend(Shape::dashed_line(&[line.left_center(), line.right_center()], stroke, 4.0, 4.0));
    let grip = Rect::from_center_size(pos2(rect.right() - 8.0, y), vec2(12.0, GRIP));
    painter.rect_filled(grip, 3, stroke.color);
    response.on_hover_cursor(CursorIcon::ResizeVertical).on_hover_text(format!("{name}; drag to set"));
}

impl Drawn {
    fn of(&mut self, doc: &Document, reviewed: &Arc<Reviewed>, as_of: AsOf) -> &Self {
        let is_same = self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, reviewed)) && self.as_of == as_of;
        if !is_same {
            let lanes = shown(as_of.is_tall, doc, reviewed);
            let lanes = lanes.into_iter().map(|lane| (lane, columns(lane, as_of, doc, reviewed))).collect();
            let mistakes = mistakes(reviewed, as_of.range);
            *self = Self { of: Some(reviewed.clone()), as_of, lanes, mistakes };
        }
        self
    }
}

/// A lane, a column a pixel.
fn columns(lane: Lane, as_of: AsOf, doc: &Document, reviewed: &Reviewed) -> Vec<Column> {
    let ([first, last], width) = (as_of.range, f64::from(as_of.width.max(1.0)));
    let (moves, pixels) = (reviewed.review.moves(), width.ceil() as usize);
    let begin = |pixel: usize| (first + (last - first) * pixel as f64 / width).ceil().max(0.0) as usize;
    let column = |pixel: usize| {
        // The end of the game stands in the last column.
        let to = if pixel + 1 == pixels { last as usize + 1 } else { begin(pixel + 1) };
        let (mut from, to) = (begin(pixel), to.min(moves + 1));
        // Where moves are further apart than pixels, a position holds until the next; losses and luck stand alone.
        if !lane.is_of_move() && to <= from {
            from = to.saturating_sub(1);
        }
        (from..to).filter_map(|index| value(lane, index, doc, reviewed)).fold(None, |column: Column, value| {
            let [least, most] = column.unwrap_or([value; 2]);
            Some([least.min(value), most.max(value)])
        })
    };
    let columns: Vec<Column> = (0..pixels).map(column).collect();
    if lane == Lane::Expected { joined(&columns) } else { columns }
}

/// Makes one line of columns: each reaches as far as the one before it, where that is known.
fn joined(columns: &[Column]) -> Vec<Column> {
    let join = |(column, before): (&Column, &Column)| {
        let [least, most] = (*column)?;
        let [low, high] = before.unwrap_or([least, most]);
        Some([least.min(high), most.max(low)])
    };
    columns.iter().zip(iter::once(&None).chain(columns)).map(join).collect()
}

fn mistakes(reviewed: &Reviewed, [first, last]: [f64; 2]) -> Vec<(usize, Class)> {
    let Some(report) = &reviewed.report else { return Vec::new() };
    let range = first.max(0.0) as usize..(last.max(0.0) as usize + 1);
    let class = |index| Some((index, reviewed.review.class(index, &report.thresholds)?));
    range.filter_map(class).filter(|(_, class)| *class != Class::Inaccuracy).collect()
}

/// What a lane shows of a position; `None` where nothing is known.
fn value(lane: Lane, index: usize, doc: &Document, reviewed: &Reviewed) -> Option<f64> {
    let review = &reviewed.review;
    let moment = review.moments().get(index)?;
    match lane {
        Lane::Expected => Some(moment.score as f64 + review.look(index)?.worth().to_f64()),
        Lane::Loss => Some(-review.loss(index)?.to_f64()),
        Lane::Luck => Some(review.luck(index)?.to_f64()),
        Lane::Empty => Some(f64::from(moment.board.empty_count())),
        Lane::Largest => Some(f64::from(moment.board.max_rank().get())),
        Lane::Depth => depth(index, doc, reviewed).map(f64::from),
        Lane::Time => Some(doc.spent_at(index)?.elapsed.as_secs_f64()),
    }
}

/// How deep the player looked before a move: as it was measured here, else as its strategy says for this board. A forced move is not
/// searched, and of several rows the later ones only where the first leave a choice: of these the strategy does not say it.
fn depth(index: usize, doc: &Document, reviewed: &Reviewed) -> Option<u32> {
    reviewed.review.record().steps.get(index)?;
    let said = || {
        let (strategy, board) = (reviewed.player.as_ref().ok()?.strategy(), &reviewed.review.moments()[index].board);
        let has_one_row = strategy.criteria.iter().filter(|row| !row.off).count() == 1;
        (has_one_row && 1 < board.legal_moves().len()).then(|| strategy.plies_on(board))?
    };
    doc.spent_at(index).map(|spent| spent.plies).or_else(said)
}

/// The lanes that there is room for and of which something is known.
fn shown(is_tall: bool, doc: &Document, reviewed: &Reviewed) -> Vec<Lane> {
    let mut lanes = vec![Lane::Expected, Lane::Loss, Lane::Luck];
    if !is_tall {
        return lanes;
    }
    lanes.extend([Lane::Empty, Lane::Largest]);
    let searches = reviewed.player.as_ref().is_ok_and(|player| player.strategy().looks_ahead());
    let moves = reviewed.review.moves();
    lanes.extend((searches && (0..moves).any(|index| depth(index, doc, reviewed).is_some())).then_some(Lane::Depth));
    lanes.extend((0..moves).any(|index| doc.spent_at(index).is_some()).then_some(Lane::Time));
    lanes
}

/// From values to heights within a lane.
struct Scale {
    inside: Rect,
    low: f64,
    high: f64,
}

impl Scale {
    fn of(rect: Rect, lane: Lane, columns: &[Column]) -> Self {
        let caption = lane.caption().min(rect.height() / 2.0);
        let inside = Rect::from_min_max(rect.min + vec2(0.0, caption), rect.max - vec2(0.0, 2.0));
        let known = columns.iter().flatten();
        let (mut low, mut high) = known
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), [least, most]| (low.min(*least), high.max(*most)));
        if !low.is_finite() {
            (low, high) = (0.0, 1.0);
        }
        // What is counted from nought is drawn from there.
        Self { inside, low: low.min(0.0), high: high.max(0.0) }
    }

    fn span(&self) -> f64 {
        (self.high - self.low).max(1e-9)
    }

    fn y(&self, value: f64) -> f32 {
        self.inside.bottom() - self.inside.height() * ((value - self.low) / self.span()) as f32
    }

    fn value(&self, y: f32) -> f64 {
        self.low + self.span() * f64::from((self.inside.bottom() - y) / self.inside.height().max(1.0))
    }
}

/// `bar` is how wide a loss and the luck of a tile are drawn.
fn paint(ui: &Ui, theme: &Theme, rect: Rect, lane: Lane, columns: &[Column], scale: &Scale, bar: f32) {
    let (painter, name) = (ui.painter(), lane.name());
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, theme.bg1));
    let Scale { low, high, .. } = *scale;
    let y = |value: f64| scale.y(value);
    let color = |value: f64| match lane {
        Lane::Loss => theme.error,
        Lane::Luck if value < 0.0 => theme.warn,
        Lane::Luck => theme.ok,
        _ => theme.sequential(if theme.dark { 0.45 } else { 0.5 }),
    };
    // As a mesh: lines shorter than a pixel are left out.
    let (mut mesh, width) = (Mesh::default(), if lane.is_of_move() { bar } else { 1.0 });
    let half_pixel = 0.5 * (1.0 / ui.pixels_per_point()).max(1.0);
    for (pixel, column) in columns.iter().enumerate() {
        let Some([least, most]) = *column else { continue };
        let x = rect.left() + pixel as f32 + 0.5;
        let mut fill = |from: f32, to: f32, color: Color32| {
            let corners = [(-0.5, from), (0.5, to)].map(|(side, y)| pos2(x + side * width, y));
            mesh.add_colored_rect(Rect::from_points(&corners), color);
        };
        match lane {
            Lane::Loss | Lane::Luck => {
                for value in [least, most].into_iter().filter(|value| *value != 0.0) {
                    fill(y(0.0), y(value), color(value));
                }
            }
            Lane::Expected => fill(y(least) + half_pixel, y(most) - half_pixel, color(most)),
            // What was slow or deep sticks out, few empty cells do not.
            Lane::Depth | Lane::Time => fill(scale.inside.bottom(), y(most), color(most)),
            Lane::Empty | Lane::Largest => fill(scale.inside.bottom(), y(least), color(least)),
        }
    }
    painter.add(Shape::mesh(mesh));
    let ends = match lane {
        Lane::Loss => format!("up to {}", words::value(-low)),
        Lane::Luck => format!("{} to +{}", words::value(low), words::value(high)),
        Lane::Largest => format!("up to {}", words::count(1_u64 << high.clamp(0.0, 62.0) as u32)),
        Lane::Time => format!("up to {}", words::short_time(high)),
        _ => format!("up to {}", words::value(high)),
    };
    let place = rect.min + vec2(6.0, 1.0);
    let laid = |source: &str| painter.layout_no_wrap(format!("{name}{source}, {ends}"), theme::small(), theme.text2);
    let whole = laid(lane.source());
    let ends = if place.x + whole.size().x < rect.right() { whole } else { laid("") };
    painter.rect_filled(
        Rect::from_min_size(place, ends.size()).expand2(vec2(3.0, 0.0)),
        2,
        theme.bg2.gamma_multiply(0.85),
    );
    painter.galley(place, ends, theme.text2);
}

/// `??` and `?` above the losses of blunders and mistakes, where there is room between them.
fn marks(ui: &Ui, theme: &Theme, rect: Rect, mistakes: &[(usize, Class)], x_of: &impl Fn(f64) -> f32) {
    let y = rect.top() + 1.0;
    // Beside the words of the lane.
    let mut taken = rect.left() + 150.0;
    for (index, class) in mistakes {
        let x = x_of(*index as f64).min(rect.right() - 7.0);
        if taken + 14.0 < x {
            ui.painter().text(pos2(x, y), Align2::CENTER_TOP, class.mark(), theme::small(), theme.text1);
            taken = x;
        }
    }
}

/// A position by the move that is played there, which has the number that it has in the list of the worst.
fn place_text(index: usize, moves: usize) -> String {
    if index < moves {
        format!("before move {}", words::count(index as u64 + 1))
    } else {
        "after the last move".to_owned()
    }
}

/// What is said of a position under the pointer.
fn told(doc: &Document, reviewed: &Reviewed, index: usize) -> String {
    let review = &reviewed.review;
    let points = |points: Option<Points>| points.map_or("not judged yet".to_owned(), |of| words::value(of.to_f64()));
    let worth = review.look(index).map(crate::review::Look::worth);
    let plies = review.look(index).map_or(String::new(), |look| format!(" ({} plies)", look.plies));
    let place = words::capitalised(&place_text(index, review.moves()));
    let mut text = format!("{place}: {} to come{plies}", points(worth));
    if let Some(board) = review.moments().get(index).map(|moment| &moment.board) {
        let empty = words::plural(u64::from(board.empty_count()), "empty cell");
        text += &format!("\n{empty}, largest tile {}", words::count(board.max_rank().tile()));
    }
    if let Some(step) = review.record().steps.get(index) {
        text += &format!("\n{} lost {}", step.mv, points(review.loss(index)));
        text += &format!("\nThen {}: luck {}", step.spawn, points(review.luck(index)));
        if let Some(plies) = depth(index, doc, reviewed) {
            let said = if doc.spent_at(index).is_none() { ", as its strategy says" } else { "" };
            text += &format!("\nThe player looked {} ahead{said}", layers(plies));
        }
        if let Some(spent) = doc.spent_at(index) {
            text += &format!(", for {}", words::short_time(spent.elapsed.as_secs_f64()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_neighbours_are_one_line_that_keeps_least_and_most() {
        let columns = [
            Some([3.0, 5.0]),
            Some([9.0, 9.0]),
            Some([1.0, 2.0]),
            None,
            Some([4.0, 4.0]),
            Some([4.0, 4.0]),
            Some([2.0, 7.0]),
        ];
        let line = joined(&columns);
        assert_eq!(line[..3], [Some([3.0, 5.0]), Some([5.0, 9.0]), Some([1.0, 9.0])]);
        // What is not known is no part of it, and nothing is added where values already meet.
        assert_eq!(line[3..], columns[3..]);
    }
}

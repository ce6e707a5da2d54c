//! Learning curves of several networks in one plot: mean score or reach rate over games, moves or time.

use egui::{Align2, Painter, Pos2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::network::{Point, Scores};
use crate::stats::Interval;
use crate::words;
use crate::workbench::kit::{Heights, NUMBERS, band, paint_dashed, paint_marker, tick_text, ticks};
use crate::workbench::state::NetworkTest;
use crate::workbench::theme::{self, StrategyMark, Theme};

/// Room for the numbers below the curve.
const BELOW: f32 = 34.0;
/// Maximum number of points drawn; neighbors are merged, because more would not be visible.
const MOST: usize = 240;
/// Maximum distance of the pointer to a point, in pixels.
const NEAR: f32 = 24.0;

/// The horizontal axis of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Along {
    #[default]
    Games,
    Moves,
    Time,
}

impl Along {
    pub(super) const ALL: [(Self, &str); 3] = [
        (Self::Games, "Games"),
        (Self::Moves, "Moves"),
        (Self::Time, "Time"),
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Games => "Training games",
            Self::Moves => "Training moves",
            Self::Time => "Seconds of training",
        }
    }

    fn of(self, point: &Point) -> f64 {
        match self {
            Self::Games => point.games as f64,
            Self::Moves => point.moves as f64,
            Self::Time => point.secs,
        }
    }

    fn text(self, value: f64) -> String {
        match self {
            Self::Games => format!("{} games", words::decimals(value, 0)),
            Self::Moves => format!("{} moves", words::decimals(value, 0)),
            Self::Time => words::time(value),
        }
    }
}

/// The quantity on the vertical axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Measure {
    #[default]
    Mean,
    Reach(u64),
}

impl Measure {
    pub(super) fn name(self) -> String {
        match self {
            Self::Mean => "Mean score".to_owned(),
            Self::Reach(tile) => format!("Reaches {tile}"),
        }
    }

    pub(super) fn of(self, scores: &Scores) -> Option<(f64, Option<Interval>)> {
        match self {
            Self::Mean => scores.mean_interval(),
            Self::Reach(tile) => scores.rate_interval(tile),
        }
    }

    pub(super) fn text(self, value: f64) -> String {
        match self {
            Self::Mean => words::decimals(value, 0),
            Self::Reach(_) => format!("{} %", words::decimals(100.0 * value, 1)),
        }
    }

    /// "9,876 (95 %: 9,512 to 10,240)".
    pub(super) fn with_interval(self, (value, interval): (f64, Option<Interval>)) -> String {
        let value = self.text(value);
        match interval {
            Some(Interval { low, high }) => {
                format!("{value} (95 %: {} to {})", self.text(low), self.text(high))
            }
            None => value,
        }
    }
}

/// A network with a curve to draw.
pub(super) struct Drawn<'a> {
    pub(super) name: &'a str,
    pub(super) mark: StrategyMark,
    pub(super) curve: &'a [Point],
    pub(super) tests: &'a [NetworkTest],
}

/// A point on screen.
struct Spot<'a> {
    at: Pos2,
    /// The ends of its interval on screen.
    ends: Option<(f32, f32)>,
    value: (f64, Option<Interval>),
    name: &'a str,
    along: f64,
    games: u64,
    tested: bool,
}

/// Merges neighbors until at most `most` points are left. A merged point has the games of all its points and the place
/// of the last one. Points with few games are left out: with their wide spread they look like a drop or a jump.
fn thinned(curve: &[Point], most: usize) -> Vec<Point> {
    let chunk = curve.len().div_ceil(most).max(1);
    let enough: Vec<bool> = Point::have_enough_games(curve).collect();
    let merged = curve
        .chunks(chunk)
        .zip(enough.chunks(chunk))
        .filter_map(|(points, enough)| {
            let mut last = points.last()?.clone();
            let mut learnt = Scores::default();
            let drawn = points
                .iter()
                .zip(enough)
                .filter(|(_, is_enough)| **is_enough);
            drawn.for_each(|(point, _)| learnt.merge(&point.learnt));
            last.learnt = learnt;
            last.tested = points.iter().rev().find_map(|point| point.tested.clone());
            Some(last)
        });
    merged.collect()
}

/// The tiles that curves can show: those that some but not all games reached, the largest first.
pub(super) fn tiles<'a>(curves: impl Iterator<Item = &'a [Point]>) -> Vec<u64> {
    let mut all = Scores::default();
    // A sample of each curve's points is enough.
    curves
        .flat_map(|curve| {
            curve
                .iter()
                .step_by(curve.len().div_ceil(32).max(1))
                .chain(curve.last())
        })
        .for_each(|point| all.merge(&point.learnt));
    let mut tiles: Vec<u64> = all
        .largest
        .iter()
        .map(|&(tile, _)| tile)
        .filter(|&tile| all.reached(tile) < all.n)
        .collect();
    tiles.reverse();
    tiles.truncate(8);
    tiles
}

pub(super) fn curve_ui(
    ui: &mut Ui,
    drawn: &[Drawn<'_>],
    along: Along,
    measure: Measure,
    height: f32,
) {
    let theme = Theme::of(ui);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let inner = Rect::from_min_max(
        rect.min + vec2(NUMBERS, 18.0),
        rect.max - vec2(theme::SPACE_L, BELOW),
    );
    let curves: Vec<Vec<Point>> = drawn.iter().map(|one| thinned(one.curve, MOST)).collect();
    let places = curves.iter().flatten().chain(
        drawn
            .iter()
            .flat_map(|one| one.tests.iter().map(|test| &test.at)),
    );
    let end = places.map(|point| along.of(point)).fold(0.0, f64::max);
    let across = |value: f64| {
        inner.left() + inner.width() * if 0.0 < end { (value / end) as f32 } else { 0.0 }
    };

    let values = |scores: &Scores| {
        let ends = |(value, interval): (f64, Option<Interval>)| {
            interval.map_or([value; 2], |interval| {
                [interval.low.max(0.0), interval.high]
            })
        };
        measure
            .of(scores)
            .map(ends)
            .into_iter()
            .flatten()
            .collect::<Vec<f64>>()
    };

    let learnt = curves
        .iter()
        .flatten()
        .flat_map(|point| [Some(&point.learnt), point.tested.as_ref()])
        .flatten();
    let tested = drawn
        .iter()
        .flat_map(|one| one.tests.iter().map(|test| &test.scores));
    let heights = Heights::of(inner, learnt.chain(tested).flat_map(values).chain([0.0]));
    response
        .widget_info(|| WidgetInfo::labeled(Role::Image, true, sentence(drawn, along, measure)));
    let painter = ui.painter();
    heights.paint(painter, theme, &measure.name(), measure != Measure::Mean);
    axis(painter, theme, inner, along, end);
    let mut spots = Vec::new();
    for (one, curve) in drawn.iter().zip(&curves) {
        let spot = |point: &Point, scores: &Scores, tested: bool| {
            let value = measure.of(scores)?;
            let x = across(along.of(point));
            let ends = value
                .1
                .map(|interval| (heights.y(interval.low), heights.y(interval.high)));
            let at = pos2(x, heights.y(value.0));
            Some(Spot {
                at,
                ends,
                value,
                name: one.name,
                along: along.of(point),
                games: scores.n,
                tested,
            })
        };
        let line: Vec<Spot<'_>> = curve
            .iter()
            .filter_map(|point| spot(point, &point.learnt, false))
            .collect();
        let ends = line
            .iter()
            .map(|spot| spot.ends.map(|(low, high)| (spot.at.x, low, high)));
        painter.add(band(ends, one.mark.color.gamma_multiply(theme.series_fill)));
        let points: Vec<Pos2> = line.iter().map(|spot| spot.at).collect();
        paint_dashed(painter, &points, one.mark, theme::SERIES_WIDTH);
        if let [only] = points.as_slice() {
            painter.circle_filled(*only, 2.0, one.mark.color);
        }

        let of_curve = curve
            .iter()
            .filter_map(|point| spot(point, point.tested.as_ref()?, true));
        let on_demand = one
            .tests
            .iter()
            .filter_map(|test| spot(&test.at, &test.scores, true));
        for tested in of_curve.chain(on_demand) {
            if let Some((low, high)) = tested.ends {
                painter.vline(tested.at.x, high..=low, Stroke::new(1.0, one.mark.color));
            }
            paint_marker(painter, tested.at, one.mark, 3.5);
            spots.push(tested);
        }

        spots.extend(line);
    }

    let Some(pointer) = response.hover_pos() else {
        return;
    };
    let near = spots
        .iter()
        .min_by(|a, b| a.at.distance(pointer).total_cmp(&b.at.distance(pointer)));
    if let Some(spot) = near.filter(|spot| spot.at.distance(pointer) < NEAR) {
        painter.circle_stroke(spot.at, 5.0, Stroke::new(1.5, theme.text1));
        let games_text = if spot.tested {
            "test games without learning"
        } else {
            "training games"
        };
        let (name, at) = (spot.name, along.text(spot.along));
        let value = measure.with_interval(spot.value);
        response.on_hover_text(format!(
            "{name} at {at}\n{} {value}, of {} {games_text}",
            measure.name(),
            words::count(spot.games)
        ));
    }
}

/// A description of the plot for screen readers.
fn sentence(drawn: &[Drawn<'_>], along: Along, measure: Measure) -> String {
    let one = |one: &Drawn<'_>| {
        let Some(last) = Point::last_with_enough(one.curve) else {
            return format!("{} no point yet", one.name);
        };
        let value = measure
            .of(&last.learnt)
            .map_or_else(|| "–".to_owned(), |value| measure.with_interval(value));
        let points = words::plural(one.curve.len() as u64, "point");
        format!(
            "{} {points}, the last {value} at {}",
            one.name,
            along.text(along.of(last))
        )
    };
    let all: Vec<String> = drawn.iter().map(one).collect();
    format!(
        "Learning curve, {}: {}",
        words::uncapitalised(&measure.name()),
        all.join("; ")
    )
}

fn axis(painter: &Painter, theme: &Theme, inner: Rect, along: Along, end: f64) {
    let label = |at: Pos2, text: &str| {
        painter.text(at, Align2::CENTER_TOP, text, theme::small(), theme.text3);
    };
    let (values, step) = ticks(0.0, end, ((inner.width() / 84.0) as usize).max(2));
    for value in values.into_iter().filter(|_| 0.0 < end) {
        let x = inner.left() + inner.width() * (value / end) as f32;
        label(pos2(x, inner.bottom() + 4.0), &tick_text(value, step));
    }
    label(pos2(inner.center().x, inner.bottom() + 18.0), along.title());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: u64) -> Vec<Point> {
        let point = |index: u64| {
            let mut learnt = Scores::default();
            (0..10).for_each(|game| learnt.push(100 * index + game, 64 << (game / 5)));
            Point {
                games: 10 * (index + 1),
                moves: 500 * (index + 1),
                secs: index as f64,
                learnt,
                tested: None,
            }
        };
        (0..points).map(point).collect()
    }

    #[test]
    fn many_points_are_drawn_together_and_no_game_is_lost() {
        for count in [0, 1, 7, 240, 241, 5000] {
            let (all, few) = (curve(count), thinned(&curve(count), MOST));
            assert!(few.len() <= MOST && (few.is_empty() == all.is_empty()));
            let games = |points: &[Point]| points.iter().map(|point| point.learnt.n).sum::<u64>();
            assert_eq!(
                (games(&few), few.last().map(|point| point.games)),
                (games(&all), all.last().map(|p| p.games))
            );
        }
        assert_eq!(
            tiles([&*curve(50), &[]].into_iter()),
            [128],
            "every game reached 64"
        );
    }

    #[test]
    fn a_last_point_of_few_games_is_left_out() {
        let drawn = |last: u64| {
            let mut all = curve(5);
            let mut learnt = Scores::default();
            (0..last).for_each(|_| learnt.push(4, 4));
            let tested = Some(learnt.clone());
            all.push(Point {
                games: 50 + last,
                moves: 2600,
                secs: 5.0,
                learnt,
                tested,
            });
            let mark = theme::DARK.strategy(0);
            let one = Drawn {
                name: "a",
                mark,
                curve: &all,
                tests: &[],
            };
            let text = sentence(&[one], Along::Games, Measure::Mean);
            let shown = thinned(&all, MOST);
            (shown.last().expect("a point").clone(), text)
        };
        // Ten games are usual here, so one is a tenth of them.
        let (point, text) = drawn(1);
        assert!(
            point.learnt.n == 1 && text.ends_with(" at 51 games"),
            "{text}"
        );
        let (point, text) = drawn(0);
        assert!(
            point.learnt.n == 0 && text.ends_with(" at 50 games"),
            "{text}"
        );

        let have_enough = |counts: &[u64]| {
            let point = |&n: &u64| Point {
                learnt: Scores {
                    n,
                    ..Scores::default()
                },
                ..Point::default()
            };
            let all: Vec<Point> = counts.iter().map(point).collect();
            Point::have_enough_games(&all).collect::<Vec<bool>>()
        };
        assert_eq!(have_enough(&[1000, 1000, 10]), [true, true, false]);
        assert_eq!(
            have_enough(&[1000, 99, 20, 100]),
            [true, false, false, true]
        );
        // A training that was made longer has points farther apart.
        assert_eq!(have_enough(&[10, 1000, 900]), [true; 3]);
    }

    #[test]
    fn a_value_is_told_with_its_interval() {
        let scores = curve(3)[2].learnt.clone();
        let mean = Measure::Mean
            .of(&scores)
            .map(|value| Measure::Mean.with_interval(value));
        assert_eq!(mean.as_deref(), Some("204 (95 %: 202 to 207)"));
        let reach = Measure::Reach(128);
        assert_eq!(
            reach
                .of(&scores)
                .map(|value| reach.with_interval(value))
                .as_deref(),
            Some("50.0 % (95 %: 23.7 % to 76.3 %)")
        );
    }
}

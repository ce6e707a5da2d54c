//! Expectations at the ends of best play: the distribution of values after each move, and the means of evaluators.

use egui::{Align2, Label, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{BestPlayPanel, Found, sentence};
use crate::game::Move;
use crate::prose::lines;
use crate::search::{BestPlay, LeafSet, MeasureMeans};
use crate::words;
use crate::workbench::kit::{
    Sort, Table, TableColumn, copy_button, csv_text, height_of, reading_area, small_print, width_for,
};
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 12.0;
const BINS: usize = 48;
/// Height of the distribution after one move, and of the numbers of a scale.
const STRIP: f32 = 34.0;
const SCALE: f32 = 18.0;
/// All moves share one scale if the middle 90 % of the ends after each move takes at least this share of it.
const LEAST_OF_SCALE: f64 = 1.0 / 12.0;
const NAME: f32 = 72.0;
const TABLES: f32 = 260.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndColumn {
    Move,
    Value,
    Dead,
    Least,
    Low,
    Median,
    High,
    Most,
    Ends,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeasureColumn {
    Name,
    Of(Move),
    Spread,
}

/// A summary of the ends after one move, of which there may be a million.
#[derive(Debug)]
pub(super) struct MoveEnds {
    mv: Move,
    is_by_chance: bool,
    dead: f64,
    /// One for each of [`SHARES`].
    quantiles: [Option<f64>; SHARES.len()],
    boards: usize,
    /// The range of the histogram: its own ends, or those of all moves.
    range: [f64; 2],
    shares: Vec<f64>,
    sentence: String,
}

const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// The summaries of the ends after each move, and their number of decimals.
pub(super) fn told(play: &BestPlay, sets: &[LeafSet]) -> (Vec<MoveEnds>, usize) {
    let values = words::places(sets.iter().filter_map(|set| play.value(set.mv)));
    let places = lines::places_of_ends(sets, &SHARES).max(values);
    let ends = || sets.iter().filter_map(LeafSet::range).flatten();
    let all = [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)];
    // A move with equal ends is one bar on any scale.
    let is_seen = |set: &LeafSet| {
        let [low, high] = [SHARES[0], SHARES[SHARES.len() - 1]].map(|share| set.quantile(share).unwrap_or_default());
        high <= low || LEAST_OF_SCALE * (all[1] - all[0]) <= high - low
    };
    let is_one_scale = sets.iter().all(is_seen);
    let range = |set: &LeafSet| set.range().filter(|_| !is_one_scale).unwrap_or(all);
    (sets.iter().map(|set| MoveEnds::of(set, range(set), places)).collect(), places)
}

impl MoveEnds {
    /// The ends after a move, with a histogram over `range`.
    fn of(set: &LeafSet, range: [f64; 2], places: usize) -> Self {
        Self {
            mv: set.mv,
            is_by_chance: set.is_by_chance,
            dead: set.dead(),
            quantiles: SHARES.map(|share| set.quantile(share)),
            boards: set.leaves.len(),
            range,
            shares: set.histogram(range.into(), BINS),
            sentence: lines::leaves_sentence(set, places),
        }
    }
}

impl BestPlayPanel {
    pub(super) fn ends_ui(&mut self, ui: &mut Ui, found: &Found) {
        let is_by_chance = found.ends.iter().all(|set| set.is_by_chance);
        reading_area(ui, "ends", "Distributions at the ends", |ui| {
            if !is_by_chance {
                small_print(
                    ui,
                    "The search weights only the worst tiles or the cells it considers: shares are weights, not probabilities",
                    Theme::of(ui).text2,
                );
            }
            let places = found.places;
            ui.horizontal_wrapped(|ui| {
                sentence(ui, "Values at the ends of best play after each move");
                copy_button(ui, "Copy CSV", "the ends", || ends_csv(found));
            });
            ui.allocate_ui(vec2(ui.available_width(), height_of(found.ends.len())), |ui| {
                ends_table(ui, found, places, &mut self.by_end);
            });
            strips(ui, found, places);
            ui.horizontal_wrapped(|ui| {
                sentence(ui, "Mean values of the evaluators on the boards at the ends");
                copy_button(ui, "Copy CSV", "the evaluators at the ends", || measures_csv(found));
            });
            let height = TABLES.max(ui.available_height());
            ui.allocate_ui(vec2(ui.available_width(), height), |ui| measures_table(ui, found, &mut self.by_measure));
        });
    }
}

fn number(found: &Found, set: &MoveEnds, by: EndColumn) -> Option<f64> {
    match by {
        EndColumn::Move => Some(set.mv.index() as f64),
        EndColumn::Value => found.play.value(set.mv),
        EndColumn::Dead => Some(set.dead),
        EndColumn::Least => set.quantiles[0],
        EndColumn::Low => set.quantiles[1],
        EndColumn::Median => set.quantiles[2],
        EndColumn::High => set.quantiles[3],
        EndColumn::Most => set.quantiles[4],
        EndColumn::Ends => Some(set.boards as f64),
    }
}

fn ends_table(ui: &mut Ui, found: &Found, places: usize, sort: &mut Sort<EndColumn>) {
    let about = "This share of the ends is worth at most the value shown";
    let values = found.ends.iter().flat_map(|set| [number(found, set, EndColumn::Value), set.quantiles[2]]);
    let width = width_for(ui, values.flatten().map(|value| words::decimals(value, places)), 72.0);
    let value = "Mean value of the ends, which is the value of the move";
    let columns = [
        TableColumn::words(EndColumn::Move, "Move", "Move at the root", NAME),
        TableColumn::numbers(EndColumn::Value, "Value", value, width),
        TableColumn::numbers(EndColumn::Dead, "Dead", "Share of the ends with no move left", 64.0),
        TableColumn::numbers(EndColumn::Least, "5 %", about, width),
        TableColumn::numbers(EndColumn::Low, "25 %", about, width),
        TableColumn::numbers(EndColumn::Median, "Median", about, width),
        TableColumn::numbers(EndColumn::High, "75 %", about, width),
        TableColumn::numbers(EndColumn::Most, "95 %", about, width),
        TableColumn::numbers(EndColumn::Ends, "Boards", "Number of different boards at the ends", 72.0),
    ];

    let mut order: Vec<usize> = (0..found.ends.len()).collect();
    order.sort_by(|&a, &b| {
        let [a, b] = [a, b].map(|at| &found.ends[at]);
        sort.order(|key| key.compare(number(found, a, key.by), number(found, b, key.by)))
    });

    let (id, name) = ("ends", "Ends of best play after each move");
    let table = Table { id, name, columns: &columns, sort, gap: GAP, below: 0.0, fits: false };
    table.show(ui, order.len(), |row| {
        let set = &found.ends[order[row.index()]];
        let text = |column| match (column, number(found, set, column)) {
            (EndColumn::Move, _) => format!("{} {}", set.mv.arrow(), set.mv),
            (EndColumn::Dead, Some(0.0)) => "0".to_owned(),
            (EndColumn::Dead, Some(dead)) => words::small_probability(dead),
            (EndColumn::Ends, Some(ends)) => words::decimals(ends, 0),
            (_, Some(value)) => words::decimals(value, places),
            (_, None) => "–".to_owned(),
        };
        let value = text(EndColumn::Value);
        let name = format!("{}, value {value}: {}", set.mv, set.sentence);
        row.show(&name, false, |ui, column| {
            let color = Theme::of(ui).text1;
            ui.add(Label::new(RichText::new(text(column)).color(color)).truncate());
        });
    });
}

/// The ends after each move, with the shares in [`BINS`] equal intervals as drawn.
fn ends_csv(found: &Found) -> Option<String> {
    let columns = [EndColumn::Value, EndColumn::Dead, EndColumn::Ends];
    let head = ["move", "value", "dead", "boards"].map(str::to_owned).into_iter();
    let quantiles = SHARES.map(|share| format!("{}_percent", (share * 100.0).round()));
    let bins = ["bins_from", "bins_to"].map(str::to_owned).into_iter();
    let bins = bins.chain((1..=BINS).map(|bin| format!("bin_{bin}")));
    let head = head.chain(quantiles).chain(bins).collect();
    let written = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let row = |set: &MoveEnds| {
        let numbers = columns.map(|column| written(number(found, set, column)));
        let shares = set.range.iter().chain(&set.shares).map(f64::to_string);
        let quantiles = set.quantiles.map(written);
        [set.mv.name().to_owned()].into_iter().chain(numbers).chain(quantiles).chain(shares).collect()
    };
    csv_text(std::iter::once(head).chain(found.ends.iter().map(row)))
}

/// The searched terms with their weights in the means, and the other evaluators with an empty weight.
fn measures_csv(found: &Found) -> Option<String> {
    let measures = &found.measures;
    let head = ["evaluator", "weight"].into_iter().chain(measures.moves.iter().map(|mv| mv.name()));
    let head = head.map(str::to_owned).collect();
    let terms = measures.terms.iter().map(|row| (row, row.weight.to_string()));
    let rows = terms.chain(measures.others.iter().map(|row| (row, String::new())));
    let row = |(row, weight): (&MeasureMeans, String)| {
        [row.label.clone(), weight].into_iter().chain(row.means.iter().map(f64::to_string)).collect()
    };
    csv_text(std::iter::once(head).chain(rows.map(row)))
}

/// The distribution of values after each move, one below the other: on one scale, or on separate scales if some would
/// be a single bar.
fn strips(ui: &mut Ui, found: &Found, places: usize) {
    let theme = Theme::of(ui);
    let Some(last) = found.ends.last() else { return };
    let is_one_scale = found.ends.iter().all(|set| set.range == last.range);
    if !is_one_scale {
        small_print(
            ui,
            "Each move has its own scale, because on a shared scale some would be a single bar",
            theme.text2,
        );
    }

    let most = found.ends.iter().flat_map(|set| &set.shares).copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    for set in &found.ends {
        let has_scale = !is_one_scale || set.mv == last.mv;
        let height = STRIP + if has_scale { SCALE } else { 0.0 };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let strip = rect.with_max_y(rect.top() + STRIP);
        let bars = strip.with_min_x(rect.left() + NAME);
        let (width, bottom) = (bars.width() / BINS as f32, bars.bottom());
        let painter = ui.painter();
        let name = format!("{} {}", set.mv.arrow(), set.mv);
        painter.text(strip.left_center(), Align2::LEFT_CENTER, name, theme::body(), theme.text1);
        painter.hline(bars.x_range(), bottom - 0.5, egui::Stroke::new(1.0, theme.line));
        for (bin, share) in set.shares.iter().enumerate().filter(|(_, share)| 0.0 < **share) {
            let height = ((share / most) as f32 * (STRIP - 6.0)).max(1.0);
            let left = bars.left() + width * bin as f32;
            let bar = Rect::from_min_max(pos2(left, bottom - height), pos2(left + (width - 1.0).max(1.0), bottom));
            painter.rect_filled(bar, 0, theme.accent);
        }

        if has_scale {
            let [low, high] = set.range.map(|value| words::decimals(value, places));
            painter.text(pos2(bars.left(), bottom + 2.0), Align2::LEFT_TOP, &low, theme::small(), theme.text2);
            if low != high {
                painter.text(pos2(bars.right(), bottom + 2.0), Align2::RIGHT_TOP, high, theme::small(), theme.text2);
            }
        }

        let text = format!("Distribution after {}: {}", set.mv, set.sentence);
        let response = ui.interact(strip, ui.scope_id().with(("ends", set.mv)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(text);
    }
}

/// A measure with its weight in the search.
fn measures(found: &Found) -> Vec<(String, &MeasureMeans)> {
    let term = |row: &MeasureMeans| {
        if row.weight == 1.0 { row.label.clone() } else { format!("{} × {}", words::exact(row.weight), row.label) }
    };
    let terms = found.measures.terms.iter().map(|row| (format!("{}, searched", term(row)), row));
    terms.chain(found.measures.others.iter().map(|row| (row.label.clone(), row))).collect()
}

fn measures_table(ui: &mut Ui, found: &Found, sort: &mut Sort<MeasureColumn>) {
    let moves = &found.measures.moves;
    let about = "Mean at the ends after this move; a searched term includes its weight";
    let name = (ui.available_width() - 96.0 * (moves.len() as f32 + 1.0)).clamp(120.0, 260.0);
    let mut columns = vec![TableColumn::words(MeasureColumn::Name, "Evaluator", "What is evaluated at the ends", name)];
    let of_move = |&mv: &Move| TableColumn::numbers(MeasureColumn::Of(mv), format!("{} {mv}", mv.arrow()), about, 84.0);
    columns.extend(moves.iter().map(of_move));
    let spread = "Largest mean minus smallest mean";
    columns.push(TableColumn::numbers(MeasureColumn::Spread, "Spread", spread, 84.0));
    let rows = measures(found);
    let number = |at: usize, by: MeasureColumn| match by {
        MeasureColumn::Name => Some(at as f64),
        MeasureColumn::Of(mv) => rows[at].1.means.get(moves.iter().position(|&one| one == mv)?).copied(),
        MeasureColumn::Spread => Some(rows[at].1.spread()),
    };

    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| sort.order(|key| key.compare(number(a, key.by), number(b, key.by))));
    let (id, name) = ("measures", "Evaluators at the ends");
    let table = Table { id, name, columns: &columns, sort, gap: GAP, below: 0.0, fits: false };
    table.show(ui, order.len(), |row| {
        let at = order[row.index()];
        let (name, measure) = &rows[at];
        let places = words::places(measure.means.iter().copied()).max(1);
        let text = |column| match column {
            MeasureColumn::Name => name.clone(),
            column => number(at, column).map_or_else(|| "–".to_owned(), |value| words::decimals(value, places)),
        };
        let means: Vec<String> = moves.iter().map(|&mv| format!("{mv} {}", text(MeasureColumn::Of(mv)))).collect();
        row.show(&format!("{name}: {}", words::list(&means)), false, |ui, column| {
            let color = Theme::of(ui).text1;
            ui.add(Label::new(RichText::new(text(column)).color(color)).truncate());
        });
    });
}

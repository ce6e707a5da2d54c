//! What is to be expected at the ends: the distribution of values after each move, and what evaluators say there.

use egui::{Align2, Label, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{BestPlayPanel, Found, places, sentence};
use crate::game::Move;
use crate::prose::lines;
use crate::search::{LeafSet, MeasureMeans};
use crate::words;
use crate::workbench::kit::{Sort, Table, TableColumn, copy_button, csv_text, reading_area, small_print};
use crate::workbench::theme::{self, Theme};

const GAP: f32 = 12.0;
const BINS: usize = 48;
/// Height of the distribution after one move.
const STRIP: f32 = 34.0;
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

/// What is shown of the ends after one move; there may be a million of them.
#[derive(Debug)]
pub(super) struct MoveEnds {
    mv: Move,
    is_by_chance: bool,
    dead: f64,
    /// By their shares, [`SHARES`].
    quantiles: [Option<f64>; SHARES.len()],
    boards: usize,
    shares: Vec<f64>,
    sentence: String,
}

const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

impl MoveEnds {
    /// Of the ends after a move, drawn from the first value of `range` to the second.
    pub(super) fn of(set: &LeafSet, range: [f64; 2], places: usize) -> Self {
        Self {
            mv: set.mv,
            is_by_chance: set.is_by_chance,
            dead: set.dead(),
            quantiles: SHARES.map(|share| set.quantile(share)),
            boards: set.leaves.len(),
            shares: set.histogram(range.into(), BINS),
            sentence: lines::leaves_sentence(set, places),
        }
    }
}

impl BestPlayPanel {
    pub(super) fn ends_ui(&mut self, ui: &mut Ui, found: &Found) {
        let is_by_chance = found.ends.iter().all(|set| set.is_by_chance);
        reading_area(ui, "ends", "What is to be expected at the ends", |ui| {
            if !is_by_chance {
                small_print(
                    ui,
                    "The search counts the worst tiles: shares are what they count, not probabilities",
                    Theme::of(ui).text2,
                );
            }
            let places = places(found);
            ui.horizontal_wrapped(|ui| {
                sentence(ui, "On which values best play ends after each move");
                copy_button(ui, "Copy CSV", "the ends", || ends_csv(found));
            });
            ui.allocate_ui(vec2(ui.available_width(), theme::ROW * (found.ends.len() as f32 + 1.5)), |ui| {
                ends_table(ui, found, places, &mut self.by_end);
            });
            strips(ui, found, places);
            ui.horizontal_wrapped(|ui| {
                sentence(ui, "What evaluators are expected to say of the boards at the ends");
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
    let about = "So much of the ends is worth at most this";
    let facts = [
        (EndColumn::Move, "Move", "The move at the root", NAME, false),
        (EndColumn::Value, "Value", "The mean of the ends, which is the value of the move", 76.0, true),
        (EndColumn::Dead, "Dead", "The probability that no move is left within the depth", 64.0, true),
        (EndColumn::Least, "5 %", about, 72.0, true),
        (EndColumn::Low, "25 %", about, 72.0, true),
        (EndColumn::Median, "Half", about, 72.0, true),
        (EndColumn::High, "75 %", about, 72.0, true),
        (EndColumn::Most, "95 %", about, 72.0, true),
        (EndColumn::Ends, "Boards", "Different boards at the ends", 72.0, true),
    ];
    let mut columns: Vec<TableColumn<EndColumn>> = Vec::new();
    let mut taken = 0.0;
    for (key, title, about, width, right) in facts {
        taken += width + GAP;
        if taken <= ui.available_width() + GAP || columns.len() < 3 {
            let falls = Some(right);
            columns.push(TableColumn { key, title: title.to_owned(), about, width, right, indent: 0.0, falls });
        }
    }
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

/// The ends after each move, with the shares of [`BINS`] equal intervals from the least value of all to the largest.
fn ends_csv(found: &Found) -> Option<String> {
    let columns = [EndColumn::Value, EndColumn::Dead, EndColumn::Ends];
    let head = ["move", "value", "dead", "boards"].map(str::to_owned).into_iter();
    let quantiles = SHARES.map(|share| format!("{}_percent", (share * 100.0).round()));
    let [low, high] = found.range;
    let edge = |bin: usize| low + (high - low) * bin as f64 / BINS as f64;
    let bins = (0..BINS).map(|bin| format!("from {} to {}", edge(bin), edge(bin + 1)));
    let head = head.chain(quantiles).chain(bins).collect();
    let written = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let row = |set: &MoveEnds| {
        let numbers = columns.map(|column| written(number(found, set, column)));
        let shares = set.shares.iter().map(f64::to_string);
        let quantiles = set.quantiles.map(written);
        [set.mv.name().to_owned()].into_iter().chain(numbers).chain(quantiles).chain(shares).collect()
    };
    csv_text(std::iter::once(head).chain(found.ends.iter().map(row)))
}

/// The terms that were searched, with their weights in the means, and the other evaluators, whose weight is empty.
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

/// The distribution of values after each move, one below the other on one scale.
fn strips(ui: &mut Ui, found: &Found, places: usize) {
    let theme = Theme::of(ui);
    let [low, high] = found.range;
    if high < low {
        return;
    }
    let most = found.ends.iter().flat_map(|set| &set.shares).copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let (rect, _) = ui
        .allocate_exact_size(vec2(ui.available_width(), STRIP * found.ends.len() as f32 + theme::ROW), Sense::hover());
    let bars = Rect::from_min_max(pos2(rect.left() + NAME, rect.top()), rect.max);
    let width = bars.width() / BINS as f32;
    let painter = ui.painter();
    for (at, set) in found.ends.iter().enumerate() {
        let bottom = rect.top() + STRIP * (at as f32 + 1.0);
        let strip = Rect::from_min_max(pos2(rect.left(), bottom - STRIP), pos2(rect.right(), bottom));
        let name = format!("{} {}", set.mv.arrow(), set.mv);
        painter.text(strip.left_center(), Align2::LEFT_CENTER, name, theme::body(), theme.text1);
        painter.hline(bars.x_range(), bottom - 0.5, egui::Stroke::new(1.0, theme.line));
        for (bin, share) in set.shares.iter().enumerate().filter(|(_, share)| 0.0 < **share) {
            let height = ((share / most) as f32 * (STRIP - 6.0)).max(1.0);
            let left = bars.left() + width * bin as f32;
            let bar = Rect::from_min_max(pos2(left, bottom - height), pos2(left + (width - 1.0).max(1.0), bottom));
            painter.rect_filled(bar, 0, theme.accent);
        }
        let text = format!("Distribution after {}: {}", set.mv, set.sentence);
        let response = ui.interact(strip, ui.scope_id().with(("ends", set.mv)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(text);
    }
    let [low, high] = [low, high].map(|value| words::decimals(value, places));
    painter.text(bars.left_bottom(), Align2::LEFT_BOTTOM, low, theme::small(), theme.text2);
    painter.text(bars.right_bottom(), Align2::RIGHT_BOTTOM, high, theme::small(), theme.text2);
}

/// A measure with what it is part of.
fn measures(found: &Found) -> Vec<(String, &MeasureMeans)> {
    let term = |row: &MeasureMeans| {
        if row.weight == 1.0 { row.label.clone() } else { format!("{} × {}", words::exact(row.weight), row.label) }
    };
    let terms = found.measures.terms.iter().map(|row| (format!("{}, searched", term(row)), row));
    terms.chain(found.measures.others.iter().map(|row| (row.label.clone(), row))).collect()
}

fn measures_table(ui: &mut Ui, found: &Found, sort: &mut Sort<MeasureColumn>) {
    let moves = &found.measures.moves;
    let column = |key, title: String, about, width, right| TableColumn {
        key,
        title,
        about,
        width,
        right,
        indent: 0.0,
        falls: Some(right),
    };
    let about = "Its mean at the ends after this move; of a searched term with its weight";
    let name = (ui.available_width() - 96.0 * (moves.len() as f32 + 1.0)).clamp(120.0, 260.0);
    let mut columns =
        vec![column(MeasureColumn::Name, "Evaluator".to_owned(), "What is asked at the ends", name, false)];
    let of_move = |&mv: &Move| column(MeasureColumn::Of(mv), format!("{} {mv}", mv.arrow()), about, 84.0, true);
    columns.extend(moves.iter().map(of_move));
    let spread = "How far the means lie apart";
    columns.push(column(MeasureColumn::Spread, "Apart".to_owned(), spread, 84.0, true));
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

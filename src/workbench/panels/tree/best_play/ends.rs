//! Expectations at the ends of best play: the distribution of values after each move, and the means of evaluators.

use egui::{Align2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{BestPlayPanel, Found, sentence};
use crate::game::Move;
use crate::prose::best_play;
use crate::search::{BestPlay, LeafSet, MeasureMeans};
use crate::table::{Cell, Column, Digits, Format, Formats, Table as Data};
use crate::words;
use crate::workbench::kit::{
    DataTable, Sort, copy_button, csv_of, height_of, reading_area, small_print, width_for,
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

/// A summary of up to a million ends after one move.
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
    let places = best_play::places_of_ends(sets, &SHARES).max(values);
    let ends = || sets.iter().filter_map(LeafSet::range).flatten();
    let all = [
        ends().fold(f64::INFINITY, f64::min),
        ends().fold(f64::NEG_INFINITY, f64::max),
    ];
    // A move with equal ends is one bar on any scale.
    let is_seen = |set: &LeafSet| {
        let [low, high] = [SHARES[0], SHARES[SHARES.len() - 1]]
            .map(|share| set.quantile(share).unwrap_or_default());
        high <= low || LEAST_OF_SCALE * (all[1] - all[0]) <= high - low
    };
    let is_one_scale = sets.iter().all(is_seen);
    let range = |set: &LeafSet| set.range().filter(|_| !is_one_scale).unwrap_or(all);
    (
        sets.iter()
            .map(|set| MoveEnds::of(set, range(set), places))
            .collect(),
        places,
    )
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
            sentence: best_play::leaves_sentence(set, places),
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
                copy_button(ui, "Copy CSV", "the ends", || csv_of(ends(found)));
            });
            ui.allocate_ui(
                vec2(ui.available_width(), height_of(found.ends.len())),
                |ui| {
                    ends_table(ui, found, &mut self.by_end);
                },
            );
            strips(ui, found, places);
            ui.horizontal_wrapped(|ui| {
                sentence(
                    ui,
                    "Mean values of the evaluators on the boards at the ends",
                );
                copy_button(ui, "Copy CSV", "the evaluators at the ends", || {
                    csv_of(measures(found))
                });
            });
            let height = TABLES.max(ui.available_height());
            ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
                measures_table(ui, found, &mut self.by_measure);
            });
        });
    }
}

/// The ends after each move; for programs also the shares in [`BINS`] equal intervals as drawn.
fn ends(found: &Found) -> Data {
    type Row<'a> = &'a MoveEnds;
    let places = Digits::Places(found.places);
    let mut columns = vec![
        Column::text("move", "", "Move at the root", |set: &Row<'_>| {
            set.mv.name()
        })
        .only(Formats::CSV),
        Column::text("name", "move", "Move at the root", |set: &Row<'_>| {
            format!("{} {}", set.mv.arrow(), set.mv)
        })
        .only(Formats::PEOPLE),
        Column::number(
            "value",
            "value",
            "Mean value of the ends, which is the value of the move",
            |set: &Row<'_>| found.play.value(set.mv),
        )
        .digits(places),
        Column::number(
            "dead",
            "dead",
            "Share of the ends with no move left",
            |set: &Row<'_>| set.dead,
        )
        .digits(Digits::Probability),
    ];
    columns.extend(SHARES.into_iter().enumerate().map(|(index, share)| {
        let percent = (share * 100.0).round();
        let title = if share == 0.5 {
            "median".to_owned()
        } else {
            format!("{percent} %")
        };
        let about = "This share of the ends is worth at most the value shown";
        Column::number(
            format!("{percent}_percent"),
            title,
            about,
            move |set: &Row<'_>| set.quantiles[index],
        )
        .digits(places)
    }));
    columns.push(Column::whole(
        "boards",
        "boards",
        "Number of different boards at the ends",
        |set: &Row<'_>| set.boards,
    ));
    columns.extend(["from", "to"].into_iter().enumerate().map(|(end, name)| {
        Column::number(
            format!("bins_{name}"),
            "",
            "End of the intervals",
            move |set: &Row<'_>| set.range[end],
        )
        .only(Formats::CSV)
    }));
    columns.extend((0..BINS).map(|bin| {
        Column::number(
            format!("bin_{}", bin + 1),
            "",
            "Share of the ends",
            move |set: &Row<'_>| set.shares.get(bin).copied(),
        )
        .only(Formats::CSV)
    }));
    Data::of(&columns, &found.ends)
}

fn ends_table(ui: &mut Ui, found: &Found, sort: &mut Sort<usize>) {
    let (id, name) = ("ends", "Ends of best play after each move");
    let table = DataTable {
        id,
        name,
        data: ends(found).into(),
        sort,
        gap: GAP,
    };
    table.show(
        ui,
        |ui, column, texts| match column {
            0 => NAME,
            2 => 64.0,
            _ => width_for(ui, texts.iter().map(|cells| cells[column].clone()), 72.0),
        },
        |row, cells| {
            let set = &found.ends[row];
            format!("{}, value {}: {}", set.mv, cells[1], set.sentence)
        },
    );
}

/// The distribution of values after each move, one below the other: on one scale, or on separate scales if some would
/// be a single bar.
fn strips(ui: &mut Ui, found: &Found, places: usize) {
    let theme = Theme::of(ui);
    let Some(last) = found.ends.last() else {
        return;
    };
    let is_one_scale = found.ends.iter().all(|set| set.range == last.range);
    if !is_one_scale {
        small_print(
            ui,
            "Each move has its own scale, because on a shared scale some would be a single bar",
            theme.text2,
        );
    }

    let most = found
        .ends
        .iter()
        .flat_map(|set| &set.shares)
        .copied()
        .fold(0.0, f64::max)
        .max(f64::MIN_POSITIVE);
    for set in &found.ends {
        let has_scale = !is_one_scale || set.mv == last.mv;
        let height = STRIP + if has_scale { SCALE } else { 0.0 };
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let strip = rect.with_max_y(rect.top() + STRIP);
        let bars = strip.with_min_x(rect.left() + NAME);
        let (width, bottom) = (bars.width() / BINS as f32, bars.bottom());
        let painter = ui.painter();
        let name = format!("{} {}", set.mv.arrow(), set.mv);
        painter.text(
            strip.left_center(),
            Align2::LEFT_CENTER,
            name,
            theme::body(),
            theme.text1,
        );
        painter.hline(
            bars.x_range(),
            bottom - 0.5,
            egui::Stroke::new(1.0, theme.line),
        );
        for (bin, share) in set
            .shares
            .iter()
            .enumerate()
            .filter(|(_, share)| 0.0 < **share)
        {
            let height = ((share / most) as f32 * (STRIP - 6.0)).max(1.0);
            let left = bars.left() + width * bin as f32;
            let bar = Rect::from_min_max(
                pos2(left, bottom - height),
                pos2(left + (width - 1.0).max(1.0), bottom),
            );
            painter.rect_filled(bar, 0, theme.accent);
        }

        if has_scale {
            let [low, high] = set.range.map(|value| words::decimals(value, places));
            painter.text(
                pos2(bars.left(), bottom + 2.0),
                Align2::LEFT_TOP,
                &low,
                theme::small(),
                theme.text2,
            );
            if low != high {
                painter.text(
                    pos2(bars.right(), bottom + 2.0),
                    Align2::RIGHT_TOP,
                    high,
                    theme::small(),
                    theme.text2,
                );
            }
        }

        let text = format!("Distribution after {}: {}", set.mv, set.sentence);
        let response = ui.interact(strip, ui.scope_id().with(("ends", set.mv)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(text);
    }
}

/// The searched terms with their weights in the means, then the other evaluators.
fn measures(found: &Found) -> Data {
    type Row<'a> = (Option<f64>, &'a MeasureMeans);
    let of_row =
        |row: &MeasureMeans| Format::places(words::places(row.means.iter().copied()).max(1));
    let name = |(weight, row): &Row<'_>| match weight {
        None => row.label.clone(),
        Some(1.0) => format!("{}, searched", row.label),
        Some(weight) => format!("{} × {}, searched", words::exact(*weight), row.label),
    };
    let mut columns = vec![
        Column::text("evaluator", "", "", |(_, row): &Row<'_>| row.label.clone())
            .only(Formats::CSV),
        Column::text("name", "evaluator", "What is evaluated at the ends", name)
            .only(Formats::PEOPLE),
        Column::number(
            "weight",
            "",
            "Weight in the search",
            |(weight, _): &Row<'_>| *weight,
        )
        .only(Formats::CSV),
        Column::number(
            "spread",
            "spread",
            "Largest mean minus smallest mean",
            move |(_, row): &Row<'_>| Cell::from(row.spread()).with(of_row(row)),
        )
        .only(Formats::PEOPLE),
    ];
    columns.extend(found.measures.moves.iter().enumerate().map(|(index, mv)| {
        let about = "Mean at the ends after this move; a searched term includes its weight";
        Column::number(
            mv.name(),
            format!("{} {mv}", mv.arrow()),
            about,
            move |(_, row): &Row<'_>| {
                row.means
                    .get(index)
                    .map(|mean| Cell::from(*mean).with(of_row(row)))
            },
        )
    }));
    let terms = found
        .measures
        .terms
        .iter()
        .map(|row| (Some(row.weight), row));
    Data::of(
        &columns,
        terms.chain(found.measures.others.iter().map(|row| (None, row))),
    )
}

fn measures_table(ui: &mut Ui, found: &Found, sort: &mut Sort<usize>) {
    let moves = &found.measures.moves;
    let first = (ui.available_width() - 96.0 * (moves.len() as f32 + 1.0)).clamp(120.0, 260.0);
    let (id, name) = ("measures", "Evaluators at the ends");
    let table = DataTable {
        id,
        name,
        data: measures(found).into(),
        sort,
        gap: GAP,
    };
    table.show(
        ui,
        |_, column, _| if column == 0 { first } else { 84.0 },
        |_, cells| {
            let means = moves
                .iter()
                .zip(cells.iter().skip(2))
                .map(|(mv, mean)| format!("{mv} {mean}"));
            format!("{}: {}", cells[0], words::list(&means.collect::<Vec<_>>()))
        },
    );
}

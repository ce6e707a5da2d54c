//! The content of a network: its tables over two of their cells, and the contribution of each tuple on the board.

use std::sync::Arc;

use egui::{
    Align2, Label, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};

use super::game;
use super::past::{self, Past};
use crate::game::{Board, Move};
use crate::network::opened::{Heat, LEVELS, Others, TableFacts};
use crate::network::{Network, Tuple};
use crate::task::{Job, Latest, TaskInfo};
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{self, Button, choice, paint_mini, segmented};
use crate::workbench::panels::tuples::{Pointed, tuples_ui};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// Bars of the distribution of weights.
const BINS: usize = 48;
/// Side of the picture of a table.
const PICTURE: std::ops::RangeInclusive<f32> = 150.0..=420.0;
/// Side of the board next to it.
const BOARD: f32 = 96.0;

/// Identifies the weights: the name, the version of the file, and how often an active training was sampled.
type NetworkKey = (String, String, u64);
type TableKey = (NetworkKey, usize, usize, [usize; 2], bool);

/// The chosen network as it was read, and the view of it.
#[derive(Debug, Default)]
pub(super) struct Opened {
    network: Latest<NetworkKey, Result<Arc<Network>, String>>,
    table: Latest<TableKey, (TableFacts, Heat)>,
    looks: u64,
    /// Length of the curve when the network was last read.
    points: usize,
    past: Past,
    stage: usize,
    pointed: Pointed,
    cells: [usize; 2],
    others: Others,
    mv: Option<Move>,
}

impl Opened {
    /// The network of this name as read from the file or the active training; shows the progress of reading.
    fn network(&mut self, ui: &mut Ui, doc: &Document, name: &str) -> Option<Arc<Network>> {
        let all = doc.trainings();
        let version = if all.live_of(name).is_some() {
            "live".to_owned()
        } else {
            all.version(name)
        };
        let key = (name.to_owned(), version, self.looks);
        if !self.network.is_asked(&key)
            && let Some(snapshot) = all.snapshot(name)
        {
            let info = TaskInfo::told(format!("Opening {}", words::quoted(name)));
            self.network
                .ask(key, doc.tasks(), info, move |_: &Job<_>| snapshot.take());
        }

        self.network.poll();
        let is_live = all.live_of(name).is_some();
        let network = match self.network.known() {
            Some(Ok(network)) => network.clone(),
            Some(Err(reason)) => {
                kit::problem(ui, reason);
                return None;
            }
            None => {
                kit::remark(ui, "Copying the weights…", Theme::of(ui).text2);
                return None;
            }
        };

        if is_live {
            let games = network
                .info
                .header
                .manifest
                .as_ref()
                .map_or(0, |manifest| manifest.games);
            ui.horizontal(|ui| {
                if ui.add(Button::new("Refresh").small()).clicked() {
                    self.looks += 1;
                }
                let text = format!("Copied after {}", words::plural(games, "game"));
                ui.label(RichText::new(text).color(Theme::of(ui).text3));
            });
        }

        let tuples = network.shape().tuples().len();
        self.pointed.tuple = self.pointed.tuple.min(tuples - 1);
        self.stage = self.stage.min(network.shape().stages().len());
        Some(network)
    }

    /// A tuple as a picture over two of its cells, with the visited part of its table and the distribution of its
    /// weights.
    pub(super) fn tables_ui(&mut self, ui: &mut Ui, doc: &Document, name: &str) {
        let Some(network) = self.network(ui, doc, name) else {
            return;
        };
        self.choices_ui(ui, &network);
        let tuple = &network.shape().tuples()[self.pointed.tuple];
        let length = tuple.cells().len();
        if self.cells[0] == self.cells[1] || self.cells.iter().any(|&cell| length <= cell) {
            self.cells = [0, 1.min(length - 1)];
        }

        let Some(network_key) = self.network.key().cloned() else {
            return;
        };
        let (stage, place, cells, others) =
            (self.stage, self.pointed.tuple, self.cells, self.others);
        let key = (network_key, stage, place, cells, others == Others::Empty);
        let own_network = network.clone();
        self.table.ask(
            key,
            doc.tasks(),
            TaskInfo::told("Reading a table"),
            move |_: &Job<_>| {
                (
                    own_network.facts(stage, place, BINS),
                    own_network.heat(stage, place, cells, others),
                )
            },
        );

        self.table.poll();
        let Some((facts, heat)) = self.table.value() else {
            return;
        };
        let theme = Theme::of(ui);
        let share = 100.0 * facts.touched as f64 / facts.weights.max(1) as f64;
        let all = network.weights().len() as u64;
        let ends = facts.ends.map_or_else(String::new, |[low, high]| {
            format!(
                ", from {} to {}",
                words::decimals(low.into(), 1),
                words::decimals(high.into(), 1)
            )
        });

        let text = format!(
            "Tuple {tuple}: {} of its {} weights were touched ({} %){ends}; the network has {}",
            words::count(facts.touched),
            words::count(facts.weights),
            words::decimals(share, 1),
            words::plural(all, "weight"),
        );
        terms::tip(
            ui.add(Label::new(RichText::new(text).color(theme.text2)).wrap()),
            &terms::TOUCHED,
        );
        ui.horizontal_top(|ui| {
            let most = (ui.available_height() - 4.0).min(ui.available_width() * 0.6);
            let side = most.clamp(*PICTURE.start(), *PICTURE.end());
            heat_ui(ui, heat, tuple, cells, side);
            ui.vertical(|ui| {
                distribution_ui(ui, facts);
                cells_ui(ui, &network, tuple, cells);
            });
        });
    }

    fn choices_ui(&mut self, ui: &mut Ui, network: &Network) {
        let shape = network.shape();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_S;
            let tuples = shape.tuples().iter().enumerate().map(|(place, tuple)| (place, tuple.to_string()));
            let text = shape.tuples()[self.pointed.tuple].to_string();
            choice(ui, "Tuple", &mut self.pointed.tuple, text, 88.0, tuples);
            if !shape.stages().is_empty() {
                let name = |stage: usize| match stage.checked_sub(1).and_then(|before| shape.stages().get(before)) {
                    Some(begin) => format!("from {begin}"),
                    None => "first stage".to_owned(),
                };
                let text = name(self.stage);
                let stages = (0..=shape.stages().len()).map(|stage| (stage, name(stage)));
                choice(ui, "Stage", &mut self.stage, text, 88.0, stages);
            }

            let cells = shape.tuples()[self.pointed.tuple].cells();
            for (which, label) in ["First cell", "Second cell"].into_iter().enumerate() {
                let now = self.cells[which].min(cells.len() - 1);
                let mut cell = now;
                let all = cells.iter().enumerate().map(|(place, cell)| (place, format!("cell {cell:x}")));
                choice(ui, label, &mut cell, format!("cell {:x}", cells[now]), 68.0, all);
                if cell != now {
                    // Swaps the two cells if they would be the same.
                    if self.cells[1 - which] == cell {
                        self.cells[1 - which] = now;
                    }
                    self.cells[which] = cell;
                }
            }

            let choices = [(Others::Met, "Mean of the others"), (Others::Empty, "Others empty")];
            segmented(ui, "The other cells", &mut self.others, &choices).on_hover_text(
                "The other cells of the tuple: the mean over all their touched combinations, or all empty",
            );
        });
    }

    /// The contribution of each tuple to the value of an afterstate of the current board.
    pub(super) fn board_ui(&mut self, ui: &mut Ui, doc: &Document, name: &str) {
        // An active training is read again at each point of its curve.
        let points = doc.trainings().curve(name).len();
        let is_new = std::mem::replace(&mut self.points, points) < points;
        if is_new && doc.trainings().live_of(name).is_some() && !self.network.is_pending() {
            self.looks += 1;
        }

        let Some(network) = self.network(ui, doc, name) else {
            return;
        };
        let (board, theme) = (doc.board(), Theme::of(ui));
        if board.size() != network.size() {
            let text = format!(
                "Trained on {} boards: open a board of that size",
                network.size()
            );
            kit::remark(ui, text, theme.text2);
            return;
        }

        let worth = |mv: Move| {
            let slide = board.slide(mv)?;
            let value = network.of_grid(&slide.after.board().to_grid());
            Some((mv, slide, value))
        };
        let all: Vec<_> = Move::ALL.into_iter().filter_map(worth).collect();
        let total =
            |(_, slide, value): &(Move, crate::game::Slide, f64)| f64::from(slide.reward) + value;
        let Some(best) = all.iter().max_by(|a, b| total(a).total_cmp(&total(b))) else {
            kit::remark(ui, "The game is over: no move left", theme.text2);
            return;
        };

        self.past.see(
            name,
            &network,
            all.iter().map(|(_, slide, _)| slide.after.board()),
        );
        let (best, named) = (best.0, |mv: Move| all.iter().find(|one| one.0 == mv));
        let mut mv = self.mv.filter(|&mv| named(mv).is_some()).unwrap_or(best);
        let choices: Vec<(Move, &str)> = all.iter().map(|one| (one.0, one.0.name())).collect();
        ui.horizontal_wrapped(|ui| {
            if segmented(ui, "Slide", &mut mv, &choices).changed() {
                self.mv = (mv != best).then_some(mv);
            }
            let text = if mv == best {
                "the move it plays: the largest reward + value"
            } else {
                "another slide"
            };
            ui.label(RichText::new(text).color(theme.text3));
        });
        let Some((_, slide, value)) = named(mv) else {
            return;
        };
        let after = slide.after.board();
        let Some(reading) = network.reading(&after.to_grid()) else {
            return;
        };

        let sentence = format!(
            "{}: reward {} + value {} = {}; the value is the sum of the tuples below",
            words::capitalised(mv.name()),
            words::count(slide.reward.into()),
            words::decimals(*value, 1),
            words::decimals(f64::from(slide.reward) + value, 1),
        );
        ui.add(Label::new(RichText::new(sentence).color(theme.text1)).wrap());
        let copies = self.past.of(name, after);
        let (height, is_live) = (
            ui.available_height(),
            doc.trainings().live_of(name).is_some(),
        );
        tuples_ui(
            ui,
            &network,
            &reading,
            &mut self.pointed,
            height,
            |ui, tuple| match copies {
                [_, _, ..] => past::past_ui(ui, &network, copies, tuple),
                _ if is_live => past::hint_ui(ui),
                _ => {}
            },
        );
    }

    /// The predictions along the current game.
    pub(super) fn game_ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        name: &str,
        commands: &mut Commands,
    ) {
        if let Some(network) = self.network(ui, doc, name) {
            game::game_ui(ui, doc, &network, name, commands);
        }
    }
}

/// "·", "2", "4" … "32k".
fn level_text(level: usize) -> String {
    match level {
        0 => "·".to_owned(),
        level if level < 10 => (1_u64 << level).to_string(),
        level => format!("{}k", 1_u64 << (level - 10)),
    }
}

fn heat_ui(ui: &mut Ui, heat: &Heat, tuple: &Tuple, cells: [usize; 2], side: f32) {
    /// Room for the tiles at the edges.
    const EDGE: f32 = 34.0;
    let theme = Theme::of(ui);
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(side), Sense::hover());
    let inner = Rect::from_min_max(rect.min + vec2(EDGE, 16.0), rect.max - vec2(2.0, 18.0));
    let step = vec2(inner.width(), inner.height()) / LEVELS as f32;
    let means = || heat.means.iter().flatten().copied();
    let ends = (
        means().fold(f64::INFINITY, f64::min),
        means().fold(f64::NEG_INFINITY, f64::max),
    );
    let [first, second] = cells.map(|place| tuple.cells()[place]);
    let touched = means().count();
    let name = format!(
        "Tuple {tuple} over cells {first:x} and {second:x}: {touched} of 256 fields touched{}",
        if touched == 0 {
            String::new()
        } else {
            format!(
                ", means from {} to {}",
                words::decimals(ends.0, 1),
                words::decimals(ends.1, 1)
            )
        }
    );

    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let painter = ui.painter();
    painter.rect_filled(inner, 0, theme.bg2);
    let field = |a: usize, b: usize| {
        Rect::from_min_size(inner.min + vec2(b as f32 * step.x, a as f32 * step.y), step)
            .shrink(0.5)
    };
    for a in 0..LEVELS {
        for b in 0..LEVELS {
            if let (Some(mean), _) = heat.at(a, b) {
                let share = (mean - ends.0) / (ends.1 - ends.0).max(1e-9);
                painter.rect_filled(field(a, b), 0, theme.sequential(share as f32));
            }
        }
        // Skips numbers that would touch.
        if 13.0 <= step.y || a % 2 == 0 {
            let at = pos2(inner.left() - 4.0, field(a, 0).center().y);
            painter.text(
                at,
                Align2::RIGHT_CENTER,
                level_text(a),
                theme::small(),
                theme.text3,
            );
        }
        if 26.0 <= step.x || a % 2 == 0 && 13.0 <= step.x || a % 4 == 0 {
            let at = pos2(field(0, a).center().x, inner.bottom() + 3.0);
            painter.text(
                at,
                Align2::CENTER_TOP,
                level_text(a),
                theme::small(),
                theme.text3,
            );
        }
    }

    painter.rect_stroke(inner, 0, Stroke::new(1.0, theme.line), StrokeKind::Outside);
    let title = format!("↓ cell {first:x}, → cell {second:x}");
    painter.text(
        pos2(inner.left(), rect.top()),
        Align2::LEFT_TOP,
        title,
        theme::small(),
        theme.text3,
    );
    let Some(pointer) = response.hover_pos().filter(|&at| inner.contains(at)) else {
        return;
    };
    let at = (pointer - inner.min) / step;
    let (a, b) = (
        (at.y as usize).min(LEVELS - 1),
        (at.x as usize).min(LEVELS - 1),
    );
    painter.rect_stroke(
        field(a, b),
        0,
        Stroke::new(1.5, theme.text1),
        StrokeKind::Outside,
    );
    let (mean, count) = heat.at(a, b);
    let cells = format!(
        "Cell {first:x}: {}, cell {second:x}: {}",
        level_text(a),
        level_text(b)
    );
    response.on_hover_text(match mean {
        Some(mean) => {
            let weights = words::plural(count, "touched weight");
            format!("{cells}\nMean {} of {weights}", words::decimals(mean, 1))
        }
        None => format!("{cells}\nNo weight was touched"),
    });
}

/// The distribution of the visited weights. Bars show square roots of counts, because most weights stay near their
/// initial value.
fn distribution_ui(ui: &mut Ui, facts: &TableFacts) {
    let theme = Theme::of(ui);
    let Some([low, high]) = facts.ends else {
        return;
    };
    let [low, high] = [low, high].map(|end| words::decimals(end.into(), 1));
    let name = format!("Distribution of the touched weights, from {low} to {high}");
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width().min(320.0), 92.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    let inner = Rect::from_min_max(rect.min + vec2(0.0, 16.0), rect.max - vec2(0.0, 16.0));
    let most = facts.bins.iter().copied().max().unwrap_or(1).max(1) as f32;
    let width = inner.width() / facts.bins.len() as f32;
    let painter = ui.painter();
    for (place, &count) in facts
        .bins
        .iter()
        .enumerate()
        .filter(|(_, count)| **count != 0)
    {
        let height = inner.height() * (count as f32 / most).sqrt();
        let left = inner.left() + place as f32 * width;
        let bar = Rect::from_min_max(
            pos2(left, inner.bottom() - height.max(1.0)),
            pos2(left + width - 1.0, inner.bottom()),
        );
        painter.rect_filled(bar, 0, theme.sequential(0.6));
    }

    painter.hline(
        inner.x_range(),
        inner.bottom(),
        Stroke::new(1.0, theme.line),
    );
    let put = |at, align, text: &str| {
        painter.text(at, align, text, theme::small(), theme.text3);
    };
    put(
        rect.left_top(),
        Align2::LEFT_TOP,
        "Touched weights (square-root scale)",
    );
    put(rect.left_bottom(), Align2::LEFT_BOTTOM, &low);
    put(rect.right_bottom(), Align2::RIGHT_BOTTOM, &high);
}

/// The cells of the tuple, with the two of the picture highlighted.
fn cells_ui(ui: &mut Ui, network: &Network, tuple: &Tuple, cells: [usize; 2]) {
    let (theme, size) = (Theme::of(ui), network.size());
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(BOARD), Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Image, true, format!("Cells of the tuple {tuple}"))
    });
    let geometry = paint_mini(ui.painter(), theme, rect, &Board::empty(size));
    for (place, &cell) in tuple.cells().iter().enumerate() {
        let field = geometry.cell(crate::game::Cell::at(usize::from(cell), size));
        let is_shown = cells.contains(&place);
        ui.painter().rect_filled(
            field,
            2,
            theme.sequential(if is_shown { 0.8 } else { 0.35 }),
        );
        let ink = if is_shown { theme.text1 } else { theme.text2 };
        if is_shown {
            ui.painter()
                .rect_stroke(field, 2, Stroke::new(1.5, ink), StrokeKind::Inside);
        }
    }
}

//! The plot on a page: its strategies above it, and a caption with what is drawn and how to play the games again.

use egui::{Align, Layout, RichText, Ui, vec2};

use super::brush::Brushing;
use super::data::{Lens, PlotData, Series, Unit};
use super::frame::{Kind, PlotShape};
use super::hear::band_text;
use super::ladder::ladder_ui;
use super::nodes::{footer_text, nodes_ui};
use super::plot::plot_ui;
use super::sweep::{SweepData, SweepView};
use crate::game::{Rank, Rules};
use crate::stats::IntervalKind;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::kit::{KEY_WIDTH, elided, mark_key, tile_key};
use crate::workbench::panels::experiment::run_view::RunView;
use crate::workbench::state::Arm;
use crate::workbench::theme::{self, Theme};

/// Height of a plot over scores, as a share of its width.
const PLOT: f32 = 0.5;
/// Minimum height of a plot that fills the rest.
const LEAST: f32 = 40.0;
/// Width of the numbers of the left axis.
const AXIS: f32 = 60.0;
/// Height of a row in a plot of rows.
const ROW: f32 = 36.0;

/// The content of a page.
pub(super) struct Sheet<'a> {
    pub kind: Kind,
    pub data: &'a PlotData,
    pub sweep: &'a SweepView,
    /// The zoomed part of the axis.
    pub seen: Option<(f64, f64)>,
    pub title: &'a str,
    /// Indexed by the place of the strategy.
    pub arms: &'a [Arm],
    pub is_over: bool,
}

/// The lens of a page of this width.
pub(super) fn lens(width: f32, seen: Option<(f64, f64)>) -> Lens {
    Lens {
        pixels: (width - AXIS).max(AXIS),
        seen,
    }
}

impl Sheet<'_> {
    /// Draws the page; a plot over scores takes the rest of the height if it `fills` it.
    pub(super) fn ui(&self, ui: &mut Ui, fills: bool) {
        let mut brushing = Brushing::default();
        brushing.wanted = self.seen;
        let brushing = &mut brushing;
        let high = |ui: &Ui| {
            if fills {
                ui.available_height().max(LEAST)
            } else {
                ui.available_width() * PLOT
            }
        };

        let (data, theme) = (self.data, Theme::of(ui));
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_L, 4.0);

        let mut view = RunView::default();
        match self.kind {
            Kind::Histogram | Kind::Ecdf | Kind::Differences => {
                match &data.paired {
                    Some(paired) => {
                        drop(ui.label(RichText::new(paired.sentence()).color(theme.text1)));
                    }
                    None => drop(ui.horizontal_wrapped(|ui| {
                        data.series.iter().for_each(|series| key_ui(ui, series));
                    })),
                }
                if let Some((_, stack)) = data.stacked().filter(|_| self.kind == Kind::Histogram) {
                    tiles_ui(ui, stack.parts.iter().map(|(rank, _)| *rank));
                }
                let high = high(ui);
                plot_ui(ui, self.kind, data, &mut view, brushing, high);
            }
            Kind::Sweep => {
                self.sweep.legend_ui(ui);
                let high = high(ui);
                let _ = self.sweep.ui(ui, &mut view, &mut Commands::default(), high);
            }
            Kind::Ladder => {
                let height = 26.0 + ROW * data.rows.len() as f32;
                ladder_ui(ui, data, &mut view, &mut Commands::default(), height);
            }
            Kind::Nodes => {
                ui.horizontal_wrapped(|ui| {
                    data.series.iter().for_each(|series| key_ui(ui, series));
                });
                let high = high(ui);
                nodes_ui(ui, data, high);
            }
            Kind::Box => {
                let height = (50.0 + ROW * data.rows.len() as f32).max(120.0);
                plot_ui(ui, self.kind, data, &mut view, brushing, height);
            }
        }
    }

    /// What is drawn, the games, and the rules.
    pub(super) fn caption(&self) -> String {
        let (data, shape) = (self.data, self.kind.facts().shape);
        let mut parts = vec![self.title.to_owned()];
        parts.push(match (self.kind, data.unit) {
            (Kind::Histogram, Unit::Games) => {
                format!("Games by score, {}. Markers on the axis: means", data.width_text())
            }
            (Kind::Histogram, Unit::Share) => {
                format!("Share of games by score, {}. Markers on the axis: means", data.width_text())
            }
            (Kind::Differences, _) => {
                let label = data.paired.as_ref().map_or("", |paired| &paired.label);
                let width = data.width_text();
                format!(
                    "Games by the difference of their scores on the same tiles, {label}, {width}; identical games are left out. On the axis: mean with its 95 % interval"
                )
            }
            (Kind::Sweep, _) => self.sweep.data().map(SweepData::caption).unwrap_or_default(),
            (Kind::Nodes, _) => footer_text(data),
            (Kind::Ecdf, _) => "Share of games with at most a score. Markers on the axis: means".to_owned(),
            (Kind::Ladder, _) => {
                let is_exact = |series: &Series| series.reach.iter().any(|one| series.exact_reach(one.tile).is_some());
                let exact = if data.rows.iter().any(is_exact) { "; wedges: exact" } else { "" };
                let intervals = self.interval_text();
                format!("Share of games in % that reached a tile, with 95 % intervals ({intervals}){exact}")
            }
            (Kind::Box, _) => {
                "Boxes: quartiles. Whiskers: 5 % and 95 %. Dots: lowest and highest score. Markers: means".to_owned()
            }
        });
        parts.extend(band_text(&data.series).filter(|_| self.kind == Kind::Ecdf));
        parts.extend(
            data.tail_text()
                .filter(|_| self.kind == Kind::Histogram)
                .map(|text| format!("Last bar: {text}")),
        );
        if let Some((low, high)) = self.seen.filter(|_| shape != PlotShape::Own) {
            let [low, high] = [low, high].map(|at| data.axis.text(data.axis.score(at)));
            parts.push(format!(
                "Enlarged: {} {low} to {high}",
                if data.paired.is_some() {
                    "differences"
                } else {
                    "scores"
                }
            ));
        }

        if let Some((series, _)) = data.stacked().filter(|_| self.kind == Kind::Histogram) {
            parts.push(format!(
                "Bars of {} by the largest tile of the game",
                series.label
            ));
        }

        let shown = shape.drawn(data);
        let games = match (
            shown.iter().map(|one| one.games).min(),
            shown.iter().map(|one| one.games).max(),
        ) {
            (Some(fewest), Some(most)) if fewest < most => {
                format!(
                    "{} to {}",
                    words::count(fewest),
                    words::plural(most, "game")
                )
            }
            (fewest, _) => words::plural(fewest.unwrap_or(0), "game"),
        };
        parts.push(format!("{games}{}", self.dealt_text(shown)));
        if !self.is_over {
            parts.push("The run was not finished".to_owned());
        }

        let biased: Vec<&str> = shown
            .iter()
            .filter(|one| self.arm(one).is_some_and(|arm| arm.is_biased))
            .map(|one| &*one.label)
            .collect();
        if !biased.is_empty() {
            parts.push(format!(
                "Stopped at once, so long games are missing and scores are too low: {}",
                biased.join(", ")
            ));
        }

        if shown.len() < self.arms.len() && self.kind != Kind::Sweep {
            parts.push(format!(
                "{} of {} strategies",
                shown.len(),
                words::count(self.arms.len() as u64)
            ));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(". ")
    }

    fn arm(&self, series: &Series) -> Option<&Arm> {
        self.arms.get(series.place)
    }

    /// Seed and rules, per strategy if they differ.
    fn dealt_text(&self, shown: &[Series]) -> String {
        let dealt = |series: &Series| {
            self.arm(series)
                .map(|arm| (arm.dealt.seed, arm.dealt.rules))
        };
        let text = |(seed, rules): (u64, Rules)| format!("seed {seed}, {}", rules.about());
        let first = shown.first().and_then(dealt);
        if shown.iter().all(|series| dealt(series) == first) {
            let each = if shown.len() == 1 {
                ""
            } else {
                " each, on the same seeds"
            };
            return format!("{each}; {}", first.map_or(String::new(), text));
        }
        let one = |series: &Series| Some(format!("{} {}", series.label, text(dealt(series)?)));
        format!(
            " each; {}",
            shown.iter().filter_map(one).collect::<Vec<_>>().join("; ")
        )
    }

    fn interval_text(&self) -> &'static str {
        match self.data.rows.iter().map(|series| series.kind).min() {
            Some(kind @ IntervalKind::Anytime) => kind.promise(),
            _ => "Wilson",
        }
    }
}

/// A strategy of the legend with its mean; wraps to the next line if it does not fit.
fn key_ui(ui: &mut Ui, series: &Series) {
    const GAP: f32 = 6.0;
    let theme = Theme::of(ui);
    let mean = format!(
        "n {}, mean {}",
        words::count(series.games),
        words::decimals(series.mean, 0)
    );
    let mean = elided(
        ui.painter(),
        &mean,
        theme::small(),
        theme.text2,
        f32::INFINITY,
    );
    let rest = KEY_WIDTH + mean.size().x + 2.0 * GAP;
    let room = (ui.max_rect().width() - rest).max(rest);
    let name = elided(
        ui.painter(),
        &series.label,
        theme::medium(),
        theme.text1,
        room,
    );
    let size = vec2(rest + name.size().x, name.size().y.max(mean.size().y));
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = GAP;
        mark_key(ui, &series.label, theme.strategy(series.color));
        ui.label(name);
        ui.label(mean);
    });
}

/// The colors of a stack.
pub(super) fn tiles_ui(ui: &mut Ui, ranks: impl Iterator<Item = Rank>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = theme::SPACE_S;
        for rank in ranks {
            tile_key(ui, rank);
        }
    });
}

//! The cost of a decision and the expected time of a batch, before it starts.

use std::time::Duration;

use egui::{DragValue, RichText, ScrollArea, Ui, vec2};

use crate::experiment::Estimate;
use crate::preset::MOST_GAMES;
use crate::task::threads_for_window;
use crate::words;
use crate::workbench::kit::figure;
use crate::workbench::panels::builder::{GAMES_PRICED, Price};
use crate::workbench::state::Document;
use crate::workbench::terms;
use crate::workbench::theme::{self, Theme};

/// View state: the typed number of games; until then, that of the experiment.
#[derive(Debug, Default)]
pub(super) struct PriceView {
    games: Option<u64>,
}

impl PriceView {
    pub(super) fn ui(&mut self, ui: &mut Ui, price: &Price, doc: &Document) {
        let theme = Theme::of(ui);
        let cost = &price.decision;
        let n = words::plural(cost.decisions, "decision");

        ScrollArea::vertical()
            .id_salt("cost")
            .auto_shrink(false)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(theme::SPACE_XL, theme::SPACE_M);
                ui.horizontal_wrapped(|ui| {
                    let (low, high) = cost.spread;
                    let mean = words::short_time(cost.per_decision.as_secs_f64());
                    let more = if cost.decisions == 0 {
                        "or more"
                    } else {
                        "mean"
                    };
                    terms::tip(figure(ui, "A decision", &mean, more), &terms::COST);
                    if cost.decisions != 0 {
                        let range = format!(
                            "{} to {}",
                            words::short_time(low.as_secs_f64()),
                            words::short_time(high.as_secs_f64())
                        );
                        let unit = if cost.nodes_per_decision.is_some() {
                            "of decisions"
                        } else {
                            "of games"
                        };
                        figure(ui, "10th to 90th percentile", &range, unit);
                    }
                    if let Some(per_second) = cost.per_second() {
                        let places = if per_second < 100.0 { 1 } else { 0 };
                        figure(
                            ui,
                            "Decisions per second",
                            &words::decimals(per_second, places),
                            "on one core",
                        );
                    }
                    if let Some(nodes) = cost.nodes_per_decision {
                        figure(
                            ui,
                            "Nodes per decision",
                            &words::decimals(nodes, 0),
                            "mean, including leaves",
                        );
                    }
                });

                let words = format!("Timed on this machine at its current load, n = {n}");
                ui.label(RichText::new(words).small().color(theme.text3));
                ui.add_space(theme::SPACE_S);
                self.games_ui(ui, price, doc);
            });
    }

    fn games_ui(&mut self, ui: &mut Ui, price: &Price, doc: &Document) {
        let theme = Theme::of(ui);
        let mut games = self.games.unwrap_or(doc.setup().games);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = theme::SPACE_M;
            let speed = (games as f64 * 0.01).max(1.0);
            let drag = DragValue::new(&mut games)
                .range(1..=MOST_GAMES)
                .speed(speed)
                .custom_formatter(|games, _| words::count(games as u64))
                .custom_parser(|text| text.replace(',', "").trim().parse().ok());
            let response = ui
                .add_sized(vec2(96.0, theme::CONTROL), drag)
                .accessible_name("Games");
            if response
                .on_hover_text("The games of the experiment, until you change the number")
                .changed()
            {
                self.games = Some(games);
            }

            let cores = doc.threads().unwrap_or_else(threads_for_window).max(1) as u64;
            let words = match &price.games {
                Some(priced) => taken(priced, games, cores),
                None => "games cannot be estimated".to_owned(),
            };
            ui.label(RichText::new(words).color(theme.text1));
        });
    }
}

/// "games take 2 min to 4 min on 1 core".
fn taken(priced: &Estimate, games: u64, cores: u64) -> String {
    let cores = cores.min(games).max(1);
    let times = games as f64 / (cores * GAMES_PRICED) as f64;
    let time = |duration: Duration| words::time(duration.as_secs_f64() * times);
    let range = match priced.high {
        Some(high) if time(priced.low) == time(high) => time(high),
        Some(high) => format!("{} to {}", time(priced.low), time(high)),
        None => format!("at least {}", time(priced.low)),
    };
    let games = if games == 1 {
        "game takes"
    } else {
        "games take"
    };
    format!("{games} {range} on {}", words::plural(cores, "core"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_take_their_time_divided_by_the_cores() {
        let secs = Duration::from_secs;
        let game = Estimate {
            low: secs(1000),
            likely: secs(2000),
            high: Some(secs(3000)),
            spread: None,
            rules: crate::experiment::ByRules::All,
        };
        assert_eq!(taken(&game, 1, 4), "game takes 10 s to 30 s on 1 core");
        assert_eq!(
            taken(&game, 400, 4),
            "games take 17 min to 50 min on 4 cores"
        );
        let open = Estimate { high: None, ..game };
        assert_eq!(taken(&open, 2, 2), "games take at least 10 s on 2 cores");
    }
}

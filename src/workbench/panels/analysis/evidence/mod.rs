//! What each row did over many games, what is odd about it, and what it costs.

mod data;
mod findings;
mod price;
mod rows;

use egui::{RichText, Sense, Ui, UiBuilder, vec2};

use crate::analysis::Evidence;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, empty, progress, segmented};
use crate::workbench::panels::Building;
use crate::workbench::panels::builder::{Known, Order, Source};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// So often a bar of progress grows.
const GROWS: std::time::Duration = std::time::Duration::from_millis(100);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Rows,
    Findings,
    Cost,
}

/// View state of the panel.
#[derive(Debug, Default)]
pub(crate) struct EvidencePanel {
    part: Part,
    findings: findings::Findings,
    price: price::PriceView,
}

impl EvidencePanel {
    pub(crate) fn ui(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building, commands: &mut Commands) {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        self.head(ui, doc, building);
        let sampling = &building.sampling;
        if let Some(wait) = sampling.is_waiting() {
            ui.ctx().request_repaint_after(wait);
        }
        state_line(ui, building);
        let hash = doc.strategy().hash();
        // What is known of the strategy before the edit stays, dimmed, until this one was sampled.
        let dim = |ui: &mut Ui, is_old: bool| {
            if is_old {
                ui.set_opacity(theme::STALE_ALPHA);
            }
        };
        match self.part {
            Part::Rows => match &sampling.evidence {
                Some(known) => {
                    dim(ui, known.hash != hash);
                    rows::ui(ui, &known.strategy, &known.found, commands);
                }
                None => {
                    empty(ui, "What each row did over many games. Press One second, or replay the last batch");
                }
            },
            Part::Findings => match &sampling.findings {
                Some(known) => {
                    dim(ui, known.hash != hash);
                    self.findings.ui(ui, known, commands);
                }
                None => {
                    empty(ui, "What is odd about the rows, with a position to see it. Press One second");
                }
            },
            Part::Cost => match &sampling.price {
                Some(known) => {
                    dim(ui, known.hash != hash);
                    self.price.ui(ui, &known.found, doc);
                }
                None => {
                    empty(ui, "What a decision costs, and how long games will take. Press One second");
                }
            },
        }
    }

    fn head(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building) {
        let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::CONTROL), Sense::hover());
        let layout = egui::Layout::right_to_left(egui::Align::Center);
        let mut right = ui.new_child(UiBuilder::new().id_salt("part").max_rect(line).layout(layout));
        let count = building.sampling.findings.as_ref().map_or(0, |known| known.found.len());
        let findings = if count == 0 { "Findings".to_owned() } else { format!("Findings {count}") };
        let choices = [(Part::Rows, "Rows"), (Part::Findings, findings.as_str()), (Part::Cost, "Cost")];
        segmented(&mut right, "Part of the evidence", &mut self.part, &choices);
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let mut left = ui.new_child(UiBuilder::new().id_salt("source").max_rect(line).layout(layout));
        let sampling = &mut building.sampling;
        for (text, about, order) in [
            ("One second", "Play games for one second and count what the rows do", Order::one_second(doc)),
            ("Last batch", "Play the games of the last run again and count what the rows do", Order::last_batch(doc)),
        ] {
            let button = Button::new(text).icon(Icon::Play);
            let response = left.add_enabled(order.is_ok(), button);
            match order {
                Ok(order) => {
                    if response.on_hover_text(about).clicked() {
                        sampling.begin(order, &doc.wake());
                    }
                }
                Err(reason) => drop(response.on_disabled_hover_text(reason)),
            }
        }
    }
}

/// Where the numbers are from, or how far it is.
fn state_line(ui: &mut Ui, building: &Building) {
    let theme = Theme::of(ui);
    let sampling = &building.sampling;
    let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), theme::TAG), Sense::hover());
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let mut line = ui.new_child(UiBuilder::new().id_salt("state").max_rect(line).layout(layout));
    let small = |text: &str, color| egui::Label::new(RichText::new(text).small().color(color)).truncate();
    if let Some((words, share)) = sampling.progress() {
        line.ctx().request_repaint_after(GROWS);
        progress(&mut line, "Progress of the sample", share, 72.0).on_hover_text("Escape stops it");
        line.add(small(&words, theme.text2));
    } else if let Some(reason) = &sampling.failed {
        line.add(small(&format!("✗ It cannot be sampled: {reason}"), theme.error));
    } else if let Some(known) = &sampling.evidence {
        line.add(small(&said(known, sampling.source), theme.text2));
    }
}

/// "12,345 decisions of 53 games of seed 1, played for one second; 1,234 moves had no choice".
fn said(known: &Known<Evidence>, source: Option<Source>) -> String {
    let Evidence { seed, games, is_cut, decisions, forced, took, .. } = &*known.found;
    let games = match (source, is_cut) {
        (Some(Source::LastBatch), false) => format!("the first {} of the last batch", words::plural(*games, "game")),
        (_, true) => format!("{}, the last in part,", words::plural(*games, "game")),
        (_, false) => words::plural(*games, "game"),
    };
    let decisions = words::plural(*decisions, "decision");
    let secs = words::decimals(took.as_secs_f64(), 1);
    format!("{decisions} of {games} of seed {seed}, in {secs} s; {} without a choice", words::plural(*forced, "move"))
}

//! What each row did over many games, what is odd about it, and what it costs.

mod findings;
mod price;
mod rows;

use egui::{RichText, Sense, Ui, vec2};

use crate::analysis::Evidence;
use crate::strategy::StrategyHash;
use crate::words;
use crate::workbench::command::Commands;
use crate::workbench::icon::Icon;
use crate::workbench::kit::{Button, Sort, empty, segmented};
use crate::workbench::panels::Building;
use crate::workbench::panels::analysis::parts::{ask, line_from_right, line_in, state_line};
use crate::workbench::panels::builder::{Known, SampleRequest, Source};
use crate::workbench::state::Document;
use crate::workbench::theme::{self, Theme};

/// Below this width the choice of the part has a line of its own.
const ONE_LINE_FROM: f32 = 460.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Rows,
    Findings,
    Cost,
}

impl Part {
    /// The hint while there is nothing to show.
    fn way_in(self) -> &'static str {
        match self {
            Self::Rows => "Shows what each row did over many games. Press One second or Last batch",
            Self::Findings => {
                "Shows problems of the rows, with example positions. Press One second"
            }
            Self::Cost => "Shows how long a decision and a game take. Press One second",
        }
    }
}

#[derive(Debug)]
pub(crate) struct EvidencePanel {
    part: Part,
    /// Of the rows; by default they are in the order of the strategy.
    sort: Sort<usize>,
    findings: findings::Findings,
    price: price::PriceView,
}

impl Default for EvidencePanel {
    fn default() -> Self {
        let (part, findings, price) = Default::default();
        Self {
            part,
            sort: Sort::new(usize::MAX, false),
            findings,
            price,
        }
    }
}

impl EvidencePanel {
    pub(crate) fn ui(
        &mut self,
        ui: &mut Ui,
        doc: &Document,
        building: &mut Building,
        commands: &mut Commands,
    ) {
        ui.spacing_mut().item_spacing = vec2(theme::SPACE_M, theme::SPACE_S);
        self.head(ui, doc, building);
        let sampling = &building.sampling;
        if let Some(wait) = sampling.is_waiting() {
            ui.ctx().request_repaint_after(wait);
        }

        let failed = sampling
            .failed
            .as_ref()
            .map(|reason| format!("✗ Sampling failed: {reason}"));
        let summary = sampling
            .evidence
            .as_ref()
            .map(|evidence| RichText::new(said(evidence, sampling.source)).small());
        let summary = summary.map(|words| words.color(Theme::of(ui).text2));
        let failed = failed.map(|words| RichText::new(words).small());
        state_line(
            ui,
            theme::TAG,
            "Progress of the sample",
            sampling.progress(),
            failed,
            summary,
        );
        let hash = doc.strategy().hash();
        // The evidence of the strategy before the edit stays, dimmed, until the edited one has a sample.
        let dim = |ui: &mut Ui, shown: StrategyHash| {
            if shown != hash {
                ui.set_opacity(theme::STALE_ALPHA);
            }
        };

        match (
            self.part,
            &sampling.evidence,
            &sampling.findings,
            &sampling.price,
        ) {
            (Part::Rows, Some(evidence), ..) => {
                dim(ui, evidence.strategy.hash());
                rows::ui(
                    ui,
                    &mut self.sort,
                    &evidence.strategy,
                    &evidence.found,
                    commands,
                );
            }
            (Part::Findings, _, Some(findings), _) => {
                dim(ui, findings.strategy.hash());
                let evidence = sampling
                    .evidence
                    .as_ref()
                    .filter(|evidence| evidence.strategy.hash() == findings.strategy.hash());
                self.findings.ui(
                    ui,
                    findings,
                    evidence.map(|evidence| &*evidence.found),
                    commands,
                );
            }
            (Part::Cost, .., Some(cost)) => {
                dim(ui, cost.strategy.hash());
                self.price.ui(ui, &cost.found, doc);
            }
            (part, ..) => drop(empty(ui, part.way_in())),
        }
    }

    /// The caption of a figure of the panel.
    pub(crate) fn caption(&self, building: &Building) -> Option<String> {
        let evidence = building.sampling.evidence.as_ref()?;
        Some(format!(
            "Evidence of {}: {}",
            evidence.strategy.label(),
            said(evidence, building.sampling.source)
        ))
    }

    fn head(&mut self, ui: &mut Ui, doc: &Document, building: &mut Building) {
        let size = vec2(ui.available_width(), theme::CONTROL);
        let (line, _) = ui.allocate_exact_size(size, Sense::hover());
        let mut parts = if size.x < ONE_LINE_FROM {
            let (below, _) = ui.allocate_exact_size(size, Sense::hover());
            line_in(ui, "part", below)
        } else {
            line_from_right(ui, "part", line)
        };
        let count = building
            .sampling
            .findings
            .as_ref()
            .map_or(0, |findings| findings.found.len());
        let findings = if count == 0 {
            "Findings".to_owned()
        } else {
            format!("Findings {count}")
        };
        let choices = [
            (Part::Rows, "Rows"),
            (Part::Findings, findings.as_str()),
            (Part::Cost, "Cost"),
        ];
        segmented(&mut parts, "Part of the evidence", &mut self.part, &choices);

        let mut left = line_in(ui, "source", line);
        for (text, games, order) in [
            (
                "One second",
                "games for one second",
                SampleRequest::one_second(doc),
            ),
            (
                "Last batch",
                "the games of the last run again",
                SampleRequest::last_batch(doc),
            ),
        ] {
            let about = format!("Play {games} and count what the rows do");
            let is_asked = ask(
                &mut left,
                Button::new(text).icon(Icon::Play),
                order.as_ref().map(|_| ()),
                &about,
            );
            if let Some(order) = order.ok().filter(|_| is_asked) {
                building.sampling.begin(order, doc.tasks());
            }
        }
    }
}

/// "12,345 decisions of 53 games of seed 1, played for one second; 1,234 moves had no choice".
fn said(evidence: &Known<Evidence>, source: Option<Source>) -> String {
    let Evidence {
        seed,
        games,
        is_cut,
        decisions,
        forced,
        took,
        ..
    } = &*evidence.found;
    let games = match (source, is_cut) {
        (Some(Source::LastBatch), false) => format!(
            "the first {} of the last batch",
            words::plural(*games, "game")
        ),
        (_, true) => format!(
            "{}, the last one unfinished,",
            words::plural(*games, "game")
        ),
        (_, false) => words::plural(*games, "game"),
    };
    let decisions = words::plural(*decisions, "decision");
    let secs = words::decimals(took.as_secs_f64(), 1);
    format!(
        "{decisions} of {games} of seed {seed}, in {secs} s; {} without a choice",
        words::plural(*forced, "move")
    )
}

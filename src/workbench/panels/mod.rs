//! The panels of the window.
//!
//! To add one:
//!
//! 1. Name it in `layout::Panel` with its title, and give it a place in every `Layout::first`.
//! 2. Write a struct here that holds view state only (filter, scroll, what is open) and draws itself from the document.
//! 3. Add it to [`Panels`] and to the `match` of [`Panels::ui`].

mod board;
mod decision;
pub mod drag;
mod experiment;
mod games;
mod lab_view;
mod presets;
mod results;
mod strategy;

pub use drag::StrategyDrag;

use super::command::{Command, Commands};
use super::document::Document;
use super::layout::Panel;

/// All panels with what each remembers about its own view.
#[derive(Debug, Default)]
pub struct Panels {
    board: board::BoardPanel,
    decision: decision::DecisionPanel,
    strategy: strategy::StrategyPanel,
    experiment: experiment::ExperimentPanel,
    results: results::ResultsPanel,
    games: games::GamesPanel,
    presets: presets::PresetsPanel,
    lab: lab_view::LabView,
}

impl Panels {
    /// Draws one panel into `ui`, which is its inside.
    pub fn ui(&mut self, panel: Panel, ui: &mut egui::Ui, doc: &Document, commands: &mut Commands) {
        match panel {
            Panel::Board => {
                self.board.preview = self.decision.hovered;
                self.board.ui(ui, doc, commands);
            }
            Panel::Decision => self.decision.ui(ui, doc, commands),
            Panel::Strategy => self.strategy.ui(ui, doc, commands),
            Panel::Experiment => self.experiment.ui(ui, doc, &mut self.lab, commands),
            Panel::Results => self.results.ui(ui, doc, &mut self.lab, commands),
            Panel::Games => self.games.ui(ui, doc, &mut self.lab, commands),
            Panel::Presets => self.presets.ui(ui, doc, commands),
        }
    }

    /// Passes a command on to the panel that knows what is selected.
    pub fn wish(&mut self, command: &Command) {
        self.strategy.wish(command);
    }
}

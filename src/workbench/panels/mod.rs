//! The panels of the window.
//!
//! To add one:
//!
//! 1. Name it in `command/panel.rs` (last variant, for saved layouts; its row: title, key, stretch), list the
//!    commands of its menu in `command/panel_menu.rs`, and add it to a workspace of every width in
//!    `state/layout/arrangements.rs`. The View menu lists it.
//! 2. Write a struct here that holds view state only (filter, scroll, what is open) and draws itself from the document.
//! 3. Add it to [`Panels`] and to the `match` of [`Panels::ui`]. If its figure does not show the strategy, write the
//!    caption in `figure.rs`.
//!
//! For a plot see `experiment`, for a column of the results see `experiment/results`, for a view of the tree see `tree`.

mod analysis;
mod builder;
pub mod drag;
mod experiment;
pub(crate) mod figure;
mod learning;
mod library;
mod play;
mod practice;
mod review;
mod runs;
mod solve;
mod tree;
mod tuples;

pub(crate) use builder::RowDrag;
pub use builder::{Building, Changes, Proposal};
pub(crate) use drag::StrategyDrag;
pub use tree::{Inspection, Layout as TreeLayout};

use super::command::{
    Command, Commands, Panel, SelectionCommand, TreeCommand, ViewCommand, Workspace,
};
use super::icon::Icon;
use super::kit::Button;
use super::state::Document;
use super::state::settings::ExperimentView;

/// All panels, each with its view state.
#[derive(Debug, Default)]
pub struct Panels {
    board: play::board::BoardPanel,
    decision: play::decision::DecisionPanel,
    strategy: builder::strategy::StrategyPanel,
    experiment: experiment::ExperimentPanel,
    results: experiment::results::ResultsPanel,
    games: experiment::games::GamesPanel,
    runs: runs::RunsPanel,
    learning: learning::LearningPanel,
    presets: library::presets::PresetsPanel,
    pub(crate) tree: tree::TreePanel,
    node: tree::node::NodePanel,
    why: tree::why::WhyPanel,
    best_play: tree::best_play::BestPlayPanel,
    palette: builder::palette::PalettePanel,
    library: library::LibraryPanel,
    row: builder::row::RowPanel,
    text: builder::text::TextPanel,
    evidence: analysis::evidence::EvidencePanel,
    pinned: analysis::pinned::PinnedPanel,
    compare: analysis::compare::ComparePanel,
    solve: solve::SolvePanel,
    depths: analysis::depths::DepthsPanel,
    review: review::ReviewPanels,
    /// The focused panel.
    pub(crate) focused: Option<Panel>,
    pub(crate) run: experiment::run_view::RunView,
    /// View state shared by the panels of the search tree.
    pub inspection: Inspection,
    /// View state shared by the panels of the builder.
    pub building: Building,
}

/// The button that pauses and resumes long work.
pub(crate) fn hold_button(
    ui: &mut egui::Ui,
    is_paused: bool,
    hold: impl Into<Command>,
    doc: &Document,
    commands: &mut Commands,
) {
    let (text, icon) = if is_paused {
        ("Resume", Icon::Play)
    } else {
        ("Pause", Icon::Pause)
    };
    commands.show(ui, Button::new(text).icon(icon), hold, doc);
}

impl Panels {
    /// Sets the initial limit in minutes in the form of a new training.
    pub fn limit_training(&mut self, minutes: Option<f64>) {
        self.learning.limit = minutes;
    }

    /// Takes the workspace and the visible panels; once per frame, before the panels are drawn.
    pub fn follow(
        &mut self,
        doc: &Document,
        workspace: Workspace,
        visible: std::collections::BTreeSet<Panel>,
    ) {
        self.inspection.is_brief = workspace != Workspace::Search;
        self.run.is_brief = workspace != Workspace::Experiment;
        self.building.is_brief = workspace != Workspace::Build;
        self.building.visible = visible;
        self.building.follow(doc);
    }

    /// Handles the keys of a row drag, before any other use of the keys.
    pub fn keys(&mut self, ctx: &egui::Context, doc: &Document, commands: &mut Commands) {
        self.building
            .drag
            .keys(ctx, &mut self.building.rows, doc, commands);
    }

    /// Shows where the dragged object would go; once per frame, after the panels are drawn.
    pub fn hold(&mut self, ui: &egui::Ui, doc: &Document, commands: &mut Commands) {
        self.building.show_drag(ui, doc, commands);
        if self.building.has_other_proposal() {
            ui.ctx().request_repaint();
        }
        drag::ghost(ui, doc);
    }

    /// Selects a row of the current strategy, from 0; `unfolds` also unfolds it.
    pub fn select_row(&mut self, row: usize, unfolds: bool, doc: &Document) {
        self.building.rows.follow(doc);
        if unfolds {
            self.building.rows.select_to_edit(row);
        } else {
            self.building.rows.select(row);
        }
    }

    /// Draws the tools of a panel header, from right to left.
    pub fn head_ui(
        &mut self,
        panel: Panel,
        ui: &mut egui::Ui,
        doc: &Document,
        commands: &mut Commands,
    ) {
        match panel {
            Panel::Board => self.board.head_ui(ui, doc, commands),
            Panel::Tree => tree::head_ui(ui, &self.inspection, commands),
            _ => {}
        }
    }

    /// Draws the folded tools of a panel into its menu, below its commands.
    pub fn menu_ui(
        &mut self,
        panel: Panel,
        ui: &mut egui::Ui,
        doc: &Document,
        commands: &mut Commands,
    ) {
        match panel {
            Panel::Tree if self.inspection.is_brief => {
                tree::folded_ui(ui, &mut self.inspection, commands);
            }
            Panel::Strategy if self.building.is_brief => self.strategy.folded_ui(ui, doc),
            Panel::Experiment if self.run.is_brief => self.experiment.folded_ui(ui, &mut self.run),
            Panel::Review => self.review.menu_ui(ui, doc),
            _ => {}
        }
    }

    /// Draws one panel into `ui`, its inside.
    pub fn ui(&mut self, panel: Panel, ui: &mut egui::Ui, doc: &Document, commands: &mut Commands) {
        if matches!(
            panel,
            Panel::Board | Panel::Tree | Panel::Node | Panel::Why | Panel::BestPlay
        ) {
            self.inspection.follow(doc);
        }
        match panel {
            Panel::Board => {
                self.board.preview = self.decision.hovered.or(self.board.touched);
                self.board.ui(ui, doc, &mut self.inspection, commands);
                drag::accept_on_board(ui, doc, commands);
            }
            Panel::Decision => {
                self.decision
                    .ui(ui, doc, &mut self.inspection, &self.building, commands);
            }
            Panel::Strategy => self.strategy.ui(ui, doc, &mut self.building, commands),
            Panel::Experiment => self.experiment.ui(ui, doc, &mut self.run, commands),
            Panel::Results => self.results.ui(ui, doc, &mut self.run, commands),
            Panel::Games => self.games.ui(ui, doc, &mut self.run, commands),
            Panel::Runs => self.runs.ui(ui, doc, commands),
            Panel::Learning => self.learning.ui(ui, doc, commands),
            Panel::Presets => self.presets.ui(ui, doc, commands),
            Panel::Tree => {
                self.tree.ui(ui, doc, &mut self.inspection, commands);
                if std::mem::take(&mut self.inspection.wants_details) {
                    commands.push(ViewCommand::ShowBeside(Panel::Node));
                }
            }
            Panel::Node => self.node.ui(ui, doc, &mut self.inspection, commands),
            Panel::Why => self.why.ui(ui, doc, &mut self.inspection, commands),
            Panel::BestPlay => self.best_play.ui(ui, doc, &mut self.inspection, commands),
            Panel::Palette => self.palette.ui(ui, doc, &mut self.building, commands),
            Panel::Library => self.library.ui(ui, doc, &mut self.building, commands),
            Panel::Row => self.row.ui(ui, doc, &mut self.building, commands),
            Panel::Text => self.text.ui(ui, doc, &mut self.building, commands),
            Panel::Evidence => self.evidence.ui(ui, doc, &mut self.building, commands),
            Panel::Orders => analysis::orders::ui(ui, doc, &mut self.building, commands),
            Panel::Pinned => self.pinned.ui(ui, doc, &mut self.building, commands),
            Panel::Compare => self.compare.ui(ui, doc, commands),
            Panel::Solve => self.solve.ui(ui, doc, commands),
            Panel::Depths => self.depths.ui(ui, doc, commands),
            Panel::Practice => practice::ui(ui, doc, commands),
            Panel::Review
            | Panel::Moves
            | Panel::JudgeTree
            | Panel::Worst
            | Panel::ReviewedGames
            | Panel::SecondOpinion
            | Panel::Survival
            | Panel::Rerun => self.review.ui(panel, ui, doc, commands),
        }
    }

    /// Focuses the values of a new sweep or tuning.
    pub fn enter_values(&mut self, doc: &Document) {
        self.experiment.enter_values(doc);
    }

    /// The view state of the experiment panels.
    pub fn experiment_view(&self) -> ExperimentView {
        let mut view = ExperimentView::default();
        self.experiment.tell_view(&mut view);
        self.results.tell_view(&mut view);
        self.runs.tell_view(&mut view);
        self.run.tell_view(&mut view);
        view
    }

    /// Restores the view state of the last session.
    pub fn restore_experiment_view(&mut self, view: &ExperimentView) {
        self.experiment.restore_view(view);
        self.results.restore_view(view);
        self.runs.restore_view(view);
        self.run.restore_view(view);
    }

    /// Saves text that is typed but not saved yet; called when the window closes.
    pub fn keep(&mut self, commands: &mut Commands) {
        self.runs.keep(commands);
    }

    /// Passes a command to the panel that owns the selection.
    pub fn request_of_selection(&mut self, command: SelectionCommand) {
        match command {
            SelectionCommand::RenameKept | SelectionCommand::DeleteKept => {
                self.library.request(command);
            }
            SelectionCommand::ContestantUp
            | SelectionCommand::ContestantDown
            | SelectionCommand::RemoveContestant => {
                self.experiment.request(command);
            }
            SelectionCommand::Baseline => self.results.pin_next(),
            SelectionCommand::FindRun
            | SelectionCommand::OpenRun
            | SelectionCommand::PinRun
            | SelectionCommand::UnpinRuns
            | SelectionCommand::DescribeRun
            | SelectionCommand::CopyRunPath
            | SelectionCommand::DeleteRun => self.runs.request(command),
            SelectionCommand::NewTraining
            | SelectionCommand::HoldTraining
            | SelectionCommand::StopTraining
            | SelectionCommand::SaveTraining
            | SelectionCommand::TestNetwork
            | SelectionCommand::UseNetwork
            | SelectionCommand::DeleteNetwork => self.learning.request(command),
            SelectionCommand::RenameStrategy
            | SelectionCommand::AddCriterion
            | SelectionCommand::RowUp
            | SelectionCommand::RowDown
            | SelectionCommand::RemoveRow => self.strategy.request(command),
        }
    }

    /// Whether the judge's tree, which has the focus, takes this tree command.
    fn walks_judge(&self, command: TreeCommand) -> bool {
        self.focused == Some(Panel::JudgeTree) && command.is_of_judge()
    }

    /// The tree that a command applies to.
    pub(crate) fn walked(&self, command: TreeCommand) -> &Inspection {
        if self.walks_judge(command) {
            self.review.inspection()
        } else {
            &self.inspection
        }
    }

    /// Runs a command of the search tree.
    pub fn request_of_tree(
        &mut self,
        command: TreeCommand,
        doc: &Document,
        commands: &mut Commands,
    ) {
        if self.walks_judge(command) {
            return self.review.request_of_tree(command, doc, commands);
        }
        self.inspection.follow(doc);
        self.inspection.request(command, commands);
        self.tree.request(command, doc, &self.inspection, commands);
    }

    /// Pauses one animation in a panel, and returns a message about it.
    pub fn pause(&mut self) -> Option<&'static str> {
        std::mem::take(&mut self.inspection.replay_plays)
            .then_some("Stepping through the search is paused")
    }

    /// Whether [`Panels::pause`] has anything to pause.
    pub fn can_pause(&self) -> bool {
        self.inspection.replay_plays
    }
}

//! The menu of each panel: its commands, with the texts of the table.

use strum::IntoEnumIterator as _;

use super::panel::Panel;
use super::review_commands::{PracticeCommand, ReviewCommand};
use super::vocabulary::{
    Command, CompareCommand, ExperimentCommand, FileCommand, GameCommand, LibraryCommand,
    PinCommand, SelectionCommand, SolveCommand, StrategyCommand, TreeCommand, TreeView,
    ViewCommand,
};
use crate::experiment::ResultsFormat;
use crate::review::ReviewFormat;
use crate::search::SpawnRule;

fn list(commands: impl IntoIterator<Item: Into<Command>>) -> Vec<Command> {
    commands.into_iter().map(Into::into).collect()
}

impl Panel {
    /// The entries of its menu, before those to other panels: its commands and its figure.
    pub fn commands(self) -> Vec<Command> {
        let mut commands = self.own_commands();
        commands.push(ViewCommand::Figure(Some(self)).into());
        commands
    }

    fn own_commands(self) -> Vec<Command> {
        use {
            CompareCommand as Compare, ExperimentCommand as Experiment, FileCommand as File,
            LibraryCommand as Library,
        };

        let disagreements = list([Compare::NextDisagreement, Compare::PreviousDisagreement]);
        match self {
            Self::Board => [
                list([GameCommand::New, GameCommand::EditPosition]),
                list([PinCommand::PinBoard]),
                list([Experiment::RollOut]),
                list([
                    File::CopyPosition,
                    File::PastePosition,
                    File::CopyRecord,
                    File::SaveRecord,
                ]),
                list([ViewCommand::SpawnMap]),
            ]
            .concat(),
            Self::Decision => [
                list([GameCommand::Step, GameCommand::SearchAgain]),
                disagreements,
            ]
            .concat(),
            Self::Strategy => [
                list([StrategyCommand::New, StrategyCommand::Duplicate]),
                list([
                    SelectionCommand::RenameStrategy,
                    SelectionCommand::AddCriterion,
                ]),
                list([Library::Save, Library::SaveCopy]),
                list([Experiment::AddCurrent]),
                list([Compare::TestAgainstPrevious, Compare::WithPrevious]),
                list([File::CopyStrategy, File::PasteStrategy, File::PasteOver]),
                list([StrategyCommand::Close]),
            ]
            .concat(),
            Self::Experiment => {
                use ExperimentCommand as C;
                let runs = [C::New, C::Run, C::Pause, C::Resume, C::Stop, C::StopNow];
                let contestants = [
                    SelectionCommand::ContestantUp,
                    SelectionCommand::ContestantDown,
                    SelectionCommand::RemoveContestant,
                ];
                [
                    list(runs),
                    list([C::Tune, C::PauseTuning, C::StopTuning]),
                    list(contestants),
                    list([File::Open, File::Save, File::SaveAs, File::ExportResults]),
                ]
                .concat()
            }
            Self::Results => {
                let copies = ResultsFormat::iter()
                    .filter(|format| format.copied().is_some())
                    .map(File::CopyResults);
                let baseline = list([SelectionCommand::Baseline]);
                [
                    list([Experiment::Run]),
                    baseline,
                    list(copies),
                    list([File::ExportResults]),
                ]
                .concat()
            }
            Self::Games => list([File::CopyRecord, File::SaveRecord, File::ExportResults]),
            Self::Presets => list([File::Open, File::Save, File::SaveAs]),
            Self::Tree => {
                use TreeCommand as C;
                [
                    list(TreeView::iter().map(C::View)),
                    list([
                        C::Fit,
                        C::FitSelection,
                        C::Reveal,
                        C::Minimap,
                        C::UnfoldAll,
                        C::Find,
                        C::ClearFilter,
                    ]),
                    list([C::StepThrough, C::Compare, C::OpenFile, C::CloseFile]),
                ]
                .concat()
            }
            Self::Node => node_commands(),
            Self::BestPlay => list([TreeCommand::OpenOnBoard, TreeCommand::CopyNode]),
            Self::Why => list(SpawnRule::iter().map(TreeCommand::Rule)),
            Self::Palette => list([SelectionCommand::AddCriterion]),
            Self::Row => {
                use SelectionCommand as C;
                list([C::RowUp, C::RowDown, C::RemoveRow, C::AddCriterion])
            }
            Self::Library => [
                list([
                    Library::Save,
                    Library::SaveCopy,
                    Library::OpenParent,
                    Library::Export,
                    Library::Import,
                ]),
                list([SelectionCommand::RenameKept, SelectionCommand::DeleteKept]),
            ]
            .concat(),
            Self::Text => [
                list([File::CopyStrategy, File::PasteStrategy, File::PasteOver]),
                list([Library::CopyLetters]),
            ]
            .concat(),
            Self::Evidence | Self::Orders => {
                list([Compare::TestAgainstPrevious, Compare::WithPrevious])
            }
            Self::Pinned => {
                use PinCommand as C;
                list([
                    C::PinBoard,
                    C::NewSet,
                    C::CopySet,
                    C::AddIdealBoards,
                    C::DeleteSet,
                ])
            }
            Self::Runs => {
                use SelectionCommand as C;
                list([
                    C::FindRun,
                    C::OpenRun,
                    C::PinRun,
                    C::UnpinRuns,
                    C::DescribeRun,
                    C::CopyRunPath,
                    C::DeleteRun,
                ])
            }
            Self::Depths => list([PinCommand::PinBoard]),
            Self::Solve => list([SolveCommand::Hold, SolveCommand::Stop]),
            Self::Review => {
                use ReviewCommand as C;
                let judge = [
                    C::Game,
                    C::Stop,
                    C::JudgeByStrategy,
                    C::JudgeAsUsual,
                    C::JudgeByPlayer,
                    C::InBackground,
                ];
                let exports = ReviewFormat::iter().map(C::Export);
                [
                    list(judge),
                    list([C::NextMistake, C::LastMistake, C::Arrows, C::Rerun]),
                    list(exports),
                ]
                .concat()
            }
            Self::Moves => {
                use ReviewCommand as C;
                [
                    list([C::NextMistake, C::LastMistake]),
                    list([File::CopyRecord, File::SaveRecord]),
                ]
                .concat()
            }
            Self::JudgeTree => {
                use TreeCommand as C;
                list([C::Fit, C::FitSelection, C::Reveal, C::UnfoldAll])
            }
            Self::Worst => [
                list([ReviewCommand::NextMistake, ReviewCommand::LastMistake]),
                list([PracticeCommand::Collect, PracticeCommand::Game]),
            ]
            .concat(),
            Self::ReviewedGames => {
                use ReviewCommand as C;
                [
                    list([C::HoldGames, C::StopGames]),
                    list([PracticeCommand::CollectGames]),
                ]
                .concat()
            }
            Self::SecondOpinion => {
                use ReviewCommand as C;
                list([C::Minds, C::MindsOfGames, C::HoldMinds, C::StopMinds])
            }
            Self::Survival => list([ReviewCommand::Death]),
            Self::Rerun => list([ReviewCommand::Rerun]),
            Self::Practice => {
                use PracticeCommand as C;
                list([C::Game, C::Book, C::Collect, C::Next, C::End])
            }
            Self::Learning => {
                use SelectionCommand as C;
                let training = [
                    C::NewTraining,
                    C::HoldTraining,
                    C::StopTraining,
                    C::SaveTraining,
                ];
                [
                    list(training),
                    list([C::TestNetwork, C::UseNetwork, C::DeleteNetwork]),
                ]
                .concat()
            }
            Self::Compare => [
                list([Compare::WithPrevious, Compare::TestAgainstPrevious]),
                disagreements,
            ]
            .concat(),
        }
    }
}

/// The commands of a node of the search tree.
pub fn node_commands() -> Vec<Command> {
    use TreeCommand as C;
    let view = list([
        C::FitSelection,
        C::Fold,
        C::Unfold,
        C::AllSpawns,
        C::ShowNode,
    ]);
    [
        view,
        list([
            C::OpenOnBoard,
            C::SearchSkipped,
            C::SearchOn,
            C::JumpToStored,
            C::CopyNode,
        ]),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_menu_bar_leaves_out_is_in_the_menu_of_a_panel() {
        let left_out: Vec<&Command> = Command::all()
            .filter(|command| !command.is_listed())
            .collect();
        assert!(!left_out.is_empty());
        for command in left_out {
            assert!(
                Panel::all().any(|panel| panel.commands().contains(command)),
                "{command:?}"
            );
        }
    }

    #[test]
    fn the_menu_of_every_panel_holds_listed_commands_once() {
        for panel in Panel::all() {
            let commands = panel.commands();
            assert!(!commands.is_empty(), "{panel:?}");
            for (place, command) in commands.iter().enumerate() {
                // The menu File has it for the focused panel.
                let is_figure = *command == ViewCommand::Figure(Some(panel)).into();
                assert!(
                    is_figure || command.menu().is_some(),
                    "{panel:?}: {command:?} is in no menu"
                );
                assert!(
                    !commands[..place].contains(command),
                    "{panel:?}: {command:?} twice"
                );
            }
        }
    }
}

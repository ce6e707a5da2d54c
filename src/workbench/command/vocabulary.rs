//! All commands, by concern.
//!
//! Commands that change data are [`GameCommand`], [`StrategyCommand`], [`ExperimentCommand`], [`RunsCommand`],
//! [`FileCommand`], [`LibraryCommand`], [`PinCommand`], [`CompareCommand`], [`SolveCommand`], [`ReviewCommand`],
//! [`PracticeCommand`], [`LearningCommand`] and [`TaskCommand`]; the document applies them. Commands that only change
//! the view are [`ViewCommand`], [`TreeCommand`] and [`SelectionCommand`]; window and panels apply them.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use strum::EnumIter;

use super::panel::{DockPlace, Panel, Workspace};
use super::review_commands::{PracticeCommand, ReviewCommand};
use crate::experiment::{DeletedRun, ResultsFormat, RunNotes};
use crate::game::game_tree::NodeId;
use crate::game::{Board, Cell, Move, Rank, Reading, Record, Rules, Spawn, Step};
use crate::kept::DeletedFile;
use crate::learning::Training;
use crate::preset::{Axis, Deleted, StopRule, Tuning};
use crate::process::ProcessSpec;
use crate::program::permission::Fingerprint;
use crate::review::ReviewFormat;
use crate::search::{SpawnRule, TreeFormat};
use crate::solve::Question;
use crate::strategy::{Criterion, RowTransfer, Strategy, StrategyEdit};
use crate::workbench::theme::ThemeChoice;

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Undo,
    Redo,
    Stop,
    Game(GameCommand),
    Strategy(StrategyCommand),
    Experiment(ExperimentCommand),
    Runs(RunsCommand),
    File(FileCommand),
    Library(LibraryCommand),
    Pin(PinCommand),
    Compare(CompareCommand),
    Solve(SolveCommand),
    Review(ReviewCommand),
    Practice(PracticeCommand),
    Learning(LearningCommand),
    Task(TaskCommand),
    Tree(TreeCommand),
    Selection(SelectionCommand),
    View(ViewCommand),
}

impl Command {
    /// The accessibility id of its buttons: `Game(Step)`.
    pub fn id(&self) -> String {
        format!("{self:?}")
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum GameCommand {
    New,
    /// With this seed.
    NewWith(Rules, u64),
    Slide(Move),
    Step,
    Autoplay,
    /// A new game played by the reference network, as an example of strong play.
    Watch,
    SearchAgain,
    Faster,
    Slower,
    SetSpeed(f32),
    /// Maximum number of nodes in the record of a search.
    SetRecordCap(usize),
    /// Threads of one decision; `None` is the default.
    SetSearchThreads(Option<usize>),
    First,
    Previous,
    Next,
    Last,
    PreviousBranch,
    NextBranch,
    /// Goes to another game of this window.
    PreviousGame,
    NextGame,
    GoTo(NodeId),
    PlaceTile(Spawn),
    /// Plays these turns from a position of the game.
    PlayLine(NodeId, Vec<Step>),
    /// Starts a game with this title from the turns of a record, and stays at their end.
    PlayRecord(Box<Record>, String),
    EditPosition,
    EditCell(Cell, Rank),
    /// Reports that the text typed on a cell is no tile.
    RefuseTile(String),
    ClearEdit,
    TurnEdit,
    MirrorEdit,
    ApplyEdit,
    CancelEdit,
    /// Opens the note on a position, `None` for the one on the board.
    EditNote(Option<NodeId>),
    /// Replaces the note on a position; an empty text removes it.
    SetNote(NodeId, String),
}

#[derive(Clone, Debug, PartialEq)]
pub enum StrategyCommand {
    New,
    Duplicate,
    Close,
    Next,
    Previous,
    Select(usize),
    Open(Box<Strategy>),
    Edit(StrategyEdit, UndoStep),
    /// Moves a row to another strategy, which becomes the current one.
    TransferRow(RowTransfer),
    /// Requests consent to run this command.
    AskToRun(Vec<String>),
    /// Grants it, as long as its files do not change.
    AllowToRun(Box<Fingerprint>),
}

impl StrategyCommand {
    /// Changes a row of the current strategy.
    pub fn set_row(row: usize, criterion: Criterion, ongoing: bool) -> Self {
        Self::Edit(
            StrategyEdit::SetRow { row, criterion },
            UndoStep::of(ongoing),
        )
    }
}

/// How an edit becomes a step of undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoStep {
    Whole,
    /// Part of a drag or of typing a number: all parts up to the next whole edit form one step.
    Ongoing,
    /// All edits with the same number form one step.
    Session(u64),
}

impl UndoStep {
    pub fn of(ongoing: bool) -> Self {
        if ongoing { Self::Ongoing } else { Self::Whole }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExperimentCommand {
    New,
    Run,
    Pause,
    Resume,
    /// Starts no further games.
    Stop,
    /// Abandons the active games.
    StopNow,
    /// Requests the settings of a rollout: games from each move of the current position, as a new experiment.
    RollOut,
    /// Runs the rollout with these settings.
    RollOutWith(Box<RollOut>),
    /// Shows the experiment of the active run.
    ShowPlaying,
    AddCurrent,
    /// Sweeps this setting of the current strategy: a new experiment, or a second setting of the current sweep.
    Sweep(String),
    /// Tunes this setting of the current strategy: a new experiment, or another setting of the current tuning.
    TuneOver(String),
    SetTuning(Tuning),
    /// Starts the tuning of the set-up, or resumes it.
    Tune,
    PauseTuning,
    StopTuning,
    /// Sets the values of the sweep's settings.
    SetSweep(Vec<Axis>),
    Add(Box<Strategy>),
    Remove(usize),
    /// Moves a strategy in front of the one now at `to`.
    Move {
        from: usize,
        to: usize,
    },
    SetGames(u64),
    /// Sets the baseline for files and copies of this run.
    CompareWith {
        run: u64,
        place: usize,
    },
    SetStopRules(Vec<StopRule>),
    SetSeed(u64),
    SetRules(Rules),
    SetTitle(String),
    SetThreads(Option<usize>),
    /// Puts a game of the run on the board: the contestant's place, the game's number.
    OpenGame(usize, u64),
    /// Puts a game of two contestants on the board where they first differ, with the second game as a branch.
    OpenParting {
        places: [usize; 2],
        index: u64,
    },
}

/// Commands of the runs on disk, by folder.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsCommand {
    List,
    /// Shows its results.
    Open(PathBuf),
    Delete(PathBuf),
    Restore(DeletedRun),
    /// Saves tags and a note.
    Describe(PathBuf, RunNotes),
    CopyPath(PathBuf),
    /// Shows its strategies together with those of the current run.
    Pin(PathBuf),
    Unpin(PathBuf),
    UnpinAll,
}

/// Commands of files and the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    Open,
    OpenFiles(Vec<PathBuf>),
    Save,
    /// As a preset with this title.
    SaveTitled(String),
    SaveAs,
    SaveRecord,
    ExportResults,
    SaveTo(Purpose, PathBuf),
    CopyPosition,
    CopyRecord,
    /// The table of the results.
    CopyResults(ResultsFormat),
    CopyStrategy,
    PastePosition,
    PasteStrategy,
    /// Replaces the current strategy with the one in the clipboard.
    PasteOver,
    Pasted(String),
    /// Puts a board that was read from a text on the board, in a game with this title.
    OpenReading(Box<Reading>, String),
    OpenPreset(PresetSource),
    DeletePreset(PathBuf),
    ListPresets,
    RestorePreset(Deleted),
}

/// The source of a preset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PresetSource {
    /// A shipped preset, by name.
    Shipped(&'static str),
    File(PathBuf),
}

#[derive(Clone, Debug, PartialEq)]
pub enum LibraryCommand {
    Save,
    SaveCopy,
    OpenParent,
    Export,
    ExportThis(Box<Strategy>),
    Import,
    /// Copies these files into the library.
    Take(Vec<PathBuf>),
    CopyLetters,
    // After another process has changed the file
    Overwrite,
    OpenTheirs,
    LeaveConflict,
    List,
    Open(PathBuf),
    /// Renames this file and its strategy.
    Rename(PathBuf, String),
    Duplicate(PathBuf),
    Delete(PathBuf),
    Restore(Deleted),
}

/// Commands of pinned positions and their sets.
#[derive(Clone, Debug, PartialEq)]
pub enum PinCommand {
    PinBoard,
    NewSet,
    CopySet,
    /// Adds the best arrangements of tiles for Snake and Corner as a set of the user.
    AddIdealBoards,
    DeleteSet,
    /// The position with this index in the set, from 0.
    Unpin(usize),
    /// The user's set in this file; `None` is the shipped one.
    Choose(Option<PathBuf>),
    /// The title of the chosen set.
    Rename(String),
    /// Puts a position on the board, as the start of a game with this title.
    Show {
        board: Board,
        score: u64,
        title: String,
    },
    ListSets,
}

/// Commands that compare two strategies: the edited one with its previous version, or two others.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareCommand {
    TestAgainstPrevious,
    WithPrevious,
    /// Compares with this open strategy; `None` ends the comparison.
    With(Option<usize>),
    /// Compares with this strategy; opens it if needed.
    Beside(Box<Strategy>),
    NextDisagreement,
    PreviousDisagreement,
}

/// The settings of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct RollOut {
    /// Games per first move.
    pub games: u64,
    /// Maximum moves before a game is abandoned, including the first one; `None` plays to the end.
    pub moves: Option<u32>,
    /// The row that evaluates abandoned games.
    pub judge: Option<Criterion>,
}

/// Commands of the list of long work, by the number of the task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TaskCommand {
    /// Pauses or resumes it.
    Hold(u64),
    Stop(u64),
}

/// Commands of solving, and of its saved results.
#[derive(Clone, Debug, PartialEq)]
pub enum SolveCommand {
    /// Solves a small board and saves the table.
    Board(Question),
    /// Learns a process of features.
    Learn(ProcessSpec),
    /// Pauses or resumes both.
    Hold,
    /// Stops both.
    Stop,
    /// Saves the last learned process under a name.
    KeepProcess(String),
    /// Shows a saved process in place of the last learned one.
    ShowProcess(PathBuf),
    ListKept,
    /// Deletes a table or a process.
    DeleteKept(PathBuf),
    RestoreKept(DeletedFile),
}

/// Commands of networks, by name.
#[derive(Clone, Debug, PartialEq)]
pub enum LearningCommand {
    List,
    /// Starts a training, on this number of threads.
    Start {
        name: String,
        training: Box<Training>,
        threads: Option<usize>,
    },
    /// Resumes one, up to a total of `games` if given.
    Resume {
        name: String,
        games: Option<u64>,
    },
    Pause(String),
    /// Stops and saves it, so that it can be resumed.
    Stop(String),
    /// Saves its file now.
    Checkpoint(String),
    /// Plays test games with the network as it is, without learning.
    Test {
        name: String,
        games: u64,
    },
    StopTest,
    /// Opens a strategy that plays by it.
    Use(String),
    Delete(String),
    Restore(DeletedFile),
    /// Shows it in the Learning panel.
    Show(String),
    /// Pins it for comparison.
    Pin(String),
    Unpin(String),
}

/// Commands of the search tree, applied by its panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeCommand {
    View(TreeView),
    Fit,
    FitSelection,
    Reveal,
    ZoomIn,
    ZoomOut,
    Minimap,
    // Moving the selection
    Parent,
    Child,
    PreviousSibling,
    NextSibling,
    Back,
    Forward,
    Root,
    // Folding
    Fold,
    Unfold,
    UnfoldTo(u8),
    UnfoldAll,
    AllSpawns,
    // Filter
    Find,
    NextMatch,
    PreviousMatch,
    ClearFilter,
    // A node
    OpenOnBoard,
    SearchSkipped,
    /// Adds a search from a node at which the search ended.
    SearchOn,
    TakeBack,
    SearchUncut,
    JumpToStored,
    ShowNode,
    CopyNode,
    /// The rule for the spawns of the line.
    Rule(SpawnRule),
    // Replay of the search
    StepThrough,
    ReplayPlay,
    ReplayStep,
    ReplayBack,
    ReplayOver,
    ReplayOut,
    ReplayPreviousCut,
    ReplayNextCut,
    ReplayNextChange,
    ReplayBegin,
    ReplayEnd,
    Compare,
    // Files
    OpenFile,
    CloseFile,
    Save(TreeFormat),
}

impl TreeCommand {
    /// Whether it also applies to a judge's tree: moving, folding, viewing, or putting a node on the board.
    pub fn is_of_judge(self) -> bool {
        matches!(
            self,
            Self::Parent
                | Self::Child
                | Self::PreviousSibling
                | Self::NextSibling
                | Self::Root
                | Self::Back
                | Self::Forward
                | Self::Fold
                | Self::Unfold
                | Self::UnfoldTo(_)
                | Self::UnfoldAll
                | Self::AllSpawns
                | Self::Fit
                | Self::FitSelection
                | Self::Reveal
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::Minimap
                | Self::OpenOnBoard
        )
    }

    /// Maximum number of plies that a key unfolds to.
    pub const MOST_PLIES: u8 = 7;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumIter)]
pub enum TreeView {
    #[default]
    Tree,
    /// An icicle; the width of a bar is its probability.
    Icicle,
    /// A table for each level.
    Columns,
    /// A summary of each ply, without nodes.
    Plies,
}

impl TreeView {
    /// The views with nodes. One of them is selected.
    pub const OF_NODES: [Self; 3] = [Self::Tree, Self::Icicle, Self::Columns];
}

/// Commands for the selection in a panel, applied by that panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectionCommand {
    RenameStrategy,
    AddCriterion,
    RowUp,
    RowDown,
    RemoveRow,
    RenameKept,
    DeleteKept,
    ContestantUp,
    ContestantDown,
    RemoveContestant,
    /// The focused or selected row of the results.
    Baseline,
    FindRun,
    OpenRun,
    PinRun,
    UnpinRuns,
    DescribeRun,
    CopyRunPath,
    DeleteRun,
    // The chosen network of the Learning panel
    NewTraining,
    HoldTraining,
    StopTraining,
    SaveTraining,
    TestNetwork,
    UseNetwork,
    DeleteNetwork,
}

/// Commands that only change the view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    FindCommand,
    MenuBar,
    ContextMenu,
    Help(HelpSheet),
    /// Opens the start card with its three tasks.
    StartHere,
    Theme(ThemeChoice),
    Larger,
    Smaller,
    ActualSize,
    Motion,
    SpawnMap,
    /// Opens the figure dialog for a panel; `None` for the focused one.
    Figure(Option<Panel>),
    /// Switches to a workspace.
    Workspace(Workspace),
    /// Returns to the previous workspace and panel.
    Back,
    /// Brings a panel to the front and focuses it. A panel outside the workspace becomes a tab next to the focused
    /// panel.
    ShowPanel(Panel),
    /// Removes a panel from the workspace.
    ClosePanel(Panel),
    /// Focuses the next or previous visible panel.
    NextPanel,
    PreviousPanel,
    /// Brings a panel of the workspace to the front without focusing it.
    ShowBeside(Panel),
    /// Opens the menu of the focused panel, which also lists its places.
    PanelMenu,
    /// Moves a panel next to another one.
    Dock(Panel, DockPlace, Panel),
    /// Resets the arrangement of the workspace.
    ResetWorkspace,
    RestoreLayout,
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpSheet {
    Shortcuts,
    /// Every term of the field.
    Glossary,
    /// The user guide and the reference.
    Guide,
    About,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Presets, positions or game records to open.
    Open,
    /// Strategies to copy into the library.
    ImportStrategies,
    ExportStrategy,
    SavePreset,
    SaveRecord,
    ExportResults,
    /// The record of the shown search.
    SaveTree(TreeFormat),
    /// The content of a panel as a figure.
    SaveFigure(Panel, PictureFormat),
    /// The review of the current game.
    SaveReview(ReviewFormat),
    /// The review of the games of a run.
    SaveGames(ReviewFormat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumIter)]
pub enum PictureFormat {
    Pdf,
    Svg,
    Png,
}

impl PictureFormat {
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

impl Purpose {
    /// Title and verb of its dialog, and the file extension; `None` for a folder and for several kinds of files.
    fn facts(self) -> (&'static str, &'static str, Option<&'static str>) {
        match self {
            Self::Open => ("Open", "Open", None),
            Self::ImportStrategies => ("Import strategies", "Import", None),
            Self::ExportStrategy => ("Export strategy", "Save", Some("ron")),
            Self::SavePreset => ("Save preset as", "Save", Some("ron")),
            Self::SaveRecord => ("Save game record", "Save", Some("txt")),
            Self::ExportResults => ("Export results to a folder", "Export", None),
            Self::SaveTree(format) => ("Save tree", "Save", Some(format.ending())),
            Self::SaveFigure(_, format) => ("Save figure", "Save", Some(format.ending())),
            Self::SaveGames(format) => ("Save review of games", "Save", Some(format.ending())),
            Self::SaveReview(format) => ("Save review", "Save", Some(format.ending())),
        }
    }

    pub(crate) fn title(self) -> &'static str {
        self.facts().0
    }

    pub(crate) fn verb(self) -> &'static str {
        self.facts().1
    }

    pub(crate) fn extension(self) -> Option<&'static str> {
        self.facts().2
    }

    /// Whether it selects existing files.
    pub(crate) fn opens(self) -> bool {
        matches!(self, Self::Open | Self::ImportStrategies)
    }
}

macro_rules! is_a_command {
    ($($variant:ident($concern:ident)),*) => {$(
        impl From<$concern> for Command {
            fn from(command: $concern) -> Self {
                Self::$variant(command)
            }
        }
    )*};
}

is_a_command!(
    Game(GameCommand),
    Strategy(StrategyCommand),
    Experiment(ExperimentCommand),
    Runs(RunsCommand),
    File(FileCommand),
    Library(LibraryCommand),
    Pin(PinCommand),
    Compare(CompareCommand),
    Solve(SolveCommand),
    Review(ReviewCommand),
    Practice(PracticeCommand),
    Learning(LearningCommand),
    Task(TaskCommand),
    Tree(TreeCommand),
    Selection(SelectionCommand),
    View(ViewCommand)
);

impl From<StrategyEdit> for StrategyCommand {
    fn from(edit: StrategyEdit) -> Self {
        Self::Edit(edit, UndoStep::Whole)
    }
}

impl From<StrategyEdit> for Command {
    fn from(edit: StrategyEdit) -> Self {
        Self::Strategy(edit.into())
    }
}

//! Everything that can be asked for, by what it concerns.
//!
//! What changes data is in [`GameCommand`], [`StrategyCommand`], [`ExperimentCommand`], [`RunsCommand`], [`FileCommand`],
//! [`LibraryCommand`], [`PinCommand`], [`CompareCommand`], [`SolveCommand`], [`ReviewCommand`], [`PracticeCommand`] and [`LearningCommand`]; the state does it. What only
//! moves the view is in
//! [`ViewCommand`], [`TreeCommand`] and [`SelectionCommand`]; window and panels do it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::panel::{DockPlace, Panel, Workspace};
use super::review_commands::{PracticeCommand, ReviewCommand};
use crate::experiment::{DeletedRun, RunNotes};
use crate::game::game_tree::NodeId;
use crate::game::{Board, Cell, Move, Rank, Record, Rules, Spawn, Step};
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
    Tree(TreeCommand),
    Selection(SelectionCommand),
    View(ViewCommand),
}

impl Command {
    /// The accessibility id of the buttons that do it: `Game(Step)`.
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
    /// A new game that the reference network plays, for who wants to see a strong one.
    Watch,
    SearchAgain,
    Faster,
    Slower,
    SetSpeed(f32),
    /// Most nodes of the record of a search.
    SetRecordCap(usize),
    /// Threads of one decision; `None` is the usual number.
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
    /// Begins a game of this title with the turns of a record, and stays at their end.
    PlayRecord(Box<Record>, String),
    EditPosition,
    EditCell(Cell, Rank),
    /// Says that what was typed on a cell is no tile.
    RefuseTile(String),
    ClearEdit,
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
    /// The other strategy is shown then.
    TransferRow(RowTransfer),
    /// Asks whether strategies may run this command.
    AskToRun(Vec<String>),
    /// Lets them, while its files stay as they are.
    AllowToRun(Box<Fingerprint>),
}

impl StrategyCommand {
    /// Changes a row of the strategy on screen.
    pub fn set_row(row: usize, criterion: Criterion, ongoing: bool) -> Self {
        Self::Edit(StrategyEdit::SetRow { row, criterion }, UndoStep::of(ongoing))
    }
}

/// How an edit becomes a step of undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoStep {
    Whole,
    /// A drag or a typed number goes on: all of it becomes one step, up to the next whole one.
    Ongoing,
    /// What is typed in one session becomes one step.
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
    /// Begins no other game.
    Stop,
    /// Gives up the games in play.
    StopNow,
    /// Plays each move of the position on screen on by the strategy, as a new experiment.
    RollOut,
    /// Does it so.
    RollOutWith(Box<RollOut>),
    /// Goes back to the experiment that is being played, from another one.
    ShowPlaying,
    AddCurrent,
    /// Goes through values of this setting of the strategy that plays: a new experiment, or a second setting of one that does so.
    Sweep(String),
    /// Tunes this setting of the strategy that plays: a new experiment, or another setting of one that does so.
    TuneOver(String),
    SetTuning(Tuning),
    /// Begins the tuning that is set up, or goes on with it.
    Tune,
    PauseTuning,
    StopTuning,
    /// Goes through other values of the settings of the sweep.
    SetSweep(Vec<Axis>),
    Add(Box<Strategy>),
    Remove(usize),
    /// The strategy goes before the one that is now at `to`.
    Move {
        from: usize,
        to: usize,
    },
    SetGames(u64),
    /// Files and copies of this run compare its strategies with the one at this place.
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
    /// Puts a game of two contestants on the board where they first play otherwise, with the game of the second as a branch.
    OpenParting {
        places: [usize; 2],
        index: u64,
    },
}

/// What can be done with the runs that are kept on disk, by their folders.
#[derive(Clone, Debug, PartialEq)]
pub enum RunsCommand {
    List,
    /// Shows what it has found.
    Open(PathBuf),
    Delete(PathBuf),
    Restore(DeletedRun),
    /// Writes tags and a note.
    Describe(PathBuf, RunNotes),
    CopyPath(PathBuf),
    /// Shows its strategies beside those of the run on screen.
    Pin(PathBuf),
    Unpin(PathBuf),
    UnpinAll,
}

/// As what a table is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    Tabs,
    Markdown,
    Latex,
}

/// What goes to and comes from files and the clipboard.
#[derive(Clone, Debug, PartialEq)]
pub enum FileCommand {
    Open,
    OpenFiles(Vec<PathBuf>),
    Save,
    /// As a preset of this title.
    SaveTitled(String),
    SaveAs,
    SaveRecord,
    ExportResults,
    SaveTo(Purpose, PathBuf),
    CopyPosition,
    CopyRecord,
    /// The table of the results.
    CopyResults(TableFormat),
    CopyStrategy,
    PastePosition,
    PasteStrategy,
    /// Puts the strategy of the clipboard in place of the current one.
    PasteOver,
    Pasted(String),
    OpenPreset(PresetSource),
    DeletePreset(PathBuf),
    ListPresets,
    RestorePreset(Deleted),
}

/// Where a preset comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PresetSource {
    /// One that came with the program, by its name.
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
    // After another window has changed the file
    Overwrite,
    OpenTheirs,
    LeaveConflict,
    List,
    Open(PathBuf),
    /// Gives this file and its strategy another name.
    Rename(PathBuf, String),
    Duplicate(PathBuf),
    Delete(PathBuf),
    Restore(Deleted),
}

/// What can be done with pinned positions and the sets they are in.
#[derive(Clone, Debug, PartialEq)]
pub enum PinCommand {
    PinBoard,
    NewSet,
    CopySet,
    DeleteSet,
    /// The position with this place in the set, from 0.
    Unpin(usize),
    /// An own set by its file; `None` is the one that came with the program.
    Choose(Option<PathBuf>),
    /// The title of the set that is chosen.
    Rename(String),
    /// Puts a position on the board, as the start of a game with this title.
    Show {
        board: Board,
        score: u64,
        title: String,
    },
    ListSets,
}

/// What can be done with two strategies: the edited one against what it was, and one against another.
#[derive(Clone, Debug, PartialEq)]
pub enum CompareCommand {
    TestAgainstPrevious,
    WithPrevious,
    /// Sets the position beside what this open strategy searches there; `None` ends it.
    With(Option<usize>),
    /// Sets this strategy beside the one that plays; opens it if it is not open.
    Beside(Box<Strategy>),
    NextDisagreement,
    PreviousDisagreement,
    /// Puts a game on the board after so many moves, with another one as a branch where the two part.
    ShowGame {
        record: Box<Record>,
        moves: u32,
        branch: Option<Box<Record>>,
        title: String,
    },
}

/// How a position is rolled out.
#[derive(Clone, Debug, PartialEq)]
pub struct RollOut {
    /// Of each first move.
    pub games: u64,
    /// Moves after which games are left, the first one included; to the end without a number.
    pub moves: Option<u32>,
    /// The row that says what is still to come where a game is left.
    pub judge: Option<Criterion>,
}

/// What can be solved, and what is kept of it.
#[derive(Clone, Debug, PartialEq)]
pub enum SolveCommand {
    /// Solves a small board and keeps the table.
    Board(Question),
    /// Learns the process of features.
    Learn(ProcessSpec),
    /// Ends both.
    Stop,
    /// Keeps the process that was learnt last under a name.
    KeepProcess(String),
    /// Shows a kept process in place of the one that was learnt last.
    ShowProcess(PathBuf),
    ListKept,
    /// Deletes a table or a process.
    DeleteKept(PathBuf),
    RestoreKept(DeletedFile),
}

/// What can be done with networks that learn, by their names.
#[derive(Clone, Debug, PartialEq)]
pub enum LearningCommand {
    List,
    /// Begins a training, on so many threads.
    Start {
        name: String,
        training: Box<Training>,
        threads: Option<usize>,
    },
    /// Goes on with one, up to so many games in all if it is said.
    Resume {
        name: String,
        games: Option<u64>,
    },
    Pause(String),
    /// What was learnt is written, and can go on.
    Stop(String),
    /// Writes its file now.
    Checkpoint(String),
    /// Plays so many games with the network as it is; nothing is learnt from them.
    Test {
        name: String,
        games: u64,
    },
    StopTest,
    /// Opens a strategy that plays by it.
    Use(String),
    Delete(String),
    Restore(DeletedFile),
    /// Goes to it in the panel of those that learn.
    Show(String),
    /// Sets it beside others that are pinned.
    Pin(String),
    Unpin(String),
}

/// What is done with the search tree, by its panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeCommand {
    View(TreeView),
    Fit,
    FitSelection,
    Reveal,
    ZoomIn,
    ZoomOut,
    Minimap,
    // The walk
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
    /// From a node at which the search ended, into the tree.
    SearchOn,
    TakeBack,
    SearchUncut,
    JumpToStored,
    ShowNode,
    CopyNode,
    /// Which spawns the line takes.
    Rule(SpawnRule),
    // Step through the search
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
    /// Whether it means something in the tree of a judge: it walks, folds, looks, or puts a node on the board.
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

    /// Most plies that a key unfolds to.
    pub const MOST_PLIES: u8 = 7;
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeView {
    #[default]
    Tree,
    /// Bars below bars; the width is how probable it is to come there.
    Icicle,
    /// A table for each level.
    Columns,
    /// What was done on each ply, without nodes.
    Plies,
}

impl TreeView {
    pub const ALL: [Self; 4] = [Self::Tree, Self::Icicle, Self::Columns, Self::Plies];
    /// Those that show nodes, of which one is selected.
    pub const OF_NODES: [Self; 3] = [Self::Tree, Self::Icicle, Self::Columns];
}

/// What is done with what is selected in a panel, which knows it.
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
    /// The row of the results that has the keyboard, or is selected.
    Baseline,
    FindRun,
    OpenRun,
    PinRun,
    UnpinRuns,
    DescribeRun,
    CopyRunPath,
    DeleteRun,
    // The network that is chosen in its panel
    NewTraining,
    HoldTraining,
    StopTraining,
    SaveTraining,
    TestNetwork,
    UseNetwork,
    DeleteNetwork,
}

/// What moves the view and changes nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewCommand {
    FindCommand,
    MenuBar,
    ContextMenu,
    Help(HelpSheet),
    /// Opens the card with the three tasks of a new user.
    StartHere,
    Theme(ThemeChoice),
    Larger,
    Smaller,
    ActualSize,
    Motion,
    SpawnMap,
    /// Asks how a panel is drawn for a paper; without one, the panel that has the keys.
    Figure(Option<Panel>),
    /// Switches to a workspace.
    Workspace(Workspace),
    /// Goes back to the workspace and the panel that were left last.
    Back,
    /// Brings a panel to the front and gives it the keys. One that is not in the workspace becomes a tab beside the panel that
    /// has the keys.
    ShowPanel(Panel),
    /// Takes a panel out of the workspace.
    ClosePanel(Panel),
    /// Gives the keys to the next panel that is shown, or to the one before.
    NextPanel,
    PreviousPanel,
    /// Brings a panel of the workspace to the front; the keys stay where they are.
    ShowBeside(Panel),
    /// Opens the menu of the panel that has the keys, which has the places it can go to.
    PanelMenu,
    /// Puts a panel beside another one.
    Dock(Panel, DockPlace, Panel),
    /// Arranges the workspace as at first.
    ResetWorkspace,
    RestoreLayout,
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpSheet {
    Shortcuts,
    /// Every word of the field.
    Glossary,
    FileFormats,
    About,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Presets, positions or game records to open.
    Open,
    /// Strategies to be copied into the library.
    ImportStrategies,
    ExportStrategy,
    SavePreset,
    SaveRecord,
    ExportResults,
    /// The record of the search that is shown.
    SaveTree(TreeFormat),
    /// What a panel shows, drawn for a paper.
    SaveFigure(Panel, PictureFormat),
    /// The review of the game on the board.
    SaveReview(ReviewFormat),
    /// The review of the games of a run.
    SaveGames(ReviewFormat),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PictureFormat {
    Pdf,
    Svg,
    Png,
}

impl PictureFormat {
    pub const ALL: [Self; 3] = [Self::Pdf, Self::Svg, Self::Png];

    pub const fn ending(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }
}

impl Purpose {
    /// The title and the verb of its dialog, and how the files end; `None` for a folder and for files of several kinds.
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

    /// Whether files that exist are chosen.
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

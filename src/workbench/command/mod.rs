//! The vocabulary of the program: what can be done, under which words, with which key, in which menu.
//!
//! A panel never changes the document. It pushes a [`Command`] into [`Commands`], and `App::apply` does it. Menus, the
//! command search, the shortcut sheet, tooltips and keys all read this file, so that they cannot disagree.
//!
//! To add one without data: add the variant, a row in `Command::PLAIN` and one in `Command::entry`; what is done with the
//! search tree is in [`TreeCommand`]. A wish that carries
//! data (a drop, a typed value) is a variant that stays out of the lists; `entry` then gives its text alone.

mod library;
mod pin;
mod tree;
mod versus;

use std::path::PathBuf;
use std::sync::LazyLock;

use egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Response, Ui};

pub use library::LibraryCommand;
pub use pin::PinCommand;
pub use tree::{TreeCommand, TreeView};
pub use versus::VersusCommand;

use super::dialog::Purpose;
use super::document::{Document, NodeId};
use super::kit::Button;
use super::layout::{Arrangement, Panel};
use super::theme::ThemeChoice;
use crate::game::{Cell, Move, Rank, Rules, Spawn, Step};
use crate::preset::Deleted;
use crate::strategy::{Criterion, RowTransfer, Strategy, StrategyEdit};

/// Something a person can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    // File
    Open,
    Save,
    SaveAs,
    SaveRecord,
    ExportResults,
    Quit,
    // Edit
    Undo,
    Redo,
    CopyPosition,
    PastePosition,
    CopyRecord,
    CopyStrategy,
    PasteStrategy,
    FindCommand,
    // Board
    NewGame,
    EditPosition,
    Slide(Move),
    Step,
    Autoplay,
    Stop,
    SearchAgain,
    First,
    Previous,
    Next,
    Last,
    PreviousBranch,
    NextBranch,
    Faster,
    Slower,
    SpawnMap,
    // Strategy
    NewStrategy,
    DuplicateStrategy,
    RenameStrategy,
    CloseStrategy,
    AddCriterion,
    RowUp,
    RowDown,
    RemoveSelectedRow,
    NextStrategy,
    PreviousStrategy,
    AddToExperiment,
    // Experiment
    NewExperiment,
    RunExperiment,
    PauseExperiment,
    ResumeExperiment,
    CancelExperiment,
    // Kept strategies, pinned positions, two strategies
    Library(LibraryCommand),
    Pin(PinCommand),
    Versus(VersusCommand),
    // Tree
    Tree(TreeCommand),
    // View
    Theme(ThemeChoice),
    ScaleUp,
    ScaleDown,
    ScaleReset,
    Motion,
    ShowPanel(Panel),
    ResetLayout,
    Arrange(Arrangement),
    RestoreLayout,
    // Help
    Shortcuts,
    Glossary,
    FileFormats,
    About,
    // With data, so in no list
    OpenFiles(Vec<PathBuf>),
    SaveTo(Purpose, PathBuf),
    Pasted(String),
    SetAutoplaySpeed(f32),
    SetThreads(Option<usize>),
    NewGameWith {
        rules: Rules,
        seed: u64,
    },
    GoTo(NodeId),
    PlaceTile(Spawn),
    /// Plays these turns from a position of the game.
    PlayLine {
        from: NodeId,
        steps: Vec<Step>,
    },
    /// Brings a panel to the front; the keys stay where they are.
    ShowBeside(Panel),
    /// Sets the position beside what this open strategy searches there; `None` ends it.
    CompareWith(Option<usize>),
    EditCell(Cell, Rank),
    ClearEdit,
    ApplyEdit,
    CancelEdit,
    OpenGame {
        entry: usize,
        index: u64,
    },
    SelectStrategy(usize),
    OpenStrategy(Box<Strategy>),
    /// Changes the strategy on screen.
    Edit(StrategyEdit, UndoStep),
    /// The other strategy is shown then.
    TransferRow(RowTransfer),
    AddContestant(Box<Strategy>),
    RemoveContestant(usize),
    /// The strategy goes before the one that is now at `to`.
    MoveContestant {
        from: usize,
        to: usize,
    },
    SetGames(u64),
    SetSeed(u64),
    SetRules(Rules),
    SetTitle(String),
    SetNote(String),
    OpenPreset(PresetSource),
    DeletePreset(PathBuf),
    ListPresets,
    RestorePreset(Deleted),
}

/// How an edit becomes a step of undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoStep {
    /// It is done.
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

/// Where a preset comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum PresetSource {
    /// One that came with the program, by its name.
    Shipped(&'static str),
    File(PathBuf),
}

/// The menus of the menu bar, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menu {
    File,
    Edit,
    View,
    Board,
    Strategy,
    Tree,
    Experiment,
    Help,
}

impl Menu {
    /// All menus from left to right.
    pub const ALL: [Self; 8] =
        [Self::File, Self::Edit, Self::View, Self::Board, Self::Strategy, Self::Tree, Self::Experiment, Self::Help];

    /// Title in the menu bar.
    pub fn text(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Board => "Board",
            Self::Strategy => "Strategy",
            Self::Tree => "Tree",
            Self::Experiment => "Experiment",
            Self::Help => "Help",
        }
    }
}

/// Everything the window says about a command.
struct Entry {
    text: &'static str,
    about: &'static str,
    menu: Option<Menu>,
    /// The first is shown, the others work as well.
    keys: &'static [KeyboardShortcut],
    /// The keys work while this panel has the focus, and mean nothing else there.
    only_in: Option<Panel>,
}

impl Entry {
    /// For commands that no menu lists.
    const fn silent(text: &'static str, about: &'static str) -> Self {
        Self { text, about, menu: None, keys: &[], only_in: None }
    }
}

const fn plain(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers { alt: false, ctrl: false, shift: true, mac_cmd: false, command: true }, key)
}

impl From<StrategyEdit> for Command {
    fn from(edit: StrategyEdit) -> Self {
        Self::Edit(edit, UndoStep::Whole)
    }
}

impl Command {
    /// Changes a row of the strategy on screen.
    pub fn set_row(row: usize, criterion: Criterion, ongoing: bool) -> Self {
        Self::Edit(StrategyEdit::SetRow { row, criterion }, UndoStep::of(ongoing))
    }

    /// Every command without data, menu by menu: what menus, search and shortcut sheet list.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Command>> = LazyLock::new(|| {
            let plain = Command::PLAIN.iter().cloned();
            let library = LibraryCommand::ALL.iter().cloned().map(Command::Library);
            let pins = PinCommand::ALL.iter().cloned().map(Command::Pin);
            let versus = VersusCommand::ALL.iter().cloned().map(Command::Versus);
            let tree = TreeCommand::ALL.iter().copied().map(Command::Tree);
            plain.chain(library).chain(pins).chain(versus).chain(tree).collect()
        });
        &ALL
    }

    /// Those that are not about the tree.
    const PLAIN: &'static [Self] = &[
        Self::Open,
        Self::Save,
        Self::SaveAs,
        Self::SaveRecord,
        Self::ExportResults,
        Self::Quit,
        Self::Undo,
        Self::Redo,
        Self::CopyPosition,
        Self::PastePosition,
        Self::CopyRecord,
        Self::CopyStrategy,
        Self::PasteStrategy,
        Self::FindCommand,
        Self::ShowPanel(Panel::Board),
        Self::ShowPanel(Panel::Decision),
        Self::ShowPanel(Panel::Strategy),
        Self::ShowPanel(Panel::Experiment),
        Self::ShowPanel(Panel::Results),
        Self::ShowPanel(Panel::Games),
        Self::ShowPanel(Panel::Presets),
        Self::ShowPanel(Panel::Tree),
        Self::ShowPanel(Panel::Node),
        Self::ShowPanel(Panel::Why),
        Self::ShowPanel(Panel::Palette),
        Self::ShowPanel(Panel::Library),
        Self::ShowPanel(Panel::Row),
        Self::ShowPanel(Panel::Text),
        Self::ShowPanel(Panel::Evidence),
        Self::ShowPanel(Panel::Orders),
        Self::ShowPanel(Panel::Pinned),
        Self::ShowPanel(Panel::Compare),
        Self::Arrange(Arrangement::Play),
        Self::Arrange(Arrangement::Build),
        Self::Arrange(Arrangement::Tree),
        Self::Arrange(Arrangement::Experiment),
        Self::ResetLayout,
        Self::Theme(ThemeChoice::System),
        Self::Theme(ThemeChoice::Dark),
        Self::Theme(ThemeChoice::Light),
        Self::ScaleUp,
        Self::ScaleDown,
        Self::ScaleReset,
        Self::Motion,
        Self::NewGame,
        Self::EditPosition,
        Self::Slide(Move::Up),
        Self::Slide(Move::Down),
        Self::Slide(Move::Left),
        Self::Slide(Move::Right),
        Self::Step,
        Self::Autoplay,
        Self::Stop,
        Self::SearchAgain,
        Self::Faster,
        Self::Slower,
        Self::First,
        Self::Previous,
        Self::Next,
        Self::Last,
        Self::PreviousBranch,
        Self::NextBranch,
        Self::SpawnMap,
        Self::NewStrategy,
        Self::DuplicateStrategy,
        Self::RenameStrategy,
        Self::CloseStrategy,
        Self::AddCriterion,
        Self::RowUp,
        Self::RowDown,
        Self::RemoveSelectedRow,
        Self::NextStrategy,
        Self::PreviousStrategy,
        Self::AddToExperiment,
        Self::NewExperiment,
        Self::RunExperiment,
        Self::PauseExperiment,
        Self::ResumeExperiment,
        Self::CancelExperiment,
        Self::Shortcuts,
        Self::Glossary,
        Self::FileFormats,
        Self::About,
    ];

    fn entry(&self) -> Entry {
        let e = |menu, text, about, keys| Entry { text, about, menu: Some(menu), keys, only_in: None };
        let in_strategy = |entry| Entry { only_in: Some(Panel::Strategy), ..entry };
        match self {
            Self::Library(command) => command.entry(),
            Self::Pin(command) => command.entry(),
            Self::Versus(command) => command.entry(),
            Self::Tree(command) => command.entry(),
            Self::Open => e(Menu::File, "Open…", "Open presets, positions or game records", const { &[ctrl(Key::O)] }),
            Self::Save => e(Menu::File, "Save", "Save the experiment as a preset", const { &[ctrl(Key::S)] }),
            Self::SaveAs => {
                e(Menu::File, "Save as…", "Save the experiment under another name", const { &[ctrl_shift(Key::S)] })
            }
            Self::SaveRecord => e(Menu::File, "Save game record…", "Write the game on the board to a text file", &[]),
            Self::ExportResults => {
                e(Menu::File, "Export results…", "Write the results with their manifest to a folder", &[])
            }
            Self::Quit => e(Menu::File, "Quit", "Close the window", const { &[ctrl(Key::Q)] }),

            Self::Undo => e(Menu::Edit, "Undo", "Take back the last change", const { &[ctrl(Key::Z)] }),
            Self::Redo => {
                let keys = const { &[ctrl_shift(Key::Z), ctrl(Key::Y)] };
                e(Menu::Edit, "Redo", "Do again what was taken back", keys)
            }
            Self::CopyPosition => e(Menu::Edit, "Copy position", "Copy the board as text", const { &[ctrl(Key::C)] }),
            Self::PastePosition => {
                e(Menu::Edit, "Paste position", "Play on from the board in the clipboard", const { &[ctrl(Key::V)] })
            }
            Self::CopyRecord => e(Menu::Edit, "Copy game record", "Copy the whole game as text", &[]),
            Self::CopyStrategy => e(Menu::Edit, "Copy strategy", "Copy the strategy as text", &[]),
            Self::PasteStrategy => {
                e(Menu::Edit, "Paste strategy", "Open the strategy in the clipboard: letters or RON", &[])
            }
            Self::FindCommand => {
                e(Menu::Edit, "Find a command", "Search everything the program can do", const { &[ctrl(Key::K)] })
            }

            Self::NewGame => e(Menu::Board, "New game", "Start a game with another seed", const { &[ctrl(Key::N)] }),
            Self::EditPosition => e(Menu::Board, "Edit position", "Set tiles by hand", const { &[plain(Key::E)] }),
            Self::Slide(Move::Up) => {
                let keys = const { &[plain(Key::ArrowUp), plain(Key::W)] };
                e(Menu::Board, "Slide up", "Play this move", keys)
            }
            Self::Slide(Move::Down) => {
                let keys = const { &[plain(Key::ArrowDown), plain(Key::S)] };
                e(Menu::Board, "Slide down", "Play this move", keys)
            }
            Self::Slide(Move::Left) => {
                let keys = const { &[plain(Key::ArrowLeft), plain(Key::A)] };
                e(Menu::Board, "Slide left", "Play this move", keys)
            }
            Self::Slide(Move::Right) => {
                let keys = const { &[plain(Key::ArrowRight), plain(Key::D)] };
                e(Menu::Board, "Slide right", "Play this move", keys)
            }
            Self::Step => e(Menu::Board, "Step", "Let the strategy play one move", const { &[plain(Key::Enter)] }),
            Self::Autoplay => {
                e(Menu::Board, "Autoplay", "Let the strategy play on, or pause it", const { &[plain(Key::Space)] })
            }
            Self::Stop => e(Menu::Board, "Stop", "Stop whatever runs", const { &[plain(Key::Escape)] }),
            Self::SearchAgain => e(Menu::Board, "Search again", "Take up a search that was stopped", &[]),
            Self::First => {
                e(Menu::Board, "First position", "Go to the start of the game", const { &[plain(Key::Home)] })
            }
            Self::Previous => e(Menu::Board, "Previous position", "Go back one move", const { &[plain(Key::PageUp)] }),
            Self::Next => e(Menu::Board, "Next position", "Go forward one move", const { &[plain(Key::PageDown)] }),
            Self::Last => e(Menu::Board, "Last position", "Go to the end of the line", const { &[plain(Key::End)] }),
            Self::PreviousBranch => {
                let keys = const { &[plain(Key::OpenBracket)] };
                e(Menu::Board, "Previous branch", "Go to the branch before this one", keys)
            }
            Self::NextBranch => {
                let keys = const { &[plain(Key::CloseBracket)] };
                e(Menu::Board, "Next branch", "Go to the branch after this one", keys)
            }
            Self::Faster => {
                let keys = const { &[plain(Key::Plus), plain(Key::Equals)] };
                e(Menu::Board, "Faster", "Autoplay more moves per second", keys)
            }
            Self::Slower => e(Menu::Board, "Slower", "Autoplay fewer moves per second", const { &[plain(Key::Minus)] }),

            Self::SpawnMap => e(
                Menu::Board,
                "Spawn map",
                "After a slide, show on each empty cell what a 2 and a 4 there are worth against the mean",
                const { &[plain(Key::Q)] },
            ),

            Self::NewStrategy => e(Menu::Strategy, "New strategy", "Start from an empty list of criteria", &[]),
            Self::DuplicateStrategy => {
                e(Menu::Strategy, "Duplicate strategy", "Open a copy to change", const { &[ctrl(Key::D)] })
            }
            Self::RenameStrategy => {
                e(Menu::Strategy, "Rename strategy", "Give the strategy a name", const { &[plain(Key::F2)] })
            }
            Self::CloseStrategy => {
                e(Menu::Strategy, "Close strategy", "Take the strategy off the list", const { &[ctrl(Key::W)] })
            }
            Self::AddCriterion => in_strategy(e(
                Menu::Strategy,
                "Add criterion…",
                "Add a row to the strategy; the key works while the strategy panel is in focus",
                const { &[plain(Key::A)] },
            )),
            Self::RowUp => {
                e(Menu::Strategy, "Move row up", "Apply the selected row earlier", const { &[alt(Key::ArrowUp)] })
            }
            Self::RowDown => {
                e(Menu::Strategy, "Move row down", "Apply the selected row later", const { &[alt(Key::ArrowDown)] })
            }
            Self::RemoveSelectedRow => in_strategy(e(
                Menu::Strategy,
                "Remove selected row",
                "Take the selected row out; the key works while the strategy panel is in focus",
                const { &[plain(Key::Delete)] },
            )),

            Self::NextStrategy => e(
                Menu::Strategy,
                "Use next strategy",
                "Show the next open strategy and let it play on the board",
                const { &[ctrl(Key::PageDown)] },
            ),
            Self::PreviousStrategy => e(
                Menu::Strategy,
                "Use previous strategy",
                "Show the open strategy before this one and let it play on the board",
                const { &[ctrl(Key::PageUp)] },
            ),
            Self::AddToExperiment => {
                let about = "Let this strategy play in the experiment";
                e(Menu::Strategy, "Add to experiment", about, const { &[ctrl(Key::E)] })
            }

            Self::NewExperiment => e(Menu::Experiment, "New experiment", "Start from an empty list of strategies", &[]),
            Self::RunExperiment => {
                e(Menu::Experiment, "Run experiment", "Play all games of the experiment", const { &[ctrl(Key::R)] })
            }
            Self::PauseExperiment => e(
                Menu::Experiment,
                "Pause",
                "Hold the workers: quick games are finished, searched ones wait after the move",
                &[],
            ),
            Self::ResumeExperiment => e(Menu::Experiment, "Resume", "Go on with the games that are left", &[]),
            Self::CancelExperiment => {
                e(Menu::Experiment, "Stop, keep finished", "End the run; finished games stay", &[])
            }

            Self::Theme(ThemeChoice::System) => e(Menu::View, "System theme", "Follow the desktop", &[]),
            Self::Theme(ThemeChoice::Dark) => e(Menu::View, "Dark theme", "Dark surfaces", &[]),
            Self::Theme(ThemeChoice::Light) => e(Menu::View, "Light theme", "Light surfaces", &[]),
            Self::ScaleUp => {
                e(Menu::View, "Larger", "Scale everything up", const { &[ctrl(Key::Plus), ctrl(Key::Equals)] })
            }
            Self::ScaleDown => e(Menu::View, "Smaller", "Scale everything down", const { &[ctrl(Key::Minus)] }),
            Self::ScaleReset => e(Menu::View, "Actual size", "Scale back to 100 %", const { &[ctrl(Key::Num0)] }),
            Self::Motion => e(Menu::View, "Motion", "Slide tiles and fold rows, or change them at once", &[]),
            Self::ShowPanel(panel) => {
                let keys: &[KeyboardShortcut] = match panel {
                    Panel::Board => const { &[ctrl(Key::Num1)] },
                    Panel::Decision => const { &[ctrl(Key::Num2)] },
                    Panel::Strategy => const { &[ctrl(Key::Num3)] },
                    Panel::Experiment => const { &[ctrl(Key::Num4)] },
                    Panel::Results => const { &[ctrl(Key::Num5)] },
                    Panel::Games => const { &[ctrl(Key::Num6)] },
                    Panel::Presets => const { &[ctrl(Key::Num7)] },
                    Panel::Tree => const { &[ctrl(Key::Num8)] },
                    Panel::Node => const { &[ctrl(Key::Num9)] },
                    Panel::Why => const { &[ctrl_shift(Key::E)] },
                    Panel::Palette => const { &[ctrl_shift(Key::A)] },
                    Panel::Library => const { &[ctrl_shift(Key::L)] },
                    Panel::Row => const { &[ctrl_shift(Key::R)] },
                    Panel::Text => const { &[ctrl_shift(Key::T)] },
                    Panel::Evidence => const { &[ctrl_shift(Key::V)] },
                    Panel::Orders => const { &[ctrl_shift(Key::O)] },
                    Panel::Pinned => const { &[ctrl_shift(Key::P)] },
                    Panel::Compare => const { &[ctrl_shift(Key::D)] },
                };
                e(Menu::View, panel.show_text(), "Bring this panel to the front", keys)
            }
            Self::ResetLayout => e(Menu::View, "Reset layout", "Put the panels back to where they were at first", &[]),
            Self::Arrange(arrangement) => e(
                Menu::View,
                arrangement.text(),
                "Put the panels where they serve this best; Undo puts them back",
                const { &[] },
            ),
            Self::RestoreLayout => Entry::silent("Restore layout", "Take back the reset of the layout"),

            Self::OpenFiles(_) => Entry::silent("Open files", "Open these files"),
            Self::SaveTo(..) => Entry::silent("Save to file", "Write this file"),
            Self::Pasted(_) => Entry::silent("Paste", "Open the text from the clipboard"),
            Self::SetAutoplaySpeed(_) => Entry::silent("Set autoplay speed", "Moves per second"),
            Self::SetThreads(_) => Entry::silent("Set threads", "Worker threads of an experiment"),
            Self::NewGameWith { .. } => Entry::silent("New game", "Start a game with this seed, size and probability"),
            Self::GoTo(_) => Entry::silent("Go to position", "Put this position on the board"),
            Self::PlaceTile(_) => Entry::silent("Place tile", "Put the new tile here instead"),
            Self::PlayLine { .. } => Entry::silent("Play line", "Play these turns as a branch"),
            Self::ShowBeside(_) => Entry::silent("Show beside", "Bring this panel to the front of its tabs"),
            Self::CompareWith(_) => Entry::silent("Compare with", "Search the same position with this strategy too"),
            Self::EditCell(..) => Entry::silent("Edit cell", "Set the tile of a cell"),
            Self::ClearEdit => Entry::silent("Clear", "Take all tiles off the board"),
            Self::ApplyEdit => Entry::silent("Apply", "Play on from the edited board"),
            Self::CancelEdit => Entry::silent("Cancel", "Leave the board as it was"),
            Self::OpenGame { .. } => Entry::silent("Open game", "Put this game on the board"),
            Self::SelectStrategy(_) => Entry::silent("Select strategy", "Show this strategy and let it play"),
            Self::OpenStrategy(_) => Entry::silent("Open strategy", "Open this strategy in the builder"),
            Self::Edit(..) => {
                Entry::silent("Change the strategy", "Change the rows of the strategy or what it is called")
            }
            Self::TransferRow(_) => Entry::silent("Move row", "Put this criterion into another strategy"),
            Self::AddContestant(_) => Entry::silent("Add to experiment", "Let this strategy play in the experiment"),
            Self::RemoveContestant(_) => Entry::silent("Remove", "Take this strategy out of the experiment"),
            Self::MoveContestant { .. } => Entry::silent("Move", "Change the order of the strategies"),
            Self::SetGames(_) => Entry::silent("Set games", "Games of each strategy"),
            Self::SetSeed(_) => Entry::silent("Set seed", "Seed of the experiment"),
            Self::SetRules(_) => Entry::silent("Set rules", "Size of the board and probability of a 4"),
            Self::SetTitle(_) => Entry::silent("Set title", "Name of the experiment"),
            Self::SetNote(_) => Entry::silent("Set note", "What a reader should know"),
            Self::OpenPreset(_) => Entry::silent("Open preset", "Set the experiment up as this preset says"),
            Self::DeletePreset(_) => Entry::silent("Delete preset", "Move this preset to the trash"),
            Self::ListPresets => Entry::silent("List presets", "Look for presets in the folder again"),
            Self::RestorePreset(_) => Entry::silent("Restore preset", "Bring the deleted preset back"),

            Self::Shortcuts => {
                e(Menu::Help, "Keyboard shortcuts", "Every key on one sheet", const { &[plain(Key::Questionmark)] })
            }
            Self::Glossary => e(
                Menu::Help,
                "Glossary",
                "Every word of the field with its formula and source",
                const { &[plain(Key::F1)] },
            ),
            Self::FileFormats => e(Menu::Help, "File formats", "How boards, strategies and presets are written", &[]),
            Self::About => e(Menu::Help, "About Afterstate", "Version and licences", &[]),
        }
    }

    /// Words on a button and in a menu.
    pub fn text(&self) -> &'static str {
        self.entry().text
    }

    /// What it does, with its key: "Take back the last change (Ctrl Z)".
    pub fn tooltip(&self) -> String {
        let about = self.entry().about;
        match self.keys() {
            Some(keys) => format!("{about} ({keys})"),
            None => about.to_owned(),
        }
    }

    /// What it does, without its key.
    pub fn about(&self) -> &'static str {
        self.entry().about
    }

    /// The menu that lists it.
    pub fn menu(&self) -> Option<Menu> {
        self.entry().menu
    }

    /// The key that is shown for it.
    pub fn shortcut(&self) -> Option<KeyboardShortcut> {
        self.entry().keys.first().copied()
    }

    /// The key that is shown for it, in words.
    pub fn keys(&self) -> Option<String> {
        self.shortcut().map(|shortcut| keys_text(&shortcut))
    }

    /// All keys that do it, in words.
    pub fn all_keys(&self) -> Vec<String> {
        self.entry().keys.iter().map(keys_text).collect()
    }

    /// Whether a line stands above it in its menu.
    pub fn begins_group(&self) -> bool {
        if let Self::Tree(command) = self {
            return command.begins_group();
        }
        matches!(
            self,
            Self::SaveRecord
                | Self::Quit
                | Self::CopyPosition
                | Self::CopyStrategy
                | Self::FindCommand
                | Self::Arrange(Arrangement::Play)
                | Self::Theme(ThemeChoice::System)
                | Self::ScaleUp
                | Self::Motion
                | Self::Slide(Move::Up)
                | Self::Step
                | Self::First
                | Self::SpawnMap
                | Self::AddCriterion
                | Self::NextStrategy
                | Self::About
        )
    }

    /// Whether a held key does it again and again.
    fn repeats(&self) -> bool {
        if let Self::Tree(command) = self {
            return command.repeats();
        }
        matches!(
            self,
            Self::Slide(_)
                | Self::Step
                | Self::Previous
                | Self::Next
                | Self::Undo
                | Self::Redo
                | Self::Faster
                | Self::Slower
                | Self::ScaleUp
                | Self::ScaleDown
        )
    }

    /// The commands whose keys were pressed since the last frame; takes those keys out of the input.
    ///
    /// Keys that also write or move in a field are left alone while something has the keyboard, and all keys are
    /// while `blocked` (a dialog is open). egui reports Ctrl C and Ctrl V as events of their own.
    pub fn pressed(ctx: &Context, focused: Panel, blocked: bool) -> Vec<Self> {
        if blocked {
            return Vec::new();
        }
        let field = ctx.text_edit_focused();
        let keyboard_taken = ctx.egui_wants_keyboard_input();
        let popup = egui::Popup::is_any_open(ctx);
        let mut found = Vec::new();
        ctx.input_mut(|input| {
            if !field {
                input.events.retain(|event| match event {
                    Event::Copy => {
                        found.push(Self::CopyPosition);
                        false
                    }
                    Event::Paste(text) => {
                        found.push(Self::Pasted(text.clone()));
                        false
                    }
                    _ => true,
                });
            }
            let entries = Self::all().iter().map(|command| (command, command.entry()));
            // A row is added from every panel of the builder, not only from the stack.
            let builds = matches!(focused, Panel::Palette | Panel::Row | Panel::Evidence | Panel::Orders);
            let adds = |command: &Self| builds && *command == Self::AddCriterion;
            let entries =
                entries.filter(|(command, entry)| entry.only_in.is_none_or(|panel| panel == focused) || adds(command));
            let mut keys: Vec<(KeyboardShortcut, bool, &Self)> = entries
                .flat_map(|(command, entry)| entry.keys.iter().map(move |&key| (key, entry.only_in.is_some(), command)))
                .collect();
            // Ctrl Z would also match Ctrl Shift Z, and an arrow Alt and that arrow: keys with shift and alt come first. What
            // is meant for the panel in focus comes before what is meant for all.
            keys.sort_by_key(|(key, is_local, _)| (!key.modifiers.shift, !key.modifiers.alt, !is_local));
            for (key, _, command) in keys {
                let is_plain = key.modifiers.is_none() || key.modifiers == Modifiers::SHIFT;
                let copied = matches!(command, Self::CopyPosition | Self::PastePosition);
                // Nothing is typed with a function key.
                let writes = is_plain && !matches!(key.logical_key, Key::F1 | Key::F2 | Key::F3);
                // A field takes back what was typed in it.
                let retypes = field && matches!(command, Self::Undo | Self::Redo);
                if copied
                    || retypes
                    || (is_plain && popup)
                    || (writes && field)
                    || (field && key.conflicts_with_text_editing())
                {
                    continue;
                }
                // A focused button owns Enter and Space, a focused slider the arrows.
                let moves_focus = matches!(
                    key.logical_key,
                    Key::Enter | Key::Space | Key::ArrowUp | Key::ArrowDown | Key::ArrowLeft | Key::ArrowRight
                );
                if is_plain && keyboard_taken && moves_focus {
                    continue;
                }
                // `?` and `+` need shift on many keyboards; logical matching ignores it, but not ctrl.
                let held = input.events.iter().any(|event| {
                    matches!(event, Event::Key { key: pressed, repeat: true, .. } if *pressed == key.logical_key)
                });
                if input.consume_shortcut(&key) && (!held || command.repeats()) {
                    found.push(command.clone());
                }
            }
        });
        found
    }
}

/// A shortcut as the window writes it: "Ctrl Shift Z".
pub fn keys_text(shortcut: &KeyboardShortcut) -> String {
    let mut words = Vec::new();
    if shortcut.modifiers.command || shortcut.modifiers.ctrl {
        words.push(if cfg!(target_os = "macos") { "Cmd" } else { "Ctrl" });
    }
    if shortcut.modifiers.alt {
        words.push("Alt");
    }
    if shortcut.modifiers.shift {
        words.push("Shift");
    }
    let key = match shortcut.logical_key {
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::PageUp => "Page up",
        Key::PageDown => "Page down",
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Plus => "+",
        Key::Minus => "−",
        Key::Equals => "=",
        Key::Questionmark => "?",
        Key::Period => ".",
        Key::Comma => ",",
        key => key.name(),
    };
    words.push(key);
    words.join(" ")
}

/// The wishes of one frame, in the order in which they were made.
#[derive(Debug, Default)]
pub struct Commands {
    wishes: Vec<Command>,
}

impl Commands {
    pub fn push(&mut self, command: impl Into<Command>) {
        self.wishes.push(command.into());
    }

    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.wishes)
    }

    /// A button with the text, tooltip and key of a command; `enabled` carries the reason when it is not.
    pub fn button(&mut self, ui: &mut Ui, command: Command, enabled: Result<(), &str>) -> Response {
        self.show(ui, Button::new(command.text()), command, enabled)
    }

    /// The same for a button that was given an icon, another text or an accent.
    pub fn show(&mut self, ui: &mut Ui, button: Button<'_>, command: Command, enabled: Result<(), &str>) -> Response {
        let response = ui.add_enabled(enabled.is_ok(), button);
        self.finish(response, command, enabled)
    }

    /// The same for an icon alone.
    pub fn icon(
        &mut self,
        ui: &mut Ui,
        icon: super::icon::Icon,
        command: Command,
        enabled: Result<(), &str>,
    ) -> Response {
        let name = command.text().trim_end_matches('…');
        let response = ui.add_enabled_ui(enabled.is_ok(), |ui| super::icon::icon_button(ui, icon, name, "")).inner;
        self.finish(response, command, enabled)
    }

    fn finish(&mut self, response: Response, command: Command, enabled: Result<(), &str>) -> Response {
        let response = match enabled {
            Ok(()) => response.on_hover_text(command.tooltip()),
            Err(reason) => response.on_disabled_hover_text(reason),
        };
        if response.clicked() {
            self.push(command);
        }
        response
    }

    /// A button whose reason comes from the document.
    pub fn button_for(&mut self, ui: &mut Ui, doc: &Document, command: Command) -> Response {
        let enabled = doc.can(&command);
        self.button(ui, command, enabled.as_ref().map(|&()| ()).map_err(AsRef::as_ref))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_commands_share_a_key_in_one_panel() {
        for panel in [None, Some(Panel::Strategy), Some(Panel::Tree)] {
            let here = |command: &&Command| command.entry().only_in == panel;
            let mut keys: Vec<String> = Command::all().iter().filter(here).flat_map(Command::all_keys).collect();
            assert!(!keys.is_empty());
            keys.sort();
            let all = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), all, "{panel:?}");
        }
    }

    #[test]
    fn every_listed_command_has_words_and_a_menu() {
        for command in Command::all() {
            assert!(!command.text().is_empty() && !command.about().is_empty());
            assert!(!command.text().ends_with('.') && !command.about().ends_with('.'));
            assert!(command.menu().is_some(), "{command:?} is in no menu");
        }
    }

    #[test]
    fn keys_are_written_with_blanks() {
        assert_eq!(Command::Redo.all_keys(), ["Ctrl Shift Z", "Ctrl Y"]);
        assert_eq!(Command::Undo.tooltip(), "Take back the last change (Ctrl Z)");
    }
}

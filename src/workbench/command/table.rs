//! The table of commands: one row per command without data, in the order of the menus and of the command search.

use std::sync::LazyLock;

use egui::Key;
use strum::IntoEnumIterator as _;

use super::keys::{
    TypesNothing as _, alt, ctrl, ctrl_alt, ctrl_shift, keys_text, plain, shift, slide_keys,
};
use super::panel::{Panel, Workspace};
use super::review_rows;
use super::row::{CommandRow, Menu};
use super::tree_rows;
use super::vocabulary::{
    Command, CompareCommand, ExperimentCommand, FileCommand, GameCommand, HelpSheet,
    LearningCommand, LibraryCommand, PinCommand, RunsCommand, SelectionCommand, SolveCommand,
    StrategyCommand, TaskCommand, ViewCommand,
};
use crate::experiment::ResultsFormat;
use crate::game::Move;
use crate::workbench::theme::ThemeChoice;

pub(super) static TABLE: LazyLock<Vec<CommandRow>> = LazyLock::new(|| {
    let mut rows = Vec::new();
    let parts = [
        file,
        edit,
        workspaces,
        look,
        show,
        board,
        review_rows::review,
        review_rows::practice,
        positions,
        strategy,
        experiment,
        runs,
        training,
        help,
        library,
        pins,
        compare,
        tree_rows::views,
        tree_rows::walk,
        tree_rows::nodes,
        tree_rows::steps,
        tree_rows::files,
    ];
    parts.iter().for_each(|part| part(&mut rows));
    for row in &mut rows {
        row.submenu = match row.command {
            Command::Practice(_) => Some("Practice"),
            Command::Review(_) => Some("Review"),
            Command::View(ViewCommand::Theme(_)) => Some("Theme"),
            Command::View(ViewCommand::ShowPanel(panel)) if panel.is_of_review() => {
                Some("Review panels")
            }
            Command::View(
                ViewCommand::ShowPanel(_)
                | ViewCommand::NextPanel
                | ViewCommand::PreviousPanel
                | ViewCommand::PanelMenu,
            ) => Some("Panels"),
            _ => None,
        };
    }

    // A menu has a submenu once, where its first row is.
    let first = |(at, row): (usize, &CommandRow)| match row.submenu {
        Some(_) => rows
            .iter()
            .position(|other| other.menu == row.menu && other.submenu == row.submenu)
            .unwrap_or(at),
        None => at,
    };
    let firsts: Vec<usize> = rows.iter().enumerate().map(first).collect();
    let mut placed: Vec<(usize, CommandRow)> = firsts.into_iter().zip(rows).collect();
    placed.sort_by_key(|(first, _)| *first);
    let mut rows: Rows = placed.into_iter().map(|(_, row)| row).collect();

    // Each group is a submenu: one menu would be higher than the screen.
    let mut group = 0;

    for row in rows.iter_mut().filter(|row| row.menu == Menu::Tree) {
        group += usize::from(std::mem::take(&mut row.begins_group));
        row.submenu = tree_rows::MENUS.get(group).copied();
        // Keys with Ctrl and function keys work everywhere.
        if row
            .keys
            .iter()
            .all(|key| !key.modifiers.command && !key.types_nothing())
        {
            row.only_in = Some(Panel::Tree);
        }
    }

    rows
});

type Rows = Vec<CommandRow>;

const FIGURE: &str = "Save the focused panel as a figure (PDF, SVG or PNG) for a paper";

fn file(rows: &mut Rows) {
    use FileCommand as C;
    let row = |command, text, about| Menu::File.row(command, text, about);
    rows.extend([
        row(
            C::Open,
            "Open…",
            "Open presets, positions, strategies or game records",
        )
        .key(ctrl(Key::O)),
        row(C::Save, "Save", "Save the experiment as a preset").key(ctrl(Key::S)),
        row(
            C::SaveAs,
            "Save as…",
            "Save the experiment under another name",
        )
        .key(ctrl_shift(Key::S)),
        row(
            C::SaveRecord,
            "Save game record…",
            "Save the game on the board as a text file",
        )
        .begins_group(),
        row(
            C::ExportResults,
            "Export results…",
            "Save the results and their manifest in a folder",
        ),
        Menu::File
            .row(ViewCommand::Figure(None), "Save figure…", FIGURE)
            .key(ctrl_alt(Key::F)),
        Menu::File
            .row(ViewCommand::Quit, "Quit", "Close the window")
            .key(ctrl(Key::Q))
            .begins_group(),
    ]);
}

fn edit(rows: &mut Rows) {
    use FileCommand as C;
    let row = |command, text, about| Menu::Edit.row(command, text, about);
    rows.extend([
        Menu::Edit
            .row(Command::Undo, "Undo", "Undo the last change")
            .key(ctrl(Key::Z))
            .repeats(),
        Menu::Edit
            .row(Command::Redo, "Redo", "Restore the last undone change")
            .key(ctrl_shift(Key::Z))
            .key(ctrl(Key::Y))
            .repeats(),
        row(C::CopyPosition, "Copy position", "Copy the board as text")
            .key(ctrl(Key::C))
            .begins_group(),
        row(
            C::PastePosition,
            "Paste position",
            "Continue from the board in the clipboard",
        )
        .key(ctrl(Key::V)),
    ]);
    rows.extend(ResultsFormat::iter().filter_map(|format| {
        let (text, about) = format.copied()?;
        Some(row(C::CopyResults(format), text, about))
    }));
    rows.extend([
        row(
            C::CopyRecord,
            "Copy game record",
            "Copy the whole game as text",
        ),
        row(
            C::CopyStrategy,
            "Copy strategy",
            "Copy the strategy as text",
        )
        .begins_group(),
        row(
            C::PasteStrategy,
            "Paste strategy",
            "Open the strategy in the clipboard: letters or RON",
        ),
        Menu::Edit
            .row(
                ViewCommand::FindCommand,
                "Find a command",
                "Search all commands",
            )
            .key(ctrl(Key::K))
            .begins_group(),
        Menu::Edit
            .row(
                ViewCommand::MenuBar,
                "Focus the menu bar",
                "Move the focus to the menu bar, or back; Alt alone does the same",
            )
            .key(plain(Key::F10)),
        Menu::Edit
            .row(
                ViewCommand::ContextMenu,
                "Context menu",
                "Open the menu of the focused item, or of its panel",
            )
            .key(shift(Key::F10))
            .key(plain(Key::Menu)),
    ]);
}

fn workspaces(rows: &mut Rows) {
    rows.extend(Workspace::iter().map(|workspace| {
        let (text, about) = (
            format!("Workspace {}", workspace.title()),
            workspace.about(),
        );
        Menu::View
            .row(ViewCommand::Workspace(workspace), text, about)
            .key(workspace.key())
    }));
    rows.push(
        Menu::View
            .row(
                ViewCommand::Back,
                "Previous workspace",
                "Return to the previous workspace and panel",
            )
            .key(alt(Key::ArrowLeft)),
    );
    let reset = "Reset the panels of this workspace; Undo restores them";
    rows.push(Menu::View.row(ViewCommand::ResetWorkspace, "Reset workspace", reset));
}

fn show(rows: &mut Rows) {
    rows.extend(Panel::all().map(|panel| {
        let text = format!("Show {}", panel.title().to_lowercase());
        let about = "Show this panel; if the workspace does not have it, add it as a tab";
        let row = Menu::View.row(ViewCommand::ShowPanel(panel), text, about);
        match panel.key() {
            Some(key) => row.key(key),
            None => row,
        }
    }));

    let (next, previous) = (
        "Focus the next visible panel",
        "Focus the previous visible panel",
    );
    let move_to =
        "Open the menu of the focused panel: Move puts it next to another panel or into its tabs";
    rows.extend([
        Menu::View
            .row(ViewCommand::NextPanel, "Next panel", next)
            .key(plain(Key::F6))
            .begins_group(),
        Menu::View
            .row(ViewCommand::PreviousPanel, "Previous panel", previous)
            .key(shift(Key::F6)),
        Menu::View
            .row(ViewCommand::PanelMenu, "Move panel…", move_to)
            .key(ctrl(Key::M)),
    ]);
}

fn look(rows: &mut Rows) {
    use ViewCommand as C;
    let row = |command, text, about| Menu::View.row(command, text, about);
    rows.extend([
        row(
            C::Theme(ThemeChoice::System),
            "System theme",
            "Follow the desktop: dark or light, and high contrast if it is on",
        ),
        row(C::Theme(ThemeChoice::Dark), "Dark theme", "Dark surfaces"),
        row(
            C::Theme(ThemeChoice::Light),
            "Light theme",
            "Light surfaces",
        ),
        row(
            C::Theme(ThemeChoice::HighContrastDark),
            "High contrast, dark",
            "Black panels, white text, outlines everywhere",
        ),
        row(
            C::Theme(ThemeChoice::HighContrastLight),
            "High contrast, light",
            "White panels, black text, outlines everywhere",
        ),
        row(C::Larger, "Larger", "Enlarge everything")
            .key(ctrl(Key::Plus))
            .key(ctrl(Key::Equals))
            .begins_group()
            .repeats(),
        row(C::Smaller, "Smaller", "Shrink everything")
            .key(ctrl(Key::Minus))
            .repeats(),
        row(C::ActualSize, "Actual size", "Reset the scale to 100 %").key(ctrl(Key::Num0)),
        row(
            C::Motion,
            "Motion",
            "Animate tiles and rows, or change them at once",
        )
        .begins_group(),
    ]);
}

fn board(rows: &mut Rows) {
    use GameCommand as C;
    let row = |command, text, about| Menu::Board.row(command, text, about);
    rows.extend([
        row(C::New, "New game", "Start a game with a new seed").key(ctrl(Key::N)),
        row(C::EditPosition, "Edit position", "Set tiles by hand").key(plain(Key::E)),
        row(
            C::ApplyEdit,
            "Apply edited position",
            "Continue from the edited board; Enter on a cell does the same",
        )
        .key(ctrl(Key::Enter)),
        row(
            C::TurnEdit,
            "Turn edited position",
            "Turn the edited board clockwise by a quarter, or by a half if it is not square",
        ),
        row(
            C::MirrorEdit,
            "Mirror edited position",
            "Mirror the edited board left to right",
        ),
    ]);

    rows.extend(Move::ALL.map(|mv| {
        let (arrow, letter) = slide_keys(mv);
        let text = format!("Slide {}", mv.name());
        let row = Menu::Board
            .row(C::Slide(mv), text, "Play this move")
            .key(plain(arrow))
            .key(plain(letter))
            .repeats();
        if mv == Move::Up {
            row.begins_group()
        } else {
            row
        }
    }));

    rows.extend([
        row(C::Step, "Step", "Play one move with the strategy")
            .key(plain(Key::Enter))
            .begins_group()
            .repeats(),
        row(C::Autoplay, "Autoplay", "Play with the strategy, or pause").key(plain(Key::Space)),
        row(
            C::Watch,
            "Watch the Reference",
            "Start a new game played by the shipped Reference network, which is strong",
        ),
        Menu::Board
            .row(
                Command::Stop,
                "Stop",
                "Stop one activity, first autoplay and searches; an experiment is paused",
            )
            .key(plain(Key::Escape)),
        row(C::SearchAgain, "Search again", "Resume a stopped search"),
        row(C::Faster, "Faster", "Play more moves per second")
            .key(plain(Key::Plus))
            .key(plain(Key::Equals))
            .repeats(),
        row(C::Slower, "Slower", "Play fewer moves per second")
            .key(plain(Key::Minus))
            .repeats(),
    ]);
}

fn positions(rows: &mut Rows) {
    use GameCommand as C;
    let row = |command, text, about, key| Menu::Board.row(command, text, about).key(plain(key));
    let map = "Show in each empty cell how far a 2 or a 4 there is above or below the mean value";
    rows.extend([
        row(
            C::First,
            "First position",
            "Go to the start of the game",
            Key::Home,
        )
        .begins_group(),
        row(
            C::Previous,
            "Previous position",
            "Go back one move",
            Key::PageUp,
        )
        .repeats(),
        row(
            C::Next,
            "Next position",
            "Go forward one move",
            Key::PageDown,
        )
        .repeats(),
        row(
            C::Last,
            "Last position",
            "Go to the last position of this branch",
            Key::End,
        ),
        row(
            C::PreviousBranch,
            "Previous branch",
            "Go to the previous branch",
            Key::OpenBracket,
        ),
        row(
            C::NextBranch,
            "Next branch",
            "Go to the next branch",
            Key::CloseBracket,
        ),
        Menu::Board
            .row(
                C::PreviousGame,
                "Previous game",
                "Go to the game that was started or opened before this one",
            )
            .key(ctrl(Key::OpenBracket)),
        Menu::Board
            .row(
                C::NextGame,
                "Next game",
                "Go to the game that was started or opened after this one",
            )
            .key(ctrl(Key::CloseBracket)),
        Menu::Board
            .row(
                C::EditNote(None),
                "Note…",
                "Write a note on this move; it is saved with the game",
            )
            .begins_group(),
        Menu::Board
            .row(ViewCommand::SpawnMap, "Spawn map", map)
            .key(plain(Key::Q))
            .begins_group(),
    ]);
}

fn strategy(rows: &mut Rows) {
    use SelectionCommand as Selected;
    use StrategyCommand as C;
    let row = |command, text, about| Menu::Strategy.row(command, text, about);
    let selected = |command, text, about, key| Menu::Strategy.row(command, text, about).key(key);
    let add = "Add a row to the strategy; the key works while the Strategy panel has the focus";
    let remove = "Remove the selected row; the key works while the Strategy panel has the focus";
    let next = "Show the next open strategy and use it on the board";
    let previous = "Show the previous open strategy and use it on the board";
    rows.extend([
        row(C::New, "New strategy", "Start with an empty list of rows"),
        row(
            C::Duplicate,
            "Duplicate strategy",
            "Open a copy of this strategy",
        )
        .key(ctrl(Key::D)),
        selected(
            Selected::RenameStrategy,
            "Rename strategy",
            "Change the name of the strategy",
            plain(Key::F2),
        ),
        row(
            C::Close,
            "Close strategy",
            "Remove the strategy from the list",
        )
        .key(ctrl(Key::W)),
        selected(Selected::AddCriterion, "Add row…", add, plain(Key::A))
            .only_in(Panel::Strategy)
            .begins_group(),
        selected(
            Selected::RowUp,
            "Move row up",
            "Apply the selected row one place earlier",
            alt(Key::ArrowUp),
        ),
        selected(
            Selected::RowDown,
            "Move row down",
            "Apply the selected row one place later",
            alt(Key::ArrowDown),
        ),
        selected(
            Selected::RemoveRow,
            "Remove selected row",
            remove,
            plain(Key::Delete),
        )
        .only_in(Panel::Strategy),
        row(C::Next, "Use next strategy", next)
            .key(ctrl(Key::PageDown))
            .begins_group(),
        row(C::Previous, "Use previous strategy", previous).key(ctrl(Key::PageUp)),
        Menu::Strategy
            .row(
                ExperimentCommand::AddCurrent,
                "Add to experiment",
                "Add this strategy to the experiment",
            )
            .key(ctrl(Key::E)),
    ]);
}

fn experiment(rows: &mut Rows) {
    use ExperimentCommand as C;
    use SelectionCommand as Selected;
    let row = |command, text, about| Menu::Experiment.row(command, text, about);
    let contestant = |command, text, about, key| {
        Menu::Experiment
            .row(command, text, about)
            .key(key)
            .only_in(Panel::Experiment)
            .unlisted()
    };

    let remove = "Remove the selected contestant from the experiment; the key works in the setup";
    let pin =
        "Compare every row of the results with the selected one; the key works in the results";
    rows.extend([
        row(C::New, "New experiment", "Start with an empty list of strategies"),
        row(C::Run, "Run experiment", "Play all games of the experiment").key(ctrl(Key::R)),
        row(
            C::RollOut,
            "Roll out position…",
            "Play games from each move of this position with the strategy, all on the same tiles",
        ),
        row(C::Pause, "Pause", "Pause the workers: short games finish first, searched games stop after this move"),
        row(C::Resume, "Resume", "Play the remaining games, also of a stopped run; no game is played twice"),
        row(C::Stop, "Stop", "Finish the games in play and start no others; Resume continues the run"),
        row(
            C::StopNow,
            "Stop at once",
            "Discard the games in play, which are the longest: means are too low until Resume plays them",
        ),
        row(C::Tune, "Tune", "Choose the settings that the experiment tunes by playing, or resume tuning").unlisted(),
        row(C::PauseTuning, "Pause tuning", "Pause the workers; Tune resumes").unlisted(),
        row(C::StopTuning, "Stop tuning", "Discard the generation in play; earlier ones are saved, and Tune resumes")
            .unlisted(),
        Menu::Experiment
            .row(SolveCommand::Hold, "Pause solving", "Pause or resume solving the board and the value iteration")
            .unlisted(),
        Menu::Experiment
            .row(SolveCommand::Stop, "Stop solving", "Cancel solving the board and learning the value iteration")
            .unlisted(),
        row(C::ShowPlaying, "Show the running experiment", "Go back to the experiment that is running"),
        contestant(
            Selected::ContestantUp,
            "Move contestant up",
            "Move the selected contestant up in the list",
            alt(Key::ArrowUp),
        ),
        contestant(
            Selected::ContestantDown,
            "Move contestant down",
            "Move the selected contestant down in the list",
            alt(Key::ArrowDown),
        ),
        Menu::Experiment
            .row(Selected::RemoveContestant, "Remove contestant", remove)
            .removes()
            .only_in(Panel::Experiment)
            .unlisted(),
        Menu::Experiment
            .row(Selected::Baseline, "Use as baseline", pin)
            .key(plain(Key::B))
            .only_in(Panel::Results)
            .unlisted(),
    ]);
}

fn runs(rows: &mut Rows) {
    use SelectionCommand as C;
    let row = |command, text, about| Menu::Experiment.row(command, text, about);
    let find = "Search the runs on disk by title, strategy, tag, note or seed";
    let open = "Show the results of the selected run and set up its experiment; Resume plays the missing games";
    let pin = "Show or hide the strategies of the selected run beside those on screen, in one plot and one table";
    let delete =
        "Move the selected run to the trash of the runs folder; the key works in the Runs panel";
    rows.extend([
        row(C::FindRun, "Find a run", find)
            .key(ctrl_shift(Key::F))
            .begins_group(),
        row(C::OpenRun, "Open run", open),
        row(C::PinRun, "Pin run", pin)
            .key(plain(Key::P))
            .only_in(Panel::Runs),
        row(
            C::UnpinRuns,
            "Unpin all runs",
            "Show only the strategies of the run on screen",
        ),
        row(
            C::DescribeRun,
            "Tags and note of the run",
            "Describe the selected run",
        )
        .key(plain(Key::F2))
        .only_in(Panel::Runs),
        row(
            C::CopyRunPath,
            "Copy path of the run",
            "Copy the path of the selected run's folder",
        ),
        row(C::DeleteRun, "Delete run", delete)
            .key(plain(Key::Delete))
            .only_in(Panel::Runs),
    ]);
}

fn training(rows: &mut Rows) {
    use SelectionCommand as C;
    let row = |command, text, about| Menu::Experiment.row(command, text, about).unlisted();
    let new = "Set up a network that learns by playing, from a preset or from tuples";
    let hold = "Pause the training of the selected network and save a checkpoint, or resume it";
    let stop = "Save a checkpoint of the selected network and free its memory";
    let save = "Save the selected network with its training state";
    let test = "Play games with a copy of the selected network as it is now";
    let use_it =
        "Open a strategy that plays the move with the highest value of the selected network";
    let delete = "Move the selected network to the trash of the networks folder; the key works in the Learning panel";
    rows.extend([
        row(C::NewTraining, "Train a network…", new),
        row(C::HoldTraining, "Pause or resume training", hold),
        row(C::StopTraining, "Stop training", stop),
        row(C::SaveTraining, "Checkpoint now", save),
        row(C::TestNetwork, "Test the network", test),
        row(C::UseNetwork, "Use the network in a strategy", use_it),
        row(C::DeleteNetwork, "Delete network", delete)
            .removes()
            .only_in(Panel::Learning),
    ]);
}

fn help(rows: &mut Rows) {
    let row = |sheet, text, about| Menu::Help.row(ViewCommand::Help(sheet), text, about);
    rows.extend([
        Menu::Help.row(
            ViewCommand::StartHere,
            "Start here",
            "Three tasks to begin with: see why it moves, build a better strategy, watch a network learn",
        ),
        row(HelpSheet::Guide, "User guide", "Tasks step by step, and the reference of files and formulas"),
        row(HelpSheet::Shortcuts, "Keyboard shortcuts", "Every key on one sheet").key(plain(Key::Questionmark)),
        row(HelpSheet::Glossary, "Glossary", "Every word of the field with its formula and source").key(plain(Key::F1)),
        row(HelpSheet::About, "About Afterstate", "Version and licenses").begins_group(),
    ]);
}

fn library(rows: &mut Rows) {
    use LibraryCommand as C;
    let row = |command, text, about| Menu::Strategy.row(command, text, about);
    let selected = |command, text, about, key| {
        Menu::Strategy
            .row(command, text, about)
            .key(plain(key))
            .only_in(Panel::Library)
    };
    let paste = "Replace this strategy with the one in the clipboard: letters or RON";
    let rename =
        "Rename the selected library strategy and its file; the key works in the Library panel";
    let delete =
        "Move the selected library strategy to the trash; the key works in the Library panel";
    rows.extend([
        row(C::Save, "Save strategy", "Save the strategy in the library").key(ctrl_alt(Key::S)),
        row(
            C::SaveCopy,
            "Save strategy as copy",
            "Save the strategy in a new file of the library",
        ),
        row(
            C::OpenParent,
            "Open parent",
            "Open the version this strategy was made from",
        ),
        row(
            C::Export,
            "Export strategy…",
            "Save the strategy as a file anywhere",
        ),
        row(
            C::Import,
            "Import strategies…",
            "Copy strategy files into the library",
        ),
        row(
            C::CopyLetters,
            "Copy letters",
            "Copy the letters of the composition",
        ),
        Menu::Strategy.row(FileCommand::PasteOver, "Paste over strategy", paste),
        selected(
            SelectionCommand::RenameKept,
            "Rename saved strategy",
            rename,
            Key::F2,
        ),
        selected(
            SelectionCommand::DeleteKept,
            "Delete saved strategy",
            delete,
            Key::Delete,
        ),
    ]);
}

fn pins(rows: &mut Rows) {
    use PinCommand as C;
    let row = |command, text, about| Menu::Board.row(command, text, about);
    rows.extend([
        row(
            C::PinBoard,
            "Pin this board",
            "Add this board to the positions that edits are tried on",
        )
        .key(plain(Key::P)),
        row(
            C::NewSet,
            "New set of positions",
            "Create a set of your own for pinned boards",
        ),
        row(
            C::CopySet,
            "Copy set of positions",
            "Copy the selected set to a set of your own",
        ),
        row(
            C::AddIdealBoards,
            "Add ideal boards",
            "Add the best arrangements of tiles for Snake and Corner as a set of your own",
        ),
        row(
            C::DeleteSet,
            "Delete set of positions",
            "Move the selected set, one of your own, to the trash",
        ),
    ]);
}

fn compare(rows: &mut Rows) {
    use CompareCommand as C;
    let row = |command, text, about| Menu::Strategy.row(command, text, about);
    let test =
        "Play the edited strategy and its previous version on the same seeds, and compare them";
    let beside = "Compare the strategy with its previous version, decision by decision";
    rows.extend([
        row(C::TestAgainstPrevious, "Test against previous", test).key(ctrl(Key::T)),
        row(C::WithPrevious, "Compare with previous", beside),
    ]);
}

/// Text and tooltip of a button whose command no menu lists.
fn unlisted(command: &Command) -> (&'static str, &'static str) {
    match command {
        Command::View(ViewCommand::Figure(_)) => (
            "Save figure…",
            "Save this panel as a figure (PDF, SVG or PNG) for a paper",
        ),
        Command::Game(GameCommand::ClearEdit) => ("Clear", "Remove all tiles from the board"),
        Command::Game(GameCommand::EditNote(_)) => (
            "Note…",
            "Write a note on this move; it is saved with the game",
        ),
        Command::Game(GameCommand::CancelEdit) => {
            ("Cancel", "Leave the board unchanged, like Escape")
        }
        Command::File(FileCommand::OpenPreset(_)) => {
            ("Open preset", "Set up the experiment of this preset")
        }
        Command::File(FileCommand::DeletePreset(_)) => {
            ("Delete preset", "Move this preset to the trash")
        }
        Command::Library(LibraryCommand::Overwrite) => (
            "Overwrite",
            "Replace the file; its current content is saved as a version",
        ),
        Command::Library(LibraryCommand::OpenTheirs) => (
            "Open theirs",
            "Open the current content of the file beside this strategy",
        ),
        Command::Library(LibraryCommand::LeaveConflict) => ("Cancel", "Save nothing"),
        Command::Runs(RunsCommand::Open(_)) => {
            ("Open run", "Show its results and set up its experiment")
        }
        Command::Runs(RunsCommand::Delete(_)) => (
            "Delete run",
            "Move its folder to the trash of the runs folder",
        ),
        Command::Runs(RunsCommand::Pin(_)) => (
            "Pin",
            "Show its strategies beside those on screen, in one plot and one table",
        ),
        Command::Runs(RunsCommand::Unpin(_)) => (
            "Unpin",
            "Stop showing its strategies beside those on screen",
        ),
        Command::Runs(RunsCommand::UnpinAll) => {
            ("Unpin all", "Show only the strategies of the run on screen")
        }
        Command::Runs(RunsCommand::CopyPath(_)) => ("Copy path", "Copy the path of its folder"),
        Command::Solve(SolveCommand::Board(_)) => (
            "Solve",
            "Value every board that games can reach and save the table, for the Solved evaluator",
        ),
        Command::Solve(SolveCommand::Learn(_)) => (
            "Learn",
            "Count moves between feature states in games, then value the states until no value changes",
        ),
        Command::Solve(SolveCommand::KeepProcess(_)) => (
            "Save value iteration",
            "Save it in a file with this name, for the evaluator Policy",
        ),
        Command::Solve(SolveCommand::ShowProcess(_)) => {
            ("Show value iteration", "Show the states and their values")
        }
        Command::Solve(SolveCommand::DeleteKept(_)) => {
            ("Delete", "Move the file to the trash of its folder")
        }
        Command::Review(command) => review_rows::unlisted(command),
        Command::Experiment(ExperimentCommand::RollOutWith(_)) => (
            "Roll out",
            "Play games from each move, as a run with a histogram for each first move",
        ),
        Command::Learning(command) => learning(command),
        Command::Task(TaskCommand::Hold(_)) => ("Pause", "Pause or resume it"),
        Command::Task(TaskCommand::Stop(_)) => (
            "Stop",
            "Stop it, and keep the results so far where there are any",
        ),
        Command::Pin(PinCommand::Unpin(_)) => ("Unpin", "Remove the position from the set"),
        Command::Pin(PinCommand::Show { .. }) => ("Show position", "Put the position on the board"),
        Command::Pin(PinCommand::Choose(_)) => (
            "Choose set of positions",
            "Try edits on the positions of this set",
        ),
        Command::Pin(PinCommand::Rename(_)) => (
            "Rename set of positions",
            "Change the title of the selected set",
        ),
        _ => ("", ""),
    }
}

fn learning(command: &LearningCommand) -> (&'static str, &'static str) {
    match command {
        LearningCommand::Start { .. } => ("Start training", "Train this network from scratch"),
        LearningCommand::Resume { .. } => (
            "Resume training",
            "Play the remaining games, starting from the last checkpoint",
        ),
        LearningCommand::Pause(_) => (
            "Pause training",
            "Pause it and save a checkpoint; Resume continues it",
        ),
        LearningCommand::Stop(_) => (
            "Stop training",
            "Save a checkpoint and free the memory; Resume continues from it",
        ),
        LearningCommand::Checkpoint(_) => (
            "Checkpoint now",
            "Save the network and its training state before the next checkpoint",
        ),
        LearningCommand::Test { .. } => (
            "Test now",
            "Play games with a copy of the network as it is now; it learns nothing from them",
        ),
        LearningCommand::StopTest => (
            "Stop test",
            "Discard the games in play; finished games count",
        ),
        LearningCommand::Use(_) => (
            "Use in a strategy",
            "Open a strategy whose only row plays the move with the highest value of this network",
        ),
        LearningCommand::Delete(_) => (
            "Delete network",
            "Move its file to the trash of the networks folder",
        ),
        LearningCommand::Restore(_) => ("Restore network", "Restore its file from the trash"),
        LearningCommand::List => ("Refresh", "Read the networks folder again"),
        LearningCommand::Show(_) => (
            "Open",
            "Show its curve, tables and games in the Learning panel",
        ),
        LearningCommand::Pin(_) => (
            "Pin",
            "Compare it with the other pinned networks and show how their training differs",
        ),
        LearningCommand::Unpin(_) => ("Unpin", "Remove it from the comparison of pinned networks"),
    }
}

impl Command {
    /// Every listed command, menu by menu, for menus, search and shortcut sheet.
    pub fn all() -> impl ExactSizeIterator<Item = &'static Self> {
        TABLE.iter().map(|row| &row.command)
    }

    fn row(&self) -> Option<&'static CommandRow> {
        TABLE.iter().find(|row| row.command == *self)
    }

    pub fn text(&self) -> &'static str {
        self.row().map_or_else(|| unlisted(self).0, |row| &row.text)
    }

    /// What it does, without its key.
    pub fn about(&self) -> &'static str {
        self.row().map_or_else(|| unlisted(self).1, |row| row.about)
    }

    /// What it does, with its key: "Take back the last change (Ctrl Z)".
    pub fn tooltip(&self) -> String {
        match self.keys() {
            Some(keys) => format!("{} ({keys})", self.about()),
            None => self.about().to_owned(),
        }
    }

    /// Its menu.
    pub fn menu(&self) -> Option<Menu> {
        self.row().map(|row| row.menu)
    }

    /// Whether that menu lists it; if not, the menu of a panel does.
    pub fn is_listed(&self) -> bool {
        self.row().is_some_and(|row| row.is_listed)
    }

    /// Its main shortcut, as text.
    pub fn keys(&self) -> Option<String> {
        self.row()?.keys.first().map(keys_text)
    }

    pub fn all_keys(&self) -> Vec<String> {
        self.row()
            .into_iter()
            .flat_map(|row| &row.keys)
            .map(keys_text)
            .collect()
    }

    /// The submenu that lists it, if any.
    pub fn submenu(&self) -> Option<&'static str> {
        self.row()?.submenu
    }

    /// Whether a line separates it from the previous entry of its menu.
    pub fn begins_group(&self) -> bool {
        self.row().is_some_and(|row| row.begins_group)
    }

    /// Whether holding the key repeats it.
    pub fn repeats(&self) -> bool {
        self.row().is_some_and(|row| row.repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys::CTRL;
    use super::super::vocabulary::{TreeCommand, TreeView};
    use super::*;
    use crate::search::{SpawnRule, TreeFormat};

    #[test]
    fn no_two_commands_share_a_key_in_one_panel() {
        for panel in [None, Some(Panel::Strategy), Some(Panel::Tree)] {
            let here = TABLE.iter().filter(|row| row.only_in == panel);
            let mut keys: Vec<String> = here.flat_map(|row| &row.keys).map(keys_text).collect();
            assert!(!keys.is_empty());
            keys.sort();
            let all = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), all, "{panel:?}");
        }
    }

    #[test]
    fn every_listed_command_has_words_and_stands_once() {
        for (i, command) in Command::all().enumerate() {
            assert!(!command.text().is_empty() && !command.about().is_empty());
            assert!(!command.text().ends_with('.') && !command.about().ends_with('.'));
            assert!(
                Command::all().skip(i + 1).all(|other| other != command),
                "{command:?} is listed twice"
            );
        }
    }

    #[test]
    fn no_menu_is_higher_than_a_small_window() {
        for menu in Menu::iter() {
            let mut heights = std::collections::BTreeMap::<_, usize>::new();
            for row in TABLE.iter().filter(|row| row.menu == menu) {
                *heights.entry(row.submenu).or_default() += 1;
            }
            assert!(
                heights.values().all(|&rows| rows <= 34),
                "{menu:?}: {heights:?}"
            );
            let in_menus = heights.keys().flatten().count();
            let expected = match menu {
                Menu::Tree => tree_rows::MENUS.len(),
                Menu::View => 3,
                Menu::Board => 2,
                _ => 0,
            };
            assert_eq!(in_menus, expected, "{menu:?}");

            let mut submenus: Vec<_> = TABLE
                .iter()
                .filter(|row| row.menu == menu)
                .map(|row| row.submenu)
                .collect();
            submenus.dedup();
            assert_eq!(
                submenus.into_iter().flatten().count(),
                in_menus,
                "{menu:?} lists a submenu twice"
            );
        }
    }

    #[test]
    fn every_member_of_a_family_is_listed() {
        let listed =
            |command: Command| assert!(command.menu().is_some(), "{command:?} is in no menu");
        Panel::all().for_each(|panel| listed(ViewCommand::ShowPanel(panel).into()));
        Workspace::iter().for_each(|workspace| listed(ViewCommand::Workspace(workspace).into()));
        ThemeChoice::iter().for_each(|theme| listed(ViewCommand::Theme(theme).into()));
        SpawnRule::iter().for_each(|rule| listed(TreeCommand::Rule(rule).into()));
        TreeView::iter().for_each(|view| listed(TreeCommand::View(view).into()));
        TreeFormat::iter().for_each(|format| listed(TreeCommand::Save(format).into()));
        (1..=TreeCommand::MOST_PLIES).for_each(|ply| listed(TreeCommand::UnfoldTo(ply).into()));
    }

    #[test]
    fn keys_are_written_with_blanks() {
        assert_eq!(
            Command::Redo.all_keys(),
            [format!("{CTRL} Shift Z"), format!("{CTRL} Y")]
        );
        assert_eq!(
            Command::Undo.tooltip(),
            format!("Undo the last change ({CTRL} Z)")
        );
    }
}

//! The rows of the search tree in the table of commands.

use egui::{Key, KeyboardShortcut};

use super::keys::{alt, ctrl, ctrl_alt, plain, shift};
use super::row::{CommandRow, Menu};
use super::vocabulary::{Command, CompareCommand, TreeCommand, TreeView};
use crate::search::{SpawnRule, TreeFormat};

/// The submenus of the Tree menu, in order.
pub(super) const MENUS: [&str; 10] = [
    "Show as",
    "Zoom",
    "Navigate",
    "Fold",
    "Filter",
    "Node",
    "Chosen line",
    "Step through",
    "Compare",
    "Export",
];

/// A row of the Tree menu with a key.
fn tree(
    command: impl Into<Command>,
    text: &'static str,
    about: &'static str,
    key: KeyboardShortcut,
) -> CommandRow {
    Menu::Tree.row(command, text, about).key(key)
}

pub(super) fn views(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let bars = "Draw the search as bars; a bar's width is its probability";
    rows.extend([
        tree(
            C::View(TreeView::Tree),
            "Tree",
            "Draw the search as nodes and edges",
            plain(Key::T),
        ),
        tree(C::View(TreeView::Icicle), "Icicle", bars, plain(Key::I)),
        tree(
            C::View(TreeView::Columns),
            "Columns",
            "Show the search as tables, one for each ply",
            plain(Key::C),
        ),
        tree(
            C::View(TreeView::Plies),
            "Per ply",
            "Count what the search did on each ply",
            plain(Key::L),
        ),
        tree(C::Fit, "Fit", "Show all that is unfolded", plain(Key::F)).begins_group(),
        tree(
            C::FitSelection,
            "Fit selection",
            "Show the selected node and everything below it",
            shift(Key::F),
        ),
        tree(
            C::Reveal,
            "Go to selection",
            "Bring the selected node into view",
            plain(Key::Space),
        ),
        tree(C::ZoomIn, "Zoom in", "Larger nodes", plain(Key::Plus))
            .key(plain(Key::Equals))
            .repeats(),
        tree(C::ZoomOut, "Zoom out", "Smaller nodes", plain(Key::Minus)).repeats(),
        tree(
            C::Minimap,
            "Minimap",
            "Show or hide the whole tree in the corner",
            plain(Key::M),
        ),
    ]);
}

pub(super) fn walk(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let up = "Select the previous node under the same parent";
    let down = "Select the next node under the same parent";
    rows.extend([
        tree(
            C::Parent,
            "Parent",
            "Select the node above",
            plain(Key::ArrowLeft),
        )
        .begins_group()
        .repeats(),
        tree(
            C::Child,
            "Child",
            "Select the best child, or the first one",
            plain(Key::ArrowRight),
        )
        .repeats(),
        tree(
            C::PreviousSibling,
            "Previous sibling",
            up,
            plain(Key::ArrowUp),
        )
        .repeats(),
        tree(C::NextSibling, "Next sibling", down, plain(Key::ArrowDown)).repeats(),
        tree(
            C::Root,
            "Root",
            "Select the board at which the search started",
            plain(Key::Home),
        ),
        tree(
            C::Back,
            "Back",
            "Select the previously selected node",
            alt(Key::ArrowLeft),
        )
        .repeats(),
        tree(
            C::Forward,
            "Forward",
            "Select the node that was selected next",
            alt(Key::ArrowRight),
        )
        .repeats(),
        tree(
            C::Fold,
            "Fold",
            "Hide what is below the selected node",
            plain(Key::Backspace),
        )
        .begins_group(),
        tree(
            C::Unfold,
            "Unfold",
            "Show what is below the selected node",
            plain(Key::U),
        ),
    ]);

    let plies = [
        (Key::Num1, "Show the moves"),
        (Key::Num2, "Show one move and one spawn"),
        (Key::Num3, "Show 2 moves and 1 spawn"),
        (Key::Num4, "Show 2 moves and 2 spawns"),
        (Key::Num5, "Show 3 moves and 2 spawns"),
        (Key::Num6, "Show 3 moves and 3 spawns"),
        (Key::Num7, "Show 4 moves and 3 spawns"),
    ];
    rows.extend(
        plies
            .into_iter()
            .zip(1..=C::MOST_PLIES)
            .map(|((key, about), ply)| {
                Menu::Tree
                    .row(C::UnfoldTo(ply), format!("Unfold to ply {ply}"), about)
                    .key(plain(key))
            }),
    );

    let all = "Show every spawn of the selected node, or only the most important ones";
    rows.extend([
        tree(
            C::UnfoldAll,
            "Unfold everything",
            "Show every node of the record",
            plain(Key::Num9),
        ),
        tree(C::AllSpawns, "All spawns here", all, plain(Key::O)),
    ]);
}

pub(super) fn nodes(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let skipped = "Search below a cut, as if it were certainly reached, and report what changes; cuts further below stay";
    let on = "Search deeper from a leaf, a cut or a cached node with the strategy's cuts, and add the result to the tree";
    let uncut = "Decide again without cuts, and report what they changed";
    let stored = "Select the node that this value was copied from";
    rows.extend([
        tree(
            C::Find,
            "Filter…",
            "Find nodes: kind:cut depth>=3 reach<0.01",
            ctrl(Key::F),
        )
        .begins_group(),
        tree(
            C::NextMatch,
            "Next match",
            "Select the next node of the filter",
            plain(Key::F3),
        )
        .repeats(),
        tree(
            C::PreviousMatch,
            "Previous match",
            "Select the previous node of the filter",
            shift(Key::F3),
        )
        .repeats(),
        Menu::Tree.row(C::ClearFilter, "Clear filter", "Show all nodes alike again"),
        tree(
            C::ShowNode,
            "Show node",
            "Show the Node panel in front",
            plain(Key::N),
        )
        .begins_group(),
        tree(
            C::OpenOnBoard,
            "Open on the board",
            "Play to the selected node, in a new branch",
            plain(Key::B),
        ),
        tree(
            C::SearchSkipped,
            "Search what was skipped",
            skipped,
            plain(Key::X),
        ),
        tree(C::SearchOn, "Search deeper from here", on, shift(Key::X)),
        Menu::Tree.row(
            C::TakeBack,
            "Undo deeper search",
            "Remove the last added search from the tree",
        ),
        Menu::Tree.row(C::SearchUncut, "Search without cuts", uncut),
        tree(
            C::JumpToStored,
            "Go to the stored node",
            stored,
            plain(Key::J),
        ),
        Menu::Tree.row(
            C::CopyNode,
            "Copy position of the node",
            "Copy the selected board as text",
        ),
    ]);

    let line = |rule, text, about| Menu::Tree.row(C::Rule(rule), text, about);
    let likely = "The chosen line takes the most likely spawn at each chance node";
    rows.extend([
        line(SpawnRule::MostLikely, "Line: likeliest tiles", likely).begins_group(),
        line(
            SpawnRule::Median,
            "Line: median tiles",
            "The chosen line takes the spawn of median value at each chance node",
        ),
        line(
            SpawnRule::AsPlayed,
            "Line: played tiles",
            "The chosen line takes the spawns of the game",
        ),
    ]);
}

pub(super) fn steps(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let through = "Start or stop watching the search visit its nodes";
    let play = "Play the steps automatically, or pause";
    let cut = "Go to the next unsearched node";
    let change = "Go to the next point where another root move becomes the best";
    let second =
        "Compare with the search of a second strategy at the same position, or end the comparison";
    let next = "Go to the next position of the game where the two strategies choose differently";
    let previous = "Go to the previous position where the two strategies choose differently";
    rows.extend([
        tree(C::StepThrough, "Step through", through, plain(Key::P)).begins_group(),
        tree(C::ReplayPlay, "Play the search", play, shift(Key::Space)),
        tree(
            C::ReplayStep,
            "Step forward",
            "Go to the next node that the search enters or leaves",
            plain(Key::Period),
        )
        .repeats(),
        tree(
            C::ReplayBack,
            "Step back",
            "Go back by one step",
            plain(Key::Comma),
        )
        .repeats(),
        tree(
            C::ReplayOver,
            "Step over",
            "Go to the end of the subtree",
            plain(Key::G),
        )
        .repeats(),
        tree(
            C::ReplayOut,
            "Step out",
            "Go to the end of the parent",
            shift(Key::G),
        )
        .repeats(),
        tree(
            C::ReplayPreviousCut,
            "To the previous cut",
            "Go back to the last unsearched node",
            shift(Key::K),
        ),
        tree(C::ReplayNextCut, "To the next cut", cut, plain(Key::K)),
        tree(
            C::ReplayNextChange,
            "To the next change of best move",
            change,
            plain(Key::H),
        ),
        tree(
            C::ReplayBegin,
            "To the start of the search",
            "Go to the state before the first node",
            shift(Key::Home),
        ),
        tree(
            C::ReplayEnd,
            "To the end of the search",
            "Go to the state with the root's value",
            shift(Key::End),
        ),
        tree(C::Compare, "Compare", second, plain(Key::V)).begins_group(),
        tree(
            CompareCommand::NextDisagreement,
            "Next disagreement",
            next,
            ctrl_alt(Key::ArrowRight),
        ),
        tree(
            CompareCommand::PreviousDisagreement,
            "Previous disagreement",
            previous,
            ctrl_alt(Key::ArrowLeft),
        ),
    ]);
}

pub(super) fn files(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let row = |command, text, about| Menu::Tree.row(command, text, about);
    rows.extend([
        row(
            C::OpenFile,
            "Open tree…",
            "Show a tree that was exported as JSON",
        )
        .begins_group(),
        row(
            C::CloseFile,
            "Close the opened tree",
            "Show the search of the board again",
        ),
        row(
            C::Save(TreeFormat::Json),
            "Export tree as JSON…",
            "Save every node of the record, one per line",
        )
        .begins_group(),
        row(
            C::Save(TreeFormat::Csv),
            "Export tree as CSV…",
            "Save every node of the record, one per row",
        ),
        row(
            C::Save(TreeFormat::Dot),
            "Export tree as DOT…",
            "Save every node of the record, for Graphviz",
        ),
        row(
            C::Save(TreeFormat::Efg),
            "Export tree as EFG…",
            "Save a small tree as a game, for Gambit",
        ),
    ]);
}

//! The rows of the search tree in the table of commands.

use egui::{Key, KeyboardShortcut};

use super::keys::{alt, ctrl, ctrl_alt, plain, shift};
use super::row::{CommandRow, Menu};
use super::vocabulary::{Command, CompareCommand, TreeCommand, TreeView};
use crate::search::{SpawnRule, TreeFormat};

/// The submenus of the Tree menu, in order.
pub(super) const MENUS: [&str; 10] =
    ["Show as", "Zoom", "Walk", "Fold", "Filter", "Node", "Chosen line", "Step through", "Compare", "Export"];

/// A row of the Tree menu with a key.
fn tree(command: impl Into<Command>, text: &'static str, about: &'static str, key: KeyboardShortcut) -> CommandRow {
    Menu::Tree.row(command, text, about).key(key)
}

pub(super) fn views(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let bars = "Draw the search as bars, as wide as they are probable";
    rows.extend([
        tree(C::View(TreeView::Tree), "Tree", "Draw the search as nodes and edges", plain(Key::T)),
        tree(C::View(TreeView::Icicle), "Icicle", bars, plain(Key::I)),
        tree(C::View(TreeView::Columns), "Columns", "Show the search as tables, one for each ply", plain(Key::C)),
        tree(C::View(TreeView::Plies), "Per ply", "Count what the search did on each ply", plain(Key::L)),
        tree(C::Fit, "Fit", "Show all that is unfolded", plain(Key::F)).begins_group(),
        tree(C::FitSelection, "Fit selection", "Show the selected node and what is below", shift(Key::F)),
        tree(C::Reveal, "Go to selection", "Bring the selected node into view", plain(Key::Space)),
        tree(C::ZoomIn, "Zoom in", "Larger nodes", plain(Key::Plus)).key(plain(Key::Equals)).repeats(),
        tree(C::ZoomOut, "Zoom out", "Smaller nodes", plain(Key::Minus)).repeats(),
        tree(C::Minimap, "Minimap", "Show the whole tree in the corner, or do not", plain(Key::M)),
    ]);
}

pub(super) fn walk(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let up = "Select the node before, below the same one";
    let down = "Select the node after, below the same one";
    rows.extend([
        tree(C::Parent, "Parent", "Select the node above", plain(Key::ArrowLeft)).begins_group().repeats(),
        tree(C::Child, "Child", "Select the best or first node below", plain(Key::ArrowRight)).repeats(),
        tree(C::PreviousSibling, "Previous sibling", up, plain(Key::ArrowUp)).repeats(),
        tree(C::NextSibling, "Next sibling", down, plain(Key::ArrowDown)).repeats(),
        tree(C::Root, "Root", "Select the board the search began at", plain(Key::Home)),
        tree(C::Back, "Back", "Select what was selected before", alt(Key::ArrowLeft)).repeats(),
        tree(C::Forward, "Forward", "Select what was selected after", alt(Key::ArrowRight)).repeats(),
        tree(C::Fold, "Fold", "Hide what is below the selected node", plain(Key::Backspace)).begins_group(),
        tree(C::Unfold, "Unfold", "Show what is below the selected node", plain(Key::U)),
    ]);

    let plies = [
        (Key::Num1, "Show the moves"),
        (Key::Num2, "Show one move and one spawn"),
        (Key::Num3, "Show 2 moves and a spawn"),
        (Key::Num4, "Show 2 moves and 2 spawns"),
        (Key::Num5, "Show 3 moves and 2 spawns"),
        (Key::Num6, "Show 3 moves and 3 spawns"),
        (Key::Num7, "Show 4 moves and 3 spawns"),
    ];
    rows.extend(plies.into_iter().zip(1..=C::MOST_PLIES).map(|((key, about), ply)| {
        Menu::Tree.row(C::UnfoldTo(ply), format!("Unfold to ply {ply}"), about).key(plain(key))
    }));

    let all = "Show every spawn of the selected node, or only the ones that say most";
    rows.extend([
        tree(C::UnfoldAll, "Unfold everything", "Show every node of the record", plain(Key::Num9)),
        tree(C::AllSpawns, "All spawns here", all, plain(Key::O)),
    ]);
}

pub(super) fn nodes(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let skipped =
        "Search below a cut, as if it were reached for certain, and say what that changes: cuts further below stay";
    let on = "Search deeper from a leaf, a cut or a cached node, with the cuts of the strategy, and put what is found into the tree";
    let uncut = "Decide once more without the cuts, and say what they changed";
    let stored = "Select the node whose value was taken";
    rows.extend([
        tree(C::Find, "Filter…", "Find nodes: kind:cut depth>=3 reach<0.01", ctrl(Key::F)).begins_group(),
        tree(C::NextMatch, "Next match", "Select the next node of the filter", plain(Key::F3)).repeats(),
        tree(C::PreviousMatch, "Previous match", "Select the node of the filter before", shift(Key::F3)).repeats(),
        Menu::Tree.row(C::ClearFilter, "Clear filter", "Show every node alike again"),
        tree(C::ShowNode, "Show node", "Bring the sheet of the selected node to the front", plain(Key::N))
            .begins_group(),
        tree(C::OpenOnBoard, "Open on the board", "Play to the selected node, as a branch", plain(Key::B)),
        tree(C::SearchSkipped, "Search what was skipped", skipped, plain(Key::X)),
        tree(C::SearchOn, "Search on from here", on, shift(Key::X)),
        Menu::Tree.row(C::TakeBack, "Take back what was searched on", "Take the last search out of the tree again"),
        Menu::Tree.row(C::SearchUncut, "Search without cuts", uncut),
        tree(C::JumpToStored, "Go to the stored node", stored, plain(Key::J)),
        Menu::Tree.row(C::CopyNode, "Copy position of the node", "Copy the selected board as text"),
    ]);

    let line = |rule, text, about| Menu::Tree.row(C::Rule(rule), text, about);
    let likely = "The chosen line takes the most likely spawn";
    rows.extend([
        line(SpawnRule::MostLikely, "Line: most likely spawns", likely).begins_group(),
        line(SpawnRule::Median, "Line: median spawns", "The chosen line takes the spawn of median value"),
        line(SpawnRule::AsPlayed, "Line: spawns as played", "The chosen line takes the spawns that came in the game"),
    ]);
}

pub(super) fn steps(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let through = "Watch the search visit its nodes, or stop watching";
    let play = "Let the steps go on by themselves, or halt";
    let cut = "To the next node that is not searched";
    let change = "To where another root move becomes the best";
    let second = "The same position under a second strategy, or no longer";
    let next = "Go to the next position of the game where the two choose differently";
    let previous = "Go to the position before where the two choose differently";
    rows.extend([
        tree(C::StepThrough, "Step through", through, plain(Key::P)).begins_group(),
        tree(C::ReplayPlay, "Play the search", play, shift(Key::Space)),
        tree(C::ReplayStep, "Step forward", "The next node the search enters or leaves", plain(Key::Period)).repeats(),
        tree(C::ReplayBack, "Step back", "The instant before", plain(Key::Comma)).repeats(),
        tree(C::ReplayOver, "Step over", "To the end of the subtree", plain(Key::G)).repeats(),
        tree(C::ReplayOut, "Step out", "To the end of the node above", shift(Key::G)).repeats(),
        tree(C::ReplayPreviousCut, "To the previous cut", "Back to the last node that was not searched", shift(Key::K)),
        tree(C::ReplayNextCut, "To the next cut", cut, plain(Key::K)),
        tree(C::ReplayNextChange, "To the next change of mind", change, plain(Key::H)),
        tree(C::ReplayBegin, "To the start of the search", "Before the first node is entered", shift(Key::Home)),
        tree(C::ReplayEnd, "To the end of the search", "The root has its value", shift(Key::End)),
        tree(C::Compare, "Compare", second, plain(Key::V)).begins_group(),
        tree(CompareCommand::NextDisagreement, "Next disagreement", next, ctrl_alt(Key::ArrowRight)),
        tree(CompareCommand::PreviousDisagreement, "Previous disagreement", previous, ctrl_alt(Key::ArrowLeft)),
    ]);
}

pub(super) fn files(rows: &mut Vec<CommandRow>) {
    use TreeCommand as C;
    let row = |command, text, about| Menu::Tree.row(command, text, about);
    rows.extend([
        row(C::OpenFile, "Open tree…", "Show a tree that was exported as JSON").begins_group(),
        row(C::CloseFile, "Close the opened tree", "Show the search of the board again"),
        row(C::Save(TreeFormat::Json), "Export tree as JSON…", "Every node of the record, one a line").begins_group(),
        row(C::Save(TreeFormat::Csv), "Export tree as CSV…", "Every node of the record, one a row"),
        row(C::Save(TreeFormat::Dot), "Export tree as DOT…", "Every node of the record, for Graphviz"),
        row(C::Save(TreeFormat::Efg), "Export tree as EFG…", "A small tree as a game, for Gambit"),
    ]);
}

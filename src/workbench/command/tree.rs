//! What can be done with the search tree. Panels of the tree do it themselves, see `panels::tree::inspection`.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::{Entry, Menu, alt, ctrl, plain};
use crate::search::{SpawnRule, TreeFormat};
use crate::workbench::layout::Panel;

/// Something a person can ask of the search tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeCommand {
    // Views
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
    JumpToStored,
    ShowNode,
    // The line
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
    // Compare
    Compare,
    NextDisagreement,
    PreviousDisagreement,
    // Export
    SavePng,
    SaveSvg,
    Save(TreeFormat),
    CopyNode,
}

/// How the tree is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TreeView {
    #[default]
    Tree,
    /// Bars below bars; the width is how probable it is to come there.
    Icicle,
    /// A table for each level.
    Columns,
}

impl TreeView {
    /// All of them, in the order of the switch.
    pub const ALL: [Self; 3] = [Self::Tree, Self::Icicle, Self::Columns];

    /// The words of the switch.
    pub fn text(self) -> &'static str {
        match self {
            Self::Tree => "Tree",
            Self::Icicle => "Icicle",
            Self::Columns => "Columns",
        }
    }
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn ctrl_alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers { alt: true, ctrl: false, shift: false, mac_cmd: false, command: true }, key)
}

impl TreeCommand {
    /// Most plies that a key unfolds to.
    pub const MOST_PLIES: u8 = 7;

    /// Every command, in the order of the menu.
    pub const ALL: &'static [Self] = &[
        Self::View(TreeView::Tree),
        Self::View(TreeView::Icicle),
        Self::View(TreeView::Columns),
        Self::Fit,
        Self::FitSelection,
        Self::Reveal,
        Self::ZoomIn,
        Self::ZoomOut,
        Self::Minimap,
        Self::Parent,
        Self::Child,
        Self::PreviousSibling,
        Self::NextSibling,
        Self::Root,
        Self::Back,
        Self::Forward,
        Self::Fold,
        Self::Unfold,
        Self::UnfoldTo(1),
        Self::UnfoldTo(2),
        Self::UnfoldTo(3),
        Self::UnfoldTo(4),
        Self::UnfoldTo(5),
        Self::UnfoldTo(6),
        Self::UnfoldTo(7),
        Self::UnfoldAll,
        Self::AllSpawns,
        Self::Find,
        Self::NextMatch,
        Self::PreviousMatch,
        Self::ClearFilter,
        Self::ShowNode,
        Self::OpenOnBoard,
        Self::SearchSkipped,
        Self::JumpToStored,
        Self::CopyNode,
        Self::Rule(SpawnRule::MostLikely),
        Self::Rule(SpawnRule::Median),
        Self::Rule(SpawnRule::AsPlayed),
        Self::StepThrough,
        Self::ReplayPlay,
        Self::ReplayStep,
        Self::ReplayBack,
        Self::ReplayOver,
        Self::ReplayOut,
        Self::ReplayPreviousCut,
        Self::ReplayNextCut,
        Self::ReplayNextChange,
        Self::ReplayBegin,
        Self::ReplayEnd,
        Self::Compare,
        Self::NextDisagreement,
        Self::PreviousDisagreement,
        Self::SavePng,
        Self::SaveSvg,
        Self::Save(TreeFormat::Json),
        Self::Save(TreeFormat::Csv),
        Self::Save(TreeFormat::Dot),
        Self::Save(TreeFormat::Efg),
    ];

    /// The keys work while the panel of the tree has the focus, but for those with Ctrl.
    pub(super) fn entry(self) -> Entry {
        let e = |text, about, keys: &'static [KeyboardShortcut]| {
            let only_in = keys.iter().all(|key| !key.modifiers.command).then_some(Panel::Tree);
            Entry { text, about, menu: Some(Menu::Tree), keys, only_in }
        };
        match self {
            Self::View(TreeView::Tree) => e("Tree", "Draw the search as nodes and edges", const { &[plain(Key::T)] }),
            Self::View(TreeView::Icicle) => {
                e("Icicle", "Draw the search as bars, as wide as they are probable", const { &[plain(Key::I)] })
            }
            Self::View(TreeView::Columns) => {
                e("Columns", "Show the search as tables, one for each ply", const { &[plain(Key::C)] })
            }
            Self::Fit => e("Fit", "Show all that is unfolded", const { &[plain(Key::F)] }),
            Self::FitSelection => {
                e("Fit selection", "Show the selected node and what is below", const { &[shift(Key::F)] })
            }
            Self::Reveal => e("Go to selection", "Bring the selected node into view", const { &[plain(Key::Space)] }),
            Self::ZoomIn => e("Zoom in", "Larger nodes", const { &[plain(Key::Plus), plain(Key::Equals)] }),
            Self::ZoomOut => e("Zoom out", "Smaller nodes", const { &[plain(Key::Minus)] }),
            Self::Minimap => e("Minimap", "Show the whole tree in the corner, or do not", const { &[plain(Key::M)] }),

            Self::Parent => e("Parent", "Select the node above", const { &[plain(Key::ArrowLeft)] }),
            Self::Child => e("Child", "Select the best or first node below", const { &[plain(Key::ArrowRight)] }),
            Self::PreviousSibling => {
                e("Previous sibling", "Select the node before, below the same one", const { &[plain(Key::ArrowUp)] })
            }
            Self::NextSibling => {
                e("Next sibling", "Select the node after, below the same one", const { &[plain(Key::ArrowDown)] })
            }
            Self::Root => e("Root", "Select the board the search began at", const { &[plain(Key::Home)] }),
            Self::Back => e("Back", "Select what was selected before", const { &[alt(Key::ArrowLeft)] }),
            Self::Forward => e("Forward", "Select what was selected after", const { &[alt(Key::ArrowRight)] }),

            Self::Fold => e("Fold", "Hide what is below the selected node", const { &[plain(Key::Backspace)] }),
            Self::Unfold => e("Unfold", "Show what is below the selected node", const { &[plain(Key::U)] }),
            Self::UnfoldTo(ply) => match ply {
                0 | 1 => e("Unfold to ply 1", "Show the slides", const { &[plain(Key::Num1)] }),
                2 => e("Unfold to ply 2", "Show one slide and one spawn", const { &[plain(Key::Num2)] }),
                3 => e("Unfold to ply 3", "Show 2 moves and a spawn", const { &[plain(Key::Num3)] }),
                4 => e("Unfold to ply 4", "Show 2 moves and 2 spawns", const { &[plain(Key::Num4)] }),
                5 => e("Unfold to ply 5", "Show 3 moves and 2 spawns", const { &[plain(Key::Num5)] }),
                6 => e("Unfold to ply 6", "Show 3 moves and 3 spawns", const { &[plain(Key::Num6)] }),
                _ => e("Unfold to ply 7", "Show 4 moves and 3 spawns", const { &[plain(Key::Num7)] }),
            },
            Self::UnfoldAll => e("Unfold everything", "Show every node of the record", const { &[plain(Key::Num9)] }),
            Self::AllSpawns => e(
                "All spawns here",
                "Show every spawn of the selected node, or only the ones that say most",
                const { &[plain(Key::O)] },
            ),

            Self::Find => e("Filter…", "Find nodes: kind:cut depth>=3 reach<0.01", const { &[ctrl(Key::F)] }),
            Self::NextMatch => e("Next match", "Select the next node of the filter", const { &[plain(Key::F3)] }),
            Self::PreviousMatch => {
                e("Previous match", "Select the node of the filter before", const { &[shift(Key::F3)] })
            }
            Self::ClearFilter => e("Clear filter", "Show every node alike again", &[]),

            Self::ShowNode => {
                e("Show node", "Bring the sheet of the selected node to the front", const { &[plain(Key::N)] })
            }
            Self::OpenOnBoard => {
                e("Open on the board", "Play to the selected node, as a branch", const { &[plain(Key::B)] })
            }
            Self::SearchSkipped => e(
                "Search what was skipped",
                "Search below a cut and say whether it changes the decision",
                const { &[plain(Key::X)] },
            ),
            Self::JumpToStored => {
                e("Go to the stored node", "Select the node whose value was taken", const { &[plain(Key::J)] })
            }
            Self::CopyNode => e("Copy position of the node", "Copy the selected board as text", &[]),

            Self::Rule(SpawnRule::MostLikely) => {
                e("Line: most likely spawns", "The chosen line takes the most likely spawn", &[])
            }
            Self::Rule(SpawnRule::Median) => {
                e("Line: median spawns", "The chosen line takes the spawn of median value", &[])
            }
            Self::Rule(SpawnRule::AsPlayed) => {
                e("Line: spawns as played", "The chosen line takes the spawns that came in the game", &[])
            }

            Self::StepThrough => {
                e("Step through", "Watch the search visit its nodes, or stop watching", const { &[plain(Key::P)] })
            }
            Self::ReplayPlay => {
                e("Play the search", "Let the steps go on by themselves, or halt", const { &[shift(Key::Space)] })
            }
            Self::ReplayStep => {
                e("Step forward", "The next node the search enters or leaves", const { &[plain(Key::Period)] })
            }
            Self::ReplayBack => e("Step back", "The instant before", const { &[plain(Key::Comma)] }),
            Self::ReplayOver => e("Step over", "To the end of the subtree", const { &[plain(Key::G)] }),
            Self::ReplayOut => e("Step out", "To the end of the node above", const { &[shift(Key::G)] }),
            Self::ReplayPreviousCut => {
                e("To the previous cut", "Back to the last node that was not searched", const { &[shift(Key::K)] })
            }
            Self::ReplayNextCut => {
                e("To the next cut", "To the next node that is not searched", const { &[plain(Key::K)] })
            }
            Self::ReplayNextChange => e(
                "To the next change of mind",
                "To where another root move becomes the best",
                const { &[plain(Key::H)] },
            ),
            Self::ReplayBegin => {
                e("To the start of the search", "Before the first node is entered", const { &[shift(Key::Home)] })
            }
            Self::ReplayEnd => e("To the end of the search", "The root has its value", const { &[shift(Key::End)] }),

            Self::Compare => {
                e("Compare", "The same position under a second strategy, or no longer", const { &[plain(Key::V)] })
            }
            Self::NextDisagreement => e(
                "Next disagreement",
                "Go to the next position of the game where the two choose differently",
                const { &[ctrl_alt(Key::ArrowRight)] },
            ),
            Self::PreviousDisagreement => e(
                "Previous disagreement",
                "Go to the position before where the two choose differently",
                const { &[ctrl_alt(Key::ArrowLeft)] },
            ),

            Self::SavePng => e("Export picture as PNG…", "What is shown, as pixels", &[]),
            Self::SaveSvg => e("Export picture as SVG…", "What is shown, as a drawing", &[]),
            Self::Save(TreeFormat::Json) => e("Export tree as JSON…", "Every node of the record, one a line", &[]),
            Self::Save(TreeFormat::Csv) => e("Export tree as CSV…", "Every node of the record, one a row", &[]),
            Self::Save(TreeFormat::Dot) => e("Export tree as DOT…", "Every node of the record, for Graphviz", &[]),
            Self::Save(TreeFormat::Efg) => e("Export tree as EFG…", "A small tree as a game, for Gambit", &[]),
        }
    }

    /// Whether a line stands above it in the menu.
    pub(super) fn begins_group(self) -> bool {
        matches!(
            self,
            Self::Fit
                | Self::Parent
                | Self::Fold
                | Self::Find
                | Self::ShowNode
                | Self::Rule(SpawnRule::MostLikely)
                | Self::StepThrough
                | Self::Compare
                | Self::SavePng
        )
    }

    /// Whether it goes from node to node, or from instant to instant.
    pub fn walks(self) -> bool {
        self.repeats() || matches!(self, Self::Root | Self::Fold | Self::Unfold)
    }

    /// Whether a held key does it again and again.
    pub(super) fn repeats(self) -> bool {
        matches!(
            self,
            Self::Parent
                | Self::Child
                | Self::PreviousSibling
                | Self::NextSibling
                | Self::Back
                | Self::Forward
                | Self::ZoomIn
                | Self::ZoomOut
                | Self::NextMatch
                | Self::PreviousMatch
                | Self::ReplayStep
                | Self::ReplayBack
                | Self::ReplayOver
                | Self::ReplayOut
        )
    }
}

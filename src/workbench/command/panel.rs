//! The panels and workspaces of the window.

use egui::{Id, Key, KeyboardShortcut};
use serde::{Deserialize, Serialize};
use strum::EnumIter;

use super::keys::{ctrl, ctrl_alt, ctrl_shift};

/// A panel of the window; each exists exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Panel {
    Board,
    /// The strategy's evaluation of each move.
    Decision,
    /// The rows of the strategy, with the palette.
    Strategy,
    /// The run and its plots.
    Experiment,
    /// The table of the run.
    Results,
    /// The games of the brushed bar.
    Games,
    Presets,
    /// The search that chose the move.
    Tree,
    /// Details of the selected tree node.
    Node,
    /// Why one root move is better than another.
    Why,
    /// Building blocks of rows.
    Palette,
    /// Saved strategies: the user's own and shipped ones.
    Library,
    /// Details of the selected row.
    Row,
    /// The strategy as text, and its changes.
    Text,
    /// What each row did over many games.
    Evidence,
    /// Orders of the rows that decide alike.
    Orders,
    /// Positions that test an edit.
    Pinned,
    /// Two strategies side by side.
    Compare,
    /// The runs on disk.
    Runs,
    /// Exact solutions of small boards, and value iteration over features.
    Solve,
    /// Networks: training, curves and content.
    Learning,
    /// The decision at every depth, or at each value of another number of the strategy.
    Depths,
    /// Where the current game was lost, and by how much luck.
    Review,
    /// The lines of best play, and the expectations at their ends.
    BestPlay,
    /// Choose moves before the judge's answer is shown.
    Practice,
    /// The moves of the current game, with their losses.
    Moves,
    /// The judge's search of the current position.
    JudgeTree,
    /// The moves of the reviewed game with the largest losses.
    Worst,
    /// Where a strategy loses, over the games of a run.
    ReviewedGames,
    /// Where two strategies choose differently, and what the difference is worth.
    SecondOpinion,
    /// The risk of losing along the current game.
    Survival,
    /// The result of the last rerun of an edited strategy.
    Rerun,
}

/// Each panel with its title, its shortcut if any, and its stretch.
const PANELS: [(Panel, &str, Option<KeyboardShortcut>, u8); 32] = [
    (Panel::Board, "Board", Some(ctrl(Key::Num1)), 4),
    (Panel::Decision, "Decision", Some(ctrl(Key::Num2)), 4),
    (Panel::Strategy, "Strategy", Some(ctrl(Key::Num3)), 3),
    (Panel::Experiment, "Experiment", Some(ctrl(Key::Num4)), 7),
    (Panel::Results, "Results", Some(ctrl(Key::Num5)), 6),
    (Panel::Games, "Games", Some(ctrl(Key::Num6)), 5),
    (Panel::Presets, "Presets", Some(ctrl(Key::Num7)), 2),
    (Panel::Tree, "Search tree", Some(ctrl(Key::Num8)), 10),
    (Panel::Node, "Node", Some(ctrl(Key::Num9)), 3),
    (Panel::Why, "Why", Some(ctrl_shift(Key::E)), 9),
    (Panel::Palette, "Palette", Some(ctrl_shift(Key::A)), 2),
    (Panel::Library, "Library", Some(ctrl_shift(Key::L)), 2),
    (Panel::Row, "Row", Some(ctrl_shift(Key::R)), 3),
    (Panel::Text, "Text", Some(ctrl_shift(Key::T)), 3),
    (Panel::Evidence, "Evidence", Some(ctrl_shift(Key::V)), 3),
    (Panel::Orders, "Orders", Some(ctrl_shift(Key::O)), 3),
    (
        Panel::Pinned,
        "Pinned positions",
        Some(ctrl_shift(Key::P)),
        4,
    ),
    (Panel::Compare, "Compare", Some(ctrl_shift(Key::D)), 4),
    (Panel::Runs, "Runs", Some(ctrl_shift(Key::H)), 6),
    (Panel::Solve, "Solve", Some(ctrl_shift(Key::M)), 4),
    (Panel::Learning, "Learning", Some(ctrl_shift(Key::N)), 7),
    (Panel::Depths, "Depths", Some(ctrl_shift(Key::Y)), 6),
    (Panel::Review, "Review", Some(ctrl_shift(Key::G)), 6),
    (Panel::BestPlay, "Best play", Some(ctrl_shift(Key::B)), 6),
    (Panel::Practice, "Practice", Some(ctrl_shift(Key::U)), 4),
    (Panel::Moves, "Moves", Some(ctrl_shift(Key::K)), 5),
    (
        Panel::JudgeTree,
        "Judge's tree",
        Some(ctrl_shift(Key::J)),
        8,
    ),
    (Panel::Worst, "Worst moves", Some(ctrl_shift(Key::W)), 5),
    (Panel::ReviewedGames, "Games of a run", None, 5),
    (Panel::SecondOpinion, "Second opinion", None, 5),
    (Panel::Survival, "Survival", None, 5),
    (Panel::Rerun, "Last rerun", None, 6),
];

impl Panel {
    pub fn all() -> impl Iterator<Item = Self> {
        PANELS.iter().map(|facts| facts.0)
    }

    fn facts(self) -> (Self, &'static str, Option<KeyboardShortcut>, u8) {
        PANELS[self as usize]
    }

    /// Whether the menu lists it among the panels of a review.
    pub(super) fn is_of_review(self) -> bool {
        self.reviews()
            || matches!(
                self,
                Self::ReviewedGames | Self::SecondOpinion | Self::Survival | Self::Practice
            )
    }

    /// Whether it belongs to the review of the current game, so that its keys move along the game.
    pub(super) fn reviews(self) -> bool {
        matches!(
            self,
            Self::Review | Self::Moves | Self::Worst | Self::JudgeTree | Self::Rerun
        )
    }

    /// Its focus area: [`super::super::kit::focus::area`].
    pub fn area(self) -> Id {
        Id::unique(("panel", self))
    }

    pub fn title(self) -> &'static str {
        self.facts().1
    }

    pub(super) fn key(self) -> Option<KeyboardShortcut> {
        self.facts().2
    }

    /// Its share of a change of the window size, relative to its neighbors.
    pub(crate) fn stretch(self) -> u8 {
        self.facts().3
    }
}

/// A place next to another panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum DockPlace {
    Left,
    Right,
    Above,
    Below,
    /// In the same tab bar, in front.
    Tab,
}

impl DockPlace {
    pub fn text(self) -> &'static str {
        match self {
            Self::Left => "To the left of",
            Self::Right => "To the right of",
            Self::Above => "Above",
            Self::Below => "Below",
            Self::Tab => "As a tab of",
        }
    }
}

/// A task of the user; each workspace shows the panels for it and saves its own arrangement.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
)]
pub enum Workspace {
    /// Everything at once: the game, its search, the strategy, the experiment.
    #[default]
    Overview,
    /// The strategy: palette, rows, the selection, and the effect of an edit.
    Build,
    /// The search: its tree as large as possible, the node next to it, why below.
    Search,
    /// The experiment: its plot as large as possible, results and games below.
    Experiment,
    /// Where the current game was lost.
    Review,
    /// Training of a network, with the board and the strategy that use it.
    Learn,
}

impl Workspace {
    pub fn title(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Build => "Build",
            Self::Search => "Search",
            Self::Experiment => "Experiment",
            Self::Review => "Review",
            Self::Learn => "Learn",
        }
    }

    /// The panel with the initial focus.
    pub fn main(self) -> Panel {
        match self {
            Self::Overview => Panel::Board,
            Self::Build => Panel::Strategy,
            Self::Search => Panel::Tree,
            Self::Experiment => Panel::Experiment,
            Self::Review => Panel::Review,
            Self::Learn => Panel::Learning,
        }
    }

    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Overview => "The game, its search, the strategy and the experiment together",
            Self::Build => "Edit a strategy and see what the edit changes",
            Self::Search => "Explore the search tree that chose the move",
            Self::Experiment => "Play many games and compare their scores",
            Self::Review => "Find the moves that lost the game",
            Self::Learn => "Train a network and play with it",
        }
    }

    pub(super) fn key(self) -> KeyboardShortcut {
        const KEYS: [Key; 6] = [
            Key::Num1,
            Key::Num2,
            Key::Num3,
            Key::Num4,
            Key::Num5,
            Key::Num6,
        ];
        ctrl_alt(KEYS[self as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_facts_stand_in_the_order_of_the_panels() {
        assert!(
            Panel::all()
                .enumerate()
                .all(|(place, panel)| panel as usize == place && panel.facts().0 == panel)
        );
    }
}

//! What can be done with two strategies: the edited one against what it was, and one against another.

use egui::Key;

use super::{Entry, Menu, ctrl};
use crate::game::Record;
use crate::strategy::Strategy;

/// Something a person can ask of two strategies.
#[derive(Clone, Debug, PartialEq)]
pub enum VersusCommand {
    TestAgainstPrevious,
    CompareWithPrevious,
    // With data, so in no list
    /// Sets this strategy beside the one that plays; opens it if it is not open.
    Beside(Box<Strategy>),
    /// Puts a game on the board after so many moves, with another one as a branch where the two part.
    ShowGame {
        record: Box<Record>,
        moves: u32,
        branch: Option<Box<Record>>,
        title: String,
    },
}

impl VersusCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[Self::TestAgainstPrevious, Self::CompareWithPrevious];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about, keys| Entry { text, about, menu: Some(Menu::Strategy), keys, only_in: None };
        match self {
            Self::TestAgainstPrevious => e(
                "Test against previous",
                "Play the edited strategy and what it was before on the same seeds, and compare",
                const { &[ctrl(Key::T)] },
            ),
            Self::CompareWithPrevious => e(
                "Compare with previous",
                "Set what the strategy was before beside it, decision by decision",
                const { &[] },
            ),
            Self::Beside(_) => Entry::silent("Set beside", "Compare the strategy that plays with this one"),
            Self::ShowGame { .. } => Entry::silent("Show game", "Put this game on the board"),
        }
    }
}

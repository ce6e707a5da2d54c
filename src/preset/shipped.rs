//! The presets that come with the program, inside the binary.

use super::{Entry, Preset, PresetError, Published};
use crate::game::Rules;
use crate::strategy::Strategy;

/// A preset of the folder `presets/`, as its file stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the file without `.ron`, as `afterstate run` takes it.
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(Shipped { name: $name, text: include_str!(concat!("../../presets/", $name, ".ron")) }),*]
    };
}

impl Shipped {
    /// All of them; the quick one first.
    pub const ALL: &[Self] = shipped![
        "quick-start",
        "composition-table-1",
        "composition-table-2",
        "composition-table-1-inert",
        "composition-all-65",
        "solver-expectimax",
        "solver-alpha-beta",
        "solver-third-level",
        "solver-mixes",
        "tutorial",
        "course-table-1",
        "course-table-2",
        "course-table-3",
        "assignment-table-1",
        "assignment-table-2",
        "xiao",
    ];

    /// The shipped preset of this name; `.ron` may follow.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".ron").unwrap_or(name);
        Self::ALL.iter().copied().find(|shipped| shipped.name == name)
    }

    /// What a publication reports for a strategy under these rules, if one of the shipped presets knows: the first of
    /// them whose entry plays the same under the same name.
    pub fn published(strategy: &Strategy, rules: Rules) -> Option<Published> {
        let same =
            |entry: &Entry| entry.strategy.hash() == strategy.hash() && entry.strategy.label() == strategy.label();
        let presets = Self::ALL.iter().filter_map(|shipped| shipped.preset().ok());
        presets
            .filter(|preset| preset.rules == rules)
            .flat_map(|preset| preset.strategies)
            .find(|entry| same(entry) && entry.published.is_some())?
            .published
    }

    /// The preset; no error in a program whose tests pass: they read every shipped file.
    pub fn preset(self) -> Result<Preset, PresetError> {
        Preset::from_text(self.text)
    }
}

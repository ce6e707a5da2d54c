//! The presets that come with the program, inside the binary.

use super::{Preset, PresetError};

/// A preset of the folder `presets/`, as its file stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name of the file without `.ron`, as `afterstate run` takes it.
    pub name: &'static str,
    /// The file.
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
    ];

    /// The shipped preset of this name; `.ron` may follow.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".ron").unwrap_or(name);
        Self::ALL.iter().copied().find(|shipped| shipped.name == name)
    }

    /// The preset, read.
    ///
    /// # Errors
    /// Never for a program whose tests pass: every shipped file is read by them.
    pub fn preset(self) -> Result<Preset, PresetError> {
        Preset::from_text(self.text)
    }
}

//! The shipped trainings, and reading those of files.

use super::Training;
use crate::ron_text::{self, Mistake};

/// A shipped training.
#[derive(Clone, Copy, Debug)]
pub struct ShippedTraining {
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(ShippedTraining {
            name: $name,
            text: include_str!(concat!("../../presets/trainings/", $name, ".ron")),
        }),*]
    };
}

impl ShippedTraining {
    /// All of them, the shortest first.
    pub const ALL: &[Self] = shipped![
        "train-17x4",
        "train-4x5",
        "train-4x6",
        "train-reference-strong",
        "train-4x6-stages",
        "train-4x6-optimistic",
        "train-8x6-optimistic"
    ];

    /// The training of the network that replaces the shipped one, because its name is `reference`.
    pub const STRONG: &str = "train-reference-strong";

    /// The training with this name; `.ron` is optional.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".ron").unwrap_or(name);
        Self::ALL
            .iter()
            .copied()
            .find(|shipped| shipped.name == name)
    }

    /// The training. It cannot fail in a tested program: the tests read every shipped file.
    pub fn training(self) -> Result<Training, Mistake> {
        read(self.text)
    }
}

/// Reads `Training(…)`.
pub fn read(text: &str) -> Result<Training, Mistake> {
    ron_text::read(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_trainings_read_and_can_be_run() {
        for shipped in ShippedTraining::ALL {
            let training = shipped
                .training()
                .unwrap_or_else(|mistake| panic!("{}: {mistake:?}", shipped.name));
            assert_eq!(training.problems(), [], "{}", shipped.name);
            assert!(
                !training.title.is_empty() && !training.note.is_empty(),
                "{}",
                shipped.name
            );
            let text = ron_text::pretty(&training, 2).expect("text");
            assert_eq!(
                read(&text).ok().as_ref(),
                Some(&training),
                "{}",
                shipped.name
            );
        }
    }
}

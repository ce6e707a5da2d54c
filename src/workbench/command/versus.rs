//! What can be done with two strategies: the edited one against what it was, and one against another.

use super::{Entry, Menu};

/// Something a person can ask of two strategies.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "`text` and `about` of the command say what each of them does")]
pub enum VersusCommand {
    TestAgainstPrevious,
}

impl VersusCommand {
    /// Those without data: what menus, search and shortcut sheet list.
    pub(super) const ALL: &'static [Self] = &[Self::TestAgainstPrevious];

    pub(super) fn entry(&self) -> Entry {
        let e = |text, about| Entry { text, about, menu: Some(Menu::Strategy), keys: &[], only_in: None };
        match self {
            Self::TestAgainstPrevious => e(
                "Test against previous",
                "Play the edited strategy and what it was before on the same seeds, and compare",
            ),
        }
    }
}

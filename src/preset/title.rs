//! The automatic title of an experiment, from its strategies.

use super::{Entry, Preset, Shipped};
use crate::words;

/// Suffix of the title of a shipped preset after some of its strategies were replaced.
const EDITED: &str = " (edited)";

impl Preset {
    /// The title of an experiment without strategies.
    pub const NEW: &str = "New experiment";

    /// A title made of the names of the strategies: `emr against gu`.
    pub fn proposed_title(&self) -> String {
        let names: Vec<String> = self
            .strategies
            .iter()
            .map(|entry| entry.strategy.label())
            .collect();
        match names.as_slice() {
            [] => Self::NEW.to_owned(),
            [one, other] => format!("{one} against {other}"),
            [first, second, _, _, ..] => format!("{first}, {second} and {} more", names.len() - 2),
            few => words::list(few),
        }
    }

    /// Whether the user chose the title: it is neither a proposed nor a shipped one.
    pub fn is_named(&self) -> bool {
        !self.is_titled_by_itself() && shipped_as(&self.title).is_none()
    }

    /// The title after the strategies of `before` were edited. A title that the user did not choose follows them.
    pub fn title_after(&self, before: &Self) -> String {
        if before.is_titled_by_itself() {
            return self.proposed_title();
        }
        let Some(shipped) = shipped_as(&before.title) else {
            return self.title.clone();
        };
        let is_shipped = |entry: &Entry| {
            shipped
                .strategies
                .iter()
                .any(|other| other.strategy == entry.strategy)
        };
        if self
            .strategies
            .iter()
            .map(|entry| &entry.strategy)
            .eq(shipped.strategies.iter().map(|entry| &entry.strategy))
        {
            shipped.title
        } else if self.strategies.iter().any(is_shipped) {
            shipped.title + EDITED
        } else {
            self.proposed_title()
        }
    }

    fn is_titled_by_itself(&self) -> bool {
        self.title.is_empty() || self.title == Self::NEW || self.title == self.proposed_title()
    }
}

/// The shipped preset with this title, which may have the suffix.
fn shipped_as(title: &str) -> Option<Preset> {
    let title = title.strip_suffix(EDITED).unwrap_or(title);
    // Parses only presets that contain the title.
    let line = format!("title: {title:?}");
    let mut with_title = Shipped::ALL
        .iter()
        .filter(|shipped| shipped.text.contains(&line));
    with_title.find_map(|shipped| shipped.preset().ok().filter(|preset| preset.title == title))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(before: &Preset, letters: &[&str]) -> Preset {
        let entries = letters
            .iter()
            .map(|letters| Entry::new(letters.parse().expect("letters")))
            .collect();
        let after = Preset {
            strategies: entries,
            ..before.clone()
        };
        Preset {
            title: after.title_after(before),
            ..after
        }
    }

    #[test]
    fn a_title_follows_the_strategies_until_somebody_chooses_one() {
        let mut preset = Preset::new(Preset::NEW, []);
        for (letters, title) in [
            (&["emr"][..], "emr"),
            (&["emr", "gu"], "emr against gu"),
            (&["emr", "gu", "er"], "emr, gu and er"),
            (&["emr", "gu", "er", "r"], "emr, gu and 2 more"),
            (&[], "New experiment"),
        ] {
            preset = changed(&preset, letters);
            assert_eq!((preset.title.as_str(), preset.is_named()), (title, false));
        }
        preset.title = "Mine".to_owned();
        preset = changed(&preset, &["emr"]);
        assert_eq!((preset.title.as_str(), preset.is_named()), ("Mine", true));
    }

    #[test]
    fn a_shipped_title_says_that_strategies_were_replaced_and_goes_with_the_last_of_them() {
        for shipped in Shipped::ALL {
            let preset = shipped.preset().expect("shipped");
            assert!(!preset.is_named(), "{}", preset.title);
            let mut more = preset.clone();
            more.strategies
                .push(Entry::new("meugr".parse().expect("letters")));
            more.title = more.title_after(&preset);
            assert_eq!(
                (&more.title, more.is_named()),
                (&format!("{} (edited)", preset.title), false)
            );
            let again = Preset {
                strategies: preset.strategies.clone(),
                ..more.clone()
            };
            assert_eq!(again.title_after(&more), preset.title);
            let own = ["a", "b"].map(|name| {
                format!("(name: \"{name}\", criteria: [(evaluator: Empty, tolerance: 7)])")
            });
            assert_eq!(changed(&more, &[&own[0], &own[1]]).title, "a against b");
        }
    }
}

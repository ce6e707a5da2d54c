//! The entries of the library, computed without a window.

use std::collections::BTreeSet;
use std::path::PathBuf;

use strum::IntoEnumIterator as _;

use crate::preset::{ItemError, ItemFile, ShippedStrategy, Source};
use crate::prose;
use crate::strategy::{Criterion, Strategy, StrategyHash};
use crate::words;
use crate::workbench::command::{Command, LibraryCommand};

/// Identifies an entry, also when the files around it change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum LibraryKey {
    Own(PathBuf),
    Shipped(StrategyHash),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LibraryEntry<'a> {
    Own(&'a ItemFile<Strategy>),
    /// A shipped strategy.
    Shipped(&'a ShippedStrategy),
}

#[derive(Clone, Debug)]
pub(super) enum LibraryLine<'a> {
    /// The title of the group at this index, with its number of matches and whether it is unfolded.
    Title(usize, &'static str, usize, bool),
    Entry(LibraryEntry<'a>),
    /// The text of an empty group.
    Nothing(String),
}

impl<'a> LibraryLine<'a> {
    pub(super) fn entry(&self) -> Option<LibraryEntry<'a>> {
        if let Self::Entry(entry) = self {
            Some(*entry)
        } else {
            None
        }
    }
}

impl<'a> LibraryEntry<'a> {
    pub(super) fn key(self) -> LibraryKey {
        match self {
            Self::Own(item_file) => LibraryKey::Own(item_file.path.clone()),
            Self::Shipped(shipped) => LibraryKey::Shipped(shipped.hash),
        }
    }

    /// The strategy and the hash of its play, if it can be read.
    pub(super) fn strategy(self) -> Option<(&'a Strategy, StrategyHash)> {
        match self {
            Self::Own(item_file) => item_file
                .read()
                .ok()
                .and_then(|read| Some((&*read.item, read.hash?))),
            Self::Shipped(shipped) => Some((&shipped.strategy, shipped.hash)),
        }
    }

    /// Its name; `✗` marks a file that cannot be read.
    pub(super) fn label(self) -> String {
        match self {
            Self::Own(item_file) if item_file.read().is_err() => format!("✗ {}", item_file.label()),
            Self::Own(item_file) => item_file.label(),
            Self::Shipped(shipped) => shipped.strategy.label(),
        }
    }

    /// Its second line: its rows, or why it cannot be read.
    pub(super) fn summary(self) -> String {
        match self {
            // The line above names the file.
            Self::Own(item_file) => item_file
                .read()
                .map_or_else(ItemError::reason, |read| summary(&read.item)),
            Self::Shipped(shipped) => summary(&shipped.strategy),
        }
    }

    fn has_words(self, group: &str, words: &[String]) -> bool {
        if words.is_empty() {
            return true;
        }
        let (note, hash) = self.strategy().map_or(("", String::new()), |(item, hash)| {
            (&item.note, hash.to_string())
        });
        let text = [self.label().as_str(), &self.summary(), group, &hash, note]
            .join(" ")
            .to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}

/// The list: every group with its title; an unfolded group also with the entries that contain all words of the query.
///
/// A query unfolds all groups, and leaves out groups without a match.
pub(super) fn lines<'a>(
    item_files: &'a [ItemFile<Strategy>],
    shipped: &'a [ShippedStrategy],
    query: &str,
    turned: &BTreeSet<usize>,
) -> Vec<LibraryLine<'a>> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let own: Vec<LibraryEntry<'_>> = item_files.iter().map(LibraryEntry::Own).collect();
    let sources = Source::iter().map(|source| {
        let of_source = shipped
            .iter()
            .filter(move |shipped| shipped.source == source);
        (
            source.name(),
            of_source.map(LibraryEntry::Shipped).collect(),
        )
    });
    let mut list = Vec::new();
    for (place, (title, entries)) in std::iter::once(("Yours", own)).chain(sources).enumerate() {
        let found: Vec<_> = entries
            .into_iter()
            .filter(|entry| entry.has_words(title, &words))
            .collect();
        if found.is_empty() && !words.is_empty() {
            continue;
        }
        let is_open = !words.is_empty() || (place == 0) != turned.contains(&place);
        list.push(LibraryLine::Title(place, title, found.len(), is_open));
        if is_open && found.is_empty() {
            let keys = Command::from(LibraryCommand::Save)
                .keys()
                .unwrap_or_default();
            list.push(LibraryLine::Nothing(format!(
                "No saved strategies yet. {keys} saves the strategy on screen"
            )));
        } else if is_open {
            list.extend(found.into_iter().map(LibraryLine::Entry));
        }
    }

    if list.is_empty() {
        list.push(LibraryLine::Nothing("Nothing found".to_owned()));
    }

    list
}

/// The strategy in one line: its letters, or its rows.
pub(super) fn summary(strategy: &Strategy) -> String {
    if let Some(letters) = strategy.letters()
        && letters != strategy.name
    {
        return letters;
    }
    let row = |row: &Criterion| {
        let text = row.label_with_depth();
        if row.off { format!("({text})") } else { text }
    };
    let rows: Vec<String> = strategy.criteria.iter().map(row).collect();
    if rows.is_empty() {
        format!("last resort {} alone", strategy.last_resort)
    } else {
        rows.join(" › ")
    }
}

/// The differences to the current strategy, as lines of a list; the first line names it.
pub(super) fn comparison(strategy: &Strategy, current: &Strategy) -> Vec<String> {
    let mut phrases = prose::difference(current, strategy);
    let to = current.label();
    let head = match phrases.len() {
        0 => format!("The same as {to} on screen"),
        count => format!(
            "Compared with {to} on screen, {}",
            words::plural(count as u64, "change")
        ),
    };
    phrases.insert(0, head);
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_all_shipped_strategies_and_a_query_finds_across_them() {
        let shipped = ShippedStrategy::all();
        // Yours, and one for each source.
        let groups = 1 + Source::iter().count();
        let open: BTreeSet<usize> = (1..groups).collect();
        let all = lines(&[], shipped, "", &open);
        assert_eq!(
            all.iter().filter(|item| item.entry().is_some()).count(),
            shipped.len()
        );
        assert_eq!(
            all.iter()
                .filter(|item| matches!(item, LibraryLine::Title(..)))
                .count(),
            groups
        );
        let folded = lines(&[], shipped, "", &BTreeSet::from([0]));
        assert_eq!(folded.len(), groups, "titles alone");
        // Finds in folded groups, by name, hash, rows and source.
        let emr = shipped
            .iter()
            .find(|shipped| shipped.strategy.name == "emr")
            .expect("shipped");
        for query in [
            "emr",
            &emr.hash.to_string(),
            "EMPTY monotonicity composition",
        ] {
            let found = lines(&[], shipped, query, &BTreeSet::from([0]));
            assert!(
                found.iter().any(|item| item
                    .entry()
                    .is_some_and(|entry| entry.key() == LibraryKey::Shipped(emr.hash))),
                "{query}"
            );
            assert!(found.len() < all.len(), "{query}");
        }

        assert!(matches!(
            lines(&[], shipped, "no such words", &open)[..],
            [LibraryLine::Nothing(_)]
        ));
    }

    #[test]
    fn a_line_says_what_a_strategy_plays() {
        for (text, line) in [
            (
                "(criteria: [(evaluator: Empty), (evaluator: Snake, off: true)])",
                "Empty › (Snake)",
            ),
            (
                "(name: \"x\", criteria: [(evaluator: Empty), (evaluator: Score)])",
                "egr",
            ),
            ("(name: \"er\", criteria: [(evaluator: Empty)])", "Empty"),
            (
                "(criteria: [(evaluator: Corner, lookahead: Expectimax(plies: Fixed(4)))])",
                "Expectimax of Corner, 2 moves + 2 spawns",
            ),
            ("(last_resort: First)", "last resort First alone"),
        ] {
            let strategy: Strategy = text.parse().expect(text);
            assert_eq!(summary(&strategy), line, "{text}");
        }
    }
}

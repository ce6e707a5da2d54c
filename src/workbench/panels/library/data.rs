//! What the library lists, prepared without a window.

use crate::preset::{ItemFile, ShippedStrategy, Source};
use crate::prose;
use crate::search::Lookahead;
use crate::strategy::{Strategy, StrategyHash};
use crate::words;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// A group of the list: own files, or a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LibraryGroup {
    /// The files of the library.
    Own,
    /// What came with the program.
    Shipped(Source),
}

impl LibraryGroup {
    /// All groups from top to bottom.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Own).chain(Source::ALL.map(Self::Shipped))
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Own => "Own",
            Self::Shipped(source) => source.name(),
        }
    }
}

/// Tells an entry from all others, also when the files around it change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum LibraryKey {
    Own(PathBuf),
    Shipped(StrategyHash),
}

/// A line of the list.
#[derive(Clone, Debug)]
pub(super) enum LibraryLine<'a> {
    /// The title of a group, with the number of entries that are found in it and whether they are shown.
    Title(LibraryGroup, usize, bool),
    Own(&'a ItemFile<Strategy>),
    Shipped(&'a ShippedStrategy),
    /// What an empty group says.
    Nothing(&'static str),
}

impl LibraryLine<'_> {
    /// The key of an entry.
    pub(super) fn key(&self) -> Option<LibraryKey> {
        match self {
            Self::Title(..) | Self::Nothing(_) => None,
            Self::Own(kept) => Some(LibraryKey::Own(kept.path.clone())),
            Self::Shipped(shipped) => Some(LibraryKey::Shipped(shipped.hash)),
        }
    }

    /// The strategy of an entry that can be read.
    pub(super) fn strategy(&self) -> Option<&Strategy> {
        match self {
            Self::Title(..) | Self::Nothing(_) => None,
            Self::Own(kept) => kept.read().ok().map(|read| &*read.item),
            Self::Shipped(shipped) => Some(&shipped.strategy),
        }
    }

    /// The hash of what it plays.
    pub(super) fn hash(&self) -> Option<StrategyHash> {
        match self {
            Self::Title(..) | Self::Nothing(_) => None,
            Self::Own(kept) => kept.read().ok().and_then(|read| read.hash),
            Self::Shipped(shipped) => Some(shipped.hash),
        }
    }

    /// What it is called; `✗` marks a file that cannot be read.
    pub(super) fn label(&self) -> String {
        match self {
            Self::Title(group, ..) => group.title().to_owned(),
            Self::Nothing(words) => (*words).to_owned(),
            Self::Own(kept) if kept.read().is_err() => format!("✗ {}", kept.label()),
            Self::Own(kept) => kept.label(),
            Self::Shipped(shipped) => shipped.strategy.label(),
        }
    }

    /// Its second line: what it plays, or why it cannot be read.
    pub(super) fn summary(&self) -> String {
        match self {
            Self::Own(kept) => match kept.read() {
                Ok(read) => summary(&read.item),
                // The file is named above.
                Err(error) => error.reason(),
            },
            Self::Shipped(shipped) => summary(&shipped.strategy),
            Self::Title(..) | Self::Nothing(_) => String::new(),
        }
    }
}

/// The list: every group with its title; of an unfolded one the entries that have all words of the query.
///
/// While something is looked for all groups are unfolded, and those without a match are left out.
pub(super) fn lines<'a>(
    kept: &'a [ItemFile<Strategy>],
    shipped: &'a [ShippedStrategy],
    query: &str,
    open: &BTreeSet<usize>,
) -> Vec<LibraryLine<'a>> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut list = Vec::new();
    for (index, group) in LibraryGroup::all().enumerate() {
        let entries: Vec<LibraryLine<'_>> = match group {
            LibraryGroup::Own => kept.iter().map(LibraryLine::Own).collect(),
            LibraryGroup::Shipped(source) => {
                shipped.iter().filter(|shipped| shipped.source == source).map(LibraryLine::Shipped).collect()
            }
        };
        let found: Vec<LibraryLine<'_>> = entries.into_iter().filter(|item| has_words(item, group, &words)).collect();
        if found.is_empty() && !words.is_empty() {
            continue;
        }
        let is_open = !words.is_empty() || open.contains(&index);
        list.push(LibraryLine::Title(group, found.len(), is_open));
        if is_open && found.is_empty() {
            list.push(LibraryLine::Nothing("Nothing kept yet. Ctrl Alt S keeps the strategy on screen"));
        } else if is_open {
            list.extend(found);
        }
    }
    if list.is_empty() {
        list.push(LibraryLine::Nothing("No strategy has these words"));
    }
    list
}

fn has_words(item: &LibraryLine<'_>, group: LibraryGroup, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let hash = item.hash().map_or_else(String::new, |hash| hash.to_string());
    let note = item.strategy().map_or("", |strategy| &strategy.note);
    let text = [item.label().as_str(), &item.summary(), group.title(), &hash, note].join(" ").to_lowercase();
    words.iter().all(|word| text.contains(word))
}

/// What a strategy plays in one line: its letters, or its rows.
pub(super) fn summary(strategy: &Strategy) -> String {
    if let Some(letters) = strategy.letters()
        && letters != strategy.name
    {
        return letters;
    }
    let row = |row: &crate::strategy::Criterion| {
        let label = row.evaluator.label();
        let text = match row.lookahead {
            Lookahead::OnePly => label,
            Lookahead::DepthLimited(_) => {
                format!("{label}, {} of {}", row.lookahead.name(), row.lookahead.depth_text())
            }
        };
        if row.off { format!("({text})") } else { text }
    };
    let rows: Vec<String> = strategy.criteria.iter().map(row).collect();
    if rows.is_empty() { format!("last resort {} alone", strategy.last_resort.name()) } else { rows.join(" › ") }
}

/// The difference to the strategy on screen, as lines of a list; the first says to what.
pub(super) fn comparison(strategy: &Strategy, current: &Strategy) -> Vec<String> {
    let phrases = prose::difference(current, strategy);
    let to = current.label();
    match phrases.len() {
        0 => vec![format!("The same as {to} on screen")],
        count => {
            let head = format!("Against {to} on screen, {}", words::plural(count as u64, "change"));
            std::iter::once(head).chain(phrases).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_all_shipped_strategies_and_a_query_finds_across_them() {
        let shipped = ShippedStrategy::all();
        let open: BTreeSet<usize> = (0..6).collect();
        let all = lines(&[], shipped, "", &open);
        assert_eq!(all.iter().filter(|item| item.key().is_some()).count(), shipped.len());
        assert_eq!(all.iter().filter(|item| matches!(item, LibraryLine::Title(..))).count(), 6);
        let folded = lines(&[], shipped, "", &BTreeSet::new());
        assert_eq!(folded.len(), 6, "titles alone");
        // Across folded groups, by name, hash, rows and source.
        let emr = shipped.iter().find(|shipped| shipped.strategy.name == "emr").expect("shipped");
        for query in ["emr", &emr.hash.to_string(), "EMPTY monotonicity composition"] {
            let found = lines(&[], shipped, query, &BTreeSet::new());
            assert!(found.iter().any(|item| item.key() == Some(LibraryKey::Shipped(emr.hash))), "{query}");
            assert!(found.len() < all.len(), "{query}");
        }
        assert!(matches!(lines(&[], shipped, "no such words", &open)[..], [LibraryLine::Nothing(_)]));
    }

    #[test]
    fn a_line_says_what_a_strategy_plays() {
        for (text, line) in [
            ("(criteria: [(evaluator: Empty), (evaluator: Snake, off: true)])", "Empty › (Snake)"),
            ("(name: \"x\", criteria: [(evaluator: Empty), (evaluator: Score)])", "egr"),
            ("(name: \"er\", criteria: [(evaluator: Empty)])", "Empty"),
            (
                "(criteria: [(evaluator: Corner, lookahead: Expectimax(plies: Fixed(4)))])",
                "Corner, Expectimax of 2 moves + 2 spawns",
            ),
            ("(last_resort: First)", "last resort First alone"),
        ] {
            let strategy: Strategy = text.parse().expect(text);
            assert_eq!(summary(&strategy), line, "{text}");
        }
    }
}

//! Completions of a query at the cursor.

use std::ops::Range;

use super::super::fields::{FIELDS, Field, Unit};
use super::Query;
use super::number::Compare;
use super::parse::{comparison, name_len};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    pub insert: String,
    /// The bytes of the text that it replaces.
    pub replaces: Range<usize>,
    pub about: &'static str,
}

const TILES: [&str; 17] = [
    "2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384",
    "32768", "65536", "131072",
];

impl Query {
    /// The completions at the cursor, which is a byte index: fields at the start of a word, values after a comparison.
    /// The best fit comes first.
    pub fn completions(text: &str, cursor: usize) -> Vec<Completion> {
        let mut cursor = cursor.min(text.len());
        while !text.is_char_boundary(cursor) {
            cursor -= 1;
        }
        let blank_before = text[..cursor].rfind(char::is_whitespace);
        let mut start = blank_before.map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
        if text[start..cursor].starts_with(['-', '!']) {
            start += 1;
        }

        let word = &text[start..cursor];
        let name = &word[..name_len(word)];

        // To the end of the word at the cursor.
        let end = cursor + name_len(&text[cursor..]);
        let Some((sign, order)) = comparison(&word[name.len()..]) else {
            return if name.len() == word.len() {
                fields(name, start..end)
            } else {
                Vec::new()
            };
        };
        let Some(field) = Field::of(name) else {
            return Vec::new();
        };
        let values = start + name.len() + sign.len();
        let begun = text[values..cursor]
            .rfind([',', '|'])
            .map_or(values, |at| values + at + 1);
        let begun_name = text[begun..cursor].to_lowercase();
        let replaces = begun..end;
        let offer = |name: &'static str, about| Completion {
            insert: name.to_owned(),
            replaces: replaces.clone(),
            about,
        };

        match field.its_words() {
            Some(words) if matches!(order, Compare::Equal | Compare::Differs) => {
                let fits = words
                    .iter()
                    .filter(|word| word.all().any(|name| name.starts_with(&begun_name)));
                fits.map(|word| offer(word.name, word.about)).collect()
            }
            None if field.is(Unit::Tile) => {
                let fits = TILES
                    .into_iter()
                    .filter(|tile| tile.starts_with(&begun_name));
                fits.map(|tile| offer(tile, "a tile")).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Fields that begin with `begun`, then comparisons if `begun` is a complete field name.
fn fields(begun: &str, replaces: Range<usize>) -> Vec<Completion> {
    let begun = begun.to_lowercase();
    let mut found = Vec::new();
    if let Some(field) = Field::of(&begun).filter(|field| field.its_words().is_none()) {
        for (sign, about) in [
            ("<", "less than"),
            ("<=", "at most"),
            (">", "more than"),
            (">=", "at least"),
            (":", "equal, or in a range such as 2..5"),
            ("!=", "different from"),
        ] {
            found.push(Completion {
                insert: format!("{}{sign}", field.word.name),
                replaces: replaces.clone(),
                about,
            });
        }
    }

    let begins = |name: &&str| name.starts_with(&begun);
    let named = FIELDS.iter().filter(|field| begins(&field.word.name));
    let aliased = FIELDS
        .iter()
        .filter(|field| !begins(&field.word.name) && field.word.aliases.iter().any(begins));
    let complete = Field::of(&begun).filter(|_| !found.is_empty());
    found.extend(
        named
            .chain(aliased)
            .filter(|&field| complete != Some(field))
            .map(|field| Completion {
                insert: format!("{}{}", field.word.name, field.usual_comparison()),
                replaces: replaces.clone(),
                about: field.word.about,
            }),
    );

    found
}

//! RON as this program reads and writes it: one dialect, and errors in one sentence.

use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use ron::value::RawValue;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::words;

/// The dialect: standard RON without `Some`, and with a single pair of brackets for a variant that contains a struct:
/// `Lines(empty: 270)`. Nesting is limited, so that hostile text cannot exhaust the stack: a sum in a sum takes six
/// levels, and [`Evaluator::DEEPEST`](crate::evaluator::Evaluator::DEEPEST) of them in a preset fit.
pub fn options() -> ron::Options {
    let extensions = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES;
    ron::Options::default()
        .with_default_extension(extensions)
        .with_recursion_limit(448)
}

/// Where a text is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct Mistake {
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    pub reason: String,
}

/// Reads a value; the error gives the place.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Mistake> {
    options()
        .from_str(text)
        .map_err(|error: ron::error::SpannedError| {
            // The span begins at what the reader was reading; if a name or value is wrong, at its first letter.
            let place = error.span.start;
            Mistake {
                line: place.line,
                column: place.col,
                reason: reason(&error.code),
            }
        })
}

/// A value within a larger text; an error in it does not affect the rest.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<T> {
    Read(T),
    Unread(Unread),
}

/// The text of a value that cannot be read, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Unread {
    pub text: String,
    mistake: Mistake,
}

impl<T: DeserializeOwned> Part<T> {
    /// Reads a text that may be broken in any way.
    pub fn of(text: &str) -> Self {
        match read(text) {
            Ok(value) => Self::Read(value),
            Err(mistake) => Self::Unread(Unread {
                text: text.to_owned(),
                mistake,
            }),
        }
    }
}

impl<T> Part<T> {
    pub fn read(self) -> Result<T, Unread> {
        match self {
            Self::Read(value) => Ok(value),
            Self::Unread(unread) => Err(unread),
        }
    }
}

impl Unread {
    /// Where it is wrong, counted from the beginning of the text that it is a part of.
    pub fn mistake_in(&self, whole: &str) -> Mistake {
        let before = whole.find(&self.text).map_or("", |at| &whole[..at]);
        let (lines, last) = (
            before.matches('\n').count(),
            before.rsplit('\n').next().unwrap_or_default(),
        );
        let Mistake {
            line,
            column,
            reason,
        } = self.mistake.clone();
        Mistake {
            line: line + lines,
            column: if line == 1 {
                column + last.chars().count()
            } else {
                column
            },
            reason,
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Part<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self::of(text.trim().get_ron()))
    }
}

impl<T: Serialize> Serialize for Part<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Read(value) => value.serialize(serializer),
            Self::Unread(Unread { text, .. }) => RawValue::from_ron(text)
                .map_err(serde::ser::Error::custom)?
                .serialize(serializer),
        }
    }
}

/// Whether a field may be left out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What is wrong and what would be right, for people who write presets and do not know RON or Rust.
pub fn reason(error: &ron::Error) -> String {
    use ron::Error as E;
    match error {
        E::Eof => "the text ends too early: some bracket or value is missing".to_owned(),
        E::ExpectedArray => "a list in [ ] is expected here".to_owned(),
        E::ExpectedArrayEnd => "a comma or ] is expected here".to_owned(),
        E::ExpectedOptionEnd | E::ExpectedStructLikeEnd => {
            "a comma or ) is expected here".to_owned()
        }
        E::ExpectedMapEnd => "a comma or } is expected here".to_owned(),
        E::ExpectedComma => "a comma or a closing bracket is expected here".to_owned(),
        E::ExpectedMapColon => "a colon is expected here".to_owned(),
        E::ExpectedStructLike => {
            "( is expected here: without fields, write (), such as Lines()".to_owned()
        }
        E::ExpectedNamedStructLike(name) => format!("( or {name}( is expected here"),
        E::ExpectedDifferentStructName { expected, found } => {
            format!(
                "( or {expected}( is expected here, not {}",
                words::quoted(found)
            )
        }
        E::ExpectedString => "a text in double quotes is expected here".to_owned(),
        E::ExpectedStringEnd => "a text in double quotes is not closed".to_owned(),
        E::ExpectedInteger | E::InvalidIntegerDigit { .. } => {
            "a whole number is expected here".to_owned()
        }
        E::ExpectedFloat => "a number is expected here".to_owned(),
        E::IntegerOutOfBounds => {
            "this number is too large, or negative where it must not be".to_owned()
        }
        E::ExpectedIdentifier => "a name is expected here".to_owned(),
        E::InvalidIdentifier(found) | E::SuggestRawIdentifier(found) => {
            format!("{} is not a name", words::quoted(found))
        }
        E::UnexpectedChar(found) => {
            format!("{} is not expected here", words::quoted(&found.to_string()))
        }
        E::TrailingCharacters => "nothing may follow the closing bracket".to_owned(),
        E::InvalidValueForType { expected, found } => {
            format!(
                "{} is expected here, not {}",
                words::shortened(expected),
                words::shortened(found)
            )
        }
        E::NoSuchEnumVariant {
            expected, found, ..
        } => {
            format!(
                "there is no {}: {}",
                words::quoted(found),
                known(found, expected)
            )
        }
        E::NoSuchStructField {
            expected, found, ..
        } => {
            format!(
                "there is no field {}: {}",
                words::quoted(found),
                known(found, expected)
            )
        }
        E::ExpectedDifferentLength { found, .. } => {
            format!(
                "{} in these brackets: more or fewer are expected",
                words::plural(*found as u64, "value")
            )
        }
        E::MissingStructField { field, .. } => format!("the field {field} is missing"),
        E::DuplicateStructField { field, .. } => {
            format!("the field {field} appears twice: leave one out")
        }
        E::UnclosedBlockComment => "a comment is not closed: add */".to_owned(),
        E::ExceededRecursionLimit => "brackets are nested too deeply".to_owned(),
        // Rare errors in the reader's words, shortened to a line.
        other => words::shortened(&other.to_string()),
    }
}

/// The known names: the one that was probably meant, and all of them.
fn known(found: &str, expected: &[&str]) -> String {
    let all = words::list(expected);
    match nearest(found, expected) {
        Some(name) => format!("did you mean {name}? Known are {all}"),
        None => format!("known are {all}"),
    }
}

/// The name that is at most two typing errors away, for long names a third of the letters; case does not count.
pub fn nearest<'a>(found: &str, names: &[&'a str]) -> Option<&'a str> {
    let found = found.to_lowercase();
    let len = found.chars().count();
    let close = |name: &&'a str| {
        let letters = name.chars().count();
        // Short names are all alike: half of their letters must be right.
        let limit = (letters / 3).max(2).min(letters / 2);
        // Hostile names may be long, and the comparison takes time proportional to the product of both lengths.
        if limit < len.abs_diff(letters) {
            return None;
        }
        let distance = strsim::osa_distance(&found, &name.to_lowercase());
        (distance <= limit).then_some((distance, *name))
    };
    // Of equally close names, the first in the list.
    names
        .iter()
        .filter_map(close)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// The name before the first bracket of a text that begins like a struct: `Preset` for `Preset(…)`, empty for `(…)`;
/// `None` for anything else. The rest may be broken.
pub fn opening_name(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    // Comments, and lines such as `#![enable(implicit_some)]`.
    while let Some((_, behind)) = match rest {
        _ if rest.starts_with("//") => rest.split_once('\n'),
        _ if rest.starts_with("/*") => rest.split_once("*/"),
        _ if rest.starts_with("#!") => rest.split_once(']'),
        _ => None,
    } {
        rest = behind.trim_start();
    }
    let len = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let (name, behind) = rest.split_at(len);
    behind.trim_start().starts_with('(').then_some(name)
}

/// Removes the items of a list from a text that [`pretty`] wrote for a struct with that field, by their indents alone,
/// so that brackets may be missing in them. Returns the text with an empty list, and the text of each item.
pub fn take_items<'a>(text: &'a str, field: &str) -> (String, Vec<&'a str>) {
    let [open, close] = [format!("\n    {field}: [\n"), "\n    ],\n".to_owned()];
    let found = text.find(&open).and_then(|at| {
        let first = at + open.len();
        // The line break before the first item is also that before the end of an empty list.
        Some((first, first - 1 + text[first - 1..].find(&close)?))
    });
    let Some((first, end)) = found else {
        return (text.to_owned(), Vec::new());
    };
    let mut items: Vec<&str> = Vec::new();
    let mut at = first;
    for line in text[first..end.max(first)].split_inclusive('\n') {
        let begins = line
            .strip_prefix("        ")
            .is_some_and(|rest| !rest.starts_with([' ', ')']));
        match items.last_mut() {
            Some(item) if !begins => *item = &text[at - item.len()..at + line.len()],
            _ => items.push(&text[at..at + line.len()]),
        }
        at += line.len();
    }

    let items = items
        .into_iter()
        .map(|item| item.trim().trim_end_matches(','))
        .collect();
    (format!("{}{}", &text[..first], &text[end + 1..]), items)
}

pub fn one_line<T: Serialize>(value: &T) -> Result<String, ron::Error> {
    let config = PrettyConfig::new().depth_limit(0).separator(" ");
    options().to_string_pretty(value, config)
}

/// A value on several lines, one item per line, indented by four blanks.
pub fn pretty<T: Serialize>(value: &T, depth: usize) -> Result<String, ron::Error> {
    let config = PrettyConfig::new()
        .depth_limit(depth)
        .separator(" ")
        .new_line("\n");
    options().to_string_pretty(value, config)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read")]
    struct Game {
        title: String,
        moves: u32,
        ends: Vec<End>,
    }

    #[derive(Debug, Deserialize)]
    enum End {
        Won,
        Lost,
    }

    #[test]
    fn a_part_that_cannot_be_read_costs_no_other_and_tells_its_place_in_the_whole() {
        let whole = "[\n  (title: \"a\", moves: 1, ends: []),\n  (title: \"b\",\n moves: 1, ends: [Drawn]), (moves: 'a')]";
        let parts: Vec<Part<Game>> = read(whole).expect("the list is in order");
        let places: Vec<_> = parts
            .into_iter()
            .map(|part| part.read().err().map(|unread| unread.mistake_in(whole)))
            .map(|mistake| mistake.map(|mistake| (mistake.line, mistake.column)))
            .collect();
        assert_eq!(places, [None, Some((4, 19)), Some((4, 35))]);
        let part: Part<u32> = read("(a: [1, 2])").expect("brackets are in order");
        assert_eq!(
            one_line(&vec![part, Part::Read(7)]).ok().as_deref(),
            Some("[(a: [1, 2]), 7]")
        );
    }

    #[test]
    fn a_name_is_suggested_only_when_it_is_near() {
        let names = ["Snake", "Score", "Sum", "Smoothness", "SmoothnessPrinted"];
        for (found, near) in [
            ("Snek", Some("Snake")),
            ("snake", Some("Snake")),
            ("SNAKES", Some("Snake")),
            ("Sanke", Some("Snake")),
            ("Sun", Some("Sum")),
            ("Smothnes", Some("Smoothness")),
            ("SmoothPrinted", Some("SmoothnessPrinted")),
            ("Smoothly", None),
            ("S", None),
            ("Son", None),
            ("Monkey", None),
            ("", None),
            (&"Snake".repeat(100_000), None),
        ] {
            assert_eq!(nearest(found, &names), near, "{found:.40}");
        }
    }

    #[test]
    fn reasons_are_for_people_who_have_not_met_rust() {
        for (text, reason) in [
            ("", "line 1, column 1: ( or Game( is expected here"),
            ("[package]", "line 1, column 1: ( or Game( is expected here"),
            (
                "Play(moves: 1)",
                "( or Game( is expected here, not \"Play\"",
            ),
            (
                "(title: \"a\", moves: 1",
                "a comma or a closing bracket is expected here",
            ),
            ("(title: \"a\", moves:", "the text ends too early"),
            ("(title: \"a", "a text in double quotes is not closed"),
            ("(title: a)", "a text in double quotes is expected here"),
            ("(moves: many)", "a whole number is expected here"),
            ("(moves: -1)", "too large, or negative"),
            (
                "(moves: 1 ends: [])",
                "a comma or a closing bracket is expected here",
            ),
            ("(title: \"a\", moves: 1)", "the field ends is missing"),
            ("(moves: 1, moves: 2)", "the field moves appears twice"),
            (
                "(turns: 1)",
                "there is no field \"turns\": known are title, moves and ends",
            ),
            (
                "(ends: [Drawn])",
                "there is no \"Drawn\": known are Won and Lost",
            ),
            (
                "(ends: [Lots])",
                "there is no \"Lots\": did you mean Lost? Known are Won and Lost",
            ),
            (
                "(tilte: 1)",
                "there is no field \"tilte\": did you mean title? Known are title, moves and ends",
            ),
            ("(ends: Won)", "a list in [ ] is expected here"),
            (
                "(title: \"a\", moves: 1, ends: [Won]) x",
                "nothing may follow",
            ),
            ("/* open", "is not closed: add */"),
        ] {
            let error = read::<Game>(text).expect_err(text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }

        for (text, name) in [
            ("Game(", Some("Game")),
            (
                "#![enable(implicit_some)]\n// mine\n/* all\nmine */ (title:",
                Some(""),
            ),
            ("[1]", None),
            ("emr", None),
            ("// only (a comment", None),
            ("", None),
        ] {
            assert_eq!(opening_name(text), name, "{text}");
        }

        let long = read::<Game>(&format!("(ends: [{}])", "D".repeat(100_000)))
            .expect_err("no such end")
            .to_string();
        assert!(long.len() < 200, "{long}");
    }
}

//! Parses a query, and explains what is wrong with an invalid one.

use std::ops::Range;
use std::str::FromStr;

use strum::VariantArray as _;

use super::super::super::rule::{Rule, Word};
use super::super::fields::{FIELDS, Field, Values};
use super::number::{Compare, Span, number};
use super::{Query, QueryError, Term, Test};
use crate::ron_text::nearest;
use crate::words;

/// Longer input is not repeated in an error message.
const LONGEST_SHOWN: usize = 40;

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let mut reader = Reader { text, at: 0 };
        let mut terms = Vec::new();
        while reader.skip_blanks() {
            terms.push(reader.term()?);
        }
        Ok(Self { terms })
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether text is left after the blanks.
    fn skip_blanks(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at < self.text.len()
    }

    fn error(&self, at: Range<usize>, remedy: &str) -> QueryError {
        let shown = words::shortened_to(LONGEST_SHOWN, &self.text[at.clone()]);
        QueryError {
            at,
            text: format!("`{shown}`: {remedy}"),
        }
    }

    fn word(&self) -> &'a str {
        let rest = self.rest();
        &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())]
    }

    fn term(&mut self) -> Result<Term, QueryError> {
        let start = self.at;
        let mut turned_round = false;
        while self.rest().starts_with(['-', '!', '−']) && !self.rest().starts_with("!=") {
            turned_round = !turned_round;
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
        }

        let name_at = self.at;
        let name = &self.rest()[..name_len(self.rest())];
        if name.is_empty() {
            let end = self.at + self.word().len();
            return Err(self.error(
                start..end.max(start + 1),
                "start with a field, such as kind:cut or depth>=3",
            ));
        }
        self.at += name.len();
        let behind_name = self.at;
        self.skip_blanks();
        let Some((sign, order)) = comparison(self.rest()) else {
            self.at = behind_name;
            let end = (name_at + name.len() + self.word().len()).max(behind_name);
            return Err(self.error(name_at..end, &without_comparison(&self.text[name_at..end])));
        };

        let Some(field) = Field::of(name) else {
            return Err(self.error(name_at..behind_name, &unknown_field(name)));
        };
        self.at += sign.len();
        self.skip_blanks();
        let value_at = self.at;
        let value = self.word();
        self.at += value.len();
        let whole = start..self.at;
        let example = field.example;
        if value.is_empty() {
            let remedy = match field.its_words() {
                Some(_) => format!("the value is missing: {}", choice(field)),
                None => format!("the number is missing, such as {example}"),
            };
            let end = self.text[..whole.end].trim_end().len();
            return Err(self.error(start..end, &remedy));
        }

        let test = self.test(field, order, value, start..value_at)?;
        Ok(Term {
            turned_round,
            field,
            test,
        })
    }

    /// The test of a comparison with a value for a field. The term begins at the start of `before`, the value at its
    /// end.
    fn test(
        &self,
        field: &Field,
        order: Compare,
        value: &str,
        before: Range<usize>,
    ) -> Result<Test, QueryError> {
        let Range {
            start,
            end: value_at,
        } = before;
        let (whole, example) = (start..self.at, field.example);
        match (field.its_words(), order) {
            (Some(words), Compare::Equal | Compare::Differs) => {
                let mut set = 0;
                for (at, item) in items(value, value_at) {
                    let Some(place) = words.iter().position(|word| word.is(item)) else {
                        let shown = start..at.end.max(value_at);
                        return Err(self.error(shown, &unknown_word(field, words, item)));
                    };
                    set |= 1 << place;
                }
                Ok(Test::Words {
                    words: set,
                    differs: order == Compare::Differs,
                })
            }
            (Some(_), _) => Err(self.error(
                whole,
                &format!("{} cannot be ordered, write {example}", field.word.name),
            )),
            (None, Compare::Equal | Compare::Differs) => {
                self.check_thousands(value, value_at)?;
                let any =
                    items(value, value_at).map(|(at, item)| self.span(field, item, start..at.end));
                Ok(Test::Numbers {
                    any: any.collect::<Result<_, _>>()?,
                    differs: order == Compare::Differs,
                })
            }
            (None, order) => {
                if value.contains(['|', ',']) {
                    let remedy = format!(
                        "{} compares with one number, without commas, such as {example}",
                        order.sign()
                    );
                    return Err(self.error(whole, &remedy));
                }
                match self.span(field, value, whole.clone())? {
                    Span::One(than) => Ok(Test::Order { order, than }),
                    Span::Range(..) => {
                        let remedy =
                            format!("write a range after a colon: {}:{value}", field.word.name);
                        Err(self.error(whole, &remedy))
                    }
                }
            }
        }
    }

    /// `8,759.2` could be one number or two.
    fn check_thousands(&self, value: &str, value_at: usize) -> Result<(), QueryError> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        for (comma, _) in value.match_indices(',') {
            let before = value[..comma]
                .bytes()
                .rev()
                .take_while(u8::is_ascii_digit)
                .count();
            if (1..=3).contains(&before) && digits(&value[comma + 1..]) == 3 {
                let at = value_at..value_at + value.len();
                let [one, several] =
                    ["", "|"].map(|comma| words::shortened_to(40, &value.replace(',', comma)));
                let remedy = format!("write {one} if it is one number, {several} if it is several");
                return Err(self.error(at, &remedy));
            }
        }
        Ok(())
    }

    fn span(&self, field: &Field, item: &str, at: Range<usize>) -> Result<Span, QueryError> {
        let remedy = format!("{} is a number, such as {}", field.word.name, field.example);
        let wrong = || self.error(at.clone(), &remedy);
        let Some((from, to)) = item.split_once("..") else {
            return number(item).map(Span::One).ok_or_else(wrong);
        };
        let to = to.strip_prefix('=').unwrap_or(to);
        let end = |text: &str| match text {
            "" => Ok(None),
            text => number(text).map(Some).ok_or_else(wrong),
        };
        let (from, to) = (end(from)?, end(to)?);

        match (from, to) {
            (None, None) => Err(self.error(at, "a range needs an end, such as 2..5, 2.. or ..5")),
            (Some(a), Some(b)) if b.value < a.value => {
                Err(self.error(at, "write the smaller end of a range first"))
            }
            _ => Ok(Span::Range(from, to)),
        }
    }
}

/// The items of a list with their byte ranges.
fn items(list: &str, at: usize) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut next = at;
    list.split(['|', ',']).map(move |item| {
        let start = next;
        next += item.len() + 1;
        (start..start + item.len(), item)
    })
}

/// The length of the name at the start of a text.
pub(super) fn name_len(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len())
}

/// The comparison at the start of a text, as written there.
pub(super) fn comparison(text: &str) -> Option<(&'static str, Compare)> {
    Compare::WRITTEN
        .into_iter()
        .find(|(sign, _)| text.starts_with(sign))
}

fn unknown_field(name: &str) -> String {
    let names: Vec<&str> = FIELDS.iter().flat_map(|field| field.word.all()).collect();
    match nearest(name, &names) {
        Some(meant) => format!("there is no such field, did you mean {meant}?"),
        None => {
            let names: Vec<&str> = FIELDS.iter().map(|field| field.word.name).collect();
            format!(
                "there is no such field, known fields are {}",
                words::list(&names)
            )
        }
    }
}

fn unknown_word(field: &Field, words: &[Word], item: &str) -> String {
    let names: Vec<&str> = words.iter().map(|word| word.name).collect();
    // Cells and tiles are too similar to guess.
    let guess =
        nearest(item, &names).filter(|_| names.len() <= Rule::VARIANTS.len() && 2 < names.len());
    match guess {
        Some(meant) => format!(
            "did you mean {meant}? {}",
            words::capitalised(&choice(field))
        ),
        None => choice(field),
    }
}

/// The words of a field in a sentence: `a kind is max, chance or cut`.
fn choice(field: &Field) -> String {
    match field.values {
        Values::Words { words, choice, .. } if choice.ends_with(" is") => {
            let names: Vec<&str> = words.iter().map(|word| word.name).collect();
            format!("{choice} {}", either(&names))
        }
        Values::Words { choice, .. } => choice.to_owned(),
        Values::Number { .. } => String::new(),
    }
}

/// What to write instead of a lone word.
fn without_comparison(word: &str) -> String {
    let lower = word.to_lowercase();
    if let Some(field) = Field::of(&lower).filter(|_| lower != "max") {
        return format!("add a comparison, such as {}", field.example);
    }
    // A move means the one that led here, not the one at the root.
    for field in ["kind", "move", "how", "cell", "bound"]
        .into_iter()
        .filter_map(Field::of)
    {
        let mut words = field.its_words().unwrap_or_default().iter();
        if let Some(word) = words.find(|word| word.all().any(|name| name == lower)) {
            return format!("name its field, such as {}:{}", field.word.name, word.name);
        }
    }
    "a term is a field, a comparison and a value, such as kind:cut or depth>=3".to_owned()
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

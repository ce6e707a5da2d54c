//! Parses the text of a strategy for its colors and the lines of its rows. Unfinished text works, too.

use std::ops::{Range, RangeInclusive};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `// …` and `/* … */`.
    Comment,
    Quoted,
    Number,
    /// The name of a field, before its colon.
    Field,
    /// The name of a value: `Snake`.
    Name,
    Sign(char),
}

/// A part of the text without blanks, with its range in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub at: Range<usize>,
    pub kind: TokenKind,
}

/// The tokens of a text in order; only blanks are between them.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kind) = match first {
            blank if blank.is_whitespace() => {
                at += blank.len_utf8();
                continue;
            }
            '/' if rest.starts_with("//") => {
                (rest.find('\n').unwrap_or(rest.len()), TokenKind::Comment)
            }
            '/' if rest.starts_with("/*") => (block_comment(rest), TokenKind::Comment),
            '"' => (quoted(rest), TokenKind::Quoted),
            'r' if rest.starts_with("r\"") || rest.starts_with("r#") => {
                (raw_quoted(rest), TokenKind::Quoted)
            }
            digit if digit.is_ascii_digit() || matches!(digit, '-' | '+' | '.') => {
                let is_part =
                    |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
                (
                    rest.find(|c| !is_part(c)).unwrap_or(rest.len()).max(1),
                    TokenKind::Number,
                )
            }
            letter if letter.is_alphabetic() || letter == '_' => {
                let length = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .unwrap_or(rest.len());
                let is_field = rest[length..].trim_start().starts_with(':');
                (
                    length,
                    if is_field {
                        TokenKind::Field
                    } else {
                        TokenKind::Name
                    },
                )
            }
            sign => (sign.len_utf8(), TokenKind::Sign(sign)),
        };
        found.push(Token {
            at: at..at + length,
            kind,
        });
        at += length;
    }
    found
}

/// Length of a block comment. Such comments nest; one without an end extends to the end of the text.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Length of a quoted text. Without a closing quote it ends with the line, so that later lines keep their colors.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    text.len()
}

fn raw_quoted(text: &str) -> usize {
    let hashes = text[1..].bytes().take_while(|&byte| byte == b'#').count();
    if !text[1 + hashes..].starts_with('"') {
        return 1;
    }
    let (inside, end) = (2 + hashes, format!("\"{}", "#".repeat(hashes)));
    text[inside..]
        .find(&end)
        .map_or(text.len(), |at| inside + at + end.len())
}

/// The range of each row of the strategy, in bytes.
pub(super) fn rows(text: &str) -> Vec<Range<usize>> {
    let tokens: Vec<Token> = tokens(text)
        .into_iter()
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let (mut depth, mut inside) = (0_usize, false);
    let (mut rows, mut row) = (Vec::new(), None::<Range<usize>>);
    for (index, token) in tokens.iter().enumerate() {
        let field = index
            .checked_sub(2)
            .map(|index| &text[tokens[index].at.clone()]);
        match token.kind {
            TokenKind::Sign('[') if depth == 1 && field == Some("criteria") => {
                (inside, depth) = (true, 2);
                continue;
            }
            TokenKind::Sign('(' | '[' | '{') => depth += 1,
            TokenKind::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            TokenKind::Sign(',') if inside && depth == 2 => {
                rows.extend(row.take());
                continue;
            }
            _ => {}
        }

        if inside && depth < 2 {
            break;
        }
        if inside {
            row = Some(row.map_or(token.at.start, |row| row.start)..token.at.end);
        }
    }
    rows.extend(row);
    rows
}

pub(super) fn has_comments(text: &str) -> bool {
    tokens(text)
        .iter()
        .any(|token| token.kind == TokenKind::Comment)
}

/// The line of a byte offset, from 0.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count()
}

/// The lines of a part of the text, from 0.
pub(super) fn lines_of(text: &str, part: &Range<usize>) -> RangeInclusive<usize> {
    line_of(text, part.start)..=line_of(text, part.end)
}

/// The byte offset of a line and a column, both from 1. Columns count characters; beyond the end of a line, the end counts.
pub(super) fn place(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = text[start..].lines().next().unwrap_or("");
    start
        + rest
            .char_indices()
            .nth(column.saturating_sub(1))
            .map_or(rest.len(), |(at, _)| at)
}

/// The range to underline for a mistake: the word there, or else one character.
pub(super) fn word_at(text: &str, at: usize) -> Range<usize> {
    let word = tokens(text)
        .into_iter()
        .find(|token| token.at.contains(&at))
        .map(|token| token.at);
    word.unwrap_or_else(|| at..text[at..].chars().next().map_or(at, |c| at + c.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::ShippedStrategy;

    #[test]
    fn every_row_of_every_shipped_strategy_is_found_and_is_that_row() {
        for shipped in ShippedStrategy::all() {
            for text in [shipped.strategy.pretty(), shipped.strategy.to_string()] {
                let rows: Vec<String> = rows(&text)
                    .into_iter()
                    .map(|row| text[row].to_owned())
                    .collect();
                assert_eq!(rows.len(), shipped.strategy.criteria.len(), "{text}");
                let alone = format!(
                    "Strategy(criteria: [{}], last_resort: First)",
                    rows.join(",")
                );
                let read: crate::strategy::Strategy = alone.parse().expect("rows are rows");
                assert_eq!(read.criteria, shipped.strategy.criteria);
            }
        }
    }

    #[test]
    fn comments_and_quotes_hide_their_brackets() {
        let text = "( // criteria: [\n name: \"a ) criteria: [ \\\" (\", note: r#\" ] \" \"#, criteria: [\n /* ( /* [ */ */ \
                    (evaluator: Empty), // )\n (evaluator: Score)\n])";
        let found: Vec<&str> = rows(text).into_iter().map(|row| &text[row]).collect();
        assert_eq!(found, ["(evaluator: Empty)", "(evaluator: Score)"]);
        assert!(has_comments(text) && !has_comments("(note: \"// not one\")"));
        assert!(
            crate::strategy::Strategy::read_at(text).is_ok(),
            "the reader sees it in the same way"
        );
    }

    #[test]
    fn tokens_cover_all_that_is_not_blank_whatever_the_text_is() {
        for text in [
            "", "(", "\"", "/*", "r#", "r#\"", "-", "ä→(", "a:b", "\"x\ny", "'", "1e-5,.5",
            "}}]]((", "/* */ */",
        ] {
            let tokens = tokens(text);
            let mut rest = text.to_owned();
            for token in tokens.iter().rev() {
                rest.replace_range(token.at.clone(), "");
            }
            assert!(rest.trim().is_empty(), "{text}: {rest}");
            assert!(tokens.is_sorted_by(|a, b| a.at.end <= b.at.start), "{text}");
            rows(text);
        }
    }

    #[test]
    fn places_are_those_of_the_reader() {
        let text = "(\n  note: \"ä→\", critera: []\n)";
        let mistake = crate::strategy::Strategy::read_at(text).expect_err("misspelled");
        let at = place(text, mistake.line, mistake.column);
        assert_eq!(&text[word_at(text, at)], "critera");
        assert_eq!(line_of(text, at), 1);
        assert_eq!(place(text, 9, 9), text.len());
        assert_eq!(word_at("", 0), 0..0);
    }
}

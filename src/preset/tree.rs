//! A parse tree of RON text, to find unknown fields and to write them back.
//!
//! Unknown fields are removed before the typed reader, which refuses them, sees the text, and put back before it is
//! written. In the output a value is on one line if it fits, otherwise there is one field or item per line, for short
//! diffs.

use std::fmt::Write as _;
use std::ops::Range;

/// Maximum nesting: above what the typed reader accepts (192), far below what the stack allows.
const DEEPEST: usize = 256;

/// Maximum length of a line if its value can be broken.
const WIDTH: usize = 120;

const INDENT: &str = "    ";

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    /// `(a: 1, b: 2)` or `Name(a: 1)`.
    Struct(String, Vec<Field>),
    /// `(1, 2)`, `Name(1)`, `Some(…)` or `()`.
    Tuple(String, Vec<Node>),
    /// `[1, 2]`.
    List(Vec<Node>),
    /// `{a: 1}`.
    Map(Vec<(Node, Node)>),
    /// A number, string, character or bare name, as written.
    Atom(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: Node,
    /// The range of bytes from the name to after the comma. Empty for generated fields.
    pub(super) span: Range<usize>,
}

impl Field {
    pub(super) fn new(name: &str, value: Node) -> Self {
        Self {
            name: name.to_owned(),
            value,
            span: 0..0,
        }
    }
}

/// The opening of a value, its parts with the text before each, and its closing character.
type Parts<'a> = (String, Vec<(String, &'a Node)>, char);

impl Node {
    /// Reads a text. `None` if it is not RON, which the typed reader explains better.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        reader.skip_attributes()?;
        let node = reader.value(0)?;
        reader.skip_blank()?;
        (reader.at == text.len()).then_some(node)
    }

    /// The field with this name, if this is a struct that has it.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        let Self::Struct(_, fields) = self else {
            return None;
        };
        fields.iter().find(|field| field.name == name)
    }

    /// The value as a number, if it is one of this type.
    pub(super) fn number<N: std::str::FromStr>(&self) -> Option<N> {
        let Self::Atom(number) = self else {
            return None;
        };
        number.parse().ok()
    }

    /// The text on lines of at most 120 columns if values can be broken, with a line break at the end.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        self.broken(&mut text, 0);
        text + "\n"
    }

    pub(super) fn inline(&self) -> String {
        let mut text = String::new();
        self.push_inline(&mut text);
        text
    }

    /// An atom has no parts.
    fn parts(&self) -> Result<Parts<'_>, &str> {
        fn plain(items: &[Node]) -> Vec<(String, &Node)> {
            items.iter().map(|item| (String::new(), item)).collect()
        }
        Ok(match self {
            Self::Atom(atom) => return Err(atom),
            Self::Struct(name, fields) => {
                let fields = fields
                    .iter()
                    .map(|field| (format!("{}: ", field.name), &field.value));
                (format!("{name}("), fields.collect(), ')')
            }
            Self::Tuple(name, items) => (format!("{name}("), plain(items), ')'),
            Self::List(items) => ("[".to_owned(), plain(items), ']'),
            Self::Map(pairs) => {
                let pairs = pairs
                    .iter()
                    .map(|(key, value)| (format!("{}: ", key.inline()), value));
                ("{".to_owned(), pairs.collect(), '}')
            }
        })
    }

    fn push_inline(&self, text: &mut String) {
        let (open, parts, close) = match self.parts() {
            Ok(parts) => parts,
            Err(atom) => return text.push_str(atom),
        };
        text.push_str(&open);
        for (index, (before, value)) in parts.iter().enumerate() {
            if 0 < index {
                text.push_str(", ");
            }
            text.push_str(before);
            value.push_inline(text);
        }
        text.push(close);
    }

    /// A list of structs in the outermost struct, such as the strategies: always one item per line.
    fn is_table(&self, indent: usize) -> bool {
        indent == 1
            && matches!(self, Self::List(items) if items.iter().any(|item| matches!(item, Self::Struct(..))))
    }

    /// Appends the value to the last line of `text`, broken if needed.
    fn broken(&self, text: &mut String, indent: usize) {
        let inline = self.inline();
        let used = text.len() - text.rfind('\n').map_or(0, |at| at + 1);
        // One column stays free for the comma.
        let fits = used + inline.chars().count() < WIDTH && 0 < indent && !self.is_table(indent);

        match self.parts() {
            Ok((open, parts, close)) if !fits && !parts.is_empty() => {
                text.push_str(&open);
                for (before, value) in parts {
                    let _ = write!(text, "\n{}{before}", INDENT.repeat(indent + 1));
                    value.broken(text, indent + 1);
                    text.push(',');
                }
                let _ = write!(text, "\n{}{close}", INDENT.repeat(indent));
            }
            _ => text.push_str(&inline),
        }
    }
}

/// Reads from left to right. Every function returns `None` at the first text that is not RON.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// The text up to the first character that is no part of it.
    fn take(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Blanks, line comments and nested block comments.
    fn skip_blank(&mut self) -> Option<()> {
        loop {
            self.take(char::is_whitespace);
            if self.eat("//") {
                self.take(|c| c != '\n');
            } else if self.eat("/*") {
                let mut open = 1;
                while 0 < open {
                    if self.eat("*/") {
                        open -= 1;
                    } else if self.eat("/*") {
                        open += 1;
                    } else {
                        self.at += self.peek()?.len_utf8();
                    }
                }
            } else {
                return Some(());
            }
        }
    }

    /// `#![enable(…)]` lines at the beginning.
    fn skip_attributes(&mut self) -> Option<()> {
        loop {
            self.skip_blank()?;
            if !self.eat("#") {
                return Some(());
            }
            self.at += self.rest().find(']')? + 1;
        }
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        if DEEPEST < depth {
            return None;
        }
        self.skip_blank()?;
        let node = match self.peek()? {
            '[' if self.eat("[") => Node::List(self.items(']', depth)?),
            '{' if self.eat("{") => {
                let pairs = self.separated('}', |reader| {
                    let key = reader.value(depth + 1)?;
                    Some((key, reader.behind_colon(depth)?))
                })?;
                Node::Map(pairs.into_iter().map(|(pair, _)| pair).collect())
            }
            '(' => self.parenthesis(String::new(), depth)?,
            '"' | '\'' => self.quoted()?,
            'r' | 'b' if self.is_raw_or_bytes() => self.quoted()?,
            first if first.is_alphabetic() || first == '_' => {
                let name = self.word();
                let behind = self.at;
                self.skip_blank()?;
                if self.peek() == Some('(') {
                    self.parenthesis(name, depth)?
                } else {
                    self.at = behind;
                    Node::Atom(name)
                }
            }
            first if first.is_ascii_digit() || matches!(first, '+' | '-' | '.') => {
                let number =
                    self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_'));
                Node::Atom(number.to_owned())
            }
            _ => return None,
        };

        Some(node)
    }

    fn word(&mut self) -> String {
        self.take(|c| c.is_alphanumeric() || c == '_').to_owned()
    }

    fn is_raw_or_bytes(&self) -> bool {
        let rest = self.rest().trim_start_matches(['r', 'b']);
        self.rest().len() - rest.len() <= 2 && rest.trim_start_matches('#').starts_with(['"', '\''])
    }

    /// A string or character in any spelling, as written.
    fn quoted(&mut self) -> Option<Node> {
        let start = self.at;
        let raw = self.take(|c| !matches!(c, '"' | '\'' | '#')).contains('r');
        let hashes = self.take(|c| c == '#').len();
        let quote = self.peek()?;
        self.at += 1;
        if raw {
            let end = format!("\"{}", "#".repeat(hashes));
            self.at += self.rest().find(&end)? + end.len();
        } else {
            loop {
                let next = self.peek()?;
                self.at += next.len_utf8();
                if next == '\\' {
                    self.at += self.peek()?.len_utf8();
                } else if next == quote {
                    break;
                }
            }
        }

        Some(Node::Atom(self.text[start..self.at].to_owned()))
    }

    /// After an opening bracket: parts up to `end`, each with its range of bytes including the comma.
    fn separated<T>(
        &mut self,
        end: char,
        part: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Vec<(T, Range<usize>)>> {
        let mut parts = Vec::new();
        loop {
            self.skip_blank()?;
            if self.peek()? == end {
                self.at += 1;
                return Some(parts);
            }
            let start = self.at;
            let part = part(self)?;
            self.skip_blank()?;
            if !self.eat(",") && self.peek()? != end {
                return None;
            }
            parts.push((part, start..self.at));
        }
    }

    fn items(&mut self, end: char, depth: usize) -> Option<Vec<Node>> {
        let items = self.separated(end, |reader| reader.value(depth + 1))?;
        Some(items.into_iter().map(|(item, _)| item).collect())
    }

    fn behind_colon(&mut self, depth: usize) -> Option<Node> {
        self.skip_blank()?;
        if self.eat(":") {
            self.value(depth + 1)
        } else {
            None
        }
    }

    /// At `(`: named fields if a name and a colon follow, otherwise a tuple.
    fn parenthesis(&mut self, name: String, depth: usize) -> Option<Node> {
        self.at += 1;
        self.skip_blank()?;
        let inside = self.at;
        let first = self.word();
        self.skip_blank()?;
        let named = !first.is_empty() && self.rest().starts_with(':');
        self.at = inside;
        if !named {
            return Some(Node::Tuple(name, self.items(')', depth)?));
        }

        let fields = self.separated(')', |reader| {
            let name = reader.word();
            Some((name, reader.behind_colon(depth)?)).filter(|(name, _)| !name.is_empty())
        })?;
        let field = |((name, value), span)| Field { name, value, span };
        Some(Node::Struct(name, fields.into_iter().map(field).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_value_is_kept() {
        let text = r##"#![enable(implicit_some)]
            // a comment
            Preset(a: 1, b: [Some(-2.5e3), 'x', "q\"(", r#"raw " here"#, b"x"], /* in /* nested */ it */
                c: { "k": (), 2: Name }, d: Sum([(1.0, Score), (50.0, Empty)]),)"##;
        let node = Node::parse(text).expect("RON");
        let inline = node.inline();
        assert_eq!(
            inline,
            r##"Preset(a: 1, b: [Some(-2.5e3), 'x', "q\"(", r#"raw " here"#, b"x"], c: {"k": (), 2: Name}, d: Sum([(1.0, Score), (50.0, Empty)]))"##
        );
        assert_eq!(Node::parse(&node.print()).expect("RON").inline(), inline);
    }

    #[test]
    fn what_is_not_ron_is_refused() {
        for text in [
            "",
            "(",
            "(a: )",
            "(a: 1 b: 2)",
            "[1",
            "\"open",
            "{1}",
            "(a: 1) x",
            "\u{0}",
            "/* open",
        ] {
            assert_eq!(Node::parse(text), None, "{text:?}");
        }
        assert_eq!(Node::parse(&"[".repeat(100_000)), None);
        assert_eq!(
            Node::parse(&format!("{}{}", "(".repeat(1000), ")".repeat(1000))),
            None
        );
    }

    #[test]
    fn long_values_are_broken_and_short_ones_are_not() {
        let text = format!("(a: 1, b: [{}], c: [1, 2])", "\"0123456789\", ".repeat(10));
        let printed = Node::parse(&text).expect("RON").print();
        assert!(
            printed.starts_with("(\n    a: 1,\n    b: [\n        \"0123456789\",\n"),
            "{printed}"
        );
        assert!(printed.ends_with("    c: [1, 2],\n)\n"), "{printed}");
    }
}

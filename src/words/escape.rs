//! Foreign text in documents, escaped so that it is displayed unchanged.
//!
//! Each function returns one line that shows the text and nothing else: no heading, link, tag, cell or command of the
//! document.

use super::one_line;

/// Text within a line or a table cell of Markdown, as GitHub and CommonMark read it.
pub fn markdown(text: &str) -> String {
    let line = one_line(text);
    let text = line.trim();
    let mut escaped = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        if is_markup(letter) || begins_block(&text[..at], letter, &text[at + letter.len_utf8()..]) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// Characters with a meaning anywhere in a line: emphasis, code, links, tags, entities, cells, formulas.
fn is_markup(letter: char) -> bool {
    matches!(
        letter,
        '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '$' | '#'
    )
}

/// Whether a character would turn the text that begins with it into a list or a line: `- a`, `+ a`, `1. a`, `2) a`,
/// `---`, `===`.
fn begins_block(before: &str, letter: char, after: &str) -> bool {
    match letter {
        '-' | '+' | '=' => {
            before.is_empty() && (after.is_empty() || after.starts_with([' ', letter]))
        }
        '.' | ')' => {
            let is_number = !before.is_empty() && before.bytes().all(|byte| byte.is_ascii_digit());
            is_number && (after.is_empty() || after.starts_with(' '))
        }
        _ => false,
    }
}

/// A Markdown table; the columns for which `is_number` is true are aligned right.
pub fn markdown_table<C: AsRef<str>>(
    header: impl IntoIterator<Item = impl AsRef<str>>,
    is_number: impl Fn(usize) -> bool,
    rows: impl IntoIterator<Item = impl IntoIterator<Item = C>>,
) -> String {
    let header: Vec<String> = header
        .into_iter()
        .map(|title| markdown(title.as_ref()))
        .collect();
    let dashes =
        (0..header.len()).map(|column| if is_number(column) { "---:" } else { "---" }.to_owned());
    let head = [markdown_row(header.iter().cloned()), markdown_row(dashes)].concat();
    rows.into_iter().fold(head, |table, cells| {
        table + &markdown_row(cells.into_iter().map(|cell| markdown(cell.as_ref())))
    })
}

fn markdown_row(cells: impl IntoIterator<Item = String>) -> String {
    // An empty cell is a single blank.
    let add = |line: String, cell: String| {
        if cell.is_empty() {
            line + " |"
        } else {
            line + " " + &cell + " |"
        }
    };
    cells.into_iter().fold("|".to_owned(), add) + "\n"
}

/// Text between tags or in an attribute of HTML, SVG or other XML, without control characters.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Not a character of XML.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Text in LaTeX, in any font encoding. Brackets and stars are grouped: after the end of a row they would be an option
/// of the line break.
pub fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        match letter {
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '`' => escaped.push_str(r"\textasciigrave{}"),
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '|' => escaped.push_str(r"\textbar{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '[' | ']' | '*' => escaped.extend(['{', letter, '}']),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_in_markdown() {
        for (name, written) in [
            ("emr", "emr"),
            (
                "<script>alert(1)</script>",
                r"\<script\>alert(1)\</script\>",
            ),
            ("[x](javascript:alert(1))", r"\[x\](javascript:alert(1))"),
            ("![x](http://a.b/c.png)", r"!\[x\](http://a.b/c.png)"),
            ("a | b", r"a \| b"),
            ("a\\| b", r"a\\\| b"),
            ("`rm`", r"\`rm\`"),
            ("one\n\n# two", r"one  \# two"),
            (
                "a_b *c* ~~d~~ $e$ &lt;",
                r"a\_b \*c\* \~\~d\~\~ \$e\$ \&lt;",
            ),
            ("- a", r"\- a"),
            ("1. a", r"1\. a"),
            ("12) a", r"12\) a"),
            ("---", r"\---"),
            ("-1 + 2.5", "-1 + 2.5"),
            ("  - a", r"\- a"),
        ] {
            assert_eq!(markdown(name), written, "{name}");
        }
        let table = markdown_table(
            ["a|b", "", "n"],
            |column| column == 2,
            [["---", "x\ny", "-1"]],
        );
        assert_eq!(
            table,
            "| a\\|b | | n |\n| --- | --- | ---: |\n| \\--- | x y | -1 |\n"
        );
    }

    #[test]
    fn names_are_text_in_html_and_latex() {
        assert_eq!(
            html("<a href='x' title=\"y\">&\u{0}\n"),
            "&lt;a href=&#39;x&#39; title=&quot;y&quot;&gt;&amp;  "
        );
        assert_eq!(
            latex(r"\input{x} % & {_} ^~`<|>"),
            concat!(
                r"\textbackslash{}input\{x\} \% \& \{\_\} ",
                r"\textasciicircum{}\textasciitilde{}\textasciigrave{}\textless{}\textbar{}\textgreater{}",
            )
        );
        assert_eq!(latex("[2em] *"), "{[}2em{]} {*}");
    }
}

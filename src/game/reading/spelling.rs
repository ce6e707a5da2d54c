//! Removes the text around the cells: captions, headings of rows and columns, and the syntax of programming languages. The
//! other readers then find rows or lists.
//!
//! Each step changes only texts that are no board without it. A step that is not sure of every line leaves the text.

use std::borrow::Cow;

use itertools::Itertools as _;

/// Returns the cells without the text around them, and the score in the captions.
pub(super) fn bare(text: &str) -> (Cow<'_, str>, Option<u64>) {
    let (text, score) = without_captions(text);
    let steps: [fn(&str) -> Option<String>; 7] = [
        without_indices,
        without_labels,
        from_latex,
        from_brackets,
        from_code,
        from_ocaml,
        from_options,
    ];
    let mut text = Cow::Borrowed(text);
    for step in steps {
        if let Some(bare) = step(&text) {
            text = Cow::Owned(bare);
        }
    }
    (text, score)
}

/// Whether a line that is no row may begin a board of several lines.
pub(super) fn begins_board(line: &str) -> bool {
    is_caption(line)
        || labels(line).is_some()
        || indices(line).is_some()
        || super::rows::is_digits(line.trim())
}

/// Whether a line names something and is no row: `Score: 12`, `Move #1, current score=0`, `4×4 Matrix{Int64}:`.
fn is_caption(line: &str) -> bool {
    let line = without_gain(line);
    let has_letters = line.contains(char::is_alphabetic);
    if has_letters && line.ends_with([':', '=']) {
        return true;
    }
    let is_value = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || ".-_".contains(c));
    let words: Vec<&str> = line
        .split([' ', ',', '\t'])
        .filter(|word| !word.is_empty())
        .collect();
    line.starts_with(char::is_alphabetic)
        && line.contains([':', '='])
        && !line.contains(['[', ']', '{', '}', '(', ')', '/', '|', '"'])
        && !words
            .iter()
            .tuple_windows()
            .any(|(one, next)| is_value(one) && is_value(next))
}

/// A line without the points of the last move at its end: `current score=1160(+4)`.
fn without_gain(line: &str) -> &str {
    let line = line.trim();
    let before = line
        .strip_suffix(')')
        .and_then(|line| line.rsplit_once("(+"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    before
        .filter(|(_, gain)| is_number(gain))
        .map_or(line, |(before, _)| before)
}

/// What follows each "score" of a text in lower case. The best score of earlier games is not that of the board.
pub(in crate::game) fn after_score(lower: &str) -> impl Iterator<Item = &str> {
    const BEST: [&str; 6] = ["best", "hi", "high", "highest", "max", "top"];
    lower.match_indices("score").filter_map(move |(at, name)| {
        let before = lower[..at].trim_end_matches([' ', '-', '_']);
        let word = before
            .rsplit(|c: char| !c.is_alphabetic())
            .next()
            .unwrap_or_default();
        let after = &lower[at + name.len()..];
        (!BEST.contains(&word)).then_some(after)
    })
}

/// The score that a caption names, as a word.
fn score_of(caption: &str) -> Option<String> {
    after_score(&without_gain(caption).to_lowercase()).find_map(|after| {
        let value = after.trim_start().strip_prefix([':', '='])?.trim_start();
        value
            .split([' ', ',', ';', '\t'])
            .next()
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
    })
}

/// The lines between the captions at both ends, and the score of the captions if they name one.
fn without_captions(text: &str) -> (&str, Option<u64>) {
    // Blanks between tabs may be cells.
    let is_skipped =
        |line: &str| (line.trim().is_empty() && !line.contains('\t')) || is_caption(line);
    let mut rest = text;
    let mut captions = Vec::new();
    while let Some((line, after)) = rest.split_once('\n').filter(|(line, _)| is_skipped(line)) {
        captions.push(line);
        rest = after;
    }
    while let Some((before, line)) = rest
        .trim_end_matches('\n')
        .rsplit_once('\n')
        .filter(|(_, line)| is_skipped(line))
    {
        captions.push(line);
        rest = before;
    }
    if captions.iter().all(|line| line.trim().is_empty()) {
        return (text, None);
    }
    let scores = captions
        .iter()
        .filter_map(|line| score_of(line))
        .map(|word| word.parse::<u64>().ok());
    let scores: Vec<Option<u64>> = scores.unique().collect();
    match scores[..] {
        [] => (rest, None),
        [Some(score)] => (rest, Some(score)),
        // No number, or several different ones.
        _ => (text, None),
    }
}

/// Lines with content, as words.
fn words(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .map(|line| line.split_whitespace().collect())
        .filter(|line: &Vec<&str>| !line.is_empty())
        .collect()
}

/// Rows of words as text.
fn rows(rows: &[&[&str]]) -> String {
    rows.iter().map(|row| row.join(" ")).join("\n")
}

/// The number of columns in a heading of R: `[,1] [,2]`.
fn indices(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_heading = words
        .iter()
        .zip(1..)
        .all(|(word, column)| **word == *format!("[,{column}]"));
    (is_heading && 1 < words.len()).then_some(words.len())
}

/// A matrix as R prints it.
fn without_indices(text: &str) -> Option<String> {
    let columns = indices(text.lines().next()?)?;
    let lines = words(text);
    let inner = lines[1..].iter().zip(1..).map(|(line, row)| {
        let (&first, cells) = line.split_first()?;
        (first == format!("[{row},]") && cells.len() == columns).then_some(cells)
    });
    Some(rows(&inner.collect::<Option<Vec<_>>>()?))
}

/// The number of columns with the headings 0, 1, 2 …, 1, 2, 3 … or A, B, C ….
fn labels(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split_whitespace().collect();
    (2 <= words.len() && are_labels(&words)).then_some(words.len())
}

fn are_labels(words: &[&str]) -> bool {
    let counts_from = |first: usize| {
        words
            .iter()
            .zip(first..)
            .all(|(word, number)| **word == *number.to_string())
    };
    let are_letters = words
        .iter()
        .zip('A'..)
        .all(|(word, letter)| word.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4])));
    counts_from(0) || counts_from(1) || are_letters
}

/// A table with headings of its columns and its rows, as pandas prints one.
fn without_labels(text: &str) -> Option<String> {
    let columns = labels(text.lines().next()?)?;
    let lines = words(text);
    if lines.len() < 3 {
        return None;
    }
    let inner: Vec<&[&str]> = lines[1..].iter().map(|line| &line[1..]).collect();
    let first: Vec<&str> = lines[1..].iter().map(|line| line[0]).collect();
    (are_labels(&first) && inner.iter().all(|row| row.len() == columns)).then(|| rows(&inner))
}

/// A table of LaTeX: cells between `&`, rows end with `\\`.
fn from_latex(text: &str) -> Option<String> {
    if !text.contains('&') || text.contains(['[', '|']) && !text.contains('\\') {
        return None;
    }
    let text = text
        .replace("\\\\", "\n")
        .replace("\\hline", "")
        .replace('$', "");
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('\\'));
    let cell = |cell: &str| match cell.trim() {
        "" => Some("0".to_owned()),
        word => (!word.contains(|c: char| c.is_whitespace() || ",/".contains(c)))
            .then(|| word.to_owned()),
    };
    let rows: Option<Vec<String>> = lines
        .map(|line| {
            Some(
                line.split('&')
                    .map(cell)
                    .collect::<Option<Vec<_>>>()?
                    .join(" "),
            )
        })
        .collect();
    Some(rows?.join("\n"))
}

/// Each cell in brackets of its own: `[16][128][ ][2]`.
fn from_brackets(text: &str) -> Option<String> {
    let row = |line: &str| -> Option<String> {
        let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
        let cells: Vec<&str> = inner.split("][").map(str::trim).collect();
        let is_cell =
            |cell: &&str| !cell.contains(|c: char| c.is_whitespace() || "[](){},;/|".contains(c));
        let cells = cells
            .iter()
            .map(|cell| if cell.is_empty() { "0" } else { *cell });
        let cells: Vec<&str> = cells.filter(is_cell).collect();
        (2 <= cells.len() && cells.len() == inner.split("][").count()).then(|| cells.join(" "))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(row)
        .collect::<Option<Vec<_>>>()
        .filter(|rows| !rows.is_empty())
        .map(|rows| rows.join("\n"))
}

/// The values of a declaration with a type in brackets: `[4][4]int{{…}}`, `new int[,] { … }`, or of a quoted list of Lisp.
fn from_code(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(list) = ["'(", "`(", "#2A("]
        .iter()
        .find_map(|begin| text.strip_prefix(begin))
    {
        return Some(format!("({list}"));
    }
    let at = text.find('{').filter(|&at| at != 0)?;
    let (before, values) = text.split_at(at);
    let is_dimension = |inner: &str| {
        inner
            .chars()
            .all(|c| c.is_ascii_digit() || ", ".contains(c))
    };
    let mut dimensions = before
        .split('[')
        .skip(1)
        .map(|part| part.split_once(']').map(|(inner, _)| inner));
    let are_dimensions = dimensions.all(|inner| inner.is_some_and(is_dimension));
    let is_of_type =
        |c: char| c.is_alphanumeric() || c.is_whitespace() || "_[],=:.<>*&".contains(c);
    let is_type = before.contains('[')
        && before.contains(char::is_alphabetic)
        && before.chars().all(is_of_type);
    (is_type && are_dimensions).then(|| values.to_owned())
}

/// An array of OCaml: `[|[|16; 128|]; [|0; 2|]|]`.
fn from_ocaml(text: &str) -> Option<String> {
    let text = text.trim().trim_end_matches(';');
    let is_array = text.starts_with("[|") && text.ends_with("|]");
    is_array.then(|| text.replace("[|", "[").replace("|]", "]").replace(';', ","))
}

/// Cells that may be missing: `Just 16` and `Nothing` of Haskell, `Some(16)` of Rust and Scala.
fn from_options(text: &str) -> Option<String> {
    if text.contains("Just ") {
        return Some(text.replace("Just ", "").replace("Nothing", "0"));
    }
    let mut parts = text.split("Some(");
    let mut bare = parts.next()?.to_owned();
    if bare.len() == text.len() {
        return None;
    }
    for part in parts {
        let (cell, after) = part.split_once(')')?;
        if cell.is_empty() || !cell.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        bare.push_str(cell);
        bare.push_str(after);
    }
    Some(bare)
}

//! Lists in brackets: `[[2, 0], [0, 4]]`, as NumPy, Python, JSON, Rust and C write them.

use super::rows::{self, Layout, Row};
use super::{ParseBoardError, ReadAs, Reading, from_layouts, one_hot, unquoted, word};

/// Names of arguments after the values of an array.
const ARGUMENTS: [&str; 5] = ["dtype=", "device=", "shape=", "requires_grad=", "grad_fn="];

/// Deeper than any board.
const DEEPEST: usize = 8;

pub(super) fn is_bracket(c: char) -> bool {
    matches!(c, '[' | ']' | '(' | ')' | '{' | '}')
}

fn partner(c: char) -> Option<char> {
    match c {
        '[' => Some(']'),
        '(' => Some(')'),
        '{' => Some('}'),
        _ => None,
    }
}

enum Node<'a> {
    Cells(Row<'a>),
    List(Vec<Self>),
}

pub(super) fn readings(text: &str, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let (text, is_cut) = values(unquoted(text.trim_end_matches([';', ','])));
    if let Some(inner) = single(text).filter(|inner| !inner.contains(is_bracket)) {
        return flat(inner, read_as);
    }
    let tree = node(text, is_cut, 0, 1)?;
    of_node(squeezed(tree), read_as)
}

/// The values of an array without a declaration before it and arguments after them, and whether there were arguments.
fn values(text: &str) -> (&str, bool) {
    let mut values = text;
    // A declaration: `int board[4][4] =`, `let board: Board =`.
    if let Some((before, after)) = text.split_once('=') {
        let is_declaration =
            before.starts_with(|c: char| c.is_alphabetic() || c == '_') && !before.contains('\n');
        let opens = after.find(|c| partner(c).is_some()).map(|at| &after[..at]);
        if is_declaration
            && opens.is_some_and(|name| name.chars().all(|c| is_of_name(c) || c == ' '))
        {
            values = after.trim_start();
        }
    }
    let arguments = ARGUMENTS.iter().filter_map(|name| values.find(name)).min();
    match arguments {
        Some(at) => (
            values[..at].trim_end().trim_end_matches(',').trim_end(),
            true,
        ),
        None => (values, false),
    }
}

/// A character of a name before a bracket: `np.array(`, `vec![`, `&[`.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '!' | '&')
}

/// The inside of the only bracket of a text, if it has one.
fn single(text: &str) -> Option<&str> {
    let at = text.find(|c| partner(c).is_some())?;
    let is_name = text[..at].chars().all(is_of_name);
    let open = text[at..].chars().next().and_then(partner)?;
    text[at + 1..]
        .trim_end()
        .strip_suffix(open)
        .filter(|_| is_name)
}

/// The cells of one list: a board by its lines, or a square one.
fn flat(inner: &str, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let inner = inner.trim().trim_end_matches(',');
    if let Some(strings) = strings(inner) {
        let rows = strings
            .iter()
            .enumerate()
            .map(|(index, row)| rows::words_of(index + 1, row));
        return from_layouts(&[rows.collect::<Result<_, _>>()?], read_as);
    }
    if !inner.contains(['/', ';', '\t']) {
        let cells = rows::words_of(1, inner)?;
        if let [only] = cells[..] {
            return word::readings(only.word, read_as);
        }
        if let Ok(square) = rows::square(&cells) {
            return from_layouts(&[square], read_as);
        }
    }
    from_layouts(&rows::layouts(inner)?, read_as)
}

/// The rows of a list of strings with several cells each: `"2 0", "0 4"`.
fn strings(inner: &str) -> Option<Vec<&str>> {
    let quote = inner.chars().next().filter(|c| "\"'".contains(*c))?;
    let parts: Vec<&str> = inner.split(quote).collect();
    // Outside and inside alternate.
    let (outside, inside): (Vec<_>, Vec<_>) = parts
        .iter()
        .enumerate()
        .partition(|(index, _)| index % 2 == 0);
    let separates = outside
        .iter()
        .all(|(_, text)| text.trim_matches([',', ' ', '\n', '\t']).is_empty());
    let rows: Vec<&str> = inside.iter().map(|(_, text)| text.trim()).collect();
    (separates && parts.len() % 2 == 1 && rows.iter().any(|row| row.contains([' ', ','])))
        .then_some(rows)
}

/// The lists and cells of a text; `row` is the number of the list among its neighbors. `is_cut` is whether the end of
/// the text was cut off.
fn node(text: &str, is_cut: bool, depth: usize, row: usize) -> Result<Node<'_>, ParseBoardError> {
    if !text.contains(is_bracket) {
        return rows::words_of(row, text.trim().trim_end_matches([',', ';'])).map(Node::Cells);
    }
    if DEEPEST < depth {
        return Err(ParseBoardError::Shape);
    }

    let mut lists = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_bracket) {
        let between = rest[..at].trim_matches([',', ';', ' ', '\n', '\t']);
        if !between.chars().all(is_of_name) || between.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(ParseBoardError::Nesting {
                row: lists.len() + 1,
            });
        }
        let (inner, after) = bracketed(&rest[at..], is_cut).ok_or(ParseBoardError::Bracket {
            at: place(text, rest, at),
        })?;
        lists.push(node(inner, false, depth + 1, lists.len() + 1)?);
        rest = after;
    }
    match rest.trim_matches([',', ';', ' ', '\n', '\t']) {
        "" => Ok(Node::List(lists)),
        _ => Err(ParseBoardError::Nesting {
            row: lists.len() + 1,
        }),
    }
}

/// The number of a bracket in a text, from 1.
fn place(text: &str, rest: &str, at: usize) -> usize {
    text[..text.len() - rest.len() + at]
        .chars()
        .filter(|&c| is_bracket(c))
        .count()
        + 1
}

/// The inside of the bracket that a text begins with, and what follows it. If the end of the text was cut off, the
/// bracket may stay open.
fn bracketed(text: &str, is_cut: bool) -> Option<(&str, &str)> {
    let mut expected = Vec::new();
    for (at, c) in text.char_indices() {
        if let Some(close) = partner(c) {
            expected.push(close);
        } else if is_bracket(c) {
            if expected.pop() != Some(c) {
                return None;
            }
            if expected.is_empty() {
                return Some((&text[1..at], &text[at + 1..]));
            }
        }
    }
    (is_cut && expected.len() == 1).then_some((text.get(1..)?, ""))
}

/// Without dimensions of size 1.
fn squeezed(node: Node<'_>) -> Node<'_> {
    match node {
        Node::List(mut lists) if lists.len() == 1 => match lists.pop() {
            Some(only) => squeezed(only),
            None => Node::List(lists),
        },
        Node::List(lists) => {
            let has_cells = |node: &Node<'_>| matches!(node, Node::List(inner) if inner.iter().all(is_one_cell));
            if lists.iter().all(has_cells) {
                return Node::List(
                    lists
                        .into_iter()
                        .map(|node| Node::Cells(cells(node)))
                        .collect(),
                );
            }
            Node::List(lists)
        }
        cells @ Node::Cells(_) => cells,
    }
}

fn is_one_cell(node: &Node<'_>) -> bool {
    matches!(node, Node::Cells(row) if row.len() == 1)
}

/// All cells of a node, in order.
fn cells(node: Node<'_>) -> Row<'_> {
    match node {
        Node::Cells(row) => row,
        Node::List(lists) => lists.into_iter().flat_map(cells).collect(),
    }
}

fn of_node(node: Node<'_>, read_as: &ReadAs) -> Result<Vec<Reading>, ParseBoardError> {
    let lists = match node {
        Node::Cells(row) => return from_layouts(&[rows::square(&row)?], read_as),
        Node::List(lists) => lists,
    };
    if let Some(row) = lists
        .iter()
        .position(|node| matches!(node, Node::Cells(_)) != matches!(lists[0], Node::Cells(_)))
    {
        return Err(ParseBoardError::Nesting { row: row + 1 });
    }
    if matches!(lists.first(), Some(Node::Cells(_))) {
        let rows: Layout<'_> = lists.into_iter().map(cells).collect();
        if let Some(found) = one_hot::of_cells(&rows, read_as) {
            return found;
        }
        let is_column = 5 < rows.len() && rows.iter().all(|row| row.len() == 1);
        return from_layouts(
            &[if is_column {
                rows::square(&rows.concat())?
            } else {
                rows
            }],
            read_as,
        );
    }

    let blocks: Vec<Vec<Row<'_>>> = lists
        .into_iter()
        .map(|list| rows_of(list).ok_or(ParseBoardError::Shape))
        .collect::<Result<_, _>>()?;
    one_hot::of_blocks(&blocks, read_as)
}

/// The rows of a list of lists of cells.
fn rows_of(node: Node<'_>) -> Option<Vec<Row<'_>>> {
    let Node::List(lists) = node else { return None };
    let row = |node| match node {
        Node::Cells(row) => Some(row),
        Node::List(_) => None,
    };
    lists.into_iter().map(row).collect()
}

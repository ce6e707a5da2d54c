//! Resolves every word of a tree, or explains why it has no meaning there.

use super::Formula;
use super::error::{Refusal, Wrong};
use super::names::{self, WORDS};
use super::node::{
    Extreme, Fact, Fold, FoldKind, Function, Kind, List, MOST, Node, Slot, Source, Thing,
};
use super::tree::{Kind as Written, Operator, Tree};
use crate::game::{Grid, Size};
use crate::ron_text::nearest;
use crate::words;

/// Maximum number of letters of a name in an error message.
const LETTERS: usize = 40;

pub(super) fn build(tree: &Tree) -> Result<Node, Refusal> {
    Builder { names: Vec::new() }.number(tree)
}

/// A typed part of a formula.
enum Typed {
    Number(Node),
    /// A number as well: 1 or 0.
    Truth(Node),
    Cell(Thing),
    Line(Thing),
    Board(Thing),
    List(List, Element),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Element {
    Number,
    Cell,
    Line,
    Board,
    /// Two cells, each with its own name.
    Pair,
}

impl Typed {
    const fn what(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Truth(_) => "a condition",
            Self::Cell(_) => "a cell",
            Self::Line(_) => "a line",
            Self::Board(_) => "a board",
            Self::List(..) => "a list",
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Meaning {
    /// A number that is the same on every board.
    Always(f64),
    Number,
    Element(Element),
}

/// Names with their values, the innermost last. The index of a name is its slot.
struct Builder {
    names: Vec<(String, Meaning)>,
}

type Built<T> = Result<T, Refusal>;

impl Builder {
    fn number(&mut self, tree: &Tree) -> Built<Node> {
        match self.typed(tree)? {
            Typed::Number(node) | Typed::Truth(node) => Ok(node),
            other => {
                let remedy = match other {
                    Typed::Cell(_) => ": add .tile or .rank",
                    Typed::List(..) | Typed::Line(_) => ": write sum, max or count around it",
                    _ => "",
                };
                Err(Wrong::Type {
                    what: other.what(),
                    needed: "a number",
                    remedy,
                }
                .at(tree.at))
            }
        }
    }

    fn condition(&mut self, tree: &Tree) -> Built<Node> {
        match self.typed(tree)? {
            Typed::Truth(node) => Ok(node),
            other => {
                let remedy = if matches!(other, Typed::Number(_)) {
                    ": compare it, such as with != 0"
                } else {
                    ""
                };
                Err(Wrong::Type {
                    what: other.what(),
                    needed: "a condition",
                    remedy,
                }
                .at(tree.at))
            }
        }
    }

    fn typed(&mut self, tree: &Tree) -> Built<Typed> {
        let at = tree.at as u32;
        let number = |kind: Kind| Ok(Typed::Number(Node { at, kind }.folded()));
        match &tree.kind {
            Written::Number(value) => number(Kind::Number(*value)),
            Written::List(all) => self.list_of_numbers(tree, all),
            Written::Call(name, arguments) => self.call(tree, name, arguments),
            Written::Lambda(..) => Err(Wrong::Lambda.at(tree.at)),
            Written::Let(name, two) => self.given(tree, name, two),
            Written::Negative(one) => number(Kind::Negative(Box::new(self.number(one)?))),
            Written::Not(one) => Ok(Typed::Truth(
                Node {
                    at,
                    kind: Kind::Not(Box::new(self.condition(one)?)),
                }
                .folded(),
            )),
            Written::Sum(terms) => {
                let terms = terms
                    .iter()
                    .map(|(is_taken_away, term)| Ok((*is_taken_away, self.number(term)?)));
                number(Kind::Sum(terms.collect::<Built<_>>()?))
            }
            Written::Two(operator, two) => self.two(tree, *operator, two),
            Written::Nth(two) => self.nth(two),
        }
    }

    fn two(&mut self, tree: &Tree, operator: Operator, operands: &[Tree; 2]) -> Built<Typed> {
        let [one, other] = operands;
        let operands = match operator {
            Operator::And | Operator::Or => [self.condition(one)?, self.condition(other)?],
            _ => [self.number(one)?, self.number(other)?],
        };
        // Errors about a divisor point at the divisor.
        let at = if matches!(operator, Operator::Over | Operator::Remainder) {
            other.at
        } else {
            tree.at
        } as u32;
        let node = Node {
            at,
            kind: Kind::Two(operator, Box::new(operands)),
        }
        .folded();
        match operator {
            Operator::Times | Operator::Over | Operator::Remainder | Operator::Power => {
                Ok(Typed::Number(node))
            }
            _ => Ok(Typed::Truth(node)),
        }
    }

    /// `let name = value; body`.
    fn given(&mut self, tree: &Tree, name: &str, [value, body]: &[Tree; 2]) -> Built<Typed> {
        self.is_free(tree, name)?;
        let value = match self.typed(value)? {
            Typed::Number(node) | Typed::Truth(node) => node,
            other => {
                let remedy = ": let can name only numbers";
                return Err(Wrong::Type {
                    what: other.what(),
                    needed: "a number",
                    remedy,
                }
                .at(value.at));
            }
        };
        let (meaning, slot) = match value.kind {
            Kind::Number(always) => (Meaning::Always(always), None),
            _ => (Meaning::Number, Some(self.names.len() as Slot)),
        };

        self.names.push((name.to_owned(), meaning));
        let body = self.typed(body);
        self.names.pop();
        let at = tree.at as u32;
        let with = |body: Node| match slot {
            Some(slot) => Node {
                at,
                kind: Kind::Let(slot, Box::new([value, body])),
            },
            None => body,
        };

        match body? {
            Typed::Number(body) => Ok(Typed::Number(with(body))),
            Typed::Truth(body) => Ok(Typed::Truth(with(body))),
            other => Err(Wrong::Type {
                what: other.what(),
                needed: "a number",
                remedy: "",
            }
            .at(tree.at)),
        }
    }

    fn is_free(&self, tree: &Tree, name: &str) -> Built<()> {
        if names::find(name).is_some() || self.names.iter().any(|(own, _)| own == name) {
            return Err(Wrong::Taken(name.to_owned()).at(tree.at));
        }
        if Formula::MOST_NAMES <= self.names.len() {
            return Err(Wrong::TooManyNames.at(tree.at));
        }
        Ok(())
    }

    fn list_of_numbers(&mut self, tree: &Tree, all: &[Tree]) -> Built<Typed> {
        let mut number = |one: &Tree| match self.number(one)?.kind {
            Kind::Number(value) => Ok(value),
            _ => Err(Wrong::List.at(one.at)),
        };
        let mut numbers = Vec::new();
        let mut columns = None;
        for one in all {
            // A matrix may be written as rows of equal length.
            let row = match &one.kind {
                Written::List(row) => row.as_slice(),
                _ => std::slice::from_ref(one),
            };
            let is_row = matches!(one.kind, Written::List(_));
            if *columns.get_or_insert((is_row, row.len())) != (is_row, row.len()) {
                return Err(Wrong::Rows.at(one.at));
            }
            for one in row {
                numbers.push(number(one)?);
            }
        }
        if !(1..=Formula::LONGEST_LIST).contains(&numbers.len()) {
            return Err(Wrong::List.at(tree.at));
        }
        Ok(Typed::List(List::Numbers(numbers.into()), Element::Number))
    }

    /// `list[which]`.
    fn nth(&mut self, [inner, which]: &[Tree; 2]) -> Built<Typed> {
        let (list, element) = self.list(inner)?;
        let Kind::Number(nth) = self.number(which)?.kind else {
            return Err(Wrong::Nth.at(which.at));
        };
        if nth.fract() != 0.0 || nth == 0.0 || MOST as f64 <= nth.abs() {
            return Err(Wrong::Nth.at(which.at));
        }
        let nth = nth as i32;
        if let List::Numbers(numbers) = &list {
            let place = if nth < 0 {
                numbers.len().checked_sub(nth.unsigned_abs() as usize)
            } else {
                Some(nth as usize - 1)
            };
            let number = place
                .and_then(|place| numbers.get(place))
                .ok_or_else(|| Wrong::Nth.at(which.at))?;
            return Ok(Typed::Number(Node::number(inner.at as u32, *number)));
        }

        let thing = Thing::Nth(Box::new((list, inner.at as u32)), nth);
        match element {
            Element::Cell => Ok(Typed::Cell(thing)),
            Element::Line => Ok(Typed::Line(thing)),
            Element::Board => Ok(Typed::Board(thing)),
            Element::Pair | Element::Number => Err(Wrong::Type {
                what: "a list of pairs",
                needed: "one of cells or lines",
                remedy: "",
            }
            .at(inner.at)),
        }
    }

    /// A list. A line counts as the list of its cells.
    fn list(&mut self, tree: &Tree) -> Built<(List, Element)> {
        match self.typed(tree)? {
            Typed::List(list, element) => Ok((list, element)),
            Typed::Line(line) => Ok((List::OfLine(line), Element::Cell)),
            other => {
                let remedy = match other {
                    Typed::Board(_) => ": add .cells, .lines or .pairs",
                    _ => ", such as cells, lines or pairs",
                };
                Err(Wrong::Type {
                    what: other.what(),
                    needed: "a list",
                    remedy,
                }
                .at(tree.at))
            }
        }
    }

    fn call(&mut self, tree: &Tree, name: &str, arguments: &[Tree]) -> Built<Typed> {
        if let Some(slot) = self.names.iter().rposition(|(own, _)| own == name) {
            if let Some(first) = arguments.first() {
                return Err(Wrong::Type {
                    what: "your own name",
                    needed: "a word of formulas",
                    remedy: " before brackets and after a dot",
                }
                .at(first.at));
            }
            let (at, kind) = (tree.at as u32, Kind::Named(slot as Slot));
            return Ok(match self.names[slot].1 {
                Meaning::Always(value) => Typed::Number(Node::number(at, value)),
                Meaning::Number | Meaning::Element(Element::Number) => {
                    Typed::Number(Node { at, kind })
                }
                Meaning::Element(Element::Cell | Element::Pair) => {
                    Typed::Cell(Thing::Named(slot as Slot))
                }
                Meaning::Element(Element::Line) => Typed::Line(Thing::Named(slot as Slot)),
                Meaning::Element(Element::Board) => Typed::Board(Thing::Named(slot as Slot)),
            });
        }

        let at = tree.at as u32;
        let number = |kind: Kind| Ok(Typed::Number(Node { at, kind }.folded()));
        match (name, arguments) {
            ("score", []) => number(Kind::Score),
            ("board", []) => Ok(Typed::Board(Thing::Board)),
            ("empty", []) => self.empty(tree, List::OfBoard(Source::Cells, Thing::Board)),
            ("empty", [inner]) => match self.typed(inner)? {
                Typed::Cell(cell) => Ok(Typed::Truth(is_empty(at, cell))),
                other => self.empty(tree, cells(other, inner)?),
            },
            ("merges", []) => self.merges(tree, Thing::Board),
            ("merges", [inner]) => match self.typed(inner)? {
                Typed::Board(board) => self.merges(tree, board),
                other => number(Kind::Merges(Box::new(cells(other, inner)?))),
            },
            (
                "cells" | "tiles" | "pairs" | "rows" | "columns" | "lines" | "images" | "turns",
                [] | [_],
            ) => self.listed(name, arguments.first()),
            (
                "filter",
                [
                    inner,
                    Tree {
                        kind: Written::Lambda(parameters, body),
                        ..
                    },
                ],
            ) => {
                let (list, element) = self.list(inner)?;
                if element == Element::Number {
                    let (what, needed) = (
                        "a list of numbers",
                        "a list of cells, pairs, lines or boards",
                    );
                    let remedy = ": write if(condition, …, 0) where its numbers are added";
                    return Err(Wrong::Type {
                        what,
                        needed,
                        remedy,
                    }
                    .at(inner.at));
                }
                let slot = self.names.len();
                let condition = self.under(tree, parameters, &[element], |builder| {
                    builder.condition(body)
                })?;
                Ok(Typed::List(
                    List::Filter(Box::new((list, slot as Slot, condition))),
                    element,
                ))
            }
            ("tile" | "rank" | "row" | "column", [inner]) => {
                let fact = match name {
                    "tile" => Fact::Tile,
                    "rank" => Fact::Rank,
                    "row" => Fact::Row,
                    _ => Fact::Column,
                };
                match self.typed(inner)? {
                    Typed::Cell(cell) => number(Kind::OfCell(fact, cell)),
                    other => Err(Wrong::Type {
                        what: other.what(),
                        needed: "a cell",
                        remedy: ", such as c of sum(cells, c -> c.tile)",
                    }
                    .at(inner.at)),
                }
            }
            ("if", [condition, one, other]) => {
                let three = [
                    self.condition(condition)?,
                    self.number(one)?,
                    self.number(other)?,
                ];
                number(Kind::If(Box::new(three)))
            }
            ("min" | "max", [_, .., last]) if !matches!(last.kind, Written::Lambda(..)) => {
                let all = arguments
                    .iter()
                    .map(|one| self.number(one))
                    .collect::<Built<_>>()?;
                number(Kind::Extreme(
                    if name == "min" {
                        Extreme::Least
                    } else {
                        Extreme::Most
                    },
                    all,
                ))
            }
            _ => match (fold(name), function(name), arguments) {
                (Some(kind), _, [_, ..]) => self.fold(tree, kind, arguments),
                (_, Some(function), [one]) => {
                    number(Kind::Function(function, Box::new(self.number(one)?)))
                }
                _ => Err(self.unknown(tree, name)),
            },
        }
    }

    fn unknown(&self, tree: &Tree, name: &str) -> Refusal {
        if let Some(word) = names::find(name) {
            return Wrong::Takes {
                name: word.name,
                takes: if word.takes.is_empty() {
                    "nothing"
                } else {
                    word.takes
                },
                example: word.example,
            }
            .at(tree.at);
        }

        let own = self.names.iter().rev().map(|(name, _)| name.as_str());
        let known_names: Vec<&str> = own.chain(WORDS.iter().map(|word| word.name)).collect();
        let remedy = match nearest(name, &known_names) {
            Some(near) => format!("did you mean {}?", words::shortened_to(LETTERS, near)),
            None => {
                let shortened: Vec<String> = known_names
                    .iter()
                    .map(|name| words::shortened_to(LETTERS, name))
                    .collect();
                format!("known names are {}", words::list(&shortened))
            }
        };
        Wrong::Unknown {
            name: name.to_owned(),
            remedy,
        }
        .at(tree.at)
    }

    /// The list with this name, of the board or of the argument.
    fn listed(&mut self, name: &str, inner: Option<&Tree>) -> Built<Typed> {
        let board_source = match name {
            "cells" | "tiles" => Source::Cells,
            "pairs" => Source::Pairs,
            "rows" => Source::Rows,
            "columns" => Source::Columns,
            "lines" => Source::Lines,
            "images" => Source::Images,
            _ => Source::Turns,
        };
        let element = match board_source {
            Source::Cells => Element::Cell,
            Source::Pairs => Element::Pair,
            Source::Rows | Source::Columns | Source::Lines => Element::Line,
            Source::Images | Source::Turns => Element::Board,
        };

        let of_board = |board| match name {
            "tiles" => List::Tiles(Box::new(List::OfBoard(Source::Cells, board))),
            _ => List::OfBoard(board_source, board),
        };
        let Some(tree) = inner else {
            return Ok(Typed::List(of_board(Thing::Board), element));
        };
        let list = match (self.typed(tree)?, name) {
            (Typed::Board(board), _) => of_board(board),
            (other, "cells") => cells(other, tree)?,
            (other, "tiles") => List::Tiles(Box::new(cells(other, tree)?)),
            (other, "pairs") => List::Pairs(Box::new(cells(other, tree)?)),
            (other, _) => {
                return Err(Wrong::Type {
                    what: other.what(),
                    needed: "a board",
                    remedy: "",
                }
                .at(tree.at));
            }
        };

        Ok(Typed::List(list, element))
    }

    /// The number of empty cells.
    fn empty(&self, tree: &Tree, cells: List) -> Built<Typed> {
        let (at, slot) = (tree.at as u32, self.next_slot(tree)?);
        let body = is_empty(at, Thing::Named(slot));
        let fold = Fold {
            kind: FoldKind::Count,
            lists: vec![cells],
            slot,
            body,
        };
        Ok(Typed::Number(Node {
            at,
            kind: Kind::Fold(Box::new(fold)),
        }))
    }

    /// Summed over all lines of a board.
    fn merges(&self, tree: &Tree, board: Thing) -> Built<Typed> {
        let (at, slot) = (tree.at as u32, self.next_slot(tree)?);
        let body = Node {
            at,
            kind: Kind::Merges(Box::new(List::OfLine(Thing::Named(slot)))),
        };
        let fold = Fold {
            kind: FoldKind::Sum,
            lists: vec![List::OfBoard(Source::Lines, board)],
            slot,
            body,
        };
        Ok(Typed::Number(Node {
            at,
            kind: Kind::Fold(Box::new(fold)),
        }))
    }

    fn next_slot(&self, tree: &Tree) -> Built<Slot> {
        if Formula::MOST_NAMES <= self.names.len() {
            Err(Wrong::TooManyNames.at(tree.at))
        } else {
            Ok(self.names.len() as Slot)
        }
    }

    fn fold(&mut self, tree: &Tree, kind: FoldKind, arguments: &[Tree]) -> Built<Typed> {
        let at = tree.at as u32;
        let (lambda, lists) = match arguments {
            [
                lists @ ..,
                Tree {
                    kind: Written::Lambda(parameters, body),
                    ..
                },
            ] => (Some((parameters, body)), lists),
            lists => (None, lists),
        };
        let is_condition = matches!(kind, FoldKind::Count | FoldKind::Any | FoldKind::All);
        let lists = lists
            .iter()
            .map(|list| Ok((self.list(list)?, list.at)))
            .collect::<Built<Vec<_>>>()?;
        let elements: Vec<Element> = lists.iter().map(|((_, element), _)| *element).collect();
        let takes = |word: Option<&'static names::Word>| {
            let (name, takes, example) = word.map_or(("it", "a list", ""), |word| {
                (word.name, word.takes, word.example)
            });
            Wrong::Takes {
                name,
                takes,
                example,
            }
            .at(tree.at)
        };
        let of_board = elements
            .iter()
            .filter(|element| **element != Element::Number)
            .count();

        // A turn takes from at most two lists of the board, and from as many lists of numbers as there are names.
        if lists.is_empty() || 2 < of_board {
            return Err(takes(fold_word(kind)));
        }

        let slot = self.next_slot(tree)?;
        let brought: usize = elements
            .iter()
            .map(|element| if *element == Element::Pair { 2 } else { 1 })
            .sum();
        if Formula::MOST_NAMES < self.names.len() + brought {
            return Err(Wrong::TooManyNames.at(tree.at));
        }

        let body = match lambda {
            Some((parameters, body)) => self.under(tree, parameters, &elements, |builder| {
                if is_condition {
                    builder.condition(body)
                } else {
                    builder.number(body)
                }
            })?,
            None if kind == FoldKind::Count => Node::number(at, 1.0),
            None if elements == [Element::Number] && !is_condition => Node {
                at,
                kind: Kind::Named(slot),
            },
            None => return Err(takes(fold_word(kind))),
        };
        let lists = lists.into_iter().map(|((list, _), _)| list).collect();
        let node = Node {
            at,
            kind: Kind::Fold(Box::new(Fold {
                kind,
                lists,
                slot,
                body,
            })),
        };
        Ok(if matches!(kind, FoldKind::Any | FoldKind::All) {
            Typed::Truth(node)
        } else {
            Typed::Number(node)
        })
    }

    /// Builds with names for the elements of such lists.
    fn under<T>(
        &mut self,
        tree: &Tree,
        parameters: &[String],
        elements: &[Element],
        build: impl FnOnce(&mut Self) -> Built<T>,
    ) -> Built<T> {
        let brought = elements.iter().flat_map(|element| match element {
            Element::Pair => vec![Element::Cell; 2],
            one => vec![*one],
        });
        let brought: Vec<Element> = brought.collect();
        if brought.len() != parameters.len() {
            let example = match brought.as_slice() {
                [Element::Line] => "x -> …",
                [_] => "c -> …",
                [_, _] => "(a, b) -> …",
                _ => "(a, b, c) -> …",
            };
            let found = parameters.len();
            return Err(Wrong::Parameters {
                found,
                needed: brought.len(),
                example,
            }
            .at(tree.at));
        }

        let before = self.names.len();
        for (name, element) in parameters.iter().zip(brought) {
            if let Err(refusal) = self.is_free(tree, name) {
                self.names.truncate(before);
                return Err(refusal);
            }
            self.names.push((name.clone(), Meaning::Element(element)));
        }

        let built = build(self);
        self.names.truncate(before);
        built
    }
}

/// A list of cells. Accepts a line or a board as well.
fn cells(typed: Typed, tree: &Tree) -> Built<List> {
    match typed {
        Typed::Line(line) => Ok(List::OfLine(line)),
        Typed::Board(board) => Ok(List::OfBoard(Source::Cells, board)),
        Typed::List(list, Element::Cell) => Ok(list),
        other => {
            let what = if matches!(other, Typed::List(..)) {
                "a list of something else"
            } else {
                other.what()
            };
            Err(Wrong::Type {
                what,
                needed: "a line or a list of cells",
                remedy: "",
            }
            .at(tree.at))
        }
    }
}

impl Node {
    /// A number, if all operands are numbers. An invalid one such as 1 / 0 stays and is reported later.
    fn folded(self) -> Self {
        let is_number = |node: &Self| matches!(node.kind, Kind::Number(_));
        let is_always = match &self.kind {
            Kind::Negative(one) | Kind::Not(one) | Kind::Function(_, one) => is_number(one),
            Kind::Sum(terms) => terms.iter().all(|(_, term)| is_number(term)),
            Kind::Two(_, two) => two.iter().all(is_number),
            Kind::If(three) => three.iter().all(is_number),
            Kind::Extreme(_, all) => all.iter().all(is_number),
            _ => false,
        };
        let value = if is_always {
            self.evaluate(&Grid::empty(Size::FOUR), 0)
        } else {
            f64::NAN
        };
        if value.is_finite() {
            Self::number(self.at, value)
        } else {
            self
        }
    }
}

fn is_empty(at: u32, cell: Thing) -> Node {
    let rank = Node {
        at,
        kind: Kind::OfCell(Fact::Rank, cell),
    };
    Node {
        at,
        kind: Kind::Two(Operator::Equal, Box::new([rank, Node::number(at, 0.0)])),
    }
}

const FOLDS: [(&str, FoldKind); 8] = [
    ("sum", FoldKind::Sum),
    ("product", FoldKind::Product),
    ("mean", FoldKind::Mean),
    ("min", FoldKind::Least),
    ("max", FoldKind::Most),
    ("count", FoldKind::Count),
    ("any", FoldKind::Any),
    ("all", FoldKind::All),
];

fn fold(name: &str) -> Option<FoldKind> {
    FOLDS
        .iter()
        .find(|(own, _)| *own == name)
        .map(|(_, kind)| *kind)
}

fn fold_word(kind: FoldKind) -> Option<&'static names::Word> {
    FOLDS
        .iter()
        .find(|(_, own)| *own == kind)
        .and_then(|(name, _)| names::find(name))
}

fn function(name: &str) -> Option<Function> {
    Some(match name {
        "abs" => Function::Abs,
        "sign" => Function::Sign,
        "sqrt" => Function::Sqrt,
        "ln" => Function::Ln,
        "log2" => Function::Log2,
        "exp" => Function::Exp,
        "floor" => Function::Floor,
        "ceil" => Function::Ceil,
        "round" => Function::Round,
        _ => return None,
    })
}

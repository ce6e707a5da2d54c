//! Tests generated formulas against an independent reader and evaluator.

use super::super::definition::outside_in;
use super::tree::{self, Kind, Operator, Tree};
use super::*;
use crate::game::{Board, Cell, GameSeed, Seed};

struct Draws {
    seed: GameSeed,
    drawn: u32,
}

impl Draws {
    fn new(index: u64) -> Self {
        Self {
            seed: Seed(34).game(index),
            drawn: 0,
        }
    }

    fn below(&mut self, end: usize) -> usize {
        self.drawn += 1;
        (self.seed.place_draw(self.drawn) % end as u64) as usize
    }

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }
}

/// Infix operators and their binding power.
const INFIX: [(&str, u8); 17] = [
    ("or", 2),
    ("||", 2),
    ("and", 3),
    ("&&", 3),
    ("=", 6),
    ("==", 6),
    ("!=", 6),
    ("<", 6),
    ("<=", 6),
    (">", 6),
    (">=", 6),
    ("+", 8),
    ("-", 8),
    ("*", 9),
    ("%", 9),
    ("^", 12),
    ("**", 12),
];

const PREFIX: [(&str, u8); 3] = [("-", 10), ("not", 5), ("!", 5)];

const COMPARISON: u8 = 6;
const POWER: u8 = 12;

#[derive(Clone, Debug)]
enum Token {
    Name(&'static str),
    Prefix(&'static str, u8),
    Infix(&'static str, u8),
    /// Brackets with their content, after a name or alone.
    Brackets(&'static str, Vec<Token>),
}

impl Token {
    fn line(draws: &mut Draws, depth: usize) -> Vec<Self> {
        let mut line = Vec::new();
        for operand in 0..1 + draws.below(5) {
            if operand != 0 {
                let (sign, power) = if draws.below(3) == 0 {
                    ("^", POWER)
                } else {
                    draws.one_of(&INFIX)
                };
                line.push(Self::Infix(sign, power));
            }
            while draws.below(4) == 0 {
                let (sign, power) = draws.one_of(&PREFIX);
                line.push(Self::Prefix(sign, power));
            }
            line.push(match draws.below(5) {
                0 if depth < 3 => Self::Brackets("", Self::line(draws, depth + 1)),
                1 if depth < 3 => Self::Brackets("abs", Self::line(draws, depth + 1)),
                _ => Self::Name(draws.one_of(&["a", "b", "c", "d"])),
            });
        }
        line
    }

    fn text(line: &[Self]) -> String {
        let texts = line.iter().map(|token| match token {
            Self::Name(text) | Self::Prefix(text, _) | Self::Infix(text, _) => (*text).to_owned(),
            Self::Brackets(name, inner) => format!("{name}({})", Self::text(inner)),
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    /// The line with all brackets. `None` if two operators follow each other that do not chain.
    fn read(line: &[Self]) -> Option<String> {
        let signs: Vec<u8> = line
            .iter()
            .filter_map(|token| {
                if let Self::Infix(_, power) = token {
                    Some(*power)
                } else {
                    None
                }
            })
            .collect();
        let has_chain =
            |signs: &[u8]| signs.iter().filter(|power| **power == COMPARISON).count() > 1;
        if signs.windows(2).any(|two| two == [POWER; 2])
            || signs.split(|power| *power < 5).any(has_chain)
        {
            return None;
        }
        Self::split(line)
    }

    /// Splits at the operator that binds loosest and is not covered by a prefix operator; the last one in a tie.
    fn split(line: &[Self]) -> Option<String> {
        let mut root: Option<(u8, usize)> = None;
        for (at, token) in line.iter().enumerate() {
            let Self::Infix(_, power) = token else {
                continue;
            };
            let is_reached = line[..at].iter().enumerate().any(|(from, before)| {
                let Self::Prefix(_, reach) = before else {
                    return false;
                };
                line[from..=at]
                    .iter()
                    .all(|token| !matches!(token, Self::Infix(_, power) if power < reach))
            });
            if !is_reached && root.is_none_or(|(least, _)| *power <= least) {
                root = Some((*power, at));
            }
        }

        if let Some((_, at)) = root {
            let (one, other) = (Self::split(&line[..at])?, Self::split(&line[at + 1..])?);
            let Self::Infix(sign, _) = line[at] else {
                return None;
            };
            return Some(match sign {
                ">" => format!("({other} < {one})"),
                ">=" => format!("({other} <= {one})"),
                _ => format!("({one} {} {other})", name_of(sign)),
            });
        }

        match line {
            [Self::Prefix(sign, _), rest @ ..] => {
                Some(format!("({} {})", name_of(sign), Self::split(rest)?))
            }
            [Self::Name(name)] => Some((*name).to_owned()),
            [Self::Brackets("", inner)] => Self::read(inner),
            [Self::Brackets(name, inner)] => Some(format!("{name}[{}]", Self::read(inner)?)),
            _ => panic!("{line:?}"),
        }
    }
}

/// One spelling of an operator.
fn name_of(sign: &str) -> &str {
    match sign {
        "||" => "or",
        "&&" => "and",
        "==" => "=",
        "**" => "^",
        "!" => "not",
        sign => sign,
    }
}

/// A tree with all brackets.
fn written(tree: &Tree) -> String {
    match &tree.kind {
        Kind::Call(name, arguments) => match arguments.as_slice() {
            [] => name.clone(),
            [one] => format!("{name}[{}]", written(one)),
            _ => panic!("{name}"),
        },
        Kind::Negative(one) => format!("(- {})", written(one)),
        Kind::Not(one) => format!("(not {})", written(one)),
        Kind::Sum(terms) => {
            let added = terms[1..]
                .iter()
                .map(|(less, term)| (if *less { '-' } else { '+' }, written(term)));
            added.fold(written(&terms[0].1), |sum, (sign, term)| {
                format!("({sum} {sign} {term})")
            })
        }
        Kind::Two(operator, two) => {
            let sign = match operator {
                Operator::Times => "*",
                Operator::Over => "/",
                Operator::Remainder => "%",
                Operator::Power => "^",
                Operator::Equal => "=",
                Operator::Unequal => "!=",
                Operator::Less => "<",
                Operator::AtMost => "<=",
                Operator::And => "and",
                Operator::Or => "or",
            };
            format!("({} {sign} {})", written(&two[0]), written(&two[1]))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn generated_texts_are_read_as_an_independent_reader_reads_them() {
    let [mut read, mut refused] = [0, 0];
    for index in 0..20_000 {
        let line = Token::line(&mut Draws::new(index), 0);
        let text = Token::text(&line);
        match (tree::read(&text), Token::read(&line)) {
            (Ok(tree), Some(expected)) => {
                assert_eq!(written(&tree), expected, "{text}");
                read += 1;
            }
            (Err(refusal), None) => {
                let error = refusal.in_text(&text).to_string();
                assert!(
                    error.contains("follow each other: add brackets"),
                    "{text}: {error}"
                );
                refused += 1;
            }
            (found, expected) => panic!(
                "{text}: {:?}, expected {expected:?}",
                found.map(|tree| written(&tree))
            ),
        }
    }
    assert!(5_000 < read && 2_000 < refused, "{read} {refused}");
}

/// A number of a board.
#[derive(Clone, Debug)]
enum Part {
    Number(f64),
    Score,
    Empty,
    /// Of the cell from the innermost list.
    Rank,
    Tile,
    Row,
    /// The value of the innermost `let`.
    Given,
    Negative(Box<Part>),
    Abs(Box<Part>),
    Two(&'static str, Box<[Part; 2]>),
    If(Box<(Condition, Part, Part)>),
    /// Of the cells that meet a condition, if there is one.
    Fold(&'static str, &'static str, Box<(Option<Condition>, Part)>),
    Let(Box<[Part; 2]>),
}

#[derive(Clone, Debug)]
enum Condition {
    Compare(&'static str, Part, Part),
    IsEmpty,
    Not(Box<Condition>),
    Both(&'static str, Box<[Condition; 2]>),
}

/// The context of a part: the number of enclosing lists and `let`s.
#[derive(Clone, Copy, Default)]
struct Place {
    lists: usize,
    lets: usize,
}

impl Part {
    /// A simple part, for divisors and comparisons.
    fn simple(draws: &mut Draws, place: Place) -> Self {
        let mut leaves = vec![Self::Score, Self::Empty, Self::Empty];
        if place.lists != 0 {
            leaves.extend([Self::Rank, Self::Rank, Self::Tile, Self::Tile, Self::Row]);
        }
        if place.lets != 0 {
            leaves.extend([Self::Given, Self::Given]);
        }
        let one = draws.one_of(&leaves);

        match draws.below(8) {
            0 => Self::two("-", one, draws.one_of(&leaves)),
            1 => Self::two("-", one, Self::Number(draws.below(7) as f64)),
            2 => Self::two("+", one, Self::Number(draws.below(3) as f64 * 0.5)),
            3 => Self::Negative(Box::new(one)),
            4 => Self::Abs(Box::new(Self::two(
                "-",
                one,
                Self::Number(draws.below(5) as f64),
            ))),
            _ => one,
        }
    }

    fn two(sign: &'static str, one: Self, other: Self) -> Self {
        Self::Two(sign, Box::new([one, other]))
    }

    fn any(draws: &mut Draws, place: Place, depth: usize) -> Self {
        if depth == 0 {
            return Self::simple(draws, place);
        }
        let deeper = depth - 1;
        match draws.below(10) {
            0 => Self::two(
                draws.one_of(&["+", "-", "*", "max", "min"]),
                Self::any(draws, place, deeper),
                Self::any(draws, place, deeper),
            ),
            1 => Self::two(
                draws.one_of(&["/", "%"]),
                Self::any(draws, place, deeper),
                Self::simple(draws, place),
            ),
            2 if place.lets < 2 => {
                let inner = Place {
                    lets: place.lets + 1,
                    ..place
                };
                Self::Let(Box::new([
                    Self::any(draws, place, deeper),
                    Self::any(draws, inner, deeper),
                ]))
            }
            3 | 4 if place.lists < 2 => {
                let inner = Place {
                    lists: place.lists + 1,
                    ..place
                };
                let divisor = Self::simple(draws, inner);
                let condition =
                    (draws.below(2) == 0).then(|| Condition::about(&divisor, draws, inner));
                let body = match draws.below(2) {
                    0 => Self::two("/", Self::any(draws, inner, deeper), divisor),
                    _ => Self::any(draws, inner, deeper),
                };
                let (fold, list) = (
                    draws.one_of(&["sum", "max", "min", "mean"]),
                    draws.one_of(&["cells", "tiles"]),
                );
                Self::Fold(fold, list, Box::new((condition, body)))
            }
            _ => {
                let divisor = Self::simple(draws, place);
                let condition = Condition::about(&divisor, draws, place);
                let quotient = Self::two(
                    draws.one_of(&["/", "/", "%"]),
                    Self::any(draws, place, deeper),
                    divisor,
                );
                let other = Self::any(draws, place, deeper);
                Self::If(Box::new(if draws.below(2) == 0 {
                    (condition, quotient, other)
                } else {
                    (condition, other, quotient)
                }))
            }
        }
    }

    fn text(&self, place: Place) -> String {
        match self {
            Self::Number(number) => format!("{number}"),
            Self::Score => "score".to_owned(),
            Self::Empty => "empty".to_owned(),
            Self::Rank => format!("c{}.rank", place.lists),
            Self::Tile => format!("c{}.tile", place.lists),
            Self::Row => format!("c{}.row", place.lists),
            Self::Given => format!("n{}", place.lets),
            Self::Negative(one) => format!("(-{})", one.text(place)),
            Self::Abs(one) => format!("abs({})", one.text(place)),
            Self::Two(sign @ ("max" | "min"), two) => {
                format!("{sign}({}, {})", two[0].text(place), two[1].text(place))
            }
            Self::Two(sign, two) => {
                format!("({} {sign} {})", two[0].text(place), two[1].text(place))
            }
            Self::If(three) => {
                format!(
                    "if({}, {}, {})",
                    three.0.text(place),
                    three.1.text(place),
                    three.2.text(place)
                )
            }
            Self::Fold(fold, list, inner) => {
                let place = Place {
                    lists: place.lists + 1,
                    ..place
                };
                let (name, body) = (format!("c{}", place.lists), inner.1.text(place));
                match &inner.0 {
                    Some(condition) => {
                        format!(
                            "{fold}(filter({list}, {name} -> {}), {name} -> {body})",
                            condition.text(place)
                        )
                    }
                    None => format!("{fold}({list}, {name} -> {body})"),
                }
            }
            Self::Let(two) => {
                let inner = Place {
                    lets: place.lets + 1,
                    ..place
                };
                format!(
                    "(let n{} = {}; {})",
                    inner.lets,
                    two[0].text(place),
                    two[1].text(inner)
                )
            }
        }
    }
}

impl Condition {
    /// A condition that restricts a part, or seems to.
    fn about(part: &Part, draws: &mut Draws, place: Place) -> Self {
        let sign = draws.one_of(&["=", "!=", "<", "<=", ">", ">="]);
        let number = [0.0, 0.0, 1.0, 2.0, 4.0, 16.0, -1.0, 0.5];
        let compared = match (part, draws.below(4)) {
            (Part::Two("-", two), 0) => Self::Compare(sign, two[0].clone(), two[1].clone()),
            (_, 1) => Self::Compare(sign, Part::Number(draws.one_of(&number)), part.clone()),
            (_, 2) if place.lists != 0 => Self::IsEmpty,
            (_, 3) => Self::Compare(sign, part.clone(), Part::simple(draws, place)),
            _ => Self::Compare(sign, part.clone(), Part::Number(draws.one_of(&number))),
        };

        match draws.below(6) {
            0 => Self::Not(Box::new(compared)),
            1 => Self::Both(
                draws.one_of(&["and", "or"]),
                Box::new([compared, Self::about(part, draws, place)]),
            ),
            2 => {
                let quotient = Part::two("/", Part::Number(1.0), part.clone());
                let second = Self::Compare(sign, quotient, Part::Number(0.25));
                Self::Both(draws.one_of(&["and", "or"]), Box::new([compared, second]))
            }
            _ => compared,
        }
    }

    fn text(&self, place: Place) -> String {
        match self {
            Self::Compare(sign, one, other) => {
                format!("{} {sign} {}", one.text(place), other.text(place))
            }
            Self::IsEmpty => format!("empty(c{})", place.lists),
            Self::Not(one) => format!("not ({})", one.text(place)),
            Self::Both(word, two) => {
                format!("({}) {word} ({})", two[0].text(place), two[1].text(place))
            }
        }
    }
}

/// Evaluates a part on a board.
struct Count<'a> {
    board: &'a Board,
    score: f64,
    cells: Vec<Cell>,
    given: Vec<f64>,
    divided_by_zero: bool,
}

impl Count<'_> {
    fn part(&mut self, part: &Part) -> f64 {
        match part {
            Part::Number(number) => *number,
            Part::Score => self.score,
            Part::Empty => f64::from(self.board.empty_count()),
            Part::Rank => f64::from(self.rank().get()),
            Part::Tile => self.rank().tile() as f64,
            Part::Row => f64::from(self.cells.last().expect("a cell").row + 1),
            Part::Given => *self.given.last().expect("a let"),
            Part::Negative(one) => -self.part(one),
            Part::Abs(one) => self.part(one).abs(),
            Part::Two(sign, two) => {
                let [one, other] = [self.part(&two[0]), self.part(&two[1])];
                self.divided_by_zero |= matches!(*sign, "/" | "%") && other == 0.0;
                match *sign {
                    "+" => one + other,
                    "-" => one - other,
                    "*" => one * other,
                    "/" => one / other,
                    "%" => one.rem_euclid(other),
                    "max" => one.max(other),
                    _ => one.min(other),
                }
            }
            Part::If(three) => {
                let holds = self.condition(&three.0);
                self.part(if holds { &three.1 } else { &three.2 })
            }
            Part::Fold(fold, list, inner) => {
                let mut values = Vec::new();
                for cell in self.board.size().iter() {
                    self.cells.push(cell);
                    let is_listed = *list == "cells" || !self.rank().is_empty();
                    if is_listed
                        && inner
                            .0
                            .as_ref()
                            .is_none_or(|condition| self.condition(condition))
                    {
                        values.push(self.part(&inner.1));
                    }
                    self.cells.pop();
                }
                let sum = || outside_in(values.iter().copied());
                match *fold {
                    "sum" => sum(),
                    "mean" if values.is_empty() => 0.0,
                    "mean" => sum() / values.len() as f64,
                    "max" => values.iter().copied().reduce(f64::max).unwrap_or(0.0),
                    _ => values.iter().copied().reduce(f64::min).unwrap_or(0.0),
                }
            }
            Part::Let(two) => {
                let value = self.part(&two[0]);
                self.given.push(value);
                let body = self.part(&two[1]);
                self.given.pop();
                body
            }
        }
    }

    fn condition(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Compare(sign, one, other) => {
                let [one, other] = [self.part(one), self.part(other)];
                match *sign {
                    "=" => one == other,
                    "!=" => one != other,
                    "<" => one < other,
                    "<=" => one <= other,
                    ">" => one > other,
                    _ => one >= other,
                }
            }
            Condition::IsEmpty => self.rank().is_empty(),
            Condition::Not(one) => !self.condition(one),
            Condition::Both("and", two) => self.condition(&two[0]) && self.condition(&two[1]),
            Condition::Both(_, two) => self.condition(&two[0]) || self.condition(&two[1]),
        }
    }

    fn rank(&self) -> Rank {
        self.board.get(*self.cells.last().expect("a cell"))
    }
}

/// Boards from empty to full, with few kinds of tiles, and scores.
fn boards(size: Size) -> Vec<(Board, u64)> {
    let board = |index: u64| {
        let mut draws = Draws::new(1_000_000 + index);
        let kinds = 1 + draws.below(5);
        let board = size.iter().fold(Board::empty(size), |board, cell| {
            let rank = draws.below(1 + kinds).saturating_sub(draws.below(2));
            board.with(cell, Rank::clamped(rank as u8))
        });
        (board, [0, 1, 2, 3, 4, 5, 16, 1234][draws.below(8)])
    };
    let full = size.iter().fold(Board::empty(size), |board, cell| {
        board.with(cell, Rank::MAX)
    });
    (0..40)
        .map(board)
        .chain([(Board::empty(size), 0), (full, 4_000_000_000)])
        .collect()
}

#[test]
fn accepted_formulas_never_divide_by_zero_and_keep_their_range() {
    let sizes = ["2x2", "2x3", "4x4"].map(|size| size.parse::<Size>().expect("a size"));
    let boards = sizes.map(|size| (size, boards(size)));
    let [mut accepted, mut refused, mut divides] = [0, 0, 0];

    for index in 0..9_000 {
        let part = Part::any(
            &mut Draws::new(index),
            Place::default(),
            1 + index as usize % 3,
        );
        let text = part.text(Place::default());
        let formula = Formula::new(text.as_str());

        for (size, boards) in &boards {
            let range = match formula.range(*size) {
                Ok(range) => range,
                Err(error) => {
                    let words = [
                        "may be 0",
                        "may be so near to 0",
                        "too large",
                        "steps",
                        "nested deeper",
                    ];
                    let error = error.to_string();
                    assert!(
                        words.iter().any(|words| error.contains(words)),
                        "{text}: {error}"
                    );
                    refused += 1;
                    continue;
                }
            };

            accepted += 1;
            divides += usize::from(text.contains('/') || text.contains('%'));
            let [low, high] = range;

            for (board, score) in boards {
                let mut count = Count {
                    board,
                    score: *score as f64,
                    cells: Vec::new(),
                    given: Vec::new(),
                    divided_by_zero: false,
                };
                let value = count.part(&part);
                let what = || format!("{text} on {board} with {score} points");
                assert!(!count.divided_by_zero, "{} divides by 0", what());
                assert_eq!(
                    formula.evaluate(&board.to_grid(), *score),
                    value,
                    "{}",
                    what()
                );
                assert!(
                    low <= value && value <= high,
                    "{}: {value} is not between {low} and {high}",
                    what()
                );
            }
        }
    }

    assert!(
        1_500 < divides && 1_500 < refused,
        "{accepted} accepted, {divides} of them divide, {refused} refused"
    );
}

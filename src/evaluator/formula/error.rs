//! Errors in a formula, with their position.

use std::fmt;

use super::Formula;
use crate::game::Size;
use crate::words;

/// Why a formula is invalid: the position in its text, the reason and the remedy, in one sentence.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{place}: {wrong}")]
pub struct FormulaError {
    pub place: Place,
    /// Offset of that character in bytes.
    at: usize,
    wrong: Box<Wrong>,
}

impl FormulaError {
    /// The bytes of the text to mark; one character after the end if the text ends too early.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        self.at..self.at + 1
    }
}

/// A character of a text. Line and character are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// `None` for a text of one line.
    pub line: Option<usize>,
    pub character: usize,
}

impl Place {
    /// The position of the byte at this offset.
    pub(super) fn of(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let (lines, last) = (
            before.matches('\n').count(),
            before.rfind('\n').map_or(0, |end| end + 1),
        );
        let line = text.trim_end().contains('\n').then_some(lines + 1);
        Self {
            line,
            character: before[last..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}, character {}", self.character),
            None => write!(f, "character {}", self.character),
        }
    }
}

/// A reason with the offset of the byte that it refers to.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Refusal {
    pub(super) at: u32,
    pub(super) wrong: Wrong,
}

impl Refusal {
    pub(super) fn in_text(self, text: &str) -> FormulaError {
        let at = self.at as usize;
        FormulaError {
            place: Place::of(text, at),
            at,
            wrong: Box::new(self.wrong),
        }
    }
}

impl Wrong {
    /// A character that is invalid at its place, and what could be there.
    pub(super) fn sign(sign: char, needed: &'static str) -> Self {
        Self::Sign(words::quoted(&sign.to_string()), needed)
    }

    pub(super) fn at(self, at: usize) -> Refusal {
        Refusal {
            at: u32::try_from(at).unwrap_or(u32::MAX),
            wrong: self,
        }
    }
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub(super) enum Wrong {
    #[error("a formula is needed here, such as sum(lines, x -> max(x, c -> c.rank))")]
    Nothing,
    #[error("the text ends, but {0}")]
    Ends(&'static str),
    #[error("{0} has no meaning here: {1}")]
    Sign(String, &'static str),
    #[error("{0} needs a value on both sides")]
    Word(String),
    #[error("a let must be at the start, after a bracket or after ->, and ends with ;")]
    Let,
    #[error("two {0} follow each other: add brackets")]
    Chained(&'static str),
    #[error("{} is not a number: write one such as 270, 0.5 or 1e-3", words::quoted(.0))]
    Number(String),
    #[error("the text has more than {} characters: make it shorter", words::count(Formula::LONGEST as u64))]
    TooLong,
    #[error("nested deeper than {}: give a part a name with let", Formula::DEEPEST)]
    TooDeep,
    #[error("more than {} names at once: leave some out", Formula::MOST_NAMES)]
    TooManyNames,
    #[error("there is no {}: {remedy}", words::quoted(.name))]
    Unknown { name: String, remedy: String },
    #[error("{} already has a meaning: use another name", words::quoted(.0))]
    Taken(String),
    #[error("{name} takes {takes}, such as {example}")]
    Takes {
        name: &'static str,
        takes: &'static str,
        example: &'static str,
    },
    #[error("this is {what}, but {needed} is needed{remedy}")]
    Type {
        what: &'static str,
        needed: &'static str,
        remedy: &'static str,
    },
    #[error("{} before ->, but each element has {}: write {example}", words::plural(*.found as u64, "name"), words::plural(*.needed as u64, "value"))]
    Parameters {
        found: usize,
        needed: usize,
        example: &'static str,
    },
    #[error("x -> … is allowed only after a list, such as sum(lines, x -> …)")]
    Lambda,
    #[error(
        "the index is a whole number other than 0, such as [1] for the first and [-1] for the last"
    )]
    Nth,
    #[error(
        "a list of numbers has 1 to {} numbers and no names",
        Formula::LONGEST_LIST
    )]
    List,
    #[error("the rows of a matrix have the same number of numbers")]
    Rows,
    #[error("lists that are read together need the same length, but these have {one} and {other}")]
    Lengths { one: usize, other: usize },
    #[error(
        "the length of this list depends on the board: lists that are read together need a fixed length"
    )]
    Length,
    #[error("there is no [{nth}] on {size} boards: this list has {}", words::plural(*.len as u64, "element"))]
    Beyond { nth: i32, len: usize, size: Size },
    #[error(
        "the length of this list depends on the board, so [{0}] may be missing: use max, min or sum"
    )]
    MayBeShort(i32),
    #[error("this may be 0, which cannot divide: write max(1, …) around it")]
    DivisionByZero,
    #[error(
        "this may be so near to 0 that the quotient has no limit: write max(0.001, …) around it"
    )]
    NearZero,
    #[error("this may be {least}, where {name} is not defined: write max({remedy}, …) around it", least = words::exact(*.low))]
    Domain {
        name: &'static str,
        low: f64,
        remedy: &'static str,
    },
    #[error("this may be {}, where powers need a whole exponent: write abs(…) around it", words::exact(*.0))]
    PowerOfNegative(f64),
    #[error("this may be 0, where negative powers are not defined: write max(1, …) around it")]
    PowerOfZero,
    #[error("this may become too large to compare: use smaller numbers")]
    TooLarge,
    #[error("one board would take {} steps, but the limit is {}: nest fewer lists", words::count(*.0), words::count(Formula::MOST_STEPS))]
    TooLongToCount(u64),
}

//! Nodes by a condition in words: `kind:cut depth>=3 reach<0.01 -move:left`.
//!
//! ```text
//! query       terms between blanks; all of them must hold
//! term        field comparison value; a - or ! before it turns it round
//! comparison  :  =  !=  <  <=  >  >=
//! value       a name, a number, a range 2..5 (both ends included, either may be left out),
//!             or several of them with | or , between, of which one must fit
//! ```
//!
//! [`Query::help`] lists the fields, which are rows of `tree/fields.rs`. Capitals do not count.
//!
//! # What holds of a node that has no such number?
//!
//! No comparison: a cut without a value is neither above nor below 0, nor different from it. Turned round, a term holds
//! wherever it did not, so `-value>0` finds the cuts as well.
//!
//! # When are two numbers equal?
//!
//! A number with decimals stands for all that are written so: `value:812.4` finds 812.43, which the screen shows as 812.4.
//! Probabilities are shown with two decimals at least, and are compared so. Whole numbers, percentages and powers of ten
//! mean exactly themselves.

mod complete;
mod find;
mod number;
mod parse;

use std::ops::Range;

use super::fields::{FIELDS, Field};
pub use complete::Completion;
use number::{Compare, Number, Span};

/// A condition on nodes, read from text with [`FromStr`](std::str::FromStr); nothing at all holds for every node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    terms: Vec<Term>,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct QueryError {
    /// The bytes of the text that are wrong.
    pub at: Range<usize>,
    /// One sentence that names them and says what to write instead.
    pub text: String,
}

#[derive(Clone, PartialEq, Debug)]
struct Term {
    turned_round: bool,
    field: &'static Field,
    test: Test,
}

#[derive(Clone, PartialEq, Debug)]
enum Test {
    /// One of the words of the field, by their places; with `differs` none of them.
    Words { words: u32, differs: bool },
    /// One of the numbers and ranges; with `differs` none of them.
    Numbers { any: Vec<Span>, differs: bool },
    /// On one side of a number.
    Order { order: Compare, than: Number },
}

impl Query {
    pub fn help() -> &'static [Field] {
        &FIELDS
    }
}

//! Finds nodes by conditions in words: `kind:cut depth>=3 reach<0.01 -move:left`.
//!
//! ```text
//! query       terms between blanks; all must match
//! term        field comparison value; a - or ! before it negates it
//! comparison  :  =  !=  <  <=  >  >=
//! value       a name, a number, a range 2..5 (both ends included, either may be left out),
//!             or several of them, separated by | or ,: any of them may match
//! ```
//!
//! [`Query::help`] lists the fields, which are the rows of `tree/fields.rs`. Case does not matter.
//!
//! # What if a node has no such number?
//!
//! Then no comparison holds: a cut without a value is neither above nor below 0, nor different from it. A negated term
//! holds wherever the term does not, so `-value>0` finds the cuts as well.
//!
//! # When are two numbers equal?
//!
//! A number with decimals matches all that round to it: `value:812.4` finds 812.43, which the screen shows as 812.4.
//! Probabilities are shown with at least two decimals, and compared so. Whole numbers, percentages and powers of ten
//! match exactly.

mod complete;
mod find;
mod number;
mod parse;

use std::ops::Range;

use super::fields::{FIELDS, Field};
pub use complete::Completion;
use number::{Compare, Number, Span};

/// A condition on nodes, read from text with [`FromStr`](std::str::FromStr). Empty text matches every node.
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
    /// One of the words of the field, as bits by index; none of them if `differs`.
    Words { words: u32, differs: bool },
    /// One of the numbers and ranges; none of them if `differs`.
    Numbers { any: Vec<Span>, differs: bool },
    /// On one side of a number.
    Order { order: Compare, than: Number },
}

impl Query {
    pub fn help() -> &'static [Field] {
        &FIELDS
    }
}

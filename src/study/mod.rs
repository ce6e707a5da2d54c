//! What a strategy does over many positions.
//!
//! A decision says what happened on one board. Here the same code plays games with somebody who counts: which row decided
//! how often ([`Evidence`]), what is odd about a row and where it can be seen ([`Finding`]), which orders of the rows are
//! the same strategy, how often two strategies agree, and which weighted sum stands for a list of rows.
//!
//! Everything here is a function of its arguments and a seed; what takes long looks at a [`Stop`](crate::search::Stop) and
//! gives what it has.

mod evidence;

pub use evidence::{Evidence, RowEvidence};

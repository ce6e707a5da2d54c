//! Leaving work that cannot get an answer, from deep inside.
//!
//! A value that was not computed must not choose a move, and functions that return values have no place for an error.
//! So the code leaves by unwinding, past everything that would use the value, to the caller that began the work: a
//! [`Task`](super::Task), a worker, a command. These catch panics anyway and report the sentence. Nothing is printed on
//! the way, since nothing is broken.

use std::panic::resume_unwind;

/// The payload of the unwinding. The text is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoAnswer(pub String);

/// Leaves the current work with a sentence that says why.
pub fn no_answer(sentence: String) -> ! {
    resume_unwind(Box::new(NoAnswer(sentence)))
}

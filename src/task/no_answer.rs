//! Leaving work whose answer cannot be had, from deep inside of it.
//!
//! A value that nobody computed must not choose a move, and functions that give values have no place for an error. So who gets no
//! answer leaves by unwinding, past all that would use it, to whoever began the work: a [`Task`](super::Task), a worker, a
//! command. It catches panics anyhow and tells the sentence. Nothing is printed on the way, for nothing is broken.

use std::panic::resume_unwind;

/// What is caught. The text is a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoAnswer(pub String);

/// Leaves the work that is being done with a sentence that says why.
pub fn no_answer(sentence: String) -> ! {
    resume_unwind(Box::new(NoAnswer(sentence)))
}

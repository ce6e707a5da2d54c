//! What is wrong in a preset.

use std::fmt;

use crate::words;

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The way to the value, such as `strategies[2].criteria[0].tolerance`.
    pub path: String,
    /// What is wrong with it and what would be right.
    pub reason: String,
}

impl Problem {
    pub(super) fn new(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }

    /// The most problems that one message lists.
    pub const MOST_LISTED: usize = 20;

    /// The problems in one line, as many as anybody reads.
    pub(super) fn list(problems: &[Self]) -> String {
        let mut texts: Vec<String> = problems.iter().take(Self::MOST_LISTED).map(ToString::to_string).collect();
        if Self::MOST_LISTED < problems.len() {
            texts.push(format!("and {} more", words::count((problems.len() - Self::MOST_LISTED) as u64)));
        }
        texts.join("; ")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

//! The filter of the search tree: its text, its meaning, and the matching nodes.

use std::sync::Arc;

use crate::search::{NodeId, Query, QueryError, Tree};
use crate::task::{Job, Latest, TELL_AFTER, TaskInfo, Tasks};

#[derive(Debug, Default)]
pub struct Filter {
    pub text: String,
    pub wants_focus: bool,
    /// Whether the box is shown where it is folded by default.
    is_open: bool,
    /// The parsed query, with its text.
    read: Option<(String, Result<Query, QueryError>)>,
    /// Sorted by number, which is the order of the visit.
    found: Latest<String, Vec<NodeId>>,
}

impl Filter {
    /// Clears the matches for another tree.
    pub(super) fn follow(&mut self) {
        self.found.clear();
        self.read = None;
    }

    /// Parses the text and finds matches on a worker.
    pub(super) fn poll(&mut self, tree: &Arc<Tree>, tasks: &Tasks) {
        if self
            .read
            .as_ref()
            .is_none_or(|(text, _)| *text != self.text)
        {
            let query = self.text.parse::<Query>();
            match &query {
                Ok(query) if !self.text.trim().is_empty() => {
                    let (tree, query) = (tree.clone(), query.clone());
                    let work = move |job: &Job<_>| tree.find(&query, job.token());
                    self.found.ask(
                        self.text.clone(),
                        tasks,
                        TaskInfo::told("Filtering the tree"),
                        work,
                    );
                }
                _ => self.found.clear(),
            }
            self.read = Some((self.text.clone(), query));
        }
        self.found.poll();
    }

    /// Shows the box and focuses it.
    pub fn open(&mut self) {
        (self.is_open, self.wants_focus) = (true, true);
    }

    /// Clears the filter, and hides the box where it is folded by default.
    pub fn close(&mut self) {
        self.is_open = false;
        self.text.clear();
    }

    pub fn is_open(&self) -> bool {
        self.is_open || !self.text.is_empty()
    }

    pub fn is_on(&self) -> bool {
        !self.text.trim().is_empty() && matches!(&self.read, Some((_, Ok(_))))
    }

    pub fn error(&self) -> Option<&QueryError> {
        self.read
            .as_ref()
            .filter(|_| !self.text.trim().is_empty())?
            .1
            .as_ref()
            .err()
    }

    pub fn matches(&self) -> &[NodeId] {
        self.found.value().map_or(&[], Vec::as_slice)
    }

    /// Whether a node matches; true for every node without a filter.
    pub fn shows(&self, id: NodeId) -> bool {
        !self.is_on() || self.matches().binary_search(&id).is_ok()
    }

    /// Whether the search for matches takes long enough to say so.
    pub fn is_busy(&self) -> bool {
        self.found
            .since()
            .is_some_and(|since| TELL_AFTER <= since.elapsed())
    }

    /// The next match after a node; wraps around.
    pub(super) fn next(&self, id: NodeId) -> Option<NodeId> {
        let place = self.matches().partition_point(|&found| found <= id);
        self.matches()
            .get(place)
            .or(self.matches().first())
            .copied()
    }

    /// The previous match before a node; wraps around.
    pub(super) fn previous(&self, id: NodeId) -> Option<NodeId> {
        let place = self.matches().partition_point(|&found| found < id);
        place
            .checked_sub(1)
            .map(|place| self.matches()[place])
            .or(self.matches().last().copied())
    }
}

//! Undo and redo with whole states, which are cheap to copy.

use std::time::{Duration, Instant};

/// Parts of one change come within this time; a later change is a new step.
const PAUSE: Duration = Duration::from_secs(2);

const DEEPEST: usize = 500;

#[derive(Clone, Debug)]
pub(super) struct History<T> {
    past: Vec<(String, T)>,
    future: Vec<(String, T)>,
    /// The key and time of an ongoing step; more changes with the same key belong to it.
    ongoing: Option<(String, Instant)>,
    /// Increases with every step in either direction.
    pub(super) version: u64,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new(), ongoing: None, version: 0 }
    }
}

impl<T: Clone> History<T> {
    pub(super) fn record(&mut self, what: impl Into<String>, before: &T) {
        self.ongoing = None;
        self.push(what.into(), before);
    }

    /// Makes the next change a part of the last one: undo takes both back.
    pub(super) fn join(&mut self, what: &str) {
        self.ongoing = None;
        self.version += 1;
        self.future.clear();
        if let Some((last, _)) = self.past.last_mut() {
            *last = format!("{last}, {what}");
        }
    }

    /// Remembers the state before the first of several changes that belong together, such as the frames of a dragged
    /// slider; `key` tells them from others.
    pub(super) fn record_ongoing(&mut self, key: &str, what: impl Into<String>, before: &T) {
        if self.ongoing.as_ref().is_some_and(|(_, last)| PAUSE <= last.elapsed()) {
            self.ongoing = None;
        }
        self.record_session(key, what, before);
    }

    /// Records the state before the first change with this key, without a time limit, until another change: typing in
    /// one field.
    pub(super) fn record_session(&mut self, key: &str, what: impl Into<String>, before: &T) {
        if self.ongoing.as_ref().is_none_or(|(old, _)| old != key) {
            self.push(what.into(), before);
        }
        self.ongoing = Some((key.to_owned(), Instant::now()));
    }

    /// All states except the current one.
    pub(super) fn states_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.past.iter_mut().chain(&mut self.future).map(|(_, state)| state)
    }

    /// Ends an ongoing step: the next change is a new step.
    pub(super) fn finish(&mut self) {
        self.ongoing = None;
    }

    fn push(&mut self, what: String, before: &T) {
        self.version += 1;
        self.future.clear();
        self.past.push((what, before.clone()));
        if DEEPEST < self.past.len() {
            self.past.remove(0);
        }
    }

    /// Undoes the last change or redoes the last undone one; returns its name.
    pub(super) fn step(&mut self, back: bool, present: &mut T) -> Option<String> {
        self.ongoing = None;
        self.version += 1;
        let [from, to] = if back { [&mut self.past, &mut self.future] } else { [&mut self.future, &mut self.past] };
        let (what, state) = from.pop()?;
        to.push((what.clone(), std::mem::replace(present, state)));
        Some(what)
    }

    /// All states except the current one: the past, newest first, then the future.
    pub(super) fn states(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev().chain(&self.future).map(|(_, state)| state)
    }

    /// The past states, newest first.
    pub(super) fn past(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev().map(|(_, state)| state)
    }

    pub(super) fn undoes(&self) -> Option<&str> {
        self.past.last().map(|(what, _)| what.as_str())
    }

    pub(super) fn redoes(&self) -> Option<&str> {
        self.future.last().map(|(what, _)| what.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_and_redo_walk_the_same_states() {
        let (mut history, mut state) = (History::default(), 0);
        for next in 1..=3 {
            history.record(format!("to {next}"), &state);
            state = next;
        }
        assert_eq!(history.step(true, &mut state).as_deref(), Some("to 3"));
        assert_eq!(history.step(true, &mut state).as_deref(), Some("to 2"));
        assert_eq!(state, 1);
        assert_eq!(history.step(false, &mut state).as_deref(), Some("to 2"));
        assert_eq!(state, 2);
        history.record("aside", &state);
        state = 9;
        assert_eq!(history.redoes(), None, "a new change forgets what was taken back");
        assert_eq!(history.step(true, &mut state).as_deref(), Some("aside"));
        assert_eq!(state, 2);
    }

    #[test]
    fn joined_changes_are_taken_back_together() {
        let (mut history, mut state) = (History::default(), 0);
        history.record("edit", &state);
        state = 1;
        history.join("rerun");
        state += 1;
        assert_eq!(history.step(true, &mut state).as_deref(), Some("edit, rerun"));
        assert_eq!((state, history.undoes()), (0, None));
        assert_eq!(history.step(false, &mut state).as_deref(), Some("edit, rerun"));
        assert_eq!(state, 2);
    }

    #[test]
    fn a_dragged_slider_is_one_step() {
        let (mut history, mut state) = (History::default(), 0);
        for next in 1..=5 {
            history.record_ongoing("slider", "tolerance", &state);
            state = next;
        }
        history.finish();
        history.record_ongoing("slider", "tolerance", &state);
        state = 6;
        history.step(true, &mut state);
        assert_eq!(state, 5);
        history.step(true, &mut state);
        assert_eq!(state, 0);
        assert_eq!(history.undoes(), None);
    }
}

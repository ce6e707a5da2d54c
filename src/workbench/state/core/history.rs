//! Undo and redo with whole states, which are cheap to copy.

const DEEPEST: usize = 500;

#[derive(Clone, Debug)]
pub(in super::super) struct History<T> {
    past: Vec<(String, T)>,
    future: Vec<(String, T)>,
    ongoing: Option<Ongoing>,
    /// Increases with every step in either direction.
    pub(in super::super) version: u64,
}

/// A step to which more changes belong.
#[derive(Clone, Debug)]
struct Ongoing {
    /// Tells these changes from others.
    key: String,
    ends: Ends,
}

/// What ends an ongoing step, besides another change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// The end of the drag, or the next focus: [`History::end_edit`].
    WithEdit,
    /// Only [`History::finish`].
    Explicitly,
}

impl<T> Default for History<T> {
    fn default() -> Self {
        Self {
            past: Vec::new(),
            future: Vec::new(),
            ongoing: None,
            version: 0,
        }
    }
}

impl<T: Clone> History<T> {
    pub(in super::super) fn record(&mut self, what: impl Into<String>, before: &T) {
        self.ongoing = None;
        self.push(what.into(), before);
    }

    /// Makes the next change a part of the last one: undo takes both back.
    pub(in super::super) fn join(&mut self, what: &str) {
        self.ongoing = None;
        self.version += 1;
        self.future.clear();
        if let Some((last, _)) = self.past.last_mut() {
            *last = format!("{last}, {what}");
        }
    }

    /// Records the state before the first change of one edit: a drag, or typing in one field. However long it takes, it
    /// is one step.
    pub(in super::super) fn record_ongoing(&mut self, what: &str, before: &T) {
        self.record_until(Ends::WithEdit, what, what, before);
    }

    /// Records the state before the first change with this key. The step lasts until `finish` or another change.
    pub(in super::super) fn record_session(&mut self, key: &str, what: &str, before: &T) {
        self.record_until(Ends::Explicitly, key, what, before);
    }

    fn record_until(&mut self, ends: Ends, key: &str, what: &str, before: &T) {
        if self
            .ongoing
            .as_ref()
            .is_none_or(|ongoing| (ongoing.ends, &*ongoing.key) != (ends, key))
        {
            self.push(what.to_owned(), before);
        }
        self.ongoing = Some(Ongoing {
            key: key.to_owned(),
            ends,
        });
    }

    /// Ends the step of a drag or a field: the next change is a new step.
    pub(in super::super) fn end_edit(&mut self) {
        self.ongoing
            .take_if(|ongoing| ongoing.ends == Ends::WithEdit);
    }

    /// All states except the current one.
    pub(in super::super) fn states_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.past
            .iter_mut()
            .chain(&mut self.future)
            .map(|(_, state)| state)
    }

    /// Ends an ongoing step: the next change is a new step.
    pub(in super::super) fn finish(&mut self) {
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
    pub(in super::super) fn step(&mut self, back: bool, present: &mut T) -> Option<String> {
        self.ongoing = None;
        self.version += 1;
        let [from, to] = if back {
            [&mut self.past, &mut self.future]
        } else {
            [&mut self.future, &mut self.past]
        };
        let (what, state) = from.pop()?;
        to.push((what.clone(), std::mem::replace(present, state)));
        Some(what)
    }

    /// All states except the current one: the past, newest first, then the future.
    pub(in super::super) fn states(&self) -> impl Iterator<Item = &T> {
        self.past
            .iter()
            .rev()
            .chain(&self.future)
            .map(|(_, state)| state)
    }

    /// The past states, newest first.
    pub(in super::super) fn past(&self) -> impl Iterator<Item = &T> {
        self.past.iter().rev().map(|(_, state)| state)
    }

    pub(in super::super) fn undoes(&self) -> Option<&str> {
        self.past.last().map(|(what, _)| what.as_str())
    }

    pub(in super::super) fn redoes(&self) -> Option<&str> {
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
        assert_eq!(
            history.redoes(),
            None,
            "a new change forgets what was taken back"
        );
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
        assert_eq!(
            history.step(true, &mut state).as_deref(),
            Some("edit, rerun")
        );
        assert_eq!((state, history.undoes()), (0, None));
        assert_eq!(
            history.step(false, &mut state).as_deref(),
            Some("edit, rerun")
        );
        assert_eq!(state, 2);
    }

    #[test]
    fn one_edit_is_one_step_and_a_session_outlasts_edits() {
        type Record = fn(&mut History<u32>, &u32);
        type End = fn(&mut History<u32>);
        let edit: Record = |history, before| history.record_ongoing("tolerance", before);
        let session: Record =
            |history, before| history.record_session("text 1", "edit the text", before);
        let (end_edit, finish): (End, End) = (History::end_edit, History::finish);
        for (record, end, states) in [
            (edit, end_edit, [5, 0].as_slice()),
            (edit, finish, &[5, 0]),
            (session, finish, &[5, 0]),
            (session, end_edit, &[0]),
        ] {
            let (mut history, mut state) = (History::default(), 0);
            for next in 1..=5 {
                record(&mut history, &state);
                state = next;
            }
            end(&mut history);
            record(&mut history, &state);
            state = 6;
            let undone = std::iter::from_fn(|| history.step(true, &mut state).map(|_| state));
            assert_eq!(undone.collect::<Vec<_>>(), states);
        }
    }
}
